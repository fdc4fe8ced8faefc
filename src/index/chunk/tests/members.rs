//! Tests of members and their owners, and of what looks like a declaration and is none.

use super::declarations::check;

#[test]
fn functions_in_one_line_are_members_of_an_object_with_a_name() {
    check(&[
        (
            "javascript",
            "const shop = { open: (y) => y, close: function () {}, deep: { ring: () => 1 } };\n",
            &[
                "constant shop",
                "method shop.open",
                "method shop.close",
                "field shop.deep",
                "method shop.deep.ring",
            ],
        ),
        (
            "javascript",
            "Shop.prototype = { open: function () {} };\n",
            &["implementation Shop", "method Shop.open"],
        ),
        ("javascript", "module.exports = { open: () => 1 };\n", &["method open"]),
        (
            "javascript",
            "const Shop = Model.extend({ open: () => 1 });\n",
            &["constant Shop", "method Shop.open"],
        ),
        // These are settings of a call, and of a local object.
        ("javascript", "run({ done: () => 1 });\n", &[]),
        ("javascript", "function f() {\n  const on = { done: () => 1 };\n}\n", &["function f"]),
        ("typescript", "export default { open: () => 1 } satisfies Shop;\n", &["method open"]),
    ]);
}

#[test]
fn implementations_of_types_without_a_name_are_called_as_written() {
    check(&[(
        "rust",
        "impl Shop for &mut dyn Fn() {\n    fn open(&self) {}\n}\nimpl<T> Shop for [T] {\n    fn open(&self) {}\n}\n\
         impl Shop for (u8, u8) {\n    fn open(&self) {}\n}\nimpl Shop for &mut Cart {\n    fn open(&self) {}\n}\n",
        &[
            "implementation &mut dyn Fn()",
            "method &mut dyn Fn()::open",
            "implementation [T]",
            "method [T]::open",
            "implementation (u8, u8)",
            "method (u8, u8)::open",
            "implementation Cart",
            "method Cart::open",
        ],
    )]);
}

#[test]
fn members_of_a_type_without_a_name_belong_to_nothing() {
    check(&[
        (
            "go",
            "package a\n\ntype Shop interface {\n\tOpen()\n}\n\nfunc F[P interface{ *int; M() }](x interface{ Q() error }) {\n}\n",
            &["interface Shop", "method Shop.Open", "function F"],
        ),
        (
            "typescript",
            "type Shop = { open(): void };\nfunction f(on: { done(): void }): { end(): void } {\n  return on;\n}\n\
             interface Cart {\n  pay(): void;\n  in: { full(): void };\n}\n",
            &[
                "type Shop",
                "method Shop.open",
                "function f",
                "interface Cart",
                "method Cart.pay",
                "method Cart.full",
            ],
        ),
    ]);
}

#[test]
fn columns_are_members_of_a_table() {
    check(&[(
        "sql",
        "CREATE TABLE users (id int PRIMARY KEY, \"e mail\" text);\nALTER TABLE users ADD COLUMN age int;\n",
        &["table users", "field users.id", "field users.e mail"],
    )]);
}

#[test]
fn attributes_around_a_type_of_c_are_not_names() {
    check(&[
        (
            "c",
            "typedef struct pkt { int x; } __packed pkt_t;\ntypedef struct __packed q { int z; } q_t;\n\
             struct __packed r { int z; };\nunion u { int z; } __aligned(8);\nstruct bar { int z; } ____cacheline_aligned;\n\
             typedef enum __packed { A1 } e_t;\ntypedef struct { int z; } PACKED last_t;\nstruct s { int z; } plain;\n",
            &[
                "struct pkt_t",
                "struct pkt",
                "struct q_t",
                "struct q",
                "struct r",
                "union u",
                "struct bar",
                "enum e_t",
                "struct last_t",
                "variable plain",
                "struct s",
            ],
        ),
        (
            "cpp",
            "struct [[gnu::packed]] alignas(16) Q {\n  int z;\n  void m();\n};\nenum class [[nodiscard]] Color { Red };\n\
             class [[nodiscard]] Plain {\n  int z;\n};\n",
            &["struct Q", "method Q::m", "enum Color", "class Plain"],
        ),
    ]);
}

#[test]
fn a_macro_with_a_block_in_a_function_is_no_function() {
    check(&[
        (
            "c",
            "void f(void) {\n  for_each_cpu(cpu) {\n    run(cpu);\n  }\n}\n\nvoid g(void) {\n  int h(int x) {\n    return x;\n  }\n}\n",
            &["function f", "function g", "function g::h"],
        ),
        ("cpp", "void f() {\n  LOCK(mutex) {\n    run();\n  }\n}\n", &["function f"]),
    ]);
}

#[test]
fn words_of_sql_are_no_names() {
    check(&[
        ("sql", "CREATE TYPE basket AS TABLE (id int NOT NULL);\nGO\n", &["type basket", "field basket.id"]),
        (
            "sql",
            "CREATE OR REPLACE PACKAGE shop IS\n  TYPE ids IS TABLE OF NUMBER;\n  CURSOR all_carts IS\n    SELECT id FROM carts;\n  \
             PROCEDURE pay(id NUMBER);\nEND shop;\n/\n",
            &["module shop", "type shop.ids", "variable shop.all_carts", "function shop.pay"],
        ),
    ]);
}

#[test]
fn keys_with_quotes_and_dots_are_tables() {
    check(&[(
        "toml",
        "[target.'cfg(unix)'.dependencies]\nlibc = \"1\"\n",
        &["key target.'cfg(unix)'.dependencies", "key target.'cfg(unix)'.dependencies.libc"],
    )]);
}
