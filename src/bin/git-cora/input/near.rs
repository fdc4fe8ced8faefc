//! Suggestions for a name that does not exist: a misspelled word → existing names with similar
//! spelling.
//!
//! Edits are counted, without an index or a model: the candidates are at most all names of a
//! repository, and this only runs after a failure.

use std::collections::BTreeSet;

use bstr::BStr;

use git_cora::answer::view::visible;
use git_cora::base::text::path::parent;
use git_cora::base::text::quoted;

/// Largest number of names suggested.
const MOST: usize = 3;

/// Returns the names nearest to `wanted`, nearest first, each once; none if all are spelled very
/// differently.
pub(crate) fn names<'n>(wanted: &str, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    within(wanted, most_edits(wanted), names)
}

/// Returns the most edits between a name and another one that may be meant: one per three letters,
/// at most three. A single letter gets none: it is one edit from every other.
fn most_edits(wanted: &str) -> usize {
    let n = wanted.chars().count();
    if n < 2 { 0 } else { (n / 3).clamp(1, 3) }
}

/// Returns the names nearest to `wanted`, at most `most` edits away.
fn within<'n>(wanted: &str, most: usize, names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let wanted: Vec<char> = wanted.to_lowercase().chars().collect();
    let mut found: BTreeSet<(usize, &str)> = BTreeSet::new();
    for name in names {
        if name.len().abs_diff(wanted.len()) > 4 * most.max(1) {
            continue;
        }
        let chars: Vec<char> = name.to_lowercase().chars().collect();
        if chars.len().abs_diff(wanted.len()) <= most {
            let edits = distance(&wanted, &chars);
            if edits <= most {
                found.insert((edits, name));
            }
        }
    }
    let least = found.first().map_or(0, |(edits, _)| *edits);
    found
        .into_iter()
        .filter(|(edits, _)| *edits == least)
        .take(MOST)
        .map(|(_, name)| name.to_owned())
        .collect()
}

/// Returns the files nearest to the path `wanted`, as [`paths`] does.
pub(crate) fn files<'p>(wanted: &str, files: impl Iterator<Item = &'p BStr>) -> Vec<String> {
    let wanted = wanted.trim_matches('/');
    // The user typed exactly this name, so that suggesting it does not help.
    let all = files.map(|file| quoted(file).into_owned()).filter(|shown| shown != wanted);
    nearest(wanted, &all.collect())
}

/// Returns the files and directories nearest to the path `wanted`.
///
/// Paths that end with it come first. If there are none, paths whose last component is spelled like
/// its last one, those in a directory of the same name first.
pub(crate) fn paths<'p>(wanted: &str, files: impl Iterator<Item = &'p BStr>) -> Vec<String> {
    let wanted = wanted.trim_matches('/');
    let mut all = BTreeSet::new();
    for file in files {
        let mut path = file;
        while !path.is_empty() {
            let shown = quoted(path);
            // The user typed exactly this name, so that suggesting it does not help.
            if shown != wanted && !all.insert(shown.into_owned()) {
                break;
            }
            path = parent(path);
        }
    }
    nearest(wanted, &all)
}

/// Returns the nearest of some paths.
fn nearest(wanted: &str, all: &BTreeSet<String>) -> Vec<String> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    let by_length = |mut found: Vec<String>| {
        found.sort_by_key(|path| (path.len(), path.clone()));
        found.truncate(MOST);
        found
    };
    let lower = wanted.to_lowercase();
    let is_end = |path: &&String| {
        let path = path.to_lowercase();
        path.strip_suffix(&lower).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    for found in [
        all.iter().filter(is_end).cloned().collect::<Vec<_>>(),
        names(wanted, all.iter().map(String::as_str)),
        all.iter().filter(|path| last(path) == last(wanted)).cloned().collect(),
    ] {
        if !found.is_empty() {
            return by_length(found);
        }
    }
    let alike: BTreeSet<String> = {
        let components: BTreeSet<String> = all.iter().map(|path| last(path)).collect();
        let name = last(wanted);
        // Equal extensions say nothing about the name.
        let stem = name.rsplit_once('.').map_or(&*name, |(stem, _)| stem);
        let stem = if stem.is_empty() { &name } else { stem };
        within(&name, most_edits(stem), components.iter().map(String::as_str)).into_iter().collect()
    };
    by_length(all.iter().filter(|path| alike.contains(&last(path))).cloned().collect())
}

/// Formats `did you mean 'a' or 'b'?`; `None` if there is nothing to suggest.
pub(crate) fn question(found: &[String]) -> Option<String> {
    let quoted: Vec<String> = found.iter().map(|name| format!("'{}'", visible(name))).collect();
    let (last, others) = quoted.split_last()?;
    Some(if others.is_empty() {
        format!("did you mean {last}?")
    } else {
        format!("did you mean {} or {last}?", others.join(", "))
    })
}

/// Returns the edit distance of two words: insertions, deletions, substitutions, and swaps of
/// neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let of = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX - 1);
            let mut least =
                (of(&above, j) + usize::from(x != y)).min(of(&above, j + 1) + 1).min(of(&row, j) + 1);
            let is_swap = i > 0 && j > 0 && a.get(i - 1) == Some(y) && b.get(j - 1) == Some(x);
            if is_swap {
                least = least.min(of(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (a, b, expected) in
            [("", "", 0), ("ab", "", 2), ("retyr", "retry", 1), ("abc", "abd", 1), ("kitten", "sitting", 3)]
        {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(distance(&chars(a), &chars(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn what_was_meant_is_found() {
        let files = ["src/index/build.rs", "src/index/mod.rs", "src/query/mod.rs", "README.md"];
        let near = |wanted: &str| paths(wanted, files.iter().map(BStr::new));
        for (wanted, found) in [
            ("build.rs", &["src/index/build.rs"][..]),
            ("index", &["src/index"]),
            ("src/indx", &["src/index"]),
            ("src/index/biuld.rs", &["src/index/build.rs"]),
            ("biuld.rs", &["src/index/build.rs"]),
            ("lib/build.rs", &["src/index/build.rs"]),
            ("readme.md", &["README.md"]),
            ("mod.rs", &["src/index/mod.rs", "src/query/mod.rs"]),
            ("nothing-like-it", &[]),
            ("src/index", &[]),
        ] {
            assert_eq!(near(wanted), found, "{wanted}");
        }
        let near = |wanted: &str| super::files(wanted, files.iter().map(BStr::new));
        assert_eq!(near("src/indx"), [""; 0], "a directory is not a file");
        assert_eq!(near("lib/build.rs"), ["src/index/build.rs"]);
        assert_eq!(near("fold.rs"), [""; 0], "one letter of four is one edit");
        assert_eq!(names("parse_haeder", ["parse_header", "parser"].into_iter()), ["parse_header"]);
        assert_eq!(names("4", ["R", "_", "c"].into_iter()), [""; 0]);
        assert_eq!(names("ok", ["OK", "no", "ox"].into_iter()), ["OK"]);
        assert_eq!(question(&[]), None);
        assert_eq!(question(&["a".into(), "b".into()]).unwrap(), "did you mean 'a' or 'b'?");
    }
}
