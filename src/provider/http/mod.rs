//! Requests to model providers: HTTPS with time-outs, retries, keys, bounds and interruption.
//!
//! Owns [`Client`], bound to one address, and what its calls share: how it goes through a proxy and which
//! certificates it trusts ([`Settings`]), when it tries again ([`Patience`]), and the key ([`Secret`], [`KeySource`]).
//! In: a path below the address and a JSON body. Out: a body of bounded size ([`Client::post`]), or its pieces as they
//! come ([`Client::stream`]). What the bytes mean is the callers' business.
//!
//! **Invariants.** Nothing is sent but by a client that somebody made for a configured address; redirects are not
//! followed, so it goes nowhere else. A key is in no message, no `Debug` output and no URL, and travels unencrypted to
//! this machine alone. Every wait ends: with the answer, the time-out, or within a tenth of a second of an
//! interruption. Must not: read configuration, environment or files of the repository; its callers do.

mod address;
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

pub use address::{Address, Proxies};
pub use client::{Client, Endpoint};
pub use key::{KEY_USER, KeySource, Secret};
pub use retry::Patience;
pub use stream::Stream;

/// What this stage returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How an address is reached.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The proxies to go through.
    pub proxies: Proxies,
    /// A file of PEM certificates that are trusted instead of the system's.
    pub ca_file: Option<PathBuf>,
    /// Whether the server's certificate is checked.
    pub verifies: bool,
    /// The longest wait for a connection, for an answer to begin, and for a whole answer that is not a stream.
    pub timeout: Duration,
    /// When a failed request is repeated.
    pub patience: Patience,
}

pub use crate::base::request::Error;
