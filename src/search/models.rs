//! What models outside this program know about a search.
//!
//! A search never asks a provider itself. [`OutsideModels`] is the seam: providers implement it,
//! and answer `None` where no setting names a model.

use std::collections::HashMap;
use std::sync::Arc;

use bstr::{BStr, BString};

use super::Searcher;
use super::query::{Cosines, Notes};
use super::segment::{ChunkRef, Index};
use crate::base::progress::Task;

/// A note: one paragraph about a chunk, written by a model. All notes together are the commentary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The chunk's position in its file.
    pub chunk: u32,
    /// The text of the note.
    pub text: String,
    /// The model that wrote it, as `provider:model`.
    pub model: String,
}

/// The notes about an index, by path. Only files that have not changed since have any.
#[derive(Debug, Default)]
pub struct IndexNotes {
    by_path: HashMap<BString, Vec<Note>>,
}

impl IndexNotes {
    /// Collects notes, each list with the path of its file.
    pub fn new(files: impl Iterator<Item = (BString, Vec<Note>)>) -> Self {
        Self { by_path: files.collect() }
    }

    /// The note about a chunk of an index.
    pub fn of_chunk(&self, index: &Index<'_>, path: &BStr, chunk: ChunkRef) -> Option<&Note> {
        let segment = index.segment(chunk.part)?;
        let first = segment.chunks_of(segment.chunk(chunk.ord)?.file).start;
        let at = chunk.ord.checked_sub(first)?;
        self.by_path.get(path)?.iter().find(|note| note.chunk == at)
    }

    /// The notes as queries take them: by path, then by place.
    pub fn notes(&self, index: &Index<'_>) -> Notes<'_> {
        let mut texts = Vec::new();
        for file in index.files() {
            let Some(notes) = self.by_path.get(file.path()) else { continue };
            let chunks = file.segment.chunks_of(file.ord);
            for note in notes {
                if let Some(ord) = chunks.start.checked_add(note.chunk).filter(|ord| chunks.contains(ord)) {
                    texts.push((ChunkRef { part: file.part, ord }, note.text.as_str()));
                }
            }
        }
        Notes { texts }
    }
}

/// What models outside this program know about a search.
pub trait OutsideModels: Sync {
    /// The cosines of an embedding model between a query's text and chunks. `None` leaves it to the
    /// built-in model; a reason for the user goes into `warnings`.
    fn cosines(
        &self,
        searcher: &Searcher,
        index: &Index<'_>,
        text: &str,
        warnings: &mut Vec<String>,
        task: Task<'_>,
    ) -> Option<Cosines>;

    /// The notes about a commit, or about the nearest ancestor that has any.
    ///
    /// # Errors
    /// Says why they can't be read.
    fn notes(&self, searcher: &Searcher) -> Result<Option<Arc<IndexNotes>>, String>;
}

/// What the models have stored, without sending them anything: the built-in model compares texts.
pub struct StoredAnswers<'m>(pub &'m dyn OutsideModels);

impl OutsideModels for StoredAnswers<'_> {
    fn cosines(
        &self,
        _: &Searcher,
        _: &Index<'_>,
        _: &str,
        _: &mut Vec<String>,
        _: Task<'_>,
    ) -> Option<Cosines> {
        None
    }

    fn notes(&self, searcher: &Searcher) -> Result<Option<Arc<IndexNotes>>, String> {
        self.0.notes(searcher)
    }
}
