//! Which declaration of an old text is which of a new one.

use super::*;
use crate::answer::side::read;
use crate::base::id::ObjectId;
use crate::index::chunk::{ChunkOptions, Language, chunk};
use crate::index::record::{self, FileRecord, OpenRecord, RecordView};

fn side(path: &str, text: &str) -> Option<Side> {
    let language = Language::detect(path.as_bytes(), text.as_bytes());
    let id = ObjectId::from_bytes(&[0; 20]).unwrap();
    let indexed = record::build(id, language.name(), text, chunk(language, text, &ChunkOptions::default()));
    let bytes = record::encode(&FileRecord::Indexed(indexed));
    let Ok(OpenRecord::Indexed(view)) = RecordView::open(&bytes) else { panic!("{path} is indexed") };
    Some(read(path.into(), &view, text).unwrap())
}

/// Writes each pair with its lines: `changed a 1 2`, `removed b 3`. Texts that stayed are `kept`,
/// forward declarations that came or went have `forward`. Only symbols that end with `name`.
fn listed(path: &str, name: &str, old: &str, new: &str) -> Vec<String> {
    let files = [File { path: path.into(), old: side(path, old), new: side(path, new) }];
    let found = pairs(&files);
    let line = |side: &Option<Side>, at: Option<SideDeclaration>| {
        at.and_then(|at| declared(side, at.1)).map(|one| (one.symbol.clone(), one.line))
    };
    let mut all: Vec<(Option<u32>, String)> = Vec::new();
    let mut add = |what: &str, from: Option<SideDeclaration>, to: Option<SideDeclaration>| {
        let (from, to) = (line(&files[0].old, from), line(&files[0].new, to));
        let symbol = to.as_ref().or(from.as_ref()).unwrap().0.clone();
        if symbol.ends_with(name) {
            let lines: Vec<String> = [&from, &to].into_iter().flatten().map(|at| at.1.to_string()).collect();
            all.push((to.or(from).map(|at| at.1), format!("{what} {}", lines.join(" "))));
        }
    };
    for (from, to) in &found.kept {
        add("kept", Some(*from), Some(*to));
    }
    for (change, from, to) in &found.changes {
        let is_covered = is_covered_by_definition(&files, &(*change, *from, *to));
        add(&format!("{}{}", change.name(), if is_covered { " covered" } else { "" }), *from, *to);
    }
    for (change, from, to) in &found.forward {
        add(&format!("forward {}", change.name()), *from, *to);
    }
    all.sort();
    all.into_iter().map(|one| one.1).collect()
}

/// What a case is about, its file, the end of its symbols, both texts, and what is expected.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

fn check(cases: &[Case]) {
    for (what, path, name, old, new, expected) in cases {
        assert_eq!(listed(path, name, old, new), *expected, "{what}");
    }
}

#[test]
fn bodies_are_paired_with_bodies_and_prototypes_with_prototypes() {
    const PROTOTYPE: &str = "static void fire(struct ctx *);\n";
    check(&[
        (
            "a new forward declaration before an edited definition",
            "a.c",
            "fire",
            "static void fire(struct ctx *c)\n{\n\tone(c);\n}\n",
            "static void fire(struct ctx *);\n\nstatic void fire(struct ctx *c)\n{\n\ttwo(c);\n}\n",
            &["forward added 1", "changed 1 3"],
        ),
        (
            "the forward declaration goes, and the definition is edited",
            "a.c",
            "fire",
            "static void fire(struct ctx *);\n\nstatic void fire(struct ctx *c)\n{\n\tone(c);\n}\n",
            "static void fire(struct ctx *c)\n{\n\ttwo(c);\n}\n",
            &["changed 3 1", "forward removed 1"],
        ),
        (
            "both have another signature, and the prototype is below",
            "a.c",
            "fire",
            "void fire(int);\n\nvoid fire(int a)\n{\n\tone(a);\n}\n",
            "void fire(int a, int b)\n{\n\tone(a + b);\n}\n\nvoid fire(int, int);\n",
            &["changed 3 1", "changed covered 1 6"],
        ),
        (
            "the definition goes, and the prototype stays",
            "a.c",
            "fire",
            "static void fire(struct ctx *);\n\nstatic void fire(struct ctx *c)\n{\n\tone(c);\n}\n",
            PROTOTYPE,
            &["kept 1 1", "removed 3"],
        ),
        ("a prototype alone is removed", "a.h", "fire", PROTOTYPE, "int other;\n", &["removed 1"]),
        (
            "a prototype becomes a definition",
            "a.c",
            "fire",
            PROTOTYPE,
            "static void fire(struct ctx *c)\n{\n\tone(c);\n}\n",
            &["changed 1 1"],
        ),
        (
            "an external declaration of a variable goes",
            "a.c",
            "limit",
            "extern int limit;\nint limit = 3;\n",
            "int limit = 4;\n",
            &["changed 2 1", "forward removed 1"],
        ),
    ]);
}

#[test]
fn a_forward_declaration_of_another_overload_is_its_own() {
    check(&[
        (
            "a new overload that is defined elsewhere",
            "a.cpp",
            "fire",
            "void fire(double a) {\n  one(a);\n}\n",
            "void fire(const char *);\nvoid fire(double a) {\n  one(a);\n}\n",
            &["added 1", "kept 1 2"],
        ),
        (
            "a forward declaration with a default value",
            "a.cpp",
            "fire",
            "void fire(const char *name, int n) {\n  one(name);\n}\n",
            "void fire(const char*, int n = 3);\nvoid fire(const char *name, int n) {\n  one(name);\n}\n",
            &["forward added 1", "kept 1 2"],
        ),
        (
            "the prototype of a member says who may use it",
            "a.cpp",
            "fire",
            "class A {\n  void fire(int a);\n};\nvoid A::fire(int a) {\n  one(a);\n}\n",
            "class A {\n};\nvoid A::fire(int a) {\n  one(a);\n}\n",
            &["removed 2", "kept 4 3"],
        ),
    ]);
}

#[test]
fn overloads_are_paired_by_their_signatures() {
    check(&[
        (
            "the first goes and the second is edited, in Java",
            "A.java",
            "get",
            "class A {\n  int get(int a) {\n    return one(a);\n  }\n  int get(String s) {\n    return two(s);\n  }\n}\n",
            "class A {\n  int get(String s) {\n    return three(s);\n  }\n}\n",
            &["changed 5 2", "removed 2"],
        ),
        (
            "one comes above two that are edited, in C++",
            "a.cpp",
            "get",
            "int get(int a) {\n  return one(a);\n}\nint get(Name s) {\n  return two(s);\n}\n",
            "int get(long a) {\n  return 1;\n}\nint get(int a) {\n  return one(a, a);\n}\nint get(Name s) {\n  return two();\n}\n",
            &["added 1", "changed 1 4", "changed 4 7"],
        ),
        (
            "they change places, and one takes another parameter",
            "A.java",
            "get",
            "class A {\n  int get(int a) {\n    return first.of(a).value(table);\n  }\n  int get(String s) {\n    return two(s);\n  }\n}\n",
            "class A {\n  int get(String s, int n) {\n    return two(s, n);\n  }\n  int get(int a) {\n    return first.of(a).value(table);\n  }\n}\n",
            &["changed 5 2", "kept 2 5"],
        ),
        (
            "an overload signature of TypeScript goes",
            "a.ts",
            "get",
            "function get(a: string): string;\nfunction get(a: number): number;\nfunction get(a: any) {\n  return one(a);\n}\n",
            "function get(a: number): number;\nfunction get(a: any) {\n  return two(a);\n}\n",
            &["kept 2 1", "removed 1", "changed 3 2"],
        ),
        (
            "the implementation of TypeScript's overloads is edited, and an overload comes",
            "a.ts",
            "get",
            "function get(a: string): string;\nfunction get(a: any) {\n  return one(a);\n}\n",
            "function get(a: number): number;\nfunction get(a: string): string;\nfunction get(a: any) {\n  return two(a);\n}\n",
            &["added 1", "kept 1 2", "changed 2 3"],
        ),
        (
            "an overload of a type stub in Python comes first",
            "a.py",
            "get",
            "@overload\ndef get(a: str) -> str: ...\ndef get(a):\n    return one(a)\n",
            "@overload\ndef get(a: int) -> int: ...\n@overload\ndef get(a: str) -> str: ...\ndef get(a):\n    return two(a)\n",
            &["added 2", "kept 2 4", "changed 3 5"],
        ),
    ]);
}

#[test]
fn members_of_several_blocks_are_paired_by_block() {
    const OLD: &str = "\
impl Display for A {
    fn fmt(&self, f: &mut Formatter) -> Result {
        one(f)
    }
}

impl Debug for A {
    fn fmt(&self, f: &mut Formatter) -> Result {
        two(f)
    }
}
";
    let debug =
        "impl Debug for A {\n    fn fmt(&self, f: &mut Formatter) -> Result {\n        three(f)\n    }\n}\n";
    assert_eq!(listed("a.rs", "fmt", OLD, debug), ["changed 8 2", "removed 2"]);
    let swapped = format!("{debug}\n{}", OLD.split("\n\n").next().unwrap().replace("one(f)", "two(f)"));
    assert_eq!(listed("a.rs", "fmt", OLD, &swapped), ["changed 8 2", "changed 2 8"]);
    let both = OLD.replace("one(f)", "one(f)?");
    assert_eq!(listed("a.rs", "A", OLD, &both), ["kept 1 1", "kept 7 7"]);
}

#[test]
fn branches_of_a_condition_are_paired_by_what_they_do() {
    let twins = |windows: &str, other: &str| {
        format!(
            "#ifdef _WIN32\nint now(void)\n{{\n{windows}}}\n#else\nint now(void)\n{{\n{other}}}\n#endif\n"
        )
    };
    let (windows, other) = ("\treturn query_counter(\"windows\");\n", "\treturn clock_gettime(\"posix\");\n");
    let old = twins(windows, other);
    let new = twins(windows, "\tlog();\n\treturn clock_gettime(\"posix\");\n");
    assert_eq!(listed("a.c", "now", &old, &new), ["kept 2 2", "changed 7 7"]);
    let one = "int now(void)\n{\n\tlog();\n\treturn clock_gettime(\"posix\");\n}\n";
    assert_eq!(listed("a.c", "now", &old, one), ["changed 7 1"]);
    // It is still declared, so a variant that goes or comes is a change.
    let one = one.replace("\tlog();\n", "");
    assert_eq!(listed("a.c", "now", &old, &one), ["changed 2 1", "kept 7 1"]);
    assert_eq!(listed("a.c", "now", &one, &old), ["changed 1 2", "kept 1 7"]);
    let python =
        "if OLD:\n    def now(a):\n        return one(a)\nelse:\n    def now(a):\n        return two(a)\n";
    assert_eq!(
        listed("a.py", "now", python, "def now(a):\n    return two(a)\n"),
        ["changed 2 1", "kept 5 1"]
    );
    let php = "<?php\nif (interface_exists(T::class)) {\n    interface E extends T\n    {\n    }\n} else {\n    interface E\n    {\n    }\n}\n";
    assert_eq!(listed("a.php", "E", php, "<?php\n\ninterface E extends C\n{\n}\n"), ["changed 3 3"]);
}

#[test]
fn a_getter_is_not_its_setter() {
    let getter = "    @property\n    def size(self):\n        return self.n\n";
    let setter = "    @size.setter\n    def size(self, n):\n        self.n = n\n";
    let (old, new) =
        (format!("class A:\n{getter}"), format!("class A:\n{setter}{}", getter.replace("self.n", "self.m")));
    assert_eq!(listed("a.py", "size", &old, &new), ["added 3", "changed 3 6"]);
    let old =
        "class A {\n  get size() {\n    return this.n;\n  }\n  set size(n) {\n    this.n = n;\n  }\n}\n";
    let new = "class A {\n  set size(n) {\n    this.m = n;\n  }\n}\n";
    assert_eq!(listed("a.js", "size", old, new), ["changed 5 2", "removed 2"]);
}

#[test]
fn a_renamed_function_may_have_another_text() {
    let old = "static int create(char *name, int flags) {
    struct ctx *c = find(name);
    if (c == NULL) return -1;
    c->flags = flags;
    c->used = now();
    return store(c);
}
";
    let new = old.replace("create(", "load(").replace("int flags)", "int flags, int replace)");
    assert_eq!(listed("a.c", "load", old, &new), ["moved 1 1"]);
    let other = "static int load(int a) {
    for (int i = 0; i < a; i++) send(i);
    flush(a, 1);
    log_line(\"done\");
    return 0;
}
";
    assert_eq!(listed("a.c", "load", old, other), ["added 1"], "another function");
    let (old, new) = ("int a(void) { return 1; }\n", "int b(void) { return 2; }\n");
    assert_eq!(listed("a.c", "b", old, new), ["added 1"], "a short one");
}

#[test]
fn short_texts_of_other_names_are_alike_by_chance() {
    let getter = |name: &str, of: &str, body: &str| {
        format!("package a\n\nfunc (s *EtcdServer) {name}() {of} {{ return s.{body} }}\n")
    };
    let old = getter("StoreStats", "[]byte", "v2store.JsonStats()");
    let renamed = ["moved a.go:EtcdServer.StoreStats a.go:EtcdServer.Config"];
    let apart = ["added a.go:EtcdServer.Config", "removed a.go:EtcdServer.StoreStats"];
    for (new, expected) in [
        (getter("Config", "ServerConfig", "Cfg"), &apart[..]),
        (getter("Config", "[]byte", "v2store.Config()"), &apart[..]),
        (getter("Config", "[]byte", "v2store.JsonStats()"), &renamed[..]),
        (getter("Config", "json.Text", "v2store.JsonStats()"), &renamed[..]),
    ] {
        assert_eq!(listed_in(&[("a.go", &old)], &[("a.go", &new)]), expected, "{new}");
    }
    // Another case of the name is the same one.
    assert_eq!(
        listed_in(
            &[("a.go", &getter("config", "ServerConfig", "cfg"))],
            &[("a.go", &getter("Config", "ServerConfig", "Cfg"))]
        ),
        ["moved a.go:EtcdServer.config a.go:EtcdServer.Config"]
    );
    // A variable without a body is a short text, too.
    let error =
        |name: &str, text: &str| format!("package a\n\nvar {name} = errors.New(\"server: {text} it\")\n");
    assert_eq!(
        listed_in(&[("a.go", &error("ErrStop", "stopped"))], &[("a.go", &error("ErrBegin", "begun"))]),
        ["added a.go:ErrBegin", "removed a.go:ErrStop"]
    );
    // The same name in another type of another file says as little.
    let string = |of: &str| {
        format!("package a\n\nfunc (i {of}) String() string {{ return strconv.FormatUint(uint64(i), 10) }}\n")
    };
    assert_eq!(
        listed_in(&[("a.go", &string("Index"))], &[("b.go", &string("*uint32Value").replace("(i)", "(*i)"))]),
        ["added b.go:uint32Value.String", "removed a.go:Index.String"]
    );
    let method = |of: &str, options: &str| {
        format!(
            "package a\n\ntype {of} interface {{\n\tGet(ctx context.Context, key string, opts {options}) (*Response, error)\n}}\n"
        )
    };
    let found = listed_in(
        &[("a.go", &method("KeysAPI", "*GetOptions"))],
        &[("b.go", &method("Interface", "GetOptions"))],
    );
    assert!(found.contains(&"removed a.go:KeysAPI.Get".to_owned()), "{found:?}");
}

#[test]
fn a_function_changes_with_the_functions_in_it() {
    let function = "def outer(a):\n    def inner(b):\n        return b + 1\n    return inner(a)\n";
    let class = "class outer:\n    def inner(b):\n        return b + 1\n    size = 2\n";
    let suite = "describe('outer', () => {\n  it('inner', () => {\n    expect(b + 1);\n  });\n});\n";
    let change = |path: &str, old: &str| listed(path, "outer", old, &old.replace("b + 1", "b + 2"));
    assert_eq!(change("a.py", function), ["changed 1 1"]);
    assert_eq!(change("a.py", class), ["kept 1 1"], "a method");
    assert_eq!(change("a.test.js", suite), ["kept 1 1"], "a test");
}

#[test]
fn a_renamed_type_keeps_its_members() {
    let class = |name: &str| {
        format!(
            "class {name}:
    def first(self):
        return a
    def second(self):
        send(a, a, None)
    def third(self):
        return read(a)
"
        )
    };
    let (old, new) = (class("Reader"), class("Source"));
    assert_eq!(listed("a.py", "Source", &old, &new), ["moved 1 1"]);
    assert_eq!(listed("a.py", "first", &old, &new), ["moved 2 2"]);
    let rest = format!("class Reader:\n    pass\n\n\n{new}");
    assert_eq!(listed("a.py", "Source", &old, &rest), ["added 5"], "the old type stays");
}

#[test]
fn many_of_one_symbol_are_paired_in_order() {
    let list =
        |from: usize| -> String { (from..from + 100).map(|n| format!("# Notes\n\nItem {n}.\n\n")).collect() };
    let found = listed("a.md", "Notes", &list(0), &list(1));
    assert_eq!(found.iter().filter(|one| one.starts_with("kept")).count(), 99, "{found:?}");
    assert_eq!(found.last().unwrap(), "changed 1 397");
}

/// Writes what happened to each declaration of several files: `moved a.py:f b.py:f`, `kept a.py:f`.
fn listed_in(old: &[(&str, &str)], new: &[(&str, &str)]) -> Vec<String> {
    let text = |list: &[(&str, &str)], path: &str| {
        list.iter().find(|one| one.0 == path).and_then(|(path, text)| side(path, text))
    };
    let mut paths: Vec<&str> = old.iter().chain(new).map(|one| one.0).collect();
    paths.sort_unstable();
    paths.dedup();
    let files: Vec<File> = paths
        .iter()
        .map(|path| File { path: (*path).into(), old: text(old, path), new: text(new, path) })
        .collect();
    let found = pairs(&files);
    let line = |at: Option<SideDeclaration>, is_old: bool| {
        let at = at?;
        let one = declared(if is_old { &files[at.0].old } else { &files[at.0].new }, at.1)?;
        Some(format!(" {}:{}", files[at.0].path, one.symbol))
    };
    let mut all: Vec<String> = Vec::new();
    let kept = found.kept.iter().map(|(from, to)| ("kept", Some(*from), Some(*to)));
    let changes = found.changes.iter().map(|(change, from, to)| (change.name(), *from, *to));
    for (what, from, to) in kept.chain(changes) {
        let places = [line(from, true), line(to, false)];
        all.push(format!("{what}{}", places.into_iter().flatten().collect::<String>()));
    }
    all.sort();
    all
}

#[test]
fn a_member_of_a_renamed_file_is_the_one_of_its_name() {
    let old = "TIMEOUT = 30\n\n\nclass Conf:\n    def __init__(self, data):\n        self._data = data\n\n    \
               def name(self):\n        return self._data\n";
    let new = old.replace("30", "60").replace("_data", "_values");
    assert_eq!(
        listed_in(&[("conf.py", old)], &[("settings.py", &new)]),
        [
            "moved conf.py:Conf settings.py:Conf",
            "moved conf.py:Conf.__init__ settings.py:Conf.__init__",
            "moved conf.py:Conf.name settings.py:Conf.name",
            "moved conf.py:TIMEOUT settings.py:TIMEOUT",
        ]
    );
    let old = "export const LIMIT = 3;\n\nexport class A {\n  f(a) {\n    return a;\n  }\n}\n";
    let new = "export const LIMIT = 4;\n\nexport class A {\n  f(a: number) {\n    return a + 1;\n  }\n}\n";
    assert_eq!(
        listed_in(&[("a.js", old)], &[("a.ts", new)]),
        ["moved a.js:A a.ts:A", "moved a.js:A.f a.ts:A.f", "moved a.js:LIMIT a.ts:LIMIT"]
    );
    // Two programs that have nothing in common but a name, and the comment above it.
    let license =
        "# Permission is granted to use, copy, modify and distribute this software for any purpose.\n";
    let license = license.repeat(4);
    assert_eq!(
        listed_in(
            &[("a.py", &format!("{license}\nimport os\n\n\ndef main():\n    os.remove('x')\n"))],
            &[(
                "b.py",
                &format!("{license}\nfrom json import load\n\n\ndef main():\n    print(load(open('y')))\n")
            )]
        ),
        ["added b.py:main", "removed a.py:main"]
    );
}

#[test]
fn a_member_of_a_renamed_type_is_the_one_of_its_name() {
    let long = "    def load(self, path):\n        with open(path) as file:\n            \
                self.rows = [line.strip() for line in file]\n        return self.rows\n\n";
    let old = format!("class Conf:\n{long}    def name(self):\n        return self.a\n");
    let new = format!("class Settings:\n{long}    def name(self):\n        return 3\n");
    assert_eq!(
        listed_in(&[("a.py", &old)], &[("a.py", &new)]),
        [
            "moved a.py:Conf a.py:Settings",
            "moved a.py:Conf.load a.py:Settings.load",
            "moved a.py:Conf.name a.py:Settings.name",
        ]
    );
}

#[test]
fn a_definition_moves_to_its_prototype_and_back() {
    let header = "class A {\n public:\n  int f(int a);\n  int g();\n};\n";
    let source = "#include \"a.h\"\n\nint A::f(int a) { return a; }\n\nint A::g() { return 2; }\n";
    let inside = header.replace("f(int a);", "f(int a) { return a + 1; }");
    let outside = source.replace("int A::f(int a) { return a; }\n\n", "");
    let [before, after] = [[("a.cc", source), ("a.h", header)], [("a.cc", &outside), ("a.h", &inside)]];
    assert_eq!(
        listed_in(&before, &after),
        [
            "kept a.cc:A::g a.cc:A::g",
            "kept a.h:A a.h:A",
            "kept a.h:A::g a.h:A::g",
            "moved a.cc:A::f a.h:A::f"
        ]
    );
    assert_eq!(
        listed_in(&after, &before),
        [
            "kept a.cc:A::g a.cc:A::g",
            "kept a.h:A a.h:A",
            "kept a.h:A::g a.h:A::g",
            "moved a.h:A::f a.cc:A::f"
        ]
    );
    let below = format!("{header}inline int A::f(int a) {{ return a + 1; }}\n");
    assert_eq!(
        listed_in(&before, &[("a.cc", &outside), ("a.h", &below)]),
        [
            "kept a.cc:A::g a.cc:A::g",
            "kept a.h:A a.h:A",
            "kept a.h:A::f a.h:A::f",
            "kept a.h:A::g a.h:A::g",
            "moved a.cc:A::f a.h:A::f"
        ]
    );
}

#[test]
fn another_name_in_a_statement_changes_nothing_else() {
    for (path, old, new, expected) in [
        (
            "a.js",
            "export const { alpha, beta } = make();\n",
            "export const { alpha, beta, gamma } = make();\n",
            ["added a.js:gamma", "kept a.js:alpha a.js:alpha", "kept a.js:beta a.js:beta"],
        ),
        (
            "a.py",
            "red, green = 1, 2\n",
            "red, green, blue = 1, 2, 3\n",
            ["added a.py:blue", "kept a.py:green a.py:green", "kept a.py:red a.py:red"],
        ),
        (
            "a.lua",
            "local R, S = f()\n",
            "local R, S, T = f()\n",
            ["added a.lua:T", "kept a.lua:R a.lua:R", "kept a.lua:S a.lua:S"],
        ),
    ] {
        assert_eq!(listed_in(&[(path, old)], &[(path, new)]), expected, "{path}");
    }
}

#[test]
fn a_body_that_begins_is_not_another_signature() {
    for (path, name, old, new) in [
        ("a.rb", "Tiny", "class Tiny < Base; end\n", "class Tiny < Base\n  def f\n  end\nend\n"),
        (
            "a.rb",
            "Tiny",
            "class Tiny\n  # Nothing.\nend\n",
            "class Tiny\n  # Nothing.\n  def f\n  end\nend\n",
        ),
        ("a.rb", "f", "def f(a) # none\nend\n", "def f(a) # none\n  1\nend\n"),
        ("a.lua", "f", "local function f() end\n", "local function f() return 1 end\n"),
    ] {
        let signature = |text: &str| {
            let side = side(path, text).unwrap();
            side.declarations.iter().find(|one| one.name == name).unwrap().parts.signature.clone()
        };
        assert_eq!(signature(old), signature(new), "{old}");
    }
}

#[test]
fn a_namespace_of_a_whole_file_gives_its_scope_to_what_follows() {
    let class = "public class A\n{\n    public int F() { return 1; }\n}\n";
    let braces = format!("using System;\n\nnamespace My.App\n{{\n{class}}}\n");
    let line = format!("using System;\n\nnamespace My.App;\n\n{class}");
    for (old, new) in [(&braces, &line), (&line, &braces)] {
        let files = [File { path: "A.cs".into(), old: side("A.cs", old), new: side("A.cs", new) }];
        let found = pairs(&files);
        assert_eq!((found.kept.len(), found.changes.len()), (2, 1), "{found:?}");
        let of = |side: &Option<Side>| side.as_ref().unwrap().declarations[0].parts.clone();
        let sides = [("App", DeclarationKind::Module); 2];
        assert_eq!(of(&files[0].new).differences(&of(&files[0].old), sides, "c-sharp"), []);
    }
}

#[test]
fn a_module_that_files_reopen_is_not_another_one() {
    let file = |class: &str, method: &str, body: &str| {
        format!("module Shop\n  class {class}\n    def {method}\n      {body}\n    end\n  end\nend\n")
    };
    let cart = file("Cart", "total", "lines.sum(&:price) * (1 + tax)");
    let item = file("Item", "label", "[name, size].join(sign).strip");
    let till = file("Till", "open", "drawer.unlock(key) if clerk.at_work?");
    let found = listed_in(&[("lib/a.rb", &cart), ("lib/b.rb", &item)], &[("lib/c.rb", &till)]);
    assert!(found.iter().all(|one| !one.starts_with("moved")), "{found:#?}");
}

#[test]
fn a_method_that_became_a_function_is_moved() {
    let body =
        "{\n\tfirst := c.table.find(key, c.limit)\n\tc.seen[first.name] += first.size\n\treturn first\n}\n";
    let method = format!("package a\n\nfunc (c *Cache) Get(key string) Entry {body}");
    let function = format!("package a\n\nfunc Get(c *Cache, key string) Entry {body}");
    assert_eq!(listed("a.go", "Get", &method, &function), ["moved 3 3"]);
    assert_eq!(listed("a.go", "Get", &function, &method), ["moved 3 3"]);
    let other = function.replace("first", "found").replace("Get", "Size");
    assert_eq!(listed("a.go", "Size", &method, &other), ["added 3"], "another function");
}
