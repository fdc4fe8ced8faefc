//! The references of members that the index leaves out: fields, and alternatives of enumerations.
//!
//! Input: a symbol that the index does not declare. The words of the index say which files have
//! its name, and their sources where a member of this name is declared. `member_use` judges every
//! other place of the name.

use std::collections::HashSet;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use super::declared_types::DeclaredTypes;
use super::enumerator::outer_scope;
use super::member_use::{DeclaredMembers, Member, NamedFile, is_local};
use super::name_at::name_range;
use super::unresolved::files_with;
use super::words::{enclosing, enclosing_byte, is_property};
use super::{
    MAX_SYMBOLS, Place, RelatedPlace, RelatedPlaces, Relation, RelationQuery, Relations, SymbolRelations,
    place_of,
};
use crate::answer::view::labels;
use crate::base::text::{line_at, named_path, quoted, words};
use crate::base::threads;
use crate::index::chunk::{
    DeclarationKind, Language, MemberPlace, ReferenceKind, Span, members, members_of_each,
};
use crate::search::Result;
use crate::search::graph::{Graph, Graphs, WrittenName, is_one_family, is_type};
use crate::search::query::Sources;
use crate::search::segment::{DeclarationView, FileView};

/// Most names of a line that are looked at.
const MAX_NAMES_OF_LINE: usize = 20;

/// Returns the members that a symbol means, with the places of its name.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged index.
pub(super) fn relations(
    sources: &[&dyn Sources],
    graphs: &Graphs<'_, '_>,
    query: &RelationQuery,
) -> Result<Relations> {
    let (path, symbol) = match query.symbol.rsplit_once(':') {
        Some((path, rest)) if !path.ends_with(':') => (Some(named_path(path)), rest),
        _ => (None, query.symbol.as_str()),
    };
    let path = path.as_ref().map(|path| path.as_bstr());
    let at_line = path.zip(symbol.parse::<u32>().ok());
    let written = match at_line {
        Some((path, line)) => name_at(sources, graphs, path, line).unwrap_or_else(|| WrittenName::parse("")),
        None => WrittenName::parse(symbol),
    };
    relations_of(
        sources,
        graphs,
        query,
        &MemberRequest { path, line: at_line.map(|(_, line)| line), written },
    )
}

/// A member that is asked for.
pub(crate) struct MemberRequest<'p> {
    /// Its file, if only that one is meant.
    pub(crate) path: Option<&'p BStr>,
    /// Its line there.
    pub(crate) line: Option<u32>,
    pub(crate) written: WrittenName,
}

/// Returns the members that are asked for, with the places of their name.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged index.
pub(crate) fn relations_of(
    sources: &[&dyn Sources],
    graphs: &Graphs<'_, '_>,
    query: &RelationQuery,
    asked: &MemberRequest<'_>,
) -> Result<Relations> {
    let MemberRequest { path, line: at_line, written } = asked;
    let (path, at_line) = (*path, *at_line);
    if written.name.is_empty() {
        return Ok(Relations { symbols: Vec::new(), more: 0 });
    }
    let mut files = Vec::new();
    for (repository, texts) in sources.iter().enumerate() {
        let Some(graph) = graphs.graph(repository) else { continue };
        let more = path.filter(|_| at_line.is_some());
        files.extend(named(repository, graph, *texts, written, more)?);
    }
    let is_asked = |file: &NamedFile<'_>, owner: &Option<DeclarationView<'_>>| {
        path.is_none_or(|path| file.file.path() == path)
            && (written.n_qualifiers() == 0
                || owner.is_some_and(|owner| written.is_in(&owner.file, &owner.row, owner.name()))
                || outer_scope(owner.as_ref(), &file.text)
                    .is_some_and(|outer| written.is_in(&outer.file, &outer.row, outer.name())))
    };
    let mut found: Vec<(&NamedFile<'_>, u32, DeclarationKind, Option<DeclarationView<'_>>)> = Vec::new();
    for file in &files {
        for &(at, kind, owner) in file.declared.iter().filter(|(_, _, owner)| is_asked(file, owner)) {
            if at_line.is_some_and(|line| line_at(&file.text, at as usize) != line) {
                continue;
            }
            // A type may assign to its member in several places.
            let is_known = found.iter().any(|(known, _, _, of)| {
                let id = |one: &Option<DeclarationView<'_>>| one.map(|one| (one.file.part, one.ord));
                std::ptr::eq(*known, file) && owner.is_some() && id(of) == id(&owner)
            });
            if !is_known {
                found.push((file, at, kind, owner));
            }
        }
    }
    let more = found.len().saturating_sub(MAX_SYMBOLS);
    let n = found.len();
    let is_only = files.iter().map(|file| file.declared.len()).sum::<usize>() == 1;
    let symbols = found.into_iter().take(MAX_SYMBOLS).map(|(file, at, kind, owner)| {
        let line = line_at(&file.text, at as usize);
        let separator = Language::from_name(file.file.language()).map_or(".", Language::separator);
        let name = &written.name;
        let symbol = owner.map_or(name.clone(), |owner| format!("{}{separator}{name}", owner.symbol_path()));
        let place = Place {
            repository: file.repository,
            path: quoted(file.file.path()).into_owned(),
            line,
            end_line: line,
            symbol,
            kind: labels::declaration_kind(kind).to_owned(),
        };
        let asked = query.relations.contains(&Relation::Callers);
        let types = DeclaredTypes(graphs, file.repository);
        let callers = asked.then(|| {
            let heirs = types.heirs(owner);
            let of = Member { files: &files, home: file, owner, name, kind, n, is_only, types, heirs };
            callers(&of, query)
        });
        SymbolRelations { place, callers, callees: None, implementers: None, mentioned: None }
    });
    Ok(Relations { symbols: symbols.collect(), more })
}

fn text_of(sources: &dyn Sources, path: &BStr) -> Option<Arc<str>> {
    sources.texts(&[path]).pop().flatten()
}

/// Returns the name of the member that a line declares outside of functions, behind that of its
/// type.
fn name_at(sources: &[&dyn Sources], graphs: &Graphs<'_, '_>, path: &BStr, line: u32) -> Option<WrittenName> {
    let (repository, file) =
        (0..sources.len()).find_map(|at| Some((at, graphs.graph(at)?.index().file_by_path(path)?)))?;
    let text = text_of(*sources.get(repository)?, path)?;
    let language = Language::from_name(file.language())?;
    let written = text.lines().nth(line.checked_sub(1)? as usize)?;
    // A private member of JavaScript: `#size`.
    let has_private = has_private_names(file.language());
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || has_private && c == '#';
    let names =
        written.split(|c| !is_name(c)).filter(|name| name.starts_with(|c| is_name(c) && !c.is_numeric()));
    let names: Vec<&str> = names.take(MAX_NAMES_OF_LINE).collect();
    let is_here = |one: &MemberPlace| !one.is_in_function && line_at(&text, one.at as usize) == line;
    let all = members_of_each(language, &text, &names);
    let name = names.into_iter().zip(all).find(|(_, all)| all.iter().any(is_here))?.0;
    let is_around = |span: &Span| (span.start_line..=span.end_line).contains(&line);
    let around = type_around(enclosing(file.declarations(), is_around));
    Some(WrittenName::within(around.map_or("", |around| around.name()), name))
}

/// Returns whether names in a language may begin with `#`.
fn has_private_names(language: &str) -> bool {
    matches!(language, "javascript" | "typescript" | "tsx")
}

/// Returns the files of a repository with a name, and the file at a path if the index can't tell
/// which files have it; each with its members of that name.
pub(super) fn named<'s>(
    repository: usize,
    graph: &Graph<'_, 's>,
    sources: &dyn Sources,
    written: &WrittenName,
    also: Option<&BStr>,
) -> Result<Vec<NamedFile<'s>>> {
    let name = written.name.as_str();
    let mut found = Vec::new();
    let mut files = files_with(graph.index(), name.trim_start_matches('#'))?;
    if files.is_empty() {
        // The index has no words of one letter. Then the type says in which files to look.
        files = files_with(graph.index(), written.nearest_qualifier())?;
        let also = also.and_then(|path| graph.index().file_by_path(path));
        files.extend(also.filter(|also| !files.iter().any(|one| one.path() == also.path())));
    }
    let paths: Vec<&BStr> = files.iter().map(|file| file.path()).collect();
    let texts = sources.texts(&paths);
    let jobs: Vec<(Option<Language>, Option<Arc<str>>)> =
        files.iter().zip(texts).map(|(file, text)| (Language::from_name(file.language()), text)).collect();
    let in_text = |(language, text): &(Option<Language>, Option<Arc<str>>)| {
        let known = language.zip(text.as_deref());
        known.map(|(language, text)| members(language, text, name)).unwrap_or_default()
    };
    let all = threads::shares(&jobs, threads::worth(jobs.len(), 1), |share| {
        share.iter().map(in_text).collect::<Vec<Vec<MemberPlace>>>()
    });
    for ((file, (_, text)), all) in files.into_iter().zip(jobs).zip(all.into_iter().flatten()) {
        let Some(text) = text else { continue };
        let mut declared = properties(&file, &text, name);
        // Of the values that functions give a member, the first one declares it, unless the type
        // does.
        let around = |at: u32| enclosing_byte(&file, at);
        let all: Vec<(MemberPlace, Option<DeclarationView<'s>>)> =
            all.into_iter().map(|one| (one, around(one.at))).collect();
        let outer = all.iter().filter(|(one, around)| !one.is_in_function && around.is_some());
        let mut assigned: HashSet<Option<u32>> =
            outer.map(|(_, around)| around.map(|around| around.ord)).collect();
        assigned.extend(declared.iter().map(|one| one.2.map(|owner| owner.ord)));
        let n_properties = declared.len();
        declared.extend(all.into_iter().filter_map(|(one, around)| {
            let is_in_property = around.is_some_and(|around| is_property(&around));
            if (is_local(around) || is_in_property) && !one.is_in_function {
                return None;
            }
            let owner = if one.is_in_function { type_around(around) } else { around };
            let is_first = !one.is_in_function || assigned.insert(owner.map(|owner| owner.ord));
            is_first.then_some((one.at, one.kind, owner))
        }));
        let (known, others) = declared.split_at(n_properties);
        let is_new = |one: &&(u32, _, _)| !known.iter().any(|(at, _, _)| *at == one.0);
        let others: DeclaredMembers<'s> = others.iter().filter(is_new).copied().collect();
        declared.truncate(n_properties);
        declared.extend(others);
        declared.sort_by_key(|one| one.0);
        found.push(NamedFile::new(repository, file, text, declared));
    }
    Ok(found)
}

/// Returns the properties of a name that the index has, in a file with this text.
fn properties<'s>(file: &FileView<'s>, text: &str, name: &str) -> DeclaredMembers<'s> {
    let named = file.declarations().filter(|one| one.name() == name && is_property(one));
    let declared = named.filter_map(|one| {
        let row = &one.row;
        let at = match (row.signature.of(text).split('='), Language::from_name(file.language())) {
            // The type may have the same name, and comes first.
            (mut head, Some(language)) if matches!(language.name(), "c-sharp" | "razor") => {
                let place = words(head.next().unwrap_or_default(), name).last()?;
                row.signature.start.checked_add(u32::try_from(place).ok()?)?
            }
            _ => name_range(text, name, row.kind, &row.span, row.name_line).start,
        };
        Some((at, row.kind, owner_of(&one)))
    });
    declared.collect()
}

/// Returns the type that a member belongs to.
pub(super) fn owner_of<'s>(one: &DeclarationView<'s>) -> Option<DeclarationView<'s>> {
    let ord = one.row.parent.filter(|&parent| parent < one.ord)?;
    type_around(Some(DeclarationView { ord, row: one.file.segment.declaration(ord)?, ..*one }))
}

/// Returns the innermost type around a declaration, which may be itself.
fn type_around(around: Option<DeclarationView<'_>>) -> Option<DeclarationView<'_>> {
    let mut at = around;
    while let Some(one) = at.filter(|one| !is_type(one.row.kind)) {
        let parent = one.row.parent.filter(|&parent| parent < one.ord);
        at = parent
            .and_then(|ord| Some(DeclarationView { ord, row: one.file.segment.declaration(ord)?, ..one }));
    }
    at
}

/// Returns the places that may mean a member. Each declaration counts once.
fn callers(of: &Member<'_, '_, '_, '_>, query: &RelationQuery) -> RelatedPlaces {
    let mut items: Vec<RelatedPlace> = Vec::new();
    for file in of.files.iter().filter(|one| is_one_family(one.file.language(), of.home.file.language())) {
        for &(at, line) in file.others(of.name) {
            let around = enclosing_byte(&file.file, at);
            let Some(evidence) = of.evidence(file, at, around.as_ref()) else { continue };
            if query.certain && !evidence.is_certain() {
                continue;
            }
            let place = match around {
                Some(around) => place_of(file.repository, &around),
                None => outside(file, line),
            };
            let known = items.iter_mut().find(|one| one.place == place);
            let item = RelatedPlace {
                place,
                at: line,
                relation: labels::reference_kind(ReferenceKind::Use),
                how: evidence,
                certain: evidence.is_certain(),
                confidence: evidence.confidence(of.n),
                test: file.file.flags().is_test(),
                related: Vec::new(),
            };
            match known {
                Some(known) if item.certain && !known.certain => *known = item,
                Some(_) => {}
                None => items.push(item),
            }
        }
    }
    items.sort_by_key(|one| (!one.certain, one.test));
    let more = items.len().saturating_sub(query.limit);
    items.truncate(query.limit);
    RelatedPlaces { items, more }
}

/// Returns the place of a line outside of declarations.
fn outside(file: &NamedFile<'_>, line: u32) -> Place {
    Place {
        repository: file.repository,
        path: quoted(file.file.path()).into_owned(),
        line,
        end_line: line,
        symbol: String::new(),
        kind: labels::chunk_kind(crate::index::chunk::ChunkKind::Code).to_owned(),
    }
}
