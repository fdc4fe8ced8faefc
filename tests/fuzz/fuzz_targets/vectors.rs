//! Vectors of remote models: any bytes with a valid checksum give a value or an error. The rows of
//! a value survive encoding and decoding.
#![no_main]

use git_cora::provider::sidecar::vectors::{decode, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut sealed = b"CVEC\x01".to_vec();
    sealed.extend_from_slice(bytes);
    sealed.extend_from_slice(&crc32fast::hash(&sealed).to_le_bytes());
    for bytes in [bytes, &sealed] {
        let Ok(vectors) = decode(bytes) else { continue };
        let rows: Vec<_> = vectors.rows().map(|row| (row.key, row.to_row())).collect();
        assert_eq!(encode(vectors.record, &rows).as_deref(), Some(bytes));
    }
});
