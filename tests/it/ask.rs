//! Questions: nothing is sent without request, every citation exists, and nothing is paid for
//! twice.

use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{Repo, wait_for};
use crate::loopback::{Answer, ReceivedRequest, Server};

const QUESTION: &str = "how long until a session is expired, and how is a header parsed?";

fn body(asked: &ReceivedRequest) -> Value {
    serde_json::from_slice(&asked.body).unwrap()
}

/// Returns an answer in OpenAI's streaming format.
fn stream(text: &str) -> Answer {
    let half = text.len() / 2;
    let half = (half..).find(|&at| text.is_char_boundary(at)).unwrap();
    let chunk = |text: &str, finish: Value| {
        format!(
            "data: {}\n\n",
            json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]})
        )
    };
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10}});
    let all = [chunk(&text[..half], Value::Null), chunk(&text[half..], json!("stop"))].concat();
    Answer::new(200, format!("{all}data: {usage}\n\ndata: [DONE]\n\n"))
        .with("content-type", "text/event-stream")
}

/// Answers like a simple model, depending on the prompt.
fn wit(asked: &ReceivedRequest) -> Answer {
    let text = body(asked)["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    if text.contains("Split it into") {
        stream(r#"{"questions": ["how long until a session is expired", "how is a header parsed"]}"#)
    } else if text.contains("Which aspects") {
        stream(r#"{"sufficient": true, "gaps": ["the colour of it"], "contradictions": ["one says 3600"]}"#)
    } else {
        stream("Sessions expire after a while [1]. So do all the others [77]. It is written in Rust and C.")
    }
}

fn configure(repo: &Repo, server: &Server) {
    repo.git(&["config", "cora.model", &format!("openai-compatible:{}", server.url("/v1"))]);
    repo.git(&["config", "cora.modelName", "acme/wit"]);
}

#[test]
fn without_a_model_the_evidence_is_the_answer_and_nothing_is_sent() {
    let (repo, server) = (Repo::sample(), Server::start(|_, asked| wit(asked)));
    repo.git(&["config", "cora.modelUrl", &server.url("/v1")]);
    repo.git(&["config", "cora.modelName", "m"]);
    for name in ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "CORA_MODEL_API_KEY"] {
        let with_key = repo.with_env(name, "sk-1").with_env("http_proxy", server.url(""));
        with_key.cora(&["ask", QUESTION]).prints("[1] ").prints("— how long until a session is expired\n");
        with_key.cora(&["ask", QUESTION]).prints("no language model was used");
        with_key.cora(&["ask", "--dry-run", QUESTION]).says("nothing would be sent");
    }
    configure(&repo, &server);
    let value = repo.cora(&["ask", "--extractive", "--json", QUESTION]).json();
    assert_eq!((&value["model"], &value["answer"]), (&Value::Null, &Value::Null));
    let references = value["references"].as_array().unwrap();
    assert!(!references.is_empty() && references[0]["number"] == 1 && references[0]["commit"].is_string());
    assert_eq!(value["parts"].as_array().unwrap().len(), 3);
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn what_nothing_has_to_do_with_is_said_without_asking_the_model() {
    let (repo, server) = (Repo::sample(), Server::start(|_, asked| wit(asked)));
    configure(&repo, &server);
    repo.try_cora(&["ask", "do whales migrate in winter oceans"]).exits(1).prints(
        "no relevant \
    result",
    );
    assert_eq!(server.asked().len(), 0);
    repo.try_cora(&["ask", " "]).exits(2).says("empty");
    repo.try_cora(&["ask"]).exits(2);
}

#[test]
fn a_model_answers_and_its_citations_are_checked() {
    let (repo, server) = (Repo::sample(), Server::start(|_, asked| wit(asked)));
    configure(&repo, &server);
    repo.cora(&["ask", "--no-worktree", QUESTION])
        .prints(
            "Sessions expire after a while [1]. So do all the others. [?] It is written in Rust and C. [?]\n\n[1] ",
        )
        .prints("not answered: the colour of it\ncontradiction: one says 3600\n")
        .prints("openai-compatible:acme/wit: 3 calls, 330 tokens\n")
        .says("removed citations of sources that don't exist: [77]");
    let value = repo.cora(&["ask", "--json", "--show-context", QUESTION]).json();
    assert_eq!(value["removed_citations"], json!(["[77]"]));
    assert_eq!(value["references"][0]["cited"], true);
    assert!(value["context"].as_str().unwrap().contains("[1] "));
    // The request contains the context that the user sees.
    let last = body(server.asked().last().unwrap())["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(last.contains(value["context"].as_str().unwrap()));
}

#[test]
fn a_dry_run_prints_what_would_be_sent_and_where() {
    let (repo, server) = (Repo::sample(), Server::start(|_, asked| wit(asked)));
    configure(&repo, &server);
    let shown = repo.cora(&["ask", "--dry-run", QUESTION]).out;
    assert_eq!(server.asked().len(), 0);
    let url = format!("POST {}\n", server.url("/v1/chat/completions"));
    assert_eq!(shown.matches(&url).count(), 3, "{shown}");
    repo.cora(&["ask", QUESTION]);
    let first = String::from_utf8(server.asked()[0].body.clone()).unwrap();
    assert!(shown.starts_with(&format!("{url}{first}\n")), "{shown}");
}

#[test]
fn a_model_without_wit_leaves_a_cited_answer() {
    for text in ["I am a small model.", "{\"questions\":", "[99] [98]", "<think>hm"] {
        let server = Server::start(move |_, _| stream(text));
        let repo = Repo::sample();
        configure(&repo, &server);
        repo.cora(&["ask", QUESTION]).prints("[1] ").says("warning: ");
        assert!(server.asked().len() <= 6, "{text}");
    }
}

#[test]
fn a_budget_ends_it_with_the_evidence() {
    let (repo, server) = (Repo::sample(), Server::start(|_, asked| wit(asked)));
    configure(&repo, &server);
    repo.git(&["config", "cora.askCalls", "2"]);
    let spent = repo.cora(&["ask", QUESTION]).prints("[1] ").says("the budget of 2 calls is used up");
    spent.prints("the language model gave no answer").prints("2 calls");
    assert_eq!(server.asked().len(), 2);
    repo.cora(&["ask", "--budget", "10", QUESTION]).prints("[1] ").says(
        "the budget of 10 tokens \
    is used up",
    );
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn a_model_that_fails_says_why_and_keeps_what_was_paid_for() {
    let server = Server::start(|n, asked| if n == 0 { wit(asked) } else { Answer::new(400, "no") });
    let repo = Repo::sample();
    configure(&repo, &server);
    repo.try_cora(&["ask", "--trace", "t.json", QUESTION])
        .exits(2)
        .says("answered 400: no")
        .says("--resume t.json");
    repo.try_cora(&["ask", "--trace", "t.json", QUESTION]).exits(2).says("can't write the trace 't.json'");
    repo.try_cora(&["ask", "--resume", "t.json", "another question"]).exits(2).says("another question");
    repo.git(&["config", "cora.model", "acme:m"]);
    repo.try_cora(&["ask", QUESTION]).exits(2).says("hint: write it as 'anthropic:MODEL'");
}

#[test]
fn a_process_that_is_killed_anywhere_pays_for_nothing_twice() {
    for n_answered in 0..3 {
        // The next answer takes very long, and the process is killed while it waits.
        let server = Server::start(move |n, asked| Answer {
            delay: if n == n_answered { Duration::from_secs(20) } else { Duration::ZERO },
            ..wit(asked)
        });
        let repo = Repo::sample();
        configure(&repo, &server);
        repo.cora(&["index"]);
        let mut child = repo.spawn_cora(&["ask", "--no-worktree", "--trace", "t.json", QUESTION]);
        wait_for(60, "the model is asked", || server.asked().len() > n_answered);
        child.kill().unwrap();
        child.wait().unwrap();
        repo.cora(&["ask", "--no-worktree", "--resume", "t.json"])
            .prints("Sessions expire after a while [1].");
        // An answered request was sent once, the unanswered one a second time.
        let asked = server.asked();
        assert_eq!(asked.len(), 4, "{n_answered}");
        assert_eq!(asked[n_answered].body, asked[n_answered + 1].body);
        repo.cora(&["ask", "--no-worktree", "--resume", "t.json"]).prints("3 calls, 330 tokens");
        assert_eq!(server.asked().len(), 4, "{n_answered}");
    }
}

#[test]
fn a_setting_of_the_content_does_not_count() {
    let (repo, server) = (Repo::sample(), Server::start(|_, asked| wit(asked)));
    let address = server.url("/v1");
    repo.write("theirs", format!("[cora]\n\tmodel = openai-compatible:{address}\n\tmodelName = m\n"));
    repo.git(&["config", "include.path", "../theirs"]);
    repo.cora(&["ask", QUESTION]).prints("[1] ");
    assert_eq!(server.asked().len(), 0);
}

#[test]
fn the_name_of_a_function_is_enough() {
    let repo = Repo::sample();
    let run = repo.cora(&["ask", "--extractive", "--json", "How does refresh_token work?"]).json();
    assert_eq!(run["references"][0]["path"], "lib/auth.py", "{run}");
    repo.try_cora(&["ask", "--extractive", "How does refresh_nothing work?"]).exits(1);
}
