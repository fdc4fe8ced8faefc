//! Tests of documents in JSON lines: how they are cut, which files hold none, and hostile input.
//!
//! Each test cuts a small text and checks declarations, chunks or metadata.

use super::*;

fn cut_at(text: &str, target: u32) -> Option<ChunkedFile> {
    cut(&Lines::new(text), target)
}

#[test]
fn documents_have_titles_and_sections() {
    let text = concat!(
        "{\"id\": 1, \"title\": \"A  b\\n\", \"text\": \"words\", \"url\": \"https://x.org/a\"}\n\n",
        "{\"_id\": \"x2\", \"text\": [\"one\", \"two\"], \"timestamp\": 5}\r\n",
        "{\"title\": \"C\", \"sections\": [{\"title\": \"S\", \"text\": \"t\"}, 3, {\"heading\": \"T\"}]}\n",
        "{\"title\": \"D\", \"sections\": {\"U\": \"t\", \"V\": 4}}\n",
        "{\"text\": \"nameless\"}",
    );
    let file = cut_at(text, 1500).unwrap();
    let names: Vec<_> =
        file.declarations.iter().map(|one| (one.name.as_str(), one.parent, one.name_line)).collect();
    assert_eq!(
        names,
        [
            ("A b", None, 1),
            ("x2", None, 3),
            ("C", None, 4),
            ("S", Some(2), 4),
            ("T", Some(2), 4),
            ("D", None, 5),
            ("U", Some(5), 5)
        ]
    );
    assert_eq!(file.declarations[0].signature.of(text), "\"A  b\\n\"");
    assert_eq!(file.declarations[0].body.of(text), "\"words\"");
    let of: Vec<_> = file.chunks.iter().map(|one| one.declaration).collect();
    assert_eq!(of, [Some(0), Some(1), Some(2), Some(5), None]);
    assert_eq!(
        document("json-lines", text, file.chunks[0].span.bytes),
        Some(Document {
            id: "1".into(),
            title: "A b".into(),
            url: "https://x.org/a".into(),
            timestamp: String::new()
        })
    );
    assert_eq!(document("json-lines", text, file.chunks[1].span.bytes).unwrap().timestamp, "5");
    assert_eq!(document("json-lines", text, file.chunks[4].span.bytes), None);
}

#[test]
fn long_texts_are_cut_between_sentences_and_never_in_an_escape() {
    let body = "One sentence of words. \\u00e9\\ud83d\\ude00\\\" more.\\n\\n".repeat(40);
    let text = format!("{{\"title\": \"T\", \"text\": \"{body}\"}}\n");
    let file = cut_at(&text, 200).unwrap();
    assert!(file.chunks.len() > 8);
    let mut end = 0;
    for chunk in &file.chunks {
        let bytes = chunk.span.bytes;
        assert_eq!((bytes.start, chunk.declaration, chunk.span.start_line), (end, Some(0), 1));
        assert!(bytes.len() <= 300);
        end = bytes.end;
        let piece = bytes.of(&text);
        assert!(end as usize == text.len() - 1 || piece.ends_with("\\n\\n"), "{piece}");
        assert!(!unescaped(piece).0.contains('\u{fffd}'), "{piece}");
    }
    assert_eq!(end as usize, text.len() - 1);
    let endless = format!("{{\"text\": \"{}\"}}", "\\u4e2d".repeat(400));
    for chunk in cut_at(&endless, 100).unwrap().chunks {
        assert!(!unescaped(chunk.span.bytes.of(&endless)).0.contains(['\\', '\u{fffd}']));
    }
}

#[test]
fn a_section_begins_a_chunk() {
    let section =
        |name: &str| format!("{{\"title\": \"{name}\", \"text\": \"{}\"}}", "some words ".repeat(20));
    let text = format!("{{\"title\": \"T\", \"sections\": [{}, {}]}}", section("A"), section("B"));
    let file = cut_at(&text, 250).unwrap();
    let of: Vec<_> = file
        .chunks
        .iter()
        .map(|one| file.declarations[one.declaration.unwrap() as usize].name.as_str())
        .collect();
    // The text before the first section is too short for a chunk.
    assert_eq!(of, ["T", "B"]);
}

#[test]
fn other_lines_are_no_documents() {
    let deep = format!("{{\"text\": {}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let many = "{\"text\": \"\"}\n".repeat(MAX_DOCUMENTS + 1);
    for text in [
        "",
        "\n \n",
        "1\n2\n",
        "[1]\n",
        "{}\n",
        "{\"a\": 1}\n",
        "{\"text\": 1}\n",
        "{\"text\": [1]}\n",
        "{\"text\": \"unclosed\n",
        "{\"text\": \"a\"}\nx\ny\n",
        "{\"sections\": [\"a\"]}\n",
        "{\"text\": \"a\"} trailing\n",
        &deep,
        &many,
    ] {
        assert!(cut_at(text, 1500).is_none(), "{}", text.get(..60).unwrap_or(text));
    }
    // One bad line among good ones becomes a chunk of text.
    let file = cut_at("{\"text\": \"a\"}\n{\"text\n{\"text\": \"b\"}\n", 1500).unwrap();
    let kinds: Vec<_> = file.chunks.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [ChunkKind::Section, ChunkKind::Window, ChunkKind::Section]);
    let deep = format!("{{\"x\": {}1{}, \"text\": \"a\"}}", "[".repeat(50), "]".repeat(50));
    assert!(cut_at(&deep, 1500).is_some());
}

#[test]
fn escapes_are_read() {
    for (piece, expected) in [
        ("plain", "plain"),
        ("a\\nb\\t\\\"c\\\\n", "a\nb\t\"c\\n"),
        ("caf\\u00e9s \\ud83d\\ude00!", "cafés 😀!"),
        ("\\ud83d alone \\uzzzz", "\u{fffd} alone \u{fffd}zzzz"),
        ("cut\\", "cut\\"),
        ("\\u12", "\u{fffd}12"),
        ("\\é", "\\é"),
    ] {
        let (text, places) = unescaped(piece);
        assert_eq!(text, expected);
        for (to, from) in places {
            assert!(text.is_char_boundary(to) && piece.is_char_boundary(from), "{piece}");
        }
    }
}

#[test]
fn metadata_before_a_document() {
    let front = |text: &str| document("markdown", text, ByteRange::default());
    let found = front("---\ntitle: \"A page\"\nurl: https://x.org/a\ntags: [a]\n---\n# A\n").unwrap();
    assert_eq!((found.title.as_str(), found.url.as_str()), ("A page", "https://x.org/a"));
    assert_eq!(front("+++\ntitle = 'B'\n+++\n").unwrap().title, "B");
    for text in ["", "# A\n", "---\ntitle: never closed\n", "---\nother: 1\n---\n"] {
        assert_eq!(front(text), None);
    }
    for url in [
        "javascript:alert(1)",
        "https://x.org/<b>",
        "https://x.org/ y",
        &format!("https://{}", "x".repeat(3000)),
    ] {
        assert_eq!(front(&format!("---\nurl: {url}\n---\n")), None);
    }
}

#[test]
fn fields_and_addresses_are_bounded() {
    let long = |len: usize| "x".repeat(len);
    let address_of = |len: usize| format!("https://e.org/{}", long(len - 14));
    for (len, is_kept) in [(2000, true), (2001, false)] {
        assert_eq!(address(&address_of(len)).len() == len, is_kept, "{len} bytes");
    }
    for len in [199, 200, 201] {
        let text = format!("---\ntitle: {}\nid: {}\ndate: {}\n---\n", long(len), long(len), long(len));
        let found = front_matter(&text).unwrap();
        let lens = [found.title.len(), found.id.len(), found.timestamp.len()];
        assert_eq!(lens, [len.min(200); 3], "{len} bytes");
        let line = format!(
            "{{\"id\": \"{0}\", \"title\": \"{0}\", \"timestamp\": \"{0}\", \"text\": \"t\"}}",
            long(len)
        );
        let found = Line::parse(&line).unwrap().document();
        let lens = [found.title.len(), found.id.len(), found.timestamp.len()];
        assert_eq!(lens, [len.min(200); 3], "{len} bytes");
    }
    assert_eq!(clipped("ab\u{7} cd", 99), "ab cd");
    assert_eq!(clipped("aé", 2), "a");
}

#[test]
fn front_matter_ends_within_four_kilobytes() {
    let text = |len: usize| {
        let head = "---\ntitle: T\nx: ";
        format!("{head}{}\n---\n", "y".repeat(len - head.len() - 5))
    };
    for (len, is_found) in [(4096, true), (4097, true), (4098, false)] {
        assert_eq!(text(len).len(), len);
        assert_eq!(front_matter(&text(len)).is_some(), is_found, "{len} bytes, the last one is a line feed");
    }
}
