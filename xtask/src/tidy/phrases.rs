//! Checks for words that plain English does without, where people read: comments, messages,
//! documents.
//!
//! Identifiers are not looked at. The check's own files and generated documents aren't either: the
//! first hold the words, the second are made from files that are looked at.

use super::allowed::Complaint;
use super::source::prose;
use crate::tree::File;

/// Each phrase, in small letters, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("told", "say who reports what to whom"),
    ("anew", "again, or rebuild"),
    ("mend", "repair"),
    ("mends", "repairs"),
    ("mended", "repaired"),
    ("lies", "is stored in, is in"),
    ("is no", "is not a, or there is no"),
    ("are no", "are not, or there are no"),
    ("so many", "this many, at most n"),
    ("«", "straight quotes"),
    ("»", "straight quotes"),
];

/// Paths that are not looked at.
const EXEMPT: &[&str] =
    &["xtask/src/tidy/", "doc/commands.md", "doc/config.md", "doc/messages.md", "man/", "completions/"];

/// Complains about each such phrase.
pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| is_read(file)) {
        let text = if file.is_rust() { prose(&file.text) } else { file.text.clone() };
        for (ord, line) in text.lines().enumerate() {
            let line = line.to_lowercase();
            for (phrase, instead) in PHRASES {
                for _ in 0..occurrences(&line, phrase) {
                    complaints.push(Complaint {
                        check: "phrase",
                        path: file.path.clone(),
                        text: format!("{}:{}: '{phrase}': write {instead}", file.path, ord + 1),
                    });
                }
            }
        }
    }
    complaints
}

fn is_read(file: &File) -> bool {
    let is_exempt = EXEMPT.iter().any(|path| file.path.starts_with(path));
    let ends = [".rs", ".md", ".py", ".html", ".js", ".toml", ".yml"];
    let is_text = ends.iter().any(|end| file.path.ends_with(end)) || file.path.starts_with("hooks/");
    is_text && !is_exempt && !file.is_sample()
}

/// Counts a phrase as whole words. "there is no X" and "is no longer" are plain English.
fn occurrences(line: &str, phrase: &str) -> usize {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let is_sign = !phrase.starts_with(is_letter);
    line.match_indices(phrase)
        .filter(|(at, _)| {
            let (before, after) = (&line[..*at], &line[at + phrase.len()..]);
            let is_whole = is_sign || (!before.ends_with(is_letter) && !after.starts_with(is_letter));
            let is_plain = phrase.ends_with(" no")
                && (before.ends_with("there ")
                    || [" longer", " more", " less", " later"].iter().any(|w| after.starts_with(w)));
            is_whole && !is_plain
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(path: &str, text: &str) -> usize {
        check(&[File::new(path, text)]).len()
    }

    #[test]
    fn phrases_are_whole_words_of_prose() {
        let cases = [
            ("README.md", "The user is told twice, told.", 2),
            ("README.md", "Retold, amended, families, newanew", 0),
            ("README.md", "Lies in wait", 1),
            ("README.md", "this is no list; there is no list; it is no longer one", 1),
            ("README.md", "«a»", 2),
            ("src/a.rs", "let told = lies(anew);", 0),
            ("src/a.rs", "let x = \"told\"; // anew", 2),
            ("src/a.rs", "/// So many\nfn told() {}", 1),
            ("doc/commands.md", "told", 0),
            ("tests/fixtures/a.md", "told", 0),
            ("hooks/post-commit", "# told", 1),
        ];
        for (path, text, expected) in cases {
            assert_eq!(n(path, text), expected, "{path}: {text}");
        }
        let complaint = &check(&[File::new("README.md", "\nmend it")])[0];
        assert_eq!(complaint.text, "README.md:2: 'mend': write repair");
    }
}
