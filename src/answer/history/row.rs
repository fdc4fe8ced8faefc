//! A history as it is shown: its rows, what changed in each, and where the declaration was.

use bstr::BString;

use super::change::HistoryChange;
use super::version::Entry;
use crate::base::id::ObjectId;
use crate::index::chunk::Span;
use crate::search::query::declaration_kind_name;

/// A declaration in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct VersionPlace {
    /// The file.
    pub path: BString,
    /// The declaration's symbol path.
    pub symbol: String,
    /// The name of its kind.
    pub kind: String,
    /// The line of its name.
    pub line: u32,
    /// The whole of it.
    pub span: Span,
    /// The file's blob.
    pub blob: ObjectId,
}

/// A commit that changed the declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HistoryRow {
    /// The commit.
    pub commit: ObjectId,
    /// Whether it is a merge whose result is none of its parents'.
    pub merge: bool,
    /// The kinds of change.
    pub changes: Vec<HistoryChange>,
    /// The declaration in the commit; `None` if the commit removed it.
    pub new: Option<VersionPlace>,
    /// The declaration before the commit, or what it was copied or cut from; `None` if it is new.
    pub old: Option<VersionPlace>,
    /// The author's name, by `.mailmap`.
    pub author: String,
    /// The author's address.
    pub email: String,
    /// Author date, as `2024-01-31`.
    pub date: String,
    /// First line of the message.
    pub subject: String,
    /// The differing lines, if they were asked for.
    pub patch: Option<String>,
}

/// The place of a declaration in a version.
pub(super) fn place(path: &BString, blob: ObjectId, entry: &Entry) -> VersionPlace {
    VersionPlace {
        path: path.clone(),
        symbol: entry.symbol.clone(),
        kind: declaration_kind_name(entry.kind).to_owned(),
        line: entry.line,
        span: entry.span,
        blob,
    }
}

/// Makes a row without its author.
pub(super) fn row(
    commit: ObjectId,
    changes: Vec<HistoryChange>,
    new: Option<VersionPlace>,
    old: Option<VersionPlace>,
) -> HistoryRow {
    HistoryRow {
        commit,
        merge: false,
        changes,
        new,
        old,
        author: String::new(),
        email: String::new(),
        date: String::new(),
        subject: String::new(),
        patch: None,
    }
}
