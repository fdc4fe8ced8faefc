//! Sending: missing texts → requests → rows in the journal.
//!
//! Several requests run in parallel, as many as the provider allows. A thread writes each answer to
//! the journal before its next request, so an interruption costs no more than the requests under
//! way.
//!
//! Must not: write to Git, decide which texts are missing.

use std::sync::Mutex;

use bstr::ByteSlice;

use crate::base::progress::Task;
use crate::base::text::tokens::estimate;
use crate::base::threads::lock;
use crate::provider::embedding::{Embedder, Model, Purpose};

use super::plan::{Journal, Plan, Report, Texts};
use super::{Error, Key, KeyedRow, Result, key_of};

/// The queue of texts to send, and the budget.
pub(super) struct Feeder<'p> {
    plan: &'p Plan,
    missing: &'p [(usize, usize)],
    texts: &'p dyn Texts,
    model: &'p Model,
    budget: Option<u64>,
    next: usize,
    /// Tokens counted so far, plus the estimate for requests under way.
    spent: u64,
    is_over_budget: bool,
    is_stopped: bool,
    loaded: Option<(usize, Vec<String>)>,
}

/// The texts of one request.
#[derive(Default)]
struct Batch {
    keys: Vec<Key>,
    texts: Vec<String>,
    n_tokens: u64,
}

impl<'p> Feeder<'p> {
    pub(super) fn new(
        plan: &'p Plan,
        missing: &'p [(usize, usize)],
        texts: &'p dyn Texts,
        model: &'p Model,
        budget: Option<u64>,
    ) -> Self {
        Self {
            plan,
            missing,
            texts,
            model,
            budget,
            next: 0,
            spent: 0,
            is_over_budget: false,
            is_stopped: false,
            loaded: None,
        }
    }

    /// Returns the next batch within the provider's limits; `None` at the end of the texts or the
    /// budget.
    fn batch(&mut self) -> Option<Batch> {
        let limits = self.model.limits();
        let mut batch = Batch::default();
        while let Some(&(at, chunk)) = self.missing.get(self.next) {
            if self.is_stopped || batch.texts.len() >= limits.batch_texts {
                break;
            }
            let file = self.plan.open.get(at)?;
            if self.loaded.as_ref().is_none_or(|(loaded, _)| *loaded != at) {
                self.loaded = Some((at, self.texts.of(file.path.as_bstr())));
            }
            let text = self.loaded.as_ref().and_then(|(_, texts)| texts.get(chunk));
            // A file that was changed or removed after planning is left for the next run.
            let (Some(text), Some(&key)) =
                (text, file.keys.get(chunk).filter(|key| text.is_some_and(|text| key_of(text) == **key)))
            else {
                self.next += 1;
                continue;
            };
            let n_tokens = estimate(text).min(limits.text_tokens).max(1) as u64;
            if !batch.texts.is_empty() && batch.n_tokens + n_tokens > limits.batch_tokens as u64 {
                break;
            }
            if self.budget.is_some_and(|budget| self.spent + batch.n_tokens + n_tokens > budget) {
                self.is_over_budget = true;
                break;
            }
            batch.keys.push(key);
            batch.texts.push(text.clone());
            batch.n_tokens += n_tokens;
            self.next += 1;
        }
        self.spent += batch.n_tokens;
        (!batch.texts.is_empty()).then_some(batch)
    }
}

/// Sends batch after batch, with as many requests in parallel as the provider allows.
pub(super) fn send(
    embedder: &Embedder,
    feeder: Feeder<'_>,
    journal: Journal,
    report: &mut Report,
    task: Task<'_>,
) -> Result<Journal> {
    let model = embedder.model();
    let n_missing = feeder.missing.len();
    let feeder = Mutex::new(feeder);
    let sink = Mutex::new((journal, report));
    let failure: Mutex<Option<Error>> = Mutex::new(None);
    let work = || {
        loop {
            let batch = lock(&feeder).batch();
            let Some(batch) = batch else { return };
            let list: Vec<&str> = batch.texts.iter().map(String::as_str).collect();
            let outcome = embedder
                .embed(&list, Purpose::Document, task.cancel)
                .map_err(Error::from)
                .and_then(|embedded| {
                    let n = embedded.rows.len();
                    let mut sink = lock(&sink);
                    let rows = batch.keys.into_iter().zip(embedded.rows);
                    sink.0.append(rows.map(|(key, row)| KeyedRow { key, row }).collect())?;
                    sink.1.n_texts += n;
                    sink.1.n_tokens = sink.1.n_tokens.saturating_add(embedded.tokens);
                    sink.1.n_cut += embedded.n_cut;
                    task.progress.advance(n as u64);
                    Ok(embedded.tokens)
                });
            let mut feeder = lock(&feeder);
            match outcome {
                Ok(counted) => {
                    feeder.spent = feeder.spent.saturating_sub(batch.n_tokens).saturating_add(counted)
                }
                Err(error) => {
                    feeder.is_stopped = true;
                    lock(&failure).get_or_insert(error);
                    return;
                }
            }
        }
    };
    task.progress.begin("embedding", "texts", Some(n_missing as u64));
    std::thread::scope(|scope| {
        for _ in 1..model.limits().requests {
            scope.spawn(work);
        }
        work();
    });
    task.progress.end();
    let (journal, report) = sink.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    report.is_over_budget = lock(&feeder).is_over_budget;
    let failure = lock(&failure).take();
    match failure {
        _ if task.is_cancelled() => Err(Error::Cancelled),
        Some(Error::Model(error)) => {
            report.failure = Some(error);
            Ok(journal)
        }
        Some(error) => Err(error),
        None => Ok(journal),
    }
}
