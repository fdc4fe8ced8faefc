//! The full names that a mention may stand for, by the imports of its file.
//!
//! Owns [`Claim`]. Input: a mention and the scope of its file. Output: full names, likeliest first.
//! They are not looked up here; `lookup` does that. An import that binds the mention's first name
//! leaves no other reading.

use bstr::{BStr, ByteSlice};

use crate::index::chunk::ReferenceKind;
use crate::search::graph::family::Family;
use crate::search::graph::qualified::is_variable_of_go;
use crate::search::graph::resolve::{Site, segments};
use crate::search::graph::scope::{Import, folder};
use crate::search::segment::{Index, Mention};

use super::package::{PackageIdentity, split};

/// A full name that a mention may stand for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::search::graph) struct Claim {
    /// Package, modules, types around, and the name itself.
    pub(super) path: Vec<String>,
    /// Whether the import names only the module, so that all of its names are imported.
    pub(super) is_of_all: bool,
}

/// Returns the full names that a mention may stand for, likeliest first, and whether an import
/// binds it, so that nothing else is meant.
///
/// `own` is the package of the file, if modules of that package count, too.
pub(super) fn claims(
    site: &Site<'_, '_, '_>,
    mention: &Mention<'_>,
    own: Option<&PackageIdentity>,
) -> (Vec<Claim>, bool) {
    let mut found = Vec::new();
    let family = site.scope.family;
    let full = |module: &str| match own {
        Some(known) => absolute(family, module)
            .or_else(|| Some(known.full(own_modules(known, site.scope.path, module)?))),
        None => absolute(family, module),
    };
    if mention.kind == ReferenceKind::Import {
        // `import * as a` names the module, and nothing in it.
        if let Some(mut path) = full(mention.qualifier).filter(|_| !mention.is_namespace_import()) {
            path.push(mention.name.to_owned());
            found.push(Claim { path, is_of_all: false });
        }
        return (found, true);
    }
    if family.is_self(site.file.language(), mention.qualifier).is_some() {
        return (found, false);
    }
    if is_variable_of_go(family, mention) {
        return (found, false);
    }
    let qualifier = segments(mention.qualifier);
    let first = qualifier.first().copied().unwrap_or(mention.name);
    let mut is_bound = false;
    for import in site.scope.imports.iter().filter(|import| import.local == first) {
        is_bound = true;
        for mut path in bound(family, import, qualifier.is_empty(), &full) {
            if !qualifier.is_empty() {
                path.extend(qualifier.iter().skip(1).map(|&one| one.to_owned()));
                path.push(mention.name.to_owned());
            }
            found.push(Claim { path, is_of_all: false });
        }
    }
    if is_bound {
        return (found, true);
    }
    let mut written: Vec<String> = qualifier.iter().map(|&one| one.to_owned()).collect();
    written.push(mention.name.to_owned());
    for import in site.scope.imports.iter().filter(|import| import.local.is_empty()) {
        let Some(mut path) = full(import.written) else { continue };
        if family == Family::Dart
            && let Some(last) = path.last_mut()
        {
            *last = last.trim_end_matches(".dart").to_owned();
        }
        path.extend(written.iter().cloned());
        found.push(Claim { path, is_of_all: true });
    }
    let is_path = match family {
        Family::Rust => mention.qualifier.contains("::") || first.starts_with(char::is_lowercase),
        Family::Python => site.scope.imports.iter().any(|import| {
            split(family, import.written).next() == Some(first) && !import.written.starts_with('.')
        }),
        Family::Jvm => qualifier.len() > 1 && first.starts_with(char::is_lowercase),
        Family::CSharp | Family::Php => qualifier.len() > 1 || family == Family::Php,
        Family::Ruby => first.starts_with(char::is_uppercase),
        _ => false,
    };
    if is_path && !qualifier.is_empty() {
        // A module of the own package is looked up with the package's name in front.
        let own = full(mention.qualifier).filter(|_| absolute(family, mention.qualifier).is_none());
        let path = match own {
            Some(mut path) => {
                path.push(mention.name.to_owned());
                Some(path)
            }
            None => absolute(family, mention.qualifier).map(|_| written),
        };
        found.extend(path.map(|path| Claim { path, is_of_all: false }));
    }
    (found, false)
}

/// Returns the full names that an import may bind: of a name in a module, or of the module.
fn bound(
    family: Family<'_>,
    import: &Import<'_>,
    is_alone: bool,
    full: &dyn Fn(&str) -> Option<Vec<String>>,
) -> Vec<Vec<String>> {
    let Some(mut module) = full(import.written) else { return Vec::new() };
    if family == Family::Dart {
        if let Some(last) = module.last_mut() {
            *last = last.trim_end_matches(".dart").to_owned();
        }
        return vec![module];
    }
    if import.is_namespace {
        return if is_alone { Vec::new() } else { vec![module] };
    }
    let mut name = module.clone();
    name.push(import.name.to_owned());
    // `import a.b` and `from a.b import b` are recorded alike.
    let is_module = module.last().is_some_and(|last| last == import.name) || import.is_module(family);
    match family {
        Family::Go => vec![module],
        _ if is_module && !is_alone => vec![name, module],
        _ => vec![name],
    }
}

/// Splits a module's name into segments; `None` if its spelling says that it belongs to the same
/// repository.
pub(super) fn absolute(family: Family<'_>, module: &str) -> Option<Vec<String>> {
    let module = module.trim_matches(['"', '\'', '<', '>']);
    let module = if family == Family::Dart { module.strip_prefix("package:")? } else { module };
    let is_own = match family {
        Family::Script => module.starts_with(['.', '/', '~']) || module.starts_with("@/"),
        Family::Rust => {
            ["crate", "self", "super", "Self"].contains(&split(family, module).next().unwrap_or(""))
        }
        _ => module.starts_with('.'),
    };
    let segments: Vec<String> = split(family, module).map(str::to_owned).collect();
    (!is_own && !segments.is_empty()).then_some(segments)
}

/// Returns the modules that a file at `path` means by `module`, in its own package; `None` if it
/// names another package.
pub(super) fn own_modules(known: &PackageIdentity, path: &BStr, module: &str) -> Option<Vec<String>> {
    let text = path.to_str().ok()?;
    let beside = text.rfind('/').and_then(|at| text.get(..at)).unwrap_or_default();
    let mut modules = match known.family {
        Family::Rust => known.written_modules(path)?,
        // Other languages start at the file's folder.
        _ => {
            let folder = if beside.is_empty() { String::new() } else { format!("{beside}/") };
            let file = match known.family {
                Family::Python => "__init__.py",
                Family::Dart => return None,
                _ => "index.ts",
            };
            known.written_modules(format!("{folder}{file}").as_str().into())?
        }
    };
    let module = module.trim_matches(['"', '\'']);
    let rest: Vec<&str> = match known.family {
        Family::Rust => {
            let mut rest: Vec<&str> = split(known.family, module).collect();
            while let Some(first) = rest.first().copied() {
                match first {
                    "crate" => modules.clear(),
                    "super" => drop(modules.pop()),
                    "self" => {}
                    _ => break,
                }
                rest.remove(0);
            }
            rest
        }
        Family::Python => {
            let rest = module.trim_start_matches('.');
            let dots = module.len() - rest.len();
            let n = modules.len().checked_sub(dots.checked_sub(1)?)?;
            modules.truncate(n);
            split(known.family, rest).collect()
        }
        Family::Script if module.starts_with('.') => {
            let mut rest: Vec<&str> = module.split('/').filter(|one| !matches!(*one, "" | ".")).collect();
            while rest.first() == Some(&"..") {
                modules.pop();
                rest.remove(0);
            }
            if let Some(last) = rest.last_mut() {
                *last = ["js", "ts", "mjs", "jsx", "tsx"]
                    .iter()
                    .find_map(|ending| last.strip_suffix(ending)?.strip_suffix('.'))
                    .unwrap_or(last);
            }
            rest.retain(|one| *one != "index");
            rest
        }
        _ => return None,
    };
    modules.extend(rest.into_iter().map(str::to_owned));
    Some(modules)
}

/// Returns whether a module of that name is next to a file, and so is the one that is meant.
pub(super) fn is_beside(index: &Index<'_>, site: &Site<'_, '_, '_>, first: &str) -> bool {
    let files: &[&str] = match site.scope.family {
        Family::Python => &[".py", "/__init__.py"],
        Family::Rust => &[".rs", "/mod.rs"],
        _ => return false,
    };
    let beside = folder(site.scope.path).to_str_lossy();
    // Inside a Python package a plain name is looked up from the root; in a folder of scripts, next
    // to the file.
    let has = |path: &str| index.file_by_path(path.into()).is_some();
    if site.scope.family == Family::Python && has(&format!("{beside}/__init__.py")) {
        return false;
    }
    let within = site.scope.path.to_str_lossy();
    let within = within.trim_end_matches(".rs");
    files.iter().any(|file| {
        [beside.as_ref(), within].iter().any(|folder| {
            let path =
                if folder.is_empty() { format!("{first}{file}") } else { format!("{folder}/{first}{file}") };
            has(&path)
        })
    })
}
