//! What each folder is for.
//!
//! Index and texts → the folders with most files, each with a line: the first sentence of its
//! documentation, or else its main declarations, or else the titles of its documents, or else what
//! kind of files it has.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use super::Sources;
use super::about::what_it_is;
use super::entries::begins_program;
use super::manifest::{description, manifest_rank};
use super::needs::is_of_the_product;
use crate::answer::view::Folder;
use crate::base::text::path;
use crate::index::chunk::{DeclarationKind, first_sentence, is_document};
use crate::search::graph::{DeclarationRef, Graph, is_function, is_type};
use crate::search::segment::FileView;

/// Most folders.
const FOLDERS: usize = 12;

/// Share of all files from which a folder is listed by its own folders.
const DOMINANT: f64 = 0.5;

/// Names of declarations, documents or folders that stand for a folder without documentation.
const NAMES: usize = 3;

/// Fewest programs of a folder that stand for it.
const PROGRAMS: usize = 3;

/// Most bytes of a title that stands for a folder.
const TITLE_BYTES: usize = 40;

/// Share of tests among the files of a folder from which it is a folder of tests.
const TESTS: f64 = 0.9;

/// Files whose first comment is about their folder, in the order in which they are tried.
const MAIN_FILES: [&str; 9] = [
    "mod.rs",
    "lib.rs",
    "src/lib.rs",
    "__init__.py",
    "doc.go",
    "package-info.java",
    "index.ts",
    "index.js",
    "main.go",
];

/// What folders have that are called so in any project, if they do not say it themselves.
const CONVENTIONS: [(&str, &str); 14] = [
    (".github", "GitHub workflows and templates"),
    (".devcontainer", "development containers"),
    ("docs", "documentation"),
    ("doc", "documentation"),
    ("documentation", "documentation"),
    ("man", "manual pages"),
    ("po", "translations"),
    ("locale", "translations"),
    ("locales", "translations"),
    ("m4", "Autoconf macros"),
    ("vendor", "third-party code"),
    ("third-party", "third-party code"),
    ("third_party", "third-party code"),
    ("node_modules", "third-party code"),
];

/// Returns the folders, those with most files first, and how many more there are. A folder with
/// most of all files is listed by its own folders. `of_root` is what the repository is.
pub(super) fn folders<'s>(
    graph: &Graph<'_, 's>,
    files: &[FileView<'s>],
    important: &[DeclarationRef],
    sources: &mut Sources<'_>,
    of_root: &str,
) -> (Vec<Folder>, usize) {
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
    let n_more = listed.len().saturating_sub(FOLDERS);
    listed.truncate(FOLDERS);
    let described = listed.into_iter().map(|(path, count)| {
        let folder = DescribedFolder { graph, files, important, folder: &path, of_root };
        let about = match f64::from(count.n_tests) >= TESTS * f64::from(count.n) {
            true => folder.of_tests(sources),
            false => folder.about(sources),
        };
        Folder { path, n_files: count.n, about }
    });
    (described.collect(), n_more)
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

/// A folder that is described.
struct DescribedFolder<'a, 'g, 'i, 's> {
    graph: &'g Graph<'i, 's>,
    files: &'a [FileView<'s>],
    important: &'a [DeclarationRef],
    /// Its path, with `/` at its end.
    folder: &'a str,
    /// What the repository is. Its README may be in a folder.
    of_root: &'a str,
}

impl<'a, 's> DescribedFolder<'a, '_, '_, 's> {
    fn about(&self, sources: &mut Sources<'_>) -> String {
        let ways: [&mut dyn FnMut(&mut Sources<'_>) -> String; 7] = [
            &mut |sources| self.described(sources),
            &mut |_| self.convention(),
            &mut |_| self.programs(),
            &mut |_| self.by_importance(),
            &mut |_| self.by_size(),
            &mut |_| self.documents(),
            &mut |_| self.kinds_of_files(),
        ];
        let said = ways.into_iter().map(|way| way(sources));
        said.into_iter().find(|said| !said.is_empty() && said != self.of_root).unwrap_or_default()
    }

    /// What a folder of tests says of itself, or else the names of its folders or files.
    fn of_tests(&self, sources: &mut Sources<'_>) -> String {
        let described = self.described(sources);
        if !described.is_empty() && described != self.of_root {
            return described;
        }
        match self.kinds_of_files() {
            kinds if kinds.is_empty() => "tests".to_owned(),
            kinds => format!("tests: {kinds}"),
        }
    }

    /// The names of its folders with programs, if there are several. A declaration of one of them
    /// would not stand for the others.
    fn programs(&self) -> String {
        let mut names: BTreeSet<String> = BTreeSet::new();
        for file in self.inside().filter(|file| begins_program(file)) {
            let rest = file.path().strip_prefix(self.folder.as_bytes()).unwrap_or_default();
            let Some((folder, _)) = rest.split_once_str("/") else { continue };
            names.insert(folder.to_str_lossy().into_owned());
        }
        if names.len() < PROGRAMS {
            return String::new();
        }
        let more = if names.len() > NAMES { ", …" } else { "" };
        let names: Vec<String> = names.into_iter().take(NAMES).collect();
        format!("programs: {}{more}", names.join(", "))
    }

    fn inside(&self) -> impl Iterator<Item = &'a FileView<'s>> {
        let folder = self.folder.as_bytes();
        self.files.iter().filter(move |file| file.path().starts_with(folder))
    }

    /// What its README, its manifest, or the head of its main file says.
    fn described(&self, sources: &mut Sources<'_>) -> String {
        let own: Vec<(&str, &FileView<'_>)> = self
            .inside()
            .filter_map(|file| Some((file.path().to_str().ok()?.strip_prefix(self.folder)?, file)))
            .filter(|(name, _)| !name.contains('/') || MAIN_FILES.contains(name))
            .collect();
        let manifest = own.iter().filter_map(|(name, file)| Some((manifest_rank(name)?, *name, *file)));
        let manifest = manifest.min_by_key(|one| one.0);
        let described = manifest.and_then(|(_, name, file)| description(name, &sources.text(file.path())?));
        if let Some(sentence) = described {
            return sentence;
        }
        let readme = own.iter().filter_map(|(name, file)| Some((super::readme_rank(name)?, *file)));
        if let Some(text) = readme.min_by_key(|one| one.0).and_then(|(_, file)| sources.text(file.path())) {
            let sentence = what_it_is(&text, || None);
            if !sentence.is_empty() {
                return sentence;
            }
        }
        for main in MAIN_FILES {
            let Some((_, file)) = own.iter().find(|(name, _)| *name == main) else { continue };
            let sentence =
                sources.text(file.path()).map(|text| first_sentence(&super::head_doc(&text, file)));
            if let Some(sentence) = sentence.filter(|sentence| !sentence.is_empty()) {
                return sentence;
            }
        }
        String::new()
    }

    /// What folders of its name have in all projects.
    fn convention(&self) -> String {
        let name = self.folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let known = CONVENTIONS.iter().find(|(known, _)| *known == name.to_ascii_lowercase());
        let Some((_, said)) = known else { return String::new() };
        let has_code = self.inside().any(|file| file.declarations().any(|one| is_function(one.row.kind)));
        let titles = if *said == "documentation" && !has_code { self.documents() } else { String::new() };
        if titles.is_empty() { (*said).to_owned() } else { format!("{said}: {titles}") }
    }

    /// The names of the declarations that other files refer to most.
    fn by_importance(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for &at in self.important {
            let Some((file, _)) = self.graph.declaration(at) else { continue };
            if names.len() < NAMES && file.path().starts_with(self.folder.as_bytes()) {
                let name = file.segment.symbol_path(at.ord);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names.join(", ")
    }

    /// The names of the longest functions and types.
    fn by_size(&self) -> String {
        let mut found: Vec<(Reverse<u32>, String)> = Vec::new();
        for file in self.inside().filter(|file| is_of_the_product(file) || file.flags().is_example()) {
            for one in file.declarations() {
                let row = &one.row;
                let is_main =
                    (is_function(row.kind) || is_type(row.kind)) && row.kind != DeclarationKind::Test;
                if is_main && row.parent.is_none() && !row.body.is_empty() {
                    let n_lines = row.span.end_line.saturating_sub(row.span.start_line);
                    found.push((Reverse(n_lines), one.name().to_owned()));
                }
            }
        }
        found.sort();
        let mut names: Vec<String> = found.into_iter().map(|one| one.1).collect();
        names.retain(|name| !name.is_empty() && !matches!(name.as_str(), "main" | "module"));
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names.truncate(NAMES);
        names.join(", ")
    }

    /// The titles of its documents, those near its root first.
    fn documents(&self) -> String {
        let mut found: Vec<(usize, String)> = Vec::new();
        for file in self.inside().filter(|file| is_document(file.language())) {
            let title = file.declarations().find(|one| one.row.kind == DeclarationKind::Section);
            let title = title.map(|one| one.name().trim().to_owned()).filter(|title| !title.is_empty());
            found.extend(title.map(|title| (file.path().find_iter("/").count(), title)));
        }
        found.sort_by_key(|one| one.0);
        let mut titles: Vec<String> = Vec::new();
        for (_, title) in found {
            if titles.len() < NAMES && title.len() <= TITLE_BYTES && !titles.contains(&title) {
                titles.push(title);
            }
        }
        titles.join(", ")
    }

    /// The names of its folders, or of its files.
    fn kinds_of_files(&self) -> String {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let folders = counted(self.files, self.folder);
        for (path, count) in folders {
            let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
            counts.insert(format!("{name}/"), count.n);
        }
        if counts.is_empty() {
            let names = self.inside().map(|file| path::name(file.path()).to_str_lossy().into_owned());
            counts.extend(names.map(|name| (name, 1)));
        }
        let mut counts: Vec<(Reverse<u32>, String)> =
            counts.into_iter().map(|(name, n)| (Reverse(n), name)).collect();
        counts.sort();
        counts.into_iter().take(NAMES).map(|one| one.1).collect::<Vec<String>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::segment::Index;
    use crate::search::segment::samples::sources;

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
}
