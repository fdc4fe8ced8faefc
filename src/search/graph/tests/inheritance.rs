//! Members that a type has from others, and members that it can't have.

use super::check;

#[test]
fn a_go_type_has_the_members_of_what_it_embeds() {
    check(
        &[
            ("go.mod", "module ex.com/m\n"),
            (
                "cf/d.go",
                "package cf\n\ntype Dispenser struct{}\n\nfunc (d *Dispenser) Next() bool { return true }\n\n\
                 type Iter struct{}\n\nfunc (i *Iter) Next() bool { return true }\n",
            ),
            (
                "h/h.go",
                "package h\n\nimport \"ex.com/m/cf\"\n\ntype Helper struct {\n\t*cf.Dispenser\n\tname string\n}\n\n\
                 func parse(h Helper) {\n\th.Next()\n}\n",
            ),
            (
                "h/i.go",
                "package h\n\ntype Closer interface {\n\tClose() error\n}\n\ntype File interface {\n\tCloser\n\tRead()\n}\n\n\
                 func done(f File) {\n\tf.Close()\n}\n",
            ),
        ],
        &[
            ("h/h.go", "Next", &["cf/d.go Dispenser.Next (inherited)"]),
            ("h/i.go", "Close", &["h/i.go Closer.Close (inherited)"]),
        ],
    );
}

#[test]
fn a_variable_of_go_is_no_type_of_another_package() {
    check(
        &[
            ("go.mod", "module ex.com/m\n"),
            (
                "a/r.go",
                "package a\n\ntype scanner struct{}\n\nfunc (s *scanner) Scan() bool { return true }\n",
            ),
            (
                "c/y.go",
                "package c\n\nimport (\n\t\"bufio\"\n\t\"os\"\n)\n\nfunc f() {\n\tscanner := bufio.NewScanner(os.Stdin)\n\t\
                 for scanner.Scan() {\n\t}\n}\n",
            ),
        ],
        &[("c/y.go", "Scan", &[])],
    );
}

#[test]
fn a_base_class_of_python_may_have_type_arguments() {
    check(
        &[(
            "a.py",
            "from typing import Generic, TypeVar\n\nT = TypeVar('T')\n\n\nclass Item:\n    def load(self): ...\n\n\n\
             class Base(Generic[T]):\n    def load(self, x): ...\n\n\nclass Sub(Base[Item]): ...\n\n\n\
             def f():\n    p = Sub()\n    p.load(1)\n",
        )],
        &[("a.py", "load", &["a.py Base.load (inherited)"])],
    );
}

#[test]
fn a_rust_type_has_the_methods_of_what_it_dereferences_to() {
    check(
        &[
            (
                "src/keyword.rs",
                "pub struct Keyword;\n\nimpl Keyword {\n    pub fn lexeme(&self) -> u8 { 1 }\n}\n",
            ),
            ("src/token.rs", "pub struct Token;\n\nimpl Token {\n    pub fn lexeme(&self) -> u8 { 0 }\n}\n"),
            (
                "src/name.rs",
                "use crate::token::Token;\n\npub struct Name {\n    token: Token,\n}\n\nimpl std::ops::Deref for Name {\n    \
                 type Target = Token;\n\n    fn deref(&self) -> &Token {\n        &self.token\n    }\n}\n\n\
                 pub fn show(name: Name) -> u8 {\n    name.lexeme()\n}\n",
            ),
        ],
        &[("src/name.rs", "lexeme", &["src/token.rs Token::lexeme (inherited)"])],
    );
}

#[test]
fn a_class_comes_before_an_interface_however_far() {
    check(
        &[
            ("p/L.java", "package p;\npublic interface L<S> { S onFailure(int x); }\n"),
            (
                "p/PB.java",
                "package p;\npublic abstract class PB<S> implements L<S> {\n    public S onFailure(int x) { return null; }\n}\n",
            ),
            ("p/Mid.java", "package p;\npublic abstract class Mid<S> extends PB<S> { }\n"),
            ("p/RB.java", "package p;\npublic class RB extends Mid<RB> implements L<RB> { }\n"),
            ("p/T.java", "package p;\nclass T {\n    void a(RB b) { b.onFailure(1); }\n}\n"),
        ],
        &[("p/T.java", "onFailure", &["p/PB.java PB.onFailure (inherited)"])],
    );
}

#[test]
fn a_call_of_java_means_no_method_that_it_can_not_see() {
    check(
        &[
            (
                "p/As.java",
                "package p;\npublic class As {\n    public static class Recorder {\n        public void assertEq(int a) { }\n    }\n}\n",
            ),
            ("p/S.java", "package p;\nclass S {\n    static void sleep(long m) { }\n}\n"),
            (
                "t/T.java",
                "package t;\nimport p.As;\nimport static org.x.Assert.*;\npublic class T extends As {\n    \
                 void c() {\n        assertEq(1);\n        Thread.sleep(1);\n    }\n}\n",
            ),
        ],
        &[("t/T.java", "assertEq", &[]), ("t/T.java", "sleep", &[])],
    );
}

#[test]
fn an_annotation_calls_the_elements_that_it_sets() {
    check(
        &[
            ("p/Retry.java", "package p;\npublic @interface Retry {\n    int times() default 1;\n}\n"),
            ("p/Other.java", "package p;\nclass Other {\n    int times() { return 2; }\n}\n"),
            ("p/U.java", "package p;\nclass U {\n    @Retry(times = 3)\n    void a() { }\n}\n"),
        ],
        &[("p/U.java", "times", &["p/Retry.java Retry.times (qualifier)"])],
    );
}

#[test]
fn a_text_in_a_pattern_hides_no_function() {
    check(
        &[
            (
                "src/lib.rs",
                "fn run(a: &str) {}\n\nfn build(a: &str) {}\n\nfn main() {\n    match \"x\" {\n        \
                 \"run\" => run(\"x\"),\n        \"build\" | \"b\" => build(\"y\"),\n        _ => {}\n    }\n}\n",
            ),
            (
                "a.py",
                "def run(): ...\n\n\ndef main(word):\n    match word:\n        case \"run\":\n            run()\n",
            ),
        ],
        &[
            ("src/lib.rs", "run", &["src/lib.rs run (same file)"]),
            ("src/lib.rs", "build", &["src/lib.rs build (same file)"]),
            ("a.py", "run", &["a.py run (same file)"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_member_that_names_its_interface_belongs_to_the_class_around_it() {
    let interface = |namespace: &str| {
        format!(
            "namespace {namespace};\n\npublic interface IClock\n{{\n    void Run();\n    void Stop();\n}}\n"
        )
    };
    let clock = "namespace Shop;\n\npublic class Clock : IClock\n{\n    private int n;\n\n    \
        void IClock.Run()\n    {\n        Tick(n);\n        Other one = null;\n    }\n\n    \
        void IClock.Stop()\n    {\n        Tick(0);\n    }\n\n    void Tick(int n) { }\n}\n";
    check(
        &[
            ("a/IClock.cs", &interface("A")),
            ("b/IClock.cs", &interface("B")),
            ("c/Clock.cs", clock),
            ("c/Other.cs", "namespace Shop;\n\npublic class Other\n{\n}\n"),
        ],
        &[
            ("c/Clock.cs", "Tick", &["c/Clock.cs Shop.Clock.Tick (same type)"]),
            ("c/Clock.cs", "Other", &["c/Other.cs Shop.Other (same package)"]),
        ],
    );
}
