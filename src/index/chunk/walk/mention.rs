//! A name that a text mentions, before it is assigned to a chunk.
//!
//! Mentions borrow their names from the text, unless the text writes a name in several parts. They
//! become references once the chunks are known.

use crate::index::chunk::ReferenceKind;
use std::borrow::Cow;

/// Longest name in bytes; a longer text is not a name.
pub(in crate::index::chunk) const MAX_NAME: usize = 256;

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

/// The alias of an import of Elixir in a `quote`: it counts where the module is used (`use A`).
pub const QUOTED_ALIAS: &str = "quote";

/// A mention that is not yet assigned to a chunk.
#[derive(Debug, Clone)]
pub(in crate::index::chunk) struct Mention<'t> {
    pub(in crate::index::chunk) at: u32,
    pub(in crate::index::chunk) kind: ReferenceKind,
    pub(in crate::index::chunk) name: Cow<'t, str>,
    pub(in crate::index::chunk) qualifier: Cow<'t, str>,
    pub(in crate::index::chunk) alias: Cow<'t, str>,
    /// The declaration that contains the mention; not set for imports and links.
    pub(in crate::index::chunk) within: Option<u32>,
    /// Whether it may mean a member of the type around it.
    pub(in crate::index::chunk) is_own: bool,
    /// Whether a module around it counts as the type around it.
    pub(in crate::index::chunk) is_in_modules: bool,
    /// Whether it is a member of the qualifier's type, not of the qualifier (`x = .open` of Swift).
    pub(in crate::index::chunk) is_implicit: bool,
    /// Whether it may name a value instead of a type, as in a pattern. The use of a value that the
    /// file knows comes first.
    pub(in crate::index::chunk) may_be_value: bool,
    /// Whether it is a member that counts only if the type of its qualifier is known.
    pub(in crate::index::chunk) is_read: bool,
    /// Whether a value is assigned to it, which in Ruby calls another method than reading does.
    pub(in crate::index::chunk) is_assigned: bool,
    /// The first byte of the name itself, which `at` may be in front of.
    pub(in crate::index::chunk) name_at: u32,
}

impl<'t> Mention<'t> {
    /// Replaces the first name of the qualifier and, in a call or a use, that of the type in the
    /// alias. `replacement` returns what to write instead; `None` keeps a name.
    pub(in crate::index::chunk) fn replace_first_names(
        &mut self,
        replacement: impl Fn(&str) -> Option<String>,
    ) {
        // Elsewhere, the alias is not a type.
        let has_type = matches!(self.kind, ReferenceKind::Call | ReferenceKind::Use);
        let alias = Some(&mut self.alias).filter(|_| has_type);
        for part in alias.into_iter().chain([&mut self.qualifier]) {
            let start = usize::from(part.starts_with('<'));
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_');
            let len = part.get(start..).and_then(|rest| rest.find(is_end)).unwrap_or(part.len() - start);
            let Some(first) = part.get(start..start + len) else { continue };
            if let Some(whole) = replacement(first) {
                part.to_mut().replace_range(start..start + len, &whole);
            }
        }
    }

    /// Returns a mention without alias.
    pub(in crate::index::chunk) fn new(
        at: u32,
        kind: ReferenceKind,
        name: impl Into<Cow<'t, str>>,
        qualifier: Cow<'t, str>,
    ) -> Self {
        let alias = Cow::Borrowed("");
        Self {
            at,
            kind,
            name: name.into(),
            qualifier,
            alias,
            within: None,
            is_own: false,
            is_in_modules: false,
            is_implicit: false,
            may_be_value: false,
            is_read: false,
            is_assigned: false,
            name_at: at,
        }
    }
}
