//! The lists of relations of a symbol: query → [`Relations`].
//!
//! Finds the declarations that the query means, and has the reader list the places of each. It
//! judges no place.

use std::collections::HashMap;

use bstr::BStr;

use super::reader::Reader;
use super::unresolved::files_with;
use super::{
    MAX_SYMBOLS, Place, RelatedPlaces, Relation, RelationQuery, Relations, RepositoryDeclaration,
    SymbolRelations, members, place_of,
};
use crate::index::chunk::{DeclarationKind, Language, members as fields_of};
use crate::search::graph::{
    DeclarationRef, Graph, Graphs, WrittenName, is_function, is_type, manifests, overload,
};
use crate::search::query::Sources;
use crate::search::segment::{DeclarationView, Index};
use crate::search::{Result, Searcher};

/// The references to and from a symbol in several repositories. Declarations of one repository are
/// followed into the others by their imports. Each place says which repository it is in. If no
/// declaration has that name, fields and alternatives that the index leaves out are looked for.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn relations(repositories: &[&Searcher], query: &RelationQuery) -> Result<Relations> {
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    relations_among(sources_of(repositories), graphs_of(repositories, &indexes), query)
}

/// As [`relations`], with the sources of the repositories and their references.
pub(super) fn relations_among(
    sources: Vec<&dyn Sources>,
    graphs: Graphs<'_, '_>,
    query: &RelationQuery,
) -> Result<Relations> {
    let mut found: Vec<RepositoryDeclaration> = Vec::new();
    for at in 0..graphs.len() {
        let declared = graphs.graph(at).map(|graph| graph.find_most_used(&query.symbol)).transpose()?;
        found.extend(declared.into_iter().flatten().map(|one| (at, one)));
    }
    found.retain(|at| has_labels(&sources, &graphs, at, &query.symbol));
    let is_exact = |(at, one): &RepositoryDeclaration| {
        graphs.graph(*at).is_some_and(|graph| is_named(graph, *one, &query.symbol))
    };
    if found.iter().any(is_exact) {
        // A repository without this name may have it in another spelling.
        if graphs.len() > 1 {
            found.retain(is_exact);
        }
    } else {
        let members = members::relations(&sources, &graphs, query)?;
        // A member of exactly this name is meant rather than a declaration in another case.
        if found.is_empty() || !members.symbols.is_empty() {
            return Ok(members);
        }
    }
    // A heading may happen to have the name of something in code.
    let kind = |one: &RepositoryDeclaration| Some(graphs.graph(one.0)?.declaration(one.1)?.1.kind);
    if found.iter().any(|one| kind(one) != Some(DeclarationKind::Section)) {
        found.retain(|one| kind(one) != Some(DeclarationKind::Section));
    }
    let more = found.len().saturating_sub(MAX_SYMBOLS);
    let mut shown = found.iter().take(MAX_SYMBOLS);
    let beside = match shown.any(|at| has_field_beside(&sources, &graphs, *at)) {
        true => members::relations(&sources, &graphs, query)?.symbols,
        false => Vec::new(),
    };
    let symbols = relations_in(sources, graphs, found.into_iter().take(MAX_SYMBOLS), query)?;
    let mut symbols: Vec<SymbolRelations> = symbols.into_iter().map(|(_, symbol)| symbol).collect();
    let known: Vec<Place> = symbols.iter().map(|one| one.place.clone()).collect();
    let is_known = |one: &Place| known.iter().any(|known| (&known.path, known.line) == (&one.path, one.line));
    symbols.extend(beside.into_iter().filter(|one| !is_known(&one.place)));
    Ok(Relations { symbols, more })
}

/// The members that a symbol means, if the index of a repository has no declaration of exactly this
/// name, with the places that mean them.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub(crate) fn members_of(
    sources: &dyn Sources,
    graphs: &Graphs<'_, '_>,
    query: &RelationQuery,
) -> Result<Vec<SymbolRelations>> {
    let Some(graph) = graphs.graph(0) else { return Ok(Vec::new()) };
    let found = graph.find(&query.symbol)?;
    if found.iter().any(|at| is_named(graph, *at, &query.symbol)) {
        return Ok(Vec::new());
    }
    Ok(members::relations(&[sources], graphs, query)?.symbols)
}

/// Returns whether a function of Kotlin is in a file that declares a field of its name, which the
/// index leaves out: `class Cart(val total: Int) { fun total() = 3 }`.
fn has_field_beside(
    sources: &[&dyn Sources],
    graphs: &Graphs<'_, '_>,
    (repository, at): RepositoryDeclaration,
) -> bool {
    let declared = graphs.graph(repository).and_then(|graph| graph.declaration(at));
    let Some((file, row)) =
        declared.filter(|(file, row)| file.language() == "kotlin" && is_function(row.kind))
    else {
        return false;
    };
    let text = sources.get(repository).and_then(|sources| sources.texts(&[file.path()]).pop().flatten());
    let language = Language::from_name(file.language());
    let fields =
        language.zip(text).map(|(language, text)| fields_of(language, &text, file.segment.name(&row)));
    fields.is_some_and(|fields| !fields.is_empty())
}

/// Returns the outermost type or module in front of a symbol that no source has, if there is one:
/// `Bogus` of `Bogus::Cart::add`. A declaration is found without it.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn unknown_qualifier(indexes: &[Index<'_>], symbol: &str) -> Result<Option<String>> {
    // A part of a path need not be a word of a source.
    if symbol.contains('/') || symbol.replace("::", "").contains(':') {
        return Ok(None);
    }
    for name in WrittenName::parse(symbol).outermost_first() {
        let is_word = name.starts_with(char::is_uppercase) && name.len() >= MIN_WORD;
        if is_word && !is_known(indexes, &name)? {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Returns whether an index declares a name, or has it as a word.
fn is_known(indexes: &[Index<'_>], name: &str) -> Result<bool> {
    for index in indexes {
        if !Graph::new(index).named(name)?.is_empty() || !files_with(index, name)?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Shortest word that the index is asked for, in bytes.
const MIN_WORD: usize = 3;

/// Returns whether a declaration has the labels or the number of arguments that a symbol names.
pub(super) fn has_labels(
    sources: &[&dyn Sources],
    graphs: &Graphs<'_, '_>,
    &(repository, at): &RepositoryDeclaration,
    symbol: &str,
) -> bool {
    let declared = graphs.graph(repository).and_then(|graph| graph.declaration(at));
    let names_arguments = overload::split_labels(symbol).is_some() || overload::split_arity(symbol).is_some();
    let Some((file, row)) = declared.filter(|_| names_arguments) else { return true };
    let text = sources.get(repository).and_then(|sources| sources.texts(&[file.path()]).pop().flatten());
    let view = DeclarationView { file, ord: at.ord, row };
    text.is_none_or(|text| {
        overload::has_labels(&view, &text, symbol) && overload::has_arity(&view, &text, symbol)
    })
}

/// Returns whether a declaration has the name that a symbol asks for, or is what it asks for in
/// another way: by a line that is its own, or by a title.
fn is_named(graph: &Graph<'_, '_>, at: DeclarationRef, symbol: &str) -> bool {
    let Some((file, row)) = graph.declaration(at) else { return false };
    let name = file.segment.name(&row);
    match symbol.rsplit_once(':').and_then(|(_, line)| line.parse::<u32>().ok()) {
        Some(line) => row.name_line == line || is_function(row.kind),
        None => WrittenName::parse(symbol).name == name || symbol.ends_with(name) && is_titled(row.kind),
    }
}

/// Returns whether the name of a declaration of this kind may hold what separates other names.
fn is_titled(kind: DeclarationKind) -> bool {
    !is_function(kind) && !is_type(kind) && !matches!(kind, DeclarationKind::Field | DeclarationKind::Variant)
}

/// Adds the files that mention a name without a resolved reference to the first declaration that
/// has the name, for all declarations that have it.
fn add_mentioned<'s>(
    reader: &mut Reader<'_, '_, 's>,
    symbols: &mut [(RepositoryDeclaration, DeclarationView<'s>, SymbolRelations)],
) -> Result<()> {
    let key = |at: RepositoryDeclaration, view: &DeclarationView<'s>| (at.0, view.name());
    let mut same: HashMap<(usize, &str), Vec<DeclarationRef>> = HashMap::new();
    for (at, view, _) in symbols.iter() {
        same.entry(key(*at, view)).or_default().push(at.1);
    }
    for (at, view, relations) in symbols {
        if let Some(of) = same.remove(&key(*at, view)) {
            relations.mentioned = reader.mentioned(at.0, &of)?;
        }
    }
    Ok(())
}

/// The place of a declaration in one of several repositories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeclarationPosition<'p> {
    /// The position of its repository.
    pub repository: usize,
    /// Source path.
    pub path: &'p BStr,
    /// Line of its name.
    pub line: u32,
    /// Its name.
    pub name: &'p str,
}

/// As [`relations`], for the declarations of a name at a line, whatever symbol the query names.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn relations_at(
    repositories: &[&Searcher],
    at: DeclarationPosition<'_>,
    query: &RelationQuery,
) -> Result<Vec<SymbolRelations>> {
    let indexes: Vec<Index<'_>> = repositories.iter().map(|searcher| searcher.index()).collect();
    let graphs = graphs_of(repositories, &indexes);
    let file = indexes.get(at.repository).and_then(|index| index.file_by_path(at.path));
    let found = file.into_iter().flat_map(|file| file.declarations());
    let found = found.filter(|one| one.row.name_line == at.line && one.name() == at.name);
    let found = found.map(|one| (at.repository, DeclarationRef { part: one.file.part, ord: one.ord }));
    let symbols = relations_in(sources_of(repositories), graphs, found, query)?;
    Ok(symbols.into_iter().map(|(_, symbol)| symbol).collect())
}

/// The declarations that a symbol means, in the order in which its references are listed.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged cache.
pub fn declared(searcher: &Searcher, symbol: &str) -> Result<Vec<DeclarationRef>> {
    let indexes = [searcher.index()];
    let graphs = graphs_of(&[searcher], &indexes);
    Ok(graphs.graph(0).map(|graph| graph.find_most_used(symbol)).transpose()?.unwrap_or_default())
}

/// The sources of repositories, in their order.
pub(crate) fn sources_of<'r>(repositories: &[&'r Searcher]) -> Vec<&'r dyn Sources> {
    repositories.iter().map(|&one| one as &dyn Sources).collect()
}

/// The references of repositories, whose indexes are given in their order.
pub(crate) fn graphs_of<'i, 's>(repositories: &[&'s Searcher], indexes: &'i [Index<'s>]) -> Graphs<'i, 's> {
    let mut graphs = Graphs::default();
    for (index, searcher) in indexes.iter().zip(repositories) {
        let text = |path: &BStr| searcher.text(path);
        let packages = manifests::packages(index, &searcher.repo().origin(), &text);
        graphs.add(Graph::new(index), &packages);
    }
    graphs
}

/// The relations of declarations of one repository, whatever symbol the query names. `graphs` are
/// the references of that repository.
pub(crate) fn relations_of<'s>(
    searcher: &Searcher,
    graphs: Graphs<'_, 's>,
    of: impl Iterator<Item = DeclarationRef>,
    query: &RelationQuery,
) -> Result<Vec<(DeclarationView<'s>, SymbolRelations)>> {
    relations_in(vec![searcher], graphs, of.map(|one| (0, one)), query)
}

fn relations_in<'s>(
    sources: Vec<&dyn Sources>,
    graphs: Graphs<'_, 's>,
    of: impl Iterator<Item = RepositoryDeclaration>,
    query: &RelationQuery,
) -> Result<Vec<(DeclarationView<'s>, SymbolRelations)>> {
    let mut reader = Reader::new(graphs, sources, query);
    let mut symbols = Vec::new();
    for at in of {
        let Some(view) = reader.view(at) else { continue };
        let is_replaceable =
            reader.is_type(at) || query.overriders && view.row.kind == DeclarationKind::Method;
        let mut list = |relation: Relation| -> Result<Option<RelatedPlaces>> {
            if !query.relations.contains(&relation) || relation == Relation::Implementers && !is_replaceable {
                return Ok(None);
            }
            reader.list(at, relation, 1, &mut vec![at]).map(Some)
        };
        let relations = SymbolRelations {
            place: place_of(at.0, &view),
            callers: list(Relation::Callers)?,
            callees: list(Relation::Callees)?,
            implementers: list(Relation::Implementers)?,
            mentioned: None,
        };
        symbols.push((at, view, relations));
    }
    if query.relations.contains(&Relation::Callers) {
        add_mentioned(&mut reader, &mut symbols)?;
    }
    Ok(symbols.into_iter().map(|(_, view, relations)| (view, relations)).collect())
}
