//! Lines of JSON on standard input and output: bytes ↔ messages of the protocol.
//!
//! Owns [`Lines`], the transport of the server. Two threads of its own read and write, because
//! neither can be stopped while it waits for the client. The module `message` reads the lines. A
//! line that is not a message gets its error reply, and the server goes on.
//!
//! **Invariant.** When the client closes its end of either pipe, the server ends quietly.
//!
//! The library has such a transport, too. It drops lines that it can't read, so that the client
//! waits for a reply for ever.

use std::borrow::Cow;
use std::future::Future;
use std::io::{self, BufReader, ErrorKind, Read, Write};

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::sync::{mpsc, oneshot, watch};

use super::message::{Line, MESSAGE_BYTES, ParsedLine, parse, read_line, too_long};

/// Number of messages that are read ahead.
const AHEAD: usize = 8;

/// The transport of the server.
pub(super) struct Lines {
    input: mpsc::Receiver<Line>,
    output: Output,
    /// Whether a request has begun the session. Before it, the library takes any other message for
    /// a failure.
    is_begun: bool,
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
                Line::TooLong(begin) => ParsedLine::Problem(too_long(begin)),
            };
            match parsed {
                ParsedLine::Message(message) if self.admits(&message) => return Some(*message),
                ParsedLine::Message(_) | ParsedLine::Nothing => {}
                // Whoever polls may drop this future; the reply is on its way all the same.
                ParsedLine::Problem(reply) => drop(self.output.push(reply).await),
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
