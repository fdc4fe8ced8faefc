//! Files and types that have another path or name → their members that are the same ones.
//!
//! A member has the same kind, scope and name in both, and no other one there has them. Then it is
//! the same, however little its text says.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use bstr::{BStr, ByteSlice};

use crate::answer::side::{File, Side, SideDeclaration, entry, shared};
use crate::base::text::path;
use crate::index::chunk::DeclarationKind;

/// Least likeness, in thousandths, of two files that are one. Short programs share half of their
/// pairs of words by chance.
pub(in crate::answer) const RENAMED_FILE: usize = 600;
/// Most pairs of files that are compared with each other.
const MOST_FILES: usize = 1 << 14;

/// A file, or a declaration in it.
pub(super) type Container = (usize, Option<usize>);

/// Returns the files that have another path: the most alike of those that went and came.
pub(super) fn renamed_files(files: &[File]) -> Vec<(usize, usize)> {
    let of = |is_old: bool| -> Vec<(usize, &Side)> {
        let sides = files.iter().enumerate().filter_map(|(at, file)| match (&file.old, &file.new) {
            (Some(old), None) if is_old => Some((at, old)),
            (None, Some(new)) if !is_old => Some((at, new)),
            _ => None,
        });
        sides.collect()
    };
    let (gone, come) = (of(true), of(false));
    let is_few = gone.len().saturating_mul(come.len()) <= MOST_FILES;
    let mut by_name: HashMap<&BStr, Vec<(usize, &Side)>> = HashMap::new();
    for &(at, side) in &come {
        by_name.entry(name(files, at)).or_default().push((at, side));
    }
    let mut found: Vec<(usize, bool, usize, usize)> = Vec::new();
    for (from, old) in gone {
        let named = by_name.get(name(files, from)).map(Vec::as_slice).unwrap_or_default();
        for (to, new) in if is_few { &come } else { named } {
            let likeness = shared(&old.sample, &new.sample);
            if likeness >= RENAMED_FILE {
                found.push((likeness, name(files, from) == name(files, *to), from, *to));
            }
        }
    }
    found
        .sort_unstable_by_key(|(likeness, is_named, from, to)| (Reverse((*likeness, *is_named)), *from, *to));
    let (mut olds, mut news) = (HashSet::new(), HashSet::new());
    found.retain(|(_, _, from, to)| {
        let is_open = !olds.contains(from) && !news.contains(to);
        is_open && olds.insert(*from) && news.insert(*to)
    });
    found.into_iter().map(|(_, _, from, to)| (from, to)).collect()
}

/// The name of a file without its extension.
fn name(files: &[File], at: usize) -> &BStr {
    files.get(at).map(|file| path::stem(file.path.as_bstr())).unwrap_or_default()
}

/// Takes the members of paired containers out of the lists, and returns them as moves.
pub(super) fn same_members(
    files: &[File],
    gone: &mut Vec<SideDeclaration>,
    come: &mut Vec<SideDeclaration>,
    mut containers: Vec<(Container, Container)>,
) -> Vec<(SideDeclaration, SideDeclaration)> {
    let mut went: HashSet<SideDeclaration> = gone.iter().copied().collect();
    let mut came: HashSet<SideDeclaration> = come.iter().copied().collect();
    let mut known: HashMap<(usize, bool), Children> = HashMap::new();
    let mut moves = Vec::new();
    while let Some((from, to)) = containers.pop() {
        let old = known.entry((from.0, true)).or_insert_with(|| children(files, from.0, true));
        let olds = old.get(&from.1).cloned().unwrap_or_default();
        let new = known.entry((to.0, false)).or_insert_with(|| children(files, to.0, false));
        let news = new.get(&to.1).map(Vec::as_slice).unwrap_or_default();
        let mut by_key: HashMap<Key<'_>, [Vec<usize>; 2]> = HashMap::new();
        for (at, container, list, is_old) in [(from.0, from, olds.as_slice(), true), (to.0, to, news, false)]
        {
            for &ord in list {
                if let Some(key) = key(files, (at, ord), container, is_old)
                    && let Some(list) = by_key.entry(key).or_default().get_mut(usize::from(!is_old))
                {
                    list.push(ord);
                }
            }
        }
        for sides in by_key.into_values() {
            let [[old], [new]] = [sides[0].as_slice(), sides[1].as_slice()] else { continue };
            let pair = ((from.0, *old), (to.0, *new));
            if went.contains(&pair.0) && came.contains(&pair.1) {
                went.remove(&pair.0);
                came.remove(&pair.1);
                moves.push(pair);
                containers.push(((from.0, Some(*old)), (to.0, Some(*new))));
            }
        }
    }
    gone.retain(|at| went.contains(at));
    come.retain(|at| came.contains(at));
    moves.sort_unstable();
    moves
}

/// By container, the declarations directly in it.
type Children = HashMap<Option<usize>, Vec<usize>>;

fn children(files: &[File], file: usize, is_old: bool) -> Children {
    let side = files.get(file).and_then(|file| if is_old { file.old.as_ref() } else { file.new.as_ref() });
    let mut found: Children = HashMap::new();
    for (ord, one) in side.iter().flat_map(|side| side.declarations.iter().enumerate()) {
        found.entry(one.parent.map(|parent| parent as usize)).or_default().push(ord);
    }
    found
}

/// What a member has in common with the same one elsewhere: its kind, and its path from there.
type Key<'f> = (DeclarationKind, &'f str);

fn key(files: &[File], at: SideDeclaration, container: Container, is_old: bool) -> Option<Key<'_>> {
    let one = entry(files, at, is_old)?;
    let outer = container.1.and_then(|ord| entry(files, (at.0, ord), is_old));
    let path = outer.and_then(|outer| one.symbol.strip_prefix(outer.symbol.as_str()));
    Some((one.kind, path.unwrap_or(&one.symbol)))
}
