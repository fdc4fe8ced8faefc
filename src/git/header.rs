//! The headers of commits and tags, read as leniently as Git reads them.
//!
//! Input: the bytes of an object. Output: the few parts that we need. Only what Git insists on must
//! be right: a commit begins with its tree and then names its parents, a tag begins with its object
//! (`parse_commit_buffer` and `parse_tag_buffer` in Git). Everything else may be damaged, as in
//! many old histories: an author with a line feed in the name, no committer, no time, no message,
//! header lines in another order. A part that can't be read counts as absent.

use bstr::{BStr, ByteSlice};

use crate::base::id::ObjectId;

/// The parts of a commit.
#[derive(Debug, PartialEq, Eq)]
pub struct CommitParts<'a> {
    /// The tree.
    pub tree: ObjectId,
    /// The parents, in order.
    pub parents: Vec<ObjectId>,
    /// Name of the author; empty if unreadable.
    pub author: &'a BStr,
    /// Seconds since the epoch; 0 if unreadable.
    pub author_time_s: i64,
    /// Seconds since the epoch; 0 if unreadable.
    pub committer_time_s: i64,
    /// Everything behind the first empty line; empty if there is none.
    pub message: &'a BStr,
}

/// Parses a commit whose ids have `hash_len` bytes.
///
/// # Errors
/// A description of the part that Git could not read either.
pub fn parse_commit(bytes: &[u8], hash_len: usize) -> Result<CommitParts<'_>, &'static str> {
    let (tree, mut rest) = id_line(bytes, b"tree ", hash_len).ok_or("it does not begin with its tree")?;
    let mut parents = Vec::new();
    while rest.starts_with(b"parent ") {
        let (parent, after) = id_line(rest, b"parent ", hash_len).ok_or("a parent has no valid id")?;
        parents.push(parent);
        rest = after;
    }
    let (headers, message) = if let Some(message) = rest.strip_prefix(b"\n") {
        (&[][..], message)
    } else {
        rest.split_once_str("\n\n").unwrap_or((rest, b""))
    };
    Ok(CommitParts {
        tree,
        parents,
        author: author(headers),
        author_time_s: time(headers, b"author "),
        committer_time_s: time(headers, b"committer "),
        message: message.as_bstr(),
    })
}

/// Returns the object that a tag points to; `None` if Git could not read it either.
pub fn tag_target(bytes: &[u8], hash_len: usize) -> Option<ObjectId> {
    Some(id_line(bytes, b"object ", hash_len)?.0)
}

/// Parses a line of a keyword and an id; returns the id and what follows the line.
fn id_line<'a>(bytes: &'a [u8], keyword: &[u8], hash_len: usize) -> Option<(ObjectId, &'a [u8])> {
    let (hex, rest) = bytes.strip_prefix(keyword)?.split_at_checked(2 * hash_len)?;
    let id = hex.to_str().ok()?.parse().ok()?;
    Some((id, rest.strip_prefix(b"\n")?))
}

/// Returns the name in the first header `author`: what comes before the address.
fn author(headers: &[u8]) -> &BStr {
    let line = headers.lines().find_map(|line| line.strip_prefix(b"author "));
    let name = line.and_then(|line| line.split_once_str("<")).map(|(name, _)| name.trim());
    name.unwrap_or_default().as_bstr()
}

/// Returns the time of the first header with this keyword: the number behind the last `>`.
fn time(headers: &[u8], keyword: &[u8]) -> i64 {
    let line = headers.lines().find_map(|line| line.strip_prefix(keyword));
    let number = line.and_then(|line| line.rsplit_once_str(">")).map(|(_, number)| number.trim_start());
    let number = number.unwrap_or_default();
    let end = number
        .iter()
        .enumerate()
        .position(|(at, byte)| !(byte.is_ascii_digit() || at == 0 && matches!(byte, b'-' | b'+')))
        .unwrap_or(number.len());
    number.get(..end).and_then(|digits| digits.to_str().ok()?.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_author_is_the_name_before_the_address() {
        for (headers, expected) in [
            ("author Ada L <a@b> 7 +0\ncommitter C <c> 9 +0", "Ada L"),
            ("author <a@b> 7 +0", ""),
            ("author nobody", ""),
            ("committer C <c> 9 +0", ""),
            ("", ""),
        ] {
            assert_eq!(author(headers.as_bytes()), expected, "{headers}");
        }
    }

    const ID: &str = "45b983be36b73c0788dc9cbcb76cbb80fc7bb057";

    #[test]
    fn odd_commits_are_read() {
        let parse = |rest: &str| {
            let text = format!("tree {ID}\n{rest}");
            let parts = parse_commit(text.as_bytes(), 20).unwrap();
            (parts.parents.len(), parts.author_time_s, parts.committer_time_s, parts.message.to_string())
        };
        let who = "A <a@b> 7 +0000\ncommitter C <c@d> 9 +0100";
        for (rest, expected) in [
            (format!("author {who}\n\nm\n"), (0, 7, 9, "m\n")),
            (format!("parent {ID}\nparent {ID}\nauthor {who}\n\nm\n\nn"), (2, 7, 9, "m\n\nn")),
            (format!("author two\nlines {who}\n\nm"), (0, 0, 9, "m")),
            ("author A <a> b> 12 +0\ncommitter <> -3 +0\n\nm".into(), (0, 12, -3, "m")),
            ("author A <a 7\ncommitter C c> x\n\nm".into(), (0, 0, 0, "m")),
            (format!("committer Z <z> 4\nauthor {who}\n\nm"), (0, 7, 4, "m")),
            ("author A <a> 99999999999999999999 +0\n\nm".into(), (0, 0, 0, "m")),
            (format!("author {who}\ngpgsig -----\n \n  x\n\nm"), (0, 7, 9, "m")),
            (format!("author {who}\n"), (0, 7, 9, "")),
            ("\nm".into(), (0, 0, 0, "m")),
            (String::new(), (0, 0, 0, "")),
        ] {
            let (parents, author, committer, message) = expected;
            assert_eq!(parse(&rest), (parents, author, committer, message.to_owned()), "{rest:?}");
        }
        for text in [
            String::new(),
            format!("parent {ID}\n"),
            format!("tree {ID}"),
            format!("tree {}\n", &ID[1..]),
            format!("tree {ID}\nparent {}\n", &ID[1..]),
        ] {
            assert!(parse_commit(text.as_bytes(), 20).is_err(), "{text:?}");
        }
    }

    #[test]
    fn odd_tags_lead_to_their_objects() {
        for (rest, is_read) in
            [("\ntype commit\ntag x\n\nm", true), ("\n", true), ("", false), ("x\n", false)]
        {
            let found = tag_target(format!("object {ID}{rest}").as_bytes(), 20);
            assert_eq!(found, is_read.then(|| ID.parse().unwrap()), "{rest:?}");
        }
    }
}
