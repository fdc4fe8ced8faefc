//! Bounded reads of files in the work tree.
//!
//! A path comes from `git status`, so it may be anything that a stranger's archive put on the disk.
//! Only ordinary files are read. No link is followed, neither the file itself nor a directory on
//! the way to it. No device or pipe is opened, because opening a pipe could block for ever.
//!
//! The bytes are those on the disk, with their line endings. The filters of `git add` are not
//! applied.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::PathBuf;

use bstr::{BStr, ByteSlice};

use super::tree::is_valid_name;
use super::{Blob, Repository, Result};

impl Repository {
    /// Reads a file of the work tree of at most `limit` bytes.
    ///
    /// Returns [`Blob::PendingWork`] for a link, a directory, a device, a file behind a link, and an
    /// unreadable file.
    ///
    /// # Errors
    /// None at present: an unreadable file is missing.
    pub fn read_worktree(&self, path: &BStr, limit: u64) -> Result<Blob> {
        let Some((file, metadata)) = self.work_dir().and_then(|root| open(root.to_owned(), path)) else {
            return Ok(Blob::Missing);
        };
        if metadata.len() > limit {
            return Ok(Blob::TooLarge { bytes: metadata.len() });
        }
        let mut bytes = Vec::new();
        // One byte above the limit shows that the file has grown since.
        if file.take(limit.saturating_add(1)).read_to_end(&mut bytes).is_err() {
            return Ok(Blob::Missing);
        }
        let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        Ok(if len > limit { Blob::TooLarge { bytes: len } } else { Blob::Bytes(bytes) })
    }
}

/// Opens an ordinary file below `root`.
fn open(root: PathBuf, path: &BStr) -> Option<(File, Metadata)> {
    let mut full = root;
    let mut components = path.split_str("/").peekable();
    loop {
        let name = components.next()?;
        // On Windows these would be separators or name another stream of the file.
        if !is_valid_name(name) || cfg!(windows) && name.find_byteset(b"\\:").is_some() {
            return None;
        }
        full.push(gix::path::from_bstr(name.as_bstr()).ok()?);
        let found = full.symlink_metadata().ok()?;
        if components.peek().is_some() {
            if !found.is_dir() {
                return None;
            }
            continue;
        }
        if !found.is_file() {
            return None;
        }
        let file = File::open(&full).ok()?;
        let opened = file.metadata().ok()?;
        // Fails if somebody put a link there between the check and the opening.
        return is_same(&found, &opened).then_some((file, opened));
    }
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    b.is_file() && a.dev() == b.dev() && a.ino() == b.ino()
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, b: &Metadata) -> bool {
    b.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn ordinary_files_are_read_up_to_the_limit() {
        let fixture = Fixture::with_history();
        fixture.write("src/crlf.txt", "a\r\n");
        let repo = fixture.open();
        let read = |path: &str, limit| repo.read_worktree(path.into(), limit).unwrap();
        assert_eq!(read("src/crlf.txt", 3), Blob::Bytes(b"a\r\n".to_vec()));
        assert_eq!(read("src/crlf.txt", 2), Blob::TooLarge { bytes: 3 });
        for path in
            ["", "src", "src/", "nothing", "../x", "/etc/hostname", "src/../src/crlf.txt", ".git/config"]
        {
            assert_eq!(read(path, 99), Blob::Missing, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_not_followed() {
        let fixture = Fixture::with_history();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "x").unwrap();
        fixture.link("link", outside.path().join("secret").to_str().unwrap());
        fixture.link("dir", outside.path().to_str().unwrap());
        let pipe = std::process::Command::new("mkfifo").arg(fixture.path().join("pipe")).status();
        assert!(pipe.unwrap().success());
        let repo = fixture.open();
        for path in ["link", "dir/secret", "pipe"] {
            assert_eq!(repo.read_worktree(path.into(), 99).unwrap(), Blob::Missing, "{path}");
        }
    }
}
