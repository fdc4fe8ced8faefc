//! Items in the macros of Rust: `cfg_rt! { pub fn spawn() {} }` → declarations and references.
//!
//! The grammar reads the tokens of a macro, and not their meaning. Many macros only wrap items:
//! `cfg_if!`, `lazy_static!`, `thread_local!`. So tokens that can be parsed as items, without an
//! error, are items. All other tokens stay what they are.

use super::atom::Atom;
use super::container::{append_inside, outside};
use super::declare::is_type;
use super::embedded::declaration_order::around;
use super::lines::{Lines, offset};
use super::node::range;
use super::parse::{self, Budget};
use super::resolve::ResolvedTable;
use super::walk;
use super::walk_result::WalkResult;
use super::{ByteRange, Declaration, DeclarationKind, Language};
use std::borrow::Cow;
use tree_sitter::{Node, Tree};

/// How deeply macros can be in macros: `cfg_if!` in `cfg_rt!`.
const MAX_DEPTH: usize = 3;

/// Words, one of which items have.
const WORDS: [&str; 11] =
    ["const ", "enum ", "fn ", "impl ", "impl<", "mod ", "static ", "struct ", "trait ", "type ", "use "];

/// Tokens of a macro that may be items.
struct Block {
    bytes: ByteRange,
    /// The declaration around.
    parent: Option<u32>,
}

/// Adds the items in macros to a walk that is not complete yet. Returns whether there are any. The
/// declarations are then not in order.
pub(super) fn add<'t>(
    language: Language,
    resolved: &'static ResolvedTable,
    tree: &Tree,
    lines: &'t Lines<'t>,
    limit: u32,
    host: &mut WalkResult<'t>,
) -> bool {
    let n_own = host.declarations.len();
    let mut budget = Budget::default();
    let mut blocks = blocks(tree, lines.text(), &host.declarations, &|own| own);
    for _ in 0..MAX_DEPTH {
        let mut next = Vec::new();
        let mut found = Vec::new();
        let mut by = offset(host.declarations.len());
        for block in blocks {
            let Some(tree) = parse_items(language, lines, block.bytes, &mut budget) else { continue };
            let walked = walk::walk(language, resolved, &tree, lines, limit);
            let own = |at: Option<u32>| at.map(|at| at + by).or(block.parent);
            next.extend(self::blocks(&tree, lines.text(), &walked.declarations, &own));
            by += offset(walked.declarations.len());
            found.push((block, walked));
        }
        merge(host, found, lines.text());
        blocks = next;
    }
    host.declarations.len() > n_own
}

/// Replaces what the host found in some blocks, which are in order.
fn merge<'t>(host: &mut WalkResult<'t>, found: Vec<(Block, WalkResult<'t>)>, text: &str) {
    if found.is_empty() {
        return;
    }
    let blocks: Vec<ByteRange> = found.iter().map(|(block, _)| block.bytes).collect();
    let is_outside = |at: u32| {
        let after = blocks.partition_point(|block| block.start <= at);
        !after.checked_sub(1).and_then(|last| blocks.get(last)).is_some_and(|block| block.contains(at))
    };
    host.mentions.retain(|one| is_outside(one.at));
    host.leaves.retain(|one| is_outside(one.at));
    host.strings.retain(|one| is_outside(one.bytes.start));
    let met = |atom: &Atom| {
        let from = blocks.partition_point(|block| block.end <= atom.bytes.start);
        let to = blocks.partition_point(|block| block.start < atom.bytes.end);
        blocks.get(from..to).unwrap_or_default()
    };
    host.atoms = host.atoms.iter().flat_map(|atom| outside(*atom, met(atom), text)).collect();
    for (block, walked) in found {
        let from = host.declarations.len();
        append_inside(host, walked, |_| block.parent);
        let around = block.parent.and_then(|parent| host.declarations.get(parent as usize));
        if around.is_none_or(|around| !is_type(around.kind)) {
            continue;
        }
        let members = host.declarations.iter_mut().skip(from).filter(|one| one.parent == block.parent);
        for one in members.filter(|one| one.kind == DeclarationKind::Function) {
            one.kind = DeclarationKind::Method;
        }
    }
    host.atoms.sort_by_key(|atom| atom.bytes.start);
    host.comments.sort_unstable();
    host.comments.dedup_by(|next, kept| next.start < kept.end);
}

/// Returns the tokens of all macros among the items of a tree, in order. `declarations` are those
/// of the tree, and `own` makes the parent of a block from the index of one.
fn blocks(
    tree: &Tree,
    text: &str,
    declarations: &[Declaration],
    own: &dyn Fn(Option<u32>) -> Option<u32>,
) -> Vec<Block> {
    let mut all: Vec<ByteRange> = Vec::new();
    let mut lists = vec![tree.root_node()];
    while let Some(list) = lists.pop() {
        let mut cursor = list.walk();
        for item in list.named_children(&mut cursor) {
            match item.kind() {
                "impl_item" | "mod_item" | "trait_item" => lists.extend(item.child_by_field_name("body")),
                "macro_invocation" => groups(item, text, &mut all),
                "expression_statement" => {
                    let inner = item.named_child(0).filter(|one| one.kind() == "macro_invocation");
                    if let Some(inner) = inner {
                        groups(inner, text, &mut all);
                    }
                }
                _ => {}
            }
        }
    }
    all.sort_unstable();
    all.into_iter().map(|bytes| Block { bytes, parent: own(around(declarations, bytes, |_| true)) }).collect()
}

/// Adds the tokens between the braces of a macro; of `cfg_if!`, those of each branch.
fn groups(invocation: Node<'_>, text: &str, all: &mut Vec<ByteRange>) {
    let mut cursor = invocation.walk();
    let Some(tokens) = invocation.named_children(&mut cursor).find(|child| child.kind() == "token_tree")
    else {
        return;
    };
    let inside = |node: Node<'_>| {
        let bytes = range(node);
        ByteRange { start: bytes.start + 1, end: bytes.end.saturating_sub(1).max(bytes.start + 1) }
    };
    let written = inside(tokens).of(text);
    if !WORDS.iter().any(|word| written.contains(word)) {
        return;
    }
    if !written.trim_start().starts_with("if ") {
        all.push(inside(tokens));
        return;
    }
    let mut cursor = tokens.walk();
    let branches = tokens.named_children(&mut cursor).filter(|child| range(*child).of(text).starts_with('{'));
    all.extend(branches.map(inside));
}

/// Parses tokens. `None` if they are not items.
fn parse_items(language: Language, lines: &Lines<'_>, block: ByteRange, budget: &mut Budget) -> Option<Tree> {
    let written = block.of(lines.text());
    if !parse::is_parseable(written) {
        return None;
    }
    let seen = with_plain_items(written);
    let tree = parse::parse_masked(language, lines, &[block], Some(seen.as_bytes()), budget)?;
    are_items(tree.root_node()).then_some(tree)
}

/// Returns whether all nodes of a text are items or comments, and at least one is an item.
fn are_items(root: Node<'_>) -> bool {
    let mut has_item = false;
    let mut cursor = root.walk();
    for item in root.named_children(&mut cursor) {
        let is_item = item.kind().ends_with("_item") || item.kind() == "use_declaration";
        has_item |= is_item && !item.kind().starts_with("attribute");
        let is_other = matches!(
            item.kind(),
            "block_comment" | "empty_statement" | "line_comment" | "macro_definition" | "macro_invocation"
        );
        // The last item of `thread_local!` needs no semicolon.
        let last = item.child_count().checked_sub(1).and_then(|at| item.child(at));
        let is_whole = !item.has_error() || last.is_some_and(|last| last.is_missing());
        if !is_whole || !(is_item || is_other) {
            return false;
        }
    }
    has_item
}

/// Returns a text of the same length in which three forms of items are plain: `static ref A: …` of
/// `lazy_static!`, `struct A: u32 {…}` of `bitflags!`, and `fn f(a in 0..9) {…}` of `proptest!`.
fn with_plain_items(written: &str) -> Cow<'_, str> {
    let mut seen = Cow::Borrowed(written);
    for (start, end) in strategies(written) {
        let blank = written.get(start..end).unwrap_or_default().bytes();
        let blank = blank.map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
        seen.to_mut().replace_range(start..end, &blank);
        seen.to_mut().replace_range(start..start + 3, ": T");
    }
    for (at, _) in written.match_indices("static ref ") {
        let word = at + "static ".len();
        seen.to_mut().replace_range(word..word + 3, "   ");
    }
    let mut until = 0;
    for (at, word) in written.match_indices("struct ") {
        if at < until {
            continue;
        }
        let Some(rest) = written.get(at + word.len()..) else { continue };
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let name_len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let after = rest.get(name_len..).unwrap_or_default();
        if name_len == 0 || !after.trim_start().starts_with(':') {
            continue;
        }
        let Some(open) = after.find('{') else { break };
        let mut depth = 0_usize;
        let close = after.char_indices().skip_while(|(at, _)| *at < open).find(|(_, c)| {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let Some((close, _)) = close else { break };
        let start = at + word.len() + name_len;
        until = start + close;
        for part in [start..start + open, start + open + 1..start + close] {
            let blank = written.get(part.clone()).unwrap_or_default().bytes();
            let blank = blank.map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect::<String>();
            seen.to_mut().replace_range(part, &blank);
        }
    }
    seen
}

/// The most bytes between `fn` and the parameters of a function.
const MAX_HEAD: usize = 200;

/// Returns the strategies of parameters: ` in 0..9` of `fn f(a in 0..9)`.
fn strategies(written: &str) -> Vec<(usize, usize)> {
    let (mut found, mut until) = (Vec::new(), 0);
    if !written.contains(" in ") {
        return found;
    }
    for (at, word) in written.match_indices("fn ") {
        if at < until {
            continue;
        }
        let behind = written.get(at + word.len()..).unwrap_or_default();
        let open = behind.bytes().take(MAX_HEAD).position(|byte| b"({;".contains(&byte));
        let Some(open) = open.map(|open| at + word.len() + open) else { continue };
        if !written.get(open..).is_some_and(|rest| rest.starts_with('(')) {
            continue;
        }
        until = open;
        let (mut depth, mut start) = (0_usize, None);
        for (at, c) in written.get(open..).unwrap_or_default().char_indices() {
            let at = open + at;
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                ' ' if depth == 1 && written.get(at..at + 4) == Some(" in ") => start = start.or(Some(at)),
                _ => {}
            }
            if depth == 0 || c == ',' && depth == 1 {
                found.extend(start.take().map(|start| (start, at)));
            }
            until = at;
            if depth == 0 {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::with_plain_items;

    #[test]
    fn items_of_known_macros_become_plain() {
        for (written, seen) in [
            ("fn f() {}", "fn f() {}"),
            ("static ref A: B = c();", "static     A: B = c();"),
            ("pub struct F: u32 {\n const É = 1;\n}", "pub struct F      {\n              \n}"),
            ("struct G { a: u8 }", "struct G { a: u8 }"),
            ("fn f(a in 0..g(1, 2), b in é) {}", "fn f(a: T           , b: T   ) {}"),
            ("fn f() { for a in b {} }", "fn f() { for a in b {} }"),
            ("fn f(a in ", "fn f(a in "),
            ("struct H: u8 {", "struct H: u8 {"),
            ("struct : u8 {}", "struct : u8 {}"),
        ] {
            assert_eq!(with_plain_items(written), seen, "{written}");
            assert_eq!(with_plain_items(written).len(), written.len(), "{written}");
        }
    }
}
