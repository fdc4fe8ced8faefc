//! What distinguishes a declaration from others of its name, as the source shows it: its
//! parameters, the number of its type parameters, and whether it is a method of a class itself.
//!
//! The graph resolves names without the text, so several declarations of one name may remain.
//! Input: a declaration, and the text around a reference to its name. Output: whether that can mean
//! the declaration.

use std::sync::Arc;

use super::name_in_text::NameInText;
use super::namesake::Namesake;
use super::reader::Reader;
use super::rules::reference;
use super::singleton::RubyMethod;
use crate::base::text::words;
use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::graph::overload::{
    Arities, CallText, Choice, Overload, has_overloads, has_spread_overloads, n_type_arguments,
    type_arguments_len,
};
use crate::search::graph::{DeclarationRef, class_around, is_function, is_type};
use crate::search::segment::DeclarationView;

/// Most declarations of one name that are compared.
const MAX_NAMESAKES: usize = 40;

/// Returns whether the source of a declaration in this language is needed.
pub(super) fn is_distinct(language: &str) -> bool {
    has_overloads(language) || language == "ruby"
}

/// What distinguishes a declaration from others of its name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Distinction {
    overload: Option<Overload>,
    ruby_method: Option<RubyMethod>,
    generic: Option<GenericType>,
    companion: Option<CompanionSide>,
    namesake: Option<Namesake>,
    /// Whether it is the method `apply` of an object of Scala, which is called by the object's
    /// name.
    is_applied: bool,
    /// The functional interfaces among the types of the overloads' parameters.
    arities: Arities,
}

/// A class of Scala that has a companion object, or that object. Both have one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CompanionSide {
    Class,
    /// A case class, whose instances the object constructs without `new`.
    CaseClass,
    Object,
}

impl CompanionSide {
    /// Returns the side that a declaration is; `None` if its file has no other one.
    fn of(one: &DeclarationView<'_>, text: &str) -> Option<Self> {
        let side = |one: &DeclarationView<'_>| {
            let before = one.row.signature.of(text).split(one.name()).next().unwrap_or_default();
            let has = |word| before.split_whitespace().any(|one| one == word);
            match (has("object"), has("case")) {
                (true, _) => Self::Object,
                (false, true) => Self::CaseClass,
                (false, false) => Self::Class,
            }
        };
        if one.file.language() != "scala" || !is_type(one.row.kind) {
            return None;
        }
        let own = side(one);
        let is_other = |other: &DeclarationView<'_>| {
            other.name() == one.name()
                && other.row.parent == one.row.parent
                && is_type(other.row.kind)
                && (side(other) == Self::Object) != (own == Self::Object)
        };
        one.file.declarations().any(|other| is_other(&other)).then_some(own)
    }

    /// Returns whether a reference means this side: a type and `new` mean the class, and everything
    /// else the object.
    fn choice(self, at: &NameInText<'_, '_>) -> Choice {
        let is_selected = at.behind.starts_with('.');
        let is_new = at.call.before.trim_end().ends_with("new");
        let is_applied = at.kind == ReferenceKind::Call && !is_new;
        let is_class =
            !is_selected && (is_new || matches!(at.kind, ReferenceKind::Type | ReferenceKind::Inherits));
        match self {
            Self::CaseClass if is_applied && !is_selected => Choice::This,
            Self::Class | Self::CaseClass if is_class => Choice::This,
            Self::Object if !is_class => Choice::This,
            _ => Choice::Other,
        }
    }
}

/// A type of C# that has namesakes with another number of type parameters, or a member of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct GenericType {
    name: String,
    n_parameters: usize,
    /// Whether a member is meant, whose references name the type in front of it.
    is_member: bool,
}

impl Distinction {
    /// Returns whether the types of arguments tell the declaration from others.
    pub(super) fn has_types(&self) -> bool {
        self.overload.as_ref().is_some_and(Overload::has_types)
    }

    /// Returns what a reference means that the graph takes for one to the declaration.
    pub(crate) fn choice(&self, at: &NameInText<'_, '_>) -> Choice {
        if self.generic.as_ref().is_some_and(|one| one.is_other(at)) {
            return Choice::Other;
        }
        if self.namesake.as_ref().is_some_and(|one| one.is_other(at)) {
            return Choice::Other;
        }
        if let Some(companion) = self.companion {
            return companion.choice(at);
        }
        match self.ruby_method.as_ref().filter(|_| at.kind == ReferenceKind::Call) {
            Some(_) if at.is_by_type => Choice::This,
            Some(method) => {
                method.choice(at.call.before, at.behind, at.around.as_ref(), at.call.file, at.is_certain)
            }
            None => {
                let call = CallText { arities: Some(&self.arities), ..at.call };
                self.overload.as_ref().map_or(Choice::This, |one| one.choice(at.behind, call))
            }
        }
    }

    /// Returns the class or module of Ruby whose own method `new` a declaration is, or the type of
    /// Scala whose method `apply` it is. Its calls are recorded as calls of that.
    pub(super) fn made_type(&self, one: &DeclarationView<'_>) -> Option<DeclarationRef> {
        let is_new = one.name() == "new" && self.ruby_method.as_ref().is_some_and(RubyMethod::is_singleton);
        let ord = one.row.parent.filter(|_| is_new || self.is_applied)?;
        Some(DeclarationRef { part: one.file.part, ord })
    }

    /// Returns whether the head of a type names other supertypes only by this name.
    pub(super) fn is_other_supertype(&self, heir: &DeclarationView<'_>, text: &str, name: &str) -> bool {
        let head = heir.row.signature.of(text);
        // The first name may be that of the heir.
        let n_own = usize::from(heir.name() == name);
        let mut named = words(head, name).skip(n_own).peekable();
        let is_other = |at: usize| {
            let behind = head.get(at + name.len()..).and_then(n_type_arguments);
            self.generic.as_ref().zip(behind).is_some_and(|(one, n)| !one.is_member && n != one.n_parameters)
        };
        named.peek().is_some() && named.all(is_other)
    }
}

impl GenericType {
    /// Returns whether a reference has another number of type arguments.
    fn is_other(&self, at: &NameInText<'_, '_>) -> bool {
        let given = match self.is_member {
            true => self.given_before(at.call.before).or_else(|| self.given_for(at.call)),
            false => n_type_arguments(at.behind),
        };
        given.is_some_and(|n| n != self.n_parameters)
    }

    /// Returns the number of type arguments that the object in front of a member is declared with.
    /// The nearest declaration above counts, or else those of the file, if they agree.
    fn given_for(&self, call: CallText<'_>) -> Option<usize> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let before = call.before.trim_end().strip_suffix('.')?.trim_end_matches(['?', '!']);
        let object = before.get(before.trim_end_matches(is_word).len()..)?;
        let outer = before.get(..before.len() - object.len())?;
        let is_first = !outer.ends_with('.') || outer.ends_with("this.");
        if object.is_empty() || !is_first {
            return None;
        }
        let above = self.declared_with(call.before, object).last();
        above.or_else(|| {
            let mut all = self.declared_with(call.file, object);
            let first = all.next()?;
            all.all(|other| other == first).then_some(first)
        })
    }

    /// Returns the number of type arguments of each place that gives an object the type.
    fn declared_with<'t>(&'t self, text: &'t str, object: &'t str) -> impl Iterator<Item = usize> + 't {
        words(text, &self.name).filter_map(move |at| {
            let behind = text.get(at + self.name.len()..)?;
            let n = n_type_arguments(behind)?;
            let rest = if n == 0 { behind } else { behind.get(type_arguments_len(behind)?..)? };
            let named = rest.trim_start_matches('?').strip_prefix([' ', '\t', '\n']);
            let is_named = named.is_some_and(|named| words(named.trim_start(), object).next() == Some(0));
            let made = || text.get(..at)?.trim_end().strip_suffix("new")?.trim_end().strip_suffix('=');
            let is_made = || {
                made().is_some_and(|left| {
                    let left = left.trim_end();
                    words(left, object).last().is_some_and(|at| at + object.len() == left.len())
                })
            };
            (is_named || is_made()).then_some(n)
        })
    }

    /// Returns the number of type arguments in front of a member; `None` if something else than the
    /// type is there.
    fn given_before(&self, before: &str) -> Option<usize> {
        let object = before.trim_end().strip_suffix('.')?.trim_end();
        let at = object.rfind(&self.name)?;
        let behind = object.get(at + self.name.len()..)?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let is_whole = !object.get(..at)?.ends_with(is_word) && (behind.is_empty() || behind.ends_with('>'));
        if is_whole { n_type_arguments(behind) } else { None }
    }
}

impl<'s> Reader<'_, '_, 's> {
    /// Returns what distinguishes a declaration of a repository; `text` is its file's.
    pub(crate) fn distinction(&mut self, home: usize, one: &DeclarationView<'s>, text: &str) -> Distinction {
        if !is_distinct(one.file.language()) {
            return Distinction::default();
        }
        let elsewhere = self.overloads_elsewhere(home, one);
        let overload = Overload::of(one, text, &elsewhere);
        let arities = match overload.as_ref().filter(|one| one.has_types()) {
            Some(overload) => self.arities(home, one.file.language(), overload),
            None => Arities::new(),
        };
        let others = self.namesakes(home, one);
        let namesake = Namesake::of(one, text, &others, |other| self.text(home, other.file.path()));
        Distinction {
            overload,
            arities,
            ruby_method: RubyMethod::of(one, text),
            generic: self.generic(home, one, text),
            companion: CompanionSide::of(one, text),
            namesake,
            is_applied: is_applied(one, text),
        }
    }

    /// Returns the members of a declaration's type with its name that are in other files, with
    /// their texts.
    fn overloads_elsewhere(
        &mut self,
        home: usize,
        one: &DeclarationView<'s>,
    ) -> Vec<(DeclarationView<'s>, Arc<str>)> {
        let language = one.file.language();
        let class = class_around(&one.file, Some(one.ord));
        if !has_spread_overloads(language) || class.is_empty() || is_type(one.row.kind) {
            return Vec::new();
        }
        let is_here =
            |other: &DeclarationView<'_>| (other.file.part, other.file.ord) == (one.file.part, one.file.ord);
        let folder = |view: &DeclarationView<'s>| {
            let path = view.file.path();
            path.get(..path.iter().rposition(|&byte| byte == b'/').unwrap_or(0)).unwrap_or_default()
        };
        // The parts of a Swift module may be in several folders.
        let is_beside = |other: &DeclarationView<'s>| language == "swift" || folder(other) == folder(one);
        let mut others = self.namesakes(home, one);
        others.retain(|other| {
            !is_here(other)
                && is_of_one_type(one, other)
                && other.file.language() == language
                && class_around(&other.file, Some(other.ord)) == class
                && (language != "c-sharp" || other.symbol_path() == one.symbol_path())
                && is_beside(other)
        });
        let text = |other: DeclarationView<'s>| Some((other, self.text(home, other.file.path())?));
        others.into_iter().filter_map(text).collect()
    }

    /// Returns the type of C# that a declaration is or belongs to, if the number of its type
    /// parameters tells it from others.
    fn generic(&mut self, home: usize, one: &DeclarationView<'s>, text: &str) -> Option<GenericType> {
        if !matches!(one.file.language(), "c-sharp" | "razor") {
            return None;
        }
        let parent = one
            .row
            .parent
            .and_then(|ord| Some(DeclarationView { ord, row: one.file.segment.declaration(ord)?, ..*one }));
        let ty = if is_type(one.row.kind) { *one } else { parent? };
        if !is_type(ty.row.kind) || ty.row.kind == DeclarationKind::Module {
            return None;
        }
        let n_parameters = n_parameters(&ty, text)?;
        let others = self.namesakes(home, &ty).into_iter().filter(|other| is_type(other.row.kind));
        let is_other = |other: DeclarationView<'s>| {
            let text = self.text(home, other.file.path());
            text.and_then(|text| self::n_parameters(&other, &text)).is_some_and(|n| n != n_parameters)
        };
        let has_other = others.into_iter().any(is_other);
        let is_member = !is_type(one.row.kind) && one.row.kind != DeclarationKind::Constructor;
        has_other.then(|| GenericType { name: ty.name().to_owned(), n_parameters, is_member })
    }

    /// Returns other declarations with the name of a declaration.
    fn namesakes(&self, home: usize, one: &DeclarationView<'s>) -> Vec<DeclarationView<'s>> {
        let Some(graph) = self.graphs().graph(home) else { return Vec::new() };
        let all = graph.named(one.name()).unwrap_or_default();
        let all = all.into_iter().filter(|at| *at != reference(one)).take(MAX_NAMESAKES);
        all.filter_map(|at| self.view((home, at))).collect()
    }
}

/// Returns whether two members of types of one name may belong to the same type. A type in a
/// function is never that of another file. Only C# declares a type in several parts; elsewhere, one
/// of the two extends it.
fn is_of_one_type(one: &DeclarationView<'_>, other: &DeclarationView<'_>) -> bool {
    let is_declared_inside = |view: &DeclarationView<'_>| {
        let parent = view.row.parent.and_then(|parent| view.file.segment.declaration(parent));
        parent.is_some_and(|of| is_type(of.kind) && of.kind != DeclarationKind::Implementation)
    };
    !(is_in_function(one) || is_in_function(other))
        && (one.file.language() == "c-sharp" || !(is_declared_inside(one) && is_declared_inside(other)))
}

/// Returns whether a function is around a declaration.
fn is_in_function(one: &DeclarationView<'_>) -> bool {
    let segment = one.file.segment;
    let of = |ord: u32| Some((ord, segment.declaration(ord)?));
    let mut around = one.row.parent.and_then(of);
    while let Some((ord, row)) = around {
        if is_function(row.kind) {
            return true;
        }
        around = row.parent.filter(|&parent| parent < ord).and_then(of);
    }
    false
}

/// Returns whether a declaration is the method `apply` of an object of Scala. `text` is the file's.
fn is_applied(one: &DeclarationView<'_>, text: &str) -> bool {
    let is_apply = one.name() == "apply" && one.file.language() == "scala";
    let of = one.row.parent.filter(|_| is_apply).and_then(|parent| one.file.segment.declaration(parent));
    of.is_some_and(|of| {
        of.signature
            .of(text)
            .split_whitespace()
            .take_while(|word| *word != "class")
            .any(|word| word == "object")
    })
}

/// Returns the number of type parameters that a type declares.
fn n_parameters(ty: &DeclarationView<'_>, text: &str) -> Option<usize> {
    let signature = ty.row.signature.of(text);
    let at = words(signature, ty.name()).next()?;
    let behind = signature.get(at + ty.name().len()..)?;
    n_type_arguments(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_type_arguments_tells_types_apart() {
        let at = |before, behind| NameInText {
            kind: ReferenceKind::Type,
            behind,
            call: CallText { before, file: "", known: None, arities: None },
            around: None,
            is_certain: true,
            is_by_type: false,
        };
        let of = |n_parameters, is_member| GenericType { name: "Result".to_owned(), n_parameters, is_member };
        for (n, is_member, before, behind, expected) in [
            (0, false, "new ", "(1)", false),
            (0, false, "new ", "<int>(1)", true),
            (1, false, "class A : ", " {", true),
            (1, false, "typeof(", "<>)", false),
            (2, false, "", "<A, B> x", false),
            (0, true, "return Result.", "(1)", false),
            (0, true, "return Result<int>.", "(1)", true),
            (1, true, "return Result<List<int>>.", "(1)", false),
            (1, true, "return Result.", "(1)", true),
            (1, true, "return one.", "(1)", false),
            (1, true, "return MyResult.", "(1)", false),
            (1, true, "", "(1)", false),
        ] {
            let found = of(n, is_member).is_other(&at(before, behind));
            assert_eq!(found, expected, "{n} {before}{behind}");
        }
    }
}
