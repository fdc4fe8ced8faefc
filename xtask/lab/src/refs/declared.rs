//! What a name refers to: declaration → how it is declared.

use git_cora::index::chunk::DeclarationKind as K;
use git_cora::search::segment::{DeclarationView, Index};

use super::oracle::{Declaration, Line};

/// All kinds, in the order of a report.
pub(super) const ALL: [&str; 8] = [
    "overloaded function",
    "member of an interface or trait",
    "generic type",
    "generic function",
    "type",
    "method",
    "function",
    "macro or something else",
];

/// Where a declaration is, seen from a reference.
pub(super) const PLACES: [&str; 2] = ["same file", "another file"];

/// Returns how a declaration is declared, by its file in an index and the lines of that file.
pub(super) fn kind(index: &Index<'_>, of: &Declaration, lines: &[&str]) -> &'static str {
    let file = index.file_by_path(of.at.0.as_bytes().into());
    let all: Vec<DeclarationView<'_>> =
        file.into_iter().flat_map(|file| file.declarations().collect::<Vec<_>>()).collect();
    let name = of.name.rsplit(['.', ':']).next().unwrap_or(&of.name);
    let Some(one) = all.iter().find(|one| one.row.name_line == of.at.1 && one.name() == name) else {
        return "macro or something else";
    };
    let is_function = |kind| matches!(kind, K::Function | K::Method | K::Constructor);
    let is_twin = |other: &&DeclarationView<'_>| {
        other.ord != one.ord && is_function(other.row.kind) && other.symbol_path() == one.symbol_path()
    };
    let nth = |line: u32| lines.get((line as usize).wrapping_sub(1)).copied().unwrap_or_default();
    let is_generic = has_type_parameters(nth(of.at.1.wrapping_sub(1)), nth(of.at.1), name);
    let around = one.row.parent.and_then(|ord| all.iter().find(|other| other.ord == ord));
    match one.row.kind {
        kind if is_function(kind) => match () {
            () if all.iter().any(|other| is_twin(&other)) => "overloaded function",
            () if around.is_some_and(|around| around.row.kind == K::Interface) => {
                "member of an interface or trait"
            }
            () if is_generic => "generic function",
            () if kind == K::Function => "function",
            () => "method",
        },
        K::Class | K::Struct | K::Interface | K::Enum | K::Union | K::Type if is_generic => "generic type",
        K::Class | K::Struct | K::Interface | K::Enum | K::Union | K::Type => "type",
        _ => "macro or something else",
    }
}

/// Returns where a declaration is, seen from a reference.
pub(super) fn place(of: &Declaration, from: &Line) -> &'static str {
    if of.at.0 == from.0 { "same file" } else { "another file" }
}

/// Returns whether type parameters are declared around a name: `Box<T>`, `Set[K any]`,
/// `<T> T get()`, or `template <class T>` in front of it.
fn has_type_parameters(above: &str, line: &str, name: &str) -> bool {
    let Some((before, after)) = line.split_once(name) else { return false };
    let is_go = line.starts_with("func ") || line.starts_with("type ");
    let is_list_before = before.trim_start().starts_with('<') || before.contains(" <");
    after.starts_with('<')
        || is_go && after.starts_with('[') && !after.starts_with("[]")
        || is_list_before && before.trim_end().ends_with(|c: char| c.is_alphanumeric() || "_>]*&".contains(c))
        || above.trim_start().starts_with("template")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_parameters_are_found() {
        for (above, line, name, expected) in [
            ("", "pub struct Stack<T> {", "Stack", true),
            ("", "func Map[T any](all []T) {", "Map", true),
            ("", "  public static <T> T get(int i) {", "get", true),
            ("template <typename T>", "T get(int i) {", "get", true),
            ("", "  List<T> get(int i) {", "get", false),
            ("", "impl<T> Stack {", "Stack", false),
            ("", "func get(all []int) {", "get", false),
        ] {
            assert_eq!(has_type_parameters(above, line, name), expected, "{line}");
        }
    }
}
