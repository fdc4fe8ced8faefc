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
        ("namespace a {\nTYPED_TEST(Shop, Pays) {\n}\n}\n", "namespace a { void (Shop::Pays) { } }"),
        (
            "#define check(name) void name(void)\ncheck(pays)\n{\n}\n",
            "#define check(name) void name(void) void (pays) { }",
        ),
        // Functions without a type, constructors and statements stay.
        ("main(argc, argv)\n{\n}\n", "main(argc, argv) { }"),
        ("class AST {\n  AST(Node) {}\n};\n", "class AST { AST(Node) {} };"),
        ("void f() {\n  FOR_EACH(a, b) {\n  }\n}\n", "void f() { FOR_EACH(a, b) { } }"),
        ("TEST_CASE(\"it pays\", \"[shop]\") {\n}\n", "void ( xxxxxxx ) { }"),
        ("TEST_CASE_METHOD(Shop, \"pays\") {\n}\n", "void ( xxxx ) { }"),
        ("TEST_SUITE(\"shop\") {\nTEST_CASE(\"pays\") {\n}\n}\n", "namespace xxxx { void ( xxxx ) { } }"),
        ("TEST_CASE(\"pays\") {\n  SECTION(\"all\") {\n  }\n}\n", "void ( xxxx ) { ; xxx : { } }"),
        ("TEST_F(Shop, Pays) {\n}\n", "void (Shop::Pays) { }"),
        ("TYPED_TEST(Shop,\n           Pays) {\n}\n", "void ( Pays) { }"),
        ("TEST(Shop, Pays) {\n}\n", "void( Pays) { }"),
        ("BOOST_FIXTURE_TEST_CASE(pays, Shop) {\n}\n", "void (pays ) { }"),
        // A call with a string is not a part of a test.
        (
            "void f() {\n  SECTION(\"a\");\n  LOG(\"a\") {\n  }\n}\n",
            "void f() { SECTION(\"a\"); LOG(\"a\") { } }",
        ),
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
        ("API int (*f)(const char *, void *) ATTR;\n", "int (*f)(const char *, void *) ;"),
        ("API long long (*f)(void) ATTR_PRINTF(2,3) ATTR;\n", "long long (*f)(void) ;"),
        ("static int __init start(char __user *p)\n{\n}\n", "static int start(char *p) { }"),
        ("class FMT_API Foo : public Bar {\n};\n", "class Foo : public Bar { };"),
        ("struct PACKED head {\n  int a;\n};\n", "struct head { int a; };"),
        ("FMT_API void f(int a);\n", "void f(int a);"),
        ("FMT_BEGIN\ntemplate <class T> void f(T a) {}\n", "template <class T> void f(T a) {}"),
        ("EXPORT_SYMBOL(read)\nstatic int f(void)\n{\n}\n", "static int f(void) { }"),
        ("EXPORT_SYMBOL(read)\nmodule_init(start);\n", "module_init(start);"),
        ("BOOL WINAPI f(void);\n", "BOOL f(void);"),
        ("DLLEXP UINT __stdcall f(int a);\n", "UINT f(int a);"),
        ("API RESULT *f(int a) {\n}\n", "RESULT *f(int a) { }"),
        ("typedef BOOL(WINAPI *is_t)(HANDLE, USHORT *);\n", "typedef BOOL( *is_t)(HANDLE, USHORT *);"),
        ("static int (SHOP_CALL *hook)(FILE *f) = 0;\n", "static int ( *hook)(FILE *f) = 0;"),
        ("class [[nodiscard]] API Two {\n};\n", "class Two { };"),
        ("class API [[nodiscard]] Three : public A {\n};\n", "class Three : public A { };"),
        ("struct EXPORT(x) Four {\n};\n", "struct Four { };"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn annotations_are_blanked() {
    for (text, expected) in [
        ("class A {\n  int n GUARDED_BY(mu_) = 0;\n};\n", "class A { int n = 0; };"),
        ("class A {\n  std::map<int, int> m GUARDED_BY(mu_);\n};\n", "class A { std::map<int, int> m ; };"),
        ("static unsigned long n[2] UNUSED ALIGNED(4);\n", "static unsigned long n[2] ;"),
        ("struct shop *s ATTRIBUTE = 0;\n", "struct shop *s = 0;"),
        ("A(T* t CAPTURED(this), int n) LOCKS(t);\n", "A(T* t , int n) ;"),
        ("Foo* absl_nonnull Foo::Make() {\n}\n", "Foo* Foo::Make() { }"),
        ("const char* absl_nullable name(S& absl_x s) {\n}\n", "const char* name(S& s) { }"),
        ("void SYMBOL(f)(int a);\n", "void f (int a);"),
        ("DEPRECATED()\n[[nodiscard]] bool lock() LOCKS(true);\n", "[[nodiscard]] bool lock() ;"),
        ("unsigned _BitInt(7) n;\n_BitInt(9) f(int a) {\n}\n", "unsigned int n; int f(int a) { }"),
        ("extern template void f<int>(int a);\n", "template void f<int>(int a);"),
        (
            "class A {\n  [[deprecated(\"x\")]]\n  INLINE\n  explicit A(M* m) LOCKS(m)\n      : A(*m) {}\n};\n",
            "class A { [[deprecated(\"x\")]] explicit A(M* m) : A(*m) {} };",
        ),
        ("__constant__ float c[3];\n", "float c[3];"),
        ("__global__ void __launch_bounds__(256, 2) f(int a) {\n}\n", "void f(int a) { }"),
        ("void *bar __P((int, char *));\n", "void *bar (int, char *) ;"),
        // These words are names, types or operators.
        ("UINT FOO(int a);\nstruct foo BAR(int a);\n", "UINT FOO(int a); struct foo BAR(int a);"),
        ("unsigned BAR(int a);\nns::Foo BAZ(int a);\n", "unsigned BAR(int a); ns::Foo BAZ(int a);"),
        ("int *const p = a * b;\nint *p asm(\"x\");\n", "int *const p = a * b; int *p asm(\"x\");"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn macros_that_are_an_item_are_read() {
    for (text, expected) in [
        (
            "class A {\n  MOCK_METHOD(void, pay, (const S& a, int b), (override));\n};\n",
            "class A { void pay (const S& a, int b) ; };",
        ),
        ("class A {\n  MOCK_METHOD((M<int, int>), pay, ());\n};\n", "class A { M<int, int> pay () ; };"),
        ("class A {\n  MOCK_CONST_METHOD1(pay, int(int a));\n};\n", "class A { void pay (int a) ; };"),
        ("class A {\n  BIT(on);\n  SIZE(int, 4);\n};\n", "class A { BIT on ; SIZE ; };"),
        ("class AST {\n  AST(Node);\n};\n", "class AST { AST(Node); };"),
        ("FLAG(int, port, 80, \"\");\nint f() {\n}\n", "FLAG( port, 80, \"\"); int f() { }"),
        ("FLAG(const S *, port, 80);\nclass A {\n};\n", "FLAG( port, 80); class A { };"),
        ("END_NAMESPACE\n\nTHING(x, \"y\");\n", "THING(x, \"y\");"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn macros_in_front_of_constructors_are_blanked() {
    for (text, expected) in [
        (
            "class Buffer {\n  API Buffer(int n) : n_(n) {}\n};\n",
            "class Buffer { Buffer(int n) : n_(n) {} };",
        ),
        ("struct S {\n  API_20 ~S() {}\n};\n", "struct S { ~S() {} };"),
        ("struct S {\n  API INLINE S(int a);\n};\n", "struct S { S(int a); };"),
        ("struct S {\n  API explicit S(int a);\n};\n", "struct S { explicit S(int a); };"),
        ("struct S {\n  API operator bool() const;\n};\n", "struct S { operator bool() const; };"),
        (
            "struct S {\n  NON_NULL(2)\n  S(int a, char* b) : b_(b) {}\n};\n",
            "struct S { S(int a, char* b) : b_(b) {} };",
        ),
        (
            "template <class T, class U = T<int>>\nclass API S : public Base<T> {\n  explicit API S(T a) {}\n};\n",
            "template <class T, class U = T<int>> class S : public Base<T> { explicit S(T a) {} };",
        ),
        (
            "template <> struct S<int> {\n  template <class T> API S(T a) {}\n};\n",
            "template <> struct S<int> { template <class T> S(T a) {} };",
        ),
        ("INLINE Log::Log(int a) : a_(a) {}\n", "Log::Log(int a) : a_(a) {}"),
        ("INLINE ns::Log::~Log() {}\n", "ns::Log::~Log() {}"),
        ("template <class T>\nINLINE Box<T>::Box(T a) {}\n", "template <class T> Box<T>::Box(T a) {}"),
        (
            "EXPORT\ntemplate <class T>\nclass S {\n  template <class U, ENABLE(U::x)>\n  API S(U a) {}\n};\n",
            "template <class T> class S { template <class U, int > S(U a) {} };",
        ),
        // A class inside another, and a method of the outer one behind it.
        (
            "class A {\n  class B {\n    API B();\n  };\n  API A();\n};\n",
            "class A { class B { B(); }; A(); };",
        ),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn macros_in_front_of_a_type_and_a_name_are_blanked() {
    for (text, expected) in [
        ("API auto f(int a) -> int;\n", "auto f(int a) -> int;"),
        ("API constexpr T f();\n", "constexpr T f();"),
        ("API std::vector<T> f();\n", "std::vector<T> f();"),
        ("API const T& f();\n", "const T& f();"),
        ("static API value* f();\n", "static value* f();"),
        ("extern \"C\" API value f();\n", "extern \"C\" value f();"),
        ("DEPRECATED(\"x\") value f();\n", "value f();"),
        ("REGISTER(Shop)\nstd::string f();\n", "std::string f();"),
        ("template <class T>\nAPI T f(T a) {}\n", "template <class T> T f(T a) {}"),
        (
            "template <class T, ENABLE_IF(!is_int<T>::value)> T f(T a) {}\n",
            "template <class T, int > T f(T a) {}",
        ),
        // Macros that no item follows.
        ("void f();\nEND_EXPORT\nEND(a)\n", "void f();"),
        ("class A {\n  int a;\n  Q_OBJECT\n};\n", "class A { int a; };"),
        ("END_EXPORT\n#ifdef A\nint a;\n#endif\n", "#ifdef A int a; #endif"),
        // Access specifiers of macros, and macros in front of them.
        ("class A {\nPRIVATE_IF_TESTED:\n  int a;\n};\n", "class A { int a; };"),
        ("class A {\n  Q_OBJECT\n  Q_PROPERTY(int a)\npublic:\n  A();\n};\n", "class A { public: A(); };"),
        ("class A {\npublic slots:\n  void f();\n};\n", "class A { public : void f(); };"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn conditional_text_inside_of_a_declaration_has_one_branch() {
    for (text, expected) in [
        (
            "template <class T>\n#if A\nconstexpr\n#else\ninline\n#endif\nT get() {\n}\n",
            "template <class T> constexpr T get() { }",
        ),
        ("int f(int a\n#ifdef B\n, int b\n#endif\n) {\n}\n", "int f(int a , int b ) { }"),
        ("A::A(int a) : a_(a)\n#if B\n, b_(1)\n#endif\n{\n}\n", "A::A(int a) : a_(a) , b_(1) { }"),
        // Each branch begins the same block.
        ("static int\n#if A\nf(int a) {\n#else\nf(long a) {\n#endif\n}\n", "static int f(int a) { }"),
        ("#if A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}\n", "int f(int a) { }"),
        ("#if 0\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}\n", "int f(long a) { }"),
        // Each branch is an item.
        ("#ifdef A\nextern \"C\" {\n#endif\nint a;\n", "#ifdef A extern \"C\" { #endif int a;"),
        ("int a;\n#if A\nint b;\n#endif\nint c;\n", "int a; #if A int b; #endif int c;"),
        ("int a\n#if A\n#if B\n= 1\n#endif\n#endif\n;\n", "int a = 1 ;"),
        (
            "int f(int a)\n#ifdef A\n#if B\n__attribute__((x))\n#else\n__attribute__((y))\n#endif\n#endif\n;\n",
            "int f(int a) __attribute__((x)) ;",
        ),
        ("int a\n#if A\n= 1;\n", "int a #if A = 1;"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn macros_for_try_and_catch_are_read() {
    for (text, expected) in [
        (
            "void f() {\n  X_TRY {\n    g();\n  } X_CATCH (...) {\n  }\n}\n",
            "void f() { try { g(); } catch (...) { } }",
        ),
        ("void f() {\n  X_TRY {\n  }\n}\n", "void f() { X_TRY { } }"),
        ("void f() {\n  X_TRY {\n  }\n  X_CATCH(a)\n}\n", "void f() { X_TRY { } X_CATCH(a) }"),
        ("void f() {\n  X_CATCH(a);\n}\n", "void f() { X_CATCH(a); }"),
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
        // Here the word in front is the type.
        "HRESULT f(int a) {\n}\n",
        "STACK_OF(X509) *f(void);\n",
        "FOO operator+(FOO a, FOO b);\n",
        "STDMETHODIMP_(ULONG) Shop::AddRef() {\n}\n",
        "struct S {\n  UINT : 3;\n  UINT a : 3;\n};\n",
        "class AST : public N {\n  AST(Node a) : N(a) {}\n  AST(const AST&) = default;\n};\nAST::AST(Node a) {}\n",
        "int é(void) { return 1; }\n(((\n",
        "void f(void) {\n  ABC)\n  case D: E_F ;\n  GHI ;\n  FOREACH(p)\n  if (x) {}\n}\n",
    ] {
        assert_eq!(seen(text), text);
    }
}

#[test]
fn conditional_text_in_a_function_keeps_one_branch_of_broken_statements() {
    let within = |text: &str| {
        // A brace at the start of a line ends the function.
        let text = text.replace('\n', "\n  ");
        let words = words(&format!("int f(int a)\n{{\n{text}\n}}\nSYSCALL_DEFINE1(read, int, fd)\n{{\n}}\n"));
        let inner =
            words.strip_prefix("int f(int a) {").and_then(|rest| rest.strip_suffix("} void (read ) { }"));
        inner.unwrap_or_else(|| panic!("{words}")).trim().to_owned()
    };
    for (text, expected) in [
        ("#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\nc();\n}", "if (a) { c(); }"),
        ("#if 0\nif (a) {\n#else\nif (b) {\n#endif\nc();\n}", "if (b) { c(); }"),
        ("#ifdef A\nif (a) {\n#endif\nc();\n#ifdef A\n}\n#endif", "if (a) { c(); }"),
        ("if (a) {\n}\n#ifdef A\nelse if (b) {\n}\n#endif", "if (a) { } else if (b) { }"),
        ("#ifdef A\nif (a) {\n}\n#endif\nelse\nb();", "if (a) { } else b();"),
        ("#ifdef A\nif (a)\nb();\nelse\n#endif\nc();", "if (a) b(); else c();"),
        ("if (a\n#ifdef A\n&& b\n#endif\n) {\n}", "if (a && b ) { }"),
        ("g(a,\n#ifdef A\nb\n#else\nc\n#endif\n);", "g(a, b );"),
        ("#ifdef A\n#ifdef B\nif (a) {\n#else\nif (b) {\n#endif\n#else\nif (c) {\n#endif\n}", "if (a) { }"),
        // These can be read.
        ("#ifdef A\nb();\n#else\nc();\n#endif", "#ifdef A b(); #else c(); #endif"),
        ("#ifdef A\n// c\n#endif", "#ifdef A // c #endif"),
        ("#ifdef A\nif (a) {\n}\n#endif", "#ifdef A if (a) { } #endif"),
        ("#ifdef A\nif (a) {", "#ifdef A if (a) {"),
    ] {
        if text.ends_with('{') {
            assert!(words(&format!("int f(int a)\n{{\n{text}\n")).ends_with(expected), "{text}");
        } else {
            assert_eq!(within(text), expected, "{text}");
        }
    }
    let values = "enum e {\n#ifdef A\n  B,\n#else\n  C,\n#endif\n};\n";
    assert_eq!(seen(values), values);
}

#[test]
fn macros_in_statements_are_read() {
    let within = |text: &str| {
        let words = words(&format!("int f(int a) {{\n{text}\n}}\n"));
        let inner = words.strip_prefix("int f(int a) {").and_then(|rest| rest.strip_suffix('}'));
        inner.unwrap_or_else(|| panic!("{words}")).trim().to_owned()
    };
    for (text, expected) in [
        ("VERBOSE(const char *b = NULL);\nagain:\n  b++;", "VERBOSE;const char *b = NULL ; again: b++;"),
        ("case 1:\n  DEBUG(struct shop *b);", "case 1: DEBUG;struct shop *b ;"),
        ("DEBUG(shop_t b = c());", "DEBUG;shop_t b = c() ;"),
        ("int b INIT(0);", "int b=INIT(0);"),
        ("const struct shop *b UNUSED_IF(0);", "const struct shop *b=UNUSED_IF(0);"),
        ("#ifdef A\n  goto end;\nend:\n#endif\n  b();", "#ifdef A goto end; #endif b();"),
        ("goto end;\nend:\n", "goto end;"),
        ("tt_op(b(1, 2), ==, 0);", "tt_op(b(1, 2), 0 , 0);"),
        // These can be read, or are something else.
        ("VERBOSE(b = NULL);", "VERBOSE(b = NULL);"),
        ("CHECK(a * b);", "CHECK(a * b);"),
        ("DROP(new shop);", "DROP(new shop);"),
        ("UNUSED(a, b);", "UNUSED(a, b);"),
        ("static Shop FOO(1);", "static Shop FOO(1);"),
        ("struct list LIST_HEAD(b);", "struct list LIST_HEAD(b);"),
        ("return b FOO(1);", "return b FOO(1);"),
        ("again:\n  b();", "again: b();"),
        ("g(b, &c, -1, *d);", "g(b, &c, -1, *d);"),
    ] {
        assert_eq!(within(text), expected, "{text}");
    }
}

#[test]
fn macros_between_a_type_and_a_function_are_blanked() {
    for (text, expected) in [
        (
            "EXPORT ALLOCATOR RESTRICT\nvoid NOTHROW *\nATTR(malloc) ALLOC_SIZE(1)\nje_malloc(size_t size) {\n}\n",
            "void * je_malloc(size_t size) { }",
        ),
        ("EXPORT int NOTHROW\nATTR(nonnull(1))\nf(void **p) {\n}\n", "int f(void **p) { }"),
        ("static int ATTR(pure) f(int a);\n", "static int f(int a);"),
        ("extern hook_t *MUTABLE hook;\n", "extern hook_t * hook;"),
        ("EXTERN ALLOC_FUNC FILE *f(int a);\n", "FILE *f(int a);"),
        // Here the macro is around the name, or the name itself.
        ("static ALLOC_FUNC(f)\n{\n}\n", "static void (f) { }"),
        ("int MAX_OF(int a) ATTR(x);\n", "int MAX_OF(int a) ;"),
        ("static STACK_OF(x) f(void);\n", "static STACK_OF(x) f(void);"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn macros_without_a_semicolon_end_before_the_next_item() {
    for (text, expected) in [
        ("TEST_BEGIN(a) {\n}\nTEST_END\n\nTEST_BEGIN(b) {\n}\nTEST_END\n", "void (a) { } void (b) { }"),
        ("TEST_END\n\nTEST_STRUCT(u8, b);\n", "TEST_STRUCT(u8, b);"),
        (
            "rb_gen(static UNUSED, tree_,\n    tree_t)\n\nstatic int\nf(int a) {\n}\n",
            "rb_gen; static int f(int a) { }",
        ),
        // A function without a type, and one whose type looks like a macro.
        ("f(a)\nint a;\n{\n}\n", "f(a) int a; { }"),
        ("VOID\nMAIN(HANDLE a);\n", "VOID MAIN(HANDLE a);"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn a_macro_that_expands_another_one_is_blanked() {
    for (text, expected) in [
        (
            "int all[] = {\n#define X(a) a,\nLIST\n#undef X\n  1,\n};\n",
            "int all[] = { #define X(a) a, #undef X 1, };",
        ),
        ("int f(void) {\n  LIST\n  return A;\n}\n", "int f(void) { LIST return A; }"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn comments_in_macros_are_blanked() {
    for (text, expected) in [
        (
            "#define F(a) do { \\\n  (a) = 0; /* bad */ \\\n} while (0)\nint x;\n",
            "#define F(a) do { \\ (a) = 0; \\ } while (0) int x;",
        ),
        ("#define F(a) /* one \\\n two */ \\\n  g(a)\nint x;\n", "#define F(a) \\ \\ g(a) int x;"),
        // A comment that continues a macro stays.
        ("#define A /* one\n two */ 3\nint x;\n", "#define A /* one two */ 3 int x;"),
        ("#define A \"/* \"\nint x; /* b */\n", "#define A \"/* \" int x; /* b */"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn a_template_head_without_its_beginning_stays() {
    for text in ["template > class A int f(int);\n", "template > > T f() { }\n", "A> B f(a) {\n}\n"] {
        assert_eq!(seen(text), text);
    }
}

#[test]
fn macros_behind_the_block_of_a_type_are_blank() {
    for (text, expected) in [
        ("struct a { int b; } __packed c;\n", "struct a { int b; } c;"),
        ("struct a { int b; } __aligned(8);\n", "struct a { int b; } ;"),
        ("struct a { int b; } PACKED *c;\n", "struct a { int b; } *c;"),
        ("struct a { int b; } C;\n", "struct a { int b; } C;"),
        // Behind the semicolon, something else begins.
        (
            "class Shop { int b; };\n\nTEST_F(Shop, Pays) {\n}\n",
            "class Shop { int b; }; void (Shop::Pays) { }",
        ),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}
