//! Tests of the ranking as a whole.
//!
//! The most important invariant: the answer does not depend on which segment stores a file. A
//! property test compares an index split into base and overlay with one built from scratch.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;
use proptest::prelude::*;
use roaring::RoaringBitmap;

use super::weights::{WEIGHTS, Weights};
use super::*;
use crate::search::segment::samples::{SampleChunk, SampleFile, file, segment, sources};
use crate::search::segment::{Index, Segment};

fn sample() -> Segment {
    segment(&[
        file("docs/guide.txt", &[("", "", "how to retry a request and how to parse a header")]),
        file(
            "src/http/client.py",
            &[
                ("fetch_page", "Downloads a page and retries.", "socket open retry_count sleep header"),
                ("parseHeader", "Parses one header line.", "split colon strip"),
            ],
        ),
        file("src/main.rs", &[("main", "", "fetch_page parse_args socket")]),
        file("tests/test_client.py", &[("test_parse_header", "", "parseHeader assert header split colon")]),
        file("third_party/lib.py", &[("parse_line", "", "header split colon")]),
    ])
}

fn found(segment: &Segment, text: &str) -> Vec<(String, String)> {
    let answer = search(&Index::whole(segment), &Query::new(text)).unwrap();
    answer.hits.into_iter().map(|hit| (hit.path.to_string(), hit.symbol)).collect()
}

fn first(segment: &Segment, text: &str) -> String {
    found(segment, text).into_iter().next().map(|hit| hit.1).unwrap_or_default()
}

#[test]
fn what_is_meant_comes_first() {
    let segment = sample();
    for (text, symbol) in [
        ("parseHeader", "parseHeader"),
        ("parse_header", "parseHeader"),
        ("how are headers parsed", "parseHeader"),
        ("fetch_pag", "fetch_page"),
        ("fecth_page", "fetch_page"),
        ("fetchPage", "fetch_page"),
        ("src/main.rs", "main"),
        ("client.py:15", "parseHeader"),
        ("test parse header", "test_parse_header"),
        ("header path:third_party", "parse_line"),
        ("header lang:py symbol:fetch*", "fetch_page"),
    ] {
        assert_eq!(first(&segment, text), symbol, "{text}");
    }
}

#[test]
fn signs_that_end_a_name_tell_it_from_others() {
    let segment = segment(&[file(
        "lib/record.rb",
        &[
            ("save", "Saves the record", "persist save callbacks"),
            ("save!", "Saves the record", "save raise"),
            ("valid?", "", "errors empty"),
            ("<=>", "", "compare key"),
            ("name=", "", "assign"),
            ("write", "", "save io"),
        ],
    )]);
    for (text, symbol) in [
        ("save!", "save!"),
        ("save", "save"),
        ("Record#save!", "save!"),
        ("what does `save!` raise", "save!"),
        ("what does save! do with the record", "save!"),
        ("valid?", "valid?"),
        ("valid", "valid?"),
        ("<=>", "<=>"),
        ("<=> path:lib", "<=>"),
        ("name=", "name="),
        ("write?", "write"),
        ("write!", "write"),
    ] {
        assert_eq!(first(&segment, text), symbol, "{text}");
    }
    assert_eq!(found(&segment, "=>"), []);
    assert_eq!(found(&segment, "<=> path:lib").len(), 1, "an operator alone is not a filter");
}

#[test]
fn a_word_that_is_misspelt_is_missed_as_any_other() {
    let segment = sources(&[
        ("disk.py", "def write_disk():\n    disk = 1\n"),
        ("store.py", "def keep():\n    schedule = disk = persist = 1\n"),
    ]);
    let coverage = |text: &str| -> BTreeMap<String, f64> {
        let query = Query { explain: true, ..Query::new(text) };
        let hits = search(&Index::whole(&segment), &query).unwrap().hits;
        let of = |hit: &Hit| hit.contributions.iter().find(|one| one.part == "coverage").map(|one| one.value);
        hits.iter().map(|hit| (hit.path.to_str_lossy().into_owned(), of(hit).unwrap_or(0.0))).collect()
    };
    let right = coverage("how is the schedule persisted to disk");
    assert_eq!(coverage("how is the scheduel persisted to disk"), right);
    assert!(right["disk.py"] < WEIGHTS.coverage, "{right:?}");
}

#[test]
fn a_word_that_occurs_nowhere_is_taken_for_its_neighbours() {
    let segment = sample();
    let near = |text: &str| -> Vec<(String, Vec<String>)> {
        let answer = search(&Index::whole(&segment), &Query::new(text)).unwrap();
        answer.near.into_iter().map(|near| (near.word, near.instead)).collect()
    };
    let one = |word: &str, instead: &str| vec![(word.to_owned(), vec![instead.to_owned()])];
    assert_eq!(near("how to retyr the socket"), one("retyr", "retry"));
    assert_eq!(near("how are haeders parsed"), one("haeders", "header"));
    assert_eq!(near("splitt the colon"), one("splitt", "split"));
    // The word itself, not its stem, which is one edit away as well.
    let plan = sources(&[("plan.py", "def plan():\n    schedule = 1\n    scheduled = schedule\n")]);
    let answer = search(&Index::whole(&plan), &Query::new("where is the scheduel made")).unwrap();
    assert_eq!(answer.near[0].instead[0], "schedule");
    for text in ["how are headers parsed", "fecth_page", "sokcet\nin a long text", "sokcet.py"] {
        assert_eq!(near(text), [], "{text}");
    }
    let missing = |word: &str| (word.to_owned(), Vec::new());
    // A compound name that occurs nowhere, though its parts do.
    assert_eq!(near("haederParsing"), [missing("haederParsing")]);
    // A word that asks for a place need not stand there.
    assert_eq!(near("where is the socket located"), []);
    // Tokens that are short, are not words, or occur in a path are not reported.
    assert_eq!(near("zzzz of the xx socket 77 in a txt, 索引 isn't 3f786850e387550f"), [missing("zzzz")]);
    let many = "wibbla wobbla wubbla wabbla wybbla webbla wagbla wogbla wigbla";
    assert_eq!(
        near(&format!("{many} retyr the socket")).len(),
        9,
        "one that is replaced and eight that are not"
    );
    assert_eq!(near(&format!("{many} retyr the socket"))[..1], one("retyr", "retry"));
    let symbols: Vec<_> = found(&segment, "where are haeders parsde").into_iter().map(|hit| hit.1).collect();
    assert!(symbols.contains(&"parseHeader".to_owned()), "{symbols:?}");
    assert_eq!(first(&segment, "downlods a thing"), "fetch_page");
    // A replacement weighs less than the same word spelled correctly.
    let score = |text: &str| search(&Index::whole(&segment), &Query::new(text)).unwrap().hits[0].score;
    assert!(score("assert retyr") <= score("assert retry"));
}

#[test]
fn a_symbol_that_is_asked_for_counts() {
    let segment = sample();
    let query = Query { explain: true, ..Query::new("symbol:parseHeader") };
    let hits = search(&Index::whole(&segment), &query).unwrap().hits;
    assert_eq!(hits[0].symbol, "parseHeader");
    assert!(hits[0].score > 0.0);
    assert!(hits[0].contributions.iter().any(|one| one.part == "definition" && one.value > 0.0), "{hits:?}");
}

#[cfg(feature = "lang-c-sharp")]
#[test]
fn frames_are_mapped_to_functions() {
    let lines_in = |segment: &Segment, text: &str| -> BTreeSet<(String, Vec<u32>)> {
        let hits = search(&Index::whole(segment), &Query::new(text)).unwrap().hits;
        hits.into_iter().filter(|hit| !hit.lines.is_empty()).map(|hit| (hit.symbol, hit.lines)).collect()
    };
    let sample = sample();
    let lines = |text: &str| lines_in(&sample, text);
    let expected = |places: &[(&str, &[u32])]| -> BTreeSet<(String, Vec<u32>)> {
        places.iter().map(|&(name, lines)| (name.to_owned(), lines.to_vec())).collect()
    };
    let trace = "Traceback (most recent call last):\n  File \"/x/src/main.rs\", line 2, in <module>\n  \
                 File \"/x/src/http/client.py\", line 7, in fetch_page\n  \
                 File \"/x/src/http/client.py\", line 4, in fetch_page\n  \
                 File \"/x/src/http/client.py\", line 15, in parseHeader\n";
    let found = lines(trace);
    assert_eq!(found, expected(&[("main", &[2]), ("fetch_page", &[4, 7]), ("parseHeader", &[15])]));
    // Frames come before chunks that only have the words.
    let files = [
        file("a.py", &[("run", "", "socket")]),
        file("b.py", &[("raise_failure", "", "boom failure exception")]),
    ];
    let trace =
        "File \"a.py\", line 2, in run\nFile \"a.py\", line 3, in run\nraise_failure: boom failure exception";
    assert_eq!(first(&segment(&files), trace), "run");
    // Of two functions with one name, the frame's type decides, although the line is nearer to the
    // other.
    let body = "    int total = first + second + third + fourth;\n".repeat(8);
    let method = format!("  int read() {{\n{body}    return total;\n  }}\n");
    let java = format!("class Foo {{\n{method}  static class Bar {{\n{method}  }}\n}}\n");
    let found = lines_in(
        &sources(&[("Foo.java", &java)]),
        "Error: no\n\tat a.Foo$Bar.read(Foo.java:2)\n\tat a.Foo.read(Foo.java:3)\n",
    );
    assert_eq!(found, expected(&[("Foo.Bar.read", &[14]), ("Foo.read", &[3])]));
    // Without a line, the function's declaration is named; for an implicit constructor, the class.
    let c_sharp = "[Serializable]\npublic class Foo\n{\n    int a = Boom();\n    int Run()\n    {\n        return a;\n    }\n}\n";
    let found = lines_in(
        &sources(&[("Acme/Foo.cs", c_sharp)]),
        "System.Exception: no\n   at Acme.Foo..ctor()\n   at Acme.Foo.Run()\n",
    );
    let places: BTreeSet<u32> = found.into_iter().flat_map(|(_, lines)| lines).collect();
    assert_eq!(places, BTreeSet::from([2, 5]));
    // The lines are from a version with more code above, or without the function.
    for (line, function, places) in [
        (8, "parseHeader", expected(&[("parseHeader", &[11])])),
        (99, "parseHeader", expected(&[("parseHeader", &[11])])),
        (8, "gone", expected(&[("fetch_page", &[8])])),
        (99, "gone", expected(&[])),
    ] {
        let trace = format!("Traceback:\n  File \"client.py\", line {line}, in {function}\nError: no\n");
        assert_eq!(lines(&trace), places, "{trace}");
        let one = format!("File \"client.py\", line {line}, in {function}");
        assert_eq!(lines(&one), places, "{one}");
    }
}

#[test]
fn a_phrase_needs_all_its_words_and_a_check() {
    let segment = sample();
    let answer = search(&Index::whole(&segment), &Query::new("\"retry a request\"")).unwrap();
    assert_eq!(answer.needs_text_check, ["retry a request"]);
    let paths: Vec<_> = answer.hits.iter().map(|hit| hit.path.to_string()).collect();
    assert_eq!(paths, ["docs/guide.txt"]);
}

#[test]
fn one_chunk_per_file_comes_first() {
    let segment = segment(&[
        file("a.py", &[("alpha", "", "needle"), ("beta", "", "needle needle"), ("gamma", "", "needle")]),
        file("b.py", &[("delta", "", "needle other words that are not asked for and make it long")]),
    ]);
    let symbols: Vec<_> = found(&segment, "needle thing").into_iter().map(|hit| hit.1).collect();
    assert_eq!(symbols[..2], ["beta", "delta"]);
    let query = Query { all_chunks: true, ..Query::new("needle thing") };
    let hits = search(&Index::whole(&segment), &query).unwrap().hits;
    assert_eq!(hits[3].symbol, "delta");
}

#[test]
fn contributions_add_up() {
    let segment = sample();
    for text in [
        "parse header",
        "parseHeader",
        "client.py:15",
        "split colon",
        "fecth_page",
        "symbol:parse*",
        "retyr the page",
    ] {
        let query = Query { explain: true, ..Query::new(text) };
        let answer = search(&Index::whole(&segment), &query).unwrap();
        assert!(!answer.hits.is_empty());
        for hit in answer.hits {
            let sum: f64 = hit.contributions.iter().map(|c| c.value).sum();
            assert!((sum - hit.score).abs() < 1e-5, "{text}: {hit:?}");
        }
    }
}

#[test]
fn a_result_that_its_score_does_not_order_names_the_rule() {
    let explained = |segment: &Segment, text: &str, all_chunks: bool| -> Vec<(String, f64, Option<String>)> {
        let query = Query { explain: true, all_chunks, ..Query::new(text) };
        let hits = search(&Index::whole(segment), &query).unwrap().hits;
        hits.into_iter().map(|hit| (hit.symbol, hit.score, hit.moved)).collect()
    };
    let segment = segment(&[
        file("a.py", &[("alpha", "", "needle"), ("beta", "", "needle needle"), ("gamma", "", "needle")]),
        file("b.py", &[("delta", "", "needle other words that are not asked for and make it long")]),
    ]);
    for all_chunks in [false, true] {
        // Wherever no rule is named, the score or the score of the rule orders the results.
        let order = |one: &(String, f64, Option<String>)| match one.2.as_deref() {
            None => one.1,
            Some(rule) => match rule.strip_prefix("ordered by ").and_then(|rest| rest.get(..6)?.parse().ok())
            {
                Some(score) => score,
                None => one.1 - 1000.0,
            },
        };
        let all = explained(&segment, "needle thing", all_chunks);
        assert_eq!(all.len(), 4);
        let orders: Vec<f64> = all.iter().map(order).collect();
        assert!(orders.is_sorted_by(|a, b| *a >= *b - 1e-4), "{all:?}");
        let after = all.iter().filter(|one| one.2.as_deref() == Some(super::AFTER_FILES)).count();
        assert_eq!(after, if all_chunks { 0 } else { 2 }, "{all:?}");
    }
    let rule = |segment: &Segment, text: &str, symbol: &str| {
        let all = explained(segment, text, false);
        all.into_iter().find(|one| one.0 == symbol).and_then(|one| one.2).unwrap_or_default()
    };
    // For a question, a function stands for its file, and its preference is not the file's.
    let segment = self::segment(&[
        file("a.py", &[("", "", "needle needle thing wait"), ("wait", "", "needle thing")]),
        file("b.py", &[("delta", "", "needle other words that are not asked for and make it long")]),
    ]);
    let said = rule(&segment, "how does the needle wait for a thing", "wait");
    assert!(said.starts_with("ordered by ") && said.contains("file"), "{said}");
    // A copy comes last and names its original.
    let page = "# Needle\n\nThe needle of a thing is long, and it is sharp at one end.\n";
    let segment = sources(&[("v1.6/m.md", page), ("v1.7/m.md", page)]);
    let all = explained(&segment, "needle thing", false);
    let rules: Vec<&str> = all.iter().filter_map(|one| one.2.as_deref()).collect();
    let copy = "listed after all other files, because 'v1.7/m.md' says nearly the same";
    assert!(rules.contains(&copy), "{all:?}");
}

#[test]
fn a_question_is_compared_with_chunks_as_wholes() {
    let segment = segment(&[
        file("src/first.py", &[("discard", "", "remove folder path recursive")]),
        file("src/second.py", &[("add_row", "", "insert table values path")]),
    ]);
    let lead = |text: &str, encoder: f64| {
        let weights = Weights { encoder, ..WEIGHTS.clone() };
        let query = Query { explain: true, ..Query::new(text) };
        let answer =
            search_weighted(&Index::whole(&segment), &query, SideSignals::default(), &weights).unwrap();
        let of = |symbol: &str| {
            let hit = answer.hits.iter().find(|hit| hit.symbol == symbol);
            let parts = hit.into_iter().flat_map(|hit| &hit.contributions);
            parts.filter(|one| one.part == "rerank").map(|one| one.value).sum::<f64>()
        };
        of("discard") - of("add_row")
    };
    let question = "how do we delete a directory at a path";
    assert!(lead(question, 10.0) > lead(question, 0.0) + 0.05);
    // A name is not a question, so the encoder does not change its result.
    assert_eq!(lead("deleteDirectory", 10.0).to_bits(), lead("deleteDirectory", 0.0).to_bits());
}

#[test]
fn wrong_filters_are_errors_and_nothing_is_no_error() {
    let segment = sample();
    let index = Index::whole(&segment);
    assert!(matches!(search(&index, &Query::new("x kind:thing")), Err(Error::Kind(_))));
    assert!(search(&index, &Query::new("x path::(odd)y")).is_ok());
    for text in ["", "\"\"", "zzz", "\"->\"", "⚙", "a".repeat(10_000).as_str()] {
        search(&index, &Query::new(text)).unwrap();
    }
    assert!(search(&index, &Query { limit: 0, ..Query::new("header") }).unwrap().hits.is_empty());
    let empty =
        Segment::from_bytes(crate::search::segment::SegmentBuilder::new().into_memory().unwrap()).unwrap();
    assert!(search(&Index::whole(&empty), &Query::new("header")).unwrap().hits.is_empty());
}

const WORDS: [&str; 15] = [
    "parse",
    "header",
    "parseHeader",
    "parse_line",
    "socket",
    "retry",
    "open",
    "Config",
    "config",
    "load_config",
    "HTTPClient",
    "http",
    "x",
    "tests",
    "test_parse",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..6).prop_map(|words| words.join(" "))
}

fn any_file() -> impl Strategy<Value = SampleFile> {
    let chunk = (prop::option::of(prop::sample::select(&WORDS[..])), text(), text());
    let path = prop::sample::select(
        &[
            "a.py",
            "config.rs",
            "http/parse.py",
            "http/config_load.rs",
            "tests/a.py",
            "vendor/x.py",
            "z/parse_line.txt",
        ][..],
    );
    (path, prop::collection::vec(chunk, 0..4)).prop_map(|(path, chunks)| SampleFile {
        path: path.to_owned(),
        chunks: chunks
            .into_iter()
            .map(|(name, doc, body)| SampleChunk { name: name.unwrap_or("").to_owned(), doc, body })
            .collect(),
    })
}

fn by_path(files: Vec<SampleFile>) -> Vec<SampleFile> {
    files
        .into_iter()
        .map(|f| (f.path.clone(), f))
        .collect::<std::collections::BTreeMap<_, _>>()
        .into_values()
        .collect()
}

/// The parts of a hit that must not depend on the split: everything but its place in the segments.
type Essence = (String, u32, String, u64, Vec<(&'static str, u64, String)>);

fn essence(answer: Answer) -> Vec<Essence> {
    let bits = |hit: Hit| {
        let parts = hit.contributions.into_iter().map(|c| (c.part, c.value.to_bits(), c.detail)).collect();
        (hit.path.to_str_lossy().into_owned(), hit.span.start_line, hit.symbol, hit.score.to_bits(), parts)
    };
    answer.hits.into_iter().map(bits).collect()
}

#[test]
fn a_long_text_finds_other_functions_before_more_of_the_same() {
    let line = "    socket = retry(socket, deadline)\n";
    let long = format!("def upload(socket, deadline):\n{}\n", line.repeat(200));
    let note = "# socket retry deadline\nLIMITS = {\"socket\": 1, \"retry\": 2, \"deadline\": 3}\n\n";
    let short = "def close(socket):\n    retry(socket)\n";
    let segment = sources(&[("net.py", &format!("{note}{long}{short}"))]);
    let text = "Socket is left open\n\nretry of a socket after its deadline\n";
    let hits = search(&Index::whole(&segment), &Query { limit: 1000, ..Query::new(text) }).unwrap().hits;
    let symbols: Vec<&str> = hits.iter().map(|hit| hit.symbol.as_str()).collect();
    let at = |symbol: &str| symbols.iter().position(|one| *one == symbol).unwrap();
    assert!(symbols.iter().filter(|symbol| **symbol == "upload").count() > 2, "{symbols:?}");
    assert!(at("upload") < at("close"), "{symbols:?}");
    assert_ne!(symbols[at("upload") + 1], "upload", "{symbols:?}");
    // Only the order differs, and a part of a large function counts for more; the scores are the
    // same.
    let all = Query { limit: 1000, all_chunks: true, ..Query::new(text) };
    let scores = |hits: &[Hit], large: f64| {
        let factor = |hit: &Hit| if hit.symbol == "upload" { large } else { 1.0 };
        let mut scores: Vec<(u32, f64)> =
            hits.iter().map(|hit| (hit.span.start_line, hit.score * factor(hit))).collect();
        scores.sort_by_key(|one| one.0);
        scores
    };
    let all = search(&Index::whole(&segment), &all).unwrap().hits;
    for (one, other) in scores(&hits, 1.0).into_iter().zip(scores(&all, WEIGHTS.long.large)) {
        assert_eq!(one.0, other.0);
        assert!((one.1 - other.1).abs() < 1e-9, "{one:?} {other:?}");
    }
    assert_eq!(hits.len(), all.len());
}

#[test]
fn a_long_text_finds_a_function_before_what_is_none_and_hardly_better() {
    let words = "socket retry deadline buffers headers cookies proxies tokens ledgers";
    let said = &format!("It is left open\n\n{words}\n");
    let filler = |n: usize| (0..n).map(|i| format!("    value_{i} = other_{i}\n")).collect::<String>();
    // The filler keeps the class and the function in chunks of their own.
    let (of_class_too, of_function_too) = (filler(40), filler(40));
    let source = |of_class: &str, of_function: &str| {
        format!(
            "class Holder:\n    \"\"\"{of_class}\"\"\"\n{of_class_too}\n\ndef perform():\n    \"\"\"{of_function}\"\"\"\n{of_function_too}"
        )
    };
    let shown = |source: &str| -> Vec<(String, f64)> {
        let segment = sources(&[("net.py", source), ("far.py", "def far():\n    pass\n")]);
        let query = Query { limit: 100, explain: true, ..Query::new(said) };
        let hits = search(&Index::whole(&segment), &query).unwrap().hits;
        // Among the chunks of one file, words count twice, and lines count too.
        let own = |hit: &Hit| {
            let sum = |is: fn(&str) -> bool| {
                hit.contributions.iter().filter(|one| is(one.part)).map(|one| one.value).sum::<f64>()
            };
            let (words, all) =
                (sum(|part| part == "word"), sum(|part| !matches!(part, "boost" | "demotion")));
            let lines = f64::from(hit.span.end_line - hit.span.start_line + 1).log2() / 6.0;
            hit.score * (1.0 + WEIGHTS.words_within * words / all) + WEIGHTS.lines_within * lines.min(1.0)
        };
        hits.into_iter().map(|hit| (hit.symbol.clone(), own(&hit))).collect()
    };
    let mut seen = BTreeSet::new();
    let all: Vec<&str> = words.split(' ').collect();
    for (of_class, of_function) in [(8, 9), (9, 8), (9, 7), (9, 6), (9, 5), (9, 4), (9, 2), (9, 1)] {
        let (of_class, of_function) = (all[..of_class].join(" "), all[..of_function].join(" "));
        let source = source(&of_class, &of_function);
        let shown = shown(&source);
        let of_name =
            |name: &str| shown.iter().filter(|one| one.0 == name).map(|one| one.1).collect::<Vec<_>>();
        let score = |name: &str| of_name(name).into_iter().fold(0.0, f64::max);
        let first = if score("perform") > score("Holder") * 0.9 { "perform" } else { "Holder" };
        assert_eq!(shown[0].0, first, "{shown:?}");
        seen.insert((first, score("perform") > score("Holder")));
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_answer_does_not_depend_on_the_base(
        target in prop::collection::vec(any_file(), 0..8),
        old in prop::collection::vec(any_file(), 0..8),
        from_base in prop::collection::vec(any::<bool>(), 8),
        query in prop_oneof![
            text(),
            prop::sample::select(&["pars", "confg", "confg the soket", "symbol:parse* x", "HTTPClent", "\"parse header\"", "x symbol:parse*", "http/parse.py:12",
                "parse header\nsocket\n```\nretry\n```", "config path:http", "lang:python", "a.py config"][..])
                .prop_map(str::to_owned),
        ],
        limit in 1usize..12,
        all_chunks: bool,
    ) {
        let target = by_path(target);
        // Some files of the target are stored in the base, the others in the overlay. The base also
        // holds other versions of some files, and files that are deleted.
        let mut base: Vec<SampleFile> = by_path(old);
        let mut overlay = Vec::new();
        let mut masked: Vec<String> = base.iter().map(|f| f.path.clone()).collect();
        for (file, from_base) in target.iter().zip(from_base) {
            if from_base {
                base.retain(|f| f.path != file.path);
                masked.retain(|path| *path != file.path);
                base.push(file.clone());
            } else {
                overlay.push(file.clone());
            }
        }
        base.sort_by(|a, b| a.path.cmp(&b.path));
        let scratch = segment(&target);
        let (base, overlay) = (segment(&base), segment(&overlay));
        let masked: RoaringBitmap =
            masked.iter().filter_map(|path| base.file_by_path(path.as_str().into())).collect();
        let split = Index::new(&base, masked, Some(&overlay));
        let whole = Index::whole(&scratch);
        prop_assert_eq!(split.statistics(), whole.statistics());
        prop_assert_eq!(split.languages(), whole.languages());
        let query = Query { limit, all_chunks, explain: true, ..Query::new(query) };
        let (a, b) = (search(&split, &query).unwrap(), search(&whole, &query).unwrap());
        prop_assert_eq!(a.n_candidates, b.n_candidates);
        // Chunks omitted because of the limit would not have been among the hits.
        let more = search(&whole, &Query { limit: 1000, ..query.clone() }).unwrap();
        let places = |hits: &[Hit]| -> Vec<_> {
            hits.iter().take(limit).map(|hit| (hit.path.clone(), hit.span, hit.score.to_bits())).collect()
        };
        prop_assert_eq!(places(&more.hits), places(&b.hits));
        prop_assert_eq!(essence(a), essence(b));
    }

    #[test]
    fn any_text_is_answered(text in ".{0,300}") {
        let segment = sample();
        let _ = search(&Index::whole(&segment), &Query { explain: true, ..Query::new(text) });
    }
}
