//! Names that a module inside a file declares, and that are seen in it without a qualifier: Rust's
//! `mod tests {…}`, a namespace of TypeScript, a module of Elixir or OCaml.
//!
//! Input: the candidates of a bare name. Output: those of the modules around the mention. A chunk
//! may hold several modules. Then all of them count here, and who reads the text keeps those that
//! are around a place.

use crate::index::chunk::{ByteRange, DeclarationKind};

use crate::search::graph::module::Module;
use crate::search::graph::resolve::{Matches, Site, nothing, pick};
use crate::search::graph::{Candidate, Evidence, Result, is_type};
use crate::search::segment::Mention;

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a bare name to what one of these opened modules declares, innermost first, or else
    /// as if none were open. The names of the modules have a blank between two.
    pub(in crate::search::graph) fn in_opened_modules(
        &self,
        modules: &str,
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        for qualifier in modules.split(' ') {
            let found = self.resolve(&Mention { qualifier, ..*mention })?;
            if found.0.is_certain() && !found.1.is_empty() {
                return Ok(found);
            }
        }
        self.resolve(mention)
    }

    /// Resolves a bare name to what the modules around the mention declare: the innermost one
    /// around the whole chunk, and those around parts of it.
    ///
    /// [`Evidence::Name`] if the name may mean something outside of these modules, too.
    pub(in crate::search::graph) fn in_modules_around(
        &self,
        candidates: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        let chunk = self.file.segment.chunk(self.from.ord).map_or(ByteRange::default(), |row| row.span.bytes);
        let is_around = |of: ByteRange| of.start <= chunk.start && chunk.end <= of.end;
        let start = |one: &Candidate<'s>| module_of(one).filter(|of| is_around(*of)).map(|of| of.start);
        let overlaps = |one: &Candidate<'s>| {
            module_of(one).is_some_and(|of| of.start < chunk.end && chunk.start < of.end)
        };
        let inner = pick(candidates, |one| {
            self.is_here(one) && !one.is_local && !is_type(one.row.kind) && overlaps(one)
        });
        let innermost = inner.iter().filter_map(|one| start(one)).max();
        let mut found = pick(&inner, |one| start(one).is_none() || start(one) == innermost);
        if found.is_empty() {
            return Ok(nothing());
        }
        if found.iter().all(|one| start(one).is_some()) {
            return Ok((Evidence::File, found));
        }
        // Outside of the module, an import gives the name another meaning.
        let import = self.scope.imports.iter().find(|import| import.local == mention.name);
        let Some(import) = import else { return Ok((Evidence::Name, found)) };
        found.extend(self.imported(import, mention.kind)?);
        Ok((Evidence::Alternative, found))
    }
}

/// Returns the bytes of the module that directly contains a declaration; `None` at the top of a
/// file, and for a member of a type.
fn module_of(one: &Candidate<'_>) -> Option<ByteRange> {
    let segment = one.file.segment;
    if !segment.scope(&one.row).is_empty() {
        return None;
    }
    let parent = segment.declaration(one.row.parent?)?;
    let is_module = parent.kind == DeclarationKind::Module
        // A protocol of Elixir and its implementations are modules, too.
        || one.family.declares_modules() && is_type(parent.kind);
    is_module.then_some(parent.span.bytes)
}

/// Returns whether a declaration of Elixir or Perl is directly in the module with this full name.
pub(in crate::search::graph) fn is_in_declared_module(one: &Candidate<'_>, module: &Module) -> bool {
    let segment = one.file.segment;
    let path = segment.symbol_path(one.at.ord);
    let name = segment.name(&one.row);
    let within = path.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':']);
    module.is_named(within)
}
