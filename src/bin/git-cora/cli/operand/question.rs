//! A question without a command: `git cora where is x` searches, as `git cora query where is x`.
//!
//! Decides from the words alone. A misspelled command must not become a search, so a command of
//! similar spelling comes first, except for a word that begins a question.
//!
//! If the first word of a question is a command, as in `git cora list all the retries`, the command
//! runs or fails. Nothing is searched then: the error only names the search.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use git_cora::Session;
use git_cora::base::text::shell_word;

use crate::cli::args;
use crate::input::near;

/// Words that begin a question and are not commands. Some are spelled like one: `how` like `show`.
const ASKING: &[&str] = &[
    "are", "can", "did", "do", "does", "how", "is", "was", "were", "what", "when", "where", "which", "who",
    "whose", "why",
];

/// What to make of a word that is not a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The words of a search.
    Search(Vec<OsString>),
    /// One word, which is neither a command nor like one.
    Unknown(String),
    /// Something else is wrong, and clap says what.
    Error,
}

/// Reads the words of a command line that `error` is about.
pub(crate) fn read(words: &[OsString], error: &clap::Error) -> Reading {
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
    let commands = args::GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
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

/// Returns the unknown option that `git cora when` was given, most likely as the text to look for.
pub(crate) fn searched_option(words: &[OsString], error: &clap::Error) -> Option<String> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let is_similar = error.get(ContextKind::SuggestedArg).is_some();
    let is_when = words.iter().any(|word| word == "when");
    (is_when && !is_similar && option.starts_with('-')).then(|| option.clone())
}

/// Fewest words of a question that begins with a command. Two may be a command and its argument.
const SENTENCE: usize = 3;

/// A command line that reads as a sentence.
#[derive(Debug, PartialEq, Eq)]
struct Sentence<'w> {
    /// The directory of `-C`.
    directory: PathBuf,
    /// The words; the first one is a command.
    words: Vec<&'w str>,
}

/// Returns the command that searches for the words of a command line, if they read as a question
/// whose first word is a command. They don't if one of them is a path, a revision or a remote.
pub(crate) fn search_command(line: &[OsString]) -> Option<String> {
    let Sentence { directory, words } = sentence(line)?;
    let session = Session::open(&directory).ok()?;
    let repo = session.repo();
    let is_named = |word: &str| {
        directory.join(word).symlink_metadata().is_ok()
            || repo.resolve(word).is_ok()
            || repo.remote_url(word).is_some()
    };
    if words.iter().skip(1).any(|word| is_named(word)) {
        return None;
    }
    let words: Vec<_> = words.into_iter().map(shell_word).collect();
    Some(format!("git cora query {}", words.join(" ")))
}

/// Reads a command line as a sentence; `None` if it has a flag, or a word that no sentence has.
fn sentence(line: &[OsString]) -> Option<Sentence<'_>> {
    let mut directory = PathBuf::from(".");
    let mut words = Vec::new();
    let mut rest = line.iter().skip(1);
    while let Some(word) = rest.next() {
        match word.to_str()? {
            "-C" if words.is_empty() => directory = PathBuf::from(rest.next()?),
            "-q" | "--quiet" | "-v" | "--verbose" if words.is_empty() => {}
            word => words.push(word),
        }
    }
    let name = words.first()?;
    let command = args::command();
    let command = command.find_subcommand(name).map(clap::Command::get_name)?;
    // These search, or take any words.
    if ["query", "ask", "hook"].contains(&command) || words.len() < SENTENCE {
        return None;
    }
    let is_word = |word: &&str| {
        let word = word.trim_end_matches(['?', '!', '.', ',']);
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’');
        !word.is_empty() && !word.starts_with('-') && word.chars().all(is_letter)
    };
    words.iter().all(is_word).then_some(Sentence { directory, words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args;

    #[test]
    fn a_question_may_begin_with_the_name_of_a_command() {
        let read = |line: &str| -> Option<Vec<String>> {
            let line: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            sentence(&line).map(|one| one.words.into_iter().map(str::to_owned).collect())
        };
        for line in [
            "git-cora list all the retries",
            "git-cora show me the login",
            "git-cora index where is it built?",
            "git-cora history of a declaration",
        ] {
            let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
            assert_eq!(read(line), Some(words), "{line}");
        }
        for line in [
            "git-cora",
            "git-cora list retries",
            "git-cora list all the retries --json",
            "git-cora show a.rs b.rs",
            "git-cora index v1.0 v1.1",
            "git-cora diff main..topic src lib",
            "git-cora query where is it",
            "git-cora nothing like a command",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
        let line: Vec<OsString> =
            ["git-cora", "-q", "-C", "lib", "map", "of", "it"].map(OsString::from).into();
        let expected = Sentence { directory: "lib".into(), words: vec!["map", "of", "it"] };
        assert_eq!(sentence(&line), Some(expected));
    }

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
