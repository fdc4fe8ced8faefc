//! Declarations in the walk: names, kinds, and the text that belongs to them before, around and
//! after.
//!
//! Comments and attributes directly above a declaration (the **lead**) and wrappers around it
//! (`export`, decorators, a statement) are part of its span. The text between two nodes decides
//! whether one is directly above the other. The tree cannot decide it, because grammars nest
//! comments differently.

use super::Walk;
use super::identifiers::QualifiedName;
use super::mention::{MAX_NAME, Mention};
use super::node::{nodes_behind, range};
use crate::index::chunk::lines::offset;
use crate::index::chunk::links::links;
use crate::index::chunk::resolve::{self, Role, step};
use crate::index::chunk::table::{DeclarationCandidate, DeclarationRule, Meaning, Scope};
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// The comments and attributes directly above the next node.
#[derive(Debug, Clone, Copy)]
pub(in crate::index::chunk) struct LeadingComments {
    pub(in crate::index::chunk) bytes: ByteRange,
    pub(in crate::index::chunk) doc: ByteRange,
}

/// A declaration that the walk is in.
pub(in crate::index::chunk) struct OpenDeclaration {
    pub(in crate::index::chunk) end: u32,
    pub(in crate::index::chunk) index: u32,
    /// A node whose own declaration does not belong to this one; empty if there is none.
    pub(in crate::index::chunk) beside: ByteRange,
    /// Whether it goes on to the end of the node around it, or to the next declaration that does.
    pub(in crate::index::chunk) goes_on: bool,
}

/// A wrapper that the walk is in.
pub(in crate::index::chunk) struct OpenWrapper {
    pub(in crate::index::chunk) bytes: ByteRange,
    pub(in crate::index::chunk) depth: u32,
    pub(in crate::index::chunk) signature: bool,
    pub(in crate::index::chunk) signature_start: u32,
    pub(in crate::index::chunk) lead: Option<LeadingComments>,
    /// How many nodes inside declare something.
    pub(in crate::index::chunk) n_declared: u32,
    /// What the last of these nodes declares: one declaration for each of its names.
    pub(in crate::index::chunk) declarations: std::ops::Range<usize>,
}

/// Declarations per file above which further keys are left out: such a file is data, not
/// configuration.
const MAX_KEYS: usize = 5000;

/// Most names of one signature that equations below it are compared with.
const MAX_JOINED: usize = 64;

/// The kind of a node that the parser could not read.
const ERROR: u16 = u16::MAX;

/// Longest constant or variable in bytes that counts as signature as a whole, if it is on one line.
const MAX_VALUE: u32 = 120;
/// The same for a type alias: what it stands for is all that it says.
const MAX_ALIAS: u32 = 400;

impl<'t> Walk<'t> {
    /// Returns the range without white space at its end.
    pub(in crate::index::chunk) fn trimmed(&self, bytes: ByteRange) -> ByteRange {
        ByteRange { start: bytes.start, end: bytes.start + offset(bytes.of(self.text).trim_end().len()) }
    }

    /// Adds the links in a text to the mentions.
    pub(in crate::index::chunk) fn links(&mut self, bytes: ByteRange) {
        let mentions = &mut self.out.mentions;
        links(bytes.of(self.text), |at, name| {
            let at = bytes.start + offset(at);
            mentions.push(Mention::new(at, ReferenceKind::Link, name, Cow::Borrowed("")));
        });
    }

    pub(in crate::index::chunk) fn comment(&mut self, bytes: ByteRange) {
        let bytes = self.trimmed(bytes);
        self.out.comments.push(bytes);
        self.links(bytes);
        let text = bytes.of(self.text);
        if text.starts_with('=') && self.resolved.table.comments.contains(&"pod") {
            return self.pod(bytes);
        }
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| text.starts_with(prefix));
        if begins(self.resolved.table.detached)
            || (begins(self.resolved.table.below) && self.belongs_above(bytes))
        {
            self.lead = None;
        } else {
            self.lead(bytes, bytes);
        }
    }

    /// Makes a comment the doc comment of the declaration directly above it. Returns `false` if
    /// that declaration has one already, or if something is directly below the comment.
    fn belongs_above(&mut self, bytes: ByteRange) -> bool {
        let below = self.text.get(bytes.end as usize..).unwrap_or_default();
        let mut lines = below.lines().map(str::trim);
        let is_last = lines.next().is_none_or(str::is_empty)
            && lines.next().is_none_or(|line| line.is_empty() || line == "end" || line == "}");
        let parent = self.open.last().map(|one| one.index);
        let Some(mut index) = self.out.declarations.len().checked_sub(1) else { return false };
        let above = loop {
            let Some(one) = self.out.declarations.get(index) else { return false };
            if one.parent == parent {
                break one;
            }
            let Some(outer) = one.parent else { return false };
            index = outer as usize;
        };
        let span = above.span.bytes;
        if !is_last || !above.doc.is_empty() || !self.is_next(span.end, bytes.start) {
            return false;
        }
        let span = self.lines.span(ByteRange { end: bytes.end, ..span });
        if let Some(above) = self.out.declarations.get_mut(index) {
            (above.doc, above.span) = (bytes, span);
        }
        true
    }

    pub(in crate::index::chunk) fn attribute(&mut self, bytes: ByteRange) {
        let text = bytes.of(self.text);
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| text.starts_with(prefix));
        if begins(self.resolved.table.docs) {
            return self.comment(bytes);
        }
        if begins(self.resolved.table.inner_docs) {
            self.comment(bytes);
            let doc = self.lead.take().map(|lead| lead.doc).unwrap_or_default();
            let after = self.skip_space(bytes.end);
            if let Some(open) = self.open.last()
                && let Some(declaration) = self.out.declarations.get_mut(open.index as usize)
            {
                if declaration.doc.is_empty() {
                    declaration.doc = doc;
                }
                // GraphQL's description is the first part of what it describes.
                if declaration.signature.start == bytes.start {
                    declaration.signature.start = after.min(declaration.signature.end);
                }
            }
            return;
        }
        let after = self.skip_space(bytes.end);
        let mut leading = false;
        for wrap in self.wraps.iter_mut().rev().take_while(|wrap| wrap.signature_start >= bytes.start) {
            leading = true;
            wrap.signature_start = after;
        }
        if let Some(declaration) =
            self.open.last().and_then(|open| self.out.declarations.get_mut(open.index as usize))
            && declaration.signature.start == bytes.start
        {
            leading = true;
            declaration.signature.start = after.min(declaration.signature.end);
        }
        if !leading {
            self.lead(self.trimmed(bytes), ByteRange::default());
        }
    }

    /// Returns the bytes of an attribute with those behind it that its mask hides from the parser:
    /// its arguments, and further attributes.
    pub(in crate::index::chunk) fn with_hidden(&self, node: Node<'_>, bytes: ByteRange) -> ByteRange {
        let behind = self.skip_space(bytes.end);
        let rest = self.text.get(behind as usize..).unwrap_or_default();
        if self.resolved.table.mask.is_none() || !rest.starts_with(['@', '(']) {
            return bytes;
        }
        let is_code = |next: &Node<'_>| !self.resolved.role(*next).is(resolve::COMMENT);
        match nodes_behind(node).find(is_code).map(range) {
            Some(next) if next.start > behind => self.trimmed(ByteRange { end: next.start, ..bytes }),
            _ => bytes,
        }
    }

    fn skip_space(&self, at: u32) -> u32 {
        let rest = self.text.get(at as usize..).unwrap_or_default();
        at + offset(rest.len() - rest.trim_start().len())
    }

    /// Returns whether there is only white space between two offsets, without a blank line.
    pub(super) fn is_next(&self, before: u32, after: u32) -> bool {
        before <= after && {
            let between = ByteRange { start: before, end: after }.of(self.text);
            between.trim().is_empty() && between.bytes().filter(|&byte| byte == b'\n').count() <= 1
        }
    }

    pub(in crate::index::chunk) fn lead(&mut self, bytes: ByteRange, doc: ByteRange) {
        let line = ByteRange { start: self.lines.start(self.lines.of(bytes.start)), end: bytes.start };
        match self.lead {
            Some(mut lead) if self.is_next(lead.bytes.end, bytes.start) => {
                lead.bytes.end = bytes.end;
                if !doc.is_empty() {
                    lead.doc = if lead.doc.is_empty() { doc } else { ByteRange { end: doc.end, ..lead.doc } };
                }
                self.lead = Some(lead);
            }
            _ if line.of(self.text).trim().is_empty() => self.lead = Some(LeadingComments { bytes, doc }),
            _ => self.lead = None,
        }
    }

    /// Takes the lead if it is directly above `start`.
    fn take_lead(&mut self, start: u32) -> Option<LeadingComments> {
        self.lead.take().filter(|lead| self.is_above(lead, start))
    }

    pub(in crate::index::chunk) fn wrap(&mut self, node: Node<'_>, bytes: ByteRange, depth: u32, role: Role) {
        let rule = &self.resolved.table.wrappers[usize::from(role.wrap)];
        if rule.holds.is_some_and(|holds| !holds(node)) {
            return;
        }
        let lead = self.take_lead(bytes.start);
        let signature = rule.signature;
        self.wraps.push(OpenWrapper {
            bytes,
            depth,
            signature,
            signature_start: bytes.start,
            lead,
            n_declared: 0,
            declarations: 0..0,
        });
    }

    /// Extends a declaration by the span and comments of a closed wrapper, if only one node inside
    /// declares something.
    pub(in crate::index::chunk) fn give_to_declared(&mut self, wrap: &OpenWrapper) {
        if wrap.n_declared == 0 {
            return;
        }
        let alone = Some(wrap.declarations.clone()).filter(|_| wrap.n_declared == 1);
        for declaration in alone.and_then(|all| self.out.declarations.get_mut(all)).into_iter().flatten() {
            let start = wrap.lead.map_or(wrap.bytes.start, |lead| lead.bytes.start);
            let bytes = declaration.span.bytes;
            let bytes = ByteRange { start: start.min(bytes.start), end: wrap.bytes.end.max(bytes.end) };
            declaration.span = self.lines.span(bytes);
            let own = ByteRange { start: wrap.signature_start, end: declaration.signature.start };
            // Brackets could hold more declarations than this one (`type (…)`).
            if wrap.signature && !own.of(self.text).contains(['(', '{']) {
                declaration.signature.start = wrap.signature_start.min(declaration.signature.start);
            }
            if let Some(lead) = wrap.lead.filter(|_| declaration.doc.is_empty()) {
                declaration.doc = lead.doc;
            }
        }
        if let Some(outer) = self.wraps.last_mut().filter(|outer| outer.depth + 1 == wrap.depth) {
            outer.n_declared += wrap.n_declared;
            outer.declarations = wrap.declarations.clone();
        }
    }

    /// Adds the declarations that a node makes: one, or one for each of its names. Returns whether
    /// there are any.
    pub(in crate::index::chunk) fn declare(
        &mut self,
        node: Node<'_>,
        bytes: ByteRange,
        depth: u32,
        role: Role,
    ) -> bool {
        let rule = &self.resolved.table.declarations[usize::from(role.declare)];
        let (bytes, goes_on) = self.bytes_with_rest(node, bytes, rule.goes_on);
        // A package of Perl in another one has a full name all the same.
        let parent = self.owner_of(bytes).filter(|_| !rule.goes_on);
        let parent_kind = parent.and_then(|at| self.out.declarations.get(at as usize)).map(|one| one.kind);
        if !self.is_allowed(rule, parent_kind, bytes.start) {
            return false;
        }
        let like = DeclarationCandidate {
            kind: rule.kind,
            part: node,
            name: None,
            name_bytes: None,
            whole_name: None,
            body: None,
            owner: None,
            path: None,
            scope: "",
            within: parent_kind,
            around: self.around(),
            is_top: depth as usize == self.open.len() + 1,
            is_broken: rule.scope == Scope::Top && self.kinds.contains(&ERROR),
            to_end: false,
        };
        let parts = rule.parts.map(|parts| parts(node));
        let parts = parts.as_deref().unwrap_or(std::slice::from_ref(&node));
        let has_several = parts.iter().flat_map(|part| self.named(*part)).nth(1).is_some();
        let mut parts = parts.iter().flat_map(|part| self.named(*part));
        let mut next = || {
            parts.find_map(|(part, name_bytes)| {
                let like = DeclarationCandidate { name_bytes, ..like };
                self.candidate(node, part, role, has_several, like)
            })
        };
        let Some((found, named)) = next() else { return false };
        let others: Vec<_> = std::iter::from_fn(next).collect();
        let kind = self.kind_of(&found, named.name, parent);
        self.own_name = named.at;
        self.own_names.clear();
        if let Some(part) = found.name.filter(|_| found.whole_name.is_some()) {
            let mut cursor = node.walk();
            let parts = node.named_children(&mut cursor).filter(|one| one.kind_id() == part.kind_id());
            self.own_names.extend(parts.map(|one| range(one).start));
        }
        let arity = rule.arity.map(|arity| arity(self.text, node));
        if rule.joins && self.join(bytes, named.name, kind, arity, parent) {
            return true;
        }
        let index = self.out.declarations.len();
        self.clause = (index, arity.flatten());
        self.add(node, bytes, &found, named, kind, parent);
        for (other, named) in others {
            self.own_names.push(named.at);
            self.add_as(index, bytes, &other, named);
        }
        for supertypes in rule.inherits.iter().filter_map(|one| step(node, one)) {
            self.pending.push((range(supertypes), Meaning::Refers(ReferenceKind::Inherits)));
        }
        let beside = match rule.beside {
            // The next assignment of `a = b = 1`.
            "" => found.body.filter(|body| {
                let is_value = matches!(kind, DeclarationKind::Constant | DeclarationKind::Variable);
                is_value && self.resolved.role(*body).declare != resolve::NONE
            }),
            beside => step(node, beside),
        };
        let beside = beside.map(|node| self.trimmed(range(node))).unwrap_or_default();
        let all = index..self.out.declarations.len();
        // A record takes the last declaration above for the one around.
        let around = if kind == DeclarationKind::Rule { all.end.saturating_sub(1) } else { index };
        self.open.push(OpenDeclaration { end: bytes.end, index: offset(around), beside, goes_on });
        if let Some(wrap) = self.wraps.last_mut().filter(|wrap| wrap.depth + 1 == depth) {
            wrap.n_declared += 1;
            wrap.declarations = all;
        }
        true
    }

    /// Returns the declaration that a node belongs to.
    fn owner_of(&self, bytes: ByteRange) -> Option<u32> {
        let open = self.open.last()?;
        if open.beside == bytes {
            return self.out.declarations.get(open.index as usize).and_then(|one| one.parent);
        }
        Some(open.index)
    }

    /// Adds the first declaration of a node.
    fn add(
        &mut self,
        node: Node<'_>,
        bytes: ByteRange,
        found: &DeclarationCandidate<'_>,
        named: QualifiedName<'_>,
        kind: DeclarationKind,
        parent: Option<u32>,
    ) {
        let lead = self.take_lead(bytes.start).filter(|lead| !self.is_pod_of_other(lead, named.name));
        let outer_start = parent
            .and_then(|at| self.out.declarations.get(at as usize))
            .map_or(0, |one| one.span.bytes.start);
        let start = lead.map_or(bytes.start, |lead| lead.bytes.start).max(outer_start);
        let mut body = found.body.map(range).unwrap_or_default();
        body.end = body.end.min(bytes.end);
        if found.to_end && found.body.is_some() {
            body.end = bytes.end;
        }
        let own_end = range(node).end;
        if own_end < bytes.end {
            body = ByteRange { start: own_end, end: bytes.end };
        }
        if self.is_short(kind, bytes) {
            body = ByteRange::default();
        }
        let signature = self.signature(node, bytes, body, named.at + offset(named.name.len()), kind);
        let mut doc = lead.map(|lead| lead.doc).unwrap_or_default();
        // A string above is not a comment node, so it is recorded here. `finish` drops duplicates.
        if !doc.is_empty() && !self.resolved.table.above.is_empty() {
            self.out.comments.push(doc);
        }
        if let Some(docstring) = found.body.and_then(|body| self.docstring(body)) {
            self.out.comments.push(docstring);
            doc = docstring;
        }
        let whole = found.whole_name.and_then(|write| write(self.text, node));
        let whole = whole.filter(|name| name.len() <= MAX_NAME);
        self.out.declarations.push(Declaration {
            name: whole.unwrap_or_else(|| named.name.to_owned()),
            scope: self.scope_inside(self.scope_named(found, named, kind), parent),
            kind,
            parent,
            span: self.lines.span(ByteRange { start, end: bytes.end }),
            name_line: self.lines.of(named.at) + 1,
            signature,
            body,
            doc,
        });
    }

    /// Adds another declaration of a node. It has the span and the comment of the first one, whose
    /// index is `first`. Its signature is the same if its name is in it, otherwise its own part.
    fn add_as(
        &mut self,
        first: usize,
        bytes: ByteRange,
        found: &DeclarationCandidate<'_>,
        named: QualifiedName<'_>,
    ) {
        let Some(first) = self.out.declarations.get(first).cloned() else { return };
        let kind = self.kind_of(found, named.name, first.parent);
        let mut body = found.body.map(range).unwrap_or_default();
        body.end = body.end.min(bytes.end);
        if self.is_short(kind, bytes) {
            body = ByteRange::default();
        }
        let mut signature = first.signature;
        if !signature.contains(named.at) {
            let part = ByteRange { end: range(found.part).end.min(bytes.end), ..range(found.part) };
            let own = if part.start <= body.start { body } else { ByteRange::default() };
            signature = self.signature(found.part, part, own, named.at + offset(named.name.len()), kind);
        }
        self.out.declarations.push(Declaration {
            name: named.name.to_owned(),
            scope: self.scope_named(found, named, kind),
            kind,
            name_line: self.lines.of(named.at) + 1,
            signature,
            body,
            ..first
        });
    }

    /// Returns whether a declaration is a short value, which is more useful as part of the
    /// signature than as a body.
    fn is_short(&self, kind: DeclarationKind, bytes: ByteRange) -> bool {
        let most = if kind == DeclarationKind::Type { MAX_ALIAS } else { MAX_VALUE };
        is_value(kind) && bytes.len() <= most && !bytes.of(self.text).contains('\n')
    }

    /// Returns whether a declaration counts inside one of this kind.
    fn is_allowed(&self, rule: &DeclarationRule, parent: Option<DeclarationKind>, start: u32) -> bool {
        let is_outside = start >= self.unnamed_until;
        let is_in_scope = match rule.scope {
            Scope::Anywhere => true,
            Scope::Outside => is_outside && !parent.is_some_and(is_function),
            Scope::Top => is_outside && matches!(parent, None | Some(DeclarationKind::Module)),
            Scope::Levels(n) => self.open.len() < n,
        };
        let is_enough = rule.kind == DeclarationKind::Key && self.out.declarations.len() >= MAX_KEYS;
        is_in_scope && !is_enough
    }

    /// Returns the signature of a declaration: its text before the body, without the end of a
    /// statement. `name_end` is where its name ends.
    fn signature(
        &self,
        node: Node<'_>,
        bytes: ByteRange,
        body: ByteRange,
        name_end: u32,
        kind: DeclarationKind,
    ) -> ByteRange {
        let end = if body.is_empty() { self.head_end(node, bytes) } else { body.start };
        let mut signature = ByteRange { start: bytes.start.min(end), end };
        if !body.is_empty() && signature.of(self.text).contains('\n') {
            signature.end = self.comment_before(node, name_end, signature.end);
        }
        let words =
            signature.of(self.text).trim_end_matches(|c: char| c.is_whitespace() || c == ';' || c == ',');
        let words = words.strip_suffix(" :=").or_else(|| words.strip_suffix(" =")).unwrap_or(words);
        signature.end = signature.start + offset(words.trim_end().len());
        if kind == DeclarationKind::Key {
            let line = signature.of(self.text).lines().next().unwrap_or_default();
            signature.end = signature.start + offset(line.trim_end().len());
        }
        signature
    }

    /// Returns where the head of a declaration without a body ends: before the word that closes it,
    /// and before comments there.
    fn head_end(&self, node: Node<'_>, bytes: ByteRange) -> u32 {
        let mut last = node.child(node.child_count().saturating_sub(1));
        if last.is_none_or(|last| {
            !matches!(last.kind(), "end" | "@end") || last.is_named() || range(last).end != bytes.end
        }) {
            return bytes.end;
        }
        while let Some(before) = last.and_then(|last| last.prev_sibling()) {
            if before.kind() != ";" && !self.resolved.role(before).is(resolve::COMMENT) {
                return range(before).end;
            }
            last = Some(before);
        }
        bytes.end
    }

    /// Returns the kinds of the two nodes around the current one.
    pub(super) fn around(&self) -> [&'static str; 2] {
        let mut kinds = self.kinds.iter().rev();
        let mut next = || {
            kinds.next().and_then(|&kind| self.resolved.grammar.node_kind_for_id(kind)).unwrap_or_default()
        };
        [next(), next()]
    }

    /// Returns where the first comment between a declaration's name and its body begins; without
    /// one, where the body begins.
    fn comment_before(&self, node: Node<'_>, name_end: u32, body_start: u32) -> u32 {
        let mut cursor = node.walk();
        let mut children = node.children(&mut cursor).take_while(|child| range(*child).start < body_start);
        children
            .find(|child| range(*child).start >= name_end && self.resolved.role(*child).is(resolve::COMMENT))
            .map_or(body_start, |comment| range(comment).start)
    }

    /// Adds a node to the declaration directly before it, if both have the same name. `arity` is
    /// the number of its parameters, if that must be the same, too.
    fn join(
        &mut self,
        bytes: ByteRange,
        name: &str,
        kind: DeclarationKind,
        arity: Option<Option<usize>>,
        parent: Option<u32>,
    ) -> bool {
        // One signature can have several names: `f, g :: Int`.
        let start = self.out.declarations.last().map(|last| last.span.bytes.start);
        let from_last = self.out.declarations.iter().enumerate().rev().take(MAX_JOINED);
        let mut together = from_last.take_while(|(_, one)| Some(one.span.bytes.start) == start);
        let Some((index, _)) = together.find(|(_, one)| {
            one.name == name && one.parent == parent && (is_function(one.kind) || is_value(one.kind))
        }) else {
            return false;
        };
        if arity.is_some_and(|arity| arity.is_none() || self.clause != (index, arity)) {
            return false;
        }
        let Some(last) = self.out.declarations.get_mut(index) else { return false };
        if is_function(kind) {
            last.kind = kind;
        }
        let start = if last.body.is_empty() { bytes.start } else { last.body.start };
        last.body = ByteRange { start, end: bytes.end };
        last.span = self.lines.span(ByteRange { start: last.span.bytes.start, end: bytes.end });
        self.lead = None;
        self.open.push(OpenDeclaration {
            end: bytes.end,
            index: offset(index),
            beside: ByteRange::default(),
            goes_on: false,
        });
        true
    }

    /// Returns the docstring at the beginning of a body.
    pub(in crate::index::chunk) fn docstring(&self, body: Node<'_>) -> Option<ByteRange> {
        if self.resolved.table.docstrings.is_empty() {
            return None;
        }
        let mut cursor = body.walk();
        let first = body
            .named_children(&mut cursor)
            .find(|child| !self.resolved.role(*child).is(resolve::COMMENT))?;
        let role = self.resolved.role(first);
        if !role.is(resolve::DOCSTRING) {
            return None;
        }
        let string = if role.is(resolve::STRING) { first } else { first.named_child(0)? };
        (self.resolved.role(string).is(resolve::STRING) && range(string).len() > 2).then(|| range(string))
    }
}

/// Returns whether variables inside are local.
fn is_function(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Function | K::Method | K::Constructor | K::Test | K::Macro)
}

/// Returns whether the body is a value.
fn is_value(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Constant | K::Variable | K::Type | K::Macro | K::Key)
}

/// Returns whether functions inside are methods.
pub(in crate::index::chunk) fn is_type(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Class | K::Struct | K::Interface | K::Enum | K::Union | K::Implementation | K::Type)
}
