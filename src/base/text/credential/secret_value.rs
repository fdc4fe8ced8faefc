//! Values that mix letters and digits as no name does. A plain word (`"changeme"`) is kept.

use super::LONGEST;

/// The shortest value in bytes.
const SHORTEST: usize = 8;

/// Returns whether a value without quotes mixes letters and digits as no name does.
pub(super) fn is_secret(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_graphic)
        && !value.first().is_some_and(|byte| b"$%{<[(/.~*#@".contains(byte))
        && is_mixed(value)
}

/// Returns whether the content of a string mixes letters and digits as no name does, and is not a
/// pattern, path, checksum, colour or variable.
pub(super) fn is_quoted_secret(value: &[u8]) -> bool {
    // A UUID may stand in braces, as a variable does.
    if let [b'{', inner @ .., b'}'] = value
        && is_hexadecimal_in_groups(inner)
    {
        return true;
    }
    let is_path = || value.iter().skip(1).any(|byte| *byte == b'/');
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
    let is_else = match value {
        // An expression that matches text.
        [b'[' | b'(' | b'^' | b'\\', ..] => true,
        [b'/' | b'.' | b'~' | b'@', ..] if is_path() => true,
        // A checksum as npm and browsers write it.
        [b's', b'h', b'a', b'1'..=b'5', rest @ ..] if rest.iter().take(3).any(|byte| *byte == b'-') => true,
        // A colour.
        [b'#', digits @ ..] if digits.iter().all(u8::is_ascii_hexdigit) => true,
        [b'$', name @ ..] if name.iter().all(is_name) => true,
        [first, .., last] => {
            [b"<>", b"{}", b"%%", b"@@", b"$$", b"**"].iter().any(|pair| **pair == [*first, *last])
        }
        _ => true,
    };
    value.iter().all(|byte| byte.is_ascii_graphic() || !byte.is_ascii()) && !is_else && is_mixed(value)
}

/// Returns whether a value mixes letters and digits as no name does, and nothing is inserted in it.
fn is_mixed(value: &[u8]) -> bool {
    let is_mixed = || {
        let n = value.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
        value.iter().any(u8::is_ascii_alphabetic)
            && value.iter().any(u8::is_ascii_digit)
            && ![&b"${"[..], b"{{", b"#{", b"%(", b"://", b"<%", b"$("]
                .iter()
                .any(|part| value.windows(part.len()).any(|w| w == *part))
            // A variable of a template: `%HOST`.
            && !value.windows(5).any(|w| w.starts_with(b"%") && w.iter().skip(1).all(u8::is_ascii_uppercase))
            && super::changes(value) >= 3
            && super::in_words(value) * 10 < n * 6
    };
    (SHORTEST..=LONGEST).contains(&value.len()) && (is_mixed() || is_hexadecimal_in_groups(value))
}

/// Returns whether a value consists of groups of hexadecimal digits, as a UUID does, also of one
/// that has few letters.
fn is_hexadecimal_in_groups(value: &[u8]) -> bool {
    let n_joints = value.iter().filter(|byte| **byte == b'-').count();
    let is_group = |group: &[u8]| !group.is_empty() && group.iter().all(u8::is_ascii_hexdigit);
    n_joints > 0
        && value.len() - n_joints >= super::LEAST
        && value.iter().any(u8::is_ascii_digit)
        && value.split(|byte| *byte == b'-').all(is_group)
}
