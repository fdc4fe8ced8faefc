//! Chunking: (language, text) → chunks, declarations, references and comments.
//!
//! Owns [`chunk`], the pure function that makes a chunked file. `parse` makes a syntax tree, `walk`
//! reads declarations and mentions from it, `types` completes the mentions, `embedded` adds the
//! parts in other languages, and `cut` makes the chunks.
//!
//! This part sees no path, no Git and no clock. Broken syntax never makes it fail. Time and memory
//! are bounded for hostile input: a text that the parser cannot finish is cut into token windows.
//!
//! **Invariant: the chunks cover the text.** They are in order, only token windows overlap, and
//! every line that is not blank is in a chunk. A notebook is the exception: only its cells are.

mod atom;
mod chunked_file;
mod cut;
mod detect;
pub(crate) mod doc_text;
mod documents;
mod embedded;
mod ends;
mod header;
mod item_macros;
mod lang;
mod language;
mod lines;
mod links;
mod members;
mod notebook;
mod outermost;
mod own_instances;
mod parse;
mod pieces;
mod places;
mod prose;
mod razor;
mod recovery;
mod region;
mod resolve;
mod scan;
mod sections;
mod self_words;
mod table;
#[cfg(test)]
mod tests;
mod type_rule;
mod types;
mod unnamed;
mod unparsed;
mod walk;
mod whole;
mod window;

pub use chunked_file::{
    ByteRange, Chunk, ChunkKind, ChunkOptions, ChunkedFile, Declaration, DeclarationKind, Method, Reference,
    ReferenceKind, Span,
};
pub use detect::{has_headers, is_document, is_settings};
pub use doc_text::{doc_text, first_sentence};
pub use documents::{Document, document, unescaped};
pub use embedded::{embedded_language, without_language};
pub use lang::constructors::CONSTRUCTOR_WORDS;
pub use lang::cpp_using::OPENED_ALIAS;
pub use lang::namespaces::NAMESPACE_WORDS;
pub use lang::opened_modules::OPEN_WORD;
pub use lang::ruby_classes::{SUPER_WORD, is_singleton_method};
pub use language::{CommentSyntax, Language, grammar};
pub use members::{MemberPlace, MemberUses, has_members, member_uses, members, members_of_each};
pub use notebook::{CellPlace, cell_line, cell_place};
pub use parse::{MAX_PARSE_BYTES, is_parseable};
pub use places::{ReferencePlace, reference_places};
pub use prose::Prose;
pub use self_words::{SelfWord, SelfWords};
pub use unnamed::{is_in_unnamed_namespace, unnamed_namespaces};
pub use unparsed::unparsed_bytes;
pub use walk::mention::{
    ABSTRACT_QUALIFIER, ATTRIBUTE_ALIAS, ATTRIBUTE_QUALIFIER, EXPORT_ALIAS, EXTENSION_WORD, FIXTURE_ALIAS,
    FIXTURE_QUALIFIER, OUTER_FIXTURE_ALIAS, QUOTED_ALIAS,
};
pub use walk::own_members::LOCAL_ALIAS;

use crate::base::text::head;
use embedded::{container, fences, markup, sql_parts, strings};
use lang::{cpp_aliases, opened_modules, rust_scopes};
use lines::{Lines, offset};
use resolve::ResolvedTable;
use std::borrow::Cow;
use std::collections::HashSet;
use walk::mention::Mention;
use walk::walk_result::WalkResult;
use walk::{
    declare, identifiers, imports, leaf_prefix, mention, node, own_members, owners, parts, uses, walk_result,
};

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
    let merged = language.scanner().filter(|_| parseable).and_then(|_| recovery::without_markers(text));
    let lines = Lines::new(masked.as_deref().or(merged.as_deref()).unwrap_or(text));
    let reading = if masked.is_some() { Reading::Masked } else { Reading::of(parseable) };
    match cut_along_syntax(language, &lines, options, reading) {
        Ok((file, mentions)) => {
            let references = places::references(&file.declarations, &file.chunks, mentions);
            ChunkedFile { references, ..file }
        }
        Err(_) if masked.is_some() => windowed(Method::Fallback, text, &Lines::new(text), options),
        Err(file) => *file,
    }
}

/// Cuts a text whose syntax errors are known to hide nothing, as [`chunk`] does but without looking
/// for a better reading of them, which takes several parses. The file has no references. `None` if
/// the text is not cut along its syntax as a whole.
pub fn chunk_as_written(language: Language, text: &str, options: &ChunkOptions) -> Option<ChunkedFile> {
    if !parse::is_parseable(text) {
        return None;
    }
    cut_along_syntax(language, &Lines::new(text), options, Reading::AsWritten).ok().map(|(file, _)| file)
}

/// How a text can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// By a parser or a scanner.
    Whole,
    /// By a parser or a scanner, with all syntax errors.
    AsWritten,
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
) -> Result<(ChunkedFile, Vec<Mention<'t>>), Box<ChunkedFile>> {
    let text = lines.text();
    let target = options.target_bytes.max(64);
    if language.is_notebook() {
        let cut = notebook::chunked(lines, target);
        return Err(Box::new(cut.unwrap_or_else(|| windowed(Method::Fallback, text, lines, options))));
    }
    let scanner = language.scanner().filter(|_| reading != Reading::Pieces);
    let scanned = scanner.and_then(|scanner| Some(((scanner.scan)(lines)?, scanner.chunks)));
    let limit = cut::limit(target);
    let (walked, kind) = if let Some((walked, kind)) = scanned {
        (container::add(language, walked, lines, limit), kind)
    } else if language.is_json_lines()
        && let Some(cut) = documents::cut(lines, target)
    {
        return Err(Box::new(cut));
    } else {
        let Some(resolved) = language.resolved() else {
            return Err(Box::new(windowed(Method::Windows, text, lines, options)));
        };
        let walked = match reading {
            Reading::Whole => whole::walk(language, resolved, lines, limit, true),
            Reading::AsWritten => whole::walk(language, resolved, lines, limit, false),
            Reading::Masked | Reading::Pieces => pieces::walk(language, resolved, lines, limit),
        };
        let Some(walked) = walked else {
            return Err(Box::new(windowed(Method::Fallback, text, lines, options)));
        };
        let walked = embedded::add(walked, lines);
        (container::add(language, walked, lines, limit), resolved.table.chunks)
    };
    let chunks = cut::cut(lines, &walked.declarations, &walked.atoms, target, kind);
    let WalkResult { mut declarations, mentions, mut comments, errors, .. } = walked;
    in_order(&mut declarations);
    forget_parents_out_of_reach(&mut declarations, language);
    comments.retain(|comment| comment.start < comment.end);
    let file = ChunkedFile {
        method: Method::Syntax,
        n_lines: lines.len(),
        declarations,
        chunks,
        references: Vec::new(),
        comments,
        errors,
    };
    Ok((file, mentions))
}

/// Completes the mentions of a walk: the types of receivers, the uses of values, and the types that
/// inherit.
fn complete<'t>(resolved: &'static ResolvedTable, text: &'t str, walked: &mut WalkResult<'t>) {
    let WalkResult { declarations, mentions, bound, parameters, leaves, .. } = walked;
    types::mark_imported(text, mentions, bound);
    let locals = types::local_declarations(declarations);
    let shadowed = types::ShadowedNames::new(declarations, &locals, bound, resolved.table.has_own_calls);
    let bindings = uses::FileBindings { text, declarations, locals: &locals, bound, shadowed };
    let mut reads = uses::add(resolved, &bindings, leaves, mentions);
    reads.extend(mentions.extract_if(.., |one| one.is_read));
    types::tell(declarations, bound, parameters, resolved, mentions, reads);
    owners::add(resolved.table, &bindings, mentions);
    // A chunk may hold several types.
    let is_unsaid = |one: &&mut Mention<'t>| one.kind == ReferenceKind::Inherits && one.alias.is_empty();
    for mention in mentions.iter_mut().filter(is_unsaid) {
        let heir = mention.within.and_then(|at| declarations.get(at as usize));
        mention.alias = Cow::Owned(heir.map(|one| one.name.clone()).unwrap_or_default());
    }
    if resolved.table.has_bare_calls {
        own_instances::construct(text, declarations, mentions);
    }
    if resolved.table.has_type_paths {
        cpp_aliases::expand(text, mentions);
    }
    types::qualify(declarations, mentions, resolved.separator);
    if resolved.has_inner_scopes {
        rust_scopes::settle(text, declarations, mentions);
    }
    own_members::find(resolved, text, declarations, &locals, mentions);
    if resolved.table.opens_modules {
        opened_modules::settle(declarations, mentions);
    }
    drop_backticks(declarations, mentions);
    if resolved.table.folds_case {
        fold_case(declarations, mentions);
    }
}

/// Writes names in lower case, for a language in which they are the same in any case. The
/// preprocessor of C tells its macros by case.
fn fold_case(declarations: &mut [Declaration], mentions: &mut [Mention<'_>]) {
    let is_macro = |one: &&Declaration| one.kind == DeclarationKind::Macro;
    let macros: HashSet<String> = declarations.iter().filter(is_macro).map(|one| one.name.clone()).collect();
    for one in declarations.iter_mut().filter(|one| one.kind != DeclarationKind::Macro) {
        one.name.make_ascii_lowercase();
        one.scope.make_ascii_lowercase();
    }
    for one in mentions.iter_mut().filter(|one| !macros.contains(&*one.name)) {
        for part in [&mut one.name, &mut one.qualifier, &mut one.alias] {
            if part.bytes().any(|byte| byte.is_ascii_uppercase()) {
                part.to_mut().make_ascii_lowercase();
            }
        }
    }
}

/// Drops the backticks around names, which only allow other characters in a name: `` `is empty` ``
/// of Kotlin. The walk keeps them, because the places of names in the text depend on their length.
fn drop_backticks(declarations: &mut [Declaration], mentions: &mut [Mention<'_>]) {
    for one in declarations {
        for name in [&mut one.name, &mut one.scope] {
            if let Some(plain) = without_backticks(name) {
                *name = plain.to_owned();
            }
        }
    }
    for one in mentions {
        if let Cow::Borrowed(name) = one.name
            && let Some(plain) = without_backticks(name)
        {
            (one.name, one.name_at) = (Cow::Borrowed(plain), one.name_at + 1);
        }
        for part in [&mut one.qualifier, &mut one.alias] {
            if let Some(plain) = without_backticks(part) {
                *part = Cow::Owned(plain.to_owned());
            }
        }
    }
}

/// Returns a name without the backticks around it; `None` if it has none.
fn without_backticks(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('`')?.strip_suffix('`')?;
    (!inner.is_empty() && !inner.contains('`')).then_some(inner)
}

/// Takes the parent from declarations for which a record would name another one: the last one
/// before it that is less deep. That happens behind a script in an element, and behind a package
/// of Perl in another one; there, the outer package becomes the scope.
fn forget_parents_out_of_reach(declarations: &mut [Declaration], language: Language) {
    let names: Vec<String> = match language.name() {
        "perl" => declarations.iter().map(|one| one.name.clone()).collect(),
        _ => Vec::new(),
    };
    // The declarations that the next one can be in, outer before inner.
    let mut open: Vec<u32> = Vec::new();
    for (ord, one) in declarations.iter_mut().enumerate() {
        match one.parent.and_then(|parent| open.iter().rposition(|&at| at == parent)) {
            Some(depth) => open.truncate(depth + 1),
            None => {
                let outer = one.parent.take().and_then(|parent| names.get(parent as usize));
                if let Some(outer) = outer.filter(|_| one.scope.is_empty()) {
                    one.scope.clone_from(outer);
                }
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
        errors: None,
    }
}
