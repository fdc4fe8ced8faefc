//! Names whose values are secret, such as `password`, `api_key` or `secret`.

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

/// Returns where the value of `NAME=VALUE` begins if the name says that it is secret.
pub(super) fn behind_secret_name(word: &[u8]) -> Option<usize> {
    let equals = word.iter().position(|byte| *byte == b'=')?;
    is_secret_name(word.get(..equals)?).then_some(equals + 1)
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
        [before @ .., b'_' | b'-' | b' ', b'v' | b'V'] => before,
        [before @ .., b'V'] if before.last().is_some_and(u8::is_ascii_lowercase) => before,
        _ => name,
    };
    without_joint(name)
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
    without_joint(rest)
}

/// Leaves out what joins a word to the name before it. The name of a column may have a blank:
/// `Password 2`.
fn without_joint(name: &[u8]) -> &[u8] {
    match name {
        [before @ .., b'_' | b'-' | b' '] => before,
        _ => name,
    }
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
