//! Overload resolution by types: how well the arguments of a call fit a signature's parameters.
//!
//! Input: the text of parameters and of arguments, the text before the call in its declaration, and
//! that of the file. Only what is written counts: literals, casts, new objects, variables and
//! fields with a declared type, and methods whose results are known ([`called`](super::called)).
//! Nothing else is inferred, so that many fits stay [`TypeFit::Maybe`]. Types of a class hierarchy
//! are never distinguished. Source: sections 15.12.2 and 5.3 of the Java Language Specification.

use std::collections::HashMap;

use super::brackets::quoted;
use super::called::known_result;
use super::lambdas::{Arities, arity, n_parameters};
use super::type_names::{NUMBERS, boxed, is_primitive, simple, without_arguments};
use crate::base::text::tail;

/// Longest text before a call that is searched for a variable, in bytes.
const MAX_BEFORE: usize = 20_000;
/// Choices within each other that are followed.
const MAX_CHOICES: usize = 4;
/// Most places of a name that are searched for the declaration of a field.
const MAX_PLACES: usize = 500;
/// Words that stand in front of a name and are not types.
const KEYWORDS: [&str; 10] =
    ["return", "new", "throw", "else", "case", "instanceof", "in", "var", "yield", "await"];

/// How well an argument fits a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search::graph) enum TypeFit {
    /// The argument has a type that the parameter does not take.
    No,
    Maybe,
    /// The parameter takes it after a conversion of this cost. A cheaper one is preferred, and 0 is
    /// the parameter's own type.
    Cost(u16),
}

/// Cost of a supertype that is known.
const SUPERTYPE: u16 = 2;
/// Cost of a parameter that takes any object.
const ANY: u16 = 9;
/// Cost of the conversion between a number and its object.
const BOXED: u16 = 20;
/// Cost of a parameter that takes any number of arguments.
const OPEN: u16 = 100;

/// The types of arguments that declarations elsewhere tell, by the text of the argument.
pub(crate) type KnownTypes<'t> = HashMap<&'t str, String>;

/// The text around a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CallText<'t> {
    /// The text of the declaration around the call, up to the call.
    pub(crate) before: &'t str,
    /// The text of the file.
    pub(crate) file: &'t str,
    /// The types of the call's arguments that other declarations tell.
    pub(crate) known: Option<&'t KnownTypes<'t>>,
    /// The numbers of parameters of functions that have the types of parameters.
    pub(crate) arities: Option<&'t Arities>,
}

/// The type of an argument, as far as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Argument {
    Unknown,
    Null,
    /// A function, with the number of its parameters if it is written.
    Lambda(Option<usize>),
    Type(String),
}

/// Returns how well each argument fits its parameter; `None` if one does not, or if there are too
/// many.
pub(in crate::search::graph) fn fit(
    parameters: &[String],
    arguments: &[&str],
    around: CallText<'_>,
) -> Option<Vec<TypeFit>> {
    let around = CallText { before: tail(around.before, MAX_BEFORE), ..around };
    let mut fits_of = Vec::new();
    for (at, written) in arguments.iter().enumerate() {
        let argument = argument_type(written, around, 0);
        let parameter = parameters.get(at).or(parameters.last())?;
        if let Argument::Lambda(Some(n)) = argument
            && arity(parameter.trim_end_matches("..."), around.arities).is_some_and(|takes| takes != n)
        {
            return None;
        }
        let one = match parameter.strip_suffix("...") {
            None => fits(&argument, parameter),
            Some(element) => {
                let is_whole = arguments.len() == parameters.len();
                let whole = if is_whole { fits(&argument, &format!("{element}[]")) } else { TypeFit::No };
                match (whole, fits(&argument, element)) {
                    (TypeFit::No, TypeFit::Cost(cost)) => TypeFit::Cost(cost + OPEN),
                    (TypeFit::No, one) | (one, TypeFit::No) => one,
                    (whole @ TypeFit::Cost(_), _) if argument.is_array() => whole,
                    _ => TypeFit::Maybe,
                }
            }
        };
        if one == TypeFit::No {
            return None;
        }
        fits_of.push(one);
    }
    Some(fits_of)
}

impl Argument {
    fn is_array(&self) -> bool {
        matches!(self, Self::Type(ty) if ty.ends_with("[]"))
    }
}

fn fits(argument: &Argument, parameter: &str) -> TypeFit {
    if parameter.is_empty() {
        return TypeFit::Maybe;
    }
    let is_array = parameter.ends_with("[]");
    let is_any = matches!(parameter, "Object" | "object" | "Serializable" | "Comparable" | "dynamic")
        || parameter.len() <= 2 && parameter.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    let not_if = |is_no: bool| if is_no { TypeFit::No } else { TypeFit::Maybe };
    let cost_if = |is_yes: bool, cost: u16| if is_yes { TypeFit::Cost(cost) } else { TypeFit::No };
    let ty = match argument {
        Argument::Unknown => return TypeFit::Maybe,
        Argument::Null => return not_if(is_primitive(parameter)),
        Argument::Lambda(_) => {
            return not_if(is_primitive(parameter) || is_array || matches!(parameter, "String" | "string"));
        }
        Argument::Type(ty) => ty.as_str(),
    };
    if ty == parameter {
        return TypeFit::Cost(0);
    }
    let of = NUMBERS.iter().position(|one| *one == ty);
    let to = NUMBERS.iter().position(|one| *one == parameter);
    if is_any {
        return TypeFit::Cost(if of.is_some() || ty == "boolean" { ANY + BOXED } else { ANY });
    }
    match (of, to) {
        // A constant may also be narrowed, but not in a call.
        (Some(from), Some(to)) => {
            let steps = u16::try_from(to.saturating_sub(from)).unwrap_or(ANY);
            return cost_if(to > from && parameter != "char", steps);
        }
        (Some(_), None) if parameter == "Number" => return cost_if(ty != "char", SUPERTYPE + BOXED),
        (Some(_), None) => return cost_if(boxed(ty) == Some(parameter), BOXED),
        (None, _) => {}
    }
    if let Some(element) = ty.strip_suffix("[]") {
        let Some(of) = parameter.strip_suffix("[]") else { return TypeFit::No };
        // An array of numbers is not an array of objects.
        return if is_primitive(element) || is_primitive(of) {
            TypeFit::No
        } else {
            fits(&object(element), of)
        };
    }
    if let Some(number) = NUMBERS.iter().find(|one| boxed(one) == Some(ty)) {
        return match fits(&object(number), parameter) {
            _ if parameter == "Number" && ty != "Character" => TypeFit::Cost(SUPERTYPE),
            TypeFit::Cost(cost) if is_primitive(parameter) => TypeFit::Cost(cost + BOXED),
            _ => TypeFit::No,
        };
    }
    match ty {
        "boolean" | "bool" => cost_if(parameter == "Boolean", BOXED),
        "Boolean" => cost_if(matches!(parameter, "boolean" | "bool"), BOXED),
        "String" | "string" if parameter == "CharSequence" => TypeFit::Cost(SUPERTYPE),
        "String" | "string" => not_if(!parameter.is_empty()),
        "Class" if parameter == "Type" => TypeFit::Cost(SUPERTYPE),
        "Class" => TypeFit::No,
        _ => {
            not_if(is_array || is_primitive(parameter) || matches!(parameter, "String" | "string" | "Class"))
        }
    }
}

fn object(name: &str) -> Argument {
    Argument::Type(name.to_owned())
}

/// Returns the type of an argument. `depth` counts the choices (`a ? b : c`) around it.
fn argument_type(written: &str, around: CallText<'_>, depth: usize) -> Argument {
    let text = written.trim();
    if let Some((one, other)) = choice(text).filter(|_| depth < MAX_CHOICES) {
        let one = argument_type(one, around, depth + 1);
        return match (one, argument_type(other, around, depth + 1)) {
            (Argument::Null, known) | (known, Argument::Null) => known,
            (known, other) if known == other => known,
            _ => Argument::Unknown,
        };
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let ty = object;
    // A cast decides about what it stands before.
    if let Some(known) = known_result(text).filter(|_| !text.starts_with('(')) {
        return ty(known);
    }
    match text {
        "null" => return Argument::Null,
        "true" | "false" => return ty("boolean"),
        _ => {}
    }
    let text = text.strip_prefix('@').filter(|text| text.starts_with('"')).unwrap_or(text);
    if text.starts_with('"') {
        // A string, or one that something is added to; not the result of a method of one.
        let behind = quoted(text).and_then(|end| text.get(end..)).unwrap_or("?").trim_start();
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
        let is_arrow = text.contains("->");
        let n = if is_arrow { Some(n_parameters(head)) } else { None };
        return if is_head || !is_arrow { Argument::Lambda(n) } else { Argument::Unknown };
    }
    let number = text.trim_start_matches('-');
    if number.starts_with(|c: char| c.is_ascii_digit()) && number.chars().all(|c| is_word(c) || c == '.') {
        let lower = number.to_ascii_lowercase();
        let is_hex = lower.starts_with("0x");
        return ty(match lower.chars().last() {
            Some('l') => "long",
            Some('m') => "decimal",
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
        // A class without a name inherits from the one that is named.
        let is_whole = behind.starts_with('(') && (closes_at_end(behind) || behind.ends_with('}'));
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
    let known = declared(text, around).or_else(|| around.known?.get(text).cloned());
    known.map_or(Argument::Unknown, Argument::Type)
}

/// Returns the type with which a variable or a field is declared, or the array that the text names
/// an element of.
fn declared(text: &str, around: CallText<'_>) -> Option<String> {
    let name = text.strip_prefix("this.").unwrap_or(text);
    let (name, n_elements) = match name.split_once('[') {
        Some((name, index)) if index.ends_with(']') && !index.contains("].") => {
            (name, index.matches('[').count() + 1)
        }
        _ => (name, 0),
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    if name.is_empty() || !name.chars().all(is_word) {
        return None;
    }
    let local = if text.starts_with("this.") { None } else { declared_before(name, around.before) };
    let mut found = local.or_else(|| field(name, around.file))?;
    for _ in 0..n_elements {
        let n = found.strip_suffix("[]")?.len();
        found.truncate(n);
    }
    Some(found)
}

/// Returns the two values of `a ? b : c`, if the text is such a choice as a whole.
fn choice(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut question, mut quote) = (0usize, None, None);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), c) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') if text.get(..at).is_some_and(|before| before.ends_with('-')) => return None,
            (None, '(' | '[' | '{' | '<') => depth += 1,
            (None, ')' | ']' | '}' | '>') => depth = depth.saturating_sub(1),
            (None, '?') if depth == 0 && question.is_none() => question = Some(at),
            (None, ':') if depth == 0 && question.is_some() => {
                let one = text.get(question? + 1..at)?;
                return Some((one, text.get(at + 1..)?));
            }
            _ => {}
        }
    }
    None
}

/// Returns the type of a field: the one with which all lines of a file that begin with a modifier
/// declare the name.
fn field(name: &str, file: &str) -> Option<String> {
    const MODIFIERS: [&str; 6] = ["private", "protected", "public", "static", "internal", "readonly"];
    let mut found: Option<String> = None;
    for (at, _) in file.match_indices(name).take(MAX_PLACES) {
        let start = file.get(..at)?.rfind('\n').map_or(0, |at| at + 1);
        let line = file.get(start..at)?;
        let first = line.split_whitespace().next().unwrap_or_default();
        if !MODIFIERS.contains(&first) || line.contains(['(', '=', '{']) {
            continue;
        }
        let end =
            file.get(at + name.len()..)?.find(['\n', '(']).map_or(file.len(), |n| at + name.len() + n + 1);
        let Some(ty) = declared_before(name, file.get(start..end.min(file.len()))?) else { continue };
        if found.as_ref().is_some_and(|known| *known != ty) {
            return None;
        }
        found = Some(ty);
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::graph::overload::parameter_types::parameter_type;

    #[test]
    fn types_of_arguments_are_read_where_they_are_written() {
        let before = "void f(final int[] array, List<String> names) {\n  long n = 1;\n  String s = null;\n  g(char... more)\n  throw given;\n  x = y in kept; ";
        let file = "class A {\n  private static final short[] SIZES = {1};\n  protected Map<String, int[]> map;\n  public int n;\n  private int twice;\n  public long twice;\n}";
        let around = CallText { before, file, known: None, arities: None };
        for (argument, expected) in [
            ("\"a\"", Some("String")),
            ("\"a\".length()", Some("int")),
            ("\"\\\"a\\\" b\"", Some("String")),
            ("\"\"\"\n a\"\"\"", Some("String")),
            ("'a'", Some("char")),
            ("1", Some("int")),
            ("-1L", Some("long")),
            ("0xFF", Some("int")),
            ("1.5f", Some("float")),
            ("true", Some("boolean")),
            ("array", Some("int[]")),
            ("array[i + 1]", Some("int")),
            ("s[0]", None),
            ("names", Some("List")),
            ("n", Some("long")),
            ("this.n", Some("int")),
            ("s", Some("String")),
            ("other", None),
            ("given", None),
            ("kept", None),
            ("more", Some("char[]")),
            ("SIZES", Some("short[]")),
            ("map", Some("Map")),
            ("twice", None),
            ("\"a\" + n", Some("String")),
            ("n + \"a\"", Some("String")),
            ("new int[] {1}", Some("int[]")),
            ("new int[3]", Some("int[]")),
            ("new a.Cart(1)", Some("Cart")),
            ("new Cart(1).size()", Some("int")),
            ("new Cart<Item>() { int size() { return 1; } }", Some("Cart")),
            ("(Object) s", Some("Object")),
            ("(a) + b", None),
            ("Cart.class", Some("Class")),
            ("f(1)", None),
            ("Double.NaN", Some("double")),
            ("Cart.MAX_VALUE", None),
            ("x.a(1, (2)).intValue()", Some("int")),
            ("n + x.intValue()", None),
            ("String.valueOf(n)", Some("String")),
            ("Long.valueOf(1)", Some("Long")),
            ("!isFull", Some("boolean")),
            ("s == null ? null : s.toString()", Some("String")),
            ("s == null ? 1 : s.toString()", None),
            ("f(a ? b : c)", None),
        ] {
            let expected = expected.map_or(Argument::Unknown, |one| Argument::Type(one.to_owned()));
            assert_eq!(argument_type(argument, around, 0), expected, "{argument}");
        }
        let nothing = CallText { before: "", file: "", known: None, arities: None };
        for (lambda, n) in [
            ("x -> x.a()", Some(1)),
            ("Cart::size", None),
            ("x -> x ? 1 : 2", Some(1)),
            ("() -> 1", Some(0)),
            ("(a, b) -> { return a; }", Some(2)),
        ] {
            assert_eq!(argument_type(lambda, nothing, 0), Argument::Lambda(n), "{lambda}");
        }
    }

    #[test]
    fn arguments_fit_by_type() {
        let around = CallText {
            before: "void f(int[] array, String[] names, Integer box) { ",
            file: "",
            known: None,
            arities: None,
        };
        let cost = TypeFit::Cost;
        for (parameters, arguments, expected) in [
            (&["final int[] a", "int b"][..], &["array", "1"][..], Some(vec![cost(0), cost(0)])),
            (&["final long[] a", "long b"], &["array", "1"], None),
            (&["Object[] a", "Object b"], &["array", "1"], None),
            (&["Object[] a"], &["names"], Some(vec![cost(ANY)])),
            (&["Object a", "long b"], &["array", "1"], Some(vec![cost(ANY), cost(1)])),
            (&["String a"], &["1"], None),
            (&["int a"], &["null"], None),
            (&["CharSequence a"], &["\"a\""], Some(vec![cost(SUPERTYPE)])),
            (&["char a"], &["1"], None),
            (&["int a"], &["'a'"], Some(vec![cost(1)])),
            (&["Character a"], &["1"], None),
            (&["Integer a"], &["1"], Some(vec![cost(BOXED)])),
            (&["int a"], &["box"], Some(vec![cost(BOXED)])),
            (&["Number a"], &["1"], Some(vec![cost(SUPERTYPE + BOXED)])),
            (&["Number a"], &["box"], Some(vec![cost(SUPERTYPE)])),
            (&["String a"], &["box"], None),
            (&["Supplier<T> a"], &["() -> 1"], Some(vec![TypeFit::Maybe])),
            (&["Supplier<T> a"], &["x -> 1"], None),
            (&["BiFunction<T, U, R> a"], &["x -> 1"], None),
            (&["Task a"], &["x -> 1"], Some(vec![TypeFit::Maybe])),
            (&["T a"], &["1"], Some(vec![cost(ANY + BOXED)])),
            (&["Map<String, List<T>> a"], &["g()"], Some(vec![TypeFit::Maybe])),
            (&["String... a"], &["1"], None),
            (&["String... a"], &["\"a\"", "\"b\""], Some(vec![cost(OPEN), cost(OPEN)])),
            (&["String... a"], &["names"], Some(vec![cost(0)])),
            (&["int... a"], &["array"], Some(vec![cost(0)])),
            (&["T... a"], &["array"], Some(vec![cost(ANY + OPEN)])),
            (&[], &[], Some(vec![])),
        ] {
            let parameters: Vec<String> =
                parameters.iter().map(|one| parameter_type(one, "java", &[])).collect();
            assert_eq!(fit(&parameters, arguments, around), expected, "{parameters:?} {arguments:?}");
        }
    }
}
