//! Resolves a name without a qualifier, and a name that is imported.
//!
//! Input: the candidates for a name. Output: those that the file sees, by the declarations around
//! the mention, by its imports, or by its package. The rules are one list: each is tried only where
//! those before it found nothing.

use std::collections::HashSet;

use super::alternatives::are_alternatives;
use super::cpp_paths::NamespaceChoice;
use super::family::{BASH, Family, PROTOBUF};
use super::module::{Fit, Module};
use super::nesting::is_declared_type;
use super::resolve::{Candidates, Matches, Site, guess, in_one_file, is_member, nothing, pick};
use super::rules::extension::is_extension;
use super::rules::prototype::defines;
use super::scope::{Import, Scope, folder};
use super::written_name::declared_namespace;
use super::{Candidate, Evidence, Result, is_function, is_type, last_segment};
use crate::base::text::path;
use crate::index::chunk::{DeclarationKind, LOCAL_ALIAS, ReferenceKind};
use crate::search::segment::Mention;

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a name without a qualifier. A declaration inside of a function is meant where the
    /// record says so, or if nothing else is.
    pub(super) fn bare(
        &self,
        candidates: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        let of_package = self.of_protobuf_package(candidates, mention.qualifier);
        if !of_package.is_empty() {
            return Ok((Evidence::Qualifier, of_package));
        }
        let nested = self.nested_types(candidates)?;
        if !nested.seen.is_empty() && nested.is_ambiguous {
            return Ok((Evidence::Alternative, nested.seen));
        }
        let candidates = &pick(candidates, |one| nested.admit(one));
        let seen;
        let candidates = match self.in_own_namespace(candidates) {
            NamespaceChoice::All => candidates,
            NamespaceChoice::Seen(those) => {
                seen = those;
                &seen
            }
            NamespaceChoice::OneOf(those) => return Ok((Evidence::Alternative, those)),
            NamespaceChoice::Any => {
                let (evidence, found) = self.bare_of(candidates, mention)?;
                return Ok((if evidence.is_certain() { Evidence::Alternative } else { evidence }, found));
            }
        };
        let locals = pick(candidates, |one| one.is_local);
        if locals.is_empty() {
            return self.bare_of(candidates, mention);
        }
        if mention.alias == LOCAL_ALIAS {
            let around = pick(&locals, |one| self.is_of_function_around(one));
            return self.bare_of(if around.is_empty() { &locals } else { &around }, mention);
        }
        let found = self.bare_of(&pick(candidates, |one| !one.is_local), mention)?;
        if found.0.is_certain() && !found.1.is_empty() {
            Ok(found)
        } else {
            self.bare_of(candidates, mention)
        }
    }

    /// Returns the candidates of the package of protobuf with this name, which may begin inside of
    /// the own package: `v1.Item` in a file of `shop.v2`.
    fn of_protobuf_package(&self, candidates: &[&'g Candidate<'s>], qualifier: &str) -> Candidates<'g, 's> {
        let name = qualifier.trim_start_matches('.');
        if self.scope.family != PROTOBUF || name.is_empty() {
            return Vec::new();
        }
        let own = declared_namespace(&self.file);
        let mut around = Some(own).filter(|own| !own.is_empty() && !qualifier.starts_with('.'));
        while let Some(outer) = around {
            let whole = format!("{outer}.{name}");
            let found =
                pick(candidates, |one| one.owner.is_empty() && declared_namespace(&one.file) == whole);
            if !found.is_empty() {
                return found;
            }
            around = outer.rsplit_once('.').map(|(outer, _)| outer);
        }
        pick(candidates, |one| one.owner.is_empty() && declared_namespace(&one.file) == name)
    }

    /// Returns whether a declaration inside of a function is in one that the chunk has code of.
    fn is_of_function_around(&self, local: &Candidate<'s>) -> bool {
        let segment = self.file.segment;
        let function =
            local.row.parent.filter(|_| self.is_here(local)).and_then(|ord| segment.declaration(ord));
        let both = function.zip(segment.chunk(self.from.ord));
        both.is_some_and(|(function, chunk)| {
            let (of, own) = (function.span.bytes, chunk.span.bytes);
            of.start < own.end && own.start < of.end
        })
    }

    fn bare_of(&self, candidates: &[&'g Candidate<'s>], mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let family = self.scope.family;
        let is_call = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
        let hides_types = matches!(family, Family::C | Family::CSharp);
        let sees_members = if is_call { family.has_implicit_self() } else { hides_types };
        if sees_members && !self.class.is_empty() {
            // In C#, another part of the type around may declare a type in it, in C++ its header.
            let all = pick(candidates, |one| is_call || is_type(one.row.kind));
            if let Some(own) = self.of_types_around(&all)? {
                return self.with_types_of_namesakes(own, candidates, mention);
            }
        }
        // Without an implicit object, a bare name cannot mean a member.
        // A custom property of CSS is a member of its rule, and is named without it.
        let is_seen = |one: &Candidate<'s>| {
            !is_call
                || family.has_implicit_self()
                || !is_member(one)
                || is_type(one.row.kind)
                || mention.name.starts_with("--")
        };
        // In Rust, a member of a trait or an implementation is named behind its type.
        let is_hidden = |one: &Candidate<'s>| family == Family::Rust && is_member(one) && !is_in_module(one);
        let mut seen = pick(candidates, |one| is_seen(one) && !is_hidden(one));
        self.drop_wrapping_component(&mut seen, mention);
        // A declaration in a namespace is named without it inside, or after `using`.
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
        if let Some(found) = self.held_import(&here, mention)? {
            return Ok(found);
        }
        if !here.is_empty() {
            // Several types of one name are in different blocks, which are not declarations.
            let is_block = family == Family::Script && here.len() > 1;
            let is_ambiguous = is_block && here.iter().all(|one| is_type(one.row.kind));
            let evidence = if is_ambiguous { Evidence::Alternative } else { Evidence::File };
            let n_here = here.len();
            here.extend(self.imported_here(mention)?);
            return Ok((if here.len() > n_here { Evidence::Alternative } else { evidence }, here));
        }
        // A bare name of C# can't mean a field or a property of another class.
        let is_of_class =
            |one: &Candidate<'s>| family.sees_namespaces() && !one.owner.is_empty() && !is_type(one.row.kind);
        let nested = pick(&seen, |one| self.is_here(one) && !is_function(one.row.kind) && !is_of_class(one));
        if let [_] = nested.as_slice() {
            return Ok((Evidence::File, nested));
        }
        if family.sees_namespaces()
            && let Some(found) = self.by_namespace(&seen)
        {
            return Ok(found);
        }
        if let Some(found) = self.imported_by_name(mention)? {
            return Ok(found);
        }
        let top = if family == Family::C { free } else { outermost(&seen) };
        let exported = pick(candidates, |one| family.exports(one.row.kind));
        let open = if family.declares_modules() { &exported } else { &top };
        let own_package = self.before_open_imports(&top);
        if !own_package.is_empty() {
            return Ok((Evidence::Package, own_package));
        }
        let imported = self.imported_openly(open, &top, mention.name)?;
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
        self.drop_unseen_methods(&mut seen, is_call)?;
        self.anywhere(candidates, seen)
    }

    /// Returns what imports of all names bring in. What a header declares comes before what else
    /// the file of its name has.
    fn imported_openly(
        &self,
        open: &[&'g Candidate<'s>],
        top: &[&'g Candidate<'s>],
        name: &str,
    ) -> Result<Candidates<'g, 's>> {
        let declared = self.declared_in_headers(top, name)?;
        if !declared.is_empty() {
            return Ok(declared);
        }
        let imported = self.in_any_module(open, |import| import.local.is_empty(), |one| !self.is_here(one));
        if imported.is_empty() { self.in_headers(top) } else { Ok(imported) }
    }

    /// Returns what an import gives to the constants of a script that hold it: `const main =
    /// require("./main")`.
    fn held_import(
        &self,
        here: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Option<Matches<'g, 's>>> {
        let holds = |one: &Candidate<'s>| {
            matches!(one.row.kind, DeclarationKind::Constant | DeclarationKind::Variable)
        };
        let is_held = !here.is_empty() && here.iter().all(|one| holds(one));
        if self.scope.family != Family::Script || !is_held {
            return Ok(None);
        }
        Ok(self.imported_by_name(mention)?.filter(|found| !found.1.is_empty()))
    }

    /// Returns what the own package declares, in Java and Kotlin: there, it comes before an import
    /// of all names of another package.
    fn before_open_imports(&self, top: &[&'g Candidate<'s>]) -> Candidates<'g, 's> {
        match self.file.language() {
            "java" | "kotlin" => pick(&self.beside(top), |one| !self.is_of_other_namespace(one)),
            _ => Vec::new(),
        }
    }

    /// Returns the types that a bare name means by its namespaces, or as the component that it is a
    /// part of.
    fn by_namespace(&self, seen: &[&'g Candidate<'s>]) -> Option<Matches<'g, 's>> {
        let types = pick(seen, |one| is_type(one.row.kind));
        let (evidence, mut found) = self.in_namespaces(&types);
        if !found.is_empty() {
            // The other part of a component does not say its namespace.
            let is_part = |one: &Candidate<'s>| {
                found.iter().any(|known| is_component(known.file.path(), one.file.path()))
            };
            let parts = pick(&types, is_part);
            found.extend(parts);
            return Some((evidence, found));
        }
        let component = self.component(seen);
        (!component.is_empty()).then_some((Evidence::Only, component))
    }

    /// Returns the definitions of what an included header of C or C++ declares, if one file has
    /// them all. The name of that file may differ from that of the header.
    fn declared_in_headers(&self, top: &[&'g Candidate<'s>], name: &str) -> Result<Candidates<'g, 's>> {
        if self.scope.family != Family::C || top.iter().all(|one| one.row.body.is_empty()) {
            return Ok(Vec::new());
        }
        let all = self.graph.candidates(name)?;
        let is_prototype = |one: &&Candidate<'s>| {
            one.row.body.is_empty() && is_function(one.row.kind) && self.scope.family.sees(one.family)
        };
        let prototypes = self.graph.free(&all.iter().filter(is_prototype).collect::<Vec<_>>())?;
        let mut seen = self.in_any_module(&prototypes, |import| import.local.is_empty(), |_| true);
        if seen.is_empty() {
            seen = self.in_headers(&prototypes)?;
        }
        let mut found = pick(top, |one| seen.iter().any(|prototype| defines(one, prototype)));
        // Another file may define a static function of this name. It does not include the header.
        if in_one_file(found.clone()).is_empty() {
            let mut including = Vec::new();
            for &one in &found {
                let scope = self.graph.scope(&one.file)?;
                let is_included = |prototype: &&Candidate<'s>| {
                    let path = prototype.file.path();
                    path == one.file.path()
                        || scope.imports.iter().any(|import| import.module().fit(path).is_some())
                };
                including.extend(seen.iter().any(is_included).then_some(one));
            }
            found = including;
        }
        Ok(in_one_file(found))
    }

    /// Drops the component that the file is, if the file has something else of its name: a
    /// component may wrap another one that is called so.
    fn drop_wrapping_component(&self, seen: &mut Candidates<'g, 's>, mention: &Mention<'_>) {
        let component = self.file.component().filter(|(_, name)| *name == mention.name);
        let Some((component, name)) = component else { return };
        let is_imported = self.scope.imports.iter().any(|import| import.local == name);
        if is_imported || seen.iter().any(|one| self.is_here(one) && one.at.ord != component) {
            seen.retain(|one| !self.is_here(one) || one.at.ord != component);
        }
    }

    /// Resolves a name that the file imports; `None` if it imports none of this name.
    fn imported_by_name(&self, mention: &Mention<'_>) -> Result<Option<Matches<'g, 's>>> {
        let used = self.of_used_modules(mention.name, mention.kind)?;
        if !used.is_empty() {
            return Ok(Some((Evidence::Import, used)));
        }
        let imports = self.imports_of(mention.name);
        if imports.is_empty() {
            return Ok(None);
        }
        let found = self.through_any(&imports, |import| self.imported(import, mention.kind))?;
        Ok(Some(if found.1.is_empty() { nothing() } else { found }))
    }

    /// Drops the methods that a call of Java without an object can't mean: those of types that the
    /// code does not name. The type around may be one without a name, as in `new Task() { … }`.
    fn drop_unseen_methods(&self, seen: &mut Candidates<'g, 's>, is_call: bool) -> Result<()> {
        if is_call && self.file.language() == "java" {
            let names = self.mentioned_names()?;
            seen.retain(|one| !is_member(one) || is_type(one.row.kind) || names.contains(one.owner));
        }
        Ok(())
    }

    /// Returns what an import in the chunk gives a name, in a language where a function may import:
    /// it hides there what the file declares.
    fn imported_here(&self, mention: &Mention<'_>) -> Result<Candidates<'g, 's>> {
        let is_local = |one: &Mention<'_>| {
            let local = if one.alias.is_empty() { one.name } else { one.alias };
            one.kind == ReferenceKind::Import && local == mention.name
        };
        if self.scope.family != Family::Python || !self.mentions()?.iter().any(is_local) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for import in self.scope.imports.iter().filter(|import| import.local == mention.name) {
            found.extend(self.imported(import, mention.kind)?);
        }
        Ok(found)
    }

    /// Returns the members that an import of all members of a type or a module brings in:
    /// `import static a.B.*` of Java, `using static A.B` of C#, `using A` of Julia, `use a.b.all`
    /// of VHDL, `import a::*` of SystemVerilog, `open A.B` of F#.
    fn of_imported_types(&self, candidates: &[&'g Candidate<'s>]) -> Result<Candidates<'g, 's>> {
        let family = self.scope.family;
        let names_modules = family.opens_modules();
        if !names_modules && !matches!(family, Family::Jvm | Family::CSharp) {
            return Ok(Vec::new());
        }
        for import in self.scope.imports.iter().filter(|import| import.local.is_empty()) {
            // The name of a package may differ from that of a type in its capitals only.
            let name = last_segment(import.written);
            let members = pick(candidates, |one| is_member(one) && one.owner == name);
            let Some(first) = members.first() else { continue };
            if names_modules {
                // A file declares its modules, whatever it is called. Several files may add to one.
                if members.len() == 1 || self.is_one_module(first.owner)? {
                    return Ok(members);
                }
                continue;
            }
            let mut found = self.in_module(&members, import.module(), |one| !self.is_here(one));
            if let Some((package, _)) = import.written.rsplit_once('.').filter(|_| found.is_empty()) {
                let module = Module::parse(family, self.scope.path, package);
                found = self.in_module(&members, &module, |one| !self.is_here(one));
            }
            // The path of a file need not have the names of its namespaces.
            if let Some((space, _)) = import.written.rsplit_once('.').filter(|_| found.is_empty()) {
                let all: Candidates<'g, 's> = self.graph.candidates(name)?.iter().collect();
                let types = pick(&all, |one| is_type(one.row.kind) && family.sees(one.family));
                found = self.graph.members_of(&members, &self.behind_namespace(&types, space))?;
            }
            if !found.is_empty() {
                return Ok(found);
            }
        }
        // The body of a package of VHDL sees what the package declares.
        let own = pick(candidates, |one| is_member(one) && one.owner == self.class);
        let is_body = names_modules && !own.is_empty() && self.is_one_module(self.class)?;
        Ok(if is_body { own } else { Vec::new() })
    }

    /// Returns whether a script reads the one that declares a function: `source "$DIR/lib.sh"`.
    fn reads_script(&self, one: &Candidate<'s>) -> bool {
        let file = path::name(one.file.path());
        self.scope.imports.iter().any(|import| import.name.as_bytes() == file)
    }

    /// Returns whether only one module has a name.
    fn is_one_module(&self, name: &str) -> Result<bool> {
        let is_module =
            |one: &&Candidate<'s>| one.family == self.scope.family && one.row.kind == DeclarationKind::Module;
        Ok(self.graph.candidates(name)?.iter().filter(is_module).count() == 1)
    }

    /// Resolves a bare name that nothing around it explains, nor an import of the name itself.
    fn anywhere(
        &self,
        candidates: &[&'g Candidate<'s>],
        seen: Candidates<'g, 's>,
    ) -> Result<Matches<'g, 's>> {
        let members = self.of_imported_types(candidates)?;
        if !members.is_empty() {
            return Ok((Evidence::Import, members));
        }
        let family = self.scope.family;
        if family.has_named_imports() {
            return Ok(nothing());
        }
        // A module of JavaScript sees no type of another one that it does not import. One that
        // `declare global` declares is seen, but it is seldom called like a type of the platform.
        let is_module = |scope: &Scope<'s>| family == Family::Script && !scope.imports.is_empty();
        let seen = if is_module(self.scope) {
            let is_hidden = |one: &Candidate<'s>| {
                is_type(one.row.kind)
                    && !self.is_here(one)
                    && family.is_type_of_platform(one.file.segment.name(&one.row))
                    && self.graph.scope(&one.file).is_ok_and(is_module)
            };
            pick(&seen, |one| !is_hidden(one))
        } else {
            seen
        };
        let global = pick(&seen, |one| one.owner.is_empty());
        Ok(match global.as_slice() {
            // A script sees the functions of another one only if it reads that.
            [one] if family == BASH && self.reads_script(one) => (Evidence::Import, global),
            [one] if family == BASH && !self.is_here(one) => (Evidence::Sole, global),
            [_] if family.is_global() => (Evidence::Only, global),
            [one] if family.has_full_names() && is_type(one.row.kind) => (Evidence::Only, global),
            [one] if family.has_file_modules() && one.row.kind == DeclarationKind::Module => {
                (Evidence::Only, global)
            }
            several if family.is_global() && are_alternatives(several) => (Evidence::Alternative, global),
            [_] => (Evidence::Sole, global),
            [] if seen.len() == 1 && !family.has_packages() => (Evidence::Sole, seen),
            _ => guess(seen),
        })
    }

    /// Returns the candidates in the files that fit one of the imported modules best. Of several
    /// modules that fit equally well, the first counts.
    pub(super) fn in_any_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        counts: impl Fn(&Import<'s>) -> bool,
        admits: impl Fn(&Candidate<'s>) -> bool,
    ) -> Candidates<'g, 's> {
        let (mut best, mut found) = (None, Vec::new());
        for import in self.scope.imports.iter().filter(|import| counts(import)) {
            let (fit, next) = self.fitting(candidates, import.module(), &admits);
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
        if import.is_namespace {
            return Ok(Vec::new());
        }
        let candidates = self.candidates(import.name, kind)?;
        let is_top = |one: &Candidate<'s>| {
            one.owner.is_empty() || is_type(one.row.kind) && !is_in_type(one) || is_extension(one)
        };
        // A member comes with its type, or is named behind it (`import static a.B.c`). Members are
        // tried last: modules are compared ignoring case, and a package may be called like a type
        // in it.
        let (top, members): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|one| is_top(one));
        // The imported name may itself be a module: a type with a file of its own (`a.b.Type`), or
        // a file of the module.
        let inner = import.module().join(import.name);
        for of in [&top, &pick(&members, |one| import.module().ends_with(one.owner))] {
            for module in [import.module(), &inner] {
                let found = self.in_module(of, module, |one| !self.is_here(one));
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        // The members of an object of Scala or Kotlin, whose file may have any name.
        if let Some((package, owner)) =
            import.written.rsplit_once('.').filter(|_| self.scope.family == Family::Jvm)
        {
            let module = Module::parse(self.scope.family, self.scope.path, package);
            let of_object = pick(&members, |one| one.owner == owner);
            let found = self.in_module(&of_object, &module, |one| !self.is_here(one));
            if !found.is_empty() {
                return Ok(found);
            }
        }
        // `using O = A.Order`, in a file of any path.
        if let Some((space, _)) =
            import.written.rsplit_once('.').filter(|_| self.scope.family == Family::CSharp)
        {
            let found = self.behind_namespace(&top, space);
            if !found.is_empty() {
                return Ok(found);
            }
        }
        self.default_component(import, kind)
    }
}

/// Returns those that other files name alone: a type inside another one is named behind that.
fn outermost<'g, 's>(seen: &[&'g Candidate<'s>]) -> Candidates<'g, 's> {
    let top = pick(seen, |one| one.owner.is_empty() || is_type(one.row.kind));
    let outer = pick(&top, |one| !is_in_type(one));
    if outer.is_empty() { top } else { outer }
}

/// Returns whether a declaration is inside a type that its own file declares.
fn is_in_type(one: &Candidate<'_>) -> bool {
    kind_around(one).is_some_and(is_declared_type)
}

/// Returns whether a declaration is inside a module that its own file declares.
fn is_in_module(one: &Candidate<'_>) -> bool {
    kind_around(one) == Some(DeclarationKind::Module)
}

/// Returns the kind of the declaration around another one.
fn kind_around(one: &Candidate<'_>) -> Option<DeclarationKind> {
    Some(one.file.segment.declaration(one.row.parent?)?.kind)
}

/// Returns whether two files are a component of Razor and its code (`a.razor` and `a.razor.cs`).
fn is_component(one: &[u8], other: &[u8]) -> bool {
    let is_code = |code: &[u8], of: &[u8]| of.ends_with(b".razor") && code.strip_suffix(b".cs") == Some(of);
    is_code(one, other) || is_code(other, one)
}
