//! Plans how the Git hooks go in and out: the hooks directory, and one hook at a time.
//!
//! Git 2.54 and newer read hooks from the configuration; then no hook file is written. For older
//! versions each hook gets a marked block (see `block.rs`). Nothing here writes: a plan is a list
//! of steps, which the caller applies.
//!
//! | the hook before | with `init` |
//! |---|---|
//! | absent | a script of ours |
//! | a shell script | the block goes in after its first line |
//! | a shell script with hard links | as before; the file itself is kept in `before-git-cora/` |
//! | a symbolic link | moves to `before-git-cora/`; a script of ours runs it |
//! | a link to a program that uses files beside it | stays as it is, and the user gets a hint |
//! | not executable, so switched off | moves to `before-git-cora/` and stays off |
//! | another program, or a directory | stays as it is, and the user gets a hint |
//!
//! A program that is not a shell script is not moved: it may look for files beside itself. A hooks
//! directory is left alone if it belongs to someone else: outside the repository, shared by a
//! global setting, or part of the working tree's own content.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use bstr::ByteSlice as _;

use git_cora::git::Repository;

use super::SCRIPTS;
use super::block::{self, Rest};
use crate::setup::config;
use crate::setup::ledger::Ledger;
use crate::setup::step::{self, Step, missing_dirs};

/// Directory, in the hooks directory, of hooks that could not take a block.
pub(crate) const BEFORE: &str = "before-git-cora";

/// Where hook managers move a hook that they find: pre-commit, lefthook, overcommit.
const MOVED: [&str; 3] = ["EVENT.legacy", "EVENT.old", "old-hooks/EVENT"];

/// Hook managers that write a hook which names them, and the files that say what they run.
const MANAGERS: [(&str, &[&str]); 2] = [
    (
        "lefthook",
        &[
            "lefthook.yml",
            ".lefthook.yml",
            "lefthook.yaml",
            ".lefthook.yaml",
            ".config/lefthook.yml",
            "lefthook-local.yml",
        ],
    ),
    ("pre-commit", &[".pre-commit-config.yaml"]),
];

/// The place where hooks are installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Plan {
    /// `hook.*` sections in the repository's configuration.
    Config,
    /// Blocks in the hooks of this directory.
    Files(PathBuf),
    /// Nowhere: this hooks directory is outside the repository, or shared with others.
    Foreign(PathBuf),
    /// Nowhere: this hooks directory is in the work tree and not ignored, so `git status` would
    /// show our changes, and a commit would share them.
    Tracked(PathBuf),
    /// Nowhere: in a bare repository without linked work trees, nobody commits.
    Bare,
    /// Nowhere: `core.hooksPath` names no directory, which switches hooks off. This says why.
    Off(String),
}

/// A hook that is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) event: &'static str,
    /// What is the matter, as in "the hook … is a directory".
    pub(crate) why: String,
}

/// A planned installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InstallReport {
    pub(crate) plan: Plan,
    /// Hooks that are written.
    pub(crate) changed: Vec<&'static str>,
    /// Hooks that were there and move to [`BEFORE`].
    pub(crate) aside: Vec<&'static str>,
    /// Hooks that are left alone.
    pub(crate) refused: Vec<Refusal>,
    pub(crate) steps: Vec<Step>,
}

/// A planned removal of one hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removal {
    pub(crate) event: &'static str,
    pub(crate) steps: Vec<Step>,
    /// What is left for the user to do.
    pub(crate) problem: Option<String>,
}

/// Returns where this repository's hooks are installed.
fn plan(repo: &Repository) -> anyhow::Result<Plan> {
    let is_linked =
        || fs::read_dir(repo.common_dir().join("worktrees")).is_ok_and(|mut all| all.next().is_some());
    if repo.work_dir().is_none() && !is_linked() {
        return Ok(Plan::Bare);
    }
    if config::has_hooks(repo)? {
        return Ok(Plan::Config);
    }
    let output = repo.git(&["rev-parse", "--git-path", "hooks"]).run()?;
    let text = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
    let dir = absolute(repo, &path_of(text));
    if let Some(husky) = husky_dir(&dir) {
        return Ok(Plan::Tracked(husky));
    }
    let setting = repo.config_string("core.hooksPath");
    // Git looks for the hooks of an empty path in the root directory.
    if setting.as_deref() == Some("") {
        return Ok(Plan::Off("'core.hooksPath' is empty".to_owned()));
    }
    if dir.symlink_metadata().is_ok() && !dir.is_dir() {
        return Ok(Plan::Off(format!("'{}' is not a directory", dir.display())));
    }
    let real_dir = real(&dir);
    if real_dir.starts_with(real(repo.common_dir())) {
        let is_shared = setting.is_some() && is_shared(repo)?;
        return Ok(if is_shared { Plan::Foreign(dir) } else { Plan::Files(dir) });
    }
    let Some(inner) = repo.work_dir().and_then(|work| real_dir.strip_prefix(real(work)).ok()) else {
        return Ok(Plan::Foreign(dir));
    };
    if is_shared(repo)? {
        return Ok(Plan::Foreign(dir));
    }
    let mut command = repo.git(&["check-ignore", "--"]);
    for (event, _) in SCRIPTS {
        command = command.arg(inner.join(event));
    }
    let ignored =
        command.run_any()?.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
    Ok(if ignored == SCRIPTS.len() { Plan::Files(dir) } else { Plan::Tracked(dir) })
}

/// Returns the directory of the user's hooks if `dir` is the one that husky makes again with each
/// `npm run prepare`: a block in there would be lost.
fn husky_dir(dir: &Path) -> Option<PathBuf> {
    let husky = dir.parent()?;
    let is_made = dir.ends_with("_") && husky.ends_with(".husky") && dir.join("h").is_file();
    is_made.then(|| husky.to_owned())
}

/// Returns the events for which a hook starts git-cora, whoever wrote the line for it: the user, a
/// hook manager, or `init` in a hook that a manager has moved.
pub(crate) fn started(repo: &Repository, plan: &Plan) -> Vec<&'static str> {
    let (Plan::Files(dir) | Plan::Foreign(dir) | Plan::Tracked(dir)) = plan else { return Vec::new() };
    let read = |path: &Path| match fs::metadata(path) {
        Ok(found) if found.is_file() && is_run(&found.permissions()) => fs::read(path).unwrap_or_default(),
        _ => Vec::new(),
    };
    let is_started = |event: &str| {
        // Husky runs a hook that is not executable, too.
        let own = fs::read(dir.join(event)).unwrap_or_default();
        let active = if dir.ends_with(".husky") { own } else { read(&dir.join(event)) };
        let is_moved = || MOVED.iter().any(|name| starts_us(&read(&dir.join(name.replace("EVENT", event)))));
        starts_us(&active) || !active.is_empty() && is_moved() || is_managed(repo, &active, event)
    };
    SCRIPTS.iter().map(|(event, _)| *event).filter(|event| is_started(event)).collect()
}

/// Returns whether the configuration of the hook manager that wrote this hook names git-cora.
fn is_managed(repo: &Repository, hook: &[u8], event: &str) -> bool {
    let Some(root) = repo.work_dir() else { return false };
    MANAGERS.iter().filter(|(name, _)| hook.contains_str(name)).any(|(_, files)| {
        files.iter().any(|file| {
            let text = fs::read(root.join(file)).unwrap_or_default();
            let names_event = text.contains_str(event) || file.starts_with(".pre-commit");
            names_event && (starts_us(&text) || text.contains_str("id: git-cora"))
        })
    })
}

/// Returns whether a line that is not a comment starts git-cora.
fn starts_us(script: &[u8]) -> bool {
    let commands = ["git-cora hook", "git cora hook", "git-cora index", "git cora index"];
    script
        .lines()
        .map(<[u8]>::trim_ascii_start)
        .any(|line| !line.starts_with(b"#") && commands.iter().any(|command| line.contains_str(command)))
}

/// Whether `core.hooksPath` is one absolute path for more repositories than this one.
fn is_shared(repo: &Repository) -> anyhow::Result<bool> {
    let output = repo.git(&["config", "--show-scope", "--type=path", "--get", "core.hooksPath"]).run_any()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some((scope, path)) = text.split_once('\t') else { return Ok(false) };
    Ok(!["local", "worktree"].contains(&scope) && Path::new(path.trim_end()).is_absolute())
}

/// Returns a path that Git prints relative to the directory where it runs.
fn absolute(repo: &Repository, path: &Path) -> PathBuf {
    repo.work_dir().unwrap_or(repo.git_dir()).join(path)
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// Resolves links and `..`, also in a path of which the last components don't exist yet.
fn real(path: &Path) -> PathBuf {
    if let Ok(path) = git_cora::base::path::real(path) {
        return path;
    }
    match (path.parent(), path.components().next_back()) {
        (Some(parent), Some(Component::ParentDir)) => {
            real(parent).parent().map_or_else(PathBuf::new, Path::to_owned)
        }
        (Some(parent), Some(last)) => real(parent).join(last),
        _ => path.to_owned(),
    }
}

/// Plans the installation. After it, a second call plans nothing.
pub(crate) fn install(repo: &Repository, ledger: &mut Ledger) -> anyhow::Result<InstallReport> {
    let mut installed = InstallReport {
        plan: plan(repo)?,
        changed: Vec::new(),
        aside: Vec::new(),
        refused: Vec::new(),
        steps: Vec::new(),
    };
    let Plan::Files(dir) = installed.plan.clone() else {
        if installed.plan == Plan::Config {
            // Git was updated since: the hook files would run ours a second time.
            installed.steps = uninstall(repo, ledger)?.into_iter().flat_map(|hook| hook.steps).collect();
            ledger.forget_hooks();
        }
        return Ok(installed);
    };
    for (event, script) in SCRIPTS {
        let hook = Hook::new(&dir, event);
        match hook.install(script) {
            Err(why) => installed.refused.push(Refusal { event, why }),
            Ok(steps) if steps.is_empty() => {}
            Ok(steps) => {
                installed.changed.push(event);
                let is_moved = steps.iter().any(|step| step.path() == hook.aside);
                if is_moved && steps.iter().any(|step| matches!(step, Step::Program { .. })) {
                    installed.aside.push(event);
                }
                installed.steps.extend(steps);
            }
        }
    }
    if installed.steps.is_empty() {
        return Ok(installed);
    }
    let missing = missing_dirs(&dir);
    if real(&dir) != real(&repo.common_dir().join("hooks")) {
        ledger.add_hooks(&dir, !missing.is_empty());
    }
    for dir in &missing {
        ledger.add_hooks(dir, true);
    }
    let dirs = missing.into_iter().rev().map(Step::MakeDir);
    installed.steps = dirs.chain(installed.steps).collect();
    Ok(installed)
}

/// Plans the removal of each hook.
///
/// The repository's own hooks directory is always searched: `core.hooksPath` may have been set, or
/// Git updated, since the installation.
pub(crate) fn uninstall(repo: &Repository, ledger: &Ledger) -> anyhow::Result<Vec<Removal>> {
    let own = repo.common_dir().join("hooks");
    let mut dirs = match plan(repo)? {
        Plan::Files(dir) | Plan::Tracked(dir) => vec![own, dir],
        // `.git/hooks` is a link to a directory outside the repository.
        Plan::Foreign(dir) if real(&dir) == real(&own) => Vec::new(),
        Plan::Config | Plan::Foreign(_) | Plan::Bare | Plan::Off(_) => vec![own],
    };
    let noted = ledger.hooks().to_vec();
    dirs.extend(noted.iter().map(|dir| dir.path.clone()));
    let mut seen = Vec::new();
    dirs.retain(|dir| {
        let is_new = !seen.contains(&real(dir));
        seen.push(real(dir));
        is_new
    });
    let mut removals = Vec::new();
    for dir in &dirs {
        for (event, _) in SCRIPTS {
            let (steps, problem) = Hook::new(dir, event).remove_all();
            if !steps.is_empty() || problem.is_some() {
                removals.push(Removal { event, steps, problem });
            }
        }
    }
    if let Some(last) = removals.iter_mut().rev().find(|hook| !hook.steps.is_empty()) {
        last.steps.extend(dirs.iter().map(|dir| Step::RemoveDir(dir.join(BEFORE))));
        // A directory is noted before its parents.
        last.steps.extend(noted.iter().filter(|dir| dir.made).map(|dir| Step::RemoveDir(dir.path.clone())));
    }
    Ok(removals)
}

/// One hook.
struct Hook {
    event: &'static str,
    path: PathBuf,
    /// Where the hook from before is kept.
    aside: PathBuf,
}

/// What has the name of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Present {
    Absent,
    /// A symbolic link with this target.
    Link(PathBuf),
    File {
        bytes: Vec<u8>,
        permissions: fs::Permissions,
    },
    Directory,
    /// A pipe, socket or device.
    Other,
}

impl Present {
    /// # Errors
    /// The reason why it can't be read.
    fn of(path: &Path) -> Result<Self, String> {
        let why = |error: std::io::Error| format!("can't be read: {error}");
        match path.symlink_metadata() {
            Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
                Ok(Self::Absent)
            }
            Err(error) => Err(why(error)),
            Ok(found) if found.is_symlink() => fs::read_link(path).map(Self::Link).map_err(why),
            Ok(found) if found.is_dir() => Ok(Self::Directory),
            Ok(found) if found.is_file() => {
                let bytes = fs::read(path).map_err(why)?;
                Ok(Self::File { bytes, permissions: found.permissions() })
            }
            Ok(_) => Ok(Self::Other),
        }
    }
}

impl Present {
    /// Whether an interrupted installation copied this to where it was to be put aside.
    fn is_twin(&self, aside: &Self) -> bool {
        match (self, aside) {
            (Self::Link(target), Self::Link(moved)) => deeper(target) == *moved,
            (Self::File { .. }, _) => self == aside,
            _ => false,
        }
    }
}

/// Whether Git runs a hook with these permissions: it ignores one that is not executable.
#[cfg(unix)]
fn is_run(permissions: &fs::Permissions) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    permissions.mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_run(_: &fs::Permissions) -> bool {
    true
}

impl Hook {
    fn new(dir: &Path, event: &'static str) -> Self {
        Self { event, path: dir.join(event), aside: dir.join(BEFORE).join(event) }
    }

    /// Plans the installation of this hook; no step if it is installed.
    ///
    /// # Errors
    /// The reason why the hook is left alone.
    fn install(&self, script: &str) -> Result<Vec<Step>, String> {
        let (here, aside) = (Present::of(&self.path)?, Present::of(&self.aside)?);
        let is_aside = aside != Present::Absent && !here.is_twin(&aside);
        let program = |bytes| Step::Program { path: self.path.clone(), bytes };
        let own = || if is_aside { block::wrapper(self.event, script) } else { block::made(script) };
        match here {
            Present::Absent => Ok(vec![program(own())]),
            Present::Directory => Err("is a directory".to_owned()),
            Present::Other => Err("is not a file".to_owned()),
            Present::Link(_) if self.looks_around() => {
                Err("is a link to a program that looks for files beside itself".to_owned())
            }
            Present::Link(target) => {
                let link = Step::Link { path: self.aside.clone(), target: deeper(&target) };
                self.put_aside(is_aside, vec![link, program(block::wrapper(self.event, script))])
            }
            Present::File { bytes, permissions } => match block::without(&bytes) {
                Rest::Altered => {
                    Err("has a git-cora block that was indented, or lacks its first or last line".to_owned())
                }
                Rest::Made if bytes == own() && is_run(&permissions) => Ok(Vec::new()),
                Rest::Made => Ok(vec![program(own())]),
                Rest::Lines(_) if is_aside && block::is_wrapper(&bytes) && is_run(&permissions) => {
                    Ok(Vec::new())
                }
                Rest::Lines(lines) if !is_run(&permissions) => {
                    let write = Step::Write { path: self.path.clone(), bytes: lines };
                    let keep = Step::Keep { from: self.path.clone(), to: self.aside.clone() };
                    self.put_aside(is_aside, vec![write, keep, program(block::wrapper(self.event, script))])
                }
                Rest::Untouched if !is_run(&permissions) => {
                    let keep = Step::Keep { from: self.path.clone(), to: self.aside.clone() };
                    self.put_aside(is_aside, vec![keep, program(block::wrapper(self.event, script))])
                }
                Rest::Lines(lines) => self.install_block(&bytes, &lines, script),
                Rest::Untouched => {
                    let steps = self.install_block(&bytes, &bytes, script)?;
                    if !step::has_more_names(&self.path) {
                        return Ok(steps);
                    }
                    let keep = Step::Keep { from: self.path.clone(), to: self.aside.clone() };
                    self.put_aside(is_aside, [vec![keep], steps].concat())
                }
            },
        }
    }

    /// Whether the file may look for others beside itself.
    fn looks_around(&self) -> bool {
        // Reading a pipe would wait for ever.
        let is_file = fs::metadata(&self.path).is_ok_and(|found| found.is_file());
        is_file && fs::read(&self.path).is_ok_and(|bytes| block::looks_around(&bytes))
    }

    /// Plans a block in these lines, which the hook has besides an older block.
    fn install_block(&self, bytes: &[u8], lines: &[u8], script: &str) -> Result<Vec<Step>, String> {
        let new = block::with(lines, script)?;
        if new == bytes {
            return Ok(Vec::new());
        }
        Ok(vec![Step::Write { path: self.path.clone(), bytes: new }])
    }

    fn put_aside(&self, is_aside: bool, steps: Vec<Step>) -> Result<Vec<Step>, String> {
        if is_aside {
            return Err(format!("can't be moved aside, because '{}' exists", self.aside.display()));
        }
        let dir = self.aside.parent().unwrap_or(Path::new(BEFORE));
        if dir.symlink_metadata().is_ok() && !dir.is_dir() {
            return Err(format!("can't be moved aside, because '{}' is not a directory", dir.display()));
        }
        Ok([vec![Step::MakeDir(dir.to_owned())], steps].concat())
    }

    /// Plans the removal of this hook, also from where a hook manager moved it, and says what can't
    /// be removed.
    fn remove_all(mut self) -> (Vec<Step>, Option<String>) {
        let moved = MOVED.map(|name| self.path.with_file_name(name.replace("EVENT", self.event)));
        let mut others = vec![self.path.clone()];
        others.extend(moved);
        let bytes = |path: &PathBuf| match Present::of(path) {
            Ok(Present::File { bytes, .. }) => bytes,
            _ => Vec::new(),
        };
        // The hook from before returns to where its script is now.
        let is_home =
            |path: &&PathBuf| block::is_wrapper(&bytes(path)) && block::without(&bytes(path)) == Rest::Made;
        if let Some(home) = others.iter().find(is_home) {
            self.path = home.clone();
        }
        let (mut steps, problem) = self.remove();
        for path in others.iter().filter(|path| **path != self.path) {
            let other = Self { event: self.event, path: path.clone(), aside: PathBuf::new() };
            if let Ok(here @ Present::File { .. }) = Present::of(path) {
                steps.extend(other.remove_block(&here, block::without(&bytes(path))));
            }
        }
        (steps, problem)
    }

    /// Plans the removal of this hook, and says what can't be removed.
    fn remove(&self) -> (Vec<Step>, Option<String>) {
        let path = self.path.display();
        let (here, aside) = match (Present::of(&self.path), Present::of(&self.aside)) {
            (Ok(here), Ok(aside)) => (here, aside),
            (Err(why), _) => return (Vec::new(), Some(format!("'{path}' {why}"))),
            (_, Err(why)) => return (Vec::new(), Some(format!("'{}' {why}", self.aside.display()))),
        };
        let rest = match &here {
            Present::File { bytes, .. } => block::without(bytes),
            _ => Rest::Untouched,
        };
        if rest == Rest::Altered {
            return (
                Vec::new(),
                Some(format!(
                    "'{path}' has a git-cora block that was indented, or lacks its first or last line"
                )),
            );
        }
        if aside == Present::Absent {
            return (self.remove_block(&here, rest), None);
        }
        if here.is_twin(&aside) {
            return (vec![Step::Remove(self.aside.clone())], None);
        }
        let write = |lines| Step::Write { path: self.path.clone(), bytes: lines };
        match (&here, rest) {
            (Present::Absent, _) | (_, Rest::Made) => (self.put_back(&here, &aside), None),
            (Present::File { bytes, .. }, Rest::Lines(lines)) if block::is_wrapper(bytes) => {
                let kept = self.aside.display();
                (vec![write(lines)], Some(format!("'{path}' was edited; the previous hook is '{kept}'")))
            }
            // A hook with hard links: its own file comes back, unless the user edited the new one.
            (Present::File { permissions, .. }, Rest::Lines(bytes)) => {
                if aside == (Present::File { bytes: bytes.clone(), permissions: permissions.clone() }) {
                    return (self.put_back(&here, &aside), None);
                }
                // Elsewhere, the hook from before still has its other names.
                if step::has_more_names(&self.aside) {
                    return (vec![write(bytes), Step::Remove(self.aside.clone())], None);
                }
                let kept = self.aside.display();
                let problem = format!("'{path}' was replaced; the previous hook is '{kept}'");
                (vec![write(bytes)], Some(problem))
            }
            _ => {
                let kept = self.aside.display();
                let problem = format!("'{path}' was replaced; the previous hook is '{kept}'");
                (Vec::new(), Some(problem))
            }
        }
    }

    /// Plans the removal of the block where nothing was put aside.
    fn remove_block(&self, here: &Present, rest: Rest) -> Vec<Step> {
        match (here, rest) {
            (_, Rest::Made) => vec![Step::Remove(self.path.clone())],
            (_, Rest::Lines(bytes)) => vec![Step::Write { path: self.path.clone(), bytes }],
            // The user moved the hook elsewhere, and linked it here.
            (Present::Link(_), _) => step::behind_links(&self.path)
                .ok()
                .and_then(|path| match block::without(&fs::read(&path).ok()?) {
                    Rest::Lines(bytes) => Some(vec![Step::Write { path, bytes }]),
                    _ => None,
                })
                .unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// Plans that the hook from before returns to its place.
    fn put_back(&self, here: &Present, aside: &Present) -> Vec<Step> {
        let Present::Link(target) = aside else {
            return vec![Step::Move { from: self.aside.clone(), to: self.path.clone() }];
        };
        let remove = (*here != Present::Absent).then(|| Step::Remove(self.path.clone()));
        let link = Step::Link { path: self.path.clone(), target: shallower(target) };
        remove.into_iter().chain([link, Step::Remove(self.aside.clone())]).collect()
    }
}

/// Returns the target of a link that moves into [`BEFORE`].
fn deeper(target: &Path) -> PathBuf {
    if target.is_absolute() { target.to_owned() } else { Path::new("..").join(target) }
}

/// Returns the target of a link that moves back.
fn shallower(target: &Path) -> PathBuf {
    // Not by components, which would drop a `.` or a final slash that the user wrote.
    let bytes = target.as_os_str().as_encoded_bytes();
    let rest = bytes.strip_prefix(b"../").or_else(|| bytes.strip_prefix(b"..\\"));
    rest.map_or_else(|| target.to_owned(), path_of)
}
