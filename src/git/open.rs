//! Finding and opening a repository, and what is special about it.
//!
//! Owns [`Repository`], shared freely between threads. The library's handle is for one thread at a time, so
//! handles are kept in a pool: one is taken for each call and put back, with its caches warm. Making one per
//! call instead would open the packs' indices anew for every blob.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::command::Bounds;
use super::promisor::Promisor;
use super::{Error, Result, from_gix};
use crate::base::id::ObjectId;
use crate::base::tempfile;

/// Decoded objects kept per handle: neighbouring commits share nearly all their trees, so this saves most of
/// the inflating when many of them are compared.
const OBJECT_CACHE_BYTES: usize = 8 << 20;

/// Handles kept for reuse; more than one per core and a few blocked ones is never useful.
const POOL_SIZE: usize = 32;

/// An open Git repository.
///
/// Cheap to clone, and may be used from any number of threads. Configuration is read when it is opened; new
/// objects and refs are seen as they come.
#[derive(Clone)]
pub struct Repository {
    inner: Arc<Inner>,
}

pub(super) struct Inner {
    shared: gix::ThreadSafeRepository,
    pool: Mutex<Vec<gix::Repository>>,
    git_dir: PathBuf,
    common_dir: PathBuf,
    work_dir: Option<PathBuf>,
    index_file: Option<PathBuf>,
    hash: gix::hash::Kind,
    reftable: bool,
    trusted: bool,
    guest: Option<Guest>,
    pub(super) promisor: Option<Promisor>,
}

/// What sets a mirror of a stranger's repository apart: objects are only fetched when asked for together, within bounds.
#[derive(Debug, Clone)]
pub(super) struct Guest {
    /// The remote's address with all that is in it.
    pub(super) given: String,
    /// The address without what may be a password.
    pub(super) url: String,
    /// Environment of the programs that work on it.
    pub(super) env: Vec<(String, String)>,
    /// What one transfer may take.
    pub(super) bounds: Bounds,
}

/// A handle on loan from the pool.
pub(super) struct Handle<'a> {
    repo: Option<gix::Repository>,
    pool: &'a Mutex<Vec<gix::Repository>>,
}

impl Repository {
    /// Opens the repository that `dir` is in.
    ///
    /// `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`, `GIT_OBJECT_DIRECTORY` and `GIT_CEILING_DIRECTORIES` are
    /// honoured as Git does.
    ///
    /// # Errors
    /// [`Error::NotARepository`] when there is none at `dir` or above, [`Error::Git`] when there is one that
    /// can't be opened.
    pub fn discover(dir: &Path) -> Result<Self> {
        let dir = std::path::absolute(dir).map_err(Error::io("resolve", dir))?;
        let options =
            || gix::discover::upwards::Options { match_ceiling_dir_or_error: false, ..Default::default() };
        let shared =
            gix::ThreadSafeRepository::discover_with_environment_overrides_opts(&dir, options(), by_trust())
                .map_err(|error| {
                    // Only the plain search tells «there is none» from «there is one that can't be opened».
                    let named = std::env::var_os("GIT_DIR").map(|named| dir.join(named));
                    let none = match &named {
                        Some(named) => !named.exists(),
                        None => gix::discover::upwards_opts(&dir, options().apply_environment()).is_err(),
                    };
                    if none {
                        Error::NotARepository(named.unwrap_or_else(|| dir.clone()))
                    } else {
                        Error::git(format!("open the repository at '{}'", dir.display()))(error)
                    }
                })?;
        Self::from_shared(shared, None)
    }

    /// Opens the mirror in `dir`, which is our own, whatever repository the environment names.
    pub(super) fn open_guest(dir: &Path, guest: Guest) -> Result<Self> {
        let mut permissions = gix::open::Permissions::all();
        permissions.env.objects = gix::sec::Permission::Deny;
        let options = gix::open::Options::default()
            .open_path_as_is(true)
            .permissions(permissions)
            .cli_overrides(super::config::settings_of_command_line());
        let shared = gix::ThreadSafeRepository::open_opts(dir, options)
            .map_err(Error::git(format!("open the copy in '{}'", dir.display())))?;
        Self::from_shared(shared, Some(guest))
    }

    fn from_shared(shared: gix::ThreadSafeRepository, guest: Option<Guest>) -> Result<Self> {
        let repo = prepare(shared.to_thread_local());
        let config = repo.config_snapshot();
        let reftable = config.string("extensions.refStorage").is_some_and(|format| format == "reftable");
        let partial = config.string("extensions.partialClone").is_some()
            || config.plumbing().sections_by_name("remote").into_iter().flatten().any(|section| {
                section.value("promisor").is_some_and(|value| value != "false" && value != "0")
            });
        let real = |path: &Path| -> Result<PathBuf> {
            gix::path::realpath(path).map_err(Error::git(format!("resolve '{}'", path.display())))
        };
        let index_file = match std::env::var_os("GIT_INDEX_FILE").filter(|_| guest.is_none()) {
            // A hook gets it relative to where it was started, and later we run git elsewhere.
            Some(file) => Some(std::path::absolute(&file).map_err(Error::io("resolve", &file))?),
            None => None,
        };
        let inner = Inner {
            git_dir: real(repo.git_dir())?,
            common_dir: real(repo.common_dir())?,
            work_dir: repo.workdir().filter(|_| guest.is_none()).map(real).transpose()?,
            index_file,
            hash: repo.object_hash(),
            reftable,
            trusted: repo.git_dir_trust() == gix::sec::Trust::Full,
            promisor: partial.then(Promisor::default),
            guest,
            pool: Mutex::new(vec![repo]),
            shared,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The Git directory; in a linked work tree its own one under `worktrees/`.
    pub fn git_dir(&self) -> &Path {
        &self.inner.git_dir
    }

    /// The Git directory that all linked work trees share: objects, refs, configuration.
    pub fn common_dir(&self) -> &Path {
        &self.inner.common_dir
    }

    /// The root of the work tree; `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.inner.work_dir.as_deref()
    }

    /// Our own directory, `<common directory>/cora`; it need not exist yet.
    pub fn cora_dir(&self) -> PathBuf {
        self.inner.common_dir.join("cora")
    }

    /// Makes a file where objects, refs and our own files are written, and removes it: whether a commit can be indexed.
    ///
    /// # Errors
    /// [`Error::Io`] for the first folder in which none can be made.
    pub fn try_write(&self) -> Result<()> {
        let common = &self.inner.common_dir;
        for dir in [common.join("objects"), common.join("refs"), self.cora_dir()] {
            // What isn't there yet is made in what is around it.
            let Some(dir) = dir.ancestors().find(|dir| dir.is_dir()) else { continue };
            tempfile::file_in(dir, "tmp_cora_", 0o600).map_err(Error::io("create a file in", dir))?;
        }
        Ok(())
    }

    /// The bytes in an object id: 20 in a SHA-1 repository, 32 in a SHA-256 one.
    pub fn object_hash_len(&self) -> usize {
        self.inner.hash.len_in_bytes()
    }

    /// The id of the tree without entries, which need not be stored.
    pub fn empty_tree(&self) -> ObjectId {
        from_gix(&gix::ObjectId::empty_tree(self.inner.hash))
    }

    pub(super) fn hash(&self) -> gix::hash::Kind {
        self.inner.hash
    }

    /// Whether refs are kept in a table that only the `git` program can read.
    pub(super) fn has_reftable(&self) -> bool {
        self.inner.reftable
    }

    /// Whether the repository belongs to the user, so that its configuration may name programs to run.
    pub(super) fn is_trusted(&self) -> bool {
        self.inner.trusted
    }

    /// What holds for a mirror; `None` for a repository of the user's.
    pub(super) fn guest(&self) -> Option<&Guest> {
        self.inner.guest.as_ref()
    }

    /// Whether this is a mirror of somebody else's repository: what is not here can't be made here.
    pub fn is_mirror(&self) -> bool {
        self.inner.guest.is_some()
    }

    /// How much may be read of what strangers sent, in bytes; `None` for a repository of the user's.
    pub fn max_foreign_bytes(&self) -> Option<u64> {
        self.guest().map(|guest| guest.bounds.file_bytes)
    }

    pub(super) fn index_file(&self) -> Option<&Path> {
        self.inner.index_file.as_deref()
    }

    pub(super) fn promisor(&self) -> Option<&Promisor> {
        self.inner.promisor.as_ref()
    }

    /// A handle for this thread, with its caches as the last user left them.
    pub(super) fn handle(&self) -> Handle<'_> {
        let pooled = self.inner.pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let repo = pooled.unwrap_or_else(|| self.own_handle());
        Handle { repo: Some(repo), pool: &self.inner.pool }
    }

    /// A new handle to keep.
    pub(super) fn own_handle(&self) -> gix::Repository {
        prepare(self.inner.shared.to_thread_local())
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Repository").field("git_dir", &self.inner.git_dir).finish_non_exhaustive()
    }
}

impl Deref for Handle<'_> {
    type Target = gix::Repository;

    fn deref(&self) -> &gix::Repository {
        self.repo.as_ref().expect("because it is only taken out on drop")
    }
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.len() < POOL_SIZE {
            pool.extend(self.repo.take());
        }
    }
}

/// Packs that can be read at least. Their number is fixed when a repository is opened, each index that is written is
/// one more, and a server stays for long; a place for one takes some hundred bytes.
const MIN_PACKS: usize = 4096;

/// How a repository is opened that is our own, and one that is not.
fn by_trust() -> gix::sec::trust::Mapping<gix::open::Options> {
    let mut mapping = gix::sec::trust::Mapping::<gix::open::Options>::default();
    for options in [&mut mapping.full, &mut mapping.reduced] {
        *options = std::mem::take(options)
            .cli_overrides(super::config::settings_of_command_line())
            .object_store_slots(gix::odb::store::init::Slots::AsNeededByDiskState {
                multiplier: 2.0,
                minimum: MIN_PACKS,
            });
    }
    mapping
}

/// What every handle has in common: no replacements, no reflog, a cache for trees.
fn prepare(mut repo: gix::Repository) -> gix::Repository {
    repo.objects.ignore_replacements = true;
    repo.refs.write_reflog = gix::refs::store::WriteReflog::Disable;
    repo.object_cache_size_if_unset(OBJECT_CACHE_BYTES);
    repo
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Head;
    use crate::git::testing::Fixture;

    #[test]
    fn is_shared_between_threads() {
        fn assert_shared<T: Send + Sync + Clone>() {}
        assert_shared::<Repository>();
    }

    #[test]
    fn no_repository_is_told_from_a_broken_one() {
        let dir = ::tempfile::tempdir().unwrap();
        assert!(matches!(Repository::discover(dir.path()), Err(Error::NotARepository(_))));
        let broken = Fixture::new();
        std::fs::write(broken.path().join(".git/config"), "[core\n").unwrap();
        assert!(matches!(Repository::discover(broken.path()), Err(Error::Git { .. })));
    }

    #[test]
    fn finds_bare_and_linked_repositories_and_those_above() {
        let fixture = Fixture::with_history();
        let sub = fixture.path().join("src");
        let repo = Repository::discover(&sub).unwrap();
        assert_eq!(repo.work_dir(), Some(fixture.path()));
        assert_eq!(repo.git_dir(), fixture.path().join(".git"));
        assert_eq!(repo.cora_dir(), fixture.path().join(".git/cora"));

        let linked = fixture.path().join("linked");
        fixture.git(&["worktree", "add", "-q", "-b", "other", "linked"]);
        let repo = Repository::discover(&linked).unwrap();
        assert_eq!(repo.common_dir(), fixture.path().join(".git"));
        assert_eq!(repo.git_dir(), fixture.path().join(".git/worktrees/linked"));
        assert_eq!(repo.work_dir(), Some(linked.as_path()));
        assert!(
            matches!(repo.head().unwrap(), Head::Commit { refname: Some(name), .. } if name == "refs/heads/other")
        );

        fixture.git(&["clone", "-q", "--bare", ".", "bare.git"]);
        let repo = Repository::discover(&fixture.path().join("bare.git")).unwrap();
        assert_eq!(repo.work_dir(), None);
        assert!(repo.status().unwrap().is_empty());
        assert_eq!(repo.tree_files(repo.empty_tree()).unwrap(), []);
    }

    #[test]
    fn reads_what_comes_in_many_packs_after_it_was_opened() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let mut blob = String::new();
        for n in 0..80 {
            let text = format!("text {n}\n");
            let stream = format!("blob\ndata {}\n{text}\n", text.len());
            fixture
                .git_input(&["-c", "fastimport.unpackLimit=0", "fast-import", "--quiet"], stream.as_bytes());
            blob = fixture.git_input(&["hash-object", "--stdin"], text.as_bytes());
        }
        let id = blob.trim().parse().unwrap();
        assert!(matches!(repo.blob(id, 100).unwrap(), crate::git::Blob::Bytes(_)));
    }
}
