//! Reports the steps of `git cora ask`: as lines and progress on a terminal, and in the trace.
//!
//! A trace that can't be written does not stop the command; the error is reported at the end.

use std::io::IsTerminal;
use std::sync::Mutex;

use git_cora::answer::view::counted;
use git_cora::base::progress::Progress;
use git_cora::base::threads::lock;

use super::{Context, Event, Journal, Watch, ask};

pub(super) struct Steps<'s> {
    context: &'s Context,
    progress: &'s dyn Progress,
    journal: &'s Mutex<Journal>,
    model: String,
    is_shown: bool,
    is_busy: bool,
    /// Number of characters already reported to `progress`.
    received: usize,
    /// First error of the trace. The command continues without a trace and fails at the end.
    failure: Option<ask::Error>,
}

impl<'s> Steps<'s> {
    pub(super) fn new(
        context: &'s Context,
        progress: &'s dyn Progress,
        journal: &'s Mutex<Journal>,
        model: &str,
    ) -> Self {
        let is_shown = std::io::stderr().is_terminal();
        let model = model.to_owned();
        Self { context, progress, journal, model, is_shown, is_busy: false, received: 0, failure: None }
    }

    /// Removes the progress bar.
    pub(super) fn end(&mut self) {
        if std::mem::take(&mut self.is_busy) {
            self.progress.end();
        }
    }

    /// Ends the report; an error if the trace is incomplete.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.end();
        self.failure.map_or(Ok(()), |error| Err(error.into()))
    }

    fn say(&mut self, line: &str) {
        self.end();
        if self.is_shown {
            self.context.say(line);
        }
    }

    fn note(&mut self, what: &str, value: &impl serde::Serialize) {
        let mut journal = lock(self.journal);
        if let Err(error) = journal.note(what, value) {
            self.failure.get_or_insert(error);
        }
    }
}

impl Watch for Steps<'_> {
    fn tell(&mut self, event: Event<'_>) {
        match event {
            Event::Searched { step, part, new } => {
                self.note("searched", part);
                let line = match &part.near {
                    Some(near) => format!("{step}: {} (skipped: nearly the same as '{near}')", part.text),
                    None => format!("{step}: {}: {}", part.text, counted(new, "place", "places")),
                };
                self.say(&line);
            }
            Event::Expanded { step, new } => {
                self.say(&format!("{step}: from references: {}", counted(new, "place", "places")));
            }
            Event::Judged(step) => {
                self.note("step", step);
                for gap in &step.gaps {
                    self.say(&format!("{}: missing: {gap}", step.step));
                }
            }
            Event::Asking(what) => {
                self.end();
                self.received = 0;
                self.is_busy = true;
                self.progress.begin(&format!("asking {} {what}", self.model), "characters", None);
            }
            Event::Receiving(n) => {
                self.progress.advance(n.saturating_sub(self.received) as u64);
                self.received = n;
            }
            Event::Stopped(stop) => self.say(stop.name()),
        }
    }
}
