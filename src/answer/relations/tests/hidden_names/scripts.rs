//! Names in languages without a compiler: JavaScript, Python and Ruby; and TypeScript.

use super::check;

#[test]
fn a_variable_of_javascript_belongs_to_its_function() {
    let text = r"const jv = 1;
export function uses() { return jv; }
export function a(o) { if (o) { var jv = 1; } return jv; }
export function b(o) { use(jv); for (var jv of o) { use(jv); } return jv; }
export function b1(o) { for (var jv = 0; jv < 3; jv++) {} return jv(); }
export function c(o) { try { var [jv, y] = o; } catch (e) {} return () => jv; }
export function d(o) { if (o) { var { x: jv } = o; } return jv; }
export const e = (o) => { if (o) { var jv = 1; } return jv; };
export function f() { { let jv = 1; use(jv); } return jv; }
export function g() { { const jv = 1; } use(variable(jv)); }
export function h() { const inner = () => { var jv = 1; return jv; }; return inner(jv); }
";
    for path in ["V.js", "V.ts", "V.tsx"] {
        check(path, "jv", &["2", "9", "10", "11"], text);
    }
}

#[test]
fn names_in_typescript() {
    check(
        "A.ts",
        "tv",
        &["2"],
        r"export const tv = 1;
export const uses = () => tv;
export function a(...tv: number[]) { return go(tv); }
export const a1 = (...tv: number[]) => go(tv);
export const a2 = function (x: any, ...tv: number[]) { return go(tv); };
export function b(o: any) { const { ...tv } = o; return go(tv); }
export function b1(o: any) { const { x, y: { ...tv } } = o; return go(tv); }
export function b2(o: any) { const [x, ...tv] = o; return go(tv); }
export function c(o: any) { const v = function tv() { tv(); }; return go(v); }
export function c1(o: any) { go(function tv() { return tv; }); }
export function c2(o: any) { const v = class tv { x() { return new tv(); } }; return go(v); }
export const d = ({ a, ...tv }: any) => go(tv);
export const d1 = ([a, ...tv]: any) => go(tv);
export function e(o: any) { for (const { x, ...tv } of o) go(tv); }
export function e1(o: any) { for (const [x, tv] of o) go(tv); }
export function f(o: any) { try { go(1); } catch ({ tv }) { go(tv); } }
export function g(tv?: number) { return go(tv); }
export function g1(tv = 3) { return go(tv); }
export function h({ tv = 3 }: any) { return go(tv); }
export function h1({ x: tv = 3 }: any) { return go(tv); }
export function h2([tv = 3]: any) { return go(tv); }
export function h3({ x: { y: tv } }: any) { return go(tv); }
export function i(x: any) { tv: for (;;) { break tv; } }
export function i1(x: any) { tv: while (1) { continue tv; } }
export class C { set p(tv: any) { go(tv); } constructor(...tv: any[]) { go(tv); } }
export function j() { let tv; tv = 3; return go(tv); }
export function k() { var x = 1, tv = 3; return go(tv); }
export const l = async tv => go(tv);
export function* m(tv: any) { yield tv; }
export const n = { m(tv: any) { return go(tv); } };
",
    );
    check(
        "B.ts",
        "ff",
        &["2"],
        r"export function ff(x: any) { return x; }
export const uses = () => ff(1);
export const d = ({ a, ...ff }: any) => ff(1);
export const d1 = ([a, ...ff]: any) => ff(1);
export const d2 = (...ff: any) => ff(1);
export function b(o: any) { const { ...ff } = o; return ff(1); }
export function c(o: any) { const [a, ...ff] = o; return ff(1); }
export function e(o: any) { const { a: { ff } } = o; return ff(1); }
export function f(o: any) { const v = function ff() { ff(1); }; }
export function f1(o: any) { const v = class ff { x() { ff(1); } }; }
",
    );
    check(
        "C.ts",
        "tv",
        &["2", "4"],
        r"export function tv() { return 1; }
export const a = function () { tv(); };
export class K { run = function tv() { tv(); } }
export const b = function () { tv(); };
",
    );
}

#[test]
fn names_in_javascript() {
    check(
        "A.js",
        "tv",
        &["2"],
        r"export const tv = 1;
export const uses = () => tv;
export function a(...tv) { return go(tv); }
export const a1 = (...tv) => go(tv);
export const a2 = function (x, ...tv) { return go(tv); };
export function b(o) { const { ...tv } = o; return go(tv); }
export function b1(o) { const { x, y: { ...tv } } = o; return go(tv); }
export function b2(o) { const [x, ...tv] = o; return go(tv); }
export function c(o) { const v = function tv() { tv(); }; return go(v); }
export function c1(o) { go(function tv() { return tv; }); }
export function c2(o) { const v = class tv { x() { return new tv(); } }; return go(v); }
export const d = ({ a, ...tv }) => go(tv);
export const d1 = ([a, ...tv]) => go(tv);
export function e(o) { for (const { x, ...tv } of o) go(tv); }
export function f(o) { try { go(1); } catch ({ tv }) { go(tv); } }
export function g1(tv = 3) { return go(tv); }
export function h({ tv = 3 }) { return go(tv); }
export function h1({ x: tv = 3 }) { return go(tv); }
export function h2([tv = 3]) { return go(tv); }
export function i(x) { tv: for (;;) { break tv; } }
export class C { set p(tv) { go(tv); } constructor(...tv) { go(tv); } }
export const n = { m(tv) { return go(tv); } };
export function* m(tv) { yield tv; }
export const o = function* tv() { yield tv; };
",
    );
    check(
        "B.js",
        "ff",
        &["2"],
        r"export function ff(x) { return x; }
export const uses = () => ff(1);
export const d = ({ a, ...ff }) => ff(1);
export const d1 = ([a, ...ff]) => ff(1);
export const d2 = (...ff) => ff(1);
export function b(o) { const { ...ff } = o; return ff(1); }
export function c(o) { const [a, ...ff] = o; return ff(1); }
export function e(o) { const { a: { ff } } = o; return ff(1); }
export function f(o) { const v = function ff() { ff(1); }; }
",
    );
}

#[test]
fn names_in_python() {
    check(
        "a.py",
        "pv",
        &["2", "22"],
        r#"pv = 1
def uses(): return pv
def a(x):
    a, (b, pv) = x
    return go(pv)
def b():
    import x as pv
    return go(pv)
def c():
    from z import pv
    return go(pv)
def c1():
    from z import (y, q as pv)
    return go(pv)
def d(x):
    for a, (b, pv) in x: go(pv)
    with open(x) as pv: go(pv)
def e(x):
    try: go(1)
    except E as pv: go(pv)
def f(x): return go([a for a, (b, pv) in x if pv])
def h(x): return pv
def g(x):
    [a, [b, *pv]] = x
    return go(pv)
def g1(x):
    (a, pv), b = x
    return go(pv)
def g2(x):
    a = pv = x
    return go(pv)
def g3(x):
    with open(x) as (a, pv): go(pv)
def i(x):
    match x:
        case {"a": pv, **rest}: go(pv)
        case [a, *pv]: go(pv)
        case C(x=pv): go(pv)
        case 1 as pv: go(pv)
        case (1 | 2) as pv: go(pv)
        case {"a": 1, **pv}: go(pv)
        case pv: go(pv)
def j(*pv): return go(pv)
def k(**pv): return go(pv)
def l(a, /, *, pv=1): return go(pv)
def m(): return lambda *pv: go(pv)
def n():
    if (pv := 1): go(pv)
def o():
    import pv
    return go(pv)
def q():
    pv: int = 3
    return go(pv)
"#,
    );
    check(
        "b.py",
        "ff",
        &["2"],
        r"def ff(x): return x
def uses(): return ff(1)
def a(x):
    a, (b, ff) = x
    return ff(1)
def b():
    import x as ff
    return ff(1)
def e(x):
    a = ff = x
    return ff(1)
",
    );
    check(
        "c.py",
        "pv",
        &["6", "10"],
        r"from q import helper
pv = 1
def a():
    from z import pv, helper
    return go(pv, helper)
def b(): return pv
class C:
    from z import pv
def c():
    return go(pv)
",
    );
}

#[test]
fn names_in_ruby() {
    check(
        "a.rb",
        "rf",
        &["3"],
        r"class A
  def rf; 1; end
  def uses; use rf; end
  def a(x)
    case x
    in {rf:} then use rf
    end
  end
  def b(x)
    x => {a: rf}
    use rf
  end
  def c(x)
    case x
    in [a, rf] then use rf
    end
  end
  def c1(x)
    case x
    in [a, *rf] then use rf
    end
  end
  def c2(x)
    case x
    in {a: 1, **rf} then use rf
    end
  end
  def c3(x)
    case x
    in Integer => rf then use rf
    end
  end
  def c4(x)
    case x
    in rf then use rf
    end
  end
  def c5(x)
    case x
    in Pt(x: rf) then use rf
    end
  end
  def c6(x)
    case x
    in [Integer, [rf, *]] then use rf
    end
  end
  def c7(x)
    use rf if x in {a: rf}
  end
  def c8(x)
    case x
    in [*, rf, *y] then use rf
    end
  end
  def d(x)
    x.each { |a, (b, rf)| use rf }
  end
  def e(x)
    a, (b, rf) = x
    use rf
  end
  def f(x)
    begin; go; rescue => rf; use rf; end
  end
  def g(x)
    for rf in x do use rf end
  end
  def h(x)
    rf ||= 1
    use rf
  end
  def i(x)
    x.each { |a; rf| use rf }
  end
  def j(*rf) = use(rf)
  def k(**rf) = use(rf)
  def l(&rf) = use(rf)
  def m(rf:, y: 1) = use(rf)
  def n(rf = 1) = use(rf)
  def o(x)
    if (m = x) && (rf = m) then use rf end
  end
end
",
    );
}
