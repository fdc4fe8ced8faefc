//! Tests of the cache of edited files: what it keeps and for how long, and when a file's time says
//! that it is still the one that was read.

use super::*;
use crate::base::sharing::Sharing;
use crate::git::testing::Fixture;

const SECOND: Duration = Duration::from_secs(1);

/// Sets the time of a file's last change to `age` ago.
fn set_age(fixture: &Fixture, path: &str, age: Duration) -> SystemTime {
    let file = fs::File::options().append(true).open(fixture.path().join(path)).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
    file.metadata().unwrap().modified().unwrap()
}

fn edited() -> (tempfile::TempDir, RecordCache) {
    let dir = tempfile::tempdir().unwrap();
    let edited = RecordCache {
        dir: dir.path().join("edited"),
        made_with: b"options".to_vec(),
        sharing: Sharing::Umask,
    };
    (dir, edited)
}

fn record() -> Vec<u8> {
    record::encode(&FileRecord::Skipped(source::SkipReason::Unreadable))
}

#[test]
fn a_file_is_settled_after_two_seconds() {
    let now = SystemTime::now();
    // The smallest step of the clock of Windows.
    let tick = Duration::from_nanos(100);
    for (age, expected) in [
        (Duration::ZERO, false),
        (SECOND, false),
        (2 * SECOND, false),
        (2 * SECOND + tick, true),
        (3600 * SECOND, true),
    ] {
        assert_eq!(is_settled(now - age, now), expected, "{age:?}");
    }
    assert!(!is_settled(now + SECOND, now), "a time in the future says nothing");
}

#[test]
fn stamps_are_only_of_files_that_have_settled() {
    let fixture = Fixture::with_history();
    let repo = fixture.open();
    let dirty: BTreeMap<BString, FileState> =
        ["a", "b", "gone"].map(|path| (path.into(), FileState::Untracked)).into();
    fixture.write("a", "one\n");
    fixture.write("b", "three\n");
    assert_eq!(stamps(&repo, &dirty), None, "both were just written");
    let a = set_age(&fixture, "a", 10 * SECOND);
    assert_eq!(stamps(&repo, &dirty), None, "one was just written");
    let b = set_age(&fixture, "b", 10 * SECOND);
    assert_eq!(stamps(&repo, &dirty), Some(vec![Some((4, a)), Some((6, b)), None]));
    // Another text of the same length, seen by its time alone.
    fixture.write("a", "two\n");
    let later = set_age(&fixture, "a", 9 * SECOND);
    assert_eq!(stamps(&repo, &dirty), Some(vec![Some((4, later)), Some((6, b)), None]));
}

#[test]
fn a_key_depends_on_all_that_the_record_does() {
    let (_dir, edited) = edited();
    let other =
        RecordCache { dir: edited.dir.clone(), made_with: b"others".to_vec(), sharing: Sharing::Umask };
    let plain = FileAttributes::default();
    let generated = FileAttributes { generated: Some(true), ..FileAttributes::default() };
    let keys = [
        edited.key("src/a.rs".into(), b"text", &plain),
        edited.key("src/b.rs".into(), b"text", &plain),
        edited.key("src/a.rs".into(), b"other", &plain),
        edited.key("src/a.rs".into(), b"text", &generated),
        other.key("src/a.rs".into(), b"text", &plain),
    ];
    assert_eq!(HashSet::from(keys.clone()).len(), keys.len());
    assert_eq!(edited.key("lib/a.rs".into(), b"text", &plain), keys[0], "the directory says nothing");
}

#[test]
fn what_is_whole_is_found_again() {
    let (_dir, edited) = edited();
    assert!(!edited.is_used());
    edited.put("key", &record());
    assert!(edited.is_used());
    assert_eq!(edited.get("key"), Some(record()));
    assert_eq!(edited.get("other"), None);
    let path = edited.dir.join("key");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, bytes).unwrap();
        assert_eq!(edited.get("key"), None, "byte {at}");
    }
    // The sum is right, but this is not a record.
    let sum = crc32fast::hash(b"text").to_le_bytes();
    fs::write(&path, [b"text".as_slice(), &sum].concat()).unwrap();
    assert_eq!(edited.get("key"), None);
}

#[test]
fn a_slow_query_stores_what_it_parsed_and_a_fast_one_nothing() {
    use crate::base::progress::NoProgress;
    let fixture = Fixture::with_history();
    fixture.write("a.rs", "fn edited() {}\n");
    fixture.write("b.rs", "fn other() {}\n");
    let repo = fixture.open();
    let dirty: BTreeMap<BString, FileState> =
        ["a.rs", "b.rs"].map(|path| (path.into(), FileState::Untracked)).into();
    let parser = |slow| {
        let tree = repo.commit(repo.resolve("HEAD").unwrap()).unwrap().tree;
        let made = Parser::new(&repo, tree, &IndexOptions::default()).unwrap();
        Parser { slow, ..made }
    };
    let cancel = Cancel::default();
    let task = Task::new(&NoProgress, &cancel);
    let read = |parser: &Parser| parser.read(&repo, &dirty, task).unwrap().records;
    let fast = parser(Duration::from_secs(1000));
    let records = read(&fast);
    assert!(!fast.edited.is_used());
    let slow = parser(Duration::ZERO);
    assert_eq!(read(&slow), records);
    assert_eq!(slow.edited.len(), 2);
    let one = slow.read_one(&repo, &"a.rs".into(), &FileState::Untracked, task).unwrap();
    assert!(one.is_cached && one.bytes == records[0].1);
    // Another text is parsed again.
    fixture.write("a.rs", "fn edited_again() {}\n");
    assert!(!slow.read_one(&repo, &"a.rs".into(), &FileState::Untracked, task).unwrap().is_cached);
}

#[test]
fn large_records_are_not_kept() {
    let (_dir, edited) = edited();
    // Four bytes are the sum.
    for (len, is_kept) in [((8 << 20) - 4, true), ((8 << 20) - 3, false)] {
        edited.put("large", &vec![0; len]);
        assert_eq!(edited.dir.join("large").exists(), is_kept, "{len} bytes");
        drop(fs::remove_file(edited.dir.join("large")));
    }
    let (dir, _) = self::edited();
    let path = dir.path().join("file");
    fs::write(&path, "1234").unwrap();
    assert_eq!(read_at_most(&path, 4).as_deref(), Some(&b"1234"[..]));
    assert_eq!(read_at_most(&path, 3), None);
    assert_eq!(read_at_most(&dir.path().join("none"), 3), None);
}

#[test]
fn records_of_files_that_nobody_edits_any_more_go() {
    let (_dir, edited) = edited();
    for key in ["a", "b", "tmp-1-1"] {
        edited.put(key, &record());
    }
    edited.retain(&HashSet::from(["b".to_owned()]));
    assert_eq!(["a", "b", "tmp-1-1"].map(|key| edited.get(key).is_some()), [false, true, false]);
}

#[test]
fn only_so_many_records_are_kept() {
    let fixture = Fixture::with_history();
    for path in ["a.rs", "b.rs", "c.rs"] {
        fixture.write(path, &format!("fn {}() {{}}\n", path.replace(".rs", "")));
    }
    let indexer = Indexer::new(fixture.open()).unwrap();
    let kept = || fs::read_dir(fixture.path().join(".git/cora/edited")).unwrap().count();
    let cancel = Cancel::default();
    for (most, n_made, n_kept) in [(2, 2, 2), (2, 0, 2), (3, 1, 3), (0, 0, 0)] {
        let readied = ready_at_most(&indexer, most, &cancel).unwrap();
        assert_eq!((readied.n_dirty, readied.n_made, kept()), (3, n_made, n_kept), "at most {most}");
    }
    assert_eq!(ready_worktree(&indexer, &cancel).unwrap().n_made, 3);
    assert_eq!(kept(), 3);
    assert_eq!(KEPT_FILES, 2_000);
}
