//! Files that a query names by their paths, and the lines with them.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use crate::segment::{ChunkRow, Index, Part, Segment};

use super::paths::NamedPath;
use super::weights;

/// A file that the query names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    /// How well it is named, up to 1.
    pub(super) strength: f64,
    /// The line that is named with it.
    pub(super) line: Option<u32>,
}

/// The live files that the query names: the same path, or one is the end of the other.
pub(super) fn named_files(index: &Index<'_>, paths: &[NamedPath]) -> BTreeMap<(Part, u32), Named> {
    let mut files: BTreeMap<(Part, u32), Named> = BTreeMap::new();
    if paths.is_empty() {
        return files;
    }
    let mut by_name: BTreeMap<&[u8], Vec<&NamedPath>> = BTreeMap::new();
    for path in paths {
        by_name.entry(file_name(path.path.as_bytes())).or_default().push(path);
    }
    for (part, segment) in index.segments() {
        for (ord, row) in (0u32..).zip(segment.file_rows()) {
            let path = segment.path(&row);
            let Some(named) = by_name.get(file_name(path)) else { continue };
            for named in named.iter().filter(|named| is_end(path, named.path.as_bytes().as_bstr())) {
                let bare = !named.path.contains('/') && path.contains(&b'/');
                let strength = if bare { weights::BARE_NAME } else { 1.0 };
                let entry = files.entry((part, ord)).or_insert(Named { strength, line: None });
                entry.strength = entry.strength.max(strength);
                entry.line = entry.line.or(named.line);
            }
        }
    }
    files
}

fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&b| b == b'/').next().unwrap_or_default()
}

/// Whether one path is the other's end, at a component.
fn is_end(a: &BStr, b: &BStr) -> bool {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    long.strip_suffix(short.as_bytes()).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
}

/// The chunk of a file that a line lies in, or its first.
pub(super) fn chunk_of_line(segment: &Segment, mut chunks: std::ops::Range<u32>, line: u32) -> Option<u32> {
    let first = chunks.start;
    let has = |row: ChunkRow| (row.span.start_line..=row.span.end_line).contains(&line);
    let found = chunks.clone().find(|&chunk| segment.chunk(chunk).is_some_and(has));
    found.or_else(|| chunks.next().map(|_| first))
}
