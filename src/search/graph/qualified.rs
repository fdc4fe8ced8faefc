//! Resolves a name behind a qualifier: an object, a type, a module, or an expression.
//!
//! Input: the candidates for a name, and what stands in front of it. Output: the members of what
//! that means. The rules are one list: each is tried only where those before it found nothing.

use bstr::ByteSlice;

use super::alternatives::MAX_GUESSES;
use super::cpp_paths::is_of_library;
use super::expr_types::HIDING;
use super::family::Family;
use super::module::{Fit, Module};
use super::resolve::{
    Candidates, Matches, Site, first_call, guess, is_member, nothing, pick, plain, segments,
};
use super::rules::constant::is_constant;
use super::scope::{Import, folder, without_companion};
use super::types::type_name;
use super::{Candidate, Evidence, Result, is_type, last_segment};
use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::segment::Mention;

/// Minimum length, in bytes, of an object's name that is compared with names of types.
const MIN_RECEIVER: usize = 3;

/// Maximum length, in bytes, of an object's name that may be a shortened word.
const MAX_SHORT: usize = 4;

impl<'g, 's> Site<'g, '_, 's> {
    /// Resolves a name behind a qualifier.
    pub(super) fn qualified(
        &self,
        candidates: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        let family = self.scope.family;
        if family == Family::Jvm && mention.qualifier != without_companion(mention.qualifier) {
            let qualifier = without_companion(mention.qualifier);
            return self.qualified(candidates, &Mention { qualifier, ..*mention });
        }
        let local = self.of_function_around(candidates, mention.qualifier);
        if !local.is_empty() {
            return Ok((Evidence::File, local));
        }
        let found = self.qualified_as_written(candidates, mention)?;
        if found.0.is_certain() && !found.1.is_empty() {
            return Ok(found);
        }
        // An import of the very name brings in an extension, whatever the type of the object is.
        match self.imported_extension(mention)? {
            Some(extension) => Ok(extension),
            None => Ok(found),
        }
    }

    fn qualified_as_written(
        &self,
        candidates: &[&'g Candidate<'s>],
        mention: &Mention<'_>,
    ) -> Result<Matches<'g, 's>> {
        let family = self.scope.family;
        let qualifier = mention.qualifier;
        if let Some(only_super) = family.is_self(self.file.language(), qualifier) {
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
        if mention.alias == HIDING || is_variable_of_go(family, mention) {
            return self.member(candidates, segments(qualifier).last().copied().unwrap_or_default());
        }
        if qualifier.starts_with('"') {
            return self.of_string(candidates);
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
        let imports = if family.has_full_names() { Vec::new() } else { self.imports_of(first) };
        let is_imported = !imports.is_empty();
        let found = self.behind_imports(&imports, candidates, qualifier)?;
        if !found.1.is_empty() {
            return Ok(found);
        }
        if let Some(found) = self.of_file_module(candidates, &segments)? {
            return Ok(found);
        }
        let types = self.of_package_named(candidates, qualifier);
        if !types.is_empty() {
            return Ok((Evidence::Qualifier, types));
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
        if let Some(found) = self.of_swift_module(candidates, &segments) {
            return Ok(found);
        }
        let of_constant = self.of_constant(candidates, qualifier)?;
        if !of_constant.1.is_empty() {
            return Ok(of_constant);
        }
        if segments.len() > 1 && family.has_members_behind_dots() && qualifier.contains('.') {
            return self.behind_object(candidates, &segments);
        }
        if let Some(found) = self.of_cpp_path(candidates, &segments) {
            return Ok(found);
        }
        let owner = family.owner(last_segment(last));
        let owned = pick(candidates, |one| one.owner == owner && self.sees_type_of(one));
        // In Go, such a name is mostly a variable that is called like its type.
        let is_type = family != Family::Go || owner.starts_with(char::is_uppercase);
        if is_type && let Some(members) = self.of_named_owner(&owned, owner)? {
            return Ok((Evidence::Qualifier, members));
        }
        let names_file = segments.len() > 1 && family.has_dotted_modules() || family.names_file(last);
        if let Some(found) = self.of_module_path(candidates, qualifier, names_file) {
            return Ok(found);
        }
        if !owned.is_empty() {
            return Ok(guess(owned));
        }
        if self.is_class_from_outside(last)? {
            return Ok(nothing());
        }
        self.member(candidates, last)
    }

    /// Resolves a name behind that of a file which is a module. A module of the same name inside of
    /// another file is named behind that file. `None` if the own file declares such a module.
    fn of_file_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        segments: &[&str],
    ) -> Result<Option<Matches<'g, 's>>> {
        let [name] = segments else { return Ok(None) };
        if !self.scope.family.names_file(name) {
            return Ok(None);
        }
        let is_module = |one: &Candidate<'s>| self.is_here(one) && one.row.kind == DeclarationKind::Module;
        if self.graph.candidates(name)?.iter().any(is_module) {
            return Ok(None);
        }
        Ok(self.of_module_path(candidates, name, true))
    }

    /// Returns what the imported module of Swift with this name declares outside of types:
    /// `Shop.Cart`.
    fn of_swift_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        segments: &[&str],
    ) -> Option<Matches<'g, 's>> {
        let [name] = segments else { return None };
        let is_imported = |import: &Import<'s>| import.written == *name;
        if self.scope.family != Family::Swift || !self.scope.imports.iter().any(is_imported) {
            return None;
        }
        let module = Module::parse(self.scope.family, self.scope.path, name);
        let found = self.in_module(candidates, &module, |one| one.owner.is_empty() && !one.is_local);
        (!found.is_empty()).then_some((Evidence::Qualifier, found))
    }

    /// Returns the types that a function around declares, whose name the record puts in front of
    /// theirs.
    fn of_function_around(&self, candidates: &[&'g Candidate<'s>], name: &str) -> Candidates<'g, 's> {
        let is_of_function = |one: &Candidate<'s>| {
            let segment = one.file.segment;
            let function = one.row.parent.and_then(|parent| segment.declaration(parent));
            function.is_some_and(|function| last_segment(segment.name(&function)) == name)
        };
        pick(candidates, |one| {
            one.is_local && is_type(one.row.kind) && self.is_here(one) && is_of_function(one)
        })
    }

    /// Resolves a name behind a string literal: only members that this repository adds to the type
    /// of strings can be meant.
    fn of_string(&self, candidates: &[&'g Candidate<'s>]) -> Result<Matches<'g, 's>> {
        if let Some(extending) = self.extending(candidates, "string", &[])? {
            return Ok(extending);
        }
        Ok(guess(pick(candidates, |one| one.owner.eq_ignore_ascii_case("string") || one.owner == "str")))
    }

    /// Resolves a name behind one that these imports give a meaning, or behind the whole path of a
    /// module.
    fn behind_imports(
        &self,
        imports: &[&'g Import<'s>],
        candidates: &[&'g Candidate<'s>],
        qualifier: &str,
    ) -> Result<Matches<'g, 's>> {
        let segments = segments(qualifier);
        let found = self.through_any(imports, |import| Ok(self.through(import, &segments, candidates)))?;
        if !found.1.is_empty() {
            return Ok(found);
        }
        Ok((Evidence::Import, self.of_imported_path(candidates, qualifier)))
    }

    /// Returns the members of a module of Python that is named by its whole path, as `import a.b`
    /// makes it known: `a.b.open()`.
    fn of_imported_path(&self, candidates: &[&'g Candidate<'s>], qualifier: &str) -> Candidates<'g, 's> {
        if self.scope.family != Family::Python || !qualifier.contains('.') {
            return Vec::new();
        }
        let rest = |import: &Import<'s>| {
            let rest = qualifier.strip_prefix(import.written)?;
            let is_module = import.written.contains('.') && last_segment(import.written) == import.name;
            is_module.then_some(rest).filter(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let named = self.scope.imports.iter().filter_map(|import| Some((import, rest(import)?)));
        let of_module = named.map(|(import, rest)| {
            let mut names = vec![import.local];
            names.extend(rest.split('.').filter(|name| !name.is_empty()));
            self.through(import, &names, candidates)
        });
        of_module.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// Returns the types of the namespace or package with this name, as their files declare it.
    fn of_package_named(&self, candidates: &[&'g Candidate<'s>], name: &str) -> Candidates<'g, 's> {
        let family = self.scope.family;
        if family.sees_namespaces() {
            return self.behind_namespace(candidates, name);
        }
        if family != Family::Jvm || name.contains('.') {
            return Vec::new();
        }
        let types = pick(candidates, |one| is_type(one.row.kind) && one.owner.is_empty());
        let package = Module::parse(family, self.scope.path, name);
        match self.fitting(&types, &package, |_| true) {
            (Some(Fit::Declared), found) => found,
            _ => Vec::new(),
        }
    }

    /// Resolves a name behind the path of a type, as in `org.junit.Assert.fail()`, or else behind a
    /// member of an object. That is not a type, even if it is called like one:
    /// `context.Machine.Run()`.
    fn behind_object(&self, candidates: &[&'g Candidate<'s>], segments: &[&str]) -> Result<Matches<'g, 's>> {
        let Some((name, package)) = segments.split_last() else { return Ok(nothing()) };
        if self.scope.family == Family::Jvm {
            let module = Module::parse(self.scope.family, self.scope.path, &segments.join("."));
            let (fit, found) = self.fitting(candidates, &module, |one| one.owner.is_empty());
            if matches!(fit, Some(Fit::Declared | Fit::Fully)) {
                return Ok((Evidence::Qualifier, found));
            }
        }
        // A name alone is that of an object rather than that of a package.
        if package.len() > 1 && self.scope.family.has_dotted_modules() {
            let module = Module::parse(self.scope.family, self.scope.path, &package.join("."));
            let found = self.in_module(candidates, &module, |one| one.owner == *name);
            if !found.is_empty() {
                return Ok((Evidence::Qualifier, found));
            }
        }
        let embedded =
            if self.scope.family == Family::Go { self.of_embedded(candidates, name)? } else { None };
        embedded.map_or_else(|| self.member(candidates, name), Ok)
    }

    /// Resolves a member behind a field that Go names after the type that it embeds:
    /// `t.Mutex.Lock()`. `None` if the type around embeds no type of that name which is declared
    /// here.
    fn of_embedded(&self, candidates: &[&'g Candidate<'s>], name: &str) -> Result<Option<Matches<'g, 's>>> {
        let embedded = self.graph.climb(self.own_types()?, |level| {
            let named = level.iter().filter(|one| one.is_certain && type_name(one.of) == name);
            let named: Candidates<'g, 's> = named.map(|one| one.of).collect();
            Ok((!named.is_empty()).then_some(named))
        })?;
        let Some(embedded) = embedded else { return Ok(None) };
        let own = self.graph.members_of(candidates, &embedded)?;
        if own.is_empty() {
            self.inherited(candidates, &embedded)
        } else {
            Ok(Some((Evidence::Declared, own)))
        }
    }

    /// Resolves a name behind the path of a module: of Rust, or one that names a file.
    fn of_module_path(
        &self,
        candidates: &[&'g Candidate<'s>],
        qualifier: &str,
        names_file: bool,
    ) -> Option<Matches<'g, 's>> {
        let family = self.scope.family;
        if family != Family::Rust && !names_file {
            return None;
        }
        let module = Module::parse(family, self.scope.path, qualifier);
        let found = self.in_module(candidates, &module, |one| one.owner.is_empty());
        (!found.is_empty()).then_some((Evidence::Import, found))
    }

    /// Returns whether a name is that of a class from outside, whose methods nobody here declares:
    /// in Ruby, a constant that holds no value here, and in Java, a name with a capital that
    /// nothing here has (`Thread.sleep`).
    fn is_class_from_outside(&self, name: &str) -> Result<bool> {
        if self.scope.family == Family::Ruby && is_constant(name) {
            let holds_value = |one: &(String, Candidate<'s>)| one.1.row.kind == DeclarationKind::Constant;
            return Ok(!self.graph.constants(name)?.iter().any(holds_value));
        }
        let is_type_name = name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase);
        Ok(self.file.language() == "java" && is_type_name && self.graph.candidates(name)?.is_empty())
    }

    /// Returns whether the type of a member is seen here: one of Go with a small letter is only
    /// seen in its own package.
    fn sees_type_of(&self, one: &Candidate<'s>) -> bool {
        self.scope.family != Family::Go
            || one.owner.starts_with(char::is_uppercase)
            || folder(one.file.path()) == self.scope.folder()
    }

    /// Resolves a member of the class around the mention, or of its supertypes only.
    fn of_own_class(&self, candidates: &[&'g Candidate<'s>], only_super: bool) -> Result<Matches<'g, 's>> {
        let types = self.own_types()?;
        if types.is_empty() && self.scope.family == Family::Script && !only_super {
            return Ok(self.of_own_object(candidates));
        }
        if types.is_empty() && self.scope.family.has_file_types() && !only_super {
            return Ok(self.of_own_file(candidates));
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
        // The supertype of the class may come from outside, and so what `super` calls.
        if only_super && self.scope.family == Family::Ruby {
            return Ok(nothing());
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
        // Elsewhere, an object of this name is another one.
        if owned.iter().any(|one| is_assigned(one)) {
            return Ok(None);
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
        let is_top = |one: &Candidate<'s>| one.owner.is_empty() || is_assigned(one);
        let mut within = import.module().join(import.name);
        let mut module = import.module().clone();
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
        for of in [import.module(), &within] {
            let found = self.in_module(candidates, of, of_type);
            if !found.is_empty() {
                return found;
            }
        }
        // `import a.b` names the module itself. In most languages, types begin with a capital
        // letter, and modules don't.
        let may_be_module = family.has_capital_modules() || !import.name.starts_with(char::is_uppercase);
        let is_module = may_be_module && import.is_module(family);
        // The table, or the class that the file is, may have any name.
        let of_one = |module: &Module| {
            let found = self.in_module(candidates, module, |_| true);
            let is_one = found.iter().all(|one| Some(one.owner) == found.first().map(|first| first.owner));
            if is_one { found } else { Vec::new() }
        };
        if family.returns_tables() {
            return of_one(import.module());
        }
        let found = if is_module { self.in_module(candidates, &module, is_top) } else { Vec::new() };
        if found.is_empty() && is_module && family.has_file_objects() { of_one(&module) } else { found }
    }

    /// Resolves a member of an object of which only the name is known.
    fn member(&self, candidates: &[&'g Candidate<'s>], receiver: &str) -> Result<Matches<'g, 's>> {
        let family = self.scope.family;
        let members = pick(candidates, |one| is_member(one) && self.sees_type_of(one));
        let wanted = plain(receiver);
        if wanted.len() >= MIN_RECEIVER {
            let mut named = pick(&members, |one| plain_before(one.owner, &wanted).is_some());
            if named.is_empty() {
                named = pick(&members, |one| is_short_for(&wanted, one.owner));
            }
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
            let beside = self.beside_imported(&members)?;
            if !beside.is_empty() {
                return Ok((Evidence::Mentioned, beside));
            }
        }
        // Nothing is known of the object, and every object has such a member.
        if members.first().is_some_and(|one| family.is_on_every_object(one.file.segment.name(&one.row))) {
            return Ok(nothing());
        }
        // Nothing is known of the object, and most objects with such a member are the library's.
        if self.file.language() == "cpp" && members.first().is_some_and(|one| is_of_library(one)) {
            return Ok(nothing());
        }
        Ok(match members.len() {
            1 => (Evidence::Sole, members),
            _ => guess(members),
        })
    }
}

/// Returns whether a name of Go stands behind a variable with a type. It may be called like a
/// package, and nothing here may declare its type.
pub(super) fn is_variable_of_go(family: Family<'_>, mention: &Mention<'_>) -> bool {
    let is_read = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
    family == Family::Go && is_read && !mention.alias.is_empty() && !mention.qualifier.contains('.')
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

/// Returns whether the name of an object shortens the last word of a type's name: `req` stands for
/// `HttpRequest`. The object's name is in plain form.
fn is_short_for(object: &str, ty: &str) -> bool {
    if object.len() > MAX_SHORT {
        return false;
    }
    let word = ty.char_indices().rev().find(|(_, c)| c.is_uppercase()).map_or(0, |(at, _)| at);
    ty.get(word..).is_some_and(|word| word.to_lowercase().starts_with(object))
}

/// Returns whether a member is assigned to an object of JavaScript outside of it (`app.init = …`).
/// The object may be all that a module exports, whatever its name is in its file.
fn is_assigned(one: &Candidate<'_>) -> bool {
    one.family == Family::Script && one.row.parent.is_none() && !one.file.segment.scope(&one.row).is_empty()
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
