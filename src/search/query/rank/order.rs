//! The order of candidates: scores → the best chunk of each file, and the order inside a file.
//!
//! [`firsts`] gives the best chunk of each of the best files, [`all`] gives the candidates in the
//! order of the hits. A chunk keeps its score, so that explanations still add up; the [`Rule`] that
//! changed its place is kept beside it. The order must not depend on which segment stores a chunk:
//! ties are broken by path and start.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::index::chunk::ChunkKind;
use crate::search::graph::is_function;
use crate::search::segment::{ChunkRow, Index, Segment};

use super::candidates::{Candidate, Run};
use super::copies::Copies;
use super::inputs::{FileInputs, Inputs, PhaseInputs};
use super::raised::{declaration_first, documented, meant_first, quoted_among_first};
use super::recalled::Recalled;
use super::rule::{BEHIND, PlacedChunk, Rule, SHOWN};
use super::scores::{Scores, value_at};
use super::{is_corpus, over};
use crate::search::query::recall::place::place;
use crate::search::query::weights::Weights;
use crate::search::query::{ChunkRef, QueryKind, RelatedChunk};

/// The factors that order the chunks of a file behind its best.
#[derive(Debug, Clone, Copy)]
pub(super) struct WithinFileFactors {
    /// [`Weights::again`](Weights::again); 1 keeps the order by score.
    pub(super) chunk: f64,
    /// [`Weights::part_again`](Weights::part_again).
    pub(super) part: f64,
    /// [`Weights::plain_again`](Weights::plain_again).
    pub(super) plain: f64,
    /// [`Weights::plain_first`](Weights::plain_first).
    pub(super) plain_first: f64,
    /// [`Weights::words_within`](Weights::words_within).
    pub(super) words_within: f64,
    /// [`Weights::lines_within`](Weights::lines_within).
    pub(super) lines_within: f64,
}

impl WithinFileFactors {
    /// Returns the factors of a query. Related chunks keep their order by score: several of them
    /// may be in one file, and none should hide another.
    pub(super) fn of(recalled: &Recalled<'_>) -> Self {
        let keeps = recalled.query.all_chunks || !recalled.related.is_empty();
        let chunk = if keeps { 1.0 } else { recalled.weights.again };
        let Weights { part_again: part, plain_again: plain, .. } = recalled.weights;
        let Weights { plain_first, words_within, lines_within, .. } = recalled.weights;
        Self { chunk, part, plain, plain_first, words_within, lines_within }
    }

    /// Returns whether the chunks of a file are compared with each other before those of other
    /// files.
    fn orders_files(&self) -> bool {
        self.chunk > 0.0 && self.chunk < 1.0
    }
}

/// Returns the best chunk of each of the best `n` files, best first.
pub(super) fn firsts(recalled: &Recalled<'_>, scores: &Scores, n: usize) -> Vec<Candidate> {
    let (groups, _) = groups(recalled, scores, Bonuses::default(), n);
    let best = groups.iter().filter_map(|group| Some((group, first(&group.candidates(recalled, scores))?)));
    let placed = best.map(|(group, one)| PlacedChunk::by(one, one.score - group.lowered, Rule::OfFile));
    sorted(recalled.index, placed.collect(), n).into_iter().map(|one| one.candidate).collect()
}

/// Returns the candidates in the order of the hits, at most `limit`, and the copies among their
/// files. `known` must have all signals.
pub(super) fn all(known: PhaseInputs<'_, '_>, scores: &Scores, limit: usize) -> (Vec<PlacedChunk>, Copies) {
    let recalled = known.recalled();
    let again = WithinFileFactors::of(recalled);
    let preferences = known.reranking().map(|reranking| &reranking.preferences);
    // If there are enough files, only the best chunk of each can be among the hits.
    let one_each = again.chunk == 0.0 && recalled.candidates.files().len() >= limit;
    let mut placed = Vec::new();
    // If each chunk has its own place, a preferred one can bring its file among the first.
    let raised = preferences.filter(|_| again.chunk > 0.0);
    // The other ends of the references in question come before code that is merely similar. Scores
    // don't decide between them and lists of exports, because those of tests are lowered.
    let related = recalled.related.iter().filter(|_| recalled.weights.relation > 0.0);
    let by = |one: &RelatedChunk| if one.is_export { BEHIND / 2.0 } else { BEHIND };
    let related: HashMap<ChunkRef, f64> = related.map(|(&chunk, one)| (chunk, by(one))).collect();
    let raised = if related.is_empty() { raised } else { Some(&related) };
    let documented = documented(known);
    let bonuses = Bonuses { chunks: raised, files: Some(&documented) };
    // The files of all frames are looked at, since the innermost need not score best.
    let n_named = if recalled.parsed.kind == QueryKind::StackTrace { recalled.named.len() } else { 0 };
    let (groups, copies) = groups(recalled, scores, bonuses, limit.max(n_named).max(2));
    for group in groups {
        let mut candidates = group.candidates(recalled, scores);
        let Some(best) = first(&candidates) else { continue };
        let begin = placed.len();
        let documenting = documented.get(&group.place).map(|one| one.0);
        if again.chunk == 0.0 {
            prefer(&mut candidates, preferences);
            let preferred = candidates.iter().copied().find(|one| Some(one.chunk) == documenting);
            let Some(preferred) = preferred.or_else(|| first(&candidates)) else { continue };
            candidates.retain(|one| !one_each || one.chunk == preferred.chunk);
            placed.extend(candidates.into_iter().map(|one| behind(one, preferred, best.score)));
        } else if again.orders_files() {
            let of_file = FileInputs::new(known, group.place, group.run.file);
            let segment = group.run.file.segment;
            let rival = |candidate: Candidate| {
                let inputs = Inputs::new(&of_file, candidate.chunk.ord);
                let by_lines = share_of_lines(inputs.row.as_ref()) * inputs.factor;
                let more = again.words_within * inputs.score_by_words() + again.lines_within * by_lines;
                Rival::new(candidate, candidate.score + more, segment)
            };
            placed.extend(put_back(candidates.into_iter().map(rival).collect(), best.score, again));
        } else {
            prefer(&mut candidates, preferences);
            placed.extend(candidates.into_iter().map(|candidate| {
                let by = related.get(&candidate.chunk).copied().unwrap_or_default();
                let of_reference = if by < BEHIND { Rule::Export } else { Rule::Reference };
                PlacedChunk::by(candidate, candidate.score + by, |_| of_reference)
            }));
        }
        for one in placed.iter_mut().skip(begin) {
            *one = in_group(*one, &group, &copies, documenting);
        }
    }
    if again.chunk > 0.0 {
        inner_frames_first(recalled, &mut placed);
    }
    let mut placed = sorted(recalled.index, placed, limit.max(2));
    declaration_first(known, &mut placed);
    quoted_among_first(known, scores, &mut placed);
    meant_first(known, scores, &mut placed);
    placed.truncate(limit);
    (placed, copies)
}

/// Orders the chunks of a stack trace's frames among themselves: those of inner frames first, then
/// vendored ones. They share the places that they have by score, so other chunks keep theirs.
fn inner_frames_first(recalled: &Recalled<'_>, placed: &mut [PlacedChunk]) {
    if recalled.parsed.kind != QueryKind::StackTrace {
        return;
    }
    let depth = |chunk: ChunkRef| {
        let segment = recalled.index.segment(chunk.part)?;
        let file = segment.chunk(chunk.ord)?.file;
        let line = recalled.named.get(&(chunk.part, file))?.lines_of(chunk.ord).next()?;
        let is_vendored = recalled.index.file(chunk.part, file)?.flags().is_vendored();
        Some((is_vendored, line.depth))
    };
    let frames = placed.iter().enumerate();
    let mut frames: Vec<((bool, usize), f64, usize)> =
        frames.filter_map(|(at, one)| Some((depth(one.candidate.chunk)?, one.order, at))).collect();
    let mut orders: Vec<f64> = frames.iter().map(|frame| frame.1).collect();
    orders.sort_by(|a, b| b.total_cmp(a));
    // A frame that is in several chunks keeps their order by score.
    frames.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| b.1.total_cmp(&a.1)));
    for (&(.., at), order) in frames.iter().zip(orders) {
        if let Some(one) = placed.get_mut(at) {
            if (one.order - order).abs() >= SHOWN {
                one.rule = Some(Rule::Frame);
            }
            one.order = order;
        }
    }
}

/// Least share of a hit's score that another chunk of its file has, to be named beside it.
const ALSO_SHARE: f64 = 0.6;

/// Most chunks that are named beside a hit.
const ALSO: usize = 4;

/// Returns the chunks of a hit's file that answer nearly as well and are not `named` yet, as hits
/// or beside one, best first. Those of a corpus are other documents.
pub(super) fn runners_up(
    known: PhaseInputs<'_, '_>,
    scores: &Scores,
    of: &Candidate,
    named: &HashSet<ChunkRef>,
) -> Vec<Candidate> {
    let recalled = known.recalled();
    let Some(run) = recalled.candidates.files().get(of.file).filter(|run| !is_corpus(&run.file)) else {
        return Vec::new();
    };
    let group = Group { run, place: of.file, chunks: run.chunks.clone(), lowered: 0.0 };
    let mut others = group.candidates(recalled, scores);
    prefer(&mut others, known.reranking().map(|reranking| &reranking.preferences));
    others.retain(|one| one.score >= of.score * ALSO_SHARE && one.score > 0.0 && !named.contains(&one.chunk));
    others.sort_by(|a, b| b.score.total_cmp(&a.score));
    others.truncate(ALSO);
    others
}

/// Candidates that are compared with each other before all others: those of a file, or of one
/// document in a corpus.
struct Group<'g, 's> {
    run: &'g Run<'s>,
    /// The place of the file among the files with candidates.
    place: usize,
    /// The places of the chunks among all candidates.
    chunks: Range<usize>,
    /// Subtracted from what its chunks are ordered by.
    lowered: f64,
}

impl Group<'_, '_> {
    /// Returns the candidates, in order of their start.
    fn candidates(&self, recalled: &Recalled<'_>, scores: &Scores) -> Vec<Candidate> {
        let (part, file) = (self.run.file.part, self.place);
        let ords = recalled.candidates.ords(self.chunks.clone()).iter();
        let scored = ords.zip(scores.of(self.chunks.clone()));
        scored.map(|(&ord, &score)| Candidate { chunk: ChunkRef { part, ord }, file, score }).collect()
    }
}

/// Lowers a candidate of a group, and names the reason.
fn in_group(
    one: PlacedChunk,
    group: &Group<'_, '_>,
    copies: &Copies,
    documenting: Option<ChunkRef>,
) -> PlacedChunk {
    let order = one.order - group.lowered;
    let rule = if copies.behind.contains(&group.place) {
        Some(Rule::Copy)
    } else if documenting == Some(one.candidate.chunk) {
        Some(Rule::Documents)
    } else if copies.raised.contains_key(&group.place) && one.rule != Some(Rule::AfterFiles) {
        Some(Rule::OfCopies(order))
    } else {
        one.rule
    };
    PlacedChunk { order, rule, ..one }
}

/// What is added to the scores by which files are ordered.
#[derive(Default, Clone, Copy)]
struct Bonuses<'r> {
    /// For some chunks.
    chunks: Option<&'r HashMap<ChunkRef, f64>>,
    /// For some files, by their places, with the chunk that is the reason.
    files: Option<&'r HashMap<usize, (ChunkRef, f64)>>,
}

/// Returns the groups of all files whose best chunk can be among the first `limit` of all files,
/// and the copies among the files.
fn groups<'g, 's>(
    recalled: &'g Recalled<'s>,
    scores: &Scores,
    bonuses: Bonuses<'_>,
    limit: usize,
) -> (Vec<Group<'g, 's>>, Copies) {
    let files = recalled.candidates.files();
    // The best chunk of a file is ordered by the file's highest score, and no other chunk comes
    // before it.
    let highest = |run: &Run<'_>| scores.of(run.chunks.clone()).iter().copied().fold(0.0, f64::max);
    let mut of_files: Vec<f64> = files.iter().map(highest).collect();
    for (&chunk, by) in bonuses.chunks.into_iter().flatten() {
        let Some((file, place)) = recalled.candidates.place_of(recalled.index, chunk) else { continue };
        let score = scores.of(place..place + 1).first().map_or(0.0, |score| score + by);
        if let Some(highest) = of_files.get_mut(file) {
            *highest = highest.max(score);
        }
    }
    let copies = Copies::of(recalled, &of_files);
    let lowered = |place: usize| {
        let is_behind = copies.behind.contains(&place) || copies.left_out.contains(&place);
        let by_copy = copies.raised.get(&place).copied().unwrap_or_default();
        let by_itself = bonuses.files.and_then(|files| files.get(&place)).map_or(0.0, |one| one.1);
        // After the other chunks of better files as well.
        if is_behind { 2.0 * BEHIND } else { -by_copy - by_itself }
    };
    for (place, score) in of_files.iter_mut().enumerate() {
        *score -= lowered(place);
    }
    let least = limit.checked_sub(1).and_then(|last| value_at(last, &of_files));
    let least = least.unwrap_or(f64::NEG_INFINITY);
    let mut groups = Vec::new();
    let ranked = files.iter().enumerate().zip(&of_files).filter(|one| *one.1 >= least);
    for ((place, run), _) in ranked.filter(|((place, _), _)| !copies.left_out.contains(place)) {
        let chunks = if is_corpus(&run.file) { documents(recalled, run) } else { vec![run.chunks.clone()] };
        let lowered = lowered(place);
        groups.extend(chunks.into_iter().map(|chunks| Group { run, place, chunks, lowered }));
    }
    (groups, copies)
}

/// Returns the candidates of a corpus by document: those that start in the same line.
fn documents(recalled: &Recalled<'_>, run: &Run<'_>) -> Vec<Range<usize>> {
    let start = |ord: u32| run.file.segment.chunk(ord).map_or(0, |row| row.span.start_line);
    let starts: Vec<u32> = recalled.candidates.chunks(run).iter().map(|&ord| start(ord)).collect();
    let mut from = run.chunks.start;
    let documents = starts.chunk_by(|a, b| a == b).map(|document| {
        let chunks = from..from + document.len();
        from = chunks.end;
        chunks
    });
    documents.collect()
}

/// Returns the candidate with the highest score; among equals, the first.
fn first(candidates: &[Candidate]) -> Option<Candidate> {
    let better = |best: Candidate, one: Candidate| if one.score > best.score { one } else { best };
    candidates.iter().copied().reduce(better)
}

/// Adds what the query prefers within a file. The order of files does not depend on it: a file is
/// found by what is in it, wherever it is.
fn prefer(candidates: &mut [Candidate], preferences: Option<&HashMap<ChunkRef, f64>>) {
    for one in candidates {
        one.score += preferences.and_then(|all| all.get(&one.chunk)).copied().unwrap_or_default();
    }
}

/// Puts the first chunk of a file in the place of the file, by its highest score, and every other
/// one behind the first chunks of all files.
fn behind(candidate: Candidate, first: Candidate, of_file: f64) -> PlacedChunk {
    if candidate.chunk == first.chunk {
        PlacedChunk::by(candidate, of_file, Rule::OfFile)
    } else {
        PlacedChunk::by(candidate, candidate.score - BEHIND, |_| Rule::AfterFiles)
    }
}

/// A chunk that is compared with the others of its file.
#[derive(Debug, Clone, Copy)]
struct Rival {
    candidate: Candidate,
    /// The score in this comparison. The words of a chunk count for more here than signals that
    /// merely lead to it.
    own: f64,
    /// The declaration that the chunk is a part of.
    part_of: Option<u32>,
    /// Whether the chunk begins with a function or a part of one.
    begins_with_function: bool,
}

impl Rival {
    fn new(candidate: Candidate, own: f64, segment: &Segment) -> Self {
        let row = segment.chunk(candidate.chunk.ord);
        let part_of = row.filter(|row| row.kind == ChunkKind::Part).and_then(|row| row.declaration);
        let begins_with_function = row.is_some_and(|row| begins_with_function(segment, &row));
        Self { candidate, own, part_of, begins_with_function }
    }
}

/// Number of lines from which chunks count as equally long: those are parts of large functions.
const MANY_LINES: f64 = 64.0;

/// Returns how long a chunk is, from 0 for one line to 1 for [`MANY_LINES`], on a logarithmic
/// scale.
fn share_of_lines(row: Option<&ChunkRow>) -> f64 {
    let lines = row.map_or(1, |row| row.span.end_line.saturating_sub(row.span.start_line) + 1);
    f64::from(lines).min(MANY_LINES).log2() / MANY_LINES.log2()
}

/// Returns whether the first declaration of a chunk is a function. A group that begins with a
/// struct is read as the struct, whatever functions follow in it.
fn begins_with_function(segment: &Segment, row: &ChunkRow) -> bool {
    let first = row.declaration.and_then(|ord| segment.declaration(ord));
    first.is_some_and(|first| is_function(first.kind))
}

/// Orders a file's chunks, given in order of their start. `highest` is the best score of the file.
///
/// A file ranks by its best chunk. Within a file, a function goes first unless a non-function
/// scores more than 1 / `plain_first` times as high; later chunks are lowered.
fn put_back(mut rivals: Vec<Rival>, highest: f64, again: WithinFileFactors) -> Vec<PlacedChunk> {
    let as_first = |one: &Rival| one.own * if one.begins_with_function { 1.0 } else { again.plain_first };
    // The sort is stable: among equals, the chunk that starts first stays first.
    rivals.sort_by(|a, b| as_first(b).total_cmp(&as_first(a)));
    let most = rivals.iter().map(|one| one.own).fold(0.0, f64::max);
    let mut share = 1.0;
    let mut seen = HashSet::new();
    let mut placed = Vec::with_capacity(rivals.len());
    for (n, Rival { candidate, own, part_of, begins_with_function }) in rivals.into_iter().enumerate() {
        let mut order = if n == 0 { highest } else { over(own, most) * highest * share };
        if n > 0 && !begins_with_function {
            order *= again.plain;
        }
        if part_of.is_some_and(|of| !seen.insert(of)) {
            order *= again.part;
        } else {
            share *= again.chunk;
        }
        let rule = if n == 0 { Rule::OfFile } else { Rule::Lowered };
        placed.push(PlacedChunk::by(candidate, order.min(highest), rule));
    }
    placed
}

/// Returns the best `limit` candidates, sorted.
fn sorted(index: &Index<'_>, mut placed: Vec<PlacedChunk>, limit: usize) -> Vec<PlacedChunk> {
    let order = |a: &PlacedChunk, b: &PlacedChunk| {
        let places = || place(index, a.candidate.chunk).cmp(&place(index, b.candidate.chunk));
        b.order.total_cmp(&a.order).then_with(places)
    };
    if limit == 0 {
        placed.clear();
    } else if limit < placed.len() {
        placed.select_nth_unstable_by(limit - 1, order);
        placed.truncate(limit);
    }
    placed.sort_unstable_by(order);
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::Span;
    use crate::search::query::weights::{LongTextWeights, WEIGHTS};
    use crate::search::query::{Query, SideSignals, search, search_weighted};
    use crate::search::segment::Part;
    use crate::search::segment::samples::{file, segment, sized_sources, sources};

    const AGAIN: WithinFileFactors = WithinFileFactors {
        chunk: 0.95,
        part: 0.6,
        plain: 0.6,
        plain_first: 0.9,
        words_within: 1.0,
        lines_within: 0.15,
    };

    fn rival(ord: u32, own: f64, begins_with_function: bool, part_of: Option<u32>) -> Rival {
        let chunk = ChunkRef { part: Part::Base, ord };
        Rival { candidate: Candidate { chunk, file: 0, score: own }, own, part_of, begins_with_function }
    }

    /// Returns the ordinals in their new order, each with what it is ordered by.
    fn placed(rivals: &[Rival], highest: f64, again: WithinFileFactors) -> Vec<(u32, f64)> {
        let placed = put_back(rivals.to_vec(), highest, again).into_iter();
        placed.map(|one| (one.candidate.chunk.ord, (one.order * 1e6).round() / 1e6)).collect()
    }

    #[test]
    fn further_chunks_of_a_file_are_lowered_by_what_they_are() {
        let rivals = [
            rival(0, 0.8, false, None),
            rival(1, 0.6, true, Some(7)),
            rival(2, 0.5, true, Some(7)),
            rival(3, 1.0, true, None),
        ];
        // By 0.95 for each chunk before; the second has no function, the last repeats one.
        let expected = [(3, 2.0), (0, 2.0 * 0.8 * 0.95 * 0.6), (1, 2.0 * 0.6 * 0.9025)];
        let last = (2, 2.0 * 0.5 * 0.857_375 * 0.6);
        let found = placed(&rivals, 2.0, AGAIN);
        for (found, expected) in found.iter().zip(expected.iter().chain([&last])) {
            assert_eq!(found.0, expected.0);
            assert!((found.1 - expected.1).abs() < 1e-5, "{found:?} {expected:?}");
        }
        let plain = |plain| placed(&rivals, 2.0, WithinFileFactors { plain, ..AGAIN })[1];
        assert!((plain(1.0).1 - 1.52).abs() < 1e-5);
        let part = |part| placed(&rivals, 2.0, WithinFileFactors { part, ..AGAIN })[3];
        assert!((part(1.0).1 - 0.857_375).abs() < 1e-5);
    }

    #[test]
    fn a_function_goes_first_unless_another_chunk_is_much_better() {
        let first = |of_plain: f64| {
            let rivals = [rival(0, of_plain, false, None), rival(1, 0.9, true, None)];
            placed(&rivals, 3.0, AGAIN)[0]
        };
        assert_eq!(first(0.95), (1, 3.0));
        assert_eq!(first(0.999), (1, 3.0));
        assert_eq!(first(1.01), (0, 3.0));
        // Among equals, the chunk that starts first.
        let equal = [rival(4, 0.5, true, None), rival(5, 0.5, true, None)];
        assert_eq!(placed(&equal, 1.0, AGAIN)[0].0, 4);
        // No chunk comes before the best of its file, whatever it has itself.
        let better = [rival(0, 1.0, false, None), rival(1, 0.95, true, None)];
        let order = placed(&better, 1.0, WithinFileFactors { plain: 5.0, ..AGAIN });
        assert_eq!(order, [(1, 1.0), (0, 1.0)]);
    }

    #[test]
    fn words_choose_among_the_chunks_of_a_file() {
        // The first function has the words, the second has the line.
        let text = "def first():\n    \"\"\"Retry of a socket, its deadline, its upload, its header.\"\"\"\n\n\n\
                    def second():\n    \"\"\"Retry.\"\"\"\n";
        let segment = sources(&[("net.py", text)]);
        let index = Index::whole(&segment);
        let said = "It fails in net.py:6\n\na socket retry after its deadline, upload and header\n";
        let first = |words_within: f64| {
            let weights = Weights { words_within, named_line: 5.0, ..WEIGHTS };
            let query = Query::new(said);
            let hits = search_weighted(&index, &query, SideSignals::default(), &weights).unwrap().hits;
            hits[0].symbol.clone()
        };
        assert_eq!(first(1000.0), "first");
        assert_eq!(first(0.0), "second", "without it, the score decides");
    }

    #[test]
    fn a_long_function_goes_before_a_short_one_that_fits_as_well() {
        // The same words, in few lines and in many; each function is a chunk.
        let function = |name: &str, body: &str| {
            format!("def {name}():\n    \"\"\"A socket is retried.\"\"\"\n{body}\n\n")
        };
        let few = format!("    {}\n", ["step()"; 12].join("; ")).repeat(6);
        let text = [function("short", &few), function("long", &"    step()\n".repeat(72))].concat();
        let segment = sized_sources(&[("net.py", text.as_str())], 1024);
        let index = Index::whole(&segment);
        let first = |lines_within: f64| {
            // Without what the names of the functions add, both have the same score.
            let long = LongTextWeights { meaning: 0.0, rerank: 0.0, ..WEIGHTS.long };
            let weights = Weights { lines_within, words_within: 0.0, long, ..WEIGHTS };
            let query = Query::new("A socket is lost\n\nIt is not retried.\n");
            let hits = search_weighted(&index, &query, SideSignals::default(), &weights).unwrap().hits;
            hits[0].symbol.clone()
        };
        assert_eq!(first(0.0), "short", "among equals, the one that starts first");
        assert_eq!(first(WEIGHTS.lines_within), "long");
        let one = |lines: u32| {
            let row = segment.chunk(0).unwrap();
            let span = Span { start_line: 1, end_line: lines, ..row.span };
            share_of_lines(Some(&ChunkRow { span, ..row }))
        };
        assert_eq!([one(1), one(8), one(64), one(500)], [0.0, 0.5, 1.0, 1.0]);
    }

    #[test]
    fn frames_are_ordered_from_the_innermost_whatever_else_their_chunks_have() {
        let long = "    # connection request payload buffer\n".repeat(4);
        let function = |name: &str| format!("def {name}():\n{long}    {name}_now()\n\n\n");
        let one = ["handle_connection", "payload_of", "request_of"].map(function).concat();
        let other = function("buffer_of");
        let segment = sources(&[("one.py", &one), ("other.py", &other), ("vendor/x/third.py", &other)]);
        let index = Index::whole(&segment);
        let symbols = |limit: usize, frames: &[(&str, u32, &str)]| -> Vec<String> {
            let frames = frames.iter().rev();
            let frames =
                frames.map(|(file, line, name)| format!("  File \"{file}\", line {line}, in {name}\n"));
            let text = format!("Traceback (most recent call last):\n{}", frames.collect::<String>());
            let query = Query { limit, ..Query::new(&text) };
            search(&index, &query).unwrap().hits.into_iter().map(|hit| hit.symbol).collect()
        };
        let (handle, payload) = (("one.py", 6, "handle_connection"), ("one.py", 14, "payload_of"));
        let (request, buffer) = (("one.py", 22, "request_of"), ("other.py", 6, "buffer_of"));
        for frames in [
            [request, payload, handle, buffer],
            [handle, buffer, payload, request],
            [buffer, request, handle, payload],
        ] {
            let names = frames.map(|(.., name)| name);
            assert_eq!(symbols(4, &frames), names);
            assert_eq!(symbols(1, &frames), names[..1], "whatever the limit");
        }
        // Frames of vendored code follow.
        let vendored = ("vendor/x/third.py", 6, "buffer_of");
        assert_eq!(
            symbols(3, &[vendored, handle, request]),
            ["handle_connection", "request_of", "buffer_of"]
        );
    }

    #[test]
    fn other_chunks_of_a_file_come_behind_all_first_ones() {
        let segment = segment(&[
            file("a.py", &[("", "", "needle"), ("", "", "needle needle needle")]),
            file("b.py", &[("", "", "needle a b c d e f g h i j k l m n o p q r s t")]),
        ]);
        let hits = search(&Index::whole(&segment), &Query::new("needle")).unwrap().hits;
        let places: Vec<(String, u32)> =
            hits.iter().map(|hit| (hit.path.to_string(), hit.span.start_line)).collect();
        let place = |path: &str, line| (path.to_owned(), line);
        assert_eq!(places, [place("a.py", 11), place("b.py", 1), place("a.py", 1)]);
        let candidate = |ord, score| rival(ord, score, true, None).candidate;
        let first = candidate(1, 0.7);
        let after = behind(candidate(0, 0.5), first, 0.9);
        assert!(after.order < -900_000.0);
        assert_eq!(after.rule, Some(Rule::AfterFiles));
        let of_file = behind(first, first, 0.9);
        assert_eq!((of_file.order, of_file.rule), (0.9, Some(Rule::OfFile(0.9))), "it stands for its file");
        assert_eq!(behind(first, first, 0.7).rule, None, "its own score is that of the file");
    }
}
