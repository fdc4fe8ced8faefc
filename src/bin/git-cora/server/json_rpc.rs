//! JSON-RPC 2.0, as far as the two servers on standard input and output share it: input → lines of
//! bounded length, and bytes of one message → a message, or the error reply.
//!
//! Bytes that are not a message get an error reply with the request's id, as far as that can be
//! read. Notifications get no reply, not even bad ones: JSON-RPC forbids it.
//!
//! **Invariant.** A message costs bounded memory and time, however deep it is. The transports bound
//! its length.
//!
//! Must not: import a module of this program. The fuzz target `mcp` compiles this file.

use std::cell::RefCell;
use std::io::{self, BufRead, ErrorKind};

use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Longest id in bytes that is repeated in an error reply.
const ID_BYTES: usize = 256;

/// Error codes of JSON-RPC 2.0.
pub(super) const PARSE_ERROR: i32 = -32700;
pub(super) const INVALID_REQUEST: i32 = -32600;

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

/// What the bytes of a message are.
pub(super) enum ParsedMessage<M> {
    Message(Box<M>),
    /// No bytes, or a message that must not be replied to.
    Nothing,
    /// Neither; the reply to it.
    Problem(Vec<u8>),
}

/// Reads the bytes of a message. `is_notification` tells a message without an id.
pub(super) fn parse<M: DeserializeOwned>(
    bytes: &[u8],
    is_notification: impl Fn(&M) -> bool,
) -> ParsedMessage<M> {
    // RFC 8259 lets a reader ignore a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    if bytes.is_empty() {
        return ParsedMessage::Nothing;
    }
    let envelope = Envelope::read(bytes);
    let error = match serde_json::from_slice::<M>(bytes) {
        // The libraries overlook an id that is none.
        Ok(message) if envelope.has_id && is_notification(&message) => {
            let why = "the id must be a string or a whole number";
            return ParsedMessage::Problem(reply(&envelope, INVALID_REQUEST, why));
        }
        Ok(message) => return ParsedMessage::Message(Box::new(message)),
        Err(error) => error,
    };
    // This parser needs no stack, so it accepts any depth. It overlooks bytes that are not
    // UTF-8.
    let damage = serde_json::from_slice::<IgnoredAny>(bytes).err().map(|error| error.to_string());
    let damage = damage.or_else(|| Some(std::str::from_utf8(bytes).err()?.to_string()));
    if let Some(why) = damage {
        let why = format!("the message is not JSON: {why}");
        return ParsedMessage::Problem(reply(&envelope, PARSE_ERROR, &why));
    }
    if !envelope.has_id && (envelope.has_method || envelope.has_result) {
        return ParsedMessage::Nothing;
    }
    let why = match serde_json::from_slice::<Value>(bytes) {
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
    ParsedMessage::Problem(reply(&envelope, INVALID_REQUEST, &why))
}

/// Returns the reply to a message of more than `most` bytes, given its beginning.
pub(super) fn too_long(begin: &[u8], most: usize) -> Vec<u8> {
    let why = format!("the message has more than {most} bytes");
    reply(&Envelope::read(begin), INVALID_REQUEST, &why)
}

/// Returns an error reply. The libraries' own types can't leave the id null. The id is repeated as
/// it was written, because a number may have more digits than ours.
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
