//! Secret values whose names stand apart from them.
//!
//! Owns [`value`]. It knows these forms:
//!
//! - two attributes in either order, or two elements: `name="password" value="VALUE"`, `<password
//!   value="VALUE">`, `<name>password</name>` and then `<value>VALUE</value>`, `<item
//!   name="password">VALUE</item>`, `<setting name="password" type="s"><value>VALUE</value>`;
//! - two lines of a manifest in either order: `- name: DB_PASSWORD` and `value: VALUE`;
//! - two entries of an object in either order: `{"name": "DB_PASSWORD", "value": "VALUE"}`;
//! - variables: `ENV TOKEN VALUE` in a Dockerfile, `set -x TOKEN VALUE` in a shell,
//!   `PGPASSWORD=VALUE psql` before a command, and what a variable of Terraform is by default;
//! - statements: `IDENTIFIED BY 'VALUE'`, `ConvertTo-SecureString 'VALUE'`;
//! - one of several settings on a line: `host=db password=VALUE user=joe`;
//! - the header `Authorization: VALUE`, with or without a scheme;
//! - files of passwords: `login joe password VALUE` (`.netrc`), `host:5432:db:joe:VALUE`
//!   (`.pgpass`), `:_authToken=VALUE` (`.npmrc`), `username joe password 0 VALUE` (Cisco).
//!
//! A value is taken for a secret by the rule of [`secret_value`](super::secret_value).

use super::bare::in_element;
use super::literal;
use super::place::{LOOK_BACK, line_before, secret_at, secret_before};
use super::secret_name::{behind_secret_name, is_secret_name};
use super::secret_value::{is_quoted_secret, is_secret};

/// The words that announce a value and don't say that it is secret.
pub(super) const ANNOUNCING: [&[u8]; 6] =
    [b"ConvertTo-SecureString", b"BY", b"by", b"default", b"Authorization", b"authorization"];

/// What stands before a name and its value where a variable or a setting is set: in a Dockerfile,
/// csh, fish, Windows, Cisco's IOS, npm, AWS and Git.
const SETTERS: [&[u8]; 10] = [
    b"ENV ",
    b"setenv ",
    b"set -x ",
    b"set -gx ",
    b"setx ",
    b"enable ",
    b"config set ",
    b"configure set ",
    b"git config ",
    b"--global ",
];

/// Elements that hold a name, how they end, and those that hold its value.
const ELEMENTS: [[&[u8]; 3]; 2] = [[b"<name>", b"</name>", b"<value>"], [b"<key>", b"</key>", b"<string>"]];

/// The longest scheme of the header `Authorization` in bytes.
const LONGEST_SCHEME: usize = 20;

/// How far to look back for the name of a variable of Terraform.
const LOOK_BACK_VARIABLE: usize = 400;

/// How far to look to both sides for the ends of the tag or object that holds a name.
const LONGEST_HOLDER: usize = 400;

/// The most white space between the two parts of a pair.
const MOST_BLANKS: usize = 80;

/// Returns the start and the end of the secret that belongs to the word at `start`, which ends at
/// `end`.
pub(super) fn value(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let before = start.checked_sub(1).and_then(|at| text.get(at)).copied();
    let next = text.get(end).copied();
    match (before, word, next) {
        (_, b"ConvertTo-SecureString" | b"BY" | b"by", Some(b' ')) => announced(text, start, end),
        (_, b"Authorization" | b"authorization", _) => authorization(text, end),
        (Some(b':'), _, Some(b':')) => password_of_line(text, start),
        (Some(b':'), [b'_', ..], _) => secret_at(text, start + behind_secret_name(word)?),
        (None | Some(b' ' | b'\t' | b'\n' | b'"' | b'\''), [b'A'..=b'Z' | b'_', ..], _)
            if word.contains(&b'=') =>
        {
            variable(text, start, word)
        }
        (None | Some(b' ' | b'\t' | b'\n'), _, _) if word.contains(&b'=') => setting(text, start, word),
        (_, b"default", Some(b' ' | b'=')) => default_of_variable(text, start, end),
        (_, _, Some(b'"' | b'\'' | b'<' | b' ' | b'\t' | b'\r' | b'\n' | b',' | b'}'))
            if is_secret_name(word) =>
        {
            behind_name(text, start, end)
        }
        _ => None,
    }
}

/// Returns the value that belongs to a name, which has all of its own place: in quotes, in an
/// element, at the end of a line.
fn behind_name(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let before = text.get(..start)?;
    let rest = text.get(end..)?;
    let is_password = || is_login(line_before(text, start)) || is_login_before(before);
    let is_set = || SETTERS.iter().any(|setter| before.ends_with(setter));
    if rest.starts_with(b" ") && (is_set() || is_password()) {
        let at = end + n_blanks(text, end);
        // Cisco writes the kind of the password before it.
        let at = at + if matches!(text.get(at..at + 2), Some([b'0'..=b'9', b' '])) { 2 } else { 0 };
        return secret_before(text, at, b" \t\r\n");
    }
    for [open, close, value] in ELEMENTS {
        if rest.starts_with(close) && before.ends_with(open) {
            let at = end + close.len();
            let at = at + n_blanks(text, at);
            let is_value = text.get(at..)?.starts_with(value);
            return is_value.then(|| secret_before(text, at + value.len(), b"<")).flatten();
        }
    }
    if rest.starts_with(b" ") && before.last() == Some(&b'<') {
        return beside(text, start, end, *b"<>", b"=");
    }
    let quote = rest.first().copied().filter(|byte| b"\"'".contains(byte) && before.last() == Some(byte));
    let at = end + usize::from(quote.is_some());
    if quote.is_some()
        && matches!(text.get(at), Some(b'>' | b' '))
        && let Some(found) = in_element(text, at)
    {
        return Some(found);
    }
    let key = before.strip_suffix(quote.as_slice()).unwrap_or(before);
    if quote.is_some() && (is_role(key, b"name=") || is_role(key, b"key=")) {
        return beside(text, start, end, *b"<>", b"=");
    }
    let key = key.trim_ascii_end().strip_suffix(b":")?;
    let key = key.strip_suffix(b"\"").unwrap_or(key);
    if !is_role(key, b"name") && !is_role(key, b"key") {
        return None;
    }
    let value = at + n_blanks(text, at);
    if text.get(at..value)?.contains(&b'\n') && text.get(value..)?.starts_with(b"value:") {
        return entry_value(text, value + b"value".len());
    }
    beside(text, start, end, *b"{}", b":").or_else(|| line_above(text, start))
}

/// Returns whether a text ends in this word, in small letters or with a capital: `name`, `Name`.
fn is_role(text: &[u8], role: &[u8]) -> bool {
    let last = text.len().checked_sub(role.len()).and_then(|at| text.get(at..));
    match (last, role) {
        (Some([first, rest @ ..]), [small, others @ ..]) => {
            first.eq_ignore_ascii_case(small) && rest == others
        }
        _ => false,
    }
}

/// Returns the value that stands beside a name in the same tag or object, whose brackets are given.
fn beside(text: &[u8], start: usize, end: usize, brackets: [u8; 2], sign: &[u8]) -> Option<(usize, usize)> {
    let word = b"value";
    let is_bracket = |byte: &u8| brackets.contains(byte);
    let before = text.get(start.saturating_sub(LONGEST_HOLDER)..start)?;
    let open = before.iter().rposition(is_bracket)?;
    if before.get(open) != brackets.first() {
        return None;
    }
    let behind = text.get(end..text.len().min(end + LONGEST_HOLDER))?;
    let close = behind.iter().position(is_bracket).unwrap_or(behind.len());
    let from = start - before.len() + open;
    let holder = text.get(from..end + close)?;
    let is_start = |at: usize| {
        let before = holder.get(at - 1).copied().unwrap_or_default();
        before.is_ascii_whitespace() || b"\"{,".contains(&before)
    };
    let is_key = |at: &usize| {
        let part = holder.get(*at..*at + word.len()).unwrap_or_default();
        is_role(part, word) && is_start(*at)
    };
    (1..holder.len()).filter(is_key).find_map(|at| {
        let behind = from + at + word.len();
        if sign == b"=" { quoted_behind(text, behind, sign) } else { entry_value(text, behind) }
    })
}

/// Returns the value of an entry whose key ends at `at`: `: VALUE`, `": "VALUE"`.
fn entry_value(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let at = at + usize::from(text.get(at) == Some(&b'"'));
    quoted_behind(text, at, b":").or_else(|| {
        let at = at + usize::from(text.get(at) == Some(&b':'));
        if text.get(at) != Some(&b' ') {
            return None;
        }
        secret_before(text, at + n_blanks(text, at), b" \t\r\n,}")
    })
}

/// Returns the value in the line above the name of a manifest: `- value: VALUE`.
fn line_above(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let line = line_before(text, start);
    let line_end = (start - line.len()).checked_sub(1).filter(|at| text.get(*at) == Some(&b'\n'))?;
    let above = line_before(text, line_end).trim_ascii_start();
    let key = above.strip_prefix(b"- ").unwrap_or(above).trim_ascii_start();
    let is_entry = line.trim_ascii_start().starts_with(b"name") && key.starts_with(b"value:");
    is_entry.then(|| entry_value(text, line_end - key.len() + b"value".len())).flatten()
}

/// Returns the secret in quotes behind words that announce it: `IDENTIFIED BY 'VALUE'`,
/// `ConvertTo-SecureString -String 'VALUE'`.
fn announced(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let word = text.get(start..end)?;
    let before = line_before(text, start).trim_ascii_end();
    if word.eq_ignore_ascii_case(b"by") && !before.to_ascii_lowercase().ends_with(b"identified") {
        return None;
    }
    let at = end + n_blanks(text, end);
    let is_named = text.get(at..)?.starts_with(b"-String ");
    quoted_behind(text, at + if is_named { b"-String ".len() } else { 0 }, b"")
}

/// Returns the secret in quotes behind a sign at `at`.
fn quoted_behind(text: &[u8], at: usize, sign: &[u8]) -> Option<(usize, usize)> {
    let at = at + n_blanks(text, at);
    if !text.get(at..)?.starts_with(sign) {
        return None;
    }
    let at = at + sign.len();
    let at = at + n_blanks(text, at);
    let quote = text.get(at).filter(|byte| b"\"'".contains(byte))?;
    let len = text.get(at + 1..)?.iter().take(LOOK_BACK).position(|byte| byte == quote)?;
    is_quoted_secret(text.get(at + 1..at + 1 + len)?).then_some((at + 1, at + 1 + len))
}

/// Returns the value of a variable `NAME=VALUE` that a shell sets for a command.
fn variable(text: &[u8], start: usize, word: &[u8]) -> Option<(usize, usize)> {
    let at = behind_secret_name(word)?;
    let is_variable = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let name = word.get(..at - 1)?;
    name.iter().all(is_variable).then(|| secret_before(text, start + at, b" \t\r\n\"'")).flatten()
}

/// Returns the value of `NAME=VALUE` if another such setting stands beside it on the line.
fn setting(text: &[u8], start: usize, word: &[u8]) -> Option<(usize, usize)> {
    let (first, last) = secret_before(text, start + behind_secret_name(word)?, b" \t\r\n\"'")?;
    let is_setting = |word: Option<&[u8]>| {
        let mut parts = word.unwrap_or_default().splitn(2, |byte| *byte == b'=');
        let name = parts.next().unwrap_or_default();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.\"'".contains(byte);
        !name.is_empty() && name.iter().all(is_name) && parts.next().is_some_and(|value| !value.is_empty())
    };
    let before = line_before(text, start).trim_ascii_end();
    let behind = text.get(last..text.len().min(last + LOOK_BACK))?;
    let behind = behind.split(|byte| *byte == b'\n').next()?.trim_ascii_start();
    let is_beside = is_setting(before.rsplit(u8::is_ascii_whitespace).next())
        || is_setting(behind.split(u8::is_ascii_whitespace).next());
    is_beside.then_some((first, last))
}

/// Returns what a variable of Terraform with a secret name is by default. The word `default` is at
/// `start`.
fn default_of_variable(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let found = quoted_behind(text, end, b"=")?;
    let before = text.get(start.saturating_sub(LOOK_BACK_VARIABLE)..start)?;
    let head = before.get(before.iter().rposition(|byte| *byte == b'{').map(|at| 0..at)?)?;
    let is_open = !before.get(head.len()..)?.contains(&b'}');
    let name = head.trim_ascii_end().strip_suffix(b"\"")?;
    let at = name.iter().rposition(|byte| *byte == b'"')?;
    let is_variable = name.get(..at)?.ends_with(b"variable ");
    (is_open && is_variable && is_secret_name(name.get(at + 1..)?)).then_some(found)
}

/// Returns the password of a line `host:port:database:user:VALUE`. The word at `start` is one of
/// its fields.
fn password_of_line(text: &[u8], start: usize) -> Option<(usize, usize)> {
    let rest = text.get(start..)?;
    let mut n_colons = 0;
    let is_field = |byte: &&u8| {
        n_colons += usize::from(**byte == b':');
        byte.is_ascii_graphic() && n_colons <= 4
    };
    let len = rest.iter().take(LOOK_BACK).take_while(is_field).count();
    if n_colons > 4 {
        return None;
    }
    let before = line_before(text, start);
    let ends = rest.get(len).is_none_or(|byte| b"\r\n".contains(byte));
    let fields: Vec<&[u8]> =
        text.get(start - before.len()..start + len)?.split(|byte| *byte == b':').collect();
    let [host, port, database, user, password] = fields[..] else { return None };
    let is_port = port == b"*" || (2..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit);
    let is_whole = ends && before.iter().all(u8::is_ascii_graphic) && is_port;
    let has_names = ![host, database, user].iter().any(|field| field.is_empty());
    let end = start + len;
    (is_whole && has_names && is_secret(password)).then_some((end - password.len(), end))
}

/// Returns whether a line begins as that of a user of Cisco's IOS: `username NAME`.
fn is_login(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"username ")
}

/// Returns whether `login NAME` comes immediately before.
fn is_login_before(before: &[u8]) -> bool {
    let from = before.len().saturating_sub(LOOK_BACK);
    let tail = before.get(from..).unwrap_or_default();
    let mut words = tail.rsplit(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next();
    words.next() == Some(b"login")
}

/// Returns the value of the header `Authorization`, whose name ends at `end`. A scheme may stand
/// before it: `Authorization: token VALUE`.
fn authorization(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let at = literal::behind_name(text, end, false).filter(|at| *at > end)?;
    let at = literal::content(text, at).map_or(at, |(start, _)| start);
    let rest = text.get(at..)?;
    let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let len = rest.iter().take(LONGEST_SCHEME).take_while(is_scheme).count();
    let value = |at: usize| secret_before(text, at, b"\r\n\"'`\\");
    value(at).or_else(|| (rest.get(len) == Some(&b' ')).then(|| value(at + len + 1)).flatten())
}

/// Returns the number of blanks and line ends at `at`.
pub(super) fn n_blanks(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter().take(MOST_BLANKS).take_while(|byte| byte.is_ascii_whitespace()).count()
}
