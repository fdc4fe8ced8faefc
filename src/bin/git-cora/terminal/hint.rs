//! Where a command in a message must run: a hint that is copied works from the same directory.
//!
//! Owns [`CommandPlace`]: a message → the message with `-C`, `--git-dir` and `--work-tree` in its
//! commands, as they were given. [`Context::complain`](super::Context::complain) is the only
//! caller for what is printed, so that no other place has to think of these options. Replies to
//! agents and programs don't pass there: these know no current directory.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use git_cora::base::path::{real, real_or_same};
use git_cora::base::text::shell_word;

/// The words before a command that a message tells people to run. Other commands in messages are
/// only mentioned.
const BEFORE: [&str; 4] = ["run '", "or '", "and '", "with '"];

/// The sign between a command and another that runs after it in the same directory.
const THEN: &str = "&& ";

/// How a command that is copied finds the repository.
#[derive(Debug, Default)]
pub(super) struct CommandPlace {
    /// `-C DIR`, after a blank; empty if there is none.
    directory: String,
    /// `--git-dir=DIR` and `--work-tree=DIR`, each after a blank.
    repository: String,
}

impl CommandPlace {
    /// Returns the place of a command with this `-C`. Git passes its own `--git-dir` and
    /// `--work-tree` on in the environment. Its own `-C` changes the directory, and only the
    /// shell's `PWD` still tells where the command was typed.
    pub(super) fn new(directory: Option<&Path>) -> Self {
        #[allow(clippy::disallowed_methods, reason = "Git passes its options on in these variables")]
        let variables = ["GIT_DIR", "GIT_WORK_TREE"].map(std::env::var_os);
        let [git_dir, work_tree] = variables.map(|value| value?.into_string().ok());
        #[allow(clippy::disallowed_methods, reason = "it is about the shell, not about a repository")]
        let shell = std::env::var_os("PWD").map(PathBuf::from);
        let moved = shell.zip(std::env::current_dir().ok()).and_then(|(shell, here)| moved(&shell, &here));
        let directory = match (moved, directory) {
            (Some(moved), Some(directory)) => Some(moved.join(directory)),
            (moved, directory) => moved.or_else(|| directory.map(Path::to_owned)),
        };
        Self::of(directory.as_deref(), git_dir.as_deref(), work_tree.as_deref())
    }

    fn of(directory: Option<&Path>, git_dir: Option<&str>, work_tree: Option<&str>) -> Self {
        let directory = directory.and_then(Path::to_str).filter(|dir| *dir != ".");
        let option = |name: &str, value: Option<&str>| {
            let value = value.filter(|value| !value.is_empty());
            value.map(|value| format!(" {}", shell_word(&format!("{name}={value}")))).unwrap_or_default()
        };
        Self {
            directory: directory.map(|dir| format!(" -C {}", shell_word(dir))).unwrap_or_default(),
            repository: option("--git-dir", git_dir) + &option("--work-tree", work_tree),
        }
    }

    /// Returns a message whose commands work from here.
    pub(super) fn in_message<'m>(&self, message: &'m str) -> Cow<'m, str> {
        const GIT: &str = "git";
        if self.directory.is_empty() && self.repository.is_empty() {
            return Cow::Borrowed(message);
        }
        let mut out = String::with_capacity(message.len() + self.directory.len() + self.repository.len());
        let mut from = 0;
        for (at, _) in message.match_indices("git ") {
            let (before, rest) = message.split_at(at);
            // Behind `cd`, a command runs elsewhere.
            let is_next = from > 0 && before.ends_with(THEN);
            if !is_next && !BEFORE.iter().any(|words| before.ends_with(words)) {
                continue;
            }
            let is_ours = rest.starts_with("git cora ") || rest.starts_with("git cora'");
            // The program has a `-C` of its own.
            let command = match is_ours {
                true => format!("{GIT}{} cora{}", self.repository, self.directory),
                false => format!("{GIT}{}{}", self.directory, self.repository),
            };
            out.push_str(message.get(from..at).unwrap_or_default());
            out.push_str(&command);
            from = at + if is_ours { "git cora".len() } else { GIT.len() };
        }
        out.push_str(message.get(from..).unwrap_or_default());
        Cow::Owned(out)
    }
}

/// Returns the current directory as it is named in the directory of the shell; `None` if that is
/// the same, or not known.
fn moved(shell: &Path, here: &Path) -> Option<PathBuf> {
    if shell == here {
        return None;
    }
    let (shell, here) = (real(shell).ok().filter(|_| shell.is_absolute())?, real_or_same(here));
    let is_same = shell == here;
    let inside = here.strip_prefix(&shell).map(Path::to_owned);
    (!is_same).then(|| inside.unwrap_or(here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_named_from_where_the_command_was_typed() {
        let dir = tempfile::tempdir().unwrap();
        let base = real(dir.path()).unwrap();
        for name in ["a/b", "c"] {
            std::fs::create_dir_all(base.join(name)).unwrap();
        }
        let moved = |shell: &str, here: &str| moved(&base.join(shell), &base.join(here));
        assert_eq!(moved("a", "a"), None);
        assert_eq!(moved("a", "a/b"), Some("b".into()));
        assert_eq!(moved("a/b", "c"), Some(base.join("c")));
        assert_eq!(moved("gone", "c"), None);
        assert_eq!(super::moved(Path::new("a"), &base), None);
    }

    #[test]
    fn a_command_that_is_copied_runs_in_the_same_repository() {
        let here = CommandPlace::of(None, None, None);
        let there = CommandPlace::of(Some(Path::new("my lib")), None, None);
        let bare = CommandPlace::of(None, Some("x.git"), Some("tree"));
        let both = CommandPlace::of(Some(Path::new("lib")), Some("x.git"), None);
        for (place, message, expected) in [
            (&here, "hint: run 'git cora index'", "hint: run 'git cora index'"),
            (
                &there,
                "hint: run 'git cora index && git cora push' to share it",
                "hint: run 'git cora -C \"my lib\" index && git cora -C \"my lib\" push' to share it",
            ),
            (
                &there,
                "run 'git remote -v' to list them, and 'git ls-remote x' to test one",
                "run 'git -C \"my lib\" remote -v' to list them, and 'git -C \"my lib\" ls-remote x' to test one",
            ),
            (
                &bare,
                "run 'git cora diff HEAD~..HEAD'",
                "run 'git --git-dir=x.git --work-tree=tree cora diff HEAD~..HEAD'",
            ),
            (
                &both,
                "run 'git cora show a.rs' or 'git show a.rs'",
                "run 'git --git-dir=x.git cora -C lib show a.rs' or 'git -C lib --git-dir=x.git show a.rs'",
            ),
            (&there, "run 'cd /x && git init && git add .'", "run 'cd /x && git init && git add .'"),
            // Mentioned only.
            (
                &there,
                "note: no such command; running 'git cora query' instead",
                "note: no such command; running 'git cora query' instead",
            ),
            (&there, "kept 3; 'git gc' frees the space later", "kept 3; 'git gc' frees the space later"),
            (
                &there,
                "commit it first: 'git cora log' reads commits",
                "commit it first: 'git cora log' reads commits",
            ),
        ] {
            assert_eq!(place.in_message(message), expected, "{place:?}");
        }
        assert_eq!(
            CommandPlace::of(Some(Path::new(".")), Some(""), None).in_message("run 'git x'"),
            "run 'git x'"
        );
    }
}
