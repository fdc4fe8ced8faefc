//! Headers that a file of C or C++ includes, directly or by another header.
//!
//! An include names a file beside its own, or by the end of its path. If several files have that
//! end, the nearest one counts. The walk is bounded, and headers of other repositories are unknown.

use std::collections::{HashMap, HashSet, VecDeque};

use bstr::{BStr, BString, ByteSlice};

use super::family::Family;
use super::resolve::{Candidates, Site, in_one_file, pick};
use super::rules::library::FileKey;
use super::scope::folder;
use super::{Candidate, Graph, Result};
use crate::search::segment::FileView;

/// Most headers that one file sees.
const MAX_HEADERS: usize = 400;

/// Files of C and C++ by the last name of their path.
pub(super) type FilesByName<'s> = HashMap<&'s [u8], Vec<FileView<'s>>>;

impl<'s> Graph<'_, 's> {
    /// Returns the headers that a file sees, in order.
    fn headers(&self, file: &FileView<'s>) -> Result<&[FileKey]> {
        let key = (file.part, file.ord);
        if let Some(known) = self.headers.get(&key) {
            return Ok(known);
        }
        let mut seen = HashSet::new();
        let mut next = VecDeque::from([*file]);
        while let Some(file) = next.pop_front().filter(|_| seen.len() < MAX_HEADERS) {
            for import in &self.scope(&file)?.imports {
                let header = import.written.trim_matches(['"', '<', '>']);
                if let Some(header) = self.header(&file, header)
                    && seen.insert((header.part, header.ord))
                {
                    next.push_back(header);
                }
            }
        }
        let mut seen: Vec<FileKey> = seen.into_iter().collect();
        seen.sort_unstable();
        Ok(self.headers.insert(key, seen.into()))
    }

    /// Returns whether a file of C or C++ sees another one as a header.
    ///
    /// # Errors
    /// [`Error::Corrupt`](super::Error::Corrupt).
    pub(crate) fn sees_header(&self, from: &FileView<'s>, header: &FileView<'s>) -> Result<bool> {
        Ok(self.headers(from)?.binary_search(&(header.part, header.ord)).is_ok())
    }

    /// Returns the files of C and C++ by the last name of their path.
    pub(super) fn files_of_c(&self) -> &FilesByName<'s> {
        self.files_of_c.get_or_init(|| {
            let mut files = FilesByName::new();
            for file in self.index.files().filter(|file| Family::of(file.language()) == Family::C) {
                let path: &'s BStr = file.path();
                files.entry(path.rsplit_str("/").next().unwrap_or_default()).or_default().push(file);
            }
            files
        })
    }

    /// Returns the file of this repository that an include names.
    fn header(&self, from: &FileView<'s>, header: &str) -> Option<FileView<'s>> {
        let mut beside = BString::from(folder(from.path()));
        if !beside.is_empty() {
            beside.push(b'/');
        }
        beside.extend_from_slice(header.trim_start_matches("./").as_bytes());
        if let Some(file) = self.index.file_by_path(beside.as_bstr()) {
            return Some(file);
        }
        let end = header.trim_start_matches("../").trim_start_matches("./").as_bytes();
        let all = self.files_of_c().get(end.rsplit_str("/").next()?)?;
        let is_named = |file: &&FileView<'s>| {
            let rest = file.path().strip_suffix(end);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
        };
        let shared = |file: &FileView<'s>| {
            let both = file.path().split_str("/").zip(from.path().split_str("/"));
            both.take_while(|(one, other)| one == other).count()
        };
        let nearest = all.iter().filter(is_named).map(shared).max()?;
        let mut found = all.iter().filter(is_named).filter(|file| shared(file) == nearest);
        found.next().copied().filter(|_| found.next().is_none())
    }
}

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns the candidates that the headers of this file declare, if one of them has them all.
    pub(super) fn in_headers(&self, candidates: &[&'g Candidate<'s>]) -> Result<Candidates<'g, 's>> {
        if self.scope.family != Family::C || candidates.is_empty() {
            return Ok(Vec::new());
        }
        let headers = self.graph.headers(&self.file)?;
        let is_seen = |one: &Candidate<'s>| headers.binary_search(&(one.file.part, one.file.ord)).is_ok();
        Ok(in_one_file(pick(candidates, is_seen)))
    }
}
