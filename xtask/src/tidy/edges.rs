//! The edges between stages: who may import whom.
//!
//! `src/lib.rs` lists them in its documentation, in a block that people read and this check parses:
//!
//! ````text
//! ```edges
//! repo   ->
//! index  -> repo record
//! ```
//! ````
//!
//! A row may name only rows above it, so that the table is the order of the pipeline and can't have a cycle. The
//! ground modules need no edge; the surfaces belong to the binary, and no file of the library may name one.

use std::collections::BTreeMap;

use crate::tree::File;

const MAP: &str = "src/lib.rs";
/// Used by all; they use only one another.
const GROUND: &[&str] =
    &["config", "error", "id", "identifier", "progress", "temporary", "threads", "tokens"];
/// Parts of the binary.
const SURFACES: &[&str] = &["cli", "hook", "host", "http", "mcp", "watch"];

/// Stage → the stages that it may import.
type Edges = BTreeMap<String, Vec<String>>;

/// Complains about each import that is no edge.
pub(crate) fn check(files: &[File]) -> Vec<String> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else {
        return vec![format!("{MAP}:1: missing")];
    };
    let edges = match parse(&map.text) {
        Ok(edges) => edges,
        Err(complaint) => return vec![complaint],
    };
    let library = files.iter().filter(|file| file.is_rust() && file.path != "src/main.rs");
    library.flat_map(|file| check_file(&edges, file)).collect()
}

fn check_file(edges: &Edges, file: &File) -> Vec<String> {
    let Some(inner) = file.path.strip_prefix("src/") else { return Vec::new() };
    let own = inner.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    if SURFACES.contains(&own) {
        return Vec::new();
    }
    let is_map = file.path == MAP;
    let is_ground = GROUND.contains(&own);
    if !is_map && !is_ground && !edges.contains_key(own) {
        return vec![format!("{}:1: '{own}' has no row in the edges block of {MAP}", file.path)];
    }
    let mut complaints = Vec::new();
    for (line, name) in imports(&code(&file.text), depth(inner)) {
        let allowed = if SURFACES.contains(&name.as_str()) {
            false
        } else if !edges.contains_key(&name) {
            // Ground, the own stage, or an item of the crate's root.
            true
        } else {
            is_map || name == own || edges.get(own).is_some_and(|to| to.contains(&name))
        };
        if !allowed {
            complaints.push(format!("{}:{line}: '{own}' must not import '{name}'", file.path));
        }
    }
    complaints
}

/// Reads the edges block.
fn parse(map: &str) -> Result<Edges, String> {
    let mut edges = Edges::new();
    let mut rows = map
        .lines()
        .enumerate()
        .map_while(|(ord, line)| Some((ord + 1, line.strip_prefix("//!")?.trim())))
        .skip_while(|(_, line)| *line != "```edges")
        .skip(1)
        .peekable();
    if rows.peek().is_none() {
        return Err(format!("{MAP}:1: its documentation has no ```edges block"));
    }
    for (line, row) in rows.take_while(|(_, row)| *row != "```").filter(|(_, row)| !row.is_empty()) {
        let Some((from, to)) = row.split_once("->") else {
            return Err(format!("{MAP}:{line}: expected 'stage -> stage …', found '{row}'"));
        };
        let (from, to) = (from.trim(), to.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        if let Some(unknown) = to.iter().find(|name| !edges.contains_key(*name)) {
            return Err(format!("{MAP}:{line}: '{unknown}' has no row above that of '{from}'"));
        }
        if GROUND.contains(&from) || SURFACES.contains(&from) {
            return Err(format!("{MAP}:{line}: '{from}' is not a stage"));
        }
        if edges.insert(from.to_owned(), to).is_some() {
            return Err(format!("{MAP}:{line}: a second row for '{from}'"));
        }
    }
    Ok(edges)
}

/// How many `super` lead from a file to the crate's root; `inner` is its path below `src/`.
fn depth(inner: &str) -> usize {
    let n = inner.split('/').count();
    if inner.ends_with("/mod.rs") { n - 1 } else { n }
}

/// The names that follow `crate::`, or as many `super::` as lead to the root, each with its line; for a group
/// the first name of each member. `code` holds neither comments nor literals.
fn imports(code: &str, depth: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut paths: Vec<(usize, &str)> = Vec::new();
    for (at, word) in code.match_indices("crate") {
        if !code[..at].ends_with(is_word) && !code[..at].ends_with('$') {
            paths.push((at, &code[at + word.len()..]));
        }
    }
    let mut from = 0;
    while let Some(at) = code[from..].find("super").map(|at| at + from) {
        from = at + "super".len();
        if code[..at].ends_with(is_word) || code[..at].trim_end().ends_with("super::") {
            continue;
        }
        let (mut n, mut rest) = (1, &code[from..]);
        while let Some(next) = after_colons(rest).and_then(|rest| rest.strip_prefix("super")) {
            (n, rest) = (n + 1, next);
        }
        if n >= depth {
            paths.push((at, rest));
        }
    }
    paths.sort_by_key(|(at, _)| *at);
    for (at, rest) in paths {
        let Some(rest) = after_colons(rest) else { continue };
        let line = code[..at].matches('\n').count() + 1;
        match rest.strip_prefix('{') {
            None => found.extend(first_word(rest).map(|name| (line, name))),
            Some(group) => found.extend(members(group).into_iter().map(|name| (line, name))),
        }
    }
    found
}

/// The first name of each member of a `use` group whose opening brace is read.
fn members(group: &str) -> Vec<String> {
    let (mut names, mut level, mut start) = (Vec::new(), 0_u32, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => level += 1,
            '}' if level > 0 => level -= 1,
            ',' | '}' if level == 0 => {
                names.extend(first_word(group[start..at].trim_start()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    names
}

fn after_colons(text: &str) -> Option<&str> {
    Some(text.trim_start().strip_prefix("::")?.trim_start())
}

fn first_word(text: &str) -> Option<String> {
    let word: String = text.trim_start_matches("r#").chars().take_while(|c| is_word(*c)).collect();
    (!word.is_empty()).then_some(word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The code alone: comments and the contents of literals become blanks, line feeds stay.
fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let in_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + block_comment_len(rest)
        } else if !in_word && raw_string_len(rest).is_some() {
            at + raw_string_len(rest).unwrap_or(1)
        } else if rest[0] == b'"' {
            at + quoted_len(rest, b'"')
        } else if rest[0] == b'\'' && (rest.get(1) == Some(&b'\\') || char_len(text, at).is_some()) {
            at + char_len(text, at).unwrap_or_else(|| quoted_len(rest, b'\''))
        } else {
            at += 1;
            continue;
        };
        let end = end.min(bytes.len());
        out[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Block comments nest.
fn block_comment_len(rest: &[u8]) -> usize {
    let (mut at, mut level) = (0, 0_u32);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            (level, at) = (level + 1, at + 2);
        } else if rest[at..].starts_with(b"*/") {
            (level, at) = (level - 1, at + 2);
            if level == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// The length of a raw string, its prefix included, if one begins here.
fn raw_string_len(rest: &[u8]) -> Option<usize> {
    let prefix = rest.iter().take_while(|byte| matches!(byte, b'r' | b'b' | b'c')).count();
    if prefix == 0 || prefix > 2 || rest[prefix - 1] != b'r' {
        return None;
    }
    let n_hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
    let open = prefix + n_hashes;
    if rest.get(open) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(n_hashes + 1, b'#');
    let body = &rest[open + 1..];
    let len = body.windows(close.len()).position(|window| window == close).unwrap_or(body.len());
    Some(open + 1 + len + close.len())
}

/// The length of a literal with escapes, both quotes included.
fn quoted_len(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// The length of an unescaped character literal at `at`; a lifetime is none.
fn char_len(text: &str, at: usize) -> Option<usize> {
    let mut chars = text.get(at + 1..)?.chars();
    let c = chars.next()?;
    (c != '\\' && chars.next() == Some('\'')).then(|| c.len_utf8() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP_TEXT: &str =
        "//! Map.\n//!\n//! ```edges\n//! repo ->\n//! chunk ->\n//! index -> repo chunk\n//! ```\n";

    fn complaints(path: &str, text: &str) -> Vec<String> {
        check(&[File::new(MAP, MAP_TEXT), File::new(path, text)])
    }

    #[test]
    fn edges_hold() {
        let cases = [
            ("src/index/mod.rs", "use crate::repo::Repo;\nuse crate::{chunk, error::Kind};", 0),
            ("src/chunk/mod.rs", "use crate::repo::Repo;", 1),
            ("src/chunk/mod.rs", "use crate::{id::Id, index::{a, b}, repo};", 2),
            ("src/chunk/mod.rs", "use crate::chunk::x; use crate::Anything;", 0),
            ("src/chunk/mod.rs", "fn f() { crate :: repo::g() }", 1),
            ("src/chunk/mod.rs", "use super::repo;", 1),
            ("src/chunk/a.rs", "use super::repo;", 0),
            ("src/chunk/a.rs", "use super::super::repo;", 1),
            ("src/chunk/a/b.rs", "use super::super::repo;", 0),
            ("src/error.rs", "use crate::repo;", 1),
            ("src/config.rs", "use crate::error::Kind;", 0),
            ("src/index/mod.rs", "pub(crate) use crate::cli::Args;", 1),
            ("src/cli/mod.rs", "use crate::hook;", 0),
            ("src/lib.rs.rs", "", 1),
            ("src/unlisted/mod.rs", "", 1),
            ("tests/it/main.rs", "use crate::repo;", 0),
            ("src/main.rs", "use crate::cli;", 0),
        ];
        for (path, text, n) in cases {
            assert_eq!(complaints(path, text).len(), n, "{path}: {text}");
        }
        let complaint = "src/chunk/mod.rs:2: 'chunk' must not import 'repo'";
        assert_eq!(complaints("src/chunk/mod.rs", "//! C.\nuse crate::repo;"), [complaint]);
    }

    #[test]
    fn only_code_counts() {
        let texts = [
            "// crate::repo",
            "/// See [`crate::repo`].",
            "/* a /* crate::repo */ crate::repo */",
            "const A: &str = \"\\\" crate::repo\";",
            "const A: &str = r#\"\" crate::repo\"#;",
            "const A: &[u8] = br\"crate::repo\";",
            "macro_rules! m { () => { my_crate::repo } }",
        ];
        for text in texts {
            assert_eq!(complaints("src/chunk/mod.rs", text).len(), 0, "{text}");
        }
        let texts =
            ["fn f<'a>(x: &'a str) { crate::repo::g('\"', '\\'', x) }", "let c = 'é'; crate::repo::g()"];
        for text in texts {
            assert_eq!(complaints("src/chunk/mod.rs", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(parse("//! No table.\n").is_err());
        assert!(
            parse("//! ```edges\n//! a -> b\n//! b ->\n//! ```\n").is_err_and(|e| e.contains("no row above"))
        );
        assert!(
            parse("//! ```edges\n//! a ->\n//! a ->\n//! ```\n").is_err_and(|e| e.contains("second row"))
        );
        assert!(parse("//! ```edges\n//! a\n//! ```\n").is_err_and(|e| e.contains("expected")));
        assert!(parse("//! ```edges\n//! cli ->\n//! ```\n").is_err_and(|e| e.contains("not a stage")));
        assert_eq!(parse(MAP_TEXT).map(|edges| edges.len()), Ok(3));
    }
}
