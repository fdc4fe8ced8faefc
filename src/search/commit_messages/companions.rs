//! Files that change together: some files → the others that their commits usually changed as well.
//!
//! Owns [`Companion`]. Only commits with one parent and at most [`MOST_FILES`] files count: a merge
//! repeats what its parents did, and a commit of many files says little about each. Numbers are
//! exact for the commits whose messages were gathered.
//!
//! [`MOST_FILES`]: super::MOST_FILES

use std::collections::{BTreeMap, HashSet};

use bstr::{BString, ByteSlice};

use super::CommitMessages;

/// Fewer common commits than this are chance.
const LEAST_TOGETHER: usize = 3;

/// A file that usually changed together with another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    /// The file.
    pub path: BString,
    /// The other file: of those asked for, the one that it follows most often.
    pub with: BString,
    /// Number of commits that changed both.
    pub together: usize,
    /// Number of commits that changed the other file.
    pub of: usize,
}

impl Companion {
    /// The share of the other file's commits that changed this one too.
    fn share(&self) -> f64 {
        let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        count(self.together) / count(self.of.max(1))
    }
}

impl CommitMessages {
    /// Returns the number of commits whose files are counted.
    pub fn n_counted(&self) -> usize {
        (0..self.n_commits()).filter(|commit| self.changed.get(*commit).len() > 0).count()
    }

    /// Returns the files that at least half of some file's commits changed as well, and that are
    /// not among `paths` themselves. Those with the largest share come first.
    pub fn companions(&self, paths: &HashSet<BString>) -> Vec<Companion> {
        let asked: HashSet<u32> = (0u32..)
            .zip(self.paths.iter())
            .filter(|(_, path)| paths.contains(*path))
            .map(|one| one.0)
            .collect();
        let mut totals: BTreeMap<u32, usize> = BTreeMap::new();
        let mut common: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for commit in 0..self.n_commits() {
            let files: Vec<u32> = self.changed.get(commit).collect();
            for &file in files.iter().filter(|file| asked.contains(file)) {
                *totals.entry(file).or_default() += 1;
                for &other in files.iter().filter(|other| !asked.contains(other)) {
                    *common.entry((other, file)).or_default() += 1;
                }
            }
        }
        let mut best: BTreeMap<u32, Companion> = BTreeMap::new();
        for ((other, file), together) in common {
            let of = totals.get(&file).copied().unwrap_or_default();
            if together < LEAST_TOGETHER || together * 2 < of {
                continue;
            }
            let path = |ord: u32| self.paths.get(ord as usize).map(|path| path.as_bstr().to_owned());
            let (Some(path), Some(with)) = (path(other), path(file)) else { continue };
            let one = Companion { path, with, together, of };
            let known = best.entry(other).or_insert_with(|| one.clone());
            if (one.share(), one.together) > (known.share(), known.together) {
                *known = one;
            }
        }
        let mut found: Vec<Companion> = best.into_values().collect();
        found.sort_by(|a, b| {
            b.share().total_cmp(&a.share()).then(b.together.cmp(&a.together)).then(a.path.cmp(&b.path))
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::base::id::ObjectId;
    use crate::search::commit_messages::Row;

    #[test]
    fn files_that_usually_change_together_are_counted_exactly() {
        let commits =
            ["ab", "ab", "abc", "a", "bc", "", "d", "ad", "ef", "ef", "ef", "e", "e", "e", "eg", "eg", "eg"];
        let rows: Vec<Row<'_>> = (1u8..)
            .zip(commits)
            .map(|(id, files)| Row {
                id: ObjectId::from_bytes(&[id; 20]).unwrap(),
                terms: Vec::new(),
                paths: files.chars().map(|c| Cow::Owned(vec![c as u8])).collect(),
            })
            .collect();
        let messages = CommitMessages::of(&rows, 20);
        assert_eq!(messages.n_counted(), 16);
        let of = |names: &[&str]| {
            let names = names.iter().map(|name| BString::from(*name)).collect();
            messages.companions(&names)
        };
        let one = |path: &str, with: &str, together, of| Companion {
            path: path.into(),
            with: with.into(),
            together,
            of,
        };
        // `d` came with `a` once, which is chance; `c` with `b` in half of its commits, but twice.
        assert_eq!(of(&["a"]), [one("b", "a", 3, 5)]);
        assert_eq!(of(&["b"]), [one("a", "b", 3, 4)]);
        assert_eq!(of(&["a", "b"]), []);
        assert_eq!(of(&["x"]), []);
        // `e` came in all commits of `f` and `g`, each of which came in a third of those of `e`.
        assert_eq!(of(&["e"]), []);
        assert_eq!(of(&["f"]), [one("e", "f", 3, 3)]);
    }
}
