//! Where programs begin.
//!
//! Index → functions called `main`, files that are started, and what manifests name as programs.
//! The program that the project is named after, or that needs the most code, comes first. Tools
//! for work on the project come later, and programs of others, tests and examples last.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use super::Sources;
use super::needs::{FileNeeds, is_of_the_product};
use crate::answer::view::EntryPoint;
use crate::base::text::{path, quoted};
use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::is_function;
use crate::search::segment::FileView;

/// Most entry points, and those of one folder that are listed before those of the next.
const ENTRIES: usize = 6;
const ENTRIES_OF_FOLDER: usize = 3;

/// Most files whose needs are looked up.
const WEIGHED: usize = 64;

/// Share of the needs of the largest program below which a program is a tool or a test.
const SMALL: usize = 6;

/// Functions in which programs begin, in the order in which they are looked for.
const MAINS: [&str; 4] = ["main", "wmain", "wWinMain", "WinMain"];

/// Files that start a program in languages without a function for that.
const STARTS: [&str; 10] = [
    "__main__.py",
    "manage.py",
    "src/index.ts",
    "src/index.tsx",
    "src/index.js",
    "src/main.ts",
    "src/main.tsx",
    "src/main.js",
    "index.js",
    "index.ts",
];

/// Folders of tools for work on a project, and stems of such tools.
const TOOLS: [&str; 22] = [
    ".ci",
    ".github",
    "build",
    "build-aux",
    "buildsrc",
    "ci",
    "contrib",
    "dev",
    "devtools",
    "dist",
    "fuzz",
    "fuzzers",
    "fuzzing",
    "hack",
    "infra",
    "maint",
    "packaging",
    "release",
    "scripts",
    "tools",
    "utils",
    "xtask",
];
const TOOL_STEMS: [&str; 6] = ["build", "gulpfile", "makefile", "setup", "conftest", "noxfile"];

/// What a program is to the project; the first is listed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Product,
    Tool,
    Other,
}

/// A program with what orders it.
#[derive(Debug, Clone)]
struct Program {
    entry: EntryPoint,
    role: Role,
    /// Whether the project is named after it.
    is_named: bool,
    n_needs: usize,
}

/// Returns whether a file has the function in which a program begins.
pub(super) fn begins_program(file: &FileView<'_>) -> bool {
    begin(file, "").is_some()
}

/// Returns the entry points, best first, and how many more there are. `name` is the name of the
/// project, if it is known.
pub(super) fn entries<'s>(
    files: &[FileView<'s>],
    needs: &mut FileNeeds<'_, '_, 's>,
    sources: &mut Sources<'_>,
    name: &str,
) -> (Vec<EntryPoint>, usize) {
    let mut found: Vec<(FileView<'s>, EntryPoint)> = Vec::new();
    let named = named_by_manifests(sources);
    for file in files {
        let path = quoted(file.path()).into_owned();
        let is_start = STARTS.contains(&path.as_str())
            || path.ends_with("/__main__.py")
            || named.contains(&path)
            || is_script(file);
        let is_shown = is_of_the_product(file) || file.is_in_dependencies();
        let entry = if is_shown { begin(file, &path).or_else(|| begin_of_c(file, sources)) } else { None };
        if let Some(entry) = entry {
            found.push((*file, entry));
        } else if is_start && is_of_the_product(file) {
            found.push((*file, EntryPoint { path, line: 1, symbol: String::new() }));
        }
    }
    let mut programs: Vec<(FileView<'s>, Program)> = found
        .into_iter()
        .map(|(file, entry)| {
            let is_named = is_named_after(file.path(), name) || starts_named(&file, name);
            let role = role(&file);
            (file, Program { entry, role, is_named, n_needs: 0 })
        })
        .collect();
    programs.sort_by_key(|(file, one)| {
        (one.role, !one.is_named, Reverse(file.segment.chunks_of(file.ord).len()))
    });
    for (file, program) in programs.iter_mut().take(WEIGHED) {
        program.n_needs = needs.n_of_program(file);
    }
    chosen(programs.into_iter().map(|one| one.1).collect())
}

/// Returns where a file begins a program: its function `main`, with a body.
fn begin(file: &FileView<'_>, path: &str) -> Option<EntryPoint> {
    let is_main = |name: &str| name == "Main" && matches!(file.language(), "c-sharp" | "pascal");
    let rank = |name: &str| if is_main(name) { Some(0) } else { MAINS.iter().position(|one| *one == name) };
    let mains = file.declarations().filter(|one| {
        is_function(one.row.kind) && one.row.kind != DeclarationKind::Test && !one.row.body.is_empty()
    });
    let main = mains.filter_map(|one| Some((rank(one.name())?, one))).min_by_key(|one| one.0)?.1;
    Some(EntryPoint { path: path.to_owned(), line: main.row.name_line, symbol: main.symbol_path() })
}

/// Returns where a file of C that is named after `main` begins a program, if a condition of the
/// preprocessor hides the function, as one about the head of `wmain` does.
fn begin_of_c(file: &FileView<'_>, sources: &mut Sources<'_>) -> Option<EntryPoint> {
    let is_named =
        path::stem(file.path()).split(|byte| matches!(byte, b'_' | b'-')).any(|word| word == b"main");
    if !is_named || !matches!(file.language(), "c" | "cpp") {
        return None;
    }
    let text = sources.text(file.path())?;
    let line = text.lines().position(|line| line.starts_with("int main("))?;
    let line = u32::try_from(line + 1).ok()?;
    Some(EntryPoint { path: quoted(file.path()).into_owned(), line, symbol: "main".to_owned() })
}

/// Returns whether a file is a script in a folder for programs that are installed: `bin/jekyll`,
/// `exe/jekyll`.
fn is_script(file: &FileView<'_>) -> bool {
    let (folder, name) = (path::name(path::parent(file.path())), path::name(file.path()));
    let is_for_programs = folder == "bin" || folder == "exe";
    is_for_programs && !name.contains(&b'.') && file.language() != "text"
}

/// Returns the programs that the manifest of JavaScript names, by path.
fn named_by_manifests(sources: &mut Sources<'_>) -> Vec<String> {
    let manifest = sources.text("package.json".into());
    let manifest: Option<serde_json::Value> = manifest.and_then(|text| serde_json::from_str(&text).ok());
    let Some(manifest) = manifest else { return Vec::new() };
    let bin = manifest.get("bin");
    let one = bin.and_then(|bin| bin.as_str());
    let several = bin.and_then(|bin| bin.as_object()).into_iter().flat_map(|bin| bin.values());
    let main = manifest.get("main").and_then(|main| main.as_str());
    let all = one.into_iter().chain(several.filter_map(|path| path.as_str())).chain(main);
    all.map(|path| path.trim_start_matches("./").to_owned()).collect()
}

fn role(file: &FileView<'_>) -> Role {
    let path = file.path().to_ascii_lowercase();
    let (folders, stem) = (path::parent(path.as_bstr()), path::stem(path.as_bstr()));
    let is_benchmark = path::name(file.path()).find("Benchmark").is_some();
    let words = || stem.split(|byte| !byte.is_ascii_alphanumeric());
    let is_one_of = |any: &[&str], word: &[u8]| any.iter().any(|known| word == known.as_bytes());
    let is_for_tests =
        words().any(|word| is_one_of(&["demo", "example", "sample", "test"], word)) || is_benchmark;
    if file.is_in_dependencies() || is_for_tests {
        Role::Other
    } else if folders.split_str("/").any(|folder| is_one_of(&TOOLS, folder)) || is_one_of(&TOOL_STEMS, stem) {
        Role::Tool
    } else {
        Role::Product
    }
}

/// Returns whether a program is called as the project: `cmd/restic/main.go`, `src/redis.c`.
fn is_named_after(path: &BStr, name: &str) -> bool {
    let is_name = |part: &[u8]| !name.is_empty() && part.eq_ignore_ascii_case(name.as_bytes());
    is_name(path::stem(path)) || is_name(path::name(path::parent(path)))
}

/// Returns whether a program only starts the code that is called after the project, as
/// `etcdmain.Main(os.Args)` does.
fn starts_named(file: &FileView<'_>, name: &str) -> bool {
    let is_start = |qualifier: &str| {
        let last = qualifier.rsplit(['.', ':', '/']).next().unwrap_or_default();
        let parts = last.split_at_checked(name.len());
        parts.is_some_and(|(begin, rest)| {
            begin.eq_ignore_ascii_case(name) && matches!(rest, "main" | "_main" | "Main")
        })
    };
    let mut chunks = file.segment.chunks_of(file.ord);
    !name.is_empty()
        && chunks.any(|chunk| {
            let mentions = file.segment.mentions(chunk).unwrap_or_default();
            mentions.iter().any(|one| one.kind == ReferenceKind::Call && is_start(one.qualifier))
        })
}

/// Orders programs, and chooses among them. Also returns how many more there are.
fn chosen(mut programs: Vec<Program>) -> (Vec<EntryPoint>, usize) {
    let most = programs.iter().filter(|one| one.role == Role::Product).map(|one| one.n_needs).max();
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    for one in &mut programs {
        // A function `main` in a file of a library tests that file.
        let is_small = one.n_needs * SMALL < most.unwrap_or(0) && !one.is_named;
        if one.role == Role::Product && is_small && folder(&one.entry.path).is_some() {
            one.role = Role::Tool;
        }
    }
    programs.sort_by_cached_key(|one| {
        let is_inner = folder(&one.entry.path).is_some();
        let depth = one.entry.path.matches('/').count();
        (one.role, !one.is_named, is_inner, Reverse(one.n_needs), depth, one.entry.path.clone())
    });
    let mut n_of_folder: BTreeMap<(Role, Option<String>), usize> = BTreeMap::new();
    let (mut first, rest): (Vec<_>, Vec<_>) = programs.into_iter().partition(|one| {
        let n = n_of_folder.entry((one.role, folder(&one.entry.path))).or_default();
        *n += 1;
        *n <= ENTRIES_OF_FOLDER
    });
    first.extend(rest);
    first.sort_by_key(|one| one.role);
    // Other programs are listed if the project has none.
    let has_own = first.iter().any(|one| one.role == Role::Product);
    first.retain(|one| !has_own || one.role != Role::Other);
    let n_more = first.len().saturating_sub(ENTRIES);
    first.truncate(ENTRIES);
    (first.into_iter().map(|one| one.entry).collect(), n_more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_that_needs_most_comes_first_and_those_of_others_last() {
        let program = |path: &str, role, n_needs| {
            let entry = EntryPoint { path: path.to_owned(), line: 1, symbol: String::new() };
            Program { entry, role, is_named: path.contains("named"), n_needs }
        };
        let order = |programs: &[(&str, Role, usize)]| -> Vec<String> {
            let programs = programs.iter().map(|&(path, role, n)| program(path, role, n)).collect();
            chosen(programs).0.into_iter().map(|one| one.path).collect()
        };
        let paths: Vec<String> = (0..9).map(|n| format!("src/{n}/main.c")).collect();
        let many = paths.iter().map(|path| program(path, Role::Product, 5)).collect();
        assert_eq!(chosen(many).1, 3, "the number of those that are left out");
        assert_eq!(
            order(&[
                ("deps/a.c", Role::Other, 90),
                ("src/crc.c", Role::Product, 1),
                ("src/server.c", Role::Product, 80),
                ("src/cli.c", Role::Product, 30),
                ("utils/dump.c", Role::Tool, 40),
            ]),
            ["src/server.c", "src/cli.c", "utils/dump.c", "src/crc.c"]
        );
        assert_eq!(
            order(&[("cmd/other/main.go", Role::Product, 50), ("cmd/named/main.go", Role::Product, 20)]),
            ["cmd/named/main.go", "cmd/other/main.go"]
        );
        assert_eq!(order(&[("x/one.c", Role::Other, 0)]), ["x/one.c"]);
        // At the root, a small file starts the program in others.
        assert_eq!(
            order(&[("tool/x.go", Role::Product, 90), ("main.go", Role::Product, 1)]),
            ["main.go", "tool/x.go"]
        );
    }
}
