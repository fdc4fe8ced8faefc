//! A note of each edit that `git cora init` made, in `<common directory>/cora/install.json`.
//!
//! No whole file is copied: an agent's file may hold a password. If the note is lost, or the user
//! edited our text, the caller removes our entry as the file's format allows.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use git_cora::git::Repository;

use super::edit::Content;
pub(crate) use super::edit::{Edit, HooksDir};
use super::step::Step;

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
        let stored = fs::read(&path).ok().and_then(|bytes| Content::decode(&bytes));
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
                let bytes = self.content.encode()?;
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
    fn a_file_has_one_edit() {
        let mut ledger = Ledger { path: PathBuf::new(), stored: None, content: Content::default() };
        let edit = |file: &str, after: &str| Edit::between(file.to_owned(), Some(b""), after.as_bytes());
        for (file, after) in [("a", "1"), ("b", "2"), ("a", "3")] {
            ledger.set(file, Some(edit(file, after)));
            assert_eq!(ledger.edit(file), Some(&edit(file, after)));
        }
        ledger.set("a", None);
        assert_eq!((ledger.edit("a"), ledger.edit("b")), (None, Some(&edit("b", "2"))));
    }
}
