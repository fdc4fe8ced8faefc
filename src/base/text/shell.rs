//! Words of a command line that a message shows.
//!
//! Owns [`shell_word`] and [`shell_path`]. A hint is a command that works when it is copied, so a
//! path with a space needs quotes. They are double, because messages have the whole command in
//! single ones.

use std::borrow::Cow;
use std::ffi::OsStr;

use bstr::ByteSlice;

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
        return Cow::Owned(escaped(value.as_bytes()));
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

/// Returns a path as one word of a command line, as [`shell_word`] does. If it is not UTF-8, its
/// bytes are escaped.
pub fn shell_path(path: &OsStr) -> Cow<'_, str> {
    match (path.to_str(), <[u8]>::from_os_str(path)) {
        (Some(text), _) => shell_word(text),
        (None, Some(bytes)) => Cow::Owned(escaped(bytes)),
        (None, None) => Cow::Owned(shell_word(&path.to_string_lossy()).into_owned()),
    }
}

/// Returns a value with control characters, or with bytes that are not UTF-8, in the form `$'…'`,
/// which Bash, Zsh and POSIX from 2024 on know. As they are, they would not survive being printed
/// and pasted.
fn escaped(value: &[u8]) -> String {
    let mut word = "$'".to_owned();
    let octal = |word: &mut String, bytes: &[u8]| {
        bytes.iter().for_each(|byte| word.push_str(&format!("\\{byte:03o}")));
    };
    for part in value.utf8_chunks() {
        for c in part.valid().chars() {
            match c {
                '\n' => word.push_str("\\n"),
                '\t' => word.push_str("\\t"),
                '\'' | '\\' => word.extend(['\\', c]),
                c if c.is_control() => octal(&mut word, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => word.push(c),
            }
        }
        octal(&mut word, part.invalid());
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
        let odd = b"it's caf\xe9".to_os_str();
        assert_eq!(
            odd.map(shell_path).unwrap_or_default(),
            if cfg!(unix) { "$'it\\'s caf\\351'" } else { "" }
        );
    }
}
