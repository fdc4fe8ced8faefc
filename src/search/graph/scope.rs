//! The scope of a file: its imports and its location.
//!
//! Owns [`Scope`] and [`Import`]. Input: a file of the index. Output: its language family, its
//! path, and what its imports bind. Names are only read here; `resolve` looks them up.

use std::cell::OnceCell;

use bstr::{BStr, ByteSlice};

use crate::index::chunk::{
    EXPORT_ALIAS, LOCAL_ALIAS, NAMESPACE_WORDS, OPENED_ALIAS, QUOTED_ALIAS, ReferenceKind,
};
use crate::search::segment::FileView;

use super::family::{ELIXIR, Family, PROTOBUF};
use super::module::{Module, is_major_version, without_extension};
use super::resolve::pick;
use super::{Candidate, Graph, Result, is_function};

/// The name under which a script exports what others import without braces.
pub(super) const DEFAULT_EXPORT: &str = "default";
/// Most imports of a file that count; a file with more is generated.
const MAX_IMPORTS: usize = 4000;

/// Files of Razor whose imports count for all files of their folder and those below.
const SHARED_IMPORTS: [&[u8]; 2] = [b"_Imports.razor", b"_ViewImports.cshtml"];

/// The imports and the location of a file.
#[derive(Debug)]
pub(super) struct Scope<'s> {
    pub(super) family: Family<'s>,
    pub(super) path: &'s BStr,
    pub(super) imports: Vec<Import<'s>>,
    /// Whether some of them count in one function only.
    pub(super) has_local_imports: bool,
    /// The libraries whose names a library of Dart hands on, and what a module of Elixir imports
    /// for those that use it.
    pub(super) exports: Vec<Import<'s>>,
    /// The namespace that the file declares for all of its names, where a record says so.
    pub(super) namespace: Option<Module>,
    /// The namespaces of C++ whose names the file uses without them, as they are written.
    pub(super) opened: Vec<&'s str>,
}

/// An import of a name, or of all names of a module.
#[derive(Debug)]
pub(super) struct Import<'s> {
    /// Name in the importing file; empty if the import brings in all names.
    pub(super) local: &'s str,
    /// Name at the declaration.
    pub(super) name: &'s str,
    /// The module of the declaration, as it is written.
    pub(super) written: &'s str,
    /// Whether it certainly names the module itself, and nothing in it: `import * as a from "./a"`.
    pub(super) is_namespace: bool,
    /// The chunk that has it, an ordinal in the segment of its file.
    pub(super) chunk: u32,
    /// The function that the chunk is, or is a part of: the import counts there only.
    pub(super) function: Option<u32>,
    family: Family<'s>,
    /// Path of the importing file.
    importer: &'s BStr,
    /// The module, parsed when it is first asked for: most imports of a file never are.
    parsed: OnceCell<Module>,
}

impl<'s> Import<'s> {
    /// Returns an import of `name` from the module that is `written` in the file at `importer`.
    pub(super) fn new(
        family: Family<'s>,
        importer: &'s BStr,
        local: &'s str,
        name: &'s str,
        written: &'s str,
    ) -> Self {
        let (is_namespace, chunk, function) = (false, 0, None);
        Self {
            local,
            name,
            written,
            is_namespace,
            chunk,
            function,
            family,
            importer,
            parsed: OnceCell::new(),
        }
    }

    /// Returns the module of the declaration.
    pub(super) fn module(&self) -> &Module {
        self.parsed.get_or_init(|| Module::parse(self.family, self.importer, self.written))
    }

    /// Returns whether it names a whole module, and not something in it. A script names its file,
    /// which may stand for a folder: `import * as core from "../core/index.js"`.
    pub(super) fn is_module(&self, family: Family<'_>) -> bool {
        let name = if family.imports_files() { without_extension(self.name) } else { self.name };
        let is_file = || self.written.trim_matches(['"', '\'']).rsplit('/').next() == Some(self.name);
        self.module().ends_with(name) || family == Family::Script && name == "index" && is_file()
    }
}

impl<'s> Scope<'s> {
    /// Reads the scope of a file.
    pub(super) fn of(file: &FileView<'s>) -> Result<Self> {
        let family = Family::of(file.language());
        let path = file.path();
        let mut imports = Vec::new();
        let mut namespaces: Vec<&'s str> = Vec::new();
        let mut exports = Vec::new();
        let mut opened = Vec::new();
        for chunk in file.segment.chunks_of(file.ord) {
            let function = function_of(file, chunk);
            for mention in file.segment.imports(chunk)? {
                if imports.len() >= MAX_IMPORTS {
                    break;
                }
                if mention.name == "*" && NAMESPACE_WORDS.contains(&mention.alias) {
                    // The files of a package of protobuf see only those that they import.
                    if family != PROTOBUF {
                        namespaces.push(mention.qualifier);
                    }
                    continue;
                }
                if mention.alias == OPENED_ALIAS && family == Family::C {
                    opened.push(mention.qualifier);
                    continue;
                }
                if mention.alias == EXPORT_ALIAS && family == Family::Dart {
                    exports.push(Import::new(family, path, "", mention.name, mention.qualifier));
                    continue;
                }
                let brings_all_of_module = mention.name == "*";
                if mention.alias == QUOTED_ALIAS && family == ELIXIR {
                    let local = if brings_all_of_module { "" } else { mention.name };
                    exports.push(Import::new(family, path, local, mention.name, mention.qualifier));
                    continue;
                }
                // A prefix of Dart, and another name for a type or a namespace of C#.
                let has_prefix = matches!(family, Family::CSharp | Family::Dart) && !mention.alias.is_empty();
                let is_included = family.includes(mention.name);
                let brings_all = brings_all_of_module || family.imports_all() && !has_prefix || is_included;
                let module = if mention.qualifier.is_empty() { mention.name } else { mention.qualifier };
                // The members of a companion object are those of its class.
                let module = if family == Family::Jvm { without_companion(module) } else { module };
                let local = match mention.alias {
                    "" if family == Family::Go => go_package(module),
                    "" => mention.name,
                    alias => alias,
                };
                let local = if brings_all { "" } else { local };
                let is_namespace = mention.is_namespace_import();
                // What looks like a version may be the name of the package.
                if family == Family::Go
                    && mention.alias.is_empty()
                    && let Some(last) = module.rsplit('/').next().filter(|last| is_major_version(last))
                {
                    imports.push(Import::new(family, path, last, mention.name, module));
                }
                let import = Import::new(family, path, local, mention.name, module);
                imports.push(Import { is_namespace, chunk, function, ..import });
            }
        }
        namespaces.dedup();
        // Of a file with several, nobody knows here which of them a name is in.
        let namespace = match namespaces.as_slice() {
            [one] => Some(Module::parse(family, path, one)),
            _ => None,
        };
        let has_local_imports = imports.iter().any(|import| import.function.is_some());
        Ok(Self { family, path, imports, has_local_imports, exports, namespace, opened })
    }

    /// Returns the scope of a string or script in another language.
    pub(super) fn embedded(file: &FileView<'s>, language: &'static str) -> Self {
        let (family, path) = (Family::of(language), file.path());
        let (imports, exports, opened) = (Vec::new(), Vec::new(), Vec::new());
        Self { family, path, imports, has_local_imports: false, exports, namespace: None, opened }
    }

    /// Returns the folder of the file.
    pub(super) fn folder(&self) -> &'s [u8] {
        folder(self.path)
    }

    /// Returns the candidates of the file's own package, which it sees without an import.
    ///
    /// These are in its folder. If none are, a JVM language also looks in the same package below
    /// another source folder.
    pub(super) fn of_package<'g>(&self, all: &[&'g Candidate<'s>]) -> Vec<&'g Candidate<'s>> {
        // By PSR-4, a namespace of PHP is a folder.
        if !self.family.has_packages() && self.family != Family::Php {
            return Vec::new();
        }
        let beside = pick(all, |one| folder(one.file.path()) == self.folder());
        match jvm_package(self.path).filter(|_| self.family == Family::Jvm && beside.is_empty()) {
            Some(package) => pick(all, |one| jvm_package(one.file.path()) == Some(package)),
            None => beside,
        }
    }
}

/// A name that a script declares or imports, and exports under another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExportedName<'s> {
    /// The name for other files.
    pub(super) exported: &'s str,
    /// The name in this file.
    pub(super) own: &'s str,
}

impl<'s> Graph<'_, 's> {
    /// Adds the imports that a file of Razor has from the files for its folder and those around it.
    pub(super) fn add_shared_imports(&self, scope: &mut Scope<'s>) -> Result<()> {
        let mut within = Some(scope.folder());
        while let Some(of) = within.filter(|_| scope.imports.len() < MAX_IMPORTS) {
            for name in SHARED_IMPORTS {
                let path = if of.is_empty() { name.into() } else { [of, b"/", name].concat() };
                if path == **scope.path {
                    continue;
                }
                if let Some(file) = self.index.file_by_path(BStr::new(&path)) {
                    scope.imports.append(&mut Scope::of(&file)?.imports);
                }
            }
            within = (!of.is_empty()).then(|| folder(BStr::new(of)));
        }
        Ok(())
    }

    /// Returns what a script exports under other names (`export { a as b }`).
    pub(super) fn exports(&self, file: &FileView<'s>) -> Result<&[ExportedName<'s>]> {
        let key = (file.part, file.ord);
        if let Some(known) = self.exports.get(&key) {
            return Ok(known);
        }
        let mut found = Vec::new();
        for chunk in file.segment.chunks_of(file.ord) {
            for one in file.segment.mentions(chunk)? {
                let is_other = !matches!(one.alias, "" | LOCAL_ALIAS);
                if one.kind == ReferenceKind::Use && one.qualifier.is_empty() && is_other {
                    found.push(ExportedName { exported: one.alias, own: one.name });
                }
            }
        }
        let component = file.component();
        found.extend(component.map(|(_, own)| ExportedName { exported: DEFAULT_EXPORT, own }));
        Ok(self.exports.insert(key, found.into()))
    }
}

/// Returns the function that a chunk is, or is a part of.
pub(super) fn function_of(file: &FileView<'_>, chunk: u32) -> Option<u32> {
    let row = file.segment.chunk(chunk)?;
    let of = file.segment.declaration(row.declaration?)?;
    row.declaration.filter(|_| is_function(of.kind) && row.span.bytes.end <= of.span.bytes.end)
}

/// Returns the path of a class of Kotlin without that of its companion object.
pub fn without_companion(path: &str) -> &str {
    path.strip_suffix(".Companion").unwrap_or(path)
}

/// Returns the customary name of a Go package with this import path. Versions, and parts that only
/// say "Go", are left out (<https://go.dev/ref/mod#major-version-suffixes>).
pub(super) fn go_package(path: &str) -> &str {
    let mut segments = path.rsplit('/');
    let mut last = segments.next().unwrap_or(path);
    if is_major_version(last) {
        last = segments.next().unwrap_or(last);
    }
    if let Some((name, version)) = last.rsplit_once('.')
        && (is_major_version(version) || version == "go")
    {
        last = name;
    }
    last.strip_prefix("go-").or_else(|| last.strip_suffix("-go")).unwrap_or(last)
}

/// Returns the folder of a path.
pub(super) fn folder(path: &BStr) -> &[u8] {
    path.iter().rposition(|&byte| byte == b'/').and_then(|at| path.get(..at)).unwrap_or_default()
}

/// Returns the package that a path of a JVM language spells: the folders below the source folder.
///
/// It is the same for every source set and module: `src/main/java/org/shop` and
/// `src/test/java/org/shop` are one package. `None` if the path has no such source folder.
pub(super) fn jvm_package(path: &BStr) -> Option<&[u8]> {
    let folder = folder(path);
    let mut at = 0;
    for one in folder.split_str("/") {
        at += one.len() + 1;
        // The first such folder is the root, because `org/scala/…` is a package, too.
        if matches!(one, b"java" | b"kotlin" | b"scala" | b"groovy") {
            return Some(folder.get(at..).unwrap_or_default());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{go_package, jvm_package};

    #[test]
    fn packages_begin_below_the_folder_of_sources() {
        for (path, package) in [
            ("core/src/main/java/org/shop/A.java", Some("org/shop")),
            ("src/test/scala/A.scala", Some("")),
            ("org/shop/A.java", None),
            ("src/main/scala/org/scala/util/A.scala", Some("org/scala/util")),
        ] {
            assert_eq!(jvm_package(path.into()), package.map(str::as_bytes), "{path}");
        }
    }

    #[test]
    fn go_packages_are_called_by_the_last_word_of_their_path() {
        for (path, name) in [
            ("fmt", "fmt"),
            ("go.uber.org/zap", "zap"),
            ("go.etcd.io/etcd/client/v3", "client"),
            ("gopkg.in/yaml.v3", "yaml"),
            ("github.com/mattn/go-isatty", "isatty"),
            ("github.com/nats-io/nats.go", "nats"),
        ] {
            assert_eq!(go_package(path), name, "{path}");
        }
    }
}
