//! Tests of what is opened: which base is near enough, and when an open searcher is used again.

use std::time::{Duration, SystemTime};

use super::*;
use crate::git::testing::Fixture;

/// Sets the time of a file's last change to some seconds ago.
fn set_age(fixture: &Fixture, path: &str, seconds: u64) {
    let file = std::fs::File::options().append(true).open(fixture.path().join(path)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

/// Opens the work tree, or uses `before` again; the second value is whether it was used again.
fn reopen(indexer: &Indexer, target: &Target, before: &Arc<Searcher>) -> (Arc<Searcher>, bool) {
    let cancel = Cancel::default();
    let opened =
        Searcher::reopen(indexer, target, Some(Arc::clone(before)), Task::new(&NoProgress, &cancel)).unwrap();
    let is_same = Arc::ptr_eq(&opened, before);
    (opened, is_same)
}

fn open(indexer: &Indexer, target: &Target) -> Arc<Searcher> {
    Arc::new(Searcher::open(indexer, target, Task::new(&NoProgress, &Cancel::default())).unwrap())
}

#[test]
fn a_base_is_near_up_to_400_files_and_warmed_above_48() {
    assert_eq!([0, 400, 401].map(fits_an_overlay), [true, true, false]);
    assert_eq!([0, 48, 49].map(wants_warming), [false, false, true]);
}

#[test]
fn a_file_that_changes_twice_within_one_tick_of_the_clock_is_read_again() {
    let fixture = Fixture::with_history();
    let indexer = Indexer::new(fixture.open()).unwrap();
    fixture.write("src/new.rs", "fn zanzibar() {}\n");
    let now = SystemTime::now();
    let set_now = || {
        let file = std::fs::File::options().append(true).open(fixture.path().join("src/new.rs")).unwrap();
        file.set_modified(now).unwrap();
    };
    set_now();
    let before = open(&indexer, &Target::Worktree);
    fixture.write("src/new.rs", "fn quagga_() {}\n\n");
    set_now();
    let (after, is_same) = reopen(&indexer, &Target::Worktree, &before);
    assert!(!is_same, "length and time are the same, but the time is too young to say anything");
    assert!(after.index().declarations().any(|one| one.name() == "quagga_"));
}

#[test]
fn an_open_work_tree_is_used_again_only_while_nothing_changes() {
    let fixture = Fixture::with_history();
    fixture.write("src/new.rs", "fn zanzibar() {}\n");
    set_age(&fixture, "src/new.rs", 60);
    let indexer = Indexer::new(fixture.open()).unwrap();
    let mut current = open(&indexer, &Target::Worktree);
    let changes: [(&str, &dyn Fn()); 6] = [
        ("the time of a file", &|| set_age(&fixture, "src/new.rs", 50)),
        ("its length", &|| {
            let path = fixture.path().join("src/new.rs");
            let before = std::fs::metadata(&path).unwrap().modified().unwrap();
            std::fs::write(&path, "fn quagga() {}\n").unwrap();
            std::fs::File::options().append(true).open(path).unwrap().set_modified(before).unwrap();
        }),
        ("another file", &|| {
            fixture.write("src/other.rs", "fn other() {}\n");
            set_age(&fixture, "src/other.rs", 50);
        }),
        ("a state", &|| fixture.git(&["add", "src/other.rs"])),
        ("one file less", &|| std::fs::remove_file(fixture.path().join("src/new.rs")).unwrap()),
        ("the commit", &|| fixture.git(&["commit", "-q", "--allow-empty", "-m", "empty"])),
    ];
    for (what, change) in changes {
        let (same, is_same) = reopen(&indexer, &Target::Worktree, &current);
        assert!(is_same, "before {what} changes");
        change();
        let (after, is_same) = reopen(&indexer, &Target::Worktree, &same);
        assert!(!is_same, "{what} has changed");
        current = after;
    }
}

#[test]
fn an_open_commit_is_used_again_for_that_commit_only() {
    let fixture = Fixture::with_history();
    let indexer = Indexer::new(fixture.open()).unwrap();
    let commit = |revision: &str| Target::Commit(indexer.repo().resolve(revision).unwrap());
    let head = open(&indexer, &commit("HEAD"));
    assert!(reopen(&indexer, &commit("HEAD"), &head).1);
    assert!(!reopen(&indexer, &commit("HEAD~1"), &head).1);
    assert!(!reopen(&indexer, &Target::Worktree, &head).1);
    let worktree = open(&indexer, &Target::Worktree);
    assert!(!reopen(&indexer, &commit("HEAD"), &worktree).1, "it may have other files");
}
