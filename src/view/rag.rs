//! The `<cora:rag-result>` view: results → what a language model reads.
//!
//! Informal XML: tags that models know how to read, and source inside them as it is in the file. Files come in order
//! of their best result, chunks of a file by line; chunks that touch are one, and a file of which everything is
//! shown has no chunk tags. Nothing is escaped, but nothing in a repository can close or open a tag of ours either:
//! a backslash goes in after the `<` of anything that reads like one, and is told of at the top. A backslash, because
//! the reader sees it; a zero-width character would be copied into code unseen.

use super::budget::{Cut, fit};
use super::lines::Lines;
use super::reduce::{self, Detail, Row};
use super::terms::Terms;
use super::{Budget, ResultItem, Results, clean, comment};
use bstr::ByteSlice;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::RangeInclusive;

/// What the reader has to know.
const HEAD: &str = "Files are in order of relevance, chunks in order of lines (first and last, from 1). \". . .\" stands for \
lines left out; a chunk without content was found, but did not fit. Where source contains one of these tags, a \
backslash follows its \"<\".";

/// Writes the view, within the budget: results that don't fit are reduced to doc, signature and the lines with the
/// query's words, then to doc and signature, then to their place and symbol, then dropped, worst first; `<cora:cut>`
/// at the end names them.
pub fn rag(results: &Results, budget: &Budget) -> String {
    let files = files(results);
    let levels = [Detail::Full, Detail::Matches, Detail::Signature, Detail::Location];
    fit(results, budget, &levels, &|details, cut| draw(results, &files, details, cut))
}

/// The results in one file.
struct File<'r> {
    first: &'r ResultItem,
    lines: Option<Lines<'r>>,
    /// By line, then by rank.
    results: Vec<Found<'r>>,
}

/// A result with what it shows at each detail.
struct Found<'r> {
    /// Index into the results, and so into the details.
    at: usize,
    item: &'r ResultItem,
    lines: RangeInclusive<usize>,
    full: BTreeSet<usize>,
    matches: BTreeSet<usize>,
    signature: BTreeSet<usize>,
}

/// What is shown as one chunk.
struct Block<'f, 'r> {
    lines: RangeInclusive<usize>,
    shown: BTreeSet<usize>,
    parts: Vec<&'f Found<'r>>,
}

fn files(results: &Results) -> Vec<File<'_>> {
    let terms = Terms::of(results);
    let mut files: Vec<File<'_>> = Vec::new();
    for (at, item) in results.results.iter().enumerate() {
        let file = match files.iter_mut().position(|file| file.first.path == item.path) {
            Some(at) => files.get_mut(at),
            None => {
                files.push(File {
                    first: item,
                    lines: item.text.as_deref().map(Lines::new),
                    results: Vec::new(),
                });
                files.last_mut()
            }
        };
        let Some(file) = file else { continue };
        // A place outside the text (the file has changed) is only named.
        let (lines, [full, matches, signature]) =
            match file.lines.as_ref().filter(|lines| !lines.of_span(&item.span).is_empty()) {
                Some(lines) => (
                    lines.of_span(&item.span),
                    [Detail::Full, Detail::Matches, Detail::Signature]
                        .map(|detail| reduce::shown(item, lines, &terms, detail)),
                ),
                None => {
                    let span = item.span.start_line as usize..=item.span.end_line as usize;
                    (span, Default::default())
                }
            };
        file.results.push(Found { at, item, lines, full, matches, signature });
    }
    for file in &mut files {
        file.results.sort_by_key(|found| (*found.lines.start(), *found.lines.end(), found.at));
    }
    files
}

fn draw(results: &Results, files: &[File<'_>], details: &[Detail], cut: Option<&Cut>) -> String {
    let state = if results.worktree { "working tree, uncommitted changes included" } else { "commit" };
    let mut out =
        format!("<cora:rag-result>\n  <!-- Source found for the query, as it is in the {state}. {HEAD}");
    for near in &results.near {
        // Two hyphens would end the comment; a word has none.
        let _ = write!(out, " Of the query's words: {}.", inert(&near.line()).replace("--", "‐‐"));
    }
    out.push_str(" -->\n  <cora:repo");
    let commit = results.commit.map(|id| id.to_string()).unwrap_or_default();
    let repository = &results.repository;
    for (key, value) in [
        ("origin", repository.origin.as_str()),
        ("git-commit-hash", &commit),
        ("checkout-host", &repository.host),
        ("checkout-path", &repository.path),
    ] {
        attribute(&mut out, key, value);
    }
    out.push_str(">\n");
    for file in files {
        let blocks = blocks(file, details);
        if !blocks.is_empty() {
            draw_file(&mut out, file, &blocks);
        }
    }
    if let Some(cut) = cut {
        let _ = writeln!(out, "    <cora:cut>{}</cora:cut>", inert(&cut.line()));
    }
    out.push_str("  </cora:repo>\n</cora:rag-result>\n");
    out
}

/// The chunks of a file that are shown, merged where they touch or only blank lines lie between.
fn blocks<'f, 'r>(file: &'f File<'r>, details: &[Detail]) -> Vec<Block<'f, 'r>> {
    let mut blocks: Vec<Block<'f, 'r>> = Vec::new();
    let nothing = BTreeSet::new();
    let mut parts = Vec::new();
    for found in &file.results {
        match details.get(found.at) {
            None | Some(Detail::Dropped) => (),
            Some(Detail::Location) => parts.push((found, &nothing)),
            Some(Detail::Signature) => parts.push((found, &found.signature)),
            Some(Detail::Matches) => parts.push((found, &found.matches)),
            Some(Detail::Full) => parts.push((found, &found.full)),
        }
    }
    // What is only named must not stand between chunks that touch.
    parts.sort_by_key(|(_, shown)| shown.is_empty());
    for (found, shown) in parts {
        let is_blank = |at| file.lines.as_ref().is_some_and(|lines| lines.is_blank(at));
        match blocks.last_mut() {
            Some(last)
                if last.shown.is_empty() == shown.is_empty()
                    && (last.lines.end() + 1..*found.lines.start()).all(is_blank) =>
            {
                if !shown.is_empty() {
                    last.shown.extend(last.lines.end() + 1..*found.lines.start());
                }
                last.lines = *last.lines.start()..=*last.lines.end().max(found.lines.end());
                last.shown.extend(shown);
                last.parts.push(found);
            }
            _ => blocks.push(Block { lines: found.lines.clone(), shown: shown.clone(), parts: vec![found] }),
        }
    }
    // Places whose lines another block shows.
    let covers = |lines: &RangeInclusive<usize>, by: &[(RangeInclusive<usize>, bool)]| {
        by.iter().any(|(other, shows)| *shows && other.contains(lines.start()) && other.contains(lines.end()))
    };
    let all: Vec<_> = blocks.iter().map(|block| (block.lines.clone(), !block.shown.is_empty())).collect();
    blocks.retain(|block| !block.shown.is_empty() || !covers(&block.lines, &all));
    blocks.sort_by_key(|block| *block.lines.start());
    blocks
}

fn draw_file(out: &mut String, file: &File<'_>, blocks: &[Block<'_, '_>]) {
    out.push_str("    <cora:file");
    attribute(out, "path", &file.first.path.to_str_lossy());
    attribute(out, "git-status", file.first.git_status);
    out.push_str(">\n");
    let whole = file.lines.as_ref().zip(blocks.first()).filter(|(lines, block)| {
        blocks.len() == 1 && (1..=lines.n()).all(|at| block.shown.contains(&at) || lines.is_blank(at))
    });
    if let Some((lines, block)) = whole {
        let all: BTreeSet<usize> = (1..=lines.n()).collect();
        commentary(out, "      ", block, true);
        content(out, "      ", file, lines, 1..=lines.n(), &all);
    } else {
        for block in blocks {
            let range = reduce::line_range(*block.lines.start() as u64, *block.lines.end() as u64);
            match file.lines.as_ref().filter(|_| !block.shown.is_empty()) {
                Some(lines) => {
                    let _ = writeln!(out, "      <cora:chunk lines=\"{range}\">");
                    commentary(out, "        ", block, false);
                    content(out, "        ", file, lines, block.lines.clone(), &block.shown);
                    out.push_str("      </cora:chunk>\n");
                }
                None => {
                    let _ = write!(out, "      <cora:chunk lines=\"{range}\">");
                    let names: Vec<_> = block.parts.iter().map(|found| found.item.symbol.as_str()).collect();
                    let _ = writeln!(out, "{}</cora:chunk>", inert(&join(names, ", ")));
                }
            }
        }
    }
    out.push_str("    </cora:file>\n");
}

/// One line about a chunk: the symbol of what lies inside something that is not shown, and why it is here.
fn commentary(out: &mut String, indent: &str, block: &Block<'_, '_>, is_whole: bool) {
    let mut notes = Vec::new();
    for Found { item, .. } in &block.parts {
        let is_inside = item.declarations.iter().any(|one| {
            !one.body.is_empty()
                && one.span.bytes.start <= item.span.bytes.start
                && one.span.bytes.end >= item.span.bytes.end
                && (one.span.start_line as usize) < *block.lines.start()
        });
        if is_inside && !is_whole {
            notes.push(item.symbol.clone());
        }
        notes.extend(item.explanation.iter().map(|one| format!("{}: {}", one.part, one.detail)));
    }
    let text = join(notes.iter().map(String::as_str).collect(), "; ");
    if !text.is_empty() {
        let _ = writeln!(out, "{indent}<cora:commentary>{}</cora:commentary>", inert(&text));
    }
}

/// What is not empty, each once.
fn join(mut texts: Vec<&str>, separator: &str) -> String {
    let mut seen = BTreeSet::new();
    texts.retain(|text| !text.is_empty() && seen.insert(*text));
    clean::name(&texts.join(separator)).into_owned()
}

fn content(
    out: &mut String,
    indent: &str,
    file: &File<'_>,
    lines: &Lines<'_>,
    all: RangeInclusive<usize>,
    shown: &BTreeSet<usize>,
) {
    let _ = writeln!(out, "{indent}<cora:content>");
    for row in reduce::rows(all, shown) {
        match row {
            Row::Line(at) => {
                let from = file.results.iter().map(|found| found.item.span.bytes.start as usize);
                let from = from.filter(|&from| (lines.start(at)..lines.start(at + 1)).contains(&from)).min();
                out.push_str(&inert(&lines.shown(at, from.unwrap_or_default())));
            }
            Row::Elided(at) => {
                out.push_str(reduce::indentation(lines, at));
                out.push_str(&comment::elision(&file.first.language));
            }
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{indent}</cora:content>");
}

fn attribute(out: &mut String, key: &str, value: &str) {
    // A quotation mark would end the value.
    let _ = write!(out, " {key}=\"{}\"", inert(&clean::name(value)).replace('"', "\\\""));
}

/// The text with a backslash after the `<` of whatever reads like a tag of ours, backslashes there included, so that
/// taking one away gives the text back.
fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at(at + 1);
        out.push_str(before);
        let name = after.trim_start_matches(|c: char| c == '\\' || c == '/' || c.is_whitespace());
        let is_tag = ["cora:", "coderag:"]
            .iter()
            .any(|tag| name.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)));
        if is_tag {
            out.push('\\');
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn tags_in_source_are_inert() {
        for (source, shown) in [
            ("a </cora:content> b", "a <\\/cora:content> b"),
            ("<CORA:file x>", "<\\CORA:file x>"),
            ("< / cora:chunk>", "<\\ / cora:chunk>"),
            ("<\\/cora:content>", "<\\\\/cora:content>"),
            ("<codeRag:metadata>", "<\\codeRag:metadata>"),
            ("Vec<cora> <<b", "Vec<cora> <<b"),
        ] {
            assert_eq!(inert(source), shown);
        }
    }
}
