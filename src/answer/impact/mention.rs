//! Documents and settings that name changed declarations: names → lines.
//!
//! The words of the index find the files, and the source decides. A name that is also a word of
//! plain text (`run`, `Store`) counts only where it is written as code: in back quotes or quotes,
//! behind a dot or `::`, or before a parenthesis. A member whose name others have too counts only
//! near the name of its type. Files that the change touched are left out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use crate::answer::relations::unresolved::each_chunk_with;
use crate::base::text::{counted, line_at, quoted, words};
use crate::index::chunk::is_document;
use crate::search::graph::{DeclarationRef, Graph};
use crate::search::segment::DeclarationView;
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

/// Returns whether a file may be a document or have settings. Files of languages without a grammar
/// are text too, such as grammars of parsers.
fn is_prose(language: &str, path: &BStr) -> bool {
    const ENDINGS: [&str; 12] =
        ["1", "5", "7", "8", "adoc", "cfg", "conf", "log", "md", "rst", "text", "txt"];
    let name = path.rsplit_once_str("/").map_or(path, |(_, name)| name.as_bstr());
    let ending = name.rsplit_once_str(".").map(|(_, ending)| ending);
    language != "text" || ending.is_none_or(|ending| ENDINGS.iter().any(|one| ending == one.as_bytes()))
}

/// Shortest name that is looked for, in bytes: a shorter one is a word of any text.
const LEAST_NAME: usize = 3;
/// Most names that are looked for.
const MOST_NAMES: usize = 200;
/// A name in more files than this says nothing about any of them.
const MOST_FILES: usize = 200;

/// Lines around a name in which the name of its type is looked for.
const NEAR: usize = 2;

/// The types of the declarations of one name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Owners {
    /// The types of those that changed, if others have the name too. Without any, the name alone
    /// means them.
    own: BTreeSet<String>,
    /// The types of the others.
    others: BTreeSet<String>,
}

/// Returns the names of the sources, with their types.
fn named(graph: &Graph<'_, '_>, sources: &[Source]) -> Result<BTreeMap<String, Owners>> {
    let mut found: BTreeMap<String, Owners> = BTreeMap::new();
    let mut top: BTreeSet<&str> = BTreeSet::new();
    for one in sources.iter().filter(|one| one.name.len() >= LEAST_NAME) {
        let owners = found.entry(one.name.clone()).or_default();
        match owner(graph, one.at.1) {
            Some(own) => _ = owners.own.insert(own),
            None => _ = top.insert(&one.name),
        }
    }
    let known: BTreeSet<DeclarationRef> = sources.iter().map(|one| one.at.1).collect();
    for (name, owners) in found.iter_mut().take(MOST_NAMES) {
        // Without a type of its own, the name alone means it.
        if owners.own.is_empty() || top.contains(name.as_str()) {
            owners.own.clear();
            continue;
        }
        let mut all = graph.find(name)?;
        all.retain(|at| {
            let is_named = graph.declaration(*at).is_some_and(|(file, row)| file.segment.name(&row) == name);
            is_named && !known.contains(at)
        });
        let others: Vec<Option<String>> = all.into_iter().map(|at| owner(graph, at)).collect();
        let is_other = |other: &Option<String>| other.as_ref().is_none_or(|one| !owners.own.contains(one));
        if !others.iter().any(is_other) {
            owners.own.clear();
        }
        owners.others = others.into_iter().flatten().filter(|one| !owners.own.contains(one)).collect();
    }
    Ok(found)
}

/// Returns the name of the type around a declaration.
fn owner(graph: &Graph<'_, '_>, at: DeclarationRef) -> Option<String> {
    let (file, row) = graph.declaration(at)?;
    let path = DeclarationView { file, ord: at.ord, row }.symbol_path();
    let mut parts = path.rsplit(['.', ':', '#', '\\']).filter(|part| !part.is_empty());
    parts.nth(1).map(str::to_owned)
}

/// Returns the documents and settings that name the sources, by path; each file once for a name.
pub(super) fn mentions(
    searcher: &Searcher,
    graph: &Graph<'_, '_>,
    sources: &[Source],
    comparison: Option<&Comparison>,
    notes: &mut Vec<String>,
) -> Result<Vec<ImpactMention>> {
    let names = named(graph, sources)?;
    let index = searcher.index();
    let mut found = Vec::new();
    let mut texts: HashMap<BString, Option<Arc<str>>> = HashMap::new();
    let mut n_common = 0;
    for (name, owners) in names.iter().take(MOST_NAMES) {
        let mut files: BTreeSet<BString> = BTreeSet::new();
        each_chunk_with(&index, name, |_, file| {
            if is_no_code(file.language()) && is_prose(file.language(), file.path()) {
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
            if let Some(line) = text.as_deref().and_then(|text| line_of(text, name, owners)) {
                found.push(ImpactMention {
                    path: quoted(path.as_bstr()).into_owned(),
                    line,
                    name: name.clone(),
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
fn line_of(text: &str, name: &str, owners: &Owners) -> Option<u32> {
    let is_there = |own: &String| words(text, own).next().is_some();
    if !owners.own.is_empty() && !owners.own.iter().any(is_there) {
        return None;
    }
    let is_plain = is_plain_word(name);
    let at = words(text, name)
        .find(|at| (!is_plain || is_code(text, *at, name.len())) && is_of(text, *at, owners))?;
    Some(line_at(text, at))
}

/// Returns whether a name in a text is that of a member of one of the types.
fn is_of(text: &str, at: usize, owners: &Owners) -> bool {
    if owners.own.is_empty() {
        return true;
    }
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let qualifier = before.trim_end_matches(['.', ':', '#']);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = qualifier.trim_end_matches(is_word).len();
    let qualifier = qualifier.get(start..).filter(|_| before.ends_with(['.', ':', '#'])).unwrap_or_default();
    if owners.others.contains(qualifier) {
        return false;
    }
    let from = before.rmatch_indices('\n').nth(NEAR).map_or(0, |(at, _)| at);
    let to = after.match_indices('\n').nth(NEAR).map_or(text.len(), |(end, _)| at + end);
    let near = text.get(from..to).unwrap_or_default();
    owners.own.iter().any(|own| words(near, own).next().is_some())
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
            assert_eq!(line_of(text, name, &Owners::default()), expected, "{text}");
        }
    }

    #[test]
    fn a_name_of_several_members_needs_its_type_near() {
        let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let owners = Owners { own: set(&["Request"]), others: set(&["OkHttpClient", "Cache"]) };
        for (text, expected) in [
            ("Use a Builder.", None),
            ("Use the `Builder` of a Request.", Some(1)),
            ("A `Request`:\n\n`new Builder()`", Some(3)),
            ("A Request\n\n\n\n`new Builder()`", None),
            ("a Request by OkHttpClient.Builder", None),
            ("OkHttpClient.Builder, then\nRequest.Builder", Some(2)),
        ] {
            assert_eq!(line_of(text, "Builder", &owners), expected, "{text}");
        }
    }
}
