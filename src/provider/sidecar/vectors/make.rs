//! Making vectors: the texts that a commit lacks → requests → a ref.
//!
//! 1. Plan (`plan`). Determine which texts have no vector of the model.
//! 2. Send. A user may take long to confirm the plan. So the list is checked again with the journal
//!    locked, and texts that others have embedded meanwhile are not sent. The remaining texts are
//!    sent in batches. Each answer is in the journal before its thread sends the next request, so
//!    an interruption loses no answer.
//! 3. Publish. Files with a vector for every text become the ref's tree, together with those that
//!    the ref has by then.

use std::collections::{HashMap, HashSet};

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::git::{Blob, ObjectWriter, Repository};
use crate::provider::embedding::{Embedder, Model, Row};
use crate::provider::sidecar::journal;
use crate::provider::sidecar::publish::{self, Draft, Edits, Place};

use super::decode::{MAX_BYTES, decode, encode};
use super::layout::{Manifest, ref_name};
use super::plan::{Journal, Plan, Report, StoredVectors, Texts, journal_path};
use super::send::{Feeder, send};
use super::{Error, Key, KeyedRow, Result, VectorSidecar};

type Rows = journal::Entries<KeyedRow>;

/// Sends the missing texts and points the ref at all complete files.
///
/// Sends at most `budget` tokens, if it is given. A failure of the provider is part of the report.
///
/// # Errors
/// [`Error::Busy`], [`Error::Io`], [`Error::Git`], [`Error::Cancelled`]. The journal keeps
/// everything received before, for the next run.
pub fn make(
    repo: &Repository,
    embedder: &Embedder,
    plan: &Plan,
    texts: &dyn Texts,
    budget: Option<u64>,
    task: Task<'_>,
) -> Result<Report> {
    let Some(commit) = plan.commit else { return Ok(Report::default()) };
    let model = embedder.model();
    let mut journal = Journal::open(journal_path(repo, model), repo.sharing())?;
    // The lock is held: from here on nobody else adds vectors. Those added since planning are
    // already paid for.
    let reread = plan.known.reread(repo, model, commit, task.cancel)?;
    let known = reread.as_ref().unwrap_or(&plan.known);
    let lacks = |journal: &Journal, at: &(usize, usize)| {
        plan.key(*at).is_some_and(|key| !known.places.contains_key(key) && !journal.entries.contains_key(key))
    };
    let missing: Vec<(usize, usize)> =
        plan.missing.iter().filter(|at| lacks(&journal, at)).copied().collect();
    let mut report = Report::default();
    if !missing.is_empty() {
        let feeder = Feeder::new(plan, &missing, texts, model, budget);
        journal = send(embedder, feeder, journal, &mut report, task)?;
    }
    report.n_left = missing.iter().filter(|at| lacks(&journal, at)).count();
    // A row that no file of this commit has may be one of another commit's.
    if publish(repo, model, plan, commit, &journal.entries, &mut report, task.cancel)? {
        journal.clear();
    }
    Ok(report)
}

/// Writes the files with a vector for every text, then the ref; returns whether every received
/// vector is in Git.
fn publish(
    repo: &Repository,
    model: &Model,
    plan: &Plan,
    commit: ObjectId,
    received: &Rows,
    report: &mut Report,
    cancel: &Cancel,
) -> Result<bool> {
    let refname = ref_name(&model.component(), commit);
    let place = Place { repo, refname: &refname, commit };
    let mut is_all = false;
    publish::publish::<VectorSidecar>(&place, cancel, |writer| {
        let reread = plan.known.reread(repo, model, commit, cancel)?;
        let known = reread.as_ref().unwrap_or(&plan.known);
        let mut files = Files { repo, plan, known, received, blobs: HashMap::new() };
        let VectorChanges { edits, published, dimensions } = files.write(writer, cancel)?;
        is_all = received.keys().all(|key| published.contains(key) || known.places.contains_key(key));
        report.n_files = edits.len();
        let Some(dimensions) = dimensions.filter(|_| !edits.is_empty()) else { return Ok(None) };
        report.refname = Some(refname.clone());
        let base = known.bases.first();
        Ok(Some(Draft {
            files: edits,
            manifest: Manifest { model: model.id(), dimensions }.encode().into_bytes(),
            base: base.map(|base| base.snapshot_commit),
            present: base.filter(|base| base.commit == commit).map(|base| base.files),
        }))
    })?;
    Ok(is_all)
}

/// The files of a commit, and where their vectors are.
struct Files<'f> {
    repo: &'f Repository,
    plan: &'f Plan,
    known: &'f StoredVectors,
    received: &'f Rows,
    /// Some of the blobs of the bases.
    blobs: HashMap<ObjectId, Vec<u8>>,
}

/// The blobs of all complete files, the keys of the vectors in those that are new, and the
/// dimensions.
struct VectorChanges {
    edits: Edits,
    published: HashSet<Key>,
    dimensions: Option<usize>,
}

impl Files<'_> {
    fn write(&mut self, writer: &mut ObjectWriter, cancel: &Cancel) -> Result<VectorChanges> {
        let mut edits: Edits = self.plan.taken.iter().map(|(path, id)| (path.clone(), Some(*id))).collect();
        let mut published = HashSet::new();
        let mut dimensions = self.known.bases.first().map(|base| base.dimensions);
        for file in &self.plan.open {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            // Somebody may have published the file since it was planned.
            if let Some(&(blob, n)) = self.known.by_record.get(&file.record)
                && n == file.keys.len()
            {
                edits.push((file.path.clone(), Some(blob)));
                continue;
            }
            let found: Option<Vec<(Key, Row)>> =
                file.keys.iter().map(|key| Some((*key, self.row(key)?))).collect();
            let Some(found) = found else { continue };
            let n = found.first().map_or(0, |(_, row)| row.components.len());
            if *dimensions.get_or_insert(n) != n {
                continue;
            }
            if let Some(bytes) = encode(file.record, &found) {
                edits.push((file.path.clone(), Some(writer.blob(&bytes)?)));
                published.extend(&file.keys);
            }
        }
        Ok(VectorChanges { edits, published, dimensions })
    }

    /// Returns the row of a key, from the journal or from a base's blob.
    fn row(&mut self, key: &Key) -> Option<Row> {
        if let Some(received) = self.received.get(key) {
            return Some(received.row.clone());
        }
        let places = [&self.known.places, &self.plan.known.places];
        let &(id, at) = places.into_iter().find_map(|places| places.get(key))?;
        // Most texts of a file come from one other file, its older version, so few blobs need to be
        // kept.
        if !self.blobs.contains_key(&id) {
            let Ok(Blob::Bytes(bytes)) = self.repo.blob(id, MAX_BYTES) else { return None };
            if self.blobs.len() >= 8 {
                self.blobs.clear();
            }
            self.blobs.insert(id, bytes);
        }
        let vectors = decode(self.blobs.get(&id)?).ok()?;
        let row = vectors.rows().nth(at).filter(|row| row.key == *key)?;
        Some(row.to_row())
    }
}
