//! The side of the working tree of a file that differs.
//!
//! Owns [`EditedSides`]. Input: a path, and the record of the file on the disk. Output: its content
//! as Git would store it, with the lines of the disk. A file that is there but can't be read, or
//! that Git can't convert, has no known content: it was not removed.

use std::collections::HashSet;

use bstr::{BStr, BString};

use super::line_map::LineMap;
use super::side::{SideContent, read};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{Attributes, Blob, Repository, TreeEntry};
use crate::index::record::{self, RecordView};
use crate::index::source::{self, SkipReason};
use crate::index::{Indexer, Recorder};
use crate::search::Result;

/// Most bytes of a file that are compared.
const MAX_BYTES: u64 = u32::MAX as u64;

/// Reads the files of the working tree that differ from `HEAD`.
pub(super) struct EditedSides<'e> {
    pub(super) indexer: &'e Indexer,
    pub(super) head: ObjectId,
    pub(super) attributes: &'e Attributes,
    /// The files whose content Git converts.
    pub(super) converted: &'e HashSet<BString>,
    pub(super) task: Task<'e>,
}

impl EditedSides<'_> {
    /// Reads a file with its record, which is `None` if the file is gone. Returns `None` if it has
    /// the content of `stored`: the working tree may have undone what `HEAD` changed, or differ by
    /// its mode alone.
    pub(super) fn side(
        &self,
        path: &BStr,
        record: Option<&[u8]>,
        stored: Option<&TreeEntry>,
    ) -> Result<Option<SideContent>> {
        let repo = self.indexer.repo();
        let Some(record) = record else { return Ok(Some(SideContent::Nothing)) };
        let view = match RecordView::open(record)? {
            record::OpenRecord::Indexed(view) => view,
            record::OpenRecord::Skipped(SkipReason::Unreadable) if repo.has_file(path) => {
                return Ok(Some(SideContent::Unreadable));
            }
            record::OpenRecord::Skipped(_) => return Ok(Some(SideContent::Nothing)),
        };
        let text = match repo.read_worktree_as_stored(self.attributes, path, MAX_BYTES)? {
            Blob::Bytes(text) => text,
            Blob::Missing if repo.has_file(path) => return Ok(Some(SideContent::Unreadable)),
            Blob::Missing | Blob::TooLarge { .. } => return Ok(Some(SideContent::Nothing)),
        };
        let stored = stored.map(|entry| repo.blob(entry.id, MAX_BYTES)).transpose()?;
        let is_stored = |content: &[u8]| matches!(&stored, Some(Blob::Bytes(stored)) if stored == content);
        if !self.converted.contains(path) {
            let side = || read(path, &view, &source::decode(&text)).map(SideContent::Read);
            return if is_stored(&text) { Ok(None) } else { side().map(Some) };
        }
        Ok(match cleaned(repo, self.head, path, self.task)? {
            None => Some(SideContent::Unreadable),
            Some(content) if is_stored(&content) => None,
            Some(content) => Some(self.cleaned_side(path, content, &text)?),
        })
    }

    /// Reads a file from its content as Git would store it. The lines are those on the disk.
    fn cleaned_side(&self, path: &BStr, content: Vec<u8>, on_disk: &[u8]) -> Result<SideContent> {
        let text = source::decode(&content).into_owned();
        let recorder = Recorder::new(self.indexer.options().clone());
        let id = self.indexer.repo().empty_tree();
        let record = recorder.record(path, id, &Blob::Bytes(content), &self.attributes.of(path));
        let bytes = record::encode(&record);
        let record::OpenRecord::Indexed(view) = RecordView::open(&bytes)? else {
            return Ok(SideContent::Nothing);
        };
        let mut side = read(path, &view, &text)?;
        let on_disk = source::decode(on_disk);
        if text.lines().count() != on_disk.lines().count() {
            side.move_lines(&LineMap::of(text.lines(), on_disk.lines()));
        }
        Ok(SideContent::Read(side))
    }
}

/// Returns the content of a file of the working tree as Git would store it; `None` if Git can't
/// convert it.
fn cleaned(repo: &Repository, head: ObjectId, path: &BStr, task: Task<'_>) -> Result<Option<Vec<u8>>> {
    let content = match repo.read_worktree_cleaned(head, path, task.cancel)? {
        // Only its mode or its time differs.
        Some(Blob::Missing) => Some(repo.read_committed(repo.commit(head)?.tree, path, MAX_BYTES)?),
        content => content,
    };
    Ok(if let Some(Blob::Bytes(bytes)) = content { Some(bytes) } else { None })
}
