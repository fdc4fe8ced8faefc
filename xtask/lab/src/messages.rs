//! `messages`: repositories -> error-message questions with known answers.
//!
//! Takes format strings from the source and fills them in with names, paths and numbers of the same
//! repository. The result is what a user would see and paste; the answer is the line of the string.
//! At most one string per file, drawn at random with a fixed seed. The output has the format that
//! `eval` reads, with the repository's name as the language.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use git_cora::Session;
use git_cora::index::chunk::is_document;

use crate::eval::place;
use xtask_lab::random::Random;

/// Maximum length of a message in bytes; longer strings are not messages.
const MOST_BYTES: usize = 180;
/// Minimum number of words in the longest piece of a string, and in all its pieces together.
const LEAST_WORDS: (usize, usize) = (3, 5);
/// Maximum number of placeholders in a string.
const MOST_FILLED: usize = 3;
/// Other values that are filled in, next to names, paths and numbers.
const OTHERS: [&str; 8] =
    ["localhost:8080", "main", "foo", "/tmp/data.json", "default", "true", "app", "eu-west-1"];

/// Options of `messages`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folder of repositories, each in a folder `owner+name`.
    #[arg(long, value_name = "DIR")]
    repositories: PathBuf,
    /// Folder for clones of them.
    #[arg(long, value_name = "DIR")]
    work: PathBuf,
    /// Maximum number of messages per repository.
    #[arg(long, default_value_t = 120)]
    each: usize,
    /// Repositories, as `owner/name`.
    #[arg(required = true)]
    names: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    for name in &options.names {
        let session = Session::open(&place::clone(&options.repositories, &options.work, name)?)?;
        let searcher = place::open(&session, "HEAD")?;
        let commit = searcher.commit().map(|id| id.to_string()).unwrap_or_default();
        let index = searcher.index();
        let is_code = |language: &str| {
            let is_data =
                matches!(language, "text" | "json" | "json-lines" | "yaml" | "toml" | "ini" | "xml");
            !is_document(language) && !is_data
        };
        let files: Vec<_> = index
            .files()
            .filter(|file| {
                let flags = file.flags();
                let is_product = !flags.is_test() && !flags.is_example() && !flags.is_vendored();
                is_product && is_code(file.language())
            })
            .collect();
        let paths: Vec<String> = files.iter().map(|file| file.path().to_string()).collect();
        let is_name = |name: &&str| name.contains('_') || name.chars().skip(1).any(char::is_uppercase);
        let names = files.iter().flat_map(|file| file.declarations()).map(|one| one.name());
        let names: Vec<String> = names.filter(is_name).map(str::to_owned).collect();
        let mut random = Random::new(7);
        let mut fill = || match random.below(20) {
            0..6 => paths.get(random.below(paths.len())).cloned().unwrap_or_default(),
            6..14 => names.get(random.below(names.len())).cloned().unwrap_or_default(),
            14..17 => random.below(5000).to_string(),
            _ => OTHERS.get(random.below(OTHERS.len())).copied().unwrap_or_default().to_owned(),
        };
        let mut found = Vec::new();
        for (file, path) in files.iter().zip(&paths) {
            let Some(text) = searcher.text(file.path()) else { continue };
            let mut of_file = Vec::new();
            for (line, number) in text.lines().zip(1u32..) {
                let is_comment =
                    ["//", "#", "*", "/*", "\"\"\""].iter().any(|sign| line.trim().starts_with(sign));
                for string in strings(line).into_iter().filter(|_| !is_comment) {
                    let pieces = pieces(string);
                    let count = |piece: &&str| piece.split_whitespace().filter(|word| is_word(word)).count();
                    let (longest, all) = LEAST_WORDS;
                    let says = pieces.iter().map(count).max() >= Some(longest)
                        && pieces.iter().map(count).sum::<usize>() >= all;
                    if says && (2..=MOST_FILLED + 1).contains(&pieces.len()) {
                        of_file.push((number, pieces));
                    }
                }
            }
            let at = Random::new(found.len() as u64).below(of_file.len());
            if let Some((number, pieces)) = of_file.into_iter().nth(at) {
                let (first, rest) =
                    pieces.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
                let said = rest.iter().fold(first.to_owned(), |said, piece| said + &fill() + piece);
                found.push((path, number, said));
            }
        }
        Random::new(7).shuffle(&mut found);
        for (at, (path, line, said)) in found.into_iter().take(options.each).enumerate() {
            let question = json!({
                "id": format!("{name}-{at}"), "repo": name, "language": name, "category": "message",
                "fetch_repo": name, "rev": commit, "root": "", "query": said, "usable": true,
                "targets": [{ "file": path, "start": line, "end": line }],
            });
            println!("{question}");
        }
    }
    Ok(())
}

fn is_word(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_alphabetic() || "',.:;".contains(c))
}

/// Returns the string literals of a line that contain no escapes.
fn strings(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'']) {
        let (_, behind) = rest.split_at(at);
        let mut chars = behind.chars();
        let Some((string, after)) = chars.next().and_then(|quote| chars.as_str().split_once(quote)) else {
            break;
        };
        if string.len() <= MOST_BYTES && !string.contains('\\') {
            found.push(string);
        }
        rest = after;
    }
    found
}

/// Returns the literal pieces of a string, split at its placeholders (`{}`, `${name}`, `%s`,
/// `$name`).
fn pieces(string: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(rest) = string.get(at..).filter(|rest| !rest.is_empty()) {
        let filled = filled(rest);
        if filled > 0 {
            pieces.push(string.get(from..at).unwrap_or_default());
            from = at + filled;
            at = from;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    pieces.push(string.get(from..).unwrap_or_default());
    pieces
}

/// Returns the length in bytes of the placeholder at the beginning of a text; 0 if there is none.
fn filled(text: &str) -> usize {
    let braces = |from: usize| text.find('}').filter(|end| *end > from).map_or(0, |end| end + 1);
    let name = |rest: &str| rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    match text.as_bytes() {
        [b'{', ..] => braces(0),
        [b'$' | b'#', b'{', ..] => braces(1),
        [b'$', c, ..] if c.is_ascii_alphabetic() => 1 + name(text.get(1..).unwrap_or_default()),
        [b'%', rest @ ..] => {
            let width = rest.iter().take_while(|c| b"-+.0123456789#".contains(c)).count();
            let is_verb = rest.get(width).is_some_and(|c| b"sdvqfrxTi".contains(c));
            let ends = rest.get(width + 1).is_none_or(|c| !c.is_ascii_alphabetic());
            if is_verb && ends { width + 2 } else { 0 }
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_apart_where_something_is_filled_in() {
        assert_eq!(strings("throw new E('no {a} in', \"b\") // it's"), ["no {a} in", "b"]);
        assert_eq!(strings("\"a \\n b\" 'c'"), ["c"]);
        for (string, expected) in [
            ("no {a} in ${b.c}", &["no ", " in ", ""][..]),
            ("%s of %-3d, 100 % sure", &["", " of ", ", 100 % sure"]),
            ("$name: #{reason}", &["", ": ", ""]),
            ("none", &["none"]),
        ] {
            assert_eq!(pieces(string), expected, "{string}");
        }
    }
}
