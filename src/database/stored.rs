//! Exporting a commit to a database, and answering from one.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use bstr::{BStr, BString, ByteSlice};

use super::{Export, ExportFile, ExportReport, RepositoryCandidates, Source, Store};
use crate::answer::view::{NearWord, RepositoryInfo, Results};
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::base::threads::lock;
use crate::git::{Blob, Repository, TreeEntry};
use crate::index::record::Scratch;
use crate::index::source;
use crate::search::query::{self, Query, QueryKind, SideSignals, Sources};
use crate::search::segment::{Index, Segment, SegmentBuilder};

use super::Result;
use crate::answer::LabelContext;
use crate::answer::{
    self, Attempt, HitSource, Means, Outcome, Reason, UNQUOTED_NOTE, holds_phrases, item, plan,
};
use crate::index::Indexer;
use crate::search;
use crate::search::cache::segments::{Cache, Loader, add};

/// What is exported, and how.
#[derive(Debug, Clone)]
pub struct ExportOptions {
    /// The repository's name in the database.
    pub name: String,
    /// Whether the sources go along.
    pub with_text: bool,
    /// Whether what is there of it is dropped first.
    pub fresh: bool,
}

/// Brings a database to the state of a commit, which is indexed on the way.
///
/// # Errors
/// Any [`super::Error`]; those of indexing as [`super::Error::Search`].
pub fn export(
    indexer: &Indexer,
    store: &mut Store,
    commit: ObjectId,
    options: &ExportOptions,
    task: Task<'_>,
) -> Result<ExportReport> {
    let (repo, record_options) = (indexer.repo(), indexer.options());
    let snapshot = indexer.snapshot(commit, task).map_err(search::Error::from)?;
    let cache = Cache::new(repo);
    let build = || cache.build(&snapshot, record_options, &mut Vec::new(), task);
    let base = cache.find_or_build(|| cache.exact(&snapshot), build, task)?;
    let sources = repo.tree_files(snapshot.source_tree).map_err(search::Error::from)?;
    let records = repo.tree_files_beside(snapshot.files, &sources).map_err(search::Error::from)?;
    let records: HashMap<BString, ObjectId> =
        records.into_iter().map(|entry| (entry.path, entry.id)).collect();
    let files = sources.iter().map(|file| ExportFile {
        path: file.path.as_bstr(),
        blob: file.id.to_string(),
        record: records.get(&file.path).map(ToString::to_string).unwrap_or_default(),
    });
    let export = Export {
        repository: &options.name,
        commit: commit.to_string(),
        segment: &base.segment,
        files: files.collect(),
        with_text: options.with_text,
        fresh: options.fresh,
    };
    let loader = Loader::new(repo, record_options, &snapshot)?;
    let source = StoredCommit { repo, loader, sources: &sources, records: &records };
    store.export(&export, &source, task)
}

/// A commit's files.
struct StoredCommit<'s> {
    repo: &'s Repository,
    loader: Loader<'s>,
    sources: &'s [TreeEntry],
    records: &'s HashMap<BString, ObjectId>,
}

impl Source for StoredCommit<'_> {
    fn record(&self, at: usize) -> std::result::Result<Vec<u8>, String> {
        let file = self.sources.get(at).ok_or("no such file")?;
        let loaded = self.loader.load(file, self.records.get(&file.path).copied());
        loaded.map(|loaded| loaded.bytes).map_err(|error| error.to_string())
    }

    fn text(&self, at: usize) -> Option<String> {
        match self.repo.blob(self.sources.get(at)?.id, u64::from(u32::MAX)) {
            Ok(Blob::Bytes(bytes)) => Some(source::decode(&bytes).to_string()),
            _ => None,
        }
    }
}

/// Answers a query from a database, from the repositories of these names or from all. `server` is
/// what is shown as the place.
///
/// # Errors
/// [`super::Error`]; [`super::Error::Search`] for filters that make no sense.
pub fn answer_stored(store: &mut Store, query: &Query, repositories: &[String]) -> Result<Results> {
    let means = Means { most_kept: None, is_remote: true };
    let mut last = None;
    // Each attempt searches all repositories: if one of them has the quoted text, chunks of others
    // that have only its words do not answer the query.
    for attempt in plan(query, means) {
        let found = store.find(&attempt.query, repositories)?;
        let (mut answers, mut n_found) = (Vec::new(), 0);
        for found in &found {
            let (answer, n) = answer(&mut |ids| store.texts(ids), found, query, &attempt)?;
            answers.push(answer);
            n_found += n;
        }
        last = Some((attempt.reason, found, answers));
        if n_found > 0 {
            break;
        }
    }
    let (reason, found, mut answers) = last.ok_or(search::Error::Internal("a plan has an attempt"))?;
    // Before any is left out: what one has is not missing.
    answer::share_near(&mut answers);
    // A repository without anything is searched, and not worth a word each in a database of
    // hundreds.
    let has_any = answers.iter().any(|answer| !answer.results.is_empty());
    if has_any {
        answers.retain(|answer| !answer.results.is_empty());
    } else {
        answers.truncate(1);
    }
    let mut results = answer::merge(answers, query.limit);
    if reason == Reason::Unquoted {
        results.warnings.push(UNQUOTED_NOTE.to_owned());
    }
    let ids: BTreeMap<(&str, &BStr), i64> = found
        .iter()
        .flat_map(|found| {
            found.files.iter().map(|file| ((found.repository.as_str(), file.path.as_bstr()), file.id))
        })
        .collect();
    let place = |results: &Results, at: usize| -> Option<i64> {
        let item = results.results.get(at)?;
        let repository = match item.repository.checked_sub(1) {
            None => &results.repository,
            Some(other) => &results.others.get(other)?.repository,
        };
        ids.get(&(repository.path.as_str(), item.path.as_bstr())).copied()
    };
    let wanted: Vec<Option<i64>> = (0..results.results.len()).map(|at| place(&results, at)).collect();
    let texts = store.texts(&wanted.iter().flatten().copied().collect::<Vec<_>>())?;
    let texts: HashMap<i64, Arc<str>> = texts.into_iter().map(|(id, text)| (id, Arc::from(text))).collect();
    for (item, id) in results.results.iter_mut().zip(wanted) {
        // A text that is shorter than its record says is another text.
        let text = id.and_then(|id| texts.get(&id)).filter(|text| text.len() >= item.span.bytes.end as usize);
        item.text = text.cloned();
    }
    Ok(results)
}

/// Reads the texts of files by their numbers in the database; texts that it does not have are left
/// out.
type TextReader<'r> = &'r mut (dyn FnMut(&[i64]) -> Result<HashMap<i64, String>> + Send);

/// The texts that are in the database.
struct Texts<'s> {
    read: Mutex<TextReader<'s>>,
    ids: &'s HashMap<&'s BStr, i64>,
}

impl Texts<'_> {
    fn read(&self, ids: &[i64]) -> Result<HashMap<i64, String>> {
        lock(&self.read)(ids)
    }
}

impl Sources for Texts<'_> {
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>> {
        let ids: Vec<i64> = paths.iter().filter_map(|path| self.ids.get(path).copied()).collect();
        // A text that can't be read now is read again when it is shown; that reports the error.
        let mut texts = self.read(&ids).unwrap_or_default();
        let text = |path: &&BStr| self.ids.get(*path).and_then(|id| texts.remove(id)).map(Arc::from);
        paths.iter().map(text).collect()
    }
}

/// Ranks the candidates of one repository for one attempt at a query. Returns the answer to the
/// query and the number of hits before they were cut to what it asks for.
fn answer(
    read: TextReader<'_>,
    found: &RepositoryCandidates,
    query: &Query,
    attempt: &Attempt,
) -> Result<(Results, usize)> {
    let mut builder = SegmentBuilder::new();
    let mut scratch = Scratch::default();
    let mut warnings = Vec::new();
    for file in &found.files {
        // A damaged one finds nothing; the builder can be used on.
        if let Err(error) = add(&mut builder, file.path.as_bstr(), &file.record, &mut scratch) {
            warnings.push(format!("can't search '{}' in '{}': {error}", file.path, found.repository));
        }
    }
    let segment = Segment::from_bytes(builder.into_memory()?)?;
    let index = Index::whole(&segment).of_whole(found.statistics, &found.frequencies);
    let ids: HashMap<&BStr, i64> = found.files.iter().map(|file| (file.path.as_bstr(), file.id)).collect();
    let texts = Texts { read: Mutex::new(read), ids: &ids };
    let beside = SideSignals { sources: Some(&texts), ..SideSignals::default() };
    let mut answer = query::search_by(&index, &attempt.query, beside)?;
    let (mut n_found, n_read) = (answer.n_candidates, answer.hits.len());
    if attempt.checks_phrases() {
        let of = |hit: &query::Hit| ids.get(hit.path.as_bstr()).copied();
        let texts = texts.read(&answer.hits.iter().filter_map(of).collect::<Vec<_>>())?;
        if texts.is_empty() && !answer.hits.is_empty() {
            warnings.push(format!(
                "the sources of '{}' are not in the database: only the words of quoted text were \
                compared",
                found.repository
            ));
        } else {
            let text = |hit: &query::Hit| of(hit).and_then(|id| texts.get(&id)).map(String::as_str);
            answer.hits.retain(|hit| holds_phrases(hit, text(hit), &answer.needs_text_check));
        }
        n_found = answer.hits.len();
    }
    let n_before = n_found;
    let outcome = answer::cut(Outcome { answer, n_found, n_read }, query, attempt.checks_phrases());
    let Outcome { answer, n_found, .. } = outcome;
    if found.is_changing {
        warnings.push(format!(
            "another commit of '{}' is being exported; this answer may mix both",
            found.repository
        ));
    }
    let is_lines = answer.query_kind == QueryKind::StackTrace;
    let asked = LabelContext::new(&answer);
    let blobs: HashMap<&BStr, &str> =
        found.files.iter().map(|file| (file.path.as_bstr(), file.blob.as_str())).collect();
    let results: Vec<_> = (1..)
        .zip(answer.hits)
        .map(|(rank, hit)| {
            let blob = blobs.get(hit.path.as_bstr()).and_then(|blob| blob.parse().ok());
            let source = HitSource { git_status: "unmodified", blob, text: None };
            item(&index, rank, hit, source, &asked)
        })
        .collect();
    let n_more = n_found.saturating_sub(results.len());
    let asks_references = results.first().is_some_and(|first| first.relation.is_some());
    let results = Results {
        query: query.text.clone(),
        revision: found.commit.clone(),
        commit: found.commit.parse().ok(),
        worktree: false,
        repository: RepositoryInfo {
            origin: found.repository.clone(),
            path: found.repository.clone(),
            host: String::new(),
        },
        n_dirty: 0,
        is_lines,
        near: answer
            .near
            .into_iter()
            .map(|near| NearWord { word: near.word, instead: near.instead })
            .collect(),
        warnings,
        results,
        n_more,
        others: Vec::new(),
        is_named: false,
        strength: answer.strength,
        asks_references,
    };
    Ok((results, n_before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::search::FoundFile;
    use crate::search::segment::samples;

    const SOURCES: [(&str, &str); 3] = [
        (
            "net/retry.py",
            "def retry_upload(socket):\n    \"\"\"Retries an upload.\"\"\"\n    return socket.send()\n",
        ),
        ("net/socket.py", "def open_socket(address):\n    return upload(address)\n"),
        ("disk/cache.py", "def evict(cache):\n    return cache.drop('retry the upload')\n"),
    ];

    /// What the database would find in a repository of these sources.
    fn candidates() -> RepositoryCandidates {
        let whole = samples::sources(&SOURCES);
        let mut files: Vec<FoundFile> = (1..)
            .zip(SOURCES)
            .map(|(id, (path, text))| {
                let (path, record) = (BString::from(path), samples::source_record(path, text));
                FoundFile { id, path, blob: "0".repeat(40), record }
            })
            .collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        RepositoryCandidates {
            repository: "one".to_owned(),
            commit: "0".repeat(40),
            is_changing: false,
            statistics: *Index::whole(&whole).statistics(),
            frequencies: HashMap::new(),
            files,
        }
    }

    fn answered(query: &Query, attempt: usize) -> (Results, usize) {
        let texts = |ids: &[i64]| -> Result<HashMap<i64, String>> {
            let text = |id: &i64| Some((*id, SOURCES.get(usize::try_from(id - 1).ok()?)?.1.to_owned()));
            Ok(ids.iter().filter_map(text).collect())
        };
        let plan = plan(query, Means { most_kept: None, is_remote: true });
        answer(&mut { texts }, &candidates(), query, &plan[attempt]).unwrap()
    }

    fn paths(results: &Results) -> Vec<String> {
        results.results.iter().map(|one| one.path.to_string()).collect()
    }

    #[test]
    fn results_below_the_least_relevance_are_left_out() {
        let (all, _) = answered(&Query::new("retry an upload"), 0);
        let relevance: Vec<f64> = all.results.iter().filter_map(|one| one.relevance).collect();
        let (most, least) = (relevance[0], *relevance.last().unwrap());
        assert!(relevance.len() > 1 && most > least, "{relevance:?}");
        let (some, n_found) = answered(&Query::new("retry an upload").with_min_relevance(most), 0);
        assert_eq!(paths(&some), paths(&all)[..1]);
        assert_eq!((some.n_more, n_found >= all.results.len()), (0, true));
    }

    #[test]
    fn quoted_text_is_compared_and_its_words_are_searched_if_no_file_has_it() {
        let query = Query::new("evict \"retry the upload\"");
        assert_eq!(paths(&answered(&query, 0).0), ["disk/cache.py"]);
        let query = Query::new("retry \"the socket upload\"");
        let (none, n_found) = answered(&query, 0);
        assert_eq!((paths(&none), n_found), (vec![], 0));
        assert!(paths(&answered(&query, 1).0).contains(&"net/retry.py".to_owned()));
    }
}
