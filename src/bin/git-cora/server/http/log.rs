//! The log: one line of JSON per event, on standard error.
//!
//! A line contains the route, the status and the duration of a request. It never contains the
//! question, the results, the repository or a token. A path that is not one of our routes is logged
//! as `other`.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::ServerState;
use super::problem::ProblemKind;

/// Paths that are logged by name.
const ROUTES: [&str; 14] = [
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
    "/metrics",
    "/healthz",
    "/openapi.json",
];
/// Name under which all files of the page are logged.
const PARTS: &str = "/page/*";

/// The writer of events.
pub(super) struct Log {
    is_on: bool,
}

impl Log {
    pub(super) fn new(is_on: bool) -> Self {
        Self { is_on }
    }

    /// Writes an event with its time, in seconds since 1970.
    pub(super) fn event(&self, event: &str, details: &[(&str, Value)]) {
        if !self.is_on {
            return;
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let mut line = Map::new();
        line.insert("time".to_owned(), json!((now.as_secs_f64() * 1000.0).round() / 1000.0));
        line.insert("event".to_owned(), json!(event));
        line.extend(details.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        let mut text = Value::Object(line).to_string();
        text.push('\n');
        // Fails if standard error was closed; then nobody reads the log.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
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
