//! Haskell.
//!
//! A type signature and the equations of the same name below it are one declaration. An instance
//! has the name of its type. The parser sees only the code of a literate program.

use crate::index::chunk::imports::last_segment;
use crate::index::chunk::lines::{blank, offset};
use crate::index::chunk::mention::Mention;
use crate::index::chunk::parts::in_field;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    Region, Scope, Table, TypeRule,
};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Haskell's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("signature", K::Function)
            .parts(|node| match node.child_by_field_name("names") {
                Some(names) => in_field(names, "name"),
                None => in_field(node, "name"),
            })
            .body(&[])
            .scope(Scope::Outside)
            .joins()
            .refine(typed),
        DeclarationRule::new("function", K::Function)
            .body(&["match"])
            .scope(Scope::Outside)
            .joins()
            .refine(equation),
        DeclarationRule::new("bind", K::Constant)
            .body(&["match"])
            .scope(Scope::Outside)
            .joins()
            .refine(equation),
        DeclarationRule::new("header", K::Module).name(Name::At(&["module"])).body(&[]),
        DeclarationRule::new("data_constructor", K::Variant)
            .name(Name::At(&["constructor", "name"]))
            .body(&[]),
        DeclarationRule::new("newtype_constructor", K::Variant).body(&[]),
        DeclarationRule::new("gadt_constructor", K::Variant)
            .parts(|node| match node.child_by_field_name("names") {
                Some(names) => in_field(names, "name"),
                None => in_field(node, "name"),
            })
            .name(Name::At(&[]))
            .body(&[]),
        DeclarationRule::new("field", K::Field)
            .parts(|node| in_field(node, "name"))
            .name(Name::At(&["#0"]))
            .body(&[]),
        DeclarationRule::new("data_type", K::Enum).body(&["constructors"]).refine(data),
        DeclarationRule::new("newtype", K::Struct).body(&["constructor"]),
        DeclarationRule::new("type_synonym", K::Type).body(&["type"]),
        DeclarationRule::new("type_family", K::Type).body(&["closed_family"]),
        DeclarationRule::new("data_family", K::Type).body(&[]),
        DeclarationRule::new("class", K::Interface).body(&["declarations"]),
        DeclarationRule::new("instance", K::Implementation)
            .name(Name::At(&["patterns", "#0"]))
            .body(&["declarations"])
            .inherits(&["name"])
            .refine(instance),
        DeclarationRule::new("deriving_instance", K::Implementation)
            .name(Name::At(&["patterns", "#0"]))
            .body(&[])
            .inherits(&["name"])
            .refine(instance),
        DeclarationRule::new("pattern_synonym", K::Function)
            .name(Name::At(&["#0", "synonym"]))
            .body(&[])
            .joins()
            .refine(synonym),
        DeclarationRule::new("infix", K::Test)
            .name(Name::At(&["left_operand", "argument", "@string"]))
            .body(&["right_operand"])
            .scope(Scope::Levels(MAX_LEVELS))
            .refine(|text, node, found| {
                found.name.is_some()
                    && node.child_by_field_name("left_operand").is_some_and(|head| is_test(text, head))
            }),
        DeclarationRule::new("apply", K::Test)
            .name(Name::At(&["function", "argument", "@string"]))
            .body(&["argument"])
            .scope(Scope::Levels(MAX_LEVELS))
            .refine(|text, node, found| {
                found.name.is_some()
                    && node.child_by_field_name("function").is_some_and(|head| is_test(text, head))
            }),
        DeclarationRule::new("foreign_import", K::Function).name(Name::At(&["signature", "name"])).body(&[]),
    ],
    comments: &["comment", "haddock"],
    mask: Some(program),
    detached: &["-- ^", "-- |\n"],
    heads: &["header", "pragma"],
    scopes: &["imports", "declarations"],
    imports: &[Import {
        alias: "alias",
        names: &[ImportedNameRule::leaf("import_name")],
        wildcard: "@hiding",
        ..Import::new("import", "module")
    }],
    calls: &[Call::new("apply", "function"), Call::new("exp", "#0"), Call::new("record", "constructor")],
    paths: &[
        Path::new("qualified", "module", "id"),
        Path::new("parens", "", "#0"),
        Path::new("apply", "", "constructor"),
        Path::new("prefix_id", "", "#0"),
        // Its text is the whole path.
        Path::new("module", "", ""),
    ],
    types: &["name"],
    regions: &[Region::new("deriving", Meaning::Refers(ReferenceKind::Inherits))],
    names: &["variable", "constructor", "operator"],
    strings: &["string"],
    opaque: &["string", "char", "quasiquote", "exports", "pragma", "cpp"],
    leaves: &["constructor", "variable"],
    valueless: &["data_type", "newtype", "signature", "type_family", "type_patterns", "type_synonym"],
    marks: &["."],
    typed: &[
        TypeRule::hides("alternative", "pattern"),
        TypeRule::hides("bind", "#0"),
        TypeRule::hides("function", "name"),
        TypeRule::hides("generator", "pattern"),
        TypeRule::hides("patterns", ""),
    ],
    sees_all: true,
    has_lower_variables: true,
    mentions: &[MentionRule { node: "import", read: opened }],
    discards: true,
    ..Table::new(|| tree_sitter_haskell::LANGUAGE.into())
};

/// Adds the module of which all names are imported, and the other name of one that also has a list:
/// `import A`, `import A as B`, `import A as B (c)`, `import A as B hiding (c)`.
fn opened<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let has = |kind: &str| node.children(&mut node.walk()).any(|child| child.kind() == kind);
    let of = |field: &str| node.child_by_field_name(field).and_then(|one| text.get(one.byte_range()));
    let Some(module) = of("module") else { return };
    let at = offset(node.start_byte());
    let has_list = of("names").is_some();
    if !has("qualified") && !has_list {
        found.push(Mention::new(at, ReferenceKind::Import, "*", Cow::Borrowed(module)));
    }
    if let Some(alias) = of("alias").filter(|_| has_list) {
        let import = Mention::new(at, ReferenceKind::Import, last_segment(module), Cow::Borrowed(module));
        found.push(Mention { alias: Cow::Borrowed(alias), ..import });
    }
}

/// Makes a separate signature a function or a value, depending on its type.
fn typed<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let is_plain =
        node.child_by_field_name("type").is_some_and(|of| matches!(of.kind(), "name" | "list" | "tuple"));
    if is_plain {
        found.kind = K::Constant;
    }
    // Inside an expression, a signature gives the type of that expression and declares nothing.
    let written = text.get(node.byte_range()).unwrap_or_default();
    let is_first = found.name.is_some_and(|name| name.start_byte() == node.start_byte());
    // Outside a class, the equations declare the other names.
    let is_of_class = found.within == Some(K::Interface) && node.child_by_field_name("names").is_some();
    (is_first || is_of_class) && !written.is_empty()
}

/// Finds the name of a pattern synonym: `P` of `pattern P x = …`, `x :+ y` or `P {x, y}`.
fn synonym<'tree>(_: &str, _: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    for _ in 0..16 {
        let Some(name) = found.name else { return false };
        found.name = match name.kind() {
            "apply" => name.child_by_field_name("function"),
            "infix" => name.child_by_field_name("operator"),
            "record" => name.child_by_field_name("constructor"),
            _ => return true,
        };
    }
    false
}

fn equation<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    if let Some(infix) = node.child(0).filter(|first| first.kind() == "infix") {
        let operator = infix.child_by_field_name("operator");
        // `` x `plus` y ``
        let word = operator.filter(|one| one.kind() == "infix_id").and_then(|one| one.named_child(0));
        found.name = word.or(operator);
    }
    if node.kind() == "bind" && found.body.is_some_and(|body| !is_literal(body)) {
        found.kind = K::Function;
    }
    found.to_end = true;
    true
}

/// Deepest nesting of tests.
const MAX_LEVELS: usize = 16;

/// Functions of Hspec, HUnit and Tasty that a string and a test follow.
const TESTS: [&str; 9] =
    ["context", "describe", "it", "prop", "specify", "test", "testCase", "testGroup", "testProperty"];

/// Returns whether a node is such a function with its string.
fn is_test(text: &str, head: Node<'_>) -> bool {
    let function = head.child_by_field_name("function").filter(|_| head.kind() == "apply");
    function.and_then(|one| text.get(one.byte_range())).is_some_and(|word| TESTS.contains(&word))
}

fn is_literal(body: Node<'_>) -> bool {
    let value = body.child_by_field_name("expression");
    value.is_some_and(|value| matches!(value.kind(), "literal" | "list" | "tuple"))
}

/// Makes a type with one alternative and named fields a record.
fn data(_: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let one = found.body.filter(|body| body.named_child_count() == 1).and_then(|body| body.named_child(0));
    let is_record = one
        .and_then(|one| one.child_by_field_name("constructor"))
        .is_some_and(|constructor| constructor.kind() == "record");
    if is_record {
        found.kind = K::Struct;
    }
    true
}

/// Names an instance after the type that it is for.
fn instance<'tree>(_: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut name = found.name;
    for _ in 0..8 {
        name = match name {
            Some(at) if at.kind() == "parens" => at.named_child(0),
            Some(at) if at.kind() == "apply" => at.child_by_field_name("constructor"),
            Some(at) if at.kind() == "list" => at.named_child(0),
            _ => break,
        };
    }
    found.name = name.or_else(|| node.child_by_field_name("name"));
    true
}

/// Returns the text that the parser sees. In a literate program, code is behind `>`, or between
/// `\begin{code}` and `\end{code}`; the rest is blanked.
fn program(text: &str) -> Cow<'_, [u8]> {
    let has_blocks = text.lines().any(|line| line.starts_with("\\begin{code}"));
    let is_plain = |line: &str| line.starts_with("module ") || line.starts_with("import ");
    let has_birds = || text.lines().any(|line| line.starts_with("> ")) && !text.lines().any(is_plain);
    if !has_blocks && !has_birds() {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut seen = text.as_bytes().to_vec();
    let (mut in_block, mut start) = (false, 0);
    for line in text.split_inclusive('\n') {
        let is_mark = line.starts_with("\\begin{code}") || line.starts_with("\\end{code}");
        in_block = if is_mark { line.starts_with("\\begin") } else { in_block };
        let hidden = match in_block && !is_mark {
            true => start..start,
            false if line.starts_with('>') => start..start + 1,
            false => start..start + line.len(),
        };
        blank(seen.get_mut(hidden).unwrap_or_default());
        start += line.len();
    }
    Cow::Owned(seen)
}
