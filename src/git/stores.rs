//! Where the objects of a repository are: its own directory and those that it borrows from.
//!
//! Owns [`Stores`]: `objects/info/alternates` as Git reads it (`link_alt_odb_entries`), and the
//! variables `GIT_OBJECT_DIRECTORY` and `GIT_ALTERNATE_OBJECT_DIRECTORIES` of the repository around
//! us. Git ignores a directory that it has already, so directories may borrow from themselves or
//! from each other. Relative paths start at the directory whose file names them. A directory that
//! does not exist is left out.
//!
//! The library has a stricter reading of that file and does not know the variables. Where its
//! reading differs, it gets a [`View`]: a temporary directory that leads to all of them and borrows
//! from nothing else.

use std::path::{Path, PathBuf};

use super::{Error, Result};
use crate::base::path::real_or_same as real;

/// Git follows no alternates of alternates beyond this depth.
const MAX_DEPTH: usize = 5;

/// The directories of objects.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stores {
    /// New objects are written here.
    pub(super) own: PathBuf,
    /// The others, in Git's order, each once.
    borrowed: Vec<PathBuf>,
    /// Whether the library reads the same from the repository.
    is_plain: bool,
}

/// A temporary directory through which the library reads all stores. Removed on drop.
pub(super) struct View(tempfile::TempDir);

impl View {
    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Stores {
    /// Finds the stores of the repository with this common directory.
    pub(super) fn find(common_dir: &Path, uses_environment: bool) -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|_| uses_environment);
        let usual = common_dir.join("objects");
        let own = variable("GIT_OBJECT_DIRECTORY").map(PathBuf::from);
        let own = own.and_then(|own| std::path::absolute(own).ok()).unwrap_or_else(|| usual.clone());
        let named = variable("GIT_ALTERNATE_OBJECT_DIRECTORIES").unwrap_or_default();
        let named: Vec<PathBuf> = std::env::split_paths(&named)
            .filter(|path| !path.as_os_str().is_empty())
            .filter_map(|path| std::path::absolute(path).ok())
            .collect();
        let has_file = own.join("info/alternates").exists();
        let is_usual = own == usual && named.is_empty();
        if is_usual && !has_file {
            return Self { own, borrowed: Vec::new(), is_plain: true };
        }
        let mut search = Search { seen: vec![real(&own)], found: Vec::new() };
        named.into_iter().for_each(|dir| search.add(dir, 0));
        search.follow(&own, 0);
        let theirs = gix::odb::alternate::resolve(own.clone(), common_dir).ok();
        let mut ours: Vec<PathBuf> = search.found.iter().map(|dir| real(dir)).collect();
        ours.sort();
        let is_same = theirs.is_some_and(|theirs| {
            let mut theirs: Vec<PathBuf> = theirs.iter().map(|dir| real(dir)).collect();
            theirs.sort();
            theirs == ours
        });
        Self { own, borrowed: search.found, is_plain: is_usual && is_same }
    }

    /// Returns whether there is more than one.
    pub(super) fn borrows(&self) -> bool {
        !self.borrowed.is_empty()
    }

    /// Returns whether new objects go to another directory, which borrows from the repository's
    /// own. A program sets it up like this to look at objects before it keeps them.
    pub(super) fn is_staging(&self, common_dir: &Path) -> bool {
        let usual = real(&common_dir.join("objects"));
        real(&self.own) != usual && self.borrowed.iter().any(|dir| real(dir) == usual)
    }

    /// Returns a view of the stores if the library needs one.
    ///
    /// # Errors
    /// [`Error::Io`] if it can't be created.
    pub(super) fn view(&self) -> Result<Option<View>> {
        if self.is_plain || cfg!(not(unix)) {
            return Ok(None);
        }
        let failed = || Error::io("create a view of", self.own.clone());
        let view = tempfile::Builder::new().prefix("git-cora-").tempdir().map_err(failed())?;
        let mut lines = String::new();
        link(&self.own, view.path()).map_err(failed())?;
        for (number, store) in self.borrowed.iter().enumerate() {
            let dir = view.path().join(format!("borrowed-{number}"));
            std::fs::create_dir(&dir).and_then(|()| link(store, &dir)).map_err(failed())?;
            lines.push_str(&format!("{}\n", dir.display()));
        }
        std::fs::create_dir(view.path().join("info"))
            .and_then(|()| std::fs::write(view.path().join("info/alternates"), lines))
            .map_err(failed())?;
        Ok(Some(View(view)))
    }
}

/// Returns the bytes of all files in a store: its packs and its loose objects.
pub(super) fn bytes_of(store: &Path) -> u64 {
    let entries = |dir: &Path| std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries(store)
        .flat_map(|dir| entries(&dir.path()))
        .filter_map(|file| file.metadata().ok())
        .fold(0, |sum, file| sum.saturating_add(file.len()))
}

/// The search for borrowed stores.
struct Search {
    /// Real paths of the stores so far.
    seen: Vec<PathBuf>,
    found: Vec<PathBuf>,
}

impl Search {
    /// Adds a store, and those that it borrows from in turn.
    fn add(&mut self, dir: PathBuf, depth: usize) {
        let real = real(&dir);
        if !dir.is_dir() || self.seen.contains(&real) {
            return;
        }
        self.seen.push(real);
        self.found.push(dir.clone());
        self.follow(&dir, depth + 1);
    }

    fn follow(&mut self, dir: &Path, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let text = std::fs::read(dir.join("info/alternates")).unwrap_or_default();
        for path in gix::odb::alternate::parse(&text).unwrap_or_default() {
            self.add(dir.join(path), depth);
        }
    }
}

/// Fills a directory with links to the packs and loose objects of a store. Directories of loose
/// objects that do not exist yet are linked too, so that they are seen when they appear.
#[cfg(unix)]
fn link(store: &Path, dir: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::symlink;
    symlink(store.join("pack"), dir.join("pack"))?;
    (0..=u8::MAX).try_for_each(|byte| {
        let name = format!("{byte:02x}");
        symlink(store.join(&name), dir.join(&name))
    })
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> std::io::Result<()> {
    Ok(())
}
