//! `git cora serve --allow-origin`: what a browser needs before a page of another site may ask.

use serde_json::json;

use crate::harness::Repo;
use crate::http::Server;

const SITE: (&str, &str) = ("Origin", "https://ok.test");

#[test]
fn a_browser_learns_that_an_allowed_site_may_ask() {
    let repo = Repo::sample();
    let server = Server::start(&repo, &["--allow-origin", "https://ok.test"]);
    let asks = ("Access-Control-Request-Method", "POST");
    let names = ("Access-Control-Request-Headers", "authorization,content-type");
    let answer = server.send("OPTIONS", "/coderag/search", &[SITE, asks, names], "");
    assert_eq!(answer.status, 204, "{answer:?}");
    let head = answer.head.to_lowercase();
    for header in [
        "access-control-allow-origin: https://ok.test",
        "access-control-allow-methods: get, post",
        "access-control-allow-headers: authorization, content-type",
        "vary: origin",
        "cross-origin-resource-policy: cross-origin",
    ] {
        assert!(head.contains(header), "{header} in {head}");
    }
    // The request itself, and its problems, can be read by the page.
    let (ok, json) = (server.authorization(), ("Content-Type", "application/json"));
    let body = json!({ "query": "header", "repos": [{}] }).to_string();
    for (headers, status) in [(&[SITE, json, ("Authorization", ok.as_str())][..], 200), (&[SITE, json], 401)]
    {
        let answer = server.send("POST", "/coderag/search", headers, &body);
        assert_eq!(answer.status, status, "{answer:?}");
        let head = answer.head.to_lowercase();
        assert!(head.contains("access-control-allow-origin: https://ok.test\r\n"), "{head}");
        assert!(head.contains("cross-origin-resource-policy: cross-origin"), "{head}");
        assert!(!head.contains("credentials"), "{head}");
    }
}

#[test]
fn nobody_else_learns_anything() {
    let repo = Repo::sample();
    let asks = ("Access-Control-Request-Method", "POST");
    for args in [&[][..], &["--allow-origin", "https://ok.test"]] {
        let server = Server::start(&repo, args);
        let own = format!("http://127.0.0.1:{}", server.port);
        for origin in ["https://evil.test", "null", own.as_str()] {
            for (method, headers) in
                [("OPTIONS", &[("Origin", origin), asks][..]), ("GET", &[("Origin", origin)])]
            {
                let answer = server.send(method, "/healthz", headers, "");
                assert!(!answer.head.to_lowercase().contains("access-control"), "{origin}: {answer:?}");
                assert_eq!(answer.status == 403, origin != own, "{origin}: {answer:?}");
            }
        }
        // Not a question of a browser.
        server.send("OPTIONS", "/healthz", &[], "").is_problem(405, "no-method");
        server
            .send("OPTIONS", "/healthz", &[SITE, asks, ("Host", "evil.test")], "")
            .is_problem(421, "foreign-host");
    }
}
