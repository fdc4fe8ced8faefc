//! Where the references of a chunk to a declaration stand in its text, and how sure each is.
//!
//! The graph connects chunks: an edge says that a chunk refers to a declaration. The source says at
//! which places, and in which of the chunk's declarations. Both directions read the places here, so
//! callers and callees agree about each pair.

use bstr::BStr;

use super::RepositoryDeclaration;
use super::distinction::{Distinction, is_distinct};
use super::field_name::is_field_name;
use super::matching::{PlaceContext, RecordedReference, evidence_at};
use super::name_in_text::NameInText;
use super::reader::Reader;
use super::rules::{
    chosen, constructed, is_file_local, is_first, is_receiver, is_visible, known_by, reference,
};
use super::source::NamedPlace;
use super::words::{Remarks, enclosing_byte, mentions};
use crate::index::chunk::{DeclarationKind, ReferenceKind, has_headers};
use crate::search::Result;
use crate::search::graph::overload::CallText;
use crate::search::graph::{DeclarationRef, Edge, Evidence, is_function, is_type};
use crate::search::segment::{ChunkRef, ChunkRow, DeclarationView, FileView, Mention};

/// A declaration whose references are looked for.
#[derive(Clone)]
pub(super) struct Referent<'s> {
    home: usize,
    view: DeclarationView<'s>,
    /// The declaration that its references name: itself, or the type that it constructs.
    pub(super) named: DeclarationRef,
    /// The name of that.
    pub(super) called: &'s str,
    distinction: Distinction,
    /// Whether only its own file can see it.
    is_file_local: bool,
    own_chunk: Option<ChunkRef>,
}

impl Referent<'_> {
    /// Returns whether its references name its type.
    fn is_called_by_type(&self) -> bool {
        self.named != reference(&self.view)
    }
}

/// A place that refers to a declaration.
pub(super) struct ReferencePlace<'s> {
    /// The edge, with the evidence for this place.
    pub(super) edge: Edge,
    /// The declaration around the place; `None` outside of any.
    pub(super) around: Option<DeclarationView<'s>>,
    pub(super) byte: u32,
    pub(super) line: u32,
    /// The name that stands there.
    pub(super) name: &'s str,
    /// Whether the place is in the referent itself, or only says what belongs to it.
    pub(super) is_own: bool,
}

/// Returns whether a name in Java is that of a value and can't mean a type: only the name in front
/// of a member may be either.
fn is_value(target: &DeclarationView<'_>, kind: ReferenceKind, behind: &str) -> bool {
    target.file.language() == "java"
        && kind == ReferenceKind::Use
        && is_type(target.row.kind)
        && !behind.trim_start().starts_with(['.', ':'])
}

/// Returns the text that begins with the arguments of a constructor, given the text behind the name
/// of the type. In C++, the name of a variable or the end of a list of types may be in front of
/// them.
fn constructor_arguments<'t>(file: &FileView<'_>, behind: &'t str) -> &'t str {
    if file.language() != "cpp" {
        return behind;
    }
    let rest = behind.strip_prefix('>').unwrap_or(behind).trim_start();
    let rest = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').trim_start();
    if rest.starts_with('(') { rest } else { behind }
}

/// The places of one edge.
pub(super) enum ReferencePlaces<'s> {
    /// The file can't see the declaration.
    Hidden,
    /// The text of the file can't be read.
    Unread(ChunkRow),
    /// The places, by their start.
    Places {
        file: FileView<'s>,
        row: ChunkRow,
        places: Vec<ReferencePlace<'s>>,
        /// Whether the name does not stand in the chunk: it is mentioned by an alias, or in a way
        /// that this scan does not see.
        is_unseen: bool,
    },
}

impl<'s> Reader<'_, '_, 's> {
    /// Returns a declaration as the target of references by its own name; `None` if it does not
    /// exist.
    pub(super) fn referent(&mut self, of: RepositoryDeclaration) -> Option<Referent<'s>> {
        let view = self.view(of)?;
        let (home, at) = of;
        let language = view.file.language();
        let reads = is_distinct(language) || has_headers(language);
        let text = if reads { self.text(home, view.file.path()) } else { None };
        let distinction = text.as_deref().map(|text| self.distinction(home, &view, text)).unwrap_or_default();
        Some(Referent {
            home,
            view,
            named: at,
            called: view.name(),
            distinction,
            is_file_local: text.as_deref().is_some_and(|text| is_file_local(&view, text)),
            own_chunk: self.graphs().graph(home).and_then(|graph| graph.chunk_of(at)),
        })
    }

    /// Returns a declaration as the target of references, by each name that they may have: a
    /// constructor is called by the name of its type, and in some languages has one of its own.
    pub(super) fn referents(&mut self, of: RepositoryDeclaration) -> Vec<Referent<'s>> {
        let Some(own) = self.referent(of) else { return Vec::new() };
        let ty = constructed(&own.view).or_else(|| own.distinction.made_type(&own.view));
        let ty = ty.or_else(|| self.constructed_elsewhere(of, &own.view));
        let Some(ty) = ty.and_then(|ty| self.view((of.0, ty))) else { return vec![own] };
        let by_type = Referent { named: reference(&ty), called: ty.name(), ..own.clone() };
        if by_type.called == own.called { vec![by_type] } else { vec![own, by_type] }
    }

    /// Returns the type whose constructor a definition of C++ is that stands outside of it.
    fn constructed_elsewhere(
        &self,
        (home, at): RepositoryDeclaration,
        view: &DeclarationView<'s>,
    ) -> Option<DeclarationRef> {
        let scope = view.file.segment.scope(&view.row);
        let of = scope.rsplit("::").next().unwrap_or_default();
        let is_constructor = view.file.language() == "cpp" && is_function(view.row.kind) && of == view.name();
        self.graphs().graph(home).filter(|_| is_constructor)?.type_of_member(at).ok()?
    }

    /// Returns the places where an edge's chunk refers to a declaration. `repository` is that of
    /// the chunk.
    pub(super) fn places(
        &mut self,
        repository: usize,
        edge: &Edge,
        to: &Referent<'s>,
    ) -> Result<ReferencePlaces<'s>> {
        let target = &to.view;
        let is_home = repository == to.home;
        let file = self.graphs().graph(repository).and_then(|graph| graph.file_of(edge.from));
        let Some(file) = file else { return Ok(ReferencePlaces::Hidden) };
        let is_own_file = is_home && (file.part, file.ord) == (target.file.part, target.file.ord);
        // Other files reach a virtual method through the type that declares it.
        let is_virtual = edge.evidence == Evidence::Implements;
        if to.is_file_local && !is_own_file && !is_virtual {
            // The text of a file that is included is part of the file that includes it.
            let has_includes = is_home && has_headers(file.language());
            let graph = self.graphs().graph(repository).filter(|_| has_includes);
            let is_included = graph.map(|graph| graph.sees_header(&file, &target.file)).transpose()?;
            if is_included != Some(true) {
                return Ok(ReferencePlaces::Hidden);
            }
        }
        let Some(row) = file.segment.chunk(edge.from.ord) else { return Ok(ReferencePlaces::Hidden) };
        let Some(text) = self.text(repository, file.path()) else {
            return Ok(ReferencePlaces::Unread(row));
        };
        let of = (to.home, to.named);
        let is_by_type = to.is_called_by_type();
        let exact = self.named_places(repository, edge, of, to.called, is_by_type)?;
        let exact = exact.filter(|places| is_by_type || !places.is_empty());
        let is_exact = exact.is_some();
        let named = match exact {
            Some(exact) => exact,
            None => {
                let remarks = self.remarks(repository, &file);
                self.written_places(repository, edge, of, to.called, &text, &remarks)?
            }
        };
        let (mut places, mut is_seen) = (Vec::new(), false);
        for NamedPlace { byte, line, name, evidence } in named {
            let around = enclosing_byte(&file, byte);
            let is_other = !is_exact
                && (around.is_some_and(|one| one.row.doc.contains(byte))
                    || target.row.kind != DeclarationKind::Field
                        && is_field_name(&file, around.as_ref(), &text, byte, name));
            let is_seen_here = |evidence: &Evidence| is_visible(target, &file, &text, byte, *evidence);
            let Some(evidence) = evidence.filter(|evidence| !is_other && is_seen_here(evidence)) else {
                // The name means something else here.
                is_seen = true;
                continue;
            };
            let edge = if evidence == edge.evidence { *edge } else { known_by(*edge, evidence) };
            let is_itself = is_home && around.is_some_and(|one| reference(&one) == reference(target));
            // Mentions of a type by its own methods, if they are in one chunk with it.
            let is_within = Some(edge.from) == to.own_chunk.filter(|_| is_home)
                && edge.kind != ReferenceKind::Call
                && target.row.span.bytes.contains(byte);
            let is_name = !is_exact
                && around.is_some_and(|one| {
                    one.name() == name && one.row.name_line == line && is_first(&text, byte, name)
                });
            let receives = around.is_some_and(|one| is_receiver(&one, target, &text, byte));
            let is_own = is_itself || is_within || receives;
            if is_name {
                continue;
            }
            is_seen = true;
            let behind = text.get(byte as usize + name.len()..).unwrap_or_default();
            let behind = if is_by_type { constructor_arguments(&file, behind) } else { behind };
            let start = around.map_or(0, |one| one.row.span.bytes.start as usize);
            let before = text.get(start..byte as usize).unwrap_or_default();
            if is_value(target, edge.kind, behind) {
                continue;
            }
            let known = self.known_types(&to.distinction, repository, file.language(), behind);
            let call = CallText { before, file: &text, known: Some(&known), arities: None };
            let (kind, is_certain) = (edge.kind, edge.evidence.is_certain());
            let choice =
                to.distinction.choice(&NameInText { kind, behind, call, around, is_certain, is_by_type });
            let Some(edge) = chosen(edge, choice) else { continue };
            places.push(ReferencePlace { edge, around, byte, line, name, is_own });
        }
        Ok(ReferencePlaces::Places { file, row, places, is_unseen: !is_seen })
    }

    /// The places of a name in the chunk of an edge, as far as the words of its text say.
    fn written_places(
        &self,
        repository: usize,
        edge: &Edge,
        of: RepositoryDeclaration,
        called: &'s str,
        text: &str,
        remarks: &Remarks,
    ) -> Result<Vec<NamedPlace<'s>>> {
        let Some(file) = self.graphs().graph(repository).and_then(|graph| graph.file_of(edge.from)) else {
            return Ok(Vec::new());
        };
        let Some(row) = file.segment.chunk(edge.from.ord) else { return Ok(Vec::new()) };
        let lines_of = |name: &'s str| {
            let found = mentions(text, remarks, row.span.bytes, name, edge.kind);
            found.into_iter().map(move |(byte, line)| (byte, line, name))
        };
        let mut lines: Vec<(u32, u32, &str)> = lines_of(called).collect();
        // An import may give it another name.
        if lines.is_empty() {
            lines = self.aliases(repository, edge, of)?.into_iter().flat_map(lines_of).collect();
        }
        let recorded = self.recorded(repository, edge, of, &lines)?;
        let starts: Vec<u32> = lines.iter().map(|one| one.0).collect();
        let evidence = evidence_at(&recorded, text, &starts, |byte| PlaceContext::of(&file, byte));
        let places = lines.into_iter().zip(evidence);
        Ok(places.map(|((byte, line, name), evidence)| NamedPlace { byte, line, name, evidence }).collect())
    }

    /// The references of a chunk to the name of a declaration, as an edge found them, with what
    /// each means.
    fn recorded(
        &self,
        repository: usize,
        edge: &Edge,
        of: RepositoryDeclaration,
        lines: &[(u32, u32, &'s str)],
    ) -> Result<Vec<RecordedReference<'s>>> {
        let Some(graph) = self.graphs().graph(repository) else { return Ok(Vec::new()) };
        let Some(segment) = graph.index().segment(edge.from.part) else { return Ok(Vec::new()) };
        let named: Vec<_> = segment
            .mentions(edge.from.ord)?
            .into_iter()
            .filter(|one| one.kind == edge.kind && lines.iter().any(|(_, _, name)| *name == one.name))
            .collect();
        let evidence = self.evidence_of(repository, edge, of, &named)?;
        let mut recorded = Vec::new();
        for (mention, evidence) in named.iter().zip(evidence) {
            let (qualifier, alias) = (mention.qualifier, mention.alias);
            let own_type = graph.own_type(edge.from, mention)?;
            recorded.push(RecordedReference { qualifier, alias, own_type, evidence });
        }
        Ok(recorded)
    }

    /// The evidence that each of some mentions in an edge's chunk means a declaration; `None` if it
    /// means another one. A single mention is what the edge was made of.
    pub(super) fn evidence_of(
        &self,
        repository: usize,
        edge: &Edge,
        of: RepositoryDeclaration,
        mentions: &[Mention<'s>],
    ) -> Result<Vec<Option<Evidence>>> {
        if mentions.len() == 1 {
            return Ok(vec![Some(edge.evidence)]);
        }
        let evidence = mentions.iter().map(|mention| {
            let meanings = self.graphs().meanings(repository, edge.from, mention)?;
            let meant = meanings.iter().find(|one| (one.repository, one.resolved.to) == of);
            Ok(meant.map(|one| one.resolved.evidence))
        });
        evidence.collect()
    }

    /// The names by which a chunk refers to a declaration.
    fn aliases(&self, repository: usize, edge: &Edge, of: RepositoryDeclaration) -> Result<Vec<&'s str>> {
        let mut names = Vec::new();
        let Some(graph) = self.graphs().graph(repository) else { return Ok(names) };
        let Some(segment) = graph.index().segment(edge.from.part) else { return Ok(names) };
        for mention in segment.mentions(edge.from.ord)? {
            if mention.kind != edge.kind || names.contains(&mention.name) {
                continue;
            }
            let meanings = self.graphs().meanings(repository, edge.from, &mention)?;
            if meanings.iter().any(|one| (one.repository, one.resolved.to) == of) {
                names.push(mention.name);
            }
        }
        Ok(names)
    }

    /// Reads the texts of the files that edges start in, in parallel.
    pub(super) fn read_texts(&mut self, edges: &[(usize, Edge)]) {
        for repository in 0..self.graphs().len() {
            let graph = self.graphs().graph(repository);
            let here = edges.iter().filter(|(at, _)| *at == repository);
            let mut paths: Vec<&'s BStr> = here
                .filter_map(|(_, edge)| Some(graph?.file_of(edge.from)?.path()))
                .filter(|path| !self.has_text(repository, path))
                .collect();
            paths.sort_unstable();
            paths.dedup();
            self.add_texts(repository, &paths);
        }
    }
}
