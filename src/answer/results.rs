//! From a query to what is shown: makes the attempts of a plan, then reads the texts of the hits.
//!
//! Query and [`Searcher`] → [`Results`]. The module `attempts` says which searches an answer
//! takes; this one makes them, checks quoted text against the source, and gathers declarations. A
//! text is read once for an answer. Ranking and layout are elsewhere.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex};

use bstr::{BStr, BString, ByteSlice};

use super::view::{
    Commentary, Contribution, DeclarationItem, NearWord, NearbyDeclaration, RepositoryInfo, ResultItem,
    Results, counted,
};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::threads;
use crate::base::threads::lock;
use crate::index::chunk::Span;
use crate::search::query::{self, AFTER_FILES, ChunkRef, Hit, Query, QueryKind, SHOWN, SideSignals, Sources};
use crate::search::segment::{DeclarationView, Index};

use super::attempts::{Attempt, Means, Outcome, plan};
use super::label::LabelContext;
use super::relations::question::relation_answer;
use crate::base::host;
use crate::git::Repository;
use crate::search::cache::LazyCommitMessages;
use crate::search::{Error, Note, OutsideModels, Result, Searcher};

/// A thread that reads fewer texts than this takes longer to start.
const TEXTS_OF_A_THREAD: usize = 4;

/// More threads do not read the texts of one answer: others are asked for at the same time, and
/// each thread has a cache.
const TEXT_THREADS: usize = 4;

/// Which hits are kept.
type HitFilter<'k> = &'k dyn Fn(&Hit) -> bool;

/// The hits that may be in an answer.
#[derive(Clone, Copy)]
pub(crate) struct Selection<'k> {
    /// Number of best hits that are asked for, whatever files they are in.
    pub(crate) most: usize,
    pub(crate) keep: HitFilter<'k>,
}

/// Answers a query from what `searcher` holds. `revision` is what the user asked for, for the
/// record. A remote model that is asked about the query reports to `task`, and stops with it.
///
/// # Errors
/// [`Error::Query`] for filters that make no sense; [`Error::Segment`] for a damaged cache;
/// [`Error::Cancelled`].
pub fn answer(
    searcher: &Searcher,
    models: &dyn OutsideModels,
    query: &Query,
    revision: &str,
    task: Task<'_>,
) -> Result<Results> {
    answer_selected(searcher, models, query, revision, None, task)
}

/// As [`answer`], but only with the hits of a selection.
pub(crate) fn answer_selected(
    searcher: &Searcher,
    models: &dyn OutsideModels,
    query: &Query,
    revision: &str,
    selection: Option<Selection<'_>>,
    task: Task<'_>,
) -> Result<Results> {
    let repo = searcher.repo();
    let index = searcher.index();
    let texts = Texts { searcher, read: Mutex::default() };
    let mut warnings = searcher.warnings.clone();
    let cosines = models.cosines(searcher, &index, &query.text, &mut warnings, task);
    if task.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let index_notes = models.notes(searcher).unwrap_or_else(|error| {
        warnings.push(format!("the commentary can't be read: {error}"));
        None
    });
    let notes = index_notes.as_ref().map(|all| all.notes(&index));
    let history = LazyCommitMessages::new(searcher, task);
    // In a clone without all blobs the search does without sources. It would wait for a fetch, and
    // its answer would depend on what was fetched before.
    let sources: Option<&dyn Sources> = if repo.has_all_blobs() { Some(&texts) } else { None };
    let origin = repo.origin();
    let found = sources.map(|all| relation_answer(&index, &origin, all, &query.text)).transpose()?.flatten();
    warnings.extend(found.iter().flat_map(|found| found.notes.iter().cloned()));
    let beside = SideSignals {
        related: found.as_ref().map(|found| &found.related),
        cosines: cosines.as_ref(),
        notes: notes.as_ref(),
        history: Some(&history),
        sources,
        encoder: None,
    };
    let search = Search { index: &index, texts: &texts, beside, limit: query.limit, selection };
    let means = Means { most_kept: selection.map(|one| one.most), is_remote: repo.is_mirror() };
    let named = Query { repository_names: repository_names(repo, &origin), ..query.clone() };
    let outcome = search.run(&plan(&named, means), &mut warnings)?;
    if task.is_cancelled() {
        return Err(Error::Cancelled);
    }
    warnings.extend(history.warning());
    let is_wide = selection.is_some() || !outcome.answer.needs_text_check.is_empty();
    let Outcome { answer, n_found, .. } = cut(outcome, query, is_wide);
    // A text that can't be fetched is left out; the rest of the answer is shown.
    let _ = searcher.prefetch(answer.hits.iter().map(|hit| hit.path.as_bstr()));
    texts.read(answer.hits.iter());
    let is_lines = answer.query_kind == QueryKind::StackTrace;
    let n_related = found.as_ref().map_or(0, |found| found.related.chunks.len());
    let asked = LabelContext::new(&answer).with_relation(found);
    let shown = (1..).zip(answer.hits).map(|(rank, hit)| {
        let (path, chunk) = (hit.path.clone(), hit.chunk);
        let note = index_notes.as_ref().and_then(|all| all.of_chunk(&index, path.as_bstr(), chunk));
        let item = shown(&index, &texts, rank, hit, &asked);
        ResultItem { commentary: note.map(commentary), ..item }
    });
    let mut results: Vec<ResultItem> = shown.collect();
    warnings.extend(without_forged_names(searcher, &mut results)?);
    let asks_references = results.first().is_some_and(|first| first.relation.is_some());
    // Code that is merely similar is not more of what the question asks for.
    let n_listed = results.iter().filter(|item| item.relation.is_some()).count();
    let n_more = match asks_references {
        true if n_listed == results.len() => n_related.saturating_sub(n_listed),
        true => 0,
        false => n_found.saturating_sub(results.len()),
    };
    let near = answer.near.into_iter().map(|near| NearWord { word: near.word, instead: near.instead });
    Ok(Results {
        query: query.text.clone(),
        revision: revision.to_owned(),
        commit: searcher.commit(),
        worktree: searcher.is_worktree(),
        repository: repository_info(repo),
        n_dirty: searcher.n_dirty(),
        is_lines,
        near: near.collect(),
        warnings,
        n_more,
        results,
        others: Vec::new(),
        is_named: false,
        strength: answer.strength,
        asks_references,
    })
}

/// The searches of one answer.
struct Search<'a> {
    index: &'a Index<'a>,
    texts: &'a Texts<'a>,
    beside: SideSignals<'a>,
    /// Number of results that the user asks for.
    limit: usize,
    selection: Option<Selection<'a>>,
}

impl Search<'_> {
    /// Makes the attempts of a plan that are due. Returns what the last of them found.
    fn run(&self, plan: &[Attempt], warnings: &mut Vec<String>) -> Result<Outcome> {
        let mut so_far: Option<Outcome> = None;
        for (attempt, next) in plan.iter().zip(plan.iter().skip(1).map(Some).chain([None])) {
            if attempt.is_due(so_far.as_ref(), self.limit) {
                let outcome = self.attempt(attempt)?;
                let is_last = !next.is_some_and(Attempt::checks_phrases);
                warnings.extend(attempt.note(&outcome, is_last, self.limit));
                so_far = Some(outcome);
            }
        }
        so_far.ok_or(Error::Internal("a plan has an attempt"))
    }

    /// Searches once and removes the hits that are not kept or do not hold the quoted text.
    fn attempt(&self, attempt: &Attempt) -> Result<Outcome> {
        let mut answer = query::search_by(self.index, &attempt.query, self.beside)?;
        let (mut n_found, n_read) = (answer.n_candidates, answer.hits.len());
        if let Some(Selection { keep, .. }) = self.selection {
            answer.hits.retain(keep);
            n_found = answer.hits.len();
        }
        if attempt.checks_phrases() {
            self.texts.fetch(&answer.hits)?;
            self.texts.read(answer.hits.iter());
            let phrases = std::mem::take(&mut answer.needs_text_check);
            answer.hits.retain(|hit| holds_phrases(hit, self.texts.of(hit).as_deref(), &phrases));
            answer.needs_text_check = phrases;
            n_found = answer.hits.len();
        }
        Ok(Outcome { answer, n_found, n_read })
    }
}

/// Returns the names of a repository: the last part of the URL of `origin`, and the folder of the
/// work tree.
fn repository_names(repo: &Repository, origin: &str) -> Vec<String> {
    let of_origin = origin.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
    let of_folder = repo.work_dir().and_then(Path::file_name).and_then(|name| name.to_str());
    let names = [of_origin.strip_suffix(".git").unwrap_or(of_origin), of_folder.unwrap_or_default()];
    names.into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Where a repository comes from and is stored.
pub fn repository_info(repo: &Repository) -> RepositoryInfo {
    let path = repo.work_dir().unwrap_or(repo.git_dir());
    let origin = repo.origin();
    RepositoryInfo {
        // The place of the copy of a remote says nothing.
        path: if repo.is_mirror() { origin.clone() } else { path.display().to_string() },
        origin,
        host: host::name(),
    }
}

/// A note as it is shown.
pub(crate) fn commentary(note: &Note) -> Commentary {
    Commentary { text: note.text.clone(), model: note.model.clone() }
}

/// The texts of files, each read once.
struct Texts<'s> {
    searcher: &'s Searcher,
    read: Mutex<HashMap<BString, Option<Arc<str>>>>,
}

impl Texts<'_> {
    /// Fetches the texts of hits from a remote repository.
    ///
    /// # Errors
    /// Those of the fetch, if it is a mirror: without the sources nothing would be found, which is
    /// not the answer.
    fn fetch(&self, hits: &[Hit]) -> Result<()> {
        let fetched = self.searcher.prefetch(hits.iter().map(|hit| hit.path.as_bstr()));
        if self.searcher.repo().is_mirror() { fetched } else { Ok(()) }
    }

    /// Reads the texts of all hits, in parallel. Texts of a remote repository are read one by one
    /// when needed: their total is limited, and the order must not depend on threads.
    fn read<'h>(&self, hits: impl Iterator<Item = &'h Hit>) {
        if !self.searcher.is_remote() {
            let paths: BTreeSet<&BStr> = hits.map(|hit| hit.path.as_bstr()).collect();
            self.texts(&paths.into_iter().collect::<Vec<_>>());
        }
    }

    fn of(&self, hit: &Hit) -> Option<Arc<str>> {
        self.texts(&[hit.path.as_bstr()]).pop().flatten()
    }
}

impl Sources for Texts<'_> {
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>> {
        let mut read = lock(&self.read);
        let missing: Vec<&BStr> = paths.iter().copied().filter(|path| !read.contains_key(*path)).collect();
        let texts = self.searcher.texts(&missing);
        read.extend(missing.into_iter().map(ToOwned::to_owned).zip(texts));
        paths.iter().map(|path| read.get(*path).cloned().flatten()).collect()
    }
}

impl Sources for Searcher {
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>> {
        let n_threads = threads::worth(paths.len(), TEXTS_OF_A_THREAD).min(TEXT_THREADS);
        let read = |share: &[&BStr]| share.iter().map(|path| self.text(path)).collect::<Vec<_>>();
        threads::shares(paths, n_threads, read).into_iter().flatten().collect()
    }
}

/// Cuts what was found to what the query asks for: its limit and its least relevance. `is_wide`
/// says that the search was for more hits than the query asks for, from any chunk of a file.
pub(crate) fn cut(outcome: Outcome, query: &Query, is_wide: bool) -> Outcome {
    let Outcome { mut answer, mut n_found, n_read } = outcome;
    if is_wide {
        if !query.all_chunks {
            one_of_each_file_first(&mut answer.hits);
        }
        answer.hits.truncate(query.limit);
    }
    if query.min_relevance > 0.0 {
        answer.hits.retain(|hit| hit.relevance >= query.min_relevance);
        n_found = answer.hits.len();
    }
    Outcome { answer, n_found, n_read }
}

/// Puts the first hit of each file before all others, otherwise in the order that they have.
pub(crate) fn one_of_each_file_first(hits: &mut [Hit]) {
    let mut seen = HashSet::new();
    // Each document of a corpus is like a file.
    let place = |hit: &Hit| {
        let is_document = hit.language == "json-lines" && !hit.symbol.is_empty();
        (hit.path.clone(), if is_document { hit.span.start_line } else { 0 })
    };
    let is_first: HashSet<ChunkRef> =
        hits.iter().filter(|hit| seen.insert(place(hit))).map(|hit| hit.chunk).collect();
    for hit in hits.iter_mut().filter(|hit| !is_first.contains(&hit.chunk)) {
        // Only the hits of an explained query have contributions.
        hit.moved = (!hit.contributions.is_empty()).then(|| AFTER_FILES.to_owned());
    }
    hits.sort_by_key(|hit| !is_first.contains(&hit.chunk));
}

/// Whether the chunk's text holds each phrase.
pub(crate) fn holds_phrases(hit: &Hit, text: Option<&str>, phrases: &[String]) -> bool {
    let Some(text) = text.map(|text| hit.span.bytes.of(text)) else { return false };
    phrases.iter().all(|phrase| query::has_phrase(text, phrase))
}

/// Removes the names of results whose record is not the one of the source that is shown. Returns
/// the warning.
pub(crate) fn without_forged_names(
    searcher: &Searcher,
    results: &mut [ResultItem],
) -> Result<Option<String>> {
    let read = results.iter().filter(|one| one.text.is_some());
    let forged = searcher.forged(read.map(|one| one.path.as_bstr()))?;
    let Some(first) = forged.first() else { return Ok(None) };
    for one in results.iter_mut().filter(|one| forged.contains(&one.path)) {
        one.symbol.clear();
        one.declarations.clear();
        one.named = None;
        one.also.clear();
        one.relation = None;
    }
    let records = counted(forged.len(), "record does", "records do");
    Ok(Some(format!(
        "{records} not match the source (such as '{}'); their results are shown without names",
        first.to_str_lossy()
    )))
}

/// What is shown of a hit of the repository that the texts are from.
fn shown(index: &Index<'_>, texts: &Texts<'_>, rank: usize, hit: Hit, asked: &LabelContext) -> ResultItem {
    let path = hit.path.as_bstr();
    let source = HitSource {
        git_status: texts.searcher.git_status(path),
        blob: texts.searcher.blob(path),
        text: texts.of(&hit),
    };
    item(index, rank, hit, source, asked)
}

/// The source of a hit: the file that it is in.
pub(crate) struct HitSource {
    /// The state of the file in the working tree, as a word.
    pub(crate) git_status: &'static str,
    /// The blob of the file.
    pub(crate) blob: Option<ObjectId>,
    /// The text of the file; `None` if it can't be read.
    pub(crate) text: Option<Arc<str>>,
}

/// What is shown of a hit.
pub(crate) fn item(
    index: &Index<'_>,
    rank: usize,
    hit: Hit,
    source: HitSource,
    asked: &LabelContext,
) -> ResultItem {
    let HitSource { git_status, blob, text } = source;
    let span = hit.span;
    let around = around(index, hit.path.as_bstr(), &span);
    let named = asked.named(&hit, &around, text.as_deref());
    let also = text.as_deref().map(|text| also_here(index, &hit, &around, named, asked, text));
    let is_outside = text.is_some() && asked.related(&hit).is_some_and(BTreeSet::is_empty);
    let (symbol, kind) = match named.and_then(|at| around.get(at)) {
        Some(one) => (one.symbol_path(), Some(one.row.kind)),
        // The chunk is called like a neighbour of what refers to the symbol.
        None if is_outside => (String::new(), None),
        None => (hit.symbol, hit.declaration_kind),
    };
    ResultItem {
        rank,
        span,
        around: 0,
        symbol,
        kind: kind.map_or_else(|| query::chunk_kind_name(hit.chunk_kind), query::declaration_kind_name),
        language: hit.language,
        score: hit.score,
        relevance: Some(hit.relevance),
        git_status,
        blob,
        text,
        declarations: around.iter().map(declaration_item).collect(),
        lines: hit.lines,
        named,
        explanation: hit
            .contributions
            .into_iter()
            // A part that would be shown as 0 explains nothing.
            .filter(|part| part.value.abs() >= SHOWN)
            .map(|part| Contribution { part: part.part.to_owned(), value: part.value, detail: part.detail })
            .collect(),
        moved: hit.moved,
        path: hit.path,
        repository: 0,
        checkout: String::new(),
        change: None,
        relation: hit.relation,
        included: None,
        commentary: None,
        also: also.unwrap_or_default(),
        copies: hit.copies,
    }
}

/// Most declarations that are named beside a result.
const MOST_ALSO: usize = 3;

/// Other declarations of a hit's file that answer nearly as well: those of its own group first,
/// then those of other chunks.
fn also_here(
    index: &Index<'_>,
    hit: &Hit,
    around: &[DeclarationView<'_>],
    named: Option<usize>,
    asked: &LabelContext,
    text: &str,
) -> Vec<NearbyDeclaration> {
    let mut also: Vec<NearbyDeclaration> = Vec::new();
    let mut seen = match asked.related(hit) {
        None => HashSet::from([hit.symbol.clone()]),
        Some(_) => HashSet::new(),
    };
    seen.extend(named.and_then(|at| around.get(at)).map(DeclarationView::symbol_path));
    let mut add = |one: Option<&DeclarationView<'_>>| {
        let Some(one) = one.filter(|one| seen.insert(one.symbol_path())) else { return };
        let kind = query::declaration_kind_name(one.row.kind);
        also.push(NearbyDeclaration { line: one.row.name_line, symbol: one.symbol_path(), kind });
    };
    if let Some(related) = asked.related(hit) {
        for ord in related {
            add(around.iter().find(|one| one.ord == *ord));
        }
        return also;
    }
    for at in asked.others_in_group(hit, around, named, text) {
        add(around.get(at));
    }
    for other in &hit.also {
        let around = self::around(index, hit.path.as_bstr(), &other.span);
        let by_symbol = || around.iter().position(|one| one.symbol_path() == other.symbol);
        add(asked.named(other, &around, Some(text)).or_else(by_symbol).and_then(|at| around.get(at)));
    }
    also.truncate(MOST_ALSO);
    also
}

/// The declarations of a file that are in or around a span.
pub(crate) fn around<'s>(index: &Index<'s>, path: &BStr, span: &Span) -> Vec<DeclarationView<'s>> {
    let declarations = index.file_by_path(path).into_iter().flat_map(|file| file.declarations());
    let meets = |one: &DeclarationView<'_>| {
        one.row.span.bytes.start < span.bytes.end && one.row.span.bytes.end > span.bytes.start
    };
    declarations.filter(meets).collect()
}

/// The same, as views take them.
pub(crate) fn declaration_items(index: &Index<'_>, path: &BStr, span: &Span) -> Vec<DeclarationItem> {
    around(index, path, span).iter().map(declaration_item).collect()
}

fn declaration_item(one: &DeclarationView<'_>) -> DeclarationItem {
    DeclarationItem {
        name: one.name().to_owned(),
        span: one.row.span,
        name_line: one.row.name_line,
        signature: one.row.signature,
        body: one.row.body,
        doc: one.row.doc,
    }
}
