//! The bytes of a text that are not code: comments, strings, and statements that import.
//!
//! Input: a language and a text, which is parsed. A name that a string inserts (`"{name}"` of a
//! language with such strings) is code. A search for a name as a word asks here whether a place of
//! it can mean anything.

use super::lines::offset;
use super::node::range;
use super::resolve::{self, NONE, ResolvedTable, step};
use super::{ByteRange, Language, clip, parse};
use tree_sitter::Node;

/// Endings of node kinds that are texts, whatever the table of the language says.
const TEXTS: [&str; 8] = [
    "_char",
    "char_literal",
    "character_literal",
    "heredoc_body",
    "jsx_text",
    "regex",
    "regex_literal",
    "rune_literal",
];
/// Parts of the names of node kinds that stand in a string and are not code.
const PARTS: [&str; 5] = ["content", "escape", "fragment", "string", "text"];
/// Languages that insert names by a dollar sign, which their grammars take for text.
const DOLLARS: [&str; 2] = ["groovy", "kotlin"];
/// The body of a macro of C, which the grammar does not read.
const MACRO_BODY: &str = "preproc_arg";
/// Node kinds that list what a file exports.
const EXPORTS: [&str; 1] = ["export_clause"];

/// The bytes of a text that are not code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prose {
    /// Comments and strings without what they insert, in order.
    texts: Vec<ByteRange>,
    /// Statements that import, and lists of exports, in order.
    imports: Vec<ByteRange>,
}

impl Prose {
    /// Reads a text. `None` if no grammar reads all of it.
    pub fn of(language: Language, text: &str) -> Option<Self> {
        let text = clip(text);
        let resolved = language.resolved().filter(|_| language.scanner().is_none())?;
        if is_container(language) || !parse::is_parseable(text) {
            return None;
        }
        let tree = parse::parse(language, text)?;
        let mut found = Self::default();
        let mut open = vec![tree.root_node()];
        while let Some(node) = open.pop() {
            found.enter(language, resolved, text, node, &mut open);
        }
        found.texts.sort_unstable_by_key(|one| one.start);
        found.imports.sort_unstable_by_key(|one| one.start);
        Some(found)
    }

    /// Returns whether a byte is in a comment or a string.
    pub fn is_text(&self, at: u32) -> bool {
        self.text_at(at).is_some()
    }

    /// Returns the comment or string that a byte is in, or the part of it between what it inserts.
    pub fn text_at(&self, at: u32) -> Option<ByteRange> {
        range_at(&self.texts, at)
    }

    /// Returns whether a byte is in a statement that imports, or in a list of exports.
    pub fn is_import(&self, at: u32) -> bool {
        range_at(&self.imports, at).is_some()
    }

    /// Reads a node, and adds the nodes in it that are to be read.
    fn enter<'tree>(
        &mut self,
        language: Language,
        resolved: &ResolvedTable,
        text: &str,
        node: Node<'tree>,
        open: &mut Vec<Node<'tree>>,
    ) {
        let role = resolved.role(node);
        let bytes = range(node);
        if role.is(resolve::COMMENT) {
            self.texts.push(bytes);
        } else if is_text(resolved, node) {
            let first = self.texts.len();
            self.add_string(resolved, node, open);
            if DOLLARS.contains(&language.name()) {
                let pieces = self.texts.split_off(first);
                pieces.into_iter().for_each(|piece| self.add_with_names(text, piece));
            }
        } else if node.kind() == MACRO_BODY {
            self.add_quoted(text, bytes);
        } else if EXPORTS.contains(&node.kind()) || imports(resolved, text, node) {
            self.imports.push(bytes);
        } else if node.child_count() > 0 {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor).filter(|child| child.is_named()));
        }
    }

    /// Adds a string without what it inserts, which is to be read.
    fn add_string<'tree>(
        &mut self,
        resolved: &ResolvedTable,
        node: Node<'tree>,
        open: &mut Vec<Node<'tree>>,
    ) {
        let ByteRange { mut start, end } = range(node);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor).filter(|child| child.is_named()) {
            let is_inner = is_text(resolved, child);
            let is_part = child.child_count() == 0 || PARTS.iter().any(|part| child.kind().contains(part));
            if is_part && !is_inner {
                continue;
            }
            let bytes = range(child);
            self.texts.extend((start < bytes.start).then_some(ByteRange { start, end: bytes.start }));
            start = bytes.end;
            open.push(child);
        }
        self.texts.extend((start < end).then_some(ByteRange { start, end }));
    }

    /// Adds a piece of a string without the names that it inserts by a dollar sign (`$name`).
    fn add_with_names(&mut self, text: &str, piece: ByteRange) {
        let written = piece.of(text);
        let mut start = piece.start;
        for (at, _) in written.match_indices('$') {
            let rest = written.get(at + 1..).unwrap_or_default();
            let len = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
            if len == 0 || written.get(..at).is_some_and(|before| before.ends_with('\\')) {
                continue;
            }
            let name = piece.start + offset(at) + 1;
            self.texts.push(ByteRange { start, end: name });
            start = name + offset(len);
        }
        self.texts.extend((start < piece.end).then_some(ByteRange { start, end: piece.end }));
    }

    /// Adds the strings of a text that no grammar reads.
    fn add_quoted(&mut self, text: &str, bytes: ByteRange) {
        let mut began = None;
        let mut rest = bytes.of(text).bytes().zip(bytes.start..);
        while let Some((byte, at)) = rest.next() {
            match (byte, began) {
                (b'\\', _) => drop(rest.next()),
                (b'"', None) => began = Some(at),
                (b'"', Some(start)) => {
                    self.texts.push(ByteRange { start, end: at + 1 });
                    began = None;
                }
                _ => {}
            }
        }
    }
}

/// Returns whether a language's texts hold code of another one, which its grammar does not read.
fn is_container(language: Language) -> bool {
    matches!(language.name(), "astro" | "blade" | "erb" | "html" | "razor" | "svelte" | "vue")
        || language.is_notebook()
}

fn range_at(ranges: &[ByteRange], at: u32) -> Option<ByteRange> {
    let next = ranges.partition_point(|one| one.start <= at);
    next.checked_sub(1).and_then(|last| ranges.get(last)).copied().filter(|one| one.contains(at))
}

/// Returns whether a node is a string, or another text that is not code. A symbol of Ruby is a
/// name.
fn is_text(resolved: &ResolvedTable, node: Node<'_>) -> bool {
    let kind = node.kind();
    node.is_named()
        && kind != "simple_symbol"
        && (resolved.role(node).is(resolve::STRING | resolve::TEXT)
            || kind.contains("string_literal") && !kind.ends_with("content")
            || TEXTS.iter().any(|end| kind.ends_with(end)))
}

/// Returns whether a node is a statement that imports.
fn imports(resolved: &ResolvedTable, text: &str, node: Node<'_>) -> bool {
    let role = resolved.role(node);
    let Some(import) = resolved.table.imports.get(usize::from(role.import)).filter(|_| role.import != NONE)
    else {
        return false;
    };
    let module = import.module.trim_end_matches('+');
    let begins = || node.child(0).is_some_and(|first| import.words.contains(&range(first).of(text)));
    (module.is_empty() || step(node, module).is_some()) && (import.words.is_empty() || begins())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::words;

    #[test]
    fn names_in_texts_are_told_from_code() {
        let mut wrong = Vec::new();
        for (language, text, expected) in [
            ("python", "f('<a id=\"' + str(x) + '\">x')\n# x\nb // x\nf\"{x} x\"\n", "x.x-x-x.x.x-"),
            ("python", "class A:\n    \"\"\"x\"\"\"\nfrom x import x\nf(x)\n", "x-x-x-x."),
            ("go", "package a\nimport \"x\"\nvar a = \"'\" + x + `x` // x\nvar b = 'x'\n", "x-x.x-x-x-"),
            ("java", "class A { String a = \"'\" + x; /* x\n x */ char b = 'x'; }", "x.x-x-x-"),
            (
                "javascript",
                "a(\"'\" + x, '\"' + x, `x ${x} ${`x ${x}`}`, /x/)\nexport { x };\n",
                "x.x.x-x.x-x.x-x-",
            ),
            ("tsx", "import { x } from 'x'\nconst a = <p>x {x}</p>\n", "x-x-x-x."),
            ("php", "<?php f(\"hi $this->x $x {$this->x} x\", 'x'); # x\n", "x.x.x.x-x-x-"),
            ("kotlin", "fun f() = \"x $x ${x} \" + x // x\n", "x-x.x.x.x-"),
            ("swift", "let a = \"x \\(x)\" + x // x\n", "x-x.x.x-"),
            ("ruby", "a = \"x #{x} #@x\" + 'x' + x # x\nb = :x\n", "x-x.x.x-x.x-x."),
            (
                "rust",
                "use x::x;\nfn f() { a(\"x\", x, 'x', r#\"x\"#); /* x */ b!(x, \"x\") }",
                "x-x-x-x.x-x-x-x.x-",
            ),
            ("c", "#define A(a) a->x + \"x\"\n/* a\n x */ int f() { return 'x' + x; }\n", "x.x-x-x-x."),
            (
                "c-sharp",
                "using x;\nclass A { int F() { using (x) {} f($\"x {x}\", @\"x\", 'x'); } }",
                "x-x.x-x.x-x-",
            ),
            ("dart", "var a = 'x $x ${x}' + x; // x\n", "x-x.x.x.x-"),
            ("scala", "object A { val a = s\"x $x ${x}\" + x } // x\n", "x-x.x.x.x-"),
        ] {
            let Some(language) = Language::from_name(language).filter(|one| !one.lacks_grammar()) else {
                continue;
            };
            let prose = Prose::of(language, text).unwrap();
            let mark = |at: usize| {
                let is_code = !prose.is_text(offset(at)) && !prose.is_import(offset(at));
                if is_code { "x." } else { "x-" }
            };
            let found: String = words(text, "x").map(mark).collect();
            if found != expected {
                wrong.push((text, found));
            }
        }
        assert_eq!(wrong, []);
    }
}
