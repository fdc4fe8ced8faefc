//! The choice of a model by a setting: `provider:model`, or `openai-compatible:URL`.
//!
//! The value of a setting → provider, name of the model, address. Chat models and embedding models
//! have other providers, and share this rule.

/// Maximum length of a model's name in bytes, because the name is stored with what the model made,
/// and becomes part of a file's name.
const NAME_BYTES: usize = 100;

/// Why a value makes no choice, and a hint.
type Refusal = (&'static str, &'static str);

/// The providers of one kind of model, and the settings beside the choice.
pub(crate) struct Choices<'c, P: 'static> {
    /// Each provider with its name in settings.
    pub(crate) providers: &'static [(P, &'static str)],
    /// Returns a provider's own address; `None` for a server of the user's own.
    pub(crate) address: fn(P) -> Option<&'static str>,
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
        let (provider, rest) = value.split_once(':').ok_or(("names no provider and model", self.form))?;
        let (provider, _) = *self
            .providers
            .iter()
            .find(|(_, name)| *name == provider)
            .ok_or(("names an unknown provider", self.form))?;
        let (name, address) = match (self.address)(provider) {
            Some(own) => (rest, self.url.unwrap_or(own)),
            None => (self.name.ok_or(("names no model", self.naming))?, rest),
        };
        if name.is_empty() || name.len() > NAME_BYTES || !name.chars().all(self.is_plain) {
            return Err(("has an invalid model name", self.form));
        }
        Ok((provider, name, address))
    }
}
