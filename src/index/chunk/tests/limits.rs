//! Tests of the bounds that a text can't exceed: names, links, values, keys and lines.

use super::*;
use crate::index::chunk::doc_text::first_sentence;

fn chunked(name: &str, text: &str) -> ChunkedFile {
    chunk(language(name), text, &ChunkOptions::default())
}

fn names(file: &ChunkedFile) -> Vec<&str> {
    file.declarations.iter().map(|one| one.name.as_str()).collect()
}

#[test]
fn a_name_has_256_bytes() {
    for (len, is_kept) in [(256, true), (257, false)] {
        let name = "f".repeat(len);
        let file = chunked("python", &format!("def {name}():\n    pass\n"));
        assert_eq!(names(&file) == [name.as_str()], is_kept, "{len} bytes");
        let call = chunked("python", &format!("def g():\n    {name}()\n"));
        assert_eq!(call.references.iter().any(|one| one.name == name), is_kept, "{len} bytes");
    }
}

#[test]
fn a_qualifier_has_64_bytes() {
    for (len, is_kept) in [(64, true), (65, false)] {
        let object = "o".repeat(len);
        let file = chunked("python", &format!("def g():\n    {object}.call()\n"));
        let call = file.references.iter().find(|one| one.name == "call").unwrap();
        assert_eq!(call.qualifier == object, is_kept, "{len} bytes");
    }
}

#[test]
fn a_file_of_data_has_5000_keys() {
    for (n, expected) in [(4999, 4999), (5000, 5000), (5001, 5000)] {
        let keys: Vec<String> = (0..n).map(|at| format!("\"k{at}\": {at}")).collect();
        let file = chunked("json", &format!("{{\n{}\n}}\n", keys.join(",\n")));
        assert_eq!(file.declarations.len(), expected, "{n} keys");
    }
}

#[test]
fn a_short_value_is_part_of_the_signature() {
    for (len, has_body) in [(120, false), (121, true)] {
        let text = format!("NAME = \"{}\"", "v".repeat(len - 9));
        assert_eq!(text.len(), len);
        let file = chunked("python", &format!("{text}\n"));
        assert_eq!(names(&file), ["NAME"]);
        assert_eq!(!file.declarations[0].body.is_empty(), has_body, "{len} bytes");
    }
    // A type alias says nothing else, so it may be longer.
    for (len, has_body) in [(400, false), (401, true)] {
        let text = format!("type F = {};", "V".repeat(len - 10));
        assert_eq!(text.len(), len);
        let file = chunked("rust", &format!("{text}\n"));
        assert_eq!(!file.declarations[0].body.is_empty(), has_body, "{len} bytes");
    }
}

#[test]
fn a_link_has_fewer_than_300_bytes() {
    for (len, is_kept) in [(299, true), (300, false)] {
        let link = format!("https://example.org/{}", "x".repeat(len - 20));
        let file = chunked("text", &format!("See {link} there.\n"));
        assert_eq!(file.references.iter().any(|one| one.name == link), is_kept, "{len} bytes");
    }
    let file = chunked("text", "See a.c and ab.c and README.md there.\n");
    let links: Vec<&str> = file.references.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(links, ["README.md"]);
}

#[test]
fn an_import_has_2000_names() {
    let n_imported = |n: usize| {
        let all: Vec<String> = (0..n).map(|at| format!("n{at}")).collect();
        let file = chunked("python", &format!("from m import ({})\n", all.join(",\n")));
        file.references.iter().filter(|one| one.kind == ReferenceKind::Import).count()
    };
    // The module may be one of them.
    let base = n_imported(1) - 1;
    for (n, expected) in [(1999, 1999), (2000, 2000), (2001, 2000)] {
        assert_eq!(n_imported(n) - base, expected, "{n} names");
    }
}

#[test]
fn a_huge_line_is_cut_at_eight_times_the_target() {
    let options = ChunkOptions { target_bytes: 100, ..ChunkOptions::default() };
    for (len, n_chunks) in [(800, 1), (801, 2), (1600, 2), (1601, 3)] {
        let text = format!("x = \"{}\"", "v".repeat(len - 6));
        assert_eq!(text.len(), len);
        let file = chunk(language("python"), &text, &options);
        assert_eq!(file.chunks.len(), n_chunks, "{len} bytes");
    }
}

#[test]
fn a_first_sentence_has_160_characters() {
    let sentence = |len: usize| format!("{} end.", "é".repeat(len - 5));
    assert_eq!(first_sentence(&sentence(160)), sentence(160));
    assert_eq!(first_sentence(&sentence(161)), format!("{} …", "é".repeat(156)));
    let lines = |n: usize| "word\n".repeat(n);
    assert_eq!(first_sentence(&lines(8)).split(' ').count(), 8);
    assert_eq!(first_sentence(&lines(9)).split(' ').count(), 8, "a sentence has eight lines");
}
