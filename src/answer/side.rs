//! One side of a file that differs: its record and its text → declarations and chunks to compare.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use bstr::{BStr, BString, ByteSlice};

use super::fields::constructor_of_fields;
use super::iota::iota_ordinal;
use super::likeness;
use super::line_map::LineMap;
use super::parts::{DeclarationParts, hash, outside, pieces};
use super::view::Change;
use super::visibility::{
    DeclarationText, ModuleLanguage, OutermostName, SourceText, Visibility, visibilities,
};
use crate::base::text::{counted, example};
use crate::index::chunk::{
    ByteRange, DeclarationKind, Language, Span, embedded_language, has_members, without_language,
};
use crate::index::record::{self, RecordView, Scratch};
use crate::search::Result;
use crate::search::graph::{is_function, is_type};

/// Minimum bytes of a body, without blanks, to match a renamed declaration. Shorter bodies are
/// alike by chance.
const BODY: usize = 60;
/// Minimum bytes of a body, without blanks, that says something beside a signature that is alike.
/// `{ return nil }` says nothing.
const SHORT_BODY: usize = 20;

/// A side of a file as far as it can be compared.
pub(super) enum SideContent {
    /// The file is not there, or an index skips it.
    Nothing,
    /// The file is there, but its content is missing or unreadable.
    Unreadable,
    /// The file was read.
    Read(Side),
}

impl SideContent {
    /// Returns the side, if it was read.
    fn into_side(self) -> Option<Side> {
        match self {
            Self::Read(side) => Some(side),
            Self::Nothing | Self::Unreadable => None,
        }
    }
}

/// The files that differ.
#[derive(Default)]
pub(super) struct Files {
    /// Both sides of each, as far as they have any.
    pub(super) read: Vec<File>,
    /// The files with a side that can't be read. A comparison of the other side with nothing would
    /// claim that all its declarations were added or removed.
    pub(super) unreadable: Vec<BString>,
}

impl Files {
    /// Adds a file.
    pub(super) fn push(&mut self, path: BString, [old, new]: [SideContent; 2]) {
        if [&old, &new].into_iter().any(|side| matches!(side, SideContent::Unreadable)) {
            self.unreadable.push(path);
        } else {
            self.read.push(File { path, old: old.into_side(), new: new.into_side() });
        }
    }

    /// Returns how many files differ, compared or not.
    pub(super) fn len(&self) -> usize {
        self.read.len() + self.unreadable.len()
    }

    /// Returns the limits of the comparison, for people.
    pub(super) fn notes(&self) -> Vec<String> {
        let n = self.unreadable.len();
        let note = |first: &BString| {
            let (files, it) = (counted(n, "file is", "files are"), if n == 1 { "it" } else { "each" });
            format!("{files} not compared {}, because a version of {it} can't be read", example(n, first))
        };
        self.unreadable.first().map(note).into_iter().collect()
    }
}

/// A file that differs.
pub(super) struct File {
    pub(super) path: BString,
    pub(super) old: Option<Side>,
    pub(super) new: Option<Side>,
}

/// A declaration of one side: its file and its ordinal there.
pub(super) type SideDeclaration = (usize, usize);

/// One side of a file that differs.
pub(super) struct Side {
    pub(super) language: String,
    pub(super) declarations: Vec<DeclarationEntry>,
    /// The places of chunks, whether a declaration is in or around them, and their text.
    pub(super) chunks: Vec<(Span, bool, u64)>,
    /// A sample of all declarations, as of one.
    pub(super) sample: Vec<u32>,
    /// The text, for members that the record leaves out; empty in a language without any.
    pub(super) text: String,
}

pub(super) struct DeclarationEntry {
    pub(super) name: String,
    pub(super) symbol: String,
    pub(super) kind: DeclarationKind,
    pub(super) line: u32,
    pub(super) span: Span,
    /// As far as its file tells.
    pub(super) visibility: Visibility,
    /// The ordinal of the declaration around it.
    pub(super) parent: Option<u32>,
    pub(super) has_body: bool,
    /// The signature of the constructor that it gets from its fields, in Python.
    pub(super) constructor: Option<String>,
    pub(super) parts: DeclarationParts,
    /// Its own text, without declarations inside, except those in a function.
    pub(super) own: u64,
    /// Hash of its body; 0 if the body is too short to match.
    pub(super) body: u64,
    /// Hash of a body that is too short to match alone; 0 if it is longer, or says nothing at all.
    pub(super) short_body: u64,
    /// Whether it is directly in a type.
    pub(super) is_member: bool,
    /// Hash of the signature of the declaration around it; 0 without one. It tells members of
    /// several `impl` blocks of one type apart.
    pub(super) around: u64,
    /// The smallest hashes of its own pairs of neighbouring words, in order: a sample to compare it
    /// by. Documentation does not count, and its name is the same word as that of any other.
    pub(super) sample: Vec<u32>,
    /// How many such pairs it has.
    pub(super) n_pairs: u32,
}

/// A declaration of a side, by its ordinal.
pub(super) fn declared(side: &Option<Side>, ord: usize) -> Option<&DeclarationEntry> {
    side.as_ref()?.declarations.get(ord)
}

/// Most hashes in a sample. An estimated likeness is off by 50 thousandths on average.
const SAMPLE: usize = 64;

/// Reads a side from its record and its text.
pub(super) fn read(path: &BStr, view: &RecordView<'_>, text: &str) -> Result<Side> {
    let language = Language::from_name(view.language());
    let separator = language.map_or(".", Language::separator);
    let has_layout = language.is_some_and(Language::has_layout);
    let path = path.to_str_lossy();
    let mut side = Side {
        language: view.language().to_owned(),
        declarations: Vec::new(),
        chunks: Vec::new(),
        sample: Vec::new(),
        text: language
            .filter(|language| has_members(*language))
            .map_or_else(String::new, |_| text.to_owned()),
    };
    let mut inner: HashMap<u32, Vec<ByteRange>> = HashMap::new();
    let mut ranges: Vec<[ByteRange; 3]> = Vec::new();
    let mut scopes: Vec<String> = Vec::new();
    let mut chunks = Vec::new();
    view.visit(&mut Scratch::default(), |chunk| -> std::result::Result<(), record::Error> {
        let is_declared = chunk.chunk.declaration.is_some() || !chunk.declarations.is_empty();
        chunks.push((chunk.chunk.span, is_declared));
        for one in chunk.declarations {
            // Code in a string is not a member of the function around it.
            let parent = one.parent.filter(|_| embedded_language(one.scope).is_none());
            let around = parent.and_then(|parent| side.declarations.get(parent as usize));
            let outer = around.map(|outer| outer.symbol.as_str()).unwrap_or_default();
            let symbol =
                [outer, without_language(one.scope), one.name].into_iter().filter(|part| !part.is_empty());
            let symbol = symbol.collect::<Vec<_>>().join(separator);
            let signature = parent.and_then(|parent| ranges.get(parent as usize)).map(|ranges| ranges[0]);
            let is_member = around.is_some_and(|around| is_type(around.kind));
            let around_hash = signature.map_or(0, |signature| hash(text, [signature], false).0);
            let entry = DeclarationEntry {
                name: one.name.to_owned(),
                symbol,
                kind: one.kind,
                line: one.name_line,
                span: one.span,
                visibility: Visibility::Unknown,
                parent,
                has_body: !one.body.is_empty(),
                constructor: None,
                parts: DeclarationParts::default(),
                own: 0,
                body: 0,
                short_body: 0,
                is_member,
                around: around_hash,
                sample: Vec::new(),
                n_pairs: 0,
            };
            if let Some(parent) = parent {
                inner.entry(parent).or_default().push(one.span.bytes);
            }
            ranges.push([one.signature, one.body, one.doc]);
            scopes.push(one.scope.to_owned());
            side.declarations.push(entry);
        }
        Ok(())
    })?;
    let places = side.declarations.iter().zip(&ranges).map(|(one, ranges)| [one.span.bytes, ranges[0]]);
    side.sample = sample_of(text, places);
    set_visibilities(
        &mut side,
        SourceText { language: view.language(), path: &path, text },
        &ranges,
        &scopes,
    );
    let statements = side.declarations.iter().zip(&ranges);
    let shared_names = statement_names(statements.map(|(one, of)| (&*one.name, (one.span.bytes, of[0]))));
    for ((ord, one), ranges) in (0u32..).zip(&mut side.declarations).zip(ranges) {
        // A call of a function runs the functions in it too, so they are a part of its text.
        let is_called = is_function(one.kind) && one.kind != DeclarationKind::Test;
        let inside = inner.get(&ord).filter(|_| !is_called);
        let inside = inside.map(Vec::as_slice).unwrap_or_default();
        let own = pieces(one.span.bytes, inside);
        let code = outside(one.span.bytes, inside, &[ranges[2]]);
        (one.sample, one.n_pairs) = sample(code.iter().map(|piece| piece.of(text)), &one.name);
        one.own = hash(text, own, has_layout).0;
        one.parts = DeclarationParts::of(text, one.span.bytes, ranges, inside, view.language());
        if let Some(names) = shared_names.get(&(one.span.bytes, ranges[0])) {
            one.parts.take_own_signature(names, &one.name);
            // The parts about the other names are not its own.
            one.own = one.parts.hash();
        }
        one.add_implied(text, [ranges[0], ranges[1]], view.language());
        let (hashed, len) = hash(text, [ranges[1]], has_layout);
        (one.body, one.short_body) = match len {
            ..SHORT_BODY => (0, 0),
            SHORT_BODY..BODY => (0, hashed),
            _ => (hashed, 0),
        };
    }
    for (span, is_declared) in chunks {
        side.chunks.push((span, is_declared, hash(text, [span.bytes], has_layout).0));
    }
    Ok(side)
}

/// By their place and their signature, the names of statements that declare several.
pub(super) fn statement_names<'n>(
    all: impl Iterator<Item = (&'n str, (ByteRange, ByteRange))>,
) -> HashMap<(ByteRange, ByteRange), Vec<String>> {
    let mut found: HashMap<(ByteRange, ByteRange), Vec<String>> = HashMap::new();
    for (name, place) in all {
        found.entry(place).or_default().push(name.to_owned());
    }
    found.retain(|_, names| names.len() > 1);
    found
}

/// Sets which declarations of a side others may use. `ranges` begin with the signatures.
fn set_visibilities(side: &mut Side, source: SourceText<'_>, ranges: &[[ByteRange; 3]], scopes: &[String]) {
    let all = side.declarations.iter().zip(ranges).zip(scopes);
    let all = all.map(|((one, ranges), scope)| DeclarationText {
        name: &one.name,
        scope,
        kind: one.kind,
        parent: one.parent,
        whole: one.span.bytes,
        signature: ranges[0],
    });
    let found = visibilities(source, &all.collect::<Vec<_>>());
    for (one, visibility) in side.declarations.iter_mut().zip(found) {
        one.visibility = visibility;
    }
}

/// The smallest hashes of the pairs of words of some texts, in order, and the number of all pairs.
fn sample<'t>(texts: impl Iterator<Item = &'t str>, name: &str) -> (Vec<u32>, u32) {
    let mut smallest = BTreeSet::new();
    let (mut last, mut n_pairs) = ("", 0u32);
    for word in texts.flat_map(likeness::words) {
        let word = if word == name { "" } else { word };
        let mut hasher = DefaultHasher::new();
        (last, word).hash(&mut hasher);
        (last, n_pairs) = (word, n_pairs.saturating_add(1));
        let hashed = u32::try_from(hasher.finish() >> 32).unwrap_or(u32::MAX);
        if smallest.len() < SAMPLE || smallest.last().is_some_and(|last| hashed < *last) {
            smallest.insert(hashed);
            if smallest.len() > SAMPLE {
                smallest.pop_last();
            }
        }
    }
    (smallest.into_iter().collect(), n_pairs)
}

/// A sample of a file: of its outermost declarations, given the whole and the signature of all in
/// order. The comment at the beginning of many files is the same, and says nothing.
pub(super) fn sample_of(text: &str, all: impl Iterator<Item = [ByteRange; 2]>) -> Vec<u32> {
    let mut end = 0;
    let outermost = all.filter_map(|[whole, signature]| {
        let last = end;
        end = whole.end.max(last);
        let start = if signature.is_empty() { whole.start } else { signature.start };
        (whole.start >= last).then(|| ByteRange { start, end: whole.end }.of(text))
    });
    sample(outermost, "").0
}

/// The likeness of two samples, in thousandths: twice the pairs of words that both have, by all
/// pairs of both.
pub(super) fn shared<'s>(mut ours: &'s [u32], mut theirs: &'s [u32]) -> usize {
    // The smallest hashes of both samples together are a sample of all pairs.
    let (mut n, mut shared) = (0, 0);
    while n < SAMPLE
        && let Some(least) = ours.first().into_iter().chain(theirs.first()).min().copied()
    {
        let n_before = ours.len() + theirs.len();
        for sample in [&mut ours, &mut theirs] {
            *sample = sample.strip_prefix(&[least]).unwrap_or(sample);
        }
        n += 1;
        shared += usize::from(ours.len() + theirs.len() + 2 == n_before);
    }
    (2 * shared * 1000).checked_div(n + shared).unwrap_or_default()
}

impl Side {
    /// Moves the lines of its declarations to those of another text. A line that changed becomes
    /// the first of those in its place.
    pub(super) fn move_lines(&mut self, map: &LineMap) {
        let moved = |line: u32| match map.to_new(line.saturating_sub(1)) {
            Ok(line) => line + 1,
            Err(lines) => lines.start + 1,
        };
        for one in &mut self.declarations {
            let span = &mut one.span;
            [one.line, span.start_line, span.end_line] =
                [one.line, span.start_line, span.end_line].map(moved);
        }
    }

    /// Returns the name that others need for a declaration, where other files decide whether they
    /// can reach it; `None` if its own file says all that is known.
    pub(super) fn outermost(&self, ord: usize) -> Option<OutermostName> {
        let language = ModuleLanguage::of(&self.language)?;
        let mut chain: Vec<&DeclarationEntry> = vec![self.declarations.get(ord)?];
        while let Some(parent) = chain.last().and_then(|one| one.parent) {
            // One that is around another comes before it.
            chain.push(self.declarations.get(parent as usize).filter(|_| chain.len() <= ord)?);
        }
        let mut within = Vec::new();
        while language == ModuleLanguage::Rust
            && chain.len() > 1
            && chain.last().is_some_and(|one| one.kind == DeclarationKind::Module)
        {
            within.extend(chain.pop().map(|one| one.name.clone()));
        }
        let outermost = chain.last()?;
        let is_elsewhere = match outermost.kind {
            DeclarationKind::Implementation => outermost.visibility != Visibility::Public,
            // An exported macro is in the root of the crate.
            DeclarationKind::Macro => language == ModuleLanguage::Rust,
            _ => false,
        };
        let first = outermost.symbol.split('.').next().unwrap_or_default();
        let name = match language {
            ModuleLanguage::Script if !matches!(first, "exports" | "module" | "") => first,
            _ => &outermost.name,
        };
        (!is_elsewhere).then(|| OutermostName { within, name: name.to_owned() })
    }
}

impl DeclarationEntry {
    /// Returns whether a later version of a member is in a section with another visibility.
    pub(super) fn is_in_other_section(&self, new: &Self) -> bool {
        let is_known = |one: &Self| one.visibility != Visibility::Unknown;
        self.visibility != new.visibility && [self, new].into_iter().all(|one| is_known(one) && one.is_member)
    }

    /// Adds what says its value or its parameters beside its own text.
    fn add_implied(&mut self, text: &str, [signature, body]: [ByteRange; 2], language: &str) {
        let whole = self.span.bytes;
        if is_type(self.kind) && language == "python" {
            let before = ByteRange { start: whole.start, end: signature.start };
            self.constructor = constructor_of_fields(before.of(text), signature.of(text), body.of(text));
        }
        let is_numbered = self.kind == DeclarationKind::Constant && language == "go";
        if let Some(n) = is_numbered.then(|| iota_ordinal(text, whole.start as usize)).flatten() {
            let n = u64::try_from(n).unwrap_or(u64::MAX);
            self.parts.add_to_body(n);
            self.own = self.own.wrapping_mul(31).wrapping_add(n);
        }
    }

    /// Returns whether it is a function of C++ that the compiler writes, or that nobody may call.
    pub(super) fn is_stub(&self) -> bool {
        let signature = self.parts.signature.trim_end_matches(';').trim_end();
        let value = signature.rsplit_once('=').map(|(_, value)| value.trim());
        !self.has_body && is_function(self.kind) && matches!(value, Some("default" | "delete"))
    }

    /// Estimates how alike it is to another one, in thousandths.
    pub(super) fn likeness(&self, other: &Self) -> usize {
        shared(&self.sample, &other.sample)
    }
}

/// A declaration of the old or the new side.
pub(super) fn entry(files: &[File], at: SideDeclaration, is_old: bool) -> Option<&DeclarationEntry> {
    let file = files.get(at.0)?;
    declared(if is_old { &file.old } else { &file.new }, at.1)
}

/// A declaration on both sides, or on one.
pub(super) type Pair = (Change, Option<SideDeclaration>, Option<SideDeclaration>);
