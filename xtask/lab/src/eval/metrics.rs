//! The metrics of ranked retrieval, and means by group.
//!
//! Pure functions over spans: ranks come in, NDCG@10 and means go out. No search and no input or
//! output here.

use std::collections::BTreeMap;

/// A file, or lines of it, that was found or is expected; lines are 1-based and inclusive.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Span {
    pub(crate) file: String,
    pub(crate) lines: Option<(u32, u32)>,
}

/// Returns NDCG@10 with binary gains (Järvelin & Kekäläinen 2002).
///
/// A target has the rank of the first entry of its file that overlaps it. Several targets that are
/// first met by the same entry count once.
pub(crate) fn ndcg10(ranked: &[Span], targets: &[Span]) -> f64 {
    let gain = |rank: usize| 1.0 / ((rank + 2) as f64).log2();
    let mut ranks: Vec<usize> = targets.iter().filter_map(|target| rank(ranked, target)).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let ideal: f64 = (0..targets.len().min(10)).map(gain).sum();
    let reached: f64 = ranks.into_iter().map(gain).sum();
    if ideal > 0.0 { reached / ideal } else { 0.0 }
}

/// Returns the rank, from 0, of the first of ten entries that meets a target.
pub(crate) fn rank(ranked: &[Span], target: &Span) -> Option<usize> {
    ranked.iter().take(10).position(|entry| {
        entry.file == target.file
            && match (entry.lines, target.lines) {
                (Some((start, end)), Some((first, last))) => !(end < first || start > last),
                _ => true,
            }
    })
}

/// Sums and counts by group, from which means are taken.
#[derive(Debug, Default, Clone)]
pub(crate) struct Groups(BTreeMap<String, (f64, usize)>);

impl Groups {
    pub(crate) fn add(&mut self, group: &str, value: f64) {
        let entry = self.0.entry(group.to_owned()).or_default();
        entry.0 += value;
        entry.1 += 1;
    }

    /// Returns the mean of each group, sorted by name.
    pub(crate) fn means(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, (sum, n))| (name.as_str(), sum / *n as f64))
    }

    /// Returns the mean of the groups' means.
    pub(crate) fn mean(&self) -> f64 {
        self.means().map(|(_, mean)| mean).sum::<f64>() / self.0.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(file: &str, lines: Option<(u32, u32)>) -> Span {
        Span { file: file.to_owned(), lines }
    }

    #[test]
    fn a_target_has_the_rank_of_what_first_meets_it() {
        let ranked = [span("b", Some((1, 10))), span("a", Some((1, 10))), span("a", Some((11, 20)))];
        assert!((ndcg10(&ranked, &[span("b", None)]) - 1.0).abs() < 1e-12);
        assert!((ndcg10(&ranked, &[span("a", Some((12, 13)))]) - 0.5).abs() < 1e-12);
        assert!(ndcg10(&ranked, &[span("a", Some((30, 40)))]).abs() < 1e-12);
        // Two targets in one entry: one gain, two ideals.
        let two = [span("b", Some((1, 2))), span("b", Some((3, 4)))];
        assert!((ndcg10(&ranked, &two) - 1.0 / (1.0 + 1.0 / 3f64.log2())).abs() < 1e-12);
    }

    #[test]
    fn a_mean_of_groups_is_no_mean_of_all() {
        let mut groups = Groups::default();
        for (group, value) in [("a", 1.0), ("a", 1.0), ("a", 1.0), ("b", 0.0)] {
            groups.add(group, value);
        }
        assert!((groups.mean() - 0.5).abs() < 1e-12);
    }
}
