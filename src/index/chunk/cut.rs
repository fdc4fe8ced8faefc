//! The cut: declarations and atoms → chunks along the syntax.
//!
//! Works on whole lines. Atoms become **segments**, runs of lines of which no line is in two. A
//! segment is a whole declaration with its comments, a piece of a declaration that is too large
//! (its **owner**), or top-level code. Segments are joined up to the target size. The statements of
//! large owners are cut where the syntax is shallowest.
//!
//! Invariant: segments cover all non-blank lines in order, and therefore chunks do too.

use super::atom::{Atom, AtomKind};
use super::lines::Lines;
use super::{ByteRange, Chunk, ChunkKind, Declaration, DeclarationKind};

/// A line above this many targets is cut inside the line.
const HUGE_LINE: u32 = 8;

/// A run of lines; cuts are made between segments.
#[derive(Debug, Clone, Copy)]
struct Segment {
    bytes: ByteRange,
    last_line: u32,
    depth: u32,
    kind: AtomKind,
    /// The innermost enclosing declaration that is too large for one chunk.
    owner: Option<u32>,
    /// The declaration that the segment is.
    whole: Option<u32>,
    /// Whether it begins no later than the first line of its owner's body.
    header: bool,
}

struct Cutter<'t> {
    lines: &'t Lines<'t>,
    declarations: &'t [Declaration],
    target: u32,
    limit: u32,
    /// The kind of all chunks but the head, whatever they contain.
    kind: Option<ChunkKind>,
    /// For each declaration, whether there are entries below it.
    has_entries: Vec<bool>,
}

/// Returns the size in bytes up to which a piece above the target still is one chunk.
pub(super) fn limit(target: u32) -> u32 {
    target.saturating_add(target / 2)
}

/// Cuts a walked file into chunks.
pub(super) fn cut(
    lines: &Lines<'_>,
    declarations: &[Declaration],
    atoms: &[Atom],
    target: u32,
    kind: Option<ChunkKind>,
) -> Vec<Chunk> {
    let has_entries = entries(declarations, atoms);
    let cutter = Cutter { lines, declarations, target, limit: limit(target), kind, has_entries };
    let segments = cutter.fill(cutter.segments(atoms));
    cutter.join(&segments)
}

/// Returns for each declaration whether there are entries below it.
fn entries(declarations: &[Declaration], atoms: &[Atom]) -> Vec<bool> {
    let mut below = vec![false; declarations.len()];
    for atom in atoms.iter().filter(|atom| atom.kind == AtomKind::Entry) {
        let after = declarations.partition_point(|one| one.span.bytes.start <= atom.bytes.end);
        let own = declarations.get(..after).and_then(|before| before.last());
        let mut outer = own.and_then(|own| own.parent);
        while let Some(at) = outer
            && let Some(is_marked) = below.get_mut(at as usize).filter(|is_marked| !**is_marked)
        {
            *is_marked = true;
            outer = declarations.get(at as usize).and_then(|one| one.parent);
        }
    }
    below
}

impl Cutter<'_> {
    /// Makes one segment per atom; atoms of one line or of one whole declaration share a segment.
    fn segments(&self, atoms: &[Atom]) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut open: Vec<u32> = Vec::new();
        let mut next = 0;
        for atom in atoms {
            // Open all declarations that begin at or before the atom, outermost first. Their
            // positions alone decide.
            let at = atom.bytes.start;
            while let Some((index, one)) = self.declarations.get(next).map(|one| (next, one)) {
                if one.span.bytes.start > at {
                    break;
                }
                open.retain(|&outer| self.bytes(outer).end > one.span.bytes.start);
                open.push(u32::try_from(index).unwrap_or(u32::MAX));
                next += 1;
            }
            open.retain(|&one| self.bytes(one).end > at);
            let n_large = open.iter().take_while(|&&one| self.is_large(one)).count();
            let owner = n_large.checked_sub(1).and_then(|last| open.get(last)).copied();
            // The head of a file may declare its module, and stays the head.
            let is_head = matches!(atom.kind, AtomKind::Comment | AtomKind::Head);
            let is_of_head = |one: &u32| is_head && self.is_bare_module(*one);
            let whole = open.get(n_large).copied().filter(|one| !is_of_head(one));
            let first_line = self.lines.of(at);
            let last_line = self.lines.of(atom.bytes.end - 1);
            let header = owner
                .and_then(|one| self.declarations.get(one as usize))
                .is_some_and(|one| !one.body.is_empty() && first_line <= self.lines.of(one.body.start));
            if let Some(last) = segments.last_mut()
                && (first_line <= last.last_line || (whole.is_some() && whole == last.whole))
            {
                last.last_line = last.last_line.max(last_line);
                last.bytes.end = self.lines.end(last.last_line);
                if last.whole.is_none() && whole.is_some() && last.owner == owner && !last.header {
                    last.whole = whole;
                }
                continue;
            }
            segments.push(Segment {
                bytes: ByteRange { start: self.lines.start(first_line), end: self.lines.end(last_line) },
                last_line,
                depth: atom.depth,
                kind: match (atom.kind, whole) {
                    (AtomKind::Entry, None) => AtomKind::Other,
                    (kind, None) | (kind @ AtomKind::Entry, _) => kind,
                    _ => AtomKind::Other,
                },
                owner,
                whole,
                header,
            });
        }
        segments
    }

    /// Returns whether a declaration is the header of a file's module: `module A where`.
    fn is_bare_module(&self, declaration: u32) -> bool {
        self.declarations.get(declaration as usize).is_some_and(|one| {
            one.kind == DeclarationKind::Module
                && one.body.is_empty()
                && one.signature.of(self.lines.text()).trim_end().ends_with("where")
        })
    }

    /// Returns whether a declaration is too large for one chunk. A long comment above it counts
    /// only if both together exceed twice the limit. A section with options is large sooner,
    /// because a question is about one of them.
    fn is_large(&self, declaration: u32) -> bool {
        if self.is_file_scope(declaration) {
            return true;
        }
        let has_entries = self.has_entries.get(declaration as usize) == Some(&true);
        let limit = if has_entries { self.target / 2 } else { self.limit };
        self.declarations.get(declaration as usize).is_some_and(|one| {
            let bytes = one.span.bytes;
            bytes.end - one.signature.start > limit || bytes.len() > self.limit.saturating_mul(2)
        })
    }

    fn bytes(&self, declaration: u32) -> ByteRange {
        self.declarations.get(declaration as usize).map(|one| one.span.bytes).unwrap_or_default()
    }

    /// Adds lines that no atom covers (text that the grammar skips), trims blank lines, and splits
    /// segments that are too large between lines.
    fn fill(&self, segments: Vec<Segment>) -> Vec<Segment> {
        let mut filled = Vec::with_capacity(segments.len());
        let mut line = 0;
        for segment in segments {
            let first_line = self.lines.of(segment.bytes.start);
            self.push(&mut filled, Segment { whole: None, header: false, ..segment }, line, first_line);
            self.push(&mut filled, segment, first_line, segment.last_line + 1);
            line = segment.last_line + 1;
        }
        let rest = Segment {
            bytes: ByteRange::default(),
            last_line: 0,
            depth: 1,
            kind: AtomKind::Other,
            owner: None,
            whole: None,
            header: false,
        };
        self.push(&mut filled, rest, line, self.lines.len());
        filled
    }

    /// Adds the lines `from..to` as a segment with the properties of `like`, or as several if it is
    /// too large.
    fn push(&self, filled: &mut Vec<Segment>, like: Segment, from: u32, to: u32) {
        let (mut from, mut to) = (from, to);
        while from < to && self.lines.blank(from) {
            from += 1;
        }
        while from < to && self.lines.blank(to - 1) {
            to -= 1;
        }
        if from >= to {
            return;
        }
        let all = ByteRange { start: self.lines.start(from), end: self.lines.end(to - 1) };
        let most = if like.whole.is_some() { self.limit.saturating_mul(2) } else { self.limit };
        if all.len() <= most {
            filled.push(Segment { bytes: all, last_line: to - 1, ..like });
            return;
        }
        let like = Segment { owner: like.whole.or(like.owner), whole: None, ..like };
        let mut first = from;
        for line in from..to {
            if self.lines.blank(line) {
                continue;
            }
            if line > first && self.lines.end(line) - self.lines.start(first) > self.target {
                self.push_lines(filled, like, first, line);
                first = line;
            }
        }
        self.push_lines(filled, like, first, to);
    }

    fn push_lines(&self, filled: &mut Vec<Segment>, like: Segment, from: u32, to: u32) {
        let mut last = to - 1;
        while last > from && self.lines.blank(last) {
            last -= 1;
        }
        let bytes = ByteRange { start: self.lines.start(from), end: self.lines.end(last) };
        filled.push(Segment { bytes, last_line: last, ..like });
    }

    /// Joins segments into chunks.
    fn join(&self, segments: &[Segment]) -> Vec<Chunk> {
        let mut runs: Vec<&[Segment]> = Vec::new();
        let mut rest = segments;
        let head = rest.iter().take_while(|one| is_head(one)).count();
        let n_head_runs = {
            let (mut leading, after) = rest.split_at(head);
            while !leading.is_empty() {
                let n = self.run(leading);
                let (run, more) = leading.split_at(n);
                runs.push(run);
                leading = more;
            }
            rest = after;
            runs.len()
        };
        while !rest.is_empty() {
            let (run, more) = rest.split_at(self.run(rest));
            runs.push(run);
            rest = more;
        }
        self.settle(&runs, n_head_runs)
    }

    /// Returns how many segments, from the first on, form one run.
    fn run(&self, segments: &[Segment]) -> usize {
        let Some(first) = segments.first() else { return 0 };
        let mut owner = first.owner;
        let mut n = 1;
        let mut full = false;
        while let (Some(last), Some(next)) = (segments.get(n - 1), segments.get(n)) {
            let size = next.bytes.end - first.bytes.start;
            let so_far = last.bytes.end - first.bytes.start;
            if self.is_tail(next) {
                if size > self.limit {
                    break;
                }
                n += 1;
                continue;
            }
            let small = self.target / 8;
            // A tiny beginning (a class's first line, a comment) joins the next segment, even one
            // level down.
            let beginning = so_far < small && segments.iter().take(n).all(|one| one.whole.is_none());
            let inner = next
                .owner
                .and_then(|one| self.declarations.get(one as usize))
                .is_some_and(|one| one.parent == owner);
            if next.owner != owner && !(beginning && inner && next.header) {
                break;
            }
            let most = if beginning { self.limit } else { self.target };
            if size > most {
                full = true;
                break;
            }
            // An option is searched by itself: only very small ones share a chunk.
            let has_entry = segments.iter().take(n + 1).any(|one| one.kind == AtomKind::Entry);
            if has_entry && !beginning && size > self.target / 4 {
                break;
            }
            let wholes = segments.iter().take(n).filter(|one| one.whole.is_some());
            let is_small = |one: &Segment| one.bytes.len() <= self.target / 2;
            let headed = segments.iter().take(n).any(|one| one.header);
            if next.whole.is_some() && !beginning {
                let fits = so_far < small || (next.bytes.len() < small && size <= self.target / 2);
                let together = is_small(next) && wholes.clone().all(is_small) && (!headed || fits);
                if !together {
                    break;
                }
            } else if wholes.clone().any(|one| !is_small(one)) {
                break;
            }
            // A comment after code more likely belongs to the declaration below than to the one
            // above.
            if next.kind == AtomKind::Comment && so_far > self.target / 2 && !is_head(first) {
                break;
            }
            owner = next.owner;
            n += 1;
        }
        if full {
            return self.shallowest(segments, n);
        }
        n
    }

    /// Returns where to end a full run of statements: at the shallowest boundary in its second
    /// half.
    fn shallowest(&self, segments: &[Segment], n: usize) -> usize {
        let Some(first) = segments.first() else { return n };
        let mut best = (u32::MAX, n);
        for at in (1..=n).rev() {
            let (Some(before), Some(next)) = (segments.get(at - 1), segments.get(at)) else { continue };
            if before.bytes.end - first.bytes.start < self.target / 2 {
                break;
            }
            if next.depth < best.0 && !self.is_tail(next) {
                best = (next.depth, at);
            }
        }
        best.1
    }

    /// Returns whether a segment only closes something (`}`, `end`, `#endif`).
    fn is_tail(&self, segment: &Segment) -> bool {
        if segment.bytes.len() > 64 || segment.whole.is_some() {
            return false;
        }
        let text = segment.bytes.of(self.lines.text()).trim();
        if text.contains('\n') {
            return false;
        }
        // `}  // namespace`
        let comment = ["//", "/*", " --", " #"].iter().filter_map(|begin| text.find(begin)).min();
        let closes = text.get(..comment.unwrap_or(text.len())).unwrap_or_default().trim_end();
        let is_closing = closes.bytes().all(|byte| byte.is_ascii_punctuation()) || closes == "end";
        (closes.len() <= 8 && !closes.is_empty() && is_closing) || text.starts_with("#endif")
    }

    /// Turns runs into chunks: merges crumbs into their neighbours, and cuts inside huge lines.
    fn settle(&self, runs: &[&[Segment]], n_head_runs: usize) -> Vec<Chunk> {
        let mut drafts: Vec<Draft> = Vec::new();
        for (at, run) in runs.iter().enumerate() {
            let Some(draft) = self.draft(run, at < n_head_runs) else { continue };
            if let Some(last) = drafts.last_mut() {
                let size = draft.bytes.end - last.bytes.start;
                let crumb = draft.whole.is_none()
                    && last.kind != ChunkKind::Head
                    && draft.owner == last.owner
                    && draft.bytes.len() < self.target / 4
                    && last.whole.is_none();
                let tiny_head =
                    last.kind == ChunkKind::Head && last.bytes.len() < self.target / 8 && size <= self.target;
                if crumb && size <= self.limit {
                    last.bytes.end = draft.bytes.end;
                    continue;
                }
                if tiny_head {
                    *last =
                        Draft { bytes: ByteRange { start: last.bytes.start, end: draft.bytes.end }, ..draft };
                    continue;
                }
            }
            drafts.push(draft);
        }
        let mut chunks = Vec::with_capacity(drafts.len());
        for draft in drafts {
            self.emit(draft, &mut chunks);
        }
        chunks
    }

    /// Returns whether a declaration is the namespace of the whole file (`namespace A;`). It is not
    /// a unit of its own: what is in it is cut as in a file without a namespace.
    fn is_file_scope(&self, declaration: u32) -> bool {
        self.declarations.get(declaration as usize).is_some_and(|one| {
            one.kind == DeclarationKind::Module
                && !one.body.of(self.lines.text()).starts_with('{')
                && one.signature.of(self.lines.text()).starts_with("namespace")
        })
    }

    fn draft(&self, run: &[Segment], head: bool) -> Option<Draft> {
        let (first, last) = (run.first()?, run.last()?);
        let bytes = ByteRange { start: first.bytes.start, end: last.bytes.end };
        let mut wholes = run.iter().filter_map(|one| one.whole);
        let whole = wholes.next();
        let several = wholes.next().is_some()
            || run.iter().any(|one| {
                one.whole.is_none()
                    && one.kind == AtomKind::Other
                    && !one.header
                    && !self.is_tail(one)
                    && whole.is_some()
            });
        let headed = run.iter().any(|one| one.header);
        let is_entry = run.iter().any(|one| one.kind == AtomKind::Entry);
        let owner = last.owner.or(first.owner);
        let (kind, declaration) = match (whole, owner) {
            _ if head => (ChunkKind::Head, None),
            // A heading that joins the option below it adds nothing to what the option says.
            (Some(_), Some(owner)) if headed && several && !is_entry && !self.is_file_scope(owner) => {
                (ChunkKind::Part, Some(owner))
            }
            (Some(whole), _) if several => (ChunkKind::Group, Some(whole)),
            (Some(whole), _) => (ChunkKind::Declaration, Some(whole)),
            (None, Some(owner)) => (ChunkKind::Part, Some(owner)),
            (None, None) => (ChunkKind::Code, None),
        };
        Some(Draft { bytes, kind, declaration, whole, owner })
    }

    /// Adds the chunk, in several pieces if it contains a huge line.
    fn emit(&self, draft: Draft, chunks: &mut Vec<Chunk>) {
        let Draft { bytes, kind, declaration, .. } = draft;
        let kind = self.kind.filter(|_| kind != ChunkKind::Head).unwrap_or(kind);
        let most = self.target.saturating_mul(HUGE_LINE).max(4);
        let text = bytes.of(self.lines.text());
        if bytes.len() <= most {
            chunks.push(Chunk { span: self.lines.span(bytes), kind, declaration });
            return;
        }
        let kind = if kind == ChunkKind::Declaration { ChunkKind::Part } else { kind };
        let mut from = 0;
        while from < text.len() {
            let mut to = text.len().min(from + most as usize);
            while !text.is_char_boundary(to) {
                to -= 1;
            }
            let piece = text.get(from..to).unwrap_or_default();
            if !piece.trim().is_empty() {
                let start = bytes.start + super::lines::offset(from);
                let end = bytes.start + super::lines::offset(to);
                chunks.push(Chunk { span: self.lines.span(ByteRange { start, end }), kind, declaration });
            }
            from = to;
        }
    }
}

/// A chunk before crumbs are merged.
struct Draft {
    bytes: ByteRange,
    kind: ChunkKind,
    declaration: Option<u32>,
    whole: Option<u32>,
    owner: Option<u32>,
}

fn is_head(segment: &Segment) -> bool {
    matches!(segment.kind, AtomKind::Comment | AtomKind::Head)
        && segment.whole.is_none()
        && segment.owner.is_none()
}
