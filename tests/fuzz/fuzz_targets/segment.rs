//! Segments: any bytes, and a real segment with some bytes changed and its checksums corrected,
//! give a value or an error for every lookup.
#![no_main]

use std::panic;

use arbitrary::Arbitrary;
use bstr::ByteSlice;
use git_cora::index::chunk::ReferenceKind;
use git_cora::search::query::{Query, search};
use git_cora::search::segment::{Index, Part, Segment};
use git_cora_fuzz::{Edit, SEGMENT, damage, segment};
use libfuzzer_sys::fuzz_target;
use roaring::RoaringBitmap;

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8]),
    Damaged { edits: Vec<Edit>, is_sealed: bool, query: &'a str },
}

fuzz_target!(
    init: {
        // Reading a dictionary catches panics of the library below it, but the fuzzer's hook would
        // end the process at them. A panic that nobody catches still ends the process.
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !info.location().is_some_and(|at| at.file().contains("fst-")) {
                report(info);
            }
        }));
    },
    |input: Input<'_>| match input {
        Input::Raw(bytes) => read(bytes.to_vec(), "retry"),
        Input::Damaged { edits, is_sealed, query } => {
            let mut bytes = SEGMENT.clone();
            damage(&mut bytes, &edits);
            if is_sealed {
                seal(&mut bytes);
            }
            read(bytes, query);
        }
    }
);

fn read(bytes: Vec<u8>, query: &str) {
    let Ok(damaged) = Segment::from_bytes(bytes) else { return };
    let _ = damaged.verify();
    for file in damaged.file_rows() {
        let path = damaged.path(&file);
        assert!(damaged.file_by_path(path).is_some(), "a path that is there is found");
        let _ = damaged.language(file.language);
    }
    for ord in 0..damaged.n_files() {
        for chunk in damaged.chunks_of(ord) {
            let _ = (damaged.chunk(chunk), damaged.declarations_in(chunk).count(), damaged.subtokens(chunk));
            let _ = (damaged.mentions(chunk), damaged.imports(chunk), damaged.vector(chunk));
        }
        let _ = damaged.declarations_of(ord).map(|at| damaged.symbol_path(at)).count();
    }
    let _ = damaged.term_names();
    for word in ["retry", "socket", "fetchpage", "größe", ""] {
        let _ = damaged.postings([word].into_iter()).map(|found| found.into_iter().flatten().count());
        let _ = damaged.symbol(word);
        let _ = damaged.symbols_like(word, 2);
        for kind in [ReferenceKind::Call, ReferenceKind::Import, ReferenceKind::Link] {
            let _ = damaged.references(kind, word);
        }
        let mut n = 0;
        let _ = damaged.symbols_with_prefix(word, |_, _| {
            n += 1;
            n < 1000
        });
    }
    let whole = segment();
    let query = Query::new(query).with_explain(true);
    for index in [
        Index::whole(&damaged),
        Index::new(&damaged, RoaringBitmap::from_iter([0, 2]), Some(&whole)),
        Index::new(&whole, RoaringBitmap::from_iter([1, 77]), Some(&damaged)),
    ] {
        for query in [&query, &Query::new("retry fetchPage src/client.py timeout")] {
            let _ = search(&index, query);
        }
        let _ = (index.languages(), index.skipped().count(), index.file(Part::Base, 3));
        for declaration in index.declarations() {
            let _ = (declaration.name(), declaration.symbol_path());
        }
        let _ = index.file_by_path(b"src/main.rs".as_bstr());
    }
}

/// Corrects the checksums of the header, of the sections and of the lists and rows in them, as
/// LAYOUT.md describes them.
fn seal(bytes: &mut [u8]) {
    const FIXED: usize = 16;
    const ENTRY: usize = 24;
    let n_sections = number::<4>(&SEGMENT, 12);
    let end = FIXED + n_sections * ENTRY;
    if bytes.len() < end + 4 {
        return;
    }
    for at in (FIXED..end).step_by(ENTRY) {
        let (start, len) = (number::<8>(bytes, at + 8), number::<8>(bytes, at + 16));
        let tag = *bytes[at..].first_chunk::<4>().expect("because the table is there");
        let offsets = match &tag {
            b"MENT" | b"SUBT" => offsets(bytes, at + ENTRY),
            _ => Vec::new(),
        };
        let Some(section) = start.checked_add(len).and_then(|end| bytes.get_mut(start..end)) else {
            continue;
        };
        match &tag {
            b"POST" | b"SYML" | b"REFB" => seal_lists(section),
            b"MENT" | b"SUBT" => {
                for pair in offsets.windows(2) {
                    let Some(list) = section.get_mut(pair[0]..pair[1]) else { continue };
                    let Some((sum, rest)) = list.split_first_chunk_mut::<4>() else { continue };
                    *sum = crc32fast::hash(rest).to_le_bytes();
                }
            }
            b"VECT" => {
                for row in section.chunks_exact_mut(260) {
                    let Some((vector, sum)) = row.split_last_chunk_mut::<4>() else { continue };
                    *sum = crc32fast::hash(vector).to_le_bytes();
                }
            }
            _ => {}
        }
        let sum = crc32fast::hash(section);
        bytes[at + 4..at + 8].copy_from_slice(&sum.to_le_bytes());
    }
    let sum = crc32fast::hash(&bytes[..end]);
    bytes[end..end + 4].copy_from_slice(&sum.to_le_bytes());
}

/// Returns the number of `N` bytes at a place.
fn number<const N: usize>(bytes: &[u8], at: usize) -> usize {
    let mut all = [0; 8];
    all[..N].copy_from_slice(&bytes[at..at + N]);
    usize::try_from(u64::from_le_bytes(all)).unwrap_or(usize::MAX)
}

/// Returns the offsets in the section whose entry of the table is at `at`. The offsets of lists
/// follow their lists.
fn offsets(bytes: &[u8], at: usize) -> Vec<usize> {
    if bytes.len() < at + 24 {
        return Vec::new();
    }
    let (start, len) = (number::<8>(bytes, at + 8), number::<8>(bytes, at + 16));
    let section = start.checked_add(len).and_then(|end| bytes.get(start..end)).unwrap_or_default();
    section.as_chunks::<4>().0.iter().map(|four| u32::from_le_bytes(*four) as usize).collect()
}

/// Corrects the checksums of consecutive lists. A list is two LEB128 numbers (items, bytes), a
/// checksum and the bytes.
fn seal_lists(section: &mut [u8]) {
    let mut at = 0;
    while at < section.len() {
        let mut len = 0usize;
        for _ in 0..2 {
            let Some(digits) = section[at..].iter().take(5).position(|byte| byte & 0x80 == 0) else { return };
            len = section[at..=at + digits].iter().rev().fold(0, |n, byte| n << 7 | usize::from(byte & 0x7f));
            at += digits + 1;
        }
        let (start, end) = (at + 4, at + 4 + len);
        if end > section.len() {
            return;
        }
        let sum = crc32fast::hash(&section[start..end]);
        section[at..start].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
}
