//! Circles between files: each file that imports one which imports it, directly or through others.
//!
//! A reader has to know all files of a circle to understand one of them, so there are no new ones.
//! Names that a module hands on (`pub use`) count for the file that declares them. A module and the
//! files in its folder are one thing, so a file may import from the modules around it. Tests don't
//! count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::allowed::Complaint;
use super::edges::{after_colons, first_word, is_word, members};
use super::source::{code, line_of};
use crate::tree::File;

/// The folder of the program, which is a crate of its own.
const PROGRAM: [&str; 2] = ["bin", "git-cora"];

/// Most modules that hand a name on, one to the next.
const MOST_HANDS: usize = 8;

/// The path of a module, or of an item in one, from `src`.
type Path = Vec<String>;

/// What a file names of others.
#[derive(Default)]
struct Names {
    /// Paths that it depends on, with their lines.
    paths: Vec<(usize, Path)>,
    /// Names that `use` brings into the module, and what they mean.
    used: BTreeMap<String, Path>,
}

/// Complains about each import that is part of a circle.
pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let sources: BTreeMap<Path, &File> = files
        .iter()
        .filter(|file| file.is_rust())
        .filter_map(|file| Some((module(&file.path)?, file)))
        .collect();
    let names: BTreeMap<&Path, Names> =
        sources.iter().map(|(module, file)| (module, names(&sources, module, &file.text))).collect();
    let mut edges: BTreeMap<&Path, BTreeMap<&Path, usize>> = BTreeMap::new();
    for (module, found) in &names {
        for (line, path) in &found.paths {
            let to = declaring(&names, path).filter(|to| !module.starts_with(to));
            if let Some(to) = to {
                edges.entry(module).or_default().entry(to).or_insert(*line);
            }
        }
    }
    let mut complaints = Vec::new();
    for (from, to) in &edges {
        for (to, line) in to {
            let Some(back) = way(&edges, to, from) else { continue };
            let way: Vec<String> = back.iter().map(|one| one.join("::")).collect();
            let path = sources.get(*from).map(|file| file.path.clone()).unwrap_or_default();
            let text = format!(
                "{path}:{line}: imports '{}', which imports it ({})",
                to.join("::"),
                way.join(" -> ")
            );
            complaints.push(Complaint { check: "circle", path, text });
        }
    }
    complaints
}

/// Returns the module of a file below `src`; `None` for tests and other folders.
fn module(path: &str) -> Option<Path> {
    let inner = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let mut names: Path = inner.split('/').map(str::to_owned).collect();
    if names.iter().any(|name| name == "tests" || name.ends_with("_tests")) {
        return None;
    }
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    Some(names)
}

/// Returns what a file names of others.
fn names(sources: &BTreeMap<Path, &File>, module: &[String], text: &str) -> Names {
    let code = code(text);
    let code = code.find("\nmod tests {").and_then(|end| code.get(..end)).unwrap_or(&code);
    let root = if module.iter().map(String::as_str).take(2).eq(PROGRAM) { PROGRAM.len() } else { 0 };
    let mut found = Names::default();
    let mut at = 0;
    while let Some((word, start)) = next_word(code, at) {
        at = start + word.len();
        let before = code[..start].trim_end();
        let is_use = before.ends_with("use") && !before.trim_end_matches("use").ends_with(is_word);
        let Some(mut base) = base(module, root, word, &code[start..]) else {
            let child: Path = module.iter().cloned().chain([word.to_owned()]).collect();
            if is_use && sources.contains_key(&child) {
                for (path, name) in tree(&code[at..]) {
                    let path: Path = child.iter().cloned().chain(path).collect();
                    found.add(path, name, line_of(code, start), is_handed_on(before), true);
                }
            }
            continue;
        };
        if before.ends_with("(in") || before.ends_with("::") {
            continue; // a visibility, or the rest of a path
        }
        let mut rest = &code[at..];
        while let Some(next) = after_colons(rest).and_then(|rest| rest.strip_prefix("super")) {
            base.pop();
            rest = next;
        }
        for (path, name) in tree(rest) {
            let path = base.iter().cloned().chain(path).collect();
            found.add(path, name, line_of(code, start), is_use && is_handed_on(before), is_use);
        }
    }
    found
}

impl Names {
    fn add(&mut self, path: Path, name: Option<String>, line: usize, is_handed_on: bool, is_use: bool) {
        let name = name.or_else(|| path.last().cloned());
        if let Some(name) = name.filter(|_| is_use) {
            self.used.insert(name, path.clone());
        }
        if !is_handed_on {
            self.paths.push((line, path));
        }
    }
}

/// Returns the next word of the code from an offset, with its own offset.
fn next_word(code: &str, from: usize) -> Option<(&str, usize)> {
    let rest = code.get(from..)?;
    let start = from + rest.find(is_word)?;
    let word = &code[start..];
    Some((word.find(|c| !is_word(c)).map_or(word, |end| &word[..end]), start))
}

/// Returns the module that `crate`, `super` or `self` means before `::`.
fn base(module: &[String], root: usize, word: &str, rest: &str) -> Option<Path> {
    after_colons(rest.strip_prefix(word)?)?;
    match word {
        "crate" => Some(module.get(..root)?.to_vec()),
        "super" => Some(module.get(..module.len().checked_sub(1)?)?.to_vec()),
        "self" => Some(module.to_vec()),
        _ => None,
    }
}

/// Returns whether the text before a path ends in `pub use`, of any visibility.
fn is_handed_on(before: &str) -> bool {
    let before = before.trim_end().trim_end_matches("use").trim_end();
    before.ends_with("pub")
        || (before.ends_with(')')
            && before.rfind("pub(").is_some_and(|at| before[at..].matches(')').count() == 1))
}

/// Returns the paths of the tree that follows a first name, with the names that `as` gives them.
fn tree(rest: &str) -> Vec<(Path, Option<String>)> {
    let Some(rest) = after_colons(rest) else {
        let name = rest.trim_start().strip_prefix("as ").and_then(|rest| first_word(rest.trim_start()));
        return vec![(Path::new(), name)];
    };
    let branches = match rest.strip_prefix('{') {
        Some(group) => members(group),
        None => vec![rest],
    };
    let mut found = Vec::new();
    for branch in branches {
        let Some(first) = first_word(branch).filter(|first| first != "self") else { continue };
        let rest = branch.trim_start_matches("r#").get(first.len()..).unwrap_or_default();
        found.extend(tree(rest).into_iter().map(|(mut path, name)| {
            path.insert(0, first.clone());
            (path, name)
        }));
    }
    found
}

/// Returns the module that declares what a path names.
fn declaring<'n>(names: &BTreeMap<&'n Path, Names>, path: &[String]) -> Option<&'n Path> {
    let mut path = path.to_vec();
    for _ in 0..MOST_HANDS {
        let (module, found) = (0..=path.len()).rev().find_map(|len| {
            let (module, found) = names.get_key_value(&path[..len].to_vec())?;
            Some((*module, found))
        })?;
        match path.get(module.len()).and_then(|name| found.used.get(name)) {
            Some(meant) => path = meant.iter().chain(&path[module.len() + 1..]).cloned().collect(),
            None => return Some(module),
        }
    }
    None
}

/// Returns the shortest way from a module to another; `None` if there is none.
fn way<'n>(
    edges: &BTreeMap<&'n Path, BTreeMap<&'n Path, usize>>,
    from: &'n Path,
    to: &'n Path,
) -> Option<Vec<&'n Path>> {
    let mut seen = BTreeSet::from([from]);
    let mut ways = VecDeque::from([vec![from]]);
    while let Some(way) = ways.pop_front() {
        let last = *way.last()?;
        if last == to {
            return Some(way);
        }
        for next in edges.get(last).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(next) {
                ways.push_back(way.iter().copied().chain([*next]).collect());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<File> = files.iter().map(|(path, text)| File::new(path, text)).collect();
        check(&files).into_iter().map(|complaint| complaint.text).collect()
    }

    #[test]
    fn each_import_of_a_circle_is_a_complaint() {
        let found = complaints(&[
            ("src/lib.rs", "mod a;\nmod b;\nmod c;\n"),
            ("src/a.rs", "use crate::b::B;\n"),
            ("src/b.rs", "//! B.\nuse super::c;\n"),
            ("src/c.rs", "fn f() { crate::a::g() }\n"),
            ("src/d.rs", "use crate::a::A;\n"),
        ]);
        assert_eq!(
            found,
            [
                "src/a.rs:1: imports 'b', which imports it (b -> c -> a)",
                "src/b.rs:2: imports 'c', which imports it (c -> a -> b)",
                "src/c.rs:1: imports 'a', which imports it (a -> b -> c)",
            ]
        );
    }

    #[test]
    fn a_name_that_is_handed_on_counts_for_its_own_file() {
        let leaf = ("src/a/leaf.rs", "pub struct Leaf;\n");
        let user = ("src/a/user.rs", "use super::Leaf;\n");
        for hand in ["pub use leaf::Leaf;", "pub(in crate::a) use leaf::Leaf;", "use self::leaf::Leaf;"] {
            let text = format!("{hand}\nuse user::User;\n");
            assert_eq!(complaints(&[("src/a/mod.rs", &text), leaf, user]), [""; 0], "{hand}");
        }
        let other = ("src/b.rs", "use crate::a::user::User;\npub struct Leaf;\n");
        let own = ("src/a/user.rs", "use crate::b::Leaf;\n");
        assert_eq!(complaints(&[("src/a/mod.rs", "use user::User;\n"), own, other]).len(), 2);
    }

    #[test]
    fn a_file_may_import_from_the_module_around_it() {
        let user = ("src/a/user.rs", "use super::Leaf;\n");
        assert_eq!(complaints(&[("src/a/mod.rs", "use user::User;\npub struct Leaf;\n"), user]), [""; 0]);
    }

    #[test]
    fn neither_tests_nor_visibilities_nor_comments_import() {
        let one = ("src/a/mod.rs", "use crate::b::B;\n");
        for text in [
            "#[cfg(test)]\nmod tests {\n    use crate::a;\n}\n",
            "pub(in crate::a) fn f() {}\n",
            "// use crate::a;\n",
            "const A: &str = \"crate::a\";\n",
        ] {
            assert_eq!(complaints(&[one, ("src/b.rs", text)]), [""; 0], "{text}");
        }
        assert_eq!(complaints(&[one, ("src/b/tests.rs", "use crate::a::A;\n")]), [""; 0]);
    }

    #[test]
    fn the_program_is_a_crate_of_its_own() {
        let found = complaints(&[
            ("src/bin/git-cora/main.rs", "mod cli;\n"),
            ("src/bin/git-cora/cli.rs", "use crate::hook::{self, run as start};\n"),
            ("src/bin/git-cora/hook.rs", "use super::cli::Context;\n"),
            ("src/hook.rs", "use crate::cli;\n"),
        ]);
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
