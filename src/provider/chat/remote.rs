//! Remote models: a prompt → an HTTP request → the answer of a provider.
//!
//! A server may refuse optional request fields that it does not know. Such a field is then left
//! out, and stays out for later requests of this [`Remote`]. Retries, time-outs and keys are the
//! business of [`Client`].

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::base::progress::Cancel;
use crate::base::text::tokens::estimate;
use crate::base::threads::lock;
use crate::provider::http::{self, Client, Stream};

use super::events::Decoder;
use super::wire::{self, Answer, Extras, Fault};
use super::{Choice, End, Error, LanguageModel, Prompt, Reply, ReplyUpdate, RequestBody, Result, Usage};

/// Maximum size of an answer: 128,000 tokens, each in an event of its own of sixty bytes or more.
const ANSWER_BYTES: usize = 64 << 20;

/// Maximum duration of a whole answer, in multiples of the time-out for one wait.
const WAITS: u32 = 10;

/// A language model at a provider.
#[derive(Debug)]
pub struct Remote {
    choice: Choice,
    client: Client,
    timeout: Duration,
    /// The optional fields that the server has not refused so far.
    extras: Mutex<Extras>,
}

impl Remote {
    /// Creates a model that is asked through `client`, whose time-out for one wait is `timeout`. A
    /// whole answer may take ten times as long.
    pub fn new(choice: Choice, client: Client, timeout: Duration) -> Self {
        Self { choice, client, timeout, extras: Mutex::new(Extras::ALL) }
    }

    /// Returns the model and its address.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    fn extras(&self) -> std::sync::MutexGuard<'_, Extras> {
        lock(&self.extras)
    }

    /// Reads one answer to its end.
    fn read(&self, stream: &mut Stream, update: &mut dyn FnMut(ReplyUpdate<'_>)) -> http::Result<Answer> {
        let provider = self.choice.provider();
        let mut decoder = Decoder::new(wire::framing(provider));
        let mut answer = Answer::default();
        let deadline = Instant::now() + self.timeout * WAITS;
        loop {
            let piece = stream.piece()?;
            let is_end = piece.is_none();
            let messages = match piece {
                Some(piece) => decoder.push(&piece),
                None => decoder.finish(),
            };
            for message in messages {
                let before = answer.text.len();
                match answer.take(provider, &message) {
                    Ok(()) => {}
                    Err(Fault::Failed(status)) => {
                        return Err(self.client.refused(status, message.as_bytes()));
                    }
                    // A broken last message means that the connection was closed too early.
                    Err(Fault::Wrong(_)) if is_end => return Err(stream.broke_off()),
                    Err(Fault::Wrong(why)) => return Err(self.client.malformed(why)),
                }
                let more = answer.text.get(before..).unwrap_or_default();
                if !more.is_empty() {
                    update(ReplyUpdate::Text(more));
                }
            }
            if answer.is_over || is_end && answer.end.is_some() {
                return Ok(answer);
            }
            if is_end {
                return Err(stream.broke_off());
            }
            if Instant::now() > deadline {
                let seconds = (self.timeout * WAITS).as_secs();
                return Err(http::Error::TimedOut { host: self.client.host().to_owned(), seconds });
            }
        }
    }
}

impl LanguageModel for Remote {
    fn id(&self) -> String {
        self.choice.id()
    }

    fn outgoing(&self, prompt: &Prompt) -> RequestBody {
        RequestBody {
            url: format!("{}{}", self.choice.address().as_str(), self.choice.provider().path()),
            body: wire::request(&self.choice, prompt, *self.extras()),
        }
    }

    fn complete(
        &self,
        prompt: &Prompt,
        update: &mut dyn FnMut(ReplyUpdate<'_>),
        cancel: &Cancel,
    ) -> Result<Reply> {
        let answer = loop {
            let extras = *self.extras();
            let body = wire::request(&self.choice, prompt, extras);
            let mut is_again = false;
            let path = self.choice.provider().path();
            let asked = self.client.stream_to(path, &body, ANSWER_BYTES, cancel, |stream| {
                if std::mem::replace(&mut is_again, true) {
                    update(ReplyUpdate::Again);
                }
                self.read(stream, update)
            });
            match asked {
                Ok(answer) => break answer,
                Err(http::Error::Refused { status: status @ (400 | 422), message, host }) => {
                    match extras.without(&message) {
                        Some(fewer) => *self.extras() = fewer,
                        None => {
                            return Err(http::Error::Refused { status, message, host }.into());
                        }
                    }
                }
                Err(error) => return Err(error.into()),
            }
        };
        let text = without_reasoning(&answer.text).trim();
        let end = answer.end.unwrap_or(End::Whole);
        if text.is_empty() {
            let why = match end {
                End::Whole => "it ended immediately",
                End::Length => "it reached the token limit first",
                End::Refused => "it refused",
            };
            return Err(Error::Empty { model: self.id(), why });
        }
        let usage = Usage {
            input: answer.input.unwrap_or_else(|| prompt.estimate()),
            output: answer.output.unwrap_or_else(|| estimate(&answer.text) as u64),
        };
        Ok(Reply { text: text.to_owned(), usage, end })
    }
}

/// Returns the text without the reasoning that several open models put between `<think>` and
/// `</think>`.
///
/// If the reasoning does not end, there is no text.
fn without_reasoning(text: &str) -> &str {
    match text.trim_start().strip_prefix("<think>") {
        Some(thought) => thought.split_once("</think>").map_or("", |(_, after)| after),
        None => text,
    }
}
