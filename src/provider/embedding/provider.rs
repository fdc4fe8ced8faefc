//! The providers of embedding models: which services they are, and how one is asked for vectors.
//!
//! Chat models have a type of their own, so that no service is asked for what it does not have.

use crate::provider::http::{OLLAMA, OPENAI, Service, TOGETHER, compatible};

/// Voyage AI, which has no chat models.
const VOYAGE: Service = Service {
    name: "voyage",
    address: Some("https://api.voyageai.com/v1"),
    key_variable: "VOYAGE_API_KEY",
    wants_key: true,
};

/// A provider of embedding models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Provider {
    /// Voyage AI.
    Voyage,
    /// OpenAI.
    OpenAi,
    /// Together AI.
    Together,
    /// An Ollama server.
    Ollama,
    /// Any server with OpenAI's interface.
    Compatible,
}

impl Provider {
    /// All providers.
    pub(super) const ALL: [Self; 5] =
        [Self::Voyage, Self::OpenAi, Self::Together, Self::Ollama, Self::Compatible];

    /// Returns the service that has the models.
    pub(crate) fn service(self) -> &'static Service {
        match self {
            Self::Voyage => &VOYAGE,
            Self::OpenAi => &OPENAI,
            Self::Together => &TOGETHER,
            Self::Ollama => &OLLAMA,
            Self::Compatible => &const { compatible("CORA_EMBED_API_KEY") },
        }
    }

    /// Returns the path of the embedding endpoint below the address.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Ollama => "/api/embed",
            _ => "/embeddings",
        }
    }

    /// Reports whether the provider can shorten vectors to fewer dimensions.
    pub(super) fn can_shorten(self) -> bool {
        self != Self::Together
    }
}
