//! `cargo xtask tidy`: checks conventions that no compiler checks.
//!
//! Each check is a pure function from the repository's files to its complaints, one per line, in
//! the form `path:line: what is wrong`. All checks run; any complaint fails the command.

mod codec;
mod edges;
mod heads;
mod hooks;
mod words;

use anyhow::{Result, bail};

use crate::tree;

/// Runs all checks and prints their complaints.
pub(crate) fn run() -> Result<()> {
    let files = tree::files()?;
    let mut complaints = Vec::new();
    complaints.extend(edges::check(&files));
    complaints.extend(heads::check(&files));
    complaints.extend(codec::check(&files));
    complaints.extend(words::check(&files));
    complaints.extend(hooks::check(&files));
    complaints.extend(hooks::shellcheck(&files)?);
    for complaint in &complaints {
        println!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        1 => bail!("tidy has 1 complaint"),
        n => bail!("tidy has {n} complaints"),
    }
}
