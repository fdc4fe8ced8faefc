//! Tests of excerpts: what is read of one is what is read of the whole text.

use super::*;

/// Functions or methods in a language, one for each value.
fn functions(language: &str, values: &[usize]) -> String {
    let one = |value: &usize| match language {
        "python" => format!(
            "    def f{value}(self, a):\n        b = a + {value}\n        return step(b, {value})\n\n"
        ),
        "java" => format!(
            "    /** Does {value}. */\n    int f{value}(int a) {{\n        int b = a + {value};\n        return step(b);\n    }}\n\n"
        ),
        _ => format!(
            "/* Does {value}. */\nint f{value}(int a) {{\n    int b = a + {value};\n    return step(b);\n}}\n\n"
        ),
    };
    values.iter().map(one).collect()
}

fn text(language: &str, values: &[usize]) -> String {
    let inside = functions(language, values);
    match language {
        "python" => format!("import os\n\nclass A:\n    \"\"\"A class.\"\"\"\n{inside}"),
        "java" => format!("package a;\n\nclass A {{\n    private int x = 1;\n\n{inside}}}\n"),
        _ => format!("#include <a.h>\n\n#define X 1\n\n{inside}"),
    }
}

/// Reads a text with and without the help of another one. Returns whether that helped.
fn helps(language: &str, old: &str, new: &str) -> bool {
    let language = Language::from_name(language).unwrap();
    let options = ChunkOptions::default();
    let of = |text: &str| chunk(language, text, &options);
    let ChunkedFile { declarations, errors: Some(errors), .. } = of(old) else { return false };
    let known = KnownVersion { language, text: old, declarations: &declarations, errors: &errors };
    let found = read(new, known, &options);
    if let Some(found) = &found {
        let expected = of(new);
        assert_eq!(found.declarations, expected.declarations, "{new}");
        assert_eq!(Some(&found.errors), expected.errors.as_ref(), "{new}");
    }
    found.is_some()
}

const LANGUAGES: [&str; 3] = ["c", "java", "python"];

#[test]
fn a_change_in_a_function_leaves_the_others_out() {
    let values: Vec<usize> = (0..30).collect();
    for language in LANGUAGES {
        let old = text(language, &values);
        for (from, to) in [
            ("step(b, 7)", "step(b,\n            7)"),
            ("f12(", "other("),
            ("f0(", "zero("),
            ("a + 29;", "a +\n        29;"),
            ("class A", "class Other"),
            ("/* Does 4. */", "/* Does\n four. */\n\nint more;"),
        ] {
            let new = old.replace(from, to);
            assert!(new == old || helps(language, &old, &new), "{language}: {from}");
        }
        let (without, doubled) = (
            text(language, &[&values[..9], &values[14..]].concat()),
            text(language, &[&values[..20], &values[9..]].concat()),
        );
        for (old, new) in [(&old, &without), (&without, &old), (&old, &doubled), (&doubled, &old)] {
            assert!(helps(language, old, new), "{language}");
        }
    }
}

#[test]
fn what_a_change_breaks_is_read_as_a_whole() {
    let values: Vec<usize> = (0..30).collect();
    for (language, from, to) in [
        ("c", "/* Does 9. */", "/* Does 9."),
        ("c", "a + 9;\n", "a + 9; {\n"),
        ("c", "#define X 1", "#if X"),
        ("java", "a + 9;\n", "a + 9; }\n"),
        ("java", "class A {", "interface A {"),
        ("python", "        b = a + 9", "        b = '''a + 9"),
    ] {
        let old = text(language, &values);
        let new = old.replace(from, to);
        assert!(new != old);
        helps(language, &old, &new);
        helps(language, &new, &old);
    }
    let old = text("java", &values);
    assert!(!helps("java", &old, &old.replace("class A {", "interface A {")), "its methods are others");
    assert!(!helps("c", "int f();\n", "int g();\n"), "a small text is not worth it");
    let long = format!("{}// {}\n", text("c", &values), "x ".repeat(3000));
    assert!(!helps("c", &long, &long.replace("a + 3", "a + 4")), "a text that is parsed in pieces");
}

#[test]
fn a_variable_that_is_assigned_elsewhere_is_looked_for_there() {
    let values: Vec<usize> = (0..30).collect();
    let old = text("python", &values).replace("b = a + 20\n", "b = a + LIMIT\n");
    for (name, expected) in [("LIMIT", false), ("OTHER", true)] {
        let new = old.replace("import os\n", &format!("import os\n\n{name} = 1\n"));
        assert_eq!(helps("python", &old, &new), expected, "{name}");
        assert_eq!(helps("python", &new, &old), expected, "{name}");
    }
}

#[test]
fn a_function_beside_a_change_loses_its_body() {
    let large = |value: usize| {
        let lines: String = (0..200).map(|at| format!("    step({at}, {value});\n")).collect();
        format!("int large{value}(int a) {{\n{lines}    return a;\n}}\n\n")
    };
    let old = format!("{}int small(int a) {{\n    return a;\n}}\n\n{}", large(1), large(2));
    assert!(helps("c", &old, &old.replace("return a;\n}\n\nint large2", "return 1;\n}\n\nint large2")));
    let other = old.replace(&large(1), "").replace("step(100, 2);", "step(100, 2);\n#define STEP(a) a");
    assert!(
        !helps("c", &other, &other.replace("int small(int a)", "int small(int b)")),
        "it defines a macro"
    );
}

#[test]
fn errors_that_hide_nothing_stay_in_the_excerpt() {
    let values: Vec<usize> = (0..40).collect();
    // A macro in front of a block: the parser misses a semicolon.
    let old = text("c", &values).replace("a + 7;", "a + 7;\n    EACH(a) {\n        step(a);\n    }");
    let at = |value: usize| old.replace(&format!("a + {value};"), &format!("a - {value};"));
    assert!(helps("c", &old, &at(7)));
    assert!(helps("c", &old, &at(25)));
    let other = old.replace("a + 20;", "a + 20;\n    EACH(a) {\n        step(a);\n        step(b);\n    }");
    helps("c", &old, &other);
    helps("c", &other, &old);
    let hides = old.replace("EACH(a) {", "EACH(a) {{\nint g(int c) {");
    assert!(!helps("c", &hides, &old), "an error that may hide functions");
    helps("c", &old, &hides);
}

#[test]
fn all_errors_count() {
    let values: Vec<usize> = (0..60).collect();
    let with = |n: usize| {
        let old = text("c", &values);
        (0..n).fold(old, |old, at| {
            old.replace(
                &format!("a + {at};"),
                &format!("a + {at};\n    EACH(a) {{\n        step(a);\n    }}"),
            )
        })
    };
    for n in [1, 11, 12, 13] {
        let (old, next) = (with(n), with(n + 1));
        assert!(helps("c", &old, &old.replace("a + 50;", "a - 50;")), "{n}");
        helps("c", &old, &next);
        helps("c", &next, &old);
    }
}

#[test]
fn a_macro_that_begins_to_be_defined_is_looked_for_in_the_rest() {
    let values: Vec<usize> = (0..30).collect();
    let old = text("c", &values).replace("a + 20;", "API(a) + 20;");
    for (name, expected) in [("API", false), ("OTHER", true)] {
        let new = old.replace("#define X 1", &format!("#define X 1\n#define {name}(x) x\n"));
        assert_eq!(helps("c", &old, &new), expected, "{name}");
    }
}

/// The declarations of a name, each with the name of the one around it.
fn named<'d>(all: &'d [Declaration], name: &str) -> Vec<(Declaration, Option<&'d str>)> {
    let around = |one: &Declaration| Some(all.get(one.parent? as usize)?.name.as_str());
    let named = all.iter().filter(|one| one.name == name);
    named.map(|one| (Declaration { parent: None, ..one.clone() }, around(one))).collect()
}

/// Reads the declarations of a name in one text after the other. Returns how many of the last one's
/// were not read; `None` if it must be read as a whole.
fn unread_of(language: &str, name: &str, texts: &[&str]) -> Option<usize> {
    let language = Language::from_name(language).unwrap();
    let options = ChunkOptions::default();
    let of = |text: &str| chunk(language, text, &options);
    let (first, rest) = texts.split_first().unwrap();
    let ChunkedFile { declarations, errors, .. } = of(first);
    let mut known = FoundSyntax { declarations, errors: errors.unwrap() };
    let mut before = first;
    for text in rest {
        let FoundSyntax { declarations, errors } = &known;
        let last = KnownVersion { language, text: before, declarations, errors };
        known = read_named(name, text, last, &options)?;
        assert_eq!(named(&known.declarations, name), named(&of(text).declarations, name), "{text}");
        before = text;
    }
    Some(known.declarations.iter().filter(|one| one.name.is_empty()).count())
}

#[test]
fn what_lacks_the_name_is_not_read() {
    let values: Vec<usize> = (0..30).collect();
    for language in LANGUAGES {
        let old = text(language, &values);
        let change =
            |text: &str, value: usize| text.replace(&format!("= a + {value}"), &format!("= a - {value}"));
        let others = change(&change(&old, 4), 22);
        assert_eq!(unread_of(language, "f12", &[&old, &others]), Some(2), "{language}");
        // What was not read stays the same, changes again, or becomes the one that is asked for.
        let both = change(&others, 12);
        assert_eq!(unread_of(language, "f12", &[&old, &others, &both]), Some(2), "{language}");
        assert_eq!(unread_of(language, "f12", &[&old, &others, &both, &old]), Some(2), "{language}");
        let other_name = both.replace("f12(", "g(").replace("f4(", "f12(");
        assert!(unread_of(language, "f12", &[&old, &others, &other_name]).is_some(), "{language}");
        let called = both.replace("= a - 4", "= f12(a)");
        assert_eq!(unread_of(language, "f12", &[&old, &others, &called]), Some(1), "{language}");
    }
}

#[test]
fn a_change_without_the_name_that_may_hide_it_is_read() {
    let values: Vec<usize> = (0..30).collect();
    let old = text("c", &values);
    for to in ["a + 9;\n#if X\n", "a + 9;\n#define Y 1\n"] {
        let new = old.replace("a + 9;\n", to);
        assert!(new != old && unread_of("c", "f20", &[&old, &new]).is_none_or(|n| n == 0), "{to}");
    }
    let class = |methods: &str| format!("class B {{\n\n{methods}}}\n\n");
    let java = |methods: &str| format!("{}{}", class(methods), text("java", &values));
    let all = functions("java", &[40, 41, 42, 43]);
    let split =
        all.replace("41(int a) {\n", "41(int a) {\n    }\n\n}\n\nclass C {\n\n    int f50(int a) {\n");
    assert!(unread_of("java", "f43", &[&java(&all), &java(&split)]).is_none(), "it is in another class");
    let inside = text("java", &values).replace("a + 9;", "a - 9;");
    assert_eq!(unread_of("java", "A", &[&text("java", &values), &inside]), Some(0), "it is inside");
    // Errors in what is left out don't count, and others stay.
    let with = |value: usize, text: &str| {
        text.replace(
            &format!("a + {value};"),
            &format!("a + {value};\n    EACH(1) {{\n        step(a);\n    }}"),
        )
    };
    let (one, both) = (with(7, &old), with(20, &with(7, &old)));
    let without = |text: &str, value: usize| text.replace(&format!("a + {value};"), "a;");
    assert_eq!(unread_of("c", "f20", &[&one, &without(&one, 7)]), Some(1));
    assert_eq!(unread_of("c", "f20", &[&both, &without(&both, 7)]), Some(1));
    assert_eq!(unread_of("c", "f20", &[&both, &without(&both, 20)]), Some(0));
    assert!(unread_of("c", "f20", &[&one, &with(20, &one)]).is_none_or(|n| n == 0));
}
