//! The part of a text that its grammar cannot read: a dialect, new syntax, a macro.
//!
//! Records do not hold it. It is a measure of a grammar, and costs another parse.

use super::lines::{Lines, offset};
use super::{ByteRange, Language, clip, parse, pieces, razor, whole};
use tree_sitter::{Node, Tree};

/// Returns the bytes of a text that belong to no construct of its language: tokens directly in an
/// error of the syntax tree, and pieces that cannot be parsed within the limits. `None` if the
/// language is not read with a grammar. The code of Razor counts with its markup.
pub fn unparsed_bytes(language: Language, text: &str) -> Option<u64> {
    language.table()?;
    let text = clip(text);
    if parse::is_parseable(text) {
        let lines = Lines::new(text);
        let read = language.resolved().and_then(|resolved| whole::trees(language, resolved, &lines));
        let broken = match &read {
            // A grammar may read the rest of a broken entry as another document.
            Some((trees, left_out))
                if trees.len() > 1 && language.table().is_some_and(|one| one.is_indented) =>
            {
                let main = trees.first().map_or(0, |tree| broken_bytes(tree, text, left_out));
                main + left_out.iter().map(|one| words_of(one.of(text))).sum::<usize>()
            }
            Some((trees, left_out)) => trees.iter().map(|tree| broken_bytes(tree, text, left_out)).sum(),
            None => text.len(),
        };
        let in_program = match language.name() {
            "razor" => unparsed_bytes(Language::from_name("c-sharp")?, &razor::program_of(text))?,
            _ => 0,
        };
        return u64::try_from(broken).ok().map(|broken| broken + in_program);
    }
    let lines = Lines::new(text);
    let mut unread = text.len();
    let mut broken = 0;
    for piece in pieces::pieces(language, &lines) {
        if let Some(tree) = parse::parse_ranges(language, &lines, &piece) {
            unread -= piece.iter().map(|range| range.len() as usize).sum::<usize>();
            broken += broken_bytes(&tree, text, &[]);
        }
    }
    u64::try_from(unread + broken).ok()
}

/// Returns the bytes that are directly in an error of a syntax tree: tokens, and text that the
/// parser skipped, without white space. `left_out` is not a part of the tree.
fn broken_bytes(tree: &Tree, text: &str, left_out: &[ByteRange]) -> usize {
    let mut cursor = tree.walk();
    let mut bytes = behind(tree, text);
    // For each node around the current one, whether it is an error.
    let mut around = vec![false];
    loop {
        let node = cursor.node();
        if around.last() == Some(&true) && node.child_count() == 0 {
            bytes += node.end_byte() - node.start_byte();
        }
        if node.is_error() {
            bytes += skipped(node, text, left_out);
        }
        // Only nodes with an error inside are entered.
        if node.has_error() && cursor.goto_first_child() {
            around.push(node.is_error());
            continue;
        }
        while !cursor.goto_next_sibling() {
            around.pop();
            if !cursor.goto_parent() {
                return bytes;
            }
        }
    }
}

/// Returns the bytes of an error between its children, without white space. A leaf is a token.
fn skipped(error: Node<'_>, text: &str, left_out: &[ByteRange]) -> usize {
    if error.child_count() == 0 {
        return 0;
    }
    let written = |start: usize, end: usize| written(text, start, end, left_out);
    let (mut bytes, mut at) = (0, error.start_byte());
    let mut cursor = error.walk();
    for child in error.children(&mut cursor) {
        bytes += written(at, child.start_byte());
        at = child.end_byte();
    }
    bytes + written(at, error.end_byte())
}

/// Returns the bytes behind the root of a tree, where a parser stopped.
fn behind(tree: &Tree, text: &str) -> usize {
    let root = tree.root_node();
    if !root.is_error() {
        return 0;
    }
    let read = tree.included_ranges();
    let rest = read.iter().map(|one| {
        let end = one.end_byte.min(text.len());
        written(text, one.start_byte.max(root.end_byte()).min(end), end, &[])
    });
    rest.sum()
}

/// Returns the bytes of a text without white space.
fn words_of(text: &str) -> usize {
    text.split_whitespace().map(str::len).sum()
}

/// Returns the bytes of a part of a text without white space, and without what is left out.
fn written(text: &str, start: usize, end: usize, left_out: &[ByteRange]) -> usize {
    let (start, end) = (offset(start), offset(end));
    let size = |start: u32, end: u32| words_of(ByteRange { start, end: end.max(start) }.of(text));
    let around = left_out.iter().filter(|one| one.start < end && start < one.end);
    let hidden: usize = around.map(|one| size(one.start.max(start), one.end.min(end))).sum();
    size(start, end).saturating_sub(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_place_costs_itself() {
        let of = |language: &str, text: &str| unparsed_bytes(Language::from_name(language).unwrap(), text);
        assert_eq!(of("python", "def f():\n    pass\n"), Some(0));
        let broken = of("rust", "fn a() {}\n\nfn b() { let = ; }\n\nfn c() {}\n").unwrap();
        assert!((1..12).contains(&broken), "{broken}");
        let long = format!("x = {}\n", "1+".repeat(5000));
        assert_eq!(of("python", &long), Some(long.len() as u64));
        assert_eq!(
            of("python", &format!("y = 1\n{long}")),
            Some(long.len() as u64),
            "all but the first line"
        );
        assert_eq!(of("text", "x"), None);
        assert_eq!(of("markdown", "x"), None);
        assert_eq!(of("python", ""), Some(0));
    }
}
