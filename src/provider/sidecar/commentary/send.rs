//! Sending: missing chunks → requests → notes in the journal.
//!
//! One request has several chunks, and several requests run in parallel. A thread writes each
//! answer to the journal before its next request, so an interruption costs no more than the
//! requests under way. A chunk that an answer leaves out is sent once more by itself. A model that
//! can't answer about several chunks soon gets fewer.
//!
//! Must not: write to Git, decide which chunks are missing.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bstr::ByteSlice;

use crate::base::progress::Task;
use crate::base::threads::lock;
use crate::provider::chat::{self, End, RequestBody};
use crate::provider::http;

use super::note::sentences;
use super::plan::{BATCH, Journal, PendingWork, Plan, Report, RunInputs, Sources};
use super::prompt::{Passage, answers, prompt};
use super::{Error, Note, Result};

/// Most estimated tokens of one request, unless a single chunk has more.
const BATCH_TOKENS: u64 = 6000;
/// Requests in parallel.
const REQUESTS: usize = 4;
/// After this many failures in a row, even request-specific ones are blamed on the server.
const FAILURES: usize = 8;
/// Pause of a thread without work, before it looks for chunks that other threads' answers left out.
const PAUSE: Duration = Duration::from_millis(20);

/// The queue of chunks to send.
struct Feeder<'p> {
    missing: &'p [PendingWork],
    next: usize,
    /// Most chunks of a request; halved after failures.
    size: usize,
    /// Chunks that an answer left out; each is sent once more by itself.
    again: VecDeque<PendingWork>,
    /// Number of requests under way.
    n_waiting: usize,
    /// Number of failures since the last answer.
    n_failures: usize,
    failure: Option<Error>,
}

impl<'p> Feeder<'p> {
    fn new(missing: &'p [PendingWork]) -> Self {
        let again = VecDeque::new();
        Self { missing, next: 0, size: BATCH, again, n_waiting: 0, n_failures: 0, failure: None }
    }

    /// Returns the chunks of the next request; none at the end.
    fn batch(&mut self) -> Vec<PendingWork> {
        let mut batch: Vec<PendingWork> = Vec::new();
        let mut n_tokens = 0;
        while let Some(one) = self.missing.get(self.next) {
            let is_full = batch.len() >= self.size || n_tokens + one.n_tokens > BATCH_TOKENS;
            if !batch.is_empty() && is_full {
                break;
            }
            n_tokens += one.n_tokens;
            batch.push(*one);
            self.next += 1;
        }
        if batch.is_empty() {
            batch.extend(self.again.pop_front());
        }
        batch
    }
}

/// Returns the passages of a batch; removes chunks of files that can't be read or have changed.
fn passages(plan: &Plan, batch: &mut Vec<PendingWork>, sources: &dyn Sources) -> Vec<Passage> {
    let mut passages = Vec::new();
    let mut sent = Vec::new();
    for of_file in batch.chunk_by(|a, b| a.file == b.file) {
        let Some(file) = of_file.first().and_then(|first| plan.files.get(first.file)) else { continue };
        let chunks: Vec<u32> = of_file.iter().map(|one| one.chunk).collect();
        let found = sources.passages(file.path.as_bstr(), &chunks);
        for (one, passage) in of_file.iter().zip(found).filter(|(one, passage)| passage.key() == one.key) {
            sent.push(*one);
            passages.push(passage);
        }
    }
    *batch = sent;
    passages
}

/// Returns the requests that `super::make` would send if every answer were complete, in order.
///
/// For a user who wants to see what leaves the machine.
pub fn requests<'p>(plan: &'p Plan, wish: &'p RunInputs<'p>) -> impl Iterator<Item = RequestBody> + use<'p> {
    let mut feeder = Feeder::new(&plan.missing);
    std::iter::from_fn(move || {
        loop {
            let mut batch = feeder.batch();
            if batch.is_empty() {
                return None;
            }
            let passages = passages(plan, &mut batch, wish.sources);
            if !passages.is_empty() {
                return Some(wish.model.outgoing(&prompt(&passages)));
            }
        }
    })
}

/// Sends the missing chunks, and writes the notes to the journal.
///
/// A failure of the model is part of the report.
///
/// # Errors
/// [`Error::Io`], [`Error::Cancelled`].
pub(super) fn send(
    plan: &Plan,
    missing: &[PendingWork],
    wish: &RunInputs<'_>,
    journal: Journal,
    report: &mut Report,
    task: Task<'_>,
) -> Result<Journal> {
    let feeder = Mutex::new(Feeder::new(missing));
    let sink = Mutex::new(Sink { journal, n_notes: 0, n_useless: 0 });
    let run = Run { plan, wish, feeder, sink, id: wish.model.id(), task };
    task.progress.begin("annotating", "chunks", Some(missing.len() as u64));
    std::thread::scope(|scope| {
        for _ in 1..REQUESTS.min(missing.len()) {
            scope.spawn(|| run.work());
        }
        run.work();
    });
    task.progress.end();
    let failure = lock(&run.feeder).failure.take();
    let sink = run.sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    (report.n_notes, report.n_useless) = (sink.n_notes, sink.n_useless);
    let journal = sink.journal;
    match failure {
        _ if task.is_cancelled() => Err(Error::Cancelled),
        Some(Error::Model(chat::Error::Budget { .. })) => {
            report.is_over_budget = true;
            Ok(journal)
        }
        Some(Error::Model(error)) => {
            report.failure = Some(error);
            Ok(journal)
        }
        Some(error) => Err(error),
        None => Ok(journal),
    }
}

/// The destination of the answers.
struct Sink {
    journal: Journal,
    n_notes: usize,
    n_useless: usize,
}

/// The shared state of a run's threads.
///
/// No thread holds both locks, so their order does not matter.
struct Run<'r> {
    plan: &'r Plan,
    wish: &'r RunInputs<'r>,
    feeder: Mutex<Feeder<'r>>,
    sink: Mutex<Sink>,
    id: String,
    task: Task<'r>,
}

impl Run<'_> {
    fn work(&self) {
        loop {
            let mut batch = {
                let mut feeder = lock(&self.feeder);
                if feeder.failure.is_some() {
                    return;
                }
                let batch = feeder.batch();
                // Requests under way may still leave chunks for this thread.
                if batch.is_empty() && feeder.n_waiting == 0 {
                    return;
                }
                feeder.n_waiting += usize::from(!batch.is_empty());
                batch
            };
            if batch.is_empty() {
                std::thread::sleep(PAUSE);
                continue;
            }
            let passages = passages(self.plan, &mut batch, self.wish.sources);
            let outcome = if passages.is_empty() { Ok(()) } else { self.ask(&batch, &passages) };
            let mut feeder = lock(&self.feeder);
            feeder.n_waiting -= 1;
            if let Err(error) = outcome {
                feeder.failure.get_or_insert(error);
            }
        }
    }

    fn ask(&self, batch: &[PendingWork], passages: &[Passage]) -> Result<()> {
        let answer = match self.wish.model.complete(&prompt(passages), &mut |_| (), self.task.cancel) {
            Ok(reply) if reply.end == End::Refused => String::new(),
            Ok(reply) if reply.end == End::Length && batch.len() == 1 => sentences(&reply.text).to_owned(),
            Ok(reply) => reply.text,
            // An empty answer counts as an answer without notes; the run goes on.
            Err(chat::Error::Empty { .. }) => String::new(),
            Err(error) => return self.failed(batch, error),
        };
        let (mut notes, mut left) = (Vec::new(), Vec::new());
        for (one, text) in batch.iter().zip(answers(&answer, batch.len())) {
            match text {
                Some(text) => {
                    notes.push(Note { chunk: one.chunk, key: one.key, model: self.id.clone(), text });
                }
                None => left.push(*one),
            }
        }
        let n_notes = notes.len();
        {
            let mut sink = lock(&self.sink);
            sink.journal.append(notes)?;
            sink.n_notes += n_notes;
        }
        self.task.progress.advance(n_notes as u64);
        let mut feeder = lock(&self.feeder);
        feeder.n_failures = 0;
        if n_notes == 0 {
            feeder.size = (feeder.size / 2).max(1);
        }
        drop(feeder);
        self.leave(batch.len(), left);
        Ok(())
    }

    /// Handles a failed request.
    ///
    /// The run goes on if the request itself may be the cause, for example if it is too long for
    /// the model.
    fn failed(&self, batch: &[PendingWork], error: chat::Error) -> Result<()> {
        let is_its_own = matches!(
            &error,
            chat::Error::Remote(
                http::Error::Refused { status: 400 | 413 | 422, .. }
                    | http::Error::Malformed { .. }
                    | http::Error::TooLarge { .. }
                    | http::Error::TimedOut { .. }
            )
        );
        let mut feeder = lock(&self.feeder);
        feeder.n_failures += 1;
        if !is_its_own || feeder.n_failures >= FAILURES {
            return Err(error.into());
        }
        feeder.size = (feeder.size / 2).max(1);
        drop(feeder);
        self.leave(batch.len(), batch.to_vec());
        Ok(())
    }

    /// Queues the chunks that a request of `n` chunks left open, unless they were sent by
    /// themselves.
    fn leave(&self, n: usize, left: Vec<PendingWork>) {
        if n > 1 {
            lock(&self.feeder).again.extend(left);
        } else {
            self.task.progress.advance(left.len() as u64);
            lock(&self.sink).n_useless += left.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sizes of the requests for chunks with these numbers of tokens.
    fn sizes(tokens: &[u64], size: usize) -> Vec<usize> {
        let missing: Vec<PendingWork> = (0..)
            .zip(tokens)
            .map(|(chunk, n_tokens)| PendingWork { file: 0, chunk, key: [0; 16], n_tokens: *n_tokens })
            .collect();
        let mut feeder = Feeder { size, ..Feeder::new(&missing) };
        std::iter::from_fn(|| Some(feeder.batch().len()).filter(|n| *n > 0)).collect()
    }

    #[test]
    fn requests_have_six_chunks_and_6000_tokens() {
        assert_eq!(Feeder::new(&[]).size, 6);
        for (tokens, expected) in [
            (vec![1; 13], vec![6, 6, 1]),
            (vec![1000; 7], vec![6, 1]),
            (vec![1001; 7], vec![5, 2]),
            (vec![3000, 3000, 1], vec![2, 1]),
            (vec![3000, 3001, 1], vec![1, 2]),
            (vec![9000, 1], vec![1, 1]),
            (vec![], vec![]),
        ] {
            assert_eq!(sizes(&tokens, BATCH), expected, "{tokens:?}");
        }
        assert_eq!(sizes(&[1; 5], 2), [2, 2, 1]);
    }

    #[test]
    fn chunks_that_were_left_out_come_alone_and_last() {
        let one = |chunk| PendingWork { file: 0, chunk, key: [0; 16], n_tokens: 1 };
        let missing = [one(0)];
        let mut feeder = Feeder::new(&missing);
        feeder.again.extend([one(7), one(8)]);
        let chunks = |batch: Vec<PendingWork>| batch.iter().map(|one| one.chunk).collect::<Vec<_>>();
        assert_eq!([(); 4].map(|()| chunks(feeder.batch())), [vec![0], vec![7], vec![8], vec![]]);
        assert_eq!((REQUESTS, FAILURES), (4, 8));
    }
}
