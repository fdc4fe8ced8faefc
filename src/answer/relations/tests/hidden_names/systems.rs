//! Names in C, C++, Go and Rust.

use super::check;

#[test]
fn names_in_c() {
    check(
        "a.c",
        "helper",
        &["2"],
        r"int helper(int x) { return x; }
int uses(void) { return helper(1); }
void a(int (*helper)(int)) { helper(1); }
void b(void) { int (*helper)(int) = 0; helper(1); }
void b1(void) { int (*helper)(int); helper(1); }
void c(void) { int (*helper[3])(int); helper[0](1); }
void d(int (*const helper)(int)) { helper(1); }
void e(fn *helper) { helper(1); }
void f(fn helper) { helper(1); }
void g(int (**helper)(int)) { (*helper)(1); }
void h(int helper(int)) { helper(1); }
void i(void) { fn helper = x; helper(1); }
void j(void) { static int (*helper)(int); helper(1); }
void k(int (*x)(int helper), int helper[3]) { use(helper); }
void l(void) { helper: goto helper; }
",
    );
}

#[test]
fn names_in_cpp() {
    check(
        "a.cpp",
        "xv",
        &["2"],
        r"const int xv = 1;
int uses() { return xv; }
int a(P p) { auto [x, xv] = p; return go(xv); }
int b(M m) { for (auto& [k, xv] : m) go(xv); return 1; }
int b1(M m) { for (const auto& [k, xv] : m) { go(xv); } return 1; }
template <int xv> int c() { return go(xv); }
template <typename T, int xv = 3> int c1() { return go(xv); }
template <int... xv> int c2() { return go(xv...); }
template <auto xv> struct C { int f() { return go(xv); } };
int d() { if (auto [x, xv] = make(); xv) return go(xv); return 1; }
int e() { if (int xv = make()) return go(xv); return 1; }
int e1() { if (int xv = make(); xv > 1) return go(xv); return 1; }
int e2() { while (int xv = make()) go(xv); return 1; }
int e3() { switch (int xv = make()) { default: go(xv); } return 1; }
int f() { for (int xv = 0; xv < 3; xv++) go(xv); return 1; }
int g() { try { go(1); } catch (const E& xv) { go(xv); } return 1; }
int h() { auto f = [xv = 3] { return go(xv); }; return f(); }
int h1() { auto f = [&xv = y] { return go(xv); }; return f(); }
int i() { auto f = [](auto&& xv) { return go(xv); }; return f(1); }
int i1() { auto f = [](auto&&... xv) { return go(xv...); }; return f(1); }
template <class... A> int j(A&&... xv) { return go(xv...); }
int k(int xv = 3) { return go(xv); }
int l() { int y = 1, *xv = &y; return go(xv); }
int m() { int& xv = y; return go(xv); }
int n() { auto&& xv = y; return go(xv); }
int n1() { int xv{3}; return go(xv); }
int n2() { Cart xv(3); return go(xv); }
int n3() { int xv[3] = {}; return go(xv); }
int o() { auto&& [x, xv] = y; return go(xv); }
",
    );
    check(
        "b.cpp",
        "ff",
        &["2"],
        r"int ff(int x) { return x; }
int uses() { return ff(1); }
void a(int (*ff)(int)) { ff(1); }
void b() { int (*ff)(int) = x; ff(1); }
void c(std::function<int(int)> ff) { ff(1); }
void d() { auto ff = [](int x) { return x; }; ff(1); }
void e(P p) { auto [x, ff] = p; ff(1); }
struct S { std::function<int(int)> ff; void m() { ff(1); } };
struct S1 { int (*ff)(int); void m() { ff(1); } };
template <class F> void g(F&& ff) { ff(1); }
template <class F> void g1(F ff) { ff(1); }
void h(int (&ff)(int)) { ff(1); }
void i(P p) { for (auto& ff : p) ff(1); }
void j() { auto y = [ff = 3] { ff(1); }; }
",
    );
    check(
        "C.cpp",
        "xv",
        &["3", "5", "7"],
        r"namespace n {
int xv = 1;
int a() { return xv; }
template <int xv> int b() { return xv; }
int c() { return xv; }
struct S { int xv; int m() { return xv; } };
int d() { return xv; }
}
",
    );
    check(
        "D.cpp",
        "get",
        &["3"],
        r"int (*get(void))(int) { return 0; }
int (*(*ops)(void))(int);
int a() { return get()(1); }
int b(int get(int)) { return get(1); }
",
    );
}

#[test]
fn names_in_go() {
    check(
        "a.go",
        "gv",
        &["3"],
        r"package a
const gv = 1
func uses() int { return use(gv) }
func a() int { const gv = 2; return use(gv) }
func a1() int { const (
	x = 1
	gv = 2
)
	return use(gv) }
func a2() int { const x, gv = 1, 2; return use(gv) }
func b[gv any](x gv) { var y gv; use(y) }
func b1[K comparable, gv any](x gv) { use(gv(x)) }
type T[gv any] struct { x gv }
func c() { var x, gv = 1, 2; use(gv) }
func d() { x, gv := 1, 2; use(gv) }
func e() { for i, gv := range l { use(gv) } }
func f() { select { case gv := <-c: use(gv) } }
func f1() { select { case gv, ok := <-c: use(gv, ok) } }
func g() { switch gv := x.(type) { case int: use(gv) } }
func h() { if gv := x; gv > 1 { use(gv) } }
func i(gv ...int) { use(gv) }
func j() (gv int) { use(gv); return }
func k() { gv: for { break gv } }
func l() { f := func(gv int) { use(gv) }; f(1) }
func m() { type gv struct{}; use(gv{}) }
func (gv *T) n() { use(gv) }
",
    );
    check(
        "b.go",
        "ff",
        &["3"],
        r"package a
func ff(x int) int { return x }
func uses() int { return ff(1) }
func a(ff func(int) int) { ff(1) }
func b() { var ff func(int) int; ff(1) }
func c() { x, ff := y(); ff(1, x) }
func d[ff any](x int) { use(ff(x)) }
func e() { type ff int; use(ff(1)) }
func f() (ff func(int) int) { return ff(1) }
",
    );
    check(
        "C.go",
        "gv",
        &["4", "5"],
        r"package a
const gv = 1
var c chan int
func a() { select { case gv = <-c: use(gv) } }
func b() { use(gv) }
func d[T any](x T) { var y, gv = 1, 2; use(gv) }
",
    );
}

#[test]
fn names_in_rust() {
    check(
        "a.rs",
        "NN",
        &["2"],
        r"const NN: usize = 1;
fn uses() -> usize { go(NN) }
fn a<const NN: usize>() -> usize { go(NN) }
struct S<const NN: usize> { x: [u8; NN] }
impl<const NN: usize> S<NN> { fn f() -> usize { go(NN) } }
fn b<T, const NN: usize>(x: [T; NN]) -> usize { go(NN) }
enum E<const NN: usize> { A([u8; NN]) }
trait Tr<const NN: usize> { fn f() -> usize { go(NN) } }
type Ty<const NN: usize> = [u8; NN];
fn c() -> usize { const NN: usize = 3; go(NN) }
",
    );
    check(
        "b.rs",
        "rv",
        &["2"],
        r"static rv: usize = 1;
fn uses() -> usize { go(rv) }
fn a0(x: X) { match x { X { rv } => go(rv), _ => go(1) } }
fn a1(x: X) { match x { X { y: rv } => go(rv), _ => go(1) } }
fn a2(x: X) { match x { X(ref rv) => go(rv), _ => go(1) } }
fn a3(x: X) { match x { rv @ 1 => go(rv), _ => go(1) } }
fn a4(x: X) { match x { [a, rv @ ..] => go(rv), _ => go(1) } }
fn a5(x: X) { match x { (a, rv) => go(rv), _ => go(1) } }
fn a6(x: X) { match x { Some(rv) | None(rv) => go(rv), _ => go(1) } }
fn a7(x: X) { match x { rv => go(rv), _ => go(1) } }
fn b(x: X) { if let Some(X { rv, .. }) = x { go(rv) } }
fn b1(x: X) { while let Some(mut rv) = x { go(rv) } }
fn b2(x: X) { let Some(rv) = x else { return }; go(rv) }
fn b3(x: X) { let [a, rv] = x; go(rv) }
fn b4(x: X) { let &rv = x; go(rv) }
fn c(x: X) { for (a, rv) in x { go(rv) } }
fn d0(x: X) { x.map(|(a, rv)| go(rv)); }
fn d1(x: X) { x.map(|&rv| go(rv)); }
fn d2(x: X) { x.map(|rv: u8| go(rv)); }
fn d3(x: X) { x.map(|mut rv| go(rv)); }
fn d4(x: X) { x.map(|X { rv, .. }| go(rv)); }
fn d5(x: X) { x.map(|Some(rv)| go(rv)); }
fn d6(x: X) { x.map(|ref rv| go(rv)); }
fn d7(x: X) { x.map(|[a, rv]| go(rv)); }
fn e((a, rv): (u8, u8)) { go(rv) }
fn e1(X { rv, .. }: X) { go(rv) }
fn e2(&rv: &X) { go(rv) }
fn e3(mut rv: X) { go(rv) }
fn f() { 'rv: loop { break 'rv; } }
fn g(x: X) { if a && let Some(rv) = x { go(rv) } }
",
    );
    check(
        "c.rs",
        "helper",
        &["4"],
        r"mod z { pub fn other() {} }
pub fn helper(x: u8) {}
fn a() { use crate::z::other as helper; helper(1) }
fn b() { helper(1) }
",
    );
}
