//! The part of a language's table about types: the nodes that give a name a type.
//!
//! `types` follows these rules in the walk. A path is a list of steps joined by `/`; see `table`
//! for steps.

/// A node kind that gives something a type. Its paths are steps joined by `/`; of several paths,
/// the first that leads somewhere counts.
#[derive(Debug, Clone, Copy)]
pub struct TypeRule {
    /// The node kind.
    pub node: &'static str,
    /// Step to the children that each have a name; if there is none, the node itself has one.
    pub each: &'static str,
    /// Path from the child to the name.
    pub name: &'static str,
    /// Paths from the node to the type.
    pub ty: &'static [&'static str],
    /// Paths from the child to the value, whose type counts if none is written.
    pub value: &'static [&'static str],
    /// Whether the type is that of a function's result.
    pub is_result: bool,
    /// Whether a type counts only after the name.
    pub is_after: bool,
    /// Whether it assigns to something that is declared elsewhere.
    pub is_assigned: bool,
    /// Whether the name holds an item of the value, one after the other.
    pub is_item: bool,
    /// Whether it is a type parameter (`T`), whose first child is the name.
    pub is_parameter: bool,
    /// Whether it is a constraint of a type parameter that is declared before: `where T: Run`.
    pub is_constraint: bool,
    /// Whether it is a statement or an expression with a condition that may test types.
    pub is_test: bool,
    /// Step to a child that also makes a parameter a member; empty if there is none.
    pub member: &'static str,
    /// Whether the value is a decorator, and the name then holds what it makes of a function. The
    /// type is that of the function's result.
    pub is_decorator: bool,
    /// Step to the other names of a node with several (`var a, b int`), which get no value.
    pub more: &'static str,
    /// Step to a label, which names no value; empty if there is none.
    pub label: &'static str,
    /// Steps of which one must lead somewhere, or else the node binds nothing. Empty if there is no
    /// condition.
    pub only_with: &'static [&'static str],
    /// The names that a pattern binds.
    pub names: PatternNames,
    /// Where the name is known.
    pub scope: NameScope,
}

/// The names in a pattern that are bound by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternNames {
    /// All names, except keys between braces.
    All,
    /// Names that begin with a lower-case letter. The pattern compares with others. A name before a
    /// colon is a key or has a type of its own, unless nothing follows (`in {name:}`).
    Lower,
    /// As [`Self::Lower`], but only names behind `let` or `var`.
    Marked,
}

/// The code in which a bound name is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameScope {
    /// The block around the node.
    Around,
    /// The node itself: the name of a function that is an expression.
    Inside,
    /// The template that has the node as a parameter, or else the block around it. A type parameter
    /// with this scope hides values too.
    Template,
    /// The node around. Only for type parameters and their constraints.
    Parent,
}

impl TypeRule {
    /// Returns a rule with a name in the field `name` and a type in the field `type`.
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
            is_item: false,
            is_parameter: false,
            is_constraint: false,
            is_test: false,
            member: "",
            is_decorator: false,
            more: "",
            label: "",
            only_with: &[],
            names: PatternNames::All,
            scope: NameScope::Around,
        }
    }

    /// Returns a rule for a name of unknown type, which hides outer names.
    pub const fn hides(node: &'static str, name: &'static str) -> Self {
        let mut new = Self::new(node);
        (new.name, new.ty) = (name, &[]);
        new
    }

    /// Returns a rule for the name of an expression, which is known inside of it only.
    pub const fn own_name(node: &'static str) -> Self {
        let mut new = Self::hides(node, "name");
        new.scope = NameScope::Inside;
        new
    }

    /// Returns a rule for a label, which names no value.
    pub const fn labels(node: &'static str, step: &'static str) -> Self {
        Self::hides(node, "").label(step)
    }

    /// Returns a rule for a type parameter.
    pub const fn parameter(node: &'static str) -> Self {
        let mut new = Self::hides(node, "");
        new.is_parameter = true;
        new
    }

    /// Returns a rule for a node with a condition that may test types. It binds no new name.
    pub const fn test(node: &'static str) -> Self {
        // The step only says that the node binds no pattern in it.
        let mut new = Self::hides(node, "").each("#0");
        new.is_test = true;
        new
    }

    /// Returns a rule for a constraint of a type parameter, whose first child is the name.
    pub const fn constraint(node: &'static str) -> Self {
        let mut new = Self::parameter(node);
        new.is_constraint = true;
        new
    }

    /// Returns a rule for an assignment to a name.
    pub const fn assigned(node: &'static str, name: &'static str, value: &'static [&'static str]) -> Self {
        let mut new = Self::hides(node, name);
        (new.value, new.is_assigned) = (value, true);
        new
    }

    /// Returns a rule for the variable of a loop over the value.
    pub const fn item(node: &'static str, name: &'static str, value: &'static [&'static str]) -> Self {
        let mut new = Self::hides(node, name);
        (new.value, new.is_item) = (value, true);
        new
    }

    /// Applies the rule to each child in this step.
    pub const fn each(mut self, step: &'static str) -> Self {
        self.each = step;
        self
    }

    /// Sets the path to the name.
    pub const fn name(mut self, path: &'static str) -> Self {
        self.name = path;
        self
    }

    /// Sets the paths to the type.
    pub const fn ty(mut self, paths: &'static [&'static str]) -> Self {
        self.ty = paths;
        self
    }

    /// Sets the paths to the value.
    pub const fn value(mut self, path: &'static [&'static str]) -> Self {
        self.value = path;
        self
    }

    /// Makes it a function whose result type is at one of these paths.
    pub const fn result(mut self, paths: &'static [&'static str]) -> Self {
        self.ty = paths;
        self.is_result = true;
        self
    }

    /// Counts a type only after the name.
    pub const fn after(mut self) -> Self {
        self.is_after = true;
        self
    }

    /// Also binds the names at this step, without a value.
    pub const fn more(mut self, step: &'static str) -> Self {
        self.more = step;
        self
    }

    /// Sets the step to a label.
    pub const fn label(mut self, step: &'static str) -> Self {
        self.label = step;
        self
    }

    /// Binds nothing unless one of these steps leads somewhere.
    pub const fn only_with(mut self, steps: &'static [&'static str]) -> Self {
        self.only_with = steps;
        self
    }

    /// Sets the names that a pattern binds.
    pub const fn names(mut self, names: PatternNames) -> Self {
        self.names = names;
        self
    }

    /// Sets where the name is known.
    pub const fn scope(mut self, scope: NameScope) -> Self {
        self.scope = scope;
        self
    }

    /// Makes the name a member too, if the node has that child.
    pub const fn member(mut self, step: &'static str) -> Self {
        self.member = step;
        self
    }
}

/// A function of a library that returns its first argument, or something with the same members.
#[derive(Debug, Clone, Copy)]
pub struct PassingFunction {
    /// Its name.
    pub name: &'static str,
    /// The type, module or object that may stand in front of it.
    pub owner: &'static str,
    /// A text that a file has which uses the library. Empty if the function needs no import.
    pub library: &'static str,
}

/// The rules for the items of lists and maps in a language.
#[derive(Debug, Clone, Copy)]
pub struct ItemRules {
    /// Nodes that take an item by its index or key: the node kind, and the step to the whole.
    pub indexes: &'static [(&'static str, &'static str)],
    /// Types whose first argument is the type of their items (`List<T>`).
    pub sequences: &'static [&'static str],
    /// Types whose last argument is the type of what a key gives (`Map<K, V>`).
    pub maps: &'static [&'static str],
    /// Methods of sequences and maps that return one item (`get`).
    pub getters: &'static [&'static str],
    /// Methods of sequences that return something with the same items (`iter`).
    pub views: &'static [&'static str],
    /// Methods of sequences that call a closure with each item (`map`).
    pub closures: &'static [&'static str],
    /// Methods of any object that call a closure with it (`let`).
    pub scopes: &'static [&'static str],
}

impl ItemRules {
    /// No items.
    pub const NONE: Self = Self {
        indexes: &[],
        sequences: &[],
        maps: &[],
        getters: &[],
        views: &[],
        closures: &[],
        scopes: &[],
    };
}

/// The rules for the types of values in a language.
#[derive(Debug, Clone, Copy)]
pub struct Values {
    /// Types that stand for their first argument (`Box<T>`, `Optional[T]`).
    pub wrappers: &'static [&'static str],
    /// Types whose first argument is left once a failure is passed on (`Result<T, E>`).
    pub failures: &'static [&'static str],
    /// Types of functions, whose last argument is the type of the result. A call of such a value
    /// is not distinguished from the value, because a function has no members that are declared.
    pub callables: &'static [&'static str],
    /// Functions that make a type parameter (`T = TypeVar("T")`).
    pub parameters: &'static [&'static str],
    /// Decorators that make a member of a function, with the type of its result.
    pub properties: &'static [&'static str],
    /// Methods that return their receiver, or its content.
    pub same: &'static [&'static str],
    /// Functions that return their first argument (`verify(cart).pay()`).
    pub passing: &'static [PassingFunction],
    /// Functions of a type that construct it.
    pub makers: &'static [&'static str],
    /// Whether a call of a capitalised name constructs that type.
    pub constructs: bool,
    /// Whether members of the enclosing type can be named without their object.
    pub has_implicit_self: bool,
    /// The word in front of a type of which other files declare other parts; empty if there is
    /// none.
    pub part_word: &'static str,
    /// Whether a function can have several results; the first one counts.
    pub has_lists: bool,
    /// The items of lists and maps.
    pub items: ItemRules,
    /// Where the word for the current object means another one than that of the type around.
    pub objects: ObjectRules,
    /// Whether a parameter may get a value of another type than it declares.
    pub is_retyped: bool,
}

/// Node kinds in which the word for the current object changes its meaning.
#[derive(Debug, Clone, Copy)]
pub struct ObjectRules {
    /// Functions with an object of their own, which their caller chooses.
    pub functions: &'static [&'static str],
    /// Methods, of what is around them.
    pub methods: &'static [&'static str],
    /// Objects and types without a name, which have methods.
    pub objects: &'static [&'static str],
    /// Types with a name.
    pub types: &'static [&'static str],
}

impl ObjectRules {
    /// It is always that of the type around.
    pub const NONE: Self = Self { functions: &[], methods: &[], objects: &[], types: &[] };
}

impl Values {
    /// No special rules.
    pub const NONE: Self = Self {
        wrappers: &[],
        failures: &[],
        callables: &[],
        parameters: &[],
        properties: &[],
        same: &[],
        passing: &[],
        makers: &[],
        constructs: false,
        has_implicit_self: false,
        part_word: "",
        has_lists: false,
        items: ItemRules::NONE,
        objects: ObjectRules::NONE,
        is_retyped: false,
    };
}
