//! Whether a declaration is part of what others may use: a declaration in its text → a
//! [`Visibility`].
//!
//! By the rules of its language, as far as one file tells: `pub` in Rust, a capital letter in Go, a
//! leading underscore in Python, `export` in JavaScript, access modifiers and sections elsewhere.
//! What is declared in a function or in something internal is internal.
//!
//! In some languages, other files have a say: a module may be private itself, and another one may
//! hand its names on. `commit` asks `reach` about that, for the declarations of a changelog only.

mod commit;
mod exports;
mod module_path;
mod reach;

use serde::Serialize;

use crate::base::text::words;
use crate::index::chunk::{ByteRange, DeclarationKind, embedded_language};

pub(super) use commit::hide_unreachable;
pub(super) use exports::ModuleLanguage;

/// Whether others may use a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// They may.
    Public,
    /// They may not.
    Internal,
    /// The language has no rule that one file tells.
    #[default]
    Unknown,
}

impl Visibility {
    /// Returns its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Unknown => "unknown",
        }
    }
}

/// A declaration in its text.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeclarationText<'t> {
    pub(super) language: &'t str,
    /// The path of its file.
    pub(super) path: &'t str,
    pub(super) text: &'t str,
    pub(super) name: &'t str,
    /// The type or namespace that it belongs to without being nested in it.
    pub(super) scope: &'t str,
    pub(super) kind: DeclarationKind,
    pub(super) whole: ByteRange,
    pub(super) signature: ByteRange,
}

/// The declaration around another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Container<'t> {
    pub(super) kind: DeclarationKind,
    pub(super) visibility: Visibility,
    pub(super) whole: ByteRange,
    pub(super) signature: &'t str,
}

/// The outermost declaration around another, or that one itself: others need its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OutermostName {
    /// The modules around it in its file, in Rust.
    pub(super) within: Vec<String>,
    pub(super) name: String,
}

/// Returns whether others may use a declaration, as far as its file tells. A private module of Rust
/// in the same file is like one that has its own file.
pub(super) fn visibility(one: &DeclarationText<'_>, around: Option<Container<'_>>) -> Visibility {
    use DeclarationKind as K;
    let is_embedded = embedded_language(one.scope).is_some();
    if is_embedded || matches!(one.kind, K::Test | K::Section | K::Key | K::Rule | K::Element) {
        return Visibility::Unknown;
    }
    if around.is_some_and(|around| matches!(around.kind, K::Function | K::Method | K::Constructor)) {
        return Visibility::Internal;
    }
    let own = own(one, around);
    let is_module = |around: &Container<'_>| one.language == "rust" && around.kind == K::Module;
    match around.filter(|around| !is_module(around)).map(|around| around.visibility) {
        Some(Visibility::Internal) => Visibility::Internal,
        _ => own,
    }
}

fn own(one: &DeclarationText<'_>, around: Option<Container<'_>>) -> Visibility {
    use DeclarationKind as K;
    let raw = before_name(one);
    let head = split(raw);
    let has = |words: &[&str]| head.iter().any(|word| words.contains(word));
    let of = |is_public: bool| if is_public { Visibility::Public } else { Visibility::Internal };
    let in_interface = around.is_some_and(|around| around.kind == K::Interface);
    let underscored = one.name.starts_with('_') && !(one.name.starts_with("__") && one.name.ends_with("__"));
    match one.language {
        "rust" => match one.kind {
            K::Variant => Visibility::Public,
            K::Implementation => of_implementation(one),
            K::Macro => of(one.whole.of(one.text).contains("macro_export")),
            // Members of a trait and of its implementations have no modifiers.
            _ if in_interface => Visibility::Public,
            _ => match around.filter(is_trait_implementation) {
                Some(around) => around.visibility,
                // `pub(crate)` is another word.
                None => of(raw.split_whitespace().any(|word| word == "pub")),
            },
        },
        "go" => {
            let is_exported = |name: &str| name.chars().next().is_some_and(char::is_uppercase);
            let owner = one.scope.trim_start_matches('*');
            let is_internal = one.path.split('/').rev().skip(1).any(|folder| folder == "internal");
            of(is_exported(one.name) && (owner.is_empty() || is_exported(owner)) && !is_internal)
        }
        "python" => of(!underscored),
        // A variable of a shell script is a detail, unless other programs inherit it.
        "bash" if matches!(one.kind, K::Variable | K::Constant) => of(is_inherited(&head)),
        "dart" | "julia" | "bash" => of(!one.name.starts_with('_')),
        "javascript" | "typescript" | "tsx" | "jsx" => match around {
            Some(around) if around.kind != K::Module => {
                of(!has(&["private", "protected"]) && !one.name.starts_with('#'))
            }
            _ => of(has(&["export", "declare"]) || is_exported_later(one, &head)),
        },
        "java" => of(in_interface && !has(&["private"]) || has(&["public", "protected"])
            // Constants of an enum have no modifiers.
            || one.kind == K::Variant),
        "c-sharp" | "razor" => of(in_interface || has(&["public", "protected"]) || one.kind == K::Variant),
        "kotlin" | "scala" => {
            of(!has(&["private", "internal"]) && !head.iter().any(|word| word.starts_with("private[")))
        }
        "php" => of(!has(&["private", "protected"])),
        "swift" => {
            let in_public = around.is_some_and(|around| around.visibility == Visibility::Public);
            of(has(&["public", "open"]) || (in_interface || one.kind == K::Variant) && in_public)
        }
        "c" => of(!has(&["static"])),
        "cpp" => match around.filter(|around| matches!(around.kind, K::Class | K::Struct | K::Union)) {
            Some(around) => of(section(one, around).unwrap_or(around.kind != K::Class)),
            None => of(!has(&["static"])),
        },
        "ruby" => of(around.is_none_or(|around| is_public_in_ruby(one, around)) && !has(&["private"])),
        "lua" => of(!has(&["local"])),
        "elixir" => of(!has(&["defp", "defmacrop", "@typep"])),
        "zig" => of(has(&["pub", "export"])),
        "ocaml-interface" | "sql" => Visibility::Public,
        _ => Visibility::Unknown,
    }
}

/// The text before the name of a declaration, from the beginning of its line.
fn before_name<'t>(one: &DeclarationText<'t>) -> &'t str {
    let start = if one.signature.is_empty() { one.whole.start } else { one.signature.start } as usize;
    let line = one.text.get(..start).map_or(0, |before| before.rfind('\n').map_or(0, |at| at + 1));
    let text = one.text.get(line..one.whole.end as usize).unwrap_or_default();
    text.get(..words(text, one.name).next().unwrap_or(0)).unwrap_or_default()
}

/// The words of a text, without brackets.
fn split(text: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | ';');
    text.split(is_end).filter(|word| !word.is_empty()).collect()
}

/// Whether the words before a variable of a shell script hand it to other programs.
fn is_inherited(head: &[&str]) -> bool {
    let is_flag = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains('x');
    match head.first() {
        Some(&"export") => true,
        Some(&("declare" | "typeset")) => head.iter().skip(1).any(is_flag),
        _ => false,
    }
}

/// The visibility of an `impl` of Rust: public if its type is, and its trait unless another file
/// declares that.
fn of_implementation(one: &DeclarationText<'_>) -> Visibility {
    let of_trait = one.signature.of(one.text).split_once(" for ").map(|(head, _)| last_name(head));
    let of_trait = of_trait.and_then(|name| is_public_type(one.text, name));
    match (is_public_type(one.text, one.name), of_trait) {
        (Some(false), _) | (_, Some(false)) => Visibility::Internal,
        (Some(true), _) => Visibility::Public,
        (None, _) => Visibility::Unknown,
    }
}

/// The last name of a path in Rust, without its arguments: `From` of `impl<T> a::From<Vec<T>>`.
fn last_name(path: &str) -> &str {
    let mut end = path.trim_end().len();
    if path.trim_end().ends_with('>') {
        let mut depth = 0usize;
        for (at, c) in path.char_indices().rev() {
            match c {
                '>' => depth += 1,
                '<' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if c == '<' && depth == 0 {
                end = at;
                break;
            }
        }
    }
    let path = path.get(..end).unwrap_or_default().trim_end();
    path.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

/// Whether a text of Rust declares a type or trait as public; `None` if it declares none of that
/// name.
fn is_public_type(text: &str, name: &str) -> Option<bool> {
    let mut found = None;
    for at in words(text, name) {
        let line = text.get(..at).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        // A line may have several declarations.
        let head = line.rsplit(['{', '}', ';']).next().unwrap_or_default();
        let is_declared = match head.split_whitespace().next_back() {
            Some("struct" | "enum" | "union" | "trait") => !line.trim_start().starts_with("//"),
            // Inside of braces, it is a member of a trait.
            Some("type") => head.len() == line.len() && line.starts_with(char::is_alphabetic),
            _ => false,
        };
        if is_declared {
            let is_public = head.split_whitespace().any(|word| word == "pub");
            found = Some(is_public || found == Some(true));
        }
    }
    found
}

/// Whether an implementation of Rust is one of a trait.
fn is_trait_implementation(around: &Container<'_>) -> bool {
    around.kind == DeclarationKind::Implementation && around.signature.contains(" for ")
}

/// Whether a top-level declaration of JavaScript is exported elsewhere in its file.
fn is_exported_later(one: &DeclarationText<'_>, head: &[&str]) -> bool {
    let is_assigned =
        head.iter().any(|word| word.starts_with("exports.") || word.starts_with("module.exports"));
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let names = |list: &str| list.split(|c: char| !is_word(c)).any(|word| word == one.name);
    is_assigned
        || one.text.match_indices("export {").any(|(at, mark)| {
            let list = one.text.get(at + mark.len()..).unwrap_or_default();
            list.find('}').and_then(|end| list.get(..end)).is_some_and(names)
        })
        || one.text.match_indices("export default ").any(|(at, mark)| {
            let rest = one.text.get(at + mark.len()..).unwrap_or_default();
            rest.split(|c: char| !is_word(c)).next() == Some(one.name)
        })
        || one.text.match_indices("module.exports").any(|(at, mark)| {
            let list = one.text.get(at + mark.len()..).unwrap_or_default();
            let end = if list.trim_start_matches([' ', '=']).starts_with('{') {
                list.find('}')
            } else {
                list.find('\n')
            };
            list.get(..end.unwrap_or(list.len())).is_some_and(names)
        })
        || one.text.contains(&format!("exports.{} =", one.name))
}

/// Whether the section of a C++ class that a member is in is public; `None` before the first one.
fn section(one: &DeclarationText<'_>, around: Container<'_>) -> Option<bool> {
    let before = between(one, around);
    let last = |label: &str| before.rmatch_indices(label).map(|(at, _)| at).next();
    let [public, private, protected] = ["public:", "private:", "protected:"].map(last);
    let last = public.max(private).max(protected)?;
    Some(private != Some(last))
}

/// Whether a method of Ruby is public: no line of its class before it says otherwise.
fn is_public_in_ruby(one: &DeclarationText<'_>, around: Container<'_>) -> bool {
    let mut lines = between(one, around).lines().map(str::trim);
    let last = lines.rfind(|line| matches!(*line, "private" | "protected" | "public"));
    last.is_none_or(|line| line == "public")
}

/// The text from the beginning of the container to the declaration.
fn between<'t>(one: &DeclarationText<'t>, around: Container<'_>) -> &'t str {
    one.text.get(around.whole.start as usize..one.whole.start as usize).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    /// The visibility of each declaration of a text, by name.
    fn all(language: &str, path: &str, text: &str) -> Vec<(String, Visibility)> {
        let known = Language::from_name(language).unwrap();
        let chunked = chunk(known, text, &ChunkOptions::default());
        let mut found: Vec<(String, Visibility)> = Vec::new();
        for one in &chunked.declarations {
            let around = one.parent.map(|parent| {
                let around = &chunked.declarations[parent as usize];
                Container {
                    kind: around.kind,
                    visibility: found[parent as usize].1,
                    whole: around.span.bytes,
                    signature: around.signature.of(text),
                }
            });
            let declared = DeclarationText {
                language,
                path,
                text,
                name: &one.name,
                scope: &one.scope,
                kind: one.kind,
                whole: one.span.bytes,
                signature: one.signature,
            };
            found.push((one.name.clone(), visibility(&declared, around)));
        }
        found
    }

    /// Language, file, text, and the names that others may and may not use.
    type Case = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

    const CASES: [Case; 16] = [
        (
            "rust",
            "a.rs",
            "pub struct A;\nstruct B;\npub fn c() { fn d() {} }\npub(crate) fn e() {}\nimpl Clone for A { fn clone(&self) -> A { A } }\npub trait T { fn f(&self); }\n",
            &["A", "c", "A", "clone", "T", "f"],
            &["B", "d", "e"],
        ),
        (
            "go",
            "a.go",
            "package a\n\nfunc Get() {}\n\nfunc put() {}\n\ntype T struct{}\n\nfunc (t *T) Do() {}\n\ntype u struct{}\n\nfunc (t u) Do2() {}\n",
            &["Get", "T", "Do"],
            &["put", "u", "Do2"],
        ),
        (
            "python",
            "a.py",
            "def f():\n    def g():\n        pass\n\n\ndef _h():\n    pass\n\n\nclass A:\n    def __init__(self):\n        pass\n\n    def _i(self):\n        pass\n",
            &["f", "A", "__init__"],
            &["g", "_h", "_i"],
        ),
        ("go", "web/internal/a/a.go", "package a\n\nfunc Get() {}\n", &[], &["Get"]),
        ("rust", "b.rs", "mod a {\n    pub struct A;\n    struct B;\n}\n", &["A"], &["a", "B"]),
        (
            "typescript",
            "a.ts",
            "export function f() {}\nfunction g() {}\nfunction h() {}\nexport { h };\nexport class A {\n  private m() {}\n  n() {}\n}\nexport const k = () => 1;\n",
            &["f", "h", "A", "n", "k"],
            &["g", "m"],
        ),
        (
            "javascript",
            "a.js",
            "function f() {}\nfunction g() {}\nexports.h = function () {};\nmodule.exports = { f };\n",
            &["f", "h"],
            &["g"],
        ),
        (
            "java",
            "A.java",
            "public class A {\n  public void f() {}\n  void g() {}\n  private int h() { return 1; }\n  protected void i() {}\n}\npublic interface I {\n  void j();\n}\nclass B {\n  public void k() {}\n}\n",
            &["A", "f", "i", "I", "j"],
            &["g", "h", "B", "k"],
        ),
        ("kotlin", "a.kt", "fun f() {}\nprivate fun g() {}\ninternal fun h() {}\n", &["f"], &["g", "h"]),
        ("c", "a.c", "int f(void) { return 1; }\nstatic int g(void) { return 1; }\n", &["f"], &["g"]),
        (
            "cpp",
            "a.hpp",
            "class A {\n  int f() { return 1; }\npublic:\n  int g() { return 1; }\nprivate:\n  int h() { return 1; }\n};\nstruct B {\n  int i() { return 1; }\n};\n",
            &["A", "g", "B", "i"],
            &["f", "h"],
        ),
        (
            "ruby",
            "a.rb",
            "class A\n  def f\n    1\n  end\n\n  private\n\n  def g\n    1\n  end\nend\n",
            &["A", "f"],
            &["g"],
        ),
        (
            "php",
            "a.php",
            "<?php\nclass A {\n  public function f() { return 1; }\n  private function g() { return 1; }\n}\n",
            &["A", "f"],
            &["g"],
        ),
        (
            "elixir",
            "a.ex",
            "defmodule A do\n  def f(x), do: x\n  defp g(x), do: x\nend\n",
            &["A", "f"],
            &["g"],
        ),
        (
            "swift",
            "a.swift",
            "public class A {\n  public func f() {}\n  func g() {}\n}\nfunc h() {}\n",
            &["A", "f"],
            &["g", "h"],
        ),
        (
            "c-sharp",
            "A.cs",
            "public class A {\n  public void F() {}\n  void G() {}\n  internal void H() {}\n}\n",
            &["A", "F"],
            &["G", "H"],
        ),
    ];

    #[test]
    fn an_implementation_is_as_visible_as_its_type_and_its_trait() {
        let text = "pub struct A<T>(T);\npub(crate) struct B;\npub trait P { type B; }\ntrait Q<T> {}\n";
        for (head, expected) in [
            ("impl<T> A<T>", Visibility::Public),
            ("impl<T> From<Vec<A<T>>> for A<T>", Visibility::Public),
            ("impl<T> P for A<T>", Visibility::Public),
            ("impl<T> Q<Vec<T>> for A<T> where T: for<'a> Fn(&'a str)", Visibility::Internal),
            ("impl B", Visibility::Internal),
            ("impl P for B", Visibility::Internal),
            ("impl P for Elsewhere", Visibility::Unknown),
            ("impl Elsewhere", Visibility::Unknown),
        ] {
            let text = format!("{text}{head} {{\n    fn f(&self) {{}}\n}}\n");
            let all = all("rust", "a.rs", &text);
            let [.., (_, of_impl), (_, of_member)] = all.as_slice() else { panic!("{all:?}") };
            let is_trait = head.contains(" for ");
            assert_eq!(*of_impl, expected, "{head}");
            assert_eq!(*of_member, if is_trait { expected } else { Visibility::Internal }, "{head}");
        }
    }

    #[test]
    fn each_language_has_its_rules() {
        let mut wrong = Vec::new();
        for (language, path, text, public, internal) in CASES {
            // Built without these.
            if cfg!(not(feature = "lang-all")) && ["c-sharp", "elixir", "kotlin", "swift"].contains(&language)
            {
                continue;
            }
            let all = all(language, path, text);
            let of = |visibility: Visibility| -> Vec<&str> {
                all.iter().filter(|one| one.1 == visibility).map(|one| one.0.as_str()).collect()
            };
            if (of(Visibility::Public), of(Visibility::Internal)) != (public.to_vec(), internal.to_vec()) {
                wrong.push(format!("{language}: {all:?}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
