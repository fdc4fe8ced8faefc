//! Checks documents that rest on something else: the tests that `SECURITY.md` names exist, and
//! every action of a workflow is pinned by the hash of a commit.

use crate::tree::File;

/// The document whose points name their tests.
const SECURITY: &str = "SECURITY.md";

/// Complains about each claim that nothing holds.
pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut complaints = named_tests(files);
    let is_run = |path: &str| path.starts_with(".github/workflows/") || path == "action.yml";
    for file in files.iter().filter(|file| is_run(&file.path)) {
        let lines = file.text.lines().enumerate();
        let uses = lines.filter_map(|(ord, line)| {
            Some((ord + 1, line.trim().trim_start_matches("- ").strip_prefix("uses:")?.trim()))
        });
        let unpinned = uses.filter(|(_, action)| !is_pinned(action));
        complaints.extend(unpinned.map(|(line, action)| {
            format!(
                "{}:{line}: '{action}' is not pinned: expected 'owner/name@<40 hex digits> # <release>'",
                file.path
            )
        }));
    }
    complaints
}

/// Returns whether an action is pinned by a commit, with its release behind it, or is in this
/// repository.
fn is_pinned(action: &str) -> bool {
    let Some((place, rest)) = action.split_once('@') else { return action.starts_with("./") };
    let Some((hash, release)) = rest.split_once(" # ") else { return false };
    let is_hash = hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    place.contains('/') && is_hash && release.starts_with('v')
}

/// Complains about each test that a table names and no file has, and about each row without a test.
fn named_tests(files: &[File]) -> Vec<String> {
    let Some(document) = files.iter().find(|file| file.path == SECURITY) else { return Vec::new() };
    let mut complaints = Vec::new();
    let mut is_table = false;
    for (ord, line) in document.text.lines().enumerate() {
        if line.trim() == "| point | test |" {
            is_table = true;
            continue;
        }
        is_table &= line.starts_with('|');
        if !is_table || line.starts_with("|---") {
            continue;
        }
        let cell = line.trim().trim_end_matches('|').rsplit_once('|').map_or("", |(_, cell)| cell);
        let mut names = Vec::new();
        let mut n_tests = 0;
        for word in cell.split('`').skip(1).step_by(2) {
            let Some(file) = files.iter().find(|file| file.path == word) else {
                if word.contains('/') {
                    complaints.push(format!("{SECURITY}:{}: there is no '{word}'", ord + 1));
                }
                names.push(word);
                continue;
            };
            n_tests += names.len();
            let missing = names.drain(..).filter(|name| !file.text.contains(&format!("fn {name}(")));
            complaints
                .extend(missing.map(|name| format!("{SECURITY}:{}: '{word}' has no test '{name}'", ord + 1)));
        }
        if n_tests == 0 || !names.is_empty() {
            complaints.push(format!("{SECURITY}:{}: expected tests, each with its file", ord + 1));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_tests_that_exist() {
        let code = File::new("tests/it/a.rs", "//! A.\nfn one() {}\nfn two() {}\n");
        let table = |rows: &str| {
            let text = format!(
                "| other | table |\n|---|---|\n| a | b |\n\n| point | test |\n|---|---|\n{rows}\n\ntext\n"
            );
            check(&[File::new(SECURITY, &text), code.clone()])
        };
        assert_eq!(table("| a `x` | `one`, `two` (`tests/it/a.rs`) |"), Vec::<String>::new());
        assert_eq!(
            table("| a | `three` (`tests/it/a.rs`) |"),
            ["SECURITY.md:7: 'tests/it/a.rs' has no test 'three'"]
        );
        assert_eq!(table("| a | `on` (`tests/it/a.rs`) |").len(), 1);
        assert!(table("| a | `one` (`tests/it/b.rs`) |")[0].contains("there is no 'tests/it/b.rs'"));
        assert_eq!(table("| a | |").len(), 1);
        assert_eq!(table("| a | `one` |").len(), 1);
        assert!(check(std::slice::from_ref(&code)).is_empty());
    }

    #[test]
    fn actions_are_pinned_by_commit() {
        let hash = "3d3c42e5aac5ba805825da76410c181273ba90b1";
        let n = |uses: &str| {
            check(&[File::new(".github/workflows/a.yml", &format!("    - uses: {uses}\n"))]).len()
        };
        assert_eq!(n(&format!("actions/checkout@{hash} # v7.0.1")), 0);
        assert_eq!(n("./.github/actions/a"), 0);
        for bad in [
            "actions/checkout@v7".to_owned(),
            format!("actions/checkout@{hash}"),
            format!("a/b@{} # v1", &hash[1..]),
        ] {
            assert_eq!(n(&bad), 1, "{bad}");
        }
    }
}
