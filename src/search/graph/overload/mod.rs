//! Overload resolution: by the number of arguments that a call passes and that a signature allows,
//! and by their types as far as they are written ([`argument_types`]), or their labels
//! ([`argument_labels`]).
//!
//! Works on the text. Overloads that it can't tell apart count as one.

pub(super) mod argument_labels;
pub(super) mod argument_types;
pub(super) mod brackets;
pub(super) mod called;
pub(super) mod counted;
pub(super) mod lambdas;
pub(super) mod parameter_types;
pub(super) mod type_names;

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::base::text::identifier::offset_in;
use crate::search::segment::DeclarationView;
use argument_labels::{LabelledArguments, LabelledParameter};
pub(crate) use argument_types::{CallText, KnownTypes};
use argument_types::{TypeFit, fit};
use brackets::{generic, quoted};
pub(crate) use called::{NamedResult, is_factory, named_results};
use counted::{COUNTED, n_counted};
pub(crate) use counted::{has_arity, split_arity};
pub(crate) use lambdas::Arities;
pub(crate) use parameter_types::result_type;
use parameter_types::{parameter_type, type_parameters};

/// Languages in which a type may declare several functions of one name.
const LANGUAGES: [&str; 9] =
    ["c-sharp", "cpp", "elixir", "erlang", "java", "kotlin", "razor", "scala", "swift"];

/// Returns whether a type of this language may declare several functions of one name.
pub(crate) fn has_overloads(language: &str) -> bool {
    LANGUAGES.contains(&language)
}

/// Languages whose types are compared.
const TYPED: [&str; 4] = ["c-sharp", "java", "kotlin", "razor"];

/// Languages in which type arguments stand behind the name of a function.
const TYPE_ARGUMENTS_LAST: [&str; 3] = ["c-sharp", "kotlin", "razor"];

/// Languages in which the members of one type may be in several files.
const SPREAD: [&str; 3] = ["c-sharp", "kotlin", "swift"];

/// Returns whether overloads of one function may be in several files.
pub(crate) fn has_spread_overloads(language: &str) -> bool {
    SPREAD.contains(&language)
}

/// A declaration that has overloads: others of its name in the same type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Overload {
    own: Signature,
    /// `None` if one of them can't be read.
    others: Vec<Option<Signature>>,
    /// Whether nothing but the number of arguments counts.
    is_counted: bool,
}

/// What a function takes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Signature {
    /// The numbers of arguments.
    n: RangeInclusive<usize>,
    /// The types; `None` if they are not compared.
    types: Option<Vec<String>>,
    /// The parameters with their labels, if those are part of the name.
    labels: Option<Vec<LabelledParameter>>,
    /// The number of type parameters, if a call may write type arguments behind the name.
    n_types: Option<usize>,
    /// Whether only the types of literals are known, since variables are declared in another way.
    is_literal: bool,
}

impl Default for Signature {
    fn default() -> Self {
        Self { n: 0..=0, types: None, labels: None, n_types: None, is_literal: false }
    }
}

impl Signature {
    fn of(one: &DeclarationView<'_>, text: &str) -> Option<Self> {
        if COUNTED.contains(&one.file.language()) {
            return Self::counted(one, text);
        }
        let written = written(one, text)?;
        let language = one.file.language();
        let generic = type_parameters(one.row.signature.of(text), one.name());
        let types = || written.iter().map(|part| parameter_type(part, language, &generic)).collect();
        let is_typed =
            TYPED.contains(&language) && !written.first().is_some_and(|part| part.starts_with("this "));
        let labels = || written.iter().map(|part| LabelledParameter::of(part)).collect();
        let has_labels = language == "swift";
        Some(Self {
            n: allowed(&written),
            types: is_typed.then(types),
            labels: has_labels.then(labels),
            n_types: TYPE_ARGUMENTS_LAST.contains(&language).then_some(generic.len()),
            is_literal: language == "kotlin",
        })
    }

    /// Reads the parameters of a function whose name includes their number.
    fn counted(one: &DeclarationView<'_>, text: &str) -> Option<Self> {
        let written = written(one, text).unwrap_or_default();
        // Bytes between `<<` and `>>` have commas of their own.
        if written.iter().any(|part| part.contains("<<")) {
            return None;
        }
        let written = written.get(..n_counted(&written)).unwrap_or_default();
        let least = written.iter().filter(|part| !part.contains("\\\\")).count();
        Some(Self { n: least..=written.len(), ..Self::default() })
    }

    /// Returns how well each argument fits; `None` if they don't. `n_types` is the number of type
    /// arguments, and 0 if none are written.
    fn fit(&self, arguments: &[&str], n_types: usize, around: CallText<'_>) -> Option<Vec<TypeFit>> {
        let is_other = |own: usize| n_types > 0 && own != n_types;
        match &self.types {
            _ if !self.n.contains(&arguments.len()) || self.n_types.is_some_and(is_other) => None,
            Some(types) if self.is_literal => {
                let literals = arguments.iter().map(|one| if is_literal(one) { one } else { "" });
                fit(types, &literals.collect::<Vec<_>>(), around)
            }
            Some(types) => fit(types, arguments, around),
            None => Some(vec![TypeFit::Maybe; arguments.len()]),
        }
    }

    /// Returns whether a call prefers this signature to another one, whatever the types that are
    /// not known. `own` and `others` say how well the arguments fit.
    fn beats(&self, own: &[TypeFit], other: &Self, others: &[TypeFit]) -> bool {
        let (Some(types), Some(other_types)) = (&self.types, &other.types) else { return false };
        let (mut is_better, mut is_open) = (types.len() < other_types.len(), false);
        for (at, (one, two)) in own.iter().zip(others).enumerate() {
            let is_same = types.get(at).is_some() && types.get(at) == other_types.get(at);
            match (one, two) {
                _ if is_same => {}
                (TypeFit::Cost(0), TypeFit::Maybe) => is_better = true,
                (TypeFit::Cost(one), TypeFit::Cost(two)) if one <= two => is_better |= one < two,
                _ => is_open = true,
            }
        }
        is_better && !is_open
    }
}

/// What a call means that names a function with overloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// This one.
    This,
    /// This one or another.
    Either,
    /// Another one.
    Other,
}

impl Overload {
    /// Returns the overloads of a declaration. `text` is the file's, and `elsewhere` has those in
    /// other files, each with its text. `None` without any, or if its signature can't be read.
    pub(crate) fn of(
        one: &DeclarationView<'_>,
        text: &str,
        elsewhere: &[(DeclarationView<'_>, Arc<str>)],
    ) -> Option<Self> {
        if !has_overloads(one.file.language()) {
            return None;
        }
        let path = one.symbol_path();
        let is_other = |other: &DeclarationView<'_>| {
            // `Result` and `Result<T>` of C# have one path.
            let is_of_type = one.file.language() != "c-sharp" || other.row.parent == one.row.parent;
            other.ord != one.ord
                && other.name() == one.name()
                && is_of_type
                && other.symbol_path() == path
                && !is_same_function(one, other, text)
        };
        let others = one.file.declarations().filter(is_other);
        let mut others: Vec<_> = others.map(|other| Signature::of(&other, text)).collect();
        others.extend(elsewhere.iter().map(|(other, text)| Signature::of(other, text)));
        // Without overloads, the number of arguments can still show that an inherited one is meant.
        (!others.is_empty() || matches!(one.file.language(), "java" | "swift")).then_some(())?;
        let (own, is_counted) = (Signature::of(one, text)?, COUNTED.contains(&one.file.language()));
        if is_counted {
            // Clauses that are apart are one function.
            others.retain(|other| other.as_ref().is_none_or(|other| other.n != own.n));
        }
        (!is_counted || !others.is_empty()).then_some(Self { own, others, is_counted })
    }

    /// Returns whether the types of arguments tell it from the others.
    pub(crate) fn has_types(&self) -> bool {
        self.own.types.is_some() && !self.own.is_literal && !self.others.is_empty()
    }

    /// Returns the types of the parameters of all overloads.
    pub(crate) fn parameter_types(&self) -> impl Iterator<Item = &str> {
        let all = std::iter::once(Some(&self.own)).chain(self.others.iter().map(Option::as_ref));
        all.flatten().filter_map(|one| one.types.as_ref()).flatten().map(|ty| ty.trim_end_matches("..."))
    }

    /// Returns what a call means. `behind` is the text after its name.
    pub(crate) fn choice(&self, behind: &str, around: CallText<'_>) -> Choice {
        let unknown = if self.others.is_empty() { Choice::This } else { Choice::Either };
        if let Some(own) = &self.own.labels {
            return LabelledArguments::of(behind).map_or(unknown, |given| self.labelled(own, &given));
        }
        if self.is_counted {
            return counted::passed(behind, around.before).map_or(unknown, |n| self.counted(n));
        }
        let has_blocks = self.own.types.is_none() || self.own.is_literal;
        let Some(arguments) = arguments(behind, has_blocks) else { return unknown };
        let n_types = n_type_arguments(behind).unwrap_or(0);
        let Some(own) = self.own.fit(&arguments, n_types, around) else {
            let is_number = !self.own.n.contains(&arguments.len());
            return if is_number || !self.others.is_empty() { Choice::Other } else { Choice::This };
        };
        let mut choice = Choice::This;
        for other in &self.others {
            let Some(other) = other else {
                choice = Choice::Either;
                continue;
            };
            let Some(fits) = other.fit(&arguments, n_types, around) else { continue };
            if other.beats(&fits, &self.own, &own) {
                return Choice::Other;
            }
            if !self.own.beats(&own, other, &fits) {
                choice = Choice::Either;
            }
        }
        choice
    }
}

impl Overload {
    /// Returns what a call with this number of arguments means.
    fn counted(&self, n: usize) -> Choice {
        let fits = |one: &Signature| one.n.contains(&n);
        let is_other = self.others.iter().any(|one| one.as_ref().is_none_or(fits));
        match fits(&self.own) {
            true if is_other => Choice::Either,
            true => Choice::This,
            false => Choice::Other,
        }
    }

    /// Returns what a call with these labels means.
    fn labelled(&self, own: &[LabelledParameter], given: &LabelledArguments<'_>) -> Choice {
        let labels = |one: &Option<Signature>| one.as_ref().and_then(|one| one.labels.clone());
        let is_other = self.others.iter().any(|one| labels(one).is_some_and(|labels| given.fit(&labels)));
        let is_open = self.others.iter().any(|one| labels(one).is_none());
        match given.fit(own) {
            true if is_other || is_open => Choice::Either,
            true => Choice::This,
            false if is_other => Choice::Other,
            // The call is written in a way that is not understood, or means an inherited one.
            false => Choice::Either,
        }
    }
}

/// Returns whether an argument is a literal.
fn is_literal(written: &str) -> bool {
    let text = written.trim().trim_start_matches('-');
    text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | '\''))
        || matches!(text, "false" | "null" | "true")
}

/// Returns whether two declarations of C++ are a prototype and the definition of the same function.
fn is_same_function(one: &DeclarationView<'_>, other: &DeclarationView<'_>, text: &str) -> bool {
    if one.file.language() != "cpp" || one.row.body.is_empty() == other.row.body.is_empty() {
        return false;
    }
    let (Some(own), Some(others)) = (written(one, text), written(other, text)) else { return false };
    own.len() == others.len() && own.iter().zip(&others).all(|(a, b)| is_same_parameter(a, b))
}

/// Returns whether two parameters of C++ have the same type. Either may lack a name or a default
/// value.
fn is_same_parameter(one: &str, other: &str) -> bool {
    let words = |part: &str| {
        let part = part.split('=').next().unwrap_or_default();
        let spaced = part.replace('*', " * ").replace('&', " & ");
        spaced.split_whitespace().map(str::to_owned).collect::<Vec<String>>()
    };
    let (one, other) = (words(one), words(other));
    let unnamed = |words: &[String]| {
        let is_name = |last: &String| last.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let n = words.len() - usize::from(words.len() > 1 && words.last().is_some_and(is_name));
        words.get(..n).unwrap_or_default().to_vec()
    };
    let (bare, other_bare) = (unnamed(&one), unnamed(&other));
    one == other || bare == other_bare || bare == other || one == other_bare
}

/// Returns the length of the type arguments that a text begins with; `None` if they can't be read.
pub(crate) fn type_arguments_len(text: &str) -> Option<usize> {
    generic(text)
}

/// Returns the number of type arguments or parameters that a text behind the name of a type begins
/// with. `None` if they can't be read.
pub(crate) fn n_type_arguments(behind: &str) -> Option<usize> {
    let behind = behind.trim_start();
    if !behind.starts_with('<') {
        return Some(0);
    }
    let inside = behind.get(..generic(behind)?)?;
    let mut depth = 0usize;
    Some(inside.chars().fold(1, |n, c| {
        match c {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        n + usize::from(c == ',' && depth == 1)
    }))
}

/// The number of arguments that a declaration takes. `text` is the file's. `None` if its signature
/// can't be read.
pub(crate) fn parameters(one: &DeclarationView<'_>, text: &str) -> Option<RangeInclusive<usize>> {
    Some(allowed(&written(one, text)?))
}

/// Splits a name of Swift from the labels that it ends with: `load` and `(name:_:)`.
pub(crate) fn split_labels(name: &str) -> Option<(&str, &str)> {
    name.split_at_checked(name.find('(')?).filter(|(_, labels)| labels.ends_with(":)"))
}

/// Returns whether a declaration of Swift has the labels that a name ends with: `load(name:_:)`.
/// `text` is the file's. True if the name has none, or if the signature can't be read.
pub(crate) fn has_labels(one: &DeclarationView<'_>, text: &str, name: &str) -> bool {
    let behind = split_labels(name).map(|(_, labels)| labels);
    let given = behind.and_then(LabelledArguments::of);
    let own = given.as_ref().and_then(|_| Signature::of(one, text)?.labels);
    given.zip(own).is_none_or(|(given, own)| given.fit(&own))
}

/// The parameters of a declaration, as they are written.
fn written<'t>(one: &DeclarationView<'_>, text: &'t str) -> Option<Vec<&'t str>> {
    written_in(one.row.signature.of(text), one.name())
}

/// The parameters in the signature of a function with this name, as they are written. `None` if the
/// signature can't be read.
pub(crate) fn written_in<'t>(signature: &'t str, name: &str) -> Option<Vec<&'t str>> {
    // Search from the name: an annotation above it may have parentheses.
    let (_, behind) = signature.match_indices(name).find_map(|(at, name)| {
        let before = signature.get(..at)?;
        let behind = signature.get(at + name.len()..)?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        // An initializer of Swift may fail: `init?(…)`.
        let behind = if name == "init" { behind.trim_start_matches(['?', '!']) } else { behind };
        (!before.ends_with(is_word) && behind.trim_start().starts_with(['(', '<'])).then_some((at, behind))
    })?;
    parts(behind, true)
}

/// The numbers of arguments that parameters allow.
fn allowed(parameters: &[&str]) -> RangeInclusive<usize> {
    let is_open = |part: &str| {
        part.contains("...") || part.starts_with("params ") || part.starts_with("vararg ")
            // Scala's `all: Int*`.
            || part.contains(": ") && part.ends_with('*')
    };
    let is_optional = |part: &str| part.replace("=>", "").contains('=') || is_open(part);
    // An extension is called on its first parameter.
    let is_extension = parameters.first().is_some_and(|part| part.starts_with("this "));
    let most = if parameters.iter().any(|part| is_open(part)) { usize::MAX } else { parameters.len() };
    let least = parameters.iter().filter(|part| !is_optional(part)).count();
    least - usize::from(is_extension && least > 0)..=most
}

#[cfg(test)]
fn passed(behind: &str) -> Option<usize> {
    arguments(behind, true).map(|given| given.len())
}

/// The arguments of a call; `behind` is the text after its name. `None` if it is not a call, or
/// passes more than its parentheses hold: a trailing block, in a language that has them.
fn arguments(behind: &str, has_blocks: bool) -> Option<Vec<&str>> {
    let (given, rest) = call_parts(behind)?;
    (!has_blocks || !rest.trim_start_matches([' ', '\t']).starts_with('{')).then_some(given)
}

/// The arguments in the parentheses behind the name of a call, and the text after those.
pub(super) fn call_parts(behind: &str) -> Option<(Vec<&str>, &str)> {
    let given = parts(behind, false)?;
    let end = given.last().map_or(0, |part| offset_in(behind, part).saturating_add(part.len()));
    let rest = behind.get(end..)?;
    Some((given, rest.split_once(')').map_or("", |(_, rest)| rest)))
}

/// The parts between commas in the parentheses at the start of `text`, after type arguments if
/// there are any. In a signature, `<` is never a comparison.
fn parts(text: &str, in_signature: bool) -> Option<Vec<&str>> {
    let text = text.trim_start();
    let text = if text.starts_with('<') { text.get(generic(text)?..)?.trim_start() } else { text };
    let inside = text.strip_prefix('(')?;
    let bytes = inside.as_bytes();
    let (mut parts, mut begin, mut depth, mut at) = (Vec::new(), 0, 0usize, 0);
    while let Some(&byte) = bytes.get(at) {
        let rest = inside.get(at..).unwrap_or_default();
        at += match byte {
            b'"' | b'\'' => quoted(rest)?,
            b'/' if rest.starts_with("//") => rest.find('\n')?,
            b'/' if rest.starts_with("/*") => rest.find("*/")? + 2,
            b'<' => generic(rest).filter(|&end| in_signature || is_type(rest, end)).unwrap_or(1),
            _ => 1,
        };
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b')' => {
                parts.push(inside.get(begin..at - 1)?.trim());
                // `f()` passes nothing; a trailing comma is allowed.
                if parts.last().is_some_and(|part| part.is_empty()) {
                    parts.pop();
                }
                return Some(parts);
            }
            b',' if depth == 0 => {
                parts.push(inside.get(begin..at - 1)?.trim());
                begin = at;
            }
            _ => (),
        }
    }
    None
}

/// Whether the text after a `>` shows that it ends type arguments rather than compares.
fn is_type(text: &str, end: usize) -> bool {
    text.get(end..).is_some_and(|behind| behind.starts_with(['(', ')', '{', '[', '.', ':', ',']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_TEXT: CallText<'static> = CallText { before: "", file: "", known: None, arities: None };

    #[test]
    fn a_call_chooses_among_overloads() {
        let signature = |n| Signature { n, ..Signature::default() };
        let overload = Overload {
            own: signature(1..=2),
            others: vec![Some(signature(2..=3)), Some(signature(0..=0))],
            is_counted: false,
        };
        for (behind, choice) in [
            ("(a)", Choice::This),
            ("(a, b)", Choice::Either),
            ("()", Choice::Other),
            ("(a, b, c)", Choice::Other),
            (" as a value", Choice::Either),
        ] {
            assert_eq!(overload.choice(behind, NO_TEXT), choice, "{behind}");
        }
        let unread = Overload { own: signature(1..=1), others: vec![None], is_counted: false };
        assert_eq!(unread.choice("(a)", NO_TEXT), Choice::Either);
        let typed =
            |ty: &str| Signature { n: 1..=1, types: Some(vec![ty.to_owned()]), ..Signature::default() };
        let typed =
            |own: &str| Overload { own: typed(own), others: vec![Some(typed("long[]"))], is_counted: false };
        for (own, call, choice) in [
            ("int[]", "(a)", Choice::This),
            ("String", "(a)", Choice::Other),
            ("Object", "(a)", Choice::This),
            ("Object", "(b)", Choice::Either),
        ] {
            let around = CallText { before: "void f(int[] a) {", file: "", known: None, arities: None };
            assert_eq!(typed(own).choice(call, around), choice, "{own} {call}");
        }
    }

    #[test]
    fn the_most_specific_overload_is_chosen() {
        let signature = |types: &[&str]| Signature {
            n: types.len()..=types.len(),
            types: Some(types.iter().map(|&one| one.to_owned()).collect()),
            ..Signature::default()
        };
        let numbers = [&["long"][..], &["double"], &["Number"], &["String"], &["boolean"]];
        let readers =
            [&["String", "Class"][..], &["String", "Type"], &["Reader", "Class"], &["Reader", "Type"]];
        for (all, call, expected) in [
            (&numbers[..], "(x.intValue())", &["long"][..]),
            (&numbers, "(1.5)", &["double"]),
            (&numbers, "(Integer.valueOf(1))", &["Number"]),
            (&numbers, "(x)", &["long", "double", "Number", "String", "boolean"]),
            (&readers, "(\"a\", Cart.class)", &["String", "Class"]),
            // The open type of the first argument is the same for both.
            (&readers, "(open(), Cart.class)", &["String", "Class", "Reader", "Class"]),
        ] {
            let mut chosen = Vec::new();
            for (at, own) in all.iter().enumerate() {
                let others = all.iter().enumerate().filter(|(other, _)| *other != at);
                let others = others.map(|(_, one)| Some(signature(one))).collect();
                let overload = Overload { own: signature(own), others, is_counted: false };
                if overload.choice(call, NO_TEXT) != Choice::Other {
                    chosen.extend_from_slice(own);
                }
            }
            assert_eq!(chosen, expected, "{call}");
        }
    }

    #[test]
    fn labels_choose_among_overloads() {
        let signature = |written: &[&str]| Signature {
            n: allowed(written),
            labels: Some(written.iter().map(|part| LabelledParameter::of(part)).collect()),
            ..Signature::default()
        };
        let (named, plain, url) =
            (signature(&["name: String", "value: Int"]), signature(&["_ n: Int"]), signature(&["url: URL"]));
        let overload = |own: &Signature, others: &[&Signature]| Overload {
            is_counted: false,
            own: own.clone(),
            others: others.iter().map(|one| Some((*one).clone())).collect(),
        };
        for (own, others, call, choice) in [
            (&named, &[&plain, &url][..], "(name: a, value: 1)", Choice::This),
            (&plain, &[&named, &url], "(name: a, value: 1)", Choice::Other),
            (&plain, &[&named, &url], "(1)", Choice::This),
            (&plain, &[&named, &plain], "(1)", Choice::Either),
            (&plain, &[&named], "(other: 1)", Choice::Either),
            (&plain, &[], "(url: 1)", Choice::Either),
            (&plain, &[], " as a value", Choice::This),
        ] {
            assert_eq!(overload(own, others).choice(call, NO_TEXT), choice, "{own:?} {call}");
        }
    }

    #[test]
    fn type_arguments_are_counted() {
        for (behind, n) in [
            ("", Some(0)),
            (" : IHandler<T>", Some(0)),
            ("<T>", Some(1)),
            ("<A, Dictionary<B, C>> x", Some(2)),
            ("<,>)", Some(2)),
            ("<>)", Some(1)),
            ("<(int, int)>", None),
        ] {
            assert_eq!(n_type_arguments(behind), n, "{behind}");
        }
    }

    #[test]
    fn arguments_are_counted() {
        for (behind, n) in [
            ("()", Some(0)),
            ("( ) + 1", Some(0)),
            ("(a)", Some(1)),
            ("(a, b(c, d), [e, f], \"g, (h\", ',')", Some(5)),
            ("(new HashMap<String, List<Integer>>(), x)", Some(2)),
            ("(a < b, c > d)", Some(2)),
            ("(a < 1 + b, c)", Some(2)),
            ("(a, // one, two\n b /* c, d */)", Some(2)),
            ("(\"\"\"a\", b\"\"\", c)", Some(2)),
            ("<A, B>(a)", Some(1)),
            ("(a, b,)", Some(2)),
            ("(a) { it }", None),
            ("(a", None),
            (" = 3", None),
            ("(\"a\n", None),
        ] {
            assert_eq!(passed(behind), n, "{behind}");
        }
    }
}
