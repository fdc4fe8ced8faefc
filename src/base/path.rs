//! Real paths: without links, `.` and `..`.
//!
//! Owns [`real`] and [`below`]. The standard library's `canonicalize` does the same as `real`, but
//! on Windows its paths begin with `\\?\`. Git can't read such a path, and it differs from the path
//! that the user typed.

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

/// Returns an absolute path relative to a directory that it is in; `None` if it is elsewhere.
///
/// Either of both may lead through symbolic links. As in Git, links inside the directory stay as
/// they are, and the path itself need not exist.
pub fn below(root: &Path, path: &Path) -> Option<PathBuf> {
    let root_as_real = real_or_same(root);
    if let Ok(inside) = path.strip_prefix(&root_as_real).or_else(|_| path.strip_prefix(root)) {
        return Some(inside.to_owned());
    }
    // The shortest beginning of the path that is in the directory. The rest stays as it is.
    let inside = |begin: &Path| {
        let rest = path.strip_prefix(begin).ok()?;
        let real = real(begin).ok()?;
        let inside = real.strip_prefix(&root_as_real).ok()?;
        // A join with nothing would end with a slash.
        Some(if rest.as_os_str().is_empty() { inside.to_owned() } else { inside.join(rest) })
    };
    path.ancestors().filter_map(inside).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_through_a_link_is_below_the_directory_that_the_link_leads_to() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let base = real(dir.path()).unwrap();
        for path in ["root/src", "other"] {
            std::fs::create_dir_all(base.join(path)).unwrap();
        }
        for (target, link) in
            [("root", "link"), ("root/src", "deep"), ("other", "root/out"), ("src", "root/in")]
        {
            symlink(base.join(target), base.join(link)).unwrap();
        }
        for (path, expected) in [
            ("root/src/a.rs", Some("src/a.rs")),
            ("root", Some("")),
            ("link", Some("")),
            ("link/src", Some("src")),
            ("link/src/absent/a.rs", Some("src/absent/a.rs")),
            ("deep/a.rs", Some("src/a.rs")),
            ("root/in/a.rs", Some("in/a.rs")),
            ("link/in/a.rs", Some("in/a.rs")),
            ("root/out/a.rs", Some("out/a.rs")),
            ("other/a.rs", None),
            ("absent/a.rs", None),
        ] {
            for root in ["root", "link"] {
                let found = below(&base.join(root), &base.join(path));
                assert_eq!(found.as_deref(), expected.map(Path::new), "{path} in {root}");
            }
        }
    }

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
