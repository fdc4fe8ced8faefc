//! Decides whether a file is the module that an import names, by comparing paths segment by
//! segment.
//!
//! Owns [`Module`] and [`Fit`]. Comparison goes from the end, in lower case, with `-` as `_`. No
//! manifest is read: a path that ends like the module's name is good enough, and [`Fit`] says how
//! good.

use bstr::{BStr, ByteSlice};

use super::family::Family;

/// Stems of the files that stand for their folder.
pub(super) const FOLDER_FILES: [&str; 5] = ["__init__", "index", "mod", "lib", "package"];

/// A module as an import names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Module {
    /// Whether it starts at the importing file's folder; otherwise it can be anywhere.
    is_relative: bool,
    /// Whether its whole name is a path to its files; otherwise it begins with a host, a company or
    /// a project.
    is_exact: bool,
    /// Its path, lower case, with `-` as `_`. A relative module's path starts at the root of the
    /// repository.
    segments: Vec<String>,
    /// Folder that must contain the files of a Rust crate's own module; empty for any.
    within: Vec<String>,
    /// Whether it is a single file, possibly the one that stands for a folder, and not all files of
    /// a folder.
    is_file: bool,
    /// In Ruby, the folder of the importing file, if the module is looked for on the load path.
    loaded_from: Option<Vec<String>>,
    /// Whether files declare its full name. Then no segment says where sources are stored.
    is_declared: bool,
    /// The library that a URI of Dart names.
    library: Option<Library>,
    /// The name of the header, as an `#include` of C writes it without its folders.
    header: Option<String>,
}

/// A library of Dart: a file, by the URI that imports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Library {
    /// The package that has it; empty if it is named by its place.
    pub(super) package: String,
    /// Its path: from the root of the repository, or in the package's folder of sources.
    pub(super) path: String,
}

impl Library {
    /// Reads a URI in the file at `importer`. It starts at the folder of that file.
    fn parse(importer: &BStr, uri: &str) -> Option<Self> {
        if let Some(rest) = uri.strip_prefix("package:") {
            let (package, path) = rest.split_once('/')?;
            return Some(Self { package: package.to_owned(), path: path.to_owned() });
        }
        let importer = importer.to_str_lossy();
        let mut path: Vec<&str> = importer.split('/').collect();
        path.pop();
        for segment in uri.split('/') {
            match segment {
                ".." => drop(path.pop()),
                "" | "." => {}
                name => path.push(name),
            }
        }
        Some(Self { package: String::new(), path: path.join("/") })
    }
}

/// How well a file fits a module, worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The last `n` segments of the module are the file's.
    Partly(usize),
    /// The file is somewhere below the module's folder.
    Below,
    /// The file is in the module's folder, of which only one file is the module.
    Within,
    /// All segments of the module are those of the file or of its folder.
    Fully,
    /// The file itself says that its names belong to the module.
    Declared,
}

impl Module {
    /// Parses a module's name, as written in the file at `importer`.
    pub(super) fn parse(family: Family<'_>, importer: &BStr, module: &str) -> Self {
        let folder = || {
            let mut segments = segments_of(importer);
            segments.pop();
            segments
        };
        let mut rest = module.trim_matches(['"', '\'', '<', '>']);
        let mut base: Option<Vec<String>> = None;
        let mut within = Vec::new();
        match family {
            Family::Python if rest.starts_with('.') => {
                let dots = rest.len() - rest.trim_start_matches('.').len();
                let mut from = folder();
                from.truncate(from.len().saturating_sub(dots - 1));
                base = Some(from);
                rest = rest.trim_start_matches('.');
            }
            Family::Rust => {
                let mut own = plain(segments_of(importer));
                while let Some(after) = ["crate", "self", "super"]
                    .into_iter()
                    .find_map(|word| Some((word, rest.strip_prefix(word)?)))
                    .filter(|(_, after)| after.is_empty() || after.starts_with("::"))
                {
                    match after.0 {
                        "super" => {
                            own.pop();
                            base = Some(own.clone());
                        }
                        "self" => base = Some(own.clone()),
                        _ => within = crate_folder(importer),
                    }
                    rest = after.1.trim_start_matches("::");
                }
            }
            Family::Other("gdscript") => rest = rest.strip_prefix("res://").unwrap_or(rest),
            // A file is named from the folder of the importing one.
            Family::Other("zig") if rest.ends_with(".zig") && !rest.starts_with('.') => base = Some(folder()),
            _ if rest.starts_with("./") || rest.starts_with("../") => {
                let mut from = folder();
                loop {
                    if let Some(after) = rest.strip_prefix("./") {
                        rest = after;
                    } else if let Some(after) = rest.strip_prefix("../") {
                        from.pop();
                        rest = after;
                    } else {
                        break;
                    }
                }
                base = Some(from);
            }
            _ => {}
        }
        let is_separator = |c: char| match c {
            '/' | '\\' | ':' => true,
            '.' => family.has_dotted_modules(),
            _ => false,
        };
        let rest = if family.has_dotted_modules() { rest } else { without_extension(rest) };
        let own = rest.split(is_separator).filter(|one| !matches!(*one, "" | "." | "@" | "~" | "*"));
        let is_relative = base.is_some();
        let mut segments = base.unwrap_or_default();
        segments.extend(own.map(|one| normal(one.trim_start_matches('@'))));
        let is_file = matches!(family, Family::Python | Family::Script);
        let is_exact = !family.has_prefixed_modules();
        let name = || module.trim_matches(['"', '\'', '<', '>', ' ']).rsplit('/').next().map(str::to_owned);
        let header = if family == Family::C { name() } else { None };
        let loaded_from = (family == Family::Ruby && !is_relative).then(folder);
        let is_declared = family.declares_modules();
        let segments = if header.is_some() || is_declared { segments } else { plain(segments) };
        let uri = module.trim_matches(['"', '\'']);
        let library = (family == Family::Dart).then(|| Library::parse(importer, uri)).flatten();
        Self { is_relative, is_exact, is_file, segments, within, loaded_from, is_declared, library, header }
    }

    /// Returns the module `name` inside this one.
    pub(super) fn join(&self, name: &str) -> Self {
        let mut segments = self.segments.clone();
        segments.extend(name.split(['.', ':', '/', '\\']).filter(|one| !one.is_empty()).map(normal));
        let segments = if self.is_declared { segments } else { plain(segments) };
        Self { segments, ..self.clone() }
    }

    /// Returns whether the last segment is this name.
    pub(super) fn ends_with(&self, name: &str) -> bool {
        self.segments.last().is_some_and(|last| *last == normal(name))
    }

    /// Returns the library that it is, in Dart.
    pub(super) fn library(&self) -> Option<&Library> {
        self.library.as_ref()
    }

    /// Returns whether its full name is this, ignoring case.
    pub(super) fn is_named(&self, name: &str) -> bool {
        let names = name.split(['.', ':']).filter(|one| !one.is_empty());
        !self.is_relative && names.map(normal).eq(self.segments.iter().map(String::as_str))
    }

    /// Returns whether it starts at the importing file's folder.
    pub(super) fn is_relative(&self) -> bool {
        self.is_relative
    }

    /// Returns the folder in which an absolute module begins that a file is; `None` if the file's
    /// path does not end like the module.
    pub(super) fn root<'p>(&self, path: &'p BStr) -> Option<&'p str> {
        if self.is_relative {
            return None;
        }
        let path = path.to_str().ok()?;
        let mut rest = without_extension(path);
        rest = rest.strip_suffix("/__init__").unwrap_or(rest);
        // A name of the module may be that of a declaration's file, or of its folder.
        if !rest.rsplit('/').map(normal).zip(self.segments.iter().rev()).all(|(own, wanted)| own == *wanted) {
            rest = rest.rsplit_once('/')?.0;
        }
        for wanted in self.segments.iter().rev() {
            let (before, name) = rest.rsplit_once('/').unwrap_or(("", rest));
            if normal(name) != *wanted {
                return None;
            }
            rest = before;
        }
        Some(rest)
    }

    /// Returns the name of the header that an `#include` of C names, without its folders.
    pub(super) fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// Returns whether no module is named.
    pub(super) fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Returns whether this is the same module as another one, wherever their files are.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        !self.is_relative && !other.is_relative && self.segments == other.segments
    }

    /// Returns how well a file fits; `None` if it does not.
    pub(super) fn fit(&self, path: &BStr) -> Option<Fit> {
        if self.header.is_some() {
            return self.fit_header(&segments_of(path));
        }
        let own = plain(segments_of(path));
        if !own.starts_with(&self.within) {
            return None;
        }
        let folder = own.split_last().map_or(&[][..], |(_, folder)| folder);
        if self.is_relative {
            if own == self.segments {
                return Some(Fit::Fully);
            }
            if folder == self.segments {
                return Some(if self.is_file { Fit::Within } else { Fit::Fully });
            }
            return own.starts_with(&self.segments).then_some(Fit::Below);
        }
        let same = |of: &[String]| {
            of.iter().rev().zip(self.segments.iter().rev()).take_while(|(a, b)| a == b).count()
        };
        let most = same(&own).max(same(folder));
        if most == self.segments.len() && most > 0 {
            let whole = if same(&own) == most { &own[..] } else { folder };
            let before = whole.get(..whole.len() - most).unwrap_or_default();
            if self.loaded_from.as_ref().is_some_and(|from| !is_on_load_path(before, from)) {
                return None;
            }
            let is_within = self.is_file && same(&own) < most;
            return Some(if is_within { Fit::Within } else { Fit::Fully });
        }
        // The repository may itself be a folder of the module. Then the file's whole path is part
        // of the module's name.
        let is_inside = same(&own) == own.len() || same(folder) == folder.len();
        // A major version alone, as in `github.com/a/b/v3`, names nothing.
        let is_named = self.segments.iter().rev().take(most).any(|one| !is_major_version(one));
        if is_named && (is_inside || !self.is_exact) {
            return Some(Fit::Partly(most));
        }
        let is_below =
            self.segments.len() > 1 && own.windows(self.segments.len()).any(|run| run == self.segments);
        is_below.then_some(Fit::Below)
    }
}

/// Returns whether Ruby looks for files in a folder when a file in `from` requires one by name. It
/// does in the root, in each `lib`, in what Rails loads, and for tests in their own folder.
fn is_on_load_path(folder: &[String], from: &[String]) -> bool {
    match folder {
        [] => true,
        [.., last] if last == "lib" || last == "ext" => true,
        [.., app, _] if app == "app" => true,
        [.., last] => matches!(last.as_str(), "test" | "spec" | "features") && from.starts_with(folder),
    }
}

impl Module {
    /// Returns how well a file fits a header: as the header itself, or as the source beside it. A
    /// folder of the header's name is something else.
    fn fit_header(&self, own: &[String]) -> Option<Fit> {
        if self.is_relative {
            return (own == self.segments).then_some(Fit::Fully);
        }
        let same = own.iter().rev().zip(self.segments.iter().rev()).take_while(|(a, b)| a == b).count();
        match same {
            0 => None,
            _ if same == self.segments.len() => Some(Fit::Fully),
            // The repository may itself be a folder of the header's path.
            _ if same == own.len() => Some(Fit::Partly(same)),
            _ => None,
        }
    }
}

/// Returns whether a segment is a major version, as in paths of Go modules: `v2`, `v3`.
pub(super) fn is_major_version(segment: &str) -> bool {
    segment.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the folder of a file's Rust crate, as far as the path shows it: the one that contains
/// `src`.
fn crate_folder(path: &BStr) -> Vec<String> {
    let mut segments = segments_of(path);
    let src = segments.iter().rposition(|one| one == "src");
    segments.truncate(src.unwrap_or(0));
    plain(segments)
}

/// Returns the form in which segments are compared.
pub(super) fn normal(segment: &str) -> String {
    segment.to_lowercase().replace('-', "_")
}

/// Returns the segments of a path, the last one without its extension.
fn segments_of(path: &BStr) -> Vec<String> {
    let path = path.to_str_lossy();
    without_extension(&path).split('/').map(normal).collect()
}

pub(super) fn without_extension(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    match path.get(name..).and_then(|name| name.find('.')) {
        Some(at) if at > 0 => path.get(..name + at).unwrap_or(path),
        _ => path,
    }
}

/// Removes what only says where sources are stored: `src`, and the file that stands for its folder.
pub(super) fn plain(mut segments: Vec<String>) -> Vec<String> {
    if segments.len() > 1 && segments.last().is_some_and(|last| FOLDER_FILES.contains(&last.as_str())) {
        segments.pop();
    }
    segments.retain(|one| one != "src");
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(family: Family<'_>, importer: &str, module: &str, path: &str) -> Option<Fit> {
        Module::parse(family, importer.into(), module).fit(path.into())
    }

    #[test]
    fn a_required_file_is_on_the_load_path() {
        for (importer, module, path, expected) in [
            ("lib/shop/a.rb", "logger", "test/logger.rb", None),
            ("lib/shop/a.rb", "logger", "bin/tools/logger.rb", None),
            ("lib/shop/a.rb", "shop/logger", "lib/shop/logger.rb", Some(Fit::Fully)),
            ("lib/shop/a.rb", "shop", "shop.rb", Some(Fit::Fully)),
            ("web/a.rb", "shop/logger", "gems/shop/lib/shop/logger.rb", Some(Fit::Fully)),
            ("test/unit/a_test.rb", "test_helper", "test/test_helper.rb", Some(Fit::Fully)),
            ("lib/shop/a.rb", "user", "app/models/user.rb", Some(Fit::Fully)),
            ("test/a.rb", "./logger", "test/logger.rb", Some(Fit::Fully)),
            ("test/a.rb", "../lib/logger", "test/logger.rb", None),
        ] {
            assert_eq!(fit(Family::Ruby, importer, module, path), expected, "{module} in {path}");
        }
    }

    #[test]
    fn modules_are_found_where_each_language_looks() {
        use Family::{C, Go, Jvm, Python, Rust, Script};
        for (family, importer, module, path) in [
            (Python, "scrapy/core/engine.py", "scrapy.utils.defer", "scrapy/utils/defer.py"),
            (Python, "src/flask/app.py", ".globals", "src/flask/globals.py"),
            (Python, "src/flask/json/tag.py", "..app", "src/flask/app.py"),
            (Python, "a.py", "django.db.models", "django/db/models/__init__.py"),
            (Script, "src/driver/a/b.ts", "../DriverUtils", "src/driver/DriverUtils.ts"),
            (Script, "src/a.ts", "./util", "src/util/index.ts"),
            (Rust, "src/cargo/ops/mod.rs", "crate::core::compiler", "src/cargo/core/compiler/mod.rs"),
            (Rust, "src/a/b.rs", "super::c", "src/a/c.rs"),
            (Rust, "src/a/mod.rs", "self::c", "src/a/c.rs"),
            (Rust, "src/x.rs", "cargo_util::paths", "crates/cargo-util/src/paths.rs"),
            (
                Jvm,
                "A.java",
                "org.apache.kafka.clients",
                "clients/src/main/java/org/apache/kafka/clients/B.java",
            ),
            (C, "db/db_impl.cc", "leveldb/db.h", "include/leveldb/db.h"),
        ] {
            assert_eq!(fit(family, importer, module, path), Some(Fit::Fully), "{module} in {path}");
        }
        let go = "go.etcd.io/etcd/server/v3/etcdserver/api";
        assert_eq!(fit(Go, "x.go", go, "server/etcdserver/api/a.go"), Some(Fit::Partly(2)));
        assert_eq!(fit(Go, "x.go", "github.com/Masterminds/semver/v3", "client/v3/client.go"), None);
        let within = |path| fit(Rust, "crates/shop/src/cart.rs", "crate::net", path);
        assert_eq!(within("crates/shop/src/net/mod.rs"), Some(Fit::Fully));
        assert_eq!(within("crates/other/src/net/mod.rs"), None);
        assert_eq!(fit(Python, "a.py", "twisted.internet.defer", "scrapy/utils/x.py"), None);
        assert_eq!(fit(Script, "src/a.ts", "./util", "lib/util.ts"), None);
        for (header, path, expected) in [
            ("hiredis.h", "deps/hiredis/hiredis.h", Some(Fit::Fully)),
            ("hiredis.h", "deps/hiredis/hiredis.c", Some(Fit::Fully)),
            ("hiredis.h", "deps/hiredis/dict.h", None),
            ("a/lib.h", "b/a.h", None),
            ("../x/y.h", "x/y.h", Some(Fit::Fully)),
            ("../x/y.h", "z/x/y.h", None),
            ("src/dict.h", "src/dict.h", Some(Fit::Fully)),
            ("src/dict.h", "deps/dict.h", None),
            ("fmt/core.h", "core.h", Some(Fit::Partly(1))),
        ] {
            assert_eq!(fit(C, "src/a.c", header, path), expected, "{header} in {path}");
        }
    }
}
