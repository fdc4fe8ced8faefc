//! The reference graph: what a chunk's names mean, found when asked.
//!
//! Owns [`Graph`]: from a mention to the declarations that it can mean ([`Graph::resolve`]), from a chunk to what it
//! refers to ([`Graph::outgoing`]), from a declaration to what refers to it ([`Graph::incoming`]). Nothing is stored
//! but names: an edge is resolved with what the two files say (`scope`, `module`, `resolve`), over base ∖ outdated
//! ∪ overlay, so that it is the same whatever is cached, and an edit needs no other file's edges anew.
//!
//! **Every edge says how it was found**, and so how far it can be trusted ([`Evidence`]): an import, a qualifier, a
//! declared type, a class or a file leaves no doubt; a method of some object is a guess, and is marked as one. A name that is
//! imported from outside of the repository means nothing here, however many declarations are called so; where that
//! outside is at hand as well, [`Graphs`] looks there.
//!
//! Must not: rank, read source text.

pub(crate) mod arity;
pub(crate) mod manifests;

mod across;
mod constant;
mod expr_types;
mod family;
mod importance;
mod module;
mod reexport;
mod resolve;
mod scope;
mod spread;
#[cfg(test)]
mod tests;
mod types;
mod walk;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use bstr::BStr;
use elsa::FrozenMap;
use roaring::RoaringBitmap;

use super::segment::terms::symbol_key;
use super::segment::{ChunkRef, DeclarationRow, Error, FileView, Index, Part};
use crate::index::chunk::{DeclarationKind, ReferenceKind};

pub use across::{Ecosystem, Graphs, Meaning, Package};
use constant::has_constant;
use family::Family;
use scope::Scope;
pub use spread::{Abroad, Spread};
pub use walk::Edge;

/// What this stage returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A declaration of a live file: the segment that it lies in, and its ordinal there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeclarationRef {
    /// The segment.
    pub part: Part,
    /// Its ordinal there.
    pub ord: u32,
}

/// How the meaning of a name was found, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// It is a member of the type around it.
    Class,
    /// It is declared in the same file.
    File,
    /// The file imports it.
    Import,
    /// Its qualifier names the type or module that it is declared in.
    Qualifier,
    /// Its object is declared to be of the type that declares it.
    Declared,
    /// It is declared in the same package, where a package's names need no import.
    Package,
    /// A supertype of the type around it declares it.
    Inherited,
    /// It is imported from a package that declares it elsewhere, and nothing else of that name.
    Reexport,
    /// It has the whole name of the constant, in Ruby.
    Constant,
    /// It is the only declaration of that name, in a language where a name is enough.
    Only,
    /// It is imported from a package that declares several of that name, or that may be another of its name.
    InPackage,
    /// The object is called like the type that declares it.
    Receiver,
    /// The chunk names the type that declares it.
    Mentioned,
    /// It implements what is called, in a type that inherits from that one's.
    Implements,
    /// It is the only member of that name, of whatever type.
    Sole,
    /// It is called so, as others are.
    Name,
}

impl Evidence {
    /// How often such an edge is right, from 0 to 1, as estimated; `n` declarations share it.
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
            | Self::Only => 0.9,
            Self::InPackage => 0.6 * shared,
            Self::Receiver => 0.7 * shared.sqrt(),
            Self::Mentioned | Self::Implements => 0.6 * shared.sqrt(),
            Self::Sole => 0.4,
            Self::Name => 0.3 * shared,
        }
    }

    /// Whether the sources leave no doubt; anything else is a guess, and is shown as one.
    pub fn is_certain(self) -> bool {
        self <= Self::Only
    }

    /// In a word or two, for people and programs.
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
            Self::Only => "only one",
            Self::InPackage => "imported package",
            Self::Receiver => "receiver's name",
            Self::Mentioned => "type is named",
            Self::Implements => "implements it",
            Self::Sole => "only member",
            Self::Name => "same name",
        }
    }
}

/// A declaration that a name can mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolved {
    /// It.
    pub to: DeclarationRef,
    /// Why it is thought to be meant.
    pub evidence: Evidence,
    /// How sure that is, from 0 to 1.
    pub confidence: f64,
}

/// A declaration with what decides whether a name can mean it.
#[derive(Debug, Clone, Copy)]
struct Candidate<'s> {
    at: DeclarationRef,
    file: FileView<'s>,
    row: DeclarationRow,
    family: Family<'s>,
    /// The type, module or namespace that it is a member of; empty at the top level.
    owner: &'s str,
    /// Whether it is declared inside of a function, and so seen in its file alone.
    is_local: bool,
}

/// A chunk by where it stands: the order that does not depend on what lies in which segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Place<'s> {
    path: &'s BStr,
    start: u32,
    chunk: ChunkRef,
}

/// The references of an index. What it has looked up it remembers, so one serves many questions.
pub struct Graph<'i, 's> {
    index: &'i Index<'s>,
    scopes: FrozenMap<(Part, u32), Box<Scope<'s>>>,
    named: FrozenMap<String, Box<[Candidate<'s>]>>,
    /// Of the declarations of a name those that a constant names, each with its whole name.
    constants: FrozenMap<String, Box<[(String, Candidate<'s>)]>>,
    /// What implements a method without a body.
    implementing: FrozenMap<DeclarationRef, Box<[Candidate<'s>]>>,
    /// The types of expressions.
    told: FrozenMap<expr_types::Key, Box<Option<expr_types::Told>>>,
    counted: RefCell<HashMap<(&'s str, ReferenceKind), u64>>,
    /// The base's outdated chunks.
    masked: OnceCell<RoaringBitmap>,
}

impl<'i, 's> Graph<'i, 's> {
    /// The references of an index; nothing is looked up yet.
    pub fn new(index: &'i Index<'s>) -> Self {
        Self {
            index,
            scopes: FrozenMap::new(),
            named: FrozenMap::new(),
            constants: FrozenMap::new(),
            implementing: FrozenMap::new(),
            told: FrozenMap::new(),
            counted: RefCell::default(),
            masked: OnceCell::new(),
        }
    }

    /// The index.
    pub fn index(&self) -> &'i Index<'s> {
        self.index
    }

    /// The live declarations that are called exactly so, by path, then by start.
    ///
    /// # Errors
    /// [`Error::Corrupt`].
    pub fn named(&self, name: &str) -> Result<Vec<DeclarationRef>> {
        Ok(self.candidates(name)?.iter().map(|candidate| candidate.at).collect())
    }

    /// The file that a declaration lies in, and its row.
    pub fn declaration(&self, at: DeclarationRef) -> Option<(FileView<'s>, DeclarationRow)> {
        let segment = self.index.segment(at.part)?;
        let row = segment.declaration(at.ord)?;
        let file = self.index.file(at.part, segment.chunk(row.chunk)?.file)?;
        Some((file, row))
    }

    /// The chunk that a declaration's name lies in.
    pub fn chunk_of(&self, at: DeclarationRef) -> Option<ChunkRef> {
        let segment = self.index.segment(at.part)?;
        Some(ChunkRef { part: at.part, ord: segment.chunk_of_name(&segment.declaration(at.ord)?) })
    }

    /// How many live chunks mention a declaration's name in one way.
    fn n_referrers(&self, to: DeclarationRef, kind: ReferenceKind) -> Result<u64> {
        let Some((file, row)) = self.declaration(to) else { return Ok(0) };
        self.n_mentions(file.segment.name(&row), kind)
    }

    /// How many live chunks mention a name in one way.
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

    /// Where a chunk stands among others, whichever segment it lies in.
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
                found.push(Candidate {
                    at: DeclarationRef { part, ord },
                    file,
                    row,
                    family: Family::of(file.language()),
                    owner,
                    is_local,
                });
            }
        }
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

/// The name of what a declaration is a member of, and whether it is local to a function.
fn owner<'s>(file: &FileView<'s>, row: &DeclarationRow) -> (&'s str, bool) {
    let scope = file.segment.scope(row);
    if !scope.is_empty() {
        return (last_segment(scope), false);
    }
    match row.parent.and_then(|parent| file.segment.declaration(parent)) {
        Some(parent) if is_function(parent.kind) => ("", true),
        Some(parent) => (last_segment(file.segment.name(&parent)), false),
        None => ("", false),
    }
}

/// The last segment of a qualified name, without type arguments.
fn last_segment(name: &str) -> &str {
    let name = name.split(['<', '[', '(']).next().unwrap_or(name).trim();
    name.rsplit(['.', ':', '\\', '/', '>']).next().unwrap_or(name)
}

/// Whether a declaration of this kind runs.
pub(crate) fn is_function(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(kind, K::Function | K::Method | K::Constructor | K::Test)
}

/// Whether a declaration of this kind is a type, or adds to one.
fn is_type(kind: DeclarationKind) -> bool {
    use DeclarationKind as K;
    matches!(
        kind,
        K::Class | K::Struct | K::Interface | K::Enum | K::Union | K::Type | K::Implementation | K::Module
    )
}

/// Whether a reference of one kind can mean a declaration of another.
fn fits(reference: ReferenceKind, declaration: DeclarationKind) -> bool {
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
