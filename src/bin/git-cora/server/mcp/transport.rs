//! Lines of JSON on standard input and output: bytes ↔ messages of the protocol.
//!
//! Owns [`Lines`], the transport of the server. Two threads of its own read and write, because
//! neither can be stopped while it waits for the client. A line that is not a message gets an error
//! reply with the request's id, as far as that can be read, and the server goes on. Notifications
//! get no reply, not even bad ones: JSON-RPC forbids it.
//!
//! **Invariants.** A line costs bounded memory and time, however long or deep it is. When the
//! client closes its end of either pipe, the server ends quietly.
//!
//! The library has such a transport, too. It drops lines that it can't read, so that the client
//! waits for a reply for ever.

use std::borrow::Cow;
use std::cell::RefCell;
use std::future::Future;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};

/// Longest message in bytes: some times the longest query that is searched for.
const MESSAGE_BYTES: usize = 2 << 20;

/// Number of messages that are read ahead.
const AHEAD: usize = 8;

/// Longest id in bytes that is repeated in an error reply.
const ID_BYTES: usize = 256;

/// Error codes of JSON-RPC 2.0.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// The transport of the server.
pub(super) struct Lines {
    input: mpsc::Receiver<Line>,
    output: Output,
    /// Whether a request has begun the session. Before it, the library takes any other message for
    /// a failure.
    is_begun: bool,
}

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    /// The beginning of a line that is too long; the rest was skipped.
    TooLong(Vec<u8>),
}

/// A line for the output, and where to report that it was written.
type OutputLine = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// The end of the output at which lines are handed over.
struct Output {
    lines: std::sync::mpsc::Sender<OutputLine>,
    /// True as soon as the client has closed its end.
    is_closed: watch::Receiver<bool>,
}

/// Tells whether the client has closed its end of the output.
#[derive(Clone)]
pub(super) struct ClosedOutput(watch::Receiver<bool>);

impl ClosedOutput {
    /// Returns whether it has.
    pub(super) fn is_closed(&self) -> bool {
        *self.0.borrow()
    }
}

impl Lines {
    /// Starts to read and write.
    pub(super) fn start(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel(AHEAD);
        std::thread::Builder::new().name("input".to_owned()).spawn(move || {
            let mut input = BufReader::new(input);
            while let Ok(Some(line)) = read_line(&mut input, MESSAGE_BYTES) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { input: receiver, output: Output::start(output)?, is_begun: false })
    }

    /// Returns the flag that outlives the transport.
    pub(super) fn closed(&self) -> ClosedOutput {
        ClosedOutput(self.output.is_closed.clone())
    }

    /// Returns whether a message may go on to the library.
    fn admits(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if let JsonRpcMessage::Request(request) = message {
            let is_probe =
                matches!(request.request, ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_));
            self.is_begun |= !is_probe;
            return true;
        }
        self.is_begun
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn name() -> Cow<'static, str> {
        "standard input and output".into()
    }

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let written = serde_json::to_vec(&message).map(|line| self.output.push(line));
        async move { written?.await.unwrap_or_else(|_| Err(ErrorKind::BrokenPipe.into())) }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let is_closed = &mut self.output.is_closed;
            let line = tokio::select! {
                () = async { drop(is_closed.wait_for(|is_closed| *is_closed).await) } => return None,
                line = self.input.recv() => line?,
            };
            let parsed = match &line {
                Line::Whole(line) => parse(line),
                Line::TooLong(begin) => ParsedQuery::Problem(too_long(begin)),
            };
            match parsed {
                ParsedQuery::Message(message) if self.admits(&message) => return Some(*message),
                ParsedQuery::Message(_) | ParsedQuery::Nothing => {}
                // Whoever polls may drop this future; the reply is on its way all the same.
                ParsedQuery::Problem(reply) => drop(self.output.push(reply).await),
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.input.close();
        Ok(())
    }
}

impl Output {
    fn start(mut output: impl Write + Send + 'static) -> io::Result<Self> {
        let (lines, queue) = std::sync::mpsc::channel::<OutputLine>();
        let (closed, is_closed) = watch::channel(false);
        std::thread::Builder::new().name("output".to_owned()).spawn(move || {
            for (mut line, report) in queue {
                line.push(b'\n');
                let outcome = output.write_all(&line).and_then(|()| output.flush());
                let is_lost = outcome.is_err();
                if is_lost {
                    closed.send_replace(true);
                }
                // Fails only if nobody waits any more.
                drop(report.send(outcome));
                if is_lost {
                    break;
                }
            }
        })?;
        Ok(Self { lines, is_closed })
    }

    /// Queues a line; the receiver gets the outcome, or nothing if the output is closed.
    fn push(&self, line: Vec<u8>) -> oneshot::Receiver<io::Result<()>> {
        let (report, outcome) = oneshot::channel();
        drop(self.lines.send((line, report)));
        outcome
    }
}

/// Reads a line of at most `most` bytes without its end; `None` at the end of the input.
fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<Line>> {
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
enum ParsedQuery {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// An empty line, or a message that must not be replied to.
    Nothing,
    /// Neither; the reply to it.
    Problem(Vec<u8>),
}

fn parse(line: &[u8]) -> ParsedQuery {
    // RFC 8259 lets a reader ignore a byte order mark.
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return ParsedQuery::Nothing;
    }
    let envelope = Envelope::read(line);
    let error = match serde_json::from_slice(line) {
        // The library overlooks an id that is none.
        Ok(JsonRpcMessage::Notification(_)) if envelope.has_id => {
            let why = "the id must be a string or a whole number";
            return ParsedQuery::Problem(reply(&envelope, INVALID_REQUEST, why));
        }
        Ok(message) => return ParsedQuery::Message(Box::new(message)),
        Err(error) => error,
    };
    // This parser needs no stack, so it accepts any depth. It overlooks bytes that are not
    // UTF-8.
    let damage = serde_json::from_slice::<IgnoredAny>(line).err().map(|error| error.to_string());
    let damage = damage.or_else(|| Some(std::str::from_utf8(line).err()?.to_string()));
    if let Some(why) = damage {
        return ParsedQuery::Problem(reply(
            &envelope,
            PARSE_ERROR,
            &format!("the message is not JSON: {why}"),
        ));
    }
    if !envelope.has_id && (envelope.has_method || envelope.has_result) {
        return ParsedQuery::Nothing;
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
    ParsedQuery::Problem(reply(&envelope, INVALID_REQUEST, &why))
}

fn too_long(begin: &[u8]) -> Vec<u8> {
    let why = format!("the message has more than {MESSAGE_BYTES} bytes");
    reply(&Envelope::read(begin), INVALID_REQUEST, &why)
}

/// Returns an error reply. The library's own type leaves the id out if there is none.
fn reply(envelope: &Envelope, code: i32, why: &str) -> Vec<u8> {
    let error = json!({ "code": code, "message": why });
    json!({ "jsonrpc": "2.0", "id": envelope.id, "error": error }).to_string().into_bytes()
}

/// What can be read of a message that is damaged, cut short or nested too deeply.
#[derive(Debug, Default, PartialEq)]
struct Envelope {
    /// The id, if it is one of JSON-RPC; otherwise null.
    id: Value,
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
                    self.0.borrow_mut().id = id.unwrap_or_default();
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

    fn problem(line: &[u8]) -> Option<(Value, i64)> {
        match parse(line) {
            ParsedQuery::Problem(reply) => {
                let reply: Value = serde_json::from_slice(&reply).unwrap();
                assert_eq!(reply["jsonrpc"], "2.0");
                assert!(reply["error"]["message"].is_string() && reply.get("id").is_some(), "{reply}");
                Some((reply["id"].clone(), reply["error"]["code"].as_i64().unwrap()))
            }
            ParsedQuery::Message(_) | ParsedQuery::Nothing => None,
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
        assert!(matches!(parse(ping.as_bytes()), ParsedQuery::Message(_)));
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
}
