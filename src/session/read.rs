//! The calls of a [`Session`] that read an index: answers, relations, changes, maps, pages,
//! evidence.
//!
//! Each delegates to the answer stage with the providers that the settings name.

use crate::answer::ask::{self, Limits, Rules, State};
use crate::answer::view::{Outline, Page, Results};
use crate::answer::{self, Diff, ExplainQuery, Finder, MapQuery, RelationQuery, Relations};
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::search::query::{Filters, Query};
use crate::search::{OutsideModels, Searcher};

use super::{Error, Result, Session};

/// Asking.
///
/// A cached segment may turn out damaged while it is read; the call then fails with an error of
/// kind `Corrupt`. [`Session::answer_or_repair`] and [`Session::read_or_repair`] rebuild it.
impl Session {
    /// Answers a query: ranked chunks with their source texts.
    ///
    /// Results are in descending order of their score. Equal scores are in the order of path and
    /// position. Scores are comparable within one answer only. `revision` is the revision as the
    /// user wrote it; the answer repeats it.
    ///
    /// # Errors
    /// Of kind `Config` for invalid filters, and `Corrupt` for a damaged cache.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{Filters, Query};
    ///
    /// let filters = Filters::default().with_paths(vec!["src".to_owned()]);
    /// let query = Query::new("retry a failed upload").with_limit(3).with_filters(filters);
    /// let results = session.answer(&searcher, &query, "HEAD")?;
    /// let best = &results.results[0];
    /// assert_eq!(best.path, "src/upload.rs");
    /// assert_eq!(best.symbol, "retry_upload");
    /// # Ok(()) }
    /// ```
    pub fn answer(&self, searcher: &Searcher, query: &Query, revision: &str) -> Result<Results> {
        self.answer_watched(searcher, query, revision, Task::silent())
    }

    /// Answers a query as [`Session::answer`] does, and can be watched and stopped.
    ///
    /// A remote model that the settings name reports its progress to `task`.
    ///
    /// # Errors
    /// As [`Session::answer`], and of kind `Cancelled`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{Cancel, Query, NoProgress, Task};
    ///
    /// let cancel = Cancel::default();
    /// cancel.cancel();
    /// let stopped = Task::new(&NoProgress, &cancel);
    /// assert!(session.answer_watched(&searcher, &Query::new("upload"), "HEAD", stopped).is_err());
    /// # Ok(()) }
    /// ```
    pub fn answer_watched(
        &self,
        searcher: &Searcher,
        query: &Query,
        revision: &str,
        task: Task<'_>,
    ) -> Result<Results> {
        Ok(answer::answer(searcher, &self.providers, query, revision, task)?)
    }

    /// Answers a query as [`Session::answer_watched`] does, and repairs a damaged cache.
    ///
    /// After a repair, `searcher` is the searcher over the rebuilt segment.
    ///
    /// # Errors
    /// As [`Session::answer_watched`] and [`Session::searcher`].
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{Query, Task};
    ///
    /// let mut searcher = searcher;
    /// let query = Query::new("retry a failed upload");
    /// let results = session.answer_or_repair(&mut searcher, &query, "HEAD", Task::silent())?;
    /// assert_eq!(results.results[0].path, "src/upload.rs");
    /// # Ok(()) }
    /// ```
    pub fn answer_or_repair(
        &self,
        searcher: &mut Searcher,
        query: &Query,
        revision: &str,
        task: Task<'_>,
    ) -> Result<Results> {
        self.read_or_repair(searcher, task, |one| self.answer_watched(one, query, revision, task))
    }

    /// Runs `read`; if a cached segment turns out damaged, rebuilds it and runs `read` once more.
    ///
    /// After a repair, `searcher` is the searcher over the rebuilt segment.
    ///
    /// # Errors
    /// Those of `read`, and as [`Session::searcher`].
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{RelationQuery, Task};
    ///
    /// let mut searcher = searcher;
    /// let query = RelationQuery::new("send");
    /// let read = |one: &git_cora::Searcher| session.relations(one, &query);
    /// let relations = session.read_or_repair(&mut searcher, Task::silent(), read)?;
    /// assert_eq!(relations.symbols.len(), 1);
    /// # Ok(()) }
    /// ```
    pub fn read_or_repair<T>(
        &self,
        searcher: &mut Searcher,
        task: Task<'_>,
        read: impl Fn(&Searcher) -> Result<T>,
    ) -> Result<T> {
        let (value, repaired) = self.with_repair(searcher, task, read)?;
        if let Some(repaired) = repaired {
            *searcher = repaired;
        }
        Ok(value)
    }

    /// Runs `read` as [`Session::read_or_repair`] does, on a searcher that others share.
    ///
    /// Returns what was read, and the searcher that replaces `searcher` after a repair.
    ///
    /// # Errors
    /// As [`Session::read_or_repair`].
    #[doc(hidden)]
    pub fn with_repair<T>(
        &self,
        searcher: &Searcher,
        task: Task<'_>,
        read: impl Fn(&Searcher) -> Result<T>,
    ) -> Result<(T, Option<Searcher>)> {
        searcher.with_repair(&self.indexer, task, read, Error::search)
    }

    /// Lists the declarations that differ between two commits, and indexes both if necessary.
    ///
    /// Only files that the pathspecs admit are compared; no pathspec admits all. Declarations are
    /// in the order of path and line, those of the second commit where they exist there.
    ///
    /// # Errors
    /// As [`Session::index`]; of kind `Config` for an invalid pathspec.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let (old, new) = (session.commit("HEAD~1")?, session.commit("HEAD")?);
    /// let diff = session.diff(old, new, &[], git_cora::Task::silent())?;
    /// assert_eq!(diff.declarations[0].new.as_ref().unwrap().symbol, "retry_upload");
    /// # Ok(()) }
    /// ```
    pub fn diff(&self, old: ObjectId, new: ObjectId, pathspecs: &[String], task: Task<'_>) -> Result<Diff> {
        Ok(answer::diff(&self.indexer, old, new, pathspecs, task)?)
    }

    /// Lists the declarations of the working tree that differ from a commit.
    ///
    /// Untracked files count, unless Git ignores them. Otherwise as [`Session::diff`].
    ///
    /// # Errors
    /// As [`Session::diff`]; of kind `NotFound` before the first commit.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let diff = session.diff_worktree(session.commit("HEAD")?, &[], git_cora::Task::silent())?;
    /// assert!(diff.new.is_none() && diff.declarations.is_empty());
    /// # Ok(()) }
    /// ```
    pub fn diff_worktree(&self, old: ObjectId, pathspecs: &[String], task: Task<'_>) -> Result<Diff> {
        Ok(answer::diff_worktree(&self.indexer, old, pathspecs, task)?)
    }

    /// Answers a query only with what differs between two commits, the older one first.
    ///
    /// Added and changed chunks are found in the second commit, removed ones in the first. Order
    /// and scores are those of [`Session::answer`].
    ///
    /// # Errors
    /// As [`Session::diff`] and [`Session::answer_watched`].
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{Query, Task};
    ///
    /// let commits = [session.commit("HEAD~1")?, session.commit("HEAD")?];
    /// let query = Query::new("upload");
    /// let results = session.answer_in_diff(commits, &query, "HEAD~1..HEAD", Task::silent())?;
    /// assert_eq!(results.results[0].symbol, "retry_upload");
    /// # Ok(()) }
    /// ```
    pub fn answer_in_diff(
        &self,
        commits: [ObjectId; 2],
        query: &Query,
        revision: &str,
        task: Task<'_>,
    ) -> Result<Results> {
        let (indexer, providers) = (&self.indexer, &self.providers);
        Ok(answer::answer_in_diff(indexer, providers, commits, query, revision, task)?)
    }

    /// Finds what refers to a symbol, and what the symbol refers to.
    ///
    /// Each list has certain references first, then guesses with their confidence from 0 to 1, and
    /// tests last. The answer has no symbols if no declaration has the name.
    ///
    /// # Errors
    /// Of kind `Corrupt` for a damaged cache.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let relations = session.relations(&searcher, &git_cora::RelationQuery::new("send"))?;
    /// let callers = relations.symbols[0].callers.as_ref().unwrap();
    /// assert_eq!(callers.items[0].place.symbol, "retry_upload");
    /// # Ok(()) }
    /// ```
    pub fn relations(&self, searcher: &Searcher, query: &RelationQuery) -> Result<Relations> {
        Ok(answer::relations(&[searcher], query)?)
    }

    /// Collects what is known of a file or a declaration; `None` if nothing has that name.
    ///
    /// # Errors
    /// Of kind `Corrupt` for a damaged cache.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let query = git_cora::ExplainQuery::new("retry_upload");
    /// let page = session.explain(&searcher, &query)?.unwrap();
    /// assert_eq!(page.subjects[0].doc.trim(), "Sends a file again until it arrives.");
    /// # Ok(()) }
    /// ```
    pub fn explain(&self, searcher: &Searcher, what: &ExplainQuery) -> Result<Option<Page>> {
        Ok(answer::explain(searcher, &self.providers, what)?)
    }

    /// Lists the most important declarations of a repository, for a question, or around files.
    ///
    /// Ranked declarations come first, in descending order of their weight.
    ///
    /// # Errors
    /// Of kind `Config` for invalid filters, `Corrupt` for a damaged cache, and `Cancelled`.
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// let map = session.map(&searcher, &git_cora::MapQuery::new(10), git_cora::Task::silent())?;
    /// assert!(map.items.iter().any(|item| item.symbol == "send"));
    /// # Ok(()) }
    /// ```
    pub fn map(&self, searcher: &Searcher, map: &MapQuery, task: Task<'_>) -> Result<Outline> {
        Ok(answer::map(searcher, &self.providers, map, task)?)
    }

    /// Gathers the evidence for a question, step by step, without a language model.
    ///
    /// The question is split into parts, each part is searched, and references from the best
    /// results are followed. Evidence is in the order in which it was found; each part lists its
    /// own, best first, as indexes. The answer has no evidence if nothing in the repository is
    /// relevant. A damaged cache is repaired.
    ///
    /// # Errors
    /// As [`Session::answer_watched`].
    ///
    /// # Examples
    ///
    /// ```
    /// # mod sample { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/samples/repo.rs")); }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let dir = sample::repository()?;
    /// # let session = git_cora::Session::open(dir.path())?;
    /// # let searcher = session.searcher(&git_cora::Target::Worktree, git_cora::Task::silent())?;
    /// use git_cora::{Filters, Limits, Task};
    ///
    /// let question = "how is a failed upload retried?";
    /// let (filters, limits) = (Filters::default(), Limits::default());
    /// let state = session.ask(&searcher, question, filters, &limits, Task::silent())?;
    /// assert_eq!(state.evidence[0].item.path, "src/upload.rs");
    /// # Ok(()) }
    /// ```
    pub fn ask(
        &self,
        searcher: &Searcher,
        question: &str,
        filters: Filters,
        limits: &Limits,
        task: Task<'_>,
    ) -> Result<State> {
        let finder = self.finder(searcher, "", filters, task.cancel);
        let mut state = ask::gather(question, &mut Rules, &finder, limits, &mut (), task.cancel)?;
        state.notes.extend(finder.warnings());
        Ok(state)
    }

    /// Makes the source of evidence for `ask`, among the files that the filters admit.
    #[doc(hidden)]
    pub fn finder<'s>(
        &'s self,
        searcher: &'s Searcher,
        revision: &str,
        filters: Filters,
        cancel: &Cancel,
    ) -> Finder<'s> {
        self.finder_with(&self.providers, searcher, revision, filters, cancel)
    }

    /// As [`Session::finder`], with other outside models.
    #[doc(hidden)]
    pub fn finder_with<'s>(
        &'s self,
        models: &'s dyn OutsideModels,
        searcher: &'s Searcher,
        revision: &str,
        filters: Filters,
        cancel: &Cancel,
    ) -> Finder<'s> {
        Finder::new(&self.indexer, searcher, models, revision, filters, cancel)
    }
}
