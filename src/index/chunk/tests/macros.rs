//! Tests of what macros of C and its relatives declare, and of qualified names.

use super::declarations::check;

#[test]
fn macros_declare_tests() {
    check(&[
        (
            "cpp",
            "TEST_CASE(\"it (really) pays\", \"[shop]\") {\n  int n = 1;\n  SECTION(\"all of it\") {\n    int m = 2;\n  }\n}\nint f() { return 1; }\n",
            &["test it (really) pays", "test it (really) pays::all of it", "function f"],
        ),
        (
            "cpp",
            "TEST_SUITE(\"money\") {\nint f() { return 1; }\nTEST_CASE_FIXTURE(Shop, \"pays\") {\n  SUBCASE(\"x\") {\n  }\n}\n}\nTEST_F(Shop, Pays) {\n}\n",
            &[
                "test money",
                "function money::f",
                "test money::pays",
                "test money::pays::x",
                "test Shop::Pays",
            ],
        ),
        ("c", "SYSCALL_DEFINE1(read, int, fd)\n{\n}\nout:\nint x;\n", &["function read", "variable x"]),
        (
            "cpp",
            "void f() {\nout:\n  g();\n}\nnamespace a {\nint x;\n}\n",
            &["function f", "module a", "variable a::x"],
        ),
    ]);
}

#[test]
fn macros_declare_members_and_flags() {
    check(&[
        ("c", "struct s {\n  int n;\n  BIT(on); /* x */\n  BIT(off);\n};\n", &["struct s"]),
        (
            "cpp",
            "class A : public B {\n  MOCK_METHOD(void, pay, (int a), (override));\n  MOCK_CONST_METHOD0(total, int());\n  int n GUARDED_BY(mu_) = 0;\n  DISALLOW_COPY(A);\n  explicit A(M& m CAPTURED(this)) LOCKS(m) : m_(m) {}\n};\n",
            &["class A", "method A::pay", "method A::total", "constructor A::A"],
        ),
        (
            "cpp",
            "ABSL_FLAG(int, port, 8080, \"port\");\nABSL_FLAG(std::string, host, \"\", \"host\");\nDEFINE_bool(verbose, false, \"\");\nint main() {}\n",
            &["variable port", "variable host", "variable verbose", "function main"],
        ),
        ("c", "unsigned _BitInt(7) bi;\nint f(void) { return 1; }\n", &["variable bi", "function f"]),
        ("cpp", "SHOP_END\n\nDEFINE_THING(x, \"y\");\nvoid f() {}\n", &["function f"]),
        (
            "cpp",
            "Foo* absl_nonnull Foo::Make() {}\nBar& Bar::Sink(Log* absl_nonnull sink) {}\nvoid SYMBOL(f)(int a) {}\n",
            &["method Foo::Make", "method Bar::Sink", "function f"],
        ),
        (
            "cpp",
            "__constant__ float coef[3];\n__global__ void __launch_bounds__(256, 2) run(int a) {}\n",
            &["variable coef", "function run"],
        ),
    ]);
}

#[test]
fn all_parts_of_a_qualified_name_are_the_scope() {
    check(&[(
        "cpp",
        "bool clang::Sema::check(Expr*) {}\nvoid geo::Grid<int>::In::~In() {}\nnamespace a {\nvoid B::C::f() {}\n}\nint ::g::h() {}\nint a::B::n = 1;\n",
        &[
            "method clang::Sema::check",
            "method geo::Grid::In::~In",
            "module a",
            "method a::B::C::f",
            "method g::h",
            "variable a::B::n",
        ],
    )]);
}
