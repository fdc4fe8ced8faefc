//! Verification: recompute records and compare.
//!
//! Owns [`Verifier`]. Input: a snapshot and its source. Output: the number of records checked, and
//! every difference. Indexing is a pure function of the source, so anyone who has the source can
//! check a received index. Nothing is repaired here.

use std::collections::HashSet;
use std::hash::BuildHasher as _;

use bstr::{BString, ByteSlice};
use rayon::prelude::*;

use super::record::{self, limits};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::text::path;
use crate::git::{Blob, EntryMode, FileAttributes, Repository, TreeEntry};

use super::{Error, IndexOptions, Recorder, Result, Snapshot};

/// A path whose stored record differs from the one its source gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The source path.
    pub path: BString,
    /// A description of the difference.
    pub what: String,
}

/// The result of [`Verifier::verify`].
#[derive(Debug, Clone, Default)]
pub struct VerifyReport {
    /// Number of source files in the commit.
    pub n_files: usize,
    /// Number of records that were recomputed.
    pub n_checked: usize,
    /// Number of records that were verified before, for another commit with the same source.
    pub n_known: usize,
    /// The differences, sorted by path.
    pub differences: Vec<Difference>,
}

/// Everything that a record depends on (mode, name, blob and attributes of its source), and the
/// record's id.
type KnownRecord = (EntryMode, BString, ObjectId, FileAttributes, ObjectId);

/// A verifier of several commits. Records that commits share are recomputed once.
#[derive(Debug)]
pub struct Verifier<'r> {
    repo: &'r Repository,
    recorder: Recorder,
    /// Records found to be correct.
    known: HashSet<KnownRecord>,
}

impl<'r> Verifier<'r> {
    /// Creates a verifier for records that were made with these options.
    pub fn new(repo: &'r Repository, options: &IndexOptions) -> Self {
        Self { repo, recorder: Recorder::new(options.clone()), known: HashSet::new() }
    }

    /// Recomputes the records of a snapshot and compares them.
    ///
    /// `sample` limits the number of records, which are then spread over all paths. The choice is
    /// random, so that nobody can predict it. Missing and surplus records are always reported.
    ///
    /// # Errors
    /// [`Error::Cancelled`], [`Error::Git`], [`Error::Damaged`] if the records can't be listed.
    /// Differences are not errors.
    pub fn verify(
        &mut self,
        snapshot: &Snapshot,
        sample: Option<usize>,
        task: Task<'_>,
    ) -> Result<VerifyReport> {
        let source = self.repo.tree_files(snapshot.source_tree)?;
        let damaged =
            |error: crate::git::Error| Error::Damaged { commit: snapshot.commit, why: error.to_string() };
        let records = self.repo.tree_files(snapshot.files).map_err(damaged)?;
        let (pairs, mut differences) = paired(&source, &records);
        let chosen: Vec<&Pair<'_>> = match sample {
            Some(n) if n < pairs.len() => spread(pairs.len(), n).filter_map(|at| pairs.get(at)).collect(),
            _ => pairs.iter().collect(),
        };
        let attributes = self.repo.attributes(snapshot.source_tree)?;
        task.progress.begin("verifying", "files", Some(chosen.len() as u64));
        let found: Result<Vec<(Option<KnownRecord>, Option<Difference>)>> = chosen
            .par_iter()
            .map(|(file, stored)| {
                if task.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                let said = attributes.of(file.path.as_bstr());
                let name = path::name(file.path.as_bstr()).to_owned();
                let known = (file.mode, name, file.id, said, stored.id);
                task.progress.advance(1);
                if self.known.contains(&known) {
                    return Ok((None, None));
                }
                let expected = self.recorder.record_entry(self.repo, file, &known.3)?;
                let what = difference(self.repo, &record::encode(&expected), stored.id)?;
                Ok((Some(known), what.map(|what| Difference { path: file.path.clone(), what })))
            })
            .collect();
        task.progress.end();
        let (mut n_checked, mut n_known) = (0, 0);
        for (known, difference) in found? {
            match known {
                Some(_) => n_checked += 1,
                None => n_known += 1,
            }
            match difference {
                Some(difference) => differences.push(difference),
                None => self.known.extend(known),
            }
        }
        differences.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(VerifyReport { n_files: source.len(), n_checked, n_known, differences })
    }
}

/// Returns `n` different numbers below `of`, one at random from each of `n` equal parts; `of` must
/// be above `n`.
fn spread(of: usize, n: usize) -> impl Iterator<Item = usize> {
    // The hash keys of maps differ per process. That is random enough and needs no random
    // generator.
    let chance = std::hash::RandomState::new();
    (0..n).map(move |part| {
        let (from, to) = (part * of / n, (part + 1) * of / n);
        let offset = chance.hash_one(part) % (to - from).max(1) as u64;
        from + usize::try_from(offset).unwrap_or(0)
    })
}

/// A source file and its record.
type Pair<'t> = (&'t TreeEntry, &'t TreeEntry);

/// Pairs source files with their records; both lists are sorted by path.
fn paired<'t>(source: &'t [TreeEntry], records: &'t [TreeEntry]) -> (Vec<Pair<'t>>, Vec<Difference>) {
    let mut pairs = Vec::with_capacity(source.len());
    let mut differences = Vec::new();
    let mut stored = records.iter().peekable();
    for file in source {
        while let Some(surplus) = stored.next_if(|record| record.path < file.path) {
            differences
                .push(Difference { path: surplus.path.clone(), what: "has a record but no source".into() });
        }
        match stored.next_if(|record| record.path == file.path) {
            Some(record) => pairs.push((file, record)),
            None => differences.push(Difference { path: file.path.clone(), what: "has no record".into() }),
        }
    }
    for surplus in stored {
        differences
            .push(Difference { path: surplus.path.clone(), what: "has a record but no source".into() });
    }
    (pairs, differences)
}

/// Returns how the stored record differs from the expected bytes; `None` if it doesn't.
fn difference(repo: &Repository, expected: &[u8], stored: ObjectId) -> Result<Option<String>> {
    let found = match repo.blob(stored, limits::RECORD_BYTES as u64)? {
        Blob::Bytes(bytes) => bytes,
        Blob::Missing => return Ok(Some(format!("record {stored} is missing"))),
        Blob::TooLarge { bytes } => return Ok(Some(format!("record {stored} has {bytes} bytes, too many"))),
    };
    if found == expected {
        return Ok(None);
    }
    if let Err(error) = record::decode(&found) {
        return Ok(Some(error.to_string()));
    }
    let at = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
    Ok(Some(format!(
        "record {stored} differs at byte {at}: {} bytes stored, {} bytes recomputed",
        found.len(),
        expected.len()
    )))
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn samples_have_the_size_that_was_asked_for() {
        for (of, n) in [(2, 1), (21, 20), (100, 20), (1009, 20), (1009, 1008)] {
            let chosen: Vec<usize> = spread(of, n).collect();
            assert_eq!(chosen.len(), n);
            assert!(chosen.is_sorted_by(|a, b| a < b) && chosen.iter().all(|&at| at < of), "{chosen:?}");
        }
    }
}
