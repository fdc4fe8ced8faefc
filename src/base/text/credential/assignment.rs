//! Values of names such as `password`, `api_key` or `secret`.
//!
//! Owns [`value`], and the rules for names and values that [`bare`](super::bare) shares. A value
//! is taken for a secret if it stands in quotes, or behind `NAME=` on a line of its own, and mixes
//! letters and digits as no name does. A plain word (`"changeme"`) is kept.

use super::{LONGEST, literal};

/// Ends of names of secret keys, in small letters and without `_`, `-` and blanks.
const KEYS: [&[u8]; 13] = [
    b"apikey",
    b"accesskey",
    b"secretkey",
    b"privatekey",
    b"authkey",
    b"accountkey",
    b"sharedkey",
    b"encryptionkey",
    b"signingkey",
    b"masterkey",
    b"hmackey",
    b"subscriptionkey",
    b"licensekey",
];

/// More letters than any of these has before `key`.
const LONGEST_KEY: usize = 20;

/// Ends of names of passwords, in the same form: `pass` alone also ends `bypass`.
const PASSES: [&[u8]; 10] = [
    b"dbpass",
    b"userpass",
    b"rootpass",
    b"adminpass",
    b"mailpass",
    b"smtppass",
    b"sshpass",
    b"storepass",
    b"keypass",
    b"requirepass",
];

/// Words that may follow such a name: environments, and what it is.
const FOLLOWING: [&[u8]; 12] = [
    b"prod",
    b"production",
    b"dev",
    b"development",
    b"test",
    b"staging",
    b"live",
    b"local",
    b"default",
    b"string",
    b"str",
    b"value",
];

/// What may stand before `NAME=VALUE` on a line.
const BEFORE: [&[u8]; 4] = [b"export", b"set", b"ENV", b"ARG"];

/// The shortest value in bytes.
const SHORTEST: usize = 8;

/// The most bytes before a name on its line.
pub(super) const LONGEST_INDENT: usize = 200;

/// Returns the start and the end of the secret that follows the word at `start`, which ends at
/// `end`.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let equals = word.iter().position(|byte| *byte == b'=');
    let name = word.get(..equals.unwrap_or(word.len()))?;
    if !is_secret_name(name) {
        return None;
    }
    let behind = equals.map_or(end, |at| start + at + 1);
    let rest = text.get(behind..end)?;
    if rest.iter().all(|byte| *byte == b'=') || literal::is_mark(rest, text, end) {
        let from = if rest.ends_with(b"=") { end } else { behind };
        let at = literal::behind_name(text, from, equals.is_some())?;
        return literal::secret(text, at);
    }
    (may_start_line(text, start) && starts_line(text, start)).then(|| behind_equals(text, behind)).flatten()
}

/// Returns whether a word is the first of its line, or the second behind one of [`BEFORE`]. Looks
/// back at most [`LONGEST_INDENT`] bytes, because a line may be as long as the text.
pub(super) fn starts_line(text: &[u8], start: usize) -> bool {
    let from = start.saturating_sub(LONGEST_INDENT);
    let before = text.get(from..start).unwrap_or_default();
    let begin = match before.iter().rposition(|byte| *byte == b'\n') {
        Some(at) => at + 1,
        None if from > 0 => return false,
        None => 0,
    };
    let before = before.get(begin..).unwrap_or_default().trim_ascii();
    before.is_empty() || BEFORE.contains(&before)
}

/// Returns whether [`starts_line`] may be true. A cheap look that nearly all words fail.
pub(super) fn may_start_line(text: &[u8], start: usize) -> bool {
    let before = |n: usize| start.checked_sub(n).and_then(|at| text.get(at));
    match before(1) {
        None | Some(b'\n') => true,
        Some(b' ' | b'\t') => before(2).is_none_or(|byte| b"\n\t tVG".contains(byte)),
        Some(_) => false,
    }
}

/// Returns the value of a line `NAME=VALUE` that starts at `at`.
fn behind_equals(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?;
    let len = rest.iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let ends = rest.get(len).is_none_or(|byte| b"\r\n".contains(byte));
    (ends && is_secret(rest.get(..len)?)).then_some((at, at + len))
}

/// Returns where a name begins whose last word is at `start` and ends at `end`. It has another word
/// where a text names a key: `API key: VALUE`.
pub(super) fn start_of_name(text: &[u8], start: usize, end: usize) -> usize {
    let is_key = text.get(start..end).is_some_and(|word| word.eq_ignore_ascii_case(b"key"));
    let Some(before) = text.get(..start).filter(|_| is_key).and_then(|text| text.strip_suffix(b" ")) else {
        return start;
    };
    // None of these is longer.
    let word = before.iter().rev().take(LONGEST_KEY).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let first = before.len() - word;
    if text.get(first..end).is_some_and(says_secret) { first } else { start }
}

/// Returns whether a name says that its value is secret. A number, a version, the name of an
/// environment or the word for a value may follow: `password2`, `token_v2`, `passwordProd`,
/// `secretString`.
pub(super) fn is_secret_name(name: &[u8]) -> bool {
    let name = without_number(name);
    let shorter = without_number(without_following(name));
    says_secret(name) || shorter.len() < name.len() && says_secret(shorter)
}

/// Returns whether a name ends in one of the words that say so.
fn says_secret(name: &[u8]) -> bool {
    // Nearly all words fail at the last two letters.
    let [.., before, last] = name else { return false };
    let (ends, words) = secret_words([before | 0x20, last | 0x20]);
    let is_end = |end: &&[u8]| {
        let mut letters = name.iter().rev().filter(|byte| !b"_- ".contains(byte)).map(u8::to_ascii_lowercase);
        end.iter().rev().all(|byte| letters.next() == Some(*byte))
    };
    ends.iter().any(is_end) || words.iter().any(|word| has_last_word(name, word))
}

/// Returns the words that say so and have these last two letters: those that may end a longer word,
/// and those that must be words of their own.
fn secret_words(ending: [u8; 2]) -> (&'static [&'static [u8]], &'static [&'static [u8]]) {
    match ending {
        [b'r', b'd'] => (&[b"password"], &[]),
        [b'w', b'd'] => (&[b"passwd", b"pwd"], &[]),
        [b's', b'e'] => (&[b"passphrase", b"secretkeybase"], &[]),
        [b'd', b'e'] => (&[b"passcode"], &[]),
        [b'e', b't'] => (&[b"secret"], &[]),
        [b'e', b'n'] => (&[b"token"], &[]),
        [b'a', b'l'] => (&[b"credential"], &[]),
        [b'l', b's'] => (&[b"credentials"], &[]),
        [b'd', b's'] => (&[], &[b"creds"]),
        [b's', b'k'] => (&[], &[b"psk"]),
        [b'p' | b't', b'w'] => (&[b"rootpw"], &[b"pw"]),
        [b's', b's'] => (&PASSES, &[b"pass"]),
        [b't', b'h'] => (&[], &[b"auth"]),
        [b'l', b't'] => (&[], &[b"salt"]),
        [b'e', b'y'] => (&KEYS, &[]),
        _ => (&[], &[]),
    }
}

/// Leaves out a number at the end of a name, with the `v` of a version before it.
fn without_number(name: &[u8]) -> &[u8] {
    let n_digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if n_digits == 0 {
        return name;
    }
    let name = name.get(..name.len() - n_digits).unwrap_or_default();
    let name = match name {
        [before @ .., b'_' | b'-', b'v' | b'V'] => before,
        [before @ .., b'V'] if before.last().is_some_and(u8::is_ascii_lowercase) => before,
        _ => name,
    };
    name.strip_suffix(b"_").or_else(|| name.strip_suffix(b"-")).unwrap_or(name)
}

/// Leaves out one of [`FOLLOWING`] at the end of a name.
fn without_following(name: &[u8]) -> &[u8] {
    let [.., before, last] = name else { return name };
    let rest = |word: &&[u8]| {
        let (rest, end) = name.split_at_checked(name.len().checked_sub(word.len())?)?;
        end.eq_ignore_ascii_case(word).then_some(rest)
    };
    let may_follow = may_end_following([before | 0x20, last | 0x20]);
    let Some(rest) = may_follow.then(|| FOLLOWING.iter().find_map(rest)).flatten() else { return name };
    rest.strip_suffix(b"_").or_else(|| rest.strip_suffix(b"-")).unwrap_or(rest)
}

/// Returns whether any of [`FOLLOWING`] has these last two letters.
fn may_end_following(ending: [u8; 2]) -> bool {
    matches!(
        ending,
        [b'o', b'd' | b'n']
            | [b'e', b'v']
            | [b'n', b't' | b'g']
            | [b's', b't']
            | [b'v', b'e']
            | [b'a', b'l']
            | [b'l', b't']
            | [b't', b'r']
            | [b'u', b'e']
    )
}

/// Returns whether a name is this word or ends in it as a word of its own: `db_pass` and `dbPass`
/// end in `pass`, and `bypass` does not.
fn has_last_word(name: &[u8], word: &[u8]) -> bool {
    let Some((before, last)) = name.len().checked_sub(word.len()).map(|at| name.split_at(at)) else {
        return false;
    };
    last.eq_ignore_ascii_case(word)
        && match (before.last(), last) {
            (None, _) => true,
            (Some(byte), _) if !byte.is_ascii_alphabetic() => true,
            (Some(byte), [first, ..]) => byte.is_ascii_lowercase() && first.is_ascii_uppercase(),
            (Some(_), []) => false,
        }
}

/// Returns whether a value without quotes mixes letters and digits as no name does.
pub(super) fn is_secret(value: &[u8]) -> bool {
    value.iter().all(u8::is_ascii_graphic)
        && !value.first().is_some_and(|byte| b"$%{<[(/.~*#@".contains(byte))
        && is_mixed(value)
}

/// Returns whether the content of a string mixes letters and digits as no name does, and is neither
/// a pattern nor a path.
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
    let n = value.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    let is_mixed = || {
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
    let mut n_digits = 0;
    let groups = value.split(|byte| *byte == b'-').map(|group| {
        n_digits += group.len();
        !group.is_empty() && group.iter().all(u8::is_ascii_hexdigit)
    });
    groups.filter(|is_hexadecimal| !is_hexadecimal).count() == 0
        && n_digits >= super::LEAST
        && n_digits < value.len()
        && value.iter().any(u8::is_ascii_digit)
}
