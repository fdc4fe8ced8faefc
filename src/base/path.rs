//! Real paths: without links, `.` and `..`.
//!
//! Owns [`real`]. The standard library's `canonicalize` does the same, but on Windows its paths
//! begin with `\\?\`. Git can't read such a path, and it differs from the path that the user typed.

use std::io;
use std::path::{Path, PathBuf};

/// Returns the real path of a file or directory that exists.
///
/// # Errors
/// Any error of looking it up.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    dunce::canonicalize(path)
}

/// Returns the real path, or the path itself if it can't be looked up.
pub fn real_or_same(path: &Path) -> PathBuf {
    real(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_real_path_begins_as_people_and_git_write_it() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("inner")).unwrap();
        let found = real(&dir.path().join("inner/../inner")).unwrap();
        assert!(found.ends_with("inner") && found.is_absolute(), "{}", found.display());
        assert!(!found.to_string_lossy().starts_with(r"\\?\"), "{}", found.display());
        let absent = dir.path().join("absent");
        assert!(real(&absent).is_err());
        assert_eq!(real_or_same(&absent), absent);
    }
}
