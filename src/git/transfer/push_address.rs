//! The addresses that a push goes to.
//!
//! Git rewrites an address by `url.<base>.insteadOf`, and one to push to by `pushInsteadOf`. What is
//! asked which commits it has must be what is written to. So addresses are rewritten once, here, and
//! Git then takes them as they are.

use crate::git::{Repository, Result};

impl Repository {
    /// Returns whether this is the name of a configured remote.
    ///
    /// # Errors
    /// [`Error::Command`] if they can't be listed.
    pub fn has_remote(&self, name: &str) -> Result<bool> {
        Ok(self.remotes()?.iter().any(|one| one == name))
    }

    /// Returns arguments for Git by which it uses an address as it is: `url.<base>.insteadOf` and
    /// `pushInsteadOf` were applied before. The longest rule counts, and none is longer than the
    /// address. Empty for the name of a remote.
    pub(super) fn as_it_is(&self, address: &str) -> Result<Vec<String>> {
        // The name of a setting ends at the first equals sign.
        if address.contains('=') || self.has_remote(address)? {
            return Ok(Vec::new());
        }
        let rules = ["insteadOf", "pushInsteadOf"].map(|rule| format!("url.{address}.{rule}={address}"));
        Ok(rules.into_iter().flat_map(|rule| ["-c".to_owned(), rule]).collect())
    }

    /// Returns the address that Git pushes to if it is given another one.
    fn push_address_of(&self, given: &str) -> Result<String> {
        let rules = self.git(&["config", "-z", "--get-regexp", r"^url\..*\.pushinsteadof$"]).run_any()?;
        let rules = String::from_utf8_lossy(&rules.stdout).into_owned();
        let rules = rules.split('\0').filter_map(|rule| rule.split_once('\n'));
        let fitting = rules.filter(|(_, begin)| !begin.is_empty() && given.starts_with(begin));
        if let Some((key, begin)) = fitting.max_by_key(|(_, begin)| begin.len())
            && let Some((base, _)) = key.strip_prefix("url.").and_then(|key| key.rsplit_once('.'))
        {
            return Ok(format!("{base}{}", given.get(begin.len()..).unwrap_or_default()));
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
