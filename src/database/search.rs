//! Searching: query → candidate files, and the statistics of their repositories for ranking.
//!
//! The database finds chunks in two ways: by the query's rarest words, weighted by rarity, and by
//! the vector. Without filters the vector search uses the graph; with filters it compares all
//! chunks that they admit. The files of the best chunks are returned with their records. Each
//! repository comes with its statistics and the document frequencies of the query's words. So
//! ranking computes the scores that it would compute with the whole repository.
//!
//! Must not: rank.

use std::collections::{BTreeMap, HashMap, HashSet};

use bstr::{BString, ByteSlice};
use postgres::types::ToSql;

use crate::base::text::unquoted;
use crate::index::embed::DIMENSIONS;
use crate::index::record::limits;
use crate::search::query::{ParsedQuery, Pathspec, Query, admits, parse};
use crate::search::segment::{N_FIELDS, Statistics, VectorSums};

use super::{Error, Result, Store, failed, lexeme, vector_text};

/// Most words of a query that are searched: those with the largest weights.
const WORDS: usize = 24;
/// Words after the third are dropped if their occurrences in chunks would add up to more than this.
const MATCHES: u64 = 40_000;
/// Most chunks found by words, and most found by vectors.
const CHUNKS: i64 = 400;
/// Most files whose records are fetched.
const FILES: usize = 300;
/// Most files taken for each path that the query names.
const NAMED: i64 = 20;
/// Number of candidates in the graph search; more candidates miss fewer of the nearest chunks.
const EF_SEARCH: &str = "SET LOCAL hnsw.ef_search = 400";

/// The candidates of one repository.
#[derive(Debug)]
pub struct RepositoryCandidates {
    /// The repository's name.
    pub repository: String,
    /// The commit that is searched.
    pub commit: String,
    /// Whether an export of another commit is under way or was interrupted.
    pub is_changing: bool,
    /// Statistics of the whole repository.
    pub statistics: Statistics,
    /// Document frequencies: the number of the repository's chunks with each word of the query.
    pub frequencies: HashMap<String, u64>,
    /// Candidate files, in bytewise order of their paths.
    pub files: Vec<FoundFile>,
}

/// A candidate file.
#[derive(Debug)]
pub struct FoundFile {
    /// The file's number in the database.
    pub id: i64,
    /// The file's path.
    pub path: BString,
    /// The id of its blob.
    pub blob: String,
    /// The bytes of its record.
    pub record: Vec<u8>,
}

struct Repository {
    id: i32,
    name: String,
    commit: String,
    is_changing: bool,
    statistics: Statistics,
}

impl Store {
    /// Finds candidate files in the repositories of these names, or in all if `names` is empty.
    ///
    /// The last part of a name is enough. The result includes repositories without a candidate.
    ///
    /// # Errors
    /// [`Error::Empty`], [`Error::NoRepository`], [`Error::Version`], [`Error::Database`],
    /// [`Error::Damaged`].
    pub fn find(&mut self, query: &Query, names: &[String]) -> Result<Vec<RepositoryCandidates>> {
        if !self.is_prepared()? {
            return Err(Error::Empty);
        }
        let repositories = self.repositories(names)?;
        let ids: Vec<i32> = repositories.iter().map(|one| one.id).collect();
        let parsed = parse(&query.text);
        let frequencies = self.frequencies(&parsed, &ids)?;
        let files = self.candidates(query, &parsed, names.is_empty(), &repositories, &frequencies)?;
        let mut by_repository = self.records(&files)?;
        let mut frequencies = frequencies;
        let found = repositories.into_iter().map(|one| {
            let mut files = by_repository.remove(&one.id).unwrap_or_default();
            files.sort_by(|a, b| a.path.cmp(&b.path));
            RepositoryCandidates {
                repository: one.name,
                commit: one.commit,
                is_changing: one.is_changing,
                statistics: one.statistics,
                frequencies: frequencies.remove(&one.id).unwrap_or_default(),
                files,
            }
        });
        Ok(found.collect())
    }

    /// Returns the texts of files by their numbers, except of files exported without text.
    ///
    /// # Errors
    /// [`Error::Database`].
    pub fn texts(&mut self, ids: &[i64]) -> Result<HashMap<i64, String>> {
        let rows = self
            .client
            .query("SELECT id, text FROM cora.file WHERE id = ANY($1) AND text IS NOT NULL", &[&ids])
            .map_err(failed("read"))?;
        rows.iter()
            .map(|row| Ok((row.try_get(0).map_err(failed("read"))?, row.try_get(1).map_err(failed("read"))?)))
            .collect()
    }

    fn repositories(&mut self, names: &[String]) -> Result<Vec<Repository>> {
        let rows = self
            .client
            .query(
                "SELECT id, name, commit, target IS NOT NULL, n_chunks, total_lengths, vector_sums FROM cora.repository \
                 WHERE commit IS NOT NULL ORDER BY name",
                &[],
            )
            .map_err(failed("read"))?;
        let mut all = Vec::new();
        for row in rows {
            let damaged = |why: &str| Error::Damaged { table: "repository", why: why.to_owned() };
            let n_chunks: i64 = row.try_get(4).map_err(failed("read"))?;
            let lengths: Vec<i64> = row.try_get(5).map_err(failed("read"))?;
            let sums: Vec<i64> = row.try_get(6).map_err(failed("read"))?;
            let lengths: Vec<u64> = lengths.into_iter().map(|n| u64::try_from(n).unwrap_or(0)).collect();
            let total_lengths: [u64; N_FIELDS] =
                lengths.try_into().map_err(|_| damaged("wrong number of fields"))?;
            let sums: [i64; DIMENSIONS] =
                sums.try_into().map_err(|_| damaged("wrong number of dimensions"))?;
            let statistics = Statistics {
                n_chunks: u64::try_from(n_chunks).unwrap_or(0),
                total_lengths,
                vector_sums: VectorSums(sums),
            };
            all.push(Repository {
                id: row.try_get(0).map_err(failed("read"))?,
                name: row.try_get(1).map_err(failed("read"))?,
                commit: row.try_get(2).map_err(failed("read"))?,
                is_changing: row.try_get(3).map_err(failed("read"))?,
                statistics,
            });
        }
        let fits = |one: &Repository, name: &String| {
            one.name == *name
                || one
                    .name
                    .trim_end_matches(".git")
                    .strip_suffix(name.as_str())
                    .is_some_and(|head| head.ends_with(['/', ':']))
        };
        if let Some(name) = names.iter().find(|name| !all.iter().any(|one| fits(one, name))) {
            let known = all.into_iter().map(|one| one.name).collect();
            return Err(Error::NoRepository { name: name.clone(), known });
        }
        if !names.is_empty() {
            all.retain(|one| names.iter().any(|name| fits(one, name)));
        }
        if all.is_empty() { Err(Error::Empty) } else { Ok(all) }
    }

    /// Returns the document frequencies of the query's words, by repository.
    fn frequencies(
        &mut self,
        parsed: &ParsedQuery,
        ids: &[i32],
    ) -> Result<BTreeMap<i32, HashMap<String, u64>>> {
        let terms: Vec<&str> = parsed.terms.iter().map(|term| term.term.as_str()).collect();
        let rows = self
            .client
            .query(
                "SELECT repository_id, term, n_chunks FROM cora.term WHERE term = ANY($1) AND repository_id = ANY($2)",
                &[&terms, &ids],
            )
            .map_err(failed("look up words"))?;
        let mut found: BTreeMap<i32, HashMap<String, u64>> = BTreeMap::new();
        for row in rows {
            let n: i32 = row.try_get(2).map_err(failed("read"))?;
            let of = found.entry(row.try_get(0).map_err(failed("read"))?).or_default();
            of.insert(row.try_get(1).map_err(failed("read"))?, u64::try_from(n).unwrap_or(0));
        }
        Ok(found)
    }

    /// Returns the files of the best chunks, best first.
    fn candidates(
        &mut self,
        query: &Query,
        parsed: &ParsedQuery,
        is_everywhere: bool,
        repositories: &[Repository],
        frequencies: &BTreeMap<i32, HashMap<String, u64>>,
    ) -> Result<Vec<i64>> {
        let ids: Vec<i32> = repositories.iter().map(|one| one.id).collect();
        let admitted = self.admitted(query, parsed, &ids)?;
        let n_chunks: u64 = repositories.iter().map(|one| one.statistics.n_chunks).sum();
        let words = telling_words(parsed, frequencies, n_chunks);
        let mut transaction = self.client.transaction().map_err(failed("read"))?;
        let mut lists: Vec<Vec<i64>> = Vec::new();
        let scope = "repository_id = ANY($1) AND ($2::bigint[] IS NULL OR file_id = ANY($2))";
        for named in &parsed.paths {
            let tail = named.path.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            let rows = transaction
                .query(
                    "SELECT id FROM cora.file WHERE repository_id = ANY($1) AND ($2::bigint[] IS NULL OR id = ANY($2)) \
                     AND (path = $3 OR path LIKE $4) ORDER BY length(path), path LIMIT $5",
                    &[&ids, &admitted, &named.path, &format!("%/{tail}"), &NAMED],
                )
                .map_err(failed("search by path"))?;
            lists.push(column(&rows)?);
        }
        if !words.is_empty() {
            // Two parameters a word: anywhere, and in a name. So only the number of words changes
            // the statement.
            let mut sums = Vec::new();
            let (mut any, mut values): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
            let weights: Vec<f64> = words.iter().map(|(_, weight)| *weight).collect();
            for (at, (term, _)) in words.iter().enumerate() {
                any.push(lexeme(term));
                values.push(lexeme(term));
                values.push(format!("{}:A", lexeme(term)));
                let (plain, named) = (2 * at + 6, 2 * at + 7);
                sums.push(format!(
                    "CASE WHEN terms @@ ${plain}::text::tsquery THEN ($3::float8[])[{}] ELSE 0 END \
                     + CASE WHEN terms @@ ${named}::text::tsquery THEN ($3::float8[])[{}] ELSE 0 END",
                    at + 1,
                    at + 1
                ));
            }
            let statement = format!(
                "SELECT file_id FROM cora.chunk WHERE terms @@ $4::text::tsquery AND {scope} \
                 ORDER BY {} DESC, file_id, ord LIMIT $5",
                sums.join(" + ")
            );
            let any = any.join(" | ");
            let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&ids, &admitted, &weights, &any, &CHUNKS];
            parameters.extend(values.iter().map(|value| value as &(dyn ToSql + Sync)));
            let rows = transaction.query(&statement, &parameters).map_err(failed("search by words"))?;
            lists.push(column(&rows)?);
        }
        if !parsed.question.is_zero() {
            transaction.batch_execute(EF_SEARCH).map_err(failed("search by vectors"))?;
            // The graph supports no filters. `+ 0` keeps it out, so that all admitted chunks are
            // compared.
            let order = if is_everywhere && admitted.is_none() { "" } else { " + 0" };
            let statement = format!(
                "SELECT file_id FROM cora.chunk WHERE {scope} ORDER BY (embedding <#> $3::text::vector){order} LIMIT $4"
            );
            let question = vector_text(&parsed.question.vector);
            let plain = "SELECT file_id FROM cora.chunk ORDER BY embedding <#> $1::text::vector LIMIT $2";
            let rows = match order {
                "" => transaction.query(plain, &[&question, &CHUNKS]),
                _ => transaction.query(&statement, &[&ids, &admitted, &question, &CHUNKS]),
            };
            lists.push(column(&rows.map_err(failed("search by vectors"))?)?);
        }
        transaction.commit().map_err(failed("read"))?;
        Ok(interleaved(&lists, FILES))
    }

    /// Returns the files that the filters admit; `None` without filters.
    fn admitted(&mut self, query: &Query, parsed: &ParsedQuery, ids: &[i32]) -> Result<Option<Vec<i64>>> {
        let specs: Vec<&String> = query.filters.paths.iter().chain(&parsed.filters.paths).collect();
        let languages: Vec<&String> =
            query.filters.languages.iter().chain(&parsed.filters.languages).collect();
        if specs.is_empty() && languages.is_empty() {
            return Ok(None);
        }
        // An invalid pathspec is ignored here: the ranking reports it.
        let specs: Vec<Pathspec> = specs.into_iter().filter_map(|spec| Pathspec::parse(spec).ok()).collect();
        let rows = self
            .client
            .query("SELECT id, path, language FROM cora.file WHERE repository_id = ANY($1)", &[&ids])
            .map_err(failed("read"))?;
        let mut admitted = Vec::new();
        for row in rows {
            let path: String = row.try_get(1).map_err(failed("read"))?;
            let language: String = row.try_get(2).map_err(failed("read"))?;
            let is_known =
                languages.is_empty() || languages.iter().any(|one| one.eq_ignore_ascii_case(&language));
            let path = unquoted(&path).unwrap_or_default();
            if is_known && (specs.is_empty() || admits(&specs, path.as_bstr())) {
                admitted.push(row.try_get(0).map_err(failed("read"))?);
            }
        }
        Ok(Some(admitted))
    }

    /// Returns files with their records, by repository.
    fn records(&mut self, files: &[i64]) -> Result<HashMap<i32, Vec<FoundFile>>> {
        let rows = self
            .client
            .query(
                "SELECT id, repository_id, path, blob, record FROM cora.file WHERE id = ANY($1) AND length(record) <= $2",
                &[&files, &i32::try_from(limits::RECORD_BYTES).unwrap_or(i32::MAX)],
            )
            .map_err(failed("read"))?;
        let mut found: HashMap<i32, Vec<FoundFile>> = HashMap::new();
        for row in rows {
            let path: String = row.try_get(2).map_err(failed("read"))?;
            let path = unquoted(&path)
                .ok_or_else(|| Error::Damaged { table: "file", why: "a path has invalid quotes".into() })?;
            found.entry(row.try_get(1).map_err(failed("read"))?).or_default().push(FoundFile {
                id: row.try_get(0).map_err(failed("read"))?,
                path,
                blob: row.try_get(3).map_err(failed("read"))?,
                record: row.try_get(4).map_err(failed("read"))?,
            });
        }
        Ok(found)
    }
}

/// Returns the query's most informative words with their weights, largest weight first.
///
/// Stops before the words together occur in too many chunks.
fn telling_words<'q>(
    parsed: &'q ParsedQuery,
    frequencies: &BTreeMap<i32, HashMap<String, u64>>,
    n_chunks: u64,
) -> Vec<(&'q str, f64)> {
    let mut words: Vec<(&str, f64, u64)> = Vec::new();
    for term in &parsed.terms {
        let df: u64 = frequencies.values().filter_map(|of| of.get(&term.term)).sum();
        if df > 0 {
            let idf = (1.0 + (n_chunks.saturating_sub(df) as f64 + 0.5) / (df as f64 + 0.5)).ln();
            words.push((&term.term, f64::from(term.weight) * idf, df));
        }
    }
    words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    let mut total = 0;
    let mut taken = Vec::new();
    for (term, weight, df) in words.into_iter().take(WORDS) {
        total += df;
        if taken.len() >= 3 && total > MATCHES {
            break;
        }
        taken.push((term, weight));
    }
    taken
}

/// Returns the first column of all rows.
fn column(rows: &[postgres::Row]) -> Result<Vec<i64>> {
    rows.iter().map(|row| row.try_get(0).map_err(failed("read"))).collect()
}

/// Takes the first of each list, then the second of each, and so on, without duplicates, at most
/// `most`.
fn interleaved(lists: &[Vec<i64>], most: usize) -> Vec<i64> {
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..longest {
        for id in lists.iter().filter_map(|list| list.get(at)) {
            if out.len() < most && seen.insert(*id) {
                out.push(*id);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_mixed_and_bounded() {
        assert_eq!(interleaved(&[vec![1, 2, 3], vec![2, 4], vec![]], 10), [1, 2, 4, 3]);
        assert_eq!(interleaved(&[vec![1, 2, 3]], 2), [1, 2]);
    }

    #[test]
    fn rare_words_go_first_and_common_ones_are_left_out() {
        let parsed = parse("where does the frobnicator read buffers and streams");
        let n = |word: &str| match word {
            w if w.starts_with("frob") => 3,
            "read" => 90_000,
            _ => 30_000,
        };
        let of = parsed.terms.iter().map(|term| (term.term.clone(), n(&term.term))).collect();
        let words = telling_words(&parsed, &BTreeMap::from([(1, of)]), 100_000);
        assert!(words[0].0.starts_with("frob"), "{words:?}");
        assert!(!words.iter().any(|(word, _)| *word == "read"), "{words:?}");
        // Three words are searched, however common they are, and further ones up to the limit.
        for (n, expected) in [(10_000, 4), (10_001, 3), (90_000, 3)] {
            let parsed = parse("alpha beta gamma delta epsilon");
            let of = parsed.terms.iter().map(|term| (term.term.clone(), n)).collect();
            let words = telling_words(&parsed, &BTreeMap::from([(1, of)]), 100_000);
            assert_eq!(words.len(), expected, "{n}: {words:?}");
        }
    }
}
