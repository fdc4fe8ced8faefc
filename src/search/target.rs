//! Which state of a repository is searched.

use super::Result;
use crate::base::id::ObjectId;
use crate::git::Repository;

/// The state of a repository that is searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The working tree: `HEAD` and uncommitted changes.
    Worktree,
    /// A commit.
    Commit(ObjectId),
}

impl Target {
    /// Resolves a revision, and returns its display name. Without a revision the target is the
    /// working tree, or `HEAD` in a bare repository and with `committed`.
    ///
    /// # Errors
    /// [`super::Error::Git`] for a revision that does not exist.
    #[doc(hidden)]
    pub fn resolve(repo: &Repository, rev: Option<&str>, committed: bool) -> Result<(Self, String)> {
        match rev {
            None if repo.work_dir().is_some() && !committed => Ok((Self::Worktree, "HEAD".to_owned())),
            rev => {
                let rev = rev.unwrap_or("HEAD");
                Ok((Self::Commit(repo.resolve(rev)?), rev.to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn a_revision_names_a_commit_and_nothing_the_working_tree() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let head = repo.resolve("HEAD").unwrap();
        assert_eq!(Target::resolve(&repo, None, false).unwrap(), (Target::Worktree, "HEAD".to_owned()));
        assert_eq!(Target::resolve(&repo, None, true).unwrap(), (Target::Commit(head), "HEAD".to_owned()));
        let parent = repo.resolve("HEAD~1").unwrap();
        let named = Target::resolve(&repo, Some("HEAD~1"), false).unwrap();
        assert_eq!(named, (Target::Commit(parent), "HEAD~1".to_owned()));
        assert!(Target::resolve(&repo, Some("no-such-revision"), false).is_err());
    }
}
