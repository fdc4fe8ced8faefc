//! The words of a command line that name commits, and the paths after them.
//!
//! `git cora diff`, `impact` and `changelog` read their words here, by the rules of `git diff`:
//! revisions come first, and `--` separates them from paths, even if no path follows. Without `--`,
//! the paths begin with the first word that names no commit; each of them must be a pattern or
//! exist. The library knows the syntax of a range.
//!
//! Also owns the hints that name commits to compare: a repository may have only one.

use std::ffi::OsString;

use bstr::ByteSlice;

use git_cora::Session;
use git_cora::base::error::ClassifiedError as _;
use git_cora::base::id::ObjectId;
use git_cora::base::text::{named_path, shell_path, shell_word};

use crate::command_error::CommandError;
use crate::terminal::Context;

/// The commits that a command line names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum NamedCommits {
    /// None.
    #[default]
    None,
    /// `A`.
    One(ObjectId),
    /// `A B`, `A..B` or `A...B`: the two commits to compare.
    Two([ObjectId; 2]),
}

/// What a command line compares.
#[derive(Debug, Default)]
pub(crate) struct Operands {
    pub(crate) commits: NamedCommits,
    /// The commits as they were written: `A`, or a range; empty if there are none.
    pub(crate) title: String,
    /// The words that name commits.
    words: Vec<String>,
    /// The pathspecs, from the current directory.
    pub(crate) paths: Vec<OsString>,
}

impl Operands {
    /// Reads the words before `--` and the `paths` after it.
    ///
    /// # Errors
    /// If a word names neither a commit nor a path, or if more than two commits are named.
    pub(crate) fn read(
        context: &Context,
        session: &Session,
        words: &[String],
        paths: &[OsString],
    ) -> anyhow::Result<Self> {
        let mut operands = Self::default();
        let is_separated = context.has_separator;
        for (at, word) in words.iter().enumerate() {
            match named(session, word) {
                Ok(commits) => {
                    if !is_separated && exists(context, session, word) {
                        context.say(&format!(
                            "note: '{word}' is a commit and a path; it means the commit, unless '--' is before it"
                        ));
                    }
                    operands.add(word, commits)?;
                }
                Err(_) if !is_separated && is_path(context, session, word) => {
                    let rest = words.get(at..).unwrap_or_default();
                    operands.paths = existing(context, session, rest)?;
                    break;
                }
                Err(_) if at > 0 && !is_separated => return Err(neither(session, word)),
                Err(error) => return Err(error),
            }
        }
        operands.paths.extend_from_slice(paths);
        Ok(operands)
    }

    /// Adds the commits of one more word.
    fn add(&mut self, word: &str, commits: NamedCommits) -> anyhow::Result<()> {
        (self.commits, self.title) = match (self.commits, commits) {
            (NamedCommits::None, commits) => (commits, word.to_owned()),
            (NamedCommits::One(old), NamedCommits::One(new)) => {
                (NamedCommits::Two([old, new]), format!("{}..{word}", self.title))
            }
            _ => {
                let before: Vec<String> = self.words.iter().map(|word| format!("'{word}'")).collect();
                return Err(CommandError::new(
                    format!("expected at most two commits, found {} and '{word}'", before.join(", ")),
                    "name two commits as OLD NEW or OLD..NEW, and paths after '--'",
                )
                .into());
            }
        };
        self.words.push(word.to_owned());
        Ok(())
    }
}

/// Makes the error of a command that would compare the working tree of a bare repository.
pub(crate) fn no_worktree(session: &Session, command: &str, paths: &[OsString]) -> CommandError {
    CommandError::new("this repository has no working tree", hint_for_last(session, command, paths))
}

/// Returns the hint that compares the last commit with the one before it, if there is one.
pub(crate) fn hint_for_last(session: &Session, command: &str, paths: &[OsString]) -> String {
    let exists = |revision: &str| session.repo().resolve(revision).is_ok();
    if exists("HEAD~") {
        let paths = pathspec_words(paths);
        format!("run 'git cora {command} HEAD~..HEAD{paths}' for the last commit")
    } else if exists("HEAD") {
        "run 'git cora list --rev HEAD' for the declarations of the only commit".to_owned()
    } else {
        session.repo().resolve("HEAD").err().and_then(|error| error.hint()).unwrap_or_default()
    }
}

/// Returns the hint that compares a commit with `HEAD`; `HEAD` itself with the commit before it.
pub(crate) fn hint_since(session: &Session, command: &str, commit: &str, paths: &[OsString]) -> String {
    let id = |revision: &str| session.repo().resolve(revision).ok();
    if id(commit) == id("HEAD") {
        return hint_for_last(session, command, paths);
    }
    let (range, paths) = (format!("{commit}..HEAD"), pathspec_words(paths));
    format!("run 'git cora {command} {}{paths}' for the commits since '{commit}'", shell_word(&range))
}

/// Returns paths as the last words of a command; empty if there are none.
fn pathspec_words(paths: &[OsString]) -> String {
    let words = paths.iter().map(|path| format!(" {}", shell_path(path)));
    if paths.is_empty() { String::new() } else { format!(" --{}", words.collect::<String>()) }
}

/// Resolves one word.
fn named(session: &Session, word: &str) -> anyhow::Result<NamedCommits> {
    let repo = session.repo();
    Ok(match repo.range(word)? {
        Some(commits) => NamedCommits::Two(commits),
        None => NamedCommits::One(repo.resolve(word)?),
    })
}

/// Returns words as paths.
///
/// # Errors
/// If a word is not a path.
fn existing(context: &Context, session: &Session, words: &[String]) -> anyhow::Result<Vec<OsString>> {
    match words.iter().find(|word| !is_path(context, session, word)) {
        None => Ok(words.iter().map(OsString::from).collect()),
        Some(word) => Err(neither(session, word)),
    }
}

/// Makes the error of a word that is not a path, where a path is expected.
fn neither(session: &Session, word: &str) -> anyhow::Error {
    if named(session, word).is_ok() {
        let message = format!("the commit '{word}' must come before the paths");
        return CommandError::new(message, "put commits first, or '--' before the first path").into();
    }
    CommandError::not_found(
        format!("'{word}' is neither a commit nor a path"),
        "put '--' before paths that the working tree does not have",
    )
    .into()
}

/// Returns whether a word is a path without `--` before it: a pattern, or a file that exists.
fn is_path(context: &Context, session: &Session, word: &str) -> bool {
    is_pattern(word) || exists(context, session, word)
}

/// Returns whether a word can only be a pathspec. `:/` begins a revision too.
fn is_pattern(word: &str) -> bool {
    word.contains(['*', '?', '[']) || [":(", ":!", ":^", "!"].iter().any(|magic| word.starts_with(magic))
}

/// Returns whether the working tree has a file or directory of this name.
fn exists(context: &Context, session: &Session, word: &str) -> bool {
    let Some(root) = session.repo().work_dir() else { return false };
    let (directory, path) = match word.strip_prefix(":/") {
        Some(from_root) => (root.to_owned(), named_path(from_root)),
        None => (context.directory(), named_path(word)),
    };
    path.to_path().is_ok_and(|path| directory.join(path).symlink_metadata().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pathspec_with_magic_or_wildcards_is_no_revision() {
        for word in ["*.rs", "src/?.c", "a[bc]", ":(top)src", ":!vendor", ":^vendor", "!*.md"] {
            assert!(is_pattern(word), "{word}");
        }
        for word in ["src", "HEAD", "HEAD~2", "HEAD^", ":/fix", "main..topic", "v1.0"] {
            assert!(!is_pattern(word), "{word}");
        }
    }

    #[test]
    fn paths_are_the_last_words_of_a_command() {
        assert_eq!(pathspec_words(&[]), "");
        assert_eq!(pathspec_words(&["src".into(), "my lib".into()]), " -- src \"my lib\"");
    }

    #[test]
    fn two_commits_are_named_by_two_words_or_one() {
        let id = |byte: u8| ObjectId::from_bytes(&[byte; 20]).unwrap();
        let (a, b) = (NamedCommits::One(id(1)), NamedCommits::One(id(2)));
        let two = NamedCommits::Two([id(1), id(2)]);
        let read = |words: &[(&str, NamedCommits)]| {
            let mut operands = Operands::default();
            words.iter().try_for_each(|(word, commits)| operands.add(word, *commits))?;
            anyhow::Ok((operands.commits, operands.title))
        };
        assert_eq!(read(&[("a", a)]).unwrap(), (a, "a".to_owned()));
        assert_eq!(read(&[("a", a), ("b", b)]).unwrap(), (two, "a..b".to_owned()));
        assert_eq!(read(&[("a...b", two)]).unwrap(), (two, "a...b".to_owned()));
        let message = |words: &[(&str, NamedCommits)]| read(words).unwrap_err().to_string();
        assert_eq!(
            message(&[("a", a), ("b", b), ("c", a)]),
            "expected at most two commits, found 'a', 'b' and 'c'"
        );
        assert_eq!(message(&[("a..b", two), ("c", a)]), "expected at most two commits, found 'a..b' and 'c'");
        assert!(read(&[("a..b", two), ("a", a)]).is_err());
        assert!(read(&[("a", a), ("a..b", two)]).is_err());
    }
}
