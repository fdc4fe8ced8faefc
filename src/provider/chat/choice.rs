//! Choice of a model: settings → provider, name, address and protocol.
//!
//! It does not send anything and reads no settings itself: the caller passes their values.

use crate::provider::http::{
    Address, Choices, OLLAMA, OPENAI, Service, TOGETHER, compatible, without_secrets,
};

use super::{Error, Result};

/// Anthropic, which has no embedding models.
const ANTHROPIC: Service = Service {
    name: "anthropic",
    address: Some("https://api.anthropic.com/v1"),
    key_variable: "ANTHROPIC_API_KEY",
    wants_key: true,
};

/// A provider of chat models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Provider {
    /// Anthropic.
    Anthropic,
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
    const ALL: [Self; 5] = [Self::Anthropic, Self::OpenAi, Self::Together, Self::Ollama, Self::Compatible];

    /// Returns the service that has the models.
    pub(crate) fn service(self) -> &'static Service {
        match self {
            Self::Anthropic => &ANTHROPIC,
            Self::OpenAi => &OPENAI,
            Self::Together => &TOGETHER,
            Self::Ollama => &OLLAMA,
            Self::Compatible => &const { compatible("CORA_MODEL_API_KEY") },
        }
    }

    /// Returns the path of the endpoint for answers, below the address.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Anthropic => "/messages",
            Self::Ollama => "/api/chat",
            Self::OpenAi | Self::Together | Self::Compatible => "/chat/completions",
        }
    }

    /// Returns the header for the key, in lower case, and the prefix of its value.
    pub fn key_header(self) -> (&'static str, &'static str) {
        match self {
            Self::Anthropic => ("x-api-key", ""),
            _ => ("authorization", "Bearer "),
        }
    }

    /// Returns further headers, with names in lower case.
    pub fn headers(self) -> Vec<(&'static str, String)> {
        match self {
            // platform.claude.com/docs/en/api/versioning: the current version, since 2023.
            Self::Anthropic => vec![("anthropic-version", "2023-06-01".to_owned())],
            _ => Vec::new(),
        }
    }
}

/// The settings of the model other than `cora.model`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChoiceSettings {
    /// `cora.modelUrl`: an address that replaces the provider's own.
    pub url: Option<String>,
    /// `cora.modelName`: the model, if `cora.model` names an address.
    pub name: Option<String>,
}

/// A model with its provider and address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    provider: Provider,
    name: String,
    address: Address,
}

impl Choice {
    /// Parses the value of `cora.model`: `provider:model` or `openai-compatible:URL`.
    ///
    /// # Errors
    /// [`Error::Model`] for an unknown provider, or a missing or invalid name. [`Error::Remote`]
    /// for an address that can't be used.
    pub fn parse(value: &str, settings: &ChoiceSettings) -> Result<Self> {
        let bad = |why, hint| Error::Model { value: without_secrets(value), why, hint };
        let choices = Choices {
            providers: &Provider::ALL,
            service: Provider::service,
            url: settings.url.as_deref(),
            name: settings.name.as_deref(),
            is_plain: |c| c.is_ascii_graphic(),
            form: "write it as 'anthropic:MODEL', 'openai:MODEL', 'together:MODEL', 'ollama:MODEL' or \
                   'openai-compatible:URL'",
            naming: "run 'git config cora.modelName NAME' to name it",
        };
        let (provider, name, address) = choices.parse(value).map_err(|(why, hint)| bad(why, hint))?;
        Ok(Self { provider, name: name.to_owned(), address: Address::parse(address)? })
    }

    /// Returns the provider.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// Returns the provider's name for the model.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Returns `provider:model`. The address is not included.
    pub fn id(&self) -> String {
        format!("{}:{}", self.provider.service().name, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::ClassifiedError;

    fn parse(value: &str) -> Result<Choice> {
        Choice::parse(value, &ChoiceSettings::default())
    }

    #[test]
    fn providers_and_models_are_read() {
        let cases = [
            ("anthropic:claude-x", "https://api.anthropic.com/v1", "/messages"),
            ("openai:gpt-x", "https://api.openai.com/v1", "/chat/completions"),
            ("together:acme/Model-7B", "https://api.together.ai/v1", "/chat/completions"),
            ("ollama:qwen:7b", "http://127.0.0.1:11434", "/api/chat"),
        ];
        for (value, address, path) in cases {
            let choice = parse(value).unwrap();
            assert_eq!((choice.address().as_str(), choice.provider().path()), (address, path));
            assert_eq!(choice.id(), value);
        }
        let url = ChoiceSettings { url: Some("https://gateway.example/v1/".into()), name: None };
        let choice = Choice::parse("anthropic:claude-x", &url).unwrap();
        assert_eq!(choice.address().as_str(), "https://gateway.example/v1");
        let name = ChoiceSettings { url: None, name: Some("m".into()) };
        let choice = Choice::parse("openai-compatible:http://localhost:8080/v1/", &name).unwrap();
        assert_eq!(
            (choice.address().as_str(), choice.id().as_str()),
            ("http://localhost:8080/v1", "openai-compatible:m")
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for value in ["", "openai", "openai:", "acme:model", "openai:two words", "ollama:\n", "OpenAI:x"] {
            assert!(parse(value).unwrap_err().hint().is_some(), "{value}");
        }
        let error = parse("openai-compatible:http://localhost/v1").unwrap_err();
        assert!(error.hint().unwrap().contains("cora.modelName"));
        let name = ChoiceSettings { url: None, name: Some("m".into()) };
        assert!(matches!(Choice::parse("openai-compatible:localhost", &name), Err(Error::Remote(_))));
    }
}
