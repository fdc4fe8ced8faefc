//! The name of the repository in a question about it, as in "how does redis choose a key".
//!
//! Question text and names → the question with "it" in place of the name. All of the repository is
//! about itself, so the name tells no chunk from another, but chunks and files that repeat it would
//! match. Pure: the caller knows the names.
//!
//! The rule is strict, because a name may be a common word (`requests`), or ask for a declaration:
//!
//! - The name stands alone, in any case, behind a word of [`BEFORE`] (`does redis`, `in redis`).
//! - It is not the whole question: at least [`MIN_LEFT`] other content words remain.
//! - The question quotes nothing.

use super::words::is_stop_word;

/// Words before a name that is the subject or the place of a question.
const BEFORE: [&str; 8] = ["by", "did", "does", "doesn't", "in", "inside", "lets", "within"];

/// Minimum number of content words that remain without the name.
const MIN_LEFT: usize = 2;

/// Shortest name that is replaced, in letters.
const MIN_NAME: usize = 3;

/// Returns a question with "it" in place of the repository's names; `None` if it mentions none.
pub(in crate::search::query) fn without_name(text: &str, names: &[String]) -> Option<String> {
    if text.contains(['"', '`', '\n']) {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_name = |at: usize| {
        let word = words.get(at).map_or("", |word| bare(word));
        let before = at.checked_sub(1).and_then(|before| words.get(before)).copied().unwrap_or_default();
        BEFORE.iter().any(|one| before.eq_ignore_ascii_case(one))
            && names.iter().any(|name| name.len() >= MIN_NAME && word.eq_ignore_ascii_case(name))
    };
    let is_content = |at: usize| words.get(at).is_some_and(|word| !is_stop_word(&bare(word).to_lowercase()));
    let n_left = (0..words.len()).filter(|&at| !is_name(at) && is_content(at)).count();
    if n_left < MIN_LEFT || !(0..words.len()).any(is_name) {
        return None;
    }
    let replaced = words.iter().enumerate().map(|(at, word)| if is_name(at) { "it" } else { word });
    Some(replaced.collect::<Vec<_>>().join(" "))
}

/// Returns a word without the signs of a sentence.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| ",.?!:;()".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_repository_is_no_word_of_a_question() {
        let names = ["redis".to_owned(), "redis-fork".to_owned()];
        for (text, expected) in [
            ("where does Redis accept client connections", Some("where does it accept client connections")),
            ("how are keys evicted in redis?", Some("how are keys evicted in it")),
            ("how does redis-fork parse its settings", Some("how does it parse its settings")),
            ("how does redis start", None),
            ("the redis command table", None),
            ("where is redis declared as a module", None),
            ("how does \"redis\" accept client connections", None),
            ("how does it accept client connections", None),
            ("redis", None),
        ] {
            assert_eq!(without_name(text, &names).as_deref(), expected, "{text}");
        }
        assert_eq!(without_name("how does it parse in go mode", &["go".to_owned()]), None, "too short");
    }
}
