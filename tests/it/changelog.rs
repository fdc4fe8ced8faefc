//! What a range of commits did to the API: `git cora changelog`.

use serde_json::Value;

use crate::harness::Repo;

const BEFORE: &str = "\
class Store:
    def load(self, key):
        return self.rows.get(key)

    def save(self, key, value):
        self.rows[key] = value


class Old:
    def one(self):
        return 1

    def two(self):
        return 2


def connect(address):
    return open_socket(address)


def _inner(a):
    return a


def size(value):
    for part in value.parts:
        yield transform(part, value, 1234567890, 1234567890)
";

const AFTER: &str = "\
class Store:
    def load(self, key, default=None):
        return self.rows.get(key)

    def save(self, key, value):
        self.rows[key] = [value]


def connect(address):
    return open_socket(address)


def _inner(a, b):
    return a


def length(value):
    for part in value.parts:
        yield transform(part, value, 1234567890, 1234567890)


def fresh():
    return 3
";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("store.py", BEFORE);
    repo.write("tests/test_store.py", "def test_it():\n    assert 1\n");
    repo.write("doc.md", "# One\n\nText.\n");
    repo.commit("before");
    repo.write("store.py", AFTER);
    repo.write("tests/test_store.py", "def test_that():\n    assert 2\n");
    repo.write("doc.md", "# Two\n\nOther.\n");
    repo.commit("after");
    repo
}

/// Each entry as its change, its visibility and its symbol.
fn listed(answer: &Value) -> Vec<String> {
    let of = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        format!("{} {} {}", text("visibility"), text("change"), text("symbol"))
    };
    answer["entries"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn entries_are_grouped_by_what_others_may_use() {
    let repo = repo();
    let answer = repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json();
    assert_eq!(
        listed(&answer),
        [
            "public removed Old",
            "public renamed length",
            "public signature Store.load",
            "public added fresh",
            "internal signature _inner",
        ]
    );
    assert_eq!(answer["entries"][0]["members"], 2);
    assert_eq!((&answer["changed_inside"], &answer["tests"]), (&1.into(), &2.into()));
    let public = repo.cora(&["changelog", "--json", "--public", "HEAD~.."]).json();
    assert_eq!(listed(&public).len(), 4);
    repo.cora(&["changelog", "HEAD~..HEAD"])
        .prints("HEAD~..HEAD: 5 changes in 3 changed files\n\npublic\n  removed\n")
        .prints("    store.py:9: class Old, with 2 members\n")
        .prints("    store.py:17: function length (was store.py:25: size)\n")
        .prints("      + def load(self, key, default=None):\n")
        .prints("\nnot listed: 1 declaration with the same signature, 2 changes in tests\n");
    let run = repo.cora(&["changelog", "--format", "markdown", "--public", "HEAD~..HEAD"]);
    assert!(!run.out.contains("_inner"), "{}", run.out);
    run.prints("## `HEAD~..HEAD`\n\n4 changes in 3 changed files.\n\n### Public\n\n#### Removed\n")
        .prints("- class `Old` (`store.py:9`), with 2 members\n")
        .prints(", was `size` in `store.py:25`\n")
        .prints("  ```diff\n  - def load(self, key):\n");
    // Backwards, what was added is gone.
    let back = listed(&repo.cora(&["changelog", "--json", "HEAD..HEAD~"]).json());
    assert!(back.contains(&"public removed fresh".to_owned()), "{back:?}");
}

#[test]
fn commits_are_named_as_in_git_diff() {
    let repo = repo();
    let of = |words: &[&str]| listed(&repo.cora(&[&["changelog", "--json"], words].concat()).json());
    let expected = of(&["HEAD~..HEAD"]);
    for words in [
        &["HEAD~", "HEAD"][..],
        &["HEAD~"],
        &["HEAD~.."],
        &["HEAD~...HEAD"],
        &["HEAD~", "store.py"],
        &["HEAD~", "HEAD", "--", "store.py"],
    ] {
        assert_eq!(of(words), expected, "{words:?}");
    }
    repo.cora(&["changelog", "HEAD~"]).prints("HEAD~..HEAD: 5 changes in ");
    repo.cora(&["changelog", "HEAD~", "HEAD"]).prints("HEAD~..HEAD: 5 changes in ");
    // Uncommitted changes are not released.
    repo.write("store.py", BEFORE);
    assert_eq!(of(&["HEAD~"]), expected);
    repo.try_cora(&["changelog", "store.py"]).exits(2).says("expected a commit").says("HEAD~..HEAD");
    repo.try_cora(&["changelog", "nowhere"]).exits(2).says("unknown revision 'nowhere'");
    repo.try_cora(&["changelog"]).exits(2);
    repo.try_cora(&["changelog", "HEAD..HEAD"]).exits(1);
    repo.try_cora(&["changelog", "HEAD~..HEAD", "--", "doc.md"]).exits(1);
}

#[test]
fn what_becomes_internal_is_no_longer_public() {
    let repo = Repo::new();
    repo.write("a.rs", "pub fn a() -> u32 {\n    1\n}\n\nfn b() -> u32 {\n    2\n}\n");
    repo.commit("before");
    repo.write("a.rs", "pub(crate) fn a() -> u32 {\n    1\n}\n\npub fn b() -> u32 {\n    2\n}\n");
    repo.commit("after");
    let answer = repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json();
    assert_eq!(listed(&answer), ["public hidden a", "public published b"]);
}

#[test]
fn lists_are_cut_to_a_budget() {
    let repo = Repo::new();
    repo.write("a.py", "x = 1\n");
    repo.commit("before");
    let many: String = (0..60).map(|n| format!("def made_{n:02}(a, b):\n    return a + {n}\n\n\n")).collect();
    repo.write("a.py", many);
    repo.commit("after");
    let range = "HEAD~..HEAD";
    let run = repo.cora(&["changelog", "-n", "3", range]);
    assert_eq!(repo.cora(&["changelog", "-k", "3", range]).out, run.out);
    assert!(
        run.out.contains("made_02\n    and 57 more; raise --limit\n") && !run.out.contains("made_03"),
        "{}",
        run.out
    );
    for (flag, n) in [("--length", "900"), ("--tokens", "300")] {
        let run = repo.cora(&["changelog", "--format", "markdown", flag, n, range]);
        assert!(run.out.len() <= 1300 && run.out.contains("\n- and "), "{flag}: {}", run.out);
        assert!(run.out.contains("made_05"), "{flag}: {}", run.out);
        let answer = repo.cora(&["changelog", "--json", flag, "4000", range]).json();
        let n_listed = answer["entries"].as_array().unwrap().len() as u64;
        assert_eq!(n_listed + answer["more"].as_u64().unwrap(), 61, "{answer}");
    }
    repo.try_cora(&["changelog", "--length", "5", range]).exits(2).says("budget is too small");
    assert_eq!(repo.cora(&["changelog", "--json", range]).json()["more"], 0);
}

#[test]
fn a_variable_of_a_shell_script_is_internal() {
    let repo = Repo::new();
    repo.write("a.sh", "#!/bin/bash\n");
    repo.commit("before");
    repo.write(
        "a.sh",
        "#!/bin/bash\nretries=3\nexport REGION=eu\ndeclare -x ZONE=a\ndeclare -r most=4\n\nbuild() {\n    local one=1\n    echo $one\n}\n",
    );
    repo.commit("after");
    let mut found = listed(&repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json());
    found.sort();
    assert_eq!(
        found,
        [
            "internal added most",
            "internal added retries",
            "public added REGION",
            "public added ZONE",
            "public added build",
        ]
    );
}

#[test]
fn a_prototype_is_listed_with_its_definition() {
    let repo = Repo::new();
    repo.write("a.h", "int send_all(int n);\nint only_here(int n);\n");
    repo.write("a.c", "#include \"a.h\"\n\nint\nsend_all(int n)\n{\n\treturn n + 1;\n}\n");
    repo.commit("before");
    repo.write("a.h", "int send_all(int n, int tries);\nint only_here(long n);\n");
    repo.write("a.c", "#include \"a.h\"\n\nint\nsend_all(int n, int tries)\n{\n\treturn n + tries;\n}\n");
    repo.commit("after");
    let answer = repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json();
    assert_eq!(listed(&answer), ["public signature send_all", "public signature only_here"]);
    assert_eq!(answer["entries"][0]["path"], "a.c");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    assert_eq!(answer["declarations"].as_array().unwrap().len(), 2, "{answer:#}");
    repo.cora(&["impact", "send_all"]).prints("send_all: 1 declaration, ");
}

#[test]
fn a_forward_declaration_is_nothing_of_its_own() {
    let repo = Repo::new();
    let definition = "static void\nfire(int n)\n{\n\tsend(n + 1);\n}\n";
    let user = "void\nuse(void)\n{\n\tfire(2);\n}\n";
    repo.write("a.c", format!("{definition}\n{user}"));
    repo.write("b.c", format!("static void fire(int);\n\n{user}\n{definition}"));
    repo.commit("before");
    // One comes, and the definition is edited below its caller; the other goes.
    repo.write("a.c", format!("static void fire(int);\n\n{user}\n{}", definition.replace('1', "3")));
    repo.write("b.c", format!("{definition}\n{user}"));
    repo.commit("after");
    let answer = repo.try_cora(&["changelog", "--json", "HEAD~..HEAD"]).exits(1).json();
    assert_eq!((listed(&answer), &answer["changed_inside"]), (Vec::new(), &serde_json::json!(1)));
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let all = answer["declarations"].as_array().unwrap();
    let [only] = all.as_slice() else { panic!("{answer:#}") };
    assert_eq!(
        (&only["line"], &only["risk"], &only["callers"][0]["symbol"]),
        (&serde_json::json!(10), &"behaviour".into(), &"use".into())
    );
    let answer = repo.cora(&["diff", "--json", "HEAD~..HEAD"]).json();
    let all = answer["changes"].as_array().unwrap();
    assert_eq!(all.len(), 1, "{answer:#}");
    // A search still finds the line.
    repo.cora(&["query", "--rev", "HEAD~..HEAD", "fire"]).prints("a.c:1");
}

/// As [`listed`], sorted.
fn sorted(repo: &Repo) -> Vec<String> {
    let mut found = listed(&repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json());
    found.sort();
    found
}

#[test]
fn a_name_of_python_is_public_if_its_package_hands_it_on() {
    let repo = Repo::new();
    repo.write("web/__init__.py", "from ._client import *\n\n__all__ = [\"Client\", \"get\"]\n");
    repo.write("web/_client.py", "import os\n");
    repo.write("web/tools.py", "__all__ = [\"shown\"]\n");
    repo.commit("before");
    let client = "import os\n\n\nclass Client:\n    def send(self):\n        return 1\n\n\nclass Pool:\n    size = 2\n\n\ndef get(url):\n    return url\n";
    repo.write("web/_client.py", client);
    repo.write("web/_internal/x.py", "class Lost:\n    name = 'x'\n");
    repo.write(
        "web/tools.py",
        "__all__ = [\"shown\"]\n\n\ndef shown():\n    return 1\n\n\ndef hidden():\n    return 2\n",
    );
    repo.commit("after");
    assert_eq!(
        sorted(&repo),
        [
            "internal added Lost",
            "internal added Pool",
            "internal added hidden",
            "public added Client",
            "public added get",
            "public added shown",
        ]
    );
    // It is edited, and no longer listed.
    repo.write("web/__init__.py", "from ._client import Client\n\n__all__ = [\"Client\"]\n");
    repo.write("web/_client.py", client.replace("return url", "return url + url"));
    repo.commit("hidden");
    let found = sorted(&repo);
    assert!(found.contains(&"public hidden get".to_owned()), "{found:?}");
}

#[test]
fn a_name_of_typescript_is_public_if_an_open_file_hands_it_on() {
    let repo = Repo::new();
    repo.write("src/index.ts", "export { x } from './_internal/x'\nexport * from './internal'\n");
    repo.write(
        "src/internal/index.ts",
        "import { lost } from './deep'\nexport { deep } from './deep.js'\nlost()\n",
    );
    repo.commit("before");
    let function = |name: &str| format!("export function {name}(a: number) {{\n  return a\n}}\n");
    repo.write("src/_internal/x.ts", function("x") + &function("y"));
    repo.write("src/internal/deep.ts", function("deep") + &function("lost"));
    repo.write("src/plain.ts", function("plain"));
    repo.commit("after");
    assert_eq!(
        sorted(&repo),
        [
            "internal added lost",
            "internal added y",
            "public added deep",
            "public added plain",
            "public added x",
        ]
    );
}

#[test]
fn an_item_of_rust_is_public_if_a_path_leads_to_it() {
    let repo = Repo::new();
    let root =
        "mod private;\npub mod open;\n\npub use private::{Thing, deep::*};\npub(crate) use private::Own;\n";
    repo.write("src/lib.rs", root);
    repo.write("src/open.rs", "use std::fmt;\n");
    repo.write("src/private.rs", "pub mod deep;\n");
    repo.commit("before");
    repo.write("src/open.rs", "use std::fmt;\n\npub struct Open(u32);\n");
    repo.write(
        "src/private.rs",
        "pub mod deep;\n\npub struct Thing(u32);\n\npub struct Lost(u32);\n\npub struct Own(u32);\n\npub(crate) struct Crate(u32);\n",
    );
    repo.write("src/private/deep.rs", "pub struct Deep(u32);\n");
    repo.commit("after");
    assert_eq!(
        sorted(&repo),
        [
            "internal added Crate",
            "internal added Lost",
            "internal added Own",
            "public added Deep",
            "public added Open",
            "public added Thing",
        ]
    );
}

#[test]
fn a_go_package_below_internal_is_internal() {
    let repo = Repo::new();
    repo.write("web/web.go", "package web\n");
    repo.commit("before");
    let get = "\n\nfunc Get() int {\n\treturn 1\n}\n";
    repo.write("web/web.go", format!("package web{get}"));
    repo.write("internal/wire/wire.go", format!("package wire{}", get.replace("Get", "Send")));
    repo.commit("after");
    assert_eq!(sorted(&repo), ["internal added Send", "public added Get"]);
}

#[test]
fn a_namespace_does_not_hide_its_classes() {
    let repo = Repo::new();
    let class = "public class A { public int F() { return 1; } int G() { return 1; } }\n";
    repo.write("A.cs", "");
    repo.commit("first");
    repo.write("A.cs", format!("namespace My.App {{\n{class}}}\n"));
    repo.commit("second");
    let public = repo.cora(&["changelog", "--public", "HEAD~..HEAD"]);
    assert!(public.out.contains("My.App"), "{}", public.out);
    assert!(!public.out.contains("internal"), "{}", public.out);
    // The same scope without braces.
    repo.write("A.cs", format!("namespace My.App;\n\n{class}"));
    repo.commit("third");
    let found = repo.try_cora(&["changelog", "--json", "HEAD~..HEAD"]).exits(1).json();
    assert_eq!(found["entries"].as_array().unwrap().len(), 0, "{found:#}");
}

#[test]
fn the_exit_status_is_about_what_is_listed() {
    let repo = Repo::new();
    let inner = "def _inner():\n    return 1\n";
    repo.write("a.py", inner);
    repo.commit("first");
    repo.write("a.py", format!("{inner}\n\ndef _other(x):\n    return [x]\n"));
    repo.commit("second");
    repo.try_cora(&["changelog", "HEAD~..HEAD"]).exits(0).prints("_other");
    let public = repo.try_cora(&["changelog", "--public", "HEAD~..HEAD"]).exits(1);
    assert!(!public.out.contains("_other"), "{}", public.out);
}

#[test]
fn a_file_that_moved_counts_once() {
    let repo = Repo::new();
    repo.write("net.py", "def send(upload, tries):\n    return upload.write(tries)\n");
    repo.commit("first");
    repo.git(&["mv", "net.py", "wire.py"]);
    repo.write("app.py", "def main():\n    return 1\n");
    repo.commit("second");
    repo.cora(&["changelog", "HEAD~..HEAD"]).prints("HEAD~..HEAD: 2 changes in 2 changed files\n");
    let diff = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    assert_eq!(diff["files"], 2);
}

#[test]
fn layout_comments_and_values_are_no_other_signature() {
    let java = |head: &str, value: &str| {
        format!(
            "package a;\npublic class Reader {{\n  static final int LIMIT ={value};\n\n  @Deprecated\n{head}\n    \
             this.lenient = lenient;\n  }}\n}}\n"
        )
    };
    let repo = Repo::new();
    repo.write("Reader.java", java("  public static final void setLenient(boolean lenient) {", " 5"));
    repo.write("node.cc", "struct Node { Node(int a); int a_; };\nNode::Node(int a) : a_(a) { run(a); }\n");
    repo.commit("before");
    repo.write(
        "Reader.java",
        java(
            "  // setLenient is for old callers.\n  static public final void setLenient(boolean lenient) {",
            "\n      6",
        ),
    );
    repo.write("node.cc", "struct Node { Node(int a); int a_ = 1; };\nNode::Node(int a) { run(a); }\n");
    repo.commit("after");
    let found = repo.cora(&["diff", "--json", "HEAD~", "HEAD"]).json().to_string();
    assert!(!found.contains("\"signature\"]") && !found.contains("\"signature\",\"b"), "{found}");
    repo.cora(&["impact", "--fail-on", "broken", "HEAD~..HEAD"]);
}

#[test]
fn another_kind_is_a_change_and_not_a_removal() {
    let repo = Repo::new();
    repo.write("a.rs", "pub static LIMIT: u32 = 1;\npub struct Foo {\n    a: u32,\n}\n");
    repo.write("a.hpp", "struct S { int a; };\n#define MAX 3\n#define SQUARE(x) ((x) * (x))\n");
    repo.write("a.py", "LIMIT = 3\n\ndef make(a):\n    return [a]\n");
    repo.write("a.go", "package a\n\ntype Opts struct {\n\tA int\n}\n\nvar Max = 1\n");
    repo.write("A.java", "public class A {\n  int a;\n}\n");
    repo.commit("first");
    repo.write("a.rs", "pub const LIMIT: u32 = 1;\npub enum Foo {\n    A,\n}\n");
    repo.write(
        "a.hpp",
        "class S { int a; };\nconstexpr int MAX = 3;\nconstexpr int SQUARE(int x) { return x * x; }\n",
    );
    repo.write("a.py", "def LIMIT():\n    return 3\n\nmake = lambda a: [a]\n");
    repo.write(
        "a.go",
        "package a\n\ntype Options struct {\n\tB int\n}\n\ntype Opts = Options\n\nconst Max = 1\n",
    );
    repo.write("A.java", "public record A(int a) {\n}\n");
    repo.commit("second");
    let answer = repo.cora(&["changelog", "--json", "HEAD~", "HEAD"]).json();
    let of = |change: &str| -> Vec<String> {
        let all = answer["entries"].as_array().unwrap().iter().filter(|one| one["change"] == change);
        all.map(|one| one["symbol"].as_str().unwrap().to_owned()).collect()
    };
    let mut changed = of("signature");
    changed.sort();
    let expected = ["A", "Foo", "LIMIT", "LIMIT", "MAX", "Max", "Opts", "S", "SQUARE", "make"];
    assert_eq!(changed, expected, "{answer:#}");
    assert!(of("removed").iter().all(|one| one.contains(['.', ':'])), "{answer:#}");
}

#[test]
fn deleted_functions_do_not_move_between_classes() {
    let repo = Repo::new();
    let class = |name: &str, members: &str| {
        format!(
            "class {name} {{\n public:\n  {name}({name} const&) = delete;\n  {name}& operator=({name} const&) = delete;\n  {members}\n}};\n"
        )
    };
    repo.write("a.hpp", class("Old", "int x;\n  int y;"));
    repo.commit("first");
    repo.write("a.hpp", class("Fresh", "bool p;\n  long q;"));
    repo.commit("second");
    let text = repo.cora(&["changelog", "HEAD~", "HEAD"]).out;
    assert!(!text.contains("  moved") && text.contains("class Old, with 2 members"), "{text}");
}

#[test]
fn tests_and_variables_of_templates_are_no_api() {
    let repo = Repo::new();
    repo.write("a.go", "package a\n\nfunc Run() {}\n");
    repo.commit("first");
    repo.write("a_1.17_test.go", "package a\n\nfunc TestRun(t *testing.T) {}\n");
    repo.write("page.html", "<p>{% set title = \"a\" %}{{ title }}</p>\n");
    repo.commit("second");
    let answer = repo.try_cora(&["changelog", "--json", "HEAD~", "HEAD"]).exits(1).json();
    assert_eq!((&answer["entries"], &answer["tests"]), (&serde_json::json!([]), &1.into()), "{answer:#}");
}

#[test]
fn a_member_below_another_section_has_another_visibility() {
    let repo = Repo::new();
    let ruby = "class A\n  def f(a)\n    a\n  end\n\n  def g\n    1\n  end\nend\n";
    let cpp = "class Box {\n public:\n  int open() { return 1; }\n  int close() { return 2; }\n  int width = 0;\n};\n";
    repo.write("a.rb", ruby);
    repo.write("lib.hpp", cpp);
    repo.write("Box.java", "public class Box {\n  public int w;\n  public int h;\n}\n");
    repo.commit("first");
    repo.write("a.rb", ruby.replace("  def g", "  private\n\n  def g"));
    repo.write("lib.hpp", cpp.replace("  int close", " private:\n  int close"));
    repo.write("Box.java", "public class Box {\n  private int w;\n  public int h;\n}\n");
    repo.commit("second");
    let answer = repo.cora(&["changelog", "--json", "HEAD~", "HEAD"]).json();
    let all = answer["entries"].as_array().unwrap().iter().filter(|one| one["change"] == "hidden");
    let mut hidden: Vec<&str> = all.map(|one| one["symbol"].as_str().unwrap()).collect();
    hidden.sort_unstable();
    assert_eq!(hidden, ["A::g", "Box.w", "Box::close", "Box::width"], "{answer:#}");
}

#[test]
fn an_extern_variable_is_not_beside_its_definition() {
    let repo = Repo::new();
    repo.write("lib.h", "extern int counter;\n");
    repo.write("lib.c", "#include \"lib.h\"\nint counter = 0;\n");
    repo.commit("first");
    repo.write("lib.h", "extern long counter;\n");
    repo.write("lib.c", "#include \"lib.h\"\nlong counter = 0;\n");
    repo.commit("second");
    let answer = repo.cora(&["changelog", "--json", "HEAD~", "HEAD"]).json();
    let paths: Vec<&Value> = answer["entries"].as_array().unwrap().iter().map(|one| &one["path"]).collect();
    assert_eq!(paths, ["lib.c"], "{answer:#}");
}
