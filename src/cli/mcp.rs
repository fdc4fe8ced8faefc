//! `git cora mcp`: the door for coding agents.

use super::context::Context;
use super::{Outcome, args};

/// What is said where it was left out.
#[cfg(not(feature = "mcp"))]
pub(super) const NOT_BUILT: &str =
    "this program was built without 'git cora mcp': build it with the feature 'mcp'";

#[cfg(feature = "mcp")]
pub(crate) fn run(context: &Context, _: &args::Mcp) -> anyhow::Result<Outcome> {
    use git_cora::{Session, config};

    let directory = context.directory();
    let n_threads = Session::open(&directory).and_then(|session| session.count(&config::THREADS));
    match n_threads {
        Ok(n_threads) => context.start_threads(usize::try_from(n_threads).unwrap_or(0)),
        Err(error) => {
            // An agent may begin where there is no repository yet. What a tool is asked for tells the same.
            context.complain(&format!("warning: {error}"));
            context.start_threads(0);
        }
    }
    crate::mcp::run(directory)?;
    Ok(Outcome::Found)
}

#[cfg(not(feature = "mcp"))]
pub(crate) fn run(_: &Context, _: &args::Mcp) -> anyhow::Result<Outcome> {
    anyhow::bail!(NOT_BUILT)
}
