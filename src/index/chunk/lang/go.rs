//! Go.
//!
//! A method belongs to the type of its receiver. A name can come from another file of the package
//! without an import.

use super::go_mask;
use super::items;
use super::type_aliases;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::in_field;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, NameScope, Path, Region,
    Scope, Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Go's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("function_declaration", K::Function),
        DeclarationRule::new("method_declaration", K::Method).refine(receiver),
        DeclarationRule::new("method_elem", K::Method).body(&[]).refine(of_named_interface),
        DeclarationRule::new("type_spec", K::Type).body(&["type"]).refine(type_kind),
        DeclarationRule::new("type_alias", K::Type).body(&["type"]),
        DeclarationRule { kind: K::Constant, ..values("const_spec") },
        values("var_spec"),
        SUBTEST,
    ],
    wrappers: &[
        WrapperRule::new("type_declaration"),
        WrapperRule::new("const_declaration"),
        WrapperRule::new("var_declaration"),
        WrapperRule::new("var_spec_list"),
    ],
    heads: &["package_clause", "import_declaration"],
    imports: &[Import { alias: "name", ..Import::new("import_spec", "path") }],
    calls: &[
        Call::new("call_expression", "function"),
        // A call with type arguments looks like a conversion: `f[int](x)`.
        Call::new("type_conversion_expression", "type"),
    ],
    paths: &[
        Path::new("selector_expression", "operand", "field"),
        Path::new("qualified_type", "package", "name"),
        Path::new("type_instantiation_expression", "", "#0"),
        Path::new("index_expression", "", "operand"),
        Path::new("generic_type", "", "type"),
        Path::new("pointer_type", "", "#0"),
    ],
    types: &["type_identifier", "qualified_type"],
    regions: &[
        // What is embedded stands where another field has its name.
        Region::new("field_declaration", Meaning::Refers(ReferenceKind::Inherits)).at("#0"),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    strings: &["interpreted_string_literal", "raw_string_literal"],
    unnamed: &["function_declaration"],
    opaque: &["interpreted_string_literal", "raw_string_literal"],
    typed: &[
        TypeRule::new("parameter_declaration").each("name").name(""),
        TypeRule::new("variadic_parameter_declaration").ty(&[]),
        TypeRule::new("var_spec").value(&["value"]).more("name"),
        TypeRule::new("const_spec").each("name").name(""),
        TypeRule::new("field_declaration").each("name").name(""),
        TypeRule::new("short_var_declaration").name("left").ty(&[]).value(&["right"]),
        TypeRule::new("function_declaration").result(&["result"]),
        TypeRule::new("method_declaration").result(&["result"]),
        TypeRule::item("range_clause", "left", &["right"]),
        TypeRule::hides("type_switch_statement", "alias"),
        TypeRule::hides("receive_statement", "left").only_with(&["@:="]),
        TypeRule::parameter("type_parameter_declaration")
            .each("name")
            .ty(&["type"])
            .scope(NameScope::Template),
    ],
    makes: &[("composite_literal", "type"), ("type_assertion_expression", "type")],
    values: Values { has_lists: true, items: items::GO, ..Values::NONE },
    leaves: &["identifier"],
    member_leaves: &["field_identifier"],
    mentions: &[
        type_aliases::GO,
        MentionRule { node: "type_instantiation_expression", read: instantiated },
        MentionRule { node: "type_elem", read: embedded },
        MentionRule { node: "var_spec", read: asserted },
    ],
    sees_package: true,
    discards: true,
    mask: Some(go_mask::readable),
    ..Table::new(|| tree_sitter_go::LANGUAGE.into())
};

/// Adds the function that gets several type arguments but is not called: `f[int, string]`. With
/// one, it looks like an item of a list, which needs no rule.
fn instantiated<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    found.extend(node.named_child(0).and_then(|path| type_named(text, path, ReferenceKind::Use)));
}

/// Returns a mention of the type that a path names: `int`, `x.T`.
fn type_named<'t>(text: &'t str, path: Node<'_>, kind: ReferenceKind) -> Option<Mention<'t>> {
    let (package, name) = match path.kind() {
        "qualified_type" => (path.child_by_field_name("package"), path.child_by_field_name("name")),
        _ => (None, Some(path)),
    };
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let name = name.filter(|name| name.kind() == "type_identifier")?;
    let qualifier = Cow::Borrowed(package.map(of).unwrap_or_default());
    let mention = Mention::new(offset(path.start_byte()), kind, of(name), qualifier);
    Some(Mention { name_at: offset(name.start_byte()), ..mention })
}

/// Adds the interface that another one embeds as its supertype. A choice of types (`A | B`) only
/// limits type arguments.
fn embedded<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let is_embedded = node.named_child_count() == 1
        && node.parent().is_some_and(|around| around.kind() == "interface_type");
    let Some(ty) = node.named_child(0).filter(|_| is_embedded) else { return };
    let named = ty.child_by_field_name("type").filter(|_| ty.kind() == "generic_type");
    found.extend(type_named(text, named.unwrap_or(ty), ReferenceKind::Inherits));
}

/// Adds the interface that a type implements, as people let the compiler check: `var _ I =
/// (*T)(nil)`.
fn asserted<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let of = |field: &str| node.child_by_field_name(field).and_then(|one| text.get(one.byte_range()));
    let heir = of("value").and_then(made).filter(|_| of("name") == Some("_"));
    let (Some(heir), Some(ty)) = (heir, node.child_by_field_name("type")) else { return };
    let named = ty.child_by_field_name("type").filter(|_| ty.kind() == "generic_type");
    let mention = type_named(text, named.unwrap_or(ty), ReferenceKind::Inherits);
    found.extend(mention.map(|one| Mention { alias: Cow::Borrowed(heir), ..one }));
}

/// Returns the type of the package of which a value is made: `(*T)(nil)`, `&T{}`, `new(T)`.
fn made(value: &str) -> Option<&str> {
    let is_mark = |c: char| matches!(c, '(' | '*' | '&') || c.is_whitespace();
    let new = value.strip_prefix("new(");
    let rest = new.unwrap_or(value).trim_start_matches(is_mark);
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    let (name, behind) = rest.split_at_checked(end)?;
    let behind = behind.trim_start_matches([')', ' ']);
    let is_made = new.is_some() && behind.is_empty() || behind.starts_with(['{', '[']) || behind == "(nil)";
    is_made.then_some(name).filter(|name| !name.is_empty())
}

/// Returns a rule for names with values: `a, b = 1, 2`.
const fn values(node: &'static str) -> DeclarationRule {
    DeclarationRule::new(node, K::Variable)
        .parts(|node| in_field(node, "name"))
        .body(&["value"])
        .scope(Scope::Top)
}

/// Accepts the methods of an interface with a name. Those of an interface in the place of a type
/// belong to nothing: `func run(x interface{ Close() error })`.
fn of_named_interface(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    matches!(found.around, ["interface_type", "type_spec" | "type_alias"])
}

/// A test inside of another one: `t.Run("name", func(t *testing.T) {…})`.
const SUBTEST: DeclarationRule = DeclarationRule::new("call_expression", K::Test)
    .name(Name::Argument("arguments"))
    .body(&["arguments", "#-1"])
    .refine(subtest);

/// Functions of Ginkgo that begin a test or a group of tests. `F` or `P` in front runs only this
/// one, or all others.
const SPECS: [&str; 7] = ["Describe", "Context", "When", "It", "Specify", "DescribeTable", "Entry"];

/// Returns the function of a test of Ginkgo: `It("name", func() {…})`.
fn spec<'tree>(text: &str, function: Node<'_>, node: Node<'tree>) -> Option<Node<'tree>> {
    let word = text.get(function.byte_range()).filter(|_| function.kind() == "identifier")?;
    let plain = word.strip_prefix(['F', 'P', 'X']).filter(|rest| SPECS.contains(rest)).unwrap_or(word);
    let arguments = node.child_by_field_name("arguments").filter(|_| SPECS.contains(&plain))?;
    let name = arguments.named_child(0)?;
    let mut cursor = arguments.walk();
    let body = arguments.named_children(&mut cursor).find(|one| one.kind() == "func_literal");
    body.filter(|_| TABLE.strings.contains(&name.kind()))
}

/// Accepts `t.Run("name", func(t *testing.T) {…})`, the same for a benchmark, and the tests of
/// Ginkgo.
fn subtest<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(function) = node.child_by_field_name("function") else { return false };
    if let Some(body) = spec(text, function, node) {
        found.body = body.child_by_field_name("body");
        return true;
    }
    let is_run = function.kind() == "selector_expression"
        && text.get(function.byte_range()).is_some_and(|all| all.len() <= MAX_RUN && all.ends_with(".Run"));
    let body = found.body.filter(|body| is_run && body.kind() == "func_literal");
    let parameters = body.and_then(|body| body.child_by_field_name("parameters"));
    let parameters = parameters.and_then(|all| text.get(all.byte_range())).unwrap_or_default();
    found.body = body.and_then(|body| body.child_by_field_name("body"));
    found.body.is_some() && TESTING.iter().any(|ty| parameters.trim_end_matches(')').ends_with(ty))
}

/// Longest function that runs a test, in bytes: `suite.T().Run`.
const MAX_RUN: usize = 24;
/// The types of what a test gets.
const TESTING: [&str; 3] = ["*testing.T", "*testing.B", "*testing.F"];

/// Assigns a method to the type of its receiver.
fn receiver<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    found.owner = node
        .child_by_field_name("receiver")
        .and_then(|receiver| receiver.named_child(0))
        .and_then(|parameter| parameter.child_by_field_name("type"));
    true
}

fn type_kind(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    match found.body.map(|body| body.kind()) {
        Some("struct_type") => found.kind = K::Struct,
        Some("interface_type") => found.kind = K::Interface,
        _ => {}
    }
    true
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, ReferenceKind, chunk};

    #[test]
    fn a_statement_says_which_interface_a_type_implements() {
        for (statement, expected) in [
            ("var _ Store = (*memory)(nil)", &[("Store", "memory")][..]),
            ("var _ Store = &memory{}", &[("Store", "memory")]),
            ("var _ Store = memory{n: 1}", &[("Store", "memory")]),
            ("var _ Store = new(memory)", &[("Store", "memory")]),
            ("var _ kv.Store = (*memory)(nil)", &[("Store", "memory")]),
            (
                "var (\n\t_ Store = (*memory)(nil)\n\t_ Cache = memory{}\n)",
                &[("Cache", "memory"), ("Store", "memory")],
            ),
            // What a call or another package gives is not a type of this one.
            ("var _ Store = newMemory()", &[]),
            ("var _ Store = (*other.Memory)(nil)", &[]),
            ("var store Store = (*memory)(nil)", &[]),
            ("var _ = memory{}", &[]),
        ] {
            let Some(language) = Language::from_name("go").filter(|one| !one.lacks_grammar()) else { return };
            let text = format!("package shop\n\n{statement}\n");
            let file = chunk(language, &text, &ChunkOptions::default());
            let said = file.references.iter().filter(|one| one.kind == ReferenceKind::Inherits);
            let found: Vec<(&str, &str)> = said.map(|one| (one.name.as_str(), one.alias.as_str())).collect();
            assert_eq!(found, expected, "{statement}");
        }
    }
}
