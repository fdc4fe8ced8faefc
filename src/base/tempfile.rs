//! Temporary files with a name, and renames.
//!
//! Also owns the writer `Pieces` for large files that are mapped later. Files get the permissions
//! that the user's umask allows, because a repository may be shared. The default of the `tempfile`
//! crate, readable by the owner only, would exclude other users.
#![allow(clippy::disallowed_methods, reason = "owns the writing and renaming of files")]

use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

/// Creates a temporary file in `dir` whose name begins with `prefix`, with the permissions `mode`
/// less the user's umask.
///
/// Systems other than Unix use their default permissions.
///
/// # Errors
/// Any error of creating a file there.
pub(crate) fn file_in(dir: &Path, prefix: &str, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(<std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(mode));
    #[cfg(unix)]
    let made = builder.tempfile_in(dir);
    // The file keeps its attributes when it is linked to another name. A ref must not be marked as
    // temporary, as `tempfile_in` does.
    #[cfg(not(unix))]
    let made = {
        let _ = mode;
        builder
            .make_in(dir, |path| std::fs::File::options().read(true).write(true).create_new(true).open(path))
    };
    let made = made.map_err(without_path)?;
    super::sharing::give_to_owner(made.as_file(), dir);
    Ok(made)
}

/// Milliseconds before each further attempt to rename a file that another process has open. They
/// are Git's (`compat/mingw.c`).
const DELAYS_MS: [u64; 5] = [0, 1, 10, 20, 40];

/// Renames a file, in place of whatever has the name now.
///
/// Unlike `NamedTempFile::persist`, it can rename to a path above 260 characters on Windows.
///
/// # Errors
/// Any error of renaming it.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    patiently(|| std::fs::rename(from, to))
}

/// Makes further attempts while another process has the file open. Only Windows refuses a rename
/// then. A virus scanner opens each new file for a moment.
fn patiently(mut attempt: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    /// `ERROR_ACCESS_DENIED` and `ERROR_SHARING_VIOLATION`.
    const IN_USE: [i32; 2] = [5, 32];
    let is_in_use =
        |error: &io::Error| cfg!(windows) && error.raw_os_error().is_some_and(|code| IN_USE.contains(&code));
    for delay in DELAYS_MS {
        match attempt() {
            Err(error) if is_in_use(&error) => std::thread::sleep(Duration::from_millis(delay)),
            done => return done,
        }
    }
    attempt()
}

/// Removes the path from an error: `tempfile` adds the random name of the temporary file, which
/// means nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ (ErrorKind::FileTooLarge
        | ErrorKind::NotFound
        | ErrorKind::PermissionDenied
        | ErrorKind::QuotaExceeded
        | ErrorKind::ReadOnlyFilesystem
        | ErrorKind::StorageFull) => kind.into(),
        _ => error,
    }
}

/// Returns the folder that contains a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Size of a piece, in bytes.
const PIECE: usize = 1 << 20;

/// A writer that writes in pieces of one size, each at a multiple of that size.
///
/// Some file systems (ext4, XFS) store such writes in large pages, which are mapped faster than
/// many small ones. See `doc/experiments/answer.md`. After an error, a part may be written twice if
/// the caller continues, so the whole output must be discarded.
pub(crate) struct Pieces<W> {
    out: W,
    piece: Vec<u8>,
}

impl<W: Write> Pieces<W> {
    /// Wraps `out`, which must be at its beginning.
    pub(crate) fn new(out: W) -> Self {
        Self { out, piece: Vec::with_capacity(PIECE) }
    }

    /// Writes the remaining bytes and returns the inner writer.
    ///
    /// # Errors
    /// Any error of writing.
    pub(crate) fn into_inner(mut self) -> io::Result<W> {
        self.flush()?;
        Ok(self.out)
    }

    fn put(&mut self) -> io::Result<()> {
        self.out.write_all(&self.piece)?;
        self.piece.clear();
        Ok(())
    }
}

impl<W: Write> Write for Pieces<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() == PIECE {
            self.put()?;
        }
        let fits = bytes.len().min(PIECE - self.piece.len());
        self.piece.extend_from_slice(bytes.get(..fits).unwrap_or_default());
        Ok(fits)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.put()?;
        self.out.flush()
    }
}

impl<W: Write + Seek> Seek for Pieces<W> {
    /// Seeks. Later writes are in pieces that begin at the new position.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.put()?;
        self.out.seek(to)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::io::{Cursor, Seek, SeekFrom, Write};

    use super::{PIECE, Pieces};

    /// Records the size of each write.
    struct WriteSizes(Cursor<Vec<u8>>, Vec<usize>);

    impl Write for WriteSizes {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.1.push(bytes.len());
            self.0.write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }

    impl Seek for WriteSizes {
        fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn what_is_written_comes_in_pieces_of_one_size() {
        let mut out = Pieces::new(WriteSizes(Cursor::new(Vec::new()), Vec::new()));
        let bytes: Vec<u8> = (0..=250).cycle().take(3 * PIECE + 10).collect();
        for (from, to) in [(0, 5), (5, PIECE + 7), (PIECE + 7, PIECE + 8), (PIECE + 8, bytes.len())] {
            out.write_all(&bytes[from..to]).unwrap();
        }
        out.seek(SeekFrom::Start(2)).unwrap();
        out.write_all(b"head").unwrap();
        let WriteSizes(written, sizes) = out.into_inner().unwrap();
        assert_eq!(sizes, [PIECE, PIECE, PIECE, 10, 4]);
        let written = written.into_inner();
        assert_eq!((&written[..6], &written[6..]), (&[0, 1, b'h', b'e', b'a', b'd'][..], &bytes[6..]));
    }

    #[test]
    fn what_can_not_be_written_is_an_error() {
        let mut small = [0; 10];
        let mut out = Pieces::new(&mut small[..]);
        out.write_all(&[1; 20]).unwrap();
        assert!(out.flush().is_err());
        assert!(Pieces::new(&mut small[..]).write_all(&vec![1; 2 * PIECE]).is_err());
    }

    #[test]
    fn a_file_takes_the_place_of_another() {
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("file"), dir.path().join("other"));
        std::fs::write(&path, "old").unwrap();
        std::fs::write(&other, "other").unwrap();
        super::rename(&other, &path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "other");
        assert!(super::rename(&other, &path).is_err(), "it is gone");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    #[cfg(unix)]
    fn a_file_is_as_readable_as_one_that_is_created_plainly() {
        use super::file_in;
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
        let plain = dir.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        let file = file_in(dir.path(), "tmp_", 0o666).unwrap();
        assert_eq!(mode(file.path()), mode(&plain));
        let file = file_in(dir.path(), "tmp_", 0o444).unwrap();
        assert_eq!(mode(file.path()), mode(&plain) & 0o444);
    }
}
