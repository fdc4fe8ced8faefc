//! Packages: their names in imports, and where in the repository their sources are.
//!
//! Owns [`Package`], which callers read from manifests, and `PackageIdentity`, the form in which
//! imports are compared with it. Converts between paths of files and names of modules, by the rules
//! of each ecosystem. Must not: read manifests.

use crate::search::graph::family::Family;
use crate::search::graph::module::{normal, plain, without_extension};
use crate::search::graph::resolve;
use crate::search::graph::scope::{folder, jvm_package as jvm_folder};
use crate::search::graph::{Candidate, is_function, last_segment};
use bstr::{BStr, ByteSlice};

/// First names of modules that many repositories have. One of these in another repository may be a
/// match by chance.
const COMMON: [&str; 32] = [
    "app",
    "apps",
    "base",
    "bench",
    "benchmarks",
    "client",
    "common",
    "config",
    "constants",
    "core",
    "docs",
    "errors",
    "examples",
    "helpers",
    "lib",
    "main",
    "model",
    "models",
    "resources",
    "run",
    "scripts",
    "server",
    "settings",
    "setup",
    "shared",
    "test",
    "tests",
    "tools",
    "types",
    "util",
    "utils",
    "version",
];

/// Folders of a package that contain sources or build output, and that no import names.
const ROOTS: [&str; 7] = ["lib", "dist", "source", "es", "esm", "cjs", "build"];

/// The ecosystem of a package: the kind of its manifest, and so the form of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ecosystem {
    /// A crate: `serde_json`, in the folder of its `Cargo.toml`.
    Cargo,
    /// A namespace that `composer.json` loads from a folder: `Symfony\Component\Console`.
    Composer,
    /// A package of R: `dplyr`, in the folder `R` beside its `DESCRIPTION`.
    Cran,
    /// A C# project: `Newtonsoft.Json`, in the folder of its `.csproj`.
    DotNet,
    /// A gem: `faraday`, in the `lib` next to its `.gemspec`.
    Gem,
    /// A Go module: `go.etcd.io/bbolt`, in the folder of its `go.mod`.
    Go,
    /// A package of npm: `@org/name`, in the folder of its `package.json`.
    Npm,
    /// A Dart package: `dio`, in the `lib` next to its `pubspec.yaml`.
    Pub,
    /// A top-level package or module of Python: `flask`, a folder or a file.
    Python,
    /// A Swift module: `NIOCore`, a folder below `Sources`.
    Swift,
}

/// A package of a repository that others import.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// The ecosystem that it is made for.
    pub ecosystem: Ecosystem,
    /// Its name in imports, in the notation of its language.
    pub name: String,
    /// Folder of its sources from the root of the repository, or its only file; empty for the root.
    pub folder: String,
}

/// A package in the form in which imports are compared with it.
#[derive(Debug)]
pub(in crate::search::graph) struct PackageIdentity {
    pub(super) family: Family<'static>,
    name: Vec<String>,
    pub(super) folder: String,
    /// Whether another package may well have the same name.
    pub(super) is_common: bool,
}

impl PackageIdentity {
    pub(super) fn new(package: &Package) -> Self {
        let family = match package.ecosystem {
            Ecosystem::Cargo => Family::Rust,
            Ecosystem::Composer => Family::Php,
            Ecosystem::Cran => Family::Other("r"),
            Ecosystem::DotNet => Family::CSharp,
            Ecosystem::Gem => Family::Ruby,
            Ecosystem::Go => Family::Go,
            Ecosystem::Npm => Family::Script,
            Ecosystem::Pub => Family::Dart,
            Ecosystem::Python => Family::Python,
            Ecosystem::Swift => Family::Swift,
        };
        let name: Vec<String> =
            split(family, &package.name).map(|one| key(family, one)).filter(|one| !one.is_empty()).collect();
        let is_common = matches!(name.as_slice(), [one] if COMMON.contains(&one.as_str()));
        Self { family, name, folder: package.folder.trim_matches('/').to_owned(), is_common }
    }

    /// Returns whether it is a package of a language with this name, which has no segments.
    pub(in crate::search::graph) fn is_named(&self, family: Family<'_>, name: &str) -> bool {
        self.family == family && matches!(self.name.as_slice(), [own] if *own == key(family, name))
    }

    /// Returns the folder of its sources.
    pub(in crate::search::graph) fn folder(&self) -> &str {
        &self.folder
    }

    /// Returns how many leading segments of a full name are the package's; `None` if it belongs to
    /// another package. The last segment is a declaration's.
    pub(super) fn covers(&self, path: &[String]) -> Option<usize> {
        let n = self.name.len();
        let own = path.get(..n).filter(|_| n > 0 && path.len() > n)?;
        own.iter().zip(&self.name).all(|(a, b)| key(self.family, a) == *b).then_some(n)
    }

    /// Returns whether a module is one of the package, by the path with which it is imported.
    pub(in crate::search::graph) fn has_module(&self, written: &str) -> bool {
        !self.name.is_empty() && self.has_import(written)
    }

    /// Returns whether an import path is in the package.
    pub(super) fn has_import(&self, written: &str) -> bool {
        let mut path = split(self.family, written.trim_matches(['"', '`'])).map(|one| key(self.family, one));
        self.name.iter().all(|segment| path.next().as_ref() == Some(segment))
    }

    /// Returns the full name of modules of the package.
    pub(super) fn full(&self, modules: Vec<String>) -> Vec<String> {
        self.name.iter().cloned().chain(modules).collect()
    }

    /// Returns a path without the package's folder; `None` outside of it.
    pub(in crate::search::graph) fn inside<'p>(&self, path: &'p BStr) -> Option<&'p BStr> {
        if self.folder.is_empty() {
            return Some(path);
        }
        let rest = path.strip_prefix(self.folder.as_bytes())?;
        // The file of an alias has no ending.
        let is_file = self.family == Family::Script
            && rest.starts_with(b".")
            && rest.find_iter(".").count() == 1
            && !rest.contains(&b'/');
        if rest.is_empty() || is_file { Some(BStr::new("")) } else { rest.strip_prefix(b"/").map(BStr::new) }
    }

    /// Returns the modules of a file, relative to the package, in the form in which they are
    /// compared.
    pub(super) fn modules(&self, path: &BStr) -> Option<Vec<String>> {
        Some(self.written_modules(path)?.iter().map(|one| normal(one)).collect())
    }

    /// Returns the modules of a file, relative to the package, as they are written.
    pub(super) fn written_modules(&self, path: &BStr) -> Option<Vec<String>> {
        let inside = self.inside(path)?.to_str().ok()?;
        if inside.is_empty() {
            return Some(Vec::new());
        }
        let mut segments: Vec<String> = without_extension(inside).split('/').map(str::to_owned).collect();
        match self.family {
            Family::Go | Family::Php | Family::CSharp => {
                segments.pop();
            }
            Family::Swift => segments.clear(),
            _ => {
                segments = plain(segments);
                // The file that stands for the package itself.
                if segments == ["lib"] || segments == ["index"] || segments == ["__init__"] {
                    segments.clear();
                }
                if self.family == Family::Script
                    && segments.first().is_some_and(|first| ROOTS.contains(&first.as_str()))
                {
                    segments.remove(0);
                }
            }
        }
        Some(segments)
    }

    /// Returns the paths at which the file of a module may be.
    pub(super) fn module_files(&self, modules: &[String]) -> Vec<String> {
        let (roots, stems, extensions): (&[&str], &[&str], &[&str]) = match self.family {
            Family::Rust => (&["src/", ""], &["", "/mod", "/lib"], &["rs"]),
            Family::Python => (&[""], &["", "/__init__"], &["py", "pyi"]),
            Family::Script => {
                (&["src/", "lib/", "", "source/"], &["", "/index"], &["ts", "tsx", "js", "mjs", "jsx"])
            }
            Family::Dart => (&[""], &[""], &["dart"]),
            _ => return Vec::new(),
        };
        let module = modules.join("/");
        let mut files = Vec::new();
        for root in roots {
            for stem in stems {
                for extension in extensions {
                    let file = format!("{root}{module}{stem}.{extension}");
                    let file = file.replace("//", "/");
                    let file = file.trim_start_matches('/');
                    if !file.starts_with('.') {
                        files.push(match self.folder.as_str() {
                            "" => file.to_owned(),
                            folder => format!("{folder}/{file}"),
                        });
                    }
                }
            }
        }
        files
    }
}

/// Splits a name into segments, as its language separates them.
pub(super) fn split<'n>(family: Family<'_>, name: &'n str) -> impl Iterator<Item = &'n str> + use<'n> {
    let separators: &'static [char] = match family {
        Family::Rust | Family::Ruby => &[':'],
        Family::Php => &['\\'],
        Family::Go | Family::Script | Family::Dart => &['/'],
        // `data.table` is one name.
        Family::Other("r") => &[],
        _ => &['.'],
    };
    name.split(separators).filter(|one| !one.is_empty())
}

/// Returns the form in which segments are compared. In Ruby, `active_support` and `ActiveSupport`
/// are equal.
fn key(family: Family<'_>, segment: &str) -> String {
    if family == Family::Ruby { resolve::plain(segment) } else { normal(segment) }
}

/// Returns the types and modules around a declaration, outermost first.
pub(super) fn scope_of<'s>(one: &Candidate<'s>) -> Vec<&'s str> {
    let segment = one.file.segment;
    let mut names = Vec::new();
    let (mut row, mut at) = (one.row, u32::MAX);
    loop {
        let scope = segment.scope(&row);
        if !scope.is_empty() {
            names.extend(scope.rsplit(['.', ':', '\\']).filter(|one| !one.is_empty()).map(last_segment));
        }
        let Some(parent) = row.parent.filter(|&parent| parent < at) else { break };
        let Some(next) = segment.declaration(parent).filter(|next| !is_function(next.kind)) else { break };
        names.push(last_segment(segment.name(&next)));
        (row, at) = (next, parent);
    }
    // Members of a Kotlin companion are named through its type.
    names.retain(|name| *name != "Companion");
    names.reverse();
    names
}

/// Returns the package that a path spells in a JVM language, and whether it is rooted.
///
/// Rooted: the folders below the first `java`, `kotlin`, `scala` or `groovy`. Otherwise the path
/// has no such folder, and the package may begin at any folder of it.
pub(super) fn jvm_package(path: &BStr) -> (Vec<&str>, bool) {
    let (package, is_rooted) = match jvm_folder(path) {
        Some(package) => (package, true),
        None => (folder(path), false),
    };
    let folders = package.to_str().unwrap_or_default().split('/').filter(|one| !one.is_empty());
    (folders.collect(), is_rooted)
}
