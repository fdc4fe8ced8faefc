//! Which trees of records this machine made itself: those need no check against their sources.
//!
//! Owns the list `<common dir>/cora/made-here`, one tree id a line. A tree is in it if all of its
//! records were made here, or come from a base that is in it. Fetching never adds one. So a record
//! tree that a fetch brings is checked ([`super::check`]) unless it is the one that was made here.
//!
//! The list only saves time: without it, or with a line torn by a crash, records are checked.
#![allow(clippy::disallowed_methods, reason = "owns its list in the repository's cora directory")]

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::base::id::ObjectId;
use crate::base::new_file;
use crate::git::Repository;

/// Bytes of the list above which the older half is dropped: some 6,000 trees.
const MAX_BYTES: u64 = 256 << 10;

/// Returns whether all records of a tree were made on this machine.
pub fn is_made_here(repo: &Repository, files: ObjectId) -> bool {
    // A mirror holds what others made.
    !repo.is_mirror() && read(&path(repo)).is_some_and(|list| has(&list, files))
}

/// Adds trees to the list that were made from sources here and, if there is one, from a `base`.
/// They are added only if the base is in the list. Nothing depends on it, so a failure is ignored.
pub(super) fn note_made_here(repo: &Repository, base: Option<ObjectId>, trees: &[ObjectId]) {
    let path = path(repo);
    let list = read(&path).unwrap_or_default();
    if base.is_some_and(|base| !has(&list, base)) {
        return;
    }
    let new: String =
        trees.iter().filter(|&&tree| !has(&list, tree)).map(|tree| format!("{tree}\n")).collect();
    if !new.is_empty() {
        let _ = add(repo, &path, &list, &new);
    }
}

fn path(repo: &Repository) -> PathBuf {
    repo.cora_dir().join("made-here")
}

fn read(path: &Path) -> Option<String> {
    let is_usual = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= 2 * MAX_BYTES);
    is_usual.then(|| fs::read_to_string(path).ok())?
}

fn has(list: &str, tree: ObjectId) -> bool {
    let tree = tree.to_string();
    list.lines().any(|line| line == tree)
}

fn add(repo: &Repository, path: &Path, list: &str, new: &str) -> io::Result<()> {
    let sharing = repo.sharing();
    sharing.create_dir_all(&repo.cora_dir())?;
    if list.len() as u64 <= MAX_BYTES {
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        // After a line that a crash has torn, this line is not joined to it.
        let end = if list.is_empty() || list.ends_with('\n') { "" } else { "\n" };
        file.write_all(format!("{end}{new}").as_bytes())?;
        return sharing.apply(path);
    }
    let half = list.get(list.len() / 2..).and_then(|rest| rest.split_once('\n')).map_or("", |(_, rest)| rest);
    new_file::write(path, ".made-here-", 0o666, sharing, format!("{half}{new}").as_bytes())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::base::progress::Task;
    use crate::git::testing::Fixture;
    use crate::index::{IndexOptions, index_commit};

    fn id(n: u16) -> ObjectId {
        let mut bytes = [1; 20];
        bytes.iter_mut().zip(n.to_be_bytes()).for_each(|(to, from)| *to = from);
        ObjectId::from_bytes(&bytes).unwrap()
    }

    #[test]
    fn only_trees_that_were_noted_are_in_the_list() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        assert!(!is_made_here(&repo, id(1)));
        note_made_here(&repo, None, &[id(1), id(2)]);
        note_made_here(&repo, None, &[id(2), id(3)]);
        assert!([1, 2, 3].iter().all(|&n| is_made_here(&repo, id(n))));
        assert!(!is_made_here(&repo, id(4)));
        assert_eq!(fs::read_to_string(path(&repo)).unwrap().lines().count(), 3);
    }

    #[test]
    fn a_torn_line_costs_only_itself() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        note_made_here(&repo, None, &[id(1)]);
        let torn = fs::read_to_string(path(&repo)).unwrap() + &id(2).to_string()[..7];
        fs::write(path(&repo), torn).unwrap();
        note_made_here(&repo, None, &[id(3)]);
        assert!(is_made_here(&repo, id(1)) && is_made_here(&repo, id(3)) && !is_made_here(&repo, id(2)));
    }

    #[test]
    fn the_list_is_bounded_and_keeps_the_newest() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        for some in (0..8000).collect::<Vec<u16>>().chunks(1000) {
            note_made_here(&repo, None, &some.iter().map(|&n| id(n)).collect::<Vec<_>>());
        }
        assert!(is_made_here(&repo, id(7999)) && !is_made_here(&repo, id(0)));
        assert!(fs::metadata(path(&repo)).unwrap().len() <= MAX_BYTES + 1001 * 41);
    }

    #[test]
    fn what_is_built_on_a_received_index_is_not_made_here() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let options = IndexOptions::default();
        let index = |commit| index_commit(&repo, commit, &options, None, false, Task::silent()).unwrap();
        let first = index(repo.resolve("HEAD").unwrap());
        assert!(is_made_here(&repo, first.snapshot.files));
        // As if it had been fetched.
        fs::remove_file(path(&repo)).unwrap();
        fs::write(fixture.path().join("b.rs"), "fn b() {}\n").unwrap();
        fixture.git(&["add", "-A"]);
        fixture.git(&["commit", "-qm", "b"]);
        let second = index(repo.resolve("HEAD").unwrap());
        assert_ne!(second.snapshot.files, first.snapshot.files);
        assert!(!is_made_here(&repo, second.snapshot.files));
        let forced =
            index_commit(&repo, second.snapshot.commit, &options, None, true, Task::silent()).unwrap();
        assert!(is_made_here(&repo, forced.snapshot.files));
    }
}
