//! When a declaration was added and removed: its history → both commits, and their releases.

use bstr::ByteSlice;

use crate::answer::history::{History, HistoryChange, HistoryRow, VersionPlace};
use crate::base::progress::Task;
use crate::git::Repository;
use crate::search::Result;

use super::{AppearanceEvent, event};

/// When a declaration was added, got its name, and was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclarationAppearance {
    /// The declaration, where it was found last.
    pub place: VersionPlace,
    /// The commit that added it, under whatever name.
    pub added: Option<AppearanceEvent>,
    /// How it was added: new, copied, split from another, or unknown where the clone ends or older
    /// versions of files are missing.
    pub how: HistoryChange,
    /// What it was copied or split from, and where it was in the oldest commit.
    pub from: Option<VersionPlace>,
    /// The commit that gave it its present name, if it had another one.
    pub named: Option<AppearanceEvent>,
    /// The name that it had before.
    pub old_name: String,
    /// The commit that removed it, if it is gone.
    pub removed: Option<AppearanceEvent>,
    /// Where it is now, if it was moved elsewhere.
    pub to: Option<VersionPlace>,
    /// Limits of the answer, for people.
    pub notes: Vec<String>,
}

/// Says that a declaration was gone for a time; `None` if its rows, newest first, have no gap.
fn gap_note(repo: &Repository, rows: &[HistoryRow], task: Task<'_>) -> Result<Option<String>> {
    let mut pairs = rows.iter().zip(rows.iter().skip(1));
    let gap = pairs.find(|(_, older)| older.changes.contains(&HistoryChange::Removed));
    let Some((again, removed)) = gap else { return Ok(None) };
    let of = |row: &HistoryRow| -> Result<String> {
        let path = row.new.as_ref().or(row.old.as_ref()).map(|place| place.path.as_bstr());
        let of = event(repo, row.commit, path, None, task)?;
        let release = of.release.map_or_else(String::new, |release| format!(" ({})", release.tag));
        Ok(format!("{}{release}", row.commit.abbreviated(10)))
    };
    let (removed, again) = (of(removed)?, of(again)?);
    Ok(Some(format!("it was gone for a time: {removed} removed it, and {again} added it again")))
}

/// Reads from its whole history when a declaration was added and removed.
///
/// # Errors
/// [`crate::search::Error::Git`], [`crate::search::Error::Cancelled`].
pub fn declaration_appearance(
    repo: &Repository,
    history: &History,
    task: Task<'_>,
) -> Result<DeclarationAppearance> {
    let of = |row: &HistoryRow| {
        let path = row.new.as_ref().or(row.old.as_ref()).map(|place| place.path.as_bstr());
        event(repo, row.commit, path, None, task)
    };
    let is_gone = |row: &&HistoryRow| row.changes.contains(&HistoryChange::Removed) || row.new.is_none();
    let first = history.rows.first();
    // The first row of a declaration that is gone from its file says where it moved.
    let left = first.filter(|row| {
        is_gone(row) || row.old.as_ref() == Some(&history.place) && row.new.as_ref() != Some(&history.place)
    });
    let rest = if left.is_some() { history.rows.get(1..).unwrap_or_default() } else { &history.rows };
    let mut notes = history.notes.clone();
    notes.extend(gap_note(repo, rest, task)?);
    let oldest = rest.last();
    let renamed = rest.iter().find(|row| row.changes.contains(&HistoryChange::Renamed));
    use HistoryChange as C;
    let ends = [C::CloneEnds, C::Unknown, C::Copied, C::Split];
    let how = oldest.and_then(|row| row.changes.iter().find(|change| ends.contains(change)).copied());
    Ok(DeclarationAppearance {
        place: history.place.clone(),
        added: oldest.filter(|_| how != Some(C::Unknown)).map(of).transpose()?,
        how: how.unwrap_or(HistoryChange::Added),
        from: oldest.and_then(|row| row.old.clone().or_else(|| row.new.clone())),
        named: renamed.map(of).transpose()?,
        old_name: renamed.and_then(|row| Some(row.old.as_ref()?.symbol.clone())).unwrap_or_default(),
        removed: left.map(of).transpose()?,
        to: left.and_then(|row| row.new.clone()),
        notes,
    })
}
