//! Members of types: of an object whose type is declared, of supertypes, and of types that
//! implement a method.
//!
//! Input: a mention and the candidates of its name. Output: the candidates that a type or its
//! supertypes declare. A type is a declaration and not a name: two types of one name share nothing.
//! A supertype is what its name means in the file of the type. There is no inference of generics or
//! overloads. Walks up the supertypes are bounded.

use bstr::ByteSlice;

use crate::index::chunk::{ABSTRACT_QUALIFIER, DeclarationKind, ReferenceKind};
use crate::search::segment::{ChunkRef, FileView, Mention};

use super::expr_types::{is_expression, type_mention};
use super::family::{Family, declares_overrides};
use super::nesting::{is_declared_type, may_belong_to};
use super::outside::is_npm_package;
use super::own_type::{constructor_word, has_module_methods};
use super::resolve::{Candidates, Matches, Site, is_member, nothing, pick, segments};
use super::rules::namespace::{is_same_type, may_be_part};
use super::scope::folder;
use super::supertypes::Supertype;
use super::{Candidate, DeclarationRef, Evidence, Graph, Result, is_type, last_segment};

/// If a method has more implementations than this, none is reported.
const MAX_IMPLEMENTING: usize = 8;
const MAX_OVERRIDING: usize = 24; // In C++, only a virtual method can be implemented.
/// If a name has more methods than this, implementations are not searched for.
const MAX_METHODS: usize = 200;
/// If a name has more declarations of any kind than this, implementations are not searched for.
const MAX_NAMESAKES: usize = 2000;

/// Returns the declared type of the object of a call or a read, as a mention of that type.
pub(super) fn declared_type<'m>(call: &Mention<'m>) -> Option<Mention<'m>> {
    let is_told = !call.alias.is_empty() && !is_expression(call.alias);
    let is_member = matches!(call.kind, ReferenceKind::Call | ReferenceKind::Use);
    if !is_member || !is_told || call.qualifier.is_empty() || constructor_word(call).is_some() {
        return None;
    }
    Some(type_mention(call.alias))
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
            // A type from outside, to which this repository may add members.
            if let Some(extending) = self.extending(candidates, ty.name, &[])? {
                return Ok(Some(extending));
            }
            if self.is_closed_from_outside(&ty) {
                return Ok(Some(nothing()));
            }
            let added = pick(candidates, |one| one.owner == ty.name);
            if !added.is_empty() {
                return Ok(Some((Evidence::Mentioned, added)));
            }
            let all = self.graph.candidates(ty.name)?;
            let additions: Vec<_> = all.iter().filter(|one| self.scope.family.sees(one.family)).collect();
            if let Some((_, inherited)) = self.inherited(candidates, &additions)? {
                return Ok(Some((Evidence::Mentioned, inherited)));
            }
            return Ok(Some(self.of_types_from_outside(candidates)?));
        }
        self.of_type(candidates, ty.name, &types, evidence.is_certain())
    }

    /// Returns whether a type without a declaration comes from outside the repository, where
    /// nothing is added to it. In Go, any such type does.
    fn is_closed_from_outside(&self, ty: &Mention<'_>) -> bool {
        self.scope.family == Family::Go || self.is_imported_from_outside(ty)
    }

    /// Returns whether an import says that a type without a declaration comes from outside the
    /// repository, and nothing is added to such types.
    pub(super) fn is_imported_from_outside(&self, ty: &Mention<'_>) -> bool {
        let first = segments(ty.qualifier).first().copied().unwrap_or(ty.name);
        let mut imports = self.imports_of(first).into_iter();
        // A package of the repository may give a type a name that the index does not have.
        let is_own = |module: &str| self.is_of_own_package(module);
        match self.scope.family {
            Family::Go | Family::Jvm | Family::Php => imports.next().is_some(),
            Family::Python => imports.any(|import| !is_own(import.written)),
            Family::Script => imports.any(|import| is_npm_package(import.written) && !is_own(import.written)),
            _ => false,
        }
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
        let found = self.graph.members_of(candidates, types)?;
        if !found.is_empty() {
            let evidence = match is_certain {
                // Blocks of Rust for `T` and `&T`, or of two traits, may share a name.
                true if self.scope.family == Family::Rust && found.len() > 1 => Evidence::Alternative,
                true if name == self.class && self.is_in_class() => Evidence::Class,
                true => Evidence::Declared,
                false => Evidence::Mentioned,
            };
            return Ok(Some((evidence, found)));
        }
        if let Some((evidence, inherited)) = self.inherited(candidates, types)? {
            let evidence = if is_certain { evidence } else { Evidence::Mentioned };
            return Ok(Some((evidence, inherited)));
        }
        if let Some((evidence, extending)) = self.extending(candidates, name, types)? {
            let evidence = if is_certain { evidence } else { Evidence::Mentioned };
            return Ok(Some((evidence, extending)));
        }
        // An alias has the members of its type, and a Go type has those of what it embeds.
        let is_open = first.row.kind == DeclarationKind::Type || self.scope.family == Family::Go;
        Ok(if is_open { None } else { Some(nothing()) })
    }

    /// Resolves a name behind the name of a type: a member of that type or of its supertypes.
    /// `None` if the qualifier is not certainly a type, or if the type has no such member.
    pub(super) fn of_type_named(
        &self,
        candidates: &[&'g Candidate<'s>],
        qualifier: &str,
    ) -> Result<Option<Matches<'g, 's>>> {
        let ty = type_mention(qualifier);
        if ty.name.is_empty() || !candidates.iter().copied().any(is_member) {
            return Ok(None);
        }
        let (evidence, found) = self.resolve(&ty)?;
        let types = pick(&found, |one| is_whole_type(one.row.kind));
        if types.is_empty() || !evidence.is_certain() {
            return Ok(None);
        }
        let own = self.graph.members_of(candidates, &types)?;
        if !own.is_empty() {
            let is_open = self.scope.family == Family::Rust && own.len() > 1;
            return Ok(Some((if is_open { Evidence::Alternative } else { Evidence::Qualifier }, own)));
        }
        self.inherited(candidates, &types)
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

    /// Returns the members that a call of a member may reach instead: those of its name that types
    /// declare which inherit from its type. Empty if there are too many.
    pub(super) fn implementing(
        &self,
        called: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
        evidence: Evidence,
    ) -> Result<Candidates<'g, 's>> {
        let own = match mention.qualifier {
            "" => Some(false),
            qualifier => self.scope.family.is_self(self.file.language(), qualifier),
        };
        let Some(of) = called.first() else { return Ok(Vec::new()) };
        // `super.open()` means no other member. A type and a constructor are nobody's member.
        let is_member = is_overridable(of.row.kind);
        if !is_member || of.owner.is_empty() || own == Some(true) {
            return Ok(Vec::new());
        }
        if called.iter().any(|one| (one.owner, one.row.parent) != (of.owner, of.row.parent)) {
            return Ok(Vec::new());
        }
        // Elsewhere a method with a body may be declared again without a word about it, and a call
        // on an object mostly means that of its type.
        let is_open =
            own.is_some() || declares_overrides(of.file.language()) || self.graph.is_abstract(of)?;
        if !is_open {
            return Ok(Vec::new());
        }
        let mut found: Candidates<'g, 's> = match self.graph.implementing.get(&of.at) {
            Some(known) => known.iter().collect(),
            None => {
                let found = self.find_implementing(called, mention)?;
                self.graph.implementing.insert(of.at, found.into()).iter().collect()
            }
        };
        // The current object has its own type, or a subtype of that.
        if own.is_some() && evidence == Evidence::Inherited && !found.is_empty() {
            let site = self.in_type_of(mention);
            let types = site.as_ref().unwrap_or(self).own_types()?;
            let mut inheriting = Vec::new();
            for one in found {
                if self.graph.inherits(one, types)? {
                    inheriting.push(one);
                }
            }
            found = inheriting;
        }
        Ok(found)
    }

    fn find_implementing(
        &self,
        called: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Vec<Candidate<'s>>> {
        let Some(of) = called.first() else { return Ok(Vec::new()) };
        if self.graph.candidates(mention.name)?.len() > MAX_NAMESAKES {
            return Ok(Vec::new());
        }
        let all = self.candidates(mention.name, mention.kind)?;
        let is_other = |one: &Candidate<'s>| {
            let has_body = !one.row.body.is_empty() || one.row.kind != DeclarationKind::Method;
            !one.owner.is_empty()
                && is_overridable(one.row.kind)
                && has_body
                && called.iter().all(|of| of.at != one.at)
        };
        let all = pick(&all, is_other);
        // A name with this many methods is called everywhere, and each call would search them all.
        if all.is_empty() || all.len() > MAX_METHODS {
            return Ok(Vec::new());
        }
        let types = self.graph.types_of_member(of)?;
        let mut found = Vec::new();
        let in_sets = self.graph.in_method_sets(of)?;
        for one in all {
            if in_sets.contains(&one.at)
                || self.graph.inherits(one, &types)? && !self.graph.is_abstract(one)?
            {
                found.push(*one);
            }
        }
        let most = if of.file.language() == "cpp" { MAX_OVERRIDING } else { MAX_IMPLEMENTING };
        if found.len() > most {
            found.clear();
        }
        Ok(found)
    }

    /// Returns the candidates that the nearest supertypes of some types declare, and whether that
    /// leaves a doubt. `None` if there are none.
    pub(super) fn inherited(
        &self,
        candidates: &[&'g Candidate<'s>],
        types: &[&'g Candidate<'s>],
    ) -> Result<Option<Matches<'g, 's>>> {
        if types.is_empty() || !candidates.iter().copied().any(is_member) {
            return Ok(None);
        }
        // What a class inherits from a class comes before what it inherits from an interface,
        // however near that is.
        let has_classes =
            matches!(self.scope.family, Family::CSharp | Family::Jvm | Family::Php | Family::Script);
        let mut of_interface = None;
        let of_class = self.graph.climb(types, |level| {
            let is_late =
                |one: &&Supertype<'g, 's>| has_classes && one.of.row.kind == DeclarationKind::Interface;
            let (late, level): (Vec<_>, Vec<_>) = level.iter().partition(is_late);
            let found = self.members_at(candidates, &level)?;
            if found.is_none() && of_interface.is_none() {
                of_interface = self.members_at(candidates, &late)?;
            }
            Ok(found)
        })?;
        Ok(of_class.or(of_interface))
    }

    /// Returns the candidates that supertypes of one level declare, and whether that leaves a
    /// doubt. `None` if there are none.
    fn members_at(
        &self,
        candidates: &[&'g Candidate<'s>],
        level: &[&Supertype<'g, 's>],
    ) -> Result<Option<Matches<'g, 's>>> {
        let mut by_type: Vec<Candidates<'g, 's>> = Vec::new();
        let mut is_certain = true;
        for supertype in level {
            let found = self.graph.members_of(candidates, &[supertype.of])?;
            let is_known =
                |one: &Candidates<'g, 's>| one.iter().map(|one| one.at).eq(found.iter().map(|one| one.at));
            if !found.is_empty() && !by_type.iter().any(is_known) {
                is_certain &= supertype.is_certain;
                by_type.push(found);
            }
        }
        // A method with a body implements those without.
        let has_body = |found: &Candidates<'g, 's>| found.iter().any(|one| !one.row.body.is_empty());
        if by_type.iter().any(has_body) {
            by_type.retain(has_body);
        }
        let evidence =
            if is_certain && by_type.len() == 1 { Evidence::Inherited } else { Evidence::Mentioned };
        let found: Candidates<'g, 's> = by_type.into_iter().flatten().collect();
        Ok((!found.is_empty()).then_some((evidence, found)))
    }
}

impl<'s> Graph<'_, 's> {
    /// Returns whether a method has no implementation. One of Python has a body all the same; the
    /// record says it.
    fn is_abstract(&self, one: &Candidate<'s>) -> Result<bool> {
        if one.row.body.is_empty() || one.family != Family::Python {
            return Ok(one.row.body.is_empty() && one.row.kind == DeclarationKind::Method);
        }
        let segment = one.file.segment;
        let name = segment.name(&one.row);
        let mentions = segment.mentions(segment.chunk_of_name(&one.row))?;
        Ok(mentions.iter().any(|given| {
            let class = given.alias.strip_prefix(ABSTRACT_QUALIFIER).map(str::trim_start);
            given.kind == ReferenceKind::Gives
                && given.qualifier == ABSTRACT_QUALIFIER
                && (given.name, class) == (name, Some(one.owner))
        }))
    }

    /// Returns the candidates that are members of a type. `types` are its declarations.
    pub(super) fn members_of<'g>(
        &'g self,
        candidates: &[&'g Candidate<'s>],
        types: &[&'g Candidate<'s>],
    ) -> Result<Candidates<'g, 's>> {
        let Some(first) = types.first() else { return Ok(Vec::new()) };
        let is_of = |one: &Candidate<'s>, ty: &Candidate<'s>| {
            one.owner == type_name(ty)
                && match type_that_declares(one) {
                    Some(declared) => declared == ty.at,
                    None => one.family != Family::C || may_belong_to(one, ty),
                }
        };
        let is_in_file = |one: &Candidate<'s>, ty: &Candidate<'s>| {
            (one.file.part, one.file.ord) == (ty.file.part, ty.file.ord) && is_of(one, ty)
        };
        let found = pick(candidates, |one| types.iter().any(|ty| is_in_file(one, ty)));
        // A C# type may be declared in parts, and any file of Swift may extend a type.
        if !found.is_empty() && !matches!(first.family, Family::CSharp | Family::Swift) {
            return Ok(found);
        }
        let is_beside = |one: &Candidate<'s>, ty: &Candidate<'s>| {
            folder(one.file.path()) == folder(ty.file.path())
                && (is_of(one, ty)
                    || ty.family == Family::CSharp && one.owner == type_name(ty) && may_be_part(one, ty))
        };
        // Some languages let the members of a type be declared in several files.
        let is_spread =
            matches!(first.family, Family::C | Family::CSharp | Family::Go | Family::Rust | Family::Swift);
        let beside = match is_spread {
            true => pick(candidates, |one| types.iter().any(|ty| is_beside(one, ty))),
            false => Vec::new(),
        };
        if !beside.is_empty() && first.family != Family::Swift {
            return Ok(beside);
        }
        let name = type_name(first);
        if first.family == Family::CSharp {
            let all: Candidates<'_, 's> = self.candidates(name)?.iter().collect();
            let parts = pick(&all, |one| is_whole_type(one.row.kind) && is_same_type(one, first));
            let of_parts = pick(candidates, |one| {
                type_that_declares(one).is_some_and(|of| parts.iter().any(|part| part.at == of))
            });
            if !of_parts.is_empty() {
                return Ok(of_parts);
            }
        }
        let mut own = pick(candidates, |one| one.owner == name && one.family == first.family);
        if first.family == Family::C {
            own.retain(|one| types.iter().any(|ty| is_of(one, ty)));
        }
        let is_only = !own.is_empty() && self.is_one_type(name, first.family)?;
        if is_only {
            return Ok(own);
        }
        // The blocks of a type may be anywhere in its crate. Each says by its own file's imports
        // which of several types it is for.
        if first.family == Family::Rust && found.is_empty() && beside.is_empty() && own.len() <= MAX_METHODS {
            let mut assigned = Vec::new();
            for one in own {
                let of = self.types_of_member(one)?;
                if of.iter().any(|of| types.iter().any(|ty| ty.at == of.at)) {
                    assigned.push(one);
                }
            }
            return Ok(assigned);
        }
        Ok(if beside.is_empty() { found } else { beside })
    }

    /// Returns the candidates of C and C++ that need no object: those outside of types, types,
    /// macros, and friends, which are functions in a type.
    pub(super) fn free<'g>(&'g self, candidates: &[&'g Candidate<'s>]) -> Result<Candidates<'g, 's>> {
        let mut found = Vec::new();
        for &one in candidates {
            let segment = one.file.segment;
            let parent = one.row.parent.and_then(|parent| segment.declaration(parent));
            let is_named = !segment.scope(&one.row).is_empty();
            let is_free = match parent {
                _ if is_type(one.row.kind) || one.owner.is_empty() => true,
                _ if one.row.kind == DeclarationKind::Macro => true,
                Some(parent) if !is_named => {
                    let is_friend = one.row.kind == DeclarationKind::Function && is_type(parent.kind);
                    parent.kind == DeclarationKind::Module || is_friend
                }
                // `void a::f() {}`, where `a` may be a namespace or a type.
                _ => {
                    let all = self.candidates(one.owner)?;
                    let types = || all.iter().filter(|of| of.family == one.family && is_type(of.row.kind));
                    let is_module = |of: &Candidate<'s>| of.row.kind == DeclarationKind::Module;
                    types().next().is_some() && types().all(is_module)
                }
            };
            if is_free {
                found.push(one);
            }
        }
        Ok(found)
    }

    /// Returns whether exactly one type of this language family has this name.
    pub(super) fn is_one_type(&self, name: &str, family: Family<'_>) -> Result<bool> {
        let all = self.candidates(name)?;
        let mut types = all.iter().filter(|one| family.sees(one.family) && is_whole_type(one.row.kind));
        let Some(first) = types.next() else { return Ok(false) };
        // A C++ type may be declared ahead and a C# type in parts: within one folder, that is one
        // type. A Kotlin type may be expected in one place and be there for each platform.
        Ok(types.all(|one| match family {
            Family::C | Family::CSharp => folder(one.file.path()) == folder(first.file.path()),
            Family::Jvm => self.is_one_kotlin_type(one, first),
            _ => false,
        }))
    }

    /// Returns whether two types of one name are declared in the same package of Kotlin.
    fn is_one_kotlin_type(&self, one: &Candidate<'s>, other: &Candidate<'s>) -> bool {
        let package = |one: &Candidate<'s>| {
            let is_kotlin = one.file.language() == "kotlin" && one.row.parent.is_none();
            let scope = if is_kotlin { self.scope(&one.file).ok() } else { None };
            scope.and_then(|scope| scope.namespace.as_ref())
        };
        // The source sets of a module are below one folder `src`. Two modules may repeat a name.
        let module =
            |one: &Candidate<'s>| one.file.path().find("src/").and_then(|at| one.file.path().get(..at));
        module(one) == module(other)
            && package(one).zip(package(other)).is_some_and(|(one, other)| one.is_same(other))
    }

    /// Returns the declarations of the innermost type around a declaration, which may be the
    /// declaration itself. A member that stands outside of its type names it. Then the type is
    /// looked up in its file, its folder, what the file imports, and everywhere.
    pub(super) fn types_around(
        &self,
        file: &FileView<'s>,
        declaration: Option<u32>,
    ) -> Result<Candidates<'_, 's>> {
        let mut at = declaration;
        while let Some((ord, row)) = at.and_then(|ord| Some((ord, file.segment.declaration(ord)?))) {
            let is_type =
                is_declared_type(row.kind) || row.kind == DeclarationKind::Module && has_module_methods(file);
            if is_type && !file.is_component(ord) {
                let all = self.candidates(file.segment.name(&row))?;
                let is_it = |one: &&Candidate<'s>| one.at == DeclarationRef { part: file.part, ord };
                return Ok(all.iter().filter(is_it).collect());
            }
            let parent = row.parent.filter(|&parent| parent < ord);
            let name = match row.kind {
                DeclarationKind::Implementation => last_segment(file.segment.name(&row)),
                // `void IDisposable.Dispose()` is a member of the class around it.
                _ if parent.is_some() && Family::of(file.language()) == Family::CSharp => "",
                _ => last_segment(file.segment.scope(&row)),
            };
            if !name.is_empty() {
                return self.types_seen(name, file, ord);
            }
            at = parent;
        }
        Ok(Vec::new())
    }

    /// Returns the only type around a declaration, or the one that it names as its own.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn type_of_member(&self, at: DeclarationRef) -> Result<Option<DeclarationRef>> {
        let Some((file, _)) = self.declaration(at) else { return Ok(None) };
        let mut types = self.types_around(&file, Some(at.ord))?;
        // A type that is only announced has no members.
        types.retain(|one| !one.row.body.is_empty());
        Ok(if let [one] = types.as_slice() { Some(one.at) } else { None })
    }

    /// Returns the declarations of the type that a declaration in a file names.
    fn types_seen(&self, name: &str, file: &FileView<'s>, ord: u32) -> Result<Candidates<'_, 's>> {
        let family = Family::of(file.language());
        let all: Candidates<'_, 's> = self.candidates(name)?.iter().collect();
        let types = pick(&all, |one| family.sees(one.family) && is_whole_type(one.row.kind) && !one.is_local);
        let types = self.that_may_contain(types, file, ord)?;
        let here = pick(&types, |one| (one.file.part, one.file.ord) == (file.part, file.ord));
        if !here.is_empty() {
            return Ok(here);
        }
        let beside = pick(&types, |one| folder(one.file.path()) == folder(file.path()));
        if !beside.is_empty() || types.len() <= 1 {
            return Ok(if beside.is_empty() { types } else { beside });
        }
        let Some(row) = file.segment.declaration(ord) else { return Ok(Vec::new()) };
        let from = ChunkRef { part: file.part, ord: file.segment.chunk_of_name(&row) };
        // The name is read outside of the declaration: inside, its meaning depends on this type.
        let site = Site::new(self, self.scope(file)?, *file, from, row.parent.filter(|&parent| parent < ord));
        let named = Mention { kind: ReferenceKind::Type, name, qualifier: "", alias: "" };
        let (evidence, found) = site.resolve(&named)?;
        Ok(if evidence.is_certain() { pick(&found, |one| is_whole_type(one.row.kind)) } else { Vec::new() })
    }

    /// Drops the types that a declaration of C++ can't mean as its own, since it names another
    /// place for its own type: `void Shop::Cart::pay() {}`.
    fn that_may_contain<'g>(
        &'g self,
        types: Candidates<'g, 's>,
        file: &FileView<'s>,
        ord: u32,
    ) -> Result<Candidates<'g, 's>> {
        let Some(row) = file.segment.declaration(ord) else { return Ok(types) };
        if types.len() < 2 || file.language() != "cpp" {
            return Ok(types);
        }
        let at = DeclarationRef { part: file.part, ord };
        let all = self.candidates(file.segment.name(&row))?;
        Ok(match all.iter().find(|one| one.at == at) {
            Some(member) => pick(&types, |ty| may_belong_to(member, ty)),
            None => types,
        })
    }

    /// Returns the declarations of the type that a member belongs to.
    fn types_of_member(&self, member: &Candidate<'s>) -> Result<Candidates<'_, 's>> {
        let of = member.row.parent.or(Some(member.at.ord)).filter(|_| is_member(member));
        let of = if member.file.segment.scope(&member.row).is_empty() { of } else { Some(member.at.ord) };
        self.types_around(&member.file, of)
    }

    /// Returns whether the type of a member inherits from another type.
    fn inherits(&self, member: &Candidate<'s>, from: &[&Candidate<'s>]) -> Result<bool> {
        let types = self.types_of_member(member)?;
        let found = self.climb(&types, |level| {
            let is_from = |one: &Supertype<'_, 's>| from.iter().any(|from| from.at == one.of.at);
            Ok(level.iter().any(is_from).then_some(()))
        })?;
        Ok(found.is_some())
    }
}

/// Returns whether a subtype may declare a member of this kind again: a method or a property.
fn is_overridable(kind: DeclarationKind) -> bool {
    matches!(kind, DeclarationKind::Method | DeclarationKind::Field | DeclarationKind::Variable)
}

/// Returns whether a declaration of this kind is a type itself and does not only add to one.
pub(super) fn is_whole_type(kind: DeclarationKind) -> bool {
    is_type(kind) && kind != DeclarationKind::Implementation
}

/// Returns the name of a type, without qualifiers and type arguments.
pub(super) fn type_name<'s>(one: &Candidate<'s>) -> &'s str {
    last_segment(one.file.segment.name(&one.row))
}

/// Returns the type that a member is declared inside of. `None` if it is declared elsewhere, and
/// only names its type.
fn type_that_declares(member: &Candidate<'_>) -> Option<DeclarationRef> {
    let segment = member.file.segment;
    if !segment.scope(&member.row).is_empty() {
        return None;
    }
    let ord = member.row.parent?;
    let kind = segment.declaration(ord)?.kind;
    is_whole_type(kind).then_some(DeclarationRef { part: member.at.part, ord })
}
