//! A changelog → text for people, Markdown for a release, JSON for programs.

use std::fmt::Write as _;

use anstyle::Style;
use serde_json::{Value, json};

use crate::answer::view::theme::{BAD, FAINT, GOOD, NUMBER, PATH, SYMBOL};
use crate::answer::view::{Forge, code_span, counted, fence, visible};
use crate::answer::visibility::Visibility;

use super::{Changelog, ChangelogEntry, ChangelogKind};

/// How a changelog is written.
#[derive(Debug, Clone, Copy)]
pub struct ChangelogReport<'f> {
    /// What was compared, as the user wrote it.
    pub title: &'f str,
    /// Whether only what others may use is listed; what is unknown is listed too.
    pub is_public: bool,
    /// Whether text is coloured.
    pub is_coloured: bool,
    /// Where links in Markdown lead; without it, places are not links.
    pub forge: Option<&'f Forge>,
}

/// Writes a changelog for people.
pub fn changelog_text(log: &Changelog, report: &ChangelogReport<'_>) -> String {
    draw(log, report, false)
}

/// Writes a changelog as Markdown.
pub fn changelog_markdown(log: &Changelog, report: &ChangelogReport<'_>) -> String {
    draw(log, report, true)
}

/// Returns a changelog for programs.
pub fn changelog_json(log: &Changelog, report: &ChangelogReport<'_>) -> Value {
    json!({
        "of": report.title,
        "old": log.old.to_string(),
        "new": log.new.to_string(),
        "files": log.n_files,
        "entries": listed(log, report),
        "changed_inside": log.n_inner,
        "tests": log.n_tests,
    })
}

fn listed<'l>(log: &'l Changelog, report: &ChangelogReport<'_>) -> Vec<&'l ChangelogEntry> {
    let is_listed = |one: &&ChangelogEntry| !report.is_public || one.visibility != Visibility::Internal;
    log.entries.iter().filter(is_listed).collect()
}

fn draw(log: &Changelog, report: &ChangelogReport<'_>, is_markdown: bool) -> String {
    let entries = listed(log, report);
    let mut form = Form { out: String::new(), is_markdown, report, log };
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
            of(Some(kind)).into_iter().for_each(|one| form.entry(one));
        }
    }
    form.foot();
    form.out
}

/// The text as it is written.
struct Form<'f> {
    out: String,
    is_markdown: bool,
    report: &'f ChangelogReport<'f>,
    log: &'f Changelog,
}

impl Form<'_> {
    fn paint(&self, text: &str, style: Style) -> String {
        let is_on = self.report.is_coloured && !self.is_markdown && !text.is_empty();
        if is_on { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn head(&mut self, entries: &[&ChangelogEntry]) {
        let title = visible(self.report.title).into_owned();
        let n = counted(entries.len(), "change", "changes");
        let files = counted(self.log.n_files, "changed file", "changed files");
        let _ = match self.is_markdown {
            true => writeln!(self.out, "## {}\n\n{n} in {files}.", code_span(&title)),
            false => writeln!(self.out, "{}: {n} in {files}", self.paint(&title, SYMBOL)),
        };
    }

    fn heading(&mut self, level: usize, text: &str) {
        let _ = match (self.is_markdown, level) {
            (true, 1) => writeln!(self.out, "\n### {text}"),
            (true, _) => writeln!(self.out, "\n#### {text}\n"),
            (false, 1) => writeln!(self.out, "\n{}", self.paint(&text.to_lowercase(), SYMBOL)),
            (false, _) => writeln!(self.out, "  {}", self.paint(&text.to_lowercase(), FAINT)),
        };
    }

    fn entry(&mut self, one: &ChangelogEntry) {
        let mut tail = String::new();
        if one.members > 0 {
            let _ = write!(tail, ", with {}", counted(one.members, "member", "members"));
        }
        if let Some(was) = &one.was {
            let (path, symbol) = (visible(&was.path), visible(&was.symbol));
            let _ = match self.is_markdown {
                true => {
                    let at = code_span(&format!("{path}:{}", was.line));
                    write!(tail, ", was {} in {at}", code_span(&symbol))
                }
                false => write!(tail, " (was {path}:{}: {symbol})", was.line),
            };
        }
        let (path, symbol) = (visible(&one.place.path), visible(&one.place.symbol));
        if self.is_markdown {
            let at = format!("{path}:{}", one.place.line);
            let commit = if one.change == ChangelogKind::Removed { self.log.old } else { self.log.new };
            let at = match self.report.forge {
                Some(forge) => {
                    let lines = Some((one.place.line, one.place.line));
                    let link = forge.link(&commit.to_string(), one.place.path.as_bytes(), lines);
                    format!("[{}]({link})", code_span(&at))
                }
                None => code_span(&at),
            };
            let _ = writeln!(self.out, "- {} {} ({at}){tail}", one.place.kind, code_span(&symbol));
        } else {
            let at = format!("{}{}", self.paint(&path, PATH), self.paint(":", FAINT));
            let line = self.paint(&one.place.line.to_string(), NUMBER);
            let kind = self.paint(&one.place.kind, FAINT);
            let symbol = self.paint(&symbol, SYMBOL);
            let _ = writeln!(self.out, "    {at}{line}: {kind} {symbol}{tail}");
        }
        if one.change == ChangelogKind::Signature || one.has_other_signature {
            self.signatures(one);
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
            let line = self.paint(&format!("{sign} {text}"), style);
            let _ = writeln!(self.out, "      {line}");
        }
    }

    fn foot(&mut self) {
        let (log, mut parts) = (self.log, Vec::new());
        if log.n_inner > 0 {
            let n = counted(log.n_inner, "declaration differs", "declarations differ");
            parts.push(format!("{n} only inside"));
        }
        if log.n_tests > 0 {
            parts.push(format!("{} in tests", counted(log.n_tests, "change is", "changes are")));
        }
        if !parts.is_empty() {
            let end = if self.is_markdown { "." } else { "" };
            let line = self.paint(&parts.join("; "), FAINT);
            let _ = writeln!(self.out, "\n{line}{end}");
        }
    }
}
