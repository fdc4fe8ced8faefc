//! Scopes of Rust: what paths and imports inside of modules and functions mean in their file.
//!
//! A file is one scope for its readers. But `super` in `mod tests { … }` is the file itself, and an
//! import in a module or a function counts there only. So paths are written as they are at the top
//! of the file, and a name that such an import gives is recorded behind its path.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::types::ancestors;
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, ReferenceKind};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The local name of an import that gives none to the file: `use a::Trait as _`.
const NO_NAME: &str = "_";

/// The path of the file itself.
const OWN_FILE: &str = "self::";

/// Beginnings of paths that stay in the crate.
const ROOTS: [&str; 3] = ["crate", "self", "super"];

/// Most modules of a file whose paths are settled.
const MAX_MODULES: usize = 256;

/// Most imports of one local name that count.
const MAX_IMPORTS: usize = 64;

/// An import that counts in a part of the file.
struct ScopedImport {
    /// The module or the function.
    bytes: ByteRange,
    /// The path in front of the name; empty for the top of the file.
    path: String,
    name: String,
}

impl ScopedImport {
    /// Returns the path with the name.
    fn whole(&self) -> String {
        let separator = if self.path.is_empty() { "" } else { "::" };
        format!("{}{separator}{}", self.path, self.name)
    }
}

/// The imports that count in a part of the file, by their local names.
type ScopedImports = HashMap<String, Vec<ScopedImport>>;

/// Writes paths and imports as they are at the top of the file.
pub(in crate::index::chunk) fn settle(
    text: &str,
    declarations: &[Declaration],
    mentions: &mut Vec<Mention<'_>>,
) {
    let modules = inline_modules(declarations);
    let in_modules = names_in_modules(declarations);
    for one in mentions.iter_mut() {
        let is_path = text.get(one.at as usize..).is_some_and(starts_with_path);
        if (is_path || one.kind == ReferenceKind::Import)
            && let Some(path) = at_top(&one.qualifier, &modules, one.at)
        {
            one.qualifier = Cow::Owned(path);
            // A module around the place may have the same name as the file.
            if one.qualifier.is_empty()
                && one.kind != ReferenceKind::Import
                && in_modules.contains(&*one.name)
            {
                one.qualifier = Cow::Borrowed(OWN_FILE);
            }
        }
    }
    let imports = scoped_imports(declarations, mentions);
    // A module that imports all names of its own file brings in nothing.
    mentions.retain(|one| one.kind != ReferenceKind::Import || !one.qualifier.is_empty() || one.name != "*");
    if imports.is_empty() {
        return;
    }
    for one in mentions.iter_mut().filter(|one| one.kind != ReferenceKind::Import) {
        if one.qualifier.is_empty()
            && let Some(import) = import_of(&imports, &one.name, one.at)
        {
            one.qualifier = Cow::Owned(import.path.clone());
            if *one.name != *import.name {
                one.name = Cow::Owned(import.name.clone());
            }
            continue;
        }
        let at = one.at;
        one.replace_first_names(|first| import_of(&imports, first, at).map(ScopedImport::whole));
    }
}

/// Returns the names that modules of the file declare.
fn names_in_modules(declarations: &[Declaration]) -> HashSet<&str> {
    let is_module =
        |at: u32| declarations.get(at as usize).is_some_and(|of| of.kind == DeclarationKind::Module);
    let inner = declarations.iter().filter(|one| one.parent.is_some_and(is_module));
    inner.map(|one| one.name.as_str()).collect()
}

/// Returns whether a text begins with a path from the own module or the one around it.
fn starts_with_path(text: &str) -> bool {
    ["self::", "super::"].iter().any(|begin| text.starts_with(begin))
}

/// Returns the modules that the file declares with a body.
fn inline_modules(declarations: &[Declaration]) -> Vec<(&str, ByteRange)> {
    let is_inline = |one: &&Declaration| one.kind == DeclarationKind::Module && !one.body.is_empty();
    let inline = declarations.iter().filter(is_inline).take(MAX_MODULES);
    inline.map(|one| (one.name.as_str(), one.span.bytes)).collect()
}

/// Returns a path as it is at the top of the file; `None` if it is the same there. It is empty for
/// the file itself.
fn at_top(path: &str, modules: &[(&str, ByteRange)], at: u32) -> Option<String> {
    let mut names = path.split("::").peekable();
    if !matches!(names.peek(), Some(&("self" | "super"))) {
        return None;
    }
    let around = modules.iter().filter(|(_, bytes)| bytes.contains(at));
    let mut around: Vec<&str> = around.map(|(name, _)| *name).collect();
    let mut above = 0usize;
    while let Some(root) = names.next_if(|name| matches!(*name, "self" | "super")) {
        if root == "super" && around.pop().is_none() {
            above += 1;
        }
    }
    let above = std::iter::repeat_n("super", above);
    Some(above.chain(around).chain(names).collect::<Vec<_>>().join("::"))
}

/// Returns the imports that count in a part of the file, and takes their names from the file.
fn scoped_imports(declarations: &[Declaration], mentions: &mut [Mention<'_>]) -> ScopedImports {
    use DeclarationKind as K;
    let top = declarations.iter().filter(|of| of.parent.is_none());
    let top: HashSet<&str> = top.map(|of| of.name.as_str()).collect();
    let mut found = ScopedImports::new();
    let imports = mentions.iter_mut().filter(|one| one.kind == ReferenceKind::Import && one.name != "*");
    for one in imports {
        let is_scope = |of: &&Declaration| {
            let kind = of.kind;
            matches!(kind, K::Constructor | K::Function | K::Method | K::Module | K::Test)
        };
        let before = declarations.partition_point(|of| of.span.bytes.start <= one.at);
        let nearest = before.checked_sub(1).map(offset);
        let mut around = ancestors(declarations, nearest).map(|(_, of)| of);
        let around = around.find(|of| is_scope(of) && of.body.contains(one.at));
        let Some(around) = around else { continue };
        // An import from the top of the file gives it no path, and one from a crate stays as it is.
        let first = one.qualifier.split("::").next().unwrap_or_default();
        let is_known = first.is_empty() || ROOTS.contains(&first) || top.contains(first);
        if !is_known || &*one.alias == NO_NAME {
            continue;
        }
        let local = if one.alias.is_empty() { &one.name } else { &one.alias };
        let of_name = found.entry(local.to_string()).or_default();
        if of_name.len() >= MAX_IMPORTS {
            continue;
        }
        of_name.push(ScopedImport {
            bytes: around.body,
            path: one.qualifier.to_string(),
            name: one.name.to_string(),
        });
        one.alias = Cow::Borrowed(NO_NAME);
    }
    found
}

/// Returns the innermost import that gives a name at a place.
fn import_of<'i>(imports: &'i ScopedImports, name: &str, at: u32) -> Option<&'i ScopedImport> {
    let seen = imports.get(name)?.iter().filter(|one| one.bytes.contains(at));
    seen.min_by_key(|one| one.bytes.len())
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    /// Returns the references of a text as `kind qualifier|name|alias`.
    fn found(text: &str) -> Vec<String> {
        let file = chunk(Language::from_name("rust").unwrap(), text, &ChunkOptions::default());
        let each = file.references.iter();
        each.map(|one| format!("{:?} {}|{}|{}", one.kind, one.qualifier, one.name, one.alias)).collect()
    }

    #[test]
    fn paths_and_imports_in_modules_are_those_of_the_file() {
        let text = "use crate::a::load;
pub fn parse() { self::other(); load(); self.own(); }
mod tests {
    use super::*;
    use crate::b::{load, save as keep, Cart};
    use std::fmt::Debug;
    fn t(cart: Cart) { super::parse(); super::super::far(); load(); keep(); cart.pay(); Cart::new(); self::near(); }
    mod deep { fn d() { super::super::parse(); super::t(); } }
}
fn g() { use self::tests::deep; use super::h as i; deep::d(); i(); load(); }
";
        let found = found(text);
        for one in [
            "Import crate::a|load|",
            "Call |other|",
            "Call |load|",
            "Call crate::b|load|",
            "Call crate::b|save|",
            "Call cart|pay|crate::b::Cart",
            "Call crate::b::Cart|new|",
            "Type crate::b|Cart|",
            "Call |parse|",
            "Call super|far|",
            "Call tests|near|",
            "Call tests|t|",
            "Call tests::deep|d|",
            "Call super|h|",
            "Import crate::b|Cart|_",
            "Import std::fmt|Debug|",
        ] {
            assert!(found.iter().any(|known| known == one), "{one}: {found:#?}");
        }
        assert!(!found.iter().any(|one| one.contains("|*|")), "{found:#?}");
    }
}
