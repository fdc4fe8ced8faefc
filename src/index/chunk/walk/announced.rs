//! Names that refer to nothing elsewhere: `class Shop;` of C++ announces a type, `template <class
//! Shop>` or `function f<Shop>()` declares one for what follows, `<shop>` is an element of HTML.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use tree_sitter::Node;

use super::Walk;
use super::mention::Mention;
use super::type_path;
use crate::index::chunk::lines::offset;
use crate::index::chunk::{ByteRange, ReferenceKind};

/// The kinds of nodes that name a type behind a keyword, and may declare it.
const SPECIFIERS: [&str; 4] = ["class_specifier", "enum_specifier", "struct_specifier", "union_specifier"];

/// The names in a text.
#[derive(Debug, Default)]
pub(in crate::index::chunk) struct AnnouncedTypes<'t> {
    /// The offsets of names of types that are announced.
    ahead: HashSet<u32>,
    /// Where a type parameter hides a type.
    hidden: HashMap<&'t str, Vec<ByteRange>>,
}

impl<'t> AnnouncedTypes<'t> {
    /// Notes a type that is only announced, from a node of a kind. A statement that is one begins
    /// its line.
    pub(super) fn note(&mut self, text: &str, node: Node<'_>, kind: &str) {
        if !SPECIFIERS.contains(&kind) || node.child_by_field_name("body").is_some() {
            return;
        }
        let is_blank = |c: char| c.is_whitespace() && c != '\n';
        let before = text.get(..node.start_byte()).unwrap_or_default().trim_end_matches(is_blank);
        let behind = text.get(node.end_byte()..).unwrap_or_default().trim_start();
        if (before.is_empty() || before.ends_with('\n')) && behind.starts_with(';') {
            self.ahead.extend(node.child_by_field_name("name").map(|name| offset(name.start_byte())));
        }
    }

    /// Notes a type parameter.
    pub(in crate::index::chunk) fn hide(&mut self, name: &'t str, template: ByteRange) {
        // One inside of another adds nothing. So they are in order, and none overlaps the next.
        let templates = self.hidden.entry(name).or_default();
        while templates.last().is_some_and(|last| template.start <= last.start) {
            templates.pop();
        }
        if templates.last().is_none_or(|last| last.end <= template.start) {
            templates.push(template);
        }
    }

    /// Drops the mentions that are such names. `has_paths`: also gives each other type the path
    /// that the text has in front of it.
    pub(super) fn apply(&self, text: &'t str, has_paths: bool, mentions: &mut Vec<Mention<'t>>) {
        let is_type = |one: &Mention<'t>| one.kind == ReferenceKind::Type && one.qualifier.is_empty();
        for one in mentions.iter_mut().filter(|one| has_paths && is_type(one)) {
            one.qualifier = Cow::Owned(type_path::before(text, one.name_at as usize));
        }
        mentions.retain(|one| !self.has(one));
    }

    /// Returns whether a mention is such a name.
    fn has(&self, one: &Mention<'_>) -> bool {
        if !matches!(one.kind, ReferenceKind::Type | ReferenceKind::Inherits) || !one.qualifier.is_empty() {
            return false;
        }
        let is_within = |templates: &Vec<ByteRange>| {
            let last = templates.partition_point(|template| template.start <= one.at).checked_sub(1);
            last.and_then(|at| templates.get(at)).is_some_and(|template| template.contains(one.at))
        };
        self.ahead.contains(&one.at) || self.hidden.get(&*one.name).is_some_and(is_within)
    }
}

impl Walk<'_> {
    /// Returns the bytes of the template, type or function that has the current node as a type
    /// parameter, or as a constraint of one.
    pub(in crate::index::chunk) fn generic_around(&self) -> Option<ByteRange> {
        let [list, of] = self.around();
        let is_parameter = list.starts_with("type_parameter")
            || of == "template_declaration"
            || matches!(list, "where_clause" | "type_constraints");
        self.ranges.iter().nth_back(1).copied().filter(|_| is_parameter)
    }

    /// Returns whether a leaf names an element of HTML: `<a>` in JSX, where `<A>` is a function.
    pub(super) fn is_element_of_html(&self, name: &str) -> bool {
        name.starts_with(char::is_lowercase)
            && self.resolved.has_elements
            && matches!(
                self.around(),
                ["jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element", _]
            )
    }
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, ReferenceKind, chunk};

    /// The types that a text mentions.
    fn types(language: &str, text: &str) -> Vec<String> {
        let file = chunk(Language::from_name(language).unwrap(), text, &ChunkOptions::default());
        let is_type = |kind| kind == ReferenceKind::Type;
        let types = file.references.iter().filter(|one| is_type(one.kind));
        types.map(|one| one.name.clone()).collect()
    }

    #[test]
    fn a_type_that_is_only_announced_is_not_mentioned() {
        for (language, text, expected) in [
            ("cpp", "namespace shop {\nclass Cart;\nstruct Item;\n}\nCart* cart;\n", &["Cart"][..]),
            ("cpp", "class Shop {\n  class Cart;\n  Cart* cart;\n};\n", &["Cart"]),
            ("c", "struct cart;\nstruct cart *first;\n", &["cart"]),
            (
                "cpp",
                "template <typename Key, class Item>\nvoid f(Item* a, Cart b);\nItem* c;\n",
                &["Cart", "Item"],
            ),
        ] {
            assert_eq!(types(language, text), expected, "{text}");
        }
    }
}
