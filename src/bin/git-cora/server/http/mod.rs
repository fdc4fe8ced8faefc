//! HTTP: requests on a socket → answers as JSON, for programs on this machine, and a page for people.
//!
//! Owns the server that `git cora serve` runs: the socket, its bounds, the routes, and how it stops. What a request
//! may do is decided in [`guard`], which repositories it may ask in [`roots`]; what requests and answers look like
//! is defined once, in [`api`] and beside [`browse`], from which the OpenAPI document is made. [`page`] is what a browser
//! shows of it.
//!
//! **Invariants.** Nothing outside the repositories that were named, or lie under a root, is read. Whatever a client
//! sends costs bounded memory and time. Every failure is a problem document (RFC 9457). Neither source text, nor a
//! question, nor a token is ever logged.

mod answer;
mod api;
mod browse;
mod guard;
mod log;
mod metrics;
mod openapi;
mod page;
mod problem;
mod roots;
mod token;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};

use super::pool::Host;
use guard::Guard;
use log::Log;
use metrics::Metrics;
use roots::Roots;
pub(crate) use token::{Key, Token};

/// Connections that are open at once; the next ones wait to be accepted.
const CONNECTIONS: usize = 256;
/// Questions that are worked on at once; the next ones wait for [`QUEUE`], then are told to come back.
const AT_ONCE: usize = 16;
/// How long a question waits for its turn.
const QUEUE: Duration = Duration::from_secs(2);
/// How long a client may take for the head of a request, and be silent between two.
const HEAD: Duration = Duration::from_secs(20);
/// How long the open connections have when the server stops.
const GRACE: Duration = Duration::from_secs(10);
/// Bytes of a request's head at most.
const HEAD_BYTES: usize = 16 << 10;

/// What a server is started with.
pub(crate) struct Settings {
    /// Where it listens; port 0: any free one.
    pub(crate) listen: SocketAddr,
    /// Directories under which every repository may be asked.
    pub(crate) roots: Vec<PathBuf>,
    /// Repositories that may be asked.
    pub(crate) repositories: Vec<PathBuf>,
    /// Names that clients may call this host by, beside those of the loopback.
    pub(crate) hosts: Vec<String>,
    /// Origins whose web pages may ask.
    pub(crate) origins: Vec<String>,
    /// Who may ask.
    pub(crate) token: Token,
    /// What opens the page once.
    pub(crate) key: Key,
    /// Whether requests are logged.
    pub(crate) is_logged: bool,
}

/// What all requests share.
struct Shared {
    host: Arc<Host>,
    roots: Roots,
    guard: Guard,
    metrics: Metrics,
    log: Log,
    turns: Arc<Semaphore>,
}

/// Serves until a signal asks for the end. `started` is told the address.
pub(crate) fn run(settings: Settings, started: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(AT_ONCE + 4)
        .enable_all()
        .build()?;
    let host = Arc::new(Host::default());
    let (asked, stop) = mpsc::unbounded_channel();
    // Fails only if a handler is set already; then the process just ends, which breaks nothing.
    let _ = ctrlc::set_handler(move || {
        let _ = asked.send(());
    });
    let outcome = runtime.block_on(serve(settings, Arc::clone(&host), stop, started));
    host.close();
    runtime.shutdown_timeout(Duration::from_secs(1));
    outcome
}

async fn serve(
    settings: Settings,
    host: Arc<Host>,
    mut stop: mpsc::UnboundedReceiver<()>,
    started: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    let listener = TcpListener::bind(settings.listen)
        .await
        .map_err(|error| anyhow::anyhow!("can't listen on {}: {error}", settings.listen))?;
    let address = listener.local_addr()?;
    let shared = Arc::new(Shared {
        roots: Roots::new(&host, &settings.roots, &settings.repositories)?,
        host,
        guard: Guard::new(address, &settings.hosts, settings.origins, (settings.token, settings.key)),
        metrics: Metrics::default(),
        log: Log::new(settings.is_logged),
        turns: Arc::new(Semaphore::new(AT_ONCE)),
    });
    let app = TowerToHyperService::new(router(&shared));
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    started(address);
    shared.log.event("started", &[("address", address.to_string().into())]);
    loop {
        // Only who has a place is accepted: the others wait in the system's queue, which is bounded too.
        let place = Arc::clone(&places).acquire_owned().await?;
        let stream = tokio::select! {
            _ = stop.recv() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of descriptors, or gone before it was taken.
                    shared.log.event("accept failed", &[("error", error.to_string().into())]);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let _ = stream.set_nodelay(true);
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_header_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), app.clone());
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that breaks the protocol or leaves is no event of ours.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    shared.log.event("stopping", &[]);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
    Ok(())
}

fn router(shared: &Arc<Shared>) -> Router {
    let guarded = Router::new()
        .route("/coderag/query", post(answer::query))
        .route("/coderag/refresh", post(answer::refresh))
        .route("/coderag/key", post(browse::key))
        .route("/coderag/repositories", post(browse::repositories))
        .route("/coderag/search", post(browse::search))
        .route("/coderag/ask", post(browse::ask))
        .route("/coderag/file", post(browse::file))
        .route("/coderag/relations", post(browse::relations))
        .route("/coderag/revisions", post(browse::revisions))
        .route("/metrics", get(metrics))
        .route("/healthz", get(healthz))
        .route("/openapi.json", get(openapi))
        .merge(page::router())
        .fallback(problem::no_route)
        .method_not_allowed_fallback(problem::no_method);
    // The outermost is the last one.
    guarded
        .layer(axum::middleware::from_fn_with_state(Arc::clone(shared), guard::check))
        .layer(axum::middleware::map_response(page::harden))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(shared), log::request))
        .with_state(Arc::clone(shared))
}

async fn healthz() -> Response {
    json(&serde_json::json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

async fn openapi() -> Response {
    json(&openapi::document())
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let text = shared.metrics.text();
    ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
}

fn json(value: &serde_json::Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
