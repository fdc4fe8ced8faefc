//! The cache of histories: the rows of a declaration, by its file and symbol.
//!
//! Stored in `<common dir>/cora/trails/`, one small JSON file for each declaration that was asked
//! for. It is a cache: a damaged file counts as absent, and the answer is the same without it. A
//! history holds for the commit that it was made from, and for any later one as soon as its walk
//! comes to the first commit of the stored one.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use bstr::BString;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::base::id::ObjectId;
use crate::base::new_file;
use crate::base::text::hex;
use crate::git::Repository;
use crate::index::chunk::{ByteRange, Span};
use crate::search::Result;

use super::change::HistoryChange;
use super::row::{HistoryRow, VersionPlace};
use super::version::{Entry, Version};

/// The version of the files and of the rules by which declarations are followed.
const VERSION: u32 = 21;
/// Most files; the least recently written are removed.
const MOST_FILES: usize = 2000;

/// The name of a history.
pub(super) struct Key {
    file: PathBuf,
    path: BString,
    symbol: String,
    line: u32,
}

impl Key {
    /// The key of a declaration. It covers where a shallow clone ends.
    pub(super) fn of(repo: &Repository, path: &BString, version: &Version, entry: &Entry) -> Result<Self> {
        let same = version.entries.iter().filter(|one| one.symbol == entry.symbol);
        let ord = same.take_while(|one| one.span != entry.span).count();
        let mut hash = Sha256::new();
        hash.update(VERSION.to_be_bytes());
        for part in [path.as_slice(), entry.symbol.as_bytes()] {
            hash.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(part);
        }
        hash.update(u64::try_from(ord).unwrap_or(u64::MAX).to_be_bytes());
        for id in repo.shallow_boundary()? {
            hash.update(id.as_bytes());
        }
        let name = hex(hash.finalize().get(..16).unwrap_or_default());
        let file = repo.cora_dir().join("trails").join(name);
        Ok(Self { file, path: path.clone(), symbol: entry.symbol.clone(), line: entry.line })
    }
}

/// A history that an earlier walk found.
pub(super) struct EarlierWalk {
    /// The commit that it was made from.
    pub(super) tip: ObjectId,
    /// The newest commit that changed the file then.
    pub(super) first: ObjectId,
    pub(super) path: BString,
    pub(super) symbol: String,
    pub(super) line: u32,
    pub(super) rows: Vec<HistoryRow>,
}

#[derive(Serialize, Deserialize)]
struct StoredHistory {
    version: u32,
    tip: String,
    first: String,
    path: String,
    symbol: String,
    line: u32,
    rows: Vec<StoredRow>,
}

#[derive(Serialize, Deserialize)]
struct StoredRow {
    commit: String,
    merge: bool,
    changes: Vec<String>,
    new: Option<StoredPlace>,
    old: Option<StoredPlace>,
}

#[derive(Serialize, Deserialize)]
struct StoredPlace {
    path: Vec<u8>,
    symbol: String,
    kind: String,
    blob: String,
    /// Line of the name, first and last line, first byte and end.
    span: [u32; 5],
}

/// The history that was stored, whatever commit it was made from.
pub(super) fn load(repo: &Repository, key: &Key) -> Option<EarlierWalk> {
    let stored: StoredHistory = serde_json::from_slice(&fs::read(&key.file).ok()?).ok()?;
    if stored.version != VERSION {
        return None;
    }
    Some(EarlierWalk {
        tip: stored.tip.parse().ok()?,
        first: stored.first.parse().ok()?,
        path: stored.path.into(),
        symbol: stored.symbol,
        line: stored.line,
        rows: rows(repo, stored.rows)?,
    })
}

fn rows(repo: &Repository, stored: Vec<StoredRow>) -> Option<Vec<HistoryRow>> {
    let rows: Option<Vec<HistoryRow>> = stored.into_iter().map(row).collect();
    // Objects may have been pruned since.
    rows.filter(|rows| rows.iter().all(|row| repo.contains(row.commit)))
}

fn row(stored: StoredRow) -> Option<HistoryRow> {
    let changes = stored.changes.iter().map(|name| HistoryChange::from_name(name));
    let changes = changes.collect::<Option<Vec<_>>>()?;
    let side = |place: Option<StoredPlace>| place.map(|place| self::place(place).ok_or(())).transpose();
    let (new, old) = (side(stored.new).ok()?, side(stored.old).ok()?);
    let mut row = super::row::row(stored.commit.parse().ok()?, changes, new, old);
    row.merge = stored.merge;
    Some(row)
}

fn place(stored: StoredPlace) -> Option<VersionPlace> {
    let [line, start_line, end_line, start, end] = stored.span;
    let span = Span { bytes: ByteRange { start, end }, start_line, end_line };
    let (path, blob) = (stored.path.into(), stored.blob.parse().ok()?);
    Some(VersionPlace { path, symbol: stored.symbol, kind: stored.kind, line, span, blob })
}

/// Stores a history from `tip`; `first` is the newest commit that changed the file. A failure costs
/// only time later.
pub(super) fn store(repo: &Repository, key: &Key, [tip, first]: [ObjectId; 2], rows: &[HistoryRow]) {
    let Ok(path) = String::from_utf8(key.path.to_vec()) else { return };
    let of = |place: &VersionPlace| StoredPlace {
        path: place.path.to_vec(),
        symbol: place.symbol.clone(),
        kind: place.kind.clone(),
        blob: place.blob.to_string(),
        span: [
            place.line,
            place.span.start_line,
            place.span.end_line,
            place.span.bytes.start,
            place.span.bytes.end,
        ],
    };
    let rows = rows.iter().map(|row| StoredRow {
        commit: row.commit.to_string(),
        merge: row.merge,
        changes: row.changes.iter().map(|change| change.name().to_owned()).collect(),
        new: row.new.as_ref().map(of),
        old: row.old.as_ref().map(of),
    });
    let stored = StoredHistory {
        version: VERSION,
        tip: tip.to_string(),
        first: first.to_string(),
        path,
        symbol: key.symbol.clone(),
        line: key.line,
        rows: rows.collect(),
    };
    let Some(dir) = key.file.parent() else { return };
    if repo.sharing().create_dir_all(dir).is_err() {
        return;
    }
    if let Ok(bytes) = serde_json::to_vec(&stored) {
        let _ = new_file::write(&key.file, "trail-", 0o666, repo.sharing(), &bytes);
    }
    evict(dir);
}

/// Removes the oldest files above the limit.
#[allow(clippy::disallowed_methods, reason = "owns the files of this cache")]
fn evict(dir: &std::path::Path) {
    let mut files: Vec<(SystemTime, PathBuf)> = fs::read_dir(dir)
        .into_iter()
        .flatten()
        .flatten()
        .map(|file| {
            let used = file.metadata().and_then(|meta| meta.modified());
            (used.unwrap_or(SystemTime::UNIX_EPOCH), file.path())
        })
        .collect();
    let excess = files.len().saturating_sub(MOST_FILES);
    files.sort();
    for (_, file) in files.into_iter().take(excess) {
        let _ = fs::remove_file(file);
    }
}
