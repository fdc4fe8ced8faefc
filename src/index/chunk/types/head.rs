//! Heads of types: the text in the place of a type → the name of the type.
//!
//! `&mut Box<dyn Log>` has the head `Log`. Pointers, lifetimes, keywords and wrappers are removed.
//! A text that is not a single name (a list, a function, a union) has no head.

use super::brackets::{NOTHING, arguments, is_end};
use super::items::{Access, first_item, item_in_brackets};
use super::{MAX_DEPTH, bare};
use crate::index::chunk::table::Values;

/// Words before a type's name that are not part of it.
const WORDS: &[&str] = &[
    "any", "class", "const", "dyn", "enum", "final", "impl", "in", "inout", "mut", "out", "readonly", "ref",
    "some", "struct", "typename", "union", "unsafe", "volatile",
];

/// Returns the name of a type, without the text around and after it; `None` if it is not one name,
/// or seems to be a type parameter.
pub(super) fn head<'t>(written: &'t str, values: &Values, access: Access<'_>) -> Option<&'t str> {
    named(written, values, access).filter(|name| !is_parameter(name))
}

/// Returns the name of a type or a type parameter, as [`head`] does.
pub(super) fn named<'t>(written: &'t str, values: &Values, access: Access<'_>) -> Option<&'t str> {
    let mut text = written;
    let Access { takes_failures, mut items } = access;
    for _ in 0..MAX_DEPTH * 2 {
        text = text.trim().trim_start_matches([':', '&', '*', '?', '"', '\'', '`', '@']).trim_start();
        // Of Go's results, the first one counts.
        if values.has_lists
            && let Some(list) = text.strip_prefix('(')
        {
            let first = list.split([',', ')']).next().unwrap_or_default().trim();
            text = first.rsplit(' ').next().unwrap_or(first);
            continue;
        }
        if let Some((kind, left)) = first_item(items)
            && let Some(item) = item_in_brackets(text, kind)
        {
            (text, items) = (item?, left);
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
        let arguments = rest.strip_prefix(['<', '[']).filter(|_| !rest.starts_with("[]")).map(arguments);
        let mut after = match &arguments {
            Some(arguments) => arguments.after,
            None => Some(rest),
        };
        // Each pair of brackets behind a type makes a list of it.
        while let Some(inner) = after.and_then(|after| after.trim_start().strip_prefix("[]")) {
            (after, items) = (Some(inner), first_item(items)?.1);
        }
        let Some(arguments) = arguments else {
            return (items.is_empty() && is_end(after?)).then_some(name);
        };
        if values.callables.contains(&last) {
            text = arguments.last.filter(|_| after.is_some_and(is_end))?;
        } else if is_wrapper {
            text = arguments.first?;
        } else if let Some((kind, left)) = first_item(items) {
            (text, items) = (kind.of(last, &arguments, values)?, left);
        } else {
            return is_end(after?).then_some(name);
        }
    }
    None
}

/// Returns whether a name is a lifetime, which follows `&` and an apostrophe.
fn is_lifetime(text: &str, written: &str, name: &str) -> bool {
    let at = written.len() - text.len();
    written.get(..at).is_some_and(|before| before.ends_with('\'')) && text.len() > name.len()
}

/// Returns whether a name is, by custom, a type parameter: a capital, maybe with digits.
pub(super) fn is_parameter(name: &str) -> bool {
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
            ("any", Some("any")),
            ("any Log", Some("Log")),
            ("T", None),
            ("", None),
            ("<", None),
            ("Box<", None),
        ] {
            assert_eq!(head(written, &values, Access::default()), name, "{written}");
        }
        let lists = Values { has_lists: true, ..values };
        assert_eq!(head("(*Log, error)", &lists, Access::default()), Some("Log"));
        assert_eq!(head("(log *pkg.Log, err error)", &lists, Access::default()), Some("pkg.Log"));
        assert_eq!(
            head("Result<Box<Log>, E>", &values, Access { takes_failures: true, items: "" }),
            Some("Log")
        );
    }
}
