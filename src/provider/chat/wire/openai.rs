//! The wire format of chat completions: OpenAI, Together, and servers with the same interface.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Answer, Choice, End, Extras, Fault, Message, Prompt, Provider, chat, parse};

#[derive(Serialize)]
pub(super) struct Request<'p> {
    model: &'p str,
    messages: Vec<Message<'p>>,
    /// OpenAI's name of the field; its reasoning models refuse the older one.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    /// The older name, which all other servers know.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
}

pub(super) fn request<'p>(choice: &'p Choice, prompt: &'p Prompt, extras: Extras) -> Request<'p> {
    let is_openai = choice.provider() == Provider::OpenAi;
    Request {
        model: choice.name(),
        messages: chat(prompt),
        max_completion_tokens: is_openai.then_some(prompt.max_tokens),
        max_tokens: (!is_openai).then_some(prompt.max_tokens),
        response_format: (prompt.wants_json && extras.response_format)
            .then(|| json!({"type": "json_object"})),
        stream: true,
        stream_options: extras.stream_options.then(|| json!({"include_usage": true})),
    }
}

/// A part of an answer, or the whole answer of a server that does not stream.
#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    choices: Option<Vec<Part>>,
    #[serde(default)]
    usage: Option<Usage>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    index: u32,
    #[serde(default, alias = "message")]
    delta: Option<Delta>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Delta {
    #[serde(default)]
    content: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

pub(super) fn take(answer: &mut Answer, message: &str) -> Result<(), Fault> {
    if message.trim() == "[DONE]" {
        answer.is_over = true;
        return Ok(());
    }
    let chunk: Chunk = parse(message)?;
    if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
        return Err(Fault::Failed(status(&error)));
    }
    for part in chunk.choices.into_iter().flatten().filter(|part| part.index == 0) {
        answer.text.push_str(&part.delta.and_then(|delta| delta.content).unwrap_or_default());
        if let Some(reason) = part.finish_reason {
            answer.end = Some(match reason.as_str() {
                "length" => End::Length,
                "content_filter" => End::Refused,
                _ => End::Whole,
            });
        }
    }
    if let Some(usage) = chunk.usage {
        answer.input = usage.prompt_tokens.or(answer.input);
        answer.output = usage.completion_tokens.or(answer.output);
    }
    Ok(())
}

/// Returns the HTTP status that corresponds to an error inside an answer, from its code or type.
fn status(error: &Value) -> u16 {
    let code = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let kind = error.get("type").and_then(Value::as_str).unwrap_or_default();
    match code {
        Some(code @ 400..600) => code,
        _ if kind.contains("rate_limit") => 429,
        _ if kind.contains("server") || kind.contains("overloaded") => 500,
        _ => 400,
    }
}
