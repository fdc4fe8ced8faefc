//! The name of a type, read off what is written where a type stands.

use super::{MAX_DEPTH, bare};
use crate::index::chunk::table::Values;

/// Words before a type's name that are no part of it.
const WORDS: &[&str] = &[
    "any", "class", "const", "dyn", "enum", "final", "impl", "in", "inout", "mut", "out", "readonly", "ref",
    "some", "struct", "typename", "union", "unsafe", "volatile",
];

/// Types and values that say that there is nothing.
pub(super) const NOTHING: &[&str] = &["None", "null", "undefined", "nil", "false", "nullptr"];

/// The name of a type as it is written, without what is around and behind it; `None` where that isn't one name.
pub(super) fn head<'t>(written: &'t str, values: &Values, takes_failures: bool) -> Option<&'t str> {
    let mut text = written;
    for _ in 0..MAX_DEPTH * 2 {
        text = text.trim().trim_start_matches([':', '&', '*', '?', '"', '\'', '`', '@']).trim_start();
        // Go's results: the first counts.
        if values.has_lists
            && let Some(list) = text.strip_prefix('(')
        {
            let first = list.split([',', ')']).next().unwrap_or_default().trim();
            text = first.rsplit(' ').next().unwrap_or(first);
            continue;
        }
        let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '\\' | '$')));
        let (name, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
        let name = name.trim_end_matches([':', '.']);
        let rest = rest.trim();
        if (WORDS.contains(&name) && !rest.is_empty())
            || (written.starts_with('&') && is_lifetime(text, written, name))
        {
            text = rest;
            continue;
        }
        if NOTHING.contains(&name)
            && let Some(other) = rest.strip_prefix('|')
        {
            text = other;
            continue;
        }
        if name.is_empty() {
            return None;
        }
        let last = bare(name);
        let is_wrapper = values.wrappers.contains(&last) || takes_failures && values.failures.contains(&last);
        if let Some(opened) = rest.strip_prefix(['<', '[']) {
            let (first, after) = arguments(opened);
            if is_wrapper {
                text = first?;
                continue;
            }
            return (is_end(after?) && !rest.starts_with("[]")).then_some(name);
        }
        return (is_end(rest) && !is_parameter(name)).then_some(name);
    }
    None
}

/// Whether a name is a lifetime, which stands after `&` and an apostrophe.
fn is_lifetime(text: &str, written: &str, name: &str) -> bool {
    let at = written.len() - text.len();
    written.get(..at).is_some_and(|before| before.ends_with('\'')) && text.len() > name.len()
}

/// The first of the arguments behind an opening bracket, and what stands behind the bracket that closes them; what is missing
/// of them is `None`.
fn arguments(text: &str) -> (Option<&str>, Option<&str>) {
    let mut depth = 0_u32;
    let mut first = None;
    for (at, c) in text.char_indices() {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' if depth == 0 => return (first.or(text.get(..at)), text.get(at + 1..)),
            ',' if depth == 0 => first = first.or(text.get(..at)),
            '>' | ']' | ')' => depth -= 1,
            _ => {}
        }
    }
    (first, None)
}

/// Whether what stands behind a type's name leaves it what it is: marks of pointers and of what may be missing.
fn is_end(rest: &str) -> bool {
    let rest =
        rest.trim_matches(|c: char| matches!(c, '?' | '!' | '*' | '&' | '"' | '\'') || c.is_whitespace());
    let rest = rest.strip_prefix("const").unwrap_or(rest).trim_matches(['*', '&', ' ']);
    match rest.strip_prefix('|') {
        Some(others) => others.split('|').all(|one| NOTHING.contains(&one.trim().trim_matches(['"', '\'']))),
        None => rest.is_empty(),
    }
}

/// Whether a name is that of a type's parameter by custom: a capital, maybe with a number.
fn is_parameter(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_types_name_is_read_off_what_is_written() {
        let values = Values {
            wrappers: &["Box", "Optional", "unique_ptr"],
            failures: &["Result"],
            has_lists: false,
            ..Values::NONE
        };
        for (written, name) in [
            ("Log", Some("Log")),
            ("&'a mut Log", Some("Log")),
            ("&mut dyn io::Read", Some("io::Read")),
            ("Box<dyn Log>", Some("Log")),
            ("std::unique_ptr<log::Sink>", Some("log::Sink")),
            ("const Log &", Some("Log")),
            ("Log const*", Some("Log")),
            (": Log | null", Some("Log")),
            ("None | Log", Some("Log")),
            ("Optional[\"Log\"]", Some("Log")),
            ("'Log'", Some("Log")),
            ("?Log", Some("Log")),
            ("Log?", Some("Log")),
            ("Map<String, Log>", Some("Map")),
            ("java.util.List<Log>", Some("java.util.List")),
            ("Result<Log>", Some("Result")),
            ("Log[]", None),
            ("[]Log", None),
            ("Log | Other", None),
            ("(a: Log) => void", None),
            ("fn(Log) -> Log", None),
            ("T", None),
            ("", None),
            ("<", None),
            ("Box<", None),
        ] {
            assert_eq!(head(written, &values, false), name, "{written}");
        }
        let lists = Values { has_lists: true, ..values };
        assert_eq!(head("(*Log, error)", &lists, false), Some("Log"));
        assert_eq!(head("(log *pkg.Log, err error)", &lists, false), Some("pkg.Log"));
        assert_eq!(head("Result<Box<Log>, E>", &values, true), Some("Log"));
    }
}
