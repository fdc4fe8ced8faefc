//! The addresses of documents: `file:` for the working tree, `git-cora:` for a file of a commit.
//!
//! `git-cora:/src/app/lib.rs?1eb7…` is the file `/src/app/lib.rs` as it is in the commit. The path
//! is that of the working tree, so editors see the language of the file by its ending.
//!
//! Pure functions. Clients percent-encode in different ways, so documents are compared by
//! [`DocumentId`], not by their addresses.

use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice as _};
use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

use git_cora::base::id::ObjectId;

/// The scheme of files of a commit.
pub(super) const SCHEME: &str = "git-cora";

/// Bytes that stand for themselves in a path: those that RFC 3986 lets unreserved, and the slash.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A document: a file, in the working tree or in a commit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct DocumentId {
    /// Absolute path.
    pub(super) path: PathBuf,
    /// The commit; `None` for the working tree.
    pub(super) commit: Option<ObjectId>,
}

impl DocumentId {
    /// Reads an address; `None` if it is not one of a file.
    pub(super) fn parse(uri: &Uri) -> Option<Self> {
        let (scheme, rest) = uri.as_ref().split_once(':')?;
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        let rest = rest.split('#').next().unwrap_or_default();
        // An authority names another machine, unless it is this one.
        let encoded = match rest.strip_prefix("//") {
            Some(rest) => {
                let (host, _) = rest.split_once('/')?;
                let is_here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
                rest.get(host.len()..).filter(|_| is_here)?
            }
            None => rest,
        };
        let bytes: Vec<u8> = percent_decode_str(encoded).collect();
        let path = native(bytes)?;
        let is_plain = path.is_absolute()
            && !path.components().any(|one| matches!(one, std::path::Component::ParentDir));
        let commit = match scheme {
            "file" => None,
            SCHEME => {
                let query =
                    percent_decode_str(query?.split('#').next().unwrap_or_default()).decode_utf8().ok()?;
                Some(query.parse::<ObjectId>().ok()?)
            }
            _ => return None,
        };
        is_plain.then_some(Self { path, commit })
    }

    /// Returns the address.
    pub(super) fn uri(&self) -> Uri {
        let path = percent_encode(&portable(&self.path), ENCODED).to_string();
        Uri(match self.commit {
            None => format!("file://{path}"),
            Some(commit) => format!("{SCHEME}:{path}?{commit}"),
        })
    }
}

/// Returns a path of this system; the bytes are those of a decoded address.
#[cfg(windows)]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    // `/c:/src` is the path `c:/src`.
    let text = String::from_utf8(bytes).ok()?;
    Some(PathBuf::from(text.strip_prefix('/').unwrap_or(&text).replace('/', "\\")))
}

#[cfg(not(windows))]
fn native(bytes: Vec<u8>) -> Option<PathBuf> {
    (!bytes.contains(&0))
        .then(|| bytes.to_path_lossy().into_owned())
        .filter(|path| <[u8]>::from_path(path).is_some_and(|back| *back == bytes))
}

/// Returns the bytes of a path as an address has them, with slashes and one in front.
fn portable(path: &Path) -> Vec<u8> {
    let bytes =
        <[u8]>::from_path(path).map_or_else(|| path.to_string_lossy().as_bytes().to_vec(), <[u8]>::to_vec);
    let bytes = if cfg!(windows) { bytes.replace("\\", "/") } else { bytes };
    if bytes.starts_with(b"/") { bytes } else { [b"/".as_slice(), &bytes].concat() }
}

/// Returns the path of a file from the root of its repository, as Git writes it.
pub(super) fn relative(root: &Path, path: &Path) -> Option<BString> {
    let inside = path.strip_prefix(root).ok()?;
    let bytes = <[u8]>::from_path(inside)?;
    Some(if cfg!(windows) { bytes.replace("\\", "/").into() } else { bytes.into() })
}

/// Returns the path of a file of a repository; `None` if this system can't represent it.
pub(super) fn absolute(root: &Path, path: &BStr) -> Option<PathBuf> {
    Some(root.join(path.to_path().ok()?))
}

#[cfg(test)]
#[cfg(not(windows))]
mod tests {
    use super::*;

    fn parse(uri: &str) -> Option<(String, bool)> {
        let id = DocumentId::parse(&Uri(uri.to_owned()))?;
        Some((id.path.to_string_lossy().into_owned(), id.commit.is_some()))
    }

    #[test]
    fn addresses_are_read_however_they_are_encoded() {
        let commit = "1eb7644349aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
        for (uri, expected) in [
            ("file:///a/b.rs".to_owned(), Some(("/a/b.rs", false))),
            ("file:/a/b.rs".to_owned(), Some(("/a/b.rs", false))),
            ("file://localhost/a%20b/%C3%A9%2b.rs#L3".to_owned(), Some(("/a b/é+.rs", false))),
            (format!("git-cora:/a/b.rs?{commit}"), Some(("/a/b.rs", true))),
            (format!("git-cora:///a/b.rs?{commit}#x"), Some(("/a/b.rs", true))),
            ("git-cora:/a/b.rs?main".to_owned(), None),
            ("git-cora:/a/b.rs".to_owned(), None),
            ("file://elsewhere/a".to_owned(), None),
            ("file:relative".to_owned(), None),
            ("file:///a/../b".to_owned(), None),
            ("file:///a/%2e%2e/b".to_owned(), None),
            ("file:///a%00b".to_owned(), None),
            ("untitled:Untitled-1".to_owned(), None),
            ("https://example.org/a".to_owned(), None),
            ("nothing".to_owned(), None),
            (String::new(), None),
        ] {
            let found = parse(&uri);
            assert_eq!(found.as_ref().map(|(path, at)| (path.as_str(), *at)), expected, "{uri}");
        }
    }

    #[test]
    fn an_address_comes_back() {
        for path in ["/a/b c.rs", "/größe/100%/#?.txt", "/~x/a+b"] {
            for commit in [None, Some("1eb7644349aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap())] {
                let id = DocumentId { path: path.into(), commit };
                assert_eq!(DocumentId::parse(&id.uri()), Some(id));
            }
        }
        let root = Path::new("/w");
        assert_eq!(relative(root, Path::new("/w/src/a.rs")), Some("src/a.rs".into()));
        assert_eq!(relative(root, Path::new("/x/a.rs")), None);
        assert_eq!(absolute(root, "src/a.rs".into()), Some("/w/src/a.rs".into()));
    }
}
