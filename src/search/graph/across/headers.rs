//! C and C++: resolves names through the headers of other repositories.
//!
//! A mention can mean a declaration of a header that its file includes, or that such a header
//! includes in turn. An include must lead to exactly one file. Common names of headers are never
//! followed, because any repository may have them.

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use bstr::{BStr, ByteSlice};

use crate::index::chunk::DeclarationKind;
use crate::search::graph::family::Family;
use crate::search::graph::resolve::Site;
use crate::search::graph::scope::folder;
use crate::search::graph::{Candidate, Evidence, Result};
use crate::search::segment::{FileView, Mention, Part};

use super::lookup::{is_test, n_places, with_member};
use super::{CrossMatches, Graphs, nothing};

/// Most headers that are visited for one file.
const MAX_HEADERS: usize = 400;

/// Headers of the language and the system, and names that many repositories use. By such a name
/// alone, a header may be anybody's.
const COMMON: [&str; 24] = [
    "assert.h", "common.h", "config.h", "ctype.h", "defs.h", "errno.h", "error.h", "limits.h", "list.h",
    "log.h", "main.h", "math.h", "memory.h", "queue.h", "signal.h", "stdint.h", "stdio.h", "stdlib.h",
    "string.h", "test.h", "time.h", "types.h", "util.h", "utils.h",
];

/// Headers that a file sees: repository, segment and ordinal there.
pub(super) type VisibleHeaders = HashSet<(usize, Part, u32)>;

impl<'s> Graphs<'_, 's> {
    /// Resolves a mention in a C or C++ file in the headers of other repositories.
    pub(super) fn included(
        &self,
        home: usize,
        site: &Site<'_, '_, 's>,
        mention: &Mention<'_>,
    ) -> Result<CrossMatches<'s>> {
        let seen = self.headers(home, site)?;
        if seen.is_empty() {
            return Ok(nothing());
        }
        let qualifier = mention.qualifier.rsplit(['.', ':', '>', '-']).find(|one| !one.is_empty());
        let own = site.graph.open_to(Family::C, mention.name, mention.kind, true)?;
        let has_own = !own.is_empty();
        for member in (0..self.len()).filter(|&at| at != home) {
            let Some(graph) = self.graph(member) else { continue };
            let all =
                graph.open_to(Family::C, mention.name, mention.kind, site.file.flags().is_vendored())?;
            let is_seen = |one: &Candidate<'_>| seen.contains(&(member, one.file.part, one.file.ord));
            // A mention does not record the namespace it is in. If the own repository has the name,
            // its declaration is as likely.
            let admits = |one: &Candidate<'_>| match qualifier {
                Some(qualifier) => one.owner == qualifier,
                None => one.owner.is_empty() || !has_own && is_in_namespace(one),
            };
            let mut declared: Vec<Candidate<'s>> =
                all.iter().filter(|one| admits(one) && is_seen(one)).copied().collect();
            if declared.iter().any(|one| !one.row.body.is_empty()) {
                declared.retain(|one| !one.row.body.is_empty());
            }
            let Some(first) = declared.first().copied() else { continue };
            // If the header only announces the name, its single definition is meant.
            if declared.iter().all(|one| one.row.body.is_empty()) {
                let defined: Vec<Candidate<'s>> = all
                    .iter()
                    .filter(|one| !one.row.body.is_empty() && one.owner == first.owner && !is_test(one))
                    .copied()
                    .collect();
                if n_places(&defined) == 1 {
                    declared = defined;
                }
            }
            let evidence = if n_places(&declared) == 1 { Evidence::Import } else { Evidence::InPackage };
            return Ok((evidence, with_member(member, declared)));
        }
        Ok(nothing())
    }

    /// Returns the headers of other repositories that a file includes, and those that they include
    /// there.
    fn headers(&self, home: usize, site: &Site<'_, '_, 's>) -> Result<Rc<VisibleHeaders>> {
        let key = (home, site.file.part, site.file.ord);
        if let Some(known) = self.seen.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut seen = VisibleHeaders::new();
        let mut next: VecDeque<(usize, FileView<'s>)> = VecDeque::new();
        for import in &site.scope.imports {
            let header = import.written.trim_matches(['"', '<', '>']);
            if COMMON.contains(&header) || self.header(home, header, Some(site.scope.path)).is_some() {
                continue;
            }
            for member in (0..self.len()).filter(|&at| at != home) {
                next.extend(self.header(member, header, None).map(|file| (member, file)));
            }
        }
        while let Some((member, file)) = next.pop_front() {
            if seen.len() >= MAX_HEADERS || !seen.insert((member, file.part, file.ord)) {
                continue;
            }
            let Some(graph) = self.graph(member) else { continue };
            for import in &graph.scope(&file)?.imports {
                let header = import.written.trim_matches(['"', '<', '>']);
                next.extend(self.header(member, header, Some(file.path())).map(|file| (member, file)));
            }
        }
        let seen = Rc::new(seen);
        self.seen.borrow_mut().insert(key, seen.clone());
        Ok(seen)
    }

    /// Returns the file of a repository that an include names, from a file next to it or from
    /// anywhere.
    fn header(&self, member: usize, header: &str, from: Option<&BStr>) -> Option<FileView<'s>> {
        let name = header.rsplit('/').next().unwrap_or(header);
        let all = self.graph(member)?.files_of_c().get(name.as_bytes())?;
        if let Some(from) = from
            && let Some(file) =
                all.iter().find(|file| folder(file.path()) == folder(from) && !header.contains('/'))
        {
            return Some(*file);
        }
        let wanted = header.trim_start_matches("../").trim_start_matches("./");
        let mut fitting: Vec<&FileView<'s>> = all
            .iter()
            .filter(|file| {
                let rest = file.path().strip_suffix(wanted.as_bytes());
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
            })
            .collect();
        // From another repository, a bare name is a file at the root or in a folder of headers.
        if from.is_none() {
            fitting.retain(|file| {
                let rest = file.path().strip_suffix(wanted.as_bytes()).unwrap_or_default();
                let rest = rest.trim_end_with(|c| c == '/');
                let last = rest.rsplit_str("/").next().unwrap_or_default();
                wanted.contains('/')
                    || matches!(last, b"" | b"include" | b"src" | b"lib" | b"inc" | b"single_include")
            });
        }
        if fitting.len() > 1 {
            let is_public = |file: &&FileView<'s>| file.path().split_str("/").any(|one| one == b"include");
            if fitting.iter().any(is_public) {
                fitting.retain(is_public);
            }
        }
        match fitting.as_slice() {
            [one] => Some(**one),
            _ => None,
        }
    }
}

/// Returns whether a declaration is a direct member of a namespace that others may name.
fn is_in_namespace(one: &Candidate<'_>) -> bool {
    let parent = one.row.parent.and_then(|parent| one.file.segment.declaration(parent));
    parent.is_some_and(|parent| parent.kind == DeclarationKind::Module)
        && !["internal", "detail", "details", "impl"].contains(&one.owner)
}
