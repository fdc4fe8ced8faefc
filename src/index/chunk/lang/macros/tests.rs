//! Text with macros, and what the parser sees of it.

use super::*;

fn seen(text: &str) -> String {
    String::from_utf8(without(text).into_owned()).unwrap()
}

/// The words that the parser sees, without white space between them.
fn words(text: &str) -> String {
    let seen = seen(text);
    assert_eq!(seen.len(), text.len(), "{text}");
    let lines = |text: &str| text.bytes().filter(|&byte| byte == b'\n').count();
    assert_eq!(lines(&seen), lines(text), "{text}");
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn heads_of_blocks_become_functions() {
    for (text, expected) in [
        ("SYSCALL_DEFINE3(read, unsigned int, fd, char __user *, buf)\n{\n}\n", "void (read ) { }"),
        ("static DEFINE_X(name) {\n}\n", "static void (name) { }"),
        ("TEST_F(Shop, Pays) {\n}\n", "void ( Pays) { }"),
        ("namespace a {\nTYPED_TEST(Shop, Pays) {\n}\n}\n", "namespace a { void ( Pays) { } }"),
        (
            "#define check(name) void name(void)\ncheck(pays)\n{\n}\n",
            "#define check(name) void name(void) void (pays) { }",
        ),
        // Functions without a type, constructors and statements stay.
        ("main(argc, argv)\n{\n}\n", "main(argc, argv) { }"),
        ("class AST {\n  AST(Node) {}\n};\n", "class AST { AST(Node) {} };"),
        ("void f() {\n  FOR_EACH(a, b) {\n  }\n}\n", "void f() { FOR_EACH(a, b) { } }"),
        ("TEST_CASE(\"it pays\", \"[shop]\") {\n}\n", "TEST_CASE(\"it pays\", \"[shop]\") { }"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn attributes_are_blanked() {
    for (text, expected) in [
        (
            "static void printflike(1, 0)\nlog_v(const char *f)\n{\n}\n",
            "static void log_v(const char *f) { }",
        ),
        ("void __printf(2, 3) my(int a, ...)\n{\n}\n", "void my(int a, ...) { }"),
        ("void g_log(const char *f, ...) G_GNUC_PRINTF (1, 2);\n", "void g_log(const char *f, ...) ;"),
        ("int f(int a) __must_hold(&lock)\n{\n}\n", "int f(int a) { }"),
        ("void f() const Q_OVERRIDE {\n}\n", "void f() const { }"),
        ("static int __init start(char __user *p)\n{\n}\n", "static int start(char *p) { }"),
        ("class FMT_API Foo : public Bar {\n};\n", "class Foo : public Bar { };"),
        ("struct PACKED head {\n  int a;\n};\n", "struct head { int a; };"),
        ("FMT_API void f(int a);\n", "void f(int a);"),
        ("FMT_BEGIN\ntemplate <class T> void f(T a) {}\n", "template <class T> void f(T a) {}"),
        ("EXPORT_SYMBOL(read)\nstatic int f(void)\n{\n}\n", "static int f(void) { }"),
        ("EXPORT_SYMBOL(read)\nmodule_init(start);\n", "module_init(start);"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn all_other_text_stays() {
    for text in [
        "int f(int a) { return g(a)(1, 2); }\n",
        "struct FOO bar(void)\n{\n}\n",
        "struct FOO bar = { 1 };\n",
        "static const __le32 x;\n",
        "JNIEXPORT(int)\nadd(int a, int b)\n{\n}\n",
        "PyMODINIT_FUNC\nPyInit_a(void)\n{\n}\n",
        "int __attribute__((format(printf, 1, 2))) f(const char *a);\n",
        "EXPORT_SYMBOL(read);\n",
        "#define F(a, b) \\\n  G(a) \\\n  H(b)\nint x;\n",
        "/* SYSCALL_DEFINE1(a, b) { */ int y;\n",
        "char *s = \"TEST(a, b) {\";\n",
        "auto s = R\"x(TEST(a, b) {)x\";\nint z = 1'000;\n",
        "Foo::Foo(int a) : A(a), B(1) {\n}\n",
        "int é(void) { return 1; }\n(((\n",
    ] {
        assert_eq!(seen(text), text);
    }
}

#[test]
fn conditional_braces_do_not_hide_what_follows() {
    let text = "int f(void)\n{\n#ifdef A\n  if (a) {\n#else\n  if (b) {\n#endif\n  }\n}\nSYSCALL_DEFINE1(read, int, fd)\n{\n}\n";
    assert!(words(text).ends_with("} void (read ) { }"), "{}", words(text));
}
