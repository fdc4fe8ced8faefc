//! A corpus: a repository in a temporary directory, indexed once.
//!
//! Checked-in files → a bare repository with fixed commits, or this repository's own objects →
//! a bare repository at [`PINNED`]. Object ids are the same on every machine. The repository is
//! asked through the session, as the program does, and once more with other weights.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::search::commit_messages::{CommitMessageSource, CommitMessages};
use git_cora::search::query::weights::Weights;
use git_cora::search::query::{Query, SideSignals, search_weighted};
use git_cora::search::{IndexNotes, Note, cache};
use git_cora::{Searcher, Session, Target};
use serde::Deserialize;

use crate::beside;
use crate::question::Question;

/// The name of the corpus that is this repository.
pub(crate) const OWN: &str = "cora";

/// The commit of this repository that is searched. A newer one makes new answers, so change it
/// together with `golden.txt`.
pub(crate) const PINNED: &str = "a622ff25c4ecbd8821c0ab4452025c6594aa7901";

/// Seconds since 1970 of the first commit; each further one is a minute later.
const FIRST_COMMIT: u64 = 1_700_000_000;

/// A result: a chunk of a file, with its score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) path: String,
    /// First and last line, 1-based.
    pub(crate) lines: (u32, u32),
    pub(crate) score: f64,
}

/// A commit of a checked-in corpus, after the one that adds all files.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Commit {
    message: String,
    files: Vec<String>,
}

/// A repository that questions are asked about.
pub(crate) struct Corpus {
    session: Session,
    searcher: Searcher,
    history: Option<CommitMessages>,
    _dir: tempfile::TempDir,
}

impl Corpus {
    /// Makes the repository of a corpus and indexes it.
    pub(crate) fn open(name: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "-q", "--bare", "--object-format=sha1", "-b", "main", "."], &[]);
        if name == OWN {
            borrow(dir.path())
        } else {
            import(dir.path(), name)
        }
        let session = Session::open(dir.path()).unwrap();
        let commit = session.repo().resolve("main").unwrap();
        let cancel = Cancel::default();
        let task = Task::new(&NoProgress, &cancel);
        let searcher = session.searcher(&Target::Commit(commit), task).unwrap();
        let history = cache::commit_messages(&searcher, task).unwrap();
        Self { session, searcher, history, _dir: dir }
    }

    /// Answers a question as the program does. Commentary is the exception: the session takes it
    /// from a ref that only a model writes, so a question with notes goes to the search itself.
    pub(crate) fn ask(&self, question: &Question) -> Vec<Place> {
        if !question.commentary.is_empty() {
            return self.ask_weighted(question, &Weights::default());
        }
        let results = self.session.answer(&self.searcher, &query(question), "main").unwrap();
        let place = |path: String, (start, end), score| Place { path, lines: (start, end), score };
        let items = results.results.iter();
        items
            .map(|one| place(one.path.to_string(), (one.span.start_line, one.span.end_line), one.score))
            .collect()
    }

    /// Answers a question with other weights. A quoted phrase is not looked for in the sources.
    pub(crate) fn ask_weighted(&self, question: &Question, weights: &Weights) -> Vec<Place> {
        let index = self.searcher.index();
        let index_notes = IndexNotes::new(question.commentary.iter().map(|(path, text)| {
            let note = Note { chunk: 0, text: text.clone(), model: "by hand".to_owned() };
            (path.as_str().into(), vec![note])
        }));
        let notes = index_notes.notes(&index);
        let beside = SideSignals {
            notes: (!question.commentary.is_empty()).then_some(&notes),
            history: self.history.as_ref().map(|one| one as &dyn CommitMessageSource),
            sources: Some(&self.searcher),
            ..SideSignals::default()
        };
        let hits = search_weighted(&index, &query(question), beside, weights).unwrap().hits;
        let lines = |one: &git_cora::index::chunk::Span| (one.start_line, one.end_line);
        hits.iter()
            .map(|hit| Place { path: hit.path.to_string(), lines: lines(&hit.span), score: hit.score })
            .collect()
    }

    /// Returns the 1-based rank of the place that answers a question.
    pub(crate) fn rank(&self, question: &Question, places: &[Place]) -> Option<usize> {
        let Some(source) = self.searcher.text(question.path.as_str().into()) else {
            question.complain("its file is not in the corpus")
        };
        let line = question.line_in(&source);
        let has =
            |place: &Place| place.path == question.path && (place.lines.0..=place.lines.1).contains(&line);
        places.iter().position(has).map(|at| at + 1)
    }
}

fn query(question: &Question) -> Query {
    Query::new(&question.text).with_context(question.context.clone())
}

/// Runs git in a directory; returns its output.
fn git(dir: &Path, args: &[&str], input: &[u8]) -> String {
    let mut child = Command::new("git")
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "git {args:?} failed");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Returns whether this checkout has the pinned commit and its history. A shallow clone and an
/// archive have not.
pub(crate) fn has_history() -> bool {
    let is_shallow = own(&["rev-parse", "--is-shallow-repository"]).as_deref() == Some("true");
    own(&["cat-file", "-e", &format!("{PINNED}^{{commit}}")]).is_some() && !is_shallow
}

/// Asks git about this repository; `None` if git fails.
fn own(args: &[&str]) -> Option<String> {
    // Named outright, because git refuses to look for a directory that belongs to another user.
    let git_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(".git");
    let output = Command::new("git").arg("--git-dir").arg(&git_dir).args(args).output().unwrap();
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Lends this repository's objects to the one in `dir`, and sets its branch to the pinned commit.
fn borrow(dir: &Path) {
    let objects = own(&["rev-parse", "--path-format=absolute", "--git-path", "objects"]).unwrap();
    std::fs::write(dir.join("objects/info/alternates"), format!("{objects}\n")).unwrap();
    git(dir, &["update-ref", "refs/heads/main", PINNED], &[]);
}

/// Commits the files of a checked-in corpus: all of them first, then as `history.json` says.
///
/// A file that later commits change ends in one more empty line for each of them, so that every
/// commit changes its files and the last version is the one that is checked in.
fn import(dir: &Path, name: &str) {
    let mut files = BTreeMap::new();
    let root = beside("corpora").join(name);
    read_files(&root, &root, &mut files);
    let text = std::fs::read_to_string(beside("history.json")).unwrap();
    let mut histories: BTreeMap<String, Vec<Commit>> = serde_json::from_str(&text).unwrap();
    let history = histories.remove(name).unwrap_or_default();
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for path in history.iter().flat_map(|commit| &commit.files) {
        assert!(files.contains_key(path), "history.json: '{name}' has no file '{path}'");
        *left.entry(path).or_default() += 1;
    }
    let all = Commit { message: "import".to_owned(), files: files.keys().cloned().collect() };
    let mut stream = Vec::new();
    for (ord, commit) in (0..).zip([&all].into_iter().chain(&history)) {
        let who = format!("A U Thor <author@example.com> {} +0000", FIRST_COMMIT + 60 * ord);
        let message = &commit.message;
        write!(stream, "commit refs/heads/main\nauthor {who}\ncommitter {who}\n").unwrap();
        write!(stream, "data {}\n{message}\n", message.len()).unwrap();
        for path in &commit.files {
            let n_left = left.get_mut(path.as_str());
            let n_empty = n_left.map_or(0, |n| {
                *n -= usize::from(ord > 0);
                *n
            });
            let text = format!("{}{}", files[path], "\n".repeat(n_empty));
            write!(stream, "M 100644 inline {path}\ndata {}\n{text}\n", text.len()).unwrap();
        }
    }
    git(dir, &["fast-import", "--quiet"], &stream);
}

/// Reads a directory into texts by path. Line ends are those of Unix, whatever the checkout has.
fn read_files(root: &Path, dir: &Path, files: &mut BTreeMap<String, String>) {
    let entries = std::fs::read_dir(dir);
    let entries = entries.unwrap_or_else(|error| panic!("no corpus in '{}': {error}", dir.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_files(root, &path, files);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            files.insert(name, std::fs::read_to_string(&path).unwrap().replace('\r', ""));
        }
    }
}
