//! The uses of a property that the index declares, where nothing but its name speaks for it.
//!
//! Input: a property, and the places that the graph found. Output: the other places of its name,
//! judged as those of a field that the index leaves out. A place that the graph is sure of is left
//! out: it was found, or it means something else.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::RepositoryDeclaration;
use super::declared_types::DeclaredTypes;
use super::member_use::{Member, NamedFile};
use super::members::{named, owner_of};
use super::reader::Reader;
use super::referrers::PlaceMatch;
use super::rules::{name_range, reference};
use super::words::{enclosing_byte, is_property};
use crate::index::chunk::{DeclarationKind, Reference, ReferenceKind, ReferencePlace};
use crate::search::Result;
use crate::search::graph::{DeclarationRef, Edge, Graph, WrittenName, is_function, is_one_family};
use crate::search::segment::{ChunkRef, Mention, Part};

/// Most files that are parsed for the guesses of one property. A name in more files, such as
/// `Name`, is that of many members, and the guesses would say little.
const MOST_FILES: usize = 400;

/// The places of the references in each of the files.
type PlacesByFile = Vec<Option<Arc<[ReferencePlace]>>>;

impl<'s> Reader<'_, '_, 's> {
    /// Returns the places that may use a property and are in no declaration of `known`. Empty for
    /// any other declaration.
    pub(super) fn possible_uses(
        &mut self,
        (home, of): RepositoryDeclaration,
        known: &[PlaceMatch<'s>],
    ) -> Result<Vec<PlaceMatch<'s>>> {
        // An indexer has no name of its own.
        let view = self.view((home, of)).filter(|view| is_property(view) && view.name() != "this");
        let Some(view) = view else { return Ok(Vec::new()) };
        let (Some(graph), Some(sources)) = (self.graphs().graph(home), self.sources().get(home)) else {
            return Ok(Vec::new());
        };
        let mut files = named(home, graph, *sources, &WrittenName::within("", view.name()), None)?;
        files.retain(|one| is_one_family(one.file.language(), view.file.language()));
        NamedFile::read_uses(&files, view.name());
        let parsed: Vec<_> = files.iter().filter(|one| !one.others(view.name()).is_empty()).collect();
        if parsed.len() > MOST_FILES {
            return Ok(Vec::new());
        }
        self.parse(home, &parsed.iter().map(|one| one.file).collect::<Vec<_>>());
        let mut places = |one: &NamedFile<'s>| {
            if one.others(view.name()).is_empty() { None } else { self.file_places(home, &one.file) }
        };
        let places: PlacesByFile = files.iter().map(&mut places).collect();
        let Some(graph) = self.graphs().graph(home) else { return Ok(Vec::new()) };
        let is_home = |one: &&NamedFile<'s>| (one.file.part, one.file.ord) == (of.part, view.file.ord);
        let Some(at_home) = files.iter().find(is_home) else { return Ok(Vec::new()) };
        let owner = owner_of(&view);
        let types = DeclaredTypes(self.graphs(), home);
        let member = Member {
            files: &files,
            home: at_home,
            owner,
            name: view.name(),
            kind: DeclarationKind::Field,
            n: files.iter().map(|one| one.declared.len()).sum(),
            is_only: false,
            types,
            heirs: types.heirs(owner),
        };
        // The certain places in other repositories are in no file here.
        let here = known.iter().filter(|one| one.repository == home);
        let known: HashSet<Surroundings> = here.filter_map(|one| surroundings(graph, one)).collect();
        let mut found: Vec<PlaceMatch<'s>> = Vec::new();
        let mut at_place: HashMap<Surroundings, usize> = HashMap::new();
        for (file, places) in files.iter().zip(&places) {
            for &(at, line) in file.others(view.name()) {
                let around = enclosing_byte(&file.file, at);
                let key = match &around {
                    Some(around) => Surroundings::Declaration(reference(around)),
                    None => Surroundings::Line(file.file.part, file.file.ord, line),
                };
                let is_known = around.is_some_and(|around| reference(&around) == of) || known.contains(&key);
                if is_known || is_settled(graph, file, places.as_deref(), at, view.name())? {
                    continue;
                }
                let evidence = member.evidence(file, at, around.as_ref());
                let Some((evidence, from)) = evidence.zip(chunk_at(file, at)) else { continue };
                let confidence = evidence.confidence(member.n);
                let edge = Edge { from, to: of, kind: ReferenceKind::Use, evidence, confidence };
                let name = Some(name_range(at, view.name()));
                let place = PlaceMatch { repository: home, edge, other: around, at: line, name };
                let of_place = *at_place.entry(key).or_insert(found.len());
                match found.get_mut(of_place) {
                    Some(one) if evidence < one.edge.evidence => *one = place,
                    Some(_) => {}
                    None => found.push(place),
                }
            }
        }
        Ok(found)
    }
}

/// What is around a place: a declaration, or else the line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Surroundings {
    Declaration(DeclarationRef),
    Line(Part, u32, u32),
}

/// Returns what is around a place that was found.
fn surroundings(graph: &Graph<'_, '_>, place: &PlaceMatch<'_>) -> Option<Surroundings> {
    Some(match &place.other {
        Some(around) => Surroundings::Declaration(reference(around)),
        None => {
            let file = graph.file_of(place.edge.from)?;
            Surroundings::Line(file.part, file.ord, place.at)
        }
    })
}

/// Returns the chunk of a file around a byte.
fn chunk_at(file: &NamedFile<'_>, at: u32) -> Option<ChunkRef> {
    let is_here = |ord: &u32| file.file.segment.chunk(*ord).is_some_and(|row| row.span.bytes.contains(at));
    let ord = file.file.segment.chunks_of(file.file.ord).find(is_here)?;
    Some(ChunkRef { part: file.file.part, ord })
}

/// Returns whether the graph is sure what a name at a byte means, or the name can't be that of a
/// value there. A call means a function, if one has the name.
fn is_settled(
    graph: &Graph<'_, '_>,
    file: &NamedFile<'_>,
    places: Option<&[ReferencePlace]>,
    at: u32,
    name: &str,
) -> Result<bool> {
    let is_here = |one: &&ReferencePlace| one.at == at && one.reference.name == name;
    for place in places.unwrap_or_default().iter().filter(is_here) {
        let Reference { kind, name, qualifier, alias, .. } = &place.reference;
        match kind {
            ReferenceKind::Use => {}
            ReferenceKind::Call => {
                let mut named = graph.named(name)?.into_iter().filter_map(|at| graph.declaration(at));
                if named.any(|(_, row)| is_function(row.kind)) {
                    return Ok(true);
                }
            }
            _ => return Ok(true),
        }
        let mention = Mention { kind: *kind, name, qualifier, alias };
        let Some(from) = chunk_at(file, at) else { continue };
        let meant = graph.resolve(from, &mention)?;
        if meant.first().is_some_and(|one| one.evidence.is_certain()) {
            return Ok(true);
        }
    }
    Ok(false)
}
