//! Types of one name inside of different types of a file: `Order.State` and `Cart.State`.
//!
//! A bare `State` means the one in the type around it. A chunk may hold both, so a reader can't
//! know where the name stood. It is recorded behind the name of that type. A file without two such
//! types keeps its names as they are written.
//!
//! A type in a function hides all others of its name there, also those of other files. Its name is
//! recorded behind that of the function.

use super::bare;
use crate::index::chunk::declare::is_type;
use crate::index::chunk::mention::Mention;
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, ReferenceKind};
use std::borrow::Cow;
use std::collections::HashMap;

/// Most nested types of one name; more are generated, and keep their names.
const MAX_OUTER: usize = 64;

/// A type, a module or a function that contains a type.
struct Outer<'d> {
    name: &'d str,
    /// Where the inner type is known.
    bytes: ByteRange,
    is_function: bool,
}

/// Puts the type around it in front of each name that several nested types have. `separator` stands
/// between both.
pub(in crate::index::chunk) fn qualify(
    declarations: &[Declaration],
    mentions: &mut [Mention<'_>],
    separator: &str,
) {
    let nested = nested_types(declarations);
    if nested.is_empty() {
        return;
    }
    for one in mentions {
        let is_bare = one.qualifier.is_empty() && one.kind != ReferenceKind::Import;
        if is_bare && let Some(outer) = around(&nested, &one.name, one.at) {
            one.qualifier = Cow::Owned(outer.to_owned());
            continue;
        }
        let at = one.at;
        one.replace_first_names(|first| {
            around(&nested, first, at).map(|outer| format!("{outer}{separator}{first}"))
        });
    }
}

/// Returns the types in which a type of each name is, for the names that several types have.
fn nested_types(declarations: &[Declaration]) -> HashMap<&str, Vec<Outer<'_>>> {
    let mut found: HashMap<&str, Vec<Outer<'_>>> = HashMap::new();
    for one in declarations.iter().filter(|one| is_type(one.kind) && one.scope.is_empty()) {
        let outer = one.parent.and_then(|parent| declarations.get(parent as usize));
        let is_function = outer.is_some_and(|outer| is_function(outer.kind));
        let is_outer = |outer: &&Declaration| {
            let kind = outer.kind;
            let is_whole = is_type(kind) && kind != DeclarationKind::Implementation;
            is_whole || is_function || kind == DeclarationKind::Module
        };
        let Some(outer) = outer.filter(is_outer) else { continue };
        // The name of a test may be a sentence, which can't be put in front of another name.
        let is_nameable = outer.name.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_function && (one.kind == DeclarationKind::Implementation || !is_nameable) {
            continue;
        }
        let of = Outer { name: bare(&outer.name), bytes: outer.span.bytes, is_function };
        found.entry(bare(&one.name)).or_default().push(of);
    }
    found.retain(|_, all| {
        let is_needed = all.len() > 1 || all.iter().any(|outer| outer.is_function);
        is_needed && all.len() <= MAX_OUTER
    });
    found
}

/// Returns whether a declaration has code that can declare types.
fn is_function(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Constructor | K::Function | K::Method | K::Test)
}

/// Returns the innermost type around a place in which a type with this name is.
fn around<'d>(nested: &HashMap<&str, Vec<Outer<'d>>>, name: &str, at: u32) -> Option<&'d str> {
    let around = nested.get(name)?.iter().filter(|outer| outer.bytes.contains(at));
    around.min_by_key(|outer| outer.bytes.len()).map(|outer| outer.name)
}

#[cfg(test)]
mod tests {
    use crate::index::chunk::{ChunkOptions, Language, chunk};

    /// Returns the references of a text as `kind qualifier name alias`.
    fn found(language: &str, text: &str) -> Vec<String> {
        let file = chunk(Language::from_name(language).unwrap(), text, &ChunkOptions::default());
        let mut all: Vec<String> = (file.references.iter())
            .map(|one| format!("{:?} {}|{}|{}", one.kind, one.qualifier, one.name, one.alias))
            .collect();
        all.sort();
        all
    }

    #[test]
    fn a_nested_type_is_that_of_the_type_around() {
        let text =
            "class Order { static class State { void go() {} } void run(State t) { t.go(); State.of(); } }
class Cart { static class State { void go() {} } State s; void run() { s.go(); new State(); } }
class Else { void run(Order.State t) { t.go(); } }
";
        let java = found("java", text);
        for one in [
            "Call t|go|Order.State",
            "Call Order.State|of|",
            "Call s|go|Cart.State",
            "Call Cart|State|",
            "Type Order|State|",
            "Type Cart|State|",
        ] {
            assert!(java.iter().any(|known| known == one), "{one}: {java:#?}");
        }
        let alone = text.lines().next().unwrap();
        assert!(found("java", alone).contains(&"Call t|go|State".to_owned()));
    }
}
