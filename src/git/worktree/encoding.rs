//! Files of the work tree in another encoding than the repository's: `working-tree-encoding`.
//!
//! Git stores such a file as UTF-8 and writes it to the work tree in the encoding that the
//! attribute names (`gitattributes(5)`). A modified file is read back here as Git would store it.
//! Input: the bytes on the disk. Output: UTF-8 without a byte order mark. A file that
//! can't be converted, or whose encoding is not known here, stays as it is.

use bstr::BStr;

use crate::git::{Attributes, Blob, Repository, Result, WorktreeFile};

impl Repository {
    /// Reads a file of the work tree of at most `limit` bytes, as Git would store it as far as the
    /// encoding is concerned.
    ///
    /// # Errors
    /// The same as [`Repository::read_worktree`].
    pub fn read_worktree_as_stored(&self, attributes: &Attributes, path: &BStr, limit: u64) -> Result<Blob> {
        Ok(as_stored(self.read_worktree(path, limit)?, attributes, path, limit))
    }

    /// Reads a file of the work tree for somebody who may search the repository, as Git would store
    /// it as far as the encoding is concerned.
    ///
    /// # Errors
    /// The same as [`Repository::read_shared`].
    pub fn read_shared_as_stored(
        &self,
        attributes: &Attributes,
        path: &BStr,
        limit: u64,
    ) -> Result<WorktreeFile> {
        Ok(match self.read_shared(path, limit)? {
            WorktreeFile::Open(blob) => WorktreeFile::Open(as_stored(blob, attributes, path, limit)),
            other => other,
        })
    }
}

fn as_stored(content: Blob, attributes: &Attributes, path: &BStr, limit: u64) -> Blob {
    let bytes = match content {
        Blob::Bytes(bytes) => bytes,
        other => return other,
    };
    let encoding = attributes.of(path).working_tree_encoding;
    let stored = encoding.and_then(|encoding| utf8(&bytes, &encoding)).unwrap_or(bytes);
    let len = u64::try_from(stored.len()).unwrap_or(u64::MAX);
    if len > limit { Blob::TooLarge { bytes: len } } else { Blob::Bytes(stored) }
}

/// Converts bytes of an encoding to UTF-8; `None` if they are not valid in it, or it is not known.
fn utf8(bytes: &[u8], encoding: &str) -> Option<Vec<u8>> {
    let name: String =
        encoding.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_uppercase()).collect();
    let (width, order) = match name.as_str() {
        "UTF16" => (2, order_of_mark(bytes, 2)?),
        "UTF32" => (4, order_of_mark(bytes, 4)?),
        "UTF16LE" | "UTF16LEBOM" => (2, Order::Little),
        "UTF16BE" | "UTF16BEBOM" => (2, Order::Big),
        "UTF32LE" | "UTF32LEBOM" => (4, Order::Little),
        "UTF32BE" | "UTF32BEBOM" => (4, Order::Big),
        "ISO88591" | "LATIN1" => {
            return Some(bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes());
        }
        _ => return None,
    };
    let units = bytes.chunks_exact(width);
    if !units.remainder().is_empty() {
        return None;
    }
    let units = units.map(|unit| {
        let add = |value: u32, byte: &u8| (value << 8) | u32::from(*byte);
        match order {
            Order::Big => unit.iter().fold(0, add),
            Order::Little => unit.iter().rev().fold(0, add),
        }
    });
    let text: String = if width == 4 {
        units.map(char::from_u32).collect::<Option<_>>()?
    } else {
        let units = units.filter_map(|unit| u16::try_from(unit).ok());
        std::char::decode_utf16(units).collect::<std::result::Result<_, _>>().ok()?
    };
    Some(text.strip_prefix('\u{feff}').unwrap_or(&text).as_bytes().to_vec())
}

#[derive(Clone, Copy)]
enum Order {
    Big,
    Little,
}

/// Returns the byte order that a mark at the beginning tells; `None` without a mark.
fn order_of_mark(bytes: &[u8], width: usize) -> Option<Order> {
    match bytes.get(..width)? {
        [0xfe, 0xff] | [0, 0, 0xfe, 0xff] => Some(Order::Big),
        [0xff, 0xfe] | [0xff, 0xfe, 0, 0] => Some(Order::Little),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn what_is_read_is_what_git_stores() {
        let text = "fn grün() {}\n𝄞 clef\n";
        let wide = |encode: fn(u16) -> [u8; 2], mark: &[u8]| {
            [mark, &text.encode_utf16().flat_map(encode).collect::<Vec<_>>()].concat()
        };
        let wider = |encode: fn(u32) -> [u8; 4], mark: &[u8]| {
            [mark, &text.chars().flat_map(|c| encode(c.into())).collect::<Vec<_>>()].concat()
        };
        let fixture = Fixture::with_history();
        for (name, encoding, bytes) in [
            ("a", "UTF-16", wide(u16::to_le_bytes, b"\xff\xfe")),
            ("b", "utf-16", wide(u16::to_be_bytes, b"\xfe\xff")),
            ("c", "UTF-16LE", wide(u16::to_le_bytes, b"")),
            ("d", "UTF-16BE", wide(u16::to_be_bytes, b"")),
            ("e", "UTF-16LE-BOM", wide(u16::to_le_bytes, b"\xff\xfe")),
            ("f", "UTF-32LE", wider(u32::to_le_bytes, b"")),
            ("g", "UTF-32", wider(u32::to_be_bytes, b"\0\0\xfe\xff")),
            ("h", "ISO-8859-1", b"fn gr\xfcn() {}\n".to_vec()),
            ("i", "UTF-8", text.as_bytes().to_vec()),
        ] {
            fixture.commit_file(".gitattributes", &format!("{name} text working-tree-encoding={encoding}\n"));
            std::fs::write(fixture.path().join(name), &bytes).unwrap();
            if !fixture.try_git(&["add", name]) {
                continue; // this Git's library does not know it
            }
            let stored = fixture.git_bytes(&["cat-file", "blob", &format!(":{name}")]);
            let repo = fixture.open();
            let attributes =
                repo.attributes(repo.commit(repo.resolve("HEAD").unwrap()).unwrap().tree).unwrap();
            let read = repo.read_worktree_as_stored(&attributes, name.into(), 999).unwrap();
            assert_eq!(read, Blob::Bytes(stored), "{encoding}");
        }
        for (bytes, encoding) in
            [(&b"abc"[..], "UTF-16LE"), (b"ab", "UTF-16"), (b"\x00\xd8", "UTF-16LE"), (b"a", "KLINGON")]
        {
            assert_eq!(utf8(bytes, encoding), None, "{encoding}");
        }
    }
}
