//! Constructors whose type is not written where they are called.

use super::{Relation, check_in, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[test]
fn a_value_of_an_enumeration_is_constructed() {
    let coin =
        "enum Coin {\n  PENNY(1),\n  DIME(\"x\", 10);\n  Coin(int n) {}\n  Coin(String s, int n) {}\n}\n";
    let side = "enum Side {\n  LEFT, RIGHT(2);\n  Side() {}\n  Side(int n) {}\n}\n";
    callers(
        &[("Coin.java", coin), ("Side.java", side)],
        &[
            ("Coin.java:4", &["Coin.java:2"]),
            ("Coin.java:5", &["Coin.java:3"]),
            ("Side.java:4", &["Side.java:2"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_type_in_front_says_what_new_constructs() {
    let text = "class Cart {\n  public Cart(int n) { }\n  public Cart(string s, int n) { }\n\
                static Cart Make() => new(3);\n  private readonly Cart inner = new(\"x\", 4);\n\
                Cart? Open() {\n    Cart c = new(5);\n    return new(\"y\", 6);\n  }\n\
                static List<Cart> All { get; } = new(7);\n}\n";
    callers(
        &[("Cart.cs", text)],
        &[("Cart.cs:2", &["Cart.cs:4", "Cart.cs:7"]), ("Cart.cs:3", &["Cart.cs:5", "Cart.cs:8"])],
    );
}

#[test]
fn modules_of_node_export_one_thing_or_many() {
    let class =
        "class Box {\n  pay() { return 1; }\n  static of() { return new Box(); }\n}\nmodule.exports = Box;\n";
    let user = "const Box = require('./lib/cls');\nfunction a() { return new Box().pay(); }\nfunction b() { return Box.of(); \
                }\n";
    callers(
        &[("lib/cls.js", class), ("app.js", user)],
        &[("lib/cls.js:3", &["app.js:3"]), ("lib/cls.js:2", &["app.js:2"])],
    );
    callers(
        &[
            ("c.js", "module.exports = function main() { return 1; };\n"),
            ("d.js", "const main = require('./c');\nfunction run() { return main(); }\n"),
        ],
        &[("c.js:1", &["d.js:2"])],
    );
    let api =
        "function hidden() {}\nfunction target() {}\nexports.nick = hidden;\nexports.target = target;\n";
    let user = "const { nick } = require('./api');\nconst api = require('./api');\nfunction a() { return nick(); }\nfunction \
                b() { return api.nick(); }\nfunction d() { const { target: z } = require('./api'); return z(); }\nfunction \
                e() { const { target } = require('./api'); return target(); }\n";
    callers(&[("api.js", api), ("use.js", user)], &[("api.js:2", &["api.js:4", "use.js:5", "use.js:6"])]);
}

#[test]
fn a_module_may_be_imported_later() {
    let user = "export const lazy = async () => { const { open } = await import(\"./a\"); open({ limit: 2 }); };\nexport async \
                function other() { const m = await import(\"./a\"); m.open({ limit: 2 }); }\n";
    callers(
        &[("a.ts", "export function open(o: any) { return 1; }\n"), ("b.ts", user)],
        &[("a.ts:1", &["b.ts:1", "b.ts:2"])],
    );
}

#[test]
fn a_constant_of_rust_may_be_named_by_its_path() {
    callers(
        &[
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            ("src/lib.rs", "mod api;\nmod user;\n"),
            (
                "src/api.rs",
                "pub const MAX: u32 = 3;\npub struct Cart;\nimpl Cart {\n    pub const LIMIT: u32 = 4;\n}\n",
            ),
            (
                "src/user.rs",
                "fn a() -> u32 {\n    crate::api::MAX + super::api::MAX\n}\nfn b() -> u32 {\n    \
              crate::api::Cart::LIMIT\n}\n",
            ),
        ],
        &[("src/api.rs:1", &["src/user.rs:2"]), ("src/api.rs:4", &["src/user.rs:5"])],
    );
}

#[test]
fn a_static_function_of_another_file_of_c_is_not_meant() {
    callers(
        &[
            ("src/server.h", "int make(int x);\n"),
            ("src/object.c", "#include \"server.h\"\nint make(int x) { return x; }\n"),
            ("deps/hi/hi.h", "int hi_open(void);\n"),
            (
                "deps/hi/hi.c",
                "#include \"hi.h\"\nstatic int make(int x) { return x; }\nint hi_open(void) { return make(1); }\n",
            ),
            (
                "src/sentinel.c",
                "#include \"server.h\"\n#include \"hi.h\"\nint event(void) { return make(2); }\n",
            ),
        ],
        &[("src/object.c:2", &["src/sentinel.c:3"]), ("deps/hi/hi.c:2", &["deps/hi/hi.c:3"])],
    );
}
