//! How alike two texts and two kinds are, and the differing lines between two texts.
//!
//! Pure functions. Texts are compared by pairs of neighbouring words, so that a renamed variable
//! costs two pairs and a moved line costs nothing.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;

use bstr::ByteSlice as _;
use gix::diff::blob::unified_diff::{ConsumeHunk, ContextSize, DiffLineKind, HunkHeader};
use gix::diff::blob::{Algorithm, InternedInput, UnifiedDiff, diff_with_slider_heuristics};

use crate::index::chunk::DeclarationKind;
use crate::search::graph::is_type;

/// Texts of fewer pairs of words are alike by chance.
pub(super) const FEW: u32 = 12;

/// The pairs of neighbouring words of a text, counted.
#[derive(Debug, Clone, Default)]
pub(super) struct Shingles {
    counts: HashMap<u64, u32>,
    n: u32,
}

impl Shingles {
    /// Counts the pairs of a text.
    pub(super) fn of(text: &str) -> Self {
        Self::without_name(text, "")
    }

    /// Counts the pairs of the text of a declaration. Its name counts as the same word as any other
    /// declaration's, so that a rename costs nothing.
    pub(super) fn without_name(text: &str, name: &str) -> Self {
        let mut shingles = Self::default();
        let mut last = 0u64;
        for word in words(text) {
            let hash = if word == name { 0 } else { hash(word) };
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

/// The kind that stands for all kinds that a declaration of this kind can become: a method becomes
/// a function, and a class becomes a struct.
pub(super) fn general_kind(kind: DeclarationKind) -> DeclarationKind {
    use DeclarationKind as Kind;
    match kind {
        Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro | Kind::Test => Kind::Function,
        kind if is_type(kind) => Kind::Type,
        Kind::Constant | Kind::Variable | Kind::Field | Kind::Variant => Kind::Variable,
        _ => Kind::Section,
    }
}

/// Runs of word characters, and each other character that is not blank.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
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

fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

/// Equal lines shown around a difference.
const CONTEXT: u32 = 3;

/// The difference of two texts as hunks of marked lines, as `diff -u` writes them. `lines` are the
/// numbers of their first lines.
pub(super) fn unified(old: &str, new: &str, lines: [u32; 2]) -> String {
    let input = InternedInput::new(old, new);
    let diff = diff_with_slider_heuristics(Algorithm::Histogram, &input);
    let hunks = Hunks { lines, out: String::new() };
    let written = UnifiedDiff::new(&diff, &input, hunks, ContextSize::symmetrical(CONTEXT)).consume();
    // Writing to a string does not fail.
    written.unwrap_or_default()
}

/// Writes hunks as text.
struct Hunks {
    /// The numbers of the first lines of both texts.
    lines: [u32; 2],
    out: String,
}

impl ConsumeHunk for Hunks {
    type Out = String;

    fn consume_hunk(&mut self, header: HunkHeader, lines: &[(DiffLineKind, &[u8])]) -> io::Result<()> {
        let [old, new] = self.lines;
        let from = (header.before_hunk_start.max(1) - 1).saturating_add(old);
        let to = (header.after_hunk_start.max(1) - 1).saturating_add(new);
        let _ =
            writeln!(self.out, "@@ -{from},{} +{to},{} @@", header.before_hunk_len, header.after_hunk_len);
        for (kind, line) in lines {
            self.out.push(kind.to_prefix());
            self.out.push_str(line.to_str_lossy().trim_end_matches(['\n', '\r']));
            self.out.push('\n');
        }
        Ok(())
    }

    fn finish(self) -> String {
        self.out
    }
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
        let [named, other] = [("a", "fn a(b: u32) { b + 1 }"), ("z", "fn z(b: u32) { b + 1 }")]
            .map(|(name, text)| Shingles::without_name(text, name));
        assert!((named.likeness(&other) - 1.0).abs() < 1e-9);
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
