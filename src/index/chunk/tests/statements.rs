//! Tests of what calls and statements declare: members of objects, tests, packages.

use super::declarations::check;

#[test]
fn members_of_an_object_in_a_known_call_are_declared() {
    for language in ["javascript", "typescript"] {
        check(&[
            (
                language,
                "jQuery.fn.extend({ find: function () { return 1; }, not() {}, arrow: () => 3 });\n",
                &["method find", "method not", "method arrow"],
            ),
            (
                language,
                "Meteor.methods({ 'users.insert'() {}, 'users.remove': function () {} });\n",
                &["method users.insert", "method users.remove"],
            ),
            (
                language,
                "Object.assign(Foo.prototype, { mixed() {}, other: function () {} });\n_.extend(Foo, Events, { on: () => 1 });\n",
                &["method Foo.mixed", "method Foo.other", "method Foo.on"],
            ),
            (
                language,
                "Object.defineProperty(Foo.prototype, 'size', { value: 1 });\nObject.defineProperty(exports, 'a', { value: 1 });\n",
                &["field Foo.size"],
            ),
            (
                language,
                "var Mod = (function () { function priv() {} return { pub: function () {}, other: priv }; })();\n",
                &["variable Mod", "function Mod.priv", "method Mod.pub"],
            ),
            // Settings of a call.
            (language, "$.ajax({ success: function () {}, fail: () => 1 });\n", &[]),
        ]);
    }
}

#[test]
fn tests_are_named_by_strings() {
    check(&[
        (
            "javascript",
            "QUnit.module('m', () => { QUnit.test('t', () => {}); });\nDeno.test('d', () => {});\nDeno.test({ name: 'o', fn() {} });\nbench('b', () => {});\nQUnit.start('x');\n",
            &["test m", "test m.t", "test d", "test o", "method o.fn", "test b"],
        ),
        (
            "go",
            "package x\n\nvar _ = Describe(\"a\", func() {\n\tContext(\"b\", func() {\n\t\tBeforeEach(func() {})\n\t\tFIt(\"c\", func() {})\n\t\tDescribeTable(\"d\", func(a int) {}, Entry(\"e\", 1))\n\t})\n})\n\nfunc f() {}\n",
            &["test a", "test a.b", "test a.b.c", "test a.b.d", "function f"],
        ),
        ("lua", "describe('a', function()\n  it('b', function() end)\nend)\n", &["test a", "test a.b"]),
    ]);
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn specifications_of_kotest_have_tests() {
    check(&[(
        "kotlin",
        "class A : StringSpec({\n    \"adds\" { }\n    describe(\"b\") { it(\"c\") { } }\n})\nfun main() {\n    \"x\" { }\n    test(\"y\") { }\n}\n",
        &["class A", "test A.adds", "test A.b", "test A.b.c", "function main"],
    )]);
}

#[test]
fn functions_of_a_table_that_is_assigned_or_returned() {
    check(&[(
        "lua",
        "M.t = {\n  x = function() end,\n  y = 1,\n  [\"z\"] = function() end,\n}\nsetmetatable(M, { __index = function() end })\nreturn { ret = function() end }\n",
        &["variable t", "function t.x", "function t.z", "function ret"],
    )]);
}

#[cfg(feature = "lang-perl")]
#[test]
fn a_package_goes_on_behind_another_one() {
    check(&[
        (
            "perl",
            "package Foo;\nsub a { }\n{\n    package Inner;\n    sub i { }\n}\nsub b { }\n",
            &["module Foo", "function Foo::a", "module Inner", "function Inner::i", "function Foo::b"],
        ),
        (
            "perl",
            "package Foo;\npackage Blk { sub c { } }\nsub b { }\n",
            &["module Foo", "module Blk", "function Blk::c", "function Foo::b"],
        ),
        (
            "perl",
            "package Foo;\nsub Foo::g { }\n*Foo::h = sub { 1 };\n",
            &["module Foo", "function Foo::g", "function Foo::h"],
        ),
    ]);
}

#[test]
fn functions_of_julia_without_a_plain_name() {
    check(&[(
        "julia",
        "\"doc\" documented(x) = 1\n\"doc\" done(x) = 1\n(s::S)(x) = x\n(s::P{T})(x) where T = x\n(+)(a::S, b::S) = a\nmap(\"a\") do x\n  x\nend\n",
        &["function documented", "function done", "function S", "function P", "function +"],
    )]);
}

#[test]
fn a_statement_of_sql_that_cannot_be_read_ends_at_its_semicolon() {
    check(&[(
        "sql",
        "CREATE PUBLICATION pb FOR ALL TABLES;\nINSERT INTO a VALUES (1);\ncreate server srv foreign data wrapper fdw;\ncreate database db;\nCREATE TABLE b (id int);\n",
        &["module pb", "module srv", "module db", "table b", "field b.id"],
    )]);
}

#[test]
fn a_heading_of_html_is_named_by_all_its_text() {
    check(&[(
        "html",
        "<h1><code>git</code> usage</h1>\n<h2>Title <em>two</em></h2>\n<h3>A &amp; B</h3>\n<h2 id=\"s\">{{ title }}</h2>\n",
        &["element git usage", "element Title two", "element A & B", "element s"],
    )]);
}
