//! Names that stand for something outside the repository, as the file that has them says.
//!
//! A type of the repository may have the name of one of a library: `Mutex` beside `sync.Mutex`. An
//! import, or the name of the standard library in front, tells them apart. Where a file says
//! neither, nothing is said here.

use crate::index::chunk::ReferenceKind;
use crate::search::segment::{ChunkRef, Mention};

use super::expr_types::type_mention;
use super::family::Family;
use super::resolve::{Site, segments};
use super::{Graph, Result};

/// The crates of Rust's standard library.
const RUST_LIBRARY: [&str; 3] = ["alloc", "core", "std"];

impl Graph<'_, '_> {
    /// Returns whether a path, as a chunk has it (`sync.Mutex`, `Mutex`), certainly means something
    /// outside the repository.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn is_outside(&self, from: ChunkRef, path: &str) -> Result<bool> {
        match self.site(from)? {
            Some(site) => site.is_outside(path),
            None => Ok(false),
        }
    }
}

impl Site<'_, '_, '_> {
    fn is_outside(&self, path: &str) -> Result<bool> {
        let names = segments(path);
        let Some((first, rest)) = names.split_first() else { return Ok(false) };
        let of_library =
            |written: &str| segments(written).first().is_some_and(|it| RUST_LIBRARY.contains(it));
        let mut imports = self.scope.imports.iter().filter(|import| import.local == *first);
        match self.scope.family {
            Family::C => Ok(*first == "std" && path.contains("::")),
            Family::Rust => Ok(match rest.is_empty() {
                true => imports.any(|import| of_library(import.written)),
                false => of_library(path) || imports.any(|import| of_library(import.written)),
            }),
            Family::Go => {
                Ok(!rest.is_empty() && imports.any(|import| !self.is_of_own_package(import.written)))
            }
            Family::Jvm | Family::Php => {
                let Some(import) = imports.next() else { return Ok(false) };
                let named = Mention {
                    kind: ReferenceKind::Import,
                    name: import.name,
                    qualifier: import.written,
                    alias: "",
                };
                Ok(self.resolve(&named)?.1.is_empty())
            }
            Family::Python | Family::Script => Ok(self.is_imported_from_outside(&type_mention(path))),
            _ => Ok(false),
        }
    }

    /// Returns whether a module, as an import names it, belongs to a package of the repository.
    pub(super) fn is_of_own_package(&self, module: &str) -> bool {
        module.starts_with('.') || self.graph.packages.iter().any(|one| one.has_module(module))
    }
}

/// Returns whether a module of JavaScript is a package, and not a file of a path that settings
/// declare.
pub(super) fn is_npm_package(module: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric();
    match module.strip_prefix('@') {
        Some(scoped) => scoped.starts_with(is_plain) && scoped.contains('/'),
        None => module.starts_with(is_plain) && (!module.contains('/') || module.starts_with("node:")),
    }
}
