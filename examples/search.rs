//! Searches the work tree of a repository, and prints the results with their first lines.
//!
//! Run it with `cargo run --example search -- PATH QUERY`.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use git_cora::{ClassifiedError, Query, Session, SessionError, Target, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(query)) = (args.next(), args.next()) else {
        return Err("usage: search PATH QUERY".into());
    };
    run(Path::new(&path), &query, &mut std::io::stdout().lock())
}

/// Searches the repository around `path`, and writes the results to `out`.
pub(crate) fn run(path: &Path, query: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let session = Session::open(path).map_err(explained)?;
    // The work tree includes changes that are not committed. If HEAD has no index yet, one is
    // built.
    let mut searcher = session.searcher(&Target::Worktree, Task::silent()).map_err(explained)?;
    let query = Query::new(query).with_limit(5);
    // A cached file may be damaged. This call rebuilds it, instead of failing.
    let results =
        session.answer_or_repair(&mut searcher, &query, "HEAD", Task::silent()).map_err(explained)?;
    for item in &results.results {
        writeln!(out, "{}:{} {} {}", item.path, item.span.start_line, item.kind, item.symbol)?;
        // The text is that of the whole file; a span selects the chunk.
        let text = item.text.as_deref().unwrap_or_default();
        for line in item.span.bytes.of(text).lines().take(3) {
            writeln!(out, "    {line}")?;
        }
    }
    for word in &results.near {
        writeln!(out, "'{}' is not in the index", word.word)?;
    }
    writeln!(out, "{} more", results.n_more)?;
    Ok(())
}

/// Adds the hint to an error, if it has one.
fn explained(error: SessionError) -> Box<dyn Error> {
    match error.hint() {
        Some(hint) => format!("{error}; hint: {hint}").into(),
        None => error.into(),
    }
}
