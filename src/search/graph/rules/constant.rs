//! Resolves Ruby constants: names of classes, modules and values, which no file imports.
//!
//! A constant is identified by its full name (`Shop::Cart`). A short name is looked up from the
//! inside out, in the modules that the file writes around it (`Module.nesting`). Any file may
//! reopen a class or module, and most that do so reopen one from elsewhere. The declaration that
//! counts is in the file that the constant is loaded from by its name (`shop/cart.rb`). That is the
//! custom of gems and the rule of Zeitwerk (<https://github.com/fxn/zeitwerk#file-structure>).

use bstr::{BStr, ByteSlice};

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::segment::{DeclarationView, Mention};

use crate::search::graph::family::Family;
use crate::search::graph::module::without_extension;
use crate::search::graph::resolve::{Candidates, Matches, Site, nothing, pick};
use crate::search::graph::{Candidate, Evidence, Result, is_type};

/// Most classes and modules of a chunk in which a constant is looked up.
const MAX_INSIDE: usize = 32;

/// Separator of the names in a constant.
const SEPARATOR: &str = "::";

/// Classes and modules of Ruby's core and of libraries that most programs load, sorted. A file with
/// `class String` only adds to one of them.
const RUBY_CORE: [&str; 41] = [
    "Array",
    "BasicObject",
    "BigDecimal",
    "Class",
    "Comparable",
    "Complex",
    "Data",
    "Date",
    "DateTime",
    "Dir",
    "ERB",
    "Encoding",
    "Enumerable",
    "Enumerator",
    "Exception",
    "FalseClass",
    "File",
    "Float",
    "Hash",
    "IO",
    "Integer",
    "Kernel",
    "Math",
    "Method",
    "Module",
    "NilClass",
    "Numeric",
    "Object",
    "Pathname",
    "Proc",
    "Process",
    "Range",
    "Rational",
    "Regexp",
    "Set",
    "String",
    "Struct",
    "Symbol",
    "Thread",
    "Time",
    "TrueClass",
];

/// Returns whether a type belongs to Ruby or a library and is only reopened here. The name decides,
/// or the folder in which such additions are kept.
pub(in crate::search::graph) fn is_added_to(language: &str, name: &str, path: &BStr) -> bool {
    language == "ruby"
        && (RUBY_CORE.binary_search(&name).is_ok() || path.split_str("/").any(|folder| folder == b"core_ext"))
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the declarations of the class, module or value that a constant means, seen from
    /// here.
    ///
    /// Empty for a name that is not a constant, and for what Ruby itself declares. Declarations in
    /// tests or vendored code are visible only from files of the same kind. If the constant means
    /// one thing in a class of the chunk and another beside it, both are returned as alternatives.
    pub(in crate::search::graph) fn constant(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let is_path = self.scope.family == Family::Ruby
            && is_constant(mention.name)
            && mention.qualifier.split(SEPARATOR).all(|name| name.is_empty() || is_constant(name));
        if !is_path {
            return Ok(nothing());
        }
        let qualifier = mention.qualifier.trim_start_matches(SEPARATOR);
        let written = match qualifier {
            "" => mention.name.to_owned(),
            qualifier => format!("{qualifier}{SEPARATOR}{}", mention.name),
        };
        let (mut evidence, mut found) = (Evidence::Constant, Vec::new());
        // `::Cart` is the one outside of all modules.
        let top = [vec![String::new()]];
        let is_at_top = mention.qualifier.starts_with(SEPARATOR);
        for nesting in if is_at_top { &top[..] } else { self.nestings() } {
            for one in self.constant_in(nesting, mention.name, &written)? {
                let is_known = |known: &&Candidate<'s>| known.at == one.at;
                if found.iter().any(is_known) {
                    continue;
                }
                let is_same = |known: &&Candidate<'s>| {
                    known.file.segment.symbol_path(known.at.ord) == one.file.segment.symbol_path(one.at.ord)
                };
                if !found.iter().all(is_same) {
                    evidence = Evidence::Alternative;
                }
                found.push(one);
            }
        }
        if found.is_empty() && !is_at_top {
            return self.inherited_constant(mention.name, qualifier);
        }
        Ok((evidence, found))
    }

    /// Returns the constant of this name that a class inherits: the class that the qualifier names,
    /// or the one around. A chunk may hold other classes, which inherit something else; then
    /// nothing is returned.
    fn inherited_constant(&self, name: &str, qualifier: &str) -> Result<Matches<'g, 's>> {
        let all: Candidates<'g, 's> = self.graph.constants(name)?.iter().map(|one| &one.1).collect();
        if all.is_empty() || qualifier.is_empty() && !self.is_in_class() {
            return Ok(nothing());
        }
        if qualifier.is_empty() {
            return Ok(self.inherited(&all, self.own_types()?)?.unwrap_or_else(nothing));
        }
        let (before, class) = qualifier.rsplit_once(SEPARATOR).unwrap_or(("", qualifier));
        let class = Mention { kind: ReferenceKind::Type, name: class, qualifier: before, alias: "" };
        let (evidence, types) = self.constant(&class)?;
        let inherited = if evidence.is_certain() { self.inherited(&all, &types)? } else { None };
        Ok(inherited.unwrap_or_else(nothing))
    }

    /// Returns what a constant means inside of some classes and modules, innermost first. `written`
    /// is the constant with its qualifier.
    fn constant_in(&self, nesting: &[String], name: &str, written: &str) -> Result<Candidates<'g, 's>> {
        let all = self.graph.constants(name)?;
        for around in nesting {
            let meant: Vec<_> = all.iter().filter(|one| is_in(&one.0, around, written)).collect();
            let Some((path, _)) = meant.first() else { continue };
            let meant: Candidates<'g, 's> = meant.iter().map(|one| &one.1).collect();
            let from = self.file.flags();
            let is_seen = |one: &Candidate<'_>| {
                let of = one.file.flags();
                (!of.is_test() || from.is_test()) && (!of.is_vendored() || from.is_vendored())
            };
            let is_own = |one: &Candidate<'_>| !is_added_to("ruby", path, one.file.path());
            return main(pick(&meant, |one| is_seen(one) && is_own(one)), path);
        }
        Ok(Vec::new())
    }

    /// Returns the candidates that are members of what the constant `qualifier` means, or of what
    /// it may mean.
    pub(in crate::search::graph) fn of_constant(
        &self,
        candidates: &[&'g Candidate<'s>],
        qualifier: &str,
    ) -> Result<Matches<'g, 's>> {
        let (before, name) = qualifier.rsplit_once(SEPARATOR).unwrap_or(("", qualifier));
        let is_at_top = before.is_empty() && qualifier.starts_with(SEPARATOR);
        let before = if is_at_top { SEPARATOR } else { before };
        let mention = Mention { kind: ReferenceKind::Type, name, qualifier: before, alias: "" };
        let (evidence, constants) = self.constant(&mention)?;
        let owners: Vec<String> =
            constants.iter().map(|of| of.file.segment.symbol_path(of.at.ord).to_string()).collect();
        let found = pick(candidates, |one| {
            let path = one.file.segment.symbol_path(one.at.ord);
            path.rsplit_once(SEPARATOR).is_some_and(|(owner, _)| owners.iter().any(|of| of == owner))
        });
        Ok((if evidence.is_certain() { Evidence::Qualifier } else { evidence }, found))
    }

    /// Returns the full names of the classes and modules around the chunk, innermost first. The
    /// last is empty, for the top level. A chunk may hold classes, and the record does not say in
    /// which of them a name stands. So the same follows for each class or module in the chunk.
    fn nestings(&self) -> &[Vec<String>] {
        self.nestings.get_or_init(|| {
            let segment = self.file.segment;
            let Some(chunk) = segment.chunk(self.from.ord) else { return vec![vec![String::new()]] };
            let mut all = vec![self.nesting_of(chunk.declaration)];
            let bytes = chunk.span.bytes;
            let is_inside = |one: &DeclarationView<'_>| {
                is_type(one.row.kind)
                    && chunk.declaration != Some(one.ord)
                    && bytes.start <= one.row.span.bytes.start
                    && one.row.span.bytes.start < bytes.end
            };
            let inside = self.file.declarations().filter(is_inside).take(MAX_INSIDE);
            all.extend(inside.map(|one| self.nesting_of(Some(one.ord))));
            all
        })
    }

    /// Returns the full names of the classes and modules around a declaration, itself first.
    fn nesting_of(&self, declaration: Option<u32>) -> Vec<String> {
        let segment = self.file.segment;
        let mut around = Vec::new();
        let mut at = declaration;
        while let Some((ord, row)) = at.and_then(|ord| Some((ord, segment.declaration(ord)?))) {
            if is_type(row.kind) {
                around.push(segment.symbol_path(ord));
            }
            at = row.parent.filter(|&parent| parent < ord);
        }
        around.push(String::new());
        around
    }
}

/// Returns the main declarations of one constant, without those that only reopen it.
///
/// First choice is the file named after the constant, then a file named after a module around it.
/// If there is neither, values and structs count, and classes that name their superclass.
fn main<'g, 's>(all: Candidates<'g, 's>, path: &str) -> Result<Candidates<'g, 's>> {
    let mut of = path;
    loop {
        let wanted = file_of(of);
        let called_so = pick(&all, |one| is_file(one.file.path(), &wanted));
        if !called_so.is_empty() {
            return Ok(called_so);
        }
        match of.rsplit_once(SEPARATOR) {
            Some((outer, _)) => of = outer,
            None => break,
        }
    }
    let mut found = Vec::new();
    for one in all {
        let is_whole = match one.row.kind {
            DeclarationKind::Constant | DeclarationKind::Struct => true,
            DeclarationKind::Class => has_superclass(one)?,
            _ => false,
        };
        if is_whole {
            found.push(one);
        }
    }
    Ok(found)
}

/// Returns whether a class names its superclass. A class that is only reopened seldom does.
fn has_superclass(class: &Candidate<'_>) -> Result<bool> {
    let segment = class.file.segment;
    let mentions = segment.mentions(segment.chunk_of_name(&class.row))?;
    Ok(mentions.iter().any(|mention| mention.kind == ReferenceKind::Inherits))
}

/// Returns whether the full name `path` is what `written` means in the module `around`.
fn is_in(path: &str, around: &str, written: &str) -> bool {
    match path.strip_suffix(written) {
        Some("") => around.is_empty(),
        Some(before) => before.strip_suffix(SEPARATOR) == Some(around),
        None => false,
    }
}

/// Returns whether a name is written like a constant.
pub(in crate::search::graph) fn is_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Returns whether a constant names a declaration of this kind.
pub(in crate::search::graph) fn has_constant(kind: DeclarationKind) -> bool {
    is_type(kind) || kind == DeclarationKind::Constant
}

/// Returns the file that a constant is loaded from, in lower case, without extension and without
/// `_`. It then does not matter where the name is split into words (`HTMLParser` is in
/// `html_parser.rb`).
fn file_of(path: &str) -> String {
    path.replace(SEPARATOR, "/").replace('_', "").to_lowercase()
}

/// Returns whether a file's path ends with `wanted`, which [`file_of`] returned.
fn is_file(path: &BStr, wanted: &str) -> bool {
    let path = path.to_str_lossy();
    let own = without_extension(&path).replace('_', "").to_lowercase();
    own.strip_suffix(wanted).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn core_classes_are_nobodys() {
        assert!(RUBY_CORE.is_sorted());
        let path = BStr::new("lib/a.rb");
        assert!(is_added_to("ruby", "Class", path) && !is_added_to("ruby", "Classes", path));
        assert!(is_added_to("ruby", "LoadError", "lib/core_ext/load_error.rb".into()));
        assert!(!is_added_to("python", "Class", path));
    }

    #[test]
    fn constants_are_in_the_file_that_is_called_after_them() {
        for (constant, path) in [
            ("Cart", "app/models/cart.rb"),
            ("Shop::HTMLParser", "lib/shop/html_parser.rb"),
            ("ActiveRecord::ConnectionAdapters::SQLite3", "lib/active_record/connection_adapters/sqlite3.rb"),
        ] {
            assert!(is_file(path.into(), &file_of(constant)), "{constant} in {path}");
        }
        assert!(!is_file("lib/shop/cart.rb".into(), &file_of("Other::Cart")));
        assert!(!is_file("lib/pushcart.rb".into(), &file_of("Cart")));
    }

    #[test]
    fn whole_names_are_compared_name_by_name() {
        assert!(is_in("Shop::Cart", "Shop", "Cart") && is_in("Shop::Cart", "", "Shop::Cart"));
        assert!(is_in("Cart", "", "Cart"));
        assert!(!is_in("Shop::Cart", "", "Cart") && !is_in("PushCart", "Push", "Cart"));
        assert!(!is_in("Shop::Cart", "Shop", "Shop::Cart"));
    }
}
