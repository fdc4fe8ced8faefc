//! What a range of commits did to what others may use: two commits → a [`Changelog`].
//!
//! Owns the groups and the order of an entry; `visibility` knows which declarations are public in
//! their file and can be reached from others, and `diff` which ones differ. Tests, and the parts of
//! documents and settings, are counted and not listed. A class that came or went stands for its
//! members.

mod report;

use std::collections::BTreeMap;

use bstr::{BString, ByteSlice};
use serde::Serialize;

use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::index::Indexer;
use crate::search::Result;
use crate::search::segment::path_flags;

use super::diff::{DeclarationChange, DeclarationPlace, comparison, is_data};
use super::history::HistoryChange;
use super::prototypes::without_prototypes;
use super::relations::Place;
use super::view::Change;
use super::visibility::{Visibility, hide_unreachable};

pub use report::{ChangelogReport, changelog_json, changelog_markdown, changelog_text};

/// What happened to a declaration, the worst for its users first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangelogKind {
    /// It is gone.
    Removed,
    /// It was public, and is internal now.
    Hidden,
    /// It has another name.
    Renamed,
    /// It is in another file, class or module.
    Moved,
    /// Its signature differs.
    Signature,
    /// It was internal, and is public now.
    Published,
    /// It is new.
    Added,
}

impl ChangelogKind {
    /// Returns its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Hidden => "hidden",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
            Self::Signature => "signature",
            Self::Published => "published",
            Self::Added => "added",
        }
    }

    /// Returns its heading.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Removed => "Removed",
            Self::Hidden => "No longer public",
            Self::Renamed => "Renamed",
            Self::Moved => "Moved",
            Self::Signature => "Signature changed",
            Self::Published => "Now public",
            Self::Added => "Added",
        }
    }
}

/// A declaration in a changelog.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ChangelogEntry {
    /// What happened.
    pub change: ChangelogKind,
    /// Whether others may use it; of two versions, the more public one counts.
    pub visibility: Visibility,
    /// Where it is, or was if it is gone.
    #[serde(flatten)]
    pub place: Place,
    /// Where it was before, if that is another place or name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Place>,
    /// Its signature before and after; empty where it is not there.
    pub signatures: [String; 2],
    /// Whether its signature differs too, for one that was moved or renamed.
    pub has_other_signature: bool,
    /// Number of declarations in it to which the same happened.
    pub members: usize,
}

/// What a range of commits did to declarations.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changelog {
    /// The first commit.
    pub old: ObjectId,
    /// The second.
    pub new: ObjectId,
    /// Number of files that differ. One that moved counts once.
    pub n_files: usize,
    /// By visibility, then by kind of change, then by place.
    pub entries: Vec<ChangelogEntry>,
    /// Number of declarations that differ in their body, documentation or layout only.
    pub n_inner: usize,
    /// Number of differing declarations in tests.
    pub n_tests: usize,
    /// Limits of the answer, for people.
    pub notes: Vec<String>,
}

/// Lists what two commits' declarations differ in, in files that the pathspecs admit (none: all).
///
/// # Errors
/// As [`super::diff()`] and [`Searcher::open`](crate::search::Searcher::open).
pub fn changelog(
    indexer: &Indexer,
    old: ObjectId,
    new: ObjectId,
    pathspecs: &[String],
    task: Task<'_>,
) -> Result<Changelog> {
    let mut found = comparison(indexer, old, Some(new), pathspecs, task)?;
    found.declarations = without_prototypes(found.declarations);
    let n = found.declarations.len();
    found.declarations.append(&mut found.members);
    hide_unreachable(indexer, [old, new], &mut found.declarations, task)?;
    let mut members = found.declarations.split_off(n);
    members.retain(|one| !is_inner_addition(one));
    found.declarations.append(&mut members);
    let mut log = Changelog {
        old,
        new,
        n_files: found.n_files,
        entries: Vec::new(),
        n_inner: 0,
        n_tests: 0,
        notes: std::mem::take(&mut found.notes),
    };
    let mut entries: Vec<(ChangelogEntry, DeclarationPlace)> = Vec::new();
    for one in &found.declarations {
        let Some(at) = one.new.as_ref().or(one.old.as_ref()) else { continue };
        if one.kind == "test" || path_flags(at.path.as_bstr()).is_test() {
            log.n_tests += 1;
            continue;
        }
        // A variable of a template is seen by the template alone.
        if is_data(one.kind) || one.language == "html" && one.kind == "variable" {
            continue;
        }
        match kind(one) {
            Some(kind) => entries.push((entry(one, kind, at), at.clone())),
            None => log.n_inner += 1,
        }
    }
    log.entries = folded(entries);
    log.entries.sort_by(|a, b| {
        let key = |one: &ChangelogEntry| (one.visibility, one.change, one.place.path.clone(), one.place.line);
        key(a).cmp(&key(b))
    });
    Ok(log)
}

/// Returns whether a change added something that others may not use. Of a field, this is a detail
/// of the code that has it.
fn is_inner_addition(one: &DeclarationChange) -> bool {
    let is_hidden = one.new.as_ref().is_some_and(|at| at.visibility == Visibility::Internal);
    one.change == Change::Added && is_hidden
}

/// What happened to a declaration; `None` if its users see no difference.
fn kind(one: &DeclarationChange) -> Option<ChangelogKind> {
    use HistoryChange as C;
    let has = |of: &[C]| one.changes.iter().any(|change| of.contains(change));
    let visibility = |at: &Option<DeclarationPlace>| at.as_ref().map(|at| at.visibility);
    match one.change {
        Change::Removed => return Some(ChangelogKind::Removed),
        Change::Added => return Some(ChangelogKind::Added),
        Change::Moved | Change::Changed => {}
    }
    match (visibility(&one.old), visibility(&one.new)) {
        (Some(Visibility::Public), Some(Visibility::Internal)) => Some(ChangelogKind::Hidden),
        (Some(Visibility::Internal), Some(Visibility::Public)) => Some(ChangelogKind::Published),
        _ if has(&[C::Renamed]) => Some(ChangelogKind::Renamed),
        _ if has(&[C::Moved, C::Scope]) => Some(ChangelogKind::Moved),
        _ if has(&[C::Signature, C::Kind]) => Some(ChangelogKind::Signature),
        _ => None,
    }
}

fn entry(one: &DeclarationChange, kind: ChangelogKind, at: &DeclarationPlace) -> ChangelogEntry {
    let place = |at: &DeclarationPlace| at.place(one.kind);
    let was = one.old.as_ref().filter(|old| old.path != at.path || old.symbol != at.symbol);
    let sides = [one.old.as_ref(), one.new.as_ref()];
    let visibility = sides.into_iter().flatten().map(|at| at.visibility).min().unwrap_or_default();
    ChangelogEntry {
        change: kind,
        visibility,
        place: place(at),
        was: was.map(place),
        signatures: sides.map(|at| at.map(|at| at.signature.clone()).unwrap_or_default()),
        has_other_signature: one.changes.contains(&HistoryChange::Signature),
        members: 0,
    }
}

/// Leaves out what is in a declaration to which the same happened, and counts it there. A member
/// whose own signature differs stays.
fn folded(entries: Vec<(ChangelogEntry, DeclarationPlace)>) -> Vec<ChangelogEntry> {
    let mut by_file: BTreeMap<(BString, ChangelogKind), Vec<(ChangelogEntry, DeclarationPlace)>> =
        BTreeMap::new();
    for (entry, at) in entries {
        // Members of a class with another name are elsewhere.
        let group = if entry.change == ChangelogKind::Renamed { ChangelogKind::Moved } else { entry.change };
        by_file.entry((at.path.clone(), group)).or_default().push((entry, at));
    }
    let mut found: Vec<ChangelogEntry> = Vec::new();
    for ((_, kind), mut list) in by_file {
        let can_stand = matches!(kind, ChangelogKind::Added | ChangelogKind::Removed | ChangelogKind::Moved);
        list.sort_by_key(|(_, at)| (at.span.bytes.start, std::cmp::Reverse(at.span.bytes.end)));
        // The outermost entry around the present one, and where it ends.
        let mut around: Option<(usize, u32)> = None;
        for (entry, at) in list {
            match around.filter(|(_, end)| can_stand && at.span.bytes.end <= *end) {
                Some((outer, _)) if !entry.has_other_signature && entry.change != ChangelogKind::Renamed => {
                    if let Some(outer) = found.get_mut(outer) {
                        outer.members += 1;
                    }
                }
                Some(_) => found.push(entry),
                None => {
                    around = Some((found.len(), at.span.bytes.end));
                    found.push(entry);
                }
            }
        }
    }
    found
}
