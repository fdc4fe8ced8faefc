//! Words that stand for the current object, its class, or what that inherits.
//!
//! Owns [`SelfWords`]: language → words. A word counts only in its own language: `parent` is the
//! superclass in PHP, and an ordinary name elsewhere. A convention counts like a keyword where
//! nearly everybody keeps it, as with Python's `self`.

/// The words of a language for the current object and for what it inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelfWords {
    /// Words for the object or its class.
    own: &'static [&'static str],
    /// Words for the object as one of its supertypes.
    inherited: &'static [&'static str],
}

/// The meaning of a word for the current object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SelfWord {
    /// The object or its class, with all members.
    Own,
    /// The object with inherited members only.
    Inherited,
}

impl SelfWords {
    /// Words of a language that has none of its own here, such as one in an example.
    const COMMON: Self =
        Self { own: &["self", "this", "$this", "cls", "Self"], inherited: &["super", "super()"] };

    /// Returns the words of the language with that name.
    pub fn of(language: &str) -> Self {
        let (own, inherited): (&[&str], &[&str]) = match language {
            // In Fortran, `self` is a parameter with a type.
            "c" | "fortran" | "go" => (&[], &[]),
            "c-sharp" | "razor" => (&["this"], &["base"]),
            "cpp" => (&["this"], &[]),
            "dart" | "groovy" | "java" | "kotlin" | "scala" | "solidity" => (&["this"], &["super"]),
            "fsharp" => (&["this"], &["base"]),
            "astro" | "html" | "javascript" | "jsx" | "svelte" | "tsx" | "typescript" | "vue" => {
                (&["this"], &["super"])
            }
            // The sigil may have been removed. `shift` takes the object off the arguments.
            "perl" => (&["$self", "self", "$class", "class", "__PACKAGE__", "shift"], &["SUPER"]),
            // The sigil of `$this` may have been removed.
            "blade" | "php" => (&["$this", "this", "self", "static"], &["parent"]),
            "jupyter" | "python" => (&["self", "cls"], &["super()"]),
            "erb" | "gdscript" | "objective-c" | "ruby" => (&["self"], &["super"]),
            // `super` is a module.
            "rust" => (&["self", "Self"], &[]),
            "swift" => (&["self", "Self"], &["super"]),
            _ => return Self::COMMON,
        };
        Self { own, inherited }
    }

    /// Returns what a name stands for; `None` if it is an ordinary name.
    pub fn meaning(self, name: &str) -> Option<SelfWord> {
        if self.own.contains(&name) {
            Some(SelfWord::Own)
        } else {
            self.inherited.contains(&name).then_some(SelfWord::Inherited)
        }
    }

    /// Returns the usual word for the current object, if the language has one.
    pub(super) fn first_own(self) -> Option<&'static str> {
        self.own.first().copied()
    }

    /// Returns whether a name stands for the current object or its class.
    pub(super) fn is_own(self, name: &str) -> bool {
        self.own.contains(&name)
    }

    /// Returns whether a name stands for the current object, its class, or what they inherit.
    pub(super) fn contains(self, name: &str) -> bool {
        self.meaning(name).is_some()
    }
}

impl Default for SelfWords {
    fn default() -> Self {
        Self::COMMON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_in_its_own_language_only() {
        for (language, name, expected) in [
            ("php", "parent", Some(SelfWord::Inherited)),
            ("java", "parent", None),
            ("php", "$parent", None),
            ("c-sharp", "base", Some(SelfWord::Inherited)),
            ("kotlin", "base", None),
            ("python", "super()", Some(SelfWord::Inherited)),
            ("python", "this", None),
            ("java", "self", None),
            ("go", "this", None),
            ("rust", "Self", Some(SelfWord::Own)),
            ("rust", "super", None),
            ("lua", "self", Some(SelfWord::Own)),
            ("lua", "me", None),
        ] {
            assert_eq!(SelfWords::of(language).meaning(name), expected, "{name} in {language}");
        }
    }
}
