//! Definitions in other ones: the functions in a function, and the members of a class of Racket.
//!
//! A variable in a function is local, and so it is not declared. Those in a class are its fields.

use super::Lisp;
use super::definition::{Definition, OuterDefinition};
use super::dialect::{DefineForm, DialectKind};
use super::lexer::{Form, FormKind};
use crate::index::chunk::DeclarationKind as K;

impl Lisp<'_> {
    /// Returns a definition as it is in the one around it; `None` if it is local there.
    pub(super) fn in_another(
        &self,
        definition: Definition,
        around: Option<&OuterDefinition>,
    ) -> Option<Definition> {
        let Some(around) = around else { return Some(definition) };
        let mut definition = definition;
        let define = &mut definition.define;
        if around.kind == K::Class {
            define.kind = match define.kind {
                K::Function => K::Method,
                K::Variable => K::Field,
                kind => kind,
            };
            return Some(definition);
        }
        let is_known = !define.words.is_empty();
        let is_kept =
            matches!(define.kind, K::Class | K::Function | K::Macro | K::Method | K::Struct | K::Test);
        (is_known && is_kept).then_some(definition)
    }

    /// Returns the first form in a definition that may be another one; `None` if there is none.
    pub(super) fn body_of(&self, at: usize, definition: &Definition) -> Option<usize> {
        let children = self.children(at);
        let is_scheme = self.dialect.kind == DialectKind::Scheme;
        match definition.define.kind {
            K::Class if is_scheme && definition.head.is_none() => {
                children.get(2).copied().filter(|value| self.is_class(*value)).map(|value| value + 1)
            }
            K::Function | K::Method if definition.define.form == DefineForm::Function => {
                let value = children.get(2).copied();
                match definition.head {
                    Some(_) if is_scheme => value,
                    None if is_scheme => value.filter(|_| self.is_lambda(value)).map(|value| value + 1),
                    _ => children.get(3).copied(),
                }
            }
            K::Test if definition.define.form == DefineForm::Quoted => children.get(2).copied(),
            _ => None,
        }
    }

    /// Returns what a declared definition is for those in it.
    pub(super) fn around(&self, at: usize, definition: &Definition) -> Option<OuterDefinition> {
        let end = self.form(at)?.next as usize;
        let declaration = *self.declared.get(&at)?;
        Some(OuterDefinition { end, declaration, kind: definition.define.kind })
    }

    /// Returns the kind of a value of Scheme or Racket that is not a function.
    pub(super) fn kind_of_value(&self, value: Option<usize>) -> K {
        match value {
            Some(value) if self.is_class(value) => K::Class,
            Some(value) if matches!(self.word(value), "interface" | "interface*") => K::Interface,
            _ => K::Variable,
        }
    }

    /// Returns whether a value is a class of Racket.
    fn is_class(&self, value: usize) -> bool {
        matches!(self.word(value), "class" | "class*" | "class/derived" | "mixin")
    }

    /// Declares the fields of a class: `(init-field name [count 0])`. Returns whether the list at a
    /// form is one of fields.
    pub(super) fn fields(&mut self, at: usize, word: &str, around: &[OuterDefinition]) -> bool {
        let Some(around) = around.last().filter(|one| one.kind == K::Class) else { return false };
        if !matches!(word, "field" | "init" | "init-field") {
            return false;
        }
        for field in self.children(at).into_iter().skip(1) {
            let is_alone = self.is(field, FormKind::Symbol);
            let name = if is_alone { Some(field) } else { self.children(field).first().copied() };
            self.member(field, name, K::Field, Some(around.declaration), None);
        }
        true
    }

    /// Returns whether a list is a clause of `cond-expand`.
    pub(super) fn is_clause(&self, at: usize, form: Form) -> bool {
        let is_scheme = self.dialect.kind == DialectKind::Scheme;
        is_scheme && form.kind == FormKind::List && self.dialect.define(self.word(at)).is_none()
    }
}
