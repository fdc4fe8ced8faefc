//! `pub use` and `mod` of a file of Rust.
//!
//! Braces say in which module of the file an item is. Those that belong to something else, such as
//! a function or a macro, only have to be closed.

use super::rust_tokens::{Token, Tokens};
use super::{InnerModule, ModuleExports, Reexport, is_word, renamed};

/// Longest `use`, in bytes.
const MAX_STATEMENT: usize = 20_000;
/// Most levels of braces in a `use`.
const MAX_DEPTH: usize = 16;

/// Reads re-exports and modules.
pub(super) fn read(text: &str) -> ModuleExports {
    let mut exports = ModuleExports::default();
    let mut tokens = Tokens::of(text).peekable();
    // What is open: the name of a module, or `None` for anything else.
    let mut open: Vec<Option<&str>> = Vec::new();
    // The item that begins here, if one does: whether it is public.
    let mut begun = Some(false);
    while let Some(token) = tokens.next() {
        let within = || open.iter().flatten().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        begun = match (token, begun) {
            (Token::Mark('#'), Some(_)) => {
                tokens.next_if_eq(&Token::Mark('!'));
                skip_brackets(&mut tokens, ['[', ']']);
                Some(false)
            }
            // `pub(crate)` is not public.
            (Token::Word("pub"), Some(_)) => Some(!skip_brackets(&mut tokens, ['(', ')'])),
            (Token::Word("mod"), Some(is_public)) => {
                let Some(Token::Word(name)) = tokens.next_if(|next| matches!(next, Token::Word(_))) else {
                    begun = None;
                    continue;
                };
                let has_body = tokens.peek() == Some(&Token::Mark('{'));
                if has_body || tokens.peek() == Some(&Token::Mark(';')) {
                    let module = InnerModule { within: within(), name: name.to_owned(), is_public };
                    exports.modules.push(module);
                }
                if tokens.next_if_eq(&Token::Mark('{')).is_some() {
                    open.push(Some(name));
                    Some(false)
                } else {
                    None
                }
            }
            (Token::Word("use"), Some(true)) => {
                let tree = statement(&mut tokens);
                names("", &tree, &within(), &mut exports.reexports, 0);
                Some(false)
            }
            (Token::Mark('{'), _) => {
                open.push(None);
                Some(false)
            }
            (Token::Mark('}'), _) => {
                open.pop();
                Some(false)
            }
            (Token::Mark(';'), _) => Some(false),
            _ => None,
        };
    }
    exports
}

/// Leaves out what is in brackets, if the next token opens some; returns whether it does.
fn skip_brackets<'t>(
    tokens: &mut std::iter::Peekable<impl Iterator<Item = Token<'t>>>,
    [first, last]: [char; 2],
) -> bool {
    let mut depth = 0usize;
    let mut has_any = false;
    while let Some(token) = tokens.next_if(|token| depth > 0 || *token == Token::Mark(first)) {
        has_any = true;
        if token == Token::Mark(first) {
            depth += 1;
        } else if token == Token::Mark(last) {
            depth -= 1;
            if depth == 0 {
                break;
            }
        }
    }
    has_any
}

/// Returns a statement up to its semicolon, without comments; empty if it is too long, or has none.
fn statement<'t>(tokens: &mut impl Iterator<Item = Token<'t>>) -> String {
    let mut text = String::new();
    let mut was_word = false;
    for token in tokens {
        match token {
            Token::Mark(';') if text.len() <= MAX_STATEMENT => return text,
            Token::Mark(';') => return String::new(),
            // Its tokens are left out until it ends.
            _ if text.len() > MAX_STATEMENT => {}
            Token::Mark(mark) => text.push(mark),
            Token::Word(word) => {
                if was_word {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
        was_word = matches!(token, Token::Word(_));
    }
    String::new()
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
            // A literal at the beginning of a line does not end the module.
            (
                "mod a {\n    const S: &str = \"\n}\n\";\npub use b::C;\n}\npub use a::D;\n",
                &["a: b C", "a D"],
            ),
            ("mod a { pub use b::C; fn f() { let c = '}'; } pub use b::E; }\n", &["a: b C", "a: b E"]),
            ("cfg_rt! {\n    mod a;\n    pub use a::B;\n}\n", &["a B"]),
            ("/* pub use a::B; */\n// pub use a::C;\nconst S: &str = \"\npub use a::D;\n\";\n", &[]),
            ("pub use r#type::{r#fn as call};\n", &["type fn as call"]),
            ("pub use a::B\n", &[]),
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

    #[test]
    fn a_module_ends_where_its_brace_is_closed() {
        let text = "mod a {\nconst S: &str = \"\n}\n\";\n    #[cfg(unix)]\npub mod b { pub struct C { d: u8 } }\n}\nmod e { mod f {} }\nmod g;\n";
        let read = ModuleExports::of(ModuleLanguage::Rust, text).modules;
        let read: Vec<(String, &str)> =
            read.iter().map(|one| (one.within.join("::"), one.name.as_str())).collect();
        let expected = [("", "a"), ("a", "b"), ("", "e"), ("e", "f"), ("", "g")];
        assert_eq!(read, expected.map(|(within, name)| (within.to_owned(), name)));
    }

    #[test]
    fn a_statement_has_a_limit() {
        let list = |n: usize| format!("pub use a::{{{}}};\npub use b::C;\n", "N, ".repeat(n));
        assert_eq!(reexports(ModuleLanguage::Rust, &list(9_000)).len(), 9_001);
        assert_eq!(reexports(ModuleLanguage::Rust, &list(11_000)), ["b C"]);
        let nested = |n: usize| format!("pub use {}B{};\n", "a::{".repeat(n), "}".repeat(n));
        assert_eq!(reexports(ModuleLanguage::Rust, &nested(16)).len(), 1);
        assert_eq!(reexports(ModuleLanguage::Rust, &nested(17)).len(), 0);
    }
}
