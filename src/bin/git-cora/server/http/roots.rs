//! The roots: the name of a repository in a request → a repository that may be searched.
//!
//! A repository may be searched if it was named at the start, or if all of it is below a root: its
//! work tree, its Git directory, and the common directory of linked work trees. Links and `..` are
//! resolved first. This is checked before anything in the repository is opened. Its configuration
//! may then name another work tree (`core.worktree`), which must be below a root, too. Borrowed
//! objects (`objects/info/alternates`) may be elsewhere, as in Git: that is up to the owner of the
//! repository.
#![allow(clippy::disallowed_methods, reason = "reads the host's name")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use git_cora::Session;
use git_cora::base::path::{real, real_or_same};
use git_cora::base::threads::lock;

use super::api::Repo;
use super::browse::ServedRepository;
use super::problem::{Kind, Problem};
use crate::server::pool::{OpenRepository, RepositoryPool};

/// Limits of the search for repositories below a root: directories, and depth, enough for
/// `root/host/owner/name`.
const DIRECTORIES: usize = 10_000;
const DEPTH: usize = 4;
/// Shortest time between two searches of the roots.
const AGAIN: Duration = Duration::from_secs(10);
/// Most repositories that a problem names.
const NAMED: usize = 5;
/// Size limit in bytes of a file that points to a Git directory.
const POINTER_BYTES: u64 = 4096;

/// The repositories that may be searched.
pub(super) struct Roots {
    roots: Vec<PathBuf>,
    named: Vec<Place>,
    found: Mutex<Option<(Instant, Vec<Place>)>>,
}

/// A repository's top directory and its normalised origin.
#[derive(Clone)]
struct Place {
    top: PathBuf,
    origin: Option<String>,
}

impl Roots {
    /// Opens the named repositories. Fails if one can't be opened, or if a root is not a directory.
    pub(super) fn new(pool: &RepositoryPool, roots: &[PathBuf], named: &[PathBuf]) -> anyhow::Result<Self> {
        let canonical = |path: &PathBuf| {
            let found = real(path).with_context(|| format!("can't serve '{}'", path.display()))?;
            anyhow::ensure!(found.is_dir(), "can't serve '{}': it is not a directory", path.display());
            anyhow::Ok(found)
        };
        let roots = roots.iter().map(canonical).collect::<anyhow::Result<Vec<_>>>()?;
        let mut places = Vec::new();
        for path in named {
            let top = top(&pool.session(path)?);
            let kept = pool.open(&top)?;
            places.push(Place { top, origin: origin(&kept.session) });
        }
        Ok(Self { roots, named: places, found: Mutex::default() })
    }

    /// Opens the repository that a request names. A missing and a forbidden one give the same
    /// error, so that clients can't explore the file system.
    pub(super) fn open(&self, pool: &RepositoryPool, wanted: &Repo) -> Result<Arc<OpenRepository>, Problem> {
        let is_here = wanted.checkout_host.as_deref().is_none_or(is_this_host);
        let by_path = wanted.checkout_path.as_deref().filter(|_| is_here).and_then(|path| self.by_path(path));
        let by_origin = || wanted.origin_uri.as_deref().and_then(|uri| self.by_origin(uri));
        let only = || match (self.named.as_slice(), wanted) {
            ([only], Repo { origin_uri: None, checkout_path: None, .. })
                if is_here && self.roots.is_empty() =>
            {
                Some(only.top.clone())
            }
            _ => None,
        };
        let Some(top) = by_path.or_else(by_origin).or_else(only) else {
            if is_here && wanted.origin_uri.is_none() && wanted.checkout_path.is_none() {
                return Err(self.unnamed());
            }
            return Err(no_repository());
        };
        let opened = pool.open(&top)?;
        let is_named = self.named.iter().any(|place| place.top == top);
        if is_named || self.is_below(&opened.session) { Ok(opened) } else { Err(no_repository()) }
    }

    /// Returns whether the work tree that a repository below a root uses is below a root, too.
    fn is_below(&self, session: &Session) -> bool {
        let top = top(session);
        self.roots.iter().any(|root| top.starts_with(root))
    }

    /// Returns the problem of a request that names no repository of several.
    fn unnamed(&self) -> Problem {
        let (listed, n) = self.list(NAMED);
        let paths: Vec<String> = listed.iter().map(|one| format!("'{}'", one.checkout_path)).collect();
        let more = if n > listed.len() { format!(" and {} more", n - listed.len()) } else { String::new() };
        Problem {
            hint: Some(match n {
                0 => "run 'git cora serve PATH' to serve a repository".to_owned(),
                _ => format!("set 'checkoutPath' to one of these: {}{more}", paths.join(", ")),
            }),
            ..Problem::new(
                Kind::NoRepository,
                "'repos' must name a repository, since the server may serve several",
            )
        }
    }

    /// Returns at most `most` of the repositories that may be searched, and their total number.
    ///
    /// Named ones come first, in their order, then those found below the roots.
    pub(super) fn list(&self, most: usize) -> (Vec<ServedRepository>, usize) {
        let mut found = lock(&self.found);
        if !self.roots.is_empty() && found.as_ref().is_none_or(|(at, _)| is_old(at.elapsed())) {
            *found = Some((Instant::now(), self.look()));
        }
        let below = found.iter().flat_map(|(_, places)| places);
        let mut seen = std::collections::HashSet::new();
        let all: Vec<&Place> =
            self.named.iter().chain(below).filter(|place| seen.insert(place.top.as_path())).collect();
        let served = all.iter().take(most).map(|place| ServedRepository {
            name: place.top.file_name().unwrap_or(place.top.as_os_str()).to_string_lossy().into_owned(),
            checkout_path: place.top.to_string_lossy().into_owned(),
            origin: place.origin.clone(),
        });
        (served.collect(), all.len())
    }

    fn by_path(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        if !path.is_absolute() {
            return None;
        }
        let path = real(path).ok()?;
        let named = self.named.iter().map(|place| &place.top).find(|top| path == **top);
        named.cloned().or_else(|| self.roots.iter().find_map(|root| top_below(&path, root)))
    }

    fn by_origin(&self, uri: &str) -> Option<PathBuf> {
        let wanted = normal(uri)?;
        let find = |places: &[Place]| {
            places.iter().find(|place| place.origin.as_ref() == Some(&wanted)).map(|place| place.top.clone())
        };
        if let Some(top) = find(&self.named) {
            return Some(top);
        }
        let mut found = lock(&self.found);
        if let Some((_, places)) = found.as_ref()
            && let Some(top) = find(places).filter(|top| self.by_path(&top.to_string_lossy()).is_some())
        {
            return Some(top);
        }
        if !self.roots.is_empty() && found.as_ref().is_none_or(|(at, _)| is_old(at.elapsed())) {
            let places = self.look();
            let top = find(&places);
            *found = Some((Instant::now(), places));
            return top;
        }
        None
    }

    /// Searches the roots for repositories, within the limits of directories and depth.
    fn look(&self) -> Vec<Place> {
        let tops = self.roots.iter().flat_map(|root| tops_below(root, DIRECTORIES));
        let open = |top: PathBuf| {
            let session = Session::open_named(&top).ok().filter(|session| self.is_below(session))?;
            Some(Place { origin: origin(&session), top })
        };
        tops.filter_map(open).collect()
    }
}

/// The problem of a request whose repository is missing or forbidden.
fn no_repository() -> Problem {
    Problem {
        hint: Some(
            "run 'git cora serve PATH' to serve it, or 'git cora serve --root DIR' to serve all below DIR"
                .to_owned(),
        ),
        ..Problem::new(
            Kind::NoRepository,
            "the server has no repository with this 'checkoutPath' or 'originUri'",
        )
    }
}

/// Returns the top directories of the repositories below a root. Looks at no more than `most`
/// directories, and no deeper than [`DEPTH`].
fn tops_below(root: &Path, most: usize) -> Vec<PathBuf> {
    let mut tops = Vec::new();
    let mut dirs = std::collections::VecDeque::from([(root.to_owned(), 0)]);
    let mut n_left = most;
    while let Some((dir, depth)) = dirs.pop_front() {
        if let Some(top) = top_below(&dir, root).filter(|top| *top == dir) {
            tops.push(top);
            continue;
        }
        if depth == DEPTH {
            continue;
        }
        for entry in std::fs::read_dir(&dir).into_iter().flatten().flatten() {
            // Links are not followed: if their target is below a root, it is found there.
            if n_left > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                n_left -= 1;
                dirs.push_back((entry.path(), depth + 1));
            }
        }
    }
    tops
}

/// Returns whether the roots were searched long enough ago to search them again.
fn is_old(age: Duration) -> bool {
    age > AGAIN
}

/// Returns the top directory of the repository around `path` if all of it is below `root`. Both
/// paths must have their links resolved.
fn top_below(path: &Path, root: &Path) -> Option<PathBuf> {
    if !path.starts_with(root) {
        return None;
    }
    let top = path.ancestors().take_while(|dir| dir.starts_with(root)).find(|dir| is_top(dir))?;
    let git_dir = if is_bare(top) { top.to_owned() } else { git_dir(top)? };
    let common = match pointer(&git_dir.join("commondir")) {
        Some(common) => real(&git_dir.join(common)).ok()?,
        None => git_dir.clone(),
    };
    (git_dir.starts_with(root) && common.starts_with(root)).then(|| top.to_owned())
}

fn is_top(dir: &Path) -> bool {
    dir.join(".git").symlink_metadata().is_ok() || is_bare(dir)
}

fn is_bare(dir: &Path) -> bool {
    dir.join("HEAD").is_file() && dir.join("objects").is_dir() && dir.join("refs").is_dir()
}

/// Returns the Git directory of a work tree: `.git`, or the directory that it points to.
fn git_dir(top: &Path) -> Option<PathBuf> {
    let path = real(&top.join(".git")).ok()?;
    if path.is_dir() {
        return Some(path);
    }
    real(&top.join(pointer(&path)?.strip_prefix("gitdir:")?.trim())).ok()
}

/// Returns the content of a small file, trimmed.
fn pointer(path: &Path) -> Option<String> {
    use std::io::Read as _;
    let mut text = String::new();
    std::fs::File::open(path).ok()?.take(POINTER_BYTES).read_to_string(&mut text).ok()?;
    Some(text.trim().to_owned())
}

/// Returns the directory that stands for a repository: its work tree, or a bare repository's Git
/// directory.
fn top(session: &Session) -> PathBuf {
    let repo = session.repo();
    real_or_same(repo.work_dir().unwrap_or(repo.git_dir()))
}

fn origin(session: &Session) -> Option<String> {
    normal(&session.repo().remote_url("origin")?)
}

/// Normalises a URL: without scheme, credentials and `.git`, and with the host in lower case.
fn normal(uri: &str) -> Option<String> {
    let (rest, is_url) = match uri.split_once("://") {
        Some((_, rest)) => (rest, true),
        None => (uri, false),
    };
    let (authority, path) = match rest.split_once('/') {
        Some((authority, path)) if is_url => (authority, path),
        None if is_url => return None,
        // The form of scp: host:path.
        _ => rest.split_once(':').filter(|(host, _)| !is_url && !host.contains('/')).unwrap_or(("", rest)),
    };
    let host = authority.rsplit('@').next().unwrap_or_default().to_lowercase();
    let path = path.trim_matches('/').trim_end_matches(".git").trim_end_matches('/');
    (!path.is_empty()).then(|| format!("{host}/{path}"))
}

fn is_this_host(host: &str) -> bool {
    let own = std::env::var(if cfg!(windows) { "COMPUTERNAME" } else { "HOSTNAME" }).unwrap_or_default();
    host.is_empty() || host.eq_ignore_ascii_case("localhost") || host.eq_ignore_ascii_case(&own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_of_one_repository_are_one() {
        for (uri, expected) in [
            ("https://github.com/o/r.git", Some("github.com/o/r")),
            ("https://me:secret@GitHub.com/o/r/", Some("github.com/o/r")),
            ("git@github.com:o/r.git", Some("github.com/o/r")),
            ("ssh://git@github.com/o/r", Some("github.com/o/r")),
            ("file:///srv/r.git", Some("/srv/r")),
            ("/srv/r.git", Some("/srv/r")),
            ("", None),
            ("https://github.com", None),
        ] {
            assert_eq!(normal(uri).as_deref(), expected, "{uri}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_leads_out_of_a_root() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let base = real(dir.path()).unwrap();
        let (root, outside) = (base.join("root"), base.join("outside"));
        for path in ["root/plain/.git", "root/plain/src", "root/deep", "outside/.git", "outside/src"] {
            std::fs::create_dir_all(base.join(path)).unwrap();
        }
        for path in ["root/file", "root/linked", "root/common/.git"] {
            std::fs::create_dir_all(base.join(path)).unwrap();
        }
        std::fs::write(root.join("file/.git"), "gitdir: ../../outside/.git\n").unwrap();
        symlink(outside.join(".git"), root.join("linked/.git")).unwrap();
        std::fs::write(root.join("common/.git/commondir"), "../../../outside/.git\n").unwrap();
        symlink(&outside, root.join("link")).unwrap();
        std::fs::create_dir_all(base.join(".git")).unwrap();
        let below = |path: &str| top_below(&real(&base.join(path)).ok()?, &root);
        assert_eq!(below("root/plain"), Some(root.join("plain")));
        assert_eq!(below("root/plain/src"), Some(root.join("plain")));
        for path in [
            "root/deep",
            "root",
            "outside",
            "root/link",
            "root/link/src",
            "root/file",
            "root/linked",
            "root/common",
        ] {
            assert_eq!(below(path), None, "{path}");
        }
        assert_eq!(below("root/plain/../../outside"), None);
    }

    #[test]
    fn only_a_full_path_names_a_repository() {
        let top = real(Path::new(".")).unwrap();
        let named = vec![Place { top: top.clone(), origin: None }];
        let roots = Roots { roots: Vec::new(), named, found: Mutex::default() };
        assert_eq!(roots.by_path(&top.to_string_lossy()), Some(top));
        for path in [".", "", "src/..", "/"] {
            assert_eq!(roots.by_path(path), None, "{path}");
        }
    }

    #[test]
    fn the_search_below_a_root_is_bounded() {
        let dir = tempfile::tempdir().unwrap();
        let root = real(dir.path()).unwrap();
        for path in ["1", "1/2/3/4", "b/2/3/4/5", "c/2"] {
            std::fs::create_dir_all(root.join(path)).unwrap();
        }
        for path in ["1/2/3/4", "b/2/3/4/5", "c/2"] {
            std::fs::create_dir_all(root.join(path).join(".git")).unwrap();
        }
        let mut tops = tops_below(&root, 100);
        tops.sort();
        assert_eq!(tops, [root.join("1/2/3/4"), root.join("c/2")], "the other one is too deep");
        // Breadth first: three directories, then the next level.
        assert_eq!(tops_below(&root, 3), [] as [PathBuf; 0]);
        assert_eq!(tops_below(&root, 6), [root.join("c/2")]);
        assert_eq!(DIRECTORIES, 10_000);
        assert_eq!([0, 10_000, 10_001].map(|ms| is_old(Duration::from_millis(ms))), [false, false, true]);
    }

    #[test]
    fn a_pointer_is_a_small_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        for (len, expected) in [(4095, 4095), (4096, 4096), (4097, 4096), (9000, 4096)] {
            std::fs::write(&path, "x".repeat(len)).unwrap();
            assert_eq!(pointer(&path).unwrap().len(), expected, "{len} bytes");
        }
    }
}
