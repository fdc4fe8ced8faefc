//! Members of types: of an object whose type is declared, of supertypes, and of types that
//! implement a method.
//!
//! Input: a mention and the candidates of its name. Output: the candidates that a type or its
//! supertypes declare. Types are distinguished by name, file and folder; there is no inference of
//! generics or overloads. Walks up the supertypes are bounded.

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::segment::{FileView, Mention};

use super::expr_types::is_expression;
use super::family::Family;
use super::resolve::{Candidates, MAX_GUESSES, Matches, Site, is_member, nothing, pick, segments};
use super::scope::folder;
use super::{Candidate, Evidence, Graph, Result, is_type};

/// Most levels of supertypes that are followed.
const MAX_SUPERTYPES: usize = 4;
/// If a method has more implementations than this, none is reported.
const MAX_IMPLEMENTING: usize = 8;
/// If a name has more methods than this, implementations are not searched for.
const MAX_METHODS: usize = 200;

/// Returns the declared type of a call's object, as a mention of that type.
pub(super) fn declared_type<'m>(call: &Mention<'m>) -> Option<Mention<'m>> {
    let is_told = !call.alias.is_empty() && !is_expression(call.alias);
    if call.kind != ReferenceKind::Call || !is_told || call.qualifier.is_empty() {
        return None;
    }
    let at = call.alias.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
    let (before, name) = call.alias.split_at_checked(at)?;
    let qualifier = before.trim_end_matches(['.', ':', '\\']);
    Some(Mention { kind: ReferenceKind::Type, name, qualifier, alias: "" })
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a call on an object of a declared type: a member of that type, or of its
    /// supertypes.
    ///
    /// `None` if no type is declared, or if the type says nothing about its members.
    pub(super) fn of_declared_type(
        &self,
        candidates: &[&'g Candidate<'s>],
        call: &Mention<'_>,
    ) -> Result<Option<Matches<'g, 's>>> {
        let Some(ty) = declared_type(call) else { return Ok(None) };
        let (evidence, types) = self.resolve(&ty)?;
        let types = pick(&types, |one| is_type(one.row.kind));
        if types.is_empty() {
            let own = pick(candidates, |one| one.owner == ty.name);
            // A type from outside, to which this repository may add members.
            let added = match own.is_empty() {
                true => self.inherited(candidates, ty.name, &self.file)?,
                false => own,
            };
            return Ok(Some((Evidence::Mentioned, added)));
        }
        self.of_type(candidates, ty.name, &types, evidence.is_certain())
    }

    /// Resolves a name behind an object of one of `types`, which are all called `name`: a member,
    /// or an inherited one. `None` if the types say nothing about their members.
    pub(super) fn of_type(
        &self,
        candidates: &[&'g Candidate<'s>],
        name: &str,
        types: &[&'g Candidate<'s>],
        is_certain: bool,
    ) -> Result<Option<Matches<'g, 's>>> {
        let Some(first) = types.first() else { return Ok(None) };
        let own = pick(candidates, |one| one.owner == name);
        let is_of = |at: fn(&FileView<'s>, &FileView<'s>) -> bool| {
            pick(&own, |one| types.iter().any(|ty| at(&one.file, &ty.file)))
        };
        let mut found = is_of(|a, b| (a.part, a.ord) == (b.part, b.ord));
        // Some languages let the members of a type be declared in several files.
        let is_spread = matches!(
            self.scope.family,
            Family::C | Family::CSharp | Family::Go | Family::Rust | Family::Swift
        );
        if found.is_empty() && is_spread {
            found = is_of(|a, b| folder(a.path()) == folder(b.path()));
        }
        if found.is_empty() && self.is_one_type(name)? {
            found = own;
        }
        if !found.is_empty() {
            let evidence = match is_certain {
                true if name == self.class => Evidence::Class,
                true => Evidence::Declared,
                false => Evidence::Mentioned,
            };
            return Ok(Some((evidence, found)));
        }
        let inherited = self.inherited(candidates, name, &first.file)?;
        if !inherited.is_empty() {
            let evidence = if is_certain { Evidence::Inherited } else { Evidence::Mentioned };
            return Ok(Some((evidence, inherited)));
        }
        // An alias has the members of its type, and a Go type has those of what it embeds.
        let is_open = first.row.kind == DeclarationKind::Type || self.scope.family == Family::Go;
        Ok(if is_open { None } else { Some(nothing()) })
    }

    /// Returns whether the function that a path calls comes from outside the repository, as an
    /// import says.
    pub(super) fn is_from_outside(&self, path: &str) -> Result<bool> {
        let names = segments(path);
        let Some((name, before)) = names.split_last() else { return Ok(false) };
        let first = before.first().unwrap_or(name);
        if !self.scope.imports.iter().any(|import| import.local == *first) {
            return Ok(false);
        }
        let qualifier =
            path.get(..path.len() - name.len()).unwrap_or_default().trim_end_matches(['.', ':', '>', '-']);
        let call = Mention { kind: ReferenceKind::Call, name, qualifier, alias: "" };
        Ok(self.resolve(&call)?.1.is_empty())
    }

    /// Returns the implementations of a method without a body, in types that inherit from its type.
    /// Empty if there are too many.
    pub(super) fn implementing(
        &self,
        called: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Candidates<'g, 's>> {
        let [of] = called else { return Ok(Vec::new()) };
        if !of.row.body.is_empty() || of.owner.is_empty() {
            return Ok(Vec::new());
        }
        if let Some(known) = self.graph.implementing.get(&of.at) {
            return Ok(known.iter().collect());
        }
        let all = self.candidates(mention.name, mention.kind)?;
        let mut found = Vec::new();
        // A name with this many methods is called everywhere, and each call would search them all.
        let all = if all.len() > MAX_METHODS { Vec::new() } else { all };
        for one in all {
            let is_other = !one.owner.is_empty() && one.owner != of.owner && !one.row.body.is_empty();
            if is_other && self.inherits(one, of.owner)? {
                found.push(*one);
            }
        }
        if found.len() > MAX_IMPLEMENTING {
            found.clear();
        }
        Ok(self.graph.implementing.insert(of.at, found.into()).iter().collect())
    }

    /// Returns whether the type of a member inherits from another type.
    fn inherits(&self, member: &Candidate<'s>, from: &str) -> Result<bool> {
        let found = self.climb(member.owner, &member.file, |level| {
            level.iter().any(|supertype| supertype == from).then_some(())
        })?;
        Ok(found.is_some())
    }

    /// Returns the candidates that the nearest supertype declares.
    pub(super) fn inherited(
        &self,
        candidates: &[&'g Candidate<'s>],
        class: &str,
        near: &FileView<'s>,
    ) -> Result<Candidates<'g, 's>> {
        if class.is_empty() || !candidates.iter().copied().any(is_member) {
            return Ok(Vec::new());
        }
        let found = self.climb(class, near, |level| {
            let found = pick(candidates, |one| level.iter().any(|supertype| supertype == one.owner));
            Some(found).filter(|found| !found.is_empty())
        })?;
        Ok(found.unwrap_or_default())
    }

    /// Walks up the supertypes of a type, level by level, until `found` returns something.
    fn climb<T>(
        &self,
        class: &str,
        near: &FileView<'s>,
        mut found: impl FnMut(&[String]) -> Option<T>,
    ) -> Result<Option<T>> {
        let mut level = vec![class.to_owned()];
        let mut seen = level.clone();
        for _ in 0..MAX_SUPERTYPES {
            let mut next = Vec::new();
            for name in &level {
                for supertype in self.graph.supertypes(name, self.scope.family, Some(near))? {
                    if !seen.contains(&supertype) {
                        seen.push(supertype.clone());
                        next.push(supertype);
                    }
                }
            }
            let found = found(&next);
            if found.is_some() || next.is_empty() {
                return Ok(found);
            }
            level = next;
        }
        Ok(None)
    }
}

impl<'s> Graph<'_, 's> {
    /// Returns the names of the supertypes of all types with this name, or only of the one in
    /// `near` if there is one.
    pub(super) fn supertypes(
        &self,
        name: &str,
        family: Family<'_>,
        near: Option<&FileView<'s>>,
    ) -> Result<Vec<String>> {
        let all = self.candidates(name)?;
        let mut types: Vec<&Candidate<'s>> =
            all.iter().filter(|one| one.family == family && is_type(one.row.kind)).collect();
        if let Some(near) = near
            && types.iter().any(|one| one.file.part == near.part && one.file.ord == near.ord)
        {
            types.retain(|one| one.file.part == near.part && one.file.ord == near.ord);
        }
        let mut found = Vec::new();
        for one in types.iter().take(MAX_GUESSES) {
            let chunk = one.file.segment.chunk_of_name(&one.row);
            for mention in one.file.segment.mentions(chunk)? {
                if mention.kind == ReferenceKind::Inherits && mention.name != name {
                    found.push(mention.name.to_owned());
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
