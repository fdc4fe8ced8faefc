//! Resolves a mention to the declarations that it can mean.
//!
//! Input: a mention and the chunk around it ([`Site`]). Output: candidates, and the evidence that
//! they share. Rules are tried from those that leave no doubt down to guesses, and the first that
//! finds something decides. An imported name is looked up only where it is imported from. If no
//! file of the repository fits, the name comes from outside and means nothing here.
//!
//! Longer than 600 lines because the rules are one list: each is tried only where those before it
//! found nothing.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use crate::index::chunk::{
    ATTRIBUTE_ALIAS, ATTRIBUTE_QUALIFIER, DeclarationKind, LOCAL_ALIAS, ReferenceKind, embedded_language,
};
use crate::search::segment::{ChunkRef, FileView, Mention, Part};

use super::expr_types::HIDING;
use super::family::{ELIXIR, Family, LUA};
use super::module::{Fit, Module};
use super::own_type::class_around;
use super::prototype::defines;
use super::scope::{self, Import, Scope, folder};
use super::{
    Candidate, Evidence, Graph, ResolvedDeclaration, Result, fits, is_enough, is_function, is_type,
    last_segment,
};

/// A name with more declarations than this is not guessed at.
pub(super) const MAX_GUESSES: usize = 30;
/// Minimum length, in bytes, of an object's name that is compared with names of types.
const MIN_RECEIVER: usize = 3;

/// The context in which a mention is resolved: a chunk, its file and the graph.
pub(super) struct Site<'g, 'i, 's> {
    pub(super) graph: &'g Graph<'i, 's>,
    pub(super) scope: &'g Scope<'s>,
    pub(super) file: FileView<'s>,
    pub(super) from: ChunkRef,
    /// The declaration that the chunk begins with, or a type in the chunk.
    pub(super) around: Option<u32>,
    /// Name of the type around that; empty outside of types.
    pub(super) class: &'s str,
    /// The chunk's mentions, read when first needed.
    mentions: OnceCell<Vec<Mention<'s>>>,
    /// The names in those mentions.
    mentioned_names: OnceCell<HashSet<&'s str>>,
    /// Full names of the classes and modules around the chunk, innermost first.
    pub(super) nesting: OnceCell<Vec<String>>,
    /// The declarations of the type around.
    pub(super) own_types: OnceCell<Candidates<'g, 's>>,
}

impl<'s> Graph<'_, 's> {
    /// Returns the declarations that a mention in a chunk can mean, best first.
    ///
    /// All have the same evidence, except implementations of the called method, which follow. Empty
    /// if the mention means nothing in this repository, and for links.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub fn resolve(&self, from: ChunkRef, mention: &Mention<'_>) -> Result<Vec<ResolvedDeclaration>> {
        match self.site(from)? {
            Some(site) => site.resolved(mention),
            None => Ok(Vec::new()),
        }
    }

    pub(super) fn site(&self, from: ChunkRef) -> Result<Option<Site<'_, '_, 's>>> {
        let Some(segment) = self.index.segment(from.part) else { return Ok(None) };
        let Some(row) = segment.chunk(from.ord) else { return Ok(None) };
        let Some(file) = self.index.file(from.part, row.file) else { return Ok(None) };
        Ok(Some(Site::new(self, self.scope(&file)?, file, from, row.declaration)))
    }

    pub(super) fn scope(&self, file: &FileView<'s>) -> Result<&Scope<'s>> {
        let key = (file.part, file.ord);
        match self.scopes.get(&key) {
            Some(known) => Ok(known),
            None => {
                let mut scope = Scope::of(file)?;
                if file.language() == "razor" {
                    self.add_shared_imports(&mut scope)?;
                }
                Ok(self.scopes.insert(key, Box::new(scope)))
            }
        }
    }
}

impl<'s> Graph<'_, 's> {
    fn embedded_scope(&self, file: &FileView<'s>, language: &'static str) -> &Scope<'s> {
        let key = (file.part, file.ord, language);
        match self.embedded_scopes.get(&key) {
            Some(known) => known,
            None => self.embedded_scopes.insert(key, Box::new(Scope::embedded(file, language))),
        }
    }
}

/// Declarations that a name can mean, borrowed from the graph's cache.
pub(super) type Candidates<'g, 's> = Vec<&'g Candidate<'s>>;

/// The candidates for a mention, and the evidence that they share.
pub(super) type Matches<'g, 's> = (Evidence, Candidates<'g, 's>);

pub(super) fn nothing<'g, 's>() -> Matches<'g, 's> {
    (Evidence::Name, Vec::new())
}

impl<'g, 'i, 's> Site<'g, 'i, 's> {
    pub(super) fn new(
        graph: &'g Graph<'i, 's>,
        scope: &'g Scope<'s>,
        file: FileView<'s>,
        from: ChunkRef,
        around: Option<u32>,
    ) -> Self {
        Self {
            graph,
            scope,
            file,
            from,
            around,
            class: class_around(&file, around),
            mentions: OnceCell::new(),
            mentioned_names: OnceCell::new(),
            nesting: OnceCell::new(),
            own_types: OnceCell::new(),
        }
    }

    /// As [`Graph::resolve`].
    pub(super) fn resolved(&self, mention: &Mention<'_>) -> Result<Vec<ResolvedDeclaration>> {
        let (evidence, found) = self.resolve(mention)?;
        let implementing = match evidence {
            Evidence::Declared | Evidence::Inherited => self.implementing(&found, mention)?,
            _ => Vec::new(),
        };
        let with_evidence = |found: Candidates<'g, 's>, evidence: Evidence| {
            let confidence = evidence.confidence(found.len());
            found.into_iter().map(move |one| ResolvedDeclaration { to: one.at, evidence, confidence })
        };
        Ok(with_evidence(found, evidence).chain(with_evidence(implementing, Evidence::Implements)).collect())
    }

    /// Returns the chunk's mentions, in order.
    pub(super) fn mentions(&self) -> Result<&[Mention<'s>]> {
        if self.mentions.get().is_none() {
            let _ = self.mentions.set(self.file.segment.mentions(self.from.ord)?);
        }
        Ok(self.mentions.get().map_or(&[], Vec::as_slice))
    }

    fn mentioned_names(&self) -> Result<&HashSet<&'s str>> {
        let mentions = self.mentions()?;
        Ok(self.mentioned_names.get_or_init(|| mentions.iter().map(|mention| mention.name).collect()))
    }

    pub(super) fn resolve(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        if matches!(mention.kind, ReferenceKind::Link | ReferenceKind::Gives) {
            return Ok(nothing());
        }
        if let Some((language, alias)) = embedded_language(mention.alias) {
            let scope = self.graph.embedded_scope(&self.file, language);
            let site = Self::new(self.graph, scope, self.file, self.from, self.around);
            return site.resolve(&Mention { alias, ..*mention });
        }
        if let Some(site) = self.in_type_of(mention) {
            return site.resolve(&Mention { alias: "", ..*mention });
        }
        let found = self.resolve_here(mention)?;
        let is_settled = !found.1.is_empty() && (found.0.is_certain() || found.0 == Evidence::Alternative);
        // A declaration in a module's folder may not be the one that the module exports.
        if is_settled && found.0 != Evidence::Import {
            return Ok(found);
        }
        match self.graph.reexported(self, mention)? {
            Some((evidence, all)) if !is_settled || *evidence == Evidence::Import => {
                Ok((*evidence, all.iter().collect()))
            }
            _ => Ok(found),
        }
    }

    /// As [`Self::resolve`], but without packages and what they re-export.
    fn resolve_here(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let mut candidates = self.candidates(mention.name, mention.kind)?;
        if self.scope.family == ELIXIR {
            candidates.retain(|one| is_of_syntax(one.row.kind, mention));
        }
        if mention.alias == ATTRIBUTE_ALIAS && self.scope.family == Family::CSharp {
            let whole = format!("{}Attribute", mention.name);
            let found = self.resolve_here(&Mention { name: &whole, alias: "", ..*mention })?;
            if !found.1.is_empty() {
                return Ok(found);
            }
        }
        if mention.kind == ReferenceKind::Import {
            return Ok(self.import(&candidates, mention));
        }
        let constant = match mention.kind {
            ReferenceKind::Type | ReferenceKind::Inherits | ReferenceKind::Use => self.constant(mention)?,
            // A call of a constant constructs a type.
            _ => pick(&self.constant(mention)?, |one| is_type(one.row.kind)),
        };
        if !constant.is_empty() {
            return Ok((Evidence::Constant, constant));
        }
        let is_bare = self.scope.family.is_bare(mention.qualifier);
        let found =
            if is_bare { self.bare(&candidates, mention)? } else { self.qualified(&candidates, mention)? };
        let found = if self.are_versions(&found) { (Evidence::Alternative, found.1) } else { found };
        let is_enough = is_enough(found.0, mention.kind, self.scope.family)
            || found.0 == Evidence::Alternative && mention.kind == ReferenceKind::Use;
        Ok(if is_enough { found } else { nothing() })
    }

    /// Returns whether one file declares a function several times, each with a body: one for each
    /// platform or setting, of which a build has one.
    fn are_versions(&self, (evidence, found): &Matches<'g, 's>) -> bool {
        let is_conditional = matches!(self.scope.family, Family::C | Family::Rust);
        let [first, .., last] = found.as_slice() else { return false };
        is_conditional
            && evidence.is_certain()
            && (first.file.part, first.file.ord) == (last.file.part, last.file.ord)
            && found.iter().all(|one| is_function(one.row.kind) && !one.row.body.is_empty())
            // Two modules may declare a function of one name each.
            && found.iter().all(|one| one.owner == first.owner)
    }

    /// Returns the declarations that a name can mean, by kind of reference, language and
    /// visibility.
    pub(super) fn candidates(&self, name: &str, kind: ReferenceKind) -> Result<Candidates<'g, 's>> {
        let all = self.graph.candidates(name)?;
        let mut found: Candidates<'g, 's> = all
            .iter()
            .filter(|one| self.scope.family.sees(one.family) && fits(kind, one.row.kind))
            .filter(|one| !one.is_local || self.is_here(one) && self.is_within(one))
            // Vendored copies are visible only to each other.
            .filter(|one| !one.file.flags().is_vendored() || self.file.flags().is_vendored())
            .collect();
        if self.scope.family == Family::Rust {
            found.retain(|one| is_of_target(one.file.path(), self.scope.path));
        }
        // Java has a name space for methods and another for values.
        if kind == ReferenceKind::Use && self.file.language() == "java" {
            found.retain(|one| !is_function(one.row.kind));
        }
        drop_constructors(&mut found);
        // If something is declared both with and without a body, the one with a body is meant.
        if self.scope.family == Family::C && found.iter().any(|one| !one.row.body.is_empty()) {
            let all = found.clone();
            found.retain(|one| !one.row.body.is_empty() || !all.iter().any(|other| defines(other, one)));
        }
        Ok(found)
    }

    pub(super) fn is_here(&self, one: &Candidate<'_>) -> bool {
        one.file.part == self.file.part && one.file.ord == self.file.ord
    }

    /// Returns whether the chunk overlaps the function that a local declaration belongs to.
    fn is_within(&self, one: &Candidate<'_>) -> bool {
        let segment = one.file.segment;
        let around = one.row.parent.and_then(|parent| segment.declaration(parent));
        let start = segment.chunk(self.from.ord).map(|row| row.span);
        around.zip(start).is_some_and(|(around, chunk)| {
            chunk.bytes.start < around.span.bytes.end && chunk.bytes.end > around.span.bytes.start
        })
    }

    fn import(&self, candidates: &[&'g Candidate<'s>], mention: &Mention<'_>) -> Matches<'g, 's> {
        let module = if mention.qualifier.is_empty() { mention.name } else { mention.qualifier };
        let module = Module::parse(self.scope.family, self.scope.path, module);
        (Evidence::Import, self.in_module(candidates, &module, |one| !self.is_here(one)))
    }

    /// Resolves a name without a qualifier. What functions declare inside is meant where the record
    /// says so, or if nothing else is.
    fn bare(&self, candidates: &[&'g Candidate<'s>], mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let locals = pick(candidates, |one| one.is_local);
        if locals.is_empty() {
            return self.bare_of(candidates, mention);
        }
        if mention.alias == LOCAL_ALIAS {
            return self.bare_of(&locals, mention);
        }
        let found = self.bare_of(&pick(candidates, |one| !one.is_local), mention)?;
        if found.0.is_certain() && !found.1.is_empty() {
            Ok(found)
        } else {
            self.bare_of(candidates, mention)
        }
    }

    fn bare_of(&self, candidates: &[&'g Candidate<'s>], mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let family = self.scope.family;
        let is_call = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
        if family.has_implicit_self()
            && is_call
            && !self.class.is_empty()
            && let Some(own) = self.of_types_around(candidates)?
        {
            return Ok(own);
        }
        // Without an implicit object, a bare name cannot mean a member.
        let is_seen = |one: &Candidate<'s>| {
            !is_call || family.has_implicit_self() || !is_member(one) || is_type(one.row.kind)
        };
        // In Rust, a member of a trait or an implementation is named behind its type.
        let is_hidden = |one: &Candidate<'s>| family == Family::Rust && is_member(one) && !is_in_module(one);
        let mut seen = pick(candidates, |one| is_seen(one) && !is_hidden(one));
        // What a namespace declares is named without it inside, or after `using`.
        let free = if family == Family::C { self.graph.free(&seen)? } else { Vec::new() };
        if family == Family::C && self.class.is_empty() {
            seen.clone_from(&free);
        }
        let is_free = |one: &Candidate<'s>| free.iter().any(|free| free.at == one.at);
        let mut here = pick(&seen, |one| {
            self.is_here(one) && (one.owner.is_empty() || one.owner == self.class || is_free(one))
        });
        if is_call && !family.has_implicit_self() {
            match self.in_modules_around(candidates, mention)? {
                (Evidence::Name, inner) => here.extend(inner),
                inner => return Ok(inner),
            }
        }
        if !here.is_empty() {
            // Several types of one name are in different blocks, which are not declarations.
            let is_block = family == Family::Script && here.len() > 1;
            let is_ambiguous = is_block && here.iter().all(|one| is_type(one.row.kind));
            let evidence = if is_ambiguous { Evidence::Alternative } else { Evidence::File };
            return Ok((evidence, here));
        }
        let nested = pick(&seen, |one| self.is_here(one) && !is_function(one.row.kind));
        if let [_] = nested.as_slice() {
            return Ok((Evidence::File, nested));
        }
        if family == Family::CSharp {
            let types = pick(&seen, |one| is_type(one.row.kind));
            let (evidence, mut found) = self.in_namespaces(&types);
            if !found.is_empty() {
                // The other part of a component does not say its namespace.
                let is_part = |one: &Candidate<'s>| {
                    found.iter().any(|known| is_component(known.file.path(), one.file.path()))
                };
                let parts = pick(&types, is_part);
                found.extend(parts);
                return Ok((evidence, found));
            }
            let component = self.component(&seen);
            if !component.is_empty() {
                return Ok((Evidence::Only, component));
            }
        }
        let mut is_imported = false;
        for import in self.scope.imports.iter().filter(|import| import.local == mention.name) {
            is_imported = true;
            let found = self.imported(import, mention.kind)?;
            if !found.is_empty() {
                return Ok((Evidence::Import, found));
            }
        }
        if is_imported {
            return Ok(nothing());
        }
        let top = match family {
            Family::C => free,
            _ => pick(&seen, |one| one.owner.is_empty() || is_type(one.row.kind)),
        };
        // A file of Elixir has all names inside of its modules.
        let open = if family == ELIXIR { candidates } else { &top };
        let imported = self.in_any_module(open, |import| import.local.is_empty(), |one| !self.is_here(one));
        if !imported.is_empty() {
            return Ok((Evidence::Import, imported));
        }
        let beside = self.beside(&top);
        if !beside.is_empty() {
            // In Go, a package has a function once for each platform.
            let is_alternative = family == Family::Go && are_alternatives(&beside);
            let evidence = if is_alternative { Evidence::Alternative } else { Evidence::Package };
            return Ok((evidence, beside));
        }
        if family.has_implicit_self()
            && is_call
            && !self.class.is_empty()
            && let Some(inherited) = self.inherited(candidates, self.own_types()?)?
        {
            return Ok(inherited);
        }
        Ok(self.anywhere(seen))
    }

    /// Resolves a bare name that nothing around it explains.
    fn anywhere(&self, seen: Vec<&'g Candidate<'s>>) -> Matches<'g, 's> {
        let family = self.scope.family;
        let global = pick(&seen, |one| one.owner.is_empty());
        match global.as_slice() {
            [_] if family.is_global() => (Evidence::Only, global),
            several if family.is_global() && are_alternatives(several) => (Evidence::Alternative, global),
            [_] => (Evidence::Sole, global),
            [] if seen.len() == 1 && !family.has_packages() => (Evidence::Sole, seen),
            _ => guess(seen),
        }
    }

    /// Returns the candidates in the files that fit one of the imported modules best. Of several
    /// modules that fit equally well, the first counts.
    fn in_any_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        counts: impl Fn(&Import<'s>) -> bool,
        admits: impl Fn(&Candidate<'s>) -> bool,
    ) -> Candidates<'g, 's> {
        let (mut best, mut found) = (None, Vec::new());
        for import in self.scope.imports.iter().filter(|import| counts(import)) {
            let (fit, next) = self.fitting(candidates, &import.module, &admits);
            if !next.is_empty() && fit > best {
                (best, found) = (fit, next);
            }
        }
        found
    }

    /// Returns the candidates that the file sees without an import: those of its namespace or of
    /// its package.
    fn beside(&self, candidates: &[&'g Candidate<'s>]) -> Candidates<'g, 's> {
        let own = self.of_namespace(candidates);
        if !own.is_empty() {
            return own;
        }
        let is_php = self.scope.family == Family::Php;
        let is_seen =
            |one: &Candidate<'s>| one.owner.is_empty() && !(is_php && self.is_of_other_namespace(one));
        self.scope.of_package(&pick(candidates, is_seen))
    }

    /// Returns the candidates of the namespace that the file declares.
    fn of_namespace(&self, candidates: &[&'g Candidate<'s>]) -> Candidates<'g, 's> {
        let Some(namespace) = &self.scope.namespace else { return Vec::new() };
        let admits = |one: &Candidate<'s>| one.owner.is_empty() && !self.is_here(one);
        let (fit, own) = self.fitting(candidates, namespace, admits);
        if fit == Some(Fit::Declared) { own } else { Vec::new() }
    }

    /// Returns whether the file of a declaration says that it belongs to another namespace than
    /// this file.
    fn is_of_other_namespace(&self, one: &Candidate<'s>) -> bool {
        let of = self.graph.scope(&one.file).ok().and_then(|scope| scope.namespace.as_ref());
        of.is_some_and(|of| self.scope.namespace.as_ref().is_none_or(|own| !own.is_same(of)))
    }

    /// Returns whether the chunk is in a module that its own file declares.
    fn is_in_inline_module(&self) -> bool {
        let segment = self.file.segment;
        let mut at = self.around;
        while let Some((ord, row)) = at.and_then(|ord| Some((ord, segment.declaration(ord)?))) {
            if row.kind == DeclarationKind::Module {
                return true;
            }
            at = row.parent.filter(|&parent| parent < ord);
        }
        false
    }

    /// Returns the parts of the only type with this name, for a mention in Razor. The namespace of
    /// a file of Razor depends on its project.
    fn component(&self, seen: &[&'g Candidate<'s>]) -> Candidates<'g, 's> {
        if self.file.language() != "razor" {
            return Vec::new();
        }
        let types = pick(seen, |one| is_type(one.row.kind));
        let folders: HashSet<&[u8]> = types.iter().map(|one| folder(one.file.path())).collect();
        if folders.len() == 1 { types } else { Vec::new() }
    }

    /// Returns the declarations that an import brings in, by their name at the declaration.
    pub(super) fn imported(&self, import: &Import<'s>, kind: ReferenceKind) -> Result<Candidates<'g, 's>> {
        let candidates = self.candidates(import.name, kind)?;
        let is_top = |one: &Candidate<'s>| one.owner.is_empty() || is_type(one.row.kind);
        // A member comes with its type, or is named behind it (`import static a.B.c`). Members are
        // tried last: modules are compared ignoring case, and a package may be called like a type
        // in it.
        let (top, members): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|one| is_top(one));
        // The imported name may itself be a module: a type with a file of its own (`a.b.Type`), or
        // a file of the module.
        let inner = import.module.join(import.name);
        for of in [&top, &pick(&members, |one| import.module.ends_with(one.owner))] {
            for module in [&import.module, &inner] {
                let found = self.in_module(of, module, |one| !self.is_here(one));
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Ok(Vec::new())
    }

    /// Resolves a name behind a qualifier.
    fn qualified(&self, candidates: &[&'g Candidate<'s>], mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let family = self.scope.family;
        let qualifier = mention.qualifier;
        if let Some(only_super) = family.is_self(qualifier) {
            return self.of_own_class(candidates, only_super);
        }
        if let Some(found) = self.of_declared_type(candidates, mention)? {
            return Ok(found);
        }
        if let Some(found) = self.of_inferred_type(candidates, mention)? {
            return Ok(found);
        }
        // The name of an object with a type means no module and no type.
        if mention.kind == ReferenceKind::Use && !mention.alias.is_empty() {
            return Ok(nothing());
        }
        if mention.alias == HIDING {
            return self.member(candidates, segments(qualifier).last().copied().unwrap_or_default());
        }
        if qualifier.starts_with('"') {
            if let Some(extending) = self.extending(candidates, "string", &[])? {
                return Ok(extending);
            }
            // A string literal: only members that this repository adds to the string type can be
            // meant.
            return Ok(guess(pick(candidates, |one| {
                one.owner.eq_ignore_ascii_case("string") || one.owner == "str"
            })));
        }
        if let Some(called) = first_call(qualifier) {
            // The result of a function from outside the repository has a type from outside, too.
            if self.is_from_outside(called)? {
                return Ok(nothing());
            }
            let receiver = segments(qualifier).last().copied().unwrap_or_default();
            return self.member(candidates, receiver.trim_end_matches(['(', ')', '?', '!']));
        }
        let segments = segments(qualifier);
        let (Some(first), Some(last)) = (segments.first().copied(), segments.last().copied()) else {
            return Ok(nothing());
        };
        if family == Family::Go && segments.len() == 1 && is_receiver(first, self.class) {
            let own = pick(candidates, |one| {
                one.owner == self.class && folder(one.file.path()) == self.scope.folder()
            });
            if !own.is_empty() {
                return Ok((Evidence::Class, own));
            }
        }
        let mut is_imported = false;
        for import in self.scope.imports.iter().filter(|import| import.local == first) {
            is_imported = true;
            let found = self.through(import, &segments, candidates);
            if !found.is_empty() {
                return Ok((Evidence::Import, found));
            }
        }
        if let Some(found) = self.of_type_named(candidates, qualifier)? {
            return Ok(found);
        }
        if let Some(found) = self.of_named_module(candidates, qualifier, is_imported)? {
            return Ok(found);
        }
        if is_imported {
            return Ok(nothing());
        }
        let of_constant = self.of_constant(candidates, qualifier)?;
        if !of_constant.is_empty() {
            return Ok((Evidence::Qualifier, of_constant));
        }
        let owner = family.owner(last_segment(last));
        let owned = pick(candidates, |one| one.owner == owner);
        if let Some(members) = self.of_named_owner(&owned, owner)? {
            return Ok((Evidence::Qualifier, members));
        }
        let names_file = segments.len() > 1 && family.has_dotted_modules() || family.has_file_modules();
        if family == Family::Rust && qualifier == "super" && self.is_in_inline_module() {
            let here = pick(candidates, |one| self.is_here(one) && one.owner.is_empty());
            return Ok((Evidence::File, here));
        }
        if family == Family::Rust || names_file {
            let module = Module::parse(family, self.scope.path, qualifier);
            let found = self.in_module(candidates, &module, |one| one.owner.is_empty());
            let names_module = family != Family::Rust || qualifier.contains("::") || !found.is_empty();
            if names_module && !found.is_empty() {
                return Ok((Evidence::Import, found));
            }
        }
        if !owned.is_empty() {
            return Ok(guess(owned));
        }
        self.member(candidates, last)
    }

    /// Resolves a member of the class around the mention, or of its supertypes only.
    fn of_own_class(&self, candidates: &[&'g Candidate<'s>], only_super: bool) -> Result<Matches<'g, 's>> {
        let types = self.own_types()?;
        if types.is_empty() && self.scope.family == Family::Script && !only_super {
            return Ok(self.of_own_object(candidates));
        }
        if !only_super {
            let own = self.graph.members_of(candidates, types)?;
            if !own.is_empty() {
                return Ok(self.of_own_block(own));
            }
        }
        if let Some(inherited) = self.inherited(candidates, types)? {
            return Ok(inherited);
        }
        Ok(guess(pick(candidates, is_member)))
    }

    /// Chooses among members of the own type that several blocks of Rust declare: `impl A for T`
    /// and `impl B for &T` may have a member of one name each. That of the own block is meant.
    /// Without one, it stays open which is.
    fn of_own_block(&self, own: Candidates<'g, 's>) -> Matches<'g, 's> {
        if self.scope.family != Family::Rust || own.len() < 2 {
            return (Evidence::Class, own);
        }
        let at = self.file.segment.chunk(self.from.ord).map_or(0, |row| row.span.bytes.start);
        let here = pick(&own, |one| {
            let block = one.row.parent.and_then(|parent| one.file.segment.declaration(parent));
            self.is_here(one) && block.is_some_and(|block| block.span.bytes.contains(at))
        });
        if here.is_empty() { (Evidence::Alternative, own) } else { (Evidence::Class, here) }
    }

    /// Chooses among the members of types named `owner`: those of this file, of this package, of an
    /// imported module, or all of them if only one type has the name.
    fn of_named_owner(&self, owned: &[&'g Candidate<'s>], owner: &str) -> Result<Option<Candidates<'g, 's>>> {
        if owned.is_empty() {
            return Ok(None);
        }
        let here = pick(owned, |one| self.is_here(one));
        if !here.is_empty() {
            return Ok(Some(here));
        }
        let beside = self.scope.of_package(owned);
        if !beside.is_empty() {
            return Ok(Some(beside));
        }
        let imported = self.in_any_module(owned, |_| true, |_| true);
        if !imported.is_empty() {
            return Ok(Some(imported));
        }
        Ok(if self.graph.is_one_type(owner, self.scope.family)? { Some(owned.to_vec()) } else { None })
    }

    /// Returns the declarations of a qualified name whose first segment is an import's local name.
    fn through(
        &self,
        import: &Import<'s>,
        segments: &[&str],
        candidates: &[&'g Candidate<'s>],
    ) -> Candidates<'g, 's> {
        let family = self.scope.family;
        let rest = segments.get(1..).unwrap_or_default();
        let is_top = |one: &Candidate<'s>| one.owner.is_empty();
        let mut within = import.module.join(import.name);
        let mut module = import.module.clone();
        for name in rest {
            within = within.join(name);
            module = module.join(name);
        }
        let found = self.in_module(candidates, &within, is_top);
        if !found.is_empty() {
            return found;
        }
        // The import names a type, declared in the module or in a file of its own.
        let owner = rest.last().copied().unwrap_or(import.name);
        let of_type = |one: &Candidate<'s>| one.owner == owner;
        for of in [&import.module, &within] {
            let found = self.in_module(candidates, of, of_type);
            if !found.is_empty() {
                return found;
            }
        }
        // `import a.b` names the module itself. Types begin with a capital letter, modules don't.
        let is_module = !import.name.starts_with(char::is_uppercase) && import.is_module(family);
        if family == LUA {
            // The module is the table that its file returns, whatever that is called there.
            let found = self.in_module(candidates, &import.module, |_| true);
            let is_one = found.iter().all(|one| Some(one.owner) == found.first().map(|first| first.owner));
            return if is_one { found } else { Vec::new() };
        }
        if is_module { self.in_module(candidates, &module, is_top) } else { Vec::new() }
    }

    /// Resolves a member of an object of which only the name is known.
    fn member(&self, candidates: &[&'g Candidate<'s>], receiver: &str) -> Result<Matches<'g, 's>> {
        let members = pick(candidates, is_member);
        let wanted = plain(receiver);
        if wanted.len() >= MIN_RECEIVER {
            let mut named = pick(&members, |one| plain_before(one.owner, &wanted).is_some());
            if named.iter().any(|one| plain_before(one.owner, &wanted) == Some(NamePrefix::Nothing)) {
                named.retain(|one| plain_before(one.owner, &wanted) == Some(NamePrefix::Nothing));
            }
            if !named.is_empty() && named.len() <= MAX_GUESSES {
                return Ok((Evidence::Receiver, named));
            }
        }
        if members.len() > 1 {
            let names = self.mentioned_names()?;
            let mentioned = pick(&members, |one| names.contains(one.owner));
            if !mentioned.is_empty() {
                return Ok((Evidence::Mentioned, mentioned));
            }
        }
        Ok(match members.len() {
            1 => (Evidence::Sole, members),
            _ => guess(members),
        })
    }
}

/// Returns whether the way in which Elixir writes a name fits the kind of a declaration: `@` stands
/// in front of an attribute, and a call in code is never one of a type.
fn is_of_syntax(kind: DeclarationKind, mention: &Mention<'_>) -> bool {
    match mention.kind {
        ReferenceKind::Call => !matches!(kind, DeclarationKind::Type | DeclarationKind::Constant),
        ReferenceKind::Use => {
            (kind == DeclarationKind::Constant) == (mention.qualifier == ATTRIBUTE_QUALIFIER)
        }
        _ => true,
    }
}

pub(super) fn pick<'g, 's>(
    candidates: &[&'g Candidate<'s>],
    admits: impl Fn(&Candidate<'s>) -> bool,
) -> Candidates<'g, 's> {
    candidates.iter().copied().filter(|one| admits(one)).collect()
}

/// Returns whether a file can see the declarations of the Rust file at `path`.
///
/// Tests, benchmarks and examples are programs of their own, which nothing outside of their folder
/// uses (<https://doc.rust-lang.org/cargo/guide/project-layout.html>).
fn is_of_target(path: &BStr, from: &BStr) -> bool {
    let mut end = 0;
    for folder in scope::folder(path).split_str("/") {
        end += folder.len() + 1;
        if folder == b"src" {
            return true;
        }
        if matches!(folder, b"tests" | b"benches" | b"examples") {
            return path.get(..end).is_some_and(|folders| from.starts_with(folders));
        }
    }
    true
}

/// Returns whether a declaration is inside a module that its own file declares.
fn is_in_module(one: &Candidate<'_>) -> bool {
    let parent = one.row.parent.and_then(|parent| one.file.segment.declaration(parent));
    parent.is_some_and(|parent| parent.kind == DeclarationKind::Module)
}

/// Returns whether a declaration belongs to a type, module or namespace.
pub(super) fn is_member(one: &Candidate<'_>) -> bool {
    !one.owner.is_empty()
}

/// Removes constructors if anything else has the same name. A constructor is reached through its
/// type, which has that name and is declared around it.
pub(super) fn drop_constructors<'s, C: Borrow<Candidate<'s>>>(found: &mut Vec<C>) {
    let is_constructor = |one: &C| one.borrow().row.kind == DeclarationKind::Constructor;
    if found.iter().any(|one| !is_constructor(one)) {
        found.retain(|one| !is_constructor(one));
    }
}

/// Returns the names that a qualifier consists of.
pub(super) fn segments(qualifier: &str) -> Vec<&str> {
    let names = qualifier.split(['.', ':', '\\', '>']).map(|one| one.trim_end_matches('-'));
    names.filter(|one| !one.is_empty()).collect()
}

/// Returns the path of the first function that a qualifier calls. The path is empty if the called
/// expression was not recorded.
pub(super) fn first_call(qualifier: &str) -> Option<&str> {
    qualifier.find("()").and_then(|at| qualifier.get(..at))
}

/// Returns whether these are functions or tables of one name in different files: alternatives, of
/// which a build or a database has one.
fn are_alternatives(all: &[&Candidate<'_>]) -> bool {
    let files: HashSet<(Part, u32)> = all.iter().map(|one| (one.file.part, one.file.ord)).collect();
    (2..=MAX_GUESSES).contains(&all.len())
        && files.len() == all.len()
        && (all.iter().all(|one| is_function(one.row.kind))
            || all.iter().all(|one| one.row.kind == DeclarationKind::Table))
}

/// Returns whether two files are a component of Razor and its code (`a.razor` and `a.razor.cs`).
fn is_component(one: &[u8], other: &[u8]) -> bool {
    let is_code = |code: &[u8], of: &[u8]| of.ends_with(b".razor") && code.strip_suffix(b".cs") == Some(of);
    is_code(one, other) || is_code(other, one)
}

/// Returns candidates with nothing but the name as evidence, or none if there are too many.
pub(super) fn guess<'g, 's>(found: Candidates<'g, 's>) -> Matches<'g, 's> {
    if found.len() > MAX_GUESSES { nothing() } else { (Evidence::Name, found) }
}

/// Returns the form in which names of objects and types are compared: letters and digits in lower
/// case.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The text in front of a matching end of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamePrefix {
    Nothing,
    More,
}

/// Returns what precedes `end` in the [`plain`] form of a name; `None` if the name does not end so.
/// `end` is in plain form already.
fn plain_before(name: &str, end: &str) -> Option<NamePrefix> {
    let letters = name.chars().rev().filter(|c| c.is_alphanumeric());
    let mut letters = letters.flat_map(|c| c.to_lowercase().rev());
    for wanted in end.chars().rev() {
        letters.next().filter(|&letter| letter == wanted)?;
    }
    Some(if letters.next().is_none() { NamePrefix::Nothing } else { NamePrefix::More })
}

/// Returns whether a Go method's object has this name by custom: the first letters of its type
/// (<https://go.dev/wiki/CodeReviewComments#receiver-names>).
fn is_receiver(name: &str, class: &str) -> bool {
    let class = class.trim_start_matches('*');
    let initials: String = class.chars().filter(char::is_ascii_uppercase).collect();
    let lower = class.to_lowercase();
    name.len() <= 3
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase())
        && (lower.as_bytes().starts_with_str(name) || initials.to_lowercase() == name)
}
