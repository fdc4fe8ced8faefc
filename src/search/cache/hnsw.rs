//! Graphs of neighbours for long-running processes: whether the settings ask for them, building
//! them, and using them.

use std::path::PathBuf;

use crate::base::config::{self, NeighbourSearch};
use crate::search::segment::{self, Neighbours};

use super::segments::neighbours_path;
use crate::git::Repository;
use crate::search::{Error, Result, Searcher};

/// Segments with fewer chunks are always scanned: that takes microseconds.
const FEWEST: u32 = 2000;

/// Checks the settings that only long-running processes use. So every command reports an invalid
/// one.
///
/// # Errors
/// [`Error::Config`].
pub(crate) fn check_settings(repo: &Repository) -> Result<()> {
    neighbour_search(repo).map(drop)
}

/// The setting for searching vectors in long-running processes.
///
/// # Errors
/// [`Error::Config`].
fn neighbour_search(repo: &Repository) -> Result<NeighbourSearch> {
    let value = repo.config_string(config::ANN.name);
    Ok(config::parse_neighbour_search(config::ANN.name, value.as_deref().unwrap_or(config::ANN.default))?)
}

/// Whether `searcher` lacks a graph that the settings ask for, and that could be built.
pub fn wants_neighbours(searcher: &Searcher) -> bool {
    searcher.neighbours.get().is_none()
        && place_of_neighbours(searcher).is_some()
        && neighbour_search(searcher.repo()).is_ok_and(NeighbourSearch::uses_graph)
}

/// Makes `searcher` use the graph of its base segment, and builds it if the cache has none: about a
/// second per thousand chunks. It can't be stopped, and leaves nothing behind if the process ends.
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
    // If two were built at the same time, either is right.
    let _ = searcher.neighbours.set(graph);
    result
}

/// The path of the base's graph; `None` if the base is not in the cache or too small.
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
