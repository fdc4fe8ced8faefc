//! Where a declaration came from that the commit before does not have in its place.
//!
//! In a file that has another path, or in a type that has another name, a declaration is the one of
//! the same kind and name, if there is only one. This is the rule of `pairs`, which compares whole
//! commits.
//!
//! Otherwise the files that the commit changed are searched: for the same declaration in another
//! place, for the same body under another name, and for a larger declaration that it was cut out
//! of. Another file is parsed only if its bytes have the name, or one of the longest lines.
//!
//! Texts are compared without the declaration's own name and, unless they are short, without
//! documentation: a rename often comes with a new comment.

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::answer::likeness::{FEW, Shingles, general_kind};
use crate::answer::pairs::RENAMED_FILE;
use crate::answer::side::shared;
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::text::{path, words};
use crate::git::{EntryMode, Repository, TreeChange};
use crate::search::graph::is_type;
use crate::search::{Error, Result};

use super::change::HistoryChange;
use super::row::VersionPlace;
use super::subject::{Subject, changes as differences, matching};
use super::version::{Entry, Version, VersionReader, blob_in};

/// How a declaration is related to the one it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// The old one is gone, or another declaration took its name: it was moved or renamed.
    Same,
    /// The old one is there as before.
    Copied,
    /// The old one lost what this one has.
    Split,
}

/// Most files that are read for one origin.
const MOST_READ: usize = 800;
/// Most files that are parsed for one origin.
const MOST_PARSED: usize = 48;
/// A commit that changes more files says nothing about one of them.
const MOST_CHANGES: usize = 50_000;

/// Least likeness of the same symbol in another file, or in its own.
const SAME_NAME: f64 = 0.35;
/// Least likeness of the same name in another class of the same file.
const OTHER_CLASS: f64 = 0.5;
/// Least likeness of a short text of the same name in another file: each program has a `main`.
const SHORT: f64 = 0.9;
/// Least likeness of another name in the same file, or of the same name in another class and file.
const SAME_FILE: f64 = 0.6;
/// Least likeness of another name in another file.
const ELSEWHERE: f64 = 0.7;
/// Least share of a text that was copied.
const CONTAINED: f64 = 0.8;
/// Least share of a text that was cut out of another one, which lost it. A piece that becomes a
/// function gets a signature and results of its own.
const CUT: f64 = 0.65;
/// Least share of an old text that goes on under a new name, if the old name stays for something
/// else: a wrapper that calls the new one, for example.
const WHOLE: f64 = 0.9;
/// Fewer pairs of words than this are copied by chance.
const FEW_COPIED: u32 = 30;
/// Fewer pairs of words than this are in a long function by chance, if comments do not count.
const FEW_CUT: u32 = 60;

/// Most candidates of a subject that are compared with other declarations.
const MOST_ASKED: usize = 8;
/// If another declaration is more alike by less than this, it is not clearly the right one.
const CLEARLY: f64 = 0.01;

/// A declaration that the subject may have been.
struct Candidate {
    score: f64,
    likeness: f64,
    contained: f64,
    is_same_name: bool,
    is_same_file: bool,
    words: Likeness,
    subject: Subject,
    /// The file's blob on the subject's side; `None` if the file is not there.
    other: Option<ObjectId>,
}

/// Where the subject, which `parent` has, is in `commit`, which lacks it in its place, and what
/// differs there.
pub(super) fn destination(
    repo: &Repository,
    reader: &mut VersionReader<'_>,
    subject: &Subject,
    parent: ObjectId,
    commit: ObjectId,
    task: Task<'_>,
) -> Result<Option<(VersionPlace, Vec<HistoryChange>)>> {
    let found = origin(repo, reader, subject, [commit, parent], task)?;
    let Some((to, Relation::Same)) = found else { return Ok(None) };
    // As its history tells it that begins in the new place.
    let changes = differences(&to, subject);
    Ok(Some((to.place, changes)))
}

/// What the subject, which `home` has, is or was in the files of `searched` that differ.
pub(super) fn origin(
    repo: &Repository,
    reader: &mut VersionReader<'_>,
    subject: &Subject,
    [searched, home]: [ObjectId; 2],
    task: Task<'_>,
) -> Result<Option<(Subject, Relation)>> {
    let mut changes = repo.diff_trees(Some(repo.commit(searched)?.tree), repo.commit(home)?.tree)?;
    // A submodule is another repository.
    let is_file =
        |side: Option<(EntryMode, ObjectId)>| side.is_none_or(|side| side.0 != EntryMode::Submodule);
    changes.retain(|change| is_file(change.old) && is_file(change.new));
    if changes.len() > MOST_CHANGES {
        return Ok(None);
    }
    if let Some(found) = in_renamed_file(reader, subject, &changes, task)? {
        return Ok(Some((found, Relation::Same)));
    }
    let path = &subject.place.path;
    let name = path::name(path.as_bstr());
    let all = changes.clone();
    changes.retain(|change| change.old.is_some());
    // Where it most likely was comes first.
    changes.sort_by_cached_key(|change| {
        let same_name = path::name(change.path.as_bstr()) == name;
        let same_blob = change.old.map(|old| old.1) == Some(subject.place.blob);
        (change.path != *path, !same_blob, change.new.is_some(), !same_name, change.path.clone())
    });
    let own = Likeness::of(&subject.text, &subject.code, &subject.entry.name);
    let lines = longest_lines(&subject.text);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut n_parsed = 0;
    for change in changes.iter().take(MOST_READ) {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let Some((_, blob)) = change.old else { continue };
        let Some(text) = reader.text(blob)? else { continue };
        if change.path != *path
            && words(&text, &subject.entry.name).next().is_none()
            && !lines.iter().any(|line| text.contains(line))
        {
            continue;
        }
        let Some(version) = reader.version(change.path.as_bstr(), blob)? else { continue };
        collect(subject, &own, change, blob, &version, &mut candidates);
        n_parsed += 1;
        let is_perfect = candidates.iter().any(|one| one.is_same_name && one.likeness > 0.99);
        if n_parsed >= MOST_PARSED || is_perfect && change.path != *path {
            break;
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut rivals = Rivals { changes: &all, n_asked: 0 };
    let found = decide(reader, candidates, subject, &own, &mut rivals)?;
    if found.is_some() {
        return Ok(found);
    }
    let found = in_renamed_type(repo, reader, subject, [searched, home], task)?;
    Ok(found.map(|found| (found, Relation::Same)))
}

/// The subject in the file that its own file was, if that had another path.
fn in_renamed_file(
    reader: &mut VersionReader<'_>,
    subject: &Subject,
    changes: &[TreeChange],
    task: Task<'_>,
) -> Result<Option<Subject>> {
    let path = &subject.place.path;
    let is_new = changes.iter().any(|change| change.path == *path && change.old.is_none());
    if !is_new {
        return Ok(None);
    }
    let Some(home) = reader.version(path.as_bstr(), subject.place.blob)? else { return Ok(None) };
    let is_named = |change: &TreeChange| path::stem(change.path.as_bstr()) == path::stem(path.as_bstr());
    let mut gone: Vec<&TreeChange> = changes.iter().filter(|change| change.new.is_none()).collect();
    gone.sort_by_key(|change| !is_named(change));
    let sample = home.sample();
    let mut best: Option<(usize, &TreeChange, ObjectId, Arc<Version>)> = None;
    let mut n_parsed = 0;
    for change in gone.into_iter().take(MOST_READ) {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let Some((_, blob)) = change.old else { continue };
        let Some(text) = reader.text(blob)? else { continue };
        if n_parsed >= MOST_PARSED || words(&text, &subject.entry.name).next().is_none() {
            continue;
        }
        let Some(version) = reader.version(change.path.as_bstr(), blob)? else { continue };
        n_parsed += 1;
        let likeness = shared(&sample, &version.sample());
        if likeness >= RENAMED_FILE && best.as_ref().is_none_or(|best| likeness > best.0) {
            best = Some((likeness, change, blob, version));
        }
    }
    let Some((_, change, blob, version)) = best else { return Ok(None) };
    let is_same = |entry: &&Entry| entry.kind == subject.entry.kind && entry.symbol == subject.place.symbol;
    let is_one = home.entries.iter().filter(is_same).nth(1).is_none();
    let mut found = version.entries.iter().filter(is_same);
    let old = found.next().filter(|_| is_one && found.next().is_none());
    Ok(old.map(|entry| Subject::of(&change.path, blob, &version, entry)))
}

/// The subject in the type that the type around it was, if that had another name or place.
fn in_renamed_type(
    repo: &Repository,
    reader: &mut VersionReader<'_>,
    subject: &Subject,
    [searched, home]: [ObjectId; 2],
    task: Task<'_>,
) -> Result<Option<Subject>> {
    let path = &subject.place.path;
    let Some(version) = reader.version(path.as_bstr(), subject.place.blob)? else { return Ok(None) };
    let bytes = subject.entry.span.bytes;
    let is_around = |entry: &&Entry| {
        let of = entry.span.bytes;
        of != bytes && of.start <= bytes.start && bytes.end <= of.end && is_type(entry.kind)
    };
    let outer = version.entries.iter().filter(is_around).min_by_key(|entry| entry.span.bytes.len());
    let Some(outer) = outer else { return Ok(None) };
    let around = Subject::of(path, subject.place.blob, &version, outer);
    if let Some(blob) = blob_in(repo, searched, path.as_bstr())?
        && let Some(old) = reader.version(path.as_bstr(), blob)?
        && matching(&old, &around).is_some()
    {
        return Ok(None);
    }
    let Some((was, Relation::Same)) = origin(repo, reader, &around, [searched, home], task)? else {
        return Ok(None);
    };
    let Some(old) = reader.version(was.place.path.as_bstr(), was.place.blob)? else { return Ok(None) };
    let inner = |version: &Version, outer: &Entry| -> Vec<Entry> {
        let own = subject.place.symbol.strip_prefix(around.place.symbol.as_str());
        let is_same = |entry: &&Entry| {
            let is_inside = outer.span.bytes.start <= entry.span.bytes.start
                && entry.span.bytes.end <= outer.span.bytes.end;
            is_inside
                && entry.kind == subject.entry.kind
                && own.is_some_and(|own| entry.symbol.strip_prefix(outer.symbol.as_str()) == Some(own))
        };
        version.entries.iter().filter(is_same).cloned().collect()
    };
    let (new, found) = (inner(&version, &around.entry), inner(&old, &was.entry));
    let ([_], [entry]) = (new.as_slice(), found.as_slice()) else { return Ok(None) };
    Ok(Some(Subject::of(&was.place.path, was.place.blob, &old, entry)))
}

/// Adds the declarations of a version that may be the subject.
fn collect(
    subject: &Subject,
    own: &Likeness,
    change: &TreeChange,
    blob: ObjectId,
    version: &Arc<Version>,
    candidates: &mut Vec<Candidate>,
) {
    for entry in &version.entries {
        let is_same_name = entry.name == subject.entry.name;
        let is_same_kind = general_kind(entry.kind) == general_kind(subject.entry.kind);
        let is_same_file = change.path == subject.place.path;
        if !is_same_kind && !is_same_name {
            continue;
        }
        let theirs = Likeness::of(version.text_of(entry), &version.code_of(entry), &entry.name);
        let likeness = own.with(&theirs);
        // A short text that stays the same may get another comment, under the same name.
        let of_code = if is_same_name { own.code.likeness(&theirs.code) } else { 0.0 };
        let likeness = if of_code >= SHORT { likeness.max(of_code) } else { likeness };
        let contained = if own.len() >= FEW_COPIED { own.contained_in(&theirs) } else { 0.0 };
        if likeness < SAME_NAME && contained < CUT {
            continue;
        }
        let bonus = |is: bool, worth: f64| if is { worth } else { 0.0 };
        let score = likeness
            + bonus(is_same_name, 0.5)
            + bonus(is_same_file, 0.1)
            + bonus(entry.kind == subject.entry.kind, 0.05)
            + bonus(change.new.is_none(), 0.2);
        candidates.push(Candidate {
            score,
            likeness,
            contained,
            is_same_name,
            is_same_file,
            words: theirs,
            subject: Subject::of(&change.path, blob, version, entry),
            other: change.new.map(|new| new.1),
        });
    }
}

/// The first candidate that explains the subject.
fn decide(
    reader: &mut VersionReader<'_>,
    candidates: Vec<Candidate>,
    subject: &Subject,
    own: &Likeness,
    rivals: &mut Rivals<'_>,
) -> Result<Option<(Subject, Relation)>> {
    let mut source: Option<(Subject, Relation)> = None;
    for one in candidates {
        let is_same_symbol = one.is_same_name && one.subject.place.symbol == subject.place.symbol;
        let least = match (one.is_same_name, one.is_same_file) {
            (true, false) if !own.is_long() => SHORT,
            (true, _) if is_same_symbol => SAME_NAME,
            (true, true) => OTHER_CLASS,
            (false, true) | (true, false) => SAME_FILE,
            (false, false) => ELSEWHERE,
        };
        let is_long = own.len() >= FEW;
        let is_same = one.likeness >= least && (is_long || one.is_same_name && one.likeness > 0.9);
        let is_part = one.contained >= CUT;
        if !is_same && !is_part {
            continue;
        }
        let still = still(reader, &one, subject)?;
        match still {
            // Another declaration is what became of the old one.
            None if is_same && rivals.have(reader, &one, subject, own)? => {}
            None if is_same => return Ok(Some((one.subject, Relation::Same))),
            Some(rest) if is_same && is_replaced(&one.words, own, &rest) => {
                return Ok(Some((one.subject, Relation::Same)));
            }
            Some(rest) if is_part && source.is_none() => {
                // It lost what it had: a piece was cut out of it.
                let relation = if own.contained_in(&rest) < one.contained / 2.0 {
                    Relation::Split
                } else if one.contained >= CONTAINED {
                    Relation::Copied
                } else {
                    continue;
                };
                source = Some((one.subject, relation));
            }
            _ => {}
        }
    }
    Ok(source)
}

/// The other declarations that an old one may have become. As in a comparison of two commits, it
/// became only one of them: the most alike.
struct Rivals<'c> {
    /// The files that differ.
    changes: &'c [TreeChange],
    /// For how many candidates they were looked for.
    n_asked: usize,
}

impl Rivals<'_> {
    /// Whether one of them is more like a candidate than the subject is. It is new, and it has the
    /// candidate's name, or it is in its file, or in that of a subject with another name.
    fn have(
        &mut self,
        reader: &mut VersionReader<'_>,
        one: &Candidate,
        subject: &Subject,
        own: &Likeness,
    ) -> Result<bool> {
        self.n_asked += 1;
        if self.n_asked > MOST_ASKED {
            return Ok(false);
        }
        let old = &one.subject;
        let is_subject_named = subject.entry.name == old.entry.name;
        let least = one.likeness.max(one.words.with(own));
        let mut n_parsed = 0;
        for change in self.changes.iter().take(MOST_READ) {
            let Some((_, blob)) = change.new else { continue };
            let is_own = change.path == subject.place.path;
            let is_beside = change.path == old.place.path || is_own && !is_subject_named;
            let Some(text) = reader.text(blob)? else { continue };
            if !is_beside && words(&text, &old.entry.name).next().is_none() {
                continue;
            }
            let Some(version) = reader.version(change.path.as_bstr(), blob)? else { continue };
            let before = match change.old {
                Some((_, blob)) => reader.version(change.path.as_bstr(), blob)?,
                None => None,
            };
            let is_old = |entry: &Entry| {
                before.iter().flat_map(|before| &before.entries).any(|known| known.symbol == entry.symbol)
            };
            for entry in &version.entries {
                let is_subject = is_own && entry.span == subject.entry.span;
                let is_named = entry.name == old.entry.name;
                let is_alike = general_kind(entry.kind) == general_kind(old.entry.kind);
                if is_subject || !is_alike || !is_named && !is_beside {
                    continue;
                }
                let theirs = Likeness::of(version.text_of(entry), &version.code_of(entry), &entry.name);
                let likeness = one.words.with(&theirs);
                let is_better =
                    likeness > least + CLEARLY || is_named && !is_subject_named && likeness + CLEARLY > least;
                if is_better && !is_old(entry) {
                    return Ok(true);
                }
            }
            n_parsed += 1;
            if n_parsed >= MOST_PARSED {
                break;
            }
        }
        Ok(false)
    }
}

/// Whether the subject has all of an old declaration whose name belongs to `rest` now.
fn is_replaced(old: &Likeness, own: &Likeness, rest: &Likeness) -> bool {
    old.contained_in(own) >= WHOLE && rest.with(old) < OTHER_CLASS
}

/// The text of a candidate on the subject's side, where it is still there: in its own file or,
/// under its own name, in the subject's file.
fn still(reader: &mut VersionReader<'_>, one: &Candidate, subject: &Subject) -> Result<Option<Likeness>> {
    let path: &BString = &one.subject.place.path;
    if let Some(blob) = one.other
        && let Some(version) = reader.version(path.as_bstr(), blob)?
        && let Some(entry) = matching(&version, &one.subject)
    {
        return Ok(Some(Likeness::of(version.text_of(entry), &version.code_of(entry), &entry.name)));
    }
    if one.is_same_name {
        return Ok(None);
    }
    // A candidate that moved next to the subject is not the subject.
    let Some(version) = reader.version(subject.place.path.as_bstr(), subject.place.blob)? else {
        return Ok(None);
    };
    let found = version.entries.iter().filter(|entry| entry.name == one.subject.entry.name);
    let found = found.map(|entry| Likeness::of(version.text_of(entry), &version.code_of(entry), &entry.name));
    Ok(found.into_iter().find(|rest| rest.with(&one.words) >= SAME_FILE))
}

/// The words of a declaration, for comparing it with others.
struct Likeness {
    /// Of the whole text.
    text: Shingles,
    /// Without documentation.
    code: Shingles,
}

impl Likeness {
    fn of(text: &str, code: &str, name: &str) -> Self {
        Self { text: Shingles::without_name(text, name), code: Shingles::without_name(code, name) }
    }

    fn len(&self) -> u32 {
        self.text.len()
    }

    /// Whether the code alone says enough.
    fn is_long(&self) -> bool {
        self.code.len() >= FEW_COPIED
    }

    fn with(&self, other: &Self) -> f64 {
        let whole = self.text.likeness(&other.text);
        if self.is_long() { whole.max(self.code.likeness(&other.code)) } else { whole }
    }

    fn contained_in(&self, other: &Self) -> f64 {
        let whole = self.text.contained_in(&other.text);
        let is_long = self.code.len() >= FEW_CUT;
        if is_long { whole.max(self.code.contained_in(&other.code)) } else { whole }
    }
}

/// Most lines that a file is searched for.
const LINES: usize = 4;

/// The longest lines of a text that are long enough to be rare.
fn longest_lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.len() >= 20).collect();
    // The sort is stable: of equal length, the first ones.
    lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
    lines.dedup();
    lines.truncate(LINES);
    lines
}
