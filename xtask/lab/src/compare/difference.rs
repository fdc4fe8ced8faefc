//! The first difference between two outputs: where it is, and both values.
//!
//! JSON is compared by value, line by line, so that a difference is named by its path. Other text
//! is compared by line.

use serde_json::Value;

/// Length of a shown value in characters; the rest is cut off.
const MOST_CHARS: usize = 120;

/// Returns the first difference; `None` if the outputs are the same.
pub(super) fn first(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (mut old_lines, mut new_lines) = (old.lines(), new.lines());
    let mut line = 0;
    loop {
        line += 1;
        match (old_lines.next(), new_lines.next()) {
            // Only line ends differ.
            (None, None) => return Some("line ends differ".to_owned()),
            (Some(a), Some(b)) if a == b => {}
            (a, b) => {
                let difference = a.zip(b).and_then(|(a, b)| of_json(a, b));
                let difference = difference.unwrap_or_else(|| format!("{} and {}", shown(a), shown(b)));
                return Some(format!("line {line}: {difference}"));
            }
        }
    }
}

/// Returns the first difference between two lines of JSON; `None` if one of them is none.
fn of_json(old: &str, new: &str) -> Option<String> {
    let (old, new) = (serde_json::from_str(old).ok()?, serde_json::from_str(new).ok()?);
    // Equal values that are written differently: another order of keys, another form of a number.
    Some(of_values("", &old, &new).unwrap_or_else(|| "the same values, written differently".to_owned()))
}

fn of_values(path: &str, old: &Value, new: &Value) -> Option<String> {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                let path = format!("{path}/{key}");
                match (a.get(key), b.get(key)) {
                    (Some(a), Some(b)) => of_values(&path, a, b),
                    (a, b) => Some(format!("{path}: {} and {}", shown(a), shown(b))),
                }
            })
        }
        (Value::Array(a), Value::Array(b)) => {
            let difference = a
                .iter()
                .zip(b)
                .enumerate()
                .find_map(|(ord, (a, b))| of_values(&format!("{path}/{ord}"), a, b));
            let lengths = || format!("{path}: {} and {} items", a.len(), b.len());
            difference.or_else(|| (a.len() != b.len()).then(lengths))
        }
        _ => (old != new).then(|| format!("{path}: {} and {}", shown(Some(old)), shown(Some(new)))),
    }
}

fn shown<T: ToString>(value: Option<T>) -> String {
    let Some(value) = value else { return "nothing".to_owned() };
    let value = value.to_string();
    let mut cut: String = value.chars().take(MOST_CHARS).collect();
    if cut.len() < value.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_has_its_place_and_both_values() {
        let cases = [
            ("", "", None),
            ("{\"a\":1}\n", "{\"a\":1}\n", None),
            ("{\"a\":1}\n", "{\"a\":2}\n", Some("line 1: /a: 1 and 2")),
            ("{\"a\":[1,2]}", "{\"a\":[1]}", Some("line 1: /a: 2 and 1 items")),
            ("{\"a\":[{\"b\":\"x\"}]}", "{\"a\":[{\"b\":\"y\"}]}", Some("line 1: /a/0/b: \"x\" and \"y\"")),
            ("{\"a\":1}", "{\"a\":1,\"b\":2}", Some("line 1: /b: nothing and 2")),
            ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", Some("line 1: the same values, written differently")),
            ("a\nb\n", "a\nc\n", Some("line 2: b and c")),
            ("a\n", "a\nc\n", Some("line 2: nothing and c")),
            ("a\n", "a", Some("line ends differ")),
        ];
        for (old, new, expected) in cases {
            assert_eq!(first(old, new).as_deref(), expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn a_long_value_is_cut() {
        let difference = first(&"x".repeat(500), "y").unwrap_or_default();
        assert!(difference.contains('…') && difference.len() < 200, "{difference}");
    }
}
