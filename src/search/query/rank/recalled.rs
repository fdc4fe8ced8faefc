//! First phase: understood query → [`Recalled`], the candidates and all that recall knows of them.
//!
//! Words, names, embeddings, paths, notes, commit messages and references each find chunks or
//! files. Those that meet the conditions become candidates. Nothing here is a score of a hit; the
//! signals read from here what they need.
//!
//! A cut among chunks must not depend on which segment stores them: equal scores are kept together.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::base::threads;
use crate::index::embed::Question;
use crate::search::commit_messages::{CommitMatch, CommitMessageSource, CommitMessages};
use crate::search::segment::{Index, Part};

use super::SideSignals;
use super::candidates::{Candidates, Conditions, Matches};
use super::inquiry::Inquiry;
use super::signals::{N_SIGNALS, SIGNALS};
use super::{is_corpus, over};
use crate::search::query::parse::filter::Filter;
use crate::search::query::parse::parser::{ParsedQuery, QueryTerm};
use crate::search::query::parse::pathspec::Pathspec;
use crate::search::query::recall::named::{NamedFile, named_files};
use crate::search::query::recall::qualified;
use crate::search::query::recall::relation::related_chunks;
use crate::search::query::recall::score::{Cell, Cells, NameMentions, Scorer};
use crate::search::query::recall::semantic::{CandidateRuns, SemanticScores};
use crate::search::query::recall::symbols::{self, DefinitionMatch};
use crate::search::query::recall::{near, short};
use crate::search::query::weights::Weights;
use crate::search::query::{ChunkRef, Error, Query, QueryKind, RelatedChunk, RelationTarget, UnknownTerm};

/// Number of chunks, best by words, whose embeddings are compared even if they are not among the
/// nearest.
const BEST_BY_WORDS: usize = 1000;

/// Minimum strength of a named path that is the whole query.
const WHOLE_NAME: f64 = 0.8;

/// Number of chunks from which independent parts of a search run in parallel. Low in tests, so that
/// they cover both ways.
const AT_ONCE: usize = if cfg!(test) { 8 } else { 10_000 };

/// The candidates of a search, with the matches that they were found by.
pub(super) struct Recalled<'s> {
    pub(super) index: &'s Index<'s>,
    pub(super) query: &'s Query,
    /// The query with the idf of its terms, and with the terms that replace misspelt words.
    pub(super) parsed: ParsedQuery,
    /// The weights for this query, with the final weight of the embedding: 0 if there is none.
    pub(super) weights: Weights,
    /// The weights of [`SIGNALS`], in their order.
    pub(super) signal_weights: [f64; N_SIGNALS],
    pub(super) words: Words<'s>,
    pub(super) meaning: SemanticScores<'s>,
    /// The files that the query names.
    pub(super) named: BTreeMap<(Part, u32), NamedFile>,
    /// By chunk, how well its commentary matches, from 0 to 1.
    pub(super) noted: BTreeMap<ChunkRef, f64>,
    /// By file, the commit message most similar to the question, relative to the most similar of
    /// all files.
    pub(super) commit_matches: HashMap<(Part, u32), CommitMatch>,
    /// The other ends of the references that a query asks for, as in "who uses X".
    pub(super) related: HashMap<ChunkRef, RelatedChunk>,
    /// The symbol of such a query.
    pub(super) relation: Option<RelationTarget>,
    /// The chunks that declare the name with a qualifier that is the whole query, best first.
    pub(super) meant: Vec<ChunkRef>,
    /// Pathspecs and the factors for the scores of matching files.
    pub(super) boosts: Vec<(Pathspec, f64)>,
    pub(super) candidates: Candidates<'s>,
    pub(super) coherence: Coherence,
}

impl<'s> Recalled<'s> {
    /// Finds the candidates of a query.
    ///
    /// # Errors
    /// [`Error::Segment`] for a damaged index.
    pub(super) fn new(
        index: &'s Index<'s>,
        query: &'s Query,
        inquiry: Inquiry,
        beside: SideSignals<'s>,
    ) -> Result<Self, Error> {
        let Inquiry { parsed, weights, filter, required, boosts, relation } = inquiry;
        let (parsed, mut words, mut meaning) =
            words_and_meaning(index, parsed, &weights, &admitted(index, &filter), beside)?;
        let mut named = named_files(index, &parsed.paths);
        if parsed.kind == QueryKind::Path {
            // If the path is the whole query, the files of that name are what is asked for.
            for named in named.values_mut() {
                named.strength = named.strength.max(WHOLE_NAME);
                named.lines.iter_mut().for_each(|one| one.strength = one.strength.max(WHOLE_NAME));
            }
        }
        let noted = beside.notes.map(|notes| notes.rate(&parsed)).unwrap_or_default();
        let history = beside.history.filter(|_| weights.history > 0.0 && !parsed.terms.is_empty());
        let commit_matches = match history.and_then(CommitMessageSource::messages) {
            Some(messages) => commit_matches(index, messages, &parsed.terms),
            None => HashMap::new(),
        };
        let related = match (beside.related, relation) {
            (Some(known), _) => Some(known.clone()),
            (None, Some(asked)) => Some(related_chunks(&asked, index, beside.sources)?),
            (None, None) => None,
        };
        let meant = qualified::meant(index, &query.text, &parsed, beside.sources)?;
        let (relation, related) = related.map(|found| (found.target, found.chunks)).unzip();
        let related = related.unwrap_or_default();
        if let Some(target) = &relation {
            // "Calls" and "breaks" were understood; no chunk has to contain them. The symbol may be
            // missing.
            words.near.retain(|one| related.is_empty() && one.word.eq_ignore_ascii_case(&target.name));
        }
        let matches = Matches {
            parsed: &parsed,
            cells: &words.cells,
            defined: &words.defined,
            meaning: &meaning,
            floor: weights.floor,
            named: &named,
            noted: &noted,
            related: &related,
        };
        let conditions = Conditions { filter: &filter, required: required.as_ref() };
        let candidates = Candidates::new(index, &matches, &conditions);
        let covered = over(candidates.most_covered, words.total_idf.into());
        let weights = Weights { meaning: weight_of_meaning(&weights, &parsed, &meaning, covered), ..weights };
        if !meaning.is_empty() {
            meaning.look_at(index, best_by_words(&words, &candidates))?;
        }
        let coherence = Coherence::new(&candidates, &words, &meaning, &weights);
        let signal_weights = SIGNALS.map(|signal| (signal.weight)(&weights, parsed.kind));
        Ok(Self {
            index,
            query,
            parsed,
            weights,
            signal_weights,
            words,
            meaning,
            named,
            noted,
            commit_matches,
            related,
            relation,
            meant,
            boosts,
            candidates,
            coherence,
        })
    }

    /// Returns whether the index is so large that starting a thread (a tenth of a millisecond)
    /// pays.
    pub(super) fn is_large(&self) -> bool {
        is_large(self.index)
    }
}

/// The results of the steps that use words alone.
pub(super) struct Words<'s> {
    pub(super) scorer: Scorer,
    pub(super) cells: Vec<Cells<'s>>,
    /// Number of parts of identifiers among the terms.
    pub(super) n_parts: u16,
    /// Sum of the idf of the query's words that occur.
    pub(super) total_idf: f32,
    /// The chunks that declare a name of the query.
    pub(super) defined: BTreeMap<ChunkRef, DefinitionMatch>,
    /// For a query of names, the chunks that mention them whole.
    pub(super) mentioned: NameMentions,
    /// The words that occur nowhere, with their replacements.
    pub(super) near: Vec<UnknownTerm>,
}

impl<'s> Words<'s> {
    /// Scores the words of a query and finds replacements for words that occur nowhere. Returns the
    /// query with these added.
    fn new(
        index: &Index<'s>,
        mut parsed: ParsedQuery,
        weights: &Weights,
    ) -> Result<(ParsedQuery, Self), Error> {
        let scorer = Scorer::new(index, weights);
        let mut cells = Scorer::cells(index);
        let mut total_idf = scorer.score(index, &mut parsed.terms, &mut cells)?;
        let defined = symbols::definitions(index, &parsed)?;
        let mut near = Vec::new();
        let is_question = parsed.kind == QueryKind::NaturalLanguage;
        let is_name = parsed.kind == QueryKind::Identifier;
        if is_question || is_name && defined.is_empty() {
            let (found, mut terms) = near::words(index, &parsed, weights)?;
            total_idf += scorer.score(index, &mut terms, &mut cells)?;
            parsed.terms.extend(terms);
            if found.iter().any(|near| !near.instead.is_empty()) && !parsed.question.is_zero() {
                (parsed.question, parsed.asked) = near::question(&parsed, &found);
            }
            near = found;
        } else if is_name {
            near = near::qualifiers(index, &parsed);
        }
        if is_question && weights.short_form > 0.0 {
            scorer.short_forms(index, &short::forms(&parsed), &mut cells)?;
        }
        let mut mentioned = NameMentions::default();
        if is_name && weights.mention > 0.0 {
            mentioned = scorer.mentions(index, &parsed.terms)?;
        }
        let n_parts = parsed.terms.iter().filter(|term| term.is_part).count();
        let n_parts = u16::try_from(n_parts).unwrap_or(u16::MAX);
        Ok((parsed, Self { scorer, cells, n_parts, total_idf, defined, mentioned, near }))
    }

    /// Returns the word signals of a chunk.
    pub(super) fn cell(&self, chunk: ChunkRef) -> Cell {
        let cells = self.cells.iter().find(|cells| cells.part == chunk.part);
        cells.and_then(|cells| cells.cells.get(chunk.ord as usize)).copied().unwrap_or_default()
    }
}

/// Searches by words and by embedding, in parallel if that pays.
fn words_and_meaning<'s>(
    index: &'s Index<'s>,
    parsed: ParsedQuery,
    weights: &Weights,
    admitted: &CandidateRuns,
    beside: SideSignals<'s>,
) -> Result<(ParsedQuery, Words<'s>, SemanticScores<'s>), Error> {
    let question = parsed.question;
    let by_meaning = |question: Question| SemanticScores::search(index, question, admitted, beside.cosines);
    // A query without an embedding, such as a name, has nothing to run in parallel.
    let is_early = is_large(index) && !question.is_zero();
    let (by_words, meaning) = threads::both(
        is_early,
        || Words::new(index, parsed, weights),
        || is_early.then(|| by_meaning(question)),
    );
    let (parsed, words) = by_words?;
    // Words that replace misspelt ones change the embedding, so the early search is used only if
    // nothing changed.
    let meaning = match meaning {
        Some(meaning) if parsed.question == question => meaning?,
        _ => by_meaning(parsed.question)?,
    };
    Ok((parsed, words, meaning))
}

/// Returns the weight of the embedding. For questions it grows with the share of the words, by idf,
/// that even the best chunk lacks.
fn weight_of_meaning(
    weights: &Weights,
    parsed: &ParsedQuery,
    meaning: &SemanticScores<'_>,
    covered: f64,
) -> f64 {
    if meaning.is_empty() {
        return 0.0;
    }
    if parsed.kind != QueryKind::NaturalLanguage {
        return weights.meaning;
    }
    let unsaid = 1.0 - covered.min(1.0);
    (weights.meaning + weights.unsaid * unsaid).min(1.0)
}

/// Returns the best candidates by words, at least [`BEST_BY_WORDS`] if there are that many. Their
/// embeddings are compared, so that those near the question count as near even if the semantic
/// search missed them.
fn best_by_words(words: &Words<'_>, candidates: &Candidates<'_>) -> Vec<ChunkRef> {
    let scored = candidates.all().map(|chunk| (words.cell(chunk).score, chunk));
    let mut scored: Vec<(f32, ChunkRef)> = scored.filter(|one| one.0 > 0.0).collect();
    if scored.len() > BEST_BY_WORDS {
        // Chunks with the same score are kept together: the choice must not depend on which segment
        // stores them.
        let (_, &mut (limit, _), _) =
            scored.select_nth_unstable_by(BEST_BY_WORDS, |a, b| b.0.total_cmp(&a.0));
        scored.retain(|&(score, _)| score >= limit);
    }
    scored.into_iter().map(|(_, chunk)| chunk).collect()
}

/// The sums of squared scores of files.
#[derive(Debug, Default)]
pub(super) struct Coherence {
    /// By file, in the order of the candidates' files.
    squares: Vec<f64>,
    /// The largest sum.
    most: f64,
}

impl Coherence {
    /// Sums the squared scores of each file's candidates, by words and embedding.
    fn new(
        candidates: &Candidates<'_>,
        words: &Words<'_>,
        meaning: &SemanticScores<'_>,
        weights: &Weights,
    ) -> Self {
        let by_words = 1.0 - weights.meaning;
        // `weights.meaning` may differ in the last bit, and the stored ranks were computed so.
        let by_meaning = 1.0 - by_words;
        let mut coherence = Self::default();
        for run in candidates.files() {
            let mut squares = 0.0;
            // The documents of a corpus say nothing about each other, and thousands of them would
            // outweigh every file.
            if !is_corpus(&run.file) {
                for &ord in candidates.chunks(run) {
                    let chunk = ChunkRef { part: run.file.part, ord };
                    let score = f64::from(words.cell(chunk).score);
                    let near = if by_meaning > 0.0 { meaning.of(chunk) } else { 0.0 };
                    let both = by_words * over(score, candidates.best) + by_meaning * near;
                    squares += both * both;
                }
            }
            coherence.most = coherence.most.max(squares);
            coherence.squares.push(squares);
        }
        coherence
    }

    /// Returns the sum of a file, by its place among the files, relative to the largest.
    pub(super) fn share(&self, place: usize) -> f64 {
        over(self.squares.get(place).copied().unwrap_or(0.0), self.most)
    }
}

fn is_large(index: &Index<'_>) -> bool {
    let n_chunks: usize = index.segments().map(|(_, segment)| segment.n_chunks() as usize).sum();
    n_chunks >= AT_ONCE && rayon::current_num_threads() > 1
}

/// Returns the chunks of all live files that a filter admits, as runs.
pub(super) fn admitted(index: &Index<'_>, filter: &Filter) -> CandidateRuns {
    let mut admitted = CandidateRuns::new();
    for (part, segment) in index.segments() {
        let runs: &mut Vec<Range<u32>> = admitted.entry(part).or_default();
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

/// Returns, by live file, its most similar commit message, relative to the maximum over all files.
/// The weights of terms enter by their square root: a title word, or a word said ten times, is not
/// ten times as relevant to a fix. See `doc/experiments/ranking.md`.
fn commit_matches(
    index: &Index<'_>,
    messages: &CommitMessages,
    terms: &[QueryTerm],
) -> HashMap<(Part, u32), CommitMatch> {
    let asked = terms.iter().map(|term| (term.term.as_str(), f64::from(term.weight).sqrt()));
    let commit_matches = messages.matches(asked);
    let of_files = commit_matches.into_iter().filter_map(|(path, one)| {
        let file = index.file_by_path(path)?;
        Some(((file.part, file.ord), one))
    });
    let mut of_files: HashMap<_, _> = of_files.collect();
    let most = of_files.values().map(|one| one.likeness).fold(0.0, f64::max);
    of_files.values_mut().for_each(|one| one.likeness = over(one.likeness, most));
    of_files
}
