//! A chat history as JSON → the texts of its messages.
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

/// Returns the texts of the messages, latest first, without system messages and empty ones.
///
/// # Errors
/// A text that is not a chat history.
pub(super) fn parse(text: &str) -> anyhow::Result<Vec<String>> {
    let value: serde_json::Value = serde_json::from_str(text)?;
    let (History::List(messages) | History::Object { messages }) = serde_json::from_value(value)
        // serde's error would name our types, which means nothing to the user.
        .map_err(|_| {
            anyhow::anyhow!(
                "expected a list of objects with 'role' and 'content', or an object with that list \
                as 'messages'"
            )
        })?;
    let texts = messages.into_iter().rev().filter(|one| !matches!(one.role.as_str(), "system" | "developer"));
    let texts = texts.filter_map(|message| match message.content? {
        Content::Text(text) => Some(text),
        Content::Parts(parts) => {
            Some(parts.into_iter().filter_map(|part| part.text).collect::<Vec<_>>().join("\n"))
        }
    });
    Ok(texts.filter(|text| !text.trim().is_empty()).collect())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_latest_turn_comes_first() {
        let history = r#"{"model": "m", "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {}}]},
            {"role": "assistant", "content": null, "tool_calls": []},
            {"role": "tool", "content": "b"},
            {"role": "user", "content": " "}
        ]}"#;
        assert_eq!(parse(history).unwrap(), ["b", "a"]);
        assert_eq!(parse(r#"[{"role": "user", "content": "x"}]"#).unwrap(), ["x"]);
        assert!(parse("[1]").is_err() && parse("{}").is_err() && parse("").is_err());
    }
}
