//! Documents and settings that name changed declarations: names → lines.
//!
//! The words of the index find the files, and the source decides. A name that is also a word of
//! plain text (`run`, `Store`) counts only where it is written as code: in back quotes or quotes,
//! behind a dot or `::`, or before a parenthesis. Files that the change touched are left out.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::answer::relations::unresolved::each_chunk_with;
use crate::base::text::{counted, line_at, quoted, words};
use crate::index::chunk::is_document;
use crate::search::{Result, Searcher};

use super::walk::Source;
use super::{Comparison, ImpactMention};

/// Languages of settings and data, and text.
const SETTINGS: [&str; 19] = [
    "cmake",
    "css",
    "dockerfile",
    "graphql",
    "html",
    "ini",
    "json",
    "json-lines",
    "makefile",
    "nix",
    "properties",
    "protobuf",
    "sql",
    "starlark",
    "terraform",
    "text",
    "toml",
    "xml",
    "yaml",
];

/// Returns whether files of a language are documents or settings, not code.
pub(super) fn is_no_code(language: &str) -> bool {
    is_document(language) || SETTINGS.contains(&language)
}
/// Shortest name that is looked for, in bytes: a shorter one is a word of any text.
const LEAST_NAME: usize = 3;
/// Most names that are looked for.
const MOST_NAMES: usize = 200;
/// A name in more files than this says nothing about any of them.
const MOST_FILES: usize = 200;

/// Returns the documents and settings that name the sources, by path; each file once for a name.
pub(super) fn mentions(
    searcher: &Searcher,
    sources: &[Source],
    comparison: Option<&Comparison>,
    notes: &mut Vec<String>,
) -> Result<Vec<ImpactMention>> {
    let names: BTreeSet<&str> =
        sources.iter().map(|one| one.name.as_str()).filter(|name| name.len() >= LEAST_NAME).collect();
    let index = searcher.index();
    let mut found = Vec::new();
    let mut texts: HashMap<BString, Option<Arc<str>>> = HashMap::new();
    let mut n_common = 0;
    for name in names.iter().take(MOST_NAMES) {
        let mut files: BTreeSet<BString> = BTreeSet::new();
        each_chunk_with(&index, name, |_, file| {
            if is_no_code(file.language()) {
                files.insert(file.path().to_owned());
            }
            ControlFlow::Continue(())
        })?;
        if files.len() > MOST_FILES {
            n_common += 1;
            continue;
        }
        for path in files {
            if comparison.is_some_and(|comparison| comparison.paths.contains(&path)) {
                continue;
            }
            let text = texts.entry(path.clone()).or_insert_with(|| searcher.text(path.as_bstr()));
            if let Some(line) = text.as_deref().and_then(|text| line_of(text, name)) {
                found.push(ImpactMention {
                    path: quoted(path.as_bstr()).into_owned(),
                    line,
                    name: (*name).to_owned(),
                });
            }
        }
    }
    if n_common > 0 {
        let n = counted(n_common, "name is", "names are");
        notes.push(format!("{n} in more than {MOST_FILES} documents, too many to list"));
    }
    if names.len() > MOST_NAMES {
        notes.push(format!("only {MOST_NAMES} of {} names were searched for in documents", names.len()));
    }
    found.sort();
    Ok(found)
}

/// Returns the first line of a text that means a name.
fn line_of(text: &str, name: &str) -> Option<u32> {
    let is_plain = is_plain_word(name);
    let at = words(text, name).find(|at| !is_plain || is_code(text, *at, name.len()))?;
    Some(line_at(text, at))
}

/// Returns whether a name may be a word of plain text: all small letters behind the first one.
fn is_plain_word(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.all(char::is_lowercase)
}

/// Returns whether a word is written as code.
fn is_code(text: &str, at: usize, len: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let after = text.get(at + len..).unwrap_or_default();
    let is_member = [".", "::", "#", "->", "`", "\"", "'"].iter().any(|mark| before.ends_with(mark));
    let begins_sentence = before.ends_with(". ");
    (is_member && !begins_sentence) || after.starts_with(['(', '`'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_word_counts_only_as_code() {
        for (text, name, expected) in [
            ("They run.\nCall `run` here.", "run", Some(2)),
            ("They run.\nrun() it", "run", Some(2)),
            ("a Store of things", "Store", None),
            ("see Store::open", "open", Some(1)),
            ("we retry_upload it", "retry_upload", Some(1)),
            ("the KafkaProducer sends", "KafkaProducer", Some(1)),
            ("rerun runs", "run", None),
            ("key: \"run\"", "run", Some(1)),
        ] {
            assert_eq!(line_of(text, name), expected, "{text}");
        }
    }
}
