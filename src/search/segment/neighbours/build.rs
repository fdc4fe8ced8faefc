//! Builds the graph of a segment.
//!
//! Input: a segment, whose checksums are verified first. Output: the file that `neighbours`
//! describes. Building takes far longer than building the segment, so it is work for the
//! background. One thread and a fixed seed make the bytes the same each time.

use std::path::Path;

use instant_distance::{Builder, Point};
use serde::Serialize;

use crate::index::embed::{self, DIMENSIONS, Vector};

use super::{CHECKED, LINK_BYTES, MAGIC, UPPER_BYTES, VERSION, corrupt};
use crate::base::new_file;
use crate::base::sharing::Sharing;
use crate::search::segment::open::Segment;
use crate::search::segment::rows::{u32_at, u64_at};
use crate::search::segment::{Error, Result, narrow};

/// Number of candidates for a node's neighbours while it is inserted: the library's default.
const CANDIDATES: usize = 100;

/// Seed of the random choice of layers: arbitrary, but always the same.
const SEED: u64 = 0x636f_7261;

/// A chunk's stored vector. Only its ordinal is written, because the segment stores the vector.
#[derive(Clone, Serialize)]
struct Row<'s> {
    chunk: u32,
    #[serde(skip)]
    vector: &'s [u8; DIMENSIONS],
}

impl Point for Row<'_> {
    fn distance(&self, other: &Self) -> f32 {
        // Whole numbers below 2²³, so the cast is exact.
        #[allow(clippy::cast_possible_truncation)]
        let distance = (Vector::ONE - f64::from(embed::dot_of_stored(self.vector, other.vector))) as f32;
        distance
    }
}

/// Builds the graph of a segment and writes it to a file; returns the size in bytes.
///
/// It runs on one thread, so that the bytes are the same each time, and takes about a second per
/// thousand chunks. It can be interrupted only by ending the process; nothing is written until the
/// end.
///
/// # Errors
/// [`Error::Io`], [`Error::Limit`], [`Error::Corrupt`] for a damaged segment.
pub fn build_neighbours(segment: &Segment, out: &Path, sharing: Sharing) -> Result<u64> {
    let bytes = graph(segment)?;
    new_file::write(out, ".neighbours-", 0o666, sharing, &bytes)
        .map_err(|source| Error::Io { path: out.to_owned(), source })?;
    Ok(bytes.len() as u64)
}

/// Returns the bytes of a segment's graph.
pub(super) fn graph(segment: &Segment) -> Result<Vec<u8>> {
    // A damaged row must not spread into the graph.
    segment.verify()?;
    let rows: Vec<Row<'_>> = (0..segment.n_chunks())
        .filter_map(|chunk| Some(Row { chunk, vector: segment.stored_vector(chunk)? }))
        .collect();
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|_| Error::Limit { what: "threads" })?;
    let built = one.install(|| {
        let builder = Builder::default().seed(SEED).ef_construction(CANDIDATES);
        let (hnsw, _) = builder.build_hnsw(rows);
        bincode::serde::encode_to_vec(&hnsw, bincode::config::legacy())
    });
    let built = built.map_err(|_| Error::Limit { what: "neighbours" })?;
    encode(&built, segment)
}

/// Rearranges the library's output into the order of our file.
///
/// The library writes search width, points, lowest layer, upper layers; lengths and the width have
/// 64 bits.
fn encode(built: &[u8], segment: &Segment) -> Result<Vec<u8>> {
    let moved = || corrupt("has a layout that differs from the library's");
    let mut rest = built.get(8..).ok_or_else(moved)?;
    let n = segment.n_chunks() as usize;
    let chunks = table(&mut rest, 4).filter(|table| table.len() == 4 * n).ok_or_else(moved)?;
    let zero =
        table(&mut rest, LINK_BYTES).filter(|table| table.len() == n * LINK_BYTES).ok_or_else(moved)?;
    let n_layers = count(&mut rest).ok_or_else(moved)?;
    let mut uppers = Vec::new();
    for _ in 0..n_layers {
        uppers.push(table(&mut rest, UPPER_BYTES).ok_or_else(moved)?);
    }
    if !rest.is_empty() {
        return Err(moved());
    }
    let mut out = Vec::with_capacity(built.len() + 64);
    out.extend_from_slice(&MAGIC);
    for number in
        [VERSION, segment.n_chunks(), segment.vectors_checksum(), 0, narrow(uppers.len(), "layers")?]
    {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for upper in &uppers {
        out.extend_from_slice(&narrow(upper.len() / UPPER_BYTES, "nodes")?.to_le_bytes());
    }
    out.extend_from_slice(chunks);
    out.extend_from_slice(zero);
    for upper in &uppers {
        out.extend_from_slice(upper);
    }
    let sum = out.get(CHECKED..).map(crc32fast::hash).unwrap_or_default();
    if let Some(place) = out.get_mut(CHECKED - 4..CHECKED) {
        place.copy_from_slice(&sum.to_le_bytes());
    }
    debug_assert_eq!(u32_at(&out, 20), sum);
    Ok(out)
}

fn count(rest: &mut &[u8]) -> Option<usize> {
    let (head, tail) = rest.split_at_checked(8)?;
    *rest = tail;
    usize::try_from(u64_at(head, 0)).ok()
}

/// Reads a table that is preceded by its number of rows.
fn table<'b>(rest: &mut &'b [u8], row_bytes: usize) -> Option<&'b [u8]> {
    let n = count(rest)?;
    let (table, tail) = rest.split_at_checked(n.checked_mul(row_bytes)?)?;
    *rest = tail;
    Some(table)
}
