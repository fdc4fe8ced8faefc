//! Gathers the evidence for a question, without any language model, and prints it by part.
//!
//! Run it with `cargo run --example ask -- PATH QUESTION`.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use git_cora::{Filters, Limits, Session, Target, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(path), Some(question)) = (args.next(), args.next()) else {
        return Err("usage: ask PATH QUESTION".into());
    };
    run(Path::new(&path), &question, &mut std::io::stdout().lock())
}

/// Asks the repository around `path`, and writes the evidence to `out`.
pub(crate) fn run(path: &Path, question: &str, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let session = Session::open(path)?;
    let searcher = session.searcher(&Target::Worktree, Task::silent())?;
    // Two steps: search the parts of the question, then follow references from the best results.
    let limits = Limits::default().with_steps(2).with_hits(5);
    let state = session.ask(&searcher, question, Filters::default(), &limits, Task::silent())?;
    for part in state.parts.iter().filter(|part| part.near.is_none()) {
        writeln!(out, "{}", part.text)?;
        // Evidence is listed once; each part refers to it by index.
        for &at in &part.found {
            let Some(evidence) = state.evidence.get(at) else { continue };
            let relation = evidence.item.relation.as_deref().unwrap_or("found by the search");
            writeln!(out, "    {} {} ({relation})", evidence.place(), evidence.item.symbol)?;
        }
    }
    if let Some(stop) = state.stop {
        writeln!(out, "stopped: {}", stop.name())?;
    }
    for note in &state.notes {
        writeln!(out, "note: {note}")?;
    }
    Ok(())
}
