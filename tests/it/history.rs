//! Random histories, made by one `git fast-import`.
//!
//! They have edits, renames, files that become directories, merges and changing attributes. A seed
//! gives the same history each time. Contents come from a small stock, so that blobs recur under
//! other names.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::harness::{Dice, Repo};

const NAMES: [&str; 8] = ["a.py", "b.rs", "notes.md", "conf.json", "x", "main.go", "run.sh", "b.ts"];
const DIRS: [&str; 5] = ["", "src/", "src/deep/", "x/", "a.py/"];
const WORDS: [&str; 8] = ["ledger", "token", "parse", "socket", "retry", "matrix", "invoice", "kernel"];
const ATTRIBUTES: [&str; 7] = [
    "*.py cora=skip\n",
    "*.rs linguist-language=Python\n",
    "src/** linguist-vendored\n",
    "b.* linguist-generated\n",
    "*.md binary\n",
    "* -cora\n*.go cora\n",
    "# nothing\n",
];

/// Paths with mode and content.
type Files = BTreeMap<String, (&'static str, String)>;

/// Creates a history of `n` commits; returns them oldest first.
///
/// `main` is the newest commit, `side` the last one of another line.
pub(crate) fn random(repo: &Repo, seed: u64, n: usize) -> Vec<String> {
    let dice = &mut Dice(seed);
    let mut states: Vec<Files> = Vec::new();
    let mut stream = String::new();
    let mut last: [Option<usize>; 2] = [None, None];
    for at in 0..n {
        // Two lines of history. The second starts from the first and is merged now and then.
        let side = usize::from(at > 2 && dice.below(3) == 0);
        let parent = last[side].or(last[0]);
        let other = last[1 - side].filter(|&other| Some(other) != parent && dice.below(3) == 0);
        let mut files = parent.map(|parent| states[parent].clone()).unwrap_or_default();
        if let Some(other) = other {
            for (path, file) in states[other].clone() {
                if dice.below(2) == 0 {
                    put(&mut files, path, file);
                }
            }
        }
        for _ in 0..=dice.below(5) {
            change(dice, &mut files);
        }
        let branch = ["main", "side"][side];
        let mark = at + 1;
        let time = 1_700_000_000 + at * 60;
        let message = format!("Patch the {} of the {}", WORDS[at % 8], WORDS[at * 3 % 8]);
        let _ = write!(
            stream,
            "commit refs/heads/{branch}\nmark :{mark}\ncommitter C <c@example.com> {time} +0000\ndata {}\n{message}\n",
            message.len()
        );
        if let Some(parent) = parent {
            let _ = writeln!(stream, "from :{}", parent + 1);
        }
        if let Some(other) = other {
            let _ = writeln!(stream, "merge :{}", other + 1);
        }
        let _ = writeln!(stream, "deleteall");
        for (path, (mode, content)) in &files {
            let _ = writeln!(stream, "M {mode} inline {path}\ndata {}\n{content}", content.len());
        }
        states.push(files);
        last[side] = Some(at);
    }
    repo.git_input(&["fast-import", "--quiet", "--export-marks=.git/marks", "--date-format=raw"], stream);
    let marks = std::fs::read_to_string(repo.path().join(".git/marks")).unwrap();
    let mut commits: Vec<(usize, String)> = marks
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(mark, id)| (mark.trim_start_matches(':').parse().unwrap(), id.to_owned()))
        .collect();
    commits.sort();
    repo.git(&["reset", "-q", "--hard", "main"]);
    commits.into_iter().map(|(_, id)| id).collect()
}

fn change(dice: &mut Dice, files: &mut Files) {
    let path = format!("{}{}", dice.pick(&DIRS), dice.pick(&NAMES));
    let known: Vec<String> = files.keys().cloned().collect();
    match dice.below(12) {
        0 | 1 if !known.is_empty() => {
            files.remove(dice.pick(&known));
        }
        2 if !known.is_empty() => {
            let file = files.remove(dice.pick(&known)).unwrap();
            put(files, path, file);
        }
        3 if !known.is_empty() => {
            let file = files[dice.pick(&known)].clone();
            put(files, path, file);
        }
        4 => {
            let dir = *dice.pick(&["", "", "src/"]);
            let text = (*dice.pick(&ATTRIBUTES)).to_owned();
            put(files, format!("{dir}.gitattributes"), ("100644", text));
        }
        5 => put(files, path, ("120000", "notes.md".to_owned())),
        6 => {
            let (mode, content) = (*dice.pick(&["100644", "100755"]), content(dice));
            put(files, path, (mode, content));
        }
        _ => {
            let content = content(dice);
            put(files, path, ("100644", content));
        }
    }
}

/// Puts a file in place of files below its path, or of a file at one of its parent directories.
fn put(files: &mut Files, path: String, file: (&'static str, String)) {
    let below = format!("{path}/");
    files.retain(|other, _| !other.starts_with(&below) && !path.starts_with(&format!("{other}/")));
    files.insert(path, file);
}

fn content(dice: &mut Dice) -> String {
    let word = *dice.pick(&WORDS);
    let other = *dice.pick(&WORDS);
    let number = dice.below(4);
    match dice.below(7) {
        0 => String::new(),
        1 => format!("\0{word}\0"),
        2 => format!("# {word}\n\nAbout {other}.\n\n## {other} {number}\n\nMore.\n"),
        3 => format!("def {word}_{other}(a):\n    \"\"\"Does {other}.\"\"\"\n    return a + {number}\n"),
        4 => format!("/// Makes {word}.\npub fn {word}_{other}() -> u32 {{\n    {other}({number})\n}}\n"),
        5 => format!("{{\"{word}\": {{\"{other}\": {number}}}}}\n"),
        _ => format!("{word} {other} {number}\n").repeat(1 + number * 40),
    }
}
