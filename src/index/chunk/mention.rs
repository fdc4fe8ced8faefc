//! A name that a text mentions, before it is assigned to a chunk.
//!
//! Mentions borrow their names from the text; they become references once the chunks are known.

use super::ReferenceKind;
use std::borrow::Cow;

/// Longest name in bytes; a longer text is not a name.
pub(super) const MAX_NAME: usize = 256;

/// The qualifier of an attribute of Elixir that is read: `@limit`.
pub const ATTRIBUTE_QUALIFIER: &str = "@";

/// Begins the alias of the type that a method of C# extends; the method's name follows.
pub const EXTENSION_WORD: &str = "this ";

/// The alias of a type that is named as an attribute of C#, maybe without the end of its name.
pub const ATTRIBUTE_ALIAS: &str = "[]";

/// The qualifier of what says that a method of Python has no implementation; the alias is this, a
/// blank and the class.
pub const ABSTRACT_QUALIFIER: &str = "@abstract";

/// The qualifier of a parameter that is a fixture of pytest.
pub const FIXTURE_QUALIFIER: &str = "@fixture";

/// Begins the alias of what makes a function a fixture; the function's name follows.
pub const FIXTURE_ALIAS: &str = "@fixture ";

/// The alias of a fixture that has the name of the fixture around the parameter.
pub const OUTER_FIXTURE_ALIAS: &str = "super()";

/// The alias of an import whose names a library of Dart hands on. No prefix can be called so.
pub const EXPORT_ALIAS: &str = "export";

/// A mention that is not yet assigned to a chunk.
#[derive(Debug, Clone)]
pub(super) struct Mention<'t> {
    pub(super) at: u32,
    pub(super) kind: ReferenceKind,
    pub(super) name: &'t str,
    pub(super) qualifier: Cow<'t, str>,
    pub(super) alias: Cow<'t, str>,
    /// The declaration that contains the mention; not set for imports and links.
    pub(super) within: Option<u32>,
    /// Whether it may mean a member of the type around it.
    pub(super) is_own: bool,
    /// Whether it is a member of the qualifier's type, not of the qualifier (`x = .open` of Swift).
    pub(super) is_implicit: bool,
    /// The first byte of the name itself, which `at` may be in front of.
    pub(super) name_at: u32,
}

impl<'t> Mention<'t> {
    /// Returns a mention without alias.
    pub(super) fn new(at: u32, kind: ReferenceKind, name: &'t str, qualifier: Cow<'t, str>) -> Self {
        let alias = Cow::Borrowed("");
        Self {
            at,
            kind,
            name,
            qualifier,
            alias,
            within: None,
            is_own: false,
            is_implicit: false,
            name_at: at,
        }
    }
}
