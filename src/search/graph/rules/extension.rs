//! Extension methods of C#, Dart and Scala: functions that are called on an object of a type which
//! does not declare them. In C#, that is the type of their first parameter; in Dart and Scala, the
//! block or the implicit class around them says it.
//!
//! Input: the candidates of a name, and the type of the object. Output: the extension methods for
//! that type, or for one of its supertypes. The record says which type a method extends.

use crate::index::chunk::{EXTENSION_WORD, ReferenceKind};
use crate::search::segment::{ChunkRef, Mention};

use crate::search::graph::family::Family;
use crate::search::graph::resolve::{Candidates, Matches, Site, guess, is_member, pick};
use crate::search::graph::types::is_whole_type;
use crate::search::graph::{
    Candidate, DeclarationRef, Evidence, Graph, Result, is_function, is_type, last_segment,
};

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the extensions of Kotlin that the file imports by the name of a member. Of several,
    /// those for the type that is written for the object. `None` if there are none, or if the
    /// object is a type.
    pub(in crate::search::graph) fn imported_extension(
        &self,
        mention: &Mention<'_>,
    ) -> Result<Option<Matches<'g, 's>>> {
        let is_asked = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
        if self.file.language() != "kotlin" || !is_asked {
            return Ok(None);
        }
        for import in self.scope.imports.iter().filter(|import| import.local == mention.name) {
            let mut found = self.imported(import, mention.kind)?;
            found.retain(|one| is_extension(one));
            let ty = last_segment(mention.alias);
            if found.len() > 1 && found.iter().any(|one| one.owner == ty) {
                found.retain(|one| one.owner == ty);
            }
            if !found.is_empty() {
                let is_one =
                    found.iter().all(|one| Some(one.owner) == found.first().map(|first| first.owner));
                return Ok(Some((if is_one { Evidence::Import } else { Evidence::Alternative }, found)));
            }
        }
        Ok(None)
    }

    /// Returns what the repository adds to types from outside, one of which may be a supertype of
    /// an object's type from outside: extensions of Swift and C#. Nothing else says that they are
    /// meant.
    pub(in crate::search::graph) fn of_types_from_outside(
        &self,
        candidates: &[&'g Candidate<'s>],
    ) -> Result<Matches<'g, 's>> {
        let mut added = Vec::new();
        for &one in candidates.iter().filter(|one| is_member(one)) {
            let is_added = match self.scope.family {
                Family::CSharp => self.graph.extended(one)?.is_some_and(|of| of.types.is_empty()),
                Family::Swift => {
                    let types = self.graph.candidates(one.owner)?;
                    !types.iter().any(|ty| ty.family == Family::Swift && is_whole_type(ty.row.kind))
                }
                _ => false,
            };
            if is_added {
                added.push(one);
            }
        }
        Ok(if added.len() == 1 { (Evidence::Sole, added) } else { guess(added) })
    }

    /// Returns the extension methods for an object of one of `types`, which are all called `name`.
    /// Without types, the object's type is from outside. `None` if there are none.
    pub(in crate::search::graph) fn extending(
        &self,
        candidates: &[&'g Candidate<'s>],
        name: &str,
        types: &[&'g Candidate<'s>],
    ) -> Result<Option<Matches<'g, 's>>> {
        let has_extensions = match self.scope.family {
            Family::CSharp | Family::Dart => true,
            Family::Jvm => self.file.language() == "scala",
            _ => false,
        };
        if !has_extensions {
            return Ok(None);
        }
        let mut extensions = Vec::new();
        for &one in candidates.iter().filter(|one| is_function(one.row.kind)) {
            if let Some(extended) = self.graph.extended(one)? {
                extensions.push((one, extended));
            }
        }
        let of = |level: &[&Candidate<'s>]| -> Candidates<'g, 's> {
            let fits = |extended: &ExtendedType<'s>| {
                extended.types.iter().any(|one| level.iter().any(|ty| ty.at == *one))
            };
            extensions.iter().filter(|one| fits(one.1)).map(|one| one.0).collect()
        };
        let own = match types {
            [] => {
                let is_it = |one: &ExtendedType<'s>| one.types.is_empty() && one.name == name;
                extensions.iter().filter(|one| is_it(one.1)).map(|one| one.0).collect()
            }
            types => of(types),
        };
        if !own.is_empty() {
            // A type from outside may have a method of the name itself.
            let is_open = types.is_empty() || !self.are_extensions_of_one(&own);
            let evidence = if is_open { Evidence::Mentioned } else { Evidence::Declared };
            return Ok(Some((evidence, own)));
        }
        self.graph.climb(types, |level| {
            let certain: Vec<_> = level.iter().filter(|one| one.is_certain).map(|one| one.of).collect();
            let found = of(&certain);
            let is_open = !self.are_extensions_of_one(&found);
            let evidence = if is_open { Evidence::Mentioned } else { Evidence::Inherited };
            Ok((!found.is_empty()).then_some((evidence, found)))
        })
    }

    /// Returns whether one block or class has all of these extensions. In C#, several classes may
    /// have overloads of one method.
    fn are_extensions_of_one(&self, found: &[&'g Candidate<'s>]) -> bool {
        let around = |one: &Candidate<'s>| (one.at.part, one.row.parent);
        let first = found.first().map(|one| around(one));
        self.scope.family == Family::CSharp || found.iter().all(|one| Some(around(one)) == first)
    }
}

/// Returns whether a declaration of Kotlin extends a type. It may be in an object, from which it is
/// imported.
pub(in crate::search::graph) fn is_extension(one: &Candidate<'_>) -> bool {
    one.file.language() == "kotlin" && !one.file.segment.scope(&one.row).is_empty()
}

/// The type that a method extends.
pub(in crate::search::graph) struct ExtendedType<'s> {
    name: &'s str,
    /// Its declarations; none for a type from outside.
    types: Vec<DeclarationRef>,
}

impl<'s> Graph<'_, 's> {
    /// Returns the type that a method extends; `None` for any other method.
    fn extended(&self, one: &Candidate<'s>) -> Result<Option<&ExtendedType<'s>>> {
        if let Some(known) = self.extended.get(&one.at) {
            return Ok(known.as_ref());
        }
        let segment = one.file.segment;
        let around = one.row.parent.and_then(|parent| segment.declaration(parent));
        // Elsewhere, the block or the class around it says which type it extends.
        let row = if one.family == Family::CSharp { Some(one.row) } else { around };
        let Some(row) = row else { return Ok(self.extended.insert(one.at, Box::new(None)).as_ref()) };
        let chunk = ChunkRef { part: one.at.part, ord: segment.chunk_of_name(&row) };
        let mut found = None;
        if let Some(site) = self.site(chunk)?
            && let Some(extended) = extended(&site, segment.name(&row))?
        {
            let types = pick(&site.resolve(&extended)?.1, |one| is_type(one.row.kind));
            let types = types.into_iter().map(|one| one.at).collect();
            found = Some(ExtendedType { name: extended.name, types });
        }
        Ok(self.extended.insert(one.at, Box::new(found)).as_ref())
    }
}

/// Returns the type that a method, or the methods of a block or class, extend. `site` is its own,
/// and `name` its name.
fn extended<'s>(site: &Site<'_, '_, 's>, name: &str) -> Result<Option<Mention<'s>>> {
    let is_it = |given: &&Mention<'s>| {
        given.kind == ReferenceKind::Gives && given.alias.strip_prefix(EXTENSION_WORD) == Some(name)
    };
    // Overloads of one name in one chunk may extend several types.
    let mut all = site.mentions()?.iter().filter(is_it);
    let first = all.next().copied();
    let is_one = all.next().is_none();
    Ok(first.filter(|_| is_one).map(|one| Mention { kind: ReferenceKind::Type, alias: "", ..one }))
}
