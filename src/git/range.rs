//! Two commits in one word: `A..B`, `A...B`, and `A^!` for what one commit changed.
//!
//! Owns the syntax, which is that of `git diff`. Input: a word of a command line. Output: the two
//! commits to compare, the older side first. The same word names a set of commits elsewhere; see
//! [`Repository::resolve_many`].

use super::{Error, Repository, Result};
use crate::base::id::ObjectId;

/// The two sides of a range as they are written.
#[derive(Debug, PartialEq, Eq)]
struct Sides<'s> {
    old: &'s str,
    new: &'s str,
    /// Whether the older side is the common ancestor of both: `A...B`.
    is_symmetric: bool,
}

/// Returns whether a word has the form `A..B`, `A...B`, `A^!` or `A^-`. Its sides need not exist.
pub fn is_range(word: &str) -> bool {
    sides(word).is_some() || of_commit(word).is_some()
}

/// Reads `A^!` and `A^-`, which compare A with its first parent, and `A^-2` with another: the
/// parent as a revision, and A.
fn of_commit(word: &str) -> Option<(String, &str)> {
    if word.starts_with(':') {
        return None;
    }
    if let Some(new) = word.strip_suffix("^!") {
        return Some((format!("{new}^"), new));
    }
    let (new, parent) = word.rsplit_once("^-")?;
    let is_number = parent.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (format!("{new}^{parent}"), new))
}

/// Splits a word at the dots of a range.
///
/// `:/a..b` and `HEAD^{/a..b}` name one commit by its message. `..` and `../lib` are paths.
fn sides(word: &str) -> Option<Sides<'_>> {
    if word.starts_with(':') || word == ".." {
        return None;
    }
    let mut depth = 0usize;
    for (at, byte) in word.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'.' if depth == 0 => {
                let (old, rest) = word.split_at_checked(at)?;
                let Some(rest) = rest.strip_prefix("..") else { continue };
                let (new, is_symmetric) = match rest.strip_prefix('.') {
                    Some(new) => (new, true),
                    None => (rest, false),
                };
                // No revision begins with a slash or a dot, but the rest of a relative path does.
                let is_range = !new.starts_with(['/', '.']);
                return is_range.then_some(Sides { old, new, is_symmetric });
            }
            _ => {}
        }
    }
    None
}

impl Repository {
    /// Returns the two commits that a range compares; `None` if the word is not a range.
    ///
    /// `A..B` compares A with B. `A...B` compares B with the commit where it branched off from A.
    /// An omitted side is `HEAD`. `A^!` compares A with its first parent.
    ///
    /// # Errors
    /// As [`Repository::resolve`] for a side. [`Error::Unrelated`] if the sides of `A...B` have no
    /// common ancestor here.
    pub fn range(&self, word: &str) -> Result<Option<[ObjectId; 2]>> {
        if let Some((old, new)) = of_commit(word) {
            return Ok(Some([self.resolve(&old)?, self.resolve(new)?]));
        }
        let Some(Sides { old, new, is_symmetric }) = sides(word) else { return Ok(None) };
        let [old, new] = [old, new].map(|side| if side.is_empty() { "HEAD" } else { side });
        let commits = [self.resolve(old)?, self.resolve(new)?];
        if !is_symmetric {
            return Ok(Some(commits));
        }
        match self.merge_base(commits[0], commits[1])? {
            Some(base) => Ok(Some([base, commits[1]])),
            None => Err(Error::Unrelated {
                revisions: [old.to_owned(), new.to_owned()],
                is_shallow: !self.shallow_boundary()?.is_empty(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn a_range_is_split_at_its_dots() {
        for (word, old, new, is_symmetric) in [
            ("a..b", "a", "b", false),
            ("a...b", "a", "b", true),
            ("v1.0..", "v1.0", "", false),
            ("..topic", "", "topic", false),
            ("...", "", "", true),
            ("HEAD^{/x..y}..HEAD", "HEAD^{/x..y}", "HEAD", false),
            ("HEAD@{1.day.ago}...main", "HEAD@{1.day.ago}", "main", true),
        ] {
            assert_eq!(sides(word), Some(Sides { old, new, is_symmetric }), "{word}");
        }
        for word in
            ["", "HEAD", "v1.0", "..", "../lib", "../../lib/a.rs:3", ":/a..b", "HEAD^{/a..b}", "a/../b"]
        {
            assert!(!is_range(word), "{word}");
        }
    }

    #[test]
    fn a_range_compares_the_commits_that_git_diff_compares() {
        let fixture = Fixture::with_history();
        fixture.git(&["branch", "topic", "HEAD~1"]);
        let repo = fixture.open();
        let at = |revision: &str| repo.resolve(revision).unwrap();
        for (word, sides) in [
            ("HEAD~2..HEAD~1", ["HEAD~2", "HEAD~1"]),
            ("HEAD~2..", ["HEAD~2", "HEAD"]),
            ("..HEAD~2", ["HEAD", "HEAD~2"]),
            ("HEAD...topic", ["topic", "topic"]),
            ("topic...", ["topic", "HEAD"]),
            ("HEAD^!", ["HEAD~1", "HEAD"]),
            ("HEAD~1^-", ["HEAD~2", "HEAD~1"]),
            ("HEAD^-1", ["HEAD~1", "HEAD"]),
        ] {
            assert_eq!(repo.range(word).unwrap(), Some(sides.map(at)), "{word}");
        }
        assert_eq!(repo.range("HEAD").unwrap(), None);
        assert!(matches!(repo.range("HEAD..nowhere"), Err(Error::NotFound { .. })));
        let tree = fixture.git_line(&["rev-parse", "HEAD^{tree}"]);
        let root = fixture.git_line(&["commit-tree", "-m", "unrelated", &tree]);
        let error = repo.range(&format!("HEAD...{root}"));
        assert!(matches!(error, Err(Error::Unrelated { is_shallow: false, .. })), "{error:?}");
    }
}
