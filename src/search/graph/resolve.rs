//! Resolves a mention to the declarations that it can mean.
//!
//! Input: a mention and the chunk around it ([`Site`]). Output: candidates, and the evidence that
//! they share. Rules are tried from those that leave no doubt down to guesses, and the first that
//! finds something decides. An imported name is looked up only where it is imported from. If no
//! file of the repository fits, the name comes from outside and means nothing here.
//!
//! `unqualified` has the rules for a name alone, and `qualified` those for a name behind an object,
//! a type or a module.

use std::borrow::Borrow;
use std::cell::OnceCell;
use std::collections::HashSet;

use bstr::{BStr, ByteSlice};

use crate::index::chunk::{
    ATTRIBUTE_ALIAS, DeclarationKind, FIXTURE_QUALIFIER, OPEN_WORD, ReferenceKind, embedded_language,
};
use crate::search::segment::{ChunkRef, FileView, Mention};

use super::alternatives::MAX_GUESSES;
use super::expr_types::HIDING;
use super::family::{Family, SCHEME, has_global_names, separates_methods};
use super::own_type::class_around;
use super::rules::prototype::DefinedNames;
use super::scope::{self, Import, Scope};
use super::{Candidate, Evidence, Graph, ResolvedDeclaration, Result, fits, is_enough, is_function, is_type};

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
    /// Full names of the classes and modules around the chunk, and around each place in it,
    /// innermost first.
    pub(super) nestings: OnceCell<Vec<Vec<String>>>,
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
                match file.language() {
                    "razor" => self.add_shared_imports(&mut scope)?,
                    "elixir" => self.add_used_imports(file, &mut scope)?,
                    _ => {}
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

/// The qualifier of a name outside of all modules, which only Ruby tells from others: `::Cart`.
pub(super) const ROOT: &str = "::";

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
            nestings: OnceCell::new(),
            own_types: OnceCell::new(),
        }
    }

    /// As [`Graph::resolve`].
    pub(super) fn resolved(&self, mention: &Mention<'_>) -> Result<Vec<ResolvedDeclaration>> {
        self.resolved_by(mention, true)
    }

    /// As [`Site::resolved`]. Without `has_implementers`, a call of a method does not mean those
    /// that implement it.
    pub(super) fn resolved_by(
        &self,
        mention: &Mention<'_>,
        has_implementers: bool,
    ) -> Result<Vec<ResolvedDeclaration>> {
        let (evidence, found) = self.resolve(mention)?;
        let implementing = match evidence {
            Evidence::Class | Evidence::Declared | Evidence::Inherited if has_implementers => {
                self.implementing(&found, mention, evidence)?
            }
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

    pub(super) fn mentioned_names(&self) -> Result<&HashSet<&'s str>> {
        let mentions = self.mentions()?;
        Ok(self.mentioned_names.get_or_init(|| mentions.iter().map(|mention| mention.name).collect()))
    }

    pub(super) fn resolve(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        // `import * as a from "./a"` imports a module, which is not a declaration.
        if matches!(mention.kind, ReferenceKind::Link | ReferenceKind::Gives) || mention.is_namespace_import()
        {
            return Ok(nothing());
        }
        if mention.qualifier == ROOT && self.scope.family != Family::Ruby {
            return self.resolve(&Mention { qualifier: "", ..*mention });
        }
        if let Some((language, alias)) = embedded_language(mention.alias) {
            let scope = self.graph.embedded_scope(&self.file, language);
            let site = Self::new(self.graph, scope, self.file, self.from, self.around);
            return site.resolve(&Mention { alias, ..*mention });
        }
        if mention.kind == ReferenceKind::Use && mention.qualifier == FIXTURE_QUALIFIER {
            return self.fixture(mention);
        }
        if let Some(modules) = mention.alias.strip_prefix(OPEN_WORD) {
            return self.in_opened_modules(modules, &Mention { alias: "", ..*mention });
        }
        if let Some(site) = self.in_type_of(mention) {
            return site.resolve(&Mention { alias: "", ..*mention });
        }
        if let Some(found) = self.hyphenated(mention)? {
            return Ok(found);
        }
        let found = self.resolve_with_exports(mention)?;
        self.with_augmentations(found, mention)
    }

    /// As [`Self::resolve`], without what adds to the declarations from elsewhere.
    fn resolve_with_exports(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
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
    pub(super) fn resolve_here(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let Some(_deeper) = self.graph.depth.deeper() else { return Ok(nothing()) };
        if self.scope.family == Family::Ruby
            && mention.kind == ReferenceKind::Use
            && !mention.qualifier.is_empty()
        {
            return self.setter(mention);
        }
        if let Some(found) = self.among_many(mention)? {
            return Ok(found);
        }
        let mut candidates = self.candidates(mention.name, mention.kind)?;
        candidates.retain(|one| self.scope.family.fits_syntax(one.row.kind, mention));
        if self.scope.family == SCHEME && !mention.qualifier.is_empty() {
            // An import put the prefix in front of the name.
            candidates.retain(|one| !self.is_here(one));
        }
        if mention.alias == ATTRIBUTE_ALIAS
            && let Some(suffix) = self.scope.family.attribute_suffix()
        {
            let whole = format!("{}{suffix}", mention.name);
            let found = self.resolve_here(&Mention { name: &whole, alias: "", ..*mention })?;
            if !found.1.is_empty() {
                return Ok(found);
            }
        }
        if mention.kind == ReferenceKind::Import {
            return self.import(&candidates, mention);
        }
        let (evidence, constant) = self.constant(mention)?;
        let constant = match mention.kind {
            ReferenceKind::Type | ReferenceKind::Inherits | ReferenceKind::Use => constant,
            // A call of a constant constructs a type.
            _ => pick(&constant, |one| is_type(one.row.kind)),
        };
        if !constant.is_empty() {
            return Ok((evidence, constant));
        }
        self.resolve_among(&candidates, mention)
    }

    /// Resolves a mention to some of these candidates, which have its name.
    pub(super) fn resolve_among(
        &self,
        candidates: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        let is_bare = self.scope.family.is_bare(mention.qualifier);
        let found =
            if is_bare { self.bare(candidates, mention)? } else { self.qualified(candidates, mention)? };
        let found = (found.0, self.with_bodies(found.1)?);
        let found = if self.are_versions(&found) { (Evidence::Alternative, found.1) } else { found };
        let is_enough = is_enough(found.0, mention.kind, self.scope.family)
            || found.0 == Evidence::Alternative && mention.kind == ReferenceKind::Use
            // A member of an expected type that the record does not say: `.open` of Swift.
            || mention.qualifier == HIDING && are_of_one_type(&found.1);
        Ok(if is_enough { found } else { self.only_object(candidates, mention) })
    }

    /// Returns the object of Kubernetes of another folder, if only one of its kind has the name.
    fn only_object(&self, candidates: &[&'g Candidate<'s>], mention: &Mention<'_>) -> Matches<'g, 's> {
        // Kinds begin with a capital letter, unlike the parts of other files (`jobs`).
        let kind = Some(mention.qualifier).filter(|kind| kind.starts_with(|c: char| c.is_ascii_uppercase()));
        match kind.filter(|_| self.scope.family == Family::Other("yaml")) {
            Some(kind) => {
                let found = pick(candidates, |one| one.owner == kind);
                if found.len() == 1 { (Evidence::Only, found) } else { nothing() }
            }
            None => nothing(),
        }
    }

    /// Returns whether one file declares a function several times, each with a body: one for each
    /// platform or setting, of which a build has one.
    fn are_versions(&self, (evidence, found): &Matches<'g, 's>) -> bool {
        let [first, .., last] = found.as_slice() else { return false };
        // In C++, they may be overloads.
        let is_conditional = first.file.language() == "c" || self.scope.family == Family::Rust;
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
        Ok(self.seen(self.graph.candidates(name)?.iter(), kind))
    }

    /// Returns those of some declarations of one name that it can mean, by kind of reference,
    /// language and visibility.
    pub(super) fn seen(
        &self,
        all: impl Iterator<Item = &'g Candidate<'s>>,
        kind: ReferenceKind,
    ) -> Candidates<'g, 's> {
        let mut found: Candidates<'g, 's> = all
            .filter(|one| self.scope.family.sees(one.family))
            .filter(|one| fits(kind, one.row.kind) || self.scope.family.names_keys(one.family, one.row.kind))
            .filter(|one| !one.is_local || self.is_here(one) && self.is_within(one))
            .collect();
        // Vendored copies are visible only to each other. Where no file imports another, code uses
        // what a copy alone declares.
        let is_vendored = |one: &&Candidate<'s>| one.file.flags().is_vendored();
        let is_only_vendored = has_global_names(self.file.language()) && found.iter().all(is_vendored);
        if !self.file.flags().is_vendored() && !is_only_vendored {
            found.retain(|one| !is_vendored(one));
        }
        if self.scope.family == Family::Rust {
            found.retain(|one| is_of_target(one.file.path(), self.scope.path));
        }
        if kind == ReferenceKind::Use && separates_methods(self.file.language()) {
            found.retain(|one| !is_function(one.row.kind));
        }
        drop_constructors(&mut found);
        if kind == ReferenceKind::Call && self.scope.family == Family::CSharp && self.sees_class(&found) {
            // `new Order()` means the type, and no property of its name.
            found.retain(|one| one.row.kind != DeclarationKind::Field);
        }
        if kind == ReferenceKind::Call && self.file.language() == "c" {
            // A tag is named behind `struct`, `union` or `enum`, and so a call never means it.
            found.retain(|one| !is_type(one.row.kind) || one.file.language() != "c");
        }
        if self.scope.family.has_generic_functions() {
            keep_generic(&mut found);
        }
        // If something is declared both with and without a body, the one with a body is meant.
        if self.scope.family == Family::C && found.iter().any(|one| !one.row.body.is_empty()) {
            let defined = DefinedNames::of(found.iter().copied());
            // A label of one line announces nothing.
            let is_whole =
                |one: &Candidate<'s>| !one.row.body.is_empty() || one.file.language() == "assembly";
            found.retain(|one| is_whole(one) || !defined.contain(one));
        }
        found
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

    fn import(&self, candidates: &[&'g Candidate<'s>], mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let written = if mention.qualifier.is_empty() { mention.name } else { mention.qualifier };
        let used = self.imported_of_module(candidates, mention.name, written)?;
        if !used.is_empty() {
            return Ok((Evidence::Import, used));
        }
        let import = Import::new(self.scope.family, self.scope.path, "", mention.name, written);
        let found = self.in_module(candidates, import.module(), |one| !self.is_here(one));
        if !found.is_empty() {
            return Ok((Evidence::Import, found));
        }
        Ok((Evidence::Import, self.default_component(&import, mention.kind)?))
    }
}

/// Returns whether all candidates are members of types of one name.
fn are_of_one_type(found: &[&Candidate<'_>]) -> bool {
    found.iter().all(|one| is_member(one) && Some(one.owner) == found.first().map(|first| first.owner))
}

/// Returns the declarations if one file has them all, and else none.
pub(super) fn in_one_file<'g, 's>(found: Candidates<'g, 's>) -> Candidates<'g, 's> {
    let file = |one: &Candidate<'_>| (one.file.part, one.file.ord);
    let is_one = found.iter().all(|one| Some(file(one)) == found.first().map(|first| file(first)));
    if is_one { found } else { Vec::new() }
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

/// Returns whether a declaration belongs to a type, module or namespace.
pub(super) fn is_member(one: &Candidate<'_>) -> bool {
    !one.owner.is_empty()
}

/// Keeps the functions of a Lisp that a call of their name means, rather than their methods.
fn keep_generic(found: &mut Candidates<'_, '_>) {
    let is_method = |one: &&Candidate<'_>| one.row.kind == DeclarationKind::Method;
    // A method of a type of Clojure is called by the function of a protocol.
    let is_hidden = |one: &&Candidate<'_>| {
        let segment = one.file.segment;
        let of = one.row.parent.and_then(|parent| segment.declaration(parent));
        let is_of_type = of.is_some_and(|of| of.kind != DeclarationKind::Interface);
        let is_extension = !segment.scope(&one.row).is_empty();
        one.file.language() == "clojure" && is_method(one) && (is_of_type || is_extension)
    };
    found.retain(|one| !is_hidden(one));
    // A slot of the name of its accessor is not called.
    if found.iter().any(is_method) {
        found.retain(|one| one.row.kind != DeclarationKind::Field);
    }
    if !found.iter().all(is_method) {
        found.retain(|one| !is_method(one));
    }
}

/// Removes constructors that have the name of their type if anything else has it, too. Such a
/// constructor is reached through its type, which is declared around it.
pub(super) fn drop_constructors<'s, C: Borrow<Candidate<'s>>>(found: &mut Vec<C>) {
    let is_constructor = |one: &C| {
        let one = one.borrow();
        one.row.kind == DeclarationKind::Constructor && one.file.segment.name(&one.row) == one.owner
    };
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

/// Returns candidates with nothing but the name as evidence, or none if there are too many.
pub(super) fn guess<'g, 's>(found: Candidates<'g, 's>) -> Matches<'g, 's> {
    if found.len() > MAX_GUESSES { nothing() } else { (Evidence::Name, found) }
}

/// Returns the form in which names of objects and types are compared: letters and digits in lower
/// case.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
