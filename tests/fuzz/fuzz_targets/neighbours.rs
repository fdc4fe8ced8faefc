//! Graphs of neighbours: any bytes, and the graph of a real segment with some bytes changed and its
//! checksum corrected, give a graph or an error. A search of it ends within its limit.
#![no_main]

use std::iter;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use git_cora::base::sharing::Sharing;
use git_cora::index::embed::builtin;
use git_cora::search::segment::{Neighbours, Segment, build_neighbours};
use git_cora_fuzz::{Edit, damage, segment};
use libfuzzer_sys::fuzz_target;

static SEARCHED: LazyLock<Segment> = LazyLock::new(segment);

/// The bytes of the segment's graph.
static GRAPH: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let path = std::env::temp_dir().join(format!("cora-fuzz-{}", std::process::id()));
    build_neighbours(&SEARCHED, &path, Sharing::Umask).expect("because a small graph can be stored");
    let bytes = std::fs::read(&path).expect("because it was just stored");
    std::fs::remove_file(path).expect("because it is ours");
    bytes
});

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8]),
    Damaged(Vec<Edit>, u8),
    /// The sizes of layers, and the numbers of nodes.
    Made(Vec<u8>, Vec<u8>),
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw(bytes) => search(bytes.to_vec(), 5),
    Input::Damaged(edits, n) => {
        let mut bytes = GRAPH.clone();
        damage(&mut bytes, &edits);
        search(bytes.clone(), n.into());
        seal(&mut bytes);
        search(bytes, n.into());
    }
    Input::Made(layers, nodes) => {
        let n = SEARCHED.n_chunks() as usize;
        let mut sizes: Vec<usize> = layers.iter().take(17).map(|size| usize::from(*size) % (n + 1)).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let mut nodes = nodes.into_iter().map(usize::from).chain(iter::repeat(usize::MAX));
        let mut numbers = vec![sizes.len()];
        numbers.extend(&sizes);
        numbers.extend((0..n).map(|node| nodes.next().filter(|chunk| *chunk < n).unwrap_or(node)));
        numbers.extend(nodes.take(n * 64 + sizes.iter().sum::<usize>() * 32));
        let mut bytes = GRAPH[..24].to_vec();
        bytes.extend(numbers.into_iter().flat_map(|n| u32::try_from(n).unwrap_or(u32::MAX).to_le_bytes()));
        seal(&mut bytes);
        search(bytes, 7);
    }
});

fn search(bytes: Vec<u8>, n: usize) {
    let Ok(graph) = Neighbours::from_bytes(bytes, &SEARCHED) else { return };
    let question = builtin().question(["retry", "upload"].into_iter()).vector;
    let found = graph.search(&SEARCHED, &question, n);
    assert!(found.len() <= n.max(1), "{} of {n}", found.len());
    assert!(found.iter().all(|chunk| *chunk < SEARCHED.n_chunks()));
}

/// Corrects the checksum.
fn seal(bytes: &mut [u8]) {
    if let Some(checked) = bytes.get(24..) {
        let sum = crc32fast::hash(checked);
        bytes[20..24].copy_from_slice(&sum.to_le_bytes());
    }
}
