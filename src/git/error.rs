//! Errors of the `git` stage.
//!
//! Owns [`Error`], the only error enum of this stage. An error of a library is kept as a boxed
//! source, never as a type. So the library behind this stage can change without any caller
//! noticing.

use std::path::{Path, PathBuf};

use crate::base::error::{ClassifiedError, ErrorKind};
use crate::base::id::ObjectId;
use crate::base::text::shell_word;

/// The result of every operation of the `git` stage.
pub type Result<T> = std::result::Result<T, Error>;

/// An underlying error, kept for the chain of causes.
pub(super) type Source = Box<dyn std::error::Error + Send + Sync + 'static>;

/// A failure of Git, of the file system under it, or of stored data.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No repository at this directory or above it.
    #[error("not a git repository (or any of the parent directories): '{}'", .0.display())]
    NotARepository(PathBuf),
    /// A directory `.git` that is not a repository because something is missing in it.
    #[error("'{}' is not a valid repository: {lacks}", .git_dir.display())]
    Damaged {
        /// The directory.
        git_dir: PathBuf,
        /// What is missing or not valid, as in "'HEAD' is missing".
        lacks: &'static str,
    },
    /// The variable `GIT_DIR` names a directory that is not a repository.
    #[error("not a git repository: '{}' (named by GIT_DIR)", .0.display())]
    WrongGitDir(PathBuf),
    /// A `.git` file that leads to a directory which is not a repository.
    #[error("'{}' belongs to a repository that does not exist: '{}'", .dir.display(), .git_dir.display())]
    LostRepository {
        /// The directory that has the file.
        dir: PathBuf,
        /// The directory that the file names.
        git_dir: PathBuf,
    },
    /// A repository that Git does not open.
    #[error("git refuses '{}': {reason}", .dir.display())]
    Refused {
        /// The directory that was to be opened.
        dir: PathBuf,
        /// Git's words.
        reason: String,
        /// A command that Git advises, if it does.
        advice: Option<String>,
    },
    /// A ref that can't be stored because something else has the name of its directory.
    #[error("can't store '{name}': '{above}' exists, so no ref can begin with '{above}/'")]
    RefAbove {
        /// The ref that was to be written.
        name: String,
        /// The ref in its way.
        above: String,
        /// Its file, if Git can't delete it because it has no valid value.
        broken: Option<PathBuf>,
    },
    /// Nothing can be stored while Git checks objects that were pushed.
    #[error("can't store '{name}' in a hook that runs before Git has accepted a push")]
    Quarantine {
        /// The ref that was to be written.
        name: String,
        /// Says that nothing can be written.
        #[source]
        source: std::io::Error,
    },
    /// New objects go to a store that borrows from the repository's own, and may vanish.
    #[error("can't store '{name}' while 'GIT_OBJECT_DIRECTORY' leads new objects elsewhere")]
    Staging {
        /// The ref that was to be written.
        name: String,
        /// Says that nothing can be written.
        #[source]
        source: std::io::Error,
    },
    /// A revision that names nothing, or names something other than a commit.
    #[error("unknown revision '{revision}'{}", if *.is_shallow { " in this shallow clone" } else { "" })]
    NotFound {
        /// The revision as it was written.
        revision: String,
        /// Whether the clone lacks old commits, so that the revision may name one of these.
        is_shallow: bool,
    },
    /// A revision that names something other than a commit.
    #[error("'{revision}' does not name a commit")]
    NotACommit {
        /// The revision as it was written.
        revision: String,
    },
    /// A range where one commit is expected.
    #[error("'{revision}' is a range of commits; expected one commit")]
    Range {
        /// The revision as it was written.
        revision: String,
    },
    /// The sides of `A...B` have no common ancestor here.
    #[error("'{}' and '{}' have no common ancestor{}", .revisions[0], .revisions[1], if *.is_shallow { " in this shallow clone" } else { "" })]
    Unrelated {
        /// The two sides.
        revisions: [String; 2],
        /// Whether the clone lacks old commits, so that there may be one elsewhere.
        is_shallow: bool,
    },
    /// `HEAD` is a branch without a commit.
    #[error("{}", .orphan.as_ref().map_or("there is no commit yet".to_owned(), |name| format!("branch '{name}' has no commit yet")))]
    Unborn {
        /// The short name of the branch, if other branches have commits.
        orphan: Option<String>,
        /// Whether there is no work tree, so that nobody can commit here.
        is_bare: bool,
    },
    /// An object that should be in the repository but is not.
    #[error("{kind} {id} is missing{}", if *.is_promised { ", and the remote that has it does not send it" } else { "" })]
    MissingObject {
        /// The kind that was expected.
        kind: &'static str,
        /// The missing object.
        id: ObjectId,
        /// Whether this is a partial clone, whose remote has promised all objects.
        is_promised: bool,
    },
    /// An object whose bytes are not valid.
    #[error("{kind} {id} is damaged: {detail}")]
    Corrupt {
        /// The kind that was expected.
        kind: &'static str,
        /// The damaged object.
        id: ObjectId,
        /// A description of the damage.
        detail: String,
    },
    /// A limit that protects against hostile input was exceeded.
    #[error("too many {what} in tree {id}: more than {limit}")]
    Limit {
        /// The thing that is counted.
        what: &'static str,
        /// The tree that was read.
        id: ObjectId,
        /// The largest number allowed.
        limit: usize,
    },
    /// An invalid configuration value.
    #[error("invalid value '{value}' for '{key}': expected {expected}")]
    Config {
        /// The configuration key.
        key: String,
        /// The value that was found.
        value: String,
        /// Description of the valid values.
        expected: &'static str,
    },
    /// Reading or writing the repository failed.
    #[error("can't {action}")]
    Git {
        /// The attempted action, which completes "can't …".
        action: String,
        /// The cause.
        #[source]
        source: Source,
    },
    /// The `git` program could not be started.
    #[error("can't run git")]
    NoGit(#[source] std::io::Error),
    /// The `git` program failed.
    #[error("git {command} failed{}: {stderr}", .status.map(|code| format!(" with status {code}")).unwrap_or_default())]
    Command {
        /// The subcommand.
        command: String,
        /// Its exit status; `None` if a signal ended it.
        status: Option<i32>,
        /// Its standard error, trimmed.
        stderr: String,
    },
    /// A file operation failed.
    #[error("can't {action} '{}'", .path.display())]
    Io {
        /// The attempted action, which completes "can't …".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// An address that must not be fetched from.
    #[error("can't fetch from '{url}': {why}")]
    Address {
        /// The address without anything that may be a password.
        url: String,
        /// The reason.
        why: &'static str,
    },
    /// A remote that can't be reached, or that refuses the request.
    #[error("can't fetch from '{url}': {message}")]
    Unreachable {
        /// The address without anything that may be a password.
        url: String,
        /// Git's message.
        message: String,
    },
    /// A push, a fetch or a list of a remote's refs that failed as a whole.
    #[error("{operation} failed: {message}")]
    Transfer {
        /// `push` or `fetch`.
        operation: &'static str,
        /// The remote as the user wrote it.
        remote: String,
        /// Git's message.
        message: String,
        /// The kind of failure.
        why: Refusal,
    },
    /// A remote that sent too much or took too long.
    #[error("'{url}' {what} than {limit}; the transfer was stopped")]
    Excess {
        /// The address without anything that may be a password.
        url: String,
        /// `sends more` or `takes longer`.
        what: &'static str,
        /// The limit with its unit.
        limit: String,
    },
    /// A revision that the remote does not have, or that only a full clone can resolve.
    #[error("unknown revision '{revision}' at '{url}'{why}")]
    NoRemoteRevision {
        /// The address without anything that may be a password.
        url: String,
        /// The revision as it was written.
        revision: String,
        /// An explanation that starts with a colon; empty if there is none.
        why: &'static str,
    },
    /// The user interrupted the work.
    #[error("interrupted")]
    Cancelled,
    /// A bug in this program.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    /// Returns a closure for `map_err` that reports a failed `action`.
    pub(super) fn git<E: Into<Source>>(action: impl Into<String>) -> impl FnOnce(E) -> Self {
        move |source| Self::Git { action: action.into(), source: source.into() }
    }

    /// Returns a closure for `map_err` that reports a failed file operation.
    pub(super) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { action, path: path.into(), source }
    }
}

impl ClassifiedError for Error {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::NotARepository(_)
            | Self::Damaged { .. }
            | Self::WrongGitDir(_)
            | Self::LostRepository { .. } => ErrorKind::NotARepository,
            Self::Refused { .. } => ErrorKind::Unsupported,
            Self::NotFound { .. } | Self::NotACommit { .. } | Self::Unborn { .. } => ErrorKind::NotFound,
            Self::Range { .. } | Self::Unrelated { .. } => ErrorKind::Config,
            Self::Corrupt { .. } => ErrorKind::Corrupt,
            Self::Limit { .. } | Self::Excess { .. } => ErrorKind::Limit,
            Self::Address { .. } => ErrorKind::Config,
            Self::Unreachable { .. } | Self::Transfer { .. } => ErrorKind::Network,
            Self::NoRemoteRevision { .. } => ErrorKind::NotFound,
            Self::Config { .. } => ErrorKind::Config,
            Self::MissingObject { .. }
            | Self::RefAbove { .. }
            | Self::Quarantine { .. }
            | Self::Staging { .. }
            | Self::Git { .. }
            | Self::NoGit(_)
            | Self::Command { .. }
            | Self::Io { .. } => ErrorKind::Git,
            Self::Cancelled => ErrorKind::Cancelled,
            Self::Internal(_) => ErrorKind::Internal,
        }
    }

    fn proposes_repository(&self) -> bool {
        matches!(self, Self::NotARepository(dir) if is_of_documents(dir))
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotARepository(dir) if self.proposes_repository() => format!(
                "run 'cd {} && git init && git add . && git commit -m documents' to make it searchable",
                shown(dir)
            ),
            Self::NotARepository(_) => {
                "change to the directory of a repository, or name one with '-C DIR'".into()
            }
            Self::Damaged { git_dir, .. } => {
                format!("run 'ls -la {}' to see what it has", shown(git_dir))
            }
            Self::WrongGitDir(_) => "run 'unset GIT_DIR' to use the repository of this directory".into(),
            Self::LostRepository { dir, git_dir }
                if git_dir.components().any(|part| part.as_os_str() == "worktrees") =>
            {
                format!("run 'git worktree repair {}' in the moved repository", shown(dir))
            }
            Self::LostRepository { dir, .. } => {
                format!("run 'cat {}' to see which directory it names", shown(&dir.join(".git")))
            }
            Self::Refused { advice: Some(advice), .. } => format!("run '{advice}' to trust this directory"),
            Self::Refused { dir, reason, .. } if reason.contains("safe.bareRepository") => {
                format!("run 'export GIT_DIR={}' to name the repository explicitly", shown(dir))
            }
            Self::Refused { .. } => "run 'git rev-parse --git-dir' to see Git's own message".into(),
            Self::RefAbove { broken: Some(path), .. } => format!("run 'rm {}' to delete it", shown(path)),
            Self::RefAbove { above, .. } => {
                format!("run 'git update-ref -d {}' to delete it", shell_word(above))
            }
            Self::Command { command, stderr, .. }
                if command == "status"
                    && !["packed-refs", "shallow"].iter().any(|file| stderr.contains(file)) =>
            {
                "use '--no-worktree' to search HEAD without the working tree".into()
            }
            Self::NotFound { is_shallow: true, .. } => "run 'git fetch --unshallow'".into(),
            Self::NotFound { .. } => "run 'git log --oneline --all' to see the commits of this \
            repository"
                .into(),
            Self::NotACommit { revision } => {
                format!("run 'git show --stat {}' to see what it names", shell_word(revision))
            }
            Self::Range { revision } => {
                let end = revision.rsplit("..").next().unwrap_or_default().trim_matches('.');
                let end = end.split('^').next().unwrap_or_default();
                format!(
                    "name one end of the range, for example '{}'",
                    if end.is_empty() { "HEAD" } else { end }
                )
            }
            Self::Unrelated { is_shallow: true, .. } => "run 'git fetch --unshallow'".into(),
            Self::Unrelated { revisions: [old, new], .. } => {
                format!("write '{}' to compare the two commits", shell_word(&format!("{old}..{new}")))
            }
            Self::Unborn { orphan: None, is_bare: true } => "push a commit to this repository first".into(),
            Self::Unborn { orphan: None, .. } => "run 'git commit' to make the first commit".into(),
            Self::Unborn { orphan: Some(_), .. } => {
                "run 'git branch --all' to see the branches that have commits".into()
            }
            Self::MissingObject { is_promised: true, .. } => {
                "run 'git fetch' to see whether the remote answers".into()
            }
            Self::MissingObject { .. } | Self::Corrupt { .. } => {
                "run 'git fsck' to see what else is missing or damaged".into()
            }
            Self::Config { key, .. } => format!(
                "run 'git config --show-origin --get-all {key}' to see where \
            it is set"
            ),
            Self::Address { .. } => "use an https, http, ssh, git or file address, or a path".into(),
            Self::Unreachable { url, .. } => {
                format!("run 'git ls-remote {} HEAD' to see whether it answers", shell_word(url))
            }
            Self::Transfer { operation, remote, why, .. } => transfer_hint(operation, remote, *why),
            Self::Excess { what: "sends more", .. } => {
                "run 'git config --global cora.remoteBytes 4g' to allow a larger transfer".into()
            }
            Self::NoRemoteRevision { .. } => {
                "use HEAD, a branch, a tag or a full commit id, optionally followed by '~N'".into()
            }
            Self::Io { source, path, .. } => return file_hint(source, path),
            Self::NoGit(_) => "install Git 2.30 or newer and put it on PATH".into(),
            _ => return None,
        })
    }
}

/// Returns whether a directory may become a repository of its own: not the root of the file system,
/// and neither the user's home nor a directory above it.
fn is_of_documents(dir: &Path) -> bool {
    let home = gix::path::env::home_dir();
    dir.parent().is_some() && !home.is_some_and(|home| home.starts_with(dir))
}

/// Returns a path as one word of a command line.
fn shown(path: &Path) -> String {
    shell_word(&path.to_string_lossy()).into_owned()
}

/// Returns what can be done about a file that can't be written.
fn file_hint(error: &std::io::Error, path: &Path) -> Option<String> {
    use std::io::ErrorKind as Kind;
    // The directory is there, even if the file is not.
    let dir = shown(path.ancestors().find(|dir| dir.is_dir()).unwrap_or(path));
    match error.kind() {
        Kind::PermissionDenied => Some(format!("run 'ls -ld {dir}' to see who may write there")),
        Kind::StorageFull | Kind::QuotaExceeded => {
            Some(format!("run 'df -h {dir}' to see what space is left"))
        }
        Kind::ReadOnlyFilesystem => Some(format!("run 'df {dir}' to see which file system can't be written")),
        Kind::AlreadyExists | Kind::NotADirectory => {
            let file =
                path.ancestors().find(|path| path.symlink_metadata().is_ok_and(|meta| !meta.is_dir()))?;
            Some(format!("move {} away: a directory belongs there", shown(file)))
        }
        _ => None,
    }
}

/// Returns what can be done about a failed transfer.
fn transfer_hint(operation: &str, remote: &str, why: Refusal) -> String {
    let remote = shell_word(remote);
    match (why, operation) {
        (Refusal::Denied, "push") => {
            format!("run 'git push --dry-run {remote} HEAD' to see whether you may push there")
        }
        (Refusal::Rejected, _) => {
            "configure the server to accept refs under 'refs/cora/', or push to another remote".to_owned()
        }
        (Refusal::Declined, _) => {
            "ask those who run the server why it declines the push, or push to another remote".to_owned()
        }
        (Refusal::Hook, _) => {
            format!("run 'git push --dry-run {remote} HEAD' to run the hook without sending anything")
        }
        (Refusal::Unreachable | Refusal::Denied, _) => {
            format!("run 'git remote -v' to list the remotes, and 'git ls-remote {remote}' to test this one")
        }
    }
}

/// The reason why a transfer failed. It decides what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The remote does not answer, or is not a repository.
    Unreachable,
    /// The remote does not let this user in.
    Denied,
    /// The remote answers, but does not accept refs of these names.
    Rejected,
    /// The remote answers, but declines the push for a reason of its own: a quota, a hook.
    Declined,
    /// The `pre-push` hook of this repository stopped the push.
    Hook,
}
