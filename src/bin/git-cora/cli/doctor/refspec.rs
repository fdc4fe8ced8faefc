//! Fetch settings that write into our refs.
//!
//! A remote whose refspec maps into `refs/cora/` makes `git fetch --prune` delete the indexes that
//! the remote lacks. `git clone --mirror` sets such a refspec. `git cora doctor` and `git cora
//! init` warn of it.

use git_cora::git::Repository;
use git_cora::index::{LOCAL_PREFIX, REF_PREFIX};

/// A refspec that writes into our refs.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) struct Clash {
    /// The remote that has it.
    remote: String,
    /// The refspec.
    spec: String,
}

impl Clash {
    /// Returns the command that ends the clash.
    pub(in crate::cli) fn advice(&self) -> String {
        let Self { remote, spec } = self;
        let is_ours = spec.contains(REF_PREFIX) || spec.contains(LOCAL_PREFIX);
        if is_ours {
            format!(
                "run 'git config --fixed-value --unset remote.{remote}.fetch \"{spec}\"' to remove that refspec, \
                 because 'git fetch --prune' would delete indexes"
            )
        } else {
            format!(
                "run 'git config --add remote.{remote}.fetch \"^refs/cora*\"' to leave out refs/cora/, \
                 because 'git fetch --prune' would delete indexes"
            )
        }
    }
}

/// Returns the first refspec of a remote that writes into our refs.
pub(in crate::cli) fn clash(repo: &Repository) -> Option<Clash> {
    let output = repo.git(&["config", "--get-regexp", "^remote\\..*\\.fetch$"]).run_any().ok()?;
    first_clash(&String::from_utf8_lossy(&output.stdout))
}

/// As [`clash`], from the lines of `git config --get-regexp`.
fn first_clash(lines: &str) -> Option<Clash> {
    let settings: Vec<(&str, &str)> = lines
        .lines()
        .filter_map(|line| {
            let (key, spec) = line.split_once(' ')?;
            Some((key.strip_prefix("remote.")?.strip_suffix(".fetch")?, spec))
        })
        .collect();
    let is_excluded = |remote: &str, prefix: &str| {
        settings.iter().any(|(other, spec)| {
            let pattern = spec.strip_prefix('^').and_then(|spec| spec.strip_suffix('*'));
            *other == remote && pattern.is_some_and(|pattern| prefix.starts_with(pattern))
        })
    };
    settings.iter().find_map(|(remote, spec)| {
        let target = spec.strip_prefix('+').unwrap_or(spec).split_once(':')?.1;
        let start = target.strip_suffix('*').unwrap_or(target);
        let hits = |prefix: &&str| {
            let is_wide = target.ends_with('*') && prefix.starts_with(start);
            start.starts_with(*prefix) || is_wide && !is_excluded(remote, prefix)
        };
        let found = [REF_PREFIX, LOCAL_PREFIX].iter().any(hits);
        found.then(|| Clash { remote: (*remote).to_owned(), spec: (*spec).to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refspecs_that_write_into_our_refs_clash() {
        for (lines, clashes) in [
            ("remote.o.fetch +refs/heads/*:refs/remotes/o/*", false),
            ("remote.o.fetch +refs/cora/*:refs/cora/*", true),
            ("remote.a.b.fetch refs/cora/embeddings/*:refs/cora/embeddings/*", true),
            ("remote.o.fetch +refs/cora/*:refs/remotes/o/cora/*", false),
            ("remote.o.fetch +refs/*:refs/*", true),
            ("remote.o.fetch +refs/*:refs/remotes/o/all/*", false),
            ("remote.o.fetch +refs/*:refs/*\nremote.o.fetch ^refs/cora/*", true),
            ("remote.o.fetch +refs/*:refs/*\nremote.o.fetch ^refs/cora*", false),
            ("remote.o.fetch +refs/*:refs/*\nremote.p.fetch ^refs/cora*", true),
            ("remote.o.fetch refs/heads/main", false),
            ("remote.o.fetch ", false),
            ("", false),
        ] {
            assert_eq!(first_clash(lines).is_some(), clashes, "{lines}");
        }
    }
}
