//! Chat histories: any text gives its messages or an error. No message is blank, and all of their
//! texts stand in the history.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../src/bin/git-cora/input/conversation.rs"]
mod conversation;

fuzz_target!(|text: &str| {
    let Ok(turns) = conversation::parse(text) else { return };
    let texts: Vec<_> = turns.into_iter().map(|turn| turn.text).collect();
    assert!(texts.iter().all(|one| !one.trim().is_empty()), "a message is blank");
    // An escape is longer than its character; parts are joined by a line feed.
    assert!(
        texts.iter().map(String::len).sum::<usize>() <= text.len(),
        "the texts are longer than the history"
    );
    // The same messages as a list, in the form that is read back.
    let messages: Vec<_> =
        texts.iter().rev().map(|one| serde_json::json!({ "role": "user", "content": one })).collect();
    let list = serde_json::Value::from(messages).to_string();
    let again = conversation::parse(&list).expect("because it is a history");
    assert!(again.iter().all(|turn| turn.is_question));
    // The latest message is the question, since all are the user's.
    let split = conversation::question(again).map(|(question, before)| {
        std::iter::once(question).chain(before.into_iter().map(|turn| turn.text)).collect::<Vec<_>>()
    });
    assert_eq!(split.unwrap_or_default(), texts);
});
