//! What an editor asks about a place in a file: what the name there means, what refers to it, what
//! it calls, and what implements it.
//!
//! Owns [`Navigator`], a view of the references of one index. Places are bytes of the searched
//! texts; whoever shows another text converts them. A name means what the graph resolves it to, so
//! this agrees with `relations`. The difference is that every single mention is a place here.
//!
//! **Invariant.** A guess is marked as one. If the meaning of a name is certain, guesses are left
//! out.

mod meaning;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use bstr::{BStr, BString};

use super::relations::name_at::{name_range, names_at};
use super::relations::reader::{MIN_CONFIDENCE, Reader};
use super::relations::referrers::PlaceMatch;
use super::relations::rules::reference;
use super::relations::words::{Remarks, mentions};
use super::relations::{RelationQuery, graphs_of, is_test};
use crate::index::chunk::{ByteRange, DeclarationKind, ReferenceKind, Span, is_document};
use crate::search::graph::{DeclarationRef, Evidence, Graph};
use crate::search::query::Sources;
use crate::search::segment::{DeclarationView, Index};
use crate::search::{Result, Searcher};

/// Most declarations that a name can mean in an answer.
const MAX_TARGETS: usize = 20;
/// Most types that are listed as implementing another, over all levels.
const MAX_IMPLEMENTERS: usize = 500;
/// The kinds of reference, in the order in which a mention is taken for one of them.
const KINDS: [ReferenceKind; 5] = [
    ReferenceKind::Call,
    ReferenceKind::Type,
    ReferenceKind::Inherits,
    ReferenceKind::Use,
    ReferenceKind::Import,
];

/// The reader lists every place, so the query has no limit of its own.
static ALL: RelationQuery = RelationQuery {
    symbol: String::new(),
    relations: BTreeSet::new(),
    depth: 1,
    limit: usize::MAX,
    certain: false,
    overriders: false,
};

/// A declaration with its places in the searched text of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclarationSite {
    /// The declaration.
    pub at: DeclarationRef,
    /// Source path.
    pub path: BString,
    /// The bare name.
    pub name: String,
    /// The name after those of the declarations around it.
    pub symbol: String,
    /// The kind.
    pub kind: DeclarationKind,
    /// Name of the language.
    pub language: String,
    /// The whole declaration.
    pub span: Span,
    /// Line of the name, 1-based.
    pub line: u32,
    /// Bytes of the name; empty if the text can't be read.
    pub name_range: ByteRange,
    /// Bytes of the signature.
    pub signature: ByteRange,
    /// Bytes of the doc comment.
    pub doc: ByteRange,
    /// Whether it is a test or in a file of tests.
    pub is_test: bool,
}

/// A declaration that a name may mean.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DeclarationTarget {
    /// The declaration.
    pub site: DeclarationSite,
    /// Whether it is certain; otherwise it is a guess.
    pub certain: bool,
    /// The evidence for it.
    pub how: &'static str,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
}

/// The name at a place, with what it means.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NameMeaning {
    /// Bytes of the name; `None` if the searched text does not have the place.
    pub range: Option<ByteRange>,
    /// Whether the place is where the name is declared.
    pub is_declaration: bool,
    /// The declarations, surest first. Either all are certain, or all are guesses.
    pub targets: Vec<DeclarationTarget>,
}

/// A place that refers to a declaration.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NamePlace {
    /// Source path.
    pub path: BString,
    /// Line, 1-based.
    pub line: u32,
    /// Bytes of the name; `None` if the name was not found in the text of the place.
    pub range: Option<ByteRange>,
    /// The declaration around the place.
    pub around: Option<DeclarationSite>,
    /// Whether it is certain; otherwise it is a guess.
    pub certain: bool,
    /// The evidence for it.
    pub how: &'static str,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
}

/// A declaration that another one calls.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CalleePlace {
    /// The called declaration.
    pub target: DeclarationTarget,
    /// Bytes of the calls in the calling text; empty if they are written with another name.
    pub calls: Vec<ByteRange>,
    /// Line of the first call, 1-based.
    pub line: u32,
}

/// Where the cursor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cursor<'t> {
    /// At a byte of the searched text.
    Byte(u32),
    /// In a line that the searched text does not have: the name there, and the nearest byte of the
    /// searched text.
    New {
        /// The name.
        name: &'t str,
        /// The nearest byte.
        near: u32,
    },
}

/// The references of one index, for questions about places.
pub struct Navigator<'i, 's> {
    index: &'i Index<'s>,
    reader: Reader<'s, 'i, 's>,
}

impl<'i, 's> Navigator<'i, 's> {
    /// Creates a navigator; `index` is the index of the searcher.
    pub fn new(searcher: &'s Searcher, index: &'i Index<'s>) -> Self {
        let graphs = graphs_of(&[searcher], std::slice::from_ref(index));
        Self { index, reader: Reader::new(graphs, vec![searcher as &dyn Sources], &ALL).with_each_mention() }
    }

    /// Returns the text of a file as it was searched; `None` if it can't be read.
    pub fn text(&mut self, path: &BStr) -> Option<Arc<str>> {
        self.reader.text(0, path)
    }

    /// Returns the declarations of a file, by start; empty if the file is not in the index.
    pub fn declarations(&mut self, path: &BStr) -> Vec<DeclarationSite> {
        let views: Vec<_> =
            self.index.file_by_path(path).into_iter().flat_map(|file| file.declarations()).collect();
        views.iter().map(|view| self.site(view)).collect()
    }

    /// Returns a declaration with its places.
    pub fn declaration(&mut self, at: DeclarationRef) -> Option<DeclarationSite> {
        let view = self.reader.view((0, at))?;
        Some(self.site(&view))
    }

    /// Returns the declarations of a name, which may be qualified, best first.
    ///
    /// # Errors
    /// [`crate::search::Error::Segment`] for a damaged cache.
    pub fn named(&mut self, name: &str) -> Result<Vec<DeclarationSite>> {
        let found = self.graph().map(|graph| graph.find(name)).transpose()?.unwrap_or_default();
        Ok(found.into_iter().filter_map(|at| self.declaration(at)).collect())
    }

    /// Returns the name at a place of a file and what it means; `None` if there is no name, or the
    /// file is not in the index.
    ///
    /// # Errors
    /// [`crate::search::Error::Segment`] for a damaged cache.
    pub fn meaning(&mut self, path: &BStr, cursor: Cursor<'_>) -> Result<Option<NameMeaning>> {
        let Some(file) = self.index.file_by_path(path) else { return Ok(None) };
        let Some(text) = self.text(path) else { return Ok(None) };
        let byte = match cursor {
            Cursor::Byte(byte) => byte,
            Cursor::New { name, near } => {
                let targets = self.meant_nearby(&file, name, near)?;
                return Ok(Some(NameMeaning { range: None, is_declaration: false, targets }));
            }
        };
        let mut own = None;
        for view in file.declarations() {
            let range = name_range_of(&view, &text);
            if range.start <= byte && byte <= range.end {
                own = Some((view, range));
            }
        }
        // `impl Client` names the type, which is declared elsewhere.
        let is_own = |view: &DeclarationView<'_>| view.row.kind != DeclarationKind::Implementation;
        if let Some((view, range)) = own.filter(|(view, _)| is_own(view)) {
            let targets = vec![self.itself(&view)];
            return Ok(Some(NameMeaning { range: Some(range), is_declaration: true, targets }));
        }
        let names = names_at(&text, byte);
        for &range in &names {
            let targets = self.mentioned(&file, &text, range)?;
            if !targets.is_empty() {
                return Ok(Some(NameMeaning { range: Some(range), is_declaration: false, targets }));
            }
        }
        if let Some((view, range)) = own {
            let targets = self.implemented(&view)?;
            let is_declaration = targets.is_empty();
            let targets = if is_declaration { vec![self.itself(&view)] } else { targets };
            return Ok(Some(NameMeaning { range: Some(range), is_declaration, targets }));
        }
        let Some(&range) = names.last() else { return Ok(None) };
        // A variable of code means what its function says; only prose mentions things by their name
        // alone.
        let is_prose = Remarks::of(file.language()).contain(&text, range.start)
            || is_document(file.language())
            || file.language() == "text";
        let targets = if is_prose { self.by_name(range.of(&text))? } else { Vec::new() };
        Ok(Some(NameMeaning { range: Some(range), is_declaration: false, targets }))
    }

    /// Returns the places that refer to a declaration in one of these ways, by path and place.
    ///
    /// # Errors
    /// [`crate::search::Error::Segment`] for a damaged cache.
    pub fn references(&mut self, of: DeclarationRef, kinds: &[ReferenceKind]) -> Result<Vec<NamePlace>> {
        let all = self.reader.referrers((0, of), kinds)?;
        let mut all: Vec<(BString, PlaceMatch<'s>)> =
            all.into_iter().filter_map(|one| Some((self.path_of(&one)?, one))).collect();
        // A place may be in several chunks, and a reference of several kinds; the surest counts.
        all.sort_by(|(a_path, a), (b_path, b)| {
            let key = |one: &PlaceMatch<'_>| (one.at, one.name.map(|range| range.start), one.edge.evidence);
            a_path.cmp(b_path).then_with(|| key(a).cmp(&key(b)))
        });
        all.dedup_by(|(a_path, a), (b_path, b)| a_path == b_path && a.at == b.at && a.name == b.name);
        all.retain(|(_, one)| one.edge.evidence.is_certain() || one.edge.confidence >= MIN_CONFIDENCE);
        let place = |(path, one): (BString, PlaceMatch<'s>)| NamePlace {
            path,
            line: one.at,
            range: one.name,
            around: one.other.map(|view| self.site(&view)),
            certain: one.edge.evidence.is_certain(),
            how: one.edge.evidence.words(),
            confidence: one.edge.confidence,
        };
        Ok(all.into_iter().map(place).collect())
    }

    /// Returns the references to a declaration of all kinds.
    ///
    /// # Errors
    /// [`crate::search::Error::Segment`] for a damaged cache.
    pub fn all_references(&mut self, of: DeclarationRef) -> Result<Vec<NamePlace>> {
        self.references(of, &KINDS)
    }

    /// Returns the declarations that this one calls, in order of their first call.
    ///
    /// # Errors
    /// [`crate::search::Error::Segment`] for a damaged cache.
    pub fn callees(&mut self, of: DeclarationRef) -> Result<Vec<CalleePlace>> {
        let Some(source) = self.reader.view((0, of)) else { return Ok(Vec::new()) };
        let text = self.text(source.file.path());
        let row = source.row;
        let inside = if row.body.is_empty() { row.span.bytes } else { row.body };
        let mut found = Vec::new();
        for one in self.reader.referred((0, of))? {
            let evidence = one.edge.evidence;
            let is_sure_enough = evidence.is_certain() || one.edge.confidence >= MIN_CONFIDENCE;
            let Some(other) = one.other.filter(|_| is_sure_enough) else { continue };
            if one.edge.kind != ReferenceKind::Call {
                continue;
            }
            let called = text.as_deref().map(|text| {
                mentions(text, &Remarks::default(), inside, other.name(), ReferenceKind::Call)
                    .into_iter()
                    .map(|(byte, _)| super::relations::rules::name_range(byte, other.name()))
                    .filter(|range| !row.doc.contains(range.start))
                    .collect()
            });
            let target = self.target(&other, evidence, one.edge.confidence);
            found.push(CalleePlace { target, calls: called.unwrap_or_default(), line: one.at });
        }
        Ok(found)
    }

    /// Returns what implements a declaration: for a type, those that inherit it, directly or not;
    /// for a method, the methods that replace it.
    ///
    /// # Errors
    /// [`crate::search::Error::Segment`] for a damaged cache.
    pub fn implementations(&mut self, of: DeclarationRef) -> Result<Vec<DeclarationTarget>> {
        if !self.reader.is_type((0, of)) {
            return self.implementing_methods(of);
        }
        let mut found: Vec<DeclarationTarget> = Vec::new();
        let mut known = HashSet::from([of]);
        let mut next = vec![of];
        while let Some(of) = next.pop() {
            for heir in self.reader.heirs((0, of))? {
                let Some(view) = heir.other.filter(|_| heir.edge.confidence >= MIN_CONFIDENCE) else {
                    continue;
                };
                if found.len() >= MAX_IMPLEMENTERS || !known.insert(reference(&view)) {
                    continue;
                }
                // A type that inherits from a guess would be a guess about a guess.
                if heir.edge.evidence.is_certain() {
                    next.push(reference(&view));
                }
                found.push(self.target(&view, heir.edge.evidence, heir.edge.confidence));
            }
        }
        found.sort_by(|a, b| {
            let place = |one: &DeclarationTarget| (!one.certain, one.site.is_test, one.site.path.clone());
            place(a).cmp(&place(b)).then(a.site.line.cmp(&b.site.line))
        });
        Ok(found)
    }

    fn implementing_methods(&mut self, of: DeclarationRef) -> Result<Vec<DeclarationTarget>> {
        let mut found = Vec::new();
        for one in self.reader.overriders_of((0, of))? {
            let Some(view) = one.at.and_then(|at| self.reader.view(at)) else { continue };
            let confidence = one.evidence.confidence(1);
            found.push(self.target(&view, one.evidence, confidence));
        }
        Ok(found)
    }

    fn target(
        &mut self,
        view: &DeclarationView<'s>,
        evidence: Evidence,
        confidence: f64,
    ) -> DeclarationTarget {
        let site = self.site(view);
        DeclarationTarget { site, certain: evidence.is_certain(), how: evidence.words(), confidence }
    }

    /// Returns a declaration as the meaning of its own name.
    fn itself(&mut self, view: &DeclarationView<'s>) -> DeclarationTarget {
        DeclarationTarget { site: self.site(view), certain: true, how: "declaration", confidence: 1.0 }
    }

    fn site(&mut self, view: &DeclarationView<'s>) -> DeclarationSite {
        let text = self.text(view.file.path());
        let graph = self.graph();
        let chunk = graph.and_then(|graph| Some((graph, graph.chunk_of(reference(view))?)));
        DeclarationSite {
            at: reference(view),
            path: view.file.path().to_owned(),
            name: view.name().to_owned(),
            symbol: view.symbol_path(),
            kind: view.row.kind,
            language: view.file.language().to_owned(),
            span: view.row.span,
            line: view.row.name_line,
            name_range: text.as_deref().map(|text| name_range_of(view, text)).unwrap_or_default(),
            signature: view.row.signature,
            doc: view.row.doc,
            is_test: chunk.is_some_and(|(graph, chunk)| is_test(graph, chunk)),
        }
    }

    fn graph(&self) -> Option<&Graph<'i, 's>> {
        self.reader.graphs().graph(0)
    }

    /// Returns the file of a place that refers to something.
    fn path_of(&self, one: &PlaceMatch<'s>) -> Option<BString> {
        Some(self.graph()?.file_of(one.edge.from)?.path().to_owned())
    }
}

fn name_range_of(view: &DeclarationView<'_>, text: &str) -> ByteRange {
    name_range(text, view.name(), view.row.kind, &view.row.span, view.row.name_line)
}
