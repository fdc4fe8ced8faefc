//! Who wrote a declaration, or a file: a place → shares of lines by author.
//!
//! Owns [`Authors`], and its text for people. Git credits the lines (`git blame`), with `.mailmap`
//! and `blame.ignoreRevsFile`. The last change is that of the declaration's history: a commit that
//! only removed lines is the last one too, though no line is credited to it.

use std::collections::HashMap;
use std::fmt::Write as _;

use bstr::{BString, ByteSlice};

use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::text::{counted, quoted, visible, visible_path};
use crate::git::{BlameCommit, Repository};
use crate::index::Indexer;
use crate::search::Result;

use super::history::{HistoryChange, HistoryPlace, HistoryQuery, HistoryRow, VersionPlace, history};
use super::view::Paint;
use super::view::theme::{NUMBER, PATH, SYMBOL};

/// Who wrote something.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Authors {
    /// The file.
    pub path: BString,
    /// The declaration; `None` for a whole file.
    pub place: Option<VersionPlace>,
    /// Number of lines.
    pub n_lines: usize,
    /// By number of lines, most first, then by name.
    pub authors: Vec<Author>,
    /// The commits that lines are credited to, most lines first, then the newest.
    pub commits: Vec<BlameCommit>,
    /// Number of lines that are older than a shallow clone.
    pub n_unknown: usize,
    /// The last change of the declaration. For a whole file, `None`.
    pub last: Option<HistoryRow>,
    /// Further declarations in the file that the name means.
    pub others: Vec<VersionPlace>,
    /// Limits of the answer, for people.
    pub notes: Vec<String>,
}

impl Authors {
    /// Returns the shares of the authors in percent, in their order, and then that of the lines
    /// without a known author. They sum to 100.
    pub fn percents(&self) -> Vec<usize> {
        let known = self.authors.iter().map(|one| one.n_lines);
        percents(&known.chain([self.n_unknown]).collect::<Vec<_>>())
    }
}

/// An author with a share of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Author {
    /// The name, by `.mailmap`.
    pub name: String,
    /// The address of the newest line.
    pub email: String,
    /// Number of lines.
    pub n_lines: usize,
    /// The oldest and the newest author time of these lines, in seconds since the epoch.
    pub times_s: [i64; 2],
    /// The day of the newest of these lines, as `2024-01-31`, in the author's own time zone.
    pub date: String,
}

/// Finds who wrote a declaration of a commit, or the whole file if no place is given; `None` if the
/// declaration does not exist. With `moves`, lines that were moved or copied belong to who wrote
/// them first.
///
/// # Errors
/// [`crate::search::Error::Git`], [`crate::search::Error::Cancelled`].
pub fn authors(
    indexer: &Indexer,
    commit: ObjectId,
    path: &BString,
    place: Option<&HistoryPlace>,
    moves: bool,
    task: Task<'_>,
) -> Result<Option<Authors>> {
    let repo = indexer.repo();
    let found = match place {
        Some(place) => {
            let query = HistoryQuery::new(commit, path.clone(), place.clone()).with_newest();
            let Some(found) = history(indexer, &query, task)? else { return Ok(None) };
            // A declaration that is gone has no lines here.
            if found.rows.first().is_some_and(|row| row.old.as_ref() == Some(&found.place)) {
                return Ok(None);
            }
            Some(found)
        }
        None => None,
    };
    let lines = found.as_ref().map(|found| (found.place.span.start_line, found.place.span.end_line));
    let credited = repo.blame(commit, path.as_bstr(), lines, moves, task.cancel)?;
    let mut all = of(repo, credited)?;
    all.path.clone_from(path);
    if let Some(found) = found {
        all.others = found.others;
        all.last = found.rows.into_iter().next();
        all.place = Some(found.place);
        all.notes.extend(found.notes);
    }
    Ok(Some(all))
}

fn of(repo: &Repository, mut commits: Vec<BlameCommit>) -> Result<Authors> {
    let ends = repo.shallow_boundary()?;
    let n_lines = commits.iter().map(|one| one.n_lines).sum();
    let is_unknown = |one: &BlameCommit| ends.binary_search(&one.id).is_ok();
    let n_unknown = commits.iter().filter(|one| is_unknown(one)).map(|one| one.n_lines).sum();
    let mut by_name: HashMap<String, Author> = HashMap::new();
    for one in commits.iter().filter(|one| !is_unknown(one)) {
        let author = by_name.entry(one.name.clone()).or_insert_with(|| Author {
            name: one.name.clone(),
            email: one.email.clone(),
            n_lines: 0,
            times_s: [one.time_s, one.time_s],
            date: day(one),
        });
        author.n_lines += one.n_lines;
        let [oldest, newest] = author.times_s;
        if one.time_s > newest {
            author.date = day(one);
            author.email.clone_from(&one.email);
        }
        author.times_s = [oldest.min(one.time_s), newest.max(one.time_s)];
    }
    let mut authors: Vec<Author> = by_name.into_values().collect();
    authors.sort_by(|a, b| b.n_lines.cmp(&a.n_lines).then_with(|| a.name.cmp(&b.name)));
    commits.sort_by_key(|one| std::cmp::Reverse((one.n_lines, one.time_s)));
    let mut notes = Vec::new();
    if n_unknown > 0 {
        let n = counted(n_unknown, "line is", "lines are");
        notes.push(format!("{n} older than this shallow clone's history, so the authors are unknown"));
    }
    Ok(Authors {
        path: BString::default(),
        place: None,
        n_lines,
        authors,
        commits,
        n_unknown,
        last: None,
        others: Vec::new(),
        notes,
    })
}

/// Returns the shares of numbers in percent, which sum to 100: those that are cut most by rounding
/// down are rounded up.
fn percents(numbers: &[usize]) -> Vec<usize> {
    let all: usize = numbers.iter().sum();
    let mut shares: Vec<(usize, usize)> = numbers
        .iter()
        .map(|n| ((n * 100).checked_div(all).unwrap_or(0), (n * 100).checked_rem(all).unwrap_or(0)))
        .collect();
    let sum: usize = shares.iter().map(|one| one.0).sum();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(shares.get(*at).map(|one| one.1)));
    let n_up = if all == 0 { 0 } else { 100 - sum };
    for at in order.into_iter().take(n_up) {
        if let Some(share) = shares.get_mut(at) {
            share.0 += 1;
        }
    }
    shares.into_iter().map(|one| one.0).collect()
}

/// Writes who wrote something, for people.
pub fn authors_text(found: &Authors, paint: Paint) -> String {
    let mut out = String::new();
    let path = quoted(found.path.as_bstr());
    let lines = counted(found.n_lines, "line", "lines");
    let _ = match &found.place {
        Some(at) => writeln!(out, "{}, {lines}", paint.declaration(&path, at.line, &at.kind, &at.symbol)),
        None => writeln!(out, "{}, {lines}", paint.text(&visible_path(&path), PATH)),
    };
    let width = found.authors.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let percents = found.percents();
    for (one, share) in found.authors.iter().zip(&percents) {
        let name = visible(&one.name);
        let pad = " ".repeat(width.saturating_sub(one.name.chars().count()));
        let lines = counted(one.n_lines, "line", "lines");
        let (share, name) = (paint.text(&format!("{share:>4}%"), NUMBER), paint.text(&name, SYMBOL));
        let _ = writeln!(out, "{share}  {name}{pad}  {lines:>10}, newest from {}", one.date);
    }
    if found.n_unknown > 0 {
        let share = percents.last().copied().unwrap_or_default();
        let lines = counted(found.n_unknown, "line", "lines");
        let _ = writeln!(out, "{share:>4}%  unknown  {lines}, older than this clone's history");
    }
    if let Some(last) = &found.last {
        let changes: Vec<&str> = last.changes.iter().map(|change| change.words()).collect();
        let (id, date, author) = (paint.commit(last.commit), &last.date, visible(&last.author));
        let (what, subject) = (changes.join(", "), visible(&last.subject));
        let _ = match last.changes.contains(&HistoryChange::CloneEnds) {
            true => writeln!(out, "last change: older than this clone's history"),
            false => writeln!(out, "last change [{what}]: {id} {date} {author}: {subject}"),
        };
    }
    out
}

/// The day of a commit in its author's time zone, as `2024-01-31`.
pub fn day(one: &BlameCommit) -> String {
    let zone = one.zone.trim_start_matches(['+', '-']);
    let minutes = |text: Option<&str>| text.and_then(|text| text.parse::<i64>().ok()).unwrap_or(0);
    let shift = minutes(zone.get(..2)) * 3600 + minutes(zone.get(2..4)) * 60;
    let shift = if one.zone.starts_with('-') { -shift } else { shift };
    date(one.time_s.saturating_add(shift))
}

/// The day of a time in seconds since the epoch, as `2024-01-31`.
///
/// Days are counted from 0000-03-01, so that a leap day ends its year (Howard Hinnant,
/// "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
fn date(time_s: i64) -> String {
    let days = time_s.div_euclid(86_400).saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_a_hundred() {
        for (numbers, expected) in [
            (vec![1, 1, 1], vec![34, 33, 33]),
            (vec![1, 6, 1], vec![13, 75, 12]),
            (vec![1, 1, 1, 1, 1, 1, 1], vec![15, 15, 14, 14, 14, 14, 14]),
            (vec![199, 1], vec![100, 0]),
            (vec![3, 0], vec![100, 0]),
            (vec![0], vec![0]),
        ] {
            assert_eq!(percents(&numbers), expected, "{numbers:?}");
        }
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (time, expected) in [
            (0, "1970-01-01"),
            (951_782_400, "2000-02-29"),
            (1_709_164_799, "2024-02-28"),
            (1_709_164_800, "2024-02-29"),
            (4_107_542_400, "2100-03-01"),
            (-1, "1969-12-31"),
        ] {
            assert_eq!(date(time), expected, "{time}");
        }
        let at = |zone: &str| BlameCommit {
            id: ObjectId::from_bytes(&[1; 20]).unwrap(),
            name: String::new(),
            email: String::new(),
            time_s: 0,
            zone: zone.to_owned(),
            subject: String::new(),
            n_lines: 1,
        };
        assert_eq!(day(&at("-0130")), "1969-12-31");
        assert_eq!(day(&at("+0130")), "1970-01-01");
    }
}
