//! Tests of the whole codec: decoding gives back what was encoded, and no bytes cause harm.
//!
//! Records come from two sources. Arbitrary valid records reach every corner of the format. Records
//! that `build` makes of chunked text are what is stored in practice.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use super::bytes::{Reader, put_varint};
use super::*;
use crate::index::chunk::{
    ByteRange, ChunkKind, ChunkOptions, DeclarationKind, Language, Reference, ReferenceKind, Span, chunk,
};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

const SMALL: ChunkOptions = ChunkOptions { target_bytes: 200, window_tokens: 32, window_overlap: 4 };

const SAMPLE: &str = r#""""Uploads."""
import time
from .errors import UploadError as Failed


class Uploader:
    """Sends files, and sends them again."""

    def __init__(self, host, tries=3):
        self.host = host
        self.tries = tries

    def send(self, path):
        # A broken connection is tried again.
        for attempt in range(self.tries):
            try:
                return self.connection().put(path)
            except ConnectionError:
                time.sleep(2 ** attempt)
        raise Failed(path)

    def connection(self):
        return Connection(self.host, timeout=30)


def report(results):
    """Prints what became of each file, and how many were lost on the way."""
    lost = [path for path, result in results.items() if result is None]
    for path in sorted(lost):
        print("lost", path)
    return len(lost)


def main():
    uploader = Uploader("example.org", tries=5)
    for path in ("first.txt", "second.txt", "third.txt"):
        print(path, uploader.send(path))
"#;

fn id() -> ObjectId {
    ObjectId::from_bytes(&[0xab; 20]).unwrap()
}

fn record(language: &str, text: &str) -> FileRecord {
    let language = Language::from_name(language).unwrap();
    FileRecord::Indexed(build(id(), language.name(), text, chunk(language, text, &SMALL)))
}

fn sample() -> Vec<u8> {
    encode(&record("python", SAMPLE))
}

/// Returns the payloads of a record's sections with their tags, read with the primitive codes
/// alone.
fn sections(bytes: &[u8]) -> Vec<(u8, &[u8])> {
    let mut reader = Reader::new("record", bytes, 0);
    reader.take(4 + 1 + 2 + 1).unwrap();
    for _ in ["blob", "language"] {
        let len = reader.u8().unwrap();
        reader.take(len.into()).unwrap();
    }
    reader.u8().unwrap();
    for _ in ["bytes", "lines", "declarations", "chunks"] {
        reader.varint().unwrap();
    }
    let n = reader.u8().unwrap();
    let heads: Vec<(u8, u64)> = (0..n).map(|_| (reader.u8().unwrap(), reader.varint().unwrap())).collect();
    heads.into_iter().map(|(tag, len)| (tag, reader.take(len as usize).unwrap())).collect()
}

/// Generates text of several languages: lines that the chunker recognises, mixed with arbitrary
/// lines.
fn texts() -> impl Strategy<Value = (&'static str, String)> {
    let line = prop_oneof![
        4 => prop::sample::select(SAMPLE.lines().collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[ -~]{0,60}",
        1 => "\\PC{0,30}",
        1 => Just("# Heading\n\nText with a [link](other.md).".to_owned()),
        1 => Just("fn f<T: Debug>(t: T) -> u8 { g(t) }\nimpl A for B { fn m(&self) {} }".to_owned()),
        1 => Just("export class C extends D<E> { m(): void { this.n() } }".to_owned()),
        1 => Just("\t\r\n}\n){".to_owned()),
    ];
    let languages = ["python", "rust", "typescript", "c", "go", "markdown", "json", "text"];
    (prop::sample::select(languages.to_vec()), vec(line, 0..60).prop_map(|lines| lines.join("\n")))
}

/// Random values for one chunk of an arbitrary record.
type Plan = (
    (u32, u32, u32, u32, u8, Option<u32>),
    Vec<(u8, u8, (String, String), Vec<u32>)>,
    std::collections::BTreeSet<String>,
    Vec<u8>,
    Vec<(u8, String, String, String)>,
);

fn plans() -> impl Strategy<Value = Plan> {
    let name = || "[a-zA-Z_ü/. -]{0,12}";
    (
        (0u32..300, 1u32..9000, 0u32..5, 0u32..200, 1u8..=8, prop::option::of(any::<u32>())),
        vec((1u8..=22, 0u8..5, (name(), name()), vec(any::<u32>(), 11)), 0..5),
        btree_set("[a-z_0-9ü]{1,20}", 0..12),
        vec(any::<u8>(), 12),
        vec((1u8..=5, name(), name(), name()), 0..5),
    )
}

/// Returns a span inside the file.
fn span(seeds: &[u32], n_bytes: u32, n_lines: u32) -> Span {
    let part = |a: u32, b: u32, n: u32| {
        let (a, b) = (a % (n + 1), b % (n + 1));
        (a.min(b), a.max(b))
    };
    let (start, end) = part(seeds[0], seeds[1], n_bytes);
    let (first, last) = part(seeds[2], seeds[3], n_lines - 1);
    Span { bytes: ByteRange { start, end }, start_line: first + 1, end_line: last + 1 }
}

/// Generates any record that keeps the promises of `build`.
fn records() -> impl Strategy<Value = FileRecord> {
    let indexed = (vec(plans(), 0..6), any::<bool>(), "[a-z+-]{0,10}", 1u8..=3).prop_map(
        |(plans, is_sha256, language, method)| {
            let n_bytes = plans.iter().map(|plan| plan.0.0 + plan.0.1).sum();
            let n_lines = plans.iter().map(|plan| plan.0.2 + plan.0.3 + 1).sum();
            let n_declarations = plans.iter().map(|plan| plan.1.len()).sum::<usize>() as u32;
            let mut file = IndexedFile {
                blob: ObjectId::from_bytes(&vec![7; if is_sha256 { 32 } else { 20 }]).unwrap(),
                language,
                method: [Method::Syntax, Method::Windows, Method::Fallback][usize::from(method) - 1],
                source_bytes: n_bytes,
                n_lines,
                declarations: Vec::new(),
                chunks: Vec::new(),
                keywords: Vec::new(),
                references: Vec::new(),
            };
            let (mut byte, mut line) = (0, 1);
            let mut around: Vec<u32> = Vec::new();
            for (ord, (place, declarations, tokens, counts, references)) in plans.into_iter().enumerate() {
                let (gap, len, line_gap, lines, kind, declaration) = place;
                let bytes = ByteRange { start: byte + gap, end: byte + gap + len };
                let span_of_chunk =
                    Span { bytes, start_line: line + line_gap, end_line: line + line_gap + lines };
                (byte, line) = (bytes.end, span_of_chunk.end_line + 1);
                file.chunks.push(Chunk {
                    span: span_of_chunk,
                    kind: chunk_kind_from_code(kind).unwrap(),
                    declaration: declaration.filter(|_| n_declarations > 0).map(|d| d % n_declarations),
                });
                let mut start = bytes.start;
                for (kind, depth, (name, scope), seeds) in declarations {
                    // A declaration starts in its chunk, in order; its other parts may be anywhere.
                    start = start.max(bytes.start + seeds[0] % len).min(bytes.end - 1);
                    let mut whole = span(&seeds[1..], n_bytes, n_lines);
                    whole.bytes = ByteRange { start, end: start + seeds[1] % (n_bytes - start + 1) };
                    around.truncate(depth.into());
                    let parent = around.last().copied();
                    around.push(file.declarations.len() as u32);
                    let part = |a: usize| match span(&seeds[a..], n_bytes, n_lines).bytes {
                        empty if empty.is_empty() => ByteRange::default(),
                        part => part,
                    };
                    file.declarations.push(Declaration {
                        name,
                        scope,
                        kind: declaration_kind_from_code(kind).unwrap(),
                        parent,
                        span: whole,
                        name_line: seeds[5] % n_lines + 1,
                        signature: part(5),
                        body: part(6),
                        doc: part(7),
                    });
                }
                let counted = tokens.into_iter().zip(counts).map(|(token, count)| Keyword {
                    token,
                    doc: count >> 4 & 7,
                    signature: count >> 7,
                    body: count & 15,
                });
                file.keywords.push(counted.collect());
                file.references.extend(references.into_iter().map(|(kind, name, qualifier, alias)| {
                    let kind = reference_kind_from_code(kind).unwrap();
                    Reference { chunk: ord as u32, kind, name, qualifier, alias }
                }));
            }
            if file.chunks.is_empty() {
                file.n_lines = 0;
            }
            file.references.sort_unstable();
            file.references.dedup();
            FileRecord::Indexed(file)
        },
    );
    prop_oneof![
        1 => prop::sample::select(SkipReason::ALL.to_vec()).prop_map(FileRecord::Skipped),
        9 => indexed,
    ]
}

proptest! {
    #[test]
    fn arbitrary_records_round_trip(record in records()) {
        let bytes = encode(&record);
        prop_assert_eq!(decode(&bytes), Ok(record));
    }

    #[test]
    fn records_of_text_round_trip((language, text) in texts()) {
        let record = record(language, &text);
        let bytes = encode(&record);
        let back = decode(&bytes).unwrap();
        prop_assert_eq!(&back, &record);
        prop_assert_eq!(encode(&back), bytes);
    }

    #[test]
    fn any_bytes_are_survived(bytes in vec(any::<u8>(), 0..300), keep in 0usize..400) {
        let _ = decode(&bytes);
        // The same bytes after a valid start, so that later stages are reached.
        let mut forged = sample();
        forged.truncate(keep);
        forged.extend(bytes);
        let _ = decode(&forged);
    }

    #[test]
    fn many_changed_bytes_are_survived(changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let mut bytes = sample();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = decode(&bytes);
    }
}

#[test]
fn each_skip_reason_takes_eight_bytes() {
    for reason in SkipReason::ALL {
        let bytes = encode(&FileRecord::Skipped(reason));
        assert_eq!(bytes, [b'c', b'o', b'r', b'a', 1, CONTENT_VERSION as u8, 0, reason.code()]);
        assert_eq!(decode(&bytes), Ok(FileRecord::Skipped(reason)));
    }
}

#[test]
fn every_changed_byte_is_survived() {
    let good = sample();
    for at in 0..good.len() {
        for bit in (0..8).map(|bit| 1 << bit).chain([0xff]) {
            let mut bytes = good.clone();
            bytes[at] ^= bit;
            match decode(&bytes) {
                // Accepted spans are inside the file that the record states.
                Ok(FileRecord::Indexed(file)) => {
                    assert!(file.chunks.iter().all(|c| c.span.bytes.end <= file.source_bytes), "{at}");
                    assert!(file.chunks.iter().all(|c| c.span.end_line <= file.n_lines), "{at}");
                }
                Ok(FileRecord::Skipped(_)) => assert_eq!(at, 7),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

#[test]
fn the_head_is_checked_field_by_field() {
    let with = |at: usize, byte: u8| {
        let mut bytes = sample();
        bytes[at] = byte;
        decode(&bytes).unwrap_err()
    };
    assert!(matches!(with(0, b'x'), Error::Corrupt { offset: 0, .. }));
    assert!(matches!(with(4, 2), Error::Version { found: 2, expected: 1, .. }));
    assert!(matches!(with(6, 1), Error::Version { found: 257.., .. }));
    assert!(matches!(with(7, 99), Error::Corrupt { offset: 8, why: "unknown skip reason", .. }));
    assert!(matches!(with(8, 21), Error::Corrupt { .. }));
    // Offset of the method: after magic, versions, reason, blob id and "python", the last two with
    // their lengths.
    let method = 8 + 1 + 20 + 1 + 6;
    assert!(matches!(with(method, 0), Error::Corrupt { why: "unknown chunking method", .. }));
}

#[test]
fn every_cut_is_an_error() {
    let bytes = sample();
    for len in 0..bytes.len() {
        assert!(decode(&bytes[..len]).is_err(), "{len}");
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(matches!(decode(&longer), Err(Error::Corrupt { why: "bytes after the last section", .. })));
}

/// Returns a record header with these counts, followed by the sections.
fn forged(n_declarations: u64, n_chunks: u64, sections: &[(u8, &[u8])]) -> Vec<u8> {
    let mut out = encode(&FileRecord::Skipped(SkipReason::Empty));
    out[7] = 0;
    out.push(20);
    out.extend_from_slice(id().as_bytes());
    out.extend_from_slice(b"\x04text\x02");
    for count in [1000, 100, n_declarations, n_chunks] {
        put_varint(&mut out, count);
    }
    out.push(sections.len() as u8);
    for (tag, payload) in sections {
        out.push(*tag);
        put_varint(&mut out, payload.len() as u64);
    }
    out.extend(sections.iter().flat_map(|(_, payload)| payload.iter()));
    out
}

#[test]
fn huge_counts_are_refused_before_anything_is_made_of_them() {
    let rows: &[u8] = &[8, 0, 10, 2, 0, 0, 0];
    assert!(matches!(decode(&forged(u64::MAX, 0, &[])), Err(Error::Limit { unit: "declarations", .. })));
    assert!(matches!(decode(&forged(0, u64::MAX, &[])), Err(Error::Limit { unit: "chunks", .. })));
    assert!(matches!(
        decode(&forged(0, limits::CHUNKS as u64, &[(1, rows)])),
        Err(Error::Corrupt { why: "too few chunk rows", .. })
    ));
    let embedding: &[u8] = &[0; 32];
    let with = |keywords: &[u8], references: &[u8]| {
        decode(&forged(0, 1, &[(1, rows), (2, embedding), (3, keywords), (4, references)]))
    };
    // No strings, no qualifiers or aliases, no targets.
    let (none, nothing): (&[u8], &[u8]) = (&[0, 0, 0, 0], &[0, 0]);
    assert!(with(none, nothing).is_ok());
    // More strings, bytes of strings, or targets than a record may have, or than there are.
    let counted = |counts: [u64; 4]| {
        let mut out = Vec::new();
        counts.into_iter().for_each(|count| put_varint(&mut out, count));
        out
    };
    let strings = counted([limits::STRINGS as u64 + 1, 0, 0, 0]);
    assert!(matches!(with(&strings, nothing), Err(Error::Limit { unit: "strings", .. })));
    let bytes = counted([1, limits::STRINGS_BYTES as u64 + 1, 0, 0]);
    assert!(matches!(with(&bytes, nothing), Err(Error::Limit { unit: "bytes of strings", .. })));
    let words = counted([0, 0, 1 << 20, 0]);
    assert!(matches!(with(&words, nothing), Err(Error::Limit { unit: "common words", .. })));
    for counts in [[1 << 20, 0, 0, 0], [1, 1 << 20, 0, 0], [0, 3, 1, 0], [1, 1, 0, 1 << 20]] {
        assert!(with(&counted(counts), nothing).is_err());
    }
    assert!(with(none, &[0xff, 0xff, 3]).is_err());
    assert!(with(none, &[0, 0xff, 0xff, 3]).is_err());
    let targets = with(none, &[0, 0xff, 0xff, 0xff, 0x7f]);
    assert!(matches!(targets, Err(Error::Limit { unit: "targets", .. })));
    // No embedding, or too many.
    for wrong in [&[][..], &[0; 31], &[0; 64]] {
        let bytes = forged(0, 1, &[(1, rows), (2, wrong), (3, none), (4, nothing)]);
        assert!(matches!(decode(&bytes), Err(Error::Corrupt { .. })));
    }
    // More declarations than the header states.
    let many: &[u8] = &[8, 0, 10, 2, 0, 0, 9];
    assert!(decode(&forged(0, 1, &[(1, many), (2, embedding), (3, none), (4, nothing)])).is_err());
}

#[test]
fn unknown_sections_are_passed_over() {
    let known = sample();
    let parts = sections(&known);
    let Ok(FileRecord::Indexed(file)) = decode(&known) else { unreachable!("it is indexed") };
    let head = known.len() - parts.iter().map(|(_, payload)| payload.len()).sum::<usize>();
    let table: usize = parts
        .iter()
        .map(|(_, payload)| {
            let mut len = Vec::new();
            put_varint(&mut len, payload.len() as u64);
            1 + len.len()
        })
        .sum();
    for tag in [0, 5, 255] {
        let mut bytes = known[..head - table - 1].to_vec();
        bytes.push(5);
        for &(tag, payload) in parts.iter().chain([&(tag, &b"what is this"[..])]) {
            bytes.push(tag);
            put_varint(&mut bytes, payload.len() as u64);
        }
        parts.iter().for_each(|(_, payload)| bytes.extend_from_slice(payload));
        bytes.extend_from_slice(b"what is this");
        assert_eq!(decode(&bytes), Ok(FileRecord::Indexed(file.clone())));
    }
}

/// Returns how many bytes of `new` come before and after those that differ from `old`.
fn same(old: &[u8], new: &[u8]) -> usize {
    let at_start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let at_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    at_start + at_end
}

/// Returns the number of bytes in the longest sequence that both contain in this order.
fn common(old: &[u8], new: &[u8]) -> usize {
    let mut row = vec![0; new.len() + 1];
    for a in old {
        let mut diagonal = 0;
        for (at, b) in new.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[new.len()]
}

/// This property makes the record of an edited file a small delta in a pack.
#[test]
fn a_change_in_one_chunk_leaves_most_bytes_alone() {
    let before = sample();
    // One function becomes longer by some bytes and one line.
    let edited = SAMPLE.replace("    return len(lost)", "    print(results)\n    return len(lost) + 1");
    assert_ne!(edited, SAMPLE);
    let after = encode(&record("python", &edited));
    let (old, new) = (sections(&before), sections(&after));
    for (&(tag, old), &(_, new)) in old.iter().zip(&new) {
        let (common, same) = (common(old, new), same(old, new));
        match tag {
            // The rows of later chunks are unchanged although the chunks moved. In the edited
            // chunk, lengths changed.
            1 => assert!(same + 24 >= old.len(), "{same} of {}", old.len()),
            // Only the embedding of the edited chunk changed.
            2 => assert!(same + 32 >= old.len(), "{same} of {}", old.len()),
            // No word is new to the file. A few have one more chunk, or other counts.
            _ => assert!(common + 16 >= old.len(), "section {tag}: {common} of {}", old.len()),
        }
    }
}

/// A new word changes the nodes that lead to it, and the row of its chunk.
#[test]
fn a_new_word_leaves_most_strings_alone() {
    let edited = SAMPLE.replace("    return len(lost)", "    zebra()\n    return len(lost)");
    let keywords = |text: &str| {
        let bytes = encode(&record("python", text));
        sections(&bytes).iter().find(|(tag, _)| *tag == 3).unwrap().1.to_vec()
    };
    let (old, new) = (keywords(SAMPLE), keywords(&edited));
    assert!(new.len() > old.len() && new.len() < old.len() + 40, "{} and {}", old.len(), new.len());
}

#[test]
fn what_passes_the_bounds_is_cut_when_a_record_is_built() {
    let long = "x".repeat(500);
    let text = format!("[a]({long})\n");
    let Ok(FileRecord::Indexed(file)) = decode(&encode(&record("markdown", &text))) else {
        unreachable!("it is indexed")
    };
    assert!(file.references.iter().all(|r| r.name.len() <= limits::STRING_BYTES));
    // Functions nested two hundred deep: those beyond the bound become children of the deepest one
    // kept.
    let mut deep = String::new();
    for level in 0..200 {
        deep.push_str(&format!("{}def f{level}():\n", " ".repeat(level)));
    }
    deep.push_str(&format!("{}pass\n", " ".repeat(200)));
    let record = record("python", &deep);
    assert_eq!(decode(&encode(&record)), Ok(record.clone()));
}

#[test]
fn the_codes_are_those_of_the_document() {
    let document = include_str!("FORMAT.md");
    let has = |code: u8, kind: &dyn std::fmt::Debug| {
        let cell = format!("{code} {}", format!("{kind:?}").to_lowercase());
        assert!(document.contains(&cell), "FORMAT.md lacks '{cell}'");
    };
    (1..=8).for_each(|code| has(code, &chunk_kind_from_code(code).unwrap()));
    (1..=22).for_each(|code| has(code, &declaration_kind_from_code(code).unwrap()));
    (1..=7).for_each(|code| has(code, &reference_kind_from_code(code).unwrap()));
    for reason in SkipReason::ALL {
        let cell = format!("{} {}", reason.code(), reason.as_str());
        assert!(document.contains(&cell), "FORMAT.md lacks '{cell}'");
    }
    let last = [
        (ChunkKind::Window as u8, chunk_kind_from_code(9).is_none()),
        (DeclarationKind::Element as u8, declaration_kind_from_code(23).is_none()),
        (ReferenceKind::Gives as u8, reference_kind_from_code(8).is_none()),
    ];
    assert_eq!(last, [(8, true), (22, true), (7, true)]);
}
