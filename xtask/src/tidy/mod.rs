//! `cargo xtask tidy`: checks conventions that no compiler checks.
//!
//! Each check is a pure function from the repository's files to its complaints, one per line, in
//! the form `path:line: what is wrong`. All checks run; any complaint fails the command.
//!
//! Some checks are newer than the code. [`allowed`] lists how many old complaints each file may
//! have. The list can only shrink.

mod allowed;
mod circles;
mod claims;
mod codec;
mod edges;
mod functions;
mod heads;
mod hooks;
mod modules;
mod phrases;
mod sentences;
mod source;
mod type_names;
mod versions;
mod width;
mod words;

use anyhow::{Context as _, Result, bail};

use crate::tree::{self, File};

pub(crate) use source::strings;

/// Runs all checks and prints their complaints.
pub(crate) fn run() -> Result<()> {
    let files = tree::files()?;
    let mut complaints = Vec::new();
    complaints.extend(edges::check(&files));
    complaints.extend(heads::check(&files));
    complaints.extend(modules::check(&files));
    complaints.extend(codec::check(&files));
    complaints.extend(words::check(&files));
    complaints.extend(claims::check(&files));
    complaints.extend(versions::check(&files));
    complaints.extend(type_names::check(&files));
    complaints.extend(allowed::judge(&allowed::parse(&read(allowed::LIST)?)?, &counted(&files)));
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

/// Lowers the counts that the tree no longer needs. A list that is missing is written for the
/// present tree.
pub(crate) fn shrink() -> Result<()> {
    let files = tree::files()?;
    let found = allowed::count(&counted(&files));
    let counts = if tree::root().join(allowed::LIST).exists() {
        allowed::shrunk(&allowed::parse(&read(allowed::LIST)?)?, &found)
    } else {
        found
    };
    write(allowed::LIST, &allowed::render(&counts))
}

/// Runs the checks whose complaints are counted.
fn counted(files: &[File]) -> Vec<allowed::Complaint> {
    let mut complaints = width::check(files);
    complaints.extend(functions::check(files));
    complaints.extend(phrases::check(files));
    complaints.extend(sentences::check(files));
    complaints.extend(circles::check(files));
    complaints
}

fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(tree::root().join(path))
        .with_context(|| format!("can't read '{path}'\nhint: git checkout HEAD -- {path}"))
}

fn write(path: &str, text: &str) -> Result<()> {
    std::fs::write(tree::root().join(path), text).with_context(|| format!("can't write '{path}'"))?;
    println!("wrote {path}");
    Ok(())
}
