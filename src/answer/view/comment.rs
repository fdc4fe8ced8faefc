//! Elision: a language name → the line that stands for omitted lines.
//!
//! The line is a comment where the language has comments, because bare dots inside code could be
//! read as code.

use crate::index::chunk::Language;

/// The mark for omitted lines.
const DOTS: &str = ". . .";

/// Returns the line for omitted lines of a text in `language`, without indentation. If the
/// language's comment syntax is unknown, the line is bare dots.
pub(super) fn elision(language: &str) -> String {
    let Some(comments) = Language::from_name(language).map(Language::comments) else {
        return DOTS.to_owned();
    };
    match (comments.line, comments.block) {
        ("", ("", _)) => DOTS.to_owned(),
        ("", (open, close)) => format!("{open} {DOTS} {close}"),
        (line, _) => format!("{line} {DOTS}"),
    }
}
