//! What a question has that asks what a symbol refers to: "what does X call", "callees of X".

use crate::index::chunk::ReferenceKind;

use super::name::{NOUNS, NameWord, PEOPLE, bare, is_in, is_plain, is_symbol};
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

/// Verbs at the end of a clause, whose subject is the name: "what open calls".
const ENDINGS: [(&str, &[ReferenceKind]); 12] = [
    ("calls", CALLED),
    ("constructs", CALLED),
    ("depends", USES),
    ("derives", INHERITS),
    ("extends", INHERITS),
    ("implements", INHERITS),
    ("inherits", INHERITS),
    ("instantiates", CALLED),
    ("invokes", CALLED),
    ("references", USES),
    ("relies", USES),
    ("uses", USES),
];

/// Words that begin such a clause.
const CLAUSE: [&str; 3] = ["that", "what", "which"];

/// Words behind "by" that name no function: "used by default".
const MANNERS: [&str; 10] =
    ["convention", "default", "design", "hand", "id", "index", "key", "name", "reference", "value"];

/// Reads such a question: the name, and the kinds of reference that it asks for.
pub(super) fn read(words: &[&str]) -> Option<NamedKinds> {
    by_subject(words).or_else(|| by_clause(words)).or_else(|| done_by(words)).or_else(|| callees(words))
}

/// Reads "what does X call", "which functions does X use", "what does X inherit from".
fn by_subject(words: &[&str]) -> Option<NamedKinds> {
    let at = words.iter().position(|word| is_in(bare(word), &["do", "does"]))?;
    let (asking, rest) = (words.get(..at)?, words.get(at + 1..)?);
    let asks = asking.iter().any(|word| is_in(word, &["what", "which", "who", "whom"]));
    if !asks || !are_plain(asking.iter().filter(|word| !is_in(word, &["whom"]))) {
        return None;
    }
    let (verb, subject) = without_preposition(rest).split_last()?;
    let (_, kinds) = SUBJECT_VERBS.iter().find(|one| bare(verb).eq_ignore_ascii_case(one.0))?;
    Some((NameWord::among(subject).filter(is_thing)?, *kinds))
}

/// Reads "what X calls", "functions that X uses", "the classes which X inherits from".
fn by_clause(words: &[&str]) -> Option<NamedKinds> {
    let (verb, before) = without_preposition(words).split_last()?;
    let (_, kinds) = ENDINGS.iter().find(|one| bare(verb).eq_ignore_ascii_case(one.0))?;
    let at = before.iter().rposition(|word| is_in(word, &CLAUSE))?;
    let (asking, subject) = before.split_at_checked(at + 1)?;
    let named = NameWord::among(subject).filter(|_| are_plain(asking.iter())).filter(is_thing)?;
    Some((named, *kinds))
}

/// Reads "what is called by X", "functions used by X".
fn done_by(words: &[&str]) -> Option<NamedKinds> {
    let by = words.iter().position(|word| word.eq_ignore_ascii_case("by"))?;
    let (done, asking) = words.get(..by)?.split_last()?;
    let (_, kinds) = DONE_BY.iter().find(|one| done.eq_ignore_ascii_case(one.0))?;
    if asking.is_empty() || !are_plain(asking.iter()) {
        return None;
    }
    let named = NameWord::among(words.get(by + 1..)?).filter(is_thing)?;
    (!MANNERS.contains(&named.symbol.as_str())).then_some((named, *kinds))
}

/// Reads "callees of X" and "parse_header callees".
fn callees(words: &[&str]) -> Option<NamedKinds> {
    let at = words.iter().position(|word| bare(word).eq_ignore_ascii_case("callees"))?;
    let (before, after) = (words.get(..at)?, words.get(at + 1..)?);
    let is_of = after.first().is_some_and(|word| is_in(word, &["of"])) && are_plain(before.iter());
    let named = match (before, after) {
        ([name], []) if is_symbol(name) => NameWord::among(before)?,
        (_, [_, ..]) if is_of => NameWord::among(after)?,
        _ => return None,
    };
    Some((named, CALLED))
}

/// Returns words without a preposition at their end: "what does X inherit from".
fn without_preposition<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    let is_end = |word: &&&str| is_in(bare(word), &["from", "on", "upon"]);
    let n_end = words.iter().rev().take_while(is_end).count();
    words.get(..words.len() - n_end).unwrap_or_default()
}

/// Returns whether all words may be words of the question and no names.
fn are_plain<'w>(mut words: impl Iterator<Item = &'w &'w str>) -> bool {
    words.all(|word| is_plain(Some(&bare(word))))
}

/// Returns whether a name does not stand for people, or for what names mean.
fn is_thing(name: &NameWord) -> bool {
    let is_common = name.is_word && is_in(&name.symbol, &NOUNS);
    !is_common && !is_in(&name.symbol, &PEOPLE)
}
