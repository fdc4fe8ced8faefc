//! What a change does to the callers of a declaration: two versions → a [`Risk`].
//!
//! Owns which kinds of change may break callers, and which references feel them. `compatible`
//! compares the words of two signatures.

use crate::answer::diff::{DeclarationChange, DeclarationPlace};
use crate::answer::history::HistoryChange;
use crate::answer::signature::words;
use crate::answer::view::Change;

use super::Risk;
use super::compatible::{is_access_kept, is_only_parameters_other, of_signatures};
use super::walk::AffectedReferences;
use crate::answer::parameters::depth_after;

/// Returns what a change can do to callers, and which of them. `of_signature` is what its signature
/// does.
pub(super) fn risk_of(one: &DeclarationChange, of_signature: Risk) -> (Risk, AffectedReferences) {
    let risk = match is_other_value(one) {
        _ if one.is_hidden() => Risk::Breaking,
        true => Risk::Behaviour,
        false => {
            let mut changes = one.changes.clone();
            if is_kind_kept(one) {
                // Its users feel no more of that than of another body.
                changes.retain(|change| *change != HistoryChange::Kind);
                changes.push(HistoryChange::Body);
            }
            risk(one.change, &changes).min(of_signature)
        }
    };
    if risk != Risk::Breaking && constructor_risk(one) == Risk::Breaking {
        return (Risk::Breaking, AffectedReferences::Calls);
    }
    if risk == Risk::Breaking && is_other_constructor(one) {
        return (risk, AffectedReferences::Construction);
    }
    let is_name_kept = risk == Risk::Breaking && !one.is_hidden() && keeps_name(one);
    (risk, if is_name_kept { AffectedReferences::Uses } else { AffectedReferences::All })
}

/// Returns whether only the parameters of a type differ, which are those of its constructor.
fn is_other_constructor(one: &DeclarationChange) -> bool {
    let has_parameters = matches!(one.language.as_str(), "c-sharp" | "java" | "kotlin" | "scala");
    let (Some(old), Some(new)) = (&one.old, &one.new) else { return false };
    let sides = [(&*old.signature, &*old.name), (&*new.signature, &*new.name)];
    has_parameters
        && matches!(one.kind, "class" | "struct")
        && one.change == Change::Changed
        && !one.is_hidden()
        && is_only_parameters_other(&one.language, sides)
}

/// Returns whether only the value of a constant or variable differs. Its users go on working, with
/// another value.
fn is_other_value(one: &DeclarationChange) -> bool {
    use HistoryChange as C;
    let is_named = matches!(one.kind, "constant" | "variable" | "field" | "variant" | "macro");
    let is_in_place = one.changes.contains(&C::Signature)
        && !one.changes.iter().any(|change| matches!(change, C::Moved | C::Renamed | C::Scope | C::Kind));
    let (Some(old), Some(new)) = (&one.old, &one.new) else { return false };
    let before = |at: &DeclarationPlace| before_value(&at.signature, one.kind).map(str::to_owned);
    is_named && is_in_place && before(old).is_some() && before(old) == before(new)
}

/// The part of a signature before a value; `None` if it has no value.
fn before_value<'s>(signature: &'s str, kind: &str) -> Option<&'s str> {
    if kind == "macro" {
        // `#define NAME(a, b) value`
        let name = signature.strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
        let end = if name.get(end..)?.starts_with('(') { name.find(')')? } else { end };
        return name.get(..end);
    }
    let at = signature.find('=')?;
    signature.get(..at).map(|head| head.trim_end_matches(':').trim_end())
}

/// Returns the risk of a change, whatever its signature says.
fn risk(change: Change, changes: &[HistoryChange]) -> Risk {
    use HistoryChange as C;
    match change {
        Change::Removed => Risk::Breaking,
        Change::Added => Risk::None,
        Change::Moved | Change::Changed => {
            let has = |of: &[C]| changes.iter().any(|one| of.contains(one));
            if has(&[C::Moved, C::Renamed, C::Scope, C::Kind]) {
                Risk::Breaking
            } else if has(&[C::Body, C::Annotations]) {
                Risk::Behaviour
            } else {
                Risk::None
            }
        }
    }
}

/// Returns what the signature of a change does to callers; [`Risk::None`] if it is the same.
pub(super) fn signature_risk(one: &DeclarationChange) -> Risk {
    let (Some(old), Some(new)) = (&one.old, &one.new) else { return Risk::None };
    if !one.changes.contains(&HistoryChange::Signature) {
        return Risk::None;
    }
    // Each kind has words of its own.
    if is_kind_kept(one) {
        return Risk::Behaviour;
    }
    // Outside of types, both mean the file.
    let is_of_file = one.language == "swift" && [old, new].iter().all(|at| at.symbol == at.name);
    let text = |at: &DeclarationPlace| match is_of_file {
        true => at.signature.replace("fileprivate ", "private "),
        false => at.signature.clone(),
    };
    let texts = [text(old), text(new)];
    let of =
        |texts: &[String; 2]| of_signatures(&one.language, [(&texts[0], &old.name), (&texts[1], &new.name)]);
    if !matches!(one.kind, "class" | "struct" | "interface" | "enum" | "trait") {
        return of(&texts);
    }
    // Other supertypes break only who needs one of them.
    let heads = texts.each_ref().map(|text| split_supertypes(&one.language, text));
    if heads[0].1 == heads[1].1 {
        return of(&texts);
    }
    let bare = heads.map(|(head, _)| head);
    if bare[0] == bare[1] { Risk::Behaviour } else { of(&bare).min(Risk::Behaviour) }
}

/// Returns what other fields do to those who call the constructor that a class gets from them.
fn constructor_risk(one: &DeclarationChange) -> Risk {
    let (Some(old), Some(new)) = (&one.old, &one.new) else { return Risk::None };
    match (&old.constructor, &new.constructor) {
        (Some(before), Some(after)) if one.change == Change::Changed && before != after => {
            of_signatures(&one.language, [(before, &old.name), (after, &new.name)])
        }
        _ => Risk::None,
    }
}

/// Returns whether a declaration became another kind that its users use in the same way: a constant
/// that was a variable, a struct that was a class, a value that holds a function.
fn is_kind_kept(one: &DeclarationChange) -> bool {
    let Some(old) = one.old_kind.filter(|_| one.change == Change::Changed) else { return false };
    let is_value = |kind: &str| matches!(kind, "constant" | "variable" | "field" | "macro");
    let is_called = |kind: &str| matches!(kind, "constant" | "function" | "macro" | "method" | "variable");
    let is_record = |kind: &str| matches!(kind, "class" | "struct" | "type");
    let is_script = matches!(one.language.as_str(), "tsx" | "typescript");
    let is_shape = |kind: &str| is_script && matches!(kind, "interface" | "type");
    let both = |is: &dyn Fn(&str) -> bool| is(old) && is(one.kind);
    // A method needs an object, and a function needs none.
    let is_bound =
        (old == "method") != (one.kind == "method") && (old == "function" || one.kind == "function");
    let is_kept = both(&is_value) || both(&is_called) && !is_bound || both(&is_record) || both(&is_shape);
    old != one.kind && is_kept
}

/// Returns whether the name of a declaration leads to it as before, whatever else differs.
fn keeps_name(one: &DeclarationChange) -> bool {
    use HistoryChange as C;
    let (Some(old), Some(new)) = (&one.old, &one.new) else { return false };
    let is_in_place = one.change == Change::Changed
        && !one.changes.iter().any(|change| matches!(change, C::Moved | C::Renamed | C::Scope | C::Kind));
    let is_open = is_access_kept(
        &one.language,
        [(old.signature.as_str(), old.name.as_str()), (new.signature.as_str(), new.name.as_str())],
    );
    is_in_place && is_open
}

/// Splits the head of a type at its list of supertypes.
fn split_supertypes(language: &str, text: &str) -> (String, String) {
    const MARKS: [&str; 4] = ["extends", "implements", "permits", "with"];
    let words = words(language, text);
    let is = |at: usize, word: &str| words.get(at).is_some_and(|one| one == word);
    let mut depth = 0usize;
    let mut end = words.len();
    for at in 0..words.len() {
        let begins = match language {
            "python" => depth == 0 && is(at, "("),
            "ruby" => is(at, "<") && !is(at + 1, "<"),
            "c-sharp" | "cpp" | "kotlin" | "rust" | "swift" => {
                let is_path = is(at + 1, ":") || at.checked_sub(1).is_some_and(|last| is(last, ":"));
                depth == 0 && is(at, ":") && !is_path
            }
            _ => depth == 0 && words.get(at).is_some_and(|word| MARKS.contains(&word.as_str())),
        };
        if begins {
            end = at;
            break;
        }
        depth = depth_after(&words, at, depth);
    }
    let (head, supertypes) = words.split_at_checked(end).unwrap_or((&words, &[]));
    (head.join(" "), supertypes.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_a_signature() {
        for (kind, signature, expected) in [
            ("macro", "#define LIMIT 0x10", Some("LIMIT")),
            ("macro", "# define MAX(a, b) ((a) > (b) ? (a) : (b))", Some("MAX(a, b")),
            ("macro", "#define EMPTY", None),
            ("macro", "macro_rules! vec", None),
            (
                "constant",
                "private static final ByteBuffer EMPTY = allocate(0)",
                Some("private static final ByteBuffer EMPTY"),
            ),
            ("constant", "limit := 3", Some("limit")),
            ("field", "int limit", None),
        ] {
            assert_eq!(before_value(signature, kind), expected, "{signature}");
        }
    }

    #[test]
    fn the_risk_is_that_of_the_worst_change() {
        use HistoryChange as C;
        for (change, changes, expected) in [
            (Change::Removed, vec![], Risk::Breaking),
            (Change::Added, vec![], Risk::None),
            (Change::Changed, vec![C::Body, C::Scope], Risk::Breaking),
            (Change::Changed, vec![C::Body, C::Documentation], Risk::Behaviour),
            (Change::Changed, vec![C::Annotations], Risk::Behaviour),
            (Change::Changed, vec![C::Documentation, C::Layout], Risk::None),
            (Change::Moved, vec![C::Moved], Risk::Breaking),
        ] {
            assert_eq!(risk(change, &changes), expected, "{change:?} {changes:?}");
        }
    }
}
