//! Messages with a `Content-Length` header on standard input and output: bytes ↔ messages.
//!
//! Owns the framing of the protocol. The library's own reader reserves as many bytes as a header
//! says, and ends at the first message that it can't read. Here, such a message gets its error
//! reply, and the server goes on.
//!
//! **Invariant.** A message costs at most [`MESSAGE_BYTES`] of memory, whatever its header says. A
//! header costs at most [`HEADER_BYTES`].

use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::mpsc;
use std::time::Duration;

use lsp_server::{Message, Response};
use serde_json::json;

use crate::server::json_rpc::{self, Line, PARSE_ERROR, ParsedMessage};

/// Longest message in bytes: larger than any file that people edit. A client sends the whole text
/// of a file that it opens.
pub(super) const MESSAGE_BYTES: usize = 32 << 20;

/// Longest line of a header in bytes.
const HEADER_BYTES: usize = 4096;

/// Bytes of a message that is too long of which the id is read.
const BEGIN_BYTES: usize = 64 << 10;

/// A piece of the input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Whole(Vec<u8>),
    /// The beginning of a message that is too long; the rest was skipped.
    TooLong(Vec<u8>),
    /// Bytes that are not a message, and the reason.
    Damaged(String),
}

/// Reads the next message of at most `most` bytes; `None` at the end of the input.
pub(super) fn read_frame(input: &mut impl BufRead, most: usize) -> io::Result<Option<Frame>> {
    let (mut length, mut is_begun) = (None, false);
    loop {
        let Some(line) = header_line(input)? else { return Ok(None) };
        if line.is_empty() {
            match length {
                Some(length) => return body(input, length, most).map(Some),
                // Blank lines between messages harm nothing.
                None if !is_begun => continue,
                None => return Ok(Some(Frame::Damaged("the header 'Content-Length' is missing".to_owned()))),
            }
        }
        is_begun = true;
        let text = String::from_utf8_lossy(&line);
        let Some((name, value)) = text.split_once(':') else { continue };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let Ok(n) = value.trim().parse::<u64>() else {
                return Ok(Some(Frame::Damaged("'Content-Length' is not a number".to_owned())));
            };
            length = Some(n);
        }
    }
}

/// Reads a line of a header without its end; what is too long is cut. `None` at the end.
fn header_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let line = json_rpc::read_line(input, HEADER_BYTES)?;
    Ok(line.map(|(Line::Whole(mut line) | Line::TooLong(mut line))| {
        if line.ends_with(b"\r") {
            line.pop();
        }
        line
    }))
}

fn body(input: &mut impl BufRead, length: u64, most: usize) -> io::Result<Frame> {
    let is_too_long = length > most as u64;
    let kept = if is_too_long { BEGIN_BYTES as u64 } else { length };
    let mut bytes = Vec::new();
    // Memory is reserved for bytes that came, not for those that a header promises.
    input.by_ref().take(kept).read_to_end(&mut bytes)?;
    let n = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if n < kept {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    if is_too_long {
        io::copy(&mut input.by_ref().take(length - kept), &mut io::sink())?;
        return Ok(Frame::TooLong(bytes));
    }
    Ok(Frame::Whole(bytes))
}

/// What came from the client.
pub(super) enum Input {
    Message(Box<Message>),
    /// The reply to bytes that are not a message.
    Problem(Vec<u8>),
    /// The reply to a message that was too long. It may have been a change of a document.
    Lost(Vec<u8>),
}

/// Returns what a piece of the input is; `None` if nothing is to be done about it.
pub(super) fn parse(frame: &Frame) -> Option<Input> {
    match frame {
        Frame::Whole(bytes) => {
            match json_rpc::parse(bytes, |message| matches!(message, Message::Notification(_))) {
                ParsedMessage::Message(message) => Some(Input::Message(message)),
                ParsedMessage::Problem(reply) => Some(Input::Problem(reply)),
                ParsedMessage::Nothing => None,
            }
        }
        Frame::TooLong(begin) => Some(Input::Lost(json_rpc::too_long(begin, MESSAGE_BYTES))),
        Frame::Damaged(why) => {
            let error = json!({ "code": PARSE_ERROR, "message": why });
            let reply = json!({ "jsonrpc": "2.0", "id": null, "error": error });
            Some(Input::Problem(reply.to_string().into_bytes()))
        }
    }
}

enum OutputItem {
    /// A message with its header.
    Frame(Vec<u8>),
    /// Reports that all before it was written.
    Mark(mpsc::Sender<()>),
}

/// The output: messages are handed over, and a thread writes them.
#[derive(Clone)]
pub(super) struct Output(mpsc::Sender<OutputItem>);

impl Output {
    /// Starts to write. `closed` is called if the client has closed its end.
    pub(super) fn start(
        mut output: impl Write + Send + 'static,
        closed: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, queue) = mpsc::channel::<OutputItem>();
        std::thread::Builder::new().name("output".to_owned()).spawn(move || {
            for one in queue {
                let written = match one {
                    OutputItem::Frame(bytes) => output.write_all(&bytes).and_then(|()| output.flush()),
                    OutputItem::Mark(done) => {
                        // Fails only if nobody waits any more.
                        let _ = done.send(());
                        Ok(())
                    }
                };
                if written.is_err() {
                    closed();
                    return;
                }
            }
        })?;
        Ok(Self(sender))
    }

    /// Sends the bytes of a message. After the end of the output they are dropped.
    pub(super) fn send_bytes(&self, bytes: &[u8]) {
        let header = format!("Content-Length: {}\r\n\r\n", bytes.len());
        drop(self.0.send(OutputItem::Frame([header.as_bytes(), bytes].concat())));
    }

    /// Sends a message.
    pub(super) fn send(&self, message: impl Into<Message>) {
        let mut frame = Vec::new();
        if message.into().write(&mut frame).is_ok() {
            drop(self.0.send(OutputItem::Frame(frame)));
        }
    }

    /// Sends an error as the reply to a request.
    pub(super) fn send_error(&self, id: lsp_server::RequestId, code: i32, why: String) {
        self.send(Response::new_err(id, code, why));
    }

    /// Waits until everything is written, at most this long.
    pub(super) fn flush(&self, longest: Duration) {
        let (done, is_done) = mpsc::channel();
        if self.0.send(OutputItem::Mark(done)).is_ok() {
            let _ = is_done.recv_timeout(longest);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn frames(bytes: &[u8], most: usize) -> Vec<String> {
        // A buffer of three bytes cuts everything in pieces.
        let mut input = BufReader::with_capacity(3, bytes);
        let mut found = Vec::new();
        while let Ok(Some(frame)) = read_frame(&mut input, most) {
            found.push(match frame {
                Frame::Whole(bytes) => String::from_utf8(bytes).unwrap(),
                Frame::TooLong(bytes) => format!("{}…", String::from_utf8(bytes).unwrap()),
                Frame::Damaged(why) => why,
            });
        }
        found
    }

    #[test]
    fn messages_are_whole_or_too_long_or_damaged() {
        let missing = "the header 'Content-Length' is missing";
        for (text, expected) in [
            ("", vec![]),
            ("Content-Length: 2\r\n\r\n{}", vec!["{}"]),
            ("content-length:2\r\nContent-Type: x\r\n\r\n{}Content-Length: 1\n\n7", vec!["{}", "7"]),
            ("\r\n\nContent-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n7", vec!["", "7"]),
            ("noise\r\n\r\nContent-Length: 1\r\n\r\n7", vec![missing, "7"]),
            ("noise\r\nContent-Length: 1\r\n\r\n7", vec!["7"]),
            (
                "Content-Length: x\r\nContent-Length: 1\r\n\r\n7",
                vec!["'Content-Length' is not a number", "7"],
            ),
            ("Content-Length: -1\r\n", vec!["'Content-Length' is not a number"]),
            ("Content-Length: 99\r\n\r\n{}", vec![]),
            ("Content-Length: 5\r\n\r\n12345Content-Length: 1\r\n\r\n7", vec!["12345", "7"]),
        ] {
            assert_eq!(frames(text.as_bytes(), 5), expected, "{text:?}");
        }
        let long = "x".repeat(BEGIN_BYTES + 3);
        let text = format!("Content-Length: {}\r\n\r\n{long}Content-Length: 1\r\n\r\n7", long.len());
        assert_eq!(frames(text.as_bytes(), 5), [format!("{}…", &long[..BEGIN_BYTES]), "7".to_owned()]);
        let header = format!("X: {}\r\nContent-Length: 1\r\n\r\n7", "y".repeat(3 * HEADER_BYTES));
        assert_eq!(frames(header.as_bytes(), 5), ["7"]);
        let huge = format!("Content-Length: {}\r\n\r\nabc", u64::MAX);
        assert!(frames(huge.as_bytes(), 5).is_empty(), "the input ends before");
    }

    #[test]
    fn bytes_that_are_not_a_message_get_a_reply() {
        let problem = |frame: Frame| match parse(&frame) {
            Some(Input::Problem(reply) | Input::Lost(reply)) => {
                let reply: serde_json::Value = serde_json::from_slice(&reply).unwrap();
                (reply["id"].clone(), reply["error"]["code"].as_i64().unwrap())
            }
            _ => panic!("{frame:?} has no reply"),
        };
        let whole = |text: &str| Frame::Whole(text.as_bytes().to_vec());
        assert_eq!(problem(whole("{")), (json!(null), -32700));
        assert_eq!(problem(whole(r#"{"jsonrpc":"2.0","id":4}"#)), (json!(4), -32600));
        let deep =
            format!(r#"{{"id":5,"method":"hover","params":{}{}}}"#, "[".repeat(9999), "]".repeat(9999));
        assert_eq!(problem(whole(&deep)), (json!(5), -32600));
        assert_eq!(problem(Frame::TooLong(br#"{"id":"a","method":"#.to_vec())), (json!("a"), -32600));
        assert_eq!(problem(Frame::Damaged("x".to_owned())), (json!(null), -32700));
        assert!(parse(&whole("")).is_none());
        assert!(matches!(parse(&whole(r#"{"jsonrpc":"2.0","method":"exit"}"#)), Some(Input::Message(_))));
    }
}
