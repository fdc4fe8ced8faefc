//! Exporting: the index of a commit → rows, as far as they differ from those in the database.
//!
//! A file's rows are a function of its path, its blob and its record, so comparing these three
//! tells which files to write. Files are replaced in batches, each in its own transaction. The
//! repository's row names the commit only once all files are written. An interrupted export
//! continues where it stopped: the files that it wrote no longer differ.
//!
//! Must not: read Git. The contents of files come from a [`Source`].

use std::collections::{HashMap, HashSet};
use std::io::Write as _;

use bstr::BStr;
use postgres::types::ToSql;
use sha2::{Digest, Sha256};

use crate::base::progress::{Progress, Task};
use crate::base::text::quoted;
use crate::search::query::{chunk_kind_name, declaration_kind_name};
use crate::search::segment::{Field, Index, Segment};

use super::{Error, Result, Store, failed, lexeme, vector_text};

/// Most files in a batch.
const FILES: usize = 400;
/// Most bytes of text in a batch, approximately.
const BYTES: usize = 16 << 20;
/// Most terms (or paths to remove) in one statement.
const TERMS: usize = 20_000;
/// Up to this many new chunks, the indexes of vectors and words are updated row by row.
const FEW: usize = 2_000;
/// With more new chunks, the indexes are rebuilt unless the database has this many times as many.
///
/// Adding a chunk to the graph takes some milliseconds. Building the graph at the end takes a tenth
/// of that for each chunk, old or new.
const MANY_TIMES: i64 = 9;

/// A commit to export.
#[derive(Debug)]
pub struct Export<'e> {
    /// The repository's name in the database.
    pub repository: &'e str,
    /// The commit's id.
    pub commit: String,
    /// The segment with everything that is searched of the commit.
    pub segment: &'e Segment,
    /// The commit's files, in bytewise order of their paths.
    pub files: Vec<ExportFile<'e>>,
    /// Whether to store the source texts.
    pub with_text: bool,
    /// Whether to delete the repository's rows first.
    pub fresh: bool,
}

/// A file to export.
#[derive(Debug, Clone)]
pub struct ExportFile<'e> {
    /// The file's path.
    pub path: &'e BStr,
    /// The id of its blob.
    pub blob: String,
    /// The id of its record.
    pub record: String,
}

/// A source of the contents of files.
pub trait Source {
    /// Returns the record of the file at this position in [`Export::files`].
    ///
    /// # Errors
    /// Says what went wrong, in words.
    fn record(&self, at: usize) -> std::result::Result<Vec<u8>, String>;

    /// Returns the text of the file at this position; `None` if it can't be read.
    fn text(&self, at: usize) -> Option<String>;
}

/// The outcome of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// Number of files that were up to date.
    pub n_same: usize,
    /// Number of files written.
    pub n_written: usize,
    /// Number of chunks in the files written.
    pub n_chunks: usize,
    /// Number of files removed.
    pub n_removed: usize,
    /// Number of terms whose document frequency changed.
    pub n_terms: usize,
}

/// One run of an export into the database.
#[derive(Clone, Copy)]
struct ExportRun<'e> {
    /// The id of the repository in the database.
    repository: i32,
    export: &'e Export<'e>,
    source: &'e dyn Source,
    task: Task<'e>,
}

/// A file whose rows must be written.
#[derive(Debug, Clone, Copy)]
struct ChangedFile {
    /// Its position in [`Export::files`].
    at: usize,
    /// Its ordinal in the segment.
    ord: u32,
}

/// Terms with their fields, by chunk of the changed files.
type Terms<'t> = HashMap<u32, Vec<(&'t str, u8)>>;

impl Store {
    /// Brings the database to the state of a commit.
    ///
    /// # Errors
    /// [`Error::Database`], [`Error::NoVectors`], [`Error::Version`], [`Error::Busy`],
    /// [`Error::Source`], [`Error::Cancelled`]. After any of them, the next export continues from
    /// the rows already written.
    pub fn export(
        &mut self,
        export: &Export<'_>,
        source: &dyn Source,
        task: Task<'_>,
    ) -> Result<ExportReport> {
        self.prepare()?;
        let locked = self
            .client
            .query_one(
                "SELECT pg_try_advisory_lock(hashtextextended('git-cora ' || $1::text, 0))",
                &[&export.repository],
            )
            .map_err(failed("lock the repository"))?;
        if !locked.try_get::<_, bool>(0).map_err(failed("lock the repository"))? {
            return Err(Error::Busy(export.repository.to_owned()));
        }
        // No unlock: the lock ends with the connection.
        if export.fresh {
            self.client
                .execute("DELETE FROM cora.repository WHERE name = $1", &[&export.repository])
                .map_err(failed("remove a repository"))?;
        }
        let (id, commit) = self.repository(export.repository)?;
        let there = self.files_there(id)?;
        let mut report = ExportReport::default();
        let mut wanted: HashSet<String> = HashSet::new();
        let mut changed = Vec::new();
        for (at, file) in export.files.iter().enumerate() {
            let Some(ord) = export.segment.file_by_path(file.path) else { continue };
            if export.segment.file(ord).is_none_or(|row| row.flags.is_skipped()) {
                continue;
            }
            let path = quoted(file.path).into_owned();
            let is_same = there.get(&path).is_some_and(|(blob, record, has_text)| {
                *blob == file.blob && *record == file.record && (*has_text || !export.with_text)
            });
            if is_same {
                report.n_same += 1;
            } else {
                changed.push(ChangedFile { at, ord });
            }
            wanted.insert(path);
        }
        let gone: Vec<String> = there.into_keys().filter(|path| !wanted.contains(path)).collect();
        if changed.is_empty() && gone.is_empty() && commit.as_ref() == Some(&export.commit) {
            self.index_tables(task.progress)?;
            return Ok(report);
        }
        self.client
            .execute("UPDATE cora.repository SET target = $2 WHERE id = $1", &[&id, &export.commit])
            .map_err(failed("write"))?;
        for batch in gone.chunks(TERMS) {
            report.n_removed += usize::try_from(self.remove(id, batch)?).unwrap_or(0);
        }
        let run = ExportRun { repository: id, export, source, task };
        self.write_files(run, &changed, &mut report)?;
        report.n_terms = self.finish(id, export, task)?;
        self.index_tables(task.progress)?;
        Ok(report)
    }

    /// Returns the id of a repository, and the commit that is completely exported; adds its row if
    /// missing.
    fn repository(&mut self, name: &str) -> Result<(i32, Option<String>)> {
        self.client
            .execute("INSERT INTO cora.repository (name) VALUES ($1) ON CONFLICT (name) DO NOTHING", &[&name])
            .map_err(failed("write"))?;
        let row = self
            .client
            .query_one("SELECT id, commit FROM cora.repository WHERE name = $1", &[&name])
            .map_err(failed("read"))?;
        Ok((row.try_get(0).map_err(failed("read"))?, row.try_get(1).map_err(failed("read"))?))
    }

    /// Returns, by path, the blob, the record, and whether there is text.
    fn files_there(&mut self, repository: i32) -> Result<HashMap<String, (String, String, bool)>> {
        let rows = self
            .client
            .query(
                "SELECT path, blob, record_id, text IS NOT NULL FROM cora.file WHERE repository_id = $1",
                &[&repository],
            )
            .map_err(failed("read"))?;
        let mut there = HashMap::with_capacity(rows.len());
        for row in rows {
            let text = |at: usize| row.try_get::<_, String>(at).map_err(failed("read"));
            there.insert(text(0)?, (text(1)?, text(2)?, row.try_get(3).map_err(failed("read"))?));
        }
        Ok(there)
    }

    fn remove(&mut self, repository: i32, paths: &[String]) -> Result<u64> {
        self.client
            .execute(
                "DELETE FROM cora.file WHERE repository_id = $1 AND path = ANY($2)",
                &[&repository, &paths],
            )
            .map_err(failed("remove files"))
    }

    /// Writes the rows of changed files.
    fn write_files(
        &mut self,
        run: ExportRun<'_>,
        changed: &[ChangedFile],
        report: &mut ExportReport,
    ) -> Result<()> {
        if changed.is_empty() {
            return Ok(());
        }
        let (segment, progress) = (run.export.segment, run.task.progress);
        let names = segment.term_names().map_err(|error| Error::Source(error.to_string()))?;
        let terms = terms(segment, changed, &names)?;
        let there = self
            .client
            .query_one("SELECT coalesce(sum(n_chunks), 0)::bigint FROM cora.repository", &[])
            .and_then(|row| row.try_get::<_, i64>(0))
            .map_err(failed("read"))?;
        let n_new = i64::try_from(terms.len()).unwrap_or(i64::MAX);
        if terms.len() > FEW && n_new.saturating_mul(MANY_TIMES) > there {
            self.client
                .batch_execute("DROP INDEX IF EXISTS cora.chunk_embedding, cora.chunk_terms")
                .map_err(failed("drop its indexes"))?;
        }
        progress.begin("exporting", "files", Some(changed.len() as u64));
        let written = self.write_batches(run, changed, &terms, report);
        progress.end();
        written
    }

    /// Writes the rows of changed files, a transaction for each batch of them.
    fn write_batches(
        &mut self,
        run: ExportRun<'_>,
        changed: &[ChangedFile],
        terms: &Terms<'_>,
        report: &mut ExportReport,
    ) -> Result<()> {
        let ExportRun { repository, task, .. } = run;
        let mut rest = changed;
        while !rest.is_empty() {
            if task.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let mut batch = Batch::default();
            let ids = self
                .client
                .query(
                    "SELECT nextval('cora.file_id') FROM generate_series(1, $1)",
                    &[&i32::try_from(FILES.min(rest.len())).unwrap_or(1)],
                )
                .map_err(failed("number files"))?;
            for (file, id) in rest.iter().zip(&ids) {
                let id: i64 = id.try_get(0).map_err(failed("number files"))?;
                batch.add(run, id, *file, terms)?;
                if batch.files.len() + batch.chunks.len() > BYTES {
                    break;
                }
            }
            let mut transaction = self.client.transaction().map_err(failed("write"))?;
            transaction
                .execute(
                    "DELETE FROM cora.file WHERE repository_id = $1 AND path = ANY($2)",
                    &[&repository, &batch.paths],
                )
                .map_err(failed("remove files"))?;
            for (statement, rows) in [
                (
                    "COPY cora.file (id, repository_id, path, blob, language, record_id, record, text) FROM STDIN",
                    &batch.files,
                ),
                (
                    "COPY cora.chunk (file_id, ord, repository_id, start_line, end_line, start_byte, end_byte, kind, \
                     symbol, content_hash, embedding, terms) FROM STDIN",
                    &batch.chunks,
                ),
            ] {
                let mut writer = transaction.copy_in(statement).map_err(failed("write"))?;
                writer
                    .write_all(rows.as_bytes())
                    .map_err(|error| Error::Database { action: "write", message: error.to_string() })?;
                writer.finish().map_err(failed("write"))?;
            }
            transaction.commit().map_err(failed("write"))?;
            report.n_written += batch.paths.len();
            report.n_chunks += batch.n_chunks;
            task.progress.advance(batch.paths.len() as u64);
            rest = rest.get(batch.paths.len()..).unwrap_or_default();
        }
        Ok(())
    }

    /// Writes what holds of the whole repository, and that it is whole. Gives how many terms differ
    /// from before.
    fn finish(&mut self, repository: i32, export: &Export<'_>, task: Task<'_>) -> Result<usize> {
        let corrupt = |error: crate::search::segment::Error| Error::Source(error.to_string());
        let mut transaction = self.client.transaction().map_err(failed("write"))?;
        let rows = transaction
            .query("SELECT term, n_chunks FROM cora.term WHERE repository_id = $1", &[&repository])
            .map_err(failed("read"))?;
        let mut before: HashMap<String, i32> = HashMap::with_capacity(rows.len());
        for row in rows {
            before.insert(row.try_get(0).map_err(failed("read"))?, row.try_get(1).map_err(failed("read"))?);
        }
        let (mut terms, mut counts) = (Vec::new(), Vec::new());
        let names = export.segment.term_names().map_err(corrupt)?;
        let lists = export.segment.postings(names.iter().map(String::as_str)).map_err(corrupt)?;
        for (name, list) in names.iter().zip(lists) {
            let n = i32::try_from(list.n_declared()).unwrap_or(i32::MAX);
            if before.remove(name) != Some(n) {
                terms.push(name.as_str());
                counts.push(n);
            }
        }
        let gone: Vec<String> = before.into_keys().collect();
        let n_terms = terms.len() + gone.len();
        task.progress.begin("counting words", "words", Some(n_terms as u64));
        for gone in gone.chunks(TERMS) {
            transaction
                .execute(
                    "DELETE FROM cora.term WHERE repository_id = $1 AND term = ANY($2)",
                    &[&repository, &gone],
                )
                .map_err(failed("remove words"))?;
        }
        for (terms, counts) in terms.chunks(TERMS).zip(counts.chunks(TERMS)) {
            if task.is_cancelled() {
                task.progress.end();
                return Err(Error::Cancelled);
            }
            transaction
                .execute(
                    "INSERT INTO cora.term (repository_id, term, n_chunks) \
                     SELECT $1, term, n FROM unnest($2::text[], $3::integer[]) AS new (term, n) \
                     ON CONFLICT (term, repository_id) DO UPDATE SET n_chunks = EXCLUDED.n_chunks",
                    &[&repository, &terms, &counts],
                )
                .map_err(failed("write words"))?;
            task.progress.advance(terms.len() as u64);
        }
        task.progress.end();
        let index = Index::whole(export.segment);
        let statistics = index.statistics();
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let lengths: Vec<i64> = statistics.total_lengths.iter().map(|n| signed(*n)).collect();
        let sums: Vec<i64> = statistics.vector_sums.0.to_vec();
        let values: [&(dyn ToSql + Sync); 5] =
            [&repository, &export.commit, &signed(statistics.n_chunks), &lengths, &sums];
        transaction
            .execute(
                "UPDATE cora.repository SET commit = $2, target = NULL, n_chunks = $3, total_lengths = $4, \
                 vector_sums = $5, exported_at = now() WHERE id = $1",
                &values,
            )
            .map_err(failed("write"))?;
        transaction.commit().map_err(failed("write"))?;
        Ok(n_terms)
    }

    /// Creates the indexes that searches need, if they are missing.
    fn index_tables(&mut self, progress: &dyn Progress) -> Result<()> {
        let row = self
            .client
            .query_one(
                "SELECT to_regclass('cora.chunk_embedding') IS NOT NULL AND to_regclass('cora.chunk_terms') IS NOT NULL \
                 AND to_regclass('cora.chunk_repository') IS NOT NULL",
                &[],
            )
            .map_err(failed("be read"))?;
        if row.try_get::<_, bool>(0).map_err(failed("be read"))? {
            return Ok(());
        }
        progress.begin("indexing words and vectors in the database", "", None);
        // One process at a time. More memory than the default: a graph that does not fit is built
        // many times slower.
        let made = self
            .client
            .batch_execute(
                "SELECT pg_advisory_xact_lock(hashtextextended('git-cora tables', 0));
                 SET maintenance_work_mem = '1GB';
                 CREATE INDEX IF NOT EXISTS chunk_repository ON cora.chunk (repository_id);
                 CREATE INDEX IF NOT EXISTS chunk_terms ON cora.chunk USING gin (terms);
                 CREATE INDEX IF NOT EXISTS chunk_embedding ON cora.chunk USING hnsw (embedding vector_ip_ops);
                 ANALYZE cora.file, cora.chunk, cora.term;
                 RESET maintenance_work_mem",
            )
            .map_err(failed("build its indexes"));
        progress.end();
        made
    }
}

/// Returns the terms of the chunks of changed files.
fn terms<'t>(segment: &Segment, changed: &[ChangedFile], names: &'t [String]) -> Result<Terms<'t>> {
    let corrupt = |error: crate::search::segment::Error| Error::Source(error.to_string());
    let mut terms: Terms<'t> = HashMap::new();
    for file in changed {
        terms.extend(segment.chunks_of(file.ord).map(|chunk| (chunk, Vec::new())));
    }
    for (name, mut list) in
        names.iter().zip(segment.postings(names.iter().map(String::as_str)).map_err(corrupt)?)
    {
        while let Some(posting) = list.next_raw() {
            if let Some(terms) = terms.get_mut(&posting.chunk) {
                terms.push((name, posting.fields));
            }
        }
    }
    Ok(terms)
}

/// Rows of one transaction, in the text format of `COPY`.
#[derive(Default)]
struct Batch {
    paths: Vec<String>,
    files: String,
    chunks: String,
    n_chunks: usize,
}

impl Batch {
    /// Adds the rows of a file that gets the key `id`.
    fn add(&mut self, run: ExportRun<'_>, id: i64, changed: ChangedFile, terms: &Terms<'_>) -> Result<()> {
        let ExportRun { repository, export, source, .. } = run;
        let ChangedFile { at, ord } = changed;
        let corrupt = |error: crate::search::segment::Error| Error::Source(error.to_string());
        let segment = export.segment;
        let (Some(file), Some(row)) = (export.files.get(at), segment.file(ord)) else { return Ok(()) };
        let path = quoted(file.path).into_owned();
        let record = source.record(at).map_err(Error::Source)?;
        let text = source.text(at);
        let hex: String = record.iter().map(|byte| format!("{byte:02x}")).collect();
        let kept = text.as_deref().filter(|_| export.with_text);
        put_row(
            &mut self.files,
            &[
                Some(&id.to_string()),
                Some(&repository.to_string()),
                Some(&path),
                Some(&file.blob),
                Some(segment.language(row.language)),
                Some(&file.record),
                Some(&format!("\\x{hex}")),
                kept,
            ],
        );
        for (n, chunk) in segment.chunks_of(ord).enumerate() {
            let Some(row) = segment.chunk(chunk) else { continue };
            let span = row.span;
            let hash = text.as_deref().map(|text| {
                let digest = Sha256::digest(span.bytes.of(text).as_bytes());
                digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
            });
            let declaration = row.declaration.and_then(|at| Some((at, segment.declaration(at)?)));
            let kind = declaration
                .as_ref()
                .map_or_else(|| chunk_kind_name(row.kind), |(_, one)| declaration_kind_name(one.kind));
            let symbol = declaration.as_ref().map(|(at, _)| segment.symbol_path(*at)).unwrap_or_default();
            let vector = segment.vector(chunk).map_err(corrupt)?.unwrap_or_default();
            let terms = terms.get(&chunk).map_or_else(String::new, |terms| vector_of_terms(terms));
            put_row(
                &mut self.chunks,
                &[
                    Some(&id.to_string()),
                    Some(&n.to_string()),
                    Some(&repository.to_string()),
                    Some(&span.start_line.to_string()),
                    Some(&span.end_line.to_string()),
                    Some(&span.bytes.start.to_string()),
                    Some(&span.bytes.end.to_string()),
                    Some(kind),
                    Some(&symbol),
                    hash.as_deref(),
                    Some(&vector_text(&vector)),
                    Some(&terms),
                ],
            );
            self.n_chunks += 1;
        }
        self.paths.push(path);
        Ok(())
    }
}

/// Formats terms with their fields as text for `tsvector`.
///
/// A weight needs a position there, so each weight has a fixed position of its own.
fn vector_of_terms(terms: &[(&str, u8)]) -> String {
    let weights = [
        ("1A", Field::Symbol.bit() | Field::Stem.bit()),
        ("2B", Field::Signature.bit() | Field::Scope.bit()),
        ("3C", Field::Doc.bit()),
        ("4D", Field::Body.bit() | Field::Directory.bit()),
    ];
    let mut out = String::new();
    for (term, fields) in terms {
        let marks: Vec<&str> =
            weights.iter().filter(|(_, bits)| fields & bits != 0).map(|(mark, _)| *mark).collect();
        out.push_str(&format!("{}:{} ", lexeme(&term.replace('\0', "\u{fffd}")), marks.join(",")));
    }
    out
}

/// Appends a row in the text format of `COPY`.
fn put_row(out: &mut String, values: &[Option<&str>]) {
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.push('\t');
        }
        match value {
            None => out.push_str("\\N"),
            Some(value) => {
                for c in value.chars() {
                    match c {
                        '\\' => out.push_str("\\\\"),
                        '\n' => out.push_str("\\n"),
                        '\r' => out.push_str("\\r"),
                        '\t' => out.push_str("\\t"),
                        '\0' => out.push('\u{fffd}'),
                        c => out.push(c),
                    }
                }
            }
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_escaped() {
        let mut out = String::new();
        put_row(&mut out, &[Some("a\tb\\N\nc\0"), None, Some("")]);
        assert_eq!(out, "a\\tb\\\\N\\nc\u{fffd}\t\\N\t\n");
    }

    #[test]
    fn terms_have_the_weight_of_their_fields() {
        let fields = Field::Symbol.bit() | Field::Stem.bit() | Field::Body.bit();
        assert_eq!(vector_of_terms(&[("it's", fields), ("x", Field::Doc.bit())]), "'it''s':1A,4D 'x':3C ");
    }
}
