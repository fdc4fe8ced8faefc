//! A declaration as it was in some commit, and how it differs from what it was before.

use std::sync::Arc;

use bstr::BString;

use super::change::HistoryChange;
use super::row::{VersionPlace, place};
use super::version::{Entry, Parts, Version};
use crate::answer::likeness::Shingles;
use crate::base::id::ObjectId;

/// A text of at least this many bytes, in lines of its own, is not there by chance.
const SURE_BYTES: usize = 48;

/// A declaration as it was in some commit.
#[derive(Debug, Clone)]
pub(super) struct Subject {
    pub(super) place: VersionPlace,
    pub(super) entry: Entry,
    pub(super) parts: Parts,
    pub(super) text: Arc<str>,
    /// The text without its documentation.
    pub(super) code: String,
    /// Whether it only announces a function.
    is_prototype: bool,
    /// Whether the text can be looked for instead of parsing.
    pub(super) is_sure: bool,
    /// The lines before and after it.
    pub(super) edges: [String; 2],
    /// The other declarations of its symbol.
    twins: Vec<Twin>,
}

/// Another declaration of the same symbol: an overload, or a variant.
#[derive(Debug, Clone)]
struct Twin {
    text: Arc<str>,
    signature: String,
}

impl Subject {
    pub(super) fn of(path: &BString, blob: ObjectId, version: &Version, entry: &Entry) -> Self {
        let text = version.text_of(entry);
        let is_prototype = version.is_prototype(entry);
        let twins: Vec<Twin> = version
            .entries
            .iter()
            .filter(|one| one.symbol == entry.symbol && one.span != entry.span)
            .filter(|one| version.is_prototype(one) == is_prototype)
            .map(|one| Twin { text: version.text_of(one).into(), signature: version.signature(one) })
            .collect();
        let is_once = version.text.match_indices(text).nth(1).is_none();
        Self {
            place: place(path, blob, entry),
            parts: version.parts(entry),
            code: version.code_of(entry),
            is_prototype,
            is_sure: text.len() >= SURE_BYTES && is_once && text.trim().contains('\n'),
            edges: edges(&version.text, entry.span.bytes.start as usize, text.len()).map(str::to_owned),
            text: text.into(),
            entry: entry.clone(),
            twins,
        }
    }
}

impl Subject {
    /// Returns whether a declaration of a version is another overload of today: it has the same
    /// text, or the signature of that one and not the subject's.
    fn is_twin(&self, version: &Version, one: &Entry) -> bool {
        if self.twins.is_empty() {
            return false;
        }
        let (text, signature) = (version.text_of(one), version.signature(one));
        let is_own = signature == self.parts.signature;
        self.twins.iter().any(|twin| *twin.text == *text || !is_own && twin.signature == signature)
    }
}

/// Returns the nearest lines with content before and after a part of a text.
pub(super) fn edges(text: &str, start: usize, len: usize) -> [&str; 2] {
    let has_content = |line: &&str| !line.trim().is_empty();
    let before = text.get(..start).unwrap_or_default().lines().rev().find(has_content);
    let after = text.get(start + len..).unwrap_or_default().lines().find(has_content);
    [before, after].map(Option::unwrap_or_default)
}

/// The declaration of a version that is the subject: of its symbol, and as alike as possible.
pub(super) fn matching<'v>(version: &'v Version, subject: &Subject) -> Option<&'v Entry> {
    let symbol = &subject.place.symbol;
    let mut found: Vec<&Entry> = version
        .entries
        .iter()
        .filter(|one| one.symbol == *symbol)
        // A definition never was the prototype beside it.
        .filter(|one| version.is_prototype(one) == subject.is_prototype)
        // Not what another overload is today.
        .filter(|one| !subject.is_twin(version, one))
        .collect();
    if !subject.twins.is_empty() {
        found = without_those_of_twins(version, subject, found);
    }
    if found.len() > 1 {
        let own = Shingles::of(&subject.text);
        let signature = &subject.parts.signature;
        let like = |one: &Entry| {
            let alike = own.likeness(&Shingles::of(version.text_of(one)));
            let same = version.parts(one).signature == *signature;
            alike + if same { 1.0 } else { 0.0 } + if one.kind == subject.entry.kind { 0.1 } else { 0.0 }
        };
        let mut rated: Vec<(f64, &Entry)> = found.into_iter().map(|one| (like(one), one)).collect();
        rated.sort_by(|a, b| b.0.total_cmp(&a.0));
        // An overload that is not like it is another one, as long as it has twins.
        if !subject.twins.is_empty() && rated.len() <= subject.twins.len() {
            rated.retain(|one| one.0 >= 0.5);
        }
        found = rated.into_iter().map(|(_, one)| one).collect();
    }
    found.first().copied()
}

/// Leaves out declarations that are more like another overload of today than like the subject, if
/// none of them has the subject's signature. Only overloads whose signatures are new count.
fn without_those_of_twins<'v>(
    version: &'v Version,
    subject: &Subject,
    mut found: Vec<&'v Entry>,
) -> Vec<&'v Entry> {
    let signature = &subject.parts.signature;
    if found.iter().any(|one| version.signature(one) == *signature) {
        return found;
    }
    let all = version.entries.iter().filter(|one| one.symbol == subject.place.symbol);
    let known: Vec<String> = all.map(|one| version.signature(one)).collect();
    let twins = subject.twins.iter().filter(|twin| !known.contains(&twin.signature));
    let twins: Vec<Shingles> = twins.map(|twin| Shingles::of(&twin.text)).collect();
    let own = Shingles::of(&subject.text);
    found.retain(|one| {
        let text = Shingles::of(version.text_of(one));
        let likeness = own.likeness(&text);
        twins.iter().all(|twin| twin.likeness(&text) <= likeness)
    });
    found
}

/// The differences between two versions of a declaration.
pub(super) fn changes(new: &Subject, old: &Subject) -> Vec<HistoryChange> {
    let mut changes = Vec::new();
    let mut add = |differs: bool, change: HistoryChange| {
        if differs {
            changes.push(change);
        }
    };
    let scope = |subject: &Subject| {
        let (symbol, name) = (&subject.place.symbol, &subject.entry.name);
        symbol.strip_suffix(name.as_str()).unwrap_or(symbol).to_owned()
    };
    add(new.place.path != old.place.path, HistoryChange::Moved);
    add(new.entry.name != old.entry.name, HistoryChange::Renamed);
    add(scope(new) != scope(old), HistoryChange::Scope);
    add(new.entry.kind != old.entry.kind, HistoryChange::Kind);
    add(new.parts.signature != old.parts.signature, HistoryChange::Signature);
    add(new.parts.body != old.parts.body, HistoryChange::Body);
    add(new.parts.doc != old.parts.doc, HistoryChange::Documentation);
    add(new.parts.annotations != old.parts.annotations, HistoryChange::Annotations);
    // Another name of its statement is not a change of it.
    if changes.is_empty() && new.text != old.text && new.entry.names.is_empty() {
        let is_inside = new.parts.members != old.parts.members;
        changes.push(if is_inside { HistoryChange::Members } else { HistoryChange::Layout });
    }
    changes
}
