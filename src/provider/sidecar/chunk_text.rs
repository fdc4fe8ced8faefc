//! The text of a chunk that a model gets, and its key.
//!
//! Chunk of a searcher → text → [`Key`]. Both kinds of sidecar take the same text, and find what
//! was paid for by its key. So another text or another key would have everything paid for again.
//! Paths are left out: a moved file keeps what was made for it.

use bstr::BStr;
use sha2::{Digest, Sha256};

use crate::search::Searcher;
use crate::search::segment::{ChunkRow, FileView, Index};

/// Identity of a text: the first half of its SHA-256.
pub type Key = [u8; 16];

/// Returns the key of a text.
pub fn key_of(text: &str) -> Key {
    let hash = Sha256::digest(text.as_bytes());
    hash.first_chunk::<16>().copied().unwrap_or_default()
}

/// Returns the texts of a file's chunks, in order; none if the file can't be read.
pub(super) fn of_file(searcher: &Searcher, index: &Index<'_>, path: &BStr) -> Vec<String> {
    let (Some(file), Some(text)) = (index.file_by_path(path), searcher.text(path)) else {
        return Vec::new();
    };
    file.chunks().map(|chunk| of_chunk(&file, &chunk, &text)).collect()
}

/// Returns the text of a chunk: the symbol path of the declaration that it is or continues, then
/// its source. `text` is the file's.
pub(super) fn of_chunk(file: &FileView<'_>, chunk: &ChunkRow, text: &str) -> String {
    let symbol = chunk.declaration.map(|ord| file.segment.symbol_path(ord)).unwrap_or_default();
    let body = chunk.span.bytes.of(text);
    if symbol.is_empty() { body.to_owned() } else { format!("{symbol}\n{body}") }
}
