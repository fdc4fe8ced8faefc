//! Overload resolution by types: whether the arguments of a call fit the parameters of a signature.
//!
//! Input: the text of parameters and of arguments, and the text before the call in its declaration.
//! Only what is written counts: literals, casts, new objects, and variables that are declared
//! before the call. Nothing is inferred, so that most pairs stay [`TypeFit::Maybe`]. Types of a
//! class hierarchy are never distinguished. Source: section 15.12.2 of the Java Language
//! Specification.

use super::last_segment;
use crate::base::text::tail;

/// Longest text before a call that is searched for a variable, in bytes.
const MAX_BEFORE: usize = 20_000;
/// Primitive types, each of which widens to those behind it (but `char` not to `short`).
const NUMBERS: [&str; 7] = ["byte", "short", "char", "int", "long", "float", "double"];
/// Words that stand in front of a name and are not types.
const KEYWORDS: [&str; 10] =
    ["return", "new", "throw", "else", "case", "instanceof", "in", "var", "yield", "await"];

/// How well arguments fit parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TypeFit {
    /// An argument has a type that its parameter does not take.
    No,
    Maybe,
    /// Each argument has the type of its parameter.
    Exact,
}

/// The type of an argument, as far as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Argument {
    Unknown,
    Null,
    /// A function.
    Lambda,
    Type(String),
}

/// Returns how well arguments fit parameters. `before` is the text of the declaration around the
/// call, up to the call.
pub(super) fn fit(parameters: &[String], arguments: &[&str], before: &str) -> TypeFit {
    let before = tail(before, MAX_BEFORE);
    let mut least = TypeFit::Exact;
    for (at, argument) in arguments.iter().enumerate() {
        let parameter = parameters.get(at).or(parameters.last());
        let is_open = parameters
            .iter()
            .skip(at.min(parameters.len().saturating_sub(1)))
            .any(|one| one.ends_with("..."));
        let one = match parameter {
            Some(parameter) if !is_open => fits(&argument_type(argument, before), parameter),
            _ => TypeFit::Maybe,
        };
        least = least.min(one);
    }
    least
}

/// Returns the type of a parameter: without modifiers, name and type arguments.
pub(super) fn parameter_type(written: &str) -> String {
    let plain = without_arguments(written);
    let words: Vec<&str> = plain
        .split_whitespace()
        .filter(|word| !word.starts_with('@') && !matches!(*word, "final" | "ref" | "out" | "in" | "params"))
        .collect();
    let (name, ty) = words.split_last().unwrap_or((&"", &[]));
    let dimensions = name.matches("[]").count();
    let ty = ty.join("");
    let is_open = ty.ends_with("...") || name.starts_with("...") || written.starts_with("params ");
    format!(
        "{}{}{}",
        simple(ty.trim_end_matches("...")),
        "[]".repeat(dimensions),
        if is_open { "..." } else { "" }
    )
}

fn fits(argument: &Argument, parameter: &str) -> TypeFit {
    let is_primitive = NUMBERS.contains(&parameter) || parameter == "boolean" || parameter == "bool";
    let is_array = parameter.ends_with("[]");
    let is_any = matches!(parameter, "Object" | "object" | "Serializable" | "Comparable" | "dynamic")
        || parameter.len() <= 2 && parameter.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let not_if = |is_no: bool| if is_no { TypeFit::No } else { TypeFit::Maybe };
    let ty = match argument {
        Argument::Unknown => return TypeFit::Maybe,
        Argument::Null => return not_if(is_primitive),
        Argument::Lambda => {
            return not_if(is_primitive || is_array || matches!(parameter, "String" | "string"));
        }
        Argument::Type(ty) => ty.as_str(),
    };
    if ty == parameter {
        return TypeFit::Exact;
    }
    if is_any {
        return not_if(false);
    }
    let of = NUMBERS.iter().position(|one| *one == ty);
    match (of, NUMBERS.iter().position(|one| *one == parameter)) {
        // A constant may also be narrowed, but not in a call.
        (Some(from), Some(to)) => return not_if(to < from || parameter == "char"),
        (Some(_), None) => {
            let is_boxed = match ty {
                "int" => parameter == "Integer",
                "char" => parameter == "Character",
                _ => parameter.eq_ignore_ascii_case(ty),
            };
            return not_if(!is_boxed && (parameter != "Number" || ty == "char"));
        }
        (None, _) => {}
    }
    if let Some(element) = ty.strip_suffix("[]") {
        let of = parameter.strip_suffix("[]");
        let is_primitive = |one: &str| NUMBERS.contains(&one) || matches!(one, "boolean" | "bool");
        // An array of numbers is not an array of objects.
        return not_if(is_primitive(element) || of.is_none_or(is_primitive));
    }
    match ty {
        "boolean" | "bool" => not_if(parameter != "Boolean"),
        "String" | "string" => not_if(parameter != "CharSequence" && !parameter.is_empty()),
        "Class" => not_if(parameter != "Type"),
        _ => not_if(is_array || matches!(parameter, "boolean" | "bool") && ty != "Boolean"),
    }
}

/// Returns the type of an argument.
fn argument_type(written: &str, before: &str) -> Argument {
    let text = written.trim();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let ty = |name: &str| Argument::Type(name.to_owned());
    match text {
        "null" => return Argument::Null,
        "true" | "false" => return ty("boolean"),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix('"') {
        // A string, or one that something is added to; not the result of a method of one.
        let behind = rest.find('"').and_then(|end| rest.get(end + 1..)).unwrap_or("?").trim_start();
        let is_whole = behind.is_empty() || behind.starts_with('+');
        return if is_whole { ty("String") } else { Argument::Unknown };
    }
    let first = text.trim_start_matches(|c: char| is_word(c) || c == '.').trim_start();
    if first.len() < text.len()
        && first.strip_prefix('+').is_some_and(|rest| rest.trim_start().starts_with('"'))
    {
        return ty("String");
    }
    if text.starts_with('\'') {
        return if text.ends_with('\'') && text.len() <= 8 { ty("char") } else { Argument::Unknown };
    }
    if text.contains("->") || text.contains("::") && !text.contains('(') {
        let head = text.split("->").next().unwrap_or_default();
        let is_head = head.trim().chars().all(|c| is_word(c) || matches!(c, '(' | ')' | ',' | ' '));
        return if is_head || !text.contains("->") { Argument::Lambda } else { Argument::Unknown };
    }
    let number = text.trim_start_matches('-');
    if number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(|c| is_word(c) || c == '.') {
        let lower = number.to_ascii_lowercase();
        let is_hex = lower.starts_with("0x");
        return ty(match lower.chars().last() {
            Some('l') => "long",
            Some('f') if !is_hex => "float",
            Some('d') if !is_hex => "double",
            _ if lower.contains('.') => "double",
            _ => "int",
        });
    }
    if let Some(rest) = text.strip_prefix("new ") {
        let plain = without_arguments(rest);
        let name: String = plain.chars().take_while(|&c| is_word(c) || c == '.').collect();
        let behind = plain.get(name.len()..).unwrap_or_default().trim_start();
        if behind.starts_with('[') {
            let head = behind.split('{').next().unwrap_or_default();
            let is_whole = behind.ends_with('}') || behind.ends_with(']') && !behind.contains('{');
            return if is_whole {
                Argument::Type(simple(&name) + &"[]".repeat(head.matches('[').count()))
            } else {
                Argument::Unknown
            };
        }
        let is_whole = behind.starts_with('(') && closes_at_end(behind);
        return if is_whole { Argument::Type(simple(&name)) } else { Argument::Unknown };
    }
    if let Some(inside) = text.strip_prefix('(')
        && let Some((cast, rest)) = inside.split_once(')')
    {
        let rest = rest.trim_start();
        let is_type =
            !cast.is_empty() && without_arguments(cast).chars().all(|c| is_word(c) || ".[]".contains(c));
        let is_simple = rest.starts_with(|c: char| is_word(c) || c == '"' || c == '\'')
            && !rest.contains(|c: char| "+-*/%&|<>=?".contains(c));
        return if is_type && is_simple {
            Argument::Type(simple(&without_arguments(cast)))
        } else {
            Argument::Unknown
        };
    }
    if text.strip_suffix(".class").is_some_and(|name| name.chars().all(|c| is_word(c) || ".[]".contains(c))) {
        return ty("Class");
    }
    if !text.is_empty() && text.chars().all(is_word) {
        return declared_before(text, before).map_or(Argument::Unknown, Argument::Type);
    }
    Argument::Unknown
}

/// Returns whether the parenthesis at the start of a text closes at its end.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return text.get(at + 1..).is_some_and(|rest| rest.trim().is_empty()),
            ')' => depth = depth.saturating_sub(1),
            '"' | '\'' => return text.ends_with(')') && !text.contains(")."),
            _ => {}
        }
    }
    false
}

/// Returns the type with which a variable is declared last in a text.
fn declared_before(name: &str, before: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    for (at, _) in before.rmatch_indices(name) {
        let behind = before.get(at + name.len()..)?.trim_start();
        let head = before.get(..at)?;
        if !behind.starts_with(['=', ';', ',', ')', ':', '['])
            || behind.starts_with("==")
            || !head.ends_with(' ')
        {
            continue;
        }
        let head = head.trim_end();
        let (head, is_open) = head.strip_suffix("...").map_or((head, false), |head| (head, true));
        if !head.ends_with(|c: char| is_word(c) || c == ']' || c == '>') {
            continue;
        }
        // The type may have arguments with spaces.
        let mut depth = 0usize;
        let mut start = head.len();
        for (at, c) in head.char_indices().rev() {
            match c {
                '>' => depth += 1,
                '<' if depth > 0 => depth -= 1,
                _ if depth > 0 && c != ';' && c != '{' => {}
                c if is_word(c) || ".[]".contains(c) => {}
                _ => break,
            }
            start = at;
        }
        let ty = without_arguments(head.get(start..)?);
        if ty.is_empty() || KEYWORDS.contains(&ty.as_str()) {
            continue;
        }
        let dimensions = if behind.starts_with("[]") || is_open { "[]" } else { "" };
        return Some(simple(&ty) + dimensions);
    }
    None
}

/// Returns a type without the names in front of it.
fn simple(ty: &str) -> String {
    let n = ty.matches("[]").count();
    format!("{}{}", last_segment(ty.trim_end_matches("[]").trim()), "[]".repeat(n))
}

/// Returns a text without what stands in angle brackets.
fn without_arguments(text: &str) -> String {
    let mut depth = 0usize;
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            c if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_arguments_are_read_where_they_are_written() {
        let before = "void f(final int[] array, List<String> names) {\n  long n = 1;\n  String s = null;\n  g(char... more) ";
        for (argument, expected) in [
            ("\"a\"", Some("String")),
            ("\"a\".length()", None),
            ("'a'", Some("char")),
            ("1", Some("int")),
            ("-1L", Some("long")),
            ("0xFF", Some("int")),
            ("1.5f", Some("float")),
            ("true", Some("boolean")),
            ("array", Some("int[]")),
            ("names", Some("List")),
            ("n", Some("long")),
            ("s", Some("String")),
            ("other", None),
            ("more", Some("char[]")),
            ("\"a\" + n", Some("String")),
            ("n + \"a\"", Some("String")),
            ("new int[] {1}", Some("int[]")),
            ("new int[3]", Some("int[]")),
            ("new a.Cart(1)", Some("Cart")),
            ("new Cart(1).size()", None),
            ("(Object) s", Some("Object")),
            ("(a) + b", None),
            ("Cart.class", Some("Class")),
            ("f(1)", None),
        ] {
            let expected = expected.map_or(Argument::Unknown, |one| Argument::Type(one.to_owned()));
            assert_eq!(argument_type(argument, before), expected, "{argument}");
        }
        assert_eq!(argument_type("x -> x.a()", ""), Argument::Lambda);
        assert_eq!(argument_type("Cart::size", ""), Argument::Lambda);
    }

    #[test]
    fn arguments_choose_by_type() {
        let before = "void f(int[] array) { ";
        for (parameters, arguments, expected) in [
            (&["final int[] a", "int b"][..], &["array", "1"][..], TypeFit::Exact),
            (&["final long[] a", "long b"], &["array", "1"], TypeFit::No),
            (&["Object[] a", "Object b"], &["array", "1"], TypeFit::No),
            (&["Object a", "long b"], &["array", "1"], TypeFit::Maybe),
            (&["String a"], &["1"], TypeFit::No),
            (&["int a"], &["null"], TypeFit::No),
            (&["CharSequence a"], &["\"a\""], TypeFit::Maybe),
            (&["char a"], &["1"], TypeFit::No),
            (&["int a"], &["'a'"], TypeFit::Maybe),
            (&["Character a"], &["1"], TypeFit::No),
            (&["Integer a"], &["1"], TypeFit::Maybe),
            (&["Number a"], &["1"], TypeFit::Maybe),
            (&["T a"], &["1"], TypeFit::Maybe),
            (&["Map<String, List<T>> a"], &["g()"], TypeFit::Maybe),
            (&["String... a"], &["1"], TypeFit::Maybe),
            (&[], &[], TypeFit::Exact),
        ] {
            let parameters: Vec<String> = parameters.iter().map(|one| parameter_type(one)).collect();
            assert_eq!(fit(&parameters, arguments, before), expected, "{parameters:?} {arguments:?}");
        }
    }
}
