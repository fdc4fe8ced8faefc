//! Objects whose type a test, a conversion or a pattern shows.

use super::{Relation, check_in, sources};

/// Checks on which lines of a text the method `pay` of `Cart` and that of `Bank` are certainly
/// called. The first file declares both, each method in the line that is given
/// with it.
fn check(files: [(&str, &str); 2], calls: [(u32, &[u32]); 2]) {
    let [types, text] = files;
    for (line, calls) in calls {
        let mut expected: Vec<String> = calls.iter().map(|call| format!("{}:{call}", text.0)).collect();
        expected.sort();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        let place = format!("{}:{line}", types.0);
        check_in(&sources(&files), &files, Relation::Callers, " ?", &[(&place, &expected)]);
    }
}

#[test]
fn tests_of_types_in_typescript() {
    let types = "export class Cart {\n  pay() {}\n}\nexport class Bank {\n  pay() {}\n}\n";
    let text = r#"import { Cart, Bank } from "./types";
function a(x: unknown) { if (x instanceof Cart) { x.pay(); } }
function b(x: unknown) { if (!(x instanceof Cart)) return; x.pay(); }
function c(x: unknown) { if (x instanceof Bank && x.pay()) { return; } }
function d(x: unknown) { return x instanceof Bank ? x.pay() : 1; }
function e(x: unknown) { if (!(x instanceof Bank)) { return 1; } else { x.pay(); } }
class Shop { f(x: unknown) { if (x instanceof Cart) { x.pay(); } } }
"#;
    check([("types.ts", types), ("use.ts", text)], [(2, &[2, 3, 7]), (5, &[4, 5, 6])]);
    check(
        [("types.js", types), ("use.js", &text.replace(": unknown", ""))],
        [(2, &[2, 3, 7]), (5, &[4, 5, 6])],
    );
}

#[test]
fn tests_of_types_in_python() {
    let types = "class Cart:\n    def pay(self): pass\nclass Bank:\n    def pay(self): pass\n";
    let text = "from types_ import Cart, Bank
def a(x):
    if isinstance(x, Cart):
        x.pay()
def b(x):
    assert isinstance(x, Cart)
    x.pay()
def c(x):
    if not isinstance(x, Bank):
        return
    x.pay()
def d(x):
    if x is None:
        return
    elif isinstance(x, Bank) and x.ok:
        x.pay()
def e(x):
    return x.pay() if isinstance(x, Bank) else 1
";
    check([("types_.py", types), ("use.py", text)], [(2, &[4, 7]), (4, &[11, 16, 18])]);
}

#[cfg(feature = "lang-all")]
#[test]
fn tests_of_types_in_kotlin_dart_and_php() {
    let kotlin = "class Cart {\n  fun pay() {}\n}\nclass Bank {\n  fun pay() {}\n}\n";
    let text = "fun a(x: Any) { if (x is Cart) { x.pay() } }
fun b(x: Any) { if (x !is Cart) return; x.pay() }
fun c(x: Any) {
  when (x) {
    is Cart -> x.pay()
    is Bank -> x.pay()
  }
}
";
    check([("Types.kt", kotlin), ("Use.kt", text)], [(2, &[1, 2, 5]), (5, &[6])]);
    let dart = "class Cart {\n  void pay() {}\n}\nclass Bank {\n  void pay() {}\n}\n";
    let text = "import 'types.dart';
void a(Object x) { if (x is Cart) { x.pay(); } }
void b(Object x) { if (x is! Bank) return; x.pay(); }
";
    check([("types.dart", dart), ("use.dart", text)], [(2, &[2]), (5, &[3])]);
    let php = "<?php\nclass Cart {\n  function pay() {}\n}\nclass Bank {\n  function pay() {}\n}\n";
    let text = "<?php
function a($x) { if ($x instanceof Cart) { $x->pay(); } }
function b($x) { if (!$x instanceof Bank) { return; } $x->pay(); }
function c($x) { if ($x instanceof Bank && $x->ok()) { $x->pay(); } }
";
    check([("Types.php", php), ("Use.php", text)], [(3, &[2]), (6, &[3, 4])]);
}

#[cfg(feature = "lang-all")]
#[test]
fn conversions_and_patterns() {
    let cpp = "struct Cart {\n  void pay();\n};\nstruct Bank {\n  void pay();\n};\n";
    let text = r#"#include "types.hpp"
void a(void* x) { static_cast<Cart*>(x)->pay(); }
void b(void* x) { auto c = dynamic_cast<Cart*>(x); c->pay(); }
void c(void* x) { ((Bank*) x)->pay(); }
void d(void* x) { if (auto c = dynamic_cast<Bank*>(x)) c->pay(); }
void e() { auto c = std::make_unique<Cart>(); c->pay(); }
"#;
    check([("types.hpp", cpp), ("use.cpp", text)], [(2, &[2, 3, 6]), (5, &[4, 5])]);
    let swift = "class Cart {\n  func pay() {}\n}\nclass Bank {\n  func pay() {}\n}\n";
    let text = "func a(x: Any) { (x as! Cart).pay() }
func b(x: Any) { if let c = x as? Cart { c.pay() } }
func c(x: Cart?) { guard let c = x else { return }; c.pay() }
func d(x: Bank?) { if let x { x.pay() } }
func e(x: Any) { guard let c = x as? Bank, c.ok else { return }; c.pay() }
";
    check([("Types.swift", swift), ("Use.swift", text)], [(2, &[1, 2, 3]), (5, &[4, 5])]);
    let rust = "pub struct Cart;\nimpl Cart {\n    pub fn pay(&self) {}\n}\npub struct Bank;\nimpl Bank {\n    pub fn pay(&self) {}\n}\n";
    let text = "use crate::types::{Bank, Cart};
fn a(x: Option<Cart>) { if let Some(c) = x { c.pay(); } }
fn b(x: Option<Cart>) { let Some(c) = x else { return }; c.pay(); }
fn c(x: Option<&Bank>) { match x { Some(b) => b.pay(), None => {} } }
fn d(x: Result<Bank, E>) { match x { Ok(b) if b.ok() => b.pay(), _ => {} } }
";
    check([("src/types.rs", rust), ("src/user.rs", text)], [(3, &[2, 3]), (7, &[4, 5])]);
    let c_sharp = "class Cart {\n  public void Pay() {}\n}\nclass Bank {\n  public void Pay() {}\n}\n";
    let text = "class Use {
  void A(object x) { ((Cart) x).Pay(); }
  void B(object x) { (x as Cart).Pay(); }
  void C(object x) { var c = x as Bank; c.Pay(); }
  void D(object x) { if (x is Cart c) { c.Pay(); } }
  void E(List<Bank> l) { l.First().Pay(); }
  async Task F() { var c = await Load(); c.Pay(); }
  Task<Cart> Load() { return null; }
}
";
    check([("Types.cs", c_sharp), ("Use.cs", text)], [(2, &[2, 3, 5, 7]), (5, &[4, 6])]);
}

#[cfg(feature = "lang-all")]
#[test]
fn methods_that_extend_a_type() {
    let dart = "import 'cart.dart';
import 'ext.dart';
void a(Cart c) { c.pay(); }
void b() { final c = Cart(); c.pay(); }
void d(Bank b) { b.pay(); }
";
    let scala = "package shop
import Ext._
object Use {
  def a(c: Cart) = c.pay()
  def b() = { val c = new Cart(); c.pay() }
  def d(b: Bank) = b.pay()
}
";
    let files = [
        ("lib/cart.dart", "class Cart {}\nclass Bank {\n  void pay() {}\n}\n"),
        ("lib/ext.dart", "import 'cart.dart';\nextension Paying on Cart {\n  void pay() {}\n}\n"),
        ("lib/use.dart", dart),
        ("Cart.scala", "package shop\nclass Cart\nclass Bank {\n  def pay() = 1\n}\n"),
        (
            "Ext.scala",
            "package shop\nobject Ext {\n  implicit class RichCart(c: Cart) {\n    def pay() = 2\n  }\n}\n",
        ),
        ("Use.scala", scala),
    ];
    let expected: [(&str, &[&str]); 4] = [
        ("lib/ext.dart:3", &["lib/use.dart:3", "lib/use.dart:4"]),
        ("lib/cart.dart:3", &["lib/use.dart:5"]),
        ("Ext.scala:4", &["Use.scala:4", "Use.scala:5"]),
        ("Cart.scala:4", &["Use.scala:6"]),
    ];
    check_in(&sources(&files), &files, Relation::Callers, " ?", &expected);
}
