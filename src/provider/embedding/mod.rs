//! Embedding models of providers: texts → vectors, by a provider that a setting names.
//!
//! Owns [`Model`], the facts about a provider and its model (address, limits, prefixes, the id
//! under which its vectors are stored); [`Embedder`], which sends the requests; and [`Row`], a
//! vector in its stored form. The requests and answers of each provider are in `wire`, as its
//! documentation states them.
//!
//! **Invariants.** Nothing is sent without a model, and only a setting gives one. An answer is
//! checked before any of it is used: as many vectors as texts, in the order of the texts, each of
//! the right length and of finite numbers. Unlike the built-in model's, these vectors are not
//! reproducible, so they never become part of an index.

mod limits;
mod model;
mod provider;
mod row;
#[cfg(test)]
mod tests;
mod wire;

use std::ops::Range;
use std::sync::OnceLock;

use super::http::{self, Client};
use crate::base::config::ConfigError;
use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::progress::Cancel;
use crate::base::text::tokens::estimate;

pub use limits::Limits;
pub use model::{Model, ModelSettings};
pub use provider::Provider;
pub use row::{Question, Row};
pub use wire::{Answer, read};

/// Result of this module's operations.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Largest answer that is read. [`Limits`] keeps batches below it, and an answer above it halves
/// the batch.
const ANSWER_BYTES: usize = 64 << 20;

/// Most times that a text is halved because the provider calls it too long.
const HALVINGS: u32 = 5;

/// A provider's count of tokens is ignored if it is below our estimate divided by this.
const LEAST_COUNTED: u64 = 10;

/// Sent in place of a text without any visible character, which providers refuse.
const BLANK: &str = "-";

/// Reason why an embedding model gave no vectors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The setting `cora.embedder` is incomplete or invalid.
    #[error("invalid value '{value}' for 'cora.embedder': it {why}")]
    Model {
        /// The value of the setting.
        value: String,
        /// The fault of the value, as the end of the sentence.
        why: &'static str,
        /// One action that fixes it.
        hint: &'static str,
    },
    /// The request failed.
    #[error(transparent)]
    Remote(#[from] http::Error),
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Config(error) => error.kind(),
            Self::Model { .. } => ErrorKind::Config,
            Self::Remote(error) => error.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Config(error) => error.hint(),
            Self::Model { hint, .. } => Some((*hint).to_owned()),
            Self::Remote(error) => error.hint(),
        }
    }
}

/// The purpose of embedding a text; most models treat the two differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Texts that are searched.
    Document,
    /// Texts that search.
    Query,
}

/// The vectors of a batch.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EmbeddingBatch {
    /// One vector for each text, in order.
    pub rows: Vec<Row>,
    /// Tokens that the provider counted, or our estimate if it reports none or an implausible
    /// count.
    pub tokens: u64,
    /// Number of texts that were too long, so that only their beginnings were sent.
    pub n_cut: usize,
}

/// A client of an embedding model.
///
/// Calls may come from several threads.
#[derive(Debug)]
pub struct Embedder {
    model: Model,
    client: Client,
    /// Dimensions of the vectors, from the settings, the model's name, or the first answer.
    dimensions: OnceLock<usize>,
}

impl Embedder {
    /// Makes an embedder that sends requests to `model` through `client`.
    pub fn new(model: Model, client: Client) -> Self {
        let dimensions = OnceLock::new();
        if let Some(known) = model.dimensions() {
            let _ = dimensions.set(known);
        }
        Self { model, client, dimensions }
    }

    /// Returns the model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Embeds a batch, which must be within [`Model::limits`].
    ///
    /// A text that is too long is cut at its end. If the provider still calls a batch or a text too
    /// long, it is halved and sent again. A batch is also halved if its answer is too large to
    /// read.
    ///
    /// # Errors
    /// [`Error::Remote`]; it holds [`http::Error::Malformed`] if the answer has other vectors
    /// than requested.
    pub fn embed(&self, texts: &[&str], purpose: Purpose, cancel: &Cancel) -> Result<EmbeddingBatch> {
        let mut embedded = EmbeddingBatch::default();
        let mut rows: Vec<Option<Row>> = vec![None; texts.len()];
        // Pending requests: a range of texts, the most tokens of a text, and how often that was
        // halved.
        let mut parts: Vec<(Range<usize>, f64, u32)> = Vec::new();
        let text_tokens = self.model.limits().text_tokens as f64;
        if !texts.is_empty() {
            parts.push((0..texts.len(), text_tokens, 0));
        }
        let mut is_cut = vec![false; texts.len()];
        while let Some((part, most, n_halved)) = parts.pop() {
            let prefix = self.model.prefix(purpose);
            let inputs: Vec<String> = part
                .clone()
                .map(|at| {
                    let text = texts.get(at).copied().unwrap_or_default();
                    let short = truncate(text, most, estimate(prefix));
                    if let Some(flag) = is_cut.get_mut(at) {
                        *flag |= short.len() < text.len();
                    }
                    let short = if short.trim().is_empty() { BLANK } else { short };
                    format!("{prefix}{short}")
                })
                .collect();
            match self.request(&inputs, purpose, cancel) {
                Ok((found, n_tokens)) => {
                    embedded.tokens = embedded.tokens.saturating_add(n_tokens);
                    for (slot, row) in rows.get_mut(part).unwrap_or_default().iter_mut().zip(found) {
                        *slot = Some(row);
                    }
                }
                Err(Error::Remote(error)) if part.len() > 1 && is_too_large(&error) => {
                    let middle = part.start + part.len() / 2;
                    parts.push((middle..part.end, most, n_halved));
                    parts.push((part.start..middle, most, n_halved));
                }
                Err(Error::Remote(http::Error::Refused { status, message, .. }))
                    if is_too_long(status, &message) && n_halved < HALVINGS =>
                {
                    let n_sent = inputs.first().map_or(0, |input| estimate(input));
                    parts.push((part, most.min(n_sent as f64) / 2.0, n_halved + 1));
                }
                Err(error) => return Err(error),
            }
        }
        embedded.n_cut = is_cut.into_iter().filter(|&cut| cut).count();
        embedded.rows = rows.into_iter().flatten().collect();
        Ok(embedded)
    }

    /// Sends one request; returns the rows of the inputs, and the number of tokens.
    fn request(&self, inputs: &[String], purpose: Purpose, cancel: &Cancel) -> Result<(Vec<Row>, u64)> {
        let body = wire::request(&self.model, inputs, purpose);
        let answer = self.client.post(self.model.provider().path(), &body, ANSWER_BYTES, cancel)?;
        let malformed = |why: String| Error::Remote(self.client.malformed(why));
        let answer = wire::read(self.model.provider(), &answer, inputs.len()).map_err(malformed)?;
        let first = answer.vectors.first().map_or(0, Vec::len);
        let expected = *self.dimensions.get_or_init(|| first);
        let rows = answer
            .vectors
            .iter()
            .map(|vector| {
                if vector.len() != expected {
                    let n = vector.len();
                    return Err(malformed(format!("a vector has {n} dimensions; expected {expected}")));
                }
                Row::quantise(vector).map_err(|why| malformed(why.to_owned()))
            })
            .collect::<Result<Vec<Row>>>()?;
        // A single text may have no word that the model knows. If all vectors are zero, the model
        // is broken.
        if rows.iter().all(Row::is_zero) && (rows.len() > 1 || purpose == Purpose::Query) {
            return Err(malformed("its vectors are zero".to_owned()));
        }
        let estimate: u64 = inputs.iter().map(|input| estimate(input) as u64).sum();
        // Some servers always report 0, or count only texts that they have not seen before.
        Ok((rows, believed(answer.tokens, estimate)))
    }
}

/// Returns a provider's count of tokens if it is plausible, otherwise our estimate.
fn believed(counted: Option<u64>, estimate: u64) -> u64 {
    counted.filter(|&counted| counted >= estimate / LEAST_COUNTED).unwrap_or(estimate)
}

/// Returns the beginning of a text that, with a prefix of `n_prefix` tokens, has at most about
/// `most` tokens.
pub(super) fn truncate(text: &str, most: f64, n_prefix: usize) -> &str {
    let most = most - n_prefix as f64;
    let n_tokens = estimate(text) as f64;
    if n_tokens <= most {
        return text;
    }
    // Tokens are not spread evenly, so the estimate is repeated: each round is closer to the bound.
    let mut short = text;
    for _ in 0..16 {
        let n = estimate(short) as f64;
        if n <= most {
            break;
        }
        let keep = (short.len() as f64 * (most.max(1.0) / n) * 0.98).floor();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a length")]
        let mut end = (keep as usize).min(short.len().saturating_sub(1));
        while !short.is_char_boundary(end) {
            end -= 1;
        }
        short = short.get(..end).unwrap_or_default();
    }
    short
}

/// Reports whether a smaller batch may help: the provider refuses this one, or its answer exceeds
/// the bound.
fn is_too_large(error: &http::Error) -> bool {
    match error {
        http::Error::Refused { status, message, .. } => is_too_long(*status, message),
        http::Error::TooLarge { .. } => true,
        _ => false,
    }
}

/// Reports whether a refusal is about the length of a text or the size of a batch.
fn is_too_long(status: u16, message: &str) -> bool {
    let message = message.to_lowercase();
    let says =
        ["too long", "too large", "too many", "maximum", "exceed", "context length", "batch size", "max_"];
    status == 413 || matches!(status, 400 | 422) && says.iter().any(|word| message.contains(word))
}
