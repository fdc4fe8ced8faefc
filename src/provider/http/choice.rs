//! The choice of a model by a setting: `provider:model`, or `openai-compatible:URL`.
//!
//! The value of a setting → provider, name of the model, address. Chat models and embedding models
//! have other providers. They share this rule, and the services that have both kinds of models.

/// Maximum length of a model's name in bytes, because the name is stored with what the model made,
/// and becomes part of a file's name.
const NAME_BYTES: usize = 100;

/// Why a value makes no choice, and a hint.
type Refusal = (&'static str, &'static str);

/// A service that runs models, or a server of the user's own: what is the same for every kind of
/// model that it has.
#[derive(Debug)]
pub(crate) struct Service {
    /// Its name in settings.
    pub(crate) name: &'static str,
    /// Its address; `None` for a server of the user's own.
    pub(crate) address: Option<&'static str>,
    /// The environment variable that holds the key.
    pub(crate) key_variable: &'static str,
    /// Whether it requires a key.
    pub(crate) wants_key: bool,
}

/// OpenAI.
pub(crate) const OPENAI: Service = Service {
    name: "openai",
    address: Some("https://api.openai.com/v1"),
    key_variable: "OPENAI_API_KEY",
    wants_key: true,
};

/// Together AI.
pub(crate) const TOGETHER: Service = Service {
    name: "together",
    address: Some("https://api.together.ai/v1"),
    key_variable: "TOGETHER_API_KEY",
    wants_key: true,
};

/// An Ollama server.
pub(crate) const OLLAMA: Service = Service {
    name: "ollama",
    address: Some("http://127.0.0.1:11434"),
    key_variable: "OLLAMA_API_KEY",
    wants_key: false,
};

/// Returns any server with OpenAI's interface. Each kind of model has a variable for its key, as
/// the servers may be two.
pub(crate) const fn compatible(key_variable: &'static str) -> Service {
    Service { name: "openai-compatible", address: None, key_variable, wants_key: false }
}

/// The providers of one kind of model, and the settings beside the choice.
pub(crate) struct Choices<'c, P: 'static> {
    pub(crate) providers: &'static [P],
    pub(crate) service: fn(P) -> &'static Service,
    /// An address that replaces the provider's own.
    pub(crate) url: Option<&'c str>,
    /// The model on a server of the user's own.
    pub(crate) name: Option<&'c str>,
    /// Returns whether a character may be part of a model's name.
    pub(crate) is_plain: fn(char) -> bool,
    /// Hints: how a value is written, and how the model on a server of the user's own is named.
    pub(crate) form: &'static str,
    pub(crate) naming: &'static str,
}

impl<'c, P: Copy> Choices<'c, P> {
    /// Takes a value apart: the provider, the name of the model, and the address.
    ///
    /// # Errors
    /// Says what is wrong, with a hint.
    pub(crate) fn parse(&self, value: &'c str) -> Result<(P, &'c str, &'c str), Refusal> {
        let (provider, rest) =
            value.split_once(':').ok_or(("names neither a provider nor a model", self.form))?;
        let mut providers = self.providers.iter().copied();
        let provider = providers
            .find(|known| (self.service)(*known).name == provider)
            .ok_or(("names an unknown provider", self.form))?;
        let (name, address) = match (self.service)(provider).address {
            Some(own) => (rest, self.url.unwrap_or(own)),
            None => (self.name.ok_or(("names no model", self.naming))?, rest),
        };
        if name.is_empty() || name.len() > NAME_BYTES || !name.chars().all(self.is_plain) {
            return Err(("has an invalid model name", self.form));
        }
        Ok((provider, name, address))
    }
}
