//! Names of types in Java and C#: what is primitive, what is boxed, and the name without packages
//! and type arguments.

use crate::search::graph::last_segment;

/// Primitive types, each of which widens to those behind it (but `char` not to `short`).
pub(super) const NUMBERS: [&str; 7] = ["byte", "short", "char", "int", "long", "float", "double"];
pub(in crate::search::graph) fn is_primitive(ty: &str) -> bool {
    NUMBERS.contains(&ty) || matches!(ty, "boolean" | "bool")
}

/// Returns the class whose objects hold a primitive number.
pub(super) fn boxed(primitive: &str) -> Option<&'static str> {
    Some(match primitive {
        "byte" => "Byte",
        "short" => "Short",
        "char" => "Character",
        "int" => "Integer",
        "long" => "Long",
        "float" => "Float",
        "double" => "Double",
        _ => return None,
    })
}

/// Returns a type without the names in front of it.
pub(in crate::search::graph) fn simple(ty: &str) -> String {
    let n = ty.matches("[]").count();
    let name = last_segment(ty.trim_end_matches("[]").trim());
    // C# has words for some classes.
    let name = match name {
        "bool" => "boolean",
        "object" => "Object",
        "string" => "String",
        "object?" => "Object",
        "string?" => "String",
        other => other,
    };
    format!("{name}{}", "[]".repeat(n))
}

/// Returns a text without what stands in angle brackets.
pub(in crate::search::graph) fn without_arguments(text: &str) -> String {
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
