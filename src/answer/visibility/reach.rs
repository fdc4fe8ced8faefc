//! Whether a name that a module declares can be reached from outside of its package: a module and a
//! name → yes or no.
//!
//! A name can be reached in a public module, or under a name by which a public module hands it on,
//! directly or through other modules. Which modules are public depends on the language:
//! - Python: no name of the path begins with an underscore. `__all__` says which names are public.
//! - Rust: each `mod` on the way from the root of the crate is `pub`. A module without a
//!   declaration, as one that a macro declares, counts as public.
//! - JavaScript and TypeScript: by custom, none of the directories is called `internal` or
//!   begins with an underscore.
//!
//! Asks for the files that import a name only if the module itself is private, so that most answers
//! are cheap. Answers are cached.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::search::Result;

use super::exports::{ModuleExports, ModuleLanguage, Reexport};
use super::module_path::{ModulePath, is_underscored};

/// Most names that are looked at for one declaration.
const MAX_NAMES: usize = 500;
/// Most modules inside each other whose own names are looked up.
const MAX_DEPTH: usize = 32;

/// The files of a commit.
pub(super) trait ModuleFiles {
    /// Returns the text of a file; `None` if there is none.
    fn text(&self, path: &str) -> Option<Arc<str>>;

    /// Returns the files that may import a name from a module, or all names of the module.
    fn importers(&self, language: ModuleLanguage, module: &ModulePath, name: &str) -> Result<Vec<String>>;
}

/// A name in a module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ModuleName {
    module: ModulePath,
    name: String,
}

/// How a module has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Declared,
    /// By an import of this name.
    Named,
    /// By an import that is meant for others: of all names, or `a as a`.
    Handed,
}

/// The names that can be reached in a commit.
pub(super) struct Reach<'f> {
    files: &'f dyn ModuleFiles,
    read: RefCell<HashMap<String, Option<Rc<ModuleExports>>>>,
    known: RefCell<HashMap<(ModuleLanguage, ModuleName), bool>>,
    /// The names whose answers are being made. Modules that re-export each other lead back to them.
    open: RefCell<HashSet<(ModuleLanguage, ModuleName)>>,
    /// Whether an answer counted on one that is being made.
    is_provisional: Cell<bool>,
    /// Names that were looked at for the declaration that is asked for.
    n_looked_at: Cell<usize>,
}

impl<'f> Reach<'f> {
    pub(super) fn new(files: &'f dyn ModuleFiles) -> Self {
        Self {
            files,
            read: RefCell::default(),
            known: RefCell::default(),
            open: RefCell::default(),
            is_provisional: Cell::new(false),
            n_looked_at: Cell::new(0),
        }
    }

    /// Returns whether a name can be reached that the file at `path` declares, in these modules of
    /// the file.
    pub(super) fn has(
        &self,
        language: ModuleLanguage,
        path: &str,
        within: &[String],
        name: &str,
    ) -> Result<bool> {
        let Some(module) = self.module_of(language, path) else {
            // Nothing is known about the crate, so only the modules in the file count.
            let exports = self.exports(language, path);
            let mut modules = exports.iter().flat_map(|exports| &exports.modules);
            return Ok(!modules.any(|one| {
                let rest = within.strip_prefix(one.within.as_slice());
                !one.is_public && rest.and_then(<[String]>::first) == Some(&one.name)
            }));
        };
        let declared = ModuleName { module: module.join(within), name: name.to_owned() };
        if language != ModuleLanguage::Script {
            return self.is_reached(language, declared, 0);
        }
        // A script may export it under other names.
        let exports = self.exports(language, path);
        let own = exports.iter().flat_map(|exports| &exports.reexports);
        let own = own.filter(|one| one.module.is_empty() && one.name.as_deref() == Some(name));
        let names: Vec<String> = own.filter_map(|one| one.exported.clone()).collect();
        for name in names {
            if self.is_reached(language, ModuleName { name, ..declared.clone() }, 0)? {
                return Ok(true);
            }
        }
        let is_default = exports.is_some_and(|exports| exports.is_default(name));
        Ok(!is_default && self.is_reached(language, declared, 0)?)
    }

    /// Returns whether a name can be reached; also true if that takes too long to find out, because
    /// a change of the API must not be hidden.
    fn is_reached(&self, language: ModuleLanguage, start: ModuleName, depth: usize) -> Result<bool> {
        let key = (language, start.clone());
        if let Some(&known) = self.known.borrow().get(&key) {
            return Ok(known);
        }
        if depth == 0 {
            self.n_looked_at.set(0);
        }
        if depth > MAX_DEPTH {
            return Ok(true);
        }
        if !self.open.borrow_mut().insert(key.clone()) {
            self.is_provisional.set(true);
            return Ok(false);
        }
        let was_provisional = self.is_provisional.replace(false);
        let mut seen: HashSet<ModuleName> = HashSet::from([start.clone()]);
        let mut open = vec![(start, Origin::Declared)];
        let mut is_reached = false;
        while let Some((one, origin)) = open.pop() {
            self.n_looked_at.set(self.n_looked_at.get() + 1);
            if self.n_looked_at.get() > MAX_NAMES || self.is_open(language, &one, origin, depth)? {
                is_reached = true;
                break;
            }
            for (next, origin) in self.handed_on(language, &one)? {
                if seen.insert(next.clone()) {
                    open.push((next, origin));
                }
            }
        }
        self.open.borrow_mut().remove(&key);
        // Without the answers that are being made, a negative one may be wrong.
        if is_reached || depth == 0 || !self.is_provisional.get() {
            self.known.borrow_mut().insert(key, is_reached);
        }
        self.is_provisional.set(depth > 0 && (was_provisional || self.is_provisional.get()));
        Ok(is_reached)
    }

    /// Returns whether others may use a name of a module.
    fn is_open(
        &self,
        language: ModuleLanguage,
        one: &ModuleName,
        origin: Origin,
        depth: usize,
    ) -> Result<bool> {
        if language == ModuleLanguage::Python && !self.is_listed(one, origin) {
            return Ok(false);
        }
        match language {
            ModuleLanguage::Rust => {
                let Some((around, name)) = one.module.split() else { return Ok(true) };
                if self.is_declared_public(&around, name) == Some(false) {
                    return Ok(false);
                }
                let module = ModuleName { name: name.to_owned(), module: around };
                self.is_reached(language, module, depth + 1)
            }
            ModuleLanguage::Python => {
                for n in one.module.private(language) {
                    // A private module may be handed on under another name.
                    let around = one.module.names.get(..n).unwrap_or_default().to_vec();
                    let module = ModulePath { root: String::new(), names: around };
                    let Some((around, name)) = module.split() else { continue };
                    let module = ModuleName { name: name.to_owned(), module: around };
                    if !self.is_reached(language, module, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ModuleLanguage::Script => Ok(one.module.private(language).next().is_none()),
        }
    }

    /// Returns whether a name of a Python module is one for others.
    fn is_listed(&self, one: &ModuleName, origin: Origin) -> bool {
        let file = self.file_of(ModuleLanguage::Python, &one.module);
        let all = file.as_ref().and_then(|(_, exports)| exports.all.as_ref());
        match all {
            Some(all) if all.names.contains(&one.name) => true,
            Some(all) if !all.is_open => false,
            _ => {
                let is_package = file.as_ref().is_some_and(|(path, _)| path.ends_with("__init__.py"));
                !is_underscored(&one.name) && (origin != Origin::Named || is_package)
            }
        }
    }

    /// Returns whether a module of Rust is declared as public in the one around it; `None` if no
    /// declaration was found.
    fn is_declared_public(&self, around: &ModulePath, name: &str) -> Option<bool> {
        // Modules without a file are in the file of one around them.
        for n in (0..=around.names.len()).rev() {
            let (names, within) = around.names.split_at_checked(n)?;
            let of_file = ModulePath { root: around.root.clone(), names: names.to_vec() };
            // The library and the program of a crate have the same root.
            let files = of_file.files(ModuleLanguage::Rust);
            let exports: Vec<Rc<ModuleExports>> =
                files.iter().filter_map(|path| self.exports(ModuleLanguage::Rust, path)).collect();
            if exports.is_empty() {
                continue;
            }
            let modules = exports.iter().flat_map(|exports| &exports.modules);
            let mut found = modules.filter(|one| one.name == name && one.within == within).peekable();
            found.peek()?;
            return Some(found.any(|one| one.is_public));
        }
        None
    }

    /// Returns the names under which other modules have a name, one step away.
    fn handed_on(&self, language: ModuleLanguage, one: &ModuleName) -> Result<Vec<(ModuleName, Origin)>> {
        let mut found = Vec::new();
        for path in self.files.importers(language, &one.module, &one.name)? {
            let Some(exports) = self.exports(language, &path) else { continue };
            let Some(site) = self.module_of(language, &path) else { continue };
            for import in exports.reexports.iter().filter(|import| !import.module.is_empty()) {
                let site = site.join(&import.within);
                if !one.module.is_written(language, &path, &site, &import.module) {
                    continue;
                }
                let Some(name) = self.name_after(language, one, import) else { continue };
                let is_handed = import.name.is_none() || import.is_explicit;
                let origin = if is_handed { Origin::Handed } else { Origin::Named };
                found.push((ModuleName { module: site, name }, origin));
            }
        }
        Ok(found)
    }

    /// Returns the name after an import from the name's module; `None` if that imports other names.
    fn name_after(&self, language: ModuleLanguage, one: &ModuleName, import: &Reexport) -> Option<String> {
        let is_meant = match &import.name {
            Some(name) => *name == one.name,
            None => match language {
                ModuleLanguage::Python => self.is_listed(one, Origin::Handed),
                ModuleLanguage::Script => import.exported.is_some() || one.name != "default",
                ModuleLanguage::Rust => true,
            },
        };
        is_meant.then(|| import.exported.as_ref().unwrap_or(&one.name).clone())
    }

    fn module_of(&self, language: ModuleLanguage, path: &str) -> Option<ModulePath> {
        ModulePath::of_file(language, path, &|path| self.exports(language, path).is_some())
    }

    /// Returns the file of a module, by its path and what it exports.
    fn file_of(&self, language: ModuleLanguage, module: &ModulePath) -> Option<(String, Rc<ModuleExports>)> {
        module.files(language).into_iter().find_map(|path| {
            let exports = self.exports(language, &path)?;
            Some((path, exports))
        })
    }

    fn exports(&self, language: ModuleLanguage, path: &str) -> Option<Rc<ModuleExports>> {
        if let Some(known) = self.read.borrow().get(path) {
            return known.clone();
        }
        let read = self.files.text(path).map(|text| Rc::new(ModuleExports::of(language, &text)));
        self.read.borrow_mut().insert(path.to_owned(), read.clone());
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ModuleLanguage::{Python, Rust, Script};

    /// Files by path. Any file may import any name.
    struct Texts(Vec<(String, String)>);

    impl ModuleFiles for Texts {
        fn text(&self, path: &str) -> Option<Arc<str>> {
            self.0.iter().find(|file| file.0 == path).map(|file| file.1.as_str().into())
        }

        fn importers(&self, _: ModuleLanguage, _: &ModulePath, _: &str) -> Result<Vec<String>> {
            Ok(self.0.iter().map(|file| file.0.clone()).collect())
        }
    }

    /// Checks names, each as `path name` or `path module::name`, that can and that can't be
    /// reached.
    fn check(language: ModuleLanguage, files: &[(&str, &str)], reached: &[&str], internal: &[&str]) {
        let texts =
            Texts(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect());
        let reach = Reach::new(&texts);
        let all = reached.iter().map(|one| (one, true)).chain(internal.iter().map(|one| (one, false)));
        for (one, expected) in all {
            let (path, symbol) = one.split_once(' ').unwrap();
            let mut within: Vec<String> = symbol.split("::").map(str::to_owned).collect();
            let name = within.pop().unwrap();
            assert_eq!(reach.has(language, path, &within, &name).unwrap(), expected, "{one}");
        }
    }

    #[test]
    fn python_names_are_reached_through_packages() {
        check(
            Python,
            &[
                (
                    "web/__init__.py",
                    "from ._api import *\nfrom ._client import Client, Hidden\nfrom . import _codes as codes\n__all__ = [\"Client\", \"get\", \"codes\"]\n",
                ),
                ("web/_api.py", "from ._request import get, post\n__all__ = [\"get\", \"post\"]\n"),
                ("web/_client.py", "class Client: ...\nclass Hidden: ...\nclass Other: ...\n"),
                ("web/_codes.py", "OK = 200\n"),
                ("web/_request.py", "def get(): ...\ndef post(): ...\n"),
                ("web/open.py", "from ._client import Other\n__all__ = [\"listed\"]\n"),
                ("web/plain.py", "from ._client import Other\n"),
            ],
            &[
                "web/_client.py Client",
                "web/_request.py get",
                "web/_codes.py OK",
                "web/open.py listed",
                "web/plain.py f",
            ],
            &[
                "web/_client.py Hidden",
                "web/_client.py Other",
                "web/_request.py post",
                "web/open.py unlisted",
            ],
        );
        check(
            Python,
            &[
                ("src/a/__init__.py", "from a._b import C as D\nfrom ._e import *\n"),
                ("src/a/_b.py", ""),
                ("src/a/_e.py", ""),
                ("src/a/_in/x.py", ""),
                ("src/a/named.py", "from a._in.x import F as F\nfrom a._in.x import G\n"),
            ],
            &["src/a/_b.py C", "src/a/_e.py anything", "src/a/_in/x.py F"],
            &["src/a/_b.py E", "src/a/_in/x.py G"],
        );
    }

    #[test]
    fn rust_names_are_reached_through_public_modules_and_uses() {
        check(
            Rust,
            &[
                (
                    "src/lib.rs",
                    "mod private;\npub mod open;\nmod facade;\nmod inner {\n    pub struct Deep;\n}\npub use facade::*;\npub use inner::Deep;\npub use private::{Thing, nested};\npub(crate) use private::Hidden;\npub mod prelude {\n    pub use super::private::Early;\n}\n",
                ),
                ("src/private.rs", "pub mod nested;\n"),
                ("src/private/nested.rs", ""),
                ("src/facade/mod.rs", "pub use crate::private::Through;\nuse crate::private::Used;\n"),
                ("src/open.rs", "pub mod more;\nmod less;\n"),
                ("src/open/more.rs", ""),
                ("src/open/less.rs", ""),
                ("src/unlisted.rs", ""),
                ("examples/a.rs", "mod inner {\n    pub struct A;\n}\n"),
            ],
            &[
                "src/lib.rs Root",
                "src/lib.rs inner::Deep",
                "src/private.rs Thing",
                "src/private.rs Through",
                "src/private.rs Early",
                "src/private/nested.rs Any",
                "src/open/more.rs Any",
                "src/unlisted.rs Any",
                "examples/a.rs Any",
            ],
            &[
                "src/lib.rs inner::Other",
                "src/private.rs Hidden",
                "src/private.rs Used",
                "src/open/less.rs Any",
                "examples/a.rs inner::A",
            ],
        );
    }

    #[test]
    fn names_of_scripts_are_reached_through_public_files() {
        check(
            Script,
            &[
                (
                    "src/index.ts",
                    "export { x, default as y } from './_internal/x'\nexport * from './internal'\nimport { z } from './_internal/z'\nexport { z }\nexport { v } from './_internal/v'\n",
                ),
                (
                    "src/_internal/x.ts",
                    "export const x = 1\nexport const w = 2\nexport default function main() {}\n",
                ),
                ("src/_internal/z.ts", "const inner = 1\nexport { inner as z }\nexport const y = 2\n"),
                // Its `inner` is not the one that it exports.
                ("src/_internal/v.ts", "const inner = 1\nexport { inner as v } from './z'\n"),
                ("src/internal/index.ts", "export * from './all.js'\n"),
                ("src/internal/all.ts", "export default class Main {}\n"),
                ("src/plain.ts", "import { y } from './_internal/z'\n"),
            ],
            &[
                "src/_internal/x.ts x",
                "src/_internal/x.ts main",
                "src/_internal/z.ts inner",
                "src/internal/all.ts anything",
                "src/plain.ts anything",
            ],
            &[
                "src/_internal/x.ts w",
                "src/_internal/z.ts y",
                "src/_internal/v.ts inner",
                "src/internal/all.ts Main",
            ],
        );
    }

    #[test]
    fn a_name_that_takes_too_long_to_follow_counts_as_reached() {
        // Each private module hands the name on to the next one, and its own name is looked up too.
        let is_reached = |n: usize| {
            let chain = (0..n).map(|at| match at {
                0 => ("_m0.py".to_owned(), "def f(): ...\n".to_owned()),
                at => (format!("_m{at}.py"), format!("from ._m{} import f as f\n", at - 1)),
            });
            let texts = Texts(chain.collect());
            Reach::new(&texts).has(Python, "_m0.py", &[], "f").unwrap()
        };
        assert!(!is_reached(MAX_NAMES / 2 - 10));
        assert!(is_reached(MAX_NAMES / 2 + 10));
    }

    #[test]
    fn a_module_that_is_very_deep_counts_as_reached() {
        let is_reached = |n: usize| {
            let mut files = vec![("src/lib.rs".to_owned(), "mod m0;\n".to_owned())];
            let mut path = "src".to_owned();
            for at in 0..n {
                path = format!("{path}/m{at}");
                files.push((format!("{path}.rs"), format!("pub mod m{};\n", at + 1)));
            }
            let texts = Texts(files);
            Reach::new(&texts).has(Rust, &format!("{path}.rs"), &[], "f").unwrap()
        };
        assert!(!is_reached(MAX_DEPTH - 2), "the first module is private");
        assert!(is_reached(MAX_DEPTH + 2));
    }
}
