//! Names behind the names of modules, in languages where a module is a file or is declared in one.

use super::check;

#[test]
fn a_file_of_zig_is_a_module_and_may_be_a_type() {
    let main = "const util = @import(\"util.zig\");\nconst Taken = @import(\"util.zig\").Inner;\n\
                const Store = @import(\"Store.zig\");\n\
                fn f() u32 {\n  Taken.deep();\n  _ = Store.init();\n  return util.compute(1) + util.LIMIT;\n}\n";
    let util = "pub fn compute(a: u32) u32 { return a; }\npub const LIMIT = 3;\n\
                pub const Inner = struct { pub fn deep() void {} };\n";
    let store = "const Store = @This();\nleft: u32,\npub fn init() Store { return .{ .left = 1 }; }\n\
                 pub fn get(self: *Store) u32 { return self.left; }\n\
                 pub fn twice(self: *Store) u32 { return self.get() + Store.init().left; }\n";
    check(
        &[("z/main.zig", main), ("z/util.zig", util), ("other/util.zig", util), ("z/Store.zig", store)],
        &[
            ("z/main.zig", "compute", &["z/util.zig compute (import)"]),
            ("z/main.zig", "LIMIT", &["z/util.zig LIMIT (import)"]),
            ("z/main.zig", "deep", &["z/util.zig Inner.deep (import)"]),
            ("z/main.zig", "init", &["z/Store.zig init (import)"]),
            ("z/Store.zig", "init", &["z/Store.zig init (qualifier)"]),
            ("z/Store.zig", "get", &["z/Store.zig get (only candidate)"]),
        ],
    );
}

#[test]
fn a_file_of_ocaml_is_a_module() {
    check(
        &[
            ("lib/shout.ml", "let loud s = s\ntype shape = Circle of int | Square\n"),
            ("lib/a.ml", "let a () = Shout.loud \"x\"\nlet b = List.map Shout.loud [Shout.Circle 3]\n"),
            (
                "lib/b.ml",
                "open Shout\nlet c () = loud \"x\"\nlet d x = match x with Circle n -> n | Square -> 2\n",
            ),
        ],
        &[
            ("lib/a.ml", "loud", &["lib/shout.ml loud (import)"]),
            ("lib/a.ml", "Circle", &["lib/shout.ml shape.Circle (import)"]),
            ("lib/b.ml", "loud", &["lib/shout.ml loud (import)"]),
            ("lib/b.ml", "Square", &["lib/shout.ml shape.Square (import)"]),
        ],
    );
}

#[test]
fn values_and_alternatives_of_elm_are_named_behind_their_module() {
    check(
        &[
            ("src/Util.elm", "module Util exposing (..)\ndouble x = x * 2\ntype Msg = Inc Int | Dec\n"),
            (
                "src/Main.elm",
                "module Main exposing (..)\nimport Util\nimport Util as U exposing (double)\nfour = Util.double 2\n\
                 all = List.map double [1]\nupdate m = case m of\n  U.Inc n -> n\n  U.Dec -> 2\n",
            ),
            (
                "src/Page.elm",
                "module Page exposing (..)\nimport Util exposing (..)\nsix = double 2\nupdate double m = case m of\n  \
                 Inc n -> n\n  Dec -> List.map double []\n",
            ),
        ],
        &[
            ("src/Main.elm", "double", &["src/Util.elm double (import)"]),
            ("src/Main.elm", "Inc", &["src/Util.elm Msg.Inc (import)"]),
            ("src/Main.elm", "Dec", &["src/Util.elm Msg.Dec (import)"]),
            ("src/Page.elm", "double", &["src/Util.elm double (import)"]),
            ("src/Page.elm", "Dec", &["src/Util.elm Msg.Dec (import)"]),
        ],
    );
}

#[test]
fn a_file_of_gdscript_has_the_name_that_it_declares() {
    check(
        &[
            (
                "base.gd",
                "class_name Base\nstatic func make():\n\treturn 3\nfunc own():\n\tself.other()\nfunc other(): pass\n",
            ),
            (
                "use.gd",
                "const Other = preload(\"res://base.gd\")\nfunc run():\n\tBase.make()\nfunc more():\n\tOther.make()\n",
            ),
        ],
        &[
            ("base.gd", "other", &["base.gd Base.other (same type)"]),
            ("use.gd", "make", &["base.gd Base.make (import)", "base.gd Base.make (qualifier)"]),
        ],
    );
}

#[test]
fn a_file_of_nix_is_the_name_that_it_is_bound_to() {
    check(
        &[
            ("lib.nix", "{ makeThing = x: x; makeOther = y: y; }\n"),
            (
                "default.nix",
                "let l = import ./lib.nix; m = import ./lib.nix { }; in { a = l.makeThing 3; b = m.makeOther 4; }\n",
            ),
        ],
        &[
            ("default.nix", "makeThing", &["lib.nix makeThing (import)"]),
            ("default.nix", "makeOther", &["lib.nix makeOther (import)"]),
        ],
    );
}

#[test]
fn an_import_of_haskell_brings_in_all_names() {
    let lib = "module Data.Lib where\ndata Shape = Circle { radius :: Int } | Square Int\nlit :: Int -> Int\n\
               lit x = x\nhid x = x\n";
    check(
        &[
            ("src/Data/Lib.hs", lib),
            (
                "src/A.hs",
                "module A where\nimport Data.Lib hiding (hid)\na xs = map lit xs\nb (Circle r) = radius (Square r)\n\
                 c hid lit = map lit hid\n",
            ),
            (
                "src/B.hs",
                "module B where\nimport qualified Data.Lib as L\nd xs = map L.lit xs\ne = L.Circle 3\n",
            ),
            ("src/C.hs", "module C where\nimport Data.Lib as L (hid)\nf xs = map hid (L.hid xs)\n"),
        ],
        &[
            ("src/A.hs", "lit", &["src/Data/Lib.hs lit (import)"]),
            ("src/A.hs", "Circle", &["src/Data/Lib.hs Shape.Circle (import)"]),
            ("src/A.hs", "radius", &["src/Data/Lib.hs Shape.Circle.radius (import)"]),
            ("src/A.hs", "hid", &[]),
            ("src/B.hs", "lit", &["src/Data/Lib.hs lit (import)"]),
            ("src/B.hs", "Circle", &["src/Data/Lib.hs Shape.Circle (import)"]),
            ("src/C.hs", "hid", &["src/Data/Lib.hs hid (import)"]),
        ],
    );
}

#[test]
fn functions_of_r_are_passed_on() {
    check(
        &[
            ("R/a.R", "grow <- function(x) x + 1\n"),
            ("R/b.R", "run <- function(all) lapply(all, grow)\nsapply(1:3, FUN = grow)\n"),
            ("R/c.R", "other <- function(all, grow) lapply(all, grow)\n"),
        ],
        &[("R/b.R", "grow", &["R/a.R grow (only declaration)"]), ("R/c.R", "grow", &[])],
    );
}

#[test]
fn modules_of_julia_and_vhdl_are_declared_in_files() {
    check(
        &[
            ("src/core.jl", "module Core2\nexport grow\ngrow(x) = x\nend\n"),
            ("run.jl", "using .Core2\nrun() = grow(1)\nCore2.grow(2)\n"),
            ("a/twice.jl", "module Twice\nexport shrink\nshrink(x) = x\nend\n"),
            ("b/twice.jl", "module Twice\nexport shrink\nshrink(x) = 2x\nend\n"),
            ("again.jl", "using .Twice\nrun() = shrink(1)\n"),
            (
                "rtl/types.vhd",
                "package types is\n  constant width_c : natural := 8;\n  function any_set(a : bit_vector) return bit;\n\
                 end package;\n",
            ),
            (
                "rtl/top.vhd",
                "library work;\nuse work.types.all;\nentity top is port (given : in bit_vector(width_c-1 downto 0); \
                 q : out bit); end;\narchitecture rtl of top is\nbegin\n  q <= any_set(given);\nend;\n",
            ),
        ],
        &[
            ("run.jl", "grow", &["src/core.jl Core2.grow (import)"]),
            // Which module is meant is unknown.
            ("again.jl", "shrink", &[]),
            ("rtl/top.vhd", "width_c", &["rtl/types.vhd types.width_c (import)"]),
            ("rtl/top.vhd", "any_set", &["rtl/types.vhd types.any_set (import)"]),
        ],
    );
}

#[test]
fn a_full_name_of_php_begins_with_a_backslash() {
    let used = "<?php\nnamespace Other\\Deep;\nclass C extends \\App\\Base {\n  use \\App\\Shared;\n  \
                function f(\\App\\Given $x): \\App\\Result {\n    try { new \\App\\Format(); } catch (\\App\\Failure $e) {}\n    \
                \\App\\helper();\n    return \\App\\LIMIT;\n  }\n  \
                function g($x) { return $x instanceof \\App\\Inside ? \\App\\Named::class : namespace\\own(); }\n}\n\
                function own() {}\n";
    let app = "<?php\nnamespace App;\nclass Base {}\ntrait Shared {}\nclass Given {}\nclass Result {}\nclass Format {}\n\
               class Failure {}\nfunction helper() {}\nconst LIMIT = 3;\nclass Inside {}\nclass Named {}\n";
    let other =
        "<?php\nnamespace Zoo;\nclass Format {}\nclass Named {}\nfunction helper() {}\nfunction own() {}\n";
    check(
        &[("src/App.php", app), ("src/Zoo.php", other), ("src/Use.php", used)],
        &[
            ("src/Use.php", "Base", &["src/App.php Base (qualifier)"]),
            ("src/Use.php", "Shared", &["src/App.php Shared (qualifier)"]),
            ("src/Use.php", "Given", &["src/App.php Given (qualifier)"]),
            ("src/Use.php", "Result", &["src/App.php Result (qualifier)"]),
            ("src/Use.php", "Format", &["src/App.php Format (qualifier)"]),
            ("src/Use.php", "Failure", &["src/App.php Failure (qualifier)"]),
            ("src/Use.php", "helper", &["src/App.php helper (qualifier)"]),
            ("src/Use.php", "LIMIT", &["src/App.php LIMIT (qualifier)"]),
            ("src/Use.php", "Inside", &["src/App.php Inside (qualifier)"]),
            ("src/Use.php", "Named", &["src/App.php Named (qualifier)"]),
            ("src/Use.php", "own", &["src/Use.php own (qualifier)"]),
        ],
    );
}

#[test]
fn members_of_an_imported_type_need_no_type() {
    check(
        &[
            ("shop/Limits.java", "package shop;\npublic class Limits {\n  static final int MOST = 3;\n}\n"),
            (
                "web/Page.java",
                "package web;\nimport static shop.Limits.*;\nclass Page { int f() { return MOST; } }\n",
            ),
            (
                "limits/Limits.java",
                "package limits;\npublic class Limits {\n  static final int LEAST = 1;\n}\n",
            ),
            ("web/Other.java", "package web;\nimport limits.*;\nclass Other { int f() { return LEAST; } }\n"),
        ],
        &[
            ("web/Page.java", "MOST", &["shop/Limits.java Limits.MOST (import)"]),
            ("web/Other.java", "LEAST", &[]),
        ],
    );
}

#[test]
fn a_member_of_swift_needs_no_type_where_one_is_expected() {
    check(
        &[
            (
                "Color.swift",
                "struct Color {\n  static let alpha = Color()\n  static func make(_ n: Int) -> Color { return Color() }\n}\n\
                 struct Options { static let disable = Options() }\nstruct Other { static let alpha = 1 }\n\
                 struct Box<T> { static func build() -> Int { return 1 } }\n",
            ),
            (
                "Run.swift",
                "func run(given: Color) -> Color {\n  take(.disable)\n  if given == .alpha { return .make(3) }\n  \
                 return Box<Int>.build()\n}\n",
            ),
        ],
        &[
            ("Run.swift", "alpha", &["Color.swift Color.alpha (declared type)"]),
            ("Run.swift", "make", &["Color.swift Color.make (declared type)"]),
            ("Run.swift", "disable", &["Color.swift Options.disable (only candidate)"]),
            ("Run.swift", "build", &["Color.swift Box.build (qualifier)"]),
        ],
    );
}

#[test]
fn a_call_may_have_type_arguments() {
    check(
        &[
            ("server/wal/wal.go", "package wal\n\nfunc Make[T any, U any](x *T) {}\n"),
            (
                "server/raft/main.go",
                "package main\n\nimport \"example.com/x/server/wal\"\n\nfunc local[T any](x T) T { return x }\n\nfunc main() {\n\t\
                 wal.Make[string, int](nil)\n\tlocal[int](4)\n}\n",
            ),
            ("k/a.kt", "package k\nfun <T> grow(x: T) = x\nclass Box { fun <T> fill() = 1 }\n"),
            ("k/b.kt", "package k\nfun run(box: Box) {\n  grow<Int>(3)\n  box.fill<Int>()\n}\n"),
        ],
        &[
            ("server/raft/main.go", "Make", &["server/wal/wal.go Make (import)"]),
            ("server/raft/main.go", "local", &["server/raft/main.go local (same file)"]),
            ("k/b.kt", "grow", &["k/a.kt grow (same package)"]),
            ("k/b.kt", "fill", &["k/a.kt Box.fill (declared type)"]),
        ],
    );
}

#[test]
fn types_of_python_are_named_in_strings() {
    let used = "from typing import TYPE_CHECKING, Annotated, Literal, Optional, TypeVar, cast\nif TYPE_CHECKING:\n    \
                from shop import Named, Inner, Result, Attribute, Cast, Bound, Noted, Word\n\n\
                def typed(x: \"Named\", y: 'list[Inner]' = None) -> \"Optional[Result]\":\n    attr: \"Attribute\" = x\n    \
                return cast(\"Cast\", attr)\n\nB = TypeVar(\"B\", bound=\"Bound\")\n\n\
                def other(x: Literal[\"Word\"], y: Annotated[\"Noted\", \"Word\"], z: \"a Word here\"): ...\n";
    let names = ["Named", "Inner", "Result", "Attribute", "Cast", "Bound", "Noted", "Word"];
    let shop: String = names.iter().map(|name| format!("class {name}: pass\n")).collect();
    let expected: Vec<String> = names.iter().map(|name| format!("shop.py {name} (import)")).collect();
    for (name, expected) in names.iter().zip(&expected) {
        let found: &[&str] = if *name == "Word" { &[] } else { &[expected.as_str()] };
        check(&[("shop.py", &shop), ("use.py", used)], &[("use.py", name, found)]);
    }
}
