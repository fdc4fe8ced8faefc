//! Texts with places that their grammar cannot read, and what is found around them.

use crate::index::chunk::{ChunkOptions, ChunkedFile, Language, chunk};

fn chunked(language: &str, text: &str) -> Option<ChunkedFile> {
    let language = Language::from_name(language).filter(|one| !one.lacks_grammar())?;
    Some(chunk(language, text, &ChunkOptions::default()))
}

/// Returns the declarations: owner, name, line.
fn declared(file: &ChunkedFile) -> Vec<(&str, &str, u32)> {
    let name = |at: u32| file.declarations[at as usize].name.as_str();
    let all = file.declarations.iter();
    all.map(|one| (one.parent.map(name).unwrap_or_default(), one.name.as_str(), one.name_line)).collect()
}

#[test]
fn a_broken_function_costs_itself() {
    for (language, text, expected) in [
        (
            "go",
            "package p\n\nfunc a() int {\n\tx := 1\n\treturn x\n\nfunc b() {}\n\nfunc c() {\n\tb()\n}\n",
            &[("", "a", 3), ("", "b", 7), ("", "c", 9)][..],
        ),
        (
            "java",
            "class A {\n    void a() {\n        y(\"abc);\n    }\n\n    void b() {\n    }\n\n    void c() {\n    }\n}\n",
            &[("", "A", 1), ("A", "a", 2), ("A", "b", 6), ("A", "c", 9)],
        ),
        (
            "python",
            "def broken(a, b:\n    return 1\n\ndef x():\n    pass\n\nclass C:\n    def y(self):\n        pass\n",
            &[("", "x", 4), ("", "C", 7), ("C", "y", 8)],
        ),
        (
            "swift",
            "func f(a\n\nfunc g() {}\n\nclass C {\n  func h() {}\n}\n",
            &[("", "g", 3), ("", "C", 5), ("C", "h", 6)],
        ),
        (
            "kotlin",
            "class Repo\n@Inject internal constructor(val a: Any?) {\n    fun get(): Int = 1\n}\ninterface Channel<E> {\n    fun go()\n}\n",
            &[("", "Repo", 1), ("Repo", "get", 3), ("", "Channel", 5), ("Channel", "go", 6)],
        ),
    ] {
        let Some(file) = chunked(language, text) else { continue };
        let found = declared(&file);
        assert_eq!(found, expected, "{language}");
    }
}

#[test]
fn both_sides_of_a_conflict_are_read() {
    let text = "fn a() {\n<<<<<<< HEAD\n    b();\n=======\n    c();\n>>>>>>> other\n}\n\nfn d() {}\n\n<<<<<<< HEAD\nfn e() {}\n=======\nfn f() {}\n>>>>>>> other\nfn g() {}\n";
    let Some(file) = chunked("rust", text) else { return };
    assert_eq!(declared(&file), [("", "a", 1), ("", "d", 9), ("", "e", 12), ("", "f", 14), ("", "g", 16)]);
    let calls: Vec<&str> = file.references.iter().map(|one| one.name.as_str()).collect();
    assert!(calls.contains(&"b") && calls.contains(&"c"), "{calls:?}");
}

#[test]
fn references_behind_a_broken_place_stay() {
    let text = "package p\n\nfunc a() int {\n\tx := 1\n\treturn x\n\nfunc b() {}\n\nfunc c() {\n\tb()\n}\n";
    let Some(file) = chunked("go", text) else { return };
    assert!(file.references.iter().any(|one| one.name == "b"), "{:?}", file.references);
}

#[test]
fn what_declares_no_lost_line_stays() {
    let text = "int x = (1;\nint y;\n\nint f(void) {\n  return ];\n}\n";
    let Some(file) = chunked("c", text) else { return };
    assert!(declared(&file).iter().any(|one| one.1 == "f"), "{:?}", declared(&file));
}

#[test]
fn locals_do_not_outweigh_a_function_that_is_lost() {
    let text = "static const struct f list[] = {\n#define B(n) F(f_ ## n, \"_\" #n, 3),\n};\nstatic block first(void) {\n  block init = BLOCK(gen(DUP),\n               BLOCK(bound(LOADVN, empty),\n                     bound(LOADVN, last)));\n  {\n    struct bytes defs[] = {\n    }\n  }\n  {\n    struct bytes others[] = {\n      all = BLOCK(all, make(others[i].name,\n                                              others[i].code));\n    }\n    block range = BLOCK(gen(DUP),\n                        bound(RANGE, rangevar));\n    all = BLOCK(all, make(\"range\",\n                                            range));\n  }\n}\n";
    let Some(file) = chunked("c", text) else { return };
    assert!(declared(&file).iter().any(|one| one.1 == "first"), "{:?}", declared(&file));
}

#[test]
fn a_label_in_nested_blocks_costs_no_function() {
    let text = "int a(int n)\n{\n  while (n) {\n    verbose(const char *s = NULL);\nagain:\n    n--;\n  }\n  return n;\n}\nint b(void) { return a(1); }\n";
    let Some(file) = chunked("c", text) else { return };
    let found = declared(&file);
    let outermost: Vec<&str> = found.iter().filter(|one| one.0.is_empty()).map(|one| one.1).collect();
    assert_eq!(outermost, ["a", "b"]);
}

#[test]
fn both_sides_of_a_conflict_have_their_place() {
    let merge = |before: &str, first: &str, second: &str, after: &str| {
        format!("{before}<<<<<<< HEAD\n{first}=======\n{second}>>>>>>> other\n{after}")
    };
    for (language, text, expected) in [
        (
            "c-sharp",
            merge("class A {\n", "int a() { return 1; }\n", "int b() { return 2; }\n", "void d() { }\n}\n"),
            &[("", "A", 1), ("A", "a", 3), ("A", "b", 5), ("A", "d", 7)][..],
        ),
        (
            "c",
            merge("", "int x;\n", "int y;\n", "struct B { int b; };\n"),
            &[("", "x", 2), ("", "y", 4), ("", "B", 6)],
        ),
        (
            "go",
            merge("package x\nfunc a() {\n\tf(\n", "1,\n", "2,\n", ")\n}\nfunc b() {}\n"),
            &[("", "a", 2), ("", "b", 11)],
        ),
        (
            "scss",
            merge(".a { }\n", ".b { }\n", ".c { }\n", ".d { }\n"),
            &[("", ".a", 1), ("", ".b", 3), ("", ".c", 5), ("", ".d", 7)],
        ),
        (
            "sql",
            merge("CREATE TABLE a (\n", "x int,\n", "y int,\n", "z int\n);\nCREATE TABLE b (id int);\n"),
            &[("", "a", 1), ("a", "x", 3), ("a", "y", 5), ("a", "z", 7), ("", "b", 9), ("b", "id", 9)],
        ),
        (
            "python",
            merge("def a():\n    f(\n", "        1,\n", "        2,\n", "    )\n\ndef b():\n    pass\n"),
            &[("", "a", 1), ("", "b", 10)],
        ),
        (
            "yaml",
            merge("a: 1\n", "b: 2\n", "c: 3\n", "d: 4\n"),
            &[("", "a", 1), ("", "b", 3), ("", "c", 5), ("", "d", 7)],
        ),
        (
            "java",
            "class A {\n<<<<<<< HEAD\nvoid a() {}\n||||||| base\nvoid x() {}\n=======\nvoid b() {}\n>>>>>>> other\n}\n"
                .to_owned(),
            &[("", "A", 1), ("A", "a", 3), ("A", "b", 7)],
        ),
    ] {
        let Some(file) = chunked(language, &text) else { continue };
        assert_eq!(declared(&file), expected, "{language}");
    }
}

#[test]
fn an_entry_that_cannot_be_read_costs_itself() {
    for (text, expected) in [
        ("a: 1\nb: foo: bar\nc: 3\n", &[("", "a", 1), ("", "b", 2), ("", "c", 3)][..]),
        ("a: 1\nb: @at\nc: 3\n", &[("", "a", 1), ("", "b", 2), ("", "c", 3)]),
        ("a: 1\nb:\n\tx: 2\nc: 3\n", &[("", "a", 1), ("", "b", 2), ("", "c", 4)]),
        ("a:\n  b: @at\n  c: 3\nd: 4\n", &[("", "a", 1), ("a", "b", 2), ("a", "c", 3), ("", "d", 4)]),
        ("a: [1\nb: 2\n---\nc: 3\n", &[("", "a", 1), ("", "b", 2), ("", "c", 4)]),
        ("a:\n- b: @at\n- c: 3\nd: 4\n", &[("", "a", 1), ("", "d", 4)]),
    ] {
        let Some(file) = chunked("yaml", text) else { return };
        assert_eq!(declared(&file), expected, "{text}");
        let unparsed = crate::index::chunk::unparsed_bytes(Language::from_name("yaml").unwrap(), text);
        assert!(unparsed > Some(0), "{text}");
    }
}
