//! The error of a setting with an invalid value.

use super::super::error::{ClassifiedError, ErrorKind};

/// A value that can't be parsed, or is out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The value does not have the key's type.
    #[error("invalid value '{value}' for '{key}': expected {expected}")]
    BadValue {
        /// The key or flag.
        key: String,
        /// The value as written.
        value: String,
        /// Description of valid values.
        expected: &'static str,
    },
    /// The number is too small or too large.
    #[error("invalid value '{value}' for '{key}': expected a number from {min} to {max}")]
    OutOfRange {
        /// The key or flag.
        key: String,
        /// The value as written.
        value: String,
        /// The smallest value.
        min: u64,
        /// The largest value.
        max: u64,
    },
}

impl ClassifiedError for ConfigError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Config
    }

    fn hint(&self) -> Option<String> {
        let (Self::BadValue { key, .. } | Self::OutOfRange { key, .. }) = self;
        key.contains('.').then(|| {
            format!(
                "run 'git config --show-origin --get-all {key}' to see \
        where it is set"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_count;
    use super::*;

    #[test]
    fn an_error_says_where_to_look() {
        let error = parse_count("cora.keep", "0", 1, 1000).unwrap_err();
        assert_eq!(error.to_string(), "invalid value '0' for 'cora.keep': expected a number from 1 to 1000");
        let hint = "run 'git config --show-origin --get-all cora.keep' to see where it is set";
        assert_eq!(error.hint().as_deref(), Some(hint));
        assert_eq!(parse_count("--limit", "x", 1, 2).unwrap_err().hint(), None);
    }
}
