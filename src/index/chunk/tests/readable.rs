//! Tests of places that a grammar cannot read, and what is declared around them.

use super::super::{ChunkOptions, Language, ReferenceKind, chunk};
use super::declarations::check;

#[test]
fn a_declaration_of_kotlin_behind_several_annotations() {
    check(&[
        (
            "kotlin",
            "@Service\n@Transactional\nclass S {\n    fun a() {}\n}\n\nprivate fun helper() = 1\n",
            &["class S", "method S.a", "function helper"],
        ),
        (
            "kotlin",
            "@A @B(\"t\") internal class C {}\n@A(b = true) @B private fun d() {}\n@A @B(1) private val e = 1\n@A @B interface F\n@A(1) @B(2)\nannotation class G\n@A /* h */\n@B\nenum class I { J }\nfun k() {}\n",
            &["class C", "function d", "variable e", "interface F", "class G", "enum I", "function k"],
        ),
    ]);
    let language = Language::from_name("kotlin").unwrap();
    if language.lacks_grammar() {
        return;
    }
    let text = "/** G. */\n@A(1)\n@B class G\n";
    let file = chunk(language, text, &ChunkOptions::default());
    let signatures: Vec<&str> = file.declarations.iter().map(|one| one.signature.of(text)).collect();
    assert_eq!(signatures, ["class G"]);
    let text = "@A\n@x.B(1) // c\n@get:D @[E F(2)]\nclass G\n";
    let file = chunk(language, text, &ChunkOptions::default());
    let called = file.references.iter().filter(|one| one.kind == ReferenceKind::Call);
    let called: Vec<(&str, &str)> = called.map(|one| (&*one.qualifier, &*one.name)).collect();
    assert_eq!(called, [("", "A"), ("x", "B"), ("", "D"), ("", "E"), ("", "F")]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    check(&[
        ("bash", "\u{feff}f() {\n  echo\n}\n", &["function f"]),
        ("makefile", "\u{feff}a: b\n\techo\n", &["function a"]),
        ("scss", "\u{feff}.a { b: c }\n", &["rule .a"]),
        ("ini", "\u{feff}[a]\nb=1\n", &["key a", "key a.b"]),
        ("dockerfile", "\u{feff}FROM a AS b\n", &["module b"]),
    ]);
}
