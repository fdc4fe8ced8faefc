//! The words that stand for kinds and symbols in everything that is printed or parsed.

use crate::index::chunk::{Language, ReferenceKind};
use crate::index::record::IndexedFile;

pub use crate::search::query::{chunk_kind_name as chunk_kind, declaration_kind_name as declaration_kind};

/// The word for a kind of reference.
pub fn reference_kind(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "call",
        ReferenceKind::Import => "import",
        ReferenceKind::Type => "type",
        ReferenceKind::Inherits => "inherits",
        ReferenceKind::Link => "link",
        ReferenceKind::Use => "use",
        ReferenceKind::Gives => "gives",
    }
}

/// The symbol path of a declaration: the names around it and its own, joined as its language joins them.
pub fn symbol_path(file: &IndexedFile, declaration: u32) -> String {
    let separator = Language::from_name(&file.language).map_or(".", Language::separator);
    let mut names: Vec<&str> = Vec::new();
    let mut next = Some(declaration);
    while let Some(declaration) = next.and_then(|ord| file.declarations.get(ord as usize)) {
        names.push(&declaration.name);
        if !declaration.scope.is_empty() {
            names.push(&declaration.scope);
        }
        // A parent comes before its children: the walk ends.
        next = declaration.parent.filter(|&parent| Some(parent) < next);
    }
    names.reverse();
    names.join(separator)
}
