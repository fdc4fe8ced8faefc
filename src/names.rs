//! The words that stand for kinds and symbols in everything that is printed or parsed.

use crate::chunk::{ChunkKind, DeclarationKind, Language, ReferenceKind};
use crate::record::IndexedFile;

/// The word for a kind of declaration.
pub fn declaration_kind(kind: DeclarationKind) -> &'static str {
    use DeclarationKind::*;
    match kind {
        Function => "function",
        Method => "method",
        Constructor => "constructor",
        Class => "class",
        Struct => "struct",
        Interface => "interface",
        Enum => "enum",
        Variant => "variant",
        Union => "union",
        Type => "type",
        Implementation => "implementation",
        Module => "module",
        Constant => "constant",
        Variable => "variable",
        Field => "field",
        Macro => "macro",
        Test => "test",
        Section => "section",
        Key => "key",
        Rule => "rule",
        Table => "table",
        Element => "element",
    }
}

/// The word for a kind of chunk.
pub fn chunk_kind(kind: ChunkKind) -> &'static str {
    match kind {
        ChunkKind::Head => "head",
        ChunkKind::Declaration => "declaration",
        ChunkKind::Part => "part",
        ChunkKind::Group => "group",
        ChunkKind::Code => "code",
        ChunkKind::Section => "section",
        ChunkKind::Data => "data",
        ChunkKind::Window => "window",
    }
}

/// The word for a kind of reference.
pub fn reference_kind(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "call",
        ReferenceKind::Import => "import",
        ReferenceKind::Type => "type",
        ReferenceKind::Inherits => "inherits",
        ReferenceKind::Link => "link",
    }
}

/// The symbol path of a declaration: the names around it and its own, joined as its language joins them.
pub fn symbol_path(file: &IndexedFile, declaration: u32) -> String {
    let separator = Language::from_name(&file.language).map_or(".", Language::separator);
    let mut names: Vec<&str> = Vec::new();
    let mut next = Some(declaration);
    while let Some(declaration) = next.and_then(|ord| file.declarations.get(ord as usize)) {
        names.push(&declaration.name);
        // A parent comes before its children: the walk ends.
        next = declaration.parent.filter(|&parent| Some(parent) < next);
    }
    names.reverse();
    names.join(separator)
}
