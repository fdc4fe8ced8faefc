//! Words for kinds and symbol paths, shared by everything that is printed or parsed.
//!
//! They are in one place so that a word in an answer can be used in a query. Must not hold text for
//! one output format: the views do.

use crate::index::chunk::{Declaration, Language, ReferenceKind, without_language};
use crate::index::record::IndexedFile;

pub use crate::search::query::{chunk_kind_name as chunk_kind, declaration_kind_name as declaration_kind};

/// Returns the word for a kind of reference.
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

/// Returns the words for what is around a place: the kind of the declaration, or that there is
/// none.
pub fn around<'k>(kind: &'k str, symbol: &str) -> &'k str {
    if symbol.is_empty() { outside(kind) } else { kind }
}

/// Returns the words for a place outside of any declaration, in a chunk of this kind.
pub fn outside(chunk_kind: &str) -> &'static str {
    match chunk_kind {
        "section" | "data" | "window" => "text outside declarations",
        _ => "code outside declarations",
    }
}

/// Returns the symbol path of a declaration: the enclosing names and its own, joined as its
/// language joins them.
pub fn symbol_path(file: &IndexedFile, declaration: u32) -> String {
    let separator = Language::from_name(&file.language).map_or(".", Language::separator);
    joined_path(&file.declarations, declaration, separator)
}

/// Returns the symbol path of one of a file's declarations.
pub(crate) fn joined_path(declarations: &[Declaration], declaration: u32, separator: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut next = Some(declaration);
    while let Some(declaration) = next.and_then(|ord| declarations.get(ord as usize)) {
        names.push(&declaration.name);
        let scope = without_language(&declaration.scope);
        if !scope.is_empty() {
            names.push(scope);
        }
        // A parent comes before its children, so the walk ends even for damaged data.
        next = declaration.parent.filter(|&parent| Some(parent) < next);
    }
    names.reverse();
    names.join(separator)
}
