//! Where references stand: a chunk of several small declarations records each reference once, and
//! yet `refs` says which of the declarations refers to what.

use std::fmt::Write as _;

use serde_json::Value;

use crate::harness::Repo;

/// Returns the symbols in one list of `refs --json`, each with its line, and `?` if it is a guess.
fn listed(repo: &Repo, list: &str, symbol: &str) -> Vec<String> {
    let report = repo.try_cora(&["refs", "--json", symbol]).json();
    let items = report["symbols"][0][list]["items"].as_array().cloned().unwrap_or_default();
    let text = |one: &Value| {
        let doubt = if one["certain"] == true { "" } else { "?" };
        format!("{}:{}{doubt}", one["symbol"].as_str().unwrap_or_default(), one["at"])
    };
    items.iter().map(text).collect()
}

fn callers(repo: &Repo, symbol: &str) -> Vec<String> {
    listed(repo, "callers", symbol)
}

#[test]
fn small_types_share_a_chunk_and_no_members() {
    let repo = Repo::new();
    repo.write(
        "a.py",
        "class A:\n    def run(self):\n        return self.f()\n\n    def f(self):\n        return 1\n\n\nclass B:\n    def go(self):\n        return self.f()\n\n    def f(self):\n        return 2\n",
    );
    repo.write(
        "A.java",
        "package p;\nclass A {\n  void run() { f(); this.k(); }\n  void f() {}\n  void k() {}\n}\nclass B {\n  void go() { f(); this.k(); }\n  void f() {}\n  void k() {}\n}\n",
    );
    repo.write(
        "a.rs",
        "struct A;\nimpl A {\n    fn run(&self) { self.g() }\n    fn g(&self) {}\n}\nstruct B;\nimpl B {\n    fn go(&self) { self.g() }\n    fn g(&self) {}\n}\n",
    );
    repo.commit("small types");
    assert_eq!(callers(&repo, "a.py:5"), ["A.run:3"]);
    assert_eq!(callers(&repo, "a.py:13"), ["B.go:11"]);
    assert_eq!(listed(&repo, "callees", "a.py:10"), ["B.f:11"]);
    assert_eq!(callers(&repo, "A.java:4"), ["A.run:3"]);
    assert_eq!(callers(&repo, "A.java:9"), ["B.go:8"]);
    assert_eq!(callers(&repo, "A.java:10"), ["B.go:8"]);
    assert_eq!(callers(&repo, "a.rs:4"), ["A::run:3"]);
    assert_eq!(callers(&repo, "a.rs:9"), ["B::go:8"]);
}

#[test]
fn a_few_calls_in_a_large_file_have_their_places() {
    let repo = Repo::new();
    let mut filler = String::new();
    for at in 0..120 {
        let _ = write!(
            filler,
            "  filler{at}(list) {{\n    const first = list[{at}]\n    return first + {at}\n  }}\n\n"
        );
    }
    repo.write(
        "store.js",
        "export class Store {\n  open() { return 1 }\n}\n\nexport class Door {\n  open() { return 2 }\n}\n",
    );
    // The body that says what `kept` is has no call of it.
    let head = "import { Store, Door } from './store.js'\n\nexport class User {\n  constructor() {\n    this.kept = new Store()\n    this.other = new Door()\n  }\n\n";
    let calls = "  enter() {\n    // open it\n    this.other.open()\n    this.kept.open()\n    this.kept.open()\n  }\n";
    repo.write("user.js", format!("{head}{filler}{calls}}}\n"));
    // Here, no other body matters.
    let calls = "export function enter() {\n  // open it\n  const other = new Door()\n  other.open()\n  const kept = new Store()\n  kept.open()\n}\n";
    let head = "import { Store, Door } from './store.js'\n\n";
    repo.write("plain.js", format!("{head}class Filler {{\n{filler}}}\n\n{calls}"));
    repo.commit("large files");
    let line = |path: &str, text: &str| {
        let all = std::fs::read_to_string(repo.path().join(path)).unwrap();
        all.lines().position(|line| line.trim() == text).unwrap() + 1
    };
    let (user, plain) = (line("user.js", "this.kept.open()"), line("plain.js", "kept.open()"));
    assert_eq!(callers(&repo, "Store.open"), [format!("enter:{plain}"), format!("User.enter:{user}")]);
    let (user, plain) = (line("user.js", "this.other.open()"), line("plain.js", "other.open()"));
    assert_eq!(callers(&repo, "Door.open"), [format!("enter:{plain}"), format!("User.enter:{user}")]);
}

#[test]
fn a_local_value_hides_a_function_of_its_name() {
    let repo = Repo::new();
    repo.write(
        "top.ts",
        "export function item(n: number) { return n }\n\nexport function load() { return 1 }\n",
    );
    repo.write(
        "use.ts",
        "import { item, load } from './top'\nexport function a(items: any[]) { return items.map(item => item.name) }\nexport function b(items: any[]) { return items.map(({ item }) => send(item)) }\n\
         export function c(load: any) { load(); send(load) }\nexport function d() { const load = make(); load() }\nexport function e() { for (const item of all) { send(item) } }\n\
         export function f() { function load() {} load() }\nexport function real() { load(); return [1].map(item) }\nexport function both() { [1].map(item => item); return item(2) }\n",
    );
    repo.write("top.py", "def item(n):\n    return n\n\n\ndef load():\n    return 1\n");
    repo.write(
        "use.py",
        "from top import item, load\n\n\ndef a(items):\n    return [item.name for item in items]\n\n\ndef b(load):\n    load()\n    send(load)\n\n\ndef c():\n    load = make()\n    load()\n\n\ndef d(x):\n    match x:\n        case [item]:\n            send(item)\n\n\ndef real():\n    load()\n    return map(item, [])\n",
    );
    repo.write(
        "top.go",
        "package p\n\nfunc item(n int) int { return n }\n\nfunc load() int { return 1 }\n\nfunc a(all []int) { for _, item := range all { send(item) } }\n\nfunc b(load func()) { load() }\n\nfunc c() { load := load(); send(load) }\n\nfunc d() { each(func(item int) int { return item }) }\n\nfunc real() { load(); send(item) }\n",
    );
    repo.write(
        "src/top.rs",
        "pub fn item(n: i32) -> i32 { n }\npub fn load() -> i32 { 1 }\nfn a(all: Vec<i32>) { all.iter().map(|item| send(item)); }\nfn b(load: fn()) { load(); }\nfn c() { let load = load(); send(load) }\n\
         fn d(x: Option<i32>) { if let Some(item) = x { send(item) } }\nfn e((item, n): (i32, i32)) { send(item) }\nfn real() { load(); all().map(item) }\n",
    );
    repo.write(
        "top.kt",
        "package p\nfun item(n: Int) = n\nfun load() = 1\nfun a(all: List<Int>) { all.map { item -> send(item) } }\nfun b(load: () -> Unit) { load() }\nfun c() { val (item, n) = make(); send(item) }\nfun real() { load(); all.map(::item) }\n",
    );
    repo.write(
        "Top.cs",
        "class Top {\n  static int item(int n) => n;\n  int load() => 1;\n  void A(List<int> q) { q.Select(item => item.Name); }\n  void B(Action load) { load(); }\n  void C() { foreach (var item in q) Send(item); var (load, n) = Make(); load(); }\n  void Real() { load(); q.Select(item); }\n}\n",
    );
    repo.commit("shadows");
    assert_eq!(callers(&repo, "top.ts:item"), ["real:8", "both:9"]);
    assert_eq!(callers(&repo, "top.ts:load"), ["real:8"]);
    assert_eq!(listed(&repo, "callees", "use.ts:a"), [""; 0]);
    assert_eq!(callers(&repo, "top.py:item"), ["real:26"]);
    assert_eq!(callers(&repo, "top.py:load"), ["real:25"]);
    assert_eq!(callers(&repo, "top.go:item"), ["real:15"]);
    assert_eq!(callers(&repo, "top.go:load"), ["c:11", "real:15"]);
    assert_eq!(callers(&repo, "src/top.rs:item"), ["real:8"]);
    assert_eq!(callers(&repo, "src/top.rs:load"), ["c:5", "real:8"]);
    assert_eq!(callers(&repo, "top.kt:item"), ["real:7"]);
    assert_eq!(callers(&repo, "top.kt:load"), ["real:7"]);
    assert_eq!(callers(&repo, "Top.cs:2"), ["Top.Real:7"]);
    assert_eq!(callers(&repo, "Top.cs:3"), ["Top.Real:7"]);
}

#[test]
fn what_a_function_declares_is_called_in_it_alone() {
    let repo = Repo::new();
    repo.write(
        "a.ts",
        "function outer() {\n  function help() { return 1 }\n  class Part {}\n  return help() + new Part()\n}\nfunction other() {\n  return help() + new Part()\n}\nfunction help() { return 2 }\n",
    );
    repo.write(
        "a.py",
        "def outer():\n    def assist():\n        return 1\n\n    return assist()\n\n\ndef other():\n    return assist()\n",
    );
    repo.commit("local declarations");
    assert_eq!(callers(&repo, "a.ts:2"), ["outer:4"]);
    assert_eq!(callers(&repo, "a.ts:9"), ["other:7"]);
    assert_eq!(listed(&repo, "callees", "a.ts:6"), ["help:7"]);
    assert_eq!(callers(&repo, "a.py:2"), ["outer:5"]);
    assert_eq!(listed(&repo, "callees", "a.py:8"), [""; 0]);
}

#[test]
fn constructors_are_called_by_words_and_types() {
    let repo = Repo::new();
    repo.write(
        "Cart.java",
        "package p;\nclass Base {\n  Base() {}\n  Base(int n) { this(); }\n}\nclass Cart extends Base {\n  Cart() { this(1, 2); }\n  Cart(int n) { super(n); }\n  Cart(int n, int m) { super(); }\n}\n",
    );
    repo.write(
        "Cart.cs",
        "class Base {\n  public Base() {}\n  public Base(int n) : this() {}\n}\nclass Cart : Base {\n  Cart() : this(1, 2) {}\n  Cart(int n) : base(n) {}\n  Cart(int n, int m) : base() {}\n}\n",
    );
    repo.write(
        "cart.kt",
        "package q\nopen class Base(val n: Int) {\n  constructor() : this(3)\n}\nclass Cart : Base {\n  constructor(n: Int) : super(n)\n  constructor(n: Int, m: Int) : this(n + m)\n}\n",
    );
    repo.write(
        "cart.ts",
        "export class Base { constructor(n: number) {} }\nexport class Cart extends Base {\n  constructor() { super(3) }\n}\nexport function make() { return new Cart() }\n",
    );
    repo.write(
        "cart.py",
        "class Cart:\n    def __init__(self):\n        self.n = 1\n\n\ndef make():\n    return Cart()\n",
    );
    repo.write("cart.cpp", "class Base { public: Base(int n) {} };\nclass Cart : public Base {\n  int n_;\n  Cart(int n) : Base(n), n_(n) {}\n};\n");
    repo.commit("constructors");
    assert_eq!(callers(&repo, "Cart.java:3"), ["Base.Base:4", "Cart.Cart:9"]);
    assert_eq!(callers(&repo, "Cart.java:4"), ["Cart.Cart:8"]);
    assert_eq!(callers(&repo, "Cart.java:9"), ["Cart.Cart:7"]);
    assert_eq!(callers(&repo, "Cart.cs:2"), ["Base.Base:3", "Cart.Cart:8"]);
    assert_eq!(callers(&repo, "Cart.cs:3"), ["Cart.Cart:7"]);
    assert_eq!(callers(&repo, "Cart.cs:8"), ["Cart.Cart:6"]);
    assert_eq!(callers(&repo, "cart.kt:2"), ["Cart.constructor:6", "Base.constructor:3"]);
    assert_eq!(callers(&repo, "cart.kt:5"), ["Cart.constructor:7"]);
    assert_eq!(callers(&repo, "cart.ts:1"), ["Cart.constructor:3"]);
    assert_eq!(callers(&repo, "cart.ts:3"), ["make:5"]);
    // In Python, the class is called.
    assert_eq!(callers(&repo, "cart.py:1"), ["make:7"]);
    assert_eq!(callers(&repo, "cart.py:2"), Vec::<String>::new());
    assert_eq!(callers(&repo, "cart.cpp:Base"), ["Cart::Cart:4"]);
}

#[test]
fn a_call_may_be_the_whole_body_of_a_function_without_a_name() {
    let repo = Repo::new();
    repo.write(
        "A.java",
        "package p;\nclass A {\n  static final int LIMIT = 3;\n  void run(List<Integer> q) { q.forEach(x -> jay(x)); q.map(x->jet(x)); q.map(x -> LIMIT); }\n  static void jay(int n) {}\n  static void jet(int n) {}\n}\n",
    );
    repo.write(
        "a.kt",
        "package p\nfun run(q: List<Int>) { q.forEach { x -> kay(x) }; q.map(::kit) }\nfun kay(n: Int) {}\nfun kit(n: Int) = n\n",
    );
    repo.write(
        "a.rb",
        "class A\n  def run(q)\n    q.each { |x| ray(x) }\n    f = lambda { |x| rob x }\n  end\n  def ray(n) = n\n  def rob(n) = n\nend\n",
    );
    repo.commit("lambdas");
    assert_eq!(callers(&repo, "jay"), ["A.run:4"]);
    assert_eq!(callers(&repo, "jet"), ["A.run:4"]);
    assert_eq!(callers(&repo, "LIMIT"), ["A.run:4"]);
    assert_eq!(callers(&repo, "kay"), ["run:2"]);
    assert_eq!(callers(&repo, "kit"), ["run:2"]);
    assert_eq!(callers(&repo, "ray"), ["A::run:3"]);
    assert_eq!(callers(&repo, "rob"), ["A::run:4"]);
}

#[test]
fn what_is_imported_under_another_name_is_found() {
    let repo = Repo::new();
    repo.write(
        "lib/button.tsx",
        "export function Button() { return <div/> }\nexport function plain(x) { return x }\nfunction hidden() { return 1 }\nexport { hidden as shown }\nexport default function Page() { return <Button/> }\n",
    );
    repo.write("lib/arrow.ts", "const make = (x: number) => x\nexport default make\n");
    repo.write("lib/store.ts", "export default class Store { open() { return 1 } }\n");
    repo.write(
        "lib/all.ts",
        "export * as tools from './button'\nexport { default as Pagey } from './button'\n",
    );
    repo.write(
        "use.tsx",
        "import View from './lib/button'\nimport { Button as B, plain as p, shown } from './lib/button'\nimport doMake from './lib/arrow'\nimport Shop from './lib/store'\nimport { tools, Pagey } from './lib/all'\n\
         export function one() { return <View/> }\nexport function two() { return <B/> }\nexport function three() { return p(3) }\nexport function four() { return shown() }\nexport function five() { return doMake(3) }\n\
         export function six() { return new Shop().open() }\nexport function seven() { return tools.plain(3) }\nexport function eight() { return <Pagey/> }\nexport function nine() { return [1].map(p) }\n",
    );
    repo.write("lib/cjs.js", "function first(x) { return x }\nfunction second() { return 2 }\nmodule.exports = { first, other: second }\n");
    repo.write(
        "old.js",
        "const { first: q, other } = require('./lib/cjs')\nconst c = require('./lib/cjs')\nfunction one() { return q(1) }\nfunction two() { return other() }\nfunction three() { return c.first(2) }\n",
    );
    repo.write("py/__init__.py", "");
    repo.write("py/mod.py", "def helper(x):\n    return x\n\n\ndef deco(f):\n    return f\n");
    repo.write(
        "py/use.py",
        "import py.mod as m\nfrom py.mod import helper as h\nfrom .mod import deco as d\n\n\ndef one():\n    return m.helper(1)\n\n\ndef two():\n    return h(1)\n\n\n@d\ndef three():\n    return 1\n\n\n@m.deco\ndef four():\n    return map(h, [])\n",
    );
    repo.commit("other names");
    assert_eq!(callers(&repo, "Button"), ["Page:5", "two:7"]);
    assert_eq!(callers(&repo, "Page"), ["one:6", "eight:13"]);
    assert_eq!(callers(&repo, "plain"), ["three:8", "seven:12", "nine:14"]);
    assert!(callers(&repo, "hidden").contains(&"four:9".to_owned()));
    assert!(callers(&repo, "make").contains(&"five:10".to_owned()));
    assert_eq!(callers(&repo, "Store"), ["six:11"]);
    assert_eq!(callers(&repo, "Store.open"), ["six:11"]);
    assert_eq!(listed(&repo, "callees", "use.tsx:three"), ["plain:8"]);
    let first = callers(&repo, "first");
    assert!(first.contains(&"one:3".to_owned()) && first.contains(&"three:5".to_owned()), "{first:?}");
    assert!(callers(&repo, "second").contains(&"two:4".to_owned()));
    assert_eq!(callers(&repo, "helper"), ["one:7", "two:11", "four:21"]);
    assert_eq!(callers(&repo, "deco"), ["three:14", "four:19"]);
}

#[test]
fn members_that_are_not_indexed_are_found_all_the_same() {
    let repo = Repo::new();
    repo.write(
        "Item.java",
        "package p;\nclass Item {\n  private int count;\n  enum Kind { SMALL, LARGE }\n  int get() { return this.count; }\n}\nclass Use {\n  int of(Item item) { return item.count; }\n}\n",
    );
    repo.write(
        "item.ts",
        "export interface Wheel { spokes: number }\nexport function n(w: Wheel) { return w.spokes }\n",
    );
    repo.commit("fields");
    let report = repo.cora(&["refs", "--json", "count"]).json();
    assert_eq!(report["symbols"][0]["symbol"], "Item.count");
    assert_eq!(
        (report["symbols"][0]["line"].as_u64(), &report["symbols"][0]["kind"]),
        (Some(3), &"field".into())
    );
    assert_eq!(callers(&repo, "count"), ["Item.get:5", "Use.of:8"]);
    assert_eq!(callers(&repo, "Item.count"), ["Item.get:5", "Use.of:8"]);
    assert_eq!(callers(&repo, "Item.java:count"), ["Item.get:5", "Use.of:8"]);
    repo.cora(&["refs", "LARGE"]).prints("Item.java:4: variant Item.Kind.LARGE");
    assert_eq!(callers(&repo, "spokes"), ["n:2"]);
    repo.try_cora(&["refs", "Use.count"]).exits(1);
    repo.try_cora(&["refs", "countless"]).exits(1);
}

#[test]
fn scripts_are_imported_by_aliases_and_renamed_twice() {
    let repo = Repo::new();
    repo.write("tsconfig.json", "{\n  // aliases\n  \"compilerOptions\": {\"paths\": {\"@x/shared\": [\"packages/shared/src/index.ts\"]}},\n}\n");
    repo.write("package.json", "{\"name\": \"root\", \"imports\": {\"#tools\": \"./src/tools.js\"}}\n");
    repo.write("packages/shared/src/index.ts", "export function shared() { return 1 }\n");
    repo.write("src/tools.ts", "export function hash() { return 1 }\n");
    repo.write("src/orig.ts", "export function orig() { return 2 }\n");
    repo.write("src/one.ts", "export { orig as renamed } from './orig'\n");
    repo.write("src/two.ts", "export { renamed as final } from './one'\n");
    repo.write(
        "src/use.ts",
        "import { shared } from '@x/shared'\nimport { hash } from '#tools'\nimport { final } from './two'\n\n\
         export function run() {\n  shared()\n  hash()\n  final()\n}\n",
    );
    repo.commit("aliases");
    assert_eq!(callers(&repo, "shared"), ["run:6"]);
    assert_eq!(callers(&repo, "hash"), ["run:7"]);
    assert_eq!(callers(&repo, "orig"), ["run:8"]);
}

#[test]
fn overloads_of_c_sharp_and_kotlin_are_chosen_by_types() {
    let repo = Repo::new();
    repo.write(
        "A.cs",
        "class Svc {\n  public void Run(string a) {}\n  public T Run<T>(T a) { return a; }\n  public void Run(int a, int b = 2) {}\n}\n\
         class Log {\n  public void Write(string a) {}\n  public void Write(string a, params object[] more) {}\n}\n\
         class Use {\n  void F(Svc svc) { svc.Run(\"x\"); }\n  void G(Svc svc) { svc.Run<int>(3); }\n  void H(Svc svc) { svc.Run(1, 2); }\n  \
         void I(Log log) { log.Write(\"a\"); }\n  void J(Log log) { log.Write(\"a\", 1); }\n}\n",
    );
    repo.write(
        "A.kt",
        "class Box {\n  fun put(a: Int) {}\n  fun put(a: String) {}\n}\nfun f(box: Box) { box.put(1) }\nfun g(box: Box) { box.put(\"x\") }\n",
    );
    repo.commit("overloads");
    for (symbol, expected) in [
        ("A.cs:2", "Use.F:11"),
        ("A.cs:3", "Use.G:12"),
        ("A.cs:4", "Use.H:13"),
        ("A.cs:7", "Use.I:14"),
        ("A.cs:8", "Use.J:15"),
        ("A.kt:2", "f:5"),
        ("A.kt:3", "g:6"),
    ] {
        assert_eq!(callers(&repo, symbol), [expected], "{symbol}");
    }
}
