//! Reports pathspecs that match no file, with similar paths.
//!
//! The query stage decides which pathspecs these are; this file words the report.

use std::ffi::OsString;

use git_cora::Session;
use git_cora::search::query::{Pathspec, strays};
use git_cora::search::segment::Index;

use crate::input::near;
use crate::input::strays::{Sides, strays_of};
use crate::terminal::Context;

/// Reports each pathspec (relative to the root) that matches no file, and suggests similar paths.
///
/// `typed` are the same pathspecs as the user wrote them. Returns whether there were any. An
/// invalid pathspec is left to the query stage, which reports the error.
pub(crate) fn complain_of_strays(
    context: &Context,
    index: &Index<'_>,
    typed: &[String],
    specs: &[String],
) -> bool {
    let parsed: Result<Vec<_>, _> = specs.iter().map(|spec| Pathspec::parse(spec)).collect();
    let Ok(parsed) = parsed else { return false };
    let strays = strays(&parsed, index.files().map(|file| file.path()));
    for &at in &strays {
        let (Some(typed), Some(spec)) = (typed.get(at), specs.get(at)) else { continue };
        context.say(&format!("note: no file matches '{typed}'"));
        let pattern = Pathspec::split_magic(spec).map_or(spec.as_str(), |(_, pattern)| pattern);
        if pattern.contains(['*', '?', '[']) {
            continue;
        }
        // The path may be from the root, as it is printed.
        let files = || index.files().map(|file| file.path());
        let is_at_root = Pathspec::parse(&format!(":(literal){typed}"))
            .is_ok_and(|spec| files().any(|path| spec.fits(path)));
        if is_at_root && !specs.contains(typed) {
            context.say(&format!("hint: did you mean ':/{typed}'?"));
            continue;
        }
        let found = near::paths(pattern, files());
        // The suggestion works from the current directory.
        let here =
            found.iter().map(|path| if specs.contains(typed) { path.clone() } else { format!(":/{path}") });
        if let Some(question) = near::question(&here.collect::<Vec<_>>()) {
            context.say(&format!("hint: {question}"));
        }
    }
    !strays.is_empty()
}

/// Says which pathspecs (relative to the root) match no file of either side, after a comparison
/// found nothing. `typed` are the same pathspecs as the user wrote them.
///
/// # Errors
/// If a commit or the state of the working tree can't be read.
pub(crate) fn tell_of_strays(
    context: &Context,
    session: &Session,
    sides: Sides,
    typed: &[OsString],
    specs: &[String],
) -> anyhow::Result<()> {
    if context.is_quiet() {
        return Ok(());
    }
    for at in strays_of(session, sides, specs)? {
        if let Some(typed) = typed.get(at) {
            context.say(&format!("note: no file matches '{}'", typed.display()));
        }
    }
    Ok(())
}
