//! Addresses and proxies: text → the URL that requests go to, and the proxy on the way.
//!
//! Proxies are chosen as Git and curl choose them. Error messages never repeat a possible password
//! or key: [`without_secrets`] is the only place that formats an address that was not accepted.

use std::net::IpAddr;

use super::{Error, Result};

/// The base address of a provider's paths: `http` or `https`, a host, optionally a port and a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    text: String,
    is_https: bool,
    host_start: usize,
    host_end: usize,
}

impl Address {
    /// Parses an address; a trailing slash is ignored.
    ///
    /// # Errors
    /// [`Error::Address`] for another scheme, a missing host, a user name or password, a query, or
    /// a character that is not allowed in an address.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim().trim_end_matches('/');
        let bad = |why| Error::Address { address: without_secrets(text), why };
        let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
        let (is_https, rest) = match lower.as_str() {
            start if start.starts_with("https://") => (true, text.get(8..)),
            start if start.starts_with("http://") => (false, text.get(7..)),
            _ => return Err(bad("it must begin with https:// or http://")),
        };
        let rest = rest.unwrap_or_default();
        let authority = rest.split('/').next().unwrap_or_default();
        if authority.contains('@') {
            return Err(bad("it must not contain a user name or password"));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) || text.contains(['?', '#', '\\', '"', '<', '>'])
        {
            return Err(bad("it has an invalid character"));
        }
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
            _ => (authority, None),
        };
        if host.is_empty() || port.is_some_and(|port| port.parse::<u16>().is_err()) {
            return Err(bad("it has no host, or an invalid port"));
        }
        let host_start = text.len() - rest.len();
        Ok(Self { text: text.to_owned(), is_https, host_start, host_end: host_start + authority.len() })
    }

    /// Returns the address, without a trailing slash.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the host with its port, for messages.
    pub fn host(&self) -> &str {
        self.text.get(self.host_start..self.host_end).unwrap_or_default()
    }

    /// Returns the host alone, without port and brackets.
    fn name(&self) -> &str {
        let host = self.host();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => name,
            _ => host,
        };
        name.trim_start_matches('[').trim_end_matches(']')
    }

    /// Returns whether the connection is encrypted.
    pub fn is_https(&self) -> bool {
        self.is_https
    }

    /// Returns whether the address is on this machine.
    pub fn is_loopback(&self) -> bool {
        let name = self.name();
        name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

/// Returns a text that should be an address as it may be shown.
///
/// The user name, the password, the query and the fragment are replaced by an ellipsis, because
/// each may be a key. The text need not be an address: if it is not clear where such a part ends,
/// more of it is hidden.
pub fn without_secrets(text: &str) -> String {
    let start = text.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = text.split_at(start);
    let end = rest.find(['?', '#', '&', ';']).unwrap_or(rest.len());
    let (place, tail) = rest.split_at(end);
    // Either the query has an @, or the password has a question mark.
    if tail.contains('@') {
        return format!("{scheme}…");
    }
    let place = place.rsplit_once('@').map_or_else(|| place.to_owned(), |(_, host)| format!("…@{host}"));
    let tail = tail.chars().next().map_or_else(String::new, |mark| format!("{mark}…"));
    format!("{scheme}{place}{tail}")
}

/// The proxies named by settings and environment, as Git (that is, curl) reads them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// Git's `http.proxy`; empty for no proxy, whatever the environment says.
    pub configured: Option<String>,
    /// `https_proxy` or `HTTPS_PROXY`.
    pub https: Option<String>,
    /// `http_proxy`, only in lower case: a client of a web server may be able to set `HTTP_PROXY`.
    pub http: Option<String>,
    /// `all_proxy` or `ALL_PROXY`.
    pub all: Option<String>,
    /// `no_proxy` or `NO_PROXY`: hosts without a proxy, separated by commas or blanks.
    pub none_for: Option<String>,
}

/// Shows no values, because proxies may contain passwords.
impl std::fmt::Debug for Proxies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Proxies").finish_non_exhaustive()
    }
}

impl Proxies {
    /// Returns the proxy for an address, and the setting or variable that names it.
    pub(super) fn of(&self, address: &Address) -> Option<(&str, &'static str)> {
        if self.none_for.as_deref().is_some_and(|list| is_listed(list, address.name())) {
            return None;
        }
        let by_scheme =
            if address.is_https { (&self.https, "https_proxy") } else { (&self.http, "http_proxy") };
        [(&self.configured, "http.proxy"), by_scheme, (&self.all, "all_proxy")]
            .into_iter()
            .find_map(|(value, name)| Some((value.as_deref()?, name)))
            .filter(|(value, _)| !value.is_empty())
    }
}

/// Returns whether a `no_proxy` list covers the host. `*` covers all hosts; a name covers itself
/// and its subdomains.
fn is_listed(list: &str, host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    list.split([',', ' ']).map(str::trim).filter(|one| !one.is_empty()).any(|one| {
        let one = one.trim_start_matches('.').trim_end_matches('.').to_ascii_lowercase();
        let one = one.trim_start_matches('[').trim_end_matches(']');
        one == "*" || host == one || host.strip_suffix(one).is_some_and(|rest| rest.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_told_apart() {
        let cases = [
            ("https://api.example.com/v1/", "api.example.com", true, false),
            ("HTTP://127.0.0.1:8080", "127.0.0.1:8080", false, true),
            ("http://[::1]:11434", "[::1]:11434", false, true),
            ("http://[::1]", "[::1]", false, true),
            ("http://localhost/v1", "localhost", false, true),
            ("http://localhost.example.com", "localhost.example.com", false, false),
        ];
        for (text, host, is_https, is_loopback) in cases {
            let address = Address::parse(text).unwrap();
            assert_eq!(
                (address.host(), address.is_https(), address.is_loopback()),
                (host, is_https, is_loopback)
            );
            assert!(!address.as_str().ends_with('/'));
        }
    }

    #[test]
    fn bad_addresses_are_refused_without_their_password() {
        for text in [
            "",
            "ftp://x",
            "api.example.com",
            "https://",
            "https:///v1",
            "https://x:port",
            "https://x:99999",
            "https://x y",
            "https://x/?key=1",
            "https://x/#a",
            "http://é",
        ] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
        let error = Address::parse("https://me:secret@host/v1").unwrap_err().to_string();
        assert!(error.contains("https://…@host/v1") && !error.contains("secret"), "{error}");
    }

    #[test]
    fn secrets_are_hidden_wherever_they_stand() {
        for (text, shown) in [
            ("https://host/v1", "https://host/v1"),
            ("host:8080/v1", "host:8080/v1"),
            ("", ""),
            ("https://host/v1?key=secret", "https://host/v1?…"),
            ("https://host/v1#secret", "https://host/v1#…"),
            ("https://host/v1&key=secret", "https://host/v1&…"),
            ("https://host/v1;key=secret?a#b", "https://host/v1;…"),
            ("https://secret@host/v1", "https://…@host/v1"),
            ("https://me:secret@host/v1?key=secret", "https://…@host/v1?…"),
            ("me:secret@host", "…@host"),
            ("openai-compatible:https://me:secret@host", "openai-compatible:https://…@host"),
            ("https://me:se?secret@host", "https://…"),
            ("https://host/?key=secret@secret", "https://…"),
            ("https://me:secret@se@host/v1", "https://…@host/v1"),
            ("?key=secret", "?…"),
            ("ftp://host?key=secret", "ftp://host?…"),
        ] {
            assert_eq!(without_secrets(text), shown, "{text}");
            if let Err(error) = Address::parse(text) {
                assert!(!error.to_string().contains("secret"), "{error}");
            }
        }
    }

    #[test]
    fn proxies_are_found_as_git_finds_them() {
        let some = |text: &str| Some(text.to_owned());
        let all = Proxies {
            configured: None,
            https: some("http://s:1"),
            http: some("http://h:2"),
            all: some("http://a:3"),
            none_for: some("internal.example, .lan,10.0.0.1"),
        };
        let of = |proxies: &Proxies, text: &str| {
            proxies.of(&Address::parse(text).unwrap()).map(|(value, name)| (value.to_owned(), name))
        };
        assert_eq!(of(&all, "https://x.com"), Some(("http://s:1".into(), "https_proxy")));
        assert_eq!(of(&all, "http://x.com"), Some(("http://h:2".into(), "http_proxy")));
        let configured = Proxies { configured: some("http://c:4"), ..all.clone() };
        assert_eq!(of(&configured, "https://x.com"), Some(("http://c:4".into(), "http.proxy")));
        assert_eq!(of(&Proxies { https: None, ..all.clone() }, "https://x.com").unwrap().1, "all_proxy");
        assert_eq!(of(&Proxies { configured: some(""), ..all.clone() }, "https://x.com"), None);
        for direct in
            ["https://internal.example", "https://a.internal.example:1", "http://box.lan", "http://10.0.0.1"]
        {
            assert_eq!(of(&configured, direct), None, "{direct}");
        }
        assert!(of(&all, "https://notinternal.example").is_some());
        assert_eq!(of(&Proxies { none_for: some("*"), ..all }, "https://x.com"), None);
    }

    #[test]
    fn a_proxy_with_a_password_is_not_shown() {
        let proxies = Proxies { all: Some("http://u:secret@p".into()), ..Proxies::default() };
        assert!(!format!("{proxies:?}").contains("secret"));
    }
}
