//! What a question has that asks what a symbol refers to: "what does X call", "callees of X".

use crate::index::chunk::ReferenceKind;

use super::name::{NameWord, bare, is_in, is_plain};
use super::{CALLED, INHERITS, NamedKinds, USES};

/// Verbs whose subject is the name, with what they ask for: "what does open call".
const SUBJECT_VERBS: [(&str, &[ReferenceKind]); 11] = [
    ("call", CALLED),
    ("depend", USES),
    ("derive", INHERITS),
    ("extend", INHERITS),
    ("implement", INHERITS),
    ("inherit", INHERITS),
    ("invoke", CALLED),
    ("need", USES),
    ("reference", USES),
    ("rely", USES),
    ("use", USES),
];

/// Participles before "by" and the name: "what is called by open".
const DONE_BY: [(&str, &[ReferenceKind]); 6] = [
    ("called", CALLED),
    ("constructed", CALLED),
    ("instantiated", CALLED),
    ("invoked", CALLED),
    ("referenced", USES),
    ("used", USES),
];

/// Reads such a question: the name, and the kinds of reference that it asks for.
pub(super) fn read(words: &[&str]) -> Option<NamedKinds> {
    by_subject(words).or_else(|| done_by(words)).or_else(|| callees(words))
}

/// Reads "what does X call", "which functions does X use", "what does X inherit from".
fn by_subject(words: &[&str]) -> Option<NamedKinds> {
    let at = words.iter().position(|word| is_in(bare(word), &["do", "does"]))?;
    let (asking, rest) = (words.get(..at)?, words.get(at + 1..)?);
    let asks_what = asking.iter().any(|word| is_in(word, &["what", "which"]));
    if !asks_what || !asking.iter().all(|word| is_plain(Some(&bare(word)))) {
        return None;
    }
    let is_end = |word: &&&str| is_in(bare(word), &["from", "on", "upon"]);
    let n_end = rest.iter().rev().take_while(is_end).count();
    let (verb, subject) = rest.get(..rest.len() - n_end)?.split_last()?;
    let (_, kinds) = SUBJECT_VERBS.iter().find(|one| bare(verb).eq_ignore_ascii_case(one.0))?;
    Some((NameWord::among(subject).filter(is_no_person)?, *kinds))
}

/// Reads "what is called by X", "functions used by X".
fn done_by(words: &[&str]) -> Option<NamedKinds> {
    let by = words.iter().position(|word| word.eq_ignore_ascii_case("by"))?;
    let (done, asking) = words.get(..by)?.split_last()?;
    let (_, kinds) = DONE_BY.iter().find(|one| done.eq_ignore_ascii_case(one.0))?;
    let is_asked = !asking.is_empty() && asking.iter().all(|word| is_plain(Some(&bare(word))));
    Some((NameWord::among(words.get(by + 1..)?).filter(|_| is_asked).filter(is_no_person)?, *kinds))
}

/// Reads "callees of X" and "X callees".
fn callees(words: &[&str]) -> Option<NamedKinds> {
    let at = words.iter().position(|word| bare(word).eq_ignore_ascii_case("callees"))?;
    let (before, after) = (words.get(..at)?, words.get(at + 1..)?);
    let is_of = after.first().is_some_and(|word| is_in(word, &["of"]));
    let named = match after {
        [] => NameWord::among(before)?,
        _ if is_of && before.iter().all(|word| is_plain(Some(&bare(word)))) => NameWord::among(after)?,
        _ => return None,
    };
    Some((named, CALLED))
}

/// Returns whether a name does not stand for people.
fn is_no_person(name: &NameWord) -> bool {
    !is_in(&name.symbol, &["anybody", "anyone", "one", "people", "they", "users"])
}
