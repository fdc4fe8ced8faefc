//! Tests of the checks of received records: honest ones pass, forged ones don't.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::*;
use crate::index::chunk::{ChunkOptions, Language, chunk};
use crate::index::record::{FileRecord, IndexedFile};

fn id() -> ObjectId {
    ObjectId::from_bytes(&[7; 20]).unwrap()
}

fn recorded(path: &str, text: &str) -> IndexedFile {
    let language = Language::detect(path.as_bytes(), text.as_bytes());
    record::build(id(), language.name(), text, chunk(language, text, &ChunkOptions::default()))
}

fn checked(file: &IndexedFile, text: Option<&str>) -> std::result::Result<(), String> {
    let bytes = record::encode(&FileRecord::Indexed(file.clone()));
    check(&bytes, id(), text).map_err(|error| error.to_string())
}

const TEXT: &str = "use std::fmt;\n\npub struct Store;\n\nimpl Store {\n    pub fn find(&self) -> usize {\n        \
                    self.other()\n    }\n}\n\npub fn last() {\n    first()\n}\n";

#[test]
fn honest_records_of_all_samples_pass() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/src/index/chunk/tests/samples");
    let (mut n, mut odd) = (0, Vec::new());
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let file = recorded(name, &text);
        n += 1;
        checked(&file, None).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Err(error) = checked(&file, Some(&text)) {
            odd.push(format!("{name}: {error}"));
        }
    }
    assert!(n > 25);
    // These are made again, which proves them honest; that costs time.
    assert!(odd.len() * 4 <= n, "{odd:#?}");
}

#[test]
fn forged_records_fail() {
    let whole = recorded("a.rs", TEXT);
    checked(&whole, Some(TEXT)).unwrap();
    let forge = |why: &str, edit: &dyn Fn(&mut IndexedFile)| {
        let mut file = whole.clone();
        edit(&mut file);
        let error = checked(&file, Some(TEXT)).unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    };
    let last = whole.declarations.len() - 1;
    forge("name does not stand", &|f| f.declarations[last].name = "run curl | sh".into());
    forge("name does not stand", &|f| f.declarations[last].name = "find".into());
    forge("name does not stand", &|f| f.declarations[last].name = "last first".into());
    forge("name is empty", &|f| f.declarations[last].name.clear());
    forge("name is too long", &|f| f.declarations[last].name = "last".repeat(51));
    forge("hidden", &|f| f.declarations[last].name = "la\u{200b}st".into());
    forge("hidden", &|f| f.declarations[last].scope = "\u{2066}Store".into());
    forge("control", &|f| f.declarations[last].name = "last\t".into());
    forge("scope does not stand", &|f| f.declarations[last].scope = "Store last".into());
    forge("scope does not stand", &|f| f.declarations[last].scope = "Evil".into());
    forge("outside", &|f| f.declarations[last].name_line = 1);
    forge("lines are not", &|f| f.declarations[last].span.start_line = 1);
    forge("lines are not", &|f| f.chunks[0].span.end_line = 1);
    forge("reference does not stand", &|f| f.references[0].name = "evil".into());
    forge("reference does not stand", &|f| f.references[0].qualifier = "first last".into());
    forge("reference does not stand", &|f| f.references[0].alias = "Store.evil".into());
    forge("token does not stand", &|f| f.keywords[0][0].token = "AAA".into());
    forge("not sorted", &|f| f.keywords[0].swap(0, 1));
    forge("not sorted", &|f| {
        let again = f.keywords[0][0].clone();
        f.keywords[0].insert(0, again);
    });
    forge("another size", &|f| f.source_bytes += 1);
    forge("number of lines", &|f| f.n_lines += 1);
    let other = ObjectId::from_bytes(&[8; 20]).unwrap();
    let bytes = record::encode(&FileRecord::Indexed(whole.clone()));
    assert!(check(&bytes, other, Some(TEXT)).is_err());
    assert!(check(&bytes[..bytes.len() - 1], id(), Some(TEXT)).is_err());
}

#[test]
fn counts_are_bounded_by_the_size_of_the_source() {
    let whole = recorded("a.rs", TEXT);
    // Without a source too: then by what the record says and by its own size.
    for text in [Some(TEXT), None] {
        let forge = |why: &str, edit: &dyn Fn(&mut IndexedFile)| {
            let mut file = whole.clone();
            edit(&mut file);
            let error = checked(&file, text).unwrap_err();
            assert!(error.contains(why), "{why}: {error}");
        };
        checked(&whole, text).unwrap();
        forge("too many chunks", &|f| {
            let (chunk, words) = (f.chunks[0].clone(), f.keywords[0].clone());
            f.chunks.extend(std::iter::repeat_n(chunk, 1000));
            f.keywords.extend(std::iter::repeat_n(words, 1000));
        });
        forge("overlap", &|f| {
            let (chunk, words) = (f.chunks[0].clone(), f.keywords[0].clone());
            f.chunks.insert(0, chunk);
            f.keywords.insert(0, words);
            f.references.clear();
        });
        forge("too many declarations", &|f| {
            let last = f.declarations.last().unwrap().clone();
            f.declarations.extend(std::iter::repeat_n(last, 1000));
        });
        forge("too many references", &|f| {
            let last = f.references.last().unwrap().clone();
            f.references.extend(std::iter::repeat_n(last, 1000));
        });
        forge("too many words", &|f| {
            let word = |n| record::Keyword { token: format!("w{n:06}"), doc: 0, signature: 0, body: 1 };
            f.keywords[0] = (0..10_000).map(word).collect();
        });
        forge("source", &|f| f.source_bytes = 1 << 31);
    }
}
