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
    let is_suggested = !similar_commands(unknown).is_empty();
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

/// Returns the commands that are spelled like a word, nearest first. Clap's own suggestions don't
/// count: to it, `refresh_token` resembles `refs`, and `lgo` resembles nothing.
pub(crate) fn similar_commands(word: &str) -> Vec<String> {
    let command = args::command();
    let is_shown = |name: &str| args::GROUPS.iter().any(|(_, names)| names.contains(&name));
    let shown = command.get_subcommands().filter(|one| is_shown(one.get_name()));
    let names = shown.flat_map(|one| std::iter::once(one.get_name()).chain(one.get_all_aliases()));
    near::names(word, names)
}

/// Returns the command line that takes an unknown option for a text to look for:
/// `git cora when '"--no-pager"'`, `git cora query -- --no-pager`. `None` if an option of the
/// command is spelled like it.
pub(crate) fn search_for_option(words: &[OsString], error: &clap::Error) -> Option<String> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let (at, name) = command_of(words)?;
    let searched: Vec<&str> = words.get(at + 1..)?.iter().filter_map(|word| word.to_str()).collect();
    let begins = |word: &str| word.starts_with(option.as_str()) || option.len() == 2 && word.starts_with('-');
    let first = searched.iter().copied().find(|word| begins(word))?;
    match name.as_str() {
        "when" if error.get(ContextKind::SuggestedArg).is_none() => {
            // The shell takes the outer quotes.
            (!first.contains(['"', '\''])).then(|| format!("git cora when '\"{first}\"'"))
        }
        "query" | "ask" => {
            let command = args::command();
            let known = command.find_subcommand(&name)?.get_arguments().filter_map(|one| one.get_long());
            if !near::names(first.trim_start_matches('-'), known).is_empty() {
                return None;
            }
            // Other options would be text behind `--`.
            let is_option = |word: &&str| word.starts_with('-') && *word != first;
            let all = searched.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ");
            (!searched.iter().any(is_option)).then(|| format!("git cora {name} -- {all}"))
        }
        _ => None,
    }
}

/// Returns whether a command line has a command that exists.
pub(crate) fn has_command(words: &[OsString]) -> bool {
    command_of(words).is_some()
}

/// Returns where the command is in a command line, and its name.
fn command_of(words: &[OsString]) -> Option<(usize, String)> {
    let mut rest = words.iter().enumerate().skip(1);
    while let Some((at, word)) = rest.next() {
        match word.to_str()? {
            "-C" => drop(rest.next()),
            option if option.starts_with('-') => {}
            name => {
                let command = args::command();
                return Some((at, command.find_subcommand(name)?.get_name().to_owned()));
            }
        }
    }
    None
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

    #[test]
    fn an_unknown_option_may_be_a_text() {
        let search = |line: &[&str]| {
            let words: Vec<OsString> = line.iter().map(OsString::from).collect();
            let error = args::command().try_get_matches_from_mut(&words).unwrap_err();
            search_for_option(&words, &error)
        };
        for (line, expected) in [
            (&["git-cora", "when", "--no-pagers"][..], None),
            (&["git-cora", "when", "--display-popup"], Some("git cora when '\"--display-popup\"'")),
            (&["git-cora", "query", "--display-popup"], Some("git cora query -- --display-popup")),
            (&["git-cora", "query", "when", "is", "--popup"], Some("git cora query -- when is --popup")),
            (&["git-cora", "query", "retry", "-path:vendor"], Some("git cora query -- retry -path:vendor")),
            (&["git-cora", "query", "--no-tests"], None),
            (&["git-cora", "query", "--json", "--display-popup"], None),
            (&["git-cora", "index", "--display-popup"], None),
        ] {
            assert_eq!(search(line).as_deref(), expected, "{line:?}");
        }
    }

    #[test]
    fn commands_of_similar_spelling_are_found() {
        for (word, expected) in [
            ("lgo", &["log"][..]),
            ("quey", &["query"]),
            ("serch", &["search"]),
            ("histroy", &["history"]),
            ("refresh_token", &[]),
        ] {
            assert_eq!(similar_commands(word), expected, "{word}");
        }
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
