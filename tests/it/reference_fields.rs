//! References of fields, and of members that subtypes declare again.

use crate::harness::Repo;

/// Returns the callers of a symbol: path, line and evidence.
fn callers(repo: &Repo, symbol: &str) -> Vec<String> {
    let report = repo.try_cora(&["refs", "--json", "--callers", symbol]).json();
    let mut found = Vec::new();
    for symbol in report["symbols"].as_array().cloned().unwrap_or_default() {
        for one in symbol["callers"]["items"].as_array().cloned().unwrap_or_default() {
            let text = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            found.push(format!("{}:{} {}", text("path"), one["at"], text("how")));
        }
    }
    found
}

#[test]
fn strings_and_comments_are_no_uses_of_a_field() {
    let repo = Repo::new();
    repo.write(
        "a.py",
        "class Cell:\n    \"\"\"Set self.size before use.\"\"\"\n    def __init__(self):\n        self.size = 1\n        self.width = 2\n    \
         def link(self): return '<a id=\"' + str(self.size) + '\">'\n    def other(self): return 1  # self.size is not used\n    \
         def half(self, n): return n // self.width\n",
    );
    repo.write("a.go", "package a\n\ntype Quote struct {\n\tmark string\n}\n\nfunc (q *Quote) f() string {\n\treturn \"'\" + q.mark\n}\n");
    repo.write("a.php", "<?php\nclass User {\n  private $title = 1;\n  function f() { return \"hi $this->title\"; }\n}\nclass Page {\n  private $title;\n  function f() { return $this->title; }\n}\n");
    repo.commit("fields");
    assert_eq!(callers(&repo, "Cell.size"), ["a.py:6 same type"]);
    assert_eq!(callers(&repo, "Cell.width"), ["a.py:8 same type"]);
    assert_eq!(callers(&repo, "Quote.mark"), ["a.go:8 same type"]);
    assert_eq!(callers(&repo, "User.title"), ["a.php:4 same type"]);
}

#[test]
fn the_declared_type_of_an_object_makes_a_use_certain() {
    let repo = Repo::new();
    repo.write("a.h", "struct request {\n  int count;\n};\nstruct reply {\n  int count;\n};\n");
    repo.write(
        "a.c",
        "#include \"a.h\"\nint f(struct request *req) { return req->count; }\nint g(struct reply *rep) { return rep->count; }\nint h(struct request **all) { return all[0]->count; }\n",
    );
    repo.write("a.rs", "struct Conf { limit: u32 }\nimpl Conf {\n    fn new(limit: u32) -> Self { Self { limit } }\n}\nfn g(conf: &Conf) -> u32 { conf.limit }\nfn h() -> Conf { Conf { limit: 3 } }\n");
    repo.write("A.cs", "public partial class Shop {\n  private string _name;\n  public string Name => _name;\n  public Shop(string v) { _name = v; }\n}\n");
    repo.write("B.cs", "public partial class Shop {\n  public string F() { return _name; }\n}\n");
    repo.commit("fields");
    assert_eq!(callers(&repo, "request.count"), ["a.c:2 declared type", "a.c:4 only candidate"]);
    assert_eq!(
        callers(&repo, "Conf.limit"),
        ["a.rs:3 same type", "a.rs:5 declared type", "a.rs:6 qualifier"]
    );
    let own = ["A.cs:3 same type", "A.cs:4 same type", "B.cs:2 same type"];
    assert_eq!(callers(&repo, "Shop._name"), own);
    assert_eq!(callers(&repo, "A.cs:2"), own);
    assert_eq!(callers(&repo, "a.h:2"), ["a.c:2 declared type", "a.c:4 only candidate"]);
}

#[test]
fn every_command_finds_a_field() {
    let repo = Repo::new();
    repo.write("conf.py", "class Conf:\n    def __init__(self):\n        self.max_size = 1\n");
    repo.write("use.py", "from conf import Conf\n\n\ndef room(conf: Conf):\n    return conf.max_size\n");
    repo.commit("a field");
    repo.cora(&["impact", "Conf.max_size"]).prints("room");
    repo.cora(&["explain", "conf.py:Conf.max_size"]).prints("room");
    let report = repo.cora(&["query", "--json", "what uses Conf.max_size"]).json();
    assert_eq!(report["results"][0]["path"], "use.py", "{report:#}");
}

#[test]
fn a_call_through_a_base_may_mean_what_a_subtype_declares() {
    let repo = Repo::new();
    repo.write(
        "a.go",
        "package a\n\ntype Window interface {\n\tWidth() int\n\tHeight() int\n}\n\ntype Light struct{ width int }\n\n\
         func (w *Light) Width() int { return w.width }\nfunc (w *Light) Height() int { return 2 }\n\n\
         func draw(win Window) int { return win.Width() }\n",
    );
    repo.write(
        "a.ts",
        "export class Base {\n  run() { this.step() }\n  step() { return 1 }\n}\nexport class Child extends Base {\n  step() { return super.step() }\n}\n\
         export class Other extends Base {\n  more() { this.step() }\n}\n",
    );
    repo.commit("subtypes");
    assert_eq!(callers(&repo, "Light.Width"), ["a.go:13 implements it"]);
    assert_eq!(callers(&repo, "Child.step"), ["a.ts:2 implements it"]);
}

#[test]
fn an_enumerator_is_named_through_the_scope_of_its_enumeration() {
    let repo = Repo::new();
    repo.write(
        "w.h",
        "struct Widget {\n  enum State { Start, Stop };\n  enum class Mode { Fast };\n};\nstruct Other {\n  int Start;\n};\nnamespace ns {\nenum Phase { Begin };\n}\n",
    );
    repo.write(
        "w.cpp",
        "#include \"w.h\"\nint a() { return Widget::Start; }\nint b() { return Widget::State::Start; }\nint c() { return Other::Start; }\n\
         int d() { return ns::Begin; }\nint e() { return other::Begin; }\nint f() { return Widget::Fast; }\n",
    );
    repo.commit("enumerators");
    let start = ["w.cpp:2 qualifier", "w.cpp:3 qualifier"];
    assert_eq!(callers(&repo, "Widget::State::Start"), start);
    assert_eq!(callers(&repo, "Widget::Start"), start);
    assert_eq!(callers(&repo, "ns::Begin"), ["w.cpp:5 qualifier", "w.cpp:6 only candidate"]);
    assert_eq!(callers(&repo, "Widget::Mode::Fast"), [""; 0]);
}

#[test]
fn an_assignment_to_an_attribute_uses_its_setter() {
    let repo = Repo::new();
    repo.write(
        "cart.rb",
        "class Cart\n  attr_writer :limit\n  attr_accessor :size\n  def name=(value)\n    @name = value\n  end\nend\n",
    );
    repo.write(
        "use.rb",
        "def a(n)\n  cart = Cart.new\n  cart.name = n\nend\ndef b(n)\n  cart = Cart.new\n  cart.limit = n\nend\n\
         def c(n)\n  cart = Cart.new\n  cart.size = n\nend\ndef d\n  cart = Cart.new\n  cart.size\nend\n",
    );
    repo.commit("setters");
    assert_eq!(callers(&repo, "Cart.name="), ["use.rb:3 declared type"]);
    assert_eq!(callers(&repo, "Cart.limit"), ["use.rb:7 declared type"]);
    assert_eq!(callers(&repo, "Cart.size"), ["use.rb:15 declared type", "use.rb:11 declared type"]);
}

#[test]
fn labels_choose_among_functions_of_swift() {
    let repo = Repo::new();
    repo.write(
        "a.swift",
        "struct Channel {\n  init(asyncStream: Int) {}\n  init(other: Int, _ n: Int) {}\n}\n\
         func a() { _ = Channel(asyncStream: 3) }\nfunc b() { _ = Channel(other: 3, 4) }\n",
    );
    repo.commit("labels");
    assert_eq!(callers(&repo, "init(asyncStream:)"), ["a.swift:5 same file"]);
    assert_eq!(callers(&repo, "Channel.init(other:_:)"), ["a.swift:6 same file"]);
}

#[test]
fn a_package_of_r_names_its_own_functions() {
    let repo = Repo::new();
    repo.write("DESCRIPTION", "Package: mypkg\nVersion: 1.0\n");
    repo.write("R/a.R", "parse_it <- function(x) {\n  x\n}\n");
    repo.write(
        "R/b.R",
        "use <- function() mypkg::parse_it(1)\nown <- function() mypkg:::parse_it(1)\nbad <- function() other::parse_it(2)\n",
    );
    repo.commit("a package");
    assert_eq!(callers(&repo, "parse_it"), ["R/b.R:1 qualifier", "R/b.R:2 qualifier"]);
}

#[test]
fn a_default_export_is_found_where_another_file_hands_it_on() {
    let repo = Repo::new();
    repo.write("src/core/util.ts", "export default function build(n: number) {\n  return n\n}\n");
    repo.write("src/index.ts", "export { default } from './core/util'\n");
    repo.write("src/a.ts", "import built from './index'\nexport function a() {\n  return built(1)\n}\n");
    repo.commit("a default export");
    assert_eq!(callers(&repo, "build"), ["src/a.ts:3 import"]);
}
