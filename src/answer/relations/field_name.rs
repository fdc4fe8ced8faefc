//! A name in a text → whether it stands there as the name of a field, which refers to nothing.
//!
//! Owns the rules by language. A chunk with several declarations records a reference to a name
//! once, without a place. So the places are looked for in the text, where a field may have the same
//! name.

use crate::base::text::words;
use crate::index::chunk::DeclarationKind as Kind;
use crate::search::segment::{DeclarationView, FileView};

/// Languages that write the type of a field before its name.
const TYPE_FIRST: [&str; 7] = ["c", "cpp", "c-sharp", "dart", "java", "objective-c", "razor"];

/// Returns whether the name at a byte is the name of a field: where the field is declared, or in
/// front of its value. `around` is the declaration around the byte.
pub(super) fn is_field_name(
    file: &FileView<'_>,
    around: Option<&DeclarationView<'_>>,
    text: &str,
    byte: u32,
    name: &str,
) -> bool {
    let at = byte as usize;
    let is_in_type = around.is_some_and(|one| {
        matches!(one.row.kind, Kind::Struct | Kind::Union | Kind::Class) && one.row.body.contains(byte)
    });
    match file.language() {
        "c" | "cpp" | "c-sharp" | "java" | "razor" if is_in_type => is_declared_in_c(text, at, name),
        "go" if is_in_type => is_declared_in_go(text, at, name),
        "javascript" | "typescript" | "rust" if is_key(text, at, name) => true,
        _ => is_declared(file, text, byte, name),
    }
}

/// Returns whether the name is that of a field which the index has as a declaration.
fn is_declared(file: &FileView<'_>, text: &str, byte: u32, name: &str) -> bool {
    let is_last = TYPE_FIRST.contains(&file.language());
    file.declarations().filter(|one| one.row.kind == Kind::Field && one.name() == name).any(|one| {
        let span = one.row.span.bytes;
        if !span.contains(byte) {
            return false;
        }
        let signature = one.row.signature;
        let head = signature.of(text).split('=').next().unwrap_or_default();
        let place = if is_last { words(head, name).last() } else { words(head, name).next() };
        place.is_some_and(|place| signature.start as usize + place == byte as usize)
    })
}

/// Returns whether a name in a structure of C, or in a class of a language like it, ends a
/// declarator: `int *name;`, `int a, name[3];`, `int (*name)(void);`.
fn is_declared_in_c(text: &str, at: usize, name: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or_default().trim_start();
    let is_other = |word: &str| statement.split_whitespace().next() == Some(word);
    if statement.is_empty() || ["friend", "using", "return"].into_iter().any(is_other) {
        return false;
    }
    let is_pointer = statement.ends_with("(*") && after.starts_with(')');
    let is_word = |c: char| c.is_alphanumeric() || "_*&,>]".contains(c);
    let mut declarators = statement.split(',');
    let first = declarators.next().unwrap_or_default();
    // A list of values has no type, and a value stands behind an equals sign.
    let is_value = declarators.next_back().unwrap_or(first).contains('=')
        || statement.contains(',') && first.split_whitespace().nth(1).is_none();
    // `struct name;` declares no field.
    let is_tag = ["struct", "union", "enum", "class"].contains(&statement);
    let is_end = after.starts_with([';', ',', '[', ':', '=']) && !after.starts_with("::");
    is_pointer || !is_tag && !is_value && is_end && statement.ends_with(is_word) && !is_open(statement)
}

/// Returns whether a text opens a parenthesis, a bracket or type arguments that it does not close.
fn is_open(text: &str) -> bool {
    let n = |c: char| text.matches(c).count();
    n('(') > n(')') || n('[') > n(']') || n('<') > n('>')
}

/// Returns whether a name in a structure of Go begins a line of fields: `name int`, `a, name int`.
/// A name alone is the type of an embedded field.
fn is_declared_in_go(text: &str, at: usize, name: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().rsplit(['\n', '{', ';']).next().unwrap_or_default();
    let after = text.get(at + name.len()..).unwrap_or_default();
    let is_list = |c: char| c.is_alphanumeric() || c == '_' || c == ',' || c.is_whitespace();
    let is_first =
        before.trim().is_empty() || before.trim_end().ends_with(',') && before.chars().all(is_list);
    let rest = after.trim_start_matches([' ', '\t']);
    is_first
        && after.starts_with([' ', '\t', ','])
        && !rest.starts_with(['\n', '\r', '`', '"', '/', '}', ';'])
}

/// Returns whether a name is a key in braces, as `{ name: value }`, or a parameter with its type.
fn is_key(text: &str, at: usize, name: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
    before.ends_with(['{', ',', '(']) && after.starts_with(':') && !after.starts_with("::")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the rule holds at each place of `end` in a text.
    fn each(rule: fn(&str, usize, &str) -> bool, text: &str) -> Vec<bool> {
        words(text, "end").map(|at| rule(text, at, "end")).collect()
    }

    #[test]
    fn fields_of_c_end_a_declarator() {
        for (text, expected) in [
            ("struct a {\n\tint end;\n};", vec![true]),
            ("struct a {\n\tconst char *end, **next;\n};", vec![true]),
            ("struct a {\n\tint begin, end[3];\n};", vec![true]),
            ("struct a {\n\tint (*end)(int);\n};", vec![true]),
            ("struct a {\n\tunsigned end : 3;\n};", vec![true]),
            ("struct a {\n\tend begin;\n};", vec![false]),
            ("struct a {\n\tend end;\n};", vec![false, true]),
            ("struct a {\n\tstruct end *next;\n};", vec![false]),
            ("struct a {\n\tint begin[end];\n};", vec![false]),
            ("struct a {\n\tint begin : end;\n};", vec![false]),
            ("class a {\n  int begin = end;\n};", vec![false]),
            ("class a {\n  int begin = 2 * end;\n};", vec![false]),
            ("class a {\n  int all[] = {begin, end, 3};\n};", vec![false]),
            ("class a {\n  int begin = 2, end = 3;\n};", vec![true]),
            ("class a {\n  private final Map<A, B> end;\n}", vec![true]),
            ("class a {\n  friend class end;\n};", vec![false]),
            ("class a {\n  struct end;\n};", vec![false]),
            ("class a {\n  map<int, end> all;\n};", vec![false]),
            ("class a {\n  int f(int a, int b = end);\n};", vec![false]),
        ] {
            assert_eq!(each(is_declared_in_c, text), expected, "{text}");
        }
    }

    #[test]
    fn fields_of_go_begin_a_line() {
        for (text, expected) in [
            ("struct {\n\tend int\n}", vec![true]),
            ("struct {\n\tbegin, end int\n}", vec![true]),
            ("struct{ end int; begin int }", vec![true]),
            ("struct {\n\tend\n}", vec![false]),
            ("struct {\n\tend `json:\"a\"`\n}", vec![false]),
            ("struct {\n\tbegin end\n}", vec![false]),
            ("struct {\n\tend end\n}", vec![true, false]),
            ("struct {\n\tbegin *end\n}", vec![false]),
            ("struct {\n\tbegin [end]int\n}", vec![false]),
        ] {
            assert_eq!(each(is_declared_in_go, text), expected, "{text}");
        }
    }

    #[test]
    fn keys_have_a_value_behind_them() {
        for (text, expected) in [
            ("f({ end: 3 })", vec![true]),
            ("Link { begin, end: end }", vec![true, false]),
            ("function f(begin, end: number) {}", vec![true]),
            ("a ? end : b", vec![false]),
            ("f(end::new())", vec![false]),
            ("{ end }", vec![false]),
        ] {
            assert_eq!(each(is_key, text), expected, "{text}");
        }
    }
}
