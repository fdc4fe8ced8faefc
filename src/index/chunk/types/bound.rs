//! A binding: a name, what it holds, and where it is known.

use crate::index::chunk::ByteRange;
use std::borrow::Cow;

/// The place of a name with a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place<'t> {
    /// A name in this declaration, or at the top of the file.
    Local(Option<u32>),
    /// A member of the type that this declaration is, or that it names as its scope.
    Member(u32),
    /// A member of the type with this name.
    MemberOf(&'t str),
}

/// The source of a type.
#[derive(Debug, Clone)]
pub(super) enum Value<'t> {
    /// The type that is written like this.
    Type(&'t str),
    /// The type of this expression.
    Same(Cow<'t, str>),
    /// The type is not declared.
    Unknown,
}

/// A binding: a name with a type, or a function with the type of its result.
#[derive(Debug, Clone)]
pub(in crate::index::chunk) struct Bound<'t> {
    pub(super) name: &'t str,
    pub(super) is_result: bool,
    /// Whether a type is written for it.
    pub(super) is_written: bool,
    /// Whether it is an assignment, which declares nothing new.
    pub(super) is_assigned: bool,
    /// Whether it is a function, and the value is what a decorator makes of it.
    pub(super) is_decorated: bool,
    pub(super) place: Place<'t>,
    /// The declaration that contains it.
    pub(super) within: Option<u32>,
    pub(super) at: u32,
    /// The bytes in which it hides other names.
    pub(super) scope: ByteRange,
    /// The byte from which on a call of the name is one of its value.
    pub(super) known_from: u32,
    /// The first byte of the name.
    pub(super) name_at: u32,
    pub(super) value: Value<'t>,
    pub(super) kind: BoundKind,
}

/// What a binding says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundKind {
    /// That the name has a value, maybe of a known type.
    Value,
    /// Only that the name means something else there: a type parameter, a label.
    Hiding,
    /// That a test has shown the type of the name, which is bound elsewhere.
    Narrowed,
    /// That a function imports the name. It hides what the file declares outside functions.
    Import,
}

impl BoundKind {
    /// Returns whether it says which value the name has.
    pub(super) fn has_value(self) -> bool {
        matches!(self, Self::Value | Self::Narrowed)
    }
}

impl<'t> Bound<'t> {
    /// Returns the binding of a local name, which begins at a byte, to an unknown value.
    pub(super) fn local((name, name_at): (&'t str, u32), within: Option<u32>, scope: ByteRange) -> Self {
        Self {
            name,
            is_result: false,
            is_written: false,
            is_assigned: false,
            is_decorated: false,
            place: Place::Local(within),
            within,
            at: name_at,
            scope,
            known_from: scope.start,
            name_at,
            value: Value::Unknown,
            kind: BoundKind::Value,
        }
    }

    /// Returns the name, and where it begins.
    pub(in crate::index::chunk) fn name(&self) -> (&'t str, u32) {
        (self.name, self.name_at)
    }

    /// Returns where the name of a new variable, parameter or field begins. An assignment is not
    /// new, unless it declares what it assigns to.
    pub(in crate::index::chunk) fn new_name(&self, is_declared: bool) -> Option<u32> {
        let is_new = self.kind != BoundKind::Narrowed && (is_declared || !self.is_assigned);
        is_new.then_some(self.name_at)
    }

    /// Returns whether it hides other names. A function is found by its declaration.
    pub(super) fn hides(&self) -> bool {
        !self.is_result && !self.is_decorated && self.kind != BoundKind::Narrowed
    }

    /// Changes the indices of declarations.
    pub(in crate::index::chunk) fn map(&mut self, moved: impl Fn(u32) -> u32) {
        match &mut self.place {
            Place::Local(Some(at)) | Place::Member(at) => *at = moved(*at),
            Place::Local(None) | Place::MemberOf(_) => {}
        }
        self.within = self.within.map(moved);
    }
}
