//! Mines pairs from history: a commit's subject and the lines that it changed, or the rest of its
//! message.
//!
//! Reads the output of one `git log -p` line by line, so that a long history needs little memory.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

use git_cora::index::chunk::Language;

use super::declared::{is_code, says_something};
use super::pairs::{Kind, Pair};

/// Number of newest commits read of each repository.
const COMMITS: &str = "--max-count=700";
/// Maximum number of files, then of lines, that one subject can describe.
const FILES: usize = 4;
const LINES: usize = 150;

/// A commit whose lines are being read.
#[derive(Default)]
struct Commit {
    subject: String,
    body: String,
    in_message: bool,
    n_files: usize,
    n_lines: usize,
    code: Vec<(Language, String)>,
}

/// Starts `git log -p` with the given options for the number of commits and of context lines.
///
/// In its output the subject follows U+0001, the rest of the message follows U+0002, and U+0003
/// ends the message.
pub(super) fn log(git: &Path, newest: &str, context: &str) -> Result<Child> {
    let child = Command::new("git")
        .arg("-C")
        .arg(git)
        .args(["log", "--no-merges", newest, "-p", context, "--no-color", "--no-ext-diff", "--no-renames"])
        .args(["--diff-filter=M", "--format=%x01%s%x02%b%x03"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child)
}

pub(crate) fn mine(git: &Path, pairs: &mut Vec<Pair>) -> Result<()> {
    let mut child = log(git, COMMITS, "-U2")?;
    let mut output = BufReader::new(child.stdout.take().context("no pipe")?);
    let mut commit = Commit::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        if output.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches('\n');
        if let Some(rest) = text.strip_prefix('\u{1}') {
            std::mem::take(&mut commit).finish(pairs);
            let (subject, body) = rest.split_once('\u{2}').unwrap_or((rest, ""));
            subject.clone_into(&mut commit.subject);
            commit.in_message = !body.contains('\u{3}');
            body.clone_into(&mut commit.body);
        } else if commit.in_message {
            commit.in_message = !text.contains('\u{3}');
            if !text.contains("-by:") && commit.body.len() < 1000 {
                commit.body.push_str(text);
                commit.body.push('\n');
            }
        } else if text.starts_with("diff --git ") {
            commit.n_files += 1;
            let path = text.rsplit(" b/").next().unwrap_or_default();
            if super::sources::is_vendored(path) {
                commit.n_files = FILES;
            }
            let name = path.rsplit('/').next().unwrap_or_default();
            commit.code.push((Language::detect(name.as_bytes(), b""), String::new()));
        } else if text.starts_with("+++") || text.starts_with("---") || text.starts_with("index ") {
        } else if let Some((context, (_, code))) = hunk_line(text).zip(commit.code.last_mut()) {
            commit.n_lines += 1;
            if commit.n_lines <= LINES {
                code.push_str(context);
                code.push('\n');
            }
        }
    }
    commit.finish(pairs);
    child.wait()?;
    Ok(())
}

/// Returns a line of a hunk as it is after the commit. A hunk's header names the enclosing
/// function.
fn hunk_line(line: &str) -> Option<&str> {
    if let Some(head) = line.strip_prefix("@@ ") {
        return head.split_once("@@").map(|(_, around)| around.trim());
    }
    line.strip_prefix('+').or_else(|| line.strip_prefix(' '))
}

impl Commit {
    fn finish(self, pairs: &mut Vec<Pair>) {
        let body = self.body.replace('\u{3}', "");
        if body.split_whitespace().count() >= 10 && says_something(&self.subject) {
            let language = "text".to_owned();
            pairs.push(Pair { kind: Kind::CommitBody, language, text: self.subject.clone(), code: body });
        }
        if self.n_files == 0 || self.n_files > FILES || self.n_lines > LINES || self.n_lines < 3 {
            return;
        }
        let Some(subject) = subject(&self.subject) else { return };
        let code: Vec<(Language, String)> =
            self.code.into_iter().filter(|(language, code)| is_code(*language) && code.len() > 40).collect();
        let Some(largest) = code.into_iter().max_by_key(|(_, code)| code.len()) else { return };
        let (language, code) = largest;
        pairs.push(Pair {
            kind: Kind::Commit,
            language: language.name().to_owned(),
            text: subject.to_owned(),
            code,
        });
    }
}

/// Returns the part of a commit's subject that describes the code; `None` if it describes none.
///
/// A prefix (`fix(parser):`) and a trailing number (`(#123)`) are removed: they only serve
/// bookkeeping.
pub(super) fn subject(line: &str) -> Option<&str> {
    const NOISE: [&str; 12] = [
        "bump",
        "release",
        "changelog",
        "merge",
        "typo",
        "lint",
        "version",
        "readme",
        "format",
        "revert",
        "upgrade",
        "update dep",
    ];
    let subject = line.split_once(": ").filter(|(head, _)| head.len() < 25).map_or(line, |s| s.1);
    let subject = subject.split(" (#").next().unwrap_or_default();
    let lower = subject.to_lowercase();
    (says_something(subject) && !NOISE.iter().any(|noise| lower.contains(noise))).then_some(subject)
}
