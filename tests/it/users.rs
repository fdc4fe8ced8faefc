//! Questions for what refers to a symbol, and for what it refers to.

use serde_json::json;

use crate::harness::Repo;
use crate::mcp::Client;

#[test]
fn who_asks_what_calls_a_function_gets_what_calls_it() {
    let repo = Repo::new();
    repo.write(
        "boxes.py",
        "def open_box(name):\n    \"\"\"Opens a box; what calls open_box closes it.\"\"\"\n    return name\n",
    );
    repo.write(
        "shop.py",
        "from boxes import open_box\n\ndef sell(goods):\n    for one in goods:\n        open_box(one)\n",
    );
    repo.write(
        "tests/test_boxes.py",
        "from boxes import open_box\n\ndef test_open():\n    assert open_box('a') == 'a'\n",
    );
    repo.write("other.py", "def call_box(box):\n    return box.calls\n");
    repo.commit("boxes");
    for text in ["what calls open_box", "where is open_box used?", "callers of `open_box`"] {
        let found = repo.found(&[text]);
        assert_eq!(found[0], "shop.py", "{text}");
        assert!(found.contains(&"tests/test_boxes.py".to_owned()), "{text}: {found:?}");
    }
    repo.cora(&["query", "--explain", "what calls open_box"]).prints(
        "it refers to the symbol in \
    question",
    );
    assert_eq!(repo.found(&["what is open_box"])[0], "boxes.py");
}

#[test]
fn who_calls_something_is_called_by_the_name_of_what_calls_it() {
    let repo = Repo::new();
    repo.write("drop.py", "def drop_rights(uid):\n    return uid\n");
    let body = "    drop_rights(uid)\n    log = []\n\n    def after_change():\n        log.append('change')\n\n    return after_change\n";
    repo.write("run.py", format!("from drop import drop_rights\n\nX = 1\n\n\ndef detached(uid):\n{body}\n\ndef other(uid):\n    return uid\n"));
    repo.commit("rights");
    for text in ["who calls drop_rights", "where is drop_rights used"] {
        let first = &repo.results(&[text])[0];
        assert_eq!(
            (&first["path"], &first["symbol"]),
            (&"run.py".into(), &"detached".into()),
            "{text}: {first}"
        );
    }
}

#[test]
fn what_is_passed_on_or_read_refers_to_it() {
    let repo = Repo::new();
    repo.write(
        "auth.py",
        "LIMIT = 3\n\ndef login_required(view):\n    return view\n\n\ndef on_start(app):\n    # Not on_start.\n    return LIMIT\n",
    );
    repo.write(
        "app.py",
        "from auth import LIMIT, login_required, on_start\n\n@login_required\ndef index(request):\n    return request[:LIMIT]\n\n\n\
         def main(app):\n    app.add(on_start)\n",
    );
    repo.write("other.py", "import auth\n\ndef other(on_start, app):\n    return on_start, app.on_start\n");
    repo.commit("auth");
    let callers = |symbol: &str| repo.cora(&["refs", symbol, "--callers"]).out;
    assert_eq!(
        callers("login_required"),
        "auth.py:3: function login_required\n  called or referred to by\n    app.py:3: in function index  (call, found by import)\n"
    );
    assert_eq!(
        callers("on_start"),
        "auth.py:7: function on_start\n  called or referred to by\n    app.py:9: in function main  (use, found by import)\n  \
         1 file contains the name, but the reference could not be resolved:\n    other.py:3: in function other\n    \
         other.py:4: in function other\n"
    );
    assert_eq!(
        callers("LIMIT"),
        "auth.py:1: constant LIMIT\n  called or referred to by\n    app.py:5: in function index  (use, found by import)\n    \
         auth.py:9: in function on_start  (use, found in the same file)\n"
    );
    assert_eq!(repo.found(&["callers of on_start"])[0], "app.py");
    // Every answer that lists callers says where the name stands without a resolved reference.
    let unresolved = "1 file contains the name, but the reference could not be resolved";
    repo.cora(&["query", "callers of on_start"]).says(&format!("{unresolved}: other.py"));
    let json = repo.cora(&["query", "--json", "callers of on_start"]).json();
    assert!(json["stale"].to_string().contains(unresolved), "{json}");
    repo.cora(&["related", "auth.py:7"])
        .prints(&format!("{unresolved}:\n    other.py:3: in function other\n"));
    let json = repo.cora(&["related", "auth.py:7", "--json"]).json();
    assert_eq!(json["mentioned"]["files"][0], "other.py");
    let line = serde_json::json!({"path": "other.py", "line": 3, "symbol": "other", "kind": "function"});
    assert_eq!(json["mentioned"]["lines"][0], line);
    let paths = repo.cora(&["query", "--format", "paths", "callers of on_start"]);
    assert_eq!(paths.out, "app.py:8: main\n");
    paths.says("that do not refer to the name");
}

#[test]
fn names_are_found_behind_the_name_of_their_package() {
    let repo = Repo::new();
    repo.write("go.mod", "module github.com/a/shop/v2\n\ngo 1.22\n");
    repo.write("ctx.go", "package shop\n\n// Context is a request.\ntype Context struct {\n\tn int\n}\n");
    repo.write("run.go", "package shop\n\nfunc run(c *Context) int {\n\treturn c.n\n}\n");
    repo.write("json/ctx.go", "package json\n\n// Context is a place.\ntype Context struct {\n\tm int\n}\n");
    repo.commit("shop");
    let expected = "ctx.go:4: struct Context\n  called or referred to by\n    run.go:3: in function run";
    repo.cora(&["refs", "shop.Context", "--callers"]).prints(expected);
    repo.cora(&["explain", "shop.Context"]).prints("run.go");
    assert_eq!(repo.found(&["what uses shop.Context"])[0], "run.go");
    assert_eq!(repo.try_cora(&["refs", "shop.Nothing"]).code, 1);
}

#[test]
fn a_file_is_not_said_to_mention_what_it_declares() {
    let repo = Repo::new();
    let body: String =
        (0..40).map(|n| format!("    total += wood.side * {n} + wood.height({n});\n")).collect();
    repo.write(
        "boxes.rs",
        format!(
            "//! Boxes: owns [`open_box`], which opens them.\n\nuse std::fs;\n\n/// A box.\npub struct Wood {{\n    \
             pub side: u32,\n}}\n\n/// Opens a box.\npub fn open_box(wood: &Wood) -> u32 {{\n    let mut total = 0;\n\
             {body}    total\n}}\n"
        ),
    );
    repo.write("notes.txt", "Call open_box once.\n");
    repo.commit("boxes");
    assert_eq!(
        repo.cora(&["refs", "open_box", "--callers"]).out,
        "boxes.rs:11: function open_box\n  none found\n  \
         1 file contains the name, but the reference could not be resolved:\n    notes.txt:1\n"
    );
}

#[test]
fn a_name_that_is_nowhere_is_told() {
    let repo = Repo::sample();
    // Only the parts of the name occur, in other names.
    for question in ["what calls open_refresh", "openRefresh", "where is openRefresh"] {
        let run = repo.cora(&["query", question]).prints("lib/auth.py").prints("not in the index: ");
        let name = question.rsplit(' ').next().unwrap();
        assert!(run.out.contains(&format!("'{name}'")), "{}", run.out);
    }
    let run = repo.cora(&["query", "what calls refresh_token"]);
    assert!(!run.out.contains("'refresh_token'"), "{}", run.out);
}

/// The callers that a question finds: `path symbol`, sorted.
fn callers_by_question(repo: &Repo, question: &str) -> Vec<String> {
    let mut found = Vec::new();
    for one in repo.results(&[question]).iter().filter(|one| !one["relation"].is_null()) {
        let path = one["path"].as_str().unwrap();
        found.push(format!("{path} {}", one["symbol"].as_str().unwrap_or_default()));
        let also = one["also"].as_array().into_iter().flatten();
        found.extend(also.map(|other| format!("{path} {}", other["symbol"].as_str().unwrap())));
    }
    found.sort();
    found
}

/// The callers that `refs` lists, in the same form.
fn callers_by_refs(repo: &Repo, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for symbol in repo.cora(&["refs", name, "--callers", "--json"]).json()["symbols"].as_array().unwrap() {
        for one in symbol["callers"]["items"].as_array().unwrap() {
            found.push(format!("{} {}", one["path"].as_str().unwrap(), one["symbol"].as_str().unwrap()));
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn callers_in_the_chunk_of_the_declaration_are_found() {
    let repo = Repo::new();
    repo.write(
        "small.py",
        "def half(n):\n    return n // 2\n\n\ndef quarter(n):\n    return half(half(n))\n\n\n\
         def eighth(n):\n    return half(quarter(n))\n\n\ndef other(n):\n    return n\n",
    );
    repo.write("start.py", "from small import half\n\nprint(half(10))\n");
    repo.commit("small functions");
    for name in ["half", "quarter"] {
        let listed = callers_by_refs(&repo, name);
        assert!(listed.contains(&"small.py eighth".to_owned()), "{listed:?}");
        assert_eq!(callers_by_question(&repo, &format!("what calls {name}")), listed);
        assert_eq!(callers_by_question(&repo, &format!("{name} callers")), listed);
    }
    // The last reference stands outside of any declaration.
    assert_eq!(
        callers_by_question(&repo, "who uses half"),
        ["small.py eighth", "small.py quarter", "start.py "]
    );
}

#[test]
fn what_calls_a_type_constructs_or_names_it() {
    let repo = Repo::new();
    repo.write(
        "box/box.go",
        "package box\n\ntype Box struct{ n int }\n\nfunc (b *Box) Open() int { return b.n }\n",
    );
    repo.write(
        "shop/shop.go",
        "package shop\n\nimport \"example.com/shop/box\"\n\nfunc Pack() *box.Box {\n\treturn &box.Box{}\n}\n\n\
         func Count(all []box.Box) int {\n\treturn len(all)\n}\n",
    );
    repo.write("go.mod", "module example.com/shop\n");
    repo.commit("boxes");
    let listed = callers_by_refs(&repo, "Box");
    assert!(listed.contains(&"shop/shop.go Count".to_owned()), "{listed:?}");
    for question in ["what calls Box", "who uses Box", "what depends on Box", "is Box still used?"] {
        assert_eq!(callers_by_question(&repo, question), listed, "{question}");
    }
}

#[test]
fn names_that_are_common_words_are_looked_up_if_they_are_declared() {
    let repo = Repo::new();
    repo.write(
        "tree.go",
        "package tree\n\ntype Tree struct{}\n\nfunc (t *Tree) Find(name string) int { return len(name) }\n\n\
         type List struct{}\n\nfunc (l *List) Find(name string) int { return 0 }\n",
    );
    repo.write("use.go", "package tree\n\nfunc Run(t *Tree) int {\n\treturn t.Find(\"a\")\n}\n");
    repo.write("notes.md", "# Memory\n\nThe cache uses the most memory. It calls home.\n");
    repo.commit("tree");
    let found = |question: &str| repo.cora(&["query", question, "--json"]).json();
    for question in [
        "what calls Find",
        "callers of Find",
        "Find callers",
        "where is Find called from",
        "is Find still used",
    ] {
        let report = found(question);
        assert_eq!(report["results"][0]["symbol"], "Run", "{question}: {report}");
        assert_eq!(report["results"][0]["relation"], "refers to Find", "{question}");
        let note = report["stale"][0].as_str().unwrap_or_default();
        assert!(
            note.starts_with("2 declarations have the name 'Find': method Tree.Find (tree.go:5)"),
            "{note}"
        );
    }
    let one = found("what calls Tree.Find");
    assert_eq!((&one["results"][0]["symbol"], one["stale"].as_array().unwrap().len()), (&"Run".into(), 0));
    let none = found("callers of Find in List");
    let note = none["stale"][0].as_str().unwrap_or_default();
    assert!(note.starts_with("no reference to method List.Find (tree.go:9) was found"), "{note}");
    // Nothing here has the words of the question as its name, or not in this case.
    for prose in
        ["what uses the most memory", "what calls home", "what calls find", "get callers", "what uses it"]
    {
        let report = found(prose);
        assert!(report["stale"].as_array().unwrap().is_empty(), "{prose}: {report}");
        let results = report["results"].as_array().unwrap();
        assert!(results.iter().all(|one| one["relation"].is_null()), "{prose}: {report}");
    }
}

#[test]
fn relations_are_of_the_declarations_with_the_most_references() {
    let repo = Repo::new();
    for name in ["a", "b", "c", "d", "e"] {
        repo.write(&format!("lib/{name}.py"), "def parse_it(text):\n    return text\n");
    }
    for (at, name) in ["d", "e", "d", "c", "e", "d"].into_iter().enumerate() {
        repo.write(
            &format!("use/u{at}.py"),
            format!("from lib.{name} import parse_it\n\n\ndef use_{at}(text):\n    return parse_it(text)\n"),
        );
    }
    repo.write("lib/__init__.py", "");
    repo.write(
        "Point.cs",
        "class Point\n{\n    public int Side { get; set; }\n\n    public int Area()\n    {\n        return Side;\n    }\n}\n",
    );
    repo.commit("parsers");
    let mut client = Client::start(&repo);
    let reply =
        client.ok("refs", json!({"name": "parse_it", "relations": ["callers"], "detail": "locations"}));
    let heads: Vec<&str> = reply.lines().filter(|line| line.contains("of parse_it (")).collect();
    assert_eq!(
        heads,
        [
            "3 callers of parse_it (lib/d.py:1):",
            "2 callers of parse_it (lib/e.py:1):",
            "1 caller of parse_it (lib/c.py:1):"
        ],
        "{reply}"
    );
    assert!(reply.contains("2 more declarations have this name; to choose one, write TYPE.NAME"), "{reply}");
    let one = client.ok("refs", json!({"name": "lib/e.py:parse_it", "relations": ["callers"]}));
    assert!(one.starts_with("2 callers of parse_it (lib/e.py:1):\n"), "{one}");
    // The command line lists them in the same order.
    let out = repo.cora(&["refs", "parse_it", "--callers"]).out;
    let heads: Vec<&str> = out.lines().filter(|line| line.ends_with("function parse_it")).collect();
    assert!(heads[0].starts_with("lib/d.py") && heads[1].starts_with("lib/e.py"), "{out}");
    // A field is not taken for the type around it.
    let field = client.ok("refs", json!({"name": "Point.Side", "relations": ["callers"]}));
    assert!(field.starts_with("1 caller of Point.Side (Point.cs:3):\n"), "{field}");
}

#[test]
fn what_a_function_calls_is_found_under_its_own_name() {
    let repo = Repo::new();
    repo.write(
        "tools.py",
        "def trim(text):\n    return text.strip()\n\n\ndef unused(text):\n    return text\n",
    );
    repo.write("store.py", "LIMIT = 10\n\n\nclass Store:\n    def put(self, text):\n        return text\n");
    repo.write(
        "save.py",
        "from store import LIMIT, Store\nfrom tools import trim\n\n\ndef save(text):\n    store = Store()\n    return store.put(trim(text)[:LIMIT])\n\n\ndef run(text):\n    return save(text)\n",
    );
    repo.commit("save");
    for text in ["what does save call", "which functions are called by save?", "callees of save"] {
        let results = repo.results(&[text]);
        let related: Vec<(&str, &str)> = results
            .iter()
            .filter(|one| one["relation"] == "referred to by save")
            .filter_map(|one| Some((one["path"].as_str()?, one["symbol"].as_str()?)))
            .collect();
        assert!(related.contains(&("tools.py", "trim")), "{text}: {related:?}");
        assert!(related.iter().any(|one| one.0 == "store.py"), "{text}: {related:?}");
        assert!(!related.iter().any(|one| one.1 == "run"), "it calls save: {related:?}");
        assert!(results[0]["relation"].is_string(), "{text}: they come first");
    }
    repo.cora(&["query", "what does save call"])
        .prints("-- similar results that do not refer to it --")
        .prints("referred to by save");
    repo.cora(&["query", "--explain", "what does save call"]).prints("the symbol in question refers to it");
    repo.cora(&["query", "what does unused call"])
        .says("no reference from function unused (tools.py:5) was found");
    for text in ["callees of save", "what breaks if I change trim", "what calls unused"] {
        assert!(!repo.cora(&["query", text]).err.contains("not in the index"), "{text}");
    }
}

#[test]
fn a_list_of_exports_comes_after_all_calls() {
    let repo = Repo::new();
    repo.write(
        "net/__init__.py",
        "from .base import Base\nfrom .plain import Plain\n\n__all__ = [\"Base\", \"Plain\"]\n",
    );
    repo.write("net/base.py", "class Base:\n    def send(self):\n        return 1\n");
    repo.write("net/plain.py", "from .base import Base\n\n\nclass Plain(Base):\n    pass\n");
    repo.write("use.py", "from net import Base\n\n\ndef start(config):\n    return Base()\n");
    repo.write("stop.py", "from net import Base\n\n\ndef stop(config):\n    return Base().send()\n");
    repo.write(
        "tests/test_net.py",
        "from net import Base\n\n\ndef test_send():\n    assert Base().send() == 1\n",
    );
    repo.commit("net");
    for text in ["what calls Base", "where is Base used"] {
        let results = repo.results(&[text]);
        let at = |symbol: &str| results.iter().position(|one| one["symbol"] == symbol).unwrap();
        let calls = at("start").max(at("stop")).max(at("test_send"));
        assert!(calls < at("__all__"), "{text}: {results:?}");
    }
    for text in ["which classes inherit from Base", "what is derived from Base", "subclasses of Base"] {
        let first = &repo.results(&[text])[0];
        let found = (first["symbol"].as_str(), first["relation"].as_str());
        assert_eq!(found, (Some("Plain"), Some("inherits from Base")), "{text}: {first}");
    }
}

/// A name that the file takes from a library is not a reference that could not be resolved.
#[test]
fn names_from_outside_are_not_listed_as_unresolved() {
    let repo = Repo::new();
    for (path, text) in [
        ("go.mod", "module example.com/shop\n"),
        ("lock/lock.go", "package lock\n\ntype Mutex struct{ n int }\n"),
        ("a/a.go", "package a\n\nimport \"sync\"\n\ntype A struct {\n\tmu sync.Mutex\n}\n"),
        ("b/b.go", "package b\n\nimport \"example.com/shop/gone\"\n\nvar mu gone.Mutex\n"),
        ("src/shop/Basket.java", "package shop;\n\npublic class Basket { int n; }\n"),
        (
            "src/other/Use.java",
            "package other;\n\nimport org.fruit.Basket;\n\nclass Use {\n    Basket basket = new Basket();\n}\n",
        ),
        ("src/other/Far.java", "package other;\n\nclass Far {\n    Basket basket;\n}\n"),
        ("shop/timers.py", "class Timer:\n    def stop(self): pass\n"),
        ("use.py", "import threading\n\n\ndef run():\n    return threading.Timer(1, None)\n"),
        ("far.py", "def run(x):\n    return x.Timer\n"),
        ("web/map.ts", "export class OrderedMap { size = 0 }\n"),
        ("web/use.ts", "import { OrderedMap } from \"immutable\";\n\nexport const one: OrderedMap = null;\n"),
        ("web/far.ts", "export const go = (x: any) => x.OrderedMap;\n"),
        ("src/cell.rs", "pub struct OnceLock;\n"),
        ("src/use.rs", "use std::sync::OnceLock;\n\npub static A: OnceLock<u8> = OnceLock::new();\n"),
        ("src/far.rs", "pub fn far(a: &other::OnceLock) {}\n"),
        ("src/list.h", "namespace shop { class forward_list { int n; }; }\n"),
        ("src/use.cc", "#include <list>\n\nstd::forward_list<int> all;\n"),
        ("src/far.cc", "gone::forward_list<int> all;\n"),
    ] {
        repo.write(path, text);
    }
    repo.commit("all");
    for (name, path) in [
        ("lock/lock.go:Mutex", "b/b.go"),
        ("src/shop/Basket.java:Basket", "src/other/Far.java"),
        ("shop/timers.py:Timer", "far.py"),
        ("web/map.ts:OrderedMap", "web/far.ts"),
        ("src/cell.rs:OnceLock", "src/far.rs"),
        ("src/list.h:forward_list", "src/far.cc"),
    ] {
        let found = repo.cora(&["refs", name, "--callers", "--json"]).json();
        let one = &found["symbols"][0];
        let callers = one["callers"]["items"].as_array().unwrap().iter().map(|caller| &caller["path"]);
        let shown: Vec<_> = callers.chain(one["mentioned"]["files"].as_array().unwrap()).collect();
        assert_eq!(shown, [path], "{name}: {found}");
    }
}
