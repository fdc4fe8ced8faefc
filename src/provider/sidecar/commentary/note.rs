//! A file's notes, values ↔ bytes, as `FORMAT.md` says; and a model's answer → the text of a note.
//!
//! The bytes are hostile: [`decode`] rejects the whole file if one line breaks a rule.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::base::id::ObjectId;
use crate::base::text::head;

use super::{Error, Key, Result};

/// Largest blob that is read, in bytes.
pub(super) const MAX_BYTES: u64 = 32 << 20;
/// Most bytes of a note's text.
pub const MAX_TEXT: usize = 2000;
/// Most bytes of a model's id.
const MAX_MODEL: usize = 200;
/// Most bytes of a line: text and model with every character escaped, and the rest.
pub(super) const MAX_LINE: u64 = 16 << 10;
/// Most chunks of a file.
pub(super) const MAX_CHUNKS: u32 = 1 << 20;

/// A paragraph that a model wrote about a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Ordinal of the chunk in its file, from 0.
    pub chunk: u32,
    /// The key of the annotated text.
    pub key: Key,
    /// The id of the model that wrote it.
    pub model: String,
    /// One paragraph, on one line.
    pub text: String,
}

/// Notes by key and model.
pub(super) type ByKey = HashMap<(Key, String), Note>;

#[derive(Serialize, Deserialize)]
struct Head {
    record: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Line {
    #[serde(default)]
    pub(super) chunk: u32,
    key: String,
    model: String,
    text: String,
}

impl Line {
    pub(super) fn of(note: &Note) -> Self {
        let key = note.key.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { chunk: note.chunk, key, model: note.model.clone(), text: note.text.clone() }
    }

    pub(super) fn note(self) -> Option<Note> {
        let key = hex(&self.key)?;
        let is_plain = |text: &str| !text.chars().any(char::is_control);
        let is_right = self.chunk < MAX_CHUNKS
            && (1..=MAX_MODEL).contains(&self.model.len())
            && (1..=MAX_TEXT).contains(&self.text.len())
            && is_plain(&self.model)
            && is_plain(&self.text);
        is_right.then_some(Note { chunk: self.chunk, key, model: self.model, text: self.text })
    }
}

fn hex(text: &str) -> Option<Key> {
    let mut key = Key::default();
    if text.len() != 32 || !text.is_ascii() {
        return None;
    }
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(key)
}

/// Encodes a file's notes, which must be in the order of their chunks; also returns how many fit.
///
/// Stops before the blob becomes too large to be read: the notes in it are the first ones.
pub fn encode(record: ObjectId, notes: &[Note]) -> (Vec<u8>, usize) {
    // Serialising strings and numbers never fails.
    let mut out = serde_json::to_vec(&Head { record: record.to_string() }).unwrap_or_default();
    out.push(b'\n');
    for (n, note) in notes.iter().enumerate() {
        let line = serde_json::to_vec(&Line::of(note)).unwrap_or_default();
        if (out.len() + line.len()) as u64 >= MAX_BYTES {
            return (out, n);
        }
        out.extend(line);
        out.push(b'\n');
    }
    (out, notes.len())
}

/// Decodes a file's notes and the id of the record that they are about.
///
/// # Errors
/// [`Error::Corrupt`] for any bytes that break a rule of the format.
pub fn decode(bytes: &[u8]) -> Result<(ObjectId, Vec<Note>)> {
    let text = std::str::from_utf8(bytes).map_err(|_| Error::Corrupt("it is not text"))?;
    let mut lines = text.lines();
    let head = lines.next().and_then(|line| serde_json::from_str::<Head>(line).ok());
    let record =
        head.and_then(|head| head.record.parse().ok()).ok_or(Error::Corrupt("it names no record"))?;
    let mut notes: Vec<Note> = Vec::new();
    for line in lines {
        let line: Line = serde_json::from_str(line).map_err(|_| {
            Error::Corrupt(
                "a line is not a \
        note",
            )
        })?;
        let note = line.note().ok_or(Error::Corrupt("a note is invalid"))?;
        if notes.last().is_some_and(|last| last.chunk >= note.chunk) {
            return Err(Error::Corrupt("its notes are out of order"));
        }
        notes.push(note);
    }
    Ok((record, notes))
}

/// Turns a model's answer into the text of a note; `None` if nothing is left.
///
/// The text is one line, without the fences and quotes that models put around an answer. A text
/// that is too long is cut after a sentence.
pub fn paragraph(answer: &str) -> Option<String> {
    let mut out = String::new();
    let lines = answer.lines().map(str::trim).filter(|line| !line.starts_with("```"));
    for word in lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || c.is_control())) {
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > 2 * MAX_TEXT {
            break;
        }
    }
    let quoted = out.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let text = quoted.unwrap_or(&out).trim();
    let mut cut = head(text, MAX_TEXT);
    if cut.len() < text.len() {
        cut = sentences(cut);
    }
    cut.chars().any(char::is_alphanumeric).then(|| cut.to_owned())
}

/// Returns the complete sentences of a truncated text, or all of it if there is none.
pub(super) fn sentences(text: &str) -> &str {
    let end = text.trim_end();
    if end.ends_with('.') {
        return end;
    }
    text.rfind(". ").and_then(|at| text.get(..=at)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::super::key_of;
    use super::*;
    use proptest::prelude::*;

    fn sample() -> (ObjectId, Vec<Note>) {
        let note = |chunk, text: &str| Note {
            chunk,
            key: key_of(text),
            model: "ollama:m".into(),
            text: text.into(),
        };
        ("ab".repeat(20).parse().unwrap(), vec![note(0, "One \"é\"."), note(3, "Two.")])
    }

    #[test]
    fn the_bytes_are_those_of_the_document() {
        let (record, notes) = sample();
        let (bytes, n) = encode(record, &notes);
        assert_eq!(n, notes.len());
        let text = std::str::from_utf8(&bytes).unwrap();
        let mut lines = text.split_inclusive('\n');
        assert_eq!(lines.next().unwrap(), format!("{{\"record\":\"{record}\"}}\n"));
        let second: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        assert_eq!(second["text"], "One \"é\".");
        assert_eq!(second["key"].as_str().unwrap().len(), 32);
        assert_eq!(decode(&bytes).unwrap(), (record, notes));
    }

    #[test]
    fn hostile_notes_are_refused() {
        let (record, notes) = sample();
        for change in [
            |note: &mut Note| note.text = "two\nlines".into(),
            |note: &mut Note| note.text = "\u{1b}[2J".into(),
            |note: &mut Note| note.text = "x".repeat(2001),
            |note: &mut Note| note.text.clear(),
            |note: &mut Note| note.model = "m".repeat(201),
            |note: &mut Note| note.model.clear(),
            |note: &mut Note| note.chunk = 0,
            |note: &mut Note| note.chunk = 1 << 20,
        ] {
            let mut bad = notes.clone();
            change(&mut bad[1]);
            assert!(matches!(decode(&encode(record, &bad).0), Err(Error::Corrupt(_))));
        }
        for change in [
            |note: &mut Note| note.text = "x".repeat(2000),
            |note: &mut Note| note.model = "m".repeat(200),
            |note: &mut Note| note.chunk = (1 << 20) - 1,
        ] {
            let mut good = notes.clone();
            change(&mut good[1]);
            assert_eq!(decode(&encode(record, &good).0).unwrap().1, good);
        }
        let deep = format!("{{\"record\":\"{record}\"}}\n{{\"x\":{}", "[".repeat(100_000));
        for bytes in [&b""[..], b"\xff", b"{}\n", b"{\"record\":\"zz\"}\n", deep.as_bytes()] {
            assert!(decode(bytes).is_err());
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let (record, notes) = sample();
        let text = "\"".repeat(MAX_TEXT);
        let many: Vec<Note> =
            (0..10_000).map(|chunk| Note { chunk, text: text.clone(), ..notes[0].clone() }).collect();
        let (bytes, n) = encode(record, &many);
        assert!(bytes.len() as u64 <= MAX_BYTES && (7_000..10_000).contains(&n), "{n}");
        assert_eq!(decode(&bytes).unwrap().1, many[..n]);
    }

    #[test]
    fn answers_become_one_paragraph() {
        for (answer, expected) in [
            ("  Opens\n\nit.\n", Some("Opens it.")),
            ("```\nOpens it.\n```", Some("Opens it.")),
            ("\"Opens it.\"", Some("Opens it.")),
            ("a\u{1b}[2Jb", Some("a [2Jb")),
            ("", None),
            ("```\n```", None),
            ("…", None),
        ] {
            assert_eq!(paragraph(answer).as_deref(), expected, "{answer}");
        }
        let long = paragraph(&"A sentence of words. ".repeat(500)).unwrap();
        assert!(long.len() <= MAX_TEXT && long.ends_with("words."), "{long}");
        assert_eq!(sentences("It opens. It clo"), "It opens.");
        assert_eq!((sentences("It opens. "), sentences("It op")), ("It opens.", "It op"));
        assert!(paragraph(&"é".repeat(5000)).unwrap().len() <= MAX_TEXT);
    }

    proptest! {
        #[test]
        fn any_bytes_end_in_a_value_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
        }

        #[test]
        fn any_answer_becomes_a_note_that_can_be_read(answer in "\\PC{0,80}|[\\x00-\\xff]{0,80}") {
            if let Some(text) = paragraph(&answer) {
                let (record, mut notes) = sample();
                notes[1].text = text;
                prop_assert_eq!(decode(&encode(record, &notes).0).unwrap().1, notes);
            }
        }
    }
}
