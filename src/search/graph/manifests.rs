//! The packages that a repository offers: manifests and folders → packages.
//!
//! A manifest names its package. In languages without one, folders name it. Tests, examples and
//! vendored copies are not offered. A package that helps to test others (`backend-test`) is, and so
//! is a Go module of tests: other tests import it by its name, and an import of an unknown module
//! would belong to another repository. An unreadable manifest is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use super::{Ecosystem, Package};
use crate::search::segment::{Index, path_flags};

/// Maximum number of manifests read per repository, those nearest to the root first.
const MAX_MANIFESTS: usize = 1000;
/// Longest manifest that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Top-level modules of Python that no other repository imports.
const SCRIPTS: [&str; 7] = ["setup", "conftest", "noxfile", "tasks", "fabfile", "manage", "versioneer"];
/// Name of the scripts of a repository without a package at its root. No import has it.
const NO_NAME: &str = "scripts without a package";
/// Folders besides the root that hold a language's packages.
const PYTHON_ROOTS: [&str; 5] = ["src", "lib", "python", "py", "source"];

/// The packages of a repository, sorted. `origin` is its address, `text` reads a file of it.
pub fn packages(index: &Index<'_>, origin: &str, text: &dyn Fn(&BStr) -> Option<Arc<str>>) -> Vec<Package> {
    let mut paths: Vec<&BStr> = Vec::new();
    let mut python: Vec<&BStr> = Vec::new();
    let mut swift: BTreeSet<String> = BTreeSet::new();
    let (mut has_go, mut has_script) = (false, false);
    for file in index.files() {
        let flags = file.flags();
        let path = file.path();
        if flags.is_vendored() {
            continue;
        }
        if flags.is_test() || flags.is_example() {
            if is_go_module(path) || is_manifest(path) && is_test_support(path) {
                paths.push(path);
            }
            continue;
        }
        match file.language() {
            "python" => python.push(path),
            "swift" => swift.extend(swift_module(path)),
            "go" => has_go = true,
            "javascript" | "jsx" | "typescript" | "tsx" | "vue" | "svelte" | "astro" => has_script = true,
            _ => {}
        }
        if is_manifest(path) {
            paths.push(path);
        }
    }
    // A manifest without a language of its own may not be indexed.
    let skipped = index.skipped().map(|file| file.path).filter(|path| is_manifest(path));
    paths.extend(skipped);
    paths.sort_by_key(|path| (path.find_iter("/").count(), *path));
    paths.truncate(MAX_MANIFESTS);
    let roots: BTreeSet<&[u8]> = paths.iter().map(|path| folder(path)).collect();
    let mut found = python_packages(&python, &roots);
    for path in &paths {
        if let Some(text) = text(path).filter(|text| text.len() <= MAX_BYTES) {
            read(path, &text, &mut found);
        }
    }
    for folder in swift {
        let name = folder.rsplit('/').next().unwrap_or(&folder).to_owned();
        found.push(Package { ecosystem: Ecosystem::Swift, name, folder });
    }
    if has_go && !found.iter().any(|one| one.ecosystem == Ecosystem::Go) {
        let name = without_scheme(origin);
        found.push(Package { ecosystem: Ecosystem::Go, name, folder: String::new() });
    }
    found.retain(|one| !one.name.is_empty());
    // Scripts import each other by path, whether or not they are a package.
    let is_whole = |one: &Package| one.ecosystem == Ecosystem::Npm && one.folder.is_empty();
    if has_script && !found.iter().any(is_whole) {
        let (ecosystem, name) = (Ecosystem::Npm, NO_NAME.to_owned());
        found.push(Package { ecosystem, name, folder: String::new() });
    }
    found.sort();
    found.dedup();
    found
}

fn is_manifest(path: &BStr) -> bool {
    let name = path.rsplit_str("/").next().unwrap_or_default();
    let is_known = [
        "Cargo.toml",
        "DESCRIPTION",
        "go.mod",
        "package.json",
        "composer.json",
        "pubspec.yaml",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
    ]
    .iter()
    .any(|known| name == known.as_bytes());
    is_known || is_script_config(name) || name.ends_with(b".gemspec") || name.ends_with(b".csproj")
}

/// Returns whether a file configures TypeScript: `tsconfig.json`, `tsconfig.base.json`.
fn is_script_config(name: &[u8]) -> bool {
    (name.starts_with(b"tsconfig") || name == b"jsconfig.json") && name.ends_with(b".json")
}

fn is_go_module(path: &BStr) -> bool {
    path.rsplit_str("/").next() == Some(b"go.mod")
}

/// Returns whether a manifest is that of a package which helps to test others (`backend-test`), and
/// not part of a test.
fn is_test_support(path: &BStr) -> bool {
    let of = folder(path);
    let above = of.rfind_byte(b'/').map_or(0, |at| at + 1);
    let name = of.get(above..).unwrap_or_default();
    let beside = [of.get(..above).unwrap_or_default(), b"x"].concat();
    let around = path_flags(beside.as_bstr());
    name.contains_str("-") && !around.is_test() && !around.is_example()
}

fn folder(path: &BStr) -> &[u8] {
    path.rfind_byte(b'/').and_then(|at| path.get(..at)).unwrap_or_default()
}

/// The host and path of an address, as Go names modules.
fn without_scheme(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    // `git@host:owner/name`.
    let rest = if url.contains("://") { rest.to_owned() } else { rest.replacen(':', "/", 1) };
    rest.trim_end_matches('/').trim_end_matches(".git").to_owned()
}

/// What a manifest names.
fn read(path: &BStr, text: &str, found: &mut Vec<Package>) {
    let within = folder(path).to_str_lossy().into_owned();
    let file = path.rsplit_str("/").next().unwrap_or_default().to_str_lossy();
    let below = |name: &str| match (within.as_str(), name) {
        (_, "" | ".") => within.clone(),
        ("", name) => name.to_owned(),
        (within, name) => format!("{within}/{name}"),
    };
    let mut push = |ecosystem, name: &str, folder: String| {
        found.push(Package { ecosystem, name: name.to_owned(), folder });
    };
    match file.as_ref() {
        "Cargo.toml" => {
            for (section, name) in toml_names(text) {
                if section == "package" || section == "lib" {
                    push(Ecosystem::Cargo, name, within.clone());
                }
            }
        }
        "DESCRIPTION" => {
            let name = text.lines().find_map(|line| line.strip_prefix("Package:")).unwrap_or_default();
            push(Ecosystem::Cran, name.trim(), below("R"));
        }
        "go.mod" => {
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "));
            let name = module.and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
            push(Ecosystem::Go, name.trim_matches(['"', '`']), within.clone());
        }
        "package.json" => {
            let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            push(Ecosystem::Npm, json["name"].as_str().unwrap_or_default(), within.clone());
            for (name, target) in json["imports"].as_object().into_iter().flatten() {
                if let Some((name, folder)) = first_path(target).and_then(|target| module_path(name, target))
                {
                    push(Ecosystem::Npm, name, below(&folder));
                }
            }
        }
        name if is_script_config(name.as_bytes()) => {
            let json: serde_json::Value = serde_json::from_str(&without_comments(text)).unwrap_or_default();
            let options = &json["compilerOptions"];
            let base = options["baseUrl"].as_str().unwrap_or_default().trim_start_matches("./");
            for (name, targets) in options["paths"].as_object().into_iter().flatten() {
                // An alias of everything below a folder is found by its path.
                let target = first_path(&targets[0]).filter(|_| !name.contains('*'));
                if let Some((name, folder)) = target.and_then(|target| module_path(name, target)) {
                    let base = base.trim_end_matches('/');
                    let folder = if base.is_empty() { folder } else { format!("{base}/{folder}") };
                    push(Ecosystem::Npm, name, below(&folder));
                }
            }
        }
        "composer.json" => {
            let json: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
            for (namespace, folders) in json["autoload"]["psr-4"].as_object().into_iter().flatten() {
                let folders = match folders {
                    serde_json::Value::Array(all) => all.iter().filter_map(|one| one.as_str()).collect(),
                    one => vec![one.as_str().unwrap_or_default()],
                };
                for folder in folders {
                    push(Ecosystem::Composer, namespace, below(folder.trim_end_matches('/')));
                }
            }
        }
        "pubspec.yaml" => {
            let name = text.lines().find_map(|line| line.strip_prefix("name:")).unwrap_or_default();
            push(Ecosystem::Pub, name.trim().trim_matches(['"', '\'']), below("lib"));
        }
        file => {
            if let Some(name) = file.strip_suffix(".gemspec") {
                push(Ecosystem::Gem, name, below("lib"));
            } else if let Some(name) = file.strip_suffix(".csproj") {
                let root = text.split_once("<RootNamespace>").and_then(|(_, rest)| rest.split_once('<'));
                push(Ecosystem::DotNet, root.map_or(name, |(root, _)| root.trim()), within.clone());
            }
        }
    }
}

/// Returns the path of a target in a manifest of npm, the first of several conditions.
fn first_path(target: &serde_json::Value) -> Option<&str> {
    match target {
        serde_json::Value::String(path) => Some(path),
        serde_json::Value::Object(conditions) => conditions.values().find_map(first_path),
        _ => None,
    }
}

/// Returns the name of a module that a manifest of npm gives to a path, and the folder of its
/// sources, or its file: `#hash/*` and `./src/hash/*.js`. `None` if it is in no folder of this
/// package.
fn module_path<'n>(name: &'n str, target: &str) -> Option<(&'n str, String)> {
    let target = target.strip_prefix("./").unwrap_or(target);
    if target.starts_with(['.', '/']) || target.contains("node_modules") {
        return None;
    }
    if let Some((name, _)) = name.split_once("/*") {
        return target.split_once("/*").map(|(folder, _)| (name, folder.to_owned()));
    }
    let (folder, file) = target.rsplit_once('/').unwrap_or(("", target));
    // Without its ending: a script that is built has another one in the sources.
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    match stem {
        _ if name.contains('*') => None,
        "index" => Some((name, folder.to_owned())),
        _ if folder.is_empty() => Some((name, stem.to_owned())),
        _ => Some((name, format!("{folder}/{stem}"))),
    }
}

/// Returns JSON without comments and commas at the end of a list, which the files of TypeScript may
/// have.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '"' => {
                let mut is_escaped = false;
                let end = rest.char_indices().skip(1).find(|(_, c)| {
                    let is_end = *c == '"' && !is_escaped;
                    is_escaped = *c == '\\' && !is_escaped;
                    is_end
                });
                let end = end.map_or(rest.len(), |(at, _)| at + 1);
                out.push_str(rest.get(..end).unwrap_or_default());
                end
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '}' | ']' => {
                let end = out.trim_end().trim_end_matches(',').len();
                out.truncate(end);
                out.push(c);
                1
            }
            c => {
                out.push(c);
                c.len_utf8()
            }
        };
        rest = rest.get(skipped..).unwrap_or_default();
    }
    out
}

/// The values of `name` in a manifest's sections.
fn toml_names(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut section = "";
    text.lines().filter_map(move |line| {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            section = rest.split(']').next().unwrap_or_default().trim();
            return None;
        }
        let value = line.strip_prefix("name")?.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        Some((section, value.get(1..)?.split(quote).next()?))
    })
}

/// The folder of a Swift module: `Sources/NIOCore`.
fn swift_module(path: &BStr) -> Option<String> {
    let path = path.to_str().ok()?;
    let segments: Vec<&str> = path.split('/').collect();
    let at = segments.iter().position(|one| matches!(*one, "Sources" | "Source"))?;
    // A file directly there belongs to the only module, whose name is unknown.
    (segments.len() > at + 2).then(|| segments.get(..=at + 1).unwrap_or_default().join("/"))
}

/// Top-level packages: the outermost folders with `__init__.py`, at the root or in source folders;
/// and modules there.
fn python_packages(paths: &[&BStr], roots: &BTreeSet<&[u8]>) -> Vec<Package> {
    let is_init = |path: &&&BStr| path.ends_with(b"/__init__.py");
    let inner: BTreeSet<&[u8]> = paths.iter().filter(is_init).map(|path| folder(path)).collect();
    let is_root = |folder: &[u8]| {
        let name = folder.rsplit_str("/").next().unwrap_or_default();
        folder.is_empty() || roots.contains(folder) || PYTHON_ROOTS.iter().any(|root| name == root.as_bytes())
    };
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |place: &[u8], name: &[u8]| {
        let (place, name) = (place.to_str_lossy().into_owned(), name.to_str_lossy().into_owned());
        if !SCRIPTS.contains(&name.as_str()) && !name.starts_with("__") {
            found.insert(place, name);
        }
    };
    for &place in &inner {
        let around = folder(BStr::new(place));
        if !inner.contains(around) && is_root(around) {
            add(place, place.rsplit_str("/").next().unwrap_or_default());
        }
    }
    for path in paths {
        let around = folder(path);
        if is_root(around) && !inner.contains(around) {
            let name = path.rsplit_str("/").next().unwrap_or_default();
            add(path, name.strip_suffix(b".py").unwrap_or_default());
        }
    }
    let packages = found.into_iter().filter(|(_, name)| !name.is_empty());
    packages.map(|(folder, name)| Package { ecosystem: Ecosystem::Python, name, folder }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(path: &str, text: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        read(path.into(), text, &mut found);
        found.into_iter().map(|one| (one.name, one.folder)).collect()
    }

    fn pair(name: &str, folder: &str) -> (String, String) {
        (name.to_owned(), folder.to_owned())
    }

    #[test]
    fn manifests_say_what_a_package_is_called() {
        let cargo = "[package]\nname = \"serde-json\"\n[lib]\nname='sj'\n[[bin]]\nname = \"x\"\n[dependencies]\nname = \"y\"\n";
        assert_eq!(named("a/Cargo.toml", cargo), [pair("serde-json", "a"), pair("sj", "a")]);
        assert_eq!(
            named("go.mod", "// x\nmodule go.etcd.io/bbolt // y\n\ngo 1.2\n"),
            [pair("go.etcd.io/bbolt", "")]
        );
        assert_eq!(named("p/package.json", "{\"name\": \"@org/x\"}"), [pair("@org/x", "p")]);
        assert_eq!(named("package.json", "{{"), [pair("", "")]);
        let imports = r##"{"imports": {"#a": "./src/a.js", "#b/*": {"node": "./src/b/*.js"}, "#c": "c", "#d": "./d/index.js"}}"##;
        let expected = [
            pair("", "p"),
            pair("#a", "p/src/a"),
            pair("#b", "p/src/b"),
            pair("#c", "p/c"),
            pair("#d", "p/d"),
        ];
        assert_eq!(named("p/package.json", imports), expected);
        let config = "{\n  // paths\n  \"compilerOptions\": {\"baseUrl\": \"./packages\", \"paths\": {\n    \
                      \"@x/shared\": [\"shared/src/index.ts\"], /* \"@x/a\" */ \"@x/*\": [\"*/src\"], \"@/b\": [\"b/b.ts\"],\n  }}\n}\n";
        let expected = [pair("@/b", "packages/b/b"), pair("@x/shared", "packages/shared/src")];
        assert_eq!(named("tsconfig.base.json", config), expected);
        let composer = r#"{"autoload": {"psr-4": {"Twig\\": "src/", "Twig\\A\\": ["a", ""]}}}"#;
        assert_eq!(
            named("composer.json", composer),
            [pair("Twig\\", "src"), pair("Twig\\A\\", "a"), pair("Twig\\A\\", "")]
        );
        assert_eq!(named("dio/pubspec.yaml", "name: dio\nversion: 1\n"), [pair("dio", "dio/lib")]);
        let description = "Type: Package\nPackage: data.table\nVersion: 1\n";
        assert_eq!(named("r/DESCRIPTION", description), [pair("data.table", "r/R")]);
        assert_eq!(named("faraday.gemspec", ""), [pair("faraday", "lib")]);
        assert_eq!(named("src/A.B/A.B.csproj", "<Project/>"), [pair("A.B", "src/A.B")]);
        let csproj = "<Project><RootNamespace>N.J</RootNamespace></Project>";
        assert_eq!(named("src/A.B/A.B.csproj", csproj), [pair("N.J", "src/A.B")]);
    }

    #[test]
    fn packages_that_help_to_test_are_packages() {
        for (path, is_support) in [
            ("packages/backend-test/package.json", true),
            ("shop-testing/Cargo.toml", true),
            ("test/package.json", false),
            ("tests/fixtures/shop-test/package.json", false),
            ("examples/shop-test/package.json", false),
        ] {
            assert_eq!(is_test_support(path.into()), is_support, "{path}");
        }
    }

    #[test]
    fn folders_say_what_python_imports() {
        let paths: Vec<&BStr> = [
            "src/flask/__init__.py",
            "src/flask/json/__init__.py",
            "six.py",
            "setup.py",
            "tools/x/__init__.py",
            "pkg/a/__init__.py",
            "src/one.py",
        ]
        .into_iter()
        .map(BStr::new)
        .collect();
        let found = python_packages(&paths, &BTreeSet::from([b"pkg".as_slice()]));
        let found: Vec<_> = found.into_iter().map(|one| (one.name, one.folder)).collect();
        let expected = [
            pair("a", "pkg/a"),
            pair("six", "six.py"),
            pair("flask", "src/flask"),
            pair("one", "src/one.py"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn addresses_and_folders_name_modules() {
        assert_eq!(without_scheme("https://github.com/a/b.git"), "github.com/a/b");
        assert_eq!(without_scheme("git@github.com:a/b.git"), "github.com/a/b");
        assert_eq!(without_scheme("ssh://git@github.com/a/b"), "github.com/a/b");
        assert_eq!(swift_module("Sources/NIOCore/a/B.swift".into()).as_deref(), Some("Sources/NIOCore"));
        assert_eq!(swift_module("Sources/B.swift".into()), None);
    }
}
