//! Revisions: names → commits, and walks along history.

use bstr::{BString, ByteSlice};

use crate::id::ObjectId;

use super::{Error, Repository, Result, from_gix, to_gix};

/// What HEAD is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// On a branch without a commit.
    Unborn {
        /// The branch.
        refname: BString,
    },
    /// At a commit.
    Commit {
        /// The commit.
        id: ObjectId,
        /// The branch; `None` if HEAD is detached.
        refname: Option<BString>,
    },
}

impl Repository {
    /// What HEAD is.
    ///
    /// # Errors
    /// [`Error::Ref`] if it can't be read.
    pub fn head(&self) -> Result<Head> {
        let fail = |message: String| Error::Ref { operation: "read", name: "HEAD".to_owned(), message };
        if self.is_reftable {
            let branch = self.git(&["symbolic-ref", "--quiet", "HEAD"]).run()?;
            let refname = branch.success.then(|| BString::from(branch.stdout.trim()));
            return match (self.read_ref("HEAD")?, refname) {
                (Some(id), refname) => Ok(Head::Commit { id, refname }),
                (None, Some(refname)) => Ok(Head::Unborn { refname }),
                (None, None) => Err(fail("it points at nothing".to_owned())),
            };
        }
        self.with(|repo| {
            let mut head = repo.head().map_err(|error| fail(error.to_string()))?;
            let refname = head.referent_name().map(|name| name.as_bstr().to_owned());
            if head.is_unborn() {
                return Ok(Head::Unborn { refname: refname.unwrap_or_default() });
            }
            let id = head.peel_to_commit().map_err(|error| fail(error.to_string()))?.id;
            Ok(Head::Commit { id: from_gix(&id), refname })
        })
    }

    /// The commit that a revision names, in any of Git's notations; tags are followed.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn resolve(&self, revision: &str) -> Result<ObjectId> {
        let missing = || Error::NotFound { revision: revision.to_owned() };
        if !self.is_reftable && !revision.is_empty() {
            let found = self.with(|repo| {
                let id = repo.rev_parse_single(revision).ok()?;
                let commit = id.object().ok()?.peel_to_kind(gix::objs::Kind::Commit).ok()?;
                Some(from_gix(&commit.id))
            });
            if let Some(id) = found {
                return Ok(id);
            }
        }
        // What gix doesn't know, Git may.
        let spec = format!("{revision}^{{commit}}");
        let output = self.git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &spec]).run()?;
        if !output.success {
            return Err(missing());
        }
        String::from_utf8_lossy(&output.stdout).trim().parse().map_err(|_| missing())
    }

    /// The commits that revisions and ranges name, each once. Single revisions name themselves, in the order
    /// given; with a range (`A..B`, `A...B`, `^A`) it is what `git rev-list` lists, newest first.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn resolve_many(&self, specs: &[String]) -> Result<Vec<ObjectId>> {
        let is_range = |spec: &String| spec.contains("..") || spec.starts_with('^');
        if !specs.iter().any(is_range) {
            return specs.iter().map(|spec| self.resolve(spec)).collect();
        }
        let mut args = vec!["rev-list", "--end-of-options"];
        args.extend(specs.iter().map(String::as_str));
        let output = self.git(&args).run()?;
        if !output.success {
            return Err(Error::NotFound { revision: specs.join(" ") });
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| line.parse().ok()).collect())
    }

    /// Branches, remote branches and tags with the commits that they point at, by name.
    ///
    /// # Errors
    /// [`Error::Ref`] if the ref storage is damaged.
    pub fn tips(&self) -> Result<Vec<(BString, ObjectId)>> {
        let mut out = Vec::new();
        for prefix in ["refs/heads/", "refs/remotes/", "refs/tags/"] {
            for (name, id) in self.list_refs(prefix)? {
                let commit = self.with(|repo| {
                    let object = repo.find_object(to_gix(id)).ok()?;
                    Some(from_gix(&object.peel_to_kind(gix::objs::Kind::Commit).ok()?.id))
                });
                // A tag of a tree or blob has no index.
                if let Some(commit) = commit {
                    out.push((name, commit));
                }
            }
        }
        Ok(out)
    }

    /// `from` and its first-parent ancestors, newest first, at most `max` of them.
    ///
    /// # Errors
    /// [`Error::Object`] if `from` is no commit; the line ends where an ancestor is missing.
    pub fn first_parents(&self, from: ObjectId, max: usize) -> Result<Vec<ObjectId>> {
        let mut out = Vec::new();
        let mut next = Some(self.commit(from)?);
        while let Some(commit) = next {
            if out.len() >= max {
                break;
            }
            out.push(commit.id);
            next = commit.parents.first().and_then(|&parent| self.commit(parent).ok());
        }
        Ok(out)
    }

    /// `from` and its ancestors, newest commit date first, at most `max` of them.
    ///
    /// # Errors
    /// [`Error::Object`] if `from` is no commit.
    pub fn ancestors(&self, from: ObjectId, max: usize) -> Result<Vec<ObjectId>> {
        let mut queue = std::collections::BinaryHeap::new();
        let mut seen = std::collections::HashSet::from([from]);
        let first = self.commit(from)?;
        queue.push((first.committer_time_s, from, first.parents));
        let mut out = Vec::new();
        while let Some((_, id, parents)) = queue.pop() {
            out.push(id);
            if out.len() >= max {
                break;
            }
            for parent in parents {
                if seen.insert(parent)
                    && let Ok(commit) = self.commit(parent)
                {
                    queue.push((commit.committer_time_s, parent, commit.parents));
                }
            }
        }
        Ok(out)
    }
}
