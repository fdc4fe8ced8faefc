//! The providers of embedding models: their addresses, paths and keys.

/// A provider of models.
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
    /// All providers, with their names in settings.
    pub(super) const ALL: [(Self, &'static str); 5] = [
        (Self::Voyage, "voyage"),
        (Self::OpenAi, "openai"),
        (Self::Together, "together"),
        (Self::Ollama, "ollama"),
        (Self::Compatible, "openai-compatible"),
    ];

    /// Returns the provider's name in settings.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(provider, _)| *provider == self).map_or("", |(_, name)| name)
    }

    /// Returns the default address; `None` if a setting must give it.
    pub(super) fn address(self) -> Option<&'static str> {
        match self {
            Self::Voyage => Some("https://api.voyageai.com/v1"),
            Self::OpenAi => Some("https://api.openai.com/v1"),
            Self::Together => Some("https://api.together.ai/v1"),
            Self::Ollama => Some("http://127.0.0.1:11434"),
            Self::Compatible => None,
        }
    }

    /// Returns the path of the embedding endpoint below the address.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Ollama => "/api/embed",
            _ => "/embeddings",
        }
    }

    /// Returns the name of the environment variable that holds the key.
    pub fn key_variable(self) -> &'static str {
        match self {
            Self::Voyage => "VOYAGE_API_KEY",
            Self::OpenAi => "OPENAI_API_KEY",
            Self::Together => "TOGETHER_API_KEY",
            Self::Ollama => "OLLAMA_API_KEY",
            Self::Compatible => "CORA_EMBED_API_KEY",
        }
    }

    /// Reports whether the provider requires a key.
    pub fn wants_key(self) -> bool {
        !matches!(self, Self::Ollama | Self::Compatible)
    }

    /// Reports whether the provider can shorten vectors to fewer dimensions.
    pub(super) fn can_shorten(self) -> bool {
        self != Self::Together
    }
}
