//! The interface of a language model: a prompt → text.
//!
//! Owns [`LanguageModel`], what all of them can do, and [`MeteredModel`], which keeps a budget. No
//! model is here: providers implement the trait, and stages take it as `&dyn LanguageModel`.
//!
//! **Invariants.** [`LanguageModel::outgoing`] is what [`LanguageModel::complete`] sends, to the
//! byte. An answer that breaks off is not an answer.

mod budget;

use serde::{Deserialize, Serialize};

use super::config::ConfigError;
use super::error::{ClassifiedError, ErrorKind};
use super::progress::Cancel;
use super::request;
use super::text::tokens::estimate;

pub use budget::{Budget, Cost, MeteredModel};

/// The result type of this part.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a language model gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The setting `cora.model` lacks something.
    #[error("invalid value '{value}' for 'cora.model': it {why}")]
    Model {
        /// The value.
        value: String,
        /// What is wrong with it.
        why: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// The request failed.
    #[error(transparent)]
    Remote(#[from] request::Error),
    /// One more call would pass the budget.
    #[error("the budget of {limit} {unit} is used up")]
    Budget {
        /// The budget.
        limit: u64,
        /// `tokens` or `calls`.
        unit: &'static str,
    },
    /// The answer was received and could not be kept.
    #[error("{why}")]
    Kept {
        /// Why.
        why: String,
    },
    /// The model answered without any text.
    #[error("{model} returned no text ({why})")]
    Empty {
        /// The model's id.
        model: String,
        /// What it said of the end.
        why: &'static str,
    },
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Config(error) => error.kind(),
            Self::Model { .. } => ErrorKind::Config,
            Self::Remote(error) => error.kind(),
            Self::Budget { .. } => ErrorKind::Limit,
            Self::Empty { .. } => ErrorKind::Network,
            Self::Kept { .. } => ErrorKind::Git,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Config(error) => error.hint(),
            Self::Model { hint, .. } => Some((*hint).to_owned()),
            Self::Remote(error) => error.hint(),
            Self::Budget { .. } | Self::Kept { .. } => None,
            Self::Empty { .. } => Some(
                "run 'git config cora.modelMaxTokens 16384' to leave room for the model's reasoning"
                    .to_owned(),
            ),
        }
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The one who asks.
    User,
    /// The model.
    Assistant,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// What it is to do.
    pub system: String,
    /// The conversation: it begins with the user and ends with the user.
    pub turns: Vec<Turn>,
    /// Most tokens of the answer, of reasoning too where the provider counts that.
    pub max_tokens: u32,
    /// Whether the answer is to be a JSON object. The prompt has to ask for one too: not every
    /// provider can be made to give one.
    pub wants_json: bool,
}

impl Prompt {
    /// A prompt of one message.
    pub fn new(system: impl Into<String>, text: impl Into<String>, max_tokens: u32) -> Self {
        let turn = Turn { role: Role::User, text: text.into() };
        Self { system: system.into(), turns: vec![turn], max_tokens, wants_json: false }
    }

    /// About how many tokens it has, on the high side.
    pub fn estimate(&self) -> u64 {
        // Each message is wrapped in a few tokens by the provider.
        let turns = self.turns.iter().map(|turn| estimate(&turn.text) + 8).sum::<usize>();
        (estimate(&self.system) + turns + 8) as u64
    }
}

/// Tokens of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Sent.
    pub input: u64,
    /// Received.
    pub output: u64,
}

impl Usage {
    /// Both.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// Why an answer ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// It is whole.
    Whole,
    /// It would have been longer.
    Length,
    /// The provider, or the model, would not say more.
    Refused,
}

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// The text, without reasoning; not blank.
    pub text: String,
    /// Tokens that the provider counted; our estimate where it doesn't say.
    pub usage: Usage,
    /// Why it ends.
    pub end: End,
}

/// A request as it is sent, but for the headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBody {
    /// Where to.
    pub url: String,
    /// JSON.
    pub body: Vec<u8>,
}

/// An update while a reply arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyUpdate<'t> {
    /// More of its text, as the model has it.
    Text(&'t str),
    /// It broke off, and begins again.
    Again,
}

/// A language model. Calls may come from several threads.
pub trait LanguageModel: Send + Sync {
    /// The model, as `provider:model`, without its address.
    fn id(&self) -> String;

    /// The request that a prompt becomes.
    fn outgoing(&self, prompt: &Prompt) -> RequestBody;

    /// Asks, and tells what comes as it comes.
    ///
    /// # Errors
    /// Any of [`Error`].
    fn complete(
        &self,
        prompt: &Prompt,
        update: &mut dyn FnMut(ReplyUpdate<'_>),
        cancel: &Cancel,
    ) -> Result<Reply>;
}

impl<M: LanguageModel + ?Sized> LanguageModel for Box<M> {
    fn id(&self) -> String {
        (**self).id()
    }

    fn outgoing(&self, prompt: &Prompt) -> RequestBody {
        (**self).outgoing(prompt)
    }

    fn complete(
        &self,
        prompt: &Prompt,
        update: &mut dyn FnMut(ReplyUpdate<'_>),
        cancel: &Cancel,
    ) -> Result<Reply> {
        (**self).complete(prompt, update, cancel)
    }
}
