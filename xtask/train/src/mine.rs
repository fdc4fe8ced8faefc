//! `train mine`: repositories -> pairs.
//!
//! Reads the files of each repository's `HEAD` and its newest commits. Evaluation data is excluded
//! twice: by repository (a list) and by content (a hash of every function's words). Copies of code
//! and text are dropped, and the number of pairs of one repository is limited.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use anyhow::Result;

use git_cora::git::FileAttributes;
use git_cora::index::chunk::{ChunkOptions, Language, chunk};
use git_cora::index::source::{Decision, Limits, classify, decode};

use super::pairs::{self, Kind, Pair};
use super::sources::{FILE_BYTES, Sources, blobs, listed, words_hash};
use super::{commits, declared, examples};

/// Maximum number of source files read from each repository, evenly spread.
const FILES: usize = 4000;
/// Maximum number of pairs of each kind kept from each repository.
const PAIRS_PER_KIND: usize = 30_000;
/// Maximum number of pairs with the same kind and text kept from each repository.
const SAME_TEXT: usize = 3;

pub(crate) fn run(sources: &Sources) -> Result<()> {
    sources.each("pairs", |git, banned| {
        let pairs = mine(git, banned)?;
        Ok((pairs::encode(&pairs)?, summary(&pairs)))
    })
}

fn summary(pairs: &[Pair]) -> String {
    let count = |kind| pairs.iter().filter(|pair| pair.kind == kind).count();
    let kinds: Vec<String> = Kind::ALL.iter().map(|&kind| format!("{kind:?} {}", count(kind))).collect();
    format!("{} pairs ({})", pairs.len(), kinds.join(", "))
}

fn mine(git: &Path, banned: &HashSet<u64>) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    let mut tests = declared::Tests::default();
    let files = listed(git)?;
    let step = files.len().div_ceil(FILES).max(1);
    let taken: Vec<&(String, String)> = files.iter().step_by(step).collect();
    blobs(git, &taken, |file, bytes| {
        let name = file.rsplit('/').next().unwrap_or_default();
        if bytes.len() > FILE_BYTES
            || classify(name.into(), bytes, &FileAttributes::default(), &Limits::default()) != Decision::Index
        {
            return;
        }
        let text = decode(bytes);
        if is_copyleft(&text) {
            return;
        }
        let language = Language::detect(name.as_bytes(), bytes);
        if language.name() == "markdown" || name.ends_with(".rst") {
            examples::mine(&text, &mut pairs);
        } else if declared::is_code(language) {
            let chunked = chunk(language, &text, &ChunkOptions::default());
            declared::mine(language, &text, &chunked, banned, &mut pairs, &mut tests);
        }
    })?;
    tests.pairs(&mut pairs);
    commits::mine(git, &mut pairs)?;
    Ok(kept(pairs))
}

/// Drops copies and thins out kinds that have too many pairs; evenly, so that every part of the
/// repository remains.
fn kept(pairs: Vec<Pair>) -> Vec<Pair> {
    let mut seen = HashSet::new();
    let mut texts: HashMap<(Kind, u64), usize> = HashMap::new();
    let mut unique = Vec::new();
    for pair in pairs {
        let (text, code) = (words_hash(&pair.text), words_hash(&pair.code));
        if !seen.insert((text, code)) {
            continue;
        }
        let same = texts.entry((pair.kind, text)).or_default();
        *same += 1;
        if *same <= SAME_TEXT {
            unique.push(pair);
        }
    }
    let mut kept = Vec::new();
    for kind in Kind::ALL {
        let of_kind: Vec<&Pair> = unique.iter().filter(|pair| pair.kind == kind).collect();
        let n = of_kind.len().min(PAIRS_PER_KIND);
        kept.extend(
            (0..n).filter_map(|i| of_kind.get(i * of_kind.len() / n.max(1))).map(|&pair| pair.clone()),
        );
    }
    kept
}

/// Returns whether the beginning of a file names a copyleft licence.
fn is_copyleft(text: &str) -> bool {
    let head = super::pairs::clip(text, 2000);
    ["General Public License", "GPL-2.0", "GPL-3.0", "LGPL", "Mozilla Public License"]
        .iter()
        .any(|name| head.contains(name))
}
