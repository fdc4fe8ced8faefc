//! What a language's table says: node kinds and fields of its grammar → roles.
//!
//! A language is data: one `static` [`Table`] in `lang/<name>.rs`. There are no tree-sitter queries, because
//! compiling one costs up to 300 ms and running one a third of the parse. `resolve` turns the table's names
//! into an array that is indexed by the grammar's numeric node kinds.
//!
//! A **step** leads from a node to one of its children and is written as a string: `"name"` is the child in that
//! field, `"@block"` the first child of that kind, `"@@block"` the last one, `"#0"` the first named child, `"#-1"`
//! the last one.

use super::{ChunkKind, DeclarationKind, ReferenceKind};
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
    /// How a comment begins that can be the doc comment of the declaration directly above it (OCaml's `(**`).
    pub below: &'static [&'static str],
    /// Attributes, decorators and annotations: never part of a signature.
    pub attributes: &'static [&'static str],
    /// How an attribute begins that is the doc comment of what follows (`@doc`).
    pub docs: &'static [&'static str],
    /// How an attribute begins that is the doc comment of what it stands in (`@moduledoc`).
    pub inner_docs: &'static [&'static str],
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
    /// Names that say nothing about what is called or meant: the language's own words that its grammar takes for
    /// names.
    pub words: &'static [&'static str],
    /// Methods of a type that construct it (`Money.new`): their call is one of the type.
    pub makers: &'static [&'static str],
    /// How a qualified name is built (`a.b`, `a::b`), and what only wraps a name (`f::<T>`).
    pub paths: &'static [Path],
    /// Leaves and paths that name a type wherever they stand.
    pub types: &'static [&'static str],
    /// Fields in which names are types, where the grammar has no node kind of its own for a type's name.
    pub type_fields: &'static [&'static str],
    /// What says of which type a name, a member or a function's result is.
    pub typed: &'static [Typed],
    /// Nodes that make a value, or convert one: their kind, and the step to its type.
    pub makes: &'static [(&'static str, &'static str)],
    /// How the types of values are told.
    pub values: Values,
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
    /// Nodes in which nothing is declared: lists of data.
    pub closed: &'static [&'static str],
    /// Nodes whose comments at their end belong to what follows them.
    pub trailing: &'static [&'static str],
    /// Kinds of strings that are a doc comment where they stand directly above a declaration.
    pub above: &'static [&'static str],
    /// Names of members, whose owner is a type that they refer to if it begins with an upper-case letter
    /// (`PresentMode::Fifo`).
    pub members: &'static [&'static str],
    /// Names that stand for a value where nothing else is said of them.
    pub leaves: &'static [&'static str],
    /// Names that do so behind what they are members of, and nowhere else.
    pub member_leaves: &'static [&'static str],
    /// Whether a name that a file neither declares nor imports is one of its package.
    pub sees_package: bool,
    /// Whether a name before a colon is that of an argument or a key, and no value.
    pub has_labels: bool,
    /// Whether the calls that import do it with a name as well as with a string (`library(x)`).
    pub bare_imports: bool,
    /// What all its chunks but the head are, where they are no parts of a program.
    pub chunks: Option<ChunkKind>,
    /// Whether the parser sees a letter for each byte that is not ASCII, because the grammar's scanner looks
    /// characters up in a table of 256 and reads outside of it otherwise.
    pub ascii: bool,
    /// Whether the scanner can take the text. What it keeps between tokens has to fit into 1024 bytes; some don't
    /// look whether it does, and the process ends.
    pub fits: fn(&str) -> bool,
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
            makers: &[],
            paths: &[],
            types: &[],
            type_fields: &[],
            typed: &[],
            makes: &[],
            values: Values::NONE,
            regions: &[],
            names: &[],
            strings: &[],
            docstrings: &[],
            constructors: &[],
            opaque: &[],
            closed: &[],
            trailing: &[],
            above: &[],
            members: &[],
            leaves: &[],
            member_leaves: &[],
            sees_package: false,
            has_labels: true,
            bare_imports: false,
            chunks: None,
            ascii: false,
            fits: |_| true,
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
    /// In fewer other declarations than this.
    Levels(usize),
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
    /// What the declaration around it is.
    pub within: Option<DeclarationKind>,
    /// The kinds of the node around it and of the one around that; empty at the root. Asking a node for its parent
    /// costs a walk from the root.
    pub around: [&'static str; 2],
    /// Whether nothing stands around it but declarations.
    pub is_top: bool,
    /// Whether the body goes on to the end of the declaration, since no node holds the whole of it.
    pub to_end: bool,
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
    /// Whether it is a part of the declaration directly before it, if that has the same name and joins too: a
    /// function's signature and equations.
    pub joins: bool,
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
            joins: false,
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

    /// One declaration with its neighbours of the same name.
    pub const fn joins(mut self) -> Self {
        self.joins = true;
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
    /// Whether only a name with a capital counts (`<List>`, but not `<ul>`).
    pub capital: bool,
    /// Whether only a word counts, not an operator (`a until b`, but not `a + b`).
    pub word: bool,
}

impl Call {
    /// A call of what is at the end of that step.
    pub const fn new(node: &'static str, function: &'static str) -> Self {
        Self { node, function, capital: false, word: false }
    }

    /// Only if its name is a word.
    pub const fn word(mut self) -> Self {
        self.word = true;
        self
    }

    /// Only if its name begins with a capital.
    pub const fn capital(mut self) -> Self {
        self.capital = true;
        self
    }
}

/// A node kind that makes a qualified name of two parts.
#[derive(Debug, Clone, Copy)]
pub struct Path {
    /// The node kind.
    pub node: &'static str,
    /// Step to the qualifier; empty: there is none, the node only wraps a name.
    pub object: &'static str,
    /// Step to the name; empty: the node is a leaf, and its text is the whole path (`A.B.C`).
    pub name: &'static str,
}

impl Path {
    /// A path of two parts.
    pub const fn new(node: &'static str, object: &'static str, name: &'static str) -> Self {
        Self { node, object, name }
    }
}

/// A node kind that says of which type something is. Here a path of steps is written with a `/` between, and of several
/// the first that leads somewhere counts.
#[derive(Debug, Clone, Copy)]
pub struct Typed {
    /// The node kind.
    pub node: &'static str,
    /// Step to the children that each have a name; empty: the node itself has one.
    pub each: &'static str,
    /// Path to the name, from the child.
    pub name: &'static str,
    /// Paths to the type, from the node.
    pub ty: &'static [&'static str],
    /// Paths to the value, from the child: where no type is written, its type counts.
    pub value: &'static [&'static str],
    /// Whether the type is that of a function's result.
    pub is_result: bool,
    /// Whether only a type behind the name counts.
    pub is_after: bool,
    /// Whether it assigns to what is declared elsewhere.
    pub is_assigned: bool,
    /// Whether it is a parameter of a type or function (`T`), whose name its first child is.
    pub is_parameter: bool,
    /// Step to a child that makes a parameter a member as well; empty: none does.
    pub member: &'static str,
}

impl Typed {
    /// A name in the field `name` with a type in the field `type`.
    pub const fn new(node: &'static str) -> Self {
        Self {
            node,
            each: "",
            name: "name",
            ty: &["type"],
            value: &[],
            is_result: false,
            is_after: false,
            is_assigned: false,
            is_parameter: false,
            member: "",
        }
    }

    /// A name at the end of that path, of whose type nothing is said: it hides others of the name.
    pub const fn hides(node: &'static str, name: &'static str) -> Self {
        let mut new = Self::new(node);
        (new.name, new.ty) = (name, &[]);
        new
    }

    /// A parameter of a type or a function.
    pub const fn parameter(node: &'static str) -> Self {
        let mut new = Self::hides(node, "");
        new.is_parameter = true;
        new
    }

    /// What is assigned to a name.
    pub const fn assigned(node: &'static str, name: &'static str, value: &'static [&'static str]) -> Self {
        let mut new = Self::hides(node, name);
        (new.value, new.is_assigned) = (value, true);
        new
    }

    /// Each of these children.
    pub const fn each(mut self, step: &'static str) -> Self {
        self.each = step;
        self
    }

    /// With the name there.
    pub const fn name(mut self, path: &'static str) -> Self {
        self.name = path;
        self
    }

    /// With the type at one of these.
    pub const fn ty(mut self, paths: &'static [&'static str]) -> Self {
        self.ty = paths;
        self
    }

    /// With a value there.
    pub const fn value(mut self, path: &'static [&'static str]) -> Self {
        self.value = path;
        self
    }

    /// A function, with the type of its result at one of these.
    pub const fn result(mut self, paths: &'static [&'static str]) -> Self {
        self.ty = paths;
        self.is_result = true;
        self
    }

    /// Only if the type stands behind the name.
    pub const fn after(mut self) -> Self {
        self.is_after = true;
        self
    }

    /// A member too, if it has that child.
    pub const fn member(mut self, step: &'static str) -> Self {
        self.member = step;
        self
    }
}

/// How a language tells the types of values.
#[derive(Debug, Clone, Copy)]
pub struct Values {
    /// Types that pass on to what their first argument is (`Box<T>`, `Optional[T]`).
    pub wrappers: &'static [&'static str],
    /// Types whose first argument is what is left when a failure is passed on (`Result<T, E>`).
    pub failures: &'static [&'static str],
    /// Methods that give what they are called on, or what is in it.
    pub same: &'static [&'static str],
    /// Functions of a type that make one of it.
    pub makers: &'static [&'static str],
    /// Whether to call a name with a capital is to make one of that type.
    pub constructs: bool,
    /// Whether members of the type around are named without their object.
    pub has_implicit_self: bool,
    /// Whether a function can have several results, the first of which counts.
    pub has_lists: bool,
}

impl Values {
    /// Nothing special.
    pub const NONE: Self = Self {
        wrappers: &[],
        failures: &[],
        same: &[],
        makers: &[],
        constructs: false,
        has_implicit_self: false,
        has_lists: false,
    };
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
    /// The words that it begins with, one of them; empty: it's a region whatever it begins with.
    pub words: &'static [&'static str],
    /// Step to the child that is the region; empty: it's the node itself.
    pub at: &'static str,
}

impl Region {
    /// A region.
    pub const fn new(node: &'static str, meaning: Meaning) -> Self {
        Self { node, meaning, words: &[], at: "" }
    }

    /// Only if it begins with one of these words.
    pub const fn words(mut self, words: &'static [&'static str]) -> Self {
        self.words = words;
        self
    }

    /// Only that child of it.
    pub const fn at(mut self, step: &'static str) -> Self {
        self.at = step;
        self
    }
}

/// A node kind that imports something.
#[derive(Debug, Clone, Copy)]
pub struct Import {
    /// The node kind.
    pub node: &'static str,
    /// The words that it begins with, one of them, where importing is a call (`require "x"`); empty: it's an import
    /// whatever it begins with.
    pub words: &'static [&'static str],
    /// Step to the module; empty: each name is a module by itself. Without that child it's no import. A field with
    /// a `+` behind it: from the first child in it to the last (`a`, `.`, `b`).
    pub module: &'static str,
    /// Steps to the local name of the module as a whole, with a `/` between; empty: there is none.
    pub alias: &'static str,
    /// What is imported from the module. Nothing found: the module as a whole.
    pub names: &'static [Imported],
    /// Whether the last segment of a dotted path is the imported name and the rest its module (`a.b.C`).
    pub split: bool,
    /// Step to the child that stands for all names of the module; empty: there is none.
    pub wildcard: &'static str,
}

impl Import {
    /// An import that is a module path by itself, or a path in a child; to be completed with `..`.
    pub const fn new(node: &'static str, module: &'static str) -> Self {
        Self { node, words: &[], module, alias: "", names: &[], split: false, wildcard: "" }
    }
}

/// A node kind within an import that names what is imported.
#[derive(Debug, Clone, Copy)]
pub struct Imported {
    /// The node kind.
    pub node: &'static str,
    /// Step to the name; empty: the node itself, `"*"`: the module as a whole.
    pub name: &'static str,
    /// Steps to the local name, with a `/` between; empty: none.
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
