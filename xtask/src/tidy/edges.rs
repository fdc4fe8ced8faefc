//! The edges between stages, and between the parts of a stage: who may import whom.
//!
//! `src/lib.rs` lists them in its documentation, in a block that people read and this check parses:
//!
//! ````text
//! ```edges
//! git           ->
//! index         -> git
//! index/chunk   ->
//! index/record  -> index/chunk
//! ```
//! ````
//!
//! A row may name only rows above it, so the table is the order of the pipeline and has no cycle. A
//! row with a slash is a folder inside a stage, a *part*. Its edges are about its own stage alone:
//! what the stage may import, each of its parts may import. The files directly in a stage's folder
//! may import all of its parts; a part may import those files only if its row names the stage
//! itself. The program in `src/bin` is outside the table, and no file of the library can name it.
//! It has one rule: only its `main.rs` may import its command line, `cli`. What the command line
//! and another surface share is beside both.

use std::collections::{BTreeMap, BTreeSet};

use super::source::{code, line_of};
use crate::tree::File;

const MAP: &str = "src/lib.rs";
/// The program: the compiler keeps the library from naming it.
const PROGRAM: &str = "bin/";
/// Its root, and the module in it that only this root may import.
const PROGRAM_ROOT: &str = "src/bin/git-cora/";
const COMMAND_LINE: &str = "cli";

/// Row → the rows that it may import.
type Edges = BTreeMap<String, Vec<String>>;

/// Reports each import that is not an edge.
pub(crate) fn check(files: &[File]) -> Vec<String> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else {
        return vec![format!("{MAP}:1: missing")];
    };
    let edges = match parse(&map.text) {
        Ok(edges) => edges,
        Err(complaint) => return vec![complaint],
    };
    // A folder that holds only the tests of a file beside it is no part of the map.
    let library: Vec<&File> = files
        .iter()
        .filter(|file| file.is_rust() && file.path != MAP && !file.path.ends_with("/tests.rs"))
        .filter(|file| file.path.strip_prefix("src/").is_some_and(|path| !path.starts_with(PROGRAM)))
        .collect();
    let parts: BTreeSet<String> = library.iter().filter_map(|file| part_of(&file.path)).collect();
    let missing = parts.iter().filter(|part| !edges.contains_key(*part));
    let mut complaints: Vec<String> =
        missing.map(|part| format!("{MAP}:1: the edges block has no row for '{part}'")).collect();
    complaints.extend(library.iter().flat_map(|file| check_file(&edges, &parts, file)));
    complaints.extend(files.iter().filter(|file| file.is_rust()).flat_map(check_surface));
    complaints
}

/// Complains if a module of the program imports the command line from outside.
fn check_surface(file: &File) -> Vec<String> {
    let Some(inner) = file.path.strip_prefix(PROGRAM_ROOT) else { return Vec::new() };
    let module = module(inner);
    let Some(own) = module.first().filter(|own| !["main", COMMAND_LINE].contains(own)) else {
        return Vec::new();
    };
    imports(&code(&file.text), &module)
        .into_iter()
        .filter(|(_, path)| path.first().is_some_and(|to| to == COMMAND_LINE))
        .map(|(line, _)| format!("{}:{line}: '{own}' must not import '{COMMAND_LINE}'", file.path))
        .collect()
}

/// Returns the module of a file, from its path in the crate.
fn module(inner: &str) -> Vec<&str> {
    inner.trim_end_matches(".rs").split('/').filter(|name| *name != "mod").collect()
}

/// The folder inside a stage that a file is in, as `index/chunk`.
fn part_of(path: &str) -> Option<String> {
    let mut names = path.strip_prefix("src/")?.split('/');
    let (stage, part, _) = (names.next()?, names.next()?, names.next()?);
    Some(format!("{stage}/{part}"))
}

fn check_file(edges: &Edges, parts: &BTreeSet<String>, file: &File) -> Vec<String> {
    let Some(inner) = file.path.strip_prefix("src/") else { return Vec::new() };
    let module = module(inner);
    let stage = module.first().copied().unwrap_or_default();
    if !edges.contains_key(stage) {
        return vec![format!("{}:1: '{stage}' has no row in the edges block of {MAP}", file.path)];
    }
    let own = part_of(&file.path);
    let mut complaints = Vec::new();
    for (line, path) in imports(&code(&file.text), &module) {
        let Some(to) = path.first() else { continue };
        if !edges.contains_key(to) {
            continue; // an item of the crate's root
        }
        let may = |from: &str, to: &str| edges.get(from).is_some_and(|row| row.iter().any(|one| one == to));
        if to != stage {
            if !may(stage, to) {
                complaints.push(format!("{}:{line}: '{stage}' must not import '{to}'", file.path));
            }
            continue;
        }
        // Files directly in the stage's folder may import all of its parts.
        let Some(own) = &own else { continue };
        let part = path.get(1).map(|second| format!("{stage}/{second}"));
        let to = part.filter(|part| parts.contains(part)).unwrap_or_else(|| stage.to_owned());
        if to != *own && !may(own, &to) {
            complaints.push(format!("{}:{line}: '{own}' must not import '{to}'", file.path));
        }
    }
    complaints
}

/// Parses the edges block.
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
        if let Some((stage, _)) = from.split_once('/') {
            let is_inside = |to: &String| to == stage || to.split('/').next() == Some(stage);
            if let Some(outside) = to.iter().find(|to| !is_inside(to)) {
                return Err(format!("{MAP}:{line}: '{from}' lists '{outside}', which is not in '{stage}'"));
            }
        }
        if edges.insert(from.to_owned(), to).is_some() {
            return Err(format!("{MAP}:{line}: a second row for '{from}'"));
        }
    }
    Ok(edges)
}

/// The paths from the crate's root that a file names, each with its line and at most two names
/// long. `module` is the file's own path; `code` holds neither comments nor literals.
fn imports(code: &str, module: &[&str]) -> Vec<(usize, Vec<String>)> {
    let mut found: Vec<(usize, Vec<String>)> = Vec::new();
    for (at, word) in code.match_indices("crate") {
        if !code[..at].ends_with(is_word) && !code[..at].ends_with('$') {
            let line = line_of(code, at);
            found.extend(tree(&code[at + word.len()..]).into_iter().map(|path| (line, path)));
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
        // An inline module takes one `super` more; counting it as the file's own names a place
        // further up, whose import is allowed wherever that of the nearer one is.
        let Some(kept) = module.len().checked_sub(n).and_then(|len| module.get(..len)) else { continue };
        let line = line_of(code, at);
        for path in tree(rest) {
            let path = kept.iter().map(|name| (*name).to_owned()).chain(path).take(2).collect();
            found.push((line, path));
        }
    }
    found.sort();
    found
}

/// The first two names of each path in the tree that follows a `crate` or `super`.
fn tree(rest: &str) -> Vec<Vec<String>> {
    let Some(rest) = after_colons(rest) else { return Vec::new() };
    let mut paths = Vec::new();
    for (first, rest) in branches(rest) {
        let seconds = after_colons(rest).map(branches).unwrap_or_default();
        if seconds.is_empty() {
            paths.push(vec![first]);
        } else {
            paths.extend(seconds.into_iter().map(|(second, _)| vec![first.clone(), second]));
        }
    }
    paths
}

/// The names that a path or a braced group begins with, each with what follows it.
fn branches(text: &str) -> Vec<(String, &str)> {
    let split = |text| {
        let word = first_word(text)?;
        let bare = text.trim_start_matches("r#");
        Some((word.clone(), bare.get(word.len()..)?))
    };
    match text.strip_prefix('{') {
        None => split(text).into_iter().collect(),
        Some(group) => members(group).into_iter().filter_map(split).collect(),
    }
}

/// The members of a `use` group whose opening brace is read.
pub(super) fn members(group: &str) -> Vec<&str> {
    let (mut found, mut level, mut start) = (Vec::new(), 0_u32, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => level += 1,
            '}' if level > 0 => level -= 1,
            ',' | '}' if level == 0 => {
                found.push(group[start..at].trim_start());
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

pub(super) fn after_colons(text: &str) -> Option<&str> {
    Some(text.trim_start().strip_prefix("::")?.trim_start())
}

pub(super) fn first_word(text: &str) -> Option<String> {
    let word: String = text.trim_start_matches("r#").chars().take_while(|c| is_word(*c)).collect();
    (!word.is_empty()).then_some(word)
}

pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP_TEXT: &str = "//! Map.\n//!\n//! ```edges\n//! git ->\n//! index -> git\n//! index/chunk ->\n\
                            //! index/record -> index/chunk\n//! index/deep -> index\n\
                            //! search -> index\n//! search/query ->\n//! ```\n";

    fn complaints(path: &str, text: &str) -> Vec<String> {
        let others = ["src/index/chunk/x.rs", "src/index/record/x.rs", "src/search/query/x.rs"];
        let mut files = vec![File::new(MAP, MAP_TEXT), File::new(path, text)];
        files.extend(others.map(|path| File::new(path, "")));
        check(&files)
    }

    #[test]
    fn stages_import_what_their_row_names() {
        let cases = [
            ("src/index/mod.rs", "use crate::git::Repo;\nuse crate::Anything;", 0),
            ("src/git/mod.rs", "use crate::index::Id;", 1),
            ("src/git/mod.rs", "use crate::{index::{a, b}, search};", 3),
            ("src/git/mod.rs", "fn f() { crate :: search::g() }", 1),
            ("src/git/mod.rs", "use super::search;", 1),
            ("src/git/a.rs", "use super::search;", 0),
            ("src/git/a.rs", "use super::super::search;", 1),
            ("src/index/chunk/b.rs", "use super::super::super::search;", 1),
            ("src/index/chunk/b.rs", "use super::super::super::git;", 0),
            ("src/unlisted/mod.rs", "", 1),
            ("tests/it/main.rs", "use crate::git;", 0),
            ("src/bin/git-cora/main.rs", "use crate::search;", 0),
        ];
        for (path, text, n) in cases {
            assert_eq!(complaints(path, text).len(), n, "{path}: {text}");
        }
        let complaint = "src/git/mod.rs:2: 'git' must not import 'search'";
        assert_eq!(complaints("src/git/mod.rs", "//! C.\nuse crate::search::Hit;"), [complaint]);
    }

    #[test]
    fn parts_import_what_their_row_names() {
        let cases = [
            ("src/index/record/mod.rs", "use crate::index::chunk::Span;", 0),
            ("src/index/record/mod.rs", "use super::chunk::Span;", 0),
            ("src/index/chunk/mod.rs", "use crate::index::record::Record;", 1),
            ("src/index/chunk/mod.rs", "use crate::index::{chunk, record::{a, b}};", 1),
            ("src/index/chunk/a.rs", "use super::super::record;", 1),
            ("src/index/chunk/a.rs", "use super::record;", 0),
            ("src/index/build.rs", "use super::record; use crate::index::chunk;", 0),
            // The files of the stage itself are a part too.
            ("src/index/chunk/mod.rs", "use crate::index::Error;", 1),
            ("src/index/chunk/mod.rs", "use super::Error;", 1),
            ("src/index/deep/mod.rs", "use crate::index::Error;", 0),
            // Another stage's parts are all open.
            ("src/search/query/mod.rs", "use crate::index::record::Record;", 0),
            ("src/index/strange/mod.rs", "", 1),
        ];
        for (path, text, n) in cases {
            assert_eq!(complaints(path, text).len(), n, "{path}: {text}");
        }
    }

    #[test]
    fn only_the_root_of_the_program_imports_its_command_line() {
        let cases = [
            ("main.rs", "mod cli;\nfn main() { cli::run() }", 0),
            ("main.rs", "use crate::cli::run;", 0),
            ("cli/show/mod.rs", "use crate::cli::Outcome;", 0),
            ("cli/mod.rs", "use crate::server::run;", 0),
            ("server/mod.rs", "use crate::cli::Outcome;", 1),
            ("server/mcp/read.rs", "use crate::{cli::{a, b}, hook};", 2),
            ("hook/mod.rs", "use super::cli;", 1),
            ("prune.rs", "// crate::cli\nfn f() { crate::cli::run() }", 1),
            ("watch/mod.rs", "use crate::terminal::Context;", 0),
        ];
        for (path, text, n) in cases {
            let path = format!("{PROGRAM_ROOT}{path}");
            assert_eq!(complaints(&path, text).len(), n, "{path}: {text}");
        }
    }

    #[test]
    fn only_code_counts() {
        let texts = [
            "// crate::search",
            "/// See [`crate::search`].",
            "/* a /* crate::search */ crate::search */",
            "const A: &str = \"\\\" crate::search\";",
            "const A: &str = r#\"\" crate::search\"#;",
            "const A: &[u8] = br\"crate::search\";",
            "macro_rules! m { () => { my_crate::search } }",
        ];
        for text in texts {
            assert_eq!(complaints("src/git/mod.rs", text).len(), 0, "{text}");
        }
        let texts =
            ["fn f<'a>(x: &'a str) { crate::search::g('\"', '\\'', x) }", "let c = 'é'; crate::search::g()"];
        for text in texts {
            assert_eq!(complaints("src/git/mod.rs", text).len(), 1, "{text}");
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
        assert!(
            parse("//! ```edges\n//! a ->\n//! b ->\n//! b/c -> a\n//! ```\n")
                .is_err_and(|e| e.contains("not in 'b'"))
        );
        assert_eq!(parse(MAP_TEXT).map(|edges| edges.len()), Ok(7));
    }
}
