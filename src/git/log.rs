//! What `git log` and its relatives know: the commits that changed a path, and authors by
//! `.mailmap`.
//!
//! The program is used because it reads a commit graph where there is one, and follows the rules of
//! history simplification to the letter. Input and output are ids and bytes. Paths are literal, so
//! no character of them has a meaning.

use std::ffi::OsString;

use bstr::{BStr, ByteSlice};

use super::{Error, Repository, Result};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;

/// A commit that changed a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathCommit {
    /// The commit.
    pub id: ObjectId,
    /// The nearest ancestors that changed the path too, one for each line of history that Git
    /// follows; empty where the path first came.
    pub parents: Vec<ObjectId>,
}

/// Who made a commit, and when. Names are those of `.mailmap`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorship {
    /// The commit.
    pub id: ObjectId,
    /// Name of the author.
    pub name: String,
    /// Address of the author.
    pub email: String,
    /// Author date, as `2024-01-31`, in the author's own time zone.
    pub date: String,
    /// First line of the message.
    pub subject: String,
}

impl Repository {
    /// Returns the commits reachable from `from` that changed `path`, children before parents.
    ///
    /// History is simplified as `git log -- PATH` does: of a merge, only the parent with the same
    /// file is followed.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails, [`Error::Cancelled`].
    pub fn path_commits(&self, from: ObjectId, path: &BStr, cancel: &Cancel) -> Result<Vec<PathCommit>> {
        self.commits_of_path(from, path, &[], cancel)
    }

    /// Returns the same without simplification: all sides of each merge are followed.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails, [`Error::Cancelled`].
    pub fn all_path_commits(&self, from: ObjectId, path: &BStr, cancel: &Cancel) -> Result<Vec<PathCommit>> {
        self.commits_of_path(from, path, &["--full-history"], cancel)
    }

    fn commits_of_path(
        &self,
        from: ObjectId,
        path: &BStr,
        options: &[&str],
        cancel: &Cancel,
    ) -> Result<Vec<PathCommit>> {
        let args = ["--literal-pathspecs", "rev-list", "--topo-order", "--parents"];
        let command = options.iter().fold(self.git(&args), |command, option| command.arg(*option));
        let command = command.arg(from.to_string()).arg("--").arg(os_path(path)?);
        let output = command.cancel(cancel).run()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut commits = Vec::new();
        for line in text.lines() {
            let mut ids = line.split(' ').map(|id| id.parse().map_err(Error::git("parse git rev-list")));
            let Some(id) = ids.next() else { continue };
            commits.push(PathCommit { id: id?, parents: ids.collect::<Result<_>>()? });
        }
        Ok(commits)
    }

    /// Returns the best common ancestor of two commits; `None` if this clone has none.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails.
    pub fn merge_base(&self, a: ObjectId, b: ObjectId) -> Result<Option<ObjectId>> {
        let output = self.git(&["merge-base"]).arg(a.to_string()).arg(b.to_string()).run_any()?;
        match output.status {
            Some(0) => {
                let text = String::from_utf8_lossy(&output.stdout);
                text.trim_end().parse().map(Some).map_err(Error::git("parse git merge-base"))
            }
            Some(1) => Ok(None),
            status => Err(Error::Command { command: "merge-base".to_owned(), status, stderr: output.stderr }),
        }
    }

    /// Returns who made some commits, in their order.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails.
    pub fn authorship(&self, commits: &[ObjectId]) -> Result<Vec<Authorship>> {
        if commits.is_empty() {
            return Ok(Vec::new());
        }
        let format = "--format=%H%x00%aN%x00%aE%x00%ad%x00%s";
        let args = ["log", "--no-walk=unsorted", "--stdin", "--date=short", "--encoding=UTF-8"];
        let input: String = commits.iter().map(|id| format!("{id}\n")).collect();
        let command = self.git(&args).arg("--no-show-signature").arg(format).arg("--no-color");
        let output = command.input(input.into_bytes()).run()?;
        let mut found = Vec::new();
        for line in output.stdout.lines() {
            let mut parts = line.split_str("\0").map(|part| part.to_str_lossy().into_owned());
            let mut next = || parts.next().unwrap_or_default();
            let id = next().parse().map_err(Error::git("parse git log"))?;
            found.push(Authorship { id, name: next(), email: next(), date: next(), subject: next() });
        }
        Ok(found)
    }
}

/// Converts a path to an argument.
pub(super) fn os_path(path: &BStr) -> Result<OsString> {
    let path = path.to_os_str().map_err(Error::git("pass the path to git"))?;
    Ok(path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn commits_of_a_path_have_the_nearest_parents() {
        let fixture = Fixture::new();
        for (path, content) in [("a b", "1"), ("c", "1"), ("a b", "2"), ("c", "2"), ("a b", "3")] {
            fixture.commit_file(path, content);
        }
        let repo = fixture.open();
        let head = repo.resolve("HEAD").unwrap();
        let found = repo.path_commits(head, b"a b".as_bstr(), &Cancel::default()).unwrap();
        let at = |revision: &str| repo.resolve(revision).unwrap();
        assert_eq!(
            found,
            [
                PathCommit { id: head, parents: vec![at("HEAD~2")] },
                PathCommit { id: at("HEAD~2"), parents: vec![at("HEAD~4")] },
                PathCommit { id: at("HEAD~4"), parents: vec![] },
            ]
        );
        // A path is not a pattern.
        assert_eq!(repo.path_commits(head, b"*".as_bstr(), &Cancel::default()).unwrap(), []);
    }

    #[test]
    fn the_merge_base_is_that_of_git() {
        let fixture = Fixture::new();
        fixture.commit_file("a", "1");
        fixture.git(&["branch", "side"]);
        fixture.commit_file("a", "2");
        let main = fixture.git_line(&["rev-parse", "HEAD"]).parse().unwrap();
        fixture.git(&["checkout", "-q", "--orphan", "alone"]);
        fixture.commit_file("b", "1");
        let repo = fixture.open();
        let at = |revision: &str| repo.resolve(revision).unwrap();
        assert_eq!(repo.merge_base(at("side"), at("HEAD")).unwrap(), None);
        assert_eq!(repo.merge_base(at("side"), main).unwrap(), Some(at("side")));
    }

    #[test]
    fn authors_are_in_the_order_of_the_commits() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let ids = repo.first_parents(repo.resolve("HEAD").unwrap(), 9).unwrap();
        let back: Vec<ObjectId> = ids.iter().rev().copied().collect();
        let found: Vec<ObjectId> = repo.authorship(&back).unwrap().iter().map(|one| one.id).collect();
        assert_eq!(found, back);
    }
}
