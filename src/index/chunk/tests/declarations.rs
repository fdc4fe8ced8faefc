//! Tests of what each language declares: one statement with several names, names that are not one
//! word, and owners.

use super::super::{ChunkOptions, DeclarationKind, Language, chunk};
use std::fmt::Write as _;

/// Returns the declarations of a text as `kind owner.name`, in order.
fn declared(language: Language, text: &str) -> Vec<String> {
    let file = chunk(language, text, &ChunkOptions::default());
    let path = |at: usize| {
        let mut names = Vec::new();
        let mut next = Some(at);
        while let Some(one) = next.and_then(|at| file.declarations.get(at)) {
            names.push(one.name.clone());
            names.extend(Some(one.scope.clone()).filter(|scope| !scope.is_empty()));
            next = one.parent.map(|at| at as usize);
        }
        names.reverse();
        names.join(language.separator())
    };
    let kind = |kind: DeclarationKind| format!("{kind:?}").to_lowercase();
    file.declarations.iter().enumerate().map(|(at, one)| format!("{} {}", kind(one.kind), path(at))).collect()
}

/// Checks cases: language, text, and what it declares.
pub(super) fn check(cases: &[(&str, &str, &[&str])]) {
    let mut wrong = String::new();
    for (name, text, expected) in cases {
        let language = Language::from_name(name).unwrap();
        if language.lacks_grammar() {
            continue;
        }
        let found = declared(language, text);
        if found != *expected {
            writeln!(wrong, "{name}: {text}\n  found    {found:?}\n  expected {expected:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_kustomization_declares_what_it_makes() {
    check(&[(
        "yaml",
        "configMapGenerator:\n- name: settings\n  files: [a.txt]\n- name: more\nother:\n- name: none\n",
        &["key configMapGenerator", "variable ConfigMap.settings", "variable ConfigMap.more", "key other"],
    )]);
}

#[test]
fn what_fortran_declares() {
    check(&[(
        "fortran",
        "module m\n#define MAX_N 3\ninterface operator(.in.)\n  module procedure find\nend interface\n\
             interface operator(==)\n  module procedure same\nend interface\ntype :: t\ncontains\n  \
             generic :: operator(<) => less\nend type\nend module\n",
        &[
            "module m",
            "macro m.MAX_N",
            "function m.operator(.in.)",
            "function m.operator(==)",
            "struct m.t",
            "method m.t.operator(<)",
        ],
    )]);
}

#[test]
fn functions_of_c_in_a_class_are_no_methods() {
    check(&[(
        "objective-c",
        "@implementation Cart\n#define MAX 3\nstatic int count = 0;\nstatic void help(int a) { a++; }\n- (void)add { help(1); }\n@end\n",
        &[
            "implementation Cart",
            "macro Cart.MAX",
            "variable Cart.count",
            "function Cart.help",
            "method Cart.add",
        ],
    )]);
}

#[test]
fn what_perl_declares() {
    check(&[
        (
            "perl",
            "package A;\nsub DESTROY { 1 }\nsub AUTOLOAD { 2 }\nsub BEGIN { 3 }\nsub A::B::f { 4 }\nsub A::g { 5 }\n1;\n",
            &["module A", "function A::DESTROY", "function A::AUTOLOAD", "function A::B::f", "function A::g"],
        ),
        (
            "perl",
            "package A;\nuse constant { # all\n  B => 1, # one\n  # two\n  C => 2,\n};\n1;\n",
            &["module A", "constant A::B", "constant A::C"],
        ),
    ]);
}

#[test]
fn a_statement_declares_all_its_names() {
    check(&[
        (
            "dockerfile",
            "ARG a b=1\nENV c=1 d=2\nENV e f=3\n",
            &["variable a", "variable b", "variable c", "variable d", "variable e"],
        ),
        (
            "vhdl",
            "package p is\n  signal s1, s2 : bit;\n  constant k1, k2 : integer := 3;\nend;\n",
            &["module p", "variable p.s1", "variable p.s2", "constant p.k1", "constant p.k2"],
        ),
        (
            "pascal",
            "unit u;\ninterface\ntype\n  TA = class\n    f1, f2: Integer;\n  end;\nvar v1, v2: Integer;\nimplementation\nend.\n",
            &["class TA", "field TA.f1", "field TA.f2", "variable v1", "variable v2"],
        ),
        (
            "go",
            "package p\n\nvar a, b = 1, 2\n\nconst A, B = iota, iota\n\nvar (\n\tc, d int\n)\n",
            &["variable a", "variable b", "constant A", "constant B", "variable c", "variable d"],
        ),
        (
            "c",
            "int a, b = 2, *c;\nint f(int), g(void);\ntypedef struct { int x; } T, *PT;\ntypedef unsigned long A, B;\nextern int e, (*fp)(int);\n",
            &[
                "variable a",
                "variable b",
                "variable c",
                "function f",
                "function g",
                "struct T",
                "type PT",
                "type A",
                "type B",
                "variable e",
                "variable fp",
            ],
        ),
        (
            "c",
            "ITEM_start(A) PRIMITIVE, INTEGER, 0, &funcs, FLAG, \"x\" ITEM_end(A)\n",
            &["variable PRIMITIVE"],
        ),
        (
            "cpp",
            "struct S { int m1(), m2(); int *p(), q; };\nint v, w{2};\n",
            &["struct S", "method S::m1", "method S::m2", "method S::p", "variable v", "variable w"],
        ),
        (
            "java",
            "class X { static final int A = 1, B = 2; int c, d; }\ninterface I { int C = 1, D = 2; }\n",
            &["class X", "constant X.A", "constant X.B", "interface I", "constant I.C", "constant I.D"],
        ),
        (
            "swift",
            "let a = 1, b = 2\nlet (c, _, d) = f()\nstruct S { static let x = 1, y = 2 }\n",
            &[
                "constant a",
                "constant b",
                "constant c",
                "constant d",
                "struct S",
                "constant S.x",
                "constant S.y",
            ],
        ),
        (
            "lua",
            "local a, b = 1, 2\nx, y = f()\nlocal go, stop = function() end, function() end\nlocal m, n = require('m')\n",
            &["variable a", "variable b", "variable x", "variable y", "function go", "function stop"],
        ),
    ]);
}

#[test]
fn a_statement_of_a_script_declares_all_its_names() {
    check(&[
        ("glsl", "uniform vec3 a, b;\n", &["variable a", "variable b"]),
        (
            "groovy",
            "class A { int p, q = 2 }\ndef (m, n) = [1, 2]\n",
            &["class A", "field A.p", "field A.q", "variable m", "variable n"],
        ),
        (
            "haskell",
            "class C a where\n  m1, m2 :: a -> a\n  m2 = id\n\nf, g :: Int\nf = 1\ng = 2\n",
            &["interface C", "method C.m1", "method C.m2", "constant f", "constant g"],
        ),
        (
            "scala",
            "object O { val A, B = 1; var c, d: Int = 2; val (e, f) = g() }\n",
            &[
                "class O",
                "constant O.A",
                "constant O.B",
                "variable O.c",
                "variable O.d",
                "variable O.e",
                "variable O.f",
            ],
        ),
        (
            "bash",
            "a=1 b=2\nFOO=1 BAR=2 run\nexport c=1 d=2\n",
            &["variable a", "variable b", "variable c", "variable d"],
        ),
        (
            "python",
            "A, B = 1, 2\n(c, d), *e = f()\n[g, _] = h()\n_ = gettext\nx.y, z = 1, 2\n",
            &[
                "constant A",
                "constant B",
                "variable c",
                "variable d",
                "variable e",
                "variable g",
                "variable _",
                "variable z",
            ],
        ),
        (
            "ruby",
            "A, B = 1, 2\n$x, $y = 1, 2\na, b = 1, 2\n",
            &["constant A", "constant B", "variable $x", "variable $y"],
        ),
        (
            "julia",
            "const A, B = 1, 2\na, b = 1, 2\n(c, d) = f()\n",
            &["constant A", "constant B", "variable a", "variable b", "variable c", "variable d"],
        ),
        (
            "ocaml",
            "let a, b = 1, 2\nlet (c, _) = f ()\nlet g x = let y, z = x in y + z\n",
            &["constant a", "constant b", "constant c", "function g"],
        ),
        (
            "javascript",
            "export const { actions, reducer: main, ...rest } = slice;\nconst [a, , { b = 2 }] = f();\nconst { c } = require('c');\nconst { d } = await import('d');\nfunction g() { const { e } = f(); }\nexports.h = exports.i = function () {};\n",
            &[
                "constant actions",
                "constant main",
                "constant rest",
                "constant a",
                "constant b",
                "function g",
                "function h",
                "function i",
            ],
        ),
        (
            "typescript",
            "export const { a, b }: T = c;\nlet d = 1, e = 2;\n",
            &["constant a", "constant b", "variable d", "variable e"],
        ),
    ]);
}

#[test]
fn a_statement_has_a_limit_of_names() {
    let text = format!("({}) = f()\n", (0..1000).map(|at| format!("a{at}")).collect::<Vec<_>>().join(",\n"));
    assert_eq!(declared(Language::from_name("python").unwrap(), &text).len(), 100);
}

#[test]
fn all_names_of_a_statement_share_its_text() {
    let text = "/** Both. */\nexport const { a, b } = slice;\n";
    let file = chunk(Language::from_name("javascript").unwrap(), text, &ChunkOptions::default());
    for one in &file.declarations {
        assert_eq!(one.doc.of(text), "/** Both. */", "{}", one.name);
        assert_eq!(one.signature.of(text), "export const { a, b } = slice", "{}", one.name);
    }
    let text = "int first = 1,\n    second = 2,\n    third[] = {\n  1,\n};\n";
    let file = chunk(Language::from_name("c").unwrap(), text, &ChunkOptions::default());
    let signatures: Vec<_> = file.declarations.iter().map(|one| one.signature.of(text)).collect();
    assert_eq!(signatures, ["int first", "second", "third[]"]);
    let lines: Vec<_> = file.declarations.iter().map(|one| one.name_line).collect();
    assert_eq!(lines, [1, 2, 3]);
    // The names are not references.
    let text = "package p\n\nvar first, second = 1, 2\n";
    let file = chunk(Language::from_name("go").unwrap(), text, &ChunkOptions::default());
    assert!(file.references.is_empty(), "{:?}", file.references);
}

#[test]
fn a_value_does_not_own_what_stands_beside_it() {
    check(&[
        ("python", "A = B = C = 3\n", &["constant A", "constant B", "constant C"]),
        ("ruby", "module M\n  A = B = 3\nend\n", &["module M", "constant M::A", "constant M::B"]),
        ("r", "a <- b <- 3\n", &["variable a", "variable b"]),
        ("julia", "a = b = 3\n", &["variable a", "variable b"]),
        (
            "c",
            "struct head { int x; } PACKED;\nstruct point { int x; } ORIGIN;\n",
            &["struct head", "variable ORIGIN", "struct point"],
        ),
        (
            "c",
            "static const struct f list[] = {\n#include \"a.h\"\n  F(a, \"a\", 1),\n#define B(name) F(name),\nBINOPS\n#undef B\n  F(b, \"b\", 1),\n};\n#undef C\nstatic block last(void) {\n  block b = f();\n  return b;\n}\n",
            &["variable list", "macro list::B", "function last"],
        ),
        (
            "c",
            "typedef struct node_s { int x; } node_t;\nstruct point { int x; } origin, *other;\nenum color { RED } def;\nstatic union u { int a; } uu;\ntypedef struct same { int x; } same, *same_p;\n",
            &[
                "struct node_t",
                "struct node_s",
                "variable origin",
                "variable other",
                "struct point",
                "variable def",
                "enum color",
                "variable uu",
                "union u",
                "struct same",
                "type same_p",
            ],
        ),
        (
            "cpp",
            "struct P { void f(); } p;\nstruct { void g(); } q;\nnamespace n { struct R { void h(); } r; }\n",
            &[
                "variable p",
                "struct P",
                "method P::f",
                "variable q",
                "method q::g",
                "module n",
                "variable n::r",
                "struct n::R",
                "method n::R::h",
            ],
        ),
        (
            "javascript",
            "const o = {\n  f() {\n    return 1;\n  },\n};\nconst a = b.c = function () {};\n",
            &["constant o", "method o.f", "function a", "method b.c"],
        ),
        (
            "scala",
            "object O { val x = new T { def f = 1 } }\n",
            &["class O", "variable O.x", "function O.x.f"],
        ),
    ]);
}

#[test]
fn a_namespace_of_several_levels_is_declared() {
    check(&[(
        "cpp",
        "namespace a::b {\nint f();\n}\nnamespace a::inline v1 {\nclass C {};\n}\nnamespace x::y::z {}\nnamespace plain { int g(); }\n",
        &[
            "module a::b",
            "function a::b::f",
            "module a::v1",
            "class a::v1::C",
            "module x::y::z",
            "module plain",
            "function plain::g",
        ],
    )]);
}

#[test]
fn operators_and_indexers_are_declared() {
    check(&[
        (
            "cpp",
            "struct F { int operator()(int) const; operator bool() const; explicit operator int*() const { return 0; } bool operator==(const F&) const; };\nF::operator int() { return 1; }\nint F::operator()(int) { return 1; }\nint operator\"\"_km(long double x);\n",
            &[
                "struct F",
                "method F::operator()",
                "method F::operator bool",
                "method F::operator int*",
                "method F::operator==",
                "method F::operator int",
                "method F::operator()",
                "function operator\"\"_km",
            ],
        ),
        (
            "c-sharp",
            "class V { public static V operator +(V a, V b) => a; public static explicit operator int(V v) => 1; public int this[int i] { get => 1; } ~V() {} public event Action E { add {} remove {} } }\n",
            &[
                "class V",
                "method V.operator +",
                "method V.operator int",
                "field V.this",
                "method V.~V",
                "field V.E",
            ],
        ),
        (
            "pascal",
            "unit u;\ninterface\noperator + (A, B: T) C: T;\nimplementation\noperator + (A, B: T) C: T; begin end;\nclass operator TR.Add(a, b: TR): TR; begin end;\nend.\n",
            &["function operator +", "function operator +", "method TR.Add"],
        ),
        (
            "julia",
            "Base.:+(a::C, b::C) = a\nBase.:(==)(a::C, b::C) = true\nfunction Base.:-(a)\n  a\nend\na ⊕ b = 1\nBase.show(x) = 1\n",
            &["function +", "function ==", "function -", "function ⊕", "function show"],
        ),
        (
            "haskell",
            "x `plus` y = 1\npattern P x = Just x\npattern Q :: a\npattern Q = R\na <+> b = a\n",
            &["function plus", "function P", "function Q", "function <+>"],
        ),
        (
            "swift",
            "class A { subscript(i: Int) -> Int { get { 1 } }\n deinit { let x = 1 } }\nprotocol P { associatedtype T\n var area: Double { get } }\nmacro text(_ x: Int) = #externalMacro(module: \"M\", type: \"T\")\n",
            &[
                "class A",
                "method A.subscript",
                "method A.deinit",
                "interface P",
                "type P.T",
                "field P.area",
                "macro text",
            ],
        ),
    ]);
}

#[test]
fn what_has_no_name_declares_nothing_but_its_types() {
    check(&[
        (
            "zig",
            "test {\n    const x = 1;\n}\ncomptime {\n    const y = 2;\n}\nconst z = 3;\n",
            &["constant z"],
        ),
        (
            "go",
            "package p\n\nvar _ I = (*T)(nil)\n\nfunc _() {\n\tvar x int\n\ttype L struct{}\n}\n\nvar y = 1\n",
            &["struct L", "variable y"],
        ),
        ("rust", "const _: () = { struct X; };\nconst A: u8 = 1;\n", &["struct X", "constant A"]),
        (
            "vhdl",
            "architecture a of e is\nbegin\n  process\n    constant c : bit;\n  begin\n  end process;\nend;\n",
            &["implementation e.a"],
        ),
        (
            "elixir",
            "defmodule M do\n  def unquote(:dyn)(x), do: x\n  def unquote(name), do: 1\n  def f(x), do: x\nend\n",
            &["module M", "function M.f"],
        ),
        (
            "powershell",
            "function F {\n  begin { $a = 1 }\n  process { $b = 2\n  $c = @(1,\n}\n$z = 1\n",
            &["function F", "variable $z"],
        ),
        ("powershell", "$a = 1\nfunction F {\n  $b = 2\n}\n", &["variable $a", "function F"]),
    ]);
}

#[test]
fn less_common_declarations_are_found() {
    check(&[
        (
            "erlang",
            "-spec stop() -> ok.\nstop() -> stop(all).\n-spec stop(atom()) -> ok; (pid()) -> ok.\nstop(all) -> ok;\nstop(N) -> N.\nadd(A, % one\n  B) -> A + B.\nadd(L) -> L.\n",
            &["function stop", "function stop", "function add", "function add"],
        ),
        (
            "dart",
            "int get top => 1;\nset top(int v) {}\nexternal int ext(int x);\nexternal int get eg;\nclass M = Shape with Walk;\nextension type Id(int v) implements int { int get next => 1; }\n",
            &[
                "function top",
                "function top",
                "function ext",
                "function eg",
                "class M",
                "class Id",
                "method Id.next",
            ],
        ),
        (
            "vhdl",
            "entity e is\n  generic (W, D : integer; constant G : bit);\n  port (clk, rst : in bit; signal s : out bit);\nend entity;\npackage p is\n  type rec is record a, b : bit; end record;\n  shared variable sv : integer;\n  alias al is x;\n  file f : text;\n  function fn (a : bit) return bit;\nend;\n",
            &[
                "class e",
                "field e.W",
                "field e.D",
                "field e.G",
                "field e.clk",
                "field e.rst",
                "field e.s",
                "module p",
                "struct p.rec",
                "field p.rec.a",
                "field p.rec.b",
                "variable p.sv",
                "variable p.al",
                "variable p.f",
                "function p.fn",
            ],
        ),
        (
            "julia",
            "const ALIAS{T} = Vector{T}\nglobal counter::Int = 0\n@enum Color red green\n@enum Fruit::Int begin\n  apple = 1\nend\n",
            &["type ALIAS", "variable counter", "enum Color", "enum Fruit"],
        ),
        ("python", "type B[T] = list[T]\ntype A = int\n", &["type B", "type A"]),
        ("scala", "package b:\n  class C\n", &["module b", "class b.C"]),
        ("scala", "package a.b {\n  class C\n}\n", &["module a.b", "class a.b.C"]),
        (
            "typescript",
            "declare global { var __DEV__: boolean; interface Window { x: number } }\nif (x) { var local = 1; }\n",
            &["variable __DEV__", "interface Window"],
        ),
        (
            "groovy",
            "class Cart {\n  static class Item { def x() {} }\n}\n",
            &["class Cart", "class Cart.Item", "method Cart.Item.x"],
        ),
    ]);
}

#[test]
fn items_in_macros_of_rust_are_found() {
    check(&[
        (
            "rust",
            "cfg_rt! {\n    /// Spawns.\n    pub fn spawn() { helper(); }\n    pub struct A;\n    impl A { fn g(&self) {} }\n}\nimpl B { cfg_x! { fn h(&self) {} } }\nmod m { cfg_y! { cfg_z! { fn deep() {} } fn i() {} } }\n",
            &[
                "function spawn",
                "struct A",
                "implementation A",
                "method A::g",
                "implementation B",
                "method B::h",
                "module m",
                "function m::deep",
                "function m::i",
            ],
        ),
        (
            "rust",
            "cfg_if! { if #[cfg(unix)] { fn u() {} } else { fn w() {} } }\nlazy_static! { static ref RE: Regex = Regex::new(\"x\"); }\nthread_local!(static K: Cell<u32> = const { Cell::new(1) });\nbitflags! { pub struct Flags: u32 { const A = 1; } }\n",
            &["function u", "function w", "variable RE", "variable K", "struct Flags"],
        ),
        (
            "rust",
            "html! { <p>fn </p> }\nquery! { select x }\nrules! { fn => struct X }\nfn f() { vec![1]; }\n",
            &["function f"],
        ),
    ]);
    let text = "cfg_rt! {\n    /// Spawns.\n    pub fn spawn() { helper(); }\n}\n";
    let file = chunk(Language::from_name("rust").unwrap(), text, &ChunkOptions::default());
    assert_eq!(file.declarations[0].doc.of(text), "/// Spawns.");
    let names: Vec<&str> = file.references.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["cfg_rt", "helper"]);
}

#[test]
fn statements_in_dialects_of_sql_are_found() {
    check(&[
        (
            "sql",
            "CREATE PROCEDURE p1(a int) LANGUAGE SQL AS $$ SELECT 1; $$;\nCREATE DOMAIN d AS text;\nCREATE VIRTUAL TABLE v USING fts5(a, b);\nCREATE TABLE t (a int);\n",
            &["function p1", "type d", "table v", "table t", "field t.a"],
        ),
        (
            "sql",
            "CREATE TRIGGER t1 AFTER UPDATE ON x BEGIN UPDATE y SET a = 1; END;\nCREATE TABLE t2 (a int);\n",
            &["function t1", "table t2", "field t2.a"],
        ),
        (
            "sql",
            "CREATE TABLE t1 (a int)\nGO\nCREATE PROCEDURE dbo.P AS\nBEGIN\n  SELECT 1;\nEND\nGO\nCREATE TABLE t2 (a int)\nGO\n",
            &["table t1", "field t1.a", "function P", "table t2", "field t2.a"],
        ),
        (
            "sql",
            "CREATE PROCEDURE P AS\nBEGIN\n  SELECT 1;\nEND\nCREATE TABLE t2 (a int)\n",
            &["function P", "table t2", "field t2.a"],
        ),
    ]);
    let text = "-- Adds one.\nCREATE PROCEDURE add_one(a int)\nAS $$\n  SELECT 1;\n$$;\n";
    let file = chunk(Language::from_name("sql").unwrap(), text, &ChunkOptions::default());
    assert_eq!(file.declarations[0].doc.of(text), "-- Adds one.");
    assert_eq!(file.declarations[0].signature.of(text), "CREATE PROCEDURE add_one(a int)");
}
