//! The messages that a report quotes: an issue, or another text of several lines → its passages
//! that may each be a message of a program.
//!
//! A report describes a program in its own words, so as a whole it is not a message. Lines of a
//! log, lines in a fence and quotations may be. Pure; the module `message` looks for them.

use crate::base::text::identifier::tokens;
use crate::search::query::QueryKind;
use crate::search::query::parse::paths::named_paths;

use super::Message;
use super::shape::complains;

/// Most passages of a report that are looked for.
const MOST: usize = 8;
/// Fewest words that carry meaning in a passage: fewer are in many strings.
const FEWEST: usize = 4;
/// Longest line that is a passage without being set apart, in bytes: longer ones are prose.
const LINE_BYTES: usize = 240;

/// Returns the messages that a report may quote: first what it sets apart by quotes, a fence or
/// indentation, then lines that complain.
pub(super) fn passages(text: &str) -> Vec<Message> {
    let mut apart: Vec<&str> = Vec::new();
    let mut plain: Vec<&str> = Vec::new();
    let mut is_fenced = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            is_fenced = !is_fenced;
            continue;
        }
        let is_apart = is_fenced || line.starts_with(['\t', '>']) || line.starts_with("  ");
        let message = trimmed.trim_start_matches(['>', '*', '-', ' ']);
        if is_apart {
            apart.push(message);
            continue;
        }
        apart.extend(quotations(trimmed));
        if trimmed.len() <= LINE_BYTES && tokens(trimmed).any(complains) {
            plain.push(message);
        }
    }
    let mut found: Vec<Message> = Vec::new();
    for passage in apart.into_iter().chain(plain) {
        if found.len() >= MOST {
            break;
        }
        found.extend(message(passage).filter(|one| !found.contains(one)));
    }
    found
}

/// Returns a passage as a message, if it says enough; a frame of a stack trace is none.
fn message(passage: &str) -> Option<Message> {
    let message = Message::of(passage, QueryKind::LongText).filter(|one| !one.is_phrase)?;
    let is_frame = || named_paths(passage).iter().any(|path| path.function.is_some());
    let n_words = message.words.iter().filter(|word| word.carries).count();
    (n_words >= FEWEST && !is_frame()).then_some(message)
}

/// Returns the quotations in a line.
fn quotations(line: &str) -> impl Iterator<Item = &str> {
    [('"', '"'), ('`', '`'), ('“', '”'), ('‘', '’')].into_iter().flat_map(move |(open, close)| {
        let mut rest = line;
        std::iter::from_fn(move || {
            let (_, behind) = rest.split_once(open)?;
            let (quoted, behind) = behind.split_once(close)?;
            rest = behind;
            Some(quoted)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_quotes_messages_by_lines_fences_and_quotes() {
        let found = |text: &str| -> Vec<String> {
            let first = |message: Message| {
                message.words.iter().take(2).map(|word| word.lower.clone()).collect::<Vec<_>>().join(" ")
            };
            passages(text).into_iter().map(first).collect()
        };
        let report = "The sync stops\nWe have a primary with 40 GB. In its log we find\n\n  \
                      Client id=9 scheduled to be closed because its output buffer is full.\n\n\
                      Then it says \"the replica cannot catch up with the slow primary\" and stops.\n\
                      ```\nfatal: no slot is left for the page of 12\n\tat a.b.C.f(C.java:12)\nok\n```\n\
                      error: the backlog of the page is lost\n";
        assert_eq!(found(report), ["client id", "the replica", "fatal no", "then it", "error the"]);
        assert_eq!(found("Is it slow?\nI don't know what happens here.\n  ok\n"), Vec::<String>::new());
        let many = "  the page of slot 12 cannot be found again\n  other slots of page 13 are missing now\n";
        assert_eq!(found(&many.repeat(3)).len(), 2, "each once");
    }
}
