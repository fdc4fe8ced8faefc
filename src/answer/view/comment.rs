//! Comment syntax: language name → the line that stands for lines left out.
//!
//! A bare ". . ." inside code could be read as code, so it stands in a comment of the language where it has them.

use crate::index::chunk::Language;

/// What stands for lines that are left out.
const DOTS: &str = ". . .";

/// The line for lines left out of a text in `language`, without indentation; bare dots where comments are unknown.
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
