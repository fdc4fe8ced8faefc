//! How much a record may hold, by the size of its source.
//!
//! Owns [`Bounds`]. Honest records of ordinary files are far below each bound. The numbers were
//! counted in the indexes of large repositories.

use bstr::ByteSlice as _;

use super::{Error, Source, broken, holds};
use crate::index::IndexOptions;
use crate::index::chunk::{ByteRange, Language, Method};
use crate::index::record::{RecordView, limits};

/// Bytes of strings for each byte of a record, if there is no source to compare with. Honest
/// records have 2.
const INFLATION: usize = 16;

/// Bytes of text for each byte of a record, if there is no source to compare with. A drawing in one
/// line of Base64 has 104.
const TEXT_PER_BYTE: usize = 256;

/// Chunks that a record may have above its share of the text; in the shortest texts, declarations
/// and references too.
const FREE_CHUNKS: usize = 4;

/// What the other counts may have above their share of the text, in a text that is long enough.
const FREE: usize = 64;

/// Fewest bytes of text for each chunk, with the default options. Honest files of all sizes have at
/// most one chunk more. Smaller chunks in the options lower it.
const BYTES_PER_CHUNK: u32 = 256;

/// Fewest bytes of text for each declaration and each reference: on average, and in the shortest
/// texts. The least that honest files of more than 2,000 bytes have is 50 and 33.
const BYTES_PER: [(usize, usize); 2] = [(48, 4), (24, 2)];

/// Fewest bytes of a document in JSON lines, and of a cell.
const BYTES_PER_PART: usize = 24;

/// Multiplies the counts, except that of chunks, if there is no source to compare with. Then no
/// record can be made that proves an unusual one honest.
const LENIENCE: usize = 4;

/// Most bytes of different strings for each byte of text. Honest files have fewer than one, but for
/// the shortest.
const STRINGS_PER_BYTE: usize = 2;

/// Strings of the greatest length that a record may have above its share of the text.
const FREE_STRINGS: usize = 8;

/// How often each byte of a text may be part of a declaration whose name is looked for. Generated
/// code with deep nesting has 11.
const DEPTH: usize = 32;

/// How often each byte of a text may be searched for a name that must stand in its chunk.
const PHRASES: usize = 64;

/// Bytes that may be searched in the shortest texts.
const FREE_SEARCH: usize = 64 << 10;

/// What is left of each bound between the chunks of a record.
#[derive(Debug)]
pub(super) struct Bounds {
    keywords: usize,
    references: usize,
    covered: usize,
    /// Bytes that may be searched for names of declarations.
    names: usize,
    /// Bytes of chunks that may be searched for names with blanks.
    phrases: usize,
}

impl Bounds {
    /// Checks what the head of a record states.
    ///
    /// # Errors
    /// [`Error`] with the first bound that is exceeded.
    pub(super) fn new(
        view: &RecordView<'_>,
        record_bytes: usize,
        source: &Source<'_>,
        language: Language,
    ) -> Result<Self, Error> {
        let bytes = view.source_bytes() as usize;
        let has_text = source.text.is_some();
        if !has_text {
            let most = record_bytes.saturating_mul(TEXT_PER_BYTE);
            holds(bytes <= most, "source is too large for this record")?;
            let is_indexed = u64::from(view.source_bytes()) <= source.options.limits.max_file_bytes;
            holds(is_indexed, "source is larger than files that are indexed")?;
        }
        let chunks = most_chunks(view, source, language);
        holds(view.n_chunks() as usize <= chunks, "too many chunks for this source")?;
        let lenience = if has_text { 1 } else { LENIENCE };
        let [declarations, references] = BYTES_PER.map(|(per, free)| {
            (bytes.saturating_mul(lenience) / per).saturating_add(FREE.min(bytes / free + FREE_CHUNKS))
        });
        holds(view.n_declarations() as usize <= declarations, "too many declarations for this source")?;
        let strings = bytes.saturating_mul(STRINGS_PER_BYTE * lenience);
        let strings = strings.saturating_add(FREE_STRINGS * limits::STRING_BYTES);
        let inflated = record_bytes.saturating_mul(INFLATION);
        let most = if has_text { strings } else { strings.min(inflated) };
        let (n_strings, n_bytes) = view.strings()?;
        holds(n_strings.saturating_add(n_bytes) <= most, "too many words for this source")?;
        Ok(Self {
            keywords: bytes.saturating_mul(lenience).saturating_add(FREE),
            references,
            covered: bytes.saturating_mul(2).saturating_add(FREE),
            names: bytes.saturating_mul(DEPTH).saturating_add(FREE_SEARCH),
            phrases: bytes.saturating_mul(PHRASES).saturating_add(FREE_SEARCH),
        })
    }

    /// Subtracts a chunk with this many keywords and references.
    ///
    /// # Errors
    /// [`Error`] if a bound is exceeded.
    pub(super) fn chunk(
        &mut self,
        bytes: ByteRange,
        n_keywords: usize,
        n_references: usize,
    ) -> Result<(), Error> {
        let len = bytes.end.saturating_sub(bytes.start) as usize;
        spend(&mut self.covered, len, "chunks overlap too much")?;
        spend(&mut self.keywords, n_keywords, "too many words for this source")?;
        spend(&mut self.references, n_references, "too many references for this source")
    }

    /// Subtracts bytes that are searched for the name of a declaration.
    ///
    /// # Errors
    /// [`Error`] if the declarations of a record are nested too deeply.
    pub(super) fn search_names(&mut self, n_bytes: usize) -> Result<(), Error> {
        spend(&mut self.names, n_bytes, "declarations overlap too much")
    }

    /// Subtracts bytes of a chunk that are searched for a name with blanks.
    ///
    /// # Errors
    /// [`Error`] if large chunks have many such names.
    pub(super) fn search_phrase(&mut self, n_bytes: usize) -> Result<(), Error> {
        spend(&mut self.phrases, n_bytes, "too many names with blanks for this source")
    }
}

fn spend(rest: &mut usize, n: usize, why: &'static str) -> Result<(), Error> {
    *rest = rest.checked_sub(n).ok_or_else(|| broken(why))?;
    Ok(())
}

/// Returns the most chunks that a record may have.
fn most_chunks(view: &RecordView<'_>, source: &Source<'_>, language: Language) -> usize {
    let bytes = view.source_bytes() as usize;
    let share = (bytes / bytes_per_chunk(source.options)).saturating_add(FREE_CHUNKS);
    let lines = (view.n_lines() as usize).saturating_add(FREE_CHUNKS);
    match language.name() {
        // Each document and each cell is a chunk of its own, however short it is.
        "json-lines" => share.saturating_add(lines.min(bytes / BYTES_PER_PART)),
        "jupyter" => {
            let n_cells = |text: &str| text.as_bytes().find_iter("\"cell_type\"").count();
            share.saturating_add(source.text.map_or(bytes / BYTES_PER_PART, n_cells))
        }
        _ if view.method() == Method::Syntax => share.min(lines),
        _ => share,
    }
}

/// Returns the fewest bytes for each chunk with these options.
fn bytes_per_chunk(options: &IndexOptions) -> usize {
    let default = crate::index::chunk::ChunkOptions::default();
    let [bytes, tokens] = [
        (options.chunk.target_bytes, default.target_bytes),
        (options.chunk.window_tokens, default.window_tokens),
    ]
    .map(|(own, default)| BYTES_PER_CHUNK.saturating_mul(own) / default.max(1));
    bytes.min(tokens).clamp(1, BYTES_PER_CHUNK) as usize
}
