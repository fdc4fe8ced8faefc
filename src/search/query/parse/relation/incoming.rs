//! What a question has that asks what refers to a symbol: "what calls X", "is X still used".

use crate::index::chunk::ReferenceKind;

use super::name::{ASKING, GRAMMAR, NameWord, PEOPLE, bare, is_filler, is_in, is_plain, is_symbol};
use super::{CALLS, INHERITS, NamedKinds, USES};

/// Words that ask for a relation on their own, with the kinds of reference they ask for.
const RELATIONS: [(&str, &[ReferenceKind]); 32] = [
    ("called", CALLS),
    ("callers", CALLS),
    ("calls", CALLS),
    ("constructed", USES),
    ("constructs", USES),
    ("derived", INHERITS),
    ("derives", INHERITS),
    ("descendants", INHERITS),
    ("extended", INHERITS),
    ("extends", INHERITS),
    ("implementations", INHERITS),
    ("implementers", INHERITS),
    ("implementors", INHERITS),
    ("implements", INHERITS),
    ("inherited", INHERITS),
    ("inheriting", INHERITS),
    ("inherits", INHERITS),
    ("instantiated", USES),
    ("instantiates", USES),
    ("invoked", CALLS),
    ("invokes", CALLS),
    ("referenced", USES),
    ("references", USES),
    ("subclassed", INHERITS),
    ("subclasses", INHERITS),
    ("subtypes", INHERITS),
    ("usage", USES),
    ("usages", USES),
    ("used", USES),
    ("users", USES),
    ("uses", USES),
    ("using", USES),
];

/// Words that ask for a relation only after a word of [`ASKING`] ("where do we call it").
const VERBS: [(&str, &[ReferenceKind]); 9] = [
    ("call", CALLS),
    ("derive", INHERITS),
    ("extend", INHERITS),
    ("implement", INHERITS),
    ("inherit", INHERITS),
    ("invoke", CALLS),
    ("reference", USES),
    ("subclass", INHERITS),
    ("use", USES),
];

/// Relations that come after the name: "where is open called".
const PASSIVE: [&str; 9] = [
    "called",
    "constructed",
    "extended",
    "inherited",
    "instantiated",
    "invoked",
    "referenced",
    "subclassed",
    "used",
];

/// Words for a change, in "what breaks if I change X".
const CHANGES: [&str; 12] = [
    "alter", "break", "change", "delete", "drop", "edit", "modify", "move", "refactor", "remove", "rename",
    "touch",
];

/// Words that ask for a relation behind a name: "parse_header callers". For a name that may be a
/// plain word, only those that mean nothing else.
const BEHIND: [(&str, bool, &[ReferenceKind]); 9] = [
    ("callers", true, CALLS),
    ("calls", false, CALLS),
    ("implementations", false, INHERITS),
    ("implementers", true, INHERITS),
    ("implementors", true, INHERITS),
    ("references", false, USES),
    ("subclasses", true, INHERITS),
    ("usages", true, USES),
    ("users", false, USES),
];

/// Reads such a question: the name, and the kinds of reference that it asks for.
pub(super) fn read(words: &[&str]) -> Option<NamedKinds> {
    let found = by_consequence(words).or_else(|| by_use(words)).or_else(|| behind(words));
    found.or_else(|| by_relation(words))
}

/// Reads "what calls X", "callers of X", "where is X called", "all X usages".
fn by_relation(words: &[&str]) -> Option<NamedKinds> {
    for (at, word) in words.iter().enumerate() {
        let (head, tail) = (words.get(..at)?, words.get(at + 1..)?);
        let asks = head.iter().any(|word| is_in(bare(word), &ASKING));
        let of = |list: &[(&str, &'static [ReferenceKind])]| {
            list.iter().find(|(known, _)| bare(word).eq_ignore_ascii_case(known)).map(|one| one.1)
        };
        let Some(kinds) = of(&RELATIONS).or_else(|| of(&VERBS).filter(|_| asks)) else {
            continue;
        };
        // "What does X call" asks for the opposite: what X refers to.
        let is_subject = of(&VERBS).is_some() && tail.is_empty();
        if is_subject && subject_of_does(head) {
            return None;
        }
        let is_from = |next: &str| next == "from" && kinds == INHERITS;
        let is_of = tail.first().is_some_and(|next| matches!(*next, "of" | "to") || is_from(next));
        let is_passive = is_in(bare(word), &PASSIVE);
        let is_empty = |words: &[&str]| words.iter().all(|word| is_plain(Some(&bare(word))));
        let named = if !is_passive && !tail.is_empty() && is_empty(head) && (asks || is_of) {
            NameWord::among(tail)
        } else if is_empty(tail) && asks {
            // The first of these words asks.
            let asking = head.iter().take_while(|word| is_in(bare(word), &ASKING)).count();
            NameWord::among(head.get(asking.min(head.len().saturating_sub(1)).max(1)..)?)
        } else {
            None
        };
        if let Some(named) = named {
            return Some((named, kinds));
        }
    }
    None
}

/// Returns whether words such as "what does X" make the name behind them the subject of the verb
/// that follows.
fn subject_of_does(words: &[&str]) -> bool {
    let is_do = |word: &&str| is_in(bare(word), &["do", "does"]);
    let Some(at) = words.iter().position(is_do) else { return false };
    let asks_what =
        words.get(..at).is_some_and(|asking| asking.iter().any(|word| is_in(word, &["what", "which"])));
    let is_name = |word: &&str| !is_in(bare(word), &PEOPLE) && !is_filler(bare(word));
    asks_what && words.get(at + 1..).is_some_and(|subject| subject.iter().any(is_name))
}

/// Reads "what breaks if I change X", "what happens when X is removed", "what depends on X",
/// "impact of changing X".
fn by_consequence(words: &[&str]) -> Option<NamedKinds> {
    let is = |at: usize, list: &[&str]| {
        words.get(at).is_some_and(|word| {
            let word = word.trim_end_matches(['?', ',']);
            list.iter().any(|known| word.eq_ignore_ascii_case(known))
        })
    };
    let skip = |at: usize, list: &[&str]| if is(at, list) { at + 1 } else { at };
    let name = |at: usize| words.get(at..).and_then(NameWord::among);
    if is(0, &["impact", "effect", "consequences"]) && is(1, &["of"]) {
        let gerund = words.get(2).map(|word| word.to_lowercase())?;
        let stem = gerund.strip_suffix("ing")?;
        let is_change = CHANGES.iter().any(|verb| {
            let bare = verb.strip_suffix('e').unwrap_or(verb);
            stem == *verb || stem == bare || stem.strip_suffix('p').is_some_and(|stem| stem == *verb)
        });
        return name(3).filter(|_| is_change).map(|name| (name, USES));
    }
    if !is(0, &["what", "who", "which"]) {
        return None;
    }
    let at =
        skip(skip(1, &["code", "else", "files", "functions", "tests"]), &["would", "will", "could", "might"]);
    if is(at, &["depends", "depend", "relies", "rely"]) && is(at + 1, &["on", "upon"]) {
        return name(at + 2).map(|name| (name, USES));
    }
    let at = skip(at, &["is", "are", "gets", "be"]);
    let breaks = ["affected", "break", "breaks", "change", "changes", "fail", "fails", "happen", "happens"];
    let at = skip(if is(at, &breaks) { at + 1 } else { return None }, &["by"]);
    if !is(at, &["if", "when", "after"]) {
        return None;
    }
    let at = skip(at + 1, &["anyone", "i", "one", "somebody", "someone", "we", "you"]);
    if is(at, &CHANGES) {
        return name(at + 1).map(|name| (name, USES));
    }
    // "… X changes".
    if let Some((last, name)) = words.get(at..).and_then(<[&str]>::split_last)
        && CHANGES.iter().any(|verb| bare(last).strip_suffix('s').is_some_and(|word| word == *verb))
    {
        return NameWord::among(name).map(|name| (name, USES));
    }
    // "… X is removed".
    let last = words.len().checked_sub(2).filter(|last| *last > at)?;
    let is_passive = is(last, &["is", "gets", "was"]);
    let participle = words.get(last + 1).map(|word| word.trim_end_matches('?').to_lowercase());
    let is_change = participle.is_some_and(|word| {
        let stem = word.strip_suffix('d').unwrap_or(&word);
        let stem = stem.strip_suffix('e').unwrap_or(stem);
        CHANGES.iter().any(|verb| verb.strip_suffix('e').unwrap_or(verb) == stem)
    });
    let name = words.get(at..last).filter(|_| is_passive && is_change).and_then(NameWord::among);
    name.map(|name| (name, USES))
}

/// Reads "is X still used", "does anything use X", "is X dead code".
fn by_use(words: &[&str]) -> Option<NamedKinds> {
    let lower: Vec<String> =
        words.iter().map(|word| word.trim_end_matches(['?', '.', '!']).to_lowercase()).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower.as_slice() {
        ["is" | "are", rest @ ..] => {
            let is_use = |rest: &[&str]| {
                matches!(
                    rest,
                    ["used" | "called" | "referenced" | "needed" | "unused"]
                        | ["used" | "called" | "referenced" | "needed", "anywhere" | "somewhere"]
                        | ["dead", "code"]
                        | ["in", "use"]
                )
            };
            let is_filler = |word: &&str| matches!(*word, "still" | "ever" | "actually" | "even");
            let end = (1..rest.len()).find(|&at| {
                let rest: Vec<&str> = rest.iter().skip(at).copied().filter(|word| !is_filler(word)).collect();
                is_use(&rest)
            })?;
            NameWord::among(words.get(1..=end)?).map(|name| (name, USES))
        }
        ["does" | "do", "anything" | "anyone" | "anybody" | "someone" | "we", rest @ ..] => {
            let at = words.len() - rest.len();
            let at = if matches!(rest.first().copied(), Some("still" | "ever" | "actually")) {
                at + 1
            } else {
                at
            };
            let kinds = match lower.get(at).copied() {
                Some("use" | "reference" | "need") => USES,
                Some("call" | "invoke") => CALLS,
                Some("implement" | "extend") => INHERITS,
                _ => return None,
            };
            NameWord::among(words.get(at + 1..)?).map(|name| (name, kinds))
        }
        _ => None,
    }
}

/// Reads "parse_header callers".
fn behind(words: &[&str]) -> Option<NamedKinds> {
    let [name, relation] = words else { return None };
    let (_, is_clear, kinds) = BEHIND.iter().find(|one| bare(relation).eq_ignore_ascii_case(one.0))?;
    let is_word = is_plain(Some(&bare(name)));
    let is_name = (*is_clear || is_symbol(name)) && !is_in(name, &GRAMMAR);
    is_name.then(|| (NameWord { symbol: bare(name).to_owned(), is_word }, *kinds))
}
