//! Declarations of one name that their scopes tell apart: nested types, namespaces, modules, fields
//! beside methods, and scripts.

use super::{Relation, check_in, found, sources};

/// Checks the callers of declarations at places; a guess ends with ` ?`.
fn callers(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
    check_in(&sources(files), files, Relation::Callers, " ?", expected);
}

#[test]
fn a_nested_type_is_the_one_of_the_type_around() {
    let class = |name: &str| {
        format!(
            "class {name} {{\n  static class State {{\n    void go() {{}}\n  }}\n  void run(State t) {{\n    t.go();\n  }}\n}}\n"
        )
    };
    let text = format!("{}{}", class("Order"), class("Cart"));
    callers(&[("A.java", &text)], &[("A.java:3", &["A.java:6"]), ("A.java:11", &["A.java:14"])]);
    let text = "class A:\n    class Meta:\n        def go(self):\n            return 1\n    def run(self):\n        \
                return self.Meta().go()\n\n\nclass B:\n    class Meta:\n        def go(self):\n            return 2\n    \
                def run(self):\n        return self.Meta().go()\n";
    callers(&[("a.py", text)], &[("a.py:3", &["a.py:6"]), ("a.py:11", &["a.py:14"])]);
}

#[test]
fn a_name_of_another_namespace_is_not_meant() {
    let header = |space: &str| {
        format!("namespace {space} {{\nint parse(int n);\nstruct Conn {{\n  void close();\n}};\n}}\n")
    };
    let (net, disk) = (header("net"), header("disk"));
    let code = |space: &str| {
        format!(
            "#include \"{space}.h\"\nnamespace {space} {{\nint parse(int n) {{ return n; }}\nvoid Conn::close() {{}}\n\
             void send(Conn& c) {{ c.close(); parse(2); }}\n}}\n"
        )
    };
    let (net_code, disk_code) = (code("net"), code("disk"));
    let files = [
        ("net.h", net.as_str()),
        ("disk.h", disk.as_str()),
        ("net.cpp", net_code.as_str()),
        ("disk.cpp", disk_code.as_str()),
        (
            "a.cpp",
            "#include \"net.h\"\n#include \"disk.h\"\nusing namespace net;\nvoid a() { Conn c; c.close(); }\n",
        ),
        (
            "both.cpp",
            "#include \"net.h\"\n#include \"disk.h\"\nusing namespace net;\nusing namespace disk;\n\
             using namespace std;\nvoid both() { parse(1); }\n",
        ),
        (
            "inner.cpp",
            "#include \"net.h\"\n#include \"disk.h\"\nnamespace disk {\nusing namespace net;\n\
             void inner() { parse(1); }\n}\n",
        ),
        (
            "b.cpp",
            "#include \"net.h\"\n#include \"disk.h\"\nvoid b() { disk::parse(1); disk::Conn c; c.close(); }\n",
        ),
    ];
    callers(
        &files,
        &[
            ("net.h:2", &["both.cpp:6 ?", "net.cpp:5"]),
            ("disk.h:2", &["b.cpp:3", "both.cpp:6 ?", "disk.cpp:5", "inner.cpp:5"]),
            ("net.h:4", &["a.cpp:4", "net.cpp:5"]),
            ("disk.h:4", &["b.cpp:3", "disk.cpp:5"]),
        ],
    );
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn another_name_for_a_type_brings_in_none_of_its_members() {
    let files = [
        ("Order.cs", "namespace A;\npublic class Order {\n  public void Log(string s) { }\n}\n"),
        ("Text.cs", "namespace A;\npublic static class Text {\n  public static void Log(string s) { }\n}\n"),
        (
            "Use.cs",
            "using static A.Text;\nusing O = A.Order;\nnamespace B;\npublic class Use {\n  void Go(O o) {\n    Log(\"x\");\n  }\n}\n",
        ),
    ];
    callers(&files, &[("Order.cs:3", &[]), ("Text.cs:3", &["Use.cs:6"]), ("Order.cs:2", &["Use.cs:5"])]);
}

#[test]
fn a_field_of_java_is_no_call_of_a_method_of_its_name() {
    let text = "class Ledger {\n  private Money total;\n  void reset() {\n    total = null;\n  }\n  Money total() {\n    \
                return total;\n  }\n  Money use() {\n    return total();\n  }\n}\n";
    callers(&[("Ledger.java", text)], &[("Ledger.java:6", &["Ledger.java:10"])]);
}

#[test]
fn a_component_of_a_record_is_read_by_a_call() {
    let files = [
        (
            "a/Pt.java",
            "package a;\npublic record Pt(int ax, int ay) {\n  int ay() {\n    return 1;\n  }\n}\n",
        ),
        ("a/Use.java", "package a;\nclass Use {\n  int go(Pt p) {\n    return p.ax() + p.ay();\n  }\n}\n"),
    ];
    assert_eq!(found(&files, "Pt.ax"), ["a/Use.java:4 declared type"]);
    callers(&files, &[("a/Pt.java:3", &["a/Use.java:4"])]);
}

#[test]
fn modules_in_a_file_of_rust_have_their_own_imports() {
    let files = [
        ("src/lib.rs", "pub mod a;\npub mod b;\npub mod c;\npub fn parse() {}\n"),
        (
            "src/a.rs",
            "pub fn parse() {}\npub fn load() {}\nmod tests {\n    fn t() {\n        super::parse();\n        \
             super::super::parse();\n    }\n}\n",
        ),
        ("src/b.rs", "pub fn load() {}\npub fn save() {}\n"),
        (
            "src/c.rs",
            "use crate::a::*;\nfn use_load() {\n    load();\n}\nmod tests {\n    use crate::b::{load, save};\n    \
             fn t() {\n        save();\n        load();\n    }\n}\n",
        ),
    ];
    callers(
        &files,
        &[
            ("src/a.rs:1", &["src/a.rs:5"]),
            ("src/a.rs:2", &["src/c.rs:3"]),
            ("src/b.rs:1", &["src/c.rs:9"]),
            ("src/b.rs:2", &["src/c.rs:8"]),
        ],
    );
}

#[test]
fn a_command_is_no_function_of_a_script_that_is_not_read() {
    let files = [
        ("build.sh", "install() {\n  echo 1\n}\ninstall\n"),
        ("deploy.sh", "install -m 755 a b\n"),
        ("all.sh", ". ./build.sh\ninstall\n"),
    ];
    callers(&files, &[("build.sh:1", &["all.sh:2", "build.sh:4", "deploy.sh:1 ?"])]);
}

#[test]
fn a_class_inside_of_a_function_is_meant_there() {
    let body = "  // The body is long, so that each function has a chunk of its own.\n".repeat(24);
    let function = |name: &str| {
        format!(
            "function {name}() {{\n  class Index {{\n    get() {{}}\n  }}\n{body}  return new Index();\n}}\n\n"
        )
    };
    let text = format!("{}{}export {{ a, b }};\n", function("a"), function("b"));
    let second = 2 + body.lines().count() + 7;
    let (first_call, second_call) = (second - 4, 2 * second - 6);
    callers(
        &[("a.js", &text)],
        &[
            ("a.js:2", &[&format!("a.js:{first_call}")]),
            (&format!("a.js:{second}"), &[&format!("a.js:{second_call}")]),
        ],
    );
}

#[test]
fn an_import_in_a_function_counts_there() {
    let body =
        |n: u32| (0..n).map(|at| format!("    step_{at} = compute({at}) + {at}\n")).collect::<String>();
    let function = |name: &str, module: &str, n: u32| {
        format!(
            "def {name}():\n    from cli.{module} import run, Cmd\n{}    run()\n    c = Cmd()\n    c.go()\n\n\n",
            body(n)
        )
    };
    let declared = "def run(): pass\n\n\nclass Cmd:\n    def go(self): pass\n";
    let (large, small) = (
        format!("{}{}", function("add", "add", 60), function("rm", "rm", 60)),
        format!("{}{}", function("add", "add", 0), function("rm", "rm", 0)),
    );
    let files = |text| [("cli/add.py", declared), ("cli/rm.py", declared), ("cli/main.py", text)];
    callers(
        &files(&large),
        &[
            ("cli/add.py:1", &["cli/main.py:63"]),
            ("cli/rm.py:1", &["cli/main.py:130"]),
            ("cli/add.py:5", &["cli/main.py:65"]),
            ("cli/rm.py:5", &["cli/main.py:132"]),
        ],
    );
    callers(&files(&small), &[("cli/add.py:1", &["cli/main.py:3"]), ("cli/rm.py:1", &["cli/main.py:10"])]);
    let script = "function fc() { const m = require('./a'); m.run(); }\nfunction fd() { const m = require('./b'); m.run(); }\n";
    let own = "exports.run = function run() {};\n";
    callers(
        &[("a.js", own), ("b.js", own), ("c.js", script)],
        &[("a.js:1", &["c.js:1"]), ("b.js:1", &["c.js:2"])],
    );
    let fallback = "try:\n    from fast import run\nexcept ImportError:\n    from slow import run\n\n\ndef go():\n    run()\n";
    callers(
        &[("fast.py", "def run(): pass\n"), ("slow.py", "def run(): pass\n"), ("go.py", fallback)],
        &[("fast.py:1", &["go.py:8 ?"]), ("slow.py:1", &["go.py:8 ?"])],
    );
}

#[test]
fn a_module_of_python_is_named_by_its_whole_path() {
    let text = "import pkg.api\nimport pkg.other\n\ndef f():\n    pkg.api.target()\n    pkg.other.aim()\n    \
                pkg.other.Box().pay()\n";
    callers(
        &[
            ("pkg/__init__.py", ""),
            ("pkg/api.py", "def target(): pass\n"),
            ("pkg/other.py", "def aim(): pass\n\n\nclass Box:\n    def pay(self): pass\n"),
            ("b.py", text),
        ],
        &[("pkg/api.py:1", &["b.py:5"]), ("pkg/other.py:1", &["b.py:6"]), ("pkg/other.py:5", &["b.py:7"])],
    );
}

#[test]
fn a_call_of_c_does_not_mean_a_tag() {
    callers(
        &[
            (
                "a.c",
                "#include \"b.h\"\nstruct stat2 { int size; };\nint plain(void) { return stat2(\"x\", 0); }\n",
            ),
            ("b.c", "#include \"b.h\"\nint stat2(const char *p, void *s) { return 0; }\n"),
            ("b.h", "int stat2(const char *p, void *s);\nenum color { RED };\nint color(void);\n"),
            ("c.c", "#include \"b.h\"\nint use(void) { return color(); }\n"),
        ],
        &[("a.c:2", &[]), ("b.c:2", &["a.c:3"]), ("b.h:2", &[]), ("b.h:3", &["c.c:2"])],
    );
}

#[test]
fn a_type_in_a_function_hides_those_outside() {
    let api = "export class Box {\n  pay() { return 1; }\n}\n";
    let script = "import { Box } from \"./api\";\nfunction inner() {\n  class Box { pay() { return 2; } }\n  \
                  return new Box().pay();\n}\nfunction shadow(Box: any) {\n  return new Box().pay();\n}\nfunction \
                  outer() {\n  return new Box().pay();\n}\n";
    callers(
        &[("api.ts", api), ("use.ts", script)],
        &[("api.ts:2", &["use.ts:10", "use.ts:7 ?"]), ("use.ts:3", &["use.ts:4", "use.ts:7 ?"])],
    );
    let python = "from api import Box\n\n\ndef loc():\n    class Box:\n        def pay(self): return 2\n    return \
                  Box().pay()\n\n\ndef loc2(Box):\n    return Box().pay()\n\n\ndef out():\n    return Box().pay()\n";
    callers(
        &[("api.py", "class Box:\n    def pay(self): return 1\n"), ("use.py", python)],
        &[("api.py:2", &["use.py:11 ?", "use.py:15"]), ("use.py:6", &["use.py:11 ?", "use.py:7"])],
    );
    let rust = "use crate::api::Crate;\nfn inner() {\n    struct Crate;\n    impl Crate {\n        fn new() -> Self { Crate \
                }\n        fn pay(&self) {}\n    }\n    let b = Crate::new();\n    b.pay();\n}\nfn outer(b: &Crate) {\n    \
                b.pay();\n}\n";
    callers(
        &[
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            ("src/lib.rs", "mod api;\nmod user;\n"),
            ("src/api.rs", "pub struct Crate;\nimpl Crate {\n    pub fn pay(&self) {}\n}\n"),
            ("src/user.rs", rust),
        ],
        &[("src/api.rs:3", &["src/user.rs:12"]), ("src/user.rs:6", &["src/user.rs:9"])],
    );
    let java = "package b;\nimport a.Box;\nclass Use {\n  int inner() {\n    class Box { int pay() { return 2; } }\n    return \
                new Box().pay();\n  }\n  int outer() { return new Box().pay(); }\n}\n";
    callers(
        &[
            ("a/Box.java", "package a;\npublic class Box {\n  public int pay() { return 1; }\n}\n"),
            ("b/Use.java", java),
        ],
        &[("a/Box.java:3", &["b/Use.java:8"]), ("b/Use.java:5", &["b/Use.java:6"])],
    );
    let go = "package u\n\nimport \"shop/api\"\n\ntype Other struct{}\n\nfunc (o Other) Pay() {}\n\nfunc loc() {\n\ttype Sack \
              struct{ Other }\n\tb := &Sack{}\n\tb.Pay()\n}\n\nfunc out(b *api.Sack) { b.Pay() }\n";
    callers(
        &[
            ("go.mod", "module shop\n"),
            ("api/api.go", "package api\n\ntype Sack struct{}\n\nfunc (s *Sack) Pay() {}\n"),
            ("u/u.go", go),
        ],
        &[("api/api.go:5", &["u/u.go:15"])],
    );
}

#[test]
fn a_type_in_a_test_that_has_a_sentence_for_a_name_is_found() {
    let text = "describe('some things', () => {\n  type Env = { a: string };\n  const env: Env = { a: '' };\n  it('works: \
                well', () => {\n    interface Row { b: string }\n    const row: Row = { b: '' };\n  });\n});\n";
    callers(&[("a.test.ts", text)], &[("a.test.ts:2", &["a.test.ts:3"]), ("a.test.ts:5", &["a.test.ts:6"])]);
}

#[test]
fn a_parameter_that_gets_another_value_has_another_type() {
    let text = "class Box:\n    def pay(self): pass\n\n\nclass Other:\n    def pay(self): pass\n\n\ndef f(b: Box):\n    b = \
                Other()\n    return b.pay()\n\n\ndef g(b: Box):\n    b = b or Box()\n    return b.pay()\n";
    callers(&[("a.py", text)], &[("a.py:2", &["a.py:11 ?", "a.py:16"]), ("a.py:6", &["a.py:11 ?"])]);
}

#[test]
fn an_inner_function_or_object_has_another_current_object() {
    let text = "export class Box {\n  pay() { return 1; }\n  own() {\n    return [1].map(() => this.pay());\n  }\n  fn2() {\n    \
                return {\n      pay() { return 2; },\n      go() { return this.pay(); },\n    };\n  }\n  fn3() {\n    return \
                function () {\n      return this.pay();\n    };\n  }\n}\n";
    callers(&[("box.ts", text)], &[("box.ts:2", &["box.ts:14 ?", "box.ts:4", "box.ts:9 ?"])]);
    callers(&[("box.js", text)], &[("box.js:2", &["box.js:14 ?", "box.js:4", "box.js:9 ?"])]);
    let php = "<?php\nclass Box {\n  function pay() {}\n  function own() { $this->pay(); }\n  function other() {\n    return new \
               class {\n      function pay() {}\n      function go() { return $this->pay(); }\n    };\n  }\n}\n";
    callers(&[("Box.php", php)], &[("Box.php:3", &["Box.php:4", "Box.php:8 ?"])]);
}

#[test]
fn a_variable_may_be_called_like_a_package() {
    let text = "package u\n\nimport (\n\t\"ext/external\"\n\t\"shop/store\"\n)\n\nfunc i() {\n\tstore := \
                external.New()\n\tstore.Get(\"x\")\n}\n\nfunc j() { store.Get(\"y\") }\n";
    callers(
        &[
            ("go.mod", "module shop\n"),
            ("store/store.go", "package store\n\nfunc Get(s string) {}\n\ntype Store struct{}\n"),
            ("u/u.go", text),
        ],
        &[("store/store.go:3", &["u/u.go:13"])],
    );
}

#[test]
fn super_of_an_inline_module_is_the_file() {
    let text = "pub fn free() {}\npub mod inn {\n    pub fn free() {}\n    pub fn b() {\n        super::free();\n    }\n    pub \
                fn c() {\n        free();\n    }\n}\n";
    callers(&[("src/a.rs", text)], &[("src/a.rs:1", &["src/a.rs:5"]), ("src/a.rs:3", &["src/a.rs:8"])]);
}

#[test]
fn the_nearest_namespace_is_meant() {
    let header = "namespace shop {\nint free(int);\nstruct Box { int pay(); static int make(); };\nnamespace in {\nint \
                  free(int);\nstruct Box { int pay(); static int make(); };\n}\n}\n";
    let code = "#include \"a.h\"\nnamespace shop { namespace in {\nint a() { return free(1); }\nint c() { return \
                shop::free(2); }\nint h(Box& b) { return b.pay(); }\n} }\n";
    let outer = "#include \"a.h\"\nnamespace shop {\nint e() { return free(1); }\nint f(in::Box& b) { return b.pay(); }\nint \
                 g(Box& b) { return b.pay(); }\nint i() { return Box::make(); }\n}\nint j() { return shop::free(3); }\n";
    callers(
        &[("a.h", header), ("in.cc", code), ("out.cc", outer)],
        &[("a.h:2", &["in.cc:4", "out.cc:3", "out.cc:8"]), ("a.h:5", &["in.cc:3"])],
    );
}

#[test]
fn a_constant_of_ruby_may_begin_at_the_top() {
    let class = "class Box\n  def pay; end\n  def self.make; end\nend\n";
    let shop = format!("module Shop\n{class}end\n");
    let user = "module Shop\n  class Use\n    def d; ::Box.make; end\n    def e; ::Box.new.pay; end\n    def f; Box.make; \
                end\n  end\nend\n";
    callers(
        &[("box.rb", class), ("shop/box.rb", &shop), ("shop/use.rb", user)],
        &[
            ("box.rb:3", &["shop/use.rb:3"]),
            ("box.rb:2", &["shop/use.rb:4"]),
            ("shop/box.rb:4", &["shop/use.rb:5"]),
        ],
    );
}
