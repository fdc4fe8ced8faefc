//! Each provider's protocol against a loopback server that checks it, and the faults of servers.

use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::provider::http::testing::{Answer, ReceivedRequest, Server};
use crate::provider::http::{Endpoint, Proxies, RetryLimits, Secret, Settings};

fn embedder_with(server: &Server, value: &str, settings: &ModelSettings) -> Embedder {
    let (value, settings) = match value.strip_prefix("openai-compatible:") {
        Some(model) => (
            format!("openai-compatible:{}", server.url("/v1")),
            ModelSettings { model: Some(model.to_owned()), ..settings.clone() },
        ),
        None => {
            let path = if value.starts_with("ollama") { "" } else { "/v1" };
            (value.to_owned(), ModelSettings { url: Some(server.url(path)), ..settings.clone() })
        }
    };
    let model = Model::parse(&value, &settings).unwrap();
    let endpoint = Endpoint {
        address: model.address().clone(),
        key_header: ("authorization", "Bearer "),
        headers: Vec::new(),
        key: model.provider().service().wants_key.then(|| Secret::new("sk-test")).flatten(),
        key_variable: model.provider().service().key_variable,
        key_source: None,
        wants_key: model.provider().service().wants_key,
    };
    let settings = Settings {
        proxies: Proxies::default(),
        ca_file: None,
        verifies: true,
        timeout: Duration::from_secs(20),
        patience: RetryLimits {
            attempts: 3,
            first_pause: Duration::from_millis(2),
            longest_pause: Duration::from_millis(4),
            longest_asked: Duration::from_secs(2),
            repeats_late: true,
        },
    };
    Embedder::new(model, Client::new(endpoint, settings).unwrap())
}

fn embedder(server: &Server, value: &str) -> Embedder {
    embedder_with(server, value, &ModelSettings::default())
}

fn texts_of(asked: &ReceivedRequest) -> Vec<String> {
    let body: Value = serde_json::from_slice(&asked.body).unwrap();
    body["input"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// A direction that depends on the text's length, so that a test can see the order.
fn vector_of(text: &str, dimensions: usize) -> Vec<f64> {
    let mut vector = vec![0.0; dimensions];
    vector[text.len() % dimensions] = 2.0;
    vector
}

/// The answer of a server with OpenAI's interface, last text first.
fn list(asked: &ReceivedRequest, dimensions: usize) -> Answer {
    let texts = texts_of(asked);
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .rev()
        .map(|(index, text)| {
            json!({"object": "embedding", "index": index, "embedding": vector_of(text, dimensions)})
        })
        .collect();
    let answer =
        json!({"object": "list", "data": data, "model": "m", "usage": {"total_tokens": 7 * texts.len()}});
    Answer::new(200, answer.to_string())
}

fn peaks(embedded: &EmbeddingBatch) -> Vec<usize> {
    embedded.rows.iter().map(|row| row.components.iter().position(|&x| x == 127).unwrap()).collect()
}

fn embed(embedder: &Embedder, texts: &[&str]) -> Result<EmbeddingBatch> {
    embedder.embed(texts, Purpose::Document, &Cancel::default())
}

#[test]
fn voyage_is_asked_as_documented() {
    let server = Server::start(|_, asked| list(asked, 1024));
    let embedder = embedder(&server, "voyage:voyage-code-3");
    let embedded = embed(&embedder, &["a", "bcd", "ef"]).unwrap();
    assert_eq!((peaks(&embedded), embedded.tokens, embedded.n_cut), (vec![1, 3, 2], 21, 0));
    embedder.embed(&["why?"], Purpose::Query, &Cancel::default()).unwrap();
    let asked = server.asked();
    assert_eq!(asked[0].line, "POST /v1/embeddings");
    assert_eq!(asked[0].header("authorization"), Some("Bearer sk-test"));
    let body: Value = serde_json::from_slice(&asked[0].body).unwrap();
    assert_eq!(
        body,
        json!({"model": "voyage-code-3", "input": ["a", "bcd", "ef"], "input_type": "document", "truncation": true})
    );
    let body: Value = serde_json::from_slice(&asked[1].body).unwrap();
    assert_eq!(body["input_type"], "query");
    let settings = ModelSettings { dimensions: Some(256), ..ModelSettings::default() };
    let server = Server::start(|_, asked| list(asked, 256));
    embed(&embedder_with(&server, "voyage:voyage-code-3", &settings), &["a"]).unwrap();
    let body: Value = serde_json::from_slice(&server.asked()[0].body).unwrap();
    assert_eq!(body["output_dimension"], 256);
}

#[test]
fn openai_is_asked_as_documented() {
    let server = Server::start(|_, asked| list(asked, 512));
    let settings = ModelSettings { dimensions: Some(512), ..ModelSettings::default() };
    let embedder = embedder_with(&server, "openai:text-embedding-3-small", &settings);
    assert_eq!(peaks(&embed(&embedder, &["a", "bcd"]).unwrap()), [1, 3]);
    let asked = &server.asked()[0];
    assert_eq!(
        (asked.line.as_str(), asked.header("authorization")),
        ("POST /v1/embeddings", Some("Bearer sk-test"))
    );
    let body: Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(
        body,
        json!({"model": "text-embedding-3-small", "input": ["a", "bcd"], "encoding_format": "float", "dimensions": 512})
    );
}

#[test]
fn together_is_asked_as_documented() {
    let server = Server::start(|_, asked| list(asked, 1024));
    let embedder = embedder(&server, "together:BAAI/bge-large-en-v1.5");
    embed(&embedder, &["a"]).unwrap();
    embedder.embed(&["why?"], Purpose::Query, &Cancel::default()).unwrap();
    let body: Value = serde_json::from_slice(&server.asked()[0].body).unwrap();
    assert_eq!(body, json!({"model": "BAAI/bge-large-en-v1.5", "input": ["a"]}));
    // The model's card: queries have an instruction, passages have none.
    let query = texts_of(&server.asked()[1]);
    assert_eq!(query, ["Represent this sentence for searching relevant passages: why?"]);
}

#[test]
fn ollama_is_asked_as_documented() {
    let server = Server::start(|_, asked| {
        let vectors: Vec<_> = texts_of(asked).iter().map(|text| vector_of(text, 768)).collect();
        let answer = json!({"model": "nomic-embed-text", "embeddings": vectors, "total_duration": 1, "prompt_eval_count": 9});
        Answer::new(200, answer.to_string())
    });
    let embedded = embed(&embedder(&server, "ollama:nomic-embed-text"), &["a", "bcd"]).unwrap();
    let n_prefix = "search_document: ".len();
    assert_eq!((peaks(&embedded), embedded.tokens), (vec![n_prefix + 1, n_prefix + 3], 9));
    let asked = &server.asked()[0];
    assert_eq!((asked.line.as_str(), asked.header("authorization")), ("POST /api/embed", None));
    let body: Value = serde_json::from_slice(&asked.body).unwrap();
    let input = ["search_document: a", "search_document: bcd"];
    assert_eq!(body, json!({"model": "nomic-embed-text", "input": input, "truncate": true}));
}

#[test]
fn a_compatible_server_is_asked_like_openai_and_without_a_key() {
    let server = Server::start(|_, asked| list(asked, 8));
    let embedder = embedder(&server, "openai-compatible:mine");
    embed(&embedder, &["a"]).unwrap();
    let asked = &server.asked()[0];
    assert_eq!((asked.line.as_str(), asked.header("authorization")), ("POST /v1/embeddings", None));
    let body: Value = serde_json::from_slice(&asked.body).unwrap();
    assert_eq!(body, json!({"model": "mine", "input": ["a"], "encoding_format": "float"}));
}

#[test]
fn vectors_that_can_not_be_are_refused() {
    let one = |embedding: &str| format!(r#"{{"data":[{{"index":0,"embedding":{embedding}}}]}}"#);
    let cases = [
        (one("[1,NaN]"), "expected value"),
        (one("[1,null]"), "null"),
        (one("[1,1e39]"), "finite"),
        (one("[1,1e999]"), "out of range"),
        (one("[]"), "dimensions"),
        (one("[1,2,3]"), "a vector has 3 dimensions; expected 2"),
        (one(r#""AAAA""#), "expected a sequence"),
        (r#"{"data":[]}"#.to_owned(), "0 vectors for 1 text"),
        (r#"{"data":[{"embedding":[1,2]},{"embedding":[1,2]}]}"#.to_owned(), "2 vectors for 1 text"),
        (r#"{"data":[{"index":1,"embedding":[1,2]}]}"#.to_owned(), "indices of its vectors"),
        ("<html>".to_owned(), "expected value"),
        ("{}".to_owned(), "missing field `data`"),
        (String::new(), "EOF"),
    ];
    for (body, expected) in cases {
        let answer = body.clone();
        let server = Server::start(
            move |n, asked| if n == 0 { list(asked, 2) } else { Answer::new(200, answer.clone()) },
        );
        let embedder = embedder(&server, "openai-compatible:m");
        embed(&embedder, &["first"]).unwrap();
        let error = embed(&embedder, &["x"]).unwrap_err();
        assert!(
            matches!(error, Error::Remote(crate::provider::http::Error::Malformed { .. })),
            "{body}: {error}"
        );
        assert!(error.to_string().contains(expected), "{body}: {error}");
        // A malformed answer was paid for, and repeating the request would cost again.
        assert_eq!(server.asked().len(), 2, "{body}");
    }
    let server = Server::start(|_, _| {
        Answer::new(200, r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}"#)
    });
    assert!(embed(&embedder(&server, "openai-compatible:m"), &["a", "b"]).is_err());
    // A model with known dimensions, and vectors of another length.
    let server = Server::start(|_, asked| list(asked, 8));
    let error = embed(&embedder(&server, "voyage:voyage-code-3"), &["a"]).unwrap_err();
    assert!(error.to_string().contains("8 dimensions; expected 1024"), "{error}");
}

#[test]
fn busy_broken_and_cut_answers_are_asked_for_again() {
    let server = Server::start(|n, asked| match n {
        0 => Answer::new(429, r#"{"detail":"rate limit"}"#).with("retry-after", "0"),
        1 => Answer { cut_at: Some(20), ..list(asked, 4) },
        2 => list(asked, 4),
        _ => Answer::new(500, "no"),
    });
    let embedder = embedder(&server, "openai-compatible:m");
    assert_eq!(peaks(&embed(&embedder, &["a"]).unwrap()), [1]);
    let error = embed(&embedder, &["a"]).unwrap_err();
    assert!(error.to_string().ends_with("answered 500: no"), "{error}");
}

#[test]
fn long_texts_are_cut_and_counted() {
    let server = Server::start(|_, asked| list(asked, 4));
    let settings = ModelSettings { text_tokens: Some(50), ..ModelSettings::default() };
    let embedder = embedder_with(&server, "openai-compatible:m", &settings);
    let long = "wörter und more words ".repeat(100);
    let embedded = embed(&embedder, &["short", &long, ""]).unwrap();
    assert_eq!((embedded.rows.len(), embedded.n_cut), (3, 1));
    let sent = texts_of(&server.asked()[0]);
    assert_eq!((sent[0].as_str(), sent[2].as_str()), ("short", BLANK));
    assert!(long.starts_with(&sent[1]) && (30..=50).contains(&estimate(&sent[1])), "{}", estimate(&sent[1]));
}

#[test]
fn what_the_server_calls_too_long_is_halved() {
    // Accepts at most two texts of at most 60 bytes.
    let server = Server::start(|_, asked| {
        let texts = texts_of(asked);
        if texts.len() > 2 {
            return Answer::new(413, "batch size 5 > maximum allowed batch size 2");
        }
        if texts.iter().any(|text| text.len() > 60) {
            let message = json!({"error": {"message": "This model's maximum context length is 10 tokens"}});
            return Answer::new(400, message.to_string());
        }
        list(asked, 4)
    });
    let embedder = embedder(&server, "openai-compatible:m");
    let long = "some words in a row ".repeat(20);
    let embedded = embed(&embedder, &["a", "bb", &long, "ccc", "d"]).unwrap();
    assert_eq!(embedded.n_cut, 1);
    let peaks = peaks(&embedded);
    assert_eq!((peaks[0], peaks[1], peaks[3], peaks[4]), (1, 2, 3, 1));
    // A refusal for another reason than length is not retried.
    let server = Server::start(|_, _| Answer::new(400, r#"{"error":{"message":"unknown model"}}"#));
    assert!(embed(&self::embedder(&server, "openai-compatible:m"), &["a", "b"]).is_err());
    assert_eq!(server.asked().len(), 1);
    // Halving ends, even if the server refuses every length.
    let server = Server::start(|_, _| Answer::new(413, ""));
    assert!(embed(&self::embedder(&server, "openai-compatible:m"), &[&long]).is_err());
    assert!(server.asked().len() < 8);
}

#[test]
fn a_batch_whose_answer_is_too_large_is_halved() {
    let server = Server::start(|_, asked| {
        if texts_of(asked).len() > 2 {
            return Answer::new(200, " ".repeat(ANSWER_BYTES + 1));
        }
        list(asked, 4)
    });
    let embedder = embedder(&server, "openai-compatible:m");
    assert_eq!(peaks(&embed(&embedder, &["a", "bb", "ccc", "d"]).unwrap()), [1, 2, 3, 1]);
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn no_batch_has_an_answer_above_the_bound() {
    let settings = |dimensions| ModelSettings { dimensions, ..ModelSettings::default() };
    for (value, dimensions, expected) in [
        ("openai:text-embedding-3-large", None, 3072),
        ("openai:text-embedding-3-large", Some(256), 256),
        ("openai:text-embedding-3-small", None, 1536),
        ("openai:a-model-of-next-year", None, 4096),
        ("voyage:voyage-code-3", None, 1024),
        ("voyage:voyage-code-3", Some(2048), 2048),
    ] {
        let n_texts = Model::parse(value, &settings(dimensions)).unwrap().limits().batch_texts;
        // A number as it is written at its longest, with a comma.
        let bytes = n_texts * expected * "-1.2345678901234567e-300,".len();
        assert!((100..=2_048).contains(&n_texts) && bytes <= ANSWER_BYTES, "{value}: {n_texts}");
    }
}

#[test]
fn an_empty_batch_sends_nothing() {
    let server = Server::start(|_, asked| list(asked, 4));
    assert_eq!(embed(&embedder(&server, "openai-compatible:m"), &[]).unwrap(), EmbeddingBatch::default());
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn cutting_ends_within_the_bound_at_a_character() {
    for text in
        ["ü".repeat(1000), "word ".repeat(500), "x".repeat(3000), "😀".repeat(300), "{}[]();".repeat(200)]
    {
        for most in [1u8, 10, 100] {
            let short = truncate(&text, f64::from(most), 0);
            assert!(
                text.starts_with(short) && estimate(short) <= usize::from(most),
                "{most} {}",
                estimate(short)
            );
        }
    }
    assert_eq!(truncate("a b", 100.0, 0), "a b");
}

#[test]
fn vectors_that_say_nothing_are_refused_and_counts_that_can_not_be_are_none() {
    let zeros = |n: usize, tokens: u64| {
        let data: Vec<_> = (0..n).map(|index| json!({"index": index, "embedding": [0.0, 0.0]})).collect();
        json!({"object": "list", "data": data, "model": "m", "usage": {"total_tokens": tokens}})
    };
    let server = Server::start(move |_, asked| {
        let n = texts_of(asked).len();
        Answer::new(200, zeros(n, 1).to_string())
    });
    let embedder = embedder(&server, "openai-compatible:m");
    let embed = |texts: &[&str], purpose| embedder.embed(texts, purpose, &Cancel::default());
    for (texts, purpose) in [(&["a", "b"][..], Purpose::Document), (&["a"], Purpose::Query)] {
        let error = embed(texts, purpose).unwrap_err();
        assert!(error.to_string().contains("zero"), "{error}");
    }
    // A single text may have no word that the model knows. It has more tokens than the reported
    // one.
    let long = "word ".repeat(100);
    let embedded = embed(&[&long], Purpose::Document).unwrap();
    assert!(embedded.rows[0].is_zero() && embedded.tokens >= 100, "{embedded:?}");
}

#[test]
fn a_text_is_halved_five_times() {
    let server = Server::start(|_, _| Answer::new(413, "too long"));
    let long = "some words in a row ".repeat(100);
    assert!(embed(&embedder(&server, "openai-compatible:m"), &[&long]).is_err());
    let asked = server.asked();
    let lens: Vec<usize> = asked.iter().map(|asked| texts_of(asked)[0].len()).collect();
    assert_eq!(lens.len(), 6, "{lens:?}");
    assert!(lens.is_sorted_by(|a, b| a > b), "{lens:?}");
}

#[test]
fn implausible_counts_are_not_believed() {
    for (counted, expected) in [(None, 100), (Some(0), 100), (Some(9), 100), (Some(10), 10), (Some(900), 900)]
    {
        assert_eq!(believed(counted, 100), expected, "{counted:?}");
    }
}

#[test]
fn the_name_of_a_model_has_100_bytes() {
    for (len, is_good) in [(0, false), (1, true), (100, true), (101, false)] {
        let model = Model::parse(&format!("openai:{}", "m".repeat(len)), &ModelSettings::default());
        assert_eq!(model.is_ok(), is_good, "{len} bytes");
    }
}
