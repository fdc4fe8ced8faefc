//! Queries: any text is parsed and answered from a small index, within limits. Any pathspec
//! compiles or is refused, and can be matched against any path.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use bstr::ByteSlice;
use git_cora::search::query::{Error, Filters, Hit, KindFilter, Pathspec, Query, admits, parse, search};
use git_cora::search::segment::{Index, Segment};
use git_cora_fuzz::segment;
use libfuzzer_sys::fuzz_target;
use roaring::RoaringBitmap;

static SEARCHED: LazyLock<Segment> = LazyLock::new(segment);

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    limit: u8,
    all_chunks: bool,
    explain: bool,
    pathspec: &'a str,
    language: &'a str,
    kind: &'a str,
    tests: Option<bool>,
    path: &'a [u8],
    text: &'a str,
}

fuzz_target!(|input: Input<'_>| {
    let spec = Pathspec::parse(input.pathspec);
    if let Ok(spec) = &spec {
        let fits = spec.fits(input.path.as_bstr());
        let admitted = admits(std::slice::from_ref(spec), input.path.as_bstr());
        assert_eq!(admitted, fits != spec.is_exclusion());
    }
    let _ = input.kind.parse::<KindFilter>();
    let _ = parse(input.text);

    let index = Index::whole(&SEARCHED);
    let masked = Index::new(&SEARCHED, RoaringBitmap::from_iter([1, 3]), Some(&SEARCHED));
    let limit = usize::from(input.limit);
    let plain = Query::new(input.text)
        .with_limit(limit)
        .with_all_chunks(input.all_chunks)
        .with_explain(input.explain);
    let filters = Filters::default()
        .with_paths(vec![input.pathspec.to_owned()])
        .with_languages(vec![input.language.to_owned()])
        .with_kinds(vec![input.kind.to_owned()])
        .with_tests(input.tests);
    let filtered = plain.clone().with_filters(filters);
    for query in [&plain, &filtered] {
        for index in [&index, &masked] {
            match search(index, query) {
                Ok(answer) => {
                    assert!(answer.hits.len() <= limit && answer.hits.len() <= answer.n_candidates);
                    // Otherwise a file has the place of its best chunk, and a function of the file
                    // may be shown in its place.
                    if query.all_chunks {
                        assert!(answer.hits.is_sorted_by(|a, b| a.score >= b.score), "not best first");
                    }
                    let is_share = |hit: &Hit| (0.0..=1.0).contains(&hit.relevance);
                    assert!(answer.hits.iter().all(is_share), "a relevance is a probability");
                    assert!(answer.hits.iter().all(|hit| hit.score.is_finite() && hit.score >= 0.0));
                }
                Err(Error::Segment(error)) => panic!("the index is whole: {error}"),
                Err(_) => {}
            }
        }
    }
});
