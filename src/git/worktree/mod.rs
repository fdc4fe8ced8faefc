//! Bounded reads of files in the work tree.
//!
//! A path comes from `git status`, so it may be anything that a stranger's archive put on the disk.
//! Only ordinary files are read. No link is followed, neither the file itself nor a directory on
//! the way to it. No device or pipe is opened, because opening a pipe could block for ever.
//!
//! The bytes are those on the disk, with their line endings. The filters of `git add` are not
//! applied.
//!
//! A path may also come from somebody else: an agent, or a client on the network. Then
//! [`Repository::read_shared`] decides whether they may see the file. It is the only such rule.

pub(super) mod clean;
pub(super) mod encoding;
pub(super) mod status;
mod untracked;

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};

use untracked::GitDirectories;

use super::tree::is_valid_name;
use super::{Blob, EntryMode, Repository, Result};
use crate::base::id::ObjectId;

/// A file of the work tree, as somebody sees it who may search the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorktreeFile {
    /// It is tracked, or it is neither tracked nor ignored: its content.
    Open(Blob),
    /// Git ignores it, so it may hold a secret, and nobody wants it searched.
    Ignored,
    /// It is neither tracked nor ignored, and the user does not want untracked files
    /// (`status.showUntrackedFiles`).
    Untracked,
    /// It belongs to another repository inside this one, such as a submodule.
    Foreign {
        /// The directory of that repository.
        repository: BString,
    },
}

/// A file that Git lists.
struct ListedFile {
    path: BString,
    is_tracked: bool,
}

impl WorktreeFile {
    /// Returns the content; that of a file that is not open is missing.
    pub fn into_blob(self) -> Blob {
        match self {
            Self::Open(blob) => blob,
            Self::Ignored | Self::Untracked | Self::Foreign { .. } => Blob::Missing,
        }
    }
}

impl Repository {
    /// Reads a file of the work tree of at most `limit` bytes.
    ///
    /// Returns [`Blob::Missing`] for a link, a directory, a device, a file behind a link, and
    /// an unreadable file.
    ///
    /// # Errors
    /// None at present: an unreadable file is missing.
    pub fn read_worktree(&self, path: &BStr, limit: u64) -> Result<Blob> {
        let opened = self.work_dir().and_then(|root| open(root.to_owned(), path));
        Ok(opened.map_or(Blob::Missing, |(file, metadata)| read(file, &metadata, limit)))
    }

    /// Returns whether an ordinary file has this path in the work tree, even if it can't be read.
    pub fn has_file(&self, path: &BStr) -> bool {
        let native = self.work_dir().zip(gix::path::from_bstr(path).ok());
        native.is_some_and(|(root, path)| match root.join(path).symlink_metadata() {
            Ok(found) => found.is_file(),
            Err(error) => error.kind() == std::io::ErrorKind::PermissionDenied,
        })
    }

    /// Reads a file of the work tree for somebody who may search the repository.
    ///
    /// They see the files that are searched: tracked ones, even if they match an ignore rule, and
    /// untracked ones that no rule ignores, if the user wants untracked files. The rules are those
    /// of Git, with `info/exclude` and `core.excludesFile`. As for [`Repository::read_worktree`],
    /// links and whatever is not an ordinary file are [`Blob::Missing`]. So is everything in Git's
    /// own directory, whatever its name is.
    ///
    /// # Errors
    /// [`super::Error::Command`] if `git ls-files` fails.
    pub fn read_shared(&self, path: &BStr, limit: u64) -> Result<WorktreeFile> {
        let missing = WorktreeFile::Open(Blob::Missing);
        let Some(root) = self.work_dir() else { return Ok(missing) };
        let Some((file, metadata)) = open(root.to_owned(), path) else { return Ok(missing) };
        let Some(git_dirs) = GitDirectories::of(self).filter(|dirs| !dirs.own(path)) else {
            return Ok(missing);
        };
        let listed = self.listed(Some(path))?.into_iter().find(|listed| listed.path == path);
        let repository = match &listed {
            Some(ListedFile { is_tracked: true, .. }) => None,
            Some(_) => git_dirs.other_git_dir(path),
            None => git_dirs.other_repository(path),
        };
        Ok(match (listed, repository) {
            (_, Some(repository)) => WorktreeFile::Foreign { repository },
            (None, None) => WorktreeFile::Ignored,
            (Some(file), None) if !file.is_tracked && !self.shows_untracked() => WorktreeFile::Untracked,
            (Some(_), None) => WorktreeFile::Open(read(file, &metadata, limit)),
        })
    }

    /// Returns the files of the work tree that are searched: the tracked ones, and the untracked
    /// ones that [`Repository::status`] reports. Unsorted; a file in conflict is there more than
    /// once.
    ///
    /// # Errors
    /// [`super::Error::Command`] if `git ls-files` fails.
    pub fn listed_files(&self) -> Result<Vec<BString>> {
        let Some(git_dirs) = GitDirectories::of(self) else { return Ok(Vec::new()) };
        let mut files = self.listed(None)?;
        git_dirs.leave_out(&mut files, |file| (file.path.as_bstr(), file.is_tracked));
        Ok(files.into_iter().map(|listed| listed.path).collect())
    }

    /// Reads a file of a tree; a link is the path that it points to.
    ///
    /// # Errors
    /// [`super::Error::Git`] if the tree can't be read.
    pub fn read_committed(&self, tree: ObjectId, path: &BStr, limit: u64) -> Result<Blob> {
        let is_file = |mode| matches!(mode, EntryMode::File | EntryMode::Executable | EntryMode::Symlink);
        match self.tree_entry(tree, path)?.filter(|entry| is_file(entry.mode)) {
            Some(entry) => self.blob(entry.id, limit),
            None => Ok(Blob::Missing),
        }
    }

    /// Returns the files that Git lists: tracked ones, and those that are neither tracked nor
    /// ignored. With a path, it looks at this one alone, and lists it even if the user does not
    /// want untracked files.
    fn listed(&self, path: Option<&BStr>) -> Result<Vec<ListedFile>> {
        let mut args = vec!["ls-files", "-t", "-z", "--full-name", "--cached"];
        if path.is_some() || self.shows_untracked() {
            args.extend(["--others", "--exclude-standard"]);
        }
        let mut command = self.git(&args).as_user().arg("--");
        if let Some(path) = path {
            let Ok(native) = gix::path::from_bstr(path) else { return Ok(Vec::new()) };
            let mut spec = std::ffi::OsString::from(":(top,literal)");
            spec.push(native.as_os_str());
            command = command.arg(spec);
        }
        let output = command.run()?;
        let parse = |line: &[u8]| {
            let (tag, path) = line.split_once_str(" ")?;
            // A nested repository is one entry that ends in a slash.
            (!path.ends_with(b"/")).then(|| ListedFile { path: path.into(), is_tracked: tag != b"?" })
        };
        Ok(output.stdout.split(|byte| *byte == 0).filter_map(parse).collect())
    }
}

/// Reads at most `limit` bytes of an open file.
fn read(file: File, metadata: &Metadata, limit: u64) -> Blob {
    if metadata.len() > limit {
        return Blob::TooLarge { bytes: metadata.len() };
    }
    let mut bytes = Vec::new();
    // One byte above the limit shows that the file has grown since.
    if file.take(limit.saturating_add(1)).read_to_end(&mut bytes).is_err() {
        return Blob::Missing;
    }
    let len = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if len > limit { Blob::TooLarge { bytes: len } } else { Blob::Bytes(bytes) }
}

/// Opens an ordinary file below `root`.
fn open(root: PathBuf, path: &BStr) -> Option<(File, Metadata)> {
    let mut full = root;
    let mut components = path.split_str("/").peekable();
    loop {
        let name = components.next()?;
        if !is_valid_name(name) || cfg!(windows) && !is_name_on_windows(name) {
            return None;
        }
        full.push(gix::path::from_bstr(name.as_bstr()).ok()?);
        let found = full.symlink_metadata().ok()?;
        if components.peek().is_some() {
            if !found.is_dir() {
                return None;
            }
            continue;
        }
        if !found.is_file() {
            return None;
        }
        let file = open_last(&full).ok()?;
        let opened = file.metadata().ok()?;
        // Fails if somebody put a link there between the check and the opening.
        return is_same(&found, &opened).then_some((file, opened));
    }
}

/// Returns whether Windows takes this for the name of one file. Others are a path, a stream of a
/// file, a device such as `con.txt`, or another spelling of a name, such as `.git.` and `GIT~1`.
fn is_name_on_windows(name: &[u8]) -> bool {
    let options = gix::validate::path::component::Options {
        protect_windows: true,
        protect_hfs: false,
        protect_ntfs: true,
    };
    gix::validate::path::component(name.as_bstr(), None, options).is_ok()
}

#[cfg(not(windows))]
fn open_last(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// Opens a file, or a link instead of its target.
#[cfg(windows)]
fn open_last(path: &Path) -> std::io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    File::options().read(true).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT).open(path)
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    b.is_file() && a.dev() == b.dev() && a.ino() == b.ino()
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, b: &Metadata) -> bool {
    b.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn ordinary_files_are_read_up_to_the_limit() {
        let fixture = Fixture::with_history();
        fixture.write("src/crlf.txt", "a\r\n");
        let repo = fixture.open();
        let read = |path: &str, limit| repo.read_worktree(path.into(), limit).unwrap();
        assert_eq!(read("src/crlf.txt", 3), Blob::Bytes(b"a\r\n".to_vec()));
        assert_eq!(read("src/crlf.txt", 2), Blob::TooLarge { bytes: 3 });
        for path in
            ["", "src", "src/", "nothing", "../x", "/etc/hostname", "src/../src/crlf.txt", ".git/config"]
        {
            assert_eq!(read(path, 99), Blob::Missing, "{path}");
        }
    }

    #[test]
    fn names_that_mean_something_else_on_windows_are_known() {
        for (name, expected) in [
            ("a.rs", true),
            ("contents.md", true),
            (".gitignore", true),
            ("größe", true),
            ("a\\b", false),
            ("c:", false),
            ("a.rs:stream", false),
            ("con", false),
            ("NUL.txt", false),
            ("com1", false),
            ("a.", false),
            ("a ", false),
            (".GIT", false),
            (".git.", false),
            ("git~1", false),
        ] {
            assert_eq!(is_name_on_windows(name.as_bytes()), expected, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_put_in_the_place_of_another_is_not_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let of = |name: &str| std::fs::symlink_metadata(dir.path().join(name)).unwrap();
        for name in ["a", "b"] {
            std::fs::write(dir.path().join(name), "x").unwrap();
        }
        std::fs::hard_link(dir.path().join("a"), dir.path().join("c")).unwrap();
        for (name, expected) in [("a", true), ("b", false), ("c", true), ("", false)] {
            assert_eq!(is_same(&of("a"), &of(name)), expected, "{name}");
        }
        assert!(!is_same(&of(""), &of("")), "a directory");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_are_not_followed() {
        let fixture = Fixture::with_history();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "x").unwrap();
        fixture.link("link", outside.path().join("secret").to_str().unwrap());
        fixture.link("dir", outside.path().to_str().unwrap());
        let pipe = std::process::Command::new("mkfifo").arg(fixture.path().join("pipe")).status();
        assert!(pipe.unwrap().success());
        let repo = fixture.open();
        for path in ["link", "dir/secret", "pipe"] {
            assert_eq!(repo.read_worktree(path.into(), 99).unwrap(), Blob::Missing, "{path}");
        }
    }

    /// Names that only some systems allow.
    const ODD: &[&str] = if cfg!(windows) { &["odd [a].txt"] } else { &["odd [a]*.txt", "line\nfeed"] };

    /// Files that Git ignores, by rules in several places.
    const IGNORED: [&str; 8] = [
        ".env",
        "deep/er/.env",
        "secrets/id_rsa",
        "new.log",
        "src/local.rs",
        "src/a.private",
        "a.excluded",
        "a.global",
    ];

    /// A repository with tracked, untracked, ignored and foreign files.
    fn shared() -> Fixture {
        let fixture = Fixture::with_history();
        let global = fixture.path().parent().unwrap().join("excludes");
        std::fs::write(&global, "*.global\n").unwrap();
        fixture.git(&["config", "core.excludesFile", global.to_str().unwrap()]);
        fixture.write(".gitignore", ".env\n/secrets/\n*.log\n!kept.log\nsrc/local.rs\n");
        fixture.write("src/.gitignore", "*.private\n");
        fixture.write("tracked.log", "tracked\n");
        fixture.write("secrets/tracked", "tracked\n");
        ODD.iter().for_each(|path| fixture.write(path, "odd\n"));
        fixture.git(&["add", "-f", "-A"]);
        fixture.git(&["commit", "-q", "-m", "files"]);
        fixture.write(".git/info/exclude", "*.excluded\n");
        for path in IGNORED.iter().chain(&["kept.log", "untracked.rs"]) {
            fixture.write(path, "secret\n");
        }
        fixture.git(&["init", "-q", "nested"]);
        fixture.write("nested/file", "secret\n");
        fixture
    }

    #[test]
    fn others_see_what_is_tracked_or_not_ignored() {
        let fixture = shared();
        let repo = fixture.open();
        let read = |path: &str| repo.read_shared(path.into(), 99).unwrap();
        for path in ["README.md", "src/main.rs", "tracked.log", "secrets/tracked", "kept.log", "untracked.rs"]
            .iter()
            .chain(ODD)
        {
            assert!(matches!(read(path), WorktreeFile::Open(Blob::Bytes(_))), "{path:?}");
        }
        for path in IGNORED {
            assert_eq!(read(path), WorktreeFile::Ignored, "{path:?}");
        }
        let nested = WorktreeFile::Foreign { repository: "nested".into() };
        assert_eq!(read("nested/file"), nested);
        for path in [
            "",
            ".",
            "src",
            "none",
            "src/../.env",
            "./.env",
            "secrets//id_rsa",
            "/.env",
            "/etc/hostname",
            ".git/config",
            ".git/HEAD",
            "nested/.git/config",
            ".env\0",
            "src/main.rs\0.txt",
            "odd*",
            ":(glob)**",
        ] {
            assert_eq!(read(path), WorktreeFile::Open(Blob::Missing), "{path:?}");
        }
        assert_eq!(
            repo.read_shared("kept.log".into(), 6).unwrap(),
            WorktreeFile::Open(Blob::TooLarge { bytes: 7 })
        );
        // Rules that change are seen.
        fixture.write(".gitignore", "untracked.rs\n");
        assert_eq!(read("untracked.rs"), WorktreeFile::Ignored);
        assert!(matches!(read(".env"), WorktreeFile::Open(Blob::Bytes(_))));
    }

    #[test]
    fn a_file_that_is_no_longer_tracked_is_ignored_like_any_other() {
        let fixture = shared();
        let repo = fixture.open();
        let tree = repo.commit(repo.resolve("HEAD").unwrap()).unwrap().tree;
        fixture.git(&["rm", "-q", "--cached", "tracked.log"]);
        assert_eq!(repo.read_shared("tracked.log".into(), 99).unwrap(), WorktreeFile::Ignored);
        let committed = |path: &str| repo.read_committed(tree, path.into(), 99).unwrap();
        assert_eq!(committed("tracked.log"), Blob::Bytes(b"tracked\n".to_vec()));
        for path in [".env", "src", "nested", "secrets/id_rsa", ".git/config", "", "../x", "tracked.log\0"] {
            assert_eq!(committed(path), Blob::Missing, "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_read_through_links_or_case() {
        let fixture = shared();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), "x").unwrap();
        fixture.link("out", outside.path().to_str().unwrap());
        fixture.link("env", ".env");
        fixture.link("keys", "secrets");
        fixture.link("git", ".git");
        fixture.git(&["config", "core.ignoreCase", "true"]);
        let repo = fixture.open();
        for path in
            ["out/secret", "env", "keys/id_rsa", "git/config", ".ENV", "Secrets/id_rsa", ".GIT/config"]
        {
            assert_eq!(
                repo.read_shared(path.into(), 99).unwrap(),
                WorktreeFile::Open(Blob::Missing),
                "{path}"
            );
        }
    }

    #[test]
    fn files_of_submodules_and_of_a_git_directory_elsewhere_are_foreign() {
        let fixture = Fixture::with_history();
        let module = fixture.path().join("module");
        fixture.git(&["clone", "-q", fixture.path().to_str().unwrap(), module.to_str().unwrap()]);
        fixture.git(&["-c", "advice.addEmbeddedRepo=false", "add", "module"]);
        fixture.git(&["commit", "-q", "-m", "module"]);
        let repo = fixture.open();
        let foreign = WorktreeFile::Foreign { repository: "module".into() };
        for path in ["module/README.md", "module/src/main.rs"] {
            assert_eq!(repo.read_shared(path.into(), 99).unwrap(), foreign, "{path}");
        }
        let missing = WorktreeFile::Open(Blob::Missing);
        assert_eq!(repo.read_shared("module".into(), 99).unwrap(), missing);
        // The Git directory of a linked work tree is that of another one.
        fixture.git(&["worktree", "add", "-q", "-b", "other", "../linked"]);
        let linked = Fixture::at(fixture.path().parent().unwrap().join("linked"));
        linked.write(".gitignore", "*.log\n");
        linked.write("a.log", "secret\n");
        assert_eq!(linked.open().read_shared("a.log".into(), 99).unwrap(), WorktreeFile::Ignored);
        assert_eq!(linked.open().read_shared(".git".into(), 99).unwrap(), missing);
    }
}
