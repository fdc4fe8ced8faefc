//! Overloads: whether two functions of one name take the same parameters.

use crate::answer::side::DeclarationEntry;
use crate::search::graph::overload::written_in;

/// Returns whether two functions take the same parameters, as far as their text tells. A prototype
/// may leave out the names, and a definition the default values.
pub(super) fn is_overload_same(one: &DeclarationEntry, other: &DeclarationEntry) -> bool {
    let written = |of: &'_ DeclarationEntry| {
        let list = written_in(&of.parts.signature, &of.name)?;
        let list = list.into_iter().filter(|part| *part != "void");
        Some(list.map(|part| part.split('=').next().unwrap_or(part).to_owned()).collect::<Vec<_>>())
    };
    let (Some(one), Some(other)) = (written(one), written(other)) else { return true };
    one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| is_parameter_same(a, b))
}

/// Returns whether two parameters may have the same type: they are equal with or without the last
/// word, which is a name if something is before it.
fn is_parameter_same(one: &str, other: &str) -> bool {
    let types = |part: &str| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let unnamed = part.trim().trim_end_matches(is_word);
        let forms = [part, unnamed].into_iter().filter(|form| !form.trim().is_empty());
        forms.map(|form| form.split_whitespace().collect::<String>()).collect::<Vec<_>>()
    };
    let others = types(other);
    types(one).iter().any(|form| others.contains(form))
}
