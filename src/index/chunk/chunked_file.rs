//! A chunked file: its chunks, declarations, references and comments.

/// A half-open range of byte offsets into the chunked text, `start <= end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ByteRange {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl ByteRange {
    /// Returns whether the range is empty. An absent part (no doc comment, no body) is an empty
    /// range.
    pub fn is_empty(&self) -> bool {
        self.end <= self.start
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns whether a byte offset is in the range.
    pub fn contains(&self, at: u32) -> bool {
        (self.start..self.end).contains(&at)
    }

    /// Returns the part of `text` in this range; empty if the range is not on character boundaries.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A position in the text: bytes 0-based and half-open, lines 1-based and inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Byte range.
    pub bytes: ByteRange,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
}

/// The kind of a declaration. Its discriminant is stored in records and never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum DeclarationKind {
    /// A free function or procedure, nested ones included.
    Function = 1,
    /// A function that belongs to a type.
    Method = 2,
    /// A constructor.
    Constructor = 3,
    /// A class or object type with behaviour.
    Class = 4,
    /// A record of fields.
    Struct = 5,
    /// An interface, trait, protocol or type class.
    Interface = 6,
    /// An enumeration or sum type.
    Enum = 7,
    /// One alternative of an enumeration.
    Variant = 8,
    /// A union.
    Union = 9,
    /// An alias or another named type.
    Type = 10,
    /// An implementation or extension block that adds to a type declared elsewhere.
    Implementation = 11,
    /// A module, namespace or package.
    Module = 12,
    /// A constant.
    Constant = 13,
    /// A variable outside any function.
    Variable = 14,
    /// A field or property of a type.
    Field = 15,
    /// A macro.
    Macro = 16,
    /// A test case that is declared by a call (`it("…")`, `test "…" do`).
    Test = 17,
    /// A section of a document under a heading.
    Section = 18,
    /// A key of structured data (YAML, JSON, TOML).
    Key = 19,
    /// A rule of a style sheet.
    Rule = 20,
    /// A table, view or index of a database schema.
    Table = 21,
    /// An element of markup.
    Element = 22,
}

/// A named thing that the file declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration {
    /// The bare name, as written.
    pub name: String,
    /// The type or namespace that the declaration names as its owner without being inside it: a Go
    /// method's receiver, or `A` of `void A::f() {}`. Otherwise empty; then `parent`, if there is
    /// one, is the only owner.
    ///
    /// If a part of the file in another language declares it, that language stands in front, in
    /// backquotes: `` `graphql` ``. See [`embedded_language`](super::embedded_language).
    pub scope: String,
    /// The kind.
    pub kind: DeclarationKind,
    /// The enclosing declaration: an index into [`ChunkedFile::declarations`], smaller than its
    /// own.
    pub parent: Option<u32>,
    /// The whole declaration, including its leading doc comment and decorators.
    pub span: Span,
    /// The line of the name, 1-based.
    pub name_line: u32,
    /// The signature: from the first token after doc comment and decorators to the start of the
    /// body.
    pub signature: ByteRange,
    /// The body, including its delimiters if the syntax has them; empty if there is none.
    pub body: ByteRange,
    /// The doc comment or docstring; empty if there is none. A docstring is inside `body`.
    pub doc: ByteRange,
}

/// The kind of a chunk. Its discriminant is stored in records and never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum ChunkKind {
    /// The head of the file: its first comments and imports.
    Head = 1,
    /// One whole declaration.
    Declaration = 2,
    /// A part of a declaration that is too large for one chunk; the first part holds its signature.
    Part = 3,
    /// Several small neighbouring declarations.
    Group = 4,
    /// Statements outside any declaration.
    Code = 5,
    /// A section of a document.
    Section = 6,
    /// Keys of structured data.
    Data = 7,
    /// A window of tokens, where the syntax is unknown or could not be parsed.
    Window = 8,
}

/// A span of source that is indexed and found as a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The position.
    pub span: Span,
    /// The kind.
    pub kind: ChunkKind,
    /// The declaration that the chunk is, is a part of, or (for a group) begins with: an index into
    /// [`ChunkedFile::declarations`].
    pub declaration: Option<u32>,
}

/// The kind of a reference. Its discriminant is stored in records and never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum ReferenceKind {
    /// Called, or constructed by a call.
    Call = 1,
    /// Imported from another module or file.
    Import = 2,
    /// Named as a type.
    Type = 3,
    /// Named as a supertype, an implemented interface or a mixin.
    Inherits = 4,
    /// A file or URL that a document or comment mentions; the name is the target as written.
    Link = 5,
    /// Named as a value: a function that is passed on, a decorator, a constant that is read.
    Use = 6,
    /// The type that a function returns or a variable holds; the alias is the function or variable.
    Gives = 7,
}

/// A mention of a name that is probably declared elsewhere.
///
/// Mentions in one chunk with the same name, kind, qualifier and alias are one reference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference {
    /// The chunk that contains the mention: an index into [`ChunkedFile::chunks`].
    pub chunk: u32,
    /// The kind.
    pub kind: ReferenceKind,
    /// The last segment of the name (`get` of `requests.get`); for a link, its whole target.
    pub name: String,
    /// The text before the last segment; empty if there is none.
    ///
    /// For a call it is the receiver (`self`, `requests`), for an import the module as written.
    /// Calls in a receiver are written without arguments (`open()`). A string is `""`, any other
    /// expression `()`. For an attribute of Elixir that is read, it is `@`. For a fixture of pytest
    /// that a parameter names, and for a function that is one, it is `@fixture`. For a method of
    /// Python without an implementation, it is `@abstract`.
    pub qualifier: String,
    /// The other name of the reference; empty if there is none.
    ///
    /// - Import: the local name, if it differs from `name`, or one of the words of a
    ///   namespace ([`super::NAMESPACE_WORDS`], [`super::OPENED_ALIAS`]), or
    ///   [`super::EXPORT_ALIAS`].
    /// - Call: the type of the qualifier as the file declares it, or an expression that leads to
    ///   the type (`open().log`, `<Store>.log`), or `()` if a local name hides another.
    /// - Call or use of a member of the type around (`self.f`, or `f`): that type, if the chunk
    ///   begins in another one; `()` outside of types.
    /// - Call or use of a name that a function around it declares: `{}`.
    /// - Call, type or use of a name that an opened module may have, in OCaml: `open ` and the
    ///   modules that are open there, innermost first ([`super::OPEN_WORD`]).
    /// - [`ReferenceKind::Inherits`]: the type that inherits, or another name for the type.
    /// - [`ReferenceKind::Gives`]: the function or variable; for the type that a method of C#
    ///   extends, `this ` and the method; for a fixture of pytest, `@fixture ` and the function;
    ///   for a method of Python without an implementation, `@abstract ` and the class.
    /// - Use of the outer fixture that a fixture of its name gets: `super()`.
    /// - Type that an attribute of C# names: `[]`.
    ///
    /// In a part of the file in another language, that language stands in front, in backquotes:
    /// `` `sql` ``. See [`embedded_language`](super::embedded_language).
    pub alias: String,
}

/// The way in which a file was cut. Its discriminant is stored in records and never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[non_exhaustive]
pub enum Method {
    /// Along its syntax tree.
    Syntax = 1,
    /// Into token windows, because its language has no grammar.
    Windows = 2,
    /// Into token windows, because the text cannot be parsed within the limits.
    Fallback = 3,
}

/// A chunked file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkedFile {
    /// The way in which the file was cut.
    pub method: Method,
    /// The number of lines of the text; a last line without a line feed counts.
    pub n_lines: u32,
    /// The declarations, by start, outer before inner.
    pub declarations: Vec<Declaration>,
    /// The chunks, in order.
    pub chunks: Vec<Chunk>,
    /// The references, ordered by chunk, kind, name, qualifier and alias; without duplicates.
    pub references: Vec<Reference>,
    /// The ranges of comments and docstrings, in order, not overlapping.
    pub comments: Vec<ByteRange>,
    /// The syntax errors, in order, of a text with one syntax tree in which each error hides
    /// nothing but its line. `None` otherwise: then the declarations of one place may depend on any
    /// other.
    pub errors: Option<Vec<ByteRange>>,
}

/// The sizes that chunking aims at. They change records, so the manifest stores them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkOptions {
    /// Target size of a chunk along the syntax tree, in bytes: smaller pieces are grouped up to
    /// about this size, larger ones are split.
    pub target_bytes: u32,
    /// Tokens per window, for texts without syntax.
    pub window_tokens: u32,
    /// Tokens that a window shares with the one before it.
    pub window_overlap: u32,
}

impl Default for ChunkOptions {
    fn default() -> Self {
        Self { target_bytes: 1500, window_tokens: 512, window_overlap: 64 }
    }
}
