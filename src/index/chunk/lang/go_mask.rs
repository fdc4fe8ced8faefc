//! The text that Go's parser sees: text → text of the same length.
//!
//! `new` takes a value since Go 1.26: `new(int64(5))`. The grammar reads only types there, and the
//! place would cost the statement around it. Here such a `new` becomes another name, so the
//! arguments are read as those of any call. Offsets stay, so names come from the real text.

use crate::base::text::{head, words};
use std::borrow::Cow;

/// What is looked for.
const NEW: &str = "new";

/// What the parser sees of it.
const CALLED: &[u8] = b"n_w";

/// Words that begin a type and are never names.
const TYPES: [&str; 5] = ["chan", "func", "interface", "map", "struct"];

/// Most bytes of an argument that are looked at. Many calls in one line would otherwise take a
/// square of the time.
const MAX_ARGUMENT: usize = 1000;

/// Returns the text that the parser sees.
pub(super) fn readable(text: &str) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    for at in words(text, NEW) {
        let argument = text.get(at + NEW.len()..).and_then(|behind| behind.strip_prefix('('));
        let is_member = text.get(..at).is_some_and(|before| before.ends_with('.'));
        if let Some(argument) = argument.filter(|_| !is_member)
            && is_value(head(argument, MAX_ARGUMENT).trim_start())
            && let Some(name) = seen.to_mut().get_mut(at..at + CALLED.len())
        {
            name.copy_from_slice(CALLED);
        }
    }
    seen
}

/// Returns whether the text begins with a value that can't be read as a type. The name of a
/// variable can.
fn is_value(text: &str) -> bool {
    if text.starts_with(|c: char| c.is_ascii_digit() || "\"'`&!-+^".contains(c)) {
        return true;
    }
    // An array, or the elements of a list: `[]int{1}`.
    let mut rest = text;
    while let Some(behind) = rest.strip_prefix('[') {
        rest = behind_bracket(behind);
    }
    let path = rest.trim_start_matches(|c: char| is_part(c) || c == '.');
    let name = rest.get(..rest.len() - path.len()).unwrap_or_default();
    if name.is_empty() || TYPES.contains(&name) {
        return false;
    }
    // Type arguments, or an index.
    let behind = path.strip_prefix('[').map_or(path, behind_bracket).trim_start_matches(' ');
    let is_comment = behind.starts_with("//") || behind.starts_with("/*");
    !is_comment && behind.starts_with(|c: char| "({.+-*/%&|^<>=!".contains(c))
}

/// Returns what follows the bracket that closes, within the line.
fn behind_bracket(text: &str) -> &str {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            '\n' => break,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..).unwrap_or_default();
        }
    }
    ""
}

/// Returns whether a character belongs to a name.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_takes_a_value() {
        let values = [
            "new(int64(5))",
            "new(\"text\")",
            "new(a.b.C())",
            "new(Point{1, 2})",
            "new(list[0] + 1)",
            "new(pick[int](5))",
            "new([]int{1})",
            "new(n - 1)",
            "new(any.(int))",
            "new( -1)",
        ];
        for value in values {
            let seen = readable(value);
            assert_eq!(&seen[..3], CALLED, "{value}");
            assert_eq!(&seen[3..], &value.as_bytes()[3..], "{value}");
        }
    }

    #[test]
    fn types_and_other_names_stay() {
        let others = [
            "new(T)",
            "new(a.T)",
            "new(*T)",
            "new([]T)",
            "new([4]map[K]V)",
            "new(List[int])",
            "new(T /* not null */)",
            "new(map[K]V)",
            "new(func(int) int)",
            "new(struct{ n int })",
            "renew(f(5))",
            "x.new(f(5))",
            "new(",
            "new([",
        ];
        for other in others {
            assert_eq!(readable(other), other.as_bytes());
        }
    }
}
