//! Java.

use crate::chunk::table::{Call, Declare, Import, Imported, Meaning, Name, Path, Region, Scope, Table};
use crate::chunk::{DeclarationKind as K, ReferenceKind};

/// Java's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        Declare::new("class_declaration", K::Class),
        Declare::new("record_declaration", K::Struct),
        Declare::new("interface_declaration", K::Interface),
        Declare::new("annotation_type_declaration", K::Interface),
        Declare::new("enum_declaration", K::Enum),
        Declare::new("module_declaration", K::Module),
        Declare::new("method_declaration", K::Method),
        Declare::new("annotation_type_element_declaration", K::Method).body(&[]),
        Declare::new("constructor_declaration", K::Constructor),
        Declare::new("compact_constructor_declaration", K::Constructor),
        Declare::new("constant_declaration", K::Constant)
            .name(Name::At(&["declarator", "name"]))
            .body(&["declarator", "value"])
            .scope(Scope::Outside),
    ],
    comments: &["line_comment", "block_comment"],
    attributes: &["annotation", "marker_annotation"],
    heads: &["package_declaration"],
    imports: &[Import {
        names: &[Imported::leaf("scoped_identifier"), Imported::leaf("identifier")],
        split: true,
        wildcard: "asterisk",
        ..Import::new("import_declaration", "")
    }],
    calls: &[
        Call { node: "method_invocation", function: "" },
        Call { node: "object_creation_expression", function: "type" },
        Call { node: "annotation", function: "name" },
        Call { node: "marker_annotation", function: "name" },
    ],
    paths: &[
        Path { node: "method_invocation", object: "object", name: "name" },
        Path { node: "field_access", object: "object", name: "field" },
        Path { node: "scoped_identifier", object: "scope", name: "name" },
        Path { node: "scoped_type_identifier", object: "#0", name: "#-1" },
        Path { node: "generic_type", object: "", name: "#0" },
    ],
    types: &["type_identifier", "scoped_type_identifier"],
    regions: &[
        Region { node: "superclass", meaning: Meaning::Refers(ReferenceKind::Inherits) },
        Region { node: "super_interfaces", meaning: Meaning::Refers(ReferenceKind::Inherits) },
        Region { node: "extends_interfaces", meaning: Meaning::Refers(ReferenceKind::Inherits) },
        Region { node: "type_arguments", meaning: Meaning::Arguments },
    ],
    names: &["type_identifier"],
    strings: &["string_literal"],
    opaque: &["string_literal"],
    ..Table::new(|| tree_sitter_java::LANGUAGE.into())
};
