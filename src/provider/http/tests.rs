//! Tests of the client against a server on the loopback.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::testing::{Answer, ReceivedRequest, Server};
use super::*;
use crate::base::error::ClassifiedError;
use crate::base::progress::Cancel;

const QUICK: RetryLimits = RetryLimits {
    attempts: 4,
    first_pause: Duration::from_millis(2),
    longest_pause: Duration::from_millis(8),
    longest_asked: Duration::from_secs(3),
    repeats_late: true,
};

fn settings() -> Settings {
    Settings {
        proxies: Proxies::default(),
        ca_file: None,
        verifies: true,
        timeout: Duration::from_secs(20),
        patience: QUICK,
    }
}

fn endpoint(url: &str, key: Option<&str>) -> Endpoint {
    Endpoint {
        address: Address::parse(url).unwrap(),
        key_header: ("authorization", "Bearer "),
        headers: vec![("x-version", "7".to_owned())],
        key: key.and_then(Secret::new),
        key_variable: "SOME_API_KEY",
        key_source: None,
        wants_key: false,
    }
}

fn client(server: &Server, key: Option<&str>) -> Client {
    Client::new(endpoint(&server.url("/v1"), key), settings()).unwrap()
}

fn post(client: &Client) -> Result<String> {
    client
        .post("/things", br#"{"a":1}"#, 1000, &Cancel::default())
        .map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn a_request_says_what_it_should_and_no_more() {
    let server = Server::start(|_, _| Answer::new(200, "yes"));
    assert_eq!(post(&client(&server, Some("sk-1"))).unwrap(), "yes");
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /v1/things");
    assert_eq!(asked.body, br#"{"a":1}"#);
    assert_eq!(asked.header("authorization"), Some("Bearer sk-1"));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    assert_eq!(asked.header("x-version"), Some("7"));
    let mut names: Vec<&str> = asked.headers.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["accept", "authorization", "content-length", "content-type", "host", "user-agent", "x-version"]
    );
}

#[test]
fn what_may_pass_is_tried_again() {
    for status in [408, 425, 429, 500, 502, 503, 504, 529] {
        let server = Server::start(
            move |n, _| if n < 2 { Answer::new(status, "busy") } else { Answer::new(200, "ok") },
        );
        assert_eq!(post(&client(&server, None)).unwrap(), "ok", "{status}");
        assert_eq!(server.asked().len(), 3);
    }
}

#[test]
fn what_will_not_pass_is_not_tried_again() {
    for status in [400, 402, 403, 404, 413, 422, 501] {
        let server = Server::start(move |_, _| Answer::new(status, r#"{"error":{"message":"no\nway"}}"#));
        let error = post(&client(&server, Some("k"))).unwrap_err();
        let host = server.url("").replace("http://", "");
        assert_eq!(error.to_string(), format!("'{host}' answered {status}: no way"));
        assert_eq!(server.asked().len(), 1, "{status}");
    }
    let server = Server::start(|_, _| Answer::new(429, r#"{"error":{"code":"insufficient_quota"}}"#));
    post(&client(&server, None)).unwrap_err();
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn attempts_come_to_an_end() {
    let server = Server::start(|_, _| Answer::new(503, "still busy"));
    let error = post(&client(&server, None)).unwrap_err();
    assert!(matches!(&error, Error::Refused { status: 503, .. }), "{error}");
    assert_eq!(server.asked().len(), 4);
}

#[test]
fn retry_after_is_kept_to() {
    let server = Server::start(|n, _| match n {
        0 => Answer::new(429, "slow down").with("Retry-After", "1"),
        _ => Answer::new(200, "ok"),
    });
    let started = Instant::now();
    post(&client(&server, None)).unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1), "{:?}", started.elapsed());

    let server = Server::start(|_, _| Answer::new(429, "tomorrow").with("retry-after", "86400"));
    let error = post(&client(&server, None)).unwrap_err();
    assert!(matches!(&error, Error::Later { seconds: 86400, .. }), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_cut_answer_is_asked_for_again() {
    let server = Server::start(|n, _| Answer { cut_at: (n == 0).then_some(2), ..Answer::new(200, "whole") });
    assert_eq!(post(&client(&server, None)).unwrap(), "whole");
    let server = Server::start(|_, _| Answer { cut_at: Some(2), ..Answer::new(200, "whole") });
    let error = post(&client(&server, None)).unwrap_err();
    assert!(matches!(error, Error::Malformed { .. }), "{error}");
    assert_eq!(server.asked().len(), 4);
}

#[test]
fn a_slow_server_is_not_waited_for_for_ever() {
    let server = Server::start(|_, _| Answer { delay: Duration::from_secs(30), ..Answer::new(200, "late") });
    let started = Instant::now();
    for (repeats_late, n_asked) in [(true, 2), (false, 3)] {
        let settings = Settings {
            timeout: Duration::from_millis(200),
            patience: RetryLimits { attempts: 2, repeats_late, ..QUICK },
            ..settings()
        };
        let client = Client::new(endpoint(&server.url(""), None), settings).unwrap();
        assert!(matches!(post(&client).unwrap_err(), Error::TimedOut { .. }));
        assert_eq!(server.asked().len(), n_asked, "in all");
    }
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn an_interruption_ends_waiting_and_pauses_at_once() {
    for answer in [
        Answer { delay: Duration::from_secs(30), ..Answer::new(200, "late") },
        Answer::new(429, "wait").with("retry-after", "3"),
    ] {
        let server = Server::start(move |_, _| answer.clone());
        let client = client(&server, None);
        let cancel = Cancel::default();
        let flag = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            flag.cancel();
        });
        let started = Instant::now();
        assert!(matches!(client.post("/", b"", 10, &cancel), Err(Error::Cancelled)));
        assert!(started.elapsed() < Duration::from_secs(2));
    }
}

#[test]
fn an_answer_is_bounded() {
    let server = Server::start(|_, _| Answer::new(200, "x".repeat(1001)));
    assert!(matches!(post(&client(&server, None)), Err(Error::TooLarge { limit_bytes: 1000, .. })));
    assert_eq!(server.asked().len(), 1);
    let server = Server::start(|_, _| Answer::new(400, "y".repeat(1 << 20)));
    let error = post(&client(&server, None)).unwrap_err().to_string();
    assert!(error.len() < 500, "{error}");
}

#[test]
fn redirects_are_not_followed() {
    let target = Server::start(|_, _| Answer::new(200, "caught"));
    let url = target.url("/");
    for status in [301, 302, 307, 308] {
        let url = url.clone();
        let server = Server::start(move |_, _| Answer::new(status, "").with("location", &url));
        let error = post(&client(&server, Some("sk-1"))).unwrap_err();
        assert!(error.to_string().contains("redirects"), "{error}");
    }
    assert_eq!(target.asked().len(), 0);
}

#[test]
fn a_key_stays_out_of_messages_and_of_plain_connections() {
    let server = Server::start(|_, asked: &ReceivedRequest| {
        Answer::new(401, format!("wrong key {}", asked.header("authorization").unwrap_or_default()))
    });
    let client = client(&server, Some("sk-secret"));
    let error = post(&client).unwrap_err();
    assert_eq!(error.to_string().split(": ").last(), Some("wrong key Bearer ***"));
    assert!(!format!("{client:?}{error:?}").contains("sk-secret"));
    let far = Client::new(endpoint("http://models.example/v1", Some("sk-1")), settings()).unwrap();
    assert!(matches!(post(&far), Err(Error::Unencrypted { .. })));
}

/// A key source with one key, which records its calls.
struct TestKeySource(Option<&'static str>, Mutex<Vec<String>>);

impl KeySource for TestKeySource {
    fn find(&self) -> Option<Secret> {
        self.1.lock().unwrap().push("find".into());
        self.0.and_then(Secret::new)
    }
    fn approve(&self, key: &Secret) {
        self.1.lock().unwrap().push(format!("approve {}", key.expose()));
    }
    fn reject(&self, key: &Secret) {
        self.1.lock().unwrap().push(format!("reject {}", key.expose()));
    }
}

fn with_keeper(server: &Server, key: Option<&'static str>, wants_key: bool) -> (Client, Arc<TestKeySource>) {
    let keeper = Arc::new(TestKeySource(key, Mutex::default()));
    let source: Arc<dyn KeySource> = keeper.clone();
    let endpoint = Endpoint { key_source: Some(source), wants_key, ..endpoint(&server.url(""), None) };
    (Client::new(endpoint, settings()).unwrap(), keeper)
}

#[test]
fn a_keeper_of_keys_is_asked_once_and_told_how_it_went() {
    let needs_right = |_: usize, asked: &ReceivedRequest| match asked.header("authorization") {
        Some("Bearer right") => Answer::new(200, "ok"),
        _ => Answer::new(401, "who are you?"),
    };
    let server = Server::start(needs_right);
    let (client, keeper) = with_keeper(&server, Some("right"), true);
    post(&client).unwrap();
    post(&client).unwrap();
    assert_eq!(*keeper.1.lock().unwrap(), ["find", "approve right"]);

    let (client, keeper) = with_keeper(&server, Some("wrong"), true);
    post(&client).unwrap_err();
    assert_eq!(*keeper.1.lock().unwrap(), ["find", "reject wrong"]);

    // If the key is optional, it is looked up only once the server asks for it.
    let (client, keeper) = with_keeper(&server, Some("right"), false);
    post(&client).unwrap();
    assert_eq!(*keeper.1.lock().unwrap(), ["find", "approve right"]);
    let open = Server::start(|_, _| Answer::new(200, "ok"));
    let (client, keeper) = with_keeper(&open, Some("right"), false);
    post(&client).unwrap();
    assert!(keeper.1.lock().unwrap().is_empty());
}

#[test]
fn without_a_key_nothing_is_sent_to_who_wants_one() {
    let server = Server::start(|_, _| Answer::new(200, "ok"));
    let (client, _) = with_keeper(&server, None, true);
    let error = post(&client).unwrap_err();
    assert!(matches!(error, Error::NoKey { .. }) && error.hint().unwrap().contains("SOME_API_KEY"));
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn the_proxy_is_used_and_a_bad_one_is_named_without_its_password() {
    let proxy = Server::start(|_, _| Answer::new(200, "by proxy"));
    let proxies = Proxies { configured: Some(proxy.url("")), ..Proxies::default() };
    let through = Settings { proxies, ..settings() };
    let client = Client::new(endpoint("http://models.example/v1", None), through).unwrap();
    // The proxy gets either a CONNECT or the whole URL, so the host is never resolved here.
    let _ = post(&client);
    let line = proxy.asked()[0].line.clone();
    assert!(line.contains("models.example"), "{line}");

    let proxies = Proxies { configured: Some("what://u:secret@x".into()), ..Proxies::default() };
    let error =
        Client::new(endpoint("https://x.example", None), Settings { proxies, ..settings() }).unwrap_err();
    assert!(error.to_string().contains("http.proxy") && !error.to_string().contains("secret"), "{error}");
}

#[test]
fn certificates_have_to_be_there() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("ca.pem");
    let of = |ca_file| Client::new(endpoint("https://x.example", None), Settings { ca_file, ..settings() });
    assert!(of(Some(file.clone())).unwrap_err().to_string().contains("can't be read"));
    std::fs::write(&file, "no certificate").unwrap();
    assert!(of(Some(file)).unwrap_err().to_string().contains("no certificate in PEM form"));
}

#[test]
fn a_host_that_is_not_there_is_said_to_be_so() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let client = Client::new(endpoint(&format!("http://{closed}"), None), settings()).unwrap();
    let error = post(&client).unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
}

#[test]
fn a_stream_comes_in_pieces_and_is_bounded() {
    let server =
        Server::start(
            |n, _| if n == 0 { Answer::new(500, "") } else { Answer::new(200, "z".repeat(500_000)) },
        );
    let client = client(&server, None);
    let mut stream = client.stream("/s", b"{}", 600_000, &Cancel::default()).unwrap();
    let (mut n_pieces, mut n_bytes) = (0, 0);
    while let Some(piece) = stream.piece().unwrap() {
        n_pieces += 1;
        n_bytes += piece.len();
    }
    assert!(n_pieces > 1);
    assert_eq!(n_bytes, 500_000);
    assert_eq!(stream.piece().unwrap(), None);
    let mut stream = client.stream("/s", b"{}", 1000, &Cancel::default()).unwrap();
    let end = std::iter::from_fn(|| stream.piece().transpose()).find_map(std::result::Result::err);
    assert!(matches!(end, Some(Error::TooLarge { .. })));
}
