//! Members that records leave out: fields, parameters that are fields, and alternatives of
//! enumerations.
//!
//! They would make the index larger, and few are looked up. So they are found when asked for: a
//! text and a name → the places that declare a member of this name. The caller knows the
//! declarations around such a place.

use super::lines::{Lines, offset};
use super::mention::Mention;
use super::resolve::step;
use super::{ByteRange, DeclarationKind, Language, clip, complete, parse, types, walk};
use crate::base::text::words;
use tree_sitter::{Node, Tree};

/// A place that declares a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberPlace {
    /// The offset of its name.
    pub at: u32,
    /// Its kind.
    pub kind: DeclarationKind,
    /// Whether the place is in a function of its type (`self.size = 3`), or is a parameter of one.
    pub is_in_function: bool,
}

/// Most places of a name in one text.
const MAX_PLACES: usize = 500;
/// Most nodes between a name and the node that declares it.
const MAX_LEVELS: usize = 6;

/// A node kind that declares members.
struct Rule {
    node: &'static str,
    /// Steps to the name: a field, `@` and a kind, or `#0` for the first child. `*` stands for the
    /// declarators of C.
    name: &'static [&'static str],
    kind: DeclarationKind,
    /// Kinds of a node around, one of which is needed; empty if any will do.
    within: &'static [&'static str],
    /// A child that the node must have; empty if none.
    with: &'static str,
    /// Words, one of which the node must begin with; empty if any will do.
    words: &'static [&'static str],
    is_in_function: bool,
}

const fn rule(node: &'static str, name: &'static [&'static str]) -> Rule {
    let kind = DeclarationKind::Field;
    Rule { node, name, kind, within: &[], with: "", words: &[], is_in_function: false }
}

const fn variant(node: &'static str, name: &'static [&'static str]) -> Rule {
    Rule { kind: DeclarationKind::Variant, ..rule(node, name) }
}

const fn within(of: Rule, within: &'static [&'static str]) -> Rule {
    Rule { within, ..of }
}

const fn with(of: Rule, with: &'static str) -> Rule {
    Rule { with, is_in_function: true, ..of }
}

const NAME: &[&str] = &["name"];

const JAVA: &[Rule] = &[
    variant("enum_constant", NAME),
    within(rule("variable_declarator", NAME), &["field_declaration", "constant_declaration"]),
    within(rule("formal_parameter", NAME), &["record_declaration"]),
];
const C_SHARP: &[Rule] = &[
    variant("enum_member_declaration", NAME),
    within(rule("variable_declarator", NAME), &["field_declaration", "event_field_declaration"]),
    within(rule("parameter", NAME), &["record_declaration"]),
];
const KOTLIN: &[Rule] = &[
    variant("enum_entry", &["@identifier"]),
    rule("property_declaration", &["@variable_declaration", "@identifier"]),
    with(rule("class_parameter", &["@identifier"]), "val"),
    with(rule("class_parameter", &["@identifier"]), "var"),
];
const SWIFT: &[Rule] = &[
    variant("enum_entry", NAME),
    rule("property_declaration", &["name", "bound_identifier"]),
    rule("protocol_property_declaration", &["name", "bound_identifier"]),
];
const SCRIPT: &[Rule] = &[
    rule("public_field_definition", NAME),
    rule("field_definition", &["property"]),
    rule("property_signature", NAME),
    variant("enum_assignment", NAME),
    variant("enum_body", NAME),
    rule("pair", &["key"]),
    with(rule("required_parameter", &["pattern"]), "accessibility_modifier"),
    with(rule("optional_parameter", &["pattern"]), "accessibility_modifier"),
    Rule { words: &["this."], is_in_function: true, ..rule("assignment_expression", &["left", "property"]) },
];
const PYTHON: &[Rule] = &[
    rule("assignment", &["left"]),
    Rule { words: &["self.", "cls."], is_in_function: true, ..rule("assignment", &["left", "attribute"]) },
];
const GO: &[Rule] = &[rule("field_declaration", NAME)];
const RUST: &[Rule] = &[variant("enum_variant", NAME), rule("field_declaration", NAME)];
const C: &[Rule] = &[variant("enumerator", NAME), rule("field_declaration", &["declarator", "*"])];
const PHP: &[Rule] = &[
    variant("enum_case", NAME),
    rule("property_element", &["name", "@name"]),
    Rule { is_in_function: true, ..rule("property_promotion_parameter", &["name", "@name"]) },
];
const RUBY: &[Rule] = &[
    Rule {
        words: &["attr_reader", "attr_writer", "attr_accessor", "Struct.new", "Data.define"],
        ..rule("call", &["arguments", "@simple_symbol"])
    },
    Rule { words: &["@"], is_in_function: true, ..rule("assignment", &["left"]) },
];
const SCALA: &[Rule] = &[
    variant("simple_enum_case", NAME),
    variant("full_enum_case", NAME),
    Rule { is_in_function: true, ..rule("class_parameter", NAME) },
    rule("val_definition", &["pattern"]),
    rule("val_definition", &["pattern", "@identifier"]),
    rule("var_definition", &["pattern"]),
    rule("val_declaration", NAME),
];
const DART: &[Rule] = &[
    variant("enum_entry", NAME),
    variant("enum_entry", &["@identifier"]),
    rule("initialized_identifier", NAME),
    rule("static_final_declaration", NAME),
];

const OCAML: &[Rule] = &[rule("field_declaration", &["@field_name"])];
const JULIA: &[Rule] = &[
    within(rule("typed_expression", &["#0"]), &["struct_definition"]),
    rule("struct_definition", &["@identifier"]),
];
const ZIG: &[Rule] =
    &[within(variant("container_field", NAME), &["enum_declaration"]), rule("container_field", NAME)];
const ELIXIR: &[Rule] = &[
    Rule { words: STRUCTS, ..rule("call", &["@arguments", "@list", "@atom"]) },
    Rule { words: STRUCTS, ..rule("call", &["@arguments", "@keywords", "@pair", "key"]) },
    Rule { words: STRUCTS, ..rule("call", &["@arguments", "@list", "@keywords", "@pair", "key"]) },
];
const VHDL: &[Rule] = &[variant("enumeration_literal", &["constant"])];
/// Macros of Elixir that list the fields of a struct.
const STRUCTS: &[&str] = &["defstruct", "defexception"];

fn rules(language: Language) -> &'static [Rule] {
    match language.name() {
        "java" | "groovy" => JAVA,
        "c-sharp" => C_SHARP,
        "kotlin" => KOTLIN,
        "swift" => SWIFT,
        "javascript" | "jsx" | "typescript" | "tsx" => SCRIPT,
        "python" => PYTHON,
        "go" => GO,
        "rust" => RUST,
        "c" | "cpp" | "objective-c" => C,
        "php" => PHP,
        "ruby" => RUBY,
        "scala" => SCALA,
        "dart" => DART,
        "ocaml" | "ocaml-interface" => OCAML,
        "julia" => JULIA,
        "vhdl" => VHDL,
        "zig" => ZIG,
        "elixir" => ELIXIR,
        _ => &[],
    }
}

/// Returns whether records leave out members of a language.
pub fn has_members(language: Language) -> bool {
    !rules(language).is_empty()
}

/// Returns the places in a text that may declare a member of this name, in order. The text is
/// parsed. Empty for a language without members that records leave out.
pub fn members(language: Language, text: &str, name: &str) -> Vec<MemberPlace> {
    members_of_each(language, text, &[name]).pop().unwrap_or_default()
}

/// Returns the same for each of several names. The text is parsed once.
pub fn members_of_each(language: Language, text: &str, names: &[&str]) -> Vec<Vec<MemberPlace>> {
    let rules = rules(language);
    let text = clip(text);
    if rules.is_empty() || !parse::is_parseable(text) {
        return vec![Vec::new(); names.len()];
    }
    let places = |name: &&str| -> Vec<usize> {
        if name.is_empty() { Vec::new() } else { words(text, name).take(MAX_PLACES).collect() }
    };
    let places: Vec<Vec<usize>> = names.iter().map(places).collect();
    let is_there = places.iter().any(|places| !places.is_empty());
    let Some(tree) = Some(text).filter(|_| is_there).and_then(|text| parse::parse(language, text)) else {
        return vec![Vec::new(); names.len()];
    };
    let in_tree = |(name, places): (&&str, Vec<usize>)| {
        let found = places.into_iter().filter_map(|at| member_at(&tree, rules, text, at, name));
        found.collect()
    };
    names.iter().zip(places).map(in_tree).collect()
}

/// Returns the member that a place of a name declares.
fn member_at(tree: &Tree, rules: &[Rule], text: &str, at: usize, name: &str) -> Option<MemberPlace> {
    let leaf = tree.root_node().named_descendant_for_byte_range(at, at + name.len())?;
    // A key of Elixir has its colon and the space behind. The sign of a private member of
    // JavaScript belongs to its name.
    let written = text.get(leaf.byte_range())?;
    let is_private = leaf.kind() == "private_property_identifier";
    let bare = written.trim_start_matches(['$', '@', ':', '#']).trim_end_matches([':', ' ', '\n']);
    if name != written && (is_private || name != bare) {
        return None;
    }
    let mut around = std::iter::successors(Some(leaf), Node::parent).take(MAX_LEVELS);
    let rule = around.find_map(|node| rules.iter().find(|rule| rule.declares(node, leaf, text)))?;
    Some(MemberPlace { at: u32::try_from(at).ok()?, kind: rule.kind, is_in_function: rule.is_in_function })
}

/// What the syntax of a text says about the places of a name that may be that of a member.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberUses {
    /// The bytes in which a parameter or a variable of a function has the name.
    pub hidden: Vec<ByteRange>,
    /// The places behind an object of a known type, in order, each with that type as it is written.
    pub of_types: Vec<(u32, String)>,
}

/// Returns what the syntax of a text says about the places of a name. The text is parsed.
pub fn member_uses(language: Language, text: &str, name: &str) -> MemberUses {
    let text = clip(text);
    let Some(resolved) = language.resolved().filter(|_| parse::is_parseable(text)) else {
        return MemberUses::default();
    };
    let Some(tree) = parse::parse(language, text) else { return MemberUses::default() };
    let lines = Lines::new(text);
    let mut walked = walk::walk(language, resolved, &tree, &lines, u32::MAX);
    let hidden = types::hiding_ranges(&walked.declarations, &walked.bound, name);
    let objects: Vec<types::MemberObject<'_>> = words(text, name)
        .take(MAX_PLACES)
        .filter_map(|at| Some((offset(at), object_before(text.get(..at)?, resolved.table.marks)?)))
        .map(|(at, path)| {
            let within = walked.declarations.iter().rposition(|one| one.span.bytes.contains(at));
            types::MemberObject { at, path, within: within.map(offset) }
        })
        .collect();
    let mut of_types = types::of_objects(resolved, &walked, &objects);
    // A member may be named without its object: `.open` of Swift.
    if walked.mentions.iter().any(|one| one.is_implicit && one.name == name) {
        complete(resolved, text, &mut walked);
        let is_typed = |one: &&Mention<'_>| !one.alias.is_empty() && !one.alias.contains(['<', '(']);
        let implicit = walked.mentions.iter().filter(|one| one.is_implicit && one.name == name);
        of_types.extend(implicit.filter(is_typed).map(|one| (one.name_at, one.alias.to_string())));
        of_types.sort_by_key(|one| one.0);
        of_types.dedup_by_key(|one| one.0);
    }
    MemberUses { hidden, of_types }
}

/// Returns the names in front of a member, as they are written: `a->b` of `a->b.size`. `None` if
/// there are none, or if they follow another expression. One of `marks` leads to a member.
fn object_before<'t>(before: &'t str, marks: &[&str]) -> Option<&'t str> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@');
    let mark = |text: &str| marks.iter().find_map(|mark| Some(text.strip_suffix(mark)?.len()));
    let end = mark(before)?;
    let mut rest = before.get(..end)?;
    loop {
        let start = rest.trim_end_matches(is_name).len();
        if start == rest.len() {
            return None;
        }
        rest = rest.get(..start)?;
        match mark(rest) {
            Some(len) => rest = rest.get(..len)?,
            None => return before.get(start..end),
        }
    }
}

impl Rule {
    /// Returns whether a node declares the member whose name is `leaf`.
    fn declares(&self, node: Node<'_>, leaf: Node<'_>, text: &str) -> bool {
        let written = text.get(node.byte_range()).unwrap_or_default();
        let around = || std::iter::successors(node.parent(), Node::parent).take(MAX_LEVELS);
        node.kind() == self.node
            && (self.words.is_empty() || self.words.iter().any(|word| written.starts_with(word)))
            && (self.within.is_empty() || around().any(|one| self.within.contains(&one.kind())))
            && (self.with.is_empty() || has(node, self.with))
            && leads(node, self.name, leaf)
    }
}

/// Returns whether a node, or its list of modifiers, has a child of this kind.
fn has(node: Node<'_>, kind: &str) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.kind() == kind)
        || step(node, "@modifiers").is_some_and(|list| has(list, kind))
}

/// Returns whether some steps lead from a node to a leaf.
fn leads(node: Node<'_>, steps: &[&str], leaf: Node<'_>) -> bool {
    let Some((first, rest)) = steps.split_first() else { return node == leaf };
    if *first == "*" {
        return leaf.kind() == "field_identifier";
    }
    let holds =
        |child: &Node<'_>| child.start_byte() <= leaf.start_byte() && leaf.end_byte() <= child.end_byte();
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return false;
    }
    loop {
        let child = cursor.node();
        let is_step = match first.strip_prefix('@') {
            Some(kind) => child.kind() == kind,
            None if *first == "#0" => node.named_child(0) == Some(child),
            None => cursor.field_name() == Some(*first),
        };
        if is_step && holds(&child) && leads(child, rest, leaf) {
            return true;
        }
        if !cursor.goto_next_sibling() {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names among `names` that a text declares as members.
    fn declared<'n>(language: &str, text: &str, names: &[&'n str]) -> Vec<&'n str> {
        let Some(language) = Language::from_name(language) else { return Vec::new() };
        names.iter().copied().filter(|name| !members(language, text, name).is_empty()).collect()
    }

    /// Checks that a text declares the names of `expected` as members, and none of `other`.
    fn check(language: &str, text: &str, expected: &[&str], other: &[&str]) {
        if Language::from_name(language).is_some_and(|one| !one.lacks_grammar()) {
            let all = [expected, other].concat();
            assert_eq!(declared(language, text, &all), expected, "{language}");
        }
    }

    #[test]
    fn members_are_found_where_they_are_declared() {
        for (language, text, expected, other) in [
            (
                "java",
                "class A { int size = width, depth; void f(int local) { int n = local; } enum K { SMALL, BIG(2) } }\nrecord R(int left) {}",
                &["size", "depth", "SMALL", "BIG", "left"][..],
                &["width", "local", "n", "f"][..],
            ),
            (
                "c-sharp",
                "class A { int size; event Action Done; void F(int local) { int n = size; } }\nenum K { Small, Big = 2 }\nrecord R(int Left);",
                &["size", "Done", "Small", "Big", "Left"],
                &["local", "n"],
            ),
            (
                "kotlin",
                "class A(val left: Int, plain: Int) { val size = 3\n lateinit var late: String }\nenum class K { SMALL, BIG(2) }\n",
                &["left", "size", "late", "SMALL", "BIG"],
                &["plain"],
            ),
            (
                "swift",
                "struct A { var size: Int\n let name = 2 }\nenum K { case small, big(Int) }\nprotocol P { var depth: Int { get } }",
                &["size", "name", "small", "big", "depth"],
                &["Int"],
            ),
            (
                "typescript",
                "class A { size = 3; constructor(public left: number, plain: number) {} }\ninterface I { depth: number }\nenum K { Small, Big = 2 }\nconst t = { key: 3 }",
                &["size", "left", "depth", "Small", "Big", "key"],
                &["plain"],
            ),
            ("javascript", "class A { size = 3; constructor() { this.depth = 2 } }", &["size", "depth"], &[]),
            (
                "python",
                "class A:\n    size: int\n    name = 'a'\n    def __init__(self, x):\n        self.depth = x\n",
                &["size", "name", "depth"],
                &["x"],
            ),
            (
                "go",
                "type A struct {\n\tSize int\n\tleft, right string\n}",
                &["Size", "left", "right"],
                &["string"],
            ),
            (
                "rust",
                "struct A { size: u32 }\nenum K { Small, Big { depth: u32 } }",
                &["size", "Small", "Big", "depth"],
                &["u32"],
            ),
            (
                "c",
                "struct a { int size; char *name, all[MOST]; int (*call)(int given); };\nenum k { SMALL, BIG = 2 };",
                &["size", "name", "all", "call", "SMALL", "BIG"],
                &["MOST", "given"],
            ),
            (
                "php",
                "<?php class A { private int $size; function __construct(private int $left) {} }\nenum K { case Small; }",
                &["size", "left", "Small"],
                &[],
            ),
            (
                "ruby",
                "class A\n  attr_reader :size\n  def initialize(x)\n    @depth = x\n  end\nend\nP = Struct.new(:left)\nsend(:other)\n",
                &["size", "depth", "left"],
                &["other", "x"],
            ),
            (
                "scala",
                "case class A(left: Int) { val size = 3\n var name = 2 }",
                &["left", "size", "name"],
                &[],
            ),
            (
                "dart",
                "class A { final int size = 2; static const most = 3; }\nenum K { small, big }",
                &["size", "most", "small", "big"],
                &[],
            ),
        ] {
            check(language, text, expected, other);
        }
    }

    #[test]
    fn fields_of_records_are_found() {
        for (language, text, expected, other) in [
            (
                "ocaml",
                "type r = { left : int; mutable right : string }\nlet f other = other.left\n",
                &["left", "right"][..],
                &["other", "int"][..],
            ),
            (
                "julia",
                "struct P\n  left::Int\n  right\nend\nmutable struct Q{T}\n  depth::T\nend\nf(other::Int) = 1\n",
                &["left", "right", "depth"],
                &["Int", "other"],
            ),
            (
                "zig",
                "size: u32,\nconst P = struct { left: i32, right: i32 = most };\nconst E = enum { red };\nfn f(other: i32) void {}",
                &["size", "left", "right", "red"],
                &["most", "other"],
            ),
            ("vhdl", "package p is\n  type st is (idle, busy);\nend package;\n", &["idle", "busy"], &["st"]),
            (
                "elixir",
                "defmodule A do\n  defstruct [:left, right: other]\nend\ndefmodule B do\n  defstruct name: nil, depth: 0\n  \
                 def f(given: 3), do: 1\nend\n",
                &["left", "right", "name", "depth"],
                &["given", "other"],
            ),
        ] {
            check(language, text, expected, other);
        }
    }
}
