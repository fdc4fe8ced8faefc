//! Bounds of the record format, checked before anything is allocated.
//!
//! Each bound is far above any real file, and low enough that the worst record costs megabytes, not
//! gigabytes.

/// Longest record in bytes. The largest file that is indexed (10 MiB by default) gives about a
/// third of it.
pub const RECORD_BYTES: usize = 64 << 20;

/// Most chunks of a record. A chunk has at least one line, or a window of tokens.
pub const CHUNKS: usize = 1 << 20;

/// Most declarations of a record.
pub const DECLARATIONS: usize = 1 << 20;

/// Most different strings of a record. The largest file that is indexed by default has at most
/// half as many.
pub const STRINGS: usize = 1 << 22;

/// Most bytes of all strings of a record together.
pub const STRINGS_BYTES: usize = 64 << 20;

/// Most tokens of one chunk. A chunk of 64 KiB has at most 32 Ki distinct tokens.
pub const TOKENS_PER_CHUNK: usize = 1 << 16;

/// Most tokens of all chunks together. The largest file that is indexed by default has at most half
/// as many.
pub const TOKENS: usize = 1 << 23;

/// Most different targets of a record: symbols that it declares or refers to, by kind of reference.
pub const TARGETS: usize = 1 << 22;

/// Most mentions of targets by all chunks together. A bitmap of a few kilobytes may name tens of
/// thousands of chunks, so the size of the record does not bound them.
pub const MENTIONS: usize = 1 << 22;

/// Most references of one chunk.
pub const REFERENCES_PER_CHUNK: usize = 4096;

/// Longest token in bytes. Longer runs (base64, hashes) are not words and are left out.
pub const TOKEN_BYTES: usize = 64;

/// Longest other string of a record (a qualifier, a link target, a heading) in bytes. Longer ones
/// are cut at a character boundary.
pub const STRING_BYTES: usize = 200;

/// Deepest nesting of declarations that is kept.
pub const DEPTH: usize = 64;

/// Longest manifest in bytes.
pub const MANIFEST_BYTES: usize = 64 << 10;
