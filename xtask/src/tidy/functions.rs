//! Checks the length of functions: at most 100 lines, from `fn` to the closing brace.

use super::allowed::Complaint;
use super::source::{code, line_of};
use crate::tree::File;

const MOST_LINES: usize = 100;

/// Complains about each longer function of our Rust code, tests included.
pub(super) fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        for (name, line, n_lines) in functions(&code(&file.text)) {
            if n_lines > MOST_LINES {
                complaints.push(Complaint {
                    check: "function",
                    path: file.path.clone(),
                    text: format!(
                        "{}:{line}: function '{name}' has {n_lines} lines, at most {MOST_LINES}",
                        file.path
                    ),
                });
            }
        }
    }
    complaints
}

/// Returns the functions with a body: name, first line and number of lines. `code` holds neither
/// comments nor literals.
fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ").filter(|(at, _)| !code[..*at].ends_with(is_word)) {
        let rest = &code[at + "fn ".len()..];
        let name: String = rest.trim_start().chars().take_while(|c| is_word(*c)).collect();
        if name.is_empty() {
            continue; // the type of a function
        }
        let (first, Some(end)) = (line_of(code, at), body_end(rest)) else { continue };
        let last = line_of(code, at + "fn ".len() + end);
        found.push((name, first, last - first + 1));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_counted_from_its_name_to_its_brace() {
        let cases = [
            ("fn a() {}", vec![("a", 1, 1)]),
            ("\nfn a(x: [u8; 2]) {\n{ }\n}\n", vec![("a", 2, 3)]),
            ("trait T { fn a();\n fn b() {\n} }", vec![("b", 2, 2)]),
            ("fn a(\nf: fn(u8) -> u8,\n) {\nfn b() {}\n}", vec![("a", 1, 5), ("b", 4, 1)]),
            ("let often = 1;", vec![]),
        ];
        for (text, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|(name, a, b)| (name.to_owned(), a, b)).collect();
            assert_eq!(functions(text), expected, "{text}");
        }
    }

    #[test]
    fn a_hundred_lines_are_enough() {
        let body = |n: usize| File::new("src/a.rs", &format!("fn a() {{\n{}}}\n", "x;\n".repeat(n)));
        assert!(check(&[body(98)]).is_empty());
        assert_eq!(check(&[body(99)])[0].text, "src/a.rs:1: function 'a' has 101 lines, at most 100");
    }
}
