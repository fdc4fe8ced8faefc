//! Checks module heads: every Rust file begins with `//!`, and a file above 600 lines explains its
//! length there. A few files have a limit of their own.
//!
//! The excuse is a fixed phrase, so that it can be searched for.

use crate::tree::File;

const MAX_LINES: usize = 600;
const EXCUSE: &str = "Longer than 600 lines because";
/// Files with a limit of their own, which no excuse lifts, and why.
const OWN_LIMITS: &[(&str, usize, &str)] =
    &[("src/session.rs", 300, "the façade delegates: move what is new into a stage")];

/// Complains about files without a head, and about long files without an excuse.
pub(crate) fn check(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        if !file.text.starts_with("//!") {
            complaints.push(format!("{}:1: does not begin with a `//!` head", file.path));
        }
        let n_lines = file.text.lines().count();
        let mut head = file.text.lines().take_while(|line| line.starts_with("//!"));
        if n_lines > MAX_LINES && !head.any(|line| line.contains(EXCUSE)) {
            complaints.push(format!(
                "{}:{n_lines}: more than {MAX_LINES} lines: split it, or let its head say '{EXCUSE} …'",
                file.path
            ));
        }
        let own = OWN_LIMITS.iter().find(|(path, ..)| *path == file.path);
        if let Some((_, most, why)) = own.filter(|(_, most, _)| n_lines > *most) {
            complaints.push(format!("{}:{n_lines}: more than {most} lines: {why}", file.path));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_expected_everywhere_but_in_samples() {
        assert!(check(&[File::new("src/a.rs", "//! A.\n")]).is_empty());
        assert_eq!(check(&[File::new("tests/it/main.rs", "\n//! A.\n")]).len(), 1);
        assert_eq!(check(&[File::new("src/a.rs", "")]).len(), 1);
        assert!(check(&[File::new("tests/fixtures/a.rs", "fn a() {}\n")]).is_empty());
        assert!(check(&[File::new("hooks/post-commit", "#!/bin/sh\n")]).is_empty());
    }

    #[test]
    fn a_long_file_needs_an_excuse_in_its_head() {
        let long = format!("//! A.\n{}", "\n".repeat(599));
        assert!(check(&[File::new("src/a.rs", &long)]).is_empty());
        let longer = format!("{long}\n");
        assert_eq!(check(&[File::new("src/a.rs", &longer)]).len(), 1);
        let excused = format!("//! {EXCUSE} it is a table.\n{longer}");
        assert!(check(&[File::new("src/a.rs", &excused)]).is_empty());
        let session =
            |n: usize| check(&[File::new("src/session.rs", &format!("//! {EXCUSE} x\n{}", "\n".repeat(n)))]);
        assert_eq!((session(299).len(), session(300).len()), (0, 1));
        let too_late = format!("{longer}// {EXCUSE} nobody looked.\n");
        assert_eq!(check(&[File::new("src/a.rs", &too_late)]).len(), 1);
    }
}
