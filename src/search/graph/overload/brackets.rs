//! The ends of strings and of type arguments in written code.

/// The length of a string or character literal at the start of `text`.
pub(in crate::search::graph) fn quoted(text: &str) -> Option<usize> {
    let quote = text.chars().next()?;
    if let Some(rest) = text.strip_prefix("\"\"\"") {
        return Some(rest.find("\"\"\"")? + 6);
    }
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' => return None,
            _ if c == quote => return Some(at + 1),
            _ => (),
        }
    }
    None
}

/// The length of type arguments at the start of `text`; `None` if that `<` is a comparison.
pub(in crate::search::graph) fn generic(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if depth == 1 => return Some(at + 1),
            '>' => depth -= 1,
            _ if c.is_alphanumeric() || c.is_whitespace() || "_.,?&*[]:@".contains(c) => (),
            _ => return None,
        }
    }
    None
}
