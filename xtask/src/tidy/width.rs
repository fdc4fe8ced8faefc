//! Checks the width of prose: comment lines and Markdown have at most 100 columns.
//!
//! Code is rustfmt's. Tables, code blocks and what a link or an address takes can't be wrapped and
//! don't count, and neither do documents that are generated from help texts.

use super::allowed::Complaint;
use crate::tree::File;

/// Maximum width in characters.
const MOST_COLUMNS: usize = 100;
/// Documents that `codegen` writes.
const GENERATED: &[&str] = &["doc/commands.md", "doc/config.md"];
/// Ends of the names of files whose comments begin with `#`.
const HASHED: &[&str] = &[".py", ".sh", ".toml", ".yml", ".yaml", ".gitattributes", ".ci/run"];

/// Complains about each line of prose that is too wide.
pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| !file.is_sample() && !GENERATED.contains(&file.path.as_str())) {
        let Some(comment) = comment_of(&file.path) else { continue };
        let mut is_code = false;
        for (ord, line) in file.text.lines().enumerate() {
            let Some(prose) = comment(line) else {
                is_code = false;
                continue;
            };
            let is_fence = prose.starts_with("```");
            is_code ^= is_fence;
            let n_columns = columns(line);
            if !is_code && !is_fence && !prose.starts_with('|') && n_columns > MOST_COLUMNS {
                complaints.push(Complaint {
                    check: "width",
                    path: file.path.clone(),
                    text: format!(
                        "{}:{}: {n_columns} columns of prose, at most {MOST_COLUMNS}",
                        file.path,
                        ord + 1
                    ),
                });
            }
        }
    }
    complaints
}

/// Returns what gives the prose of a line of this file, if the line has some.
fn comment_of(path: &str) -> Option<fn(&str) -> Option<&str>> {
    if path.ends_with(".md") {
        return Some(|line| Some(line.trim()));
    }
    if path.ends_with(".rs") {
        return Some(|line| {
            let comment = line.trim().strip_prefix("//")?;
            Some(comment.trim_start_matches(['/', '!']).trim())
        });
    }
    let is_hashed = HASHED.iter().any(|end| path.ends_with(end)) || path.starts_with("hooks/");
    is_hashed.then_some(|line| Some(line.trim().strip_prefix('#')?.trim()))
}

/// Returns the width of a line without the targets of its links and without addresses.
fn columns(line: &str) -> usize {
    let mut n = 0;
    let mut rest = line.trim_end();
    while let Some((before, after)) = rest.split_once("](") {
        n += before.chars().count() + 1;
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    let addresses = rest.split_whitespace().filter(|word| word.contains("://"));
    n + rest.chars().count() - addresses.map(|word| word.chars().count()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(path: &str, text: &str) -> usize {
        check(&[File::new(path, text)]).len()
    }

    #[test]
    fn prose_is_narrow_and_code_is_not_looked_at() {
        let wide = "w ".repeat(51);
        assert_eq!(n("src/a.rs", &format!("//! {}", "é".repeat(96))), 0);
        assert_eq!(n("src/a.rs", &format!("//! {}", "é".repeat(97))), 1);
        let cases = [
            ("src/a.rs", format!("    // {wide}"), 1),
            ("src/a.rs", format!("let x = \"{wide}\";"), 0),
            ("src/a.rs", format!("/// | {wide} |"), 0),
            ("src/a.rs", format!("//! ```text\n//! {wide}\n//! ```\n//! {wide}"), 1),
            // A fence that stays open ends with its comment.
            ("src/a.rs", format!("//! ```\n//! x\nfn f() {{}}\n// {wide}"), 1),
            ("README.md", wide.clone(), 1),
            ("README.md", format!("```sh\n{wide}\n```\n| {wide} |"), 0),
            ("README.md", format!("see [a](https://example.org/{})", "x".repeat(90)), 0),
            ("README.md", format!("see https://example.org/{}", "x".repeat(90)), 0),
            ("README.md", format!("see [{wide}](x)"), 1),
            ("deny.toml", format!("# {wide}"), 1),
            ("deny.toml", format!("a = \"{wide}\""), 0),
            ("hooks/post-commit", format!("  # {wide}"), 1),
            ("doc/commands.md", wide.clone(), 0),
            ("tests/fixtures/a.md", wide.clone(), 0),
            ("man/git-cora.1", wide, 0),
        ];
        for (path, text, expected) in cases {
            assert_eq!(n(path, &text), expected, "{path}: {text}");
        }
    }
}
