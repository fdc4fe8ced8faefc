//! The addresses that a push goes to.
//!
//! Git rewrites an address by `url.<base>.insteadOf`, and one to push to by `pushInsteadOf`. What
//! is asked which commits it has must be what is written to. So addresses are rewritten once, here,
//! and Git then takes them as they are.

use crate::git::{Repository, Result};

/// The name of a remote for an address without one.
const UNNAMED: &str = "git-cora-address";

/// An address for Git, with settings that leave it as it is.
pub(super) struct ExactAddress {
    /// Arguments in front of the command.
    pub(super) settings: Vec<String>,
    /// The argument for the address.
    pub(super) target: String,
}

impl Repository {
    /// Returns whether this is the name of a configured remote.
    ///
    /// # Errors
    /// [`crate::git::Error::Command`] if they can't be listed.
    pub fn has_remote(&self, name: &str) -> Result<bool> {
        Ok(self.remotes()?.iter().any(|one| one == name))
    }

    /// Returns how to hand an address to Git that was rewritten before. `pushes`: to `git push`.
    pub(super) fn as_it_is(&self, address: &str, pushes: bool) -> Result<ExactAddress> {
        let mut exact = ExactAddress { settings: Vec::new(), target: address.to_owned() };
        if self.has_remote(address)? {
            return Ok(exact);
        }
        let mut set = |setting: String| exact.settings.extend(["-c".to_owned(), setting]);
        // The longest rule counts. The name of a setting ends at the first equals sign.
        if !address.contains('=') {
            set(format!("url.{address}.insteadOf={address}"));
        }
        // No such rule changes an address that is set for pushing.
        if pushes && self.by_push_rule(address)?.is_some() {
            set(format!("remote.{UNNAMED}.url={address}"));
            set(format!("remote.{UNNAMED}.pushurl={address}"));
            UNNAMED.clone_into(&mut exact.target);
        }
        Ok(exact)
    }

    /// Returns what `pushInsteadOf` makes of an address; `None` if no rule fits.
    fn by_push_rule(&self, given: &str) -> Result<Option<String>> {
        let rules = self.git(&["config", "-z", "--get-regexp", r"^url\..*\.pushinsteadof$"]).run_any()?;
        let rules = String::from_utf8_lossy(&rules.stdout).into_owned();
        let rules = rules.split('\0').filter_map(|rule| rule.split_once('\n'));
        let fitting = rules.filter(|(_, begin)| !begin.is_empty() && given.starts_with(begin));
        let Some((key, begin)) = fitting.max_by_key(|(_, begin)| begin.len()) else { return Ok(None) };
        let base = key.strip_prefix("url.").and_then(|key| key.rsplit_once('.'));
        let rest = given.get(begin.len()..).unwrap_or_default();
        Ok(base.map(|(base, _)| format!("{base}{rest}")))
    }

    /// Returns the address that Git pushes to if it is given another one.
    fn push_address_of(&self, given: &str) -> Result<String> {
        if let Some(address) = self.by_push_rule(given)? {
            return Ok(address);
        }
        let output = self.git(&["ls-remote", "--get-url", "--", given]).run_any()?;
        let expanded = String::from_utf8_lossy(&output.stdout).trim_end_matches('\n').to_owned();
        Ok(if expanded.is_empty() { given.to_owned() } else { expanded })
    }

    /// Returns what to call each address that a push to a remote goes to: the name of the remote if
    /// fetching and pushing use the same one. An address is what Git makes of it by
    /// `url.<base>.insteadOf` and `pushInsteadOf`.
    pub(super) fn push_addresses(&self, remote: &str) -> Result<Vec<String>> {
        if !self.has_remote(remote)? {
            return Ok(vec![self.push_address_of(remote)?]);
        }
        let named = vec![remote.to_owned()];
        let lines = |args: &[&str]| -> Result<Vec<String>> {
            let output = self.git(args).arg(remote).run_any()?;
            Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
        };
        let push = lines(&["remote", "get-url", "--push", "--all"])?;
        let fetch = lines(&["remote", "get-url"])?;
        Ok(if push.is_empty() || push == fetch { named } else { push })
    }
}
