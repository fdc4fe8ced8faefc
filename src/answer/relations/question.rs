//! The references that a question asks for: "what calls open" → the chunks that refer to it, "what
//! does open call" → the chunks that it refers to, each with the declarations in them.
//!
//! The lists of references and the answers to questions read the same places, so they agree. The
//! search ranks the chunks; [`LabelContext`](crate::answer::LabelContext) names each result by the
//! declaration at the other end.

use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, ByteSlice};

use super::reader::{PlaceMatch, Reader, is_listed};
use super::{MAX_SYMBOLS, RelationQuery};
use crate::answer::view::{counted, labels};
use crate::index::chunk::ReferenceKind;
use crate::search::Result;
use crate::search::graph::{DeclarationRef, Graph, Graphs, WrittenName, fits, is_function, manifests};
use crate::search::query::{
    ChunkRef, Direction, ReferenceSite, RelatedChunk, RelatedChunks, RelationQuestion, Sources,
};
use crate::search::segment::{DeclarationView, Index};

/// Most declarations of one name that a note lists.
const NOTED: usize = 5;

/// The variable of a Python module that lists the names which it exports.
const EXPORT_LIST: &str = "__all__";

/// The number of the repository among those whose references are read.
const HOME: usize = 0;

/// What a question for references asks for.
pub(crate) struct RelationAnswer {
    /// For the search.
    pub(crate) related: RelatedChunks,
    /// By chunk, the declarations at the other end, by their ordinals; empty if a reference stands
    /// outside of any.
    pub(crate) declarations: HashMap<ChunkRef, BTreeSet<u32>>,
    /// What the user should know: several declarations have the name, or there is no reference.
    pub(crate) notes: Vec<String>,
}

/// Returns what a question for references asks for; `None` if the text is not such a question. A
/// name that is not declared has no references.
///
/// `origin` is the address of the repository.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub(crate) fn relation_answer(
    index: &Index<'_>,
    origin: &str,
    sources: &dyn Sources,
    text: &str,
) -> Result<Option<RelationAnswer>> {
    let Some(asked) = RelationQuestion::asked(text) else { return Ok(None) };
    let (related, notes) = (RelatedChunks::none(&asked), Vec::new());
    let mut found = RelationAnswer { related, declarations: HashMap::new(), notes };
    let text = |path: &BStr| sources.texts(&[path]).pop().flatten();
    let mut graphs = Graphs::default();
    if Graph::new(index).find(&asked.symbol)?.is_empty() {
        return Ok(Some(found));
    }
    graphs.add(Graph::new(index), &manifests::packages(index, origin, &text));
    let Some(graph) = graphs.graph(HOME) else { return Ok(Some(found)) };
    let mut declared = graph.find_most_used(&asked.symbol)?;
    declared.retain(|at| asked.admits(graph, *at));
    if declared.is_empty() {
        return Ok(Some(found));
    }
    let query = RelationQuery::new("");
    let mut reader = Reader::new(graphs, vec![sources], &query);
    for &at in declared.iter().take(MAX_SYMBOLS) {
        let outgoing = asked.direction == Direction::Outgoing;
        let places =
            if outgoing { targets(&mut reader, &asked, at)? } else { places(&mut reader, &asked, at)? };
        for one in places {
            let graph = reader.graphs().graph(HOME);
            let chunk =
                if outgoing { graph.and_then(|it| it.chunk_of(one.edge.to)) } else { Some(one.edge.from) };
            let Some(chunk) = chunk else { continue };
            let site = if outgoing { ReferenceSite::Function } else { site(one.other.as_ref()) };
            let fit = asked.fit(one.edge.kind, site);
            found.related.add(chunk, RelatedChunk { confidence: one.edge.sure(), fit });
            found.declarations.entry(chunk).or_default().extend(one.other.map(|view| view.ord));
        }
    }
    found.notes.extend(note(&reader, &asked, &declared, found.related.chunks.is_empty()));
    Ok(Some(found))
}

/// Returns what is around a reference, by the declaration that it is in.
fn site(around: Option<&DeclarationView<'_>>) -> ReferenceSite {
    match around {
        Some(one) if is_function(one.row.kind) => ReferenceSite::Function,
        Some(one) if one.name() == EXPORT_LIST => ReferenceSite::Exports,
        _ => ReferenceSite::Outside,
    }
}

/// Returns the declarations that one refers to in the ways that a question asks for.
fn targets<'s>(
    reader: &mut Reader<'_, '_, 's>,
    asked: &RelationQuestion,
    at: DeclarationRef,
) -> Result<Vec<PlaceMatch<'s>>> {
    let mut found = reader.referred((HOME, at))?;
    found.retain(|one| is_listed(one) && asked.kinds.contains(&one.edge.kind));
    Ok(found)
}

/// Returns the places that refer to a declaration in the ways that a question asks for.
fn places<'s>(
    reader: &mut Reader<'_, '_, 's>,
    asked: &RelationQuestion,
    at: DeclarationRef,
) -> Result<Vec<PlaceMatch<'s>>> {
    let is_inherits = |kind: &ReferenceKind| *kind == ReferenceKind::Inherits;
    let kinds: Vec<ReferenceKind> = asked.kinds.iter().copied().filter(|kind| !is_inherits(kind)).collect();
    let mut found = if kinds.is_empty() { Vec::new() } else { reader.referrers((HOME, at), &kinds)? };
    if asked.kinds.iter().any(is_inherits) && reader.is_type((HOME, at)) {
        found.extend(reader.inheritors((HOME, at))?);
        if kinds.is_empty() {
            found.extend(reader.with_its_methods((HOME, at))?);
        }
    }
    found.retain(is_listed);
    Ok(found)
}

/// Returns what the user should know of the declarations that a question means.
fn note(
    reader: &Reader<'_, '_, '_>,
    asked: &RelationQuestion,
    declared: &[DeclarationRef],
    is_unused: bool,
) -> Option<String> {
    let place = |at: &DeclarationRef| {
        let one = reader.view((HOME, *at))?;
        let path = one.file.path().to_str_lossy();
        let kind = labels::declaration_kind(one.row.kind);
        Some(format!("{kind} {} ({path}:{})", one.symbol_path(), one.row.name_line))
    };
    let mut all: Vec<String> = declared.iter().take(NOTED).filter_map(place).collect();
    if declared.len() > NOTED {
        all.push(format!("{} more", declared.len() - NOTED));
    }
    let all = all.join(", ");
    // A key or a title is hardly called, and a name in another case may mean something else.
    let name = WrittenName::parse(&asked.symbol).name;
    let is_meant = |at: &DeclarationRef| {
        let view = reader.view((HOME, *at));
        view.is_some_and(|one| one.name() == name && fits(ReferenceKind::Use, one.row.kind))
    };
    match (declared.len(), is_unused) {
        (_, true) if !declared.iter().any(is_meant) => None,
        (_, true) => {
            let end = if asked.direction == Direction::Outgoing { "from" } else { "to" };
            Some(format!("no reference {end} {all} was found; the results are similar code"))
        }
        (1, false) => None,
        (n, false) => {
            let declarations = counted(n, "declaration has", "declarations have");
            let is_cut = n > MAX_SYMBOLS;
            let rest = if is_cut {
                format!("; only references of the first {MAX_SYMBOLS} were looked up")
            } else {
                String::new()
            };
            Some(format!(
                "{declarations} the name '{}': {all}{rest}; ask for TYPE.NAME or PATH:NAME to choose one",
                asked.symbol
            ))
        }
    }
}
