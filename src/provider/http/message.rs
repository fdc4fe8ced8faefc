//! Error messages of servers: the body of any error response → one short line.
//!
//! The body is untrusted. Control characters and the key are removed, and the line has a maximum
//! length.

use serde_json::Value;

use super::key::Secret;

/// Maximum characters shown of a server's message.
const MOST: usize = 300;

/// Maximum bytes read of an error response.
pub(super) const MOST_BYTES: usize = 64 << 10;

/// A server's message about a failed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The message on one line, shortened, without the key.
    pub text: String,
    /// Whether the account's quota is used up, so that a pause does not help.
    pub is_out_of_quota: bool,
}

impl Message {
    /// Reads the usual forms: `{"error": {"message": …}}` (OpenAI, Together, Anthropic), `{"error":
    /// …}` (Ollama), `{"detail": …}` (Voyage) and `{"message": …}`.
    ///
    /// Any other body is the message itself.
    pub fn read(body: &[u8], key: Option<&Secret>) -> Self {
        let value: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let error = value.get("error");
        let found =
            [error.and_then(|error| error.get("message")), error, value.get("detail"), value.get("message")]
                .into_iter()
                .flatten()
                .find(|found| !found.is_null());
        let text = match found {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::from_utf8_lossy(body).into_owned(),
        };
        // Mask the key before cutting: a part of it could not be recognised.
        let text = key.map_or_else(|| text.clone(), |key| key.redact(&text));
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut characters = line.chars().filter(|c| !c.is_control());
        let mut short: String = characters.by_ref().take(MOST).collect();
        if characters.next().is_some() {
            short.push('…');
        }
        if short.is_empty() {
            short.push_str("no reason given");
        }
        let code = |name: &str| error.and_then(|error| error.get(name)).and_then(Value::as_str);
        let is_out_of_quota = [code("code"), code("type")].contains(&Some("insufficient_quota"));
        Self { text: short, is_out_of_quota }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_shapes_are_read() {
        let cases = [
            (r#"{"error":{"message":"Too many\ntokens","type":"x","code":null}}"#, "Too many tokens"),
            (r#"{"error":"model \"x\" not found"}"#, "model \"x\" not found"),
            (r#"{"detail":"Provided API key is invalid."}"#, "Provided API key is invalid."),
            (r#"{"message":"no"}"#, "no"),
            (r#"{"detail":[{"loc":["body"]}]}"#, r#"[{"loc":["body"]}]"#),
            ("<h1>Bad\u{1b}[31m gateway</h1>", "<h1>Bad[31m gateway</h1>"),
            ("", "no reason given"),
        ];
        for (body, text) in cases {
            assert_eq!(Message::read(body.as_bytes(), None).text, text);
        }
    }

    #[test]
    fn it_is_short_and_without_the_key() {
        let key = Secret::new("sk-abc");
        let long = format!("bad key sk-abc {}", "x".repeat(1000));
        let text = Message::read(long.as_bytes(), key.as_ref()).text;
        assert!(text.starts_with("bad key *** xxx") && text.ends_with("x…"));
        assert_eq!(text.chars().count(), 301, "the ellipsis is one");
        for (len, is_cut) in [(300, false), (301, true)] {
            let text = Message::read("é".repeat(len).as_bytes(), None).text;
            assert_eq!((text.matches('é').count(), text.ends_with('…')), (300, is_cut), "{len}");
        }
        assert!(!Message::read(b"\xff\xfe", None).text.is_empty());
    }

    #[test]
    fn an_empty_account_is_told_from_a_busy_server() {
        let body = br#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
        assert!(Message::read(body, None).is_out_of_quota);
        assert!(!Message::read(br#"{"error":{"code":"rate_limit_exceeded"}}"#, None).is_out_of_quota);
    }
}
