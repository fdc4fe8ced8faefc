//! The types of arguments that are calls or constants: text of a call → types, as the declarations
//! of what its arguments name tell.
//!
//! Only what leaves no doubt counts: all declarations of the name have one result type. The types
//! of parameters are looked up, too: which of them are functions, and of how many parameters.

use std::collections::BTreeSet;

use crate::index::chunk::DeclarationKind;
use crate::search::graph::overload::{
    Arities, KnownTypes, NamedResult, Overload, is_factory, named_results, parameters, result_type,
};
use crate::search::graph::{class_around, is_function, is_type};
use crate::search::segment::DeclarationView;

use super::distinction::Distinction;
use super::reader::Reader;

/// A name with more declarations than this tells no type.
const MAX_DECLARATIONS: usize = 40;

impl<'s> Reader<'_, '_, 's> {
    /// Returns the types of the arguments that a call passes, as far as declarations tell them.
    /// `behind` is the text after the name of the call. Empty if types don't tell what it `means`.
    pub(crate) fn known_types<'t>(
        &mut self,
        means: &Distinction,
        home: usize,
        language: &str,
        behind: &'t str,
    ) -> KnownTypes<'t> {
        if !means.has_types() {
            return KnownTypes::new();
        }
        let named = named_results(behind).into_iter();
        named.filter_map(|(text, one)| Some((text, self.type_of_result(home, language, one)?))).collect()
    }

    fn type_of_result(&mut self, home: usize, language: &str, of: NamedResult<'_>) -> Option<String> {
        let key = match of {
            NamedResult::Call { owner, name } => format!("{owner}.{name}()"),
            NamedResult::Constant { owner } => format!("{owner}."),
        };
        let key = (home, key);
        if let Some(known) = self.results.get(&key) {
            return known.clone();
        }
        let found = match of {
            NamedResult::Constant { owner } => {
                let types = self.declared(home, language, owner);
                let is_enum = |one: &DeclarationView<'_>| one.row.kind == DeclarationKind::Enum;
                let mut types = types.iter().filter(|one| is_type(one.row.kind)).peekable();
                (types.peek().is_some() && types.all(is_enum)).then(|| owner.to_owned())
            }
            NamedResult::Call { owner, name } => self.result_of(home, language, owner, name),
        };
        self.results.insert(key, found.clone());
        found
    }

    /// Returns the result type that all functions of a name declare.
    fn result_of(&mut self, home: usize, language: &str, owner: &str, name: &str) -> Option<String> {
        let is_declared = |one: &DeclarationView<'_>| is_type(one.row.kind);
        if !owner.is_empty() && !self.declared(home, language, owner).iter().any(is_declared) {
            return is_factory(owner, name).then(|| owner.to_owned());
        }
        let mut found: Option<String> = None;
        for one in self.declared(home, language, name) {
            let is_it = is_function(one.row.kind) && one.row.kind != DeclarationKind::Constructor;
            let class = class_around(&one.file, Some(one.ord));
            if !is_it || !owner.is_empty() && class != owner {
                continue;
            }
            let text = self.text(home, one.file.path())?;
            let ty = result_type(one.row.signature.of(&text), name)?;
            if found.as_ref().is_some_and(|known| *known != ty) {
                return None;
            }
            found = Some(ty);
        }
        found
    }

    /// Returns the functional interfaces among the parameters of overloads, each with the number of
    /// parameters of its only method without a body.
    pub(super) fn arities(&mut self, home: usize, language: &str, of: &Overload) -> Arities {
        let is_name = |ty: &&str| ty.starts_with(char::is_uppercase) && !ty.ends_with("[]");
        let names: BTreeSet<&str> = of.parameter_types().filter(is_name).collect();
        names.into_iter().filter_map(|ty| Some((ty.to_owned(), self.arity(home, language, ty)?))).collect()
    }

    fn arity(&mut self, home: usize, language: &str, ty: &str) -> Option<usize> {
        let types = self.declared(home, language, ty);
        let mut types = types.iter().filter(|one| is_type(one.row.kind));
        let interface = types.next().filter(|one| one.row.kind == DeclarationKind::Interface)?;
        if types.next().is_some() {
            return None;
        }
        let text = self.text(home, interface.file.path())?;
        let is_open = |one: &DeclarationView<'_>| {
            is_function(one.row.kind) && one.row.parent == Some(interface.ord) && one.row.body.is_empty()
        };
        let mut open = interface.file.declarations().filter(is_open);
        let (method, None) = (open.next()?, open.next()) else { return None };
        let takes = parameters(&method, &text)?;
        (takes.start() == takes.end()).then_some(*takes.start())
    }

    /// Returns the declarations of a name in a language; none if there are too many.
    fn declared(&self, home: usize, language: &str, name: &str) -> Vec<DeclarationView<'s>> {
        let Some(graph) = self.graphs().graph(home) else { return Vec::new() };
        let all = graph.named(name).unwrap_or_default();
        if all.len() > MAX_DECLARATIONS {
            return Vec::new();
        }
        let views = all.into_iter().filter_map(|at| self.view((home, at)));
        views.filter(|one| one.file.language() == language).collect()
    }
}
