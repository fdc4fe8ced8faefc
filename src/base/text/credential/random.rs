//! Whether a word is random characters or a name.
//!
//! Owns [`is_random`]. Two models say how likely a word is: one of names, and one that draws each
//! character from those kinds that the word has. The evidence is the logarithm of the ratio of the
//! two. The model of names is the frequency of each letter after each other letter, and of each
//! kind of character (small letter, capital, digit) after each other kind. It was counted in the
//! words of etcd, Kafka, Cargo, EF Core, Homebrew, Zod and the AEADs of RustCrypto. Words that it
//! took for random itself were left out, three times over.

use super::in_words;

/// Evidence of one letter after another, in half bits from `M`: `K` is one bit for a name, `O` one
/// bit for random characters. The first row is for the start of a word, then `a` to `z`. A column
/// is the letter that follows.
const LETTERS: [&[u8; 26]; 27] = [
    b"LNJMLMOPLRPMLMMLSKJJONNTZS",
    b"XMKKXPNZNZSJLJZMZJKHNRTQPX",
    b"ITRTHVWYMPYHSWLTZKLRJVXZKZ",
    b"KZQTJWZIPZKKVXGWWLNJOYZZQZ",
    b"IPTMFVQYJXYMRVLQZPLULTWVPZ",
    b"LTLKRPPZUXXNMJSNOHIJUPQMPZ",
    b"KYUWJIVZHZPMYXIYZLKMMZZZNZ",
    b"LXVWGWNNKZZNMJOXZILRNZYZOW",
    b"HYVWGYZZLZYUPUHVZKQNOZWZSZ",
    b"OPKLMNLZZZYLMHIPXNKJZOZRZN",
    b"JTRRHSWVOUWTOSGSVSHWMTNUUV",
    b"KUUTESRTLXWRWLONXPJOONRZSZ",
    b"KRVKGUVZIZYKVYJTZUNLLTXZNY",
    b"IMWSFZZZJZXTLVKJZZMVNYZVSZ",
    b"KXLJJMJXNYQRPNKSYTJINOXZTZ",
    b"QRMMVMNZPXOMLGPKZIOLKONVYZ",
    b"ITSNIZURJZXKXZJMZIMKMXZZRZ",
    b"ZYWZYXYYVZYRXSXVYYVWDUWXZY",
    b"JVPMGUPZJZQROPJSZMLKOPUZNZ",
    b"NZMZISVKKZNQTQMNYTKGLYTZQZ",
    b"JUNTGWZKHZZRWXJSZKNPOZUSOZ",
    b"PNMRJPPZNZZIKJPJZJKJWZZWZZ",
    b"GYUVEYSYKZYVVZLVZVSWXZXZZZ",
    b"IWVVKWXLFZUNWJKWZJOSWYYZYZ",
    b"NSHVKSWRJXXUSKUGZWSHVZYSOX",
    b"OJOSLTUXNVVNMIPHYSJIVVRXZT",
    b"JXVUEVWUNWLTRPIUZWPUTZWVPS",
];

/// Evidence of a small letter, a capital and a digit (columns) after each of these (rows), in
/// tenths of a bit: for words with all three, with letters of both cases, and with one case and
/// digits.
type Kinds = [[i32; 3]; 3];
const ALL: Kinds = [[-10, 15, 60], [-12, 39, 43], [14, 3, -16]];
const BOTH_CASES: Kinds = [[-8, 17, 0], [-9, 41, 0], [0, 0, 0]];
const ONE_CASE: Kinds = [[-4, 0, 42], [0, 0, 0], [21, 0, -16]];

/// Parts of names that are not likely as letters. Each counts for nothing, and so do the digits
/// behind it.
const ABBREVIATIONS: [&str; 26] = [
    "AES", "BGR", "CBC", "CPU", "CRC", "CTR", "DSA", "ECDH", "ECDSA", "GCM", "GPU", "HMAC", "HTTP", "HTTPS",
    "Hmac", "JWT", "MD", "PBKDF", "RGB", "RSA", "SHA", "SSH", "SSL", "TLS", "UTF", "XML",
];

/// A shorter piece between joints (`_`, `-`, `+`, `/`, `=`) says nothing. Abbreviations are short.
const SHORTEST_PIECE: usize = 5;

/// Longest hexadecimal word that is kept: a digest of 128 bits has 32 digits.
const LONGEST_HEX: usize = 31;

/// The evidence that each character must give on average, in tenths of a bit.
const AVERAGE: i32 = 12;

/// The evidence that a word needs in tenths of a bit, by the kinds of characters in it and the
/// number of letters and digits. Fewer kinds give less evidence, because names have few too.
struct Bar {
    n_least: usize,
    evidence: i32,
}
const ALL_KINDS: [Bar; 2] = [Bar { n_least: 20, evidence: 200 }, Bar { n_least: 16, evidence: 300 }];
const TWO_KINDS: [Bar; 1] = [Bar { n_least: 24, evidence: 250 }];
const ONE_KIND: [Bar; 1] = [Bar { n_least: 32, evidence: 400 }];

/// Returns whether the characters of a word are in an order that no name has.
///
/// Of words of random letters and digits, it finds 95 in 100 with 20 characters and 99 with 24
/// (`doc/guide/privacy.md`).
pub(super) fn is_random(word: &[u8]) -> bool {
    let has = |is: fn(&u8) -> bool| word.iter().any(is);
    let digits = has(u8::is_ascii_digit);
    let (small, capital) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase));
    if word.iter().all(u8::is_ascii_hexdigit) {
        return word.len() > LONGEST_HEX && digits && (small || capital);
    }
    let bars: &[Bar] = match usize::from(digits) + usize::from(small) + usize::from(capital) {
        3 => &ALL_KINDS,
        2 => &TWO_KINDS,
        _ => &ONE_KIND,
    };
    // Most words are too short, and counting letters costs more than this.
    if !bars.iter().any(|bar| word.len() >= bar.n_least) {
        return false;
    }
    let (mut evidence, mut n) = (0, 0);
    let is_joint = |byte: &u8| !byte.is_ascii_alphanumeric();
    // A short piece of hexadecimal digits is a number, and UUIDs consist of such pieces.
    let tells = |piece: &&[u8]| piece.len() >= SHORTEST_PIECE && !piece.iter().all(u8::is_ascii_hexdigit);
    for piece in word.split(is_joint).filter(tells).filter(|piece| !is_number(piece)) {
        evidence += evidence_of(piece);
        n += piece.len();
    }
    let average = evidence / i32::try_from(n.max(1)).unwrap_or(i32::MAX);
    average >= AVERAGE && bars.iter().any(|bar| n >= bar.n_least && evidence >= bar.evidence)
}

/// The evidence that a value needs near a name that speaks of a secret, in tenths of a bit. Names
/// of constants have no small letter, and other names have parts that look like words.
const NEAR_NAME: i32 = 30;
const NEAR_NAME_AS_NAME: i32 = 80;

/// The evidence that each character of such a value must give on average, in the same cases.
const AVERAGE_NEAR_NAME: i32 = 5;
const AVERAGE_NEAR_NAME_AS_NAME: i32 = 10;

/// Returns whether a value looks random that stands near a name which speaks of a secret. It may be
/// too short for [`is_random`].
pub(super) fn looks_random(value: &[u8]) -> bool {
    let pieces = value.split(|byte| !byte.is_ascii_alphanumeric());
    let (mut evidence, mut n) = (0, 0);
    for piece in pieces.filter(|piece| !piece.is_empty() && !is_number(piece)) {
        evidence += evidence_of(piece);
        n += piece.len();
    }
    let is_like_name = !value.iter().any(u8::is_ascii_lowercase) || in_words(value) * 10 >= value.len() * 4;
    let (least, average) = match is_like_name {
        true => (NEAR_NAME_AS_NAME, AVERAGE_NEAR_NAME_AS_NAME),
        false => (NEAR_NAME, AVERAGE_NEAR_NAME),
    };
    evidence >= least && evidence / i32::try_from(n.max(1)).unwrap_or(i32::MAX) >= average
}

/// Returns whether a word is a hexadecimal number as programs write it, such as `0x1fULL`.
fn is_number(word: &[u8]) -> bool {
    let Some(digits) = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X")) else { return false };
    let len = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    digits.iter().skip(len).all(|byte| b"uUlLn".contains(byte))
}

/// Returns the evidence for random characters in a piece of letters and digits, in tenths of a bit.
fn evidence_of(piece: &[u8]) -> i32 {
    let has = |is: fn(&u8) -> bool| piece.iter().any(is);
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let kinds = match (is_mixed, has(u8::is_ascii_digit)) {
        (true, true) => Some(&ALL),
        (true, false) => Some(&BOTH_CASES),
        (false, true) => Some(&ONE_CASE),
        (false, false) => None,
    };
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => 2,
        b'A'..=b'Z' if is_mixed => 1,
        _ => 0,
    };
    let mut evidence = 0;
    let mut last: Option<u8> = None;
    let mut at = 0;
    while let Some(&byte) = piece.get(at) {
        let known = abbreviation(piece.get(at..).unwrap_or_default());
        if known > 0 {
            at += known;
            last = None;
            continue;
        }
        at += 1;
        let before = last.replace(byte);
        // Letters in a row and in the order of the alphabet are what people type.
        if before.is_some_and(|last| byte == last || byte == last + 1) {
            continue;
        }
        let of_kind = before.and_then(|last| kinds?.get(kind(last))?.get(kind(byte)));
        evidence += of_kind.copied().unwrap_or(0);
        if byte.is_ascii_alphabetic() {
            let starts = before.is_none_or(|last| kind(last) == 2 || (kind(last), kind(byte)) == (0, 1));
            let row = before
                .filter(|_| !starts)
                .map_or(0, |last| usize::from(last.to_ascii_lowercase() - b'a') + 1);
            let column = usize::from(byte.to_ascii_lowercase() - b'a');
            let letter = LETTERS.get(row).and_then(|row| row.get(column)).copied().unwrap_or(b'M');
            evidence += (i32::from(letter) - i32::from(b'M')) * 5;
        }
    }
    evidence
}

/// Returns the length of the abbreviation at the start of a piece, with the digits behind it.
fn abbreviation(piece: &[u8]) -> usize {
    // Most capitals begin a word, and have another small letter behind them than in `Hmac`.
    if !matches!(piece, [b'A'..=b'Z', b'A'..=b'Z' | b'm', ..]) {
        return 0;
    }
    let known = ABBREVIATIONS
        .iter()
        .filter(|known| piece.starts_with(known.as_bytes()))
        .map(|known| known.len())
        .max();
    known.map_or(0, |len| len + piece.iter().skip(len).take_while(|byte| byte.is_ascii_digit()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of random words, with the numbers of characters and how many of 1,000 are found.
    const FOUND: [(&str, [(usize, usize); 3]); 4] = [
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", [(16, 750), (20, 930), (24, 980)]),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
            [(20, 790), (24, 930), (32, 980)],
        ),
        ("abcdefghijklmnopqrstuvwxyz0123456789", [(24, 940), (28, 960), (32, 970)]),
        ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", [(24, 960), (28, 970), (32, 980)]),
    ];

    #[test]
    fn most_random_words_are_found() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            usize::try_from(state >> 33).unwrap()
        };
        for (characters, figures) in FOUND {
            let characters = characters.as_bytes();
            for (len, least) in figures {
                let word =
                    |_| -> Vec<u8> { (0..len).map(|_| characters[next() % characters.len()]).collect() };
                let n_found = (0..1_000).map(word).filter(|word| is_random(word)).count();
                assert!(n_found >= least, "{n_found} of 1,000 with {len} of {} characters", characters.len());
            }
        }
    }

    #[test]
    fn numbers_and_alphabets_are_no_random_words() {
        for word in [
            "0x00563cd3b89d70",
            "0xc4ceb9fe1a85ec53L",
            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklmnopqrstuvwxyz",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "8a591fab-1d72-41fa-bdf2-a27162fda1e0",
        ] {
            assert!(!is_random(word.as_bytes()), "{word}");
        }
    }
}
