//! The bytes of a segment, or of another file that is read in place: a mapped file, or memory.
//!
//! The only module with `unsafe` in it. Mapping makes a one-shot query cheap: only the pages that
//! it touches are read, and all processes share them. Files that are ever written in place must not
//! be mapped here.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use super::{Error, Result};

/// Immutable bytes.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// A mapped file.
    Mapped(Mmap),
    /// Memory.
    Owned(Vec<u8>),
}

impl Bytes {
    /// Maps a file for reading. An empty file becomes empty memory instead of a mapping.
    pub(crate) fn map(path: &Path) -> Result<Self> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() == 0 {
            return Ok(Self::Owned(Vec::new()));
        }
        // SAFETY: a mapping is undefined behaviour if the file's bytes change while it is mapped,
        // and a fault if the file shrinks. Segments, histories and tables of vectors are never
        // written in place: a temporary file is written and renamed, and cleaning up unlinks.
        // On Unix both leave the mapped inode as it is; on Windows the mapping makes them fail. The
        // file is stored in the repository's own Git directory: somebody who can rewrite it there
        // could as well rewrite its hooks. No reference into the mapping outlives `self`, no `str`
        // or other type with invalid values is made from it without a check, and every access is
        // bounds-checked.
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        Ok(Self::Mapped(map))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
