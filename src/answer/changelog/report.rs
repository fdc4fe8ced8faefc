//! A changelog → text for people, Markdown for a release, JSON for programs, within a budget.
//!
//! A budget shortens all lists alike, so that no list is lost to a long one before it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::answer::view::theme::{BAD, FAINT, GOOD, SYMBOL};
use crate::answer::view::{Budget, Forge, Paint, code_span, counted, fence, visible};
use crate::answer::visibility::Visibility;
use crate::base::text::{named_path, visible_path};

use super::{Changelog, ChangelogEntry, ChangelogKind};

/// How a changelog is written.
#[derive(Debug, Clone, Copy)]
pub struct ChangelogReport<'f> {
    /// What was compared, as the user wrote it.
    pub title: &'f str,
    /// Whether only what others may use is listed; what is unknown is listed too.
    pub is_public: bool,
    /// Most entries in each list; `None`: all.
    pub limit: Option<usize>,
    /// The limit of the whole text.
    pub budget: Budget,
    /// Whether text is coloured.
    pub is_coloured: bool,
    /// Where links in Markdown lead; without it, places are not links.
    pub forge: Option<&'f Forge>,
}

/// Writes a changelog for people; nothing if not even its headings fit the budget.
pub fn changelog_text(log: &Changelog, report: &ChangelogReport<'_>) -> String {
    fitted(log, report, false)
}

/// Writes a changelog as Markdown; nothing if not even its headings fit the budget.
pub fn changelog_markdown(log: &Changelog, report: &ChangelogReport<'_>) -> String {
    fitted(log, report, true)
}

/// Draws lists as long as the budget allows.
fn fitted(log: &Changelog, report: &ChangelogReport<'_>, is_markdown: bool) -> String {
    let draw = |limit: usize| draw(log, report, is_markdown, limit);
    let text = draw(report.budget.most(0, most(log, report), draw));
    if report.budget.holds(&text) { text } else { String::new() }
}

/// Most entries in each list without a budget.
fn most(log: &Changelog, report: &ChangelogReport<'_>) -> usize {
    report.limit.unwrap_or(log.entries.len())
}

/// Returns a changelog for programs. With a limit or a budget, lists are shortened, and `cut` is
/// the number of entries that are missing.
pub fn changelog_json(log: &Changelog, report: &ChangelogReport<'_>) -> Value {
    let object = |limit: usize| object(log, report, limit);
    let limit = report.budget.most(0, most(log, report), |limit| object(limit).to_string());
    object(limit)
}

fn object(log: &Changelog, report: &ChangelogReport<'_>, limit: usize) -> Value {
    let all = listed(log, report);
    let mut counts: BTreeMap<(Visibility, ChangelogKind), usize> = BTreeMap::new();
    let entries: Vec<&&ChangelogEntry> = all
        .iter()
        .filter(|one| {
            let n = counts.entry((one.visibility, one.change)).or_default();
            *n += 1;
            *n <= limit
        })
        .collect();
    json!({
        "of": report.title,
        "old": log.old.to_string(),
        "new": log.new.to_string(),
        "files": log.n_files,
        "entries": entries,
        "changed_inside": log.n_inner,
        "tests": log.n_tests,
        "more": all.len() - entries.len(),
        "notes": log.notes,
    })
}

fn listed<'l>(log: &'l Changelog, report: &ChangelogReport<'_>) -> Vec<&'l ChangelogEntry> {
    let is_listed = |one: &&ChangelogEntry| !report.is_public || one.visibility != Visibility::Internal;
    log.entries.iter().filter(is_listed).collect()
}

fn draw(log: &Changelog, report: &ChangelogReport<'_>, is_markdown: bool, limit: usize) -> String {
    let entries = listed(log, report);
    let paint = Paint::new(report.is_coloured && !is_markdown);
    let mut form = Form { out: String::new(), is_markdown, paint, report, log };
    form.head(&entries);
    for (visibility, heading) in [
        (Visibility::Public, "Public"),
        (Visibility::Unknown, "Visibility unknown"),
        (Visibility::Internal, "Internal"),
    ] {
        let of = |kind: Option<ChangelogKind>| {
            let is_of = move |one: &&&ChangelogEntry| {
                one.visibility == visibility && kind.is_none_or(|kind| one.change == kind)
            };
            entries.iter().filter(is_of).copied().collect::<Vec<_>>()
        };
        let mut kinds: Vec<ChangelogKind> = of(None).iter().map(|one| one.change).collect();
        kinds.dedup();
        if kinds.is_empty() {
            continue;
        }
        form.heading(1, heading);
        for kind in kinds {
            form.heading(2, kind.heading());
            let list = of(Some(kind));
            list.iter().take(limit).for_each(|one| form.entry(one));
            form.more(list.len().saturating_sub(limit), limit);
        }
    }
    form.foot();
    form.out
}

/// The text as it is written.
struct Form<'f> {
    out: String,
    is_markdown: bool,
    /// Markdown has no colours.
    paint: Paint,
    report: &'f ChangelogReport<'f>,
    log: &'f Changelog,
}

impl Form<'_> {
    fn head(&mut self, entries: &[&ChangelogEntry]) {
        let title = visible(self.report.title).into_owned();
        let n = counted(entries.len(), "change", "changes");
        let files = counted(self.log.n_files, "changed file", "changed files");
        let _ = match self.is_markdown {
            true => writeln!(self.out, "## {}\n\n{n} in {files}.", code_span(&title)),
            false => writeln!(self.out, "{}: {n} in {files}", self.paint.text(&title, SYMBOL)),
        };
    }

    fn heading(&mut self, level: usize, text: &str) {
        let _ = match (self.is_markdown, level) {
            (true, 1) => writeln!(self.out, "\n### {text}"),
            (true, _) => writeln!(self.out, "\n#### {text}\n"),
            (false, 1) => writeln!(self.out, "\n{}", self.paint.text(&text.to_lowercase(), SYMBOL)),
            (false, _) => writeln!(self.out, "  {}", self.paint.text(&text.to_lowercase(), FAINT)),
        };
    }

    fn entry(&mut self, one: &ChangelogEntry) {
        let mut tail = String::new();
        if one.members > 0 {
            let _ = write!(tail, ", with {}", counted(one.members, "member", "members"));
        }
        if let Some(was) = &one.was {
            let (path, symbol) = (visible_path(&was.path), visible(&was.symbol));
            let _ = match self.is_markdown {
                true => {
                    let at = code_span(&format!("{path}:{}", was.line));
                    write!(tail, ", was {} in {at}", code_span(&symbol))
                }
                false => write!(tail, " (was {path}:{}: {symbol})", was.line),
            };
        }
        // Several implementations are of one type. Only their text says which trait they are of.
        let text = one.signatures.iter().rev().find(|text| !text.is_empty());
        let is_shown = one.change == ChangelogKind::Signature || one.has_other_signature;
        let text = text.filter(|_| one.place.kind == "implementation" && !is_shown);
        let named = text.map_or(one.place.symbol.as_str(), String::as_str);
        let symbol = visible(named);
        if self.is_markdown {
            let at = format!("{}:{}", visible_path(&one.place.path), one.place.line);
            let commit = if one.change == ChangelogKind::Removed { self.log.old } else { self.log.new };
            let at = match self.report.forge {
                Some(forge) => {
                    let lines = Some((one.place.line, one.place.line));
                    let link = forge.link(&commit.to_string(), &named_path(&one.place.path), lines);
                    format!("[{}]({link})", code_span(&at))
                }
                None => code_span(&at),
            };
            let _ = writeln!(self.out, "- {} {} ({at}){tail}", one.place.kind, code_span(&symbol));
        } else {
            let at = self.paint.place(&one.place.path, one.place.line);
            let kind = self.paint.text(&one.place.kind, FAINT);
            let symbol = self.paint.text(&symbol, SYMBOL);
            let _ = writeln!(self.out, "    {at}: {kind} {symbol}{tail}");
        }
        if one.change == ChangelogKind::Signature || one.has_other_signature {
            self.signatures(one);
        }
    }

    /// Says how many entries of a list with this limit are missing.
    fn more(&mut self, n: usize, limit: usize) {
        if n > 0 {
            let is_cut_by_limit = self.report.limit == Some(limit) && !self.is_markdown;
            let raise = if is_cut_by_limit { "; raise --limit" } else { "" };
            let line = self.paint.text(&format!("and {n} more{raise}"), FAINT);
            let _ = writeln!(self.out, "{}{line}", if self.is_markdown { "- " } else { "    " });
        }
    }

    fn signatures(&mut self, one: &ChangelogEntry) {
        let [old, new] = one.signatures.each_ref().map(|text| visible(text).into_owned());
        if old == new {
            return;
        }
        if self.is_markdown {
            let fence = fence(&format!("{old}\n{new}"));
            let _ = writeln!(self.out, "  {fence}diff\n  - {old}\n  + {new}\n  {fence}");
            return;
        }
        for (sign, text, style) in [('-', old, BAD), ('+', new, GOOD)] {
            let line = self.paint.text(&format!("{sign} {text}"), style);
            let _ = writeln!(self.out, "      {line}");
        }
    }

    fn foot(&mut self) {
        let (log, mut parts) = (self.log, Vec::new());
        if log.n_inner > 0 {
            let n = counted(log.n_inner, "declaration", "declarations");
            parts.push(format!("{n} with the same signature"));
        }
        if log.n_tests > 0 {
            parts.push(format!("{} in tests", counted(log.n_tests, "change", "changes")));
        }
        if !parts.is_empty() {
            let end = if self.is_markdown { "." } else { "" };
            let not_listed = if self.is_markdown { "Not listed" } else { "not listed" };
            let line = self.paint.text(&format!("{not_listed}: {}", parts.join(", ")), FAINT);
            let _ = writeln!(self.out, "\n{line}{end}");
        }
    }
}
