//! Objects whose type is a type parameter: what its bound declares is meant.

use super::{Relation, check_in, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[test]
fn what_bounds_a_type_parameter_declares_its_members() {
    callers(
        &[(
            "a.ts",
            "interface Run {\n  go(): void;\n}\ninterface Walk {\n  go(): void;\n}\n\
             function f<T extends Run>(t: T) {\n  t.go();\n}\n\
             class Box<T extends Walk> {\n  constructor(private item: T) {}\n  open() {\n    this.item.go();\n  }\n}\n\
             export { f, Box };\n",
        )],
        &[("a.ts:2", &["a.ts:8"]), ("a.ts:5", &["a.ts:13"])],
    );
    callers(
        &[(
            "A.java",
            "class A {\n  interface Run {\n    void go();\n  }\n  interface Walk {\n    void go();\n  }\n\
             \n  static <T extends Run> void f(T t) {\n    t.go();\n  }\n\
             static <T extends Comparable<T> & Walk> void g(T t) {\n    t.go();\n  }\n}\n",
        )],
        &[("A.java:3", &["A.java:10"]), ("A.java:6", &["A.java:13"])],
    );
    callers(
        &[(
            "a.rs",
            "trait Run {\n    fn go(&self);\n    fn make() -> Self;\n}\ntrait Walk {\n    fn go(&self);\n    fn make() -> Self;\n}\n\
             fn f<T: Run + Send>(t: &T) {\n    t.go();\n    T::make();\n}\n\
             fn g<'a, T>(t: &'a T)\nwhere\n    T: Walk + 'a,\n{\n    t.go();\n    T::make();\n}\n",
        )],
        &[
            ("a.rs:2", &["a.rs:10"]),
            ("a.rs:3", &["a.rs:11"]),
            ("a.rs:6", &["a.rs:17"]),
            ("a.rs:7", &["a.rs:18"]),
        ],
    );
    callers(
        &[(
            "a.go",
            "package a\n\ntype Run interface {\n\tGo()\n}\n\ntype Walk interface {\n\tGo()\n}\n\n\
             func F[T Run](t T) {\n\tt.Go()\n}\n\nfunc G[K comparable, T Walk](k K, t T) {\n\tt.Go()\n}\n",
        )],
        &[("a.go:4", &["a.go:12"]), ("a.go:8", &["a.go:16"])],
    );
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn bounds_of_kotlin_are_read() {
    callers(
        &[(
            "a.kt",
            "interface Run {\n    fun go()\n}\ninterface Walk {\n    fun go()\n}\n\
             inline fun <reified T : Run> f(t: T) {\n    t.go()\n}\n\
             fun <T> g(t: T) where T : Walk {\n    t.go()\n}\n",
        )],
        &[("a.kt:2", &["a.kt:8"]), ("a.kt:5", &["a.kt:11"])],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn bounds_of_c_sharp_are_read() {
    callers(
        &[(
            "A.cs",
            "interface IRun {\n  void Go();\n}\ninterface IWalk {\n  void Go();\n}\n\
             class A {\n  void F<T>(T t) where T : class, IRun, new() {\n    t.Go();\n  }\n\
             void G<T>(T t) where T : IWalk {\n    t.Go();\n  }\n}\n",
        )],
        &[("A.cs:2", &["A.cs:9"]), ("A.cs:5", &["A.cs:12"])],
    );
}

#[cfg(feature = "lang-swift")]
#[test]
fn bounds_of_swift_are_read() {
    callers(
        &[(
            "a.swift",
            "protocol Run {\n  func go()\n}\nprotocol Walk {\n  func go()\n}\n\
             func f<T: Run>(t: T) {\n  t.go()\n}\nfunc g<T: Walk>(t: T) {\n  t.go()\n}\n",
        )],
        &[("a.swift:2", &["a.swift:8"]), ("a.swift:5", &["a.swift:11"])],
    );
}

#[test]
fn a_member_of_a_name_that_many_types_declare_is_found_by_its_type() {
    let mut text = String::new();
    for n in 0..300 {
        text += &format!(
            "class Cart{n}:\n    def run(self):\n        return self.go()\n    def go(self):\n        return {n}\n"
        );
    }
    let user = "from a import Cart7\n\ndef f(c: Cart7):\n    return c.run() + c.go()\n";
    let files = [("a.py", text.as_str()), ("b.py", user)];
    check_in(
        &sources(&files),
        &files,
        Relation::Callers,
        " ?",
        &[("Cart7.run", &["b.py:4"]), ("Cart7.go", &["a.py:38", "b.py:4"]), ("Cart8.go", &["a.py:43"])],
    );
}
