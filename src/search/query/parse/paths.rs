//! The paths that a text mentions: `src/a.rs:12`, stack frames, links with `#L7`.
//!
//! Text → [`NamedPath`]s with lines and functions, in order, each once and at most [`MAX_PATHS`].
//! Frames of the language itself name no file of a repository, so they are skipped.
//! Pure: whether such a file exists is decided by the module `named`.

use crate::base::text::identifier::offset_in;

use super::frames::{self, Lines};
use super::words;
use crate::search::query::QueryKind;

/// Maximum number of paths.
const MAX_PATHS: usize = 32;
/// A file that a query mentions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedPath {
    /// The path as written, without a leading `./` or `/`.
    pub path: String,
    /// The folder that the file is in by convention, if a frame of the JVM names its package
    /// (`a/b`); else empty.
    pub package: String,
    /// A line of the file, 1-based.
    pub line: Option<u32>,
    /// The function that a stack frame names in the file, as `f` or `Type.f`. If the frame names no
    /// file, the path is empty.
    pub function: Option<String>,
    /// In a stack trace, the number of frames between this one and where it stopped; else 0.
    pub depth: usize,
}

/// Numbers the frames of a stack trace from the innermost. Other texts have no frames.
pub(in crate::search::query) fn number_frames(paths: &mut [NamedPath], text: &str, kind: QueryKind) {
    if kind != QueryKind::StackTrace {
        return;
    }
    // Python prints the innermost frame last.
    let is_last = text.contains("most recent call last")
        || text.trim_start().starts_with("File \"") && !text.contains("most recent call first");
    let number = |(depth, path): (usize, &mut NamedPath)| path.depth = depth;
    if is_last {
        paths.iter_mut().rev().enumerate().for_each(number);
    } else {
        paths.iter_mut().enumerate().for_each(number);
    }
}

/// Returns the paths that a text mentions, in order, each once.
pub(in crate::search::query) fn named_paths(text: &str) -> Vec<NamedPath> {
    let mut found: Vec<NamedPath> = Vec::new();
    let all: Vec<&str> = text.lines().collect();
    let mut above = "";
    for (at, &line) in all.iter().enumerate() {
        let lines = Lines { above, line, below: all.get(at + 1..).unwrap_or_default() };
        above = line;
        if frames::is_outside(line) {
            continue;
        }
        let words = line.split(|c: char| c.is_whitespace() || "\"'`()[]<>{}".contains(c));
        let is_sign = |word: &str, c: char| ",;|".contains(c) || c == '=' && !word.contains("://");
        let words = words.flat_map(|word| word.split(move |c| is_sign(word, c)));
        let mut named: Vec<NamedPath> = words.filter_map(|word| path_in(lines, word)).collect();
        if named.iter().all(|path| path.line.is_none()) {
            let bare = || frames::bare(lines).map(|name| (String::new(), name));
            named.extend(frames::of_type(line).or_else(bare).map(|(path, name)| NamedPath {
                path,
                function: Some(name),
                ..NamedPath::default()
            }));
        }
        // Other paths in a frame are those of programs and libraries.
        let is_frame = named.iter().any(|path| path.function.is_some());
        named.retain(|path| !is_frame || path.function.is_some());
        for path in named {
            if found.len() >= MAX_PATHS {
                return found;
            }
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    found
}

/// Returns the path that a word of a line is, with its line and what a frame says of it.
fn path_in(lines: Lines<'_>, word: &str) -> Option<NamedPath> {
    let mut path = named_path(word)?;
    path.line = path.line.or_else(|| line_behind(lines.line, word));
    if path.line.is_some() {
        path.function = frames::function(lines);
        path.package = frames::package(lines.line);
    }
    Some(path)
}

/// Returns the line number after a path, which is `word` of `text`: `"a.py", line 12` (Python),
/// `a.php(12)` (PHP, and compilers: `a.ts(12,5)`), `a.cs:line 12` (C#), `a.php on line 12`, `a.pl
/// line 12` (Perl), `a.ps1: line 12` (PowerShell), `{file,"a.erl"},{line,12}` (Erlang), `a.R#12`,
/// `[a.cpp @ 12]` (WinDbg).
fn line_behind(text: &str, word: &str) -> Option<u32> {
    let rest = text.get(offset_in(text, word).saturating_add(word.len())..)?;
    if word.ends_with(":line") {
        return leading_number(rest.strip_prefix(' ')?);
    }
    if word.ends_with(':')
        && let Some(number) = rest.strip_prefix(" line ")
    {
        return leading_number(number);
    }
    let signs = ["(", " on line ", "\", line ", ", line ", " line ", "\"},{line,", " @ ", " : "];
    let before = signs.iter().find_map(|before| rest.strip_prefix(before))?;
    let n_digits = before.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = !before.get(n_digits..).is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    leading_number(before).filter(|_| is_number)
}

fn named_path(word: &str) -> Option<NamedPath> {
    let word = word.trim_end_matches(['.', ':', '!', '?']).trim_start_matches(['.', ':', '@']);
    // Dart: `package:app/src/a.dart` is in the folder `lib` of the package.
    let dart = word.strip_prefix("package:").and_then(|rest| rest.split_once('/'));
    let dart = dart.map(|(package, rest)| format!("{package}/lib/{rest}"));
    let word = dart.as_deref().unwrap_or(word);
    // Godot's root.
    let word = word.strip_prefix("res://").unwrap_or(word);
    let word = match word.split_once("://") {
        Some((scheme, rest)) => &of_url(scheme, rest)?,
        None => word,
    };
    let (path, line) = match word.find("#L") {
        None if word.contains(".R#") => {
            let (path, line) = word.split_once('#')?;
            (path, leading_number(line))
        }
        Some(at) => (word.get(..at)?, leading_number(word.get(at + 2..)?)),
        // A colon at the second byte follows the letter of a drive.
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
    // `and/or` is not a path; `src/query` may be one. Two separators, or a directory and an
    // extension, make it likely.
    let deep = directory.contains('/') || (!directory.is_empty() && extension.is_some());
    let plausible = !name.is_empty() && (known || deep) && path.len() <= 4096;
    plausible.then_some(NamedPath { path, line, ..NamedPath::default() })
}

/// Returns the path in a URL, with the line after it; `None` for a web page. It may be a file, a
/// source in a bundle, a place in a browser's trace (`http://localhost:3000/src/a.js?t=1:12:5`), or
/// a file at a forge (`…/blob/main/src/a.js#L12`).
fn of_url(scheme: &str, rest: &str) -> Option<String> {
    let (_, path) = rest.split_once('/')?;
    let path = match path.split_once('?') {
        Some((path, query)) => {
            let line = query.find("#L").or_else(|| query.find(':')).unwrap_or(query.len());
            format!("{path}{}", query.get(line..)?)
        }
        None => path.to_owned(),
    };
    // Firefox writes `f@http://…`, so the scheme may have a prefix.
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

    /// Returns the paths that a text mentions, each with its line.
    fn found(text: &str) -> Vec<(String, Option<u32>)> {
        named_paths(text).into_iter().map(|path| (path.path, path.line)).collect()
    }

    #[test]
    fn paths_and_lines_are_found_in_text() {
        let paths =
            found("It is in ./src/a.rs:12:5, see lib/b.py#L7 and https://x.org/a/b.py and and/or.\nok");
        assert_eq!(paths, [("src/a.rs".to_owned(), Some(12)), ("lib/b.py".to_owned(), Some(7))]);
    }

    #[test]
    fn lines_stand_behind_paths_in_many_ways() {
        for (text, path, line) in [
            (r#"  File "/a/requests/api.py", line 73, in get"#, "a/requests/api.py", Some(73)),
            ("#0 /app/src/Util/Filesystem.php(300): strlen()", "app/src/Util/Filesystem.php", Some(300)),
            ("#0 phar:///usr/bin/x/src/Cache.php(130): f()", "usr/bin/x/src/Cache.php", Some(130)),
            ("in /app/src/Cache.php on line 130", "app/src/Cache.php", Some(130)),
            ("   at A.B.Run(String name) in /src/B.cs:line 12", "src/B.cs", Some(12)),
            ("src/a.ts(12,5): error TS2345: no", "src/a.ts", Some(12)),
            ("src/a.ts (the first of 12)", "src/a.ts", None),
            ("src/a.ts(3rd)", "src/a.ts", None),
        ] {
            assert_eq!(found(text), [(path.to_owned(), line)], "{text}");
        }
    }

    #[test]
    fn frames_of_the_language_name_no_path() {
        let text = "<internal:/usr/lib/ruby/kernel_require.rb>:85:in 'require'\n\
                    /a/lib/pump.rb:3:in 'Pump#run': dry (Dry)\n\tfrom <internal:kernel>:187:in 'loop'\n\
                    \tat java.lang.Thread.run(Unknown Source)\n";
        assert_eq!(found(text), [("a/lib/pump.rb".to_owned(), Some(3))]);
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
            assert_eq!(found(text), [(path.to_owned(), line)], "{text}");
        }
        for text in
            ["see https://x.org/a/b.py", "at node:internal/modules/loader:12", "http://localhost:8000/"]
        {
            assert_eq!(named_paths(text), [], "{text}");
        }
    }
}
