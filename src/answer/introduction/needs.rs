//! The files that a file needs.
//!
//! File → the files of the product that declare what it calls, names as a type, or inherits from.
//! This is an estimate by names, not by resolved references: a name that several files declare says
//! nothing. It orders the entry points of a map, and tells central declarations from utilities,
//! which need nothing.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use bstr::BStr;

use crate::base::text::path;
use crate::index::chunk::ReferenceKind;
use crate::search::graph::{DeclarationRef, Graph, is_type};
use crate::search::segment::{FileView, Part};

/// Most files that declare a name that says what a file needs: a header and its source, or a type
/// in two parts.
const DECLARED_IN: usize = 3;

/// Most files that a program needs itself whose own needs count.
const NEXT: usize = 64;

/// How much more a program's own needs count than those of the files that it needs.
const OWN_NEEDS: usize = 4;

/// A file, by its segment and its place there.
type FileKey = (Part, u32);

/// The needs of files, each looked up once.
pub(crate) struct FileNeeds<'g, 'i, 's> {
    graph: &'g Graph<'i, 's>,
    of_file: HashMap<FileKey, Rc<BTreeSet<FileKey>>>,
    of_name: HashMap<&'s str, Rc<Vec<FileKey>>>,
}

impl<'g, 'i, 's> FileNeeds<'g, 'i, 's> {
    pub(crate) fn new(graph: &'g Graph<'i, 's>) -> Self {
        Self { graph, of_file: HashMap::new(), of_name: HashMap::new() }
    }

    /// Returns the other files that a file needs. A source and its header are one.
    pub(crate) fn of(&mut self, file: &FileView<'s>) -> Rc<BTreeSet<FileKey>> {
        let key = (file.part, file.ord);
        if let Some(known) = self.of_file.get(&key) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        for chunk in file.segment.chunks_of(file.ord) {
            for mention in file.segment.mentions(chunk).unwrap_or_default() {
                use ReferenceKind as K;
                if matches!(mention.kind, K::Call | K::Type | K::Inherits) {
                    found.extend(self.declaring(mention.name).iter().copied());
                }
            }
        }
        let stem = stem(file);
        let index = self.graph.index();
        found.retain(|&(part, ord)| index.file(part, ord).is_some_and(|other| self::stem(&other) != stem));
        let found = Rc::new(found);
        self.of_file.insert(key, Rc::clone(&found));
        found
    }

    /// Returns how many files a program needs, itself or by one of those that it needs. Its own
    /// needs count more: a test of a single file needs all that this file needs.
    pub(crate) fn n_of_program(&mut self, file: &FileView<'s>) -> usize {
        let own = self.of(file);
        let mut all: BTreeSet<FileKey> = own.as_ref().clone();
        for &(part, ord) in own.iter().take(NEXT) {
            let next = self.graph.index().file(part, ord);
            all.extend(next.map(|next| self.of(&next)).iter().flat_map(|next| next.iter()));
        }
        OWN_NEEDS * own.len() + all.len()
    }

    /// Returns the files of the product that declare a function or type of this name.
    fn declaring(&mut self, name: &'s str) -> Rc<Vec<FileKey>> {
        if let Some(known) = self.of_name.get(name) {
            return Rc::clone(known);
        }
        let mut files: Vec<FileKey> = Vec::new();
        for at in self.graph.named(name).unwrap_or_default() {
            let Some((file, row)) = self.graph.declaration(at) else { continue };
            let is_outer = row.parent.is_none() || self.is_in_type(at);
            if is_of_the_product(&file) && is_outer && !files.contains(&(file.part, file.ord)) {
                files.push((file.part, file.ord));
            }
        }
        if files.len() > DECLARED_IN {
            files.clear();
        }
        let files = Rc::new(files);
        self.of_name.insert(name, Rc::clone(&files));
        files
    }

    fn is_in_type(&self, at: DeclarationRef) -> bool {
        let Some((file, row)) = self.graph.declaration(at) else { return false };
        let parent = row.parent.and_then(|parent| file.segment.declaration(parent));
        parent.is_some_and(|parent| is_type(parent.kind))
    }
}

/// Returns the path of a file without its ending.
fn stem<'s>(file: &FileView<'s>) -> (&'s BStr, &'s BStr) {
    (path::parent(file.path()), path::stem(file.path()))
}

/// Returns whether a file is code of the product itself.
pub(super) fn is_of_the_product(file: &FileView<'_>) -> bool {
    let flags = file.flags();
    !flags.is_test() && !flags.is_example() && !file.is_of_others()
}
