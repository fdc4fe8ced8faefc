//! Tests of names that a list, a key, an argument or backticks hold.

use super::declarations::check;

#[test]
fn each_selector_of_a_list_is_declared() {
    check(&[
        (
            "css",
            ".a,\n.b > .c { x: y }\nh1, h2:is(a, b) { x: y }\n/* d */\n.e,\n/* f */ .g { --h: 1 }\n",
            &[
                "rule .a",
                "rule .b > .c",
                "rule h1",
                "rule h2:is(a, b)",
                "rule .e",
                "rule .g",
                "variable .g.--h",
            ],
        ),
        (
            "scss",
            ".a, // x, y's\n.c { &:hover,\n  &[d=\"e,f\"] { x: y } }\n@media (a), (b) { g, #{h, i} { x: y } }\n",
            &[
                "rule .a",
                "rule .c",
                "rule .c.&:hover",
                "rule .c.&[d=\"e,f\"]",
                "rule (a), (b)",
                "rule (a), (b).g",
                "rule (a), (b).#{h, i}",
            ],
        ),
    ]);
}

#[test]
fn an_alias_of_a_shell_is_a_variable() {
    check(&[
        (
            "bash",
            "alias gst='git status' ll=\"ls -l\"\nalias -g G='| grep'\nalias x\nalias \"$a\"=b\nalias ..='cd ..'\n",
            &["variable gst", "variable ll", "variable G", "variable .."],
        ),
        (
            "bash",
            "test_expect_success 'it works' '\n  true\n'\ntest_expect_success A 'b' 'c'\n",
            &["test it works", "test b"],
        ),
    ]);
}

#[test]
fn a_function_of_lua_at_a_key_is_declared() {
    check(&[(
        "lua",
        "T['group']['it works'] = function()\n  f()\nend\nT['alone'] = function() end\nM[\"quoted\"] = function() end\nM[1] = function() end\nM['x'] = 1\n",
        &["test group.it works", "test alone", "function quoted"],
    )]);
}

#[test]
fn a_script_without_text_declares_nothing() {
    check(&[(
        "html",
        "<script src=\"a.js\"></script>\n<script>\n</script>\n<script id=\"b\" src=\"c.js\"></script>\n",
        &["element b"],
    )]);
}

#[test]
fn a_name_loses_its_backticks() {
    check(&[
        #[cfg(feature = "lang-kotlin")]
        (
            "kotlin",
            "class `A B` {\n  fun `adds (one)`() {}\n}\nval `in` = 1\n",
            &["class A B", "method A B.adds (one)", "variable in"],
        ),
        #[cfg(feature = "lang-scala")]
        (
            "scala",
            "object `Content-Type` {\n  def `type` = 1\n}\n",
            &["class Content-Type", "method Content-Type.type"],
        ),
        #[cfg(feature = "lang-swift")]
        ("swift", "enum A {\n  static func `default`() {}\n}\n", &["enum A", "method A.default"]),
        ("r", "`%+%` <- function(a, b) a\n", &["function %+%"]),
    ]);
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn names_of_kotlin_that_look_like_words_of_it() {
    check(&[
        (
            "kotlin",
            "class A {\n  fun b() {\n    val in1 = f()\n    in1.close()\n    get_x()\n  }\n  fun c() {\n    in2.close()\n  }\n}\n",
            &["class A", "method A.b", "method A.c"],
        ),
        (
            "kotlin",
            "class A {\n  fun b() {\n    val open: Boolean\n    c {\n      open = isOpen\n      d = e\n    }\n    if (!open) f()\n  }\n  fun g() {}\n}\n",
            &["class A", "method A.b", "method A.g"],
        ),
    ]);
}

#[test]
fn a_script_of_transact_sql_creates_tables_in_blocks() {
    check(&[(
        "sql",
        "IF NOT EXISTS (SELECT [x] FROM [sys].[tables])\nBEGIN\n    CREATE TABLE [a].[Job](\n        [Id] [int] NOT NULL\n    );\n    PRINT 'Created';\nEND\nELSE\n    PRINT 'exists';\n\nIF 1 = 1\nBEGIN\n    CREATE NONCLUSTERED INDEX [IX_Job] ON [a].[Job] ([Id]);\nEND\n",
        &["table Job", "field Job.Id", "table IX_Job"],
    )]);
}
