//! Where a text was added and removed: `git log -S`, `git grep` and the tags behind a commit.
//!
//! The program is used because it reads packs in order and knows binary files, attributes and
//! submodules. Commits are given to it in batches, so that the work is shared between threads, can
//! be watched, and ends with the first batch that has an answer.

use bstr::{BString, ByteSlice};

use super::log::os_path;
use super::{Error, Repository, Result};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;

/// A tag, as a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Its name without `refs/tags/`.
    pub name: String,
    /// The commit that it leads to.
    pub commit: ObjectId,
    /// When it was made, or for a plain tag its commit, in seconds since the epoch.
    pub time_s: i64,
    /// That day, as `2024-01-31`.
    pub date: String,
}

/// A text that is searched for, on one line.
#[derive(Debug, Clone, Copy)]
pub struct SearchedText<'t> {
    /// The text.
    pub text: &'t str,
    /// Whether it must stand as a word.
    pub is_word: bool,
    /// Whether capitals and small letters are the same.
    pub ignores_case: bool,
}

impl Repository {
    /// Returns the commits reachable from `from`, each after its parents and otherwise by time,
    /// with whether it is a merge.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails, [`Error::Cancelled`].
    pub fn commits_by_age(&self, from: ObjectId, cancel: &Cancel) -> Result<Vec<(ObjectId, bool)>> {
        let command = self.git(&["rev-list", "--date-order", "--reverse", "--parents"]);
        let output = command.arg(from.to_string()).cancel(cancel).run()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let parsed = |line: &str| -> Result<(ObjectId, bool)> {
            let mut ids = line.split(' ');
            let id = ids.next().unwrap_or_default();
            Ok((id.parse().map_err(Error::git("parse git rev-list"))?, ids.count() > 1))
        };
        text.lines().map(parsed).collect()
    }

    /// Returns those of some commits that changed how often a file has a text, in their order. A
    /// merge is compared with each parent if `with_merges`, and never found otherwise.
    /// `pathspecs` are in the words of Git, from the root; none: all files.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails, also if an object is missing; [`Error::Cancelled`].
    pub fn changing_count(
        &self,
        commits: &[ObjectId],
        text: SearchedText<'_>,
        pathspecs: &[BString],
        with_merges: bool,
        cancel: &Cancel,
    ) -> Result<Vec<ObjectId>> {
        let args =
            ["-c", "log.showRoot=true", "-c", "log.follow=false", "log", "--no-walk=unsorted", "--stdin"];
        let mut command = self.git(&args).arg("--no-renames").arg("--no-textconv").arg("--no-ext-diff");
        // The file of `diff.orderFile` need not exist.
        command = command.arg("-O/dev/null");
        if with_merges {
            command = command.arg("--diff-merges=separate");
        }
        command = command.arg("--no-show-signature").arg("-s").arg("--format=%H");
        command = command.arg(format!("-S{}", text.text));
        if text.ignores_case {
            command = command.arg("-i");
        }
        command = command.arg("--");
        for spec in pathspecs {
            command = command.arg(os_path(spec.as_bstr())?);
        }
        let input: String = commits.iter().map(|id| format!("{id}\n")).collect();
        // The objects of a partial clone must not be fetched one by one.
        let command = command.env("GIT_NO_LAZY_FETCH", "1").input(input.into_bytes()).cancel(cancel);
        let output = command.run()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let ids = text.lines().filter(|line| !line.is_empty());
        let ids: Result<Vec<ObjectId>> =
            ids.map(|id| id.parse().map_err(Error::git("parse git log"))).collect();
        let mut ids = ids?;
        // A merge is listed for each parent.
        ids.dedup();
        Ok(ids)
    }

    /// Returns whether a file of a commit has a text.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails, [`Error::Cancelled`].
    pub fn has_text(
        &self,
        commit: ObjectId,
        text: SearchedText<'_>,
        pathspecs: &[BString],
        cancel: &Cancel,
    ) -> Result<bool> {
        let output = self.grep(&["-q"], commit, text, pathspecs, cancel)?;
        Ok(output.is_some())
    }

    /// Returns the files of a commit that have a text.
    ///
    /// # Errors
    /// As [`Repository::has_text`].
    pub fn files_with_text(
        &self,
        commit: ObjectId,
        text: SearchedText<'_>,
        pathspecs: &[BString],
        cancel: &Cancel,
    ) -> Result<Vec<BString>> {
        let Some(bytes) = self.grep(&["-l", "-z"], commit, text, pathspecs, cancel)? else {
            return Ok(Vec::new());
        };
        let head = format!("{commit}:");
        let names = bytes.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.map(|name| name.strip_prefix(head.as_bytes()).unwrap_or(name).into()).collect())
    }

    /// Runs `git grep` on a commit; `None` if nothing has the text.
    fn grep(
        &self,
        options: &[&str],
        commit: ObjectId,
        text: SearchedText<'_>,
        pathspecs: &[BString],
        cancel: &Cancel,
    ) -> Result<Option<Vec<u8>>> {
        let fixed = ["grep", "--no-color", "--full-name", "--no-textconv", "--no-recurse-submodules", "-F"];
        let mut command = self.git(&fixed);
        for option in options {
            command = command.arg(*option);
        }
        if text.is_word {
            command = command.arg("-w");
        }
        if text.ignores_case {
            command = command.arg("-i");
        }
        command = command.arg("-e").arg(text.text).arg(commit.to_string()).arg("--");
        for spec in pathspecs {
            command = command.arg(os_path(spec.as_bstr())?);
        }
        let output = command.env("GIT_NO_LAZY_FETCH", "1").cancel(cancel).run_any()?;
        match output.status {
            Some(0) => Ok(Some(output.stdout)),
            Some(1) => Ok(None),
            status => Err(Error::Command { command: "grep".to_owned(), status, stderr: output.stderr }),
        }
    }

    /// Returns the tags of commits, the oldest first; only those that contain a commit, if one is
    /// given.
    ///
    /// # Errors
    /// [`Error::Command`] if Git fails, [`Error::Cancelled`].
    pub fn tags(&self, containing: Option<ObjectId>, cancel: &Cancel) -> Result<Vec<Tag>> {
        let format = "--format=%(objecttype) %(objectname) %(*objecttype) %(*objectname) \
            %(creatordate:unix) %(creatordate:short) %(refname)";
        let mut command = self.git(&["for-each-ref", "--sort=creatordate"]).arg(format);
        if let Some(commit) = containing {
            command = command.arg(format!("--contains={commit}"));
        }
        let output = command.arg("refs/tags/").cancel(cancel).run()?;
        Ok(output.stdout.lines().filter_map(|line| tag(&line.to_str_lossy())).collect())
    }
}

/// Parses a line of `git for-each-ref`; `None` for a tag of something else than a commit.
fn tag(line: &str) -> Option<Tag> {
    let mut parts = line.splitn(7, ' ');
    let mut next = || parts.next().unwrap_or_default();
    let (kind, id, target_kind, target, time, date, name) =
        (next(), next(), next(), next(), next(), next(), next());
    let commit = match (kind, target_kind) {
        ("commit", _) => id,
        (_, "commit") => target,
        _ => return None,
    };
    Some(Tag {
        name: name.strip_prefix("refs/tags/")?.to_owned(),
        commit: commit.parse().ok()?,
        time_s: time.parse().unwrap_or(0),
        date: date.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    /// Windows has no file with the name `*`.
    #[cfg(unix)]
    #[test]
    fn commits_that_bring_and_remove_a_text_are_found() {
        let fixture = Fixture::new();
        for (path, content) in [
            ("a b", "one\n"),
            ("a b", "one two\n"),
            ("*", "two\n"),
            ("a b", "one twofold\n"),
            ("*", "three\n"),
        ] {
            fixture.commit_file(path, content);
        }
        let repo = fixture.open();
        let cancel = Cancel::default();
        let at = |revision: &str| repo.resolve(revision).unwrap();
        let all = repo.commits_by_age(at("HEAD"), &cancel).unwrap();
        assert_eq!(all.len(), 5);
        assert!(all.iter().all(|one| !one.1) && all[0].0 == at("HEAD~4"));
        let ids: Vec<ObjectId> = all.iter().map(|one| one.0).collect();
        fn of(text: &str) -> SearchedText<'_> {
            SearchedText { text, is_word: false, ignores_case: false }
        }
        let find = |text: &str, specs: &[BString]| {
            repo.changing_count(&ids, of(text), specs, false, &cancel).unwrap()
        };
        assert_eq!(find("two", &[]), [at("HEAD~3"), at("HEAD~2"), at("HEAD")]);
        assert_eq!(find("one", &[]), [at("HEAD~4")]);
        assert_eq!(find("two", &[":(top,literal)*".into()]), [at("HEAD~2"), at("HEAD")]);
        assert_eq!(find("two", &["*".into()]), [at("HEAD~3"), at("HEAD~2"), at("HEAD")]);
        assert_eq!(find("-x", &[]), []);
        let has = |revision: &str, word: bool| {
            repo.has_text(at(revision), SearchedText { is_word: word, ..of("two") }, &[], &cancel).unwrap()
        };
        assert_eq!([has("HEAD~4", false), has("HEAD", false), has("HEAD", true)], [false, true, false]);
        assert!(has("HEAD~1", true));
        let in_case = |text, ignores_case| {
            let text = SearchedText { ignores_case, ..of(text) };
            let files = repo.files_with_text(at("HEAD~1"), text, &[], &cancel).unwrap();
            (files.len(), repo.changing_count(&ids, text, &[], false, &cancel).unwrap().len())
        };
        assert_eq!(
            [in_case("two", false), in_case("TWO", false), in_case("TWO", true)],
            [(2, 3), (0, 0), (2, 3)]
        );
    }

    #[test]
    fn tags_are_in_the_order_of_their_making() {
        let fixture = Fixture::new();
        fixture.commit_file("a", "1");
        fixture.git(&["tag", "plain"]);
        fixture.commit_file("a", "2");
        fixture.git(&["tag", "-a", "-m", "x", "annotated"]);
        let blob = fixture.git_line(&["rev-parse", "HEAD:a"]);
        fixture.git(&["tag", "of-blob", &blob]);
        let repo = fixture.open();
        let names = |of: Option<ObjectId>| -> Vec<String> {
            repo.tags(of, &Cancel::default()).unwrap().into_iter().map(|tag| tag.name).collect()
        };
        let mut all = names(None);
        all.sort();
        assert_eq!(all, ["annotated", "plain"]);
        assert_eq!(names(Some(repo.resolve("HEAD").unwrap())), ["annotated"]);
    }
}
