//! Forms that Perl has and few other languages: packages that go on to the next one, names in lists
//! of words, and documentation in blocks of POD.
//!
//! A block of POD may document several functions, or the whole module. It is the comment of a
//! declaration if its last heading has the declaration's name. A blank line may be between the two.

use super::Walk;
use super::declare::{LeadingComments, OpenDeclaration};
use super::node::range;
use super::parts::MAX_PARTS;
use crate::base::text::identifier::offset_in;
use crate::index::chunk::ByteRange;
use crate::index::chunk::lines::offset;
use crate::index::chunk::resolve::step;
use tree_sitter::Node;

/// Longest block in bytes that is read together with the function below it.
const MAX_BLOCK: u32 = 2000;

impl Walk<'_> {
    /// Returns the bytes of a declaration, and whether it goes on behind its node. `may_go_on`:
    /// whether it does without a block.
    pub(super) fn bytes_with_rest(
        &mut self,
        node: Node<'_>,
        bytes: ByteRange,
        may_go_on: bool,
    ) -> (ByteRange, bool) {
        let bytes = self.trimmed(bytes);
        if !may_go_on || step(node, "@block").is_some() {
            return (bytes, false);
        }
        let around = self.ranges.last().map_or(bytes.end, |around| around.end);
        let bytes = self.trimmed(ByteRange { end: around.max(bytes.end), ..bytes });
        self.end_before(bytes);
        (bytes, true)
    }

    /// Ends the declaration that goes on to the same end as a new one: the package of Perl above
    /// the next `package`.
    pub(super) fn end_before(&mut self, next: ByteRange) {
        let is_above = |open: &&OpenDeclaration| open.goes_on && open.end == next.end;
        let Some(index) = self.open.last().filter(is_above).map(|open| open.index as usize) else { return };
        let lead = self.lead.filter(|lead| self.is_next(lead.bytes.end, next.start));
        let end = lead.map_or(next.start, |lead| lead.bytes.start);
        self.open.pop();
        let Some(above) = self.out.declarations.get(index).map(|one| one.span.bytes) else { return };
        let above = self.trimmed(ByteRange { start: above.start, end: end.max(above.start) });
        let span = self.lines.span(above);
        if let Some(one) = self.out.declarations.get_mut(index) {
            let body = ByteRange { start: one.body.start, end: above.end };
            one.body = if body.start < body.end { body } else { ByteRange::default() };
            one.span = span;
        }
    }

    /// Returns a part once for each name in it, with the name's bytes, if it is a list of words
    /// (`qw(a b)` of Perl). The table knows the name of any other part, which is returned alone.
    pub(super) fn named<'tree>(
        &self,
        part: Node<'tree>,
    ) -> impl Iterator<Item = (Node<'tree>, Option<ByteRange>)> + use<'tree> {
        let list = (self.resolved.kind(part) == "quoted_word_list").then(|| {
            let content = part.child_by_field_name("content").map(range).unwrap_or_default();
            words(self.text, content)
        });
        let alone = list.is_none().then_some(None);
        let words = list.unwrap_or_default().into_iter().take(MAX_PARTS).map(Some);
        words.chain(alone).map(move |name_bytes| (part, name_bytes))
    }

    /// Notes a block of POD as the comment of what follows. The documentation begins at the last
    /// heading.
    pub(super) fn pod(&mut self, bytes: ByteRange) {
        let written = bytes.of(self.text);
        let heading = last_heading(written).filter(|_| bytes.len() <= MAX_BLOCK);
        self.lead = heading.map(|at| {
            let end = bytes.start + offset(written.find("\n=cut").unwrap_or(written.len()));
            let doc = ByteRange { start: bytes.start + offset(at), end };
            LeadingComments { bytes, doc }
        });
    }

    /// Returns whether a comment that ends at `end` is directly above what begins at `start`, or is
    /// a block of POD above it.
    pub(super) fn is_above(&self, lead: &LeadingComments, start: u32) -> bool {
        let between = ByteRange { start: lead.bytes.end.min(start), end: start };
        self.is_next(lead.bytes.end, start) || self.is_pod(lead) && between.of(self.text).trim().is_empty()
    }

    /// Returns whether a comment is a block of POD that documents another declaration than one of
    /// this name.
    pub(super) fn is_pod_of_other(&self, lead: &LeadingComments, name: &str) -> bool {
        let heading = lead.doc.of(self.text).lines().next().unwrap_or_default();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        self.is_pod(lead) && !heading.split(|c| !is_word(c)).any(|word| word == name)
    }

    /// Returns whether the name of a function may be a whole path, which begins at the top.
    pub(super) fn has_whole_paths(&self) -> bool {
        self.resolved.table.comments.contains(&"pod")
    }

    fn is_pod(&self, lead: &LeadingComments) -> bool {
        self.has_whole_paths() && lead.bytes.of(self.text).starts_with('=')
    }
}

/// Returns the words of a text between blanks, each with its bytes.
pub(in crate::index::chunk) fn words(text: &str, content: ByteRange) -> Vec<ByteRange> {
    let written = content.of(text);
    let at = |word: &str| content.start + offset(offset_in(written, word));
    let words = written.split_ascii_whitespace();
    words.map(|word| ByteRange { start: at(word), end: at(word) + offset(word.len()) }).collect()
}

/// Returns where the last heading or item of a block begins.
fn last_heading(block: &str) -> Option<usize> {
    let mut at = 0;
    let mut last = None;
    for line in block.split_inclusive('\n') {
        if line.starts_with("=head") || line.starts_with("=item") {
            last = Some(at);
        }
        at += line.len();
    }
    last
}
