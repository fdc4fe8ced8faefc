//! The input of the server: bytes → lines → messages of the protocol, or error replies.
//!
//! A line that is not a message gets an error reply with the request's id, as far as that can be
//! read. Notifications get no reply, not even bad ones: JSON-RPC forbids it.
//!
//! **Invariant.** A line costs bounded memory and time, however long or deep it is.
//!
//! Must not: import a module of this program. The fuzz target `mcp` compiles this file alone.

use std::cell::RefCell;
use std::io::{self, BufRead, ErrorKind};

use rmcp::model::JsonRpcMessage;
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Longest message in bytes: some times the longest query that is searched for.
pub(super) const MESSAGE_BYTES: usize = 2 << 20;

/// Longest id in bytes that is repeated in an error reply.
const ID_BYTES: usize = 256;

/// Error codes of JSON-RPC 2.0.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Whole(Vec<u8>),
    /// The beginning of a line that is too long; the rest was skipped.
    TooLong(Vec<u8>),
}

/// Reads a line of at most `most` bytes without its end; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let (mut is_begun, mut is_too_long) = (false, false);
    loop {
        let piece = match input.fill_buf() {
            Ok(piece) => piece,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = piece.iter().position(|byte| *byte == b'\n');
        let (is_at_end, n) = (piece.is_empty(), end.unwrap_or(piece.len()));
        is_begun |= !is_at_end;
        let room = most - line.len();
        is_too_long |= n > room;
        line.extend_from_slice(piece.get(..n.min(room)).unwrap_or_default());
        input.consume(n + usize::from(end.is_some()));
        if end.is_some() || is_at_end {
            let line = if is_too_long { Line::TooLong(line) } else { Line::Whole(line) };
            return Ok(is_begun.then_some(line));
        }
    }
}

/// What a line of the input is.
pub(super) enum ParsedLine {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// An empty line, or a message that must not be replied to.
    Nothing,
    /// Neither; the reply to it.
    Problem(Vec<u8>),
}

/// Reads a line without its end.
pub(super) fn parse(line: &[u8]) -> ParsedLine {
    // RFC 8259 lets a reader ignore a byte order mark.
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return ParsedLine::Nothing;
    }
    let envelope = Envelope::read(line);
    let error = match serde_json::from_slice(line) {
        // The library overlooks an id that is none.
        Ok(JsonRpcMessage::Notification(_)) if envelope.has_id => {
            let why = "the id must be a string or a whole number";
            return ParsedLine::Problem(reply(&envelope, INVALID_REQUEST, why));
        }
        Ok(message) => return ParsedLine::Message(Box::new(message)),
        Err(error) => error,
    };
    // This parser needs no stack, so it accepts any depth. It overlooks bytes that are not
    // UTF-8.
    let damage = serde_json::from_slice::<IgnoredAny>(line).err().map(|error| error.to_string());
    let damage = damage.or_else(|| Some(std::str::from_utf8(line).err()?.to_string()));
    if let Some(why) = damage {
        return ParsedLine::Problem(reply(
            &envelope,
            PARSE_ERROR,
            &format!("the message is not JSON: {why}"),
        ));
    }
    if !envelope.has_id && (envelope.has_method || envelope.has_result) {
        return ParsedLine::Nothing;
    }
    let why = match serde_json::from_slice::<Value>(line) {
        Err(error) => format!("the message can't be read: {error}"),
        Ok(Value::Array(_)) => "a batch of messages is not supported".to_owned(),
        Ok(Value::Object(message)) if message.get("jsonrpc") != Some(&json!("2.0")) => {
            "'jsonrpc' must be \"2.0\"".to_owned()
        }
        Ok(Value::Object(message)) if !message.get("method").is_some_and(Value::is_string) => {
            "'method' must be a string".to_owned()
        }
        Ok(Value::Object(_)) => format!("the message is not a request: {error}"),
        Ok(_) => "a message must be an object".to_owned(),
    };
    ParsedLine::Problem(reply(&envelope, INVALID_REQUEST, &why))
}

/// Returns the reply to a line that is too long.
pub(super) fn too_long(begin: &[u8]) -> Vec<u8> {
    let why = format!("the message has more than {MESSAGE_BYTES} bytes");
    reply(&Envelope::read(begin), INVALID_REQUEST, &why)
}

/// Returns an error reply. The library's own type leaves the id out if there is none. The id is
/// repeated as it was written, because a number may have more digits than ours.
fn reply(envelope: &Envelope, code: i32, why: &str) -> Vec<u8> {
    let error = json!({ "code": code, "message": why });
    let id = envelope.id.as_deref().unwrap_or("null");
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes()
}

/// What can be read of a message that is damaged, cut short or nested too deeply.
#[derive(Debug, Default, PartialEq)]
struct Envelope {
    /// The JSON text of the id, if it is one of JSON-RPC.
    id: Option<String>,
    has_id: bool,
    has_method: bool,
    /// Whether it is a response.
    has_result: bool,
}

impl Envelope {
    fn read(line: &[u8]) -> Self {
        let envelope = RefCell::default();
        let mut parser = serde_json::Deserializer::from_slice(line);
        // Fails where the damage is; what comes before it was read.
        let _ = serde::Deserializer::deserialize_map(&mut parser, Fields(&envelope));
        envelope.into_inner()
    }
}

/// Collects the fields of a message until the first error.
struct Fields<'e>(&'e RefCell<Envelope>);

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => {
                    self.0.borrow_mut().has_id = true;
                    let text = map.next_value::<Box<RawValue>>()?;
                    let is_short = text.get().len() <= ID_BYTES;
                    let id = serde_json::from_str::<Value>(text.get()).ok();
                    let id = id.filter(|id| is_short && (id.is_string() || id.is_number()));
                    self.0.borrow_mut().id = id.map(|_| text.get().to_owned());
                    continue;
                }
                "method" => self.0.borrow_mut().has_method = true,
                "result" | "error" => self.0.borrow_mut().has_result = true,
                _ => {}
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn problem(line: &[u8]) -> Option<(Value, i64)> {
        match parse(line) {
            ParsedLine::Problem(reply) => {
                let reply: Value = serde_json::from_slice(&reply).unwrap();
                assert_eq!(reply["jsonrpc"], "2.0");
                assert!(reply["error"]["message"].is_string() && reply.get("id").is_some(), "{reply}");
                Some((reply["id"].clone(), reply["error"]["code"].as_i64().unwrap()))
            }
            ParsedLine::Message(_) | ParsedLine::Nothing => None,
        }
    }

    #[test]
    fn lines_are_whole_or_too_long() {
        let all = |text: &str| {
            // A buffer of three bytes cuts every line in pieces.
            let mut input = BufReader::with_capacity(3, text.as_bytes());
            let mut lines = Vec::new();
            while let Some(line) = read_line(&mut input, 5).unwrap() {
                lines.push(match line {
                    Line::Whole(line) => String::from_utf8(line).unwrap(),
                    Line::TooLong(line) => format!("{}…", String::from_utf8(line).unwrap()),
                });
            }
            lines
        };
        for (text, lines) in [
            ("", vec![]),
            ("\n", vec![""]),
            ("a\n\nbc", vec!["a", "", "bc"]),
            ("12345\n123456\n12345", vec!["12345", "12345…", "12345"]),
            ("1234567890123\nab\n", vec!["12345…", "ab"]),
            ("123456", vec!["12345…"]),
        ] {
            assert_eq!(all(text), lines, "{text:?}");
        }
        assert_eq!(MESSAGE_BYTES, 2 << 20);
    }

    #[test]
    fn what_is_not_a_message_gets_a_reply_with_its_id() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        for (line, id, code) in [
            ("not json", json!(null), PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":7,"method":"ping""#, json!(7), PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":"a","method":}"#, json!("a"), PARSE_ERROR),
            (r#"{"jsonrpc":"2.0","id":7} trailing"#, json!(7), PARSE_ERROR),
            ("\"text\"", json!(null), INVALID_REQUEST),
            ("7", json!(null), INVALID_REQUEST),
            ("{}", json!(null), INVALID_REQUEST),
            ("[]", json!(null), INVALID_REQUEST),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, json!(null), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":8}"#, json!(8), INVALID_REQUEST),
            (r#"{"jsonrpc":"1.0","id":8,"method":"ping"}"#, json!(8), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":8,"method":5}"#, json!(8), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(1.5), INVALID_REQUEST),
            (r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#, json!(null), INVALID_REQUEST),
        ] {
            assert_eq!(problem(line.as_bytes()), Some((id, code.into())), "{line}");
        }
        let nested = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{deep}}}"#);
        assert_eq!(problem(nested.as_bytes()), Some((json!(9), INVALID_REQUEST.into())));
        let before = format!(r#"{{"params":{deep},"jsonrpc":"2.0","method":"tools/call","id":9}}"#);
        assert_eq!(problem(before.as_bytes()), Some((json!(9), INVALID_REQUEST.into())));
        assert_eq!(problem(deep.as_bytes()), Some((json!(null), INVALID_REQUEST.into())));
        assert_eq!(problem(b"{\"id\":3,\"method\":\"\xff\"}"), Some((json!(3), PARSE_ERROR.into())));
        let long = format!(r#"{{"jsonrpc":"1.0","id":"{}","method":"ping"}}"#, "x".repeat(1000));
        assert_eq!(problem(long.as_bytes()), Some((json!(null), INVALID_REQUEST.into())));
    }

    #[test]
    fn notifications_responses_and_empty_lines_get_no_reply() {
        for line in [
            "",
            "\r",
            "  ",
            "\u{feff}",
            r#"{"jsonrpc":"1.0","method":"notifications/odd"}"#,
            r#"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":5}"#,
            r#"{"jsonrpc":"2.0","error":{"code":"x"}}"#,
        ] {
            assert_eq!(problem(line.as_bytes()), None, "{line:?}");
        }
        let ping = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r";
        assert!(matches!(parse(ping.as_bytes()), ParsedLine::Message(_)));
    }

    #[test]
    fn of_a_line_that_is_too_long_the_id_is_read() {
        let id = |begin: &str| {
            let reply: Value = serde_json::from_slice(&too_long(begin.as_bytes())).unwrap();
            reply["id"].clone()
        };
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"query":"xxx"#), 12);
        assert_eq!(id(r#"{"jsonrpc":"2.0","params":{"query":"xxx"#), Value::Null);
    }

    #[test]
    fn a_number_is_repeated_with_all_its_digits() {
        let long = "123456789012345678901234567890.12345";
        let reply = too_long(format!("{{\"id\":{long},\"params\":").as_bytes());
        let expected = format!("\"id\":{long},");
        assert!(String::from_utf8(reply).unwrap().contains(&expected));
    }
}
