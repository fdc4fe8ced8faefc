//! CSS, and the style sheets of components, which may be SCSS.
//!
//! Rules and at-rules are named by their selector or query. There are no references but imports.

use crate::index::chunk::lines::offset;
use crate::index::chunk::node::range;
use crate::index::chunk::table::{
    DeclarationCandidate, DeclarationRule, Import, ImportedNameRule, Name, Table,
};
use crate::index::chunk::{ByteRange, DeclarationKind as K};
use tree_sitter::Node;

const AT_RULE: DeclarationRule =
    DeclarationRule::new("at_rule", K::Rule).name(Name::At(&["#0"])).body(&["@block"]).refine(query);

/// CSS's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        DeclarationRule::new("rule_set", K::Rule)
            .name(Name::At(&["@selectors"]))
            .body(&["@block"])
            .refine(selectors),
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
        "selectors",
        "string_value",
        "binary_query",
        "feature_query",
        "keyword_query",
        "parenthesized_query",
        "selector_query",
        "unary_query",
    ],
    ..Table::new(|| tree_sitter_css::LANGUAGE.into())
};

/// Keeps the colons that a selector begins with (`:root`), which are a mark of strings elsewhere.
fn selectors(text: &str, _: Node<'_>, found: &mut DeclarationCandidate<'_>) -> bool {
    let bytes = found.name.map(range).unwrap_or_default();
    if let Some(line) = bytes.of(text).lines().next().filter(|line| line.starts_with(':')) {
        let end = bytes.start + offset(line.trim_end().len());
        found.name_bytes = Some(ByteRange { end, ..bytes });
    }
    true
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
