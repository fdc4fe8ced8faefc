//! Manifests: any bytes give a value or an error, and a value survives encoding and decoding.
#![no_main]

use git_cora::index::IndexOptions;
use git_cora::index::record::{Manifest, ManifestState};
use git_cora_fuzz::{Edit, damage};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], Vec<Edit>)| {
    let (raw, edits) = input;
    let ours = IndexOptions::default().manifest();
    let mut damaged = ours.encode();
    damage(&mut damaged, &edits);
    for bytes in [raw, &damaged] {
        let state = ours.compare(bytes);
        match Manifest::decode(bytes) {
            Ok(manifest) => {
                assert_eq!(Manifest::decode(&manifest.encode()).as_ref(), Ok(&manifest));
                assert_eq!(state == Ok(ManifestState::Current), manifest == ours);
            }
            Err(_) => assert_ne!(state, Ok(ManifestState::Current)),
        }
    }
});
