//! Code of Elixir that a module gets from another one, by `use`: a file → the imports in that code.
//!
//! `use A` runs the macro `__using__` of the module `A`, which mostly returns a `quote` with
//! imports. Those count in the file as if they were written there.

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::segment::{FileView, Mention};

use crate::search::graph::family::ELIXIR;
use crate::search::graph::scope::{Import, Scope};
use crate::search::graph::{Candidate, Graph, Result};

/// Most modules whose code one file uses.
const MAX_USED: usize = 64;

impl<'s> Graph<'_, 's> {
    /// Adds the imports that a file has by the modules that it uses.
    pub(in crate::search::graph) fn add_used_imports(
        &self,
        file: &FileView<'s>,
        scope: &mut Scope<'s>,
    ) -> Result<()> {
        let mut left = MAX_USED;
        for chunk in file.segment.chunks_of(file.ord) {
            for mention in file.segment.mentions(chunk)? {
                if mention.kind != ReferenceKind::Inherits || left == 0 {
                    continue;
                }
                left -= 1;
                let Some(module) = self.used_module(&mention, scope)? else { continue };
                if (module.file.part, module.file.ord) != (file.part, file.ord) {
                    let given = Scope::of(&module.file)?.exports;
                    scope.imports.extend(given);
                }
            }
        }
        Ok(())
    }

    /// Returns the only module that a name means in a file.
    fn used_module(&self, mention: &Mention<'s>, scope: &Scope<'s>) -> Result<Option<Candidate<'s>>> {
        let written = match mention.qualifier {
            "" => mention.name.to_owned(),
            qualifier => format!("{qualifier}.{}", mention.name),
        };
        let (first, rest) =
            written.split_once('.').map_or((&*written, None), |(first, rest)| (first, Some(rest)));
        let is_it = |import: &&Import<'s>| import.local == first && import.name != "*";
        let whole = scope.imports.iter().find(is_it).map(|import| {
            // `alias Shop.Util` names `Util` of `Shop`.
            let module = match import.written == import.name {
                true => import.name.to_owned(),
                false => format!("{}.{}", import.written, import.name),
            };
            rest.map_or(module.clone(), |rest| format!("{module}.{rest}"))
        });
        let whole = whole.as_deref().unwrap_or(&written);
        let is_it = |one: &&Candidate<'s>| {
            one.family == ELIXIR
                && one.row.kind == DeclarationKind::Module
                && one.file.segment.symbol_path(one.at.ord) == whole
        };
        let mut modules = self.candidates(mention.name)?.iter().filter(is_it);
        Ok(modules.next().copied().filter(|_| modules.next().is_none()))
    }
}
