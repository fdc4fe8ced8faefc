//! Headers (`.h`): C or C++?
//!
//! A header is C++ if its code has a word that C doesn't have. Comments don't count. A block
//! of `#ifdef __cplusplus` counts only if it declares something of C++, because C headers have such
//! blocks too.

/// Words at the beginning of a line that C doesn't have, wherever they are.
const BEGINS: [&str; 8] =
    ["class ", "namespace ", "template<", "template <", "public:", "private:", "protected:", "using "];

/// Words at the beginning of a line that C doesn't have, or that a block for C++ may define.
const BEGINS_OUTSIDE: [&str; 8] = [
    "constexpr ",
    "enum class ",
    "enum struct ",
    "explicit ",
    "friend ",
    "inline constexpr ",
    "static constexpr ",
    "virtual ",
];

/// Texts inside of a line that C doesn't have.
const CONTAINS_OUTSIDE: [&str; 3] = ["nullptr", ") override", ") noexcept"];

/// Returns whether a header is C++.
pub(super) fn is_cpp(text: &str) -> bool {
    let (mut in_comment, mut blocks) = (false, Vec::new());
    text.lines().any(|line| {
        let line = without_comments(line, &mut in_comment);
        let line = line.trim();
        if let Some(directive) = line.strip_prefix('#').map(str::trim_start) {
            let word = directive.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
            match word {
                "if" | "ifdef" => blocks.push(directive.contains("__cplusplus") && !directive.contains('!')),
                "ifndef" => blocks.push(false),
                "else" | "elif" => {
                    blocks.pop();
                    blocks.push(false);
                }
                "endif" => drop(blocks.pop()),
                _ => {}
            }
            return word == "include" && !blocks.contains(&true) && is_library(directive);
        }
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        begins(&BEGINS)
            || !blocks.contains(&true)
                && (begins(&BEGINS_OUTSIDE)
                    || CONTAINS_OUTSIDE.iter().any(|part| line.contains(part))
                    || has_operator(line)
                    || has_scope(line)
                    || inherits(line))
    })
}

/// Returns a line without its comments.
fn without_comments(line: &str, in_comment: &mut bool) -> String {
    let (mut code, mut rest) = (String::new(), line);
    loop {
        if *in_comment {
            let Some((_, after)) = rest.split_once("*/") else { return code };
            (rest, *in_comment) = (after, false);
        }
        let line_comment = rest.find("//").unwrap_or(rest.len());
        match rest.find("/*").filter(|at| *at < line_comment) {
            Some(at) => {
                code += rest.get(..at).unwrap_or_default();
                rest = rest.get(at + 2..).unwrap_or_default();
                *in_comment = true;
            }
            None => {
                code += rest.get(..line_comment).unwrap_or_default();
                return code;
            }
        }
    }
}

/// Returns whether a line has a name in a scope (`A::b`), or a string with a suffix of its own
/// (`"a"_b`). Attributes of C have a scope, too (`[[gnu::packed]]`).
fn has_scope(line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = "";
    line.split('"').enumerate().any(|(n, code)| {
        // Each second part is in quotes. A quotation mark may be in one, too.
        let is_code = n % 2 == 0 && !before.ends_with(['\\', '\'']);
        before = code;
        let mut suffix = code.strip_prefix('_').unwrap_or_default().chars();
        let has_suffix = n > 0 && suffix.next().is_some_and(|c| c.is_ascii_lowercase());
        let has_name = code.match_indices("::").any(|(at, _)| {
            let (before, behind) =
                (code.get(..at).unwrap_or_default(), code.get(at + 2..).unwrap_or_default());
            before.ends_with(|c: char| is_part(c) || c == '>')
                && behind.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '~')
                && !before.trim_end_matches(is_part).ends_with(['[', ','])
        });
        is_code && (has_suffix || has_name)
    })
}

/// Returns whether a directive includes a header of the C++ library: `include <vector>`.
fn is_library(directive: &str) -> bool {
    let name = directive.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(name, _)| name);
    name.is_some_and(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
}

/// Returns whether a line has an operator as a function: `operator==`.
fn has_operator(line: &str) -> bool {
    line.split_once("operator").is_some_and(|(before, after)| {
        !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && after.starts_with(|c: char| "=+-*/<>!([&|%~^".contains(c))
    })
}

/// Returns whether a line begins a type that inherits: `struct A : B {`.
fn inherits(line: &str) -> bool {
    let Some((name, bases)) = line.strip_prefix("struct ").and_then(|rest| rest.split_once(':')) else {
        return false;
    };
    let name = name.trim().trim_end_matches(" final");
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name && !bases.starts_with(':') && bases.trim_start().starts_with(|c: char| c.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::is_cpp;

    #[test]
    fn words_that_c_does_not_have() {
        for (text, expected) in [
            ("enum class A { B };\n", true),
            ("struct A : public B {\n", true),
            ("struct A final : B\n{", true),
            ("  virtual void f();\n", true),
            ("bool operator==(A a);\n", true),
            ("#include <vector>\n", true),
            ("void f(std::string a);\n", true),
            ("QHash<A, B> f(C::D e);\n", true),
            ("return {{u\"a\"_s, b}};\n", true),
            ("[[gnu::packed]] int a;\nasm(\"a::b\" : \"=r\"(c)::\"memory\");\nd = '\"' + e::f;\n", false),
            ("const char *a = \"b::c \\\"d::e\";\nputs(\"a\" PRIu64 \"b\"A);\n", false),
            ("int a() noexcept;\n", true),
            ("int a(int b) override;\n", true),
            ("/*\nclass of its own\n*/\nint a; // std::string\n", false),
            ("#ifdef __cplusplus\n#include <vector>\nextern \"C\" {\n#endif\nint a;\n", false),
            ("#if defined(__cplusplus)\nclass A;\n#else\nstruct A;\n#endif\n", true),
            ("#define nullptr 0\n#include <stdio.h>\n#include <sys/a>\n", false),
            ("struct a { unsigned b : 3; };\nstruct c d : 3;\nint my_operator(void);\n", false),
        ] {
            assert_eq!(is_cpp(text), expected, "{text}");
        }
    }
}
