//! Providers of models: which one, from the settings; how it is reached, as Git would; its key,
//! from the environment or from `git credential`.
#![allow(
    clippy::disallowed_methods,
    reason = "reads the keys of providers from the environment, as the settings name them"
)]

use std::sync::Arc;
use std::time::Duration;

use super::chat::{self, Choice, ChoiceSettings};
use super::http::{
    self, Address, Client, Endpoint, KEY_USER, KeySource, Proxies, RetryLimits, Secret, Service, Settings,
};
use crate::base::config::{self, ConfigError};
use crate::git::Repository;

use super::cosines::QueryEmbedder;
use super::embedding::{self, Embedder, Model, ModelSettings};
use super::{Error, Result};
use crate::base::config::Key;
use crate::base::progress::Task;
use crate::search::query::Cosines;
use crate::search::segment::Index;
use crate::search::{IndexNotes, OutsideModels, Searcher};

/// For an answer that somebody waits for: what broke off was paid for, so it is not begun again
/// often.
const PATIENCE: RetryLimits = RetryLimits { attempts: 4, ..RetryLimits::LONG };

/// What is particular about a provider.
pub(crate) struct ProviderProfile<'a> {
    pub(crate) address: &'a Address,
    pub(crate) service: &'static Service,
    pub(crate) key_header: (&'static str, &'static str),
    pub(crate) headers: Vec<(&'static str, String)>,
}

/// Keys that Git keeps.
struct GitKeys {
    repo: Arc<Repository>,
    url: String,
    may_ask: bool,
}

impl KeySource for GitKeys {
    fn find(&self) -> Option<Secret> {
        let found = self.repo.credential_fill(&self.url, KEY_USER, self.may_ask).ok().flatten();
        found.as_deref().and_then(Secret::new)
    }

    fn approve(&self, key: &Secret) {
        // A key that can't be kept is asked for again.
        let _ = self.repo.credential_verdict(&self.url, KEY_USER, key.expose(), true);
    }

    fn reject(&self, key: &Secret) {
        let _ = self.repo.credential_verdict(&self.url, KEY_USER, key.expose(), false);
    }
}

/// The providers that a repository's settings name, and what they were asked before.
pub struct Providers {
    repo: Arc<Repository>,
    pub(super) asker: QueryEmbedder,
}

impl Providers {
    /// Those of `repo`. Nothing is read or sent yet.
    pub fn new(repo: Arc<Repository>) -> Self {
        Self { repo, asker: QueryEmbedder::default() }
    }

    pub(super) fn repo(&self) -> &Arc<Repository> {
        &self.repo
    }

    /// The language model that the settings name, if they do. Nothing is sent yet. A key is asked
    /// for on the terminal, when it is needed, only if `may_ask`.
    ///
    /// # Errors
    /// [`Error::Config`] or [`Error::Chat`] for settings that make no sense.
    pub fn language_model(&self, may_ask: bool) -> Result<Option<chat::Remote>> {
        let text =
            |key: &config::Key| self.repo.config_private(key.name).filter(|value| !value.trim().is_empty());
        let Some(value) = text(&config::MODEL) else { return Ok(None) };
        let settings = ChoiceSettings { url: text(&config::MODEL_URL), name: text(&config::MODEL_NAME) };
        let choice = Choice::parse(value.trim(), &settings)?;
        let provider = choice.provider();
        let timeout = Duration::from_secs(self.repo.setting(&config::REMOTE_TIMEOUT)?);
        let door = ProviderProfile {
            address: choice.address(),
            service: provider.service(),
            key_header: provider.key_header(),
            headers: provider.headers(),
        };
        let client = self.client::<chat::Error>(door, may_ask, timeout, PATIENCE)?;
        Ok(Some(chat::Remote::new(choice, client, timeout)))
    }

    /// The remote model that the settings name, if they do. Nothing is sent yet. A key is asked for
    /// on the terminal, when it is needed, only if `may_ask`.
    ///
    /// # Errors
    /// [`Error::Config`] or [`Error::Embedding`] for settings that make no sense.
    pub fn embedder(&self, may_ask: bool) -> Result<Option<Embedder>> {
        let timeout = Duration::from_secs(self.repo.setting(&config::REMOTE_TIMEOUT)?);
        self.embedder_with(may_ask, timeout, RetryLimits::LONG)
    }

    pub(super) fn embedder_with(
        &self,
        may_ask: bool,
        timeout: Duration,
        patience: RetryLimits,
    ) -> Result<Option<Embedder>> {
        let text = |key: &Key| self.repo.config_private(key.name).filter(|value| !value.trim().is_empty());
        let Some(value) = text(&config::EMBEDDER) else { return Ok(None) };
        let some = |key: &Key| -> Result<Option<usize>> {
            Ok(usize::try_from(self.repo.setting(key)?).ok().filter(|n| *n > 0))
        };
        let settings = ModelSettings {
            url: text(&config::EMBED_URL),
            model: text(&config::EMBED_MODEL),
            dimensions: some(&config::EMBED_DIMENSIONS)?,
            text_tokens: some(&config::EMBED_MAX_TOKENS)?,
        };
        let model = Model::parse(value.trim(), &settings)?;
        let provider = model.provider();
        let door = ProviderProfile {
            address: model.address(),
            service: provider.service(),
            key_header: ("authorization", "Bearer "),
            headers: Vec::new(),
        };
        let client = self.client::<embedding::Error>(door, may_ask, timeout, patience)?;
        Ok(Some(Embedder::new(model, client)))
    }

    /// A client for a provider. `E` is what its errors are of.
    fn client<E: From<http::Error>>(
        &self,
        door: ProviderProfile<'_>,
        may_ask: bool,
        timeout: Duration,
        patience: RetryLimits,
    ) -> Result<Client>
    where
        Error: From<E>,
    {
        let url = door.address.as_str().to_owned();
        let git = self.repo.http_settings(&url)?;
        let key = match std::env::var(door.service.key_variable) {
            Ok(value) if !value.trim().is_empty() => {
                let bad = || ConfigError::BadValue {
                    key: door.service.key_variable.to_owned(),
                    value: "***".to_owned(),
                    expected: "a key without spaces",
                };
                Some(Secret::new(&value).ok_or_else(bad)?)
            }
            _ => None,
        };
        let endpoint = Endpoint {
            address: door.address.clone(),
            key_header: door.key_header,
            headers: door.headers,
            key,
            key_variable: door.service.key_variable,
            key_source: Some(Arc::new(GitKeys { repo: Arc::clone(&self.repo), url, may_ask })),
            wants_key: door.service.wants_key,
        };
        let settings = Settings {
            proxies: Proxies {
                configured: git.proxy,
                https: git.https_proxy,
                http: git.http_proxy,
                all: git.all_proxy,
                none_for: git.no_proxy,
            },
            ca_file: git.ca_file,
            verifies: git.verifies,
            timeout,
            patience,
        };
        Ok(Client::new(endpoint, settings).map_err(E::from)?)
    }
}

impl OutsideModels for Providers {
    fn cosines(
        &self,
        searcher: &Searcher,
        index: &Index<'_>,
        text: &str,
        warnings: &mut Vec<String>,
        task: Task<'_>,
    ) -> Option<Cosines> {
        Providers::cosines(self, searcher, index, text, warnings, task)
    }

    fn notes(&self, searcher: &Searcher) -> std::result::Result<Option<Arc<IndexNotes>>, String> {
        super::sidecar::notes(searcher).map_err(|error| error.to_string())
    }
}
