//! Addresses and revisions of a remote, as the user writes them.
//!
//! Owns the parser of remote revisions, the check of remote addresses, and the removal of
//! credentials from a URL. Input: text from the user. Output: the parts of a revision, or an
//! address that is safe to hand to `git fetch`. Everything here is pure, except that a path must
//! exist on the disk. Nothing is fetched here.
//!
//! An allow list decides which protocols are used. A deny list would let a new remote helper run a
//! program.

use std::path::Path;

use crate::base::id::ObjectId;
use crate::git::{Error, Result};

/// Most generations that are followed behind a name, as in `v1.2~20`. All commits on the way have
/// to be fetched.
const GENERATIONS: u32 = 1_000;

/// A revision of a remote, split into its name and its suffix.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::git) struct RemoteRevision {
    /// The refname, `HEAD` or a full object id.
    pub(in crate::git) base: String,
    /// The text after the name, such as `~2^`; empty if there is none.
    pub(in crate::git) suffix: String,
    /// Number of generations that the suffix follows at most.
    pub(in crate::git) generations: u32,
}

impl RemoteRevision {
    /// Parses a revision that a remote can answer; the error says why it can't.
    pub(in crate::git) fn parse(revision: &str) -> std::result::Result<Self, &'static str> {
        const OTHER: &str = ": only a clone can resolve this revision";
        let cut = revision.find(['~', '^']).unwrap_or(revision.len());
        let (base, suffix) = revision.split_at(cut);
        let is_name = base.parse::<ObjectId>().is_ok()
            || base == "HEAD"
            || gix::validate::reference::name_partial(base.into()).is_ok();
        if !is_name || base.starts_with(['-', '+']) || base.contains(['{', ':']) || base == "@" {
            return Err(if base == "@" { ": write HEAD" } else { OTHER });
        }
        let (mut generations, mut rest) = (0_u32, suffix);
        while let Some(mark) = rest.chars().next() {
            rest = rest.get(1..).unwrap_or_default();
            if let Some(end) = rest.strip_prefix('{').filter(|_| mark == '^').and_then(|rest| rest.find('}'))
            {
                // `^{}` and `^{commit}` peel a tag to its commit, which happens in any case.
                match rest.get(..end + 2) {
                    Some("{}" | "{commit}") => rest = rest.get(end + 2..).unwrap_or_default(),
                    _ => return Err(OTHER),
                }
                continue;
            }
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = rest.split_at(digits);
            rest = after;
            let number = if number.is_empty() { 1 } else { number.parse::<u32>().map_err(|_| OTHER)? };
            generations = match mark {
                '~' => generations.saturating_add(number),
                '^' if number == 0 => generations,
                '^' => generations.saturating_add(1),
                _ => return Err(OTHER),
            };
        }
        if generations > GENERATIONS {
            return Err(": at most 1000 generations are followed at a remote");
        }
        Ok(Self { base: base.to_owned(), suffix: suffix.to_owned(), generations })
    }
}

/// Returns the address if it may be fetched from; makes a path absolute.
///
/// # Errors
/// [`Error::Address`].
pub(in crate::git) fn check_address(url: &str) -> Result<String> {
    let refuse = |why| Err(Error::Address { url: without_credentials(url), why });
    if url.is_empty() || url.starts_with('-') || url.chars().any(char::is_control) {
        return refuse("that is not an address");
    }
    let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("https" | "http" | "ssh" | "git" | "file" | "git+ssh" | "ssh+git") => return Ok(url.to_owned()),
        Some(_) => return refuse("that protocol is not supported"),
        None => {}
    }
    let head = url.split(['/', '\\']).next().unwrap_or_default();
    // `helper::address` runs the program `git-remote-helper`.
    if head.contains("::") {
        return refuse("remote helpers are not supported");
    }
    if cfg!(windows) && head.len() == 2 && head.ends_with(':') {
        return Ok(url.to_owned());
    }
    if head.contains(':') && !Path::new(url).exists() {
        return Ok(url.to_owned());
    }
    let path = std::path::absolute(url).map_err(Error::io("resolve", url))?;
    match path.to_str() {
        Some(text) if path.exists() => Ok(text.to_owned()),
        Some(_) => refuse("no such path"),
        None => refuse("the path is not UTF-8"),
    }
}

/// Returns a URL without what may be a secret: the user name and password before its host, and all
/// that follows `?` or `#`.
///
/// The user name goes as well, because it is often a token. An SSH user name is part of the address
/// and stays.
pub fn without_credentials(url: &str) -> String {
    without_user(without_parameters(url))
}

/// Returns a text in which no address has what may be a secret. Git repeats addresses in its
/// messages, as they were given or as `url.<base>.insteadOf` makes them.
pub(super) fn without_credentials_in(message: &str) -> String {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '`' | '<' | '>');
    let mut shown = String::with_capacity(message.len());
    for piece in message.split_inclusive(is_end) {
        let word = piece.trim_end_matches(is_end);
        let end = piece.get(word.len()..).unwrap_or_default();
        shown.push_str(&if word.contains("://") { without_credentials(word) } else { word.to_owned() });
        shown.push_str(end);
    }
    shown
}

/// Returns an address without what follows `?` or `#`, if these end a path in its scheme.
fn without_parameters(url: &str) -> &str {
    const SCHEMES: [&str; 6] = ["ftp", "ftps", "http", "https", "postgres", "postgresql"];
    let ends_path = |scheme: &str| SCHEMES.iter().any(|one| scheme.eq_ignore_ascii_case(one));
    let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| ends_path(scheme)) else {
        return url;
    };
    let end = rest.find(['?', '#']).map_or(url.len(), |at| scheme.len() + 3 + at);
    url.get(..end).unwrap_or(url)
}

/// Returns an address without the name and the password of a user.
pub(super) fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        // The form of `scp` has no password. What looks like one is not shown.
        let password = url.split_once('@').and_then(|(user, host)| Some((user.split_once(':')?, host)));
        return match password.filter(|((user, rest), _)| !user.contains('/') && !rest.contains('/')) {
            Some(((user, _), host)) => format!("{user}@{host}"),
            None => url.to_owned(),
        };
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let Some((user, host)) = authority.rsplit_once('@') else { return url.to_owned() };
    let name = user.split(':').next().unwrap_or_default();
    if scheme.ends_with("ssh") && !name.is_empty() {
        format!("{scheme}://{name}@{host}{path}")
    } else {
        format!("{scheme}://{host}{path}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_no_part_of_an_address() {
        for (url, shown) in [
            ("https://me:secret@example.org/a@b", "https://example.org/a@b"),
            ("https://token@example.org", "https://example.org"),
            ("https://example.org/a", "https://example.org/a"),
            ("ssh://git:secret@example.org/a", "ssh://git@example.org/a"),
            ("https://me@example.org/a.git?token=secret#b", "https://example.org/a.git"),
            ("HTTPS://example.org?token=secret", "HTTPS://example.org"),
            ("https://example.org/a#secret", "https://example.org/a"),
            ("file:///srv/a#b?c", "file:///srv/a#b?c"),
            ("git@example.org:a", "git@example.org:a"),
            ("git:secret@example.org:a", "git@example.org:a"),
            ("/srv/a", "/srv/a"),
            ("/srv/a:b/c@d", "/srv/a:b/c@d"),
        ] {
            assert_eq!(without_credentials(url), shown);
        }
        let message = "fatal: can't read 'http://se@cret@a.org/b?token=secret': no http://x@c.org/\nhint";
        assert_eq!(
            without_credentials_in(message),
            "fatal: can't read 'http://a.org/b': no http://c.org/\nhint"
        );
    }

    #[test]
    fn addresses_that_run_something_are_refused() {
        for url in ["https://e.org/a", "ssh://git@e.org/a", "git@e.org:a/b.git", "git://e.org/a", "file:///"]
        {
            assert_eq!(check_address(url).unwrap(), url);
        }
        for url in
            ["ext::sh -c id", "fd::3", "EXT::x", "--upload-pack=id", "", "ftp://e.org/a", "a\nb", "x://y"]
        {
            assert!(matches!(check_address(url), Err(Error::Address { .. })), "{url}");
        }
        assert!(check_address(".").unwrap().starts_with('/') || cfg!(windows));
    }

    #[test]
    fn revisions_that_need_a_clone_are_refused() {
        for (revision, base, suffix, generations) in [
            ("HEAD", "HEAD", "", 0),
            ("v1.2", "v1.2", "", 0),
            ("release/2~3", "release/2", "~3", 3),
            ("HEAD~2^2^", "HEAD", "~2^2^", 4),
            ("v1^{}", "v1", "^{}", 0),
            ("v1^{commit}~1", "v1", "^{commit}~1", 1),
            ("v1^0", "v1", "^0", 0),
            ("HEAD~1000", "HEAD", "~1000", 1000),
        ] {
            let expected = RemoteRevision { base: base.into(), suffix: suffix.into(), generations };
            assert_eq!(RemoteRevision::parse(revision), Ok(expected), "{revision}");
        }
        for revision in [
            "",
            "@",
            "-x",
            "+x",
            "a..b",
            ":/text",
            "HEAD@{1}",
            "a:b",
            "HEAD~1001",
            "a^{tree}",
            "a b",
            "a*",
            "^a",
        ] {
            assert!(RemoteRevision::parse(revision).is_err(), "{revision}");
        }
    }
}
