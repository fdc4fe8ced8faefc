//! Fixtures of pytest: the functions that a test gets by the names of its parameters.
//!
//! Input: a use of a fixture. Output: the fixture that pytest finds first: in the class, in the
//! file, among what the file imports, or in `conftest.py` of the folder or of one around it. A
//! plugin can be any other file, so a fixture there is a guess.

use bstr::{BStr, ByteSlice};

use crate::index::chunk::{FIXTURE_ALIAS, OUTER_FIXTURE_ALIAS, ReferenceKind};
use crate::search::segment::{ChunkRef, Mention};

use crate::search::graph::resolve::{Candidates, Matches, Site, guess, nothing, pick};
use crate::search::graph::scope::folder;
use crate::search::graph::{Candidate, Evidence, Result, is_function, is_type};

/// The file whose fixtures the tests of its folder and those below see.
const SHARED: &str = "conftest.py";

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the fixtures that a use can mean.
    pub(in crate::search::graph) fn fixture(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let mut fixtures: Candidates<'g, 's> = Vec::new();
        for one in self.candidates(mention.name, ReferenceKind::Use)? {
            if self.is_fixture(one)? {
                fixtures.push(one);
            }
        }
        // A class may inherit the fixture of another one.
        let is_of_other = |one: &Candidate<'s>| !one.owner.is_empty() && one.owner != self.class;
        let may_inherit = !self.class.is_empty() && fixtures.iter().any(|one| is_of_other(one));
        let found_by = if may_inherit { Evidence::Mentioned } else { Evidence::Fixture };
        // A fixture that gets one of its own name means an outer one.
        let is_outer = mention.alias == OUTER_FIXTURE_ALIAS;
        if !is_outer {
            let here =
                pick(&fixtures, |one| self.is_here(one) && (one.owner.is_empty() || one.owner == self.class));
            match here.as_slice() {
                [] => {}
                [one] if one.owner.is_empty() => return Ok((found_by, here)),
                [_] if self.has_one_type() => return Ok((Evidence::Fixture, here)),
                _ => return Ok(guess(here)),
            }
        }
        for import in self.scope.imports.iter().filter(|import| import.local == mention.name) {
            let mut found = self.imported(import, ReferenceKind::Use)?;
            found.retain(|one| fixtures.iter().any(|fixture| fixture.at == one.at));
            if !found.is_empty() {
                return Ok((found_by, found));
            }
        }
        let mut around = Some(self.scope.folder());
        while let Some(of) = around {
            let path = if of.is_empty() { SHARED.into() } else { [of, b"/", SHARED.as_bytes()].concat() };
            let path = BStr::new(&path);
            let shared = pick(&fixtures, |one| one.file.path() == path && one.owner.is_empty());
            let is_itself = is_outer && path == self.scope.path;
            if !shared.is_empty() && !is_itself {
                return Ok((found_by, shared));
            }
            around = (!of.is_empty()).then(|| folder(BStr::new(of)));
        }
        let plugins = pick(&fixtures, |one| {
            let is_shared = one.file.path().rsplit_str("/").next() == Some(SHARED.as_bytes());
            one.owner.is_empty() && !is_shared && !self.is_here(one)
        });
        Ok(match plugins.as_slice() {
            [] => nothing(),
            [_] => (Evidence::Sole, plugins),
            _ => guess(plugins),
        })
    }

    /// Returns whether a declaration is a function that its file makes a fixture.
    fn is_fixture(&self, one: &Candidate<'s>) -> Result<bool> {
        if !is_function(one.row.kind) {
            return Ok(false);
        }
        if let Some(known) = self.graph.fixtures.get(&one.at) {
            return Ok(*known);
        }
        let chunk = ChunkRef { part: one.at.part, ord: one.file.segment.chunk_of_name(&one.row) };
        let name = one.file.segment.name(&one.row);
        let mentions = one.file.segment.mentions(chunk.ord)?;
        let is_fixture = mentions.iter().any(|given| {
            given.kind == ReferenceKind::Gives && given.alias.strip_prefix(FIXTURE_ALIAS) == Some(name)
        });
        Ok(*self.graph.fixtures.insert(one.at, Box::new(is_fixture)))
    }

    /// Returns whether the chunk is in one type only, so that its mentions belong to that.
    fn has_one_type(&self) -> bool {
        let Some(chunk) = self.file.segment.chunk(self.from.ord) else { return false };
        let types = self.file.declarations().filter(|one| {
            let span = one.row.span.bytes;
            is_type(one.row.kind) && span.start < chunk.span.bytes.end && span.end > chunk.span.bytes.start
        });
        types.count() == 1
    }
}
