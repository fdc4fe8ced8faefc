//! Source bytes: any file is classified, and its text has as many lines as its bytes. The metadata
//! of a document is short, on one line, and its address is safe to follow.
#![no_main]

use arbitrary::Arbitrary;
use bstr::ByteSlice;
use git_cora::git::{EntryMode, FileAttributes};
use git_cora::index::chunk::{ByteRange, Language, document};
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
    let at = u32::try_from(text.len() / 2).expect("because inputs are small");
    for language in ["json-lines", "markdown"] {
        let Some(found) = document(language, &text, ByteRange { start: at, end: at }) else { continue };
        assert!(found.url.is_empty() || found.url.starts_with("http") && found.url.len() <= 2000);
        for field in [found.id, found.title, found.url, found.timestamp] {
            assert!(field.len() <= 2000 && !field.chars().any(char::is_control), "{field:?}");
        }
    }
});
