//! Files that usually change together with those of a change: its paths → [`ImpactCompanion`]s.
//!
//! The history is that of the index of the commit before the change. Files that changed, and files
//! that this commit does not have, are left out.

use std::collections::HashSet;

use bstr::BString;

use crate::base::progress::Task;
use crate::base::text::{counted, named_path, quoted};
use crate::search::{Result, Searcher, cache};

use super::{Comparison, Impact, ImpactCompanion, ImpactQuery, ImpactScope};

/// Adds the files that usually change together with those of the change.
pub(super) fn add(
    searcher: &Searcher,
    query: &ImpactQuery,
    comparison: Option<&Comparison>,
    impact: &mut Impact,
    task: Task<'_>,
) -> Result<()> {
    let paths: HashSet<BString> = match comparison {
        Some(comparison) => comparison.paths.clone(),
        None => impact.subjects.iter().map(|one| named_path(&one.place.path)).collect(),
    };
    if paths.is_empty() {
        return Ok(());
    }
    let Some(history) = cache::commit_messages(searcher, task)? else {
        impact.notes.push("this clone lacks old trees, so files that change together are unknown".to_owned());
        return Ok(());
    };
    (impact.n_commits, impact.n_searched) = (history.n_counted(), history.n_commits());
    if !searcher.repo().shallow_boundary()?.is_empty() {
        let n = counted(impact.n_commits, "commit", "commits");
        let note = format!(
            "this clone is shallow: only {n} could be searched for files that change \
            together"
        );
        impact.notes.push(note);
    }
    let index = searcher.index();
    let mut found = history.companions(&paths);
    // With pathspecs, a file that changed may be outside of them.
    let changed = match &query.scope {
        ImpactScope::Range([old, new]) if !query.pathspecs.is_empty() => {
            let repo = searcher.repo();
            let (old, new) = (repo.commit(*old)?.tree, repo.commit(*new)?.tree);
            repo.diff_trees(Some(old), new)?.into_iter().map(|one| one.path).collect()
        }
        _ => HashSet::new(),
    };
    found.retain(|one| !changed.contains(&one.path) && index.file_by_path(one.path.as_ref()).is_some());
    impact.companions = found
        .into_iter()
        .map(|one| ImpactCompanion {
            path: quoted(one.path.as_ref()).into_owned(),
            with: quoted(one.with.as_ref()).into_owned(),
            together: one.together,
            of: one.of,
        })
        .collect();
    Ok(())
}
