//! Computes the vectors of a commit: which texts, in which order.

use bstr::{BStr, ByteSlice};

use super::chunk_text;
use super::vectors::{self, FileToEmbed, Plan, Report, Texts};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::Repository;
use crate::index::{self, Snapshot};
#[cfg(doc)]
use crate::provider::Error;
use crate::provider::Result;
use crate::provider::embedding::{Embedder, Model};
use crate::search::segment::{FileView, Index};
use crate::search::{self, Searcher};

/// The plan for embedding the commit that `searcher` was opened at: source before tests, examples
/// and vendored code, so that a budget goes to the most useful files. Sends nothing.
///
/// # Errors
/// [`search::Error::Git`] before the first commit, [`search::Error::Index`] if the commit has
/// no index, [`Error::Vectors`].
pub fn embedding_plan(searcher: &Searcher, model: &Model, task: Task<'_>) -> Result<Plan> {
    let snapshot = own_index(searcher)?;
    let index = searcher.index();
    let files = files_by_worth(searcher.repo(), snapshot.files, &index)?;
    let files = files
        .into_iter()
        .map(|(file, record)| {
            let n_chunks = file.segment.chunks_of(file.ord).len();
            FileToEmbed { path: file.path().to_owned(), record, n_chunks }
        })
        .collect();
    let texts = ChunkTexts { searcher, index: &index };
    Ok(vectors::plan(searcher.repo(), model, snapshot.commit, files, &texts, task)?)
}

/// Returns the index of the commit that is searched. Its vectors and its commentary belong to it.
///
/// # Errors
/// [`search::Error::Git`] before the first commit, [`index::Error::NotIndexed`] if no index of
/// it can be stored.
pub(super) fn own_index(searcher: &Searcher) -> Result<&Snapshot> {
    let commit = searcher.commit().ok_or_else(|| search::Error::unborn(searcher.repo()))?;
    let snapshot = searcher.snapshot().ok_or(index::Error::NotIndexed { commit });
    Ok(snapshot.map_err(search::Error::from)?)
}

/// The files that have chunks, each with its record's id in the tree `records`, in the order in
/// which a budget is used: source before tests, examples and vendored code, then by path.
pub(super) fn files_by_worth<'s>(
    repo: &Repository,
    records: ObjectId,
    index: &Index<'s>,
) -> Result<Vec<(FileView<'s>, ObjectId)>> {
    let records = repo.tree_files(records)?;
    let mut files = Vec::new();
    for file in index.files() {
        let at = records.binary_search_by(|record| record.path.as_bstr().cmp(file.path()));
        let record = at.ok().and_then(|at| records.get(at));
        if let (1.., Some(record)) = (file.segment.chunks_of(file.ord).len(), record) {
            files.push((file, record.id));
        }
    }
    files.sort_by_key(|(file, _)| {
        let flags = file.flags();
        (flags.is_vendored(), flags.is_example(), flags.is_test(), file.path())
    });
    Ok(files)
}

/// Carries out a plan, for at most `budget` tokens.
///
/// # Errors
/// [`Error::Vectors`]; a failure of the provider is in the report, for what was received before is
/// kept.
pub fn embed(
    searcher: &Searcher,
    embedder: &Embedder,
    plan: &Plan,
    budget: Option<u64>,
    task: Task<'_>,
) -> Result<Report> {
    let texts = ChunkTexts { searcher, index: &searcher.index() };
    Ok(vectors::make(searcher.repo(), embedder, plan, &texts, budget, task)?)
}

/// The texts of chunks for embedding.
struct ChunkTexts<'s> {
    searcher: &'s Searcher,
    index: &'s Index<'s>,
}

impl Texts for ChunkTexts<'_> {
    fn of(&self, path: &BStr) -> Vec<String> {
        chunk_text::of_file(self.searcher, self.index, path)
    }
}
