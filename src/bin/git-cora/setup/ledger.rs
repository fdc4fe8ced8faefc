//! A note of each edit that `git cora init` made, in `<common directory>/cora/install.json`.
//!
//! An [`Edit`] names the text that went in and the text that it replaced, which is nearly always
//! empty. So uninstall restores a file byte for byte, even if the user edited other parts of it
//! since. No whole file is copied: an agent's file may hold a password. If the note is lost, or the
//! user edited our text, the caller removes our entry as the file's format allows.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use bstr::{BString, ByteSlice as _, ByteVec as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use git_cora::git::Repository;

use super::step::Step;

/// Version of the note's format. A note of another version is ignored.
const VERSION: u32 = 1;

/// The edit of one file: at byte `at`, `removed` was replaced by `inserted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Edit {
    /// Name of the file; see [`Ledger::agent_file`].
    pub(crate) file: String,
    at: usize,
    #[serde(serialize_with = "escape", deserialize_with = "unescape")]
    removed: BString,
    #[serde(serialize_with = "escape", deserialize_with = "unescape")]
    inserted: BString,
    /// Whether the file did not exist before.
    pub(crate) made_file: bool,
    /// The directories around the file that did not exist before, innermost first, as paths from
    /// the root of the work tree.
    #[serde(default)]
    pub(crate) made_dirs: Vec<PathBuf>,
}

fn escape<S: Serializer>(bytes: &BString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&bytes.escape_bytes())
}

fn unescape<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BString, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(Vec::unescape_bytes(text).into())
}

impl Edit {
    /// Returns the edit that turns one text into the other.
    pub(crate) fn between(file: String, before: Option<&[u8]>, after: &[u8]) -> Self {
        let made_file = before.is_none();
        let before = before.unwrap_or_default();
        let at = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let (old, new) = (before.get(at..).unwrap_or_default(), after.get(at..).unwrap_or_default());
        let n_same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let middle = |text: &[u8]| BString::from(text.get(..text.len() - n_same).unwrap_or_default());
        Self { file, at, removed: middle(old), inserted: middle(new), made_file, made_dirs: Vec::new() }
    }

    /// Returns the text without the edit; `None` if the edit is no longer found as it was made.
    ///
    /// Text that was inserted elsewhere in the file by others does not matter, as long as the
    /// inserted text is still there exactly once.
    pub(crate) fn undo(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.inserted.is_empty() {
            return None;
        }
        let is_at = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(&self.inserted));
        let mut places = text.find_iter(&self.inserted);
        let at = match (places.next(), places.next()) {
            _ if is_at(self.at) => self.at,
            (Some(only), None) => only,
            _ => return None,
        };
        let after = text.get(at + self.inserted.len()..)?;
        Some([text.get(..at)?, &self.removed, after].concat())
    }
}

/// A hooks directory that was written to, other than the repository's own as Git made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HooksDir {
    pub(crate) path: PathBuf,
    /// Whether the directory did not exist before.
    pub(crate) made: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Content {
    version: u32,
    #[serde(default)]
    edits: Vec<Edit>,
    #[serde(default)]
    hooks: Vec<HooksDir>,
}

/// The note, and what is to change in it.
#[derive(Debug, Clone)]
pub(crate) struct Ledger {
    path: PathBuf,
    stored: Option<Content>,
    content: Content,
}

impl Ledger {
    /// Reads the repository's note. One that can't be read is treated as lost.
    pub(crate) fn open(repo: &Repository) -> Self {
        let path = repo.cora_dir().join("install.json");
        let stored = fs::read(&path)
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Content>(&bytes).ok())
            .filter(|content| content.version == VERSION);
        let content = stored.clone().unwrap_or_default();
        Self { path, stored, content }
    }

    /// Returns the name under which a file of this work tree is noted. Linked work trees share the
    /// note, and each has its own files.
    #[cfg(feature = "mcp")]
    pub(crate) fn agent_file(repo: &Repository, file: &str) -> String {
        let worktree = match repo.git_dir().file_name() {
            Some(name) if repo.git_dir() != repo.common_dir() => name.to_string_lossy().into_owned(),
            _ => String::new(),
        };
        format!("{worktree}:{file}")
    }

    pub(crate) fn edit(&self, file: &str) -> Option<&Edit> {
        self.content.edits.iter().find(|edit| edit.file == file)
    }

    /// Whether an edit of this work tree made a directory.
    #[cfg(feature = "mcp")]
    pub(crate) fn made(&self, repo: &Repository, dir: &Path) -> bool {
        let worktree = Self::agent_file(repo, "");
        let mut edits = self.content.edits.iter().filter(|edit| edit.file.starts_with(&worktree));
        edits.any(|edit| edit.made_dirs.iter().any(|made| made == dir))
    }

    /// Notes the edit of a file, in place of an earlier one; `None` if there is none any more.
    pub(crate) fn set(&mut self, file: &str, edit: Option<Edit>) {
        self.content.edits.retain(|edit| edit.file != file);
        self.content.edits.extend(edit);
    }

    pub(crate) fn hooks(&self) -> &[HooksDir] {
        &self.content.hooks
    }

    /// Notes a hooks directory, unless it is noted already.
    pub(crate) fn add_hooks(&mut self, path: &Path, made: bool) {
        if self.content.hooks.iter().all(|dir| dir.path != path) {
            self.content.hooks.push(HooksDir { path: path.to_owned(), made });
        }
    }

    pub(crate) fn forget_hooks(&mut self) {
        self.content.hooks.clear();
    }

    /// Returns the steps that store the note. They come before the edits themselves: a note of an
    /// edit that was never made does no harm.
    pub(crate) fn steps(&self) -> anyhow::Result<Vec<Step>> {
        let is_empty = self.content.edits.is_empty() && self.content.hooks.is_empty();
        match &self.stored {
            Some(stored) if *stored == self.content => Ok(Vec::new()),
            Some(_) if is_empty => Ok(vec![Step::Remove(self.path.clone())]),
            None if is_empty => Ok(Vec::new()),
            _ => {
                let content = Content { version: VERSION, ..self.content.clone() };
                let mut bytes = serde_json::to_vec_pretty(&content)?;
                bytes.push(b'\n');
                let dir = self
                    .path
                    .parent()
                    .context("the record of changes to hooks and settings has no directory")?;
                Ok(vec![Step::MakeDir(dir.to_owned()), Step::Write { path: self.path.clone(), bytes }])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_undone_wherever_the_text_is_now() {
        for (before, after) in [
            ("", "new"),
            ("ab", "aXXb"),
            ("{}", "{\n}"),
            ("aa", "aaa"),
            ("a\r\nb", "a\r\nX\nb"),
            ("one two", "one 2 two"),
            ("x", "x\nlog = 1"),
        ] {
            let edit = Edit::between("f".into(), Some(before.as_bytes()), after.as_bytes());
            assert_eq!(edit.undo(after.as_bytes()).unwrap(), before.as_bytes(), "{before:?} {after:?}");
            let stored = serde_json::to_string(&edit).unwrap();
            assert_eq!(serde_json::from_str::<Edit>(&stored).unwrap(), edit);
        }
        let edit = Edit::between("f".into(), Some(b"a\nc\n"), b"a\nours\nc\n");
        assert_eq!(edit.undo(b"first\na\nours\nc\nd").unwrap(), b"first\na\nc\nd");
        assert_eq!(edit.undo(b"first\nours\na\nours\n"), None, "which one is it?");
        assert_eq!(edit.undo(b"a\nOurs\nc\n"), None);
        assert!(Edit::between("f".into(), None, b"x").made_file);
        let odd = Edit::between("f".into(), Some(b"a\xff\\"), b"a\xfe\"\\n\\");
        let stored = serde_json::to_string(&odd).unwrap();
        assert_eq!(serde_json::from_str::<Edit>(&stored).unwrap(), odd);
    }
}
