//! Which callers a change breaks, and which go on working: `git cora impact`.

use serde_json::Value;

use crate::harness::Repo;

type Files<'f> = &'f [(&'f str, &'f str)];

/// Returns the impact of a commit that writes the second list of files over the first. A file with
/// an empty text is removed.
fn impact(before: Files<'_>, after: Files<'_>) -> Value {
    let repo = Repo::new();
    before.iter().for_each(|(path, text)| repo.write(path, text));
    repo.commit("first");
    for (path, text) in after {
        match text.is_empty() {
            true => std::fs::remove_file(repo.path().join(path)).unwrap(),
            false => repo.write(path, text),
        }
    }
    repo.commit("second");
    repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json()
}

/// Returns the paths and lines of the certain callers that break.
fn broken(answer: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for one in answer["declarations"].as_array().unwrap().iter().filter(|one| one["risk"] == "breaking") {
        for caller in one["callers"].as_array().unwrap() {
            if caller["certain"] == true && caller["now"].is_null() {
                found.push(format!("{}:{}", caller["path"].as_str().unwrap(), caller["at"]));
            }
        }
    }
    found.sort();
    found
}

fn risks(answer: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = answer["declarations"].as_array().unwrap().iter();
    all.map(|one| (text(&one["symbol"]), text(&one["risk"]))).collect()
}

#[test]
fn a_name_that_did_not_change_breaks_nobody() {
    let repo = crate::impact::repo();
    let answer = repo.cora(&["impact", "--json", "send"]).json();
    assert_eq!((&answer["breaking"], &answer["broken_callers"]), (&0.into(), &0.into()), "{answer:#}");
    assert_eq!(answer["declarations"][0]["risk"], "none");
    assert_eq!(answer["declarations"][0]["callers"][0]["symbol"], "deliver");
    let text = repo.cora(&["impact", "--format", "markdown", "send"]).out;
    assert!(
        !text.contains("have another signature") && text.contains("Callers of function `send`"),
        "{text}"
    );
    repo.cora(&["impact", "--fail-on", "guess", "send"]);
}

#[test]
fn callers_of_a_class_call_its_constructor() {
    for (path, caller, text, other, call) in [
        (
            "a.py",
            "b.py",
            "class Client:\n    def __init__(self, base, auth=None):\n        self.base = base\n",
            ["auth=None", "auth"],
            "from a import Client\n\ndef use():\n    return Client(1)\n",
        ),
        (
            "a.py",
            "b.py",
            "class Client:\n    def __new__(cls, base):\n        return object.__new__(cls)\n",
            ["base", "base, auth"],
            "from a import Client\n\ndef use():\n    return Client(1)\n",
        ),
        (
            "a.py",
            "b.py",
            "from dataclasses import dataclass\n\n@dataclass\nclass Client:\n    base: str\n    auth: str = \"\"\n",
            ["auth: str = \"\"", "user: str\n    auth: str = \"\""],
            "from a import Client\n\ndef use():\n    return Client(1)\n",
        ),
        (
            "a.py",
            "b.py",
            "class Client:\n    def __init__(self, base):\n        self.base = base\n",
            ["base):", "base, auth):"],
            "from a import Client\n\nclass Sub(Client):\n    pass\n\nNEW = Sub(1)\n",
        ),
        (
            "a.ts",
            "b.ts",
            "export class Client {\n  constructor(base: string) {}\n}\n",
            ["base: string", "base: string, auth: string"],
            "import { Client } from './a';\n\nexport const use = () => new Client('x');\n",
        ),
        (
            "a.rb",
            "b.rb",
            "class Client\n  def initialize(base)\n    @base = base\n  end\nend\n",
            ["(base)", "(base, auth)"],
            "require_relative 'a'\n\ndef use\n  Client.new(1)\nend\n",
        ),
        (
            "a.php",
            "b.php",
            "<?php\nclass Client {\n  public function __construct($base) {}\n}\n",
            ["$base", "$base, $auth"],
            "<?php\nrequire 'a.php';\nfunction use_it() {\n  return new Client(1);\n}\n",
        ),
        (
            "a.dart",
            "b.dart",
            "class Client {\n  Client(int base);\n}\n",
            ["int base", "int base, int auth"],
            "import 'a.dart';\n\nvoid use() {\n  Client(1);\n}\n",
        ),
    ] {
        let line = call.lines().position(|line| line.contains("Client(1)") || line.contains("Sub(1)"));
        let line = line.or_else(|| {
            call.lines().position(|line| line.contains("Client.new") || line.contains("new Client"))
        });
        let answer = impact(&[(path, text), (caller, call)], &[(path, &text.replace(other[0], other[1]))]);
        let expected = format!("{caller}:{}", line.unwrap() + 1);
        assert!(broken(&answer).contains(&expected), "{text}\n{answer:#}");
    }
}

#[test]
fn an_old_name_may_mean_another_declaration() {
    let using = "package p;\nclass Use { boolean u() { Run run = new Run(); return run.matches(1, 2); } }\n";
    let body = "{ count++; if (a > b) { return count > 3 && a > 17; } return a == b; }";
    let run = format!(
        "package p;\npublic class Run extends Base {{\n  int count = 0;\n  public boolean matches(int a, int b) {body}\n}}\n"
    );
    let base =
        "package p;\npublic class Base {\n  public boolean matches(int a, int b) { return false; }\n}\n";
    let other = run.replace("matches(int a, int b)", "evaluate(int a, long b)");
    let answer = impact(
        &[("p/Run.java", &run), ("p/Base.java", base), ("p/Use.java", using)],
        &[("p/Run.java", &other)],
    );
    assert_eq!(broken(&answer), [""; 0], "{answer:#}");
    // An overload with other parameters does not take its place.
    let lib = "package p;\npublic class Lib {\n  public int add(int a) { return a; }\n  public int add(int a, int b) { return a; }\n  public Lib(int a) {}\n  public Lib(int a, int b) {}\n}\n";
    let using = "package p;\nclass Use {\n  int m1(Lib lib) { return lib.add(1, 2); }\n  Lib m2() { return new Lib(1, 2); }\n}\n";
    let other = lib
        .replace("  public int add(int a, int b) { return a; }\n", "")
        .replace("  public Lib(int a, int b) {}\n", "");
    let answer = impact(&[("p/Lib.java", lib), ("p/Use.java", using)], &[("p/Lib.java", &other)]);
    assert_eq!(broken(&answer), ["p/Use.java:3", "p/Use.java:4"], "{answer:#}");
}

#[test]
fn a_module_that_hands_a_name_on_needs_the_name_alone() {
    let init = "from p.core import fetch\n__all__ = [\"fetch\"]\n";
    let core = "def fetch(url, timeout=3):\n    return url\n";
    let python =
        |after: &str| impact(&[("p/core.py", core), ("p/__init__.py", init)], &[("p/core.py", after)]);
    let script = |after: &str| {
        let one = "export function one(x: number) { return x + 1; }\n";
        impact(&[("a.ts", one), ("index.ts", "export { one } from './a';\n")], &[("a.ts", after)])
    };
    assert_eq!(broken(&python("def fetch(url, timeout):\n    return url\n")), [""; 0]);
    assert_eq!(broken(&script("export function one(x: number, y: number) { return x + 1; }\n")), [""; 0]);
    assert!(!broken(&python("def other():\n    return 2\n")).is_empty());
    assert!(!broken(&script("function one(x: number) { return x + 1; }\n")).is_empty());
}

#[test]
fn another_supertype_is_felt_in_the_behaviour() {
    let answer = impact(
        &[
            ("p/A.java", "package p;\npublic class A extends java.util.ArrayList<String> { }\n"),
            ("p/Use.java", "package p;\nclass Use { A u; }\n"),
        ],
        &[(
            "p/A.java",
            "package p;\npublic class A extends java.util.Vector<String> implements Runnable { }\n",
        )],
    );
    assert_eq!(risks(&answer), [("A".to_owned(), "behaviour".to_owned())], "{answer:#}");
}

#[test]
fn what_moved_and_changed_may_behave_differently() {
    let body = "def calc(x):\n    y = x + 1\n    z = y * 3\n    return z + y * 2\n";
    let repo = Repo::new();
    repo.write("a.py", body);
    repo.write("u.py", "from a import calc\n\n\ndef u():\n    return calc(1)\n");
    repo.commit("first");
    std::fs::remove_file(repo.path().join("a.py")).unwrap();
    repo.write("c.py", body.replace("* 2", "* 22"));
    repo.write("u.py", "from c import calc\n\n\ndef u():\n    return calc(1)\n");
    repo.commit("move");
    let text = repo.cora(&["impact", "HEAD~..HEAD"]).out;
    assert!(text.contains("0 may break callers, 1 may behave differently"), "{text}");
    assert!(text.contains("may behave differently\n  c.py:1: function calc"), "{text}");
}

#[test]
fn what_is_private_now_breaks_those_who_no_longer_see_it() {
    for (path, before, after, caller, call, expected) in [
        (
            "p/Box.java",
            "package p;\npublic class Box {\n  public int w;\n  int own() { return w; }\n}\n",
            ["public int w", "private int w"],
            "q/U.java",
            "package q;\nimport p.Box;\nclass U {\n  int f(Box box) { return box.w; }\n}\n",
            "q/U.java:4",
        ),
        (
            "a.ts",
            "export class Box {\n  width = 1;\n  own() { return this.width; }\n}\n",
            ["  width", "  private width"],
            "b.ts",
            "import { Box } from './a';\nexport function f(box: Box) {\n  return box.width;\n}\n",
            "b.ts:3",
        ),
        (
            "lib.hpp",
            "class Box {\n public:\n  int open() { return close(); }\n  int close() { return 2; }\n};\n",
            ["  int close", " private:\n  int close"],
            "use.cpp",
            "#include \"lib.hpp\"\nint f(Box& box) {\n  return box.close();\n}\n",
            "use.cpp:3",
        ),
        (
            "p/Box.java",
            "package p;\npublic class Box {\n  public int w() { return 1; }\n  int own() { return w(); }\n}\n",
            ["public int w", "private int w"],
            "q/U.java",
            "package q;\nimport p.Box;\nclass U {\n  int f(Box box) { return box.w(); }\n}\n",
            "q/U.java:4",
        ),
    ] {
        let answer =
            impact(&[(path, before), (caller, call)], &[(path, &before.replace(after[0], after[1]))]);
        assert_eq!(broken(&answer), [expected], "{answer:#}");
    }
}

#[test]
fn a_property_is_not_called() {
    let text = "class C:\n    @property\n    def name(self):\n        return 1\n";
    let call = "from a import C\n\n\ndef use():\n    return C.name\n";
    let answer = impact(&[("a.py", text), ("b.py", call)], &[("a.py", &text.replace("    @property\n", ""))]);
    assert_eq!(risks(&answer), [("C.name".to_owned(), "breaking".to_owned())], "{answer:#}");
}

#[test]
fn the_order_of_numbered_constants_is_their_value() {
    let text = "package a\n\nconst (\n\tFirst = iota\n\tSecond\n\tThird\n)\n";
    let answer =
        impact(&[("a.go", text)], &[("a.go", &text.replace("\tSecond\n\tThird", "\tThird\n\tSecond"))]);
    let expected = ["Third", "Second"].map(|name| (name.to_owned(), "behaviour".to_owned()));
    assert_eq!(risks(&answer), expected, "{answer:#}");
}

#[test]
fn the_parameters_of_a_class_are_those_of_its_constructor() {
    let answer = impact(
        &[
            ("a.kt", "package p\nclass Client(val base: Int)\n"),
            ("b.kt", "package p\nfun use() {\n  Client(1)\n}\nfun other(c: Client) {}\n"),
        ],
        &[("a.kt", "package p\nclass Client(val base: Int, val auth: Int)\n")],
    );
    assert_eq!(broken(&answer), ["b.kt:3"], "{answer:#}");
}

#[test]
fn a_test_in_a_small_file_is_a_test() {
    let text = "fn inner(x: u32) -> u32 {\n    x + 1\n}\npub fn outer(x: u32) -> u32 {\n    inner(x)\n}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn checks() {\n        assert_eq!(outer(1), 2);\n    }\n}\n";
    let answer = impact(
        &[("Cargo.toml", "[package]\nname = \"a\"\n"), ("src/lib.rs", text)],
        &[("src/lib.rs", &text.replace("x + 1", "1 + x"))],
    );
    assert_eq!(answer["tests"][0]["symbol"], "tests::checks", "{answer:#}");
}

#[test]
fn values_belong_to_the_body() {
    for (path, before, after) in [
        ("a.h", "#define LIMIT 10\n", "#define LIMIT 20\n"),
        (
            "src/lib.rs",
            "#[macro_export]\nmacro_rules! one { ($x:expr) => { $x * 2 }; }\n",
            "#[macro_export]\nmacro_rules! one { ($x:expr) => { 2 * $x }; }\n",
        ),
        (
            "src/lib.rs",
            "macro_rules! three {\n    ($x:expr) => { $x * 2 };\n    ($x:expr, $y:expr) => { $x * $y };\n}\n",
            "macro_rules! three {\n    ($x:expr) => { 2 * $x };\n}\n",
        ),
        ("a.yaml", "server:\n  port: 80\n  host: a\n", "server:\n  port: 81\n  host: a\n"),
        ("a.toml", "[server]\nport = 80\n", "[server]\nport = 81\n"),
        (
            "a.hpp",
            "class X {\n public:\n  X() { n = 0; }\n  int n;\n};\n",
            "class X {\n public:\n  X() = default;\n  int n;\n};\n",
        ),
    ] {
        let answer = impact(&[(path, before)], &[(path, after)]);
        for one in answer["declarations"].as_array().unwrap() {
            assert_eq!(one["changes"], serde_json::json!(["body"]), "{before}: {answer:#}");
        }
    }
}
