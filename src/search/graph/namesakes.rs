//! Members of a name that very many types declare: `run` of thousands of classes.
//!
//! A mention of such a name mostly means the member of one type, which the mention says: the type
//! of the current object, or the declared type of another one. The member is looked up by that
//! type. To look through all namesakes for each mention would take quadratic time.

use std::collections::HashMap;

use super::resolve::{Candidates, Matches, Site};
use super::types::declared_type;
use super::{Evidence, Family, Graph, Result};
use crate::index::chunk::{LOCAL_ALIAS, ReferenceKind};
use crate::search::segment::Mention;

/// A name with more declarations than this is looked up by the type first.
const MANY: usize = 200;

/// The positions of the declarations of a name, by the name of the type that has them.
pub(super) type ByOwner<'s> = HashMap<&'s str, Vec<usize>>;

impl<'s> Graph<'_, 's> {
    /// Returns the declarations of a name that belong to types with the name `owner`.
    fn owned(&self, name: &str, owner: &str) -> Result<Candidates<'_, 's>> {
        let all = self.candidates(name)?;
        let by_owner = match self.by_owner.get(name) {
            Some(known) => known,
            None => {
                let mut found = ByOwner::new();
                for (at, one) in all.iter().enumerate() {
                    found.entry(one.owner).or_default().push(at);
                }
                self.by_owner.insert(name.to_owned(), Box::new(found))
            }
        };
        let ords = by_owner.get(owner).map(Vec::as_slice).unwrap_or_default();
        Ok(ords.iter().filter_map(|&at| all.get(at)).collect())
    }
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a member of a name that many types declare, by the type that the mention says.
    /// `None` for a name with fewer declarations, and if that type has no such member itself.
    pub(super) fn among_many(&self, mention: &Mention<'_>) -> Result<Option<Matches<'g, 's>>> {
        let is_member = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
        if !is_member || self.graph.candidates(mention.name)?.len() <= MANY {
            return Ok(None);
        }
        let family = self.scope.family;
        let is_bare = || {
            let is_open = family.has_implicit_self() && family != Family::C;
            mention.qualifier.is_empty() && mention.alias != LOCAL_ALIAS && is_open
        };
        let is_own = || family.is_self(self.file.language(), mention.qualifier) == Some(false);
        let owner = match declared_type(mention) {
            Some(ty) => ty.name,
            None if is_own() || is_bare() => self.class,
            None => return Ok(None),
        };
        let owned = self.graph.owned(mention.name, owner)?;
        if owner.is_empty() || owned.is_empty() {
            return Ok(None);
        }
        let mut candidates = self.seen(owned.into_iter(), mention.kind);
        candidates.retain(|one| family.fits_syntax(one.row.kind, mention));
        let found = self.resolve_among(&candidates, mention)?;
        let is_settled = matches!(found.0, Evidence::Class | Evidence::Declared) && !found.1.is_empty();
        Ok(is_settled.then_some(found))
    }
}
