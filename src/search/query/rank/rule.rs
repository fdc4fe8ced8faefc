//! The rules by which a result has another place than its score gives it, and their words.
//!
//! The module `order` applies them; a result keeps its score. Here they are named for people. This
//! module must not import a phase, so that all of them can name a rule.

use super::candidates::Candidate;

/// More than any score. A chunk lowered by it comes after the best chunk of every file, one raised
/// by it comes before all others.
pub(super) const BEHIND: f64 = 1e6;

/// Least difference of two scores that is visible where they are shown.
pub(crate) const SHOWN: f64 = 5e-5;

/// The rule that one result of each file comes first.
pub(crate) const AFTER_FILES: &str =
    "listed after the best results of all files, because it is not the best of its own file";

/// A rule by which a candidate has another place than its score gives it. The numbers are the
/// scores that it is ordered by instead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// It stands for its file, which is ordered by its best score.
    OfFile(f64),
    /// It stands for its file, which has the place of the best of its copies.
    OfCopies(f64),
    /// A better file says nearly the same.
    Copy,
    /// The best chunks of all files come first.
    AfterFiles,
    /// A better chunk of its file lowers it.
    Lowered(f64),
    /// The frames of a stack trace are ordered among themselves.
    Frame,
    /// It has a reference that the question asks for.
    Reference,
    /// It only exports the name whose references the question asks for.
    Export,
    /// It documents the option in question.
    Documents,
    /// It declares what a name with a qualifier means.
    Meant,
    /// It has a message that a report quotes.
    Quoted,
}

/// A candidate with the score that it is ordered by: its own, or less if better chunks of its file
/// come first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedChunk {
    pub(super) candidate: Candidate,
    pub(super) order: f64,
    /// The rule that gave it another place than its score does.
    pub(super) rule: Option<Rule>,
}

impl PlacedChunk {
    /// Places a candidate by a score, which may be its own.
    pub(super) fn by(candidate: Candidate, order: f64, rule: impl FnOnce(f64) -> Rule) -> Self {
        let is_moved = (order - candidate.score).abs() >= SHOWN;
        Self { candidate, order, rule: is_moved.then(|| rule(order)) }
    }
}

/// What the words of a rule need to know of a result.
pub(super) struct RuleContext<'r> {
    /// Its score.
    pub(super) score: f64,
    /// The part of its score that compares it with the chunks of its file.
    pub(super) preference: Option<(&'static str, f64)>,
    /// The path of the better file, if its own is a copy.
    pub(super) original: Option<&'r str>,
}

impl Rule {
    /// Returns the rule in plain words.
    pub(super) fn in_words(self, context: &RuleContext<'_>) -> String {
        match self {
            Self::OfFile(score) => match context.preference {
                Some((part, value)) if (context.score - value - score).abs() < SHOWN => {
                    format!(
                        "ordered by {score:.4}, its score without '{part}', which only orders results of one file"
                    )
                }
                _ => format!("ordered by {score:.4}, the best score in its file"),
            },
            Self::OfCopies(score) => format!("ordered by {score:.4}, the best score among its copies"),
            Self::Copy => {
                let original = context.original.map(|path| format!("'{path}'"));
                let original = original.unwrap_or_else(|| "a better file".to_owned());
                format!("listed after all other files, because {original} says nearly the same")
            }
            Self::AfterFiles => AFTER_FILES.to_owned(),
            Self::Lowered(score) => {
                format!("ordered by {score:.4}: lowered, because its file has a better result")
            }
            Self::Frame => "ordered by its frame in the stack trace: inner frames come first".to_owned(),
            Self::Reference => {
                "listed before similar code, because it has a reference that the question asks for".to_owned()
            }
            Self::Export => "listed after the other references, because it only exports the name".to_owned(),
            Self::Quoted => "listed among the first, because the text quotes its message".to_owned(),
            Self::Meant => "listed first, because it declares what the name means".to_owned(),
            Self::Documents => "listed among the first, because it documents the option".to_owned(),
        }
    }
}
