//! Chunking: chunks of any text in any language cover it, in order and at character boundaries. The
//! record survives encoding and decoding.
#![no_main]

use arbitrary::Arbitrary;
use git_cora::index::chunk::{ByteRange, ChunkKind, ChunkOptions, ChunkedFile, Language, chunk};
use git_cora::index::record::{FileRecord, build, decode, encode};
use git_cora_fuzz::{Text, no_id};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    target_bytes: u16,
    window_tokens: u8,
    window_overlap: u8,
    text: Text<'a>,
}

fuzz_target!(|input: Input<'_>| {
    let (language, text) = input.text.get();
    // An overlap as long as the window is refused by the settings, before chunking.
    let window_tokens = u32::from(input.window_tokens).max(1);
    let options = ChunkOptions {
        target_bytes: input.target_bytes.into(),
        window_tokens,
        window_overlap: u32::from(input.window_overlap) % window_tokens,
    };
    let chunked = chunk(language, &text, &options);
    assert_eq!(chunked, chunk(language, &text, &options), "the same text is cut in the same way");
    check(&text, &chunked, language);
    let record = FileRecord::Indexed(build(no_id(), language.name(), &text, chunked));
    assert_eq!(decode(&encode(&record)), Ok(record), "a record survives its bytes");
});

/// Checks everything that holds for every text.
fn check(text: &str, file: &ChunkedFile, language: Language) {
    let lies = |bytes: ByteRange| {
        assert!(bytes.start <= bytes.end, "{bytes:?}");
        assert!(text.get(bytes.start as usize..bytes.end as usize).is_some(), "{bytes:?}");
    };
    let line_at =
        |offset: u32| text.as_bytes()[..offset as usize].iter().filter(|b| **b == b'\n').count() + 1;
    assert_eq!(file.n_lines as usize, text.lines().count());
    let mut covered = vec![false; text.lines().count()];
    let mut last = ByteRange::default();
    for one in &file.chunks {
        let bytes = one.span.bytes;
        lies(bytes);
        assert!(!bytes.of(text).trim().is_empty(), "an empty chunk");
        let is_window = one.kind == ChunkKind::Window;
        assert!(bytes.start >= if is_window { last.start } else { last.end }, "{last:?}, then {bytes:?}");
        last = bytes;
        assert_eq!(one.span.start_line as usize, line_at(bytes.start));
        assert!(one.span.start_line <= one.span.end_line && one.span.end_line <= file.n_lines);
        covered[one.span.start_line as usize - 1..one.span.end_line as usize].fill(true);
        assert!(one.declaration.is_none_or(|at| (at as usize) < file.declarations.len()));
    }
    // The outputs of a notebook are in no chunk.
    let is_notebook = language.name() == "jupyter";
    for (line, is_covered) in text.lines().zip(covered) {
        assert!(is_covered || is_notebook || line.trim().is_empty(), "{line:?} is in no chunk");
    }
    for (at, one) in file.declarations.iter().enumerate() {
        [one.span.bytes, one.signature, one.body, one.doc].into_iter().for_each(lies);
        assert!(one.parent.is_none_or(|parent| (parent as usize) < at));
        assert!(one.signature.start >= one.span.bytes.start && one.signature.end <= one.span.bytes.end);
        assert!(one.name_line >= one.span.start_line && one.name_line <= one.span.end_line);
        assert!(at == 0 || file.declarations[at - 1].span.bytes.start <= one.span.bytes.start);
    }
    file.comments.iter().copied().for_each(lies);
    assert!(file.comments.windows(2).all(|pair| pair[0].end <= pair[1].start), "comments overlap");
    assert!(file.references.windows(2).all(|pair| pair[0] < pair[1]), "references are not in order");
    for one in &file.references {
        assert!((one.chunk as usize) < file.chunks.len() && !one.name.is_empty());
    }
}
