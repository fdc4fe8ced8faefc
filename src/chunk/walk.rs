//! The walk: syntax tree → declarations, mentions, comments, and the atoms that the cutter puts together.
//!
//! One cursor visits each node once, without recursion. Mentions borrow their names from the text; they become
//! references when the chunks are known. An **atom** is a node that is small enough for one chunk, or has no
//! children, while the node around it is too large: in order, the atoms are what there is to cut between.

use super::imports;
use super::lines::{Lines, offset};
use super::links::links;
use super::names::{self, Named};
use super::table::{self, Found, Meaning, NONE, Name, Resolved, Role, Scope, step, steps};
use super::{ByteRange, Declaration, DeclarationKind, Language, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::{Node, Tree};

/// A mention, not yet attributed to a chunk.
#[derive(Debug, Clone)]
pub(super) struct Mention<'t> {
    pub(super) at: u32,
    pub(super) kind: ReferenceKind,
    pub(super) name: &'t str,
    pub(super) qualifier: Cow<'t, str>,
    pub(super) alias: &'t str,
}

/// What an atom is to the cutter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AtomKind {
    Comment,
    Head,
    Other,
}

/// A node to cut between.
#[derive(Debug, Clone, Copy)]
pub(super) struct Atom {
    pub(super) bytes: ByteRange,
    pub(super) depth: u32,
    pub(super) kind: AtomKind,
}

/// All that the walk found.
#[derive(Debug, Default)]
pub(super) struct Walked<'t> {
    pub(super) declarations: Vec<Declaration>,
    pub(super) mentions: Vec<Mention<'t>>,
    pub(super) comments: Vec<ByteRange>,
    pub(super) atoms: Vec<Atom>,
}

/// Comments and attributes directly above whatever comes next.
#[derive(Debug, Clone, Copy)]
struct Lead {
    bytes: ByteRange,
    doc: ByteRange,
}

/// A wrapper that the walk is in.
struct Wrapping {
    bytes: ByteRange,
    depth: u32,
    signature: bool,
    signature_start: u32,
    lead: Option<Lead>,
    n_declared: u32,
    declaration: usize,
}

struct Walk<'t> {
    text: &'t str,
    lines: &'t Lines<'t>,
    resolved: &'static Resolved,
    separator: &'static str,
    limit: u32,
    out: Walked<'t>,
    /// The declarations that the walk is in: end, index.
    open: Vec<(u32, u32)>,
    wraps: Vec<Wrapping>,
    /// The regions that the walk is in: end, meaning.
    regions: Vec<(u32, Meaning)>,
    /// Ranges of nodes ahead that are regions.
    pending: Vec<ByteRange>,
    lead: Option<Lead>,
    /// Names before this offset are parts of a path that is already recorded.
    named_until: u32,
    /// Where the last declaration's name begins: it is no reference.
    own_name: u32,
    /// The depth of the innermost node around that's too large for one chunk.
    large_depth: u32,
    /// The end of the file's docstring.
    head_until: u32,
    /// For methods outside of their type: the method, the type's name.
    owners: Vec<(usize, &'t str)>,
}

/// Longer names are no names.
const MAX_NAME: usize = 256;

/// A constant, variable or type alias up to this many bytes on one line is all signature.
const MAX_VALUE: u32 = 120;

/// The byte range of a node.
pub(super) fn range(node: Node<'_>) -> ByteRange {
    ByteRange { start: offset(node.start_byte()), end: offset(node.end_byte()) }
}

/// Walks the tree. Nodes above `limit` bytes are taken apart into atoms.
pub(super) fn walk<'t>(
    language: Language,
    resolved: &'static Resolved,
    tree: &Tree,
    lines: &'t Lines<'t>,
    limit: u32,
) -> Walked<'t> {
    let mut walk = Walk {
        text: lines.text(),
        lines,
        resolved,
        separator: language.separator(),
        limit,
        out: Walked::default(),
        open: Vec::new(),
        wraps: Vec::new(),
        regions: Vec::new(),
        pending: Vec::new(),
        lead: None,
        named_until: 0,
        own_name: u32::MAX,
        large_depth: 0,
        head_until: 0,
        owners: Vec::new(),
    };
    let mut cursor = tree.walk();
    if let Some(docstring) = walk.docstring(tree.root_node()) {
        walk.out.comments.push(docstring);
        walk.head_until = docstring.end;
    }
    let mut depth = 0;
    let mut inside = cursor.goto_first_child();
    while inside {
        depth += 1;
        loop {
            if walk.enter(cursor.node(), depth) && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                depth -= 1;
                if depth == 0 || !cursor.goto_parent() {
                    inside = false;
                    break;
                }
            }
            if !inside {
                break;
            }
        }
    }
    walk.leave(u32::MAX);
    walk.finish()
}

impl<'t> Walk<'t> {
    /// Takes in a node; whether its children are to be visited.
    fn enter(&mut self, node: Node<'_>, depth: u32) -> bool {
        let bytes = range(node);
        let mut role = self.resolved.role(node);
        if role.import != NONE {
            let module = self.resolved.table.imports[usize::from(role.import)].module;
            if !module.is_empty() && step(node, module).is_none() {
                role.import = NONE;
            }
        }
        self.leave(bytes.start);
        let mut descend = node.child_count() > 0 && !role.is(table::COMMENT | table::OPAQUE) && role.import == NONE;
        self.large_depth = self.large_depth.min(depth - 1);
        if self.large_depth == depth - 1 && !bytes.is_empty() {
            if descend && (bytes.len() > self.limit || role.is(table::SCOPE)) {
                self.large_depth = depth;
            } else {
                self.atom(bytes, depth, role);
            }
        }
        if role.is(table::COMMENT) {
            self.comment(bytes);
            return false;
        }
        if role.is(table::ATTRIBUTE) {
            self.attribute(bytes);
        }
        if role.wrap != NONE {
            self.wrap(bytes, depth, role);
        }
        if role.declare != NONE {
            self.declare(node, bytes, depth, role);
        }
        if role.import != NONE {
            let import = &self.resolved.table.imports[usize::from(role.import)];
            let (at, mentions) = (bytes.start, &mut self.out.mentions);
            imports::read(import, self.separator, node, self.text, &mut |name, qualifier, alias| {
                mentions.push(Mention { at, kind: ReferenceKind::Import, name, qualifier, alias });
            });
            descend = false;
        }
        if role.call != NONE {
            self.call(node, bytes, role);
        }
        if role.region != NONE {
            let region = self.resolved.table.regions[usize::from(role.region)];
            match region.meaning {
                Meaning::Arguments if self.regions.is_empty() => {}
                Meaning::Arguments => self.regions.push((bytes.end, Meaning::Refers(ReferenceKind::Type))),
                meaning => self.regions.push((bytes.end, meaning)),
            }
        } else if !self.pending.is_empty() {
            if let Some(at) = self.pending.iter().position(|one| *one == bytes) {
                self.pending.swap_remove(at);
                self.regions.push((bytes.end, Meaning::Refers(ReferenceKind::Inherits)));
            }
        }
        if role.is(table::TYPE | table::NAME) || (role.path != NONE && !self.regions.is_empty()) {
            self.name(node, bytes, role);
        }
        descend
    }

    /// Leaves all that ends at or before `at`.
    fn leave(&mut self, at: u32) {
        while self.open.last().is_some_and(|(end, _)| *end <= at) {
            self.open.pop();
        }
        while self.regions.last().is_some_and(|(end, _)| *end <= at) {
            self.regions.pop();
        }
        while self.wraps.last().is_some_and(|wrap| wrap.bytes.end <= at) {
            let Some(wrap) = self.wraps.pop() else { break };
            self.unwrap(&wrap);
        }
    }

    fn atom(&mut self, bytes: ByteRange, depth: u32, role: Role) {
        let kind = if role.is(table::COMMENT) {
            AtomKind::Comment
        } else if role.is(table::HEAD) || role.import != NONE || bytes.end <= self.head_until {
            AtomKind::Head
        } else {
            AtomKind::Other
        };
        self.out.atoms.push(Atom { bytes, depth, kind });
    }

    /// What a comment's or an attribute's node holds without white space at its end.
    fn trimmed(&self, bytes: ByteRange) -> ByteRange {
        ByteRange { start: bytes.start, end: bytes.start + offset(bytes.of(self.text).trim_end().len()) }
    }

    fn comment(&mut self, bytes: ByteRange) {
        let bytes = self.trimmed(bytes);
        self.out.comments.push(bytes);
        let text = bytes.of(self.text);
        let mentions = &mut self.out.mentions;
        links(text, |at, name| {
            let at = bytes.start + offset(at);
            mentions.push(Mention { at, kind: ReferenceKind::Link, name, qualifier: Cow::Borrowed(""), alias: "" });
        });
        if self.resolved.table.detached.iter().any(|prefix| text.starts_with(prefix)) {
            self.lead = None;
        } else {
            self.lead(bytes, bytes);
        }
    }

    fn attribute(&mut self, bytes: ByteRange) {
        let after = self.skip_space(bytes.end);
        let mut leading = false;
        for wrap in self.wraps.iter_mut().rev().take_while(|wrap| wrap.signature_start >= bytes.start) {
            leading = true;
            wrap.signature_start = after;
        }
        if let Some(declaration) = self.open.last().and_then(|(_, at)| self.out.declarations.get_mut(*at as usize)) {
            if declaration.signature.start == bytes.start {
                leading = true;
                declaration.signature.start = after.min(declaration.signature.end);
            }
        }
        if !leading {
            self.lead(self.trimmed(bytes), ByteRange::default());
        }
    }

    fn skip_space(&self, at: u32) -> u32 {
        let rest = self.text.get(at as usize..).unwrap_or_default();
        at + offset(rest.len() - rest.trim_start().len())
    }

    /// Whether only white space without a blank line lies between.
    fn is_next(&self, before: u32, after: u32) -> bool {
        before <= after && {
            let between = ByteRange { start: before, end: after }.of(self.text);
            between.trim().is_empty() && between.bytes().filter(|&byte| byte == b'\n').count() <= 1
        }
    }

    fn lead(&mut self, bytes: ByteRange, doc: ByteRange) {
        let line = ByteRange { start: self.lines.start(self.lines.of(bytes.start)), end: bytes.start };
        match self.lead {
            Some(mut lead) if self.is_next(lead.bytes.end, bytes.start) => {
                lead.bytes.end = bytes.end;
                if !doc.is_empty() {
                    lead.doc = if lead.doc.is_empty() { doc } else { ByteRange { end: doc.end, ..lead.doc } };
                }
                self.lead = Some(lead);
            }
            _ if line.of(self.text).trim().is_empty() => self.lead = Some(Lead { bytes, doc }),
            _ => self.lead = None,
        }
    }

    /// Takes the lead, if it stands directly above `start`.
    fn take_lead(&mut self, start: u32) -> Option<Lead> {
        self.lead.take().filter(|lead| self.is_next(lead.bytes.end, start))
    }

    fn wrap(&mut self, bytes: ByteRange, depth: u32, role: Role) {
        let lead = self.take_lead(bytes.start);
        let signature = self.resolved.table.wrappers[usize::from(role.wrap)].signature;
        self.wraps.push(Wrapping {
            bytes,
            depth,
            signature,
            signature_start: bytes.start,
            lead,
            n_declared: 0,
            declaration: 0,
        });
    }

    /// Gives a left wrapper's span and comments to the one declaration in it.
    fn unwrap(&mut self, wrap: &Wrapping) {
        if wrap.n_declared == 0 {
            return;
        }
        if wrap.n_declared == 1 {
            if let Some(declaration) = self.out.declarations.get_mut(wrap.declaration) {
                let start = wrap.lead.map_or(wrap.bytes.start, |lead| lead.bytes.start);
                let bytes = declaration.span.bytes;
                let bytes = ByteRange { start: start.min(bytes.start), end: wrap.bytes.end.max(bytes.end) };
                declaration.span = self.lines.span(bytes);
                let own = ByteRange { start: wrap.signature_start, end: declaration.signature.start };
                // In brackets there could be more than this one (`type (…)`).
                if wrap.signature && !own.of(self.text).contains(['(', '{']) {
                    declaration.signature.start = wrap.signature_start.min(declaration.signature.start);
                }
                if let Some(lead) = wrap.lead.filter(|_| declaration.doc.is_empty()) {
                    declaration.doc = lead.doc;
                }
            }
        }
        if let Some(outer) = self.wraps.last_mut().filter(|outer| outer.depth + 1 == wrap.depth) {
            outer.n_declared += wrap.n_declared;
            outer.declaration = wrap.declaration;
        }
    }

    fn declare(&mut self, node: Node<'_>, bytes: ByteRange, depth: u32, role: Role) {
        let rule = &self.resolved.table.declarations[usize::from(role.declare)];
        let bytes = self.trimmed(bytes);
        let parent = self.open.last().map(|(_, at)| *at);
        let parent_kind = parent.and_then(|at| self.out.declarations.get(at as usize)).map(|one| one.kind);
        let allowed = match rule.scope {
            Scope::Anywhere => true,
            Scope::Outside => !parent_kind.is_some_and(is_function),
            Scope::Top => matches!(parent_kind, None | Some(DeclarationKind::Module)),
        };
        if !allowed {
            return;
        }
        let name = match rule.name {
            Name::At(path) => steps(node, path),
            Name::Declarator(field) => names::declarator(node, field),
            Name::Argument(field) => names::argument(self.resolved, node, field),
            Name::Refined => None,
        };
        let body = if rule.body.is_empty() { None } else { steps(node, rule.body) };
        let mut found = Found { kind: rule.kind, name, body, owner: None };
        if rule.refine.is_some_and(|refine| !refine(self.text, node, &mut found)) {
            return;
        }
        let Some(name_node) = found.name else { return };
        let Named { name, at, .. } = match names::read(self.resolved, name_node, self.text) {
            Some(named) => named,
            None => return,
        };
        if name.is_empty() || name.len() > MAX_NAME {
            return;
        }
        let mut kind = found.kind;
        if kind == DeclarationKind::Function && (parent_kind.is_some_and(is_type) || found.owner.is_some()) {
            kind = DeclarationKind::Method;
        }
        let parent_name = parent.and_then(|at| self.out.declarations.get(at as usize)).map(|one| one.name.as_str());
        let owner = found.owner.and_then(|owner| names::read(self.resolved, owner, self.text)).map(|one| one.name);
        let is_constructor = |one: &str| one == name || (one == "=" && owner.or(parent_name) == Some(name));
        if kind == DeclarationKind::Method && self.resolved.table.constructors.iter().any(|one| is_constructor(one)) {
            kind = DeclarationKind::Constructor;
        }
        let lead = self.take_lead(bytes.start);
        let index = self.out.declarations.len();
        let outer_start = parent.and_then(|at| self.out.declarations.get(at as usize)).map_or(0, |one| one.span.bytes.start);
        let start = lead.map_or(bytes.start, |lead| lead.bytes.start).max(outer_start);
        let mut body = found.body.map(range).unwrap_or_default();
        if is_value(kind) && bytes.len() <= MAX_VALUE && !bytes.of(self.text).contains('\n') {
            // A short value says more than its absence.
            body = ByteRange::default();
        }
        let signature_end = if body.is_empty() { bytes.end } else { body.start };
        let mut signature = ByteRange { start: bytes.start.min(signature_end), end: signature_end };
        signature.end = signature.start
            + offset(signature.of(self.text).trim_end_matches(|c: char| c.is_whitespace() || c == ';').len());
        let mut doc = lead.map(|lead| lead.doc).unwrap_or_default();
        if let Some(docstring) = found.body.and_then(|body| self.docstring(body)) {
            self.out.comments.push(docstring);
            doc = docstring;
        }
        if let Some(owner) = owner {
            self.owners.push((index, owner));
        }
        self.own_name = at;
        for supertypes in rule.inherits.iter().filter_map(|one| step(node, one)) {
            self.pending.push(range(supertypes));
        }
        self.out.declarations.push(Declaration {
            name: name.to_owned(),
            kind,
            parent,
            span: self.lines.span(ByteRange { start, end: bytes.end }),
            name_line: self.lines.of(at) + 1,
            signature,
            body,
            doc,
        });
        self.open.push((bytes.end, offset(index)));
        if let Some(wrap) = self.wraps.last_mut().filter(|wrap| wrap.depth + 1 == depth) {
            wrap.n_declared += 1;
            wrap.declaration = index;
        }
    }

    /// The docstring at the beginning of a body.
    fn docstring(&self, body: Node<'_>) -> Option<ByteRange> {
        if self.resolved.table.docstrings.is_empty() {
            return None;
        }
        let mut cursor = body.walk();
        let first = body.named_children(&mut cursor).find(|child| !self.resolved.role(*child).is(table::COMMENT))?;
        let role = self.resolved.role(first);
        if !role.is(table::DOCSTRING) {
            return None;
        }
        let string = if role.is(table::STRING) { first } else { first.named_child(0)? };
        (self.resolved.role(string).is(table::STRING) && range(string).len() > 2).then(|| range(string))
    }

    fn call(&mut self, node: Node<'_>, bytes: ByteRange, role: Role) {
        let rule = &self.resolved.table.calls[usize::from(role.call)];
        let Some(function) = (if rule.function.is_empty() { Some(node) } else { step(node, rule.function) }) else {
            return;
        };
        let Some(Named { name, qualifier, .. }) = names::read(self.resolved, function, self.text) else { return };
        if self.resolved.table.import_calls.contains(&name) {
            if let Some(module) = names::first_string(self.resolved, node) {
                let module = names::unquoted(range(module).of(self.text));
                let name = imports::last_segment(module);
                let kind = ReferenceKind::Import;
                self.out.mentions.push(Mention { at: bytes.start, kind, name, qualifier: Cow::Borrowed(module), alias: "" });
                return;
            }
        }
        if !name.is_empty() && name.len() <= MAX_NAME {
            let at = offset(function.start_byte());
            self.out.mentions.push(Mention { at, kind: ReferenceKind::Call, name, qualifier: Cow::Borrowed(qualifier), alias: "" });
        }
    }

    fn name(&mut self, node: Node<'_>, bytes: ByteRange, role: Role) {
        if bytes.start < self.named_until || bytes.start == self.own_name {
            return;
        }
        let meaning = match self.regions.last() {
            Some((_, Meaning::Nothing)) if !role.is(table::TYPE) => return,
            Some((_, Meaning::Tokens)) => Meaning::Tokens,
            Some((_, meaning)) if *meaning != Meaning::Nothing => *meaning,
            _ if role.is(table::TYPE) => Meaning::Refers(ReferenceKind::Type),
            _ => return,
        };
        let kind = match meaning {
            Meaning::Refers(kind) => kind,
            Meaning::Nothing | Meaning::Arguments => return,
            Meaning::Tokens => {
                let called = self.text.as_bytes().get(bytes.end as usize) == Some(&b'(');
                if !called {
                    return;
                }
                ReferenceKind::Call
            }
        };
        let Some(Named { name, qualifier, at }) = names::read(self.resolved, node, self.text) else { return };
        // Only up to here: a name's type arguments are visited themselves.
        self.named_until = at + offset(name.len());
        if at != self.own_name && !name.is_empty() && name.len() <= MAX_NAME {
            self.out.mentions.push(Mention { at: bytes.start, kind, name, qualifier: Cow::Borrowed(qualifier), alias: "" });
        }
    }

    fn finish(mut self) -> Walked<'t> {
        for (method, owner) in std::mem::take(&mut self.owners) {
            let parent = self.out.declarations.get(method).and_then(|one| one.parent);
            let is_owner = |one: &Declaration| one.name == owner && is_type(one.kind) && one.parent == parent;
            let found = self.out.declarations.iter().take(method).position(is_owner);
            if let (Some(found), Some(declaration)) = (found, self.out.declarations.get_mut(method)) {
                declaration.parent = Some(offset(found));
            }
        }
        self.out.comments.sort_unstable();
        self.out.comments.dedup_by(|next, kept| next.start < kept.end);
        self.out
    }
}

/// Whether variables inside are local.
fn is_function(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Function | K::Method | K::Constructor | K::Test | K::Macro)
}

/// Whether its body is a value.
fn is_value(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Constant | K::Variable | K::Type | K::Macro)
}

/// Whether functions inside are methods.
fn is_type(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Class | K::Struct | K::Interface | K::Enum | K::Union | K::Implementation | K::Type)
}
