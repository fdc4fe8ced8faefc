//! `git cora mcp`: starts the server for coding agents.
//!
//! Named repositories must exist. Without any, the current directory is served even if it has no
//! repository yet. Without the feature `mcp` the command reports that it was left out.

use crate::terminal::Context;

use super::{Outcome, args};

/// Error if the feature is left out.
#[cfg(not(feature = "mcp"))]
pub(super) const NOT_BUILT: &str =
    "this program was built without 'git cora mcp'; build it with the feature 'mcp'";

#[cfg(feature = "mcp")]
pub(crate) fn run(context: &Context, args: &args::Mcp) -> anyhow::Result<Outcome> {
    use anyhow::Context as _;
    use git_cora::Session;
    use git_cora::base::config;
    use git_cora::base::path::real;

    let directory = context.directory();
    let mut n_threads = Vec::new();
    let mut directories = Vec::new();
    for named in &args.repositories {
        let session = Session::open_named(&directory.join(named));
        let session = session.with_context(|| format!("can't serve '{}'", named.display()))?;
        match session.repo().setting(&config::THREADS) {
            Ok(n) => n_threads.push(n),
            Err(error) => context.complain(&format!("warning: {error}")),
        }
        let repo = session.repo();
        let top = repo.work_dir().unwrap_or_else(|| repo.git_dir());
        directories.push(real(top).with_context(|| format!("can't serve '{}'", named.display()))?);
    }
    let around = directories.is_empty().then(|| directory.clone());
    if directories.is_empty() {
        match Session::open(&directory).and_then(|session| Ok(session.repo().setting(&config::THREADS)?)) {
            Ok(n) => n_threads.push(n),
            // An agent may start before there is a repository; the tools then report this error.
            Err(error) => context.complain(&format!("warning: {error}")),
        }
        directories.push(directory);
    }
    // All repositories share one thread pool: the largest setting counts, and 0 means all cores.
    let n_threads = if n_threads.contains(&0) { 0 } else { n_threads.into_iter().max().unwrap_or(0) };
    context.start_threads(usize::try_from(n_threads).unwrap_or(0));
    crate::server::mcp::run(crate::server::mcp::served(directories), around)?;
    Ok(Outcome::Found)
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn run(_: &Context, _: &args::Mcp) -> anyhow::Result<Outcome> {
    anyhow::bail!(NOT_BUILT)
}
