//! What a question has that asks what refers to a symbol: "what calls X", "is X still used".
//!
//! Other ways to ask the same are brought into one form first ([`plain_form`]).

use crate::index::chunk::ReferenceKind;

use super::name::{ASKING, GRAMMAR, NOUNS, NameWord, PEOPLE, bare, is_filler, is_in, is_plain, is_symbol};
use super::{CALLS, INHERITS, NamedKinds, USES};

/// Words that ask for a relation on their own, with the kinds of reference they ask for.
const RELATIONS: [(&str, &[ReferenceKind]); 36] = [
    ("called", CALLS),
    ("callers", CALLS),
    ("calling", CALLS),
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
    ("implementing", INHERITS),
    ("implements", INHERITS),
    ("inherited", INHERITS),
    ("inheriting", INHERITS),
    ("inherits", INHERITS),
    ("instantiated", USES),
    ("instantiates", USES),
    ("invoked", CALLS),
    ("invokes", CALLS),
    ("invoking", CALLS),
    ("referenced", USES),
    ("references", USES),
    ("referencing", USES),
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
const VERBS: [(&str, &[ReferenceKind]); 11] = [
    ("call", CALLS),
    ("cover", USES),
    ("derive", INHERITS),
    ("exercise", USES),
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

/// Words for what a change does, in the same question.
const BREAKS: [&str; 10] =
    ["affected", "break", "breaks", "broken", "change", "changes", "fail", "fails", "happen", "happens"];

/// Words that ask for a relation behind a name, or in front of one: "parse_header callers". For a
/// name that may be a plain word, only those that mean nothing else.
const BEHIND: [(&str, bool, &[ReferenceKind]); 10] = [
    ("callers", true, CALLS),
    ("calls", false, CALLS),
    ("implementations", false, INHERITS),
    ("implementers", true, INHERITS),
    ("implementors", true, INHERITS),
    ("references", false, USES),
    ("subclasses", true, INHERITS),
    ("usage", false, USES),
    ("usages", true, USES),
    ("users", false, USES),
];

/// Words for people and things, which may use something: "does anyone use X".
const SOMEBODY: [&str; 7] = ["anybody", "anyone", "anything", "people", "somebody", "someone", "we"];

/// Words between a question and its verb, which say nothing: "is X still used".
const ADVERBS: [&str; 6] = ["actually", "currently", "even", "ever", "safely", "still"];

/// Beginnings that ask for the number of references. They are answered as if they asked for the
/// references.
const COUNTING: [([&str; 2], &[&str]); 4] =
    [(["how", "many"], &["which"]), (["how", "often"], &[]), (["are", "there"], &[]), (["is", "there"], &[])];

/// Reads such a question: the name, and the kinds of reference that it asks for.
pub(super) fn read(words: &[&str]) -> Option<NamedKinds> {
    let words = plain_form(words);
    let words = words.as_slice();
    let found = by_consequence(words).or_else(|| by_removal(words)).or_else(|| by_use(words));
    found.or_else(|| behind(words)).or_else(|| by_relation(words))
}

/// Returns the words of a question in the form that is read: "what's using X" as "what is using X",
/// "if I change X, what breaks" as "what breaks if I change X", "any call sites of X" as "callers
/// of X", and "how many places call X" as "which places call X".
fn plain_form<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words: Vec<&str> = words
        .iter()
        .flat_map(|word| match word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")) {
            Some(asking) if is_in(asking, &ASKING) => [Some(asking), Some("is")],
            _ => [Some(*word), None],
        })
        .flatten()
        .collect();
    if words.first().is_some_and(|word| is_in(word, &["if", "when"]))
        && let Some(at) = words.iter().position(|word| is_in(word, &["what", "which", "who"]))
    {
        words.rotate_left(at);
    }
    let begins = |(first, _): &&([&str; 2], &[&str])| {
        words
            .get(..2)
            .is_some_and(|two| two.iter().zip(first).all(|(word, one)| word.eq_ignore_ascii_case(one)))
    };
    if let Some((_, instead)) = COUNTING.iter().find(begins)
        && (instead.is_empty() || words.get(2).is_some_and(|word| is_in(word, &NOUNS)))
    {
        words.splice(..2, instead.iter().copied());
    }
    let is_any = words.first().is_some_and(|word| is_in(word, &["any"]));
    if is_any && words.get(1).is_some_and(|word| !is_in(word, &NOUNS)) {
        words.remove(0);
    }
    for at in (0..words.len()).rev() {
        let word = bare(words.get(at).copied().unwrap_or_default());
        let is_site = is_in(word, &["callsite", "callsites", "call-site", "call-sites"]);
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        if is_in(word, &["site", "sites"]) && before.is_some_and(|word| word.eq_ignore_ascii_case("call")) {
            words.splice(at - 1..=at, ["callers"]);
        } else if is_site {
            words.splice(at..=at, ["callers"]);
        }
    }
    words
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
    let is_changing = |at: usize| words.get(at).is_some_and(|word| is_change(word, "ing"));
    if is(0, &["impact", "effect", "consequences"]) && is(1, &["of"]) {
        return name(3).filter(|_| is_changing(2)).map(|name| (name, USES));
    }
    if !is(0, &["what", "who", "which"]) {
        return None;
    }
    let at = skip(
        skip(1, &["code", "else", "files", "functions", "tests"]),
        &["would", "will", "could", "might", "do"],
    );
    if is(at, &["depends", "depend", "relies", "rely"]) && is(at + 1, &["on", "upon"]) {
        return name(at + 2).map(|name| (name, USES));
    }
    let at = skip(skip(at, &["i", "we"]), &["is", "are", "gets", "be"]);
    let at = if is(at, &BREAKS) { at + 1 } else { return None };
    if is(at, &["by"]) && is_changing(at + 1) {
        return name(at + 2).map(|name| (name, USES));
    }
    let at = skip(at, &["by"]);
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
    let is_changed = words.get(last + 1).is_some_and(|word| is_change(word, "ed"));
    let name = words.get(at..last).filter(|_| is_passive && is_changed).and_then(NameWord::among);
    name.map(|name| (name, USES))
}

/// Returns whether a word is a verb for a change with an ending, `ing` or `ed`.
fn is_change(word: &str, ending: &str) -> bool {
    let word = bare(word).to_lowercase();
    let Some(stem) = word.strip_suffix(ending) else { return false };
    CHANGES.iter().any(|verb| {
        let bare = verb.strip_suffix('e').unwrap_or(verb);
        stem == *verb || stem == bare || stem.strip_suffix('p').is_some_and(|stem| stem == *verb)
    })
}

/// Reads "can I delete X", "is it safe to remove X", "can X be removed". The name must be written
/// as only names are: "can I delete a branch" is about something else.
fn by_removal(words: &[&str]) -> Option<NamedKinds> {
    let mut words: Vec<&str> = words.iter().copied().filter(|word| !is_in(bare(word), &ADVERBS)).collect();
    let is =
        |words: &[&str], at: usize, list: &[&str]| words.get(at).is_some_and(|word| is_in(bare(word), list));
    let is_asked = is(&words, 0, &["can", "could", "may", "should"]);
    let is_safe = is(&words, 0, &["is", "would"]) && is(&words, 1, &["it"]);
    let named = if is_safe {
        let at = words.iter().position(|word| is_in(word, &["to"]))?;
        let is_safe = is(&words, at - 1, &["fine", "ok", "okay", "possible", "safe"]);
        words.get(at + 1..).filter(|rest| is_safe && is(rest, 0, &CHANGES))?.get(1..)?
    } else if is_asked && is(&words, 1, &PEOPLE) && is(&words, 2, &CHANGES) {
        words.get(3..)?
    } else if is_asked && words.pop().is_some_and(|last| is_change(last, "ed")) {
        words.strip_suffix(&["be"])?.get(1..)?
    } else {
        return None;
    };
    let is_name = |word: &&str| is_symbol(word) || bare(word).starts_with(char::is_uppercase) && *word != "I";
    named.iter().any(is_name).then(|| NameWord::among(named))?.map(|name| (name, USES))
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
            if let Some(found) = by_user(words.get(1..)?) {
                return Some(found);
            }
            let is_filler = |word: &&str| is_in(word, &ADVERBS);
            let end = (1..rest.len()).find(|&at| {
                let rest: Vec<&str> = rest.iter().skip(at).copied().filter(|word| !is_filler(word)).collect();
                is_use(&rest)
            })?;
            NameWord::among(words.get(1..=end)?).map(|name| (name, USES))
        }
        ["does" | "do", ..] => by_user(words.get(1..)?),
        [first, ..] if is_in(first, &SOMEBODY) => by_user(words),
        _ => None,
    }
}

/// Reads "anything use X", "any tests call X", "anyone still using X".
fn by_user(words: &[&str]) -> Option<NamedKinds> {
    let is = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| is_in(word, list));
    let at = match () {
        () if is(0, &SOMEBODY) => 1,
        () if is(0, &["any"]) && is(1, &NOUNS) => 2,
        () => return None,
    };
    let at = if is(at, &ADVERBS) { at + 1 } else { at };
    let kinds = match words.get(at)?.to_lowercase().as_str() {
        "use" | "reference" | "need" | "using" | "referencing" => USES,
        "call" | "invoke" | "calling" | "invoking" => CALLS,
        "implement" | "extend" | "implementing" | "extending" => INHERITS,
        _ => return None,
    };
    NameWord::among(words.get(at + 1..)?).map(|name| (name, kinds))
}

/// Reads "parse_header callers".
fn behind(words: &[&str]) -> Option<NamedKinds> {
    let [first, second] = words else { return None };
    let of = |word: &str| BEHIND.iter().find(|one| bare(word).eq_ignore_ascii_case(one.0));
    // "callers parse_header" leaves out "of".
    let in_front = || of(first).filter(|one| one.1 && is_symbol(second)).map(|one| (one, second));
    let ((_, is_clear, kinds), name) = of(second).map(|one| (one, first)).or_else(in_front)?;
    let is_word = is_plain(Some(&bare(name)));
    let is_name = (*is_clear || is_symbol(name)) && !is_in(name, &GRAMMAR);
    is_name.then(|| (NameWord { symbol: bare(name).to_owned(), is_word }, *kinds))
}
