//! Parameters as they are written → their types, for the comparison with arguments; signatures →
//! the types of their results.
//!
//! Types are called as in Java, whatever the language. A type of which a literal says nothing is
//! empty.

use super::brackets::generic;
use super::type_names::{is_primitive, simple, without_arguments};

/// Returns the type of a parameter: without modifiers, name and type arguments. It is `T` for one
/// of the type parameters `generic`, and empty if nothing can be said about what it takes.
pub(in crate::search::graph) fn parameter_type(written: &str, language: &str, generic: &[&str]) -> String {
    let (ty, is_open) = match language {
        "kotlin" => kotlin_type(written),
        _ => written_type(written),
    };
    let element = ty.trim_end_matches("[]");
    let n_dimensions = (ty.len() - element.len()) / 2;
    // The arguments that a nullable type takes are known for objects alone.
    let plain = element.trim_end_matches('?');
    let is_unknown = plain != element && is_primitive(plain)
        || language != "java" && UNKNOWN_NUMBERS.contains(&plain)
        || language == "kotlin" && !is_known(plain);
    let element = match plain {
        one if generic.contains(&one) => "T",
        _ if is_unknown => return String::new(),
        one => one,
    };
    format!("{element}{}{}", "[]".repeat(n_dimensions), if is_open { "..." } else { "" })
}

/// Numbers of C# that Java does not have. A constant of another type may be one of them.
const UNKNOWN_NUMBERS: [&str; 7] = ["decimal", "nint", "nuint", "sbyte", "uint", "ulong", "ushort"];

/// Returns whether literals tell something about a type of Kotlin. Any other name may be an alias.
fn is_known(ty: &str) -> bool {
    is_primitive(ty) || matches!(ty, "String" | "CharSequence" | "Object" | "Number" | "Comparable")
}

/// Returns the type in front of the name of a parameter, and whether the parameter takes any number
/// of arguments.
fn written_type(written: &str) -> (String, bool) {
    let plain = without_arguments(written);
    let words: Vec<&str> = plain
        .split_whitespace()
        .filter(|word| !word.starts_with('@') && !matches!(*word, "final" | "ref" | "out" | "in" | "params"))
        .collect();
    let words: Vec<&str> = words.split(|word| *word == "=").next().unwrap_or_default().to_vec();
    let (name, ty) = words.split_last().unwrap_or((&"", &[]));
    let dimensions = name.matches("[]").count();
    let ty = ty.join("");
    let is_list = written.starts_with("params ");
    let is_open = ty.ends_with("...") || name.starts_with("...") || is_list;
    let ty = ty.trim_end_matches("...");
    let ty = if is_list { ty.strip_suffix("[]").unwrap_or(ty) } else { ty };
    (format!("{}{}", simple(ty), "[]".repeat(dimensions)), is_open)
}

/// As [`written_type`], for Kotlin: the type behind the name. Types are called as in Java.
fn kotlin_type(written: &str) -> (String, bool) {
    let head = written.split('=').next().unwrap_or_default();
    let (name, ty) = head.split_once(':').unwrap_or((head, ""));
    let is_open = name.split_whitespace().any(|word| word == "vararg");
    let plain = without_arguments(ty);
    let ty = plain.trim();
    let is_nullable = ty.ends_with('?');
    let ty = match ty.trim_end_matches('?') {
        "Any" => "Object",
        "Boolean" => "boolean",
        "Byte" => "byte",
        "Char" => "char",
        "Double" => "double",
        "Float" => "float",
        "Int" => "int",
        "Long" => "long",
        "Short" => "short",
        other => other,
    };
    (format!("{}{}", simple(ty), if is_nullable { "?" } else { "" }), is_open)
}

/// Returns the names of the type parameters in the signature of a function, which stand behind its
/// name, or in front of it in brackets of their own.
pub(in crate::search::graph) fn type_parameters<'t>(signature: &'t str, name: &str) -> Vec<&'t str> {
    let behind = signature.match_indices(name).find_map(|(at, name)| {
        signature.get(at + name.len()..).filter(|behind| behind.starts_with(['<', '(']))
    });
    let own = behind.filter(|behind| behind.starts_with('<'));
    let before = || {
        let end = signature.find('(').unwrap_or(signature.len());
        let before = signature.get(..end).unwrap_or_default();
        let first = before.match_indices('<').find(|(at, _)| {
            before.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
        });
        first.and_then(|(at, _)| before.get(at..))
    };
    let Some(list) = own.or_else(before) else { return Vec::new() };
    let Some(inside) = generic(list).and_then(|end| list.get(1..end - 1)) else { return Vec::new() };
    let (mut depth, mut names, mut start) = (0usize, Vec::new(), 0);
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                let one = inside.get(start..at).unwrap_or_default().split(':').next().unwrap_or_default();
                let mut words = one.split_whitespace();
                let is_modifier = |word: &&str| matches!(*word, "in" | "out" | "reified");
                names.extend(words.by_ref().find(|word| !is_modifier(word)));
                start = at + 1;
            }
            _ => {}
        }
    }
    names
}

/// Returns the result type of a function by its signature; `None` if there is none, or if it
/// depends on a type parameter.
pub(crate) fn result_type(signature: &str, name: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let at = signature.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = signature.get(..*at).unwrap_or_default();
        let behind = signature.get(at + name.len()..).unwrap_or_default().trim_start();
        !before.ends_with(is_word) && behind.starts_with(['(', '<'])
    })?;
    let generic = type_parameters(signature, name);
    let before = without_arguments(signature.get(..at)?);
    let written = before.split_whitespace().next_back()?;
    let element = written.trim_end_matches("[]");
    let is_name = element.chars().all(|c| is_word(c) || c == '.') && element.starts_with(char::is_alphabetic);
    let is_parameter = element.len() <= 2 && element.chars().all(|c| !c.is_lowercase());
    let is_known = is_name && !is_parameter && !generic.contains(&element) && !NO_TYPES.contains(&element);
    is_known.then(|| simple(written))
}

/// Words in front of a function's name that are not types.
const NO_TYPES: [&str; 12] = [
    "abstract",
    "default",
    "dynamic",
    "final",
    "internal",
    "new",
    "override",
    "private",
    "protected",
    "public",
    "static",
    "void",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_the_types_of_java() {
        for (language, written, expected) in [
            ("java", "final List<String> a", "List"),
            ("java", "int a[]", "int[]"),
            ("java", "int... a", "int..."),
            ("c-sharp", "string a", "String"),
            ("c-sharp", "int a = 2", "int"),
            ("c-sharp", "string? a", "String"),
            ("c-sharp", "int? a", ""),
            ("c-sharp", "uint a", ""),
            ("c-sharp", "params object[] a", "Object..."),
            ("c-sharp", "TKey a", "T"),
            ("c-sharp", "TKey[] a", "T[]"),
            ("kotlin", "a: Int", "int"),
            ("kotlin", "vararg a: String", "String..."),
            ("kotlin", "val a: String? = null", "String"),
            ("kotlin", "a: Int?", ""),
            ("kotlin", "a: Name", ""),
            ("kotlin", "a: TKey", "T"),
        ] {
            assert_eq!(parameter_type(written, language, &["TKey"]), expected, "{language} {written}");
        }
    }

    #[test]
    fn type_parameters_stand_beside_the_name() {
        for (signature, expected) in [
            ("public T Run<T>(T a)", vec!["T"]),
            ("void Run<in A, B>(List<A> a)", vec!["A", "B"]),
            ("public <T extends List<A>, U> Map<T, U> Run(T a)", vec!["T", "U"]),
            ("fun <reified T : Any> Run(a: T)", vec!["T"]),
            ("Map<A, B> Run(int a)", vec![]),
            ("void Run(int a)", vec![]),
        ] {
            assert_eq!(type_parameters(signature, "Run"), expected, "{signature}");
        }
    }

    #[test]
    fn a_signature_tells_the_result() {
        for (signature, name, expected) in [
            ("public static String a2q(String json)", "a2q", Some("String")),
            ("@Nullable Map<String, List<T>> open()", "open", Some("Map")),
            ("byte[] read(int n)", "read", Some("byte[]")),
            ("java.io.File open(File open)", "open", Some("File")),
            ("public <T> T open(Class<T> of)", "open", None),
            ("T open()", "open", None),
            ("public Cart(int n)", "Cart", None),
            ("void open()", "open", None),
            ("int reopen(), open()", "open", None),
        ] {
            assert_eq!(result_type(signature, name).as_deref(), expected, "{signature}");
        }
    }
}
