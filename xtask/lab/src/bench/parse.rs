//! The bare parse that indexing is compared with.
//!
//! It parses the same files with the same grammars, parser and threads, and does nothing else. The
//! files are chosen by the library's own rules, so that both sides do the same parsing.

use anyhow::{Context as _, Result};
use rayon::prelude::*;

use git_cora::base::text::path;
use git_cora::git::{Blob, Repository, TreeEntry};
use git_cora::index::chunk::{self, Language};
use git_cora::index::source::{self, Decision};
use git_cora::index::{IndexOptions, Recorder};

use super::place::Place;

/// A file that is indexed with a grammar.
pub(super) struct Text {
    pub(super) entry: TreeEntry,
    pub(super) language: Language,
    pub(super) text: String,
}

/// The indexed files of a commit that have a grammar, held in memory.
pub(super) struct Corpus {
    repo: Repository,
    /// Number of files of the commit, including skipped ones.
    pub(super) n_files: usize,
    /// The files, sorted by path.
    pub(super) texts: Vec<Text>,
}

impl Corpus {
    pub(super) fn read(place: &Place) -> Result<Self> {
        let repo = Repository::discover(&place.clone("corpus", false)?)?;
        let commit = repo.commit(repo.resolve("HEAD")?)?;
        let attributes = repo.attributes(commit.tree)?;
        let files = repo.tree_files(commit.tree)?;
        let options = IndexOptions::default();
        let texts: Result<Vec<Option<Text>>> = files
            .par_iter()
            .map(|entry| {
                let own = attributes.of(entry.path.as_ref());
                let name = path::name(entry.path.as_ref());
                if source::classify_entry(name, entry.mode, &own).is_some() {
                    return Ok(None);
                }
                let Blob::Bytes(bytes) = repo.blob(entry.id, options.limits.max_file_bytes)? else {
                    return Ok(None);
                };
                if source::classify(name, &bytes, &own, &options.limits) != Decision::Index {
                    return Ok(None);
                }
                let text = source::decode(&bytes).into_owned();
                let language = Recorder::language(name, text.as_bytes(), &own);
                let has_grammar = language.table().is_some();
                Ok(has_grammar.then(|| Text { entry: entry.clone(), language, text }))
            })
            .collect();
        let texts = texts?.into_iter().flatten().collect();
        Ok(Self { repo, n_files: files.len(), texts })
    }

    /// Returns the number of bytes that are parsed.
    pub(super) fn bytes(&self) -> usize {
        self.texts.iter().map(|text| text.text.len()).sum()
    }

    /// Parses every text and returns how many yielded a syntax tree.
    pub(super) fn parse(&self) -> usize {
        self.texts.par_iter().filter(|text| chunk::parse_only(text.language, &text.text)).count()
    }

    /// Reads every file from the repository again, decodes it and parses it.
    pub(super) fn read_and_parse(&self) -> Result<usize> {
        let parsed: Result<Vec<bool>> = self
            .texts
            .par_iter()
            .map(|text| {
                let Blob::Bytes(bytes) = self.repo.blob(text.entry.id, u64::MAX)? else {
                    return Err(anyhow::anyhow!("it is gone")).context(text.entry.path.to_string());
                };
                Ok(chunk::parse_only(text.language, &source::decode(&bytes)))
            })
            .collect();
        Ok(parsed?.into_iter().filter(|is_parsed| *is_parsed).count())
    }
}
