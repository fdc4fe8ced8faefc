//! The log: one line of JSON per event, on standard error.
//!
//! A line contains the route, the status and the duration of a request. It never contains the
//! question, the results, the repository or a token. A path that is not one of our routes is logged
//! as `other`.
//!
//! One thread writes the lines, because a write blocks while standard error is a full pipe that
//! nobody reads. No request waits for it: lines that don't fit into the queue are lost, and the
//! next line that is written says how many.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::ServerState;
use super::problem::ProblemKind;

/// Paths that are logged by name.
const ROUTES: [&str; 16] = [
    "/",
    "/file",
    "/coderag/query",
    "/coderag/refresh",
    "/coderag/key",
    "/coderag/repositories",
    "/coderag/search",
    "/coderag/ask",
    "/coderag/file",
    "/coderag/relations",
    "/coderag/revisions",
    "/coderag/history",
    "/coderag/overview",
    "/metrics",
    "/healthz",
    "/openapi.json",
];
/// Name under which all files of the page are logged.
const PARTS: &str = "/page/*";

/// Largest number of lines that wait to be written.
const QUEUED: usize = 1024;

/// Time between two looks at the queue when the server stops.
const POLL: Duration = Duration::from_millis(5);

/// The writer of events.
pub(super) struct Log {
    /// `None` if nothing is logged.
    queue: Option<SyncSender<String>>,
    counts: Arc<Counts>,
}

/// The lines that are not written.
#[derive(Default)]
struct Counts {
    /// Lines in the queue, and the one that is being written.
    n_waiting: AtomicUsize,
    /// Lines that did not fit into the queue since the last one that says so.
    n_lost: AtomicUsize,
}

impl Log {
    pub(super) fn new(is_on: bool) -> Self {
        Self::to(is_on, std::io::stderr)
    }

    /// Writes to what `open` returns, which is opened again for each line.
    fn to<W: std::io::Write>(is_on: bool, open: impl Fn() -> W + Send + 'static) -> Self {
        let counts = Arc::<Counts>::default();
        let (queue, lines) = sync_channel(QUEUED);
        let theirs = Arc::clone(&counts);
        let writer = std::thread::Builder::new().name("log".to_owned());
        // Without the thread nothing is logged, and the server runs.
        let is_on = is_on && writer.spawn(move || write(&lines, &theirs, open)).is_ok();
        Self { queue: is_on.then_some(queue), counts }
    }

    /// Queues an event with its time, in seconds since 1970. Never waits.
    pub(super) fn event(&self, event: &str, details: &[(&str, Value)]) {
        let Some(queue) = &self.queue else { return };
        self.counts.n_waiting.fetch_add(1, Ordering::Relaxed);
        if queue.try_send(line(event, details)).is_err() {
            self.counts.n_waiting.fetch_sub(1, Ordering::Relaxed);
            self.counts.n_lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until all lines are written, but not longer than `most`.
    pub(super) async fn drain(&self, most: Duration) {
        let begun = Instant::now();
        while self.counts.n_waiting.load(Ordering::Relaxed) > 0 && begun.elapsed() < most {
            tokio::time::sleep(POLL).await;
        }
    }
}

/// Writes the lines of the queue until its sender is gone.
fn write<W: std::io::Write>(lines: &Receiver<String>, counts: &Counts, open: impl Fn() -> W) {
    for mut text in lines {
        let n_lost = counts.n_lost.swap(0, Ordering::Relaxed);
        if n_lost > 0 {
            text.push_str(&line("lines lost", &[("lines", json!(n_lost))]));
        }
        // Fails if standard error was closed; then nobody reads the log.
        let _ = open().write_all(text.as_bytes());
        counts.n_waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns the line of an event.
fn line(event: &str, details: &[(&str, Value)]) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut line = Map::new();
    line.insert("time".to_owned(), json!((now.as_secs_f64() * 1000.0).round() / 1000.0));
    line.insert("event".to_owned(), json!(event));
    line.extend(details.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
    let mut text = Value::Object(line).to_string();
    text.push('\n');
    text
}

/// Counts and logs every request, including refused ones.
pub(super) async fn request(
    State(shared): State<Arc<ServerState>>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let path = request.uri().path();
    let route = match ROUTES.iter().find(|route| **route == path) {
        Some(route) => route,
        None if super::page::is_part(path) => PARTS,
        None => "other",
    };
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "OPTIONS" | "PATCH") => known.to_owned(),
        _ => "other".to_owned(),
    };
    let in_flight = shared.metrics.begin();
    let response = next.run(request).await;
    drop(in_flight);
    let (status, spent) = (response.status().as_u16(), begun.elapsed());
    shared.metrics.end(route, status, spent);
    let mut details = vec![
        ("method", json!(method)),
        ("route", json!(route)),
        ("status", json!(status)),
        ("ms", json!((spent.as_secs_f64() * 10_000.0).round() / 10.0)),
    ];
    if let Some(ProblemKind(problem)) = response.extensions().get::<ProblemKind>() {
        details.push(("problem", json!(problem)));
    }
    shared.log.event("request", &details);
    response
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// A pipe that takes nothing while it is full.
    #[derive(Clone, Default)]
    struct Pipe {
        is_full: Arc<AtomicBool>,
        taken: Arc<Mutex<Vec<u8>>>,
    }

    impl io::Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            while self.is_full.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            self.taken.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_full_pipe_costs_lines_and_no_time() {
        let pipe = Pipe::default();
        let theirs = pipe.clone();
        let log = Log::to(true, move || theirs.clone());
        pipe.is_full.store(true, Ordering::Relaxed);
        for n in 0..QUEUED + 10 {
            log.event("request", &[("n", json!(n))]);
        }
        let begun = Instant::now();
        log.drain(Duration::from_millis(20)).await;
        assert!(begun.elapsed() < Duration::from_secs(5));
        pipe.is_full.store(false, Ordering::Relaxed);
        log.drain(Duration::from_secs(60)).await;
        let text = String::from_utf8(pipe.taken.lock().unwrap().clone()).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let lost: u64 = lines.iter().filter_map(|line| line["lines"].as_u64()).sum();
        let n_written = lines.iter().filter(|line| line["event"] == "request").count();
        assert_eq!(n_written as u64 + lost, QUEUED as u64 + 10, "each line is written or counted");
        assert!(lost >= 9, "one line may be at the pipe beside the queue");
        // Lines are whole and in order.
        let order: Vec<u64> = lines.iter().filter_map(|line| line["n"].as_u64()).collect();
        assert!(order.is_sorted());
    }

    #[tokio::test]
    async fn nothing_is_logged_if_it_is_off() {
        let pipe = Pipe::default();
        let theirs = pipe.clone();
        let log = Log::to(false, move || theirs.clone());
        log.event("started", &[]);
        log.drain(Duration::from_secs(60)).await;
        assert!(pipe.taken.lock().unwrap().is_empty());
    }
}
