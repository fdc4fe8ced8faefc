//! Which of the references that a chunk records stands at which place of its text.
//!
//! A chunk records each way to write a name once, without a place: `in.end` and `out.end` are two
//! references to `end`. Input: the references to one name, the text, and the places of the name.
//! Output: for each place, whether it means the declaration that is asked for, and the evidence.
//! The object in front of the name connects the two. If that leaves several references with
//! different meanings, the result is a guess.

use super::words::enclosing_byte;
use crate::base::text::words;
use crate::index::chunk::ByteRange;
use crate::search::graph::{Evidence, class_around};
use crate::search::segment::FileView;

/// A reference of a chunk to the name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordedReference<'s> {
    pub(crate) qualifier: &'s str,
    /// The type of the object, if the file says so.
    pub(crate) alias: &'s str,
    /// The type around, if the name may be a member of it; empty outside of types.
    pub(crate) own_type: Option<&'s str>,
    /// The evidence that it means the declaration; `None` if it means something else.
    pub(crate) evidence: Option<Evidence>,
}

/// The text in front of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receiver<'t> {
    Nothing,
    /// A name, the last of an object.
    Name(&'t str),
    /// An expression, such as a call.
    Expression,
    /// A block, such as the body of a class without a name, which may declare the name itself.
    Block,
}

impl RecordedReference<'_> {
    fn is_at(&self, receiver: Receiver<'_>) -> bool {
        match receiver {
            Receiver::Nothing => self.qualifier.is_empty(),
            Receiver::Name(name) => last_word(self.qualifier) == name,
            Receiver::Expression | Receiver::Block => {
                !self.qualifier.is_empty() && last_word(self.qualifier).is_empty()
            }
        }
    }
}

/// The declaration around a place, and the type around that.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PlaceContext<'s> {
    bytes: ByteRange,
    class: &'s str,
    /// The name of the declaration.
    name: &'s str,
}

impl<'s> PlaceContext<'s> {
    /// Returns what is around a place of a file.
    pub(crate) fn of(file: &FileView<'s>, byte: u32) -> Self {
        let around = enclosing_byte(file, byte);
        around.map_or_else(Self::default, |one| Self {
            bytes: one.row.span.bytes,
            class: class_around(file, Some(one.ord)),
            name: last_word(file.segment.name(&one.row)),
        })
    }
}

/// Returns the evidence at each place; `None` where the name means something else. `around` is the
/// declaration around a place.
pub(crate) fn evidence_at<'s>(
    all: &[RecordedReference<'_>],
    text: &str,
    places: &[u32],
    around: impl Fn(u32) -> PlaceContext<'s>,
) -> Vec<Option<Evidence>> {
    let receivers: Vec<Receiver<'_>> = places.iter().map(|&at| receiver(text, at as usize)).collect();
    // References that no place is written like: the source may write them in a way not seen here.
    let rest: Vec<&RecordedReference<'_>> =
        all.iter().filter(|one| !receivers.iter().any(|receiver| one.is_at(*receiver))).collect();
    let of_place = |(&receiver, &place): (&Receiver<'_>, &u32)| {
        let mut found: Vec<&RecordedReference<'_>> = all.iter().filter(|one| one.is_at(receiver)).collect();
        // The record names the function in front of what it declares inside.
        if receiver == Receiver::Nothing && !rest.is_empty() {
            let name = around(place).name;
            let local = rest.iter().filter(|one| !name.is_empty() && one.qualifier == name);
            let local: Vec<&RecordedReference<'_>> = local.copied().collect();
            if !local.is_empty() {
                return verdict(&local);
            }
        }
        if found.is_empty() || receiver == Receiver::Block {
            let found = if found.is_empty() { verdict(&rest) } else { verdict(&found) };
            let is_block = receiver == Receiver::Block;
            return found.map(|known| if is_block { known.max(Evidence::Alternative) } else { known });
        }
        if found.iter().any(|one| one.evidence != found.first().and_then(|first| first.evidence)) {
            let around = around(place);
            let is_of_type = |one: &&RecordedReference<'_>| one.own_type == Some(around.class);
            if found.iter().any(is_of_type) {
                found.retain(is_of_type);
                return verdict(&found);
            }
            let inside = text.get(around.bytes.start as usize..around.bytes.end as usize);
            let is_named = |one: &&RecordedReference<'_>| {
                let name = last_word(one.alias.trim_end_matches([')', '(', '>']));
                !name.is_empty() && inside.is_some_and(|text| words(text, name).next().is_some())
            };
            if found.iter().any(is_named) {
                found.retain(is_named);
            }
        }
        verdict(&found)
    };
    receivers.iter().zip(places).map(of_place).collect()
}

/// Returns what several references say together.
fn verdict(all: &[&RecordedReference<'_>]) -> Option<Evidence> {
    let best = all.iter().filter_map(|one| one.evidence).min()?;
    Some(if all.iter().all(|one| one.evidence.is_some()) { best } else { best.max(Evidence::Alternative) })
}

/// Returns what stands in front of a name.
fn receiver(text: &str, at: usize) -> Receiver<'_> {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let Some(object) = ["?.", "!.", "::", "->", "."].iter().find_map(|one| before.strip_suffix(one)) else {
        return Receiver::Nothing;
    };
    // `...rest`, `0..end`.
    if before.ends_with("..") {
        return Receiver::Nothing;
    }
    match last_word(object.trim_end()) {
        "" if object.trim_end().ends_with('}') => Receiver::Block,
        "" => Receiver::Expression,
        name => Receiver::Name(name),
    }
}

/// Returns the word at the end of a text; empty if there is none.
fn last_word(text: &str) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.get(text.trim_end_matches(is_word).len()..).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing)]
mod tests {
    use super::*;

    fn at(all: &[(&str, &str, Option<Evidence>)], text: &str) -> Vec<Option<Evidence>> {
        let all: Vec<_> = all
            .iter()
            .map(|&(qualifier, alias, evidence)| RecordedReference {
                qualifier,
                alias,
                own_type: None,
                evidence,
            })
            .collect();
        let places: Vec<u32> = words(text, "end").map(|at| u32::try_from(at).unwrap()).collect();
        // Each line is a declaration.
        let around = |at: u32| {
            let start = text[..at as usize].rfind('\n').map_or(0, |at| at + 1);
            let end = text[at as usize..].find('\n').map_or(text.len(), |n| at as usize + n);
            let bytes = ByteRange { start: u32::try_from(start).unwrap(), end: u32::try_from(end).unwrap() };
            PlaceContext { bytes, class: "", name: "" }
        };
        evidence_at(&all, text, &places, around)
    }

    #[test]
    fn objects_tell_the_references_of_a_chunk_apart() {
        let (sure, guess) = (Some(Evidence::Declared), Some(Evidence::Alternative));
        let both = [("in", "Reader", sure), ("out", "Writer", None)];
        assert_eq!(at(&both, "in.end()\nout.end()\nthis.in\n  .end()"), [sure, None, sure]);
        // A field of the name is not the type of the name.
        assert_eq!(at(&[("", "", sure)], "new end()\nx.end = 3"), [sure, None]);
        // The types in the declaration decide between objects of one name; else it is a guess.
        let same = [("x", "Reader", sure), ("x", "Writer", None)];
        assert_eq!(at(&same, "f(Reader x) x.end()\nf(Writer x) x.end()\nx.end()"), [sure, None, guess]);
        assert_eq!(at(&[("a", "", sure)], "new A() {}.end()"), [guess]);
        // A call without an object is not one of an expression.
        assert_eq!(at(&[("", "", sure), ("(a)", "", None)], "(a).end()\nend()"), [None, sure]);
        // Written in a way that is not understood.
        assert_eq!(at(&[("a", "", sure)], "a<int>::end()"), [sure]);
        assert_eq!(at(&[("open()", "", sure), ("x", "", None)], "open().end()\nx.end()"), [sure, None]);
    }
}
