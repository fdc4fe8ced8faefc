//! `git cora init --agent`: adds our server to the configuration of an agent's client, and removes
//! it. With `--skill` it also writes what tells the agent when to use which command.
//!
//! Each agent has files in the project ([`file::files`]). The ledger notes each edit of a file, so
//! that removing our part restores the file byte for byte. If several files are asked for, all are
//! read and checked before the first is written. No file is read or written behind a link that
//! leads out of the work tree or into a Git directory ([`place`]).
//!
//! A skill is written only if it is asked for. A client's entry concerns whoever uses that client;
//! a skill and permissions are instructions and rights for every agent of everyone who gets the
//! files, so a person should decide on them. The server's own instructions serve until then.

mod client;
mod document;
mod file;
mod permission;
mod place;

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use git_cora::git::Repository;

use crate::setup::ledger::{Edit, Ledger};
use crate::setup::step::{self, SharedDir, Step};
use crate::terminal::Context;

use super::args::setup::Agent;
use file::AgentFile;

/// A planned change of an agent's file.
struct FileChange {
    file: AgentFile,
    /// The path behind all links, from the root of the work tree.
    place: PathBuf,
    /// The file's text after the change; `None` if our part is there already.
    new: Option<String>,
    edit: Option<Edit>,
    steps: Vec<Step>,
}

/// Adds our part to the files of each of these agents, or to none.
pub(crate) fn add(
    context: &Context,
    repo: &Repository,
    agents: &[Agent],
    with_skill: bool,
    dry_run: bool,
) -> anyhow::Result<()> {
    let root = root(repo)?;
    let mut ledger = Ledger::open(repo);
    let (mut changes, mut errors) = (Vec::new(), Vec::new());
    for file in file::files().filter(|file| file.is_for(agents, with_skill)) {
        let path = file.path;
        match plan_addition(repo, &root, file, with_skill, &ledger) {
            Ok(change) => changes.push(change),
            Err(error) => {
                errors.push(error.context(format!("can't add to '{path}', which was left unchanged")));
            }
        }
    }
    if let Some(last) = errors.pop() {
        for error in errors {
            context.complain(&format!("error: {error:#}"));
        }
        for change in &changes {
            context.complain(&format!("note: '{}' was left unchanged too", change.file.path));
        }
        return Err(last);
    }
    for change in &mut changes {
        if let Some(edit) = change.edit.take() {
            ledger.set(&edit.file.clone(), Some(edit));
        }
    }
    let steps = changes.iter().flat_map(|change| change.steps.clone());
    let steps: Vec<_> = ledger.steps()?.into_iter().chain(steps).collect();
    if !dry_run {
        step::apply(&steps, Some(&SharedDir::of(repo)))?;
    }
    for change in &changes {
        let (path, part) = (named(change.file.path, &change.place), change.file.part());
        match &change.new {
            None => context.say(&format!("agent: 'cora' is already in {path}")),
            Some(new) => {
                let did = if dry_run { "would add" } else { "added" };
                context.say(&format!("agent: {did} {part} in {path}"));
                if dry_run {
                    context.print(new)?;
                }
                if let Some(then) = change.file.then() {
                    context.say(&format!("hint: {then}"));
                }
            }
        }
    }
    if !with_skill && changes.iter().any(|change| change.file.is_server() && change.new.is_some()) {
        context.say("hint: add '--skill' to tell the agent when to search, and to permit read-only commands");
    }
    Ok(())
}

fn plan_addition(
    repo: &Repository,
    root: &Path,
    file: AgentFile,
    with_skill: bool,
    ledger: &Ledger,
) -> anyhow::Result<FileChange> {
    let place = place::inside(repo, root, file.path)?;
    let path = step::behind_links(&root.join(file.path))?;
    let current = read(&path)?;
    let name = Ledger::agent_file(repo, file.path);
    let edit = ledger.edit(&name);
    let undone = edit.zip(current.as_ref()).and_then(|(edit, text)| edit.undo(text.as_bytes()));
    let undone = undone.and_then(|bytes| String::from_utf8(bytes).ok());
    let base = match (edit, undone) {
        (Some(edit), Some(text)) if edit.made_file && text.is_empty() => None,
        (_, Some(text)) => Some(text),
        _ => current.clone(),
    };
    let new = file.added(base.as_deref().unwrap_or_default(), current.as_deref(), with_skill)?;
    let Some(new) = new.filter(|new| current.as_ref() != Some(new)) else {
        return Ok(FileChange { file, place, new: None, edit: None, steps: Vec::new() });
    };
    let mut noted = Edit::between(name, base.as_deref().map(str::as_bytes), new.as_bytes());
    let missing = missing_dirs(root, &file, &path)?;
    let mut steps: Vec<_> = missing.iter().rev().map(|dir| Step::MakeDir(root.join(dir))).collect();
    noted.made_dirs = dirs(file.path).filter(|dir| missing.contains(dir) || ledger.made(repo, dir)).collect();
    steps.push(write(&path, &new));
    Ok(FileChange { file, place, new: Some(new), edit: Some(noted), steps })
}

/// Returns the directories around a file that don't exist, innermost first, as paths from the root.
/// Directories are made in the work tree only, not behind a link.
fn missing_dirs(root: &Path, file: &AgentFile, path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let dir = path.parent().context("it has no directory")?;
    if dir.is_dir() {
        return Ok(Vec::new());
    }
    let is_inside = root.join(file.path) == *path;
    let missing: Vec<_> = dirs(file.path).filter(|dir| !root.join(dir).is_dir()).collect();
    let is_free = missing.iter().all(|dir| root.join(dir).symlink_metadata().is_err());
    anyhow::ensure!(is_inside && is_free, "the directory '{}' does not exist", dir.display());
    Ok(missing)
}

/// Returns the directories around a path below the root, innermost first.
fn dirs(path: &str) -> impl Iterator<Item = PathBuf> {
    let around = Path::new(path).ancestors().skip(1);
    around.take_while(|dir| !dir.as_os_str().is_empty()).map(Path::to_owned)
}

/// Returns what a report calls a file: its path, and where it is if links lead to it.
fn named(path: &str, place: &Path) -> String {
    if place == Path::new(path) {
        format!("'{path}'")
    } else {
        format!("'{path}' (a link to '{}')", place.display())
    }
}

/// Removes our part from the files of every agent, and restores what was there before. Returns the
/// files that had it, and what it was. Goes on past a file that it can't handle, and adds it to
/// `problems` if our part is in it.
pub(crate) fn remove(
    context: &Context,
    repo: &Repository,
    ledger: &mut Ledger,
    dry_run: bool,
    problems: &mut Vec<String>,
) -> Vec<(String, String)> {
    let Ok(root) = root(repo) else { return Vec::new() };
    let mut removed = Vec::new();
    let mut notes: Vec<String> = Vec::new();
    for file in file::files() {
        let name = Ledger::agent_file(repo, file.path);
        let done = place::inside(repo, &root, file.path).and_then(|place| {
            let steps = plan_removal(&root, &file, ledger.edit(&name))?;
            if !dry_run {
                step::apply(&steps, Some(&SharedDir::of(repo)))?;
            }
            Ok((!steps.is_empty()).then_some(place))
        });
        match done {
            Ok(place) => {
                removed.extend(place.map(|place| (file.part(), named(file.path, &place))));
                ledger.set(&name, None);
            }
            Err(error) => {
                let has_part = ledger.edit(&name).is_some();
                let list = if has_part { &mut *problems } else { &mut notes };
                // Several files may be behind one link.
                list.push(format!("{error:#}"));
                list.dedup();
            }
        }
    }
    for note in notes {
        context.complain(&format!("note: {note}; it was left unchanged"));
    }
    removed
}

fn plan_removal(root: &Path, file: &AgentFile, edit: Option<&Edit>) -> anyhow::Result<Vec<Step>> {
    let link = root.join(file.path);
    let path = step::behind_links(&link).with_context(|| format!("can't read '{}'", link.display()))?;
    let Some(old) = read_bytes(&path)? else { return Ok(Vec::new()) };
    let remove = |made_dirs: Vec<PathBuf>| {
        let dirs = made_dirs.into_iter().map(|dir| Step::RemoveDir(root.join(dir)));
        [Step::Remove(path.clone())].into_iter().chain(dirs).collect()
    };
    if let Some((edit, new)) = edit.and_then(|edit| Some((edit, edit.undo(&old)?))) {
        if !(edit.made_file && new.is_empty()) {
            return Ok(vec![write_bytes(&path, new)]);
        }
        return Ok(remove(edit.made_dirs.clone()));
    }
    // A file that can't be parsed contains nothing of ours.
    let Ok(old) = String::from_utf8(old) else { return Ok(Vec::new()) };
    let Ok(Some(new)) = file.removed(&old) else { return Ok(Vec::new()) };
    // Without a note, nobody knows who made a file. It is removed only if nothing is left of it,
    // and never behind a link.
    let is_removed = match edit {
        Some(edit) => edit.made_file && file.is_empty(&new),
        None => !link.is_symlink() && new.trim().is_empty(),
    };
    if is_removed {
        return Ok(remove(edit.map_or_else(|| dirs(file.path).collect(), |edit| edit.made_dirs.clone())));
    }
    Ok(vec![write(&path, &new)])
}

fn root(repo: &Repository) -> anyhow::Result<PathBuf> {
    repo.work_dir()
        .map(Path::to_owned)
        .context("a bare repository has no working tree for the client's configuration")
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    let bytes = read_bytes(path)?;
    bytes
        .map(|bytes| String::from_utf8(bytes).with_context(|| format!("'{}' is not UTF-8", path.display())))
        .transpose()
}

fn read_bytes(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    // Reading a pipe would wait for ever.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        anyhow::bail!("can't read '{}': it is not a file", path.display());
    }
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read '{}'", path.display())),
    }
}

fn write(path: &Path, text: &str) -> Step {
    write_bytes(path, text.as_bytes().to_vec())
}

fn write_bytes(path: &Path, bytes: Vec<u8>) -> Step {
    let path = path.to_owned();
    if step::has_more_names(&path) { Step::Overwrite { path, bytes } } else { Step::Write { path, bytes } }
}
