//! GLSL, the language of shaders; also HLSL, Metal and WGSL as far as they look like C.
//!
//! Its grammar is that of C with more words.

use super::c::{DECLARED, DEFINED, FIELD, PARAMETER, declarators};
use super::c::{ENUM, FUNCTION, INCLUDES, MACRO, MACRO_FUNCTION, SCOPES, STRUCT, VARIABLE};
use super::macro_bodies;
use crate::index::chunk::DeclarationKind as K;
use crate::index::chunk::parts::of_kind;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{Call, DeclarationCandidate, DeclarationRule, Path, Table, WrapperRule};
use tree_sitter::Node;

/// GLSL's table.
pub(super) static TABLE: Table = Table {
    declarations: &[FUNCTION, DECLARATION, STRUCT, ENUM, MACRO, MACRO_FUNCTION],
    wrappers: &[WrapperRule::new("declaration")],
    scopes: SCOPES,
    imports: INCLUDES,
    calls: &[Call::new("call_expression", "function")],
    words: BUILT_IN,
    reserved: super::reserved::C,
    paths: &[Path::new("field_expression", "argument", "field")],
    types: &["type_identifier"],
    strings: &["string_literal", "system_lib_string"],
    opaque: &["string_literal", "char_literal", "preproc_arg"],
    typed: &[PARAMETER, DECLARED, FIELD, DEFINED],
    leaves: &["identifier"],
    mentions: &[macro_bodies::OBJECT, macro_bodies::FUNCTION],
    ..Table::new(|| tree_sitter_glsl::LANGUAGE_GLSL.into())
};

/// A variable, or a block of them: `uniform Lights { … } lights;`.
const DECLARATION: DeclarationRule = DeclarationRule { parts: Some(names), ..VARIABLE }.refine(declaration);

/// Returns what a statement declares: a block and the variable that holds it, or variables.
fn names(node: Node<'_>) -> Vec<Node<'_>> {
    if fields(node).is_some() { of_kind(node, "identifier") } else { declarators(node) }
}

/// Returns the fields of a block.
fn fields(node: Node<'_>) -> Option<Node<'_>> {
    step(node, "@field_declaration_list")
}

/// Makes a block a structure.
fn declaration<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(fields) = fields(node) else {
        return VARIABLE.refine.is_none_or(|refine| refine(text, node, found));
    };
    if found.part.start_byte() < fields.start_byte() {
        (found.kind, found.body) = (K::Struct, Some(fields));
    }
    true
}

/// Functions and types of the language itself.
const BUILT_IN: &[&str] = &[
    "abs",
    "acos",
    "all",
    "any",
    "asin",
    "atan",
    "bool",
    "bvec2",
    "bvec3",
    "bvec4",
    "ceil",
    "clamp",
    "cos",
    "cross",
    "dFdx",
    "dFdy",
    "degrees",
    "distance",
    "dot",
    "double",
    "exp",
    "exp2",
    "float",
    "floor",
    "fract",
    "fwidth",
    "int",
    "inverse",
    "inversesqrt",
    "ivec2",
    "ivec3",
    "ivec4",
    "length",
    "log",
    "log2",
    "mat2",
    "mat3",
    "mat4",
    "max",
    "min",
    "mix",
    "mod",
    "normalize",
    "pow",
    "radians",
    "reflect",
    "refract",
    "round",
    "sampler2D",
    "sampler3D",
    "samplerCube",
    "sign",
    "sin",
    "smoothstep",
    "sqrt",
    "step",
    "tan",
    "texelFetch",
    "texture",
    "textureLod",
    "textureSize",
    "transpose",
    "uint",
    "uvec2",
    "uvec3",
    "uvec4",
    "vec2",
    "vec3",
    "vec4",
    "void",
];
