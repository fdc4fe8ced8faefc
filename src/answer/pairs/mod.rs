//! Declarations of an old and a new side → pairs: files that differ → [`Pairs`].
//!
//! Owns which declaration of one side is which of the other. Within a file, a declaration is
//! matched by kind and symbol. One that is missing here and new there is matched by name and text,
//! then by its body alone (a rename), then by its name in a file or type that has another path or
//! name, and then by a text that is mostly the same.
//!
//! Several declarations of a file may have the same kind and symbol: overloads, members of several
//! `impl` blocks, the branches of an `#ifdef`, getters and setters, a prototype and its definition.
//! The most alike are paired first, as [`Rank`] says.
//!
//! A forward declaration in C or C++ only announces a definition in the same file. It is nothing of
//! its own, so its coming and going is kept apart.

mod definition;
mod kind;
mod member;
mod overload;
mod variant;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use definition::moved_definitions;
use kind::other_kinds;
pub(super) use member::RENAMED_FILE;
use member::{renamed_files, same_members};
use overload::is_overload_same;
use variant::variants;

use super::likeness::general_kind;
use super::renamed::renamed;
use super::side::{DeclarationEntry, File, Pair, Side, SideDeclaration, declared, entry};
use super::view::Change;
use crate::index::chunk::DeclarationKind;
use crate::search::graph::{is_function, is_type};

/// Most pairs of declarations with the same symbol that are compared with each other. Lists of
/// records, such as keys in YAML, may have thousands of one symbol.
const MOST_COMPARED: usize = 4096;

/// The declarations of two sides.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    /// Those that differ.
    pub(super) changes: Vec<Pair>,
    /// Those that stayed as they were in their files.
    pub(super) kept: Vec<(SideDeclaration, SideDeclaration)>,
    /// Forward declarations that were added or removed, in files that have the definition.
    pub(super) forward: Vec<Pair>,
    /// Number of files that moved.
    pub(super) n_moved_files: usize,
}

/// Pairs the declarations of files that differ.
pub(super) fn pairs(files: &[File]) -> Pairs {
    let mut pairs = Pairs::default();
    let (mut gone, mut come): (Vec<SideDeclaration>, Vec<SideDeclaration>) = (Vec::new(), Vec::new());
    for (at, file) in files.iter().enumerate() {
        let mut groups: BTreeMap<(DeclarationKind, &str), Group> = BTreeMap::new();
        for (ord, one) in entries(&file.old) {
            groups.entry((one.kind, &one.symbol)).or_default().old.push(ord);
        }
        for (ord, one) in entries(&file.new) {
            groups.entry((one.kind, &one.symbol)).or_default().new.push(ord);
        }
        for mut group in groups.into_values() {
            for (old, new) in group.pair(file) {
                let is_same = declared(&file.old, old).map(|one| one.own)
                    == declared(&file.new, new).map(|one| one.own);
                let is_section_same = || is_section_same(file, old, new);
                match is_same && is_section_same() {
                    true => pairs.kept.push(((at, old), (at, new))),
                    false => pairs.changes.push((Change::Changed, Some((at, old)), Some((at, new)))),
                }
            }
            for ord in group.old {
                match is_forward(&file.old, ord) {
                    true => pairs.forward.push((Change::Removed, Some((at, ord)), None)),
                    false => gone.push((at, ord)),
                }
            }
            for ord in group.new {
                match is_forward(&file.new, ord) {
                    true => pairs.forward.push((Change::Added, None, Some((at, ord)))),
                    false => come.push((at, ord)),
                }
            }
        }
    }
    gone.sort_unstable();
    come.sort_unstable();
    let mut moves = moved_definitions(files, &mut pairs.changes, &mut pairs.forward, &mut gone, &mut come);
    let of_files = renamed_files(files);
    pairs.n_moved_files = of_files.len();
    let of_files = of_files.into_iter().map(|(from, to)| ((from, None), (to, None)));
    moves.extend(same_members(files, &mut gone, &mut come, of_files.collect()));
    for is_by_text in [true, false] {
        let types = Types::of(files, &gone, &come);
        let found = if is_by_text {
            moved(files, &mut gone, &mut come, &types)
        } else {
            renamed(files, &mut gone, &mut come, &moves)
        };
        let of_types = found.iter().filter(|pair| types.is_one(files, pair));
        let of_types = of_types.map(|(from, to)| ((from.0, Some(from.1)), (to.0, Some(to.1)))).collect();
        moves.extend(same_members(files, &mut gone, &mut come, of_types));
        moves.extend(found);
    }
    // One that has its symbol in its file was not moved: it is of another kind.
    let is_there = |(from, to): &(SideDeclaration, SideDeclaration)| {
        let symbol = |at, is_old| entry(files, at, is_old).map(|one| &one.symbol);
        from.0 == to.0 && symbol(*from, true) == symbol(*to, false)
    };
    pairs.changes.extend(moves.into_iter().map(|pair| {
        let change = if is_there(&pair) { Change::Changed } else { Change::Moved };
        (change, Some(pair.0), Some(pair.1))
    }));
    variants(files, &mut pairs, &mut gone, &mut come);
    let changed = other_kinds(files, &mut gone, &mut come).into_iter();
    pairs.changes.extend(changed.map(|(from, to)| (Change::Changed, Some(from), Some(to))));
    pairs.changes.extend(gone.into_iter().map(|at| (Change::Removed, Some(at), None)));
    pairs.changes.extend(come.into_iter().map(|at| (Change::Added, None, Some(at))));
    pairs
}

/// How many declarations of a kind and symbol went and came. Several files may reopen a module or a
/// class: then nobody knows which of them is which.
struct Types {
    counts: [HashMap<(DeclarationKind, String), usize>; 2],
}

impl Types {
    fn of(files: &[File], gone: &[SideDeclaration], come: &[SideDeclaration]) -> Self {
        let count = |list: &[SideDeclaration], is_old: bool| {
            let mut counts: HashMap<(DeclarationKind, String), usize> = HashMap::new();
            for one in list.iter().filter_map(|at| entry(files, *at, is_old)) {
                if is_type(one.kind) {
                    *counts.entry((one.kind, one.symbol.clone())).or_default() += 1;
                }
            }
            counts
        };
        Self { counts: [count(gone, true), count(come, false)] }
    }

    /// Whether both sides are the only type of their symbol.
    fn is_one(&self, files: &[File], (from, to): &(SideDeclaration, SideDeclaration)) -> bool {
        [(*from, true), (*to, false)].into_iter().zip(&self.counts).all(|((at, is_old), counts)| {
            let one = entry(files, at, is_old);
            one.and_then(|one| counts.get(&(one.kind, one.symbol.clone()))) == Some(&1)
        })
    }
}

/// What two declarations must share to be one that moved: kind, name and hash of the text. `None`
/// if a declaration has nothing to share.
type PairingKey<'k> = &'k dyn Fn(&DeclarationEntry) -> Option<(DeclarationKind, String, u64)>;

/// Takes declarations that went and came under another name or in another file, with the same text,
/// out of the lists.
fn moved(
    files: &[File],
    gone: &mut Vec<SideDeclaration>,
    come: &mut Vec<SideDeclaration>,
    types: &Types,
) -> Vec<(SideDeclaration, SideDeclaration)> {
    let mut moves = Vec::new();
    let old = |at: SideDeclaration| entry(files, at, true);
    let new = |at: SideDeclaration| entry(files, at, false);
    // First by name and text, then by body alone, then by the body of another kind: a method that
    // became a function.
    let by_text = |one: &DeclarationEntry| (!one.is_stub()).then(|| (one.kind, one.name.clone(), one.own));
    let by_body = |one: &DeclarationEntry| (one.body != 0).then(|| (one.kind, String::new(), one.body));
    let by_any_body =
        |one: &DeclarationEntry| (one.body != 0).then(|| (general_kind(one.kind), String::new(), one.body));
    let keys: [PairingKey<'_>; 3] = [&by_text, &by_body, &by_any_body];
    for key in keys {
        let mut known: HashMap<_, Vec<SideDeclaration>> = HashMap::new();
        for &at in gone.iter().rev() {
            if let Some(key) = old(at).and_then(key) {
                known.entry(key).or_default().push(at);
            }
        }
        let mut taken = HashSet::new();
        come.retain(|&at| {
            let known = new(at).and_then(key).and_then(|key| known.get_mut(&key));
            let from = known.and_then(|known| {
                let from = *known.last()?;
                // The text of a module is that of its members.
                let is_module = new(at).is_some_and(|one| one.kind == DeclarationKind::Module);
                (!is_module || types.is_one(files, &(from, at))).then(|| known.pop()).flatten()
            });
            if let Some(from) = from {
                taken.insert(from);
                moves.push((from, at));
            }
            from.is_none()
        });
        gone.retain(|at| !taken.contains(at));
    }
    moves
}

/// The declarations of a file that have one kind and one symbol.
#[derive(Default)]
struct Group {
    old: Vec<usize>,
    new: Vec<usize>,
}

/// How alike two declarations of one symbol are. The first field that differs decides.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// They are in the same `impl` block, trait or class.
    is_around_same: bool,
    /// Their texts are the same.
    is_own_same: bool,
    /// Both define something, or both only announce it.
    is_body_alike: bool,
    /// Their signatures are the same.
    is_signature_same: bool,
    /// Their bodies are the same.
    is_body_same: bool,
    /// The share of pairs of words in common, in thousandths.
    likeness: usize,
}

impl Rank {
    fn of(old: &DeclarationEntry, new: &DeclarationEntry) -> Self {
        Self {
            is_around_same: old.around == new.around,
            is_own_same: old.own == new.own,
            is_body_alike: is_announced(old) == is_announced(new),
            is_signature_same: old.parts.signature == new.parts.signature,
            is_body_same: old.body != 0 && old.body == new.body,
            likeness: old.likeness(new),
        }
    }
}

impl Group {
    /// Takes as many pairs out of the group as there are, in the order of the new side.
    fn pair(&mut self, file: &File) -> Vec<(usize, usize)> {
        let mut found = match (self.old.as_slice(), self.new.as_slice()) {
            ([], _) | (_, []) => return Vec::new(),
            ([old], [new]) => vec![(*old, *new)],
            (old, new) if old.len().saturating_mul(new.len()) > MOST_COMPARED => self.in_order(file),
            _ => self.by_rank(file),
        };
        let (olds, news): (HashSet<usize>, HashSet<usize>) = found.iter().copied().unzip();
        self.old.retain(|ord| !olds.contains(ord));
        self.new.retain(|ord| !news.contains(ord));
        found.sort_unstable_by_key(|(_, new)| *new);
        found
    }

    /// Pairs the most alike first, and in order where several are equally alike.
    fn by_rank(&self, file: &File) -> Vec<(usize, usize)> {
        let mut ranked: Vec<(Rank, Reverse<[usize; 3]>)> = Vec::new();
        for (at_old, old) in self.old.iter().enumerate() {
            for (at_new, new) in self.new.iter().enumerate() {
                let sides = declared(&file.old, *old).zip(declared(&file.new, *new));
                let Some((one, other)) = sides else { continue };
                ranked.push((Rank::of(one, other), Reverse([at_old.abs_diff(at_new), *old, *new])));
            }
        }
        ranked.sort_unstable();
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (_, Reverse([_, old, new])) in ranked.into_iter().rev() {
            if found.iter().all(|one| one.0 != old && one.1 != new) {
                found.push((old, new));
            }
        }
        found
    }

    /// Pairs equal texts, then the rest, both in order.
    fn in_order(&self, file: &File) -> Vec<(usize, usize)> {
        let mut known: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for ord in &self.old {
            if let Some(one) = declared(&file.old, *ord) {
                known.entry(one.own).or_default().push_back(*ord);
            }
        }
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for new in &self.new {
            let own = declared(&file.new, *new).map(|one| one.own);
            match own.and_then(|own| known.get_mut(&own)?.pop_front()) {
                Some(old) => found.push((old, *new)),
                None => open.push(*new),
            }
        }
        let mut rest: Vec<usize> = known.into_values().flatten().collect();
        rest.sort_unstable();
        found.extend(rest.into_iter().zip(open));
        found
    }
}

/// Returns whether the definition covers what happened to a pair: on each side that it has, it is a
/// forward declaration.
pub(super) fn is_covered_by_definition(files: &[File], (_, from, to): &Pair) -> bool {
    let is_other = |at: &Option<SideDeclaration>, side: fn(&File) -> &Option<Side>| {
        at.is_some_and(|at| !files.get(at.0).is_some_and(|file| is_forward(side(file), at.1)))
    };
    !is_other(from, |file| &file.old) && !is_other(to, |file| &file.new)
}

/// Returns whether two versions of a declaration with the same text are as visible as each other.
/// In C++ and Ruby, a line above says who may use it.
fn is_section_same(file: &File, old: usize, new: usize) -> bool {
    let has_sections = file.new.as_ref().is_some_and(|side| matches!(side.language.as_str(), "cpp" | "ruby"));
    let sides = declared(&file.old, old).zip(declared(&file.new, new));
    !has_sections || !sides.is_some_and(|(old, new)| old.is_in_other_section(new))
}

/// Returns whether a declaration of C or C++ only announces a definition in the same file. The
/// prototype of a member is more than that: it says who may use the member.
fn is_forward(side: &Option<Side>, ord: usize) -> bool {
    let (Some(side), Some(one)) = (side, declared(side, ord)) else { return false };
    let is_cpp = side.language == "cpp";
    if !(is_cpp || side.language == "c") || one.is_member {
        return false;
    }
    let is_definition: &dyn Fn(&DeclarationEntry) -> bool = match one.kind {
        _ if !is_announced(one) => return false,
        DeclarationKind::Variable => &|other| !is_announced(other),
        kind if is_function(kind) => &|other| other.has_body && (!is_cpp || is_overload_same(one, other)),
        _ => return false,
    };
    let is_of_symbol = |other: &&DeclarationEntry| other.kind == one.kind && other.symbol == one.symbol;
    side.declarations.iter().filter(is_of_symbol).any(is_definition)
}

/// Returns whether something is declared without being defined.
fn is_announced(one: &DeclarationEntry) -> bool {
    let signature = one.parts.signature.as_str();
    match one.kind {
        DeclarationKind::Variable => signature.starts_with("extern ") && !signature.contains('='),
        _ => !one.has_body,
    }
}

/// The declarations of a side, with their ordinals.
fn entries(side: &Option<Side>) -> impl Iterator<Item = (usize, &DeclarationEntry)> {
    side.iter().flat_map(|side| side.declarations.iter().enumerate())
}

#[cfg(test)]
mod tests;
