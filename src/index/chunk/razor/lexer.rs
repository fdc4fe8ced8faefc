//! Tokens of C# that a scanner of Razor skips: strings, characters, comments and balanced
//! parentheses.
//!
//! Each function takes a byte offset and returns where the token ends. A token that nothing closes
//! ends where its line or the text does, so the time is linear.

/// Longest expression in parentheses, in bytes; a longer one is data.
pub(super) const MAX_EXPRESSION: usize = 4000;

/// Returns the byte at an offset; 0 behind the end.
pub(super) fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or_default()
}

/// Returns whether a byte can be part of a name.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Returns where the name that begins at an offset ends.
pub(super) fn word_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_word(**byte)).count()
}

/// Returns where white space at an offset ends.
pub(super) fn space_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Returns where the line around an offset ends.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())
}

/// Returns where the string, character or comment at an offset ends; `None` if there is none.
pub(super) fn token_end(text: &str, at: usize) -> Option<usize> {
    match (byte(text, at), byte(text, at + 1)) {
        (b'"', _) => Some(string_end(text, at)),
        (b'\'', _) => Some(character_end(text, at)),
        (b'/', b'/') => Some(line_end(text, at)),
        (b'/', b'*') => {
            let rest = text.get(at + 2..).unwrap_or_default();
            Some(rest.find("*/").map_or(text.len(), |end| at + 2 + end + 2))
        }
        _ => None,
    }
}

fn string_end(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(at.saturating_sub(2)..at).unwrap_or_default();
    let is_verbatim = before.ends_with(b"@") || before == b"@$";
    let is_interpolated = before.ends_with(b"$") || before == b"$@";
    if text.get(at..).is_some_and(|rest| rest.starts_with("\"\"\"")) {
        let rest = text.get(at + 3..).unwrap_or_default();
        return rest.find("\"\"\"").map_or(text.len(), |end| at + 3 + end + 3);
    }
    let mut here = at + 1;
    let mut depth = 0u32;
    while here < text.len() {
        match byte(text, here) {
            b'"' if is_verbatim && byte(text, here + 1) == b'"' => here += 1,
            b'"' if depth == 0 => return here + 1,
            b'"' => {
                // A string in an interpolation.
                let line = text.as_bytes().get(here + 1..line_end(text, here)).unwrap_or_default();
                here += line.iter().position(|byte| *byte == b'"').map_or(0, |end| end + 1);
            }
            b'\\' if !is_verbatim => here += 1,
            b'\n' if !is_verbatim => return here,
            b'{' if is_interpolated && byte(text, here + 1) == b'{' => here += 1,
            b'{' if is_interpolated => depth += 1,
            b'}' if is_interpolated => depth = depth.saturating_sub(1),
            _ => {}
        }
        here += 1;
    }
    text.len()
}

fn character_end(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at + 1..).unwrap_or_default();
    let skipped = if rest.first() == Some(&b'\\') { 2 } else { 1 };
    let end = rest.iter().take(12).skip(skipped).position(|byte| *byte == b'\'');
    end.map_or(at + 1, |end| at + 1 + skipped + end + 1)
}

/// Returns where the parentheses, brackets or braces that open at an offset are closed; `None` if
/// they are not, or too far away.
pub(super) fn balanced(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0u32;
    let mut here = at;
    while here < text.len() && here - at <= MAX_EXPRESSION {
        if let Some(end) = token_end(text, here) {
            here = end;
            continue;
        }
        match byte(text, here) {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(here + 1);
                }
            }
            _ => {}
        }
        here += 1;
    }
    None
}

/// Returns where the expression that begins at an offset ends: a name, its members, and what is
/// called or indexed (`Model.Items[0].Name`, `Html.Raw(text)`). `closed` is [`balanced`].
pub(super) fn expression_end(text: &str, at: usize, mut closed: impl FnMut(usize) -> Option<usize>) -> usize {
    let mut end = word_end(text, at);
    loop {
        let (next, after) = (byte(text, end), byte(text, end + 1));
        let is_name = |at: usize| is_word(byte(text, at)) && !byte(text, at).is_ascii_digit();
        end = match (next, after) {
            (b'(' | b'[', _) => match closed(end) {
                Some(end) => end,
                None => return end,
            },
            (b'.', _) if is_name(end + 1) => word_end(text, end + 1),
            (b'?' | b'!', b'.') if is_name(end + 2) => word_end(text, end + 2),
            (b'?', b'[') | (b'!', b'[' | b'(') => end + 1,
            _ => return end,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_end_where_csharp_says() {
        for (text, end) in [
            ("\"a\\\"b\" c", 6),
            ("\"a\nb\"", 2),
            ("\"\"\"a \"b\" c\"\"\" d", 13),
            ("'\"' a", 3),
            ("'\\'' a", 4),
            ("// a\nb", 4),
            ("/* a */ b", 7),
        ] {
            assert_eq!(token_end(text, 0), Some(end), "{text}");
        }
        assert_eq!(token_end("@\"a\"\"b\" c", 1), Some(7));
        assert_eq!(token_end("$\"{a(\"b\")} c\" d", 1), Some(13));
        for sign in ["$@", "@$"] {
            let text = format!("{sign}\"{{a(\"b\")}} \"\"c\" d");
            assert_eq!(token_end(&text, 2), Some(16), "{text}");
        }
        assert_eq!(token_end("a", 0), None);
    }

    #[test]
    fn expressions_end_where_razor_says() {
        for (text, expression) in [
            ("Model.Name</p>", "Model.Name"),
            ("Model.Name. Next", "Model.Name"),
            ("Html.Raw(\"<b>)\") a", "Html.Raw(\"<b>)\")"),
            ("Items[0]?.Name!.First(x => x)-", "Items[0]?.Name!.First(x => x)"),
            ("count (1)", "count"),
            ("a.1", "a"),
            ("f(", "f"),
        ] {
            assert_eq!(
                text.get(..expression_end(text, 0, |at| balanced(text, at))),
                Some(expression),
                "{text}"
            );
        }
    }
}
