//! The index that a query searches: a base segment, the set of its outdated files, and an overlay
//! that replaces them.
//!
//! Owns [`Index`] and the exact statistics over it. Every function here presents base ∖ outdated ∪
//! overlay as one sorted list of files, so no caller can tell which segment stores a file.
//!
//! **Invariant.** A file is live in at most one segment. A base file is outdated if the overlay has
//! its path, whether or not the caller listed it.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use bstr::BStr;
use roaring::RoaringBitmap;

use super::field::N_FIELDS;
use super::neighbours::Neighbours;
use super::open::Segment;
use super::path_words;
use super::rows::{ChunkRow, DeclarationRow, FileFlags, FileRow};
use super::vectors::VectorSums;

/// A base segment with its outdated files and an overlay.
#[derive(Debug, Clone)]
pub struct Index<'s> {
    base: &'s Segment,
    masked: RoaringBitmap,
    overlay: Option<&'s Segment>,
    neighbours: Option<&'s Neighbours>,
    statistics: Statistics,
    /// If this is a part of something larger: the number of chunks in the whole that have a term,
    /// by term.
    frequencies: Option<&'s HashMap<String, u64>>,
}

/// One of an index's segments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The base.
    Base,
    /// The overlay.
    Overlay,
}

/// A chunk of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkRef {
    /// The segment that stores it.
    pub part: Part,
    /// Its ordinal in that segment.
    pub ord: u32,
}

/// Whole numbers over the live chunks, from which scores are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Number of live chunks.
    pub n_chunks: u64,
    /// Sum of the lengths of each field, in terms.
    pub total_lengths: [u64; N_FIELDS],
    /// Sum of the chunks' vectors.
    pub vector_sums: VectorSums,
}

/// A live file.
#[derive(Debug, Clone, Copy)]
pub struct FileView<'s> {
    /// The segment that stores it.
    pub part: Part,
    /// That segment.
    pub segment: &'s Segment,
    /// Its ordinal in that segment.
    pub ord: u32,
    /// Its row in that segment.
    pub row: FileRow,
}

impl<'s> FileView<'s> {
    /// Returns the path.
    pub fn path(&self) -> &'s BStr {
        self.segment.path(&self.row)
    }

    /// Returns the name of the language.
    pub fn language(&self) -> &'s str {
        self.segment.language(self.row.language)
    }

    /// Returns the language of one of its declarations: its own, or that of the string or script
    /// that the declaration is in.
    pub fn language_of(&self, declaration: &DeclarationRow) -> &'s str {
        self.segment.embedded_in(declaration).unwrap_or_else(|| self.language())
    }

    /// Returns the role that the path suggests.
    pub fn flags(&self) -> FileFlags {
        self.row.flags
    }

    /// Returns whether it is in a directory that often holds third-party code, such as `deps`.
    /// That is too little to lower what such a file scores.
    pub(crate) fn is_in_dependencies(&self) -> bool {
        path_words::is_in_dependencies(self.path())
    }

    /// Returns whether it is third-party code: vendored, or in a directory that often holds it.
    pub(crate) fn is_of_others(&self) -> bool {
        self.flags().is_vendored() || self.is_in_dependencies()
    }

    /// Returns the chunks, in order.
    pub fn chunks(&self) -> impl Iterator<Item = ChunkRow> + use<'s> {
        let segment = self.segment;
        segment.chunks_of(self.ord).filter_map(move |ord| segment.chunk(ord))
    }

    /// Returns the declarations, outer before inner, in order of their start.
    pub fn declarations(&self) -> impl Iterator<Item = DeclarationView<'s>> + use<'s> {
        let file = *self;
        let segment = self.segment;
        segment
            .declarations_of(self.ord)
            .filter_map(move |ord| Some(DeclarationView { file, ord, row: segment.declaration(ord)? }))
    }

    /// Returns the declarations that begin at a byte or before it, the last one first.
    pub fn declarations_before(&self, byte: u32) -> impl Iterator<Item = DeclarationView<'s>> + use<'s> {
        let (file, segment) = (*self, self.segment);
        let all = segment.declarations_of(self.ord);
        let (mut first, mut end) = (all.start, all.end);
        while first < end {
            let middle = first + (end - first) / 2;
            let begins = segment.declaration(middle).is_some_and(|row| row.span.bytes.start <= byte);
            if begins { first = middle + 1 } else { end = middle }
        }
        (all.start..first)
            .rev()
            .filter_map(move |ord| Some(DeclarationView { file, ord, row: segment.declaration(ord)? }))
    }
}

/// A declaration of a live file.
#[derive(Debug, Clone, Copy)]
pub struct DeclarationView<'s> {
    /// The file.
    pub file: FileView<'s>,
    /// The declaration's ordinal in the file's segment.
    pub ord: u32,
    /// Its row in that segment.
    pub row: DeclarationRow,
}

impl<'s> DeclarationView<'s> {
    /// Returns the bare name.
    pub fn name(&self) -> &'s str {
        self.file.segment.name(&self.row)
    }

    /// Returns the name after those of the declarations around it.
    pub fn symbol_path(&self) -> String {
        self.file.segment.symbol_path(self.ord)
    }
}

/// A file that is in the snapshot but not indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SkippedFile<'s> {
    /// Its path.
    pub path: &'s BStr,
    /// The code of the reason.
    pub reason: u8,
}

/// Totals of what is indexed in one language.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LanguageCount {
    /// The language's name.
    pub language: String,
    /// Number of files.
    pub files: u64,
    /// Number of chunks.
    pub chunks: u64,
    /// Number of declarations.
    pub declarations: u64,
    /// Number of source lines.
    pub lines: u64,
    /// Size of the sources in bytes.
    pub source_bytes: u64,
}

impl<'s> Index<'s> {
    /// Creates an index of `base` without the files whose ordinals are in `masked`, and of
    /// `overlay` in addition.
    ///
    /// Costs one look-up per file of the overlay and one pass over the outdated files' chunks.
    pub fn new(base: &'s Segment, mut masked: RoaringBitmap, overlay: Option<&'s Segment>) -> Self {
        masked.remove_range(base.n_files()..);
        if let Some(overlay) = overlay {
            masked.extend(overlay.file_rows().filter_map(|row| base.file_by_path(overlay.path(&row))));
        }
        let mut statistics = Statistics {
            n_chunks: u64::from(base.n_chunks()),
            total_lengths: base.total_lengths(),
            vector_sums: *base.vector_sums(),
        };
        for file in &masked {
            for chunk in base.chunks_of(file) {
                statistics.n_chunks = statistics.n_chunks.saturating_sub(1);
                for (sum, n) in statistics.total_lengths.iter_mut().zip(base.lengths(chunk)) {
                    *sum = sum.saturating_sub(u64::from(n));
                }
                // A damaged row is reported when it is read for its own sake.
                if let Ok(Some(vector)) = base.vector(chunk) {
                    statistics.vector_sums.remove(&vector);
                }
            }
        }
        if let Some(overlay) = overlay {
            statistics.n_chunks += u64::from(overlay.n_chunks());
            for (sum, n) in statistics.total_lengths.iter_mut().zip(overlay.total_lengths()) {
                *sum = sum.saturating_add(n);
            }
            statistics.vector_sums.merge(overlay.vector_sums());
        }
        Self { base, masked, overlay, neighbours: None, statistics, frequencies: None }
    }

    /// Returns the index as a part of something larger, with the statistics of the whole.
    ///
    /// `frequencies` holds the number of chunks of the whole that have a term. Scores are then
    /// those that the whole would give.
    pub fn of_whole(self, statistics: Statistics, frequencies: &'s HashMap<String, u64>) -> Self {
        Self { statistics, frequencies: Some(frequencies), ..self }
    }

    /// Returns the document frequency of a term, at least `here`, the number of chunks that have it
    /// in these segments.
    pub(crate) fn frequency(&self, term: &str, here: u64) -> u64 {
        let whole = self.frequencies.and_then(|of| of.get(term)).copied().unwrap_or(0);
        whole.min(self.statistics.n_chunks).max(here)
    }

    /// Creates an index of one segment alone.
    pub fn whole(base: &'s Segment) -> Self {
        Self::new(base, RoaringBitmap::new(), None)
    }

    /// Returns the index with a graph to search the base's vectors by, if there is one. Results by
    /// meaning may then differ from those of a scan.
    #[must_use]
    pub fn with_neighbours(self, graph: Option<&'s Neighbours>) -> Self {
        Self { neighbours: graph, ..self }
    }

    /// Returns the graph that the base's vectors are searched by.
    pub fn neighbours(&self) -> Option<&'s Neighbours> {
        self.neighbours
    }

    /// Returns the exact statistics of the live chunks.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Returns the segments: the base, and the overlay if there is one.
    pub fn segments(&self) -> impl Iterator<Item = (Part, &'s Segment)> + use<'s> {
        [(Part::Base, Some(self.base)), (Part::Overlay, self.overlay)]
            .into_iter()
            .filter_map(|(part, segment)| Some((part, segment?)))
    }

    /// Returns one of the segments.
    pub fn segment(&self, part: Part) -> Option<&'s Segment> {
        match part {
            Part::Base => Some(self.base),
            Part::Overlay => self.overlay,
        }
    }

    /// Returns whether a file of a segment is live, that is, not outdated.
    pub fn is_live(&self, part: Part, file: u32) -> bool {
        part == Part::Overlay || !self.masked.contains(file)
    }

    /// Returns the live chunks of a segment, as runs, in order.
    pub(crate) fn live_chunks(&self, part: Part) -> Vec<Range<u32>> {
        let Some(segment) = self.segment(part) else { return Vec::new() };
        let outdated = self.masked.iter().filter(|_| part == Part::Base).map(|file| segment.chunks_of(file));
        let end = segment.n_chunks();
        let mut next = 0;
        let mut runs = Vec::new();
        for gap in outdated.chain(std::iter::once(end..end)) {
            if gap.start > next {
                runs.push(next..gap.start);
            }
            next = gap.end.max(next);
        }
        runs
    }

    /// Returns the outdated chunks of a segment; empty for the overlay.
    pub(crate) fn masked_chunks(&self, part: Part) -> RoaringBitmap {
        let mut chunks = RoaringBitmap::new();
        if part == Part::Base {
            for file in &self.masked {
                chunks.insert_range(self.base.chunks_of(file));
            }
        }
        chunks
    }

    /// Returns a file of a segment, live or not.
    pub fn file(&self, part: Part, ord: u32) -> Option<FileView<'s>> {
        let segment = self.segment(part)?;
        Some(FileView { part, segment, ord, row: segment.file(ord)? })
    }

    /// Returns the live files, skipped ones included, in bytewise order of their paths.
    pub fn files(&self) -> impl Iterator<Item = FileView<'s>> + '_ {
        let views = |part: Part| {
            let n = self.segment(part).map_or(0, Segment::n_files);
            (0..n)
                .filter(move |&ord| self.is_live(part, ord))
                .filter_map(move |ord| self.file(part, ord))
                .peekable()
        };
        let (mut base, mut overlay) = (views(Part::Base), views(Part::Overlay));
        std::iter::from_fn(move || match (base.peek(), overlay.peek()) {
            (Some(a), Some(b)) if a.path() < b.path() => base.next(),
            (_, Some(_)) => overlay.next(),
            (_, None) => base.next(),
        })
    }

    /// Returns the live file with this path.
    pub fn file_by_path(&self, path: &BStr) -> Option<FileView<'s>> {
        [Part::Overlay, Part::Base].into_iter().find_map(|part| {
            let ord = self.segment(part)?.file_by_path(path)?;
            self.is_live(part, ord).then(|| self.file(part, ord)).flatten()
        })
    }

    /// Returns the declarations of the live files, by path, then by start.
    pub fn declarations(&self) -> impl Iterator<Item = DeclarationView<'s>> + '_ {
        self.files().flat_map(|file| file.declarations())
    }

    /// Returns the live files that are not indexed, by path.
    pub fn skipped(&self) -> impl Iterator<Item = SkippedFile<'s>> + '_ {
        self.files()
            .filter(|file| file.flags().is_skipped())
            .map(|file| SkippedFile { path: file.path(), reason: file.row.skip_reason })
    }

    /// Returns the totals of each language, in order of the languages' names.
    pub fn languages(&self) -> Vec<LanguageCount> {
        let mut counts: BTreeMap<&str, LanguageCount> = BTreeMap::new();
        for file in self.files().filter(|file| !file.flags().is_skipped()) {
            let count = counts.entry(file.language()).or_default();
            count.files += 1;
            count.chunks += file.segment.chunks_of(file.ord).len() as u64;
            count.declarations += file.segment.declarations_of(file.ord).len() as u64;
            count.lines += u64::from(file.row.n_lines);
            count.source_bytes += u64::from(file.row.source_bytes);
        }
        counts
            .into_iter()
            .map(|(language, count)| LanguageCount { language: language.to_owned(), ..count })
            .collect()
    }
}
