//! Commit messages: any bytes, with or without a valid checksum, give a value or an error. A value
//! survives encoding and decoding, and names only a few files for any query.
#![no_main]

use arbitrary::Arbitrary;
use git_cora::search::commit_messages::{CommitMessages, VERSION};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
struct Input<'a> {
    is_sealed: bool,
    bytes: &'a [u8],
    asked: &'a str,
}

fuzz_target!(|input: Input<'_>| {
    let mut bytes = input.bytes.to_vec();
    if input.is_sealed {
        bytes =
            [&VERSION.to_le_bytes()[..], &crc32fast::hash(input.bytes).to_le_bytes(), input.bytes].concat();
    }
    let Ok(messages) = CommitMessages::decode(bytes.clone()) else { return };
    let again = messages.encode().expect("because it has not grown");
    assert_eq!(again, bytes, "commit messages survive their bytes");
    let matches = messages.matches(input.asked.split(' ').map(|word| (word, 1.0)));
    assert!(matches.len() <= 1000, "{} files", matches.len());
});
