//! Attributes that `.gitattributes` files give to a path.
//!
//! Owns [`Attributes`] and [`FileAttributes`]. Only files in the tree count, not those of the work
//! tree, of the user or of `info/attributes`: an index must be the same for everyone who has the
//! commit. A directory's file is read when a path below it is first asked for, and is cached. A
//! tree without such files costs one look at each directory that is asked about.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use bstr::{BStr, BString, ByteSlice};
use gix::attrs::search::{MetadataCollection, Outcome};
use gix::attrs::{Search, StateRef};

use super::tree::{joined, parse_tree};
use super::{Blob, EntryMode, Repository, Result};
use crate::base::id::ObjectId;
use crate::base::text::path;
use crate::base::threads::lock;

/// Name of the files that are read.
const FILE: &[u8] = b".gitattributes";

/// Longest line and largest file that count, in bytes. Git's own limits are 2,048 bytes and 100 MB.
/// Our file limit is lower: nobody writes a megabyte by hand, and every line is tried on every
/// path.
const MAX_LINE: usize = 2048;
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The attributes that matter to us. [`FileAttributes`] is filled by name.
const NAMES: [&str; 10] = [
    "linguist-generated",
    "linguist-vendored",
    "linguist-documentation",
    "linguist-language",
    "cora",
    "binary",
    "text",
    "diff",
    "filter",
    "working-tree-encoding",
];

/// The attributes of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FileAttributes {
    /// `linguist-generated`: a program wrote the file.
    pub generated: Option<bool>,
    /// `linguist-vendored`: the file is a copy of another project's.
    pub vendored: Option<bool>,
    /// `linguist-documentation`: the file is documentation.
    pub documentation: Option<bool>,
    /// `linguist-language`: the name of the file's language.
    pub language: Option<String>,
    /// `cora=skip` or `-cora`: the file is not indexed.
    pub cora_skip: bool,
    /// `binary`, or both `-text` and `-diff`. One of these alone says nothing about the content:
    /// projects set it to keep line endings, or to hide lock files from diffs.
    pub binary: bool,
    /// `filter`: the name of the program that cleans and smudges the file.
    pub filter: Option<String>,
    /// `working-tree-encoding`: the encoding of the file in the work tree, if not UTF-8.
    pub working_tree_encoding: Option<String>,
}

/// The attributes of all files of one tree. It can be shared between threads.
pub struct Attributes {
    repo: Repository,
    tree: ObjectId,
    directories: Mutex<HashMap<BString, Directory>>,
}

/// The cached state of one directory.
#[derive(Clone, Default)]
struct Directory {
    /// Its tree; `None` if there is no such directory.
    tree: Option<ObjectId>,
    /// All patterns that apply in it; `None` if there are none.
    patterns: Option<Arc<Patterns>>,
}

/// The `.gitattributes` of a directory and of all directories above it.
#[derive(Clone)]
struct Patterns {
    search: Search,
    names: MetadataCollection,
}

impl Repository {
    /// Returns the attributes of the files of `tree`, from its own `.gitattributes` files.
    ///
    /// # Errors
    /// None at present. A tree that can't be read shows up in [`Attributes::of`].
    pub fn attributes(&self, tree: ObjectId) -> Result<Attributes> {
        Ok(Attributes { repo: self.clone(), tree, directories: Mutex::default() })
    }
}

impl Attributes {
    /// Returns the attributes of the file at `path`, which need not exist.
    ///
    /// A directory that can't be read counts as empty. Reading its files reports the error.
    pub fn of(&self, path: &BStr) -> FileAttributes {
        let parent = path::parent(path);
        let Some(patterns) = self.directory(parent.as_bstr()).patterns else {
            return FileAttributes::default();
        };
        let mut outcome = Outcome::default();
        outcome.initialize_with_selection(&patterns.names, NAMES);
        let case = gix::glob::pattern::Case::Sensitive;
        if !patterns.search.pattern_matching_relative_path(path, case, Some(false), &mut outcome) {
            return FileAttributes::default();
        }
        let mut attributes = FileAttributes::default();
        let (mut no_text, mut no_diff) = (false, false);
        for found in outcome.iter_selected() {
            let state = found.assignment.state;
            match found.assignment.name.as_str() {
                "linguist-generated" => attributes.generated = boolean(state),
                "linguist-vendored" => attributes.vendored = boolean(state),
                "linguist-documentation" => attributes.documentation = boolean(state),
                "linguist-language" => attributes.language = text(state),
                "cora" => {
                    attributes.cora_skip = state == StateRef::Unset || text(state).as_deref() == Some("skip");
                }
                "binary" => attributes.binary = boolean(state) == Some(true),
                "text" => no_text = state == StateRef::Unset,
                "diff" => no_diff = state == StateRef::Unset,
                "filter" => attributes.filter = text(state),
                "working-tree-encoding" => attributes.working_tree_encoding = text(state),
                _ => {}
            }
        }
        attributes.binary |= no_text && no_diff;
        attributes
    }

    /// Returns the directory whose attributes the file at `path` may change.
    ///
    /// The result is a path prefix: empty for the root, otherwise ending in `/`. It is `None` if
    /// `path` is not a `.gitattributes` file.
    pub fn affected_by(path: &BStr) -> Option<&BStr> {
        let prefix = path.strip_suffix(FILE)?;
        (prefix.is_empty() || prefix.ends_with(b"/")).then_some(prefix.as_bstr())
    }

    fn directory(&self, path: &BStr) -> Directory {
        let known = |path: &BStr| {
            let directories = lock(&self.directories);
            directories.get(path).cloned()
        };
        if let Some(directory) = known(path) {
            return directory;
        }
        // Goes from the root down, because each directory builds on the one above. Two threads may
        // do the same work now and then; a lock held while reading would serialise them all.
        let mut above = Directory::default();
        let ends = std::iter::once(0).chain(path.find_iter("/")).chain(std::iter::once(path.len()));
        for (depth, end) in ends.enumerate() {
            if depth > 0 && end == 0 {
                break;
            }
            let here = path.get(..end).unwrap_or_default().as_bstr();
            above = match known(here) {
                Some(directory) => directory,
                None => {
                    let directory = self.read(here, &above, depth == 0);
                    let mut directories = lock(&self.directories);
                    directories.insert(here.to_owned(), directory.clone());
                    directory
                }
            };
        }
        above
    }

    /// Reads one directory, given the state of its parent.
    fn read(&self, path: &BStr, above: &Directory, is_root: bool) -> Directory {
        let name = path::name(path);
        let tree = if is_root {
            Some(self.tree)
        } else {
            above.tree.and_then(|tree| self.find(tree, name, EntryMode::Directory))
        };
        let inherited = Directory { tree, patterns: above.patterns.clone() };
        let file = tree.and_then(|tree| {
            self.find(tree, FILE, EntryMode::File).or_else(|| self.find(tree, FILE, EntryMode::Executable))
        });
        let Some(file) = file else { return inherited };
        let Ok(Blob::Bytes(bytes)) = self.repo.blob(file, MAX_FILE_BYTES) else { return inherited };
        match self.extended(above.patterns.as_deref(), path, &bytes, is_root) {
            Some(patterns) => Directory { tree, patterns: Some(Arc::new(patterns)) },
            None => inherited,
        }
    }

    fn extended(
        &self,
        above: Option<&Patterns>,
        path: &BStr,
        bytes: &[u8],
        is_root: bool,
    ) -> Option<Patterns> {
        let mut patterns = match above {
            Some(patterns) => patterns.clone(),
            None => {
                let mut names = MetadataCollection::default();
                // This constructor defines the macro `binary`.
                let files = std::iter::empty::<std::path::PathBuf>();
                let search = Search::new_globals(files, &mut Vec::new(), &mut names).ok()?;
                Patterns { search, names }
            }
        };
        let mut kept = Vec::with_capacity(bytes.len());
        for line in bytes.lines_with_terminator().filter(|line| line.len() <= MAX_LINE) {
            kept.extend_from_slice(line);
        }
        let file = joined(path, FILE.as_bstr());
        let source = gix::path::from_bstr(file.as_bstr()).ok()?.into_owned();
        // As in Git, macros count in the root directory only.
        let root = Some(Path::new(""));
        patterns.search.add_patterns_buffer(&kept, source, root, &mut patterns.names, is_root).ok()?;
        Some(patterns)
    }

    fn find(&self, tree: ObjectId, name: &[u8], mode: EntryMode) -> Option<ObjectId> {
        let handle = self.repo.handle();
        let bytes = self.repo.structure(&handle, tree, gix::objs::Kind::Tree).ok()?;
        parse_tree(&bytes, tree, self.repo.object_hash_len())
            .map_while(Result::ok)
            .find(|entry| entry.name == name && entry.mode == mode)
            .map(|entry| entry.id)
    }
}

impl std::fmt::Debug for Attributes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attributes").field("tree", &self.tree).finish_non_exhaustive()
    }
}

/// Reads a boolean attribute: set, unset, or a value that linguist accepts.
fn boolean(state: StateRef<'_>) -> Option<bool> {
    match state {
        StateRef::Set => Some(true),
        StateRef::Unset => Some(false),
        StateRef::Unspecified => None,
        StateRef::Value(_) => match text(state)?.as_str() {
            "true" | "1" | "yes" => Some(true),
            "false" | "0" | "no" => Some(false),
            _ => None,
        },
    }
}

fn text(state: StateRef<'_>) -> Option<String> {
    match state {
        StateRef::Value(value) => value.as_bstr().to_str().ok().map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    fn attributes(fixture: &Fixture) -> Attributes {
        let repo = fixture.open();
        let head = repo.commit(repo.resolve("HEAD").unwrap()).unwrap();
        repo.attributes(head.tree).unwrap()
    }

    #[test]
    fn agrees_with_check_attr() {
        let fixture = Fixture::with_history();
        let root = "[attr]ours linguist-generated cora=skip\n\
            *.gen linguist-generated\n*.txt text\n/top.txt cora=skip\nsrc/** linguist-vendored=true\n\
            *.bin binary\n*.h linguist-language=C++\n*.lfs filter=lfs -text -diff\n*.our ours\n*.eol -text\n*.wide working-tree-encoding=UTF-16\n\
            deep/**/x.gen -linguist-generated\n\"sp ace.gen\" !linguist-generated\n";
        fixture.commit_file(".gitattributes", root);
        fixture.commit_file(
            "src/.gitattributes",
            "*.gen -linguist-generated\n[attr]no cora=skip\n*.no no\n/a.rs -cora\n",
        );
        fixture.commit_file("src/deep/.gitattributes", "* linguist-documentation !linguist-vendored\n");
        // Attributes outside the tree must not count.
        fixture.write(".git/info/attributes", "* binary\n");
        let ours = attributes(&fixture);
        std::fs::remove_file(fixture.path().join(".git/info/attributes")).unwrap();
        let paths = [
            "a.gen",
            "top.txt",
            "x/top.txt",
            "src/a.rs",
            "src/x/a.rs",
            "src/a.gen",
            "src/deep/er/a.gen",
            "a.bin",
            "a.h",
            "a.lfs",
            "x/y/a.our",
            "src/x.no",
            "a.eol",
            "a.wide",
            "deep/x.gen",
            "deep/a/b/x.gen",
            "sp ace.gen",
            "none",
        ];
        for path in paths {
            let found = ours.of(path.into());
            let mut args = vec!["check-attr"];
            args.extend(NAMES);
            args.extend(["--", path]);
            let theirs = fixture.git_line(&args);
            let value = |name: &str| {
                let line = theirs.lines().find_map(|l| l.strip_prefix(&format!("{path}: {name}: ")));
                line.unwrap().to_owned()
            };
            let flag = |name: &str| match value(name).as_str() {
                "set" | "true" => Some(true),
                "unset" => Some(false),
                _ => None,
            };
            let named = |name: &str| {
                Some(value(name)).filter(|v| !["set", "unset", "unspecified"].contains(&v.as_str()))
            };
            let expected = FileAttributes {
                generated: flag("linguist-generated"),
                vendored: flag("linguist-vendored"),
                documentation: flag("linguist-documentation"),
                language: named("linguist-language"),
                cora_skip: value("cora") == "skip" || value("cora") == "unset",
                binary: value("binary") == "set" || value("text") == "unset" && value("diff") == "unset",
                filter: named("filter"),
                working_tree_encoding: named("working-tree-encoding"),
            };
            assert_eq!(found, expected, "{path}\n{theirs}");
        }
    }

    #[test]
    fn without_files_nothing_is_said() {
        let fixture = Fixture::with_history();
        let ours = attributes(&fixture);
        for path in ["README.md", "src/main.rs", "no/such/dir/x", "/x", "x//y"] {
            assert_eq!(ours.of(path.into()), FileAttributes::default(), "{path}");
        }
    }

    #[test]
    fn a_file_of_attributes_affects_its_directory() {
        let affected = |path: &'static str| Attributes::affected_by(path.into()).map(ToString::to_string);
        assert_eq!(affected(".gitattributes").as_deref(), Some(""));
        assert_eq!(affected("a/b/.gitattributes").as_deref(), Some("a/b/"));
        assert_eq!(affected("a/x.gitattributes"), None);
        assert_eq!(affected("a/b"), None);
    }

    #[test]
    fn long_lines_and_large_files_do_not_count() {
        let rule = "a.gen linguist-generated";
        for (bytes, counts) in [(2048, true), (2049, false)] {
            let fixture = Fixture::new();
            // The line feed is one of the bytes.
            let line = format!("{rule}{}\n", " ".repeat(bytes - rule.len() - 1));
            assert_eq!(line.len(), bytes);
            fixture.commit_file(".gitattributes", &format!("{line}b.gen linguist-generated\n"));
            let ours = attributes(&fixture);
            assert_eq!(ours.of("a.gen".into()).generated, counts.then_some(true), "a line of {bytes} bytes");
            assert_eq!(ours.of("b.gen".into()).generated, Some(true), "other lines count");
        }
        for (bytes, counts) in [(1 << 20, true), ((1 << 20) + 1, false)] {
            let fixture = Fixture::new();
            let text = format!("{rule}\n{}", "#\n".repeat((1 << 19) + 1));
            fixture.commit_file(".gitattributes", &text[..bytes]);
            let generated = attributes(&fixture).of("a.gen".into()).generated;
            assert_eq!(generated, counts.then_some(true), "a file of {bytes} bytes");
        }
    }
}
