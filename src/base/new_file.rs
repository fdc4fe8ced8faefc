//! Files that get their name when they are complete, and atomic writes of whole files.
//!
//! Owns `NewFile`, and what writes a file with it. On Linux, such a file has no name before
//! (`O_TMPFILE`, see `open(2)`). So a process that is killed leaves nothing behind, and `git gc
//! --prune=now` can't delete a file that another process is writing. Other systems, and file
//! systems that can't do this, use a temporary name.
#![allow(clippy::disallowed_methods, reason = "owns the naming of files")]

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::sharing::{self, Sharing};
use super::tempfile::{file_in, folder_of, rename};

/// A file that is being written. It is gone if it is dropped before [`NewFile::persist`].
#[derive(Debug)]
pub(crate) struct NewFile {
    file: File,
    /// The temporary name; `None` for a file without one.
    name: Option<TempPath>,
    dir: PathBuf,
    /// Beginning of a temporary name.
    prefix: &'static str,
    mode: u32,
}

impl NewFile {
    /// Creates a file in `dir`, with the permissions `mode` less the user's umask. If it needs a
    /// temporary name, that begins with `prefix`.
    ///
    /// # Errors
    /// Any error of creating a file there.
    pub(crate) fn in_dir(dir: &Path, prefix: &'static str, mode: u32) -> io::Result<Self> {
        match unnamed(dir, mode) {
            Some(file) => {
                sharing::give_to_owner(&file, dir);
                Ok(Self { file, name: None, dir: dir.to_owned(), prefix, mode })
            }
            None => Self::named(dir, prefix, mode),
        }
    }

    /// Creates a file with a temporary name.
    ///
    /// # Errors
    /// Any error of creating a file in `dir`.
    pub(crate) fn named(dir: &Path, prefix: &'static str, mode: u32) -> io::Result<Self> {
        let (file, name) = file_in(dir, prefix, mode)?.into_parts();
        Ok(Self { file, name: Some(name), dir: dir.to_owned(), prefix, mode })
    }

    /// Returns the file.
    pub(crate) fn as_file(&self) -> &File {
        &self.file
    }

    /// Returns the file.
    pub(crate) fn as_file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Returns the temporary name, if the file needs one.
    #[cfg(test)]
    pub(crate) fn temporary_name(&self) -> Option<&Path> {
        self.name.as_deref()
    }

    /// Returns the file's whole content. Moves its position to the end.
    ///
    /// # Errors
    /// Any error of reading it.
    pub(crate) fn content(&mut self) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        self.file.rewind()?;
        self.file.read_to_end(&mut content)?;
        Ok(content)
    }

    /// Gives the file the permissions of a shared repository.
    ///
    /// # Errors
    /// Any error of reading and changing the permissions.
    pub(crate) fn share(&self, sharing: Sharing) -> io::Result<()> {
        sharing.apply_to_file(&self.file)
    }

    /// Gives the file its name, in place of whatever has the name now. Returns the file of that
    /// name, at its end: it may be a copy.
    ///
    /// # Errors
    /// Any error of naming it. Nothing is left of the file then.
    pub(crate) fn persist(mut self, path: &Path) -> io::Result<File> {
        let name = match self.name.take() {
            Some(name) => name,
            None => match link(&self.file, path) {
                Ok(()) => return Ok(self.file),
                Err(error) if error.kind() == io::ErrorKind::NotFound && !self.dir.is_dir() => {
                    return Err(error);
                }
                // Another file has the name, and only a rename replaces that.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.linked()?,
                // The system can't give a name to this file.
                Err(_) => self.copied()?,
            },
        };
        rename(&name, path)?;
        drop(name.keep());
        Ok(self.file)
    }

    /// Gives the file a temporary name.
    fn linked(&mut self) -> io::Result<TempPath> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(self.prefix);
        match builder.make_in(&self.dir, |path| link(&self.file, path)) {
            Ok(linked) => Ok(linked.into_temp_path()),
            Err(_) => self.copied(),
        }
    }

    /// Becomes a copy with a temporary name, and returns that.
    fn copied(&mut self) -> io::Result<TempPath> {
        let (mut copy, name) = file_in(&self.dir, self.prefix, self.mode)?.into_parts();
        self.file.rewind()?;
        io::copy(&mut self.file, &mut copy)?;
        copy.set_permissions(self.file.metadata()?.permissions())?;
        self.file = copy;
        Ok(name)
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Writes a whole file atomically: a reader sees either the old content or all of `bytes`.
///
/// `prefix` and `mode` are as in [`file_in`]; `sharing` adds permissions.
///
/// # Errors
/// Any error of creating, writing and renaming a file in the same folder. No temporary file is left
/// behind.
pub(crate) fn write(
    path: &Path,
    prefix: &'static str,
    mode: u32,
    sharing: Sharing,
    bytes: &[u8],
) -> io::Result<()> {
    let mut file = NewFile::in_dir(folder_of(path), prefix, mode)?;
    file.write_all(bytes)?;
    file.share(sharing)?;
    file.persist(path).map(drop)
}

/// Prefix of the temporary file of a file that belongs to the user.
const PREFIX: &str = ".cora-";

/// Writes a new file of the user atomically, in place of whatever has the name now.
///
/// The file gets the permissions that the user's umask allows. With `is_program`, everyone who may
/// read the file may also run it.
///
/// # Errors
/// Any error of creating, writing and renaming a file in the same folder. The old content is then
/// unchanged.
pub fn create(path: &Path, is_program: bool, bytes: &[u8]) -> io::Result<()> {
    write(path, PREFIX, if is_program { 0o777 } else { 0o666 }, Sharing::Umask, bytes)
}

/// Writes a whole file of the user atomically. An existing file keeps its permissions.
///
/// # Errors
/// Any error of creating, writing and renaming a file in the same folder. The old content is then
/// unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Some(found) = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file) else {
        return create(path, false, bytes);
    };
    let mut file = NewFile::in_dir(folder_of(path), PREFIX, 0o600)?;
    file.write_all(bytes)?;
    file.as_file().set_permissions(found.permissions())?;
    file.persist(path).map(drop)
}

/// Creates a file without a name in `dir`; `None` if the system can't, or if anything else fails.
#[cfg(target_os = "linux")]
fn unnamed(dir: &Path, mode: u32) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    open(dir, flags, Mode::from_raw_mode(mode)).ok().map(File::from)
}

/// Returns `None`: this system has no files without a name.
#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path, _: u32) -> Option<File> {
    None
}

/// Gives a name to a file that has none. `/proc` is the way that needs no privilege.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd as _;
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Fails: this system has no files without a name.
#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(dir).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_takes_its_name_and_replaces_another() {
        type Create = fn(&Path, &'static str, u32) -> io::Result<NewFile>;
        for create in [NewFile::in_dir as Create, NewFile::named] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("file");
            for text in ["old", "new"] {
                let mut file = create(dir.path(), "tmp_", 0o444).unwrap();
                file.write_all(text.as_bytes()).unwrap();
                assert_eq!(file.content().unwrap(), text.as_bytes());
                file.persist(&path).unwrap();
                assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
                assert_eq!(names(dir.path()), ["file"]);
            }
            drop(create(dir.path(), "tmp_", 0o444).unwrap());
            assert_eq!(names(dir.path()), ["file"]);
        }
    }

    #[test]
    fn a_file_that_can_not_be_named_is_copied() {
        let dir = tempfile::tempdir().unwrap();
        let mut file = NewFile::in_dir(dir.path(), "tmp_", 0o444).unwrap();
        file.write_all(b"content").unwrap();
        let copy = file.copied().unwrap();
        assert_eq!(std::fs::read(&copy).unwrap(), b"content");
        // What is written later goes to the copy.
        file.write_all(b"!").unwrap();
        assert_eq!(std::fs::read(&copy).unwrap(), b"content!");
        drop((copy, file));
        assert_eq!(names(dir.path()), Vec::<String>::new());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_has_no_name_before_it_is_complete() {
        let dir = tempfile::tempdir().unwrap();
        let file = NewFile::in_dir(dir.path(), "tmp_", 0o444).unwrap();
        // A file system without such files has one with a temporary name.
        assert_eq!(names(dir.path()).len(), usize::from(file.temporary_name().is_some()));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_has_the_permissions_of_one_with_a_temporary_name() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (path, other) = (dir.path().join("file"), dir.path().join("other"));
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode();
        for (wanted, sharing) in
            [(0o444, Sharing::Umask), (0o666, Sharing::Umask), (0o444, Sharing::Least(0o660))]
        {
            let (file, named) = (
                NewFile::in_dir(dir.path(), "tmp_", wanted).unwrap(),
                NewFile::named(dir.path(), "tmp_", wanted).unwrap(),
            );
            for (file, path) in [(file, &path), (named, &other)] {
                file.share(sharing).unwrap();
                file.persist(path).unwrap();
            }
            assert_eq!(mode(&path), mode(&other), "{wanted:o}");
        }
    }

    #[test]
    fn a_folder_that_is_gone_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = NewFile::in_dir(dir.path(), "tmp_", 0o444).unwrap();
        let path = dir.path().join("file");
        drop(dir);
        assert!(file.persist(&path).is_err());
        assert!(NewFile::in_dir(path.parent().unwrap(), "tmp_", 0o444).is_err());
    }

    /// Elsewhere an open file can be renamed and replaced.
    #[test]
    #[cfg(windows)]
    fn a_file_that_somebody_has_open_for_a_moment_is_replaced() {
        use std::os::windows::fs::OpenOptionsExt as _;
        /// `FILE_SHARE_READ`: others may read the file, but not replace it.
        const READ: u32 = 1;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, "old").unwrap();
        let open = || std::fs::File::options().read(true).share_mode(READ).open(&path).unwrap();
        let scanner = open();
        let closes = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(5));
            drop(scanner);
        });
        create(&path, false, b"new").unwrap();
        closes.join().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        let _scanner = open();
        assert!(create(&path, false, b"newer").is_err(), "nobody waits for long");
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_is_replaced_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o7777;
        replace(&path, b"new").unwrap();
        let plain = dir.path().join("plain");
        std::fs::write(&plain, "").unwrap();
        let usual = mode(&plain);
        assert_eq!(mode(&path), usual);
        for before in [0o640, 0o500, 0o775, 0o666] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(before)).unwrap();
            replace(&path, b"other").unwrap();
            assert_eq!((mode(&path), std::fs::read(&path).unwrap()), (before, b"other".to_vec()));
        }
        create(&path, true, b"program").unwrap();
        assert_eq!(mode(&path), usual | (usual & 0o444) >> 2);
        // A link is replaced, and its target stays.
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("plain", &path).unwrap();
        replace(&path, b"mine").unwrap();
        assert!(!path.is_symlink() && std::fs::read(&plain).unwrap().is_empty());
    }
}
