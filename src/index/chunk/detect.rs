//! Detection: (file name, first bytes) → language.
//!
//! The name decides first, then the `#!` line. Some extensions say too little: `.txt` can be
//! reStructuredText, `.1` a man page, and `.cls` LaTeX or another language. The text decides for
//! those, by marks that other files don't have.

use super::Language;

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
                return if language.name() == "c" && extension.eq_ignore_ascii_case("h") && is_cpp(first_bytes)
                {
                    Self::from_name("cpp").unwrap_or(language)
                } else {
                    language
                };
            }
            let is_named = |language: &Self| matches!(language.name(), "dockerfile" | "makefile");
            if let Some(language) = Self::by_file_name(stem).filter(is_named) {
                return language;
            }
        }
        interpreter(first_bytes).and_then(Self::by_interpreter).unwrap_or(Self::TEXT)
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
            two == b":`"
                && name > 1
                && before.get(before.len() - name - 1..).is_some_and(|role| role.starts_with(b":"))
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

/// Returns whether a header is C++: whether a line begins with a word that C doesn't have.
fn is_cpp(first_bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [
        b"class ",
        b"namespace ",
        b"template<",
        b"template <",
        b"public:",
        b"private:",
        b"protected:",
        b"using ",
        b"#include <string>",
    ];
    first_bytes.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        WORDS.iter().any(|word| line.starts_with(word))
    })
}

/// Returns the program of a `#!` line, without its folder and version.
fn interpreter(first_bytes: &[u8]) -> Option<&str> {
    let line = first_bytes.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(if bare.is_empty() { program } else { bare })
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
            (".gitignore", "", "text"),
            ("a.tsx", "", "tsx"),
            ("views/cart.blade.php", "", "blade"),
            ("cart.html.erb", "", "erb"),
            ("Dockerfile.html", "", "html"),
            ("a.rst", "", "restructuredtext"),
            ("docs/index.txt", "Title\n=====\n\n.. _label:\n", "restructuredtext"),
            ("docs/index.txt", "Title\r\n=====\r\n\r\n.. note::\r\n", "restructuredtext"),
            ("docs/index.txt", "Title\n=====\n\nSee :ref:`here <x>`.\n", "restructuredtext"),
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
}
