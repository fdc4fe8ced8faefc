//! Blocks of code in documents, with the name of their language → the references in them.
//!
//! Each block is read by its own grammar at its own lines. Its references are recorded, so that the
//! users of a function include the guide that shows how to call it. Its declarations are not: an
//! example declares the same names as the project, and would be found instead of them. Imports are
//! left out, because an example has no place in the project that they could start from.

use crate::index::chunk::lines::Lines;
use crate::index::chunk::walk;
use crate::index::chunk::walk_result::WalkResult;
use crate::index::chunk::{ByteRange, Language, ReferenceKind, complete, parse};
use std::collections::HashSet;

/// Most blocks of a document that are read.
const MAX_FENCES: usize = 500;

/// Languages without references to names that a project declares: data, styles, and the commands of
/// a shell, which are nearly always programs from outside.
const NOT_READ: [&str; 14] = [
    "bash",
    "css",
    "dockerfile",
    "html",
    "ini",
    "json",
    "json-lines",
    "jupyter",
    "markdown",
    "scss",
    "text",
    "toml",
    "xml",
    "yaml",
];

/// A fenced block.
#[derive(Debug, Clone, Copy)]
pub(in crate::index::chunk) struct Fence {
    pub(in crate::index::chunk) language: Language,
    /// The first and the last line inside, 0-based.
    pub(in crate::index::chunk) lines: (u32, u32),
    /// White space before each line, in bytes: a block can be part of a list.
    pub(in crate::index::chunk) indent: u32,
    /// Whether it is a session: code follows `>>> ` or `... `, and the other lines are output.
    pub(in crate::index::chunk) has_prompts: bool,
}

/// Returns the language that the text behind a fence's mark names: `python`, `rust,ignore`,
/// `{.js}`; `None` for one that is not read.
pub(in crate::index::chunk) fn language(info: &str) -> Option<Language> {
    let info = info.trim_start_matches(['{', '.', ' ', '\t']);
    let end = info.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_')));
    let name = info.get(..end.unwrap_or(info.len()))?;
    let language = Language::from_name(name)?;
    let is_read = !NOT_READ.contains(&language.name()) && language.table().is_some();
    is_read.then_some(language)
}

/// Adds the references in fenced blocks to the walk of their document.
pub(in crate::index::chunk) fn add<'t>(
    document: &mut WalkResult<'t>,
    fences: &[Fence],
    lines: &'t Lines<'t>,
) {
    for fence in fences.iter().take(MAX_FENCES) {
        let Some(resolved) = fence.language.resolved() else { continue };
        let (first, last) = fence.lines;
        if first > last {
            continue;
        }
        let whole = ByteRange { start: lines.start(first), end: lines.end(last) };
        if !parse::is_parseable(whole.of(lines.text())) {
            continue;
        }
        let ranges = match fence.indent {
            _ if fence.has_prompts => prompted(lines, fence.lines),
            0 => vec![whole],
            indent => unindented(lines, fence.lines, indent),
        };
        let tree = parse::parse_ranges(fence.language, lines, &ranges);
        let Some(tree) = tree else { continue };
        let mut walked = walk::walk(fence.language, resolved, &tree, lines, u32::MAX);
        complete(resolved, lines.text(), &mut walked);
        let refers = |kind| {
            use ReferenceKind as R;
            matches!(kind, R::Call | R::Inherits | R::Type)
        };
        let own: HashSet<&str> = walked.declarations.iter().map(|one| one.name.as_str()).collect();
        // A name that the example declares itself is not the project's.
        let is_own = |name: &str| own.contains(name);
        document.mentions.extend(walked.mentions.into_iter().filter_map(|mut one| {
            one.within = None;
            (refers(one.kind) && !is_own(one.name)).then_some(one)
        }));
    }
}

/// Returns the lines of a block without the white space that it is indented by.
fn unindented(lines: &Lines<'_>, (first, last): (u32, u32), indent: u32) -> Vec<ByteRange> {
    let of = |line: u32| {
        let (start, end) = (lines.start(line), lines.start(line + 1));
        let written = ByteRange { start, end: lines.end(line) }.of(lines.text());
        let blank = written.bytes().take(indent as usize).take_while(u8::is_ascii_whitespace).count();
        ByteRange { start: start + crate::index::chunk::lines::offset(blank), end }
    };
    let ranges = (first..=last).map(of);
    ranges.filter(|range| !range.is_empty()).collect()
}

/// Returns the code of a session without its prompts.
fn prompted(lines: &Lines<'_>, (first, last): (u32, u32)) -> Vec<ByteRange> {
    let of = |line: u32| {
        let written = ByteRange { start: lines.start(line), end: lines.end(line) }.of(lines.text());
        let content = written.trim_start();
        let code = content.strip_prefix(">>>").or_else(|| content.strip_prefix("..."))?;
        let code = code.strip_prefix(' ').or_else(|| code.is_empty().then_some(code))?;
        let start = lines.end(line) - crate::index::chunk::lines::offset(code.len());
        Some(ByteRange { start, end: lines.start(line + 1) })
    };
    (first..=last).filter_map(of).filter(|range| !range.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::{ChunkOptions, chunk};

    #[test]
    fn languages_of_fences() {
        for (info, expected) in [
            ("python", Some("python")),
            (" rust,ignore", Some("rust")),
            ("{.js .numberLines}", Some("javascript")),
            ("c++", Some("cpp")),
            ("ts title=\"a.ts\"", Some("typescript")),
            ("sh", None),
            ("json", None),
            ("", None),
            ("mermaid", None),
        ] {
            assert_eq!(language(info).map(Language::name), expected, "{info}");
        }
    }

    #[test]
    fn a_fence_refers_but_does_not_declare() {
        let text = "# Use\n\n1. Open it:\n\n   ```python\n   from shop import Cart\n\n   def main():\n       \
                    Cart().add_item(1)\n       helper()\n\n   def helper(): ...\n   ```\n\n~~~ts\nconst a: Money = load()\n~~~\n";
        let file = chunk(Language::from_name("markdown").unwrap(), text, &ChunkOptions::default());
        let names: Vec<_> = file.declarations.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Use"]);
        let found: Vec<_> = file.references.iter().map(|one| (one.kind, one.name.as_str())).collect();
        use ReferenceKind as R;
        assert_eq!(found, [(R::Call, "Cart"), (R::Call, "add_item"), (R::Call, "load"), (R::Type, "Money"),]);
    }
}
