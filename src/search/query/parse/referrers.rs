//! Questions for the referrers of a symbol: "what calls parse_header", "where is Config used",
//! "callers of open".
//!
//! Question → symbol and kinds of reference. By its words alone, such a question would find the
//! symbol itself. Instead, the chunks that refer to it in the reference graph come first, and the
//! symbol comes after them. A text counts as such a question only if it consists of a relation and
//! one name. Whether the name is declared is for others to look up.

use crate::index::chunk::ReferenceKind;
use crate::search::graph::{DeclarationRef, Graph, WrittenName};

use super::parser::without_filters;
use crate::search::query::{Filters, ReferrerTarget};

/// A longer text, in bytes, is not such a question.
const MAX_BYTES: usize = 240;

/// Factor for the definition signal of the symbol itself, so that its referrers come first.
pub(in crate::search::query) const OWN_DEFINITION: f64 = 0.3;

/// A function that is passed on as a value (`Use`) is called in the end. What calls a type
/// constructs it, or names it in a signature.
const CALLS: &[ReferenceKind] = &[ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Use];
const USES: &[ReferenceKind] =
    &[ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Inherits, ReferenceKind::Use];
const INHERITS: &[ReferenceKind] = &[ReferenceKind::Inherits];

/// Words that ask for a relation on their own, with the kinds of reference they ask for.
const RELATIONS: [(&str, &[ReferenceKind]); 24] = [
    ("called", CALLS),
    ("callers", CALLS),
    ("calls", CALLS),
    ("constructed", USES),
    ("constructs", USES),
    ("extends", INHERITS),
    ("implementations", INHERITS),
    ("implementers", INHERITS),
    ("implementors", INHERITS),
    ("implements", INHERITS),
    ("inherits", INHERITS),
    ("instantiated", USES),
    ("instantiates", USES),
    ("invoked", CALLS),
    ("invokes", CALLS),
    ("referenced", USES),
    ("references", USES),
    ("subclasses", INHERITS),
    ("usage", USES),
    ("usages", USES),
    ("used", USES),
    ("users", USES),
    ("uses", USES),
    ("using", USES),
];

/// Words that ask for a relation only after a word of [`ASKING`] ("where do we call it").
const VERBS: [(&str, &[ReferenceKind]); 6] = [
    ("call", CALLS),
    ("extend", INHERITS),
    ("implement", INHERITS),
    ("invoke", CALLS),
    ("reference", USES),
    ("use", USES),
];

/// Words that ask for a place or a thing.
const ASKING: [&str; 9] = ["all", "find", "list", "show", "that", "what", "where", "which", "who"];

/// Words around a name that are hardly names themselves.
const GRAMMAR: [&str; 23] = [
    "a",
    "an",
    "and",
    "anything",
    "are",
    "being",
    "do",
    "does",
    "else",
    "every",
    "everything",
    "everywhere",
    "i",
    "is",
    "it",
    "me",
    "our",
    "that",
    "the",
    "this",
    "we",
    "whole",
    "you",
];

/// Nouns for what a name may be.
const NOUNS: [&str; 22] = [
    "class",
    "classes",
    "code",
    "constant",
    "field",
    "files",
    "function",
    "functions",
    "interface",
    "macro",
    "method",
    "methods",
    "object",
    "place",
    "places",
    "sites",
    "struct",
    "tests",
    "trait",
    "type",
    "types",
    "variable",
];

/// Words between the parts of such a question. They may be names, too.
const BETWEEN: [&str; 9] = ["anywhere", "from", "get", "gets", "in", "of", "somewhere", "still", "to"];

/// Words that connect a name with the type or module that it is in: "get of Client".
const WITHIN: [&str; 4] = ["from", "in", "of", "on"];

/// Relations that come after the name: "where is open called".
const PASSIVE: [&str; 6] = ["called", "constructed", "instantiated", "invoked", "referenced", "used"];

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

/// A question for the referrers of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferrerQuestion {
    /// The symbol, as written.
    pub symbol: String,
    /// The kinds of reference that it asks for.
    pub kinds: &'static [ReferenceKind],
    /// Whether the name may be a plain word of the question, as in "what calls get". Then it counts
    /// only if it is declared in exactly this way.
    pub is_word: bool,
}

impl ReferrerQuestion {
    /// Parses a question for referrers; `None` unless the text consists of a relation and one name.
    /// Filters in the text are ignored.
    pub fn asked(text: &str) -> Option<Self> {
        if text.len() > MAX_BYTES || text.trim().contains('\n') {
            return None;
        }
        let mut names = Vec::new();
        let text = without_filters(text, &mut Filters::default(), &mut names);
        let words: Vec<&str> = text.split_whitespace().collect();
        if !names.is_empty() {
            return None;
        }
        let found = by_consequence(&words).or_else(|| by_use(&words)).or_else(|| behind(&words));
        let (named, kinds) = found.or_else(|| by_relation(&words))?;
        // "What happens when the flag is removed" hardly means a type `Flag`.
        let is_word = named.is_word || named.symbol.chars().all(|c| c.is_ascii_lowercase());
        (!named.symbol.is_empty()).then_some(Self { symbol: named.symbol, kinds, is_word })
    }

    /// Returns the symbol and the kind for the answer.
    pub fn target(&self) -> ReferrerTarget {
        let name = self.symbol.rsplit(['.', ':', '#']).next().unwrap_or_default().to_owned();
        ReferrerTarget { name, kind: self.kinds.first().copied().unwrap_or(ReferenceKind::Use) }
    }

    /// Returns whether a declaration is meant, among those with the name.
    pub fn admits(&self, graph: &Graph<'_, '_>, at: DeclarationRef) -> bool {
        let written = WrittenName::parse(&self.symbol);
        let Some((file, row)) = graph.declaration(at).filter(|_| self.is_word) else { return true };
        let is_whole = written.fit(&file, &row).is_some_and(|fit| fit.n >= written.n_qualifiers());
        file.segment.name(&row) == written.name && is_whole
    }
}

/// The name in a question.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NameWord {
    symbol: String,
    /// Whether it may be a plain word.
    is_word: bool,
}

impl NameWord {
    /// Reads the name out of the words where a question has it: one name, perhaps with articles and
    /// a noun ("the `open` method"), or a name and what it is in ("get of Client"). If all words
    /// are plain, the one that is left is a name if it is declared.
    fn among(words: &[&str]) -> Option<Self> {
        let mut words: Vec<&str> = words.iter().map(|word| bare(word)).collect();
        while words.len() > 1 && words.first().is_some_and(|word| is_in(word, &["of", "to"])) {
            words.remove(0);
        }
        // A word with a capital here is a name: it does not begin the question.
        let is_name =
            |word: &&str| word.contains(char::is_uppercase) && *word != "I" || !is_plain(Some(word));
        let names: Vec<usize> = (0..words.len()).filter(|&at| words.get(at).is_some_and(is_name)).collect();
        if let [name] = names.as_slice()
            && let Some(of) = within(&words, *name)
        {
            return Some(of);
        }
        match names.as_slice() {
            // "The order of the files" names nothing.
            [name] if words.iter().skip(*name).any(|word| is_in(word, &["of", "to"])) => None,
            [name] => words.get(*name).map(|word| Self { symbol: (*word).to_owned(), is_word: false }),
            [name, owner] => {
                let between = words.get(name + 1..*owner).unwrap_or_default();
                let mut rest = between.iter().skip_while(|word| is_in(word, &NOUNS));
                let is_of = is_in(rest.next()?, &WITHIN) && rest.all(|word| is_filler(word));
                let around = words.iter().enumerate().filter(|(at, _)| at < name || at > owner);
                let is_alone = around.into_iter().all(|(_, word)| is_filler(word));
                (is_of && is_alone).then(|| Self::member(&words, *name, *owner))?
            }
            _ => {
                // "This function" names nothing, but "function" alone may be a name.
                let is_name =
                    |word: &&&str| !is_in(word, &GRAMMAR) && (words.len() == 1 || !is_in(word, &NOUNS));
                let mut left: Vec<&str> = words.iter().filter(is_name).copied().collect();
                let is_place = |word: &&str| is_in(word, &["anywhere", "from", "in", "somewhere"]);
                while left.len() > 1 && left.last().is_some_and(is_place) {
                    left.pop();
                }
                match left.as_slice() {
                    [word] => Some(Self { symbol: (*word).to_owned(), is_word: true }),
                    _ => None,
                }
            }
        }
    }

    fn member(words: &[&str], name: usize, owner: usize) -> Option<Self> {
        Some(Self { symbol: format!("{}.{}", words.get(owner)?, words.get(name)?), is_word: true })
    }
}

/// Reads "get of Client", where only the owner is certainly a name.
fn within(words: &[&str], owner: usize) -> Option<NameWord> {
    let at = (0..owner).rfind(|&at| words.get(at).is_some_and(|word| is_in(word, &WITHIN)))?;
    let is_filled = words.get(at + 1..owner)?.iter().all(|word| is_filler(word));
    let name = at.checked_sub(1).filter(|_| is_filled)?;
    let is_name = words.get(name).is_some_and(|word| !is_filler(word));
    let is_alone = words.get(..name)?.iter().all(|word| is_filler(word));
    (is_name && is_alone).then(|| NameWord::member(words, name, owner))?
}

/// Returns a word without the signs around it.
fn bare(word: &str) -> &str {
    let word = word.trim_end_matches(['?', '.', '!', ',']);
    word.trim_matches('`').trim_end_matches("()").trim_matches('`')
}

fn is_in(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Returns whether a word is an article, or a noun for what a name may be.
fn is_filler(word: &str) -> bool {
    is_in(word, &GRAMMAR) || is_in(word, &NOUNS)
}

/// Returns whether a word may be a word of the question and no name.
fn is_plain(word: Option<&&str>) -> bool {
    word.is_none_or(|word| is_filler(word) || is_in(word, &ASKING) || is_in(word, &BETWEEN))
}

/// Reads "what calls X", "callers of X", "where is X called", "all X usages".
fn by_relation(words: &[&str]) -> Option<(NameWord, &'static [ReferenceKind])> {
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
        let is_of = tail.first().is_some_and(|next| matches!(*next, "of" | "to"));
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
    let people = ["anybody", "anyone", "i", "it", "one", "they", "we", "you"];
    let is_name = |word: &&str| !is_in(bare(word), &people) && !is_filler(bare(word));
    asks_what && words.get(at + 1..).is_some_and(|subject| subject.iter().any(is_name))
}

/// Reads "what breaks if I change X", "what happens when X is removed", "what depends on X",
/// "impact of changing X".
fn by_consequence(words: &[&str]) -> Option<(NameWord, &'static [ReferenceKind])> {
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
fn by_use(words: &[&str]) -> Option<(NameWord, &'static [ReferenceKind])> {
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
fn behind(words: &[&str]) -> Option<(NameWord, &'static [ReferenceKind])> {
    let [name, relation] = words else { return None };
    let (_, is_clear, kinds) = BEHIND.iter().find(|one| bare(relation).eq_ignore_ascii_case(one.0))?;
    let is_symbol = name.contains(['_', '.', ':', '(', '`'])
        || name.chars().skip(1).any(char::is_uppercase) && name.chars().any(char::is_lowercase);
    let is_word = is_plain(Some(&bare(name)));
    let is_name = (*is_clear || is_symbol) && !is_in(name, &GRAMMAR);
    is_name.then(|| (NameWord { symbol: bare(name).to_owned(), is_word }, *kinds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_users_is_told_from_what_asks_for_the_thing() {
        for (text, symbol, kinds) in [
            ("what calls parse_header", "parse_header", CALLS),
            ("What calls the `Parser.open()` method?", "Parser.open", CALLS),
            ("where is Config used?", "Config", USES),
            ("who uses Config", "Config", USES),
            ("which functions call open", "open", CALLS),
            ("where do we call http::Client::send", "http::Client::send", CALLS),
            ("callers of open", "open", CALLS),
            ("find all references to BlockManager", "BlockManager", USES),
            ("what implements Codec", "Codec", INHERITS),
            ("code that uses Session", "Session", USES),
            ("what breaks if I change parse_header?", "parse_header", USES),
            ("what would break when we rename the Session", "Session", USES),
            ("What happens if Session.open is removed?", "Session.open", USES),
            ("which tests fail if I touch `retry()`", "retry", USES),
            ("what depends on BlockManager", "BlockManager", USES),
            ("who relies on the Config?", "Config", USES),
            ("impact of changing parse_header", "parse_header", USES),
            ("is parse_header still used?", "parse_header", USES),
            ("is Config used anywhere", "Config", USES),
            ("is old_api dead code", "old_api", USES),
            ("does anything still call open", "open", CALLS),
            ("does anyone use parse_header", "parse_header", USES),
            ("parse_header callers", "parse_header", CALLS),
            ("open callers", "open", CALLS),
            ("BlockManager references", "BlockManager", USES),
            ("which tests call parse_header", "parse_header", CALLS),
            ("what calls parse_header lang:go -path:vendor", "parse_header", CALLS),
            ("what breaks if parse_header changes", "parse_header", USES),
            ("is the Config class still used?", "Config", USES),
            ("what calls Find", "Find", CALLS),
            ("who uses Class", "Class", USES),
        ] {
            let asked = ReferrerQuestion::asked(text);
            let of = |users: ReferrerQuestion| (users.symbol, users.kinds, users.is_word);
            let is_word = ["open", "retry"].contains(&symbol);
            assert_eq!(asked.map(of), Some((symbol.to_owned(), kinds, is_word)), "{text}");
        }
        for text in [
            "call parse_header",
            "use cache",
            "how to use Client",
            "where is the retry policy used",
            "what is Config",
            "how are failed uploads retried",
            "Config",
            "where is Config",
            "where is it called from",
            "what uses this function",
            "what uses the most memory",
            "what is used by parse_header",
            "find callers of the",
            "what calls parse_header symbol:open",
            "where is Config implemented",
            "what breaks the build",
            "what happens if the upload fails",
            "what depends on the order of the files",
            "is the cache used when offline",
            "is caching enabled",
            "session users",
            "the callers",
            "impact of changing the default timeout",
            "what does parse_header call",
            "which functions does Session.open call?",
            "what does the Config class use",
            "what changes when the token expires",
            "",
        ] {
            assert_eq!(ReferrerQuestion::asked(text), None, "{text}");
        }
    }

    #[test]
    fn a_plain_word_is_a_name_only_if_it_is_declared() {
        for (text, symbol) in [
            ("Find callers", "Find"),
            ("who calls get?", "get"),
            ("where is the get method called from", "get"),
            ("what depends on all", "all"),
            ("is find still used", "find"),
            ("get callers", "get"),
            ("all get usages", "get"),
            ("which functions call from", "from"),
            ("what uses field", "field"),
            ("callers of get in Client", "Client.get"),
            ("callers of Find in List", "List.Find"),
            ("what calls the open method of the Session class", "Session.open"),
            ("uses of memory in the cache", "cache.memory"),
        ] {
            let asked = ReferrerQuestion::asked(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((asked.symbol.as_str(), asked.is_word), (symbol, true), "{text}");
        }
    }
}
