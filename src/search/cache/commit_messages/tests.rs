//! Tests of cached commit messages: how many stay, what remains of other versions, and what is
//! damaged.

use super::*;
use crate::base::progress::{Cancel, NoProgress};
use crate::git::testing::Fixture;

const HOUR: Duration = Duration::from_secs(3600);

fn set_age(path: &Path, age: Duration) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

/// The messages that led to `HEAD`.
fn gathered(repo: &Repository) -> (ObjectId, CommitMessages) {
    let head = repo.resolve("HEAD").unwrap();
    match commit_messages::gather(repo, head, None, Task::new(&NoProgress, &Cancel::default())).unwrap() {
        GatherOutcome::Whole(messages) => (head, *messages),
        other => panic!("{other:?}"),
    }
}

fn id(n: u8) -> ObjectId {
    ObjectId::from_bytes(&[n; 20]).unwrap()
}

#[test]
fn the_eight_made_last_stay() {
    let (_fixture, repo) = Fixture::with_history().open_kept();
    let (head, messages) = gathered(&repo);
    let kept = CommitMessageCache::new(&repo).unwrap();
    fs::create_dir_all(&kept.dir).unwrap();
    for n in 1..=10 {
        fs::write(kept.path(id(n)), "history").unwrap();
        set_age(&kept.path(id(n)), HOUR * u32::from(n));
    }
    kept.put(head, &messages);
    let left: Vec<u8> = (1..=10).filter(|n| kept.path(id(*n)).exists()).collect();
    assert_eq!(left, [1, 2, 3, 4, 5, 6, 7], "and the new one");
    assert!(kept.get(head).is_some_and(|found| found == messages));
}

#[test]
fn what_other_versions_left_goes_after_a_day() {
    let (_fixture, repo) = Fixture::with_history().open_kept();
    let (head, messages) = gathered(&repo);
    let kept = CommitMessageCache::new(&repo).unwrap();
    fs::create_dir_all(&kept.dir).unwrap();
    let minute = Duration::from_secs(60);
    for (name, age, stays) in [
        (format!("{head}-00000000.v0"), 24 * HOUR - minute, true),
        (format!("{head}-00000000.v0"), 24 * HOUR + minute, false),
        (".history-temporary".to_owned(), 24 * HOUR - minute, true),
        (".history-temporary".to_owned(), 24 * HOUR + minute, false),
    ] {
        let path = kept.dir.join(name);
        fs::write(&path, "left").unwrap();
        set_age(&path, age);
        kept.put(head, &messages);
        assert_eq!(path.exists(), stays, "{} after {age:?}", path.display());
        let _ = fs::remove_file(path);
    }
}

#[test]
fn a_file_that_is_damaged_foreign_or_too_large_is_removed() {
    let (_fixture, repo) = Fixture::with_history().open_kept();
    let (head, messages) = gathered(&repo);
    let kept = CommitMessageCache::new(&repo).unwrap();
    kept.put(head, &messages);
    let path = kept.path(head);
    let whole = fs::read(&path).unwrap();
    fs::write(kept.path(id(1)), &whole).unwrap();
    assert!(kept.get(id(1)).is_none() && !kept.path(id(1)).exists(), "it is of another commit");
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(kept.get(head).is_none() && !path.exists(), "it is cut short");
    for (len, is_small) in [(0, true), (16 << 20, true), ((16 << 20) + 1, false)] {
        assert_eq!(is_small_enough(len), is_small, "{len} bytes");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(decoded(&path, |_| true), Some(messages));
    assert_eq!(decoded(&path, |len| len < whole.len() as u64), None);
    assert!(!path.exists(), "it is too large");
}

#[test]
fn a_question_gathers_only_what_is_not_kept() {
    let (_fixture, repo) = Fixture::with_history().open_kept();
    let head = repo.resolve("HEAD").unwrap();
    let (silent, cancel) = (NoProgress, Cancel::default());
    keep_commit_messages(&repo, head, Task::new(&silent, &cancel));
    let kept = CommitMessageCache::new(&repo).unwrap();
    assert!(!kept.dir.exists(), "nobody asked for it before");
    fs::create_dir_all(&kept.dir).unwrap();
    keep_commit_messages(&repo, head, Task::new(&silent, &cancel));
    assert!(kept.path(head).exists());
    set_age(&kept.path(head), HOUR);
    let made = fs::metadata(kept.path(head)).unwrap().modified().unwrap();
    keep_commit_messages(&repo, head, Task::new(&silent, &cancel));
    assert_eq!(fs::metadata(kept.path(head)).unwrap().modified().unwrap(), made);
}
