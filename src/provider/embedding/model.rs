//! The choice of an embedding model: its provider, its address, and the id of its vectors.
//!
//! Settings → [`Model`]. The id must not depend on the address: the same model gives the same
//! vectors wherever it runs.

use crate::provider::http::{Address, Choices, without_secrets};

use super::provider::Provider;
use super::{Error, Limits, Purpose, Result, limits};

/// The settings of the model other than `cora.embedder`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelSettings {
    /// `cora.embedUrl`: an address instead of the provider's own.
    pub url: Option<String>,
    /// `cora.embedModel`: the model, if `cora.embedder` names an address.
    pub model: Option<String>,
    /// `cora.embedDimensions`: fewer dimensions than the model has.
    pub dimensions: Option<usize>,
    /// `cora.embedMaxTokens`: most tokens of a text that the model takes.
    pub text_tokens: Option<usize>,
}

/// An embedding model of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    provider: Provider,
    name: String,
    address: Address,
    shortened: Option<usize>,
    limits: Limits,
}

impl Model {
    /// Parses `cora.embedder`: `provider:model`, or `openai-compatible:URL`.
    ///
    /// # Errors
    /// - [`Error::Model`] for an unknown provider, or a missing or invalid name.
    /// - [`Error::Remote`] for an address that can't be used.
    pub fn parse(value: &str, settings: &ModelSettings) -> Result<Self> {
        let bad = |why, hint| Error::Model { value: without_secrets(value), why, hint };
        let choices = Choices {
            providers: &Provider::ALL,
            service: Provider::service,
            url: settings.url.as_deref(),
            name: settings.model.as_deref(),
            // '@' separates the name from the dimensions in an id.
            is_plain: |c| c.is_ascii_graphic() && c != '@',
            form: "write it as 'voyage:voyage-code-3', 'openai:text-embedding-3-small', \
                   'together:BAAI/bge-large-en-v1.5', 'ollama:MODEL' or 'openai-compatible:URL'",
            naming: "run 'git config cora.embedModel NAME' to name it",
        };
        let (provider, name, address) = choices.parse(value).map_err(|(why, hint)| bad(why, hint))?;
        if settings.dimensions.is_some() && !provider.can_shorten() {
            return Err(bad(
                "can't return fewer dimensions",
                "run 'git config --unset cora.embedDimensions' to request all",
            ));
        }
        let dimensions = settings.dimensions.or_else(|| limits::dimensions(name));
        Ok(Self {
            provider,
            name: name.to_owned(),
            address: Address::parse(address)?,
            shortened: settings.dimensions.filter(|n| limits::dimensions(name) != Some(*n)),
            limits: Limits::of(provider, name, settings.text_tokens, dimensions),
        })
    }

    /// Returns the provider.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// Returns the model's name as the provider spells it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the address that requests go to.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Returns the limits of a request.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the requested dimensions, if they are fewer than the model has.
    pub fn shortened(&self) -> Option<usize> {
        self.shortened
    }

    /// Returns the dimensions of the vectors, if they are known before the first answer.
    pub(super) fn dimensions(&self) -> Option<usize> {
        self.shortened.or_else(|| limits::dimensions(&self.name))
    }

    /// Returns the prefix of a text.
    pub(super) fn prefix(&self, purpose: Purpose) -> &'static str {
        if self.provider == Provider::Voyage {
            return "";
        }
        let (document, query) = limits::prefixes(&self.name);
        match purpose {
            Purpose::Document => document,
            Purpose::Query => query,
        }
    }

    /// Returns the id: `provider:model`, with `@dimensions` if shortened.
    ///
    /// Two vectors are comparable if their ids are equal. The address is not part of the id.
    pub fn id(&self) -> String {
        let dimensions = self.shortened.map(|n| format!("@{n}")).unwrap_or_default();
        format!("{}:{}{dimensions}", self.provider.service().name, self.name)
    }

    /// Returns the id as one component of a refname or of a file's name; different ids stay
    /// different.
    ///
    /// `:` becomes `=` and `/` becomes `+`. A dot between digits stays. Every other byte that Git
    /// or a file system might not accept becomes `%` and two hex digits.
    pub fn component(&self) -> String {
        component(&self.id())
    }
}

fn component(id: &str) -> String {
    let bytes = id.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let mut out = String::with_capacity(id.len());
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b':' => out.push('='),
            b'/' => out.push('+'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'@' => out.push(char::from(byte)),
            b'.' if is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)) => out.push('.'),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(value: &str) -> Result<Model> {
        Model::parse(value, &ModelSettings::default())
    }

    #[test]
    fn providers_and_models_are_read() {
        let cases = [
            ("voyage:voyage-code-3", "https://api.voyageai.com/v1", "voyage=voyage-code-3"),
            ("openai:text-embedding-3-small", "https://api.openai.com/v1", "openai=text-embedding-3-small"),
            (
                "together:BAAI/bge-large-en-v1.5",
                "https://api.together.ai/v1",
                "together=BAAI+bge-large-en-v1.5",
            ),
            ("ollama:nomic-embed-text:latest", "http://127.0.0.1:11434", "ollama=nomic-embed-text=latest"),
        ];
        for (value, address, component) in cases {
            let model = parse(value).unwrap();
            assert_eq!((model.address().as_str(), model.component().as_str()), (address, component));
            assert_eq!(model.id(), value);
        }
    }

    #[test]
    fn an_address_stands_where_the_model_would() {
        let settings = ModelSettings { model: Some("m".into()), ..ModelSettings::default() };
        let model = Model::parse("openai-compatible:http://localhost:8080/v1/", &settings).unwrap();
        assert_eq!(model.address().as_str(), "http://localhost:8080/v1");
        assert_eq!(model.id(), "openai-compatible:m", "where it runs is nobody's business");
        let error = parse("openai-compatible:http://localhost/v1").unwrap_err();
        assert!(error.hint().unwrap().contains("cora.embedModel"));
        let url = ModelSettings { url: Some("https://gateway.example/openai".into()), ..Default::default() };
        let model = Model::parse("openai:text-embedding-3-large", &url).unwrap();
        assert_eq!(model.address().as_str(), "https://gateway.example/openai");
    }

    use crate::base::error::ClassifiedError;

    #[test]
    fn what_makes_no_sense_is_refused() {
        for value in
            ["", "voyage", "voyage:", "acme:model", "openai:two words", "openai:a@5", "Voyage:x", "ollama:\n"]
        {
            let error = parse(value).unwrap_err();
            assert!(error.hint().is_some(), "{value}");
        }
        let settings = ModelSettings { dimensions: Some(256), ..ModelSettings::default() };
        assert!(Model::parse("together:BAAI/bge-large-en-v1.5", &settings).is_err());
    }

    #[test]
    fn fewer_dimensions_are_another_model() {
        let of = |n| {
            let settings = ModelSettings { dimensions: Some(n), ..ModelSettings::default() };
            Model::parse("openai:text-embedding-3-small", &settings).unwrap()
        };
        assert_eq!(of(512).id(), "openai:text-embedding-3-small@512");
        assert_eq!(of(512).dimensions(), Some(512));
        assert_eq!(of(1536).id(), "openai:text-embedding-3-small", "all that it has");
    }

    proptest! {
        #[test]
        fn components_are_refnames_and_differ(a in "[!-~]{1,20}", b in "[!-~]{1,20}") {
            let one = component(&format!("ollama:{a}"));
            let refname = format!("refs/cora/embeddings/{one}/x");
            prop_assert!(gix::validate::reference::name(refname.as_str().into()).is_ok(), "{}", refname);
            if a != b {
                prop_assert_ne!(one, component(&format!("ollama:{b}")));
            }
        }
    }
}
