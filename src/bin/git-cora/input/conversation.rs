//! A chat history as JSON → its messages that have text.
//!
//! Accepts the forms that chat APIs use: a list, or an object with `messages`; contents as text or
//! as parts. Fields that say nothing about the text, such as the calls of tools, are ignored. The
//! HTTP server reads its messages with the same types, whose doc comments it publishes. This module
//! reads no file, and imports no other module of the program.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(untagged)]
enum History {
    List(Vec<Message>),
    Object { messages: Vec<Message> },
}

/// A message of a conversation. Further fields, as chat APIs have them, are ignored.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "http", derive(schemars::JsonSchema))]
pub(crate) struct Message {
    /// The author: `user`, `assistant`, `tool`, …. Messages of `system` and `developer` are
    /// ignored.
    role: String,
    /// The text; null if the message has none, as the call of a tool.
    #[serde(default)]
    content: Option<Content>,
}

/// The content of a message.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "http", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected 'content' to be a string or a list of parts")]
enum Content {
    /// All of it.
    Text(String),
    /// Its parts, as chat APIs have them.
    Parts(Vec<Part>),
}

/// A part of a message. Further fields are ignored.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "http", derive(schemars::JsonSchema))]
struct Part {
    /// Its text; parts that are not text, such as images, have none.
    #[serde(default)]
    text: Option<String>,
}

/// A message that has text.
#[derive(Debug, PartialEq)]
pub(crate) struct Turn {
    /// What it says; not blank.
    pub(crate) text: String,
    /// Whether the user wrote it.
    pub(crate) is_question: bool,
}

/// Returns the messages, latest first, without system messages and those without text.
///
/// # Errors
/// A text that is not a chat history.
pub(crate) fn parse(text: &str) -> anyhow::Result<Vec<Turn>> {
    let value: serde_json::Value = serde_json::from_str(text)?;
    let (History::List(messages) | History::Object { messages }) = serde_json::from_value(value)
        // serde's error would name our types, which means nothing to the user.
        .map_err(|_| {
            anyhow::anyhow!(
                "expected a list of objects with 'role' and 'content', or an object with that list \
                as 'messages'"
            )
        })?;
    Ok(turns(messages))
}

/// Returns those messages that have text, latest first, without system messages.
pub(crate) fn turns(messages: Vec<Message>) -> Vec<Turn> {
    let turns = messages.into_iter().rev().filter_map(|message| {
        let text = match message.content? {
            Content::Text(text) => text,
            Content::Parts(parts) => {
                parts.into_iter().filter_map(|part| part.text).collect::<Vec<_>>().join("\n")
            }
        };
        let is_kept = !matches!(message.role.as_str(), "system" | "developer") && !text.trim().is_empty();
        is_kept.then(|| Turn { text, is_question: message.role == "user" })
    });
    turns.collect()
}

/// Splits turns into the question, which is the user's last message, and the turns before it,
/// latest first. What follows the question does not count. `None` if the user wrote nothing.
pub(crate) fn question(mut turns: Vec<Turn>) -> Option<(String, Vec<Turn>)> {
    let at = turns.iter().position(|turn| turn.is_question)?;
    let question = turns.drain(..=at).next_back()?;
    Some((question.text, turns))
}

#[cfg(test)]
mod tests {
    use super::{Turn, parse, question};

    fn turn(text: &str, is_question: bool) -> Turn {
        Turn { text: text.to_owned(), is_question }
    }

    #[test]
    fn the_latest_message_comes_first() {
        let history = r#"{"model": "m", "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}]},
            {"role": "assistant", "content": null, "tool_calls": []},
            {"role": "tool", "content": "b"},
            {"role": "user", "content": " "}
        ]}"#;
        assert_eq!(parse(history).unwrap(), [turn("b", false), turn("a", true)]);
        assert_eq!(parse(r#"[{"role": "user", "content": "x"}]"#).unwrap(), [turn("x", true)]);
        let (asked, before) = question(vec![turn("d", false), turn("c?", true), turn("b", false)]).unwrap();
        assert_eq!((asked.as_str(), before), ("c?", vec![turn("b", false)]));
        assert_eq!(question(vec![turn("b", false)]), None);
        assert!(parse("[1]").is_err() && parse("{}").is_err() && parse("").is_err());
    }
}
