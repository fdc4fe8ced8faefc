//! HTTP requests to model providers, with time-outs, retries, keys, limits and interruption.
//!
//! Owns [`Client`], which is bound to one address, and what its calls share: proxies and
//! certificates ([`Settings`]), retries ([`RetryLimits`]), and the key ([`Secret`], [`KeySource`]).
//! Input: a path below the address, and a JSON body. Output: a body of bounded size
//! ([`Client::post`]), or its pieces as they arrive ([`Client::stream`]). The callers interpret the
//! bytes.
//!
//! **Invariants.** Requests go only to the configured address: redirects are not followed. A key
//! never appears in a message, `Debug` output or a URL, and is sent unencrypted only to this
//! machine. Every wait ends with the answer, with the time-out, or within a tenth of a second of an
//! interruption. Must not: read configuration, environment or files of the repository; its callers
//! do.

mod address;
mod choice;
mod client;
mod key;
mod message;
mod retry;
mod stream;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

pub use address::{Address, Proxies, without_secrets};
pub(crate) use choice::{Choices, OLLAMA, OPENAI, Service, TOGETHER, compatible};
pub use client::{Client, Endpoint};
pub use key::{KEY_USER, KeySource, Secret};
pub use message::Message;
pub use retry::RetryLimits;
pub use stream::Stream;

/// The result type of this part.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The settings for reaching an address.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The available proxies.
    pub proxies: Proxies,
    /// A PEM file of certificates to trust instead of the system's.
    pub ca_file: Option<PathBuf>,
    /// Whether the server's certificate is checked.
    pub verifies: bool,
    /// Maximum wait for a connection, for the beginning of an answer, and for a whole answer that
    /// is not a stream.
    pub timeout: Duration,
    /// The rules for repeating failed requests.
    pub patience: RetryLimits,
}

pub use crate::base::request::Error;
