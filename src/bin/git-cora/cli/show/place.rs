//! FILE of `git cora show` → a commit, a path from the root, and perhaps a line.
//!
//! A text with colons has several readings: `REV:PATH`, as in Git; `PATH:LINE`, as this program
//! prints places; `REV:PATH:LINE`. The first reading that names an existing file counts. If none
//! does, the most likely one is returned, and the caller reports that there is no such file.

use anyhow::Context as _;
use bstr::{BString, ByteSlice};

use git_cora::base::id::ObjectId;
use git_cora::base::text::shell_path;
use git_cora::{Session, Target};

use crate::cli::args;
use crate::cli::operand::from_root;
use crate::command_error::CommandError;
use crate::terminal::Context;

/// A file of a commit, and a line that selects one of its chunks.
#[derive(Debug)]
pub(super) struct FilePlace {
    /// The revision, if one was typed.
    pub(super) revision: Option<String>,
    pub(super) commit: ObjectId,
    /// From the root. There need not be such a file.
    pub(super) path: BString,
    /// The path as it was typed.
    pub(super) typed: BString,
    pub(super) line: Option<u32>,
}

/// A way to read the text.
#[derive(Debug, PartialEq, Eq)]
struct Reading<'t> {
    revision: Option<&'t [u8]>,
    path: &'t [u8],
    /// Whether the path is relative to the current directory.
    is_relative: bool,
    line: Option<u32>,
}

/// Reads FILE.
///
/// # Errors
/// If no reading names a revision and a path of the repository.
pub(super) fn read(context: &Context, session: &Session, args: &args::Show) -> anyhow::Result<FilePlace> {
    let text = <[u8]>::from_os_str(&args.file).context("Git can't store this path")?;
    let rev = args.revision.rev.as_deref();
    let readings = readings(text, rev);
    for reading in &readings {
        if let Ok((place, true)) = place(context, session, reading) {
            return Ok(place);
        }
    }
    // No reading names a file. One that names a revision is most likely meant.
    for reading in readings.iter().filter(|one| rev.is_none() && one.revision.is_some()) {
        if let Ok((place, _)) = place(context, session, reading) {
            return Ok(place);
        }
    }
    let first = readings.first().context("expected a file")?;
    if rev.is_none()
        && first.revision.is_some()
        && let Some((before, _)) = text.rsplit_once_str(b":")
        && let Ok((_, true)) = place(context, session, &Reading::of_path(None, before, None))
    {
        return Err(CommandError::new(
            format!("'{}' is a file, not a revision", before.as_bstr()),
            format!("run 'git cora explain {}' for a declaration", shell_path(&args.file)),
        )
        .into());
    }
    Ok(place(context, session, first)?.0)
}

impl<'t> Reading<'t> {
    fn of_path(revision: Option<&'t [u8]>, path: &'t [u8], line: Option<u32>) -> Self {
        Self { revision, path, is_relative: true, line }
    }

    /// Reads `REV:PATH`. As in Git, PATH is from the root, and `./PATH` is relative.
    fn of_revision(text: &'t [u8], line: Option<u32>) -> Option<Self> {
        let (revision, path) = text.split_once_str(b":").filter(|(revision, _)| !revision.is_empty())?;
        let is_relative = path.starts_with(b"./") || path.starts_with(b"../");
        Some(Self { revision: Some(revision), path, is_relative, line })
    }
}

/// Returns the readings of a text: those with a line, that of Git, and a name with a colon.
fn readings<'t>(text: &'t [u8], rev: Option<&'t str>) -> Vec<Reading<'t>> {
    let mut all = Vec::new();
    let revision = rev.map(str::as_bytes);
    if let Some((before, line)) = text.rsplit_once_str(b":")
        && let Some(line) = number(line)
        && !before.is_empty()
    {
        all.push(Reading::of_path(revision, before, Some(line)));
        all.extend(Reading::of_revision(before, Some(line)).filter(|_| rev.is_none()));
    }
    let of_revision = Reading::of_revision(text, None).filter(|_| rev.is_none());
    all.push(of_revision.unwrap_or_else(|| Reading::of_path(revision, text, None)));
    // A name may itself hold a colon.
    let whole = Reading::of_path(revision, text, None);
    if text.contains(&b':') && all.last() != Some(&whole) {
        all.push(whole);
    }
    all
}

fn number(text: &[u8]) -> Option<u32> {
    text.iter().all(u8::is_ascii_digit).then(|| text.to_str().ok()?.parse().ok()).flatten()
}

/// Returns the place that a reading means, and whether there is such a file.
fn place(context: &Context, session: &Session, reading: &Reading<'_>) -> anyhow::Result<(FilePlace, bool)> {
    let revision = reading.revision.map(|revision| revision.to_str()).transpose();
    let revision = revision.context("the revision is not UTF-8")?;
    let commit = session.repo().resolve(revision.unwrap_or("HEAD"))?;
    let is_file = from_root::in_target(session.repo(), &Target::Commit(commit))?;
    let typed = BString::from(reading.path);
    let path = match reading.is_relative {
        true => from_root::file(context, session, typed.clone(), &is_file)?,
        false => typed.clone(),
    };
    let is_there = is_file(path.as_bstr())?;
    let revision = revision.map(str::to_owned);
    Ok((FilePlace { revision, commit, path, typed, line: reading.line }, is_there))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_colons_has_several_readings() {
        let read = |text: &'static str, rev: Option<&'static str>| -> Vec<String> {
            let show = |one: &Reading<'_>| {
                let revision = one.revision.map_or("HEAD".into(), |revision| revision.to_str_lossy());
                let from = if one.is_relative { "." } else { "/" };
                format!("{revision} {from} {} {:?}", one.path.as_bstr(), one.line)
            };
            readings(text.as_bytes(), rev).iter().map(show).collect()
        };
        for (text, rev, expected) in [
            ("a.rs", None, &["HEAD . a.rs None"][..]),
            ("a.rs:7", None, &["HEAD . a.rs Some(7)", "a.rs / 7 None", "HEAD . a.rs:7 None"]),
            ("v1:a.rs", None, &["v1 / a.rs None", "HEAD . v1:a.rs None"]),
            ("v1:./a.rs", None, &["v1 . ./a.rs None", "HEAD . v1:./a.rs None"]),
            (
                "v1:a.rs:7",
                None,
                &["HEAD . v1:a.rs Some(7)", "v1 / a.rs Some(7)", "v1 / a.rs:7 None", "HEAD . v1:a.rs:7 None"],
            ),
            ("a.rs:7", Some("v1"), &["v1 . a.rs Some(7)", "v1 . a.rs:7 None"]),
            ("a.rs:+7", None, &["a.rs / +7 None", "HEAD . a.rs:+7 None"]),
            ("a.rs:", None, &["a.rs /  None", "HEAD . a.rs: None"]),
            (":7", None, &["HEAD . :7 None"]),
        ] {
            assert_eq!(read(text, rev), expected, "{text} {rev:?}");
        }
    }
}
