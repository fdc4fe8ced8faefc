//! Tests of syntax that a grammar does not know, or reads wrongly.

use super::super::{ChunkOptions, Language, ReferenceKind, chunk};
use super::declarations::check;

#[test]
fn a_shift_of_ruby_does_not_hide_the_file() {
    let many = "# A `<<` before a quote.\n".repeat(100) + "class A\n  def b = 1\nend\n";
    check(&[("ruby", &many, &["class A", "method A::b"])]);
}

#[test]
fn setters_and_other_names_of_methods_are_declared() {
    check(&[(
        "ruby",
        "class A\n  def b=(x)\n  end\n  def self.c=(x)\n  end\n  alias d e\n  alias :f :g\n  alias_method :h, :i\n  alias_method \"j?\", \"k\"\n  l.alias_method :m, :n\nend\nalias $o $p\n",
        &[
            "class A",
            "method A::b=",
            "method A::c=",
            "method A::d",
            "method A::f",
            "method A::h",
            "method A::j?",
        ],
    )]);
}

#[test]
fn kotlin_behind_annotations_and_new_syntax() {
    check(&[
        ("kotlin", "@A data object B\n@C expect fun d()\n", &["class B", "function d"]),
        ("kotlin", "@A const val X = 1\n@B enum class E { F }\n", &["constant X", "enum E"]),
        ("kotlin", "@A actual class P {\n    fun q() {}\n}\n", &["class P", "method P.q"]),
        (
            "kotlin",
            "annotation class M\n@A(X::class) @B open class N protected constructor() {\n    fun o() {}\n}\n",
            &["class M", "class N", "method N.o"],
        ),
        (
            "kotlin",
            "class R\n@X internal constructor(val a: Int) {\n    fun r() {}\n}\n",
            &["class R", "method R.r"],
        ),
        (
            "kotlin",
            "class G {\n    fun a(x: Any) = when (x) {\n        is B if !x.c() -> 1\n        else if d -> 2\n        else -> 3\n    }\n    context(log: Logger)\n    fun b() {}\n    fun e(block: context(F) () -> Unit) {}\n    @all:H val h: String\n    val i = $$\"a$b\"\n    val j: K<L>\n        field = M()\n    fun last() {}\n}\n",
            &["class G", "method G.a", "method G.b", "method G.e", "method G.last"],
        ),
    ]);
}

#[test]
fn ambient_variables_of_typescript_are_declared() {
    check(&[(
        "typescript",
        "declare const A: number;\ndeclare let b: string, c: D;\nexport declare const E: { f: G };\ndeclare var h: unknown;\n",
        &["constant A", "variable b", "variable c", "constant E", "variable h"],
    )]);
}

#[test]
fn only_variables_around_all_of_a_script_of_groovy_are_declared() {
    check(&[(
        "groovy",
        "def a = 1\nallprojects {\n  def b = 2\n}\nif (a) {\n  def c = 3\n}\n",
        &["variable a"],
    )]);
}

#[test]
fn a_type_in_a_class_of_groovy_does_not_end_it() {
    check(&[
        (
            "groovy",
            "class A {\n    static class B {\n        int x\n        void inB() {}\n        static enum C { P, Q }\n    }\n    private final lock = new Object()\n    private static helper(String x) { x }\n    static main(args) { for (i in args) { println i } }\n    A(int y) { }\n    void last() { }\n}\nclass Z { def z() {} }\n",
            &[
                "class A",
                "class A.B",
                "field A.B.x",
                "method A.B.inB",
                "enum A.B.C",
                "variant A.B.C.P",
                "variant A.B.C.Q",
                "field A.lock",
                "method A.helper",
                "method A.main",
                "constructor A.A",
                "method A.last",
                "class Z",
                "method Z.z",
            ],
        ),
        ("groovy", "task a(type: Copy) {\n    from 'b'\n}\ntask c { }\n", &["function a", "function c"]),
    ]);
}

#[test]
fn what_the_grammar_of_groovy_cannot_read_does_not_end_a_class() {
    check(&[
        (
            "groovy",
            "@CompileStatic\ntrait A implements B, C {\n    private List<D> all = new ArrayList<>()\n    void f() {\n        for( Path it : paths )\n            it.g()\n        for (final D d : all) { d.h() }\n        for (Map.Entry<?, ?> e in m.entrySet()) {\n            final long n = e.n ?: 0\n            synchronized (this) { i(n) }\n            final j = new byte[500]\n        }\n    }\n    static final K = ~/ \\((.+)\\)/\n    List<D> last() { Collections.<D>emptyList() }\n}\nclass Z {\n    Z() { for (a in b) { c(a) } }\n    void z() {}\n}\n",
            &[
                "interface A",
                "field A.all",
                "method A.f",
                "field A.K",
                "method A.last",
                "class Z",
                "constructor Z.Z",
                "method Z.z",
            ],
        ),
        ("groovy", "String a = 'b'\ndef c = 1\n", &["variable a", "variable c"]),
    ]);
}

#[test]
fn extension_members_and_assigning_operators_of_c_sharp_are_declared() {
    check(&[(
        "c-sharp",
        "public static class E {\n    extension(string s) {\n        public bool IsBlank => s.Length == 0;\n        public string Twice() => s + s;\n    }\n    extension<T>(IEnumerable<T> all) where T : class {\n        public IEnumerable<T> Some(Func<T, bool> f) { return all; }\n    }\n    public static int Last(this int x) => x;\n}\npublic class V {\n    public void operator +=(int n) { }\n    public static V operator +(V a, V b) => a;\n    public void Last() { }\n}\n",
        &[
            "class E",
            "field E.IsBlank",
            "method E.Twice",
            "method E.Some",
            "method E.Last",
            "class V",
            "method V.operator +=",
            "method V.operator +",
            "method V.Last",
        ],
    )]);
}

#[test]
fn properties_with_data_and_cases_of_php_are_declared() {
    check(&[(
        "php",
        "<?php\nclass A {\n    public static $b = ['c' => 1], $d;\n    protected array $e = [1];\n    private ?F $f = null;\n    const G = [1], H = 2;\n}\nenum I: string { case J = 'j'; case K = 'k'; }\n",
        &[
            "class A",
            "field A::b",
            "field A::d",
            "field A::e",
            "constant A::G",
            "constant A::H",
            "enum I",
            "variant I::J",
            "variant I::K",
        ],
    )]);
}

#[test]
fn only_the_code_of_a_literate_program_is_read() {
    check(&[
        (
            "haskell",
            "It's a text (with a mark.\n\n> module M where\n>\n> f :: Int -> Int\n> f x = x\n\nIts end.\n",
            &["module M", "function f"],
        ),
        (
            "haskell",
            "It's a text.\n\\begin{code}\nmodule M where\nf :: Int -> Int\nf x = x\n\\end{code}\nIts end (.\n",
            &["module M", "function f"],
        ),
    ]);
}

#[test]
fn words_for_modules_of_cpp() {
    check(&[
        (
            "cpp",
            "module;\n#include <a>\nexport module m;\nimport n;\nexport namespace geo {\nint f();\n}\nexport class A { void g(); };\n",
            &["module geo", "function geo::f", "class A", "method A::g"],
        ),
        ("cpp", "namespace a::inline b::c { int f(); }\n", &["module a::b::c", "function a::b::c::f"]),
    ]);
}

#[test]
fn tests_of_bats_are_declared() {
    check(&[(
        "bash",
        "@test \"adds 'é' to it\" {\n    run f a\n}\n\nf() {\n    g\n}\n",
        &["test adds 'é' to it", "function f"],
    )]);
}

#[test]
fn a_title_of_latex_goes_on_in_the_next_line() {
    check(&[(
        "latex",
        "\\section[Short]{A long\n  title}\nText.\n\\section{Next}\n",
        &["section A long title", "section Next"],
    )]);
}

#[test]
fn an_enumeration_of_c_without_a_name_has_a_type() {
    check(&[(
        "c",
        "typedef enum : unsigned char { A, B } color_t;\nenum x : int { C };\nint enumerate(int a);\n",
        &["enum color_t", "enum x", "function enumerate"],
    )]);
}

#[test]
fn only_what_a_module_of_javascript_assigns_to_its_exports_is_exported() {
    let text =
        "function run() {}\nmodule.exports = { go: run };\nother.exports = { stay: run };\nx = { y: run };\n";
    let file = chunk(Language::from_name("javascript").unwrap(), text, &ChunkOptions::default());
    let exported = file.references.iter().filter(|one| one.name == "run" && !one.alias.is_empty());
    assert_eq!(exported.map(|one| one.alias.as_str()).collect::<Vec<_>>(), ["go"]);
}

#[test]
fn new_of_go_takes_a_value() {
    let text = "package a\n\nfunc f() *int64 {\n\tshow(new(limit(5)))\n\treturn new(int64)\n}\n";
    let file = chunk(Language::from_name("go").unwrap(), text, &ChunkOptions::default());
    let called = file.references.iter().filter(|one| one.kind == ReferenceKind::Call);
    assert_eq!(called.map(|one| one.name.as_str()).collect::<Vec<_>>(), ["limit", "new", "show"]);
}
