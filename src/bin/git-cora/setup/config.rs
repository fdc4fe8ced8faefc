//! What `git cora init` puts into the repository's configuration, and how it comes out again.
//!
//! `git config` edits a copy of the file, so that a plan changes nothing. The change of the whole
//! file is one [`Edit`], and one step writes it. Two things go into the configuration:
//!
//! - Hooks, from Git 2.54 on, which reads hooks from there.
//! - Values of `log.excludeDecoration` that hide our refs. Git 2.39 and newer decorate only with
//!   branches, tags and the like, unless some `log.excludeDecoration` is set. So a value of ours
//!   would show everyone else's refs. It is set only where Git decorates with all refs anyway.
//!
//! Older versions of this program set both values always. They are removed.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;

use git_cora::git::Repository;

use super::ledger::{Edit, Ledger};
use super::step::{self, Step};

/// Values of [`DECORATION`] that hide our refs in `git log`. The commits need no hiding, since they
/// have the oldest possible date.
const HIDDEN: [&str; 2] = ["refs/cora/*", "refs/cora-local/*"];
const DECORATION: &str = "log.excludeDecoration";

/// First version of Git that decorates with branches, tags and the like only.
const NARROW_DECORATION: (u32, u32) = (2, 39);
/// First version of Git that runs hooks from its configuration.
const CONFIG_HOOKS: (u32, u32) = (2, 54);

/// Name of the file in the ledger.
const FILE: &str = "config";

/// The planned change of the configuration.
#[derive(Debug, Default)]
pub(crate) struct ConfigPlan {
    pub(crate) steps: Vec<Step>,
    /// Hooks that are added or removed.
    pub(crate) hooks: Vec<&'static str>,
    /// Settings that are added, as `key = value`.
    pub(crate) added: Vec<String>,
    /// Settings that are removed, as `key = value`.
    pub(crate) removed: Vec<String>,
}

/// What the configuration is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) hooks: bool,
    pub(crate) decoration: bool,
}

/// Returns Git's major and minor version.
pub(crate) fn version(repo: &Repository) -> anyhow::Result<(u32, u32)> {
    let output = repo.git(&["version"]).run()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or_default()
        .split('.')
        .map(|part| part.parse().unwrap_or(0));
    Ok((numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)))
}

/// Whether Git runs hooks from its configuration.
pub(crate) fn has_hooks(repo: &Repository) -> anyhow::Result<bool> {
    Ok(version(repo)? >= CONFIG_HOOKS)
}

/// Plans the configuration that `git cora init` leaves, and notes the edit in the ledger.
///
/// `wanted` says what this call installs. What an earlier call installed stays, as far as this
/// version of Git needs it.
pub(crate) fn plan(repo: &Repository, ledger: &mut Ledger, wanted: Contents) -> anyhow::Result<ConfigPlan> {
    let current = Draft::open(repo)?;
    let (before, had) = current.bare(ledger)?;
    let version = version(repo)?;
    let needs_hooks = version >= CONFIG_HOOKS && (wanted.hooks || had.hooks);
    let shows_all = version < NARROW_DECORATION || shows_all(repo);
    let needs_decoration = shows_all && (wanted.decoration || had.decoration);
    let after = before.copy()?;
    if needs_decoration {
        let present = after.values(DECORATION)?;
        for value in HIDDEN.iter().filter(|value| !present.iter().any(|one| one == *value)) {
            after.edit(&["--add", DECORATION, value])?;
        }
    }
    if needs_hooks {
        for (event, _) in crate::hook::SCRIPTS {
            after.edit(&[&format!("hook.git-cora-{event}.command"), &hook_command(event)])?;
            after.edit(&[&format!("hook.git-cora-{event}.event"), event])?;
        }
    }
    let edit = Edit::between(FILE.to_owned(), Some(&before.bytes()?), &after.bytes()?);
    let is_edit = before.bytes()? != after.bytes()?;
    ledger.set(FILE, is_edit.then_some(edit));
    current.change_to(&after)
}

/// Plans the configuration without anything of ours, and drops the edit from the ledger.
pub(crate) fn plan_removal(repo: &Repository, ledger: &mut Ledger) -> anyhow::Result<ConfigPlan> {
    let current = Draft::open(repo)?;
    let (after, _) = current.bare(ledger)?;
    ledger.set(FILE, None);
    current.change_to(&after)
}

/// Whether `git log` decorates with all refs, whatever we set.
fn shows_all(repo: &Repository) -> bool {
    let others = repo.config_all(DECORATION);
    others.iter().any(|value| !HIDDEN.contains(&value.as_str()))
        || repo.config_string("log.initialDecorationSet").as_deref() == Some("all")
}

/// Returns the shell command of a hook in the configuration; it does the same as the scripts.
fn hook_command(event: &str) -> String {
    format!(
        "if [ \"${{CORA-}}\" != 0 ] && command -v git-cora >/dev/null 2>&1; then (git-cora hook {event} </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &); fi || :"
    )
}

/// A copy of the configuration that `git config` may edit.
struct Draft<'r> {
    repo: &'r Repository,
    path: PathBuf,
    file: tempfile::TempPath,
}

impl<'r> Draft<'r> {
    fn open(repo: &'r Repository) -> anyhow::Result<Self> {
        let path = repo.common_dir().join("config");
        let context = || format!("can't read '{}'", path.display());
        let path = step::behind_links(&path).with_context(context)?;
        let bytes = fs::read(&path).with_context(context)?;
        Self::new(repo, path.clone(), &bytes)
    }

    fn new(repo: &'r Repository, path: PathBuf, bytes: &[u8]) -> anyhow::Result<Self> {
        const COMPLAINT: &str = "can't write a temporary file";
        // `git config` writes to a `.lock` file beside it, and then renames that.
        let written = |file: std::io::Result<tempfile::NamedTempFile>| -> std::io::Result<_> {
            let mut file = file?;
            file.write_all(bytes)?;
            file.flush()?;
            Ok(file)
        };
        // The directory of temporary files may be missing, full or read-only.
        let beside = path.parent().unwrap_or(&path);
        let file = written(tempfile::NamedTempFile::new())
            .or_else(|_| written(tempfile::NamedTempFile::new_in(beside)))
            .context(COMPLAINT)?;
        // Windows replaces no file that is open.
        Ok(Self { repo, path, file: file.into_temp_path() })
    }

    fn copy(&self) -> anyhow::Result<Self> {
        Self::new(self.repo, self.path.clone(), &self.bytes()?)
    }

    fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        fs::read(&self.file).context("can't read a temporary file")
    }

    fn command(&self, args: &[&str]) -> git_cora::git::Command {
        // The path goes through the environment's own type, as it need not be UTF-8.
        let mut command = self.repo.git(&["config", "--file"]).arg(&*self.file);
        for arg in args {
            command = command.arg(arg);
        }
        command
    }

    fn edit(&self, args: &[&str]) -> anyhow::Result<()> {
        self.command(args).run()?;
        Ok(())
    }

    fn values(&self, key: &str) -> anyhow::Result<Vec<String>> {
        let output = self.command(&["--get-all", key]).run_any()?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    /// Returns our hooks and our values of [`DECORATION`] in this file.
    fn ours(&self) -> anyhow::Result<(Vec<&'static str>, Vec<&'static str>)> {
        let listed = self.command(&["--list", "--name-only"]).run()?;
        let keys = String::from_utf8_lossy(&listed.stdout).into_owned();
        let has = |key: &str| keys.lines().any(|line| line.eq_ignore_ascii_case(key));
        let events = crate::hook::SCRIPTS.map(|(event, _)| event);
        let hooks = events.into_iter().filter(|event| has(&format!("hook.git-cora-{event}.event"))).collect();
        let values = if has(DECORATION) { self.values(DECORATION)? } else { Vec::new() };
        let hidden = HIDDEN.into_iter().filter(|value| values.iter().any(|one| one == value)).collect();
        Ok((hooks, hidden))
    }

    /// Returns the file as it is without anything of ours, and what it had.
    fn bare(&self, ledger: &Ledger) -> anyhow::Result<(Self, Contents)> {
        let (hooks, hidden) = self.ours()?;
        let edit = ledger.edit(FILE);
        // Versions without a ledger set both values. A single one is the user's.
        let is_ours = edit.is_some() || hidden.len() == HIDDEN.len();
        let had = Contents { hooks: !hooks.is_empty(), decoration: is_ours && !hidden.is_empty() };
        let bytes = self.bytes()?;
        if let Some(bytes) = edit.and_then(|edit| edit.undo(&bytes)) {
            return Ok((Self::new(self.repo, self.path.clone(), &bytes)?, had));
        }
        let bare = self.copy()?;
        for event in hooks {
            bare.edit(&["--remove-section", &format!("hook.git-cora-{event}")])?;
        }
        for value in hidden.iter().filter(|_| is_ours) {
            bare.edit(&["--unset-all", DECORATION, &format!("^{}$", value.replace('*', "\\*"))])?;
        }
        Ok((bare, had))
    }

    /// Plans the change from this file to another.
    fn change_to(&self, after: &Self) -> anyhow::Result<ConfigPlan> {
        let (before, bytes) = (self.bytes()?, after.bytes()?);
        if before == bytes {
            return Ok(ConfigPlan::default());
        }
        let ((hooks_before, hidden_before), (hooks_after, hidden_after)) = (self.ours()?, after.ours()?);
        let line = |value: &&str| format!("{DECORATION} = {value}");
        let only = |these: &[&'static str], others: &[&'static str]| -> Vec<&'static str> {
            these.iter().filter(|one| !others.contains(one)).copied().collect()
        };
        let hooks = [only(&hooks_after, &hooks_before), only(&hooks_before, &hooks_after)].concat();
        Ok(ConfigPlan {
            steps: vec![Step::Locked { path: self.path.clone(), before, bytes }],
            hooks,
            added: only(&hidden_after, &hidden_before).iter().map(line).collect(),
            removed: only(&hidden_before, &hidden_after).iter().map(line).collect(),
        })
    }
}
