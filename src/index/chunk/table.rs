//! The table of a language: node kinds and fields of its grammar → roles.
//!
//! A language is data: one `static` [`Table`] in `lang/<name>.rs`. `resolve` turns the names in it
//! into an array that is indexed by the grammar's numeric node kinds. Tree-sitter queries would be
//! slower, both to compile and to run. See `doc/experiments/chunking.md`.
//!
//! A **step** leads from a node to one of its children and is written as a string. `"name"` is the
//! child in that field, `"@block"` the first child of that kind, `"@@block"` the last one, `"#0"`
//! the first named child, `"#-1"` the last one.

pub(super) use super::imports::{Import, ImportedNameRule};
use super::mention::Mention;
pub(super) use super::outermost::Outermost;
pub(super) use super::parts::Parts;
pub(super) use super::region::{Meaning, Region};
pub(super) use super::type_rule::{ItemRules, NameScope, PassingFunction, PatternNames, TypeRule, Values};
use super::{ByteRange, ChunkKind, DeclarationKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Returns the node of the name to which a call's result is assigned.
pub(super) type ImportName = for<'tree> fn(Node<'tree>) -> Option<Node<'tree>>;

/// Returns the text that a parser sees instead of the real one.
pub(super) type Mask = fn(&str) -> Cow<'_, [u8]>;

/// A language: its grammar, and the roles of the node kinds.
#[derive(Clone, Copy)]
pub struct Table {
    /// The grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// Node kinds that declare something.
    pub declarations: &'static [DeclarationRule],
    /// Nodes around a declaration that belong to it: `export`, decorators, `template<…>`, a
    /// statement.
    pub wrappers: &'static [WrapperRule],
    /// Node kinds of comments.
    pub comments: &'static [&'static str],
    /// Prefixes of comments that do not belong to the declaration below (`//!`).
    pub detached: &'static [&'static str],
    /// Prefixes of comments that can document the declaration directly above (OCaml's `(**`).
    pub below: &'static [&'static str],
    /// Attributes, decorators and annotations; they are never part of a signature.
    pub attributes: &'static [&'static str],
    /// Prefixes of attributes that document what follows (`@doc`).
    pub docs: &'static [&'static str],
    /// Prefixes of attributes that document the enclosing declaration (`@moduledoc`).
    pub inner_docs: &'static [&'static str],
    /// Nodes that belong to a file's head, besides comments and imports: package clauses, pragmas.
    pub heads: &'static [&'static str],
    /// Nodes around declarations that are not a unit, however small: `#ifdef`, `extern "C" {}`.
    pub scopes: &'static [&'static str],
    /// Node kinds that import something.
    pub imports: &'static [Import],
    /// Functions that import a module if they are called with a string (`require`).
    pub import_calls: &'static [&'static str],
    /// Node kinds that call something.
    pub calls: &'static [Call],
    /// The language's own words that its grammar parses as names. Unqualified, they are not
    /// references.
    pub words: &'static [&'static str],
    /// Words of the language that are never names. Where the grammar cannot read a text and takes
    /// one for a name, nothing is declared.
    pub reserved: &'static [&'static str],
    /// Methods of a type that construct it (`Money.new`). Their call counts as one of the type.
    pub makers: &'static [&'static str],
    /// Node kinds of qualified names (`a.b`, `a::b`), and of wrappers around a name (`f::<T>`).
    pub paths: &'static [Path],
    /// Leaves and paths that name a type in any position.
    pub types: &'static [&'static str],
    /// Words, with the space behind each, that stand between the names of a declaration's scope
    /// and are not a part of it (`a::inline b`).
    pub scope_words: &'static [&'static str],
    /// Fields in which a name is a part of another one.
    pub part_fields: &'static [&'static str],
    /// Fields in which names are types, for grammars without a node kind for type names.
    pub type_fields: &'static [&'static str],
    /// Node kinds that give a type to a name, a member or a function's result.
    pub typed: &'static [TypeRule],
    /// Nodes that construct or convert a value: the node kind, and the step to the type.
    pub makes: &'static [(&'static str, &'static str)],
    /// Literals, and parameters that take any number of arguments: the node kind, and the type
    /// that the language has for it.
    pub literals: &'static [(&'static str, &'static str)],
    /// The rules for the types of values.
    pub values: Values,
    /// Nodes in which names are references of one kind.
    pub regions: &'static [Region],
    /// Leaves that are names inside a region.
    pub names: &'static [&'static str],
    /// Node kinds of string literals.
    pub strings: &'static [&'static str],
    /// Node kinds of other texts that may hold another language: heredocs, interpolated strings.
    pub texts: &'static [&'static str],
    /// Node kinds of the first statement of a body that can be a docstring. The string, one of
    /// `strings`, is the statement itself or its first child.
    pub docstrings: &'static [&'static str],
    /// Names that make a method a constructor; `"="` means the name of its type.
    pub constructors: &'static [&'static str],
    /// Nodes that the walk does not enter, because they contain nothing to find.
    pub opaque: &'static [&'static str],
    /// Node kinds of functions without a name, and of those that may lack one: variables inside are
    /// local (`comptime {…}`).
    pub unnamed: &'static [&'static str],
    /// Nodes in which nothing is declared: lists of data.
    pub closed: &'static [&'static str],
    /// Nodes whose leaves name no values: types, namespaces.
    pub valueless: &'static [&'static str],
    /// Nodes whose comments at the end belong to the next node.
    pub trailing: &'static [&'static str],
    /// Node kinds of strings that document the declaration directly below.
    pub above: &'static [&'static str],
    /// Node kinds of members. An owner that begins with an upper-case letter is referred to as a
    /// type (`PresentMode::Fifo`).
    pub members: &'static [&'static str],
    /// Leaves that can name a value.
    pub leaves: &'static [&'static str],
    /// Leaves that can name a value only as a member of something.
    pub member_leaves: &'static [&'static str],
    /// Node kinds whose references take a function to read.
    pub(super) mentions: &'static [MentionRule],
    /// Whether a name that the file neither declares nor imports can be one of its package.
    pub sees_package: bool,
    /// The marks that lead from an object to its member; the first that fits counts. In most
    /// languages, an arrow leads to the body of a function instead: `x -> LIMIT`.
    pub marks: &'static [&'static str],
    /// Whether a variable belongs to the whole function, not to a block in it.
    pub has_function_scope: bool,
    /// The word in front of a variable that is known in all of the function around it, whichever
    /// block declares it (`var`); empty if there is none.
    pub hoisting: &'static str,
    /// Whether functions have a name space of their own, so that no value hides them in a call.
    pub has_own_calls: bool,
    /// Whether a name without parentheses calls a method, unless it is a variable.
    pub has_bare_calls: bool,
    /// The node kind that calls a setter if its left side looks like a call: `a.name = 1` calls
    /// `name=`. Empty if there is none.
    pub setter: &'static str,
    /// Whether an import brings in names that it does not list, so that a name which the file does
    /// not declare may be one of another file.
    pub sees_all: bool,
    /// Whether a name before a colon is an argument or a key, not a value.
    pub has_labels: bool,
    /// Whether a variable never begins with a capital letter: such a name in a pattern is that of
    /// an alternative.
    pub has_lower_variables: bool,
    /// Whether `_` is not a name, but stands for a value that nobody uses.
    pub discards: bool,
    /// Whether an item of an array is written like a call, and a call has no members.
    pub has_called_items: bool,
    /// Whether names are the same in any case. Records have them in lower case.
    pub folds_case: bool,
    /// Whether the parser stops at an error. The indentation of such a text separates its entries.
    pub is_indented: bool,
    /// Whether a text with an error is read statement by statement, because dialects differ from
    /// the grammar.
    pub has_dialects: bool,
    /// Whether what a type declares is named inside of it without the type, but for its methods.
    pub has_open_types: bool,
    /// Whether the tokens of a macro may be declarations.
    pub has_item_macros: bool,
    /// Whether a call in a region of types names a type.
    pub has_type_calls: bool,
    /// Whether a bare name in a type that inherits is recorded, even if nothing else in the file
    /// has it: it may be that of an inherited value.
    pub has_inherited_values: bool,
    /// The words of an import that brings in the members of a type (`using static`); empty if there
    /// are none, or if such members are found in another way.
    pub static_import: &'static str,
    /// Whether a module may be opened in a part of a file, and hides there what the file declares.
    pub opens_modules: bool,
    /// Whether a type that another one declares is named behind that (`Cart.Item`).
    pub has_inner_types: bool,
    /// Whether names of packages begin with capitals, as those of types do.
    pub has_capital_packages: bool,
    /// Whether the path of a type is read off the text in front of it (`a::B<int>::C`).
    pub has_type_paths: bool,
    /// Returns the local name of what an importing call imports, if the code around binds one.
    pub(super) import_name: Option<ImportName>,
    /// Whether importing calls also take a bare name instead of a string (`library(x)`).
    pub bare_imports: bool,
    /// The kind of all chunks but the head, for languages that are not programs.
    pub chunks: Option<ChunkKind>,
    /// Whether the parser sees a letter for each byte that is not ASCII. Such a grammar's scanner
    /// looks up characters in a table of 256 and reads outside it otherwise.
    pub ascii: bool,
    /// The text that the parser sees, of the same length as the real one. Macros are hidden from
    /// it.
    pub mask: Option<Mask>,
    /// Finds the types in other types, outer before inner, if the grammar cannot read them there.
    /// They are parsed alone.
    pub nested: Option<fn(&str) -> Vec<ByteRange>>,
    /// Finds the functions at the top level, in order, if the grammar cannot read all of them. They
    /// are parsed alone. Such a language has no `nested`.
    pub(super) outermost: Option<fn(&str) -> Vec<Outermost>>,
    /// How many times as often as other scanners its scanner may read a text.
    pub reads: usize,
    /// Returns whether the scanner can take a text; absent if it can take any. Its state between
    /// tokens must fit into 1024 bytes. Some scanners don't check that, and then the process
    /// aborts.
    pub fits: Option<fn(&str) -> bool>,
}

impl Table {
    /// Returns an empty table, to be completed with `..Table::new(…)`.
    pub const fn new(grammar: fn() -> tree_sitter::Language) -> Self {
        Self {
            grammar,
            declarations: &[],
            wrappers: &[],
            comments: &["comment"],
            detached: &[],
            below: &[],
            attributes: &[],
            docs: &[],
            inner_docs: &[],
            heads: &[],
            scopes: &[],
            imports: &[],
            import_calls: &[],
            calls: &[],
            words: &[],
            reserved: &[],
            makers: &[],
            paths: &[],
            types: &[],
            scope_words: &[],
            part_fields: &[],
            type_fields: &[],
            typed: &[],
            makes: &[],
            literals: &[],
            values: Values::NONE,
            regions: &[],
            names: &[],
            strings: &[],
            texts: &[],
            docstrings: &[],
            constructors: &[],
            opaque: &[],
            unnamed: &[],
            closed: &[],
            valueless: &[],
            trailing: &[],
            above: &[],
            members: &[],
            leaves: &[],
            member_leaves: &[],
            mentions: &[],
            sees_package: false,
            marks: &["::", "?.", "!.", "&.", "."],
            has_function_scope: false,
            hoisting: "",
            has_own_calls: false,
            has_bare_calls: false,
            setter: "",
            sees_all: false,
            has_labels: true,
            has_lower_variables: false,
            discards: false,
            has_called_items: false,
            folds_case: false,
            has_dialects: false,
            is_indented: false,
            has_open_types: false,
            has_item_macros: false,
            has_type_calls: false,
            has_inherited_values: false,
            static_import: "",
            opens_modules: false,
            has_inner_types: false,
            has_capital_packages: false,
            has_type_paths: false,
            import_name: None,
            bare_imports: false,
            chunks: None,
            ascii: false,
            mask: None,
            nested: None,
            outermost: None,
            reads: 1,
            fits: None,
        }
    }
}

/// The place of a declaration's name.
#[derive(Debug, Clone, Copy)]
pub enum Name {
    /// At the end of these steps.
    At(&'static [&'static str]),
    /// Down this field as often as it exists, through declarators, as in C.
    Declarator(&'static str),
    /// The first argument of a call, if it is a string; the step leads to the arguments.
    Argument(&'static str),
    /// Found by the `refine` function.
    Refined,
}

/// The scope in which a declaration counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everywhere, including inside functions.
    Anywhere,
    /// Everywhere but inside functions.
    Outside,
    /// Only at the top level of a file or a module.
    Top,
    /// Inside fewer other declarations than this.
    Levels(usize),
}

/// A candidate for a declaration, as the table describes it. A [`Refinement`] function corrects it.
#[derive(Debug, Clone, Copy)]
pub struct DeclarationCandidate<'tree> {
    /// The kind.
    pub kind: DeclarationKind,
    /// The part of the node that has this name: a declarator. If the node has one name, the node
    /// itself.
    pub part: Node<'tree>,
    /// The node that is the name.
    pub name: Option<Node<'tree>>,
    /// The bytes of a name that is not one node: `operator bool`. They count instead of `name`.
    pub name_bytes: Option<ByteRange>,
    /// Writes the whole name (`add:count:`), if `name` is only its first part.
    pub whole_name: Option<WholeName>,
    /// The node that is the body.
    pub body: Option<Node<'tree>>,
    /// The type that it belongs to, if it is declared outside that type (`func (t *T) …`, `T::f`).
    pub owner: Option<Node<'tree>>,
    /// What stands in front of the owner, or of a name without one: `a::` of `void a::T::f() {}`.
    pub path: Option<ByteRange>,
    /// The name of an owner that no node names: `var` of a variable in Terraform. It counts if
    /// `owner` is `None`.
    pub scope: &'static str,
    /// The kind of the enclosing declaration.
    pub within: Option<DeclarationKind>,
    /// The kinds of the parent node and its parent; empty above the root. `Node::parent` would walk
    /// down from the root each time.
    pub around: [&'static str; 2],
    /// Whether only declarations enclose it.
    pub is_top: bool,
    /// Whether an error of the syntax tree is around it. Known only for [`Scope::Top`].
    pub is_broken: bool,
    /// Whether the body extends to the end of the declaration, because no node holds all of it.
    pub to_end: bool,
}

/// Writes the name of a node that has it in parts; `None` if a part is missing.
pub(crate) type WholeName = fn(&str, Node<'_>) -> Option<String>;

/// Reads the references of a node, whatever its grammar makes of them; adds them to the mentions.
pub(super) type MentionReader = for<'t> fn(&'t str, Node<'_>, &mut Vec<Mention<'t>>);

/// A node kind with references that no other list can express.
#[derive(Debug, Clone, Copy)]
pub(super) struct MentionRule {
    /// The node kind.
    pub(super) node: &'static str,
    /// The function that reads them.
    pub(super) read: MentionReader,
}

/// Corrects a candidate; returns `false` if it is not a declaration.
pub(crate) type Refinement = for<'tree> fn(&str, Node<'tree>, &mut DeclarationCandidate<'tree>) -> bool;

/// A node kind that declares something.
#[derive(Debug, Clone, Copy)]
pub struct DeclarationRule {
    /// The node kind.
    pub node: &'static str,
    /// The kind of the declaration; a function inside a type becomes a method.
    pub kind: DeclarationKind,
    /// The place of its name.
    pub name: Name,
    /// Steps to its body.
    pub body: &'static [&'static str],
    /// Lists the parts that have a name each, if the node can declare several: `a` and `b = 2` of
    /// `int a, b = 2`. Steps to name and body begin at the part, or at the node if they lead
    /// nowhere from there.
    pub(super) parts: Option<Parts>,
    /// Step to a child whose declarations do not belong to this one: `struct a {…}` of
    /// `struct a {…} b`. Empty if there is none.
    pub beside: &'static str,
    /// The scope in which it counts.
    pub scope: Scope,
    /// Steps to children that name its supertypes.
    pub inherits: &'static [&'static str],
    /// Whether it goes on to the end of the node around it, and what follows is in it: the
    /// namespace of a whole file.
    pub goes_on: bool,
    /// Whether it joins the declaration directly before it, if that has the same name: a function's
    /// signature and its equations.
    pub joins: bool,
    /// The number of parameters that a node must share with the declaration that it joins; `None`
    /// if the name is enough.
    pub(super) arity: Option<Arity>,
    /// A function for what the table cannot express.
    pub refine: Option<Refinement>,
}

/// Returns the number of parameters of a function's clause; `None` if the node is none.
pub(super) type Arity = fn(&str, Node<'_>) -> Option<usize>;

impl DeclarationRule {
    /// Returns a rule with the name in the field `name` and the body in the field `body`.
    pub const fn new(node: &'static str, kind: DeclarationKind) -> Self {
        Self {
            node,
            kind,
            name: Name::At(&["name"]),
            body: &["body"],
            parts: None,
            beside: "",
            scope: Scope::Anywhere,
            inherits: &[],
            goes_on: false,
            joins: false,
            arity: None,
            refine: None,
        }
    }

    /// Sets the place of the name.
    pub const fn name(mut self, name: Name) -> Self {
        self.name = name;
        self
    }

    /// Sets the steps to the body.
    pub const fn body(mut self, steps: &'static [&'static str]) -> Self {
        self.body = steps;
        self
    }

    /// Sets the function that lists the parts with a name each. The part itself is the name, unless
    /// [`Self::name`] is called afterwards.
    pub(super) const fn parts(mut self, parts: Parts) -> Self {
        self.parts = Some(parts);
        self.name = Name::At(&[]);
        self
    }

    /// Sets the step to a child whose declarations do not belong to this one.
    pub const fn beside(mut self, step: &'static str) -> Self {
        self.beside = step;
        self
    }

    /// Sets the scope.
    pub const fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Sets the steps to the supertypes.
    pub const fn inherits(mut self, steps: &'static [&'static str]) -> Self {
        self.inherits = steps;
        self
    }

    /// Lets it go on to the end of the node around it.
    pub const fn goes_on(mut self) -> Self {
        self.goes_on = true;
        self
    }

    /// Joins it with neighbours of the same name.
    pub const fn joins(mut self) -> Self {
        self.joins = true;
        self
    }

    /// Joins it with neighbours of the same name and number of parameters.
    pub(super) const fn joins_clauses(mut self, arity: Arity) -> Self {
        (self.joins, self.arity) = (true, Some(arity));
        self
    }

    /// Sets the function that corrects it.
    pub const fn refine(mut self, refine: Refinement) -> Self {
        self.refine = Some(refine);
        self
    }
}

/// A node kind that wraps a declaration.
#[derive(Debug, Clone, Copy)]
pub struct WrapperRule {
    /// The node kind.
    pub node: &'static str,
    /// Whether its own tokens belong to the signature (as of `export`) or not (as of decorators).
    pub signature: bool,
    /// Returns whether a node of that kind wraps a declaration; absent if each may.
    pub holds: Option<fn(Node<'_>) -> bool>,
}

impl WrapperRule {
    /// Returns a wrapper whose tokens belong to the signature.
    pub const fn new(node: &'static str) -> Self {
        Self { node, signature: true, holds: None }
    }

    /// Returns a wrapper whose tokens don't belong to the signature.
    pub const fn decorators(node: &'static str) -> Self {
        Self { node, signature: false, holds: None }
    }

    /// Sets the function that returns whether a node wraps a declaration.
    pub const fn holding(mut self, holds: fn(Node<'_>) -> bool) -> Self {
        self.holds = Some(holds);
        self
    }
}

/// A node kind that calls something.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The node kind.
    pub node: &'static str,
    /// Step to the called function; if empty, the node itself is a path.
    pub function: &'static str,
    /// Whether only capitalised names count (`<List>`, but not `<ul>`).
    pub capital: bool,
    /// Whether only words count, not operators (`a until b`, but not `a + b`).
    pub word: bool,
}

impl Call {
    /// Returns a rule whose step leads to the called function.
    pub const fn new(node: &'static str, function: &'static str) -> Self {
        Self { node, function, capital: false, word: false }
    }

    /// Counts only names that are words.
    pub const fn word(mut self) -> Self {
        self.word = true;
        self
    }

    /// Counts only capitalised names.
    pub const fn capital(mut self) -> Self {
        self.capital = true;
        self
    }
}

/// A node kind of qualified names, which have two parts.
#[derive(Debug, Clone, Copy)]
pub struct Path {
    /// The node kind.
    pub node: &'static str,
    /// Step to the qualifier; if empty, the node only wraps a name.
    pub object: &'static str,
    /// Step to the name; if empty, the node is a leaf whose text is the whole path (`A.B.C`).
    pub name: &'static str,
}

impl Path {
    /// Returns a path of two parts.
    pub const fn new(node: &'static str, object: &'static str, name: &'static str) -> Self {
        Self { node, object, name }
    }
}
