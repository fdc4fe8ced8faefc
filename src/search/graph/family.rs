//! Which languages call each other's names, and what a name needs there to be seen.

/// Languages whose declarations see each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Family<'s> {
    C,
    CSharp,
    Dart,
    Go,
    /// Java, Kotlin, Scala.
    Jvm,
    Php,
    Python,
    Ruby,
    Rust,
    /// JavaScript and TypeScript.
    Script,
    Swift,
    /// Any other, by name: it sees itself.
    Other(&'s str),
}

impl<'s> Family<'s> {
    /// The family of a language.
    pub(super) fn of(language: &'s str) -> Self {
        match language {
            "c" | "cpp" => Self::C,
            "c-sharp" => Self::CSharp,
            "dart" => Self::Dart,
            "go" => Self::Go,
            "java" | "kotlin" | "scala" => Self::Jvm,
            "php" => Self::Php,
            "python" => Self::Python,
            "ruby" => Self::Ruby,
            "rust" => Self::Rust,
            "javascript" | "jsx" | "typescript" | "tsx" => Self::Script,
            "swift" => Self::Swift,
            other => Self::Other(other),
        }
    }

    /// Whether members of the type around are called without a qualifier.
    pub(super) fn has_implicit_self(self) -> bool {
        matches!(self, Self::C | Self::CSharp | Self::Dart | Self::Jvm | Self::Ruby | Self::Swift)
    }

    /// Whether all files of a folder share a scope.
    pub(super) fn has_packages(self) -> bool {
        matches!(self, Self::Go | Self::Jvm)
    }

    /// Whether an import brings all names of what it names, not one.
    pub(super) fn imports_all(self) -> bool {
        matches!(self, Self::C | Self::CSharp | Self::Dart | Self::Ruby | Self::Swift)
    }

    /// Whether a name at the top level is seen everywhere, so that a single declaration is what is meant.
    pub(super) fn is_global(self) -> bool {
        match self {
            Self::C | Self::Swift => true,
            Self::Other(language) => matches!(language, "bash" | "sql" | "r"),
            _ => false,
        }
    }

    /// Whether a module's name has parts in front that no folder is called after.
    pub(super) fn has_prefixed_modules(self) -> bool {
        matches!(self, Self::CSharp | Self::Go | Self::Php | Self::Swift | Self::Other(_))
    }

    /// Whether dots separate the segments of a module's name.
    pub(super) fn has_dotted_modules(self) -> bool {
        match self {
            Self::CSharp | Self::Jvm | Self::Python | Self::Swift => true,
            Self::Other(language) => matches!(language, "haskell" | "elixir" | "julia" | "ocaml"),
            _ => false,
        }
    }

    /// Whether a qualifier is the object that the code itself belongs to; `Some(true)` if only its supertypes count.
    pub(super) fn is_self(self, qualifier: &str) -> Option<bool> {
        match qualifier {
            "self" | "this" | "cls" | "Self" | "$this" | "static" | "me" => Some(false),
            "super" | "super()" | "base" | "parent" => Some(true),
            _ => None,
        }
    }
}
