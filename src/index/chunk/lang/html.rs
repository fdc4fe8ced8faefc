//! HTML.
//!
//! Elements with an id, headings, titles, and scripts and style sheets with text are declarations.
//! The targets of links are references.

use crate::index::chunk::mention::MAX_NAME;
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

/// Most nodes of a heading that are read.
const MAX_NODES: usize = 64;

/// Returns all text in an element, with characters in place of entities; `None` if there is none.
fn whole_text(text: &str, node: Node<'_>) -> Option<String> {
    let mut words = String::new();
    let mut cursor = node.walk();
    let (mut n_nodes, mut last_end) = (0, node.start_byte());
    'nodes: loop {
        n_nodes += 1;
        let (at, kind) = (cursor.node(), cursor.node().kind());
        if matches!(kind, "text" | "entity") {
            // White space between two nodes belongs to neither.
            let before = text.get(..at.start_byte()).unwrap_or_default();
            let behind = text.get(last_end..).unwrap_or_default();
            if before.ends_with(char::is_whitespace) || behind.starts_with(char::is_whitespace) {
                words.push(' ');
            }
            last_end = at.end_byte();
            words.push_str(text.get(at.byte_range()).unwrap_or_default());
        }
        let is_read = n_nodes < MAX_NODES && words.len() < MAX_NAME;
        if is_read && !matches!(kind, "start_tag" | "end_tag") && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                break 'nodes;
            }
        }
        if !is_read {
            break;
        }
    }
    let plain =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    let plain = plain.iter().fold(words, |words, (entity, sign)| words.replace(entity, sign));
    let words: Vec<&str> = plain.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns the value of the attribute `id` of a tag.
fn id<'tree>(text: &str, start: Node<'tree>) -> Option<Node<'tree>> {
    let mut cursor = start.walk();
    start.named_children(&mut cursor).find_map(|attribute| {
        let name = attribute.named_child(0).filter(|_| attribute.kind() == "attribute")?;
        let is_id = text.get(name.byte_range()).is_some_and(|name| name.eq_ignore_ascii_case("id"));
        attribute.named_child(1).filter(|_| is_id)
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
        found.whole_name = Some(whole_text);
        let is_template = |all: &str| all.starts_with("{{") && all.ends_with("}}");
        if whole_text(text, node).is_none_or(|all| is_template(&all))
            && let Some(id) = id(text, start)
        {
            (found.name, found.whole_name) = (Some(id), None);
        }
        return true;
    }
    let id = id(text, start);
    let is_code = node.kind() != "element";
    found.body = node.named_child(1).filter(|inner| inner.kind() != "end_tag");
    let has_text =
        found.body.and_then(|body| text.get(body.byte_range())).is_some_and(|code| !code.trim().is_empty());
    found.name = id.or(Some(tag).filter(|_| is_code && has_text));
    found.to_end = true;
    true
}
