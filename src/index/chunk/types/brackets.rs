//! Brackets in written types: `Map<K, Log>?` → the arguments between them, and what follows.

/// Types and values that stand for nothing.
pub(super) const NOTHING: &[&str] = &["None", "null", "undefined", "nil", "false", "nullptr"];

/// What stands between brackets, and behind them.
pub(super) struct Arguments<'t> {
    pub(super) first: Option<&'t str>,
    /// The last one of several.
    pub(super) last: Option<&'t str>,
    /// The text after the closing bracket.
    pub(super) after: Option<&'t str>,
}

/// Splits the text after an opening bracket. A missing part is `None`.
pub(super) fn arguments(text: &str) -> Arguments<'_> {
    let mut depth = 0_u32;
    let (mut first, mut last_start) = (None, None);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' if depth == 0 => {
                let last = last_start.and_then(|start: usize| text.get(start..at));
                return Arguments { first: first.or(text.get(..at)), last, after: text.get(at + 1..) };
            }
            ',' if depth == 0 => {
                first = first.or(text.get(..at));
                last_start = Some(at + 1);
            }
            '>' | ']' | ')' => depth -= 1,
            _ => {}
        }
    }
    Arguments { first, last: None, after: None }
}

/// Returns whether the text after a type's name leaves the type as it is: marks for pointers and
/// for values that may be missing.
pub(super) fn is_end(rest: &str) -> bool {
    let rest =
        rest.trim_matches(|c: char| matches!(c, '?' | '!' | '*' | '&' | '"' | '\'') || c.is_whitespace());
    let rest = rest.strip_prefix("const").unwrap_or(rest).trim_matches(['*', '&', ' ']);
    match rest.strip_prefix('|') {
        Some(others) => others.split('|').all(|one| NOTHING.contains(&one.trim().trim_matches(['"', '\'']))),
        None => rest.is_empty(),
    }
}
