//! A graph of each chunk's nearest neighbours, to find near vectors without scanning all of them.
//!
//! Owns [`Neighbours`]: a hierarchical navigable small world (Malkov & Yashunin 2016), built by
//! `instant-distance` and stored in a file alongside its segment. It is a cache of a cache. Its
//! checksum binds it to the segment's vectors; it is checked when opened, and rebuilt if it is
//! damaged or belongs to other vectors.
//!
//! It finds nearly what a scan finds, but not the same. An answer by it depends on the base segment
//! at hand, which a scan's answer never does. Therefore it is used only where a setting asks for
//! it.
//!
//! The file is searched in place. A library that reads it into memory first takes longer for that
//! than a scan takes, and trusts its bytes. Here every number is checked against the ends of the
//! tables at opening, and followed by `get` afterwards.
//!
//! # The file
//!
//! Little-endian. Nodes are the chunks in the builder's order. A node has the same number in all
//! layers, and each upper layer consists of the first nodes of the layer below.
//!
//! | bytes | |
//! |---|---|
//! | 8 | `CORANBR` and a zero byte |
//! | 4 | version, 1 |
//! | 4 | n, the number of chunks |
//! | 4 | CRC-32 of the segment's section `VECT` |
//! | 4 | CRC-32 of all bytes after this number |
//! | 4 | u, the number of upper layers, at most 16 |
//! | 4 × u | sizes of the upper layers, lowest first, none larger than the one before |
//! | 4 × n | by node, its chunk |
//! | 256 × n | by node, its 64 neighbours, nearest first; unused places are 2³² − 1 |
//! | 128 × sizes | likewise for each upper layer, lowest first, with 32 neighbours |

mod build;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;

use crate::index::embed::{self, Vector};

use super::mapped::Bytes;
use super::open::Segment;
use super::rows::u32_at;
use super::{Error, Result};

pub use build::build_neighbours;

const MAGIC: [u8; 8] = *b"CORANBR\0";
const VERSION: u32 = 1;
const FIXED: usize = 28;
/// Offset at which the bytes begin that the checksum covers.
const CHECKED: usize = 24;
/// Maximum number of upper layers; no number of chunks has more.
const MAX_LAYERS: usize = 16;
/// Number of neighbours of a node in the lowest layer.
const LINKS: usize = 64;
/// Number of neighbours of a node in an upper layer.
const UPPER_LINKS: usize = 32;
const LINK_BYTES: usize = 4 * LINKS;
const UPPER_BYTES: usize = 4 * UPPER_LINKS;
/// Marks an unused place for a neighbour.
const NONE: u32 = u32::MAX;

/// An opened graph.
#[derive(Debug)]
pub struct Neighbours {
    bytes: Bytes,
    n: usize,
    /// Sizes of the upper layers, lowest first.
    layers: Vec<usize>,
}

/// A node with its nearness: the product with the question first, for sorting.
type Neighbour = (i32, u32);

impl Neighbours {
    /// Maps and checks the graph of a segment.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Version`], [`Error::Corrupt`]. After the last two, rebuild
    /// the graph.
    pub fn open(path: &Path, segment: &Segment) -> Result<Self> {
        Self::check(Bytes::map(path)?, segment)
    }

    /// Checks the graph of a segment in memory.
    ///
    /// # Errors
    /// As [`Neighbours::open`], without `Io`.
    pub fn from_bytes(bytes: Vec<u8>, segment: &Segment) -> Result<Self> {
        Self::check(Bytes::Owned(bytes), segment)
    }

    fn check(bytes: Bytes, segment: &Segment) -> Result<Self> {
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) || bytes.len() < FIXED {
            return Err(corrupt("has the wrong magic number"));
        }
        let found = u32_at(&bytes, 8);
        if found != VERSION {
            return Err(Error::Version { found, expected: VERSION });
        }
        if u32_at(&bytes, 12) != segment.n_chunks() || u32_at(&bytes, 16) != segment.vectors_checksum() {
            return Err(corrupt("belongs to other vectors"));
        }
        let n = segment.n_chunks() as usize;
        let n_layers = u32_at(&bytes, 24) as usize;
        if n_layers > MAX_LAYERS {
            return Err(corrupt("has too many layers"));
        }
        let layers: Vec<usize> = (0..n_layers).map(|i| u32_at(&bytes, FIXED + 4 * i) as usize).collect();
        let mut below = n;
        for &size in &layers {
            if size > below || size == 0 {
                return Err(corrupt("has layers of invalid sizes"));
            }
            below = size;
        }
        let uppers: usize = layers.iter().sum();
        let expected = FIXED + 4 * n_layers + n * (4 + LINK_BYTES) + uppers * UPPER_BYTES;
        if bytes.len() != expected {
            return Err(corrupt("has a different length than its layers need"));
        }
        if bytes.get(CHECKED..).map(crc32fast::hash) != Some(u32_at(&bytes, 20)) {
            return Err(corrupt("does not match its checksum"));
        }
        let graph = Self { bytes, n, layers };
        let inside = |words: &[u8], end: usize, may_end: bool| {
            words
                .as_chunks::<4>()
                .0
                .iter()
                .map(|word| u32::from_le_bytes(*word))
                .all(|word| (word as usize) < end || may_end && word == NONE)
        };
        if !inside(graph.chunks(), n, false) {
            return Err(corrupt("names chunks that don't exist"));
        }
        let mut is_inside = inside(graph.zero(), n, true);
        for (layer, &size) in graph.layers.iter().enumerate() {
            is_inside &= inside(graph.layer(layer), size, true);
        }
        if !is_inside {
            return Err(corrupt("has neighbours that don't exist"));
        }
        Ok(graph)
    }

    /// Returns the size in bytes.
    pub fn n_bytes(&self) -> usize {
        self.bytes.len()
    }

    fn part(&self, start: usize, len: usize) -> &[u8] {
        self.bytes.get(start..).and_then(|rest| rest.get(..len)).unwrap_or_default()
    }

    fn chunks(&self) -> &[u8] {
        self.part(FIXED + 4 * self.layers.len(), 4 * self.n)
    }

    fn zero(&self) -> &[u8] {
        self.part(FIXED + 4 * self.layers.len() + 4 * self.n, LINK_BYTES * self.n)
    }

    fn layer(&self, layer: usize) -> &[u8] {
        let before: usize = self.layers.iter().take(layer).sum();
        let start = FIXED + 4 * self.layers.len() + (4 + LINK_BYTES) * self.n + UPPER_BYTES * before;
        self.part(start, UPPER_BYTES * self.layers.get(layer).copied().unwrap_or(0))
    }

    /// Returns the chunk of a node.
    fn chunk(&self, node: u32) -> Option<u32> {
        self.chunks().as_chunks::<4>().0.get(node as usize).map(|word| u32::from_le_bytes(*word))
    }

    /// Returns approximately the `n` chunks nearest to a question, nearest first.
    ///
    /// The search keeps the `n` nearest chunks that it meets, so it can miss some. `segment` is the
    /// one that the graph was opened with.
    pub fn search(&self, segment: &Segment, question: &Vector, n: usize) -> Vec<u32> {
        let product = |node: u32| -> Option<i32> {
            Some(embed::dot_stored(question, segment.stored_vector(self.chunk(node)?)?))
        };
        let Some(first) = product(0) else { return Vec::new() };
        let mut near: Vec<Neighbour> = vec![(first, 0)];
        let mut visited = vec![0u64; self.n.div_ceil(64)];
        for layer in (0..self.layers.len()).rev() {
            near = walk(self.layer(layer).as_chunks::<UPPER_BYTES>().0, near, 1, &mut visited, product);
        }
        near = walk(self.zero().as_chunks::<LINK_BYTES>().0, near, n.max(1), &mut visited, product);
        near.into_iter().filter_map(|(_, node)| self.chunk(node)).collect()
    }
}

/// Walks from nodes to their neighbours while these are among the `n` nearest; returns the `n`
/// nearest, nearest first (algorithm 2 of the paper).
fn walk<const BYTES: usize>(
    links: &[[u8; BYTES]],
    start: Vec<Neighbour>,
    n: usize,
    visited: &mut [u64],
    product: impl Fn(u32) -> Option<i32>,
) -> Vec<Neighbour> {
    visited.fill(0);
    let mut is_new = |node: u32| {
        let Some(word) = visited.get_mut(node as usize / 64) else { return false };
        let bit = 1 << (node % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    };
    for (_, node) in &start {
        is_new(*node);
    }
    let mut next: BinaryHeap<Neighbour> = start.iter().copied().collect();
    // A min-heap: the farthest is on top.
    let mut kept: BinaryHeap<Reverse<Neighbour>> = start.into_iter().map(Reverse).collect();
    while let Some(one) = next.pop() {
        let farthest = kept.peek().map_or(i32::MIN, |farthest| farthest.0.0);
        if kept.len() >= n && one.0 < farthest {
            break;
        }
        let Some(links) = links.get(one.1 as usize) else { continue };
        for link in links.as_chunks::<4>().0 {
            let node = u32::from_le_bytes(*link);
            if node == NONE {
                break;
            }
            if !is_new(node) {
                continue;
            }
            let Some(product) = product(node) else { continue };
            let farthest = kept.peek().map_or(i32::MIN, |farthest| farthest.0.0);
            if kept.len() < n || product > farthest {
                next.push((product, node));
                kept.push(Reverse((product, node)));
                if kept.len() > n {
                    kept.pop();
                }
            }
        }
    }
    let mut found: Vec<Neighbour> = kept.into_iter().map(|one| one.0).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found
}

fn corrupt(why: &'static str) -> Error {
    Error::Corrupt { section: "neighbours", why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::text::identifier;
    use crate::search::segment::samples;

    /// Returns a segment of 500 chunks with many mixtures of words.
    fn segment() -> Segment {
        let words = "file socket retry parse token cache index merge branch thread user key time size node";
        let words: Vec<&str> = words.split(' ').collect();
        let mut texts = Vec::new();
        for i in 0..500usize {
            let word = |k: usize| words[(i / k + i * k) % words.len()];
            texts.push(format!("{}_{}({}, {}) {}", word(1), word(15), word(7), word(225), i % 97));
        }
        let chunks: Vec<(&str, &str, &str)> = texts.iter().map(|text| ("", "", text.as_str())).collect();
        samples::segment(&[samples::file("all.py", &chunks)])
    }

    fn questions() -> impl Iterator<Item = Vector> {
        [
            "read a file",
            "retry after a timeout",
            "user of the cache",
            "merge branches",
            "parse tokens",
            "thread",
        ]
        .into_iter()
        .map(|text| crate::index::embed::builtin().question(identifier::tokens(text)).vector)
    }

    #[test]
    fn nearly_all_of_the_nearest_are_found() {
        let segment = segment();
        let bytes = build::graph(&segment).unwrap();
        assert_eq!(bytes, build::graph(&segment).unwrap(), "reproducible");
        let graph = Neighbours::from_bytes(bytes, &segment).unwrap();
        assert!(!graph.layers.is_empty(), "with upper layers");
        let (mut n_found, mut n_wanted) = (0, 0);
        for question in questions() {
            let product = |ord: u32| question.dot(&segment.vector(ord).unwrap().unwrap());
            let mut exact: Vec<i32> = (0..segment.n_chunks()).map(product).collect();
            exact.sort_unstable_by(|a, b| b.cmp(a));
            let found = graph.search(&segment, &question, 100);
            assert_eq!(found.len(), 100);
            assert!(found.windows(2).all(|pair| product(pair[0]) >= product(pair[1])), "nearest first");
            n_wanted += 20;
            n_found += found.iter().take(20).filter(|ord| product(**ord) >= exact[19]).count();
        }
        assert!(n_found * 100 >= n_wanted * 98, "{n_found} of {n_wanted}");
    }

    #[test]
    fn the_graph_of_a_small_segment_is_whole() {
        for n in [0, 1, 2, 40] {
            let texts: Vec<String> = (0..n).map(|i| format!("word{i} file")).collect();
            let chunks: Vec<(&str, &str, &str)> = texts.iter().map(|text| ("", "", text.as_str())).collect();
            let segment = samples::segment(&[samples::file("all.py", &chunks)]);
            let graph = Neighbours::from_bytes(build::graph(&segment).unwrap(), &segment).unwrap();
            let mut found = graph.search(&segment, &questions().next().unwrap(), 50);
            found.sort_unstable();
            assert_eq!(found, (0..n).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn damage_is_found_or_does_no_harm() {
        let segment = segment();
        let good = build::graph(&segment).unwrap();
        for at in (0..FIXED + 400).chain((FIXED..good.len()).step_by(1009)) {
            let mut bytes = good.clone();
            bytes[at] ^= 0x10;
            assert!(Neighbours::from_bytes(bytes, &segment).is_err(), "byte {at}");
        }
        for len in [0, 7, 20, FIXED, FIXED + 3, good.len() / 2, good.len() - 1] {
            assert!(Neighbours::from_bytes(good[..len].to_vec(), &segment).is_err(), "{len} bytes");
        }
        // A crafted file whose checksum is right.
        for at in (CHECKED..good.len()).step_by(613) {
            let mut bytes = good.clone();
            bytes[at] = bytes[at].wrapping_add(0x35);
            let sum = crc32fast::hash(&bytes[CHECKED..]);
            bytes[20..24].copy_from_slice(&sum.to_le_bytes());
            if let Ok(graph) = Neighbours::from_bytes(bytes, &segment) {
                for question in questions() {
                    assert!(graph.search(&segment, &question, 50).len() <= 50);
                }
            }
        }
        let other = samples::segment(&[samples::file("other.py", &[("", "", "text")])]);
        let error = Neighbours::from_bytes(good, &other).unwrap_err();
        assert_eq!(error.to_string(), "corrupt segment: neighbours belongs to other vectors");
    }
}
