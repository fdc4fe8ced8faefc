//! Where a name stands in a text: its mentions as a word, and the declaration around a place.

use std::cell::OnceCell;

use crate::base::text::{tail, words};
use crate::index::chunk::{ByteRange, DeclarationKind, Language, Prose, ReferenceKind, Span};
use crate::search::segment::{DeclarationView, FileView};

/// The innermost of a file's declarations (given in order) around a place, ignoring plain values. A
/// property with code of its own is not one.
pub(crate) fn enclosing<'s>(
    declarations: impl Iterator<Item = DeclarationView<'s>>,
    is_around: impl Fn(&Span) -> bool,
) -> Option<DeclarationView<'s>> {
    declarations.filter(|one| is_around(&one.row.span) && !is_value(one)).last()
}

/// Returns the innermost declaration of a file around a byte, as [`enclosing`] does.
pub(crate) fn enclosing_byte<'s>(file: &FileView<'s>, byte: u32) -> Option<DeclarationView<'s>> {
    file.declarations_before(byte).find(|one| one.row.span.bytes.contains(byte) && !is_value(one))
}

/// Returns whether a declaration is a plain value.
fn is_value(one: &DeclarationView<'_>) -> bool {
    match one.row.kind {
        DeclarationKind::Variant => true,
        DeclarationKind::Field => !is_property(one) || one.row.body.is_empty(),
        _ => false,
    }
}

/// Returns whether a field is a property: in these languages, the index has no others.
pub(super) fn is_property(one: &DeclarationView<'_>) -> bool {
    let has_properties = matches!(one.file.language(), "c-sharp" | "kotlin" | "razor" | "swift");
    has_properties && one.row.kind == DeclarationKind::Field
}

/// Beginnings of comments.
const COMMENTS: [&str; 4] = ["//", "/*", "#", "--"];

/// Beginnings of lines that are imports.
const IMPORTS: [&str; 5] = ["import ", "from ", "use ", "pub use ", "using "];

/// The bytes of a text that are not code: comments, strings and imports. The syntax of the text
/// says so; if no grammar reads it, the words and quotes in front of a place do.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remarks {
    language: Option<Language>,
    /// What the syntax says, read when first needed.
    prose: OnceCell<Option<Prose>>,
}

impl Remarks {
    /// Returns those of a text in a language, which is parsed when first needed.
    pub(crate) fn of(language: &str) -> Self {
        Self { language: Language::from_name(language), prose: OnceCell::new() }
    }

    /// Returns the text in front of a byte, without blanks and comments at its end.
    pub(crate) fn code_before<'t>(&self, text: &'t str, byte: u32) -> &'t str {
        let mut before = text.get(..byte as usize).unwrap_or_default().trim_end();
        while let Some(last) = before.len().checked_sub(1).and_then(|last| u32::try_from(last).ok())
            && let Some(prose) = self.prose(text)
            && let Some(remark) = prose.text_at(last)
            && COMMENTS.iter().any(|mark| remark.of(text).starts_with(mark))
        {
            before = text.get(..remark.start as usize).unwrap_or_default().trim_end();
        }
        before
    }

    /// Returns what the syntax of the text says.
    fn prose(&self, text: &str) -> Option<&Prose> {
        self.prose.get_or_init(|| Prose::of(self.language?, text)).as_ref()
    }

    /// Returns whether a place in the text, in bytes, is in a comment, a string or an import.
    pub(crate) fn contain(&self, text: &str, byte: u32) -> bool {
        match self.prose(text) {
            Some(prose) => prose.is_text(byte) || prose.is_import(byte),
            None => is_remark(text, byte),
        }
    }
}

/// Beginnings of lines that are comments.
const COMMENT_LINES: [&str; 6] = ["//", "/*", "* ", "# ", "-- ", ";;"];

/// Returns whether a place in the text of a program, in bytes, is in a line that is a comment.
pub(super) fn is_comment_line(text: &str, byte: u32) -> bool {
    let before = text.get(..byte as usize).unwrap_or_default();
    let begun = before.rsplit('\n').next().unwrap_or_default().trim_start();
    COMMENT_LINES.iter().any(|mark| begun.starts_with(mark))
}

/// The places of a name as a word in a range of a text: bytes and lines. Comments and imports are
/// used only if there is no other place. For calls, only places that are calls are used, if there
/// are any.
pub(crate) fn mentions(
    text: &str,
    remarks: &Remarks,
    bytes: ByteRange,
    name: &str,
    kind: ReferenceKind,
) -> Vec<(u32, u32)> {
    let ByteRange { start, end } = bytes;
    let Some(range) = text.get(start as usize..end as usize) else { return Vec::new() };
    let mut all = Vec::new();
    let (mut called, mut perhaps, mut in_remarks) = (Vec::new(), Vec::new(), Vec::new());
    let mut line = 1 + text.get(..start as usize).map_or(0, |before| before.matches('\n').count());
    let mut counted = 0;
    for at in words(range, name) {
        let after = range.get(at + name.len()..).unwrap_or_default();
        line += range.get(counted..at).map_or(0, |between| between.matches('\n').count());
        counted = at;
        let byte = start.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
        let place = (byte, u32::try_from(line).unwrap_or(u32::MAX));
        if remarks.contain(text, byte) {
            in_remarks.push(place);
            continue;
        }
        all.push(place);
        let before = range.get(..at).unwrap_or_default();
        if after.starts_with(['(', '!', '<']) || after.starts_with("::") || is_element(before, after) {
            called.push(place);
        } else if after.trim_start().starts_with(['(', '{']) {
            perhaps.push(place);
        }
    }
    // A brace may begin a value, or the body of what returns one.
    if kind != ReferenceKind::Call {
        (called, perhaps) = (Vec::new(), Vec::new());
    }
    [called, perhaps, all, in_remarks].into_iter().find(|places| !places.is_empty()).unwrap_or_default()
}

/// Returns whether a name between two texts begins an element of JSX, which calls its component. A
/// type argument (`Map<Counter>`) follows a name.
fn is_element(before: &str, after: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ')' | '.');
    let around = before.strip_suffix('<');
    around.is_some_and(|around| !around.ends_with(is_name))
        && after.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | '>'))
}

/// Returns whether a place in a text, in bytes, seems to be in a comment, a string or an import.
fn is_remark(text: &str, byte: u32) -> bool {
    let before = text.get(..byte as usize).unwrap_or_default();
    let begun = before.rsplit('\n').next().unwrap_or_default().trim_start();
    is_comment_line(text, byte)
        || IMPORTS.iter().any(|mark| begun.starts_with(mark))
        || is_quoted(begun)
        || is_in_import(before)
}

/// Longest import statement that is looked for, in bytes.
const MAX_IMPORT: usize = 4000;

/// Returns whether a text ends inside of the list of an import that covers several lines.
fn is_in_import(before: &str) -> bool {
    let tail = tail(before, MAX_IMPORT);
    // Most places are behind a statement on the line above.
    for line in tail.rsplit('\n').skip(1) {
        if line.contains([';', '}', ')', '=']) {
            return false;
        }
        let begun = line.trim_start();
        let is_export = begun.starts_with("export {") || begun.starts_with("export type {");
        let begun = begun.strip_prefix("pub ").unwrap_or(begun);
        if is_export || ["import ", "from ", "use "].iter().any(|word| begun.starts_with(word)) {
            return line.contains(['{', '(']);
        }
    }
    false
}

/// Returns whether a place is inside of a string or of a comment at the end of its line. `begun` is
/// the line up to the place. A name that a string inserts, as `"{name}"`, is code.
fn is_quoted(begun: &str) -> bool {
    let (mut is_open, mut inserted) = (false, 0usize);
    let mut rest = begun.char_indices();
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' if is_open => drop(rest.next()),
            '"' if inserted == 0 && !begun.get(..at).is_some_and(|before| before.ends_with('\'')) => {
                is_open = !is_open;
            }
            '{' if is_open => inserted += 1,
            '}' if is_open => inserted = inserted.saturating_sub(1),
            '/' if !is_open && begun.get(at..).is_some_and(|rest| rest.starts_with("//")) => {
                return !begun.get(..at).is_some_and(|before| before.ends_with(':'));
            }
            _ => (),
        }
    }
    is_open && inserted == 0
}

#[cfg(test)]
mod tests {
    use super::{ByteRange, ReferenceKind, Remarks, is_in_import, is_quoted};

    fn mentions(text: &str, start: u32, end: u32, name: &str, kind: ReferenceKind) -> Vec<(u32, u32)> {
        super::mentions(text, &Remarks::default(), ByteRange { start, end }, name, kind)
    }

    #[test]
    fn imports_of_several_lines_are_told_from_code() {
        for (before, expected) in [
            ("import {\n  a,\n  ", true),
            ("import type {\n  a as b,\n  ", true),
            ("export {\n  ", true),
            ("from x import (\n    a,\n    ", true),
            ("use a::{\n    b,\n    ", true),
            ("import {\n  a,\n} from 'b'\n", false),
            ("import a\nf(\n  ", false),
            ("fn f() {\n  ", false),
            ("int f(void)\n{\n  ", false),
        ] {
            assert_eq!(is_in_import(before), expected, "{before}");
        }
    }

    #[test]
    fn elements_call_their_components() {
        let text = "function Cart() {}\nrender(<Cart />)\nnew Map<Cart>()\nreturn <Cart>x</Cart>\n";
        let end = u32::try_from(text.len()).unwrap();
        let lines: Vec<u32> =
            mentions(text, 0, end, "Cart", ReferenceKind::Call).into_iter().map(|one| one.1).collect();
        assert_eq!(lines, [1, 2, 4]);
    }

    #[test]
    fn strings_and_comments_are_told_from_code() {
        for (begun, expected) in [
            ("f(\"a ", true),
            ("f(\"a\", ", false),
            ("f(\"\\\"a ", true),
            ("f(\"{", false),
            ("f(\"{a} ", true),
            ("f(a); // see ", true),
            ("f('\"', ", false),
            ("\"\"\"", true),
            ("x = a / b // ", true),
        ] {
            assert_eq!(is_quoted(begun), expected, "{begun}");
        }
    }

    #[test]
    fn names_are_found_as_words() {
        let text = "a get\nget_all()\nx.get(1)\nget\n";
        assert_eq!(mentions(text, 0, 30, "get", ReferenceKind::Call), []);
        let end = u32::try_from(text.len()).unwrap();
        assert_eq!(mentions(text, 0, end, "get", ReferenceKind::Call), [(18, 3)]);
        assert_eq!(mentions(text, 0, 10, "get", ReferenceKind::Call), [(2, 1)]);
        assert_eq!(mentions(text, 16, end, "x", ReferenceKind::Call), [(16, 3)]);
        // Other mentions may stand beside a call; comments count only if there is nothing else.
        let text = "// open it\nopen();\nlater(open);\n";
        let end = u32::try_from(text.len()).unwrap();
        assert_eq!(mentions(text, 0, end, "open", ReferenceKind::Call), [(11, 2)]);
        assert_eq!(mentions(text, 0, end, "open", ReferenceKind::Use), [(11, 2), (25, 3)]);
        assert_eq!(mentions(text, 0, 10, "open", ReferenceKind::Use), [(3, 1)]);
    }
}
