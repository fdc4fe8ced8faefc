//! Exports of a module of JavaScript or TypeScript: `export`, and `module.exports`.

use std::collections::HashMap;

use crate::base::text::head;

use super::{ModuleExports, Reexport, after_word, first_word, is_word, renamed};

/// Longest list of names of an import or export, in bytes.
const MAX_LIST: usize = 20_000;
/// Most exports that are read of a file.
const MAX_EXPORTS: usize = 50_000;

/// The names that a module imports: each name → module, and the name there; `None` for the whole
/// module.
type Imports = HashMap<String, (String, Option<String>)>;

/// Reads what a module exports under names: of other modules, or (with an empty module) its own.
pub(super) fn read(text: &str) -> ModuleExports {
    let mut imports = Imports::new();
    let mut reexports = Vec::new();
    // Exported names of this file: the name here, and the one for others.
    let mut own: Vec<(String, String)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let from = at + line.len() - line.trim_start().len();
        at += line.len();
        if reexports.len() + own.len() > MAX_EXPORTS {
            break;
        }
        let statement = text.get(from..).unwrap_or_default();
        if let Some(rest) = after_word(statement, "export") {
            export(rest, &mut reexports, &mut own);
        } else if let Some(rest) = after_word(statement, "import") {
            import(rest, &mut imports);
        }
    }
    required(text, &mut imports);
    assigned(text, &mut reexports, &mut own);
    for (name, exported) in own {
        let (module, name) = imports.get(&name).cloned().unwrap_or((String::new(), Some(name)));
        reexports.push(Reexport { module, name, exported: Some(exported), ..Reexport::default() });
    }
    ModuleExports { reexports, ..ModuleExports::default() }
}

/// Reads what follows `export`.
fn export(rest: &str, reexports: &mut Vec<Reexport>, own: &mut Vec<(String, String)>) {
    let rest = after_word(rest, "type").filter(|rest| rest.starts_with(['{', '*'])).unwrap_or(rest);
    let list = rest.strip_prefix('{').map(|rest| head(rest, MAX_LIST));
    if let Some((list, tail)) = list.and_then(|rest| rest.split_once('}')) {
        let module = after_word(tail.trim_start(), "from").and_then(quoted);
        for (name, other) in items(list, " as ") {
            let exported = other.unwrap_or(name);
            match module {
                Some(module) => reexports.push(Reexport {
                    module: module.to_owned(),
                    name: Some(name.to_owned()),
                    exported: Some(exported.to_owned()),
                    ..Reexport::default()
                }),
                None => own.push((name.to_owned(), exported.to_owned())),
            }
        }
    } else if let Some(rest) = rest.strip_prefix('*') {
        let rest = rest.trim_start();
        let name = after_word(rest, "as").map(first_word);
        let rest = after_word(rest, "as")
            .map_or(rest, |rest| rest.get(first_word(rest).len()..).unwrap_or_default().trim_start());
        if let Some(module) = after_word(rest, "from").and_then(quoted) {
            reexports.push(Reexport {
                module: module.to_owned(),
                exported: name.map(str::to_owned),
                ..Reexport::default()
            });
        }
    } else if let Some(value) = after_word(rest, "default") {
        let mut rest = value;
        for word in ["abstract", "async", "function", "class"] {
            rest = after_word(rest, word).unwrap_or(rest).trim_start_matches(['*', ' ']);
        }
        let (name, exported) = (first_word(rest).to_owned(), "default".to_owned());
        match name.as_str() {
            "" => {}
            name if rest.len() == value.len() => own.push((name.to_owned(), exported)),
            name => reexports.push(Reexport {
                name: Some(name.to_owned()),
                exported: Some(exported),
                is_explicit: true,
                ..Reexport::default()
            }),
        }
    }
}

/// Reads what follows `import`: `a, { b as c } from "d"`, `* as e from "f"`.
fn import(rest: &str, imports: &mut Imports) {
    let rest = head(rest, MAX_LIST);
    let Some(at) = rest.find(['"', '\'', ';']) else { return };
    let (names, tail) = rest.split_at_checked(at).unwrap_or_default();
    let Some(names) = names.trim_end().strip_suffix("from") else { return };
    let Some(module) = quoted(tail) else { return };
    let names = after_word(names, "type").filter(|names| !names.trim().is_empty()).unwrap_or(names);
    let (head, list) = names.split_once('{').unwrap_or((names, ""));
    for part in head.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (local, name) = match part.strip_prefix('*') {
            Some(rest) => (after_word(rest.trim_start(), "as").unwrap_or_default(), None),
            None => (part, Some("default".to_owned())),
        };
        imports.insert(local.trim().to_owned(), (module.to_owned(), name));
    }
    for (name, other) in items(list.trim_end().trim_end_matches('}'), " as ") {
        imports.insert(other.unwrap_or(name).to_owned(), (module.to_owned(), Some(name.to_owned())));
    }
}

/// Reads names that get their value from `require`: `const a = require("b")`.
fn required(text: &str, imports: &mut Imports) {
    for (at, word) in text.match_indices("require(") {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let Some(before) = before.strip_suffix('=').map(str::trim_end) else { continue };
        let after = text.get(at + word.len()..).unwrap_or_default();
        let Some(module) = quoted(after.trim_start()) else { continue };
        if let Some(before) = before.strip_suffix('}') {
            let list = before.rsplit_once('{').map_or("", |(_, list)| list);
            for (name, other) in items(list, ":") {
                imports.insert(other.unwrap_or(name).to_owned(), (module.to_owned(), Some(name.to_owned())));
            }
        } else {
            let local = before.rsplit(|c| !is_word(c)).next().unwrap_or_default();
            let (_, name) = value(text.get(at..).unwrap_or_default());
            imports.insert(local.to_owned(), (module.to_owned(), name.map(str::to_owned)));
        }
    }
}

/// Reads assignments to `module.exports` and to its members.
fn assigned(text: &str, reexports: &mut Vec<Reexport>, own: &mut Vec<(String, String)>) {
    for (at, word) in text.match_indices("exports") {
        let before = text.get(..at).unwrap_or_default();
        let rest = text.get(at + word.len()..).unwrap_or_default();
        if reexports.len() + own.len() > MAX_EXPORTS {
            break;
        }
        if before.ends_with(is_word) {
            continue;
        }
        let name = rest.strip_prefix('.').map(first_word).filter(|name| !name.is_empty());
        let rest = name.map_or(rest, |name| rest.get(1 + name.len()..).unwrap_or_default()).trim_start();
        let Some(rest) = rest.strip_prefix('=').filter(|rest| !rest.starts_with('=')) else { continue };
        let rest = rest.trim_start();
        match (name, rest.strip_prefix('{')) {
            (None, Some(rest)) => {
                let list = head(rest, MAX_LIST).split('}').next().unwrap_or_default();
                for part in list.split(',').map(str::trim) {
                    match (part.strip_prefix("..."), part.split_once(':')) {
                        (Some(all), _) => add(all, None, reexports, own),
                        (None, Some((name, of))) => {
                            add(of.trim(), Some(name.trim().trim_matches(['\'', '"'])), reexports, own);
                        }
                        (None, None) => add(part, Some(first_word(part)), reexports, own),
                    }
                }
            }
            _ => add(rest, name, reexports, own),
        }
    }
}

/// Adds a value that is exported: under a name, or with all its members.
fn add(of: &str, name: Option<&str>, reexports: &mut Vec<Reexport>, own: &mut Vec<(String, String)>) {
    let exported = name.map(str::to_owned);
    match value(of) {
        (ValueSource::Module(module), member) => reexports.push(Reexport {
            module: module.to_owned(),
            name: member.map(str::to_owned),
            exported,
            ..Reexport::default()
        }),
        (ValueSource::Name(""), _) => {}
        (ValueSource::Name(local), _) => {
            own.push((local.to_owned(), exported.unwrap_or_else(|| "default".to_owned())));
        }
    }
}

/// The source of a value.
enum ValueSource<'t> {
    Module(&'t str),
    Name(&'t str),
}

/// Reads a value (`require("a").b`, or a name), and the member that is taken from a module.
fn value(text: &str) -> (ValueSource<'_>, Option<&str>) {
    let required = text.strip_prefix("require(").and_then(|rest| Some((quoted(rest.trim_start())?, rest)));
    match required {
        Some((module, rest)) => {
            let tail = rest.split_once(')').map_or("", |(_, tail)| tail);
            (ValueSource::Module(module), tail.strip_prefix('.').map(first_word))
        }
        None => (ValueSource::Name(first_word(text)), None),
    }
}

/// The names of a list, each with the other name after a separator. `type` before a name says
/// nothing.
fn items<'t>(list: &'t str, separator: &'t str) -> impl Iterator<Item = (&'t str, Option<&'t str>)> {
    let lines = list.split([',', '\n']).map(|part| part.split("//").next().unwrap_or_default().trim());
    lines.filter(|part| !part.is_empty()).map(move |part| {
        let part = after_word(part, "type").filter(|rest| rest.starts_with(is_word)).unwrap_or(part);
        renamed(part, separator)
    })
}

/// The text in quotes at the beginning of a text.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text.get(1..)?.split(quote).next().filter(|inner| !inner.contains('\n'))
}

#[cfg(test)]
mod tests {
    use super::super::{ModuleLanguage, tests::reexports};

    #[test]
    fn exports_are_read() {
        for (text, expected) in [
            ("export { x } from './_internal/x'\n", &["./_internal/x x as x"][..]),
            (
                "export {\n  a,\n  type B,\n  default as c, // one\n} from \"./d\";\n",
                &["./d a as a", "./d B as B", "./d default as c"],
            ),
            ("export type { T } from './t'\n", &["./t T as T"]),
            ("export * from './a'\nexport * as ns from './b'\n", &["./a *", "./b * as ns"]),
            (
                "import { one as two } from './a'\nimport * as all from './b'\nexport { two, all as rest }\n",
                &["./a one as two", "./b * as rest"],
            ),
            ("import one, { two } from './a'\nexport default one;\n", &["./a default as default"]),
            ("import { a } from './a'\nimport './b'\na()\n", &[]),
            ("export default async function f() {}\n", &[" f as default"]),
            ("function f() {}\nexport { f as g }\n", &[" f as g"]),
            ("export const exported = 1\nexport type Name = string\n", &[]),
        ] {
            assert_eq!(reexports(ModuleLanguage::Script, text), expected, "{text}");
        }
    }

    #[test]
    fn assigned_exports_are_read() {
        for (text, expected) in [
            ("module.exports = require('./internal/a');\n", &["./internal/a *"][..]),
            ("exports.a = require('./a')\nexports.b = require('./b').c\n", &["./a * as a", "./b c as b"]),
            (
                "const { a, b: c } = require('./d')\nmodule.exports = {\n  a,\n  e: c,\n  ...require('./f'),\n}\n",
                &["./f *", "./d a as a", "./d b as e"],
            ),
            ("const a = require('./a')\nmodule.exports.b = a\n", &["./a * as b"]),
            ("function f() {}\nmodule.exports = f\n", &[" f as default"]),
            ("if (exports == 1) {}\n", &[]),
        ] {
            assert_eq!(reexports(ModuleLanguage::Script, text), expected, "{text}");
        }
    }
}
