//! A value of a request that the program can't read → what is wrong with it, in plain words.
//!
//! The libraries that read JSON use words of Rust: ``invalid type: string "a", expected usize``.

/// Returns what is wrong with a request. `place` is the path of the value in the request, or `.`
/// for all of it; `message` is what a library says.
pub(super) fn wrong_value(place: &str, message: &str) -> String {
    let quoted = message.replace('`', "'");
    let named = |name: &str| if place == "." { name.to_owned() } else { format!("'{place}': {name}") };
    if let Some((name, expected)) = rest_of(&quoted, "unknown field ") {
        return format!("{name} is unknown; {}", expected_names(expected));
    }
    if let Some((name, expected)) = rest_of(&quoted, "unknown variant ") {
        return named(&format!("{name} is unknown; {}", expected_names(expected)));
    }
    if let Some(name) = quoted.strip_prefix("missing field ") {
        return format!("{name} is missing");
    }
    if let Some(name) = quoted.strip_prefix("duplicate field ") {
        return format!("{name} is there twice");
    }
    let kinds = ["invalid type: ", "invalid value: "].iter().find_map(|begin| rest_of(&quoted, begin));
    if let Some((found, expected)) = kinds {
        return named(&format!("expected {}, not {}", kind(expected), value(found)));
    }
    named(&quoted)
}

/// Returns the two parts of a message with this beginning: what it found and what it expected.
fn rest_of<'m>(message: &'m str, begin: &str) -> Option<(&'m str, &'m str)> {
    let rest = message.strip_prefix(begin)?;
    // What was found may have a comma too.
    rest.rsplit_once(", expected ").or_else(|| rest.split_once(", "))
}

/// Returns what was expected: "expected one of 'a', 'b'".
fn expected_names(expected: &str) -> String {
    if expected.starts_with("there are no") {
        "nothing is expected".to_owned()
    } else {
        format!("expected {expected}")
    }
}

/// Returns what people call a kind of value that the libraries call so.
fn kind(theirs: &str) -> &str {
    match theirs {
        "usize" | "u8" | "u16" | "u32" | "u64" => "a whole number, 0 or more",
        "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "true or false",
        "a borrowed string" => "a string",
        "a sequence" | "sequence" => "a list",
        "a map" | "map" => "an object",
        "unit value" => "nothing",
        _ if theirs.starts_with("struct ") => "an object",
        _ => theirs,
    }
}

/// Returns what was found without the word for its kind in front: `"a"`, `1.5`, `true`.
fn value(found: &str) -> &str {
    let bare = ["string ", "integer ", "floating point ", "boolean "]
        .iter()
        .find_map(|kind| found.strip_prefix(kind));
    bare.map_or_else(|| kind(found), |value| value.trim_matches('\''))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Mode {
        Fast,
        Exact,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    struct Request {
        query: String,
        limit: Option<usize>,
        mode: Option<Mode>,
        paths: Option<Vec<String>>,
        deep: Option<bool>,
    }

    #[test]
    fn errors_are_in_plain_words() {
        for (request, expected) in [
            (json!({}), "'query' is missing"),
            (json!({"query": 1}), "'query': expected a string, not 1"),
            (json!({"query": null}), "'query': expected a string, not null"),
            (
                json!({"query": "a", "limit": "b, c"}),
                "'limit': expected a whole number, 0 or more, not \"b, c\"",
            ),
            (json!({"query": "a", "limit": -1}), "'limit': expected a whole number, 0 or more, not -1"),
            (json!({"query": "a", "limit": 1.5}), "'limit': expected a whole number, 0 or more, not 1.5"),
            (json!({"query": "a", "deep": 1}), "'deep': expected true or false, not 1"),
            (json!({"query": "a", "paths": {}}), "'paths': expected a list, not an object"),
            (json!({"query": "a", "paths": ["b", true]}), "'paths[1]': expected a string, not true"),
            (json!({"query": "a", "mode": "slow"}), "'mode': 'slow' is unknown; expected 'fast' or 'exact'"),
            (
                json!({"query": "a", "number": 1}),
                "'number' is unknown; expected one of 'query', 'limit', 'mode', 'paths', 'deep'",
            ),
        ] {
            let error = serde_path_to_error::deserialize::<_, Request>(request.clone()).unwrap_err();
            let found = wrong_value(&error.path().to_string(), &error.inner().to_string());
            assert_eq!(found, expected, "{request}");
        }
        assert_eq!(wrong_value(".", "duplicate field `a`"), "'a' is there twice");
        assert_eq!(
            wrong_value(".", "unknown field `a`, there are no fields"),
            "'a' is unknown; nothing is expected"
        );
    }
}
