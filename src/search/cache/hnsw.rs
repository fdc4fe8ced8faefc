//! Graphs of neighbours for processes that stay: whether they are wanted, making them, and putting them to use.

use std::path::PathBuf;

use crate::base::config::{self, Ann};
use crate::search::segment::{self, Neighbours};

use super::segments::neighbours_path;
use crate::git::Repository;
use crate::search::{Error, Result, Searcher};

/// Segments of fewer chunks are scanned in any case: that takes microseconds, and a graph is asked for a thousand of them.
const FEWEST: u32 = 2000;

/// How vectors are to be searched by processes that stay.
///
/// # Errors
/// [`Error::Config`].
pub fn ann(repo: &Repository) -> Result<Ann> {
    let value = repo.config_string(config::ANN.name);
    Ok(config::parse_ann(config::ANN.name, value.as_deref().unwrap_or(config::ANN.default))?)
}

/// Whether `searcher` lacks a graph that the settings want it to be searched by; not if one could not be had
/// before.
pub fn wants_neighbours(searcher: &Searcher) -> bool {
    searcher.neighbours.get().is_none()
        && place_of_neighbours(searcher).is_some()
        && ann(searcher.repo()).is_ok_and(Ann::uses_graph)
}

/// Has `searcher` searched by the graph of its base segment from now on, which is built if the cache has none that
/// is whole: about a second for a thousand chunks. It can't be stopped; what it does before the end leaves nothing
/// behind.
///
/// # Errors
/// [`Error::Segment`]. Then it is scanned as before, and not asked for again.
pub fn use_neighbours(searcher: &Searcher) -> Result<()> {
    let Some(path) = place_of_neighbours(searcher) else { return Ok(()) };
    let found = match Neighbours::open(&path, &searcher.base) {
        Ok(found) => Ok(found),
        Err(_) => segment::build_neighbours(&searcher.base, &path, searcher.repo().sharing())
            .and_then(|_| Neighbours::open(&path, &searcher.base)),
    };
    let (graph, result) = match found {
        Ok(graph) => (Some(graph), Ok(())),
        Err(error) => (None, Err(Error::Segment(error))),
    };
    // Of two that were made at once, either will do.
    let _ = searcher.neighbours.set(graph);
    result
}

/// Where the graph of its base lies; `None` for one that is not in the cache, or too small.
fn place_of_neighbours(searcher: &Searcher) -> Option<PathBuf> {
    let base = &searcher.base;
    base.place().filter(|_| is_worth_a_graph(base.n_chunks())).map(neighbours_path)
}

fn is_worth_a_graph(n_chunks: u32) -> bool {
    n_chunks >= FEWEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_segments_are_scanned() {
        assert_eq!([0, 1999, 2000, u32::MAX].map(is_worth_a_graph), [false, false, true, true]);
    }
}
