//! Chunking: (language, text) → chunks, declarations, references and comments.
//!
//! Owns the types of a chunked file and [`chunk`], the pure function that makes one. `parse` makes
//! a syntax tree, `walk` reads declarations and mentions from it, `types` and `uses` complete the
//! mentions, `container` adds the parts in other languages, and `cut` makes the chunks.
//!
//! This stage sees no path, no Git and no clock. Broken syntax never makes it fail. Time and memory
//! are bounded for hostile input: a text that the parser cannot finish is cut into token windows.
//!
//! **Invariant: the chunks cover the text.** They are in order, only token windows overlap, and
//! every line that is not blank is in a chunk. A notebook is the exception: only its cells are.

mod atom;
mod bare_calls;
mod candidate;
mod container;
mod cut;
mod declare;
mod detect;
pub(crate) mod doc_text;
mod documents;
mod embedded;
mod ends;
mod fences;
mod header;
mod identifiers;
mod imports;
mod item_macros;
mod lang;
mod language;
mod lines;
mod links;
mod markup;
mod members;
mod mention;
mod node;
mod notebook;
mod own_members;
mod parse;
mod parts;
mod pieces;
mod places;
mod razor;
mod recovery;
mod resolve;
mod scan;
mod sections;
mod self_words;
mod sql_parts;
mod strings;
mod table;
#[cfg(test)]
mod tests;
mod type_rule;
mod types;
mod unnamed;
mod unparsed;
mod uses;
mod walk;
mod walk_result;
mod whole;
mod window;

pub use doc_text::{doc_text, first_sentence};
pub use documents::{Document, document, unescaped};
pub use embedded::{embedded_language, without_language};
pub use lang::constructors::CONSTRUCTOR_WORDS;
pub use lang::namespaces::NAMESPACE_WORDS;
pub use language::{CommentSyntax, Language, grammar, is_document};
pub use members::{MemberPlace, hidden_in, members};
pub use mention::{ATTRIBUTE_ALIAS, ATTRIBUTE_QUALIFIER, EXPORT_ALIAS, EXTENSION_WORD};
pub use notebook::{CellPlace, cell_line, cell_place};
pub use own_members::LOCAL_ALIAS;
pub use parse::MAX_PARSE_BYTES;
pub use places::{ReferencePlace, reference_places};
pub use self_words::{SelfWord, SelfWords};
pub use unnamed::{is_in_unnamed_namespace, unnamed_namespaces};
pub use unparsed::unparsed_bytes;

use crate::base::text::head;
use lines::{Lines, offset};
use mention::Mention;
use resolve::ResolvedTable;
use std::borrow::Cow;
use walk_result::WalkResult;

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
    /// backquotes: `` `graphql` ``. See [`embedded_language`].
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
    /// expression `()`. For an attribute of Elixir that is read, it is `@`.
    pub qualifier: String,
    /// The other name of the reference; empty if there is none.
    ///
    /// - Import: the local name, if it differs from `name`, or one of [`NAMESPACE_WORDS`], or
    ///   [`EXPORT_ALIAS`].
    /// - Call: the type of the qualifier as the file declares it, or an expression that leads to
    ///   the type (`open().log`, `<Store>.log`), or `()` if a local name hides another.
    /// - Call or use of a member of the type around (`self.f`, or `f`): that type, if the chunk
    ///   begins in another one; `()` outside of types.
    /// - Call or use of a name that a function around it declares: `{}`.
    /// - [`ReferenceKind::Inherits`]: the type that inherits.
    /// - [`ReferenceKind::Gives`]: the function or variable; for the type that a method of C#
    ///   extends, `this ` and the method.
    /// - Type that an attribute of C# names: `[]`.
    ///
    /// In a part of the file in another language, that language stands in front, in backquotes:
    /// `` `sql` ``. See [`embedded_language`].
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

/// Cuts a text into chunks. This is a pure function of its arguments, and it accepts any text.
///
/// A JSON-lines file that holds documents is cut per document. A program above [`MAX_PARSE_BYTES`],
/// or one that consists mostly of very long lines, is parsed in pieces. A text is cut into token
/// windows if its language has no grammar, if it is minified, if it is too large and no program, or
/// if it exceeds the parser's budget.
///
/// Costs about a third more than the parse; memory peaks at about 180 bytes per byte of text. See
/// `doc/experiments/chunking.md`.
pub fn chunk(language: Language, text: &str, options: &ChunkOptions) -> ChunkedFile {
    let text = clip(text);
    let parseable = parse::is_parseable(text);
    let scanner = language.scanner().filter(|_| !parseable);
    let masked = scanner.and_then(|_| pieces::with_long_lines_masked(text));
    let lines = Lines::new(masked.as_deref().unwrap_or(text));
    let reading = if masked.is_some() { Reading::Masked } else { Reading::of(parseable) };
    match cut_along_syntax(language, &lines, options, reading) {
        Ok((file, mentions)) => {
            let references = places::references(&file.declarations, &file.chunks, mentions);
            ChunkedFile { references, ..file }
        }
        Err(_) if masked.is_some() => windowed(Method::Fallback, text, &Lines::new(text), options),
        Err(file) => file,
    }
}

/// How a text can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// By a parser or a scanner.
    Whole,
    /// By a scanner, because its very long lines are masked.
    Masked,
    /// By a parser, in pieces.
    Pieces,
}

impl Reading {
    /// Returns how a text is read that is parseable as a whole, or not.
    fn of(parseable: bool) -> Self {
        if parseable { Self::Whole } else { Self::Pieces }
    }
}

/// Cuts a text along its syntax. Returns the file without its references, and the mentions that
/// they are made of. `Err` is the file if it is cut in another way.
fn cut_along_syntax<'t>(
    language: Language,
    lines: &'t Lines<'t>,
    options: &ChunkOptions,
    reading: Reading,
) -> Result<(ChunkedFile, Vec<Mention<'t>>), ChunkedFile> {
    let text = lines.text();
    let target = options.target_bytes.max(64);
    if language.is_notebook() {
        let cut = notebook::chunked(lines, target);
        return Err(cut.unwrap_or_else(|| windowed(Method::Fallback, text, lines, options)));
    }
    let scanner = language.scanner().filter(|_| reading != Reading::Pieces);
    let scanned = scanner.and_then(|scanner| Some(((scanner.scan)(lines)?, scanner.chunks)));
    let (walked, kind) = if let Some(scanned) = scanned {
        scanned
    } else if language.is_json_lines()
        && let Some(cut) = documents::cut(lines, target)
    {
        return Err(cut);
    } else {
        let Some(resolved) = language.resolved() else {
            return Err(windowed(Method::Windows, text, lines, options));
        };
        let limit = cut::limit(target);
        let walked = if reading == Reading::Whole {
            whole::walk(language, resolved, lines, limit)
        } else {
            pieces::walk(language, resolved, lines, limit)
        };
        let Some(walked) = walked else { return Err(windowed(Method::Fallback, text, lines, options)) };
        let walked = embedded::add(walked, lines);
        (container::add(language, walked, lines, limit), resolved.table.chunks)
    };
    let chunks = cut::cut(lines, &walked.declarations, &walked.atoms, target, kind);
    let WalkResult { mut declarations, mentions, mut comments, .. } = walked;
    in_order(&mut declarations);
    forget_parents_out_of_reach(&mut declarations);
    comments.retain(|comment| comment.start < comment.end);
    let (method, n_lines, references) = (Method::Syntax, lines.len(), Vec::new());
    Ok((ChunkedFile { method, n_lines, declarations, chunks, references, comments }, mentions))
}

/// Completes the mentions of a walk: the types of receivers, the uses of values, and the types that
/// inherit.
fn complete<'t>(resolved: &'static ResolvedTable, text: &'t str, walked: &mut WalkResult<'t>) {
    let WalkResult { declarations, mentions, bound, parameters, leaves, .. } = walked;
    let locals = types::local_declarations(declarations);
    let reads = uses::add(resolved, text, (declarations, &locals), bound, leaves, mentions);
    types::tell((declarations, bound), parameters, resolved, mentions, reads);
    uses::add_owners(text, mentions);
    // A chunk may hold several types.
    for mention in mentions.iter_mut().filter(|one| one.kind == ReferenceKind::Inherits) {
        let heir = mention.within.and_then(|at| declarations.get(at as usize));
        mention.alias = Cow::Owned(heir.map(|one| one.name.clone()).unwrap_or_default());
    }
    own_members::find(resolved, text, declarations, &locals, mentions);
}

/// Takes the parent from declarations for which a record would name another one: the last one
/// before it that is less deep. That happens behind a script in an element.
fn forget_parents_out_of_reach(declarations: &mut [Declaration]) {
    // The declarations that the next one can be in, outer before inner.
    let mut open: Vec<u32> = Vec::new();
    for (ord, one) in declarations.iter_mut().enumerate() {
        match one.parent.and_then(|parent| open.iter().rposition(|&at| at == parent)) {
            Some(depth) => open.truncate(depth + 1),
            None => {
                one.parent = None;
                open.clear();
            }
        }
        open.push(offset(ord));
    }
}

/// Makes declarations start in order. In broken syntax, a later declaration can have a lead that is
/// further up in the file.
fn in_order(declarations: &mut [Declaration]) {
    let (mut byte, mut line) = (0, 0);
    for declaration in declarations {
        let span = &mut declaration.span;
        if span.bytes.start < byte {
            span.bytes.start = byte;
            span.bytes.end = span.bytes.end.max(byte);
            span.start_line = span.start_line.max(line);
            span.end_line = span.end_line.max(span.start_line);
        }
        (byte, line) = (span.bytes.start, span.start_line);
        span.bytes.end = span.bytes.end.max(span.bytes.start);
        span.end_line = span.end_line.max(span.start_line);
        // Its parts stay inside the span, and none ends before it begins.
        declaration.name_line = declaration.name_line.clamp(span.start_line, span.end_line);
        let signature = &mut declaration.signature;
        signature.start = signature.start.clamp(span.bytes.start, span.bytes.end);
        signature.end = signature.end.clamp(signature.start, span.bytes.end);
        for part in [&mut declaration.body, &mut declaration.doc] {
            let start = part.start.clamp(span.bytes.start, span.bytes.end);
            let end = part.end.clamp(start, span.bytes.end);
            *part = if start < end { ByteRange { start, end } } else { ByteRange::default() };
        }
    }
}

/// Parses with the parser of [`chunk`] and does nothing else; returns whether there is a tree of
/// the whole text. Benchmarks compare chunking with this.
pub fn parse_only(language: Language, text: &str) -> bool {
    parse::is_parseable(text) && parse::parse(language, text).is_some()
}

/// Returns the part of a text that `u32` offsets can address.
fn clip(text: &str) -> &str {
    head(text, u32::MAX as usize - 1)
}

/// Builds a file of token windows. Its only references are links.
fn windowed(method: Method, text: &str, lines: &Lines<'_>, options: &ChunkOptions) -> ChunkedFile {
    let chunks = window::windows(text, lines, options);
    let mut mentions = Vec::new();
    if parse::is_parseable(text) {
        links::links(text, |at, name| {
            let kind = ReferenceKind::Link;
            mentions.push(Mention::new(offset(at), kind, name, Cow::Borrowed("")));
        });
    }
    let references = places::references(&[], &chunks, mentions);
    ChunkedFile {
        method,
        n_lines: lines.len(),
        declarations: Vec::new(),
        chunks,
        references,
        comments: Vec::new(),
    }
}
