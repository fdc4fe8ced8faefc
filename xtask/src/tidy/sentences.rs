//! Checks the length of sentences in text for users: at most 30 words.
//!
//! The README, the guides, the changelog, and the references that `codegen` makes of help texts and
//! messages. A paragraph, a list item and a table cell end a sentence. Code blocks don't count, and
//! a code span counts as one word.

use super::allowed::Complaint;
use crate::tree::File;

const MOST_WORDS: usize = 30;
/// Files and directories with text for users.
const FOR_USERS: &[&str] =
    &["CHANGELOG.md", "README.md", "doc/commands.md", "doc/config.md", "doc/guide/", "doc/messages.md"];

/// Text that belongs together: a paragraph, a list item or a table cell.
#[derive(Debug, Default, PartialEq, Eq)]
struct Passage {
    /// First line, 1-based.
    line: usize,
    text: String,
}

/// Complains about each longer sentence.
pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let is_for_users =
        |file: &&File| file.path.ends_with(".md") && FOR_USERS.iter().any(|path| file.path.starts_with(path));
    for file in files.iter().filter(is_for_users) {
        for Passage { line, text } in passages(&file.text) {
            for (words, begin) in sentences(&text) {
                if words > MOST_WORDS {
                    let text = format!(
                        "{}:{line}: {words} words in a sentence, at most {MOST_WORDS}: '{begin} …'",
                        file.path
                    );
                    complaints.push(Complaint { check: "sentence", path: file.path.clone(), text });
                }
            }
        }
    }
    complaints
}

/// Takes Markdown apart.
fn passages(markdown: &str) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for (ord, line) in markdown.lines().enumerate() {
        let line_number = ord + 1;
        let text = line.trim();
        if text.starts_with("```") {
            is_code = !is_code;
            is_open = false;
        } else if is_code || text.is_empty() {
            is_open = false;
        } else if let Some(row) = text.strip_prefix('|') {
            let row = without_code(&row.replace("\\|", " "));
            found.extend(row.split('|').map(|cell| Passage { line: line_number, text: cell.to_owned() }));
            is_open = false;
        } else if let Some(last) = found.last_mut().filter(|_| is_open && !begins(text)) {
            last.text.push(' ');
            last.text.push_str(text);
        } else {
            found.push(Passage { line: line_number, text: text.to_owned() });
            is_open = !text.starts_with('#');
        }
    }
    found.iter_mut().for_each(|one| one.text = without_code(&one.text));
    found
}

/// Returns whether a line begins a list item, a heading or a quotation.
fn begins(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "#", ">"].iter().any(|sign| line.starts_with(sign))
        || number.len() < line.len() && number.starts_with(". ")
}

/// Puts one word in place of each code span and each target of a link.
fn without_code(text: &str) -> String {
    let mut spans = text.split('`').enumerate();
    let mut plain: String =
        spans.by_ref().map(|(at, part)| if at % 2 == 0 { part } else { "code" }).collect();
    while let Some(start) = plain.find("](") {
        let end = plain[start..].find(')').map_or(plain.len(), |end| start + end + 1);
        plain.replace_range(start..end, "");
    }
    plain
}

/// Returns the sentences of a passage: the number of words, and the first of them.
fn sentences(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        if word.contains(char::is_alphanumeric) {
            words.push(word);
        }
        let is_end = word.trim_end_matches(['"', '\'', ')', '*', '_', ']']).ends_with(['.', '!', '?']);
        if is_end {
            found.push(std::mem::take(&mut words));
        }
    }
    found.push(words);
    let begin = |words: &[&str]| words.iter().take(5).copied().collect::<Vec<_>>().join(" ");
    found.iter().filter(|words| !words.is_empty()).map(|words| (words.len(), begin(words))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(path: &str, text: &str) -> usize {
        check(&[File::new(path, text)]).len()
    }

    #[test]
    fn a_sentence_has_thirty_words_at_most() {
        let words = |n: usize| vec!["word"; n].join(" ");
        let cases = [
            (format!("{}.", words(30)), 0),
            (format!("{}.", words(31)), 1),
            (format!("{}\n{}.", words(16), words(16)), 1),
            (format!("{}. {}!", words(16), words(16)), 0),
            (format!("({}.) {}", words(16), words(16)), 0),
            (format!("{}\n\n{}", words(16), words(16)), 0),
            (format!("# {}\n{}", words(16), words(16)), 0),
            (format!("- {}\n- {}\n", words(16), words(16)), 0),
            (format!("{}:\n1. {}\n", words(16), words(16)), 0),
            (format!("- {}\n  {}\n", words(16), words(16)), 1),
            (format!("| {} | {} |", words(16), words(16)), 0),
            (format!("| a | {} |", words(31)), 1),
            (format!("{} `a b c d e f` [see](a b c) {}", words(14), words(14)), 0),
            (format!("{} `a. b` {}", words(15), words(15)), 1),
            (format!("```\n{}\n```\n{}", words(31), words(30)), 0),
            (format!("{} - — {}", words(15), words(15)), 0),
        ];
        for (text, expected) in cases {
            assert_eq!(n("doc/guide/a.md", &text), expected, "{text}");
        }
        assert_eq!(n("doc/design/0001-a.md", &words(31)), 0, "not for users");
        let complaint = &check(&[File::new("README.md", &format!("\n{}", words(31)))])[0];
        assert!(complaint.text.starts_with("README.md:2: 31 words in a sentence, at most 30"));
    }
}
