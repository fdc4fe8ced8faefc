//! Parts of a text that are read alone: the walk of a part → what belongs to the part itself.

use super::super::atom::{Atom, AtomKind};
use super::super::container;
use super::super::embedded::declaration_order;
use super::super::lines::{Lines, offset};
use super::super::table::Outermost;
use super::super::types::Bound;
use super::super::walk_result::WalkResult;
use super::super::{ByteRange, Declaration, DeclarationKind};
use super::lines_of;
use super::narrow::Piece;

/// A part that was read alone, maybe with the lines of the blocks around it.
pub(super) struct Part<'t> {
    walked: WalkResult<'t>,
    /// The part itself, in order, if other lines were read with it; otherwise empty.
    own: Vec<ByteRange>,
    /// Whether blocks are around it. A value in a block may be a local one.
    is_in_block: bool,
}

impl<'t> Part<'t> {
    /// Returns a part with which nothing else was read.
    pub(super) fn whole(walked: WalkResult<'t>) -> Self {
        Self { walked, own: Vec::new(), is_in_block: false }
    }

    /// Declares the function that the part is known to be, unless its parser found it.
    pub(super) fn with_head(self, one: &Outermost, lines: &Lines<'_>) -> Self {
        let text = lines.text();
        let name = one.name.of(text);
        if self.walked.declarations.iter().any(|found| found.parent.is_none() && found.name == name) {
            return self;
        }
        let above = ByteRange { start: one.bytes.start, end: one.head.start };
        let all = one.bytes.start + offset(one.bytes.of(text).trim_end().len());
        let declaration = Declaration {
            name: name.to_owned(),
            scope: String::new(),
            kind: DeclarationKind::Function,
            parent: None,
            span: lines.span(ByteRange { end: all, ..one.bytes }),
            name_line: lines.of(one.name.start) + 1,
            signature: one.head,
            body: ByteRange { start: one.head.end, end: all },
            doc: ByteRange { end: above.start + offset(above.of(text).trim_end().len()), ..above },
        };
        let mut walked = WalkResult { declarations: vec![declaration], ..WalkResult::default() };
        container::append_inside(&mut walked, self.walked, |_| Some(0));
        Self { walked, ..self }
    }

    /// Returns a part with which other lines were read.
    pub(super) fn piece(walked: WalkResult<'t>, piece: &Piece) -> Self {
        Self { walked, own: vec![piece.bytes], is_in_block: piece.is_in_block() }
    }

    /// Returns the second sides of conflicts, with which all other lines were read.
    pub(super) fn sides(walked: WalkResult<'t>, own: Vec<ByteRange>) -> Self {
        Self { walked, own, is_in_block: false }
    }

    /// Returns the lines at which the declarations in it begin.
    pub(super) fn lines(&self, lines: &Lines<'_>) -> impl Iterator<Item = u32> {
        let is_in = |line: &u32| self.own.is_empty() || range_at(&self.own, lines.start(*line)).is_some();
        lines_of(&self.walked.declarations, lines).filter(is_in).collect::<Vec<u32>>().into_iter()
    }

    /// Appends what is in the part itself to the walk of what is around it. `around` returns the
    /// declaration around a byte.
    pub(super) fn append_to(self, all: &mut WalkResult<'t>, around: impl Fn(u32) -> Option<u32>) {
        let Self { mut walked, own, is_in_block } = self;
        if own.is_empty() {
            return container::append_inside(all, walked, around);
        }
        let is_own = |at: u32| range_at(&own, at).is_some();
        let is_kept = |one: &Declaration| {
            use DeclarationKind as K;
            let is_value = matches!(one.kind, K::Constant | K::Variable | K::Field);
            is_own(one.signature.start) && !(is_in_block && is_value)
        };
        let kept: Vec<bool> = walked.declarations.iter().map(is_kept).collect();
        let (declarations, places) =
            declaration_order::in_order(&walked.declarations, |at| kept.get(at) == Some(&true));
        let moved = |at: u32| places.get(at as usize).copied().flatten();
        walked.declarations = declarations;
        walked.mentions.retain(|one| is_own(one.at));
        walked.mentions.iter_mut().for_each(|one| one.within = one.within.and_then(moved));
        walked.leaves.retain(|one| is_own(one.at));
        walked.leaves.iter_mut().for_each(|one| one.within = one.within.and_then(moved));
        walked.comments.retain(|one| is_own(one.start));
        walked.strings.retain(|one| is_own(one.bytes.start));
        let depth = walked.atoms.iter().map(|atom| atom.depth).max().unwrap_or(1);
        let is_inside =
            |atom: &Atom| range_at(&own, atom.bytes.start).is_some_and(|of| atom.bytes.end <= of.end);
        walked.atoms.retain(is_inside);
        let starts: Vec<u32> = walked.atoms.iter().map(|atom| atom.bytes.start).collect();
        let is_bare = |of: &&ByteRange| {
            let next = starts.partition_point(|start| *start < of.start);
            starts.get(next).is_none_or(|start| *start >= of.end)
        };
        let bare = own.iter().filter(is_bare);
        walked.atoms.extend(bare.map(|&bytes| Atom { bytes, depth, kind: AtomKind::Other }));
        // A block around the part is the declaration that is already known there.
        let by = offset(all.declarations.len());
        let bound = std::mem::take(&mut walked.bound).into_iter();
        let outer_of = |one: &Bound<'_>| {
            let of = one.new_name(true).and_then(|at| range_at(&own, at))?;
            around(of.start)
        };
        all.bound.extend(bound.filter_map(|mut one| {
            let outer = outer_of(&one)?;
            one.map(|at| moved(at).map_or(outer, |at| at + by));
            Some(one)
        }));
        container::append_inside(all, walked, around);
    }
}

/// Returns the range that holds a byte, of ranges in order.
fn range_at(ranges: &[ByteRange], at: u32) -> Option<ByteRange> {
    let next = ranges.partition_point(|one| one.start <= at);
    ranges.get(next.checked_sub(1)?).copied().filter(|one| one.contains(at))
}
