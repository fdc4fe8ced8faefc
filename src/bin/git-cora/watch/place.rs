//! Watched directories, and the meaning of a change in one of them.
//!
//! In the Git directory: `HEAD`, `index`, `config`, `packed-refs` and the refs, but not the refs
//! that this program writes itself. In the work tree: the directories with files that are
//! searched. Each is watched on its own, not recursively. So `target`, `node_modules` and
//! other ignored directories cost nothing, however many files are written there.
//!
//! On Windows, the root is watched recursively, and events of other directories are dropped: nobody
//! can rename a directory there while one below it is watched.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use bstr::ByteVec as _;
use notify::event::{CreateKind, EventKind, ModifyKind, RemoveKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use git_cora::Session;
use git_cora::answer::view::counted;
use git_cora::base::threads::lock;

/// Capacity of the event queue. A full queue loses nothing, as each round looks at everything.
const WAITING: usize = 1024;

/// The meaning of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// A ref may have moved.
    Refs,
    /// A file of the work tree may have changed.
    Files,
    /// Directories may have appeared or disappeared.
    Directories,
    /// Events were lost, so anything may have changed.
    Unknown,
}

/// Whether directories are watched with all directories below them.
const IS_RECURSIVE: bool = cfg!(windows);

/// The set of watched directories.
pub(super) struct Places {
    watcher: RecommendedWatcher,
    watched: HashSet<PathBuf>,
    /// The directories whose events count.
    wanted: Arc<Mutex<HashSet<PathBuf>>>,
    root: Option<PathBuf>,
    git_dirs: Vec<PathBuf>,
    n_refused: usize,
}

impl Places {
    /// Creates a watcher that watches nothing yet, and the receiver of its changes.
    pub(super) fn new(session: &Session) -> anyhow::Result<(Self, Receiver<Change>)> {
        let repo = session.repo();
        let (sender, receiver) = sync_channel(WAITING);
        let root = repo.work_dir().map(Path::to_owned);
        let mut git_dirs = vec![repo.git_dir().to_owned(), repo.common_dir().to_owned()];
        git_dirs.dedup();
        let dirs = git_dirs.clone();
        let wanted: Arc<Mutex<HashSet<PathBuf>>> = Arc::default();
        let counting = Arc::clone(&wanted);
        let watcher = notify::recommended_watcher(move |mut event: notify::Result<notify::Event>| {
            if IS_RECURSIVE && let Ok(event) = &mut event {
                event.paths.retain(|path| is_wanted(&lock(&counting), path));
            }
            tell(&sender, &dirs, event);
        });
        let watcher = watcher.context("the operating system can't watch files")?;
        let places = Self { watcher, watched: HashSet::new(), wanted, root, git_dirs, n_refused: 0 };
        Ok((places, receiver))
    }

    /// Updates the watched directories to those that exist now. Returns a warning when the
    /// operating system begins to refuse some.
    pub(super) fn look(&mut self, session: &Session) -> anyhow::Result<Option<String>> {
        let mut wanted: HashSet<PathBuf> = HashSet::new();
        for dir in &self.git_dirs {
            wanted.insert(dir.clone());
            wanted.insert(dir.join("reftable"));
            below(&dir.join("refs"), &mut wanted);
        }
        if let Some(root) = &self.root {
            wanted.insert(root.clone());
            for path in session.repo().listed_files()? {
                let Ok(path) = Vec::from(path).into_path_buf() else { continue };
                let above = path.ancestors().skip(1).map(|dir| root.join(dir));
                for dir in above {
                    if !wanted.insert(dir) {
                        break;
                    }
                }
            }
        }
        wanted.retain(|dir| dir.is_dir());
        lock(&self.wanted).clone_from(&wanted);
        if IS_RECURSIVE {
            wanted = outermost(&wanted);
        }
        for gone in self.watched.iter().filter(|dir| !wanted.contains(*dir)) {
            // Fails if the directory was deleted, which is fine.
            let _ = self.watcher.unwatch(gone);
        }
        self.watched.retain(|dir| wanted.contains(dir));
        let had_refused = self.n_refused > 0;
        (self.n_refused, self.watched) = self.watch(wanted)?;
        if self.n_refused == 0 || had_refused {
            return Ok(None);
        }
        Ok(Some(format!(
            "{} be watched: the system's limit is reached. The repository is checked every two seconds \
            instead. To raise the limit, run 'sudo sysctl fs.inotify.max_user_watches=1048576'",
            counted(self.n_refused, "directory can't", "directories can't")
        )))
    }

    fn watch(&mut self, wanted: HashSet<PathBuf>) -> anyhow::Result<(usize, HashSet<PathBuf>)> {
        let mut watched = std::mem::take(&mut self.watched);
        let mut n_refused = 0;
        for dir in wanted {
            if watched.contains(&dir) {
                continue;
            }
            let mode = if IS_RECURSIVE { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(&dir, mode) {
                Ok(()) => drop(watched.insert(dir)),
                Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) || !dir.exists() => {}
                Err(error) if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) => n_refused += 1,
                Err(error) => {
                    return Err(error).with_context(|| format!("can't watch '{}'", dir.display()));
                }
            }
        }
        Ok((n_refused, watched))
    }

    /// Whether changes can happen without an event.
    pub(super) fn is_blind(&self) -> bool {
        self.n_refused > 0
    }

    /// Returns a description of the watched directories, for the user.
    pub(super) fn describe(&self) -> String {
        let root = self.root.as_ref().or(self.git_dirs.first());
        let shown = root.map(|root| root.display().to_string()).unwrap_or_default();
        format!(
            "'{shown}', {}",
            counted(lock(&self.wanted).len().saturating_sub(self.n_refused), "directory", "directories")
        )
    }
}

/// Returns the directories that are below no other one.
fn outermost(dirs: &HashSet<PathBuf>) -> HashSet<PathBuf> {
    let is_below = |dir: &PathBuf| dir.ancestors().skip(1).any(|above| dirs.contains(above));
    dirs.iter().filter(|dir| !is_below(dir)).cloned().collect()
}

/// Whether a change of this path counts: it is in one of these directories, or one of them.
fn is_wanted(dirs: &HashSet<PathBuf>, path: &Path) -> bool {
    dirs.contains(path) || path.parent().is_some_and(|dir| dirs.contains(dir))
}

/// Adds a directory and those below it, without following links.
fn below(dir: &Path, found: &mut HashSet<PathBuf>) {
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        if is_ours(&dir) {
            continue;
        }
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(entry.path());
            }
        }
        found.insert(dir);
    }
}

/// Whether this path belongs to refs that this program writes.
fn is_ours(path: &Path) -> bool {
    let mut parts = path.components().map(|part| part.as_os_str()).skip_while(|part| *part != "refs").skip(1);
    parts.next().is_some_and(|part| part == "cora" || part == "cora-local")
}

/// Sends the meaning of an event of the operating system.
fn tell(sender: &SyncSender<Change>, git_dirs: &[PathBuf], event: notify::Result<notify::Event>) {
    let changes = match event {
        Ok(event) if event.need_rescan() => vec![Change::Unknown],
        Ok(event) => meanings(git_dirs, &event),
        Err(_) => vec![Change::Unknown],
    };
    for change in changes {
        // If the queue is full, the waiting changes suffice to look at everything.
        if let Err(TrySendError::Disconnected(_)) = sender.try_send(change) {
            return;
        }
    }
}

fn meanings(git_dirs: &[PathBuf], event: &notify::Event) -> Vec<Change> {
    let is_structure = match event.kind {
        EventKind::Access(_) | EventKind::Other => return Vec::new(),
        EventKind::Create(CreateKind::Folder) | EventKind::Remove(RemoveKind::Folder) => true,
        EventKind::Modify(ModifyKind::Name(_)) | EventKind::Create(_) => {
            event.paths.iter().any(|path| path.is_dir())
        }
        _ => false,
    };
    let mut changes: Vec<Change> = Vec::new();
    for path in &event.paths {
        let inside = git_dirs.iter().find_map(|dir| path.strip_prefix(dir).ok());
        let change = match inside.map(|inside| (inside, inside.components().next())) {
            None if path.file_name().is_some_and(|name| name == ".gitignore") => Some(Change::Directories),
            None if is_structure => Some(Change::Directories),
            None => Some(Change::Files),
            Some((inside, Some(first))) => match first.as_os_str().as_encoded_bytes() {
                _ if inside.extension().is_some_and(|extension| extension == "lock") => None,
                b"refs" if is_ours(path) => None,
                b"refs" | b"reftable" if is_structure => Some(Change::Unknown),
                b"HEAD" | b"packed-refs" | b"refs" | b"reftable" => Some(Change::Refs),
                b"index" => Some(Change::Files),
                b"config" => Some(Change::Unknown),
                _ => None,
            },
            Some((_, None)) => None,
        };
        changes.extend(change.filter(|change| !changes.contains(change)));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, DataChange};

    #[test]
    fn only_changes_in_wanted_directories_count() {
        let dirs: HashSet<PathBuf> =
            ["/w", "/w/src", "/w/.git", "/w/.git/refs", "/git/other"].map(PathBuf::from).into();
        assert_eq!(outermost(&dirs), ["/w", "/git/other"].map(PathBuf::from).into());
        for (path, expected) in [
            ("/w/a.rs", true),
            ("/w/src", true),
            ("/w/src/a.rs", true),
            ("/w/.git/HEAD", true),
            ("/w/target", true),
            ("/w/target/debug/a.o", false),
            ("/w/.git/objects/ab/cd", false),
            ("/elsewhere/a.rs", false),
        ] {
            assert_eq!(is_wanted(&dirs, Path::new(path)), expected, "{path}");
        }
    }

    #[test]
    fn changes_mean_what_has_to_be_looked_at() {
        let git = [PathBuf::from("/w/.git")];
        let data = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let folder = EventKind::Create(CreateKind::Folder);
        for (kind, path, expected) in [
            (data, "/w/src/a.rs", Some(Change::Files)),
            (data, "/w/.gitignore", Some(Change::Directories)),
            (folder, "/w/new", Some(Change::Directories)),
            (EventKind::Access(AccessKind::Any), "/w/src/a.rs", None),
            (data, "/w/.git/HEAD", Some(Change::Refs)),
            (data, "/w/.git/HEAD.lock", None),
            (data, "/w/.git/refs/heads/main", Some(Change::Refs)),
            (data, "/w/.git/refs/heads/cora", Some(Change::Refs)),
            (data, "/w/.git/refs/cora/1234", None),
            (folder, "/w/.git/refs/heads/topic", Some(Change::Unknown)),
            (data, "/w/.git/index", Some(Change::Files)),
            (data, "/w/.git/config", Some(Change::Unknown)),
            (data, "/w/.git/ORIG_HEAD", None),
            (folder, "/w/.git/cora", None),
        ] {
            let event = notify::Event::new(kind).add_path(path.into());
            assert_eq!(meanings(&git, &event).first().copied(), expected, "{kind:?} {path}");
        }
    }
}
