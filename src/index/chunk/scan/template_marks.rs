//! The marks around the tags of template languages.

/// Longest tag in bytes; a longer one is not closed.
pub(in crate::index::chunk) const MAX_TAG: usize = 4000;

/// A template language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::index::chunk) enum Dialect {
    Erb,
    Jinja,
    Blade,
    Go,
}

impl Dialect {
    /// Returns the marks around a tag, and whether the tag is a comment. The longest come first.
    pub(in crate::index::chunk) fn marks(self) -> &'static [(&'static str, &'static str, bool)] {
        match self {
            Self::Erb => &[("<%#", "%>", true), ("<%", "%>", false)],
            Self::Jinja => &[("{#", "#}", true), ("{%", "%}", false), ("{{", "}}", false)],
            Self::Blade => &[("{{--", "--}}", true), ("{!!", "!!}", false), ("{{", "}}", false)],
            Self::Go => &[("{{/*", "*/", true), ("{{- /*", "*/", true), ("{{", "}}", false)],
        }
    }
}
