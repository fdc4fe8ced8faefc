//! Other names for a type: members of the type are meant behind them.

use super::{Relation, check_in, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[test]
fn an_alias_has_the_members_of_its_type() {
    callers(
        &[
            (
                "a.ts",
                "export class Cart { pay() {} }\nexport class Shop { pay() {} }\nexport type Basket = Cart;\n\
                 export type Either = Cart | Shop;\n",
            ),
            (
                "b.ts",
                "import { Basket, Either } from './a';\nfunction f(b: Basket) { b.pay(); }\n\
                 function g(b: Either) { b.pay(); }\n",
            ),
        ],
        &[("a.ts:1", &["b.ts:2", "b.ts:3 ?"]), ("a.ts:2", &["b.ts:3 ?"])],
    );
    callers(
        &[(
            "a.rs",
            "pub struct Cart;\nimpl Cart {\n    pub fn pay(&self) {}\n    pub fn make() -> Cart { Cart }\n}\n\
             pub struct Shop;\nimpl Shop {\n    pub fn pay(&self) {}\n    pub fn make() -> Shop { Shop }\n}\n\
             pub type Basket = std::sync::Arc<Cart>;\nfn f(b: &Basket) {\n    b.pay();\n    Basket::make();\n}\n",
        )],
        &[("a.rs:3", &["a.rs:13"]), ("a.rs:4", &["a.rs:14"]), ("a.rs:8", &[]), ("a.rs:9", &[])],
    );
    callers(
        &[(
            "a.go",
            "package a\n\ntype Cart struct{}\n\nfunc (c *Cart) Pay() {}\n\ntype Shop struct{}\n\n\
             func (s *Shop) Pay() {}\n\ntype Basket = Cart\n\nfunc f(b *Basket) { b.Pay() }\n",
        )],
        &[("a.go:5", &["a.go:13"]), ("a.go:9", &[])],
    );
    callers(
        &[
            (
                "a.hpp",
                "struct Cart {\n  void pay();\n  static Cart make();\n};\nstruct Shop {\n  void pay();\n  \
                 static Shop make();\n};\nusing Basket = Cart;\ntypedef Shop *Store;\n",
            ),
            (
                "a.cpp",
                "#include \"a.hpp\"\nvoid f(Basket& b, Store s) {\n  b.pay();\n  s->pay();\n  Basket::make();\n}\n",
            ),
        ],
        &[("a.hpp:2", &["a.cpp:3"]), ("a.hpp:3", &["a.cpp:5"]), ("a.hpp:6", &["a.cpp:4"]), ("a.hpp:7", &[])],
    );
}

#[test]
fn an_alias_is_no_subtype() {
    let files = [(
        "a.ts",
        "export interface Run {\n  go(): void\n}\nexport type Walk = Run;\nexport class Dog implements Run {\n  go() {}\n}\n",
    )];
    check_in(&sources(&files), &files, Relation::Implementers, " ?", &[("a.ts:1", &["a.ts:5"])]);
}

#[cfg(feature = "lang-all")]
#[test]
fn aliases_of_other_languages_have_the_members_of_their_types() {
    callers(
        &[(
            "a.kt",
            "class Cart { fun pay() {} }\nclass Shop { fun pay() {} }\ntypealias Basket = Cart\nfun f(b: Basket) { b.pay() }\n",
        )],
        &[("a.kt:1", &["a.kt:4"]), ("a.kt:2", &[])],
    );
    callers(
        &[(
            "a.swift",
            "class Cart {\n  func pay() {}\n}\nclass Shop {\n  func pay() {}\n}\ntypealias Basket = Cart\nfunc f(b: Basket) { b.pay() }\n",
        )],
        &[("a.swift:2", &["a.swift:8"]), ("a.swift:5", &[])],
    );
    callers(
        &[(
            "a.dart",
            "class Cart {\n  void pay() {}\n}\nclass Shop {\n  void pay() {}\n}\ntypedef Basket = Cart;\nvoid f(Basket b) {\n  b.pay();\n}\n",
        )],
        &[("a.dart:2", &["a.dart:9"]), ("a.dart:5", &[])],
    );
    callers(
        &[(
            "a.scala",
            "class Cart {\n  def pay() = 1\n}\nclass Shop {\n  def pay() = 1\n}\nobject Till {\n  type Basket = Cart\n  def f(b: Basket) = b.pay()\n}\n",
        )],
        &[("a.scala:2", &["a.scala:9"]), ("a.scala:5", &[])],
    );
}
