//! Golden sub-tokens and vectors of the built-in embedding model.
//!
//! Training and the program must count the same sub-tokens. A text must have the same vector on
//! every machine and in every build.
//!
//! `embedding.tsv` has these columns: side, text (JSON), sub-token numbers with their counts,
//! CRC-32 of the vector's 256 bytes, its first eight components. A test of `xtask-train` checks
//! `cargo xtask train` against the same file. For another model, update it with `UPDATE_FORMATS=1
//! cargo test --test formats`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use git_cora::base::text::identifier;
use git_cora::index::embed::{self, Bag, Field, Scratch, Side, Vector};
use git_cora::index::record;

const TEXTS: [&str; 11] = [
    "how to retry a failed upload",
    "parseHTTPHeader",
    "snake_case_name and camelCaseName2 XMLHttpRequest v1234567",
    "Ünïcode größe naïve 日本語 テスト",
    "zzyzxq qwrtpl",
    "",
    "a b 7 is 42, 1234567890123456 and 12345678901234567 in x_y _ __",
    "設定ファイルを読み込んで接続を開始する関数を探しています",
    "def unlink(self, path):\n    \"\"\"Removes the file.\"\"\"\n    os.remove(path)\n",
    "fn merge<K: Ord, V>(a: BTreeMap<K, V>, b: BTreeMap<K, V>) -> BTreeMap<K, V> { a.into_iter().chain(b).collect() }",
    "static int tcp_v4_connect(struct sock *sk, struct sockaddr *uaddr, int addr_len)",
];

fn golden() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/embedding.tsv")
}

/// Counts the sub-tokens of a text as the program does: those of a question in order, those of code
/// token by token.
fn counts(text: &str, side: Side) -> (BTreeMap<u32, u16>, Vector) {
    let model = embed::builtin();
    let mut bag = Bag::new(model);
    let mut counts = BTreeMap::new();
    let mut count = |number: u32| {
        *counts.entry(number).or_default() += 1;
        bag.add(number, Field::Body, 1);
    };
    match side {
        Side::Text => {
            model.asked(identifier::tokens(text)).into_iter().for_each(|number| count(number.into()));
        }
        Side::Code => {
            let mut scratch = Scratch::default();
            for (_, token) in record::tokens(text) {
                model.vocabulary().each(token, &mut scratch, &mut count);
            }
        }
    }
    (counts, bag.finish(model, side))
}

#[test]
fn sub_tokens_and_vectors_are_golden() {
    let mut lines = String::new();
    for (side, name) in [(Side::Text, "text"), (Side::Code, "code")] {
        for text in TEXTS {
            let (counts, vector) = counts(text, side);
            let numbers: Vec<String> = counts.iter().map(|(number, n)| format!("{number}:{n}")).collect();
            let first: Vec<String> = vector.0.iter().take(8).map(ToString::to_string).collect();
            let crc = crc32fast::hash(&vector.to_bytes());
            let text = serde_json::to_string(text).unwrap();
            writeln!(lines, "{name}\t{text}\t{}\t{crc:08x}\t{}", numbers.join(" "), first.join(" ")).unwrap();
        }
    }
    if std::env::var_os("UPDATE_FORMATS").is_some() {
        std::fs::write(golden(), &lines).unwrap();
    }
    let expected = std::fs::read_to_string(golden()).unwrap().replace("\r\n", "\n");
    assert_eq!(lines, expected);
}

#[test]
fn a_question_is_embedded_as_it_is_counted() {
    for text in TEXTS {
        assert_eq!(
            embed::builtin().question(identifier::tokens(text)).vector,
            counts(text, Side::Text).1,
            "{text}"
        );
    }
}
