//! Tests of the signals, the factors and the weights on one small repository.
//!
//! The expected numbers are written out, not computed from the weights: a weight that is changed by
//! mistake turns a test red.

use std::collections::BTreeSet;

use super::samples::{Repository, reranked};
use super::signals::SIGNALS;
use crate::search::query::recall::notes::Notes;
use crate::search::query::weights::{LongTextWeights, WEIGHTS, Weights};
use crate::search::query::{Answer, ChunkRef, Hit, Query, QueryKind, SideSignals, search_weighted};
use crate::search::segment::samples::{SampleFile, file, segment};
use crate::search::segment::{Field, Index, Part, Segment};

/// A question whose words one chunk has, all of them.
const QUESTION: &str = "how is the upload of a socket retried before its deadline";

const TRACE: &str = "Traceback (most recent call last):\n  File \"src/http/client.py\", line 6, in fetch_page\n  \
                     File \"src/http/upload.py\", line 12, in retry_upload\nIOError: no\n";

const ISSUE: &str = "Uploader leaves a socket open\n\nIt does retry_upload of a socket after its deadline.\n\
                     ```\ntransfer socket\n```\nThe retry should close the socket before.\n";

const MESSAGE: &str = "failed to download the page: no such host is known";

fn notes(repository: &Repository) -> Notes<'_> {
    let last = repository.segment.n_chunks() - 1;
    let note =
        |ord| (ChunkRef { part: Part::Base, ord }, "Retries the upload of a socket before its deadline.");
    Notes { texts: vec![note(0), note(last)] }
}

fn parts(hits: &[Hit], part: &str) -> Vec<f64> {
    let sum = |hit: &Hit| -> f64 {
        hit.contributions.iter().filter(|one| one.part == part).map(|one| one.value).sum()
    };
    hits.iter().map(sum).collect()
}

/// Returns the largest contribution of a signal to a hit.
fn most(repository: &Repository, text: &str, part: &str) -> f64 {
    let notes = notes(repository);
    let query = Query { limit: 100, explain: true, ..Query::new(text) };
    let beside = SideSignals { notes: Some(&notes), ..repository.beside() };
    let index = Index::whole(&repository.segment);
    let hits = search_weighted(&index, &query, beside, &WEIGHTS).unwrap().hits;
    parts(&hits, part).into_iter().fold(0.0, f64::max)
}

#[test]
fn each_signal_gives_its_weight_to_the_chunk_that_it_suits_best() {
    let repository = Repository::new();
    let mut seen = BTreeSet::new();
    for (part, text, expected) in [
        ("word", "retry_upload", 1.0),
        ("word", QUESTION, 0.68),
        ("meaning", QUESTION, 0.42),
        ("stem", QUESTION, 0.25),
        // One of the four words is in the path of `src/http/upload.py`.
        ("path", "upload socket deadline retry", 0.225),
        ("path", "upload socket", 0.45),
        ("coverage", QUESTION, 0.4),
        ("definition", "retry_upload", 0.6),
        // A user who asks for the users of a symbol knows its definition.
        ("definition", "who uses retry_upload", 0.18),
        ("definition", ISSUE, 0.4),
        ("relation", "who uses retry_upload", 4.0),
        ("mention", "retry_upload", 0.3),
        ("coherence", QUESTION, 0.2),
        ("coherence", ISSUE, 0.3),
        ("references", QUESTION, 0.1),
        ("references", ISSUE, 0.3),
        ("message", MESSAGE, 4.0),
        ("message", &format!("It fails\n\nwith {MESSAGE}\n"), 0.3),
        ("history", QUESTION, 0.1),
        ("history", ISSUE, 0.2),
        ("named path", "what does src/http/client.py do", 0.2),
        // Any folder may have a file of that name.
        ("named path", "what does client.py do", 0.1),
        ("named path", "src/http/client.py", 1.0),
        ("named path", "client.py", 0.8),
        ("named line", "what is in src/http/client.py:6 there", 0.5),
        ("named line", TRACE, 1.5),
    ] {
        let most = most(&repository, text, part);
        assert!((most - expected).abs() < 1e-6, "{part} of '{text}': {most}, not {expected}");
        seen.insert(part);
    }
    // These two have no scale that ends at 1 here.
    for (part, text, range) in
        [("rerank", QUESTION, 0.05..20.0), ("rerank", ISSUE, 0.05..20.0), ("commentary", QUESTION, 0.2..0.5)]
    {
        let most = most(&repository, text, part);
        assert!(range.contains(&most), "{part} of '{text}': {most}, not {range:?}");
        seen.insert(part);
    }
    let all: BTreeSet<&str> = SIGNALS.iter().map(|signal| signal.name).collect();
    assert_eq!(seen, all, "each signal has a row");
}

#[test]
fn a_signal_weighs_what_its_kind_of_query_says() {
    use QueryKind::{Identifier, LongText, NaturalLanguage, Path, StackTrace};
    let kinds = [NaturalLanguage, Identifier, Path, LongText, StackTrace];
    let expected: [(&str, [f64; 5]); 16] = [
        ("word", [0.68, 0.58, 0.58, 0.9, 0.9]),
        ("meaning", [0.42, 0.42, 0.42, 0.1, 0.1]),
        ("stem", [0.25, 0.25, 0.25, 0.1, 0.1]),
        ("path", [0.9, 0.0, 0.0, 0.0, 0.0]),
        ("coverage", [0.4, 0.0, 0.0, 0.0, 0.0]),
        ("definition", [0.6, 0.6, 0.6, 0.4, 0.4]),
        ("relation", [4.0; 5]),
        ("mention", [0.3; 5]),
        ("coherence", [0.2, 0.2, 0.2, 0.3, 0.3]),
        ("references", [0.1, 0.1, 0.1, 0.3, 0.3]),
        ("rerank", [0.12, 0.12, 0.12, 0.15, 0.15]),
        ("message", [4.0, 4.0, 4.0, 0.3, 0.3]),
        ("commentary", [0.5; 5]),
        ("history", [0.1, 0.0, 0.0, 0.2, 0.2]),
        ("named path", [0.2, 0.2, 1.0, 0.2, 0.2]),
        ("named line", [0.5, 0.5, 0.5, 0.5, 1.5]),
    ];
    for (signal, (name, of_kinds)) in SIGNALS.iter().zip(expected) {
        assert_eq!(signal.name, name);
        for (kind, weight) in kinds.into_iter().zip(of_kinds) {
            let found = (signal.weight)(&WEIGHTS.for_kind(kind), kind);
            assert!((found - weight).abs() < 1e-12, "{name} for {kind:?}: {found}, not {weight}");
        }
    }
}

#[test]
fn an_embedding_weighs_more_if_no_chunk_has_all_words() {
    let repository = Repository::new();
    let with = most(&repository, "upload socket", "meaning");
    assert!((with - 0.42).abs() < 1e-6, "{with}");
    // No chunk has both words.
    let without = most(&repository, "folder settings", "meaning");
    assert!(without > 0.43 && without < 0.52, "{without}");
}

fn queries() -> Vec<Query> {
    let texts = [
        QUESTION,
        TRACE,
        ISSUE,
        MESSAGE,
        "how do we delete a directory recursively",
        "who uses retry_upload",
        "retry_upload",
        "Uploader",
        "src/http/upload.py",
        "client.py",
        "what does src/http/client.py do",
        "what is in src/http/client.py:6 there",
        "initialise the loaded settings",
        "retry an upload in Python",
        "folder settings",
        "retyr the socket",
        "how do I disable the retry of an upload",
    ];
    let mut queries: Vec<Query> = texts.map(Query::new).into();
    queries.push(Query::new(format!("It fails\n\nwith {MESSAGE}\n")));
    queries.push(Query::new(format!("{ISSUE}{TRACE}\nsocket.upload of docs\n")));
    let context = vec!["retry_upload of a socket".to_owned()];
    queries.push(Query { context, ..Query::new("and before its deadline") });
    queries.into_iter().map(|query| Query { limit: 100, ..query }).collect()
}

#[test]
fn every_weight_changes_some_answer() {
    let repository = Repository::new();
    let notes = notes(&repository);
    let index = Index::whole(&repository.segment);
    let beside = SideSignals { notes: Some(&notes), ..repository.beside() };
    let queries = queries();
    let answer = |query: &Query, weights: &Weights| search_weighted(&index, query, beside, weights).unwrap();
    let plain: Vec<Answer> = queries.iter().map(|query| answer(query, &WEIGHTS)).collect();
    let fields = Field::ALL.iter().flat_map(|field| ["fields", "length"].map(|list| (list, field.name())));
    let names = Weights::NAMES.iter().map(|name| (*name).to_owned());
    let names = names.chain(LongTextWeights::NAMES.iter().map(|name| format!("long.{name}")));
    let names = names.chain(fields.map(|(list, field)| format!("{list}.{field}")));
    let mut idle = Vec::new();
    for name in names {
        let changes = [0.0, 0.13, 0.6, 3.7, 55.0].into_iter().any(|value| {
            let mut weights = WEIGHTS;
            assert!(weights.set(&name, value), "{name}");
            queries.iter().zip(&plain).any(|(query, plain)| answer(query, &weights) != *plain)
        });
        if !changes {
            idle.push(name);
        }
    }
    assert_eq!(idle, Vec::<String>::new(), "these weights change no answer");
}

#[test]
fn the_weights_are_those_that_were_chosen() {
    let Weights { fields, length, .. } = WEIGHTS;
    assert_eq!(fields, [5.0, 1.0, 1.5, 1.0, 3.0, 5.0, 0.5]);
    assert_eq!(length, [0.5, 0.5, 0.6, 0.6, 0.5, 0.5, 0.5]);
    let of_words = [
        WEIGHTS.k1,
        WEIGHTS.part,
        WEIGHTS.compound,
        WEIGHTS.word,
        WEIGHTS.fence,
        WEIGHTS.title,
        WEIGHTS.turn,
    ];
    assert_eq!(of_words, [2.0, 1.0, 1.0, 0.5, 0.5, 8.0, 0.3]);
    assert_eq!([WEIGHTS.unsaid, WEIGHTS.floor, WEIGHTS.short_form], [0.1, 0.4, 1.0]);
    assert_eq!([WEIGHTS.kernels, WEIGHTS.encoder], [1.0, 18.0]);
    assert_eq!([WEIGHTS.words, WEIGHTS.function_within, WEIGHTS.lines_within], [0.1, 0.3, 0.15]);
    let Weights { again, part_again, plain_again, plain_first, words_within, .. } = WEIGHTS;
    assert_eq!([again, part_again, plain_again, plain_first, words_within], [0.0, 0.6, 0.8, 0.9, 1.0]);
    let trace = WEIGHTS.for_kind(QueryKind::StackTrace);
    assert_eq!((trace.again, trace.words_within, trace.lines_within), (0.97, 0.0, 0.0));
    let long = WEIGHTS.for_kind(QueryKind::LongText);
    assert_eq!((long.again, long.words_within, long.large, long.prose), (0.97, 1.0, 1.15, 0.3));
    assert_eq!((WEIGHTS.settings, long.settings), (1.0, 0.6));
    let mut weights = WEIGHTS;
    for name in ["nothing", "long.nothing", "fields.nothing", "other.body"] {
        assert!(!weights.set(name, 1.0), "{name}");
    }
    assert_eq!(weights, WEIGHTS);
}

/// Returns the explanation of the factors, by path; empty if there are none.
fn factors(hits: &[Hit]) -> Vec<(String, String)> {
    let detail = |hit: &Hit| {
        let one = hit.contributions.iter().find(|one| matches!(one.part, "demotion" | "boost"));
        one.map(|one| one.detail.clone()).unwrap_or_default()
    };
    hits.iter().map(|hit| (hit.path.to_string(), detail(hit))).collect()
}

fn files() -> Vec<SampleFile> {
    [
        "CHANGES.txt",
        "docs/guide.txt",
        "examples/demo.py",
        "fix.patch",
        "locales/de.json",
        "locales/fr.json",
        "logo.svg",
        "needle.1",
        "src/lib.py",
        "src/main.rs",
        "src/other.rs",
        "tests/test_a.py",
        "types/lib.pyi",
        "vendor/x.py",
    ]
    .map(|path| file(path, &[("", "", "needle socket")]))
    .into()
}

fn factor_of(segment: &Segment, query: &Query, path: &str) -> String {
    let query = Query { limit: 100, explain: true, ..query.clone() };
    let hits =
        search_weighted(&Index::whole(segment), &query, SideSignals::default(), &WEIGHTS).unwrap().hits;
    factors(&hits).into_iter().find(|one| one.0 == path).unwrap().1
}

#[test]
fn each_factor_lowers_the_files_that_it_is_for() {
    let segment = segment(&files());
    for (text, path, expected) in [
        ("needle", "src/lib.py", ""),
        ("needle", "tests/test_a.py", "× 0.5 (test)"),
        ("test needle", "tests/test_a.py", ""),
        ("needle", "examples/demo.py", "× 0.5 (example)"),
        ("example of a needle", "examples/demo.py", ""),
        ("needle", "vendor/x.py", "× 0.7 (vendored)"),
        ("needle", "docs/guide.txt", "× 0.6 (prose)"),
        ("documentation of the needle", "docs/guide.txt", ""),
        ("needle\nsocket\n\nneedle", "docs/guide.txt", "× 0.3 (prose)"),
        ("needle", "types/lib.pyi", "× 0.7 (typings)"),
        ("needle", "logo.svg", "× 0.6 (drawing)"),
        ("needle", "fix.patch", "× 0.6 (patch)"),
        ("needle", "locales/de.json", "× 0.5 (translation)"),
        ("how do I enable the needle", "docs/guide.txt", "× 2.5 (manual)"),
        ("how do I enable the needle", "needle.1", "× 2.5 (manual)"),
        ("how do I enable the needle", "CHANGES.txt", "× 0.6 (prose)"),
        ("translation of the needle", "locales/de.json", "× 0.6 (prose)"),
        // A file without a grammar is prose for a question.
        ("the needle of a socket", "fix.patch", "× 0.36 (prose, patch)"),
        ("find a needle socket in Rust", "src/lib.py", "× 0.5 (not in the requested language)"),
        ("find a needle socket in Rust", "src/main.rs", ""),
    ] {
        assert_eq!(factor_of(&segment, &Query::new(text), path), expected, "{text} {path}");
    }
    let boosts = vec![("src".to_owned(), 1.5), ("*.py".to_owned(), 3.0)];
    let boosted = Query { boosts, ..Query::new("needle") };
    assert_eq!(factor_of(&segment, &boosted, "src/lib.py"), "× 4.5 (boosted)");
    assert_eq!(factor_of(&segment, &boosted, "src/main.rs"), "× 1.5 (boosted)");
}

#[test]
fn manuals_of_dependencies_are_asked_for_by_name() {
    let segment = crate::search::segment::samples::sources(&[
        ("deps/lua/manual.md", "# Limits\n\nSet the limit of the memory here.\n"),
        ("doc/limits.md", "# Limits\n\nSet the limit of the memory here.\n"),
        ("server.conf", "# Set a limit of the memory.\nmaxmemory 100\n"),
        ("server.conf.sample", "# Set a limit of the memory.\nmaxmemory 100\n"),
    ]);
    for (text, path, expected) in [
        ("how do I set a limit of the memory", "doc/limits.md", "× 2.5 (manual)"),
        ("how do I set a limit of the memory", "deps/lua/manual.md", ""),
        ("how do I set a limit of the memory in lua", "deps/lua/manual.md", "× 2.5 (manual)"),
        ("how do I set a limit of the memory", "server.conf", "× 2.5 (manual)"),
        ("how do I set a limit of the memory", "server.conf.sample", "× 2.5 (manual)"),
        ("where is the limit of the memory set", "server.conf", ""),
    ] {
        assert_eq!(factor_of(&segment, &Query::new(text), path), expected, "{text} {path}");
    }
}

#[test]
fn prototypes_alone_are_lowered_for_questions() {
    let segment = crate::search::segment::samples::sources(&[
        ("a.h", "int needle_open(int socket);\nint needle_close(int socket);\n"),
        ("b.h", "struct needle { int socket; };\nint needle_free(struct needle *one);\n"),
        ("c.h", "static inline int needle_size(int socket) {\n    return socket;\n}\n"),
        ("d.py", "def needle_open(socket): pass\n"),
    ]);
    for (text, path, expected) in [
        ("where is the needle of a socket opened", "a.h", "× 0.7 (prototypes)"),
        ("needle_open", "a.h", ""),
        ("where is the needle of a socket opened", "b.h", ""),
        ("where is the needle of a socket opened", "c.h", ""),
        ("where is the needle of a socket opened", "d.py", ""),
    ] {
        assert_eq!(factor_of(&segment, &Query::new(text), path), expected, "{text} {path}");
    }
}

#[test]
fn a_question_prefers_a_function_within_its_file() {
    let repository = Repository::new();
    let hits = |text: &str, function_within: f64, all_chunks: bool| {
        let weights = Weights { function_within, ..WEIGHTS };
        let query = Query { all_chunks, explain: true, limit: 100, ..Query::new(text) };
        let hits = repository.hits(&query, &weights).into_iter();
        hits.filter(|hit| hit.path == "src/net.py").collect::<Vec<_>>()
    };
    let text = "where is a socket given its retry deadline";
    for hit in hits(text, 0.3, true) {
        let expected = if hit.symbol == "TABLE" || hit.symbol.is_empty() { 0.0 } else { 0.3 };
        assert!((parts(std::slice::from_ref(&hit), "function")[0] - expected).abs() < 1e-9, "{hit:?}");
        let sum: f64 = hit.contributions.iter().map(|one| one.value).sum();
        assert!((sum - hit.score).abs() < 1e-6, "the parts add up to the score");
    }
    // It decides within the file, and the file keeps its place.
    let first = |function_within: f64| hits(text, function_within, false).remove(0);
    assert!(["transfer", "shut"].contains(&first(55.0).symbol.as_str()), "{}", first(55.0).symbol);
    let place = |function_within: f64| {
        let weights = Weights { function_within, ..WEIGHTS };
        let hits = repository.hits(&Query::new(text), &weights);
        hits.iter().position(|hit| hit.path == "src/net.py")
    };
    assert_eq!(place(0.0), place(55.0));
    // A name asks for whatever has it.
    assert!(parts(&hits("deadline_of", 0.3, true), "function").iter().all(|one| *one == 0.0));
}

#[test]
fn some_factors_are_of_a_chunk_alone() {
    let repository = Repository::new();
    let factors_of = |text: &str, all_chunks: bool| -> BTreeSet<String> {
        let hits = repository.hits(&Query { all_chunks, ..Query::new(text) }, &WEIGHTS);
        factors(&hits).into_iter().map(|(path, detail)| format!("{path} {detail}")).collect()
    };
    let found = factors_of(QUESTION, false);
    assert!(found.contains("src/http/upload.py × 0.8 (head of a file)"), "{found:?}");
    assert!(!found.iter().any(|one| one.contains("large function")), "{found:?}");
    let found = factors_of("load_settings", false);
    assert!(found.contains("src/settings.rs × 0.5 (test)"), "{found:?}");
    let found = factors_of(ISSUE, false);
    assert!(found.contains("src/net.py × 1.15 (part of a large function)"), "{found:?}");
    // Every part repeats the signature, so parts are not raised if all chunks are asked for.
    let found = factors_of(ISSUE, true);
    assert!(!found.iter().any(|one| one.contains("large function")), "{found:?}");
}

#[test]
fn signals_of_a_later_phase_are_worth_nothing_before() {
    use super::inputs::{FileInputs, Inputs, PhaseInputs};
    let repository = Repository::new();
    let index = Index::whole(&repository.segment);
    let query = Query::new(QUESTION);
    let reranked = reranked(&index, &query, repository.beside(), &WEIGHTS);
    let recalled = &reranked.recalled;
    let most = |name: &str, known: PhaseInputs<'_, '_>| {
        let signal = SIGNALS.iter().find(|signal| signal.name == name).unwrap();
        let mut most = 0.0f64;
        for (place, run) in recalled.candidates.files().iter().enumerate() {
            let of_file = FileInputs::new(known, place, run.file);
            for &ord in recalled.candidates.chunks(run) {
                most = most.max(signal.value(&Inputs::new(&of_file, ord)));
            }
        }
        most
    };
    let early = PhaseInputs::Recalled(recalled);
    let middle = PhaseInputs::Expanded(recalled, &reranked.references);
    assert_eq!((most("references", early), most("rerank", early)), (0.0, 0.0));
    assert_eq!((most("references", middle), most("rerank", middle)), (1.0, 0.0));
    assert!(most("rerank", reranked.known()) > 0.0);
}

/// Returns files with a chunk each, whose scores differ if `differ` is set.
fn many(n: usize, differ: bool) -> Segment {
    let paths: Vec<String> = (0..n).map(|i| format!("f{i:04}.py")).collect();
    let body = |i: usize| format!("needle {}", "other ".repeat(if differ { i + 1 } else { 1 }));
    let bodies: Vec<String> = (0..n).map(body).collect();
    let files = paths.iter().zip(&bodies).map(|(path, body)| file(path, &[("", "", body)]));
    segment(&files.collect::<Vec<_>>())
}

#[test]
fn references_are_followed_from_twenty_files() {
    let segment = many(30, true);
    let index = Index::whole(&segment);
    let query = Query::new("needle");
    let reranked = reranked(&index, &query, SideSignals::default(), &WEIGHTS);
    assert_eq!(reranked.references.seeds.len(), 20);
}

#[test]
fn the_best_are_cut_where_scores_differ() {
    let best = |n: usize, differ: bool| {
        let segment = many(n, differ);
        let index = Index::whole(&segment);
        let query = Query::new("needle");
        let reranked = reranked(&index, &query, SideSignals::default(), &WEIGHTS);
        reranked.scores.best(&reranked.recalled.candidates, 20, 0).len()
    };
    assert_eq!(best(10, true), 10);
    assert_eq!(best(60, true), 21, "the limit and what has its score");
    assert_eq!(best(60, false), 60, "equal scores are kept together");
    assert_eq!(best(90, false), 0, "very many copies are left out together");
}

#[test]
fn the_best_chunks_of_files_are_among_the_best() {
    let body = |i: usize| format!("needle {}", "other ".repeat(i + 1));
    let large: Vec<String> = (0..30).map(body).collect();
    let chunks: Vec<(&str, &str, &str)> = large.iter().map(|body| ("", "", body.as_str())).collect();
    let small: Vec<String> = (40..50).map(body).collect();
    let paths: Vec<String> = (0..10).map(|i| format!("small{i}.py")).collect();
    let mut files = vec![file("large.py", &chunks)];
    files.extend(paths.iter().zip(&small).map(|(path, body)| file(path, &[("", "", body)])));
    let segment = segment(&files);
    let index = Index::whole(&segment);
    let query = Query::new("needle");
    let reranked = reranked(&index, &query, SideSignals::default(), &WEIGHTS);
    let n_of_small = |n_files: usize| {
        let best = reranked.scores.best(&reranked.recalled.candidates, 20, n_files);
        best.iter()
            .filter(|(_, of)| segment.file(*of).is_some_and(|file| segment.path(&file) != "large.py"))
            .count()
    };
    // One of the files is the large one, and another has the score at which they are cut.
    assert_eq!([0, 4, 20].map(n_of_small), [0, 3, 10]);
}
