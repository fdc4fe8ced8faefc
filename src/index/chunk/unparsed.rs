//! The part of a text that its grammar cannot read: a dialect, new syntax, a macro.
//!
//! Records do not hold it. It is a measure of a grammar, and costs another parse.

use super::{Language, clip, parse};

/// Returns the bytes of a text that belong to no construct of its language: tokens directly in an
/// error of the syntax tree. All of them if the text cannot be parsed within the limits. `None` if
/// the language is not read with a grammar.
pub fn unparsed_bytes(language: Language, text: &str) -> Option<u64> {
    language.table()?;
    let text = clip(text);
    let tree = Some(text).filter(|text| parse::is_parseable(text));
    let Some(tree) = tree.and_then(|text| parse::parse(language, text)) else {
        return u64::try_from(text.len()).ok();
    };
    let mut cursor = tree.walk();
    let mut bytes = 0;
    // For each node around the current one, whether it is an error.
    let mut around = vec![false];
    loop {
        let node = cursor.node();
        if around.last() == Some(&true) && node.child_count() == 0 {
            bytes += node.end_byte() - node.start_byte();
        }
        // Only nodes with an error inside are entered.
        if node.has_error() && cursor.goto_first_child() {
            around.push(node.is_error());
            continue;
        }
        while !cursor.goto_next_sibling() {
            around.pop();
            if !cursor.goto_parent() {
                return u64::try_from(bytes).ok();
            }
        }
    }
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
        assert_eq!(of("text", "x"), None);
        assert_eq!(of("markdown", "x"), None);
        assert_eq!(of("python", ""), Some(0));
    }
}
