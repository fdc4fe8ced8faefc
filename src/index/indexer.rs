//! One repository with the options that its indexes are made with.
//!
//! Owns [`Indexer`], the handle that later stages take instead of a repository and its options. It
//! reads the options from the configuration once, when it is made.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::chunk::ChunkOptions;
use super::source::Limits;
use super::{
    BuildReport, CommitIndex, FillReport, IndexOptions, Result, Snapshot, fill, incomplete, index_commit,
    open, open_foreign,
};
use crate::base::config::{self, ConfigError, Key};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::Repository;

/// A repository and the options that its indexes are made with.
#[derive(Clone)]
pub struct Indexer {
    repo: Arc<Repository>,
    options: IndexOptions,
}

/// An index that lacks objects, or has objects that can't be read. As text, it tells the user that
/// the index was rebuilt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompleteIndex {
    commit: ObjectId,
    why: String,
}

impl fmt::Display for IncompleteIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { commit, why } = self;
        write!(f, "the index of {} was damaged and was rebuilt: {why}", commit.abbreviated(12))
    }
}

impl Indexer {
    /// Reads the options of `repo` from its configuration.
    ///
    /// # Errors
    /// [`super::Error::Config`] for a setting that is out of range.
    pub fn new(repo: Repository) -> Result<Self> {
        let options = read_options(&repo)?;
        Ok(Self { repo: Arc::new(repo), options })
    }

    /// Uses these options, whatever the configuration says: those of an index that somebody else
    /// made.
    pub fn with_options(repo: Repository, options: IndexOptions) -> Self {
        Self { repo: Arc::new(repo), options }
    }

    /// The repository.
    pub fn repo(&self) -> &Arc<Repository> {
        &self.repo
    }

    /// The options that indexes are made with here.
    pub fn options(&self) -> &IndexOptions {
        &self.options
    }

    /// Makes sure that `commit` is indexed.
    ///
    /// # Errors
    /// As [`index_commit`].
    pub fn index(&self, commit: ObjectId, force: bool, task: Task<'_>) -> Result<BuildReport> {
        index_commit(&self.repo, commit, &self.options, None, force, task)
    }

    /// Makes sure that `commit` has a complete index: as [`Indexer::index`], but an index that was
    /// there and is incomplete is rebuilt. Returns also the incomplete one.
    ///
    /// `checked` holds subtrees that were found complete before, as [`incomplete`] takes them.
    ///
    /// # Errors
    /// As [`index_commit`].
    pub fn index_whole(
        &self,
        commit: ObjectId,
        force: bool,
        checked: &mut HashSet<ObjectId>,
        task: Task<'_>,
    ) -> Result<(BuildReport, Option<IncompleteIndex>)> {
        let built = self.index(commit, force, task)?;
        let damage = if built.was_there { self.damage(&built.snapshot, checked) } else { None };
        match damage {
            None => Ok((built, None)),
            Some(damage) => Ok((self.index(commit, true, task)?, Some(damage))),
        }
    }

    /// Returns the damage for which the index of a commit must be rebuilt.
    ///
    /// `checked` is as in [`Indexer::index_whole`].
    pub fn damage(&self, snapshot: &Snapshot, checked: &mut HashSet<ObjectId>) -> Option<IncompleteIndex> {
        let why = incomplete(&self.repo, snapshot, checked)?;
        Some(IncompleteIndex { commit: snapshot.commit, why })
    }

    /// Indexes the gap between an indexed commit and its nearest indexed ancestor, at most `max`
    /// commits.
    ///
    /// # Errors
    /// As [`fill`].
    pub fn fill(&self, tip: &BuildReport, max: usize, task: Task<'_>) -> Result<FillReport> {
        fill(&self.repo, tip, &self.options, max, task)
    }

    /// Opens the index of `commit`, and makes it first if there is none.
    ///
    /// # Errors
    /// As [`index_commit`].
    pub fn snapshot(&self, commit: ObjectId, task: Task<'_>) -> Result<Snapshot> {
        // A copy of a remote repository has no sources to make an index from.
        if self.repo.is_mirror() {
            return Ok(open_foreign(&self.repo, commit)?.0);
        }
        match open(&self.repo, commit, &self.options.manifest())? {
            CommitIndex::Current(snapshot) => Ok(snapshot),
            _ => Ok(self.index(commit, false, task)?.snapshot),
        }
    }
}

/// Reads the options that change records.
fn read_options(repo: &Repository) -> Result<IndexOptions> {
    let small = |key: &Key| -> Result<u32> { Ok(u32::try_from(repo.setting(key)?).unwrap_or(u32::MAX)) };
    let limits = Limits { max_file_bytes: repo.setting(&config::MAX_FILE_BYTES)? };
    let chunk = ChunkOptions {
        target_bytes: small(&config::CHUNK_BYTES)?,
        window_tokens: small(&config::WINDOW_TOKENS)?,
        window_overlap: small(&config::WINDOW_OVERLAP)?,
    };
    if chunk.window_overlap >= chunk.window_tokens {
        return Err(ConfigError::OutOfRange {
            key: config::WINDOW_OVERLAP.name.to_owned(),
            value: chunk.window_overlap.to_string(),
            min: 0,
            max: u64::from(chunk.window_tokens.saturating_sub(1)),
        }
        .into());
    }
    Ok(IndexOptions { chunk, limits })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn options_come_from_the_configuration() {
        let fixture = Fixture::with_history();
        fixture.git(&["config", config::MAX_FILE_BYTES.name, "1234"]);
        let indexer = Indexer::new(fixture.open()).unwrap();
        assert_eq!(indexer.options().limits.max_file_bytes, 1234);
        // An index that a program makes through the library is the one that the command makes.
        fixture.git(&["config", "--unset", config::MAX_FILE_BYTES.name]);
        let default = Indexer::new(fixture.open()).unwrap();
        assert_eq!(default.options(), &IndexOptions::default());
        let chosen = IndexOptions { limits: Limits { max_file_bytes: 7 }, ..IndexOptions::default() };
        assert_eq!(Indexer::with_options(fixture.open(), chosen.clone()).options(), &chosen);
    }

    #[test]
    fn a_window_must_be_longer_than_its_overlap() {
        let fixture = Fixture::with_history();
        fixture.git(&["config", config::WINDOW_TOKENS.name, "100"]);
        fixture.git(&["config", config::WINDOW_OVERLAP.name, "100"]);
        let error = Indexer::new(fixture.open()).err().unwrap();
        assert!(
            matches!(error, super::super::Error::Config(ConfigError::OutOfRange { max: 99, .. })),
            "{error}"
        );
    }
}
