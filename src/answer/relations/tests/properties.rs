//! Properties, fields and alternatives of C#, Kotlin and Swift, and what is named like them.

use super::found;

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_member_is_named_where_an_object_is_made_changed_or_compared() {
    let files = [
        (
            "Cart.cs",
            "namespace N;\npublic class Cart { public bool Open { get; set; } public int Total { get; set; } public Cart Next { get; set; } }\n",
        ),
        (
            "Use.cs",
            "namespace N;\npublic class Use {\n  public bool Open { get; set; }\n  object A() => new Cart { Open = true };\n  \
             void B() { Cart s = new() { Total = 1 }; }\n  bool C(Cart c) => c is { Total: 3 };\n  \
             bool D(object c) => c is Cart { Total: > 3 };\n  Cart E(Cart c) => c with { Total = 1 };\n  \
             Cart F() => new() { Total = 2 };\n  int G(Cart c) => c switch { { Total: 3 } => 1, _ => 2 };\n  \
             bool H(Cart c) => c is { Next.Total: 3 };\n  bool I(Cart c) => c is { Next: { Total: 3 } };\n  \
             void J() { Send(new() { Open = true }); }\n}\n",
        ),
    ];
    let uses =
        ["Use.cs:5", "Use.cs:6", "Use.cs:7", "Use.cs:8", "Use.cs:9", "Use.cs:10", "Use.cs:11", "Use.cs:12"];
    let uses: Vec<String> = uses.iter().map(|one| format!("{one} declared type")).collect();
    assert_eq!(found(&files, "Cart.Total"), uses);
    assert_eq!(found(&files, "Cart.Open"), ["Use.cs:4 declared type", "Use.cs:13 same name"]);
    assert_eq!(found(&files, "Use.Open"), ["Use.cs:13 same name"]);
}

#[cfg(feature = "lang-all")]
#[test]
fn a_property_has_guesses_as_a_field_has() {
    let files = [
        ("A.cs", "namespace N;\npublic class Cart { public int Total { get; set; } }\n"),
        (
            "B.cs",
            "namespace N;\npublic class Use {\n  int F(List<Cart> all) => all.Sum(x => x.Total);\n  int G(Cart one) => one.Total;\n}\n",
        ),
        ("a.swift", "struct Shape {\n  var count: Int { 1 }\n}\n"),
        ("b.swift", "func f(all: [Shape]) -> [Int] { all.map { $0.count } }\n"),
        ("a.kt", "package p\nclass Item {\n  val price get() = 1\n}\n"),
        (
            "b.kt",
            "package p\nfun f(all: List<Item>) = all.map { it.price }\nfun price() = 1\nfun g() = price()\n",
        ),
    ];
    assert_eq!(found(&files, "Cart.Total"), ["B.cs:3 declared type", "B.cs:4 declared type"]);
    assert_eq!(found(&files, "Shape.count"), ["b.swift:1 only candidate"]);
    assert_eq!(found(&files, "Item.price"), ["b.kt:2 declared type"]);
}

#[cfg(feature = "lang-all")]
#[test]
fn the_code_of_a_property_is_in_the_property() {
    let files = [
        (
            "V.cs",
            "namespace N;\nclass V {\n  int A => Help();\n  int B { get { return Help(); } set { Help(); } }\n  \
             int this[int i] => Help();\n  int C { get; set; }\n  int Help() { return 1; }\n}\n",
        ),
        ("V.swift", "struct V {\n  var body: Int { render(); return 1 }\n  func render() {}\n}\n"),
        ("v.kt", "package v\nclass W {\n  val w get() = help()\n  fun help() = 1\n}\n"),
    ];
    assert_eq!(super::around(&files, "V.Help"), ["N.V.A", "N.V.B", "N.V.this"]);
    assert_eq!(found(&files, "V.this"), [""; 0]);
    assert_eq!(super::around(&files, "V.render"), ["V.body"]);
    assert_eq!(super::around(&files, "W.help"), ["W.w"]);
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_property_may_be_called_like_its_type() {
    let files = [(
        "a.cs",
        "namespace N;\nclass Order {\n  public static int Of(int n) => n;\n  public int Own() => 1;\n}\nclass Shop {\n  \
         Order _order;\n  Order Order => _order;\n  Order A() => new Order();\n  int B() => Order.Of(1);\n  \
         int C() => Order.Own();\n  Order D() => Order;\n}\n",
    )];
    assert_eq!(found(&files, "Shop.Order"), ["a.cs:11 same type", "a.cs:12 same type"]);
    let of_type = ["a.cs:7 same file", "a.cs:8 same file", "a.cs:9 same file", "a.cs:10 same type"];
    assert!(of_type.iter().all(|one| found(&files, "N.Order").contains(&(*one).to_owned())));
    assert!(!found(&files, "N.Order").iter().any(|one| one.contains(":13")));
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn an_object_has_the_type_with_its_number_of_arguments() {
    let files = [(
        "b.cs",
        "namespace N;\npublic class Box {\n  public int Pack() => 1;\n}\npublic class Box<T> {\n  public int Pack() => 2;\n}\n\
         public class Use {\n  int A(Box b) => b.Pack();\n  int B(Box<int> b) => b.Pack();\n  \
         int C() { var b = new Box<string>(); return b.Pack(); }\n  int D() { Box b = new(); return b.Pack(); }\n}\n",
    )];
    assert_eq!(found(&files, "b.cs:3"), ["b.cs:9 declared type", "b.cs:12 declared type"]);
    assert_eq!(found(&files, "b.cs:6"), ["b.cs:10 declared type", "b.cs:11 declared type"]);
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn a_property_is_not_called_and_a_function_is() {
    let files = [(
        "c.kt",
        "package p\nclass Cart(val total: Int) {\n  fun total() = 3\n}\nfun f(c: Cart) = c.total\nfun g(c: Cart) = c.total()\nfun h(c: Cart) = c::total\n",
    )];
    // Of `c::total`, the expected type says which is meant.
    let (of_function, of_field) = (["c.kt:6", "c.kt:7"], ["c.kt:5", "c.kt:7"]);
    let both = of_function.iter().chain(&of_field).map(|one| format!("{one} declared type"));
    assert_eq!(found(&files, "Cart.total"), both.collect::<Vec<_>>());
}

#[cfg(feature = "lang-all")]
#[test]
fn alternatives_of_two_types_of_one_name_are_kept_apart() {
    let files = [
        ("l1.kt", "package com.l1\nenum class Kind { ON }\nobject Conf {\n  val size = 1\n}\n"),
        ("l2.kt", "package com.l2\nenum class Kind { ON }\nobject Conf {\n  val size = 2\n}\n"),
        (
            "use.kt",
            "package app\nimport com.l1.Kind\nimport com.l2.Conf\nfun k() = Kind.ON\nfun m() = com.l2.Kind.ON\nfun n() = Conf.size\n",
        ),
        ("a/Sort.java", "package a;\npublic enum Sort { UP }\n"),
        ("b/Sort.java", "package b;\npublic enum Sort { UP }\n"),
        ("c/C.java", "package c;\nimport a.Sort;\nclass C {\n  Sort f() { return Sort.UP; }\n}\n"),
        ("c1.cs", "namespace M1 { public enum Mode { Fast } }\n"),
        ("c2.cs", "namespace M2 { public enum Mode { Fast } }\n"),
        ("c3.cs", "using M1;\nclass C {\n  object F() => Mode.Fast;\n  object G() => M2.Mode.Fast;\n}\n"),
    ];
    for (symbol, expected) in [
        ("l1.kt:ON", &["use.kt:4 qualifier"][..]),
        ("l2.kt:ON", &["use.kt:5 qualifier"]),
        ("l1.kt:size", &[]),
        ("l2.kt:size", &["use.kt:6 qualifier"]),
        ("a/Sort.java:UP", &["c/C.java:4 qualifier"]),
        ("b/Sort.java:UP", &[]),
        ("c1.cs:Fast", &["c3.cs:3 qualifier"]),
        ("c2.cs:Fast", &["c3.cs:4 qualifier"]),
    ] {
        assert_eq!(found(&files, symbol), expected, "{symbol}");
    }
}

#[cfg(feature = "lang-swift")]
#[test]
fn the_expected_type_says_which_case_is_meant() {
    let files = [
        ("s.swift", "enum Status { case ready }\nenum State { case ready }\n"),
        (
            "u.swift",
            "func b() -> Status { return .ready }\nfunc c() { let s: State = .ready; use(s) }\nfunc d(s: State) -> Bool { s == .ready }\nfunc e() { send(.ready) }\n",
        ),
    ];
    assert_eq!(found(&files, "Status.ready"), ["u.swift:1 declared type", "u.swift:4 only candidate"]);
    assert_eq!(
        found(&files, "State.ready"),
        ["u.swift:2 declared type", "u.swift:3 declared type", "u.swift:4 only candidate"]
    );
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn members_of_objects_are_imported_by_their_names() {
    let files = [
        (
            "Log.kt",
            "package lib\nobject Log {\n  fun info(s: String) {}\n  val level = 1\n}\nclass Url {\n  companion object {\n    const val MAX = 3\n  }\n}\nenum class Proto { H1, H2 }\n",
        ),
        (
            "use.kt",
            "package app\nimport lib.Log.info\nimport lib.Log.level\nimport lib.Url.Companion.MAX\nimport lib.Proto.H2\nfun a() { info(\"x\") }\nfun b() = MAX\nfun c() = listOf(H2)\nfun d() = level\n",
        ),
    ];
    for (symbol, expected) in [
        ("Log.info", "use.kt:6 import"),
        ("Url.Companion.MAX", "use.kt:7 import"),
        ("Proto.H2", "use.kt:8 import"),
        ("Log.level", "use.kt:9 import"),
    ] {
        assert_eq!(found(&files, symbol), [expected], "{symbol}");
    }
}

#[cfg(feature = "lang-all")]
#[test]
fn what_is_private_is_seen_in_its_file_only() {
    let files = [
        ("a/A.kt", "package a\nprivate const val LIMIT = 1\nprivate fun hide() = LIMIT\n"),
        ("b/B.kt", "package b\ninternal const val LIMIT = 2\n"),
        ("b/C.kt", "package b\nimport a.*\nfun f() = LIMIT\nfun g() = hide()\n"),
        ("A.swift", "struct Till {\n  private func count() {}\n  func own() { count() }\n}\n"),
        ("B.swift", "func f(x: Other) { x.count() }\n"),
    ];
    assert_eq!(found(&files, "a/A.kt:LIMIT"), ["a/A.kt:3 same file"]);
    assert_eq!(found(&files, "b/B.kt:LIMIT"), ["b/C.kt:3 same package"]);
    assert!(found(&files, "hide").is_empty());
    assert_eq!(found(&files, "Till.count"), ["A.swift:3 same type"]);
}
