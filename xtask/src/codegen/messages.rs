//! `doc/messages.md`: every text that a user can see and that stands in the code, in one file.
//!
//! Sources → their strings of three or more words, by file. A reviewer can read all errors, hints,
//! notes, warnings and prompts in one go, and a change of one shows in a diff. Help texts are in
//! `doc/commands.md`. Left out are tests, SQL, and the reasons of `expect` and `allow`.

use super::Output;
use crate::tidy::strings;
use crate::tree::{self, File};

/// Beginnings of strings that are for the database or for readers of the code.
const NOT_MESSAGES: &[&str] =
    &["because ", "SELECT ", "INSERT ", "UPDATE ", "DELETE ", "COPY ", "CREATE ", "DROP ", "SET ", "CASE "];

/// Renders the document.
pub(super) fn outputs() -> anyhow::Result<Vec<Output>> {
    let files = tree::files()?;
    Ok(vec![Output { path: "doc/messages.md".to_owned(), text: document(&files) }])
}

fn document(files: &[File]) -> String {
    let mut out = String::from(
        "# Messages\n\nGenerated from the sources by `cargo xtask codegen`: each text of three or more words in the\n\
         program, by file. `{}` stands for a value.\n",
    );
    for file in files.iter().filter(|file| is_source(file)) {
        let code = file.text.split("\nmod tests {").next().unwrap_or_default();
        let messages: Vec<String> = strings(&without_reasons(code))
            .into_iter()
            .filter(|text| is_message(text))
            .map(|text| line(&text))
            .collect();
        if !messages.is_empty() {
            out += &format!("\n## {}\n\n```text\n{}\n```\n", file.path, messages.join("\n"));
        }
    }
    out
}

/// Leaves out the reasons of `allow` attributes.
fn without_reasons(code: &str) -> String {
    let mut parts = code.split("reason = \"");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += part.split_once('"').map_or("", |(_, behind)| behind);
    }
    out
}

fn is_source(file: &File) -> bool {
    let is_test = ["/tests/", "/tests.rs", "_tests.rs", "testing.rs", "/samples.rs"]
        .iter()
        .any(|end| file.path.contains(end));
    // The help is generated too, and reads better there.
    file.is_rust() && file.path.starts_with("src/") && !is_test && !file.path.contains("/cli/args/")
}

/// Returns whether a string is for people: three words, and not one of the known exceptions.
fn is_message(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let n_words = text.split_whitespace().filter(is_word).count();
    n_words >= 3 && !NOT_MESSAGES.iter().any(|start| text.trim_start().starts_with(start))
}

/// Returns a text as one line, with each value as `{}`.
fn line(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out += before;
        match after.split_once('}') {
            Some((name, behind)) if !name.contains(['{', '"', ' ']) => {
                out += "{}";
                rest = behind;
            }
            _ => {
                out.push('{');
                rest = after;
            }
        }
    }
    out += rest;
    out.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_for_people_are_listed() {
        let source = "#![allow(x, reason = \"owns the files of it\")]\nf(\"can't read '{path}': {error:#}\");\nsql(\"SELECT a FROM b\");\ng(\"ok\");\n\
                      x.expect(\"because one byte was taken\");\n#[cfg(test)]\nmod tests { h(\"not for a user\"); }\n";
        let text =
            document(&[File::new("src/a.rs", source), File::new("src/a/tests.rs", "\"one two three\"")]);
        assert!(text.ends_with("## src/a.rs\n\n```text\ncan't read '{}': {}\n```\n"), "{text}");
    }
}
