//! The numbers of kinds and methods in records. They are never reused (FORMAT.md, "Record").

use crate::index::chunk::{ChunkKind, DeclarationKind, Method, ReferenceKind};

/// Returns the chunking method with this code.
pub(super) fn method_from_code(code: u8) -> Option<Method> {
    [Method::Syntax, Method::Windows, Method::Fallback].into_iter().find(|&m| m as u8 == code)
}

/// Returns the chunk kind with this code.
pub fn chunk_kind_from_code(code: u8) -> Option<ChunkKind> {
    use ChunkKind::*;
    [Head, Declaration, Part, Group, Code, Section, Data, Window].into_iter().find(|&k| k as u8 == code)
}

/// Returns the reference kind with this code.
pub fn reference_kind_from_code(code: u8) -> Option<ReferenceKind> {
    use ReferenceKind::*;
    [Call, Import, Type, Inherits, Link, Use, Gives].into_iter().find(|&k| k as u8 == code)
}

/// Returns the declaration kind with this code.
pub fn declaration_kind_from_code(code: u8) -> Option<DeclarationKind> {
    use DeclarationKind::*;
    const KINDS: [DeclarationKind; 22] = [
        Function,
        Method,
        Constructor,
        Class,
        Struct,
        Interface,
        Enum,
        Variant,
        Union,
        Type,
        Implementation,
        Module,
        Constant,
        Variable,
        Field,
        Macro,
        Test,
        Section,
        Key,
        Rule,
        Table,
        Element,
    ];
    KINDS.get(usize::from(code).checked_sub(1)?).copied().filter(|&k| k as u8 == code)
}
