//! Automatic pruning: after each round of indexing, by a command, a hook or the watcher.
//!
//! The library drops refs; this file decides when.

use git_cora::base::config::{self, parse_bool};
use git_cora::index::PruneMode;
use git_cora::{Session, SessionError, index};

/// Number of indexed commits between two automatic prunings: enough that listing the indexes costs
/// nothing overall.
const AUTO_PRUNE_SLACK: usize = 50;

/// Returns how many commits of each branch stay indexed.
///
/// # Errors
/// If the setting is not a number.
pub(crate) fn keep_setting(session: &Session) -> Result<usize, SessionError> {
    Ok(usize::try_from(session.repo().setting(&config::KEEP)?).unwrap_or(usize::MAX))
}

/// Removes refs that nobody can use. Drops old indexes if there are more than are kept, unless
/// `cora.autoPrune` is off.
pub(crate) fn auto_prune(session: &Session) -> anyhow::Result<()> {
    index::remove_faults(session.repo(), PruneMode::Automatic)?;
    let name = config::AUTO_PRUNE.name;
    let value = session.repo().config_string(name);
    if !parse_bool(name, value.as_deref().unwrap_or(config::AUTO_PRUNE.default))? {
        return Ok(());
    }
    let keep = keep_setting(session)?;
    let n_indexed = index::indexed_commits(session.repo())?.len();
    // The walk over all branches is expensive, so it runs once per [`AUTO_PRUNE_SLACK`] indexed
    // commits.
    if n_indexed > keep && n_indexed % AUTO_PRUNE_SLACK == 0 {
        index::prune(session.repo(), keep, PruneMode::Automatic)?;
    }
    Ok(())
}
