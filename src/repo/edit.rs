//! Editing trees: a base tree and a list of edits → a new tree, of which only touched directories are written.

use std::collections::BTreeMap;

use bstr::{BStr, BString, ByteSlice};

use crate::id::ObjectId;

use super::trees::{EntryMode, RawEntry};
use super::{ObjectWriter, Repository, Result};

/// The edits below one directory.
#[derive(Default)]
struct Node {
    files: BTreeMap<BString, Option<ObjectId>>,
    dirs: BTreeMap<BString, Node>,
}

impl Repository {
    /// Writes the tree that `base` becomes by `edits`: `Some` puts a file there, `None` removes what is there.
    /// Directories that become empty vanish; the result without any file is the empty tree, which is not
    /// written. Cost: reading and writing the directories that edits touch.
    ///
    /// # Errors
    /// [`super::Error::Object`] if the base is damaged, [`super::Error::Write`].
    pub fn edit_tree(
        &self,
        out: &mut ObjectWriter,
        base: Option<ObjectId>,
        edits: &[(BString, Option<ObjectId>)],
    ) -> Result<ObjectId> {
        let mut root = Node::default();
        for (path, edit) in edits {
            let mut node = &mut root;
            let mut rest: &BStr = path.as_bstr();
            while let Some((dir, below)) = rest.split_once_str(b"/") {
                node = node.dirs.entry(dir.into()).or_default();
                rest = below.as_bstr();
            }
            node.files.insert(rest.to_owned(), *edit);
        }
        Ok(self.edit_node(out, base, root)?.unwrap_or(self.empty_tree()))
    }

    /// The edited directory, or `None` if nothing is left of it. The recursion is as deep as the paths of the
    /// edits, which come from trees whose depth was bounded when they were read.
    fn edit_node(
        &self,
        out: &mut ObjectWriter,
        base: Option<ObjectId>,
        node: Node,
    ) -> Result<Option<ObjectId>> {
        let mut entries: BTreeMap<BString, RawEntry> = match base {
            Some(id) => {
                let entries = match out.pending_tree(id) {
                    Some(entries) => entries,
                    None => self.read_tree(id)?,
                };
                entries.into_iter().map(|entry| (entry.name.clone(), entry)).collect()
            }
            None => BTreeMap::new(),
        };
        // Removals first: a directory may give way to a file of its name, and a file to a directory.
        for (name, edit) in &node.files {
            if edit.is_none() && entries.get(name).is_some_and(|entry| entry.mode.is_some()) {
                entries.remove(name);
            }
        }
        for (name, below) in node.dirs {
            let old = entries.get(&name).filter(|entry| entry.mode.is_none()).map(|entry| entry.id);
            match self.edit_node(out, old, below)? {
                Some(id) => {
                    entries.insert(name.clone(), RawEntry { name, mode: None, id });
                }
                None if old.is_some() => {
                    entries.remove(&name);
                }
                None => {}
            }
        }
        for (name, edit) in node.files {
            if let Some(id) = edit {
                entries.insert(name.clone(), RawEntry { name, mode: Some(EntryMode::File), id });
            }
        }
        if entries.is_empty() {
            return Ok(None);
        }
        let mut sorted: Vec<RawEntry> = entries.into_values().collect();
        sorted.sort_by(RawEntry::cmp);
        Ok(Some(out.raw_tree(sorted)?))
    }
}
