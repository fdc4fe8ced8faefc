//! The changes between two commits, by declaration, and by chunk for a search among them.
//!
//! Reads only the records of files whose blobs differ; both commits are indexed if necessary. A
//! declaration is matched by path, kind and symbol. One that is missing here and new there is
//! matched by name and text, then by its body alone (a rename). A nested declaration counts by
//! itself, so an edit of a method is not an edit of its class. Lines are compared without
//! surrounding blanks, so indenting changes nothing. In languages where indentation has meaning, a
//! line's depth counts: the number of less indented lines that it is under.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use super::view::{Change, Results};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{Blob, EntryMode, TreeEntry};
use crate::index::Snapshot;
use crate::index::chunk::{ByteRange, DeclarationKind, Language, Span};
use crate::index::record::{self, RecordView, Scratch};
use crate::index::source;
use crate::search::query::{Filters, Hit, Pathspec, Query, admits, declaration_kind_name};

use super::results::{Selection, answer_kept};
use crate::index::Indexer;
use crate::search::cache::segments::Loader;
use crate::search::{Error, OutsideModels, Result, Searcher, Target};

/// Minimum bytes of a body, without blanks, to match a renamed declaration. Shorter bodies are
/// alike by chance.
const BODY: usize = 60;

/// With more changed files than this, the search covers everything and drops the other results.
const NAMED_FILES: usize = 200;

/// Maximum number of chunks that a search among changes ranks.
const RANKED: usize = 100_000;

/// What changed between two commits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The first commit.
    pub old: ObjectId,
    /// The second.
    pub new: ObjectId,
    /// Files that differ and that the pathspecs admit.
    pub n_files: usize,
    /// By path and line, of the second commit where it is there.
    pub declarations: Vec<DeclarationChange>,
}

/// The change of one declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclarationChange {
    /// The kind of change.
    pub change: Change,
    /// The kind's name.
    pub kind: &'static str,
    /// The language's name.
    pub language: String,
    /// In the first commit; `None` if it was added.
    pub old: Option<DeclarationPlace>,
    /// In the second commit; `None` if it was removed.
    pub new: Option<DeclarationPlace>,
}

/// The place of a declaration in one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclarationPlace {
    /// The file.
    pub path: BString,
    /// Its symbol path.
    pub symbol: String,
    /// Line of its name, 1-based.
    pub line: u32,
    /// The whole of it.
    pub span: Span,
}

/// One side of a file that differs.
struct Side {
    language: String,
    declarations: Vec<DeclarationEntry>,
    /// The places of chunks, whether a declaration is in or around them, and their text.
    chunks: Vec<(Span, bool, u64)>,
}

struct DeclarationEntry {
    name: String,
    symbol: String,
    kind: DeclarationKind,
    line: u32,
    span: Span,
    /// Its own text, without declarations inside.
    own: u64,
    /// Hash of its body; 0 if the body is too short to match.
    body: u64,
}

/// A file that differs.
struct File {
    path: BString,
    old: Option<Side>,
    new: Option<Side>,
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
    Ok(Diff { old, new, n_files: files.len(), declarations: compare(&files) })
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
    let files = changed_files(indexer, old, new, &query.filters.paths, task)?;
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
        let mut answer = answer_kept(&searcher, models, &narrow, revision, selection, task)?;
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
) -> Result<Vec<File>> {
    let specs: Vec<Pathspec> =
        pathspecs.iter().map(|spec| Ok(Pathspec::parse(spec)?)).collect::<Result<_>>()?;
    let sides = [indexer.snapshot(old, task)?, indexer.snapshot(new, task)?];
    let [old, new] = &sides;
    let changes = indexer.repo().diff_trees(Some(old.source_tree), new.source_tree)?;
    let changes: Vec<_> = changes
        .into_iter()
        // A change of mode alone is not a change of content.
        .filter(|change| {
            admits(&specs, change.path.as_bstr()) && change.old.map(|o| o.1) != change.new.map(|n| n.1)
        })
        .collect();
    let loaders = [loader(indexer, old)?, loader(indexer, new)?];
    changes
        .into_par_iter()
        .map(|change| {
            if task.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let side = |at: usize, entry: Option<(EntryMode, ObjectId)>| -> Result<Option<Side>> {
                let (Some((mode, id)), Some(loader), Some(snapshot)) =
                    (entry, loaders.get(at), sides.get(at))
                else {
                    return Ok(None);
                };
                let entry = TreeEntry { path: change.path.clone(), mode, id };
                side_of(indexer, loader, snapshot, &entry)
            };
            let (old, new) = (side(0, change.old)?, side(1, change.new)?);
            Ok(File { path: change.path.clone(), old, new })
        })
        .collect()
}

fn loader<'i>(indexer: &'i Indexer, snapshot: &Snapshot) -> Result<Loader<'i>> {
    Loader::new(indexer.repo(), indexer.options(), snapshot)
}

/// The content of a file's record with the texts of its places; `None` if the file is not indexed.
fn side_of(
    indexer: &Indexer,
    loader: &Loader<'_>,
    snapshot: &Snapshot,
    file: &TreeEntry,
) -> Result<Option<Side>> {
    let stored = indexer.repo().tree_entry(snapshot.files, file.path.as_bstr())?;
    let loaded = loader.load(file, stored.map(|entry| entry.id))?;
    let record::OpenRecord::Indexed(view) = RecordView::open(&loaded.bytes)? else { return Ok(None) };
    let Blob::Bytes(bytes) = indexer.repo().blob(file.id, u64::from(u32::MAX))? else { return Ok(None) };
    read(&view, &source::decode(&bytes)).map(Some)
}

fn read(view: &RecordView<'_>, text: &str) -> Result<Side> {
    let language = Language::from_name(view.language());
    let separator = language.map_or(".", Language::separator);
    let has_layout = language.is_some_and(Language::has_layout);
    let mut side =
        Side { language: view.language().to_owned(), declarations: Vec::new(), chunks: Vec::new() };
    let mut inner: HashMap<u32, Vec<ByteRange>> = HashMap::new();
    let mut bodies = Vec::new();
    let mut chunks = Vec::new();
    view.visit(&mut Scratch::default(), |chunk| -> std::result::Result<(), record::Error> {
        let is_declared = chunk.chunk.declaration.is_some() || !chunk.declarations.is_empty();
        chunks.push((chunk.chunk.span, is_declared));
        for one in chunk.declarations {
            let around = one.parent.and_then(|parent| side.declarations.get(parent as usize));
            let outer = around.map(|outer| outer.symbol.as_str()).unwrap_or_default();
            let symbol = [outer, one.scope, one.name].into_iter().filter(|part| !part.is_empty());
            let symbol = symbol.collect::<Vec<_>>().join(separator);
            if let Some(parent) = one.parent {
                inner.entry(parent).or_default().push(one.span.bytes);
            }
            bodies.push(one.body);
            let (name, kind, line, span) = (one.name.to_owned(), one.kind, one.name_line, one.span);
            side.declarations.push(DeclarationEntry { name, symbol, kind, line, span, own: 0, body: 0 });
        }
        Ok(())
    })?;
    for ((ord, one), body) in (0u32..).zip(&mut side.declarations).zip(bodies) {
        let inside = inner.get(&ord).map(Vec::as_slice).unwrap_or_default();
        one.own = hash(text, pieces(one.span.bytes, inside), has_layout).0;
        let (hashed, len) = hash(text, [body], has_layout);
        one.body = if len >= BODY { hashed } else { 0 };
    }
    for (span, is_declared) in chunks {
        side.chunks.push((span, is_declared, hash(text, [span.bytes], has_layout).0));
    }
    Ok(side)
}

/// The parts of a range that lie outside of the ranges in it.
fn pieces(all: ByteRange, inside: &[ByteRange]) -> Vec<ByteRange> {
    let mut from = all.start;
    let mut pieces = Vec::new();
    for one in inside {
        pieces.push(ByteRange { start: from, end: one.start.max(from) });
        from = from.max(one.end);
    }
    pieces.push(ByteRange { start: from, end: all.end.max(from) });
    pieces
}

/// A hash of the non-blank lines, without surrounding blanks but, with layout, with their depth;
/// and the number of bytes hashed.
fn hash(text: &str, parts: impl IntoIterator<Item = ByteRange>, has_layout: bool) -> (u64, usize) {
    let mut hasher = DefaultHasher::new();
    let mut len = 0;
    let mut depth = Depth::default();
    for part in parts {
        let mut from = part.start as usize;
        for whole in part.of(text).split_inclusive('\n') {
            let (at, line) = (from, whole.trim());
            from += whole.len();
            if line.is_empty() {
                continue;
            }
            if has_layout {
                depth.of(column(text, at + whole.len() - whole.trim_start().len())).hash(&mut hasher);
            }
            line.hash(&mut hasher);
            len += line.len();
        }
    }
    (hasher.finish(), len)
}

/// Columns between tab stops, as in Python and Haskell.
const TAB: usize = 8;

/// The column of a place in a text, from 0.
fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().fold(0, |column, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// The columns of the lines that a line is under, each deeper than the one before.
#[derive(Debug, Default)]
struct Depth(Vec<usize>);

impl Depth {
    /// The number of lines that a line at this column is under.
    fn of(&mut self, column: usize) -> usize {
        while self.0.pop_if(|last| *last >= column).is_some() {}
        self.0.push(column);
        self.0.len() - 1
    }
}

/// A declaration of one side: its file and its ordinal there.
type At = (usize, usize);

fn compare(files: &[File]) -> Vec<DeclarationChange> {
    let mut changes = Vec::new();
    let (mut gone, mut come): (Vec<At>, Vec<At>) = (Vec::new(), Vec::new());
    for (at, file) in files.iter().enumerate() {
        let of = |side: &Option<Side>| -> usize { side.as_ref().map_or(0, |side| side.declarations.len()) };
        let mut known: BTreeMap<(DeclarationKind, &str), Vec<usize>> = BTreeMap::new();
        for ord in 0..of(&file.old) {
            let Some(one) = declared(&file.old, ord) else { continue };
            known.entry((one.kind, &one.symbol)).or_default().push(ord);
        }
        // Among several of one name, equal texts match first; the others match in order.
        let mut open = Vec::new();
        for ord in 0..of(&file.new) {
            let Some(one) = declared(&file.new, ord) else { continue };
            let same = known.get_mut(&(one.kind, one.symbol.as_str())).and_then(|olds| {
                let is_same = |&old: &usize| declared(&file.old, old).is_some_and(|old| old.own == one.own);
                olds.iter().position(is_same).map(|at| olds.remove(at))
            });
            if same.is_none() {
                open.push(ord);
            }
        }
        for ord in open {
            let Some(one) = declared(&file.new, ord) else { continue };
            match known.get_mut(&(one.kind, one.symbol.as_str())).filter(|olds| !olds.is_empty()) {
                Some(olds) => changes.push((Change::Changed, Some((at, olds.remove(0))), Some((at, ord)))),
                None => come.push((at, ord)),
            }
        }
        gone.extend(known.into_values().flatten().map(|ord| (at, ord)));
    }
    gone.sort_unstable();
    let old = |at: At| files.get(at.0).and_then(|file| declared(&file.old, at.1));
    let new = |at: At| files.get(at.0).and_then(|file| declared(&file.new, at.1));
    // First by name and text, then by body alone.
    let by_text = |one: &DeclarationEntry| Some((one.kind, one.name.clone(), one.own));
    let by_body = |one: &DeclarationEntry| (one.body != 0).then(|| (one.kind, String::new(), one.body));
    for key in [&by_text as &dyn Fn(&DeclarationEntry) -> Option<(DeclarationKind, String, u64)>, &by_body] {
        let mut known: HashMap<_, Vec<At>> = HashMap::new();
        for &at in gone.iter().rev() {
            if let Some(key) = old(at).and_then(key) {
                known.entry(key).or_default().push(at);
            }
        }
        come.retain(|&at| {
            let from = new(at).and_then(key).and_then(|key| known.get_mut(&key)?.pop());
            if let Some(from) = from {
                gone.retain(|&one| one != from);
                changes.push((Change::Moved, Some(from), Some(at)));
            }
            from.is_none()
        });
    }
    changes.extend(gone.into_iter().map(|at| (Change::Removed, Some(at), None)));
    changes.extend(come.into_iter().map(|at| (Change::Added, None, Some(at))));
    let mut changes: Vec<DeclarationChange> = changes
        .into_iter()
        .filter_map(|(change, from, to)| {
            let place = |at: Option<At>, is_new: bool| {
                let file = files.get(at?.0)?;
                let one = declared(if is_new { &file.new } else { &file.old }, at?.1)?;
                let (symbol, line, span) = (one.symbol.clone(), one.line, one.span);
                Some(DeclarationPlace { path: file.path.clone(), symbol, line, span })
            };
            let side = match to {
                Some(at) => files.get(at.0)?.new.as_ref().zip(new(at)),
                None => files.get(from?.0)?.old.as_ref().zip(old(from?)),
            };
            let (side, one) = side?;
            let (kind, language) = (declaration_kind_name(one.kind), side.language.clone());
            Some(DeclarationChange { change, kind, language, old: place(from, false), new: place(to, true) })
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

fn declared(side: &Option<Side>, ord: usize) -> Option<&DeclarationEntry> {
    side.as_ref()?.declarations.get(ord)
}

/// Chunks by path and first byte.
type Marks = HashMap<(BString, u32), Change>;

/// The changes of chunks: in the second commit what was added, changed or moved, in the first what
/// was removed. A chunk with declarations follows their changes, any other its text.
fn changed_chunks(files: &[File]) -> (Marks, Marks) {
    let (mut in_new, mut in_old) = (Marks::new(), Marks::new());
    let declarations = compare(files);
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
