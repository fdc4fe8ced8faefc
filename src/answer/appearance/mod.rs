//! When text was added to a repository, and when it was removed: a text → commits and releases.
//!
//! Owns the question ([`AppearanceQuery`]) and the answer ([`Appearance`]). Git counts the text in
//! the files that each commit changed (`git log -S`); `question` reads what is looked for from a
//! sentence, and `report` writes the answer for people.
//!
//! Invariants:
//! - A commit is named as the origin only if it has the text and none of its parents has it.
//! - Commits are searched from the oldest, so no ancestor of the origin changed the text.
//! - Merges are searched if no other commit explains the text. With pathspecs, they always are: the
//!   side of a merge may have the text elsewhere.
//! - Where a shallow clone ends, no commit is named as the origin.

mod declared;
mod file;
mod gap;
mod question;
mod release;
mod report;

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::base::text::{counted, path};
use crate::git::{self, Blob, EntryMode, Repository, SearchedText, Tag};
use crate::index::chunk::{Language, is_document};
use crate::search::query::Pathspec;
use crate::search::{Error, Result};

pub use declared::{DeclarationAppearance, declaration_appearance};
pub use file::{FileAppearance, file_appearance};
pub use question::{Needle, marked_name, needle};
use release::{first_of_package, is_one_package};
pub use report::{appearance_text, declaration_appearance_text, file_appearance_text, file_kind};

/// Commits that one run of Git searches.
const BATCH: usize = 256;
/// Most tags whose files are searched for one release.
const MOST_TAGS: usize = 40;
/// Clocks of different people differ by at most this much, in seconds.
const SKEW_S: i64 = 24 * 3600;

/// A question about the first and the last appearance of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppearanceQuery {
    /// The commit whose history is searched.
    pub commit: ObjectId,
    /// The text, on one line.
    pub text: String,
    /// Whether it must stand as a word.
    pub is_word: bool,
    /// Whether other capitals count too, if nothing ever had the text as it is written.
    pub in_any_case: bool,
    /// Only files that match these pathspecs; none: all.
    pub pathspecs: Vec<String>,
}

impl AppearanceQuery {
    /// Asks for a text in all files.
    pub fn new(commit: ObjectId, text: impl Into<String>, is_word: bool) -> Self {
        Self { commit, text: text.into(), is_word, in_any_case: false, pathspecs: Vec::new() }
    }

    /// Sets whether other capitals count too, if nothing ever had the text as it is written.
    #[must_use]
    pub fn in_any_case(mut self, in_any_case: bool) -> Self {
        self.in_any_case = in_any_case;
        self
    }

    /// Sets which files are searched.
    #[must_use]
    pub fn with_pathspecs(mut self, pathspecs: Vec<String>) -> Self {
        self.pathspecs = pathspecs;
        self
    }
}

/// A tag that is a release.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Release {
    /// The name of the tag.
    pub tag: String,
    /// The day of the tag, as `2024-01-31`.
    pub date: String,
}

/// The commit that added or removed something.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppearanceEvent {
    /// The commit.
    pub commit: ObjectId,
    /// The author's name, by `.mailmap`.
    pub author: String,
    /// The author's address.
    pub email: String,
    /// Author date, as `2024-01-31`.
    pub date: String,
    /// First line of the message.
    pub subject: String,
    /// The first release with it, or without it if it was removed; `None` if there was none since.
    pub release: Option<Release>,
    /// The first tag of a preview, if that is older than the release.
    pub preview: Option<Release>,
    /// Whether the clone ends here, so that the commit only has what is older.
    pub is_clone_end: bool,
}

/// When a text was added and removed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appearance {
    /// The files of the commit that have it now, by path.
    pub files: Vec<BString>,
    /// The commit that added it.
    pub added: Option<AppearanceEvent>,
    /// The commit that removed it last; `None` if it is there.
    pub removed: Option<AppearanceEvent>,
    /// The commit that removed it from the code, if only documents have it now.
    pub left_code: Option<AppearanceEvent>,
    /// A release in between that lacks it, because it was removed and added again. Only some
    /// releases are searched.
    pub lacking: Option<Release>,
    /// Limits of the answer, for people.
    pub notes: Vec<String>,
}

/// Finds when a text was added and removed in the history of a commit; `None` if it never was
/// there.
///
/// # Errors
/// [`Error::Git`], [`Error::Cancelled`]; [`Error::Query`] for a pathspec that makes no sense.
pub fn appearance(repo: &Repository, query: &AppearanceQuery, task: Task<'_>) -> Result<Option<Appearance>> {
    let written = SearchedText { text: &query.text, is_word: query.is_word, ignores_case: false };
    let found = appearance_of(repo, query, written, task)?;
    if found.is_some() || !query.in_any_case {
        return Ok(found);
    }
    let found = appearance_of(repo, query, SearchedText { ignores_case: true, ..written }, task)?;
    Ok(found.map(|mut found| {
        let note = format!("nothing ever had '{}' as written, so other capitals count too", query.text);
        found.notes.insert(0, note);
        found
    }))
}

fn appearance_of(
    repo: &Repository,
    query: &AppearanceQuery,
    text: SearchedText<'_>,
    task: Task<'_>,
) -> Result<Option<Appearance>> {
    let AppearanceQuery { commit, pathspecs, .. } = query;
    let specs =
        pathspecs.iter().map(|spec| Pathspec::for_git(spec)).collect::<std::result::Result<Vec<_>, _>>()?;
    let files = repo.files_with_text(*commit, text, &specs, task.cancel)?;
    let commits = repo.commits_by_age(*commit, task.cancel)?;
    let of = |is_merge: bool| -> Vec<ObjectId> {
        commits.iter().filter(|one| one.1 == is_merge).map(|one| one.0).collect()
    };
    let (mut plain, mut merges) = (of(false), of(true));
    let phase = Phase::begin(task.progress, "searching the history", "commits", plain.len(), 1000);
    let is_there = !files.is_empty();
    let mut search =
        Search { repo, text, specs: &specs, is_there, task, phase: &phase, n_unreadable: 0, n_changing: 0 };
    let order: HashMap<ObjectId, usize> = commits.iter().zip(0..).map(|(one, at)| (one.0, at)).collect();
    let added = search.first_of_all(&plain, &merges, Side::Added, &order)?;
    let is_unknown = search.n_changing == 0 && search.n_unreadable == 0;
    if added.is_none() && files.is_empty() && is_unknown {
        return Ok(None);
    }
    let mut removed = None;
    if files.is_empty() {
        plain.reverse();
        merges.reverse();
        removed = search.first_of_all(&plain, &merges, Side::Removed, &order)?;
    }
    // A changelog goes on naming what is gone.
    let is_in_documents = !files.is_empty() && files.iter().all(|path| is_no_code(path.as_bstr()));
    let mut left_code = None;
    let specs_of_code;
    if is_in_documents {
        specs_of_code = [specs.as_slice(), &without_documents(&files)].concat();
        plain.reverse();
        search.specs = &specs_of_code;
        left_code = search.first(&plain, Side::Removed)?;
    }
    let n_unreadable = search.n_unreadable;
    drop(phase);
    let mut notes = notes(repo)?;
    if n_unreadable > 0 {
        let n = counted(n_unreadable, "commit", "commits");
        notes.push(format!("{n} could not be searched, because objects are missing"));
    }
    let text_in = |tag: &Tag| repo.has_text(tag.commit, text, &specs, task.cancel);
    let package = match files.as_slice() {
        [one] => Some(one.as_bstr()).filter(|_| !is_in_documents),
        _ => None,
    };
    let added = added.map(|id| event(repo, id, package, Some(&text_in), task)).transpose()?;
    let removed = removed.map(|id| event(repo, id, None, None, task)).transpose()?;
    let left_code = left_code.map(|id| event(repo, id, None, None, task)).transpose()?;
    if added.is_none() && removed.is_none() && files.is_empty() {
        return Ok(None);
    }
    let lacking = match &added {
        Some(added) => gap::lacking(repo, added, removed.as_ref(), &text_in, task)?,
        None => None,
    };
    if let Some(release) = &lacking {
        notes.push(format!("{} lacks it: it was removed and added again", release.tag));
    }
    Ok(Some(Appearance { files, added, removed, left_code, lacking, notes }))
}

/// Names of documents without an extension that says so.
const DOCUMENTS: [&str; 8] =
    ["authors", "changelog", "changes", "history", "news", "readme", "todo", "upgrading"];

/// Whether a file is a document by its name.
fn is_no_code(path: &BStr) -> bool {
    let name = path::name(path).to_str_lossy().to_lowercase();
    let is_text = name.ends_with(".txt") || DOCUMENTS.contains(&name.as_str());
    is_text || is_document(Language::detect(path, b"").name())
}

/// Pathspecs of Git that leave out documents: these ones, and all of their kinds.
fn without_documents(files: &[BString]) -> Vec<BString> {
    const ENDINGS: [&str; 8] = ["adoc", "markdown", "md", "mdx", "org", "rst", "texi", "txt"];
    let kinds = ENDINGS.iter().map(|end| format!(":(exclude,icase)*.{end}"));
    let names = DOCUMENTS.iter().map(|name| format!(":(exclude,icase,glob)**/{name}"));
    let these = files.iter().map(|path| BString::from([b":(exclude,top,literal)", path.as_slice()].concat()));
    kinds.chain(names).map(BString::from).chain(these).collect()
}

/// What makes this history another one than that of other clones.
fn notes(repo: &Repository) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    if !repo.shallow_boundary()?.is_empty() {
        notes.push("this clone is shallow: older commits are unknown".to_owned());
    }
    if repo.common_dir().join("info").join("grafts").exists() {
        notes.push("grafts are ignored: this is the history as originally committed".to_owned());
    }
    Ok(notes)
}

/// Which end is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Added,
    Removed,
}

/// Whether the files that a commit changed can be read on both sides.
fn is_whole(repo: &Repository, id: ObjectId) -> bool {
    let is_here = |(mode, id): &(EntryMode, ObjectId)| {
        *mode == EntryMode::Submodule
            || repo.contains(*id) && matches!(repo.blob(*id, u64::MAX), Ok(Blob::Bytes(_)))
    };
    let has_changes = |old: Option<ObjectId>, new: ObjectId| {
        let old = old.map(|parent| repo.commit(parent)).transpose()?.map(|parent| parent.tree);
        let changes = repo.diff_trees(old, new)?;
        git::Result::Ok(
            changes.iter().all(|change| [&change.old, &change.new].into_iter().flatten().all(is_here)),
        )
    };
    let Ok(commit) = repo.commit(id) else { return false };
    // As Git compares it: a merge with each parent.
    let parents: Vec<Option<ObjectId>> = match commit.parents.as_slice() {
        [] => vec![None],
        parents => parents.iter().copied().map(Some).collect(),
    };
    parents.into_iter().all(|parent| has_changes(parent, commit.tree).unwrap_or(false))
}

struct Search<'s> {
    repo: &'s Repository,
    text: SearchedText<'s>,
    /// The pathspecs in the words of Git.
    specs: &'s [BString],
    /// Whether the commit itself has the text.
    is_there: bool,
    task: Task<'s>,
    phase: &'s Phase<'s>,
    n_unreadable: usize,
    /// How many of the commits that were searched changed how often the text is there.
    n_changing: usize,
}

impl Search<'_> {
    /// The first commit that brought the text, or that removed it. Both lists are in the order of
    /// the search; `order` has all commits from the oldest.
    ///
    /// A merge has what one of its sides has. So it is searched only if nothing else explains the
    /// text, or if pathspecs leave out where the side had it: a merge may bring a whole folder.
    fn first_of_all(
        &mut self,
        plain: &[ObjectId],
        merges: &[ObjectId],
        side: Side,
        order: &HashMap<ObjectId, usize>,
    ) -> Result<Option<ObjectId>> {
        let found = self.first(plain, side)?;
        let nearest = found.and_then(|id| order.get(&id)).copied();
        let is_before = |id: &&ObjectId| match (nearest, order.get(*id)) {
            (Some(found), Some(at)) if side == Side::Added => *at < found,
            (Some(found), Some(at)) => *at > found,
            _ => true,
        };
        let is_absent = found.is_none() && self.n_changing == 0 && !self.is_there;
        if is_absent || found.is_some() && self.specs.is_empty() {
            return Ok(found);
        }
        let merges: Vec<ObjectId> = merges.iter().filter(is_before).copied().collect();
        Ok(self.first(&merges, side)?.or(found))
    }

    /// The first of some commits that brought the text, or that removed it.
    fn first(&mut self, commits: &[ObjectId], side: Side) -> Result<Option<ObjectId>> {
        let n_threads = rayon::current_num_threads().max(1);
        for group in commits.chunks(BATCH * n_threads) {
            if self.task.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let found: Vec<(Vec<ObjectId>, usize)> =
                group.par_chunks(BATCH).map(|batch| self.changing(batch)).collect::<git::Result<_>>()?;
            self.phase.advance(group.len() as u64);
            for (ids, n_unreadable) in found {
                self.n_unreadable += n_unreadable;
                self.n_changing += ids.len();
                for id in ids {
                    if self.is_end(id, side)? {
                        return Ok(Some(id));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The commits of a batch that changed how often the text is there, and how many of them can't
    /// be read. A batch that fails is halved, so that one missing object costs one commit. A commit
    /// that is whole fails for another reason, which ends the search.
    fn changing(&self, batch: &[ObjectId]) -> git::Result<(Vec<ObjectId>, usize)> {
        let is_merge = batch
            .first()
            .is_some_and(|id| self.repo.commit(*id).is_ok_and(|commit| commit.parents.len() > 1));
        let changing = || self.repo.changing_count(batch, self.text, self.specs, is_merge, self.task.cancel);
        match changing() {
            Ok(ids) => Ok((ids, 0)),
            Err(git::Error::Command { .. }) if batch.len() > 1 => {
                let (first, second) = batch.split_at(batch.len() / 2);
                let (mut ids, n) = self.changing(first)?;
                let (more, m) = self.changing(second)?;
                ids.extend(more);
                Ok((ids, n + m))
            }
            Err(git::Error::Command { .. }) if batch.iter().any(|id| !is_whole(self.repo, *id)) => {
                Ok((Vec::new(), 1))
            }
            // The look may have fetched what was missing.
            Err(git::Error::Command { .. }) => Ok((changing()?, 0)),
            Err(error) => Err(error),
        }
    }

    /// Whether the whole tree has the text on one side of a commit only.
    fn is_end(&self, id: ObjectId, side: Side) -> Result<bool> {
        let has = |id: ObjectId| self.repo.has_text(id, self.text, self.specs, self.task.cancel);
        if has(id)? != (side == Side::Added) {
            return Ok(false);
        }
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for parent in self.repo.commit(id)?.parents {
            if has(parent)? { &mut with } else { &mut without }.push(parent);
        }
        if side == Side::Added {
            return Ok(with.is_empty());
        }
        // A branch may be older than the removal. Then the merge does not remove the text again.
        for (with, without) in with.iter().flat_map(|with| without.iter().map(move |other| (*with, *other))) {
            if let Some(base) = self.repo.merge_base(with, without)?
                && has(base)?
            {
                return Ok(false);
            }
        }
        Ok(!with.is_empty())
    }
}

/// Whether a tag has what is looked for.
type TagCondition<'c> = &'c (dyn Fn(&Tag) -> git::Result<bool> + Sync);

/// The author and the release of a commit, in the package of a file. With `is_in`, an older tag
/// that has the text counts too: a release branch may have a copy of the commit.
fn event(
    repo: &Repository,
    commit: ObjectId,
    path: Option<&BStr>,
    is_in: Option<TagCondition<'_>>,
    task: Task<'_>,
) -> Result<AppearanceEvent> {
    let signed = repo.authorship(&[commit])?.pop();
    let read = repo.commit(commit)?;
    let containing = repo.tags(Some(commit), task.cancel)?;
    let (releases, previews): (Vec<&Tag>, Vec<&Tag>) =
        containing.iter().partition(|tag| !is_preview(&tag.name));
    let mut release = first_of_package(&releases, path).cloned();
    if let Some(is_in) = is_in {
        if let Some(first) = release {
            // The text may be removed before any release.
            let from = releases.iter().skip_while(|tag| **tag != &first);
            let from = from.filter(|tag| is_one_package(&first, tag)).map(|tag| (*tag).clone());
            release = first_with(from, is_in, task)?;
        }
        let last = release.as_ref().map_or(i64::MAX, |tag| tag.time_s);
        let all = repo.tags(None, task.cancel)?;
        let is_of_package = |tag: &Tag| release.as_ref().is_none_or(|one| is_one_package(one, tag));
        let earlier = all.into_iter().filter(|tag| {
            !is_preview(&tag.name)
                && is_of_package(tag)
                && tag.time_s >= read.committer_time_s - SKEW_S
                && tag.time_s < last
                && !containing.iter().any(|one| one.commit == tag.commit)
        });
        let found = first_with(earlier, is_in, task)?;
        release = found.or(release);
    }
    let preview = first_of_package(&previews, path)
        .filter(|one| release.as_ref().is_none_or(|tag| one.time_s < tag.time_s && is_one_package(one, tag)));
    let of = |tag: &Tag| Release { tag: tag.name.clone(), date: tag.date.clone() };
    let one = signed.as_ref();
    Ok(AppearanceEvent {
        commit,
        author: one.map(|one| one.name.clone()).unwrap_or_default(),
        email: one.map(|one| one.email.clone()).unwrap_or_default(),
        date: one.map(|one| one.date.clone()).unwrap_or_default(),
        subject: one.map(|one| one.subject.clone()).unwrap_or_default(),
        release: release.as_ref().map(of),
        preview: preview.map(of),
        is_clone_end: read.shallow,
    })
}

/// Returns the first of some tags that has what is looked for.
fn first_with(
    tags: impl Iterator<Item = Tag>,
    is_in: TagCondition<'_>,
    task: Task<'_>,
) -> Result<Option<Tag>> {
    for tag in tags.take(MOST_TAGS) {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if is_in(&tag)? {
            return Ok(Some(tag));
        }
    }
    Ok(None)
}

/// Whether a tag is that of a preview: a release candidate, an alpha or beta version, or a mark
/// without a number, such as `latest` or `before-the-rewrite`.
pub(super) fn is_preview(tag: &str) -> bool {
    if !tag.contains(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let tag = tag.to_ascii_lowercase();
    let words = tag.split(|c: char| !c.is_ascii_alphabetic());
    let marks = ["rc", "alpha", "beta", "pre", "preview", "snapshot", "dev", "nightly", "milestone", "cr"];
    // The letter of a Python version, as in `4.0a1` and `4.0b2`.
    let is_letter = |mark: char| {
        tag.match_indices(mark).any(|(at, _)| {
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            let (before, after) = (tag.get(..at), tag.get(at + 1..));
            digit(before.and_then(|text| text.chars().next_back()))
                && digit(after.and_then(|text| text.chars().next()))
        })
    };
    words.into_iter().any(|word| marks.contains(&word)) || is_letter('a') || is_letter('b')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn previews_are_known_by_their_names() {
        for tag in
            ["v1.0-rc1", "3.2-rc", "2.0.0-alpha.1", "1.0b2", "4.0a1", "nightly-2024", "v1.0.0rc3", "latest"]
        {
            assert!(is_preview(tag), "{tag}");
        }
        for tag in ["v1.0", "3.2a", "release-1.2", "kafka-2.4.1", "v1.0-archive", "1.0.0-final", "3.1b"] {
            assert!(!is_preview(tag), "{tag}");
        }
    }
}
