//! What is special about `clangd` as an oracle: prototypes, types with several declarations,
//! macros, and the flags of the compiler.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::lsp::Symbol;
use super::oracle::{Declaration, Line, Rows};

/// Returns the call of a compiler, without the file: with the folders of all headers.
pub(super) fn flags(language: &str, files: &[String]) -> Vec<String> {
    let is_header = |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| ending.starts_with('h'));
    let mut folders = BTreeSet::from(["."]);
    for path in files.iter().filter(|path| is_header(path)) {
        let all = path.match_indices('/').map(|(at, _)| path.get(..at).unwrap_or_default());
        // Only the folder itself is a folder of headers in C.
        folders.extend(all.rev().take(if language == "c" { 1 } else { usize::MAX }));
    }
    let program = if language == "c" { ["cc", "-D_GNU_SOURCE"] } else { ["c++", "-std=c++17"] };
    let mut flags: Vec<String> = program.map(str::to_owned).to_vec();
    for folder in folders {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        // A header must not be taken for one of the standard library, as `string.h`.
        let is_root = language == "c" || matches!(name, "." | "include" | "src");
        flags.push(format!("{}{folder}", if is_root { "-I" } else { "-iquote" }));
    }
    flags
}

/// Returns a name as `clangd` writes it without arguments of templates: `Cart::pay` for
/// `Cart<Item>::pay<int>`. An operator may be called `<`.
pub(super) fn without_arguments(name: &str) -> Cow<'_, str> {
    if !name.contains('<') || name.contains("operator") {
        return Cow::Borrowed(name);
    }
    let mut depth = 0_usize;
    let outside = name.chars().filter(|c| {
        depth = depth.saturating_add(usize::from(*c == '<'));
        let is_outside = depth == 0;
        depth = depth.saturating_sub(usize::from(*c == '>'));
        is_outside
    });
    let outside: String = outside.collect();
    if outside.is_empty() { Cow::Borrowed(name) } else { Cow::Owned(outside) }
}

/// Removes the declarations that a definition completes. The server takes them for one thing.
pub(super) fn without_prototypes(symbols: &mut BTreeMap<Declaration, Symbol>) {
    let defined: BTreeSet<String> =
        symbols.values().filter(|one| one.is_defined).map(|one| one.path.clone()).collect();
    symbols.retain(|_, one| one.is_defined || !defined.contains(&one.path));
}

/// Returns the other declarations of the types that were drawn.
pub(super) fn of_one_type(
    symbols: &BTreeMap<Declaration, Symbol>,
    drawn: &BTreeSet<Declaration>,
) -> Vec<Declaration> {
    let types = || symbols.iter().filter(|(_, one)| one.is_type);
    let paths: BTreeSet<&str> =
        types().filter(|(of, _)| drawn.contains(of)).map(|(_, one)| one.path.as_str()).collect();
    let others = types().filter(|(of, one)| paths.contains(one.path.as_str()) && !drawn.contains(of));
    others.map(|(of, _)| of.clone()).collect()
}

/// Gives all types of a name the uses of each: a structure of C and its `typedef` are one thing,
/// and so are a template and its specialisations.
pub(super) fn merge_types(symbols: &BTreeMap<Declaration, Symbol>, rows: &mut Rows) {
    let mut merged: BTreeMap<&str, BTreeSet<(String, u32)>> = BTreeMap::new();
    let types = || symbols.iter().filter(|(_, one)| one.is_type);
    for (of, one) in types() {
        merged.entry(&one.path).or_default().extend(rows.uses.get(of).into_iter().flatten().cloned());
    }
    for (of, one) in types() {
        if let (Some(uses), Some(all)) = (rows.uses.get_mut(of), merged.get(one.path.as_str())) {
            uses.extend(all.iter().cloned());
        }
    }
}

/// Makes the lines dark that declare something of the same name, such as the method that one
/// overrides, or a member of the type: in `void Shop::open() {`, the type is not used.
pub(super) fn without_declarations(symbols: &BTreeMap<Declaration, Symbol>, rows: &mut Rows) {
    let mut declared: BTreeMap<&Line, Vec<(&str, &str)>> = BTreeMap::new();
    for (of, one) in symbols {
        declared.entry(&of.at).or_default().push((&of.name, &one.path));
    }
    for (of, uses) in &mut rows.uses {
        let path = symbols.get(of).map_or("", |one| one.path.as_str());
        let is_member = |other: &str| other.strip_prefix(path).is_some_and(|rest| rest.starts_with("::"));
        let is_use = |line: &Line| {
            let here = declared.get(line).map(Vec::as_slice).unwrap_or_default();
            !here.iter().any(|(name, other)| *name == of.name || is_member(other))
        };
        rows.dark.extend(uses.iter().filter(|line| !is_use(line)).cloned());
        uses.retain(is_use);
    }
}

/// Adds the lines with a type that the file names by `using shop::Cart;`. The server does not say
/// that they use it.
pub(super) fn imported(text: &str, path: &str, rows: &mut Rows) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let names: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("using ")?.strip_suffix(';')?.rsplit_once("::"))
        .map(|(_, name)| name)
        .filter(|name| name.chars().all(is_part))
        .collect();
    for (line, at) in text.lines().zip(1..) {
        if !names.is_empty() && line.split(|c| !is_part(c)).any(|word| names.contains(word)) {
            rows.dark.insert((path.to_owned(), at));
        }
    }
}

/// Adds the lines of macro definitions: the server does not say what their names mean.
pub(super) fn macros(text: &str, path: &str, rows: &mut Rows) {
    let mut is_open = false;
    for (line, at) in text.lines().zip(1..) {
        is_open |= line.trim_start().starts_with('#');
        if is_open {
            rows.dark.insert((path.to_owned(), at));
        }
        is_open &= line.ends_with('\\');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_members_and_overrides_are_not_uses() {
        let declared = |path: &str, line: u32, name: &str| Declaration {
            at: (path.to_owned(), line),
            name: name.to_owned(),
        };
        let symbol = |path: &str, is_type| Symbol {
            path: path.to_owned(),
            column: 0,
            is_type,
            is_defined: true,
            counts: true,
        };
        let (shop, open) = (declared("a.h", 1, "Shop"), declared("a.cc", 3, "open"));
        let symbols = BTreeMap::from([
            (shop.clone(), symbol("::Shop", true)),
            (open.clone(), symbol("::Shop::open", false)),
            (declared("b.h", 5, "open"), symbol("::Base::open", false)),
        ]);
        let lines = |all: &[(&str, u32)]| -> BTreeSet<Line> {
            all.iter().map(|(path, line)| ((*path).to_owned(), *line)).collect()
        };
        let mut rows = Rows::default();
        rows.uses.insert(shop.clone(), lines(&[("a.cc", 3), ("a.cc", 9)]));
        rows.uses.insert(open.clone(), lines(&[("b.h", 5), ("c.cc", 2)]));
        without_declarations(&symbols, &mut rows);
        assert_eq!(rows.uses[&shop], lines(&[("a.cc", 9)]));
        assert_eq!(rows.uses[&open], lines(&[("c.cc", 2)]));
        assert_eq!(rows.dark, lines(&[("a.cc", 3), ("b.h", 5)]));
        imported("using shop::Cart;\nCart cart;\nCarts carts;\n", "d.cc", &mut rows);
        assert!(rows.dark.contains(&("d.cc".to_owned(), 2)) && !rows.dark.contains(&("d.cc".to_owned(), 3)));
    }

    #[test]
    fn headers_of_cpp_are_not_taken_for_those_of_the_library() {
        let files = ["include/a/string.h", "src/b.cc"].map(str::to_owned);
        let flags = flags("cpp", &files);
        assert_eq!(flags, ["c++", "-std=c++17", "-I.", "-Iinclude", "-iquoteinclude/a"]);
        assert_eq!(super::flags("c", &files), ["cc", "-D_GNU_SOURCE", "-I.", "-Iinclude/a"]);
    }
}
