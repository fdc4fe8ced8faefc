//! The secret parts of addresses.
//!
//! Owns [`passwords`] and [`webhook`]: the password of `scheme://user:PASSWORD@host`, the token of
//! `scheme://TOKEN@host`, and the rest of an address that gives everybody who knows it the right to
//! write.

use super::LONGEST;
use super::secret_value::is_secret;

/// What follows the scheme of an address.
pub(super) const SCHEME: &str = "://";

/// Addresses behind which only a secret follows.
const WEBHOOKS: [&[u8]; 8] = [
    b"hooks.slack.com/services/",
    b"hooks.slack.com/workflows/",
    b"hooks.slack.com/triggers/",
    b"discord.com/api/webhooks/",
    b"discordapp.com/api/webhooks/",
    b".webhook.office.com/webhookb2/",
    b"outlook.office.com/webhook/",
    b"hooks.zapier.com/hooks/catch/",
];

/// Calls `add` with the start and the end of each password in an address, in the order of the text.
/// A variable in its place (`${PASSWORD}`, `<password>`) is kept.
pub(super) fn passwords(text: &str, mut add: impl FnMut(usize, usize)) {
    for (at, _) in text.match_indices(SCHEME) {
        let is_scheme = at.checked_sub(1).and_then(|last| text.as_bytes().get(last));
        if !is_scheme.is_some_and(u8::is_ascii_alphanumeric) {
            continue;
        }
        let start = at + SCHEME.len();
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let is_user = |byte: &u8| byte.is_ascii_graphic() && !b"/?#@\"'`<>()".contains(byte) || *byte >= 0x80;
        let len = rest.iter().take(LONGEST).take_while(|byte| is_user(byte)).count();
        let (Some(user), Some(b'@')) = (rest.get(..len), rest.get(len)) else { continue };
        // A token may stand in place of the user.
        let colon = user.iter().position(|byte| *byte == b':');
        let before = colon.map_or(0, |at| at + 1);
        let password = user.get(before..).unwrap_or_default();
        let is_host =
            rest.get(len + 1).is_some_and(|byte| byte.is_ascii_alphanumeric() || b"[$%{".contains(byte));
        let is_constant = password.first().is_some_and(|byte| !b"$%{[*".contains(byte));
        if is_host && is_constant && (colon.is_some() || is_secret(password)) {
            add(start + before, start + len);
        }
    }
}

/// Returns the whole secret of a webhook's address, of which `start..end` is in one word. An
/// address at Office has an `@` in it.
pub(super) fn whole(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_./@%".contains(byte);
    let len = text.get(end..)?.iter().take(LONGEST).take_while(is_part).count();
    (start < end + len).then_some((start, end + len))
}

/// Returns where the secret of a word starts that is the address of a webhook.
pub(super) fn webhook(word: &[u8]) -> Option<usize> {
    let starts =
        |prefix: &&[u8]| Some(word.windows(prefix.len()).position(|part| part == *prefix)? + prefix.len());
    // All of them have the name of a host, and few words have a path behind one.
    let may_be = word.windows(4).any(|part| part == b"com/");
    may_be.then(|| WEBHOOKS.iter().find_map(starts)).flatten()
}
