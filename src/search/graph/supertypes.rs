//! The supertypes of a type, as far as the repository declares them.
//!
//! A supertype is what its name means in the file of the type. Walks up are bounded.

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::segment::ChunkRef;

use super::family::Family;
use super::scope::folder;
use super::types::{is_whole_type, type_name};
use super::{Candidate, DeclarationRef, Graph, Result};

/// Most levels of supertypes that are followed.
const MAX_SUPERTYPES: usize = 4;
/// Most declarations of a type that are asked for its supertypes.
const MAX_PARTS: usize = 30;

/// A supertype that the repository declares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Supertype<'g, 's> {
    pub(super) of: &'g Candidate<'s>,
    /// Whether the sources leave no doubt that the type inherits it.
    pub(super) is_certain: bool,
}

impl<'s> Graph<'_, 's> {
    /// Walks up the supertypes of a type, level by level, until `found` returns something.
    pub(super) fn climb<'g, T>(
        &'g self,
        types: &[&'g Candidate<'s>],
        mut found: impl FnMut(&[Supertype<'g, 's>]) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let mut level: Vec<Supertype<'g, 's>> =
            types.iter().map(|&of| Supertype { of, is_certain: true }).collect();
        let mut seen: Vec<DeclarationRef> = types.iter().map(|one| one.at).collect();
        for _ in 0..MAX_SUPERTYPES {
            let mut next: Vec<Supertype<'g, 's>> = Vec::new();
            for one in level {
                for (of, is_certain) in self.supertypes(one.of)? {
                    let supertype = Supertype { of, is_certain: *is_certain && one.is_certain };
                    if !seen.contains(&of.at) {
                        seen.push(of.at);
                        next.push(supertype);
                    }
                }
            }
            let found = found(&next)?;
            if found.is_some() || next.is_empty() {
                return Ok(found);
            }
            level = next;
        }
        Ok(None)
    }

    /// Returns the supertypes that a type declares, as far as the repository declares them, each
    /// with whether that is certain.
    fn supertypes(&self, of: &Candidate<'s>) -> Result<&[(Candidate<'s>, bool)]> {
        if let Some(known) = self.supertypes.get(&of.at) {
            return Ok(known);
        }
        // A damaged or strange source may make a type its own supertype.
        if !self.climbing.borrow_mut().insert(of.at) {
            return Ok(&[]);
        }
        let found = self.find_supertypes(of);
        self.climbing.borrow_mut().remove(&of.at);
        Ok(self.supertypes.insert(of.at, found?.into()))
    }

    fn find_supertypes(&self, of: &Candidate<'s>) -> Result<Vec<(Candidate<'s>, bool)>> {
        let name = type_name(of);
        // Some languages add supertypes to a type elsewhere.
        let all = self.candidates(name)?;
        let parts = all.iter().filter(|one| {
            let is_part = one.row.kind == DeclarationKind::Implementation
                || of.family == Family::CSharp && is_whole_type(one.row.kind);
            one.at == of.at || one.family == of.family && is_part && is_near(one, of)
        });
        let mut found: Vec<(Candidate<'s>, bool)> = Vec::new();
        for part in parts.take(MAX_PARTS) {
            let from = ChunkRef { part: part.at.part, ord: part.file.segment.chunk_of_name(&part.row) };
            let own = part.file.segment.name(&part.row);
            let mut mentions = part.file.segment.mentions(from.ord)?;
            mentions.retain(|one| one.kind == ReferenceKind::Inherits && one.alias == own);
            // Most types inherit nothing, and the scope of a file takes long to read.
            if mentions.is_empty() {
                continue;
            }
            let Some(site) = self.site(from)? else { continue };
            for mention in &mentions {
                let (evidence, types) = site.resolve(mention)?;
                for one in types.into_iter().filter(|one| one.at != of.at) {
                    match found.iter_mut().find(|(known, _)| known.at == one.at) {
                        Some((_, is_certain)) => *is_certain |= evidence.is_certain(),
                        None => found.push((*one, evidence.is_certain())),
                    }
                }
            }
        }
        Ok(found)
    }
}

/// Returns whether two declarations are in one file or one folder.
fn is_near(a: &Candidate<'_>, b: &Candidate<'_>) -> bool {
    folder(a.file.path()) == folder(b.file.path())
}
