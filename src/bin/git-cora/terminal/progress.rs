//! Progress on standard error: a bar on a terminal, lines elsewhere.
//!
//! A bar would fill a log with control characters, so that without a terminal only waits are
//! reported.

use std::io::Write as _;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use git_cora::base::progress::Progress;
use git_cora::base::threads::lock;

/// A bar of the current phase with count, rate and remaining time. It appears after half a second:
/// shorter phases need no bar.
#[derive(Default)]
pub(crate) struct Bar {
    current: Mutex<Option<ProgressBar>>,
}

impl Bar {
    fn with(&self, f: impl FnOnce(&mut Option<ProgressBar>)) {
        f(&mut lock(&self.current));
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

/// How long a rate is measured before it says anything.
const SETTLED: Duration = Duration::from_secs(1);

/// Formats the rate; empty until it is known.
fn rate(n_done: u64, per_second: f64, elapsed: Duration) -> String {
    if n_done == 0 || elapsed < SETTLED || per_second < 0.5 {
        return String::new();
    }
    format!(", {per_second:.0}/s")
}

/// Formats the remaining time; empty until it is known, and at the end.
fn left(n_done: u64, n_left: u64, per_second: f64, elapsed: Duration) -> String {
    if n_done == 0 || n_left == 0 || elapsed < SETTLED || per_second <= 0.0 {
        return String::new();
    }
    // A whole second at least: there is work left. The cap keeps the conversion defined.
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    let seconds = (n_left as f64 / per_second).ceil().clamp(1.0, 1e9);
    format!(", {} left", HumanDuration(Duration::from_secs_f64(seconds)))
}

impl Progress for Bar {
    fn begin(&self, what: &str, unit: &str, total: Option<u64>) {
        let template = match total {
            Some(_) => format!("{what} {{bar:24}} {{pos}}/{{len}} {unit}{{rate}}{{left}}"),
            None => format!("{what} {{spinner}} {{pos}} {unit}{{rate}}"),
        };
        let style = style(&template)
            .with_key("rate", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{}", rate(state.pos(), state.per_sec(), state.elapsed()));
            })
            .with_key("left", |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let rest = state.len().unwrap_or_default().saturating_sub(state.pos());
                let _ = write!(out, "{}", left(state.pos(), rest, state.per_sec(), state.elapsed()));
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
        lock(&self.current)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_estimated_before_it_is_measured() {
        let (early, late) = (Duration::from_millis(900), Duration::from_secs(2));
        for (n_done, n_left, per_second, elapsed, shown) in [
            (0, 10, 0.0, Duration::ZERO, ""),
            (0, 10, 0.0, late, ""),
            (5, 10, 50.0, early, ""),
            (5, 10, 2.5, late, ", 2/s, 4 seconds left"),
            (5, 1000, 2.0, late, ", 2/s, 8 minutes left"),
            (5, 1, 1000.0, late, ", 1000/s, 1 second left"),
            (5, 0, 10.0, late, ", 10/s"),
        ] {
            let text = rate(n_done, per_second, elapsed) + &left(n_done, n_left, per_second, elapsed);
            assert_eq!(text, shown);
        }
    }
}
