//! Weight that spreads along references, whether files are in the base or in the overlay.

use bstr::ByteSlice;
use roaring::RoaringBitmap;

use super::super::*;
use super::meanings;
use crate::search::segment::samples::sources;
use crate::search::segment::{Index, Segment};

const HERD: [(&str, &str); 4] = [
    ("a.py", "from b import two\n\ndef one():\n    return two() and 'one is one and all alone here'\n"),
    ("b.py", "from c import three\n\ndef two():\n    return three() and 'two of them, dressed in green'\n"),
    ("c.py", "def three():\n    return 'three of them, who are the rivals'\n"),
    ("d.py", "from b import two\n\ndef four():\n    return two() and 'four for those who wrote it down'\n"),
];

/// Returns chunks by path with the bits of their weights, in the order of the result.
fn spread(index: &Index<'_>, from: &str) -> Vec<(String, u64)> {
    let graph = Graph::new(index);
    let at = graph.chunk_of(graph.named(from).unwrap()[0]).unwrap();
    let found = Spread::default().run(&graph, &[(at, 1.0)]).unwrap();
    found
        .into_iter()
        .map(|(chunk, weight)| (graph.file_of(chunk).unwrap().path().to_string(), weight.to_bits()))
        .collect()
}

#[test]
fn weight_comes_along_references_and_back() {
    let segment = sources(&HERD);
    let index = Index::whole(&segment);
    let found = spread(&index, "two");
    let paths: std::collections::BTreeSet<&str> = found.iter().map(|one| one.0.as_str()).collect();
    // Weight goes to the callee, back to callers, and from those back to the start.
    assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["a.py", "b.py", "c.py", "d.py"]);
    let graph = Graph::new(&index);
    let at = graph.chunk_of(graph.named("two").unwrap()[0]).unwrap();
    let forward = Spread { forward: 1.0, ..Spread::default() }.run(&graph, &[(at, 1.0)]).unwrap();
    let paths: Vec<_> =
        forward.iter().map(|(chunk, _)| graph.file_of(*chunk).unwrap().path().to_string()).collect();
    assert_eq!(paths, ["c.py"]);
    let come: f64 = forward.iter().map(|one| one.1).sum();
    assert!(come > 0.0 && come <= 0.5, "what does not stay goes on: {come}");
    assert_eq!(Spread::default().run(&graph, &[]).unwrap(), []);
}

#[test]
fn what_lies_in_the_overlay_makes_no_difference() {
    let whole = sources(&HERD);
    let expected = spread(&Index::whole(&whole), "two");
    for n in 1..HERD.len() {
        let base = sources(&HERD[..n]);
        let overlay: Segment = sources(&HERD[n..]);
        let index = Index::new(&base, RoaringBitmap::new(), Some(&overlay));
        assert_eq!(spread(&index, "two"), expected, "{n} files in the base");
    }
    // The names of an outdated file are gone.
    let changed = sources(&[("c.py", "def other():\n    return 'nothing that is called three'\n")]);
    let index = Index::new(&whole, RoaringBitmap::new(), Some(&changed));
    assert_eq!(meanings(&index, "b.py", "three"), Vec::<String>::new());
    let graph = Graph::new(&index);
    let two = graph.find("two").unwrap();
    let callers = graph.incoming(two[0], &[ReferenceKind::Call]).unwrap();
    let paths: Vec<_> =
        callers.iter().map(|edge| graph.file_of(edge.from).unwrap().path().to_str_lossy()).collect();
    assert_eq!(paths, ["a.py", "d.py"]);
}
