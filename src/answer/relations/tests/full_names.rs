//! Names that are written in full, without an import.

use super::{Relation, check_in, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[test]
fn full_names_of_java() {
    let cart = |package: &str| {
        format!(
            "package com.{package};\npublic class Cart {{\n  public static void pay() {{}}\n  \
             public static final int MAX = 3;\n  public void go() {{}}\n}}\n"
        )
    };
    let (acme, other) = (cart("acme"), cart("other"));
    let text = "package app;
class Use {
  void a() { com.acme.Cart.pay(); }
  void b() { com.acme.Cart c = new com.acme.Cart(); c.go(); }
  int c() { return com.acme.Cart.MAX; }
  int d() { return com.other.Cart.MAX; }
  int e() { return org.other.Cart.MAX; }
}
";
    let files = [("com/acme/Cart.java", &*acme), ("com/other/Cart.java", &*other), ("app/Use.java", text)];
    callers(
        &files,
        &[
            ("com/acme/Cart.java:2", &["app/Use.java:3", "app/Use.java:4", "app/Use.java:5"]),
            ("com/acme/Cart.java:3", &["app/Use.java:3"]),
            ("com/acme/Cart.java:4", &["app/Use.java:5"]),
            ("com/acme/Cart.java:5", &["app/Use.java:4"]),
            ("com/other/Cart.java:4", &["app/Use.java:6"]),
        ],
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn full_names_of_kotlin_and_scala() {
    let kotlin = |package: &str| {
        format!(
            "package com.{package}\nclass Cart {{\n  fun go() {{}}\n  companion object {{\n    const val MAX = 3\n  }}\n}}\n\
             object Till {{\n  fun open() {{}}\n}}\nfun top() {{}}\n"
        )
    };
    let (acme, other) = (kotlin("acme"), kotlin("other"));
    let text = "package app
fun a() { com.acme.Till.open() }
fun b() { val c = com.acme.Cart(); c.go() }
fun c() = com.acme.Cart.MAX
fun d() { com.acme.top() }
fun e() { com.other.top() }
";
    let scala = "package app
object Use {
  def a() = com.acme.Limits.Max
  def b() = com.acme.Limits.open()
}
";
    let files = [
        ("com/acme/Cart.kt", &*acme),
        ("com/other/Cart.kt", &*other),
        ("app/Use.kt", text),
        ("com/acme/Limits.scala", "package com.acme\nobject Limits {\n  val Max = 3\n  def open() = 1\n}\n"),
        ("app/Use.scala", scala),
    ];
    callers(
        &files,
        &[
            ("com/acme/Cart.kt:3", &["app/Use.kt:3"]),
            ("com/acme/Cart.kt:5", &["app/Use.kt:4"]),
            ("com/acme/Cart.kt:9", &["app/Use.kt:2"]),
            ("com/acme/Cart.kt:11", &["app/Use.kt:5"]),
            ("com/other/Cart.kt:11", &["app/Use.kt:6"]),
            ("com/acme/Limits.scala:3", &["app/Use.scala:3"]),
            ("com/acme/Limits.scala:4", &["app/Use.scala:4"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn full_names_of_c_sharp() {
    let cart = |space: &str| {
        format!(
            "namespace Acme.{space};\npublic class Cart {{\n  public const int Max = 3;\n  public static void Pay() {{ }}\n}}\n"
        )
    };
    let (shop, bank) = (cart("Shop"), cart("Bank"));
    let text = "namespace App;
class Use {
  int A() { return Acme.Shop.Cart.Max; }
  void B() { global::Acme.Bank.Cart.Pay(); }
  int C(Order Acme) { return Acme.Bank.Cart.Max; }
}
";
    let files = [
        ("Shop.cs", &*shop),
        ("Bank.cs", &*bank),
        ("Use.cs", text),
        ("Alone.cs", "class Alone {\n  public void Go() { }\n}\n"),
        ("Else.cs", "namespace App.Else;\nclass Else {\n  void A(Alone x) { x.Go(); }\n}\n"),
    ];
    callers(
        &files,
        &[
            ("Shop.cs:3", &["Use.cs:3"]),
            ("Bank.cs:3", &[]),
            ("Bank.cs:4", &["Use.cs:4"]),
            ("Alone.cs:2", &["Else.cs:3"]),
        ],
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn full_names_of_php_and_swift() {
    let php = |space: &str| {
        format!(
            "<?php\nnamespace {space};\nclass Cart {{\n  const MAX = 3;\n  static function pay() {{}}\n}}\n"
        )
    };
    let (acme, bank) = (php("Acme"), php("Acme\\Bank"));
    let swift = "public class Cart {\n  public func go() {}\n  public static let max = 3\n}\n";
    let use_swift = "import Shop
import Bank
func a() { let c = Shop.Cart(); c.go() }
func b(x: Bank.Cart) { x.go() }
func c() -> Int { return Shop.Cart.max }
";
    let use_php = "<?php
namespace App;
class UseIt {
  function a() { return \\Acme\\Cart::MAX; }
  function b() { \\Acme\\Bank\\Cart::pay(); }
}
";
    let files = [
        ("src/Cart.php", &*acme),
        ("src/Bank/Cart.php", &*bank),
        ("src/Use.php", use_php),
        ("Sources/Shop/Cart.swift", swift),
        ("Sources/Bank/Cart.swift", swift),
        ("Sources/App/Use.swift", use_swift),
    ];
    callers(
        &files,
        &[
            ("src/Cart.php:4", &["src/Use.php:4"]),
            ("src/Bank/Cart.php:4", &[]),
            ("src/Bank/Cart.php:5", &["src/Use.php:5"]),
            ("Sources/Shop/Cart.swift:2", &["Sources/App/Use.swift:3"]),
            ("Sources/Bank/Cart.swift:2", &["Sources/App/Use.swift:4"]),
            ("Sources/Shop/Cart.swift:3", &["Sources/App/Use.swift:5"]),
        ],
    );
}

#[test]
fn methods_of_go_behind_their_types() {
    let shop = "package shop

type Box struct{ n int }

func (b *Box) Pay() int { return b.n }
func (b Box) Open() int { return b.n }

type Bank struct{}

func (b *Bank) Pay() int { return 1 }
func (b *Bank) Open() int { return 1 }

type Deal struct {
	*Bank
}
";
    let order = "package shop

type Order struct {
	Box
}

func a() { f := (*Box).Pay; use(f) }
func b() { f := Box.Open; use(f) }
func c(o Order) { o.Pay(); o.Box.Open() }
func d(d Deal) { d.Bank.Open(); use(d.Pay) }
";
    let main = "package app

import \"example.com/m/shop\"

func m() { use((*shop.Box).Pay) }
func n(o *shop.Deal) { o.Bank.Pay() }
";
    let files = [
        ("shop/box.go", shop),
        ("shop/order.go", order),
        ("app/main.go", main),
        ("go.mod", "module example.com/m\n"),
    ];
    callers(
        &files,
        &[
            ("shop/box.go:5", &["app/main.go:5", "shop/order.go:7", "shop/order.go:9"]),
            ("shop/box.go:6", &["shop/order.go:8", "shop/order.go:9"]),
            ("shop/box.go:10", &["app/main.go:6", "shop/order.go:10"]),
            ("shop/box.go:11", &["shop/order.go:10"]),
        ],
    );
}

#[test]
fn names_behind_a_package_of_protobuf() {
    let shop = "package shop.v1;\nmessage Item { string n = 1; }\nmessage Order { Item a = 1; shop.v1.Item b = 2; }\n";
    let bank = "package bank.v1;
import \"shop.proto\";
message Item { string n = 1; }
message Use {
  shop.v1.Item a = 1;
  Item b = 2;
  bank.v1.Item c = 3;
}
";
    let files = [("shop.proto", shop), ("bank.proto", bank)];
    callers(
        &files,
        &[("shop.v1.Item", &["bank.proto:5", "shop.proto:3"]), ("bank.v1.Item", &["bank.proto:6"])],
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn a_member_of_a_nested_type_is_another_one() {
    let java = "class Cart {
  static class Line {
    void pay() {}
  }
  void pay() {}
  void go(Line l) {
    pay();
    l.pay();
  }
}
";
    let tf = "locals {\n  zone = 1\n}\nvariable \"zone\" {}\noutput \"o\" {\n  value = local.zone\n}\n";
    let files = [("Cart.java", java), ("main.tf", tf)];
    callers(
        &files,
        &[("Cart.pay", &["Cart.java:7"]), ("Line.pay", &["Cart.java:8"]), ("local.zone", &["main.tf:6"])],
    );
}
