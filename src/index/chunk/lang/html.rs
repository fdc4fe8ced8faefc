//! HTML.
//!
//! Elements with an id, headings, titles, and scripts and style sheets with text are declarations.
//! The targets of links are references.

use crate::index::chunk::table::{DeclarationCandidate, DeclarationRule, Meaning, Name, Path, Region, Table};
use crate::index::chunk::{DeclarationKind as K, ReferenceKind};
use tree_sitter::Node;

const ELEMENT: DeclarationRule =
    DeclarationRule::new("element", K::Element).name(Name::Refined).body(&[]).refine(element);

/// HTML's table.
pub(super) static TABLE: Table = Table {
    declarations: &[
        ELEMENT,
        DeclarationRule { node: "script_element", ..ELEMENT },
        DeclarationRule { node: "style_element", ..ELEMENT },
    ],
    heads: &["doctype"],
    paths: &[Path::new("quoted_attribute_value", "", "#0")],
    regions: &[
        Region::new("attribute", Meaning::Refers(ReferenceKind::Link)).words(&["href", "src", "action"])
    ],
    names: &["attribute_value"],
    strings: &["text", "attribute_value"],
    ..Table::new(|| tree_sitter_html::LANGUAGE.into())
};

/// Returns the first text in an element.
fn first_text(node: Node<'_>, nesting: u32) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).find_map(|child| match child.kind() {
        "text" => Some(child),
        "element" if nesting < 4 => first_text(child, nesting + 1),
        _ => None,
    })
}

fn element<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(start) =
        node.named_child(0).filter(|start| matches!(start.kind(), "start_tag" | "self_closing_tag"))
    else {
        return false;
    };
    let Some(tag) = start.named_child(0) else { return false };
    let tag_name = text.get(tag.byte_range()).unwrap_or_default();
    let is_heading = matches!(tag_name.as_bytes(), [b'h' | b'H', b'1'..=b'6']);
    if is_heading || tag_name.eq_ignore_ascii_case("title") {
        found.name = first_text(node, 0);
        return true;
    }
    let mut cursor = start.walk();
    let id = start.named_children(&mut cursor).find_map(|attribute| {
        let name = attribute.named_child(0).filter(|_| attribute.kind() == "attribute")?;
        let is_id = text.get(name.byte_range()).is_some_and(|name| name.eq_ignore_ascii_case("id"));
        attribute.named_child(1).filter(|_| is_id)
    });
    let is_code = node.kind() != "element";
    found.body = node.named_child(1).filter(|inner| inner.kind() != "end_tag");
    let has_text =
        found.body.and_then(|body| text.get(body.byte_range())).is_some_and(|code| !code.trim().is_empty());
    found.name = id.or(Some(tag).filter(|_| is_code && has_text));
    found.to_end = true;
    true
}
