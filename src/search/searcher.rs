//! What one search needs: a base segment, the overlay over it, and the sources that are shown.
//!
//! Owns [`Searcher`], opened once (`open.rs`) and queried many times. It reads and never writes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use bstr::{BStr, BString, ByteSlice};
use roaring::RoaringBitmap;

use super::cache::segments::Loader;
use super::cache::worktree::{Stamp, stamps};
use super::models::IndexNotes;
use super::open::wants_warming;
use super::record_source::SearchedCommit;
use super::segment::{Index, Neighbours, Segment};
use super::{Result, Target};
use crate::base::id::ObjectId;
use crate::base::threads::lock;
use crate::git::{Blob, FileState, Repository, StatusEntry, TreeEntry};
use crate::index::{IndexOptions, Snapshot, source};

/// A state of a repository, opened for searching: an index and the sources behind it.
///
/// It is opened by [`Session::searcher`](crate::Session::searcher) once and may be used many
/// times, by several threads. It shows the repository as it was when it was opened.
pub struct Searcher {
    pub(super) repo: Arc<Repository>,
    pub(super) commit: Option<SearchedCommit>,
    /// The index that its records are from, and the options of records.
    pub(super) records: Option<Snapshot>,
    pub(super) options: IndexOptions,
    pub(crate) base: Segment,
    pub(super) masked: RoaringBitmap,
    pub(super) overlay: Option<Segment>,
    /// The graph of the base's neighbours; `None` inside if it can't be used.
    pub(crate) neighbours: OnceLock<Option<Neighbours>>,
    pub(super) dirty: BTreeMap<BString, FileState>,
    /// Stamps of the dirty files, to detect later changes; `None` if they are not reliable.
    pub(super) stamps: Option<Vec<Stamp>>,
    pub(super) is_worktree: bool,
    /// Whether files of the commit could not be read when it was indexed.
    pub(super) has_gaps: bool,
    pub(super) n_overlay: usize,
    /// The commentary that was last read, with its tree.
    pub(super) notes: Mutex<Option<(ObjectId, Arc<IndexNotes>)>>,
    /// Bytes of a foreign repository's sources that may still be read; small objects may inflate to
    /// large ones.
    pub(super) rest: AtomicU64,
    /// Warnings about the answer: damaged records that were rebuilt, unreadable files.
    pub warnings: Vec<String>,
}

impl Searcher {
    /// The repository that is searched.
    #[doc(hidden)]
    pub fn repo(&self) -> &Arc<Repository> {
        &self.repo
    }

    /// The index that the query stage searches.
    #[doc(hidden)]
    pub fn index(&self) -> Index<'_> {
        let graph = self.neighbours.get().and_then(Option::as_ref);
        Index::new(&self.base, self.masked.clone(), self.overlay.as_ref()).with_neighbours(graph)
    }

    /// The commit that is searched; `None` before the first one.
    pub fn commit(&self) -> Option<ObjectId> {
        self.commit.map(|commit| commit.id)
    }

    /// The source tree of the commit; `None` before the first one.
    #[doc(hidden)]
    pub fn source_tree(&self) -> Option<ObjectId> {
        self.commit.map(|commit| commit.source_tree)
    }

    /// The commit's own index. `None` if it has none: then its files were read for this search, and
    /// vectors and commentary do not belong to it.
    #[doc(hidden)]
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.records.as_ref().filter(|records| Some(records.commit) == self.commit())
    }

    /// Whether the working tree is searched.
    pub fn is_worktree(&self) -> bool {
        self.is_worktree
    }

    /// Returns the target that it was opened for.
    pub fn target(&self) -> Target {
        match self.commit {
            Some(commit) if !self.is_worktree => Target::Commit(commit.id),
            _ => Target::Worktree,
        }
    }

    /// Whether it belongs to a remote repository, whose texts are fetched on demand.
    pub(crate) fn is_remote(&self) -> bool {
        self.repo.is_mirror()
    }

    /// Files of the working tree that differ from the commit.
    pub fn n_dirty(&self) -> usize {
        self.dirty.len()
    }

    /// Whether opening it again would give the same, given the present `head` and `status`.
    pub(crate) fn is_of(&self, head: Option<ObjectId>, status: &[StatusEntry]) -> bool {
        self.is_worktree
            && self.commit() == head
            && self.dirty.len() == status.len()
            && status.iter().all(|entry| self.dirty.get(&entry.path) == Some(&entry.state))
            && self.stamps.is_some()
            && self.stamps == stamps(&self.repo, &self.dirty)
    }

    /// Whether the commit has its own index; without one, its files were read for this search.
    #[doc(hidden)]
    pub fn is_stored(&self) -> bool {
        self.commit.is_none() || self.snapshot().is_some()
    }

    /// Whether a segment of this very commit would make the next query faster.
    #[doc(hidden)]
    pub fn wants_warming(&self) -> bool {
        self.is_stored() && wants_warming(self.n_overlay)
    }

    /// The state of a file in the working tree, as a word.
    pub fn git_status(&self, path: &BStr) -> &'static str {
        self.dirty.get(path.as_bytes()).map_or("unmodified", status_name)
    }

    /// The commentary of that tree, if it was read before.
    #[doc(hidden)]
    pub fn known_notes(&self, tree: ObjectId) -> Option<Arc<IndexNotes>> {
        let known = lock(&self.notes);
        known.as_ref().filter(|(known, _)| *known == tree).map(|(_, notes)| Arc::clone(notes))
    }

    /// Keeps the commentary of that tree for the next question.
    #[doc(hidden)]
    pub fn remember_notes(&self, tree: ObjectId, notes: &Arc<IndexNotes>) {
        let mut known = lock(&self.notes);
        *known = Some((tree, Arc::clone(notes)));
    }

    /// Whether a file of the working tree differs from the commit.
    pub fn is_dirty(&self, path: &BStr) -> bool {
        self.dirty.contains_key(path.as_bytes())
    }

    /// The source blob of a path; `None` if its content is not committed.
    pub fn blob(&self, path: &BStr) -> Option<ObjectId> {
        if self.dirty.contains_key(path.as_bytes()) {
            return None;
        }
        self.entry(path).map(|entry| entry.id)
    }

    fn entry(&self, path: &BStr) -> Option<TreeEntry> {
        self.repo.tree_entry(self.source_tree()?, path).ok().flatten()
    }

    /// Fetches the sources of these files if a remote only promised them, all in one transfer.
    pub(crate) fn prefetch<'p>(&self, paths: impl Iterator<Item = &'p BStr>) -> Result<()> {
        if self.repo.has_all_blobs() {
            return Ok(());
        }
        let ids: Vec<ObjectId> = paths.filter_map(|path| self.blob(path)).collect();
        Ok(self.repo.prefetch(&ids)?)
    }

    /// Returns those of the files whose record is not the one of its source.
    ///
    /// A record is compared with its source when it becomes part of a segment. A clone without all
    /// blobs does not have the source then. It has it after [`Searcher::prefetch`]. A file whose
    /// source did not arrive counts as honest.
    ///
    /// # Errors
    /// Those of reading a record.
    pub(crate) fn forged<'p>(&self, paths: impl Iterator<Item = &'p BStr>) -> Result<BTreeSet<BString>> {
        let Some(records) = self.records.filter(|_| !self.repo.has_all_blobs()) else {
            return Ok(BTreeSet::new());
        };
        let loader = Loader::new(&self.repo, &self.options, &records)?;
        let mut forged = BTreeSet::new();
        for path in paths.collect::<BTreeSet<_>>() {
            if !self.dirty.contains_key(path.as_bytes())
                && let Some(file) = self.entry(path)
                && let Some(stored) = self.repo.tree_entry(records.files, path)?
                && self.repo.contains(file.id)
                && loader.is_forged(&file, stored.id)?
            {
                forged.insert(path.to_owned());
            }
        }
        Ok(forged)
    }

    /// The text of a file as it was searched; `None` if it can no longer be read.
    pub fn text(&self, path: &BStr) -> Option<Arc<str>> {
        let limit = u64::from(u32::MAX);
        let content = if self.dirty.contains_key(path.as_bytes()) {
            // As it was parsed: with the attributes of the commit.
            let tree = self.source_tree().unwrap_or(self.repo.empty_tree());
            let attributes = self.repo.attributes(tree).ok()?;
            self.repo.read_worktree_as_stored(&attributes, path, limit)
        } else {
            let id = self.entry(path)?.id;
            if self.is_remote() {
                // A text that is not delivered counts as unreadable.
                let _ = self.repo.prefetch(&[id]);
                let content = self.repo.blob(id, self.rest.load(Ordering::Relaxed));
                if let Ok(Blob::Bytes(bytes)) = &content {
                    let less = |rest: u64| Some(rest.saturating_sub(bytes.len() as u64));
                    let _ = self.rest.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
                }
                content
            } else {
                self.repo.blob(id, limit)
            }
        };
        match content {
            Ok(Blob::Bytes(bytes)) => Some(Arc::from(source::decode(&bytes))),
            _ => None,
        }
    }
}

/// The word that views show for a state.
fn status_name(state: &FileState) -> &'static str {
    match state {
        FileState::Modified => "modified",
        FileState::Added => "added",
        FileState::Untracked => "untracked",
        FileState::Deleted => "deleted",
        FileState::Renamed { .. } => "renamed",
        FileState::Conflicted => "conflicted",
        FileState::TypeChanged => "type-changed",
    }
}
