//! Links: a place in a repository → an address that a reader can open.
//!
//! Inside the repository, a link is a relative path with a fragment (`src/a.rs#L10-L20`), which
//! forges understand in the Markdown that they render. For readers elsewhere, it is a permanent
//! link to the commit, provided that `origin` is on a forge with a known URL form.

use std::fmt::Write;

/// The lines of a link: first and last, 1-based, inclusive; `None` for the whole file.
pub type LinkLines = Option<(u32, u32)>;

/// The URL form of a forge, from its documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `/blob/COMMIT/PATH#L1-L2`
    GitHub,
    /// `/-/blob/COMMIT/PATH#L1-2`
    GitLab,
    /// `/src/COMMIT/PATH#lines-1:2`
    Bitbucket,
    /// `/src/commit/COMMIT/PATH#L1-L2`; Gitea and Forgejo.
    Gitea,
    /// `/tree/COMMIT/item/PATH#L1-2`
    SourceHut,
}

/// A repository on a forge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forge {
    form: Form,
    /// Address of the repository's page, without a trailing slash.
    base: String,
}

impl Forge {
    /// Returns the forge that hosts a remote URL; `None` if no known forge does.
    ///
    /// Forges are recognised by host name: GitHub, GitLab, Bitbucket, Codeberg and SourceHut, as
    /// well as servers whose name begins with `github.`, `gitlab.`, `gitea.` or `forgejo.`. A user
    /// name and password in the URL are left out.
    ///
    /// ```
    /// use git_cora::answer::view::Forge;
    ///
    /// let forge = Forge::of("git@github.com:a/b.git").unwrap();
    /// let link = forge.link("1234abcd", b"x y.rs", Some((3, 9)));
    /// assert_eq!(link, "https://github.com/a/b/blob/1234abcd/x%20y.rs#L3-L9");
    /// ```
    pub fn of(url: &str) -> Option<Self> {
        let (host, path) = match url.split_once("://") {
            Some(("https" | "http" | "ssh" | "git" | "git+ssh", rest)) => {
                let (authority, path) = rest.split_once('/')?;
                let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
                // The port is often that of SSH, while web pages use the default port.
                (host.split_once(':').map_or(host, |(host, _)| host), path)
            }
            Some(_) => return None,
            None => {
                let (authority, path) = url.split_once(':')?;
                (authority.rsplit_once('@').map_or(authority, |(_, host)| host), path)
            }
        };
        let host = host.to_ascii_lowercase();
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
        if host.is_empty() || !host.chars().all(is_name) {
            return None;
        }
        let form = match host.as_str() {
            "github.com" => Form::GitHub,
            "gitlab.com" => Form::GitLab,
            "bitbucket.org" => Form::Bitbucket,
            "codeberg.org" | "gitea.com" => Form::Gitea,
            "git.sr.ht" => Form::SourceHut,
            other => match other.split_once('.')?.0 {
                "github" => Form::GitHub,
                "gitlab" => Form::GitLab,
                "gitea" | "forgejo" => Form::Gitea,
                _ => return None,
            },
        };
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        let parts = path.split('/').filter(|part| !part.is_empty()).count();
        if parts < 2 || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return None;
        }
        let mut base = format!("https://{host}/");
        encode(path.as_bytes(), &mut base);
        Some(Self { form, base })
    }

    /// Returns the permanent link to a file of a commit, or to lines of it.
    pub fn link(&self, commit: &str, path: &[u8], lines: LinkLines) -> String {
        let between = match self.form {
            Form::GitHub => "/blob/",
            Form::GitLab => "/-/blob/",
            Form::Bitbucket => "/src/",
            Form::Gitea => "/src/commit/",
            Form::SourceHut => "/tree/",
        };
        let mut out = format!("{}{between}{commit}", self.base);
        out.push_str(if self.form == Form::SourceHut { "/item/" } else { "/" });
        encode(path, &mut out);
        let Some((first, last)) = lines else { return out };
        let _ = match self.form {
            Form::GitHub | Form::Gitea => write!(out, "#L{first}-L{last}"),
            Form::GitLab | Form::SourceHut => write!(out, "#L{first}-{last}"),
            Form::Bitbucket => write!(out, "#lines-{first}:{last}"),
        };
        if first == last
            && let Some(at) = out.rfind(['-', ':'])
            && self.form != Form::Bitbucket
        {
            out.truncate(at);
        }
        out
    }
}

/// Returns the link to a file relative to its repository's root: `src/a%20b.rs#L10-L20`.
pub fn relative_link(path: &[u8], lines: LinkLines) -> String {
    let mut out = String::new();
    // `a:b` would be read as a URL with the scheme `a`.
    let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
    if first.contains(&b':') {
        out.push_str("./");
    }
    encode(path, &mut out);
    match lines {
        Some((first, last)) if first == last => {
            let _ = write!(out, "#L{first}");
        }
        Some((first, last)) => {
            let _ = write!(out, "#L{first}-L{last}");
        }
        None => {}
    }
    out
}

/// Appends a path in URL encoding: every byte but letters, digits and a few marks becomes `%` and
/// two digits.
///
/// None of the remaining characters ends a link in Markdown.
fn encode(path: &[u8], out: &mut String) {
    for &byte in path {
        if byte.is_ascii_alphanumeric() || b"-._~/+@,:".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forges_are_known_by_their_host() {
        for (url, expected) in [
            ("https://github.com/a/b.git", "https://github.com/a/b/blob/c0/x.rs#L1-L2"),
            ("https://token@github.com/a/b", "https://github.com/a/b/blob/c0/x.rs#L1-L2"),
            ("ssh://git@gitlab.com:2222/g/s/b.git", "https://gitlab.com/g/s/b/-/blob/c0/x.rs#L1-2"),
            ("git@gitlab.example.org:g/b.git", "https://gitlab.example.org/g/b/-/blob/c0/x.rs#L1-2"),
            ("git@bitbucket.org:a/b.git", "https://bitbucket.org/a/b/src/c0/x.rs#lines-1:2"),
            ("https://codeberg.org/a/b", "https://codeberg.org/a/b/src/commit/c0/x.rs#L1-L2"),
            ("https://git.sr.ht/~a/b", "https://git.sr.ht/~a/b/tree/c0/item/x.rs#L1-2"),
        ] {
            let forge = Forge::of(url).unwrap_or_else(|| panic!("{url}"));
            assert_eq!(forge.link("c0", b"x.rs", Some((1, 2))), expected);
        }
        for url in [
            "",
            "/srv/a",
            "file:///srv/github.com/a/b",
            "https://example.org/a/b",
            "https://github.com/a",
            "https://github.com/a/../../b",
            "https://github.com)](evil)/a/b",
            "ext::sh -c x",
        ] {
            assert_eq!(Forge::of(url), None, "{url}");
        }
    }

    #[test]
    fn one_line_is_one_line() {
        let link = |url: &str, lines| Forge::of(url).unwrap().link("c0", b"a-b:c.rs", lines);
        assert!(link("https://github.com/a/b", Some((7, 7))).ends_with("a-b:c.rs#L7"));
        assert!(link("https://gitlab.com/a/b", Some((7, 7))).ends_with("a-b:c.rs#L7"));
        assert!(link("https://bitbucket.org/a/b", Some((7, 7))).ends_with("a-b:c.rs#lines-7:7"));
        assert!(link("https://github.com/a/b", None).ends_with("a-b:c.rs"));
    }

    #[test]
    fn nothing_in_a_path_ends_a_link() {
        let link = relative_link(b"a) [x](b\n<c>#?%\xff.rs", Some((1, 1)));
        assert_eq!(link, "a%29%20%5Bx%5D%28b%0A%3Cc%3E%23%3F%25%FF.rs#L1");
        assert_eq!(relative_link(b"javascript:x", None), "./javascript:x");
    }
}
