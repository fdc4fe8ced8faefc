//! What a commit changed of a declaration.

/// A change that a commit made to a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum HistoryChange {
    /// It is new.
    Added,
    /// It was copied from a declaration that stayed.
    Copied,
    /// It was cut out of another declaration.
    Split,
    /// It came from another file.
    Moved,
    /// It had another name.
    Renamed,
    /// It was in another class or module.
    Scope,
    /// It was of another kind.
    Kind,
    /// Its signature changed.
    Signature,
    /// Its body changed.
    Body,
    /// A declaration in it changed, such as a method of a class, and nothing else of it.
    Members,
    /// Its documentation changed.
    Documentation,
    /// Its decorators, attributes or annotations changed.
    Annotations,
    /// Only its layout changed.
    Layout,
    /// The commit removed it.
    Removed,
    /// The clone has no older commit.
    CloneEnds,
    /// Versions of files before the commit are missing, so what it changed is unknown.
    Unknown,
}

impl HistoryChange {
    /// All of them, for parsing.
    const ALL: [Self; 16] = [
        Self::Added,
        Self::Copied,
        Self::Split,
        Self::Moved,
        Self::Renamed,
        Self::Scope,
        Self::Kind,
        Self::Signature,
        Self::Body,
        Self::Members,
        Self::Documentation,
        Self::Annotations,
        Self::Layout,
        Self::Removed,
        Self::CloneEnds,
        Self::Unknown,
    ];

    /// Returns its words, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::CloneEnds => "older commits are missing: shallow clone",
            Self::Unknown => "older versions of the file are missing",
            _ => self.name(),
        }
    }

    /// Returns its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Copied => "copied",
            Self::Split => "split",
            Self::Moved => "moved",
            Self::Renamed => "renamed",
            Self::Scope => "scope",
            Self::Kind => "kind",
            Self::Signature => "signature",
            Self::Body => "body",
            Self::Members => "members",
            Self::Documentation => "documentation",
            Self::Annotations => "annotations",
            Self::Layout => "layout",
            Self::Removed => "removed",
            Self::CloneEnds => "cut off (shallow clone)",
            Self::Unknown => "cut off (missing files)",
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|change| change.name() == name)
    }
}
