//! The history of a declaration: `git cora log`.

use serde_json::Value;

use crate::harness::Repo;

pub(crate) const SEND: &str = "    def send(self, upload, tries):
        for attempt in range(tries):
            if self.socket.write(upload, attempt):
                return attempt
        raise TimeoutError(upload)
";

/// What each commit of a history changed, newest first.
pub(crate) fn changes(run: &Value) -> Vec<String> {
    let join = |one: &Value| {
        let names = one["changes"].as_array().unwrap();
        names.iter().map(|name| name.as_str().unwrap()).collect::<Vec<_>>().join("+")
    };
    run["commits"].as_array().unwrap().iter().map(join).collect()
}

/// The subjects of a history's commits, newest first.
pub(crate) fn subjects(repo: &Repo, declaration: &str) -> Vec<String> {
    let found = repo.cora(&["log", "--json", declaration]).json();
    let subject = |one: &Value| one["subject"].as_str().unwrap().to_owned();
    found["commits"].as_array().unwrap().iter().map(subject).collect()
}

pub(crate) fn log(repo: &Repo, declaration: &str) -> Vec<String> {
    changes(&repo.cora(&["log", "--json", declaration]).json())
}

#[test]
fn a_method_is_followed_through_everything() {
    let repo = Repo::new();
    repo.write("net.py", format!("class Link:\n{SEND}"));
    repo.commit("add");
    repo.write("net.py", format!("import socket\n\n\nclass Link:\n{SEND}\n\ndef other():\n    return 1\n"));
    repo.commit("beside");
    repo.write("net.py", format!("import socket\n\n\nclass Wire:\n{SEND}\n\ndef other():\n    return 1\n"));
    repo.commit("class renamed");
    let body = SEND.replace("return attempt", "return attempt + 1");
    repo.write("net.py", format!("class Wire:\n{body}\n\ndef other():\n    return 1\n"));
    repo.commit("body");
    repo.write("net.py", "def other():\n    return 1\n");
    repo.write("lib/wire.py", format!("class Wire:\n{body}"));
    repo.commit("moved");
    let renamed = body.replace("def send(", "def deliver(");
    repo.write("lib/wire.py", format!("class Wire:\n{renamed}"));
    repo.commit("renamed");
    let signed = renamed.replace("upload, tries)", "upload, tries=3)");
    repo.write("lib/wire.py", format!("class Wire:\n{signed}"));
    repo.commit("signature");
    let expected = ["signature", "renamed", "moved", "body", "scope", "added"];
    assert_eq!(log(&repo, "lib/wire.py:deliver"), expected);
    // By line, by bare name, and from the cache.
    assert_eq!(log(&repo, "lib/wire.py:3"), expected);
    assert_eq!(log(&repo, "Wire.deliver"), expected);
    let run = repo.cora(&["log", "-n", "2", "deliver"]);
    assert!(run.out.contains("[signature] signature\n"), "{}", run.out);
    assert!(run.out.contains("lib/wire.py:2: method Wire.send -> lib/wire.py:2: method Wire.deliver"));
    assert!(run.out.ends_with("and 4 older commits; raise --limit\n"), "{}", run.out);
}

#[test]
fn a_later_commit_adds_to_a_kept_history() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}"));
    repo.commit("add");
    repo.write("a.py", format!("class A:\n{}", SEND.replace("attempt):", "attempt, 1):")));
    repo.commit("one");
    assert_eq!(log(&repo, "a.py:send"), ["body", "added"]);
    repo.write("a.py", format!("class A:\n{}", SEND.replace("attempt):", "attempt, 2):")));
    repo.commit("two");
    assert_eq!(log(&repo, "a.py:send"), ["body", "body", "added"]);
    // A damaged cache is ignored.
    for file in std::fs::read_dir(repo.path().join(".git/cora/trails")).unwrap() {
        std::fs::write(file.unwrap().path(), "{").unwrap();
    }
    assert_eq!(log(&repo, "a.py:send"), ["body", "body", "added"]);
}

#[test]
fn a_patch_has_only_the_declarations_lines() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}\n\ndef other():\n    return 1\n"));
    repo.commit("add");
    let changed = SEND.replace("range(tries)", "range(1, tries)");
    repo.write("a.py", format!("import x\n\n\nclass A:\n{changed}\n\ndef other():\n    return 2\n"));
    repo.commit("both");
    let run = repo.cora(&["log", "-p", "-n", "1", "a.py:send"]);
    assert!(
        run.out.contains(
            "@@ -2,5 +5,5 @@\n     def send(self, upload, tries):\n-        for attempt in range(tries):\n\
             +        for attempt in range(1, tries):\n"
        ),
        "{}",
        run.out
    );
    assert!(!run.out.contains("other"), "{}", run.out);
}

#[test]
fn lines_taken_from_either_end_are_a_change() {
    let repo = Repo::new();
    let long = format!("{SEND}        return None\n");
    repo.write(
        "a.py",
        format!("class A:\n    # Sends it.\n    @traced\n{long}\n    def other(self):\n        pass\n"),
    );
    repo.commit("add");
    repo.write(
        "a.py",
        format!("class A:\n    # Sends it.\n    @traced\n{SEND}\n    def other(self):\n        pass\n"),
    );
    repo.commit("end");
    repo.write("a.py", format!("class A:\n    # Sends it.\n{SEND}\n    def other(self):\n        pass\n"));
    repo.commit("decorator");
    repo.write("a.py", format!("class A:\n{SEND}\n    def other(self):\n        pass\n"));
    repo.commit("comment");
    assert_eq!(log(&repo, "A.send"), ["documentation", "annotations", "body", "added"]);
}

#[test]
fn a_copy_and_a_removal_are_named() {
    let repo = Repo::new();
    let long =
        SEND.replace("        raise", "        self.log(upload, tries)\n        self.close()\n        raise");
    repo.write("a.py", format!("class A:\n{long}"));
    repo.commit("add");
    // Only files that the commit changes count as sources.
    repo.write("a.py", format!("import b\n\n\nclass A:\n{long}"));
    repo.write("b.py", format!("class B:\n{long}"));
    repo.commit("copied");
    assert_eq!(log(&repo, "b.py:send"), ["copied"]);
    repo.write("a.py", "class A:\n    pass\n");
    repo.commit("removed");
    assert_eq!(log(&repo, "a.py:send"), ["removed", "added"]);
    let run = repo.try_cora(&["log", "a.py:absent"]).exits(1);
    assert!(run.err.contains("no declaration named 'absent' in the history of 'a.py'"), "{}", run.err);
}

#[test]
fn a_change_beside_a_syntax_error_is_found() {
    let repo = Repo::new();
    // A macro in front of a block: the parser misses a semicolon.
    let function = |at: usize, value: usize| {
        format!(
            "static int part_{at}(struct list *all) {{\n    int n = {value};\n    EACH(all) {{\n        n += {at};\n    }}\n    return n;\n}}\n\n"
        )
    };
    let filler = |n: usize| -> String {
        let one = |at: usize| {
            format!("static int filler_{at}(int a) {{\n    int b = a + {at};\n    return step(b);\n}}\n\n")
        };
        (0..n).map(one).collect()
    };
    let text = |n: usize, values: &[usize]| -> String {
        let parts = values.iter().enumerate().map(|(at, value)| function(at, *value) + &filler(n));
        parts.collect()
    };
    for (at, values) in [[0; 14], [1; 14], [2; 14]].iter_mut().enumerate() {
        repo.write("a.c", text(12, values));
        repo.commit(&format!("all {at}"));
        values[7] = 10 + at;
        repo.write("a.c", text(12, values));
        repo.commit(&format!("one {at}"));
        repo.write("a.c", text(13 + at, values));
        repo.commit(&format!("filler {at}"));
    }
    let expected = ["one 2", "all 2", "one 1", "all 1", "one 0", "all 0"];
    assert_eq!(subjects(&repo, "a.c:part_7"), expected);
    assert_eq!(subjects(&repo, "a.c:part_6"), ["all 2", "all 1", "all 0"]);
}

#[test]
fn a_class_has_the_changes_of_its_methods() {
    let repo = Repo::new();
    repo.write("a.py", format!("class A:\n{SEND}"));
    repo.commit("add");
    repo.write("a.py", format!("class A:\n{}", SEND.replace("(tries)", "(9)")));
    repo.commit("a method");
    repo.write("a.py", format!("class A(B):\n{}", SEND.replace("(tries)", "(9)")));
    repo.commit("the class");
    assert_eq!(log(&repo, "a.py:A"), ["signature", "members", "added"]);
    repo.write("a.py", format!("class A(B):\n{}", SEND.replace("(tries)", "(8)")));
    repo.commit("a method again");
    repo.cora(&["blame", "a.py:A"]).prints("last change [members]: ").prints(": a method again");
}

#[test]
fn a_function_is_read_with_the_functions_in_it() {
    let repo = Repo::new();
    let text = "def outer(parts):\n    def inner(part):\n        return part + 1\n\n    return [inner(part) for part in parts]\n";
    repo.write("a.py", text);
    repo.commit("add");
    repo.write("a.py", text.replace("+ 1", "+ 2"));
    repo.commit("inside");
    assert_eq!(log(&repo, "a.py:outer"), ["body", "added"]);
    assert_eq!(log(&repo, "a.py:outer.inner"), ["body", "added"]);
}

const PEER: &str = "/* Writes the id of the peer. The buffer peerid must have\n * peerid_len bytes. */
void peer_id(client *client, char *peerid, size_t peerid_len) {
    if (client->flags & CLIENT_UNIX_SOCKET) {
        snprintf(peerid,peerid_len,\"%s:0\",server.unixsocket);
    } else {
        format_peer(client->conn,peerid,peerid_len);
    }
}
";

#[test]
fn a_rename_with_other_words_is_still_one() {
    let repo = Repo::new();
    repo.write("a.c", PEER);
    repo.commit("add");
    let other = PEER
        .replace(
            "Writes the id of the peer.",
            "Writes an address of a client, as text, in case you need one.",
        )
        .replace("peer_id(client *client,", "address_of(client *client, int which,")
        .replace("format_peer(client->conn", "format_address(client->conn,which")
        .replace("peerid_len", "addr_len")
        .replace("peerid", "addr");
    repo.write("a.c", other);
    repo.commit("rename");
    assert_eq!(log(&repo, "address_of"), ["renamed+signature+body+documentation", "added"]);
    // A class of methods alone has no body of its own.
    let repo = Repo::new();
    repo.write("a.py", format!("class SendTest(Base):\n{SEND}"));
    repo.commit("add");
    repo.write("a.py", format!("class TestSend:\n{SEND}"));
    repo.commit("rename");
    assert_eq!(log(&repo, "TestSend"), ["renamed+signature", "added"]);
}

#[test]
fn what_only_looks_alike_is_no_rename() {
    let repo = Repo::new();
    repo.write("one.c", "int\nmain(void)\n{\n\treturn (test(\n\t    test_one));\n}\n");
    repo.commit("one");
    repo.remove("one.c");
    repo.write("two.c", "int\nmain(int argc, char **argv)\n{\n\treturn (run(argc,\n\t    test_two, test_three, test_four));\n}\n");
    repo.commit("two");
    assert_eq!(log(&repo, "two.c:main"), ["added"]);
    // A small function beside a large one with the same parameters.
    let header = "(struct db *db, struct key *key, struct value *value, struct entry *entry)";
    let large = format!(
        "void store{header}\n{{\n    struct value *old = find(db, key);\n    if (!entry) entry = lookup(db, key);\n    release(db, key, value, 0, entry);\n    drop(old);\n}}\n"
    );
    repo.write("db.c", &large);
    repo.commit("large");
    let doc = "/* Writes a value that is there already, and that its owner looked up before. */";
    repo.write(
        "db.c",
        format!("{doc}\nvoid write{header}\n{{\n    store(db, key, value, 0, entry);\n}}\n\n{large}"),
    );
    repo.commit("small");
    assert_eq!(log(&repo, "db.c:write"), ["added"]);
    // The old function went to the same file, so the new one is its copy.
    let of = |name: &str, header: &str| {
        format!(
            "func {name}(h Header) *Version {{\n\ttext := h.Get(\"{header}\")\n\tif text == \"\" {{\n\t\ttext = \"2.0.0\"\n\t}}\n\treturn must(parse(text))\n}}\n"
        )
    };
    repo.write("stream.go", format!("package a\n\n{}", of("server", "X-Server")));
    repo.commit("stream");
    repo.write("stream.go", "package a\n");
    repo.write("util.go", format!("package a\n\n{}\n{}", of("server", "X-Server"), of("cluster", "X-Min")));
    repo.commit("util");
    assert_eq!(log(&repo, "util.go:server"), ["moved", "added"]);
    assert_eq!(log(&repo, "util.go:cluster"), ["copied"]);
}

#[test]
fn a_piece_that_became_a_function_is_split() {
    let repo = Repo::new();
    let piece = "    found = lookup(store, name, tries)\n    if found is None and name in store.aliases:\n        found = lookup(store, store.aliases[name], tries)\n    if found is None:\n        raise KeyError(name, store.path, tries)\n";
    repo.write("a.py", format!("def create(store, name, tries, force):\n    check(force, store)\n{piece}    store.add(found, force)\n"));
    repo.commit("add");
    repo.write(
        "a.py",
        format!(
            "def start(store, name, tries):\n    \"\"\"Finds where a name starts, by all of its other names.\"\"\"\n{piece}    return found, tries\n\n\ndef create(store, name, tries, force):\n    check(force, store)\n    store.add(start(store, name, tries), force)\n"
        ),
    );
    repo.commit("split");
    assert_eq!(log(&repo, "start"), ["split"]);
}

#[test]
fn a_wrapper_under_the_old_name_does_not_end_the_history() {
    let repo = Repo::new();
    let builder = |name: &str| {
        format!(
            "func {name}(lg *Logger) func(*Config) error {{\n\treturn func(cfg *Config) error {{\n\t\tcfg.mu.Lock()\n\t\tdefer cfg.mu.Unlock()\n\t\tcfg.logger = lg\n\t\treturn nil\n\t}}\n}}\n"
        )
    };
    repo.write("log.go", format!("package embed\n\n{}", builder("NewCoreBuilder")));
    repo.commit("add");
    let wrapper = "// Deprecated: use the simpler builder.\nfunc NewCoreBuilder(lg *Logger, _ Core, _ Syncer) func(*Config) error {\n\treturn NewBuilder(lg)\n}\n";
    repo.write("log.go", format!("package embed\n\n{}\n{wrapper}", builder("NewBuilder")));
    repo.commit("wrapper");
    assert_eq!(log(&repo, "NewBuilder"), ["renamed", "added"]);
}

#[test]
fn what_is_not_there_is_named() {
    let repo = Repo::new();
    repo.write("lib/a.py", format!("class A:\n{SEND}"));
    repo.commit("add");
    let below = repo.below("lib");
    below.try_cora(&["log", "a.py:99"]).exits(1).says("git cora list --path a.py");
    below.try_cora(&["blame", "a.py:99"]).exits(1).says("git cora blame a.py");
    for command in ["log", "blame"] {
        below.try_cora(&[command, "../../a.py:x"]).exits(2).says("outside the repository");
        below.try_cora(&[command, "/a.py:x"]).exits(2).says("outside the repository");
    }
    for path in ["../..", "/elsewhere"] {
        for command in [
            &["changelog", "HEAD..HEAD", "--"][..],
            &["impact", "HEAD..HEAD", "--"],
            &["query", "x", "--path"],
        ] {
            below.try_cora(&[command, &[path]].concat()).exits(2).says("outside the repository");
        }
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("a.py", repo.path().join("lib/link.py")).unwrap();
        repo.commit("link");
        repo.try_cora(&["blame", "lib/link.py"]).exits(2).says("'lib/link.py' is a symbolic link");
    }
}

#[test]
fn a_function_of_c_is_followed_by_its_definition() {
    let repo = Repo::new();
    let definition =
        |body: &str| format!("int\nsend_all(int n)\n{{\n\tint sum = {body};\n\treturn sum;\n}}\n");
    repo.write("a.h", "int send_all(int);\n");
    repo.write("b.c", definition("n + 1"));
    repo.commit("add");
    repo.write("a.h", "int other(int);\nint send_all(int n);\n");
    repo.commit("only the header");
    // It moves to a file that announces it already, below its user.
    let announced = "int send_all(int);\n\nint\nuse(void)\n{\n\treturn send_all(2);\n}\n";
    repo.write("z.c", announced);
    repo.commit("announce");
    repo.git(&["rm", "-q", "b.c"]);
    repo.write("z.c", format!("{announced}\n{}", definition("n + 1")));
    repo.commit("move");
    repo.write("z.c", format!("{announced}\n{}", definition("n + 2")));
    repo.commit("body");
    let expected = ["body", "moved", "added"];
    for declaration in ["send_all", "z.c:send_all", "z.c:11"] {
        assert_eq!(log(&repo, declaration), expected, "{declaration}");
    }
    // A prototype has a history of its own.
    assert_eq!(log(&repo, "a.h:send_all"), ["layout", "added"]);
    assert_eq!(log(&repo, "z.c:1"), ["added"]);
    repo.cora(&["blame", "send_all"]).prints("z.c:10: function send_all");
    let run = repo.cora(&["refs", "send_all"]);
    assert!(run.out.starts_with("z.c:10: function send_all\n"), "{}", run.out);
}

#[test]
fn the_other_declarations_of_a_name_are_listed() {
    let repo = Repo::new();
    repo.write(
        "Cart.java",
        "class Cart {\n    int add(int n) {\n        return n + 1;\n    }\n\n    int add(String name) {\n        \
         return name.length();\n    }\n}\n\nclass Shelf {\n    int add(int n) {\n        return n + 2;\n    }\n}\n",
    );
    repo.commit("add");
    let note = "note: 2 other declarations have this name; to choose one, write one of these instead:\n  \
                Cart.java:6\n  Cart.java:Shelf.add\n";
    for command in ["log", "blame", "when"] {
        for name in ["add", "Cart.java:add"] {
            repo.cora(&[command, name]).prints("Cart.java:2: method Cart.add").says(note);
            let others = repo.cora(&[command, "--json", name]).json()["others"].clone();
            let lines: Vec<u64> =
                others.as_array().unwrap().iter().map(|one| one["line"].as_u64().unwrap()).collect();
            assert_eq!(lines, [6, 12], "{command} {name}");
        }
        // Each place that is listed means that declaration alone.
        for (place, line) in [("Cart.java:6", 6), ("Cart.java:Shelf.add", 12)] {
            let run = repo.cora(&[command, place]).prints(&format!("Cart.java:{line}: method"));
            assert!(!run.err.contains("this name"), "{command} {place}: {}", run.err);
        }
    }
}

#[test]
fn a_symbol_path_in_a_file_may_have_other_separators() {
    let repo = Repo::new();
    repo.write("a.rs", "struct A;\n\nimpl A {\n    fn send(&self) -> u32 {\n        7\n    }\n}\n");
    repo.commit("add");
    for name in ["A::send", "a.rs:A::send", "a.rs:A.send"] {
        assert_eq!(log(&repo, name), ["added"], "{name}");
    }
}

#[test]
fn a_short_declaration_is_followed_through_a_renamed_file() {
    let repo = crate::harness::Repo::new();
    let text = "TIMEOUT = 30\n\n\nclass Conf:\n    def __init__(self, data):\n        self._data = data\n\n    \
                def name(self):\n        return self._data\n";
    repo.write("conf.py", text);
    repo.commit("first");
    repo.git(&["mv", "conf.py", "settings.py"]);
    repo.write("settings.py", text.replace("30", "60").replace("_data", "_values"));
    repo.commit("renamed");
    for name in ["TIMEOUT", "Conf.name", "Conf"] {
        let found = repo.cora(&["log", "--json", name]).json();
        let subjects: Vec<&str> =
            found["commits"].as_array().unwrap().iter().map(|one| one["subject"].as_str().unwrap()).collect();
        assert_eq!(subjects, ["renamed", "first"], "{name}");
    }
    let found = repo.cora(&["changelog", "--json", "HEAD~..HEAD"]).json();
    let entries = found["entries"].as_array().unwrap();
    let changes: Vec<&str> = entries.iter().map(|one| one["change"].as_str().unwrap()).collect();
    // The field has another name.
    assert_eq!(changes, ["moved", "moved", "removed"], "{found:#}");
    assert_eq!(entries[2]["symbol"], "Conf._data");
}

#[test]
fn a_short_method_is_followed_through_a_renamed_class() {
    let repo = crate::harness::Repo::new();
    let long = "    def load(self, path):\n        with open(path) as file:\n            \
                self.rows = [line.strip() for line in file]\n        return self.rows\n\n";
    repo.write("a.py", format!("class Conf:\n{long}    def name(self):\n        return self.a\n"));
    repo.commit("first");
    repo.write("a.py", format!("class Settings:\n{long}    def name(self):\n        return 3\n"));
    repo.commit("renamed");
    let found = repo.cora(&["log", "--json", "Settings.name"]).json();
    let n = found["commits"].as_array().unwrap().len();
    assert_eq!(n, 2, "{found:#}");
}

#[test]
fn a_name_with_overloads_means_the_implementation() {
    let repo = Repo::new();
    let python = "from typing import overload\n\n\n@overload\ndef make(a: int) -> int: ...\n@overload\ndef make(a: str) -> str: ...\ndef make(a):\n    x = compute(a)\n    return x\n";
    let script = "export function get(a: string): string;\nexport function get(a: number): number;\nexport function get(a: any) {\n  return one(a);\n}\n";
    repo.write("a.py", python);
    repo.write("a.ts", script);
    repo.commit("first");
    repo.write("a.py", python.replace("compute(a)", "compute(a, 1)"));
    repo.write("a.ts", script.replace("one(a)", "one(a, 1)"));
    repo.commit("second");
    for name in ["make", "a.py:make", "get", "a.ts:get"] {
        assert_eq!(log(&repo, name), ["body", "added"], "{name}");
    }
    assert_eq!(log(&repo, "a.py:5"), ["added"]);
    repo.cora(&["blame", "make"]).prints("second");
}

#[test]
fn one_declaration_became_only_one() {
    let repo = Repo::new();
    let body = |name: &str, extra: &str| {
        format!(
            "def {name}(reader, size):\n    data = reader.read(size)\n    if not data:\n        raise EOFError(reader.name)\n    total = sum(data)\n{extra}    return total, data\n\n\n"
        )
    };
    repo.write("a.py", body("load", ""));
    repo.commit("first");
    repo.write("a.py", body("fetch", "") + &body("count", "    log(total)\n"));
    repo.commit("second");
    assert_eq!(log(&repo, "a.py:fetch"), ["renamed", "added"]);
    assert_eq!(log(&repo, "a.py:count"), ["added"]);
    let diff = repo.cora(&["diff", "HEAD~"]).out;
    assert!(diff.contains("renamed a.py:1: function fetch") && diff.contains("added   a.py"), "{diff}");
}

#[test]
fn a_short_method_may_move_and_get_a_comment() {
    let repo = Repo::new();
    let size = "    def size(self):\n        return self.rows + self.head\n";
    let keep = "class A:\n    def keep(self, data):\n        self.data.append(data)\n        return len(self.data)\n\n";
    repo.write("a.py", format!("{keep}{size}"));
    repo.commit("first");
    repo.write("a.py", keep);
    let comment = "        \"\"\"Returns the number of all rows, with those of the heading.\"\"\"\n";
    repo.write(
        "b.py",
        format!("class A:\n{}", size.replace("        return", &format!("{comment}        return"))),
    );
    repo.commit("second");
    assert_eq!(log(&repo, "b.py:A.size"), ["moved+documentation", "added"]);
}

#[test]
fn a_type_may_have_the_separator_of_another_language() {
    let repo = Repo::new();
    let text = |other: u8, own: u8| {
        format!(
            "struct A;\nstruct B;\nimpl B {{\n    fn size(&self) -> u8 {{\n        {other}\n    }}\n}}\n\
             impl A {{\n    fn size(&self) -> u8 {{\n        {own}\n    }}\n}}\n"
        )
    };
    for (at, text) in [text(1, 1), text(1, 2), text(2, 2)].into_iter().enumerate() {
        repo.write("a.rs", text);
        repo.commit(&at.to_string());
    }
    let run = repo.cora(&["log", "a.rs:A.size"]);
    assert!(run.out.contains("method A::size") && !run.out.contains("B::size"), "{}", run.out);
    assert_eq!(log(&repo, "a.rs:A.size"), ["body", "added"]);
    assert_eq!(log(&repo, "a.rs:A.size"), log(&repo, "a.rs:A::size"));
}

#[test]
fn a_new_overload_is_not_what_another_one_was() {
    let two = |head: &str, comment: &str, tail: &str| format!("{head}  /** {comment} */\n{tail}");
    for (path, head, old, new, end, line) in [
        (
            "J.kt",
            "class J {\n",
            "  fun load(file: File, charset: String): Doc {\n    return DataUtil.read(file, charset, file.absolutePath)\n  }\n",
            "  fun load(file: File): Doc {\n    return DataUtil.read(file, null, file.absolutePath)\n  }\n",
            "}\n",
            7,
        ),
        (
            "J.cpp",
            "struct J {\n",
            "  Doc load(File file, const char *charset) {\n    return DataUtil::read(file, charset, file.path());\n  }\n",
            "  Doc load(File file) {\n    return DataUtil::read(file, 0, file.path());\n  }\n",
            "};\n",
            7,
        ),
    ] {
        let repo = Repo::new();
        repo.write(path, two(head, "one", &format!("{old}{end}")));
        repo.commit("first");
        let new = two("", "two", &format!("{new}{end}"));
        repo.write(path, two(head, "one, see the other", &format!("{old}{new}")));
        repo.commit("second");
        // It may be a copy, but not the same one.
        assert_eq!(subjects(&repo, &format!("{path}:{line}")), ["second"], "{path}");
        assert_eq!(log(&repo, &format!("{path}:3")), ["documentation", "added"], "{path}");
        // The old one may get another parameter name in the same commit.
        let old = old.replace("    return", "    check(charset, limit, 3)\n    trace(charset)\n    return");
        let repo = Repo::new();
        repo.write(path, two(head, "one", &format!("{old}{end}")));
        repo.commit("third");
        let renamed = old.replace("charset", "encoding");
        repo.write(path, two(head, "one, see the other", &format!("{renamed}{new}")));
        repo.commit("fourth");
        let line = line + 2;
        assert_eq!(subjects(&repo, &format!("{path}:{line}")), ["fourth"], "{path}");
        assert_eq!(subjects(&repo, &format!("{path}:3")), ["fourth", "third"], "{path}");
    }
}

#[test]
fn both_names_of_a_declaration_have_the_same_changes() {
    let repo = Repo::new();
    let class = |name: &str| {
        format!(
            "class {name}:\n    def load(self, path):\n        with open(path) as handle:\n            return handle.read().strip()\n\n    def save(self, path, text):\n        with open(path, \"w\") as handle:\n            handle.write(text)\n"
        )
    };
    repo.write("a.py", class("Loader"));
    repo.commit("first");
    repo.write("a.py", "from io import FileLoader\n");
    repo.write("io.py", class("FileLoader"));
    repo.commit("second");
    assert_eq!(log(&repo, "io.py:FileLoader"), ["moved+renamed", "added"]);
    assert_eq!(log(&repo, "a.py:Loader"), log(&repo, "io.py:FileLoader"));
}
