//! The references of members that the index leaves out: fields, and alternatives of enumerations.
//!
//! Input: a symbol that the index does not declare. The words of the index say which files have
//! its name, and their sources where a member of this name is declared. Every other place of the
//! name is a guess, except the own object's members in the type itself (`self.size`).

use std::cell::OnceCell;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use super::unresolved::files_with;
use super::words::{enclosing, is_remark, mentions};
use super::{
    MAX_SYMBOLS, Place, RelatedPlace, RelatedPlaces, Relation, RelationQuery, Relations, SymbolRelations,
    place_of,
};
use crate::answer::view::labels;
use crate::base::text::line_at;
use crate::index::chunk::{DeclarationKind, Language, ReferenceKind, members};
use crate::search::graph::{Evidence, Graph, Graphs, WrittenName, class_around, is_function, is_type};
use crate::search::segment::{DeclarationView, FileView};
use crate::search::{Result, Searcher};

/// Objects that are the current one.
const OWN: [&str; 6] = ["self.", "this.", "this->", "cls.", "$this->", "@"];

/// A file with the name, its source, and where that declares members of the name.
struct NamedFile<'s> {
    repository: usize,
    file: FileView<'s>,
    text: Arc<str>,
    /// The bytes at which declared members begin, each with the type that has it.
    declared: Vec<(u32, DeclarationKind, Option<DeclarationView<'s>>)>,
    /// The bytes and lines of the other places of the name, found when first needed.
    others: OnceCell<Vec<(u32, u32)>>,
}

impl NamedFile<'_> {
    /// Returns the places of the name that declare nothing, and are in no comment or import.
    fn others(&self, name: &str) -> &[(u32, u32)] {
        self.others.get_or_init(|| {
            let end = u32::try_from(self.text.len()).unwrap_or(u32::MAX);
            let mut places = mentions(&self.text, 0, end, name, ReferenceKind::Use);
            places.retain(|(at, _)| {
                !is_remark(&self.text, *at) && !self.declared.iter().any(|one| one.0 == *at)
            });
            places
        })
    }
}

/// Returns the members that a symbol means, with the places of its name.
///
/// # Errors
/// [`crate::search::Error::Segment`] for a damaged index.
pub(super) fn relations(
    searchers: &[&Searcher],
    graphs: &Graphs<'_, '_>,
    query: &RelationQuery,
) -> Result<Relations> {
    let (path, symbol) = match query.symbol.rsplit_once(':') {
        Some((path, rest)) if !path.ends_with(':') => (Some(path), rest),
        _ => (None, query.symbol.as_str()),
    };
    let written = WrittenName::parse(symbol);
    let mut files = Vec::new();
    for (repository, searcher) in searchers.iter().enumerate() {
        let Some(graph) = graphs.graph(repository) else { continue };
        files.extend(named(repository, graph, searcher, &written.name)?);
    }
    let is_asked = |file: &NamedFile<'_>, owner: &Option<DeclarationView<'_>>| {
        path.is_none_or(|path| file.file.path() == BStr::new(path))
            && (written.n_qualifiers() == 0
                || owner.is_some_and(|owner| written.is_in(&owner.file, &owner.row, owner.name())))
    };
    let mut found: Vec<(&NamedFile<'_>, u32, DeclarationKind, Option<DeclarationView<'_>>)> = Vec::new();
    for file in &files {
        for &(at, kind, owner) in file.declared.iter().filter(|(_, _, owner)| is_asked(file, owner)) {
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
    let symbols = found.into_iter().take(MAX_SYMBOLS).map(|(file, at, kind, owner)| {
        let line = line_at(&file.text, at as usize);
        let separator = Language::from_name(file.file.language()).map_or(".", Language::separator);
        let name = &written.name;
        let symbol = owner.map_or(name.clone(), |owner| format!("{}{separator}{name}", owner.symbol_path()));
        let place = Place {
            repository: file.repository,
            path: file.file.path().to_str_lossy().into_owned(),
            line,
            end_line: line,
            symbol,
            kind: labels::declaration_kind(kind).to_owned(),
        };
        let asked = query.relations.contains(&Relation::Callers);
        let types = DeclaredTypes(graphs, file.repository);
        let callers = asked.then(|| callers(&files, (file, owner), (name, n), types, query));
        SymbolRelations { place, callers, callees: None, implementers: None, mentioned: None }
    });
    Ok(Relations { symbols: symbols.collect(), more })
}

/// Returns the files of a repository with a name, and the members of that name in each.
fn named<'s>(
    repository: usize,
    graph: &Graph<'_, 's>,
    searcher: &Searcher,
    name: &str,
) -> Result<Vec<NamedFile<'s>>> {
    let mut found = Vec::new();
    for file in files_with(graph.index(), name)? {
        let Some(text) = searcher.text(file.path()) else { continue };
        let all = Language::from_name(file.language()).map(|language| members(language, &text, name));
        let declared = all.into_iter().flatten().filter_map(|one| {
            let around = enclosing(file.declarations(), |span| span.bytes.contains(one.at));
            let is_local = around.is_some_and(|around| is_function(around.row.kind));
            if is_local && !one.is_in_function {
                return None;
            }
            let owner = if one.is_in_function { type_around(around) } else { around };
            Some((one.at, one.kind, owner))
        });
        let declared = declared.collect();
        found.push(NamedFile { repository, file, text, declared, others: OnceCell::new() });
    }
    Ok(found)
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

/// Returns the places of a name that may mean a member of `owner`, of which there are `n`. Each
/// declaration counts once.
fn callers(
    files: &[NamedFile<'_>],
    (home, owner): (&NamedFile<'_>, Option<DeclarationView<'_>>),
    (name, n): (&str, usize),
    types: DeclaredTypes<'_, '_, '_>,
    query: &RelationQuery,
) -> RelatedPlaces {
    let mut items: Vec<RelatedPlace> = Vec::new();
    for file in files.iter().filter(|one| one.file.language() == home.file.language()) {
        for &(at, line) in file.others(name) {
            let around = enclosing(file.file.declarations(), |span| span.bytes.contains(at));
            let before = file.text.get(..at as usize).unwrap_or_default();
            let class = around.map_or("", |one| class_around(&file.file, Some(one.ord)));
            // `NodeTypes.ELEMENT` is not a member of `ShapeFlags`.
            let named = object(before).map_or(0, |object| types.n_named(object));
            let is_named = named > 0 && owner.is_some_and(|owner| Some(owner.name()) == object(before));
            if named > 0 && !is_named {
                continue;
            }
            let is_own = std::ptr::eq(file, home)
                && OWN.iter().any(|own| before.ends_with(own))
                && owner.is_some_and(|owner| owner.name() == class);
            let evidence = match is_own {
                true => Evidence::Class,
                false if is_named && named == 1 => Evidence::Qualifier,
                false if n == 1 => Evidence::Sole,
                false => Evidence::Name,
            };
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
                how: evidence.name(),
                certain: evidence.is_certain(),
                confidence: evidence.confidence(n),
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

/// The types that a repository declares.
#[derive(Clone, Copy)]
struct DeclaredTypes<'g, 'i, 's>(&'g Graphs<'i, 's>, usize);

impl DeclaredTypes<'_, '_, '_> {
    /// Returns how many types have a name. Blocks that add to a type don't count.
    fn n_named(self, name: &str) -> usize {
        let Some(graph) = self.0.graph(self.1) else { return 0 };
        let all = graph.named(name).unwrap_or_default().into_iter();
        let kinds = all.filter_map(|at| graph.declaration(at)).map(|(_, row)| row.kind);
        kinds.filter(|kind| is_type(*kind) && *kind != DeclarationKind::Implementation).count()
    }
}

/// Returns the name in front of a member that is written like the name of a type.
fn object(before: &str) -> Option<&str> {
    let object = ["::", "?.", "."].iter().find_map(|mark| before.strip_suffix(mark))?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let name = object.get(object.trim_end_matches(is_word).len()..)?;
    // Behind another name, it is a member itself.
    let is_first = !object.get(..object.len() - name.len())?.ends_with(['.', '>']);
    (is_first && name.starts_with(char::is_uppercase)).then_some(name)
}

/// Returns the place of a line outside of declarations.
fn outside(file: &NamedFile<'_>, line: u32) -> Place {
    Place {
        repository: file.repository,
        path: file.file.path().to_str_lossy().into_owned(),
        line,
        end_line: line,
        symbol: String::new(),
        kind: labels::chunk_kind(crate::index::chunk::ChunkKind::Code).to_owned(),
    }
}
