//! Shared parts of all tools: parsing of arguments, the state to search, token budgets and errors.
//!
//! A reply keeps to its tokens, at least [`MIN_TOKENS`], and its last line says what was searched
//! and what was cut. Errors are replies, too: the agent reads them and may try again.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use git_cora::answer::view::{self, BriefLimit, Budget, Results, visible};
use git_cora::{Searcher, Target};

use crate::server::pool::{Failure, OpenRepository, RepositoryPool, SearcherState, WaitLimits};

/// Default tokens of a reply: some screens of code, a hundredth of a usual context.
pub(super) const TOKENS: usize = 2_000;
/// Fewest tokens of a reply: fewer can't hold the locations of a few results.
const MIN_TOKENS: usize = 100;
/// Additional tokens for each repository after the first, for the line with its state.
const STATE_TOKENS: usize = 40;
/// Most tokens of a reply: more is a file dump.
const MAX_TOKENS: usize = 50_000;

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
}

impl CallError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    pub(super) fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Some(hint.into()) }
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
        write!(f, "error: {}", visible(&self.message))?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {}", visible(hint)),
            None => Ok(()),
        }
    }
}

impl<E: Into<Failure>> From<E> for CallError {
    fn from(error: E) -> Self {
        let failure = error.into();
        let mut message = failure.to_string();
        let mut source = std::error::Error::source(&failure);
        while let Some(cause) = source {
            let text = cause.to_string();
            if !message.ends_with(&text) {
                message = format!("{message}: {text}");
            }
            source = cause.source();
        }
        Self { message, hint: failure.hint() }
    }
}

/// Parses the arguments; an error names the argument and says what is wrong with it.
pub(super) fn arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, CallError> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let whose = match error.path().to_string().as_str() {
            "." => String::new(),
            path => format!("'{path}': "),
        };
        CallError::new(format!("bad arguments: {whose}{}", error.inner()))
    })
}

/// Returns the tokens of a reply, within bounds.
pub(super) fn tokens(max_tokens: Option<usize>) -> usize {
    max_tokens.unwrap_or(TOKENS).clamp(MIN_TOKENS, MAX_TOKENS)
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

/// Returns the state to search at a revision. The inner `Err` is a reply: nothing is ready yet.
pub(super) fn state(
    host: &Arc<RepositoryPool>,
    kept: &Arc<OpenRepository>,
    rev: Option<&str>,
    wait: &WaitLimits<'_>,
) -> Result<Result<State, String>, CallError> {
    let (target, revision) = kept.target(rev)?;
    Ok(match kept.reach(host, &target, wait)? {
        SearcherState::Exact(searcher) => Ok(State { searcher, revision, notes: String::new() }),
        SearcherState::Nearest(searcher, how_far) => {
            let commit = searcher.commit().map(|id| id.abbreviated(12).to_string()).unwrap_or_default();
            let asked = match target {
                Target::Worktree => "the working tree".to_owned(),
                Target::Commit(_) => format!("'{}'", visible(&revision)),
            };
            let notes = format!(
                "note: {asked} is still being indexed ({how_far}); this is from commit {commit}, the nearest that is ready\n"
            );
            Ok(State { searcher, revision: commit, notes })
        }
        SearcherState::Nothing(how_far) => Err(format!(
            "not indexed yet: the index is being made in the background ({how_far}). Ask again then; 'read' and grep work meanwhile."
        )),
    })
}

/// Formats a reply with results.
pub(super) fn results(notes: &str, results: &Results, detail: Detail, max_tokens: Option<usize>) -> String {
    // The last line names the state of each repository, which needs more tokens if there are
    // several.
    let least = MIN_TOKENS + results.others.len() * STATE_TOKENS;
    let max_tokens = max_tokens.map(|tokens| tokens.max(least));
    let text = view::brief(results, detail.most(), &budget(max_tokens, notes));
    format!("{notes}{text}")
}
