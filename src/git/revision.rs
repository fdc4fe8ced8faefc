//! Revisions and commits: parsing what users write, reading commits, following parents.
//!
//! Owns [`Head`] and [`Commit`]. Input: revisions, ranges and commit ids. Output: ids and decoded
//! commits. The library parses revisions. A revision that it refuses goes to `git rev-parse`, which
//! is the authority; the process costs time only when the result is most likely an error anyway.
//! Ranges go to `git rev-list`.
//!
//! In a shallow clone a commit at the boundary has no parents here: its bytes name commits that the
//! repository does not have.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use bstr::{BString, ByteSlice};

use super::header::{self, CommitParts};
use super::range::is_range;
use super::{Error, Repository, Result, from_gix, to_gix};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;

/// Longest chain of tags pointing to tags that is followed.
const MAX_TAG_DEPTH: usize = 64;

/// The target of `HEAD`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch without a commit.
    Unborn {
        /// The full name of the branch.
        refname: BString,
    },
    /// A commit.
    Commit {
        /// The commit.
        id: ObjectId,
        /// The full name of the branch; `None` if the head is detached.
        refname: Option<BString>,
    },
}

/// The parts of a commit that we need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The commit itself.
    pub id: ObjectId,
    /// Its tree.
    pub tree: ObjectId,
    /// Its parents in order; empty for a root commit and at a shallow boundary.
    pub parents: Vec<ObjectId>,
    /// Name of the author as recorded, without `.mailmap`; empty if its header is unreadable.
    pub author: BString,
    /// Author time in seconds since the epoch; 0 if its header is unreadable.
    pub author_time_s: i64,
    /// Committer time in seconds since the epoch; 0 if its header is unreadable.
    pub committer_time_s: i64,
    /// The first paragraph of its message on one line.
    pub subject: BString,
    /// Whether it has parents that this shallow clone lacks.
    pub shallow: bool,
}

impl Repository {
    /// Returns the target of `HEAD`.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Command`] if it can't be read.
    pub fn head(&self) -> Result<Head> {
        if self.reads_refs_by_git() {
            return self.head_by_git();
        }
        let handle = self.handle();
        let head = handle.head().map_err(Error::git("read HEAD"))?;
        let refname = head.referent_name().map(|name| name.as_bstr().to_owned());
        match (head.id(), refname) {
            (Some(id), refname) => {
                let id = from_gix(&id);
                let id = self.peel(&handle, id)?.ok_or_else(|| self.missing("HEAD", id))?;
                Ok(Head::Commit { id, refname })
            }
            (None, Some(refname)) => Ok(Head::Unborn { refname }),
            (None, None) => Err(self.not_found("HEAD")),
        }
    }

    fn head_by_git(&self) -> Result<Head> {
        let symbolic = self.git(&["symbolic-ref", "--quiet", "HEAD"]).run_any()?;
        let refname = symbolic.success().then(|| BString::from(symbolic.stdout.trim_end()));
        match (self.rev_parse_by_git("HEAD")?, refname) {
            (Some(id), refname) => Ok(Head::Commit { id, refname }),
            (None, Some(refname)) => Ok(Head::Unborn { refname }),
            (None, None) => Err(self.not_found("HEAD")),
        }
    }

    /// Returns the commit that a revision names, in any form Git knows; tags are peeled.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it names nothing or not a commit, [`Error::Range`] if it names
    /// several, [`Error::Unborn`] for `HEAD` before the first commit,
    /// [`Error::MissingObject`] for a ref whose commit is missing.
    pub fn resolve(&self, revision: &str) -> Result<ObjectId> {
        if is_set(revision) {
            return Err(Error::Range { revision: revision.to_owned() });
        }
        let id = self.resolve_any(revision).map_err(|error| match error {
            Error::NotFound { revision, .. } if revision == "HEAD" => self.no_head(),
            other => other,
        })?;
        self.peel(&self.handle(), id)?.ok_or_else(|| match self.contains(id) {
            true => Error::NotACommit { revision: revision.to_owned() },
            false => self.missing(revision, id),
        })
    }

    /// Makes the error for a `HEAD` that names nothing.
    fn no_head(&self) -> Error {
        let Ok(Head::Unborn { refname }) = self.head() else { return self.not_found("HEAD") };
        let others = self.list_refs("refs/heads/").is_ok_and(|branches| !branches.is_empty());
        let name = refname.strip_prefix(b"refs/heads/").unwrap_or(&refname);
        let orphan = others.then(|| name.to_str_lossy().into_owned());
        Error::Unborn { orphan, is_bare: self.work_dir().is_none() }
    }

    /// Makes the error for a revision whose object is not in the repository. An id that the user
    /// wrote may be wrong. A ref that leads nowhere is damage.
    fn missing(&self, revision: &str, id: ObjectId) -> Error {
        match revision.eq_ignore_ascii_case(&id.to_string()) {
            true => self.not_found(revision),
            false => Error::MissingObject { kind: "commit", id, is_promised: self.is_partial() },
        }
    }

    /// Returns the object of any kind that a revision names.
    pub(super) fn resolve_any(&self, revision: &str) -> Result<ObjectId> {
        // The program would read a leading dash as an option, and no revision starts with one.
        if revision.is_empty() || revision.starts_with('-') || revision.contains(['\0', '\n']) {
            return Err(self.not_found(revision));
        }
        if !self.reads_refs_by_git()
            && let Ok(id) = self.handle().rev_parse_single(revision)
        {
            return Ok(from_gix(&id));
        }
        self.rev_parse_by_git(revision)?.ok_or_else(|| self.not_found(revision))
    }

    /// Makes the error for a revision that names nothing.
    fn not_found(&self, revision: &str) -> Error {
        let is_shallow = self.shallow_boundary().is_ok_and(|commits| !commits.is_empty());
        Error::NotFound { revision: revision.to_owned(), is_shallow }
    }

    fn rev_parse_by_git(&self, revision: &str) -> Result<Option<ObjectId>> {
        let output = self.git(&["rev-parse", "--quiet", "--verify", revision]).run_any()?;
        if !output.success() {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        text.trim_end().parse().map(Some).map_err(Error::git("parse the output of git rev-parse"))
    }

    /// Returns the commits that revisions and ranges name, newest committer time first, each once.
    ///
    /// A plain revision is one commit. `A..B`, `A...B`, `A^@`, `A^!` and `A^-` are the commits that
    /// Git gives for them. If one spec is an exclusion, `^A`, all specs together are one set, as in
    /// `git log`.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the first spec that names nothing.
    pub fn resolve_many(&self, specs: &[String]) -> Result<Vec<ObjectId>> {
        let mut ids = Vec::new();
        if specs.iter().any(|spec| spec.starts_with('^')) {
            ids = self.rev_list(specs)?;
        } else {
            for spec in specs {
                if is_set(spec) {
                    ids.extend(self.rev_list(std::slice::from_ref(spec))?);
                } else {
                    ids.push(self.resolve(spec)?);
                }
            }
        }
        let mut seen = HashSet::new();
        ids.retain(|id| seen.insert(*id));
        let mut dated = Vec::with_capacity(ids.len());
        for id in ids {
            dated.push((self.commit(id)?.committer_time_s, id));
        }
        // The sort is stable, so commits of the same second keep Git's order.
        dated.sort_by_key(|(time, _)| Reverse(*time));
        Ok(dated.into_iter().map(|(_, id)| id).collect())
    }

    fn rev_list(&self, specs: &[String]) -> Result<Vec<ObjectId>> {
        let mut input = String::new();
        for spec in specs {
            if spec.is_empty() || spec.starts_with('-') || spec.contains(['\0', '\n']) {
                return Err(self.not_found(spec));
            }
            input.push_str(spec);
            input.push('\n');
        }
        let output = self.git(&["rev-list", "--stdin"]).input(input.into_bytes()).run_any()?;
        if !output.success() {
            return Err(self.not_found(&specs.join(" ")));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        text.lines()
            .map(|line| line.parse().map_err(Error::git("parse the output of git rev-list")))
            .collect()
    }

    /// Returns the local branches, remote branches and tags with their commits, sorted by full
    /// name.
    ///
    /// Tags of objects other than commits are left out.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Command`] if the refs can't be read.
    pub fn tips(&self) -> Result<Vec<(BString, ObjectId)>> {
        let mut tips = Vec::new();
        for prefix in ["refs/heads/", "refs/remotes/", "refs/tags/"] {
            for (name, id) in self.list_refs(prefix)? {
                if let Some(commit) = self.peel(&self.handle(), id)? {
                    tips.push((name, commit));
                }
            }
        }
        Ok(tips)
    }

    /// Returns the commits of `HEAD` and of the local branches, that of `HEAD` first, each once.
    ///
    /// # Errors
    /// The same as [`Repository::tips`].
    pub fn branch_tips(&self) -> Result<Vec<ObjectId>> {
        let head = match self.head()? {
            Head::Commit { id, .. } => Some(id),
            Head::Unborn { .. } => None,
        };
        let branches = self.tips()?.into_iter().filter(|(name, _)| name.starts_with(b"refs/heads/"));
        let mut seen = HashSet::new();
        Ok(head.into_iter().chain(branches.map(|(_, id)| id)).filter(|id| seen.insert(*id)).collect())
    }

    /// Reads a commit.
    ///
    /// # Errors
    /// [`Error::MissingObject`] or [`Error::Corrupt`] if it can't be read.
    pub fn commit(&self, id: ObjectId) -> Result<Commit> {
        let handle = self.handle();
        let bytes = self.structure(&handle, id, gix::objs::Kind::Commit)?;
        let CommitParts { tree, mut parents, author, author_time_s, committer_time_s, message } =
            self.parts(id, &bytes)?;
        let shallow = !parents.is_empty() && self.is_boundary(&handle, id)?;
        if shallow {
            parents.clear();
        }
        Ok(Commit {
            id,
            tree,
            parents,
            author: author.to_owned(),
            author_time_s,
            committer_time_s,
            subject: gix::objs::commit::MessageRef::from_bytes(message).summary().into_owned(),
            shallow,
        })
    }

    fn parts<'a>(&self, id: ObjectId, bytes: &'a [u8]) -> Result<CommitParts<'a>> {
        let corrupt = |detail: &str| Error::Corrupt { kind: "commit", id, detail: detail.to_owned() };
        header::parse_commit(bytes, self.object_hash_len()).map_err(corrupt)
    }

    /// Returns whether this shallow clone lacks the parents of a commit.
    ///
    /// # Errors
    /// [`Error::Git`] if the list of boundary commits can't be read.
    pub fn is_shallow_boundary(&self, id: ObjectId) -> Result<bool> {
        self.is_boundary(&self.handle(), id)
    }

    /// Returns the commits whose parents this clone lacks, sorted by id; empty for a complete
    /// clone.
    ///
    /// # Errors
    /// [`Error::Git`] if the list of boundary commits can't be read.
    pub fn shallow_boundary(&self) -> Result<Vec<ObjectId>> {
        let commits = self.handle().shallow_commits().map_err(Error::git("read the shallow boundary"))?;
        let mut ids: Vec<ObjectId> =
            commits.iter().flat_map(|commits| commits.iter()).map(|id| from_gix(id)).collect();
        ids.sort_unstable();
        Ok(ids)
    }

    fn is_boundary(&self, handle: &gix::Repository, id: ObjectId) -> Result<bool> {
        let commits = handle.shallow_commits().map_err(Error::git("read the shallow boundary"))?;
        let id = to_gix(id)?;
        Ok(commits.is_some_and(|commits| commits.iter().any(|commit| *commit == id)))
    }

    /// Returns at most `max` commits: `from`, its first parent, and so on, up to a root or shallow
    /// boundary.
    ///
    /// # Errors
    /// The same as [`Repository::commit`].
    pub fn first_parents(&self, from: ObjectId, max: usize) -> Result<Vec<ObjectId>> {
        self.first_parents_until(from, max, |_| false)
    }

    /// As [`Repository::first_parents`], but the line ends with the first commit that is `last`.
    ///
    /// # Errors
    /// The same as [`Repository::commit`].
    pub fn first_parents_until(
        &self,
        from: ObjectId,
        max: usize,
        last: impl Fn(ObjectId) -> bool,
    ) -> Result<Vec<ObjectId>> {
        let mut line = Vec::new();
        let mut next = Some(from);
        while let Some(id) = next.filter(|_| line.len() < max) {
            line.push(id);
            if last(id) {
                break;
            }
            next = self.commit(id)?.parents.first().copied();
        }
        Ok(line)
    }

    /// Returns the whole message of a commit; `None` for a commit of more than `max_bytes`, which
    /// is not read.
    ///
    /// # Errors
    /// The same as [`Repository::commit`].
    pub fn message(&self, id: ObjectId, max_bytes: u64) -> Result<Option<BString>> {
        let handle = self.handle();
        let size = handle.try_find_header(to_gix(id)?).ok().flatten().map(|header| header.size());
        if size.is_some_and(|size| size > max_bytes) {
            return Ok(None);
        }
        let bytes = self.structure(&handle, id, gix::objs::Kind::Commit)?;
        Ok(Some(self.parts(id, &bytes)?.message.to_owned()))
    }

    /// Returns at most `max` commits reachable from `from`, including it, newest committer time
    /// first; fewer if cancelled.
    ///
    /// A commit comes before its descendants only if their times say so. A line of history ends
    /// before a commit that can't be read.
    ///
    /// # Errors
    /// The same as [`Repository::commit`], for `from`.
    pub fn ancestors(&self, from: ObjectId, max: usize, cancel: &Cancel) -> Result<Vec<ObjectId>> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([from]);
        let first = self.commit(from)?;
        // Among commits of the same second, the one reached first goes first.
        let mut order = 0u64;
        let mut queue = BinaryHeap::from([(first.committer_time_s, Reverse(order), from, first.parents)]);
        while let Some((_, _, id, parents)) = queue.pop() {
            if found.len() >= max || cancel.is_cancelled() {
                break;
            }
            found.push(id);
            for parent in parents {
                if seen.insert(parent)
                    && let Ok(commit) = self.commit(parent)
                {
                    order += 1;
                    queue.push((commit.committer_time_s, Reverse(order), parent, commit.parents));
                }
            }
        }
        Ok(found)
    }

    /// Returns the commit that an object is, or that a tag leads to; `None` for any other object
    /// and for one that is not here.
    pub(super) fn peel_to_commit(&self, id: ObjectId) -> Result<Option<ObjectId>> {
        self.peel(&self.handle(), id)
    }

    /// Returns the commit that an object is, or that a tag leads to.
    fn peel(&self, handle: &gix::Repository, id: ObjectId) -> Result<Option<ObjectId>> {
        let mut id = id;
        for _ in 0..MAX_TAG_DEPTH {
            let Ok(Some(header)) = handle.try_find_header(to_gix(id)?) else { return Ok(None) };
            match header.kind() {
                gix::objs::Kind::Commit => return Ok(Some(id)),
                gix::objs::Kind::Tag => {
                    let bytes = self.structure(handle, id, gix::objs::Kind::Tag)?;
                    let corrupt =
                        || Error::Corrupt { kind: "tag", id, detail: "it has no object".to_owned() };
                    id = header::tag_target(&bytes, self.object_hash_len()).ok_or_else(corrupt)?;
                }
                gix::objs::Kind::Tree | gix::objs::Kind::Blob => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// Returns whether Git reads this as a set of commits.
fn is_set(spec: &str) -> bool {
    is_range(spec) || spec.starts_with('^') || spec.ends_with("^@") && !spec.starts_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    fn lines(bytes: &[u8]) -> Vec<ObjectId> {
        bytes.to_str().unwrap().lines().map(|line| line.parse().unwrap()).collect()
    }

    fn check_revisions(fixture: &Fixture) {
        fixture.git(&["tag", "light", "HEAD~1"]);
        fixture.git(&["tag", "-a", "-m", "annotated", "v1", "HEAD~1"]);
        let repo = fixture.open();
        for revision in ["HEAD", "HEAD~2", "main", "light", "v1", "v1^{commit}", ":/second", "main^0"] {
            let peeled = format!("{revision}^{{commit}}");
            let theirs =
                fixture.git_line(&["rev-parse", if revision.starts_with(':') { revision } else { &peeled }]);
            assert_eq!(repo.resolve(revision).unwrap().to_string(), theirs, "{revision}");
        }
        let head = fixture.git_line(&["rev-parse", "HEAD"]);
        assert_eq!(repo.resolve(&head[..8]).unwrap().to_string(), head);
        for revision in ["", "nothing", "HEAD~99", "-h", "--all"] {
            assert!(matches!(repo.resolve(revision), Err(Error::NotFound { .. })), "{revision}");
        }
        fixture.git(&["tag", "of-a-tree", "HEAD^{tree}"]);
        for revision in ["HEAD:src", "HEAD:src/main.rs", "of-a-tree"] {
            assert!(matches!(repo.resolve(revision), Err(Error::NotACommit { .. })), "{revision}");
        }
        for range in ["a..b", "HEAD~1..", "HEAD^!", "HEAD^@", "HEAD^-", "^HEAD"] {
            assert!(matches!(repo.resolve(range), Err(Error::Range { .. })), "{range}");
        }
        let tips = repo.tips().unwrap();
        let names: Vec<_> = tips.iter().map(|(name, _)| name.to_string()).collect();
        assert_eq!(names, ["refs/heads/main", "refs/tags/light", "refs/tags/v1"]);
        assert_eq!(tips[1].1, tips[2].1);
    }

    #[test]
    fn revisions_resolve_as_in_git() {
        check_revisions(&Fixture::with_history());
        check_revisions(&Fixture::with_history_in("sha256"));
        check_revisions(&Fixture::with_history_in("reftable"));
    }

    #[test]
    fn ranges_are_those_of_git() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        for specs in
            [&["HEAD~2..HEAD"][..], &["HEAD~2...HEAD~1"], &["HEAD", "^HEAD~1"], &["HEAD^!"], &["HEAD^-"]]
        {
            let owned: Vec<String> = specs.iter().map(ToString::to_string).collect();
            let theirs = lines(&fixture.git_bytes(&[&["rev-list"], specs].concat()));
            assert_eq!(repo.resolve_many(&owned).unwrap(), theirs, "{specs:?}");
        }
        let two = repo.resolve_many(&["HEAD~1".into(), "HEAD".into(), "main".into()]).unwrap();
        assert_eq!(two, [repo.resolve("HEAD").unwrap(), repo.resolve("HEAD~1").unwrap()]);
        assert!(repo.resolve_many(&["HEAD..nothing".into()]).is_err());
        assert!(repo.resolve_many(&["--all..HEAD".into()]).is_err());
        for (spec, range) in
            [(":/fix ..", false), ("HEAD^{/a..b}", false), ("a/b..c/d", true), ("a^-2", true)]
        {
            assert_eq!(is_range(spec), range, "{spec}");
        }
    }

    #[test]
    fn head_is_unborn_detached_or_on_a_branch() {
        for format in ["sha1", "reftable"] {
            let fixture = Fixture::new_in(format);
            assert_eq!(fixture.open().head().unwrap(), Head::Unborn { refname: "refs/heads/main".into() });
            fixture.commit_file("a", "a\n");
            let id = fixture.open().resolve("HEAD").unwrap();
            let refname = Some("refs/heads/main".into());
            assert_eq!(fixture.open().head().unwrap(), Head::Commit { id, refname });
            fixture.git(&["checkout", "-q", "--detach"]);
            assert_eq!(fixture.open().head().unwrap(), Head::Commit { id, refname: None });
        }
    }

    #[test]
    fn walks_agree_with_rev_list_and_are_bounded() {
        let fixture = Fixture::with_history();
        fixture.commit_merge();
        let repo = fixture.open();
        let head = repo.resolve("HEAD").unwrap();
        assert_eq!(
            repo.ancestors(head, 99, &Cancel::default()).unwrap(),
            lines(&fixture.git_bytes(&["rev-list", "HEAD"]))
        );
        let line = lines(&fixture.git_bytes(&["rev-list", "--first-parent", "HEAD"]));
        assert_eq!(repo.first_parents(head, 99).unwrap(), line);
        assert_eq!(repo.first_parents(head, 2).unwrap(), line[..2]);
        assert_eq!(repo.first_parents_until(head, 99, |id| id == line[1]).unwrap(), line[..2]);
        assert_eq!(repo.ancestors(head, 2, &Cancel::default()).unwrap().len(), 2);
        let commit = repo.commit(head).unwrap();
        assert_eq!(commit.parents.len(), 2);
        assert_eq!(commit.subject, "a merge");
        assert_eq!(commit.tree.to_string(), fixture.git_line(&["rev-parse", "HEAD^{tree}"]));
        assert_eq!(commit.committer_time_s.to_string(), fixture.git_line(&["log", "-1", "--format=%ct"]));
    }

    #[test]
    fn parents_are_cut_at_a_shallow_boundary() {
        let fixture = Fixture::with_history();
        let url = format!("file://{}", fixture.path().display());
        let clone = Fixture::empty_dir();
        clone.git(&["clone", "-q", "--depth", "2", &url, "."]);
        let repo = clone.open();
        let line = repo.first_parents(repo.resolve("HEAD").unwrap(), 99).unwrap();
        assert_eq!(line.len(), 2);
        assert!(repo.commit(line[1]).unwrap().shallow && repo.commit(line[1]).unwrap().parents.is_empty());
        assert!(!repo.commit(line[0]).unwrap().shallow);
        assert!(repo.is_shallow_boundary(line[1]).unwrap());
        assert!(!repo.is_shallow_boundary(line[0]).unwrap());
    }

    #[test]
    fn replacements_are_ignored() {
        let fixture = Fixture::with_history();
        let before = fixture.open().commit(fixture.open().resolve("HEAD").unwrap()).unwrap();
        fixture.git(&["replace", "HEAD", "HEAD~2"]);
        let repo = fixture.open();
        assert_eq!(repo.commit(before.id).unwrap(), before);
        assert_eq!(repo.resolve("HEAD~1").unwrap(), before.parents[0]);
    }
}
