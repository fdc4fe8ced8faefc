//! A reference to a name, as the text around it shows it.

use crate::index::chunk::ReferenceKind;
use crate::search::graph::overload::CallText;
use crate::search::segment::DeclarationView;

/// A reference to a name in a text.
#[derive(Clone, Copy)]
pub(crate) struct NameInText<'t, 's> {
    pub(crate) kind: ReferenceKind,
    /// The text behind the name.
    pub(crate) behind: &'t str,
    /// The texts in front of it.
    pub(crate) call: CallText<'t>,
    /// The declaration around it.
    pub(crate) around: Option<DeclarationView<'s>>,
    /// Whether its evidence is certain so far.
    pub(crate) is_certain: bool,
    /// Whether the name is that of the type, and a method is meant that constructs it.
    pub(crate) is_by_type: bool,
}
