//! A commit → the records that it is searched with.
//!
//! Owns [`RecordSource`]. Every search asks [`find`], which opens the commit's index and builds it
//! if there is none. Where no index can be stored (a read-only repository, a full disk), the
//! records of the nearest indexed commit are used. [`add_missing`] builds those of files that
//! differ, in memory, for each query. The answer is the same as with an index.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use bstr::BString;
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::base::text::{counted, shell_word};
use crate::git::{Repository, TreeEntry};
use crate::index::{self, IndexOptions, Indexer, Snapshot};

use super::cache::segments::Loader;
use super::open::FEW_FILES;
use super::{Error, Result};

/// A commit that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SearchedCommit {
    pub(crate) id: ObjectId,
    /// The tree of its sources.
    pub(crate) source_tree: ObjectId,
}

/// A commit to search, and the records available for it.
pub(crate) struct RecordSource {
    pub(crate) commit: SearchedCommit,
    /// The index whose records are used; another commit's if its own can't be stored, `None` if
    /// there is none.
    pub(crate) records: Option<Snapshot>,
    /// Whether the commit has an index of a newer version, which is not used.
    pub(crate) is_beside_newer: bool,
    /// Why the index of the commit can't be stored. `None` if it is stored, or if one of a newer
    /// version is in its place.
    obstacle: Option<Obstacle>,
}

/// Why nothing can be written to a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    /// The user may not write there, or nobody may.
    Denied,
    /// The disk, or the user's share of it, is full.
    Full,
    /// A file would exceed `ulimit -f`.
    FileLimit,
    /// A file is where a directory belongs.
    NoDirectory,
}

impl Obstacle {
    /// Returns the obstacle behind an error, if there is one.
    fn of(error: &Error) -> Option<Self> {
        let mut at: Option<&(dyn std::error::Error + 'static)> = Some(error);
        while let Some(error) = at {
            // EROFS, EACCES and EPERM; ENOSPC and EDQUOT; EFBIG; EEXIST and ENOTDIR.
            match error.downcast_ref::<std::io::Error>().map(std::io::Error::kind) {
                Some(ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied) => {
                    return Some(Self::Denied);
                }
                Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => return Some(Self::Full),
                Some(ErrorKind::FileTooLarge) => return Some(Self::FileLimit),
                Some(ErrorKind::AlreadyExists | ErrorKind::NotADirectory) => return Some(Self::NoDirectory),
                _ => at = error.source(),
            }
        }
        None
    }

    /// Returns the warning that files are read again for each query, `n` as in "2 files are".
    fn warning(self, repo: &Repository, n: &str) -> String {
        match self {
            Self::Denied => format!(
                "the repository is not writable: {n} read again for each query; run 'git cora index' \
                from an account that can write to it"
            ),
            Self::Full => format!(
                "the disk is full, so no index can be stored: {n} read again for each query; run 'df -h {}' to \
                see what space is left",
                shell_word(&repo.common_dir().to_string_lossy())
            ),
            Self::FileLimit => format!(
                "the limit on the size of files is too low to store an index: {n} read again for each query; run \
                'ulimit -f' to see the limit"
            ),
            Self::NoDirectory => format!(
                "a file is where a directory belongs, so no index can be stored: {n} read again for each query; \
                run 'git cora doctor' to see which"
            ),
        }
    }
}

impl RecordSource {
    /// A commit that is indexed.
    pub(crate) fn stored(snapshot: Snapshot) -> Self {
        let commit = SearchedCommit { id: snapshot.commit, source_tree: snapshot.source_tree };
        Self { commit, records: Some(snapshot), is_beside_newer: false, obstacle: None }
    }

    /// The commit's own index.
    pub(crate) fn own(&self) -> Option<Snapshot> {
        self.records.filter(|records| records.commit == self.commit.id)
    }

    /// Whether the commit has its own index.
    pub(crate) fn is_stored(&self) -> bool {
        self.own().is_some()
    }

    /// The source tree that the records are of.
    pub(crate) fn recorded_tree(&self, repo: &Repository) -> ObjectId {
        self.records.map_or(repo.empty_tree(), |records| records.source_tree)
    }
}

/// The index of `commit`, built if there is none. If it can't be stored, the nearest one instead.
pub(super) fn find(indexer: &Indexer, commit: ObjectId, task: Task<'_>) -> Result<RecordSource> {
    match indexer.snapshot(commit, task).map_err(Error::Index) {
        Ok(snapshot) => {
            let is_beside_newer =
                snapshot.is_local && index::is_newer(indexer.repo(), commit, &indexer.options().manifest())?;
            Ok(RecordSource { is_beside_newer, ..RecordSource::stored(snapshot) })
        }
        Err(Error::Index(index::Error::Newer { .. })) if !indexer.repo().is_mirror() => {
            Ok(RecordSource { is_beside_newer: true, ..unstored(indexer, commit, None)? })
        }
        Err(error) => match Obstacle::of(&error) {
            Some(obstacle) => unstored(indexer, commit, Some(obstacle)),
            None => Err(error),
        },
    }
}

/// The index of `commit`, built if there is none. If it can't be stored, or one of a newer version
/// is in its place, a snapshot without records: whoever reads a file makes its record again.
///
/// # Errors
/// [`Error::Index`], [`Error::Git`].
pub(crate) fn snapshot(indexer: &Indexer, commit: ObjectId, task: Task<'_>) -> Result<Snapshot> {
    let found = find(indexer, commit, task)?;
    let empty = indexer.repo().empty_tree();
    Ok(found.own().unwrap_or(Snapshot {
        commit,
        source_tree: found.commit.source_tree,
        index_commit: commit,
        snapshot_commit: commit,
        tree: empty,
        files: empty,
        is_local: true,
    }))
}

/// The index of `commit`, rebuilt because objects of it are missing or damaged; or, where it can't
/// be stored, none.
pub(super) fn rebuild(indexer: &Indexer, commit: ObjectId, task: Task<'_>) -> Result<RecordSource> {
    match indexer.index(commit, true, task).map_err(Error::Index) {
        Ok(built) => Ok(RecordSource::stored(built.snapshot)),
        Err(error) => match Obstacle::of(&error) {
            // All other stored records may be damaged as well.
            Some(obstacle) => {
                Ok(RecordSource { records: None, ..unstored(indexer, commit, Some(obstacle))? })
            }
            None => Err(error),
        },
    }
}

fn unstored(indexer: &Indexer, commit: ObjectId, obstacle: Option<Obstacle>) -> Result<RecordSource> {
    let repo = indexer.repo();
    let records = index::nearest(repo, commit, &indexer.options().manifest())?;
    let source_tree = repo.commit(commit)?.tree;
    let commit = SearchedCommit { id: commit, source_tree };
    Ok(RecordSource { commit, records, is_beside_newer: false, obstacle })
}

/// Builds the missing records of files that differ from the available ones; returns the warning to
/// show.
pub(crate) fn add_missing(
    repo: &Repository,
    found: &RecordSource,
    options: &IndexOptions,
    over: &mut BTreeMap<BString, Option<Vec<u8>>>,
    task: Task<'_>,
) -> Result<Option<String>> {
    let commit = found.commit.id.abbreviated(12);
    if found.is_stored() {
        return Ok(found.is_beside_newer.then(|| {
            format!(
                "the index of {commit} was made by a newer version of git-cora, so the search \
                 used one that was built here; upgrade git-cora to use the newer one"
            )
        }));
    }
    let recorded = found.recorded_tree(repo);
    let changes = index::changes(repo, Some(recorded), found.commit.source_tree)?;
    let loader = Loader::without_records(repo, options, found.commit.source_tree)?;
    let phase =
        Phase::begin(task.progress, "reading files without an index", "files", changes.len(), FEW_FILES);
    let made: Vec<(BString, Option<Vec<u8>>)> = changes
        .par_iter()
        .map(|change| {
            if task.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let file = change.new.map(|(mode, id)| TreeEntry { path: change.path.clone(), mode, id });
            let bytes = file.map(|file| loader.load(&file, None)).transpose()?.map(|loaded| loaded.bytes);
            task.progress.advance(1);
            Ok((change.path.clone(), bytes))
        })
        .collect::<Result<_>>()?;
    drop(phase);
    over.extend(made);
    let n = counted(changes.len(), "file is", "files are");
    Ok(Some(match found.obstacle {
        None => format!(
            "the index of {commit} was made by a newer version of git-cora, so {n} read again for each query; \
             upgrade git-cora to use it"
        ),
        Some(obstacle) => obstacle.warning(repo, &n),
    }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::base::progress::Cancel;
    use crate::base::progress::NoProgress;
    use crate::git::testing::Fixture;
    use crate::search::{Searcher, Target};
    use crate::{Query, Session};
    use std::io;

    /// Paths, lines and scores of an answer.
    fn answer(session: &Session, searcher: &Searcher) -> Vec<(String, u32, f64)> {
        let answer = session.answer(searcher, &Query::new("retry failed uploads"), "HEAD").unwrap();
        let all = answer.results.into_iter();
        all.map(|one| (one.path.to_string(), one.span.start_line, one.score)).collect()
    }

    #[test]
    fn the_answer_is_that_of_an_index() {
        let fixture = Fixture::with_history();
        fixture.commit_file("src/upload.rs", "/// Tries failed uploads again.\nfn retry_upload() {}\n");
        fixture.commit_file("src/second.rs", "fn retry() { /* an upload */ }\n");
        fixture.git(&["rm", "-q", "src/third.rs"]);
        fixture.commit_file("src/fourth.rs", "fn failed() {}\n");
        let session = Session::open(fixture.path()).unwrap();
        let head = session.repo().resolve("HEAD").unwrap();
        let unstored = |session: &Session| {
            let found = unstored(session.indexer(), head, Some(Obstacle::Denied)).unwrap();
            assert!(!found.is_stored());
            Searcher::from_records(
                session.indexer(),
                Some(found),
                None,
                Task::new(&NoProgress, &Cancel::default()),
            )
            .unwrap()
        };
        let without = unstored(&session);
        assert_eq!(without.commit(), Some(head));
        assert!(without.warnings.iter().any(|warning| warning.contains("git cora index")));
        let before = answer(&session, &without);
        // With the records of a commit further up.
        let first = session.repo().resolve("HEAD~3").unwrap();
        session.index(first, false, Task::new(&NoProgress, &Cancel::default())).unwrap();
        let beside = answer(&session, &unstored(&session));
        let stored =
            session.searcher(&Target::Commit(head), Task::new(&NoProgress, &Cancel::default())).unwrap();
        assert!(stored.is_stored() && stored.warnings.is_empty());
        let stored = answer(&session, &stored);
        assert!(stored.first().is_some_and(|one| one.0 == "src/upload.rs"));
        assert_eq!(before, stored);
        assert_eq!(beside, stored);
    }

    #[test]
    fn only_what_keeps_from_writing_is_borne() {
        for (kind, expected) in [
            (ErrorKind::ReadOnlyFilesystem, Some(Obstacle::Denied)),
            (ErrorKind::PermissionDenied, Some(Obstacle::Denied)),
            (ErrorKind::StorageFull, Some(Obstacle::Full)),
            (ErrorKind::QuotaExceeded, Some(Obstacle::Full)),
            (ErrorKind::FileTooLarge, Some(Obstacle::FileLimit)),
            (ErrorKind::AlreadyExists, Some(Obstacle::NoDirectory)),
            (ErrorKind::NotADirectory, Some(Obstacle::NoDirectory)),
            (ErrorKind::Interrupted, None),
        ] {
            let error = crate::git::Error::Io {
                action: "write",
                path: "objects".into(),
                source: io::Error::new(kind, "some reason"),
            };
            assert_eq!(Obstacle::of(&Error::Git(error)), expected, "{kind:?}");
        }
        let repo = Fixture::with_history().open_kept();
        for (obstacle, expected) in [
            (Obstacle::Denied, "from an account that can write to it"),
            (Obstacle::Full, "the disk is full"),
            (Obstacle::FileLimit, "run 'ulimit -f'"),
            (Obstacle::NoDirectory, "run 'git cora doctor'"),
        ] {
            let warning = obstacle.warning(&repo.1, "2 files are");
            assert!(warning.contains(expected) && warning.contains(": 2 files are read again"), "{warning}");
        }
        assert_eq!(Obstacle::of(&Error::Cancelled), None);
    }
}
