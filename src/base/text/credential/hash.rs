//! Hashes of passwords.
//!
//! Owns [`passwords`]. A hash of crypt(5) is `$ID$SALT$HASH`, where the id says which function made
//! it: `$6$`, `$2b$`, `$argon2id$`. A weak password is soon found from its hash.

use bstr::ByteSlice;

/// The ids of functions, as in crypt(5) and the password hashing competition's string format.
const IDS: [&[u8]; 22] = [
    b"1",
    b"2a",
    b"2b",
    b"2x",
    b"2y",
    b"3",
    b"5",
    b"6",
    b"7",
    b"8",
    b"9",
    b"y",
    b"gy",
    b"md5",
    b"sha1",
    b"apr1",
    b"argon2i",
    b"argon2d",
    b"argon2id",
    b"scrypt",
    b"pbkdf2-sha256",
    b"pbkdf2-sha512",
];

/// The fewest bytes behind the id, and the most. The shortest are those of `$1$` with a salt of two
/// characters.
const LENGTHS: (usize, usize) = (24, 200);

/// Calls `add` with the start and the end of each hash, in the order of the text.
pub(super) fn passwords(text: &[u8], mut add: impl FnMut(usize, usize)) {
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find_byte(b'$')) {
        at += next + 1;
        let rest = text.get(at..).unwrap_or_default();
        let Some(id) = IDS.iter().find(|id| rest.starts_with(id) && rest.get(id.len()) == Some(&b'$')) else {
            continue;
        };
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"./$=,+-_".contains(byte);
        let hash = rest.get(id.len() + 1..).unwrap_or_default();
        let len = hash.iter().take(LENGTHS.1).take_while(is_part).count();
        let hash = hash.get(..len).unwrap_or_default();
        // The last part is the hash, and the longest.
        let last = hash.rsplit(|byte| *byte == b'$').next().unwrap_or_default();
        // `$1$` may also be a price.
        let is_clear = id.len() > 1;
        if len >= LENGTHS.0
            && last.len() >= 20
            && (is_clear || last.iter().any(u8::is_ascii_digit))
            && super::changes(last) >= if is_clear { 3 } else { 6 }
        {
            add(at - 1, at + id.len() + 1 + len);
            at += id.len() + 1 + len;
        }
    }
}
