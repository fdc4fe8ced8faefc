//! Hard requirements of a query: words of quoted phrases and declared symbols.
//!
//! [`ParsedQuery`] → by segment, the set of chunks that may be hits. These sets only restrict
//! candidates; they score nothing. They may contain outdated chunks, which the search removes.

use std::collections::BTreeMap;

use roaring::RoaringBitmap;

use crate::search::segment::{Index, Part};

use super::symbols;
use crate::search::query::Error;
use crate::search::query::parse::parser::{ParsedQuery, required_terms};

/// Returns whether a query without words asks for everything that its filters admit.
pub(in crate::search::query) fn filter_only(parsed: &ParsedQuery) -> bool {
    let filters = &parsed.filters;
    let is_filtered = !(filters.paths.is_empty() && filters.languages.is_empty() && filters.kinds.is_empty());
    is_filtered && parsed.symbols.is_empty()
}

/// Returns those of the words that any chunk has. Outdated chunks do not count.
fn known_words(index: &Index<'_>, words: &[String]) -> Result<Vec<String>, Error> {
    let mut is_known = vec![false; words.len()];
    for (part, segment) in index.segments() {
        let is_live = |chunk: u32| segment.chunk(chunk).is_some_and(|row| index.is_live(part, row.file));
        let postings = segment.postings(words.iter().map(String::as_str))?;
        for (known, postings) in is_known.iter_mut().zip(postings) {
            *known = *known || postings.map(|one| one.chunk).any(is_live);
        }
    }
    Ok(words.iter().zip(is_known).filter(|(_, known)| *known).map(|(word, _)| word.clone()).collect())
}

/// Returns the chunks that have all words of the quoted phrases and declare a symbol that `symbol:`
/// asks for; `None` if there is no such requirement.
pub(in crate::search::query) fn required(
    index: &Index<'_>,
    parsed: &ParsedQuery,
) -> Result<Option<BTreeMap<Part, RoaringBitmap>>, Error> {
    let mut words: Vec<String> = parsed.phrases.iter().flat_map(|phrase| required_terms(phrase)).collect();
    // A word that is nowhere may be the end of a longer one, as where a phrase begins within a
    // name (`"anager).append("`). The others find the candidates, and the text decides.
    if words.len() > 1 {
        let known = known_words(index, &words)?;
        if !known.is_empty() {
            words = known;
        }
    }
    if words.is_empty() && parsed.symbol_filters.is_empty() {
        return Ok(None);
    }
    let mut sets = BTreeMap::new();
    for (part, segment) in index.segments() {
        let mut set: Option<RoaringBitmap> = None;
        for postings in segment.postings(words.iter().map(String::as_str))? {
            let chunks: RoaringBitmap = postings.map(|p| p.chunk).collect();
            set = Some(match set {
                Some(known) => known & chunks,
                None => chunks,
            });
        }
        if let Some(set) = set {
            sets.insert(part, set);
        }
    }
    if !parsed.symbol_filters.is_empty() {
        let mut declaring: BTreeMap<Part, RoaringBitmap> = BTreeMap::new();
        for chunk in symbols::declaring(index, &parsed.symbol_filters)? {
            declaring.entry(chunk.part).or_default().insert(chunk.ord);
        }
        if words.is_empty() {
            sets = declaring;
        } else {
            for (part, set) in &mut sets {
                *set &= declaring.remove(part).unwrap_or_default();
            }
        }
    }
    Ok(Some(sets))
}
