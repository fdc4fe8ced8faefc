//! Files of the work tree as `git add` would store them: cleaned by filters, `ident`, encodings and
//! line ends (`gitattributes(5)`).
//!
//! A file that Git converts can't be compared with a blob byte by byte: an unchanged line may look
//! different on the disk. Git converts it here, by the attributes and the settings that count for
//! `git diff`. So no filter runs that `git status` has not run on the same file already.

use std::collections::HashSet;

use bstr::{BStr, BString, ByteSlice};

use crate::base::id::ObjectId;
use crate::base::progress::Cancel;
use crate::git::log::os_path;
use crate::git::{Blob, Error, Repository, Result};

/// The attributes that make the content on the disk differ from the stored one by more than line
/// ends.
const CONVERSIONS: [&str; 3] = ["filter", "ident", "working-tree-encoding"];

impl Repository {
    /// Returns those of some files of the work tree whose content Git converts.
    ///
    /// # Errors
    /// [`crate::git::Error::Command`] if Git fails.
    pub fn converted<'p>(&self, paths: impl Iterator<Item = &'p BStr>) -> Result<HashSet<BString>> {
        let mut input = Vec::new();
        for path in paths {
            input.extend_from_slice(path);
            input.push(0);
        }
        if input.is_empty() {
            return Ok(HashSet::new());
        }
        let command = self.git(&[&["check-attr", "-z", "--stdin"], CONVERSIONS.as_slice()].concat());
        let output = command.as_user().input(input).run()?;
        // Path, attribute and value, each with a NUL at its end.
        let fields: Vec<&[u8]> = output.stdout.split(|byte| *byte == 0).collect();
        let is_set = |value: &[u8]| !matches!(value, b"unspecified" | b"unset");
        let set = fields.chunks_exact(3).filter(|field| field.get(2).is_some_and(|value| is_set(value)));
        Ok(set.filter_map(|field| field.first().map(|path| BString::from(*path))).collect())
    }

    /// Returns the content of a tracked file of the work tree that differs from `commit`, as Git
    /// would store it: the side of the work tree in `git diff`. [`Blob::Missing`] if Git sees no
    /// difference of content; `None` if Git can't convert this file, because a filter that it
    /// requires fails.
    ///
    /// # Errors
    /// [`crate::git::Error::Command`] if Git fails whatever the file is,
    /// [`crate::git::Error::Cancelled`].
    pub fn read_worktree_cleaned(
        &self,
        commit: ObjectId,
        path: &BStr,
        cancel: &Cancel,
    ) -> Result<Option<Blob>> {
        match self.diff_worktree(commit, path, cancel) {
            Ok(patch) => Ok(Some(new_side(&patch).map_or(Blob::Missing, Blob::Bytes))),
            Err(Error::Command { .. }) => {
                // No file has this path, so a failure has another cause than a file.
                self.diff_worktree(commit, ".git/".into(), cancel).map(|_| None)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the patch from a commit to a file of the work tree, with the whole file as context.
    fn diff_worktree(&self, commit: ObjectId, path: &BStr, cancel: &Cancel) -> Result<Vec<u8>> {
        let args = [
            "--no-optional-locks",
            "--literal-pathspecs",
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--no-renames",
            "--text",
            "--unified=1000000000",
        ];
        let command = self.git(&args).as_user().arg(commit.to_string()).arg("--").arg(os_path(path)?);
        Ok(command.cancel(cancel).run()?.stdout)
    }
}

/// Returns the new side of a patch of one file whose context is the whole file; `None` without a
/// hunk.
fn new_side(patch: &[u8]) -> Option<Vec<u8>> {
    let mut lines = patch.lines_with_terminator().skip_while(|line| !line.starts_with(b"@@ "));
    lines.next()?;
    let mut content = Vec::with_capacity(patch.len());
    let mut is_new = false;
    for line in lines {
        match line.split_first() {
            Some((b' ' | b'+', text)) => {
                content.extend_from_slice(text);
                is_new = true;
            }
            // "\ No newline at end of file", about the line above it.
            Some((b'\\', _)) if is_new => drop(content.pop()),
            _ => is_new = false,
        }
    }
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn the_new_side_of_a_patch_is_the_whole_file() {
        for (patch, expected) in [
            (&b""[..], None),
            (b"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", None),
            (b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\r\n-b\n+c\n", Some(&b"a\r\nc\n"[..])),
            (b"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", Some(b"a\n")),
            (b"@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n", Some(b"a")),
            (b"@@ -1 +0,0 @@\n-a\n", Some(b"")),
            (b"@@ -0,0 +1 @@\n+@@ x\n", Some(b"@@ x\n")),
        ] {
            assert_eq!(new_side(patch).as_deref(), expected, "{}", patch.as_bstr());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_cleaned_as_git_add_does() {
        let fixture = Fixture::with_history();
        fixture.git(&["config", "filter.up.clean", "sed -e '/^LOCAL/d' -e s/SECRET/NONE/"]);
        fixture.write(".git/info/attributes", "odd* filter=up\n");
        let attributes = "*.id ident\n*.wide text working-tree-encoding=UTF-16LE-BOM\n*.crlf text eol=crlf\n";
        fixture.commit_file(".gitattributes", attributes);
        let names = ["odd [a].txt", "a.id", "a.crlf", "a.wide"];
        let write = |text: &str| {
            fixture.write("odd [a].txt", &format!("LOCAL\nSECRET\n{text}"));
            fixture.write("a.id", &format!("$Id: abc $\n{text}"));
            fixture.write("a.crlf", &text.replace('\n', "\r\n"));
            let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
            std::fs::write(fixture.path().join("a.wide"), wide).unwrap();
        };
        write("one\n");
        fixture.git(&["add", "-A"]);
        fixture.git(&["commit", "-q", "-m", "files"]);
        let repo = fixture.open();
        let head = repo.resolve("HEAD").unwrap();
        let cleaned =
            |name: &str| repo.read_worktree_cleaned(head, name.into(), &Cancel::default()).unwrap().unwrap();
        assert!(names.iter().all(|name| cleaned(name) == Blob::Missing));
        write("one\nzwölf");
        for name in names {
            let stored = fixture.git_line(&["hash-object", "-w", name]);
            assert_eq!(
                cleaned(name),
                Blob::Bytes(fixture.git_bytes(&["cat-file", "blob", &stored])),
                "{name}"
            );
        }
        let mut converted: Vec<_> =
            repo.converted(names.map(BStr::new).into_iter()).unwrap().into_iter().collect();
        converted.sort();
        assert_eq!(converted, ["a.id", "a.wide", "odd [a].txt"]);
    }
}
