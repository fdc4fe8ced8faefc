//! C, and the rules that C++ shares with it.
//!
//! A name is at the bottom of nested declarators, so most rules follow the field `declarator`.

use super::{macro_bodies, macros, reserved, type_aliases};
use crate::base::text::head;
use crate::index::chunk::identifiers::innermost;
use crate::index::chunk::node::range;
use crate::index::chunk::parts::in_field;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Name, NameScope, Path, Scope, Table, TypeRule,
    WrapperRule,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K};
use std::borrow::Cow;
use tree_sitter::Node;

/// C's table.
pub(super) static TABLE: Table = Table {
    declarations: &[FUNCTION, VARIABLE, FLAG, SECTION, STRUCT, UNION, ENUM, TYPEDEF, MACRO, MACRO_FUNCTION],
    wrappers: &[WrapperRule::new("declaration")],
    scopes: SCOPES,
    imports: INCLUDES,
    calls: &[Call::new("call_expression", "function")],
    paths: &[Path::new("field_expression", "argument", "field")],
    types: &["type_identifier"],
    strings: &["string_literal", "system_lib_string"],
    opaque: &["string_literal", "char_literal", "preproc_arg"],
    typed: &[PARAMETER, DECLARED, FIELD, DEFINED, ENUMERATOR, MACRO_PARAMETERS],
    leaves: &["identifier"],
    mentions: &[macro_bodies::OBJECT, macro_bodies::FUNCTION, type_aliases::C],
    sees_all: true,
    marks: &["->", "::", "?.", "!.", "&.", "."],
    nested: Some(macros::between_values),
    mask: Some(without_enum_types),
    reserved: reserved::C,
    ..Table::new(|| tree_sitter_c::LANGUAGE.into())
};

pub(super) const FUNCTION: DeclarationRule = DeclarationRule::new("function_definition", K::Function)
    .name(Name::Declarator("declarator"))
    .refine(method);
pub(super) const VARIABLE: DeclarationRule = DeclarationRule::new("declaration", K::Variable)
    .parts(declarators)
    .name(Name::Declarator("declarator"))
    .body(&["value"])
    .beside("type")
    .scope(Scope::Outside)
    .refine(variable);
pub(super) const FLAG: DeclarationRule = DeclarationRule::new("call_expression", K::Variable)
    .name(Name::Refined)
    .body(&[])
    .scope(Scope::Top)
    .refine(flag);
pub(super) const SECTION: DeclarationRule = DeclarationRule::new("labeled_statement", K::Test)
    .name(Name::At(&["label"]))
    .body(&["@compound_statement"])
    .refine(suite);
pub(super) const STRUCT: DeclarationRule = DeclarationRule::new("struct_specifier", K::Struct).refine(tagged);
pub(super) const UNION: DeclarationRule = DeclarationRule::new("union_specifier", K::Union).refine(has_body);
pub(super) const ENUM: DeclarationRule = DeclarationRule::new("enum_specifier", K::Enum).refine(has_body);
pub(super) const TYPEDEF: DeclarationRule = DeclarationRule::new("type_definition", K::Type)
    .parts(declarators)
    .name(Name::Declarator("declarator"))
    .body(&["type", "body"])
    .beside("type")
    .refine(typedef);
pub(super) const MACRO: DeclarationRule =
    DeclarationRule::new("preproc_def", K::Macro).body(&["value"]).refine(defined);
pub(super) const MACRO_FUNCTION: DeclarationRule =
    DeclarationRule::new("preproc_function_def", K::Macro).body(&["value"]);

pub(super) const SCOPES: &[&str] = &[
    "preproc_ifdef",
    "preproc_if",
    "preproc_else",
    "preproc_elif",
    "linkage_specification",
    "declaration_list",
];
/// A parameter: `T x`.
pub(super) const PARAMETER: TypeRule =
    TypeRule::new("parameter_declaration").name("declarator").scope(NameScope::Template);
/// A variable (`T x = y;`), or a function's prototype with the type of its result.
pub(super) const DECLARED: TypeRule =
    TypeRule::new("declaration").each("declarator").name("").value(&["value"]);
/// A field of a structure: `T x;`.
pub(super) const FIELD: TypeRule = TypeRule::new("field_declaration").each("declarator").name("");
/// A function with the type of its result.
pub(super) const DEFINED: TypeRule = TypeRule::new("function_definition").name("declarator");
/// A constant of an enumeration.
pub(super) const ENUMERATOR: TypeRule = TypeRule::hides("enumerator", "name");
/// The parameters of a macro.
pub(super) const MACRO_PARAMETERS: TypeRule = TypeRule::hides("preproc_params", "").each("@identifier");
/// The files that are included.
pub(super) const INCLUDES: &[Import] = &[Import::new("preproc_include", "path")];

/// Accepts macros with a value, and those that switch something on. One that guards a header is not
/// declared, nor is one with a reserved name (`_GNU_SOURCE`). A guard has more than itself in its
/// `#ifndef`.
fn defined(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let name = found.name.and_then(|name| text.get(name.byte_range())).unwrap_or_default();
    let above = text.get(..node.start_byte()).unwrap_or_default().trim_end();
    let line = above.rsplit('\n').next().unwrap_or_default().trim_start();
    let behind = text.get(node.end_byte()..).unwrap_or_default().trim_start();
    let is_alone = behind.strip_prefix('#').is_some_and(|word| word.trim_start().starts_with("endif"));
    let is_guard = line.starts_with('#')
        && !is_alone
        && line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
        && (line.contains("ifndef") || line.contains('!'));
    found.body.is_some() || !is_guard && !name.starts_with('_')
}

/// Accepts only candidates with a body. Others merely mention a type.
pub(super) fn has_body(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    found.body.is_some()
}

/// Returns the declarators of a declaration: `a` and `*b = 2` of `int a, *b = 2`.
pub(super) fn declarators(node: Node<'_>) -> Vec<Node<'_>> {
    in_field(node, "declarator")
}

/// Accepts types with a body, but not `typedef struct name {…} name`, which the typedef declares.
fn tagged(text: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let name = found.name.and_then(|name| text.get(name.byte_range())).unwrap_or_default();
    let after = text.get(node.end_byte()..).unwrap_or_default().trim_start().strip_prefix(name);
    found.body.is_some() && !after.is_some_and(|after| after.starts_with([';', ',']))
}

/// Assigns a definition to the type that scopes its name. Macros define tests.
pub(super) fn method<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let test = found.name.filter(|name| macros::is_test(text, node, *name));
    if test.is_none() && is_loop(node, found) {
        return false;
    }
    if let Some(name) = found.name {
        assign(name, found);
    }
    found.name_bytes = node.child_by_field_name("declarator").and_then(conversion);
    if let Some(name) = test {
        (found.kind, found.name_bytes) = (K::Test, innermost(name, "name").map(range));
    }
    found.name.is_some()
}

/// Returns whether what looks like a function is a macro with a block in a function:
/// `for_each_cpu(cpu) {…}`. It has no type, or no parameters but a name in parentheses.
fn is_loop(node: Node<'_>, found: &DeclarationCandidate<'_>) -> bool {
    if !matches!(found.within, Some(K::Function | K::Method | K::Constructor | K::Test)) {
        return false;
    }
    if node.child_by_field_name("type").is_none() {
        return true;
    }
    let mut declarator = node.child_by_field_name("declarator");
    for _ in 0..MAX_DECLARATORS {
        let Some(one) = declarator else { return true };
        if one.kind() == "function_declarator" {
            return false;
        }
        declarator = one.child_by_field_name("declarator").or_else(|| one.named_child(0));
    }
    true
}

/// Most declarators inside of each other that are followed.
const MAX_DECLARATORS: usize = 16;

/// Accepts parts of a test, which the parser sees as blocks with a label. A string names them.
pub(super) fn suite(text: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let name = found.name.filter(|name| macros::is_suite(text, *name));
    (found.kind, found.name_bytes) = (K::Test, name.map(range));
    name.is_some()
}

/// Accepts macros that define a flag of the command line: `DEFINE_bool(verbose, …)`,
/// `ABSL_FLAG(bool, verbose, …)`.
pub(super) fn flag<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let written = |field: &str| node.child_by_field_name(field).and_then(|one| text.get(one.byte_range()));
    let word = written("function").filter(|_| found.around[0] == "expression_statement").unwrap_or_default();
    let is_after_type = word.ends_with("_FLAG");
    let is_before_value =
        word.strip_prefix("DEFINE_").is_some_and(|ty| ty.starts_with(|c: char| c.is_ascii_lowercase()));
    if !is_after_type && !is_before_value {
        return false;
    }
    let arguments = node.child_by_field_name("arguments");
    // The parser does not see a type that is a keyword.
    let first = arguments.and_then(|all| all.named_child(0)).map_or(0, |first| first.start_byte());
    let start = arguments.map_or(0, |all| all.start_byte() + 1);
    let is_type_seen = text.get(start..first).is_some_and(|before| before.trim().is_empty());
    let at = u32::from(is_after_type && is_type_seen);
    found.name = arguments.and_then(|all| all.named_child(at)).filter(|name| name.kind() == "identifier");
    found.name.is_some()
}

/// Returns the bytes of the name `operator T` of a conversion, without its parameters.
fn conversion(declarator: Node<'_>) -> Option<ByteRange> {
    let mut at = declarator;
    for _ in 0..8 {
        if at.kind() == "operator_cast" {
            break;
        }
        at = Some(at).filter(|at| at.kind() == "qualified_identifier")?.child_by_field_name("name")?;
    }
    let name = range(Some(at).filter(|at| at.kind() == "operator_cast")?);
    let mut end = at.child_by_field_name("type").map_or(name.end, |ty| range(ty).end);
    for _ in 0..8 {
        let Some(inner) = at.child_by_field_name("declarator") else { break };
        end = range(inner).start.max(end);
        if inner.kind() == "abstract_function_declarator" {
            return Some(ByteRange { end, ..name });
        }
        at = inner;
    }
    None
}

/// Assigns a candidate to the innermost scope of a qualified name.
fn assign<'tree>(name: Node<'tree>, found: &mut DeclarationCandidate<'tree>) {
    let start = range(name).start;
    let mut name = name;
    for _ in 0..8 {
        if name.kind() != "qualified_identifier" {
            return;
        }
        found.owner = name.child_by_field_name("scope");
        let end = found.owner.map_or(start, |owner| range(owner).start);
        found.path = Some(ByteRange { start, end }).filter(|path| !path.is_empty());
        let Some(inner) = name.child_by_field_name("name") else { return };
        name = inner;
    }
}

/// Types that no variable is called like. Where something cannot be read, the grammar takes the
/// type of the next function for a name.
const STANDARD_TYPES: &[&str] = &[
    "bool",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "intptr_t",
    "ptrdiff_t",
    "size_t",
    "ssize_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uintptr_t",
];

/// Makes prototypes functions, and assigns each candidate to the type that scopes its name.
pub(super) fn variable<'tree>(
    text: &str,
    node: Node<'tree>,
    found: &mut DeclarationCandidate<'tree>,
) -> bool {
    // The arguments of a macro without brackets look like further names.
    if node.has_error() && node.child_by_field_name("declarator") != Some(found.part) {
        return false;
    }
    if is_attribute(text, node, found.part) {
        return false;
    }
    found.name_bytes = conversion(found.part);
    if found.name_bytes.is_some() {
        found.kind = K::Function;
        assign(found.part, found);
        return true;
    }
    let mut at = Some(found.part);
    let mut is_pointer = false;
    for _ in 0..32 {
        let Some(inner) = at else { break };
        match inner.kind() {
            "function_declarator" => {
                // `int (*f)(void)` is a variable, `int *f(void)` is not.
                let is_variable = inner
                    .child_by_field_name("declarator")
                    .is_some_and(|inner| inner.kind() == "parenthesized_declarator");
                if !is_variable {
                    found.kind = K::Function;
                    found.body = None;
                }
                break;
            }
            "pointer_declarator" | "reference_declarator" => is_pointer = true,
            _ => {}
        }
        at = inner.child_by_field_name("declarator").or_else(|| inner.named_child(0).filter(|_| is_pointer));
    }
    if let Some(name) = found.name {
        assign(name, found);
    }
    let name = found.name.and_then(|name| text.get(name.byte_range()));
    name.is_some_and(|name| !STANDARD_TYPES.contains(&name))
}

/// What the name of a macro contains that says how a type is laid out.
const LAYOUTS: [&str; 3] = ["ALIGN", "ATTR", "PACK"];

/// Returns whether a declarator is a macro for an attribute, behind a type with a name and a body:
/// `struct head {…} PACK;`.
fn is_attribute(text: &str, node: Node<'_>, declarator: Node<'_>) -> bool {
    let ty = node.child_by_field_name("type");
    let is_type = ty.is_some_and(|ty| {
        matches!(ty.kind(), "struct_specifier" | "union_specifier")
            && ty.child_by_field_name("name").is_some()
            && ty.child_by_field_name("body").is_some()
    });
    let name = text.get(declarator.byte_range()).unwrap_or_default();
    is_type
        && declarator.kind() == "identifier"
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        && LAYOUTS.iter().any(|part| name.contains(part))
}

/// Gives `typedef struct {…} name` the kind of the type inside; `typedef struct tag {…} name`
/// declares both names. Another name, as in `typedef struct {…} name, *pointer`, is only a type.
fn typedef(_: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let specifier = node.child_by_field_name("type");
    let is_first = node.child_by_field_name("declarator") == Some(found.part);
    found.body = found.body.filter(|_| is_first);
    if found.body.is_some() {
        match specifier.map(|one| one.kind()) {
            Some("struct_specifier") => found.kind = K::Struct,
            Some("union_specifier") => found.kind = K::Union,
            Some("enum_specifier") => found.kind = K::Enum,
            _ => {}
        }
    }
    found.name.is_some()
}

/// Returns the text that the parser sees: without macros, and without the type behind `enum` if the
/// enumeration has no name. The grammar cannot read that one (`enum : char { A }`).
fn without_enum_types(text: &str) -> Cow<'_, [u8]> {
    let unnamed = |at: usize| {
        let rest = head(text.get(at + 4..)?, MAX_ENUM_TYPE);
        let colon = rest.find(|c: char| !c.is_ascii_whitespace())?;
        let end = rest.find(['{', ';'])?;
        let is_type = rest.get(colon..)?.starts_with(':') && rest.get(end..)?.starts_with('{');
        is_type.then_some((at + 4 + colon, at + 4 + end))
    };
    macros::without_ranges(text, text.match_indices("enum").filter_map(|(at, _)| unnamed(at)))
}

/// Longest text in bytes between `enum` and its brace.
const MAX_ENUM_TYPE: usize = 64;
