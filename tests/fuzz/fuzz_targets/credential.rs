//! Credentials: in any text, their ranges are sorted, at character boundaries and inside it. A word
//! of letters and digits is judged in a text as it is alone.
#![no_main]

use git_cora::base::text::credential::{is_credential, ranges};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = ranges(text);
    assert!(found.iter().all(|&(start, end)| start < end && text.get(start..end).is_some()));
    assert!(found.windows(2).all(|pair| pair[0].1 < pair[1].0), "they overlap: {found:?}");
    for word in text.split_ascii_whitespace() {
        let is_plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        if is_plain && is_credential(word.as_bytes()) {
            assert!(!ranges(word).is_empty(), "{word} is overlooked");
        }
    }
    let _ = is_credential(text.as_bytes());
});
