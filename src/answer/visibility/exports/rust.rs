//! `pub use` and `mod` of a file of Rust.

use crate::base::text::head;

use super::{InnerModule, ModuleExports, Reexport, after_word, first_word, is_word, renamed};

/// Longest `use`, in bytes.
const MAX_STATEMENT: usize = 20_000;
/// Most levels of braces in a `use`.
const MAX_DEPTH: usize = 16;

/// Reads re-exports and modules. The lines of a module in the same file are those that are indented
/// more than its first one.
pub(super) fn read(text: &str) -> ModuleExports {
    let mut exports = ModuleExports::default();
    let mut around: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let from = at;
        at += line.len();
        let code = without_attributes(line.trim_start());
        if code.trim().is_empty() {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        while around.pop_if(|(outer, _)| *outer >= indent).is_some() {}
        let within = || around.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
        let (public, rest) = match after_word(code, "pub") {
            Some(rest) if rest.starts_with('(') => (false, rest.split_once(')').map_or("", |(_, rest)| rest)),
            Some(rest) => (true, rest),
            None => (false, code),
        };
        let rest = rest.trim_start();
        if let Some(rest) = after_word(rest, "mod") {
            let name = first_word(rest);
            let end = rest.get(name.len()..).unwrap_or_default().trim_start();
            if name.is_empty() || !end.starts_with([';', '{']) {
                continue;
            }
            let module = InnerModule { within: within(), name: name.to_owned(), is_public: public };
            exports.modules.push(module);
            if end.starts_with('{') {
                around.push((indent, name.to_owned()));
            }
        } else if public && after_word(rest, "use").is_some() {
            let from = from + line.len() - rest.len();
            let rest = head(text.get(from..).unwrap_or_default(), MAX_STATEMENT);
            let Some((statement, _)) = rest.split_once(';') else { continue };
            let tree: String =
                statement.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
            let tree = after_word(&tree, "use").unwrap_or_default();
            names("", tree, &within(), &mut exports.reexports, 0);
        }
    }
    exports
}

/// A line without the attributes at its beginning.
fn without_attributes(mut line: &str) -> &str {
    while let Some((_, rest)) = line.strip_prefix("#[").and_then(|rest| rest.split_once(']')) {
        line = rest.trim_start();
    }
    line
}

/// Adds the names of a tree of paths: `a::{B, c::{self, D as E}, f::*}`.
fn names(prefix: &str, tree: &str, within: &[String], found: &mut Vec<Reexport>, depth: usize) {
    let tree = tree.trim();
    if tree.is_empty() || depth > MAX_DEPTH {
        return;
    }
    if let Some((head, inner)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) {
        let prefix = format!("{prefix}{}", head.trim());
        for part in parts(inner) {
            names(&prefix, part, within, found, depth + 1);
        }
        return;
    }
    let (path, other) = renamed(tree, " as ");
    let path = format!("{prefix}{path}");
    let path = path.strip_suffix("::self").unwrap_or(&path);
    let (module, name) = path.rsplit_once("::").unwrap_or(("self", path));
    if other == Some("_") || !(name == "*" || name.chars().all(is_word)) {
        return;
    }
    found.push(Reexport {
        within: within.to_vec(),
        module: module.to_owned(),
        name: (name != "*").then(|| name.to_owned()),
        exported: other.map(str::to_owned),
        is_explicit: true,
    });
}

/// The parts of a list, whose commas in inner braces belong to the parts.
fn parts(list: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0usize);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.extend(list.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(list.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::super::{ModuleExports, ModuleLanguage, tests::reexports};

    #[test]
    fn public_uses_are_read() {
        for (text, expected) in [
            ("mod private;\npub use private::Thing;\n", &["private Thing"][..]),
            ("use private::Thing;\npub(crate) use private::Other;\n", &[]),
            (
                "pub use crate::a::{\n    B, // one\n    c::{self, D as E},\n    f::*,\n};\n",
                &["crate::a B", "crate::a c", "crate::a::c D as E", "crate::a::f *"],
            ),
            ("#[cfg(unix)] pub use self::unix::*;\n", &["self::unix *"]),
            ("pub use inner;\npub use Trait as _;\n", &["self inner"]),
            (
                "pub mod prelude {\n    pub use super::a::B;\n}\npub use a::C;\n",
                &["prelude: super::a B", "a C"],
            ),
        ] {
            assert_eq!(reexports(ModuleLanguage::Rust, text), expected, "{text}");
        }
    }

    #[test]
    fn modules_are_read() {
        let text = "mod a;\npub mod b;\npub(crate) mod c {\n    pub mod d {}\n}\n#[cfg(test)]\nmod tests {\n    fn modify() {}\n}\n";
        let read = ModuleExports::of(ModuleLanguage::Rust, text).modules;
        let read: Vec<_> =
            read.iter().map(|one| (one.within.join("::"), one.name.as_str(), one.is_public)).collect();
        let expected =
            [("", "a", false), ("", "b", true), ("", "c", false), ("c", "d", true), ("", "tests", false)];
        assert_eq!(read, expected.map(|(within, name, public)| (within.to_owned(), name, public)));
    }
}
