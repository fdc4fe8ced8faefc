//! Installs and removes the Git hooks.
//!
//! Git 2.54 and newer read hooks from the configuration; then no hook file is written. For older
//! versions each hook gets a marked block, right after the first line of an existing hook. At the
//! end of the file the block might never be reached, or hide the hook's exit status. A hooks
//! directory outside the repository belongs to someone else and is not touched.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use git_cora::base::tempfile;
use git_cora::git::Repository;

use super::SCRIPTS;

/// First and last line of our block in a hook.
const BEGIN: &str = "# >>> git-cora >>>";
const END: &str = "# <<< git-cora <<<";

/// First version of Git that runs hooks from its configuration.
const CONFIG_HOOKS: (u32, u32) = (2, 54);

/// The place where hooks are installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    /// `hook.*` sections in the repository's configuration.
    Config,
    /// Blocks in the hooks of this directory.
    Files(PathBuf),
    /// Nowhere: this hooks directory is outside the repository.
    Foreign(PathBuf),
}

/// The result of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InstallReport {
    pub(crate) plan: Plan,
    /// Hooks that were written; in a dry run, those that would be.
    pub(crate) changed: Vec<&'static str>,
    /// Hooks that are not shell scripts and were left alone.
    pub(crate) refused: Vec<&'static str>,
}

/// Returns where this repository's hooks are installed.
pub(crate) fn plan(repo: &Repository) -> anyhow::Result<Plan> {
    if version(repo)? >= CONFIG_HOOKS {
        return Ok(Plan::Config);
    }
    let output = repo.git(&["rev-parse", "--git-path", "hooks"]).run()?;
    let text = String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned();
    let base = repo.work_dir().unwrap_or(repo.git_dir());
    let dir = base.join(&text);
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let is_inside = real(&dir).starts_with(real(repo.common_dir()))
        || repo.work_dir().is_some_and(|work| real(&dir).starts_with(real(work)));
    Ok(if is_inside { Plan::Files(dir) } else { Plan::Foreign(dir) })
}

/// Returns Git's major and minor version.
fn version(repo: &Repository) -> anyhow::Result<(u32, u32)> {
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

/// Installs the hooks; with `dry_run` only returns what would change. A second call changes
/// nothing.
pub(crate) fn install(repo: &Repository, dry_run: bool) -> anyhow::Result<InstallReport> {
    let plan = plan(repo)?;
    let (mut changed, mut refused) = (Vec::new(), Vec::new());
    for (event, script) in SCRIPTS {
        match &plan {
            Plan::Config => {
                let key = format!("hook.git-cora-{event}.event");
                if repo.config_string(&key).as_deref() != Some(event) {
                    changed.push(event);
                    if !dry_run {
                        let command = format!("hook.git-cora-{event}.command");
                        config(repo, &["config", "--local", &command, &config_command(event)])?;
                        config(repo, &["config", "--local", &key, event])?;
                    }
                }
            }
            Plan::Files(dir) => {
                let path = dir.join(event);
                let old = read(&path)?;
                match with_block(old.as_deref(), script) {
                    None => refused.push(event),
                    Some(new) if old.as_deref() == Some(new.as_str()) && is_run(&path) => {}
                    Some(new) => {
                        changed.push(event);
                        if !dry_run {
                            fs::create_dir_all(dir)
                                .with_context(|| format!("can't make '{}'", dir.display()))?;
                            write(&path, &new)?;
                        }
                    }
                }
            }
            Plan::Foreign(_) => {}
        }
    }
    Ok(InstallReport { plan, changed, refused })
}

/// Removes the hooks; with `dry_run` only returns what would change.
///
/// Sections are removed from the configuration and blocks from the hooks. A hook that has no other
/// content is deleted. The repository's own hooks directory is always searched: `core.hooksPath`
/// may have been set, or Git updated, since the installation.
pub(crate) fn uninstall(repo: &Repository, dry_run: bool) -> anyhow::Result<Vec<&'static str>> {
    let mut changed = Vec::new();
    let own = repo.common_dir().join("hooks");
    let dirs = match plan(repo)? {
        // If both are the same directory, the second pass finds no block.
        Plan::Files(dir) => vec![own, dir],
        // `.git/hooks` is a link to a directory outside the repository.
        Plan::Foreign(dir) if dir.canonicalize().ok() == own.canonicalize().ok() => Vec::new(),
        Plan::Config | Plan::Foreign(_) => vec![own],
    };
    for (event, _) in SCRIPTS {
        let section = format!("hook.git-cora-{event}");
        let in_config = repo.config_string(&format!("{section}.event")).is_some();
        if in_config && !dry_run {
            config(repo, &["config", "--local", "--remove-section", &section])?;
        }
        let mut in_file = false;
        for path in dirs.iter().map(|dir| dir.join(event)) {
            let Some(new) = read(&path)?.as_deref().and_then(without_block) else { continue };
            in_file = true;
            if dry_run {
                continue;
            }
            let is_empty = new.lines().all(|line| line.trim().is_empty() || line.starts_with("#!"));
            if is_empty {
                fs::remove_file(&path).with_context(|| format!("can't remove '{}'", path.display()))?;
            } else {
                write(&path, &new)?;
            }
        }
        if in_config || in_file {
            changed.push(event);
        }
    }
    Ok(changed)
}

/// Returns the shell command of a hook in the configuration; it does the same as the scripts.
fn config_command(event: &str) -> String {
    format!(
        "if [ \"${{CORA-}}\" != 0 ] && command -v git-cora >/dev/null 2>&1; then (git-cora hook {event} </dev/null >/dev/null 2>&1 &); fi || :"
    )
}

fn config(repo: &Repository, args: &[&str]) -> anyhow::Result<()> {
    repo.git(args).run()?;
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read '{}'", path.display())),
    }
}

/// Whether Git runs this hook: it ignores one that is not executable.
#[cfg(unix)]
fn is_run(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_run(_: &Path) -> bool {
    true
}

/// Replaces a hook by renaming a temporary file, so that Git never runs half of it.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    tempfile::replace(path, true, text.as_bytes())
        .with_context(|| format!("can't write '{}'", path.display()))
}

/// Returns our block of a script, from the first mark to the last.
fn block(script: &str) -> &str {
    let start = script.find(BEGIN).unwrap_or(0);
    let end = script.find(END).map_or(script.len(), |at| at + END.len());
    script.get(start..end).unwrap_or(script)
}

/// Returns a hook with our block in it; `None` if the hook is not a shell script.
fn with_block(old: Option<&str>, script: &str) -> Option<String> {
    let Some(old) = old else { return Some(script.to_owned()) };
    let old = without_block(old).unwrap_or_else(|| old.to_owned());
    if old.trim().is_empty() {
        return Some(script.to_owned());
    }
    let (first, rest) = old.split_once('\n').unwrap_or((&old, ""));
    if !first.starts_with("#!") {
        // A hook without a `#!` line is run by the shell, too.
        return Some(format!("{}\n{old}", block(script)));
    }
    let is_shell = ["sh", "bash", "dash", "ksh", "zsh"]
        .iter()
        .any(|shell| first.split(['/', ' ']).any(|word| word == *shell));
    is_shell.then(|| format!("{first}\n{}\n{rest}", block(script)))
}

/// Returns a hook without our block; `None` if it has none.
fn without_block(old: &str) -> Option<String> {
    let start = old.find(BEGIN)?;
    let end = start + old.get(start..)?.find(END)? + END.len();
    let after = old.get(end..)?.strip_prefix('\n').unwrap_or(old.get(end..)?);
    Some(format!("{}{after}", old.get(..start)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = SCRIPTS[0].1;

    #[test]
    fn blocks_go_in_and_out_without_a_trace() {
        for foreign in
            ["#!/bin/sh\necho mine\n", "#!/usr/bin/env bash\nset -e\nexit 3\n", "echo no first line\n"]
        {
            let with = with_block(Some(foreign), SCRIPT).unwrap();
            assert!(with.contains(BEGIN) && with.contains(foreign.lines().last().unwrap()));
            assert_eq!(with_block(Some(&with), SCRIPT).unwrap(), with, "twice is once");
            assert_eq!(without_block(&with).unwrap(), foreign);
        }
        assert_eq!(with_block(None, SCRIPT).unwrap(), SCRIPT);
        assert_eq!(with_block(Some("#!/usr/bin/python3\nprint()\n"), SCRIPT), None);
        assert_eq!(without_block("#!/bin/sh\n"), None);
    }

    #[test]
    fn an_old_block_is_replaced() {
        let old = format!("#!/bin/sh\n{BEGIN}\nold\n{END}\necho mine\n");
        let new = with_block(Some(&old), SCRIPT).unwrap();
        assert!(!new.contains("\nold\n") && new.ends_with("echo mine\n"));
    }
}
