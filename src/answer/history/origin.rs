//! Where a declaration came from that the commit before does not have in its place.
//!
//! The files that the commit changed are searched: for the same declaration in another place, for
//! the same body under another name, and for a larger declaration that it was cut out of. A file is
//! parsed only if its bytes have the name, or the longest line of the body.

use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::answer::mention;
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{Repository, TreeChange};
use crate::index::file_name;
use crate::search::{Error, Result};

use super::follow::Subject;
use super::likeness::Shingles;
use super::version::{Version, VersionReader};
use super::{HistoryChange, VersionPlace};

/// How a declaration is related to the one it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// The old one is gone: it was moved or renamed.
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

/// Least likeness of the same name in another place.
const SAME_NAME: f64 = 0.35;
/// Least likeness of another name in the same file.
const SAME_FILE: f64 = 0.6;
/// Least likeness of another name in another file.
const ELSEWHERE: f64 = 0.7;
/// Least share of a text that it was copied or cut from.
const CONTAINED: f64 = 0.8;
/// Fewer pairs of words than this are alike by chance.
const FEW: u32 = 12;
/// Fewer pairs of words than this are copied by chance.
const FEW_COPIED: u32 = 30;

/// A declaration that the subject may have been.
struct Candidate {
    score: f64,
    likeness: f64,
    contained: f64,
    is_same_name: bool,
    is_same_file: bool,
    subject: Subject,
    /// The file's blob on the subject's side; `None` if the file is not there.
    other: Option<ObjectId>,
}

/// Where the subject, which `parent` has, is in `commit`, which lacks it in its place.
pub(super) fn destination(
    repo: &Repository,
    reader: &mut VersionReader<'_>,
    subject: &Subject,
    parent: ObjectId,
    commit: ObjectId,
    task: Task<'_>,
) -> Result<Option<(VersionPlace, HistoryChange)>> {
    let found = origin(repo, reader, subject, [commit, parent], task)?;
    let Some((to, Relation::Same)) = found else { return Ok(None) };
    let is_moved = to.place.path != subject.place.path || to.entry.name == subject.entry.name;
    let change = if is_moved { HistoryChange::Moved } else { HistoryChange::Renamed };
    Ok(Some((to.place, change)))
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
    if changes.len() > MOST_CHANGES {
        return Ok(None);
    }
    let path = &subject.place.path;
    let name = file_name(path.as_bstr());
    changes.retain(|change| change.old.is_some());
    // Where it most likely was comes first.
    changes.sort_by_cached_key(|change| {
        let same_name = file_name(change.path.as_bstr()) == name;
        let same_blob = change.old.map(|old| old.1) == Some(subject.place.blob);
        (change.path != *path, !same_blob, change.new.is_some(), !same_name, change.path.clone())
    });
    let own = Shingles::of(&subject.text);
    let line = longest_line(&subject.parts.body);
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut n_parsed = 0;
    for change in changes.iter().take(MOST_READ) {
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let Some((_, blob)) = change.old else { continue };
        let Some(text) = reader.text(blob)? else { continue };
        if mention::words(&text, &subject.entry.name).next().is_none()
            && line.is_none_or(|line| !text.contains(line))
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
    decide(reader, candidates, &own)
}

/// Adds the declarations of a version that may be the subject.
fn collect(
    subject: &Subject,
    own: &Shingles,
    change: &TreeChange,
    blob: ObjectId,
    version: &Arc<Version>,
    candidates: &mut Vec<Candidate>,
) {
    for entry in &version.entries {
        let is_same_name = entry.name == subject.entry.name;
        let is_same_kind = is_alike(entry.kind, subject.entry.kind);
        let is_same_file = change.path == subject.place.path;
        if !is_same_kind && !is_same_name {
            continue;
        }
        let theirs = Shingles::of(version.text_of(entry));
        let likeness = own.likeness(&theirs);
        let contained = own.contained_in(&theirs);
        if likeness < SAME_NAME && contained < CONTAINED {
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
            subject: Subject::of(&change.path, blob, version, entry),
            other: change.new.map(|new| new.1),
        });
    }
}

/// The first candidate that explains the subject.
fn decide(
    reader: &mut VersionReader<'_>,
    candidates: Vec<Candidate>,
    own: &Shingles,
) -> Result<Option<(Subject, Relation)>> {
    let mut source: Option<(Subject, Relation)> = None;
    for one in candidates {
        let least = match (one.is_same_name, one.is_same_file) {
            (true, _) => SAME_NAME,
            (false, true) => SAME_FILE,
            (false, false) => ELSEWHERE,
        };
        let is_long = own.len() >= FEW;
        let is_same = one.likeness >= least && (is_long || one.is_same_name && one.likeness > 0.9);
        let is_part = one.contained >= CONTAINED && own.len() >= FEW_COPIED;
        if !is_same && !is_part {
            continue;
        }
        let still = still(reader, &one)?;
        match still {
            None if is_same => return Ok(Some((one.subject, Relation::Same))),
            Some(text) if is_part && source.is_none() => {
                let kept = own.contained_in(&Shingles::of(&text));
                // It lost what it had: a piece was cut out of it.
                let relation = if kept < one.contained / 2.0 { Relation::Split } else { Relation::Copied };
                source = Some((one.subject, relation));
            }
            _ => {}
        }
    }
    Ok(source)
}

/// The text of a candidate on the subject's side, where it is still there.
fn still(reader: &mut VersionReader<'_>, one: &Candidate) -> Result<Option<String>> {
    let path: &BString = &one.subject.place.path;
    let Some(blob) = one.other else { return Ok(None) };
    let Some(version) = reader.version(path.as_bstr(), blob)? else { return Ok(None) };
    let found = super::follow::matching(&version, &one.subject);
    Ok(found.map(|entry| version.text_of(entry).to_owned()))
}

/// Whether a declaration of one kind can become one of the other.
fn is_alike(a: crate::index::chunk::DeclarationKind, b: crate::index::chunk::DeclarationKind) -> bool {
    use crate::index::chunk::DeclarationKind as Kind;
    let class = |kind: Kind| match kind {
        Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro | Kind::Test => 1,
        Kind::Class
        | Kind::Struct
        | Kind::Interface
        | Kind::Enum
        | Kind::Union
        | Kind::Type
        | Kind::Implementation
        | Kind::Module => 2,
        Kind::Constant | Kind::Variable | Kind::Field | Kind::Variant => 3,
        _ => 4,
    };
    class(a) == class(b)
}

/// The longest line of a text, if it is long enough to be rare.
fn longest_line(text: &str) -> Option<&str> {
    text.lines().map(str::trim).max_by_key(|line| line.len()).filter(|line| line.len() >= 20)
}
