//! When something was added and removed → text for people.

use std::fmt::Write as _;

use bstr::ByteSlice;

use crate::answer::history::{HistoryChange, VersionPlace};
use crate::answer::view::Paint;
use crate::answer::view::theme::{PATH, SYMBOL};
use crate::base::text::{counted, quoted, visible, visible_path};

use super::{Appearance, AppearanceEvent, DeclarationAppearance, FileAppearance, Needle, Release};

/// Most files that are listed.
const MOST_FILES: usize = 5;

/// Writes when a text was added and removed, for people.
pub fn appearance_text(found: &Appearance, needle: &Needle, paint: Paint) -> String {
    let mut out = String::new();
    let files: Vec<String> = found
        .files
        .iter()
        .take(MOST_FILES)
        .map(|path| visible_path(&quoted(path.as_bstr())).into_owned())
        .collect();
    let rest = if found.files.len() > files.len() { ", …" } else { "" };
    let now = match found.files.len() {
        0 => "in no file now".to_owned(),
        n => format!("in {} now: {}{rest}", counted(n, "file", "files"), files.join(", ")),
    };
    let text = paint.text(&format!("'{}'", visible(&needle.text)), SYMBOL);
    let _ = writeln!(out, "{text}: {now}");
    match &found.added {
        Some(added) => added_line(&mut out, paint, added),
        None => out.push_str("added    unknown\n"),
    }
    match &found.removed {
        Some(removed) => {
            // An older release lacks it too.
            let is_first = found.lacking.is_none();
            let release =
                if is_first { "first release without it" } else { "first release with this commit" };
            line(&mut out, paint, "removed", removed, release);
        }
        None if found.files.is_empty() => out.push_str("removed  unknown\n"),
        None => {}
    }
    if let Some(left) = &found.left_code {
        line(&mut out, paint, "removed", left, "first release without it");
        out.push_str("         from the code; only documents still have it\n");
    }
    out
}

/// Writes the commit that added a file or a text.
fn added_line(out: &mut String, paint: Paint, added: &AppearanceEvent) {
    if added.is_clone_end {
        clone_end_line(out, added);
    } else {
        line(out, paint, "added", added, "first release with it");
    }
}

/// Writes that something is older than a shallow clone.
fn clone_end_line(out: &mut String, added: &AppearanceEvent) {
    let id = added.commit.abbreviated(10);
    let _ = writeln!(out, "added    before {id}, the oldest commit of this shallow clone");
}

/// Returns the word for what is at a path: a file or a submodule.
pub fn file_kind(is_submodule: bool) -> &'static str {
    if is_submodule { "submodule" } else { "file" }
}

/// Writes when a file was added under its path and removed, for people.
pub fn file_appearance_text(path: &str, kind: &str, found: &FileAppearance, paint: Paint) -> String {
    let mut out = format!("{}: {kind}\n", paint.text(&visible_path(path), PATH));
    added_line(&mut out, paint, &found.added);
    if let Some(removed) = &found.removed {
        line(&mut out, paint, "removed", removed, "first release without it");
    }
    out
}

/// Writes when a declaration was added and removed, for people.
pub fn declaration_appearance_text(found: &DeclarationAppearance, paint: Paint) -> String {
    let mut out = String::new();
    let named = |place: &VersionPlace| {
        paint.declaration(&quoted(place.path.as_bstr()), place.line, &place.kind, &place.symbol)
    };
    let _ = writeln!(out, "{}", named(&found.place));
    match (&found.added, found.how) {
        (Some(added), HistoryChange::CloneEnds) => clone_end_line(&mut out, added),
        (Some(added), how) => {
            line(&mut out, paint, "added", added, "first release with this commit");
            // Another line of the same file says nothing.
            let is_elsewhere =
                |from: &&VersionPlace| from.path != found.place.path || from.symbol != found.place.symbol;
            let from = found.from.as_ref().filter(is_elsewhere);
            if let Some(from) = from {
                let verb = match how {
                    HistoryChange::Copied => "copied from",
                    HistoryChange::Split => "split from",
                    _ => "as",
                };
                let _ = writeln!(out, "         {verb} {}", named(from));
            }
        }
        (None, _) => out.push_str("added    unknown\n"),
    }
    if let Some(renamed) = &found.named {
        line(&mut out, paint, "renamed", renamed, "first release with this commit");
        let _ = writeln!(out, "         from {}", visible(&found.old_name));
    }
    if let Some(removed) = &found.removed {
        line(&mut out, paint, "removed", removed, "first release with this commit");
        if let Some(to) = &found.to {
            let _ = writeln!(out, "         now in {}", named(to));
        }
    }
    out
}

/// Writes a commit and its release.
fn line(out: &mut String, paint: Paint, what: &str, event: &AppearanceEvent, release: &str) {
    let (id, date) = (paint.commit(event.commit), &event.date);
    let (author, subject) = (visible(&event.author), visible(&event.subject));
    let _ = writeln!(out, "{what:<8} {id} {date} {author}: {subject}");
    let tag = |one: &Release| format!("{} ({})", paint.text(&visible(&one.tag), SYMBOL), one.date);
    let _ = match (&event.release, &event.preview) {
        (Some(first), None) => writeln!(out, "         {release}: {}", tag(first)),
        (Some(first), Some(preview)) => {
            writeln!(out, "         {release}: {}; first tag: {}", tag(first), tag(preview))
        }
        (None, Some(preview)) => writeln!(out, "         no release yet; first tag: {}", tag(preview)),
        (None, None) => writeln!(out, "         no release since"),
    };
}
