//! The wire format of Anthropic's Messages API.

use serde::{Deserialize, Serialize};

use super::{Answer, Choice, End, Fault, Message, Prompt, parse, turns};

#[derive(Serialize)]
pub(super) struct Request<'p> {
    model: &'p str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    system: &'p str,
    messages: Vec<Message<'p>>,
    stream: bool,
}

pub(super) fn request<'p>(choice: &'p Choice, prompt: &'p Prompt) -> Request<'p> {
    Request {
        model: choice.name(),
        max_tokens: prompt.max_tokens,
        system: &prompt.system,
        messages: turns(prompt).collect(),
        stream: true,
    }
}

/// The relevant events. `ping`, the start and end of blocks, and unknown kinds are ignored.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: Start,
    },
    ContentBlockDelta {
        delta: Delta,
    },
    MessageDelta {
        delta: Stop,
        #[serde(default)]
        usage: Usage,
    },
    MessageStop,
    Error {
        #[serde(default)]
        error: Failure,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    usage: Usage,
}

/// A part of a block; reasoning and signatures are ignored.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Delta {
    TextDelta {
        text: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Stop {
    stop_reason: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Usage {
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Failure {
    r#type: String,
}

pub(super) fn take(answer: &mut Answer, message: &str) -> Result<(), Fault> {
    match parse(message)? {
        Event::MessageStart { message } => count(answer, &message.usage),
        Event::ContentBlockDelta { delta: Delta::TextDelta { text } } => answer.text.push_str(&text),
        Event::MessageDelta { delta, usage } => {
            count(answer, &usage);
            answer.end = delta.stop_reason.as_deref().map(|reason| match reason {
                "max_tokens" | "model_context_window_exceeded" => End::Length,
                "refusal" => End::Refused,
                _ => End::Whole,
            });
        }
        Event::MessageStop => answer.is_over = true,
        // platform.claude.com/docs/en/api/errors
        Event::Error { error } => {
            return Err(Fault::Failed(match error.r#type.as_str() {
                "overloaded_error" => 529,
                "api_error" => 500,
                "timeout_error" => 504,
                "rate_limit_error" => 429,
                _ => 400,
            }));
        }
        Event::ContentBlockDelta { delta: Delta::Other } | Event::Other => {}
    }
    Ok(())
}

/// Updates the token counts, which are running totals.
fn count(answer: &mut Answer, usage: &Usage) {
    let written = usage.cache_creation_input_tokens.unwrap_or(0);
    let cached = written.saturating_add(usage.cache_read_input_tokens.unwrap_or(0));
    answer.input = usage.input_tokens.map(|n| n.saturating_add(cached)).or(answer.input);
    answer.output = usage.output_tokens.or(answer.output);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_counts_are_the_largest_number() {
        let mut answer = Answer::default();
        let usage = r#"{"input_tokens":1,"cache_creation_input_tokens":18446744073709551615,"cache_read_input_tokens":9}"#;
        let message = format!(r#"{{"type":"message_start","message":{{"usage":{usage}}}}}"#);
        take(&mut answer, &message).unwrap();
        assert_eq!(answer.input, Some(u64::MAX));
    }
}
