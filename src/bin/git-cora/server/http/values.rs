//! Values of requests: bytes and text of a client → what a route works with.
//!
//! Owns the pure rules for a body, a host, a revision and a path as digits. It decides nothing
//! about a repository, and imports no other module of the program.

use bstr::BString;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Length limit of the name of a version in bytes.
const VERSION_BYTES: usize = 200;

/// Reads a body. It must be an object: a derived reader would also accept a list of the values,
/// which the OpenAPI document does not promise.
pub(super) fn request<T: DeserializeOwned>(body: &[u8]) -> Result<T, WrongBody> {
    let map = serde_json::from_slice::<Map<String, Value>>(body);
    let map = map.map_err(|error| WrongBody::whole(format!("the body is not a JSON object: {error}")))?;
    serde_path_to_error::deserialize(Value::Object(map))
        .map_err(|error| WrongBody { place: error.path().to_string(), message: error.inner().to_string() })
}

/// What is wrong with a body, in the words of the library that reads it.
#[derive(Debug)]
pub(super) struct WrongBody {
    /// The path of the value in the body, or `.` for all of it.
    pub(super) place: String,
    pub(super) message: String,
}

impl WrongBody {
    fn whole(message: String) -> Self {
        Self { place: ".".to_owned(), message }
    }
}

/// Returns the name in a header `Host`, without its port.
pub(super) fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// Whether a version is a commit, a branch, a tag or some steps back from one of these. Other
/// revisions, such as `:/text`, search the history, which costs time.
pub(super) fn is_plain_version(name: &str) -> bool {
    name.len() <= VERSION_BYTES
        && !name.starts_with('-')
        && !name.contains("..")
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._/-~^".contains(&b))
}

/// Reads hexadecimal digits, two for each byte.
pub(super) fn unhex(digits: &str) -> Option<BString> {
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(pair).collect::<Option<Vec<u8>>>().map(BString::from)
}

#[cfg(test)]
mod tests {
    use git_cora::answer::view::hex;

    use super::*;

    #[test]
    fn ports_are_no_part_of_a_name() {
        for (host, name) in [
            ("localhost", "localhost"),
            ("localhost:80", "localhost"),
            ("[::1]:80", "[::1]"),
            ("[::1]", "[::1]"),
            ("evil.example:80:80", "evil.example:80"),
            ("", ""),
        ] {
            assert_eq!(without_port(host), name);
        }
    }

    #[test]
    fn only_a_plain_version_costs_little() {
        let [longest, too_long] = [200, 201].map(|n| "a".repeat(n));
        for name in ["main", "v1.0", "feature/a_b-c", "HEAD~2", "HEAD^", &longest] {
            assert!(is_plain_version(name), "{name}");
        }
        for name in ["a..b", "-a", ":/text", "HEAD^{/text}", "a b", "a@{1}", "\u{e9}", &too_long] {
            assert!(!is_plain_version(name), "{name}");
        }
    }

    #[test]
    fn bytes_survive_as_digits() {
        let bytes = b"a\xff\x00/b";
        assert_eq!(unhex(&hex(bytes)).unwrap(), bytes);
        for wrong in ["0", "zz", "é0", "+a", "-1", " 1"] {
            assert_eq!(unhex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_body_is_an_object() {
        assert_eq!(request::<Map<String, Value>>(br#"{"a":1}"#).unwrap().len(), 1);
        for wrong in [&b"[1]"[..], b"1", b"", b"{}{}", b"{\"a\":\xff}"] {
            assert!(request::<Map<String, Value>>(wrong).is_err(), "{wrong:?}");
        }
    }
}
