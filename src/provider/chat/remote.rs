//! A model that is asked over HTTP.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::base::progress::Cancel;
use crate::base::text::tokens::estimate;
use crate::provider::http::{self, Client, Stream};

use super::events::Decoder;
use super::wire::{self, Answer, Extras, Fault};
use super::{Choice, End, Error, LanguageModel, Outgoing, Prompt, Reply, Result, Told, Usage};

/// The largest answer that is read: 128,000 tokens in pieces of one, each in an event of sixty bytes and more.
const ANSWER_BYTES: usize = 64 << 20;

/// How much longer than one wait a whole answer may take.
const WAITS: u32 = 10;

/// A language model behind a client.
#[derive(Debug)]
pub struct Remote {
    choice: Choice,
    client: Client,
    timeout: Duration,
    /// What the server has not refused yet.
    extras: Mutex<Extras>,
}

impl Remote {
    /// Asks what was chosen through `client`, whose longest wait is `timeout`; a whole answer may take ten times as long.
    pub fn new(choice: Choice, client: Client, timeout: Duration) -> Self {
        Self { choice, client, timeout, extras: Mutex::new(Extras::ALL) }
    }

    /// The model, and where it is asked.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    fn extras(&self) -> std::sync::MutexGuard<'_, Extras> {
        self.extras.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// One answer from its beginning to its end.
    fn read(&self, stream: &mut Stream, told: &mut dyn FnMut(Told<'_>)) -> http::Result<Answer> {
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
                    // The last message of a connection that was closed in its middle.
                    Err(Fault::Wrong(_)) if is_end => return Err(stream.broke_off()),
                    Err(Fault::Wrong(why)) => return Err(self.client.malformed(why)),
                }
                let more = answer.text.get(before..).unwrap_or_default();
                if !more.is_empty() {
                    told(Told::Text(more));
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

    fn outgoing(&self, prompt: &Prompt) -> Outgoing {
        Outgoing {
            url: format!("{}{}", self.choice.address().as_str(), self.choice.provider().path()),
            body: wire::request(&self.choice, prompt, *self.extras()),
        }
    }

    fn complete(&self, prompt: &Prompt, told: &mut dyn FnMut(Told<'_>), cancel: &Cancel) -> Result<Reply> {
        let answer = loop {
            let extras = *self.extras();
            let body = wire::request(&self.choice, prompt, extras);
            let mut is_again = false;
            let path = self.choice.provider().path();
            let asked = self.client.stream_to(path, &body, ANSWER_BYTES, cancel, |stream| {
                if std::mem::replace(&mut is_again, true) {
                    told(Told::Again);
                }
                self.read(stream, told)
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
                End::Whole => "it ended at once",
                End::Length => "its tokens were used up before",
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

/// The text after what a model thought aloud between `<think>` and `</think>`, as several open models do; nothing if it
/// came to no end.
fn without_reasoning(text: &str) -> &str {
    match text.trim_start().strip_prefix("<think>") {
        Some(thought) => thought.split_once("</think>").map_or("", |(_, after)| after),
        None => text,
    }
}
