//! Source bytes: whatever a file holds, it is judged, and its text has the lines that it has.
#![no_main]

use arbitrary::Arbitrary;
use bstr::ByteSlice;
use git_cora::index::chunk::Language;
use git_cora::git::{EntryMode, FileAttributes};
use git_cora::index::source::{Limits, classify, classify_entry, decode};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    path: &'a [u8],
    bytes: &'a [u8],
}

fuzz_target!(|input: Input<'_>| {
    let Input { path, bytes } = input;
    let attributes = FileAttributes::default();
    let _ = classify_entry(path.as_bstr(), EntryMode::File, &attributes);
    let _ = classify(path.as_bstr(), bytes, &attributes, &Limits::default());
    let _ = Language::detect(path, bytes);
    let text = decode(bytes);
    match std::str::from_utf8(bytes) {
        Ok(same) => assert_eq!(text, same),
        // Two bytes a character: line feeds are counted in characters.
        Err(_) if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {}
        Err(_) => assert_eq!(text.matches('\n').count(), bytes.find_iter("\n").count()),
    }
});
