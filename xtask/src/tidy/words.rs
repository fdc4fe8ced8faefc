//! Checks for text that must not be in a tracked file: paths of a home directory, and notes to
//! self.
//!
//! The words are assembled from parts here, so that this file does not contain them.

use crate::tree::File;

/// Forbidden words. Only whole words count: no letter, digit or underscore may adjoin.
const WORDS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
/// Beginnings of absolute paths into a home directory; any continuation counts.
const HOMES: &[&str] =
    &[concat!("/ho", "me/"), concat!("/Us", "ers/"), concat!("/ro", "ot/"), concat!(":\\Us", "ers\\")];

/// Complains about each line with such a word or path.
pub(crate) fn check(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| !file.is_sample() && file.path != "Cargo.lock") {
        for (ord, line) in file.text.lines().enumerate() {
            let words = WORDS.iter().filter(|word| has_word(line, word));
            let homes = HOMES.iter().filter(|home| has_home(line, home));
            for word in words.chain(homes) {
                complaints.push(format!("{}:{}: contains '{word}'", file.path, ord + 1));
            }
        }
    }
    complaints
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

/// Returns whether a line has an absolute home path. A relative path that contains such a folder
/// (`doc/root/`) does not count.
fn has_home(line: &str, home: &str) -> bool {
    line.match_indices(home).any(|(at, _)| {
        let before = &line[..at];
        home.starts_with(':')
            || !before.ends_with(|c: char| is_word(c) || matches!(c, '/' | '.' | '-' | '}' | ')'))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_only() {
        let [todo, _, xxx] = WORDS else { unreachable!("three words") };
        let complains = |text: &str| !check(&[File::new("a.md", text)]).is_empty();
        assert!(complains(&format!("// {todo}: later")));
        assert!(complains(&format!("({xxx})")));
        assert!(!complains(&format!("mktemp {xxx}{xxx}")));
        assert!(!complains(&format!("MY_{todo}_LIST")));
        assert_eq!(
            check(&[File::new("a.md", &format!("fine\n{todo}\n"))]),
            [format!("a.md:2: contains '{todo}'")]
        );
    }

    #[test]
    fn absolute_homes_only() {
        let [home, users, root, windows] = HOMES else { unreachable!("four homes") };
        let complains = |text: &str| !check(&[File::new("a.md", text)]).is_empty();
        assert!(complains(&format!("see {home}me/notes")));
        assert!(complains(&format!("`{users}me`")));
        assert!(complains(&format!("C{windows}me")));
        assert!(complains(&format!("{root}x")));
        assert!(!complains(&format!("doc{root}x")));
        assert!(!complains(&format!("https://example.org{home}x")));
    }
}
