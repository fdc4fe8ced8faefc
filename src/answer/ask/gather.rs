//! The loop of `ask`: a question → evidence, step by step.
//!
//! Each step searches the open questions, follows references if the controller asks for it, and
//! lets the controller judge the result. Only relevant chunks become evidence ([`Words`]). A model
//! is never asked if nothing in the repository is relevant to the question. The loop must not call
//! a model itself: a [`Controller`] does.

use std::collections::HashMap;

use crate::answer::view::ResultItem;
use crate::base::progress::Cancel;
use crate::base::text::quoted;
use crate::search::segment::terms::{TermKind, each_term};

use super::split::{NEAR, cosine, split, words};
use super::{Error, Event, Evidence, EvidenceSource, Part, Place, Result, State, Step, Stop, Watch};

/// The limits of the loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum number of steps, at least 1.
    pub steps: usize,
    /// Maximum number of chunks that one question adds.
    pub hits: usize,
}

impl Limits {
    /// Sets the maximum number of steps, at least 1.
    #[must_use]
    pub fn with_steps(mut self, steps: usize) -> Self {
        self.steps = steps;
        self
    }

    /// Sets the maximum number of chunks that one question adds.
    #[must_use]
    pub fn with_hits(mut self, hits: usize) -> Self {
        self.hits = hits;
        self
    }
}

impl Default for Limits {
    /// Returns six steps of twenty chunks, since about twenty fit into 6,000 tokens.
    fn default() -> Self {
        Self { steps: 6, hits: 20 }
    }
}

/// The decision of a controller after a step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Judgement {
    /// The controller's findings. The loop fills in [`Step::step`] and [`Step::new`].
    pub step: Step,
    /// The questions to search next.
    pub questions: Vec<String>,
    /// Whether to follow references from the best results.
    pub expands: bool,
}

/// A strategy that decides what to search and when to stop.
pub trait Controller {
    /// Returns the parts of a question, at least one.
    ///
    /// # Errors
    /// [`Error::Model`], [`Error::Cancelled`].
    fn decompose(&mut self, state: &mut State, watch: &mut dyn Watch) -> Result<Vec<String>>;

    /// Judges the results of a step, of which `new` chunks are new, and decides what follows.
    ///
    /// # Errors
    /// As [`Controller::decompose`].
    fn judge(&mut self, state: &mut State, new: usize, watch: &mut dyn Watch) -> Result<Judgement>;
}

/// Number of chunks of each question from which references are followed, and of chunks taken from
/// each.
const EXPAND_FROM: usize = 3;
const EXPAND_TO: usize = 6;

/// Number of top-ranked chunks of a question that are accepted unchecked if any of its results is
/// relevant.
const TRUSTED: usize = 8;

/// Position in a question's list at which referenced chunks are inserted: after its own best
/// results, before its distant ones.
const EXPAND_AFTER: usize = 6;

/// Runs the loop until there is enough evidence or a limit is reached.
///
/// A failure of the model ends the loop with an error. A spent budget is not a failure: the
/// evidence gathered so far is returned.
///
/// # Errors
/// [`Error::Retrieve`], [`Error::Model`], [`Error::Cancelled`].
pub fn gather(
    question: &str,
    controller: &mut dyn Controller,
    retrieve: &dyn EvidenceSource,
    limits: &Limits,
    watch: &mut dyn Watch,
    cancel: &Cancel,
) -> Result<State> {
    let mut state = State {
        question: question.trim().to_owned(),
        parts: Vec::new(),
        evidence: Vec::new(),
        steps: Vec::new(),
        stop: None,
        notes: Vec::new(),
    };
    let mut known = HashMap::new();
    // If nothing is relevant to the question, do not spend a model call on it.
    let mut is_anything = false;
    for text in std::iter::once(state.question.clone()).chain(split(question)) {
        let words = Words::of(&text);
        is_anything = is_anything || retrieve.find(&text, limits.hits)?.iter().any(|item| words.meet(item));
    }
    if !is_anything {
        state.stop = Some(Stop::Nothing);
        watch.tell(Event::Stopped(Stop::Nothing));
        return Ok(state);
    }
    let asked = match controller.decompose(&mut state, watch) {
        Err(Error::Model(crate::base::chat::Error::Budget { .. })) => {
            state.stop = Some(Stop::Budget);
            vec![state.question.clone()]
        }
        other => other?,
    };
    let mut next: Vec<(String, bool)> = asked.into_iter().map(|text| (text, false)).collect();
    // The question itself is always searched, whatever parts the model returns.
    let is_asked = |(text, _): &(String, bool)| cosine(text, &state.question) > NEAR;
    if next.len() > 1 || !next.iter().all(is_asked) {
        next.push((state.question.clone(), true));
    }
    let mut expands = false;
    for step in 1..=limits.steps.max(1) {
        let before = state.evidence.len();
        let mut n_asked = 0;
        for (text, is_whole) in std::mem::take(&mut next) {
            let question = Question { text, is_whole };
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            n_asked += usize::from(search(&mut state, &mut known, retrieve, limits, step, question, watch)?);
        }
        if std::mem::take(&mut expands) {
            let n_before = state.evidence.len();
            expand(&mut state, &mut known, retrieve, step, cancel)?;
            n_asked += 1;
            watch.tell(Event::Expanded { step, new: state.evidence.len() - n_before });
        }
        if state.evidence.is_empty() {
            state.stop = Some(Stop::Nothing);
            break;
        }
        let new = state.evidence.len() - before;
        if n_asked == 0 {
            state.stop = state.stop.or(Some(Stop::Exhausted));
            break;
        }
        if state.stop.is_some() {
            break;
        }
        let judged = match controller.judge(&mut state, new, watch) {
            Err(Error::Model(crate::base::chat::Error::Budget { .. })) => {
                state.stop = Some(Stop::Budget);
                break;
            }
            other => other?,
        };
        let done = Step { step, new, ..judged.step };
        watch.tell(Event::Judged(&done));
        let is_enough = done.sufficient;
        state.steps.push(done);
        if is_enough {
            state.stop = Some(Stop::Sufficient);
            break;
        }
        if judged.questions.is_empty() && !judged.expands {
            state.stop = Some(Stop::Exhausted);
            break;
        }
        next = judged.questions.into_iter().map(|text| (text, false)).collect();
        expands = judged.expands;
    }
    let stop = *state.stop.get_or_insert(Stop::Steps);
    watch.tell(Event::Stopped(stop));
    Ok(state)
}

/// A question that is searched for.
struct Question {
    text: String,
    /// Whether it is the user's whole question, not a part of it.
    is_whole: bool,
}

/// Searches one question unless a similar one was searched before. Returns whether it searched.
fn search(
    state: &mut State,
    known: &mut HashMap<Place, usize>,
    retrieve: &dyn EvidenceSource,
    limits: &Limits,
    step: usize,
    Question { text, is_whole }: Question,
    watch: &mut dyn Watch,
) -> Result<bool> {
    let near = state.parts.iter().filter(|part| part.near.is_none() && !is_whole);
    let near = near.map(|part| &part.text).find(|asked| cosine(asked, &text) > NEAR).cloned();
    let mut part = Part { text, step, is_whole, near, found: Vec::new() };
    let before = state.evidence.len();
    if part.near.is_none() {
        let words = Words::of(&part.text);
        let found = retrieve.find(&part.text, limits.hits)?;
        // If any result is relevant, trust the top-ranked ones as well.
        let is_any = found.iter().any(|item| words.meet(item));
        let kept = found
            .into_iter()
            .enumerate()
            .filter(|(rank, item)| is_any && *rank < TRUSTED || words.meet(item));
        part.found = kept.map(|(_, item)| add(&mut state.evidence, known, item, step)).collect();
    }
    let was_asked = part.near.is_none();
    watch.tell(Event::Searched { step, part: &part, new: state.evidence.len() - before });
    state.parts.push(part);
    Ok(was_asked)
}

/// Follows references from the best results of each question, and inserts their targets into its
/// list.
fn expand(
    state: &mut State,
    known: &mut HashMap<Place, usize>,
    retrieve: &dyn EvidenceSource,
    step: usize,
    cancel: &Cancel,
) -> Result<()> {
    for at in 0..state.parts.len() {
        let Some(part) = state.parts.get(at).filter(|part| part.near.is_none() && !part.is_whole) else {
            continue;
        };
        let words = Words::of(&part.text);
        let from: Vec<ResultItem> = part
            .found
            .iter()
            .take(EXPAND_FROM)
            .filter_map(|&found| Some(state.evidence.get(found)?.item.clone()))
            .collect();
        let mut led: Vec<usize> = Vec::new();
        for item in from {
            if cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            for neighbour in retrieve.related(&item, EXPAND_TO)?.into_iter().filter(|item| words.meet(item)) {
                let to = add(&mut state.evidence, known, neighbour, step);
                if !led.contains(&to) {
                    led.push(to);
                }
            }
        }
        if let Some(part) = state.parts.get_mut(at) {
            led.retain(|to| !part.found.contains(to));
            let place = EXPAND_AFTER.min(part.found.len());
            part.found.splice(place..place, led);
        }
    }
    Ok(())
}

/// Returns the index of a chunk in the evidence, and adds the chunk if it is new.
fn add(
    evidence: &mut Vec<Evidence>,
    known: &mut HashMap<Place, usize>,
    item: ResultItem,
    step: usize,
) -> usize {
    let place = Place::of(&item);
    *known.entry(place).or_insert_with(|| {
        evidence.push(Evidence { item, step });
        evidence.len() - 1
    })
}

/// The words of a question that carry meaning.
struct Words(Vec<Word>);

/// A word and its search terms.
struct Word {
    terms: Vec<String>,
    /// The whole identifier, if the word is one of several parts.
    name: Option<String>,
}

impl Words {
    fn of(text: &str) -> Self {
        let word = |word: &String| {
            let (mut terms, mut name) = (Vec::new(), None);
            each_term(word, |term, kind| match kind {
                TermKind::Compound => name = Some(term.to_owned()),
                TermKind::Part | TermKind::Word => terms.push(term.to_owned()),
            });
            Word { terms, name }
        };
        Self(words(text).iter().map(word).collect())
    }

    /// Returns whether a chunk is relevant to the question.
    ///
    /// It must contain, in its text, name or path, either two of the words (all, if there are
    /// fewer) or an identifier of several parts. A search always returns something, and a single
    /// common word is chance.
    fn meet(&self, item: &ResultItem) -> bool {
        let wanted = self.0.len().min(2);
        let mut found = vec![false; self.0.len()];
        let mut is_named = false;
        let path = quoted(item.path.as_ref()).into_owned();
        let text = item.text.as_deref().map(|text| item.span.bytes.of(text)).unwrap_or_default();
        for text in [path.as_str(), item.symbol.as_str(), text] {
            for token in crate::base::text::identifier::tokens(text) {
                each_term(token, |term, _| {
                    for (word, found) in self.0.iter().zip(&mut found) {
                        is_named |= word.name.as_deref() == Some(term);
                        *found |= word.terms.iter().any(|known| known == term);
                    }
                });
            }
            if is_named || found.iter().filter(|&&is| is).count() >= wanted {
                return true;
            }
        }
        false
    }
}
