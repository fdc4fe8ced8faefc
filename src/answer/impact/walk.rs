//! From changed declarations back along references: sources → callers by distance and certainty.
//!
//! The graph is walked twice: along certain references alone, and along all. So a caller is certain
//! at the distance at which certain steps reach it, even if a guess would reach it sooner. A type
//! that refers to something is listed, and not followed further: everything that names the type
//! would be a caller.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use bstr::ByteSlice;

use crate::answer::relations::reader::{Reader, Referrer};
use crate::answer::view::labels;
use crate::base::progress::Task;
use crate::base::text::{counted, named_path};
use crate::index::chunk::{DeclarationKind, ReferenceKind, is_document};
use crate::search::graph::Graph;
use crate::search::segment::DeclarationView;
use crate::search::{Error, Result};

use super::constructors::{calls_of, constructing};
use super::sight::Sight;
use super::test_case::is_test_case;
use super::{Comparison, ImpactCaller, ImpactQuery, RepositoryDeclaration};

/// Most declarations whose callers are looked for, over all distances. The direct callers of
/// sources are always looked for: their number has a limit of its own.
const MOST_EXPANDED: usize = 600;
/// The ways in which a change is felt.
const KINDS: [ReferenceKind; 3] = [ReferenceKind::Call, ReferenceKind::Type, ReferenceKind::Use];
/// The ways in which a direct caller may break.
const DIRECT: [ReferenceKind; 5] = [
    ReferenceKind::Call,
    ReferenceKind::Type,
    ReferenceKind::Use,
    ReferenceKind::Inherits,
    ReferenceKind::Import,
];

/// Which references to a declaration feel its change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AffectedReferences {
    /// All of them.
    All,
    /// Those that need more than its name: a module that hands the name on does not.
    Uses,
    /// Those that construct an object, by a call or as a supertype.
    Construction,
    /// Calls alone: the parameters of a constructor that a type gets from its fields.
    Calls,
}

impl AffectedReferences {
    /// Returns whether a reference feels the change.
    fn include(self, one: &Referrer) -> bool {
        match self {
            Self::All => true,
            Self::Uses => one.kind != ReferenceKind::Import && one.place.symbol != "__all__",
            Self::Construction => matches!(one.kind, ReferenceKind::Call | ReferenceKind::Inherits),
            Self::Calls => one.kind == ReferenceKind::Call,
        }
    }
}

/// A changed declaration in the index of the commit before the change.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// Its ordinal among the subjects.
    pub(super) subject: usize,
    pub(super) at: RepositoryDeclaration,
    pub(super) name: String,
    /// Which references feel the change.
    pub(super) affected: AffectedReferences,
    /// What still sees it, if the change made it less visible and nothing else.
    pub(super) sight: Option<Sight>,
    /// Whether it is not the subject itself, but the type that got it as an abstract member: those
    /// who implement the type lack the member.
    pub(super) is_outer: bool,
}

/// What refers to the sources.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// By subject, its direct callers outside of the change.
    pub(super) direct: BTreeMap<usize, Vec<ImpactCaller>>,
    /// By subject, the number of its direct callers in the change.
    pub(super) n_inside: BTreeMap<usize, usize>,
    pub(super) farther: Vec<ImpactCaller>,
    pub(super) tests: Vec<ImpactCaller>,
    pub(super) notes: Vec<String>,
}

/// A place by its path and its first byte.
type Key = (String, u32);

/// A place that a walk came to.
struct Step {
    distance: usize,
    /// The symbol that it refers to.
    via: String,
    referrer: Referrer,
}

pub(super) struct Walk<'w, 'r, 'i, 's> {
    reader: &'w mut Reader<'r, 'i, 's>,
    comparison: Option<&'w Comparison>,
    query: &'w ImpactQuery,
    task: Task<'w>,
    known: HashMap<(RepositoryDeclaration, bool), Rc<[Referrer]>>,
    is_cut: bool,
    /// Test code that other test code refers to.
    helpers: HashSet<Key>,
}

impl<'w, 'r, 'i, 's> Walk<'w, 'r, 'i, 's> {
    pub(super) fn new(
        reader: &'w mut Reader<'r, 'i, 's>,
        comparison: Option<&'w Comparison>,
        query: &'w ImpactQuery,
        task: Task<'w>,
    ) -> Self {
        Self {
            reader,
            comparison,
            query,
            task,
            known: HashMap::new(),
            is_cut: false,
            helpers: HashSet::new(),
        }
    }

    pub(super) fn run(mut self, sources: &[Source]) -> Result<Reach> {
        let mut reach = Reach::default();
        let mut near: HashSet<Key> = HashSet::new();
        let mut tests: BTreeMap<Key, ImpactCaller> = BTreeMap::new();
        for source in sources {
            let callers = self.direct(source, &mut reach)?;
            for one in &callers {
                near.extend((!source.is_outer).then(|| one.0.clone()));
                if one.1.test {
                    keep_nearest(&mut tests, one.0.clone(), one.1.clone());
                }
            }
            let callers = callers.into_iter().map(|one| one.1).collect();
            reach.direct.insert(source.subject, callers);
        }
        let starts: Vec<RepositoryDeclaration> =
            sources.iter().filter(|one| !one.is_outer).map(|one| one.at).collect();
        let mut steps = self.spread(&starts, true)?;
        if !self.query.certain {
            for (key, step) in self.spread(&starts, false)? {
                steps.entry(key).or_insert(step);
            }
        }
        for (key, (step, is_certain)) in steps {
            if step.distance < 2 || near.contains(&key) {
                continue;
            }
            let Some(mut caller) = self.caller(&step.referrer) else { continue };
            (caller.distance, caller.via, caller.certain) = (step.distance, step.via, is_certain);
            if caller.test {
                keep_nearest(&mut tests, key, caller);
            } else {
                reach.farther.push(caller);
            }
        }
        let is_helper =
            |key: &Key, one: &ImpactCaller| one.place.kind != "test" && self.helpers.contains(key);
        tests.retain(|key, one| is_test_case(&one.place) && !is_helper(key, one));
        reach.tests = tests.into_values().collect();
        let order = |one: &ImpactCaller| (!one.certain, one.distance, one.place.path.clone(), one.at);
        reach.tests.sort_by_cached_key(order);
        reach.farther.sort_by_cached_key(order);
        if self.is_cut {
            let n = counted(self.known.len(), "declaration", "declarations");
            reach
                .notes
                .push(format!("callers were looked up for only {n}; there may be more indirect callers"));
        }
        Ok(reach)
    }

    /// The direct callers of a source: outside of the change, certain ones first.
    fn direct(&mut self, source: &Source, reach: &mut Reach) -> Result<Vec<(Key, ImpactCaller)>> {
        let mut found: BTreeMap<Key, ImpactCaller> = BTreeMap::new();
        let (mut imports, mut inside) = (Vec::new(), HashSet::new());
        let mut all = self.referrers(source.at, true)?.to_vec();
        if source.affected == AffectedReferences::Calls {
            all.extend(calls_of(self.reader, source.at, false)?);
        }
        for one in all.iter().filter(|one| source.affected.include(one)) {
            if self.query.certain && (source.is_outer || !one.evidence.is_certain()) {
                continue;
            }
            if source.is_outer && one.kind != ReferenceKind::Inherits {
                continue;
            }
            let Some(mut caller) = self.caller(one) else {
                if one.kind != ReferenceKind::Import && inside.insert(key_of(one)) {
                    *reach.n_inside.entry(source.subject).or_default() += 1;
                }
                continue;
            };
            // It may inherit the member from elsewhere, or be abstract itself.
            caller.certain &= !source.is_outer;
            if let Some(sight) = &source.sight {
                match sight.includes(named_path(&caller.place.path).as_bstr(), &caller.place.symbol) {
                    Some(true) => continue,
                    Some(false) => {}
                    None => caller.certain = false,
                }
            }
            if one.kind == ReferenceKind::Import {
                imports.push((key_of(one), caller));
            } else {
                keep_surest(&mut found, key_of(one), caller);
            }
        }
        // An import is only a place of its own in a file that does nothing else with the name.
        for (key, caller) in imports {
            if found.keys().all(|known| known.0 != key.0) {
                keep_surest(&mut found, key, caller);
            }
        }
        let mut found: Vec<(Key, ImpactCaller)> = found.into_iter().collect();
        found.sort_by_cached_key(|(_, one)| (!one.certain, one.test, one.place.path.clone(), one.at));
        Ok(found)
    }

    /// The code that refers to a declaration. Direct callers include those that inherit, replace
    /// or import it.
    fn referrers(&mut self, of: RepositoryDeclaration, is_direct: bool) -> Result<Rc<[Referrer]>> {
        if let Some(known) = self.known.get(&(of, is_direct)) {
            return Ok(Rc::clone(known));
        }
        if self.task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if !is_direct && self.known.len() >= MOST_EXPANDED {
            self.is_cut = true;
            return Ok(Rc::new([]));
        }
        self.task.progress.advance(1);
        let mut found = self.reader.referrers_of(of, if is_direct { &DIRECT } else { &KINDS })?;
        if is_direct {
            found.extend(self.reader.overriders_of(of)?);
            found.extend(self.reader.having_methods_of(of)?);
        }
        found.extend(constructing(self.reader, of)?);
        // An example in a document does not run. `mention` lists the document.
        let index = self.reader.graphs().graph(of.0).map(Graph::index);
        for one in found.iter_mut().filter(|one| !one.is_test) {
            let view = one.at.and_then(|at| self.reader.view(at));
            one.is_test = view.is_some_and(|view| is_in_tests(&view));
        }
        found.retain(|one| {
            let file = index.and_then(|index| index.file_by_path(named_path(&one.place.path).as_bstr()));
            file.is_none_or(|file| !is_document(file.language()))
        });
        let found: Rc<[Referrer]> = found.into();
        self.known.insert((of, is_direct), Rc::clone(&found));
        Ok(found)
    }

    /// All places that references lead back to, each at its least distance.
    fn spread(
        &mut self,
        from: &[RepositoryDeclaration],
        is_certain: bool,
    ) -> Result<BTreeMap<Key, (Step, bool)>> {
        let mut steps: BTreeMap<Key, (Step, bool)> = BTreeMap::new();
        let mut seen: HashSet<RepositoryDeclaration> = from.iter().copied().collect();
        let mut front: Vec<RepositoryDeclaration> = from.to_vec();
        for distance in 1..=self.query.depth {
            let mut next = Vec::new();
            for of in std::mem::take(&mut front) {
                let Some(view) = self.reader.view(of) else { continue };
                let via = view.symbol_path();
                let own_key = (view.file.path().to_string(), view.row.span.bytes.start);
                for one in self.referrers(of, distance == 1)?.iter() {
                    if is_certain && !one.evidence.is_certain() || one.kind == ReferenceKind::Import {
                        continue;
                    }
                    let key = key_of(one);
                    if one.is_test && key != own_key {
                        self.helpers.insert(own_key.clone());
                    }
                    if let Some(at) = one.at.filter(|at| seen.insert(*at))
                        && !self.reader.is_type(at)
                    {
                        next.push(at);
                    }
                    steps.entry(key).or_insert_with(|| {
                        (Step { distance, via: via.clone(), referrer: one.clone() }, is_certain)
                    });
                }
            }
            front = next;
        }
        Ok(steps)
    }

    /// A caller at its present lines; `None` if the change touched it.
    fn caller(&self, one: &Referrer) -> Option<ImpactCaller> {
        let mut place = one.place.clone();
        let mut at = one.line;
        if let Some(comparison) = self.comparison {
            let path = named_path(&place.path);
            if comparison.paths.contains(&path) {
                let [old, new] = comparison.kept.get(&(path, one.span.bytes.start)).copied()?;
                let shifted = |line: u32| line.saturating_sub(old).saturating_add(new);
                (place.line, place.end_line, at) =
                    (shifted(place.line), shifted(place.end_line), shifted(at));
            }
        }
        Some(ImpactCaller {
            place,
            at,
            relation: labels::reference_kind(one.kind),
            how: one.evidence,
            certain: one.evidence.is_certain(),
            distance: 1,
            via: String::new(),
            test: one.is_test,
            now: None,
        })
    }
}

/// Returns whether a declaration is a test, or in a module of tests. A small file is one chunk, so
/// that chunk does not say it.
fn is_in_tests(one: &DeclarationView<'_>) -> bool {
    let mut at = Some(one.row);
    while let Some(row) = at {
        let is_module = row.kind == DeclarationKind::Module;
        let name = one.file.segment.name(&row);
        if row.kind == DeclarationKind::Test || is_module && matches!(name, "test" | "tests") {
            return true;
        }
        at = row.parent.and_then(|parent| one.file.segment.declaration(parent));
    }
    false
}

fn key_of(one: &Referrer) -> Key {
    (one.place.path.clone(), one.span.bytes.start)
}

/// Keeps the surest of several references from one place.
fn keep_surest(found: &mut BTreeMap<Key, ImpactCaller>, key: Key, caller: ImpactCaller) {
    match found.get_mut(&key) {
        Some(known) if known.certain >= caller.certain => {}
        Some(known) => *known = caller,
        None => {
            found.insert(key, caller);
        }
    }
}

/// Keeps the surest and nearest of several ways to one test.
fn keep_nearest(found: &mut BTreeMap<Key, ImpactCaller>, key: Key, caller: ImpactCaller) {
    let rank = |one: &ImpactCaller| (!one.certain, one.distance);
    match found.get_mut(&key) {
        Some(known) if rank(known) <= rank(&caller) => {}
        Some(known) => *known = caller,
        None => {
            found.insert(key, caller);
        }
    }
}
