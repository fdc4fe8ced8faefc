//! The places of references in a source: what the index records without a place, found again.
//!
//! The graph says what the references of a chunk mean. The source is parsed once more, by the same
//! rules as for the index, and says where each of them stands.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use super::RepositoryDeclaration;
use super::reader::Reader;
use crate::base::text::words;
use crate::base::threads;
use crate::index::chunk::{
    CONSTRUCTOR_WORDS, ChunkOptions, Language, Reference, ReferenceKind, ReferencePlace, SUPER_WORD, Span,
    reference_places,
};
use crate::search::Result;
use crate::search::graph::{Edge, Evidence};
use crate::search::segment::{FileView, Mention};

/// A repository, and the path of a file in it.
type PlacesKey = (usize, BString);

/// A file to be parsed.
type Job = (PlacesKey, Language, Arc<str>);

/// Places of all references in a file; `None` if its language is not parsed.
pub(super) type FilePlaces = Option<Arc<[ReferencePlace]>>;

/// A place of a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct NamedPlace<'s> {
    pub(super) byte: u32,
    pub(super) line: u32,
    /// The name or the word that is written there.
    pub(super) name: &'s str,
    /// The evidence that it means the declaration that is asked for; `None` if it means another
    /// one.
    pub(super) evidence: Option<Evidence>,
}

impl<'s> Reader<'_, '_, 's> {
    /// Returns the places of all references in a file.
    pub(super) fn file_places(&mut self, repository: usize, file: &FileView<'s>) -> FilePlaces {
        let key = (repository, file.path().to_owned());
        if let Some(known) = self.file_places.get(&key) {
            return known.clone();
        }
        let language = Language::from_name(file.language());
        let text = language.and_then(|_| self.text(repository, file.path()));
        let found = language.zip(text).and_then(|(language, text)| places_of(language, &text));
        self.file_places.insert(key, found.clone());
        found
    }

    /// Parses files of a repository, in parallel.
    pub(super) fn parse(&mut self, repository: usize, files: &[FileView<'s>]) {
        let mut jobs: Vec<Job> = Vec::new();
        for file in files {
            let key = (repository, file.path().to_owned());
            let text = self.text(repository, file.path());
            let job = Language::from_name(file.language()).zip(text);
            if let Some((language, text)) = job.filter(|_| !self.file_places.contains_key(&key)) {
                jobs.push((key, language, text));
            }
        }
        self.parse_jobs(jobs);
    }

    fn parse_jobs(&mut self, jobs: Vec<Job>) {
        let parsed = threads::each(&in_shares(jobs), |share| {
            let parse = |(key, language, text): &Job| (key.clone(), places_of(*language, text));
            share.iter().map(parse).collect::<Vec<(PlacesKey, FilePlaces)>>()
        });
        self.file_places.extend(parsed.into_iter().flatten());
    }

    /// The names by which files of a repository refer to a declaration, its own first.
    fn names(&self, repository: usize, of: RepositoryDeclaration, called: &'s str) -> Result<Vec<&'s str>> {
        let mut names = vec![called];
        if let (Some(graph), Some(home)) = (self.graphs().graph(repository), self.graphs().graph(of.0)) {
            names.extend(graph.other_names(home, of.1)?);
        }
        Ok(names)
    }

    /// Parses the files in which edges start, in parallel, if the words of their texts leave open
    /// where a declaration is referred to.
    pub(super) fn parse_files(
        &mut self,
        edges: &[(usize, Edge)],
        of: RepositoryDeclaration,
        called: &'s str,
    ) -> Result<()> {
        let mut names: HashMap<usize, Vec<&'s str>> = HashMap::new();
        let mut jobs: Vec<Job> = Vec::new();
        let mut known: HashSet<PlacesKey> = HashSet::new();
        for (repository, edge) in edges {
            let graph = self.graphs().graph(*repository);
            let Some(file) = graph.and_then(|graph| graph.file_of(edge.from)) else { continue };
            let key = (*repository, file.path().to_owned());
            if known.contains(&key) || self.file_places.contains_key(&key) {
                continue;
            }
            let language = Language::from_name(file.language());
            let text = self.text(*repository, file.path());
            let Some((language, text)) = language.zip(text) else { continue };
            let names = match names.entry(*repository) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unknown) => unknown.insert(self.names(*repository, of, called)?),
            };
            if only_place(&file, edge, names, &text)?.is_none() {
                known.insert(key.clone());
                jobs.push((key, language, text));
            }
        }
        self.parse_jobs(jobs);
        Ok(())
    }

    /// Returns the places at which the chunk of an edge refers to a declaration, or to a namesake.
    /// `None` if the source can't say. `of_constructor`: whether the constructor of a type is
    /// meant.
    pub(super) fn named_places(
        &mut self,
        repository: usize,
        edge: &Edge,
        of: RepositoryDeclaration,
        called: &'s str,
        of_constructor: bool,
    ) -> Result<Option<Vec<NamedPlace<'s>>>> {
        let Some(file) = self.graphs().graph(repository).and_then(|graph| graph.file_of(edge.from)) else {
            return Ok(None);
        };
        let Some(chunk) = file.segment.chunk(edge.from.ord) else { return Ok(None) };
        let Some(text) = self.text(repository, file.path()) else { return Ok(None) };
        let names = self.names(repository, of, called)?;
        if let Some((byte, line)) = only_place(&file, edge, &names, &text)? {
            let evidence = Some(edge.evidence);
            return Ok(Some(vec![NamedPlace { byte, line, name: called, evidence }]));
        }
        let Some(places) = self.file_places(repository, &file) else { return Ok(None) };
        let of_kind = file.segment.mentions(edge.from.ord)?.into_iter();
        let named: Vec<Mention<'s>> =
            of_kind.filter(|one| one.kind == edge.kind && names.contains(&one.name)).collect();
        let evidence = self.evidence_of(repository, edge, of, &named)?;
        let mut found = Vec::new();
        // A constructor is only called. Its type may be named in other ways, too.
        let is_called = |one: &ReferencePlace| !of_constructor || one.reference.kind == ReferenceKind::Call;
        for (place, line) in within(&places, &text, chunk.span).into_iter().filter(|one| is_called(one.0)) {
            let Some((mention, evidence)) =
                named.iter().zip(&evidence).find(|(one, _)| stands_at(one, place))
            else {
                continue;
            };
            let is_word = |word: &str| !word.is_empty() && is_written(&text, place.at, word);
            let name = match mention.name {
                name if is_written(&text, place.at, name) => name,
                _ if is_word(mention.alias) => mention.alias,
                _ if mention.qualifier == SUPER_WORD && is_word(SUPER_WORD) => SUPER_WORD,
                // Another name stands for the type, or only the arguments are written.
                _ if of_constructor || CONSTRUCTOR_WORDS.contains(&mention.alias) => "",
                name => name,
            };
            found.push(NamedPlace { byte: place.at, line, name, evidence: *evidence });
        }
        Ok(Some(found))
    }
}

/// Deals files out among threads, by turns from the largest on: parsing one takes far longer than
/// starting a thread.
fn in_shares(mut jobs: Vec<Job>) -> Vec<Vec<Job>> {
    let n = threads::worth(jobs.len(), 1);
    let mut shares: Vec<Vec<Job>> = std::iter::repeat_with(Vec::new).take(n).collect();
    jobs.sort_by_key(|(_, _, text)| std::cmp::Reverse(text.len()));
    for (at, job) in jobs.into_iter().enumerate() {
        if let Some(share) = shares.get_mut(at % n) {
            share.push(job);
        }
    }
    shares
}

/// Parses a text.
fn places_of(language: Language, text: &str) -> FilePlaces {
    reference_places(language, text, &ChunkOptions::default()).map(Arc::from)
}

/// Returns the byte and the line at which the chunk of an edge refers to the first of some names,
/// if the chunk has it nowhere else, and none of the others. Then the text needs no parsing.
fn only_place(file: &FileView<'_>, edge: &Edge, names: &[&str], text: &str) -> Result<Option<(u32, u32)>> {
    let (Some(chunk), Some(&called)) = (file.segment.chunk(edge.from.ord), names.first()) else {
        return Ok(None);
    };
    // Objective-C writes a selector in parts, and Fortran a name in any case.
    let folds_case = Language::from_name(file.language()).is_some_and(Language::folds_case);
    if called.contains(':') || folds_case {
        return Ok(None);
    }
    // In Ruby, `super` stands for the name of the method.
    let is_super = |one: &Mention<'_>| one.qualifier == SUPER_WORD && file.language() == "ruby";
    let is_written = |one: &Mention<'_>| {
        one.kind == edge.kind && !CONSTRUCTOR_WORDS.contains(&one.alias) && !is_super(one)
    };
    let mentions = file.segment.mentions(edge.from.ord)?;
    let mut named = mentions.iter().filter(|one| names.contains(&one.name) || names.contains(&one.alias));
    let is_one =
        named.next().is_some_and(|one| one.name == called && is_written(one)) && named.next().is_none();
    let of_chunk = chunk.span.bytes.of(text);
    let mut places = words(of_chunk, called);
    let (Some(at), None, true) = (places.next(), places.next(), is_one) else { return Ok(None) };
    let lines = of_chunk.as_bytes().get(..at).unwrap_or_default().find_iter("\n").count();
    let line = chunk.span.start_line + u32::try_from(lines).unwrap_or_default();
    Ok(Some((chunk.span.bytes.start + u32::try_from(at).unwrap_or_default(), line)))
}

/// Returns the places in a span, each with its line.
fn within<'p>(places: &'p [ReferencePlace], text: &str, span: Span) -> Vec<(&'p ReferencePlace, u32)> {
    let bytes = span.bytes;
    let mut line = span.start_line;
    let mut counted = bytes.start;
    let first = places.partition_point(|one| one.at < bytes.start);
    let here = places.get(first..).unwrap_or_default().iter().take_while(|one| one.at < bytes.end);
    let with_line = here.map(|one| {
        let between = text.as_bytes().get(counted as usize..one.at as usize).unwrap_or_default();
        line += u32::try_from(between.find_iter("\n").count()).unwrap_or_default();
        counted = one.at;
        (one, line)
    });
    with_line.collect()
}

/// Returns whether a name stands at a byte of a text.
fn is_written(text: &str, at: u32, name: &str) -> bool {
    text.get(at as usize..).is_some_and(|rest| rest.starts_with(name))
}

/// Returns whether the reference at a place is the one that a chunk records.
fn stands_at(recorded: &Mention<'_>, place: &ReferencePlace) -> bool {
    let Reference { kind, name, qualifier, alias, .. } = &place.reference;
    let is_same = recorded.name == name && recorded.qualifier == qualifier;
    if *kind == recorded.kind {
        return is_same && recorded.alias == alias;
    }
    // A use is left out of the record if the chunk refers to the same thing in another way.
    let is_word = CONSTRUCTOR_WORDS.contains(&recorded.alias);
    let is_other = !is_word
        && matches!(recorded.kind, ReferenceKind::Call | ReferenceKind::Type | ReferenceKind::Inherits);
    is_same && is_other && *kind == ReferenceKind::Use && !place.is_recorded
}
