//! Progress on standard error: a bar on a terminal, lines elsewhere.
//!
//! A bar would fill a log with control characters, so that without a terminal only waits are
//! reported.

use std::io::Write as _;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use git_cora::base::progress::Progress;

/// A bar of the current phase with count, rate and remaining time. It appears after half a second:
/// shorter phases need no bar.
#[derive(Default)]
pub(crate) struct Bar {
    current: Mutex<Option<ProgressBar>>,
}

impl Bar {
    fn with(&self, f: impl FnOnce(&mut Option<ProgressBar>)) {
        f(&mut self.current.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }

    fn show(&self, bar: ProgressBar, style: ProgressStyle) {
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(500));
        self.with(|current| *current = Some(bar));
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Progress for Bar {
    fn begin(&self, what: &str, unit: &str, total: Option<u64>) {
        let template = match total {
            Some(_) => format!("{what} {{bar:24}} {{pos}}/{{len}} {unit}, {{rate}}, {{eta}} left"),
            None => format!("{what} {{spinner}} {{pos}} {unit}, {{rate}}"),
        };
        let style =
            style(&template).with_key("rate", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{:.0}/s", state.per_sec());
            });
        self.show(total.map_or_else(ProgressBar::no_length, ProgressBar::new), style);
    }

    fn wait(&self, what: &str) {
        self.show(ProgressBar::no_length(), style(&format!("{what} {{spinner}} {{elapsed}}")));
    }

    fn advance(&self, n: u64) {
        self.with(|current| {
            if let Some(bar) = current {
                bar.inc(n);
            }
        });
    }

    fn end(&self) {
        self.with(|current| {
            if let Some(bar) = current.take() {
                bar.finish_and_clear();
            }
        });
    }
}

/// A reporter that prints each phase and its duration when the phase ends.
pub(crate) struct PhasePrinter {
    inner: Box<dyn Progress>,
    current: Mutex<Option<Current>>,
}

/// The current phase.
struct Current {
    what: String,
    unit: String,
    n: u64,
    since: Instant,
}

impl PhasePrinter {
    /// Creates a reporter that also forwards the progress to `inner`.
    pub(crate) fn new(inner: Box<dyn Progress>) -> Self {
        Self { inner, current: Mutex::new(None) }
    }

    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn set(&self, what: &str, unit: &str) {
        let (what, unit) = (what.to_owned(), unit.to_owned());
        *self.current() = Some(Current { what, unit, n: 0, since: Instant::now() });
    }
}

impl Progress for PhasePrinter {
    fn begin(&self, what: &str, unit: &str, total: Option<u64>) {
        self.set(what, unit);
        self.inner.begin(what, unit, total);
    }

    fn wait(&self, what: &str) {
        self.set(what, "");
        self.inner.wait(what);
    }

    fn advance(&self, n: u64) {
        if let Some(current) = self.current().as_mut() {
            current.n += n;
        }
        self.inner.advance(n);
    }

    fn end(&self) {
        self.inner.end();
        if let Some(Current { what, unit, n, since }) = self.current().take() {
            let done = if n > 0 { format!("{n} {unit} ") } else { String::new() };
            let _ = writeln!(std::io::stderr(), "{what}: {done}in {}", took(since));
        }
    }
}

/// Formats the time since `since`: `12.3 ms`, `4.56 s`.
pub(crate) fn took(since: Instant) -> String {
    let elapsed = since.elapsed();
    if elapsed < Duration::from_secs(1) {
        format!("{:.1} ms", elapsed.as_secs_f64() * 1e3)
    } else {
        format!("{:.2} s", elapsed.as_secs_f64())
    }
}

/// A reporter that prints waits only, one line each: for a log, or for a program that runs this
/// one.
pub(crate) struct Lines;

impl Progress for Lines {
    fn begin(&self, _: &str, _: &str, _: Option<u64>) {}

    fn wait(&self, what: &str) {
        let _ = writeln!(std::io::stderr(), "{what}");
    }

    fn advance(&self, _: u64) {}

    fn end(&self) {}
}
