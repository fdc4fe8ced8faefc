//! Checks where a module with parts is: in `X/mod.rs`, never in `X.rs` beside a folder `X`.
//!
//! Two styles in one folder would make a reader look twice. Tests are no parts: a file whose folder
//! holds only them stays `X.rs`.

use std::collections::BTreeSet;

use crate::tree::File;

/// Folders whose modules are checked.
const CHECKED: [&str; 2] = ["src/", "xtask/"];
/// The façade. It stands beside the folders of the stages, so that `ls src` shows it as a file.
const FACADE: &str = "src/session.rs";
/// The name of a module of tests.
const TESTS: &str = "tests";

/// Complains about each module that is beside the folder of its parts.
pub(crate) fn check(files: &[File]) -> Vec<String> {
    let sources = || {
        let is_checked = |file: &&File| CHECKED.iter().any(|folder| file.path.starts_with(folder));
        files.iter().filter(|file| file.is_rust()).filter(is_checked)
    };
    let folders: BTreeSet<&str> = sources()
        .filter(|file| !is_test(&file.path))
        .filter_map(|file| Some(file.path.rsplit_once('/')?.0))
        .collect();
    let is_beside =
        |file: &&File| file.path.strip_suffix(".rs").is_some_and(|module| folders.contains(module));
    let beside = sources().filter(|file| !is_test(&file.path) && file.path != FACADE).filter(is_beside);
    beside
        .map(|file| {
            let module = file.path.trim_end_matches(".rs");
            format!("{}:1: its parts are in '{module}/': move it to '{module}/mod.rs'", file.path)
        })
        .collect()
}

/// Whether a file is a module of tests, or in the folder of one.
fn is_test(path: &str) -> bool {
    path.trim_end_matches(".rs").split('/').any(|name| name == TESTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(paths: &[&str]) -> Vec<String> {
        check(&paths.iter().map(|path| File::new(path, "//! A.\n")).collect::<Vec<_>>())
    }

    #[test]
    fn a_module_with_parts_is_in_their_folder() {
        assert_eq!(
            complaints(&["src/a.rs", "src/a/b.rs"]),
            ["src/a.rs:1: its parts are in 'src/a/': move it to 'src/a/mod.rs'"]
        );
        assert!(complaints(&["src/a/mod.rs", "src/a/b.rs", "src/c.rs"]).is_empty());
        assert!(complaints(&["src/a.rs", "src/a/page.js", "src/ab/c.rs"]).is_empty());
        assert!(complaints(&[FACADE, "src/session/read.rs"]).is_empty());
    }

    #[test]
    fn tests_are_no_parts() {
        assert!(complaints(&["src/a.rs", "src/a/tests.rs"]).is_empty());
        assert!(complaints(&["src/a/mod.rs", "src/a/tests.rs", "src/a/tests/b.rs"]).is_empty());
        assert!(complaints(&["tests/it/a.rs", "tests/it/a/b.rs"]).is_empty());
    }
}
