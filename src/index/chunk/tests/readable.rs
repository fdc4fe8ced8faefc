//! Tests of places that a grammar cannot read, and what is declared around them.

use super::super::{ChunkOptions, Language, ReferenceKind, chunk};
use super::declarations::check;

#[test]
fn a_declaration_of_kotlin_behind_several_annotations() {
    check(&[
        (
            "kotlin",
            "@Service\n@Transactional\nclass S {\n    fun a() {}\n}\n\nprivate fun helper() = 1\n",
            &["class S", "method S.a", "function helper"],
        ),
        (
            "kotlin",
            "@A @B(\"t\") internal class C {}\n@A(b = true) @B private fun d() {}\n@A @B(1) private val e = 1\n@A @B interface F\n@A(1) @B(2)\nannotation class G\n@A /* h */\n@B\nenum class I { J }\nfun k() {}\n",
            &["class C", "function d", "variable e", "interface F", "class G", "enum I", "function k"],
        ),
    ]);
    let language = Language::from_name("kotlin").unwrap();
    if language.lacks_grammar() {
        return;
    }
    let text = "/** G. */\n@A(1)\n@B class G\n";
    let file = chunk(language, text, &ChunkOptions::default());
    let signatures: Vec<&str> = file.declarations.iter().map(|one| one.signature.of(text)).collect();
    assert_eq!(signatures, ["class G"]);
    let text = "@A\n@x.B(1) // c\n@get:D @[E F(2)]\nclass G\n";
    let file = chunk(language, text, &ChunkOptions::default());
    let called = file.references.iter().filter(|one| one.kind == ReferenceKind::Call);
    let called: Vec<(&str, &str)> = called.map(|one| (&*one.qualifier, &*one.name)).collect();
    assert_eq!(called, [("", "A"), ("x", "B"), ("", "D"), ("", "E"), ("", "F")]);
}

#[test]
fn a_statement_that_cannot_be_read_costs_itself() {
    let kotlin = "class A {\n    fun before() {}\n\n    fun f() {\n        g()\n        val a = \"x\" ]] 1\n    }\n\n    val b = 1 ]] 2\n\n    @C\n    fun after() {\n        h()\n    }\n}\n\nclass Z\n";
    check(&[
        ("kotlin", kotlin, &["class A", "method A.before", "method A.f", "method A.after", "class Z"]),
        (
            "kotlin",
            "class A { fun before() {}\n fun f() { val id = U.insert { 1 } get (U.id)\n }\n fun after() {} }\nclass Z\n",
            &["class A", "method A.before", "method A.f", "method A.after", "class Z"],
        ),
        (
            "kotlin",
            "class A {\n    val b = suspend { x() }\n    var where: Op? = null\n    fun c() {\n        where?.let { d() }\n    }\n}\n",
            &["class A", "method A.c"],
        ),
        (
            "java",
            "package p;\n\npublic class A {\n    void a() {\n        int x = ] 1;\n        try {\n            b();\n        }\n        catch (E e) {\n        }\n    }\n\n    void b() {\n        if (c) {\n            y(\"abc);\n        }\n    }\n\n    @Override\n    public void c() {\n    }\n}\n",
            &["class A", "method A.a", "method A.b", "method A.c"],
        ),
        (
            "typescript",
            "namespace N {\n  export class A {\n    a() {\n      const x = = 1;\n      b();\n    }\n\n    b() {\n      return 1;\n    }\n  }\n\n  export function c() {}\n}\n",
            &["module N", "class N.A", "method N.A.a", "method N.A.b", "function N.c"],
        ),
        (
            "php",
            "<?php\nclass A {\n    function a() {\n        $x = = 1;\n        b();\n    }\n\n    function b() {\n        if ($c) {\n            $x = ];\n        }\n    }\n\n    function c() {\n    }\n}\n",
            &["class A", "method A::a", "method A::b", "method A::c"],
        ),
    ]);
    let language = Language::from_name("kotlin").unwrap();
    if language.lacks_grammar() {
        return;
    }
    let file = chunk(language, kotlin, &ChunkOptions::default());
    let called: Vec<&str> = file.references.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(called, ["C", "g", "h"]);
}

#[test]
fn a_comma_and_a_sign_of_powershell_do_not_hide_a_function() {
    check(&[
        (
            "powershell",
            "function F {\n    \"$Sign#,##0.00\"\n    \"<a href=`\"#$x`\">$($y)#z\"\n    $a | Select-Object @{N='C'; E={ $C }}, Value\n    function G { 1 }\n}\nfunction H { 2 }\n",
            &["function F", "function F.G", "function H"],
        ),
        (
            "powershell",
            "\u{feff}function F {\n    $a | Select-Object @{N='C'; E={ $C }}, Value\n}\nfunction H { 2 }\n",
            &["function F", "function H"],
        ),
    ]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    check(&[
        ("bash", "\u{feff}f() {\n  echo\n}\n", &["function f"]),
        ("makefile", "\u{feff}a: b\n\techo\n", &["function a"]),
        ("scss", "\u{feff}.a { b: c }\n", &["rule .a"]),
        ("ini", "\u{feff}[a]\nb=1\n", &["key a", "key a.b"]),
        ("dockerfile", "\u{feff}FROM a AS b\n", &["module b"]),
    ]);
}

#[test]
fn a_variable_of_powershell_beside_an_error_may_be_in_a_function() {
    check(&[("powershell", "if ($a {\n    $in = 1\n}\n$end = 2\n", &["variable $end"])]);
}

#[test]
fn a_string_of_a_style_sheet_ends_with_its_line() {
    check(&[("scss", ".a { b: \"c\n}\n.d { e: f }\n", &["rule .a", "rule .d"])]);
}

#[test]
fn what_alter_replaces_is_declared() {
    check(&[(
        "sql",
        "IF OBJECT_ID('dbo.p') IS NULL\n  EXEC ('CREATE PROCEDURE dbo.p AS RETURN 0;');\nGO\n\nALTER PROCEDURE dbo.p\n  @a int = 0\nWITH RECOMPILE\nAS\nBEGIN\n  SET NOCOUNT ON;\nEND;\nGO\nALTER TABLE t ADD c int;\nGO\nCREATE TABLE #x (a int);\n",
        &["function p", "table #x", "field #x.a"],
    )]);
}

#[test]
fn macros_of_c_do_not_hide_declarations() {
    check(&[
        (
            "c",
            "#define API /* nothing */\nstruct s { int a; };\n#define B \nstruct t { int a; };\n#define C(x)  \t\nint f(void) { return 1; }\n#define D  /* d */  \nint g(void) { return 1; }\n",
            &[
                "macro API",
                "struct s",
                "macro B",
                "struct t",
                "macro C",
                "function f",
                "macro D",
                "function g",
            ],
        ),
        (
            "c",
            "#ifndef A_H\n#define A_H\n#define USE_HTTP2\n#if !defined(B)\n#define B\n#endif\n#define _GNU_SOURCE\n#endif\n",
            &["macro USE_HTTP2", "macro B"],
        ),
        (
            "c",
            "HEAP_EXPORT(void heap_init(struct heap* h)) {\n  int n;\n}\nint gz_load OF((z_streamp s, int f));\nvoid *bar __P((int, char *));\nextern void baz PARAMS((unsigned));\nint after(void) { return 1; }\n",
            &["function heap_init", "function gz_load", "function bar", "function baz", "function after"],
        ),
        (
            "c",
            "int lex(int a) {\n  switch (a) {\n    case A: SET_RESULT(Shift)\n    case B: SET_RESULT(Reduce)\n  }\n  return 0;\n}\nint t(void) {\n  UNITTEST_BEGIN(x())\n  struct test {\n    int a;\n  };\n  return 1;\n}\nint last(void) { return 2; }\n",
            &["function lex", "function t", "struct t::test", "function last"],
        ),
        (
            "cpp",
            "template <class T> [[nodiscard]] static constexpr auto f(T* = nullptr) noexcept\n{\n  return 1;\n}\nvoid g(const A<int>& = B(), int ** = 0, int c = 1 * 2);\n",
            &["function f", "function g"],
        ),
    ]);
}

#[test]
fn conditional_sections_of_pascal_stay_in_their_routine() {
    check(&[(
        "pascal",
        "unit U;\ninterface\nimplementation\n\nprocedure TA.One;\n{$IFDEF CI}\nvar\n  L: integer;\n{$ENDIF}\nbegin\n  Run;\nend;\n\nprocedure TA.Two;\n{$IF Defined(A)}\nconst\n  {$IFDEF B} c = 1; {$ELSE} c = 2; {$ENDIF}\n{$ELSE}\nvar x: integer;\n{$IFEND}\nbegin\nend;\n\nend.\n",
        &["method TA.One", "method TA.Two"],
    )]);
}

#[test]
fn conditional_text_and_accessors_of_swift() {
    check(&[(
        "swift",
        "final class Server {\n    func get(_ x: Int) -> Int {\n        switch x {\n        case 1:\n            #if os(Windows)\n            fallthrough\n            #else\n            return 2\n            #endif\n        default: return 3\n        }\n    }\n    func after() {}\n}\npublic enum U: Sendable { case set, add, remove }\nenum V { case add, get }\nfunc last() {}\n",
        &["class Server", "method Server.get", "method Server.after", "enum U", "enum V", "function last"],
    )]);
}

#[test]
fn rails_and_rake_declare_by_calls() {
    check(&[
        (
            "ruby",
            "class A < B\n  delegate :c, :d, to: :e\n  scope :f, -> { where(g: 1) }\n  has_many :h, through: :i\n  class_attribute :j, :k\n  mattr_accessor :l\n  alias_attribute :m, :n\n  enum :o, [:p]\nend\n",
            &[
                "class A",
                "method A::c",
                "method A::d",
                "method A::f",
                "field A::h",
                "field A::j",
                "field A::k",
                "field A::l",
                "field A::m",
                "field A::o",
            ],
        ),
        (
            "ruby",
            "ActiveRecord::Schema[7.0].define do\n  create_table \"users\", force: true do |t|\n    t.string \"name\"\n  end\nend\n",
            &["table users"],
        ),
        (
            "ruby",
            "task :a do\nend\nnamespace :n do\n  task b: [:a] do\n  end\nend\ntask :c, [:d] => :e do\nend\n",
            &["function a", "module n", "function n::b", "function c"],
        ),
    ]);
}
