//! Expressions whose type follows from a name: calls as a whole, and constants.
//!
//! Input: the text of an argument. Output: its type, if the standard library of Java gives it away;
//! else what it calls or names ([`NamedResult`]), for those who know the declarations.

use super::call_parts;
use super::type_names::{NUMBERS, boxed};

/// What an argument is, as a whole. The call of a method on an object is nothing of these: a method
/// of a library may have the name, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedResult<'t> {
    /// The call of a function. `owner` is the type in front of it, and empty without one.
    Call { owner: &'t str, name: &'t str },
    /// A constant of a type: `Color.RED`.
    Constant { owner: &'t str },
}

/// Returns the arguments of a call that are calls or constants themselves, each with its text.
/// `behind` is the text after the name of the call.
pub(crate) fn named_results(behind: &str) -> Vec<(&str, NamedResult<'_>)> {
    let arguments = call_parts(behind).map(|(arguments, _)| arguments).unwrap_or_default();
    arguments.into_iter().filter_map(|text| Some((text, named_result(text)?))).collect()
}

fn named_result(text: &str) -> Option<NamedResult<'_>> {
    if text.starts_with(|c: char| !c.is_alphabetic() && c != '_') || text.starts_with("new ") {
        return None;
    }
    if let Some((object, name)) = called(text) {
        let owner = last_name(object);
        return match object {
            "" | "this" => Some(NamedResult::Call { owner: "", name }),
            _ if owner.starts_with(char::is_uppercase) => Some(NamedResult::Call { owner, name }),
            _ => None,
        };
    }
    let (before, constant) = text.rsplit_once('.')?;
    let owner = last_name(before);
    let is_constant = constant.len() > 1
        && constant.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let is_type = owner.starts_with(char::is_uppercase) && owner.contains(char::is_lowercase);
    (is_constant && is_type).then_some(NamedResult::Constant { owner })
}

/// Returns the last name of a path, and nothing of another expression.
fn last_name(path: &str) -> &str {
    let is_path = path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if is_path { path.rsplit('.').next().unwrap_or_default() } else { "" }
}

/// Returns whether a function of a type from a library returns that type, by its name.
pub(crate) fn is_factory(owner: &str, name: &str) -> bool {
    const NAMES: [&str; 7] = ["from", "getDefault", "getInstance", "newInstance", "now", "of", "valueOf"];
    let is_of = |rest: &str| rest.starts_with(char::is_uppercase);
    NAMES.contains(&name)
        || name.strip_prefix("of").is_some_and(is_of)
        || name.strip_prefix("get").is_some_and(|rest| rest == owner)
}

/// Returns the type of an expression that the standard library of Java gives away: a constant of a
/// number's class, a method that all objects, numbers or strings have, a comparison.
pub(super) fn known_result(text: &str) -> Option<&'static str> {
    const LIMITS: [&str; 6] =
        ["MAX_VALUE", "MIN_VALUE", "NaN", "POSITIVE_INFINITY", "NEGATIVE_INFINITY", "MIN_NORMAL"];
    let number_of = |class: &str| NUMBERS.iter().copied().find(|one| boxed(one) == Some(class));
    if let Some((class, constant)) = text.split_once('.')
        && LIMITS.contains(&constant)
    {
        return number_of(class);
    }
    if text.starts_with('!') && !text.contains([' ', '?']) {
        return Some("boolean");
    }
    let (object, name) = called(text).filter(|(object, _)| !object.is_empty())?;
    let class = object.split('.').next().unwrap_or_default();
    Some(match name {
        "valueOf" if class == "String" => "String",
        "valueOf" => number_of(class).and_then(boxed)?,
        "toString" | "toLowerCase" | "toUpperCase" | "substring" | "trim" | "concat" | "strip" => "String",
        "format" | "join" if class == "String" => "String",
        "intValue" | "hashCode" | "ordinal" | "length" | "size" | "indexOf" | "lastIndexOf" | "parseInt" => {
            "int"
        }
        "longValue" | "parseLong" | "currentTimeMillis" | "nanoTime" => "long",
        "doubleValue" | "parseDouble" => "double",
        "floatValue" | "parseFloat" => "float",
        "shortValue" => "short",
        "byteValue" => "byte",
        "charAt" | "charValue" => "char",
        "booleanValue" | "equals" | "equalsIgnoreCase" | "isEmpty" | "startsWith" | "endsWith" => "boolean",
        "toCharArray" => "char[]",
        "getBytes" => "byte[]",
        "getClass" => "Class",
        _ => return None,
    })
}

/// Returns the object and the name of the call that a text is as a whole: `a.b(1)` and `c` of
/// `a.b(1).c()`. The object of `c()` is empty.
fn called(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_suffix(')')?;
    let mut depth = 1usize;
    let open = inside.char_indices().rev().find_map(|(at, c)| {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let path = inside.get(..open)?;
    let (object, name) = path.rsplit_once('.').unwrap_or(("", path));
    // An operator before the object makes it something else.
    let is_plain = !object.contains(['+', '-', '?', '=', '&', '|', '<', '*', '%', '!']);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_plain && is_name).then_some((object, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_calls_or_constants() {
        let call = |owner, name| Some(NamedResult::Call { owner, name });
        for (text, expected) in [
            ("a2q(\"{'a': 1}\")", call("", "a2q")),
            ("this.open()", call("", "open")),
            ("shop.cart().open(1, (2))", None),
            ("map.get(1)", None),
            ("Duration.ofMillis(7)", call("Duration", "ofMillis")),
            ("java.time.Duration.ofMillis(7)", call("Duration", "ofMillis")),
            ("f(1) + g(2)", None),
            ("a + g(2)", None),
            ("new Cart()", None),
            ("(Cart) f()", None),
            ("Color.RED", Some(NamedResult::Constant { owner: "Color" })),
            ("Shop.Color.RED", Some(NamedResult::Constant { owner: "Color" })),
            ("Color.red", None),
            ("MAX.X", None),
            ("cart", None),
        ] {
            assert_eq!(named_result(text), expected, "{text}");
        }
        let found: Vec<&str> = named_results("(a(1), 2, Bee.CC)").into_iter().map(|(text, _)| text).collect();
        assert_eq!(found, ["a(1)", "Bee.CC"]);
    }

    #[test]
    fn factories_are_known_by_their_names() {
        assert!(is_factory("Duration", "ofMillis") && is_factory("TimeZone", "getTimeZone"));
        assert!(!is_factory("Optional", "offer") && !is_factory("Shop", "open"));
    }
}
