//! Traces of questions: any bytes, and damaged traces, give answers or an error. The answers that a
//! trace holds are bounded by its size, and an incomplete last line costs no other line.
#![no_main]

use arbitrary::Arbitrary;
use git_cora::answer::ask::Journal;
use git_cora_fuzz::{Edit, damage};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8]),
    Lines(&'a [u8]),
    Damaged(Vec<Edit>),
}

const HEADER: &str =
    "{\"cora_ask\":1,\"question\":\"how?\",\"revision\":\"HEAD\",\"commit\":\"\",\"model\":\"a:b\"}\n";
const CALLS: &str = "{\"call\":{\"key\":\"00\",\"prompt\":{\"system\":\"s\",\"turns\":[{\"role\":\"user\",\"text\":\"t\"}],\
                     \"max_tokens\":9,\"wants_json\":false},\"reply\":{\"text\":\"r\",\"usage\":{\"input\":1,\"output\":2},\
                     \"end\":\"whole\"}}}\n{\"searched\":{\"query\":\"q\"}}\n{\"answer\":\"r [1]\"}\n";

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw(bytes) => check(bytes),
    Input::Lines(bytes) => check(&[HEADER.as_bytes(), bytes].concat()),
    Input::Damaged(edits) => {
        let mut bytes = [HEADER, CALLS].concat().into_bytes();
        damage(&mut bytes, &edits);
        check(&bytes);
    }
});

fn check(bytes: &[u8]) {
    let Ok((header, journal)) = Journal::decode(bytes) else { return };
    let spent = journal.spent();
    assert!(spent.calls as usize <= bytes.len() / 50, "an answer has its bytes");
    let cut = [bytes, b"{\"call\":".as_slice()].concat();
    if bytes.ends_with(b"\n") {
        let (again, same) = Journal::decode(&cut).expect("because only the last line is incomplete");
        assert_eq!((again, same.spent()), (header, spent));
    }
}
