//! Remote embedding models: computes the similarities of a query.
//!
//! The settings name the model. A query is sent only if it asks for a meaning and there are vectors
//! to compare it with. After any failure, a warning is shown and the built-in model is used.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::embedding::{Embedder, Purpose, Question, Row};
use crate::base::config;
use crate::base::progress::{Cancel, Task};
use crate::base::text::counted;
use crate::base::threads::lock;
use crate::provider::http::RetryLimits;
use crate::provider::sidecar::vectors::{self, Table};
use crate::search::query::{self, Cosines};
use crate::search::segment::{FileView, Index};

use crate::provider::Providers;
use crate::search::Searcher;

/// Maximum wait for a query's vector. After that, an answer without it is better.
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);

/// After a failure, queries skip the model for this long, so that they don't all wait.
const PAUSE: Duration = Duration::from_secs(60);

/// Number of query vectors that are cached.
const REMEMBERED: usize = 256;

/// Below this share of files with vectors, a warning is shown.
const ENOUGH: f64 = 0.9;

/// The remote model as queries use it.
#[derive(Default)]
pub(crate) struct QueryEmbedder {
    /// The settings, read at the first query that asks for a meaning.
    embedder: OnceLock<std::result::Result<Option<Embedder>, String>>,
    known: Mutex<QueryVectors>,
    failed_at: Mutex<Option<Instant>>,
}

impl Providers {
    /// The similarities of chunks to a query by the remote model; `None` if the built-in one
    /// applies, with a warning if the settings ask for another.
    pub(crate) fn cosines(
        &self,
        searcher: &Searcher,
        index: &Index<'_>,
        text: &str,
        warnings: &mut Vec<String>,
        task: Task<'_>,
    ) -> Option<Cosines> {
        match self.try_cosines(searcher, index, text, task) {
            Ok((cosines, warning)) => {
                warnings.extend(warning);
                cosines
            }
            Err(why) => {
                warnings.push(format!("{why}; the built-in model is used"));
                None
            }
        }
    }

    fn try_cosines(
        &self,
        searcher: &Searcher,
        index: &Index<'_>,
        text: &str,
        task: Task<'_>,
    ) -> std::result::Result<(Option<Cosines>, Option<String>), String> {
        if searcher.commit().is_none() {
            return Ok((None, None));
        }
        let embedder = self.asker.embedder.get_or_init(|| {
            let timeout = self.repo().setting(&config::REMOTE_TIMEOUT).map(Duration::from_secs);
            timeout
                .map_err(crate::provider::Error::from)
                .and_then(|timeout| self.embedder_with(false, timeout.min(QUERY_TIMEOUT), RetryLimits::SHORT))
                .map_err(|error| error.to_string())
        });
        let embedder = match embedder {
            Ok(Some(embedder)) => embedder,
            Ok(None) => return Ok((None, None)),
            Err(why) => return Err(why.clone()),
        };
        let parsed = query::parse(text);
        if parsed.question.is_zero() {
            return Ok((None, None));
        }
        let (id, component) = (embedder.model().id(), embedder.model().component());
        let Some(snapshot) = searcher.snapshot() else {
            return Err(format!("the vectors of {id} can't be used, because this commit has no index"));
        };
        let found = vectors::find(self.repo(), &id, &component, snapshot.commit)
            .map_err(|error| error.to_string())?;
        let Some(found) = found else {
            return Err(format!("no vectors of {id} for this commit (run 'git cora embed')"));
        };
        let table = Table::open(self.repo(), &found, snapshot.files, task)
            .map_err(|error| format!("the vectors of {id} can't be read: {error}"))?;
        // Filters are not part of the meaning.
        let filters = &parsed.filters;
        let has_filters = !(filters.paths.is_empty()
            && filters.languages.is_empty()
            && filters.kinds.is_empty()
            && parsed.symbol_filters.is_empty());
        let asked = if has_filters {
            parsed.words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ")
        } else {
            text.to_owned()
        };
        let row = self.asker.ask(embedder, &asked, task.cancel)?;
        let (n, n_stored) = (row.components.len(), table.dimensions());
        if n != n_stored {
            return Err(format!(
                "{id} returned a vector of {n} dimensions, but this commit's vectors have \
                {n_stored}: the model has changed"
            ));
        }
        let question = Question(row);
        let files: Vec<FileView<'_>> =
            index.files().filter(|file| !file.segment.chunks_of(file.ord).is_empty()).collect();
        let rated: Vec<Option<Vec<i32>>> = files
            .par_iter()
            .map(|file| {
                if searcher.is_dirty(file.path()) {
                    return None;
                }
                let rows = table.rows(file.path())?;
                (rows.len() == file.segment.chunks_of(file.ord).len())
                    .then(|| rows.cosines(&question).collect())
            })
            .collect();
        let mut cosines = Cosines::default();
        let mut n_rated = 0;
        let n_clean = files.iter().filter(|file| !searcher.is_dirty(file.path())).count();
        for (file, rated) in files.iter().zip(rated) {
            if let Some(rated) = rated {
                n_rated += 1;
                cosines.set(file.part, file.segment.chunks_of(file.ord).start, rated);
            }
        }
        let warning = is_sparse(n_rated, n_clean).then(|| {
            format!(
                "{n_rated} of {} vectors of {id}; the built-in model ranks the others (run 'git cora embed')",
                counted(n_clean, "file has", "files have")
            )
        });
        Ok((Some(cosines), warning))
    }
}

/// Returns whether so few of the files are rated that the user should know.
fn is_sparse(n_rated: usize, n_clean: usize) -> bool {
    (n_rated as f64) < n_clean as f64 * ENOUGH
}

/// Whether a model that failed so long ago is left alone.
fn is_resting(since: Duration) -> bool {
    since < PAUSE
}

/// The vectors of the last queries. When there are [`REMEMBERED`], it begins again.
#[derive(Default)]
struct QueryVectors(HashMap<String, Row>);

impl QueryVectors {
    fn get(&self, text: &str) -> Option<Row> {
        self.0.get(text).cloned()
    }

    fn put(&mut self, text: &str, row: Row) {
        if self.0.len() >= REMEMBERED {
            self.0.clear();
        }
        self.0.insert(text.to_owned(), row);
    }
}

impl QueryEmbedder {
    /// The vector of a query.
    fn ask(&self, embedder: &Embedder, text: &str, cancel: &Cancel) -> std::result::Result<Row, String> {
        let known = || lock(&self.known);
        if let Some(row) = known().get(text) {
            return Ok(row);
        }
        let id = embedder.model().id();
        let failed_at = || lock(&self.failed_at);
        if failed_at().is_some_and(|at| is_resting(at.elapsed())) {
            return Err(format!("{id} failed a moment ago"));
        }
        match embedder.embed(&[text], Purpose::Query, cancel) {
            Ok(embedded) => {
                *failed_at() = None;
                let row = embedded.rows.into_iter().next().ok_or_else(|| {
                    format!(
                        "{id} returned no \
                vector"
                    )
                })?;
                known().put(text, row.clone());
                Ok(row)
            }
            Err(error) => {
                *failed_at() = Some(Instant::now());
                Err(format!("can't ask {id}: {error}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_256_queries_are_remembered() {
        let mut known = QueryVectors::default();
        let row = |n: u16| Row::quantise(&[f32::from(n), 1.0]).unwrap();
        for n in 0..256 {
            known.put(&n.to_string(), row(n));
        }
        assert!((0..256).all(|n| known.get(&n.to_string()) == Some(row(n))));
        known.put("256", row(256));
        assert_eq!(known.get("256"), Some(row(256)));
        assert_eq!(known.0.len(), 1, "it has begun again");
    }

    #[test]
    fn a_model_that_failed_rests_for_a_minute() {
        let ages = [0, 59_999, 60_000].map(Duration::from_millis);
        assert_eq!(ages.map(is_resting), [true, true, false]);
        assert_eq!(QUERY_TIMEOUT.as_secs(), 10);
    }

    #[test]
    fn nine_of_ten_files_are_enough() {
        for (n_rated, n_clean, expected) in
            [(0, 0, false), (0, 1, true), (9, 10, false), (89, 100, true), (90, 100, false)]
        {
            assert_eq!(is_sparse(n_rated, n_clean), expected, "{n_rated} of {n_clean}");
        }
    }
}
