//! Temporary files that are to be given their name later, as readable as the user's mask allows: what lies in a repository is
//! for all who share it.

use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

/// A temporary file in `dir` whose name begins with `prefix`, with the permissions `mode` less the user's mask; systems other
/// than Unix give what they give.
///
/// # Errors
/// As creating a file there.
pub(crate) fn file_in(dir: &Path, prefix: &str, mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    builder.permissions(<std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder.tempfile_in(dir)
}

/// Writes a whole file in one step: whoever reads it finds what was there before, or all of `bytes`. `prefix` and `mode` are as
/// in [`file_in`].
///
/// # Errors
/// As creating, writing and renaming a file in the same folder; nothing is left of it then.
pub(crate) fn write(path: &Path, prefix: &str, mode: u32, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = file_in(folder, prefix, mode)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::file_in;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_as_readable_as_one_that_is_created_plainly() {
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
