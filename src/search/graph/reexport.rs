//! Which of the declarations of a name an import means: those of the module's files, or what the file that stands for a folder
//! hands on from elsewhere.

use bstr::ByteSlice;

use super::Candidate;
use super::family::Family;
use super::module::{FOLDER_FILES, Fit, Module};
use super::resolve::{Candidates, Site};
use super::scope::folder;
use crate::search::segment::FileView;

/// What is handed on from folder to folder more often than this is not followed.
const MAX_HANDED: usize = 4;

impl<'g, 's> Site<'g, '_, 's> {
    /// The candidates in the files that fit a module best.
    pub(super) fn in_module(
        &self,
        candidates: &[&'g Candidate<'s>],
        module: &Module,
        admits: impl Fn(&Candidate<'s>) -> bool,
    ) -> Candidates<'g, 's> {
        if module.is_empty() {
            return Vec::new();
        }
        let mut best: Option<Fit> = None;
        let mut found = Vec::new();
        for one in candidates.iter().filter(|one| admits(one)) {
            let Some(fit) = module.fit(one.file.path()) else { continue };
            if best.is_none_or(|best| fit > best) {
                best = Some(fit);
                found.clear();
            }
            if best == Some(fit) {
                found.push(*one);
            }
        }
        // What only lies somewhere below, or shares a segment, must be alone to be meant.
        let is_sure = match best {
            Some(Fit::Fully) => true,
            Some(Fit::Within) => return self.handed_on(&found, candidates, 0).unwrap_or(found),
            Some(Fit::Partly(n)) => n >= 2 || self.scope.family == Family::Go,
            Some(Fit::Below) => found.len() == 1,
            None => false,
        };
        if is_sure { found } else { Vec::new() }
    }

    /// What the file that stands for the folder of those that were found hands on under their name, if it imports that from
    /// somewhere: what is declared beside it is then another of the name.
    fn handed_on(
        &self,
        found: &[&'g Candidate<'s>],
        candidates: &[&'g Candidate<'s>],
        depth: usize,
    ) -> Option<Candidates<'g, 's>> {
        let (first, name) = found.first().map(|one| (one, one.file.segment.name(&one.row)))?;
        let scope = self.graph.scope(&self.file_of_folder(first)?).ok()?;
        let import = scope.imports.iter().find(|import| import.local == name && import.name == name)?;
        let fits = |one: &&&Candidate<'s>, wanted: Fit| import.module.fit(one.file.path()) == Some(wanted);
        let of = |wanted: Fit| candidates.iter().filter(|one| fits(one, wanted)).copied().collect::<Vec<_>>();
        let handed = of(Fit::Fully);
        if !handed.is_empty() {
            return Some(handed);
        }
        let within = of(Fit::Within);
        if within.is_empty() || depth >= MAX_HANDED {
            return None;
        }
        Some(self.handed_on(&within, candidates, depth + 1).unwrap_or(within))
    }

    /// The file that stands for the folder of a declaration's.
    fn file_of_folder(&self, one: &Candidate<'s>) -> Option<FileView<'s>> {
        let path = one.file.path();
        let extension = path.rfind_byte(b'.').and_then(|at| path.get(at..))?;
        FOLDER_FILES.iter().find_map(|stem| {
            let mut beside = folder(path).to_vec();
            if !beside.is_empty() {
                beside.push(b'/');
            }
            beside.extend_from_slice(stem.as_bytes());
            beside.extend_from_slice(extension);
            self.graph.index().file_by_path(beside.as_bstr())
        })
    }
}
