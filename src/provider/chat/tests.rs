//! Tests of each provider's protocol against a checking server on the loopback, and of misbehaving
//! servers.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::*;
use crate::base::progress::Cancel;
use crate::provider::http::testing::{Answer, ReceivedRequest, Server};
use crate::provider::http::{self, Client, Endpoint, Proxies, RetryLimits, Secret, Settings};

const TIMEOUT: Duration = Duration::from_secs(20);

fn model_waiting(server: &Server, value: &str, timeout: Duration) -> Remote {
    let (value, settings) = match value.strip_prefix("openai-compatible:") {
        Some(name) => (
            format!("openai-compatible:{}", server.url("/v1")),
            ChoiceSettings { url: None, name: Some(name.to_owned()) },
        ),
        None => {
            let path = if value.starts_with("ollama") { "" } else { "/v1" };
            (value.to_owned(), ChoiceSettings { url: Some(server.url(path)), name: None })
        }
    };
    let choice = Choice::parse(&value, &settings).unwrap();
    let provider = choice.provider();
    let endpoint = Endpoint {
        address: choice.address().clone(),
        key_header: provider.key_header(),
        headers: provider.headers(),
        key: provider.service().wants_key.then(|| Secret::new("sk-test")).flatten(),
        key_variable: provider.service().key_variable,
        key_source: None,
        wants_key: provider.service().wants_key,
    };
    let settings = Settings {
        proxies: Proxies::default(),
        ca_file: None,
        verifies: true,
        timeout,
        patience: RetryLimits {
            attempts: 3,
            first_pause: Duration::from_millis(2),
            longest_pause: Duration::from_millis(4),
            longest_asked: Duration::from_secs(2),
            repeats_late: true,
        },
    };
    Remote::new(choice, Client::new(endpoint, settings).unwrap(), timeout)
}

fn model(server: &Server, value: &str) -> Remote {
    model_waiting(server, value, TIMEOUT)
}

fn prompt() -> Prompt {
    let turn = |role, text: &str| Turn { role, text: text.to_owned() };
    Prompt {
        system: "Be brief.".into(),
        turns: vec![
            turn(Role::User, "one"),
            turn(Role::Assistant, "two"),
            turn(Role::User, "in JSON, \"3\""),
        ],
        max_tokens: 77,
        wants_json: true,
    }
}

fn ask(model: &dyn LanguageModel) -> Result<Reply> {
    model.complete(&prompt(), &mut |_| {}, &Cancel::default())
}

fn body(asked: &ReceivedRequest) -> Value {
    serde_json::from_slice(&asked.body).unwrap()
}

/// Returns an event stream with these events.
fn events(all: &[Value]) -> String {
    all.iter()
        .map(|event| {
            let name = event["type"].as_str().map(|name| format!("event: {name}\n")).unwrap_or_default();
            format!("{name}data: {event}\n\n")
        })
        .collect()
}

fn anthropic() -> String {
    events(&[
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant",
            "content": [], "stop_reason": null, "usage": {"input_tokens": 25, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "Héllo"}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": " there"}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "something_new", "x": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null},
            "usage": {"output_tokens": 15}}),
        json!({"type": "message_stop"}),
    ])
}

fn chunk(delta: Value, finish: Value) -> Value {
    json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}], "usage": null})
}

fn openai() -> String {
    let all = [
        chunk(json!({"role": "assistant", "content": ""}), Value::Null),
        chunk(json!({"content": "Héllo"}), Value::Null),
        chunk(json!({"content": " there"}), Value::Null),
        chunk(json!({}), json!("stop")),
        json!({"id": "c", "object": "chat.completion.chunk", "choices": [],
            "usage": {"prompt_tokens": 25, "completion_tokens": 15, "total_tokens": 40}}),
    ];
    events(&all) + "data: [DONE]\n\n"
}

fn ollama() -> String {
    [
        json!({"model": "m", "created_at": "x", "message": {"role": "assistant", "content": "", "thinking": "hm"}, "done": false}),
        json!({"model": "m", "created_at": "x", "message": {"role": "assistant", "content": "Héllo"}, "done": false}),
        json!({"model": "m", "created_at": "x", "message": {"role": "assistant", "content": " there"}, "done": false}),
        json!({"model": "m", "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
            "total_duration": 1, "prompt_eval_count": 25, "eval_count": 15}),
    ]
    .iter()
    .map(|line| format!("{line}\n"))
    .collect()
}

/// A value of `cora.model`, and a complete answer.
type Case = (&'static str, fn() -> String);

const ALL: [Case; 5] = [
    ("anthropic:claude-x", anthropic),
    ("openai:gpt-x", openai),
    ("together:acme/m", openai),
    ("ollama:m", ollama),
    ("openai-compatible:mine", openai),
];

fn hello() -> Reply {
    Reply { text: "Héllo there".into(), usage: Usage { input: 25, output: 15 }, end: End::Whole }
}

#[test]
fn answers_are_read_and_told_as_they_come() {
    for (value, answer) in ALL {
        let server = Server::start(move |_, _| Answer::new(200, answer()));
        let model = model(&server, value);
        let mut updates = Vec::new();
        let mut tell = |what: ReplyUpdate<'_>| updates.push(format!("{what:?}"));
        assert_eq!(model.complete(&prompt(), &mut tell, &Cancel::default()).unwrap(), hello(), "{value}");
        assert_eq!(updates, ["Text(\"Héllo\")", "Text(\" there\")"], "{value}");
        // A dry run shows exactly what is sent.
        let (asked, outgoing) = (&server.asked()[0], model.outgoing(&prompt()));
        assert_eq!(asked.body, outgoing.body);
        let path = outgoing.url.strip_prefix(&server.url("")).unwrap();
        assert_eq!(asked.line, format!("POST {path}"));
        assert_eq!(asked.header("content-type"), Some("application/json"));
    }
}

#[test]
fn anthropic_is_asked_as_documented() {
    let server = Server::start(|_, _| Answer::new(200, anthropic()));
    ask(&model(&server, "anthropic:claude-x")).unwrap();
    let asked = &server.asked()[0];
    assert_eq!(asked.line, "POST /v1/messages");
    assert_eq!(asked.header("x-api-key"), Some("sk-test"));
    assert_eq!(asked.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(asked.header("authorization"), None);
    let messages = json!([
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "two"},
        {"role": "user", "content": "in JSON, \"3\""},
    ]);
    let expected = json!({"model": "claude-x", "max_tokens": 77, "system": "Be brief.", "messages": messages,
        "stream": true});
    assert_eq!(body(asked), expected);
}

#[test]
fn openai_and_its_likes_are_asked_as_documented() {
    let messages = json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "two"},
        {"role": "user", "content": "in JSON, \"3\""},
    ]);
    for (value, name, tokens, key) in [
        ("openai:gpt-x", "gpt-x", "max_completion_tokens", Some("Bearer sk-test")),
        ("together:acme/m", "acme/m", "max_tokens", Some("Bearer sk-test")),
        ("openai-compatible:mine", "mine", "max_tokens", None),
    ] {
        let server = Server::start(|_, _| Answer::new(200, openai()));
        ask(&model(&server, value)).unwrap();
        let asked = &server.asked()[0];
        assert_eq!((asked.line.as_str(), asked.header("authorization")), ("POST /v1/chat/completions", key));
        let mut expected = json!({"model": name, "messages": messages,
            "response_format": {"type": "json_object"}, "stream": true, "stream_options": {"include_usage": true}});
        expected[tokens] = 77.into();
        assert_eq!(body(asked), expected, "{value}");
    }
    // A prompt for prose sends no format, and an empty system prompt is left out.
    let server = Server::start(|_, _| Answer::new(200, openai()));
    let prompt = Prompt::new("", "hi", 10);
    model(&server, "openai:gpt-x").complete(&prompt, &mut |_| {}, &Cancel::default()).unwrap();
    let body = body(&server.asked()[0]);
    assert_eq!((&body["response_format"], &body["messages"][0]["role"]), (&Value::Null, &json!("user")));
}

#[test]
fn ollama_is_asked_as_documented_with_room_for_the_prompt() {
    let server = Server::start(|_, _| Answer::new(200, ollama()));
    let model = model(&server, "ollama:m");
    ask(&model).unwrap();
    let asked = &server.asked()[0];
    assert_eq!((asked.line.as_str(), asked.header("authorization")), ("POST /api/chat", None));
    let body = body(asked);
    assert_eq!((&body["stream"], &body["format"]), (&json!(true), &json!("json")));
    assert_eq!(body["options"], json!({"num_ctx": 4096, "num_predict": 77}));
    assert_eq!(body["messages"][0], json!({"role": "system", "content": "Be brief."}));
    let long = Prompt::new("", "some words ".repeat(4000), 1000);
    let outgoing: Value = serde_json::from_slice(&model.outgoing(&long).body).unwrap();
    let room = outgoing["options"]["num_ctx"].as_u64().unwrap();
    assert!(room >= long.estimate() + 1000 && room.is_multiple_of(4096), "{room}");
}

#[test]
fn a_server_that_does_not_stream_is_understood() {
    let answer = json!({"id": "c", "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "Héllo there"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 25, "completion_tokens": 15}});
    let text = serde_json::to_string_pretty(&answer).unwrap();
    let server = Server::start(move |_, _| Answer::new(200, text.clone()));
    assert_eq!(ask(&model(&server, "openai-compatible:m")).unwrap(), hello());
}

#[test]
fn what_a_server_does_not_know_is_left_out() {
    let server = Server::start(|_, asked| {
        for field in ["response_format", "stream_options"] {
            if !body(asked)[field].is_null() {
                let message = format!("Extra inputs are not permitted: {field}");
                return Answer::new(422, json!({"error": {"message": message}}).to_string());
            }
        }
        Answer::new(200, openai())
    });
    let model = model(&server, "openai-compatible:m");
    assert_eq!(ask(&model).unwrap(), hello());
    assert_eq!(server.asked().len(), 3);
    // The refusal is remembered, and a dry run reflects it.
    assert_eq!(ask(&model).unwrap(), hello());
    assert_eq!(server.asked().len(), 4);
    assert_eq!(server.asked()[3].body, model.outgoing(&prompt()).body);
    // A server that keeps refusing is an error.
    let server = Server::start(|_, _| {
        Answer::new(400, r#"{"error":{"message":"response_format and stream_options and more"}}"#)
    });
    let error = ask(&self::model(&server, "openai-compatible:m")).unwrap_err();
    assert!(error.to_string().contains("answered 400"), "{error}");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn busy_servers_are_asked_again_when_they_say() {
    for (value, answer) in ALL {
        let server = Server::start(move |n, _| match n {
            0 => Answer::new(429, r#"{"error":{"type":"rate_limit_error","message":"slow down"}}"#)
                .with("retry-after", "1"),
            1 => Answer::new(529, "{}"),
            _ => Answer::new(200, answer()),
        });
        let begin = Instant::now();
        assert_eq!(ask(&model(&server, value)).unwrap(), hello(), "{value}");
        assert!(begin.elapsed() >= Duration::from_secs(1), "{value}");
        assert_eq!(server.asked().len(), 3);
    }
}

#[test]
fn an_answer_that_breaks_off_is_none() {
    for (value, answer) in ALL {
        let text = answer();
        let last = match value {
            // The reason for the end is in the last event but one, which is enough.
            "anthropic:claude-x" => text.find("event: message_delta").unwrap(),
            "ollama:m" => text.trim_end().rfind('\n').unwrap(),
            _ => text.find("\"stop\"").unwrap(),
        };
        for at in [0, 10, last / 2, last] {
            // First a broken connection, then an end that looks regular.
            let (cut, short) = (text.clone(), text.clone());
            let server = Server::start(move |n, _| match n {
                0 => Answer { cut_at: Some(at), ..Answer::new(200, cut.clone()) },
                1 => Answer::new(200, &short.as_bytes()[..at]),
                _ => Answer::new(200, short.clone()),
            });
            let mut n_again = 0;
            let mut tell = |update: ReplyUpdate<'_>| n_again += usize::from(update == ReplyUpdate::Again);
            let reply = model(&server, value).complete(&prompt(), &mut tell, &Cancel::default()).unwrap();
            assert_eq!((reply, n_again), (hello(), 2), "{value} {at}");
        }
        let server =
            Server::start(move |_, _| Answer { cut_at: Some(last / 2), ..Answer::new(200, answer()) });
        let error = ask(&model(&server, value)).unwrap_err();
        assert!(matches!(error, Error::Remote(http::Error::Malformed { .. })), "{value}: {error}");
        assert_eq!(server.asked().len(), 3, "{value}");
    }
}

#[test]
fn a_failure_within_an_answer_is_one() {
    let cases = [
        (
            "anthropic:claude-x",
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded sk-test\"}}\n\n",
            529,
        ),
        (
            "openai:gpt-x",
            "data: {\"error\":{\"message\":\"Overloaded ***\",\"type\":\"server_error\",\"code\":null}}\n\n",
            500,
        ),
        (
            "openai-compatible:m",
            "data: {\"error\":{\"message\":\"Overloaded ***\",\"type\":\"x\",\"code\":503}}\n\n",
            503,
        ),
        ("ollama:m", "{\"error\":\"Overloaded ***\"}\n", 500),
    ];
    for (value, text, status) in cases {
        let begin = ALL.iter().find(|(known, _)| known[..6] == value[..6]).unwrap().1();
        let half = begin.find("Héllo").unwrap();
        let half = begin[..half].rfind("\n").map_or(0, |at| at + 1);
        let broken = format!("{}\n{text}", &begin[..half]);
        let server = Server::start(move |_, _| Answer::new(200, broken.clone()));
        let error = ask(&model(&server, value)).unwrap_err();
        assert!(
            error.to_string().contains(&format!("answered {status}: Overloaded ***")),
            "{value}: {error}"
        );
        assert_eq!(server.asked().len(), 3, "{value}: it may pass");
    }
    // A failure that will not pass.
    let text = "data: {\"error\":{\"message\":\"too long\",\"type\":\"invalid_request_error\"}}\n\n";
    let server = Server::start(move |_, _| Answer::new(200, text));
    assert!(ask(&model(&server, "openai:gpt-x")).is_err());
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_stream_that_stalls_is_given_up() {
    for (value, answer) in [ALL[0], ALL[1], ALL[3]] {
        let server = Server::start(move |_, _| Answer {
            cut_at: Some(answer().len() / 2),
            stall: Duration::from_secs(5),
            ..Answer::new(200, answer())
        });
        let begin = Instant::now();
        let error = ask(&model_waiting(&server, value, Duration::from_millis(300))).unwrap_err();
        assert!(matches!(error, Error::Remote(http::Error::TimedOut { .. })), "{value}: {error}");
        assert!(begin.elapsed() < Duration::from_secs(4));
    }
}

#[test]
fn an_interruption_ends_an_answer() {
    let server = Server::start(|_, _| Answer {
        cut_at: Some(openai().len() / 2),
        stall: Duration::from_secs(5),
        ..Answer::new(200, openai())
    });
    let cancel = Cancel::default();
    let mut tell = |_: ReplyUpdate<'_>| cancel.cancel();
    let begin = Instant::now();
    let error = model(&server, "openai:gpt-x").complete(&prompt(), &mut tell, &cancel).unwrap_err();
    assert!(matches!(error, Error::Remote(http::Error::Cancelled)), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(3));
}

#[test]
fn garbage_is_paid_for_once() {
    for (value, text) in [
        ("anthropic:claude-x", "data: {\"type\":7}\n\ndata: x\n\n"),
        ("openai:gpt-x", "data: <html>\n\ndata: [DONE]\n\n"),
        ("ollama:m", "<html>\n</html>\n"),
    ] {
        let server = Server::start(move |_, _| Answer::new(200, text));
        let error = ask(&model(&server, value)).unwrap_err();
        assert!(matches!(error, Error::Remote(http::Error::Malformed { .. })), "{value}: {error}");
        assert_eq!(server.asked().len(), 1, "{value}");
    }
}

#[test]
fn ends_are_told_apart() {
    let with = |content: &str, reason: &str| events(&[chunk(json!({"content": content}), json!(reason))]);
    for (content, reason, expected) in [
        ("cut", "length", Ok(("cut", End::Length))),
        ("no", "content_filter", Ok(("no", End::Refused))),
        (" \n", "stop", Err("ended immediately")),
        ("", "length", Err("reached the token limit")),
        ("<think>so\nso</think>\n yes \n", "stop", Ok(("yes", End::Whole))),
        ("<think>for ever", "length", Err("reached the token limit")),
    ] {
        let text = with(content, reason);
        let server = Server::start(move |_, _| Answer::new(200, text.clone()));
        match (ask(&model(&server, "openai-compatible:m")), expected) {
            (Ok(reply), Ok((text, end))) => {
                assert_eq!((reply.text.as_str(), reply.end), (text, end));
                // Without counts, the usage is estimated.
                assert!(reply.usage.input >= 10 && reply.usage.output > 0);
            }
            (Err(error), Err(why)) => assert!(error.to_string().contains(why), "{error}"),
            (got, _) => panic!("{content:?}: {got:?}"),
        }
    }
}

/// A model that gives a fixed answer with a fixed cost.
struct FixedModel(Usage);

impl LanguageModel for FixedModel {
    fn id(&self) -> String {
        "canned".into()
    }

    fn outgoing(&self, _: &Prompt) -> RequestBody {
        RequestBody { url: String::new(), body: Vec::new() }
    }

    fn complete(&self, prompt: &Prompt, _: &mut dyn FnMut(ReplyUpdate<'_>), _: &Cancel) -> Result<Reply> {
        if prompt.system == "fail" {
            let host = String::new();
            return Err(http::Error::TimedOut { host, seconds: 1 }.into());
        }
        Ok(Reply { text: prompt.max_tokens.to_string(), usage: self.0, end: End::Whole })
    }
}

#[test]
fn a_budget_is_kept() {
    let usage = Usage { input: 300, output: 200 };
    let metered =
        |tokens, calls, spent| MeteredModel::new(FixedModel(usage), Budget { tokens, calls }, spent);
    let spent = Cost { calls: 3, usage };
    let by_calls = metered(None, Some(5), spent);
    assert!(ask(&by_calls).is_ok() && ask(&by_calls).is_ok());
    assert!(matches!(ask(&by_calls), Err(Error::Budget { limit: 5, unit: "calls" })));
    assert_eq!(by_calls.spent(), Cost { calls: 5, usage: Usage { input: 900, output: 600 } });
    // The answer gets the remaining room; too little room is refused.
    let ask = |metered: &MeteredModel<FixedModel>, max_tokens| {
        let prompt = Prompt { max_tokens, ..prompt() };
        metered.complete(&prompt, &mut |_| {}, &Cancel::default()).map(|reply| reply.text)
    };
    let by_tokens = metered(Some(1500), None, Cost::default());
    assert_eq!(ask(&by_tokens, 500).unwrap(), "500");
    let left = ask(&by_tokens, 2000).unwrap().parse::<u64>().unwrap();
    assert!((900..1000).contains(&left), "{left}");
    assert_eq!(ask(&by_tokens, 2000).unwrap(), (left - 500).to_string());
    let error = ask(&by_tokens, 2000).unwrap_err();
    assert_eq!(error.to_string(), "the budget of 1500 tokens is used up");
    assert!(ask(&metered(Some(10), None, Cost::default()), 5).is_err());
    // Room for 200 tokens is worth an answer, or for a shorter one that is all that is wanted.
    let estimate = prompt().estimate();
    for (room, wanted, expected) in [
        (200, 500, Some("200")),
        (199, 500, None),
        (199, 199, Some("199")),
        (50, 50, Some("50")),
        (49, 50, None),
    ] {
        let answer = ask(&metered(Some(estimate + room), None, Cost::default()), wanted);
        assert_eq!(answer.ok().as_deref(), expected, "{room} {wanted}");
    }
    // A prompt whose answer broke off counts as sent.
    let failing = metered(Some(10_000), None, Cost::default());
    let prompt = Prompt::new("fail", "x ".repeat(100), 10);
    assert!(failing.complete(&prompt, &mut |_| {}, &Cancel::default()).is_err());
    assert_eq!(failing.spent(), Cost { calls: 1, usage: Usage { input: prompt.estimate(), output: 0 } });
}

#[test]
fn the_name_of_a_chat_model_has_100_bytes() {
    for (len, is_good) in [(0, false), (1, true), (100, true), (101, false)] {
        let choice = Choice::parse(&format!("openai:{}", "m".repeat(len)), &ChoiceSettings::default());
        assert_eq!(choice.is_ok(), is_good, "{len} bytes");
    }
}
