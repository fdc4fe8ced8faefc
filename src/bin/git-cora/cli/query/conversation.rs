//! A chat history as JSON → its messages that have text.
//!
//! Accepts the forms that chat APIs use: a list, or an object with `messages`; contents as text or
//! as parts. It reads no file, and imports no other module of the program.

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(untagged)]
enum History {
    List(Vec<Message>),
    Object { messages: Vec<Message> },
}

#[derive(Deserialize)]
struct Message {
    role: String,
    #[serde(default)]
    content: Option<Content>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

/// A part of a message; parts that are not text, such as images, have none.
#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

/// A message that has text.
#[derive(Debug, PartialEq)]
pub(super) struct Turn {
    /// What it says; not blank.
    pub(super) text: String,
    /// Whether the user wrote it.
    pub(super) is_question: bool,
}

/// Returns the messages, latest first, without system messages and those without text.
///
/// # Errors
/// A text that is not a chat history.
pub(super) fn parse(text: &str) -> anyhow::Result<Vec<Turn>> {
    let value: serde_json::Value = serde_json::from_str(text)?;
    let (History::List(messages) | History::Object { messages }) = serde_json::from_value(value)
        // serde's error would name our types, which means nothing to the user.
        .map_err(|_| {
            anyhow::anyhow!(
                "expected a list of objects with 'role' and 'content', or an object with that list \
                as 'messages'"
            )
        })?;
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
    Ok(turns.collect())
}

#[cfg(test)]
mod tests {
    use super::{Turn, parse};

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
        assert!(parse("[1]").is_err() && parse("{}").is_err() && parse("").is_err());
    }
}
