//! The search of an index: query → candidates → signals → ordered hits.
//!
//! Owns the order of the steps and [`Evidence`], the values that all signals are read from.
//! Filters, words, embeddings and names yield the candidates. Cheap signals score all of them;
//! signals that read chunks again (references, reranker, message strings) score only the best. This
//! module must not weigh signals: that is left to the module `fuse`.
//!
//! A cut among candidates must not depend on which segment stores a chunk: equal scores are kept or
//! dropped together, or ordered by path and start.

use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, ByteSlice};
use roaring::RoaringBitmap;

use crate::base::threads;
use crate::search::commit_messages::{CommitMatch, History};
use crate::search::embed::Question;
use crate::search::embed::encoder::{self, Encoder};
use crate::search::graph::{Graph, Spread};
use crate::search::segment::{Index, Part};

use super::candidates::{Candidate, Run, is_corpus, over};
use super::hit::hit;
use super::order::{WithinFileFactors, place, select};
use super::weights::{WEIGHTS, Weights};
use super::{explain, rerank};
use crate::search::query::parse::filter::Filter;
use crate::search::query::parse::language::{self, QuestionWithoutLanguage};
use crate::search::query::parse::parser::{ParsedQuery, QueryTerm, is_long, parse_weighted};
use crate::search::query::parse::paths::NamedPath;
use crate::search::query::parse::pathspec::Pathspec;
use crate::search::query::parse::referrers::ReferrerQuestion;
use crate::search::query::parse::required::{filter_only, required};
use crate::search::query::recall::message::{MessageMatch, Sources};
use crate::search::query::recall::named::{NamedFile, chunk_of_line, named_files};
use crate::search::query::recall::notes::Notes;
use crate::search::query::recall::score::{Cells, NameMentions, Scorer};
use crate::search::query::recall::semantic::{CandidateRuns, Cosines, SemanticScores};
use crate::search::query::recall::symbols::{self, DefinitionMatch};
use crate::search::query::recall::{near, short};
use crate::search::query::{Answer, ChunkRef, Error, Filters, Hit, Near, Query, QueryKind};

/// Number of chunks, best by words, whose embeddings are compared even if they are not among the
/// nearest.
const BEST_BY_WORDS: usize = 1000;

/// Number of chunks from which references are followed: the best chunks, each from a different
/// file. Insensitive between 10 and 50. See `doc/experiments/ranking.md`.
const SEEDS: usize = 20;

/// Parameters for following references. Forward only: weight that flows back to referrers lowers
/// the quality of answers. The limits bound the time of a search. See `doc/experiments/ranking.md`.
const SPREAD: Spread = Spread { stay: 0.5, least: 1e-3, pushes: 40, forward: 1.0, common: 400, referrers: 0 };

/// Minimum strength of a named path that is the whole query.
const WHOLE_NAME: f64 = 0.8;

/// Number of chunks from which independent parts of a search run in parallel. Low in tests, so that
/// they cover both ways.
const AT_ONCE: usize = if cfg!(test) { 8 } else { 10_000 };

/// Optional inputs of a search in addition to the index.
#[derive(Debug, Clone, Copy, Default)]
pub struct SideSignals<'b> {
    /// Cosines of another embedding model, which replace those of the built-in one.
    pub cosines: Option<&'b Cosines>,
    /// Commentary on chunks.
    pub notes: Option<&'b Notes<'b>>,
    /// Messages of commits; used for texts for which [`wants_history`] returns true.
    pub history: Option<&'b History>,
    /// The sources of files, for texts that may be program messages.
    pub sources: Option<&'b dyn Sources>,
    /// The encoder that reranks the best chunks, instead of the built-in one.
    pub encoder: Option<&'b Encoder<'b>>,
}

/// The values that all signals of a search are read from.
pub(in crate::search::query) struct Evidence<'s> {
    pub(in crate::search::query) weights: Weights,
    pub(in crate::search::query) parsed: ParsedQuery,
    pub(in crate::search::query) scorer: Scorer,
    pub(in crate::search::query) all: Vec<Cells<'s>>,
    pub(in crate::search::query) meaning: SemanticScores<'s>,
    pub(in crate::search::query) defined: BTreeMap<ChunkRef, DefinitionMatch>,
    pub(in crate::search::query) named: BTreeMap<(Part, u32), NamedFile>,
    pub(in crate::search::query) n_words: u16,
    /// Sum of the idf of the query's words that occur.
    pub(in crate::search::query) total_idf: f32,
    /// The highest word score of a candidate.
    pub(in crate::search::query) best: f64,
    /// The largest sum of squared scores of a file.
    pub(in crate::search::query) most_coherent: f64,
    /// By chunk, how well its commentary matches, from 0 to 1.
    pub(in crate::search::query) noted: BTreeMap<ChunkRef, f64>,
    /// By file, the commit message most similar to the question, relative to the most similar of
    /// all files.
    pub(in crate::search::query) told: HashMap<(Part, u32), CommitMatch>,
    /// The ordinals of all candidates, grouped by file.
    pub(in crate::search::query) found: Vec<u32>,
    /// The chunks from which references were followed, best first.
    pub(in crate::search::query) seeds: Vec<ChunkRef>,
    /// By chunk, the weight that reached it through references, relative to the maximum.
    pub(in crate::search::query) reached: HashMap<ChunkRef, f64>,
    /// By chunk, the reranker's log-odds over the lowest-rated chunk.
    pub(in crate::search::query) fitting: HashMap<ChunkRef, f64>,
    /// Chunks whose string literals match the message in the query.
    pub(in crate::search::query) said: HashMap<ChunkRef, MessageMatch>,
    /// Referrers of the symbol in a "who uses X" query, with the confidence of each, from 0 to 1.
    pub(in crate::search::query) users: HashMap<ChunkRef, f64>,
    /// For a query of names, the chunks that mention them whole.
    pub(in crate::search::query) mentioned: NameMentions,
    /// By file, its sum of squared scores; empty unless the query asks for explanations.
    pub(in crate::search::query) squares: BTreeMap<(Part, u32), f64>,
    /// Pathspecs and the factors for the scores of matching files.
    pub(in crate::search::query) boosts: Vec<(Pathspec, f64)>,
}

/// Searches an index.
///
/// Hits are ordered by score, best first, then path, then start. Unless [`Query::all_chunks`] is
/// set, the best chunk of each file comes before the second of any file. For long texts, further
/// chunks are lowered instead; see [`Weights::again`].
///
/// # Errors
/// [`Error::Segment`] for a damaged index, [`Error::Kind`] and [`Error::Pathspec`] for invalid
/// filters.
pub fn search(index: &Index<'_>, query: &Query) -> Result<Answer, Error> {
    ranked(index, query, &WEIGHTS, SideSignals::default())
}

/// Searches an index like [`search`], with optional further inputs.
///
/// # Errors
/// As [`search`].
pub fn search_by(index: &Index<'_>, query: &Query, beside: SideSignals<'_>) -> Result<Answer, Error> {
    ranked(index, query, &WEIGHTS, beside)
}

/// Searches an index like [`search_by`], with other weights; for evaluations.
///
/// # Errors
/// As [`search`].
pub fn search_weighted(
    index: &Index<'_>,
    query: &Query,
    beside: SideSignals<'_>,
    weights: &Weights,
) -> Result<Answer, Error> {
    ranked(index, query, weights, beside)
}

fn ranked<'s>(
    index: &Index<'s>,
    query: &Query,
    weights: &Weights,
    beside: SideSignals<'s>,
) -> Result<Answer, Error> {
    let mut parsed = parse_weighted(&query.text, weights);
    if parsed.kind == QueryKind::NaturalLanguage
        && let Some(unsaid) = QuestionWithoutLanguage::of(&query.text).filter(|unsaid| unsaid.is_of(index))
    {
        parsed = parse_weighted(&unsaid.text, weights);
    }
    if parsed.kind == QueryKind::Identifier && is_file_name(index, query.text.trim()) {
        // A path has no embedding and declares nothing.
        parsed.kind = QueryKind::Path;
        parsed.symbols.clear();
        (parsed.question, parsed.asked) = (Question::default(), Vec::new());
        let path = query.text.trim().to_owned();
        parsed.paths = vec![NamedPath { path, line: None, function: None }];
    }
    if parsed.kind == QueryKind::NaturalLanguage {
        parsed.written_in = language::written_in(&query.text, index);
    }
    parsed.add_context(&query.context, weights);
    let of_short = weights.said;
    let mut weights = weights.for_kind(parsed.kind);
    if !query.text.trim().contains('\n') {
        // A single line is one message, however long it is, so it gets the weight for short texts.
        weights.said = of_short;
    }
    if query.all_chunks {
        weights.large = 1.0;
    }
    parsed.wants_tests |= query.filters.tests == Some(true);
    let filter = Filter::compile(&query.filters, &parsed.filters)?;
    let boosts: Vec<(Pathspec, f64)> = query
        .boosts
        .iter()
        .map(|(spec, factor)| Ok((Pathspec::parse(spec)?, *factor)))
        .collect::<Result<_, Error>>()?;
    let required = required(index, &parsed)?;
    let scorer = Scorer::new(index, &weights);
    let mut all = Scorer::cells(index);
    let admitted = admitted(index, &filter);
    let at_once = is_large(index);
    let question = parsed.question;
    let by_meaning = |question: Question| SemanticScores::search(index, question, &admitted, beside.cosines);
    // A query without an embedding, such as a name, has nothing to run in parallel.
    let is_early = at_once && !question.is_zero();
    let (by_words, meaning) = threads::both(
        is_early,
        || words(index, &mut parsed, &weights, &scorer, &mut all),
        || is_early.then(|| by_meaning(question)),
    );
    let Words { total_idf, defined, near } = by_words?;
    // Words that replace misspelled ones change the embedding, so the early search is used only if
    // nothing changed.
    let meaning = match meaning {
        Some(meaning) if parsed.question == question => meaning?,
        _ => by_meaning(parsed.question)?,
    };
    let mut named = named_files(index, &parsed.paths);
    if parsed.kind == QueryKind::Path {
        // If the path is the whole query, the files of that name are what is asked for.
        named.values_mut().for_each(|named| named.strength = named.strength.max(WHOLE_NAME));
    }
    let n_words = parsed.terms.iter().filter(|t| t.is_part).count();
    let users = ReferrerQuestion::asked(&query.text).filter(|_| parsed.kind == QueryKind::NaturalLanguage);
    let asked_users = users.as_ref().map(ReferrerQuestion::told);
    let noted = beside.notes.map(|notes| notes.rate(&parsed)).unwrap_or_default();
    let told = match beside.history {
        Some(history) if weights.history > 0.0 => told(index, history, &parsed.terms),
        _ => HashMap::new(),
    };
    let mut evidence = Evidence {
        weights,
        n_words: u16::try_from(n_words).unwrap_or(u16::MAX),
        total_idf,
        parsed,
        scorer,
        all,
        meaning,
        defined,
        named,
        noted,
        told,
        best: 0.0,
        most_coherent: 0.0,
        found: Vec::new(),
        seeds: Vec::new(),
        reached: HashMap::new(),
        fitting: HashMap::new(),
        said: HashMap::new(),
        mentioned: NameMentions::default(),
        users: users.map_or_else(|| Ok(HashMap::new()), |users| users.of(index))?,
        squares: BTreeMap::new(),
        boosts,
    };
    if evidence.parsed.kind == QueryKind::Identifier && evidence.weights.mention > 0.0 {
        evidence.mentioned = evidence.scorer.mentions(index, &evidence.parsed.terms)?;
    }
    let mut runs = evidence.admitted(index, &filter, required.as_ref());
    evidence.look_at_best(index, &runs)?;
    evidence.cohere(&mut runs);
    if query.explain {
        evidence.squares = runs.iter().map(|run| ((run.file.part, run.file.ord), run.squares)).collect();
    }
    let n_candidates = runs.iter().map(|run| run.chunks.len()).sum();
    // If there are enough files, only the best chunk of each can be among the hits. Referrers are
    // exempt: several of them may be in one file, and none should hide another.
    let again = WithinFileFactors::of(&evidence.weights, query.all_chunks || !evidence.users.is_empty());
    let only_firsts = again.chunk == 0.0 && runs.len() >= query.limit;
    let mut scores = evidence.scores(&runs, at_once);
    let (reached, fitting) = threads::both(
        at_once && !evidence.parsed.asked.is_empty(),
        || evidence.follow(index, &runs, &scores, again),
        || evidence.fitting(index, &runs, &scores, beside.encoder),
    );
    (evidence.seeds, evidence.reached) = reached?;
    evidence.fitting = fitting?;
    if let Some(sources) = beside.sources {
        evidence.said = evidence.said(index, &query.text, &runs, sources)?;
    }
    let late = evidence.reached.keys().chain(evidence.fitting.keys()).chain(evidence.said.keys());
    evidence.score_again(index, &runs, &mut scores, late);
    let mut candidates = evidence.rank(&runs, &scores, (query.limit, only_firsts), again);
    select(index, &mut candidates, query.limit);
    let mut hits: Vec<Hit> =
        candidates.iter().filter_map(|candidate| hit(index, &evidence, candidate)).collect();
    if query.explain {
        explain::explain(index, &evidence, &candidates, &mut hits)?;
    }
    Ok(Answer {
        hits,
        near,
        terms: evidence.parsed.terms,
        n_candidates,
        strength: evidence.best,
        query_kind: evidence.parsed.kind,
        needs_text_check: evidence.parsed.phrases,
        users: asked_users,
    })
}

/// Returns whether a word that looks like a qualified name (`fragment.wesl`) is the name of a file.
fn is_file_name(index: &Index<'_>, word: &str) -> bool {
    let is_name = |path: &BStr| path.rsplit_str("/").next() == Some(word.as_bytes());
    word.contains('.')
        && !word.contains(char::is_whitespace)
        && index.files().any(|file| is_name(file.path()))
}

/// The results of the steps that use words alone.
struct Words {
    total_idf: f32,
    defined: BTreeMap<ChunkRef, DefinitionMatch>,
    near: Vec<Near>,
}

/// Scores the words of a query, finds replacements for words that occur nowhere, and adds these to
/// `parsed`.
fn words(
    index: &Index<'_>,
    parsed: &mut ParsedQuery,
    weights: &Weights,
    scorer: &Scorer,
    all: &mut [Cells<'_>],
) -> Result<Words, Error> {
    let mut total_idf = scorer.score(index, &mut parsed.terms, all)?;
    let defined = symbols::definitions(index, parsed)?;
    let mut near = Vec::new();
    if parsed.kind == QueryKind::NaturalLanguage || parsed.kind == QueryKind::Identifier && defined.is_empty()
    {
        let (found, mut terms) = near::words(index, parsed, weights)?;
        total_idf += scorer.score(index, &mut terms, all)?;
        parsed.terms.extend(terms);
        if found.iter().any(|near| !near.instead.is_empty()) && !parsed.question.is_zero() {
            (parsed.question, parsed.asked) = near::question(parsed, &found);
        }
        near = found;
    }
    if parsed.kind == QueryKind::NaturalLanguage && weights.short_form > 0.0 {
        scorer.short_forms(index, &short::forms(parsed), all)?;
    }
    Ok(Words { total_idf, defined, near })
}

/// Returns whether the index is so large that starting a thread (a tenth of a millisecond) pays.
fn is_large(index: &Index<'_>) -> bool {
    let n_chunks: usize = index.segments().map(|(_, segment)| segment.n_chunks() as usize).sum();
    n_chunks >= AT_ONCE && rayon::current_num_threads() > 1
}

/// Returns the live chunks nearest to a question by the built-in embedding model, nearest first,
/// each with its cosine. There are at most `n`, and none if the question has no embedding. This is
/// the semantic part of a search, on its own.
///
/// # Errors
/// [`Error::Segment`] for a damaged index.
pub fn near_meaning(index: &Index<'_>, question: Question, n: usize) -> Result<Vec<(ChunkRef, f64)>, Error> {
    let all = admitted(index, &Filter::compile(&Filters::default(), &Default::default())?);
    let meaning = SemanticScores::search(index, question, &all, None)?;
    let mut found: Vec<(ChunkRef, f64)> =
        meaning.nearer_than(-1.0).filter_map(|chunk| Some((chunk, meaning.cosine(chunk)?))).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.truncate(n);
    Ok(found)
}

impl<'s> Evidence<'s> {
    /// Returns the candidates that pass the filters, by file. Also sets the maxima of signals and
    /// the final weight of the embedding similarity.
    fn admitted(
        &mut self,
        index: &Index<'s>,
        filter: &Filter,
        required: Option<&BTreeMap<Part, RoaringBitmap>>,
    ) -> Vec<Run<'s>> {
        let (mut runs, mut found_all) = (Vec::new(), Vec::new());
        let mut found = Vec::new();
        let (mut best, mut covered) = (0.0f64, 0.0f64);
        // Words may match nothing although a name or a path does.
        let only_required = self.parsed.terms.is_empty() && required.is_some();
        let everything = only_required || (self.parsed.terms.is_empty() && filter_only(&self.parsed));
        for Cells { part, segment, cells } in &self.all {
            let mut defined =
                self.defined.range(ChunkRef { part: *part, ord: 0 }..).map(|(c, _)| *c).peekable();
            let floor = self.weights.floor;
            let mut near = self.meaning.nearer_than(floor).filter(|c| c.part == *part).peekable();
            for ord in 0..segment.n_files() {
                let chunks = segment.chunks_of(ord);
                found.clear();
                let of_file = cells.get(chunks.start as usize..chunks.end as usize).unwrap_or_default();
                for (chunk, cell) in chunks.clone().zip(of_file) {
                    while near.next_if(|n| n.ord < chunk).is_some() {}
                    while defined.next_if(|d| d.part == *part && d.ord < chunk).is_some() {}
                    let declares = defined.peek().is_some_and(|d| d.part == *part && d.ord == chunk);
                    let near = near.next_if(|n| n.part == *part && n.ord == chunk).is_some();
                    let noted = self.noted.contains_key(&ChunkRef { part: *part, ord: chunk });
                    if cell.score > 0.0 || declares || near || noted || everything {
                        found.push(chunk);
                    }
                }
                let named = self.named.get(&(*part, ord));
                if found.is_empty() && named.is_none() || !index.is_live(*part, ord) {
                    continue;
                }
                let Some(file) = index.file(*part, ord).filter(|file| filter.admits_file(file)) else {
                    continue;
                };
                if let Some(named) = named {
                    found.extend(named.lines.iter().map(|&(_, chunk)| chunk));
                    if named.lines.is_empty() && (found.is_empty() || self.parsed.kind == QueryKind::Path) {
                        found.extend(chunk_of_line(segment, ord, 1));
                    }
                    found.sort_unstable();
                    found.dedup();
                }
                if let Some(required) = required {
                    found.retain(|&chunk| required.get(part).is_some_and(|set| set.contains(chunk)));
                }
                if filter.looks_at_chunks() {
                    found.retain(|&c| {
                        segment.chunk(c).is_some_and(|row| filter.admits_chunk(segment, c, &row))
                    });
                }
                for cell in found.iter().filter_map(|&chunk| cells.get(chunk as usize)) {
                    best = best.max(cell.score.into());
                    covered = covered.max(cell.covered.into());
                }
                if !found.is_empty() {
                    let from = found_all.len();
                    found_all.extend_from_slice(&found);
                    runs.push(Run { file, chunks: from..found_all.len(), squares: 0.0 });
                }
            }
        }
        self.best = best;
        self.found = found_all;
        if self.parsed.kind == QueryKind::NaturalLanguage {
            let unsaid = 1.0 - over(covered, self.total_idf.into()).min(1.0);
            self.weights.meaning = (self.weights.meaning + self.weights.unsaid * unsaid).min(1.0);
        }
        runs
    }

    /// Compares the embeddings of the best chunks by words, so that those near the question count
    /// as near even if the semantic search missed them.
    fn look_at_best(&mut self, index: &Index<'s>, runs: &[Run<'s>]) -> Result<(), Error> {
        if self.meaning.is_empty() {
            return Ok(());
        }
        let mut scored: Vec<(f32, ChunkRef)> = Vec::with_capacity(self.found.len());
        for run in runs {
            let part = run.file.part;
            let Some(cells) = self.all.iter().find(|cells| cells.part == part) else { continue };
            for &ord in self.chunks(run) {
                let score = cells.cells.get(ord as usize).map_or(0.0, |cell| cell.score);
                if score > 0.0 {
                    scored.push((score, ChunkRef { part, ord }));
                }
            }
        }
        if scored.len() > BEST_BY_WORDS {
            // Chunks with the same score are kept together: the choice must not depend on which
            // segment stores them.
            let (_, &mut (limit, _), _) =
                scored.select_nth_unstable_by(BEST_BY_WORDS, |a, b| b.0.total_cmp(&a.0));
            scored.retain(|&(score, _)| score >= limit);
        }
        self.meaning.look_at(index, scored.into_iter().map(|(_, chunk)| chunk))
    }

    /// Sums the squared scores of each file's chunks, by words and embedding.
    fn cohere(&mut self, runs: &mut [Run<'s>]) {
        let meaning = 1.0 - self.words_weight();
        for run in runs {
            let part = run.file.part;
            let Some(cells) = self.all.iter().find(|cells| cells.part == part) else { continue };
            // The documents of a corpus say nothing about each other, and thousands of them would
            // outweigh every file.
            if is_corpus(&run.file) {
                continue;
            }
            for &ord in self.chunks(run) {
                let score = cells.cells.get(ord as usize).map_or(0.0, |cell| f64::from(cell.score));
                let near = if meaning > 0.0 { self.meaning.of(ChunkRef { part, ord }) } else { 0.0 };
                let both = (1.0 - meaning) * over(score, self.best) + meaning * near;
                run.squares += both * both;
            }
            self.most_coherent = self.most_coherent.max(run.squares);
        }
    }

    /// Follows references from the best chunks. Returns these chunks and, by chunk reached, its
    /// weight relative to the maximum.
    fn follow(
        &self,
        index: &Index<'s>,
        runs: &[Run<'s>],
        scores: &[f64],
        again: WithinFileFactors,
    ) -> Result<(Vec<ChunkRef>, HashMap<ChunkRef, f64>), Error> {
        if self.weights.graph <= 0.0 {
            return Ok(Default::default());
        }
        let mut best = self.rank(runs, scores, (SEEDS, true), again);
        let order = |a: &Candidate, b: &Candidate| {
            b.score.total_cmp(&a.score).then_with(|| place(index, a.chunk).cmp(&place(index, b.chunk)))
        };
        if best.len() > SEEDS {
            best.select_nth_unstable_by(SEEDS - 1, order);
            best.truncate(SEEDS);
        }
        best.sort_unstable_by(order);
        let start: Vec<(ChunkRef, f64)> = best.iter().map(|one| (one.chunk, one.score)).collect();
        let reached = SPREAD.run(&Graph::new(index), &start)?;
        let most = reached.iter().map(|one| one.1).fold(0.0, f64::max);
        let reached = reached.into_iter().map(|(chunk, weight)| (chunk, over(weight, most))).collect();
        Ok((best.iter().map(|one| one.chunk).collect(), reached))
    }

    /// Reranks the best chunks. Returns their log-odds over the lowest-rated one.
    fn fitting(
        &self,
        index: &Index<'s>,
        runs: &[Run<'s>],
        scores: &[f64],
        encoder: Option<&Encoder<'_>>,
    ) -> Result<HashMap<ChunkRef, f64>, Error> {
        if self.weights.fitting <= 0.0 || self.parsed.asked.is_empty() {
            return Ok(HashMap::new());
        }
        let best = self.best(runs, scores, rerank::BEST);
        let encoder = self.is_encoded().then(|| encoder.unwrap_or_else(|| encoder::builtin()));
        rerank::rated(index, &self.parsed, &best, encoder, &self.weights)
    }

    /// Returns whether the encoder takes part in reranking: it does for questions.
    pub(in crate::search::query) fn is_encoded(&self) -> bool {
        self.parsed.kind == QueryKind::NaturalLanguage && self.weights.encoder > 0.0
    }

    /// Returns the weight of words in a score.
    pub(in crate::search::query) fn words_weight(&self) -> f64 {
        if self.meaning.is_empty() { 1.0 } else { 1.0 - self.weights.meaning }
    }
}

/// Returns the chunks of all live files that a filter admits, as runs.
fn admitted(index: &Index<'_>, filter: &Filter) -> CandidateRuns {
    let mut admitted = CandidateRuns::new();
    for (part, segment) in index.segments() {
        let runs: &mut Vec<std::ops::Range<u32>> = admitted.entry(part).or_default();
        if filter.admits_all_files() {
            *runs = index.live_chunks(part);
            continue;
        }
        for ord in 0..segment.n_files() {
            let chunks = segment.chunks_of(ord);
            let admits = || index.file(part, ord).is_some_and(|file| filter.admits_file(&file));
            if chunks.is_empty() || !index.is_live(part, ord) || !admits() {
                continue;
            }
            match runs.last_mut() {
                Some(last) if last.end == chunks.start => last.end = chunks.end,
                _ => runs.push(chunks),
            }
        }
    }
    admitted
}

/// Returns whether a search for a text uses the messages of commits.
pub fn wants_history(text: &str) -> bool {
    // Parsing a long text only to answer this would take too long.
    if is_long(text) {
        return WEIGHTS.long.history > 0.0;
    }
    let parsed = parse_weighted(text, &WEIGHTS);
    !parsed.terms.is_empty() && WEIGHTS.for_kind(parsed.kind).history > 0.0
}

/// Returns, by live file, its most similar commit message, relative to the maximum over all files.
/// The weights of terms enter by their square root: a title word, or a word said ten times, is not
/// ten times as relevant to a fix. See `doc/experiments/ranking.md`.
fn told(index: &Index<'_>, history: &History, terms: &[QueryTerm]) -> HashMap<(Part, u32), CommitMatch> {
    let asked = terms.iter().map(|term| (term.term.as_str(), f64::from(term.weight).sqrt()));
    let told = history.told(asked);
    let of_files = told.into_iter().filter_map(|(path, told)| {
        let file = index.file_by_path(path)?;
        Some(((file.part, file.ord), told))
    });
    let mut of_files: HashMap<_, _> = of_files.collect();
    let most = of_files.values().map(|told| told.likeness).fold(0.0, f64::max);
    of_files.values_mut().for_each(|told| told.likeness = over(told.likeness, most));
    of_files
}
