//! The references to and from a declaration, with lines: a question → lists of places.
//!
//! Owns the question ([`RelationQuery`]), the answer ([`Relations`]), and what a place is.
//!
//! | file | input → output |
//! |---|---|
//! | `lists` | query → the lists of a symbol: the entry point |
//! | `reader` | declaration → the places that refer to it, by graph and source |
//! | `targets` | declaration → the declarations that it refers to |
//! | `places` | edge between two chunks → the places in the text, each with its evidence |
//! | `source` | file → the places of all its references, parsed once more |
//! | `matching` | the references that a chunk records, and places → which stands where |
//! | `distinction` | declaration with namesakes, and reference → whether that can mean it |
//! | `name_in_text` | a reference, as the text around it shows it |
//! | `namesake` | property called like its type or a function, and reference → which of them that means |
//! | `results` | call → the types of its arguments that other declarations tell |
//! | `singleton` | method of Ruby and call → whether the call can mean it |
//! | `rules` | two declarations → whether one is a member or a constructor of the other |
//! | `words` | text and name → where the name stands as a word |
//! | `name_at` | declaration and text → the bytes of its name |
//! | `field_name` | place → whether a field is declared or set there |
//! | `member_use` | place of a name → whether it means such a field, and the evidence |
//! | `declared_types` | name of a type → how many have it, which one is meant, which inherit from it |
//! | `enumerator` | enumeration of C or C++ → the scope that its alternatives belong to, too |
//! | `members` | name that the index does not declare → the references of a field of that name |
//! | `property` | property that the index declares → its uses through objects of unknown type |
//! | `unresolved` | name → files that mention it without a resolved reference |
//! | `question` | question such as "what calls open" → the chunks that refer to the symbol |

mod declared_types;
pub(super) mod distinction;
mod enumerator;
mod field_name;
mod heirs;
mod lists;
pub(super) mod matching;
mod member_use;
mod members;
pub(super) mod name_at;
pub(super) mod name_in_text;
mod namesake;
mod places;
mod property;
pub(super) mod question;
pub(super) mod reader;
mod record_component;
pub(super) mod referrers;
mod results;
pub(super) mod rules;
pub(super) mod singleton;
mod source;
mod targets;
#[cfg(test)]
mod tests;
pub(super) mod unresolved;
pub(super) mod words;

use std::collections::BTreeSet;

use bstr::ByteSlice as _;
use serde::Serialize;

use super::view::labels;
use crate::base::text::{named_path, quoted};
use crate::index::chunk::ReferenceKind;
use crate::search::graph::{DeclarationRef, Evidence, Graph};
use crate::search::segment::{ChunkRef, DeclarationView, path_flags};
use unresolved::MentioningFiles;

pub use lists::{DeclarationPosition, declared, relations, relations_at, unknown_qualifier};
pub(crate) use lists::{graphs_of, members_of, relations_of, sources_of};
pub(crate) use members::{MemberRequest, relations_of as relations_of_member};

/// Maximum number of declarations of one name in an answer.
pub(super) const MAX_SYMBOLS: usize = 20;
/// Maximum depth of relations of relations.
pub const MAX_DEPTH: usize = 8;

/// A declaration of one of the repositories.
pub(super) type RepositoryDeclaration = (usize, DeclarationRef);

/// A way in which declarations are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Places that call it, construct it, or name it as a type.
    Callers,
    /// Declarations that it calls, constructs, or names.
    Callees,
    /// Types that inherit or implement it; for a method, those that override or implement it.
    Implementers,
}

/// A query for the relations of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RelationQuery {
    /// `name`, `Type.name`, `path:name` or `path:line`.
    pub symbol: String,
    /// Which relations.
    pub relations: BTreeSet<Relation>,
    /// How far relations are followed, from 1 to [`MAX_DEPTH`].
    pub depth: usize,
    /// Most places in each list.
    pub limit: usize,
    /// Whether guesses are left out.
    pub certain: bool,
    /// Whether [`Relation::Implementers`] of a method lists the methods that override or implement
    /// it. They do not refer to it, so they are only listed for those who ask.
    pub overriders: bool,
}

impl RelationQuery {
    /// Asks for all relations of a symbol: one step, at most thirty places in each list, guesses
    /// included.
    pub fn new(symbol: impl Into<String>) -> Self {
        Self {
            symbol: symbol.into(),
            relations: BTreeSet::from([Relation::Callers, Relation::Callees, Relation::Implementers]),
            depth: 1,
            limit: 30,
            certain: false,
            overriders: false,
        }
    }

    /// Sets which relations are listed.
    #[must_use]
    pub fn with_relations(mut self, relations: BTreeSet<Relation>) -> Self {
        self.relations = relations;
        self
    }

    /// Sets how far relations are followed, from 1 to [`MAX_DEPTH`].
    #[must_use]
    pub fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Sets the maximum number of places in each list.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets whether guesses are left out.
    #[must_use]
    pub fn with_certain(mut self, certain: bool) -> Self {
        self.certain = certain;
        self
    }

    /// Sets whether the implementers of a method are listed.
    #[must_use]
    pub fn with_overriders(mut self, overriders: bool) -> Self {
        self.overriders = overriders;
        self
    }
}

/// The place of a declaration, or of a chunk outside any.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The position of its repository among those searched; 0, which is omitted, is the first.
    #[serde(skip_serializing_if = "is_first")]
    pub repository: usize,
    /// Source path.
    pub path: String,
    /// Line of its name, or its first line if it has none; 1-based.
    pub line: u32,
    /// Its last line.
    pub end_line: u32,
    /// Symbol path; empty outside of declarations.
    pub symbol: String,
    /// Kind of the declaration, or of the chunk.
    pub kind: String,
}

/// Puts the places in source code before those in tests, and these before copies of other projects
/// and files that are built. Otherwise their order stays.
pub fn source_first(places: &mut [Place]) {
    places.sort_by_key(|one| {
        let flags = path_flags(named_path(&one.path).as_bstr());
        (flags.is_vendored(), flags.is_test())
    });
}

// Serde wants a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_first(repository: &usize) -> bool {
    *repository == 0
}

/// A declaration with its relations. Lists that were not requested are absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SymbolRelations {
    /// The declaration.
    #[serde(flatten)]
    pub place: Place,
    /// References to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<RelatedPlaces>,
    /// References from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callees: Option<RelatedPlaces>,
    /// Types that inherit or implement it; for a method, those that override or implement it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub implementers: Option<RelatedPlaces>,
    /// Files of its repository that mention its name without a resolved reference to it, or to
    /// another declaration of the answer that has its name. Absent if its callers were not asked
    /// for, if the name is a common word, or if an earlier declaration of the answer has the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mentioned: Option<MentioningFiles>,
}

/// Related places: code before documents, and there sure ones first and tests last.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct RelatedPlaces {
    /// The first of them.
    pub items: Vec<RelatedPlace>,
    /// How many more there are.
    pub more: usize,
}

/// A related place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RelatedPlace {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// The line where the name is mentioned.
    pub at: u32,
    /// The kind of reference: `call`, `type`, `inherits`, `import`.
    pub relation: &'static str,
    /// The evidence for it.
    pub how: Evidence,
    /// Whether it is certain; otherwise it is a guess.
    pub certain: bool,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
    /// Whether the place is a test.
    pub test: bool,
    /// Its own relations of the same sort, with a depth above 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedPlace>,
}

impl RelatedPlace {
    /// Returns how the place is related, in words: `call, found by import`. `is_callee` says that
    /// it is referred to, at a line of the declaration that was asked for.
    pub fn reason(&self, is_callee: bool) -> String {
        let relation = if is_callee { self.reference() } else { self.relation.to_owned() };
        reason(&relation, self.how, self.certain, self.test)
    }

    /// Returns where the declaration that was asked for refers to the place: `called at line 7`.
    pub fn reference(&self) -> String {
        format!("{} at line {}", referred(self.relation), self.at)
    }
}

/// Returns a reference with its evidence in words: `call, a guess: only the name matches; test`.
pub(super) fn reason(relation: &str, how: Evidence, is_certain: bool, is_test: bool) -> String {
    let test = if is_test { "; test" } else { "" };
    format!("{relation}, {}{test}", how.sentence(is_certain))
}

/// Returns what a kind of reference, as [`labels::reference_kind`] names it, says of its target.
pub(super) fn referred(relation: &str) -> &str {
    match relation {
        "call" => "called",
        "import" => "imported",
        "inherits" => "inherited",
        "link" => "linked",
        "use" => "used",
        "gives" => "returned or held",
        _ => "named",
    }
}

/// The answer about a symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Relations {
    /// The declarations that the symbol means.
    pub symbols: Vec<SymbolRelations>,
    /// Number of further declarations that the symbol means.
    pub more: usize,
}

/// A reference seen from its place.
pub(crate) fn forward(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "calls",
        ReferenceKind::Import => "imports",
        ReferenceKind::Type => "refers to",
        ReferenceKind::Inherits => "inherits",
        ReferenceKind::Link => "links to",
        ReferenceKind::Use => "uses",
        ReferenceKind::Gives => "returns or holds",
    }
}

/// A reference seen from its target.
pub(crate) fn backward(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "called by",
        ReferenceKind::Import => "imported by",
        ReferenceKind::Type => "referred to by",
        ReferenceKind::Inherits => "inherited by",
        ReferenceKind::Link => "linked from",
        ReferenceKind::Use => "used by",
        ReferenceKind::Gives => "returned or held by",
    }
}

/// The declaration that a chunk is or begins with, or the chunk itself.
pub(crate) fn chunk_place(repository: usize, graph: &Graph<'_, '_>, chunk: ChunkRef) -> Option<Place> {
    let file = graph.file_of(chunk)?;
    let row = file.segment.chunk(chunk.ord)?;
    let declaration = row.declaration.and_then(|ord| Some((ord, file.segment.declaration(ord)?)));
    Some(Place {
        repository,
        path: quoted(file.path()).into_owned(),
        line: row.span.start_line,
        end_line: row.span.end_line,
        symbol: declaration.map(|(ord, _)| file.segment.symbol_path(ord)).unwrap_or_default(),
        kind: match declaration {
            Some((_, declaration)) => labels::declaration_kind(declaration.kind),
            None => labels::chunk_kind(row.kind),
        }
        .to_owned(),
    })
}

/// A line of a chunk outside of any declaration.
pub(super) fn outside_place(
    repository: usize,
    graph: &Graph<'_, '_>,
    chunk: ChunkRef,
    line: u32,
) -> Option<Place> {
    let file = graph.file_of(chunk)?;
    let row = file.segment.chunk(chunk.ord)?;
    Some(Place {
        repository,
        path: quoted(file.path()).into_owned(),
        line,
        end_line: line,
        symbol: String::new(),
        kind: labels::chunk_kind(row.kind).to_owned(),
    })
}

pub(crate) fn is_test(graph: &Graph<'_, '_>, chunk: ChunkRef) -> bool {
    graph.file_of(chunk).is_some_and(|file| {
        file.flags().is_test() || file.segment.chunk(chunk.ord).is_some_and(|row| row.is_test)
    })
}

pub(crate) fn place_of(repository: usize, one: &DeclarationView<'_>) -> Place {
    Place {
        repository,
        path: quoted(one.file.path()).into_owned(),
        line: one.row.name_line,
        end_line: one.row.span.end_line,
        symbol: one.symbol_path(),
        kind: labels::declaration_kind(one.row.kind).to_owned(),
    }
}
