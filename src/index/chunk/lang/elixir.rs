//! Elixir.
//!
//! Its grammar knows only calls, so the name of a call decides whether it declares or imports
//! something. Names that are keywords elsewhere are listed here as words.

use super::elixir_calls::{self, child};
use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::{ATTRIBUTE_QUALIFIER, Mention};
use crate::index::chunk::node::range;
use crate::index::chunk::table::{
    Call, DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Meaning, MentionRule, Name, Path,
    Region, Scope, Table,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Elixir's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("call", K::Function)
            .name(Name::Refined)
            .body(&["@do_block"])
            .joins_clauses(arity)
            .refine(call),
        DeclarationRule::new("unary_operator", K::Constant)
            .name(Name::Refined)
            .body(&[])
            .scope(Scope::Outside)
            .refine(attribute),
    ],
    detached: &["#!"],
    attributes: &["unary_operator"],
    docs: &["@doc \"", "@doc ~", "@typedoc \"", "@typedoc ~"],
    inner_docs: &["@moduledoc \"", "@moduledoc ~"],
    imports: &[Import {
        words: &["alias", "import", "require"],
        names: &[
            ImportedNameRule::aliased("arguments", "@alias", "@keywords/#0/value"),
            ImportedNameRule::prefix("dot", "left"),
            ImportedNameRule::leaf("alias"),
        ],
        split: true,
        ..Import::new("call", "")
    }],
    calls: &[Call::new("call", "target"), Call::new("struct", "#0")],
    words: WORDS,
    paths: &[Path::new("dot", "left", "right"), Path::new("alias", "", "")],
    types: &["alias"],
    regions: &[
        Region::new("call", Meaning::Refers(ReferenceKind::Inherits)).words(&["use", "behaviour"]),
        Region::new("call", Meaning::Refers(ReferenceKind::Type)).words(TYPED),
    ],
    has_type_calls: true,
    strings: &["string"],
    opaque: &["charlist"],
    mentions: &[
        MentionRule { node: "call", read: elixir_calls::read },
        MentionRule { node: "unary_operator", read: prefixed },
        MentionRule { node: "binary_operator", read: piped },
    ],
    ..Table::new(|| tree_sitter_elixir::LANGUAGE.into())
};

/// Calls that would be keywords in another language's grammar, and attributes that the language
/// itself reads.
const WORDS: &[&str] = &[
    "behaviour",
    "callback",
    "case",
    "cond",
    "def",
    "defdelegate",
    "defexception",
    "defguard",
    "defguardp",
    "defimpl",
    "defmacro",
    "defmacrop",
    "defmodule",
    "defp",
    "defprotocol",
    "defstruct",
    "deprecated",
    "derive",
    "doc",
    "for",
    "if",
    "impl",
    "macrocallback",
    "moduledoc",
    "opaque",
    "quote",
    "receive",
    "since",
    "spec",
    "tag",
    "try",
    "type",
    "typedoc",
    "typep",
    "unless",
    "unquote",
    "use",
    "with",
];

/// Attributes in which every call names a type.
const TYPED: &[&str] = &["callback", "macrocallback", "opaque", "spec", "type", "typep"];

/// Attributes that declare nothing.
const ATTRIBUTES: &[&str] = &[
    "after_compile",
    "after_verify",
    "before_compile",
    "behaviour",
    "compile",
    "deprecated",
    "derive",
    "describetag",
    "dialyzer",
    "doc",
    "enforce_keys",
    "external_resource",
    "impl",
    "moduledoc",
    "moduletag",
    "on_definition",
    "on_load",
    "optional_callbacks",
    "since",
    "spec",
    "tag",
    "typedoc",
    "vsn",
];

/// Accepts `def`, `defmodule`, `test` and the like.
fn call<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(target) = node.child_by_field_name("target") else { return false };
    let arguments = child(node, "arguments");
    let Some(first) = arguments.and_then(|arguments| arguments.named_child(0)) else { return false };
    match text.get(target.byte_range()).unwrap_or_default() {
        "defmodule" => (found.kind, found.name) = (K::Module, Some(first)),
        "defprotocol" => (found.kind, found.name) = (K::Interface, Some(first)),
        "defimpl" => {
            let options = arguments.and_then(|arguments| child(arguments, "keywords"));
            let option = options.and_then(|options| options.named_child(0));
            let value = option.and_then(|option| option.child_by_field_name("value"));
            (found.kind, found.name) =
                (K::Implementation, value.filter(|one| one.kind() == "alias").or(Some(first)));
        }
        "def" | "defp" | "defn" | "defnp" | "defdelegate" => {
            found.name = head(text, first);
            found.body = found.body.or_else(|| arguments.and_then(|arguments| child(arguments, "keywords")));
        }
        "defmacro" | "defmacrop" | "defguard" | "defguardp" => {
            (found.kind, found.name) = (K::Macro, head(text, first));
        }
        "test" | "describe" | "property" | "feature" if first.kind() == "string" => {
            (found.kind, found.name) = (K::Test, Some(first));
            return found.body.is_some();
        }
        // A table of Ecto and its fields.
        "schema" if first.kind() == "string" && found.body.is_some() => {
            (found.kind, found.name) = (K::Table, Some(first));
        }
        word if FIELDS.contains(&word) && found.within == Some(K::Table) => {
            return atom(K::Field, first, found);
        }
        "Record.defrecord" | "Record.defrecordp" | "defrecord" | "defrecordp" => {
            return atom(K::Struct, first, found);
        }
        _ => return false,
    }
    found.name.is_some()
}

/// Words of Ecto that declare a field by their first argument.
const FIELDS: [&str; 7] =
    ["belongs_to", "embeds_many", "embeds_one", "field", "has_many", "has_one", "many_to_many"];

/// Names a declaration by an atom, without its colon.
fn atom<'tree>(kind: K, first: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let bytes = range(first);
    (found.kind, found.name) = (kind, Some(first));
    found.name_bytes = Some(ByteRange { start: bytes.start + 1, ..bytes });
    first.kind() == "atom"
}

/// Returns the number of parameters of a function's or macro's clause; `None` for anything else.
/// All clauses with one name and one number are one function.
fn arity(text: &str, node: Node<'_>) -> Option<usize> {
    const WORDS: [&str; 8] =
        ["def", "defguard", "defguardp", "defmacro", "defmacrop", "defn", "defnp", "defp"];
    let word = node.child_by_field_name("target").and_then(|word| text.get(word.byte_range()))?;
    let mut head = child(node, "arguments").filter(|_| WORDS.contains(&word))?.named_child(0)?;
    if head.kind() == "binary_operator" && head.child_by_field_name("operator")?.kind() == "when" {
        head = head.child_by_field_name("left")?;
    }
    match head.kind() {
        "identifier" => Some(0),
        "binary_operator" => Some(2),
        "call" => Some(child(head, "arguments").map_or(0, |all| all.named_child_count())),
        _ => None,
    }
}

/// Adds the reading of an attribute (`@limit`) and a function that is passed on (`&halt/1`).
fn prefixed<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let Some(operand) = node.child_by_field_name("operand") else { return };
    let operator = node.child(0).map(|sign| sign.kind());
    let (name, qualifier) = match (operator, operand.kind()) {
        (Some("@"), "identifier") => (operand, ATTRIBUTE_QUALIFIER),
        (Some("&"), "binary_operator") => {
            let Some(left) = operand.child_by_field_name("left") else { return };
            (left, "")
        }
        _ => return,
    };
    if name.kind() == "identifier" {
        found.push(named(text, name, ReferenceKind::Use, qualifier));
    }
}

/// Makes the mention of a name.
fn named<'t>(text: &'t str, name: Node<'_>, kind: ReferenceKind, qualifier: &'static str) -> Mention<'t> {
    let written = text.get(name.byte_range()).unwrap_or_default();
    Mention::new(offset(name.start_byte()), kind, written, Cow::Borrowed(qualifier))
}

/// Adds the call of a function without parentheses at the end of a pipe: `conn |> halt`.
fn piped<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let is_pipe = node.child_by_field_name("operator").is_some_and(|one| one.kind() == "|>");
    let right = node.child_by_field_name("right").filter(|right| is_pipe && right.kind() == "identifier");
    found.extend(right.map(|right| named(text, right, ReferenceKind::Call, "")));
}

/// Returns the name in `f(x) when …`, `f(x)`, `f` or `a <~> b`. `unquote(name)(x)` has none: the
/// name is known only when the macro runs.
fn head<'tree>(text: &str, node: Node<'tree>) -> Option<Node<'tree>> {
    let mut node = node;
    for _ in 0..4 {
        node = match node.kind() {
            "call" => {
                let target = node.child_by_field_name("target")?;
                if text.get(target.byte_range()) == Some("unquote") {
                    return None;
                }
                target
            }
            "identifier" => return Some(node),
            "binary_operator" => {
                let operator = node.child_by_field_name("operator")?;
                if operator.kind() != "when" {
                    return Some(operator);
                }
                node.child_by_field_name("left")?
            }
            _ => return None,
        };
    }
    None
}

/// Accepts `@type t :: …`, `@callback f(…) :: …` and `@limit 20`.
fn attribute<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(inner) = node.child_by_field_name("operand").filter(|inner| inner.kind() == "call") else {
        return false;
    };
    let name = inner.child_by_field_name("target");
    let first = child(inner, "arguments").and_then(|arguments| arguments.named_child(0));
    let (Some(name), Some(first)) = (name, first) else { return false };
    let is_attribute = node.child(0).is_some_and(|sign| sign.kind() == "@");
    let outer = matches!(found.around[0], "do_block" | "source");
    let left = || first.child_by_field_name("left").unwrap_or(first);
    match text.get(name.byte_range()).unwrap_or_default() {
        "type" | "typep" | "opaque" => (found.kind, found.name) = (K::Type, head(text, left())),
        "callback" | "macrocallback" => (found.kind, found.name) = (K::Method, head(text, left())),
        word if ATTRIBUTES.contains(&word) => return false,
        _ => found.name = Some(name),
    }
    is_attribute && outer && found.name.is_some()
}
