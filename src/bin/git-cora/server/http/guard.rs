//! The guard: decides who may send requests, from where, and how much.
//!
//! It checks every request before its body is read. A web page in a browser can send requests to
//! this machine, so three checks keep it out:
//! - It does not know the token.
//! - Its `Origin` is not allowed.
//! - If it lets its own name resolve to the loopback address (DNS rebinding), that name is not an
//!   allowed `Host`.
//!
//! Scripts of a site that `--allow-origin` names may read answers (CORS). They need the token, too.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION,
    CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName, ORIGIN, VARY,
};
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use super::connections::Connection;
use super::problem::{Kind, Problem};
use super::token::{Key, Token};
use super::values::{self, without_port};
use super::{ServerState, page};
use crate::server::wrong_value::wrong_value;

/// Size limit of a body in bytes, enough for a long conversation.
const BODY_BYTES: usize = 2 << 20;
/// Longest time that a client may take to send the body.
const BODY_TIME: Duration = Duration::from_secs(15);

/// Names of the loopback interface.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Routes that need no token, as well as those of the page: they reveal nothing of any repository.
const OPEN: [&str; 2] = ["/healthz", "/openapi.json"];

/// The allowed hosts and origins, and the secrets.
pub(super) struct Guard {
    /// In lower case, without ports.
    hosts: Vec<String>,
    /// In lower case.
    origins: Vec<String>,
    /// Those of other sites, whose scripts may read answers.
    sites: Vec<String>,
    token: Token,
    key: Key,
}

/// Whether the header carried the token. If not, the body may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeaderAuthorization(bool);

impl Guard {
    pub(super) fn new(
        address: SocketAddr,
        hosts: &[String],
        origins: Vec<String>,
        token: Token,
        key: Key,
    ) -> Self {
        let mut known: Vec<String> = LOOPBACK.map(str::to_owned).into();
        let own = address.ip();
        if !own.is_unspecified() && !own.is_loopback() {
            known.push(if own.is_ipv6() { format!("[{own}]") } else { own.to_string() });
        }
        known.extend(hosts.iter().map(|host| host.to_lowercase()));
        let sites: Vec<String> = origins.iter().map(|origin| origin.to_lowercase()).collect();
        let mut allowed = sites.clone();
        allowed.extend(LOOPBACK.iter().map(|host| format!("http://{host}:{}", address.port())));
        Self { hosts: known, origins: allowed, sites, token, key }
    }

    /// Returns the token in exchange for the key, which is then used up.
    pub(super) fn unlock(&self, key: &str) -> Option<String> {
        self.key.take(key).then(|| self.token.reveal().to_owned())
    }

    fn host(&self, request: &Request) -> Result<(), Problem> {
        let mut named = request.headers().get_all(HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else {
            return Err(Problem::new(Kind::BadRequest, "expected one header 'Host'"));
        };
        let is_known =
            |host: &str| self.hosts.iter().any(|known| *known == without_port(host).to_lowercase());
        let authority = request.uri().authority().map(|authority| authority.as_str());
        if host.to_str().is_ok_and(is_known) && authority.is_none_or(is_known) {
            return Ok(());
        }
        Err(Problem {
            hint: Some("run 'git cora serve --allow-host NAME' to allow this name".to_owned()),
            ..Problem::new(Kind::ForeignHost, "the header 'Host' names another server")
        })
    }

    fn origin(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let is_known = |origin: &str| self.origins.iter().any(|known| *known == origin.to_lowercase());
        if headers.get_all(ORIGIN).iter().all(|origin| origin.to_str().is_ok_and(is_known)) {
            return Ok(());
        }
        Err(Problem {
            hint: Some("run 'git cora serve --allow-origin ORIGIN' to allow this site".to_owned()),
            ..Problem::new(Kind::ForeignOrigin, "the header 'Origin' names another site")
        })
    }

    /// Returns the origin of a request from another site that `--allow-origin` names.
    fn site(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(ORIGIN)?;
        let is_known = |origin: &str| self.sites.iter().any(|known| *known == origin.to_lowercase());
        origin.to_str().is_ok_and(is_known).then(|| origin.clone())
    }

    fn authorized(&self, headers: &HeaderMap) -> Result<HeaderAuthorization, Problem> {
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let Some(first) = given.next() else { return Ok(HeaderAuthorization(false)) };
        let token = first.to_str().ok().and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        match (token, given.next()) {
            (Some(token), None) if self.token.is(token) => Ok(HeaderAuthorization(true)),
            _ => Err(no_token("wrong or missing token")),
        }
    }
}

fn no_token(detail: &str) -> Problem {
    Problem {
        hint: Some("use the token that 'git cora serve' printed, or the one in its token file".to_owned()),
        ..Problem::new(Kind::NoToken, detail)
    }
}

/// Checks a request before its body is read.
pub(super) async fn check(
    State(shared): State<Arc<ServerState>>,
    mut request: Request,
    next: Next,
) -> Response {
    let guard = &shared.guard;
    let path = request.uri().path().to_owned();
    if let Err(problem) = guard.host(&request).and_then(|()| guard.origin(request.headers())) {
        return problem.into_response();
    }
    let site = guard.site(request.headers());
    if let Some(site) = &site
        && request.method() == Method::OPTIONS
        && request.headers().contains_key(ACCESS_CONTROL_REQUEST_METHOD)
    {
        // A browser asks before it sends what only scripts can send, and without the token.
        let mut response = StatusCode::NO_CONTENT.into_response();
        allow(site.clone(), response.headers_mut());
        for (name, value) in PREFLIGHT {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        return response;
    }
    let checked = guard.authorized(request.headers()).and_then(|authorized| {
        // These routes may carry the token in the body, which is checked when it is read.
        let may_follow =
            OPEN.contains(&path.as_str()) || page::is_part(&path) || path.starts_with("/coderag/");
        if authorized.0 || may_follow { Ok(authorized) } else { Err(no_token("expected a bearer token")) }
    });
    let mut response = match checked {
        Ok(authorized) => {
            if authorized.0 {
                note_token(request.extensions());
            }
            request.extensions_mut().insert(authorized);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    };
    if let Some(site) = site {
        allow(site, response.headers_mut());
    }
    response
}

/// What an allowed site may send.
const PREFLIGHT: [(HeaderName, &str); 3] = [
    (ACCESS_CONTROL_ALLOW_METHODS, "GET, POST"),
    (ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type"),
    (ACCESS_CONTROL_MAX_AGE, "600"),
];

/// Lets the scripts of an allowed site read a response, problems included.
fn allow(site: HeaderValue, headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, site);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("retry-after"));
    headers.append(VARY, HeaderValue::from_static("origin"));
    headers.insert(page::RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
}

/// Notes that the connection of a request carried the token, so that it is kept.
fn note_token(extensions: &Extensions) {
    if let Some(connection) = extensions.get::<Arc<Connection>>() {
        connection.authorize();
    }
}

/// Reads a request's body as JSON. `token` returns the token in it, which counts if the header had
/// none.
pub(super) async fn read<T: DeserializeOwned>(
    shared: &ServerState,
    request: Request,
    token: impl Fn(&T) -> Option<&str>,
) -> Result<T, Problem> {
    let is_authorized = request.extensions().get::<HeaderAuthorization>() == Some(&HeaderAuthorization(true));
    let extensions = request.extensions().clone();
    let value: T = body(request, is_authorized).await?;
    match token(&value) {
        _ if is_authorized => Ok(value),
        Some(token) if shared.guard.token.is(token) => {
            note_token(&extensions);
            Ok(value)
        }
        Some(_) => Err(no_token("wrong token in the body")),
        None => Err(no_token("missing token")),
    }
}

/// Reads a request's body as JSON without checking a token. An error has details only if
/// `may_know`.
pub(super) async fn body<T: DeserializeOwned>(request: Request, may_know: bool) -> Result<T, Problem> {
    let (parts, body) = request.into_parts();
    let media = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().trim();
    if !media.eq_ignore_ascii_case("application/json") || parts.headers.contains_key(CONTENT_ENCODING) {
        return Err(Problem::new(Kind::MediaType, "expected 'Content-Type: application/json', uncompressed"));
    }
    let announced =
        parts.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let too_large = || Problem::new(Kind::TooLarge, format!("the body has more than {BODY_BYTES} bytes"));
    if announced.is_some_and(|announced| announced > BODY_BYTES as u64) {
        return Err(too_large());
    }
    let bytes = match tokio::time::timeout(BODY_TIME, collect(body)).await {
        Err(_) => return Err(Problem::new(Kind::TooSlow, "the body took too long")),
        Ok(Err(error)) if error.downcast_ref::<LengthLimitError>().is_some() => return Err(too_large()),
        Ok(Err(_)) => return Err(Problem::new(Kind::BadRequest, "the body could not be read")),
        Ok(Ok(bytes)) => bytes,
    };
    values::request(&bytes).map_err(|error| {
        // An unauthorised client learns nothing about the expected format.
        let why = || wrong_value(&error.place, &error.message);
        if may_know { Problem::new(Kind::BadRequest, why()) } else { no_token("missing token") }
    })
}

async fn collect(body: Body) -> Result<axum::body::Bytes, Box<dyn std::error::Error + Send + Sync>> {
    Ok(Limited::new(body, BODY_BYTES).collect().await?.to_bytes())
}
