//! Tokens → index terms, the same way for what is indexed and for what is asked.
//!
//! A token is a run of letters, digits and `_`, as records keep it. Its terms are lower-case (Unicode) and
//! come in three kinds, see [`TermKind`]. Ideographs and kana have no word boundaries, so a run of them becomes
//! its overlapping pairs. Which weight a kind has is the query's business.

use super::stem::stem;

/// What a term says about the token that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// One part of the identifier, stemmed; or a pair of ideographs.
    Part,
    /// A whole identifier of several parts, joined without separators, not stemmed: `parse_header` and
    /// `parseHeader` both give `parseheader`.
    Compound,
    /// A whole identifier of one part, not stemmed, where that differs from its stem.
    Word,
}

/// Calls `each` with every term of a token, parts first, in order; the same term may come several times.
///
/// `parseHTTPResponses2` gives the parts `pars`, `http`, `respons`, `2` and the compound
/// `parsehttpresponses2`; `parsing` gives the part `pars` and the word `parsing`.
pub fn each_term(token: &str, mut each: impl FnMut(&str, TermKind)) {
    let mut whole = String::with_capacity(token.len());
    let mut lowered = String::with_capacity(token.len());
    let mut n_parts = 0usize;
    let mut last_stem = String::new();
    let mut paired = false;
    each_part(token, |part| {
        lowered.clear();
        lowered.extend(part.chars().flat_map(char::to_lowercase));
        if part.chars().next().is_some_and(is_unspaced) {
            paired = true;
            pairs(&lowered, |pair| each(pair, TermKind::Part));
            return;
        }
        n_parts += 1;
        whole.push_str(&lowered);
        last_stem = stem(&lowered);
        each(&last_stem, TermKind::Part);
    });
    if n_parts > 1 {
        each(&whole, TermKind::Compound);
    } else if n_parts == 1 && !paired && whole != last_stem {
        each(&whole, TermKind::Word);
    }
}

/// Calls `each` with every part of an identifier, as written: cut at `_` and other signs, from lower to upper
/// case, before the last capital of a run that a small letter follows (`HTTPResponse`), between letters and the
/// digits after them, and around ideographs. What begins with a digit stays whole (`0x1f2b`, `3d`).
pub fn each_part<'t>(token: &'t str, mut each: impl FnMut(&'t str)) {
    let mut start = 0;
    let mut before: Option<Class> = None;
    let mut starts_with_digit = false;
    let mut chars = token.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let class = Class::of(c);
        let next = chars.peek().map(|&(_, c)| Class::of(c));
        let cut = match (before, class) {
            (None, _) => false,
            (Some(Class::Sign), _) | (_, Class::Sign) => true,
            (Some(Class::Unspaced), now) => now != Class::Unspaced,
            (_, Class::Unspaced) => true,
            _ if starts_with_digit => false,
            (Some(Class::Lower), Class::Upper) => true,
            (Some(Class::Upper), Class::Upper) => next == Some(Class::Lower),
            (Some(Class::Lower | Class::Upper), Class::Digit) => true,
            (Some(Class::Digit), Class::Lower | Class::Upper) => true,
            _ => false,
        };
        if cut || before.is_none() {
            emit(token, start, at, &mut each);
            start = at;
            // A digit run inside an identifier ends at the next letter; one that opens a word swallows it.
            starts_with_digit = class == Class::Digit && matches!(before, None | Some(Class::Sign));
        }
        before = Some(class);
    }
    emit(token, start, token.len(), &mut each);
}

/// What a declared name is looked up by: lower-case, without `_` and `-`, so that `parse_header`, `parseHeader` and
/// `parse-header` are one; a name of nothing else stays as it is.
pub fn symbol_key(name: &str) -> String {
    let key: String = name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect();
    if key.is_empty() { name.to_owned() } else { key }
}

/// The tokens of a text: its runs of letters, digits and `_`, in order.
pub fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c != '_' && Class::of(c) == Class::Sign).filter(|token| !token.is_empty())
}

fn emit<'t>(token: &'t str, start: usize, end: usize, each: &mut impl FnMut(&'t str)) {
    let part = token.get(start..end).unwrap_or_default();
    if part.chars().next().is_some_and(|c| Class::of(c) != Class::Sign) {
        each(part);
    }
}

fn pairs(run: &str, mut each: impl FnMut(&str)) {
    let ends: Vec<usize> = run.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    if ends.len() <= 2 {
        each(run);
        return;
    }
    let mut start = 0;
    for (i, &end) in ends.iter().enumerate().skip(1) {
        each(run.get(start..end).unwrap_or_default());
        start = ends.get(i - 1).copied().unwrap_or(end);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Unspaced,
    Sign,
}

impl Class {
    fn of(c: char) -> Self {
        if c.is_ascii_lowercase() {
            Self::Lower
        } else if c.is_ascii_uppercase() {
            Self::Upper
        } else if c.is_numeric() {
            Self::Digit
        } else if is_unspaced(c) {
            Self::Unspaced
        } else if c.is_uppercase() {
            Self::Upper
        } else if c.is_alphabetic() || is_mark(c) {
            Self::Lower
        } else {
            Self::Sign
        }
    }
}

/// Combining marks (accents, Indic vowel signs, Thai tone marks) belong to the letter before them.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x300..=0x36f | 0x900..=0xe4f | 0x1ab0..=0x1aff | 0x20d0..=0x20ff)
}

/// Scripts that are written without spaces: Han, kana, Thai is left to its marks.
fn is_unspaced(c: char) -> bool {
    matches!(
        u32::from(c),
        0x3040..=0x30ff | 0x31f0..=0x31ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x323af
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(token: &str) -> Vec<(String, TermKind)> {
        let mut out = Vec::new();
        each_term(token, |term, kind| out.push((term.to_owned(), kind)));
        out
    }

    fn parts(token: &str) -> Vec<&str> {
        let mut out = Vec::new();
        each_part(token, |part| out.push(part));
        out
    }

    #[test]
    fn identifiers_are_cut_where_a_reader_would() {
        for (token, expected) in [
            ("parseHTTPResponse2", &["parse", "HTTP", "Response", "2"][..]),
            ("snake_case_name", &["snake", "case", "name"]),
            ("__init__", &["init"]),
            ("SCREAMING_SNAKE", &["SCREAMING", "SNAKE"]),
            ("utf8Decoder", &["utf", "8", "Decoder"]),
            ("0x1F2b", &["0x1F2b"]),
            ("x_3d", &["x", "3d"]),
            ("GrößeÄndern", &["Größe", "Ändern"]),
            ("検索index", &["検索", "index"]),
            ("_", &[]),
            ("", &[]),
        ] {
            assert_eq!(parts(token), expected, "{token}");
        }
    }

    #[test]
    fn a_compound_has_its_parts_and_itself() {
        assert_eq!(
            terms("parseHTTPResponses"),
            [
                ("pars".into(), TermKind::Part),
                ("http".into(), TermKind::Part),
                ("respons".into(), TermKind::Part),
                ("parsehttpresponses".into(), TermKind::Compound)
            ]
        );
        assert_eq!(terms("parse_header").last(), terms("parseHeader").last());
    }

    #[test]
    fn a_single_word_has_its_stem_and_itself_where_they_differ() {
        assert_eq!(terms("Parsing"), [("pars".into(), TermKind::Part), ("parsing".into(), TermKind::Word)]);
        assert_eq!(terms("index"), [("index".into(), TermKind::Part)]);
    }

    #[test]
    fn ideographs_become_pairs() {
        let words: Vec<String> = terms("全文検索").into_iter().map(|t| t.0).collect();
        assert_eq!(words, ["全文", "文検", "検索"]);
        assert_eq!(terms("索")[0].0, "索");
    }
}
