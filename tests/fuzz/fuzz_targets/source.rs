//! Source bytes: any file is classified, and its text has as many lines as its bytes.
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
        // In UTF-16 a line feed is two bytes, so the bytes can't be counted.
        Err(_) if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {}
        Err(_) => assert_eq!(text.matches('\n').count(), bytes.find_iter("\n").count()),
    }
});
