//! What a change affects beyond its lines: a range of commits, the edits of the working tree or a
//! declaration → an [`Impact`].
//!
//! Owns the question ([`ImpactQuery`]) and the answer. `subject` lists what changed, `walk` follows
//! references back from it, `later` looks at what old callers mean after the change, `test_case`
//! tells tests from other test code, `mention` finds documents that name it, and `companions` finds
//! files that usually change with it.
//!
//! Callers are looked for in the index of the commit *before* the change: a caller that the change
//! did not touch still says what it said then, and a name that is gone can only be found there. A
//! call with the old number of arguments would not even count as one afterwards.
//!
//! Invariants:
//! - Each caller says whether it is certain. A caller at a distance is certain only if each step to
//!   it is.
//! - A declaration that the change touched is not a caller outside of the change.
//! - All bounds that were reached are in [`Impact::notes`].

mod companions;
mod compatible;
mod constructors;
mod later;
mod members;
mod mention;
mod report;
mod risk;
mod sight;
mod subject;
mod test_case;
mod walk;

use bstr::BString;
use serde::Serialize;

use crate::base::id::ObjectId;
use crate::base::progress::{Phase, Task};
use crate::base::text::quoted;
use crate::index::Indexer;
use crate::search::graph::{Evidence, Graph};
use crate::search::query::Sources;
use crate::search::segment::path_flags;
use crate::search::{Error, Result, Searcher, Target};

use super::diff::{Comparison, comparison, is_data};
use super::prototypes::without_prototypes;
use super::relations::reader::Reader;
use super::relations::{Place, RelationQuery, RepositoryDeclaration, graphs_of};

pub use report::{ImpactReport, impact_json, impact_markdown, impact_text};

/// Default and maximum of [`ImpactQuery::depth`].
const DEPTH: usize = 3;
const MAX_DEPTH: usize = 8;
/// Most declarations whose callers are looked for, unless [`ImpactQuery::every_breaking`] is set.
const MOST_SUBJECTS: usize = 400;
/// Most declarations for which code that names them is looked for without a resolved reference.
const MOST_UNRESOLVED: usize = 100;

/// What an impact is asked of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImpactScope {
    /// The differences between two commits, the older one first.
    Range([ObjectId; 2]),
    /// The uncommitted changes of the working tree.
    Worktree,
    /// The differences between a commit and the working tree.
    Since(ObjectId),
    /// The declarations that a symbol means, as if they changed.
    Declaration {
        /// Where they are.
        target: Target,
        /// `name`, `Type.name`, `path:name` or `path:line`.
        symbol: String,
    },
}

/// A question about the impact of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImpactQuery {
    /// The change.
    pub scope: ImpactScope,
    /// Only files that match these pathspecs count as changed; none: all.
    pub pathspecs: Vec<String>,
    /// How far callers are followed, from 1 to 8.
    pub depth: usize,
    /// Whether guesses are left out.
    pub certain: bool,
    /// Whether callers of all declarations that may break callers are looked for, however many
    /// these are.
    pub every_breaking: bool,
}

impl ImpactQuery {
    /// Asks for the impact of a change, three steps far, with guesses.
    pub fn new(scope: ImpactScope) -> Self {
        Self { scope, pathspecs: Vec::new(), depth: DEPTH, certain: false, every_breaking: false }
    }

    /// Sets which files count as changed.
    #[must_use]
    pub fn with_pathspecs(mut self, pathspecs: Vec<String>) -> Self {
        self.pathspecs = pathspecs;
        self
    }

    /// Sets how far callers are followed, from 1 to 8.
    #[must_use]
    pub fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth.clamp(1, MAX_DEPTH);
        self
    }

    /// Sets whether guesses are left out.
    #[must_use]
    pub fn with_certain(mut self, certain: bool) -> Self {
        self.certain = certain;
        self
    }

    /// Sets whether callers of all declarations that may break callers are looked for. Without it,
    /// a large change has callers that are unknown. The time grows with the change.
    #[must_use]
    pub fn with_every_breaking(mut self, every_breaking: bool) -> Self {
        self.every_breaking = every_breaking;
        self
    }
}

/// What the change of a declaration can do to its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// They may not build or run any more: it is gone, or its name or place differs, or its
    /// signature no longer allows what they do.
    Breaking,
    /// They may behave differently: its body, its annotations or a default value differ.
    Behaviour,
    /// Nothing: it is new, or only its documentation, its layout or words of its signature that
    /// callers don't see differ.
    None,
}

impl Risk {
    /// Returns its name, for people and programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Behaviour => "behaviour",
            Self::None => "none",
        }
    }
}

/// The title of the impact of edits. Any other title is a range or a name.
pub const UNCOMMITTED: &str = "the uncommitted changes";

/// A declaration that changed, or that was asked for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ImpactSubject {
    /// Where it is, or was if it is gone.
    #[serde(flatten)]
    pub place: Place,
    /// Where it was before, if that is another place or name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<Place>,
    /// `added`, `changed`, `moved` or `removed`; absent for a declaration that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<&'static str>,
    /// What differs: `signature`, `body`, `documentation`, …
    pub changes: Vec<&'static str>,
    /// What that can do to callers; nothing for a declaration that was asked for.
    pub risk: Risk,
    /// Its signature before and after; empty where it is not there.
    pub signatures: [String; 2],
    /// Whether its signature alone breaks no caller.
    #[serde(skip)]
    pub(super) keeps_calls: bool,
    /// Whether it is in test code.
    pub test: bool,
    /// Direct callers outside of the change, certain ones first.
    pub callers: Vec<ImpactCaller>,
    /// Number of direct callers that the change touched as well.
    pub callers_in_change: usize,
    /// Whether its callers were not looked for, because too many declarations changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unsearched: bool,
    /// Files of code outside the change that contain its name, though no reference there could be
    /// resolved. Only for a change that may break callers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<String>,
}

impl ImpactSubject {
    /// Returns how many callers outside of the change are likely to break: certain ones of a
    /// declaration whose change is breaking, that mean nothing else now; with `guesses`, also those
    /// that are a guess.
    pub fn n_broken(&self, guesses: bool) -> usize {
        if self.risk != Risk::Breaking {
            return 0;
        }
        self.callers.iter().filter(|one| one.now.is_none() && (guesses || one.certain)).count()
    }

    /// Returns whether it did not change: it was asked for.
    fn is_asked(&self) -> bool {
        self.change.is_none()
    }

    /// Returns whether a caller outside of the change may break, guesses included.
    fn may_break(&self) -> bool {
        self.n_broken(true) > 0
    }

    /// Returns whether it may behave differently. Tests are listed as tests. What moved or got
    /// another name, and does something else there, is felt by the callers that still find it.
    fn may_behave_differently(&self) -> bool {
        let is_other = || self.changes.iter().any(|what| matches!(*what, "body" | "annotations"));
        let is_found = || self.callers.iter().any(|one| one.now.is_some());
        let is_felt = self.risk == Risk::Behaviour || self.risk == Risk::Breaking && is_other() && is_found();
        is_felt && !self.test
    }

    /// Returns whether it is a test that the change edits. A function that others call is a helper.
    fn is_changed_test(&self) -> bool {
        let is_there = self.change.is_some_and(|change| change != "removed");
        let is_called = !self.callers.is_empty() || self.callers_in_change > 0;
        let is_helper = is_called && self.place.kind != "test";
        self.test && is_there && !is_helper && test_case::is_test_case(&self.place)
    }
}

/// A place that refers to a changed declaration, directly or at a distance.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ImpactCaller {
    /// The declaration that refers to it, at its present lines.
    #[serde(flatten)]
    pub place: Place,
    /// The line of the reference.
    pub at: u32,
    /// The kind of reference: `call`, `type`, `inherits`, `import`, …
    pub relation: &'static str,
    /// The evidence for it.
    pub how: Evidence,
    /// Whether it is certain, with every step on the way; otherwise it is a guess.
    pub certain: bool,
    /// Number of steps: 1 is a direct caller.
    pub distance: usize,
    /// What it refers to on the way, above distance 1.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub via: String,
    /// Whether it is in test code.
    pub test: bool,
    /// What the reference means after the change, if that is certain: the caller goes on working.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now: Option<Place>,
}

/// A document or a setting that names a changed declaration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct ImpactMention {
    /// The file.
    pub path: String,
    /// The first line with the name.
    pub line: u32,
    /// The name.
    pub name: String,
}

/// A file that usually changed together with a changed one, and did not this time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ImpactCompanion {
    /// The file.
    pub path: String,
    /// The changed file.
    pub with: String,
    /// Number of commits that changed both.
    pub together: usize,
    /// Number of commits that changed the changed file.
    pub of: usize,
}

/// What a change touches.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct Impact {
    /// The commit before the change; the one that was searched, for a declaration.
    #[serde(skip)]
    pub old: Option<ObjectId>,
    /// The commit after the change; `None` for the working tree and for a declaration.
    #[serde(skip)]
    pub new: Option<ObjectId>,
    /// Number of files that differ. One that moved counts once.
    pub n_files: usize,
    /// Whether a file that differs could not be compared, so that what changed in it is unknown.
    pub incomplete: bool,
    /// The declarations, those with the highest risk first. Code comes before test code, and that
    /// before documents and settings. Then by place.
    pub subjects: Vec<ImpactSubject>,
    /// Callers at a distance of two and more, certain ones first, the nearest first.
    pub farther: Vec<ImpactCaller>,
    /// Tests outside of the change that reach a changed declaration, certain ones first, the
    /// nearest first.
    pub tests: Vec<ImpactCaller>,
    /// Documents and settings, by path.
    pub mentions: Vec<ImpactMention>,
    /// Files that usually change together, the surest first.
    pub companions: Vec<ImpactCompanion>,
    /// Number of commits in which `companions` were counted, of the last `n_searched`.
    pub n_commits: usize,
    /// Number of the last commits that were looked at. Merges and large ones were not counted.
    pub n_searched: usize,
    /// Limits of the answer, for people.
    pub notes: Vec<String>,
}

impl Impact {
    /// Returns how many callers outside of the change are likely to break; see
    /// [`ImpactSubject::n_broken`].
    pub fn n_broken(&self, guesses: bool) -> usize {
        self.subjects.iter().map(|one| one.n_broken(guesses)).sum()
    }

    /// Returns how many changed declarations have a caller that may break, guesses included.
    pub fn n_breaking(&self) -> usize {
        self.subjects.iter().filter(|one| one.may_break()).count()
    }

    /// Returns how many changed declarations may behave differently, tests aside.
    pub fn n_behaviour(&self) -> usize {
        self.subjects.iter().filter(|one| one.may_behave_differently()).count()
    }

    /// Changes all paths, as answers about several repositories do.
    pub fn map_paths(&mut self, map: &dyn Fn(&str) -> String) {
        fn place(at: &mut Place, map: &dyn Fn(&str) -> String) {
            at.path = map(&at.path);
        }
        let caller = |one: &mut ImpactCaller| {
            place(&mut one.place, map);
            one.now.iter_mut().for_each(|now| place(now, map));
        };
        for one in &mut self.subjects {
            place(&mut one.place, map);
            one.was.iter_mut().for_each(|was| place(was, map));
            one.callers.iter_mut().for_each(caller);
            one.unresolved.iter_mut().for_each(|path| *path = map(path));
        }
        self.farther.iter_mut().for_each(caller);
        self.tests.iter_mut().for_each(caller);
        self.mentions.iter_mut().for_each(|one| one.path = map(&one.path));
        for one in &mut self.companions {
            (one.path, one.with) = (map(&one.path), map(&one.with));
        }
    }

    /// Returns the subjects of a risk.
    pub fn of_risk(&self, risk: Risk) -> impl Iterator<Item = &ImpactSubject> {
        self.subjects.iter().filter(move |one| one.risk == risk)
    }
}

/// Finds what a change touches. Commits are indexed first if necessary.
///
/// # Errors
/// As [`super::diff()`] and [`Searcher::open`]; [`Error::Git`] before the first commit.
pub fn impact(indexer: &Indexer, query: &ImpactQuery, task: Task<'_>) -> Result<Impact> {
    let repo = indexer.repo();
    let (target, comparison) = match &query.scope {
        ImpactScope::Declaration { target, .. } => (target.clone(), None),
        ImpactScope::Range([old, new]) => {
            let found = compared(indexer, *old, Some(*new), query, task)?;
            (Target::Commit(*old), Some(found))
        }
        ImpactScope::Worktree | ImpactScope::Since(_) => {
            let old = match query.scope {
                ImpactScope::Since(old) => old,
                _ => repo.resolve("HEAD")?,
            };
            let found = compared(indexer, old, None, query, task)?;
            (Target::Commit(old), Some(found))
        }
    };
    let searcher = Searcher::open(indexer, &target, task)?;
    let read = |searcher: &Searcher| analyse(indexer, searcher, query, comparison.as_ref(), task);
    let (impact, _) = searcher.with_repair(indexer, task, read, |error: &Error| Some(error))?;
    Ok(impact)
}

/// Compares both sides of a change. Prototypes count with their definitions.
fn compared(
    indexer: &Indexer,
    old: ObjectId,
    new: Option<ObjectId>,
    query: &ImpactQuery,
    task: Task<'_>,
) -> Result<Comparison> {
    let mut found = comparison(indexer, old, new, &query.pathspecs, task)?;
    found.declarations = without_prototypes(found.declarations);
    Ok(found)
}

/// Finds what a change touches, in the index of the commit before it.
fn analyse(
    indexer: &Indexer,
    searcher: &Searcher,
    query: &ImpactQuery,
    comparison: Option<&Comparison>,
    task: Task<'_>,
) -> Result<Impact> {
    let mut impact = Impact { old: searcher.commit(), ..Impact::default() };
    if let ImpactScope::Range([_, new]) = query.scope {
        impact.new = Some(new);
    }
    let index = searcher.index();
    let indexes = [index];
    let graphs = graphs_of(&[searcher], &indexes);
    let Some(graph) = graphs.graph(0) else { return Ok(impact) };
    let (mut subjects, mut sources) = match (&query.scope, comparison) {
        (ImpactScope::Declaration { symbol, .. }, _) => subject::named(graph, symbol, &mut impact.notes)?,
        (_, Some(comparison)) => subject::changed(graph, comparison, query, &mut impact.notes),
        (_, None) => return Ok(impact),
    };
    if let ImpactScope::Declaration { symbol, .. } = &query.scope {
        let members = subject::members(searcher, &graphs, symbol, query.certain)?;
        if !members.is_empty() {
            (subjects, sources) = (members, Vec::new());
            let callers = subjects.iter().flat_map(|one| &one.callers);
            impact.tests = callers.filter(|one| one.test).cloned().collect();
        }
    }
    if let Some(comparison) = comparison {
        let members = members::removed(searcher, &graphs, comparison, query, &mut impact.notes, task)?;
        let callers = members.iter().flat_map(|one| &one.callers);
        impact.tests = callers.filter(|one| one.test).cloned().collect();
        subjects.extend(members);
    }
    impact.n_files = comparison.map_or(0, |comparison| comparison.n_files);
    impact.incomplete = comparison.is_some_and(|comparison| comparison.is_incomplete);
    impact.notes.extend(comparison.into_iter().flat_map(|comparison| comparison.notes.clone()));
    let relations = RelationQuery::new("");
    let mut reader = Reader::new(graphs, vec![searcher as &dyn Sources], &relations);
    let phase = Phase::begin_unbounded(task.progress, "following references", "declarations");
    let walk = walk::Walk::new(&mut reader, comparison, query, task);
    let mut reach = walk.run(&sources)?;
    drop(phase);
    if comparison.is_some() {
        later::resolve(indexer, query, (&subjects, &sources), &mut reach, task)?;
    }
    for (at, callers) in std::mem::take(&mut reach.direct) {
        if let Some(subject) = subjects.get_mut(at) {
            subject.callers = callers;
            // A guess must be possible.
            let is_of_crate = is_of_one_crate(&subject.place.path, &subject.signatures[0]);
            subject.callers.retain(|one| one.certain || !is_of_crate || !is_other_crate(&one.place.path));
        }
    }
    for (at, n) in &reach.n_inside {
        if let Some(subject) = subjects.get_mut(*at) {
            subject.callers_in_change = *n;
        }
    }
    for source in sources.iter().filter(|source| source.is_outer) {
        // A new member of a type that nobody implements is like any other one.
        let subject = subjects.get_mut(source.subject);
        if let Some(subject) = subject.filter(|one| one.callers.is_empty() && one.callers_in_change == 0) {
            subject.risk = Risk::None;
        }
    }
    sources.retain(|source| !source.is_outer);
    unresolved(&mut reader, &sources, comparison, &mut subjects, &mut impact.notes)?;
    if let Some(graph) = reader.graphs().graph(0) {
        impact.mentions = mention::mentions(searcher, graph, &sources, comparison, &mut impact.notes)?;
    }
    subjects.sort_by_key(|one| (one.risk, is_data(&one.place.kind), one.test));
    impact.subjects = subjects;
    impact.farther = reach.farther;
    impact.tests.retain(|one| reach.tests.iter().all(|known| known.place != one.place));
    impact.tests.append(&mut reach.tests);
    impact.notes.append(&mut reach.notes);
    companions::add(searcher, query, comparison, &mut impact, task)?;
    impact.notes.extend(searcher.warnings.iter().cloned());
    Ok(impact)
}

/// Adds the files of code that contain the name of a declaration that may break callers, though no
/// reference there could be resolved.
fn unresolved(
    reader: &mut Reader<'_, '_, '_>,
    sources: &[walk::Source],
    comparison: Option<&Comparison>,
    subjects: &mut [ImpactSubject],
    notes: &mut Vec<String>,
) -> Result<()> {
    let breaking: Vec<&walk::Source> = sources
        .iter()
        .filter(|source| {
            subjects.get(source.subject).is_some_and(|one| one.risk == Risk::Breaking || one.is_asked())
        })
        .collect();
    for source in breaking.iter().take(MOST_UNRESOLVED) {
        let mut paths = reader.mentioned_paths(source.at.0, &[source.at.1])?;
        let index = reader.graphs().graph(source.at.0).map(Graph::index);
        paths.retain(|path| {
            let is_touched = comparison.is_some_and(|comparison| comparison.paths.contains(path));
            let language =
                index.and_then(|index| index.file_by_path(path.as_ref())).map(|file| file.language());
            !is_touched && language.is_some_and(|language| !mention::is_no_code(language))
        });
        if let Some(subject) = subjects.get_mut(source.subject) {
            subject.unresolved = paths.into_iter().map(|path| quoted(path.as_ref()).into_owned()).collect();
        }
    }
    if breaking.len() > MOST_UNRESOLVED {
        let n = breaking.len();
        notes.push(format!(
            "unresolved references were looked up for only {MOST_UNRESOLVED} of {n} declarations"
        ));
    }
    Ok(())
}

/// Returns whether only its own crate may use a declaration of Rust with this signature. The
/// methods of a trait say nothing of it.
fn is_of_one_crate(path: &str, signature: &str) -> bool {
    path.ends_with(".rs") && signature.starts_with("pub(")
}

/// Returns whether a file of Rust is, or is a part of, a crate of its own beside the library: a
/// test, a benchmark or an example.
fn is_other_crate(path: &str) -> bool {
    let mut folders = path.split('/').take_while(|folder| *folder != "src");
    path.ends_with(".rs") && folders.any(|folder| matches!(folder, "tests" | "benches" | "examples"))
}

/// Returns the last segment of a symbol path.
fn last_name(place: &Place) -> &str {
    place.symbol.rsplit(['.', ':', '\\', '#']).next().unwrap_or(&place.symbol)
}

/// Returns whether a path is that of a test.
fn is_test_path(path: &BString) -> bool {
    path_flags(path.as_ref()).is_test()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integration_test_is_a_crate_of_its_own() {
        assert!(
            is_of_one_crate("src/a.rs", "pub(crate) fn f()") && !is_of_one_crate("src/a.rs", "pub fn f()")
        );
        for (path, expected) in
            [("tests/a.rs", true), ("a/benches/b/c.rs", true), ("src/tests/a.rs", false), ("src/a.rs", false)]
        {
            assert_eq!(is_other_crate(path), expected, "{path}");
        }
    }
}
