//! Modules of OCaml that are opened in a part of a file: `let open Shop in pay 1`, `Shop.(pay 1)`,
//! and an `open` below a declaration that it may hide.
//!
//! Only the module's own file says whether it has a name. So a bare name in such a part records the
//! modules that may give it its meaning, innermost first, and the graph asks each. Input: the
//! mentions of a file, in which the walk marks each part. Output: the same without these marks.

use crate::index::chunk::lines::offset;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::types::ancestors;
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, ReferenceKind};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Begins the alias of a name that an opened module may give its meaning. The modules follow,
/// innermost first, with a blank between two.
pub const OPEN_WORD: &str = "open ";

/// The name of the mention that marks where a module is opened.
const OPENING: &str = "open";

/// Most opened modules around a place that count.
const MAX_AROUND: usize = 4;

/// Returns the mention that marks where a module is opened: from `at` to `end`.
pub(super) fn opening(module: &str, at: u32, end: u32) -> Mention<'_> {
    let mention = Mention::new(at, ReferenceKind::Import, OPENING, Cow::Borrowed(module));
    Mention { alias: Cow::Borrowed(OPEN_WORD), name_at: end, ..mention }
}

/// A part of a file in which a module is open.
struct OpenModule {
    bytes: ByteRange,
    module: String,
    /// Whether an `open` of the file or of a module in it is meant. What is declared below it hides
    /// the names of its module.
    is_outer: bool,
}

/// Records the opened modules with the names that they may give a meaning, and takes the marks of
/// the walk away.
pub(in crate::index::chunk) fn settle(declarations: &[Declaration], mentions: &mut Vec<Mention<'_>>) {
    let openings = openings(declarations, mentions);
    if openings.is_empty() {
        return;
    }
    let declared = declared(declarations);
    let mut order: Vec<usize> = (0..mentions.len()).collect();
    order.sort_by_key(|&ord| mentions.get(ord).map(|one| one.at));
    let mut next = openings.iter().peekable();
    let mut open: Vec<&OpenModule> = Vec::new();
    for ord in order {
        let Some(one) = mentions.get_mut(ord) else { continue };
        while let Some(opening) = next.next_if(|opening| opening.bytes.start <= one.at) {
            close(&mut open, opening.bytes.start);
            open.push(opening);
        }
        close(&mut open, one.at);
        let may_mean = matches!(one.kind, ReferenceKind::Call | ReferenceKind::Type | ReferenceKind::Use);
        if !may_mean || !one.qualifier.is_empty() || !one.alias.is_empty() {
            continue;
        }
        // Above the names that an outer `open` brings in, the file has declared this one.
        let above = declared.get(&*one.name).and_then(|all| {
            let until = all.partition_point(|start| *start < one.at);
            until.checked_sub(1).and_then(|last| all.get(last)).copied()
        });
        let counts = |opening: &&&OpenModule| {
            !opening.is_outer || above.is_some_and(|declared| declared < opening.bytes.start)
        };
        let around: Vec<&str> = open
            .iter()
            .rev()
            .filter(counts)
            .take(MAX_AROUND)
            .map(|opening| opening.module.as_str())
            .collect();
        if !around.is_empty() {
            one.alias = Cow::Owned(format!("{OPEN_WORD}{}", around.join(" ")));
        }
    }
}

/// Drops the openings that end in front of a byte.
fn close(open: &mut Vec<&OpenModule>, at: u32) {
    while open.last().is_some_and(|last| last.bytes.end <= at) {
        open.pop();
    }
}

/// Returns the parts of the file in which modules are open, by their start, and takes those of
/// expressions from the mentions: they are not imports of the file.
fn openings(declarations: &[Declaration], mentions: &mut Vec<Mention<'_>>) -> Vec<OpenModule> {
    let is_mark = |one: &mut Mention<'_>| one.kind == ReferenceKind::Import && one.alias == OPEN_WORD;
    let marks: Vec<Mention<'_>> = mentions.extract_if(.., is_mark).collect();
    let inner: HashSet<u32> = marks.iter().map(|one| one.at).collect();
    mentions.retain(|one| one.kind != ReferenceKind::Import || !inner.contains(&one.at));
    let of_expressions = marks.iter().map(|one| OpenModule {
        bytes: ByteRange { start: one.at, end: one.name_at },
        module: one.qualifier.to_string(),
        is_outer: false,
    });
    let imports = mentions.iter().filter(|one| one.kind == ReferenceKind::Import);
    let of_file = imports.map(|one| OpenModule {
        bytes: ByteRange { start: one.at, end: end_of_module(declarations, one.at) },
        module: if one.qualifier.is_empty() { &one.name } else { &one.qualifier }.to_string(),
        is_outer: true,
    });
    let mut found: Vec<OpenModule> = of_expressions.chain(of_file).collect();
    found.sort_by_key(|one| (one.bytes.start, std::cmp::Reverse(one.bytes.end)));
    found
}

/// Returns the end of the module around a byte, which may be the file.
fn end_of_module(declarations: &[Declaration], at: u32) -> u32 {
    let before = declarations.partition_point(|of| of.span.bytes.start <= at);
    let nearest = before.checked_sub(1).map(offset);
    let is_around = |of: &Declaration| of.kind == DeclarationKind::Module && of.span.bytes.contains(at);
    let around = ancestors(declarations, nearest).find(|(_, of)| is_around(of));
    around.map_or(u32::MAX, |(_, of)| of.span.bytes.end)
}

/// Returns where each name is declared outside of functions, in order.
fn declared(declarations: &[Declaration]) -> HashMap<&str, Vec<u32>> {
    let mut found: HashMap<&str, Vec<u32>> = HashMap::new();
    for one in declarations {
        let around = one.parent.and_then(|parent| declarations.get(parent as usize));
        if around.is_none_or(|around| around.kind == DeclarationKind::Module) {
            found.entry(one.name.as_str()).or_default().push(one.span.bytes.start);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    #[test]
    fn a_name_records_the_modules_that_are_open_around_it() {
        let text = "let pay x = x
open Bank
let a () = let open Shop in pay 1
let b () = Shop.(Till.(buy 2))
let c () = pay 3
let buy x = x
let d () = buy 4
";
        let Some(language) = Language::from_name("ocaml").filter(|one| !one.lacks_grammar()) else { return };
        let file = chunk(language, text, &ChunkOptions::default());
        let found: Vec<String> =
            file.references.iter().map(|one| format!("{:?} {}|{}", one.kind, one.name, one.alias)).collect();
        assert_eq!(
            found,
            [
                "Call buy|",
                "Call buy|open Till Shop",
                "Call pay|open Bank",
                "Call pay|open Shop Bank",
                "Import Bank|"
            ]
        );
    }
}
