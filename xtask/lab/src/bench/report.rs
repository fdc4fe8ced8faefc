//! The results of a benchmark, as a Markdown table for `doc/bench.md` and as JSON with every
//! measurement.
//!
//! Each row gives the minimum and the median. A target is met only if both meet it: on a busy
//! machine they disagree, and the row is called unsteady.

use serde_json::{Value, json};

use super::machine::Machine;

/// The unit of a row's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Milliseconds,
    /// Millions of bytes.
    Megabytes,
}

/// The value of a row that its target bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetValue {
    /// Ours divided by the comparison.
    Ratio,
    /// Ours minus the comparison, run by run.
    Difference,
    /// Ours alone.
    Itself,
}

/// One measured quantity, usually with a comparison.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    /// Our numbers, one per run.
    pub(super) ours: Vec<f64>,
    pub(super) beside_name: &'static str,
    /// The comparison's numbers, one per run; empty if there is no comparison.
    pub(super) beside: Vec<f64>,
    pub(super) unit: Unit,
    pub(super) judged: TargetValue,
    /// The largest value that meets the target.
    pub(super) target: Option<f64>,
    pub(super) note: String,
}

/// The rows of one repository.
pub(super) struct RepositoryRows {
    pub(super) repository: String,
    pub(super) commit: String,
    pub(super) n_files: usize,
    pub(super) n_parsed: usize,
    pub(super) parsed_bytes: usize,
    pub(super) rows: Vec<Row>,
}

/// Returns the middle number, or the mean of the two in the middle; 0 if there are none.
pub(super) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(middle.wrapping_sub(1)), sorted.get(middle)) {
        (0, Some(below), Some(above)) => (below + above) / 2.0,
        (_, _, Some(middle)) => *middle,
        _ => 0.0,
    }
}

/// Returns the smallest number; 0 if there are none.
pub(super) fn min(numbers: &[f64]) -> f64 {
    numbers.iter().copied().min_by(f64::total_cmp).unwrap_or_default()
}

/// Converts bytes to millions of bytes.
pub(super) fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

impl Row {
    /// Returns the judged value, of the minima and of the medians. `None` for a ratio to nothing.
    fn value(&self) -> Option<(f64, f64)> {
        match self.judged {
            TargetValue::Itself => Some((min(&self.ours), median(&self.ours))),
            TargetValue::Ratio if min(&self.beside) > 0.0 => {
                Some((min(&self.ours) / min(&self.beside), median(&self.ours) / median(&self.beside)))
            }
            TargetValue::Ratio => None,
            TargetValue::Difference => {
                let each: Vec<f64> = self.ours.iter().zip(&self.beside).map(|(a, b)| a - b).collect();
                Some((min(&self.ours) - min(&self.beside), median(&each)))
            }
        }
    }

    /// Returns whether the target is met; "unsteady" if the minima and the medians disagree.
    fn verdict(&self) -> &'static str {
        match (self.target, self.value()) {
            (Some(target), Some((of_min, of_median))) => match (of_min <= target, of_median <= target) {
                (true, true) => "met",
                (false, false) => "**missed**",
                _ => "unsteady",
            },
            _ => "",
        }
    }

    fn cells(&self) -> [String; 6] {
        let pair = |numbers: &[f64]| match numbers {
            [] => String::new(),
            [one] => self.amount(*one),
            more => format!("{} / {}", self.amount(min(more)), self.amount(median(more))),
        };
        let is_ratio = self.judged == TargetValue::Ratio;
        let one = |number: f64| if is_ratio { format!("{number:.2} ×") } else { self.amount(number) };
        let value = self.value().map_or_else(String::new, |(of_min, of_median)| {
            if self.ours.len() == 1 { one(of_min) } else { format!("{} / {}", one(of_min), one(of_median)) }
        });
        let beside = pair(&self.beside);
        let space = if beside.is_empty() { "" } else { ": " };
        let ours = pair(&self.ours);
        [
            self.name.clone(),
            if self.note.is_empty() { ours } else { format!("{ours} ({})", self.note) },
            if beside.is_empty() { beside } else { format!("{}{space}{beside}", self.beside_name) },
            value,
            self.target.map_or_else(String::new, |target| format!("≤ {}", one(target))),
            self.verdict().to_owned(),
        ]
    }

    fn amount(&self, number: f64) -> String {
        match self.unit {
            Unit::Megabytes => format!("{number:.1} MB"),
            Unit::Milliseconds => duration(number),
        }
    }

    fn json(&self) -> Value {
        let value = self.value();
        json!({
            "row": self.name,
            "note": self.note,
            "unit": match self.unit { Unit::Milliseconds => "ms", Unit::Megabytes => "MB" },
            "ours": self.ours,
            "baseline_what": self.beside_name,
            "baseline": self.beside,
            "judged": match self.judged {
                TargetValue::Ratio => "ratio",
                TargetValue::Difference => "difference",
                TargetValue::Itself => "itself",
            },
            "of_min": value.map(|(of_min, _)| of_min),
            "of_median": value.map(|(_, of_median)| of_median),
            "target": self.target,
            "verdict": self.verdict().trim_matches('*'),
        })
    }
}

impl RepositoryRows {
    /// Returns a heading and a table in Markdown.
    pub(super) fn text(&self) -> String {
        let mut lines: Vec<[String; 6]> = vec![
            ["", "ours, min / median", "baseline, min / median", "value, min / median", "target", ""]
                .map(str::to_owned),
        ];
        lines.extend(self.rows.iter().map(Row::cells));
        format!(
            "\n### {}@{:.10}\n\n{} files; {} of them parsed, {:.1} MB.\n\n{}",
            self.repository,
            self.commit,
            self.n_files,
            self.n_parsed,
            megabytes(self.parsed_bytes),
            table(&lines)
        )
    }
}

/// Returns a Markdown table of lines, the first of which is the head. All have as many cells.
pub(super) fn table(lines: &[impl AsRef<[String]>]) -> String {
    let n_columns = lines.first().map_or(0, |head| head.as_ref().len());
    let widths: Vec<usize> = (0..n_columns)
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.as_ref().get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        })
        .collect();
    let mut out = String::new();
    for (ord, line) in lines.iter().enumerate() {
        for (cell, &width) in line.as_ref().iter().zip(&widths) {
            out.push_str(&format!("| {cell:width$} "));
        }
        out.push_str("|\n");
        if ord == 0 {
            for width in &widths {
                out.push_str(&format!("|{:-<1$}", "", width + 2));
            }
            out.push_str("|\n");
        }
    }
    out
}

/// Formats a duration in milliseconds, a long one in seconds.
pub(super) fn duration(ms: f64) -> String {
    if ms.abs() >= 1000.0 { format!("{:.2} s", ms / 1000.0) } else { format!("{ms:.1} ms") }
}

/// Returns the whole report as JSON, with every measurement.
pub(super) fn json(machine: &Machine, measured: &[RepositoryRows]) -> Value {
    json!({
        "machine": machine,
        "repositories": measured.iter().map(|one| json!({
            "repository": one.repository,
            "commit": one.commit,
            "files": one.n_files,
            "parsed_files": one.n_parsed,
            "parsed_bytes": one.parsed_bytes,
            "rows": one.rows.iter().map(Row::json).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(judged: TargetValue, ours: &[f64], beside: &[f64], target: f64) -> Row {
        Row {
            name: "a".to_owned(),
            ours: ours.to_vec(),
            beside_name: "b",
            beside: beside.to_vec(),
            unit: Unit::Milliseconds,
            judged,
            target: Some(target),
            note: String::new(),
        }
    }

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0]), 3.0);
        assert_eq!(median(&[3.0, 1.0]), 2.0);
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
    }

    #[test]
    fn a_target_is_met_by_the_least_and_the_median() {
        let ratio = |ours: &[f64]| row(TargetValue::Ratio, ours, &[10.0, 10.0, 10.0], 2.0);
        assert_eq!(ratio(&[10.0, 20.0, 90.0]).verdict(), "met");
        assert_eq!(ratio(&[10.0, 21.0, 90.0]).verdict(), "unsteady");
        assert_eq!(ratio(&[21.0, 21.0, 90.0]).verdict(), "**missed**");
        assert_eq!(row(TargetValue::Ratio, &[1.0], &[], 2.0).verdict(), "");
        assert_eq!(row(TargetValue::Difference, &[14.0, 30.0], &[5.0, 19.0], 10.0).verdict(), "met");
        assert_eq!(row(TargetValue::Itself, &[14.0], &[], 10.0).verdict(), "**missed**");
    }

    #[test]
    fn tables_have_even_columns() {
        let lines = [vec!["a".to_owned(), "b".to_owned()], vec!["×××".to_owned(), String::new()]];
        assert_eq!(table(&lines), "| a   | b |\n|-----|---|\n| ××× |   |\n");
    }

    #[test]
    fn a_row_is_readable() {
        let cells = row(TargetValue::Ratio, &[1500.0, 1600.0], &[1000.0, 1000.0], 2.0).cells();
        assert_eq!(cells.join("|"), "a|1.50 s / 1.55 s|b: 1.00 s / 1.00 s|1.50 × / 1.55 ×|≤ 2.00 ×|met");
    }
}
