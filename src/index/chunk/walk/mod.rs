//! The walk: syntax tree → declarations, mentions, comments, and the atoms that the cutter joins.
//!
//! One cursor visits each node once. There is no recursion, so deep nesting cannot overflow the
//! stack.

mod announced;
pub(super) mod bare_calls;
pub(super) mod candidate;
mod current_object;
pub(super) mod declare;
mod fields;
mod heirs;
pub(super) mod identifiers;
pub(super) mod imports;
pub(super) mod leaf_prefix;
pub(super) mod mention;
pub(super) mod node;
pub(super) mod own_members;
pub(super) mod owners;
pub(super) mod parts;
pub(super) mod perl_forms;
mod type_path;
pub(super) mod uses;
pub(super) mod walk_result;

use super::atom::{Atom, AtomKind};
use super::lines::{Lines, offset};
use super::resolve::{self, NONE, ResolvedTable, Role, Step, step};
use super::self_words::SelfWord;
use super::strings;
use super::table::{Meaning, MentionReader};
use super::types;
use super::{ByteRange, Language, ReferenceKind};
use announced::AnnouncedTypes;
use declare::{LeadingComments, OpenDeclaration, OpenWrapper};
use identifiers::QualifiedName;
use mention::{MAX_NAME, Mention};
use node::range;
use std::borrow::Cow;
use tree_sitter::{Node, Tree};
use uses::Leaf;
use walk_result::WalkResult;

/// The state of a walk.
pub(super) struct Walk<'t> {
    pub(super) text: &'t str,
    pub(super) lines: &'t Lines<'t>,
    pub(super) resolved: &'static ResolvedTable,
    pub(super) separator: &'static str,
    pub(super) limit: u32,
    pub(super) out: WalkResult<'t>,
    /// The open declarations, outermost first.
    pub(super) open: Vec<OpenDeclaration>,
    pub(super) wraps: Vec<OpenWrapper>,
    /// The kinds of the enclosing nodes, outermost first.
    pub(super) kinds: Vec<u16>,
    /// The ranges of the enclosing nodes, as in `kinds`.
    pub(super) ranges: Vec<ByteRange>,
    /// The open regions: end offset, meaning.
    pub(super) regions: Vec<(u32, Meaning)>,
    /// Ranges of nodes ahead that are regions, with their meaning.
    pub(super) pending: Vec<(ByteRange, Meaning)>,
    pub(super) lead: Option<LeadingComments>,
    /// The offset before which all names are parts of a path that is already recorded.
    pub(super) named_until: u32,
    /// The offset of the last declaration's name, which is not a reference.
    pub(super) own_name: u32,
    /// The offsets of its other names, if its node has several.
    pub(super) own_names: Vec<u32>,
    /// The first byte in the last region of types, where the name of a function stands that gets a
    /// type there.
    pub(super) typed_name: u32,
    /// The last declaration, and the number of parameters that its clauses share.
    pub(super) clause: (usize, Option<usize>),
    /// The depth of the innermost enclosing node that is too large for one chunk.
    pub(super) large_depth: u32,
    /// The end of the file's docstring.
    pub(super) head_until: u32,
    /// Whether strings may hold another language.
    pub(super) has_strings: bool,
    /// The end of the last node in which nothing is declared.
    pub(super) closed_until: u32,
    /// The end of the last node whose leaves name no values.
    pub(super) valueless_until: u32,
    /// The end of the last function without a name.
    pub(super) unnamed_until: u32,
    /// The names of C and C++ that refer to nothing elsewhere.
    pub(super) announced: AnnouncedTypes<'t>,
}

/// Walks the tree. Nodes above `limit` bytes are taken apart into atoms.
pub(super) fn walk<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    tree: &Tree,
    lines: &'t Lines<'t>,
    limit: u32,
) -> WalkResult<'t> {
    let mut walk = Walk {
        text: lines.text(),
        lines,
        resolved,
        separator: language.separator(),
        limit,
        out: WalkResult::default(),
        open: Vec::new(),
        wraps: Vec::new(),
        kinds: vec![tree.root_node().kind_id()],
        ranges: vec![range(tree.root_node())],
        regions: Vec::new(),
        pending: Vec::new(),
        lead: None,
        named_until: 0,
        own_name: u32::MAX,
        own_names: Vec::new(),
        typed_name: u32::MAX,
        clause: (0, None),
        large_depth: 0,
        head_until: 0,
        closed_until: 0,
        valueless_until: 0,
        unnamed_until: 0,
        announced: AnnouncedTypes::default(),
        has_strings: may_embed(language),
    };
    let mut cursor = tree.walk();
    if let Some(docstring) = walk.docstring(tree.root_node()) {
        walk.out.comments.push(docstring);
        walk.head_until = docstring.end;
    }
    let (mut depth, mut inside) = (0, cursor.goto_first_child());
    while inside {
        depth += 1;
        loop {
            walk.enter_field(&cursor);
            let node = cursor.node();
            if walk.enter(node, depth) && cursor.goto_first_child() {
                walk.kinds.push(node.kind_id());
                walk.ranges.push(range(node));
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                walk.kinds.pop();
                walk.ranges.pop();
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

/// Returns whether strings of a language may hold SQL or GraphQL. Those of data and of the two
/// languages themselves do not.
fn may_embed(language: Language) -> bool {
    const DATA: [&str; 14] = [
        "astro", "cmake", "css", "graphql", "html", "json", "protobuf", "razor", "sql", "svelte", "toml",
        "vue", "xml", "yaml",
    ];
    !DATA.contains(&language.name())
}

impl<'t> Walk<'t> {
    /// Handles a node; returns whether to visit its children.
    fn enter(&mut self, node: Node<'_>, depth: u32) -> bool {
        let mut role = self.resolved.role(node);
        self.large_depth = self.large_depth.min(depth - 1);
        let is_atom = self.large_depth == depth - 1;
        if !is_atom && role.is_nothing() && !self.is_pending(node) {
            // Most nodes end here. A declaration that ends before this one is closed at the next
            // node that matters.
            return true;
        }
        if !is_atom && role.is_leaf_alone() && !self.is_pending(node) {
            let bytes = range(node);
            self.leave(bytes.start);
            self.leaf(bytes, role);
            return false;
        }
        let bytes = if role.is(resolve::TRAILING) { self.without_comments(node) } else { range(node) };
        if self.has_strings && role.is(resolve::STRING | resolve::TEXT) {
            strings::note(self.text, bytes, &mut self.out.strings);
        }
        if role.import != NONE {
            let import = &self.resolved.table.imports[usize::from(role.import)];
            let module = import.module.trim_end_matches('+');
            let is_import = module.is_empty() || step(node, module).is_some();
            if is_import && self.begins_with(node, import.words) {
                role.call = NONE;
            } else {
                role.import = NONE;
            }
        }
        self.leave(bytes.start);
        let mut descend = !role.is(resolve::COMMENT | resolve::OPAQUE) && role.import == NONE;
        if is_atom && !bytes.is_empty() {
            if descend && node.child_count() > 0 && (bytes.len() > self.limit || role.is(resolve::SCOPE)) {
                self.large_depth = depth;
            } else {
                self.atom(bytes, depth, role);
            }
        }
        if role.is(resolve::COMMENT) {
            if !is_atom && self.out.atoms.last().is_some_and(|last| last.bytes.end <= bytes.start) {
                self.atom(bytes, depth, role);
            }
            self.comment(bytes);
            return false;
        }
        if role.is(resolve::ABOVE) {
            self.lead(bytes, bytes);
        }
        let is_open = bytes.start >= self.closed_until;
        let within = self.innermost();
        let declared = role.declare != NONE && is_open && self.declare(node, bytes, depth, role);
        if role.declare != NONE && !declared {
            self.announced.note(self.text, node, self.resolved.kind(node));
        }
        if role.typed != NONE {
            self.bind(node, role, within, self.innermost().filter(|_| declared));
        }
        if role.is(resolve::ATTRIBUTE) && !declared {
            self.attribute(self.with_hidden(node, bytes));
        }
        self.limit_inner(bytes, role, declared);
        if role.wrap != NONE && !declared {
            self.wrap(node, bytes, depth, role);
        }
        if role.import != NONE {
            let import = &self.resolved.table.imports[usize::from(role.import)];
            let is_beside = !import.beside.is_empty() && self.begins_with(node, import.beside);
            let first = self.out.mentions.len();
            let (at, mentions) = (bytes.start, &mut self.out.mentions);
            imports::read(import, self.separator, node, self.text, &mut |name, qualifier, alias| {
                let qualifier = match is_beside && !qualifier.starts_with('.') {
                    true => Cow::Owned(format!("./{qualifier}")),
                    false => qualifier,
                };
                let import = Mention::new(at, ReferenceKind::Import, name, qualifier);
                mentions.push(Mention { alias: Cow::Borrowed(alias), ..import });
            });
            self.bind_imports(node, first, within);
            self.imported(bytes);
            descend = false;
        }
        if role.call != NONE {
            self.call(node, bytes, role);
        }
        self.region(node, bytes, role);
        if role.is(resolve::TYPE | resolve::NAME) || (role.path != NONE && !self.regions.is_empty()) {
            self.name(node, bytes, role);
        }
        if role.is(resolve::LEAF | resolve::MEMBER_LEAF) {
            self.leaf(bytes, role);
        }
        if role.is(resolve::MEMBER) {
            self.member(node, bytes);
        }
        if let Some(rule) = self.resolved.table.mentions.get(usize::from(role.mentions)) {
            self.read(node, rule.read);
        }
        descend
    }

    /// Notes what is not read inside of a node. `declared`: whether the node declares something.
    fn limit_inner(&mut self, bytes: ByteRange, role: Role, declared: bool) {
        if role.is(resolve::CLOSED) {
            self.closed_until = self.closed_until.max(bytes.end);
        }
        if role.is(resolve::VALUELESS) {
            self.valueless_until = self.valueless_until.max(bytes.end);
        }
        if role.is(resolve::UNNAMED) && !declared {
            self.unnamed_until = self.unnamed_until.max(bytes.end);
        }
    }

    /// Opens the region that a node is.
    fn region(&mut self, node: Node<'_>, bytes: ByteRange, role: Role) {
        let regions = self.resolved.table.regions.iter().skip(usize::from(role.region));
        let mut regions = regions.filter(|region| region.node == self.resolved.kind(node));
        if let Some(region) = regions.find(|region| self.begins_with(node, region.words)) {
            match region.meaning {
                meaning if !region.at.is_empty() => {
                    self.pending.extend(step(node, region.at).map(|child| (range(child), meaning)));
                }
                Meaning::Arguments if self.regions.is_empty() => {}
                Meaning::Arguments => {
                    let outer = self.regions.last().map(|(_, outer)| *outer);
                    let given_to = (!region.except.is_empty()).then(|| step(node, region.except)).flatten();
                    self.pending.extend(given_to.map(range).zip(outer));
                    self.regions.push((bytes.end, Meaning::Refers(ReferenceKind::Type)));
                }
                meaning if self.resolved.table.has_type_calls => {
                    self.typed_name = node.named_child(1).map_or(u32::MAX, |first| range(first).start);
                    self.regions.push((bytes.end, meaning));
                }
                meaning => self.regions.push((bytes.end, meaning)),
            }
        } else if !self.pending.is_empty()
            && let Some(at) = self.pending.iter().position(|(one, _)| *one == bytes)
        {
            let (_, meaning) = self.pending.swap_remove(at);
            self.regions.push((bytes.end, meaning));
        }
    }

    /// Adds the mentions that a function of the table reads from a node.
    fn read(&mut self, node: Node<'_>, read: MentionReader) {
        let before = self.out.mentions.len();
        read(self.text, node, &mut self.out.mentions);
        let within = self.innermost();
        let mut kept = before;
        for at in before..self.out.mentions.len() {
            self.out.mentions.swap(kept, at);
            let is_own = self.out.mentions.get(kept).is_some_and(|one| self.is_own(one.at));
            let Some(one) = self.out.mentions.get_mut(kept) else { break };
            // The name of the declaration around is not a reference to it.
            if is_own || one.name.len() > MAX_NAME || one.name.contains('\n') {
                continue;
            }
            if one.kind != ReferenceKind::Import && one.kind != ReferenceKind::Link {
                one.within = within;
            }
            kept += 1;
        }
        self.out.mentions.truncate(kept);
    }

    /// Records a leaf that may name a value.
    fn leaf(&mut self, bytes: ByteRange, role: Role) {
        if bytes.start >= self.named_until && !self.is_own(bytes.start) {
            let name = bytes.of(self.text);
            let is_member = role.is(resolve::MEMBER_LEAF);
            // The text of such a leaf may be a whole path, which the table reads itself.
            if bytes.start < self.valueless_until || role.path != NONE && name.contains('.') {
                return;
            }
            if self.is_element_of_html(name) {
                return;
            }
            self.out.leaves.push(Leaf { at: bytes.start, name, is_member, within: self.innermost() });
        }
    }

    /// Records the owner of a member (`PresentMode::Fifo`) as a reference to a type. Called members
    /// are skipped, because the call itself is recorded.
    fn member(&mut self, node: Node<'_>, bytes: ByteRange) {
        if self.out.mentions.last().is_some_and(|last| last.at == bytes.start)
            || bytes.start < self.named_until
        {
            return;
        }
        let named = identifiers::read(self.resolved, node, self.text);
        let Some((owner, qualifier)) = named.map(|named| identifiers::split(named.qualifier)) else {
            return;
        };
        let is_type = owner.starts_with(char::is_uppercase) && owner.contains(char::is_lowercase);
        if is_type && owner != "Self" && owner.len() <= MAX_NAME {
            let mut mention = Mention::new(bytes.start, ReferenceKind::Type, owner, Cow::Borrowed(qualifier));
            mention.within = self.innermost();
            self.out.mentions.push(mention);
        }
    }

    /// Returns the innermost open declaration.
    pub(in crate::index::chunk) fn innermost(&self) -> Option<u32> {
        self.open.last().map(|one| one.index)
    }

    /// Returns whether a name of the last declaration begins at an offset.
    fn is_own(&self, at: u32) -> bool {
        at == self.own_name || self.own_names.contains(&at)
    }

    /// Closes everything that ends at or before `at`.
    fn leave(&mut self, at: u32) {
        while self.open.last().is_some_and(|one| one.end <= at) {
            self.open.pop();
        }
        if !self.pending.is_empty() {
            self.pending.retain(|(one, _)| one.end > at);
        }
        while self.regions.last().is_some_and(|(end, _)| *end <= at) {
            self.regions.pop();
        }
        while self.wraps.last().is_some_and(|wrap| wrap.bytes.end <= at) {
            let Some(wrap) = self.wraps.pop() else { break };
            self.give_to_declared(&wrap);
        }
    }

    fn atom(&mut self, bytes: ByteRange, depth: u32, role: Role) {
        let kind = if role.is(resolve::COMMENT) {
            AtomKind::Comment
        } else if role.is(resolve::HEAD) || role.import != NONE || bytes.end <= self.head_until {
            AtomKind::Head
        } else {
            AtomKind::Other
        };
        // Scala's nodes extend to the start of the next one.
        let bytes = self.trimmed(bytes);
        if !bytes.is_empty() {
            self.out.atoms.push(Atom { bytes, depth, kind });
        }
    }

    /// Returns whether an earlier node announced this one as a region.
    fn is_pending(&self, node: Node<'_>) -> bool {
        !self.pending.is_empty() && {
            let bytes = range(node);
            self.pending.iter().any(|(one, _)| *one == bytes)
        }
    }

    /// Returns whether a node begins with one of these words; true if there are none.
    fn begins_with(&self, node: Node<'_>, words: &[&str]) -> bool {
        words.is_empty() || node.child(0).is_some_and(|first| words.contains(&range(first).of(self.text)))
    }

    /// Makes a statement on one line part of the head, because it imports something.
    fn imported(&mut self, bytes: ByteRange) {
        if let Some(atom) = self.out.atoms.last_mut()
            && atom.kind == AtomKind::Other
            && atom.bytes.start <= bytes.start
            && bytes.end <= atom.bytes.end
            && !atom.bytes.of(self.text).contains('\n')
        {
            atom.kind = AtomKind::Head;
        }
    }

    /// Returns the bytes of a node without the comments at its end that have lines of their own.
    fn without_comments(&self, node: Node<'_>) -> ByteRange {
        let mut bytes = range(node);
        let (mut end, mut last_row) = (bytes.end, node.start_position().row);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let is_apart = child.start_position().row > last_row;
            if !(is_apart && self.resolved.role(child).is(resolve::COMMENT)) {
                end = offset(child.end_byte());
            }
            last_row = child.end_position().row;
        }
        bytes.end = end.min(bytes.end);
        bytes
    }

    fn call(&mut self, node: Node<'_>, bytes: ByteRange, role: Role) {
        let function = match self.resolved.calls.get(usize::from(role.call)).copied() {
            Some(Step::Nowhere) | None => Some(node),
            Some(step) => step.follow(node),
        };
        let Some(function) = function else { return };
        let Some(QualifiedName { mut name, mut qualifier, at }) =
            identifiers::read(self.resolved, function, self.text)
        else {
            return;
        };
        // In Ruby, the word calls a method, and something is called on what that returns.
        let has_calls = self.resolved.table.has_bare_calls;
        if has_calls && self.resolved.self_words.meaning(qualifier) == Some(SelfWord::Inherited) {
            qualifier = "super()";
        }
        if self.is_own(at) || (qualifier.is_empty() && self.resolved.table.words.contains(&name)) {
            return;
        }
        let is_maker =
            self.resolved.table.makers.contains(&name) && qualifier.starts_with(char::is_uppercase);
        if is_maker {
            (name, qualifier) = identifiers::split(qualifier);
        }
        let rule = self.resolved.table.calls.get(usize::from(role.call));
        if rule.is_some_and(|one| one.capital) && !name.starts_with(char::is_uppercase)
            || rule.is_some_and(|one| one.word) && !name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        {
            return;
        }
        if self.resolved.table.import_calls.contains(&name)
            && let Some(module) = identifiers::first_string(self.resolved, node)
        {
            let module = identifiers::unquoted(range(module).of(self.text));
            let name = imports::last_segment(module);
            let local = self.resolved.table.import_name.and_then(|local| local(node));
            let local = local.map(|local| range(local).of(self.text)).filter(|local| *local != name);
            let mut import = Mention::new(bytes.start, ReferenceKind::Import, name, Cow::Borrowed(module));
            import.alias = Cow::Borrowed(local.unwrap_or_default());
            self.out.mentions.push(import);
            self.imported(bytes);
            return;
        }
        if name.is_empty() || name.len() > MAX_NAME {
            return;
        }
        let is_type = self.resolved.table.has_type_calls
            && matches!(self.regions.last(), Some((_, Meaning::Refers(ReferenceKind::Type))));
        if is_type && bytes.start == self.typed_name {
            return;
        }
        let is_assigned = self.is_assigned_to(node);
        let kind = match is_type {
            true => ReferenceKind::Type,
            false if is_assigned => ReferenceKind::Use,
            false => ReferenceKind::Call,
        };
        let mut call = Mention::new(offset(function.start_byte()), kind, name, Cow::Borrowed(qualifier));
        call.within = self.innermost();
        call.name_at = at;
        call.is_assigned = is_assigned;
        if qualifier.is_empty()
            && !is_maker
            && let Some(object) = identifiers::object(self.resolved, function, self.text)
        {
            let is_text = self.resolved.role(object).is(resolve::STRING);
            let other = if is_text { types::TEXT } else { types::SOME };
            let written = types::written(self.resolved, object, self.text, 0);
            call.qualifier = written.unwrap_or(Cow::Borrowed(other));
            call.alias = types::made(self.resolved, object, self.text).map(Cow::Borrowed).unwrap_or_default();
        }
        if self.is_of_other_object(qualifier) {
            call.qualifier = Cow::Borrowed(types::SOME);
        }
        self.bind_closure(node, &call);
        self.out.mentions.push(call);
    }

    /// Returns whether a value is assigned to what looks like a call, which calls a setter.
    fn is_assigned_to(&self, node: Node<'_>) -> bool {
        let assignment = self.resolved.table.setter;
        if assignment.is_empty() {
            return false;
        }
        // To ask the tree for the node around would take a walk from its root.
        let behind = self.text.get(node.end_byte()..).unwrap_or_default().trim_start_matches([' ', '\t']);
        let language = node.language();
        let around = self.kinds.last().and_then(|kind| language.node_kind_for_id(*kind));
        behind.starts_with('=') && !behind.starts_with("==") && around == Some(assignment)
    }

    fn name(&mut self, node: Node<'_>, bytes: ByteRange, role: Role) {
        if bytes.start < self.named_until || self.is_own(bytes.start) {
            return;
        }
        let meaning = match self.regions.last() {
            Some((_, Meaning::Nothing)) if !role.is(resolve::TYPE) => return,
            Some((_, Meaning::Tokens)) => Meaning::Tokens,
            Some((_, meaning)) if *meaning != Meaning::Nothing => *meaning,
            _ if role.is(resolve::TYPE) => Meaning::Refers(ReferenceKind::Type),
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
        let Some(QualifiedName { name, qualifier, at }) = identifiers::read(self.resolved, node, self.text)
        else {
            return;
        };
        if qualifier.is_empty() && self.resolved.table.words.contains(&name) {
            return;
        }
        // Only up to here: the type arguments of a name are visited separately.
        self.named_until = at + offset(name.len());
        let here = kind == ReferenceKind::Link && name.starts_with('#');
        if !self.is_own(at) && !here && !name.is_empty() && name.len() <= MAX_NAME {
            let qualifier = match meaning {
                Meaning::Tokens if qualifier.is_empty() => types::before(self.text, bytes),
                _ => qualifier,
            };
            let mut mention = Mention::new(bytes.start, kind, name, Cow::Borrowed(qualifier));
            mention.within = self.innermost();
            mention.name_at = at;
            self.out.mentions.push(mention);
        }
    }

    fn finish(mut self) -> WalkResult<'t> {
        self.out.comments.sort_unstable();
        self.out.comments.dedup_by(|next, kept| next.start < kept.end);
        self.announced.apply(self.text, self.resolved.table.has_type_paths, &mut self.out.mentions);
        self.out
    }
}
