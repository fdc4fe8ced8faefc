//! What differs between HEAD and the work tree, and reading the work tree.
//!
//! The status is Git's own, from the `git` program: so it agrees with what the user sees, down to file system
//! monitor, untracked cache, sparse checkout, line-ending filters and ignore rules, and costs what `git status`
//! costs. It runs beside the opening of the index.

use std::fs;
use std::io::Read;
use std::process::Child;

use bstr::{BStr, BString, ByteSlice};

use super::{Blob, Error, GitOutput, Repository, Result};

/// How a file differs from HEAD. Staged and unstaged changes count as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Its content differs.
    Modified,
    /// It is staged and not in HEAD.
    Added,
    /// Git does not track it, nor ignore it.
    Untracked,
    /// It is gone.
    Deleted,
    /// It is another kind of entry than in HEAD.
    TypeChanged,
    /// A merge left it in conflict.
    Conflicted,
}

impl FileState {
    /// The state as the word that views show.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Modified => "modified",
            Self::Added => "added",
            Self::Untracked => "untracked",
            Self::Deleted => "deleted",
            Self::TypeChanged => "type-changed",
            Self::Conflicted => "conflicted",
        }
    }

    /// Whether there is no file any more.
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Deleted)
    }
}

/// A file that differs from HEAD.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusEntry {
    /// Path from the root of the work tree, `/`-separated.
    pub path: BString,
    /// How it differs.
    pub state: FileState,
}

/// A `git status` that is running.
pub struct StatusJob {
    child: Option<Child>,
}

impl StatusJob {
    /// Waits for the end and reads the result, sorted by path.
    ///
    /// # Errors
    /// [`Error::Git`] with what Git said.
    pub fn finish(mut self) -> Result<Vec<StatusEntry>> {
        let failed = |message: String| Error::Git { command: "status".to_owned(), message };
        let child = self.child.take().ok_or_else(|| failed("it was not started".to_owned()))?;
        let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
        let output =
            GitOutput { success: output.status.success(), stdout: output.stdout, stderr: output.stderr };
        Ok(parse(&output.checked("status")?.stdout))
    }
}

impl Drop for StatusJob {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Repository {
    /// Starts `git status`.
    ///
    /// # Errors
    /// [`Error::Git`] if the program can't be started.
    pub fn status_start(&self) -> Result<StatusJob> {
        let mut command = self.git(&[
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=all",
        ]);
        if let Some(index) = std::env::var_os("GIT_INDEX_FILE") {
            command = command.env("GIT_INDEX_FILE", index);
        }
        Ok(StatusJob { child: Some(command.spawn()?) })
    }

    /// What differs from HEAD, sorted by path.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub fn status(&self) -> Result<Vec<StatusEntry>> {
        self.status_start()?.finish()
    }

    /// Reads a file of the work tree, if it is a regular file of at most `limit_bytes`. Links are not followed,
    /// neither the file itself nor a directory on its way; devices and pipes are not opened.
    ///
    /// # Errors
    /// None for a file that is not there or can't be read: that is [`Blob::Missing`].
    pub fn read_worktree(&self, path: &BStr, limit_bytes: u64) -> Result<Blob> {
        let Some(root) = self.work_dir() else { return Ok(Blob::Missing) };
        let mut full = root.to_owned();
        let n_parts = path.split_str(b"/").count();
        for (at, part) in path.split_str(b"/").enumerate() {
            let Ok(name) = part.to_path() else { return Ok(Blob::Missing) };
            if part.is_empty() || part == b"." || part == b".." {
                return Ok(Blob::Missing);
            }
            full.push(name);
            let Ok(meta) = fs::symlink_metadata(&full) else { return Ok(Blob::Missing) };
            let is_last = at + 1 == n_parts;
            if is_last && meta.len() > limit_bytes {
                return Ok(Blob::TooLarge { bytes: meta.len() });
            }
            if (is_last && !meta.is_file()) || (!is_last && !meta.is_dir()) {
                return Ok(Blob::Missing);
            }
        }
        let mut bytes = Vec::new();
        // One byte more than allowed tells a file that has grown since.
        let read = fs::File::open(&full)
            .and_then(|file| file.take(limit_bytes.saturating_add(1)).read_to_end(&mut bytes));
        match read {
            Ok(n) if n as u64 > limit_bytes => Ok(Blob::TooLarge { bytes: n as u64 }),
            Ok(_) => Ok(Blob::Bytes(bytes)),
            Err(_) => Ok(Blob::Missing),
        }
    }
}

/// Parses `git status --porcelain=v2 -z`.
fn parse(output: &[u8]) -> Vec<StatusEntry> {
    let mut out: Vec<StatusEntry> = Vec::new();
    let mut fields = output.split(|&byte| byte == 0);
    while let Some(field) = fields.next() {
        // Kind, then a fixed number of words before the path: gitformat in git-status(1).
        let (n_words, is_rename) = match field.first() {
            Some(b'1') => (8, false),
            Some(b'2') => (9, true),
            Some(b'u') => (10, false),
            Some(b'?') => (1, false),
            _ => continue,
        };
        let mut parts = field.splitn_str(n_words + 1, b" ");
        let kind = parts.next().unwrap_or_default();
        let codes = if kind == b"?" { None } else { parts.next() };
        let path = if kind == b"?" { parts.next() } else { parts.nth(n_words - 2) };
        if is_rename {
            fields.next();
        }
        let Some(path) = path else { continue };
        let state = match (kind, codes) {
            (b"?", _) => FileState::Untracked,
            (b"u", _) => FileState::Conflicted,
            (_, Some(&[staged, unstaged])) => state_of(staged, unstaged),
            _ => continue,
        };
        out.push(StatusEntry { path: path.into(), state });
    }
    out.sort_by(|a, b| a.path.cmp(&b.path));
    // A file that is deleted in the staging index and lies untracked in the work tree is listed twice.
    out.dedup_by(|later, first| {
        let is_same = later.path == first.path;
        if is_same {
            first.state = FileState::Modified;
        }
        is_same
    });
    out
}

fn state_of(staged: u8, unstaged: u8) -> FileState {
    match (staged, unstaged) {
        (_, b'D') => FileState::Deleted,
        (b'D', b'.') => FileState::Deleted,
        (b'A', _) => FileState::Added,
        (b'T', _) | (_, b'T') => FileState::TypeChanged,
        _ => FileState::Modified,
    }
}

impl StatusEntry {
    /// A message for a failure that names the file.
    pub fn describe(&self) -> String {
        format!("{} '{}'", self.state.name(), self.path)
    }
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn porcelain_is_parsed() {
        let id = "1".repeat(40);
        let text = format!(
            "1 .M N... 100644 100644 100644 {id} {id} a b.rs\x001 D. N... 100644 000000 000000 {id} {id} gone\0\
             ? new file\0? gone2\0u UU N... 100644 100644 100644 100644 {id} {id} {id} both\0"
        );
        let found: Vec<String> = parse(text.as_bytes()).iter().map(StatusEntry::describe).collect();
        assert_eq!(
            found,
            [
                "modified 'a b.rs'",
                "conflicted 'both'",
                "deleted 'gone'",
                "untracked 'gone2'",
                "untracked 'new file'"
            ]
        );
    }
}
