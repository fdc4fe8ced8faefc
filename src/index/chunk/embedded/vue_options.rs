//! Members of a component of Vue that its options list: `export default { props, data, computed,
//! methods }` → declarations, and the uses of them in the template.
//!
//! A template names the members of its component without `this`. The walk already declares the
//! methods that are written in several lines; this part adds the other members. They belong to the
//! component, so they have no owner: the options around them are not declared.

use super::markup::Markup;
use crate::index::chunk::embedded::declaration_order::in_order;
use crate::index::chunk::lines::{Lines, offset};
use crate::index::chunk::mention::{MAX_NAME, Mention};
use crate::index::chunk::node::range;
use crate::index::chunk::walk_result::WalkResult;
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, ReferenceKind};
use std::borrow::Cow;
use std::collections::HashSet;
use tree_sitter::{Node, Tree};

/// Most members of a component; a longer list is data.
const MAX_MEMBERS: usize = 1000;

/// Functions whose argument is the options of a component.
const DEFINING: [&str; 3] = ["defineComponent", "defineNuxtComponent", "Vue.extend"];

/// A member that the options of a component list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    name: ByteRange,
    /// All of it, with its value.
    bytes: ByteRange,
    kind: DeclarationKind,
}

/// Returns the members that the options in a script list, in order.
pub(super) fn members(tree: &Tree, text: &str) -> Vec<Member> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    let root = tree.root_node();
    let options = root.children(&mut cursor).find_map(|statement| exported_options(statement, text));
    let Some(options) = options else { return found };
    let mut cursor = options.walk();
    for option in options.named_children(&mut cursor) {
        let Some(name) = option.child_by_field_name(if option.kind() == "pair" { "key" } else { "name" })
        else {
            continue;
        };
        match text.get(name.byte_range()).unwrap_or_default() {
            "props" | "inject" => add_names(option.child_by_field_name("value"), text, &mut found),
            "data" => add_names(returned(option), text, &mut found),
            "computed" | "methods" => add_functions(option.child_by_field_name("value"), text, &mut found),
            _ => {}
        }
    }
    found.truncate(MAX_MEMBERS);
    found
}

/// Returns the object of options that a statement exports by default.
fn exported_options<'tree>(statement: Node<'tree>, text: &str) -> Option<Node<'tree>> {
    let value = statement.child_by_field_name("value").filter(|_| statement.kind() == "export_statement")?;
    match value.kind() {
        "object" => Some(value),
        "call_expression" => {
            let function = value.child_by_field_name("function")?;
            let is_defining = DEFINING.contains(&text.get(function.byte_range())?);
            let first = value.child_by_field_name("arguments").filter(|_| is_defining)?.named_child(0)?;
            (first.kind() == "object").then_some(first)
        }
        _ => None,
    }
}

/// Returns the object that the option `data` gives its component.
fn returned(option: Node<'_>) -> Option<Node<'_>> {
    let value = option.child_by_field_name("value").unwrap_or(option);
    if value.kind() == "object" {
        return Some(value);
    }
    let body = inner(value.child_by_field_name("body")?)?;
    if body.kind() == "object" {
        return Some(body);
    }
    let mut cursor = body.walk();
    let last = body.named_children(&mut cursor).filter(|one| one.kind() == "return_statement").last()?;
    inner(last.named_child(0)?).filter(|value| value.kind() == "object")
}

/// Returns an expression without the parentheses around it.
fn inner(node: Node<'_>) -> Option<Node<'_>> {
    if node.kind() == "parenthesized_expression" { node.named_child(0) } else { Some(node) }
}

/// Adds the keys of an object, or the texts in a list.
fn add_names(list: Option<Node<'_>>, text: &str, found: &mut Vec<Member>) {
    let Some(list) = list.filter(|list| matches!(list.kind(), "object" | "array")) else { return };
    let mut cursor = list.walk();
    for one in list.named_children(&mut cursor) {
        let name = match one.kind() {
            "pair" => one.child_by_field_name("key"),
            "string" | "shorthand_property_identifier" => Some(one),
            _ => None,
        };
        found.extend(name.and_then(|name| member(name, one, DeclarationKind::Field, text)));
    }
}

/// Adds the functions of an object, and the computed values with a getter.
fn add_functions(list: Option<Node<'_>>, text: &str, found: &mut Vec<Member>) {
    let Some(list) = list.filter(|list| list.kind() == "object") else { return };
    let mut cursor = list.walk();
    for one in list.named_children(&mut cursor) {
        let name = match one.kind() {
            "pair" => one.child_by_field_name("key"),
            "method_definition" => one.child_by_field_name("name"),
            _ => None,
        };
        found.extend(name.and_then(|name| member(name, one, DeclarationKind::Method, text)));
    }
}

fn member(name: Node<'_>, all: Node<'_>, kind: DeclarationKind, text: &str) -> Option<Member> {
    let mut bytes = range(name);
    if name.kind() == "string" {
        (bytes.start, bytes.end) = (bytes.start + 1, bytes.end.saturating_sub(1));
    }
    let written = bytes.of(text);
    let is_name = written.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
    let fits = !written.is_empty() && written.len() <= MAX_NAME;
    (is_name && fits).then(|| Member { name: bytes, bytes: range(all), kind })
}

/// Adds the members that the walk does not declare, and the uses of members in the template. The
/// walk is complete, and `blocks` are its scripts.
pub(super) fn add<'t>(
    walked: &mut WalkResult<'t>,
    members: &[Member],
    blocks: &[ByteRange],
    markup: &Markup,
    lines: &'t Lines<'t>,
) {
    if members.is_empty() {
        return;
    }
    let text = lines.text();
    let names: HashSet<&str> = members.iter().map(|one| one.name.of(text)).collect();
    let is_script = |at: u32| blocks.iter().any(|block| block.contains(at));
    let new_names: HashSet<u32> = walked.bound.iter().filter_map(|one| one.new_name(false)).collect();
    let template = || walked.leaves.iter().filter(|leaf| !leaf.is_member && !is_script(leaf.at));
    let mut hidden: HashSet<&str> = markup.bound.iter().flat_map(|one| words(one.of(text))).collect();
    hidden.extend(template().filter(|leaf| new_names.contains(&leaf.at)).map(|leaf| leaf.name));
    let known: HashSet<(u32, &str)> = walked.mentions.iter().map(|one| (one.name_at, &*one.name)).collect();
    let is_use =
        |at: u32, name: &str| names.contains(name) && !hidden.contains(name) && !known.contains(&(at, name));
    let uses = template().filter(|leaf| is_use(leaf.at, leaf.name));
    let uses: Vec<_> =
        uses.map(|leaf| Mention::new(leaf.at, ReferenceKind::Use, leaf.name, Cow::Borrowed(""))).collect();
    walked.mentions.extend(uses);
    drop_options(walked, members);
    let declared: HashSet<(u32, String)> =
        walked.declarations.iter().map(|one| (one.name_line, one.name.clone())).collect();
    for one in members {
        let (name, name_line) = (one.name.of(text), lines.of(one.name.start) + 1);
        if declared.contains(&(name_line, name.to_owned())) {
            continue;
        }
        let first_line = one.bytes.of(text).lines().next().unwrap_or_default().trim_end();
        walked.declarations.push(Declaration {
            name: name.to_owned(),
            scope: String::new(),
            kind: one.kind,
            parent: None,
            span: lines.span(one.bytes),
            name_line,
            signature: ByteRange { end: one.bytes.start + offset(first_line.len()), ..one.bytes },
            body: ByteRange::default(),
            doc: ByteRange::default(),
        });
    }
}

/// Drops the options that are only around members: `methods` and `computed`.
fn drop_options(walked: &mut WalkResult<'_>, members: &[Member]) {
    let starts: HashSet<u32> = members.iter().map(|one| one.bytes.start).collect();
    let options: HashSet<u32> = (0..)
        .zip(&walked.declarations)
        .filter(|(_, one)| starts.contains(&one.signature.start))
        .filter_map(|(_, one)| one.parent)
        .collect();
    let is_option = |at: u32| {
        let one = walked.declarations.get(at as usize);
        options.contains(&at)
            && one.is_some_and(|one| one.parent.is_none() && matches!(&*one.name, "computed" | "methods"))
    };
    let dropped: HashSet<u32> = options.iter().copied().filter(|at| is_option(*at)).collect();
    for one in &mut walked.declarations {
        one.parent = one.parent.filter(|parent| !dropped.contains(parent));
    }
    let (declarations, places) = in_order(&walked.declarations, |at| !dropped.contains(&offset(at)));
    walked.declarations = declarations;
    let moved = |at: u32| places.get(at as usize).copied().flatten();
    walked.mentions.iter_mut().for_each(|one| one.within = one.within.and_then(moved));
    walked.leaves.iter_mut().for_each(|one| one.within = one.within.and_then(moved));
}

/// Returns the names in a pattern.
fn words(pattern: &str) -> impl Iterator<Item = &str> {
    pattern.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '$'))).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, ReferenceKind, chunk};

    #[test]
    fn templates_use_the_members_that_options_list() {
        let script = "export default {\n  props: { label: String },\n  data() {\n    return { count: 0, item: 1 }\n  },\n  \
                      computed: { total() { return this.count }, twice: () => 2 },\n  methods: {\n    save() { return 1 },\n  },\n}\n";
        let template = "<template>\n<p @click=\"save\" v-for=\"item in list\">{{ total + count }} {{ item.label }}</p>\n\
                        <b :a=\"twice\" @b=\"(label) => other(label)\"/>\n</template>\n";
        let text = format!("{template}<script>\n{script}</script>\n");
        let file = chunk(Language::from_name("vue").unwrap(), &text, &ChunkOptions::default());
        let declared: Vec<_> = file.declarations.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(declared, ["label", "data", "count", "item", "total", "twice", "save"]);
        let uses = file
            .references
            .iter()
            .filter(|one| one.kind == ReferenceKind::Use && one.qualifier.is_empty() && one.alias.is_empty());
        let mut uses: Vec<_> = uses.map(|one| one.name.as_str()).collect();
        uses.sort_unstable();
        // A name that the template binds itself may hide the member.
        assert_eq!(uses, ["count", "save", "total", "twice"]);
    }
}
