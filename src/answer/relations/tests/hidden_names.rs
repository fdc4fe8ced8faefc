//! Names of locals, labels and fields that hide an outer name.
//!
//! Each function of a text binds the name in another form. Only the listed lines use the outer
//! name, which the text declares first.

mod scripts;
mod systems;

use super::check_in;
use crate::answer::relations::Relation;
use crate::index::chunk::Language;
use crate::search::segment::samples::sources;

/// Checks on which lines a text uses the name that it declares first.
fn check(path: &str, name: &str, expected: &[&str], text: &str) {
    let extension = path.rsplit('.').next().unwrap();
    if Language::by_extension(extension).is_none_or(Language::lacks_grammar) {
        return;
    }
    let line = 1 + text.lines().position(|line| line.contains(name)).unwrap();
    let files = [(path, text)];
    let mut expected: Vec<String> = expected.iter().map(|line| format!("{path}:{line}")).collect();
    expected.sort();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    let place = format!("{path}:{line}");
    check_in(&sources(&files), &files, Relation::Callers, "?", &[(&place, &expected)]);
}

#[test]
fn names_in_java() {
    check(
        "A.java",
        "fv",
        &["3"],
        r"class A {
  static final int fv = 1;
  int uses() { return fv; }
  int a(int... fv) { return fv[0]; }
  int b(Object o) { switch (o) { case Integer fv -> { return fv; } default -> { return 0; } } }
  int b1(Object o) { return switch (o) { case Integer fv when fv > 1 -> fv; default -> 0; }; }
  int c(Object p) { if (p instanceof Pt(int fv, int y)) { return fv + y; } return 0; }
  int c1(Object p) { return switch (p) { case Pt(var fv, Pt(var x, int y)) -> fv; default -> 0; }; }
  void d() { fv: for (;;) { break fv; } }
  void d1() { fv: while (true) { continue fv; } }
  int e(List<Integer> l) { l.forEach((Integer fv) -> use(fv)); return 0; }
  int f() { int fv = 1, y = fv; return y + fv; }
  int g() { for (int fv = 0; fv < 3; fv++) use(fv); return 1; }
  int h(Object o) { if (o instanceof Integer fv && fv > 1) return fv; return 0; }
  int i(Object o) { if (!(o instanceof Integer fv)) return 0; return fv; }
  int j(Object o) { if (o instanceof final Integer fv) return fv; return 0; }
  int k(int[] fv, int x[]) { return fv[0]; }
  int l(final @X int fv) { return fv; }
  int m() { try (R fv = open()) { return fv.x; } catch (E | F fv) { return fv.y; } }
}
",
    );
    check(
        "C.java",
        "fv",
        &["3", "5"],
        r"class A {
  static final int fv = 1;
  int a(Object o) { if (o instanceof Integer fv) { return fv; } return A.fv; }
  int b(Object o) { switch (o) { case Integer fv: return fv; default: return 1; } }
  int c(Object o) { switch (o) { case Integer fv -> use(fv); default -> use(2); } return fv; }
}
",
    );
}

#[test]
fn names_in_c_sharp() {
    check(
        "A.cs",
        "cv",
        &["3"],
        r"class A {
  const int cv = 1;
  int Uses() { return cv; }
  int P(params int[] cv) { return cv[0]; }
  bool O(object o) { return o is { } cv && cv != null; }
  bool O1(object o) { return o is { Length: 1 } cv && cv != null; }
  bool O2(object o) { return o is Pt { X: var cv } && cv > 1; }
  bool O3(object o) { return o is Pt(var cv, _) && cv > 1; }
  bool O4(object o) { return o is Pt(int x, 3) cv && cv > 1; }
  bool O5(object o) { return o is [var cv, ..] && cv > 1; }
  bool O6(object o) { return o is [1, .. var cv] && cv > 1; }
  bool O7(object o) { return o is [1, 2] cv && cv > 1; }
  int Q(int[] l) { var q = from x in l let cv = x select cv + 1; return q; }
  int Q2(int[] l) { var q = from x in l join cv in m on x equals cv select cv + 1; return q; }
  int Q3(int[] l) { var q = from x in l join y in m on x equals y into cv select cv; return q; }
  int Q4(int[] l) { var q = from x in l group x by x into cv select cv; return q; }
  int Q5(int[] l) { var q = from x in l select x into cv where cv > 1 select cv; return q; }
  int S(object o) { return o switch { int cv => cv, _ => 0 }; }
  int S5(object o) { return o switch { var (x, cv) => cv, _ => 0 }; }
  int S6(object o) { return o switch { { } cv => cv, _ => 0 }; }
  int S1(object o) { switch (o) { case int cv when cv > 1: return cv; case var cv: return cv; } return 0; }
  int T() { var (x, cv) = Make(); return cv; }
  int T1() { (int x, int cv) = Make(); return cv; }
  int T2() { foreach (var (x, cv) in m) { Use(cv); } return 0; }
  int U() { M(out var cv); return cv; }
  int U1() { M(out int cv); return cv; }
  int V() { using (var cv = Open()) { return cv; } }
  int V1() { using var cv = Open(); return cv; }
  unsafe int V2() { fixed (int* cv = x) { return cv; } }
  int W() { System.Func<int, int> f = cv => cv + 1; return f(1); }
  int X() { System.Func<int, int> f = (cv, y) => cv + 1; return f(1); }
  int X1() { System.Func<int, int> f = (int cv) => cv + 1; return f(1); }
  int X2() { System.Func<int, int> f = delegate(int cv) { return cv; }; return f(1); }
  int Y() { cv: return 1; }
  int Z(ref int cv, in int y) { return cv; }
  int this[int cv] => cv;
  int Z1() { for (int cv = 0; cv < 1; cv++) Use(cv); return 0; }
  int Z2() { try { } catch (E cv) when (cv.X) { Use(cv); } return 0; }
  int Z3() { int L(int cv) => cv; return L(1); }
}
",
    );
    check(
        "C.cs",
        "cv",
        &["3", "5"],
        r"class A {
  const int cv = 1;
  int S2(object o) { switch (o) { case cv: return 1; } return 0; }
  int S3(object o) { if (!(o is int cv)) return 0; return cv; }
  int S4(object o) { var y = o switch { int cv => cv, _ => 0 }; return cv; }
}
",
    );
}

#[test]
fn names_in_kotlin() {
    check(
        "A.kt",
        "kv",
        &["2"],
        r"val kv = 1
fun uses() = kv
fun a(x: Any) { when (val kv = x) { is Int -> use(kv) else -> use(kv) } }
class In(kv: Int) { val z = kv }
class In2(kv: Int) : Base(kv) { init { use(kv) } }
class In3(kv: (Int) -> Int) { val z = kv }
class In4(val kv: Int) { fun f() = kv }
fun b(kv: (Int) -> Int) = use(kv)
fun b1(vararg kv: Int) = kv
fun c(l: List<Int>) { for ((x, kv) in l) use(kv) }
fun d(l: List<Int>) { l.map { kv -> use(kv) }; l.map { (x, kv) -> use(kv) } }
fun e() { try { } catch (kv: Exception) { use(kv) } }
fun f() { val (x, kv) = make(); use(kv) }
fun g() { l@ for (x in y) { break@l }; kv@ for (x in y) { break@kv } }
fun h() { val f = fun(kv: Int): Int { return kv } }
fun i() { for (kv in l) use(kv); for (kv: Int in l) use(kv) }
fun i1() { val kv: Int; kv = 3; use(kv) }
fun i2() { val kv by lazy { 1 }; use(kv) }
var p: Int = 1
  set(kv) { field = kv }
fun k(block: Int.(kv: Int) -> Unit) { call(kv = 1) }
class In5 { constructor(kv: Int) { use(kv) } }
",
    );
    check(
        "B.kt",
        "ff",
        &["2"],
        r"fun ff(x: Int) = 1
fun uses() = ff(1)
class D(val ff: (Int) -> Unit) { fun m() { ff(1) } }
class D1 {
  val ff: (Int) -> Unit = { x -> x }
  fun m() { ff(1) }
}
class D3(ff: (Int) -> Unit) { init { ff(1) } }
class D4 {
  lateinit var ff: Handler
  fun m() { ff(1) }
}
class D5(val ff: (Int) -> Unit) { fun m() { run { ff(1) } } }
fun d5(ff: (Int) -> Unit) { ff(1) }
fun d6(ff: suspend (Int) -> Unit) { ff(1) }
fun d7(ff: ((Int) -> Unit)?) { ff(1) }
fun d8(x: Any) { when (val ff = x) { else -> ff(1) } }
fun d9() { val ff = { x: Int -> x }; ff(1) }
",
    );
}

#[test]
fn names_in_swift() {
    check(
        "A.swift",
        "sv",
        &["2"],
        r"let sv = 1
func uses() -> Int { return sv }
func a() { do { try go() } catch let sv { use(sv) } }
func a1() { do { try go() } catch let sv as Err { use(sv) } }
func a2() { do { try go() } catch Err.one(let sv) { use(sv) } }
func b() { let (y, sv) = make(); use(sv) }
func b1() { let (y, (x, sv)) = make(); use(sv) }
func b2() { var (y, sv): (Int, Int) = make(); use(sv) }
func c(x: E) { switch x { case let sv: use(sv) } }
func d0(x: E) { switch x { case .one(let sv): use(sv)
default: break } }
func d1(x: E) { switch x { case .two(_, var sv): use(sv)
default: break } }
func d2(x: E) { switch x { case let .three(y, sv): use(sv)
default: break } }
func d3(x: E) { switch x { case .four(x: let sv) where sv > 1: use(sv)
default: break } }
func d4(x: E) { switch x { case let (y, sv): use(sv)
default: break } }
func d5(x: E) { switch x { case (1, let sv): use(sv)
default: break } }
func d6(x: E) { switch x { case let sv?: use(sv)
default: break } }
func d7(x: E) { switch x { case let sv as Int: use(sv)
default: break } }
func e(x: E) { if case let .one(sv) = x { use(sv) } }
func e1(x: E) { if case .one(let sv) = x { use(sv) } }
func e2(x: E) { guard case let .one(sv) = x else { return }; use(sv) }
func e3(x: E) { for case let .one(sv) in x { use(sv) } }
func e4(x: E) { for case let sv? in x { use(sv) } }
func e5(x: E) { while case let .one(sv) = x { use(sv) } }
func f() { while let sv = next() { use(sv) } }
func g() { run { [sv = 3] in use(sv) } }
func g1() { run { [weak sv = x] in use(sv) } }
func h(sv x: Int) { use(x) }
func i(sv: Int) { use(sv) }
func i1(_ sv: Int, x sv2: Int) { use(sv) }
func i2(sv: Int...) { use(sv) }
func i3(sv: inout Int) { use(sv) }
func j() { for sv in l { use(sv) } }
func j1() { for (x, sv) in l { use(sv) } }
func k() { if let sv = x { use(sv) } }
func k1() { if let y = x, let sv = y { use(sv) } }
func k2() { guard let sv = x else { return }; use(sv) }
func k3() { if var sv = x { use(sv) } }
func l() { run { sv in use(sv) } }
func l1() { run { (x, sv) in use(sv) } }
func l2() { run { (sv: Int) -> Int in use(sv) } }
struct S { var p: Int { set(sv) { use(sv) } get { 1 } } }
struct S1 { subscript(sv: Int) -> Int { return sv } }
struct S2 { init(sv: Int) { use(sv) } }
struct S3 { init(sv x: Int) { use(x) } }
func m() { call(sv: 1) }
func n() { sv: for x in l { break sv } }
struct S4 { var p: Int { didSet(sv) { use(sv) } } }
func o() { let y = 1, sv = 2; use(sv) }
class C { let y = 1, sv = 2
  func m() { use(sv) } }
func p(x: E) { if y > 1, case let .one(sv) = x, sv > 1 { use(sv) } }
",
    );
}

#[test]
fn calls_and_patterns_in_swift() {
    check(
        "B.swift",
        "ff",
        &["2", "5"],
        r"func ff(_ x: Int) -> Int { return x }
func uses() { ff(1) }
class D { let ff: (Int) -> Int
  func m() { ff(1) } }
class D1 { func m() { ff(1) } }
func a(ff: (Int) -> Int) { ff(1) }
func a1(ff: @escaping (Int) -> Int) { ff(1) }
func b() { let ff = { (x: Int) in x }; ff(1) }
func b1() { let ff: (Int) -> Int = make(); ff(1) }
func c() { if let ff = x { ff(1) } }
func c1() { while let ff = x { ff(1) } }
func d() { let (x, ff) = make(); ff(1) }
func e(x: E) { switch x { case .one(let ff): ff(1)
default: break } }
class D2 { var ff: ((Int) -> Int)?
  func m() { ff?(1) } }
class D3 { lazy var ff: (Int) -> Int = { $0 }
  func m() { ff(1) } }
",
    );
    check(
        "C.swift",
        "sv",
        &["3", "5", "7"],
        r"let sv = 1
func b(x: E) { switch x {
case .one(sv): use(1)
default: break } }
func c(x: E) { switch x { case let .one(y): use(sv)
default: break } }
func d() { run { [sv] in use(sv) } }
",
    );
}

#[test]
fn names_in_scala() {
    check(
        "A.scala",
        "pv",
        &["3"],
        r"object A {
  val pv = 1
  def uses = pv
  def a(x: Any) = x match { case pv => go(pv) }
  def b(x: Any) = x match { case Some(pv) => go(pv) }
  def c(x: Any) = x match { case (x, pv) => go(pv) }
  def d(x: Any) = x match { case pv @ Some(_) => go(pv) }
  def e(x: Any) = x match { case pv: Int => go(pv) }
  def f(x: Any) = { val (y, pv) = x; go(pv) }
  def g(x: Any) = { val Some(pv) = x; go(pv) }
  def h(x: Any) = for ((y, pv) <- x) yield go(pv)
  def i(x: Any) = for (y <- x; pv = y) yield go(pv)
  def j(x: List[Any]) = x.map { case (y, pv) => go(pv) }
  def k(x: List[Any]) = x.map { pv => go(pv) }
  def l(x: List[Any]) = x.map((pv: Int) => go(pv))
  def l1(x: List[Any]) = x.map((y, pv) => go(pv))
  def m(x: Any) = x match { case y :: pv => go(pv) }
  def n(x: Any) = x match { case List(y, pv @ _*) => go(pv) }
  def o(x: Any) = x match { case `pv` => go(1) }
  def p(x: Any) = try { go(1) } catch { case pv: E => go(pv) }
  def q(pv: Int) = go(pv)
  def r(pv: => Int) = go(pv)
  def r1(pv: Int*) = go(pv)
  def s = { var pv = 1; go(pv) }
  def t(x: Any) = x match { case Some(y) if y > 1 => go(y); case pv if pv > 1 => go(pv) }
  def u(x: Any) = x match { case Left(pv) | Right(pv) => go(pv) }
  def v(x: Any) = x match { case Some((y, pv)) => go(pv) }
  def w = { lazy val pv = 1; go(pv) }
  def x1 = { implicit val pv: Int = 1; go(pv) }
  def y1(x: Int)(implicit pv: Int) = go(pv)
  def y2(x: Int)(using pv: Int) = go(pv)
  def z = go(_.pv)
  class C(pv: Int) { def f = go(pv) }
}
",
    );
    check(
        "C.scala",
        "PV",
        &["4"],
        r"object A {
  val PV = 2
  def c(x: Any) = x match { case Some(y) => go(y) }
  def b(x: Any) = x match { case PV => 1 }
}
",
    );
}
