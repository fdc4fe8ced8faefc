//! Members that the index leaves out, in what a change did: `git cora changelog` and `impact`.

use serde_json::Value;

use crate::harness::Repo;

/// Languages with a type before and after, the name of what went, and a file that uses it.
const CASES: [(&str, &str, &str, &str, &str, &str); 18] = [
    (
        "a.go",
        "package x\n\ntype Config struct {\n\tName  string\n\tLimit int\n}\n",
        "package x\n\ntype Config struct {\n\tName  string\n}\n",
        "Config.Limit",
        "b.go",
        "package x\n\nfunc Use(c Config) int { return c.Limit + 1 }\n",
    ),
    (
        "Conf.java",
        "public class Conf {\n  public String name;\n  public int limit;\n}\n",
        "public class Conf {\n  public String name;\n}\n",
        "Conf.limit",
        "Use.java",
        "public class Use {\n  int f(Conf c) { return c.limit + 1; }\n}\n",
    ),
    (
        "Color.java",
        "public enum Color {\n  RED,\n  GREEN\n}\n",
        "public enum Color {\n  RED\n}\n",
        "Color.GREEN",
        "Use.java",
        "class Use { Color c = Color.GREEN; }\n",
    ),
    (
        "a.ts",
        "export interface Config {\n  name: string;\n  limit: number;\n}\n",
        "export interface Config {\n  name: string;\n}\n",
        "Config.limit",
        "b.ts",
        "import { Config } from \"./a\";\nexport function useIt(c: Config) { return c.limit + 1; }\n",
    ),
    (
        "m.ts",
        "export enum Mode {\n  A = 1,\n  GREEN = 2,\n}\n",
        "export enum Mode {\n  A = 1,\n}\n",
        "Mode.GREEN",
        "n.ts",
        "import { Mode } from \"./m\";\nexport function pick() { return Mode.GREEN; }\n",
    ),
    (
        "K.kt",
        "enum class Kind {\n  A,\n  GREEN\n}\n",
        "enum class Kind {\n  A,\n}\n",
        "Kind.GREEN",
        "Z.kt",
        "fun z() = Kind.GREEN\n",
    ),
    (
        "Q.kt",
        "class Quiz {\n  val green = 1\n  var a = 1\n}\n",
        "class Quiz {\n  var a = 1\n}\n",
        "Quiz.green",
        "Z.kt",
        "fun z(q: Quiz): Int { return q.green }\n",
    ),
    (
        "Y.cs",
        "public enum Color { A, Green }\n",
        "public enum Color { A }\n",
        "Color.Green",
        "Z.cs",
        "class Z { Color F() { return Color.Green; } }\n",
    ),
    (
        "Y.cs",
        "namespace N {\npublic class Yard {\n  public int A;\n  public int Depth;\n}\n}\n",
        "namespace N {\npublic class Yard {\n  public int A;\n}\n}\n",
        "N.Yard.Depth",
        "Z.cs",
        "namespace N { class Zoo { int F(Yard y) { return y.Depth; } } }\n",
    ),
    (
        "c.h",
        "struct config {\n\tchar *name;\n\tint limit;\n};\n",
        "struct config {\n\tchar *name;\n};\n",
        "config::limit",
        "c.c",
        "#include \"c.h\"\nint use_it(struct config *c) { return c->limit + 1; }\n",
    ),
    (
        "e.h",
        "enum { RED, GREEN };\n",
        "enum { RED };\n",
        "GREEN",
        "e.c",
        "#include \"e.h\"\nint use_it(void) { return GREEN; }\n",
    ),
    (
        "s.hpp",
        "struct Shape {\n  int a;\n  int green;\n};\n",
        "struct Shape {\n  int a;\n};\n",
        "Shape::green",
        "s.cpp",
        "#include \"s.hpp\"\nint f(Shape &s) { return s.green; }\n",
    ),
    (
        "w.hpp",
        "enum class Width { A, Green };\n",
        "enum class Width { A };\n",
        "Width::Green",
        "w.cpp",
        "#include \"w.hpp\"\nWidth f() { return Width::Green; }\n",
    ),
    (
        "src/lib.rs",
        "pub mod u;\npub struct Config {\n    pub name: String,\n    pub limit: i32,\n}\n",
        "pub mod u;\npub struct Config {\n    pub name: String,\n}\n",
        "Config::limit",
        "src/u.rs",
        "use crate::Config;\npub fn use_it(c: &Config) -> i32 { c.limit + 1 }\n",
    ),
    (
        "src/lib.rs",
        "pub mod u;\npub enum Event {\n    A,\n    Green,\n}\n",
        "pub mod u;\npub enum Event {\n    A,\n}\n",
        "Event::Green",
        "src/u.rs",
        "use crate::Event;\npub fn use_it() -> Event { Event::Green }\n",
    ),
    (
        "h.php",
        "<?php\nclass Hall {\n  public $a;\n  public $green = 1;\n}\n",
        "<?php\nclass Hall {\n  public $a;\n}\n",
        "Hall::green",
        "g.php",
        "<?php\nfunction hh(Hall $h) { return $h->green; }\n",
    ),
    (
        "conf.py",
        "class Config:\n    name: str\n    limit: int = 3\n",
        "class Config:\n    name: str\n",
        "Config.limit",
        "use.py",
        "from conf import Config\n\ndef use_it(c: Config):\n    return c.limit + 1\n",
    ),
    (
        "conf.py",
        "class Config:\n    def __init__(self):\n        self.name = 1\n        self.limit = 2\n",
        "class Config:\n    def __init__(self):\n        self.name = 1\n",
        "Config.limit",
        "use.py",
        "from conf import Config\n\ndef use_it(c: Config):\n    return c.limit + 1\n",
    ),
];

fn changelog(repo: &Repo, range: &str) -> Vec<String> {
    let answer = repo.cora(&["changelog", "--json", range]).json();
    let of = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        format!("{} {} {} {}", text("visibility"), text("change"), text("kind"), text("symbol"))
    };
    answer["entries"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_removed_member_breaks_its_users() {
    for (path, before, after, symbol, user_path, user) in CASES {
        let repo = Repo::new();
        repo.write("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\n");
        repo.write(path, before);
        repo.write(user_path, user);
        repo.commit("before");
        repo.write(path, after);
        // The working tree first, then the commit.
        let edits = repo.cora(&["impact", "--json"]).json();
        repo.commit("after");
        let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
        assert_eq!(edits["declarations"], answer["declarations"], "{path}");
        let all = answer["declarations"].as_array().unwrap();
        let member = all.iter().find(|one| one["symbol"] == symbol);
        let Some(member) = member else { panic!("{path}: {symbol} is not in {all:#?}") };
        assert_eq!((&member["change"], &member["risk"]), (&"removed".into(), &"breaking".into()), "{path}");
        let callers = member["callers"].as_array().unwrap();
        assert_eq!(callers.len(), 1, "{path}: {member:#}");
        assert_eq!(
            (&callers[0]["path"], &callers[0]["certain"]),
            (&user_path.into(), &true.into()),
            "{path}"
        );
        repo.try_cora(&["impact", "--fail-on", "broken", "HEAD~..HEAD"]).exits(1);
        let kind = member["kind"].as_str().unwrap();
        let listed = changelog(&repo, "HEAD~..HEAD");
        assert!(listed.contains(&format!("public removed {kind} {symbol}")), "{path}: {listed:?}");
        // Backwards, it was added.
        let listed = changelog(&repo, "HEAD..HEAD~");
        assert!(listed.contains(&format!("public added {kind} {symbol}")), "{path}: {listed:?}");
        repo.cora(&["impact", "--fail-on", "guess", "HEAD..HEAD~"]);
    }
}

#[test]
fn a_user_that_changed_too_is_in_the_change() {
    let repo = Repo::new();
    repo.write("a.go", "package x\n\ntype Config struct {\n\tName string\n\tLimit int\n}\n");
    let user = "package x\n\nfunc Use(c Config) int { return c.Limit + 1 }\n";
    repo.write("b.go", user);
    repo.write("c.go", format!("{user}\nfunc Other() {{}}\n").replace("Use", "Stays"));
    repo.commit("before");
    repo.write("a.go", "package x\n\ntype Config struct {\n\tName string\n}\n");
    repo.write("b.go", user.replace("c.Limit", "2"));
    repo.write(
        "c.go",
        format!("{user}\nfunc Other() {{ run() }}\n").replace("Use", "Stays").replace("func S", "\nfunc S"),
    );
    repo.commit("after");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let all = answer["declarations"].as_array().unwrap();
    let member = all.iter().find(|one| one["symbol"] == "Config.Limit").unwrap();
    assert_eq!(member["callers_in_change"], 1);
    assert_eq!(member["callers"].as_array().unwrap().len(), 1, "{member:#}");
    // What stayed in a file that changed has its present line.
    assert_eq!((&member["callers"][0]["symbol"], &member["callers"][0]["at"]), (&"Stays".into(), &4.into()));
}

#[test]
fn what_stays_a_member_is_not_removed() {
    for (path, before, after) in [
        // A base class has it now.
        (
            "a.py",
            "class Base:\n    name = 1\n\n\nclass Config(Base):\n    limit: int = 3\n",
            "class Base:\n    name = 1\n    limit: int = 3\n\n\nclass Config(Base):\n    pass\n",
        ),
        // Another function of the class sets it.
        (
            "b.py",
            "class A:\n    def __init__(self):\n        self.limit = 1\n\n    def reset(self):\n        pass\n",
            "class A:\n    def __init__(self):\n        self.reset()\n\n    def reset(self):\n        self.limit = 1\n",
        ),
        // A method took its place.
        (
            "C.java",
            "public class C {\n  public int limit;\n}\n",
            "public class C {\n  public int limit() { return 1; }\n}\n",
        ),
        // Only the order differs, and a comment.
        (
            "d.rs",
            "pub struct D {\n    pub a: i32,\n    pub limit: i32,\n}\n",
            "pub struct D {\n    /// The limit.\n    pub limit: i32,\n    pub a: i32,\n}\n",
        ),
    ] {
        let repo = Repo::new();
        repo.write(path, before);
        repo.commit("before");
        repo.write(path, after);
        repo.commit("after");
        let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
        let all = answer["declarations"].as_array().unwrap();
        let removed: Vec<&Value> = all.iter().filter(|one| one["change"] == "removed").collect();
        assert!(removed.is_empty(), "{path}: {removed:#?}");
    }
}

#[test]
fn a_new_member_is_listed_if_others_may_use_it() {
    let repo = Repo::new();
    repo.write("a.go", "package x\n\ntype Config struct {\n\tName string\n}\n");
    repo.write("b.hpp", "class B {\n  int a;\npublic:\n  int b;\n};\n");
    repo.commit("before");
    repo.write(
        "a.go",
        "package x\n\ntype Config struct {\n\tName string\n\tSkip func() bool\n\tinner int\n}\n",
    );
    repo.write("b.hpp", "class B {\n  int a;\n  int hidden;\npublic:\n  int b;\n  int shown;\n};\n");
    repo.commit("after");
    assert_eq!(
        changelog(&repo, "HEAD~..HEAD"),
        ["public added field Config.Skip", "public added field B::shown"]
    );
    // A removal is listed whoever may use it.
    assert_eq!(
        changelog(&repo, "HEAD..HEAD~"),
        [
            "public removed field Config.Skip",
            "public removed field B::shown",
            "internal removed field Config.inner",
            "internal removed field B::hidden",
        ]
    );
}

#[test]
fn a_type_that_moved_takes_no_member_of_another_with_it() {
    let repo = Repo::new();
    let place = "pub(super) struct Place {\n    pub(super) at: u32,\n    pub(super) within: u32,\n}\n";
    let other = "pub struct Other {\n    pub at: u32,\n    pub within: u32,\n    pub last: u32,\n}\n";
    let rest = "pub fn first(other: &Other) -> u32 {\n    other.within + other.last + other.at\n}\n";
    repo.write("src/a.rs", format!("{place}\n{other}\n{rest}"));
    repo.write("src/b.rs", "pub fn last() {}\n");
    repo.commit("first");
    repo.write(
        "src/a.rs",
        format!("{}\n{rest}", other.replace("last: u32,\n", "last: u32,\n    pub new: u32,\n")),
    );
    repo.write("src/b.rs", format!("pub fn last() {{}}\n\n{}", place.replace("pub(super) at", "at")));
    repo.commit("second");
    let answer = repo.cora(&["impact", "--json", "HEAD~..HEAD"]).json();
    let all = answer["declarations"].as_array().unwrap().iter();
    let removed: Vec<_> = all.filter(|one| one["change"] == "removed").collect();
    assert!(removed.is_empty(), "{removed:#?}");
}
