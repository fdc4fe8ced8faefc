//! Chat histories: any text gives the texts of its messages or an error. No text is blank, and all
//! of them stand in the history.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../src/bin/git-cora/cli/query/conversation.rs"]
mod conversation;

fuzz_target!(|text: &str| {
    let Ok(texts) = conversation::parse(text) else { return };
    assert!(texts.iter().all(|one| !one.trim().is_empty()), "a message is blank");
    // An escape is longer than its character; parts are joined by a line feed.
    assert!(texts.iter().map(String::len).sum::<usize>() <= text.len(), "the texts are longer than the history");
    // The same messages as a list, in the form that is read back.
    let messages: Vec<_> =
        texts.iter().rev().map(|one| serde_json::json!({ "role": "user", "content": one })).collect();
    let list = serde_json::Value::from(messages).to_string();
    assert_eq!(conversation::parse(&list).expect("because it is a history"), texts);
});
