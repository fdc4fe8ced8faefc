//! Passwords among the arguments of a call.
//!
//! Owns [`value`]. The name of the call, or of the pair, says that a password follows a user:
//! `auth=("joe", "VALUE")`, `credentials("joe", "VALUE")`, `http.basic_auth "joe", "VALUE"`. To
//! connect, the host or an address comes before the two.
//!
//! A value is taken for a secret by the rule of [`secret_value`](super::secret_value).

use super::literal;
use super::place::n_white;
use super::secret_name::is_secret_name;

/// Ends of the names of calls, in small letters and without `_`, and how many arguments stand
/// before the password. Names of secrets (`UsernamePasswordToken`, `setPassword`) have one.
const CALLS: [(&[u8], usize); 9] = [
    (b"auth", 1),
    (b"login", 1),
    (b"logon", 1),
    (b"authenticate", 1),
    (b"authentication", 1),
    (b"basic", 1),
    (b"pdo", 2),
    (b"connection", 2),
    (b"connect", 2),
];

/// The longest argument before a password in bytes.
const LONGEST_ARGUMENT: usize = 100;

/// Returns how many arguments of a call with this name stand before the password; `None` if it has
/// none.
pub(super) fn n_before(name: &[u8]) -> Option<usize> {
    // Nearly all words fail at the last two letters.
    let [.., before, last] = name else { return None };
    let ending = [before | 0x20, last | 0x20];
    if !matches!(
        ending,
        [b't', b'h' | b'e'] | [b'i', b'n' | b'c'] | [b'o', b'n'] | [b'c', b't'] | [b'd', b'o']
    ) {
        return None;
    }
    let is_end = |end: &[u8]| {
        let mut letters = name.iter().rev().filter(|byte| **byte != b'_').map(u8::to_ascii_lowercase);
        end.iter().rev().all(|byte| letters.next() == Some(*byte))
    };
    CALLS.iter().find(|(end, _)| is_end(end)).map(|(_, n)| *n)
}

/// Returns the start and the end of the password among the arguments of the call whose name is at
/// `start` and ends at `end`.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let name = word.strip_suffix(b"=").unwrap_or(word);
    let of_call = n_before(name);
    let n = of_call.or_else(|| is_secret_name(name).then_some(1))?;
    let mut at = opening(text, end, of_call.is_some())?;
    for _ in 0..n {
        at = behind_argument(text, at)?;
    }
    literal::secret(text, at)
}

/// Returns where the arguments begin: behind a bracket, or in Ruby behind a blank. A sign may stand
/// before the bracket: `auth=(`, `auth: [`, `auth => [`.
fn opening(text: &[u8], end: usize, may_have_none: bool) -> Option<usize> {
    let at = end + n_white(text, end);
    let rest = text.get(at..)?;
    let sign = match rest {
        [b'=', b'>', ..] => 2,
        [b'=' | b':', ..] => 1,
        _ => 0,
    };
    let at = at + sign + n_white(text, at + sign);
    match text.get(at)? {
        b'(' | b'[' => Some(at + 1 + n_white(text, at + 1)),
        b'"' | b'\'' if sign == 0 && at > end && may_have_none => Some(at),
        _ => None,
    }
}

/// Returns where the argument behind the one at `at` begins. An argument is a string or a name.
fn behind_argument(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let end = match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let inner = rest.get(1..rest.len().min(LONGEST_ARGUMENT))?;
            let len = inner.iter().position(|byte| byte == quote || *byte == b'\n')?;
            (inner.get(len) == Some(quote)).then_some(at + len + 2)?
        }
        _ => {
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.$@".contains(byte);
            at + rest.iter().take(LONGEST_ARGUMENT).take_while(is_name).count()
        }
    };
    let comma = end + n_white(text, end);
    (end > at && text.get(comma) == Some(&b',')).then(|| comma + 1 + n_white(text, comma + 1))
}
