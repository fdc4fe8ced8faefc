//! `git cora watch`: starts the watcher.
//!
//! Without the feature `watch` the command reports that it was left out.

use crate::terminal::Context;

use super::{Outcome, args};

#[cfg(feature = "watch")]
pub(crate) fn run(context: &Context, args: &args::Watch) -> anyhow::Result<Outcome> {
    crate::watch::run(context, args.branches)?;
    Ok(Outcome::Found)
}

#[cfg(not(feature = "watch"))]
pub(crate) fn run(_: &Context, _: &args::Watch) -> anyhow::Result<Outcome> {
    anyhow::bail!("this program was built without 'git cora watch'; build it with the feature 'watch'")
}
