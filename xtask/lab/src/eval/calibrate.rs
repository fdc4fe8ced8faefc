//! Learns the relevance of hits from sets with known answers, and measures its calibration.
//!
//! Hits with what is known of them, right or wrong → a logistic model for each kind of query, and
//! how often the hits of each relevance are right. Each relevance that is measured comes from a
//! model that was learned without the hit's repository. The coefficients go into
//! `src/search/query/rank/relevance.rs`.

use git_cora::search::query::rank::relevance::{Fact, Facts, Model, N_FACTS, probability};
use git_cora::search::query::{Hit, QueryKind};

/// Strength of the pull of coefficients towards 0 (L2), other than the intercept's.
const PULL: f64 = 3.0;

/// Newton steps; they converge within ten.
const STEPS: usize = 15;

/// Number of coefficients.
const N: usize = N_FACTS + 1;

/// A hit with what is known of it.
#[derive(Debug, Clone)]
struct Sample {
    repository: String,
    kind: QueryKind,
    is_first: bool,
    is_right: bool,
    /// Whether the question was asked of another repository than its own.
    is_foreign: bool,
    facts: Facts,
}

/// The hits of all sets.
#[derive(Debug, Default)]
pub(super) struct Samples(Vec<Sample>);

impl Samples {
    /// Adds the hits of a question. `is_right` is `None` if it was asked of another repository than
    /// its own, where all are wrong.
    pub(super) fn add(
        &mut self,
        repository: &str,
        kind: QueryKind,
        hits: &[Hit],
        is_right: Option<&dyn Fn(&Hit) -> bool>,
    ) {
        self.0.extend(hits.iter().take(10).enumerate().map(|(rank, hit)| Sample {
            repository: repository.to_owned(),
            kind,
            is_first: rank == 0,
            is_right: is_right.is_some_and(|is_right| is_right(hit)),
            is_foreign: is_right.is_none(),
            facts: hit.facts,
        }));
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Prints the calibration and the coefficients by kind of query.
    pub(super) fn print(&self) {
        for kind in [QueryKind::Identifier, QueryKind::NaturalLanguage, QueryKind::LongText] {
            let of_kind: Vec<&Sample> = self.0.iter().filter(|one| one.kind == kind).collect();
            if !of_kind.is_empty() {
                print(kind, &of_kind);
            }
        }
    }
}

fn print(kind: QueryKind, samples: &[&Sample]) {
    let mut repositories: Vec<&str> = samples.iter().map(|one| one.repository.as_str()).collect();
    repositories.sort_unstable();
    repositories.dedup();
    let mut judged: Vec<(f64, &Sample)> = Vec::new();
    for repository in &repositories {
        let (here, others): (Vec<&Sample>, Vec<&Sample>) =
            samples.iter().partition(|one| one.repository == *repository);
        let model = learn(&others);
        judged.extend(here.into_iter().map(|one| (probability(&model, &one.facts), one)));
    }
    let mut error = 0.0;
    println!("{kind:?}: {} hits of {} repositories", samples.len(), repositories.len());
    println!("{:>10} {:>7} {:>10} {:>10}", "relevance", "hits", "mean", "right");
    for bin in 0..10 {
        let low = f64::from(bin) / 10.0;
        let of_bin: Vec<_> =
            judged.iter().filter(|one| (low..low + 0.1).contains(&one.0.min(0.999_999))).collect();
        if of_bin.is_empty() {
            continue;
        }
        let n = of_bin.len() as f64;
        let mean = of_bin.iter().map(|one| one.0).sum::<f64>() / n;
        let right = of_bin.iter().filter(|one| one.1.is_right).count() as f64 / n;
        error += (mean - right).abs() * n / samples.len() as f64;
        println!("{low:>10.1} {n:>7} {mean:>10.3} {right:>10.3}");
    }
    println!("expected calibration error {error:.4}");
    for limit in [0.1, 0.15, 0.2, 0.25, 0.3] {
        let below = |is_foreign: bool| {
            let first: Vec<f64> = judged
                .iter()
                .filter(|one| one.1.is_first && one.1.is_foreign == is_foreign)
                .map(|one| one.0)
                .collect();
            100.0 * first.iter().filter(|one| **one < limit).count() as f64 / first.len().max(1) as f64
        };
        println!(
            "first hit below {limit}: {:.1} % in the own repository, {:.1} % in others",
            below(false),
            below(true)
        );
    }
    let model = learn(samples);
    let [intercept, coefficients @ ..] = model;
    println!("intercept {intercept:.3}");
    for (fact, coefficient) in Fact::ALL.iter().zip(coefficients) {
        println!("{} {coefficient:.3}", fact.name());
    }
    let numbers: Vec<String> = model.iter().map(|one| format!("{one:.3}")).collect();
    println!("[{}]", numbers.join(", "));
}

/// Fits a logistic regression by Newton's method.
fn learn(samples: &[&Sample]) -> Model {
    let mut model = [0.0; N];
    for _ in 0..STEPS {
        let mut gradient = [0.0; N];
        let mut hessian = [[0.0; N]; N];
        for (at, (slope, row)) in gradient.iter_mut().zip(&mut hessian).enumerate() {
            let pull = if at == 0 { 1e-6 } else { PULL };
            *slope = -pull * model[at];
            row[at] = pull;
        }
        for one in samples {
            let p = probability(&model, &one.facts);
            let (off, weight) = (f64::from(u8::from(one.is_right)) - p, p * (1.0 - p));
            let mut x = [1.0; N];
            x[1..].copy_from_slice(&one.facts);
            for at in 0..N {
                gradient[at] += off * x[at];
                for other in 0..N {
                    hessian[at][other] += weight * x[at] * x[other];
                }
            }
        }
        let step = solved(hessian, gradient);
        model.iter_mut().zip(step).for_each(|(one, by)| *one += by);
    }
    model
}

/// Solves a system of linear equations by elimination; its matrix is positive definite.
fn solved(mut matrix: [[f64; N]; N], mut of: [f64; N]) -> [f64; N] {
    for at in 0..N {
        for row in at + 1..N {
            let above = matrix[at];
            let factor = matrix[row][at] / above[at];
            matrix[row].iter_mut().zip(above).for_each(|(value, above)| *value -= factor * above);
            of[row] -= factor * of[at];
        }
    }
    let mut x = [0.0; N];
    for at in (0..N).rev() {
        let known: f64 = (at + 1..N).map(|column| matrix[at][column] * x[column]).sum();
        x[at] = (of[at] - known) / matrix[at][at];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_that_tells_right_from_wrong_is_learned() {
        let sample = |fact: f64, is_right: bool| Sample {
            repository: String::new(),
            kind: QueryKind::NaturalLanguage,
            is_first: true,
            is_right,
            is_foreign: false,
            facts: [[fact].as_slice(), &[0.0; N_FACTS - 1]].concat().try_into().unwrap(),
        };
        // Of those with the fact three in four are right, of those without it one in four.
        let samples: Vec<Sample> = (0..4000)
            .map(|n| {
                sample(f64::from(u8::from(n % 2 == 0)), if n % 2 == 0 { n % 8 != 0 } else { n % 8 == 1 })
            })
            .collect();
        let model = learn(&samples.iter().collect::<Vec<_>>());
        let with = probability(&model, &samples[0].facts);
        let without = probability(&model, &samples[1].facts);
        assert!((with - 0.75).abs() < 0.01 && (without - 0.25).abs() < 0.01, "{with} {without}");
    }
}
