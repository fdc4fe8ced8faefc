//! The text of a string as a grammar sees it: without the escapes of strings, and with plain
//! values in place of what the program puts in.
//!
//! Each byte keeps its place, so that what the grammar finds stands in the file at the same one.

/// Returns the text as the grammar sees it: of the same length, without the escapes of strings, and
/// with plain values in place of what the program puts in.
pub(super) fn mask(content: &str, language: &str) -> Vec<u8> {
    let mut out = content.as_bytes().to_vec();
    let bytes = content.as_bytes();
    let is_sql = language == "sql";
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let mut at = 0;
    while at < bytes.len() {
        let (end, placeholder) = match (byte(at), byte(at + 1)) {
            (b'\\', b'n' | b't' | b'r' | b'\n') => (at + 2, Placeholder::Blank),
            (b'\\', _) => (at + 1, Placeholder::Blank),
            (b'$' | b'#', b'{') => (braces(bytes, at + 1), Placeholder::Value),
            (b'{', _) if is_sql => (braces(bytes, at), Placeholder::Value),
            (b'$', next) if is_sql && (next.is_ascii_alphabetic() || next == b'_') => {
                let end = at + 1 + name_len(bytes, at + 1);
                // Two dollars quote the body of a function.
                if byte(end) == b'$' { (end + 1, Placeholder::None) } else { (end, Placeholder::Value) }
            }
            (b'%', b'(') if is_sql => (percent(bytes, at), Placeholder::Value),
            (b'%', b's' | b'd' | b'v' | b'q' | b'i') if is_sql && !byte(at + 2).is_ascii_alphanumeric() => {
                (at + 2, Placeholder::Value)
            }
            (b':', b':') => (at + 2, Placeholder::None),
            (b':', next) if is_sql && (next.is_ascii_alphabetic() || next == b'_') => {
                (at + 1 + name_len(bytes, at + 1), Placeholder::Value)
            }
            _ => (at + 1, Placeholder::None),
        };
        let is_name = is_sql && matches!(placeholder, Placeholder::Value) && is_relation_next(&out, at);
        let slots = out.get_mut(at..end).unwrap_or_default();
        match placeholder {
            Placeholder::None => {}
            Placeholder::Value if is_name => slots.fill(b'x'),
            Placeholder::Value if is_sql => {
                slots.fill(b'0');
                slots.iter_mut().take(1).for_each(|first| *first = b'$');
            }
            Placeholder::Blank | Placeholder::Value => {
                slots.iter_mut().filter(|one| !one.is_ascii_whitespace()).for_each(|one| *one = b' ');
            }
        }
        at = end.max(at + 1);
    }
    out
}

/// What the grammar sees in place of a part of a text.
enum Placeholder {
    /// The text itself.
    None,
    /// White space.
    Blank,
    /// A parameter, or a name where only a name can be.
    Value,
}

/// Returns the length of the name that begins at a byte.
fn name_len(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

/// Returns where braces end that begin at a byte; the end of the text, if nothing closes them.
fn braces(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0usize;
    for (n, byte) in bytes.iter().enumerate().skip(at) {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return n + 1;
        }
    }
    bytes.len()
}

/// Returns where `%(name)s` ends that begins at a byte.
fn percent(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let close = rest.iter().take(80).position(|&byte| byte == b')');
    close.map_or(at + 1, |close| (at + close + 2).min(bytes.len()))
}

/// Returns whether the word before a byte is one that the name of a table follows.
fn is_relation_next(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default().trim_ascii_end();
    let start = before.iter().rposition(|byte| !byte.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let word = before.get(start..).unwrap_or_default();
    let is_word = |one: &&[u8]| one.eq_ignore_ascii_case(word);
    let words: [&[u8]; 5] = [b"from", b"join", b"into", b"update", b"table"];
    words.iter().any(is_word) || before.ends_with(b".")
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    #[test]
    fn what_a_program_puts_in_is_masked() {
        for (text, expected) in [
            ("f§\"SELECT a FROM {table} WHERE b = {c}\"§", "SELECT a FROM xxxxxxx WHERE b = $00"),
            ("sql§`SELECT a FROM b WHERE c = ${d.e}`§", "SELECT a FROM b WHERE c = $00000"),
            (
                "§\"SELECT a FROM b WHERE c = :id::int AND d = %s\"§",
                "SELECT a FROM b WHERE c = $00::int AND d = $0",
            ),
            ("§\"SELECT a\\nFROM b WHERE c = %(id)s\"§", "SELECT a  FROM b WHERE c = $00000"),
            ("gql§`query A { ...B } ${B}`§", "query A { ...B }     "),
            ("gql§`query A { b(c: \\\"d\\\") }`§", "query A { b(c:  \"d \") }"),
        ] {
            assert_eq!(found(text).map(|(_, masked)| masked).as_deref(), Some(expected), "{text}");
        }
    }
}
