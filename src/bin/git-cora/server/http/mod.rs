//! HTTP: requests on a socket → answers as JSON for programs on this machine, and a page for
//! people.
//!
//! Owns the server that `git cora serve` runs: the socket, its limits, the routes, and the
//! shutdown. [`connections`] bounds the open connections, [`guard`] decides who may send requests,
//! and [`roots`] which repositories may be searched. [`api`] and [`browse`] define requests and
//! answers once, and the OpenAPI document is made from these types. [`page`] is the web page.
//!
//! **Invariants.** Nothing is read outside the repositories that were named at the start or are
//! below a root. Any request costs bounded memory and time. Every failure is a problem document
//! (RFC 9457). Source text, questions and tokens are never logged.

mod answer;
mod api;
mod browse;
mod connections;
mod guard;
mod log;
mod metrics;
mod openapi;
mod page;
mod problem;
mod roots;
mod token;
mod values;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, mpsc};

use crate::command_error::CommandError;

use super::pool::RepositoryPool;
use connections::Connections;
use guard::Guard;
use log::Log;
use metrics::Metrics;
use roots::Roots;
pub(crate) use token::{Key, Token};

/// Largest number of open connections; a further one takes the place of another.
const CONNECTIONS: usize = 256;
/// Largest number of requests processed in parallel. Further ones wait for [`QUEUE`], then get the
/// status "busy".
const AT_ONCE: usize = 16;
/// Longest time that a request waits in the queue.
const QUEUE: Duration = Duration::from_secs(2);
/// Longest time for the head of a request, including the silence between two requests.
const HEAD: Duration = Duration::from_secs(5);
/// Time that open connections have to finish when the server stops.
const GRACE: Duration = Duration::from_secs(10);
/// Time that the log has to be written when the server stops.
const LOG_GRACE: Duration = Duration::from_secs(1);
/// Size limit of a request's head in bytes.
const HEAD_BYTES: usize = 16 << 10;

/// The settings of a server.
pub(crate) struct Settings {
    /// Address to listen on; port 0 chooses a free one.
    pub(crate) listen: SocketAddr,
    /// Directories below which every repository may be searched.
    pub(crate) roots: Vec<PathBuf>,
    /// Repositories that may be searched.
    pub(crate) repositories: Vec<PathBuf>,
    /// The one of them that the server was started in, which Git's environment may name.
    pub(crate) around: Option<PathBuf>,
    /// Names that clients may use for this host, in addition to those of the loopback.
    pub(crate) hosts: Vec<String>,
    /// Origins of web pages that may send requests.
    pub(crate) origins: Vec<String>,
    /// The token that authorises a client.
    pub(crate) token: Token,
    /// The key that opens the page once.
    pub(crate) key: Key,
    /// Whether requests are logged.
    pub(crate) is_logged: bool,
}

/// State shared by all requests.
struct ServerState {
    pool: Arc<RepositoryPool>,
    roots: Roots,
    guard: Guard,
    metrics: Metrics,
    log: Log,
    turns: Arc<Semaphore>,
}

/// Runs the server until a signal stops it. Calls `started` with the address.
pub(crate) fn run(settings: Settings, started: impl FnOnce(SocketAddr)) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(AT_ONCE + 4)
        .enable_all()
        .build()?;
    let pool = Arc::new(RepositoryPool::around(settings.around.clone()));
    let (asked, stop) = mpsc::unbounded_channel();
    // Fails only if a handler is already set. Then a signal ends the process, which damages
    // nothing.
    let _ = ctrlc::set_handler(move || {
        let _ = asked.send(());
    });
    let outcome = runtime.block_on(serve(settings, Arc::clone(&pool), stop, started));
    pool.close();
    runtime.shutdown_timeout(Duration::from_secs(1));
    outcome
}

/// Makes the error of an address that the server can't listen on.
fn unbound(address: SocketAddr, error: &std::io::Error) -> anyhow::Error {
    if error.kind() != std::io::ErrorKind::AddrInUse {
        return anyhow::anyhow!("can't listen on '{address}': {error}");
    }
    let free = SocketAddr::new(address.ip(), 0);
    CommandError::new(
        format!("can't listen on '{address}': another program uses this port"),
        format!("use '--listen {free}' to pick a free port"),
    )
    .into()
}

async fn serve(
    settings: Settings,
    pool: Arc<RepositoryPool>,
    mut stop: mpsc::UnboundedReceiver<()>,
    started: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    let bound = TcpListener::bind(settings.listen).await;
    let listener = bound.map_err(|error| unbound(settings.listen, &error))?;
    let address = listener.local_addr()?;
    let shared = Arc::new(ServerState {
        roots: Roots::new(&pool, &settings.roots, &settings.repositories)?,
        pool,
        guard: Guard::new(address, &settings.hosts, settings.origins, settings.token, settings.key),
        metrics: Metrics::default(),
        log: Log::new(settings.is_logged),
        turns: Arc::new(Semaphore::new(AT_ONCE)),
    });
    let app = TowerToHyperService::new(router(&shared));
    let graceful = GracefulShutdown::new();
    let connections = Connections::new(CONNECTIONS);
    started(address);
    shared.log.event("started", &[("address", address.to_string().into())]);
    loop {
        let stream = tokio::select! {
            _ = stop.recv() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // The process has no free file descriptor, or the client left before it was
                    // accepted.
                    shared.log.event("accept failed", &[("error", error.to_string().into())]);
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let place = tokio::select! {
            _ = stop.recv() => break,
            place = connections.enter() => place,
        };
        let _ = stream.set_nodelay(true);
        let (app, of) = (app.clone(), place.connection());
        let service = service_fn(move |mut request| {
            let at_work = of.begin();
            request.extensions_mut().insert(Arc::clone(&of));
            let response = app.call(request);
            async move {
                let response = response.await;
                drop(at_work);
                response
            }
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_header_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // A client that breaks the protocol or leaves is not logged.
            tokio::select! {
                _ = connection => {}
                () = place.ended() => {}
            }
        });
    }
    drop(listener);
    shared.log.event("stopping", &[]);
    let _ = tokio::time::timeout(GRACE, graceful.shutdown()).await;
    shared.log.drain(LOG_GRACE).await;
    Ok(())
}

fn router(shared: &Arc<ServerState>) -> Router {
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
        .route("/coderag/history", post(browse::history))
        .route("/coderag/overview", post(browse::overview))
        .route("/metrics", get(metrics))
        .route("/healthz", get(healthz))
        .route("/openapi.json", get(openapi))
        .merge(page::router())
        .fallback(problem::no_route)
        .method_not_allowed_fallback(problem::no_method);
    // The last layer is the outermost one, so that refused requests are logged too.
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

async fn metrics(State(shared): State<Arc<ServerState>>) -> Response {
    let text = shared.metrics.text();
    ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
}

fn json(value: &serde_json::Value) -> Response {
    ([(CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use git_cora::base::error::ClassifiedError as _;

    use super::*;

    #[test]
    fn a_port_in_use_has_a_way_out() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let error = std::net::TcpListener::bind(address).unwrap_err();
        let error = unbound(address, &error);
        assert_eq!(error.to_string(), format!("can't listen on '{address}': another program uses this port"));
        let hint = error.downcast_ref::<CommandError>().and_then(|error| error.hint());
        assert_eq!(hint.unwrap(), "use '--listen 127.0.0.1:0' to pick a free port");
    }
}
