//! Tests of commit messages: what they find, and that neither known messages nor an encoding change
//! it; damage is detected.

use bstr::ByteSlice;

use super::*;
use crate::base::progress::{Cancel, NoProgress, Task};
use crate::git::testing::Fixture;

fn commit(fixture: &Fixture, message: &str, files: &[&str]) -> ObjectId {
    for file in files {
        fixture.write(file, &format!("{message}\n"));
    }
    fixture.git(&["add", "-A"]);
    fixture.git(&["commit", "-q", "--allow-empty", "-m", message]);
    fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap()
}

fn gathered(fixture: &Fixture, commit: ObjectId, known: Option<&CommitMessages>) -> CommitMessages {
    match gather(&fixture.open(), commit, known, Task::new(&NoProgress, &Cancel::default())).unwrap() {
        GatherOutcome::Whole(messages) => *messages,
        other => panic!("{other:?}"),
    }
}

fn matches(messages: &CommitMessages, words: &str) -> Vec<(String, ObjectId)> {
    let matches = messages.matches(words.split(' ').map(|word| (word, 1.0)));
    let mut matches: Vec<_> = matches.into_iter().collect();
    matches.sort_by(|a, b| b.1.likeness.total_cmp(&a.1.likeness));
    matches.into_iter().map(|(path, matches)| (path.to_string(), matches.commit)).collect()
}

#[test]
fn a_file_is_told_of_by_the_commit_that_is_most_like_the_question() {
    let fixture = Fixture::new();
    commit(&fixture, "Begin", &["upload.py", "parse.py", "notes.md"]);
    let early = commit(&fixture, "Retry an upload", &["upload.py", "notes.md"]);
    let late = commit(&fixture, "Retry an upload after a timeout", &["upload.py"]);
    let other = commit(&fixture, "Parse numbers\n\nSigned-off-by: Retry Upload <a@b.c>", &["parse.py"]);
    let messages = gathered(&fixture, other, None);
    assert_eq!(messages.n_commits(), 4);
    assert_eq!(
        matches(&messages, "retri upload timeout"),
        [("upload.py".into(), late), ("notes.md".into(), early)]
    );
    assert_eq!(
        matches(&messages, "pars"),
        [("parse.py".into(), other)],
        "who signed it off is not what it says"
    );
    assert_eq!(matches(&messages, "begin"), [], "in the first commit all is new");
    assert_eq!(matches(&messages, "nothing of that"), []);
    assert_eq!(matches(&CommitMessages::default(), "retri"), []);
}

#[test]
fn merges_and_commits_of_very_many_files_say_nothing() {
    let fixture = Fixture::new();
    commit(&fixture, "Begin", &["a.py"]);
    let many: Vec<String> = (0..21).map(|n| format!("lib/f{n}.py")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    commit(&fixture, "Reformat everything", &many);
    fixture.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    let side = commit(&fixture, "Frob the side", &["side.py"]);
    fixture.git(&["checkout", "-q", "main"]);
    fixture.git(&["merge", "-q", "--no-ff", "-m", "Merge the frob", "side"]);
    let merge: ObjectId = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
    let messages = gathered(&fixture, merge, None);
    assert_eq!(messages.n_commits(), 4);
    assert_eq!(matches(&messages, "reformat"), []);
    assert_eq!(matches(&messages, "frob merg"), [("side.py".into(), side)]);
}

#[test]
fn what_is_known_changes_nothing() {
    let fixture = Fixture::with_history();
    let base: ObjectId = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
    let mut commits = vec![base];
    commits.push(commit(&fixture, "Patch the token", &["src/main.rs"]));
    commits.push(commit(&fixture, "Patch the socket", &["src/second.rs"]));
    fixture.git(&["checkout", "-q", "-b", "side", &base.to_string()]);
    commits.push(commit(&fixture, "Patch the side", &["src/side.rs"]));
    fixture.git(&["merge", "-q", "--no-ff", "-m", "Merge", "main"]);
    commits.push(fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap());
    commits.push(commit(&fixture, "Patch it all", &["src/side.rs", "src/main.rs"]));
    for &of in &commits {
        let fresh = gathered(&fixture, of, None);
        for &from in &commits {
            let known = gathered(&fixture, from, None);
            assert_eq!(gathered(&fixture, of, Some(&known)), fresh, "{of} with {from} known");
        }
    }
}

#[test]
fn it_is_read_as_it_was_written_and_damage_is_found() {
    let fixture = Fixture::with_history();
    let head = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
    let messages = gathered(&fixture, head, None);
    let good = messages.encode().unwrap();
    assert_eq!(CommitMessages::decode(good.clone()).unwrap(), messages);
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        assert!(CommitMessages::decode(bytes).is_err(), "byte {at}");
        assert!(CommitMessages::decode(good[..at].to_vec()).is_err(), "{at} bytes");
    }
    // Crafted bytes with a correct checksum: if they decode, they are messages like any other.
    for at in 8..good.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = good.clone();
            bytes[at] = value;
            let sum = crc32fast::hash(&bytes[8..]);
            bytes[4..8].copy_from_slice(&sum.to_le_bytes());
            if let Ok(messages) = CommitMessages::decode(bytes.clone()) {
                assert_eq!(messages.encode().unwrap(), bytes);
                assert!(matches(&messages, "second third").len() <= 4, "byte {at}");
                gathered(&fixture, head, Some(&messages));
            }
        }
    }
}

#[test]
fn lists_that_are_all_of_it_again_and_again_are_none() {
    let terms: Vec<String> = (0..1000).map(|n| format!("{n:04}")).collect();
    let all = CommitMessages {
        ids: vec![7; 20 * 4].into(),
        id_len: 20,
        paths: [b"a".as_slice()].into_iter().collect(),
        changed: [vec![0], vec![0], vec![], vec![]].into_iter().collect(),
        terms: terms.iter().map(|term| term.as_bytes()).collect(),
        said: terms.iter().map(|_| [0, 1, 2]).collect(),
    };
    let good = all.encode().unwrap();
    assert_eq!(CommitMessages::decode(good.clone()).unwrap(), all);
    let crafted = |from: u32, to: u32| {
        let words = |word: u32| word.to_le_bytes();
        let at = good.windows(4).rposition(|bytes| bytes == words(from)).unwrap();
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&words(to));
        let sum = crc32fast::hash(&bytes[8..]);
        bytes[4..8].copy_from_slice(&sum.to_le_bytes());
        CommitMessages::decode(bytes.clone()).unwrap_err().to_string()
    };
    // The end of the second to last list, then the last item.
    assert_eq!(crafted(2997, 0), "corrupt history: its lengths don't match");
    assert_eq!(crafted(2, 4), "corrupt history: its lists are invalid");
}

#[test]
fn an_interrupted_walk_gives_nothing() {
    let fixture = Fixture::with_history();
    let head = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    assert_eq!(
        gather(&fixture.open(), head, None, Task::new(&NoProgress, &cancel)).unwrap(),
        GatherOutcome::Cancelled
    );
}

#[test]
fn odd_paths_and_messages_are_kept() {
    let fixture = Fixture::with_history();
    fixture.commit_odd_paths();
    let head: ObjectId = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
    let messages = gathered(&fixture, head, None);
    assert!(messages.paths.iter().any(|path| path.find(b"\xff\xfe").is_some()), "{messages:?}");
    let long = commit(&fixture, &"ä ".repeat(10_000), &["long.py"]);
    assert_eq!(gathered(&fixture, long, Some(&messages)).n_commits(), messages.n_commits() + 1);
}

#[test]
fn a_commit_that_is_too_large_to_be_true_says_nothing() {
    let fixture = Fixture::with_history();
    let early = commit(&fixture, "Patch the token", &["src/main.rs"]);
    let message = format!("Patch the socket {}", "x".repeat(2 << 20));
    fixture.write("src/second.rs", "other\n");
    fixture.git(&["add", "-A"]);
    fixture.git_input(&["commit", "-q", "-F", "-"], message.as_bytes());
    let head = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
    let messages = gathered(&fixture, head, None);
    assert_eq!(matches(&messages, "patch socket"), [("src/main.rs".into(), early)]);
}

#[test]
fn a_commit_that_is_lost_ends_its_line() {
    let fixture = Fixture::with_history();
    let lost = fixture.git_line(&["rev-parse", "HEAD~1"]);
    let head = commit(&fixture, "Patch the token", &["src/main.rs"]);
    std::fs::remove_file(fixture.path().join(format!(".git/objects/{}/{}", &lost[..2], &lost[2..]))).unwrap();
    let messages = gathered(&fixture, head, None);
    assert_eq!(messages.n_commits(), 2);
    assert_eq!(matches(&messages, "token").len(), 1);
}

/// Adds `n` commits to `main` with one process; each changes a file of its own.
fn many_commits(fixture: &Fixture, n: usize) -> ObjectId {
    let mut stream = String::new();
    for at in 1..=n {
        let message = format!("Change number {at}");
        stream.push_str(&format!(
            "commit refs/heads/main\ncommitter A <a@b.c> {} +0000\ndata {}\n{message}\n",
            1_800_000_000 + at,
            message.len()
        ));
        if at == 1 {
            stream.push_str("from refs/heads/main^0\n");
        }
        stream.push_str(&format!("M 100644 inline f{at}\ndata 1\nx\n"));
    }
    fixture.git_input(&["fast-import", "--quiet"], stream.as_bytes());
    fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap()
}

#[test]
fn the_newest_2000_commits_count() {
    let fixture = Fixture::new();
    commit(&fixture, "Begin", &["a.py"]);
    let head = many_commits(&fixture, 1999);
    let whole = gathered(&fixture, head, None);
    assert_eq!(whole.n_commits(), 2000);
    let later = commit(&fixture, "One more", &["b.py"]);
    for known in [None, Some(&whole)] {
        let messages = gathered(&fixture, later, known);
        assert_eq!((messages.n_commits(), messages.commit()), (2000, Some(later)));
    }
}

#[test]
fn known_messages_are_near_within_64_commits() {
    let fixture = Fixture::new();
    let begin = commit(&fixture, "Begin", &["a.py"]);
    let known = gathered(&fixture, begin, None);
    for (n, is_near) in [(64, true), (1, false)] {
        let head = many_commits(&fixture, n);
        assert_eq!(super::gather::line_to(&fixture.open(), head, &known).is_some(), is_near, "{n} more");
    }
}

#[test]
fn commits_of_twenty_files_still_say_something() {
    let fixture = Fixture::new();
    commit(&fixture, "Begin", &["a.py"]);
    let files: Vec<String> = (0..20).map(|n| format!("lib/f{n}.py")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let twenty = commit(&fixture, "Reformat the library", &files);
    assert_eq!(matches(&gathered(&fixture, twenty, None), "reformat").len(), 20);
}

#[test]
fn long_messages_and_words_are_cut() {
    let has = |message: &str, term: &str| {
        super::gather::terms(message.as_bytes()).iter().any(|one| &**one == term.as_bytes())
    };
    for (at, expected) in [(4088, true), (4089, false)] {
        let message = format!("{}zanzibar", " ".repeat(at));
        assert_eq!(has(&message, "zanzibar"), expected, "a word at byte {at}");
    }
    for (len, expected) in [(64, true), (65, false)] {
        let word = "z".repeat(len);
        assert_eq!(has(&word, &word), expected, "{len} bytes");
    }
}
