//! Blocks of code in documents, with the name of their language → the references in them.
//!
//! Each block is read by its own grammar at its own lines. Its references are recorded, so that
//! the users of a function include the guide that shows how to call it. Its declarations are not:
//! an example declares the same names as the project, and would be found instead of them. Imports
//! are left out, because an example has no place in the project that they could start from.
//!
//! A **cell** is not an example: R Markdown and Quarto run it with the document (```` ```{r} ````).
//! What it declares is recorded, marked as of its language.

use crate::index::chunk::lines::Lines;
use crate::index::chunk::markup::Part;
use crate::index::chunk::walk;
use crate::index::chunk::walk_result::WalkResult;
use crate::index::chunk::{ByteRange, Language, ReferenceKind, complete, container, embedded, parse};
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

/// Languages of the cells that are read.
const CELLS: [&str; 5] = ["javascript", "julia", "python", "r", "sql"];

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
    /// Whether it is a cell, which is run with the document.
    pub(in crate::index::chunk) is_cell: bool,
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

/// Returns whether the text behind a fence's mark makes the block a cell: `{r}` or
/// `{python, echo=FALSE}`, but not the class `{.python}`.
pub(in crate::index::chunk) fn is_cell(info: &str) -> bool {
    let name = info.strip_prefix('{').filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
    name.and_then(language).is_some_and(|language| CELLS.contains(&language.name()))
}

/// Adds the references in fenced blocks to the walk of their document, and what its cells declare.
pub(in crate::index::chunk) fn add<'t>(
    document: &mut WalkResult<'t>,
    fences: &[Fence],
    lines: &'t Lines<'t>,
) {
    let fences = fences.get(..MAX_FENCES.min(fences.len())).unwrap_or_default();
    let is_cell = |fence: &Fence| fence.is_cell && fence.indent == 0 && fence.lines.0 <= fence.lines.1;
    add_cells(document, fences.iter().filter(|fence| is_cell(fence)), lines);
    for fence in fences.iter().filter(|fence| !is_cell(fence)) {
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
            _ if fence.has_prompts => prompted(lines, fence.lines.0, fence.lines.1),
            0 => vec![whole],
            indent => unindented(lines, fence.lines.0, fence.lines.1, indent),
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
            (refers(one.kind) && !is_own(&one.name)).then_some(one)
        }));
    }
}

/// Adds what cells declare and refer to. Those of one language are one program.
fn add_cells<'f, 't>(
    document: &mut WalkResult<'t>,
    cells: impl Iterator<Item = &'f Fence>,
    lines: &'t Lines<'t>,
) {
    let cells: Vec<&Fence> = cells.collect();
    for language in CELLS {
        let of_language = cells.iter().filter(|cell| cell.language.name() == language);
        let part = |(first, last): (u32, u32)| {
            let bytes = ByteRange { start: lines.start(first), end: lines.end(last) };
            Part { language, bytes, is_block: true }
        };
        let parts: Vec<Part> = of_language.map(|cell| part(cell.lines)).collect();
        if parts.is_empty() {
            continue;
        }
        if let Some((mut program, _)) = container::group(language, &parts, lines, u32::MAX) {
            // The document is cut along its own blocks.
            program.atoms.clear();
            embedded::mark(&mut program, language);
            let host = std::mem::take(document);
            *document = container::merged(host, program, &[], lines.text());
        }
    }
}

/// Returns the lines of a block without the white space that it is indented by.
fn unindented(lines: &Lines<'_>, first: u32, last: u32, indent: u32) -> Vec<ByteRange> {
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
fn prompted(lines: &Lines<'_>, first: u32, last: u32) -> Vec<ByteRange> {
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
    fn cells_are_in_braces() {
        for (info, expected) in [
            ("{r}", true),
            ("{r setup, include=FALSE}", true),
            ("{python}", true),
            ("r", false),
            ("{.r}", false),
            ("{{r}}", false),
            ("{mermaid}", false),
            ("{bash}", false),
        ] {
            assert_eq!(is_cell(info), expected, "{info}");
        }
    }

    #[test]
    fn a_cell_declares_and_an_example_does_not() {
        let text = "# Use\n\n```{r setup}\n# Cleans it.\nclean <- function(x) trim(x)\n```\n\n## Next\n\n\
                    ```{python}\ndef load(path):\n    return 1\n```\n\n```r\nother <- function(x) x\n```\n\n\
                    ```{r}\nclean(1)\n```\n";
        let file = chunk(Language::from_name("markdown").unwrap(), text, &ChunkOptions::default());
        let declared = file.declarations.iter().map(|one| {
            (one.scope.as_str(), one.name.as_str(), one.parent, one.span.start_line, one.span.end_line)
        });
        let declared: Vec<_> = declared.collect();
        assert_eq!(
            declared,
            [
                ("", "Use", None, 1, 21),
                ("`r`", "clean", Some(0), 4, 5),
                ("", "Next", Some(0), 8, 21),
                ("`python`", "load", Some(2), 11, 12),
            ]
        );
        let found: Vec<_> =
            file.references.iter().map(|one| (one.name.as_str(), one.alias.as_str())).collect();
        assert_eq!(found, [("clean", "`r`"), ("trim", "`r`")]);
    }

    #[test]
    fn a_module_in_a_document_declares() {
        let text = "import { Box } from './box'\n\nexport const meta = {\n  title: 'a',\n\n  order: 1,\n}\n\n# Use\n\n\
                    export function Chart(props) {\n  return <Box>{size(props)}</Box>\n}\n\nWe export const values (all).\n\n\
                    export the file (a) to b.\nexport const x = 1\n\nexport default ({ children }) => <p>{children}</p>";
        let file = chunk(Language::from_name("markdown").unwrap(), text, &ChunkOptions::default());
        let declared = file
            .declarations
            .iter()
            .map(|one| (one.scope.as_str(), one.name.as_str(), one.span.start_line, one.span.end_line));
        let declared: Vec<_> = declared.collect();
        assert_eq!(
            declared,
            [
                ("`javascript`", "meta", 3, 7),
                ("", "Use", 9, 20),
                ("`javascript`", "Chart", 11, 13),
                ("`javascript`", "default", 20, 20),
            ]
        );
        let found: Vec<_> = file.references.iter().map(|one| one.name.as_str()).collect();
        assert!(found.contains(&"Box") && found.contains(&"size"), "{found:?}");
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
