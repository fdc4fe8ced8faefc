//! Remote models: makes a commit's vectors, and asks the model about a query.
//!
//! Which model, from the settings. A query is sent only if it asks for a meaning and there are vectors to compare it with. Whatever
//! fails then is a warning, and the built-in model answers.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use bstr::{BStr, ByteSlice};
use rayon::prelude::*;

use super::{Embedder, Model, ModelSettings, Purpose, Question, Row};
use crate::base::config::{self, Key};
use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Progress};
use crate::provider::http::Patience;
use crate::provider::sidecar::vectors::{self, FileToEmbed, Plan, Report, Table, Texts};
use crate::search::query::{self, Cosines};
use crate::search::segment::{FileView, Index};

use crate::provider::registry::Door;
use crate::session::{Error, Result, Searchable, Session};

/// The longest wait for a query's vector. Longer, and the answer without it is the better one.
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);

/// After a failure, queries do without the model for so long: each would wait in vain.
const PAUSE: Duration = Duration::from_secs(60);

/// Vectors of queries that are remembered.
const REMEMBERED: usize = 256;

/// Below this share of files with vectors, the user is told.
const ENOUGH: f64 = 0.9;

/// The remote model as queries use it.
#[derive(Default)]
pub(crate) struct Asker {
    /// What the settings say, read at the first query that asks for a meaning.
    embedder: OnceLock<std::result::Result<Option<Embedder>, String>>,
    known: Mutex<HashMap<String, Row>>,
    failed_at: Mutex<Option<Instant>>,
}

impl Session {
    /// The remote model that the settings name, if they do. Nothing is sent yet. A key is asked for on the terminal,
    /// when it is needed, only if `may_ask`.
    ///
    /// # Errors
    /// [`Error::Config`] or [`Error::Embed`] for settings that make no sense.
    pub fn embedder(&self, may_ask: bool) -> Result<Option<Embedder>> {
        let timeout = Duration::from_secs(self.count(&config::REMOTE_TIMEOUT)?);
        self.embedder_with(may_ask, timeout, Patience::LONG)
    }

    fn embedder_with(
        &self,
        may_ask: bool,
        timeout: Duration,
        patience: Patience,
    ) -> Result<Option<Embedder>> {
        let text = |key: &Key| self.repo.config_private(key.name).filter(|value| !value.trim().is_empty());
        let Some(value) = text(&config::EMBEDDER) else { return Ok(None) };
        let some = |key: &Key| -> Result<Option<usize>> {
            Ok(usize::try_from(self.count(key)?).ok().filter(|n| *n > 0))
        };
        let settings = ModelSettings {
            url: text(&config::EMBED_URL),
            model: text(&config::EMBED_MODEL),
            dimensions: some(&config::EMBED_DIMENSIONS)?,
            text_tokens: some(&config::EMBED_MAX_TOKENS)?,
        };
        let model = Model::parse(value.trim(), &settings)?;
        let provider = model.provider();
        let door = Door {
            address: model.address(),
            key_variable: provider.key_variable(),
            key_header: ("authorization", "Bearer "),
            headers: Vec::new(),
            wants_key: provider.wants_key(),
        };
        let client = self.client::<super::Error>(door, may_ask, timeout, patience)?;
        Ok(Some(Embedder::new(model, client)))
    }

    /// What is to be embedded of the commit that `searchable` was opened at: source before tests, examples and copies of
    /// others' code, so that a budget goes to what is asked for most. Sends nothing.
    ///
    /// # Errors
    /// [`Error::Nothing`] before the first commit, [`Error::Vectors`].
    pub fn embedding_plan(
        &self,
        searchable: &Searchable,
        model: &Model,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Plan> {
        let snapshot = searchable.snapshot().ok_or(Error::Nothing)?;
        let index = searchable.index();
        let files = self.files_by_worth(snapshot.files, &index)?;
        let files = files
            .into_iter()
            .map(|(file, record)| {
                let n_chunks = file.segment.chunks_of(file.ord).len();
                FileToEmbed { path: file.path().to_owned(), record, n_chunks }
            })
            .collect();
        let texts = ChunkTexts { searchable, index: &index };
        Ok(vectors::plan(&self.repo, model, snapshot.commit, files, &texts, progress, cancel)?)
    }

    /// The files that have chunks, each with its record's id in the tree `records`, in the order in which a budget is spent
    /// on them: source before tests, examples and copies of others' code, then by path.
    pub(crate) fn files_by_worth<'s>(
        &self,
        records: ObjectId,
        index: &Index<'s>,
    ) -> Result<Vec<(FileView<'s>, ObjectId)>> {
        let records = self.repo.tree_files(records)?;
        let mut files = Vec::new();
        for file in index.files() {
            let at = records.binary_search_by(|record| record.path.as_bstr().cmp(file.path()));
            let record = at.ok().and_then(|at| records.get(at));
            if let (1.., Some(record)) = (file.segment.chunks_of(file.ord).len(), record) {
                files.push((file, record.id));
            }
        }
        files.sort_by_key(|(file, _)| {
            let flags = file.flags();
            (flags.is_vendored(), flags.is_example(), flags.is_test(), file.path())
        });
        Ok(files)
    }

    /// Does what a plan says, for at most `budget` tokens.
    ///
    /// # Errors
    /// [`Error::Vectors`]; a failure of the provider is in the report, for what was received before is kept.
    pub fn embed(
        &self,
        searchable: &Searchable,
        embedder: &Embedder,
        plan: &Plan,
        budget: Option<u64>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Result<Report> {
        let texts = ChunkTexts { searchable, index: &searchable.index() };
        Ok(vectors::make(&self.repo, embedder, plan, &texts, budget, progress, cancel)?)
    }

    /// How near the chunks are to a query by the remote model; `None` where the built-in one is to judge, with a warning
    /// if that is not what the settings want.
    pub(crate) fn cosines(
        &self,
        searchable: &Searchable,
        index: &Index<'_>,
        text: &str,
        warnings: &mut Vec<String>,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> Option<Cosines> {
        match self.try_cosines(searchable, index, text, progress, cancel) {
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
        searchable: &Searchable,
        index: &Index<'_>,
        text: &str,
        progress: &dyn Progress,
        cancel: &Cancel,
    ) -> std::result::Result<(Option<Cosines>, Option<String>), String> {
        let Some(snapshot) = searchable.snapshot() else { return Ok((None, None)) };
        let embedder = self.asker.embedder.get_or_init(|| {
            let timeout = self.count(&config::REMOTE_TIMEOUT).map(Duration::from_secs);
            timeout
                .and_then(|timeout| self.embedder_with(false, timeout.min(QUERY_TIMEOUT), Patience::SHORT))
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
        let found =
            vectors::find(&self.repo, &id, &component, snapshot.commit).map_err(|error| error.to_string())?;
        let Some(found) = found else {
            return Err(format!(
                "there are no vectors of {id} for this commit ('git cora embed' makes them)"
            ));
        };
        let table = Table::open(&self.repo, &found, snapshot.files, progress, cancel)
            .map_err(|error| format!("the vectors of {id} can't be read: {error}"))?;
        // Filters are no part of what is meant.
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
        let row = self.asker.ask(embedder, &asked, cancel)?;
        let (n, n_stored) = (row.components.len(), table.dimensions());
        if n != n_stored {
            return Err(format!(
                "{id} gave a vector of {n} dimensions, and those of this commit have {n_stored}: it is another model by now"
            ));
        }
        let question = Question(row);
        let files: Vec<FileView<'_>> =
            index.files().filter(|file| !file.segment.chunks_of(file.ord).is_empty()).collect();
        let rated: Vec<Option<Vec<i32>>> = files
            .par_iter()
            .map(|file| {
                if searchable.is_dirty(file.path()) {
                    return None;
                }
                let rows = table.rows(file.path())?;
                (rows.len() == file.segment.chunks_of(file.ord).len())
                    .then(|| rows.cosines(&question).collect())
            })
            .collect();
        let mut cosines = Cosines::default();
        let mut n_rated = 0;
        let n_clean = files.iter().filter(|file| !searchable.is_dirty(file.path())).count();
        for (file, rated) in files.iter().zip(rated) {
            if let Some(rated) = rated {
                n_rated += 1;
                cosines.set(file.part, file.segment.chunks_of(file.ord).start, rated);
            }
        }
        let is_sparse = (n_rated as f64) < n_clean as f64 * ENOUGH;
        let warning = is_sparse.then(|| {
            format!(
                "{n_rated} of {n_clean} files have vectors of {id}; the others are judged by the built-in model \
                 ('git cora embed' makes them)"
            )
        });
        Ok((Some(cosines), warning))
    }
}

impl Asker {
    /// The vector of a query.
    fn ask(&self, embedder: &Embedder, text: &str, cancel: &Cancel) -> std::result::Result<Row, String> {
        let lock = |known: &'_ Mutex<HashMap<String, Row>>, row: Option<&Row>| {
            let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(row) = row {
                if known.len() >= REMEMBERED {
                    known.clear();
                }
                known.insert(text.to_owned(), row.clone());
            }
            known.get(text).cloned()
        };
        if let Some(row) = lock(&self.known, None) {
            return Ok(row);
        }
        let id = embedder.model().id();
        let failed_at = || self.failed_at.lock().unwrap_or_else(PoisonError::into_inner);
        if failed_at().is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(format!("{id} has failed just before"));
        }
        match embedder.embed(&[text], Purpose::Query, cancel) {
            Ok(embedded) => {
                *failed_at() = None;
                let row = embedded.rows.into_iter().next().ok_or_else(|| format!("{id} gave no vector"))?;
                lock(&self.known, Some(&row));
                Ok(row)
            }
            Err(error) => {
                *failed_at() = Some(Instant::now());
                Err(format!("{id} can't be asked: {error}"))
            }
        }
    }
}

/// The texts of chunks as they are embedded: the symbol path of the declaration that a chunk is or continues, then its
/// text. Without the path: a file that is moved is not paid for again.
struct ChunkTexts<'s> {
    searchable: &'s Searchable,
    index: &'s Index<'s>,
}

impl Texts for ChunkTexts<'_> {
    fn of(&self, path: &BStr) -> Vec<String> {
        let (Some(file), Some(text)) = (self.index.file_by_path(path), self.searchable.text(path)) else {
            return Vec::new();
        };
        file.chunks()
            .map(|chunk| {
                let symbol = chunk.declaration.map(|ord| file.segment.symbol_path(ord)).unwrap_or_default();
                let body = chunk.span.bytes.of(&text);
                if symbol.is_empty() { body.to_owned() } else { format!("{symbol}\n{body}") }
            })
            .collect()
    }
}
