//! How alike two texts are, from 0 to 1, and the differing lines between them.
//!
//! Pure functions. Texts are compared by pairs of neighbouring words, so that a renamed variable
//! costs two pairs and a moved line costs nothing.

use std::collections::HashMap;
use std::fmt::Write as _;

/// The pairs of neighbouring words of a text, counted.
#[derive(Debug, Clone, Default)]
pub(super) struct Shingles {
    counts: HashMap<u64, u32>,
    n: u32,
}

impl Shingles {
    /// Counts the pairs of a text.
    pub(super) fn of(text: &str) -> Self {
        let mut shingles = Self::default();
        let mut last = 0u64;
        for word in words(text) {
            let hash = hash(word);
            let pair = last.rotate_left(21) ^ hash;
            last = hash;
            *shingles.counts.entry(pair).or_default() += 1;
            shingles.n += 1;
        }
        shingles
    }

    /// The number of pairs.
    pub(super) fn len(&self) -> u32 {
        self.n
    }

    fn shared(&self, other: &Self) -> u32 {
        let of = |(pair, n): (&u64, &u32)| other.counts.get(pair).map_or(0, |m| *n.min(m));
        self.counts.iter().map(of).sum()
    }

    /// The share of pairs that both have: 1 for equal texts, and for two empty ones.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let all = self.n + other.n;
        if all == 0 { 1.0 } else { 2.0 * f64::from(self.shared(other)) / f64::from(all) }
    }

    /// The share of the pairs of this text that the other one has too.
    pub(super) fn contained_in(&self, other: &Self) -> f64 {
        if self.n == 0 { 0.0 } else { f64::from(self.shared(other)) / f64::from(self.n) }
    }
}

/// Runs of word characters, and each other character that is not blank.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end =
            if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// FNV-1a.
fn hash(word: &str) -> u64 {
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Pairs of lines that the comparison looks at; above it, the differing middle is replaced as a
/// whole.
const MOST_PAIRS: usize = 4_000_000;

/// Equal lines shown around a difference.
const CONTEXT: usize = 3;

/// One line of a difference: its mark and its text.
type MarkedLine<'t> = (char, &'t str);

/// The difference of two texts as hunks of marked lines, as `diff -u` writes them. `lines` are the
/// numbers of their first lines.
pub(super) fn unified(old: &str, new: &str, lines: [u32; 2]) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let marked = compare(&a, &b);
    let shown: Vec<bool> = (0..marked.len())
        .map(|at| {
            let near = marked.get(at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(marked.len()));
            near.unwrap_or_default().iter().any(|(mark, _)| *mark != ' ')
        })
        .collect();
    let (mut from, mut to) = (lines.first().copied().unwrap_or(1), lines.last().copied().unwrap_or(1));
    let mut out = String::new();
    let mut at = 0;
    while at < marked.len() {
        if shown.get(at) != Some(&true) {
            (from, to) = (from + 1, to + 1);
            at += 1;
            continue;
        }
        let end = (at..marked.len()).find(|one| shown.get(*one) != Some(&true)).unwrap_or(marked.len());
        let hunk = marked.get(at..end).unwrap_or_default();
        let count = |without: char| hunk.iter().filter(|(mark, _)| *mark != without).count();
        let (n_old, n_new) = (count('+'), count('-'));
        let _ = writeln!(out, "@@ -{from},{n_old} +{to},{n_new} @@");
        for (mark, line) in hunk {
            out.push(*mark);
            out.push_str(line);
            out.push('\n');
        }
        from += u32::try_from(n_old).unwrap_or(u32::MAX);
        to += u32::try_from(n_new).unwrap_or(u32::MAX);
        at = end;
    }
    out
}

/// The lines of two texts with their marks, by a longest common subsequence.
fn compare<'t>(a: &[&'t str], b: &[&'t str]) -> Vec<MarkedLine<'t>> {
    let n_head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (head, a) = a.split_at(n_head);
    let b = b.get(n_head..).unwrap_or_default();
    let n_tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, tail) = a.split_at(a.len() - n_tail);
    let b = b.get(..b.len() - n_tail).unwrap_or_default();
    let mut out: Vec<MarkedLine<'t>> = head.iter().map(|line| (' ', *line)).collect();
    if a.len().saturating_mul(b.len()) > MOST_PAIRS {
        out.extend(a.iter().map(|line| ('-', *line)));
        out.extend(b.iter().map(|line| ('+', *line)));
    } else {
        // Lengths of common subsequences of the rests, row by row.
        let width = b.len() + 1;
        let mut lengths = vec![0u32; (a.len() + 1) * width];
        let get = |lengths: &[u32], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or(0);
        for (i, x) in a.iter().enumerate().rev() {
            for (j, y) in b.iter().enumerate().rev() {
                let length = if x == y {
                    get(&lengths, i + 1, j + 1) + 1
                } else {
                    get(&lengths, i + 1, j).max(get(&lengths, i, j + 1))
                };
                if let Some(slot) = lengths.get_mut(i * width + j) {
                    *slot = length;
                }
            }
        }
        let (mut i, mut j) = (0, 0);
        loop {
            match (a.get(i), b.get(j)) {
                (Some(x), Some(y)) if x == y => {
                    out.push((' ', x));
                    (i, j) = (i + 1, j + 1);
                }
                (Some(x), y) if y.is_none() || get(&lengths, i + 1, j) >= get(&lengths, i, j + 1) => {
                    out.push(('-', x));
                    i += 1;
                }
                (_, Some(y)) => {
                    out.push(('+', y));
                    j += 1;
                }
                (Some(_) | None, None) => break,
            }
        }
    }
    out.extend(tail.iter().map(|line| (' ', *line)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_wholly_alike() {
        let one = Shingles::of("fn a(b: u32) { b + 1 }");
        assert!((one.likeness(&Shingles::of("fn a(b: u32)\n{\n  b + 1\n}")) - 1.0).abs() < 1e-9);
        let renamed = one.likeness(&Shingles::of("fn z(b: u32) { b + 1 }"));
        assert!((0.7..1.0).contains(&renamed), "{renamed}");
        assert!(one.likeness(&Shingles::of("struct Other;")) < 0.2);
        assert!(one.contained_in(&Shingles::of("x; fn a(b: u32) { b + 1 } y;")) > 0.9);
    }

    #[test]
    fn hunks_are_those_of_diff() {
        let old = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        let new = "a\nb\nX\nd\ne\nf\ng\nh\ni\nj\n";
        assert_eq!(
            unified(old, new, [10, 20]),
            "@@ -10,9 +20,10 @@\n a\n b\n-c\n+X\n d\n e\n f\n g\n h\n i\n+j\n"
        );
        assert_eq!(unified("a\n", "a\n", [1, 1]), "");
        assert_eq!(unified("", "a\n", [1, 1]), "@@ -1,0 +1,1 @@\n+a\n");
    }
}
