//! Requests and answers, as each provider's documentation states them.
//!
//! Texts → body of a request; body of an answer → vectors in the order of the texts. Sources:
//!
//! - Voyage: docs.voyageai.com/reference/embeddings-api
//! - OpenAI: platform.openai.com/docs/api-reference/embeddings, and servers with the same interface
//! - Together: docs.together.ai/reference/embeddings
//! - Ollama: docs.ollama.com/api/embed

use serde::{Deserialize, Serialize};

use super::{Model, Provider, Purpose};
use crate::base::text::counted;

/// The fields of all providers; each request has only those of its own.
#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    input_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncation: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncate: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding_format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_dimension: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

/// Returns the body of a request.
pub(super) fn request(model: &Model, input: &[String], purpose: Purpose) -> Vec<u8> {
    let empty = Request {
        model: model.name(),
        input,
        input_type: None,
        truncation: None,
        truncate: None,
        encoding_format: None,
        output_dimension: None,
        dimensions: None,
    };
    let dimensions = model.shortened();
    let request = match model.provider() {
        Provider::Voyage => Request {
            input_type: Some(match purpose {
                Purpose::Document => "document",
                Purpose::Query => "query",
            }),
            truncation: Some(true),
            output_dimension: dimensions,
            ..empty
        },
        Provider::OpenAi | Provider::Compatible => {
            Request { encoding_format: Some("float"), dimensions, ..empty }
        }
        Provider::Together => empty,
        Provider::Ollama => Request { truncate: Some(true), dimensions, ..empty },
    };
    // Serialising strings and numbers never fails.
    serde_json::to_vec(&request).unwrap_or_default()
}

/// An answer with one vector for each text, in order.
#[derive(Debug, PartialEq)]
pub struct Answer {
    /// The vectors.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens that the provider counted, if it reports them.
    pub tokens: Option<u64>,
}

#[derive(Deserialize)]
struct List {
    data: Vec<Item>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Item {
    embedding: Vec<f32>,
    #[serde(default)]
    index: Option<usize>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    total_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Ollama {
    embeddings: Vec<Vec<f32>>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
}

/// Parses the answer to a request of `n` texts.
///
/// # Errors
/// Says what is wrong with the answer.
pub fn read(provider: Provider, body: &[u8], n: usize) -> Result<Answer, String> {
    let (vectors, tokens) = if provider == Provider::Ollama {
        let answer: Ollama = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        (answer.embeddings, answer.prompt_eval_count)
    } else {
        let list: List = serde_json::from_slice(body).map_err(|error| error.to_string())?;
        (in_order(list.data)?, list.usage.and_then(|usage| usage.total_tokens))
    };
    if vectors.len() != n {
        return Err(format!(
            "it has {} for {}",
            counted(vectors.len(), "vector", "vectors"),
            counted(n, "text", "texts")
        ));
    }
    Ok(Answer { vectors, tokens })
}

/// Sorts the vectors into the order of their texts.
fn in_order(items: Vec<Item>) -> Result<Vec<Vec<f32>>, String> {
    if items.iter().all(|item| item.index.is_none()) {
        return Ok(items.into_iter().map(|item| item.embedding).collect());
    }
    let mut vectors: Vec<Option<Vec<f32>>> = vec![None; items.len()];
    for item in items {
        let slot = item.index.and_then(|index| vectors.get_mut(index));
        match slot {
            Some(slot @ None) => *slot = Some(item.embedding),
            _ => return Err("the indices of its vectors don't match the texts".to_owned()),
        }
    }
    Ok(vectors.into_iter().flatten().collect())
}
