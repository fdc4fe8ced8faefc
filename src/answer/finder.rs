//! The source of evidence for a question: queries, and references of opened places.

use std::cell::{OnceCell, RefCell};

use bstr::ByteSlice;

use super::ask::{self, EvidenceSource};
use super::view::ResultItem;
use crate::base::progress::{Cancel, NoProgress, Task};
use crate::base::text::named_path;
use crate::index::Indexer;
use crate::search::query::{Filters, Pathspec, Query, admits, chunk_kind_name, declaration_kind_name};

use super::neighbours::{Neighbour, related};
use super::results::answer;
use super::results::declaration_items;
use crate::search::{Error, OutsideModels, Searcher};

/// Finds evidence in one repository at one revision.
pub struct Finder<'s> {
    indexer: &'s Indexer,
    searcher: &'s Searcher,
    /// Replaces `searcher` once its cached segment turned out damaged.
    repaired: OnceCell<Searcher>,
    models: &'s dyn OutsideModels,
    revision: String,
    filters: Filters,
    cancel: Cancel,
    warnings: RefCell<Vec<String>>,
}

impl<'s> Finder<'s> {
    /// Finds evidence in `searcher`, among the files that the filters admit. `revision` is what the
    /// user wrote.
    pub fn new(
        indexer: &'s Indexer,
        searcher: &'s Searcher,
        models: &'s dyn OutsideModels,
        revision: &str,
        filters: Filters,
        cancel: &Cancel,
    ) -> Self {
        Self {
            indexer,
            searcher,
            repaired: OnceCell::new(),
            models,
            revision: revision.to_owned(),
            filters,
            cancel: cancel.clone(),
            warnings: RefCell::default(),
        }
    }
}

impl Finder<'_> {
    /// Warnings of queries, each once.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.borrow().clone()
    }

    /// Returns what is searched from now on.
    fn searcher(&self) -> &Searcher {
        self.repaired.get().unwrap_or(self.searcher)
    }

    fn read<T>(&self, read: impl Fn(&Searcher) -> Result<T, Error>) -> ask::Result<T> {
        let task = Task::new(&NoProgress, &self.cancel);
        let (value, repaired) =
            self.searcher().with_repair(self.indexer, task, read, |error| Some(error)).map_err(failed)?;
        if let Some(repaired) = repaired {
            let _ = self.repaired.set(repaired);
        }
        Ok(value)
    }

    fn search(&self, query: &Query) -> ask::Result<Vec<ResultItem>> {
        let task = Task::new(&NoProgress, &self.cancel);
        let results = self.read(|one| answer(one, self.models, query, &self.revision, task))?;
        let mut warnings = self.warnings.borrow_mut();
        for warning in results.warnings {
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        Ok(results.results)
    }

    /// The chunk of a neighbour, as a result.
    fn item(&self, neighbour: &Neighbour) -> Option<ResultItem> {
        let (index, path) = (self.searcher().index(), named_path(&neighbour.place.path));
        let file = index.file_by_path(path.as_bstr())?;
        let line = neighbour.place.line;
        let chunk =
            file.chunks().find(|chunk| (chunk.span.start_line..=chunk.span.end_line).contains(&line))?;
        let declaration = chunk.declaration.and_then(|ord| Some((ord, file.segment.declaration(ord)?)));
        Some(ResultItem {
            rank: 0,
            path: path.clone(),
            span: chunk.span,
            around: 0,
            symbol: declaration.map(|(ord, _)| file.segment.symbol_path(ord)).unwrap_or_default(),
            kind: declaration.map_or(chunk_kind_name(chunk.kind), |(_, row)| declaration_kind_name(row.kind)),
            language: file.language().to_owned(),
            score: 0.0,
            relevance: None,
            git_status: self.searcher().git_status(path.as_bstr()),
            blob: self.searcher().blob(path.as_bstr()),
            text: self.searcher().text(path.as_bstr()),
            declarations: declaration_items(&index, path.as_bstr(), &chunk.span),
            lines: Vec::new(),
            named: None,
            explanation: Vec::new(),
            moved: None,
            repository: 0,
            checkout: String::new(),
            change: None,
            relation: Some(neighbour.relation.clone()),
            included: None,
            commentary: None,
            also: Vec::new(),
            copies: Vec::new(),
        })
    }
}

fn failed(error: Error) -> ask::Error {
    match error {
        Error::Cancelled => ask::Error::Cancelled,
        other => ask::Error::Retrieve(Box::new(other)),
    }
}

impl EvidenceSource for Finder<'_> {
    /// Alternates between the best of each file and the best of all: the former find where to look,
    /// the latter what else is there.
    fn find(&self, query: &str, limit: usize) -> ask::Result<Vec<ResultItem>> {
        let query = Query { limit, filters: self.filters.clone(), also: false, ..Query::new(query) };
        let by_file = self.search(&query)?;
        let by_chunk = self.search(&Query { all_chunks: true, ..query })?;
        let mut found: Vec<ResultItem> = Vec::new();
        let (mut a, mut b) = (by_file.into_iter(), by_chunk.into_iter());
        loop {
            let both = [a.next(), b.next()];
            if both.iter().all(Option::is_none) {
                break;
            }
            for item in both.into_iter().flatten() {
                if !found.iter().any(|known| known.path == item.path && known.span == item.span) {
                    found.push(item);
                }
            }
        }
        found.truncate(limit);
        Ok(found)
    }

    fn related(&self, to: &ResultItem, limit: usize) -> ask::Result<Vec<ResultItem>> {
        let related = self.read(|one| related(&[one], 0, to.path.as_bstr(), to.span.start_line, limit))?;
        let Some(related) = related else { return Ok(Vec::new()) };
        // Filters by kind and language apply to the search, not to its references.
        let specs =
            self.filters.paths.iter().map(|spec| Pathspec::parse(spec)).collect::<Result<Vec<_>, _>>();
        let specs = specs.map_err(|error| failed(error.into()))?;
        let found = related.items.iter().filter(|one| !one.test).filter_map(|one| self.item(one));
        Ok(found.filter(|item| admits(&specs, item.path.as_bstr())).collect())
    }
}
