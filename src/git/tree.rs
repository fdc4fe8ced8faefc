//! Trees: their entries, a walk over all files, and the lookup of one path.
//!
//! Owns [`TreeEntry`] and the only parser of trees. All readers get their entries from
//! `parse_tree`. As Git, it reads any octal mode, in any order of entries. It leaves out the names
//! that Git never checks out (`.`, `..`, `.git`, or with a slash), so a path from here never leads
//! out of the tree. Of several entries with one name, the first counts, as for `git rev-parse`.
//!
//! The walk keeps its own stack and is bounded in depth, count and bytes of paths. A tree of a few
//! hundred bytes that contains itself many times can name more files than there are atoms.

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};

use super::{Error, Repository, Result};
use crate::base::id::ObjectId;

/// Deepest directory that is entered; the root has depth 0.
pub(super) const MAX_DEPTH: usize = 512;
/// Most entries of one walk, files and directories together.
pub(super) const MAX_ENTRIES: usize = 5_000_000;
/// Most bytes of all paths of one walk.
const MAX_PATH_BYTES: usize = 1 << 30;

/// The kind of a tree entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryMode {
    /// An ordinary file, mode 100644.
    File,
    /// An executable file, mode 100755.
    Executable,
    /// A symbolic link, mode 120000; the blob holds its target.
    Symlink,
    /// A commit of another repository, mode 160000.
    Submodule,
    /// A subtree, mode 40000.
    Directory,
}

impl EntryMode {
    /// Returns the mode as it is written in a tree object.
    pub(super) fn as_octal(self) -> &'static str {
        match self {
            Self::File => "100644",
            Self::Executable => "100755",
            Self::Symlink => "120000",
            Self::Submodule => "160000",
            Self::Directory => "40000",
        }
    }
}

/// A path in a tree, with the kind and id of its entry.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeEntry {
    /// The path from the root of the tree that was read, separated by `/`.
    pub path: BString,
    /// The kind of the entry.
    pub mode: EntryMode,
    /// The blob, tree or commit that it points to.
    pub id: ObjectId,
}

/// An entry of one tree, borrowed from its bytes.
#[derive(Debug)]
pub struct RawEntry<'a> {
    /// The name, which has no slash.
    pub name: &'a BStr,
    /// The kind of the entry.
    pub mode: EntryMode,
    /// The blob, tree or commit that it points to.
    pub id: ObjectId,
}

impl Repository {
    /// Returns all files of a tree and its subtrees, with links and submodules, sorted by the bytes
    /// of their paths.
    ///
    /// # Errors
    /// [`Error::MissingObject`] or [`Error::Corrupt`] for a tree that can't be read,
    /// [`Error::Limit`] above 512 nested directories, 5,000,000 entries or 1 GiB of paths.
    pub fn tree_files(&self, tree: ObjectId) -> Result<Vec<TreeEntry>> {
        self.tree_files_in(tree, |_| true)
    }

    /// As [`Repository::tree_files`], for a tree that came from elsewhere and should have the same
    /// directories as some `files`. Other directories are not entered, so a few hostile trees can't
    /// list millions of files.
    ///
    /// # Errors
    /// The same as [`Repository::tree_files`].
    pub fn tree_files_beside(&self, tree: ObjectId, files: &[TreeEntry]) -> Result<Vec<TreeEntry>> {
        let mut known: HashSet<&[u8]> = HashSet::new();
        for file in files {
            let mut path: &[u8] = &file.path;
            while let Some(at) = path.rfind_byte(b'/') {
                path = path.get(..at).unwrap_or_default();
                if !known.insert(path) {
                    break;
                }
            }
        }
        self.tree_files_in(tree, |directory| known.contains(directory.as_bytes()))
    }

    fn tree_files_in(&self, tree: ObjectId, is_entered: impl Fn(&BStr) -> bool) -> Result<Vec<TreeEntry>> {
        let handle = self.handle();
        let mut files = Vec::new();
        let mut budget = Budget::new(tree);
        let mut pending = vec![(tree, BString::default(), 0)];
        while let Some((id, prefix, depth)) = pending.pop() {
            budget.depth(depth)?;
            let bytes = self.structure(&handle, id, gix::objs::Kind::Tree)?;
            for entry in unique_entries(&bytes, id, self.object_hash_len())? {
                let path = joined(prefix.as_bstr(), entry.name);
                budget.entry(path.len())?;
                match entry.mode {
                    EntryMode::Directory if !is_entered(path.as_bstr()) => {}
                    EntryMode::Directory => pending.push((entry.id, path, depth + 1)),
                    mode => files.push(TreeEntry { path, mode, id: entry.id }),
                }
            }
        }
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// Returns the direct entries of the directory `path` (empty for the root), with full paths,
    /// sorted by these.
    ///
    /// Subdirectories are included. The result is empty if there is no such directory.
    ///
    /// # Errors
    /// [`Error::MissingObject`] or [`Error::Corrupt`] for a tree that can't be read.
    pub fn tree_directory(&self, tree: ObjectId, path: &BStr) -> Result<Vec<TreeEntry>> {
        let id = if path.is_empty() {
            tree
        } else {
            match self.tree_entry(tree, path)? {
                Some(TreeEntry { mode: EntryMode::Directory, id, .. }) => id,
                _ => return Ok(Vec::new()),
            }
        };
        let handle = self.handle();
        let bytes = self.structure(&handle, id, gix::objs::Kind::Tree)?;
        let mut entries = Vec::new();
        for entry in unique_entries(&bytes, id, self.object_hash_len())? {
            entries.push(TreeEntry { path: joined(path, entry.name), mode: entry.mode, id: entry.id });
        }
        entries.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(entries)
    }

    /// Returns the entry at `path`: a file, link, submodule or directory; `None` if there is
    /// nothing.
    ///
    /// # Errors
    /// [`Error::MissingObject`] or [`Error::Corrupt`] for a tree on the way that can't be
    /// read.
    pub fn tree_entry(&self, tree: ObjectId, path: &BStr) -> Result<Option<TreeEntry>> {
        let handle = self.handle();
        let mut current = Some(tree);
        let mut found = None;
        for name in path.split_str("/") {
            let Some(id) = current else { return Ok(None) };
            let bytes = self.structure(&handle, id, gix::objs::Kind::Tree)?;
            found = None;
            for entry in parse_tree(&bytes, id, self.object_hash_len()) {
                let entry = entry?;
                if entry.name == name {
                    found = Some((entry.mode, entry.id));
                    break;
                }
            }
            let Some((mode, id)) = found else { return Ok(None) };
            current = (mode == EntryMode::Directory).then_some(id);
        }
        Ok(found.map(|(mode, id)| TreeEntry { path: path.to_owned(), mode, id }))
    }
}

/// The limits of one walk, with what it has used so far.
pub(super) struct Budget {
    tree: ObjectId,
    entries: usize,
    path_bytes: usize,
}

impl Budget {
    pub(super) fn new(tree: ObjectId) -> Self {
        Self { tree, entries: 0, path_bytes: 0 }
    }

    pub(super) fn depth(&self, depth: usize) -> Result<()> {
        self.check("nested directories", depth, MAX_DEPTH)
    }

    pub(super) fn entry(&mut self, path_len: usize) -> Result<()> {
        self.entries += 1;
        self.path_bytes += path_len;
        self.check("entries", self.entries, MAX_ENTRIES)?;
        self.check("bytes of paths", self.path_bytes, MAX_PATH_BYTES)
    }

    fn check(&self, what: &'static str, found: usize, limit: usize) -> Result<()> {
        if found > limit {
            return Err(Error::Limit { what, id: self.tree, limit });
        }
        Ok(())
    }
}

/// Returns the path of `name` in the directory `prefix`, which is empty for the root.
pub(super) fn joined(prefix: &BStr, name: &BStr) -> BString {
    if prefix.is_empty() {
        return name.to_owned();
    }
    let mut path = Vec::with_capacity(prefix.len() + 1 + name.len());
    path.extend_from_slice(prefix);
    path.push(b'/');
    path.extend_from_slice(name);
    path.into()
}

/// Iterates over the entries of one tree object in its own order; stops after the first error.
pub(super) fn parse_tree(
    bytes: &[u8],
    id: ObjectId,
    hash_len: usize,
) -> impl Iterator<Item = Result<RawEntry<'_>>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            match parse_entry(rest, hash_len) {
                Ok((entry, after)) => {
                    rest = after;
                    if is_valid_name(entry.name) {
                        return Some(Ok(entry));
                    }
                }
                Err(detail) => {
                    rest = &[];
                    return Some(Err(Error::Corrupt { kind: "tree", id, detail: detail.to_owned() }));
                }
            }
        }
        None
    })
}

/// Parses the first entry (`decode_tree_entry` in Git): an octal mode, a space, a name, a zero
/// byte, an id. Returns what follows it, too.
fn parse_entry(bytes: &[u8], hash_len: usize) -> std::result::Result<(RawEntry<'_>, &[u8]), &'static str> {
    let (mode, rest) = bytes.split_once_str(" ").ok_or("an entry has no mode")?;
    if mode.is_empty() || !mode.iter().all(|byte| matches!(byte, b'0'..=b'7')) {
        return Err("an entry has a malformed mode");
    }
    // Like Git's, the number is 16 bits wide and wraps.
    let mode = mode.iter().fold(0u16, |mode, byte| mode.wrapping_shl(3) | u16::from(byte - b'0'));
    let (name, rest) = rest.split_once_str("\0").ok_or("an entry is cut short")?;
    if name.is_empty() {
        return Err("an entry has no name");
    }
    let (id, rest) = rest.split_at_checked(hash_len).ok_or("an entry is cut short")?;
    let mode = match mode & 0o170_000 {
        0o100_000 if mode & 0o100 == 0 => EntryMode::File,
        0o100_000 => EntryMode::Executable,
        0o120_000 => EntryMode::Symlink,
        0o040_000 => EntryMode::Directory,
        _ => EntryMode::Submodule,
    };
    let id = ObjectId::from_bytes(id).ok_or("an entry has no id")?;
    Ok((RawEntry { name: name.as_bstr(), mode, id }, rest))
}

/// Returns the entries of a tree object in its own order, only the first of each name. Ids have
/// `hash_len` bytes.
///
/// # Errors
/// [`Error::Corrupt`] for the tree `id`.
pub fn unique_entries(bytes: &[u8], id: ObjectId, hash_len: usize) -> Result<Vec<RawEntry<'_>>> {
    let mut entries = parse_tree(bytes, id, hash_len).collect::<Result<Vec<_>>>()?;
    // In Git's order a file may come before a directory of the same name, with `name-x` between.
    let is_above = |at: usize, entry: &RawEntry<'_>| {
        let before = entries.iter().take(at).rev().take_while(|other| other.name.starts_with(entry.name));
        entry.mode == EntryMode::Directory && before.into_iter().any(|other| other.name == entry.name)
    };
    let is_sorted = entries.windows(2).all(|pair| matches!(pair, [a, b] if git_order(a).lt(git_order(b))));
    if !is_sorted || entries.iter().enumerate().any(|(at, entry)| is_above(at, entry)) {
        let mut seen = HashSet::new();
        entries.retain(|entry| seen.insert(entry.name));
    }
    Ok(entries)
}

/// Returns the bytes by which Git sorts an entry: a directory as if its name ended in a slash.
fn git_order<'a>(entry: &RawEntry<'a>) -> impl Iterator<Item = &'a u8> {
    let slash: &[u8] = if entry.mode == EntryMode::Directory { b"/" } else { b"" };
    let name: &'a [u8] = entry.name;
    name.iter().chain(slash)
}

/// Returns whether Git would store this name as one component of a path. Names that lead to Git's
/// own directory on NTFS or HFS+ are refused everywhere: `.GIT`, `git~1`.
pub(super) fn is_valid_name(name: &[u8]) -> bool {
    let options = gix::validate::path::component::Options {
        protect_windows: false,
        protect_hfs: true,
        protect_ntfs: true,
    };
    !name.contains(&0) && gix::validate::path::component(name.as_bstr(), None, options).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::progress::Cancel;
    use crate::git::testing::Fixture;

    #[test]
    fn no_name_leads_into_the_repository() {
        for name in [".git", ".GIT", ".gIt", "git~1", "GIT~1", ".git ", ".git. .", ".git::$INDEX_ALLOCATION"]
        {
            assert!(!is_valid_name(name.as_bytes()), "{name}");
        }
        for name in [".g\u{200c}it", "\u{feff}.Git"] {
            assert!(!is_valid_name(name.as_bytes()), "{name:?}");
        }
        for name in [".gitignore", "git", ".git~1", "git~10", ".gitx.", "\u{200c}.github", "a.git"] {
            assert!(is_valid_name(name.as_bytes()), "{name:?}");
        }
    }

    #[test]
    fn agrees_with_ls_tree() {
        for hash in ["sha1", "sha256"] {
            let fixture = Fixture::with_history_in(hash);
            fixture.commit_odd_paths();
            let repo = fixture.open();
            let head = repo.commit(repo.resolve("HEAD").unwrap()).unwrap();
            let mut listed = Vec::new();
            for file in repo.tree_files(head.tree).unwrap() {
                let kind = if file.mode == EntryMode::Submodule { "commit" } else { "blob" };
                listed.extend(format!("{} {kind} {}\t", file.mode.as_octal(), file.id).into_bytes());
                listed.extend_from_slice(&file.path);
                listed.push(0);
                assert_eq!(repo.tree_entry(head.tree, file.path.as_bstr()).unwrap(), Some(file));
            }
            assert_eq!(listed.as_bstr(), fixture.git_bytes(&["ls-tree", "-r", "-z", "HEAD"]).as_bstr());
        }
    }

    #[test]
    fn a_path_may_name_a_directory_or_nothing() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let tree = repo.commit(repo.resolve("HEAD").unwrap()).unwrap().tree;
        let entry = |path: &str| repo.tree_entry(tree, path.into()).unwrap();
        assert_eq!(entry("src").unwrap().mode, EntryMode::Directory);
        assert_eq!(entry("src").unwrap().id, repo.resolve_any("HEAD:src").unwrap());
        for nothing in ["", "nothing", "src/nothing", "src/main.rs/x", "src/"] {
            assert_eq!(entry(nothing), None, "{nothing}");
        }
    }

    /// Writes a tree of entries with the same blob; returns it and the blob.
    fn odd_tree(repo: &Repository, entries: &[(&str, &str)]) -> ObjectId {
        let mut writer = repo.writer().unwrap();
        let blob = writer.blob(b"x").unwrap();
        let sub = writer.tree(&[TreeEntry { path: "x".into(), mode: EntryMode::File, id: blob }]).unwrap();
        let mut bytes = Vec::new();
        for (mode, name) in entries {
            bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            bytes.extend_from_slice(if mode.ends_with("40000") { sub } else { blob }.as_bytes());
        }
        let tree = writer.raw(crate::git::ObjectKind::Tree, &bytes).unwrap();
        writer.finish(&Cancel::default()).unwrap();
        tree
    }

    #[test]
    fn trees_that_git_can_not_read_are_refused() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        for entry in [("100644", ""), ("x00", "a"), ("", "a"), ("100648", "a")] {
            let tree = odd_tree(&repo, &[entry]);
            assert!(matches!(repo.tree_files(tree), Err(Error::Corrupt { .. })), "{entry:?}");
            assert!(!fixture.try_git(&["ls-tree", &tree.to_string()]), "{entry:?}");
        }
    }

    #[test]
    fn trees_that_git_reads_are_read() {
        for hash in ["sha1", "sha256"] {
            let fixture = Fixture::with_history_in(hash);
            let repo = fixture.open();
            for (entries, expected) in [
                (&[("0100644", "a"), ("040000", "d")][..], &["a", "d/x"][..]),
                (&[("100664", "a"), ("100600", "b")], &["a", "b"]),
                (&[("100644", "z"), ("100644", "a"), ("40000", "d")], &["a", "d/x", "z"]),
                (&[("100644", "a"), ("100755", "a")], &["a"]),
                (&[("100644", "a"), ("100644", "a-b"), ("40000", "a")], &["a", "a-b"]),
                (&[("40000", "a"), ("100644", "a")], &["a/x"]),
                (&[("100644", ".git"), ("100644", "b")], &["b"]),
                (&[("100644", ".."), ("40000", "."), ("100644", "a/b"), ("100644", "b")], &["b"]),
                (&[("0", "a"), ("100", "b"), ("7", "c")], &["a", "b", "c"]),
            ] {
                let tree = odd_tree(&repo, entries);
                let files = repo.tree_files(tree).unwrap();
                let paths: Vec<_> = files.iter().map(|file| file.path.to_string()).collect();
                assert_eq!(paths, expected, "{entries:?}");
                // Git stops looking for a name behind a greater one, but it lists all of them.
                let listed = fixture.git_line(&["ls-tree", "-r", &tree.to_string()]);
                for file in &files {
                    let line = format!("{}\t{}", file.id, file.path);
                    assert!(listed.contains(&line), "{entries:?}: {listed}");
                }
                let added: Vec<_> =
                    repo.diff_trees(None, tree).unwrap().into_iter().map(|change| change.path).collect();
                assert_eq!(added, expected, "{entries:?}");
                // Edits of such a tree leave a sound one.
                let mut writer = repo.writer().unwrap();
                let id = files[0].id;
                let edited = repo.edit_tree(&mut writer, Some(tree), &[("new".into(), Some(id))]).unwrap();
                writer.finish(&Cancel::default()).unwrap();
                assert_eq!(repo.tree_files(edited).unwrap().len(), files.len() + 1, "{entries:?}");
            }
        }
    }

    #[test]
    fn bombs_and_wells_hit_a_limit() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let mut writer = repo.writer().unwrap();
        let dir = |name: String, id| TreeEntry { path: name.into(), mode: EntryMode::Directory, id };
        let mut bomb = repo.empty_tree();
        writer.tree(&[]).unwrap();
        for _ in 0..10 {
            let names: Vec<_> = (0..10).map(|i| dir(format!("d{i}"), bomb)).collect();
            bomb = writer.tree(&names).unwrap();
        }
        let mut well = repo.empty_tree();
        for _ in 0..600 {
            well = writer.tree(&[dir("d".into(), well)]).unwrap();
        }
        writer.finish(&Cancel::default()).unwrap();
        assert!(matches!(repo.tree_files(well), Err(Error::Limit { what: "nested directories", .. })));
        assert!(matches!(repo.tree_files(bomb), Err(Error::Limit { what: "entries", .. })));
    }

    #[test]
    fn a_walk_is_bounded() {
        let id = ObjectId::from_bytes(&[7; 20]).unwrap();
        let budget = Budget::new(id);
        assert!(budget.depth(512).is_ok());
        assert!(matches!(budget.depth(513), Err(Error::Limit { limit: 512, .. })));
        let mut many = Budget { entries: 4_999_998, ..Budget::new(id) };
        assert!(many.entry(1).is_ok() && many.entry(1).is_ok());
        assert!(matches!(many.entry(1), Err(Error::Limit { what: "entries", .. })));
        let mut long = Budget { path_bytes: (1 << 30) - 10, ..Budget::new(id) };
        assert!(long.entry(10).is_ok());
        assert!(matches!(long.entry(1), Err(Error::Limit { what: "bytes of paths", .. })));
    }

    #[test]
    fn directories_nested_too_deeply_are_an_error() {
        let fixture = Fixture::new();
        let blob = fixture.git_input(&["hash-object", "-w", "--stdin"], b"x");
        let mut tree = fixture.git_input(&["mktree"], format!("100644 blob {blob}\tf\n").as_bytes());
        let mut trees = vec![tree.clone()];
        for _ in 0..513 {
            tree = fixture.git_input(&["mktree"], format!("040000 tree {tree}\td\n").as_bytes());
            trees.push(tree.clone());
        }
        let repo = fixture.open();
        let files = |depth: usize| repo.tree_files(trees[depth].parse().unwrap());
        assert_eq!(files(512).unwrap().len(), 1);
        assert!(matches!(files(513), Err(Error::Limit { limit: 512, .. })));
    }

    #[test]
    fn directories_that_the_source_lacks_are_not_entered() {
        let fixture = Fixture::new();
        let blob = fixture.git_input(&["hash-object", "-w", "--stdin"], b"x");
        let mut tree = fixture.git_input(&["mktree"], format!("100644 blob {blob}\tf\n").as_bytes());
        let inner = tree.clone();
        // Ten directories in each of sixty levels hold more files than there is memory.
        for _ in 0..60 {
            let entries: String = (0..10).map(|n| format!("040000 tree {tree}\td{n}\n")).collect();
            tree = fixture.git_input(&["mktree"], entries.as_bytes());
        }
        let both = format!("040000 tree {inner}\tsrc\n040000 tree {tree}\twell\n");
        let hostile = fixture.git_input(&["mktree"], both.as_bytes());
        let honest = fixture.git_input(&["mktree"], format!("040000 tree {inner}\tsrc\n").as_bytes());
        let repo = fixture.open();
        let source = repo.tree_files(honest.parse().unwrap()).unwrap();
        assert_eq!(repo.tree_files_beside(hostile.parse().unwrap(), &source).unwrap(), source);
    }
}
