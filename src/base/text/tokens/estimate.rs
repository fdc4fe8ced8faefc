//! Token estimates: a text → roughly the number of tokens that any model counts, on the high side.
//!
//! This is for text sent to models with an unknown encoding. It follows the way byte-pair
//! tokenizers split text, so that a limit kept by the estimate is also kept by the model. It is
//! calibrated on cl100k, see [`estimate`]. Text shown within a budget is counted exactly instead,
//! see [`super::tokens`].

/// Letters per piece of a word.
const LETTERS: usize = 6;

/// Capitals per piece of an acronym. Fewer than letters, because tokenizers saw fewer acronyms in
/// training.
const CAPITALS: usize = 2;

/// Digits per piece of a number; cl100k cuts after three.
const DIGITS: usize = 3;

/// Equal white space characters per piece (a line's indentation).
const BLANKS: usize = 16;

/// Estimates the number of tokens in a text, in linear time.
///
/// It counts one token per:
///
/// - six letters of a word or of a part of one (`getElement` has two parts),
/// - two capitals of an acronym,
/// - three digits,
/// - sixteen equal blanks.
///
/// Punctuation counts two tokens per three characters in a row. An incomplete piece counts as a
/// whole one. A single space before a letter or punctuation counts nothing, nor does a single line
/// feed after punctuation, because tokenizers join them with their neighbours. A character outside
/// ASCII counts by its length in UTF-8: one token for two bytes, two for three, three for four.
///
/// The estimate is rarely below the count of cl100k. Exceptions are tables of names or numbers, and
/// random text such as keys in base64. See `doc/experiments/answer.md`.
pub fn estimate(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |from: usize, is: &dyn Fn(u8) -> bool| {
        bytes.get(from..).unwrap_or_default().iter().take_while(|&&byte| is(byte)).count()
    };
    let (mut at, mut n) = (0, 0);
    let mut is_after_mark = false;
    while let Some(&byte) = bytes.get(at) {
        let was_after_mark = std::mem::replace(&mut is_after_mark, byte.is_ascii_punctuation());
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
            _ if byte.is_ascii_punctuation() => {
                let len = run(at, &|byte| byte.is_ascii_punctuation());
                n += (2 * len).div_ceil(3);
                len
            }
            // White space and control characters.
            0..=0x7f => {
                let len = run(at, &|other| other == byte);
                let next = bytes.get(at + len).copied().unwrap_or_default();
                n += match (byte, len) {
                    (b' ', 1) => usize::from(!(next.is_ascii_alphabetic() || next.is_ascii_punctuation())),
                    (b' ', _) => len.div_ceil(BLANKS) + usize::from(next.is_ascii_digit()),
                    (b'\n', 1) if was_after_mark => 0,
                    (b'\n' | b'\r' | b'\t', _) => len.div_ceil(BLANKS),
                    _ => len,
                };
                len
            }
            // The first byte of a character determines its length. Continuation bytes can't occur
            // here.
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

#[cfg(test)]
mod tests {
    use super::estimate;

    /// The expected counts are those of cl100k.
    #[test]
    fn is_not_below_the_tokenizer() {
        for (text, cl100k) in [
            ("fn main() {\n    println!(\"hello\");\n}\n", 10),
            (
                "def get_element_by_id(self, id_: str) -> Optional[Element]:\n    return self._elements.get(id_)\n",
                24,
            ),
            ("if (a && b) { return x[i + 1]; }\n", 15),
            ("HTTP_STATUS_CODES = {404: 'Not Found', 500: 'Internal Server Error'}\n", 19),
            ("[1, 2, 3, 45, 678, 9012, 34567]", 23),
            ("// Überprüft, ob der Wert gültig ist.\n", 13),
            ("// 解析命令行参数\n", 9),
            ("internationalization of configuration", 4),
            ("\t\t\tcase *ast.FuncDecl:\n\t\t\t\treturn nil, err\n", 13),
        ] {
            assert!(estimate(text) >= cl100k, "{text:?}: {} < {cl100k}", estimate(text));
        }
        assert_eq!(estimate(""), 0);
    }

    #[test]
    fn pieces_have_their_lengths() {
        for (text, expected) in [
            ("abcdef", 1),
            ("abcdefg", 2),
            ("AB", 1),
            ("ABC", 2),
            ("123", 1),
            ("1234", 2),
            ("\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t", 1),
            ("\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t", 2),
            ("...", 2),
            ("....", 3),
            ("é", 1),
            ("中", 2),
            ("😀", 3),
        ] {
            assert_eq!(estimate(text), expected, "{text:?}");
        }
    }
}
