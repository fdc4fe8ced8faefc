//! The input of the MCP server: any bytes are cut into lines of bounded length. A line is a message
//! or gets an error reply with its id, and a notification gets none. Any arguments of a tool are
//! read or refused.
#![no_main]

use std::io::BufReader;

use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use serde_json::Value;

#[allow(dead_code)]
#[path = "../../../src/bin/git-cora/server/json_rpc.rs"]
mod json_rpc;
#[allow(dead_code)]
#[path = "../../../src/bin/git-cora/server/mcp/message.rs"]
mod message;
#[allow(dead_code)]
#[path = "../../../src/bin/git-cora/server/mcp/schema.rs"]
mod schema;

use message::{Line, ParsedLine, parse, read_line, too_long};

/// The longest line in this test.
const LONGEST: usize = 300;

/// Arguments in every form that the tools accept.
#[derive(Deserialize)]
struct Arguments {
    #[serde(default, deserialize_with = "schema::list")]
    list: Vec<String>,
    #[serde(default, deserialize_with = "schema::number")]
    number: Option<usize>,
}

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let mut input = BufReader::with_capacity(7, bytes);
    while let Some(line) = read_line(&mut input, LONGEST).expect("because memory can be read") {
        let expected = lines.next().expect("because both have the same lines");
        match line {
            Line::Whole(line) => {
                assert_eq!(line, expected);
                check(&line);
            }
            Line::TooLong(begin) => {
                assert!(expected.len() > LONGEST && expected.starts_with(&begin) && begin.len() == LONGEST);
                error_of(&too_long(&begin));
                check(expected);
            }
        }
    }
    assert!(lines.all(<[u8]>::is_empty), "a line was lost");
    if let Ok(Arguments { list, number }) = serde_json::from_slice(bytes) {
        assert!(
            list.len() <= bytes.len() && number.is_none_or(|number| number.to_string().len() <= bytes.len())
        );
    }
});

fn check(line: &[u8]) {
    let bare = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    let value = serde_json::from_slice::<Value>(bare).unwrap_or_default();
    let id = value.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    match parse(line) {
        ParsedLine::Message(_) => assert!(value.is_object(), "a message is an object"),
        ParsedLine::Nothing => assert!(id.is_none(), "a request got no reply"),
        ParsedLine::Problem(reply) => {
            let reply = error_of(&reply);
            let is_notification =
                value.get("method").is_some_and(Value::is_string) && value.get("id").is_none();
            assert!(!is_notification, "a notification got the reply {reply}");
            if let Some(id) = id.filter(|id| id.to_string().len() < 100) {
                assert_eq!(reply["id"], *id, "of {}", String::from_utf8_lossy(line));
            }
        }
    }
}

/// Checks that a reply is an error of JSON-RPC on one line.
fn error_of(reply: &[u8]) -> Value {
    assert!(!reply.contains(&b'\n'));
    let reply: Value = serde_json::from_slice(reply).expect("because a reply is JSON");
    assert_eq!(reply["jsonrpc"], "2.0");
    assert!(reply["error"]["message"].is_string() && reply["error"]["code"].is_i64());
    assert!(reply.get("id").is_some_and(|id| id.is_null() || id.is_string() || id.is_number()));
    reply
}
