//! Reads commit messages and the lines that the commits wrote, for `train lists`.
//!
//! Only commits that say much about few files are returned. Files of tests are left out, because a
//! message describes the tested code.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::commits;
use super::sources::words_hash;

/// Number of newest commits read.
const COMMITS: &str = "--max-count=3000";
/// Maximum number of files that one message can describe, not counting tests.
const FILES: usize = 4;
/// Maximum number of lines that one message can describe.
const LINES: usize = 150;
/// Minimum length in bytes of a line that identifies a chunk.
const LINE_BYTES: usize = 12;
/// Number of words of a message that is used as a whole (the end is excluded).
const WORDS: std::ops::Range<usize> = 25..600;

/// The whole message of a commit.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) text: String,
    /// The files that the commit changed, each with the hashes of the lines that it wrote. Tests
    /// are left out, unless it changed nothing else.
    pub(super) files: Vec<(String, Vec<u64>)>,
}

/// Returns meaningful subjects of commits, with the paths that each commit changed. Tests are left
/// out, unless it changed nothing else.
pub(super) fn subjects(git: &Path) -> Result<Vec<(String, Vec<String>)>> {
    let out = Command::new("git")
        .arg("-C")
        .arg(git)
        .args(["log", "--no-merges", COMMITS, "--name-only", "--no-renames", "--diff-filter=M"])
        .arg("--format=%x01%s")
        .output()?;
    ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr).trim().to_owned());
    let text = String::from_utf8_lossy(&out.stdout);
    let mut found = Vec::new();
    for commit in text.split('\u{1}') {
        let Some((subject, paths)) = commit.split_once('\n') else { continue };
        let Some(subject) = commits::subject(subject) else { continue };
        let mut paths: Vec<String> =
            paths.lines().filter(|path| !path.is_empty()).map(str::to_owned).collect();
        without_tests(&mut paths, |path| path);
        if (1..=FILES).contains(&paths.len()) {
            found.push((subject.to_owned(), paths));
        }
    }
    Ok(found)
}

/// Removes files of tests, unless all files are tests.
fn without_tests<T>(files: &mut Vec<T>, path: impl Fn(&T) -> &str) {
    let is_test = |file: &T| path(file).to_lowercase().contains("test");
    if !files.iter().all(is_test) {
        files.retain(|file| !is_test(file));
    }
}

/// Returns the hash that identifies a line; `None` for a line that could be anywhere.
pub(super) fn line_hash(line: &str) -> Option<u64> {
    let line = line.trim();
    (line.len() >= LINE_BYTES && line.bytes().any(|byte| byte.is_ascii_alphabetic()))
        .then(|| words_hash(line))
}

/// Returns the messages of the newest commits that say much about few files. If the repository
/// lacks objects, `git log` stops early and the messages before that are returned.
pub(super) fn messages(git: &Path) -> Result<Vec<Message>> {
    let mut child = commits::log(git, COMMITS, "-U0")?;
    let mut output = BufReader::new(child.stdout.take().context("no pipe")?);
    let (mut all, mut line) = (Vec::new(), Vec::new());
    let mut commit = Commit::default();
    while output.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        if let Some(message) = text.strip_prefix('\u{1}') {
            all.extend(std::mem::take(&mut commit).said());
            commit.in_message = !message.contains('\u{3}');
            message.clone_into(&mut commit.message);
        } else if commit.in_message {
            commit.in_message = !text.contains('\u{3}');
            commit.message.push('\n');
            commit.message.push_str(text);
        } else if let Some(names) = text.strip_prefix("diff --git a/") {
            // The rest of the line is `NAME b/NAME`: renames are off, so both names are equal.
            let name = names.get(..names.len().saturating_sub(3) / 2).unwrap_or_default();
            commit.files.push((name.to_owned(), Vec::new()));
        } else if let Some(written) = text.strip_prefix('+').filter(|_| !text.starts_with("+++ ")) {
            commit.n_lines += 1;
            if let Some((_, lines)) = commit.files.last_mut() {
                lines.extend(line_hash(written).filter(|_| commit.n_lines <= LINES));
            }
        }
        line.clear();
    }
    all.extend(commit.said());
    child.wait()?;
    Ok(all)
}

/// A commit that is being read.
#[derive(Default)]
struct Commit {
    message: String,
    in_message: bool,
    n_lines: usize,
    files: Vec<(String, Vec<u64>)>,
}

impl Commit {
    fn said(mut self) -> Option<Message> {
        without_tests(&mut self.files, |file| &file.0);
        if !(1..=FILES).contains(&self.files.len()) || self.n_lines > LINES {
            return None;
        }
        let message = self.message.replace('\u{3}', "");
        let (subject, body) = message.split_once('\u{2}')?;
        Some(Message { text: whole(subject, body)?, files: self.files })
    }
}

/// Returns a message without its bookkeeping lines; `None` if too few or too many words are left.
fn whole(subject: &str, body: &str) -> Option<String> {
    let mut message = commits::subject(subject)?.to_owned();
    message.push('\n');
    for line in body.lines() {
        let lower = line.to_lowercase();
        let is_noise = ["-by: ", "cherry picked", "git-svn-id", "change-id: ", "http://", "https://"]
            .iter()
            .any(|noise| lower.contains(noise));
        if !is_noise {
            message.push('\n');
            message.push_str(line);
        }
    }
    WORDS.contains(&message.split_whitespace().count()).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_tells_its_message_and_what_it_wrote() {
        let body = "word ".repeat(30);
        let files = ["src/a.rs", "tests/b.rs"].map(|name| (name.to_owned(), vec![1]));
        let commit = Commit {
            message: format!("fix(io): Read the last block twice (#12)\u{2}{body}\nSigned-off-by: A\n\u{3}"),
            n_lines: 3,
            files: files.to_vec(),
            ..Commit::default()
        };
        let said = commit.said().unwrap();
        assert_eq!(said.text.lines().next(), Some("Read the last block twice"));
        assert_eq!(said.text.split_whitespace().count(), 35);
        assert_eq!(said.files, [("src/a.rs".to_owned(), vec![1])]);
        let long = Commit {
            message: "a\u{2}".into(),
            files: vec![(String::new(), Vec::new()); 5],
            ..Commit::default()
        };
        assert!(long.said().is_none());
    }
}
