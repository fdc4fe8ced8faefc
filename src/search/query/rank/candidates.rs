//! The candidates: chunks that some recall found and that the filters admit, grouped by file.
//!
//! Matches of words, names, embeddings and notes → [`Candidates`]. The files are ordered by
//! segment, then by ordinal there, and so are the chunks of a file. Scores are kept elsewhere, as
//! lists in the same order. Nothing is scored or left out by score here.

use std::collections::{BTreeMap, HashMap};
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use roaring::RoaringBitmap;

use crate::search::segment::{FileView, Index, Part};

use crate::search::query::parse::filter::Filter;
use crate::search::query::parse::parser::ParsedQuery;
use crate::search::query::recall::named::{NamedFile, chunk_of_line};
use crate::search::query::recall::required::filter_only;
use crate::search::query::recall::score::{Cell, Cells};
use crate::search::query::recall::semantic::SemanticScores;
use crate::search::query::recall::symbols::DefinitionMatch;
use crate::search::query::{ChunkRef, QueryKind, RelatedChunk};

/// A chunk that may become a hit, with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) chunk: ChunkRef,
    /// The place of its file among the files with candidates.
    pub(super) file: usize,
    pub(super) score: f64,
}

/// A file with candidates.
#[derive(Debug, Clone)]
pub(super) struct Run<'s> {
    pub(super) file: FileView<'s>,
    /// The places of its chunks in the list of all candidates.
    pub(super) chunks: Range<usize>,
}

/// All candidates of a search.
#[derive(Debug, Default)]
pub(super) struct Candidates<'s> {
    files: Vec<Run<'s>>,
    /// The ordinals of the chunks, grouped by file.
    found: Vec<u32>,
    /// The highest word score.
    pub(super) best: f64,
    /// The largest sum of the idf of the query's words that one chunk has.
    pub(super) most_covered: f64,
}

/// The matches that make a chunk a candidate.
#[derive(Clone, Copy)]
pub(super) struct Matches<'m, 's> {
    pub(super) parsed: &'m ParsedQuery,
    pub(super) cells: &'m [Cells<'s>],
    pub(super) defined: &'m BTreeMap<ChunkRef, DefinitionMatch>,
    pub(super) meaning: &'m SemanticScores<'s>,
    /// Lowest cosine at which a chunk becomes a candidate by its embedding alone.
    pub(super) floor: f64,
    pub(super) named: &'m BTreeMap<(Part, u32), NamedFile>,
    pub(super) noted: &'m BTreeMap<ChunkRef, f64>,
    pub(super) related: &'m HashMap<ChunkRef, RelatedChunk>,
}

/// The conditions that every hit must meet.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'c> {
    pub(super) filter: &'c Filter,
    /// By segment, the chunks that may be hits; `None` if all may.
    pub(super) required: Option<&'c BTreeMap<Part, RoaringBitmap>>,
}

impl<'s> Candidates<'s> {
    /// Collects the candidates that meet the conditions.
    pub(super) fn new(index: &Index<'s>, matches: &Matches<'_, 's>, conditions: &Conditions<'_>) -> Self {
        let parsed = matches.parsed;
        // Words may match nothing although a name or a path does.
        let is_open = conditions.required.is_some() || filter_only(parsed);
        let everything = parsed.terms.is_empty() && is_open;
        let mut all = Self::default();
        let mut found = Vec::new();
        for of_segment in matches.cells {
            let mut matching = MatchingChunks::new(matches, of_segment, everything);
            for ord in 0..of_segment.segment.n_files() {
                matching.chunks_of(ord, &mut found);
                let named = matches.named.get(&(of_segment.part, ord));
                let is_found = !found.is_empty() || named.is_some();
                if !is_found || !index.is_live(of_segment.part, ord) {
                    continue;
                }
                let file = index.file(of_segment.part, ord);
                let Some(file) = file.filter(|file| conditions.filter.admits_file(file)) else { continue };
                if let Some(named) = named {
                    add_named(&mut found, named, &file, parsed.kind);
                }
                conditions.retain(&mut found, &file);
                all.add(file, &found, &of_segment.cells);
            }
        }
        all
    }

    fn add(&mut self, file: FileView<'s>, found: &[u32], cells: &[Cell]) {
        for cell in found.iter().filter_map(|&chunk| cells.get(chunk as usize)) {
            self.best = self.best.max(cell.score.into());
            self.most_covered = self.most_covered.max(cell.covered.into());
        }
        if !found.is_empty() {
            let from = self.found.len();
            self.found.extend_from_slice(found);
            self.files.push(Run { file, chunks: from..self.found.len() });
        }
    }

    /// Returns the number of candidates.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Returns the files with candidates.
    pub(super) fn files(&self) -> &[Run<'s>] {
        &self.files
    }

    /// Returns the candidates of a file, in order of their ordinals.
    pub(super) fn chunks(&self, run: &Run<'_>) -> &[u32] {
        self.found.get(run.chunks.clone()).unwrap_or_default()
    }

    /// Returns the ordinals of the chunks at these places among all candidates.
    pub(super) fn ords(&self, places: Range<usize>) -> &[u32] {
        self.found.get(places).unwrap_or_default()
    }

    /// Returns all candidates, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = ChunkRef> + '_ {
        self.files.iter().flat_map(|run| {
            let part = run.file.part;
            self.chunks(run).iter().map(move |&ord| ChunkRef { part, ord })
        })
    }

    /// Returns the place of a file among the files; `None` if it has no candidate.
    pub(super) fn place_of_file(&self, part: Part, ord: u32) -> Option<usize> {
        self.files.binary_search_by_key(&(part, ord), |run| (run.file.part, run.file.ord)).ok()
    }

    /// Returns the place of a candidate's file among the files, and of the chunk among all
    /// candidates; `None` if it is not a candidate.
    pub(super) fn place_of(&self, index: &Index<'_>, chunk: ChunkRef) -> Option<(usize, usize)> {
        let row = index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord))?;
        let at = self.place_of_file(chunk.part, row.file)?;
        let run = self.files.get(at)?;
        let within = self.chunks(run).binary_search(&chunk.ord).ok()?;
        Some((at, run.chunks.start + within))
    }
}

/// The chunks of one segment that match, visited file by file.
struct MatchingChunks<'m, 's> {
    cells: &'m Cells<'s>,
    defined: Peekable<IntoIter<u32>>,
    near: Peekable<IntoIter<u32>>,
    noted: &'m BTreeMap<ChunkRef, f64>,
    related: &'m HashMap<ChunkRef, RelatedChunk>,
    everything: bool,
}

impl<'m, 's> MatchingChunks<'m, 's> {
    fn new(matches: &Matches<'m, 's>, cells: &'m Cells<'s>, everything: bool) -> Self {
        let is_here = |chunk: &ChunkRef| chunk.part == cells.part;
        let defined: Vec<u32> =
            matches.defined.keys().filter(|chunk| is_here(chunk)).map(|chunk| chunk.ord).collect();
        let near = matches.meaning.nearer_than(matches.floor);
        let near: Vec<u32> = near.filter(is_here).map(|chunk| chunk.ord).collect();
        let (defined, near) = (defined.into_iter().peekable(), near.into_iter().peekable());
        Self { cells, defined, near, noted: matches.noted, related: matches.related, everything }
    }

    /// Replaces the content of `found` by the matching chunks of a file. Files must be visited in
    /// the order of their ordinals.
    fn chunks_of(&mut self, file: u32, found: &mut Vec<u32>) {
        found.clear();
        let Cells { part, segment, cells } = self.cells;
        let chunks = segment.chunks_of(file);
        let of_file = cells.get(chunks.start as usize..chunks.end as usize).unwrap_or_default();
        for (chunk, cell) in chunks.zip(of_file) {
            let declares = is_next(&mut self.defined, chunk);
            let near = is_next(&mut self.near, chunk);
            let at = ChunkRef { part: *part, ord: chunk };
            let is_other = self.noted.contains_key(&at) || self.related.contains_key(&at);
            if cell.score > 0.0 || declares || near || is_other || self.everything {
                found.push(chunk);
            }
        }
    }
}

/// Skips the ordinals before one; returns whether that one follows.
fn is_next(sorted: &mut Peekable<IntoIter<u32>>, ord: u32) -> bool {
    while sorted.next_if(|next| *next < ord).is_some() {}
    sorted.next_if_eq(&ord).is_some()
}

/// Adds the chunks that the query names by their lines. A file named without a line is found by its
/// first chunk, unless it has other candidates; if the query is a path, it always is.
fn add_named(found: &mut Vec<u32>, named: &NamedFile, file: &FileView<'_>, kind: QueryKind) {
    found.extend(named.lines.iter().map(|one| one.chunk));
    if named.lines.is_empty() && (found.is_empty() || kind == QueryKind::Path) {
        found.extend(chunk_of_line(file.segment, file.ord, 1));
    }
    found.sort_unstable();
    found.dedup();
}

impl Conditions<'_> {
    /// Removes the chunks of a file that must not be hits.
    fn retain(&self, found: &mut Vec<u32>, file: &FileView<'_>) {
        if let Some(required) = self.required {
            found.retain(|&chunk| required.get(&file.part).is_some_and(|set| set.contains(chunk)));
        }
        if self.filter.looks_at_chunks() {
            let segment = file.segment;
            let admits = |chunk: u32| {
                segment.chunk(chunk).is_some_and(|row| self.filter.admits_chunk(segment, chunk, &row))
            };
            found.retain(|&chunk| admits(chunk));
        }
    }
}
