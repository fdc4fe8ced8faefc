//! Golden ranks: questions with known answers about small pinned corpora.
//!
//! Whoever touches a ranking weight sees immediately which answers move. Three reviewed inputs and
//! one recorded output:
//!
//! - `corpora/NAME/`: a little project for each of several languages, with near misses (tests,
//!   examples, vendored copies, callers, documents), so that ranks matter. `history.json` has the
//!   messages of its commits. This repository at [`corpus::PINNED`] is one more corpus, `cora`.
//! - `questions.json`: what is asked, and the line of the declaration that answers it.
//! - `golden.txt`: by question, the rank of that line and the first ten results; then recall@1,
//!   recall@5 and MRR; then, for each weight, a question whose answer moves without that weight.
//!
//! The test computes `golden.txt` again and compares. If a change is intended, write the file with
//!
//! ```text
//! CORA_UPDATE_GOLDEN=1 cargo test --test relevance
//! ```
//!
//! and review its diff: ranks and metrics should not get worse. A new weight needs a row in
//! [`signals::WITHOUT`]. A shallow clone or an archive lacks the pinned commit: there the other
//! corpora are compared alone. `README.md` beside this file says which mutations were tried.

// A failing test panics. Clippy's own exception covers test functions, but not their shared code.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]
#![allow(clippy::disallowed_methods, reason = "tests set up files and programs")]

mod corpus;
mod golden;
mod question;
mod signals;

use std::path::{Path, PathBuf};
use std::process::Command;

use corpus::Corpus;
use golden::{AnswerParts, Golden};
use question::Question;

/// Set in the process that does the work; see [`ranks_are_as_recorded`].
const INSIDE: &str = "CORA_RELEVANCE_INSIDE";
/// Asks for `golden.txt` to be written.
const UPDATE: &str = "CORA_UPDATE_GOLDEN";

/// Returns a path beside this file.
fn beside(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/relevance").join(name)
}

/// Computes ranks in a process of its own, whose environment is cleared: the library reads the
/// configuration of Git, and that of the user must not change a rank.
#[test]
fn ranks_are_as_recorded() {
    if std::env::var_os(INSIDE).is_some() {
        return compare();
    }
    let home = tempfile::tempdir().unwrap();
    let mut inside = Command::new(std::env::current_exe().unwrap());
    inside.args(["--exact", "ranks_are_as_recorded", "--nocapture"]).env_clear().env(INSIDE, "1");
    for name in ["PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", UPDATE] {
        if let Some(value) = std::env::var_os(name) {
            inside.env(name, value);
        }
    }
    inside.env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path());
    inside.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("LC_ALL", "C"), ("TZ", "UTC")]);
    let output = inside.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
}

fn compare() {
    let is_update = std::env::var_os(UPDATE).is_some();
    let questions = question::read(&beside("questions.json"));
    let recorded = std::fs::read_to_string(beside("golden.txt")).unwrap_or_default().replace('\r', "");
    let witnesses = (!is_update).then(|| signals::recorded(&recorded));
    let mut names: Vec<&str> = questions.iter().map(|question| question.corpus.as_str()).collect();
    names.dedup();
    let is_whole = corpus::has_history();
    if !is_whole {
        assert!(!is_update, "writing golden.txt needs a clone with the commit {}", corpus::PINNED);
        eprintln!(
            "note: this checkout lacks the commit {}, so the questions about it are left out; \
             'git fetch --unshallow' gets it",
            corpus::PINNED
        );
        names.retain(|name| *name != corpus::OWN);
    }
    let answer = |name: &str| {
        let corpus = Corpus::open(name);
        let of_corpus: Vec<&Question> = questions.iter().filter(|one| one.corpus == name).collect();
        let answered: Vec<AnswerParts<'_>> =
            of_corpus.iter().map(|question| AnswerParts::new(&corpus, question)).collect();
        let moved = signals::measure(&corpus, &answered, witnesses.as_ref());
        (answered, moved)
    };
    let mut golden = Golden::default();
    std::thread::scope(|scope| {
        let answer = &answer;
        let running: Vec<_> = names.iter().map(|&name| scope.spawn(move || answer(name))).collect();
        for one in running {
            let (answered, moved) = one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            golden.add(answered, moved);
        }
    });
    let mut text = golden.render();
    let mut recorded = recorded;
    if !is_whole {
        text = sections(&text, &names);
        recorded = sections(&recorded, &names);
    }
    if is_update {
        std::fs::write(beside("golden.txt"), text).unwrap();
        golden.check();
    } else if text != recorded {
        panic!(
            "{}\nif this is intended, run: {UPDATE}=1 cargo test --test relevance",
            golden::difference(&recorded, &text)
        );
    }
}

/// Returns the sections of these corpora, without metrics and signals, which need all of them.
fn sections(text: &str, names: &[&str]) -> String {
    let of_name = |name: &&str| {
        let start = text.find(&format!("\n[{name}]\n"))?;
        let rest = text.get(start + 1..)?;
        rest.get(..rest.find("\n[").unwrap_or(rest.len()))
    };
    names.iter().filter_map(of_name).collect::<Vec<_>>().join("\n")
}

/// The set is worth its name only if it asks in every way that people ask.
#[test]
fn questions_are_of_all_kinds() {
    let questions = question::read(&beside("questions.json"));
    assert!(questions.len() >= 100, "only {} questions", questions.len());
    for kind in question::KINDS {
        let n = questions.iter().filter(|question| question.kind == kind).count();
        assert!(n >= 3, "only {n} questions of the kind '{kind}'");
    }
}
