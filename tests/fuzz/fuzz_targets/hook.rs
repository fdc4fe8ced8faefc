//! Hooks: any hook that can take our block gets it, and is restored when the block comes out. Of a
//! damaged hook, no block is left.
#![no_main]

use arbitrary::Arbitrary;
use bstr::ByteSlice;
use git_cora_fuzz::{Edit, damage};
use libfuzzer_sys::fuzz_target;

#[allow(dead_code)]
#[path = "../../../src/bin/git-cora/hook/block.rs"]
mod block;

use block::{Rest, is_wrapper, with, without, wrapper};

const SCRIPT: &str = include_str!("../../../hooks/post-commit");

/// How the line begins that marks a file as made by us.
const MADE: &str = "# This file is made by 'git cora init'";

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8]),
    Damaged { hook: &'a [u8], edits: Vec<Edit> },
    Wrapper(Vec<Edit>),
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw(hook) => {
        check(hook);
        check(&[b"#!/bin/sh\n", hook].concat());
    }
    Input::Damaged { hook, edits } => {
        let mut hook = with(hook, SCRIPT).unwrap_or_else(|_| SCRIPT.into());
        damage(&mut hook, &edits);
        check(&hook);
    }
    Input::Wrapper(edits) => {
        let mut hook = wrapper("post-commit", SCRIPT);
        damage(&mut hook, &edits);
        check(&hook);
    }
});

fn check(hook: &[u8]) {
    let _ = is_wrapper(hook);
    match without(hook) {
        Rest::Untouched => {
            let Ok(added) = with(hook, SCRIPT) else { return };
            // In a file of ours, the line that says so goes with the block.
            if hook.contains_str(MADE) {
                return;
            }
            assert_eq!(without(&added), Rest::Lines(hook.to_vec()), "the hook is not restored");
        }
        Rest::Lines(lines) => assert_eq!(without(&lines), Rest::Untouched, "a block is left"),
        Rest::Made | Rest::Altered => {}
    }
}
