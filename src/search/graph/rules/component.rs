//! Components of Vue, Svelte and Astro: what a tag with hyphens means, and what an import of a
//! component's file does.
//!
//! Such a file exports its component by default. So an import may call it as it likes, and nothing
//! else of the file has the component's name.

use bstr::ByteSlice;

use crate::base::text::identifier::in_pascal_case;
use crate::index::chunk::ReferenceKind;
use crate::search::graph::resolve::{Candidates, Matches, Site};
use crate::search::graph::scope::Import;
use crate::search::graph::{Candidate, Evidence, Graph, Result};
use crate::search::segment::terms::symbol_key;
use crate::search::segment::{Mention, component_name, hyphenated_tags, is_component_language};

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a tag with hyphens as the name that its component has in code. `None` if it is not
    /// such a tag, or if no component has such a name.
    pub(in crate::search::graph) fn hyphenated(
        &self,
        mention: &Mention<'_>,
    ) -> Result<Option<Matches<'g, 's>>> {
        let is_tag = mention.kind == ReferenceKind::Call
            && mention.name.contains('-')
            && mention.qualifier.is_empty()
            && is_component_language(self.file.language());
        if !is_tag {
            return Ok(None);
        }
        let name = in_pascal_case(mention.name, '-');
        let is_imported = |name: &str| self.scope.imports.iter().any(|import| import.local == name);
        if is_imported(&name) {
            return self.resolve(&Mention { name: &name, ..*mention }).map(Some);
        }
        // The application may register the component by any name.
        let mut names = self.graph.components_of_tag(mention.name);
        names.retain(|name| hyphenated_tags(name).iter().any(|tag| tag == mention.name));
        let [name] = names.as_slice() else { return Ok(None) };
        let (evidence, found) = self.resolve(&Mention { name, ..*mention })?;
        Ok(Some((evidence.max(Evidence::Sole), found)))
    }

    /// Returns the component that an import of its file brings in by a name of its own.
    pub(in crate::search::graph) fn default_component(
        &self,
        import: &Import<'_>,
        kind: ReferenceKind,
    ) -> Result<Candidates<'g, 's>> {
        let file = import.written.trim_matches(['"', '\'']);
        // Files of these languages end with the name of the language.
        let ending = file.rsplit_once('.').map(|(_, ending)| ending);
        let Some(language) = ending.filter(|ending| is_component_language(ending)) else {
            return Ok(Vec::new());
        };
        // A file `index.vue` has the name of its folder, which may be the importing one.
        let beside = file.strip_prefix("./").filter(|rest| !rest.contains('/'));
        let path = beside.map(|name| format!("{}/{name}", self.scope.folder().to_str_lossy()));
        let name = component_name(language, path.as_deref().unwrap_or(file).into());
        let Some(name) = name else { return Ok(Vec::new()) };
        let is_component = |one: &Candidate<'s>| {
            !self.is_here(one) && one.file.language() == language && one.file.is_component(one.at.ord)
        };
        let found = self.in_module(&self.candidates(&name, kind)?, import.module(), is_component);
        let mut kept = Vec::new();
        for one in found {
            let scope = self.graph.scope(&one.file)?;
            let hands_on = scope.imports.iter().any(|of| of.local == import.name);
            let renames = || {
                let exports = self.graph.exports(&one.file);
                exports.map(|all| all.iter().any(|of| of.exported == import.name))
            };
            if !hands_on && !renames()? {
                kept.push(one);
            }
        }
        Ok(kept)
    }
}

impl<'s> Graph<'_, 's> {
    /// Returns the names of components that differ from a tag in capitals and hyphens only, each
    /// once.
    fn components_of_tag(&self, tag: &str) -> Vec<&'s str> {
        let key = symbol_key(tag);
        let mut names: Vec<&'s str> = Vec::new();
        for (part, segment) in self.index.segments() {
            for ord in segment.symbol(&key).unwrap_or_default() {
                let file = segment.declaration(ord).and_then(|row| segment.chunk(row.chunk));
                let file = file.and_then(|chunk| self.index.file(part, chunk.file));
                let component = file.and_then(|file| file.component());
                names.extend(component.filter(|(of, _)| *of == ord).map(|(_, name)| name));
            }
        }
        names.sort_unstable();
        names.dedup();
        names
    }
}
