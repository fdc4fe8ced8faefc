//! An impact → text for people, Markdown for a pull request, JSON for programs, within a budget.
//!
//! One walk over the lists writes both text and Markdown; [`Form`] knows how a heading or an item
//! looks. A budget shortens the lists, and every section keeps its heading. The callers that may
//! break get up to half of the budget before the other lists get anything.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::answer::relations::unresolved::unresolved_list;
use crate::answer::relations::{self, Place};
use crate::answer::view::theme::{BAD, FAINT, GOOD, PATH, SYMBOL};
use crate::answer::view::{
    Budget, Forge, LinkLines, Paint, code_span as code, counted, escaped, fence, labels, visible,
};
use crate::base::text::{named_path, visible_path};

use super::{Impact, ImpactCaller, ImpactSubject, Risk, UNCOMMITTED, is_data, last_name};
use crate::answer::diff::is_other_name;

/// How an impact is written.
#[derive(Debug, Clone, Copy)]
pub struct ImpactReport<'f> {
    /// What was compared, as the user wrote it.
    pub title: &'f str,
    /// Most items in each list.
    pub limit: usize,
    /// The flag that raises this limit; empty if there is none.
    pub limit_flag: &'f str,
    /// The limit of the whole text.
    pub budget: Budget,
    /// Whether text is coloured.
    pub is_coloured: bool,
    /// Where links in Markdown lead; without it, places are not links.
    pub forge: Option<&'f Forge>,
}

/// Writes an impact for people.
pub fn impact_text(impact: &Impact, report: &ImpactReport<'_>) -> String {
    fitted(report, &|limit| draw(impact, report, false, limit))
}

/// Writes an impact as a comment of a pull request.
pub fn impact_markdown(impact: &Impact, report: &ImpactReport<'_>) -> String {
    fitted(report, &|limit| draw(impact, report, true, limit))
}

/// Returns an impact for programs. With a budget, lists are shortened, and `cut` is true.
pub fn impact_json(impact: &Impact, report: &ImpactReport<'_>) -> Value {
    let longest = [impact.subjects.len(), impact.farther.len(), impact.tests.len(), impact.mentions.len()];
    let callers = impact.subjects.iter().map(|one| one.callers.len().max(one.unresolved.len()));
    let all = longest.into_iter().chain(callers).chain([impact.companions.len()]).max().unwrap_or(0);
    let limits = ListLimits::within(&report.budget, all, |limits| object(impact, report, limits).to_string());
    object(impact, report, limits)
}

/// Most items in each list.
#[derive(Debug, Clone, Copy)]
struct ListLimits {
    /// Of the declarations whose callers may break, and of the callers of each.
    callers: usize,
    /// Of each other list; `None` if these are left out with their headings.
    others: Option<usize>,
}

impl ListLimits {
    /// Returns the largest limits, up to `most`, with which the output of `draw` is within the
    /// budget. No others are assumed to fit.
    fn within(budget: &Budget, most: usize, draw: impl Fn(Self) -> String) -> Self {
        let half = |limit: Option<usize>| limit.map(|limit| limit / 2);
        let first = Budget { characters: half(budget.characters), tokens: half(budget.tokens) };
        let beside = |callers: usize| draw(Self { callers, others: Some(0) });
        let callers = match first.most(0, most, beside) {
            // One caller is worth more than any other list.
            0 => budget.most(0, most.min(1), beside),
            callers => callers,
        };
        if callers == 0 {
            let alone = |callers: usize| draw(Self { callers, others: None });
            let callers = budget.most(0, most, alone);
            if callers > 0 || !budget.holds(&beside(0)) {
                return Self { callers, others: None };
            }
        }
        let others = budget.most(0, most, |others| draw(Self { callers, others: Some(others) }));
        let others = Some(others);
        let callers = budget.most(callers, most, |callers| draw(Self { callers, others }));
        Self { callers, others }
    }
}

fn object(impact: &Impact, report: &ImpactReport<'_>, limits: ListLimits) -> Value {
    let mut cut = impact.clone();
    for subject in &mut cut.subjects {
        subject.callers.truncate(limits.callers);
        subject.unresolved.truncate(limits.callers);
    }
    cut.subjects.truncate(limits.callers);
    let others = limits.others.unwrap_or(0);
    cut.farther.truncate(others);
    cut.tests.truncate(others);
    cut.mentions.truncate(others);
    cut.companions.truncate(others);
    let is_cut = cut != *impact;
    let id = |id: Option<crate::base::id::ObjectId>| id.map(|id| id.to_string());
    json!({
        "of": report.title,
        "old": id(impact.old),
        "new": id(impact.new),
        "files": impact.n_files,
        "incomplete": impact.incomplete,
        "breaking": impact.n_breaking(),
        "behaviour": impact.n_behaviour(),
        "broken_callers": impact.n_broken(false),
        "broken_callers_with_guesses": impact.n_broken(true),
        "declarations": cut.subjects,
        "farther": cut.farther,
        "tests": cut.tests,
        "mentions": cut.mentions,
        "companions": cut.companions,
        "commits_counted": impact.n_commits,
        "commits_searched": impact.n_searched,
        "notes": impact.notes,
        "cut": is_cut,
    })
}

/// Draws lists as long as the budget allows; nothing if not even their heads fit.
fn fitted(report: &ImpactReport<'_>, draw: &dyn Fn(ListLimits) -> String) -> String {
    let text = draw(ListLimits::within(&report.budget, report.limit, draw));
    if report.budget.holds(&text) { text } else { String::new() }
}

fn draw(impact: &Impact, report: &ImpactReport<'_>, is_markdown: bool, limits: ListLimits) -> String {
    let ListLimits { callers, others } = limits;
    let mut form = Form {
        out: String::new(),
        is_markdown,
        paint: Paint::new(report.is_coloured && !is_markdown),
        report,
        impact,
        n_callers: callers,
        limit: others.unwrap_or(0),
    };
    form.head();
    form.breaking();
    if others.is_some() {
        form.behaviour();
        form.farther();
        form.tests();
        form.test_code();
        form.rest();
        form.mentions();
        form.companions();
    } else {
        form.remark(1, "the budget has no room for the other lists");
    }
    if !is_markdown && !impact.notes.is_empty() {
        form.out.push('\n');
    }
    for note in &impact.notes {
        let note = visible(note);
        let _ = if is_markdown {
            writeln!(form.out, "\n<sub>{}</sub>", escaped(&note))
        } else {
            writeln!(form.out, "{}", form.paint.text(&format!("note: {note}"), FAINT))
        };
    }
    form.out
}

/// The text as it is written.
struct Form<'f> {
    out: String,
    is_markdown: bool,
    /// Markdown has no colours.
    paint: Paint,
    report: &'f ImpactReport<'f>,
    impact: &'f Impact,
    /// Most declarations whose callers may break, and most callers of each.
    n_callers: usize,
    /// Most items in each other list.
    limit: usize,
}

impl Form<'_> {
    fn head(&mut self) {
        let impact = self.impact;
        let title = visible(self.report.title).into_owned();
        let n = counted(impact.subjects.len(), "declaration", "declarations");
        let is_asked = impact.subjects.first().is_some_and(ImpactSubject::is_asked);
        let line = if is_asked {
            let callers: usize = impact.subjects.iter().map(|one| one.callers.len()).sum();
            format!("{n}, {}", counted(callers, "direct caller", "direct callers"))
        } else {
            let files = counted(impact.n_files, "file", "files");
            let (breaking, behaviour) = (impact.n_breaking(), impact.n_behaviour());
            let rest = format!(": {breaking} may break callers, {behaviour} may behave differently");
            format!("{n} changed in {files}{}", if impact.subjects.is_empty() { "" } else { &rest })
        };
        if self.is_markdown {
            let of = if title == UNCOMMITTED { title } else { code(&title) };
            let _ = writeln!(self.out, "### Impact of {of}\n\n{line}.");
            let broken = impact.n_broken(false);
            if broken > 0 {
                let n = counted(broken, "certain reference", "certain references");
                let _ = writeln!(
                    self.out,
                    "\n**Outside the change: {n} to declarations that were removed or have another \
                    signature.**"
                );
            }
        } else {
            let _ = writeln!(self.out, "{}: {line}", self.paint.text(&title, SYMBOL));
        }
    }

    fn heading(&mut self, title: &str) {
        let _ = match self.is_markdown {
            true => writeln!(self.out, "\n#### {}\n", capitalised(title)),
            false => writeln!(self.out, "\n{}", self.paint.text(title, SYMBOL)),
        };
    }

    /// Writes a declaration: its place, its kind and symbol, and what is to be said of it.
    fn item(&mut self, level: usize, place: &Place, tail: &str) {
        self.row(level, place, place.line, "", tail);
    }

    /// Writes a caller: the place of the reference, and the declaration around it. A type or method
    /// that inherits is itself the caller.
    fn caller(&mut self, level: usize, one: &ImpactCaller, tail: &str) {
        match one.relation == "inherits" && one.distance == 1 && !one.place.symbol.is_empty() {
            true => self.item(level, &one.place, tail),
            false => self.row(level, &one.place, one.at, "in ", tail),
        }
    }

    /// Writes a place. `mark` comes before its kind.
    fn row(&mut self, level: usize, place: &Place, line: u32, mark: &str, tail: &str) {
        let indent = "  ".repeat(level);
        let kind = format!("{mark}{}", labels::around(&place.kind, &place.symbol));
        if self.is_markdown {
            let at =
                self.link(&place.path, &format!("{}:{line}", visible_path(&place.path)), Some((line, line)));
            let symbol = if place.symbol.is_empty() { String::new() } else { code(&visible(&place.symbol)) };
            let tail = if tail.is_empty() { String::new() } else { format!(" — {}", escaped(tail)) };
            let indent = "  ".repeat(level.saturating_sub(1));
            let what = format!("{kind} {symbol}");
            let _ = writeln!(self.out, "{indent}- {at} {}{tail}", what.trim_end());
        } else {
            let at = self.paint.place(&place.path, line);
            let kind = self.paint.text(&kind, FAINT);
            let symbol = self.paint.text(&visible(&place.symbol), SYMBOL);
            let tail = if tail.is_empty() { String::new() } else { format!("  {tail}") };
            let text = format!("{indent}{at}: {kind} {symbol}");
            let _ = writeln!(self.out, "{}{tail}", text.trim_end());
        }
    }

    fn remark(&mut self, level: usize, text: &str) {
        let _ = if self.is_markdown {
            writeln!(self.out, "{}- {}", "  ".repeat(level.saturating_sub(1)), escaped(text))
        } else {
            writeln!(self.out, "{}{}", "  ".repeat(level), self.paint.text(text, FAINT))
        };
    }

    /// A link to a place after the change, or its text.
    fn link(&self, path: &str, text: &str, lines: LinkLines) -> String {
        match (self.report.forge, self.impact.new.or(self.impact.old)) {
            (Some(forge), Some(commit)) => {
                format!("[{}]({})", code(text), forge.link(&commit.to_string(), &named_path(path), lines))
            }
            _ => code(text),
        }
    }

    fn signatures(&mut self, one: &ImpactSubject) {
        let [old, new] = &one.signatures;
        if old == new || old.is_empty() || new.is_empty() || !one.changes.contains(&"signature") {
            return;
        }
        if self.is_markdown {
            let old = visible(old);
            let new = visible(new);
            let fence = fence(&format!("{old}\n{new}"));
            let _ = writeln!(self.out, "  {fence}diff\n  - {old}\n  + {new}\n  {fence}");
        } else {
            for (sign, text, style) in [('-', old, BAD), ('+', new, GOOD)] {
                let line = format!("{sign} {}", visible(text));
                let _ = writeln!(self.out, "    {}", self.paint.text(&line, style));
            }
        }
    }

    fn breaking(&mut self) {
        let impact = self.impact;
        let mut asked: Vec<&ImpactSubject> = impact.subjects.iter().filter(|one| one.is_asked()).collect();
        if !asked.is_empty() {
            let n_certain = |one: &ImpactSubject| one.callers.iter().filter(|one| one.certain).count();
            asked.sort_by_key(|one| std::cmp::Reverse((n_certain(one), one.callers.len())));
            return self.asked(&asked);
        }
        let mut list: Vec<&ImpactSubject> = impact.of_risk(Risk::Breaking).collect();
        list.sort_by_key(|one| std::cmp::Reverse((one.n_broken(false), one.n_broken(true))));
        let (breaking, harmless): (Vec<_>, Vec<_>) = list.into_iter().partition(|one| one.may_break());
        self.with_callers("may break callers", &breaking);
        self.with_callers("removed or changed, but no known caller breaks", &harmless);
    }

    /// Lists declarations, each with its callers.
    fn with_callers(&mut self, heading: &str, list: &[&ImpactSubject]) {
        if list.is_empty() {
            return;
        }
        self.heading(heading);
        for one in list.iter().take(self.n_callers) {
            let what = summary(one);
            self.item(1, &one.place, &what);
            self.signatures(one);
            self.callers_of(2, one);
        }
        self.more_of(1, list.len(), self.n_callers);
    }

    /// Lists the callers of the declarations that were asked for.
    fn asked(&mut self, list: &[&ImpactSubject]) {
        for one in list.iter().take(self.n_callers) {
            let place = &one.place;
            let (kind, line) = (&place.kind, place.line);
            let at = format!("{}:{line}", visible_path(&place.path));
            let symbol = visible(&place.symbol);
            let title = match self.is_markdown {
                true => {
                    let at = self.link(&place.path, &at, Some((line, line)));
                    format!("callers of {kind} {} ({at})", code(&symbol))
                }
                false => format!("callers of {kind} {symbol} ({at})"),
            };
            self.heading(&title);
            self.callers_of(1, one);
        }
        let n_more = list.len().saturating_sub(self.n_callers);
        if n_more > 0 {
            let more = counted(n_more, "more declaration", "more declarations");
            self.remark(0, &format!("and {more}{}", self.raise(self.n_callers)));
        }
    }

    /// Lists the callers of a declaration.
    fn callers_of(&mut self, level: usize, one: &ImpactSubject) {
        for caller in one.callers.iter().take(self.n_callers) {
            self.caller(level, caller, &reason(caller));
        }
        self.more_of(level, one.callers.len(), self.n_callers);
        if one.callers_in_change > 0 {
            let n = counted(one.callers_in_change, "caller is", "callers are");
            self.remark(level, &format!("{n} in the change itself"));
        }
        if one.unsearched {
            self.remark(level, "its callers were not searched for");
        } else if one.callers.is_empty() && one.callers_in_change == 0 && !is_data(&one.place.kind) {
            self.remark(level, "no caller is known");
        }
        if !one.unresolved.is_empty() {
            self.remark(level, &unresolved(&one.unresolved, self.n_callers));
        }
    }

    fn behaviour(&mut self) {
        let impact = self.impact;
        let list: Vec<&ImpactSubject> =
            impact.subjects.iter().filter(|one| one.may_behave_differently()).collect();
        if list.is_empty() {
            return;
        }
        self.heading("may behave differently");
        for one in list.iter().take(self.limit) {
            let guesses = one.callers.iter().filter(|one| !one.certain).count();
            let mut what = summary(one);
            let _ = match one.unsearched {
                true => write!(what, "; its callers were not searched for"),
                false => write!(what, "; {}", counted(one.callers.len(), "caller", "callers")),
            };
            if guesses > 0 {
                let _ = write!(what, ", {}", counted(guesses, "of them a guess", "of them guesses"));
            }
            self.item(1, &one.place, &what);
        }
        self.more(1, list.len());
    }

    fn farther(&mut self) {
        if self.impact.farther.is_empty() {
            return;
        }
        self.heading("indirect callers");
        for one in self.impact.farther.iter().take(self.limit) {
            self.caller(1, one, &steps(one));
        }
        self.more(1, self.impact.farther.len());
    }

    /// Lists each test once: by its file if the change edits tests there.
    fn tests(&mut self) {
        let impact = self.impact;
        let mut files: BTreeMap<&str, usize> = BTreeMap::new();
        for one in impact.subjects.iter().filter(|one| one.is_changed_test()) {
            *files.entry(&one.place.path).or_default() += 1;
        }
        let is_in_file = |one: &&ImpactCaller| files.contains_key(one.place.path.as_str());
        let (inside, outside): (Vec<_>, Vec<_>) = impact.tests.iter().partition(is_in_file);
        if files.is_empty() && outside.is_empty() {
            return;
        }
        self.heading("run these tests");
        for (path, n) in files.iter().take(self.limit) {
            let mut what = format!("{} changed", counted(*n, "test", "tests"));
            let n = inside.iter().filter(|one| one.place.path == **path).count();
            if n > 0 {
                let others = counted(n, "other reaches", "others reach");
                let _ = write!(what, ", {others} a changed declaration");
            }
            let path = visible_path(path).into_owned();
            let _ = match self.is_markdown {
                true => writeln!(self.out, "- {}: {what}", code(&path)),
                false => writeln!(self.out, "  {path}: {what}"),
            };
        }
        self.more(1, files.len());
        for one in outside.iter().take(self.limit) {
            // To run a test, one needs its declaration.
            self.item(1, &one.place, &steps(one));
        }
        self.more(1, outside.len());
    }

    /// Names changed test code that is not a test.
    fn test_code(&mut self) {
        let is_named = |one: &&ImpactSubject| {
            one.test && one.change.is_some() && one.risk != Risk::Breaking && !one.is_changed_test()
        };
        self.changed("changed helpers and data of tests", &is_named);
    }

    /// Names what can do nothing to callers.
    fn rest(&mut self) {
        let is_named = |one: &&ImpactSubject| !one.test && one.risk == Risk::None && one.change.is_some();
        self.changed("new, or changed without effect on other code", &is_named);
    }

    /// Lists changed declarations without their callers.
    fn changed(&mut self, heading: &str, is_named: &dyn Fn(&&ImpactSubject) -> bool) {
        let impact = self.impact;
        let list: Vec<&ImpactSubject> = impact.subjects.iter().filter(is_named).collect();
        if list.is_empty() {
            return;
        }
        self.heading(heading);
        for one in list.iter().take(self.limit) {
            let what = summary(one);
            self.item(1, &one.place, &what);
        }
        self.more(1, list.len());
    }

    fn mentions(&mut self) {
        let impact = self.impact;
        if impact.mentions.is_empty() {
            return;
        }
        self.heading("documents and settings that mention these declarations");
        for one in impact.mentions.iter().take(self.limit) {
            let at = format!("{}:{}", visible_path(&one.path), one.line);
            let name = visible(&one.name).into_owned();
            let _ = if self.is_markdown {
                let at = self.link(&one.path, &at, Some((one.line, one.line)));
                writeln!(self.out, "- {at} {}", code(&name))
            } else {
                writeln!(self.out, "  {}: {name}", self.paint.text(&at, PATH))
            };
        }
        self.more(1, impact.mentions.len());
    }

    fn companions(&mut self) {
        let impact = self.impact;
        if impact.companions.is_empty() {
            return;
        }
        let (n, all) = (impact.n_commits, counted(impact.n_searched, "commit", "commits"));
        let of = if n == impact.n_searched { String::new() } else { format!("{n} of ") };
        self.heading(&format!("usually change too (from {of}the last {all})"));
        for one in impact.companions.iter().take(self.limit) {
            let (path, with) = (visible_path(&one.path).into_owned(), visible_path(&one.with).into_owned());
            let (path, with) = match self.is_markdown {
                true => (self.link(&one.path, &path, None), code(&with)),
                false => (self.paint.text(&path, PATH), with),
            };
            let (mark, together, of) = (if self.is_markdown { "- " } else { "  " }, one.together, one.of);
            let _ = writeln!(self.out, "{mark}{path}: in {together} of the {of} commits that changed {with}");
        }
        self.more(1, impact.companions.len());
    }

    fn more(&mut self, level: usize, n: usize) {
        self.more_of(level, n, self.limit);
    }

    fn more_of(&mut self, level: usize, n: usize, limit: usize) {
        if n > limit {
            self.remark(level, &format!("and {} more{}", n - limit, self.raise(limit)));
        }
    }

    /// Returns the advice to raise the limit of a list, unless the budget cut it before that.
    fn raise(&self, limit: usize) -> String {
        let flag = self.report.limit_flag;
        let is_cut_by_limit = limit >= self.report.limit && !self.is_markdown && !flag.is_empty();
        if is_cut_by_limit { format!("; raise {flag}") } else { String::new() }
    }
}

/// What happened to a subject.
fn summary(one: &ImpactSubject) -> String {
    let was = one.was.as_ref().filter(|was| was.path == one.place.path);
    let is_renamed = was.is_some_and(|was| is_other_name(symbol_and_name(was), symbol_and_name(&one.place)));
    let mut what = match one.change {
        Some("changed") | None => one.changes.join(", "),
        Some(change) if one.changes.is_empty() => change.to_owned(),
        Some(change) => {
            // A declaration that got another name in its file did not move.
            let change = Some(change).filter(|change| *change != "moved" || !is_renamed);
            let further =
                one.changes.iter().copied().filter(|what| *what != "moved" && Some(*what) != change);
            change.into_iter().chain(further).collect::<Vec<_>>().join(", ")
        }
    };
    if let Some(was) = &one.was {
        let symbol = visible(&was.symbol);
        let _ = match is_renamed {
            true => write!(what, " (was {symbol})"),
            false => write!(what, " (was {}:{} {symbol})", visible_path(&was.path), was.line),
        };
    }
    what
}

fn symbol_and_name(place: &Place) -> [&str; 2] {
    [&place.symbol, last_name(place)]
}

/// Most paths in one line.
const PATHS: usize = 3;

/// Says which files contain a name that could not be resolved there.
fn unresolved(paths: &[String], limit: usize) -> String {
    let shown: Vec<String> = paths.iter().map(|path| visible_path(path).into_owned()).collect();
    unresolved_list(&shown, limit.min(PATHS))
}

/// How far away a caller is, and by which way.
fn steps(one: &ImpactCaller) -> String {
    let steps = counted(one.distance, "step", "steps");
    let via = if one.via.is_empty() { String::new() } else { format!(", via {}", visible(&one.via)) };
    let doubt = if one.certain { "" } else { ", a guess" };
    format!("({steps}{via}{doubt})")
}

/// The evidence for a caller.
fn reason(one: &ImpactCaller) -> String {
    let now = one.now.as_ref().map(|now| {
        format!("; now refers to {}:{} {}", visible_path(&now.path), now.line, visible(&now.symbol))
    });
    let how = relations::reason(one.relation, one.how, one.certain, one.test);
    format!("({how}{})", now.unwrap_or_default())
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
