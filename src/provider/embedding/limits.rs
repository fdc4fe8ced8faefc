//! Limits of providers and models, as far as their documentation states them.
//!
//! Provider and model name → [`Limits`], dimensions, and prefixes of texts. The tables are searched
//! from the top, and the first entry whose text is part of the model's name applies.

use super::ANSWER_BYTES;
use super::provider::Provider;

/// Most bytes of a number in an answer: a double in full, with sign, exponent, comma and blank.
const NUMBER_BYTES: usize = 26;

/// Dimensions that are assumed of a model that neither the table nor a setting knows: the largest
/// in use.
const OTHER_DIMENSIONS: usize = 4_096;

/// The limits of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Most texts in a request.
    pub batch_texts: usize,
    /// Most tokens in a request.
    pub batch_tokens: usize,
    /// Most tokens of a text; longer texts are cut.
    pub text_tokens: usize,
    /// Most requests in parallel.
    pub requests: usize,
}

/// Most tokens of a text, by a part of the model's name.
///
/// Source: the models' cards.
const TEXT_TOKENS: &[(&str, usize)] = &[
    ("voyage-2", 4_000),
    ("voyage-code-2", 16_000),
    ("voyage-law-2", 16_000),
    ("voyage-large-2", 16_000),
    ("voyage-", 32_000),
    ("text-embedding-", 8_191),
    ("m2-bert-80m-2k", 2_048),
    ("m2-bert-80m-32k", 32_768),
    ("m2-bert-80m-8k", 8_192),
    ("gte-modernbert", 8_192),
    ("bge-m3", 8_192),
    ("bge-", 512),
    ("uae-large", 512),
    ("mxbai-embed-large", 512),
    ("multilingual-e5", 512),
    ("e5-", 512),
    ("all-minilm", 256),
    ("snowflake-arctic-embed2", 8_192),
    ("snowflake-arctic-embed-l-v2", 8_192),
    ("snowflake-arctic-embed", 512),
    ("nomic-embed-text", 2_048),
    ("jina-embeddings", 8_192),
    ("qwen3-embedding", 32_768),
    ("embeddinggemma", 2_048),
];

/// Most tokens of a text if neither the table nor a setting says.
///
/// Most models in use take this many. One that takes fewer refuses the text, which is then halved.
const OTHER_TEXT_TOKENS: usize = 8_192;

/// Dimensions of unshortened vectors, by a part of the model's name; the first answer of other
/// models shows theirs.
const DIMENSIONS: &[(&str, usize)] = &[
    ("voyage-code-3", 1024),
    ("text-embedding-3-small", 1536),
    ("text-embedding-3-large", 3072),
    ("text-embedding-ada-002", 1536),
    ("bge-large-en-v1.5", 1024),
    ("bge-base-en-v1.5", 768),
];

/// Prefixes of documents and of queries, by a part of the model's name.
///
/// Source: the models' cards.
///
/// Voyage is missing on purpose: its service adds the prefixes itself.
const PREFIXES: &[(&str, &str, &str)] = &[
    ("nomic-embed-text", "search_document: ", "search_query: "),
    (
        "multilingual-e5-large-instruct",
        "",
        "Instruct: Given a question, retrieve code that answers it\nQuery: ",
    ),
    ("e5-mistral", "", "Instruct: Given a question, retrieve code that answers it\nQuery: "),
    ("e5-", "passage: ", "query: "),
    ("bge-m3", "", ""),
    ("bge-", "", "Represent this sentence for searching relevant passages: "),
    ("mxbai-embed-large", "", "Represent this sentence for searching relevant passages: "),
    ("uae-large", "", "Represent this sentence for searching relevant passages: "),
    ("snowflake-arctic-embed2", "", "query: "),
    ("snowflake-arctic-embed-l-v2", "", "query: "),
    ("snowflake-arctic-embed", "", "Represent this sentence for searching relevant passages: "),
    ("qwen3-embedding", "", "Instruct: Given a question, retrieve code that answers it\nQuery:"),
    ("embeddinggemma", "title: none | text: ", "task: code retrieval | query: "),
];

fn of<T: Copy>(table: &[(&str, T)], model: &str) -> Option<T> {
    table.iter().find(|(part, _)| model.contains(part)).map(|(_, value)| *value)
}

impl Limits {
    /// Returns the limits of a provider and a model.
    ///
    /// `text_tokens` is the setting, and `dimensions` the length of the vectors, if known.
    pub(super) fn of(
        provider: Provider,
        model: &str,
        text_tokens: Option<usize>,
        dimensions: Option<usize>,
    ) -> Self {
        let model = model.to_lowercase();
        let text_tokens = text_tokens.or_else(|| of(TEXT_TOKENS, &model)).unwrap_or(OTHER_TEXT_TOKENS);
        let (batch_texts, batch_tokens, requests) = match provider {
            // docs.voyageai.com/reference/embeddings-api: 1,000 texts; tokens by model.
            Provider::Voyage if model.contains("lite") => (1_000, 1_000_000, 4),
            Provider::Voyage
                if ["voyage-4", "voyage-3.5", "voyage-3", "voyage-2"].contains(&model.as_str()) =>
            {
                (1_000, 320_000, 4)
            }
            Provider::Voyage => (1_000, 120_000, 4),
            // platform.openai.com/docs/api-reference/embeddings: 2,048 texts, 300,000 tokens.
            Provider::OpenAi => (2_048, 300_000, 4),
            // Not documented: sizes that are usual among its clients.
            Provider::Together => (128, 64_000, 4),
            // The user's own machine: small batches, so that progress is visible. Common servers
            // take 32 texts by default.
            Provider::Ollama | Provider::Compatible => (32, 64_000, 1),
        };
        // An answer that is larger than the bound would be read in vain.
        let vector_bytes = dimensions.unwrap_or(OTHER_DIMENSIONS).max(1).saturating_mul(NUMBER_BYTES);
        let batch_texts = batch_texts.min(ANSWER_BYTES / vector_bytes).max(1);
        Self { batch_texts, batch_tokens: batch_tokens.max(text_tokens), text_tokens, requests }
    }
}

/// Returns the dimensions of a model's unshortened vectors, if they are known.
pub(super) fn dimensions(model: &str) -> Option<usize> {
    of(DIMENSIONS, &model.to_lowercase())
}

/// Returns the prefixes of documents and of queries.
pub(super) fn prefixes(model: &str) -> (&'static str, &'static str) {
    let model = model.to_lowercase();
    let found = PREFIXES.iter().find(|(part, ..)| model.contains(part));
    found.map_or(("", ""), |(_, document, query)| (document, query))
}
