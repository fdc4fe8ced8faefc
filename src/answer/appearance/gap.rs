//! Releases that lack a text although it was added before them and removed, at the earliest, after
//! them: it was removed and added again in between.
//!
//! Only releases are looked at. All commits in between would take as long as the search itself.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::base::progress::Task;
use crate::git::{self, Repository, Tag};
use crate::search::Result;

use super::release::is_one_package;
use super::{AppearanceEvent, Release, TagCondition, is_preview};

/// Most releases that are searched.
const MOST_RELEASES: usize = 8;

/// Returns the first of some releases with `added` and without `removed` that lacks the text.
pub(super) fn lacking(
    repo: &Repository,
    added: &AppearanceEvent,
    removed: Option<&AppearanceEvent>,
    has: TagCondition<'_>,
    task: Task<'_>,
) -> Result<Option<Release>> {
    let Some(first) = &added.release else { return Ok(None) };
    let without: HashSet<String> = match removed {
        Some(removed) => {
            repo.tags(Some(removed.commit), task.cancel)?.into_iter().map(|tag| tag.name).collect()
        }
        None => HashSet::new(),
    };
    let all = repo.tags(Some(added.commit), task.cancel)?;
    let first = all.iter().find(|tag| tag.name == first.tag);
    let is_between = |tag: &&Tag| {
        let is_later = first.is_some_and(|first| is_one_package(first, tag) && first.commit != tag.commit);
        is_later && !is_preview(&tag.name) && !without.contains(&tag.name)
    };
    let between: Vec<&Tag> = all.iter().filter(is_between).collect();
    let step = between.len().div_ceil(MOST_RELEASES).max(1);
    let some: Vec<&Tag> = between.into_iter().step_by(step).collect();
    let found: Vec<bool> = some.par_iter().map(|tag| has(tag)).collect::<git::Result<_>>()?;
    let lacking = some.into_iter().zip(found).find(|(_, has)| !has);
    Ok(lacking.map(|(tag, _)| Release { tag: tag.name.clone(), date: tag.date.clone() }))
}
