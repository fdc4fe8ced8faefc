//! The reference graph of one index: resolves names to declarations when asked.
//!
//! Owns [`Graph`], which answers three questions: what a mention can mean ([`Graph::resolve`]),
//! what a chunk refers to ([`Graph::outgoing`]), and what refers to a declaration
//! ([`Graph::incoming`]). Only names are stored, not edges. An edge is resolved from what its two
//! files say (`scope`, `module`, `resolve`), over base ∖ outdated ∪ overlay. The result is
//! therefore the same whatever is cached, and an edit never makes the edges of other files stale.
//!
//! **Every edge carries its evidence** ([`Evidence`]), and so how far it can be trusted. An import,
//! a qualifier, a declared type, a class or a file leaves no doubt. A method of an unknown object
//! is a guess and is marked as one. A name imported from outside the repository means nothing here,
//! however many declarations share it. If that other repository is open as well, [`Graphs`] looks
//! there.
//!
//! A string or script in another language than its file's is resolved as a file of that language
//! that imports nothing.
//!
//! | file | input → output |
//! |---|---|
//! | `family`, `scope`, `module`, `manifests` | a file → its family, imports, place and package |
//! | `resolve` | a mention → declarations, by the modules below |
//! | `qualified`, `unqualified`, `reexport` | a name with a qualifier, without, and imported |
//! | `own_type`, `types`, `expr_types` | members of the type around a mention, and of an object |
//! | `namesakes` | members of a name that very many types declare |
//! | `outside` | a path → whether it means something outside the repository |
//! | `supertypes` | a type → those that it inherits from |
//! | `nesting`, `cpp_paths`, `included` | paths of C++, and headers that a file sees |
//! | `rules/` | the rules of single languages |
//! | `depth` | how many names are being resolved → whether one more may be |
//! | `overload/` | a call and declarations of one name → those that it can mean |
//! | `walk` | a chunk → its edges; a declaration → edges that lead to it |
//! | `across/` | the same, over several repositories |
//! | `spread`, `importance` | edges → the relevance and importance of declarations |
//! | `written_name` | a name as people write it → its parts |
//!
//! Must not: rank, read source text.

pub mod manifests;

mod across;
mod alternatives;
mod augmentation;
mod cpp_paths;
mod depth;
mod expr_types;
mod family;
mod importance;
mod imported_files;
mod imports_of;
mod included;
mod module;
mod namesakes;
mod nesting;
mod outside;
pub(crate) mod overload;
mod own_type;
mod qualified;
mod reexport;
mod resolve;
mod rules;
mod scope;
mod setter;
mod spread;
mod supertypes;
#[cfg(test)]
mod tests;
mod types;
mod unqualified;
mod walk;
mod written_name;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use bstr::BStr;
use elsa::FrozenMap;
use roaring::RoaringBitmap;
use serde::{Serialize, Serializer};

use super::segment::terms::symbol_key;
use super::segment::{ChunkRef, DeclarationRow, Error, FileView, Index, Mention, Part};
use crate::index::chunk::{DeclarationKind, ReferenceKind};

pub use across::{Ecosystem, Graphs, Meaning, Package};
use across::{LookupKey, PackageIdentity, ReexportResult};
use depth::Depth;
use family::Family;
pub(crate) use family::{has_implicit_self, is_one_family};
pub(crate) use own_type::class_around;
use rules::constant::has_constant;
use rules::library::FileKey;
pub use rules::method_sets::MethodSet;
pub use rules::prototype::Definitions;
pub use scope::without_companion;
use scope::{ExportedName, Scope};
pub use spread::{CrossEdge, Spread};
pub use walk::Edge;
pub use written_name::WrittenName;

/// The result type of this part.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A declaration of a live file, by its segment and its ordinal there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclarationRef {
    /// The segment that stores it.
    pub part: Part,
    /// Its ordinal in that segment.
    pub ord: u32,
}

/// The reason why a name is taken to mean a declaration, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// A member of the type around the mention.
    Class,
    /// Declared in the same file.
    File,
    /// Imported by the file.
    Import,
    /// Declared in the type or module that the qualifier names.
    Qualifier,
    /// A member of the declared type of the object.
    Declared,
    /// Declared in the same package, in a language where a package's names need no import.
    Package,
    /// Declared by a supertype: of the type around the mention, or of the object's declared type.
    Inherited,
    /// The only declaration of that name in the imported package, which declares it elsewhere.
    Reexport,
    /// Has the full name of the constant, in Ruby.
    Constant,
    /// The only declaration of that name, in a language where top-level names are visible
    /// everywhere.
    Only,
    /// The fixture of pytest that a test gets by the name of a parameter. It is found when the
    /// tests run, so a plugin may have another one.
    Fixture,
    /// One of several declarations of a name that is visible everywhere, of which a build has one:
    /// per platform or per setting.
    Alternative,
    /// One of several of that name in the imported package, or in a package whose name is so common
    /// that another one may be meant.
    InPackage,
    /// A member of a type that is called like the object.
    Receiver,
    /// A member of a type that the chunk names, or that is declared beside what the chunk imports.
    Mentioned,
    /// Implements the called method, in a type that inherits from the method's type.
    Implements,
    /// Has the methods of the interface, with as many parameters.
    MethodSet,
    /// The only candidate of that name: a member of any type, or a top-level name.
    Sole,
    /// Has the same name, as other declarations do.
    Name,
}

impl Evidence {
    /// Returns the estimated share of such edges that are right, from 0 to 1. `n` declarations
    /// share the confidence.
    pub fn confidence(self, n: usize) -> f64 {
        let shared = 1.0 / f64::from(u32::try_from(n.max(1)).unwrap_or(u32::MAX));
        match self {
            Self::Class | Self::File | Self::Import => 0.95,
            Self::Qualifier
            | Self::Declared
            | Self::Package
            | Self::Inherited
            | Self::Reexport
            | Self::Constant
            | Self::Only
            | Self::Fixture => 0.9,
            Self::Alternative => 0.5,
            Self::InPackage => 0.6 * shared,
            Self::Receiver => 0.7 * shared.sqrt(),
            Self::Mentioned | Self::Implements => 0.6 * shared.sqrt(),
            Self::MethodSet => 0.8,
            Self::Sole => 0.4,
            Self::Name => 0.3 * shared,
        }
    }

    /// Returns whether the sources leave no doubt. Anything else is a guess and is shown as one.
    pub fn is_certain(self) -> bool {
        self <= Self::Only
    }

    /// Returns the name of the evidence, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Class => "same type",
            Self::File => "same file",
            Self::Import => "import",
            Self::Qualifier => "qualifier",
            Self::Declared => "declared type",
            Self::Package => "same package",
            Self::Inherited => "inherited",
            Self::Reexport => "re-export",
            Self::Constant => "constant",
            Self::Only => "only declaration",
            Self::Fixture => "fixture",
            Self::Alternative => "one of several",
            Self::InPackage => "imported package",
            Self::Receiver => "receiver's name",
            Self::Mentioned => "type is mentioned",
            Self::Implements => "implements it",
            Self::MethodSet => "has the interface's methods",
            Self::Sole => "only candidate",
            Self::Name => "same name",
        }
    }

    /// Returns the evidence in words, for people. They complete a sentence about a reference: `a
    /// call, found by import`. For evidence that leaves a doubt, they follow `a guess:`.
    pub fn words(self) -> &'static str {
        match self {
            Self::Class => "found in the same type",
            Self::File => "found in the same file",
            Self::Import => "found by import",
            Self::Qualifier => "found by its qualifier",
            Self::Declared => "found by the object's type",
            Self::Package => "found in the same package",
            Self::Inherited => "found in a supertype",
            Self::Reexport => "found by a re-export",
            Self::Constant => "found by its full name",
            Self::Only => "the only declaration with this name",
            Self::Fixture => "pytest chooses the fixture when the tests run",
            Self::Alternative => "one of several declarations with this name",
            Self::InPackage => "the import may mean another declaration",
            Self::Receiver => "the object is named like the type",
            Self::Mentioned => "the code nearby mentions the type",
            Self::Implements => "reached through an interface or supertype",
            Self::MethodSet => "the type has all methods of the interface",
            Self::Sole => "no other declaration fits the name",
            Self::Name => "only the name matches",
        }
    }

    /// Returns the evidence in words, marked as a guess unless it is certain. The evidence may be
    /// weaker than usual for a reference.
    pub fn sentence(self, is_certain: bool) -> String {
        if is_certain { self.words().to_owned() } else { format!("a guess: {}", self.words()) }
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

/// A declaration that a name can mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResolvedDeclaration {
    /// The declaration.
    pub to: DeclarationRef,
    /// The evidence for it.
    pub evidence: Evidence,
    /// Confidence, from 0 to 1.
    pub confidence: f64,
}

/// A declaration with everything that decides whether a name can mean it.
#[derive(Debug, Clone, Copy)]
struct Candidate<'s> {
    at: DeclarationRef,
    file: FileView<'s>,
    row: DeclarationRow,
    family: Family<'s>,
    /// Name of the type, module or namespace that it is a member of; empty at the top level.
    owner: &'s str,
    /// Whether it is declared inside a function, and so visible in its own file only.
    is_local: bool,
}

/// The position of a chunk. The order does not depend on which segment stores the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place<'s> {
    path: &'s BStr,
    start: u32,
    chunk: ChunkRef,
}

/// Mentions with their chunks.
type MentionList<'s> = [(ChunkRef, Mention<'s>)];

/// The references of one index.
///
/// Lookups are cached in it, so one value serves many questions.
pub struct Graph<'i, 's> {
    index: &'i Index<'s>,
    scopes: FrozenMap<(Part, u32), Box<Scope<'s>>>,
    /// The scopes of strings and scripts in another language than their file's.
    embedded_scopes: FrozenMap<(Part, u32, &'static str), Box<Scope<'s>>>,
    named: FrozenMap<String, Box<[Candidate<'s>]>>,
    /// The same by their types, for names that many types declare.
    by_owner: FrozenMap<String, Box<namesakes::ByOwner<'s>>>,
    /// Declarations of a name that a Ruby constant can mean, each with its full name.
    constants: FrozenMap<String, Box<[(String, Candidate<'s>)]>>,
    /// The members that a call of a member may reach instead, in subtypes.
    implementing: FrozenMap<DeclarationRef, Box<[Candidate<'s>]>>,
    /// The interfaces that add to an interface of another module.
    augmentations: FrozenMap<DeclarationRef, Box<[Candidate<'s>]>>,
    /// The files that declare what a chunk names and its file imports.
    imported_files: FrozenMap<ChunkRef, Box<[FileKey]>>,
    /// The types that extension methods extend.
    extended: FrozenMap<DeclarationRef, Box<Option<rules::extension::ExtendedType<'s>>>>,
    /// Whether functions are fixtures of pytest.
    fixtures: FrozenMap<DeclarationRef, Box<bool>>,
    /// Supertypes of types, each with whether it is certain.
    supertypes: FrozenMap<DeclarationRef, Box<[(Candidate<'s>, bool)]>>,
    /// The types whose supertypes are being looked up.
    climbing: RefCell<HashSet<DeclarationRef>>,
    /// How many names are being resolved.
    depth: Depth,
    /// Types of expressions.
    inferred: FrozenMap<expr_types::Key, Box<Option<expr_types::ExprType>>>,
    /// The packages of the repository.
    packages: Vec<PackageIdentity>,
    /// Full names that were looked up in these packages.
    reexported: FrozenMap<LookupKey, Box<ReexportResult<'s>>>,
    /// The mentions of a name.
    mentioned: FrozenMap<(String, ReferenceKind), Box<MentionList<'s>>>,
    /// The other names under which files import or export a name.
    aliases: FrozenMap<String, Box<[&'s str]>>,
    /// The names by which scripts import something from a script.
    default_names: FrozenMap<String, Box<[&'s str]>>,
    /// What scripts export under other names, by file.
    exports: FrozenMap<(Part, u32), Box<[ExportedName<'s>]>>,
    /// Libraries of Dart and those that they export, by the file of the library.
    libraries: FrozenMap<FileKey, Box<[FileKey]>>,
    /// The headers that files of C and C++ see, in order.
    headers: FrozenMap<FileKey, Box<[FileKey]>>,
    /// The files of C and C++.
    files_of_c: OnceCell<included::FilesByName<'s>>,
    counted: RefCell<HashMap<(&'s str, ReferenceKind), u64>>,
    /// Outdated chunks of the base.
    masked: OnceCell<RoaringBitmap>,
}

impl<'i, 's> Graph<'i, 's> {
    /// Creates the graph of an index. Nothing is looked up yet.
    pub fn new(index: &'i Index<'s>) -> Self {
        Self {
            index,
            scopes: FrozenMap::new(),
            embedded_scopes: FrozenMap::new(),
            named: FrozenMap::new(),
            by_owner: FrozenMap::new(),
            constants: FrozenMap::new(),
            implementing: FrozenMap::new(),
            augmentations: FrozenMap::new(),
            imported_files: FrozenMap::new(),
            extended: FrozenMap::new(),
            fixtures: FrozenMap::new(),
            supertypes: FrozenMap::new(),
            climbing: RefCell::default(),
            depth: Depth::default(),
            inferred: FrozenMap::new(),
            packages: Vec::new(),
            reexported: FrozenMap::new(),
            mentioned: FrozenMap::new(),
            aliases: FrozenMap::new(),
            default_names: FrozenMap::new(),
            exports: FrozenMap::new(),
            libraries: FrozenMap::new(),
            headers: FrozenMap::new(),
            files_of_c: OnceCell::new(),
            counted: RefCell::default(),
            masked: OnceCell::new(),
        }
    }

    /// Returns the index.
    pub fn index(&self) -> &'i Index<'s> {
        self.index
    }

    /// Returns the live declarations with exactly this name, by path, then by start.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn named(&self, name: &str) -> Result<Vec<DeclarationRef>> {
        Ok(self.candidates(name)?.iter().map(|candidate| candidate.at).collect())
    }

    /// Returns the file of a declaration, and its row.
    pub fn declaration(&self, at: DeclarationRef) -> Option<(FileView<'s>, DeclarationRow)> {
        let segment = self.index.segment(at.part)?;
        let row = segment.declaration(at.ord)?;
        let file = self.index.file(at.part, segment.chunk(row.chunk)?.file)?;
        Some((file, row))
    }

    /// Returns the chunk that contains a declaration's name.
    pub fn chunk_of(&self, at: DeclarationRef) -> Option<ChunkRef> {
        let segment = self.index.segment(at.part)?;
        Some(ChunkRef { part: at.part, ord: segment.chunk_of_name(&segment.declaration(at.ord)?) })
    }

    /// Returns how many live chunks mention a declaration's name with this kind of reference.
    fn n_referrers(&self, to: DeclarationRef, kind: ReferenceKind) -> Result<u64> {
        let Some((file, row)) = self.declaration(to) else { return Ok(0) };
        self.n_mentions(file.segment.name(&row), kind)
    }

    /// Returns how many live chunks mention a name with this kind of reference.
    fn n_mentions(&self, name: &'s str, kind: ReferenceKind) -> Result<u64> {
        if let Some(&known) = self.counted.borrow().get(&(name, kind)) {
            return Ok(known);
        }
        let mut n = 0;
        for (part, segment) in self.index.segments() {
            let chunks = segment.references(kind, name)?;
            let masked = self.masked.get_or_init(|| self.index.masked_chunks(Part::Base));
            n += chunks.len() - if part == Part::Base { chunks.intersection_len(masked) } else { 0 };
        }
        self.counted.borrow_mut().insert((name, kind), n);
        Ok(n)
    }

    /// Returns the position of a chunk, whichever segment stores it.
    fn place(&self, chunk: ChunkRef) -> Place<'s> {
        let row = self.index.segment(chunk.part).and_then(|segment| segment.chunk(chunk.ord));
        let file = row.and_then(|row| self.index.file(chunk.part, row.file));
        Place {
            path: file.map_or(BStr::new(""), |file| file.path()),
            start: row.map_or(0, |row| row.span.bytes.start),
            chunk,
        }
    }

    fn candidates(&self, name: &str) -> Result<&[Candidate<'s>]> {
        if let Some(known) = self.named.get(name) {
            return Ok(known);
        }
        let key = symbol_key(name);
        let mut found = Vec::new();
        for (part, segment) in self.index.segments() {
            for ord in segment.symbol(&key)? {
                let Some(row) = segment.declaration(ord).filter(|row| segment.name(row) == name) else {
                    continue;
                };
                let file = segment.chunk(row.chunk).map(|chunk| chunk.file);
                let Some(file) = file.filter(|&file| self.index.is_live(part, file)) else { continue };
                let Some(file) = self.index.file(part, file) else { continue };
                let (owner, is_local) = owner(&file, &row);
                let family = Family::of(file.language_of(&row));
                let is_free = !family.has_owners() || family.has_free_members(row.kind);
                found.push(Candidate {
                    at: DeclarationRef { part, ord },
                    file,
                    row,
                    family,
                    owner: if is_free { "" } else { owner },
                    is_local,
                });
            }
        }
        // By path and not by segment: the order must not depend on the base at hand.
        found.sort_by(|a, b| {
            a.file.path().cmp(b.file.path()).then(a.row.span.bytes.start.cmp(&b.row.span.bytes.start))
        });
        Ok(self.named.insert(name.to_owned(), found.into()))
    }
}

impl<'s> Graph<'_, 's> {
    fn constants(&self, name: &str) -> Result<&[(String, Candidate<'s>)]> {
        if let Some(known) = self.constants.get(name) {
            return Ok(known);
        }
        let all = self.candidates(name)?.iter();
        let found =
            all.filter(|one| one.family == Family::Ruby && has_constant(one.row.kind) && !one.is_local);
        let found = found.map(|one| (one.file.segment.symbol_path(one.at.ord), *one)).collect();
        Ok(self.constants.insert(name.to_owned(), found))
    }
}

/// Returns the name that a declaration is a member of, and whether it is local to a function.
fn owner<'s>(file: &FileView<'s>, row: &DeclarationRow) -> (&'s str, bool) {
    let scope = file.segment.scope(row);
    if !scope.is_empty() {
        return (last_segment(scope), false);
    }
    let mut at = row.parent;
    // The groups in an object of JavaScript (`actions`, `methods`) are not named where it is used.
    while let Some(ord) = at
        && let Some(group) = file.segment.declaration(ord).filter(|of| of.kind == DeclarationKind::Field)
        && Family::of(file.language()) == Family::Script
    {
        at = group.parent.filter(|&parent| parent < ord);
    }
    match at.and_then(|at| file.segment.declaration(at)) {
        Some(parent) if is_function(parent.kind) => ("", true),
        Some(parent) => (last_segment(file.segment.name(&parent)), false),
        None => ("", false),
    }
}

/// Returns the last segment of a qualified name, without type arguments.
fn last_segment(name: &str) -> &str {
    let name = name.split(['<', '[', '(']).next().unwrap_or(name).trim();
    name.rsplit(['.', ':', '\\', '/', '>']).next().unwrap_or(name)
}

/// Returns whether a declaration of this kind is executable code.
pub(crate) fn is_function(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Function | K::Method | K::Constructor | K::Test)
}

/// Returns whether a function with this many bytes of a body may only announce another one. The
/// body of an overload in Python is `...`.
pub(crate) fn can_announce(language: &str, kind: DeclarationKind, body_len: u32) -> bool {
    let most = match language {
        "c" | "cpp" | "objective-c" | "tsx" | "typescript" => 0,
        // A procedure that is bound to a type has no body either.
        "fortran" if kind == DeclarationKind::Function => 0,
        "python" => 4,
        _ => return false,
    };
    is_function(kind) && body_len <= most
}

/// Returns whether a function without a body announces another one wherever that is. In other
/// languages, the implementation is beside it.
pub(crate) fn is_prototype_alone(language: &str) -> bool {
    matches!(language, "c" | "cpp" | "fortran" | "objective-c")
}

/// Returns whether a declaration of this kind is a type, or adds to one.
pub(crate) fn is_type(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(
        kind,
        K::Class | K::Struct | K::Interface | K::Enum | K::Union | K::Type | K::Implementation | K::Module
    )
}

/// Returns whether the evidence for a mention of this kind is enough.
///
/// A value that is read needs certain evidence: its bare name says too little. An example in a
/// document needs more than a name that several declarations have.
fn is_enough(evidence: Evidence, kind: ReferenceKind, family: Family<'_>) -> bool {
    match kind {
        // An object of Kubernetes may be in any folder.
        ReferenceKind::Use if family == Family::Other("yaml") => evidence != Evidence::Name,
        ReferenceKind::Use => evidence.is_certain(),
        _ => evidence != Evidence::Name || !family.is_document(),
    }
}

/// Returns whether a reference of one kind can mean a declaration of another kind.
pub(crate) fn fits(reference: ReferenceKind, declaration: DeclarationKind) -> bool {
    use DeclarationKind as K;
    match reference {
        ReferenceKind::Call => !matches!(
            declaration,
            K::Implementation | K::Module | K::Section | K::Key | K::Rule | K::Element | K::Test | K::Table
        ),
        ReferenceKind::Type => {
            is_type(declaration) && declaration != K::Implementation || declaration == K::Table
        }
        ReferenceKind::Inherits => is_type(declaration) && declaration != K::Implementation,
        ReferenceKind::Import => !matches!(declaration, K::Implementation | K::Section | K::Key | K::Rule),
        ReferenceKind::Link | ReferenceKind::Gives => false,
        ReferenceKind::Use => !matches!(
            declaration,
            K::Implementation | K::Module | K::Section | K::Key | K::Rule | K::Element | K::Test
        ),
    }
}
