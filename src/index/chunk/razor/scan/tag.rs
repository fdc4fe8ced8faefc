//! Tags of a Razor file: elements, components, and the code in their attributes.
//!
//! A component is written like a call of its class. An attribute of one may be C# even without an
//! `@`.

use super::super::lexer::{MAX_EXPRESSION, byte, is_word, space_end};
use super::Scan;
use crate::index::chunk::markup::Part;

/// Elements without an end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];
/// Directive attributes whose value is a plain text.
const TEXTS: [&str; 3] = ["@formname", "@bind:event", "@bind:format"];

/// A tag that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Open,
    Close,
    /// An element without content.
    Whole,
}

impl<'t> Scan<'t> {
    /// Reads a tag from its `<` on, with a script or style sheet that it begins. `None` if it is
    /// not a tag; then the sign is read.
    pub(super) fn tag(&mut self) -> Option<Tag> {
        if self.rest().starts_with("<!--") {
            self.at = self.find("-->").map_or(self.at + 1, |end| end + 3);
            return Some(Tag::Whole);
        }
        let is_end = self.byte(1) == b'/';
        let start = self.at + 1 + usize::from(is_end);
        if !byte(self.text, start).is_ascii_alphabetic() {
            self.at += 1;
            return None;
        }
        let is_name = |byte: u8| is_word(byte) || matches!(byte, b'.' | b'-' | b':');
        let len = self.text.get(start..)?.bytes().take_while(|byte| is_name(*byte)).count();
        let name = self.text.get(start..start + len)?;
        self.at = start + len;
        let is_component = name.starts_with(|c: char| c.is_ascii_uppercase());
        if is_component && !is_end {
            self.glue("_=new ");
            self.source(start, start + len);
            self.glue("();\n");
        }
        let mut kind = "";
        while !self.is_over() {
            self.at = space_end(self.text, self.at);
            match (self.byte(0), self.byte(1)) {
                (b'>', _) => {
                    self.at += 1;
                    break;
                }
                (b'/', b'>') => {
                    self.at += 2;
                    return Some(Tag::Whole);
                }
                (b'<', _) => return Some(if is_end { Tag::Close } else { Tag::Whole }),
                (b'@', b'(' | b'{' | b'*' | b'@') => self.transition(),
                _ => self.attribute(is_component, &mut kind),
            }
        }
        if is_end {
            return Some(Tag::Close);
        }
        if VOID.contains(&name) {
            return Some(Tag::Whole);
        }
        match name {
            "script" => self.raw("</script", script(kind)),
            "style" => self.raw("</style", Some("css")),
            _ => {}
        }
        Some(Tag::Open)
    }

    /// Reads an attribute of a tag.
    fn attribute(&mut self, of_component: bool, kind: &mut &'t str) {
        let start = self.at;
        let is_name = |byte: &u8| {
            !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'>' | b'/' | b'"' | b'\'' | b'<')
        };
        let len = self.rest().bytes().take_while(is_name).count();
        let name = self.text.get(start..start + len).unwrap_or_default();
        let equals = space_end(self.text, start + len);
        if byte(self.text, equals) != b'=' {
            if name.starts_with('@') {
                self.transition();
            }
            self.at = self.at.max(start + len.max(1));
            return;
        }
        self.at = space_end(self.text, equals + 1);
        let quote = Some(self.byte(0)).filter(|quote| matches!(quote, b'"' | b'\''));
        self.at += usize::from(quote.is_some());
        let from = self.at;
        let mut has_code = false;
        while !self.is_over() {
            match (self.byte(0), quote) {
                (b'@', _) => {
                    has_code = true;
                    self.transition();
                }
                (byte, Some(quote)) if byte == quote => break,
                (byte, None) if byte.is_ascii_whitespace() || byte == b'>' => break,
                _ => self.at += 1,
            }
        }
        let to = self.at;
        self.at += usize::from(quote.is_some());
        let value = self.text.get(from..to).unwrap_or_default();
        if name == "type" {
            *kind = value;
        }
        if has_code || to - from > MAX_EXPRESSION {
            return;
        }
        let is_directive = name.starts_with('@') && !TEXTS.contains(&name);
        let is_event = name.get(..2).is_some_and(|on| on.eq_ignore_ascii_case("on")) && !of_component;
        if is_directive || name == "asp-items" || of_component && is_value(value) {
            self.expression(from, to);
        } else if name == "asp-for" {
            self.glue("_=Model.");
            self.source(from, to);
            self.glue(";\n");
        } else if is_event && !value.trim().is_empty() {
            let bytes = Self::range(from, to);
            self.out.parts.push(Part { language: "javascript", bytes, is_block: false });
        }
    }

    /// Reads a script or style sheet up to its end tag.
    fn raw(&mut self, end: &'static str, language: Option<&'static str>) {
        let start = self.at;
        let Some(end) = self.find(end) else { return };
        while !self.is_over() {
            match self.text.get(self.at..end).and_then(|rest| rest.find('@')) {
                Some(next) => {
                    self.at += next;
                    self.transition();
                }
                None => break,
            }
        }
        self.at = self.at.max(end);
        let bytes = Self::range(start, end);
        if let Some(language) = language.filter(|_| !bytes.of(self.text).trim().is_empty()) {
            self.out.parts.push(Part { language, bytes, is_block: true });
        }
    }
}

/// Returns whether the value of a component's attribute may be C#: a name or a lambda. A text may
/// look the same, but then nothing has its name. The types of C# itself are arguments of generic
/// components.
fn is_value(value: &str) -> bool {
    const TYPES: [&str; 15] = [
        "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte", "short",
        "string", "uint", "ulong", "ushort",
    ];
    let is_path = value.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    is_path && !TYPES.contains(&value) || value.contains("=>")
}

/// Returns the language of a script of a type; `None` if it is data.
fn script(kind: &str) -> Option<&'static str> {
    let is_script =
        matches!(kind, "" | "module" | "text/javascript" | "application/javascript" | "text/ecmascript");
    is_script.then_some("javascript")
}
