//! Imports and `__all__` of a Python module.

use super::{AllList, ModuleExports, Reexport, after_word, renamed};

/// Reads imports and `__all__`, also those in branches.
pub(super) fn read(text: &str) -> ModuleExports {
    let mut exports = ModuleExports::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_start();
        if let Some(rest) = after_word(line, "from") {
            from(&statement(rest, &mut lines), &mut exports.reexports);
        } else if let Some(rest) = after_word(line, "import") {
            modules(&statement(rest, &mut lines), &mut exports.reexports);
        } else if let Some(rest) = line.strip_prefix("__all__") {
            list(&statement(rest, &mut lines), &mut exports.all);
        }
    }
    exports
}

/// A statement without comments, up to the line where its brackets are closed.
fn statement<'t>(first: &'t str, lines: &mut impl Iterator<Item = &'t str>) -> String {
    let mut whole = String::new();
    let mut n_open = 0usize;
    let mut next = Some(first);
    while let Some(line) = next {
        let line = line.split('#').next().unwrap_or_default().trim_end();
        whole.push_str(line.trim_end_matches('\\'));
        whole.push(' ');
        n_open += line.matches(['(', '[']).count();
        n_open = n_open.saturating_sub(line.matches([')', ']']).count());
        if n_open == 0 && !line.ends_with('\\') {
            break;
        }
        next = lines.next();
    }
    whole
}

/// Reads `module import a, b as c` after `from`.
fn from(statement: &str, reexports: &mut Vec<Reexport>) {
    let is_end = |rest: &str| rest.starts_with([' ', '(', '*']);
    let found = statement.match_indices("import").find(|(at, word)| {
        let (before, after) = (statement.get(..*at), statement.get(at + word.len()..));
        before.is_some_and(|before| before.ends_with([' ', '.'])) && after.is_some_and(is_end)
    });
    let Some((at, word)) = found else { return };
    let module = statement.get(..at).unwrap_or_default().trim();
    let names = statement.get(at + word.len()..).unwrap_or_default().replace(['(', ')'], " ");
    for part in names.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (name, other) = renamed(part, " as ");
        reexports.push(Reexport {
            module: module.to_owned(),
            name: (name != "*").then(|| name.to_owned()),
            exported: other.map(str::to_owned),
            is_explicit: other == Some(name),
            ..Reexport::default()
        });
    }
}

/// Reads `a.b as c` after `import`. Without another name, it binds only the first part.
fn modules(statement: &str, reexports: &mut Vec<Reexport>) {
    for part in statement.split(',') {
        let (path, Some(other)) = renamed(part, " as ") else { continue };
        let Some((module, name)) = path.rsplit_once('.') else { continue };
        reexports.push(Reexport {
            module: module.to_owned(),
            name: Some(name.to_owned()),
            exported: Some(other.to_owned()),
            is_explicit: other == name,
            ..Reexport::default()
        });
    }
}

/// Reads what follows `__all__`: a list, or something that adds to it.
fn list(statement: &str, all: &mut Option<AllList>) {
    let statement = statement.trim();
    let calls = [".extend(", ".append("];
    let value = match calls.iter().find_map(|call| statement.strip_prefix(call)) {
        Some(value) => value,
        None if statement.starts_with(['=', ':', '+']) && !statement.starts_with("==") => {
            statement.split_once('=').map_or("", |(_, value)| value)
        }
        // A name that is removed stays listed.
        None if statement.starts_with('.') => "?",
        None => return,
    };
    let all = all.get_or_insert_default();
    for (at, part) in value.split(['\'', '"']).enumerate() {
        if at % 2 == 1 {
            all.names.push(part.to_owned());
        } else if !part.chars().all(|c| c.is_whitespace() || ",[]()+".contains(c)) {
            all.is_open = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ModuleExports, ModuleLanguage, tests::reexports};

    #[test]
    fn imports_are_read() {
        for (text, expected) in [
            ("from ._client import Client\n", &["._client Client"][..]),
            ("from ._a import A, B as C  # noqa\n", &["._a A", "._a B as C"]),
            ("from ._a import (\n    A,  # one\n    B as B,\n)\n", &["._a A", "._a B as B"]),
            ("from ._a import A, \\\n    B\nx = 1\n", &["._a A", "._a B"]),
            ("from ._api import *\n", &["._api *"]),
            ("from . import _mod as mod\n", &[". _mod as mod"]),
            ("from .importer import load\n", &[".importer load"]),
            ("try:\n    from ._main import main\nexcept ImportError:\n    pass\n", &["._main main"]),
            ("import os\nimport pkg._imp as imp\n", &["pkg _imp as imp"]),
            ("fromage = 1\nimported = 2\n", &[]),
        ] {
            assert_eq!(reexports(ModuleLanguage::Python, text), expected, "{text}");
        }
    }

    #[test]
    fn the_list_of_names_is_read() {
        for (text, names, is_open) in [
            ("__all__ = [\"a\", 'b']\n", &["a", "b"][..], false),
            ("__all__ = (\n    \"a\",  # one\n    \"b\",\n)\n", &["a", "b"], false),
            ("__all__: list[str] = [\"a\"]\n", &["a"], false),
            ("__all__ = [\"a\"]\n__all__ += [\"b\"]\n", &["a", "b"], false),
            ("__all__ = [\"a\"]\n__all__.append(\"b\")\n", &["a", "b"], false),
            ("__all__ = [\"a\"] + _b.__all__\n", &["a"], true),
            ("__all__ = [\"a\"]\n__all__.extend(_b.__all__)\n", &["a"], true),
            ("__all__ = [\"a\"]\n__all__.remove(\"a\")\n", &["a"], true),
        ] {
            let all = ModuleExports::of(ModuleLanguage::Python, text).all.unwrap();
            assert_eq!(
                (all.names, all.is_open),
                (names.iter().map(|one| one.to_string()).collect(), is_open),
                "{text}"
            );
        }
        for text in ["for x in __all__:\n    pass\n", "__all__ == [\"a\"]\n", "__all__\n"] {
            assert_eq!(ModuleExports::of(ModuleLanguage::Python, text).all, None, "{text}");
        }
    }
}
