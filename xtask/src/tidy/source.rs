//! Rust source taken apart as far as the checks need it: code here, comments and literals there.
//!
//! No parser: the conventions are about words and lines, and a lexer that finds comments and
//! literals is enough. Positions are kept, so that a place in one part is the place in the file.

/// Returns the number of the line, from 1, that the byte at `at` is in.
pub(super) fn line_of(code: &str, at: usize) -> usize {
    code.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Replaces code by spaces and keeps comments, literals and line feeds: what people read.
pub(super) fn prose(text: &str) -> String {
    let code = code(text);
    let pairs = text.bytes().zip(code.bytes());
    let kept: Vec<u8> =
        pairs.map(|(byte, code)| if code.is_ascii_whitespace() { byte } else { b' ' }).collect();
    String::from_utf8_lossy(&kept).into_owned()
}

/// Returns the strings of a source, in order, as the program sees them but for escapes: a line that
/// ends in a backslash continues in the next.
pub(crate) fn strings(text: &str) -> Vec<String> {
    let code = code(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        let is_blanked = code.as_bytes()[at] == b' ' && rest[0] != b' ';
        if !is_blanked {
            at += 1;
            continue;
        }
        let len = if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            block_comment_len(rest)
        } else if let Some(len) = raw_string_len(rest) {
            found.extend(text.get(at..at + len).map(|raw| inner(raw).to_owned()));
            len
        } else if rest[0] == b'"' {
            let len = quoted_len(rest, b'"').min(rest.len());
            found.extend(text.get(at..at + len).map(|quoted| joined(inner(quoted))));
            len
        } else if rest[0] == b'\'' {
            char_len(text, at).unwrap_or_else(|| quoted_len(rest, b'\''))
        } else {
            1
        };
        at += len.max(1);
    }
    found
}

/// Returns what is between the first and the last quote.
fn inner(literal: &str) -> &str {
    let start = literal.find('"').map_or(0, |at| at + 1);
    literal.rfind('"').and_then(|end| literal.get(start..end)).unwrap_or_default()
}

/// Joins the lines of a string that a backslash continues.
fn joined(text: &str) -> String {
    let mut out = String::new();
    for (ord, part) in text.split("\\\n").enumerate() {
        out += if ord == 0 { part } else { part.trim_start() };
    }
    out
}

/// Replaces comments and literals by spaces and keeps line feeds: what the compiler reads.
pub(super) fn code(text: &str) -> String {
    blanked(text, b' ')
}

/// Replaces each byte of comments and literals by `blank`, and keeps line feeds.
pub(super) fn blanked(text: &str, blank: u8) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let in_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            at + block_comment_len(rest)
        } else if !in_word && raw_string_len(rest).is_some() {
            at + raw_string_len(rest).unwrap_or(1)
        } else if rest[0] == b'"' {
            at + quoted_len(rest, b'"')
        } else if rest[0] == b'\'' && (rest.get(1) == Some(&b'\\') || char_len(text, at).is_some()) {
            at + char_len(text, at).unwrap_or_else(|| quoted_len(rest, b'\''))
        } else {
            at += 1;
            continue;
        };
        let end = end.min(bytes.len());
        out[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = blank);
        at = end;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the length of a block comment in bytes; block comments nest.
fn block_comment_len(rest: &[u8]) -> usize {
    let (mut at, mut level) = (0, 0_u32);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            (level, at) = (level + 1, at + 2);
        } else if rest[at..].starts_with(b"*/") {
            (level, at) = (level - 1, at + 2);
            if level == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// Returns the length of a raw string in bytes, including its prefix, if one begins here.
fn raw_string_len(rest: &[u8]) -> Option<usize> {
    let prefix = rest.iter().take_while(|byte| matches!(byte, b'r' | b'b' | b'c')).count();
    if prefix == 0 || prefix > 2 || rest[prefix - 1] != b'r' {
        return None;
    }
    let n_hashes = rest[prefix..].iter().take_while(|byte| **byte == b'#').count();
    let open = prefix + n_hashes;
    if rest.get(open) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(n_hashes + 1, b'#');
    let body = &rest[open + 1..];
    let len = body.windows(close.len()).position(|window| window == close).unwrap_or(body.len());
    Some(open + 1 + len + close.len())
}

/// Returns the length of a literal with escapes in bytes, including both quotes.
fn quoted_len(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Returns the length in bytes of an unescaped character literal at `at`; `None` for a lifetime.
fn char_len(text: &str, at: usize) -> Option<usize> {
    let mut chars = text.get(at + 1..)?.chars();
    let c = chars.next()?;
    (c != '\\' && chars.next() == Some('\'')).then(|| c.len_utf8() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_found_whole() {
        let text =
            "f(\"a \\\n   b\", 'x', r#\"c \"d\"\"#) // \"no\"\n/* \"no\" */ g('\"', '\\'', \"e\\\"f\")";
        assert_eq!(strings(text), ["a b", "c \"d\"", "e\\\"f"]);
    }

    #[test]
    fn code_and_prose_complete_each_other() {
        let text = "let é = \"a b\"; // told\n/* c\n d */ fn f() { 'x' } // é";
        let (code, prose) = (code(text), prose(text));
        assert!(!code.contains("told") && !code.contains("a b") && code.contains("fn f()"), "{code}");
        assert!(
            prose.contains("// told") && prose.contains("\"a b\"") && prose.contains("/* c\n d */"),
            "{prose}"
        );
        assert!(!prose.contains("let") && !prose.contains("fn") && prose.ends_with("// é"), "{prose}");
        assert_eq!((code.len(), code.lines().count(), prose.lines().count()), (text.len(), 3, 3));
        assert_eq!(line_of(&code, code.find("fn").unwrap_or_default()), 3);
    }
}
