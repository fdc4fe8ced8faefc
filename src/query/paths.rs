//! Paths that a text mentions: `src/a.rs:12`, stack frames, links with `#L7`.

use super::{frames, words};

/// Most paths that are looked for.
const MAX_PATHS: usize = 32;
/// A file that a query mentions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// As written, without a leading `./` or `/`.
    pub path: String,
    /// A line of it.
    pub line: Option<u32>,
    /// The function that a frame of a stack trace names there, as `f` or `Type.f`.
    pub function: Option<String>,
}

/// The paths that a text mentions, in order, each once.
pub(super) fn named_paths(text: &str) -> Vec<NamedPath> {
    let mut found: Vec<NamedPath> = Vec::new();
    let mut above = "";
    for line in text.lines() {
        // Python: `File "a/b.py", line 12, in f`.
        let python_line = line
            .trim_start()
            .strip_prefix("File \"")
            .and_then(|rest| rest.split_once("\", line "))
            .and_then(|(_, rest)| leading_number(rest));
        for word in line.split(|c: char| c.is_whitespace() || "\"'`()[]<>{},;|=".contains(c)) {
            if found.len() >= MAX_PATHS {
                return found;
            }
            let Some(mut path) = named_path(word) else { continue };
            path.line = path.line.or(python_line);
            if path.line.is_some() {
                path.function = frames::function(line, above);
            }
            if !found.contains(&path) {
                found.push(path);
            }
        }
        above = line;
    }
    found
}

fn named_path(word: &str) -> Option<NamedPath> {
    let word = word.trim_end_matches(['.', ':', '!', '?']).trim_start_matches(['.', ':', '@']);
    if word.contains("://") {
        return None;
    }
    let (path, line) = match word.find("#L") {
        Some(at) => (word.get(..at)?, leading_number(word.get(at + 2..)?)),
        None => match word.find(':').filter(|&at| at != 1) {
            Some(at) => (word.get(..at)?, leading_number(word.get(at + 1..)?)),
            None => (word, None),
        },
    };
    let path = path.replace('\\', "/");
    let path = path.trim_start_matches("./").trim_matches('/');
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let extension =
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, e)| e.to_ascii_lowercase());
    let known = extension.as_deref().is_some_and(words::is_extension);
    // `and/or` is no path; `src/query` may be one: two or more separators, or an extension, make it likely.
    let deep = directory.contains('/') || (!directory.is_empty() && extension.is_some());
    let plausible = !name.is_empty() && (known || deep) && path.len() <= 4096;
    plausible.then(|| NamedPath { path: path.to_owned(), line, function: None })
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok().filter(|&n| n > 0)
}
