//! `cargo xtask train words REPO…`: makes `src/index/record/words.txt`.
//!
//! The list holds the words that files of any language are most likely to have. Records name them
//! by number instead of spelling them. A word counts once for each file that has it, each language
//! counts the same, and a word must stand in several repositories. Files are taken evenly, so the
//! same checkouts give the same list. A new list changes the bytes of records: `CONTENT_VERSION`
//! must rise with it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use git_cora::base::id::ObjectId;
use git_cora::git::{Blob, FileAttributes};
use git_cora::index::record::FileRecord;
use git_cora::index::{IndexOptions, Recorder};

/// Number of words in the list. See `doc/experiments/training.md`.
const WORDS: usize = 8192;

/// Fewest repositories that a word of the list stands in, so that no project's names are in it.
const REPOSITORIES: usize = 3;

/// Fewest files of a language that count; the share of a word in fewer says little.
const FILES_PER_LANGUAGE: usize = 30;

/// Maximum number of files read from each repository, evenly spread.
const FILES_PER_REPOSITORY: usize = 1500;

/// Number of files and of repositories that have a word.
#[derive(Default)]
struct Counts {
    /// By language.
    files: BTreeMap<String, usize>,
    repositories: BTreeSet<usize>,
}

pub(crate) fn train(repositories: &[PathBuf]) -> Result<()> {
    let mut words: HashMap<String, Counts> = HashMap::new();
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    for (number, repository) in repositories.iter().enumerate() {
        collect(repository, number, &mut words, &mut files)
            .with_context(|| format!("can't read '{}'", repository.display()))?;
    }
    files.retain(|_, n| *n >= FILES_PER_LANGUAGE);
    ensure!(files.len() >= 10, "too few languages: name more repositories");
    let share = |counts: &Counts| -> f64 {
        let of = |language: &String, n: usize| files.get(language).map_or(0.0, |all| n as f64 / *all as f64);
        counts.files.iter().map(|(language, &n)| of(language, n)).sum()
    };
    let mut ranked: Vec<(f64, &str)> = words
        .iter()
        .filter(|(_, counts)| counts.repositories.len() >= REPOSITORIES)
        .map(|(word, counts)| (share(counts), word.as_str()))
        .collect();
    ensure!(ranked.len() > WORDS, "too few words: name more repositories");
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    // `cargo xtask tidy` refuses the marks of unfinished work in any file.
    let is_mark = |word: &str| matches!(word.as_bytes(), b"TO\x44O" | b"FIX\x4dE");
    let words = ranked.iter().map(|&(_, word)| word).take(WORDS);
    let mut list: Vec<&str> = words.filter(|word| !is_mark(word)).collect();
    list.sort_unstable();
    let out = Path::new("src/index/record/words.txt");
    let text = list.iter().map(|word| format!("{word}\n")).collect::<String>();
    std::fs::write(out, &text).with_context(|| format!("can't write '{}'", out.display()))?;
    println!("{}: {} words, {} bytes, from {} languages", out.display(), list.len(), text.len(), files.len());
    Ok(())
}

/// Counts the words of a checkout.
fn collect(
    repository: &Path,
    number: usize,
    words: &mut HashMap<String, Counts>,
    files: &mut BTreeMap<String, usize>,
) -> Result<()> {
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
        let FileRecord::Indexed(file) = record else { continue };
        *files.entry(file.language.clone()).or_default() += 1;
        let own: BTreeSet<&str> = file.keywords.iter().flatten().map(|word| word.token.as_str()).collect();
        for word in own {
            let counts = words.entry(word.to_owned()).or_default();
            *counts.files.entry(file.language.clone()).or_default() += 1;
            counts.repositories.insert(number);
        }
    }
    Ok(())
}
