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
        let words = line.split(|c: char| c.is_whitespace() || "\"'`()[]<>{}".contains(c));
        let is_sign = |word: &str, c: char| ",;|".contains(c) || c == '=' && !word.contains("://");
        for word in words.flat_map(|word| word.split(move |c| is_sign(word, c))) {
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
    let word = match word.split_once("://") {
        Some((scheme, rest)) => &of_url(scheme, rest)?,
        None => word,
    };
    let (path, line) = match word.find("#L") {
        Some(at) => (word.get(..at)?, leading_number(word.get(at + 2..)?)),
        // Not behind the letter of a drive.
        None => match word.match_indices(':').map(|(at, _)| at).find(|&at| at != 1) {
            Some(at) => (word.get(..at)?, leading_number(word.get(at + 1..)?)),
            None => (word, None),
        },
    };
    let path = path.replace('\\', "/");
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let path = parts.join("/");
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let extension =
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, e)| e.to_ascii_lowercase());
    let known = extension.as_deref().is_some_and(words::is_extension);
    // `and/or` is no path; `src/query` may be one: two or more separators, or an extension, make it likely.
    let deep = directory.contains('/') || (!directory.is_empty() && extension.is_some());
    let plausible = !name.is_empty() && (known || deep) && path.len() <= 4096;
    plausible.then_some(NamedPath { path, line, function: None })
}

/// What stands for a path in a URL, with the line behind it: of a file, of a source in a bundle, of a place that a browser's
/// trace names (`http://localhost:3000/src/a.js?t=1:12:5`), of a file at a forge (`…/blob/main/src/a.js#L12`); `None` for
/// any other page.
fn of_url(scheme: &str, rest: &str) -> Option<String> {
    let (_, path) = rest.split_once('/')?;
    let path = match path.split_once('?') {
        Some((path, query)) => {
            let line = query.find("#L").or_else(|| query.find(':')).unwrap_or(query.len());
            format!("{path}{}", query.get(line..)?)
        }
        None => path.to_owned(),
    };
    // Firefox: `f@http://…`.
    let is_web = scheme.ends_with("http") || scheme.ends_with("https");
    let at_forge = path.split_once("/blob/").and_then(|(_, rest)| rest.split_once('/'));
    match at_forge {
        Some((_, path)) => Some(path.to_owned()),
        None if is_web && path.rsplit(':').next().and_then(leading_number).is_none() => None,
        None => Some(path),
    }
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok().filter(|&n| n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_lines_are_found_in_text() {
        let paths =
            named_paths("It is in ./src/a.rs:12:5, see lib/b.py#L7 and https://x.org/a/b.py and and/or.\nok");
        let paths: Vec<_> = paths.iter().map(|p| (p.path.as_str(), p.line)).collect();
        assert_eq!(paths, [("src/a.rs", Some(12)), ("lib/b.py", Some(7))]);
    }

    #[test]
    fn urls_of_sources_are_paths() {
        for (text, path, line) in [
            ("at f (file:///home/me/x/src/a.js:12:5)", "home/me/x/src/a.js", Some(12)),
            ("at f (file:///C:/x/src/a.js:12:5)", "C:/x/src/a.js", Some(12)),
            ("at f (webpack:///./src/a.js:12:5)", "src/a.js", Some(12)),
            ("at f (webpack://app/./src/a.ts?1a2b:12:5)", "src/a.ts", Some(12)),
            ("at f (webpack-internal:///(rsc)/./src/a.tsx:12:5)", "src/a.tsx", Some(12)),
            ("at f (http://localhost:3000/src/a.js?t=169&v=2:12:5)", "src/a.js", Some(12)),
            ("f@http://localhost:3000/src/a.js:12:5", "src/a.js", Some(12)),
            ("see https://github.com/o/n/blob/main/src/a.py#L12-L20", "src/a.py", Some(12)),
            ("see https://github.com/o/n/blob/v1.2/src/a.py?plain=1#L12.", "src/a.py", Some(12)),
            ("see https://gitlab.com/o/n/-/blob/main/src/a.py", "src/a.py", None),
        ] {
            let paths: Vec<_> = named_paths(text).into_iter().map(|p| (p.path, p.line)).collect();
            assert_eq!(paths, [(path.to_owned(), line)], "{text}");
        }
        for text in
            ["see https://x.org/a/b.py", "at node:internal/modules/loader:12", "http://localhost:8000/"]
        {
            assert_eq!(named_paths(text), [], "{text}");
        }
    }
}
