//! Language families: languages that see each other's declarations, and how a name becomes visible
//! there.
//!
//! Owns [`Family`] and the rules that several steps of resolution share: implicit objects,
//! packages, imports and module names. A language that is not listed is a family of its own.

use crate::index::chunk::{
    ATTRIBUTE_QUALIFIER, DeclarationKind, ReferenceKind, SelfWord, SelfWords, is_document,
};
use crate::search::segment::Mention;

use super::is_type;

/// A group of languages whose declarations see each other.
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
    /// JavaScript and TypeScript, and the documents that hold them.
    Script,
    Swift,
    /// Any other language, by name; it sees only itself.
    Other(&'s str),
}

/// Types that browsers and Node declare for scripts, in order
/// (<https://developer.mozilla.org/en-US/docs/Web/API>,
/// <https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects>).
const PLATFORM_TYPES: [&str; 89] = [
    "AbortController",
    "AbortSignal",
    "Array",
    "ArrayBuffer",
    "AsyncIterable",
    "AsyncIterator",
    "Attr",
    "Blob",
    "Body",
    "Boolean",
    "Buffer",
    "Cache",
    "CacheStorage",
    "Comment",
    "Console",
    "Crypto",
    "CryptoKey",
    "CustomEvent",
    "DOMException",
    "DOMParser",
    "DataTransfer",
    "DataView",
    "Date",
    "Document",
    "DocumentFragment",
    "Element",
    "Error",
    "Event",
    "EventSource",
    "EventTarget",
    "File",
    "FileList",
    "FileReader",
    "FormData",
    "Function",
    "HTMLElement",
    "Headers",
    "History",
    "IDBDatabase",
    "Image",
    "ImageData",
    "Iterable",
    "Iterator",
    "KeyboardEvent",
    "Location",
    "Map",
    "MessageChannel",
    "MessageEvent",
    "MessagePort",
    "MouseEvent",
    "MutationObserver",
    "Navigator",
    "Node",
    "NodeList",
    "Notification",
    "Number",
    "Object",
    "Option",
    "Performance",
    "PointerEvent",
    "Promise",
    "Proxy",
    "Range",
    "ReadableStream",
    "RegExp",
    "Request",
    "RequestInit",
    "Response",
    "ResponseInit",
    "Screen",
    "Selection",
    "Set",
    "Storage",
    "String",
    "Symbol",
    "Text",
    "TextDecoder",
    "TextEncoder",
    "TransformStream",
    "URL",
    "URLSearchParams",
    "Uint8Array",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "WebSocket",
    "Worker",
    "WritableStream",
    "XMLHttpRequest",
];

/// Scripts of a shell.
pub(super) const BASH: Family<'static> = Family::Other("bash");

/// Elixir, which writes `@` in front of an attribute.
pub(super) const ELIXIR: Family<'static> = Family::Other("elixir");

/// Perl, whose packages have full names that no import shortens.
const PERL: Family<'static> = Family::Other("perl");

/// Protocol Buffers, whose packages are not folders.
pub(super) const PROTOBUF: Family<'static> = Family::Other("protobuf");

/// Scheme and Racket, whose qualifiers are prefixes of imported names.
pub(super) const SCHEME: Family<'static> = Family::Other("scheme");

/// Haskell, whose types have a name space of their own.
const HASKELL: Family<'static> = Family::Other("haskell");

impl<'s> Family<'s> {
    /// Returns the family of a language.
    pub(super) fn of(language: &'s str) -> Self {
        match language {
            "assembly" | "c" | "cpp" | "objective-c" => Self::C,
            "c-sharp" | "razor" => Self::CSharp,
            "dart" => Self::Dart,
            "go" => Self::Go,
            "java" | "kotlin" | "scala" | "groovy" => Self::Jvm,
            "php" | "blade" => Self::Php,
            "python" | "jupyter" => Self::Python,
            "ruby" | "erb" => Self::Ruby,
            "rust" => Self::Rust,
            "javascript" | "jsx" | "typescript" | "tsx" | "html" | "vue" | "svelte" | "astro" => Self::Script,
            "swift" => Self::Swift,
            "scss" | "less" => Self::Other("css"),
            "racket" => Self::Other("scheme"),
            other => Self::Other(other),
        }
    }

    /// Returns whether the declarations of another family are visible. An example in a document can
    /// be in any language.
    pub(super) fn sees(self, other: Self) -> bool {
        self == other || self.is_document()
    }

    /// Returns whether it is not a programming language but a document with examples.
    pub(super) fn is_document(self) -> bool {
        matches!(self, Self::Other(language) if is_document(language))
    }

    /// Returns whether members of the type around are called without a qualifier.
    pub(super) fn has_implicit_self(self) -> bool {
        matches!(
            self,
            Self::C
                | Self::CSharp
                | Self::Dart
                | Self::Jvm
                | Self::Ruby
                | Self::Swift
                | Self::Other("gdscript" | "solidity" | "verilog" | "vhdl")
        )
    }

    /// Returns whether a value can name a key, as data does.
    pub(super) fn names_keys(self, other: Self, kind: DeclarationKind) -> bool {
        kind == DeclarationKind::Key && self == other && matches!(self, Self::Other("json" | "yaml"))
    }

    /// Returns whether all files of a folder share a scope.
    pub(super) fn has_packages(self) -> bool {
        matches!(self, Self::Go | Self::Jvm | Self::Other("terraform" | "yaml"))
    }

    /// Returns whether an import brings in all names of a module, not a single one.
    pub(super) fn imports_all(self) -> bool {
        match self {
            Self::C | Self::CSharp | Self::Dart | Self::Ruby | Self::Swift => true,
            Self::Other(language) => {
                matches!(
                    language,
                    "cmake"
                        | "css"
                        | "emacs-lisp"
                        | "fsharp"
                        | "glsl"
                        | "makefile"
                        | "ocaml"
                        | "ocaml-interface"
                        | "pascal"
                        | "powershell"
                        | "protobuf"
                        | "scheme"
                        | "verilog"
                        | "vhdl"
                )
            }
            _ => false,
        }
    }

    /// Returns whether a qualifier says nothing: there is none, or it is only a package, whose
    /// files the imports name (`shop.v1` of `shop.v1.Money`).
    pub(super) fn is_bare(self, qualifier: &str) -> bool {
        let last = qualifier.rsplit('.').next().unwrap_or(qualifier);
        qualifier.is_empty()
            || !self.has_owners()
            // A package of Common Lisp is declared apart from what is in it.
            || self == Self::Other("common-lisp")
            || self == SCHEME
            || self == ELIXIR && matches!(qualifier, ATTRIBUTE_QUALIFIER | "__MODULE__")
            || self == PROTOBUF && !last.starts_with(char::is_uppercase)
    }

    /// Returns whether a declaration belongs to what is around it. In SQL, the schema of a table is
    /// often left out: either where it is created or where it is read.
    pub(super) fn has_owners(self) -> bool {
        self != Self::Other("sql")
    }

    /// Returns the owner of the declarations that a qualifier stands for.
    pub(super) fn owner(self, qualifier: &str) -> &str {
        match qualifier {
            // Terraform declares `local.a` in a block `locals`.
            "local" if self == Self::Other("terraform") => "locals",
            _ => qualifier,
        }
    }

    /// Returns whether a top-level name is visible everywhere, so that its only declaration is
    /// meant.
    pub(super) fn is_global(self) -> bool {
        match self {
            Self::C | Self::Swift => true,
            Self::Other(language) => {
                matches!(
                    language,
                    "bash"
                        | "cmake"
                        | "common-lisp"
                        | "css"
                        | "emacs-lisp"
                        | "fortran"
                        | "gdscript"
                        | "graphql"
                        | "makefile"
                        | "powershell"
                        | "protobuf"
                        | "r"
                        | "sql"
                        | "verilog"
                        | "vhdl"
                        | "xml"
                )
            }
            _ => false,
        }
    }

    /// Returns whether a module's name begins with parts that are not names of folders.
    pub(super) fn has_prefixed_modules(self) -> bool {
        matches!(self, Self::CSharp | Self::Go | Self::Php | Self::Swift | Self::Other(_))
    }

    /// Returns whether dots separate the segments of a module's name.
    pub(super) fn has_dotted_modules(self) -> bool {
        match self {
            Self::CSharp | Self::Jvm | Self::Python | Self::Swift => true,
            Self::Other(language) => {
                matches!(
                    language,
                    "clojure" | "elixir" | "elm" | "fsharp" | "haskell" | "julia" | "lua" | "ocaml"
                )
            }
            _ => false,
        }
    }

    /// Returns whether a dot stands behind an object as well as behind a module or a type.
    pub(super) fn has_members_behind_dots(self) -> bool {
        matches!(self, Self::CSharp | Self::Dart | Self::Go | Self::Jvm | Self::Python | Self::Script)
    }

    /// Returns whether a file declares the full names of its modules, whatever its path, and has
    /// all its names inside of them.
    pub(super) fn declares_modules(self) -> bool {
        self == ELIXIR || self == PERL
    }

    /// Returns whether the name of a module means the same everywhere, and an import gives it no
    /// other one.
    pub(super) fn has_full_names(self) -> bool {
        self == PERL
    }

    /// Returns whether an import of all names of a module can bring in a declaration of this kind.
    /// A method of Perl is called on an object.
    pub(super) fn exports(self, kind: DeclarationKind) -> bool {
        self != PERL || kind != DeclarationKind::Method
    }

    /// Returns whether the platform of a script, a browser or Node, declares a type of this name.
    /// `Window` is left out, because modules add to it.
    pub(super) fn is_type_of_platform(self, name: &str) -> bool {
        self == Self::Script && PLATFORM_TYPES.binary_search(&name).is_ok()
    }

    /// Returns whether every object has a member of this name: its library declares one for all.
    pub(super) fn is_on_every_object(self, name: &str) -> bool {
        let names: &[&str] = match self {
            Self::CSharp => &["Equals", "GetHashCode", "GetType", "ToString"],
            Self::Dart => &["noSuchMethod", "toString"],
            Self::Jvm => {
                &["clone", "equals", "getClass", "hashCode", "notify", "notifyAll", "toString", "wait"]
            }
            Self::Ruby => &[
                "class",
                "dup",
                "freeze",
                "hash",
                "inspect",
                "is_a?",
                "kind_of?",
                "method",
                "methods",
                "nil?",
                "object_id",
                "public_send",
                "respond_to?",
                "send",
                "tap",
                "to_s",
            ],
            Self::Script => &[
                "apply",
                "bind",
                "call",
                "constructor",
                "hasOwnProperty",
                "toLocaleString",
                "toString",
                "valueOf",
            ],
            _ => &[],
        };
        names.contains(&name)
    }

    /// Returns whether a file is a module, and that is the table that the file returns.
    pub(super) fn returns_tables(self) -> bool {
        self == Self::Other("lua")
    }

    /// Returns whether a file sees types by the namespaces that it declares and opens, whatever the
    /// folders.
    pub(super) fn sees_namespaces(self) -> bool {
        self == Self::CSharp
    }

    /// Returns the end of a type's name that an attribute leaves out (`[Test]` means
    /// `TestAttribute`).
    pub(super) fn attribute_suffix(self) -> Option<&'static str> {
        (self == Self::CSharp).then_some("Attribute")
    }

    /// Returns whether the way in which a name is written fits the kind of a declaration. In
    /// Haskell, no value is a type. In Elixir, `@` stands in front of an attribute, and a call in
    /// code is never one of a type.
    pub(super) fn fits_syntax(self, kind: DeclarationKind, mention: &Mention<'_>) -> bool {
        let is_value = matches!(mention.kind, ReferenceKind::Call | ReferenceKind::Use);
        match mention.kind {
            // A value of Haskell is constructed by an alternative of its type.
            _ if self == HASKELL => !is_value || !is_type(kind),
            _ if self != ELIXIR => true,
            ReferenceKind::Call => !matches!(kind, DeclarationKind::Type | DeclarationKind::Constant),
            ReferenceKind::Use => {
                (kind == DeclarationKind::Constant) == (mention.qualifier == ATTRIBUTE_QUALIFIER)
            }
            _ => true,
        }
    }

    /// Returns whether a qualifier is the name of the file that declares what follows it.
    pub(super) fn has_file_modules(self) -> bool {
        matches!(self, Self::Other("elm" | "erlang" | "haskell" | "ocaml" | "ocaml-interface"))
    }

    /// Returns whether a name in front of another one is that of a file that is a module.
    pub(super) fn names_file(self, name: &str) -> bool {
        let is_small = self == Self::Other("erlang");
        self.has_file_modules() && (is_small || name.starts_with(char::is_uppercase))
    }

    /// Returns whether an import of a module brings in what the module declares.
    pub(super) fn opens_modules(self) -> bool {
        matches!(self, Self::Other("fsharp" | "julia" | "verilog" | "vhdl"))
    }

    /// Returns whether `self` means the file, outside of types.
    pub(super) fn has_file_objects(self) -> bool {
        self == Self::Other("gdscript")
    }

    /// Returns whether an import of a name is that of a file, all of which it brings in.
    pub(super) fn includes(self, name: &str) -> bool {
        self == Self::Other("julia") && name.ends_with(".jl")
    }

    /// Returns whether an import names a file with its extension.
    pub(super) fn imports_files(self) -> bool {
        matches!(self, Self::Script | Self::Other("gdscript" | "nix" | "zig"))
    }

    /// Returns whether the name of a module may begin with a capital letter, as that of a type
    /// does.
    pub(super) fn has_capital_modules(self) -> bool {
        self.has_file_modules() || self.imports_files() && self != Self::Script
    }

    /// Returns whether a file may be a type, whose functions are at its top: `const A = @This();`
    /// of Zig, and `class_name A` of GDScript.
    pub(super) fn has_file_types(self) -> bool {
        matches!(self, Self::Other("gdscript" | "zig"))
    }

    /// Returns whether members of a type are named like functions of the module, without the type:
    /// alternatives, fields of Haskell, and methods of Lisps.
    pub(super) fn has_free_members(self, kind: DeclarationKind) -> bool {
        match kind {
            DeclarationKind::Variant => {
                matches!(self, Self::Other("elm" | "haskell" | "ocaml" | "ocaml-interface"))
            }
            DeclarationKind::Field => self == HASKELL,
            // The functions of a protocol, and those that read a slot.
            DeclarationKind::Method => matches!(self, Self::Other("clojure" | "common-lisp" | "emacs-lisp")),
            _ => false,
        }
    }

    /// Returns whether a bare name that the file neither declares nor imports is one of the
    /// language's own library.
    pub(super) fn has_named_imports(self) -> bool {
        self == Self::Other("clojure")
    }

    /// Returns whether a call means a generic function rather than the methods of its name.
    pub(super) fn has_generic_functions(self) -> bool {
        matches!(self, Self::Other("clojure" | "common-lisp" | "emacs-lisp"))
    }

    /// Returns `Some` if a qualifier is the object that the code of a file belongs to: `Some(true)`
    /// if only its supertypes count. `file_language` is the language of the file.
    pub(super) fn is_self(self, file_language: &str, qualifier: &str) -> Option<bool> {
        let language = match self {
            // In C and C++, `self` is an ordinary name.
            Self::C if file_language == "objective-c" => file_language,
            Self::C => "cpp",
            Self::CSharp => "c-sharp",
            Self::Dart => "dart",
            Self::Go => "go",
            Self::Jvm => "java",
            Self::Php => "php",
            Self::Python => "python",
            Self::Ruby => "ruby",
            Self::Rust => "rust",
            Self::Script => "typescript",
            Self::Swift => "swift",
            Self::Other(language) => language,
        };
        SelfWords::of(language).meaning(qualifier).map(|meaning| meaning == SelfWord::Inherited)
    }
}

/// Returns whether a language has a word for a method that may be declared again, or for one that
/// does: `open`, `virtual`, `override`.
pub(super) fn declares_overrides(language: &str) -> bool {
    matches!(language, "c-sharp" | "cpp" | "kotlin" | "scala" | "swift")
}

/// Returns whether a language has a name space for methods and another for values.
pub(super) fn separates_methods(language: &str) -> bool {
    matches!(language, "blade" | "java" | "php")
}

/// Returns whether code of a language uses names of other files without an import.
pub(super) fn has_global_names(language: &str) -> bool {
    matches!(language, "assembly" | "common-lisp" | "emacs-lisp" | "verilog")
}

/// Returns whether members of the type around are called without a qualifier in a language.
pub(crate) fn has_implicit_self(language: &str) -> bool {
    Family::of(language).has_implicit_self()
}

/// Returns whether the declarations of two languages see each other.
pub(crate) fn is_one_family(one: &str, other: &str) -> bool {
    Family::of(one) == Family::of(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::chunk::Language;

    #[test]
    fn types_of_the_platform_are_in_order() {
        assert!(super::PLATFORM_TYPES.is_sorted());
    }

    #[test]
    fn a_family_has_an_implicit_object_if_a_language_of_it_does() {
        for language in Language::all().map(Language::name) {
            let family = Family::of(language);
            let of_family = Language::all().filter(|one| Family::of(one.name()) == family);
            let known: Vec<Language> = of_family.filter(|one| !one.lacks_grammar()).collect();
            if !known.is_empty() {
                // A language that is read by lines has no table to say so.
                let expected = known.iter().any(|one| one.has_implicit_self() || one.name() == "verilog");
                assert_eq!(family.has_implicit_self(), expected, "{language}");
            }
        }
    }
}
