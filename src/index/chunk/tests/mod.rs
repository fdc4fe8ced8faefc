//! Tests of the whole stage: a golden sample per language, and properties that hold for every text.
//!
//! A new language gets a sample in `samples/` (small, with one of everything that its table names)
//! and a line in [`SAMPLES`]. The snapshots show declarations, chunks and references; read them
//! before you accept them.

#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod calls;
mod declarations;
mod forms;
mod fsharp;
mod hardware;
mod languages;
mod limits;
mod lisp;
mod macros;
mod members;
mod names;
mod objects;
mod readable;
mod scopes;
mod statements;
mod syntax;

use super::*;
use proptest::prelude::*;
use std::fmt::Write as _;

const SAMPLES: &[(&str, &str)] = &[
    ("asciidoc", include_str!("samples/asciidoc.adoc")),
    ("assembly", include_str!("samples/assembly.s")),
    ("astro", include_str!("samples/astro.astro")),
    ("bash", include_str!("samples/bash.sh")),
    ("blade", include_str!("samples/blade.blade.php")),
    ("c", include_str!("samples/c.c")),
    #[cfg(feature = "lang-c-sharp")]
    ("c-sharp", include_str!("samples/c-sharp.cs")),
    ("clojure", include_str!("samples/clojure.clj")),
    ("cmake", include_str!("samples/cmake.cmake")),
    ("common-lisp", include_str!("samples/common-lisp.lisp")),
    ("cpp", include_str!("samples/cpp.cpp")),
    ("css", include_str!("samples/css.css")),
    #[cfg(feature = "lang-dart")]
    ("dart", include_str!("samples/dart.dart")),
    ("dockerfile", include_str!("samples/dockerfile.dockerfile")),
    #[cfg(feature = "lang-elixir")]
    ("elixir", include_str!("samples/elixir.ex")),
    ("elm", include_str!("samples/elm.elm")),
    ("emacs-lisp", include_str!("samples/emacs-lisp.el")),
    ("erb", include_str!("samples/erb.erb")),
    ("erlang", include_str!("samples/erlang.erl")),
    #[cfg(feature = "lang-fortran")]
    ("fortran", include_str!("samples/fortran.f90")),
    ("fsharp", include_str!("samples/fsharp.fs")),
    ("gdscript", include_str!("samples/gdscript.gd")),
    ("glsl", include_str!("samples/glsl.glsl")),
    ("go", include_str!("samples/go.go")),
    ("go-template", include_str!("samples/go-template.tpl")),
    ("graphql", include_str!("samples/graphql.graphql")),
    ("groovy", include_str!("samples/groovy.groovy")),
    ("haskell", include_str!("samples/haskell.hs")),
    ("html", include_str!("samples/html.html")),
    ("ini", include_str!("samples/ini.ini")),
    ("java", include_str!("samples/java.java")),
    ("javascript", include_str!("samples/javascript.js")),
    ("jinja", include_str!("samples/jinja.j2")),
    ("json", include_str!("samples/json.json")),
    ("julia", include_str!("samples/julia.jl")),
    ("jupyter", include_str!("samples/jupyter.ipynb")),
    #[cfg(feature = "lang-kotlin")]
    ("kotlin", include_str!("samples/kotlin.kt")),
    ("latex", include_str!("samples/latex.tex")),
    ("less", include_str!("samples/less.less")),
    ("lua", include_str!("samples/lua.lua")),
    ("makefile", include_str!("samples/makefile.mk")),
    ("markdown", include_str!("samples/markdown.md")),
    ("mediawiki", include_str!("samples/mediawiki.mediawiki")),
    ("nix", include_str!("samples/nix.nix")),
    #[cfg(feature = "lang-objective-c")]
    ("objective-c", include_str!("samples/objective-c.m")),
    ("ocaml", include_str!("samples/ocaml.ml")),
    ("ocaml-interface", include_str!("samples/ocaml-interface.mli")),
    ("org", include_str!("samples/org.org")),
    ("pascal", include_str!("samples/pascal.pas")),
    #[cfg(feature = "lang-perl")]
    ("perl", include_str!("samples/perl.pl")),
    ("php", include_str!("samples/php.php")),
    ("pod", include_str!("samples/pod.pod")),
    ("powershell", include_str!("samples/powershell.ps1")),
    ("protobuf", include_str!("samples/protobuf.proto")),
    ("python", include_str!("samples/python.py")),
    ("r", include_str!("samples/r.R")),
    ("racket", include_str!("samples/racket.rkt")),
    #[cfg(feature = "lang-c-sharp")]
    ("razor", include_str!("samples/razor.razor")),
    ("restructuredtext", include_str!("samples/restructuredtext.rst")),
    ("roff", include_str!("samples/man.1")),
    ("ruby", include_str!("samples/ruby.rb")),
    ("rust", include_str!("samples/rust.rs")),
    #[cfg(feature = "lang-scala")]
    ("scala", include_str!("samples/scala.scala")),
    ("scheme", include_str!("samples/scheme.scm")),
    ("scss", include_str!("samples/scss.scss")),
    ("solidity", include_str!("samples/solidity.sol")),
    ("sql", include_str!("samples/sql.sql")),
    ("svelte", include_str!("samples/svelte.svelte")),
    #[cfg(feature = "lang-swift")]
    ("swift", include_str!("samples/swift.swift")),
    ("terraform", include_str!("samples/terraform.tf")),
    ("texinfo", include_str!("samples/texinfo.texi")),
    ("toml", include_str!("samples/toml.toml")),
    ("tsx", include_str!("samples/tsx.tsx")),
    ("typescript", include_str!("samples/typescript.ts")),
    ("verilog", include_str!("samples/verilog.sv")),
    ("vhdl", include_str!("samples/vhdl.vhd")),
    ("vue", include_str!("samples/vue.vue")),
    ("xml", include_str!("samples/xml.xml")),
    ("yaml", include_str!("samples/yaml.yaml")),
    ("zig", include_str!("samples/zig.zig")),
];

fn language(name: &str) -> Language {
    Language::from_name(name).unwrap()
}

/// Writes a chunked file as readable text.
fn render(language: Language, text: &str, file: &ChunkedFile) -> String {
    let mut out = String::new();
    for one in &file.declarations {
        let mut path = one.name.clone();
        if !one.scope.is_empty() {
            path = format!("{}{}{path}", one.scope, language.separator());
        }
        let is_member = |one: &Declaration| embedded_language(&one.scope).is_none();
        let mut parent = one.parent.filter(|_| is_member(one));
        while let Some(outer) = parent.and_then(|at| file.declarations.get(at as usize)) {
            path = format!("{}{}{path}", outer.name, language.separator());
            parent = outer.parent.filter(|_| is_member(outer));
        }
        let lines = (one.span.start_line, one.span.end_line);
        writeln!(
            out,
            "{:?} {path} {}-{} | {}",
            one.kind,
            lines.0,
            lines.1,
            one.signature.of(text).replace('\n', "⏎")
        )
        .unwrap();
        if !one.doc.is_empty() {
            writeln!(out, "    doc {}", one.doc.of(text).replace('\n', "⏎")).unwrap();
        }
    }
    for (at, one) in file.chunks.iter().enumerate() {
        let name = one.declaration.map(|at| file.declarations[at as usize].name.as_str()).unwrap_or("-");
        writeln!(out, "chunk {at}: {:?} {name} {}-{}", one.kind, one.span.start_line, one.span.end_line)
            .unwrap();
        for reference in file.references.iter().filter(|reference| reference.chunk as usize == at) {
            let Reference { kind, name, qualifier, alias, .. } = reference;
            write!(out, "    {kind:?} {name}").unwrap();
            if !qualifier.is_empty() {
                write!(out, " of {qualifier}").unwrap();
            }
            if !alias.is_empty() {
                write!(out, " as {alias}").unwrap();
            }
            out.push('\n');
        }
    }
    let comments: Vec<_> = file.comments.iter().map(|one| one.of(text).replace('\n', "⏎")).collect();
    writeln!(out, "comments: {}", comments.join(" | ")).unwrap();
    out
}

#[test]
fn samples() {
    // Small chunks, so that the samples get cut.
    let options = ChunkOptions { target_bytes: 200, ..ChunkOptions::default() };
    for (name, text) in SAMPLES {
        let language = language(name);
        if language.lacks_grammar() {
            continue;
        }
        insta::assert_snapshot!(*name, render(language, text, &chunk(language, text, &options)));
    }
    // Man pages are written with one of two sets of macros.
    let (roff, text) = (language("roff"), include_str!("samples/mdoc.mdoc"));
    insta::assert_snapshot!("roff-mdoc", render(roff, text, &chunk(roff, text, &options)));
}

#[test]
fn samples_of_languages_in_languages() {
    let options = ChunkOptions { target_bytes: 200, ..ChunkOptions::default() };
    for (name, of, text) in [
        ("razor-cshtml", "razor", include_str!("samples/cshtml.cshtml")),
        ("embedded-ruby", "ruby", include_str!("samples/embedded.rb")),
        ("embedded-typescript", "typescript", include_str!("samples/embedded.ts")),
    ] {
        let language = language(of);
        if language.lacks_grammar() || Language::from_name("sql").is_none_or(Language::lacks_grammar) {
            continue;
        }
        let file = chunk(language, text, &options);
        check(text, &file);
        insta::assert_snapshot!(name, render(language, text, &file));
    }
}

/// Damaged code in code: cut at each byte, and with bytes left out.
#[test]
fn damaged_samples_of_languages_in_languages() {
    let options = ChunkOptions { target_bytes: 200, ..ChunkOptions::default() };
    let mut seed = 1u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    for (of, text) in [
        ("razor", include_str!("samples/razor.razor")),
        ("razor", include_str!("samples/cshtml.cshtml")),
        ("ruby", include_str!("samples/embedded.rb")),
        ("typescript", include_str!("samples/embedded.ts")),
    ] {
        let language = language(of);
        for end in 0..text.len() {
            let cut = &text[..end];
            check(cut, &chunk(language, cut, &options));
        }
        for _ in 0..100 {
            let mut damaged = text.to_owned();
            for _ in 0..4 {
                let start = random(damaged.len());
                let end = (start + 1 + random(8)).min(damaged.len());
                damaged.replace_range(start..end, "");
            }
            check(&damaged, &chunk(language, &damaged, &options));
        }
    }
}

/// Checks everything that holds for every text.
fn check(text: &str, file: &ChunkedFile) {
    let all = u32::try_from(text.len()).unwrap();
    assert_eq!(file.n_lines as usize, text.lines().count());
    let lies = |bytes: ByteRange| {
        assert!(bytes.start <= bytes.end && bytes.end <= all, "{bytes:?}");
        assert!(
            text.is_char_boundary(bytes.start as usize) && text.is_char_boundary(bytes.end as usize),
            "{bytes:?}"
        );
    };
    let mut covered = vec![false; file.n_lines as usize];
    let mut last = 0;
    for one in &file.chunks {
        lies(one.span.bytes);
        assert!(!one.span.bytes.of(text).trim().is_empty());
        assert!(one.kind == ChunkKind::Window || one.span.bytes.start >= last);
        last = one.span.bytes.end;
        assert!(one.span.start_line <= one.span.end_line && one.span.end_line <= file.n_lines);
        covered[one.span.start_line as usize - 1..one.span.end_line as usize].fill(true);
        assert!(one.declaration.is_none_or(|at| (at as usize) < file.declarations.len()));
    }
    // The outputs of a notebook are in no chunk.
    let is_notebook = file.method == Method::Syntax && text.contains("nbformat");
    for (line, covered) in text.lines().zip(covered) {
        assert!(covered || is_notebook || line.trim().is_empty(), "{line:?} is in no chunk");
    }
    let mut depths: Vec<usize> = Vec::new();
    for (at, one) in file.declarations.iter().enumerate() {
        [one.span.bytes, one.signature, one.body, one.doc].into_iter().for_each(lies);
        assert!(one.parent.is_none_or(|parent| (parent as usize) < at));
        let depth = one.parent.map_or(0, |parent| depths[parent as usize] + 1);
        let stored = depths.iter().rposition(|&other| other < depth);
        assert_eq!(stored, one.parent.map(|parent| parent as usize), "a record stores only depths");
        depths.push(depth);
        assert!(one.signature.start >= one.span.bytes.start && one.signature.end <= one.span.bytes.end);
        assert!(one.name_line >= one.span.start_line && one.name_line <= one.span.end_line);
        assert!(at == 0 || file.declarations[at - 1].span.bytes.start <= one.span.bytes.start);
    }
    for pair in file.comments.windows(2) {
        assert!(pair[0].end <= pair[1].start);
    }
    file.comments.iter().copied().for_each(lies);
    assert!(file.references.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(
        file.references.iter().all(|one| (one.chunk as usize) < file.chunks.len() && !one.name.is_empty())
    );
}

#[test]
fn small_and_odd_texts() {
    for language in Language::all() {
        for text in [
            "",
            "\n",
            " \n\t\n",
            "x",
            "\r\n\r\nx\r\n",
            "\u{feff}x",
            "\0",
            "é\u{2028}ü",
            "}\n}\n",
            "/*",
            "\"\"\"",
        ] {
            check(text, &chunk(language, text, &ChunkOptions::default()));
        }
    }
}

#[test]
fn deep_nesting_and_endless_input_end() {
    for (name, unit) in
        [("cpp", "a<"), ("typescript", "a<b>(c?"), ("rust", "("), ("javascript", "{"), ("python", "if x: ")]
    {
        let text = format!("{}\n", unit.repeat(500)).repeat(60_000 / (unit.len() * 500));
        check(&text, &chunk(language(name), &text, &ChunkOptions::default()));
    }
}

#[test]
fn a_pattern_that_is_repeated_is_not_parsed() {
    // The parser would take minutes for each of these: it keeps all readings and compares them at
    // the end.
    for (name, unit) in [("python", "/* "), ("java", "a<"), ("python", "x = [\n"), ("json", "[[")] {
        let text = unit.repeat(200_000 / unit.len());
        let file = chunk(language(name), &text, &ChunkOptions::default());
        check(&text, &file);
        assert_eq!(file.method, Method::Fallback, "{name} {unit:?}");
    }
    let rows: String = (0..4000).map(|i| format!("    ({i}, {}, {}),\n", i * 7 % 13, i * i % 101)).collect();
    let text = format!("TABLE = [\n{rows}]\n");
    let file = chunk(language("python"), &text, &ChunkOptions::default());
    assert_eq!(file.method, Method::Syntax, "a table of numbers is code");
}

#[test]
fn a_template_refers_to_its_script() {
    for (name, text) in [
        ("html", "<button onclick=\"save()\">x</button>\n<script>\nfunction save() {}\n</script>\n"),
        (
            "vue",
            "<template>\n<b @click=\"save\">x</b>\n</template>\n\n<script>\nfunction save() {}\n</script>\n",
        ),
        ("svelte", "<b on:click={save}>x</b>\n<script>\nfunction save() {}\n</script>\n"),
        ("astro", "---\nfunction save() {}\n---\n<b>{save()}</b>\n"),
    ] {
        let options = ChunkOptions { target_bytes: 64, ..ChunkOptions::default() };
        let file = chunk(language(name), text, &options);
        check(text, &file);
        let declared = file.declarations.iter().find(|one| one.name == "save").unwrap();
        assert_eq!(declared.kind, DeclarationKind::Function, "{name}");
        let line = text.lines().position(|line| line.starts_with("function")).unwrap() + 1;
        assert_eq!(declared.name_line as usize, line, "{name}");
        assert!(file.references.iter().any(|one| one.name == "save"), "{name}");
    }
}

#[test]
fn a_page_with_tags_is_a_template_and_a_page() {
    let text = "{% extends \"base.html\" %}\n{% from \"forms.html\" import field %}\n\n{% block content %}\n\
                <form id=\"pay\">\n  {{ field(\"x\") }} {{ save(1) }} {% include 'total.html' %}\n</form>\n\
                {% endblock %}\n\n<script>\nfunction save() {}\n</script>\n";
    let file = chunk(language("html"), text, &ChunkOptions::default());
    check(text, &file);
    let of = |name: &str| file.declarations.iter().find(|one| one.name == name).unwrap();
    assert_eq!((of("content").span.start_line, of("content").span.end_line), (4, 8));
    assert_eq!(of("save").kind, DeclarationKind::Function);
    assert_eq!(of("pay").kind, DeclarationKind::Element);
    let found: Vec<_> = file.references.iter().map(|one| (one.kind, one.name.as_str())).collect();
    use ReferenceKind as R;
    for expected in
        [(R::Import, "base.html"), (R::Import, "field"), (R::Import, "total.html"), (R::Call, "field")]
    {
        assert!(found.contains(&expected), "{expected:?} in {found:?}");
    }
    assert!(!found.contains(&(R::Call, "save")), "a variable of the template is not a function");
    let plain = chunk(language("html"), "<p id=\"a\">{{ x }}</p>\n", &ChunkOptions::default());
    assert!(plain.references.is_empty());
}

/// ERB, Blade, Jinja, Go's templates and PHP: their scripts belong to another family of languages.
#[test]
fn a_template_of_another_language_refers_to_its_script() {
    for (name, text) in [
        (
            "erb",
            "<a onclick=\"save('<%= id %>')\">x</a>\n<script>\n<% if admin? %>\nfunction save(id) {\n  var a = \
             <%= to_json(@a) %>;\n  show_<%= id %>(a, <%= b %>.c);\n}\n<% end %>\n</script>\n",
        ),
        (
            "blade",
            "<a onclick=\"save({{ $id }})\">x</a>\n<style>\n@media print {\n}\n</style>\n<script>\n@if($admin)\n\
             function save(id) {\n  var a = @json($a), b = {!! $b !!};\n}\n@endif\n</script>\n",
        ),
        (
            "jinja",
            "<a onclick=\"save({{ id }})\">x</a>\n<script>\n{% if admin %}\nfunction save(id) {\n  var a = \
             {{ a|tojson }};\n}\n{% endif %}\n</script>\n",
        ),
        (
            "go-template",
            "{{define \"a\"}}<a onclick=\"save({{.ID}})\">x</a>\n<script>\n{{if .Admin}}\nfunction save(id) {\n  \
             var a = {{.A}};\n}\n{{end}}\n</script>\n{{end}}\n",
        ),
        (
            "php",
            "<?php $id = 1; ?>\n<a onclick=\"save(<?= $id ?>)\">x</a>\n<script>\n<?php if ($admin) { ?>\n\
             function save(id) {\n  var a = <?php echo json($a); ?>;\n}\n<?php } ?>\n</script>\n",
        ),
    ] {
        let options = ChunkOptions { target_bytes: 64, ..ChunkOptions::default() };
        let file = chunk(language(name), text, &options);
        check(text, &file);
        let of_script: Vec<_> =
            file.declarations.iter().filter(|one| one.scope.starts_with("`javascript`")).collect();
        let [save] = of_script.as_slice() else { panic!("{name}: {of_script:?}") };
        assert_eq!((save.name.as_str(), save.kind), ("save", DeclarationKind::Function), "{name}");
        let line = text.lines().position(|line| line.starts_with("function")).unwrap() + 1;
        assert_eq!(save.name_line as usize, line, "{name}");
        let of_script: Vec<_> =
            file.references.iter().filter(|one| one.alias.starts_with("`javascript`")).collect();
        assert!(of_script.iter().any(|one| one.name == "save"), "{name}: {of_script:?}");
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        assert!(of_script.iter().all(|one| is_name(&one.name)), "{name}: {of_script:?}");
    }
    let program =
        chunk(language("php"), "<?php\n$a = '<script>function f() {}</script>';\n", &ChunkOptions::default());
    assert!(program.declarations.iter().all(|one| one.name != "f"));
}

#[cfg(feature = "lang-scala")]
#[test]
fn nodes_that_go_on_to_the_next_one() {
    let method = |name: &str| format!("  def {name}(n: Int): Int =\n    {}n\n", "n + ".repeat(20));
    let text = format!("object A {{\n{}{}{}}}\n", method("one"), method("two"), method("three"));
    let options = ChunkOptions { target_bytes: 120, ..ChunkOptions::default() };
    let file = chunk(language("scala"), &text, &options);
    let lines: Vec<_> = file.chunks.iter().map(|one| (one.span.start_line, one.span.end_line)).collect();
    assert_eq!(lines, [(1, 3), (4, 5), (6, 8)]);
}

#[cfg(feature = "lang-kotlin")]
#[test]
fn kotlins_scanner_does_not_pass_the_end() {
    for end in ["@", "@Foo", "@Foo(", "@Foo(1", "@file:Foo", "constructor@Foo", "val a get() = 1\n@Foo"] {
        for before in ["", "class A ", "class A {\n    val a = 1\n", "val a = 1\n"] {
            let text = format!("{before}{end}");
            check(&text, &chunk(language("kotlin"), &text, &ChunkOptions::default()));
        }
    }
}

#[test]
fn a_declaration_that_is_moved_keeps_its_parts_inside() {
    let range = |start, end| ByteRange { start, end };
    let declared = |bytes, lines: (u32, u32), signature| Declaration {
        name: "a".to_owned(),
        scope: String::new(),
        kind: DeclarationKind::Function,
        parent: None,
        span: Span { bytes, start_line: lines.0, end_line: lines.1 },
        name_line: lines.0,
        signature,
        body: ByteRange::default(),
        doc: ByteRange::default(),
    };
    let mut both =
        [declared(range(50, 90), (5, 9), range(50, 60)), declared(range(10, 40), (1, 4), range(10, 20))];
    in_order(&mut both);
    let [first, second] = &both;
    assert_eq!((first.span.bytes, first.signature), (range(50, 90), range(50, 60)));
    assert_eq!((second.span.bytes, second.signature), (range(50, 50), range(50, 50)));
    assert_eq!((second.span.start_line, second.name_line), (5, 5));
}

#[test]
fn characters_outside_of_a_scanners_table() {
    for text in ["{\u{8caf4}", "{1\u{10ffff}..2}", "f() { echo {😀; }\n"] {
        check(text, &chunk(language("bash"), text, &ChunkOptions::default()));
    }
}

#[test]
fn states_that_a_scanner_has_no_room_for() {
    let levels = |unit: &str| (0..700).map(|at| " ".repeat(at) + unit).collect::<String>();
    for (name, text) in [
        ("yaml", "- ".repeat(300) + "x\n"),
        ("yaml", levels("x:\n")),
        ("python", levels("if x:\n") + &" ".repeat(700) + "y = \"\"\n"),
        ("python", "if x:\n \\\n".repeat(700)),
        ("ruby", format!("<<~{}\n", "A".repeat(300))),
        ("ruby", format!("<<~\"{}\"\n", "A\n".repeat(150))),
        ("ruby", format!("x <<<~\"{}\"\n", "A".repeat(300))),
        ("ruby", format!("<<{}\n", "\u{e9}".repeat(300))),
        ("ruby", (0..300).map(|at| format!("<<A{at}, ")).collect()),
        ("ruby", "\"#{".repeat(200) + "<<AAAAAAAAAAAAAAAAAAA\n"),
    ] {
        check(&text, &chunk(language(name), &text, &ChunkOptions::default()));
    }
}

#[test]
fn a_class_behind_macros_keeps_its_members() {
    let text = "class Buffer {\n  API Buffer(int n) : n_(n) {}\n  API_20 ~Buffer() {}\n  \
                int size() const { return n_; }\n  int n_;\n};\n\nAPI Value make(int n) { return Value(n); }\n";
    let file = chunk(language("cpp"), text, &ChunkOptions::default());
    let named = |name: &str, class: &str| {
        let outer = |one: &Declaration| one.parent.and_then(|at| file.declarations.get(at as usize));
        let is = |one: &&Declaration| {
            one.name == name && outer(one).map_or("", |outer| &outer.name) == class && one.scope.is_empty()
        };
        assert_eq!(
            file.declarations.iter().filter(is).count(),
            1,
            "{name} of {class}: {:?}",
            file.declarations
        );
    };
    named("Buffer", "");
    named("Buffer", "Buffer");
    named("~Buffer", "Buffer");
    named("size", "Buffer");
    named("make", "");
}

#[test]
fn what_is_read_over_and_over() {
    for (name, unit) in [("javascript", "/* "), ("sql", "$a "), ("lua", "é [[ "), ("julia", "é \"\"\" ")] {
        let text = format!("{}\n", unit.repeat(100)).repeat(400);
        check(&text, &chunk(language(name), &text, &ChunkOptions::default()));
    }
}

#[test]
fn what_is_not_parsed() {
    let minified = format!("var a={};\n", "1+".repeat(10_000));
    assert_eq!(chunk(language("javascript"), &minified, &ChunkOptions::default()).method, Method::Fallback);
    let numbers: String = (0..200_000).map(|n| format!("{n},\n")).collect();
    assert!(numbers.len() > MAX_PARSE_BYTES);
    let large = format!("[\n{numbers}0\n]\n");
    assert_eq!(chunk(language("json"), &large, &ChunkOptions::default()).method, Method::Fallback);
    let repeated = "x = 1\n".repeat(10_000);
    assert_eq!(chunk(language("python"), &repeated, &ChunkOptions::default()).method, Method::Fallback);
    assert_eq!(chunk(language("text"), "x", &ChunkOptions::default()).method, Method::Windows);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text(text in "(?s).{0,400}", at in 0..SAMPLES.len(), target_bytes in 1u32..400) {
        let options = ChunkOptions { target_bytes, window_tokens: target_bytes, window_overlap: 20 };
        for name in [SAMPLES[at].0, "text"] {
            check(&text, &chunk(language(name), &text, &options));
        }
    }

    #[test]
    fn code_like_text(
        words in proptest::collection::vec("[a-z]{1,3}|[(){}<>;:,.=\"'#/*&]|\n| +|class |def |fn |func |//|/\\*", 0..200),
        at in 0..SAMPLES.len(),
    ) {
        let text = words.concat();
        let options = ChunkOptions { target_bytes: 80, ..ChunkOptions::default() };
        check(&text, &chunk(language(SAMPLES[at].0), &text, &options));
    }

    #[test]
    fn damaged_code(
        at in 0..SAMPLES.len(),
        from in 0.0..1.0f64,
        len in 0usize..60,
        put in "\\PC{0,3}",
        target_bytes in 64u32..600,
    ) {
        let (name, sample) = SAMPLES[at];
        let nth = (sample.len() as f64 * from) as usize;
        let place = sample.char_indices().map(|(at, _)| at).nth(nth).unwrap_or(0);
        let mut ends = (place..=sample.len()).filter(|&end| sample.is_char_boundary(end));
        let end = ends.find(|&end| end >= place + len).unwrap_or(sample.len());
        let text = format!("{}{put}{}", &sample[..place], &sample[end..]);
        let options = ChunkOptions { target_bytes, ..ChunkOptions::default() };
        let language = language(name);
        let file = chunk(language, &text, &options);
        check(&text, &file);
        prop_assert_eq!(&file, &chunk(language, &text, &options));
    }
}
