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
