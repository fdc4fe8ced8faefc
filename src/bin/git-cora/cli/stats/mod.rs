//! `git cora stats`: counts the content of an index, and the skipped files by reason.
//!
//! Opens a searcher of the commit, which indexes it if necessary.

mod unparsed;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use serde_json::json;

use git_cora::Target;
use git_cora::answer::view::theme::{PATH, STATUS, SYMBOL};
use git_cora::answer::view::{Paint, counted, visible};
use git_cora::base::text::{quoted, visible_path};
use git_cora::index::source::SkipReason;
use git_cora::index::{self, CommitIndex};
use git_cora::search::Searcher;
use git_cora::search::segment::LanguageCount;

use crate::terminal::Context;

use super::output::Page;
use super::{Outcome, args};

/// The files and chunks that an index holds. Identical files count each.
pub(crate) struct Holdings {
    n_files: u64,
    /// Number of files of the commit that the index does not hold.
    n_skipped: usize,
    n_chunks: u64,
}

impl Holdings {
    pub(crate) fn new(searcher: &Searcher) -> Self {
        let view = searcher.index();
        let languages = view.languages();
        Self {
            n_files: languages.iter().map(|one| one.files).sum(),
            n_skipped: view.skipped().count(),
            n_chunks: languages.iter().map(|one| one.chunks).sum(),
        }
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        json!({"files": self.n_files, "skipped": self.n_skipped, "chunks": self.n_chunks})
    }
}

impl fmt::Display for Holdings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files = counted(self.n_files, "file", "files");
        let chunks = counted(self.n_chunks, "chunk", "chunks");
        match self.n_skipped {
            0 => write!(f, "{files}, {chunks}"),
            n => write!(f, "{files}, {n} more skipped, {chunks}"),
        }
    }
}

pub(crate) fn run(context: &Context, args: &args::Stats) -> anyhow::Result<Outcome> {
    let session = context.session()?;
    let commit = context.commit(&session, args.revision.rev.as_deref())?;
    let was_indexed = matches!(
        index::open(session.repo(), commit, &session.indexer().options().manifest())?,
        CommitIndex::Current(_)
    );
    let searcher = context.searcher_of(&session, &Target::Commit(commit))?;
    let view = searcher.index();
    let languages = view.languages();
    let mut skipped: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    for file in view.skipped() {
        let reason = SkipReason::from_code(file.reason).map_or("unknown reason", SkipReason::as_str);
        skipped.entry(reason).or_default().push(quoted(file.path).into_owned());
    }
    let n_skipped: usize = skipped.values().map(Vec::len).sum();
    let total = |of: fn(&LanguageCount) -> u64| languages.iter().map(of).sum::<u64>();
    let holdings = Holdings { n_files: total(|l| l.files), n_skipped, n_chunks: total(|l| l.chunks) };
    let (declarations, lines, bytes) =
        (total(|l| l.declarations), total(|l| l.lines), total(|l| l.source_bytes));
    let unparsed = if args.unparsed { unparsed::measure(&searcher) } else { Vec::new() };
    let n_indexed = index::indexed_commits(session.repo())?.len();
    let snapshot = searcher.snapshot();
    if args.json.is_wanted() {
        context.print_json(&json!({
            "commit": commit.to_string(),
            "index": snapshot.map(|s| s.index_commit.to_string()),
            "local": snapshot.is_some_and(|s| s.is_local),
            "was_indexed": was_indexed,
            "indexed_commits": n_indexed,
            "files": holdings.n_files,
            "chunks": holdings.n_chunks,
            "declarations": declarations,
            "lines": lines,
            "source_bytes": bytes,

            "languages": languages.iter().map(|l| json!({
                "language": l.language, "files": l.files, "chunks": l.chunks, "declarations": l.declarations,
                "lines": l.lines, "source_bytes": l.source_bytes,
            })).collect::<Vec<_>>(),
            "unparsed": args.unparsed.then(|| unparsed::json(&unparsed)),
            "skipped": skipped.iter().map(|(reason, paths)| json!({
                "reason": reason,
                "files": paths.len(),
                "paths": if args.skipped { json!(paths) } else { serde_json::Value::Null },
            })).collect::<Vec<_>>(),
        }))?;
        return Ok(Outcome::Found);
    }
    let mut page = Page::open(session.repo(), &args.screen)?;
    let paint = page.paint;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "commit {}: {holdings}, {}, {}, {} of source",
        commit.abbreviated(10),
        counted(declarations, "declaration", "declarations"),
        counted(lines, "line", "lines"),
        size(bytes)
    );
    let commits = counted(n_indexed, "commit", "commits");
    let _ = writeln!(out, "{commits} indexed in this repository");
    table(&mut out, paint, languages);
    if args.unparsed {
        unparsed::write(&mut out, paint, &unparsed);
    }
    if n_skipped > 0 {
        let _ = writeln!(out, "\nskipped: {}", counted(n_skipped, "file", "files"));
        for (reason, paths) in &skipped {
            let _ = writeln!(out, "  {}: {}", paint.text(reason, STATUS), paths.len());
            if args.skipped {
                for path in paths {
                    let _ = writeln!(out, "    {}", paint.text(&visible_path(path), PATH));
                }
            }
        }
        if !args.skipped {
            let _ = writeln!(out, "  (--skipped lists them)");
        }
    }
    page.write(&out)?;
    page.close()?;
    Ok(Outcome::Found)
}

/// Appends the table of languages, the one with most source first.
fn table(out: &mut String, paint: Paint, languages: Vec<LanguageCount>) {
    let _ = writeln!(
        out,
        "\n{}",
        paint.text(
            &format!(
                "{:<14} {:>8} {:>9} {:>13} {:>10} {:>10}",
                "language", "files", "chunks", "declarations", "lines", "bytes"
            ),
            SYMBOL
        )
    );
    let mut sorted = languages;
    sorted.sort_by(|a, b| b.source_bytes.cmp(&a.source_bytes).then_with(|| a.language.cmp(&b.language)));
    for l in &sorted {
        let _ = writeln!(
            out,
            "{} {:>8} {:>9} {:>13} {:>10} {:>10}",
            paint.text(&format!("{:<14}", visible(&l.language)), PATH),
            l.files,
            l.chunks,
            l.declarations,
            l.lines,
            size(l.source_bytes)
        );
    }
}

/// Formats a size in powers of 1024.
fn size(bytes: u64) -> String {
    let mut whole = bytes;
    let mut tenths = 0;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if whole < 1024 || unit == "GiB" {
            return if unit == "B" { format!("{whole} B") } else { format!("{whole}.{tenths} {unit}") };
        }
        tenths = whole % 1024 * 10 / 1024;
        whole /= 1024;
    }
    format!("{bytes} B")
}
