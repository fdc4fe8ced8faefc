//! Attributes of files, from the `.gitattributes` of a tree.
//!
//! Only what the tree itself says counts: neither the work tree, nor `info/attributes`, nor the user's global
//! file. Otherwise the same commit would be indexed differently on two machines.

use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use gix::attrs::StateRef;
use gix::attrs::search::{MetadataCollection, Outcome};

use crate::id::ObjectId;

use super::{Blob, Repository, Result};

/// Longest `.gitattributes` that is read, as Git itself limits it.
const MAX_BYTES: u64 = 100 << 20;

/// Most `.gitattributes` files of a tree.
const MAX_FILES: usize = 10_000;

/// Attributes that matter here.
const NAMES: [&str; 9] = [
    "linguist-generated",
    "linguist-vendored",
    "linguist-documentation",
    "linguist-language",
    "cora",
    "binary",
    "text",
    "diff",
    "filter",
];

/// The attributes of all files of a tree.
pub struct Attributes {
    search: gix::attrs::Search,
    collection: MetadataCollection,
    n_files: usize,
}

/// The attributes of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileAttributes {
    /// `linguist-generated`, if set or unset.
    pub generated: Option<bool>,
    /// `linguist-vendored`, if set or unset.
    pub vendored: Option<bool>,
    /// `linguist-documentation`, if set or unset.
    pub documentation: Option<bool>,
    /// `linguist-language`.
    pub language: Option<String>,
    /// `cora=skip` or `-cora`.
    pub is_skipped: bool,
    /// `binary`, or `-text` together with `-diff`.
    pub is_binary: bool,
    /// `filter`: the name of a content filter (`lfs`, `git-crypt`).
    pub filter: Option<String>,
}

impl Repository {
    /// Reads the `.gitattributes` files of a tree. Without any, it costs one walk over the trees.
    ///
    /// # Errors
    /// As [`Repository::tree_files`]; a `.gitattributes` that can't be read counts as empty.
    pub fn attributes(&self, tree: ObjectId) -> Result<Attributes> {
        let mut collection = MetadataCollection::default();
        let mut search = gix::attrs::Search::default();
        let mut n_files = 0;
        let root = Path::new("/");
        let mut add = |bytes: &[u8], source: PathBuf, collection: &mut MetadataCollection| {
            // The rules of a buffer can't fail to be read.
            let _ = search.add_patterns_buffer(bytes, source, Some(root), collection, true);
        };
        add(b"[attr]binary -diff -merge -text\n", root.join(".gitattributes"), &mut collection);
        let mut found = Vec::new();
        let mut todo = vec![(bstr::BString::default(), tree, 0usize)];
        while let Some((dir, id, depth)) = todo.pop() {
            for entry in self.read_tree(id)? {
                let mut path = dir.clone();
                if !path.is_empty() {
                    path.push(b'/');
                }
                path.extend_from_slice(&entry.name);
                if entry.mode.is_none() {
                    if depth < 512 {
                        todo.push((path, entry.id, depth + 1));
                    }
                } else if entry.name == ".gitattributes" && found.len() < MAX_FILES {
                    found.push((depth, path, entry.id));
                }
            }
        }
        // Rules nearer to a file win: they are added last.
        found.sort();
        for (_, path, id) in found {
            if let (Blob::Bytes(bytes), Ok(path)) = (self.blob(id, MAX_BYTES)?, path.to_path()) {
                add(&bytes, root.join(path), &mut collection);
                n_files += 1;
            }
        }
        Ok(Attributes { search, collection, n_files })
    }
}

impl Attributes {
    /// Whether no file has any.
    pub fn is_empty(&self) -> bool {
        self.n_files == 0
    }

    /// The attributes of the file at `path`.
    pub fn of(&self, path: &BStr) -> FileAttributes {
        let mut found = FileAttributes::default();
        if self.is_empty() {
            return found;
        }
        let mut outcome = Outcome::default();
        outcome.initialize_with_selection(&self.collection, NAMES);
        self.search.pattern_matching_relative_path(
            path,
            gix::glob::pattern::Case::Sensitive,
            Some(false),
            &mut outcome,
        );
        let (mut no_text, mut no_diff) = (false, false);
        for hit in outcome.iter_selected() {
            let state = hit.assignment.state;
            let flag = match state {
                StateRef::Set => Some(true),
                StateRef::Unset => Some(false),
                StateRef::Value(value) => match value.as_bstr().as_bytes() {
                    b"true" => Some(true),
                    b"false" => Some(false),
                    _ => None,
                },
                StateRef::Unspecified => None,
            };
            let value = match state {
                StateRef::Value(value) => Some(value.as_bstr().to_str_lossy().into_owned()),
                _ => None,
            };
            match hit.assignment.name.as_str() {
                "linguist-generated" => found.generated = flag,
                "linguist-vendored" => found.vendored = flag,
                "linguist-documentation" => found.documentation = flag,
                "linguist-language" => found.language = value,
                "cora" => found.is_skipped = flag == Some(false) || value.as_deref() == Some("skip"),
                "binary" => found.is_binary |= flag == Some(true),
                "text" => no_text = flag == Some(false),
                "diff" => no_diff = flag == Some(false),
                "filter" => found.filter = value,
                _ => {}
            }
        }
        found.is_binary |= no_text && no_diff;
        found
    }
}
