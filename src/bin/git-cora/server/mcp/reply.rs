//! What all tools share: arguments, the state that is searched, and how trouble is told.

use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use git_cora::answer::view::{self, Budget, Most, Results, visible};
use git_cora::{Searchable, Target};

use crate::server::pool::{Failure, Host, Kept, Reached, Wait};

/// Tokens of a reply when the agent does not say: some screens of code, a hundredth of a usual context.
pub(super) const TOKENS: usize = 2_000;
/// Fewer can't hold the places of a few results.
const MIN_TOKENS: usize = 100;
/// And that many more for each repository after the first.
const STATE_TOKENS: usize = 40;
/// More is a file dump, not a reply.
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
    pub(super) fn most(self) -> Most {
        match self {
            Self::Locations => Most::Location,
            Self::Signatures => Most::Signature,
            Self::Full => Most::Full,
        }
    }
}

/// Why a call has no answer, as the agent reads it: it may try again otherwise.
#[derive(Debug)]
pub(super) struct Trouble {
    message: String,
    hint: Option<String>,
}

impl Trouble {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    pub(super) fn with_hint(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Some(hint.into()) }
    }

    /// What is wrong.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// The same, said of a repository of several; `name` is empty for the only one.
    pub(super) fn of(self, name: &str) -> Self {
        if name.is_empty() {
            return self;
        }
        Self { message: format!("{name}: {}", self.message), ..self }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", visible(&self.message))?;
        match &self.hint {
            Some(hint) => write!(f, "\nhint: {}", visible(hint)),
            None => Ok(()),
        }
    }
}

impl<E: Into<Failure>> From<E> for Trouble {
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

/// Reads the arguments; what is wrong with them is told in words.
pub(super) fn arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, Trouble> {
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let whose = match error.path().to_string().as_str() {
            "." => String::new(),
            path => format!("'{path}': "),
        };
        Trouble::new(format!("bad arguments: {whose}{}", error.inner()))
    })
}

/// The tokens of a reply.
pub(super) fn tokens(max_tokens: Option<usize>) -> usize {
    max_tokens.unwrap_or(TOKENS).clamp(MIN_TOKENS, MAX_TOKENS)
}

/// The budget of a reply, `notes` above it taken off.
pub(super) fn budget(max_tokens: Option<usize>, notes: &str) -> Budget {
    rest(tokens(max_tokens), notes)
}

/// What is left of so many tokens below `notes`.
pub(super) fn rest(tokens: usize, notes: &str) -> Budget {
    Budget { tokens: Some(tokens.saturating_sub(view::tokens(notes)).max(1)), characters: None }
}

/// What is searched, and what has to be said above the answer.
pub(super) struct State {
    pub(super) searchable: Arc<Searchable>,
    pub(super) revision: String,
    pub(super) notes: String,
}

/// What there is to search at a revision: `Err` with a reply where there is nothing yet.
pub(super) fn state(
    host: &Arc<Host>,
    kept: &Arc<Kept>,
    rev: Option<&str>,
    wait: &Wait<'_>,
) -> Result<Result<State, String>, Trouble> {
    let (target, revision) = kept.target(rev)?;
    Ok(match kept.reach(host, &target, wait)? {
        Reached::Exact(searchable) => Ok(State { searchable, revision, notes: String::new() }),
        Reached::Nearest(searchable, how_far) => {
            let commit = searchable.commit().map(|id| id.abbreviated(12).to_string()).unwrap_or_default();
            let asked = match target {
                Target::Worktree => "the working tree".to_owned(),
                Target::Commit(_) => format!("'{}'", visible(&revision)),
            };
            let notes = format!(
                "note: {asked} is still being indexed ({how_far}); this is from commit {commit}, the nearest that is ready\n"
            );
            Ok(State { searchable, revision: commit, notes })
        }
        Reached::Nothing(how_far) => Err(format!(
            "not indexed yet: the index is being made in the background ({how_far}). Ask again then; 'read' and grep work meanwhile."
        )),
    })
}

/// The reply with results.
pub(super) fn results(notes: &str, results: &Results, detail: Detail, max_tokens: Option<usize>) -> String {
    // The last line tells the state of each repository.
    let least = MIN_TOKENS + results.others.len() * STATE_TOKENS;
    let max_tokens = max_tokens.map(|tokens| tokens.max(least));
    let text = view::brief(results, detail.most(), &budget(max_tokens, notes));
    format!("{notes}{text}")
}
