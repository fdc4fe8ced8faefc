//! What the tree still has of a thing that a check refuses, as a list that can only shrink.
//!
//! `allowed.tsv` holds counts: a check, a file and how many complaints the check may have about
//! that file. More is a complaint, and so is less, until `cargo xtask tidy --shrink` has written
//! the lower number. So nothing that was improved can get worse again. Nothing raises a count but
//! an edit by hand, which a reviewer sees.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};

/// The list, from the root of the repository.
pub(super) const LIST: &str = "xtask/src/tidy/allowed.tsv";

const HEAD: &str =
    "# Complaints that tidy still allows: check, file, count. 'cargo xtask tidy --shrink' lowers them.\n";

/// A check's name and a file, with the number of complaints.
pub(super) type Counts = BTreeMap<(String, String), usize>;

/// A complaint about a file that may have some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    /// Name of the check, one word.
    pub(super) check: &'static str,
    /// Path of the file.
    pub(super) path: String,
    /// The complaint, with path and line.
    pub(super) text: String,
}

/// Parses a list.
///
/// # Errors
/// With the number of a line that is not of the form `check<TAB>file<TAB>count`.
pub(super) fn parse(text: &str) -> Result<Counts> {
    let mut counts = Counts::new();
    for (ord, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let place = || format!("{LIST}:{}: expected check, file and count", ord + 1);
        let [check, path, count] = line.split('\t').collect::<Vec<_>>()[..] else { bail!(place()) };
        let count = count.parse().ok().filter(|count| *count > 0).with_context(place)?;
        counts.insert((check.to_owned(), path.to_owned()), count);
    }
    Ok(counts)
}

/// Writes a list, sorted by check and file.
pub(super) fn render(counts: &Counts) -> String {
    let mut out = HEAD.to_owned();
    for ((check, path), count) in counts {
        let _ = writeln!(out, "{check}\t{path}\t{count}");
    }
    out
}

/// Counts complaints by check and file.
pub(super) fn count(complaints: &[Complaint]) -> Counts {
    let mut counts = Counts::new();
    for complaint in complaints {
        *counts.entry((complaint.check.to_owned(), complaint.path.clone())).or_default() += 1;
    }
    counts
}

/// Returns the lower of both counts for each file that has one in both.
pub(super) fn shrunk(allowed: &Counts, found: &Counts) -> Counts {
    let both = allowed.iter().filter_map(|(key, allowed)| Some((key.clone(), *found.get(key)?.min(allowed))));
    both.collect()
}

/// Returns the complaints about each file that has more than it may have, and one for each count
/// that is too high.
pub(super) fn judge(allowed: &Counts, complaints: &[Complaint]) -> Vec<String> {
    let found = count(complaints);
    let mut out = Vec::new();
    for ((check, path), n) in &found {
        let may = allowed.get(&(check.clone(), path.clone())).copied().unwrap_or(0);
        if *n > may {
            let ours = complaints.iter().filter(|one| one.check == check && one.path == *path);
            out.extend(ours.map(|one| one.text.clone()));
            if may > 0 {
                out.push(format!("{path}:1: {n} complaints of '{check}', but {LIST} allows {may}"));
            }
        }
    }
    for ((check, path), may) in allowed {
        let n = found.get(&(check.clone(), path.clone())).copied().unwrap_or(0);
        if n < *may {
            out.push(format!(
                "{LIST}:1: allows {may} complaints of '{check}' about {path}, which has {n}: run 'cargo xtask tidy --shrink'"
            ));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(path: &str) -> Complaint {
        Complaint { check: "width", path: path.to_owned(), text: format!("{path}:7: too wide") }
    }

    #[test]
    fn a_list_survives() {
        let counts = parse("# head\nwidth\tsrc/a.rs\t3\nwords\tdoc/b c.md\t1\n").unwrap();
        assert_eq!(counts.len(), 2);
        assert_eq!(parse(&render(&counts)).unwrap(), counts);
        for bad in ["width\tsrc/a.rs\n", "width\tsrc/a.rs\tx\n", "width\tsrc/a.rs\t0\n"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn counts_can_only_shrink() {
        let allowed = parse("width\ta\t2\nwidth\tgone\t1\n").unwrap();
        assert_eq!(judge(&allowed, &[complaint("a"), complaint("a")]).len(), 1, "gone has none");
        let less = judge(&allowed, &[complaint("a")]);
        assert!(less[0].contains("allows 2") && less[0].contains("which has 1"), "{less:?}");
        let more = judge(&allowed, &[complaint("a"), complaint("a"), complaint("a"), complaint("new")]);
        assert_eq!(more.iter().filter(|line| *line == "a:7: too wide").count(), 3);
        assert!(more.contains(&"new:7: too wide".to_owned()));
        let found = count(&[complaint("a"), complaint("new")]);
        assert_eq!(render(&shrunk(&allowed, &found)), format!("{HEAD}width\ta\t1\n"));
    }
}
