//! Namespaces, imports and type tests of C# and Kotlin.

use super::check;

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_type_that_is_tested_is_named() {
    check(
        &[
            ("a.cs", "namespace N;\nclass Xa { }\n"),
            ("b.cs", "namespace N;\nclass B {\n  const int Max = 3;\n  bool A(object o) => o is Xa;\n}\n"),
            ("c.cs", "namespace N;\nclass C {\n  bool A(object o) => o is not Xa;\n}\n"),
            ("d.cs", "namespace N;\nclass D {\n  object A(object o) => o as Xa;\n}\n"),
            ("e.cs", "namespace N;\nclass E {\n  string A() => nameof(Xa);\n}\n"),
            ("f.cs", "namespace N;\nclass F {\n  int A(object o) => o switch { Xa => 1, _ => 2 };\n}\n"),
            (
                "g.cs",
                "namespace N;\nclass G {\n  const int Max = 3;\n  int A(object o) { switch (o) { case Xa: return 1; case Max: return 2; default: return 3; } }\n}\n",
            ),
        ],
        &[
            ("b.cs", "Xa", &["a.cs N.Xa (same package)"]),
            ("c.cs", "Xa", &["a.cs N.Xa (same package)"]),
            ("d.cs", "Xa", &["a.cs N.Xa (same package)"]),
            ("e.cs", "Xa", &["a.cs N.Xa (same package)"]),
            ("f.cs", "Xa", &["a.cs N.Xa (same package)"]),
            ("g.cs", "Xa", &["a.cs N.Xa (same package)"]),
            ("g.cs", "Max", &["g.cs N.G.Max (same type)"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn a_namespace_says_which_of_two_types_is_meant() {
    let alpha = |name: &str| {
        format!(
            "namespace {name} {{ public class Alpha {{ public const int Max = 1; public static int Go() => 1; }} }}\n"
        )
    };
    check(
        &[
            ("a.cs", &alpha("L1")),
            ("b.cs", &alpha("L2")),
            ("c.cs", "using L1;\nclass C {\n  int A() => Alpha.Max;\n  int B() => Alpha.Go();\n}\n"),
            ("d.cs", "class D {\n  int A() => L1.Alpha.Go();\n}\n"),
            ("e.cs", "using L1;\nclass E {\n  int A() => L2.Alpha.Go();\n  L2.Alpha B() => null;\n}\n"),
        ],
        &[
            ("c.cs", "Max", &["a.cs L1.Alpha.Max (qualifier)"]),
            ("c.cs", "Go", &["a.cs L1.Alpha.Go (qualifier)"]),
            ("d.cs", "Go", &["a.cs L1.Alpha.Go (qualifier)"]),
            ("e.cs", "Go", &["b.cs L2.Alpha.Go (qualifier)"]),
            ("e.cs", "Alpha", &["b.cs L2.Alpha (qualifier)"]),
        ],
    );
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn annotations_name_the_classes_in_their_arguments() {
    check(
        &[
            ("a.kt", "package lib\nclass Xa : Exception()\n"),
            ("b.kt", "package app\nimport lib.Xa\n@Throws(Xa::class) fun t() {}\n"),
            ("c.kt", "package app\nimport lib.Xa\n@An(k = Xa::class)\nclass Q\n"),
            ("d.kt", "package app\nclass R {\n  @Throws(lib.Xa::class)\n  fun u() {}\n}\n"),
        ],
        &[
            ("b.kt", "Xa", &["a.kt Xa (import)"]),
            ("c.kt", "Xa", &["a.kt Xa (import)"]),
            ("d.kt", "Xa", &["a.kt Xa (qualifier)"]),
        ],
    );
}

#[cfg(feature = "lang-all")]
#[test]
fn extensions_of_types_from_outside_are_found() {
    check(
        &[
            ("lib.kt", "package lib\nfun Closeable.closeQuietly() {}\nfun Any.twice() = 1\n"),
            (
                "app.kt",
                "package app\nimport java.io.InputStream\nimport lib.closeQuietly\nimport lib.twice\nclass App(val s: InputStream) {\n  \
                 fun a() { s.closeQuietly() }\n  fun b(x: Foo) { x.unknown.twice() }\n}\n",
            ),
            (
                "url.kt",
                "package lib\nclass Url {\n  companion object {\n    fun String.toUrl() = 1\n  }\n}\nclass Other {\n  fun String.toUrl() = 2\n}\n",
            ),
            (
                "use.kt",
                "package app\nimport lib.Url.Companion.toUrl\nfun f(s: String) = s.toUrl()\nfun g() = \"x\".toUrl()\n",
            ),
            (
                "lib.cs",
                "namespace Lib;\npublic static class Ext { public static void CloseSoft(this IDisposable d) {} }\n",
            ),
            ("app.cs", "using Lib;\nclass App { void A(System.IO.Stream s) { s.CloseSoft(); } }\n"),
            ("lib.swift", "extension Sequence { func softClose() {} }\n"),
            ("app.swift", "func a(s: InputStream) { s.softClose() }\n"),
        ],
        &[
            ("app.kt", "closeQuietly", &["lib.kt Closeable.closeQuietly (import)"]),
            ("app.kt", "twice", &["lib.kt Any.twice (import)"]),
            ("use.kt", "toUrl", &["url.kt Url.String.toUrl (import)"]),
            ("app.cs", "CloseSoft", &["lib.cs Lib.Ext.CloseSoft (only candidate)"]),
            ("app.swift", "softClose", &["lib.swift Sequence.softClose (only candidate)"]),
        ],
    );
}
