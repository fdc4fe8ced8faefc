//! The wire format of Ollama's chat API.

use serde::{Deserialize, Serialize};

use super::{Answer, Choice, End, Fault, Message, Prompt, chat, parse};

/// Step of the requested context size in tokens. Each new size makes the server load the model
/// again.
const CONTEXT_STEP: u64 = 4096;

#[derive(Serialize)]
pub(super) struct Request<'p> {
    model: &'p str,
    messages: Vec<Message<'p>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    options: Options,
}

/// Options of a request. Without `num_ctx`, the server silently cuts prompts that exceed its
/// default.
#[derive(Serialize)]
struct Options {
    num_ctx: u64,
    num_predict: u32,
}

pub(super) fn request<'p>(choice: &'p Choice, prompt: &'p Prompt) -> Request<'p> {
    let n_tokens = prompt.estimate() + u64::from(prompt.max_tokens);
    Request {
        model: choice.name(),
        messages: chat(prompt),
        stream: true,
        format: prompt.wants_json.then_some("json"),
        options: Options {
            num_ctx: n_tokens.div_ceil(CONTEXT_STEP) * CONTEXT_STEP,
            num_predict: prompt.max_tokens,
        },
    }
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    message: Option<Content>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
    #[serde(default)]
    eval_count: Option<u64>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    content: String,
}

pub(super) fn take(answer: &mut Answer, message: &str) -> Result<(), Fault> {
    let line: Line = parse(message)?;
    if line.error.is_some() {
        return Err(Fault::Failed(500));
    }
    answer.text.push_str(&line.message.map(|message| message.content).unwrap_or_default());
    answer.input = line.prompt_eval_count.or(answer.input);
    answer.output = line.eval_count.or(answer.output);
    if line.done {
        let is_cut = line.done_reason.as_deref() == Some("length");
        answer.end = Some(if is_cut { End::Length } else { End::Whole });
        answer.is_over = true;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_were_counted_once_stay_counted() {
        let mut answer = Answer::default();
        for (message, counted) in [
            (r#"{"message": {"content": "a"}}"#, (None, None)),
            (r#"{"prompt_eval_count": 25, "eval_count": 1}"#, (Some(25), Some(1))),
            (r#"{"eval_count": 2}"#, (Some(25), Some(2))),
            (r#"{"done": true}"#, (Some(25), Some(2))),
        ] {
            assert_eq!(take(&mut answer, message), Ok(()), "{message}");
            assert_eq!((answer.input, answer.output), counted, "{message}");
        }
        assert!(answer.is_over && answer.text == "a");
    }
}
