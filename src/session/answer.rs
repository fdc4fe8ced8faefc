//! From hits to what is shown: reads the texts, checks exact phrases against them, gathers declarations.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::query::{self, ChunkRef, Hit, Query};
use crate::segment::Index;
use crate::view::{Contribution, DeclarationItem, RepositoryInfo, ResultItem, Results};

use super::{Result, Searchable, Session};

/// With exact phrases, so many hits that have all their words are read to see whether they have them in a row; the
/// second number where the first did not give enough. Reading a thousand files takes a fifth of a second.
const PHRASE_HITS: [usize; 2] = [400, 10_000];

impl Session {
    /// Answers a query from what `searchable` holds. `revision` is what the user asked for, for the record.
    ///
    /// # Errors
    /// [`super::Error::Query`] for filters that make no sense; [`super::Error::Segment`] for a damaged cache.
    pub fn answer(&self, searchable: &Searchable<'_>, query: &Query, revision: &str) -> Result<Results> {
        let index = searchable.index();
        let mut texts = Texts { searchable, read: HashMap::new() };
        let mut warnings = searchable.warnings.clone();
        let mut answer = query::search(&index, query)?;
        let mut n_found = answer.n_candidates;
        if !answer.needs_text_check.is_empty() {
            for most in PHRASE_HITS {
                // Any chunk of a file may hold the phrase, not just the one that is best by words.
                let limit = most.max(query.limit);
                let wide = Query { limit, all_chunks: true, ..query.clone() };
                answer = query::search(&index, &wide)?;
                let n_read = answer.hits.len();
                answer
                    .hits
                    .retain(|hit| holds_phrases(hit, texts.of(hit).as_deref(), &answer.needs_text_check));
                n_found = answer.hits.len();
                if n_found >= query.limit || n_read >= answer.n_candidates {
                    break;
                }
                if Some(&most) == PHRASE_HITS.last() {
                    warnings.push(format!(
                        "the quoted text was looked for in the {n_read} best of {} chunks that have its words",
                        answer.n_candidates
                    ));
                }
            }
            if !query.all_chunks {
                one_of_each_file_first(&mut answer.hits);
            }
            answer.hits.truncate(query.limit);
        }
        let results: Vec<ResultItem> = (1..)
            .zip(answer.hits)
            .map(|(rank, hit)| {
                let text = texts.of(&hit);
                item(searchable, &index, rank, hit, text)
            })
            .collect();
        let n_more = n_found.saturating_sub(results.len());
        Ok(Results {
            query: query.text.clone(),
            revision: revision.to_owned(),
            commit: searchable.commit(),
            worktree: searchable.is_worktree(),
            repository: self.info(),
            n_dirty: searchable.n_dirty(),
            warnings,
            results,
            n_more,
        })
    }

    /// Where the repository comes from and lies.
    pub fn info(&self) -> RepositoryInfo {
        let path = self.repo().work_dir().unwrap_or(self.repo().git_dir());
        RepositoryInfo {
            origin: self.repo().remote_url("origin").unwrap_or_default(),
            path: path.display().to_string(),
            host: std::env::var("HOSTNAME").unwrap_or_default(),
        }
    }
}

/// The texts of files, each read once.
struct Texts<'s, 'r> {
    searchable: &'s Searchable<'r>,
    read: HashMap<BString, Option<Arc<str>>>,
}

impl Texts<'_, '_> {
    fn of(&mut self, hit: &Hit) -> Option<Arc<str>> {
        let read = || self.searchable.text(hit.path.as_bstr());
        self.read.entry(hit.path.clone()).or_insert_with(read).clone()
    }
}

/// Puts the first hit of each file before all others, otherwise in the order that they have.
fn one_of_each_file_first(hits: &mut [Hit]) {
    let mut seen = HashSet::new();
    let is_first: HashSet<ChunkRef> =
        hits.iter().filter(|hit| seen.insert(hit.path.clone())).map(|hit| hit.chunk).collect();
    hits.sort_by_key(|hit| !is_first.contains(&hit.chunk));
}

/// Whether the chunk's text holds each phrase: exactly, or but for case if the phrase has no upper case.
fn holds_phrases(hit: &Hit, text: Option<&str>, phrases: &[String]) -> bool {
    let Some(text) = text.map(|text| hit.span.bytes.of(text)) else { return false };
    let lower = text.to_lowercase();
    phrases.iter().all(|phrase| {
        if phrase.chars().any(char::is_uppercase) {
            text.contains(phrase.as_str())
        } else {
            lower.contains(phrase.as_str())
        }
    })
}

fn item(
    searchable: &Searchable<'_>,
    index: &Index<'_>,
    rank: usize,
    hit: Hit,
    text: Option<Arc<str>>,
) -> ResultItem {
    let span = hit.span;
    let declarations = index
        .file_by_path(hit.path.as_bstr())
        .into_iter()
        .flat_map(|file| file.declarations().collect::<Vec<_>>())
        .filter(|declaration| {
            let row = declaration.row;
            row.span.bytes.start < span.bytes.end && row.span.bytes.end > span.bytes.start
        })
        .map(|declaration| DeclarationItem {
            name: declaration.name().to_owned(),
            span: declaration.row.span,
            signature: declaration.row.signature,
            body: declaration.row.body,
            doc: declaration.row.doc,
        })
        .collect();
    ResultItem {
        rank,
        span,
        symbol: hit.symbol,
        kind: hit
            .declaration_kind
            .map_or_else(|| query::chunk_kind_name(hit.chunk_kind), query::declaration_kind_name),
        language: hit.language,
        score: hit.score,
        git_status: searchable.git_status(hit.path.as_bstr()),
        blob: searchable.blob(hit.path.as_bstr()),
        text,
        declarations,
        explanation: hit
            .contributions
            .into_iter()
            .map(|part| Contribution { part: part.part.to_owned(), value: part.value, detail: part.detail })
            .collect(),
        path: hit.path,
    }
}
