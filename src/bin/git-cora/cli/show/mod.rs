//! `git cora show`: prints the record of a file as it is stored.
//!
//! A record contains no source, so `show` reads source from the blob. A record that its source
//! can't give is made again first.

mod place;
mod raw;

use std::fmt::Write as _;

use bstr::{BStr, ByteSlice};
use serde_json::json;

use git_cora::answer::view::labels;
use git_cora::answer::view::theme::{FAINT, NUMBER, PATH, SYMBOL};
use git_cora::answer::view::{Paint, counted, visible};
use git_cora::base::id::ObjectId;
use git_cora::base::progress::Task;
use git_cora::base::text::{quoted, shell_word, visible_path};
use git_cora::git::{Blob, EntryMode};
use git_cora::index::chunk::Chunk;
use git_cora::index::record::{self, FileRecord, IndexedFile};
use git_cora::index::{self, source};
use git_cora::{Session, Target, answer};

use crate::command_error::CommandError;
use crate::input::near;
use crate::terminal::Context;

use super::advice::absent;
use super::output::{self, Page};
use super::{Outcome, args};
use place::FilePlace;

pub(crate) fn run(context: &Context, args: &args::Show) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let place = place::read(context, &session, args)?;
    if place.line.is_some() && (args.chunk.is_some() || args.raw) {
        return Err(CommandError::new(
            "a line selects one chunk; it can't be combined with --chunk or --raw",
            "name the file without a line",
        )
        .into());
    }
    let (path, commit) = (&place.path, place.commit);
    let progress = context.progress();
    let snapshot = session.indexer().snapshot(commit, Task::new(progress.as_ref(), &context.cancel))?;
    drop(progress);
    let missing = || index::Error::NoRecord { path: path.to_string(), commit };
    let entry = match session.repo().tree_entry(snapshot.files, path.as_bstr())? {
        Some(entry) if entry.mode != EntryMode::Directory => entry,
        _ => return no_file(context, &session, &snapshot, &place),
    };
    let (bytes, is_remade) = load(&session, &snapshot, path.as_bstr(), entry.id)?.ok_or_else(missing)?;
    if is_remade {
        context.say(&format!(
            "warning: the record of '{}' was damaged and rebuilt from the source; run 'git cora verify --all' to check the others",
            visible_path(&quoted(path.as_ref()))
        ));
    }
    let record =
        record::decode(&bytes).map_err(|source| index::Error::Record { path: path.to_string(), source })?;
    match record {
        FileRecord::Skipped(reason) => {
            if args.json.is_wanted() {
                context.print_json(&json!({
                    "path": quoted(path.as_ref()), "commit": commit.to_string(), "skipped": reason.as_str(),
                }))?;
            } else {
                let line =
                    format!("{}: skipped: {}\n", visible_path(&quoted(path.as_ref())), reason.as_str());
                output::print(session.repo(), &args.screen, &line)?;
            }
        }
        FileRecord::Indexed(file) => {
            if args.raw {
                let mut page = Page::open(session.repo(), &args.screen)?;
                let text = raw::as_text(&file, path.as_bstr(), &bytes, page.paint)?;
                page.write(&text)?;
                page.close()?;
                return Ok(Outcome::Found);
            }
            let chunk = chosen_chunk(&file, &place, args)?;
            if args.json.is_wanted() {
                context.print_json(&as_json(
                    &file,
                    path.as_bstr(),
                    &commit.to_string(),
                    bytes.len(),
                    chunk,
                ))?;
            } else {
                let mut page = Page::open(session.repo(), &args.screen)?;
                let text = as_text(&file, path.as_bstr(), bytes.len(), chunk, page.paint);
                page.write(&text)?;
                if let Some(chunk) = chunk.and_then(|n| file.chunks.get(n - 1)) {
                    let text = source_of(&session, &file, chunk, page.paint)?;
                    page.write(&text)?;
                }
                page.close()?;
            }
        }
    }
    Ok(Outcome::Found)
}

/// Returns the record of a file, and whether it had to be made again; `None` if it is missing.
fn load(
    session: &Session,
    snapshot: &index::Snapshot,
    path: &BStr,
    stored: ObjectId,
) -> anyhow::Result<Option<(Vec<u8>, bool)>> {
    let repo = session.repo();
    // What has no source is not a file of the commit.
    let Some(file) = repo.tree_entry(snapshot.source_tree, path)? else { return Ok(None) };
    let recorder = index::Recorder::new(session.indexer().options().clone());
    let stored = match repo.blob(stored, index::max_record_bytes(repo, &recorder, &file)?)? {
        Blob::Bytes(bytes) => Some(bytes),
        Blob::TooLarge { .. } | Blob::Missing => None,
    };
    let attributes = repo.attributes(snapshot.source_tree)?;
    let scratch = &mut record::Scratch::default();
    let loaded = index::load_record(repo, &recorder, &attributes, &file, stored, false, scratch)?;
    Ok(Some((loaded.bytes, loaded.is_remade)))
}

/// Reports that there is no such file, and suggests the command or the path that may be meant.
fn no_file(
    context: &Context,
    session: &Session,
    snapshot: &index::Snapshot,
    place: &FilePlace,
) -> anyhow::Result<Outcome> {
    let (path, commit) = (place.path.as_bstr(), place.commit);
    let (shown, rev) = (quoted(path), place.revision.as_deref());
    if path.is_empty() || session.repo().tree_entry(snapshot.files, path)?.is_some() {
        let name = if path.is_empty() { "." } else { &*shown };
        context.complain(&format!("error: '{name}' is a directory; expected a file"));
        let (spec, rev) = (absent::pathspec(context, session, path), absent::rev_option(rev));
        context.say(&format!("hint: run 'git cora list{rev} --path {spec}' to see what it declares"));
        return Ok(Outcome::Failed);
    }
    let typed = quoted(place.typed.as_bstr());
    if rev.is_none() && place.line.is_none() && absent::is_revision(session, &typed) {
        context.complain(&format!("error: '{typed}' is a revision; expected a file"));
        let hint = format!("run 'git cora list --rev {}' to see what it declares", shell_word(&typed));
        context.say(&format!("hint: {hint}"));
        return Ok(Outcome::Failed);
    }
    context.complain(&format!("error: no file '{shown}' at {}", commit.abbreviated(10)));
    let is_uncommitted = session
        .repo()
        .work_dir()
        .zip(path.to_path().ok())
        .is_some_and(|(root, path)| rev.is_none() && root.join(path).exists());
    if is_uncommitted {
        context.say("hint: commit it first: 'show' prints the records of a commit");
        return Ok(Outcome::Failed);
    }
    if is_declared(context, session, commit, &typed) {
        let (rev, typed) = (absent::rev_option(rev), shell_word(&typed));
        context.say(&format!("hint: run 'git cora explain{rev} {typed}' for the declaration"));
        return Ok(Outcome::Failed);
    }
    let files = session.repo().tree_files(snapshot.files)?;
    let similar = near::files(&shown, files.iter().map(|file| file.path.as_bstr()));
    match near::question(&similar) {
        Some(question) => context.say(&format!("hint: {question}")),
        None => {
            let tree = shell_word(rev.unwrap_or("HEAD"));
            context.say(&format!("hint: run 'git ls-tree -r --name-only {tree}' to list the paths"));
        }
    }
    Ok(Outcome::Failed)
}

/// Returns whether a declaration of the commit has the name. An index that can't be read gives no
/// second error: this is only for a hint.
fn is_declared(context: &Context, session: &Session, commit: ObjectId, name: &str) -> bool {
    let progress = context.progress();
    let task = Task::new(progress.as_ref(), &context.cancel);
    let Ok(searcher) = session.searcher(&Target::Commit(commit), task) else { return false };
    answer::declared(&searcher, name).is_ok_and(|found| !found.is_empty())
}

/// Returns the number of the chunk that is shown, from 1; `None` for all.
///
/// # Errors
/// If the file has no such chunk or line.
fn chosen_chunk(file: &IndexedFile, place: &FilePlace, args: &args::Show) -> anyhow::Result<Option<usize>> {
    let path = &place.path;
    let Some(line) = place.line else {
        let chunk = args.chunk.map(std::num::NonZeroUsize::get);
        let n = file.chunks.len();
        anyhow::ensure!(chunk.is_none_or(|at| at <= n), "'{path}' has {}", counted(n, "chunk", "chunks"));
        return Ok(chunk);
    };
    anyhow::ensure!(line > 0, "'{path}' has no line 0; lines are counted from 1");
    let n_lines = file.n_lines;
    anyhow::ensure!(line <= n_lines.max(1), "'{path}' has {}", counted(n_lines as usize, "line", "lines"));
    let has_line = |chunk: &Chunk| (chunk.span.start_line..=chunk.span.end_line).contains(&line);
    match file.chunks.iter().position(has_line) {
        Some(at) => Ok(Some(at + 1)),
        None => Err(CommandError::new(
            format!("line {line} of '{path}' is in no chunk"),
            "leave out the line to see the lines of all chunks",
        )
        .into()),
    }
}

/// Returns the source of a chunk, read from the blob, as a record contains none.
fn source_of(session: &Session, file: &IndexedFile, chunk: &Chunk, paint: Paint) -> anyhow::Result<String> {
    let Blob::Bytes(bytes) = session.repo().blob(file.blob, u64::from(u32::MAX))? else {
        anyhow::bail!("the source blob {} can't be read", file.blob);
    };
    let text = source::decode(&bytes);
    let mut out = String::from("  source:\n");
    for (line, text) in (chunk.span.start_line..).zip(chunk.span.bytes.of(&text).lines()) {
        let shown: Vec<String> = text.split('\t').map(|part| visible(part).into_owned()).collect();
        let number = paint.text(&format!("{line:>6}"), NUMBER);
        let _ = writeln!(out, "  {number}  {}", shown.join("\t").trim_end());
    }
    Ok(out)
}

/// Returns the first line: what the record is of.
fn head(file: &IndexedFile, path: &BStr, record_bytes: usize, paint: Paint) -> String {
    format!(
        "{}: {}, {}, {}, record {}, blob {}\n",
        paint.text(&visible_path(&quoted(path)), PATH),
        visible(&file.language),
        counted(file.n_lines, "line", "lines"),
        counted(file.source_bytes, "byte", "bytes"),
        counted(record_bytes, "byte", "bytes"),
        file.blob
    )
}

fn as_text(
    file: &IndexedFile,
    path: &BStr,
    record_bytes: usize,
    only: Option<usize>,
    paint: Paint,
) -> String {
    let mut out = head(file, path, record_bytes, paint);
    for (at, chunk) in file.chunks.iter().enumerate() {
        if only.is_some_and(|n| n != at + 1) {
            continue;
        }
        let symbol = chunk.declaration.map(|d| labels::symbol_path(file, d)).unwrap_or_default();
        let _ = writeln!(
            out,
            "\n{}: lines {}-{}, {}{}{}",
            paint.text(&format!("chunk {}", at + 1), SYMBOL),
            chunk.span.start_line,
            chunk.span.end_line,
            labels::chunk_kind(chunk.kind),
            if symbol.is_empty() { "" } else { " " },
            paint.text(&visible(&symbol), SYMBOL)
        );
        for (ord, declaration) in (0u32..).zip(&file.declarations) {
            if declaration.span.bytes.start >= chunk.span.bytes.start
                && declaration.span.bytes.start < chunk.span.bytes.end
            {
                let _ = writeln!(
                    out,
                    "  {} {} at {}",
                    paint.text(labels::declaration_kind(declaration.kind), FAINT),
                    paint.text(&visible(&labels::symbol_path(file, ord)), SYMBOL),
                    declaration.name_line
                );
            }
        }
        let references: Vec<String> = file
            .references
            .iter()
            .filter(|reference| reference.chunk as usize == at)
            .map(|reference| {
                let qualifier = if reference.qualifier.is_empty() {
                    String::new()
                } else {
                    format!("{}.", reference.qualifier)
                };
                format!("{} {qualifier}{}", labels::reference_kind(reference.kind), reference.name)
            })
            .collect();
        if !references.is_empty() {
            let _ = writeln!(out, "  refers to: {}", visible(&references.join(", ")));
        }
        let keywords: Vec<&str> = file
            .keywords
            .get(at)
            .map(|list| list.iter().map(|k| k.token.as_str()).collect())
            .unwrap_or_default();
        let _ = writeln!(out, "  keywords: {}", visible(&keywords.join(" ")));
    }
    out
}

fn as_json(
    file: &IndexedFile,
    path: &BStr,
    commit: &str,
    record_bytes: usize,
    only: Option<usize>,
) -> serde_json::Value {
    let chunks: Vec<serde_json::Value> = file
        .chunks
        .iter()
        .enumerate()
        .filter(|(at, _)| only.is_none_or(|n| n == at + 1))
        .map(|(at, chunk)| {
            json!({
                "chunk": at + 1,
                "start_line": chunk.span.start_line,
                "end_line": chunk.span.end_line,
                "start_byte": chunk.span.bytes.start,
                "end_byte": chunk.span.bytes.end,
                "kind": labels::chunk_kind(chunk.kind),
                "symbol": chunk.declaration.map(|d| labels::symbol_path(file, d)).unwrap_or_default(),
                "keywords": file.keywords.get(at).map(|list| list.iter().map(|k| json!({
                    "token": k.token, "doc": k.doc, "signature": k.signature, "body": k.body,
                })).collect::<Vec<_>>()),
                "references": file.references.iter().filter(|r| r.chunk as usize == at).map(|r| json!({
                    "kind": labels::reference_kind(r.kind), "name": r.name, "qualifier": r.qualifier, "alias": r.alias,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    let declarations: Vec<serde_json::Value> = (0u32..)
        .zip(&file.declarations)
        .map(|(ord, d)| {
            json!({
                "symbol": labels::symbol_path(file, ord),
                "kind": labels::declaration_kind(d.kind),
                "start_line": d.span.start_line,
                "end_line": d.span.end_line,
                "name_line": d.name_line,
                "signature": [d.signature.start, d.signature.end],
                "body": [d.body.start, d.body.end],
                "doc": [d.doc.start, d.doc.end],
            })
        })
        .collect();
    json!({
        "path": quoted(path),
        "commit": commit,
        "blob": file.blob.to_string(),
        "language": file.language,
        "lines": file.n_lines,
        "source_bytes": file.source_bytes,
        "record_bytes": record_bytes,
        "chunks": chunks,
        "declarations": declarations,
    })
}
