//! The page at `/`: files embedded in the program, and the headers that make it safe.
//!
//! The files contain nothing of any repository, so they need no token. The page gets its data with
//! the token from the same routes as every other client. It inserts text only as text, and the
//! policy enforces this: no inline script or style, no string that becomes markup, no other host,
//! no frame around it.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

/// A file: its path, media type and content.
type File = (&'static str, &'static str, &'static str);

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// All files. `/file` is the same page: its address names a place in a repository.
const FILES: [File; 15] = [
    ("/", HTML, include_str!("page/index.html")),
    ("/file", HTML, include_str!("page/index.html")),
    ("/page/icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
    ("/page/style.css", STYLE, include_str!("page/style.css")),
    ("/page/main.js", SCRIPT, include_str!("page/main.js")),
    ("/page/answer.js", SCRIPT, include_str!("page/answer.js")),
    ("/page/client.js", SCRIPT, include_str!("page/client.js")),
    ("/page/dom.js", SCRIPT, include_str!("page/dom.js")),
    ("/page/results.js", SCRIPT, include_str!("page/results.js")),
    ("/page/code.js", SCRIPT, include_str!("page/code.js")),
    ("/page/graph.js", SCRIPT, include_str!("page/graph.js")),
    ("/page/start.js", SCRIPT, include_str!("page/start.js")),
    ("/page/history.js", SCRIPT, include_str!("page/history.js")),
    ("/page/commits.js", SCRIPT, include_str!("page/commits.js")),
    ("/page/links.js", SCRIPT, include_str!("page/links.js")),
];

/// Content security policy of the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
                      require-trusted-types-for 'script'; trusted-types 'none'";

/// The header that says which sites may embed a response.
pub(super) const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Whether a path belongs to the page.
pub(super) fn is_part(path: &str) -> bool {
    FILES.iter().any(|(of, ..)| *of == path)
}

/// Returns the routes of the page.
pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.into_iter().fold(Router::new(), |router, (path, media, content)| {
        // Browsers must ask each time: another version of the program may have started since.
        let answer = ([(CONTENT_TYPE, media), (CACHE_CONTROL, "no-cache")], content);
        router.route(path, get(move || async move { answer.into_response() }))
    })
}

/// Sets the security headers of every answer: no guessed media type, no frame, no caching, no
/// referrer.
pub(super) async fn harden(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // The guard has set another one for a site that may read the response.
    headers.entry(RESOURCE_POLICY).or_insert(HeaderValue::from_static("same-origin"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nothing_that_the_policy_forbids() {
        for (path, media, content) in FILES {
            // The SVG namespace is an identifier; no request goes there.
            let content = content.replace("http://www.w3.org/2000/svg", "");
            for forbidden in [
                "innerHTML",
                "outerHTML",
                "insertAdjacent",
                "document.write",
                "eval(",
                "new Function",
                "style=",
                "onclick=",
                "http://",
                "https://",
                "url(",
                "@import",
                "<style",
                "srcdoc",
            ] {
                assert!(!content.contains(forbidden), "{forbidden} in {path}");
            }
            if media == HTML {
                for tag in content.split("<script").skip(1) {
                    assert!(tag.contains("src=\"/page/") && tag.contains("></script>"), "{tag}");
                }
            }
            // Every file that the page loads exists.
            for quoted in content.split('"').filter(|quoted| quoted.starts_with("/page/")) {
                assert!(is_part(quoted), "{quoted} in {path}");
            }
            for import in content.split("from \"./").skip(1) {
                let name = import.split('"').next().unwrap();
                assert!(is_part(&format!("/page/{name}")), "{name} in {path}");
            }
        }
        assert!(!is_part("/page/../token") && !is_part("/page/"));
    }
}
