//! The cells of a notebook: JSON → where each cell's source is, and in which language.
//!
//! Reads the versions 3 and 4 of the format. Only the strings of sources are located; nothing else
//! of the notebook is decoded.

use crate::index::chunk::documents::unescaped;
use crate::index::chunk::lines::offset;
use crate::index::chunk::{ByteRange, Language};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Most cells of a notebook; the further ones are left out.
const MAX_CELLS: usize = 10_000;

/// The kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellKind {
    /// Code; `None` if its language is unknown.
    Code(Option<Language>),
    /// Text in Markdown.
    Text,
}

/// A cell of a notebook that has a source.
#[derive(Debug)]
pub(super) struct Cell<'t> {
    pub(super) kind: CellKind,
    /// Its number in the notebook, 1-based.
    pub(super) number: usize,
    /// From the first byte of its source to the last.
    pub(super) bytes: ByteRange,
    /// The contents of the strings that its source consists of.
    pub(super) strings: Vec<ByteRange>,
    /// The notebook.
    text: &'t str,
}

impl Cell<'_> {
    /// Returns its source.
    pub(super) fn decoded(&self) -> String {
        self.strings.iter().map(|string| unescaped(string.of(self.text)).0).collect()
    }

    /// Returns its language, if it is code in a known one.
    pub(super) fn language(&self) -> Option<Language> {
        match self.kind {
            CellKind::Code(language) => language,
            CellKind::Text => None,
        }
    }

    /// Returns a piece of the cell without the marks of JSON around it, and the line feed at its
    /// end.
    pub(super) fn trimmed(&self, piece: ByteRange) -> ByteRange {
        let last = self.strings.iter().rfind(|string| string.start < piece.end);
        let mut end = last.map_or(piece.end, |string| string.end.min(piece.end)).max(piece.start);
        loop {
            let written = ByteRange { start: piece.start, end }.of(self.text);
            let bare = written.trim_end();
            // An escaped backslash before an `n` is not a line feed.
            let n_marks =
                bare.strip_suffix('n').map_or(0, |rest| rest.len() - rest.trim_end_matches('\\').len());
            let bare = if n_marks % 2 == 1 { bare.get(..bare.len() - 2).unwrap_or(bare) } else { bare };
            if bare.len() == written.len() {
                break;
            }
            end = piece.start + offset(bare.len());
        }
        let first = self.strings.iter().find(|string| string.end > piece.start);
        let start = first.map_or(piece.start, |string| string.start.max(piece.start)).min(end);
        ByteRange { start, end }
    }
}

type Fields<'t> = BTreeMap<String, &'t RawValue>;

fn object(json: &str) -> Option<Fields<'_>> {
    if json.trim_start().starts_with('{') { serde_json::from_str(json).ok() } else { None }
}

fn list<'t>(value: Option<&&'t RawValue>) -> Option<Vec<&'t RawValue>> {
    let value = value.filter(|value| value.get().starts_with('['))?;
    serde_json::from_str(value.get()).ok()
}

fn string(value: Option<&&RawValue>) -> Option<String> {
    serde_json::from_str(value?.get()).ok()
}

/// Returns the cells with a source, in order; `None` if the text is not a notebook.
pub(super) fn cells(text: &str) -> Option<Vec<Cell<'_>>> {
    let notebook = object(text.trim_start_matches('\u{feff}'))?;
    let default = kernel(&notebook);
    let mut all = list(notebook.get("cells")).unwrap_or_default();
    // Version 3 had cells in worksheets.
    for sheet in list(notebook.get("worksheets")).unwrap_or_default() {
        let sheet = object(sheet.get());
        all.extend(sheet.and_then(|sheet| list(sheet.get("cells"))).unwrap_or_default());
    }
    if all.is_empty() && !notebook.contains_key("nbformat") {
        return None;
    }
    let mut cells: Vec<Cell<'_>> = Vec::new();
    for (number, one) in (1..).zip(all).take(MAX_CELLS) {
        let Some(fields) = object(one.get()) else { continue };
        let Some(source) = fields.get("source").or_else(|| fields.get("input")) else { continue };
        let strings = strings(text, source);
        let (Some(first), Some(last)) = (strings.first(), strings.last()) else { continue };
        let bytes = ByteRange { start: first.start, end: last.end };
        let kind = match string(fields.get("cell_type")).as_deref() {
            Some("code") => {
                let of_cell = stated(&fields).map_or(default, |name| Language::from_name(&name));
                CellKind::Code(match magic(first.of(text)) {
                    Magic::Nothing => of_cell,
                    Magic::Language(name) => Language::from_name(name),
                    Magic::Unknown => None,
                })
            }
            _ => CellKind::Text,
        };
        cells.push(Cell { kind, number, bytes, strings, text });
    }
    Some(cells)
}

/// Returns the language of a notebook's code, by its kernel.
fn kernel(notebook: &Fields<'_>) -> Option<Language> {
    let metadata = notebook.get("metadata").and_then(|metadata| object(metadata.get()));
    let of = |field: &str, name: &str| {
        let info = object(metadata.as_ref()?.get(field)?.get())?;
        string(info.get(name)).filter(|name| !name.is_empty())
    };
    let name = of("language_info", "name").or_else(|| of("kernelspec", "language"));
    // A notebook without a kernel is nearly always one of Python.
    Language::from_name(name.as_deref().unwrap_or("python"))
}

/// Returns the language that a cell names itself: version 3 and some editors write it.
fn stated(fields: &Fields<'_>) -> Option<String> {
    if let Some(name) = string(fields.get("language")) {
        return Some(name);
    }
    let metadata = object(fields.get("metadata")?.get())?;
    let editor = object(metadata.get("vscode")?.get())?;
    string(editor.get("languageId"))
}

/// The command for a whole cell in its first line (`%%bash`).
#[derive(Debug, PartialEq, Eq)]
enum Magic {
    /// None, or one that runs the cell's own language.
    Nothing,
    Language(&'static str),
    Unknown,
}

fn magic(source: &str) -> Magic {
    const LANGUAGES: [(&str, &str); 12] = [
        ("R", "r"),
        ("bash", "bash"),
        ("html", "html"),
        ("javascript", "javascript"),
        ("js", "javascript"),
        ("perl", "perl"),
        ("python", "python"),
        ("python3", "python"),
        ("ruby", "ruby"),
        ("script", "bash"),
        ("sh", "bash"),
        ("sql", "sql"),
    ];
    let Some(word) = source.strip_prefix("%%") else { return Magic::Nothing };
    let end = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
    let word = word.get(..end).unwrap_or_default();
    if matches!(word, "time" | "timeit" | "capture" | "prun" | "debug" | "memit" | "cython") {
        return Magic::Nothing;
    }
    LANGUAGES.iter().find(|(name, _)| *name == word).map_or(Magic::Unknown, |one| Magic::Language(one.1))
}

/// Returns the contents of a string, or of a list of them, without their quotation marks.
fn strings(text: &str, source: &RawValue) -> Vec<ByteRange> {
    let place = |value: &RawValue| {
        // The value borrows from the text, so its address gives its position.
        let start = value.get().as_ptr().addr().saturating_sub(text.as_ptr().addr());
        let end = offset((start + value.get().len()).saturating_sub(1));
        let bytes = ByteRange { start: offset(start + 1), end };
        (value.get().starts_with('"') && !bytes.is_empty()).then_some(bytes)
    };
    match list(Some(&source)) {
        Some(all) => all.into_iter().filter_map(place).collect(),
        None => place(source).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_cells() {
        for (source, expected) in [
            ("import os", Magic::Nothing),
            ("%%time\\n", Magic::Nothing),
            ("%%bash -e\\n", Magic::Language("bash")),
            ("%%writefile a.txt\\n", Magic::Unknown),
            ("%matplotlib", Magic::Nothing),
        ] {
            assert_eq!(magic(source), expected, "{source}");
        }
    }

    #[test]
    fn sources_of_both_versions() {
        for (text, expected) in [
            (
                r#"{"cells": [{"cell_type": "code", "source": ["a\n", "b"]}], "nbformat": 4}"#,
                Some(vec!["a\nb"]),
            ),
            (r#"{"cells": [{"cell_type": "markdown", "source": "x\ny"}]}"#, Some(vec!["x\ny"])),
            (r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["c"]}]}]}"#, Some(vec!["c"])),
            (
                r#"{"cells": [3, {"source": 1}, {"source": []}, {"source": [""]}], "nbformat": 4}"#,
                Some(vec![]),
            ),
            (r#"{"a": 1}"#, None),
            ("[1]", None),
            ("{", None),
        ] {
            let found = cells(text).map(|all| all.iter().map(Cell::decoded).collect::<Vec<_>>());
            assert_eq!(found, expected.map(|all| all.into_iter().map(str::to_owned).collect()), "{text}");
        }
    }

    #[test]
    fn an_end_has_no_marks_of_json() {
        let text = r#"{"cells": [{"source": ["a\n", "\n", "\"b\\n\n"]}]}"#;
        let all = cells(text).unwrap();
        let cell = &all[0];
        let of = |end: u32| cell.trimmed(ByteRange { start: cell.bytes.start, end }).of(text);
        assert_eq!(of(cell.bytes.end), r#"a\n", "\n", "\"b\\n"#);
        assert_eq!(of(cell.strings[2].start), r#"a\n", ""#);
        assert_eq!(of(cell.strings[1].start), "a");
    }
}
