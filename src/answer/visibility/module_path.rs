//! The place of a module among the others of its repository: the path of a file → [`ModulePath`];
//! a module as an import writes it → whether it is a given one.
//!
//! Must not read files, except for the question which of them are there.

use super::exports::ModuleLanguage;

/// Endings of scripts, which an import may leave out.
const SCRIPT_ENDINGS: [&str; 12] =
    ["d.ts", "d.mts", "d.cts", "ts", "tsx", "js", "jsx", "mts", "mjs", "cts", "cjs", "vue"];

/// A module.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ModulePath {
    /// The folder of the crate's root file, in Rust; empty elsewhere.
    pub(super) root: String,
    /// The modules around it, and its own name. It is empty for the root of a crate.
    pub(super) names: Vec<String>,
}

impl ModulePath {
    /// Returns the module of a file; `None` for a file of Rust that is below no root of a crate.
    pub(super) fn of_file(
        language: ModuleLanguage,
        path: &str,
        has_file: &dyn Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut root = String::new();
        let mut inside = path;
        if language == ModuleLanguage::Rust {
            let mut folder = folder(path);
            loop {
                let is_root = |stem: &str| has_file(&join(folder, stem));
                if is_root("lib.rs") || is_root("main.rs") {
                    break;
                }
                folder = self::folder((!folder.is_empty()).then_some(folder)?);
            }
            root = folder.to_owned();
            inside = path.strip_prefix(folder)?.trim_start_matches('/');
        }
        let mut names: Vec<String> = without_ending(language, inside).split('/').map(str::to_owned).collect();
        let is_for_folder = |last: &String| match language {
            ModuleLanguage::Python => last == "__init__",
            ModuleLanguage::Rust => last == "mod",
            ModuleLanguage::Script => last == "index",
        };
        let is_root = language == ModuleLanguage::Rust
            && matches!(names.as_slice(), [only] if only == "lib" || only == "main");
        if is_root || names.last().is_some_and(is_for_folder) {
            names.pop();
        }
        Some(Self { root, names })
    }

    /// Returns the module at the end of these names inside of this one.
    pub(super) fn join(&self, names: &[String]) -> Self {
        Self { root: self.root.clone(), names: [self.names.as_slice(), names].concat() }
    }

    /// Returns the module around it, and its name there; `None` for a root.
    pub(super) fn split(&self) -> Option<(Self, &str)> {
        let (last, around) = self.names.split_last()?;
        Some((Self { root: self.root.clone(), names: around.to_vec() }, last))
    }

    /// Returns the paths at which its file may be.
    pub(super) fn files(&self, language: ModuleLanguage) -> Vec<String> {
        let path = join(&self.root, &self.names.join("/"));
        match language {
            ModuleLanguage::Python => ["__init__.py", "__init__.pyi"]
                .map(|name| join(&path, name))
                .into_iter()
                .chain(["py", "pyi"].map(|ending| format!("{path}.{ending}")))
                .collect(),
            ModuleLanguage::Rust if self.names.is_empty() => {
                ["lib.rs", "main.rs"].map(|name| join(&self.root, name)).to_vec()
            }
            ModuleLanguage::Rust => vec![format!("{path}.rs"), join(&path, "mod.rs")],
            ModuleLanguage::Script => Vec::new(),
        }
    }

    /// Returns whether it is what the file at `path`, in the module `site`, calls `written`.
    pub(super) fn is_written(
        &self,
        language: ModuleLanguage,
        path: &str,
        site: &Self,
        written: &str,
    ) -> bool {
        let of_folder = || -> Vec<String> {
            folder(path).split('/').filter(|one| !one.is_empty()).map(str::to_owned).collect()
        };
        let owned = |rest: &str, separator: &str| -> Vec<String> {
            rest.split(separator).filter(|one| !one.is_empty()).map(str::to_owned).collect()
        };
        match language {
            ModuleLanguage::Python => {
                let rest = written.trim_start_matches('.');
                let Some(n_up) = (written.len() - rest.len()).checked_sub(1) else {
                    return !rest.is_empty() && self.names.ends_with(&owned(rest, "."));
                };
                let mut names = of_folder();
                let Some(n) = names.len().checked_sub(n_up) else { return false };
                names.truncate(n);
                names.extend(owned(rest, "."));
                self.names == names
            }
            ModuleLanguage::Rust => {
                let mut names = site.names.clone();
                for (at, name) in owned(written, "::").into_iter().enumerate() {
                    match name.trim() {
                        "crate" | "$crate" if at == 0 => names.clear(),
                        "self" => {}
                        "super" => drop(names.pop()),
                        name => names.push(name.trim_start_matches("r#").to_owned()),
                    }
                }
                !written.starts_with("::") && self.root == site.root && self.names == names
            }
            ModuleLanguage::Script => {
                let mut names = if written.starts_with('.') { of_folder() } else { Vec::new() };
                for name in without_ending(language, written).split('/') {
                    match name {
                        "" | "." | "~" | "@" | "#" => {}
                        ".." => drop(names.pop()),
                        name => names.push(name.to_owned()),
                    }
                }
                names.pop_if(|last| *last == "index");
                match written.starts_with('.') {
                    true => self.names == names,
                    // An alias for a folder, or a root of sources. One name alone is a package.
                    false => names.len() > 1 && self.names.ends_with(&names),
                }
            }
        }
    }

    /// Returns whether it may be what a file calls `written`, if the import is in the file's module
    /// `site` or in a module inside of it. Must not be asked for scripts.
    pub(super) fn may_be_written(
        &self,
        language: ModuleLanguage,
        path: &str,
        site: &Self,
        written: &str,
    ) -> bool {
        if language != ModuleLanguage::Rust {
            return self.is_written(language, path, site, written);
        }
        let segments = || written.split("::").map(str::trim).filter(|one| !one.is_empty());
        let up = segments().filter(|one| *one == "super").count();
        match segments().last().unwrap_or_default() {
            "crate" | "$crate" => self.root == site.root && self.names.is_empty(),
            // The module itself or one around it, or a module inside of the file.
            "" | "self" | "super" => {
                let is_around =
                    site.names.starts_with(&self.names) && self.names.len() + up >= site.names.len();
                self.root == site.root && (is_around || self.names.starts_with(&site.names))
            }
            last => last.trim_start_matches("r#") == self.stem(),
        }
    }

    /// Returns the name by which an import of a script ends that means it: of its file or folder.
    pub(super) fn stem(&self) -> &str {
        self.names.last().map(String::as_str).unwrap_or_default()
    }

    /// Returns how many leading names there are up to each that custom makes private.
    pub(super) fn private(&self, language: ModuleLanguage) -> impl Iterator<Item = usize> {
        let is_private = move |name: &str| match language {
            ModuleLanguage::Python => is_underscored(name),
            ModuleLanguage::Script => {
                is_underscored(name)
                    || matches!(name, "internal" | "internals")
                    || name.ends_with(".internal")
            }
            ModuleLanguage::Rust => false,
        };
        (1..).zip(&self.names).filter(move |(_, name)| is_private(name)).map(|(n, _)| n)
    }
}

/// Returns the last name of a module as a script writes it; empty if it only names folders above.
pub(super) fn written_stem(written: &str) -> &str {
    let path = without_ending(ModuleLanguage::Script, written);
    let path = path.strip_suffix("/index").unwrap_or(path);
    let last = path.rsplit('/').next().unwrap_or_default();
    if matches!(last, "." | ".." | "index") { "" } else { last }
}

/// Returns whether a name is private in Python. Names such as `__init__` are not.
pub(super) fn is_underscored(name: &str) -> bool {
    name.starts_with('_') && !name.starts_with("__")
}

fn without_ending(language: ModuleLanguage, path: &str) -> &str {
    let endings: &[&str] = match language {
        ModuleLanguage::Python => &["py", "pyi"],
        ModuleLanguage::Rust => &["rs"],
        ModuleLanguage::Script => &SCRIPT_ENDINGS,
    };
    let without = endings.iter().find_map(|ending| path.strip_suffix(ending)?.strip_suffix('.'));
    without.filter(|rest| !rest.is_empty() && !rest.ends_with(['/', '.'])).unwrap_or(path)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ModuleLanguage::{Python, Rust, Script};

    fn module(language: ModuleLanguage, path: &str) -> ModulePath {
        let has_file = |path: &str| matches!(path, "src/lib.rs" | "tool/src/main.rs");
        ModulePath::of_file(language, path, &has_file).unwrap()
    }

    #[test]
    fn a_file_is_a_module() {
        for (language, path, root, names) in [
            (Python, "src/pkg/_client.py", "", "src/pkg/_client"),
            (Python, "pkg/__init__.py", "", "pkg"),
            (Rust, "src/lib.rs", "src", ""),
            (Rust, "src/a/mod.rs", "src", "a"),
            (Rust, "tool/src/a/b.rs", "tool/src", "a/b"),
            (Script, "src/index.ts", "", "src"),
            (Script, "src/a.internal.d.ts", "", "src/a.internal"),
        ] {
            let found = module(language, path);
            assert_eq!((found.root.as_str(), found.names.join("/").as_str()), (root, names), "{path}");
        }
        assert_eq!(ModulePath::of_file(Rust, "tests/a.rs", &|path| path == "src/lib.rs"), None);
    }

    #[test]
    fn an_import_names_a_module() {
        for (language, site, written, path, expected) in [
            (Python, "pkg/__init__.py", "._client", "pkg/_client.py", true),
            (Python, "pkg/a/b.py", "..c", "pkg/c.py", true),
            (Python, "pkg/a/b.py", ".c", "pkg/c.py", false),
            (Python, "pkg/__init__.py", ".", "pkg/__init__.py", true),
            (Python, "tests/a.py", "pkg._client", "src/pkg/_client.py", true),
            (Rust, "src/lib.rs", "private", "src/private.rs", true),
            (Rust, "src/lib.rs", "private", "src/a/private.rs", false),
            (Rust, "src/a/mod.rs", "super::b", "src/b.rs", true),
            (Rust, "src/a/b.rs", "crate::c::d", "src/c/d.rs", true),
            (Rust, "tool/src/main.rs", "crate::c", "src/c.rs", false),
            (Script, "src/index.ts", "./_internal/x", "src/_internal/x.ts", true),
            (Script, "src/index.ts", "./internal", "src/internal/index.ts", true),
            (Script, "src/a/b.ts", "../internal/x.js", "src/internal/x.ts", true),
            (Script, "src/a/b.ts", "./internal/x.js", "src/internal/x.ts", false),
            (Script, "app/b.ts", "@/internal/x", "src/internal/x.ts", true),
            (Script, "app/b.ts", "x", "src/internal/x.ts", false),
        ] {
            let here = module(language, site);
            let found = module(language, path).is_written(language, site, &here, written);
            assert_eq!(found, expected, "{written} in {site}");
        }
    }

    #[test]
    fn an_import_of_all_names_is_only_of_near_modules() {
        for (language, site, written, path, expected) in [
            (Rust, "src/a/b.rs", "super", "src/a.rs", true),
            (Rust, "src/a/b.rs", "super", "src/a/b.rs", true), // from a module in the file
            (Rust, "src/a/b.rs", "super", "src/lib.rs", false),
            (Rust, "src/a/b.rs", "super::super", "src/lib.rs", true),
            (Rust, "src/a/b.rs", "super", "src/a/c.rs", false),
            (Rust, "src/a/b.rs", "super", "src/c.rs", false),
            (Rust, "src/a/b.rs", "super::c", "src/a/c.rs", true),
            (Rust, "src/a/b.rs", "self", "src/a.rs", false),
            (Rust, "src/a/b.rs", "crate", "src/lib.rs", true),
            (Rust, "src/a/b.rs", "crate", "src/a.rs", false),
            (Rust, "tool/src/a.rs", "super", "src/lib.rs", false),
            (Python, "pkg/__init__.py", ".", "pkg/__init__.py", true),
            (Python, "pkg/__init__.py", "._a", "pkg/_a.py", true),
            (Python, "pkg/__init__.py", ".", "other/__init__.py", false),
        ] {
            let here = module(language, site);
            let found = module(language, path).may_be_written(language, site, &here, written);
            assert_eq!(found, expected, "{written} in {site}: {path}");
        }
        let inner = module(Rust, "src/a.rs").join(&["inner".to_owned()]);
        let here = module(Rust, "src/a.rs");
        assert!(inner.may_be_written(Rust, "src/a.rs", &here, "super"));
    }

    #[test]
    fn custom_makes_modules_private() {
        for (language, path, expected) in [
            (Python, "pkg/_internal/x.py", &[2][..]),
            (Python, "pkg/__version__.py", &[]),
            (Script, "src/internal/_x.ts", &[2, 3]),
            (Script, "src/__fixtures__/x.internal.ts", &[3]),
            (Rust, "src/internal/x.rs", &[]),
        ] {
            let found: Vec<usize> = module(language, path).private(language).collect();
            assert_eq!(found, expected, "{path}");
        }
    }
}
