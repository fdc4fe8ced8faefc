//! Tests of visibility in each language.

use super::*;
use crate::index::chunk::{ChunkOptions, Language, chunk};

/// The visibility of each declaration of a text, by name.
fn all(language: &str, path: &str, text: &str) -> Vec<(String, Visibility)> {
    let known = Language::from_name(language).unwrap();
    let chunked = chunk(known, text, &ChunkOptions::default());
    let all: Vec<DeclarationText<'_>> = chunked
        .declarations
        .iter()
        .map(|one| DeclarationText {
            name: &one.name,
            scope: &one.scope,
            kind: one.kind,
            parent: one.parent,
            whole: one.span.bytes,
            signature: one.signature,
        })
        .collect();
    let names = chunked.declarations.iter().map(|one| one.name.clone());
    names.zip(visibilities(SourceText { language, path, text }, &all)).collect()
}

/// Language, file, text, and the names that others may and may not use.
type Case = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

const CASES: [Case; 28] = [
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
    ("elixir", "a.ex", "defmodule A do\n  def f(x), do: x\n  defp g(x), do: x\nend\n", &["A", "f"], &["g"]),
    (
        "swift",
        "a.swift",
        "public class A {\n  public func f() {}\n  func g() {}\n}\nfunc h() {}\n",
        &["A", "f"],
        &["g", "h"],
    ),
    ("objective-c", "A.h", "@interface A : B\n- (void)f;\n@end\nint g(void);\n", &["A", "f", "g"], &[]),
    (
        "objective-c",
        "A.m",
        "@implementation A\n- (void)f {\n}\n@end\nstatic int h(void) { return 1; }\n",
        &[],
        &["h"],
    ),
    (
        "c-sharp",
        "A.cs",
        "public class A {\n  public void F() {}\n  void G() {}\n  internal void H() {}\n}\n",
        &["A", "F"],
        &["G", "H"],
    ),
    (
        "c-sharp",
        "B.cs",
        "namespace N { public class A { public int F() { return 1; } int G() { return 1; }\n\
         private protected void H() {}\n protected internal void I() {} } }\n",
        &["N", "A", "F", "I"],
        &["G", "H"],
    ),
    (
        "ruby",
        "b.rb",
        "class A\n  class B\n    def b\n    end\n\n    private\n\n    def c\n    end\n  end\n\n  def d\n  end\n\n\
         \x20 class << self\n    def e\n    end\n\n    private\n\n    def f\n    end\n  end\n\n  def g\n  end\nend\n",
        &["A", "B", "b", "d", "e", "g"],
        &["c", "f"],
    ),
    (
        "ruby",
        "e.rb",
        "class A\n  class << self\n    private\n    if x then y end\n    def a\n    end\n  end\n\n  def b\n  end\nend\n",
        &["A", "b"],
        &["a"],
    ),
    (
        "ruby",
        "c.rb",
        "class A\n  private # below\n\n  def self.make\n  end\n\n  LIMIT = 1\n\n  def a\n  end\n\n  public\n\n\
         \x20 def b\n  end\n  private def c\n  end\n  attr_reader :d, :e\n  private :b,\n    :d\nend\n",
        &["A", "make", "LIMIT", "e"],
        &["a", "b", "c", "d"],
    ),
    (
        "ruby",
        "d.rb",
        "module M\n  def self.a\n  end\n  private_class_method :a\n  private_class_method def self.b\n  end\n\
         \x20 B = 1\n  C = 2\n  private_constant :C\n  if x\n    private\n  end\n  def d\n  end\nend\n",
        &["M", "B"],
        &["a", "b", "C", "d"],
    ),
    (
        "cpp",
        "b.hpp",
        "class A {\npublic:\n  class B {\n    int a() { return 1; }\n  public:\n    int b() { return 1; }\n\
         \x20 private: // none: public:\n    int c() { return 1; }\n  };\n  int d() { return 1; }\n\
         private slots:\n  int e() { return 1; }\n};\n",
        &["A", "B", "b", "d"],
        &["a", "c", "e"],
    ),
    (
        "cpp",
        "b.cc",
        "namespace n {\nnamespace {\nint a() { return 1; }\nstruct B { int c() { return 1; } };\n}  // namespace\n\
         int d() { return 1; }\n}\nnamespace {\nint e() { return 1; }\n}\nint f() { return '{'; }\nint A::g() { return 1; }\n",
        &["n", "d", "f"],
        &["a", "B", "c", "e"],
    ),
    (
        "swift",
        "b.swift",
        "public struct A {}\nstruct B {}\nextension A { public func a() {}\n  func b() {} }\n\
         extension B { public func c() {} }\npublic extension Other { func d() {}\n  private func e() {} }\n\
         extension Other { public func f() {}\n  func g() {} }\n",
        &["A", "A", "a", "Other", "d", "f"],
        &["B", "b", "B", "c", "e", "g"],
    ),
    (
        "java",
        "B.java",
        "public class A { int f() { return 1; } public void g() {} void h() {} }\n",
        &["A", "g"],
        &["f", "h"],
    ),
    (
        "javascript",
        "b.js",
        "export const f = 1, g = 2;\nconst h = 3;\nexport class A {}\n",
        &["f", "g", "A"],
        &["h"],
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
        let optional = ["c-sharp", "elixir", "kotlin", "objective-c", "swift"];
        if cfg!(not(feature = "lang-all")) && optional.contains(&language) {
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
