//! The changes between two commits, or between a commit and the working tree, by declaration. For
//! a search among the changes of two commits, also by chunk.
//!
//! Reads only the records of files whose blobs differ; both commits are indexed if necessary. The
//! working tree is `HEAD` with its edited files, so a file that nobody edited is read from `HEAD`.
//! `pairs` matches the declarations of both sides. A nested declaration counts by itself, so an
//! edit of a method is not an edit of its class. Lines are compared without surrounding blanks, so
//! indenting changes nothing. In languages where indentation has meaning, a line's depth counts:
//! the number of less indented lines that it is under.

use std::collections::{BTreeMap, HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use super::view::{Change, Results};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::text::quoted;
use crate::git::{Blob, EntryMode, FileState, TreeChange, TreeEntry};
use crate::index::Snapshot;
use crate::index::chunk::Span;
use crate::index::record::{self, RecordView};
use crate::index::source;
use crate::search::query::{Filters, Hit, Pathspec, Query, admits, declaration_kind_name};

use super::history::HistoryChange;
use super::member_changes::member_changes;
use super::pairs::{Pairs, is_covered_by_definition, pairs};
use super::relations::Place;
use super::results::{Selection, answer_selected};
use super::side::{DeclarationEntry, File, Files, Pair, Side, SideContent, SideDeclaration, declared, read};
use super::visibility::{OutermostName, Visibility};
use crate::index::Indexer;
use crate::search::cache::edited_records;
use crate::search::cache::segments::Loader;
use crate::search::{Error, OutsideModels, Result, Searcher, Target, snapshot};

/// With more changed files than this, the search covers everything and drops the other results.
const NAMED_FILES: usize = 200;

/// Maximum number of chunks that a search among changes ranks.
const RANKED: usize = 100_000;

/// What changed between two commits, or between a commit and the working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The first commit.
    pub old: ObjectId,
    /// The second; `None` for the working tree.
    pub new: Option<ObjectId>,
    /// Files that differ and that the pathspecs admit. One that moved counts once.
    pub n_files: usize,
    /// By path and line, after the change where it is there.
    pub declarations: Vec<DeclarationChange>,
    /// Limits of the answer, for people.
    pub notes: Vec<String>,
}

impl Diff {
    /// Compares the files.
    fn of(old: ObjectId, new: Option<ObjectId>, files: &Files) -> Self {
        let Pairs { changes, n_moved_files, .. } = pairs(&files.read);
        let declarations = described(&files.read, changes);
        Self { old, new, n_files: files.len() - n_moved_files, declarations, notes: files.notes() }
    }
}

/// The change of one declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclarationChange {
    /// The kind of change.
    pub change: Change,
    /// The kind's name.
    pub kind: &'static str,
    /// The name of its kind in the first commit; `None` if it was added.
    pub(super) old_kind: Option<&'static str>,
    /// The language's name.
    pub language: String,
    /// In the first commit; `None` if it was added.
    pub old: Option<DeclarationPlace>,
    /// In the second commit; `None` if it was removed.
    pub new: Option<DeclarationPlace>,
    /// What differs, if it is on both sides: its place, its name, its signature, its body, …
    pub changes: Vec<HistoryChange>,
}

impl DeclarationChange {
    /// Returns the kind of change for people. A declaration that only got another name in its file
    /// was renamed, not moved.
    pub fn word(&self) -> &'static str {
        if self.is_renamed() { "renamed" } else { self.change.name() }
    }

    /// Returns whether the declaration only got another name in its file.
    pub fn is_renamed(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) if self.change == Change::Moved && old.path == new.path => {
                is_other_name([&old.symbol, &old.name], [&new.symbol, &new.name])
            }
            _ => false,
        }
    }

    /// Returns whether it was for others, and no longer is.
    pub(super) fn is_hidden(&self) -> bool {
        let visibility = [&self.old, &self.new].map(|at| at.as_ref().map(|at| at.visibility));
        visibility == [Some(Visibility::Public), Some(Visibility::Internal)]
    }
}

/// Returns whether two symbols, each given with its last name, differ in that name only.
pub(super) fn is_other_name([old, old_name]: [&str; 2], [new, new_name]: [&str; 2]) -> bool {
    old_name != new_name && old.strip_suffix(old_name) == new.strip_suffix(new_name)
}

/// The place of a declaration in one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclarationPlace {
    /// The file.
    pub path: BString,
    /// Its name, the last part of its symbol path.
    pub(super) name: String,
    /// Its symbol path.
    pub symbol: String,
    /// Line of its name, 1-based.
    pub line: u32,
    /// The whole of it.
    pub span: Span,
    /// Its signature on one line; empty if it has none.
    pub signature: String,
    /// The signature of the constructor that it gets from its fields, in Python.
    pub(super) constructor: Option<String>,
    /// Whether it has a body. A prototype has none.
    pub has_body: bool,
    /// Whether others may use it, by the rules of its language. Re-exports, and modules that are
    /// private themselves, count only in a changelog.
    pub visibility: Visibility,
    /// The name that others need; `None` if its own file says all that is known.
    pub(super) outermost: Option<OutermostName>,
}

impl DeclarationPlace {
    /// Returns it as the place of a declaration of this kind, in answers.
    pub(super) fn place(&self, kind: &str) -> Place {
        Place {
            repository: 0,
            path: quoted(self.path.as_bstr()).into_owned(),
            line: self.line,
            end_line: self.span.end_line,
            symbol: self.symbol.clone(),
            kind: kind.to_owned(),
        }
    }
}

/// The declarations that differ between two commits, in files that the pathspecs admit (none: all).
///
/// # Errors
/// As [`Indexer::snapshot`]; [`Error::Query`] for a pathspec that makes no sense.
pub fn diff(
    indexer: &Indexer,
    old: ObjectId,
    new: ObjectId,
    pathspecs: &[String],
    task: Task<'_>,
) -> Result<Diff> {
    let files = changed_files(indexer, old, new, pathspecs, task)?;
    Ok(Diff::of(old, Some(new), &files))
}

/// The declarations that differ, with what an analysis of their users needs.
pub(super) struct Comparison {
    pub(super) n_files: usize,
    pub(super) declarations: Vec<DeclarationChange>,
    /// The files that differ.
    pub(super) paths: HashSet<BString>,
    /// Declarations that stayed as they were in a file that differs: path and first byte before →
    /// first line before and after.
    pub(super) kept: HashMap<(BString, u32), [u32; 2]>,
    /// Members that records leave out, and that were removed or added.
    pub(super) members: Vec<DeclarationChange>,
    /// Whether a file that differs could not be read.
    pub(super) is_incomplete: bool,
    /// Limits of the comparison, for people.
    pub(super) notes: Vec<String>,
}

/// Compares two commits, or a commit and the working tree if there is no second one.
///
/// # Errors
/// As [`diff`].
pub(super) fn comparison(
    indexer: &Indexer,
    old: ObjectId,
    new: Option<ObjectId>,
    pathspecs: &[String],
    task: Task<'_>,
) -> Result<Comparison> {
    let files = match new {
        Some(new) => changed_files(indexer, old, new, pathspecs, task)?,
        None => edited_files(indexer, old, pathspecs, task)?,
    };
    let (n_files, notes, is_incomplete) = (files.len(), files.notes(), !files.unreadable.is_empty());
    let files = files.read;
    let pairs = pairs(&files);
    let members = member_changes(&files, &pairs);
    let Pairs { mut changes, kept: same, n_moved_files, .. } = pairs;
    changes.retain(|one| !is_covered_by_definition(&files, one));
    let mut kept = HashMap::new();
    for (from, to) in same {
        let (Some(file), Some(changed)) = (files.get(from.0), files.get(to.0)) else { continue };
        let sides = (declared(&file.old, from.1), declared(&changed.new, to.1));
        if let (Some(old), Some(new)) = sides {
            let lines = [old.span.start_line, new.span.start_line];
            kept.insert((file.path.clone(), old.span.bytes.start), lines);
        }
    }
    Ok(Comparison {
        n_files: n_files - n_moved_files,
        declarations: described(&files, changes),
        paths: files.iter().map(|file| file.path.clone()).collect(),
        kept,
        members,
        is_incomplete,
        notes,
    })
}

/// The declarations of the working tree that differ from a commit. Untracked files count, unless
/// Git ignores them.
///
/// # Errors
/// As [`diff`]; [`Error::Git`] before the first commit.
pub fn diff_worktree(indexer: &Indexer, old: ObjectId, pathspecs: &[String], task: Task<'_>) -> Result<Diff> {
    let files = edited_files(indexer, old, pathspecs, task)?;
    Ok(Diff::of(old, None, &files))
}

/// Like [`super::answer`], limited to differences between two commits: additions and changes are
/// found in the second, removals in the first, and each result says which. `revision` is what the
/// user wrote.
///
/// # Errors
/// As [`diff`] and [`super::answer`].
pub fn answer_in_diff(
    indexer: &Indexer,
    models: &dyn OutsideModels,
    [old, new]: [ObjectId; 2],
    query: &Query,
    revision: &str,
    task: Task<'_>,
) -> Result<Results> {
    let files = changed_files(indexer, old, new, &query.filters.paths, task)?.read;
    let (in_new, in_old) = changed_chunks(&files);
    let mut paths = Vec::new();
    if files.len() <= NAMED_FILES && files.iter().all(|file| file.path.to_str().is_ok()) {
        paths.extend(files.iter().map(|file| format!(":(literal){}", file.path)));
    }
    let filters = Filters { paths, ..query.filters.clone() };
    let narrow = Query { filters, ..query.clone() };
    let mut answers = Vec::new();
    for (commit, marks) in [(new, &in_new), (old, &in_old)] {
        let target = Target::Commit(commit);
        let searcher = Searcher::open(indexer, &target, task)?;
        let mark = |path: &BStr, span: &Span| marks.get(&(path.to_owned(), span.bytes.start)).copied();
        let keep = |hit: &Hit| mark(hit.path.as_bstr(), &hit.span).is_some();
        let selection = Some(Selection { most: RANKED, keep: &keep });
        let mut answer = answer_selected(&searcher, models, &narrow, revision, selection, task)?;
        for item in &mut answer.results {
            item.change = mark(item.path.as_bstr(), &item.span);
            item.git_status = "unmodified";
        }
        answers.push(answer);
    }
    let removed = answers.pop();
    let mut answer = answers.pop().ok_or(Error::Internal("two commits are searched"))?;
    if let Some(removed) = removed {
        let n = answer.results.len() + removed.results.len();
        answer.results.extend(removed.results);
        // Scores alone order the results of both commits.
        answer.results.iter_mut().for_each(|item| item.moved = None);
        // The sort is stable: existing declarations come before removed ones.
        answer.results.sort_by(|a, b| b.score.total_cmp(&a.score));
        answer.results.truncate(query.limit);
        answer.n_more += removed.n_more + n - answer.results.len();
    }
    for (item, rank) in answer.results.iter_mut().zip(1..) {
        item.rank = rank;
    }
    Ok(answer)
}

fn changed_files(
    indexer: &Indexer,
    old: ObjectId,
    new: ObjectId,
    pathspecs: &[String],
    task: Task<'_>,
) -> Result<Files> {
    let specs = parsed(pathspecs)?;
    let sides = [snapshot(indexer, old, task)?, snapshot(indexer, new, task)?];
    let changes = tree_changes(indexer, &sides, &specs)?;
    committed_files(indexer, &sides, changes, task)
}

/// The files whose content differs between two commits.
fn tree_changes(
    indexer: &Indexer,
    [old, new]: &[Snapshot; 2],
    specs: &[Pathspec],
) -> Result<Vec<TreeChange>> {
    let mut changes = indexer.repo().diff_trees(Some(old.source_tree), new.source_tree)?;
    changes.retain(|change| {
        // A change of mode alone is not a change of content.
        admits(specs, change.path.as_bstr()) && change.old.map(|o| o.1) != change.new.map(|n| n.1)
    });
    Ok(changes)
}

/// Reads both sides of files that differ between two commits.
fn committed_files(
    indexer: &Indexer,
    sides: &[Snapshot; 2],
    changes: Vec<TreeChange>,
    task: Task<'_>,
) -> Result<Files> {
    let [old, new] = sides;
    let loaders = [loader(indexer, old)?, loader(indexer, new)?];
    let read: Vec<(BString, [SideContent; 2])> = changes
        .into_par_iter()
        .map(|change| {
            if task.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let side = |at: usize, entry: Option<(EntryMode, ObjectId)>| -> Result<SideContent> {
                let (Some((mode, id)), Some(loader), Some(snapshot)) =
                    (entry, loaders.get(at), sides.get(at))
                else {
                    return Ok(SideContent::Nothing);
                };
                let entry = TreeEntry { path: change.path.clone(), mode, id };
                side_of(indexer, loader, snapshot, &entry)
            };
            let sides = [side(0, change.old)?, side(1, change.new)?];
            Ok((change.path, sides))
        })
        .collect::<Result<_>>()?;
    let mut files = Files::default();
    read.into_iter().for_each(|(path, sides)| files.push(path, sides));
    Ok(files)
}

/// The files of the working tree that differ from a commit, by path.
fn edited_files(indexer: &Indexer, old: ObjectId, pathspecs: &[String], task: Task<'_>) -> Result<Files> {
    let specs = parsed(pathspecs)?;
    let repo = indexer.repo();
    let job = repo.status_start()?;
    let head = repo.resolve("HEAD")?;
    let sides = [snapshot(indexer, old, task)?, snapshot(indexer, head, task)?];
    let mut status = job.finish()?;
    status.retain(|entry| admits(&specs, entry.path.as_bstr()));
    let dirty: BTreeMap<BString, FileState> =
        status.into_iter().map(|entry| (entry.path, entry.state)).collect();
    // The working tree has all other files as `HEAD` has them.
    let mut changes = tree_changes(indexer, &sides, &specs)?;
    changes.retain(|change| !dirty.contains_key(&change.path));
    let mut files = committed_files(indexer, &sides, changes, task)?;
    let [before, now] = &sides;
    let records = edited_records(indexer, now.source_tree, &dirty, task)?;
    let attributes = repo.attributes(now.source_tree)?;
    let is_converted = |state: &FileState| matches!(state, FileState::Modified | FileState::Added);
    let tracked = dirty.iter().filter(|(_, state)| is_converted(state)).map(|(path, _)| path.as_bstr());
    let converted = repo.converted(tracked)?;
    let loader = loader(indexer, before)?;
    let worktree =
        super::edited::EditedSides { indexer, head, attributes: &attributes, converted: &converted, task };
    for (path, record) in records {
        let entry = repo.tree_entry(before.source_tree, path.as_bstr())?;
        let entry = entry.filter(|entry| entry.mode != EntryMode::Directory);
        let Some(new) = worktree.side(path.as_bstr(), record.as_deref(), entry.as_ref())? else { continue };
        let old = match entry {
            Some(entry) => side_of(indexer, &loader, before, &TreeEntry { path: path.clone(), ..entry })?,
            // A file that only `HEAD` had, and that was deleted.
            None if record.is_none() => continue,
            None => SideContent::Nothing,
        };
        files.push(path, [old, new]);
    }
    files.read.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn parsed(pathspecs: &[String]) -> Result<Vec<Pathspec>> {
    pathspecs.iter().map(|spec| Ok(Pathspec::parse(spec)?)).collect()
}

fn loader<'i>(indexer: &'i Indexer, snapshot: &Snapshot) -> Result<Loader<'i>> {
    Loader::new(indexer.repo(), indexer.options(), snapshot)
}

/// The content of a file's record with the texts of its places. A record of a time when the source
/// could not be read is made again.
fn side_of(
    indexer: &Indexer,
    loader: &Loader<'_>,
    snapshot: &Snapshot,
    file: &TreeEntry,
) -> Result<SideContent> {
    let stored = indexer.repo().tree_entry(snapshot.files, file.path.as_bstr())?;
    let mut loaded = loader.load(file, stored.map(|entry| entry.id))?;
    let unreadable = source::SkipReason::Unreadable;
    if matches!(RecordView::open(&loaded.bytes)?, record::OpenRecord::Skipped(reason) if reason == unreadable)
    {
        loaded = loader.load(file, None)?;
    }
    let view = match RecordView::open(&loaded.bytes)? {
        record::OpenRecord::Indexed(view) => view,
        record::OpenRecord::Skipped(reason) if reason == unreadable => return Ok(SideContent::Unreadable),
        record::OpenRecord::Skipped(_) => return Ok(SideContent::Nothing),
    };
    match indexer.repo().blob(file.id, u64::from(u32::MAX))? {
        Blob::Bytes(bytes) => {
            read(file.path.as_bstr(), &view, &source::decode(&bytes)).map(SideContent::Read)
        }
        Blob::Missing => Ok(SideContent::Unreadable),
        Blob::TooLarge { .. } => Ok(SideContent::Nothing),
    }
}

/// Returns whether declarations of a kind are parts of documents, settings or data.
pub(super) fn is_data(kind: &str) -> bool {
    matches!(kind, "section" | "key" | "rule" | "element")
}

fn described(files: &[File], pairs: Vec<Pair>) -> Vec<DeclarationChange> {
    let old = |at: SideDeclaration| files.get(at.0).and_then(|file| declared(&file.old, at.1));
    let new = |at: SideDeclaration| files.get(at.0).and_then(|file| declared(&file.new, at.1));
    let mut changes: Vec<DeclarationChange> = pairs
        .into_iter()
        .filter_map(|(change, from, to)| {
            let place = |at: Option<SideDeclaration>, is_new: bool| {
                let file = files.get(at?.0)?;
                let side = if is_new { &file.new } else { &file.old };
                let one = declared(side, at?.1)?;
                let outermost = side.as_ref().and_then(|side| side.outermost(at?.1));
                let (symbol, line, span) = (one.symbol.clone(), one.line, one.span);
                let (signature, visibility) = (one.parts.signature.clone(), one.visibility);
                let (path, has_body, name) = (file.path.clone(), one.has_body, one.name.clone());
                let constructor = one.constructor.clone();
                Some(DeclarationPlace {
                    path,
                    name,
                    symbol,
                    line,
                    span,
                    signature,
                    constructor,
                    has_body,
                    visibility,
                    outermost,
                })
            };
            let side = match to {
                Some(at) => files.get(at.0)?.new.as_ref().zip(new(at)),
                None => files.get(from?.0)?.old.as_ref().zip(old(from?)),
            };
            let (side, one) = side?;
            let (kind, language) = (declaration_kind_name(one.kind), side.language.clone());
            let changes = match from.zip(to) {
                Some((from, to)) => differences([from.0, to.0], [old(from)?, new(to)?], &language),
                None => Vec::new(),
            };
            let old_kind = from.and_then(old).map(|one| declaration_kind_name(one.kind));
            let (old, new) = (place(from, false), place(to, true));
            Some(DeclarationChange { change, kind, old_kind, language, old, new, changes })
        })
        .collect();
    let key = |one: &DeclarationChange| {
        let place = one.new.as_ref().or(one.old.as_ref());
        place.map(|place| {
            (place.path.clone(), place.span.bytes.start, one.new.is_none(), place.span.bytes.end)
        })
    };
    changes.sort_by_cached_key(key);
    changes
}

/// What differs between two versions of a declaration, which are in these files.
fn differences(files: [usize; 2], [old, new]: [&DeclarationEntry; 2], language: &str) -> Vec<HistoryChange> {
    let mut changes = Vec::new();
    if files[0] != files[1] {
        changes.push(HistoryChange::Moved);
    }
    if old.name != new.name {
        changes.push(HistoryChange::Renamed);
    }
    let scope = |one: &DeclarationEntry| one.symbol.strip_suffix(&one.name).map(str::to_owned);
    if scope(old) != scope(new) {
        changes.push(HistoryChange::Scope);
    }
    if old.kind != new.kind {
        changes.push(HistoryChange::Kind);
    }
    let sides = [(new.name.as_str(), new.kind), (old.name.as_str(), old.kind)];
    changes.extend(new.parts.differences(&old.parts, sides, language));
    let is_section = matches!(language, "cpp" | "ruby") && old.is_in_other_section(new);
    if is_section && !changes.contains(&HistoryChange::Signature) {
        changes.push(HistoryChange::Signature);
    }
    if changes.is_empty() {
        changes.push(HistoryChange::Layout);
    }
    changes
}

/// Chunks by path and first byte.
type Marks = HashMap<(BString, u32), Change>;

/// The changes of chunks: in the second commit what was added, changed or moved, in the first what
/// was removed. A chunk with declarations follows their changes, any other its text.
fn changed_chunks(files: &[File]) -> (Marks, Marks) {
    let (mut in_new, mut in_old) = (Marks::new(), Marks::new());
    let mut pairs = pairs(files);
    pairs.changes.append(&mut pairs.forward);
    let declarations = described(files, pairs.changes);
    let by_file = |place: fn(&DeclarationChange) -> Option<&DeclarationPlace>| {
        let mut by_file: HashMap<&BStr, Vec<(Span, Change)>> = HashMap::new();
        for one in &declarations {
            if let Some(at) = place(one) {
                by_file.entry(at.path.as_bstr()).or_default().push((at.span, one.change));
            }
        }
        by_file
    };
    let (new_places, old_places) = (by_file(|one| one.new.as_ref()), by_file(|one| one.old.as_ref()));
    let meets = |a: &Span, b: &Span| a.bytes.start < b.bytes.end && b.bytes.start < a.bytes.end;
    let texts = |of: fn(&File) -> Option<&Side>| -> HashSet<u64> {
        files.iter().filter_map(of).flat_map(|side| &side.chunks).map(|chunk| chunk.2).collect()
    };
    let (all_old, all_new) = (texts(|file| file.old.as_ref()), texts(|file| file.new.as_ref()));
    for file in files {
        let path = file.path.as_bstr();
        let places = new_places.get(path).map(Vec::as_slice).unwrap_or_default();
        let known: HashSet<u64> =
            file.old.iter().flat_map(|side| &side.chunks).map(|chunk| chunk.2).collect();
        for (span, is_declared, text) in file.new.iter().flat_map(|side| &side.chunks) {
            let mut all: Vec<Change> =
                places.iter().filter(|place| meets(&place.0, span)).map(|place| place.1).collect();
            all.dedup();
            let change = match all.as_slice() {
                _ if known.contains(text) => continue,
                // Its neighbours were removed, so it was split differently.
                [] if *is_declared => continue,
                [] if all_old.contains(text) => Change::Moved,
                [] if file.old.is_none() => Change::Added,
                [] => Change::Changed,
                [first, rest @ ..] if rest.iter().all(|one| one == first) => *first,
                _ => Change::Changed,
            };
            in_new.insert((file.path.clone(), span.bytes.start), change);
        }
        let places = old_places.get(path).map(Vec::as_slice).unwrap_or_default();
        for (span, is_declared, text) in file.old.iter().flat_map(|side| &side.chunks) {
            let is_removed = |place: &(Span, Change)| place.1 == Change::Removed && meets(&place.0, span);
            let is_gone = !is_declared && file.new.is_none() && !all_new.contains(text);
            if is_gone || places.iter().any(is_removed) {
                in_old.insert((file.path.clone(), span.bytes.start), Change::Removed);
            }
        }
    }
    (in_new, in_old)
}
