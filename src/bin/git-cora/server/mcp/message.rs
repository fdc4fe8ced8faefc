//! The input of the server: bytes → lines → messages of the protocol, or error replies.
//!
//! A line that is not a message gets an error reply, as `json_rpc` says.
//!
//! **Invariant.** A line costs bounded memory and time, however long or deep it is.
//!
//! Must not: import a module of this program, except `json_rpc`. The fuzz target `mcp` compiles
//! these two files alone.

use rmcp::model::JsonRpcMessage;
use rmcp::service::{RoleServer, RxJsonRpcMessage};

use super::json_rpc::{self, ParsedMessage};
pub(super) use super::json_rpc::{Line, read_line};

/// Longest message in bytes: some times the longest query that is searched for.
pub(super) const MESSAGE_BYTES: usize = 2 << 20;

/// What a line of the input is.
pub(super) type ParsedLine = ParsedMessage<RxJsonRpcMessage<RoleServer>>;

/// Reads a line without its end.
pub(super) fn parse(line: &[u8]) -> ParsedLine {
    json_rpc::parse(line, |message| matches!(message, JsonRpcMessage::Notification(_)))
}

/// Returns the reply to a line that is too long.
pub(super) fn too_long(begin: &[u8]) -> Vec<u8> {
    json_rpc::too_long(begin, MESSAGE_BYTES)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use serde_json::{Value, json};

    use super::json_rpc::{INVALID_REQUEST, PARSE_ERROR};
    use super::*;

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
