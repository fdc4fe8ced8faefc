//! Progress bars on a terminal.

use std::io::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use git_cora::progress::Progress;

/// Draws the current phase as a bar with count, rate and remaining time. Nothing appears in the first half
/// second: what is done by then needs no bar.
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

/// Says only what is waited for, a line each: for a log, or a program that runs this one.
pub(crate) struct Lines;

impl Progress for Lines {
    fn begin(&self, _: &str, _: &str, _: Option<u64>) {}

    fn wait(&self, what: &str) {
        let _ = writeln!(std::io::stderr(), "{what}");
    }

    fn advance(&self, _: u64) {}

    fn end(&self) {}
}
