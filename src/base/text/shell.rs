//! Words of a command line that a message shows.
//!
//! Owns [`shell_word`]. A hint is a command that works when it is copied, so a path with a space
//! needs quotes. They are double, because messages have the whole command in single ones.

use std::borrow::Cow;

/// Returns a value as one word of a command line: unchanged if no shell reads it otherwise, else in
/// double quotes.
///
/// ```
/// use git_cora::base::text::shell_word;
/// assert_eq!(shell_word("src/main.rs"), "src/main.rs");
/// assert_eq!(shell_word("my file"), "\"my file\"");
/// ```
pub fn shell_word(value: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_./:@%+,=^~-".contains(c);
    if !value.is_empty() && !value.starts_with('~') && value.chars().all(is_plain) {
        return Cow::Borrowed(value);
    }
    if value.chars().any(char::is_control) {
        return Cow::Owned(escaped(value));
    }
    let mut word = String::with_capacity(value.len() + 2);
    word.push('"');
    for c in value.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            word.push('\\');
        }
        word.push(c);
    }
    word.push('"');
    Cow::Owned(word)
}

/// Returns a value with control characters in the form `$'…'`, which Bash, Zsh and POSIX from 2024
/// on know. As they are, they would not survive being printed and pasted.
fn escaped(value: &str) -> String {
    let mut word = "$'".to_owned();
    for c in value.chars() {
        match c {
            '\n' => word.push_str("\\n"),
            '\t' => word.push_str("\\t"),
            '\'' | '\\' => word.extend(['\\', c]),
            c if c.is_control() => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    word.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => word.push(c),
        }
    }
    word.push('\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_one_word_for_a_shell() {
        for (value, expected) in [
            ("HEAD~3", "HEAD~3"),
            ("a/b-c.rs:12", "a/b-c.rs:12"),
            ("größe", "größe"),
            ("", "\"\""),
            ("~/a", "\"~/a\""),
            ("operator<", "\"operator<\""),
            ("a\tb\nc", "$'a\\tb\\nc'"),
            ("it's\\\n", "$'it\\'s\\\\\\n'"),
            ("\u{1b}\u{7f}", "$'\\033\\177'"),
            ("it's", "\"it's\""),
            ("a\\b", "\"a\\\\b\""),
            ("$(rm -r .)", "\"\\$(rm -r .)\""),
            ("`x`", "\"\\`x\\`\""),
            ("say \"hi\"", "\"say \\\"hi\\\"\""),
            ("a;b", "\"a;b\""),
            ("*.c", "\"*.c\""),
        ] {
            assert_eq!(shell_word(value), expected, "{value}");
        }
    }
}
