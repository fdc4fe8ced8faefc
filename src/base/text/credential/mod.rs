//! Words that look like credentials: keys, tokens, passwords made by machines.
//!
//! Owns [`is_credential`] and [`ranges`]. An index never stores such a word, because indexes are
//! shared, and nobody searches for a random string by its meaning. A password that a person chose
//! (`password = "hunter2"`) looks like any other word and is not found here.
//!
//! Eight kinds are recognised:
//!
//! - a known prefix, such as `ghp_`, with something random behind it;
//! - randomness alone: characters in an order that no name has;
//! - the secret part of an address, such as `https://user:PASSWORD@host`;
//! - the hash of a password, as in `/etc/shadow`;
//! - the value of a name such as `api_key`, in quotes or in one of the forms that need none, if it
//!   mixes letters and digits. The name may stand apart from it, as in two attributes;
//! - such a value in a list or in the column of a table that has such a name, or behind a user
//!   among the arguments of a call;
//! - any value of a secret in a manifest of Kubernetes;
//! - a value that looks random and stands near a name that speaks of something secret.
//!
//! `doc/guide/privacy.md` says what was measured.
//!
//! Everything is a pure function of the text, because it decides what a record holds.

mod address;
mod assignment;
mod bare;
mod call;
mod command;
mod hash;
mod list;
mod literal;
mod manifest;
mod near;
mod pair;
mod place;
mod prefix;
mod random;
mod secret_name;
mod secret_value;
mod table;
#[cfg(test)]
mod tests;

use std::cell::LazyCell;

use super::BYTE_ORDER_MARK;
use near::Letters;
use random::is_random;

/// The longest value, password or secret of an address in bytes.
const LONGEST: usize = 200;

/// The longest name in front of a known prefix in bytes.
const LONGEST_NAME: usize = 1000;

/// Fewest bytes of a credential.
const LEAST: usize = 16;

/// Fewest bytes of a credential without digits.
const LEAST_LETTERS: usize = 24;

/// The prefix of the only shorter credentials that may have no digit: ids of keys at Amazon.
const DIGITLESS: &[u8] = b"AKIA";

/// Beginnings of the first and the last line of a private key.
const KEY_BEGIN: &str = "-----BEGIN";
const KEY_END: &str = "-----END";

/// The first line of a private key has fewer bytes before `KEY`.
const MOST_HEAD: usize = 60;

/// The ids of keys at Amazon have 20 characters, of which these are the first.
const AMAZON: [&str; 4] = ["AKIA", "ASIA", "ABIA", "ACCA"];

/// Returns whether a word looks like a credential. A word is a run of letters, digits and any of
/// `_-+/=.`, as in a quoted string.
///
/// ```
/// use git_cora::base::text::credential::is_credential;
/// assert!(is_credential(b"ghp_1aB2cD3eF4gH5iJ6kL7mN8oP9"));
/// assert!(!is_credential(b"ghp_is_a_prefix_of_such_a_word"));
/// ```
pub fn is_credential(word: &[u8]) -> bool {
    let word = word.trim_ascii();
    if word.len() < LEAST || !may_be_secret(word) || !word.iter().all(|byte| is_part(*byte)) {
        return false;
    }
    has_known_prefix(word) || is_amazon_secret(word) || is_random(word)
}

/// Returns whether a word has the form of a known kind of credential, or holds one behind a name. A
/// word that only looks random does not.
pub fn has_known_form(word: &[u8]) -> bool {
    let word = word.trim_ascii();
    has_known_prefix(word) || is_amazon_secret(word) || known_suffix(word).is_some()
}

/// Returns the byte ranges of a text that look like credentials, sorted and without overlaps:
/// words, values, passwords in addresses, and the bodies of private keys.
pub fn ranges(text: &str) -> Vec<(usize, usize)> {
    // A byte order mark in front of a setting or of a table belongs to neither.
    let content = text.trim_start_matches(BYTE_ORDER_MARK);
    if is_harmless(content) {
        return Vec::new();
    }
    let before = text.len() - content.len();
    all_ranges(content).into_iter().map(|(start, end)| (start + before, end + before)).collect()
}

/// Returns whether a text certainly has no credential. Most texts are names of references, and this
/// look costs less than the others.
fn is_harmless(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < LEAST && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(byte)) {
        return true;
    }
    // The value of a name has a digit, and so has a hash.
    let may_be_address = bytes.contains(&b':') && text.contains(address::SCHEME);
    let may_be_key = bytes.contains(&b'-') && text.contains(KEY_BEGIN);
    !may_be_secret(bytes) && !may_be_address && !may_be_key
}

/// Returns the ranges by all rules.
fn all_ranges(text: &str) -> Vec<(usize, usize)> {
    let mut found = words(text);
    address::passwords(text, |start, end| found.push((start, end)));
    hash::passwords(text.as_bytes(), |start, end| found.push((start, end)));
    table::values(text.as_bytes(), |start, end| found.push((start, end)));
    manifest::values(text.as_bytes(), |start, end| found.push((start, end)));
    // A value may begin before a part of it that is found as a word.
    found.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::with_capacity(found.len());
    for (start, end) in found {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// Returns the words that look like credentials, the values of names that say so, and the bodies of
/// private keys, in no order; they may overlap.
fn words(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    // Looked for once: many keys without an end would each take a search of the whole text.
    let last_end = LazyCell::new(|| text.rfind(KEY_END));
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    // Lists and rows up to here were read. None is read twice, or many that are not closed would
    // take a square of the time.
    let mut read = 0;
    // Up to here, runs of characters near a name were read.
    let mut near = 0;
    // The last value. Words between its name and it may be credentials too.
    let mut skipped = (0, 0);
    while let Some(byte) = bytes.get(at) {
        if (skipped.0..skipped.1).contains(&at) {
            at = skipped.1;
            continue;
        }
        if !is_part(*byte) {
            // In a string, the letter of an escape does not belong to the word behind it.
            at += if *byte == b'\\' { escape(bytes.get(at + 1..).unwrap_or_default()) + 1 } else { 1 };
            continue;
        }
        let Word { len, has_digit, has_equals, letters } =
            Word::at_start(bytes.get(at..).unwrap_or_default());
        let word = bytes.get(at..at + len).unwrap_or_default();
        if word.starts_with(KEY_BEGIN.as_bytes())
            && let Some(end) = end_of_private_key(text, at, || *last_end)
        {
            found.push((at, end));
            at = end;
            continue;
        }
        if len >= LEAST && (has_digit || may_be_secret(word)) {
            let hook = address::webhook(word);
            found.extend(hook.and_then(|start| address::whole(bytes, at + start, at + len)));
            found.extend(parts(word).into_iter().map(|(start, end)| (at + start, at + end)));
        }
        let end = at + len;
        let start = secret_name::start_of_name(bytes, at, end);
        at = end;
        let word = bytes.get(start..end).unwrap_or_default();
        let says_secret = may_end_name(word) && secret_name::is_secret_name(word);
        if says_secret || near::speaks_of_secret(word, letters) {
            near = near::values(bytes, start, end, near, |start, end| found.push((start, end)));
        }
        if !has_equals && !says_secret && !may_have_value(bytes, start, word) {
            continue;
        }
        let rules = [assignment::value, bare::value, pair::value, command::value];
        if let Some(range) = rules.iter().find_map(|rule| rule(bytes, start, end)) {
            found.push(range);
            skipped = range;
        }
        // The first argument, or the first item of a list, may be a value too.
        found.extend(call::value(bytes, start, end));
        if start >= read {
            let mut add = |start, end| found.push((start, end));
            let list = list::values(bytes, start, end, &mut add);
            read = list.max(table::rows(bytes, start, end, &mut add));
        }
    }
    found
}

/// What one look at each byte of a word says.
struct Word {
    len: usize,
    has_digit: bool,
    has_equals: bool,
    letters: Letters,
}

impl Word {
    /// Returns the word at the start of a text.
    fn at_start(text: &[u8]) -> Self {
        let (mut len, mut kinds, mut letters) = (0, 0, Letters::default());
        for &byte in text {
            let kind = PART_KINDS.get(usize::from(byte)).copied().unwrap_or(NO_PART);
            if kind == NO_PART {
                break;
            }
            len += 1;
            kinds |= kind;
            letters = letters.with(byte);
        }
        Self { len, has_digit: kinds & DIGIT != 0, has_equals: kinds & EQUALS != 0, letters }
    }
}

/// The kinds of bytes in [`PART_KINDS`].
const NO_PART: u8 = 0;
const PART: u8 = 1;
const DIGIT: u8 = 2;
const EQUALS: u8 = 4;

/// By byte, whether it is part of a word, and of which kind. A table, because each byte of each
/// file is looked up.
static PART_KINDS: [u8; 256] = {
    let mut kinds = [NO_PART; 256];
    let mut byte = 0u8;
    while byte < u8::MAX {
        kinds[byte as usize] = match byte {
            b'0'..=b'9' => DIGIT,
            b'=' => EQUALS,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-' | b'+' | b'/' | b'.' => PART,
            _ => NO_PART,
        };
        byte += 1;
    }
    kinds
};

fn is_part(byte: u8) -> bool {
    PART_KINDS.get(usize::from(byte)).is_some_and(|kind| *kind != NO_PART)
}

/// Returns whether a secret value may follow the word at `start`, which has no `=`. A cheap look
/// that most words fail.
fn may_have_value(text: &[u8], start: usize, word: &[u8]) -> bool {
    word.starts_with(b"-")
        || start.checked_sub(1).and_then(|at| text.get(at)) == Some(&b':')
        || may_end_name(word) && (secret_name::is_secret_name(word) || list::is_plural(word))
        || has_ending(word, &ANNOUNCING_ENDINGS) && announces(word)
}

/// Returns whether a word announces a secret value and does not say that it is secret.
fn announces(word: &[u8]) -> bool {
    bare::SCHEMES.contains(&word)
        || pair::ANNOUNCING.contains(&word)
        || command::ANNOUNCING.contains(&word)
        || table::VALUES.contains(&word)
        || call::n_before(word).is_some()
}

/// Returns whether a word may be a name that says that its value is secret, or the plural of one.
fn may_end_name(word: &[u8]) -> bool {
    let may_end =
        |name: &[u8]| has_ending(name, &NAME_ENDINGS) || name.last().is_some_and(u8::is_ascii_digit);
    may_end(word) || list::singular(word).is_some_and(may_end)
}

/// The last two letters of words. The letter before the last is the number of a row. In it, bit *n*
/// stands for the letter *n* as the last.
type Endings = [u32; 32];

/// Returns whether a word ends in two letters of a table.
fn has_ending(word: &[u8], endings: &Endings) -> bool {
    let [.., before, last] = word else { return false };
    let row = endings.get(usize::from(before & 31)).copied().unwrap_or_default();
    row >> (last & 31) & 1 == 1
}

/// The endings of all names that say that their value is secret, and of the words that may follow.
static NAME_ENDINGS: Endings = endings(&[
    b"rd", b"wd", b"se", b"de", b"et", b"en", b"al", b"ls", b"ds", b"sk", b"pw", b"tw", b"ss", b"ey", b"th",
    b"lt", b"od", b"on", b"ev", b"nt", b"ng", b"st", b"ve", b"tr", b"ue",
]);

/// The endings of all words that announce a value.
static ANNOUNCING_ENDINGS: Endings =
    endings(&[b"er", b"ic", b"by", b"ty", b"in", b"te", b"ct", b"do", b"on", b"th", b"es", b"ng", b"lt"]);

/// Returns the rows of a table that has these endings.
const fn endings(all: &[&[u8; 2]]) -> Endings {
    let mut rows = [0; 32];
    let mut at = 0;
    while at < all.len() {
        rows[(all[at][0] & 31) as usize] |= 1 << (all[at][1] & 31);
        at += 1;
    }
    rows
}

/// Returns the length of an escape without its backslash: `n`, `r`, `t` or `u003d`.
fn escape(rest: &[u8]) -> usize {
    match rest {
        [b'n' | b'r' | b't', ..] => 1,
        [b'u', digits @ ..] => match digits.get(..4) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => 5,
            _ => 0,
        },
        _ => 0,
    }
}

/// Returns whether a word may be or hold a credential: it has a digit, is an id at Amazon, or has a
/// very long run of letters. Most long words are names without digits, and this look costs less
/// than the others.
fn may_be_secret(word: &[u8]) -> bool {
    let is_long = |piece: &[u8]| piece.len() >= LEAST_LETTERS;
    word.iter().any(u8::is_ascii_digit)
        || word.windows(DIGITLESS.len()).any(|four| four == DIGITLESS)
        || word.len() >= LEAST_LETTERS && word.split(|byte| !byte.is_ascii_alphabetic()).any(is_long)
}

/// Returns the parts of a word that are credentials: the word as a whole, or pieces between the
/// characters that join paths, settings and encoded data.
fn parts(word: &[u8]) -> Vec<(usize, usize)> {
    // Pieces of encoded data may be too short to tell, but not the whole. In a path or an address
    // it is the other way round.
    let padding = word.iter().rev().take_while(|byte| **byte == b'=').count();
    let data = word.get(..word.len() - padding).unwrap_or_default();
    let is_of = |joints: &[u8]| data.iter().all(|byte| byte.is_ascii_alphanumeric() || joints.contains(byte));
    let is_encoded = is_of(b"_-") || is_of(b"/+") && !word.starts_with(b"/");
    if has_known_prefix(word) || is_amazon_secret(word) || is_encoded && is_random(word) {
        return vec![(0, word.len())];
    }
    let mut found = Vec::new();
    for joints in [&b"/=+."[..], b"/=+.-", b"/=+.-_"] {
        let mut start = 0;
        for piece in word.split(|byte| joints.contains(byte)) {
            if is_credential(piece) {
                found.push((start, start + piece.len()));
            }
            start += piece.len() + 1;
        }
        if !found.is_empty() {
            return found;
        }
    }
    known_suffix(word).map(|start| (start, word.len())).into_iter().collect()
}

/// Returns where a known prefix in the middle of a word begins: what stands before it is a name.
fn known_suffix(word: &[u8]) -> Option<usize> {
    // Behind the last digit, nothing counts.
    let end = word.iter().rposition(u8::is_ascii_digit)?;
    (1..=end).take(LONGEST_NAME).find(|at| {
        let is_start = word.get(at - 1).is_some_and(|byte| b"/=+.-_".contains(byte));
        is_start && word.get(*at..).is_some_and(has_known_prefix)
    })
}

/// A set of bytes as a table.
struct ByteSet([bool; 256]);

impl ByteSet {
    /// Returns the set of ASCII letters and digits, and of these bytes.
    const fn alphanumeric_and(others: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut byte = 0u8;
        while byte < u8::MAX {
            set[byte as usize] = byte.is_ascii_alphanumeric();
            byte += 1;
        }
        let mut at = 0;
        while at < others.len() {
            set[others[at] as usize] = true;
            at += 1;
        }
        Self(set)
    }

    fn has(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte)).copied().unwrap_or_default()
    }
}

fn has_known_prefix(word: &[u8]) -> bool {
    let is_amazon_id = word.len() == 20
        && AMAZON.iter().any(|prefix| word.starts_with(prefix.as_bytes()))
        && word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && (word.starts_with(DIGITLESS) || word.iter().any(u8::is_ascii_digit));
    is_amazon_id
        || is_twilio_key(word)
        || is_postgres_hash(word)
        || prefix::secret_behind(word).is_some_and(|secret| {
            // A name that begins in the same way has words behind it, without digits or in one
            // case.
            secret.iter().any(u8::is_ascii_digit)
                && secret.iter().any(u8::is_ascii_alphabetic)
                && changes(secret) * 6 >= secret.len()
        })
}

/// Returns whether a word has the form of a key at Twilio: `SK` and 32 hexadecimal digits.
fn is_twilio_key(word: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
    word.len() == 34
        && word.strip_prefix(b"SK").is_some_and(|digits| digits.iter().all(is_digit))
        && word.iter().any(u8::is_ascii_digit)
}

/// Returns whether a word has the form of the hash of a password in PostgreSQL: `md5` and 32
/// hexadecimal digits.
fn is_postgres_hash(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"md5").filter(|digits| digits.len() == 32);
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Returns whether a word has the form of a secret key at Amazon: 40 characters of base 64.
fn is_amazon_secret(word: &[u8]) -> bool {
    let kinds = Kinds::of(word);
    word.len() == 40
        && kinds.is_mixed()
        && word.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/".contains(byte))
        && changes(word) * 5 >= word.len()
        && in_words(word) * 2 < word.len()
}

/// Returns the number of characters that stand in parts of a name: a capital with at least two
/// small letters behind it, or at least three small letters.
fn in_words(word: &[u8]) -> usize {
    let (mut n, mut run, mut is_capital) = (0, 0, false);
    for byte in word.iter().chain(b"-") {
        if byte.is_ascii_lowercase() {
            run += 1;
            continue;
        }
        let len = run + usize::from(is_capital && run > 0);
        n += if len >= 3 { len } else { 0 };
        (run, is_capital) = (0, byte.is_ascii_uppercase());
    }
    n
}

/// The kinds of characters in a word.
#[derive(Default)]
struct Kinds {
    has_lower: bool,
    has_upper: bool,
    has_digits: bool,
}

impl Kinds {
    fn of(word: &[u8]) -> Self {
        let mut kinds = Self::default();
        for byte in word {
            kinds.has_lower |= byte.is_ascii_lowercase();
            kinds.has_upper |= byte.is_ascii_uppercase();
            kinds.has_digits |= byte.is_ascii_digit();
        }
        kinds
    }

    fn is_mixed(&self) -> bool {
        self.has_lower && self.has_upper && self.has_digits
    }
}

/// Returns a character that stands for the kind of another.
fn kind(byte: u8) -> char {
    match byte {
        b'a'..=b'z' => 'a',
        b'A'..=b'Z' => 'A',
        b'0'..=b'9' => '0',
        _ => '-',
    }
}

/// Returns how often the kind of character changes from one to the next, but for a capital before a
/// small letter, as at the start of a word. Each run of digits counts once more, because names have
/// few.
fn changes(word: &[u8]) -> usize {
    let mut n = 0;
    let mut last = '-';
    for &byte in word {
        let next = kind(byte);
        let is_change = next != last && last != '-' && next != '-' && (last, next) != ('A', 'a');
        n += usize::from(is_change) + usize::from(next == '0' && last != '0');
        last = next;
    }
    n
}

/// Returns the end of the private key whose first line starts at `at`; `None` if it is not a
/// private key. A key without its last line ends with the text that can belong to it. `last_end`
/// returns where the last [`KEY_END`] of the text is.
fn end_of_private_key(text: &str, at: usize, last_end: impl Fn() -> Option<usize>) -> Option<usize> {
    let rest = text.get(at..)?;
    let key = rest.as_bytes().windows(3).take(MOST_HEAD).position(|three| three == b"KEY")?;
    let head = rest.get(..key)?;
    let is_private = head.contains("PRIVATE") && !head.contains('\n');
    let body = rest.get(head.len()..).filter(|_| is_private)?;
    let has_end = last_end().is_some_and(|last| last >= at + head.len());
    let end = match has_end.then(|| body.find(KEY_END)).flatten() {
        Some(end) => end,
        None => body
            .find(|c: char| !(c.is_ascii_alphanumeric() || c.is_whitespace() || "+/=-\\\"',:".contains(c)))
            .unwrap_or(body.len()),
    };
    Some(at + head.len() + end)
}
