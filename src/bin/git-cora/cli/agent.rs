//! `git cora init --agent`: adds our server to the configuration of an agent's client, and removes
//! it.
//!
//! Each client has a file in the project ([`CLIENTS`]). The ledger notes each edit of a file, so
//! that removing the entry restores the file byte for byte. If several files are asked for, all are
//! read and checked before the first is written.

mod client;

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use git_cora::git::Repository;

use crate::setup::ledger::{Edit, Ledger};
use crate::setup::step::{self, Step};

use super::args::Agent;
use super::context::Context;
use client::{CLIENTS, Client, NAME};

/// A planned change of a client's file.
struct FileChange {
    client: &'static Client,
    /// The file's text after the change; `None` if the entry is there already.
    new: Option<String>,
    edit: Option<Edit>,
    steps: Vec<Step>,
}

/// Adds the entry to the configuration of each of these clients, or to none.
pub(crate) fn add(
    context: &Context,
    repo: &Repository,
    agents: &[Agent],
    dry_run: bool,
) -> anyhow::Result<()> {
    let root = root(repo)?;
    let mut ledger = Ledger::open(repo);
    let (mut changes, mut errors) = (Vec::new(), Vec::new());
    for client in CLIENTS.iter().filter(|client| agents.contains(&client.agent)) {
        match plan_addition(repo, &root, client, &ledger) {
            Ok(change) => changes.push(change),
            Err(error) => {
                errors
                    .push(error.context(format!("can't add to '{}', which was left unchanged", client.file)));
            }
        }
    }
    if let Some(last) = errors.pop() {
        for error in errors {
            context.complain(&format!("error: {error:#}"));
        }
        for change in &changes {
            context.complain(&format!("note: '{}' was left unchanged too", change.client.file));
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
        step::apply(&steps)?;
    }
    for change in &changes {
        let file = change.client.file;
        match &change.new {
            None => context.say(&format!("agent: already in '{file}'")),
            Some(new) => {
                let did = if dry_run { "would add" } else { "added" };
                context.say(&format!("agent: {did} '{NAME}' in '{file}'"));
                if dry_run {
                    context.print(new)?;
                }
                context.say(&format!("hint: {}", change.client.then));
            }
        }
    }
    Ok(())
}

fn plan_addition(
    repo: &Repository,
    root: &Path,
    client: &'static Client,
    ledger: &Ledger,
) -> anyhow::Result<FileChange> {
    let path = step::behind_links(&root.join(client.file))?;
    let dir = path.parent().context("it has no directory")?;
    let current = read(&path)?;
    let name = Ledger::agent_file(repo, client.file);
    let edit = ledger.edit(&name);
    let undone = edit.zip(current.as_ref()).and_then(|(edit, text)| edit.undo(text.as_bytes()));
    let undone = undone.and_then(|bytes| String::from_utf8(bytes).ok());
    let base = match (edit, undone) {
        (Some(edit), Some(text)) if edit.made_file && text.is_empty() => None,
        (_, Some(text)) => Some(text),
        _ => current.clone(),
    };
    let new = client.added(base.as_deref().unwrap_or_default())?;
    let Some(new) = new.filter(|new| current.as_ref() != Some(new)) else {
        return Ok(FileChange { client, new: None, edit: None, steps: Vec::new() });
    };
    let mut noted = Edit::between(name, base.as_deref().map(str::as_bytes), new.as_bytes());
    let mut steps = Vec::new();
    let is_there = dir.is_dir();
    if !is_there {
        let is_ours = root.join(client.file).parent() == Some(dir) && !dir.is_symlink();
        anyhow::ensure!(is_ours, "the directory '{}' does not exist", dir.display());
        steps.push(Step::MakeDir(dir.to_owned()));
    }
    noted.made_dir = !is_there || edit.is_some_and(|edit| edit.made_dir);
    steps.push(write(&path, &new));
    Ok(FileChange { client, new: Some(new), edit: Some(noted), steps })
}

/// Removes our entry from the configuration of every client, and restores what was there before.
/// Returns the files that had the entry. Goes on past a file that it can't handle, and adds it to
/// `problems` if the entry is in it.
pub(crate) fn remove(
    context: &Context,
    repo: &Repository,
    ledger: &mut Ledger,
    dry_run: bool,
    problems: &mut Vec<String>,
) -> Vec<&'static str> {
    let Ok(root) = root(repo) else { return Vec::new() };
    let mut files = Vec::new();
    for client in &CLIENTS {
        let name = Ledger::agent_file(repo, client.file);
        let planned = plan_removal(&root, client, ledger.edit(&name));
        let done = planned.and_then(|steps| {
            if !dry_run {
                step::apply(&steps)?;
            }
            Ok(!steps.is_empty())
        });
        match done {
            Ok(had_entry) => {
                files.extend(had_entry.then_some(client.file));
                ledger.set(&name, None);
            }
            Err(error) if ledger.edit(&name).is_some() => problems.push(format!("{error:#}")),
            Err(error) => context.complain(&format!("note: {error:#}; it was left unchanged")),
        }
    }
    files
}

fn plan_removal(root: &Path, client: &Client, edit: Option<&Edit>) -> anyhow::Result<Vec<Step>> {
    let link = root.join(client.file);
    let path = step::behind_links(&link).with_context(|| format!("can't read '{}'", link.display()))?;
    let Some(old) = read_bytes(&path)? else { return Ok(Vec::new()) };
    let remove_dir = |is_ours: bool| {
        path.parent().filter(|dir| is_ours && *dir != root).map(|dir| Step::RemoveDir(dir.to_owned()))
    };
    if let Some((edit, new)) = edit.and_then(|edit| Some((edit, edit.undo(&old)?))) {
        if !(edit.made_file && new.is_empty()) {
            return Ok(vec![write_bytes(&path, new)]);
        }
        return Ok([Step::Remove(path.clone())].into_iter().chain(remove_dir(edit.made_dir)).collect());
    }
    // A file that can't be parsed contains no entry of ours.
    let Ok(old) = String::from_utf8(old) else { return Ok(Vec::new()) };
    let Ok(Some(new)) = client.removed(&old) else { return Ok(Vec::new()) };
    // Versions without a ledger made each file that is empty now, unless it is behind a link.
    let is_ours = edit.map_or(!link.is_symlink(), |edit| edit.made_file);
    if is_ours && client.is_empty(&new) {
        let is_dir_ours = edit.is_none_or(|edit| edit.made_dir);
        return Ok([Step::Remove(path.clone())].into_iter().chain(remove_dir(is_dir_ours)).collect());
    }
    Ok(vec![write(&path, &new)])
}

fn root(repo: &Repository) -> anyhow::Result<PathBuf> {
    repo.work_dir().map(Path::to_owned).context("a bare repository has no place for a client's configuration")
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    let bytes = read_bytes(path)?;
    bytes
        .map(|bytes| String::from_utf8(bytes).with_context(|| format!("'{}' is not UTF-8", path.display())))
        .transpose()
}

fn read_bytes(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
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
