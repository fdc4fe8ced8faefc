//! Passwords near a name that speaks of something secret.
//!
//! Owns [`values`] and [`Letters`]. The other rules know in which form a value follows its name.
//! Here the form does not matter: `user, password = "joe", "VALUE"`, `password = <<EOT` with the
//! value below it, `<input type="password" value="VALUE">`, `"VALUE" # the password`. A value is a
//! run of characters between blanks, quotes and brackets. It stands in the line of the name, or in
//! one of the two lines below it. It must look random as well as mixed, because most words near
//! such a name are other names.

use super::LONGEST;
use super::place::has;
use super::random::looks_random;
use super::secret_value::is_secret;

/// How far to look to both sides, in bytes.
const NEAR: usize = 160;

/// How many lines to look at, with that of the name.
const N_LINES: usize = 3;

/// What a name has that speaks of something secret, in small letters and without `_` and `-`.
const SECRETS: [&[u8]; 14] = [
    b"passw",
    b"passphrase",
    b"passcode",
    b"pwd",
    b"secret",
    b"token",
    b"credential",
    b"apikey",
    b"accesskey",
    b"privatekey",
    b"login",
    b"sudo",
    b"adduser",
    b"crypt",
];

/// The most bytes of one of them as a part of a name, with `_` and `-`.
const LONGEST_SECRET: usize = 20;

/// A set of letters, without their case: bit *n* stands for the letter *n* of the alphabet.
#[derive(Clone, Copy, Default)]
pub(super) struct Letters(u32);

/// The letters of each of [`SECRETS`].
static LETTERS: [Letters; SECRETS.len()] = {
    let mut all = [Letters(0); SECRETS.len()];
    let mut at = 0;
    while at < SECRETS.len() {
        let mut letter = 0;
        while letter < SECRETS[at].len() {
            all[at] = all[at].with(SECRETS[at][letter]);
            letter += 1;
        }
        at += 1;
    }
    all
};

impl Letters {
    /// Returns the set with the letter of this byte. A byte that is not a letter may add one.
    pub(super) const fn with(self, byte: u8) -> Self {
        Self(self.0 | 1 << (byte & 31))
    }

    /// Returns whether all letters of another set are in this one.
    fn has_all(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }
}

/// Returns whether a name speaks of something secret. `letters` are those that it has; most names
/// lack some of each of [`SECRETS`].
pub(super) fn speaks_of_secret(name: &[u8], letters: Letters) -> bool {
    let possible = SECRETS.iter().zip(&LETTERS).filter(|(_, needed)| letters.has_all(**needed));
    possible.map(|(secret, _)| *secret).any(|secret| has_secret(name, secret))
}

/// Returns whether a name has one of [`SECRETS`], also with `_` or `-` in it.
fn has_secret(name: &[u8], secret: &[u8]) -> bool {
    let Some((first, others)) = secret.split_first() else { return false };
    let starts = |at: usize| {
        let rest = name.get(at..name.len().min(at + LONGEST_SECRET)).unwrap_or_default();
        let mut letters =
            rest.iter().skip(1).filter(|byte| !b"_-".contains(byte)).map(u8::to_ascii_lowercase);
        others.iter().all(|letter| letters.next() == Some(*letter))
    };
    name.iter().enumerate().any(|(at, byte)| byte.to_ascii_lowercase() == *first && starts(at))
}

/// Calls `add` with the start and the end of each password near the name at `start`, which ends at
/// `end`. Begins at `from` at the earliest. Returns where it stopped.
pub(super) fn values(
    text: &[u8],
    start: usize,
    end: usize,
    from: usize,
    mut add: impl FnMut(usize, usize),
) -> usize {
    let (first, last) = lines(text, start, end);
    let mut at = first.max(from);
    while at < last {
        let run = text.get(at..last).unwrap_or_default();
        let run = run.split(|byte| is_boundary(*byte)).next().unwrap_or_default();
        let end = at + run.len();
        // What goes on behind these lines is read with the next name.
        if end == last && text.get(last).is_some_and(|byte| !is_boundary(*byte)) {
            break;
        }
        let escape = escape_before(text, at, run);
        if let Some(run) = run.get(escape..).filter(|run| run.len() <= LONGEST && !is_inserted(text, at)) {
            parts(run).for_each(|(start, end)| add(at + escape + start, at + escape + end));
        }
        at = end + 1;
    }
    at.max(from)
}

/// Returns how many letters of the run at `at` belong to an escape whose backslash is before it.
/// All of them do if the escape stands for a letter: then the run is a part of a word.
fn escape_before(text: &[u8], at: usize, run: &[u8]) -> usize {
    match at.checked_sub(1).and_then(|at| text.get(at)) {
        Some(b'\\') if matches!(run, [b'n' | b'r' | b't', ..]) => 1,
        Some(b'\\') => run.len(),
        _ => 0,
    }
}

/// Returns whether the run at `at` is the name of a variable that a text inserts: `${NAME}`,
/// `{{NAME}}`.
fn is_inserted(text: &[u8], at: usize) -> bool {
    const OPENINGS: [&[u8]; 6] = [b"${", b"#{", b"{{", b"%{", b"$(", b"%("];
    text.get(..at).is_some_and(|before| OPENINGS.iter().any(|opening| before.ends_with(opening)))
}

/// Returns the range of the lines that are near a name. A long line is cut.
fn lines(text: &[u8], start: usize, end: usize) -> (usize, usize) {
    let before = text.get(start.saturating_sub(NEAR)..start).unwrap_or_default();
    let n_before = before.iter().rev().take_while(|byte| **byte != b'\n').count();
    let mut first = start - n_before;
    if n_before == NEAR {
        // The first word may be cut.
        first += before.iter().take_while(|byte| !is_boundary(**byte)).count();
    }
    let behind = text.get(end..text.len().min(end + NEAR)).unwrap_or_default();
    let mut breaks = (0..behind.len()).filter(|at| behind.get(*at) == Some(&b'\n'));
    (first, end + breaks.nth(N_LINES - 1).unwrap_or(behind.len()))
}

/// Returns whether a byte separates values.
fn is_boundary(byte: u8) -> bool {
    !byte.is_ascii_graphic() || b"\"'`<>()[]{},;|\\".contains(&byte)
}

/// Returns the ranges of the passwords in a run of characters: all of it, or what stands behind a
/// sign, as in `joe:VALUE` and `value=VALUE&a=b`.
fn parts(run: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let has_settings = run.contains(&b'=');
    let mut start = 0;
    run.split(move |byte| b":=".contains(byte) || has_settings && *byte == b'&').filter_map(move |part| {
        let at = start;
        start += part.len() + 1;
        let end = part.iter().rposition(u8::is_ascii_alphanumeric)? + 1;
        is_password(part.get(..end)?).then_some((at, at + end))
    })
}

/// Returns whether a value looks like a password and not like a path, a name, a constant, a UUID or
/// a range of characters.
pub(super) fn is_password(value: &[u8]) -> bool {
    const RANGES: [&[u8]; 3] = [b"a-z", b"A-Z", b"0-9"];
    let is_of_constant = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let is_constant = || value.contains(&b'_') && value.iter().all(is_of_constant);
    let is_name =
        || speaks_of_secret(value, value.iter().fold(Letters::default(), |all, byte| all.with(*byte)));
    let is_path = || value.iter().any(|byte| b"/.".contains(byte));
    let is_range = || RANGES.iter().any(|range| has(value, range));
    let is_uuid = || value.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    let is_other = || is_path() || is_range() || is_name() || is_constant() || is_uuid();
    is_secret(value) && looks_random(value) && !is_other()
}
