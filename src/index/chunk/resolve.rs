//! Resolved tables: names of node kinds and fields → numeric ids, once per process and language.
//!
//! The walk visits every node, so it looks up roles by number instead of comparing names. A name
//! that a grammar doesn't have is ignored here; the test below checks the names of all tables.

use super::self_words::SelfWords;
use super::table::{Name, Table};
use tree_sitter::Node;

/// Follows a step from a node.
pub(super) fn step<'tree>(node: Node<'tree>, step: &str) -> Option<Node<'tree>> {
    match step.as_bytes().first()? {
        b'#' => {
            let n = u32::try_from(node.named_child_count()).unwrap_or(u32::MAX);
            let at = if step == "#-1" { n.checked_sub(1)? } else { step.get(1..)?.parse().ok()? };
            node.named_child(at)
        }
        b'@' => {
            let kind = step.get(1..)?;
            let mut cursor = node.walk();
            match kind.strip_prefix('@') {
                Some(kind) => node.children(&mut cursor).filter(|child| child.kind() == kind).last(),
                None => node.children(&mut cursor).find(|child| child.kind() == kind),
            }
        }
        _ => node.child_by_field_name(step),
    }
}

/// Follows a path of steps; `None` if any of them leads nowhere.
pub(super) fn follow<'tree>(node: Node<'tree>, path: Option<&Vec<Step>>) -> Option<Node<'tree>> {
    path?.iter().try_fold(node, |at, one| one.follow(at))
}

/// Ids that one name of a node kind can have in a step.
const SAME_NAME: usize = 4;

/// A step with its names looked up, for frequent nodes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// No step.
    Nowhere,
    /// To the child in a field.
    Field(u16),
    /// To the first child of a kind.
    First([u16; SAME_NAME]),
    /// To the last child of a kind.
    Last([u16; SAME_NAME]),
    /// Any other step, which is followed by name.
    Other(&'static str),
}

impl Step {
    fn new(grammar: &tree_sitter::Language, step: &'static str) -> Self {
        match step.as_bytes().first() {
            None => Self::Nowhere,
            Some(b'#') => Self::Other(step),
            Some(b'@') => {
                let kind = step.trim_start_matches('@');
                let same = |id: &u16| grammar.node_kind_for_id(*id) == Some(kind);
                let mut ids = (0..u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX)).filter(same);
                // Id 0 is the end of the file and never a child, so it can fill the array.
                let found = [(); SAME_NAME].map(|()| ids.next().unwrap_or_default());
                match (ids.next(), step.starts_with("@@")) {
                    (Some(_), _) => Self::Other(step),
                    (None, false) => Self::First(found),
                    (None, true) => Self::Last(found),
                }
            }
            Some(_) => grammar.field_id_for_name(step).map_or(Self::Nowhere, |id| Self::Field(id.get())),
        }
    }

    /// Follows the step.
    pub(super) fn follow(self, node: Node<'_>) -> Option<Node<'_>> {
        match self {
            Self::Nowhere => None,
            Self::Field(id) => node.child_by_field_id(id),
            Self::First(ids) => {
                let mut cursor = node.walk();
                node.children(&mut cursor).find(|child| ids.contains(&child.kind_id()))
            }
            Self::Last(ids) => {
                let mut cursor = node.walk();
                node.children(&mut cursor).filter(|child| ids.contains(&child.kind_id())).last()
            }
            Self::Other(other) => step(node, other),
        }
    }

    /// Returns all children that the step leads to.
    pub(super) fn all<'c, 'tree: 'c>(
        self,
        node: Node<'tree>,
        cursor: &'c mut tree_sitter::TreeCursor<'tree>,
    ) -> Vec<Node<'tree>> {
        match self {
            Self::Field(id) => match std::num::NonZero::new(id) {
                Some(id) => node.children_by_field_id(id, cursor).collect(),
                None => Vec::new(),
            },
            Self::First(ids) => {
                node.children(cursor).filter(|child| ids.contains(&child.kind_id())).collect()
            }
            _ => self.follow(node).into_iter().collect(),
        }
    }
}

/// Returns the ids of fields.
fn field_ids(grammar: &tree_sitter::Language, names: &[&str]) -> Vec<u16> {
    let fields = names.iter().filter_map(|field| grammar.field_id_for_name(field));
    fields.map(std::num::NonZero::get).collect()
}

/// The index that stands for no entry in a list of the table.
pub(super) const NONE: u8 = u8::MAX;

/// The roles of a node kind: indices into the table's lists, and flags.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    pub(super) declare: u8,
    pub(super) wrap: u8,
    pub(super) import: u8,
    pub(super) call: u8,
    pub(super) path: u8,
    pub(super) region: u8,
    pub(super) typed: u8,
    pub(super) mentions: u8,
    pub(super) flags: u32,
}

/// A comment.
pub(super) const COMMENT: u32 = 1;
/// An attribute.
pub(super) const ATTRIBUTE: u32 = 2;
/// A part of a file's head.
pub(super) const HEAD: u32 = 4;
/// A type's name.
pub(super) const TYPE: u32 = 8;
/// A name in a region.
pub(super) const NAME: u32 = 16;
/// A string literal.
pub(super) const STRING: u32 = 32;
/// A node that is not entered.
pub(super) const OPAQUE: u32 = 64;
/// A statement that may hold a docstring.
pub(super) const DOCSTRING: u32 = 128;
/// A node that is taken apart, however small.
pub(super) const SCOPE: u32 = 256;
/// A node in which nothing is declared.
pub(super) const CLOSED: u32 = 512;
/// A node whose comments at the end belong to the next node.
pub(super) const TRAILING: u32 = 1024;
/// A string that documents the declaration directly below.
pub(super) const ABOVE: u32 = 2048;
/// See [`Table::members`].
pub(super) const MEMBER: u32 = 4096;
/// See [`Table::leaves`].
pub(super) const LEAF: u32 = 8192;
/// See [`Table::member_leaves`].
pub(super) const MEMBER_LEAF: u32 = 16384;
/// See [`Table::texts`].
pub(super) const TEXT: u32 = 32768;
/// See [`Table::unnamed`].
pub(super) const UNNAMED: u32 = 65536;
/// Its leaves name no values.
pub(super) const VALUELESS: u32 = 131_072;

impl Role {
    const EMPTY: Self = Self {
        declare: NONE,
        wrap: NONE,
        import: NONE,
        call: NONE,
        path: NONE,
        region: NONE,
        typed: NONE,
        mentions: NONE,
        flags: 0,
    };

    /// Returns whether the node kind has no role.
    pub(super) fn is_nothing(self) -> bool {
        self.flags & ANY == 0
    }

    /// Returns whether its only role is a name that may stand for a value.
    pub(super) fn is_leaf_alone(self) -> bool {
        let Self { declare, wrap, import, call, path, region, typed, mentions, flags } = self;
        matches!(flags & !ANY, LEAF | MEMBER_LEAF)
            && [declare, wrap, import, call, path, region, typed, mentions].iter().all(|one| *one == NONE)
    }

    /// Returns whether it has a flag.
    pub(super) fn is(self, flag: u32) -> bool {
        self.flags & flag != 0
    }
}

/// The flag of all node kinds that have a role.
const ANY: u32 = 1 << 31;

/// The resolved paths of one entry of [`Table::typed`].
#[derive(Clone)]
pub(super) struct TypedSteps {
    pub(super) each: Step,
    pub(super) name: Vec<Step>,
    pub(super) ty: Vec<Vec<Step>>,
    pub(super) value: Vec<Vec<Step>>,
    pub(super) more: Step,
    pub(super) label: Step,
    pub(super) only_with: Vec<Step>,
}

/// A table with its names resolved, and the roles of each node kind.
#[derive(Clone)]
pub(super) struct ResolvedTable {
    pub(super) table: &'static Table,
    /// The words of the language for the current object.
    pub(super) self_words: SelfWords,
    /// Whether modules in a file have scopes of their own, as in Rust.
    pub(super) has_inner_scopes: bool,
    /// What stands between the names of a path in the language.
    pub(super) separator: &'static str,
    pub(super) grammar: tree_sitter::Language,
    roles: Vec<Role>,
    /// The names of the kinds of nodes. [`Node::kind`] checks each name again.
    kinds: Vec<Box<str>>,
    /// Steps to the name of each kind of declaration; empty if its name is found in another way.
    pub(super) names: Vec<Vec<Step>>,
    /// Steps to the body of each kind of declaration.
    pub(super) bodies: Vec<Vec<Step>>,
    /// The step to the called function, for each of the table's calls.
    pub(super) calls: Vec<Step>,
    /// The steps to qualifier and name, for each of the table's paths.
    pub(super) paths: Vec<(Step, Step)>,
    /// The fields in which names are types.
    pub(super) type_fields: Vec<u16>,
    /// The fields in which a name is a part of another name.
    pub(super) part_fields: Vec<u16>,
    pub(super) typed: Vec<TypedSteps>,
    /// The step to the type that a node constructs, by node kind.
    makes: Vec<(u16, Step)>,
    /// The step to the whole of which a node takes an item, by node kind.
    indexes: Vec<(u16, Step)>,
    /// Whether names that are bound in a node of this kind are unknown outside.
    scopes: Vec<bool>,
    /// Whether a node of this kind is a function without a name.
    closures: Vec<bool>,
    /// Whether the name of an element may call a function, if it begins with a capital (`<List>`).
    pub(super) has_elements: bool,
}

/// Returns steps by the numbers of their node kinds.
fn by_kind(grammar: &tree_sitter::Language, steps: &[(&str, &'static str)]) -> Vec<(u16, Step)> {
    let n = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    let all = steps.iter().flat_map(|&(kind, step)| {
        let step = Step::new(grammar, step);
        let ids = (0..n).filter(move |id| grammar.node_kind_for_id(*id) == Some(kind));
        ids.map(move |id| (id, step))
    });
    all.collect()
}

/// Returns the step of a node's kind.
fn step_of(steps: &[(u16, Step)], node: Node<'_>) -> Option<Step> {
    let kind = node.kind_id();
    steps.iter().find(|(id, _)| *id == kind).map(|(_, step)| *step)
}

/// Node kinds of functions without a name, and of expressions with variables of their own.
const CLOSURES: &[&str] = &[
    "anonymous_function",
    "anonymous_function_creation_expression",
    "anonymous_method_expression",
    "arrow_function",
    "closure",
    "closure_expression",
    "dictionary_comprehension",
    "do_block",
    "func_literal",
    "function_expression",
    "generator_expression",
    "generator_function",
    "lambda",
    "lambda_expression",
    "lambda_literal",
    "list_comprehension",
    "set_comprehension",
];

/// Node kinds of blocks, and of statements that bind names for their blocks.
const BLOCKS: &[&str] = &[
    "block",
    "case_clause",
    "catch_block",
    "catch_clause",
    "communication_case",
    "compound_statement",
    "computed_getter",
    "computed_setter",
    "deinit_declaration",
    "didset_clause",
    "enhanced_for_statement",
    "for_expression",
    "for_in_statement",
    "for_range_loop",
    "for_statement",
    "foreach_statement",
    "if_expression",
    "if_statement",
    "indented_block",
    "match_arm",
    "query_expression",
    "setter",
    "statement_block",
    "subscript_declaration",
    "switch_block_statement_group",
    "switch_entry",
    "switch_expression_arm",
    "switch_rule",
    "switch_section",
    "switch_statement",
    "type_switch_statement",
    "when_entry",
    "when_expression",
    "while_expression",
    "while_statement",
    "willset_clause",
];

impl ResolvedTable {
    pub(super) fn new(table: &'static Table, language: &str, separator: &'static str) -> Self {
        let grammar = (table.grammar)();
        let n = grammar.node_kind_count();
        let mut roles = vec![Role::EMPTY; n];
        for (id, role) in roles.iter_mut().enumerate() {
            let Ok(id) = u16::try_from(id) else { break };
            if !grammar.node_kind_is_named(id) {
                continue;
            }
            // Look up the name of each id, not the id of each name: several ids can share one name.
            let Some(kind) = grammar.node_kind_for_id(id) else { continue };
            let place = |at: Option<usize>| at.and_then(|at| u8::try_from(at).ok()).unwrap_or(NONE);
            role.declare = place(table.declarations.iter().position(|one| one.node == kind));
            role.wrap = place(table.wrappers.iter().position(|one| one.node == kind));
            role.import = place(table.imports.iter().position(|one| one.node == kind));
            role.call = place(table.calls.iter().position(|one| one.node == kind));
            role.path = place(table.paths.iter().position(|one| one.node == kind));
            role.region = place(table.regions.iter().position(|one| one.node == kind));
            role.typed = place(table.typed.iter().position(|one| one.node == kind));
            role.mentions = place(table.mentions.iter().position(|one| one.node == kind));
            for (flag, kinds) in [
                (COMMENT, table.comments),
                (ATTRIBUTE, table.attributes),
                (HEAD, table.heads),
                (TYPE, table.types),
                (NAME, table.names),
                (STRING, table.strings),
                (OPAQUE, table.opaque),
                (DOCSTRING, table.docstrings),
                (SCOPE, table.scopes),
                (CLOSED, table.closed),
                (VALUELESS, table.valueless),
                (UNNAMED, table.unnamed),
                (TRAILING, table.trailing),
                (ABOVE, table.above),
                (MEMBER, table.members),
                (LEAF, table.leaves),
                (MEMBER_LEAF, table.member_leaves),
                (TEXT, table.texts),
            ] {
                if kinds.contains(&kind) {
                    role.flags |= flag;
                }
            }
            let Role { declare, wrap, import, call, path, region, typed, mentions, .. } = *role;
            let places = [declare, wrap, import, call, path, region, typed, mentions];
            if role.flags != 0 || places.iter().any(|place| *place != NONE) {
                role.flags |= ANY;
            }
        }
        let steps = |path: &[&'static str]| path.iter().map(|one| Step::new(&grammar, one)).collect();
        let name = |name| if let Name::At(path) = name { steps(path) } else { Vec::new() };
        let names = table.declarations.iter().map(|one| name(one.name)).collect();
        let bodies = table.declarations.iter().map(|one| steps(one.body)).collect();
        let calls = table.calls.iter().map(|one| Step::new(&grammar, one.function)).collect();
        let paths = table.paths.iter();
        let paths =
            paths.map(|one| (Step::new(&grammar, one.object), Step::new(&grammar, one.name))).collect();
        let type_fields = field_ids(&grammar, table.type_fields);
        let part_fields = field_ids(&grammar, table.part_fields);
        let path = |path: &'static str| {
            path.split('/').filter(|one| !one.is_empty()).map(|one| Step::new(&grammar, one)).collect()
        };
        let typed = table.typed.iter().map(|one| TypedSteps {
            each: Step::new(&grammar, one.each),
            name: path(one.name),
            ty: one.ty.iter().map(|&one| path(one)).collect(),
            value: one.value.iter().map(|&one| path(one)).collect(),
            more: Step::new(&grammar, one.more),
            label: Step::new(&grammar, one.label),
            only_with: steps(one.only_with),
        });
        let typed = typed.collect();
        let (makes, indexes) =
            (by_kind(&grammar, table.makes), by_kind(&grammar, table.values.items.indexes));
        let (scopes, closures) = scopes(&grammar, table.has_function_scope);
        Self {
            table,
            self_words: SelfWords::of(language),
            separator,
            has_inner_scopes: language == "rust",
            kinds: kinds(&grammar),
            grammar,
            roles,
            names,
            bodies,
            calls,
            paths,
            type_fields,
            part_fields,
            typed,
            makes,
            indexes,
            scopes,
            closures,
            has_elements: table.calls.iter().any(|one| one.capital),
        }
    }

    /// Returns the same with another table, which differs in what is not looked up in a grammar.
    pub(super) fn with_table(&self, table: &'static Table) -> Self {
        Self { table, ..self.clone() }
    }

    /// Returns the step to the type of the value that a node constructs, if it constructs one.
    pub(super) fn makes(&self, node: Node<'_>) -> Option<Step> {
        step_of(&self.makes, node)
    }

    /// Returns the step to the whole of which a node takes an item, if it takes one.
    pub(super) fn indexes(&self, node: Node<'_>) -> Option<Step> {
        step_of(&self.indexes, node)
    }

    /// Returns whether names that are bound in a node of a kind are unknown outside of it.
    pub(super) fn is_scope(&self, kind: u16) -> bool {
        self.scopes.get(usize::from(kind)) == Some(&true)
    }

    /// Returns whether a node of a kind is a function without a name.
    pub(super) fn is_closure(&self, kind: u16) -> bool {
        self.closures.get(usize::from(kind)) == Some(&true)
    }

    /// Returns whether a node of a kind binds the names in a pattern that is its child.
    pub(super) fn binds_pattern(&self, kind: u16) -> bool {
        let typed = self.roles.get(usize::from(kind)).map(|role| usize::from(role.typed));
        typed.and_then(|at| self.typed.get(at)).is_some_and(|steps| matches!(steps.each, Step::Nowhere))
    }

    /// Returns the roles of a node.
    pub(super) fn role(&self, node: Node<'_>) -> Role {
        self.roles.get(usize::from(node.kind_id())).copied().unwrap_or(Role::EMPTY)
    }

    /// Returns the same as [`Node::kind`], for nodes of which there are many.
    pub(super) fn kind<'k>(&'k self, node: Node<'k>) -> &'k str {
        self.kinds.get(usize::from(node.kind_id())).map_or_else(|| node.kind(), AsRef::as_ref)
    }
}

/// Returns, for each kind of node, whether names that are bound in it are unknown outside, and
/// whether it is a function without a name.
fn scopes(grammar: &tree_sitter::Language, has_function_scope: bool) -> (Vec<bool>, Vec<bool>) {
    let kind = |id: usize| u16::try_from(id).ok().and_then(|id| grammar.node_kind_for_id(id)).unwrap_or("");
    let kinds = (0..grammar.node_kind_count()).map(kind);
    let is_closure = |kind: &str| CLOSURES.contains(&kind);
    let is_scope = |kind: &str| is_closure(kind) || !has_function_scope && BLOCKS.contains(&kind);
    kinds.map(|kind| (is_scope(kind), is_closure(kind))).unzip()
}

/// Returns the names of a grammar's kinds of nodes, in the order of their ids.
fn kinds(grammar: &tree_sitter::Language) -> Vec<Box<str>> {
    let n_kinds = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    (0..n_kinds).map(|id| grammar.node_kind_for_id(id).unwrap_or_default().into()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::index::chunk::Language;
    use crate::index::chunk::table::Name;

    fn check(grammar: &tree_sitter::Language, language: &str, kinds: &[&str], steps: &[&str]) {
        for kind in kinds {
            assert_ne!(grammar.id_for_node_kind(kind, true), 0, "{language}: no node kind {kind}");
        }
        for step in steps {
            match step.as_bytes().first() {
                None | Some(b'#' | b'*') => {}
                Some(b'@') => {
                    let kind = step.trim_start_matches('@');
                    let named = grammar.id_for_node_kind(kind, true);
                    let token = grammar.id_for_node_kind(kind, false);
                    assert!(named != 0 || token != 0, "{language}: no node kind {step}");
                }
                _ => assert!(grammar.field_id_for_name(step).is_some(), "{language}: no field {step}"),
            }
        }
    }

    #[test]
    fn every_kind_and_field_exists() {
        for language in Language::all() {
            let Some(table) = language.table() else { continue };
            let grammar = (table.grammar)();
            let name = language.name();
            for list in [
                table.comments,
                table.attributes,
                table.heads,
                table.types,
                table.names,
                table.strings,
                table.docstrings,
                table.opaque,
                table.scopes,
                table.closed,
                table.valueless,
                table.unnamed,
                table.trailing,
                table.above,
                table.members,
                table.leaves,
                table.member_leaves,
                table.texts,
            ] {
                check(&grammar, name, list, &[]);
            }
            for one in table.declarations {
                check(&grammar, name, &[one.node], one.body);
                check(&grammar, name, &[], one.inherits);
                check(&grammar, name, &[], &[one.beside]);
                match one.name {
                    Name::At(path) => check(&grammar, name, &[], path),
                    Name::Declarator(step) | Name::Argument(step) => check(&grammar, name, &[], &[step]),
                    Name::Refined => {}
                }
            }
            check(&grammar, name, &[], &[table.type_fields, table.part_fields].concat());
            let indexes = table.values.items.indexes;
            table
                .makes
                .iter()
                .chain(indexes)
                .for_each(|(node, step)| check(&grammar, name, &[node], &[step]));
            for one in table.typed {
                check(&grammar, name, &[one.node], &[one.each, one.member, one.more, one.label]);
                check(&grammar, name, &[], one.only_with);
                for path in one.ty.iter().chain(one.value).chain([&one.name]) {
                    check(&grammar, name, &[], &path.split('/').collect::<Vec<_>>());
                }
            }
            table.mentions.iter().for_each(|one| check(&grammar, name, &[one.node], &[]));
            // A node has one rule of each kind, so a second one would never be applied.
            let nodes: HashSet<&str> = table.mentions.iter().map(|one| one.node).collect();
            assert_eq!(nodes.len(), table.mentions.len(), "{name}: two rules for the mentions of a node");
            table.wrappers.iter().for_each(|one| check(&grammar, name, &[one.node], &[]));
            table.regions.iter().for_each(|one| check(&grammar, name, &[one.node], &[one.at, one.except]));
            table.calls.iter().for_each(|one| check(&grammar, name, &[one.node], &[one.function]));
            table.paths.iter().for_each(|one| check(&grammar, name, &[one.node], &[one.object, one.name]));
            for one in table.imports {
                check(&grammar, name, &[one.node], &[one.module.trim_end_matches('+'), one.wildcard]);
                check(&grammar, name, &[], &one.alias.split('/').collect::<Vec<_>>());
                for name_of in one.names {
                    check(&grammar, name, &[name_of.node], &[name_of.name, name_of.prefix]);
                    check(&grammar, name, &[], &name_of.alias.split('/').collect::<Vec<_>>());
                }
            }
        }
    }
}
