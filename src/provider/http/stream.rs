//! A running request, made by a thread of its own, so that the waiting thread can be interrupted.
//!
//! The thread sends the head and then the pieces of the body through a short channel. Dropping the
//! [`Stream`] closes the channel, which ends the thread and closes the connection. A blocking read
//! on the calling thread could not be interrupted.

use std::io::Read;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use crate::base::progress::Cancel;

use super::{Error, Result};

/// Interval at which a waiting thread checks for an interruption.
pub(super) const POLL: Duration = Duration::from_millis(50);

/// Maximum number of unread pieces. A server that is faster than the reader has to wait.
const PIECES: usize = 16;

/// Maximum bytes of a piece.
const PIECE_BYTES: usize = 64 << 10;

/// The status and the relevant headers of an answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) retry_after: Option<String>,
}

/// A message from the request's thread.
enum Event {
    Head(Head),
    Piece(Vec<u8>),
    End,
    Failed(ureq::Error),
}

/// The body of an answer as it arrives.
pub struct Stream {
    events: Receiver<Event>,
    host: String,
    cancel: Cancel,
    timeout: Duration,
    left: usize,
    limit_bytes: usize,
    is_over: bool,
    is_broken: bool,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("host", &self.host).finish_non_exhaustive()
    }
}

impl Stream {
    /// Sends a request and waits for the head of the answer.
    pub(super) fn start(
        agent: &ureq::Agent,
        request: ureq::http::Request<Vec<u8>>,
        host: &str,
        timeout: Duration,
        limit_bytes: usize,
        cancel: &Cancel,
    ) -> Result<(Head, Self)> {
        let (sender, events) = sync_channel(PIECES);
        let agent = agent.clone();
        std::thread::Builder::new()
            .name("request".to_owned())
            .spawn(move || run(&agent, request, &sender))
            .map_err(|error| Error::Unreachable { host: host.to_owned(), why: error.to_string() })?;
        let stream = Self {
            events,
            host: host.to_owned(),
            cancel: cancel.clone(),
            timeout,
            left: limit_bytes,
            limit_bytes,
            is_over: false,
            is_broken: false,
        };
        match stream.wait(Instant::now() + timeout)? {
            Event::Head(head) => Ok((head, stream)),
            Event::Failed(error) => Err(stream.failure(error, false)),
            Event::Piece(_) | Event::End => Err(stream.cut()),
        }
    }

    /// Returns the next piece of the body; `None` at its end. Pieces may be split anywhere.
    ///
    /// # Errors
    /// [`Error::TimedOut`] if no piece arrives in time, [`Error::Malformed`] if the connection
    /// breaks, [`Error::TooLarge`] above the limit, [`Error::Cancelled`].
    pub fn piece(&mut self) -> Result<Option<Vec<u8>>> {
        self.piece_until(Instant::now() + self.timeout)
    }

    /// Returns the error for an answer that ends earlier than its protocol allows, and marks the
    /// request as repeatable.
    pub fn broke_off(&mut self) -> Error {
        self.is_broken = true;
        self.cut()
    }

    /// Returns whether the connection failed, stalled, or ended too early.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    pub(super) fn piece_until(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>> {
        let piece = self.next_piece(deadline);
        self.is_broken |= matches!(&piece, Err(Error::TimedOut { .. } | Error::Malformed { .. }));
        piece
    }

    fn next_piece(&mut self, deadline: Instant) -> Result<Option<Vec<u8>>> {
        if self.is_over {
            return Ok(None);
        }
        match self.wait(deadline)? {
            Event::Piece(piece) => {
                let too_large = Error::TooLarge { host: self.host.clone(), limit_bytes: self.limit_bytes };
                self.left = self.left.checked_sub(piece.len()).ok_or(too_large)?;
                Ok(Some(piece))
            }
            Event::End => {
                self.is_over = true;
                Ok(None)
            }
            Event::Failed(error) => Err(self.failure(error, true)),
            Event::Head(_) => Err(self.cut()),
        }
    }

    /// Returns the rest of the body, within the size limit and before `deadline`.
    pub(super) fn rest(&mut self, deadline: Instant) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece_until(deadline)? {
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    fn wait(&self, deadline: Instant) -> Result<Event> {
        loop {
            if self.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::TimedOut { host: self.host.clone(), seconds: self.timeout.as_secs() });
            }
            match self.events.recv_timeout(left.min(POLL)) {
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.cut()),
            }
        }
    }

    fn cut(&self) -> Error {
        Error::Malformed { host: self.host.clone(), why: "it ends too early".to_owned() }
    }

    fn failure(&self, error: ureq::Error, has_head: bool) -> Error {
        let host = self.host.clone();
        match error {
            ureq::Error::Timeout(_) => Error::TimedOut { host, seconds: self.timeout.as_secs() },
            ureq::Error::Protocol(why) => Error::Malformed { host, why: why.to_string() },
            ureq::Error::LargeResponseHeader(..) => {
                Error::Malformed { host, why: "its head is too large".to_owned() }
            }
            _ if has_head => self.cut(),
            // The error may quote the proxy's address, and that may contain a password.
            ureq::Error::ConnectProxyFailed(_) => {
                Error::Unreachable { host, why: "the proxy refused the connection".to_owned() }
            }
            ureq::Error::HostNotFound => Error::Unreachable { host, why: "unknown host".to_owned() },
            other => Error::Unreachable { host, why: other.to_string() },
        }
    }
}

/// Makes the request. Ends when the answer is complete or the receiver is dropped.
fn run(agent: &ureq::Agent, request: ureq::http::Request<Vec<u8>>, events: &SyncSender<Event>) {
    let answer = match agent.run(request) {
        Ok(answer) => answer,
        Err(error) => return drop(events.send(Event::Failed(error))),
    };
    let retry_after = answer.headers().get("retry-after").and_then(|value| value.to_str().ok());
    let head = Head { status: answer.status().as_u16(), retry_after: retry_after.map(ToOwned::to_owned) };
    if events.send(Event::Head(head)).is_err() {
        return;
    }
    let mut body = answer.into_body().into_reader();
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        let event = match body.read(&mut buffer) {
            Ok(0) => return drop(events.send(Event::End)),
            Ok(n) => Event::Piece(buffer.get(..n).unwrap_or_default().to_vec()),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return drop(events.send(Event::Failed(ureq::Error::from(error)))),
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
