//! The client of one provider: a path and a body → the answer.
//!
//! It adds the key and headers, retries failures that may pass, and asks for a key only when one is
//! needed. Nothing from the HTTP library's errors reaches a message if it might contain a password
//! or key.
#![allow(clippy::disallowed_methods, reason = "opens the connections to providers that a setting names")]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use crate::base::progress::Cancel;
use crate::base::threads::lock;

use super::key::{KeySource, Secret};
use super::message::{self, Message};
use super::retry::{is_passing, retry_after};
use super::stream::{POLL, Stream};
use super::{Address, Error, Result, Settings};

/// Maximum wait for a connection. A reachable server answers sooner.
const CONNECT: Duration = Duration::from_secs(15);

/// The properties of a provider.
#[derive(Clone)]
pub struct Endpoint {
    /// The base address of its paths.
    pub address: Address,
    /// The header for the key, in lower case, and the prefix of its value.
    pub key_header: (&'static str, &'static str),
    /// Further headers, names in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The key from the environment, if there is one.
    pub key: Option<Secret>,
    /// The environment variable of the key, for messages.
    pub key_variable: &'static str,
    /// The source of a key if the environment has none.
    pub key_source: Option<Arc<dyn KeySource>>,
    /// Whether every request needs a key. Otherwise one is looked up only if the server asks for
    /// it.
    pub wants_key: bool,
}

/// A client of one provider. Cheap to share between threads; each call makes one request at a time.
pub struct Client {
    agent: ureq::Agent,
    endpoint: Endpoint,
    settings: Settings,
    /// The key from the source, and whether its success was reported.
    found: Mutex<KeyLookup>,
}

#[derive(Default)]
struct KeyLookup {
    was_asked: bool,
    key: Option<Secret>,
    is_approved: bool,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("address", &self.endpoint.address.as_str()).finish_non_exhaustive()
    }
}

/// A failed attempt: the error, whether a retry may succeed, and the pause that the server asks
/// for.
struct Failure {
    error: Error,
    is_passing: bool,
    asked: Option<Duration>,
}

impl Failure {
    fn last(error: Error) -> Self {
        Self { error, is_passing: false, asked: None }
    }
}

impl Client {
    /// Creates a client for the endpoint. Sends nothing yet.
    ///
    /// # Errors
    /// [`Error::Setting`] for a proxy or a certificate file that can't be used.
    pub fn new(endpoint: Endpoint, settings: Settings) -> Result<Self> {
        let proxy = match settings.proxies.of(&endpoint.address) {
            Some((value, key)) => {
                // The value may contain a password, which the library's error would repeat.
                let bad = |_| Error::Setting { key, why: "it is not a proxy address".to_owned() };
                Some(ureq::Proxy::new(value).map_err(bad)?)
            }
            None => None,
        };
        let roots = match &settings.ca_file {
            Some(path) => {
                let bad = |why: String| Error::Setting { key: "http.sslCAInfo", why };
                let pem = std::fs::read(path)
                    .map_err(|error| bad(format!("'{}' can't be read: {error}", path.display())))?;
                let certificates: Vec<Certificate<'static>> = parse_pem(&pem)
                    .filter_map(|item| match item {
                        Ok(PemItem::Certificate(certificate)) => Some(certificate),
                        _ => None,
                    })
                    .collect();
                if certificates.is_empty() {
                    return Err(bad(format!("'{}' has no certificate in PEM form", path.display())));
                }
                RootCerts::new_with_certs(&certificates)
            }
            None => RootCerts::PlatformVerifier,
        };
        let tls = TlsConfig::builder().root_certs(roots).disable_verification(!settings.verifies).build();
        let agent = ureq::Agent::config_builder()
            .tls_config(tls)
            .proxy(proxy)
            .http_status_as_error(false)
            // Requests go only to the configured address.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("git-cora/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(settings.timeout.min(CONNECT)))
            .timeout_per_read(Some(settings.timeout))
            .timeout_send_body(Some(settings.timeout))
            .timeout_recv_response(Some(settings.timeout))
            .build()
            .new_agent();
        Ok(Self { agent, endpoint, settings, found: Mutex::default() })
    }

    /// Returns the server, for messages.
    pub fn host(&self) -> &str {
        self.endpoint.address.host()
    }

    /// Posts a JSON body to `path` (which begins with `/`) and returns the whole answer, of at most
    /// `limit_bytes`.
    ///
    /// Failures that may pass are retried, following [`Settings::patience`].
    ///
    /// # Errors
    /// Any of [`Error`]; after several attempts, that of the last one.
    pub fn post(&self, path: &str, body: &[u8], limit_bytes: usize, cancel: &Cancel) -> Result<Vec<u8>> {
        self.patiently(cancel, || {
            let deadline = Instant::now() + self.settings.timeout;
            let mut stream = self.attempt(path, body, limit_bytes, deadline, cancel)?;
            stream.rest(deadline).map_err(failure)
        })
    }

    /// Posts a JSON body to `path` and returns the answer as a stream of at most `limit_bytes`.
    ///
    /// Only failures before the answer begins are retried.
    ///
    /// # Errors
    /// As for [`Client::post`].
    pub fn stream(&self, path: &str, body: &[u8], limit_bytes: usize, cancel: &Cancel) -> Result<Stream> {
        self.patiently(cancel, || {
            let deadline = Instant::now() + self.settings.timeout;
            self.attempt(path, body, limit_bytes, deadline, cancel)
        })
    }

    /// Posts like [`Client::stream`], and passes the answer to `read`.
    ///
    /// The whole request is repeated if the answer breaks off or stalls, or if `read` returns an
    /// [`Error::Refused`] with a status that may pass. `read` must start from the beginning in each
    /// call.
    ///
    /// # Errors
    /// As for [`Client::post`], and the errors of `read`.
    pub fn stream_to<T>(
        &self,
        path: &str,
        body: &[u8],
        limit_bytes: usize,
        cancel: &Cancel,
        mut read: impl FnMut(&mut Stream) -> Result<T>,
    ) -> Result<T> {
        self.patiently(cancel, || {
            let deadline = Instant::now() + self.settings.timeout;
            let mut stream = self.attempt(path, body, limit_bytes, deadline, cancel)?;
            let error = match read(&mut stream) {
                Ok(done) => return Ok(done),
                Err(error) => error,
            };
            let is_passing =
                stream.is_broken() || matches!(&error, Error::Refused { status, .. } if is_passing(*status));
            Err(Failure { error, is_passing, asked: None })
        })
    }

    /// Returns the error for an invalid answer of this server.
    pub fn malformed(&self, why: impl Into<String>) -> Error {
        Error::Malformed { host: self.host().to_owned(), why: why.into() }
    }

    /// Returns the error for a failure that this server reports inside an answer.
    ///
    /// `body` is an error message in any of the usual forms.
    pub fn refused(&self, status: u16, body: &[u8]) -> Error {
        let key = self.key(false).ok().flatten();
        let message = Message::read(body, key.as_ref()).text;
        Error::Refused { host: self.host().to_owned(), status, message }
    }

    fn patiently<T>(
        &self,
        cancel: &Cancel,
        mut attempt: impl FnMut() -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        let mut n_failures = 0;
        loop {
            let failure = match attempt() {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            n_failures += 1;
            let is_late =
                matches!(failure.error, Error::TimedOut { .. }) && !self.settings.patience.repeats_late;
            if !failure.is_passing || is_late {
                return Err(failure.error);
            }
            let Some(pause) = self.settings.patience.pause(n_failures, failure.asked) else {
                return Err(match (failure.error, failure.asked) {
                    (Error::Refused { host, status, message }, Some(asked))
                        if asked > self.settings.patience.longest_asked =>
                    {
                        Error::Later { host, status, seconds: asked.as_secs(), message }
                    }
                    (error, _) => error,
                });
            };
            let until = Instant::now() + pause;
            while Instant::now() < until {
                if cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
                std::thread::sleep(POLL.min(until.saturating_duration_since(Instant::now())));
            }
        }
    }

    /// Makes one request, and a second one with a key if the server asks for it.
    fn attempt(
        &self,
        path: &str,
        body: &[u8],
        limit_bytes: usize,
        deadline: Instant,
        cancel: &Cancel,
    ) -> std::result::Result<Stream, Failure> {
        let mut key = self.key(self.endpoint.wants_key).map_err(Failure::last)?;
        loop {
            let request = self.request(path, body, key.as_ref()).map_err(Failure::last)?;
            let (timeout, host) = (self.settings.timeout, self.host());
            let (head, mut stream) =
                Stream::start(&self.agent, request, host, timeout, limit_bytes, cancel).map_err(failure)?;
            if (200..300).contains(&head.status) {
                self.approve();
                return Ok(stream);
            }
            let mut body = Vec::new();
            // Only the beginning of an error page matters. If it breaks off, that much is enough.
            while body.len() < message::MOST_BYTES {
                match stream.piece_until(deadline) {
                    Ok(Some(piece)) => body.extend_from_slice(&piece),
                    Err(Error::Cancelled) => return Err(Failure::last(Error::Cancelled)),
                    Ok(None) | Err(_) => break,
                }
            }
            if matches!(head.status, 401 | 403) {
                if key.is_none() && head.status == 401 {
                    key = self.key(true).map_err(Failure::last)?;
                    if key.is_some() {
                        continue;
                    }
                } else if head.status == 401 {
                    self.reject();
                }
            }
            let message = Message::read(&body, key.as_ref());
            let error = if (300..400).contains(&head.status) {
                let text = "it redirects elsewhere; redirects are not followed".to_owned();
                Error::Refused { host: host.to_owned(), status: head.status, message: text }
            } else {
                Error::Refused { host: host.to_owned(), status: head.status, message: message.text }
            };
            return Err(Failure {
                error,
                is_passing: is_passing(head.status) && !message.is_out_of_quota,
                asked: head.retry_after.and_then(|value| retry_after(&value, SystemTime::now())),
            });
        }
    }

    fn request(&self, path: &str, body: &[u8], key: Option<&Secret>) -> Result<ureq::http::Request<Vec<u8>>> {
        let address = &self.endpoint.address;
        let mut request = ureq::http::Request::post(format!("{}{path}", address.as_str()))
            .header("content-type", "application/json")
            .header("accept", "application/json");
        for (name, value) in &self.endpoint.headers {
            request = request.header(*name, value);
        }
        if let Some(key) = key {
            if !address.is_https() && !address.is_loopback() {
                return Err(Error::Unencrypted { host: self.host().to_owned() });
            }
            let (name, prefix) = self.endpoint.key_header;
            request = request.header(name, format!("{prefix}{}", key.expose()));
        }
        // The library's error could quote a header, and so the key.
        request.body(body.to_vec()).map_err(|_| Error::Address {
            address: address.as_str().to_owned(),
            why: "no request can be built for it",
        })
    }

    /// Returns the key from the environment. If there is none and one is needed, asks the source,
    /// at most once.
    fn key(&self, is_needed: bool) -> Result<Option<Secret>> {
        if let Some(key) = &self.endpoint.key {
            return Ok(Some(key.clone()));
        }
        let mut found = lock(&self.found);
        if is_needed && !found.was_asked {
            found.was_asked = true;
            found.key = self.endpoint.key_source.as_ref().and_then(|source| source.find());
        }
        if is_needed && found.key.is_none() {
            let Endpoint { address, key_variable, .. } = &self.endpoint;
            return Err(Error::NoKey {
                host: self.host().to_owned(),
                variable: key_variable,
                url: address.as_str().to_owned(),
            });
        }
        Ok(found.key.clone())
    }

    /// Tells the source, once, that its key works.
    fn approve(&self) {
        let mut found = lock(&self.found);
        if let (false, Some(key), Some(source)) =
            (found.is_approved, found.key.clone(), &self.endpoint.key_source)
        {
            found.is_approved = true;
            source.approve(&key);
        }
    }

    /// Tells the source that its key is wrong, and forgets the key.
    fn reject(&self) {
        let mut found = lock(&self.found);
        if let (Some(key), Some(source)) = (found.key.take(), &self.endpoint.key_source) {
            source.reject(&key);
        }
    }
}

/// Returns the failed attempt for an error without a whole answer. Connections that fail, break or
/// stall may work later.
fn failure(error: Error) -> Failure {
    let is_passing = match &error {
        Error::Unreachable { why, .. } => !why.contains("certificate") && why != "unknown host",
        Error::TimedOut { .. } | Error::Malformed { .. } => true,
        _ => false,
    };
    Failure { error, is_passing, asked: None }
}
