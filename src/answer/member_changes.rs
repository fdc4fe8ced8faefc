//! Members that a change removed or added, although records leave them out: files that differ and
//! their pairs → fields and alternatives of enumerations.
//!
//! A type that is on both sides is compared by the words of its own text. Only a name that is there
//! less often, or more often, can be that of a member that went or came. So a file is parsed again
//! only if it has such a name. The members of a type that went or came as a whole say nothing more
//! than the type does.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rayon::prelude::*;

use super::diff::{DeclarationChange, DeclarationPlace};
use super::history::HistoryChange;
use super::pairs::Pairs;
use super::side::{File, Side, SideDeclaration};
use super::view::Change;
use super::visibility::{Container, DeclarationText, SourceText, Visibility, member_visibilities};
use crate::base::text::{line_at, words};
use crate::index::chunk::{ByteRange, DeclarationKind, Language, Span, has_headers, members_of_each};
use crate::search::graph::{is_function, is_type};
use crate::search::query::declaration_kind_name;

/// Objects that a function gives its own members behind.
const OWN_OBJECTS: [&str; 4] = ["self.", "cls.", "this.", "@"];
/// Names of functions whose parameters may be members.
const CONSTRUCTORS: [&str; 2] = ["constructor", "__construct"];

/// A type of a file, or the file itself for alternatives of enumerations without a name.
type Owner = (usize, Option<usize>);

/// A member in the text of its side.
#[derive(Debug, Clone, Copy)]
struct MemberText {
    at: u32,
    kind: DeclarationKind,
}

/// Words that say who may use a member.
const ACCESS: [&str; 8] =
    ["fileprivate", "internal", "private", "protected", "pub", "public", "readonly", "signals"];

/// By owner, its members by name.
type Members = HashMap<Option<usize>, BTreeMap<String, MemberText>>;

/// Returns the members that were removed from types or added to them, and those that others could
/// use and no longer can, or the other way round.
pub(super) fn member_changes(files: &[File], pairs: &Pairs) -> Vec<DeclarationChange> {
    let owners = owners(files, pairs);
    let mut wanted: [BTreeMap<usize, BTreeSet<&str>>; 2] = Default::default();
    // By pair, the names that can be those of its members.
    let named: Vec<BTreeSet<&str>> =
        owners.iter().map(|(from, to)| differing_names(files, *from, *to).into_iter().collect()).collect();
    for (&(from, to), names) in owners.iter().zip(&named) {
        for (at, wanted) in [from.0, to.0].into_iter().zip(&mut wanted) {
            if !names.is_empty() {
                wanted.entry(at).or_default().extend(names.iter().copied());
            }
        }
    }
    let [old, new] = [true, false].map(|is_old| {
        let wanted = &wanted[usize::from(!is_old)];
        let of = |(&at, names): (&usize, &BTreeSet<&str>)| {
            let side = side(files, at, is_old)?;
            Some((at, members(side, &names.iter().copied().collect::<Vec<_>>())))
        };
        wanted.par_iter().filter_map(of).collect::<HashMap<usize, Members>>()
    });
    let of = |all: &HashMap<usize, Members>, owner: Owner| {
        all.get(&owner.0).and_then(|members| members.get(&owner.1)).cloned().unwrap_or_default()
    };
    let mut found: Vec<(Change, Owner, Owner, String, MemberText)> = Vec::new();
    for (&(from, to), names) in owners.iter().zip(&named) {
        let (before, after) = (of(&old, from), of(&new, to));
        for (change, all, others, [own, other]) in
            [(Change::Removed, &before, &after, [from, to]), (Change::Added, &after, &before, [to, from])]
        {
            let is_old = change == Change::Removed;
            for (name, member) in all.iter().filter(|(name, _)| !others.contains_key(*name)) {
                // The other file was read for the names of this pair only.
                if names.contains(name.as_str()) && !declares(files, other, !is_old, name) {
                    found.push((change, own, other, name.clone(), *member));
                }
            }
        }
    }
    let inherited: Vec<bool> = found.iter().map(|one| is_inherited(files, one, &found)).collect();
    let mut at = inherited.into_iter();
    found.retain(|_| at.next() != Some(true));
    let mut changes = described(files, &found);
    for &(from, to) in &owners {
        changes.extend(other_visibilities(files, [(from, &of(&old, from)), (to, &of(&new, to))]));
    }
    changes
}

/// Returns the members of a type that are on both sides, and that others may use on one of them.
fn other_visibilities(
    files: &[File],
    sides: [(Owner, &BTreeMap<String, MemberText>); 2],
) -> Vec<DeclarationChange> {
    let [(_, before), (_, after)] = sides;
    if !before.keys().any(|name| after.contains_key(name)) {
        return Vec::new();
    }
    let placed = |(owner, all): (Owner, &BTreeMap<String, MemberText>), is_old: bool| {
        let (file, side) = files.get(owner.0).zip(side(files, owner.0, is_old))?;
        let mut all: Vec<(&str, MemberText)> = all.iter().map(|(name, one)| (&**name, *one)).collect();
        all.sort_by_key(|(_, member)| member.at);
        Some((side.language.clone(), places(file, side, owner.1, &all)))
    };
    let [old, new] = sides;
    let Some(((_, old), (language, new))) = placed(old, true).zip(placed(new, false)) else {
        return Vec::new();
    };
    let mut changes = Vec::new();
    for (place, kind) in new {
        let Some((was, old_kind)) = old.iter().find(|(was, _)| was.name == place.name) else { continue };
        let is_known = [was.visibility, place.visibility].iter().all(|one| *one != Visibility::Unknown);
        if is_known && was.visibility != place.visibility {
            changes.push(DeclarationChange {
                change: Change::Changed,
                kind: declaration_kind_name(kind),
                old_kind: Some(declaration_kind_name(*old_kind)),
                language: language.clone(),
                old: Some(was.clone()),
                new: Some(place),
                changes: vec![HistoryChange::Signature],
            });
        }
    }
    changes
}

fn side(files: &[File], at: usize, is_old: bool) -> Option<&Side> {
    let file = files.get(at)?;
    if is_old { file.old.as_ref() } else { file.new.as_ref() }
}

/// Returns the types that are on both sides and may have other members, as pairs.
fn owners(files: &[File], pairs: &Pairs) -> Vec<(Owner, Owner)> {
    let is_owner = |at: SideDeclaration, is_old: bool| {
        let one = side(files, at.0, is_old).and_then(|side| side.declarations.get(at.1));
        one.is_some_and(|one| {
            let is_part = matches!(one.kind, DeclarationKind::Module | DeclarationKind::Implementation);
            is_type(one.kind) && !is_part
        })
    };
    let changed = pairs.changes.iter().filter_map(|(_, from, to)| from.zip(*to));
    // The text of a class is the same if only a method gives it another member.
    let kept = pairs.kept.iter().copied();
    // An alias has the members of the type that it names.
    let is_alias = |at: SideDeclaration, is_old: bool| {
        let one = side(files, at.0, is_old).and_then(|side| side.declarations.get(at.1));
        one.is_some_and(|one| one.kind == DeclarationKind::Type)
    };
    let both = changed.chain(kept).filter(|(from, to)| {
        is_owner(*from, true) && is_owner(*to, false) && is_alias(*from, true) == is_alias(*to, false)
    });
    let mut found: Vec<(Owner, Owner)> =
        both.map(|(from, to)| ((from.0, Some(from.1)), (to.0, Some(to.1)))).collect();
    // In C, enumerations without a name are common.
    let is_c = |file: &File| {
        let sides = [file.old.as_ref(), file.new.as_ref()];
        sides.iter().all(|side| side.is_some_and(|side| has_headers(&side.language)))
            && sides.into_iter().flatten().any(|side| has_unnamed_enum(&side.text))
    };
    let files = files.iter().enumerate().filter(|(_, file)| is_c(file));
    found.extend(files.map(|(at, _)| ((at, None), (at, None))));
    found
}

/// Returns whether a text of C has an enumeration without a name.
fn has_unnamed_enum(text: &str) -> bool {
    text.match_indices("enum")
        .any(|(at, word)| text.get(at + word.len()..).is_some_and(|rest| rest.trim_start().starts_with('{')))
}

/// Returns the words that two versions of a type do not have equally often.
fn differing_names(files: &[File], from: Owner, to: Owner) -> Vec<&str> {
    let (Some(old), Some(new)) = (side(files, from.0, true), side(files, to.0, false)) else {
        return Vec::new();
    };
    if whole(old, from.1).of(&old.text) == whole(new, to.1).of(&new.text) {
        return Vec::new();
    }
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for (side, owner, step) in [(old, from.1, -1), (new, to.1, 1)] {
        each_word(side, owner, |word| *counts.entry(word).or_default() += step);
    }
    // Any of its members may have another visibility then.
    let is_access = |(word, n): (&&str, &i64)| *n != 0 && ACCESS.contains(word);
    let is_any = counts.iter().any(is_access);
    counts.into_iter().filter(|(_, n)| is_any || *n != 0).map(|(word, _)| word).collect()
}

/// Returns the whole of an owner.
fn whole(side: &Side, owner: Option<usize>) -> ByteRange {
    let end = u32::try_from(side.text.len()).unwrap_or(u32::MAX);
    let of = owner.and_then(|ord| side.declarations.get(ord));
    of.map_or(ByteRange { start: 0, end }, |one| one.span.bytes)
}

/// Visits the words of an owner that may be names of its members: not those of types in it, and
/// those of functions only behind the current object or in a constructor.
fn each_word<'s>(side: &'s Side, owner: Option<usize>, mut visit: impl FnMut(&'s str)) {
    let all = whole(side, owner);
    let from = owner.map_or(0, |ord| ord + 1);
    let inner = side.declarations.iter().skip(from).take_while(|one| one.span.bytes.start < all.end);
    let inner = inner.filter(|one| is_type(one.kind) || is_function(one.kind));
    let mut at = all.start;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let plain = |range: ByteRange, visit: &mut dyn FnMut(&'s str)| {
        let all = range.of(&side.text).split(|c| !is_name(c));
        all.filter(|word| word.starts_with(|c| is_name(c) && !c.is_numeric())).for_each(visit);
    };
    for one in inner {
        let span = one.span.bytes;
        if span.start < at {
            continue;
        }
        plain(ByteRange { start: at, end: span.start }, &mut visit);
        at = span.end;
        if is_type(one.kind) || owner.is_none() {
            continue;
        }
        if one.kind == DeclarationKind::Constructor || CONSTRUCTORS.contains(&one.name.as_str()) {
            plain(span, &mut visit);
            continue;
        }
        let text = span.of(&side.text);
        for (start, object) in OWN_OBJECTS.iter().flat_map(|object| text.match_indices(object)) {
            let rest = text.get(start + object.len()..).unwrap_or_default();
            visit(rest.get(..rest.find(|c| !is_name(c)).unwrap_or(rest.len())).unwrap_or_default());
        }
    }
    plain(ByteRange { start: at.min(all.end), end: all.end }, &mut visit);
}

/// Returns the members of these names that a side declares. Those that its record has are
/// declarations like others.
fn members(side: &Side, names: &[&str]) -> Members {
    let mut found = Members::new();
    let Some(language) = Language::from_name(&side.language) else { return found };
    for (name, places) in names.iter().zip(members_of_each(language, &side.text, names)) {
        for one in places {
            let around = |ord: &usize| {
                side.declarations.get(*ord).is_some_and(|known| known.span.bytes.contains(one.at))
            };
            let all: Vec<usize> = (0..side.declarations.len()).filter(around).collect();
            let is_value = |kind| matches!(kind, DeclarationKind::Variant | DeclarationKind::Field);
            let kind = |ord: usize| side.declarations.get(ord).map(|one| one.kind);
            let is_declared = |ord: &usize| {
                side.declarations.get(*ord).is_some_and(|known| is_value(known.kind) && known.name == *name)
            };
            if all.iter().any(is_declared) {
                continue;
            }
            let mut outer = all.iter().rev().copied().filter(|ord| !kind(*ord).is_some_and(is_value));
            let owner = match one.is_in_function {
                true => outer.find(|ord| kind(*ord).is_some_and(is_type)),
                false => outer.next(),
            };
            let is_of_type = owner.and_then(kind).is_some_and(is_type);
            if is_of_type || owner.is_none() && one.kind == DeclarationKind::Variant {
                let text = MemberText { at: one.at, kind: one.kind };
                // A type may assign to its member in several places.
                found.entry(owner).or_default().entry((*name).to_owned()).or_insert(text);
            }
        }
    }
    found
}

/// Returns whether the record of a side has a declaration of a name directly in an owner.
fn declares(files: &[File], owner: Owner, is_old: bool, name: &str) -> bool {
    let side = side(files, owner.0, is_old);
    side.is_some_and(|side| {
        let is_in = |parent: Option<u32>| parent.map(|parent| parent as usize) == owner.1;
        side.declarations.iter().any(|one| one.name == name && is_in(one.parent))
    })
}

/// Returns whether a removed member is now that of a type that its own one names: the base class,
/// or an embedded type of Go.
fn is_inherited(
    files: &[File],
    (change, _, now, name, _): &(Change, Owner, Owner, String, MemberText),
    all: &[(Change, Owner, Owner, String, MemberText)],
) -> bool {
    let of = |owner: &Owner| {
        let side = side(files, owner.0, false)?;
        Some((side, side.declarations.get(owner.1?)?))
    };
    let Some((side, one)) = of(now).filter(|_| *change == Change::Removed) else { return false };
    let head = match side.language.as_str() {
        "go" => one.span.bytes.of(&side.text),
        _ => one.parts.signature.as_str(),
    };
    all.iter().any(|(change, base, _, other, _)| {
        *change == Change::Added
            && other == name
            && of(base).is_some_and(|(_, base)| words(head, &base.name).next().is_some())
    })
}

/// Returns members as changes of declarations.
fn described(files: &[File], found: &[(Change, Owner, Owner, String, MemberText)]) -> Vec<DeclarationChange> {
    let mut by_owner: BTreeMap<(bool, Owner), Vec<(&str, MemberText)>> = BTreeMap::new();
    for (change, owner, _, name, member) in found {
        by_owner.entry((*change == Change::Removed, *owner)).or_default().push((name, *member));
    }
    let mut changes = Vec::new();
    for ((is_old, owner), mut all) in by_owner {
        let Some((file, side)) = files.get(owner.0).zip(side(files, owner.0, is_old)) else { continue };
        all.sort_by_key(|(_, member)| member.at);
        for (place, kind) in places(file, side, owner.1, &all) {
            let place = Some(place);
            let (old, new) = if is_old { (place, None) } else { (None, place) };
            changes.push(DeclarationChange {
                change: if is_old { Change::Removed } else { Change::Added },
                kind: declaration_kind_name(kind),
                old_kind: is_old.then(|| declaration_kind_name(kind)),
                language: side.language.clone(),
                old,
                new,
                changes: Vec::new(),
            });
        }
    }
    changes
}

/// Returns the places of members of one owner, which are in order.
fn places(
    file: &File,
    side: &Side,
    owner: Option<usize>,
    all: &[(&str, MemberText)],
) -> Vec<(DeclarationPlace, DeclarationKind)> {
    let path = file.path.to_string();
    let source = SourceText { language: &side.language, path: &path, text: &side.text };
    let outer = owner.and_then(|ord| side.declarations.get(ord));
    let texts = all.iter().map(|(name, member)| {
        let (before, _) = side.text.split_at_checked(member.at as usize).unwrap_or_default();
        let start = u32::try_from(head_start(before)).unwrap_or(member.at);
        let end = member.at + u32::try_from(name.len()).unwrap_or_default();
        DeclarationText {
            name,
            scope: outer.map_or("", |outer| outer.name.as_str()),
            kind: member.kind,
            parent: None,
            whole: ByteRange { start, end },
            signature: ByteRange::default(),
        }
    });
    let texts: Vec<DeclarationText<'_>> = texts.collect();
    let container = outer.map(|outer| Container {
        kind: outer.kind,
        visibility: outer.visibility,
        signature: &outer.parts.signature,
    });
    let visibilities = member_visibilities(source, whole(side, owner), container, &texts);
    let separator = Language::from_name(&side.language).map_or(".", Language::separator);
    let [start, line] = outer.map_or([0, 1], |outer| [outer.span.bytes.start, outer.span.start_line]);
    // The lines of a side may be those of another text.
    let shift = i64::from(line) - i64::from(line_at(&side.text, start as usize));
    let places = all.iter().zip(texts).zip(visibilities).map(|(((name, member), text), visibility)| {
        let line = i64::from(line_at(&side.text, member.at as usize)) + shift;
        let line = u32::try_from(line).unwrap_or(1);
        let bytes = ByteRange { start: member.at, end: text.whole.end };
        let place = DeclarationPlace {
            path: file.path.clone(),
            name: (*name).to_owned(),
            symbol: outer
                .map_or_else(|| (*name).to_owned(), |outer| format!("{}{separator}{name}", outer.symbol)),
            line,
            span: Span { bytes, start_line: line, end_line: line },
            signature: signature(&side.text, text.whole),
            constructor: None,
            has_body: false,
            visibility,
            outermost: owner.and_then(|ord| side.outermost(ord)),
        };
        (place, member.kind)
    });
    places.collect()
}

/// Returns where the words before a member begin: in its line, behind another member or the bracket
/// around a list of parameters.
fn head_start(before: &str) -> usize {
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let mut start = line;
    let mut open: Vec<usize> = Vec::new();
    for (at, c) in before.get(line..).unwrap_or_default().char_indices() {
        let next = line + at + c.len_utf8();
        match c {
            ';' | '{' | '}' => start = next,
            '(' => open.push(next),
            ')' => _ = open.pop(),
            ',' => {
                if let Some(last) = open.last_mut() {
                    *last = next;
                }
            }
            _ => {}
        }
    }
    open.last().map_or(start, |last| start.max(*last))
}

/// Returns the text of a member from the words before it to the end of its line or statement.
fn signature(text: &str, head: ByteRange) -> String {
    let rest = text.get(head.start as usize..).unwrap_or_default();
    let least = (head.end - head.start) as usize;
    let end = rest.get(least..).and_then(|rest| rest.find(['\n', ';', '}'])).map(|end| least + end);
    let written = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    written.trim().trim_end_matches([',', ';', ')']).split_whitespace().collect::<Vec<_>>().join(" ")
}
