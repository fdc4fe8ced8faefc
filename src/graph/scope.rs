//! What a file says about names: its imports, and where it lies.

use bstr::BStr;

use crate::chunk::ReferenceKind;
use crate::segment::FileView;

use super::Result;
use super::family::Family;
use super::module::Module;

/// Imports of a file beyond this many are generated, and don't count.
const MAX_IMPORTS: usize = 4000;

/// What a file says.
#[derive(Debug)]
pub(super) struct Scope<'s> {
    pub(super) family: Family<'s>,
    pub(super) path: &'s BStr,
    pub(super) imports: Vec<Import<'s>>,
}

/// A name, or all names of a module, that a file imports.
#[derive(Debug)]
pub(super) struct Import<'s> {
    /// What it is called in the file; empty if it brings all names.
    pub(super) local: &'s str,
    /// What it is called where it is declared.
    pub(super) name: &'s str,
    /// Where that is.
    pub(super) module: Module,
}

impl<'s> Scope<'s> {
    /// Reads what a file says.
    pub(super) fn of(file: &FileView<'s>) -> Result<Self> {
        let family = Family::of(file.language());
        let path = file.path();
        let mut imports = Vec::new();
        for chunk in file.segment.chunks_of(file.ord) {
            for mention in file.segment.mentions(chunk)? {
                if mention.kind != ReferenceKind::Import || imports.len() >= MAX_IMPORTS {
                    continue;
                }
                let brings_all = mention.name == "*" || family.imports_all();
                let module = if mention.qualifier.is_empty() { mention.name } else { mention.qualifier };
                let local = if mention.alias.is_empty() { mention.name } else { mention.alias };
                imports.push(Import {
                    local: if brings_all { "" } else { local },
                    name: mention.name,
                    module: Module::parse(family, path, module),
                });
            }
        }
        Ok(Self { family, path, imports })
    }

    /// The folder that the file lies in.
    pub(super) fn folder(&self) -> &'s [u8] {
        folder(self.path)
    }
}

/// The folder of a path.
pub(super) fn folder(path: &BStr) -> &[u8] {
    path.iter().rposition(|&byte| byte == b'/').and_then(|at| path.get(..at)).unwrap_or_default()
}
