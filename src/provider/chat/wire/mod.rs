//! Wire formats: requests and answers, following the documentation of each provider.
//!
//! - Anthropic: platform.claude.com/docs/en/api/messages and …/build-with-claude/streaming
//! - OpenAI: platform.openai.com/docs/api-reference/chat, and servers that follow it; Together:
//!   docs.together.ai
//! - Ollama: docs.ollama.com/api/chat
//!
//! Sampling parameters are never sent, because models that reason refuse a temperature.

mod anthropic;
mod ollama;
mod openai;

use serde::{Deserialize, Serialize};

use super::events::MessageFormat;
use super::{Choice, End, Prompt, Provider, Role};

/// Request fields that not every server knows. A field is left out once a server has refused it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Extras {
    /// `response_format`: asks for a JSON object.
    pub(super) response_format: bool,
    /// `stream_options`: asks for token counts.
    pub(super) stream_options: bool,
}

impl Extras {
    /// All optional fields.
    pub(super) const ALL: Self = Self { response_format: true, stream_options: true };

    /// Returns these fields without those that a refusal names; `None` if it names none of them.
    pub(super) fn without(self, message: &str) -> Option<Self> {
        let left = Self {
            response_format: self.response_format && !message.contains("response_format"),
            stream_options: self.stream_options && !message.contains("stream_options"),
        };
        (left != self).then_some(left)
    }
}

/// A message, in the form that all providers share.
#[derive(Serialize)]
struct Message<'p> {
    role: &'static str,
    content: &'p str,
}

/// Returns the messages of the conversation.
fn turns(prompt: &Prompt) -> impl Iterator<Item = Message<'_>> {
    prompt.turns.iter().map(|turn| Message {
        role: match turn.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        },
        content: &turn.text,
    })
}

/// Returns the conversation with the system prompt as its first message.
fn chat(prompt: &Prompt) -> Vec<Message<'_>> {
    let system = (!prompt.system.is_empty()).then_some(Message { role: "system", content: &prompt.system });
    system.into_iter().chain(turns(prompt)).collect()
}

/// Returns the body of a request.
pub(super) fn request(choice: &Choice, prompt: &Prompt, extras: Extras) -> Vec<u8> {
    let value = match choice.provider() {
        Provider::Anthropic => serde_json::to_vec(&anthropic::request(choice, prompt)),
        Provider::Ollama => serde_json::to_vec(&ollama::request(choice, prompt)),
        Provider::OpenAi | Provider::Together | Provider::Compatible => {
            serde_json::to_vec(&openai::request(choice, prompt, extras))
        }
    };
    // Serialising can't fail: there are only strings and numbers.
    value.unwrap_or_default()
}

/// Returns how the messages of an answer are separated.
pub fn framing(provider: Provider) -> MessageFormat {
    if provider == Provider::Ollama { MessageFormat::Lines } else { MessageFormat::Events }
}

/// The part of an answer that has arrived.
#[derive(Debug, Default)]
pub struct Answer {
    /// The text, with reasoning.
    pub text: String,
    /// Tokens of the prompt, if the provider counts them.
    pub input: Option<u64>,
    /// Tokens of the answer, if the provider counts them.
    pub output: Option<u64>,
    /// Why it ends, if the provider has said so.
    pub end: Option<End>,
    /// Whether the answer is complete.
    pub is_over: bool,
}

/// The reason why a message can't be used.
#[derive(Debug, PartialEq)]
pub enum Fault {
    /// The message does not follow the protocol.
    Wrong(String),
    /// The provider failed. The value is the HTTP status that it would have sent before the answer
    /// began.
    Failed(u16),
}

impl Answer {
    /// Adds the next message to the answer.
    ///
    /// # Errors
    /// A [`Fault`], after which the answer is of no use.
    pub fn take(&mut self, provider: Provider, message: &str) -> Result<(), Fault> {
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
