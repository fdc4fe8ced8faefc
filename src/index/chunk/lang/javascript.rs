//! JavaScript with JSX, and the rules that TypeScript shares with it.
//!
//! A function can be the value of a variable, a property, a field or an assignment, and then takes
//! its name from there.

use super::constructors;
use super::javascript_objects::{self as objects, function_body};
use crate::index::chunk::identifiers;
use crate::index::chunk::imports::last_segment;
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{MAX_NAME, Mention};
use crate::index::chunk::parts::of_pattern;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    Region, Scope, Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::type_rule::ObjectRules;
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Where `this` is another object than one of the class around.
pub(super) const OBJECTS: ObjectRules = ObjectRules {
    functions: &[
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
    ],
    methods: &["method_definition"],
    objects: &["object"],
    types: &["class_body"],
};

/// JavaScript's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class),
        DeclarationRule::new("function_declaration", K::Function),
        DeclarationRule::new("generator_function_declaration", K::Function),
        METHOD,
        DeclarationRule::new("field_definition", K::Method)
            .name(Name::At(&["property"]))
            .body(&["value"])
            .refine(objects::field),
        VARIABLE,
        ASSIGNMENT,
        PAIR,
        REACTIVE,
        TEST,
        VALUES[0],
        VALUES[1],
        VALUES[2],
        VALUES[3],
    ],
    wrappers: WRAPPERS,
    comments: &["comment", "html_comment"],
    attributes: &["decorator"],
    heads: &["hash_bang_line"],
    imports: &[IMPORT, REEXPORT],
    import_calls: IMPORT_CALLS,
    calls: JSX_CALLS,
    words: &["super"],
    paths: &[MEMBER],
    regions: &[Region::new("class_heritage", Meaning::Refers(ReferenceKind::Inherits))],
    names: &["identifier", "property_identifier", "private_property_identifier"],
    strings: &["string", "template_string"],
    docstrings: &[],
    constructors: &["constructor"],
    opaque: &["regex", "string"],
    typed: &[
        TypeRule::new("variable_declarator").ty(&[]).value(&["value"]),
        TypeRule::new("field_definition").name("property").ty(&[]).value(&["value"]),
        ASSIGNED,
        TypeRule::hides("formal_parameters", "").each("@identifier"),
        TypeRule::hides("arrow_function", "parameter"),
        TypeRule::hides("for_in_statement", "left"),
        TypeRule::hides("catch_clause", "parameter"),
        TypeRule::hides("object_pattern", ""),
        TypeRule::hides("array_pattern", ""),
        TypeRule::hides("assignment_pattern", "left"),
        TypeRule::hides("rest_pattern", "#0"),
        TypeRule::test("if_statement"),
        TypeRule::test("ternary_expression"),
        TypeRule::test("while_statement"),
        TypeRule::own_name("class"),
        TypeRule::own_name("function_expression"),
        TypeRule::own_name("generator_function"),
    ],
    makes: &[("new_expression", "constructor")],
    literals: LITERALS,
    members: &["member_expression"],
    values: Values { objects: OBJECTS, ..Values::NONE },
    leaves: &["identifier", "shorthand_property_identifier"],
    member_leaves: &["property_identifier", "private_property_identifier"],
    mentions: MENTIONS,
    hoisting: HOISTING,
    ..Table::new(|| tree_sitter_javascript::LANGUAGE.into())
};

/// The word of a variable that belongs to the function, and not to a block in it.
pub(super) const HOISTING: &str = "var";

pub(super) const WRAPPERS: &[WrapperRule] = &[
    WrapperRule::new("export_statement"),
    WrapperRule::new("lexical_declaration"),
    WrapperRule::new("variable_declaration"),
    WrapperRule::new("expression_statement"),
];

pub(super) const VARIABLE: DeclarationRule = DeclarationRule::new("variable_declarator", K::Variable)
    .parts(|node| of_pattern(step(node, "name"), PATTERNS))
    .body(&["value"])
    .beside("value")
    .refine(variable);

pub(super) const METHOD: DeclarationRule =
    DeclarationRule::new("method_definition", K::Method).refine(objects::method);

/// Functions and classes that are values: `define("a-b", class AB {…})`.
pub(super) const VALUES: [DeclarationRule; 4] = [
    DeclarationRule::new("class", K::Class).refine(objects::value),
    DeclarationRule::new("arrow_function", K::Function).scope(Scope::Outside).refine(objects::value),
    DeclarationRule::new("function_expression", K::Function).scope(Scope::Outside).refine(objects::value),
    DeclarationRule::new("generator_function", K::Function).scope(Scope::Outside).refine(objects::value),
];

/// Patterns that a variable takes a value apart with.
const PATTERNS: &[(&str, &str)] = &[
    ("object_pattern", ""),
    ("array_pattern", ""),
    ("pair_pattern", "value"),
    ("object_assignment_pattern", "left"),
    ("assignment_pattern", "left"),
    ("rest_pattern", "#0"),
];

pub(super) const ASSIGNMENT: DeclarationRule = DeclarationRule::new("assignment_expression", K::Function)
    .name(Name::At(&["left"]))
    .body(&["right"])
    .beside("right")
    .refine(assignment);

/// A value that Svelte computes again when another one changes: `$: total = a + b`.
pub(super) const REACTIVE: DeclarationRule = DeclarationRule::new("labeled_statement", K::Variable)
    .name(Name::At(&["body", "#0", "left"]))
    .body(&["body", "#0", "right"])
    .scope(Scope::Top)
    .refine(reactive);

/// Accepts a plain name behind the label `$`.
fn reactive(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let of = |step| node.child_by_field_name(step);
    let is_marked = of("label").and_then(|label| text.get(label.byte_range())) == Some("$");
    let statement = of("body").filter(|body| is_marked && body.kind() == "expression_statement");
    statement.and_then(|one| one.named_child(0)).is_some_and(|one| one.kind() == "assignment_expression")
        && found.name.is_some_and(|name| name.kind() == "identifier")
}

pub(super) const PAIR: DeclarationRule =
    DeclarationRule::new("pair", K::Method).name(Name::At(&["key"])).body(&["value"]).refine(objects::pair);

pub(super) const TEST: DeclarationRule = DeclarationRule::new("call_expression", K::Test)
    .name(Name::Argument("arguments"))
    .body(&["arguments", "#-1"])
    .scope(Scope::Anywhere)
    .refine(test);

pub(super) const IMPORT_NAMES: &[ImportedNameRule] = &[
    ImportedNameRule::aliased("import_specifier", "name", "alias"),
    ImportedNameRule::aliased("namespace_import", "*", "#0"),
    ImportedNameRule::leaf("identifier"),
];

pub(super) const IMPORT: Import = Import { names: IMPORT_NAMES, ..Import::new("import_statement", "source") };

/// A re-export: `export … from "…"`.
pub(super) const REEXPORT: Import = Import {
    names: &[
        ImportedNameRule::aliased("export_specifier", "name", "alias"),
        ImportedNameRule::aliased("namespace_export", "*", "#0"),
    ],
    ..Import::new("export_statement", "source")
};

pub(super) const IMPORT_CALLS: &[&str] = &["require", "import", "importScripts"];

pub(super) const CALLS: &[Call] =
    &[Call::new("call_expression", "function"), Call::new("new_expression", "constructor"), DECORATOR];

const DECORATOR: Call = Call::new("decorator", "#0");

/// Calls, and elements, each of which calls its component.
pub(super) const JSX_CALLS: &[Call] = &[
    Call::new("call_expression", "function"),
    Call::new("new_expression", "constructor"),
    Call::new("jsx_opening_element", "name").capital(),
    Call::new("jsx_self_closing_element", "name").capital(),
    DECORATOR,
];

/// An assignment of a value.
pub(super) const ASSIGNED: TypeRule = TypeRule::assigned("assignment_expression", "left", &["right"]);

/// A member: `a.b`.
pub(super) const MEMBER: Path = Path::new("member_expression", "object", "property");

/// The types of literals. An object is not among them, because it may have methods of its own.
pub(super) const LITERALS: &[(&str, &str)] =
    &[("array", "Array"), ("regex", "RegExp"), ("string", "String"), ("template_string", "String")];

/// Constructors that are called by a word, and what a module exports under another name.
pub(super) const MENTIONS: &[MentionRule] = &[
    constructors::SCRIPT,
    MentionRule { node: "variable_declarator", read: required },
    MentionRule { node: "assignment_expression", read: listed },
    MentionRule { node: "export_specifier", read: renamed },
    MentionRule { node: "export_statement", read: default },
];

/// Adds `a` of `export { a as b }`, with `b` as its alias. A re-export from another module is an
/// import.
fn renamed<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let statement = node.parent().and_then(|clause| clause.parent());
    let is_own = statement.is_some_and(|one| one.child_by_field_name("source").is_none());
    let name = node.child_by_field_name("name").filter(|name| is_own && name.kind() == "identifier");
    let alias = node.child_by_field_name("alias").and_then(|alias| text.get(alias.byte_range()));
    if let (Some(name), Some(alias)) = (name, alias) {
        export(text, name, alias, found);
    }
}

/// Adds `a` of `export default a`, `export default class a` and the like, with `default` as its
/// alias.
fn default<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if node.child(1).is_none_or(|word| word.kind() != "default") {
        return;
    }
    let declared = || node.child_by_field_name("declaration")?.child_by_field_name("name");
    let value = || node.child_by_field_name("value").filter(|value| value.kind() == "identifier");
    if let Some(name) = declared().or_else(value) {
        export(text, name, "default", found);
    }
}

/// Adds the names that `const a = require("…")` and `const { a, b: c } = await import("…")` import.
fn required<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let value = node.child_by_field_name("value");
    let awaited = value.filter(|value| value.kind() == "await_expression");
    let value = awaited.and_then(|value| value.named_child(0)).or(value);
    let value = value.filter(|value| value.kind() == "call_expression");
    let function = value.and_then(|value| value.child_by_field_name("function"));
    let word = function.and_then(|function| text.get(function.byte_range()));
    if !matches!(word, Some("import" | "require")) {
        return;
    }
    let argument = value.and_then(|value| value.child_by_field_name("arguments")?.named_child(0));
    let written = argument.filter(|one| one.kind() == "string").and_then(|one| text.get(one.byte_range()));
    let module = identifiers::unquoted(written.unwrap_or_default());
    let Some(name) = node.child_by_field_name("name").filter(|_| !module.is_empty()) else { return };
    let mut import = |imported: &'t str, local: &'t str| {
        let at = offset(value.map_or(node.start_byte(), |value| value.start_byte()));
        let mention = Mention::new(at, ReferenceKind::Import, imported, Cow::Borrowed(module));
        let alias = if local == imported { "" } else { local };
        found.push(Mention { alias: Cow::Borrowed(alias), ..mention });
    };
    let of = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    if name.kind() == "identifier" {
        let (last, local) = (last_segment(module), of(name));
        import(last, local);
        // It may be all that the module exports: `module.exports = class Cart {}`.
        if last != local && word == Some("require") {
            import(local, local);
        }
        return;
    }
    let mut cursor = name.walk();
    for one in name.named_children(&mut cursor).filter(|_| name.kind() == "object_pattern") {
        match (one.kind(), one.child_by_field_name("key"), one.child_by_field_name("value")) {
            ("shorthand_property_identifier_pattern", ..) => import(of(one), of(one)),
            ("pair_pattern", Some(key), Some(value)) if value.kind() == "identifier" => {
                import(of(key), of(value));
            }
            _ => {}
        }
    }
}

/// Adds the names that `module.exports = { a: b }` and `exports.a = b` export under others, and
/// what `module.exports = b` exports as a whole.
fn listed<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let left = node.child_by_field_name("left").and_then(|left| text.get(left.byte_range()));
    let (Some(left), Some(right)) = (left, node.child_by_field_name("right")) else { return };
    let member = left.strip_prefix("module.").unwrap_or(left).strip_prefix("exports.");
    if let Some(member) = member.filter(|_| right.kind() == "identifier") {
        return export(text, right, member, found);
    }
    if left != "module.exports" {
        return;
    }
    let name = if right.kind() == "identifier" { Some(right) } else { right.child_by_field_name("name") };
    if let Some(name) =
        name.filter(|_| matches!(right.kind(), "class" | "function_expression" | "identifier"))
    {
        return export(text, name, "default", found);
    }
    let mut cursor = right.walk();
    for pair in right.named_children(&mut cursor).filter(|one| one.kind() == "pair") {
        let value = pair.child_by_field_name("value").filter(|value| value.kind() == "identifier");
        let key = pair.child_by_field_name("key").and_then(|key| text.get(key.byte_range()));
        if let (Some(value), Some(key)) = (value, key) {
            export(text, value, key, found);
        }
    }
}

fn export<'t>(text: &'t str, name: Node<'_>, alias: &'t str, found: &mut Vec<Mention<'t>>) {
    let written = text.get(name.byte_range()).unwrap_or_default();
    let is_plain = alias.len() <= MAX_NAME && identifiers::is_plain(alias);
    if is_plain && alias != written {
        let mention = Mention::new(offset(name.start_byte()), ReferenceKind::Use, written, Cow::Borrowed(""));
        found.push(Mention { alias: Cow::Borrowed(alias), ..mention });
    }
}

/// Accepts functions and classes everywhere, and other variables at the top level; `const` ones are
/// constants. `const { a } = require("…")` imports `a` instead.
pub(super) fn variable(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let name = node.child_by_field_name("name");
    match found.part.kind() {
        "identifier" if name == Some(found.part) => {
            if let Some((kind, body)) = found.body.map(last_value).and_then(function_body) {
                (found.kind, found.body) = (kind, body);
                return true;
            }
        }
        "identifier" | "shorthand_property_identifier_pattern" => {
            let value = found.body.and_then(|value| text.get(value.byte_range())).unwrap_or_default();
            let value = value.strip_prefix("await").map_or(value, str::trim_start);
            if value.starts_with("require(") || value.starts_with("import(") {
                return false;
            }
        }
        _ => return false,
    }
    let list = match found.around[1] {
        // `declare const a: string`
        "program" | "export_statement" | "ambient_declaration" => node.parent(),
        // `declare global { var a: string }`
        "statement_block" if matches!(found.within, None | Some(K::Module)) => {
            let list = node.parent();
            let outer = list.and_then(|list| list.parent()).and_then(|block| block.parent());
            list.filter(|_| outer.is_some_and(|outer| outer.kind() == "ambient_declaration"))
        }
        _ => None,
    };
    if list.is_none() {
        return false;
    }
    if list.and_then(|list| list.child(0)).is_some_and(|word| word.kind() == "const") {
        found.kind = K::Constant;
    }
    true
}

/// Node kinds of exported values that count as declarations. A mere name is left out, because it
/// stands for something declared elsewhere.
const VALUES_EXPORTED: [&str; 9] =
    ["string", "template_string", "number", "regex", "object", "array", "true", "false", "binary_expression"];

/// Most assignments in one statement that are followed to their value.
const MAX_CHAIN: usize = 16;

/// Returns the value at the end of a chain of assignments: that of `a = b = function () {…}`.
fn last_value(value: Node<'_>) -> Node<'_> {
    let mut value = value;
    for _ in 0..MAX_CHAIN {
        match value.child_by_field_name("right").filter(|_| value.kind() == "assignment_expression") {
            Some(right) => value = right,
            None => break,
        }
    }
    value
}

/// Accepts four kinds of assignments:
///
/// - `a.b = function () {…}`, which belongs to `a`;
/// - `a.prototype = {…}`, which implements `a`;
/// - `module.exports = class A {…}`, which is called `A`;
/// - values that a module exports by name: `exports.a = "…"`.
pub(super) fn assignment<'tree>(text: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(target) = found.name.filter(|name| name.kind() == "member_expression") else { return false };
    let Some(value) = found.body.map(last_value) else { return false };
    let left = text.get(target.byte_range()).unwrap_or_default();
    if let Some((kind, body)) = function_body(value) {
        (found.kind, found.body) = (kind, body);
        if left == "module.exports" {
            let own = value.child_by_field_name("name");
            found.name = own.or(found.name);
            // The variable names it: `var a = module.exports = function () {…}`.
            return own.is_some() || found.around[0] != "variable_declarator";
        }
        objects::assign(text, target, found);
        return true;
    }
    if value.kind() == "object" && left.ends_with(".prototype") {
        (found.kind, found.body) = (K::Implementation, Some(value));
        found.name = target.child_by_field_name("object");
        return true;
    }
    let is_exported = left.starts_with("exports.") || left.starts_with("module.exports.");
    let is_top =
        found.around[1] == "program" || found.around == ["assignment_expression", "expression_statement"];
    if is_exported
        && is_top
        && found.within.is_none_or(|within| within == K::Constant)
        && VALUES_EXPORTED.contains(&value.kind())
    {
        found.kind = K::Constant;
        return true;
    }
    false
}

/// Accepts `describe("…", …)`, `it("…", …)`, `test.skip("…", …)` and the like, and properties that
/// `Object.defineProperty(a, "b", {…})` defines.
pub(super) fn test<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    const WORDS: [&[u8]; 12] = [
        b"describe",
        b"it",
        b"test",
        b"suite",
        b"context",
        b"specify",
        b"bench",
        b"t.test",
        b"tap",
        b"Deno.",
        b"QUnit.",
        b"Object.",
    ];
    // Nearly all calls fail here, and finding a field by its name costs more.
    let rest = text.as_bytes().get(node.start_byte()..).unwrap_or_default();
    if !WORDS.iter().any(|word| rest.starts_with(word)) {
        return false;
    }
    let Some(function) = node.child_by_field_name("function") else { return false };
    let word = text.get(function.byte_range()).filter(|word| word.len() <= 24).unwrap_or_default();
    match word {
        "Object.defineProperty" => return objects::defined_property(text, node, found),
        "t.test" | "tap.test" | "tape" | "Deno.test" | "Deno.bench" | "QUnit.module" | "QUnit.skip"
        | "QUnit.test" | "QUnit.todo" => {}
        _ => match word.split('.').next() {
            Some("describe" | "it" | "test" | "suite" | "context" | "specify" | "bench") => {}
            _ => return false,
        },
    }
    let Some(last) = found.body else { return false };
    if word.starts_with("Deno.") && last.kind() == "object" {
        found.name = objects::property(text, last, "name").filter(|name| name.kind() == "string");
        return found.name.is_some();
    }
    let Some((K::Function, body)) = function_body(last) else { return false };
    found.body = body;
    true
}
