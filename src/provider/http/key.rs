//! Keys: stored, looked up, and never shown.
//!
//! A [`Secret`] can be sent but not printed. [`KeySource`] is the interface to a key store such as
//! `git credential`.

use std::fmt;

pub use crate::base::request::KEY_USER;

/// A provider's key. It can be sent, but not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Returns the key in `text`; `None` if it is empty or can't be part of a header.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_sendable = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_sendable.then(|| Self(text.to_owned()))
    }

    /// Returns the key itself, for a header or for `git credential`.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns `text` with the key masked, because servers may quote the request.
    pub(super) fn redact(&self, text: &str) -> String {
        text.replace(&self.0, "***")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

/// A store of keys, such as `git credential`.
pub trait KeySource: Send + Sync {
    /// Returns the key, or `None` if there is none. May ask the user.
    fn find(&self) -> Option<Secret>;
    /// Reports that the key worked.
    fn approve(&self, key: &Secret);
    /// Reports that the key was wrong.
    fn reject(&self, key: &Secret);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = Secret::new(" sk-1234\n").unwrap();
        assert_eq!(key.expose(), "sk-1234");
        assert_eq!(format!("{key:?}"), "Secret(***)");
        assert_eq!(key.redact("incorrect API key provided: sk-1234."), "incorrect API key provided: ***.");
    }

    #[test]
    fn what_can_be_no_header_is_no_key() {
        for text in ["", "  ", "two words", "line\nfeed", "naïve", "nul\0"] {
            assert_eq!(Secret::new(text), None, "{text:?}");
        }
    }
}
