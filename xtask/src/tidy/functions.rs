//! Checks the size of functions: at most 100 lines, from `fn` to the closing brace, and at most 7
//! values as parameters.
//!
//! A tuple counts as the values in it. Otherwise a tuple would be a way around Clippy's limit, and
//! the thing that travels in it would stay without a name.

use super::allowed::Complaint;
use super::source::{code, line_of};
use crate::tree::File;

const MOST_LINES: usize = 100;
/// Clippy's limit for parameters.
const MOST_VALUES: usize = 7;

/// A function of a source.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    /// First line, 1-based.
    line: usize,
    /// Number of lines; 0 without a body.
    n_lines: usize,
    /// Number of values that it takes, `self` included.
    n_values: usize,
}

/// Complains about each longer function of our Rust code, and each that takes more, tests included.
pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        for Function { name, line, n_lines, n_values } in functions(&code(&file.text)) {
            let mut complain = |check, what: String| {
                let text = format!("{}:{line}: function '{name}' {what}", file.path);
                complaints.push(Complaint { check, path: file.path.clone(), text });
            };
            if n_lines > MOST_LINES {
                complain("function", format!("has {n_lines} lines, at most {MOST_LINES}"));
            }
            if n_values > MOST_VALUES {
                complain("parameters", format!("takes {n_values} values, at most {MOST_VALUES}"));
            }
        }
    }
    complaints
}

/// Returns the functions. `code` holds neither comments nor literals.
fn functions(code: &str) -> Vec<Function> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ").filter(|(at, _)| !code[..*at].ends_with(is_word)) {
        let rest = &code[at + "fn ".len()..];
        let name: String = rest.trim_start().chars().take_while(|c| is_word(*c)).collect();
        if name.is_empty() {
            continue; // the type of a function
        }
        let line = line_of(code, at);
        let last = body_end(rest).map(|end| line_of(code, at + "fn ".len() + end));
        let n_lines = last.map_or(0, |last| last - line + 1);
        found.push(Function { name, line, n_lines, n_values: n_values(rest) });
    }
    found
}

/// Returns the position of the brace that ends the body; `None` without a body.
fn body_end(rest: &str) -> Option<usize> {
    let (mut braces, mut brackets) = (0_u32, 0_u32);
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            b';' if braces == 0 && brackets == 0 => return None,
            b'{' => braces += 1,
            b'}' if braces <= 1 => return Some(at),
            b'}' => braces -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the number of values that the parameters of a function take.
fn n_values(rest: &str) -> usize {
    // The parentheses of a bound (`F: Fn(u8)`) are inside of `<…>`.
    let Some(open) = outside(rest, '(').next() else { return 0 };
    let list = &rest[open + 1..];
    let end = outside(list, ')').next().unwrap_or(list.len());
    let taken = |parameter: &str| {
        let colon = outside(parameter, ':').find(|at| {
            let (before, after) = parameter.split_at(*at);
            !before.ends_with(':') && !after.starts_with("::")
        });
        let (pattern, ty) = parameter.split_at(colon.unwrap_or(parameter.len()));
        n_parts(pattern).max(n_parts(ty.trim_start_matches(':')))
    };
    parts(&list[..end]).into_iter().map(taken).sum()
}

/// Returns the number of values in a pattern or a type: those of a tuple, or one.
fn n_parts(text: &str) -> usize {
    let mut rest = text.trim();
    while let Some(referent) = rest.strip_prefix('&') {
        rest = referent.trim_start();
        if rest.starts_with('\'') {
            rest = rest.split_once(' ').map_or("", |(_, referent)| referent);
        }
        rest = rest.strip_prefix("mut ").unwrap_or(rest).trim_start();
    }
    let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.map_or(1, |inner| parts(inner).into_iter().map(n_parts).sum::<usize>().max(1))
}

/// Splits a list at its commas.
fn parts(list: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for at in outside(list, ',').chain([list.len()]) {
        found.extend(list.get(start..at).filter(|part| !part.trim().is_empty()));
        start = at + 1;
    }
    found
}

/// Returns where a character stands outside of brackets; a bracket itself counts where it opens or
/// closes the outermost one.
fn outside(text: &str, wanted: char) -> impl Iterator<Item = usize> {
    let mut depth = 0_usize;
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, c)| {
        // The sign in front of a result is not a bracket.
        let is_arrow = c == '>' && before == '-';
        before = c;
        let is_outside = depth == 0 && c == wanted;
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' if !is_arrow => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_outside.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_counted_from_its_name_to_its_brace() {
        let cases = [
            ("fn a() {}", vec![("a", 1, 1)]),
            ("\nfn a(x: [u8; 2]) {\n{ }\n}\n", vec![("a", 2, 3)]),
            ("trait T { fn a();\n fn b() {\n} }", vec![("a", 1, 0), ("b", 2, 2)]),
            ("fn a(\nf: fn(u8) -> u8,\n) {\nfn b() {}\n}", vec![("a", 1, 5), ("b", 4, 1)]),
            ("let often = 1;", vec![]),
        ];
        for (text, expected) in cases {
            let found = functions(text);
            let found: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.line, one.n_lines)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_tuple_counts_as_its_values() {
        let cases = [
            ("fn a() {}", 0),
            ("fn a(&mut self, x: u8, y: &[(u8, u8)],) {}", 3),
            ("fn a((x, y): (u8, u8), z: Pair) {}", 3),
            ("fn a((x, y): Pair) {}", 2),
            ("fn a(x: &'a mut (u8, (u8, u8))) {}", 3),
            ("fn a(&(x, y): &(u8, u8)) {}", 2),
            ("fn a(x: (), y: (dyn Error + 'static)) {}", 2),
            ("fn a(x: std::vec::Vec<(u8, u8)>, y: [u8; 2]) -> (u8, u8, u8) {}", 2),
            ("fn a<F: Fn(u8, u8) -> (u8, u8)>(f: F, g: impl Fn(u8, u8) -> u8) {}", 2),
            ("fn a(Point { x, y }: Point, f: fn(u8, u8)) {}", 2),
            ("trait T { fn a(x: (u8, u8)); }", 2),
        ];
        for (text, expected) in cases {
            let found = functions(text);
            assert_eq!(found[0].n_values, expected, "{text}");
        }
    }

    #[test]
    fn a_hundred_lines_and_seven_values_are_enough() {
        let texts = |text: &str| -> Vec<String> {
            let complaints = check(&[File::new("src/a.rs", text)]);
            complaints.into_iter().map(|one| format!("{} {}", one.check, one.text)).collect()
        };
        let body = |n: usize| format!("fn a() {{\n{}}}\n", "x;\n".repeat(n));
        assert!(texts(&body(98)).is_empty());
        assert_eq!(texts(&body(99)), ["function src/a.rs:1: function 'a' has 101 lines, at most 100"]);
        let taking = |n: usize| format!("fn a((x, y): (u8, u8){}) {{}}", ", z: u8".repeat(n));
        assert!(texts(&taking(5)).is_empty());
        assert_eq!(texts(&taking(6)), ["parameters src/a.rs:1: function 'a' takes 8 values, at most 7"]);
    }
}
