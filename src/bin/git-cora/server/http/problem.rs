//! Problems: any failure → a problem document (RFC 9457) with a status.
//!
//! Owns the kinds of problems, their names and statuses. A kind's name never changes, because
//! clients depend on it; the wording of details may.

use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use git_cora::base::error::ErrorKind;

use crate::server::pool::Failure;

/// A problem document.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Document {
    /// The kind of problem: a name that does not change.
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    /// The kind in words.
    pub(super) title: &'static str,
    /// The status of the response.
    pub(super) status: u16,
    /// The problem with this request.
    pub(super) detail: String,
    /// A suggested action.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
}

/// A kind of problem; it determines name, title and status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    BadRequest,
    TooLarge,
    TooSlow,
    MediaType,
    NoToken,
    ForeignHost,
    ForeignOrigin,
    NoRoute,
    NoMethod,
    NoRepository,
    NoVersion,
    NoFile,
    NotText,
    Busy,
    TimedOut,
    Internal,
}

/// A failure of a request: its kind, its subject and a hint.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) kind: Kind,
    pub(super) detail: String,
    pub(super) hint: Option<String>,
}

/// The kind of a problem, attached to the response for the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProblemKind(pub(super) &'static str);

impl Kind {
    fn parts(self) -> (StatusCode, &'static str, &'static str) {
        use StatusCode as S;
        match self {
            Self::BadRequest => (
                S::BAD_REQUEST,
                "urn:git-cora:bad-request",
                "The request is \
            invalid",
            ),
            Self::TooLarge => (S::PAYLOAD_TOO_LARGE, "urn:git-cora:too-large", "The body is too large"),
            Self::TooSlow => (S::REQUEST_TIMEOUT, "urn:git-cora:too-slow", "The body took too long"),
            Self::MediaType => (S::UNSUPPORTED_MEDIA_TYPE, "urn:git-cora:media-type", "The body is not JSON"),
            Self::NoToken => (S::UNAUTHORIZED, "urn:git-cora:no-token", "The token is missing or wrong"),
            Self::ForeignHost => {
                (S::MISDIRECTED_REQUEST, "urn:git-cora:foreign-host", "This host name is not allowed")
            }
            Self::ForeignOrigin => {
                (S::FORBIDDEN, "urn:git-cora:foreign-origin", "This origin is not allowed")
            }
            Self::NoRoute => (S::NOT_FOUND, "urn:git-cora:no-route", "There is no such path"),
            Self::NoMethod => {
                (S::METHOD_NOT_ALLOWED, "urn:git-cora:no-method", "The path does not support this method")
            }
            Self::NoRepository => {
                (S::NOT_FOUND, "urn:git-cora:no-repository", "No such repository is served")
            }
            Self::NoVersion => {
                (S::NOT_FOUND, "urn:git-cora:no-version", "The repository has no such revision")
            }
            Self::NoFile => (S::NOT_FOUND, "urn:git-cora:no-file", "The revision has no such file"),
            Self::NotText => {
                (S::UNPROCESSABLE_ENTITY, "urn:git-cora:not-text", "The file can't be shown as text")
            }
            Self::Busy => (S::SERVICE_UNAVAILABLE, "urn:git-cora:busy", "The server is busy"),
            Self::TimedOut => (S::GATEWAY_TIMEOUT, "urn:git-cora:timed-out", "The answer took too long"),
            Self::Internal => (S::INTERNAL_SERVER_ERROR, "urn:git-cora:failed", "The server failed"),
        }
    }
}

impl Problem {
    pub(super) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), hint: None }
    }
}

impl<E: Into<Failure>> From<E> for Problem {
    fn from(error: E) -> Self {
        let failure = error.into();
        let kind = match failure.kind() {
            ErrorKind::NotFound => Kind::NoVersion,
            ErrorKind::NotARepository => Kind::NoRepository,
            ErrorKind::Config => Kind::BadRequest,
            ErrorKind::Limit | ErrorKind::NotIndexed => Kind::Busy,
            ErrorKind::Cancelled => Kind::TimedOut,
            _ => Kind::Internal,
        };
        Self { kind, detail: failure.to_string(), hint: failure.hint() }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, kind, title) = self.kind.parts();
        let document =
            Document { kind, title, status: status.as_u16(), detail: self.detail, hint: self.hint };
        let body = serde_json::to_string(&document).unwrap_or_default();
        let mut response =
            (status, [(CONTENT_TYPE, "application/problem+json"), (CACHE_CONTROL, "no-store")], body)
                .into_response();
        match self.kind {
            Kind::NoToken => {
                response
                    .headers_mut()
                    .insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"git-cora\""));
            }
            Kind::Busy => {
                response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
            }
            _ => {}
        }
        response.extensions_mut().insert(ProblemKind(kind));
        response
    }
}

/// Returns the problem for an unknown path.
pub(super) async fn no_route(uri: axum::http::Uri) -> Problem {
    Problem {
        hint: Some("see '/openapi.json' for all paths".to_owned()),
        ..Problem::new(Kind::NoRoute, format!("no route '{}'", uri.path()))
    }
}

/// Returns the response for a method that a route does not support.
pub(super) async fn no_method(uri: axum::http::Uri) -> Response {
    let allowed = if uri.path().starts_with("/coderag/") { "POST" } else { "GET, HEAD" };
    let mut response = Problem::new(Kind::NoMethod, format!("expected {allowed}")).into_response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}
