//! Tags of a template around markup → the markup alone, byte for byte at its place.
//!
//! A tag that prints becomes letters, so that the script around it still parses:
//! `var id = <%= id %>;` is read as `var id = xxxxxxxxx;`. Any other tag becomes spaces. What the
//! tags themselves say is read elsewhere (`scan::template`, or PHP's grammar).

use crate::base::text::head;
use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;
use crate::index::chunk::scan::template_marks::{Dialect, MAX_TAG};
use std::ops::Range;

/// Longest arguments of a directive in bytes.
const MAX_ARGUMENTS: usize = 500;

/// Most blocks of PHP that are read in one template.
const MAX_BLOCKS: usize = 500;

/// Directives of Blade that print something.
const PRINTING: [&str; 5] = ["choice", "js", "json", "lang", "yield"];
/// Directives of Blade that print nothing. Any other word behind `@` belongs to the markup:
/// `@media` in a style sheet, a decorator in a script.
const SILENT: [&str; 56] = [
    "auth",
    "break",
    "can",
    "canany",
    "cannot",
    "case",
    "continue",
    "csrf",
    "default",
    "each",
    "else",
    "elseif",
    "empty",
    "endauth",
    "endcan",
    "endcanany",
    "endcannot",
    "endempty",
    "endenv",
    "enderror",
    "endfor",
    "endforeach",
    "endforelse",
    "endguest",
    "endif",
    "endisset",
    "endonce",
    "endphp",
    "endproduction",
    "endpush",
    "endsection",
    "endswitch",
    "endunless",
    "endverbatim",
    "endwhile",
    "env",
    "error",
    "extends",
    "for",
    "foreach",
    "forelse",
    "guest",
    "if",
    "include",
    "isset",
    "method",
    "once",
    "php",
    "production",
    "push",
    "section",
    "show",
    "stack",
    "switch",
    "unless",
    "while",
];
/// Words with which a tag of Go's templates begins that prints nothing.
const GO_SILENT: [&str; 9] = ["block", "break", "continue", "define", "else", "end", "if", "range", "with"];

/// The language whose tags stand in the markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tags {
    Template(Dialect),
    Php,
}

/// Returns the blocks of PHP in a template of Blade (`@php … @endphp`), and the text in which each
/// begins as one of PHP does. `None` if there are none.
pub(super) fn php_blocks(text: &str) -> Option<(Vec<u8>, Vec<ByteRange>)> {
    const OPEN: &str = "@php";
    let mut seen = Vec::new();
    let (mut found, mut from) = (Vec::new(), 0);
    while found.len() < MAX_BLOCKS
        && let Some(at) = text.get(from..).and_then(|rest| rest.find(OPEN))
    {
        let start = from + at;
        let behind = text.get(start + OPEN.len()..).unwrap_or_default();
        from = start + OPEN.len();
        if !behind.starts_with(char::is_whitespace) {
            continue;
        }
        let Some(len) = behind.find("@endphp") else { break };
        if seen.is_empty() {
            seen = text.as_bytes().to_vec();
        }
        if let Some(head) = seen.get_mut(start..start + 5) {
            head.copy_from_slice(b"<?php");
        }
        from += len;
        found.push(ByteRange { start: offset(start), end: offset(from) });
    }
    (!found.is_empty()).then_some((seen, found))
}

impl Tags {
    /// Returns the tags of a language; `None` if it is not a template.
    pub(super) fn of(language: &str) -> Option<Self> {
        Some(match language {
            "blade" => Self::Template(Dialect::Blade),
            "erb" => Self::Template(Dialect::Erb),
            "go-template" => Self::Template(Dialect::Go),
            "jinja" => Self::Template(Dialect::Jinja),
            "php" => Self::Php,
            _ => return None,
        })
    }

    /// Returns the text with letters or spaces in place of its tags. Lines stay where they are.
    /// `None` if it has no markup: a program of PHP alone.
    pub(super) fn masked(self, text: &str) -> Option<Vec<u8>> {
        if self == Self::Php && !has_markup_beside_php(text) {
            return None;
        }
        let mut bytes = text.as_bytes().to_vec();
        let mut hide = |range: Range<usize>, is_printed: bool| {
            let letter = if is_printed { b'x' } else { b' ' };
            let tag = bytes.get_mut(range).unwrap_or_default();
            tag.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = letter);
        };
        match self {
            Self::Php => php_tags(text, &mut hide),
            Self::Template(dialect) => template_tags(text, dialect, &mut hide),
        }
        Some(bytes)
    }
}

/// Finds the tags of a template, and whether each prints something.
fn template_tags(text: &str, dialect: Dialect, hide: &mut impl FnMut(Range<usize>, bool)) {
    let first: &[char] = match dialect {
        Dialect::Erb => &['<'],
        Dialect::Blade => &['{', '@'],
        Dialect::Go | Dialect::Jinja => &['{'],
    };
    // A comment of Go is a tag as a whole, with the braces behind its end.
    let marks = || dialect.marks().iter().filter(|(.., is_comment)| !(dialect == Dialect::Go && *is_comment));
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find(first)) {
        let start = at + next;
        let here = text.get(start..).unwrap_or_default();
        at = start + 1;
        if here.starts_with('@') {
            if let Some((length, is_printed)) = directive(text, start) {
                hide(start..start + length, is_printed);
                at = start + length;
            }
            continue;
        }
        let Some(&(open, close, is_comment)) = marks().find(|(open, ..)| here.starts_with(open)) else {
            continue;
        };
        let inner = here.get(open.len()..).unwrap_or_default();
        let Some(length) = head(inner, MAX_TAG).find(close) else { continue };
        at = start + open.len() + length + close.len();
        let is_printed = match dialect {
            Dialect::Erb => inner.starts_with('='),
            Dialect::Go => is_printed_by_go(inner),
            Dialect::Blade | Dialect::Jinja => open != "{%",
        };
        hide(start..at, is_printed && !is_comment);
    }
}

/// Returns whether a tag of Go's templates prints something, by its first word.
fn is_printed_by_go(inner: &str) -> bool {
    let tag = inner.trim_start_matches(['-', ' ', '\t', '\n', '\r']);
    let end = tag.find(|c: char| !c.is_alphanumeric()).unwrap_or(tag.len());
    let word = tag.get(..end).unwrap_or_default();
    !GO_SILENT.contains(&word) && !tag.starts_with("/*")
}

/// Returns whether a part of a name, as it stands in the source, is a tag: the template puts it in.
pub(super) fn has_tag(name: &str) -> bool {
    ["<%", "<?", "{{", "{%", "{!!", "@js", "@lang", "@choice", "@yield"]
        .iter()
        .any(|mark| name.contains(mark))
}

/// Returns the length of the directive of Blade at a place, with its arguments, and whether it
/// prints something.
fn directive(text: &str, start: usize) -> Option<(usize, bool)> {
    let before = start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'@') {
        return None; // An address of mail, or `@@if`.
    }
    let rest = text.get(start + 1..)?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let word = rest.get(..end)?;
    let is_printed = PRINTING.contains(&word);
    if !is_printed && !SILENT.contains(&word) {
        return None;
    }
    let behind = rest.get(end..).unwrap_or_default();
    let gap = behind.len() - behind.trim_start_matches([' ', '\t']).len();
    let arguments = behind.get(gap..).filter(|one| one.starts_with('(')).and_then(balanced);
    Some((1 + end + arguments.map_or(0, |length| gap + length), is_printed))
}

/// Returns the length of the brackets with which a text begins; `None` if they are not closed.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().take(MAX_ARGUMENTS) {
        match (quote, byte) {
            _ if is_escaped => is_escaped = false,
            (Some(_), b'\\') => is_escaped = true,
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            (None, _) => {}
        }
    }
    None
}

/// Returns whether anything but PHP may be in a file of PHP.
fn has_markup_beside_php(text: &str) -> bool {
    text.contains("?>") || !text.trim_start_matches('\u{feff}').starts_with("<?")
}

/// Finds the tags of PHP: up to `?>` outside of strings and of comments in `/* */`.
fn php_tags(text: &str, hide: &mut impl FnMut(Range<usize>, bool)) {
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find("<?")) {
        let start = at + next;
        let here = text.get(start..).unwrap_or_default();
        if here.starts_with("<?xml") {
            at = start + 2;
            continue;
        }
        let code = here.strip_prefix("<?php").or_else(|| here.strip_prefix("<?=")).unwrap_or(here);
        let is_printed = here.starts_with("<?=") || code.trim_start().starts_with("echo ");
        let from = start + here.len() - code.len();
        at = from + php_length(code);
        hide(start..at, is_printed);
    }
}

/// Returns how long the code is with which a text begins, with the `?>` behind it.
fn php_length(code: &str) -> usize {
    let bytes = code.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        match byte {
            b'?' if rest.starts_with(b"?>") => return at + 2,
            b'"' | b'\'' => {
                at += 1;
                while let Some(next) = bytes.get(at).filter(|next| *next != byte) {
                    at += if *next == b'\\' { 2 } else { 1 };
                }
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = code.get(at + 2..).and_then(|rest| rest.find("*/"));
                let Some(end) = end else { return code.len() };
                at += 2 + end + 1;
            }
            // A comment ends with its line, or with the code.
            b'#' | b'/' if *byte == b'#' || rest.starts_with(b"//") => {
                while let Some(next) = bytes.get(at).filter(|next| **next != b'\n') {
                    if *next == b'?' && bytes.get(at + 1) == Some(&b'>') {
                        return at + 2;
                    }
                    at += 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_letters_or_spaces_at_their_places() {
        for (tags, text, expected) in [
            (
                Tags::Template(Dialect::Erb),
                "a = <%= b %>; <% if c %>d<%# e %>",
                "a = xxxxxxxx;           d        ",
            ),
            (
                Tags::Template(Dialect::Jinja),
                "a({{ b }}) {% if c %}\n{# d #}",
                "a(xxxxxxx)           \n       ",
            ),
            (
                Tags::Template(Dialect::Go),
                "a({{ .b }}) {{- if .c -}}d{{end}}{{- /* e */ -}}",
                "a(xxxxxxxx)              d                      ",
            ),
            (
                Tags::Template(Dialect::Blade),
                "@if(a(')'))\nb = @json($c); {!! d !!} e@f.org @media (g)\n@endif{{-- {{ h }} --}}",
                "           \nb = xxxxxxxxx; xxxxxxxxx e@f.org @media (g)\n                       ",
            ),
            (
                Tags::Php,
                "<b><?= a('?>') ?></b><?php # it's ?>c<?php /* ?> */ d",
                "<b>xxxxxxxxxxxxxx</b>               c                ",
            ),
            (Tags::Php, "<?xml version='1.0'?><a><? b ?>", "<?xml version='1.0'?><a>       "),
            (Tags::Template(Dialect::Erb), "a <% b", "a <% b"),
        ] {
            let masked = tags.masked(text).unwrap();
            assert_eq!(String::from_utf8_lossy(&masked), expected, "{text}");
        }
        assert_eq!(Tags::Php.masked("<?php\nclass A {}\n"), None);
    }

    #[test]
    fn takes_no_time_for_hostile_text() {
        for unit in ["<%", "{{", "@if(", "@if('", "<?php '", "<?php /*", "<?", "{%", "@"] {
            let text = unit.repeat(100_000);
            let templates = [Dialect::Blade, Dialect::Erb, Dialect::Go, Dialect::Jinja].map(Tags::Template);
            for tags in templates.into_iter().chain([Tags::Php]) {
                assert!(tags.masked(&text).is_none_or(|masked| masked.len() == text.len()));
            }
        }
    }
}
