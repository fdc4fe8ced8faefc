//! Libraries of Dart: an import → the files whose names it brings in.
//!
//! A URI names one file, by its place or by its package. A library also hands on the names of those
//! that it exports, and so do they.

use bstr::BStr;

use crate::search::graph::family::Family;
use crate::search::graph::module::Module;
use crate::search::graph::resolve::{Candidates, Site, pick};
use crate::search::graph::{Candidate, Result};
use crate::search::segment::{FileView, Part};

/// Most files that one import brings in.
const MAX_LIBRARIES: usize = 500;

/// A file, by part and ordinal.
pub(in crate::search::graph) type FileKey = (Part, u32);

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the candidates that an imported library of Dart declares or exports.
    pub(in crate::search::graph) fn in_library(
        &self,
        candidates: &[&'g Candidate<'s>],
        module: &Module,
        admits: impl Fn(&Candidate<'s>) -> bool,
    ) -> Candidates<'g, 's> {
        let own = pick(candidates, admits);
        if own.is_empty() {
            return own;
        }
        let files = self.library_files(module).unwrap_or_default();
        pick(&own, |one| files.contains(&(one.file.part, one.file.ord)))
    }

    /// Returns the file of a library, and those of the libraries that it exports.
    fn library_files(&self, module: &Module) -> Result<&'g [FileKey]> {
        let Some(first) = self.library_file(module) else { return Ok(&[]) };
        let key = (first.part, first.ord);
        if let Some(known) = self.graph.libraries.get(&key) {
            return Ok(known);
        }
        let (mut found, mut rest): (Vec<FileKey>, Vec<FileView<'s>>) = (Vec::new(), vec![first]);
        while let Some(file) = rest.pop().filter(|_| found.len() < MAX_LIBRARIES) {
            if found.contains(&(file.part, file.ord)) {
                continue;
            }
            found.push((file.part, file.ord));
            let exports = &self.graph.scope(&file)?.exports;
            rest.extend(exports.iter().filter_map(|export| self.library_file(export.module())));
        }
        Ok(self.graph.libraries.insert(key, found.into()))
    }

    /// Returns the file of a library; `None` if it is in another repository.
    fn library_file(&self, module: &Module) -> Option<FileView<'s>> {
        let library = module.library()?;
        let path = if library.package.is_empty() {
            library.path.clone()
        } else {
            let mut packages = self.graph.packages.iter();
            match packages.find(|one| one.is_named(Family::Dart, &library.package))?.folder() {
                "" => library.path.clone(),
                folder => format!("{folder}/{}", library.path),
            }
        };
        self.graph.index().file_by_path(BStr::new(&path))
    }
}
