//! The order of chunks with the same score: by path, then by start.

use bstr::BStr;

use crate::search::query::ChunkRef;
use crate::search::segment::Index;

/// Returns the sort key among chunks with the same score; it does not depend on the segment.
pub(in crate::search::query) fn place<'s>(index: &Index<'s>, chunk: ChunkRef) -> (&'s BStr, u32, u32, u32) {
    let ChunkRef { part, ord } = chunk;
    let row = index.segment(part).and_then(|segment| segment.chunk(ord));
    let file = row.as_ref().and_then(|row| index.file(part, row.file));
    let path = file.map_or(BStr::new(""), |file| file.path());
    let start = row.map_or((0, 0), |row| (row.span.start_line, row.span.bytes.start));
    (path, start.0, start.1, ord)
}
