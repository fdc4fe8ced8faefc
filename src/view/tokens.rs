//! Tokens: text → an estimate of how many tokens a language model counts in it.
//!
//! No tokenizer is linked: its tables are megabytes and every vendor has others. The estimate follows how
//! byte-pair tokenizers split text and is on the high side by design, so that a budget kept by it is kept by the
//! model. Calibrated on cl100k: see [`tokens`].

/// Letters of one piece of a word.
const LETTERS: usize = 4;

/// Capitals of one piece of an acronym: they are rarer in what tokenizers learnt from.
const CAPITALS: usize = 2;

/// Digits of one piece of a number; cl100k cuts at three.
const DIGITS: usize = 3;

/// Equal white space characters of one piece (a line's indentation).
const BLANKS: usize = 16;

/// Equal punctuation characters of one piece (`==`, `----`).
const MARKS: usize = 2;

/// Estimates the number of tokens in a text; linear in its length.
///
/// Counts one for each four letters of a word or part of one (`getElement` has two parts), two capitals of an
/// acronym, three digits, two equal punctuation characters and sixteen equal blanks, each begun piece whole; a
/// single space counts nothing, since it joins the word after it. A character outside ASCII counts by its bytes
/// in UTF-8: one for two, two for three, three for four.
pub fn tokens(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize, is: &dyn Fn(u8) -> bool| {
        bytes.get(from..).unwrap_or_default().iter().take_while(|&&byte| is(byte)).count()
    };
    let (mut at, mut n) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        at += match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let capitals = run(at, &|byte| byte.is_ascii_uppercase());
                let small = run(at + capitals, &|byte| byte.is_ascii_lowercase());
                n += match capitals {
                    0 | 1 => (capitals + small).div_ceil(LETTERS),
                    _ => capitals.div_ceil(CAPITALS) + small.div_ceil(LETTERS),
                };
                capitals + small
            }
            b'0'..=b'9' => {
                let len = run(at, &|byte| byte.is_ascii_digit());
                n += len.div_ceil(DIGITS);
                len
            }
            0..=0x7f => {
                let len = run(at, &|other| other == byte);
                n += match byte {
                    b' ' if len == 1 => 0,
                    _ if byte.is_ascii_whitespace() => len.div_ceil(BLANKS),
                    _ => len.div_ceil(MARKS),
                };
                len
            }
            // The first byte of a character says how long it is; a text holds no other bytes here.
            0x80..=0xdf => {
                n += 1;
                2
            }
            0xe0..=0xef => {
                n += 2;
                3
            }
            0xf0.. => {
                n += 3;
                4
            }
        };
    }
    n
}
