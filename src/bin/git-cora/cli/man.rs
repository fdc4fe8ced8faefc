//! `git cora man`: shows a manual page, and installs or deletes all of them.
//!
//! Git turns `git cora --help` into `man git-cora`, before this program starts. So the pages are
//! part of the program, and a user whom no package serves can install them.
#![allow(clippy::disallowed_methods, reason = "starts `man`, and reads where it looks for pages")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use git_cora::answer::view::counted;

use crate::command_error::CommandError;
use crate::setup::step::{self, Step};
use crate::terminal::Context;

use super::{Outcome, args};

/// A manual page: the name of its file, and its text.
struct ManualPage {
    file: &'static str,
    text: &'static str,
}

macro_rules! page {
    ($name:literal) => {
        ManualPage {
            file: concat!($name, ".1"),
            text: include_str!(concat!("../../../../man/", $name, ".1")),
        }
    };
}

const PAGES: &[ManualPage] = &[
    page!("git-cora"),
    page!("git-cora-annotate"),
    page!("git-cora-ask"),
    page!("git-cora-blame"),
    page!("git-cora-changelog"),
    page!("git-cora-diff"),
    page!("git-cora-doctor"),
    page!("git-cora-embed"),
    page!("git-cora-explain"),
    page!("git-cora-export"),
    page!("git-cora-fetch"),
    page!("git-cora-impact"),
    page!("git-cora-index"),
    page!("git-cora-init"),
    page!("git-cora-list"),
    page!("git-cora-log"),
    page!("git-cora-lsp"),
    page!("git-cora-man"),
    page!("git-cora-map"),
    page!("git-cora-mcp"),
    page!("git-cora-prune"),
    page!("git-cora-push"),
    page!("git-cora-query"),
    page!("git-cora-refs"),
    page!("git-cora-related"),
    page!("git-cora-serve"),
    page!("git-cora-show"),
    page!("git-cora-stats"),
    page!("git-cora-uninstall"),
    page!("git-cora-verify"),
    page!("git-cora-watch"),
    page!("git-cora-when"),
];

/// The directory of pages of section 1, below a directory of pages.
const SECTION: &str = "man1";

pub(crate) fn run(context: &Context, args: &args::Man) -> anyhow::Result<Outcome> {
    let dry_run = args.dry_run.dry_run;
    if args.install || args.remove {
        let dir = match &args.dir {
            Some(dir) => context.directory().join(dir),
            None => default_dir()?,
        };
        return if args.install { install(context, &dir, dry_run) } else { remove(context, &dir, dry_run) };
    }
    let name = args.page.as_deref().map_or_else(|| "git-cora".to_owned(), |page| format!("git-cora-{page}"));
    let page = PAGES.iter().find(|page| page.file.strip_suffix(".1") == Some(&name)).ok_or_else(|| {
        let page = args.page.as_deref().unwrap_or_default();
        CommandError::new(format!("no manual page for '{page}'"), "run 'git cora -h' to list the commands")
    })?;
    show(page)
}

/// Shows a page with `man`; prints it where there is no `man`.
fn show(page: &ManualPage) -> anyhow::Result<Outcome> {
    let dir = tempfile::tempdir().context("can't create a temporary file")?;
    let path = dir.path().join(page.file);
    std::fs::write(&path, page.text).with_context(|| format!("can't write '{}'", path.display()))?;
    match Command::new("man").arg(&path).stdin(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(Outcome::Found),
        // Without `man` the help says the same.
        _ => {
            let name =
                page.file.trim_end_matches(".1").trim_start_matches("git-cora").trim_start_matches('-');
            let mut command = super::args::command();
            let found = match command.find_subcommand_mut(name) {
                Some(command) => command,
                None => &mut command,
            };
            found.print_long_help().context("can't write to standard output")?;
            Ok(Outcome::Found)
        }
    }
}

fn install(context: &Context, dir: &Path, dry_run: bool) -> anyhow::Result<Outcome> {
    let section = dir.join(SECTION);
    let mut steps: Vec<_> = step::missing_dirs(&section).into_iter().rev().map(Step::MakeDir).collect();
    steps.extend(
        PAGES
            .iter()
            .map(|page| Step::Write { path: section.join(page.file), bytes: page.text.as_bytes().to_vec() }),
    );
    if !dry_run {
        step::apply(&steps, None)?;
    }
    let did = if dry_run { "would write" } else { "wrote" };
    context.say(&format!("{did} {} manual pages to '{}'", PAGES.len(), section.display()));
    if !dry_run && is_findable() == Some(false) {
        context.say(&format!("hint: add '{}' to MANPATH, so that man finds them", dir.display()));
    }
    Ok(Outcome::Found)
}

/// Deletes our pages, and the directories that are empty then.
fn remove(context: &Context, dir: &Path, dry_run: bool) -> anyhow::Result<Outcome> {
    let section = dir.join(SECTION);
    let pages = PAGES.iter().map(|page| section.join(page.file)).filter(|path| path.is_file());
    let mut steps: Vec<_> = pages.map(Step::Remove).collect();
    if steps.is_empty() {
        context.say(&format!("no manual pages in '{}'", section.display()));
        return Ok(Outcome::Nothing);
    }
    let n_pages = steps.len();
    let share = dir.parent().filter(|share| share.ends_with("share")).map(Path::to_owned);
    steps.extend([Step::RemoveDir(section.clone()), Step::RemoveDir(dir.to_owned())]);
    steps.extend(share.map(Step::RemoveDir));
    if !dry_run {
        step::apply(&steps, None)?;
    }
    let did = if dry_run { "would delete" } else { "deleted" };
    context.say(&format!(
        "{did} {} from '{}'",
        counted(n_pages, "manual page", "manual pages"),
        section.display()
    ));
    Ok(Outcome::Found)
}

/// Returns where `man` looks for the pages of this program: beside a directory `bin` that is on
/// PATH, or in the home directory.
fn default_dir() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("can't find this program")?;
    if let Some(bin) = program.parent().filter(|dir| dir.ends_with("bin"))
        && let Some(prefix) = bin.parent()
    {
        return Ok(prefix.join("share/man"));
    }
    let home =
        std::env::home_dir().context("can't find the home directory; use --dir to say where the pages go")?;
    Ok(home.join(".local/share/man"))
}

/// Whether `man` finds the page of `git cora`; `None` on a system without `man`.
///
/// Looks where man-db and mandoc look: in MANPATH, beside each directory of PATH, and in the
/// system's directories. Asking `man` itself takes 20 ms.
pub(crate) fn is_findable() -> Option<bool> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let bins: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let name = format!("man{}", std::env::consts::EXE_SUFFIX);
    if cfg!(windows) || !bins.iter().any(|dir| dir.join(&name).is_file()) {
        return None;
    }
    let named = std::env::var_os("MANPATH").unwrap_or_default();
    let mut dirs: Vec<PathBuf> =
        std::env::split_paths(&named).filter(|dir| !dir.as_os_str().is_empty()).collect();
    for bin in bins {
        dirs.extend(["../share/man", "../man"].map(|dir| bin.join(dir)));
    }
    dirs.extend(["/usr/share/man", "/usr/local/share/man"].map(PathBuf::from));
    let is_there = |dir: &PathBuf| {
        ["", ".gz", ".zst", ".bz2", ".xz"]
            .iter()
            .any(|end| dir.join(SECTION).join(format!("git-cora.1{end}")).is_file())
    };
    Some(dirs.iter().any(is_there))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_command_has_its_page() {
        let mut expected: BTreeSet<String> = super::super::args::GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().map(|name| format!("git-cora-{name}.1")))
            .collect();
        expected.insert("git-cora.1".to_owned());
        let pages: BTreeSet<String> = PAGES.iter().map(|page| page.file.to_owned()).collect();
        assert_eq!(pages, expected);
        for page in PAGES {
            let title = format!(".TH {} 1 ", page.file.trim_end_matches(".1").to_uppercase());
            assert!(page.text.starts_with(&title), "{}", page.file);
        }
    }
}
