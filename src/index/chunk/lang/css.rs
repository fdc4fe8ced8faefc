//! CSS, and the style sheets of components, which may be SCSS.
//!
//! Rules and at-rules are named by their selectors or their query. References are imports, the
//! custom properties in `var(--name)`, and the key frames that an animation names.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::node::range;
use crate::index::chunk::parts::MAX_PARTS;
use crate::index::chunk::resolve::step;
use crate::index::chunk::table::{
    DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, MentionRule, Name, Table,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

const AT_RULE: DeclarationRule =
    DeclarationRule::new("at_rule", K::Rule).name(Name::At(&["#0"])).body(&["@block"]).refine(query);

/// CSS's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("rule_set", K::Rule).parts(selectors).body(&["@block"]).refine(selector),
        DeclarationRule { node: "media_statement", ..AT_RULE },
        DeclarationRule { node: "supports_statement", ..AT_RULE },
        AT_RULE,
        DeclarationRule::new("keyframes_statement", K::Rule)
            .name(Name::At(&["@keyframes_name"]))
            .body(&["@keyframe_block_list"]),
        DeclarationRule::new("declaration", K::Variable)
            .name(Name::At(&["@property_name"]))
            .body(&["#1"])
            .refine(property),
    ],
    comments: &["comment", "js_comment"],
    heads: &["charset_statement", "namespace_statement"],
    imports: &[Import {
        names: &[ImportedNameRule::leaf("string_value"), ImportedNameRule::leaf("plain_value")],
        ..Import::new("import_statement", "")
    }],
    // A rule's name can span several lines and contain brackets, as strings do.
    strings: &[
        "string_value",
        "binary_query",
        "feature_query",
        "keyword_query",
        "parenthesized_query",
        "selector_query",
        "unary_query",
    ],
    mentions: &[
        MentionRule { node: "call_expression", read: custom_property },
        MentionRule { node: "declaration", read: key_frames },
    ],
    ..Table::new(|| tree_sitter_css::LANGUAGE.into())
};

/// Words of the property `animation` that are not the name of key frames.
const ANIMATION_WORDS: [&str; 20] = [
    "alternate",
    "alternate-reverse",
    "backwards",
    "both",
    "ease",
    "ease-in",
    "ease-in-out",
    "ease-out",
    "forwards",
    "infinite",
    "inherit",
    "initial",
    "linear",
    "none",
    "normal",
    "paused",
    "reverse",
    "running",
    "step-end",
    "unset",
];

/// Returns whether a property names key frames, and a word of its value can be their name.
pub(in crate::index::chunk) fn names_key_frames(property: &str, word: &str) -> bool {
    let plain =
        property.strip_prefix('-').and_then(|rest| rest.split_once('-')).map_or(property, |one| one.1);
    matches!(plain, "animation" | "animation-name")
        && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
        && !ANIMATION_WORDS.contains(&word)
}

/// Returns the selectors of a rule.
fn selectors(rule: Node<'_>) -> Vec<Node<'_>> {
    let Some(list) = step(rule, "@selectors") else { return Vec::new() };
    let mut cursor = list.walk();
    let is_selector = |one: &Node<'_>| !matches!(one.kind(), "comment" | "js_comment" | "ERROR");
    list.named_children(&mut cursor).filter(is_selector).take(MAX_PARTS).collect()
}

/// Names a rule by the first line of a selector.
fn selector(text: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let bytes = range(found.part);
    let line = bytes.of(text).lines().next().unwrap_or_default().trim_end();
    found.name_bytes = Some(ByteRange { end: bytes.start + offset(line.len()), ..bytes });
    true
}

/// Adds the custom property that `var(--name)` reads.
fn custom_property<'t>(text: &'t str, call: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let is_var = call.named_child(0).is_some_and(|name| written(name) == "var");
    let first = step(call, "@arguments").filter(|_| is_var).and_then(|all| all.named_child(0));
    if let Some((node, name)) = first.map(|node| (node, written(node)))
        && name.starts_with("--")
    {
        let at = offset(node.start_byte());
        found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed("")));
    }
}

/// Adds the key frames that the property `animation` names.
fn key_frames<'t>(text: &'t str, declaration: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let written = |node: Node<'_>| text.get(node.byte_range()).unwrap_or_default();
    let property = declaration.named_child(0).map(written).unwrap_or_default();
    if !property.contains("animation") {
        return;
    }
    let mut cursor = declaration.walk();
    for value in declaration.named_children(&mut cursor).skip(1).take(MAX_PARTS) {
        let word = written(value);
        if value.kind() == "plain_value" && names_key_frames(property, word) {
            let at = offset(value.start_byte());
            found.push(Mention::new(at, ReferenceKind::Use, word, Cow::Borrowed("")));
        }
    }
}

/// Names `@layer base {…}` by the text after the word, and also SCSS's `@mixin base(…) {…}`, which
/// is broken CSS.
fn query<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let mut cursor = node.walk();
    let query = node.named_children(&mut cursor).find(|child| child.kind().ends_with("_query"));
    found.name = query.or(found.name);
    let written = text.get(node.byte_range()).unwrap_or_default();
    let is_scss = written.starts_with("@mixin") || written.starts_with("@function");
    found.body.is_some() || (query.is_some() && is_scss)
}

/// Accepts custom properties and SCSS's variables.
fn property(text: &str, node: Node<'_>, _: &mut DeclarationCandidate<'_>) -> bool {
    text.get(node.byte_range()).is_some_and(|text| text.starts_with("--") || text.starts_with('$'))
}
