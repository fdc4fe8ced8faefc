//! Reports pathspecs that match no file, with similar paths.
//!
//! The query stage decides which pathspecs these are; this file words the report.

use git_cora::search::query::{Pathspec, strays};
use git_cora::search::segment::Index;

use super::context::Context;
use super::near;

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
        let found = near::paths(pattern, index.files().map(|file| file.path()));
        // The suggestion works from the current directory.
        let here =
            found.iter().map(|path| if specs.contains(typed) { path.clone() } else { format!(":/{path}") });
        if let Some(question) = near::question(&here.collect::<Vec<_>>()) {
            context.say(&format!("hint: {question}"));
        }
    }
    !strays.is_empty()
}
