//! Who wrote the lines of a file: `git blame`.
//!
//! The program is used because it follows `.mailmap`, `blame.ignoreRevsFile` and the other settings
//! that users know from it.

use bstr::{BStr, ByteSlice};

use super::{Error, Repository, Result};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;

/// The lines of a file that one commit brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlameCommit {
    /// The commit.
    pub id: ObjectId,
    /// Name of the author, by `.mailmap`.
    pub name: String,
    /// Address of the author, by `.mailmap`.
    pub email: String,
    /// Author time in seconds since the epoch.
    pub time_s: i64,
    /// The author's difference to UTC, as `+0130`.
    pub zone: String,
    /// First line of the message.
    pub subject: String,
    /// Number of lines.
    pub n_lines: usize,
}

impl Repository {
    /// Returns who wrote the lines of a file of a commit, by commit, in order of their first line.
    ///
    /// `lines` are the first and the last one, 1-based; without them, the whole file counts. With
    /// `moves`, lines that were moved or copied belong to who wrote them first (`-M -C`).
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails, [`Error::Cancelled`].
    pub fn blame(
        &self,
        commit: ObjectId,
        path: &BStr,
        lines: Option<(u32, u32)>,
        moves: bool,
        cancel: &Cancel,
    ) -> Result<Vec<BlameCommit>> {
        let mut command = self.git(&["blame", "--porcelain", "--root", "--no-textconv", "--encoding=UTF-8"]);
        if moves {
            command = command.arg("-M").arg("-C");
        }
        if let Some((first, last)) = lines {
            command = command.arg(format!("-L{first},{last}"));
        }
        let path = path.to_os_str().map_err(Error::git("pass the path to git"))?.to_owned();
        let output = command.arg(commit.to_string()).arg("--").arg(path).cancel(cancel).run()?;
        parse(&output.stdout)
    }
}

/// Parses `git blame --porcelain` (`git-blame(1)`, "The porcelain format").
fn parse(bytes: &[u8]) -> Result<Vec<BlameCommit>> {
    let mut commits: Vec<BlameCommit> = Vec::new();
    let mut at = None;
    for line in bytes.lines() {
        // The text of the line ends its group.
        if line.starts_with(b"\t") {
            at = None;
            continue;
        }
        let line = line.to_str_lossy();
        let (key, value) = line.split_once(' ').unwrap_or((&line, ""));
        let Some(known) = at else {
            let id: ObjectId = key.parse().map_err(Error::git("parse git blame"))?;
            let known = commits.iter().position(|one| one.id == id).unwrap_or(commits.len());
            if known == commits.len() {
                commits.push(BlameCommit {
                    id,
                    name: String::new(),
                    email: String::new(),
                    time_s: 0,
                    zone: String::new(),
                    subject: String::new(),
                    n_lines: 0,
                });
            }
            if let Some(one) = commits.get_mut(known) {
                one.n_lines += 1;
            }
            at = Some(known);
            continue;
        };
        let Some(one) = commits.get_mut(known) else { continue };
        match key {
            "author" => one.name = value.to_owned(),
            "author-mail" => one.email = value.trim_matches(['<', '>']).to_owned(),
            "author-time" => one.time_s = value.parse().unwrap_or(0),
            "author-tz" => one.zone = value.to_owned(),
            "summary" => one.subject = value.to_owned(),
            _ => {}
        }
    }
    Ok(commits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn lines_are_counted_by_commit() {
        let fixture = Fixture::new();
        fixture.commit_file("a b", "one\n\tauthor two\nthree\n");
        fixture.commit_file("a b", "one\n\tauthor two\nfour\n");
        let repo = fixture.open();
        let head = repo.resolve("HEAD").unwrap();
        let blame = |lines| {
            let found = repo.blame(head, b"a b".as_bstr(), lines, false, &Cancel::default()).unwrap();
            found.into_iter().map(|one| (one.id, one.n_lines)).collect::<Vec<_>>()
        };
        let first = repo.resolve("HEAD~").unwrap();
        assert_eq!(blame(None), [(first, 2), (head, 1)]);
        assert_eq!(blame(Some((2, 3))), [(first, 1), (head, 1)]);
        assert!(repo.blame(head, b"none".as_bstr(), None, false, &Cancel::default()).is_err());
    }
}
