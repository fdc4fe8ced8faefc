//! Passwords on command lines.
//!
//! Owns [`value`]. It knows these forms, of which only the program or the option says that a value
//! is secret:
//!
//! - options: `curl -u joe:VALUE`, `mysql -pVALUE`, `sshpass -p VALUE`, `mongo -p VALUE`, `openssl
//!   enc -k VALUE`, `openssl rsa -passin pass:VALUE`;
//! - arguments: `htpasswd -b file joe VALUE`, `net use x: share VALUE /user:joe`;
//! - the input of a program: `echo "root:VALUE" | chpasswd`, `echo VALUE | docker login
//!   --password-stdin`;
//! - settings of a server: `requirepass VALUE`, `snmp-server community VALUE`.
//!
//! A value is taken for a secret by the rule of [`secret_value`](super::secret_value).

use super::pair::n_blanks;
use super::place::{LOOK_BACK, has, line_before, secret_at, secret_before};
use super::secret_name::behind_secret_name;
use super::secret_value::is_secret;

/// The words without a hyphen in front that announce a value and are not names of secrets.
pub(super) const ANNOUNCING: [&[u8]; 4] = [b"masterauth", b"community", b"/user", b"/USER"];

/// What may stand behind a value on a command line.
const ENDS: &[u8] = b" \t\r\n\"'`|;";

/// Options with a blank before the password, and the programs that have them.
const OPTIONS: [(&[u8], &[&[u8]]); 5] = [
    (b"-p", &[b"sshpass", b"login", b"mongo", b"useradd"]),
    (b"-a", &[b"redis-cli"]),
    (b"-k", &[b"openssl enc"]),
    (b"-P", &[b"sqlcmd", b"bcp ", b"zip ", b"ipmitool"]),
    (b"-w", &[b"ldap"]),
];

/// Returns the start and the end of the password that the word at `start` announces, which ends at
/// `end`.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let before = start.checked_sub(1).and_then(|at| text.get(at)).copied();
    let next = text.get(end).copied();
    let behind = || end + n_blanks(text, end);
    match (before, word, next) {
        (_, b"-u" | b"-U" | b"--user", Some(b' ')) => user_and_password(text, end + 1),
        (Some(b' '), [b'-', b'p', _, ..], _) | (Some(b' '), b"-p", Some(b'"' | b'\'')) => {
            given_to(&[b"mysql", b"mariadb", b"7z", b"sshpass"], text, start, start + 2)
        }
        (Some(b' '), b"-S", _) => {
            piped(text, start, word).filter(|_| has(line_before(text, start), b"sudo "))
        }
        (Some(b' '), [b'-', _], Some(b' ')) => {
            let (_, programs) = OPTIONS.iter().find(|(option, _)| *option == word)?;
            given_to(programs, text, start, behind())
        }
        (_, b"requirepass" | b"masterauth", Some(b' ')) => secret_before(text, behind(), b" \t\r\n"),
        (Some(b' '), b"community", Some(b' ')) => given_to(&[b"snmp-server"], text, start, behind()),
        (Some(b' '), b"pass", Some(b':')) => given_to(&[b" -pass"], text, start, end + 1),
        (_, b"htpasswd", Some(b' ')) => last_argument(text, end),
        (Some(b' '), b"/user" | b"/USER", Some(b':')) => argument_before(text, start),
        (Some(b' '), b"chpasswd" | b"--password-stdin", _) => piped(text, start, word),
        (Some(b' '), _, _) if word.contains(&b'=') => entry_of_vault(text, start, word),
        _ => None,
    }
}

/// Returns the password at `at` if the line before `start` calls one of these programs.
fn given_to(programs: &[&[u8]], text: &[u8], start: usize, at: usize) -> Option<(usize, usize)> {
    let at = at + usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
    let found = secret_before(text, at, ENDS)?;
    let before = line_before(text, start);
    programs.iter().any(|name| has(before, name)).then_some(found)
}

/// Returns the password of `joe:VALUE`, the argument of an option.
fn user_and_password(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let at = at + n_blanks(text, at);
    let at = at + usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.@+-".contains(byte);
    let len = text.get(at..)?.iter().take(LOOK_BACK).take_while(is_name).count();
    // Samba's programs have a percent sign there, and `lftp` a comma.
    let is_pair = text.get(at + len).is_some_and(|byte| b":%,".contains(byte));
    is_pair.then(|| secret_before(text, at + len + 1, ENDS)).flatten()
}

/// Returns the last argument of the command whose name ends at `end`: `htpasswd -b file joe VALUE`.
/// One of its options must say that the password is an argument.
fn last_argument(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let rest = text.get(end..text.len().min(end + LOOK_BACK))?;
    let is_end = |byte: &u8| b"\r\n|;&>)`".contains(byte);
    let line = rest.split(is_end).next()?.trim_ascii_end();
    let last = line.rsplit(u8::is_ascii_whitespace).next()?;
    let is_batch = |word: &[u8]| word.starts_with(b"-") && !word.starts_with(b"--") && word.contains(&b'b');
    if !line.split(u8::is_ascii_whitespace).any(is_batch) {
        return None;
    }
    let at = end + line.len() - last.len();
    let at = at + usize::from(last.first().is_some_and(|byte| b"\"'".contains(byte)));
    secret_at(text, at).filter(|(_, last)| *last + 1 >= end + line.len())
}

/// Returns the value of `NAME=VALUE`, an argument of a program that stores or sends it.
fn entry_of_vault(text: &[u8], start: usize, word: &[u8]) -> Option<(usize, usize)> {
    let at = start + behind_secret_name(word)?;
    given_to(&[b"vault ", b"http ", b"https ", b"az "], text, start, at)
}

/// Returns the argument before the one at `start`: `net use x: share VALUE /user:joe`.
fn argument_before(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let line = line_before(text, start);
    let inner = line.trim_ascii_end();
    let last = inner.rsplit(u8::is_ascii_whitespace).next()?;
    let end = start - (line.len() - inner.len());
    let is_command = has(&inner.to_ascii_lowercase(), b"net use");
    (is_command && is_secret(last)).then_some((end - last.len(), end))
}

/// Returns the password that is the input of a program, in whose command `at` is: `echo
/// "root:VALUE" | chpasswd`, `echo VALUE | docker login --password-stdin`.
fn piped(text: &[u8], at: usize, word: &[u8]) -> Option<(usize, usize)> {
    let line = line_before(text, at);
    let bar = line.iter().rposition(|byte| *byte == b'|')?;
    let command = line.get(..bar)?.trim_ascii_end();
    let last = command.rsplit(u8::is_ascii_whitespace).next()?;
    let unquoted = match last {
        [open @ (b'"' | b'\''), inner @ .., close] if open == close => inner,
        _ => last,
    };
    let from = at - line.len() + command.len() - last.len() + (last.len() - unquoted.len()) / 2;
    let user = if word == b"chpasswd" { unquoted.iter().position(|byte| *byte == b':')? + 1 } else { 0 };
    let password = unquoted.get(user..)?;
    (has(command, b"echo ") && is_secret(password)).then_some((from + user, from + unquoted.len()))
}
