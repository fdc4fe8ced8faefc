//! Interfaces of TypeScript to which other modules add: `declare module "./a" { interface B {} }`.
//!
//! Input: the interface that a name means. Output: the declarations that TypeScript merges with it
//! (<https://www.typescriptlang.org/docs/handbook/declaration-merging.html>). Only modules that are
//! named by a path count: a plain name may be that of a namespace.

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::segment::{ChunkRef, Mention};

use super::family::Family;
use super::resolve::{Matches, Site};
use super::{Candidate, Graph, Result, is_type};

/// Most interfaces of one name that may add to another one.
const MAX_INTERFACES: usize = 100;

impl<'g, 's> Site<'g, '_, 's> {
    /// Adds to the interface that a mention certainly means the declarations that add to it.
    pub(super) fn with_augmentations(
        &self,
        (evidence, mut found): Matches<'g, 's>,
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        let is_type = matches!(mention.kind, ReferenceKind::Type | ReferenceKind::Inherits);
        if self.scope.family == Family::Script
            && is_type
            && evidence.is_certain()
            && let [of] = found.as_slice()
            && of.row.kind == DeclarationKind::Interface
        {
            found.extend(self.graph.augmentations(of)?);
        }
        Ok((evidence, found))
    }
}

impl<'s> Graph<'_, 's> {
    /// Returns the interfaces in other modules that add to one.
    fn augmentations(&self, of: &Candidate<'s>) -> Result<&[Candidate<'s>]> {
        if let Some(known) = self.augmentations.get(&of.at) {
            return Ok(known);
        }
        let name = of.file.segment.name(&of.row);
        let all = self.candidates(name)?.iter();
        // `a.B.prototype` means the value of that name, and is recorded like the type.
        let is_value = |one: &Candidate<'s>| {
            (one.file.part, one.file.ord) == (of.file.part, of.file.ord) && !is_type(one.row.kind)
        };
        if all.clone().any(is_value) {
            return Ok(self.augmentations.insert(of.at, Box::default()));
        }
        let is_other = |one: &&Candidate<'s>| one.at != of.at && one.row.kind == of.row.kind;
        let mut found = Vec::new();
        for one in all.filter(is_other).take(MAX_INTERFACES) {
            let segment = one.file.segment;
            let around = one.row.parent.and_then(|parent| segment.declaration(parent));
            let around = around.filter(|around| around.kind == DeclarationKind::Module);
            let module = around.map_or("", |around| segment.name(&around));
            if !module.contains('/') {
                continue;
            }
            let chunk = ChunkRef { part: one.at.part, ord: segment.chunk_of_name(&one.row) };
            let Some(site) = self.site(chunk)? else { continue };
            let import = Mention { kind: ReferenceKind::Import, name, qualifier: module, alias: "" };
            if site.resolve(&import)?.1.iter().any(|imported| imported.at == of.at) {
                found.push(*one);
            }
        }
        Ok(self.augmentations.insert(of.at, found.into()))
    }
}

#[cfg(test)]
mod tests {
    use crate::search::graph::tests::check;

    #[test]
    fn other_modules_add_to_an_interface() {
        let added =
            "export const b = 1\ndeclare module '../store' {\n  interface Store {\n    log(): void\n  }\n}\n";
        check(
            &[
                (
                    "src/store.ts",
                    "export interface Store {\n  open(): void\n}\nexport type Key = keyof Store\n",
                ),
                ("src/parts/log.ts", added),
                ("lib/parts/other.ts", added),
                ("src/namespace.ts", "namespace store {\n  interface Store {\n    no(): void\n  }\n}\n"),
                (
                    "src/use.ts",
                    "import type { Store } from './store'\nexport function use(store: Store) {\n  store.log()\n}\n",
                ),
                (
                    "src/two.ts",
                    "export interface Two {\n  a(): void\n}\nexport const Two = make()\nf(Two.prototype)\n",
                ),
                ("src/more.ts", "declare module './two' {\n  interface Two {\n    b(): void\n  }\n}\n"),
            ],
            &[
                (
                    "src/store.ts",
                    "Store",
                    &["src/parts/log.ts ../store.Store (same file)", "src/store.ts Store (same file)"],
                ),
                (
                    "src/use.ts",
                    "Store",
                    &["src/parts/log.ts ../store.Store (import)", "src/store.ts Store (import)"],
                ),
                ("src/use.ts", "log", &["src/parts/log.ts ../store.Store.log (declared type)"]),
                ("src/two.ts", "Two", &["src/two.ts Two (same file)"]),
            ],
        );
    }
}
