//! Names that count in a part of a file: opened modules, hoisted variables, types in functions.

use super::{Relation, check_in, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[cfg(feature = "lang-all")]
#[test]
fn a_module_of_ocaml_is_open_in_an_expression_only() {
    let main = "let pay x = x
let a () = let open Shop in pay 1
let b () = Shop.(pay 2)
let c () = pay 3
let d () = Bank.(pay (buy 4))
let e () =
  let y =
    let open Shop in
    pay 5 in
  pay y
let f () = let open Unix in pay 6
";
    let own = "module Shop = struct
  let pay x = x
end
let pay x = x
let a () = let open Shop in pay 1
let b () = pay 2
";
    let below = "let pay x = x
let a () = pay 1
open Shop
let b () = pay 2
let buy x = x
let c () = buy 3
";
    let files = [
        ("shop.ml", "let pay x = x\nlet buy x = x\n"),
        ("bank.ml", "let pay x = x\nlet buy x = x\n"),
        ("main.ml", main),
        ("own.ml", own),
        ("below.ml", below),
    ];
    callers(
        &files,
        &[
            ("shop.ml:1", &["below.ml:4", "main.ml:2", "main.ml:3", "main.ml:9"]),
            ("bank.ml:1", &["main.ml:5"]),
            ("bank.ml:2", &["main.ml:5"]),
            ("main.ml:1", &["main.ml:10", "main.ml:11", "main.ml:4"]),
            ("own.ml:2", &["own.ml:5"]),
            ("own.ml:4", &["own.ml:6"]),
            ("below.ml:1", &["below.ml:2"]),
            ("below.ml:5", &["below.ml:6"]),
        ],
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn a_type_in_a_function_leaves_those_of_other_files_certain() {
    let kotlin = "package shop
fun a() { val c = Cart(); c.pay() }
fun b() {
  class Cart {
    fun pay() {}
  }
  val c = Cart()
  c.pay()
}
fun d(c: Cart) { c.pay() }
";
    let swift = "func a() { let c = Cart(); c.pay() }
func b() {
  class Cart {
    func pay() {}
  }
  let c = Cart()
  c.pay()
}
func d(c: Cart) { c.pay() }
";
    let files = [
        ("Cart.kt", "package shop\nclass Cart {\n  fun pay() {}\n}\n"),
        ("Use.kt", kotlin),
        ("Cart.swift", "class Cart {\n  func pay() {}\n}\n"),
        ("Use.swift", swift),
    ];
    callers(
        &files,
        &[
            ("Cart.kt:2", &["Use.kt:10", "Use.kt:2"]),
            ("Cart.kt:3", &["Use.kt:10", "Use.kt:2"]),
            ("Use.kt:4", &["Use.kt:7"]),
            ("Use.kt:5", &["Use.kt:8"]),
            ("Cart.swift:1", &["Use.swift:1", "Use.swift:9"]),
            ("Cart.swift:2", &["Use.swift:1", "Use.swift:9"]),
            ("Use.swift:3", &["Use.swift:6"]),
            ("Use.swift:4", &["Use.swift:7"]),
        ],
    );
}

#[test]
fn what_an_included_file_declares_is_part_of_the_including_one() {
    let files = [
        ("src/table.c", "static int helper(int x) { return x; }\nstatic const int table_size = 3;\n"),
        ("src/all.c", "#include \"table.c\"\nint b(void) { return helper(table_size); }\n"),
        ("src/else.c", "int c(void) { return helper(1); }\n"),
        ("include/limits.h", "#define MAX_ITEMS 4\nextern int item_count;\n"),
        ("other/limits.h", "#define MAX_ITEMS 5\nextern int item_count;\n"),
        ("src/use.c", "#include \"../include/limits.h\"\nint a(void) { return MAX_ITEMS + item_count; }\n"),
    ];
    callers(
        &files,
        &[
            ("src/table.c:1", &["src/all.c:2"]),
            ("src/table.c:2", &["src/all.c:2"]),
            ("include/limits.h:1", &["src/use.c:2"]),
            ("include/limits.h:2", &["src/use.c:2"]),
            ("other/limits.h:1", &[]),
            ("other/limits.h:2", &[]),
        ],
    );
}
