//! The comparison of builds, as a Markdown table and as JSON with every measurement.
//!
//! A step has a row for each build. A row gives the minimum and the median of the rounds, and the
//! ratio to the first build: of the minima, and the median of the ratios of single rounds. Within a
//! round, the machine treats all builds about equally.

use std::path::Path;
use std::process::Command;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::machine::Machine;
use super::super::meter::Usage;
use super::super::report::{duration, median, min, table};
use super::Step;

/// A build, as the head of the report describes it.
#[derive(Debug, Serialize)]
pub(super) struct Build {
    path: String,
    version: String,
}

impl Build {
    pub(super) fn describe(path: &Path) -> Self {
        let output = Command::new(path).arg("--version").output();
        let version = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
        Self {
            path: path.display().to_string(),
            version: version.unwrap_or_else(|_| "unknown version".to_owned()),
        }
    }
}

/// Sizes of what a build wrote, in MB.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub(super) struct Size {
    /// The packed index and the indexes of its packs.
    pub(super) pack_mb: f64,
    /// The segment in the cache.
    pub(super) segment_mb: f64,
}

/// The measurements on one repository.
pub(super) struct Repository {
    pub(super) name: String,
    pub(super) commit: String,
    pub(super) steps: Vec<Step>,
    /// The sizes of each build.
    pub(super) sizes: Vec<Size>,
}

/// A ratio to the first build: of the minima, and the median of the rounds' ratios.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ratio {
    of_minima: f64,
    of_medians: f64,
}

impl Ratio {
    /// Returns `None` if one of the two has no measurements, and for a ratio to nothing.
    fn new(numbers: &[f64], first: &[f64]) -> Option<Self> {
        let is_empty = numbers.is_empty() || first.is_empty();
        let each: Vec<f64> = numbers.iter().zip(first).map(|(a, b)| a / b).collect();
        let is_something = first.iter().all(|number| *number > 0.0);
        (!is_empty && is_something)
            .then(|| Self { of_minima: min(numbers) / min(first), of_medians: median(&each) })
    }

    fn text(self) -> String {
        format!("{:.2} × / {:.2} ×", self.of_minima, self.of_medians)
    }
}

/// Picks a figure of a usage; `None` where the system does not report it.
type Figure = fn(&Usage) -> Option<f64>;

/// The figures of a usage, each with its name in JSON.
const FIGURES: [(&str, Figure); 3] = [
    ("wall_ms", |usage| Some(usage.wall_ms)),
    ("cpu_ms", |usage| usage.cpu_ms),
    ("peak_mb", |usage| usage.peak_mb),
];

impl Step {
    /// Returns one figure of a build in each round.
    fn numbers(&self, build: usize, figure: Figure) -> Vec<f64> {
        self.usages.get(build).into_iter().flatten().filter_map(figure).collect()
    }

    fn ratio(&self, build: usize, figure: Figure) -> Option<Ratio> {
        Ratio::new(&self.numbers(build, figure), &self.numbers(0, figure))
    }

    fn cells(&self, build: usize) -> Vec<String> {
        let [(_, wall), (_, cpu), (_, peak)] = FIGURES;
        let time = |figure| match self.numbers(build, figure).as_slice() {
            [] => "–".to_owned(),
            some => format!("{} / {}", duration(min(some)), duration(median(some))),
        };
        let ratio = |figure| match (build, self.ratio(build, figure)) {
            (1.., Some(ratio)) => ratio.text(),
            _ => String::new(),
        };
        let memory = match self.numbers(build, peak).as_slice() {
            [] => "–".to_owned(),
            some => format!("{:.1} MB", median(some)),
        };
        vec![
            if build == 0 { self.name.clone() } else { String::new() },
            label(build),
            time(cpu),
            ratio(cpu),
            time(wall),
            ratio(wall),
            memory,
            match (build, self.ratio(build, peak)) {
                (1.., Some(ratio)) => format!("{:.2} ×", ratio.of_medians),
                _ => String::new(),
            },
        ]
    }

    fn json(&self) -> Value {
        let builds = (0..self.usages.len()).map(|build| {
            let figures = FIGURES.map(|(name, figure)| {
                let ratio = self.ratio(build, figure);
                let value = json!({
                    "rounds": self.numbers(build, figure),
                    "ratio_of_minima": ratio.map(|ratio| ratio.of_minima),
                    "median_of_ratios": ratio.map(|ratio| ratio.of_medians),
                });
                (name.to_owned(), value)
            });
            Value::Object(figures.into_iter().collect())
        });
        json!({ "step": self.name, "builds": builds.collect::<Vec<_>>() })
    }
}

impl Repository {
    /// Returns a heading and a table in Markdown.
    pub(super) fn text(&self) -> String {
        let head =
            ["", "build", "CPU, min / median", "ratio", "time, min / median", "ratio", "memory", "ratio"];
        let n_builds = self.sizes.len();
        let mut lines: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
        lines.extend(self.steps.iter().flat_map(|step| (0..n_builds).map(|build| step.cells(build))));
        let sizes = self.sizes.iter().enumerate().map(|(build, size)| {
            format!(
                "{}: packed index {:.1} MB, segment {:.1} MB",
                label(build),
                size.pack_mb,
                size.segment_mb
            )
        });
        let sizes: Vec<String> = sizes.collect();
        format!("\n### {}@{:.10}\n\n{}\n{}.\n", self.name, self.commit, table(&lines), sizes.join("; "))
    }
}

/// Returns the letter that stands for a build: `A` for the first.
pub(super) fn label(build: usize) -> String {
    ('A'..='Z').nth(build).map_or_else(|| format!("build {}", build + 1), |letter| letter.to_string())
}

/// Returns a line for each build.
pub(super) fn legend(builds: &[Build]) -> String {
    let lines = builds
        .iter()
        .enumerate()
        .map(|(ord, build)| format!("- {}: {}, `{}`", label(ord), build.version, build.path));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the whole report as JSON, with every measurement.
pub(super) fn json(machine: &Machine, builds: &[Build], measured: &[Repository]) -> Value {
    json!({
        "machine": machine,
        "builds": builds,
        "repositories": measured.iter().map(|one| json!({
            "repository": one.name,
            "commit": one.commit,
            "steps": one.steps.iter().map(Step::json).collect::<Vec<_>>(),
            "sizes": one.sizes,
        })).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step() -> Step {
        let usage = |wall_ms, cpu_ms| Usage { wall_ms, cpu_ms: Some(cpu_ms), peak_mb: Some(wall_ms / 10.0) };
        Step {
            name: "a".to_owned(),
            usages: vec![
                vec![usage(100.0, 10.0), usage(400.0, 20.0), usage(300.0, 40.0)],
                vec![usage(200.0, 11.0), usage(400.0, 22.0), usage(600.0, 20.0)],
            ],
            has_failed: vec![false; 2],
        }
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        // The medians alone would say 20 / 20: the rounds say that the second build is slower.
        let ratio = step().ratio(1, FIGURES[1].1);
        assert_eq!(ratio, Some(Ratio { of_minima: 1.1, of_medians: 1.1 }));
        assert_eq!(Ratio::new(&[], &[1.0]), None);
        assert_eq!(Ratio::new(&[1.0], &[]), None);
        assert_eq!(Ratio::new(&[1.0], &[0.0]), None);
    }

    #[test]
    fn a_row_compares_with_the_first_build() {
        let cells = |step: &Step, build| step.cells(build).join("|");
        let step = step();
        assert_eq!(cells(&step, 0), "a|A|10.0 ms / 20.0 ms||100.0 ms / 300.0 ms||30.0 MB|");
        assert_eq!(
            cells(&step, 1),
            "|B|11.0 ms / 20.0 ms|1.10 × / 1.10 ×|200.0 ms / 400.0 ms|2.00 × / 2.00 ×|40.0 MB|2.00 ×"
        );
        let failed = Step { usages: vec![step.usages[0].clone(), Vec::new()], ..step };
        assert_eq!(cells(&failed, 1), "|B|–||–||–|");
    }

    #[test]
    fn builds_are_called_by_letters() {
        assert_eq!([0, 1, 25, 26].map(label), ["A", "B", "Z", "build 27"]);
    }
}
