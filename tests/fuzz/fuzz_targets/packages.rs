//! Manifests of packages: any text of any manifest gives packages with names.
#![no_main]

use std::sync::{Arc, LazyLock};

use arbitrary::Arbitrary;
use bstr::{BStr, ByteSlice};
use git_cora::search::graph::manifests::packages;
use git_cora::search::segment::{Index, Segment, SegmentBuilder};
use libfuzzer_sys::fuzz_target;

/// One manifest of each kind.
const PATHS: [&str; 7] =
    ["Cargo.toml", "a.csproj", "b.gemspec", "composer.json", "go.mod", "package.json", "sub/pubspec.yaml"];

/// A segment in which nothing but the manifests is listed.
static SEARCHED: LazyLock<Segment> = LazyLock::new(|| {
    let mut builder = SegmentBuilder::new();
    for path in PATHS {
        builder.add_skipped(path.into(), 1).expect("because the paths are in order");
    }
    Segment::from_bytes(builder.into_memory().expect("because it is small"))
        .expect("because it was just built")
});

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    origin: &'a str,
    texts: [&'a str; PATHS.len()],
}

fuzz_target!(|input: Input<'_>| {
    let text = |path: &BStr| -> Option<Arc<str>> {
        let at = PATHS.iter().position(|known| path == known.as_bytes().as_bstr())?;
        Some(input.texts[at].into())
    };
    let found = packages(&Index::whole(&SEARCHED), input.origin, &text);
    assert!(found.iter().all(|package| !package.name.is_empty()));
    assert!(found.is_sorted_by(|a, b| a < b), "a package is named twice");
});
