//! One version of a file: a blob → its text and its declarations.
//!
//! Owns [`Version`]. No index is read: the blob is chunked as an index would chunk it, but a file
//! that an index skips (generated, vendored) is read too, because a name was asked for.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use bstr::{BStr, BString};

use super::excerpt;
use crate::answer::parts::{bare, is_separator, is_statement_end, own_signature};
use crate::answer::side::{sample_of, statement_names};
use crate::answer::signature::{ComparableSignature, comparable, is_block_word, on_one_line};
use crate::answer::view::labels::joined_path;
use crate::base::id::ObjectId;
use crate::base::text::path;
use crate::git::{Attributes, Blob, BlobSeries, EntryMode, Repository};
use crate::index::chunk::{ByteRange, Declaration, DeclarationKind, Language, Span, chunk};
use crate::index::{Indexer, Recorder, source};
use crate::search::Result;
use crate::search::graph::{WrittenName, can_announce, is_function, is_prototype_alone};

/// The text of one version of a file, and what it declares.
#[derive(Debug)]
pub(super) struct Version {
    pub(super) text: Arc<str>,
    pub(super) has_layout: bool,
    pub(super) language: Language,
    pub(super) entries: Vec<Entry>,
}

/// A declaration in a version.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) symbol: String,
    pub(super) kind: DeclarationKind,
    pub(super) line: u32,
    pub(super) span: Span,
    signature: ByteRange,
    body: ByteRange,
    doc: ByteRange,
    /// The declarations in it.
    inside: Vec<ByteRange>,
    /// All names of its statement, if it declares several.
    pub(super) names: Vec<String>,
}

/// The parts of a declaration, without anything that is only layout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Parts {
    /// Its words, without its name.
    pub(super) signature: String,
    pub(super) body: String,
    pub(super) doc: String,
    /// Decorators, attributes, annotations.
    pub(super) annotations: String,
    /// The declarations in it. Those in a function are its body.
    pub(super) members: String,
}

impl Entry {
    /// The declarations in it that have a history of their own. A function is read as a whole, with
    /// the functions in it.
    fn members(&self) -> &[ByteRange] {
        use DeclarationKind as Kind;
        match self.kind {
            Kind::Function | Kind::Method | Kind::Constructor | Kind::Macro | Kind::Test => &[],
            _ => &self.inside,
        }
    }
}

impl Version {
    /// The whole text of a declaration.
    pub(super) fn text_of(&self, entry: &Entry) -> &str {
        entry.span.bytes.of(&self.text)
    }

    /// The text of a declaration without its documentation.
    pub(super) fn code_of(&self, entry: &Entry) -> String {
        let pieces = without(entry.span.bytes, [&entry.doc].into_iter());
        pieces.into_iter().map(|piece| piece.of(&self.text)).collect()
    }

    /// The parts of a declaration.
    pub(super) fn parts(&self, entry: &Entry) -> Parts {
        let members = entry.members();
        let around = [entry.signature, entry.body, entry.doc];
        let annotations = without(entry.span.bytes, around.iter().chain(&entry.inside));
        let body = without(bare(&self.text, entry.body), members.iter().chain([&entry.doc]));
        let doc = if entry.doc.is_empty() { Vec::new() } else { vec![entry.doc] };
        let signature = self.comparable(entry);
        Parts {
            body: signature.value + &self.lines(&body, self.has_layout),
            signature: signature.declared,
            doc: self.lines(&doc, false),
            annotations: self.without_ends(&self.lines(&annotations, false)),
            members: self.lines(members, self.has_layout),
        }
    }

    /// The words of a declaration's signature, without its name.
    pub(super) fn signature(&self, entry: &Entry) -> String {
        self.comparable(entry).declared
    }

    fn comparable(&self, entry: &Entry) -> ComparableSignature {
        let names: Vec<&str> = entry.names.iter().map(String::as_str).collect();
        let signature = on_one_line(self.language.name(), entry.signature.of(&self.text));
        let own = own_signature(&signature, &names, &entry.name);
        comparable(self.language.name(), entry.kind, &own, &entry.name)
    }

    /// The lines of some pieces, trimmed; with layout, each with the number of lines it is under.
    fn lines(&self, pieces: &[ByteRange], has_layout: bool) -> String {
        let mut out = String::new();
        let mut columns: Vec<usize> = Vec::new();
        for piece in pieces {
            let mut at = piece.start as usize;
            for whole in piece.of(&self.text).split_inclusive('\n') {
                let (from, line) = (at, whole.trim());
                at += whole.len();
                if is_separator(line) {
                    continue;
                }
                if has_layout {
                    let column = column(&self.text, from + whole.len() - whole.trim_start().len());
                    while columns.pop_if(|last| *last >= column).is_some() {}
                    columns.push(column);
                    out.extend(std::iter::repeat_n(' ', columns.len() - 1));
                }
                out.push_str(line);
                out.push('\n');
            }
        }
        out
    }

    /// The lines of a text without the beginnings and ends of statements, which are layout.
    fn without_ends(&self, text: &str) -> String {
        let lines = text.lines().map(|line| line.trim_matches(is_statement_end));
        let is_told = |line: &&str| !line.is_empty() && !is_block_word(self.language.name(), line);
        lines.filter(is_told).collect::<Vec<_>>().join("\n")
    }

    /// A sample of the file, to compare it by.
    pub(super) fn sample(&self) -> Vec<u32> {
        sample_of(&self.text, self.entries.iter().map(|one| [one.span.bytes, one.signature]))
    }

    /// The declarations that a name means: a bare name, or a symbol path or its end. A path may
    /// have the separators of another language, as in `Type.name` for `Type::name`.
    pub(super) fn named(&self, name: &str) -> Vec<&Entry> {
        let separator = self.language.separator();
        let is_end = |symbol: &str| symbol.strip_suffix(name).is_some_and(|rest| rest.ends_with(separator));
        let means = |entry: &&Entry| entry.symbol == name || entry.name == name || is_end(&entry.symbol);
        let mut found: Vec<&Entry> = self.entries.iter().filter(means).collect();
        let written = WrittenName::parse(name);
        if found.is_empty() && written.n_qualifiers() > 0 {
            let means = |entry: &&Entry| entry.name == written.name && written.is_end_of(&entry.symbol);
            found.extend(self.entries.iter().filter(means));
        }
        found.sort_by_cached_key(|entry| {
            let is_announced = self.is_prototype(entry) || is_function(entry.kind) && entry.body.is_empty();
            (entry.symbol != name, is_announced, entry.line)
        });
        found
    }

    /// Whether a declaration only announces a function: a prototype of C, or an overload beside
    /// the implementation.
    pub(super) fn is_prototype(&self, entry: &Entry) -> bool {
        let announces = |one: &Entry| can_announce(self.language.name(), one.kind, one.body.len());
        let is_implementation =
            |one: &Entry| one.symbol == entry.symbol && is_function(one.kind) && !announces(one);
        announces(entry)
            && (is_prototype_alone(self.language.name()) || self.entries.iter().any(is_implementation))
    }

    /// The innermost declaration around a line.
    pub(super) fn at_line(&self, line: u32) -> Option<&Entry> {
        let around = |entry: &&Entry| (entry.span.start_line..=entry.span.end_line).contains(&line);
        self.entries.iter().filter(around).min_by_key(|entry| entry.span.bytes.len())
    }
}

/// The parts of a range outside of some others.
fn without<'r>(all: ByteRange, others: impl Iterator<Item = &'r ByteRange>) -> Vec<ByteRange> {
    let mut others: Vec<ByteRange> = others.filter(|range| !range.is_empty()).copied().collect();
    others.sort_unstable();
    let mut from = all.start;
    let mut pieces = Vec::new();
    for one in others {
        if one.end <= from || one.start >= all.end {
            continue;
        }
        pieces.push(ByteRange { start: from, end: one.start.max(from) });
        from = one.end.min(all.end);
    }
    pieces.push(ByteRange { start: from, end: all.end.max(from) });
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Columns between tab stops.
const TAB: usize = 8;

/// The column of a place in a text, from 0.
fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().fold(0, |column, c| if c == '\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// Reads versions, each once.
pub(super) struct VersionReader<'r> {
    indexer: &'r Indexer,
    blobs: BlobSeries,
    attributes: Attributes,
    max_bytes: u64,
    texts: HashMap<ObjectId, Option<Arc<str>>>,
    versions: HashMap<(ObjectId, BString), Option<Arc<Version>>>,
    /// By path.
    last: HashMap<BString, LastVersion>,
    /// Those of which only the declarations of a name were read.
    named: HashMap<(ObjectId, BString, String), Arc<Version>>,
    /// By path and name.
    last_named: HashMap<(BString, String), LastVersion>,
    missing: HashSet<ObjectId>,
}

/// Texts, and versions, that are kept in memory at the same time.
const KEPT: usize = 64;

/// Keeps a value, among at most [`KEPT`].
fn keep<K: Eq + Hash, V>(kept: &mut HashMap<K, V>, key: K, value: V) {
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(key, value);
}

impl<'r> VersionReader<'r> {
    /// Reads files with the attributes that they have in `tree`.
    pub(super) fn new(indexer: &'r Indexer, tree: ObjectId) -> Result<Self> {
        Ok(Self {
            indexer,
            blobs: indexer.repo().blob_series(),
            attributes: indexer.repo().attributes(tree)?,
            max_bytes: indexer.options().limits.max_file_bytes,
            texts: HashMap::new(),
            versions: HashMap::new(),
            last: HashMap::new(),
            named: HashMap::new(),
            last_named: HashMap::new(),
            missing: HashSet::new(),
        })
    }

    /// The blobs that were asked for and are missing or unreadable. A promised blob is missing if
    /// its remote does not answer.
    pub(super) fn missing(&self) -> &HashSet<ObjectId> {
        &self.missing
    }

    /// The text of a blob; `None` if it is too large, missing or no text. Only [`Self::missing`]
    /// tells a blob that is not here from one that has no declarations.
    pub(super) fn text(&mut self, blob: ObjectId) -> Result<Option<Arc<str>>> {
        if let Some(text) = self.texts.get(&blob) {
            return Ok(text.clone());
        }
        let text = match self.blobs.blob(blob, self.max_bytes)? {
            Blob::Bytes(bytes) => source::text(&bytes).map(Arc::from),
            Blob::TooLarge { .. } => None,
            Blob::Missing => {
                self.missing.insert(blob);
                None
            }
        };
        keep(&mut self.texts, blob, text.clone());
        Ok(text)
    }

    /// The version of a file with this blob.
    pub(super) fn version(&mut self, path: &BStr, blob: ObjectId) -> Result<Option<Arc<Version>>> {
        let name = path::name(path).to_owned();
        if let Some(version) = self.versions.get(&(blob, name.clone())) {
            return Ok(version.clone());
        }
        let version = self.text(blob)?.map(|text| self.read(path, &text));
        keep(&mut self.versions, (blob, name), version.clone());
        Ok(version)
    }

    /// The version of a file with this blob, with the declarations of a name, and with what is
    /// around them and in them. It may lack others.
    pub(super) fn version_of(
        &mut self,
        path: &BStr,
        blob: ObjectId,
        name: &str,
    ) -> Result<Option<Arc<Version>>> {
        let file_name = path::name(path).to_owned();
        if let Some(version) = self.versions.get(&(blob, file_name.clone())) {
            return Ok(version.clone());
        }
        let key = (blob, file_name, name.to_owned());
        if let Some(version) = self.named.get(&key) {
            return Ok(Some(Arc::clone(version)));
        }
        let Some(text) = self.text(blob)? else { return Ok(None) };
        let Some(version) = self.read_named(path, name, &text) else { return self.version(path, blob) };
        keep(&mut self.named, key, Arc::clone(&version));
        Ok(Some(version))
    }

    /// Reads what a version of a file declares under a name, if that takes only some parsing.
    fn read_named(&mut self, path: &BStr, name: &str, text: &Arc<str>) -> Option<Arc<Version>> {
        let options = &self.indexer.options().chunk;
        let key = (path.to_owned(), name.to_owned());
        let last = self.last_named.get(&key).or_else(|| self.last.get(path))?;
        let language = Recorder::language(path, text.as_bytes(), &self.attributes.of(path));
        if last.language != language {
            return None;
        }
        let found = excerpt::read_named(name, text, last.known(), options)?;
        let version = Arc::new(version(language, text, found.declarations.clone()));
        let (declarations, errors) = (found.declarations, found.errors);
        let last = LastVersion { language, text: Arc::clone(text), declarations, errors };
        keep(&mut self.last_named, key, last);
        Some(version)
    }

    /// Reads a version of a file. If it differs little from the last one in which no syntax error
    /// hides anything, only what differs is parsed.
    fn read(&mut self, path: &BStr, text: &Arc<str>) -> Arc<Version> {
        let language = Recorder::language(path, text.as_bytes(), &self.attributes.of(path));
        let options = &self.indexer.options().chunk;
        let last = self.last.get(path).filter(|last| last.language == language);
        let found = last.and_then(|last| excerpt::read(text, last.known(), options));
        let (declarations, errors) = match found {
            Some(found) => (found.declarations, Some(found.errors)),
            None => {
                let chunked = chunk(language, text, options);
                (chunked.declarations, chunked.errors)
            }
        };
        let version = Arc::new(version(language, text, declarations.clone()));
        if self.last.len() >= KEPT {
            self.last.clear();
        }
        if let Some(errors) = errors {
            let last = LastVersion { language, text: text.clone(), declarations, errors };
            // It knows more than those.
            self.last_named.retain(|(of, _), _| of != path);
            self.last.insert(path.to_owned(), last);
        }
        version
    }
}

/// The version of a file that was read last, of those in which no syntax error hides anything.
struct LastVersion {
    language: Language,
    text: Arc<str>,
    declarations: Vec<Declaration>,
    errors: Vec<ByteRange>,
}

impl LastVersion {
    fn known(&self) -> excerpt::KnownVersion<'_> {
        excerpt::KnownVersion {
            language: self.language,
            text: &self.text,
            declarations: &self.declarations,
            errors: &self.errors,
        }
    }
}

/// A version with these declarations.
fn version(language: Language, text: &Arc<str>, declarations: Vec<Declaration>) -> Version {
    let separator = language.separator();
    let symbols: Vec<String> = (0..declarations.len())
        .map(|at| joined_path(&declarations, u32::try_from(at).unwrap_or(u32::MAX), separator))
        .collect();
    let mut entries: Vec<Entry> = Vec::with_capacity(declarations.len());
    for (one, symbol) in declarations.into_iter().zip(symbols) {
        if let Some(outer) = one.parent.and_then(|parent| entries.get_mut(parent as usize)) {
            outer.inside.push(one.span.bytes);
        }
        entries.push(Entry {
            name: one.name,
            symbol,
            kind: one.kind,
            line: one.name_line,
            span: one.span,
            signature: one.signature,
            body: one.body,
            doc: one.doc,
            inside: Vec::new(),
            names: Vec::new(),
        });
    }
    let names = entries.iter().map(|one| (&*one.name, (one.span.bytes, one.signature)));
    let names = statement_names(names);
    for one in &mut entries {
        one.names = names.get(&(one.span.bytes, one.signature)).cloned().unwrap_or_default();
    }
    Version { text: Arc::clone(text), has_layout: language.has_layout(), language, entries }
}

/// The blob of a file in a commit.
pub(super) fn blob_in(repo: &Repository, commit: ObjectId, path: &BStr) -> Result<Option<ObjectId>> {
    let entry = repo.tree_entry(repo.commit(commit)?.tree, path)?;
    Ok(entry.filter(|entry| matches!(entry.mode, EntryMode::File | EntryMode::Executable)).map(|one| one.id))
}
