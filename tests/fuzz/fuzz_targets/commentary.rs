//! Commentary: any bytes, and real notes damaged, give a value or an error. A value survives
//! encoding and decoding, in a blob and in the journal. Any answer of a model becomes a note that
//! can be read, or none.
#![no_main]

use arbitrary::Arbitrary;
use git_cora::provider::sidecar::Entry;
use git_cora::provider::sidecar::commentary::{Note, decode, encode, key_of, paragraph};
use git_cora_fuzz::{Edit, damage, no_id};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8]),
    Damaged { notes: Vec<(u16, &'a str, &'a str)>, edits: Vec<Edit> },
    Answer(&'a str),
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw(bytes) => {
        read(bytes);
        journal(bytes);
    }
    Input::Damaged { notes, edits } => {
        let note = |&(chunk, model, text): &(u16, &str, &str)| Note {
            chunk: chunk.into(),
            key: key_of(text),
            model: model.to_owned(),
            text: text.to_owned(),
        };
        let notes: Vec<Note> = notes.iter().map(note).collect();
        let mut bytes = encode(no_id(), &notes).0;
        damage(&mut bytes, &edits);
        read(&bytes);
        let mut bytes = Vec::new();
        notes.iter().for_each(|note| note.encode(&mut bytes));
        damage(&mut bytes, &edits);
        journal(&bytes);
    }
    Input::Answer(answer) => {
        let Some(text) = paragraph(answer) else { return };
        let note = Note { chunk: 0, key: key_of(&text), model: "m".to_owned(), text };
        let (bytes, _) = encode(no_id(), std::slice::from_ref(&note));
        assert_eq!(decode(&bytes).expect("because it was just written").1, [note]);
    }
});

fn read(bytes: &[u8]) {
    let Ok((record, notes)) = decode(bytes) else { return };
    let (again, n) = encode(record, &notes);
    assert_eq!(n, notes.len());
    assert_eq!(decode(&again).expect("because it was just written"), (record, notes));
}

/// Reads a journal to its first damaged entry.
fn journal(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let rest = bytes;
        let Some((note, len)) = Note::read(&mut bytes) else { return };
        assert_eq!(rest.len() - bytes.len(), len, "an entry is as long as it says");
        let mut again = Vec::new();
        note.encode(&mut again);
        let read = Note::read(&mut again.as_slice());
        assert_eq!(read, Some((note, again.len())), "a note survives its bytes");
    }
}
