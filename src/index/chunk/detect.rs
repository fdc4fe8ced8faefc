//! Detection: (file name, first bytes) → language.
//!
//! The name decides first, then the `#!` line, then a line for an editor (`vim: ft=ruby`) and the
//! first tag (`<?php`). Some extensions say too little: `.txt` can be
//! reStructuredText, `.1` a man page, `.cls` LaTeX or another language, and `.ts` TypeScript or a
//! translation of Qt. The text decides for those, by marks that other files don't have.

use bstr::ByteSlice;

use super::{Language, header};

impl Language {
    /// Returns the language of a file, by its name, then by its `#!` line. The first kilobytes are
    /// enough; they also distinguish C++ headers from C headers.
    pub fn detect(path: &[u8], first_bytes: &[u8]) -> Self {
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
        let name = String::from_utf8_lossy(name);
        if let Some(language) = Self::by_file_name(&name) {
            return language;
        }
        if let Some((stem, extension)) = name.rsplit_once('.') {
            if name.ends_with(".blade.php") {
                return Self::from_name("blade").unwrap_or(Self::TEXT);
            }
            let document = document(stem, extension, first_bytes);
            if let Some(language) = document.and_then(Self::from_name) {
                return language;
            }
            // A known extension wins; names such as `Dockerfile.test` come after it.
            if let Some(language) = Self::by_extension(extension) {
                let other = other_meaning(language.name(), stem, extension, first_bytes);
                return other.and_then(Self::from_name).unwrap_or(language);
            }
            let is_named = |language: &Self| matches!(language.name(), "dockerfile" | "makefile");
            if let Some(language) = Self::by_file_name(stem).filter(is_named) {
                return language;
            }
        }
        let language = interpreter(first_bytes).and_then(Self::by_interpreter);
        language.or_else(|| modeline(first_bytes)).or_else(|| marked(first_bytes)).unwrap_or(Self::TEXT)
    }
}

/// Bytes at the beginning of a file that decide what kind of document it is.
const MARKED_BYTES: usize = 16 << 10;

/// Returns the language of a document whose extension is not enough to know it.
fn document(stem: &str, extension: &str, first_bytes: &[u8]) -> Option<&'static str> {
    let extension = extension.to_ascii_lowercase();
    let text = first_bytes.get(..MARKED_BYTES).unwrap_or(first_bytes);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    match extension.as_str() {
        "txt" | "rest" => is_restructuredtext(text).then_some("restructuredtext"),
        "asc" => is_asciidoc(text).then_some("asciidoc"),
        "cls" => is_latex(text).then_some("latex"),
        "wiki" => is_wiki(text).then_some("mediawiki"),
        "in" => {
            let (_, section) = stem.rsplit_once('.')?;
            (is_section(section) && is_page(text)).then_some("roff")
        }
        "man" => is_page(text).then_some("roff"),
        section => (is_section(section) && is_page(text)).then_some("roff"),
    }
}

/// Languages whose files may begin like XML.
const MARKUP: [&str; 14] = [
    "astro",
    "blade",
    "erb",
    "html",
    "jinja",
    "markdown",
    "mediawiki",
    "php",
    "razor",
    "svelte",
    "svg",
    "text",
    "vue",
    "xml",
];

/// Returns the language of a file whose extension means another language as well, if the text is in
/// that one; `text` stands for a language that is not known.
fn other_meaning(language: &str, stem: &str, extension: &str, first_bytes: &[u8]) -> Option<&'static str> {
    let text = first_bytes.get(..MARKED_BYTES).unwrap_or(first_bytes);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    // Translations of Qt are `.ts`, tile sets are `.tsx`.
    let begin = text.trim_ascii_start();
    let is_xml = begin.starts_with(b"<?xml") || begin.starts_with(b"<!DOCTYPE TS");
    if is_xml && !MARKUP.contains(&language) {
        return Some("xml");
    }
    let begins = |words: &[&str]| {
        lines(text).any(|line| words.iter().any(|word| line.trim_ascii_start().starts_with(word.as_bytes())))
    };
    let first_is = |words: &[&str]| {
        let first = lines(text).map(<[u8]>::trim_ascii).find(|line| !line.is_empty()).unwrap_or_default();
        words.iter().any(|word| first.starts_with(word.as_bytes()))
    };
    match extension.to_ascii_lowercase().as_str() {
        "h" if is_objective_c(text) => Some("objective-c"),
        "h" if modeline(text) == Language::from_name("cpp") => Some("cpp"),
        "h" if header::is_cpp(&String::from_utf8_lossy(first_bytes)) => Some("cpp"),
        "h" if may_be_objective_c(text) => Some("objective-c"),
        // `.C` and `.H` are C++, unless everything is in capitals, as on old systems.
        _ if matches!(extension, "C" | "H") && stem.contains(|c: char| c.is_ascii_lowercase()) => Some("cpp"),
        // MATLAB, Octave and Mathematica.
        "m" if first_is(&["%", "## ", "function ", "function[", "classdef ", "(*"]) => Some("text"),
        // Prolog.
        "pl" if first_is(&["% ", "%%"]) || begins(&[":- "]) => Some("text"),
        // Raku.
        "pl" | "pm" | "t" if begins(&["use v6", "unit module ", "unit class "]) => Some("text"),
        // Tests in the shell, and those of Cram.
        "t" if interpreter(text).and_then(Language::by_interpreter) == Language::from_name("bash") => {
            Some("bash")
        }
        "t" if begins(&["$ "]) => Some("text"),
        // OpenCL.
        "cl" if begins(&["__kernel ", "kernel void ", "#pragma ", "#define "]) => Some("c"),
        // Coq.
        "v" if begins(&["Require Import ", "Require Export ", "Theorem ", "Lemma ", "Fixpoint "]) => {
            Some("text")
        }
        // The language V.
        "v" if begins(&["fn main()", "pub fn "]) => Some("text"),
        // A fragment shader, and Forth.
        "fs" if begins(&GLSL_LINES) => Some("glsl"),
        "fs" if first_is(&["\\ ", ": "]) => Some("text"),
        // Plans of circuits: KiCad and Eagle.
        "sch" if first_is(&["EESchema "]) => Some("text"),
        "sch" if first_is(&["<?xml"]) => Some("xml"),
        // Puppet.
        "pp" if !is_pascal(text) => Some("text"),
        // RenderScript.
        "rs" if begins(&["#pragma "]) => Some("c"),
        _ => None,
    }
}

/// Beginnings of lines of a fragment shader.
const GLSL_LINES: [&str; 9] = [
    "#version ",
    "void main(",
    "precision highp ",
    "precision lowp ",
    "precision mediump ",
    "uniform mat",
    "uniform sampler",
    "uniform vec",
    "varying vec",
];

/// Returns whether a header is Objective-C: whether a line begins with a word that only it has.
fn is_objective_c(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 4] = [b"@interface ", b"@protocol ", b"@implementation ", b"@import "];
    lines(text).any(|line| WORDS.iter().any(|word| line.starts_with(word)))
}

/// Returns whether a header that is not C++ is Objective-C. A header of C++ may announce a class
/// for both.
fn may_be_objective_c(text: &[u8]) -> bool {
    lines(text).any(|line| {
        let line = line.trim_ascii_end();
        // Another `#import` of C++ names a library of types.
        line.starts_with(b"@class ")
            || line.starts_with(b"#import ") && (line.ends_with(b".h>") || line.ends_with(b".h\""))
    })
}

/// Returns whether a text is Pascal: whether a line begins with a word that its files have.
fn is_pascal(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 10] = [
        b"unit ",
        b"program ",
        b"library ",
        b"package ",
        b"{$",
        b"procedure ",
        b"function ",
        b"implementation",
        b"begin",
        b"uses ",
    ];
    let is_word = |line: &[u8], word: &[u8]| {
        // Puppet has resources (`package { 'git': }`) and functions (`function a::b($c)`).
        let is_puppet = line.contains_str("::") || line.contains(&b'$') && word != b"{$";
        let rest = line.get(word.len()..).unwrap_or_default().trim_ascii_start();
        line.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
            && !rest.starts_with(b"{")
            && !is_puppet
    };
    lines(text).any(|line| WORDS.iter().any(|word| is_word(line.trim_ascii_start(), word)))
}

/// Returns whether an extension is a section of the manual: `1`, `3pm`, `8`.
fn is_section(extension: &str) -> bool {
    let bytes = extension.as_bytes();
    bytes.len() < 6
        && bytes.first().is_some_and(|byte| matches!(byte, b'1'..=b'9'))
        && bytes.iter().skip(1).all(u8::is_ascii_alphabetic)
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// Returns whether the first line that is not a comment is a request that begins a man page.
fn is_page(text: &[u8]) -> bool {
    const FIRST: [&[u8]; 10] = [b"TH", b"Dd", b"SH", b"Sh", b"so", b"Dt", b"ds", b"nh", b"ig", b"if"];
    let is_comment = |line: &[u8]| {
        line.starts_with(b".\\\"")
            || line.starts_with(b"'\\\"")
            || line.starts_with(b"\\\"")
            || line == b"."
            || line == b"'"
    };
    let mut lines = lines(text).filter(|line| !line.trim_ascii().is_empty() && !is_comment(line));
    let Some(first) = lines.next() else { return false };
    let Some(request) = first.strip_prefix(b".").or_else(|| first.strip_prefix(b"'")) else { return false };
    let request = request.trim_ascii_start();
    FIRST.iter().any(|name| {
        request
            .strip_prefix(*name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(b" ") || rest.starts_with(b"\t"))
    })
}

/// Returns whether a text has an underlined title, and a directive, a label or a role.
fn is_restructuredtext(text: &[u8]) -> bool {
    let is_rule = |line: &[u8]| {
        let mark = line.first().copied().unwrap_or_default();
        line.len() > 2 && b"=-~^*#+`\"'".contains(&mark) && line.iter().all(|byte| *byte == mark)
    };
    let is_marked = |line: &[u8]| {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b".. ") else { return false };
        let word = rest.split(|byte| *byte == b' ').next().unwrap_or_default();
        let is_label = word.starts_with(b"_") && rest.contains(&b':') && word.len() > 2;
        is_label || word.ends_with(b"::") && word.len() > 3 && word.iter().all(|byte| byte.is_ascii_graphic())
    };
    let has_role = |line: &[u8]| {
        line.windows(2).enumerate().any(|(at, two)| {
            let before = line.get(..at).unwrap_or_default();
            let name = before.iter().rev().take(20).take_while(|byte| byte.is_ascii_lowercase()).count();
            let colon = before.len().checked_sub(name + 1).and_then(|at| before.get(at));
            two == b":`" && name > 1 && colon == Some(&b':')
        })
    };
    let mut title = false;
    let mut marked = false;
    let mut above = 0;
    for line in lines(text) {
        title |= is_rule(line) && above > 0 && line.len() >= above;
        marked |= is_marked(line) || has_role(line);
        above = if line.starts_with(b" ") || is_rule(line) { 0 } else { line.len() };
    }
    title && marked
}

/// Returns whether a text has a title of AsciiDoc, and is not a key or a signature.
fn is_asciidoc(text: &[u8]) -> bool {
    let is_title = |line: &[u8]| {
        let rest = line.strip_prefix(b"=").unwrap_or_default();
        let rest = rest.strip_prefix(b"=").unwrap_or(rest);
        rest.starts_with(b" ") && rest.len() > 2
    };
    !text.starts_with(b"-----BEGIN") && lines(text).any(is_title)
}

/// Returns whether a text is in LaTeX: some line begins with one of its commands.
fn is_latex(text: &[u8]) -> bool {
    const COMMANDS: [&[u8]; 6] = [
        b"\\NeedsTeXFormat",
        b"\\ProvidesClass",
        b"\\LoadClass",
        b"\\RequirePackage",
        b"\\newcommand",
        b"\\ProvidesExplClass",
    ];
    lines(text).any(|line| COMMANDS.iter().any(|command| line.starts_with(command)))
}

/// Returns whether a text has a heading of MediaWiki.
fn is_wiki(text: &[u8]) -> bool {
    lines(text).any(|line| {
        let line = line.trim_ascii_end();
        line.len() > 6
            && line.starts_with(b"==")
            && line.ends_with(b"==")
            && line.iter().any(u8::is_ascii_alphabetic)
    })
}

/// Returns the words of a `#!` line, without their folders.
fn shebang(line: &[u8]) -> Option<Vec<&str>> {
    let words = std::str::from_utf8(line.strip_prefix(b"#!")?).ok()?.split_whitespace();
    Some(words.map(|word| word.rsplit('/').next().unwrap_or(word)).collect())
}

/// Returns the program of a `#!` line, without its folder and version.
fn interpreter(first_bytes: &[u8]) -> Option<&str> {
    let mut lines = first_bytes.split(|&byte| byte == b'\n');
    let mut all = shebang(lines.next()?)?.into_iter();
    let mut program = all.next()?;
    if program == "env" {
        program = all.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    if program == "nix-shell" {
        // `-i` names the program, here or in the lines below.
        let below = lines.map_while(shebang).flatten();
        program = all.chain(below).skip_while(|word| *word != "-i").nth(1)?;
    }
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(if bare.is_empty() { program } else { bare })
}

/// Lines at the beginning of a file that may name its language for an editor.
const MODELINES: usize = 5;

/// Returns the language that a file names for an editor: `-*- mode: python -*-`, `vim: ft=ruby`.
fn modeline(first_bytes: &[u8]) -> Option<Language> {
    let named = |line: &[u8]| {
        let line = line.get(..line.len().min(256)).and_then(|line| line.to_str().ok())?;
        let emacs = line.split("-*-").nth(1).map(|inside| {
            let mode = inside.split(';').find_map(|part| part.trim().strip_prefix("mode:"));
            mode.unwrap_or(inside).trim()
        });
        let vim =
            ["vim:", "vi:", "ex:"].iter().find_map(|mark| line.split_once(mark)).and_then(|(_, set)| {
                let mut options = set.split([' ', ':', '\t']);
                options.find_map(|one| one.strip_prefix("ft=").or_else(|| one.strip_prefix("filetype=")))
            });
        emacs.or(vim).and_then(by_mode)
    };
    lines(first_bytes).take(MODELINES).find_map(named)
}

/// Returns the language of an editor's mode.
fn by_mode(mode: &str) -> Option<Language> {
    let mode = mode.to_ascii_lowercase();
    Language::from_name(match mode.as_str() {
        "shell-script" | "bash-ts" => "bash",
        "cperl" => "perl",
        "js2" => "javascript",
        "makefile-gmake" | "make" => "makefile",
        mode => mode.trim_end_matches("-mode"),
    })
}

/// Returns the language whose files begin with a tag.
fn marked(first_bytes: &[u8]) -> Option<Language> {
    let text = first_bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first_bytes).trim_ascii_start();
    let tags: [(&[u8], &str); 2] = [(b"<?php", "php"), (b"<?xml ", "xml")];
    tags.iter().find(|(tag, _)| text.starts_with(tag)).and_then(|(_, name)| Language::from_name(name))
}

/// Returns whether files of a language are documents that are split by sections.
pub fn is_document(language: &str) -> bool {
    matches!(
        language,
        "asciidoc"
            | "latex"
            | "markdown"
            | "mediawiki"
            | "org"
            | "pod"
            | "restructuredtext"
            | "roff"
            | "texinfo"
    )
}

/// Returns whether a language is C or a relative, whose headers declare what other files define.
pub fn has_headers(language: &str) -> bool {
    matches!(language, "c" | "cpp" | "objective-c")
}

/// Returns whether files of a language have settings or data, and no code. XML is not among them:
/// it describes the views of many programs.
pub fn is_settings(language: &str) -> bool {
    matches!(language, "ini" | "json" | "json-lines" | "makefile" | "properties" | "toml" | "yaml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects() {
        for (path, first, name) in [
            ("a/b.py", "", "python"),
            ("B.PY", "", "python"),
            ("x/Makefile", "", "makefile"),
            ("CMakeLists.txt", "", "cmake"),
            ("Dockerfile.dev", "", "dockerfile"),
            ("a.h", "#pragma once\nint f(void);\n", "c"),
            ("a.h", "namespace x {\n}\n", "cpp"),
            ("run", "#!/usr/bin/env python3.11\n", "python"),
            ("run", "#!/usr/bin/env -S FOO=1 node --x\n", "javascript"),
            ("run", "#!/bin/sh -e\n", "bash"),
            ("run", "hello", "text"),
            ("run", "#!/usr/bin/make -f\n", "makefile"),
            ("run", "#!/usr/bin/env -S uv run --script\n", "python"),
            ("run", "#!/usr/bin/env nix-shell\n#! nix-shell -i python3 -p git\n", "python"),
            ("run", "# -*- mode: python; tab-width: 4 -*-\n", "python"),
            ("run", "#\n# vim: set ft=ruby :\n", "ruby"),
            ("run", "# vim: ft=unknown\n", "text"),
            ("a.h", "// -*- C++ -*-\nint f();\n", "cpp"),
            ("a.C", "", "cpp"),
            ("A.C", "", "c"),
            ("node.module", "<?php\nfunction f() {}\n", "php"),
            ("a.inc", "\u{feff}<?php\n", "php"),
            ("a.inc", "; include\n", "text"),
            ("a.config", "<?xml version=\"1.0\"?>\n<configuration/>\n", "xml"),
            ("Snakefile", "", "python"),
            ("MODULE.bazel", "", "python"),
            ("a.service", "", "ini"),
            ("a.target", "<?xml version=\"1.0\"?>\n<target/>\n", "xml"),
            ("notes.Rmd", "", "markdown"),
            (".envrc", "", "bash"),
            (".gitignore", "", "text"),
            ("a.tsx", "", "tsx"),
            ("app_de.ts", "<?xml version=\"1.0\"?>\n<!DOCTYPE TS>\n<TS/>\n", "xml"),
            ("app_de.ts", "\u{feff}\n<!DOCTYPE TS><TS version=\"2.1\">\n", "xml"),
            ("tiles.tsx", "<?xml version=\"1.0\"?>\n<tileset/>\n", "xml"),
            ("a.ts", "const a = <T>(b: T) => b;\n", "typescript"),
            ("a.php", "<?xml version=\"1.0\"?>\n<?php f();\n", "php"),
            ("a.svg", "<?xml version=\"1.0\"?>\n", "svg"),
            ("View.h", "// Shows it.\n#import <A/A.h>\n@interface View : Base\n@end\n", "objective-c"),
            ("a.h", "/* @interface A */\nint f(void);\n", "c"),
            ("a.h", "@class View;\nvoid show(View *view);\n", "objective-c"),
            ("a.h", "#import <A/A.h>\nextern int n;\n", "objective-c"),
            ("a.h", "#import \"a.tlb\"\nint f(void);\n", "c"),
            ("a.h", "#ifdef __OBJC__\n@class View;\n#endif\nnamespace a {\n}\n", "cpp"),
            ("a.mm", "", "objective-c"),
            ("a.F90", "", "fortran"),
            ("a.fypp", "", "fortran"),
            ("solve.m", "% SOLVE solves it.\nfunction x = solve(a)\n", "text"),
            ("solve.m", "function x = solve(a)\n", "text"),
            ("View.m", "#import \"View.h\"\n@implementation View\n", "objective-c"),
            ("a.pl", "% facts\nparent(a, b).\n", "text"),
            ("a.pl", "/* x */\n:- module(a, [b/1]).\n", "text"),
            ("a.pl", "#!/usr/bin/perl\nuse strict;\n%h = ();\n", "perl"),
            ("a.v", "(** * Lists *)\nRequire Import Arith.\n", "text"),
            ("a.v", "// adder\nmodule adder(input a);\n", "verilog"),
            ("blur.fs", "#version 330\nvoid main() {}\n", "glsl"),
            ("a.fs", "module A\nlet x = 1\n", "fsharp"),
            ("a.fs", "let f x =\n    precision = false\n", "fsharp"),
            ("a.fs", "precision mediump float;\nvoid f() {}\n", "glsl"),
            ("a.fs", "\\ squares\n: square dup * ;\n", "text"),
            ("a.sch", "(define a 1)\n", "scheme"),
            ("a.sch", "EESchema Schematic File Version 4\n", "text"),
            ("a.sch", "<?xml version=\"1.0\"?>\n<eagle/>\n", "xml"),
            ("init.pp", "# Installs it.\nclass nginx {\n  package { 'nginx': }\n}\n", "text"),
            ("init.pp", "function a::b(String $c) {\n}\n", "text"),
            ("a.pp", "{ It adds. }\nUnit Adder;\nInterface\n", "pascal"),
            ("blur.rs", "#pragma version(1)\n#pragma rs java_package_name(a)\n", "c"),
            ("a.rs", "#![allow(x)]\nfn f() {}\n", "rust"),
            ("views/cart.blade.php", "", "blade"),
            ("cart.html.erb", "", "erb"),
            ("Dockerfile.html", "", "html"),
            ("a.rst", "", "restructuredtext"),
            ("docs/index.txt", "Title\n=====\n\n.. _label:\n", "restructuredtext"),
            ("docs/index.txt", "Title\r\n=====\r\n\r\n.. note::\r\n", "restructuredtext"),
            ("docs/index.txt", "Title\n=====\n\nSee :ref:`here <x>`.\n", "restructuredtext"),
            ("docs/index.txt", "Title\n=====\n\nis:`here`\n", "text"),
            ("docs/index.txt", "Title\n=====\n\nNo marks\n", "text"),
            ("docs/index.txt", ".. note:: a\n", "text"),
            ("a.rest", "GET https://x.org\n", "text"),
            ("git.1", ".\\\" Comment\n.TH GIT 1\n", "roff"),
            ("git.3pm.in", "'\\\" t\n.\n.Dd today\n", "roff"),
            ("libfoo.so.1", "\x7fELF", "text"),
            ("a.1", ".version 1\n", "text"),
            ("a.man", ".so man1/b.1\n", "roff"),
            ("a.1", "", "text"),
            ("a.cls", "public class A {}\n", "text"),
            ("a.cls", "% x\n\\NeedsTeXFormat{LaTeX2e}\n", "latex"),
            ("a.tex", "", "latex"),
            ("a.asc", "-----BEGIN PGP\n= x\n", "text"),
            ("a.asc", "= Title\n", "asciidoc"),
            ("a.wiki", "== Title ==\n", "mediawiki"),
            ("a.org", "", "org"),
            ("a.pod", "", "pod"),
        ] {
            assert_eq!(Language::detect(path.as_bytes(), first.as_bytes()).name(), name, "{path}");
        }
    }

    #[test]
    fn detects_perl() {
        for (path, first, name) in [
            ("a.pl", "go :-\n  b.\n:- initialization(go).\n", "text"),
            ("run", "#!/usr/bin/perl -w\n", "perl"),
            ("t/a.t", "use Test::More;\n", "perl"),
            ("t/a.t", "#!/bin/sh\necho 1..1\n", "bash"),
            ("t/a.t", "Runs it.\n\n  $ dune build\n", "text"),
            ("t/a.t", "use v6;\nuse Test;\n", "text"),
            ("lib/A.pm", "unit module A;\n", "text"),
            ("Makefile.PL", "", "perl"),
        ] {
            assert_eq!(Language::detect(path.as_bytes(), first.as_bytes()).name(), name, "{path}");
        }
    }

    #[test]
    fn detects_lisps() {
        for (path, first, name) in [
            ("a.clj", "", "clojure"),
            ("a.el", "", "emacs-lisp"),
            ("run", ";; -*- mode: emacs-lisp -*-\n", "emacs-lisp"),
            ("a.lisp", "", "common-lisp"),
            ("a.cl", "(defun f ())\n", "common-lisp"),
            ("a.cl", "// adds\n__kernel void add() {}\n", "c"),
            ("a.scm", "", "scheme"),
            ("a.rkt", "#lang racket\n", "racket"),
        ] {
            assert_eq!(Language::detect(path.as_bytes(), first.as_bytes()).name(), name, "{path}");
        }
    }
}
