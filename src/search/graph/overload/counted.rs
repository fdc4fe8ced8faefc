//! Functions of Elixir and Erlang, whose names include the number of their parameters.
//!
//! Input: the text around the name of a call. Output: how many arguments it passes. Those with a
//! keyword at the end are one argument, a list, and so is a block.

use super::brackets::quoted;
use super::{Signature, call_parts, parts};
use crate::search::segment::DeclarationView;

/// Languages in which the number of parameters is part of a function's name.
pub(super) const COUNTED: [&str; 2] = ["elixir", "erlang"];

/// Words behind a name that are not its first argument.
const OPERATORS: [&str; 10] = ["after", "and", "catch", "do", "else", "end", "in", "or", "rescue", "when"];

/// Splits a name from the number of its parameters: `Cart.add` and 2 of `Cart.add/2`.
pub(crate) fn split_arity(name: &str) -> Option<(&str, usize)> {
    let (before, digits) = name.rsplit_once('/')?;
    let is_name = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!'));
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_name && is_number { Some((before, digits.parse().ok()?)) } else { None }
}

/// Returns whether a declaration takes as many arguments as a name says that ends so. `text` is the
/// file's. True in a language whose names don't say it.
pub(crate) fn has_arity(one: &DeclarationView<'_>, text: &str, name: &str) -> bool {
    let Some((_, n)) = split_arity(name) else { return true };
    let is_counted = COUNTED.contains(&one.file.language());
    !is_counted || Signature::of(one, text).is_none_or(|own| own.n.contains(&n))
}

/// Returns how many arguments or parameters these parts are.
pub(super) fn n_counted(parts: &[&str]) -> usize {
    parts.iter().position(|part| is_keyword(part)).map_or(parts.len(), |first| first + 1)
}

/// Returns whether an argument is named: `limit: 1`, `"a b": 1`.
fn is_keyword(part: &str) -> bool {
    let Some((key, value)) = part.split_once(':') else { return false };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!' | '@');
    let is_quoted = key.len() > 1 && key.starts_with('"') && key.ends_with('"');
    value.starts_with(char::is_whitespace) && !key.is_empty() && (is_quoted || key.chars().all(is_plain))
}

/// Returns the number of arguments that are passed where a name is between two texts: as in `f(a)`,
/// `f a`, `a |> f()`, `&f/1` or `fun f/1`. `None` if that can't be read.
pub(super) fn passed(behind: &str, before: &str) -> Option<usize> {
    if let Some(rest) = behind.strip_prefix('/') {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
        return digits.parse().ok();
    }
    // A qualifier stands between the pipe and the name.
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let is_piped = before.trim_end_matches(is_path).trim_end().ends_with("|>");
    let given = match behind.chars().next() {
        Some('(') => {
            let (given, rest) = call_parts(behind)?;
            n_passed(&given, begins_block(rest))
        }
        Some(' ') => open_arguments(behind).or_else(|| (is_piped && is_end(behind)).then_some(0))?,
        _ if is_piped => 0,
        _ => return None,
    };
    Some(given + usize::from(is_piped))
}

/// Returns whether nothing that may be an argument follows on the line.
fn is_end(behind: &str) -> bool {
    let line = behind.lines().next().unwrap_or_default().trim();
    line.is_empty() || line.starts_with(['#', '|', ')', ']', '}', ','])
}

/// Returns the number of arguments; a block is one, too, or is among those with keywords.
fn n_passed(given: &[&str], has_block: bool) -> usize {
    let has_keywords = given.last().is_some_and(|last| is_keyword(last));
    n_counted(given) + usize::from(has_block && !has_keywords)
}

/// Returns whether a text begins with a block: ` do`.
fn begins_block(text: &str) -> bool {
    let word = text.trim_start_matches([' ', '\t']).strip_prefix("do");
    word.is_some_and(|behind| {
        !behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '?'))
    })
}

/// Returns the number of arguments behind a name that has no parentheses.
fn open_arguments(behind: &str) -> Option<usize> {
    let text = behind.trim_start_matches(' ');
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_start = text.starts_with(|c: char| c.is_alphanumeric() || "_:\"'[{%&@~^".contains(c));
    if !is_start || text.starts_with("::") || text.starts_with("&&") || OPERATORS.contains(&word) {
        return begins_block(behind).then_some(1);
    }
    let bytes = text.as_bytes();
    let (mut depth, mut at, mut last, mut has_block) = (0usize, 0, b' ', false);
    while let Some(&byte) = bytes.get(at) {
        let rest = text.get(at..).unwrap_or_default();
        match byte {
            b'"' | b'\'' => {
                at += quoted(rest)?;
                last = byte;
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => break,
            b')' | b']' | b'}' => depth -= 1,
            b'\n' if depth == 0 && last != b',' => break,
            b'#' if last == b',' || rest.starts_with("# ") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b' ' if depth == 0 && begins_block(rest) => {
                has_block = true;
                break;
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = byte;
        }
        at += 1;
    }
    let written = text.get(..at)?;
    // The parameters of a function and the parts of bytes have commas of their own.
    if written.contains("fn ") || written.contains("<<") {
        return None;
    }
    Some(n_passed(&parts(&format!("({written})"), false)?, has_block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_at_the_end_are_one_argument() {
        for (behind, before, n) in [
            ("(q, x: 1, y: 2)", "", Some(2)),
            ("(q, x: 1, y: 2)", "q |> Q.", Some(3)),
            ("(x: 1, \"a b\": 2)", "", Some(1)),
            ("(a ? :b : :c, Mod.x, :y)", "", Some(3)),
            (" x in q, where: 1, limit: 2, select: x\n", "", Some(2)),
            (" x in q,\n  where: 1,\n  select: x\nother\n", "", Some(2)),
            (" :n, :s\n", "", Some(2)),
            (" :n, {:a, :b} do\n", "", Some(3)),
            ("(1) do\n", "", Some(2)),
            ("(1, a: 2) do\n", "", Some(2)),
            (" do\n", "", Some(1)),
            (" + 1\n", "", None),
            (" :: integer\n", "", None),
            (" fn a, b -> a end\n", "", None),
            ("\n", "conn |> ", Some(1)),
            (" |> other()\n", "conn |> ", Some(1)),
            ("/3", "&", Some(3)),
            ("", "", None),
        ] {
            assert_eq!(passed(behind, before), n, "{before}…{behind}");
        }
    }

    #[test]
    fn a_name_ends_with_the_number_of_its_parameters() {
        assert_eq!(split_arity("Shop.Cart.add/2"), Some(("Shop.Cart.add", 2)));
        assert_eq!(split_arity("empty?/10"), Some(("empty?", 10)));
        for other in ["add", "a/b", "src/", "/2", "a./2"] {
            assert_eq!(split_arity(other), None, "{other}");
        }
    }
}
