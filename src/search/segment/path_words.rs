//! The words of a path, and the role of a file that its path suggests.
//!
//! Input: a path from the root of the repository. Output: the texts of the fields stem and
//! directory, and [`FileFlags`]. Roles come from a table of names, not from a guess about contents.
//! A wrong entry demotes somebody's source, so only names that mean one thing across ecosystems are
//! listed.

use bstr::{BStr, ByteSlice};

use super::rows::FileFlags;
use crate::base::text::path::parent;

const TEST_DIRECTORIES: [&str; 18] = [
    "test",
    "tests",
    "__tests__",
    "spec",
    "specs",
    "testing",
    "testdata",
    "testfixtures",
    "__testfixtures__",
    "testsupport",
    "testutil",
    "testutils",
    "__mocks__",
    "fixtures",
    "__fixtures__",
    "__snapshots__",
    "e2e",
    "regress",
];
/// Words that follow "test" or "testing" in the name of a directory with code or data for tests:
/// `test-utils`, `http-testing-support`. `test-runner` and `test_helpers` are not among them: they
/// may be the product.
const FOR_TESTS: [&str; 6] = ["data", "fixture", "fixtures", "support", "util", "utils"];
const EXAMPLE_DIRECTORIES: [&str; 10] = [
    "example",
    "examples",
    "_examples",
    "demo",
    "demos",
    "sample",
    "samples",
    "benchmark",
    "benchmarks",
    "bench",
];
const VENDORED_DIRECTORIES: [&str; 9] = [
    "vendor",
    "vendored",
    "_vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "node_modules",
    "bower_components",
];

/// The directory of what is built for distribution, and the ends of scripts and style sheets there.
/// Their source is elsewhere.
const DIST: &str = "dist";
const BUILT: [&str; 4] = [".cjs", ".css", ".js", ".mjs"];

/// Directories that hold third-party code in many projects, and one's own code in some. So their
/// files are not vendored by their path alone.
const DEPENDENCY_DIRECTORIES: [&str; 6] =
    ["deps", "dependencies", "extern", "external", "externals", "subprojects"];

/// Stems of files that stand for their directory, in Python, JavaScript, and Rust.
const OF_DIRECTORY: [&str; 3] = ["__init__", "index", "mod"];
/// Name of the file that stands for its directory in Lua.
const INIT_LUA: &str = "init.lua";

/// Directories whose names say nothing about their contents.
const PLAIN_DIRECTORIES: [&str; 3] = ["", "lib", "src"];

/// Returns the file's name without its last extension, and its directory, both as text.
///
/// A leading dot does not begin an extension. A file that stands for its directory
/// (`forms/fields/__init__.py`) is called by the directory's name, and its own name takes that
/// one's place. More files of a fix are then found first by their issue. See
/// `doc/experiments/segment.md`.
pub(super) fn stem_and_directory(path: &BStr) -> (String, String) {
    let text = path.to_str_lossy();
    let (directory, name) = text.rsplit_once('/').unwrap_or(("", &text));
    let stem = match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    };
    let (above, own) = directory.rsplit_once('/').unwrap_or(("", directory));
    if (OF_DIRECTORY.contains(&stem) || name == INIT_LUA) && !PLAIN_DIRECTORIES.contains(&own) {
        let directory = if above.is_empty() { stem.to_owned() } else { format!("{above}/{stem}") };
        return (own.to_owned(), directory);
    }
    (stem.to_owned(), directory.to_owned())
}

/// Returns the role that a path suggests.
pub(crate) fn flags(path: &BStr) -> FileFlags {
    let text = path.to_str_lossy();
    let (directory, name) = text.rsplit_once('/').unwrap_or(("", &text));
    let mut bits = 0;
    let (mut outer, mut is_main, mut is_dist) = ("", false, false);
    for written in directory.split('/') {
        is_main |= is_main_set(outer, written);
        is_dist |= written == DIST;
        outer = written;
        let part = written.to_ascii_lowercase();
        if !is_main && is_test_directory(&part) {
            bits |= FileFlags::TEST;
        }
        if EXAMPLE_DIRECTORIES.contains(&part.as_str()) {
            bits |= FileFlags::EXAMPLE;
        }
        if VENDORED_DIRECTORIES.contains(&part.as_str()) {
            bits |= FileFlags::VENDORED;
        }
    }
    if is_dist && BUILT.iter().any(|end| name.ends_with(end)) {
        bits |= FileFlags::VENDORED;
    }
    if is_test_name(name) && !is_main {
        bits |= FileFlags::TEST;
    }
    if name.ends_with(".min.js") || name.ends_with(".min.css") || is_release(name) {
        bits |= FileFlags::VENDORED;
    }
    FileFlags(bits)
}

/// Returns whether a directory, in lower case, has tests, or code or data for them.
fn is_test_directory(part: &str) -> bool {
    // `MyApp.Tests`, `foo-test`: the last word of a project's directory names its role.
    let last = part.rsplit(['.', '-']).next().unwrap_or_default();
    let words: Vec<&str> = part.split(['.', '-', '_']).collect();
    let is_for_tests = |two: &[&str]| matches!(two, ["test" | "testing", of] if FOR_TESTS.contains(of));
    TEST_DIRECTORIES.contains(&part) || matches!(last, "test" | "tests") || words.windows(2).any(is_for_tests)
}

/// Returns whether two folders are a project's main source set, which has no tests: `src/main` of
/// Maven and Gradle, `src/jvmMain` of Kotlin.
fn is_main_set(outer: &str, inner: &str) -> bool {
    outer == "src" && (inner == "main" || inner.ends_with("Main"))
}

/// Returns whether a file is one release of a library for browsers: `jquery-3.6.0.js`,
/// `react-dom_17.0.2.js`.
fn is_release(name: &str) -> bool {
    let stem = name.strip_suffix(".js").or_else(|| name.strip_suffix(".css"));
    let Some(stem) = stem else { return false };
    let library = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let version = stem.strip_prefix(library).unwrap_or_default();
    !library.is_empty() && version.split('.').filter(|number| !number.is_empty()).count() >= 3
}

fn is_test_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let lower = stem.to_ascii_lowercase();
    let inner = name.split('.').skip(1).any(|part| matches!(part, "test" | "tests" | "spec" | "e2e"));
    inner
        || matches!(lower.as_str(), "conftest" | "test" | "tests")
        || lower.starts_with("test_")
        || lower.ends_with("_test")
        || lower.ends_with("_tests")
        || lower.ends_with("_spec")
        || lower.ends_with("-test")
        // A version may be in front: `context_1.17_test.go`.
        || name.ends_with("_test.go")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || stem.ends_with("TestCase")
        || stem.ends_with("Spec")
}

/// Returns whether a path is in a directory that often holds third-party code.
pub(super) fn is_in_dependencies(path: &BStr) -> bool {
    let is_one = |part: &[u8]| DEPENDENCY_DIRECTORIES.iter().any(|known| part == known.as_bytes());
    parent(path).split_str("/").any(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_directories_often_hold_the_code_of_others() {
        for (path, expected) in [
            ("deps/lua/lapi.c", true),
            ("src/external/zlib.c", true),
            ("src/deps.rs", false),
            ("deps.rs", false),
            ("src/dependency/graph.rs", false),
        ] {
            assert_eq!(is_in_dependencies(path.into()), expected, "{path}");
        }
    }

    #[test]
    fn roles_are_read_off_the_path() {
        for (path, test, example, vendored) in [
            ("src/lib.rs", false, false, false),
            ("src/latest.rs", false, false, false),
            ("src/contest/spectrum.py", false, false, false),
            ("tests/it/main.rs", true, false, false),
            ("pkg/parser_test.go", true, false, false),
            ("context_1.17_test.go", true, false, false),
            ("context_1.17.go", false, false, false),
            ("src/app.spec.ts", true, false, false),
            ("src/FooTest.java", true, false, false),
            ("core/src/jvmMain/kotlin/org/FunSpec.kt", false, false, false),
            ("core/src/jvmTest/kotlin/org/FunSpec.kt", true, false, false),
            ("core/src/main/java/org/specs/TypeSpec.java", false, false, false),
            ("App.Tests/Foo.cs", true, false, false),
            ("http-testing-support/src/main/kotlin/http/TestClock.kt", true, false, false),
            ("packages/codemods/__testfixtures__/keyed.js", true, false, false),
            ("src/test-utils/render.tsx", true, false, false),
            ("internal/testutil/clock.go", true, false, false),
            ("lib/test_data/a.json", true, false, false),
            ("regress/kill-session.sh", true, false, false),
            ("packages/test-runner/src/run.ts", false, false, false),
            ("system_testing/test_helpers/screenshot.rb", false, false, false),
            ("src/latest-data/load.py", false, false, false),
            ("examples/hello.py", false, true, false),
            ("third_party/zlib/inflate.c", false, false, true),
            ("web/jquery.min.js", false, false, true),
            ("dist/browser/axios.cjs", false, false, true),
            ("dist/build.py", false, false, false),
            ("tests/assets/react-dom_17.0.2.js", true, false, true),
            ("public/vue.2.6.14.js", false, false, true),
            ("css/normalize-v8.0.1.css", false, false, true),
            ("posts/2024-01-02.js", false, false, false),
            ("migrations/1.2.js", false, false, false),
            ("src/3d.js", false, false, false),
        ] {
            let flags = flags(path.into());
            assert_eq!(
                (flags.is_test(), flags.is_example(), flags.is_vendored()),
                (test, example, vendored),
                "{path}"
            );
        }
    }

    #[test]
    fn a_file_that_stands_for_its_directory_has_its_name() {
        for (path, stem, directory) in [
            ("forms/fields/__init__.py", "fields", "forms/__init__"),
            ("defaults/index.js", "defaults", "index"),
            ("crates/net/src/http/mod.rs", "http", "crates/net/src/mod"),
            ("lua/telescope/init.lua", "telescope", "lua/init"),
            ("index.ts", "index", ""),
            ("packages/ui/src/index.ts", "index", "packages/ui/src"),
            ("setup/init.py", "init", "setup"),
        ] {
            assert_eq!(stem_and_directory(path.into()), (stem.to_owned(), directory.to_owned()));
        }
    }

    #[test]
    fn a_stem_has_no_extension() {
        for (path, stem, directory) in [
            ("a/b/c.test.ts", "c.test", "a/b"),
            (".gitignore", ".gitignore", ""),
            ("x/Makefile", "Makefile", "x"),
        ] {
            assert_eq!(stem_and_directory(path.into()), (stem.to_owned(), directory.to_owned()));
        }
    }
}
