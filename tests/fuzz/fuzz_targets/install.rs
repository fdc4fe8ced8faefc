//! The note of what `git cora init` changed: any bytes give a note or none, and a note survives its
//! bytes. An edit is undone exactly, and never panics in a text that changed since.
#![no_main]

use arbitrary::Arbitrary;
use git_cora_fuzz::{Edit as Damage, damage};
use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../../src/bin/git-cora/setup/edit.rs"]
mod edit;

use edit::{Content, Edit};

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8], &'a [u8]),
    Edited { before: Option<&'a [u8]>, after: &'a [u8], later: Vec<Damage>, note: Vec<Damage> },
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw(note, text) => check(note, text),
    Input::Edited { before, after, later, note } => {
        let edit = Edit::between(":.mcp.json".to_owned(), before, after);
        if let Some(undone) = edit.undo(after) {
            assert_eq!(undone, before.unwrap_or_default(), "an edit is not undone");
        } else {
            assert!(after.len() <= before.unwrap_or_default().len(), "what went in is not found");
        }
        let mut content = Content::default();
        content.edits.push(edit.clone());
        let mut bytes = content.encode().expect("because its paths are text");
        let decoded = Content::decode(&bytes).expect("because it was just encoded");
        assert_eq!(decoded.edits, [edit]);
        let mut text = after.to_vec();
        damage(&mut text, &later);
        check(&bytes, &text);
        damage(&mut bytes, &note);
        check(&bytes, &text);
    }
});

fn check(note: &[u8], text: &[u8]) {
    let Some(content) = Content::decode(note) else { return };
    for edit in &content.edits {
        let _ = edit.undo(text);
    }
    let bytes = content.encode().expect("because its paths are text");
    assert_eq!(Content::decode(&bytes).as_ref(), Some(&content), "a note survives its bytes");
}
