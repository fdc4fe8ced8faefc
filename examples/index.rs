//! Indexes the commit that `HEAD` names, and prints what the index holds.
//!
//! Run it with `cargo run --example index -- PATH`; without a path it uses the current directory.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use git_cora::{Session, Task};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    run(Path::new(&path), &mut std::io::stdout().lock())
}

/// Indexes the repository around `path`, and writes a summary to `out`.
pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let session = Session::open(path)?;
    let head = session.commit("HEAD")?;
    // The index is stored in the repository, as a ref of its own. A second run finds it there.
    let built = session.index(head, false, Task::silent())?;
    if built.was_there {
        writeln!(out, "{head} is already indexed")?;
    } else {
        let work = built.work;
        writeln!(out, "indexed {head}")?;
        writeln!(out, "{} files read, {} of them skipped", work.n_files, work.n_skipped)?;
        writeln!(out, "{} chunks, {} objects written", work.n_chunks, built.n_objects)?;
    }
    for path in &built.unreadable {
        writeln!(out, "can't read '{path}'")?;
    }
    Ok(())
}
