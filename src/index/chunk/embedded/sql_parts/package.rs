//! The members of a package of Oracle: the text of `CREATE PACKAGE` → its functions and procedures.
//!
//! The grammar does not know packages, so lines are read. A member begins with its word and has the
//! indentation of the first one; a function in a procedure is indented further. It ends with the
//! `END` of that indentation, or with `;` if it has no body. Types, cursors and constants are
//! members, too. The time is linear in the text.

use super::{Quote, name};
use crate::base::text::identifier::offset_in;
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind};

/// A member that is being read.
struct Member<'t> {
    kind: DeclarationKind,
    name: &'t str,
    name_at: u32,
    /// Where it begins, with the comment above.
    start: u32,
    /// The line that it begins with, without its `;`.
    signature: ByteRange,
    /// Whether `IS` or `AS` was read, behind which the body is.
    has_body: bool,
}

/// The members of a package.
struct Members<'t> {
    lines: &'t Lines<'t>,
    parent: u32,
    found: Vec<Declaration>,
    open: Option<Member<'t>>,
    /// The indentation of the members.
    indent: Option<usize>,
    /// The end of the last line that is neither blank nor a comment.
    last_end: u32,
}

/// Returns the members of a package in these bytes. `parent` is the declaration of the package.
pub(super) fn members<'t>(lines: &'t Lines<'t>, bytes: ByteRange, parent: u32) -> Vec<Declaration> {
    let mut members =
        Members { lines, parent, found: Vec::new(), open: None, indent: None, last_end: bytes.start };
    let mut quote = Quote::None;
    // The first of the comments directly above.
    let mut above = None;
    let first = lines.of(bytes.start) + 1;
    for line in first..=lines.of(bytes.end.saturating_sub(1)) {
        let range = ByteRange { start: lines.start(line), end: lines.end(line) };
        let written = range.of(lines.text());
        let is_quoted = !matches!(quote, Quote::None);
        quote = quote.after(written);
        let code = written.trim_start();
        if is_quoted || code.starts_with("--") || code.starts_with("/*") {
            above = above.or(Some(range.start));
        } else {
            if !code.is_empty() {
                members.line(range, above.unwrap_or(range.start));
                members.last_end = range.end;
            }
            above = None;
        }
    }
    members.close(members.last_end);
    members.found
}

impl<'t> Members<'t> {
    /// Reads a line of code. `start` is that of the comment above it.
    fn line(&mut self, range: ByteRange, start: u32) {
        let written = range.of(self.lines.text());
        let code = written.split_once("--").map_or(written, |(code, _)| code);
        let indent = code.len() - code.trim_start().len();
        let (word, rest) = code.trim_start().split_once([' ', '\t']).unwrap_or((code.trim_start(), ""));
        let is = |expected: &str| word.eq_ignore_ascii_case(expected);
        let is_level = self.indent.is_none_or(|level| level == indent);
        let kind = if is("FUNCTION") || is("PROCEDURE") {
            Some(DeclarationKind::Function)
        } else if is("TYPE") || is("SUBTYPE") {
            Some(DeclarationKind::Type)
        } else if is("CURSOR") {
            Some(DeclarationKind::Variable)
        } else {
            self.value(rest)
        };
        if let (Some(kind), true) = (kind, is_level) {
            self.close(self.last_end);
            let named = if self.value(rest).is_some() { code.trim_start() } else { rest.trim_start() };
            let Some((name, _)) = name(named) else { return };
            let name_at = range.start + offset(offset_in(code, name));
            let line = code.trim_end().trim_end_matches(';');
            let signature =
                ByteRange { start: range.start + offset(indent), end: range.start + offset(line.len()) };
            let whole = ByteRange { start, ..range }.of(self.lines.text());
            let start = start + offset(whole.len() - whole.trim_start().len());
            self.open = Some(Member { kind, name, name_at, start, signature, has_body: false });
            self.indent = Some(indent);
        } else if self.indent.is_some_and(|level| indent < level) {
            self.close(self.last_end);
        } else if word.trim_end_matches(';').eq_ignore_ascii_case("END") && is_level {
            self.close(range.end);
        }
        let Some(open) = &mut self.open else { return };
        let mut words =
            code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
        open.has_body = open.has_body
            || words.any(|word| word.eq_ignore_ascii_case("is") || word.eq_ignore_ascii_case("as"));
        let is_first = open.signature.start >= range.start;
        let has_block = open.has_body && open.kind == DeclarationKind::Function;
        let is_over = if has_block { is_first && ends(code) } else { code.contains(';') };
        if is_over {
            self.close(range.end);
        }
    }

    /// Returns the kind of a value whose name stands in front: `n CONSTANT NUMBER := 1;`,
    /// `missing EXCEPTION;`. Those of a function are local.
    fn value(&self, behind: &str) -> Option<DeclarationKind> {
        let word = behind.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty())?;
        let kind = match word.to_ascii_uppercase().as_str() {
            "CONSTANT" => DeclarationKind::Constant,
            "EXCEPTION" => DeclarationKind::Variable,
            _ => return None,
        };
        self.open.is_none().then_some(kind)
    }

    /// Ends the open member.
    fn close(&mut self, end: u32) {
        let Some(member) = self.open.take() else { return };
        let end = end.max(member.signature.end);
        let doc = ByteRange { start: member.start, end: member.signature.start };
        let written = doc.of(self.lines.text()).trim_end().len();
        let doc = ByteRange { end: doc.start + offset(written), ..doc };
        self.found.push(Declaration {
            name: member.name.to_owned(),
            scope: String::new(),
            kind: member.kind,
            parent: Some(self.parent),
            span: self.lines.span(ByteRange { start: member.start, end }),
            name_line: self.lines.of(member.name_at) + 1,
            signature: member.signature,
            body: if member.has_body {
                ByteRange { start: member.signature.end, end }
            } else {
                ByteRange::default()
            },
            doc: if doc.is_empty() { ByteRange::default() } else { doc },
        });
    }
}

/// Returns whether a line ends with the end of a block: `END;` or `END name;`.
fn ends(code: &str) -> bool {
    let Some(code) = code.trim_end().strip_suffix(';') else { return false };
    code.split_whitespace().rev().take(2).any(|word| word.eq_ignore_ascii_case("end"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_end_where_their_block_ends() {
        let text = "CREATE PACKAGE BODY p AS\n  n CONSTANT NUMBER := 1;\n\n  -- Hires.\n  FUNCTION hire (a NUMBER) RETURN NUMBER IS\n    PROCEDURE inner IS BEGIN NULL; END;\n  BEGIN\n    IF a THEN\n      x; -- end;\n    END IF;\n  END hire;\n\n  procedure fire(a NUMBER);\n  PROCEDURE \"One\" IS BEGIN NULL; END;\n  PROCEDURE last\n  AS\n  BEGIN\n    NULL;\n  END;\nEND p;\n/\n";
        let lines = Lines::new(text);
        let bytes = ByteRange { start: 0, end: offset(text.len()) };
        let found = members(&lines, bytes, 0);
        let found: Vec<_> = found
            .iter()
            .map(|one| {
                (one.name.as_str(), one.span.start_line, one.span.end_line, one.name_line, one.doc.of(text))
            })
            .collect();
        assert_eq!(
            found,
            [
                ("n", 2, 2, 2, ""),
                ("hire", 4, 11, 5, "-- Hires."),
                ("fire", 13, 13, 13, ""),
                ("One", 14, 14, 14, ""),
                ("last", 15, 19, 15, ""),
            ]
        );
    }
}
