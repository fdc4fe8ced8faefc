//! Lua.
//!
//! It has no classes; a table that is named like a class counts as one, and its functions as
//! methods.

use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::parts::in_field;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Name, Path, Table, WrapperRule,
};
use tree_sitter::Node;

/// Most keys of a name that are followed to its table.
const MAX_KEYS: usize = 8;

/// Lua's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_declaration", K::Function).refine(method),
        DeclarationRule::new("assignment_statement", K::Variable)
            .parts(|node| step(node, "@variable_list").map_or_else(Vec::new, |list| in_field(list, "name")))
            .body(&["@expression_list", "value"])
            .refine(assignment),
        DeclarationRule::new("field", K::Function).body(&["value"]).refine(field),
        DeclarationRule::new("function_call", K::Test)
            .name(Name::Argument("arguments"))
            .body(&["arguments", "#-1"])
            .refine(test),
    ],
    wrappers: &[WrapperRule::new("variable_declaration")],
    detached: &["#!"],
    heads: &["hash_bang_line"],
    import_calls: &["require", "dofile"],
    import_name: Some(assigned_to),
    calls: &[Call::new("function_call", "name")],
    paths: &[
        Path::new("dot_index_expression", "table", "field"),
        Path::new("method_index_expression", "table", "method"),
    ],
    strings: &["string"],
    opaque: &["string", "attribute"],
    leaves: &["identifier"],
    ..Table::new(|| tree_sitter_lua::LANGUAGE.into())
};

/// Makes `function T:f()` a method, and also `function T.f()` if `T` is named like a class.
fn method<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(name) = found.name else { return false };
    let table = name.child_by_field_name("table");
    found.owner = match name.kind() {
        "method_index_expression" => table,
        _ => table.filter(|table| text.get(table.byte_range()).is_some_and(is_class_name)),
    };
    true
}

/// Returns the name to which `require("x")` is assigned: `local x = require("x")`.
fn assigned_to(call: Node<'_>) -> Option<Node<'_>> {
    let list = call.parent().filter(|list| list.kind() == "expression_list")?;
    let assignment = list.parent().filter(|one| one.kind() == "assignment_statement")?;
    let at = in_field(list, "value").iter().position(|one| *one == call)?;
    let names = step(assignment, "@variable_list").map_or_else(Vec::new, |list| in_field(list, "name"));
    names.get(at).copied().filter(|name| name.kind() == "identifier")
}

/// Returns whether a name begins with a capital and has lower-case letters.
fn is_class_name(name: &str) -> bool {
    name.len() > 1
        && !name.contains('.')
        && name.starts_with(char::is_uppercase)
        && name.chars().any(char::is_lowercase)
}

/// Returns the body of an anonymous function. An empty one has none: `Some(None)`.
fn function_body(value: Node<'_>) -> Option<Option<Node<'_>>> {
    (value.kind() == "function_definition").then(|| value.child_by_field_name("body"))
}

/// Accepts functions everywhere, and other values at the top level. Tables with a class's name are
/// classes; names in capitals are constants.
fn assignment<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(name) = found.name else { return false };
    let names = step(node, "@variable_list").map_or_else(Vec::new, |list| in_field(list, "name"));
    let values = step(node, "@expression_list").map_or_else(Vec::new, |list| in_field(list, "value"));
    let at = names.iter().position(|one| *one == name).unwrap_or_default();
    found.body = values.get(at).copied();
    // The last call gives all further names a value: `local a, b = f()`.
    let Some(value) = found.body.or(values.last().copied()) else { return false };
    if found.body.is_some() && value.kind() == "function_definition" {
        (found.kind, found.body) = (K::Function, function_body(value).flatten());
        return match name.kind() {
            "bracket_index_expression" => at_key(text, name, found),
            kind => matches!(kind, "identifier" | "dot_index_expression") && method(text, node, found),
        };
    }
    let is_top = matches!(found.around, ["chunk", _] | ["variable_declaration", "chunk"]);
    let last = name.child_by_field_name("field").unwrap_or(name);
    let word = text.get(last.byte_range()).unwrap_or_default();
    let value_text = text.get(value.byte_range()).unwrap_or_default();
    if !is_top || last.kind() != "identifier" || word.starts_with("__") || value_text.starts_with("require") {
        return false;
    }
    found.owner = name
        .child_by_field_name("table")
        .filter(|table| text.get(table.byte_range()).is_some_and(is_class_name));
    let is_object = value_text.starts_with("{}") || value.kind() == "function_call";
    if is_class_name(word) && is_object && name.kind() == "identifier" {
        (found.kind, found.body) = (K::Class, None);
    } else if !word.chars().any(char::is_lowercase) && word.len() > 1 {
        found.kind = K::Constant;
    }
    true
}

/// Accepts a function at a key that is a string: `M["quoted"] = function`. In a table `T`, as tests
/// of Neovim's plugins have it, the function is a test: `T['group']['it works'] = function`.
fn at_key<'tree>(text: &str, name: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let key = |node: Node<'tree>| {
        let key = node.child_by_field_name("field").filter(|key| key.kind() == "string");
        key.filter(|_| node.kind() == "bracket_index_expression")
    };
    found.name = key(name);
    let Some(table) = name.child_by_field_name("table") else { return false };
    let outer = std::iter::successors(Some(table), |one| one.child_by_field_name("table")).take(MAX_KEYS);
    let outermost = outer.last().and_then(|outer| text.get(outer.byte_range())).unwrap_or_default();
    found.owner = key(table).or_else(|| Some(table).filter(|_| is_class_name(outermost)));
    if outermost == "T" {
        found.kind = K::Test;
    }
    found.name.is_some()
}

/// Accepts functions in a table. One in one line counts if the table is assigned or returned: in
/// arguments, such functions are mostly settings.
fn field<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(body) = found.body.and_then(function_body) else { return false };
    found.body = body;
    let is_value = found.around == ["table_constructor", "expression_list"];
    is_value || text.get(node.byte_range()).is_some_and(|all| all.contains('\n'))
}

/// Accepts `describe("…", function() … end)` and `it("…", …)`.
fn test<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let word =
        node.child_by_field_name("name").and_then(|name| text.get(name.byte_range())).unwrap_or_default();
    if !matches!(word, "describe" | "it" | "context" | "test" | "insulate" | "expose") {
        return false;
    }
    let Some(body) = found.body.and_then(function_body) else { return false };
    found.body = body;
    found.name.is_some()
}
