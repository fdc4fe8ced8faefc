//! A question without a command: `git cora where is x` searches, as `git cora query where is x`.
//!
//! Decides from the words alone. A misspelled command must not become a search, so a command of
//! similar spelling comes first, except for a word that begins a question.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::near;

/// Words that begin a question and are not commands. Some are spelled like one: `how` like `show`.
const ASKING: &[&str] = &[
    "are", "can", "did", "do", "does", "how", "is", "was", "were", "what", "when", "where", "which", "who",
    "whose", "why",
];

/// What to make of a word that is not a command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// The words of a search.
    Search(Vec<OsString>),
    /// One word, which is neither a command nor like one.
    Unknown(String),
    /// Something else is wrong, and clap says what.
    Error,
}

/// Reads the words of a command line that `error` is about.
pub(super) fn read(words: &[OsString], error: &clap::Error) -> Reading {
    let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(unknown))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return Reading::Error;
    };
    // The value of `-C` is not a command.
    let is_value = |at: usize| words.get(at - 1).is_some_and(|before| before == "-C");
    let is_first = |at: &usize| words.get(*at).is_some_and(|word| word == unknown.as_str()) && !is_value(*at);
    let Some(at) = (1..words.len()).find(is_first) else { return Reading::Error };
    let n_words = words.iter().skip(at).filter(|word| !word.to_string_lossy().starts_with('-')).count();
    let is_sentence = unknown.trim().contains(char::is_whitespace);
    let is_asking = n_words > 1 && ASKING.contains(&unknown.to_lowercase().as_str());
    // Not clap's suggestions: to it, `refresh_token` resembles `refs`.
    let commands = super::args::GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
    let is_suggested = !near::names(unknown, commands).is_empty();
    match (is_sentence || is_asking, is_suggested, n_words) {
        (false, true, _) => Reading::Error,
        (false, false, 0 | 1) => Reading::Unknown(unknown.clone()),
        _ => {
            let mut searched = words.to_vec();
            searched.insert(at, "query".into());
            Reading::Search(searched)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args;

    fn reading(line: &[&str]) -> Reading {
        let words: Vec<OsString> = line.iter().map(OsString::from).collect();
        let error = args::command().try_get_matches_from_mut(&words).unwrap_err();
        read(&words, &error)
    }

    #[test]
    fn a_question_is_searched_and_a_misspelled_command_is_not() {
        let search = |line: &[&str]| Reading::Search(line.iter().map(OsString::from).collect());
        for (line, searched) in [
            (&["git-cora", "where", "is", "x"][..], &["git-cora", "query", "where", "is", "x"][..]),
            (&["git-cora", "how", "does", "it", "end"], &["git-cora", "query", "how", "does", "it", "end"]),
            (
                &["git-cora", "-q", "-C", "lease", "lease", "expiry"],
                &["git-cora", "-q", "-C", "lease", "query", "lease", "expiry"],
            ),
            (&["git-cora", "where is x"], &["git-cora", "query", "where is x"]),
            (
                &["git-cora", "what", "calls", "f", "--json"],
                &["git-cora", "query", "what", "calls", "f", "--json"],
            ),
        ] {
            assert_eq!(reading(line), search(searched), "{line:?}");
        }
        for line in [
            &["git-cora", "statz"][..],
            &["git-cora", "indx", "main"],
            &["git-cora", "query", "--no-such-flag"],
            &["git-cora", "how"],
            &["git-cora", "list", "--no-such-flag"],
        ] {
            assert_eq!(reading(line), Reading::Error, "{line:?}");
        }
        assert_eq!(reading(&["git-cora", "Lessor"]), Reading::Unknown("Lessor".to_owned()));
        assert_eq!(reading(&["git-cora", "refresh_token"]), Reading::Unknown("refresh_token".to_owned()));
        assert_eq!(reading(&["git-cora", "Lessor", "--json"]), Reading::Unknown("Lessor".to_owned()));
    }
}
