//! Replies of models: any bytes of a stream, cut anywhere, give an answer or an error, as do any
//! vectors and any message of an error. Whatever a model says, a question ends with an answer whose
//! citations exist and which has no control characters.
#![no_main]

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use arbitrary::Arbitrary;
use git_cora::answer::ask::{self, EvidenceSource, Limits, ModelController, check, context, gather, write};
use git_cora::answer::view::ResultItem;
use git_cora::base::chat::{End, LanguageModel, Prompt, Reply, ReplyUpdate, RequestBody, Usage};
use git_cora::base::progress::Cancel;
use git_cora::provider::chat::{Answer, Decoder, Provider, framing};
use git_cora::provider::embedding::{self, Row};
use git_cora::provider::http::Message;
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Stream { provider: u8, cuts: Vec<u8>, bytes: &'a [u8] },
    Vectors { n: u8, bytes: &'a [u8] },
    Failure(&'a [u8]),
    Text { n: u8, text: &'a str },
    Question { question: &'a str, replies: Vec<&'a str> },
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Stream { provider, cuts, bytes } => {
        let providers = [Provider::Anthropic, Provider::Ollama, Provider::OpenAi];
        let provider = providers[usize::from(provider) % providers.len()];
        let whole = messages(provider, &[bytes]);
        // Whether the first byte that counts is a brace decides how the rest is read.
        assert_eq!(messages(provider, &pieces(bytes, &cuts)), whole, "cuts change the messages");
        let mut answer = Answer::default();
        for message in &whole {
            if answer.take(provider, message).is_err() {
                break;
            }
        }
        assert!(answer.text.len() <= 3 * bytes.len());
    }
    Input::Vectors { n, bytes } => {
        for provider in [embedding::Provider::Ollama, embedding::Provider::OpenAi] {
            let Ok(answer) = embedding::read(provider, bytes, n.into()) else { continue };
            assert_eq!(answer.vectors.len(), usize::from(n));
            for vector in &answer.vectors {
                let Ok(row) = Row::quantise(vector) else { continue };
                assert!(row.scale.is_finite() && row.components.len() == vector.len());
            }
        }
    }
    Input::Failure(bytes) => {
        let text = Message::read(bytes, None).text;
        assert!(!text.is_empty() && text.chars().count() <= 301 && !text.chars().any(char::is_control));
    }
    Input::Text { n, text } => checked(text, n.into()),
    Input::Question { question, replies } => {
        let replies = replies.iter().map(|&reply| reply.to_owned()).collect();
        let model = Scripted { replies, next: AtomicUsize::new(0), asked: Mutex::default() };
        let cancel = Cancel::default();
        let mut controller =
            ModelController { model: &model, tokens: 500, max_tokens: 100, cancel: cancel.clone() };
        let limits = Limits::default().with_steps(3).with_hits(4);
        // Without a word of the evidence, no model is asked.
        let question = format!("retry {question}");
        let state = gather(&question, &mut controller, &Files, &limits, &mut (), &cancel);
        let state = state.expect("because neither the model nor the search fails");
        assert!(state.evidence.len() <= 1, "a place is found twice");
        let context = context(&state, 500);
        let written = write(&model, &state, &context, 100, &mut (), &cancel);
        let written = written.expect("because the model does not fail").checked;
        assert!(written.cited.iter().all(|number| (1..=context.numbers.len()).contains(number)));
    }
});

/// Cuts bytes into pieces of the given lengths; the rest is the last.
fn pieces<'b>(bytes: &'b [u8], cuts: &[u8]) -> Vec<&'b [u8]> {
    let (mut pieces, mut rest) = (Vec::new(), bytes);
    for cut in cuts {
        let (piece, after) = rest.split_at(usize::from(*cut).min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

fn messages(provider: Provider, pieces: &[&[u8]]) -> Vec<String> {
    let mut decoder = Decoder::new(framing(provider));
    let mut messages: Vec<String> = pieces.iter().flat_map(|piece| decoder.push(piece)).collect();
    messages.extend(decoder.finish());
    messages
}

/// Checks the citations of a text twice: the second time, all of them exist.
fn checked(text: &str, n: usize) {
    let once = check(text, n);
    assert!(once.cited.iter().all(|number| (1..=n).contains(number)));
    assert!(once.cited.is_sorted_by(|a, b| a < b));
    assert!(once.text.chars().all(|c| !c.is_control() || c == '\n'), "a control character is left");
    let twice = check(&once.text, n);
    assert_eq!(twice.removed, Vec::<String>::new(), "a citation of nothing is left in {:?}", once.text);
}

/// A model with prepared replies; the last is repeated.
struct Scripted {
    replies: Vec<String>,
    next: AtomicUsize,
    asked: Mutex<usize>,
}

impl LanguageModel for Scripted {
    fn id(&self) -> String {
        "scripted:one".to_owned()
    }

    fn outgoing(&self, _: &Prompt) -> RequestBody {
        RequestBody { url: String::new(), body: Vec::new() }
    }

    fn complete(
        &self,
        prompt: &Prompt,
        told: &mut dyn FnMut(ReplyUpdate<'_>),
        _: &Cancel,
    ) -> git_cora::base::chat::Result<Reply> {
        let mut asked = self.asked.lock().expect("because nobody panics with it");
        *asked += 1;
        assert!(*asked < 100, "a model is asked without end");
        assert!(!prompt.turns.is_empty());
        let at = self.next.fetch_add(1, Ordering::Relaxed).min(self.replies.len().saturating_sub(1));
        let text = self.replies.get(at).cloned().unwrap_or_else(|| "none".to_owned());
        told(ReplyUpdate::Text(&text));
        Ok(Reply { text, usage: Usage { input: 1, output: 1 }, end: End::Whole })
    }
}

/// A source with the same place for every query.
struct Files;

impl EvidenceSource for Files {
    fn find(&self, query: &str, _: usize) -> ask::Result<Vec<ResultItem>> {
        let mut item = ResultItem::default();
        item.path = b"src/client.py".into();
        item.symbol = "retry".to_owned();
        item.text = Some("def retry(self):\n    pass\n".into());
        item.score = query.len() as f64;
        Ok(vec![item])
    }

    fn related(&self, to: &ResultItem, _: usize) -> ask::Result<Vec<ResultItem>> {
        Ok(vec![to.clone()])
    }
}
