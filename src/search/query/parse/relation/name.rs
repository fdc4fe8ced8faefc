//! The name in a question for references, among the words around it.

use crate::index::chunk::Language;

/// Words that ask for a place or a thing.
pub(super) const ASKING: [&str; 9] = ["all", "find", "list", "show", "that", "what", "where", "which", "who"];

/// Words around a name that are hardly names themselves.
pub(super) const GRAMMAR: [&str; 23] = [
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
pub(super) const NOUNS: [&str; 36] = [
    "class",
    "classes",
    "code",
    "constant",
    "constants",
    "enum",
    "enums",
    "field",
    "fields",
    "file",
    "files",
    "function",
    "functions",
    "interface",
    "interfaces",
    "macro",
    "macros",
    "method",
    "methods",
    "module",
    "modules",
    "object",
    "objects",
    "place",
    "places",
    "sites",
    "struct",
    "structs",
    "test",
    "tests",
    "trait",
    "traits",
    "type",
    "types",
    "variable",
    "variables",
];

/// Words between the parts of such a question. They may be names, too.
const BETWEEN: [&str; 9] = ["anywhere", "from", "get", "gets", "in", "of", "somewhere", "still", "to"];

/// Words that connect a name with the type or module that it is in: "get of Client".
const WITHIN: [&str; 4] = ["from", "in", "of", "on"];

/// The name in a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameWord {
    pub(super) symbol: String,
    /// Whether it may be a plain word.
    pub(super) is_word: bool,
}

impl NameWord {
    /// Reads the name out of the words where a question has it: one name, perhaps with articles and
    /// a noun ("the `open` method"), or a name and what it is in ("get of Client"). If all words
    /// are plain, the one that is left is a name if it is declared.
    pub(super) fn among(words: &[&str]) -> Option<Self> {
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
        let (name, owner) = (words.get(name)?, words.get(owner)?);
        // Behind a path, a colon stands before a name.
        let is_path = is_path(owner);
        let between = if is_path { ':' } else { '.' };
        Some(Self { symbol: format!("{owner}{between}{name}"), is_word: !is_path })
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

/// Returns whether a word is a path: with a slash, or with the ending of a language's files.
fn is_path(word: &str) -> bool {
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    word.contains('/') || ending.is_some_and(|ending| Language::by_extension(ending).is_some())
}

/// Returns a word without the signs around it.
pub(super) fn bare(word: &str) -> &str {
    let word = word.trim_end_matches(['?', '.', '!', ',']);
    word.trim_matches('`').trim_end_matches("()").trim_matches('`')
}

pub(super) fn is_in(word: &str, list: &[&str]) -> bool {
    list.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Returns whether a word is an article, or a noun for what a name may be.
pub(super) fn is_filler(word: &str) -> bool {
    is_in(word, &GRAMMAR) || is_in(word, &NOUNS)
}

/// Returns whether a word may be a word of the question and no name.
pub(super) fn is_plain(word: Option<&&str>) -> bool {
    word.is_none_or(|word| is_filler(word) || is_in(word, &ASKING) || is_in(word, &BETWEEN))
}

/// Pronouns and nouns for people, who call and use things too.
pub(super) const PEOPLE: [&str; 10] =
    ["anybody", "anyone", "i", "it", "one", "people", "they", "users", "we", "you"];

/// Returns whether a word is written as only names are: `parse_header`, `Session.open`, `loadAll`.
pub(super) fn is_symbol(word: &str) -> bool {
    word.contains(['_', '.', ':', '(', '`'])
        || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase)
}
