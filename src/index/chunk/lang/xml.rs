//! XML by its elements.
//!
//! An element is declared by what names it: an attribute `name` or `id`, or a child that does the
//! same (Maven's `artifactId`). Projects of .NET, beans of Spring and messages of any kind have
//! that form. A section of a manual in DocBook or DITA is declared by its title. Two kinds of files
//! have references: resources of Android are variables (`@string/title`), and a project of Maven is
//! a module that other projects depend on.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::table::{DeclarationCandidate, DeclarationRule, MentionRule, Name, Scope, Table};
use crate::index::chunk::{ChunkKind, DeclarationKind as K, ReferenceKind};
use std::borrow::Cow;
use tree_sitter::Node;

/// Attributes that name an element, best first.
const NAMES: [&str; 9] =
    ["name", "id", "android:name", "android:id", "x:Name", "x:Key", "Name", "Include", "key"];

/// Elements that name the element around them.
const CHILDREN: [&str; 4] = ["artifactId", "id", "name", "key"];

/// Elements of Android's resources that a reference can mean.
const RESOURCES: [&str; 13] = [
    "array",
    "attr",
    "bool",
    "color",
    "declare-styleable",
    "dimen",
    "drawable",
    "integer",
    "item",
    "plurals",
    "string",
    "string-array",
    "style",
];

/// Sections of manuals in DocBook and DITA, which are named by their titles.
const SECTIONS: [&str; 16] = [
    "appendix",
    "chapter",
    "concept",
    "preface",
    "refsect1",
    "refsect2",
    "refsect3",
    "refsection",
    "sect1",
    "sect2",
    "sect3",
    "sect4",
    "sect5",
    "section",
    "simplesect",
    "topic",
];

/// Elements of Maven that name a project elsewhere.
const DEPENDENCIES: [&str; 5] = ["dependency", "exclusion", "extension", "parent", "plugin"];

/// Children of an element that are searched for a name.
const MAX_CHILDREN: usize = 24;

/// Deepest nesting of elements that are declared.
const MAX_LEVELS: usize = 12;

/// XML's table.
pub(super) static TABLE: Table = Table {
    declarations: &[DeclarationRule::new("element", K::Element)
        .name(Name::Refined)
        .body(&["@content"])
        .scope(Scope::Levels(MAX_LEVELS))
        .refine(element)],
    comments: &["Comment"],
    heads: &["prolog", "XMLDecl", "doctypedecl"],
    strings: &["AttValue"],
    names: &["CharData"],
    mentions: &[
        MentionRule { node: "AttValue", read: value },
        MentionRule { node: "CharData", read: value },
        MentionRule { node: "element", read: dependency },
    ],
    chunks: Some(ChunkKind::Data),
    ..Table::new(|| tree_sitter_xml::LANGUAGE_XML.into())
};

/// Returns the word of an element's tag.
fn tag_of<'t>(text: &'t str, element: Node<'_>) -> &'t str {
    let name = element.named_child(0).and_then(|tag| tag.named_child(0));
    name.and_then(|name| text.get(name.byte_range())).unwrap_or_default()
}

/// Returns the text of the first child element with one of these tags.
fn child<'tree>(text: &str, element: Node<'tree>, tags: &[&str]) -> Option<Node<'tree>> {
    let content = element.named_child(1).filter(|content| content.kind() == "content")?;
    let mut cursor = content.walk();
    let children = content.named_children(&mut cursor).filter(|one| one.kind() == "element");
    children.take(MAX_CHILDREN).find_map(|child| {
        let inner = child.named_child(1).filter(|_| tags.contains(&tag_of(text, child)))?;
        let only = inner.named_child(0).filter(|_| inner.named_child_count() == 1)?;
        (only.kind() == "CharData").then_some(only)
    })
}

/// Names an element by an attribute or a child.
fn element<'tree>(text: &str, node: Node<'tree>, found: &mut DeclarationCandidate<'tree>) -> bool {
    let Some(tag) = node.named_child(0) else { return false };
    let word = tag_of(text, node);
    if DEPENDENCIES.contains(&word) {
        return false;
    }
    let mut cursor = tag.walk();
    let attributes: Vec<Node<'tree>> =
        tag.named_children(&mut cursor).filter(|one| one.kind() == "Attribute").take(MAX_CHILDREN).collect();
    let named = |expected: &str| {
        attributes.iter().find_map(|one| {
            let name = one.named_child(0)?;
            (text.get(name.byte_range()) == Some(expected)).then(|| one.named_child(1)).flatten()
        })
    };
    found.to_end = true;
    if let Some(title) = SECTIONS.contains(&word).then(|| child(text, node, &["title"])).flatten()
        && is_name(text, title)
    {
        found.kind = K::Section;
        found.name = Some(title);
        return true;
    }
    found.name = NAMES.iter().find_map(|name| named(name)).or_else(|| child(text, node, &CHILDREN));
    if word == "project" {
        found.kind = K::Module;
    } else if RESOURCES.contains(&word) {
        found.kind = K::Variable;
    }
    found.name.is_some_and(|name| is_name(text, name))
}

/// Returns whether the text of a node can be a name: one line that is not empty.
fn is_name(text: &str, node: Node<'_>) -> bool {
    let written = text.get(node.byte_range()).unwrap_or_default().trim_matches(['"', '\'']).trim();
    !written.is_empty() && !written.contains('\n')
}

/// Adds the project of Maven that an element depends on.
fn dependency<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    if !DEPENDENCIES.contains(&tag_of(text, node)) {
        return;
    }
    let Some(name) = child(text, node, &["artifactId"]) else { return };
    let written = text.get(name.byte_range()).unwrap_or_default().trim();
    if !written.is_empty() && !written.contains("${") {
        let at = offset(name.start_byte());
        found.push(Mention::new(at, ReferenceKind::Type, written, Cow::Borrowed("")));
    }
}

/// Adds what a value refers to: a resource of Android, or another property (`${version}`).
fn value<'t>(text: &'t str, node: Node<'_>, found: &mut Vec<Mention<'t>>) {
    let bytes = node.byte_range();
    let written = text.get(bytes.clone()).unwrap_or_default();
    let inner = written.trim_matches(|c: char| matches!(c, '"' | '\'') || c.is_whitespace());
    if inner.len() > 200 || inner.is_empty() {
        return;
    }
    let start = bytes.start + written.find(inner).unwrap_or_default();
    let rest = inner.strip_prefix("@+").or_else(|| inner.strip_prefix('@'));
    if let Some((of, name)) = rest.and_then(|rest| rest.split_once('/')) {
        let is_resource = of.chars().all(|c| c.is_alphanumeric() || matches!(c, ':' | '_'));
        let at = offset(start + inner.len() - name.len());
        if is_resource && !name.is_empty() && !inner.starts_with("@+") {
            found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed(of)));
        }
        return;
    }
    if let Some(name) = inner.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) {
        let at = offset(start + 2);
        found.push(Mention::new(at, ReferenceKind::Use, name, Cow::Borrowed("")));
    }
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, DeclarationKind, Language, chunk};

    #[test]
    fn a_section_of_a_manual_is_declared_by_its_title() {
        let text = "<?xml version=\"1.0\"?>\n<refentry id=\"broker.conf\">\n<refsect1 id=\"b\">\n\
                    <title>Bridges</title>\n<para>Two brokers.</para>\n</refsect1>\n<refsect1 id=\"c\">\n\
                    <title>See <option>also</option></title>\n</refsect1>\n</refentry>\n";
        let language = Language::from_name("xml").unwrap();
        let found = chunk(language, text, &ChunkOptions::default());
        let declared: Vec<(DeclarationKind, &str)> =
            found.declarations.iter().map(|one| (one.kind, one.name.as_ref())).collect();
        // A title with markup does not name its section.
        assert_eq!(
            declared,
            [
                (DeclarationKind::Element, "broker.conf"),
                (DeclarationKind::Section, "Bridges"),
                (DeclarationKind::Element, "c"),
            ]
        );
    }
}
