//! Swift.
//!
//! Its grammar has one node kind for classes, structures, enumerations, actors and extensions. It
//! reads conditional text only between declarations and statements, so the parser sees no
//! directives, and all branches.

use super::items;
use super::swift_members;
use super::type_aliases;
use crate::index::chunk::lines;
use crate::index::chunk::node::range;
use crate::index::chunk::parts::{in_field, of_pattern};
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, Meaning, MentionRule, Name, Path, PatternNames,
    Region, Scope, Table, TypeRule, Values,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Swift's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("class_declaration", K::Class).refine(class),
        DeclarationRule::new("protocol_declaration", K::Interface),
        DeclarationRule::new("function_declaration", K::Function),
        DeclarationRule::new("protocol_function_declaration", K::Method).body(&[]),
        DeclarationRule::new("init_declaration", K::Constructor),
        DeclarationRule::new("property_declaration", K::Variable)
            .parts(names)
            .body(&["value"])
            .scope(Scope::Outside)
            .refine(property),
        DeclarationRule::new("protocol_property_declaration", K::Field)
            .name(Name::At(&["name", "bound_identifier"]))
            .body(&[]),
        DeclarationRule::new("subscript_declaration", K::Method)
            .name(Name::At(&["@subscript"]))
            .body(&["@computed_property"]),
        DeclarationRule::new("deinit_declaration", K::Method).name(Name::At(&["@deinit"])),
        DeclarationRule::new("typealias_declaration", K::Type).body(&["#-1"]),
        DeclarationRule::new("associatedtype_declaration", K::Type).body(&[]),
        DeclarationRule::new("macro_declaration", K::Macro)
            .name(Name::At(&["@simple_identifier"]))
            .body(&["definition"]),
    ],
    comments: &["comment", "multiline_comment"],
    detached: &["#!", "// MARK"],
    attributes: &["attribute"],
    heads: &["directive", "shebang_line"],
    imports: &[Import::new("import_declaration", "@identifier")],
    calls: &[
        Call::new("call_expression", "#0"),
        Call::new("constructor_expression", "constructed_type"),
        Call::new("attribute", "@user_type"),
    ],
    paths: &[
        Path::new("navigation_expression", "target", "suffix"),
        Path::new("navigation_suffix", "", "suffix"),
        Path::new("user_type", "", "@@type_identifier"),
    ],
    types: &["user_type"],
    regions: &[
        Region::new("inheritance_specifier", Meaning::Refers(ReferenceKind::Inherits)),
        Region::new("type_arguments", Meaning::Arguments),
    ],
    strings: &["line_string_literal"],
    texts: &["multi_line_string_literal", "raw_string_literal"],
    opaque: &["attribute"],
    typed: &[
        TypeRule::new("parameter").label("external_name"),
        TypeRule::new("property_declaration")
            .name("name")
            .more("name")
            .ty(&["@type_annotation"])
            .value(&["value"]),
        TypeRule::new("protocol_property_declaration")
            .name("name/bound_identifier")
            .ty(&["@type_annotation"]),
        TypeRule::new("function_declaration").result(&["return_type"]),
        TypeRule::new("protocol_function_declaration").result(&["return_type"]),
        TypeRule::new("lambda_parameter"),
        TypeRule::hides("enum_entry", "").each("name"),
        TypeRule::item("for_statement", "item", &["collection"]),
        TypeRule::hides("if_statement", "").each("bound_identifier"),
        TypeRule::hides("guard_statement", "").each("bound_identifier"),
        TypeRule::hides("while_statement", "").each("bound_identifier"),
        TypeRule::hides("pattern", "").names(PatternNames::Marked),
        TypeRule::hides("capture_list_item", "name").only_with(&["value"]),
        TypeRule::labels("control_transfer_statement", "result").only_with(&["@break", "@continue"]),
        TypeRule::hides("computed_setter", "@simple_identifier"),
        TypeRule::hides("willset_clause", "@simple_identifier"),
        TypeRule::hides("didset_clause", "@simple_identifier"),
        TypeRule::parameter("type_parameter"),
    ],
    makes: &[("as_expression", "type")],
    values: Values { constructs: true, has_implicit_self: true, items: items::SWIFT, ..Values::NONE },
    members: &["navigation_expression"],
    leaves: &["simple_identifier"],
    mentions: &[
        MentionRule { node: "prefix_expression", read: swift_members::implicit },
        type_aliases::SWIFT,
    ],
    discards: true,
    mask: Some(readable),
    sees_all: true,
    has_inner_types: true,
    ..Table::new(|| tree_sitter_swift::LANGUAGE.into())
};

/// Words of a property that can also name a case of an enumeration.
const ACCESSORS: [&str; 4] = ["didSet", "get", "set", "willSet"];

/// Returns the text that the parser sees: without `#if` and its other lines, and with another
/// letter at the end of a case that is called like an accessor.
fn readable(text: &str) -> Cow<'_, [u8]> {
    let mut seen = Cow::Borrowed(text.as_bytes());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let word = trimmed.split(|c: char| !c.is_alphanumeric() && c != '#').next().unwrap_or_default();
        if matches!(word, "#if" | "#elseif" | "#else" | "#endif") {
            lines::blank(seen.to_mut().get_mut(start..start + line.len()).unwrap_or_default());
        } else if line.contains("case ") {
            for end in accessors(line) {
                if let Some(letter) = seen.to_mut().get_mut(start + end - 1) {
                    *letter = b'_';
                }
            }
        }
        start += line.len();
    }
    seen
}

/// Returns the ends of the words of a line that name a case and could be an accessor: `case add,
/// set`.
fn accessors(line: &str) -> Vec<usize> {
    let found = ACCESSORS.iter().flat_map(|word| line.match_indices(word));
    let is_name = |&(at, word): &(usize, &str)| {
        let before = line.get(..at).unwrap_or_default();
        let behind = line.get(at + word.len()..).unwrap_or_default();
        let is_whole = !behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '`'));
        let is_case = before.rfind("case ").is_some_and(|case| {
            let names = before.get(case + 5..).unwrap_or_default();
            names.trim().is_empty() || names.trim_end().ends_with(',') && !names.contains(['(', ':'])
        });
        is_whole && is_case
    };
    found.filter(is_name).map(|(at, word)| at + word.len()).collect()
}

/// Distinguishes the kinds of types, which the grammar all treats as classes. An extension can name
/// a type in another one: `extension Outer.Inner`.
fn class(_: &str, node: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let name = found.name.filter(|name| name.kind() == "user_type");
    let last = name.and_then(|name| step(name, "@@type_identifier"));
    found.path =
        name.zip(last).map(|(all, last)| ByteRange { start: range(all).start, end: range(last).start });
    found.kind = match node.child_by_field_name("declaration_kind").map(|word| word.kind()) {
        Some("struct") => K::Struct,
        Some("enum") => K::Enum,
        Some("extension") => K::Implementation,
        _ => K::Class,
    };
    true
}

/// Returns the names of `let a = 1, b = 2` and `let (a, b) = c`.
fn names(node: Node<'_>) -> Vec<Node<'_>> {
    let patterns = in_field(node, "name").into_iter().filter(|pattern| pattern.kind() == "pattern");
    let names = patterns.flat_map(|pattern| of_pattern(Some(pattern), &[("pattern", "")]));
    names.filter(|name| name.kind() == "simple_identifier").collect()
}

/// Accepts properties at the top level, constants of a type, and computed properties.
fn property<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let computed = node.child_by_field_name("computed_value");
    let Some(name) = found.name else { return false };
    let words = text.get(node.start_byte()..name.start_byte()).unwrap_or_default();
    let has = |word| words.split_whitespace().any(|one| one == word);
    if has("let") {
        found.kind = K::Constant;
    }
    if found.around[0] == "source_file" {
        return true;
    }
    if computed.is_some() {
        (found.kind, found.body) = (K::Field, computed);
    }
    computed.is_some() || (has("static") && has("let"))
}
