//! What a question about an appearance looks for: a sentence → a name or a text.

/// What is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Needle {
    /// The text.
    pub text: String,
    /// Whether it was quoted, and so stands for exactly these characters.
    pub is_quoted: bool,
    /// Whether it must stand as a word.
    pub is_word: bool,
}

/// Words of a question about time that are not what it is about.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "add",
    "added",
    "affect",
    "affected",
    "affects",
    "an",
    "and",
    "appear",
    "appeared",
    "arrive",
    "arrived",
    "at",
    "author",
    "authored",
    "be",
    "became",
    "become",
    "been",
    "being",
    "blast",
    "born",
    "break",
    "breaks",
    "by",
    "came",
    "can",
    "change",
    "changed",
    "changes",
    "changing",
    "class",
    "code",
    "come",
    "command",
    "commit",
    "commits",
    "created",
    "date",
    "deleted",
    "did",
    "disappear",
    "disappeared",
    "do",
    "does",
    "dropped",
    "enum",
    "ever",
    "evolve",
    "evolved",
    "exactly",
    "exist",
    "existed",
    "exists",
    "field",
    "file",
    "first",
    "flag",
    "for",
    "from",
    "function",
    "get",
    "give",
    "go",
    "going",
    "gone",
    "got",
    "had",
    "happened",
    "happens",
    "has",
    "have",
    "history",
    "how",
    "i",
    "if",
    "impact",
    "implemented",
    "in",
    "interface",
    "into",
    "introduce",
    "introduced",
    "is",
    "it",
    "land",
    "landed",
    "last",
    "long",
    "lost",
    "maintains",
    "me",
    "merged",
    "method",
    "modified",
    "modify",
    "module",
    "my",
    "name",
    "named",
    "now",
    "of",
    "on",
    "option",
    "originally",
    "our",
    "over",
    "owns",
    "please",
    "radius",
    "release",
    "released",
    "remove",
    "removed",
    "renamed",
    "setting",
    "shipped",
    "should",
    "show",
    "since",
    "start",
    "struct",
    "support",
    "supported",
    "tell",
    "that",
    "the",
    "there",
    "this",
    "time",
    "to",
    "touch",
    "touched",
    "trait",
    "type",
    "until",
    "us",
    "use",
    "vanish",
    "vanished",
    "variable",
    "version",
    "was",
    "we",
    "went",
    "were",
    "what",
    "when",
    "which",
    "who",
    "why",
    "with",
    "would",
    "written",
    "wrote",
    "years",
    "you",
];

/// Those of them that say behind a text that something happened to it.
const EVENTS: &[&str] = &[
    "added",
    "appeared",
    "became",
    "been",
    "came",
    "changed",
    "created",
    "deleted",
    "did",
    "disappeared",
    "dropped",
    "gone",
    "got",
    "happened",
    "introduced",
    "landed",
    "lost",
    "merged",
    "removed",
    "renamed",
    "shipped",
    "was",
    "went",
    "were",
];

/// Those of them that may stand between the words that are looked for.
const BETWEEN: &[&str] = &[
    "a", "an", "and", "at", "by", "for", "from", "in", "into", "is", "it", "of", "on", "over", "that", "the",
    "there", "this", "to", "with",
];

/// Reads what is looked for; `None` if nothing is left of the question.
///
/// A quoted part comes first, then the word that looks most like a name, then the words that are
/// left.
///
/// ```
/// use git_cora::answer::needle;
///
/// assert_eq!(needle("when was display-popup introduced?").unwrap().text, "display-popup");
/// assert_eq!(needle("when did \"no such pane\" appear").unwrap().text, "no such pane");
/// ```
pub fn needle(text: &str) -> Option<Needle> {
    let text = text.lines().next().unwrap_or_default().trim();
    if let Some(quoted) = quoted(text) {
        return Some(Needle { text: quoted.to_owned(), is_quoted: true, is_word: false });
    }
    let n_words = text.split_whitespace().count();
    let words: Vec<&str> = text
        .split_whitespace()
        .enumerate()
        .map(|(at, word)| {
            // Inside a sentence, the mark belongs to a name of Ruby, Elixir or Julia.
            let is_last = at + 1 == n_words;
            let is_mark = |c: char| matches!(c, '?' | '!');
            let bare = word.trim_start_matches(['?', ',', ';', '!', '(', ')']);
            bare.trim_end_matches(|c: char| matches!(c, ',' | ';' | '(' | ')') || is_last && is_mark(c))
        })
        .map(|word| word.trim_end_matches(['.', ':', '\'']))
        .filter(|word| !word.is_empty())
        .collect();
    let found = match words.as_slice() {
        [] => return None,
        [one] => (*one).to_owned(),
        several => {
            let names = several.iter().copied().filter(|word| !is_stop_word(word) && looks_like_name(word));
            match names.max_by_key(|word| word.len()) {
                Some(name) => name.to_owned(),
                None => phrase(several)?,
            }
        }
    };
    let found = found.trim_end_matches("()").to_owned();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let ends = [found.chars().next(), found.chars().next_back()];
    // Git's idea of a word: word characters at both ends.
    let is_word = ends.into_iter().all(|end| end.is_some_and(is_word));
    (!found.is_empty()).then_some(Needle { text: found, is_quoted: false, is_word })
}

/// Returns the words that a text without a name is about, as they stand there. A question has other
/// words around them; any other text is meant as a whole. `None` if a question has no more words.
fn phrase(words: &[&str]) -> Option<String> {
    if words.first().is_some_and(|first| !is_stop_word(first)) {
        let end = words.iter().rposition(|word| !is_stop_word(word))? + 1;
        let (about, behind) = words.split_at_checked(end)?;
        let is_question = behind.iter().any(|word| EVENTS.contains(&word.to_lowercase().as_str()));
        return Some(if is_question { about.join(" ") } else { words.join(" ") });
    }
    let is_between = |word: &&str| BETWEEN.contains(&word.to_lowercase().as_str());
    let is_end = |word: &&str| is_stop_word(word) && !is_between(word);
    let runs = words.split(is_end).filter_map(|run| {
        let first = run.iter().position(|word| !is_stop_word(word))?;
        let last = run.iter().rposition(|word| !is_stop_word(word))?;
        run.get(first..=last)
    });
    // Of runs of the same length, the first.
    runs.rev().max_by_key(|run| run.len()).map(|run| run.join(" "))
}

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(&word.to_lowercase().as_str())
}

/// Reads a single word as a name that ends with `?` or `!`, as in Ruby; `None` for any other text.
///
/// ```
/// use git_cora::answer::marked_name;
///
/// assert_eq!(marked_name("Testing.fake!").unwrap().text, "Testing.fake!");
/// assert!(marked_name("when was it?").is_none());
/// ```
pub fn marked_name(text: &str) -> Option<Needle> {
    let text = text.trim();
    let name = text.strip_suffix(['?', '!'])?;
    let is_name = |c: char| c.is_alphanumeric() || "_.:#/-".contains(c);
    let is_word = !name.is_empty() && name.chars().all(is_name);
    is_word.then(|| Needle { text: text.to_owned(), is_quoted: false, is_word: false })
}

/// The first part in quotes, if there is one.
fn quoted(text: &str) -> Option<&str> {
    for (open, close) in [('"', '"'), ('`', '`'), ('“', '”')] {
        if let Some((_, rest)) = text.split_once(open)
            && let Some((inside, _)) = rest.split_once(close)
            && !inside.trim().is_empty()
        {
            return Some(inside);
        }
    }
    // An apostrophe is not a quote.
    let inside = text.strip_prefix('\'').or_else(|| text.split_once(" '").map(|(_, rest)| rest))?;
    let end = inside.rfind('\'')?;
    inside.get(..end).filter(|inside| !inside.trim().is_empty())
}

/// Whether a word is written as names in programs are.
fn looks_like_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next();
    word.starts_with("--")
        || word.contains(['_', '-', '.', ':', '/', '#', '$', '@', '=', '<', '['])
        || word.ends_with("()")
        || word.ends_with(['?', '!'])
        || letters.any(char::is_uppercase)
        || word.chars().any(|c| c.is_ascii_digit()) && word.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read() {
        for (text, expected, is_quoted, is_word) in [
            ("when was display-popup introduced", "display-popup", false, true),
            ("When did `linger.ms` first appear?", "linger.ms", true, false),
            ("which release added --no-pager?", "--no-pager", false, false),
            ("KafkaProducer", "KafkaProducer", false, true),
            ("when was the function doSend() removed", "doSend", false, true),
            ("\"no such pane\"", "no such pane", true, false),
            ("when did 'it's gone' go", "it's gone", true, false),
            ("when was lease checkpointing added", "lease checkpointing", false, true),
            ("since when is there a retry", "retry", false, true),
            ("when was lessor.Grant added to etcd", "lessor.Grant", false, true),
            ("when was leader? added", "leader?", false, false),
            ("who removed fake! here?", "fake!", false, false),
            ("when did leader? appear?", "leader?", false, false),
            ("never there at all", "never there at all", false, true),
            ("failed to open the file", "failed to open the file", false, true),
            ("retry of uploads was added", "retry of uploads", false, true),
            ("when was support for retries of uploads added", "retries of uploads", false, true),
            ("in which release did the cache land in the client", "cache", false, true),
        ] {
            let found = needle(text).unwrap();
            assert_eq!((found.text.as_str(), found.is_quoted, found.is_word), (expected, is_quoted, is_word));
        }
        for (text, expected) in [
            ("leader?", Some("leader?")),
            ("Sidekiq::Testing.fake!", Some("Sidekiq::Testing.fake!")),
            ("a.rb:fake!", Some("a.rb:fake!")),
            ("fake", None),
            ("?", None),
            ("why was it?", None),
        ] {
            assert_eq!(marked_name(text).map(|one| one.text).as_deref(), expected, "{text}");
        }
        assert_eq!(needle("when was it added"), None);
        assert_eq!(needle(" "), None);
    }
}
