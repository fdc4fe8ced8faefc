//! A test server on the loopback: answers each request as a function says, and records the
//! requests.
//!
//! It uses only the standard library, because the integration tests include this file directly.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A received request.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReceivedRequest {
    /// Method and path.
    pub(crate) line: String,
    /// The headers, names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl ReceivedRequest {
    /// Returns the value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A prepared answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// Delay before the first byte.
    pub(crate) delay: Duration,
    /// Number of body bytes after which the connection is closed.
    pub(crate) cut_at: Option<usize>,
    /// Delay before closing it there.
    pub(crate) stall: Duration,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        let (delay, stall) = (Duration::ZERO, Duration::ZERO);
        Self { status, headers: Vec::new(), body: body.into(), delay, cut_at: None, stall }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

type Responder = dyn Fn(usize, &ReceivedRequest) -> Answer + Send + Sync;

/// A server that ends with the test.
pub(crate) struct Server {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
    is_over: Arc<AtomicBool>,
}

impl Server {
    /// Starts a server that answers request `n` (from 0) with `respond`.
    pub(crate) fn start(respond: impl Fn(usize, &ReceivedRequest) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let is_over = Arc::new(AtomicBool::new(false));
        let (list, over, respond): (_, _, Arc<Responder>) =
            (Arc::clone(&asked), Arc::clone(&is_over), Arc::new(respond));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Relaxed) {
                    return;
                }
                let (list, respond) = (Arc::clone(&list), Arc::clone(&respond));
                std::thread::spawn(move || drop(stream.and_then(|stream| serve(&stream, &list, &*respond))));
            }
        });
        Self { address, asked, is_over }
    }

    /// Returns its URL with a path, which is empty or begins with `/`.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Returns the requests so far.
    pub(crate) fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.address));
    }
}

fn serve(stream: &TcpStream, list: &Mutex<Vec<ReceivedRequest>>, respond: &Responder) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut out = stream.try_clone()?;
    loop {
        let mut asked = ReceivedRequest::default();
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        asked.line = line.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some((name, value)) => asked.headers.push((name.to_lowercase(), value.to_owned())),
                None => break,
            }
        }
        let length = asked.header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
        asked.body = vec![0; length];
        reader.read_exact(&mut asked.body)?;
        let n = {
            let mut list = list.lock().unwrap();
            list.push(asked.clone());
            list.len() - 1
        };
        let answer = respond(n, &asked);
        std::thread::sleep(answer.delay);
        let mut head =
            format!("HTTP/1.1 {} Status\r\ncontent-length: {}\r\n", answer.status, answer.body.len());
        for (name, value) in &answer.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        out.write_all(head.as_bytes())?;
        out.write_all(b"\r\n")?;
        match answer.cut_at {
            Some(n) => {
                out.write_all(&answer.body[..n])?;
                std::thread::sleep(answer.stall);
                return out.shutdown(std::net::Shutdown::Both);
            }
            None => out.write_all(&answer.body)?,
        }
    }
}
