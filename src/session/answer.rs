//! From hits to what is shown: reads the texts, checks exact phrases against them, gathers declarations.

use std::collections::HashMap;
use std::sync::Arc;

use bstr::{BString, ByteSlice};

use crate::query::{self, Answer, Hit, Query};
use crate::segment::Index;
use crate::view::{Contribution, DeclarationItem, RepositoryInfo, ResultItem, Results};

use super::{Result, Searchable, Session};

/// With exact phrases, so many times the wanted number of hits are checked against their text.
const PHRASE_FACTOR: usize = 20;

impl Session {
    /// Answers a query from what `searchable` holds. `revision` is what the user asked for, for the record.
    ///
    /// # Errors
    /// [`super::Error::Query`] for filters that make no sense; [`super::Error::Segment`] for a damaged cache.
    pub fn answer(&self, searchable: &Searchable<'_>, query: &Query, revision: &str) -> Result<Results> {
        let index = searchable.index();
        let mut answer = query::search(&index, query)?;
        if !answer.needs_text_check.is_empty() {
            let wide = Query { limit: query.limit.saturating_mul(PHRASE_FACTOR), ..query.clone() };
            answer = query::search(&index, &wide)?;
        }
        let mut texts: HashMap<BString, Option<Arc<str>>> = HashMap::new();
        let mut text_of = |hit: &Hit| -> Option<Arc<str>> {
            texts.entry(hit.path.clone()).or_insert_with(|| searchable.text(hit.path.as_bstr())).clone()
        };
        let mut results = Vec::new();
        let Answer { hits, n_candidates, needs_text_check: phrases, .. } = answer;
        let n_hits = hits.len();
        for hit in hits {
            if results.len() >= query.limit {
                break;
            }
            let text = text_of(&hit);
            if !phrases.is_empty() && !holds_phrases(&hit, text.as_deref(), &phrases) {
                continue;
            }
            results.push(item(searchable, &index, results.len() + 1, hit, text));
        }
        let n_shown = results.len();
        Ok(Results {
            query: query.text.clone(),
            revision: revision.to_owned(),
            commit: searchable.commit(),
            worktree: searchable.is_worktree(),
            repository: self.info(),
            n_dirty: searchable.n_dirty(),
            warnings: searchable.warnings.clone(),
            results,
            n_more: if phrases.is_empty() { n_candidates } else { n_hits }.saturating_sub(n_shown),
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
