//! What Git stores and prints: any bytes of a commit, a tag, a tree, a ref, the state of the work
//! tree or the settings of a command line give a value or an error. No name of a tree leads
//! out of it.
#![no_main]

use std::collections::HashSet;

use arbitrary::Arbitrary;
use git_cora::git::parsers::{
    packed_refs_without, parse_commit, parse_loose, parse_parameters, parse_status, tag_target,
    unique_entries,
};
use git_cora::git::without_credentials;
use git_cora_fuzz::{Edit, damage, no_id};
use libfuzzer_sys::fuzz_target;

/// A commit as Git writes it.
const COMMIT: &[u8] = b"tree 45b983be36b73c0788dc9cbcb76cbb80fc7bb057\n\
parent 45b983be36b73c0788dc9cbcb76cbb80fc7bb057\n\
author A <a@b> 7 +0000\ncommitter C <c@d> 9 +0100\nencoding x\n\nSubject\n\nBody\n";
/// A tag as Git writes it.
const TAG: &[u8] = b"object 45b983be36b73c0788dc9cbcb76cbb80fc7bb057\ntype commit\ntag v1\n";
/// States of a work tree as Git prints them.
const STATUS: &[u8] = b"1 .M N... 100644 100644 100644 1 2 src/a.rs\0\
2 R. N... 100644 100644 100644 1 2 R100 new\0old\0u UU N... 100644 100644 100644 100644 1 2 3 both\0\
? other\0! ignored\0";
/// Packed refs as Git writes them.
const PACKED: &[u8] = b"# pack-refs with: peeled fully-peeled sorted \n\
11 refs/cora/a\n22 refs/cora/b\n33 refs/tags/v1\n^44\n";
/// Settings of a command line as Git passes them on.
const SETTINGS: &[u8] = b"'cora.a'='b c' 'cora.d'='it'\\''s' 'cora.on'";

#[derive(Debug, Arbitrary)]
enum Input<'a> {
    Raw(&'a [u8]),
    Commit(Vec<Edit>),
    Tag(Vec<Edit>),
    Status(Vec<Edit>),
    Settings(Vec<Edit>),
    Packed(Vec<Edit>),
    Tree(Vec<(u16, &'a [u8])>, Vec<Edit>),
}

fuzz_target!(|input: Input<'_>| match input {
    Input::Raw(bytes) => read(bytes),
    Input::Commit(edits) => read_damaged(COMMIT, &edits),
    Input::Tag(edits) => read_damaged(TAG, &edits),
    Input::Status(edits) => read_damaged(STATUS, &edits),
    Input::Settings(edits) => read_damaged(SETTINGS, &edits),
    Input::Packed(edits) => read_damaged(PACKED, &edits),
    Input::Tree(entries, edits) => {
        let mut bytes = Vec::new();
        for (mode, name) in entries {
            bytes.extend_from_slice(format!("{mode:o} ").as_bytes());
            bytes.extend_from_slice(name);
            bytes.push(0);
            bytes.extend_from_slice(&[7; 20]);
        }
        read_damaged(&bytes, &edits);
    }
});

fn read_damaged(bytes: &[u8], edits: &[Edit]) {
    let mut bytes = bytes.to_vec();
    damage(&mut bytes, edits);
    read(&bytes);
}

fn read(bytes: &[u8]) {
    for hash_len in [20, 32] {
        if let Ok(commit) = parse_commit(bytes, hash_len) {
            assert!(bytes.ends_with(commit.message) && commit.parents.len() * 2 * hash_len <= bytes.len());
        }
        let _ = tag_target(bytes, hash_len);
        if let Ok(entries) = unique_entries(bytes, no_id(), hash_len) {
            let mut seen = HashSet::new();
            for entry in entries {
                assert!(seen.insert(entry.name), "two entries have one name");
                let name: &[u8] = entry.name;
                assert!(!name.contains(&b'/') && !matches!(name, b"" | b"." | b".."));
                assert!(!name.eq_ignore_ascii_case(b".git"), "a name leads into the repository");
            }
        }
    }
    if let Ok(states) = parse_status(bytes) {
        assert!(states.is_sorted_by(|a, b| a.path < b.path), "a path has two states");
    }
    let _ = parse_loose(bytes);
    assert_eq!(packed_refs_without(bytes, |_| false), bytes);
    let kept = packed_refs_without(bytes, |name| name.starts_with("refs/cora/"));
    assert_eq!(packed_refs_without(&kept, |name| name.starts_with("refs/cora/")), kept);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let shown = without_credentials(text);
        assert_eq!(without_credentials(&shown), shown);
    }
    assert!(parse_parameters(bytes).iter().map(|one| one.len()).sum::<usize>() <= bytes.len());
}
