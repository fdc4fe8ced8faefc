//! The history of a declaration: a place in a commit → the commits that changed it.
//!
//! Owns the question ([`HistoryQuery`]) and the answer ([`History`]). `version` reads one version
//! of a file, `follow` walks from commit to commit, `origin` finds where a declaration came from,
//! `cache` keeps what was found, `report` writes it for people.
//!
//! No index of an old commit is needed: blobs are chunked as they are. A version that still has the
//! declaration's text, byte for byte, is not even parsed. `excerpt` parses only what differs
//! between two versions of a file and may declare the name.
//!
//! Invariants:
//! - The answer is a function of the commits in the clone. Where a shallow clone ends, the answer
//!   says so, and claims no origin. Where a version of a file is missing, the answer says so, too,
//!   and is not cached.
//! - Of a merge, only a parent with the same declaration is followed, as `git log` follows only a
//!   parent with the same file.
//! - A rename or a move is reported only if the old declaration is gone.

mod cache;
mod change;
mod excerpt;
mod follow;
mod gap;
mod origin;
mod report;
mod row;
mod subject;
mod version;

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::answer::likeness;
use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::base::text::counted;
use crate::git::Repository;
use crate::index::Indexer;
use crate::search::graph::WrittenName;
use crate::search::{Error, Result};

pub use change::HistoryChange;
use follow::Follower;
pub use report::history_text;
use row::place;
pub use row::{HistoryRow, VersionPlace};
use subject::Subject;
use version::{Entry, Version, VersionReader, blob_in};

/// A place in a commit whose declaration is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryQuery {
    /// The commit to start from.
    pub commit: ObjectId,
    /// The file.
    pub path: BString,
    /// A line, or the name of a declaration: `name`, or the end of its symbol path.
    pub place: HistoryPlace,
    /// Most commits in the answer, the newest; 0: all.
    pub limit: usize,
    /// Whether each commit has the differing lines.
    pub patch: bool,
    /// Whether only the newest commit is looked for, which takes less time.
    pub newest: bool,
}

/// How a declaration is named in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HistoryPlace {
    /// The innermost declaration around this line, 1-based.
    Line(u32),
    /// The declaration with this name.
    Name(String),
}

impl HistoryQuery {
    /// Asks for the whole history of a declaration, without lines.
    pub fn new(commit: ObjectId, path: impl Into<BString>, place: HistoryPlace) -> Self {
        Self { commit, path: path.into(), place, limit: 0, patch: false, newest: false }
    }

    /// Sets the maximum number of commits; 0 means all.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Asks for the newest commit alone. How many older ones there are is not known then.
    #[must_use]
    pub fn with_newest(mut self) -> Self {
        self.newest = true;
        self
    }

    /// Sets whether each commit has the differing lines.
    #[must_use]
    pub fn with_patch(mut self, patch: bool) -> Self {
        self.patch = patch;
        self
    }
}

/// The history of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct History {
    /// The declaration that is followed, where it was found last.
    pub place: VersionPlace,
    /// Newest first.
    pub rows: Vec<HistoryRow>,
    /// Number of older rows that were left out.
    pub more: usize,
    /// Further declarations in the file that the name means.
    pub others: Vec<VersionPlace>,
    /// Limits of the answer, for people.
    pub notes: Vec<String>,
}

/// Follows a declaration back from a commit; `None` if neither the file nor an earlier version of
/// it has such a declaration.
///
/// # Errors
/// [`Error::Git`], [`Error::Cancelled`].
pub fn history(indexer: &Indexer, query: &HistoryQuery, task: Task<'_>) -> Result<Option<History>> {
    let repo = indexer.repo();
    let commit = repo.commit(query.commit)?;
    let mut reader = VersionReader::new(indexer, commit.tree)?;
    let phase = Phase::begin_unbounded(task.progress, "following the declaration", "commits");
    let mut rows = Vec::new();
    let start = match here(repo, &mut reader, query, query.commit)? {
        Some(start) => start,
        None => match gone(repo, &mut reader, query, &mut rows, task)? {
            Some(start) => start,
            None => return missing_start(repo, &reader),
        },
    };
    let Start { commit, version, blob, entry, others } = start;
    let subject = Subject::of(&query.path, blob, &version, &entry);
    let place = subject.place.clone();
    let key = cache::Key::of(repo, &query.path, &version, &entry)?;
    let found = match cache::load(repo, &key) {
        Some(known) if known.tip == commit => known.rows,
        _ if query.newest => Follower::new(repo, &mut reader, None, task).newest().follow(commit, subject)?.0,
        known => {
            let (found, first) = Follower::new(repo, &mut reader, known, task).follow(commit, subject)?;
            // Without a missing blob the walk would have found other rows.
            if reader.missing().is_empty() {
                cache::store(repo, &key, [commit, first], &found);
            }
            found
        }
    };
    drop(phase);
    rows.extend(found);
    let most = if query.limit == 0 { rows.len() } else { query.limit };
    let more = rows.len().saturating_sub(most);
    rows.truncate(most);
    sign(repo, &mut rows)?;
    if query.patch {
        for row in &mut rows {
            row.patch = Some(patch(&mut reader, row)?);
        }
    }
    let mut notes = Vec::new();
    if !reader.missing().is_empty() {
        let n = reader.missing().len();
        let versions = counted(n, "version of a file is", "versions of files are");
        notes.push(format!("{versions} missing in this clone, so the history may be incomplete or wrong"));
    }
    if repo.common_dir().join("info").join("grafts").exists() {
        notes.push("grafts are ignored: this is the history as originally committed".to_owned());
    }
    if !repo.list_refs("refs/replace/")?.is_empty() {
        notes.push("replacement refs are ignored: this is the history as originally committed".to_owned());
    }
    Ok(Some(History { place, rows, more, others, notes }))
}

/// Returns `None`: the commit has no such declaration.
///
/// # Errors
/// [`Error::Git`] if a version that is not here may have it.
fn missing_start(repo: &Repository, reader: &VersionReader<'_>) -> Result<Option<History>> {
    match reader.missing().iter().min() {
        Some(id) => Err(repo.missing_blob(*id).into()),
        None => Ok(None),
    }
}

/// Where following starts.
struct Start {
    commit: ObjectId,
    version: Arc<Version>,
    blob: ObjectId,
    entry: Entry,
    others: Vec<VersionPlace>,
}

/// The declaration in a commit itself.
fn here(
    repo: &Repository,
    reader: &mut VersionReader<'_>,
    query: &HistoryQuery,
    commit: ObjectId,
) -> Result<Option<Start>> {
    let Some(blob) = blob_in(repo, commit, query.path.as_bstr())? else { return Ok(None) };
    if let HistoryPlace::Name(name) = &query.place {
        let last = WrittenName::parse(name).name;
        // Its absence costs no parsing.
        if reader.text(blob)?.is_none_or(|text| !text.contains(&last)) {
            return Ok(None);
        }
    }
    let Some(version) = reader.version(query.path.as_bstr(), blob)? else { return Ok(None) };
    let (entry, others) = match &query.place {
        HistoryPlace::Line(line) => (version.at_line(*line).cloned(), Vec::new()),
        HistoryPlace::Name(name) => {
            let mut found = version.named(name).into_iter();
            let first = found.next().cloned();
            (first, found.map(|entry| place(&query.path, blob, entry)).collect())
        }
    };
    Ok(entry.map(|entry| Start { commit, version, blob, entry, others }))
}

/// The newest version of a file that still has the declaration, and the row of the commit that
/// removed it.
fn gone(
    repo: &Repository,
    reader: &mut VersionReader<'_>,
    query: &HistoryQuery,
    rows: &mut Vec<HistoryRow>,
    task: Task<'_>,
) -> Result<Option<Start>> {
    let HistoryPlace::Name(_) = query.place else { return Ok(None) };
    let mut before = query.commit;
    for at in repo.path_commits(query.commit, query.path.as_bstr(), task.cancel)? {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let Some(start) = here(repo, reader, query, at.id)? else {
            before = at.id;
            continue;
        };
        let subject = Subject::of(&query.path, start.blob, &start.version, &start.entry);
        let to = origin::destination(repo, reader, &subject, start.commit, before, task)?;
        let mut row = row::row(before, vec![HistoryChange::Removed], None, Some(subject.place));
        if let Some((place, changes)) = to {
            row.changes = changes;
            row.new = Some(place);
        }
        rows.push(row);
        return Ok(Some(start));
    }
    Ok(None)
}

/// Adds authors, dates and subjects.
fn sign(repo: &Repository, rows: &mut [HistoryRow]) -> Result<()> {
    let ids: Vec<ObjectId> = rows.iter().map(|row| row.commit).collect();
    let signed = repo.authorship(&ids)?;
    for row in rows {
        let Some(one) = signed.iter().find(|one| one.id == row.commit) else { continue };
        row.author.clone_from(&one.name);
        row.email.clone_from(&one.email);
        row.date.clone_from(&one.date);
        row.subject.clone_from(&one.subject);
    }
    Ok(())
}

/// The differing lines of a row.
fn patch(reader: &mut VersionReader<'_>, row: &HistoryRow) -> Result<String> {
    let mut text = |place: Option<&VersionPlace>| -> Result<(String, u32)> {
        let Some(place) = place else { return Ok((String::new(), 1)) };
        let text = reader.text(place.blob)?.unwrap_or_default();
        let (first, last) = (place.span.start_line as usize, place.span.end_line as usize);
        let lines = text.lines().skip(first.saturating_sub(1)).take(last.saturating_sub(first) + 1);
        Ok((lines.collect::<Vec<_>>().join("\n"), place.span.start_line))
    };
    let ((old, from), (new, to)) = (text(row.old.as_ref())?, text(row.new.as_ref())?);
    Ok(likeness::unified(&old, &new, [from, to]))
}
