//! Schemas of the tools: Rust types → JSON Schema, as short as possible.
//!
//! Every agent pays for the schemas in every session, so that parts which no agent acts on are
//! dropped. The readers of arguments accept the variants that agents write, such as a number as a
//! string.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};
use serde_json::Value;

/// Returns a read-only tool with arguments of type `T`.
pub(super) fn tool<T: JsonSchema>(name: &'static str, description: &'static str) -> Tool {
    let annotations = ToolAnnotations::new().read_only(true).open_world(false);
    Tool::new(name, Cow::Borrowed(description), Arc::new(schema::<T>())).with_annotations(annotations)
}

fn schema<T: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut value = settings.into_generator().into_root_schema_for::<T>().to_value();
    slim(&mut value, true);
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Removes parts of a schema that no agent acts on: names of Rust types, widths of numbers, and
/// that an optional argument may also be null.
fn slim(value: &mut Value, is_schema: bool) {
    match value {
        Value::Object(object) => {
            if is_schema {
                for key in ["$schema", "title", "format", "default"] {
                    object.remove(key);
                }
                if object.get("minimum") == Some(&Value::from(0)) {
                    object.remove("minimum");
                }
                if let Some(Value::Array(types)) = object.get_mut("type") {
                    types.retain(|one| one != "null");
                    if let [one] = types.as_slice() {
                        let one = one.clone();
                        object.insert("type".to_owned(), one);
                    }
                }
                if let Some(Value::Array(values)) = object.get_mut("enum") {
                    values.retain(|one| !one.is_null());
                }
                // schemars writes an optional enum as a choice of the enum and null.
                if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
                    choices.retain(|one| one.get("type") != Some(&Value::from("null")));
                    if let [Value::Object(one)] = choices.as_slice() {
                        let one = one.clone();
                        object.remove("anyOf");
                        for (key, value) in one {
                            object.entry(key).or_insert(value);
                        }
                    }
                }
            }
            // The keys below `properties` are names of arguments, not keywords.
            for (key, inner) in object.iter_mut() {
                slim(inner, key != "properties" || !is_schema);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|inner| slim(inner, true)),
        _ => {}
    }
}

/// Reads a list. Agents also write a single item, a list as a string, or null.
pub(super) fn list<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let items = match Value::deserialize(deserializer)? {
        Value::Null => Vec::new(),
        Value::Array(items) => items,
        Value::String(text) if text.trim_start().starts_with('[') => {
            serde_json::from_str(&text).unwrap_or_else(|_| vec![Value::String(text)])
        }
        one => vec![one],
    };
    items.into_iter().map(serde_json::from_value).collect::<Result<_, _>>().map_err(D::Error::custom)
}

/// Reads a number. Agents also write it with a decimal point, as a string, or null.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    let text = match Value::deserialize(deserializer)? {
        Value::Null => return Ok(None),
        Value::String(text) => text,
        other => other.to_string(),
    };
    let whole = text.trim();
    let whole =
        whole.split_once('.').filter(|(_, rest)| rest.bytes().all(|c| c == b'0')).map_or(whole, |one| one.0);
    let wrong = |_| D::Error::custom(format!("expected a whole number, 0 or more, not '{text}'"));
    whole.parse().map(Some).map_err(wrong)
}

/// Reads whether something is wanted. Agents also write it as a string, or null.
pub(super) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(false),
        Value::Bool(flag) => Ok(flag),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        other => Err(D::Error::custom(format!("expected true or false, not {other}"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::server::mcp::{INSTRUCTIONS, TOOLS};
    use git_cora::answer::view::tokens;

    /// Limit for the instructions and all schemas together, which every session pays before its
    /// first call.
    const MOST_TOKENS: usize = 1_600;

    #[test]
    fn arguments_are_read_as_agents_write_them() {
        let strings = |value: Value| super::list::<_, String>(value).map_err(|error| error.to_string());
        for (written, expected) in [
            (json!(null), vec![]),
            (json!("a"), vec!["a"]),
            (json!(["a", "b"]), vec!["a", "b"]),
            (json!("[\"a\", \"b\"]"), vec!["a", "b"]),
            (json!("[ab].rs"), vec!["[ab].rs"]),
        ] {
            assert_eq!(strings(written.clone()).unwrap(), expected, "{written}");
        }
        assert!(strings(json!([1])).is_err() && strings(json!({ "a": 1 })).is_err());
        let number = |value: Value| super::number(value).map_err(|error| error.to_string());
        for (written, expected) in [
            (json!(null), None),
            (json!(3), Some(3)),
            (json!(3.0), Some(3)),
            (json!(" 500 "), Some(500)),
            (json!("500.0"), Some(500)),
        ] {
            assert_eq!(number(written.clone()).unwrap(), expected, "{written}");
        }
        for wrong in [json!(3.5), json!(-1), json!("many"), json!(""), json!([3]), json!(true), json!(1e300)]
        {
            let error = number(wrong.clone()).unwrap_err();
            assert!(error.contains("a whole number, 0 or more, not '"), "{wrong}: {error}");
        }
        let flags = [json!(null), json!(true), json!("True"), json!("false"), json!(false)];
        assert_eq!(flags.map(|value| super::flag(value).unwrap()), [false, true, true, false, false]);
        assert!(super::flag(json!("yes")).is_err() && super::flag(json!(1)).is_err());
    }

    #[test]
    fn schemas_are_short_and_plain() {
        let mut all = tokens(INSTRUCTIONS);
        for entry in &TOOLS {
            let tool = serde_json::to_value((entry.tool)()).unwrap();
            assert_eq!(tool["name"], entry.name);
            let text = tool.to_string();
            for noise in ["$schema", "\"title\"", "null", "$ref", "uint", "anyOf"] {
                assert!(!text.contains(noise), "{noise} in {text}");
            }
            assert_eq!(tool["inputSchema"]["type"], "object", "{text}");
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{text}");
            for (name, argument) in tool["inputSchema"]["properties"].as_object().unwrap() {
                assert!(argument["description"].is_string(), "{name}: {argument}");
                assert!(argument["type"].is_string(), "{name}: {argument}");
            }
            all += tokens(&text);
        }
        assert!(all <= MOST_TOKENS, "{all} tokens");
    }

    #[test]
    fn texts_that_list_the_tools_list_all_of_them() {
        let names: Vec<String> = TOOLS.iter().map(|entry| format!("`{}`", entry.name)).collect();
        let (last, others) = names.split_last().unwrap();
        let list = format!("{} and {last}", others.join(", "));
        for (file, text) in [
            ("SKILL.md", include_str!("../../../../../plugin/skills/git-cora/SKILL.md")),
            ("the help of mcp", include_str!("../../cli/args/serve.rs")),
            ("CHANGELOG.md", include_str!("../../../../../CHANGELOG.md")),
        ] {
            let text = text.replace("///", "");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&list), "{file} does not list {list}");
        }
    }
}
