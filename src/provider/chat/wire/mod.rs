//! Requests and answers, as each provider's documentation states them.
//!
//! - Anthropic: platform.claude.com/docs/en/api/messages and …/build-with-claude/streaming
//! - OpenAI: platform.openai.com/docs/api-reference/chat and servers that follow it; Together: docs.together.ai
//! - Ollama: docs.ollama.com/api/chat
//!
//! Sampling is left as the provider has it: models that reason refuse a temperature.

mod anthropic;
mod ollama;
mod openai;

use serde::{Deserialize, Serialize};

use super::events::Framing;
use super::{Choice, End, Prompt, Provider, Role};

/// Fields that not every server knows. They are left out once a server has refused one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extras {
    /// `response_format`: a JSON object is wanted.
    pub(super) response_format: bool,
    /// `stream_options`: the tokens are to be counted.
    pub(super) stream_options: bool,
}

impl Extras {
    /// All of them.
    pub(super) const ALL: Self = Self { response_format: true, stream_options: true };

    /// These without what a refusal names; `None` if it names nothing that was sent.
    pub(super) fn without(self, message: &str) -> Option<Self> {
        let left = Self {
            response_format: self.response_format && !message.contains("response_format"),
            stream_options: self.stream_options && !message.contains("stream_options"),
        };
        (left != self).then_some(left)
    }
}

/// A message, as all providers have it.
#[derive(Serialize)]
struct Message<'p> {
    role: &'static str,
    content: &'p str,
}

/// The conversation.
fn turns(prompt: &Prompt) -> impl Iterator<Item = Message<'_>> {
    prompt.turns.iter().map(|turn| Message {
        role: match turn.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        },
        content: &turn.text,
    })
}

/// The conversation where what the model is to do is its first message.
fn chat(prompt: &Prompt) -> Vec<Message<'_>> {
    let system = (!prompt.system.is_empty()).then_some(Message { role: "system", content: &prompt.system });
    system.into_iter().chain(turns(prompt)).collect()
}

/// The body of a request.
pub(super) fn request(choice: &Choice, prompt: &Prompt, extras: Extras) -> Vec<u8> {
    let value = match choice.provider() {
        Provider::Anthropic => serde_json::to_vec(&anthropic::request(choice, prompt)),
        Provider::Ollama => serde_json::to_vec(&ollama::request(choice, prompt)),
        Provider::OpenAi | Provider::Together | Provider::Compatible => {
            serde_json::to_vec(&openai::request(choice, prompt, extras))
        }
    };
    // Strings and numbers are always JSON.
    value.unwrap_or_default()
}

/// How an answer's messages are told apart.
pub(super) fn framing(provider: Provider) -> Framing {
    if provider == Provider::Ollama { Framing::Lines } else { Framing::Events }
}

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) end: Option<End>,
    /// Whether nothing more is to come.
    pub(super) is_over: bool,
}

/// Why a message can't be used.
#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    /// It is none of the protocol.
    Wrong(String),
    /// The provider failed, with the HTTP status that this would have been before the answer began.
    Failed(u16),
}

impl Answer {
    /// Takes the next message in.
    pub(super) fn take(&mut self, provider: Provider, message: &str) -> Result<(), Fault> {
        match provider {
            Provider::Anthropic => anthropic::take(self, message),
            Provider::Ollama => ollama::take(self, message),
            Provider::OpenAi | Provider::Together | Provider::Compatible => openai::take(self, message),
        }
    }
}

fn parse<'m, T: Deserialize<'m>>(message: &'m str) -> Result<T, Fault> {
    serde_json::from_str(message).map_err(|error| Fault::Wrong(error.to_string()))
}
