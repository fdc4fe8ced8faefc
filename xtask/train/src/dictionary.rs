//! `cargo xtask train dictionary REPO…`: makes `src/index/record/frame.dict`.
//!
//! The dictionary holds frequent words of source code, so that a chunk of forty lines compresses as
//! well as if it were part of a large file. It is trained on the keyword payloads of the given
//! repositories. Each language contributes the same number of chunks, spread evenly over its files,
//! so the same checkouts give the same dictionary. A new dictionary changes the bytes of records:
//! `CONTENT_VERSION` must rise with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use git_cora::base::id::ObjectId;
use git_cora::git::{Blob, FileAttributes};
use git_cora::index::record::{FileRecord, keyword_payloads};
use git_cora::index::{IndexOptions, Recorder};

/// Size of the dictionary in bytes: zstd's own default. Twice the size gained almost nothing. See
/// `doc/experiments/training.md`.
const DICTIONARY_BYTES: usize = 112 << 10;

/// Number of chunks taken from each language, at most.
const CHUNKS_PER_LANGUAGE: usize = 2500;

/// Maximum number of files read from each repository, evenly spread.
const FILES_PER_REPOSITORY: usize = 1500;

pub(crate) fn train(repositories: &[PathBuf]) -> Result<()> {
    let mut by_language: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    for repository in repositories {
        collect(repository, &mut by_language)
            .with_context(|| format!("can't read '{}'", repository.display()))?;
    }
    let mut samples = Vec::new();
    for (language, payloads) in &by_language {
        let step = payloads.len().div_ceil(CHUNKS_PER_LANGUAGE).max(1);
        let taken = payloads.iter().step_by(step);
        println!("{language}: {} of {} chunks", taken.len(), payloads.len());
        samples.extend(taken.cloned());
    }
    ensure!(samples.len() > 1000, "too few chunks: name more repositories");
    let dictionary = zstd::dict::from_samples(&samples, DICTIONARY_BYTES).context("zstd can't train")?;
    let out = Path::new("src/index/record/frame.dict");
    std::fs::write(out, &dictionary).with_context(|| format!("can't write '{}'", out.display()))?;
    println!("{}: {} bytes from {} chunks", out.display(), dictionary.len(), samples.len());
    Ok(())
}

fn collect(repository: &Path, by_language: &mut BTreeMap<String, Vec<Vec<u8>>>) -> Result<()> {
    let listed =
        std::process::Command::new("git").arg("-C").arg(repository).args(["ls-files", "-z"]).output()?;
    ensure!(listed.status.success(), "it is not a checkout");
    let text = String::from_utf8_lossy(&listed.stdout);
    let paths: Vec<&str> = text.split('\0').filter(|path| !path.is_empty()).collect();
    let step = paths.len().div_ceil(FILES_PER_REPOSITORY).max(1);
    let recorder = Recorder::new(IndexOptions::default());
    let id: ObjectId = "0".repeat(40).parse().context("the null id")?;
    for path in paths.iter().step_by(step) {
        let Ok(bytes) = std::fs::read(repository.join(path)) else { continue };
        let record = recorder.record((*path).into(), id, &Blob::Bytes(bytes), &FileAttributes::default());
        if let FileRecord::Indexed(file) = record {
            by_language.entry(file.language.clone()).or_default().extend(keyword_payloads(&file));
        }
    }
    Ok(())
}
