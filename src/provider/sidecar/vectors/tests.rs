//! Making vectors against a loopback server: what is paid for once, and what is kept.

use std::time::Duration;

use bstr::BStr;

use super::make::make;
use super::plan::{FileToEmbed, Journal, Plan, Report, Texts, journal_path, plan};
use super::{KeyedRow, key_of};
use crate::base::progress::Task;
use crate::base::sharing::Sharing;
use crate::git::Repository;
use crate::git::testing::Fixture;
use crate::provider::embedding::{Embedder, Model, ModelSettings, Row};
use crate::provider::http::testing::{Answer, ReceivedRequest, Server};
use crate::provider::http::{Client, Endpoint, Proxies, RetryLimits, Settings};

/// Two files of three chunks each.
struct Files;

impl Texts for Files {
    fn of(&self, path: &BStr) -> Vec<String> {
        (0..3).map(|n| format!("chunk {n} of {path}")).collect()
    }
}

fn answer(asked: &ReceivedRequest) -> Answer {
    let body: serde_json::Value = serde_json::from_slice(&asked.body).unwrap();
    let n = body["input"].as_array().unwrap().len();
    let data: Vec<_> = (0..n).map(|at| serde_json::json!({"index": at, "embedding": [1, 2, at]})).collect();
    Answer::new(200, serde_json::json!({ "data": data }).to_string())
}

fn embedder(server: &Server) -> Embedder {
    let settings = ModelSettings { model: Some("m".into()), ..ModelSettings::default() };
    let model = Model::parse(&format!("openai-compatible:{}", server.url("/v1")), &settings).unwrap();
    let endpoint = Endpoint {
        address: model.address().clone(),
        key_header: ("authorization", "Bearer "),
        headers: Vec::new(),
        key: None,
        key_variable: "KEY",
        key_source: None,
        wants_key: false,
    };
    let settings = Settings {
        proxies: Proxies::default(),
        ca_file: None,
        verifies: true,
        timeout: Duration::from_secs(20),
        patience: RetryLimits { attempts: 1, ..RetryLimits::LONG },
    };
    Embedder::new(model, Client::new(endpoint, settings).unwrap())
}

fn planned(repo: &Repository, embedder: &Embedder, paths: &[&str]) -> Plan {
    let record = |path: &str| repo.resolve(if path == "a" { "HEAD" } else { "HEAD~1" }).unwrap();
    let file = |path: &&str| FileToEmbed { path: (*path).into(), record: record(path), n_chunks: 3 };
    let files = paths.iter().map(file).collect();
    plan(repo, embedder.model(), repo.resolve("HEAD").unwrap(), files, &Files, Task::silent()).unwrap()
}

fn made(repo: &Repository, embedder: &Embedder, plan: &Plan) -> Report {
    make(repo, embedder, plan, &Files, None, Task::silent()).unwrap()
}

#[test]
fn plans_that_others_overtook_pay_nothing_twice_and_lose_nothing() {
    let (_fixture, repo) = Fixture::with_history().open_kept();
    let server = Server::start(|_, asked| answer(asked));
    let embedder = embedder(&server);
    let (a, both) = (planned(&repo, &embedder, &["a"]), planned(&repo, &embedder, &["a", "b"]));
    assert_eq!((a.n_texts, both.n_texts), (3, 6));
    assert_eq!(made(&repo, &embedder, &both).n_texts, 6);
    let late = made(&repo, &embedder, &a);
    assert_eq!((late.n_texts, late.n_left, late.n_files), (0, 0, 1), "{late:?}");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn rows_of_another_commit_stay_in_the_journal() {
    let (_fixture, repo) = Fixture::with_history().open_kept();
    let server = Server::start(|_, asked| answer(asked));
    let embedder = embedder(&server);
    let path = journal_path(&repo, embedder.model());
    let row = Row { scale: 0.5, components: vec![1, 2, 3] };
    let paid = KeyedRow { key: key_of("a text of another commit"), row };
    Journal::open(path.clone(), Sharing::Umask).unwrap().append(vec![paid.clone()]).unwrap();
    let report = made(&repo, &embedder, &planned(&repo, &embedder, &["a", "b"]));
    assert_eq!((report.n_left, report.n_files), (0, 2));
    assert!(Journal::peek(&path).contains_key(&paid.key));
    // Without such rows it is emptied, and the file stays.
    Journal::open(path.clone(), Sharing::Umask).unwrap().clear();
    made(&repo, &embedder, &planned(&repo, &embedder, &["a", "b"]));
    assert_eq!(std::fs::read(&path).unwrap(), b"");
}
