//! What a text looks like: a program's message, a phrase that may be one, or neither.
//!
//! Query text → [`Shape`]. Judged by the words and signs of the text alone; nothing here reads an
//! index.

use crate::base::text::identifier::tokens;

/// What a text looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A message of a program.
    Message,
    /// A few words that ask nothing: a message, a text of a user interface, or the name of what is
    /// searched for. Only a literal that begins with all of them tells.
    Phrase,
}

/// A text of at least this many words that asks nothing may be a message, whatever its words.
const MANY: usize = 6;

/// Signs that occur in messages but hardly in questions: quotes, brackets, separators around
/// values.
const SIGNS: [char; 12] = ['"', '\'', '`', '(', '[', '{', '<', '=', ':', ';', '%', '!'];

/// First words of questions and requests; sorted.
const ASKS: [&str; 13] =
    ["are", "can", "does", "find", "how", "is", "show", "what", "when", "where", "which", "who", "why"];

/// Words behind a question word that make the text a question; sorted.
const AUXILIARIES: [&str; 18] = [
    "are", "can", "could", "did", "do", "does", "has", "have", "is", "kind", "many", "much", "should", "to",
    "was", "were", "will", "would",
];

/// Words by which programs say that something failed or was refused; sorted.
const COMPLAINTS: [&str; 49] = [
    "abort",
    "aborted",
    "already",
    "ambiguous",
    "assertion",
    "bad",
    "cannot",
    "closed",
    "conflict",
    "corrupt",
    "could",
    "denied",
    "deprecated",
    "didn",
    "duplicate",
    "error",
    "exceeded",
    "exception",
    "expected",
    "expired",
    "failed",
    "failure",
    "fatal",
    "forbidden",
    "ignored",
    "ignoring",
    "illegal",
    "incompatible",
    "invalid",
    "malformed",
    "mismatch",
    "missing",
    "must",
    "no",
    "not",
    "panic",
    "refused",
    "rejected",
    "required",
    "should",
    "skipping",
    "timeout",
    "unable",
    "undefined",
    "unexpected",
    "unknown",
    "unresolved",
    "unsupported",
    "warning",
];

impl Shape {
    /// Returns the shape of a text; `None` for a question and for a single word.
    pub(super) fn of(text: &str) -> Option<Self> {
        if is_question(text) {
            return None;
        }
        let n_words = text.split_whitespace().count();
        let is_told =
            text.contains(SIGNS) || text.contains(|c: char| c.is_ascii_digit()) || text.ends_with('.');
        let is_message =
            is_told || n_words >= MANY || text.split_whitespace().any(is_path) || tokens(text).any(complains);
        if is_message { Some(Self::Message) } else { (n_words > 1).then_some(Self::Phrase) }
    }
}

/// Returns whether programs say by a word that something failed.
pub(super) fn complains(word: &str) -> bool {
    COMPLAINTS.binary_search(&word.to_lowercase().as_str()).is_ok()
}

/// Returns whether a text is a question or a request, judging by its first words and its end.
fn is_question(text: &str) -> bool {
    let mut words = tokens(text).map(str::to_lowercase);
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if text.ends_with('?') {
        return true;
    }
    let is_label = text.trim_start().get(first.len()..).is_some_and(|rest| rest.starts_with(':'));
    if is_label || ASKS.binary_search(&first.as_str()).is_err() {
        return false;
    }
    match first.as_str() {
        // "Can't export it", "is not a directory".
        "are" | "can" | "does" | "is" => !matches!(second.as_str(), "not" | "t"),
        "find" | "show" => true,
        // "When using a proxy, a port must be given": the subject follows, and the text complains.
        _ => {
            let is_statement = tokens(text).any(complains) && text.ends_with(['.', ':']);
            AUXILIARIES.binary_search(&second.as_str()).is_ok() || !is_statement
        }
    }
}

/// Returns whether a word is a path rather than two words (`and/or`, `I/O`).
pub(super) fn is_path(word: &str) -> bool {
    let n_separators = word.matches(['/', '\\']).count();
    n_separators > 1
        || n_separators == 1 && (word.contains('.') || word.starts_with(['/', '\\', '"', '\'', '`']))
}

/// Returns whether a word is an exception's name before its message: `java.io.IOException:`,
/// `ValueError:`.
pub(super) fn is_exception(word: &str) -> bool {
    let Some(name) = word.strip_suffix(':') else { return false };
    let last = name.rsplit(['.', ':', '\\', '$']).next().unwrap_or_default();
    last.starts_with(char::is_uppercase)
        && ["Exception", "Error", "Warning"].iter().any(|end| last.len() > end.len() && last.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(COMPLAINTS.is_sorted() && ASKS.is_sorted() && AUXILIARIES.is_sorted());
    }

    #[test]
    fn a_few_words_may_be_a_message() {
        for (text, shape) in [
            ("page rotation stalled", Some(Shape::Phrase)),
            ("no space left in slot", Some(Shape::Message)),
            ("slot 3 is taken", Some(Shape::Message)),
            ("where is the page rotated", None),
            ("page", None),
        ] {
            assert_eq!(Shape::of(text), shape, "{text}");
        }
    }
}
