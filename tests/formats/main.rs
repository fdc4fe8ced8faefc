//! Samples of each released format, kept for ever; today's encoder must give the same bytes.
//!
//! A folder here is a format version. It holds sources, the record of each (`.record`), a readable
//! dump of each record (`.txt`), and the manifest of an index. Two promises are tested:
//!
//! - *Old data stays readable.* Each sample decodes to its dump. If the content version has risen
//!   since, a sample may also be reported as an older version. It is never misread.
//! - *The same source gives the same bytes.* Today's encoder gives exactly the samples of its
//!   format. This pins everything outside this package that a record's bytes depend on: the
//!   grammars, the common words, the embedding model, `fst` and `roaring`.
//!
//! If bytes change on purpose, raise `CONTENT_VERSION` (or `FORMAT_VERSION`), unless the version
//! was never released. Then write the samples again: `UPDATE_FORMATS=1 cargo test --test formats`.
//! The folder of an older format is never written again.

#![allow(clippy::unwrap_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "tests set up files and programs")]

mod embedding;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::{env, fs};

use git_cora::base::id::ObjectId;
use git_cora::index::chunk::{ByteRange, ChunkOptions, Language, chunk};
use git_cora::index::record::{
    CONTENT_VERSION, Error, FORMAT_VERSION, FileRecord, IndexedFile, Manifest, build, decode, encode,
};

/// The sources in each folder, with their languages and blob ids.
const SOURCES: &[(&str, &str, &str)] = &[
    ("retry.py", "python", "aa51d04b7a6733917cb9d4319750db9a9cf143cc"),
    ("store.go", "go", "bda240557cd0827c9078ec6e74caf11b30c6e63c"),
];

fn folder(format: u8) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(format.to_string())
}

/// Returns options for small chunks, so that each sample has several.
fn options() -> ChunkOptions {
    ChunkOptions { target_bytes: 200, ..ChunkOptions::default() }
}

fn manifest() -> Manifest {
    Manifest::current(&options(), 10_000_000, vec!["kotlin".to_owned(), "swift".to_owned()])
}

fn record(source: &str, language: &str, blob: &str) -> FileRecord {
    let text = fs::read_to_string(folder(FORMAT_VERSION).join(source)).unwrap();
    let language = Language::from_name(language).unwrap();
    let blob: ObjectId = blob.parse().unwrap();
    FileRecord::Indexed(build(blob, language.name(), &text, chunk(language, &text, &options())))
}

/// Formats a range as `start-end`, or `-` if it is empty.
fn range(of: ByteRange) -> String {
    if of.is_empty() { "-".to_owned() } else { format!("{}-{}", of.start, of.end) }
}

/// Formats a whole record as readable text.
fn dump(file: &IndexedFile) -> String {
    let mut out = String::new();
    let IndexedFile { blob, language, method, source_bytes, n_lines, .. } = file;
    writeln!(out, "{language} {method:?}, {source_bytes} bytes, {n_lines} lines, blob {blob}").unwrap();
    for (ord, one) in file.declarations.iter().enumerate() {
        let lines = (one.span.start_line, one.span.end_line, one.name_line);
        write!(out, "declaration {ord}: {:?} {}", one.kind, one.name).unwrap();
        if !one.scope.is_empty() {
            write!(out, " of {}", one.scope).unwrap();
        }
        if let Some(parent) = one.parent {
            write!(out, " in {parent}").unwrap();
        }
        writeln!(
            out,
            ", bytes {}, lines {}-{}, name {}, signature {}, body {}, doc {}",
            range(one.span.bytes),
            lines.0,
            lines.1,
            lines.2,
            range(one.signature),
            range(one.body),
            range(one.doc)
        )
        .unwrap();
    }
    for (ord, one) in file.chunks.iter().enumerate() {
        let lines = (one.span.start_line, one.span.end_line);
        write!(out, "chunk {ord}: {:?}", one.kind).unwrap();
        if let Some(declaration) = one.declaration {
            write!(out, " of {declaration}").unwrap();
        }
        writeln!(out, ", bytes {}, lines {}-{}", range(one.span.bytes), lines.0, lines.1).unwrap();
        for word in &file.keywords[ord] {
            writeln!(
                out,
                "    {} doc {} signature {} body {}",
                word.token, word.doc, word.signature, word.body
            )
            .unwrap();
        }
        for mention in file.references.iter().filter(|reference| reference.chunk as usize == ord) {
            let (name, qualifier, alias) = (&mention.name, &mention.qualifier, &mention.alias);
            writeln!(out, "    -> {:?} '{name}' of '{qualifier}' as '{alias}'", mention.kind).unwrap();
        }
    }
    out
}

fn dump_manifest(manifest: &Manifest) -> String {
    format!("{manifest:#?}\n")
}

/// Returns the expected samples of the current format: file name and bytes.
fn expected() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("manifest".to_owned(), manifest().encode()),
        ("manifest.txt".to_owned(), dump_manifest(&manifest()).into_bytes()),
    ];
    for (source, language, blob) in SOURCES {
        let record = record(source, language, blob);
        let FileRecord::Indexed(file) = &record else { panic!("{source} is indexed") };
        files.push((format!("{source}.txt"), dump(file).into_bytes()));
        files.push((format!("{source}.record"), encode(&record)));
    }
    files
}

/// Writes the samples of the current format before any test reads them, if the environment says so.
fn update() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if env::var_os("UPDATE_FORMATS").is_some_and(|value| value == "1") {
            for (name, bytes) in expected() {
                fs::write(folder(FORMAT_VERSION).join(&name), &bytes).unwrap();
            }
        }
    });
}

#[test]
fn todays_encoder_gives_the_samples() {
    update();
    for (name, bytes) in expected() {
        let kept = fs::read(folder(FORMAT_VERSION).join(&name)).unwrap_or_default();
        assert!(
            kept == bytes,
            "{name} differs from what is encoded now ({} and {} bytes): the bytes of every index have changed; \
             the head of this test says what to do",
            kept.len(),
            bytes.len()
        );
    }
}

#[test]
fn every_released_format_opens() {
    update();
    for format in 1..=FORMAT_VERSION {
        let folder = folder(format);
        for (source, ..) in SOURCES {
            let bytes = fs::read(folder.join(format!("{source}.record"))).unwrap();
            let content = u16::from_le_bytes([bytes[5], bytes[6]]);
            assert_eq!(bytes[4], format);
            match decode(&bytes) {
                Ok(FileRecord::Indexed(file)) => {
                    let text = fs::read_to_string(folder.join(format!("{source}.txt"))).unwrap();
                    assert_eq!(dump(&file), text, "{source} of format {format}");
                }
                Err(Error::Version { .. }) if (format, content) < (FORMAT_VERSION, CONTENT_VERSION) => {}
                other => panic!("{source} of format {format}: {other:?}"),
            }
        }
        match Manifest::decode(&fs::read(folder.join("manifest")).unwrap()) {
            Ok(manifest) => {
                let text = fs::read_to_string(folder.join("manifest.txt")).unwrap();
                assert_eq!(dump_manifest(&manifest), text);
            }
            Err(Error::Version { .. }) if format < FORMAT_VERSION => {}
            Err(error) => panic!("manifest of format {format}: {error}"),
        }
    }
}
