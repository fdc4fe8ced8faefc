//! The texts of documents: a written title, term or target → what a reader sees of it.

use super::super::mention::MAX_NAME;
use crate::base::text::head;

/// Longest target of a link in bytes; a longer one is data.
pub(super) const MAX_TARGET: usize = 300;

/// Longest title in bytes whose markup is removed.
pub(super) const MAX_MARKUP: usize = 1024;

/// Longest name of an entry in bytes. An option with its arguments has fewer.
pub(super) const MAX_TERM: usize = 100;

/// Returns the file of a target. `None` for a URL (which `links` finds), for a place in the same
/// document, and for anything that is not a target.
pub(super) fn file(target: &str) -> Option<&str> {
    let file = target.split(['#', '?']).next().unwrap_or(target);
    let is_file = file.contains(['/', '.']) && !file.contains(':') && file.len() <= MAX_TARGET;
    (is_file && file.bytes().any(|byte| byte.is_ascii_alphanumeric())).then_some(file)
}

/// Returns the target of an explicit reference to a document, which may lack its extension. `None`
/// for a URL, and for anything that is not a path.
pub(super) fn page(target: &str) -> Option<&str> {
    let target = target.split('#').next().unwrap_or(target).trim();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@' | ' ');
    (!target.is_empty() && target.len() <= MAX_TARGET && target.chars().all(is_path)).then_some(target)
}

/// Returns a name on one line: with single blanks, without control characters, and of bounded
/// length.
pub(super) fn name(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in head(text, 4 * MAX_NAME).split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().filter(|c| !c.is_control()));
        if out.len() > most {
            break;
        }
    }
    let end = head(&out, most).trim_end().len();
    out.truncate(end);
    out
}

/// Removes the first character of a text and returns it.
pub(super) fn take_char(text: &mut &str) -> Option<char> {
    let c = text.chars().next()?;
    *text = text.get(c.len_utf8()..).unwrap_or_default();
    Some(c)
}

/// Returns a text in which each link between double brackets is what a reader sees: the text after
/// `separator`, or the target.
pub(super) fn with_shown_links(text: &str, separator: &str) -> String {
    let mut out = String::new();
    let mut rest = head(text, MAX_MARKUP);
    while let Some((before, after)) = rest.split_once("[[") {
        out.push_str(before);
        let Some((link, behind)) = after.split_once("]]") else {
            rest = after;
            continue;
        };
        out.push_str(link.split_once(separator).map_or(link, |(_, shown)| shown));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Returns the name of a section: its title, or nothing if that has no letter and no digit.
pub(super) fn title(text: &str) -> String {
    let name = name(text, MAX_NAME - 4);
    if name.contains(char::is_alphanumeric) { name } else { String::new() }
}

/// Returns the name of an entry; empty if the text has no letter, such as a bullet or a number.
pub(super) fn term(text: &str) -> String {
    let name = name(text, MAX_TERM);
    if name.contains(char::is_alphabetic) { name } else { String::new() }
}

/// Returns whether a text begins with an option of a command: `-x` or `--word`.
pub(super) fn is_option(text: &str) -> bool {
    let word = text.split([' ', ',', '=', '\t']).next().unwrap_or(text);
    let bare = word.trim_start_matches('-');
    let is_short = word.len() - bare.len() == 1 && bare.chars().count() == 1;
    let is_long = word.len() - bare.len() <= 2 && bare.len() > 1;
    word.starts_with('-') && (is_short || is_long) && bare.starts_with(|c: char| c.is_alphanumeric())
}

/// Returns the name to show among several of one entry: the first long option, or else the first
/// name.
pub(super) fn main_term(terms: &[(u32, String)]) -> Option<&(u32, String)> {
    let named = || terms.iter().filter(|(_, name)| !name.is_empty());
    named().find(|(_, name)| name.starts_with("--")).or_else(|| named().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_on_one_line() {
        assert_eq!(name(" a \t b\u{7}c ", 20), "a bc");
        assert_eq!(name("ab cd ef", 5), "ab cd");
        assert_eq!(name("éé é", 4), "éé");
        assert_eq!(title("***"), "");
        assert_eq!(term("1."), "");
        assert_eq!(title("1."), "1.");
    }

    #[test]
    fn options() {
        for (text, expected) in [
            ("-x", true),
            ("--foo=<x>", true),
            ("-f FILE, --file=FILE", true),
            ("-foo", true),
            ("- x", false),
            ("-- x", false),
            ("---", false),
            ("x", false),
            ("-1", true),
        ] {
            assert_eq!(is_option(text), expected, "{text}");
        }
    }

    #[test]
    fn the_long_option_names_an_entry() {
        let terms = |all: &[&str]| all.iter().map(|one| (0, (*one).to_owned())).collect::<Vec<_>>();
        assert_eq!(main_term(&terms(&["-n", "--dry-run"])).unwrap().1, "--dry-run");
        assert_eq!(main_term(&terms(&["", "a", "b"])).unwrap().1, "a");
        assert_eq!(main_term(&terms(&[""])), None);
    }
}
