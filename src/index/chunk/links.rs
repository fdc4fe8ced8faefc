//! Links: comments and plain text → the files and URLs that they mention.
//!
//! A word is a link by its form alone. Whether its target exists is not checked, because this part
//! sees no other files.

use super::Language;

/// Length in bytes from which on a word is not a link that anybody wrote.
const MAX_LINK: usize = 300;

/// Extensions that are also names of members (`event.timer`): a bare name with one is not a file.
const ALSO_MEMBERS: [&str; 11] =
    ["comp", "frag", "geom", "liquid", "nomad", "pom", "service", "sol", "timer", "tofu", "vert"];

/// Calls `found` with each link in `text`: its offset in the text, and its target as written.
pub(super) fn links<'t>(text: &'t str, mut found: impl FnMut(usize, &'t str)) {
    let mut at = 0;
    for word in text.split(|c: char| {
        c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '"' | '`' | '[' | ']' | ',')
    }) {
        if word.len() >= 4 && word.contains('.') {
            let is_edge = |c: char| !c.is_alphanumeric() && c != '/' && c != '.' && c != '_';
            let trimmed = word.trim_start_matches(is_edge);
            let start = at + word.len() - trimmed.len();
            let trimmed = trimmed.trim_end_matches(|c| is_edge(c) || matches!(c, '.' | '_'));
            if (4..MAX_LINK).contains(&trimmed.len()) && (is_url(trimmed) || is_file(trimmed)) {
                found(start, trimmed);
            }
        }
        at += word.len();
        at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
}

fn is_url(word: &str) -> bool {
    word.strip_prefix("https://")
        .or_else(|| word.strip_prefix("http://"))
        .is_some_and(|rest| rest.contains('.'))
}

/// Returns whether a word is a path, or a bare file name, with the extension of a known language. A
/// bare name with an extension of one letter is too likely an abbreviation, and one with an
/// extension of [`ALSO_MEMBERS`] a member.
fn is_file(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    !stem.is_empty()
        && word
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'.' | b'_' | b'-' | b'+' | b'@'))
        && !word.starts_with("//")
        && (word.contains('/') || extension.len() > 1 && !ALSO_MEMBERS.contains(&extension))
        && Language::by_extension(extension).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_and_urls() {
        let text = "See `src/chunk/mod.rs`, README.md and (https://example.org/a.html). Not e.g. this, 1.5, a/b or event.timer.";
        let mut all = Vec::new();
        links(text, |at, link| {
            assert_eq!(&text[at..at + link.len()], link);
            all.push(link);
        });
        assert_eq!(all, ["src/chunk/mod.rs", "README.md", "https://example.org/a.html"]);
    }
}
