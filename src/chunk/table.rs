//! What a language's table says: node kinds and fields of its grammar → roles.
//!
//! A language is data: one `static` [`Table`] in `lang/<name>.rs`. There are no tree-sitter queries, because
//! compiling one costs up to 300 ms and running one a third of the parse. [`Resolved`] turns the table's names
//! into an array that is indexed by the grammar's numeric node kinds, once a process and language.
//!
//! A **step** leads from a node to one of its children and is written as a string: `"name"` is the child in that
//! field, `"@block"` the first child of that kind, `"#0"` the first named child, `"#-1"` the last one.

use super::{DeclarationKind, ReferenceKind};
use tree_sitter::Node;

/// One language: its grammar, and which of its node kinds play which role.
#[derive(Clone, Copy)]
pub struct Table {
    /// The grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// What declares something.
    pub declarations: &'static [Declare],
    /// Nodes around a declaration that belong to it: `export`, decorators, `template<…>`, a statement.
    pub wrappers: &'static [Wrap],
    /// Kinds of comments.
    pub comments: &'static [&'static str],
    /// How a comment begins that does not belong to the declaration below it (`//!`).
    pub detached: &'static [&'static str],
    /// Attributes, decorators and annotations: never part of a signature.
    pub attributes: &'static [&'static str],
    /// Nodes that belong to the head of a file besides comments and imports: package clauses, pragmas.
    pub heads: &'static [&'static str],
    /// Nodes around declarations that are no unit of their own, however small: `#ifdef`, `extern "C" {}`.
    pub scopes: &'static [&'static str],
    /// What imports something.
    pub imports: &'static [Import],
    /// Functions whose call with a string imports a module (`require`).
    pub import_calls: &'static [&'static str],
    /// What calls something.
    pub calls: &'static [Call],
    /// How a qualified name is built (`a.b`, `a::b`), and what only wraps a name (`f::<T>`).
    pub paths: &'static [Path],
    /// Leaves and paths that name a type wherever they stand.
    pub types: &'static [&'static str],
    /// Nodes whose names are references of one kind.
    pub regions: &'static [Region],
    /// Leaves that are names inside a region.
    pub names: &'static [&'static str],
    /// Kinds of string literals.
    pub strings: &'static [&'static str],
    /// Where a docstring is the first statement of a body: the kinds of that statement; the string is one of
    /// `strings`, in it or instead of it.
    pub docstrings: &'static [&'static str],
    /// Names that make a method a constructor; `"="` means the name of its type.
    pub constructors: &'static [&'static str],
    /// Nodes in which there is nothing to find: the walk doesn't enter them.
    pub opaque: &'static [&'static str],
}

impl Table {
    /// A table with nothing in it, to be completed with `..Table::new(…)`.
    pub const fn new(grammar: fn() -> tree_sitter::Language) -> Self {
        Self {
            grammar,
            declarations: &[],
            wrappers: &[],
            comments: &["comment"],
            detached: &[],
            attributes: &[],
            heads: &[],
            scopes: &[],
            imports: &[],
            import_calls: &[],
            calls: &[],
            paths: &[],
            types: &[],
            regions: &[],
            names: &[],
            strings: &[],
            docstrings: &[],
            constructors: &[],
            opaque: &[],
        }
    }
}

/// Where a declaration's name is.
#[derive(Debug, Clone, Copy)]
pub enum Name {
    /// At the end of these steps.
    At(&'static [&'static str]),
    /// Down this field as often as there is one, through declarators, as in C.
    Declarator(&'static str),
    /// The first string among the arguments of a call; the step leads to the arguments.
    Argument(&'static str),
    /// The `refine` function finds it.
    Refined,
}

/// Where a declaration counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere, in functions too.
    Anywhere,
    /// Not in functions, but in types.
    Outside,
    /// Only at the top level of a file or a module.
    Top,
}

/// What a declaration was found to be; a [`Refine`] function corrects it.
#[derive(Debug, Clone, Copy)]
pub struct Found<'tree> {
    /// What it declares.
    pub kind: DeclarationKind,
    /// The node that is the name.
    pub name: Option<Node<'tree>>,
    /// The node that is the body.
    pub body: Option<Node<'tree>>,
    /// The type that it belongs to, where it is declared outside of it (`func (t *T) …`, `T::f`).
    pub owner: Option<Node<'tree>>,
}

/// Corrects what the table found; `false`: it is no declaration.
pub(crate) type Refine = for<'tree> fn(&str, Node<'tree>, &mut Found<'tree>) -> bool;

/// A node kind that declares something.
#[derive(Debug, Clone, Copy)]
pub struct Declare {
    /// The node kind.
    pub node: &'static str,
    /// What it declares; a function in a type becomes a method.
    pub kind: DeclarationKind,
    /// Where its name is.
    pub name: Name,
    /// Steps to its body.
    pub body: &'static [&'static str],
    /// Where it counts.
    pub scope: Scope,
    /// Steps to children that name its supertypes.
    pub inherits: &'static [&'static str],
    /// For what the table can't say.
    pub refine: Option<Refine>,
}

impl Declare {
    /// A declaration anywhere, with its name in the field `name` and its body in the field `body`.
    pub const fn new(node: &'static str, kind: DeclarationKind) -> Self {
        Self {
            node,
            kind,
            name: Name::At(&["name"]),
            body: &["body"],
            scope: Scope::Anywhere,
            inherits: &[],
            refine: None,
        }
    }

    /// With its name there.
    pub const fn name(mut self, name: Name) -> Self {
        self.name = name;
        self
    }

    /// With its body at the end of these steps.
    pub const fn body(mut self, steps: &'static [&'static str]) -> Self {
        self.body = steps;
        self
    }

    /// Only in this scope.
    pub const fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// With its supertypes in these children.
    pub const fn inherits(mut self, steps: &'static [&'static str]) -> Self {
        self.inherits = steps;
        self
    }

    /// Corrected by this function.
    pub const fn refine(mut self, refine: Refine) -> Self {
        self.refine = Some(refine);
        self
    }
}

/// A node kind around a declaration.
#[derive(Debug, Clone, Copy)]
pub struct Wrap {
    /// The node kind.
    pub node: &'static str,
    /// Whether its own tokens belong to the signature (`export`), or not (decorators).
    pub signature: bool,
}

impl Wrap {
    /// A wrapper whose tokens belong to the signature.
    pub const fn new(node: &'static str) -> Self {
        Self { node, signature: true }
    }

    /// A wrapper whose tokens don't.
    pub const fn decorators(node: &'static str) -> Self {
        Self { node, signature: false }
    }
}

/// A node kind that calls something.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The node kind.
    pub node: &'static str,
    /// Step to what is called; empty: the node is its own path.
    pub function: &'static str,
}

/// A node kind that makes a qualified name of two parts.
#[derive(Debug, Clone, Copy)]
pub struct Path {
    /// The node kind.
    pub node: &'static str,
    /// Step to the qualifier; empty: there is none, the node only wraps a name.
    pub object: &'static str,
    /// Step to the name.
    pub name: &'static str,
}

/// What names in a region are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// References of this kind.
    Refers(ReferenceKind),
    /// Nothing, in an outer region that would say otherwise.
    Nothing,
    /// Type arguments: types in an outer region, which would say otherwise; nothing elsewhere.
    Arguments,
    /// Unparsed tokens: a name directly before `(` is a call.
    Tokens,
}

/// A node kind in which names are references.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    /// The node kind.
    pub node: &'static str,
    /// What they are.
    pub meaning: Meaning,
}

/// A node kind that imports something.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    /// The node kind.
    pub node: &'static str,
    /// Step to the module; empty: each name is a module by itself. Without that child it's no import.
    pub module: &'static str,
    /// Step to the local name of the module as a whole; empty: there is none.
    pub alias: &'static str,
    /// What is imported from the module. Nothing found: the module as a whole.
    pub names: &'static [Imported],
    /// Whether the last segment of a dotted path is the imported name and the rest its module (`a.b.C`).
    pub split: bool,
    /// The kind of the child that stands for all names of the module; empty: there is none.
    pub wildcard: &'static str,
}

impl Import {
    /// An import that is a module path by itself, or a path in a child; to be completed with `..`.
    pub const fn new(node: &'static str, module: &'static str) -> Self {
        Self { node, module, alias: "", names: &[], split: false, wildcard: "" }
    }
}

/// A node kind within an import that names what is imported.
#[derive(Debug, Clone, Copy)]
pub struct Imported {
    /// The node kind.
    pub node: &'static str,
    /// Step to the name; empty: the node itself, `"*"`: the module as a whole.
    pub name: &'static str,
    /// Step to the local name; empty: none.
    pub alias: &'static str,
    /// Whether names within it are imported from it as from a module (Rust's `a::{b, c}`); the step to that path.
    pub prefix: &'static str,
}

impl Imported {
    /// A node that is the name itself.
    pub const fn leaf(node: &'static str) -> Self {
        Self { node, name: "", alias: "", prefix: "" }
    }

    /// A node with a name and a local name.
    pub const fn aliased(node: &'static str, name: &'static str, alias: &'static str) -> Self {
        Self { node, name, alias, prefix: "" }
    }

    /// A node with a path under which further names stand.
    pub const fn prefix(node: &'static str, prefix: &'static str) -> Self {
        Self { node, name: "", alias: "", prefix }
    }
}

/// Follows a step.
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
            node.children(&mut cursor).find(|child| child.kind() == kind)
        }
        _ => node.child_by_field_name(step),
    }
}

/// Follows steps, all or nothing.
pub(super) fn steps<'tree>(node: Node<'tree>, path: &[&str]) -> Option<Node<'tree>> {
    path.iter().try_fold(node, |at, one| step(at, one))
}

/// No entry of a list of the table.
pub(super) const NONE: u8 = u8::MAX;

/// The roles of one node kind: indices into the table's lists, and flags.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    pub(super) declare: u8,
    pub(super) wrap: u8,
    pub(super) import: u8,
    pub(super) call: u8,
    pub(super) path: u8,
    pub(super) region: u8,
    pub(super) flags: u16,
}

/// A comment.
pub(super) const COMMENT: u16 = 1;
/// An attribute.
pub(super) const ATTRIBUTE: u16 = 2;
/// Part of a file's head.
pub(super) const HEAD: u16 = 4;
/// A type's name.
pub(super) const TYPE: u16 = 8;
/// A name in a region.
pub(super) const NAME: u16 = 16;
/// A string literal.
pub(super) const STRING: u16 = 32;
/// Not entered.
pub(super) const OPAQUE: u16 = 64;
/// A statement that may hold a docstring.
pub(super) const DOCSTRING: u16 = 128;
/// Taken apart, however small.
pub(super) const SCOPE: u16 = 256;

impl Role {
    const EMPTY: Self =
        Self { declare: NONE, wrap: NONE, import: NONE, call: NONE, path: NONE, region: NONE, flags: 0 };

    /// Whether it has that flag.
    pub(super) fn is(self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

/// A table's roles by node kind.
pub(super) struct Resolved {
    pub(super) table: &'static Table,
    pub(super) grammar: tree_sitter::Language,
    roles: Vec<Role>,
}

impl Resolved {
    pub(super) fn new(table: &'static Table) -> Self {
        let grammar = (table.grammar)();
        let n = grammar.node_kind_count();
        let mut roles = vec![Role::EMPTY; n];
        for (id, role) in roles.iter_mut().enumerate() {
            let Ok(id) = u16::try_from(id) else { break };
            if !grammar.node_kind_is_named(id) {
                continue;
            }
            // One name can have several ids, so every id is looked up by its name, not the other way round.
            let Some(kind) = grammar.node_kind_for_id(id) else { continue };
            let place = |at: Option<usize>| at.and_then(|at| u8::try_from(at).ok()).unwrap_or(NONE);
            role.declare = place(table.declarations.iter().position(|one| one.node == kind));
            role.wrap = place(table.wrappers.iter().position(|one| one.node == kind));
            role.import = place(table.imports.iter().position(|one| one.node == kind));
            role.call = place(table.calls.iter().position(|one| one.node == kind));
            role.path = place(table.paths.iter().position(|one| one.node == kind));
            role.region = place(table.regions.iter().position(|one| one.node == kind));
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
            ] {
                if kinds.contains(&kind) {
                    role.flags |= flag;
                }
            }
        }
        Self { table, grammar, roles }
    }

    /// The roles of a node.
    pub(super) fn role(&self, node: Node<'_>) -> Role {
        self.roles.get(usize::from(node.kind_id())).copied().unwrap_or(Role::EMPTY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Language;

    fn check(grammar: &tree_sitter::Language, language: &str, kinds: &[&str], steps: &[&str]) {
        for kind in kinds {
            assert_ne!(grammar.id_for_node_kind(kind, true), 0, "{language}: no node kind {kind}");
        }
        for step in steps {
            match step.as_bytes().first() {
                None | Some(b'#' | b'*') => {}
                Some(b'@') => {
                    let named = grammar.id_for_node_kind(&step[1..], true);
                    let token = grammar.id_for_node_kind(&step[1..], false);
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
                table.comments, table.attributes, table.heads, table.types, table.names, table.strings,
                table.docstrings, table.opaque, table.scopes,
            ] {
                check(&grammar, name, list, &[]);
            }
            for one in table.declarations {
                check(&grammar, name, &[one.node], one.body);
                check(&grammar, name, &[], one.inherits);
                match one.name {
                    Name::At(path) => check(&grammar, name, &[], path),
                    Name::Declarator(step) | Name::Argument(step) => check(&grammar, name, &[], &[step]),
                    Name::Refined => {}
                }
            }
            table.wrappers.iter().for_each(|one| check(&grammar, name, &[one.node], &[]));
            table.regions.iter().for_each(|one| check(&grammar, name, &[one.node], &[]));
            table.calls.iter().for_each(|one| check(&grammar, name, &[one.node], &[one.function]));
            table.paths.iter().for_each(|one| check(&grammar, name, &[one.node], &[one.object, one.name]));
            for one in table.imports {
                check(&grammar, name, &[one.node], &[one.module, one.alias]);
                check(&grammar, name, one.wildcard.split_whitespace().collect::<Vec<_>>().as_slice(), &[]);
                for name_of in one.names {
                    check(&grammar, name, &[name_of.node], &[name_of.name, name_of.alias, name_of.prefix]);
                }
            }
        }
    }
}
