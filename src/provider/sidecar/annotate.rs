//! Commentary: writes that of a commit, and gives it to queries and pages.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use super::chunk_text;
use super::commentary::{self, FileToAnnotate, Passage, Plan, Report, RunInputs, Sources};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::text::{quoted, visible, visible_path};
use crate::index::chunk::{ReferenceKind, doc_text, first_sentence};
use crate::provider::chat::{LanguageModel, RequestBody};
use crate::search::graph::{DeclarationRef, Graph};
use crate::search::query::{self, Pathspec};
use crate::search::segment::{ChunkRef, DeclarationView, Index};

use super::embed::{files_by_worth, own_index};
#[cfg(doc)]
use crate::provider::Error;
use crate::provider::Result;
use crate::search::{self, IndexNotes, Searcher};

/// Maximum number of neighbours of a chunk in a prompt, in each direction.
const NEIGHBOURS: usize = 6;

/// The plan for annotating the commit that `searcher` was opened at, by this model: files that
/// match the pathspecs, source before tests, examples and vendored code. Sends nothing.
///
/// # Errors
/// [`search::Error::Git`] before the first commit, [`search::Error::Index`] if the commit has
/// no index, [`search::Error::Query`] for pathspecs that can't be, [`Error::Commentary`].
pub fn annotation_plan(searcher: &Searcher, model: &str, paths: &[String], task: Task<'_>) -> Result<Plan> {
    let snapshot = own_index(searcher)?;
    let specs: Vec<Pathspec> = paths
        .iter()
        .map(|spec| Pathspec::parse(spec))
        .collect::<std::result::Result<_, query::Error>>()
        .map_err(search::Error::from)?;
    let index = searcher.index();
    let files = files_by_worth(searcher.repo(), snapshot.files, &index)?;
    let files = files
        .into_iter()
        .map(|(file, record)| {
            let is_wanted = query::admits(&specs, file.path());
            FileToAnnotate { path: file.path().to_owned(), record, is_wanted }
        })
        .collect();
    let sources = ChunkSources { searcher, index: &index };
    Ok(commentary::plan(searcher.repo(), model, snapshot.commit, files, &sources, task)?)
}

/// Carries out a plan within the model's budget.
///
/// # Errors
/// [`Error::Commentary`]; a failure of the model is in the report, for what was received before is
/// kept.
pub fn annotate(
    searcher: &Searcher,
    plan: &Plan,
    model: &dyn LanguageModel,
    task: Task<'_>,
) -> Result<Report> {
    let sources = ChunkSources { searcher, index: &searcher.index() };
    Ok(commentary::make(searcher.repo(), plan, &RunInputs { model, sources: &sources }, task)?)
}

/// Shows each request that [`annotate`] would send, until `show` says no.
pub fn annotation_requests(
    searcher: &Searcher,
    plan: &Plan,
    model: &dyn LanguageModel,
    show: &mut dyn FnMut(RequestBody) -> bool,
) {
    let sources = ChunkSources { searcher, index: &searcher.index() };
    let wish = RunInputs { model, sources: &sources };
    for request in commentary::requests(plan, &wish) {
        if !show(request) {
            return;
        }
    }
}

/// The commentary on a commit, or on the nearest ancestor that has any, for all files that are
/// still the same. `None` if there is none.
///
/// # Errors
/// [`Error::Commentary`], [`Error::Search`].
pub(crate) fn notes(searcher: &Searcher) -> Result<Option<Arc<IndexNotes>>> {
    let Some(snapshot) = searcher.snapshot() else { return Ok(None) };
    let repo = searcher.repo();
    let Some(found) = commentary::find(searcher.repo(), snapshot.commit)? else { return Ok(None) };
    if let Some(known) = searcher.known_notes(found.files) {
        return Ok(Some(known));
    }
    let index = searcher.index();
    let records: HashMap<BString, ObjectId> =
        repo.tree_files(snapshot.files)?.into_iter().map(|entry| (entry.path, entry.id)).collect();
    let read: Vec<Option<(BString, Vec<search::Note>)>> = repo
        .tree_files(found.files)?
        .into_par_iter()
        .filter(|entry| records.contains_key(&entry.path) && !searcher.is_dirty(entry.path.as_bstr()))
        .map(|entry| {
            let read = commentary::read(searcher.repo(), entry.id)?;
            let fits = read.filter(|(record, _)| records.get(&entry.path) == Some(record));
            let file = index.file_by_path(entry.path.as_bstr());
            Ok(fits.zip(file).map(|((_, mut notes), file)| {
                // At most one note per chunk, whatever was fetched.
                let n_chunks = file.segment.chunks_of(file.ord).len();
                notes.retain(|note| (note.chunk as usize) < n_chunks);
                notes.shrink_to_fit();
                {
                    let notes = notes.into_iter().map(|note| search::Note {
                        chunk: note.chunk,
                        text: note.text,
                        model: note.model,
                    });
                    (entry.path, notes.collect())
                }
            }))
        })
        .collect::<Result<_>>()?;
    let notes = Arc::new(IndexNotes::new(read.into_iter().flatten()));
    searcher.remember_notes(found.files, &notes);
    Ok(Some(notes))
}

/// Chunks with their neighbours in the graph, for prompts.
struct ChunkSources<'s> {
    searcher: &'s Searcher,
    index: &'s Index<'s>,
}

impl ChunkSources<'_> {
    /// Certain references only: what the chunk calls and names, and who calls its declarations.
    fn neighbours(&self, graph: &Graph<'_, '_>, chunk: ChunkRef) -> search::Result<Vec<String>> {
        let mut lines = BTreeSet::new();
        for edge in graph.outgoing(chunk)?.into_iter().filter(|edge| edge.evidence.is_certain()) {
            let Some((file, row)) = graph.declaration(edge.to) else { continue };
            if graph.chunk_of(edge.to) == Some(chunk) || lines.len() >= NEIGHBOURS {
                continue;
            }
            let one = DeclarationView { file, ord: edge.to.ord, row };
            let text = self.searcher.text(file.path());
            let doc = text.map(|text| first_sentence(&doc_text(row.doc.of(&text), file.language())));
            let verb = if edge.kind == ReferenceKind::Call { "calls" } else { "names" };
            let doc = doc.filter(|doc| !doc.is_empty()).map(|doc| format!(": {doc}")).unwrap_or_default();
            lines.insert(format!("{verb} {}{doc}", visible(&one.symbol_path())));
        }
        let mut lines: Vec<String> = lines.into_iter().collect();
        let row = graph.index().segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
        let Some(ord) = row.and_then(|row| row.declaration) else { return Ok(lines) };
        let callers = graph.incoming(DeclarationRef { part: chunk.part, ord }, &[ReferenceKind::Call])?;
        for edge in callers.into_iter().filter(|edge| edge.evidence.is_certain()).take(NEIGHBOURS) {
            let Some(file) = graph.file_of(edge.from).filter(|_| edge.from != chunk) else { continue };
            let Some(row) = file.segment.chunk(edge.from.ord) else { continue };
            let by = row.declaration.map(|ord| file.segment.symbol_path(ord)).unwrap_or_default();
            if !by.is_empty() {
                lines.push(format!("called by {}", visible(&by)));
            }
        }
        Ok(lines)
    }
}

impl Sources for ChunkSources<'_> {
    fn texts(&self, path: &BStr) -> Vec<String> {
        chunk_text::of_file(self.searcher, self.index, path)
    }

    fn passages(&self, path: &BStr, chunks: &[u32]) -> Vec<Passage> {
        let (Some(file), Some(text)) = (self.index.file_by_path(path), self.searcher.text(path)) else {
            return Vec::new();
        };
        let graph = Graph::new(self.index);
        let ords = file.segment.chunks_of(file.ord);
        chunks
            .iter()
            .filter_map(|&at| {
                let ord = ords.start.checked_add(at)?;
                let chunk = file.segment.chunk(ord).filter(|_| ords.contains(&ord))?;
                let lines = (chunk.span.start_line, chunk.span.end_line);
                Some(Passage {
                    place: format!("{}:{}-{}", visible_path(&quoted(path.as_bstr())), lines.0, lines.1),
                    text: chunk_text::of_chunk(&file, &chunk, &text),
                    // The description is possible without them.
                    neighbours: self
                        .neighbours(&graph, ChunkRef { part: file.part, ord })
                        .unwrap_or_default(),
                })
            })
            .collect()
    }
}
