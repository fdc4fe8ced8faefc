//! An entry of the journal: one note on a line, in the format of a file's notes.

use std::io::{BufRead, Read};

use crate::provider::sidecar::Entry;

use super::note::{Line, MAX_LINE};
use super::{Key, Note};

impl Entry for Note {
    /// The key of the text, and the model.
    type Key = (Key, String);

    const MAGIC: &'static [u8] = b"";

    fn key(&self) -> Self::Key {
        (self.key, self.model.clone())
    }

    fn encode(&self, out: &mut Vec<u8>) {
        // Serialising strings and numbers never fails.
        out.extend(serde_json::to_vec(&Line::of(self)).unwrap_or_default());
        out.push(b'\n');
    }

    fn read(input: &mut dyn BufRead) -> Option<(Self, usize)> {
        let mut line = Vec::new();
        input.take(MAX_LINE).read_until(b'\n', &mut line).ok()?;
        let note = serde_json::from_slice::<Line>(&line).ok().and_then(Line::note);
        note.filter(|_| line.ends_with(b"\n")).map(|note| (note, line.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CommentarySidecar, Error, key_of};
    use super::*;
    use crate::base::sharing::Sharing;
    use crate::provider::sidecar::journal;

    type Journal = journal::Journal<CommentarySidecar>;

    #[test]
    fn what_was_appended_is_there_again_and_torn_ends_are_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sub/journal");
        let note = |text: &str| Note { chunk: 0, key: key_of(text), model: "m".into(), text: text.into() };
        let mut journal = Journal::open(path.clone(), Sharing::Umask).unwrap();
        assert!(matches!(Journal::open(path.clone(), Sharing::Umask), Err(Error::Busy)));
        journal.append(vec![note("one"), note("two")]).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let entry = whole.len() / 2;
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let n = cut / entry;
            assert_eq!(Journal::peek(&path).len(), n, "{cut}");
            let mut journal = Journal::open(path.clone(), Sharing::Umask).unwrap();
            journal.append(vec![note("new")]).unwrap();
            drop(journal);
            assert_eq!(Journal::peek(&path).len(), n + 1, "{cut}");
        }
        Journal::open(path.clone(), Sharing::Umask).unwrap().clear();
        assert!(
            Journal::peek(&path).is_empty()
                && Journal::open(path, Sharing::Umask).unwrap().entries.is_empty()
        );
    }
}
