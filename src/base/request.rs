//! Why a request to a provider has no answer.
//!
//! Only the error is here, so that a stage can tell failures apart without an HTTP client.

use super::error::{ClassifiedError, ErrorKind};

/// The name under which a key is kept by `git credential`, which wants one.
pub const KEY_USER: &str = "api-key";

/// Why a request has no answer. `host` is the server's name, with its port if that is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address can't be used.
    #[error("can't use the address '{address}': {why}")]
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
    #[error("no API key for '{host}'")]
    NoKey {
        /// The server.
        host: String,
        /// The environment variable that a key is looked for in.
        variable: &'static str,
        /// A URL that `git credential` knows it by.
        url: String,
    },
    /// The key would travel unencrypted.
    #[error("the API key for '{host}' would be sent unencrypted")]
    Unencrypted {
        /// The server.
        host: String,
    },
    /// The server answered with an error that another attempt did not, or would not, remove.
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
    #[error("'{host}' is busy and asks us to wait {seconds} s ({status}: {message})")]
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
    #[error("no complete answer from '{host}' within {seconds} s")]
    TimedOut {
        /// The server.
        host: String,
        /// The time-out.
        seconds: u64,
    },
    /// An answer that ends too early, or is none of the protocol.
    #[error("invalid answer from '{host}': {why}")]
    Malformed {
        /// The server.
        host: String,
        /// What is wrong with it.
        why: String,
    },
    /// An answer larger than any right one.
    #[error("the answer from '{host}' is larger than {limit_bytes} bytes")]
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

impl ClassifiedError for Error {
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
            Self::Address { .. } => "write it as 'https://host/path'".to_owned(),
            Self::Setting { key, .. } => {
                format!("run 'git config --show-origin --get-all {key}' to see where it is set")
            }
            Self::NoKey { variable, url, .. } => format!(
                "run 'export {variable}=KEY', or store the key with Git: \
                 printf 'url={url}\\nusername={}\\npassword=KEY\\n' | git credential approve",
                KEY_USER
            ),
            Self::Unencrypted { .. } => "use an https:// address".to_owned(),
            Self::Refused { status: 401 | 403, .. } => {
                "check the key, and that it may use this model".to_owned()
            }
            Self::Refused { status: 404, .. } => "check the address and the model's name".to_owned(),
            Self::Later { .. } => "try again later; finished work is kept".to_owned(),
            Self::Unreachable { .. } => {
                "check Git's settings http.proxy and http.sslCAInfo, which apply here too".to_owned()
            }
            _ => return None,
        })
    }
}
