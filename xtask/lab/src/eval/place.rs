//! The clones in which questions are asked.
//!
//! Clones are made once and kept, so that the next run need not index again. Mirrors are only read.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use git_cora::base::progress::{Cancel, NoProgress, Task};
use git_cora::{Searcher, Session, Target};

/// Returns a clone of `repository` (`owner/name`) under `work`, made on first use.
pub(crate) fn clone(repositories: &Path, work: &Path, repository: &str) -> Result<PathBuf> {
    let name = repository.replace('/', "+");
    let place = work.join(&name);
    if place.is_dir() {
        return Ok(place);
    }
    let done = Command::new("git")
        .args(["clone", "--quiet", "--local", "--bare"])
        .arg(mirror(repositories, repository)?)
        .arg(&place)
        .status()?;
    ensure!(done.success(), "can't clone '{repository}'");
    Ok(place)
}

/// Returns the copy of `repository` (`owner/name`) in a folder of repositories.
pub(crate) fn mirror(repositories: &Path, repository: &str) -> Result<PathBuf> {
    let folder = repositories.join(repository.replace('/', "+"));
    [folder.join("repo"), folder]
        .into_iter()
        .find(|path| path.is_dir())
        .with_context(|| format!("there is no copy of '{repository}' in '{}'", repositories.display()))
}

/// Opens the searcher for `revision`, indexing it if necessary.
pub(crate) fn open(session: &Session, revision: &str) -> Result<Searcher> {
    let commit = session.repo().resolve(revision)?;
    Ok(session.searcher(&Target::Commit(commit), Task::new(&NoProgress, &Cancel::default()))?)
}
