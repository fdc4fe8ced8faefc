//! Splits tokens into index terms, in the same way for indexed text and for queries.
//!
//! A token is a run of letters, digits and `_`, as records keep it. Its terms are lower-case
//! (Unicode) and come in three kinds, see [`TermKind`]. Ideographs and kana have no word
//! boundaries, so a run of them becomes its overlapping pairs. The query decides the weight of each
//! kind.

use crate::base::text::identifier::{each_part, is_unspaced};

use crate::base::text::stem::stem;

/// The relation of a term to the token that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind {
    /// One part of the identifier, stemmed; or a pair of ideographs.
    Part,
    /// A whole identifier of several parts, joined without separators, not stemmed: `parse_header`
    /// and `parseHeader` both give `parseheader`.
    Compound,
    /// A whole identifier of one part, not stemmed, if it differs from its stem.
    Word,
}

/// Calls `each` with every term of a token, parts first, in order. The same term may come several
/// times.
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

/// Returns the key by which a declared name is looked up: lower-case, without `_` and `-`.
///
/// `parse_header`, `parseHeader` and `parse-header` share a key. A name of nothing but `_` and `-`
/// is its own key.
pub fn symbol_key(name: &str) -> String {
    let key: String = name.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect();
    if key.is_empty() { name.to_owned() } else { key }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(token: &str) -> Vec<(String, TermKind)> {
        let mut out = Vec::new();
        each_term(token, |term, kind| out.push((term.to_owned(), kind)));
        out
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
