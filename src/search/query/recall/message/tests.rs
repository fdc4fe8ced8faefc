//! Tests of what may be a message, of the runs that count, and of the limits of reading.

use super::*;

fn message(text: &str) -> Message {
    Message::of(text, QueryKind::NaturalLanguage).unwrap()
}

/// Returns the longest run and the number of words in runs, with an idf of 1 for each word.
fn runs(message: &Message, text: &str, language: &str) -> (String, usize) {
    let mut message = message.clone();
    message.words.iter_mut().for_each(|word| word.idf = 1.0);
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, word) in message.words.iter().enumerate() {
        places.entry(&word.lower).or_default().push(at);
    }
    let runs = message.runs(&text.to_lowercase(), language, &places);
    let words: Vec<&str> = message.words[runs.longest].iter().map(|word| word.lower.as_str()).collect();
    (words.join(" "), runs.n_words)
}

#[test]
fn questions_are_no_messages() {
    let of = |text| Message::of(text, QueryKind::NaturalLanguage);
    for text in [
        "where are failed uploads retried",
        "How does it fail: with an exception or not",
        "is the cache expired before it is written?",
        "can failed uploads be retried",
        "find the uploads that failed",
        "when are leases expired",
        "pooling",
    ] {
        assert_eq!(of(text).filter(|message| !message.is_phrase), None, "{text}");
    }
    assert!(of("connection pooling limits").is_some_and(|message| message.is_phrase));
    for text in [
        "connection refused",
        "Can not release a distributed lock: it was not acquired.",
        "Can't export flow with a body",
        "find: all tree IDs found",
        "does not exist",
        "When using a proxy, a port must be given.",
        "Rerouting from topic a/b/c.txt",
        "no route found for GET",
        "Purged 12 elements",
        "JWKS validation key refresh of foo complete",
    ] {
        assert!(of(text).is_some_and(|message| !message.is_phrase), "{text}");
    }
    assert_eq!(Message::of("connection refused", QueryKind::Identifier), None);
    assert_eq!(Message::of(&"it failed. ".repeat(100), QueryKind::LongText), None);
}

#[test]
fn an_exceptions_name_is_no_part_of_what_it_says() {
    for (text, n_words) in [
        ("java.io.IOException: Packet len 12 is out of range", 8),
        ("Caused by: Acme\\FooException: gone", 4),
        ("ValueError: invalid literal", 3),
        ("error: invalid literal", 3),
        ("Exception: invalid literal", 3),
    ] {
        let message = message(text);
        assert_eq!(message.words.len(), n_words, "{text}");
        let is_named = message.words.iter().any(|word| word.lower.is_empty());
        assert_eq!(
            is_named,
            text.contains("IOE") || text.contains("FooE") || text.contains("ValueE"),
            "{text}"
        );
    }
}

#[test]
fn in_a_report_only_long_runs_count() {
    let source = "throw new Error(\"it does not exist: output path is missing for \" + a)";
    let report = message("I have two of them. The second does not start. The output path is missing. Why.");
    assert_eq!(runs(&report, source, "javascript"), ("output path is missing".to_owned(), 4));
    let report = message("I have two of them. The second does not start. The output path is shared. Why.");
    assert_eq!(runs(&report, source, "javascript").1, 0);
}

#[test]
fn runs_are_found_in_strings_alone() {
    let said = message("Failed to load asset 'a/b.png' with asset loader 'png': no such file");
    let source = "#[error(\"Failed to load asset '{path}' with asset loader '{name}': {error}\")]";
    assert_eq!(runs(&said, source, "rust"), ("failed to load asset".to_owned(), 7));
    for (text, language) in [
        ("// failed to load asset x with asset loader", "rust"),
        ("/// It isn't failed to load asset\n", "rust"),
        ("\"\"\"Failed to load asset", "python"),
        ("let `failed to load asset`", "rust"),
        ("\"failed, load: asset with loader\"", "rust"),
    ] {
        assert_eq!(runs(&said, text, language), (String::new(), 0), "{text}");
    }
    for (text, language) in [
        ("\"it can't: failed to load asset\"", "rust"),
        ("throw `failed to load asset ${path}`", "typescript"),
        ("load.error=Failed to load asset {0}", "ini"),
        ("\"failed to \" + \"load asset \"", "java"),
    ] {
        assert_eq!(runs(&said, text, language), ("failed to load asset".to_owned(), 4), "{text}");
    }
}

#[test]
fn a_word_that_is_said_twice_does_not_follow_itself() {
    let said = message("retry retry retry: not now");
    assert_eq!(runs(&said, "\"retry not now\"", "rust"), (String::new(), 0), "only one carries meaning");
    assert_eq!(runs(&said, "\"retry retry retry\"", "rust"), ("retry retry retry".to_owned(), 3));
}

#[test]
fn only_short_texts_of_several_words_may_be_messages() {
    let of = |text: &str, kind| Message::of(text, kind).is_some_and(|message| !message.is_phrase);
    let natural = QueryKind::NaturalLanguage;
    assert!(of("pool of the idle workers stopped", natural), "six words");
    assert!(!of("pool of idle workers stopped", natural), "five words");
    let text = |n: usize| format!("{:n$}", "it failed");
    assert!(of(&text(1000), QueryKind::LongText));
    assert!(!of(&text(1001), QueryKind::LongText));
    assert!(!of("it failed", QueryKind::Path) && !of("it failed", QueryKind::StackTrace));
    // One end of a sentence inside the text leaves it a message; two make it a report.
    assert_eq!(message("It failed. The path is gone.").shortest, 2);
    assert_eq!(message("It failed. The path is gone. Why is that.").shortest, 4);
}

/// The sources of one file.
struct One(&'static str);

impl Sources for One {
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>> {
        paths.iter().map(|_| Some(Arc::from(self.0))).collect()
    }
}

#[test]
fn a_match_counts_from_four_words_and_fully_from_six() {
    let said = |text: &'static str, asked: &str| -> Option<f64> {
        let segment = crate::search::segment::samples::sources(&[("a.py", text)]);
        let index = Index::whole(&segment);
        let scorer = Scorer::new(&index, &crate::search::query::weights::WEIGHTS);
        let chunk = ChunkRef { part: Part::Base, ord: 0 };
        let mut message = message(asked);
        let chunks = message.promising(&index, &scorer, std::iter::once(chunk)).unwrap();
        message.said(&index, &chunks, &One(text)).get(&chunk).map(|said| said.share)
    };
    let third = 1.0 / 3.0;
    for (text, asked, expected) in [
        ("fail(\"asset loader missing on disk\")\n", "error: asset loader missing", Some(0.0)),
        ("fail(\"a failed asset loader missing here\")\n", "failed asset loader missing!", Some(third)),
        (
            "fail(\"a failed asset loader missing here on disk\")\n",
            "failed asset loader missing here!",
            Some(2.0 * third),
        ),
        // Neither is the beginning of a literal.
        ("fail(\"failed asset loader on disk\")\n", "failed asset loader!", Some(1.0)),
        ("fail(\"failed asset on disk\")\n", "failed asset!", None),
        (
            "fail(\"failed asset loader missing here today\")\n",
            "failed asset loader missing here today!",
            Some(1.0),
        ),
        // Two words in a row are chance.
        ("fail(\"an asset loader\")\n", "error: asset loader", None),
        // A whole literal is not there by chance.
        ("fail(\"asset loader missing\")\n", "error: asset loader missing", Some(1.0)),
        ("fail(\"asset loader\")\n", "error: asset loader", Some(1.0)),
        ("fail(\"missing: {path}\")\n", "missing: a.png", None),
        // Two content words are enough among four.
        ("fail(\"could not be an asset loader\")\n", "could not be an asset loader!", Some(1.0)),
    ] {
        let found = said(text, asked);
        let is_near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
            (found, expected) => found == expected,
        };
        assert!(is_near, "{asked}: {found:?}, not {expected:?}");
    }
}

#[test]
fn at_most_48_chunks_are_promising() {
    let segment = crate::search::segment::samples::segment(&[crate::search::segment::samples::file(
        "a.py",
        &[("", "", "asset loader"); 60],
    )]);
    let index = Index::whole(&segment);
    let scorer = Scorer::new(&index, &crate::search::query::weights::WEIGHTS);
    let chunks = (0..60).map(|ord| ChunkRef { part: Part::Base, ord });
    let mut message = message("error: asset loader missing in the folder of sounds");
    let found = message.promising(&index, &scorer, chunks).unwrap();
    let ords: Vec<u32> = found.iter().map(|one| one.1.ord).collect();
    assert_eq!(ords, (0..48).collect::<Vec<_>>(), "equal ones by their place");
}

#[test]
fn a_chunk_promises_what_it_has_in_runs() {
    let rarity = [1.0, 2.0, 4.0, 8.0];
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    for (had, sum) in [(0b0000, 0.0), (0b0101, 0.0), (0b0011, 3.0), (0b1011, 3.0), (0b1111, 15.0)] {
        assert!(is_near(in_runs(had, &rarity), sum), "{had:b}");
    }
    assert!(is_near(in_runs(u128::MAX, &[1.0; MOST_WORDS]), MOST_WORDS as f64));
    // Two runs are less than one of as many words.
    let two = in_runs(0b1_1011, &[1.0; 5]);
    assert!(two > 2.0 && two < 4.0, "{two}");
}

/// Returns the files that say a message, best match first.
fn sayers(files: &[(&str, &str)], asked: &str) -> Vec<(String, f64)> {
    let segment = crate::search::segment::samples::sources(files);
    let index = Index::whole(&segment);
    let scorer = Scorer::new(&index, &crate::search::query::weights::WEIGHTS);
    let mut message = message(asked);
    let all = (0..segment.n_chunks()).map(|ord| ChunkRef { part: Part::Base, ord });
    let chunks = message.promising(&index, &scorer, all).unwrap();
    let said = message.said(&index, &chunks, &SourceList(files));
    let path =
        |chunk: ChunkRef| segment.chunk(chunk.ord).map(|row| segment.path(&segment.file(row.file).unwrap()));
    let mut found: Vec<(String, f64)> =
        said.iter().map(|(chunk, said)| (path(*chunk).unwrap().to_string(), said.share)).collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}

#[test]
fn a_whole_literal_comes_before_one_that_begins_like_the_message() {
    let whole = "def walk(self):\n    raise Empty(\"snapshot is empty\")\n";
    let longer =
        "def load(self):\n    raise Bad(\"snapshot is empty or it was written by another version\")\n";
    let quote = "def test_walk():\n    fails(\"snapshot is empty\")\n";
    let files = [("tests/test_walk.py", quote), ("src/load.py", longer), ("src/walk.py", whole)];
    let found = sayers(&files, "error: snapshot is empty");
    let share = |path: &str| found.iter().find(|one| one.0 == path).map_or(0.0, |one| one.1);
    assert!((share("src/walk.py") - 1.0).abs() < 1e-9, "{found:?}");
    assert!(share("src/load.py") < 0.5 && share("tests/test_walk.py") < 0.5, "{found:?}");
}

#[test]
fn a_short_message_is_found_among_many_chunks_with_its_words() {
    let other = "def other(snapshot):\n    return is_it(snapshot, empty(snapshot))\n";
    let whole = "def walk(self):\n    raise Empty(\"snapshot is empty\")\n";
    let paths: Vec<String> = (0..100).map(|n| format!("a{n:03}.py")).collect();
    let mut files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), other)).collect();
    files.push(("z.py", whole));
    assert_eq!(sayers(&files, "error: snapshot is empty"), [("z.py".to_owned(), 1.0)]);
}

#[test]
fn a_phrase_is_found_only_where_a_literal_begins_with_it() {
    let says = "def move(self):\n    self.count()\n    raise Stall(\"page rotation stalled in slot\")\n";
    let names = "def rotate_page(page):\n    \"\"\"The page rotation is stalled.\"\"\"\n    stalled(page)\n";
    let inside = "def tell():\n    say(\"the page rotation stalled\")\n";
    let files = [("inside.py", inside), ("names.py", names), ("says.py", says)];
    assert_eq!(sayers(&files, "page rotation stalled"), [("says.py".to_owned(), 1.0)]);
    assert_eq!(sayers(&files, "page rotation of slots"), []);
    assert_eq!(sayers(&files[..2], "page rotation stalled"), []);
    // A literal of these words alone comes first.
    let whole = "def stop():\n    raise Stall(\"page rotation stalled\")\n";
    let files = [("says.py", says), ("whole.py", whole)];
    let expected = [("whole.py".to_owned(), 1.0), ("says.py".to_owned(), 0.8)];
    assert_eq!(sayers(&files, "page rotation stalled"), expected);
    // So does a text of a settings file.
    let files = [("a.properties", "page.ok=Page rotation\npage.bad=Page rotation stalled\n")];
    assert_eq!(sayers(&files, "page rotation stalled"), [("a.properties".to_owned(), 1.0)]);
}

#[test]
fn a_match_names_its_line() {
    let text = "def a():\n    pass\n\n\ndef b():\n    fail(\"the slot is full\")\n";
    let files = [("a.py", text)];
    let segment = crate::search::segment::samples::sources(&files);
    let index = Index::whole(&segment);
    let scorer = Scorer::new(&index, &crate::search::query::weights::WEIGHTS);
    let mut message = message("error: the slot is full");
    let all = (0..segment.n_chunks()).map(|ord| ChunkRef { part: Part::Base, ord });
    let chunks = message.promising(&index, &scorer, all).unwrap();
    let said = message.said(&index, &chunks, &SourceList(&files));
    let lines: Vec<(u32, bool)> = said.values().map(|said| (said.line, said.is_literal)).collect();
    assert_eq!(lines, [(6, true)]);
}

#[test]
fn a_key_is_found_where_it_has_a_value() {
    let cli = "def parser():\n    p.add_argument(\"--no-cache\")\n";
    let cache =
        "class Cache:\n    def evict(self):\n        \"\"\"Evict from the cache; no entry stays.\"\"\"\n";
    let reader = "def run(options):\n    return options[\"no_cache\"]\n";
    let files = [("cache.py", cache), ("cli.py", cli), ("run.py", reader)];
    for asked in ["--no-cache", "no-cache", "no_cache"] {
        let found = sayers(&files, asked);
        let [(declared, most), (read, less)] = found.as_slice() else { panic!("{asked}: {found:?}") };
        assert_eq!([declared, read], ["cli.py", "run.py"], "{asked}");
        assert!(most > less, "{asked}");
    }
}

/// The sources of several files, by path.
struct SourceList<'f>(&'f [(&'f str, &'f str)]);

impl Sources for SourceList<'_> {
    fn texts(&self, paths: &[&BStr]) -> Vec<Option<Arc<str>>> {
        let text =
            |path: &&BStr| self.0.iter().find(|(known, _)| *path == *known).map(|(_, text)| (*text).into());
        paths.iter().map(text).collect()
    }
}

#[test]
fn the_source_of_a_message_is_read_behind_many_tests_that_quote_it() {
    let asked = "transaction cannot be committed because it has been finished with state: rollback";
    let quote = format!("def test_it(tx):\n    fails(match=\"{asked}\")\n");
    let source = "def commit(self):\n    raise Gone(f\"transaction cannot be committed because it has \
                  been finished with state: {self.state}\")\n";
    // This one has parts of the message, and more of its words.
    let other = "def undo(self):\n    raise Gone(f\"transaction cannot be undone because it has been \
                 finished with state: {self.state}\")\n    log(\"cannot be\", \"with state\", \"state rollback\")\n";
    for n in [3, 7, 8, 20, 60] {
        let tests: Vec<String> = (0..n).map(|n| format!("tests/test_{n}.py")).collect();
        let mut files: Vec<(&str, &str)> = tests.iter().map(|path| (path.as_str(), quote.as_str())).collect();
        files.extend([("src/commit.py", source), ("src/undo.py", other)]);
        let found = sayers(&files, asked);
        let share = |path: &str| found.iter().find(|one| one.0 == path).map_or(0.0, |one| one.1);
        assert!(share("src/commit.py") > 0.8, "{n} tests: {found:?}");
        assert!(share("src/commit.py") > share("src/undo.py") + 0.1, "{n} tests: {found:?}");
    }
    // Chunks that have much less of the message are not read.
    let far = "def far():\n    say(\"with state of the transaction\")\n";
    let files: Vec<(String, &str)> =
        (0..16).map(|n| (format!("a{n:02}.py"), if n < 8 { source } else { far })).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    assert_eq!(sayers(&files, asked).len(), 8);
}
