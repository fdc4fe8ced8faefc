//! `git cora lsp`: starts the server for editors.
//!
//! The editor says which folders it works in, so no repository need exist here. Without the feature
//! `lsp` the command reports that it was left out.

use crate::terminal::Context;

use super::{Outcome, args};

#[cfg(feature = "lsp")]
pub(crate) fn run(context: &Context, args: &args::Lsp) -> anyhow::Result<Outcome> {
    use git_cora::Session;
    use git_cora::base::config;

    use crate::server::lsp::{Settings, run};

    let directory = std::path::absolute(context.directory())?;
    // The editor names its repositories later; the one here stands for them.
    let found = Session::open(&directory).and_then(|session| Ok(session.repo().setting(&config::THREADS)?));
    context.start_threads(found.ok().and_then(|n| usize::try_from(n).ok()).unwrap_or(0));
    let settings = Settings { revision: args.rev.clone(), certain_only: args.certain };
    // The protocol's exit status is 1 if the client did not ask for the end.
    Ok(if run(directory, settings)? { Outcome::Found } else { Outcome::Nothing })
}

#[cfg(not(feature = "lsp"))]
pub(crate) fn run(_: &Context, _: &args::Lsp) -> anyhow::Result<Outcome> {
    anyhow::bail!("this program was built without 'git cora lsp'; build it with the feature 'lsp'")
}
