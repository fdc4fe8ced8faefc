//! `cargo xtask train vocabulary`: makes `src/base/text/cl100k.fst`, the pieces of the encoding by
//! which budgets are counted.
//!
//! The encoding is OpenAI's `cl100k_base`, published under the MIT licence. The crate `tiktoken-rs`
//! supplies it; the tests compare our token counts with that crate's.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

/// Number of ordinary tokens of the encoding; higher numbers belong to its special tokens.
const N_PIECES: u32 = 100_256;

const PATH: &str = "src/base/text/cl100k.fst";

/// Returns the bytes of the table, an FST that maps each token's bytes to its rank.
pub(crate) fn table() -> Result<Vec<u8>> {
    let encoding = tiktoken_rs::cl100k_base()?;
    let mut ranks = BTreeMap::new();
    for rank in 0..N_PIECES {
        let piece = encoding.decode_bytes(&[rank]).with_context(|| format!("there is no piece {rank}"))?;
        ranks.insert(piece, u64::from(rank));
    }
    let mut builder = fst::MapBuilder::memory();
    for (piece, rank) in ranks {
        builder.insert(piece, rank)?;
    }
    Ok(builder.into_inner()?)
}

pub(crate) fn write() -> Result<()> {
    let bytes = table()?;
    std::fs::write(xtask_lab::product::root().join(PATH), &bytes)?;
    println!("{PATH}: {N_PIECES} pieces, {} bytes", bytes.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_published_one() {
        assert!(table().unwrap() == std::fs::read(xtask_lab::product::root().join(PATH)).unwrap());
    }

    /// Covers all of our own source, and random texts that put each kind of character next to each
    /// other kind.
    #[test]
    fn counts_agree_with_the_published_encoding() {
        let encoding = tiktoken_rs::cl100k_base().unwrap();
        let kinds = [
            "a",
            "Z",
            "é",
            "ǅ",
            "中",
            "\u{915}\u{93f}",
            "\u{301}",
            "7",
            "½",
            "Ⅷ",
            " ",
            "\t",
            "\u{a0}",
            "\u{3000}",
            "\n",
            "\r\n",
            ".",
            "'s",
            "'LL",
            "'ſ",
            "'",
            "_",
            "—",
            "Ⓐ",
            "😀",
            "\u{200d}",
            "\0",
            "\u{feff}",
        ];
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 40).unwrap()
        };
        for _ in 0..20_000 {
            let text: String = (0..next() % 12 + 1).map(|_| kinds[next() % kinds.len()]).collect();
            assert_eq!(git_cora::answer::view::tokens(&text), encoding.count_ordinary(&text), "{text:?}");
        }
        for directory in ["src", "xtask", "tests", "doc"] {
            let mut pending = vec![xtask_lab::product::root().join(directory)];
            while let Some(path) = pending.pop() {
                if path.is_dir() {
                    pending.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                } else if let Ok(text) = std::fs::read_to_string(&path) {
                    assert_eq!(
                        git_cora::answer::view::tokens(&text),
                        encoding.count_ordinary(&text),
                        "{}",
                        path.display()
                    );
                }
            }
        }
    }
}
