//! The introduction of a map: what a newcomer needs before any declaration.
//!
//! Index and texts → [`Introduction`]: what the repository is, where programs begin, and what each
//! folder is for. Everything is quoted from the repository: the README's first sentence, the first
//! comment of a folder's main file, or else the names of its main declarations.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use super::explain::head_doc;
use super::view::{EntryPoint, Folder, Introduction};
use crate::base::text::quoted;
use crate::index::chunk::{first_sentence, is_document};
use crate::search::graph::{DeclarationRef, Graph, is_function};
use crate::search::segment::FileView;

/// Most entry points, and most folders.
const ENTRIES: usize = 6;
const FOLDERS: usize = 12;

/// Share of all files from which a folder is listed by its own folders.
const DOMINANT: f64 = 0.5;

/// Main declarations that are named for a folder without documentation.
const NAMES: usize = 3;

/// Fewest words of a sentence that says what a repository is.
const WORDS: usize = 4;

/// First words of a sentence that leads elsewhere instead of saying what something is.
const POINTERS: [&str; 12] = [
    "See",
    "Please",
    "Visit",
    "Read",
    "Check",
    "Click",
    "For",
    "Note",
    "You",
    "If",
    "Download",
    "Documentation",
];

/// Entry points of one folder that are listed before those of the next.
const ENTRIES_OF_FOLDER: usize = 2;

/// Share of tests among the files of a folder from which it is a folder of tests.
const TESTS: f64 = 0.9;

/// Manifests that describe the package in their folder.
const MANIFESTS: [&str; 4] = ["package.json", "composer.json", "Cargo.toml", "pyproject.toml"];

/// Files whose first comment is about their folder, in the order in which they are tried.
const MAIN_FILES: [&str; 12] = [
    "README.md",
    "readme.md",
    "README.rst",
    "README",
    "mod.rs",
    "lib.rs",
    "__init__.py",
    "doc.go",
    "package-info.java",
    "index.ts",
    "index.js",
    "main.go",
];

/// Files that start a program in languages without a function for that.
const STARTS: [&str; 10] = [
    "__main__.py",
    "manage.py",
    "src/index.ts",
    "src/index.tsx",
    "src/index.js",
    "src/main.ts",
    "src/main.tsx",
    "src/main.js",
    "index.js",
    "index.ts",
];

/// Writes the introduction. `important` are the main declarations, best first, and `text` reads a
/// file.
pub(super) fn introduce(
    graph: &Graph<'_, '_>,
    important: &[DeclarationRef],
    text: &mut dyn FnMut(&BStr) -> Option<Arc<str>>,
) -> Introduction {
    let files: Vec<FileView<'_>> = graph.index().files().collect();
    let about = readme(&files)
        .and_then(|file| Some((file, text(file.path())?)))
        .map(|(file, text)| what_it_is(&head_of(&text, file)))
        .unwrap_or_default();
    let mut folders = folders(graph, &files, important, text);
    for folder in folders.iter_mut().filter(|folder| folder.about == about) {
        // The README of the repository is in it.
        folder.about.clear();
    }
    Introduction { about, entries: entries(graph, &files), folders }
}

/// The README at the root: Markdown before other forms.
fn readme<'f, 's>(files: &'f [FileView<'s>]) -> Option<&'f FileView<'s>> {
    let rank = |file: &FileView<'_>| {
        let name = file.path().to_ascii_lowercase();
        let end = name.strip_prefix(b"readme")?;
        [&b".md"[..], b".markdown", b".rst", b"", b".txt", b".adoc"].iter().position(|known| end == *known)
    };
    files.iter().filter_map(|file| Some((rank(file)?, file))).min_by_key(|one| one.0).map(|one| one.1)
}

/// Whether files of a language are text with paragraphs.
fn is_text(language: &str) -> bool {
    is_document(language) || language == "text"
}

/// The text in which a file says what it is about.
fn head_of(text: &str, file: &FileView<'_>) -> String {
    match file.language() {
        // The paragraphs of a README may come after badges and headings.
        language if is_text(language) => text.to_owned(),
        _ => head_doc(text, file),
    }
}

/// The first sentence of prose in a document, without badges, headings, tables and markup. A
/// sentence that only leads elsewhere is passed over, if one of the same section says more. The
/// title if there is none; empty if there is neither.
fn what_it_is(document: &str) -> String {
    let mut paragraph: Vec<String> = Vec::new();
    let mut is_fenced = false;
    let mut leads_elsewhere = false;
    let mut title = String::new();
    for line in document.lines().chain([""]) {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_fenced = !is_fenced;
            continue;
        }
        if is_fenced {
            continue;
        }
        if !line.is_empty() && !is_decoration(line) {
            paragraph.push(plain(line));
            continue;
        }
        if let Some(heading) = line.strip_prefix("# ").filter(|_| title.is_empty()) {
            title = plain(heading);
        }
        // The line below a heading of reStructuredText.
        if line.len() > 2 && line.bytes().all(|byte| b"=-~^#*".contains(&byte)) {
            let heading = paragraph.pop().unwrap_or_default();
            if title.is_empty() {
                title = heading;
            }
        }
        let sentence = before_list(first_sentence(&std::mem::take(&mut paragraph).join("\n")));
        if sentence.split_whitespace().count() >= WORDS {
            let first = sentence.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
            let is_pointer = POINTERS.contains(&first.unwrap_or_default());
            if !is_pointer && (!leads_elsewhere || defines(&sentence)) {
                return sentence;
            }
            leads_elsewhere |= is_pointer;
        }
        if leads_elsewhere && line.starts_with("## ") {
            return title;
        }
    }
    if leads_elsewhere { title } else { String::new() }
}

/// Whether a sentence says what something is.
fn defines(sentence: &str) -> bool {
    sentence.split_whitespace().take(6).any(|word| ["is", "are", "provides"].contains(&word))
}

/// A sentence without the clause that leads to a list or a command. Empty if nothing else is in it.
fn before_list(mut sentence: String) -> String {
    if sentence.ends_with(':') {
        let end = sentence.rfind(", ").unwrap_or(0);
        sentence.truncate(end);
        if sentence.split_whitespace().count() <= WORDS {
            sentence.clear();
        }
    }
    sentence
}

/// The description in a manifest, if it is long enough to say something.
fn description(name: &str, text: &str) -> Option<String> {
    let described = if name.ends_with(".json") {
        let manifest: serde_json::Value = serde_json::from_str(text).ok()?;
        manifest.get("description")?.as_str()?.to_owned()
    } else {
        let value = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("description")?.trim().strip_prefix('='))?;
        value.trim().trim_matches(['"', '\'']).to_owned()
    };
    let sentence = first_sentence(&described);
    (sentence.split_whitespace().count() >= WORDS).then_some(sentence)
}

/// Returns whether a line of a document is decoration rather than prose.
fn is_decoration(line: &str) -> bool {
    let begins = ["#", "<", "|", "![", "[![", ":", "..", "{", "---", "===", "***", "[//]", "%%"];
    let is_definition = line.starts_with('[') && line.contains("]:");
    begins.iter().any(|begin| line.starts_with(begin))
        || is_definition
        || line.bytes().all(|byte| byte.is_ascii_punctuation())
}

/// A line without the marks of Markdown: links become their text, images nothing.
fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        let is_image = before.ends_with('!');
        let end = link.find("](").and_then(|text| Some((text, text + link.get(text..)?.find(')')?)));
        out.push_str(before.strip_suffix('!').unwrap_or(before));
        rest = match end {
            Some((text, end)) => {
                if !is_image {
                    out.push_str(link.get(1..text).unwrap_or_default());
                }
                link.get(end + 1..).unwrap_or_default()
            }
            None => {
                out.push('[');
                link.get(1..).unwrap_or_default()
            }
        };
    }
    out.push_str(rest);
    // Emphasis; `snake_case` keeps its underscores.
    out.replace("**", "").replace("__", "").trim_start_matches(['*', '_']).trim().to_owned()
}

/// Where programs begin: functions called `main`, and files that are started. Those at the root
/// come first, then those in the folders with most files, a few of each.
fn entries(graph: &Graph<'_, '_>, files: &[FileView<'_>]) -> Vec<EntryPoint> {
    let mut found: Vec<EntryPoint> = Vec::new();
    for one in graph.index().declarations() {
        let is_main = matches!(one.name(), "main" | "Main") && is_function(one.row.kind);
        if is_main && is_of_the_product(&one.file) && !one.row.body.is_empty() {
            let path = quoted(one.file.path()).into_owned();
            found.push(EntryPoint { path, line: one.row.name_line, symbol: one.symbol_path() });
        }
    }
    for file in files.iter().filter(|file| is_of_the_product(file)) {
        let path = quoted(file.path()).into_owned();
        let is_start = STARTS.contains(&path.as_str()) || path.ends_with("/__main__.py");
        if is_start && !found.iter().any(|known| known.path == path) {
            found.push(EntryPoint { path, line: 1, symbol: String::new() });
        }
    }
    let sizes: BTreeMap<String, u32> =
        counted(files, "").into_iter().map(|(path, count)| (path, count.n)).collect();
    chosen(found, &sizes)
}

/// Chooses among entry points; `sizes` has the number of files by folder at the root.
fn chosen(mut found: Vec<EntryPoint>, sizes: &BTreeMap<String, u32>) -> Vec<EntryPoint> {
    let folder = |path: &str| path.split_once('/').map(|(folder, _)| format!("{folder}/"));
    let size = |path: &str| folder(path).map_or(u32::MAX, |of| sizes.get(&of).copied().unwrap_or(0));
    found.sort_by_cached_key(|one| {
        (
            Reverse(size(&one.path)),
            folder(&one.path),
            one.path.matches('/').count(),
            one.path.clone(),
            one.line,
        )
    });
    let mut n_of_folder: BTreeMap<Option<String>, usize> = BTreeMap::new();
    let (mut found, rest): (Vec<_>, Vec<_>) = found.into_iter().partition(|one| {
        let n = n_of_folder.entry(folder(&one.path)).or_default();
        *n += 1;
        *n <= ENTRIES_OF_FOLDER
    });
    found.extend(rest);
    found.truncate(ENTRIES);
    found
}

fn is_of_the_product(file: &FileView<'_>) -> bool {
    let flags = file.flags();
    !flags.is_test() && !flags.is_vendored() && !flags.is_example()
}

/// The folders, those with most files first. A folder with most of all files is listed by its own
/// folders.
fn folders(
    graph: &Graph<'_, '_>,
    files: &[FileView<'_>],
    important: &[DeclarationRef],
    text: &mut dyn FnMut(&BStr) -> Option<Arc<str>>,
) -> Vec<Folder> {
    let mut listed = counted(files, "");
    while let Some(at) = listed.iter().position(|(_, of)| {
        let share = f64::from(of.n) / f64::from(u32::try_from(files.len().max(1)).unwrap_or(u32::MAX));
        share > DOMINANT && of.n_inner > 1
    }) {
        let (path, _) = listed.remove(at);
        let inner = counted(files, &path);
        if inner.is_empty() {
            break;
        }
        listed.extend(inner);
    }
    listed.sort_by(|a, b| b.1.n.cmp(&a.1.n).then_with(|| a.0.cmp(&b.0)));
    listed.truncate(FOLDERS);
    let described = listed.into_iter().map(|(path, count)| {
        let about = match f64::from(count.n_tests) >= TESTS * f64::from(count.n) {
            true => "tests".to_owned(),
            false => about(graph, important, &path, text),
        };
        Folder { path, n_files: count.n, about }
    });
    described.collect()
}

/// The files of a folder.
#[derive(Default)]
struct FolderCount {
    n: u32,
    n_tests: u32,
    /// Number of folders directly in it.
    n_inner: usize,
}

/// Counts the files of the folders directly in `parent`, which is empty or ends with `/`.
fn counted(files: &[FileView<'_>], parent: &str) -> Vec<(String, FolderCount)> {
    let mut found: BTreeMap<String, (FolderCount, BTreeSet<&[u8]>)> = BTreeMap::new();
    for file in files {
        let path: &[u8] = file.path();
        let Some(rest) = path.strip_prefix(parent.as_bytes()) else { continue };
        let Some((folder, below)) = rest.split_once_str("/") else { continue };
        let folder = format!("{parent}{}/", folder.to_str_lossy());
        let (count, inner) = found.entry(folder).or_default();
        count.n += 1;
        count.n_tests += u32::from(file.flags().is_test());
        inner.extend(below.split_once_str("/").map(|(inner, _)| inner));
    }
    let with_inner = |(path, (count, inner)): (String, (FolderCount, BTreeSet<&[u8]>))| {
        (path, FolderCount { n_inner: inner.len(), ..count })
    };
    found.into_iter().map(with_inner).collect()
}

/// What a folder is for: the first sentence of its main file, or else its main declarations.
fn about(
    graph: &Graph<'_, '_>,
    important: &[DeclarationRef],
    folder: &str,
    text: &mut dyn FnMut(&BStr) -> Option<Arc<str>>,
) -> String {
    let index = graph.index();
    for name in MANIFESTS {
        let path = format!("{folder}{name}");
        let manifest = index.file_by_path(path.as_str().into());
        let described = manifest.and_then(|file| text(file.path())).and_then(|text| description(name, &text));
        if let Some(sentence) = described {
            return sentence;
        }
    }
    for name in MAIN_FILES {
        let path = format!("{folder}{name}");
        let Some(file) = index.file_by_path(path.as_str().into()) else { continue };
        let Some(text) = text(file.path()) else { continue };
        let sentence = match file.language() {
            language if is_text(language) => what_it_is(&head_of(&text, &file)),
            _ => first_sentence(&head_of(&text, &file)),
        };
        if !sentence.is_empty() {
            return sentence;
        }
    }
    let mut names: Vec<String> = Vec::new();
    for &at in important {
        let Some((file, _)) = graph.declaration(at) else { continue };
        if names.len() < NAMES && file.path().starts_with(folder.as_bytes()) {
            let name = file.segment.symbol_path(at.ord);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

    #[test]
    fn the_first_sentence_of_prose_says_what_it_is() {
        for (document, expected) in [
            (
                "# Tool\n\n[![Build](https://x/y.svg)](https://x)\n\n<p align=\"center\">\n\n**Tool** is a [fast](https://x) \
                 search. It has more.\n",
                "Tool is a fast search.",
            ),
            (
                "Tool\n====\n\nA library that reads\nmany files at a time.\n",
                "A library that reads many files at a time.",
            ),
            (
                "Welcome to tmux!\n\ntmux is a terminal multiplexer: it enables a number of things.\n",
                "tmux is a terminal multiplexer: it enables a number of things.",
            ),
            ("# A\n\n```sh\nrun this and that now\n```\n\n> quoted\n\n| a | b |\n", ""),
            ("# A\n\nThe snake_case tool for everyone ![logo](x.png)\n", "The snake_case tool for everyone"),
            (
                "Apache Kafka\n=================\nSee our [web site](https://x) for details on the project.\n",
                "Apache Kafka",
            ),
            ("# The Tool\n\nPlease read the documentation at x first.\n\n## More\n", "The Tool"),
            (
                "# store\n\n**Note**: The branch may be broken during development.\n\nstore is a reliable key-value \
                 store for the most critical data, with a focus on being:\n\n* simple\n",
                "store is a reliable key-value store for the most critical data",
            ),
            (
                "# Tool\n\nSee our site for all details.\n\nWe build and test the tool with two versions.\n",
                "Tool",
            ),
            ("# Tool\n\nSee our site for all details.\n\n## How\n\nThe tool is built with make.\n", "Tool"),
            ("", ""),
        ] {
            assert_eq!(what_it_is(document), expected, "{document}");
        }
    }

    #[test]
    fn folders_are_counted_with_their_tests() {
        let paths = ["src/a.py", "src/in/b.py", "src/in/test_c.py", "src/on/d.py", "tests/test_e.py", "f.py"];
        let segment = sources(&paths.map(|path| (path, "def go():\n    return 1\n")));
        let index = Index::whole(&segment);
        let files: Vec<FileView<'_>> = index.files().collect();
        for (parent, expected) in [
            ("", &[("src/", [4, 1, 2]), ("tests/", [1, 1, 0])][..]),
            ("src/", &[("src/in/", [2, 1, 0]), ("src/on/", [1, 0, 0])]),
            ("tests/", &[]),
        ] {
            let found = counted(&files, parent);
            let found: Vec<(&str, [usize; 3])> = found
                .iter()
                .map(|(path, one)| (path.as_str(), [one.n as usize, one.n_tests as usize, one.n_inner]))
                .collect();
            assert_eq!(found, expected, "{parent}");
        }
    }

    #[test]
    fn programs_of_large_folders_come_before_tools() {
        let entry = |path: &str| EntryPoint { path: path.to_owned(), line: 1, symbol: String::new() };
        let paths =
            ["dev/a.py", "dev/b.py", "server/run.go", "server/x/one.go", "server/x/two.go", "main.go"];
        let sizes = BTreeMap::from([("dev/".to_owned(), 3), ("server/".to_owned(), 90)]);
        let chosen = chosen(paths.map(entry).into(), &sizes);
        let order: Vec<&str> = chosen.iter().map(|one| one.path.as_str()).collect();
        assert_eq!(
            order,
            ["main.go", "server/run.go", "server/x/one.go", "dev/a.py", "dev/b.py", "server/x/two.go"]
        );
    }

    #[test]
    fn manifests_describe_their_package() {
        for (name, text, expected) in [
            (
                "package.json",
                r#"{"name": "a", "description": "Excalidraw as a React component"}"#,
                Some("Excalidraw as a React component"),
            ),
            ("package.json", r#"{"name": "a", "description": "tools"}"#, None),
            ("package.json", r#"{"description": "cut off"#, None),
            (
                "Cargo.toml",
                "[package]\ndescription = \"Reads files in many forms\"\n",
                Some("Reads files in many forms"),
            ),
            ("pyproject.toml", "[project]\nname = 'a'\n", None),
        ] {
            assert_eq!(description(name, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn marks_of_markdown_are_left_out() {
        assert_eq!(plain("a [b](c) ![d](e) [f] **g**"), "a b  [f] g");
        assert_eq!(plain("[open"), "[open");
    }
}
