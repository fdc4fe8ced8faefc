//! The only door to Git.
//!
//! Owns [`Repository`]: reading objects (bounded), walking and diffing trees, revisions, attributes, status,
//! configuration, writing objects as one pack, and compare-and-swap on refs. gix does the work; the `git`
//! program does what gix can't (reftable, fetching promised objects, push, fetch) and what users expect to be
//! exactly as Git does it (status).
//!
//! **Invariants.** Nothing is written outside `refs/cora/`, `refs/cora-local/` and `<common dir>/cora/`, but for
//! objects. No type of gix leaves this folder. Whatever an object's bytes are, reading ends in a value or an
//! error. This stage knows no chunk, no record and no index.

mod attributes;
mod config;
mod edit;
mod git;
mod objects;
mod refs;
mod revisions;
mod status;
mod trees;
mod writer;

#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Classified, ErrorKind};
use crate::id::ObjectId;

pub use attributes::{Attributes, FileAttributes};
pub use git::{GitCommand, GitOutput};
pub use objects::{Blob, Commit};
pub use refs::RefUpdate;
pub use revisions::Head;
pub use status::{FileState, StatusEntry, StatusJob};
pub use trees::{EntryMode, TreeChange, TreeEntry};
pub use writer::{EncodedObject, ObjectKind, ObjectWriter, Written, encode_object};

/// What every operation of this stage returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why Git, or the repository, failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no repository around the directory.
    #[error("not a git repository (or any of the parent directories): '{}'", dir.display())]
    NotARepository {
        /// Where it was looked for.
        dir: PathBuf,
    },
    /// A repository is there and can't be opened.
    #[error("can't open the repository: {message}")]
    Open {
        /// What gix said.
        message: String,
    },
    /// A revision names nothing.
    #[error("bad revision '{revision}'")]
    NotFound {
        /// The revision as asked.
        revision: String,
    },
    /// An object can't be read, or is not what it should be.
    #[error("can't read {what} {id}: {message}")]
    Object {
        /// `commit`, `tree`, `blob`.
        what: &'static str,
        /// Its id.
        id: ObjectId,
        /// What is wrong.
        message: String,
    },
    /// Objects can't be written.
    #[error("can't write objects: {message}")]
    Write {
        /// What is wrong.
        message: String,
    },
    /// A ref can't be read or written.
    #[error("can't {operation} ref '{name}': {message}")]
    Ref {
        /// `read`, `update`, `list`, `delete`.
        operation: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// The `git` program failed.
    #[error("'git {command}' failed: {message}")]
    Git {
        /// Its first argument.
        command: String,
        /// What it said.
        message: String,
    },
    /// A bound on hostile trees was passed.
    #[error("tree {id}: {message}")]
    Limit {
        /// The tree.
        id: ObjectId,
        /// Which bound.
        message: String,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
    /// A defect of ours.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Classified for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotARepository { .. } => ErrorKind::NotARepository,
            Self::Open { .. } | Self::Write { .. } | Self::Ref { .. } | Self::Git { .. } => ErrorKind::Git,
            Self::NotFound { .. } => ErrorKind::NotFound,
            Self::Object { .. } => ErrorKind::Corrupt,
            Self::Limit { .. } => ErrorKind::Limit,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Internal(_) => ErrorKind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotARepository { .. } => {
                Some("run it inside a repository, or name one with -C DIR".to_owned())
            }
            Self::NotFound { revision } if revision == "HEAD" => {
                Some("the branch has no commit yet: make one, or query the working tree".to_owned())
            }
            Self::NotFound { .. } => {
                Some("list branches and tags with 'git branch -a' and 'git tag'".to_owned())
            }
            _ => None,
        }
    }
}

/// A Git repository, opened. Cheap to share between threads: each keeps a handle of its own.
pub struct Repository {
    inner: gix::ThreadSafeRepository,
    key: u64,
    git_dir: PathBuf,
    common_dir: PathBuf,
    work_dir: Option<PathBuf>,
    hash: gix::hash::Kind,
    /// gix can't read this ref storage: the `git` program does.
    is_reftable: bool,
    is_partial: bool,
    /// The `git cat-file --batch` that fetches promised objects, once one was needed.
    promisor: Mutex<Option<git::Batch>>,
}

/// Makes each opened repository tell-apart for the handles that threads keep.
static NEXT_KEY: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// The handles of this thread, most recently opened last; a program works with few repositories at a time.
    static HANDLES: RefCell<Vec<(u64, gix::Repository)>> = const { RefCell::new(Vec::new()) };
}

/// Handles that a thread keeps.
const MAX_HANDLES: usize = 4;

/// Cache of decoded objects in each handle: trees are read again and again while walking.
const OBJECT_CACHE_BYTES: usize = 8 << 20;

impl Repository {
    /// Opens the repository around `dir`, or the one that `GIT_DIR` and its companions name, as Git does.
    ///
    /// # Errors
    /// [`Error::NotARepository`]; [`Error::Open`] for one that is broken or of an unknown format.
    pub fn discover(dir: &Path) -> Result<Self> {
        let inner = gix::ThreadSafeRepository::discover_with_environment_overrides(dir).map_err(|error| {
            let message = error.to_string();
            // gix has one error type: what is no repository and what is a broken one differ in this only.
            let has_git =
                dir.canonicalize().is_ok_and(|dir| dir.ancestors().any(|up| up.join(".git").exists()));
            if has_git || std::env::var_os("GIT_DIR").is_some() {
                Error::Open { message }
            } else {
                Error::NotARepository { dir: dir.to_owned() }
            }
        })?;
        let handle = inner.to_thread_local();
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let common_dir = handle.common_dir();
        let common_dir = common_dir.canonicalize().unwrap_or_else(|_| absolute(common_dir));
        let config = handle.config_snapshot();
        let is_reftable = config
            .string("extensions.refStorage")
            .is_some_and(|format| format.as_slice().eq_ignore_ascii_case(b"reftable"));
        let is_partial = config.string("extensions.partialClone").is_some()
            || config.plumbing().sections_by_name("remote").is_some_and(|sections| {
                sections.into_iter().any(|remote| remote.value("promisor").is_some())
            });
        Ok(Self {
            key: NEXT_KEY.fetch_add(1, Ordering::Relaxed),
            git_dir: absolute(handle.git_dir()),
            common_dir,
            work_dir: handle.workdir().map(absolute),
            hash: handle.object_hash(),
            is_reftable,
            is_partial,
            promisor: Mutex::new(None),
            inner,
        })
    }

    /// Runs `f` with this thread's handle.
    fn with<T>(&self, f: impl FnOnce(&gix::Repository) -> T) -> T {
        let handle = HANDLES.with_borrow_mut(|handles| {
            if let Some((_, handle)) = handles.iter().find(|(key, _)| *key == self.key) {
                return handle.clone();
            }
            let mut handle = self.inner.to_thread_local();
            handle.object_cache_size_if_unset(OBJECT_CACHE_BYTES);
            if handles.len() >= MAX_HANDLES {
                handles.remove(0);
            }
            handles.push((self.key, handle.clone()));
            handle
        });
        f(&handle)
    }

    /// The git directory; in a linked work tree its own one.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The git directory that all linked work trees share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Root of the work tree; `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.work_dir.as_deref()
    }

    /// Where our own files lie: caches, locks, logs.
    pub fn cora_dir(&self) -> PathBuf {
        self.common_dir.join("cora")
    }

    /// Length of the repository's object ids in bytes: 20 or 32.
    pub fn object_hash_len(&self) -> usize {
        self.hash.len_in_bytes()
    }

    /// Id of the empty tree.
    pub fn empty_tree(&self) -> ObjectId {
        from_gix(gix::ObjectId::empty_tree(self.hash).as_ref())
    }

    /// Whether the repository lacks objects that its remote promised.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// URL of the remote `name`, without user name and password; `None` if there is none.
    pub fn remote_url(&self, name: &str) -> Option<String> {
        let url = self.config_string(&format!("remote.{name}.url"))?;
        Some(without_credentials(&url))
    }

    /// The commits that the HEADs of all linked work trees point at.
    ///
    /// # Errors
    /// [`Error::Git`].
    pub fn worktree_heads(&self) -> Result<Vec<ObjectId>> {
        let output = self.git(&["worktree", "list", "--porcelain"]).run()?.checked("worktree")?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text
            .lines()
            .filter_map(|line| line.strip_prefix("HEAD ")?.parse::<ObjectId>().ok())
            .filter(|id| id.as_bytes().iter().any(|&byte| byte != 0))
            .collect())
    }
}

/// A URL without what stands between `//` and `@`.
fn without_credentials(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let host_end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at(host_end);
            let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
            format!("{scheme}://{host}{path}")
        }
        None => url.to_owned(),
    }
}

/// Our id of a gix id.
fn from_gix(id: &gix::oid) -> ObjectId {
    ObjectId::from_bytes(id.as_bytes()).expect("because Git's ids have 20 or 32 bytes")
}

/// The gix id of ours.
fn to_gix(id: ObjectId) -> gix::ObjectId {
    gix::ObjectId::from_bytes_or_panic(id.as_bytes())
}
