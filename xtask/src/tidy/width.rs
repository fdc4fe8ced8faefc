//! Checks the width of lines: at most 100 columns in all text that people write, and 110 in Rust
//! code, which rustfmt wraps.
//!
//! Exceptions, because nobody writes these lines or nothing can wrap them:
//!
//! - files that `codegen` writes, lists of counts and hashes, test input, and tables of data;
//! - values in TOML: a string or an inline table is one line;
//! - tables, and code blocks of Markdown and of comments, except blocks of shell commands;
//! - an address and the target of a link in Markdown that no line has room for;
//! - a string in Rust, and a string elsewhere that nearly fills a line.

use super::allowed::Complaint;
use super::source;
use crate::tree::File;

/// Maximum width in characters.
const MOST_COLUMNS: usize = 100;
/// Maximum width of Rust code, as `rustfmt.toml` says.
const MOST_OF_RUST: usize = 110;
/// Length of a string that cannot be wrapped: a line that has one may be wider.
const LONG_STRING: usize = 70;
/// Stands for a byte of a string or comment of Rust.
const BLANK: u8 = 0;
/// Beginnings of paths of files that nobody writes.
const GENERATED: &[&str] = &[
    "completions/",
    "doc/commands.md",
    "doc/config.md",
    "doc/messages.md",
    "man/",
    "proptest-regressions/",
    "tests/relevance/golden.txt",
];
/// Beginnings of code blocks with commands, which a backslash wraps.
const SHELLS: &[&str] = &["```sh", "```bash"];
/// Ends of the names of files with tables of data.
const DATA: &[&str] = &[".json", ".jsonl", ".lock", ".tsv"];

/// Complains about each line that is too wide.
pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| is_written(file)) {
        for (ord, n_columns, most) in wide_lines(file) {
            let text = format!("{}:{}: {n_columns} columns, at most {most}", file.path, ord + 1);
            complaints.push(Complaint { check: "width", path: file.path.clone(), text });
        }
    }
    complaints
}

/// Returns whether people write and wrap a file.
fn is_written(file: &File) -> bool {
    let is_generated = GENERATED.iter().any(|path| file.path.starts_with(path));
    let is_data = DATA.iter().any(|end| file.path.ends_with(end));
    !file.is_sample() && !is_generated && !is_data
}

/// Returns the lines that are too wide: their positions, their widths, and the maximum.
fn wide_lines(file: &File) -> Vec<(usize, usize, usize)> {
    let (is_rust, is_toml) = (file.path.ends_with(".rs"), file.path.ends_with(".toml"));
    let is_markdown = file.path.ends_with(".md");
    let code = if is_rust { source::blanked(&file.text, BLANK) } else { String::new() };
    let mut code = code.lines();
    let mut found = Vec::new();
    let (mut is_block, mut is_shell) = (false, false);
    for (ord, line) in file.text.lines().enumerate() {
        let code = code.next().unwrap_or_default();
        let comment = if is_rust { line.trim().strip_prefix("//") } else { None };
        let prose = match comment {
            Some(comment) => Some(comment.trim_start_matches(['/', '!']).trim()),
            None => is_markdown.then(|| line.trim()),
        };
        let is_fence = prose.is_some_and(|prose| prose.starts_with("```"));
        is_block = prose.is_some() && is_block != is_fence;
        is_shell = if is_fence { prose.is_some_and(|prose| SHELLS.contains(&prose)) } else { is_shell };
        let (n_columns, most) = match prose {
            Some(_) if is_block && is_shell && !is_fence && !has_long_string(line) => {
                (line.chars().count(), MOST_COLUMNS)
            }
            Some(prose) if is_block || is_fence || prose.starts_with('|') => continue,
            Some(_) if is_markdown => (without_links(line), MOST_COLUMNS),
            None if is_rust => (columns_of_rust(line, code), MOST_OF_RUST),
            None if is_toml && !line.trim_start().starts_with('#') => continue,
            None if has_long_string(line) => continue,
            Some(_) | None => (without_addresses(line), MOST_COLUMNS),
        };
        if n_columns > most {
            found.push((ord, n_columns, most));
        }
    }
    found
}

/// Returns the width of a line without its strings. `code` is the line with [`BLANK`] in place of
/// each byte of its strings and comments.
fn columns_of_rust(line: &str, code: &str) -> usize {
    let is_blank = |c: char| c == char::from(BLANK);
    let is_comment = |at: &usize| code.get(at + 1..).is_some_and(|rest| rest.chars().all(is_blank));
    // A string that goes on in the next line may hold such a sign.
    let is_behind_code = |at: &usize| line.get(..*at).is_some_and(|code| code.matches('"').count() % 2 == 0);
    match line.find(" // ").filter(is_comment).filter(is_behind_code) {
        Some(_) => line.chars().count(),
        None => code.chars().filter(|c| !is_blank(*c)).count(),
    }
}

/// Returns the width of a line of Markdown without the targets of links that no line has room for,
/// and without such addresses.
fn without_links(line: &str) -> usize {
    without_words(line, |word| word.contains("://") || word.contains("]("))
}

/// Returns the width of a line without the addresses that no line has room for.
fn without_addresses(line: &str) -> usize {
    without_words(line, |word| word.contains("://"))
}

/// Returns the width of a line without the words that pass a test and that are too wide even on a
/// line of their own, indented like this line. If the line can be wrapped before or after a word,
/// the word counts.
fn without_words(line: &str, is_unbroken: impl Fn(&str) -> bool) -> usize {
    let line = line.trim_end();
    let indentation = line.chars().count() - line.trim_start().chars().count();
    let columns = |word: &str| word.chars().count();
    let alone = line.split_whitespace().filter(|word| is_unbroken(word));
    let alone = alone.map(columns).filter(|n| indentation + n > MOST_COLUMNS);
    columns(line) - alone.sum::<usize>()
}

/// Returns whether a line has a string that nearly fills a line.
fn has_long_string(line: &str) -> bool {
    let is_long =
        |quote: char| line.split(quote).skip(1).step_by(2).any(|text| text.chars().count() >= LONG_STRING);
    ['"', '\'', '`'].into_iter().any(is_long)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(path: &str, text: &str) -> usize {
        check(&[File::new(path, text)]).len()
    }

    #[test]
    fn text_is_narrow() {
        let wide = "w ".repeat(51);
        assert_eq!(n("src/a.rs", &format!("//! {}", "é".repeat(96))), 0);
        assert_eq!(n("src/a.rs", &format!("//! {}", "é".repeat(97))), 1);
        let cases = [
            ("src/a.rs", format!("    // {wide}"), 1),
            ("src/a.rs", format!("/// | {wide} |"), 0),
            ("src/a.rs", format!("//! ```text\n//! {wide}\n//! ```\n//! {wide}"), 1),
            // A fence that stays open ends with its comment.
            ("src/a.rs", format!("//! ```\n//! x\nfn f() {{}}\n// {wide}"), 1),
            ("README.md", wide.clone(), 1),
            ("README.md", format!("```text\n{wide}\n```\n| {wide} |"), 0),
            ("README.md", format!("see [a](https://example.org/{})", "x".repeat(90)), 0),
            ("README.md", format!("see https://example.org/{}", "x".repeat(90)), 0),
            // These lines can be wrapped around the link.
            ("README.md", format!("see [a](b/{}) and more of the text", "x".repeat(80)), 1),
            ("README.md", format!("the text before it [a](b/{})", "x".repeat(80)), 1),
            ("README.md", format!("the text before it https://b.org/{}", "x".repeat(80)), 1),
            ("a.yml", format!("# see https://b.org/{} for more", "x".repeat(80)), 1),
            ("README.md", format!("```sh\n{wide}\n```"), 1),
            ("README.md", format!("```sh\ngrep '{wide}'\n```"), 0),
            ("README.md", format!("see [{wide}](x)"), 1),
            ("deny.toml", format!("# {wide}"), 1),
            ("deny.toml", format!("a = \"{wide}\""), 0),
            ("hooks/post-commit", format!("  # {wide}"), 1),
            ("page/index.html", format!("<p>{wide}</p>"), 1),
            ("page/style.css", format!("a {{ {wide} }}"), 1),
            ("page/main.js", wide.clone(), 1),
            ("a.py", format!("{wide}# see"), 1),
            ("a.yml", format!("run: {wide}"), 1),
            ("LICENSE", wide.clone(), 1),
            ("doc/commands.md", wide.clone(), 0),
            ("tests/fixtures/a.md", wide.clone(), 0),
            ("man/git-cora.1", wide.clone(), 0),
            ("a.tsv", wide, 0),
        ];
        for (path, text, expected) in cases {
            assert_eq!(n(path, &text), expected, "{path}: {text}");
        }
    }

    #[test]
    fn rust_is_as_wide_as_rustfmt_makes_it() {
        let cases = [
            (format!("f({});", "x".repeat(106)), 0),
            (format!("f({});", "x".repeat(107)), 1),
            (format!("f(\"{}\");", "x".repeat(120)), 0),
            (format!("f(\"{}\", {});", "x".repeat(20), "y".repeat(104)), 0),
            (format!("f(\"{}\", {});", "x".repeat(20), "y".repeat(105)), 1),
            (format!("f(); // {}", "x".repeat(110)), 1),
        ];
        for (text, expected) in cases {
            assert_eq!(n("src/a.rs", &text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_string_cannot_be_wrapped() {
        let string = |n: usize| format!("    say(`{}`, {});", "s".repeat(n), "y".repeat(50));
        assert_eq!(n("page/main.js", &string(LONG_STRING)), 0);
        assert_eq!(n("page/main.js", &string(LONG_STRING - 1)), 1);
    }
}
