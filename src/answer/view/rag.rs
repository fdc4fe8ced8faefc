//! The `<cora:rag-result>` view: results → text for a language model.
//!
//! The form is informal XML: tags that models can read, with the source inside them unchanged.
//! Files are in the order of their best result, and chunks of a file by line. Chunks that touch are
//! merged, and a file that is shown completely has no chunk tags. Each chunk has its own lines, so
//! that a reader can cite and open it: only the body of a declaration and a few lines are left out
//! inside a chunk.
//!
//! Nothing is escaped, but text of the repository can't open or close one of our tags. A backslash
//! is inserted after the `<` of anything that looks like such a tag, and the head of the output
//! says so. A zero-width character would do as well, but the reader could not see it and would copy
//! it into code.
//!
//! Other forms have the same content under other tags: see [`super::tags`].

use super::budget::Omission;
use super::lines::Lines;
use super::passage::passages;
use super::reduce::{self, Detail, Row};
use super::tags::{Style, Tags};
use super::terms::Terms;
use super::{Budget, DeclarationItem, ResultItem, Results, comment, pack};
use crate::base::text::clean;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Writes the view in the form that `style` names, within the budget.
///
/// Without a budget, every result is shown completely. Within a budget, the best results come
/// first: the whole chunk, or the lines around query words. As many of the others as possible are
/// shown with their signature. A note at the end names what was left out. If not even the note
/// fits, the output is empty.
///
/// Within less than 2,000 tokens, the best results show their best lines, and the others their
/// place. There each line begins with its number, and a range has no other lines than those around
/// the lines shown.
pub fn rag(results: &Results, style: Style, budget: &Budget) -> String {
    let terms = Terms::of(results);
    let files = files(results, &terms);
    let draw = |details: &[Detail], cut: Option<&Omission>| {
        // What is shown completely is as in any other budget.
        let is_small = pack::is_small(budget) && cut.is_some();
        draw(&View { results, files: &files, terms: &terms, style, is_small }, details, cut)
    };
    pack::pack(results, budget, &draw)
}

/// What is drawn, whatever fits.
struct View<'v, 'r> {
    results: &'r Results,
    files: &'v [File<'r>],
    terms: &'v Terms,
    style: Style,
    /// Whether the budget is small: lines are numbered, and places have no lines.
    is_small: bool,
}

/// The results in one file.
struct File<'r> {
    first: &'r ResultItem,
    lines: Option<Lines<'r>>,
    /// The results, by line, then by rank.
    results: Vec<RagResult<'r>>,
}

/// A result with the lines that it shows at each detail.
struct RagResult<'r> {
    /// Index into the results and into the details.
    at: usize,
    item: &'r ResultItem,
    /// Title and address of the document that it is a part of; empty if there is none.
    document: String,
    lines: RangeInclusive<usize>,
    full: BTreeSet<usize>,
    /// The lines shown at [`Detail::Location`].
    brief: BTreeSet<usize>,
    /// The lines shown at each of [`pack::LINES`]. Choosing them takes longer than all the rest, so
    /// they are chosen when they are shown.
    best: [OnceCell<BTreeSet<usize>>; pack::LINES.len()],
}

impl RagResult<'_> {
    /// Returns the lines shown at a detail of [`pack::LINES`].
    fn best(&self, detail: Detail, lines: Option<&Lines<'_>>, terms: &Terms) -> &BTreeSet<usize> {
        let is_present = |lines: &&Lines<'_>| !lines.of_span(&self.item.span).is_empty();
        let (Some(lines), Some((_, best))) =
            (lines.filter(is_present), pack::LINES.iter().zip(&self.best).find(|(of, _)| **of == detail))
        else {
            return &NONE;
        };
        best.get_or_init(|| reduce::shown(self.item, lines, terms, detail))
    }
}

/// The lines shown of a place.
static NONE: BTreeSet<usize> = BTreeSet::new();

/// Results that are shown as one chunk.
struct Block<'f, 'r> {
    lines: RangeInclusive<usize>,
    shown: BTreeSet<usize>,
    parts: Vec<&'f RagResult<'r>>,
    /// Whether only signatures are shown.
    is_brief: bool,
    /// Whether the results that it shows begin in another block, which has the commentary on them.
    continues: bool,
}

/// Maximum characters of a line in place of a name.
const MAX_NAME: usize = 60;

/// Maximum distance in lines between two chunks that are merged. The tags between two chunks would
/// take as much room as the lines.
const NEAR: usize = 4;

fn files<'r>(results: &'r Results, terms: &Terms) -> Vec<File<'r>> {
    let mut files: Vec<File<'_>> = Vec::new();
    for (at, item) in results.results.iter().enumerate() {
        let is_of = |file: &File<'_>| {
            file.first.path == item.path
                && file.first.repository == item.repository
                && file.first.change == item.change
        };
        let file = match files.iter_mut().position(|file| is_of(file)) {
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
        // If the place is outside the text (the file has changed), show only the place.
        let present = file.lines.as_ref().filter(|lines| !lines.of_span(&item.span).is_empty());
        let (lines, full, brief) = match present {
            Some(lines) => (
                lines.of_item(item),
                reduce::shown(item, lines, terms, Detail::Full),
                reduce::brief(item, lines, terms),
            ),
            None => {
                let span = item.span.start_line as usize..=item.span.end_line as usize;
                (span, BTreeSet::new(), BTreeSet::new())
            }
        };
        let document = document(item);
        file.results.push(RagResult { at, item, document, lines, full, brief, best: Default::default() });
    }
    for file in &mut files {
        file.results.sort_by_key(|found| (*found.lines.start(), *found.lines.end(), found.at));
    }
    files
}

fn draw(view: &View<'_, '_>, details: &[Detail], cut: Option<&Omission>) -> String {
    let View { results, files, terms, style, is_small } = *view;
    let mut tags = Tags::new(style);
    tags.open(results, is_small);
    // Group files by repository; the repository with the best result comes first.
    let mut repositories: Vec<usize> = Vec::new();
    for file in files {
        if !repositories.contains(&file.first.repository) {
            repositories.push(file.first.repository);
        }
    }
    if repositories.is_empty() {
        repositories.push(0);
    }
    for repository in repositories {
        let files = files.iter().filter(|file| file.first.repository == repository);
        let drawn: Vec<_> = files
            .map(|file| (file, blocks(file, details, terms, is_small)))
            .filter(|(_, blocks)| !blocks.is_empty())
            .collect();
        if drawn.is_empty() && repository != 0 {
            continue;
        }
        tags.open_repository(results, repository);
        for (file, blocks) in &drawn {
            draw_file(&mut tags, file, blocks, is_small);
        }
        tags.close_repository();
    }
    tags.close(cut)
}

/// Returns the shown chunks of a file by line, merged where that is shorter.
fn blocks<'f, 'r>(
    file: &'f File<'r>,
    details: &[Detail],
    terms: &Terms,
    is_small: bool,
) -> Vec<Block<'f, 'r>> {
    let mut parts = Vec::new();
    for found in &file.results {
        match details.get(found.at) {
            None | Some(Detail::Dropped) => (),
            Some(Detail::Location) if is_small => parts.push((found, &NONE)),
            Some(Detail::Location) => parts.push((found, &found.brief)),
            Some(&detail @ (Detail::Lines(_) | Detail::Signature | Detail::Matches)) => {
                parts.push((found, found.best(detail, file.lines.as_ref(), terms)));
            }
            Some(Detail::Full) => parts.push((found, &found.full)),
        }
    }
    // The signature may be above the part that the result covers.
    let start = |found: &RagResult<'_>, shown: &BTreeSet<usize>| {
        shown.first().map_or(*found.lines.start(), |&at| at.min(*found.lines.start()))
    };
    parts.sort_by_key(|(found, shown)| (start(found, shown), found.at));
    let mut blocks: Vec<Block<'f, 'r>> = Vec::new();
    for (found, shown) in parts {
        let start = start(found, shown);
        let is_brief = details.get(found.at) == Some(&Detail::Location);
        let is_blank = |at| file.lines.as_ref().is_some_and(|lines| lines.is_blank(at));
        match blocks.last_mut() {
            // Merge chunks that touch, and neighbours of which little is shown: tags cost more than
            // dots.
            Some(last)
                if shown.is_empty() == last.shown.is_empty()
                    && ((last.lines.end() + 1..start).all(is_blank)
                        || is_brief && last.is_brief
                        || start <= last.lines.end() + NEAR) =>
            {
                // A single line in between takes no more room than the dots that would replace it.
                let between = (last.lines.end() + 1..start).filter(|&at| !is_blank(at)).count();
                if between <= 1 && !shown.is_empty() && !(is_brief && last.is_brief) {
                    last.shown.extend(last.lines.end() + 1..start);
                }
                last.lines = *last.lines.start()..=*last.lines.end().max(found.lines.end());
                last.shown.extend(shown);
                last.parts.push(found);
                last.is_brief &= is_brief;
            }
            _ => blocks.push(Block {
                lines: start..=*found.lines.end(),
                shown: shown.clone(),
                parts: vec![found],
                is_brief,
                continues: false,
            }),
        }
    }
    if is_small {
        for block in &mut blocks {
            if let (Some(&first), Some(&last)) = (block.shown.first(), block.shown.last()) {
                block.lines = first..=last;
            }
        }
        return blocks;
    }
    match &file.lines {
        Some(lines) => blocks.into_iter().flat_map(|block| pieces(block, lines)).collect(),
        None => blocks,
    }
}

/// Divides a block where lines are left out, so that each line has a known number.
///
/// A declaration of which only the head is shown stays whole: its chunk has all its lines, and dots
/// for its body.
fn pieces<'f, 'r>(block: Block<'f, 'r>, lines: &Lines<'_>) -> Vec<Block<'f, 'r>> {
    // Each line of a corpus is another document.
    let is_corpus = block.parts.iter().any(|found| found.item.language == "json-lines");
    let near = if is_corpus { 1 } else { NEAR };
    let mut runs: Vec<(RangeInclusive<usize>, BTreeSet<usize>)> = Vec::new();
    for &at in &block.shown {
        match runs.last_mut() {
            Some((of, shown)) if at <= of.end() + near => {
                shown.extend(of.end() + 1..=at);
                *of = *of.start()..=at;
            }
            _ if lines.is_blank(at) => (),
            _ => runs.push((at..=at, BTreeSet::from([at]))),
        }
    }
    // The first line of each declaration's signature, and its last line.
    let declarations = block.parts.iter().flat_map(|found| &found.item.declarations);
    let mut heads: Vec<(usize, usize)> = declarations
        .filter_map(|one| Some((*lines.of_bytes(&one.signature)?.start(), one.span.end_line as usize)))
        .collect();
    heads.sort_unstable();
    // The ends of the declarations that begin in a run.
    let ends = |run: &RangeInclusive<usize>| -> Vec<usize> {
        let first = heads.partition_point(|(head, _)| head < run.start());
        let begun = heads.iter().skip(first).take_while(|(head, _)| head <= run.end());
        begun.map(|(_, end)| *end).collect()
    };
    let mut whole: Vec<(RangeInclusive<usize>, BTreeSet<usize>)> = Vec::new();
    for (run, shown) in runs {
        let is_end = run.start() == run.end() && reduce::is_closing(lines.get(*run.start()));
        match whole.last_mut() {
            Some((of, known)) if is_end => {
                // The end of a declaration of which more is shown says nothing on its own.
                if ends(of).contains(run.end()) {
                    known.extend(shown);
                    *of = *of.start()..=*run.end();
                }
            }
            _ => whole.push((run, shown)),
        }
    }
    if whole.len() < 2 {
        return vec![block];
    }
    let starts: Vec<usize> = whole.iter().map(|(run, _)| *run.start()).skip(1).collect();
    let nexts = starts.into_iter().map(Some).chain([None]);
    let of_run = |((run, shown), next): ((RangeInclusive<usize>, BTreeSet<usize>), Option<usize>)| {
        let most = next.map_or(*block.lines.end(), |next| next - 1).min(*block.lines.end());
        let end = ends(&run).into_iter().filter(|end| *end <= most).max().unwrap_or(0).max(*run.end());
        let meets = |one: &RagResult<'_>| one.lines.start() <= run.end() && one.lines.end() >= run.start();
        let parts: Vec<_> = block.parts.iter().copied().filter(|one| meets(one)).collect();
        let begins = |one: &&RagResult<'_>| {
            block.shown.range(one.lines.clone()).next().is_none_or(|begin| run.contains(begin))
        };
        Block {
            continues: !parts.iter().any(begins),
            lines: *run.start()..=end,
            parts: if parts.is_empty() { block.parts.clone() } else { parts },
            shown,
            is_brief: block.is_brief,
        }
    };
    whole.into_iter().zip(nexts).map(of_run).collect()
}

fn draw_file(tags: &mut Tags, file: &File<'_>, blocks: &[Block<'_, '_>], is_small: bool) {
    let licence = file.lines.as_ref().and_then(|lines| reduce::licence(lines, &file.first.language));
    let is_elided = |at| licence.as_ref().is_some_and(|licence| licence.contains(&at));
    let whole = file.lines.as_ref().zip(blocks.first()).filter(|(lines, block)| {
        let is_there = |at| block.shown.contains(&at) || lines.is_blank(at) || is_elided(at);
        blocks.len() == 1 && (1..=lines.n()).all(is_there)
    });
    tags.open_file(file.first);
    if let Some((lines, block)) = whole {
        let all: BTreeSet<usize> = (1..=lines.n()).filter(|&at| !is_elided(at)).collect();
        let text = content(file, block, 1..=lines.n(), &all, is_small);
        tags.whole(file.first, &commentary(block, true), &text, lines);
    } else {
        for block in blocks {
            match file.lines.as_ref().filter(|_| !block.shown.is_empty()) {
                Some(lines) => {
                    let text = content(file, block, block.lines.clone(), &block.shown, is_small);
                    let at = lines.characters(block.lines.clone());
                    tags.chunk(file.first, &block.lines, &commentary(block, false), &text, at);
                }
                None => {
                    let names: Vec<String> =
                        block.parts.iter().map(|found| name_of_place(found, block, is_small)).collect();
                    let symbols = names.iter().map(String::as_str).collect();
                    let relations = block.parts.iter().filter_map(|found| found.item.relation.as_deref());
                    let relations = join(relations.collect(), "; ");
                    tags.place(file.first, &block.lines, &relations, &join(symbols, ", "));
                }
            }
        }
    }
    tags.close_file();
}

/// Returns one line about a chunk: the symbol if the surrounding signature is not shown, and why
/// the chunk is listed.
fn commentary(block: &Block<'_, '_>, is_whole: bool) -> String {
    if block.continues {
        return String::new();
    }
    let mut notes = Vec::new();
    for RagResult { item, document, .. } in &block.parts {
        let around = item.declarations.iter().rfind(|one| {
            !one.body.is_empty()
                && one.span.bytes.start <= item.span.bytes.start
                && one.span.bytes.end >= item.span.bytes.end
                && (one.span.start_line as usize) < *block.lines.start()
        });
        // A shown signature already names the symbol.
        if let Some(around) = around.filter(|_| !is_whole && !block.is_brief) {
            notes.push(name_beside(item, around, &block.lines));
        }
        notes.push(document.clone());
        notes.extend(item.commentary.as_ref().map(super::Commentary::marked));
        notes.extend(item.relation.clone());
        notes.extend(item.explanation.iter().map(|one| format!("{}: {}", one.part, one.detail)));
    }
    join(notes.iter().map(String::as_str).collect(), "; ")
}

/// Returns what is shown of a result in a place without lines: its name. In a small view, a place
/// of several results has the lines of each beside its name, and one without a name has the line
/// that matches.
fn name_of_place(found: &RagResult<'_>, block: &Block<'_, '_>, is_small: bool) -> String {
    let item = found.item;
    if !is_small {
        return item.symbol.clone();
    }
    if item.symbol.is_empty() {
        let at = found.brief.first().and_then(|at| Some(item.text.as_deref()?.lines().nth(at - 1)?.trim()));
        return at.unwrap_or_default().chars().take(MAX_NAME).collect();
    }
    if block.parts.len() < 2 {
        return item.symbol.clone();
    }
    let named = item.named.and_then(|at| item.declarations.get(at));
    let span = named.or(item.declarations.iter().rfind(|one| item.symbol.ends_with(&one.name)));
    let (start, end) = span
        .map_or((item.span.start_line, item.span.end_line), |one| (one.span.start_line, one.span.end_line));
    format!("{} {}", item.symbol, reduce::line_range(start, end))
}

/// Returns the name of a block without a signature, which is in the declaration `around`: the
/// result's symbol, unless that is a declaration which the block does not show.
fn name_beside(item: &ResultItem, around: &DeclarationItem, shown: &RangeInclusive<usize>) -> String {
    let named = item.declarations.iter().filter(|one| item.symbol.ends_with(&one.name));
    let is_here =
        |one: &DeclarationItem| one.span == around.span || shown.contains(&(one.name_line as usize));
    let mut elsewhere = named.map(|one| !is_here(one)).peekable();
    let is_elsewhere = elsewhere.peek().is_some() && elsewhere.all(|is| is);
    if is_elsewhere { around.name.clone() } else { item.symbol.clone() }
}

/// Returns title and address of the document that a result is a part of, or the cell of a notebook.
/// Outside JSON Lines, only a document with an address counts.
fn document(item: &ResultItem) -> String {
    match item.document() {
        Some(document) if !document.url.is_empty() => {
            format!("{} {}", document.title, document.url).trim().to_owned()
        }
        Some(document) if item.language == "json-lines" => document.title,
        _ => item.cell_in_words(),
    }
}

/// Joins the texts that are not empty, each once.
fn join(mut texts: Vec<&str>, separator: &str) -> String {
    let mut seen = BTreeSet::new();
    texts.retain(|text| !text.is_empty() && seen.insert(*text));
    clean::name(&texts.join(separator)).into_owned()
}

/// Returns the lines of a chunk, each with a line feed; each run of hidden lines becomes one line
/// of dots. In a small view, each line begins with its number.
fn content(
    file: &File<'_>,
    block: &Block<'_, '_>,
    all: RangeInclusive<usize>,
    shown: &BTreeSet<usize>,
    is_small: bool,
) -> String {
    let mut out = String::new();
    let Some(lines) = &file.lines else { return out };
    let items: Vec<&ResultItem> = block.parts.iter().map(|found| found.item).collect();
    for row in reduce::rows(all, shown) {
        match row {
            Row::Line(at) => {
                if is_small {
                    out.push_str(&format!("{at} "));
                }
                out.push_str(&passages(&items, lines, at));
            }
            Row::Elided(at) => {
                out.push_str(reduce::indentation(lines, at));
                out.push_str(&comment::elision(&file.first.language));
            }
        }
        out.push('\n');
    }
    out
}
