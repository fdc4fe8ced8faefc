//! The references of members that the index leaves out: fields, and alternatives of enumerations.
//!
//! Input: a symbol that the index does not declare. The words of the index say which files have
//! its name, and their sources where a member of this name is declared. Every other place of the
//! name is a guess, except the own object's members in the type itself (`self.size`).

use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::Arc;

use bstr::ByteSlice;

use super::rules::reference;
use super::unresolved::files_with;
use super::words::{enclosing, is_remark, mentions};
use super::{
    MAX_SYMBOLS, Place, RelatedPlace, RelatedPlaces, Relation, RelationQuery, Relations, SymbolRelations,
    place_of,
};
use crate::answer::view::labels;
use crate::base::text::{line_at, named_path, quoted};
use crate::index::chunk::{ByteRange, DeclarationKind, Language, ReferenceKind, hidden_in, members};
use crate::search::graph::{
    DeclarationRef, Evidence, Graph, Graphs, WrittenName, class_around, has_implicit_self, is_function,
    is_one_family, is_type,
};
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
    /// The bytes in which a parameter or a variable has the name, found when first needed.
    hidden: OnceCell<Vec<ByteRange>>,
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

    /// Returns whether a parameter or a variable has the name at a byte, or no code has it.
    fn is_hidden(&self, at: u32, name: &str) -> bool {
        let ranges = self.hidden.get_or_init(|| {
            let language = Language::from_name(self.file.language());
            language.map(|language| hidden_in(language, &self.text, name)).unwrap_or_default()
        });
        ranges.iter().any(|range| range.contains(at))
    }

    /// Returns what a name without an object means at a byte: whether it is a member of `owner`, of
    /// `home`; `None` if that is impossible.
    fn bare(
        &self,
        at: u32,
        name: &str,
        (home, owner): (&Self, Option<DeclarationView<'_>>),
        heirs: &HashSet<String>,
    ) -> Option<bool> {
        let language = self.file.language();
        if is_key(&self.text, at as usize, name, (language, owner.map_or("", |owner| owner.name()))) {
            return Some(false);
        }
        if !has_implicit_self(language) || is_label(&self.text, at as usize, name) || self.is_hidden(at, name)
        {
            return None;
        }
        let owner = owner?;
        let around = enclosing(self.file.declarations(), |span| span.bytes.contains(at));
        let mut next = around;
        while let Some(one) = next {
            let is_whole = is_type(one.row.kind) && one.row.kind != DeclarationKind::Implementation;
            let class = if is_type(one.row.kind) { one.name() } else { one.file.segment.scope(&one.row) };
            let class = class.rsplit(['.', ':']).next().unwrap_or(class);
            let declares = |(_, _, of): &(u32, DeclarationKind, Option<DeclarationView<'_>>)| {
                is_whole && of.is_some_and(|of| of.ord == one.ord)
            };
            let is_own = class == owner.name() && !class.is_empty();
            if is_own && (std::ptr::eq(self, home) || !is_whole) {
                return Some(std::ptr::eq(self, home));
            }
            // An inner type has a member of that name itself.
            if self.declared.iter().any(declares) {
                return None;
            }
            if heirs.contains(class) {
                return Some(false);
            }
            let parent = one.row.parent.filter(|&parent| parent < one.ord);
            next = parent.and_then(|ord| {
                Some(DeclarationView { ord, row: one.file.segment.declaration(ord)?, ..one })
            });
        }
        None
    }
}

/// Returns whether a name is not behind an object.
fn is_alone(before: &str) -> bool {
    let before = before.trim_end();
    let is_member =
        before.ends_with(['.', '@']) || ["->", "::", "::$"].iter().any(|end| before.ends_with(end));
    // `[..limit]` and `...limit` are not members.
    !is_member || before.ends_with("..")
}

/// Returns whether a name without an object is that of a field that gets a value, or whose value is
/// taken: `Store{limit: 3}`, `Store { limit }`, `Store(limit = 3)`. `owner` is the type.
fn is_key(text: &str, at: usize, name: &str, (language, owner): (&str, &str)) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
    let has_value = after.starts_with(':') && !after.starts_with("::") && !after.starts_with(":=");
    let is_assigned = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
    let is_short = after.starts_with([',', '}']);
    let is_written = match language {
        "go" | "dart" | "swift" => has_value,
        "javascript" | "jsx" | "rust" | "tsx" | "typescript" => has_value || is_short,
        "c-sharp" | "kotlin" | "python" | "scala" => is_assigned,
        _ => false,
    };
    if !is_written || !before.ends_with(['{', ',', '(']) {
        return false;
    }
    let Some(open) = opened(before) else { return false };
    let word = before.get(..open).unwrap_or_default().trim_end();
    if before.get(open..).is_some_and(|open| open.starts_with('{')) {
        return matches!(language, "c-sharp" | "go" | "javascript" | "jsx" | "rust" | "tsx" | "typescript");
    }
    let is_constructor = word.strip_suffix(owner).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric));
    is_constructor && matches!(language, "dart" | "kotlin" | "python" | "scala" | "swift")
}

/// Returns whether a name stands in front of an argument that it names: `f(limit = 3)`,
/// `f(limit: 3)`.
fn is_label(text: &str, at: usize, name: &str) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let after = text.get(at + name.len()..).unwrap_or_default().trim_start();
    let is_given = after.starts_with(':') && !after.starts_with("::")
        || after.starts_with('=') && !after.starts_with("==");
    is_given && before.ends_with(['(', ','])
}

/// Returns where the innermost bracket begins that a text leaves open.
fn opened(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices().rev().take(MAX_OPEN) {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth == 0 => return Some(at),
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Longest distance, in characters, from a field's name to the bracket around it.
const MAX_OPEN: usize = 4000;

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
    let (path, written) = (path.map(named_path), WrittenName::parse(symbol));
    let mut files = Vec::new();
    for (repository, searcher) in searchers.iter().enumerate() {
        let Some(graph) = graphs.graph(repository) else { continue };
        files.extend(named(repository, graph, searcher, &written.name)?);
    }
    let is_asked = |file: &NamedFile<'_>, owner: &Option<DeclarationView<'_>>| {
        path.as_ref().is_none_or(|path| file.file.path() == path.as_bstr())
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
            path: quoted(file.file.path()).into_owned(),
            line,
            end_line: line,
            symbol,
            kind: labels::declaration_kind(kind).to_owned(),
        };
        let asked = query.relations.contains(&Relation::Callers);
        let types = DeclaredTypes(graphs, file.repository);
        let callers = asked.then(|| callers(&files, (file, owner), (name, kind, n), types, query));
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
        let (others, hidden) = (OnceCell::new(), OnceCell::new());
        found.push(NamedFile { repository, file, text, declared, others, hidden });
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
    (name, kind, n): (&str, DeclarationKind, usize),
    types: DeclaredTypes<'_, '_, '_>,
    query: &RelationQuery,
) -> RelatedPlaces {
    let mut items: Vec<RelatedPlace> = Vec::new();
    let heirs = types.heirs(owner);
    for file in files.iter().filter(|one| is_one_family(one.file.language(), home.file.language())) {
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
            // An alternative may be named alone: in C, behind `case`, or after an import.
            let is_bare = kind == DeclarationKind::Field && is_alone(before);
            let bare = if is_bare { file.bare(at, name, (home, owner), &heirs) } else { Some(false) };
            let Some(is_of_class) = bare else { continue };
            let is_own = is_of_class
                || std::ptr::eq(file, home)
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

/// Most levels of subtypes that are followed.
const MAX_HEIRS: usize = 4;
/// Most names of subtypes.
const MAX_HEIR_NAMES: usize = 500;

/// The types that a repository declares.
#[derive(Clone, Copy)]
struct DeclaredTypes<'g, 'i, 's>(&'g Graphs<'i, 's>, usize);

impl DeclaredTypes<'_, '_, '_> {
    /// Returns the names of the types that inherit from a type, directly or not.
    fn heirs(self, of: Option<DeclarationView<'_>>) -> HashSet<String> {
        let mut found: HashSet<String> = HashSet::new();
        let Some(graph) = self.0.graph(self.1) else { return found };
        let mut level: Vec<DeclarationRef> = of.iter().map(reference).collect();
        for _ in 0..MAX_HEIRS {
            let mut next = Vec::new();
            for at in level {
                for edge in graph.implementers(at).unwrap_or_default() {
                    let Some(file) = graph.file_of(edge.from) else { continue };
                    let mentions = file.segment.mentions(edge.from.ord).unwrap_or_default();
                    let names = mentions.iter().filter(|one| one.kind == ReferenceKind::Inherits);
                    let name = graph.declaration(at).map(|(file, row)| file.segment.name(&row));
                    for heir in names.filter(|one| Some(one.name) == name).map(|one| one.alias) {
                        if found.len() < MAX_HEIR_NAMES && found.insert(heir.to_owned()) {
                            next.extend(graph.named(heir).unwrap_or_default());
                        }
                    }
                }
            }
            level = next;
        }
        found
    }

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
        path: quoted(file.file.path()).into_owned(),
        line,
        end_line: line,
        symbol: String::new(),
        kind: labels::chunk_kind(crate::index::chunk::ChunkKind::Code).to_owned(),
    }
}
