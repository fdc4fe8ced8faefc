//! What a change affects beyond its lines: `git cora impact`.

use serde_json::Value;

use crate::harness::Repo;

pub(crate) const NET: &str = "\
def send(upload, tries):
    for attempt in range(tries):
        if write(upload, attempt):
            return attempt
    raise TimeoutError(upload)


def close(link):
    link.flush()
    link.release()
    return link.state


def size(upload):
    return len(upload.body)
";

const APP: &str = "\
from net import send, close, size


def deliver(upload):
    return send(upload, 3)


def finish(link):
    return close(link)


def main(upload):
    return deliver(upload) + size(upload)
";

const TEST: &str = "\
from app import main


def test_main():
    assert main(None) == 1
";

pub(crate) fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("net.py", NET);
    repo.write("app.py", APP);
    repo.write("tests/test_app.py", TEST);
    repo.write("README.md", "# Net\n\nWe send with `send`.\n\nWe close doors.\n");
    repo.write("wire.py", "def wire():\n    return 1\n");
    repo.commit("first");
    repo
}

fn named<'v>(answer: &'v Value, list: &str, name: &str) -> &'v Value {
    let all = answer[list].as_array().unwrap();
    all.iter().find(|one| one["symbol"] == name).unwrap_or_else(|| panic!("no {name} in {answer:#}"))
}

pub(crate) fn symbols(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one["symbol"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn callers_outside_of_the_change_are_listed() {
    let repo = repo();
    let changed = NET
        .replace("def send(upload, tries)", "def send(upload, tries, delay)")
        .replace("len(upload.body)", "len(upload.body) + 1")
        .replace("def close(link):\n    link.flush()\n    link.release()\n    return link.state\n\n\n", "");
    repo.write("net.py", &changed);
    // The working tree first, then the commit: the answers are the same.
    let edits = repo.cora(&["impact", "--json"]).json();
    repo.commit("change");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    for list in ["declarations", "farther", "tests", "mentions"] {
        assert_eq!(edits[list], answer[list], "{list}");
    }
    let send = named(&answer, "declarations", "send");
    assert_eq!((&send["risk"], &send["changes"][0]), (&"breaking".into(), &"signature".into()));
    assert_eq!(symbols(&send["callers"]), ["deliver"]);
    assert_eq!(send["callers"][0]["at"], 5);
    assert_eq!(send["callers"][0]["certain"], true);
    let close = named(&answer, "declarations", "close");
    assert_eq!((&close["change"], &close["risk"]), (&"removed".into(), &"breaking".into()));
    assert_eq!(symbols(&close["callers"]), ["finish"]);
    let size = named(&answer, "declarations", "size");
    assert_eq!((&size["risk"], symbols(&size["callers"])), (&"behaviour".into(), vec!["main".to_owned()]));
    assert_eq!(symbols(&answer["tests"]), ["test_main"]);
    assert_eq!(answer["tests"][0]["distance"], 2);
    // `close` is a plain word, and the document does not write it as code.
    assert_eq!(answer["mentions"].as_array().unwrap().len(), 1, "{answer:#}");
    assert_eq!((&answer["mentions"][0]["name"], &answer["mentions"][0]["line"]), (&"send".into(), &3.into()));

    let run = repo.cora(&["impact", "HEAD~..HEAD"]);
    assert!(run.out.starts_with("HEAD~..HEAD: 3 declarations changed in 1 file: 2 may break callers"));
    assert!(run.out.contains("    + def send(upload, tries, delay)"), "{}", run.out);
    repo.cora(&["impact", "HEAD~..HEAD", "--format", "markdown"]).prints("#### Run these tests");
    repo.cora(&["impact", "HEAD~..", "--", "net.py"]).prints("net.py:1");
}

#[test]
fn a_caller_that_changed_too_is_in_the_change() {
    let repo = repo();
    repo.write("net.py", NET.replace("def send(upload, tries)", "def send(upload, tries, delay)"));
    repo.write("app.py", format!("import os\n{}", APP.replace("send(upload, 3)", "send(upload, 3, 1)")));
    repo.commit("change");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let send = named(&answer, "declarations", "send");
    assert_eq!((symbols(&send["callers"]), &send["callers_in_change"]), (vec![], &1.into()));
    // What stayed in a file that changed has its present line.
    let deliver = named(&answer, "declarations", "deliver");
    assert_eq!(
        (&deliver["risk"], symbols(&deliver["callers"])),
        (&"behaviour".into(), vec!["main".to_owned()])
    );
    assert_eq!(deliver["callers"][0]["at"], 14);
    repo.cora(&["impact", "--fail-on", "broken", "HEAD~..HEAD"]);
    // So nothing is known to break, and the first line says so.
    assert_eq!((&answer["breaking"], &answer["broken_callers_with_guesses"]), (&0.into(), &0.into()));
    let run = repo.cora(&["impact", "HEAD~..HEAD"]).prints("1 caller is in the change itself");
    assert!(run.out.contains(": 0 may break callers, 1 may behave differently"), "{}", run.out);
    assert!(run.out.contains("\nremoved or changed, but no known caller breaks\n"), "{}", run.out);
    assert!(!run.out.contains("\nmay break callers\n"), "{}", run.out);
}

#[test]
fn the_exit_status_is_for_scripts() {
    let repo = repo();
    let last = "hint: run 'git cora impact HEAD~..HEAD'";
    let clean = repo.try_cora(&["impact"]).exits(1).says("no uncommitted change\nhint: run 'git cora list");
    assert!(!clean.err.contains(last), "there is one commit: {}", clean.err);
    repo.cora(&["impact", "--fail-on", "broken"]);
    repo.write("net.py", NET.replace("tries)", "tries, delay)"));
    repo.try_cora(&["impact", "--fail-on", "broken"]).exits(1).prints("app.py:5: in function deliver");
    repo.write("net.py", NET.replace("+ 1", "+ 2").replace("len(upload.body)", "len(upload.body) + 3"));
    repo.cora(&["impact", "--fail-on", "guess"]);
    repo.try_cora(&["impact", "nothing_like_it"]).exits(1).says("no declaration named 'nothing_like_it'");
    repo.try_cora(&["impact", "HEAD"]).exits(1).says("hint: run 'git cora list --rev HEAD'");
    repo.try_cora(&["impact", "HEAD..nowhere"]).exits(2).says("nowhere");
    repo.try_cora(&["impact", "--rev", "HEAD"]).exits(2).says("--rev");
    repo.try_cora(&["impact", "--tokens", "1"]).exits(2).says("too small");
    Repo::new().try_cora(&["impact"]).exits(2).says("no commit");
}

#[test]
fn one_declaration_has_callers_tests_and_documents() {
    let repo = repo();
    let answer = repo.cora(&["impact", "--json", "send"]).json();
    assert_eq!(symbols(&answer["declarations"]), ["send"]);
    assert_eq!(symbols(&answer["declarations"][0]["callers"]), ["deliver"]);
    assert_eq!(symbols(&answer["farther"]), ["main"]);
    assert_eq!(symbols(&answer["tests"]), ["test_main"]);
    assert_eq!(answer["tests"][0]["distance"], 3);
    let near = repo.cora(&["impact", "--json", "--depth", "1", "net.py:1"]).json();
    assert_eq!(near["farther"].as_array().unwrap().len() + near["tests"].as_array().unwrap().len(), 0);
}

#[test]
fn a_move_breaks_only_those_that_do_not_follow() {
    let repo = Repo::new();
    let body = NET.split("\n\n\n").next().unwrap();
    repo.write("lib/__init__.py", "from .net import send\n");
    repo.write("lib/net.py", format!("{body}\n"));
    repo.write("near.py", "from lib.net import send\n\n\ndef near(u):\n    return send(u, 1)\n");
    repo.commit("first");
    repo.git(&["mv", "lib/net.py", "lib/wire.py"]);
    repo.write("lib/__init__.py", "from .wire import send\n");
    repo.commit("moved");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let send = named(&answer, "declarations", "send");
    assert_eq!((&send["change"], &send["risk"]), (&"moved".into(), &"breaking".into()));
    let near = send["callers"].as_array().unwrap().iter().find(|one| one["symbol"] == "near").unwrap();
    assert!(near["now"].is_null(), "{near:#}");
    repo.try_cora(&["impact", "--fail-on", "broken", "HEAD~..HEAD"]).exits(1);
    // In Go, names do not depend on the file of a package that declares them.
    let repo = Repo::new();
    let go = "package net\n\nfunc Send(n int) int {\n\tfor i := 0; i < n; i++ {\n\t\tif write(i) { return i }\n\t}\n\treturn -1\n}\n";
    repo.write("net/a.go", go);
    repo.write("net/use.go", "package net\n\nfunc Use() int {\n\treturn Send(3)\n}\n");
    repo.commit("first");
    repo.git(&["mv", "net/a.go", "net/b.go"]);
    repo.commit("moved");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let send = named(&answer, "declarations", "Send");
    assert_eq!(send["callers"][0]["now"]["path"], "net/b.go", "{send:#}");
    repo.cora(&["impact", "--fail-on", "broken", "HEAD~..HEAD"]);
}

#[test]
fn what_usually_changes_together_is_counted() {
    let repo = repo();
    for n in 0..4 {
        repo.write("net.py", NET.replace("tries)", &format!("tries, n={n})")));
        repo.write("wire.py", format!("def wire():\n    return {n}\n"));
        repo.commit(&format!("both {n}"));
    }
    repo.write("net.py", NET.replace("tries)", "tries, delay)"));
    let answer = repo.cora(&["impact", "--json"]).json();
    let one = &answer["companions"][0];
    assert_eq!((&one["path"], &one["with"]), (&"wire.py".into(), &"net.py".into()));
    assert_eq!((&one["together"], &one["of"], &answer["commits_counted"]), (&4.into(), &4.into(), &4.into()));
    repo.cora(&["impact"]).prints("wire.py: in 4 of the 4 commits that changed net.py");
}

#[test]
fn a_branch_is_compared_with_where_it_left() {
    let repo = repo();
    repo.git(&["checkout", "-q", "-b", "topic"]);
    repo.write("net.py", NET.replace("tries)", "tries, delay)"));
    repo.commit("on the branch");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("wire.py", "def wire(n):\n    return n\n");
    repo.commit("on the main line");
    let of = |range: &str| symbols(&repo.cora(&["impact", "--json", range]).json()["declarations"]);
    assert_eq!(of("main...topic"), ["send"]);
    assert_eq!(of("main..topic"), ["send", "wire"]);
    let two = repo.cora(&["impact", "main", "topic"]).prints("main..topic: 2 declarations changed");
    assert_eq!(two.out, repo.cora(&["impact", "main..topic"]).out);
    repo.cora(&["impact", "main", "topic", "net.py"]).prints("1 declaration changed");
    repo.cora(&["impact", "main", "topic", "--", "net.py"]).prints("1 declaration changed");
    repo.try_cora(&["impact", "main", "nowhere"]).exits(2).says("'nowhere' is neither a commit nor a path");
    repo.try_cora(&["impact", "send", "close"])
        .exits(2)
        .says("expected one declaration or two commits, found 'send close'");
    repo.try_cora(&["impact", "topic", "net.py"])
        .exits(2)
        .says("hint: run 'git cora impact topic..HEAD -- net.py'");
    repo.try_cora(&["impact", "HEAD", "net.py"])
        .exits(2)
        .says("hint: run 'git cora impact HEAD~..HEAD -- net.py'");
    // A declaration has no pathspecs, but it may be named in its file.
    for words in [&["send", "--", "net.py"][..], &["send", "--path", "net.py"]] {
        repo.try_cora(&[&["impact"], words].concat())
            .exits(2)
            .says("pathspecs apply to changed files, not to a declaration")
            .says("hint: run 'git cora impact net.py:send' for the declaration");
    }
    repo.cora(&["impact", "net.py:send"]);
    repo.try_cora(&["impact", "send", "--", "*.py"])
        .exits(2)
        .says("hint: run 'git cora impact send' for the declaration");
    repo.cora(&["impact", "topic..HEAD", "--", "net.py"]);
    repo.try_cora(&["impact", "--rev", "HEAD", "main", "topic"]).exits(2).says("--rev needs a declaration");
    let shallow = repo.clone_to("shallow", &["--depth", "1", "--no-single-branch", "--no-local"]);
    shallow
        .try_cora(&["impact", "origin/main...origin/topic"])
        .exits(2)
        .says("shallow clone")
        .says("git fetch --unshallow");
    // Without the base, the two tips can still be compared, and the answer says what it lacks.
    shallow.cora(&["impact", "origin/main..origin/topic"]).prints("this clone is shallow");
}

#[test]
fn what_was_not_searched_is_said() {
    let repo = Repo::new();
    let all = |n: usize, suffix: &str| -> String {
        (0..n).map(|at| format!("def part_{at:03}(a{suffix}):\n    return a + {at}\n\n\n")).collect()
    };
    repo.write("a.py", all(420, ""));
    repo.write("b.py", "from a import part_000\n\n\ndef use():\n    return part_000(1)\n");
    repo.commit("before");
    repo.write("a.py", all(420, ", b"));
    repo.commit("after");
    let note = "callers were looked up for only 400 of 420 changed declarations";
    for format in ["text", "markdown", "json"] {
        repo.cora(&["impact", "--format", format, "HEAD~..HEAD"]).prints(note);
    }
    let run = repo.cora(&["impact", "-k", "500", "HEAD~..HEAD"]);
    assert_eq!(run.out.matches("its callers were not searched for").count(), 20, "{}", run.out);
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let all = answer["declarations"].as_array().unwrap();
    assert_eq!(all.iter().filter(|one| one["unsearched"] == true).count(), 20);
}

#[test]
fn a_check_searches_for_callers_of_everything_that_may_break() {
    let repo = Repo::new();
    let all = |n: usize, suffix: &str| -> String {
        (0..n).map(|at| format!("def part_{at:03}(a{suffix}):\n    return a + {at}\n\n\n")).collect()
    };
    // The caller is one of the last declaration.
    repo.write("a.py", all(720, ""));
    repo.write("b.py", "from a import part_719\n\n\ndef use():\n    return part_719(1)\n");
    repo.commit("before");
    repo.write("a.py", all(720, ", b"));
    repo.commit("after");
    repo.cora(&["impact", "HEAD~..HEAD"]).prints("callers were looked up for only 400 of 720");
    let run = repo.try_cora(&["impact", "--fail-on", "broken", "HEAD~..HEAD"]).exits(1);
    assert!(run.out.contains("b.py:5: in function use") && !run.out.contains("only 400"), "{}", run.out);
    repo.write("a.py", all(720, ", b=1").replace("719(a, b=1)", "719(a)"));
    repo.commit("fixed");
    repo.cora(&["impact", "--fail-on", "broken", "HEAD~2..HEAD"]);
}

#[test]
fn code_that_names_it_without_a_reference_is_said() {
    let repo = Repo::new();
    repo.write("net.py", NET);
    repo.write("page.py", "NAMES = [\"retry_upload\"]\n");
    repo.write("up.py", "def retry_upload(a):\n    return a + 1\n");
    repo.write("README.md", "`retry_upload` retries.\n");
    repo.commit("before");
    repo.write("up.py", "def retry_upload(a, b):\n    return a + b\n");
    repo.commit("after");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let one = named(&answer, "declarations", "retry_upload");
    assert_eq!(one["unresolved"], serde_json::json!(["page.py"]), "{one:#}");
    repo.cora(&["impact", "HEAD~..HEAD"])
        .prints("1 file contains the name, but the reference could not be resolved: page.py\n");
    repo.cora(&["impact", "retry_upload"]).prints("could not be resolved: page.py\n");
}

#[test]
fn another_value_breaks_no_caller() {
    let repo = Repo::new();
    repo.write("a.h", "#define LIMIT 0x10\n#define WIDE(a) (a)\n");
    repo.write("a.c", "#include \"a.h\"\n\nint use(void)\n{\n\treturn WIDE(LIMIT);\n}\n");
    repo.commit("before");
    repo.write("a.h", "#define LIMIT 0x40\n#define WIDE(a, b) (a)\n");
    repo.commit("after");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let risk = |name: &str| named(&answer, "declarations", name)["risk"].clone();
    assert_eq!((risk("LIMIT"), risk("WIDE")), ("behaviour".into(), "breaking".into()), "{answer:#}");
}

#[test]
fn an_example_in_a_document_is_no_caller() {
    let repo = Repo::new();
    repo.write("lib/app.rb", "class App\n  def self.persist(kind)\n    store(kind)\n  end\nend\n");
    repo.write("CHANGELOG.md", "# Changes\n\n## 1.0\n\n```ruby\nApp.persist(Integer)\n```\n");
    repo.commit("first");
    repo.write("lib/app.rb", "class App\n  def self.persist(kind, at)\n    store(kind)\n  end\nend\n");
    let answer = repo.cora(&["impact", "--json"]).json();
    assert_eq!(answer["broken_callers_with_guesses"], 0, "{answer:#}");
    assert_eq!(answer["mentions"][0]["path"], "CHANGELOG.md", "{answer:#}");
    repo.cora(&["impact", "--fail-on", "guess"]);
}

#[test]
fn tests_do_not_use_up_the_search_for_callers() {
    let repo = Repo::new();
    let tests = |argument: &str| -> String {
        (0..450).map(|n| format!("def helper_{n}(a{argument}):\n    return a\n\n\n")).collect()
    };
    repo.write("tests/test_a.py", tests(""));
    repo.write("z.py", "def deliver(a):\n    return a\n");
    repo.write("app.py", "from z import deliver\n\n\ndef main():\n    return deliver(1)\n");
    repo.commit("first");
    repo.write("tests/test_a.py", tests(", b"));
    repo.write("z.py", "def deliver(a, b):\n    return a\n");
    let answer = repo.cora(&["impact", "--json"]).json();
    let deliver = named(&answer, "declarations", "deliver");
    assert_eq!(symbols(&deliver["callers"]), ["main"], "{deliver:#}");
}

#[test]
fn a_call_outside_of_any_declaration_is_not_that_of_a_neighbour() {
    let repo = Repo::new();
    repo.write("r.py", "class R:\n    def find(self, a):\n        return a\n");
    repo.write("e.py", "from r import R\n\nr = R()\nprint(r.find(1))\n");
    repo.commit("first");
    let answer = repo.cora(&["impact", "--json", "R.find"]).json();
    let callers = &named(&answer, "declarations", "R.find")["callers"];
    assert_eq!((&callers[0]["symbol"], &callers[0]["line"]), (&"".into(), &4.into()), "{callers:#}");
}

#[test]
fn an_octopus_is_compared_with_its_first_parent() {
    let repo = repo();
    let change = || NET.replace("def send(upload, tries)", "def send(upload, tries, delay)");
    let base = repo.rev("HEAD");
    for (name, path, text) in
        [("one", "net.py", change()), ("two", "wire.py", "def wire():\n    return 2\n".to_owned())]
    {
        repo.git(&["checkout", "-q", "-b", name, base.as_str()]);
        repo.write(path, text);
        repo.commit(name);
    }
    repo.git(&["checkout", "-q", "-b", "all", base.as_str()]);
    repo.write("other.py", "other = 1\n");
    repo.commit("other");
    repo.git(&["merge", "-q", "-m", "octopus", "one", "two"]);
    assert_eq!(repo.git(&["log", "-1", "--format=%P"]).split_whitespace().count(), 3);
    let callers = |range: &str| {
        let answer = repo.cora(&["impact", "--json", range]).json();
        symbols(&named(&answer, "declarations", "send")["callers"])
    };
    assert_eq!(callers("HEAD^..HEAD"), ["deliver"]);
    repo.cora(&["impact", "HEAD^2..HEAD"]).prints("wire.py:1");
    // A rewritten merge with the same tree has the same answer.
    repo.git(&["commit", "-q", "--amend", "-m", "again"]);
    assert_eq!(callers("HEAD^..HEAD"), ["deliver"]);
    // Grafts do not change which commit is meant.
    let tip = repo.rev("HEAD");
    repo.write(".git/info/grafts", format!("{tip}\n"));
    assert_eq!(callers("HEAD^..HEAD"), ["deliver"]);
}

#[test]
fn a_revision_that_a_shallow_clone_lacks_is_said_to_be_so() {
    let repo = repo();
    repo.write("net.py", "");
    repo.commit("second");
    let shallow = repo.clone_to("shallow", &["--depth=1"]);
    let run = shallow.try_cora(&["impact", "HEAD~1..HEAD"]).exits(2).says("in this shallow clone");
    run.says("git fetch --unshallow");
    repo.try_cora(&["impact", "HEAD~9..HEAD"]).exits(2).says("unknown revision 'HEAD~9'");
}

#[test]
fn another_name_in_a_statement_breaks_no_caller() {
    let repo = Repo::new();
    repo.write("a.py", "red, green = 1, 2\n");
    repo.write("b.py", "from a import red\n\n\ndef main():\n    return red\n");
    repo.commit("first");
    repo.write("a.py", "red, green, blue = 1, 2, 3\n");
    let answer = repo.cora(&["impact", "--json"]).json();
    assert_eq!(symbols(&answer["declarations"]), ["blue"], "{answer:#}");
    // Another value.
    repo.write("a.py", "red, green = 4, 2\n");
    let answer = repo.cora(&["impact", "--json"]).json();
    assert_eq!(symbols(&answer["declarations"]), ["red"], "{answer:#}");
    assert_eq!(answer["declarations"][0]["risk"], "behaviour");
}

#[test]
fn a_new_abstract_member_may_break_those_who_implement_it() {
    let repo = Repo::new();
    let port = "export interface Port {\n  send(a: number): void;\n}\n";
    repo.write("port.ts", port);
    repo.write(
        "tcp.ts",
        "import { Port } from './port';\n\nexport class Tcp implements Port {\n  send(a: number) {}\n}\n",
    );
    // Who only uses the type lacks nothing.
    repo.write(
        "use.ts",
        "import { Port } from './port';\n\nexport function greet(port: Port) {\n  port.send(1);\n}\n",
    );
    repo.commit("first");
    repo.write("port.ts", port.replace("}\n", "  close(b: number): void;\n}\n"));
    let answer = repo.cora(&["impact", "--json"]).json();
    let close = named(&answer, "declarations", "Port.close");
    assert_eq!(
        (symbols(&close["callers"]), &close["risk"]),
        (vec!["Tcp".to_owned()], &"breaking".into()),
        "{close:#}"
    );
    assert_eq!(answer["broken_callers"], 0, "a guess");
    repo.write("port.ts", port.replace("}\n", "  close?(b: number): void;\n}\n"));
    let answer = repo.cora(&["impact", "--json"]).json();
    assert_eq!(named(&answer, "declarations", "Port.close")["risk"], "none");
}

#[test]
fn an_implementer_that_gets_the_new_member_too_is_not_broken() {
    let repo = Repo::new();
    let store = "package a\n\ntype Store interface {\n\tGet(key string) string\n}\n";
    let methods = |name: &str| {
        format!(
            "package a\n\ntype {name} struct{{ n int }}\n\nfunc (m *{name}) Get(key string) string {{ return key }}\n"
        )
    };
    repo.write("go.mod", "module example.com/a\n");
    repo.write("store.go", store);
    repo.write("memory.go", methods("Memory"));
    // It has the methods of what it embeds.
    repo.write("disk.go", "package a\n\ntype Disk struct{ *Memory }\n");
    repo.write("remote.go", methods("Remote"));
    repo.commit("first");
    repo.write("store.go", store.replace("}\n", "\tPut(key string)\n}\n"));
    repo.write("memory.go", methods("Memory") + "\nfunc (m *Memory) Put(key string) {}\n");
    // Another number of parameters is another method.
    repo.write("remote.go", methods("Remote") + "\nfunc (m *Remote) Put() {}\n");
    let answer = repo.cora(&["impact", "--json"]).json();
    let put = named(&answer, "declarations", "Store.Put");
    assert_eq!((symbols(&put["callers"]), &put["risk"]), (vec!["Remote".to_owned()], &"breaking".into()));
    repo.write("remote.go", methods("Remote") + "\nfunc (m *Remote) Put(key string) {}\n");
    let output = repo.cora(&["impact", "--fail-on", "guess"]);
    assert!(output.out.contains("3 declarations changed in 3 files: 0 may break callers"), "{}", output.out);
}

#[test]
fn an_implementer_in_another_block_gets_the_new_member_too() {
    let repo = Repo::new();
    let port = "pub trait Port {\n    fn send(&self, a: u32);\n}\n";
    let tcp = "use crate::port::Port;\n\npub struct Tcp;\n\nimpl Port for Tcp {\n    fn send(&self, _a: u32) {}\n}\n";
    repo.write("Cargo.toml", "[package]\nname = \"a\"\n");
    repo.write("src/lib.rs", "pub mod port;\npub mod tcp;\n");
    repo.write("src/port.rs", port);
    repo.write("src/tcp.rs", tcp);
    repo.commit("first");
    repo.write("src/port.rs", port.replace("}\n", "    fn close(&self);\n}\n"));
    let broken = |repo: &Repo| repo.cora(&["impact", "--json"]).json()["broken_callers_with_guesses"].clone();
    assert_eq!(broken(&repo), 1);
    repo.write("src/tcp.rs", tcp.replace("_a: u32) {}\n", "_a: u32) {}\n    fn close(&self) {}\n"));
    assert_eq!(broken(&repo), 0);
}

#[test]
fn types_of_go_with_the_methods_of_an_interface_implement_it() {
    let repo = Repo::new();
    let store = "package a\n\ntype Store interface {\n\tGet(key string) string\n}\n";
    repo.write("go.mod", "module example.com/a\n");
    repo.write("store.go", store);
    repo.write(
        "memory.go",
        "package a\n\ntype Memory struct{ n int }\n\nfunc (m *Memory) Get(key string) string { return key }\n",
    );
    repo.commit("first");
    let answer = repo.cora(&["impact", "--json", "Store.Get"]).json();
    let get = named(&answer, "declarations", "Store.Get");
    assert_eq!(symbols(&get["callers"]), ["Memory.Get"], "{get:#}");
    repo.write("store.go", store.replace("}\n", "\tPut(key string)\n}\n"));
    let answer = repo.cora(&["impact", "--json"]).json();
    let put = named(&answer, "declarations", "Store.Put");
    assert_eq!((symbols(&put["callers"]), &put["risk"]), (vec!["Memory".to_owned()], &"breaking".into()));
    assert_eq!(answer["broken_callers"], 0, "a guess");
}

#[test]
fn a_formatter_breaks_nobody() {
    let repo = Repo::new();
    repo.write("a.go", "package a\n\nconst p = 1\n\nfunc Long(a int, b string) error {\n\treturn f(a, b)\n}\n\nfunc Call() {\n\tLong(p, \"x\")\n}\n");
    repo.write("b.py", "def make(a: \"Foo\", b=1):\n    return f(a, b)\n\n\ndef call():\n    make(1)\n");
    repo.write(
        "src/c.rs",
        "struct A;\n\nimpl A {\n    pub(super) fn one(&self, _meta: u8) -> u8 {\n        self.two(1)\n    }\n    fn two(&self, a: u8) -> u8 {\n        a\n    }\n}\n",
    );
    repo.commit("first");
    repo.write("a.go", "package a\n\nconst (\n\tp = 1\n)\n\nfunc Long(\n\ta int,\n\tb string,\n) error {\n\treturn f(a, b)\n}\n\nfunc Call() {\n\tLong(p, \"x\")\n}\n");
    repo.write(
        "b.py",
        "def make(\n    a: Foo,\n    b=1,\n    c=2,\n):\n    return f(a, b)\n\n\ndef call():\n    make(1)\n",
    );
    repo.write(
        "src/c.rs",
        "struct A;\n\nimpl A {\n    pub(crate) fn one(&self, meta: u8) -> u8 {\n        self.two(1)\n    }\n    pub fn two(\n        &self,\n        mut a: u8,\n    ) -> u8 {\n        a\n    }\n}\n",
    );
    repo.commit("format");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    for (name, changes) in [
        ("Long", "layout"),
        ("p", "layout"),
        ("make", "signature"),
        ("A::one", "signature"),
        ("A::two", "signature"),
    ] {
        let one = named(&answer, "declarations", name);
        assert_eq!(
            (&one["risk"], &one["changes"]),
            (&"none".into(), &serde_json::json!([changes])),
            "{name}"
        );
    }
    repo.cora(&["impact", "--fail-on", "guess", "HEAD~..HEAD"]);
    let log = repo.cora(&["log", "a.go:Long"]).out;
    assert!(log.contains("[layout] format"), "{log}");
    // What callers do no longer works.
    repo.write("b.py", "def make(a: Foo, *, b=1):\n    return f(a, b)\n\n\ndef call():\n    make(1)\n");
    repo.try_cora(&["impact", "--fail-on", "broken"]).exits(1).prints("b.py:6: in function call");
}

#[test]
fn a_call_that_may_mean_any_of_many_is_not_listed() {
    for (n_classes, is_listed) in [(1, true), (12, false)] {
        let repo = Repo::new();
        for n in 1..=n_classes {
            let class = format!("class C{n}:\n    def step(self, a):\n        return a + {n}\n");
            repo.write(&format!("c{n}.py"), class);
        }
        repo.write("use.py", "def go(x):\n    return x.step(1)\n");
        repo.commit("first");
        let run = repo.try_cora(&["impact", "c1.py:C1.step"]);
        assert_eq!(run.out.contains("function go"), is_listed, "{n_classes}: {}", run.out);
    }
}
