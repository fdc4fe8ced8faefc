//! Declarations that went and came → those that have another name or place, although their text
//! changed too.
//!
//! Owns how alike two texts must be to belong to one declaration. The most alike are paired first.
//! A type often consists of its members, so it follows them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::likeness::{FEW, general_kind};
use super::side::{DeclarationEntry, File, SideDeclaration, entry};
use crate::index::chunk::DeclarationKind;
use crate::search::graph::{is_function, is_type};

/// Least likeness, in thousandths, of the same name in another type of the same file.
const OTHER_TYPE: usize = 500;
/// Least likeness, in thousandths, of another name in the same file, or of the same name in
/// another file.
const OTHER_PLACE: usize = 600;
/// Fewest pairs of words in a declaration without a body that say which one it is.
const LONG: u32 = 3 * FEW;
/// Most pairs of declarations of a file that are compared with each other.
const MOST_IN_FILE: usize = 1 << 16;
/// Most pairs of declarations of a name that are compared with each other.
const MOST_OF_NAME: usize = 1 << 12;

/// Takes the declarations that are alike out of the lists. `moves` are those that are known.
pub(super) fn renamed(
    files: &[File],
    gone: &mut Vec<SideDeclaration>,
    come: &mut Vec<SideDeclaration>,
    moves: &[(SideDeclaration, SideDeclaration)],
) -> Vec<(SideDeclaration, SideDeclaration)> {
    let alike = most_alike(candidates(files, gone, come));
    take(&alike, gone, come);
    let members = [moves, &alike].concat();
    let types = types(files, &members, gone, come);
    take(&types, gone, come);
    alike.into_iter().chain(types).collect()
}

/// Removes what was paired.
fn take(
    pairs: &[(SideDeclaration, SideDeclaration)],
    gone: &mut Vec<SideDeclaration>,
    come: &mut Vec<SideDeclaration>,
) {
    let (from, to): (HashSet<SideDeclaration>, HashSet<SideDeclaration>) = pairs.iter().copied().unzip();
    gone.retain(|at| !from.contains(at));
    come.retain(|at| !to.contains(at));
}

/// Returns the pairs that are alike enough, with their likeness.
fn candidates(
    files: &[File],
    gone: &[SideDeclaration],
    come: &[SideDeclaration],
) -> Vec<(usize, SideDeclaration, SideDeclaration)> {
    let mut in_file: HashMap<usize, [Vec<SideDeclaration>; 2]> = HashMap::new();
    let mut by_name: HashMap<&str, [Vec<SideDeclaration>; 2]> = HashMap::new();
    for (side, list) in [gone, come].into_iter().enumerate() {
        for &at in list {
            let Some(one) = entry(files, at, side == 0).filter(|one| can_be_alike(one)) else { continue };
            if let Some(list) = in_file.entry(at.0).or_default().get_mut(side) {
                list.push(at);
            }
            if let Some(list) = by_name.entry(&one.name).or_default().get_mut(side) {
                list.push(at);
            }
        }
    }
    let groups = in_file.into_values().map(|group| (group, MOST_IN_FILE));
    let groups = groups.chain(by_name.into_values().map(|group| (group, MOST_OF_NAME)));
    let mut found = Vec::new();
    for ([old, new], most) in groups {
        if old.len().saturating_mul(new.len()) > most {
            continue;
        }
        for &from in &old {
            for &to in &new {
                let sides = entry(files, from, true).zip(entry(files, to, false));
                let is_alike = |a: &DeclarationEntry, b: &DeclarationEntry| {
                    a.kind == b.kind || a.name == b.name && general_kind(a.kind) == general_kind(b.kind)
                };
                let Some((a, b)) = sides.filter(|(a, b)| is_alike(a, b)) else { continue };
                let least = if from.0 == to.0 && a.name == b.name { OTHER_TYPE } else { OTHER_PLACE };
                let likeness = a.likeness(b);
                // In Go, another case is another visibility.
                let is_named_same = a.symbol.eq_ignore_ascii_case(&b.symbol)
                    || from.0 == to.0 && a.name.eq_ignore_ascii_case(&b.name);
                if likeness >= least && (is_named_same || is_told_apart(a, b, likeness)) {
                    found.push((likeness, from, to));
                }
            }
        }
    }
    found
}

/// Whether the text of a declaration says which one it is. Each class has the same deleted
/// functions. Data repeats its shape: all packages in
/// a lock file are alike.
fn can_be_alike(one: &DeclarationEntry) -> bool {
    use DeclarationKind::{Element, Key, Rule};
    one.n_pairs >= FEW && !matches!(one.kind, Key | Element | Rule) && !one.is_stub()
}

/// Whether two texts under different names can be one declaration. One-line getters are alike
/// whatever they return, so the bodies of short functions must be the same.
fn is_told_apart(a: &DeclarationEntry, b: &DeclarationEntry, likeness: usize) -> bool {
    let is_long = |one: &DeclarationEntry| match one.has_body && is_function(one.kind) {
        true => one.body != 0,
        false => one.n_pairs >= LONG,
    };
    let is_body_same = a.short_body != 0 && a.short_body == b.short_body;
    likeness == 1000 || is_body_same || [a, b].into_iter().all(is_long)
}

/// Pairs the most alike first, and in order where several are equally alike.
fn most_alike(
    mut candidates: Vec<(usize, SideDeclaration, SideDeclaration)>,
) -> Vec<(SideDeclaration, SideDeclaration)> {
    candidates.sort_unstable_by_key(|(likeness, from, to)| (Reverse(*likeness), *from, *to));
    let (mut olds, mut news) = (HashSet::new(), HashSet::new());
    let mut found = Vec::new();
    for (_, from, to) in candidates {
        if !olds.contains(&from) && !news.contains(&to) {
            olds.insert(from);
            news.insert(to);
            found.push((from, to));
        }
    }
    found
}

/// Pairs the types whose members went from one to the other: more than half of the members that
/// the old one had. If one did so, others of the same name count too.
fn types(
    files: &[File],
    members: &[(SideDeclaration, SideDeclaration)],
    gone: &[SideDeclaration],
    come: &[SideDeclaration],
) -> Vec<(SideDeclaration, SideDeclaration)> {
    let is_open = |list: &[SideDeclaration], at: SideDeclaration| list.binary_search(&at).is_ok();
    let mut votes: BTreeMap<(SideDeclaration, SideDeclaration), usize> = BTreeMap::new();
    for (from, to) in members {
        let parent =
            |at: &SideDeclaration, is_old: bool| Some((at.0, entry(files, *at, is_old)?.parent? as usize));
        if let Some((old, new)) = parent(from, true).zip(parent(to, false))
            && is_open(gone, old)
            && is_open(come, new)
        {
            *votes.entry((old, new)).or_default() += 1;
        }
    }
    let named = [named_members(files, gone, true), named_members(files, come, false)];
    for ((old, new), n) in &mut votes {
        let same = named[0].get(old).zip(named[1].get(new));
        *n += same.map_or(0, |(old, new)| old.intersection(new).count());
    }
    let is_most = |(old, new): &(SideDeclaration, SideDeclaration), n: usize| {
        let sides = entry(files, *old, true).zip(entry(files, *new, false));
        let Some((a, b)) = sides.filter(|(a, b)| a.kind == b.kind && is_type(a.kind)) else { return false };
        let side = files.get(old.0).and_then(|file| file.old.as_ref());
        let all = side.iter().flat_map(|side| &side.declarations);
        let n_members = all.filter(|one| one.parent.is_some_and(|parent| parent as usize == old.1)).count();
        a.name != b.name && 2 * n > n_members || a.name == b.name && n > 0
    };
    let candidates = votes.into_iter().filter(|(pair, n)| is_most(pair, *n));
    most_alike(candidates.map(|((old, new), n)| (n, old, new)).collect())
}

/// By type, the kinds and names of its members in a list.
fn named_members<'f>(
    files: &'f [File],
    list: &[SideDeclaration],
    is_old: bool,
) -> HashMap<SideDeclaration, HashSet<(DeclarationKind, &'f str)>> {
    let mut found: HashMap<SideDeclaration, HashSet<(DeclarationKind, &str)>> = HashMap::new();
    for &at in list {
        if let Some(one) = entry(files, at, is_old)
            && let Some(parent) = one.parent
        {
            found.entry((at.0, parent as usize)).or_default().insert((one.kind, &one.name));
        }
    }
    found
}
