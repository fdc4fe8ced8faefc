//! TypeScript and TSX: JavaScript's rules, and those for types.
//!
//! TSX has its own grammar, in which elements are calls; otherwise both tables are the same.

use super::items;
use super::javascript::{
    ASSIGNED, ASSIGNMENT, CALLS, HOISTING, IMPORT, IMPORT_CALLS, IMPORT_NAMES, JSX_CALLS, LITERALS, MEMBER,
    MENTIONS, METHOD, OBJECTS, PAIR, REACTIVE, REEXPORT, TEST, VALUES, VARIABLE, WRAPPERS,
};
use super::javascript_objects;
use super::type_aliases;
use crate::index::chunk::table::{
    DeclarationRule, Import, Meaning, MentionRule, Name, Path, Region, Table, TypeRule, Values, WrapperRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};

/// TypeScript's table.
pub(super) static TABLE: Table = BASE;

const BASE: Table = Table {
    declarations: DECLARATIONS,
    wrappers: TS_WRAPPERS,
    comments: &["comment", "html_comment"],
    attributes: &["decorator"],
    heads: &["hash_bang_line", "import_statement"],
    imports: IMPORTS,
    import_calls: IMPORT_CALLS,
    calls: CALLS,
    words: &["super"],
    paths: PATHS,
    types: &["type_identifier", "nested_type_identifier"],
    regions: REGIONS,
    typed: &[
        TypeRule::new("required_parameter")
            .name("pattern")
            .value(&["value"])
            .member("@accessibility_modifier"),
        TypeRule::new("optional_parameter").name("pattern").member("@accessibility_modifier"),
        TypeRule::new("variable_declarator").value(&["value"]),
        TypeRule::new("public_field_definition").value(&["value"]),
        TypeRule::new("property_signature"),
        ASSIGNED,
        TypeRule::new("function_declaration").result(&["return_type"]),
        TypeRule::new("method_definition").result(&["return_type"]),
        TypeRule::new("method_signature").result(&["return_type"]),
        TypeRule::new("abstract_method_signature").result(&["return_type"]),
        TypeRule::hides("arrow_function", "parameter"),
        TypeRule::item("for_in_statement", "left", &["right"]),
        TypeRule::hides("catch_clause", "parameter"),
        TypeRule::hides("object_pattern", ""),
        TypeRule::hides("array_pattern", ""),
        TypeRule::test("if_statement"),
        TypeRule::test("ternary_expression"),
        TypeRule::test("while_statement"),
        TypeRule::own_name("class"),
        TypeRule::own_name("function_expression"),
        TypeRule::own_name("generator_function"),
        TypeRule::parameter("type_parameter"),
    ],
    makes: &[("new_expression", "constructor"), ("as_expression", "#-1"), ("satisfies_expression", "#-1")],
    values: Values {
        wrappers: &["Partial", "Readonly", "Required"],
        failures: &["Promise"],
        items: items::TYPESCRIPT,
        objects: OBJECTS,
        ..Values::NONE
    },
    names: &["identifier", "property_identifier", "private_property_identifier"],
    strings: &["string", "template_string"],
    constructors: &["constructor"],
    opaque: &["regex", "string", "predefined_type"],
    literals: LITERALS,
    members: &["member_expression"],
    leaves: &["identifier", "shorthand_property_identifier"],
    member_leaves: &["property_identifier", "private_property_identifier"],
    mentions: TS_MENTIONS,
    has_inner_types: true,
    hoisting: HOISTING,
    ..Table::new(|| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into())
};

/// TSX's table.
pub(super) static TSX: Table =
    Table { grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(), calls: JSX_CALLS, ..BASE };

const DECLARATIONS: &[DeclarationRule] = &[
    DeclarationRule::new("class_declaration", K::Class),
    DeclarationRule::new("abstract_class_declaration", K::Class),
    DeclarationRule::new("interface_declaration", K::Interface),
    DeclarationRule::new("enum_declaration", K::Enum),
    DeclarationRule::new("type_alias_declaration", K::Type).body(&["value"]),
    DeclarationRule::new("internal_module", K::Module),
    DeclarationRule::new("module", K::Module),
    DeclarationRule::new("function_declaration", K::Function),
    DeclarationRule::new("generator_function_declaration", K::Function),
    DeclarationRule::new("function_signature", K::Function),
    METHOD,
    DeclarationRule::new("abstract_method_signature", K::Method),
    DeclarationRule::new("method_signature", K::Method).refine(javascript_objects::signature),
    DeclarationRule::new("public_field_definition", K::Method)
        .name(Name::At(&["name"]))
        .body(&["value"])
        .refine(javascript_objects::field),
    VARIABLE,
    ASSIGNMENT,
    PAIR,
    REACTIVE,
    TEST,
    VALUES[0],
    VALUES[1],
    VALUES[2],
    VALUES[3],
];

const TS_MENTIONS: &[MentionRule] =
    &[MENTIONS[0], MENTIONS[1], MENTIONS[2], MENTIONS[3], MENTIONS[4], type_aliases::SCRIPT];

const TS_WRAPPERS: &[WrapperRule] =
    &[WRAPPERS[0], WRAPPERS[1], WRAPPERS[2], WRAPPERS[3], WrapperRule::new("ambient_declaration")];

const IMPORTS: &[Import] = &[
    IMPORT,
    REEXPORT,
    Import { alias: "#0", ..Import::new("import_require_clause", "source") },
    Import { alias: "#0", names: IMPORT_NAMES, split: true, ..Import::new("import_alias", "#-1") },
];

const PATHS: &[Path] = &[
    MEMBER,
    Path::new("nested_type_identifier", "module", "name"),
    Path::new("nested_identifier", "object", "property"),
    Path::new("non_null_expression", "", "#0"),
    Path::new("instantiation_expression", "", "function"),
];

const REGIONS: &[Region] = &[
    Region::new("class_heritage", Meaning::Refers(ReferenceKind::Inherits)),
    Region::new("extends_type_clause", Meaning::Refers(ReferenceKind::Inherits)),
    Region::new("type_arguments", Meaning::Arguments),
];
