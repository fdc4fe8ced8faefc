//! Citations: a model's text and the number of pieces of evidence → text in which every citation
//! exists.
//!
//! A citation is `[3]`, `[1, 2]`, `[1-3]`, `[^3]` or `【3†…】` outside code. The output has only the
//! form `[3]`. Code is text between matching backticks on one line, or between fences: `argv[1]` is
//! not a citation there. Control characters become visible, because the model may repeat them from
//! the repository.

use serde::Serialize;

use crate::answer::view;

/// The mark after a statement without a citation.
const MARK: &str = " [?]";

/// Minimum number of words of a statement.
const LEAST_WORDS: usize = 3;

/// Maximum number of passes over a line. A model does not nest citations; a line that needs more
/// passes is left out.
const MOST_PASSES: usize = 16;

/// A statement without a citation.
pub type UnsupportedClaim = String;

/// A text with checked citations.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CheckedText {
    /// The text. Statements without a citation end with `[?]`.
    pub text: String,
    /// The cited numbers, each once, sorted.
    pub cited: Vec<usize>,
    /// Removed citations, as the model wrote them.
    pub removed: Vec<String>,
    /// Statements without a citation.
    pub unsupported: Vec<UnsupportedClaim>,
}

/// Checks a text whose citations may be 1 to `n`, both included.
///
/// ```
/// let answer = "It opens the file first [1]. Then it reads all of it [7].";
/// let checked = git_cora::answer::ask::check(answer, 2);
/// assert_eq!(checked.text, "It opens the file first [1]. Then it reads all of it. [?]");
/// assert_eq!(checked.removed, ["[7]"]);
/// ```
pub fn check(text: &str, n: usize) -> CheckedText {
    let mut checked = CheckedText::default();
    // Expand tabs first: `visible` would replace them by stand-ins.
    let lines: Vec<String> =
        text.lines().map(|line| view::visible(&line.replace('\t', "    ")).into_owned()).collect();
    let is_fence = |line: &str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    let fences: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| is_fence(line)).map(|(at, _)| at).collect();
    let mut in_code = vec![false; lines.len()];
    for [open, close] in fences.as_chunks::<2>().0 {
        in_code.get_mut(*open..=*close).unwrap_or_default().fill(true);
    }
    let mut out: Vec<String> = Vec::new();
    for (line, in_code) in lines.into_iter().zip(in_code) {
        if in_code {
            out.push(line);
            continue;
        }
        let mut left = settled(&line, n, &mut checked);
        // A fence behind a removed citation would turn what follows into code, and code into text.
        if is_fence(&left) && !is_fence(&line) {
            left.insert_str(0, MARK);
        }
        out.push(mark(&left, &mut checked.unsupported));
    }
    checked.text = out.join("\n").trim().to_owned();
    checked.cited.sort_unstable();
    checked.cited.dedup();
    checked
}

/// Returns a line without citations that do not exist, however they are nested: what stood around a
/// removed citation may be one itself, as in `[3[3]]`.
fn settled(line: &str, n: usize, checked: &mut CheckedText) -> String {
    let (n_cited, n_removed) = (checked.cited.len(), checked.removed.len());
    let mut line = line.to_owned();
    for _ in 0..MOST_PASSES {
        let before = checked.removed.len();
        line = rewrite(&line, n, checked);
        if checked.removed.len() == before {
            return line;
        }
    }
    checked.cited.truncate(n_cited);
    checked.removed.truncate(n_removed);
    checked.removed.push("[…]".to_owned());
    String::new()
}

/// Returns a line with citations in the form `[3]`, and without those that do not exist.
fn rewrite(line: &str, n: usize, checked: &mut CheckedText) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    // Known from the start, because looking for it after each citation may take long.
    let last_close = line.rfind(')');
    while let Some(c) = rest.chars().next() {
        if c == '`' {
            let ticks = rest.len() - rest.trim_start_matches('`').len();
            let (open, after) = rest.split_at(ticks);
            // A run of the same length closes it.
            if let Some(end) = closing(after, ticks) {
                let (code, after) = after.split_at(end);
                out.push_str(open);
                out.push_str(code);
                rest = after;
                continue;
            }
            out.push_str(open);
            rest = after;
            continue;
        }
        if let Some((written, numbers)) = citation(rest) {
            let mut valid: Vec<usize> = Vec::new();
            for number in numbers {
                match number {
                    Some(number) if (1..=n).contains(&number) => {
                        if !valid.contains(&number) {
                            valid.push(number);
                        }
                    }
                    Some(number) => checked.removed.push(format!("[{number}]")),
                    None => checked.removed.push(written.to_owned()),
                }
            }
            if valid.is_empty() {
                out.truncate(out.trim_end().len());
            }
            for number in valid {
                out.push_str(&format!("[{number}]"));
                checked.cited.push(number);
            }
            rest = rest.get(written.len()..).unwrap_or_default();
            // Drop a link target, so that the model can't make the citation lead elsewhere.
            if let Some(target) = rest.strip_prefix('(')
                && last_close.is_some_and(|at| line.len() - target.len() <= at)
                && let Some(end) = target.find(')')
            {
                rest = target.get(end + 1..).unwrap_or_default();
            }
            continue;
        }
        out.push(c);
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    out
}

/// Returns the end of the first run of exactly `ticks` backticks in `text`, in bytes.
fn closing(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = text.get(at..)?.find('`') {
        let start = at + found;
        let run = text.get(start..)?.len() - text.get(start..)?.trim_start_matches('`').len();
        at = start + run;
        if run == ticks {
            return Some(at);
        }
    }
    None
}

/// Returns the citation at the start of a text, as written, and its numbers.
///
/// A number that is too large and an invalid range are `None` in the list.
fn citation(text: &str) -> Option<(&str, Vec<Option<usize>>)> {
    let (inside, close, lenient) = match text.strip_prefix('[') {
        Some(inside) => (inside, ']', false),
        None => (text.strip_prefix('【')?, '】', true),
    };
    let is_list = |c: char| c.is_ascii_digit() || c == ' ' || ",;-–".contains(c);
    // Stop at the first character that no citation has, not at the end of the line.
    let is_inside =
        |c: char| if lenient { !"【】".contains(c) } else { is_list(c) || c == '^' || c.is_whitespace() };
    let end = inside
        .find(|c| !is_inside(c))
        .filter(|end| inside.get(*end..).is_some_and(|rest| rest.starts_with(close)))?;
    let written = text.get(..text.len() - inside.len() + end + close.len_utf8())?;
    let list = inside.get(..end)?.trim().trim_start_matches('^');
    // Keep only the number of `【3†source】`.
    let list = if lenient { list.split('†').next().unwrap_or_default() } else { list };
    if !list.chars().any(|c| c.is_ascii_digit()) || !list.chars().all(is_list) {
        return None;
    }
    let mut numbers = Vec::new();
    for one in list.split([',', ';']).map(str::trim).filter(|one| !one.is_empty()) {
        let ends: Vec<&str> = one.split(['-', '–']).map(str::trim).collect();
        let parsed: Vec<Option<usize>> = ends.iter().map(|end| end.parse().ok()).collect();
        match parsed.as_slice() {
            [Some(from), Some(to)] if from <= to && to - from < 50 => numbers.extend((*from..=*to).map(Some)),
            [one] => numbers.push(*one),
            _ => numbers.push(None),
        }
    }
    Some((written, numbers))
}

/// Returns a line with a mark after each statement that has no citation.
fn mark(line: &str, unsupported: &mut Vec<UnsupportedClaim>) -> String {
    let trimmed = line.trim();
    let is_title = trimmed.starts_with('#') || trimmed.starts_with("**") && trimmed.ends_with("**");
    if is_title || trimmed.is_empty() {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len() + 8);
    for sentence in sentences(line) {
        out.push_str(sentence.trim_end());
        if states_something(sentence) && !cites(sentence) {
            unsupported.push(sentence.trim().trim_start_matches(['-', '*', ' ']).to_owned());
            out.push_str(MARK);
        }
        out.push_str(sentence.get(sentence.trim_end().len()..).unwrap_or_default());
    }
    out
}

/// Returns the sentences of a line, each with the citations and blanks after it.
fn sentences(line: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        in_code ^= c == '`';
        let is_before_blank = chars.peek().is_none_or(|(_, next)| next.is_whitespace() || *next == '[');
        if in_code
            || !".!?".contains(c)
            || !is_before_blank
            || is_short(line.get(start..at).unwrap_or_default())
        {
            continue;
        }
        let mut end = at + 1;
        // Citations after the full stop belong to the sentence before it.
        loop {
            let rest = line.get(end..).unwrap_or_default();
            let blanks = rest.len() - rest.trim_start().len();
            match rest.get(blanks..).and_then(citation) {
                Some((written, _)) => end += blanks + written.len(),
                None => {
                    end += blanks;
                    break;
                }
            }
        }
        all.push(line.get(start..end).unwrap_or_default());
        start = end;
        while chars.peek().is_some_and(|(at, _)| *at < end) {
            chars.next();
        }
    }
    if start < line.len() {
        all.push(line.get(start..).unwrap_or_default());
    }
    all
}

/// Returns whether a full stop here belongs to an abbreviation or a list number.
fn is_short(before: &str) -> bool {
    let last = before
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    matches!(last.as_str(), "e.g" | "i.e" | "etc" | "vs" | "cf")
        || !last.is_empty() && last.chars().all(|c| c.is_ascii_digit()) && before.trim().len() == last.len()
}

fn cites(sentence: &str) -> bool {
    sentence.match_indices('[').any(|(at, _)| sentence.get(at..).and_then(citation).is_some())
}

/// Phrases that state an absence, for which no passage can be cited.
const ABSENCE: [&str; 16] = [
    "passages do not",
    "passages don't",
    "passage does not",
    "evidence does not",
    "evidence do not",
    "not shown",
    "no evidence",
    "not answer",
    "can't be answered",
    "cannot be answered",
    "not found",
    "unclear",
    "don't know",
    "do not know",
    "is missing",
    "not included",
];

fn states_something(sentence: &str) -> bool {
    let trimmed = sentence.trim();
    let lower = trimmed.to_lowercase().replace('’', "'");
    let n_words = trimmed.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
    n_words >= LEAST_WORDS
        && !trimmed.ends_with(['?', ':'])
        && !ABSENCE.iter().any(|absence| lower.contains(absence))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn citations_have_one_form_and_exist() {
        let cases: [(&str, &str, &[usize], &[&str]); 12] = [
            ("It is so [1].", "It is so [1].", &[1], &[]),
            ("It is so. [1]", "It is so. [1]", &[1], &[]),
            ("It is so[1, 2][2].", "It is so[1][2][2].", &[1, 2], &[]),
            ("It is so [1-3].", "It is so [1][2][3].", &[1, 2, 3], &[]),
            ("It is so [2–9].", "It is so [2][3].", &[2, 3], &["[4]", "[5]", "[6]", "[7]", "[8]", "[9]"]),
            ("See [^2] there", "See [2] there", &[2], &[]),
            ("See 【3†lines】 and 【9】", "See [3] and", &[3], &["[9]"]),
            ("So [0] or [99999999999999999999999].", "So or.", &[], &["[0]", "[99999999999999999999999]"]),
            ("A link [1](http://evil.example/?q) there", "A link [1] there", &[1], &[]),
            ("Index `argv[7]` of ``a ` [8]`` [1]", "Index `argv[7]` of ``a ` [8]`` [1]", &[1], &[]),
            ("Open ` tick [8]", "Open ` tick", &[], &["[8]"]),
            ("[text] [a-z] [] [,] [-]", "[text] [a-z] [] [,] [-]", &[], &[]),
        ];
        for (text, expected, cited, removed) in cases {
            let checked = check(text, 3);
            assert_eq!((checked.text.as_str(), checked.cited.as_slice()), (expected, cited), "{text}");
            assert_eq!(checked.removed, removed, "{text}");
        }
        let code = "Look:\n```\nx = [9]\n```\nand [9]";
        assert_eq!(check(code, 3).text, "Look:\n```\nx = [9]\n```\nand");
        // A fence that was behind a citation is none.
        assert_eq!(check("[9]```\n[9]\n```\n[9]\n```", 3).text, "[?]```\n\n```\n[9]\n```");
        // An open fence hides nothing.
        assert_eq!(check("```\nx [9]", 3).text, "```\nx");
    }

    #[test]
    fn sentences_without_a_source_are_marked() {
        let text = "# How it works\nIt opens the file first [1]. Then it reads all of it. It closes it again. [2]\n\n\
                    - The `open.rs` module does e.g. this too\n1. Numbered ones are sentences too [1]\n\
                    The passages do not show who calls it. Is that so for all of them? Short one. As follows, in that order:";
        let checked = check(text, 2);
        assert_eq!(
            checked.unsupported,
            ["Then it reads all of it.", "The `open.rs` module does e.g. this too"],
            "{}",
            checked.text
        );
        assert!(checked.text.contains("reads all of it. [?] It closes it again. [2]\n"), "{}", checked.text);
    }

    #[test]
    fn a_hostile_text_takes_time_in_proportion_to_its_length() {
        const N: usize = 100_000;
        let nested = format!("{}{}", "[9".repeat(N), "]".repeat(N));
        let checked = check(&format!("One [1].\n{nested} [1]\nAnd so on it goes [2]."), 2);
        assert_eq!(checked.text, "One [1].\n\nAnd so on it goes [2].");
        assert_eq!((checked.cited, checked.removed), (vec![1, 2], vec!["[…]".to_owned()]));
        for text in ["[", "【1", "【1†", "[1](", "```\n", "[1,", "1. ", "` `` "] {
            let _ = check(&text.repeat(N), 2);
            let _ = check(&format!("{}]】)", text.repeat(N)), 2);
        }
    }

    #[test]
    fn nothing_acts_on_a_terminal() {
        let checked = check("\u{1b}]0;title\u{7} It does this and that [1]\r\n\tx", 1);
        assert!(!checked.text.contains(['\u{1b}', '\u{7}', '\r']), "{:?}", checked.text);
    }

    /// Returns what a reader takes for citations outside code, found independently of the checked
    /// function.
    fn citations(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        for line in text.lines() {
            let mut rest = line;
            while let Some(open) = rest.find('[') {
                rest = &rest[open + 1..];
                if let Some(close) = rest.find(']')
                    && !rest[..close].is_empty()
                    && rest[..close].bytes().all(|byte| byte.is_ascii_digit())
                {
                    found.push(rest[..close].to_owned());
                }
            }
        }
        found
    }

    #[test]
    fn a_removed_citation_leaves_none_behind() {
        for (text, n_removed) in [("[3[3]]", 2), ("[[4]5][1[9]]", 1), ("[9[9[9]]] and [2]", 3)] {
            let checked = check(text, 2);
            let cited = citations(&checked.text);
            assert!(cited.iter().all(|one| one == "1" || one == "2"), "{text}: {}", checked.text);
            assert!(checked.removed.len() >= n_removed, "{text}: {:?}", checked.removed);
        }
    }

    proptest! {
        #[test]
        fn a_model_that_cites_at_random_gets_none_through(
            pieces in prop::collection::vec(
                prop_oneof![
                    "\\[[0-9]{1,4}\\]", "\\[[0-9]{1,2}(, ?[0-9]{1,2}){1,3}\\]", "\\[[0-9]{1,2}-[0-9]{1,2}\\]",
                    "【[0-9]{1,3}(†x)?】", "\\[\\^?[0-9]{1,25}\\]\\(http://x\\)", "\\[", "\\]", " ", "\n", "\\. ", "It is so",
                    "\\PC{0,6}", "\\[ [0-9]{1,3} \\]",
                ],
                0..40,
            ),
            n in 0usize..12,
        ) {
            // Without code, because citations in code are ignored.
            let text = pieces.concat().replace(['`', '~'], "");
            let checked = check(&text, n);
            for number in citations(&checked.text) {
                let number: usize = number.parse().unwrap_or(usize::MAX);
                prop_assert!((1..=n).contains(&number), "[{}] of {} in {:?}", number, n, checked.text);
            }
            prop_assert!(checked.cited.iter().all(|number| (1..=n).contains(number)));
            // A second check removes nothing.
            let again = check(&checked.text, n);
            prop_assert!(again.removed.is_empty(), "{:?}", again.removed);
        }
    }
}
