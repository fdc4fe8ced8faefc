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

use crate::base::error::{Classified, ErrorKind};

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

/// Why a request has no answer. `host` is the server's name, with its port if that is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address can't be used.
    #[error("can't use address '{address}': {why}")]
    Address {
        /// The address, without what it may hold of a password.
        address: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A setting of Git for reaching servers can't be used.
    #[error("can't use the setting '{key}': {why}")]
    Setting {
        /// The key of `git config`.
        key: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The provider wants a key and there is none.
    #[error("no key for '{host}'")]
    NoKey {
        /// The server.
        host: String,
        /// The environment variable that a key is looked for in.
        variable: &'static str,
        /// A URL that `git credential` knows it by.
        url: String,
    },
    /// The key would travel unencrypted.
    #[error("the key for '{host}' would be sent unencrypted")]
    Unencrypted {
        /// The server.
        host: String,
    },
    /// The server answered with an error that trying again did not mend, or would not.
    #[error("'{host}' answered {status}: {message}")]
    Refused {
        /// The server.
        host: String,
        /// The HTTP status.
        status: u16,
        /// What it said, shortened, on one line.
        message: String,
    },
    /// The server wants a longer pause than we wait.
    #[error("'{host}' asks for a pause of {seconds} s ({status}: {message})")]
    Later {
        /// The server.
        host: String,
        /// The HTTP status.
        status: u16,
        /// The pause.
        seconds: u64,
        /// What it said, shortened, on one line.
        message: String,
    },
    /// No connection.
    #[error("can't reach '{host}': {why}")]
    Unreachable {
        /// The server.
        host: String,
        /// Why.
        why: String,
    },
    /// No answer in time.
    #[error("'{host}' gave no whole answer in {seconds} s")]
    TimedOut {
        /// The server.
        host: String,
        /// The time-out.
        seconds: u64,
    },
    /// An answer that ends too early, or is none of the protocol.
    #[error("the answer of '{host}' makes no sense: {why}")]
    Malformed {
        /// The server.
        host: String,
        /// What is wrong with it.
        why: String,
    },
    /// An answer larger than any right one.
    #[error("the answer of '{host}' is larger than {limit_bytes} bytes")]
    TooLarge {
        /// The server.
        host: String,
        /// The bound.
        limit_bytes: usize,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Address { .. } | Self::Setting { .. } | Self::NoKey { .. } | Self::Unencrypted { .. } => {
                ErrorKind::Config
            }
            Self::TooLarge { .. } => ErrorKind::Limit,
            Self::Cancelled => ErrorKind::Cancelled,
            _ => ErrorKind::Network,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Address { .. } => "an address is written as 'https://host/path'".to_owned(),
            Self::Setting { key, .. } => {
                format!("see where it is set: git config --show-origin --get-all {key}")
            }
            Self::NoKey { variable, url, .. } => format!(
                "set {variable}, or let Git keep the key: \
                 printf 'url={url}\\nusername={}\\npassword=KEY\\n' | git credential approve",
                KEY_USER
            ),
            Self::Unencrypted { .. } => "use an https:// address".to_owned(),
            Self::Refused { status: 401 | 403, .. } => {
                "is the key right, and may it use this model?".to_owned()
            }
            Self::Refused { status: 404, .. } => "are the address and the model's name right?".to_owned(),
            Self::Later { .. } => "try again later: what is done is kept".to_owned(),
            Self::Unreachable { .. } => {
                "Git's own settings for proxies and certificates hold here too: http.proxy, http.sslCAInfo"
                    .to_owned()
            }
            _ => return None,
        })
    }
}
