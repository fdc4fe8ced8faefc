//! Compares the edges of an index with those of an oracle.
//!
//! Both sides give lines. A line stands for the innermost declaration around it, or for the rest of
//! its file. What a declaration says of itself does not count.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use git_cora::search::graph::Evidence;
use git_cora::search::segment::Index;
use git_cora::{Relation, RelationQuery, Searcher};

use super::oracle::{Declaration, Line, Rows};
use super::{declared, receiver};
use xtask_lab::random::Random;

/// Most places of a declaration that are looked at.
const MAX_PLACES: usize = 2000;

/// The evidence of edges that no line of the source states.
const NOT_WRITTEN: [Evidence; 2] = [Evidence::MethodSet, Evidence::Fixture];

/// Numbers of edges.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// Those that both have.
    pub(super) right: usize,
    /// Those that the index has as guesses, and that the oracle calls possible: a call of an
    /// interface's method, for a method that implements it.
    pub(super) possible: usize,
    /// Those that only the index has.
    pub(super) wrong: usize,
    /// Those that only the oracle has.
    pub(super) missing: usize,
    /// As `right`, of those that are certain.
    pub(super) certain_right: usize,
    /// As `wrong`, of those that are certain.
    pub(super) certain_wrong: usize,
}

impl Count {
    /// Returns the number of edges that the oracle has.
    pub(super) fn expected(&self) -> usize {
        self.right + self.missing
    }

    /// Returns the number of edges that the index has.
    pub(super) fn given(&self) -> usize {
        self.right + self.possible + self.wrong
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.possible += other.possible;
        self.right += other.right;
        self.wrong += other.wrong;
        self.missing += other.missing;
        self.certain_right += other.certain_right;
        self.certain_wrong += other.certain_wrong;
    }
}

/// In which way the index differs from the oracle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Difference {
    CertainWrong,
    Wrong,
    Missing,
}

/// The comparison of a checkout.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Declarations that were asked for.
    pub(super) n_asked: usize,
    /// Those that the index has.
    pub(super) n_found: usize,
    /// The edges by how the name is written.
    pub(super) by_receiver: BTreeMap<&'static str, Count>,
    /// The edges by what the name refers to.
    pub(super) by_declaration: BTreeMap<&'static str, Count>,
    /// The edges by where that is.
    pub(super) by_place: BTreeMap<&'static str, Count>,
    /// The differences, in words.
    pub(super) differences: Vec<(Difference, String)>,
}

impl Outcome {
    pub(super) fn total(&self) -> Count {
        let mut total = Count::default();
        self.by_receiver.values().for_each(|one| total.add(one));
        total
    }
}

/// Returns a sample of `most` items, the same on each run.
pub(super) fn sample<T>(mut all: Vec<T>, most: usize) -> Vec<T> {
    Random::new(42).shuffle(&mut all);
    all.truncate(most);
    all
}

/// Compares the edges of at most `most` declarations.
pub(super) fn compare(searcher: &Searcher, rows: &Rows, most: usize) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    let index = searcher.index();
    // Generated files are not indexed.
    let is_indexed = |path: &String| {
        index.file_by_path(path.as_bytes().into()).is_some_and(|file| file.declarations().next().is_some())
    };
    let files: BTreeSet<&String> = rows.files.iter().filter(|path| is_indexed(path)).collect();
    let asked = rows.uses.iter().filter(|(of, _)| files.contains(&of.at.0)).collect();
    for (of, uses) in sample(asked, most) {
        outcome.n_asked += 1;
        let query = RelationQuery::new(format!("{}:{}", of.at.0, of.at.1))
            .with_relations(BTreeSet::from([Relation::Callers, Relation::Implementers]))
            .with_limit(MAX_PLACES);
        let found = git_cora::answer::relations(&[searcher], &query)?;
        let last = of.name.rsplit(['.', ':']).next().unwrap_or(&of.name);
        let is_it = |symbol: &str| symbol.rsplit(['.', ':']).next().is_some_and(|name| name == last);
        let Some(symbol) = found.symbols.iter().find(|one| is_it(&one.place.symbol)) else { continue };
        outcome.n_found += 1;
        let itself = (of.at.0.as_str(), of.at.1..=symbol.place.end_line);
        let is_other = |(path, line): &Line| path != itself.0 || !itself.1.contains(line);
        let mut expected: BTreeMap<Line, Line> = BTreeMap::new();
        for line in uses.iter().filter(|line| is_other(line) && files.contains(&line.0)) {
            expected.entry(enclosing(&index, line)).or_insert_with(|| line.clone());
        }
        let possible = rows.possible.get(of).into_iter().flatten();
        let possible: BTreeSet<Line> = possible.map(|line| enclosing(&index, line)).collect();
        let mut given: BTreeMap<Line, (Line, bool)> = BTreeMap::new();
        let lists = [symbol.callers.iter(), symbol.implementers.iter()];
        for item in lists.into_iter().flatten().flat_map(|list| &list.items) {
            // A type of Go that has the methods need not name the interface, and no type checker
            // knows the fixtures of pytest.
            if NOT_WRITTEN.contains(&item.how) {
                continue;
            }
            let line = (item.place.path.clone(), item.at);
            let is_dark = rows.dark.contains(&line) && !expected.contains_key(&enclosing(&index, &line));
            if is_other(&line) && files.contains(&line.0) && !is_dark {
                let known = given.entry(enclosing(&index, &line)).or_insert((line, item.certain));
                known.1 |= item.certain;
            }
        }
        let edges = Edges { expected, possible, given };
        count(searcher, &mut outcome, of, &edges);
    }
    Ok(outcome)
}

/// The edges of a declaration, by the declaration at the other end.
struct Edges {
    /// Those of the oracle, with a line of each.
    expected: BTreeMap<Line, Line>,
    /// Those that the oracle calls possible.
    possible: BTreeSet<Line>,
    /// Those of the index, with a line of each, and whether it is certain.
    given: BTreeMap<Line, (Line, bool)>,
}

fn count(
    searcher: &Searcher,
    outcome: &mut Outcome,
    of: &Declaration,
    Edges { expected, possible, given }: &Edges,
) {
    let written = |line: &Line| {
        let text = searcher.text(line.0.as_bytes().into());
        let nth = (line.1 as usize).saturating_sub(1);
        text.and_then(|text| text.lines().nth(nth).map(str::to_owned)).unwrap_or_default()
    };
    let told = |line: &Line, text: &str| {
        format!("{} ({}:{}) at {}:{}: {}", of.name, of.at.0, of.at.1, line.0, line.1, text.trim())
    };
    let text = searcher.text(of.at.0.as_bytes().into()).unwrap_or_default();
    let kind = declared::kind(&searcher.index(), of, &text.lines().collect::<Vec<_>>());
    let Outcome { by_receiver, by_declaration, by_place, differences, .. } = outcome;
    let mut add = |text: &str, line: &Line, one: Count| {
        by_receiver.entry(receiver::kind(text, &of.name)).or_default().add(&one);
        by_declaration.entry(kind).or_default().add(&one);
        by_place.entry(declared::place(of, line)).or_default().add(&one);
    };
    for (key, (line, is_certain)) in given {
        let is_right = expected.contains_key(key);
        let is_possible = !is_right && !is_certain && possible.contains(key);
        let is_wrong = !is_right && !is_possible;
        let text = written(expected.get(key).unwrap_or(line));
        let one = Count {
            right: usize::from(is_right),
            possible: usize::from(is_possible),
            wrong: usize::from(is_wrong),
            missing: 0,
            certain_right: usize::from(is_right && *is_certain),
            certain_wrong: usize::from(is_wrong && *is_certain),
        };
        add(&text, line, one);
        if is_wrong {
            let kind = if *is_certain { Difference::CertainWrong } else { Difference::Wrong };
            differences.push((kind, told(line, &text)));
        }
    }
    for (_, line) in expected.iter().filter(|(key, _)| !given.contains_key(*key)) {
        let text = written(line);
        add(&text, line, Count { missing: 1, ..Count::default() });
        differences.push((Difference::Missing, told(line, &text)));
    }
}

/// Returns the declaration around a line: its path, and the line of its name, or 0 outside of any.
fn enclosing(index: &Index<'_>, line: &Line) -> Line {
    use git_cora::index::chunk::DeclarationKind;
    let file = index.file_by_path(line.0.as_bytes().into());
    let around = file.into_iter().flat_map(|file| file.declarations().collect::<Vec<_>>());
    let mut around = around.filter(|one| {
        let span = &one.row.span;
        (span.start_line..=span.end_line).contains(&line.1)
            && !matches!(one.row.kind, DeclarationKind::Field | DeclarationKind::Variant)
    });
    (line.0.clone(), around.next_back().map_or(0, |one| one.row.name_line))
}
