//! A new tree made from an old one and a list of changed files.
//!
//! Only directories on the way to an edited path are read and rewritten; every other subtree keeps
//! its id. The edits are sorted by path, so all edits below one directory are neighbours, and each
//! directory is visited once. Starting from nothing, 100,000 edits take one pass. The result is the
//! tree that a full rebuild gives.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::base::id::ObjectId;
use crate::git::tree::{MAX_DEPTH, unique_entries};
use crate::git::{EntryMode, Error, ObjectWriter, Repository, Result, TreeEntry};

/// A path and the blob to put there, or `None` to remove the path.
type Edit = (BString, Option<ObjectId>);

impl Repository {
    /// Builds a tree from `base` (`None` is the empty tree) and `edits`, and adds new trees to
    /// `out`.
    ///
    /// The edits are sorted by the bytes of their paths, and each path occurs once. `Some(id)` puts
    /// a file with that blob at the path; it replaces a directory there, or a file where a
    /// directory is needed. `None` removes whatever is at the path. A directory that becomes empty
    /// is removed. `base` may be a tree that was added to `out`.
    ///
    /// # Errors
    /// [`Error::Internal`] if edits are out of order or contradict each other,
    /// [`Error::MissingObject`] or [`Error::Corrupt`] if a tree can't be read,
    /// [`Error::Limit`] if a path is too deep.
    pub fn edit_tree(
        &self,
        out: &mut ObjectWriter,
        base: Option<ObjectId>,
        edits: &[Edit],
    ) -> Result<ObjectId> {
        if let Some(pair) = edits.windows(2).find(|pair| matches!(pair, [a, b] if a.0 >= b.0)) {
            return Err(Error::Internal(format!(
                "edits out of order: {:?}",
                pair.first().map(|edit| &edit.0)
            )));
        }
        match self.edit_directory(out, base, edits, 0, 0)? {
            Some(id) => Ok(id),
            None => out.tree(&[]),
        }
    }

    /// Edits one directory, whose path is the first `prefix_len` bytes of every edit's path.
    /// Returns `None` if the directory becomes empty. The recursion is as deep as the path, which
    /// is bounded.
    fn edit_directory(
        &self,
        out: &mut ObjectWriter,
        base: Option<ObjectId>,
        edits: &[Edit],
        prefix_len: usize,
        depth: usize,
    ) -> Result<Option<ObjectId>> {
        if depth > MAX_DEPTH {
            let id = base.unwrap_or_else(|| self.empty_tree());
            return Err(Error::Limit { what: "nested directories", id, limit: MAX_DEPTH });
        }
        let mut entries = self.entries_by_name(out, base)?;
        for (name, change) in group(edits, prefix_len)? {
            let mut present = entries.get(name).copied();
            if change.file == Some(None) {
                present = None;
            }
            if let Some(Some(id)) = change.file {
                if change.below.iter().any(|(_, id)| id.is_some()) {
                    return Err(Error::Internal(format!("'{name}' is edited as a file and as a directory")));
                }
                // The mode of an existing file does not matter: nothing we write is executed.
                present = Some((EntryMode::File, id));
            } else if !change.below.is_empty() {
                let inner = present.and_then(|(mode, id)| (mode == EntryMode::Directory).then_some(id));
                let below = prefix_len + name.len() + 1;
                match self.edit_directory(out, inner, change.below, below, depth + 1)? {
                    Some(id) => present = Some((EntryMode::Directory, id)),
                    None if inner.is_some() => present = None,
                    None => {}
                }
            }
            match present {
                Some(entry) => drop(entries.insert(name.to_owned(), entry)),
                None => drop(entries.remove(name)),
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        let entries: Vec<_> =
            entries.into_iter().map(|(path, (mode, id))| TreeEntry { path, mode, id }).collect();
        out.tree(&entries).map(Some)
    }

    fn entries_by_name(
        &self,
        out: &mut ObjectWriter,
        tree: Option<ObjectId>,
    ) -> Result<BTreeMap<BString, (EntryMode, ObjectId)>> {
        let Some(tree) = tree else { return Ok(BTreeMap::new()) };
        let bytes = out.read_tree(tree)?;
        let entries = unique_entries(&bytes, tree, self.object_hash_len())?;
        Ok(entries.into_iter().map(|entry| (entry.name.to_owned(), (entry.mode, entry.id))).collect())
    }
}

/// The edits of one name in a directory.
#[derive(Default)]
struct Change<'a> {
    /// The edit of the name itself.
    file: Option<Option<ObjectId>>,
    /// The edits of paths below it.
    below: &'a [Edit],
}

/// Groups the edits of one directory by name. The edit of a name and those below it need not be
/// neighbours: `a-b` sorts between `a` and `a/b`.
fn group(edits: &[Edit], prefix_len: usize) -> Result<BTreeMap<&BStr, Change<'_>>> {
    let mut names: BTreeMap<&BStr, Change<'_>> = BTreeMap::new();
    let mut rest = edits;
    while let Some((path, id)) = rest.first() {
        let tail = path.get(prefix_len..).unwrap_or_default();
        match tail.find_byte(b'/') {
            None => {
                names.entry(tail.as_bstr()).or_default().file = Some(*id);
                rest = rest.get(1..).unwrap_or_default();
            }
            Some(slash) => {
                let name = tail.get(..slash).unwrap_or_default();
                let with_slash = path.get(..=prefix_len + slash).unwrap_or_default();
                let n = rest.partition_point(|(path, _)| path.starts_with(with_slash));
                let (below, after) = rest.split_at(n);
                names.entry(name.as_bstr()).or_default().below = below;
                rest = after;
            }
        }
    }
    match names.keys().find(|name| !crate::git::tree::is_valid_name(name)) {
        Some(name) => Err(Error::Internal(format!("'{name}' can't be part of a path"))),
        None => Ok(names),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::base::progress::Cancel;
    use crate::git::testing::Fixture;

    type Files = BTreeMap<String, u8>;

    /// Applies edits to a set of files in the simplest way.
    fn apply(files: &Files, edits: &BTreeMap<String, Option<u8>>) -> Files {
        let mut files = files.clone();
        for (path, content) in edits {
            if content.is_none() {
                let dir = format!("{path}/");
                files.retain(|other, _| other != path && !other.starts_with(&dir));
            }
        }
        for (path, content) in edits {
            if let Some(content) = content {
                let dir = format!("{path}/");
                files.retain(|other, _| !other.starts_with(&dir) && !path.starts_with(&format!("{other}/")));
                files.insert(path.clone(), *content);
            }
        }
        files
    }

    fn edits_of(
        out: &mut ObjectWriter,
        edits: impl IntoIterator<Item = (String, Option<u8>)>,
    ) -> Vec<(BString, Option<ObjectId>)> {
        let put = |(path, content): (String, Option<u8>)| {
            (BString::from(path), content.map(|byte| out.blob(&[byte]).unwrap()))
        };
        edits.into_iter().map(put).collect()
    }

    fn is_consistent<T>(paths: &BTreeMap<String, T>, present: impl Fn(&T) -> bool) -> bool {
        let puts: Vec<_> = paths.iter().filter(|(_, v)| present(v)).map(|(k, _)| k).collect();
        puts.iter().all(|a| puts.iter().all(|b| !b.starts_with(&format!("{a}/"))))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn edits_equal_a_full_rebuild(
            start in prop::collection::btree_map("[ab-]{1,2}(/[ab]{1,2}){0,3}", 0u8..4, 0..12),
            edits in prop::collection::btree_map("[ab-]{1,2}(/[ab]{1,2}){0,3}", prop::option::of(0u8..4), 0..8),
        ) {
            prop_assume!(is_consistent(&start, |_| true) && is_consistent(&edits, Option::is_some));
            let (_fixture, repo) = Fixture::new().open_kept();
            let mut out = repo.writer().unwrap();
            let all = edits_of(&mut out, start.clone().into_iter().map(|(path, byte)| (path, Some(byte))));
            let base = repo.edit_tree(&mut out, None, &all).unwrap();
            let list = edits_of(&mut out, edits.clone());
            let edited = repo.edit_tree(&mut out, Some(base), &list).unwrap();
            let files = apply(&start, &edits);
            let all = edits_of(&mut out, files.clone().into_iter().map(|(path, byte)| (path, Some(byte))));
            let rebuilt = repo.edit_tree(&mut out, None, &all).unwrap();
            out.finish(&Cancel::default()).unwrap();
            let listed = repo.tree_files(edited).unwrap().into_iter();
            let listed: Vec<_> = listed.map(|f| f.path.to_string()).collect();
            prop_assert_eq!(listed, files.keys().cloned().collect::<Vec<_>>());
            prop_assert_eq!(edited, rebuilt);
        }
    }

    #[test]
    fn the_tree_is_the_one_that_git_builds() {
        let fixture = Fixture::with_history();
        fixture.commit_odd_paths();
        let repo = fixture.open();
        let mut out = repo.writer().unwrap();
        let head = repo.commit(repo.resolve("HEAD").unwrap()).unwrap();
        let files = repo.tree_files(head.tree).unwrap();
        let edits: Vec<_> = files.iter().map(|file| (file.path.clone(), Some(file.id))).collect();
        let tree = repo.edit_tree(&mut out, None, &edits).unwrap();
        out.finish(&Cancel::default()).unwrap();
        // Builds the same tree with Git: every file as an ordinary one, through the staging index.
        let mut info = Vec::new();
        for file in &files {
            info.extend(format!("100644 {}\t", file.id).into_bytes());
            info.extend_from_slice(&file.path);
            info.push(0);
        }
        fixture.git(&["read-tree", "--empty"]);
        fixture.git_input(&["update-index", "-z", "--index-info"], &info);
        assert_eq!(tree.to_string(), fixture.git_line(&["write-tree", "--missing-ok"]));
    }

    #[test]
    fn a_hundred_thousand_files_are_one_pass() {
        let (_fixture, repo) = Fixture::new().open_kept();
        let mut out = repo.writer().unwrap();
        let id = out.blob(b"x").unwrap();
        let mut edits: Vec<_> =
            (0..100_000).map(|i| (BString::from(format!("d{}/e{}/f{i}", i % 50, i % 7)), Some(id))).collect();
        edits.sort();
        let started = std::time::Instant::now();
        let tree = repo.edit_tree(&mut out, None, &edits).unwrap();
        assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
        for edit in &mut edits {
            edit.1 = None;
        }
        assert_eq!(repo.edit_tree(&mut out, Some(tree), &edits).unwrap(), repo.empty_tree());
    }

    #[test]
    fn contradictions_are_refused() {
        let (_fixture, repo) = Fixture::new().open_kept();
        let mut out = repo.writer().unwrap();
        let id = Some(out.blob(b"x").unwrap());
        for paths in
            [&["a", "a"][..], &["b", "a"], &["a", "a/b"], &["/a"], &["a/"], &["a//b"], &["../a"], &[""]]
        {
            let edits: Vec<_> = paths.iter().map(|path| (BString::from(*path), id)).collect();
            assert!(repo.edit_tree(&mut out, None, &edits).is_err(), "{paths:?}");
        }
    }
}
