//! The note of edits that `git cora init` made: its bytes, and how an edit is undone.
//!
//! An [`Edit`] names the text that went in and the text that it replaced, which is nearly always
//! empty. So uninstall restores a file byte for byte, even if the user edited other parts of it
//! since. This file reads and writes no file, and imports no other module of the program.

use std::path::PathBuf;

use bstr::{BString, ByteSlice as _, ByteVec as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Version of the note's format. A note of another version is ignored.
const VERSION: u32 = 1;

/// The edit of one file: at byte `at`, `removed` was replaced by `inserted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Edit {
    /// Name of the file; see `Ledger::agent_file`.
    pub(crate) file: String,
    at: usize,
    #[serde(serialize_with = "escape", deserialize_with = "unescape")]
    removed: BString,
    #[serde(serialize_with = "escape", deserialize_with = "unescape")]
    inserted: BString,
    /// Whether the file did not exist before.
    pub(crate) made_file: bool,
    /// The directories around the file that did not exist before, innermost first, as paths from
    /// the root of the work tree.
    #[serde(default)]
    pub(crate) made_dirs: Vec<PathBuf>,
}

fn escape<S: Serializer>(bytes: &BString, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&bytes.escape_bytes())
}

fn unescape<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BString, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(Vec::unescape_bytes(text).into())
}

impl Edit {
    /// Returns the edit that turns one text into the other.
    pub(crate) fn between(file: String, before: Option<&[u8]>, after: &[u8]) -> Self {
        let made_file = before.is_none();
        let before = before.unwrap_or_default();
        let at = before.iter().zip(after).take_while(|(a, b)| a == b).count();
        let (old, new) = (before.get(at..).unwrap_or_default(), after.get(at..).unwrap_or_default());
        let n_same = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let middle = |text: &[u8]| BString::from(text.get(..text.len() - n_same).unwrap_or_default());
        Self { file, at, removed: middle(old), inserted: middle(new), made_file, made_dirs: Vec::new() }
    }

    /// Returns the text without the edit; `None` if the inserted text is gone or its place unclear.
    ///
    /// Text that was inserted elsewhere in the file by others does not matter, as long as the
    /// inserted text is still there exactly once.
    pub(crate) fn undo(&self, text: &[u8]) -> Option<Vec<u8>> {
        if self.inserted.is_empty() {
            return None;
        }
        let is_at = |at: usize| text.get(at..).is_some_and(|rest| rest.starts_with(&self.inserted));
        let mut places = text.find_iter(&self.inserted);
        let at = match (places.next(), places.next()) {
            _ if is_at(self.at) => self.at,
            (Some(only), None) => only,
            _ => return None,
        };
        let after = text.get(at + self.inserted.len()..)?;
        Some([text.get(..at)?, &self.removed, after].concat())
    }
}

/// A hooks directory that was written to, other than the repository's own as Git made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HooksDir {
    pub(crate) path: PathBuf,
    /// Whether the directory did not exist before.
    pub(crate) made: bool,
}

/// What a note holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Content {
    version: u32,
    #[serde(default)]
    pub(crate) edits: Vec<Edit>,
    #[serde(default)]
    pub(crate) hooks: Vec<HooksDir>,
}

impl Content {
    /// Reads a note; `None` if it is damaged or has another version.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice::<Self>(bytes).ok().filter(|content| content.version == VERSION)
    }

    /// Returns the note's bytes.
    pub(crate) fn encode(&self) -> serde_json::Result<Vec<u8>> {
        let content = Self { version: VERSION, ..self.clone() };
        let mut bytes = serde_json::to_vec_pretty(&content)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_is_undone_wherever_the_text_is_now() {
        for (before, after) in [
            ("", "new"),
            ("ab", "aXXb"),
            ("{}", "{\n}"),
            ("aa", "aaa"),
            ("a\r\nb", "a\r\nX\nb"),
            ("one two", "one 2 two"),
            ("x", "x\nlog = 1"),
        ] {
            let edit = Edit::between("f".into(), Some(before.as_bytes()), after.as_bytes());
            assert_eq!(edit.undo(after.as_bytes()).unwrap(), before.as_bytes(), "{before:?} {after:?}");
            let stored = serde_json::to_string(&edit).unwrap();
            assert_eq!(serde_json::from_str::<Edit>(&stored).unwrap(), edit);
        }
        let edit = Edit::between("f".into(), Some(b"a\nc\n"), b"a\nours\nc\n");
        assert_eq!(edit.undo(b"first\na\nours\nc\nd").unwrap(), b"first\na\nc\nd");
        assert_eq!(edit.undo(b"first\nours\na\nours\n"), None, "which one is it?");
        assert_eq!(edit.undo(b"a\nOurs\nc\n"), None);
        assert!(Edit::between("f".into(), None, b"x").made_file);
        let odd = Edit::between("f".into(), Some(b"a\xff\\"), b"a\xfe\"\\n\\");
        let stored = serde_json::to_string(&odd).unwrap();
        assert_eq!(serde_json::from_str::<Edit>(&stored).unwrap(), odd);
    }
}
