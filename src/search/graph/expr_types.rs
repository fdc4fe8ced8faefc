//! Types of expressions that lead through other files: results of functions, members and variables
//! there.
//!
//! Input: an expression as the file of a call records it (`<Store>.log()`, `open()`). Output: its
//! type, or nothing. Each step of the expression is looked up where it is declared. The walk goes
//! on only while every step leaves no doubt, because an edge found by the type counts as certain.

use crate::index::chunk::ReferenceKind;
use crate::search::segment::{ChunkRef, Mention, Part};

use super::family::Family;
use super::resolve::{Candidates, Matches, ROOT, Site, first_call, nothing, pick, segments};
use super::{Candidate, DeclarationRef, Evidence, Result, is_type};

/// Most steps of an expression that are followed.
const MAX_STEPS: usize = 6;
/// Most chunks of a type that are searched for a member.
const MAX_CHUNKS: usize = 64;
/// A name with more declarations than this is not asked for its type.
const MAX_GIVING: usize = 16;

/// The type of an expression: its name and its declarations. One from outside the repository has no
/// declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExprType {
    name: String,
    at: Vec<DeclarationRef>,
}

impl ExprType {
    fn is_from_outside(&self) -> bool {
        self.at.is_empty()
    }
}

/// Methods of Go's library whose result has the type of a type parameter, or any type.
const GENERIC_RESULTS: &[&str] = &["Get", "Load", "LoadAndDelete", "LoadOrStore", "Swap", "Value"];

/// Key of the cache: segment and ordinal of the file, the type around, the chunk if the file has
/// imports that count in one chunk only, and the expression as written.
pub(super) type Key = (Part, u32, String, Option<u32>, String);

/// Alias of a mention whose object hides another one of its name, and whose type is unknown.
pub(super) const HIDING: &str = "()";

/// Returns whether a call's alias is an expression that leads to the type, not the type itself.
pub(super) fn is_expression(alias: &str) -> bool {
    alias.starts_with('<') || alias.contains("()")
}

/// Returns a written type as a mention of it.
pub(super) fn type_mention(written: &str) -> Mention<'_> {
    let at = written.rfind(['.', ':', '\\']).map_or(0, |at| at + 1);
    let (before, name) = written.split_at_checked(at).unwrap_or(("", written));
    let qualifier = if before == ROOT { before } else { before.trim_end_matches(['.', ':', '\\']) };
    Mention { kind: ReferenceKind::Type, name, qualifier, alias: "" }
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a member behind an expression whose type other files declare. `None` if the type is
    /// unknown or has no such member.
    pub(super) fn of_inferred_type(
        &self,
        candidates: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Option<Matches<'g, 's>>> {
        let is_asked = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
        if !is_asked || !candidates.iter().any(|one| !one.owner.is_empty()) {
            return Ok(None);
        }
        let expression = if is_expression(mention.alias) { mention.alias } else { mention.qualifier };
        let Some(inferred) = self.inferred(expression)? else {
            return Ok(self.is_from_outside_in_go(expression)?.then(nothing));
        };
        if inferred.is_from_outside() {
            // The repository may add members to it.
            let added = pick(candidates, |one| one.owner == inferred.name);
            return Ok(Some(if added.is_empty() { nothing() } else { (Evidence::Mentioned, added) }));
        }
        let types = self.types_of(&inferred)?;
        let found = self.of_type(candidates, &inferred.name, &types, true)?;
        Ok(found.filter(|found| !found.1.is_empty()))
    }

    /// Returns whether an object of Go has a type from outside the repository: what such a type has
    /// is from outside, too. A type parameter may stand for any type, so the results of
    /// [`GENERIC_RESULTS`] stay open.
    fn is_from_outside_in_go(&self, expression: &str) -> Result<bool> {
        if self.scope.family != Family::Go {
            return Ok(false);
        }
        let (is_outside, rest) =
            if let Some((ty, rest)) = expression.strip_prefix('<').and_then(|begun| begun.split_once('>')) {
                let ty = type_mention(ty);
                let is_imported = self.scope.imports.iter().any(|import| import.local == ty.qualifier);
                (is_imported && self.resolve(&ty)?.1.is_empty(), rest)
            } else if let Some(path) = first_call(expression) {
                let rest = expression.get(path.len() + 2..).unwrap_or_default();
                (self.is_from_outside(path)?, rest)
            } else {
                return Ok(false);
            };
        let mut steps = rest.split('.').map(|step| step.trim_end_matches("()"));
        Ok(is_outside && !steps.any(|step| GENERIC_RESULTS.contains(&step)))
    }

    /// Returns the type of an expression; `None` if it is unknown.
    fn inferred(&self, expression: &str) -> Result<Option<ExprType>> {
        let chunk = Some(self.from.ord).filter(|_| self.scope.has_local_imports);
        let key = (self.from.part, self.file.ord, self.class.to_owned(), chunk, expression.to_owned());
        if let Some(known) = self.graph.inferred.get(&key) {
            return Ok(known.clone());
        }
        let inferred = self.follow(expression)?;
        Ok(self.graph.inferred.insert(key, Box::new(inferred)).clone())
    }

    fn follow(&self, expression: &str) -> Result<Option<ExprType>> {
        let (mut inferred, rest) = if let Some(begun) = expression.strip_prefix('<') {
            let Some((ty, rest)) = begun.split_once('>') else { return Ok(None) };
            (self.named_type(ty)?, rest)
        } else if let Some(path) = first_call(expression) {
            let rest = expression.get(path.len() + 2..).unwrap_or_default();
            (self.given_by_call(path)?, rest)
        } else {
            self.begun(expression)?
        };
        for (n, step) in
            rest.split(['.', ':', '>', '-', '?', '!']).filter(|step| !step.is_empty()).enumerate()
        {
            let Some(from) = inferred.filter(|_| n < MAX_STEPS) else { return Ok(None) };
            inferred = self.member_of(&from, step.trim_end_matches("()"))?;
        }
        Ok(inferred)
    }

    /// Returns the type with this name, as this file sees it.
    fn named_type(&self, written: &str) -> Result<Option<ExprType>> {
        let ty = type_mention(written);
        let (evidence, found) = self.resolve(&ty)?;
        let types = pick(&found, |one| is_type(one.row.kind));
        let is_sure = match types.is_empty() {
            true => found.is_empty() && self.is_imported_from_outside(&ty),
            false => evidence.is_certain(),
        };
        let at = || types.iter().map(|one| one.at).collect();
        Ok(is_sure.then(|| ExprType { name: ty.name.to_owned(), at: at() }))
    }

    /// Returns the result type of the function that a path calls.
    fn given_by_call(&self, path: &str) -> Result<Option<ExprType>> {
        let at = path.rfind(['.', ':', '>']).map_or(0, |at| at + 1);
        let (before, name) = path.split_at_checked(at).unwrap_or(("", path));
        let qualifier = before.trim_end_matches(['.', ':', '>', '-', '?', '!']);
        if name.is_empty() {
            return Ok(None);
        }
        let (evidence, found) =
            self.resolve(&Mention { kind: ReferenceKind::Call, name, qualifier, alias: "" })?;
        if !evidence.is_certain() {
            return Ok(None);
        }
        // A constructor is called by the name of its type.
        let types = pick(&found, |one| is_type(one.row.kind));
        if !types.is_empty() {
            let at = types.iter().map(|one| one.at).collect();
            return Ok((types.len() == found.len()).then(|| ExprType { name: name.to_owned(), at }));
        }
        self.given(&found)
    }

    /// Returns the type of the variable that an expression begins with, maybe behind its module,
    /// and the rest of the expression.
    fn begun<'e>(&self, expression: &'e str) -> Result<(Option<ExprType>, &'e str)> {
        let mut names = segments(expression).into_iter();
        let (Some(first), second) = (names.next(), names.next()) else { return Ok((None, "")) };
        let behind = |name: &str, from: usize| {
            let at = expression.get(from..).and_then(|rest| rest.find(name)).unwrap_or_default();
            from + at + name.len()
        };
        let end = behind(first, 0);
        let held = match self.held_by("", first)? {
            None => self.field_around(first)?,
            held => held,
        };
        if let (None, Some(second)) = (&held, second) {
            let module = expression.get(..end).unwrap_or_default();
            let held = self.held_by(module, second)?;
            return Ok((held, expression.get(behind(second, end)..).unwrap_or_default()));
        }
        Ok((held, expression.get(end..).unwrap_or_default()))
    }

    /// Returns the type of a field of the type around, or of its supertypes, in C++: the header
    /// declares it, and no object is in front of it.
    fn field_around(&self, name: &str) -> Result<Option<ExprType>> {
        if self.file.language() != "cpp" || self.class.is_empty() {
            return Ok(None);
        }
        let at: Vec<DeclarationRef> = self.own_types()?.iter().map(|one| one.at).collect();
        if at.is_empty() {
            return Ok(None);
        }
        self.member_of(&ExprType { name: self.class.to_owned(), at }, name)
    }

    /// Returns the type of the variable that a name means.
    fn held_by(&self, qualifier: &str, name: &str) -> Result<Option<ExprType>> {
        let mention = Mention { kind: ReferenceKind::Use, name, qualifier, alias: "" };
        let (evidence, found) = self.resolve(&mention)?;
        let is_sure = evidence.is_certain() && !found.iter().any(|one| is_type(one.row.kind));
        if is_sure {
            return self.given(&found);
        }
        // An inherited member hides a type of its name: `Gear.Spin()`.
        let hides = qualifier.is_empty() && self.scope.family.has_implicit_self() && !found.is_empty();
        if !hides {
            return Ok(None);
        }
        let members = pick(&self.candidates(name, ReferenceKind::Use)?, |one| {
            !one.owner.is_empty() && !is_type(one.row.kind)
        });
        match self.inherited(&members, self.own_types()?)? {
            Some((evidence, found)) if evidence.is_certain() => self.given(&found),
            _ => Ok(None),
        }
    }

    /// Returns the type of a member of another type.
    fn member_of(&self, of: &ExprType, name: &str) -> Result<Option<ExprType>> {
        // What it returns may be a type of this repository: `List<Cart>`.
        if of.is_from_outside() {
            return Ok(None);
        }
        let types = self.types_of(of)?;
        let candidates = self.candidates(name, ReferenceKind::Call)?;
        if let Some((evidence, found)) = self.of_type(&candidates, &of.name, &types, true)?
            && evidence.is_certain()
            && let Some(inferred) = self.given(&found)?
        {
            return Ok(Some(inferred));
        }
        // Fields are not declarations in every language, so the chunks of the type are searched,
        // too, and then those of its supertypes.
        if let Some(inferred) = self.field_of(&types, name)? {
            return Ok(inferred);
        }
        let inherited = self.graph.climb(&types, |level| {
            let level: Vec<_> = level.iter().filter(|one| one.is_certain).map(|one| one.of).collect();
            self.field_of(&level, name)
        })?;
        Ok(inherited.flatten())
    }

    /// Returns the type of a field of these types: `None` if they have no such field, and an empty
    /// type if they do not agree.
    fn field_of(&self, types: &[&'g Candidate<'s>], name: &str) -> Result<Option<Option<ExprType>>> {
        let mut inferred = None;
        for ty in types {
            let span = ty.row.span.bytes;
            let chunks = ty.file.segment.chunks_of(ty.file.ord).filter(|ord| {
                let row = ty.file.segment.chunk(*ord);
                row.is_some_and(|row| row.span.bytes.start < span.end && row.span.bytes.end > span.start)
            });
            for ord in chunks.take(MAX_CHUNKS) {
                match self.given_in(ChunkRef { part: ty.file.part, ord }, name)? {
                    Some(next) if inferred.as_ref().is_some_and(|known| *known != next) => {
                        return Ok(Some(None));
                    }
                    Some(next) => inferred = Some(next),
                    None => {}
                }
            }
        }
        Ok(inferred.map(Some))
    }

    /// Returns the type that all of these declarations give or hold; `None` if they differ. One of
    /// several in a file may record none, as Python's function behind its `@overload`s.
    fn given(&self, found: &[&'g Candidate<'s>]) -> Result<Option<ExprType>> {
        if found.len() > MAX_GIVING {
            return Ok(None);
        }
        let mut inferred = None;
        let is_overloaded = |one: &Candidate<'s>| {
            found
                .iter()
                .filter(|other| (other.file.part, other.file.ord) == (one.file.part, one.file.ord))
                .count()
                > 1
        };
        for one in found {
            let chunk = ChunkRef { part: one.at.part, ord: one.file.segment.chunk_of_name(&one.row) };
            match self.given_in(chunk, one.file.segment.name(&one.row))? {
                Some(next) if inferred.as_ref().is_none_or(|known| *known == next) => inferred = Some(next),
                None if is_overloaded(one) => {}
                _ => return Ok(None),
            }
        }
        Ok(inferred)
    }

    /// Returns the type that a chunk records for a name; `None` if it records none, or several.
    fn given_in(&self, chunk: ChunkRef, name: &str) -> Result<Option<ExprType>> {
        let Some(site) = self.graph.site(chunk)? else { return Ok(None) };
        let mut given =
            site.mentions()?.iter().filter(|one| one.kind == ReferenceKind::Gives && one.alias == name);
        let Some(one) = given.next() else { return Ok(None) };
        if given.any(|other| (other.name, other.qualifier) != (one.name, one.qualifier)) {
            return Ok(None);
        }
        let written = match one.qualifier {
            "" => one.name.to_owned(),
            qualifier => format!("{qualifier}.{}", one.name),
        };
        site.named_type(&written)
    }

    fn types_of(&self, inferred: &ExprType) -> Result<Candidates<'g, 's>> {
        let all = self.graph.candidates(&inferred.name)?;
        Ok(all.iter().filter(|one| inferred.at.contains(&one.at)).collect())
    }
}
