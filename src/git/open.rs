//! Finding and opening a repository.
//!
//! Owns [`Repository`], which threads share freely, and the special properties found at open:
//! reftable, partial clone, trust. Git finds the repository (see `discover.rs`), and the library
//! opens the directory that Git names. A library handle serves one thread at a time, so handles are
//! kept in a pool. Each call takes one and puts it back with its caches warm. A new handle per call
//! would open the pack indexes again for every blob.

use std::io::ErrorKind;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::command::Bounds;
use super::discover::{self, Place, Search};
use super::refs::head_link::{self, HeadView};
use super::stores::{self, Stores, View};
use super::transfer::promisor::Promisor;
use super::write::storage::Storage;
use super::{Error, Result, from_gix};
use crate::base::id::ObjectId;
use crate::base::new_file::NewFile;
use crate::base::sharing::Sharing;
use crate::base::threads::lock;

/// Bytes of decoded objects cached per handle. Neighbouring commits share nearly all their trees,
/// so the cache saves most of the inflating when many commits are compared.
const OBJECT_CACHE_BYTES: usize = 8 << 20;

/// Number of handles kept for reuse. More than one per core and a few blocked ones is never useful.
const POOL_SIZE: usize = 32;

/// An open Git repository.
///
/// Cheap to clone, and safe to use from any number of threads. Configuration is read at open; new
/// objects and refs are seen as they arrive.
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
    /// Whether refs are stored in a way that only the `git` program reads.
    refs_by_git: bool,
    trusted: bool,
    /// Whether the variables that belong to one repository are about this one.
    uses_environment: bool,
    guest: Option<MirrorLimits>,
    /// The directory of loose objects and packs.
    objects_dir: PathBuf,
    /// Whether other directories have objects too.
    borrows: bool,
    /// See [`Stores::is_staging`].
    is_staging: bool,
    /// What the library reads in its place.
    _view: Option<View>,
    /// The Git directory that the library reads in place of `git_dir`.
    _head: Option<HeadView>,
    storage: Storage,
    pub(super) promisor: Option<Promisor>,
}

/// The properties of a mirror. It fetches objects only in batches and within limits.
#[derive(Debug, Clone)]
pub(super) struct MirrorLimits {
    /// The remote's full address, including any password.
    pub(super) given: String,
    /// The address without anything that may be a password.
    pub(super) url: String,
    /// Environment variables of the programs that work on it.
    pub(super) env: Vec<(String, String)>,
    /// Limits of one transfer.
    pub(super) bounds: Bounds,
}

/// The properties of a repository that the library does not know.
struct OpenSettings {
    uses_environment: bool,
    stores: Stores,
    view: Option<View>,
    /// The Git directory that the library opened in place of another one.
    head: Option<(HeadView, PathBuf)>,
    guest: Option<MirrorLimits>,
}

/// A handle borrowed from the pool.
pub(super) struct Handle<'a> {
    repo: Option<gix::Repository>,
    pool: &'a Mutex<Vec<gix::Repository>>,
}

impl Repository {
    /// Opens the repository around us, which contains `dir`.
    ///
    /// All variables of Git's environment work as in Git: `GIT_DIR`, `GIT_WORK_TREE`,
    /// `GIT_INDEX_FILE`, `GIT_CEILING_DIRECTORIES` and others.
    ///
    /// # Errors
    /// [`Error::NotARepository`] if there is none at `dir` or above, [`Error::Refused`] if Git does
    /// not open it, [`Error::Git`] if the library can't, [`Error::NoGit`].
    pub fn discover(dir: &Path) -> Result<Self> {
        Self::open_for(dir, true)
    }

    /// Opens the repository that contains `dir`, which somebody named by this path.
    ///
    /// Variables such as `GIT_DIR` are about another repository, so they are ignored here and in
    /// all programs that work on this one.
    ///
    /// # Errors
    /// The same as [`Repository::discover`].
    pub fn open_named(dir: &Path) -> Result<Self> {
        Self::open_for(dir, false)
    }

    fn open_for(dir: &Path, uses_environment: bool) -> Result<Self> {
        let dir = std::path::absolute(dir).map_err(Error::io("resolve", dir))?;
        let search = Search::begin(&dir, uses_environment)?;
        // Git takes as long to answer as the library to open what it most likely answers.
        let early = discover::guess(&dir, uses_environment)
            .and_then(|guess| Some((Self::open_at(&dir, guess.clone(), uses_environment).ok()?, guess)));
        let place = search.finish()?;
        match early {
            Some((repo, guess)) if guess == place => Ok(repo),
            _ => Self::open_at(&dir, place, uses_environment),
        }
    }

    /// Opens the repository that Git finds around `dir`.
    fn open_at(dir: &Path, place: Place, uses_environment: bool) -> Result<Self> {
        let Place { git_dir, work_dir } = place;
        let action = format!("open the repository at '{}'", dir.display());
        let common_dir = common_dir(&git_dir);
        let stores = Stores::find(&common_dir, uses_environment);
        let view = stores.view()?;
        let mut options = options(true);
        if view.is_some() {
            // Otherwise the library counts the packs of stores that it can't find.
            options = options.object_store_slots(gix::odb::store::init::Slots::Given(PACKS_OF_A_VIEW));
        }
        let head = HeadView::of(&git_dir, &common_dir)?;
        let opened = head.as_ref().map_or(git_dir.as_path(), HeadView::path);
        let mut shared =
            gix::ThreadSafeRepository::open_opts(opened, options).map_err(Error::git(action.as_str()))?;
        if let Some(view) = &view {
            let hash = shared.to_thread_local().object_hash();
            let options = gix::odb::store::init::Options {
                slots: gix::odb::store::init::Slots::Given(PACKS_OF_A_VIEW),
                ..Default::default()
            };
            let none = &mut std::iter::empty();
            let store = gix::odb::Store::at_opts(view.path().to_owned(), hash, none, options);
            shared.objects = Arc::new(store.map_err(Error::git(action.as_str()))?);
        }
        // The library applies `GIT_WORK_TREE` to whatever it opens, and looks for a linked work
        // tree where it was created. A search that began in the Git directory found no work tree.
        let guess = shared.work_tree.take();
        shared.work_tree = work_dir.or_else(|| {
            let guesses = [Some(guess.as_deref()?), git_dir.parent()];
            discover::work_dir(&git_dir, guesses.into_iter().flatten())
        });
        let head = head.map(|view| (view, git_dir));
        Self::from_shared(shared, OpenSettings { uses_environment, stores, view, head, guest: None })
    }

    /// Opens the mirror in `dir`. The mirror is ours, so the environment must not redirect it.
    pub(super) fn open_guest(dir: &Path, guest: MirrorLimits) -> Result<Self> {
        let shared = gix::ThreadSafeRepository::open_opts(dir, options(false))
            .map_err(Error::git(format!("open the copy in '{}'", dir.display())))?;
        let stores = Stores::find(dir, false);
        Self::from_shared(
            shared,
            OpenSettings { uses_environment: false, stores, view: None, head: None, guest: Some(guest) },
        )
    }

    fn from_shared(shared: gix::ThreadSafeRepository, around: OpenSettings) -> Result<Self> {
        let OpenSettings { uses_environment, stores, view, head, guest } = around;
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
        let work_dir = repo.workdir().filter(|_| guest.is_none()).map(real).transpose()?;
        let index_file = match std::env::var_os("GIT_INDEX_FILE").filter(|_| uses_environment) {
            // Git runs in the root of the work tree when it opens this file.
            Some(file) => {
                let file = work_dir.as_ref().map_or_else(|| (&file).into(), |dir| dir.join(&file));
                Some(std::path::absolute(&file).map_err(Error::io("resolve", &file))?)
            }
            None => None,
        };
        let (git_dir, common_dir) = match &head {
            Some((_, git_dir)) => (real(git_dir)?, real(&common_dir(git_dir))?),
            None => (real(repo.git_dir())?, real(repo.common_dir())?),
        };
        let inner = Inner {
            work_dir,
            index_file,
            hash: repo.object_hash(),
            refs_by_git: reftable || head_link::is_link(&git_dir),
            // Git opened it, so its configuration counts for Git.
            trusted: guest.is_none() || repo.git_dir_trust() == gix::sec::Trust::Full,
            uses_environment,
            promisor: partial.then(Promisor::default),
            guest,
            borrows: stores.borrows(),
            is_staging: stores.is_staging(&common_dir),
            objects_dir: stores.own,
            _view: view,
            _head: head.map(|(view, _)| view),
            git_dir,
            common_dir,
            storage: Storage::default(),
            pool: Mutex::new(vec![repo]),
            shared,
        };
        let mut repo = Self { inner: Arc::new(inner) };
        let storage = Storage::new(&repo);
        if let Some(inner) = Arc::get_mut(&mut repo.inner) {
            inner.storage = storage;
        }
        Ok(repo)
    }

    /// Returns the Git directory. A linked work tree has its own under `worktrees/`.
    pub fn git_dir(&self) -> &Path {
        &self.inner.git_dir
    }

    /// Returns the Git directory that all linked work trees share: objects, refs, configuration.
    pub fn common_dir(&self) -> &Path {
        &self.inner.common_dir
    }

    /// Returns the root of the work tree; `None` in a bare repository.
    pub fn work_dir(&self) -> Option<&Path> {
        self.inner.work_dir.as_deref()
    }

    /// Returns our own directory, `<common directory>/cora`, which need not exist yet.
    pub fn cora_dir(&self) -> PathBuf {
        self.inner.common_dir.join("cora")
    }

    /// Returns the permissions that all files below the Git directory get.
    pub fn sharing(&self) -> Sharing {
        self.inner.storage.sharing
    }

    /// Returns the directory that new objects are written to.
    pub(super) fn objects_dir(&self) -> &Path {
        &self.inner.objects_dir
    }

    /// Returns how objects and refs are completed.
    pub(super) fn storage(&self) -> Storage {
        self.inner.storage
    }

    /// Checks that a commit can be indexed: creates and removes a file everywhere we write
    /// (objects, refs, our own directory).
    ///
    /// # Errors
    /// [`Error::Io`] for the first directory that can't be written.
    pub fn try_write(&self) -> Result<()> {
        let common = &self.inner.common_dir;
        for dir in [self.inner.objects_dir.clone(), common.join("refs"), self.cora_dir()] {
            // For a directory that does not exist yet, its nearest existing parent is tested.
            let Some(dir) = dir.ancestors().find(|dir| dir.symlink_metadata().is_ok()) else { continue };
            if !dir.is_dir() {
                return Err(Error::io("create a file in", dir)(ErrorKind::NotADirectory.into()));
            }
            NewFile::in_dir(dir, "tmp_cora_", 0o600).map_err(Error::io("create a file in", dir))?;
        }
        Ok(())
    }

    /// Returns the length of an object id in bytes: 20 for SHA-1, 32 for SHA-256.
    pub fn object_hash_len(&self) -> usize {
        self.inner.hash.len_in_bytes()
    }

    /// Returns the id of the empty tree, which need not be stored.
    pub fn empty_tree(&self) -> ObjectId {
        from_gix(&gix::ObjectId::empty_tree(self.inner.hash))
    }

    pub(super) fn hash(&self) -> gix::hash::Kind {
        self.inner.hash
    }

    /// Returns whether the `git` program reads the refs: from a reftable, or because `HEAD` is a
    /// symbolic link.
    pub(super) fn reads_refs_by_git(&self) -> bool {
        self.inner.refs_by_git
    }

    /// Returns whether the configuration of the repository counts, and may name programs to run.
    pub(super) fn is_trusted(&self) -> bool {
        self.inner.trusted
    }

    /// Returns whether the variables that belong to one repository are about this one.
    pub(super) fn uses_environment(&self) -> bool {
        self.inner.uses_environment
    }

    /// Returns whether new objects may vanish, so that no ref may point to them.
    pub(super) fn is_staging(&self) -> bool {
        self.inner.is_staging
    }

    /// Returns the properties of a mirror; `None` for a repository of the user.
    pub(super) fn guest(&self) -> Option<&MirrorLimits> {
        self.inner.guest.as_ref()
    }

    /// Returns whether this is a mirror of somebody else's repository. A mirror can't build what it
    /// lacks.
    pub fn is_mirror(&self) -> bool {
        self.inner.guest.is_some()
    }

    /// Returns the most bytes to read of data that strangers sent; `None` for a repository of the
    /// user.
    pub fn max_foreign_bytes(&self) -> Option<u64> {
        self.guest().map(|guest| guest.bounds.file_bytes)
    }

    /// Returns the bytes of all packs and loose objects, compressed as they are stored; `None` if
    /// the repository borrows objects from another one.
    pub fn stored_bytes(&self) -> Option<u64> {
        (!self.inner.borrows).then(|| stores::bytes_of(self.objects_dir()))
    }

    pub(super) fn index_file(&self) -> Option<&Path> {
        self.inner.index_file.as_deref()
    }

    /// Returns whether objects may be missing here that a remote has promised (a partial clone).
    pub fn is_partial(&self) -> bool {
        self.promisor().is_some()
    }

    pub(super) fn promisor(&self) -> Option<&Promisor> {
        self.inner.promisor.as_ref()
    }

    /// Takes a handle from the pool, with caches as its last user left them.
    pub(super) fn handle(&self) -> Handle<'_> {
        let pooled = lock(&self.inner.pool).pop();
        let repo = pooled.unwrap_or_else(|| self.own_handle());
        Handle { repo: Some(repo), pool: &self.inner.pool }
    }

    /// Creates a handle that never enters the pool.
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
        let mut pool = lock(self.pool);
        if pool.len() < POOL_SIZE {
            pool.extend(self.repo.take());
        }
    }
}

/// Smallest number of packs that a repository can read. The library fixes the number at open, every
/// new index adds a pack, and a server runs for long. Each slot takes some hundred bytes.
const MIN_PACKS: usize = 4096;

/// The same for a view of stores that the library would not find itself.
const PACKS_OF_A_VIEW: u16 = 8192;

/// Returns the directory that linked work trees share. Its path does not lead through the directory
/// of a linked work tree, which can be removed at any time.
fn common_dir(git_dir: &Path) -> PathBuf {
    match gix::discover::path::from_plain_file(&git_dir.join("commondir")) {
        Some(Ok(common)) => {
            let common = git_dir.join(common);
            gix::path::realpath(&common).unwrap_or(common)
        }
        _ => git_dir.to_owned(),
    }
}

/// Returns the options for opening a Git directory. `is_vetted` says that Git opened it, whoever
/// owns it: then all of its configuration counts, as for Git.
fn options(is_vetted: bool) -> gix::open::Options {
    let options = gix::open::Options::default()
        .open_path_as_is(true)
        .cli_overrides(super::config::settings_of_command_line())
        .object_store_slots(gix::odb::store::init::Slots::AsNeededByDiskState {
            multiplier: 2.0,
            minimum: MIN_PACKS,
        });
    if is_vetted { options.with(gix::sec::Trust::Full).filter_config_section(|_| true) } else { options }
}

/// Applies what all handles have in common: no replacement refs, no namespace, no reflog, an object
/// cache.
fn prepare(mut repo: gix::Repository) -> gix::Repository {
    repo.objects.ignore_replacements = true;
    // A namespace is for the refs that a server shows to its clients.
    repo.refs.namespace = None;
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
        let error = Repository::discover(broken.path()).unwrap_err();
        assert!(matches!(&error, Error::Refused { reason, .. } if reason.contains("bad config")), "{error}");
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
