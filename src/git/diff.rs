//! The difference between two trees.
//!
//! Owns [`TreeChange`]. Two trees are merged name by name. A subtree with the same id on both sides
//! is never read, so the cost is that of the directories on the way to a change.
//!
//! Renames are not detected. To an index a rename is a deletion and an addition of the same blob,
//! whose record is found by its id anyway.

use bstr::{BStr, BString};

use super::tree::{Budget, RawEntry, joined, unique_entries};
use super::{EntryMode, Repository, Result, to_gix};
use crate::base::id::ObjectId;

/// A path whose file differs between two trees.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeChange {
    /// The path from the roots, separated by `/`.
    pub path: BString,
    /// The old file; `None` if the path was added.
    pub old: Option<(EntryMode, ObjectId)>,
    /// The new file; `None` if the path was deleted.
    pub new: Option<(EntryMode, ObjectId)>,
}

/// [`Repository::few_changes`] compares at most this many pairs of directories per allowed change.
const PAIRS_OF_A_CHANGE: usize = 64;
/// [`Repository::few_changes`] reads no tree with more bytes than this: about a hundred thousand
/// files in one directory.
const HUGE_TREE_BYTES: u64 = 4 << 20;

/// Two directories of the same path that are to be compared.
struct Pair {
    old: Option<ObjectId>,
    new: Option<ObjectId>,
    path: BString,
    depth: usize,
}

type Side = Option<(EntryMode, ObjectId)>;

impl Repository {
    /// Returns the files that differ between two trees, sorted by the bytes of their paths; `None`
    /// is the empty tree.
    ///
    /// A file that became a directory is one deletion and one addition for each file in it, and the
    /// other way round.
    ///
    /// # Errors
    /// The same as [`Repository::tree_files`].
    pub fn diff_trees(&self, old: Option<ObjectId>, new: ObjectId) -> Result<Vec<TreeChange>> {
        Ok(self.changes(old, new, None)?.unwrap_or_default())
    }

    /// Returns the differences of two trees if there are at most `most` and they are cheap to find;
    /// otherwise `None`.
    ///
    /// # Errors
    /// The same as [`Repository::diff_trees`].
    pub fn few_changes(&self, old: ObjectId, new: ObjectId, most: usize) -> Result<Option<Vec<TreeChange>>> {
        self.changes(Some(old), new, Some(most))
    }

    fn changes(
        &self,
        old: Option<ObjectId>,
        new: ObjectId,
        most: Option<usize>,
    ) -> Result<Option<Vec<TreeChange>>> {
        let handle = self.handle();
        let read = |id: Option<ObjectId>| match id {
            Some(id) => self.structure(&handle, id, gix::objs::Kind::Tree),
            None => Ok(Vec::new()),
        };
        let mut changes = Vec::new();
        let mut budget = Budget::new(new);
        let mut pending = Vec::new();
        let mut n_pairs = 0;
        if old != Some(new) {
            pending.push(Pair { old, new: Some(new), path: BString::default(), depth: 0 });
        }
        while let Some(pair) = pending.pop() {
            budget.depth(pair.depth)?;
            n_pairs += 1;
            if most.is_some_and(|most| changes.len() > most || n_pairs > PAIRS_OF_A_CHANGE * most)
                || most.is_some()
                    && [pair.old, pair.new].into_iter().flatten().any(|id| self.is_huge(&handle, id))
            {
                return Ok(None);
            }
            let (old_bytes, new_bytes) = (read(pair.old)?, read(pair.new)?);
            let old_entries = self.sorted_entries(&old_bytes, pair.old.unwrap_or(new))?;
            let new_entries = self.sorted_entries(&new_bytes, pair.new.unwrap_or(new))?;
            merge(&old_entries, &new_entries, |name, old, new| {
                if old == new {
                    return Ok(());
                }
                let path = joined(pair.path.as_ref(), name);
                budget.entry(path.len())?;
                let (old_dir, old_file) = split(old);
                let (new_dir, new_file) = split(new);
                if old_dir.is_some() || new_dir.is_some() {
                    let depth = pair.depth + 1;
                    pending.push(Pair { old: old_dir, new: new_dir, path: path.clone(), depth });
                }
                if old_file.is_some() || new_file.is_some() {
                    changes.push(TreeChange { path, old: old_file, new: new_file });
                }
                Ok(())
            })?;
        }
        if most.is_some_and(|most| changes.len() > most) {
            return Ok(None);
        }
        changes.sort_unstable();
        Ok(Some(changes))
    }

    /// Returns whether a tree is too large to be read by [`Repository::few_changes`].
    fn is_huge(&self, handle: &gix::Repository, id: ObjectId) -> bool {
        let header = to_gix(id).ok().and_then(|id| handle.try_find_header(id).ok().flatten());
        header.is_some_and(|header| is_huge_size(header.size()))
    }

    /// Returns the entries of a tree sorted by plain name. Git sorts a directory as `name/`, so a
    /// file and a directory of the same name are not neighbours in its order.
    fn sorted_entries<'a>(&self, bytes: &'a [u8], id: ObjectId) -> Result<Vec<RawEntry<'a>>> {
        let mut entries = unique_entries(bytes, id, self.object_hash_len())?;
        entries.sort_by(|a, b| a.name.cmp(b.name));
        Ok(entries)
    }
}

fn is_huge_size(bytes: u64) -> bool {
    bytes > HUGE_TREE_BYTES
}

/// Calls `visit` for each name of either side, with the entry of each side.
fn merge(
    old: &[RawEntry<'_>],
    new: &[RawEntry<'_>],
    mut visit: impl FnMut(&BStr, Side, Side) -> Result<()>,
) -> Result<()> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        let name = match (old.peek(), new.peek()) {
            (Some(a), Some(b)) => a.name.min(b.name),
            (Some(a), None) => a.name,
            (None, Some(b)) => b.name,
            (None, None) => return Ok(()),
        };
        let a = old.next_if(|entry| entry.name == name).map(|entry| (entry.mode, entry.id));
        let b = new.next_if(|entry| entry.name == name).map(|entry| (entry.mode, entry.id));
        visit(name, a, b)?;
    }
}

/// Splits one side into a directory and a file; one of them is `None`.
fn split(side: Side) -> (Option<ObjectId>, Side) {
    match side {
        Some((EntryMode::Directory, id)) => (Some(id), None),
        file => (None, file),
    }
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;
    use crate::git::testing::Fixture;

    /// Formats our changes like `git diff-tree -r -z`.
    fn as_diff_tree(changes: &[TreeChange], hash_len: usize) -> BString {
        let null = (EntryMode::File, ObjectId::from_bytes(&vec![0; hash_len]).unwrap());
        let mode = |side: Side| side.map_or("000000", |(mode, _)| mode.as_octal());
        let id = |side: Side| side.unwrap_or(null).1;
        let mut out = Vec::new();
        for TreeChange { path, old, new } in changes {
            let kind = match (old, new) {
                (None, _) => "A",
                (_, None) => "D",
                (Some((a, _)), Some((b, _))) if file_type(*a) != file_type(*b) => "T",
                _ => "M",
            };
            let line = format!(":{} {} {} {} {kind}\0", mode(*old), mode(*new), id(*old), id(*new));
            out.extend(line.into_bytes());
            out.extend_from_slice(path);
            out.push(0);
        }
        out.into()
    }

    fn file_type(mode: EntryMode) -> &'static str {
        &mode.as_octal()[..2]
    }

    #[test]
    fn agrees_with_diff_tree() {
        for hash in ["sha1", "sha256"] {
            let fixture = Fixture::with_history_in(hash);
            fixture.commit_odd_paths();
            fixture.commit_moves();
            let repo = fixture.open();
            let commits = repo.first_parents(repo.resolve("HEAD").unwrap(), 99).unwrap();
            assert!(commits.len() > 4);
            for pair in commits.windows(2) {
                let (new, old) = (repo.commit(pair[0]).unwrap(), repo.commit(pair[1]).unwrap());
                for (a, b) in [(&old, &new), (&new, &old)] {
                    let ours = repo.diff_trees(Some(a.tree), b.tree).unwrap();
                    let args = ["diff-tree", "-r", "-z", &a.id.to_string(), &b.id.to_string()];
                    let mut theirs = fixture.git_bytes(&args);
                    sort_records(&mut theirs);
                    let ours = as_diff_tree(&ours, repo.object_hash_len());
                    assert_eq!(ours, theirs.as_bstr());
                }
            }
        }
    }

    /// Sorts Git's output by path. Git lists changes in its own tree order.
    fn sort_records(raw: &mut Vec<u8>) {
        let fields: Vec<Vec<u8>> = raw.split(|b| *b == 0).map(<[u8]>::to_vec).collect();
        let mut records: Vec<_> = fields.chunks_exact(2).map(|r| (r[1].clone(), r[0].clone())).collect();
        records.sort();
        *raw =
            records.iter().flat_map(|(path, meta)| [&meta[..], b"\0", &path[..], b"\0"].concat()).collect();
    }

    #[test]
    fn few_changes_are_those_or_none() {
        let fixture = Fixture::with_history();
        fixture.commit_moves();
        let repo = fixture.open();
        let commits = repo.first_parents(repo.resolve("HEAD").unwrap(), 99).unwrap();
        for pair in commits.windows(2) {
            let [new, old] = [0, 1].map(|at| repo.commit(pair[at]).unwrap().tree);
            let all = repo.diff_trees(Some(old), new).unwrap();
            assert_eq!(repo.few_changes(old, new, all.len()).unwrap().as_ref(), Some(&all));
            assert_eq!(repo.few_changes(old, new, all.len() + 9).unwrap().as_ref(), Some(&all));
            assert_eq!(repo.few_changes(old, new, all.len() - 1).unwrap(), None);
        }
    }

    #[test]
    fn from_nothing_every_file_is_added() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let tree = repo.commit(repo.resolve("HEAD").unwrap()).unwrap().tree;
        let files = repo.tree_files(tree).unwrap();
        let added = repo.diff_trees(None, tree).unwrap();
        assert_eq!(added.len(), files.len());
        assert!(added.iter().zip(&files).all(|(a, f)| a.path == f.path && a.old.is_none()));
        assert_eq!(repo.diff_trees(Some(tree), tree).unwrap(), []);
        assert_eq!(repo.diff_trees(Some(tree), repo.empty_tree()).unwrap().len(), files.len());
    }

    #[test]
    fn few_changes_far_down_are_not_cheap() {
        // One change below some directories costs as many pairs, and one for the root.
        for (n_directories, is_cheap) in [(1, true), (63, true), (64, false)] {
            let fixture = Fixture::new();
            let path = "d/".repeat(n_directories) + "file";
            let mut trees = Vec::new();
            for content in ["one", "two"] {
                let blob = fixture.git_input(&["hash-object", "-w", "--stdin"], content.as_bytes());
                let entry = format!("100644 {blob}\t{path}\0");
                fixture.git_input(&["update-index", "-z", "--add", "--index-info"], entry.as_bytes());
                trees.push(fixture.git_line(&["write-tree"]).parse().unwrap());
            }
            let repo = fixture.open();
            let found = repo.few_changes(trees[0], trees[1], 1).unwrap();
            assert_eq!(found.is_some(), is_cheap, "{n_directories} directories");
            assert_eq!(repo.diff_trees(Some(trees[0]), trees[1]).unwrap().len(), 1);
        }
        assert_eq!([4 << 20, (4 << 20) + 1].map(is_huge_size), [false, true]);
    }
}
