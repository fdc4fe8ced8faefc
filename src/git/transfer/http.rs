//! Git's settings for HTTP: proxies, certificates, and stored credentials.
//!
//! Owns [`HttpSettings`] and the dialogue with `git credential`. The settings are those for one
//! URL, matched as Git matches them (`http.<url>.proxy`). The environment is read as Git and curl
//! read it. This module sends nothing itself.

use std::path::PathBuf;

use crate::git::{Repository, Result};

/// The settings with which Git would reach a URL.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HttpSettings {
    /// `http.proxy`; empty means no proxy.
    pub proxy: Option<String>,
    /// `https_proxy`, `HTTPS_PROXY`.
    pub https_proxy: Option<String>,
    /// `http_proxy`.
    pub http_proxy: Option<String>,
    /// `all_proxy`, `ALL_PROXY`.
    pub all_proxy: Option<String>,
    /// `no_proxy`, `NO_PROXY`.
    pub no_proxy: Option<String>,
    /// `GIT_SSL_CAINFO`, `http.sslCAInfo`: certificates to trust.
    pub ca_file: Option<PathBuf>,
    /// Whether server certificates are verified; false if `GIT_SSL_NO_VERIFY` is set or
    /// `http.sslVerify` is false.
    pub verifies: bool,
}

/// Prints no proxies, because their URLs may hold passwords.
impl std::fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpSettings").field("ca_file", &self.ca_file).finish_non_exhaustive()
    }
}

/// A subcommand of `git credential`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Fill,
    Approve,
    Reject,
}

impl Repository {
    /// Returns the settings with which Git would reach `url`.
    ///
    /// # Errors
    /// [`crate::git::Error::NoGit`] if Git can't be run.
    pub fn http_settings(&self, url: &str) -> Result<HttpSettings> {
        self.http_settings_in(url, &|name| std::env::var(name).ok())
    }

    fn http_settings_in(&self, url: &str, env: &dyn Fn(&str) -> Option<String>) -> Result<HttpSettings> {
        let output = self.git(&["config", "-z", "--get-urlmatch", "http", url]).run_any()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let of = |name: &str| {
            let mut entries =
                text.split('\0').filter_map(|entry| entry.split_once('\n').or(Some((entry, "true"))));
            entries.rfind(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
        };
        let either = |small: &str, large: &str| env(small).or_else(|| env(large));
        let ca_file = match env("GIT_SSL_CAINFO") {
            Some(path) => Some(path),
            // Asks Git a second time, because only `--type=path` expands a `~`.
            None if of("http.sslcainfo").is_some() => {
                let args = ["config", "-z", "--type=path", "--get-urlmatch", "http.sslCAInfo", url];
                let output = self.git(&args).run_any()?;
                let path = String::from_utf8_lossy(&output.stdout);
                Some(path.trim_end_matches(['\0', '\n']).to_owned())
            }
            None => None,
        };
        let is_off =
            |value: &str| matches!(value.to_ascii_lowercase().as_str(), "false" | "no" | "off" | "0" | "");
        Ok(HttpSettings {
            proxy: of("http.proxy"),
            https_proxy: either("https_proxy", "HTTPS_PROXY"),
            http_proxy: env("http_proxy"),
            all_proxy: either("all_proxy", "ALL_PROXY"),
            no_proxy: either("no_proxy", "NO_PROXY"),
            ca_file: ca_file.filter(|path| !path.is_empty()).map(PathBuf::from),
            verifies: env("GIT_SSL_NO_VERIFY").is_none()
                && !of("http.sslverify").is_some_and(|value| is_off(&value)),
        })
    }

    /// Returns the password that `git credential fill` has for `url` and `username`; `None` if it
    /// has none.
    ///
    /// Git prompts on the terminal only if `may_ask`.
    ///
    /// # Errors
    /// [`crate::git::Error::NoGit`] if Git can't be run.
    pub fn credential_fill(&self, url: &str, username: &str, may_ask: bool) -> Result<Option<String>> {
        let output = self.credential(Action::Fill, url, username, None, may_ask)?;
        Ok(output.and_then(|text| {
            text.lines().find_map(|line| line.strip_prefix("password=").map(ToOwned::to_owned))
        }))
    }

    /// Reports to `git credential` that a password was right, so that it is kept, or that it was
    /// wrong.
    ///
    /// # Errors
    /// [`crate::git::Error::NoGit`] if Git can't be run.
    pub fn credential_verdict(
        &self,
        url: &str,
        username: &str,
        password: &str,
        is_right: bool,
    ) -> Result<()> {
        let action = if is_right { Action::Approve } else { Action::Reject };
        self.credential(action, url, username, Some(password), false).map(drop)
    }

    fn credential(
        &self,
        action: Action,
        url: &str,
        username: &str,
        password: Option<&str>,
        may_ask: bool,
    ) -> Result<Option<String>> {
        let fields = [Some(("url", url)), Some(("username", username)), password.map(|p| ("password", p))];
        let mut input = String::new();
        for (name, value) in fields.into_iter().flatten() {
            // A line feed in a value would start another field.
            if value.contains(['\n', '\r', '\0']) {
                return Ok(None);
            }
            input.push_str(&format!("{name}={value}\n"));
        }
        input.push('\n');
        let verb = match action {
            Action::Fill => "fill",
            Action::Approve => "approve",
            Action::Reject => "reject",
        };
        let command = self.git(&["credential", verb]).input(input.into_bytes());
        // An empty `GIT_ASKPASS` means no prompt program, not even the one in the configuration.
        let command = if may_ask { command.interactive() } else { command.as_user().env("GIT_ASKPASS", "") };
        let output = command.run_any()?;
        Ok(output.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn settings_are_those_for_the_url() {
        let fixture = Fixture::new();
        fixture.git(&["config", "http.proxy", "http://everywhere:1"]);
        fixture.git(&["config", "http.https://models.example.proxy", "http://models:2"]);
        fixture.git(&["config", "http.sslCAInfo", "/etc/ca.pem"]);
        fixture.git(&["config", "http.https://lax.example.sslVerify", "false"]);
        let repo = fixture.open();
        let none = |_: &str| None;
        let models = repo.http_settings_in("https://models.example/v1", &none).unwrap();
        assert_eq!(models.proxy.as_deref(), Some("http://models:2"));
        assert_eq!(models.ca_file, Some(PathBuf::from("/etc/ca.pem")));
        assert!(models.verifies);
        let lax = repo.http_settings_in("https://lax.example/", &none).unwrap();
        assert_eq!((lax.proxy.as_deref(), lax.verifies), (Some("http://everywhere:1"), false));
        let env = |name: &str| {
            let value = match name {
                "GIT_SSL_CAINFO" => "/env.pem",
                "GIT_SSL_NO_VERIFY" => "1",
                "HTTPS_PROXY" => "http://large:3",
                "ALL_PROXY" => "http://all:4",
                "all_proxy" => "http://small:5",
                "HTTP_PROXY" => "http://not-this:6",
                "no_proxy" => "a,b",
                _ => return None,
            };
            Some(value.to_owned())
        };
        let by_env = repo.http_settings_in("https://models.example/v1", &env).unwrap();
        assert_eq!((by_env.ca_file, by_env.verifies), (Some(PathBuf::from("/env.pem")), false));
        assert_eq!(by_env.https_proxy.as_deref(), Some("http://large:3"));
        assert_eq!((by_env.all_proxy.as_deref(), by_env.http_proxy), (Some("http://small:5"), None));
        assert_eq!(by_env.no_proxy.as_deref(), Some("a,b"));
        assert!(!format!("{lax:?}").contains("everywhere"));
    }

    #[test]
    fn keys_are_asked_for_kept_and_dropped() {
        let fixture = Fixture::new();
        let store = fixture.path().join(".git/kept");
        fixture.git(&["config", "--add", "credential.helper", ""]);
        fixture.git(&["config", "--add", "credential.helper", &format!("store --file={}", store.display())]);
        let repo = fixture.open();
        let url = "https://models.example/v1";
        assert_eq!(repo.credential_fill(url, "api-key", false).unwrap(), None);
        repo.credential_verdict(url, "api-key", "sk-1", true).unwrap();
        assert_eq!(repo.credential_fill(url, "api-key", false).unwrap().as_deref(), Some("sk-1"));
        assert_eq!(repo.credential_fill("https://other.example", "api-key", false).unwrap(), None);
        repo.credential_verdict(url, "api-key", "sk-1", false).unwrap();
        assert_eq!(repo.credential_fill(url, "api-key", false).unwrap(), None);
        assert_eq!(repo.credential_fill("https://x\npassword=y", "api-key", false).unwrap(), None);
    }
}
