//! Shared parts of all tools: parsing of arguments, the state to search, token budgets and errors.
//!
//! A reply keeps to its tokens and says what was cut. If not even that fits, the reply is an error
//! that says how many tokens it needs. Replies of `query`, `refs` and `read` end with a line that
//! says what was searched or read. Those of `map` and `diff` begin with such a line. Errors are
//! replies, too: the agent reads them and may try again.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use git_cora::answer::view::{self, BriefLimit, Budget, Results, visible};
use git_cora::{Searcher, Target};

use crate::server::pool::{Failure, OpenRepository, RepositoryPool, SearcherState, WaitLimits};
use crate::server::wrong_value::wrong_value;

/// Default tokens of a reply: some screens of code, a hundredth of a usual context.
pub(super) const TOKENS: usize = 2_000;
/// Tokens that hold the last line of most replies and the place of a result.
const LEAST_REPLY: usize = 100;
/// Most tokens of a reply: more is a file dump.
const MAX_TOKENS: usize = 50_000;

/// Default number of results, and the largest one.
const K: usize = 8;
const MAX_K: usize = 100;

/// How much of each result is shown.
#[derive(Debug, Clone, Copy, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Detail {
    Locations,
    Signatures,
    #[default]
    Full,
}

impl Detail {
    pub(super) fn most(self) -> BriefLimit {
        match self {
            Self::Locations => BriefLimit::Location,
            Self::Signatures => BriefLimit::Signature,
            Self::Full => BriefLimit::Full,
        }
    }
}

/// The error of a call, worded for the agent, which may try again with other arguments.
#[derive(Debug)]
pub(super) struct CallError {
    message: String,
    hint: Option<String>,
    /// The notes that would stand above a reply, each with a line feed.
    notes: String,
}

impl CallError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, notes: String::new() }
    }

    pub(super) fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..Self::new(message) }
    }

    /// Returns the same error with the notes that would stand above a reply: the reason may be that
    /// not everything was searched.
    pub(super) fn beside(self, notes: String) -> Self {
        Self { notes, ..self }
    }

    /// Returns the message without the hint.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the same error with the repository's name before it; `name` is empty for the only
    /// one.
    pub(super) fn of(self, name: &str) -> Self {
        if name.is_empty() {
            return self;
        }
        Self { message: format!("{name}: {}", self.message), ..self }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", visible(&shortened(&self.message)))?;
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {}", visible(&shortened(hint)))?;
        }
        // The notes are visible text already.
        if self.notes.is_empty() { Ok(()) } else { write!(f, "\n{}", self.notes.trim_end()) }
    }
}

/// Characters that are kept of each end of a message. A message repeats what the caller sent, and
/// no reply may exceed its budget.
const MAX_MESSAGE_END: usize = 400;

/// Returns a message without its middle, if it is too long.
fn shortened(message: &str) -> Cow<'_, str> {
    let n = message.chars().count();
    if n <= 2 * MAX_MESSAGE_END {
        return Cow::Borrowed(message);
    }
    let head: String = message.chars().take(MAX_MESSAGE_END).collect();
    let tail: String = message.chars().skip(n - MAX_MESSAGE_END).collect();
    Cow::Owned(format!("{head} … {tail}"))
}

impl<E: Into<Failure>> From<E> for CallError {
    fn from(error: E) -> Self {
        let failure = error.into();
        Self { hint: failure.hint(), ..Self::new(failure.message()) }
    }
}

/// The reason why a tool stops without its answer.
#[derive(Debug)]
pub(super) enum Stop {
    /// Nothing is indexed yet. This text is the reply, which is not an error.
    NotIndexed(String),
    /// The call failed.
    Error(CallError),
}

impl<E: Into<CallError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// Parses the arguments; an error names the argument and says what is wrong with it.
pub(super) fn arguments<T: DeserializeOwned>(mut arguments: Value) -> Result<T, CallError> {
    if cfg!(windows)
        && let Some(path) = arguments.get_mut("path")
    {
        use_slashes(path);
    }
    serde_path_to_error::deserialize(arguments)
        .map_err(|error| CallError::new(wrong_value(&error.path().to_string(), &error.inner().to_string())))
}

/// Writes the paths of Windows, which agents there use, as Git does.
fn use_slashes(path: &mut Value) {
    match path {
        Value::String(path) => *path = path.replace('\\', "/"),
        Value::Array(paths) => paths.iter_mut().for_each(use_slashes),
        _ => {}
    }
}

/// Returns the tokens of a reply, within bounds.
pub(super) fn tokens(max_tokens: Option<usize>) -> usize {
    max_tokens.unwrap_or(TOKENS).clamp(1, MAX_TOKENS)
}

/// Returns a reply if it keeps to the tokens that the call asked for.
///
/// Each tool gives its shortest reply if nothing else fits.
///
/// # Errors
/// The number of tokens that the shortest reply needs.
pub(super) fn kept(reply: String, max_tokens: Option<usize>) -> Result<String, CallError> {
    let n = view::tokens(&reply);
    if n > 0 && n <= tokens(max_tokens) {
        return Ok(reply);
    }
    Err(too_few(n))
}

/// Returns the error of a call whose shortest reply needs this many tokens.
pub(super) fn too_few(needed: usize) -> CallError {
    let hint = format!("use at least {}", needed.max(LEAST_REPLY));
    CallError::with_hint("'max_tokens' is too small for a reply", hint)
}

/// Returns the number of results to look for, within bounds.
pub(super) fn limit(k: Option<usize>) -> usize {
    k.unwrap_or(K).clamp(1, MAX_K)
}

/// Returns the budget of a reply below its `notes`.
pub(super) fn budget(max_tokens: Option<usize>, notes: &str) -> Budget {
    rest(tokens(max_tokens), notes)
}

/// Returns the budget that remains of `tokens` below `notes`.
pub(super) fn rest(tokens: usize, notes: &str) -> Budget {
    Budget { tokens: Some(tokens.saturating_sub(view::tokens(notes)).max(1)), characters: None }
}

/// The searcher of a call, and the notes above its answer.
pub(super) struct State {
    pub(super) searcher: Arc<Searcher>,
    pub(super) revision: String,
    pub(super) notes: String,
}

/// Returns the state to search at a revision.
///
/// # Errors
/// [`Stop::NotIndexed`] if nothing is ready yet.
pub(super) fn state(
    pool: &Arc<RepositoryPool>,
    kept: &Arc<OpenRepository>,
    rev: Option<&str>,
    wait: &WaitLimits<'_>,
) -> Result<State, Stop> {
    let (target, revision) = kept.target(rev)?;
    match kept.reach(pool, &target, wait)? {
        SearcherState::Exact(searcher) => {
            let notes = warnings(&searcher);
            Ok(State { searcher, revision, notes })
        }
        SearcherState::Nearest(searcher, how_far) => {
            let commit = searcher.commit().map(|id| id.abbreviated(12).to_string()).unwrap_or_default();
            let asked = match target {
                Target::Worktree => "the working tree".to_owned(),
                Target::Commit(_) => format!("'{}'", visible(&revision)),
            };
            let notes = format!(
                "note: {asked} is still being indexed ({how_far}); this answer is from commit {commit}, the nearest with an index\n{}",
                warnings(&searcher)
            );
            Ok(State { searcher, revision: commit, notes })
        }
        SearcherState::Nothing(how_far) => Err(Stop::NotIndexed(format!(
            "not indexed yet: the index is being built in the background ({how_far}). Try again in a \
            few seconds; 'read' and grep work now."
        ))),
    }
}

/// Returns the warnings of a searcher, such as one about files that are not searched. They stand
/// above the reply of every tool that searches, and below its error.
fn warnings(searcher: &Searcher) -> String {
    searcher.warnings.iter().map(|warning| format!("warning: {}\n", visible(warning))).collect()
}

/// Formats a reply with results.
pub(super) fn results(notes: &str, results: &Results, detail: Detail, max_tokens: Option<usize>) -> String {
    view::brief(notes, results, detail.most(), &budget(max_tokens, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_bounds_and_a_default() {
        for (asked, expected) in [
            (None, 2_000),
            (Some(0), 1),
            (Some(1), 1),
            (Some(50), 50),
            (Some(50_000), 50_000),
            (Some(50_001), 50_000),
            (Some(usize::MAX), 50_000),
        ] {
            assert_eq!(tokens(asked), expected, "{asked:?}");
            assert_eq!(budget(asked, "").tokens, Some(expected), "{asked:?}");
        }
    }

    #[test]
    fn paths_of_windows_get_slashes() {
        let mut paths = serde_json::json!(["C:\\work\\a.rs", ":!src\\b.rs", "c/d.rs", 7]);
        use_slashes(&mut paths);
        assert_eq!(paths, serde_json::json!(["C:/work/a.rs", ":!src/b.rs", "c/d.rs", 7]));
    }

    #[test]
    fn notes_take_their_share_and_leave_something() {
        let notes = "note: this is from an earlier commit\n";
        assert_eq!(budget(Some(300), notes).tokens, Some(300 - view::tokens(notes)));
        assert_eq!(rest(10, notes).tokens, Some(10 - view::tokens(notes)));
        assert_eq!(rest(3, notes).tokens, Some(1));
        assert_eq!(rest(0, "").tokens, Some(1));
    }

    #[test]
    fn a_reply_that_is_too_long_says_what_it_needs() {
        let reply = "src/a.rs:1-9  open  function\n".repeat(20);
        let n = view::tokens(&reply);
        assert_eq!(kept(reply.clone(), Some(n)).unwrap(), reply);
        let error = kept(reply, Some(n - 1)).unwrap_err().to_string();
        assert!(error.contains("too small") && error.contains(&format!("at least {n}")), "{error}");
        assert!(kept(String::new(), Some(5)).unwrap_err().to_string().contains("at least 100"));
    }

    #[test]
    fn results_are_few_unless_more_are_asked_for() {
        let asked = [None, Some(0), Some(1), Some(100), Some(101)];
        assert_eq!(asked.map(limit), [8, 1, 1, 100, 100]);
    }
}
