//! `train mine`: repositories → pairs.
//!
//! Reads the files of each repository's `HEAD` and its newest commits. What an evaluation uses is left out by
//! repository (a list) and by content (the hash of every function's words), copies of code and of text are
//! dropped, and no repository gives more than its share.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use rayon::prelude::*;

use git_cora::chunk::{ChunkOptions, Language, chunk};
use git_cora::record::tokens;
use git_cora::repo::FileAttributes;
use git_cora::source::{Decision, Limits, classify, decode};

use super::pairs::{Kind, Pair, write};
use super::sets::Set;
use super::{commits, declared, examples};

/// Options of `train mine`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Folder that the pairs are written to, a file for each repository.
    #[arg(long)]
    out: PathBuf,
    /// File of repositories that must not be read, a line each, `owner/name`.
    #[arg(long)]
    never: PathBuf,
    /// Sets of questions (`train sets`) whose functions must not be learnt, wherever they occur.
    #[arg(long)]
    ban: Vec<PathBuf>,
    /// Git folders, `…/owner+name` or `…/owner+name/repo`; those whose pairs exist already are skipped.
    #[arg(required = true)]
    repositories: Vec<PathBuf>,
}

/// Most files of source read of each repository, evenly spread.
const FILES: usize = 4000;
/// Longer files are data or generated.
const FILE_BYTES: usize = 300_000;
/// Most pairs of each kind kept of each repository.
const PAIRS_PER_KIND: usize = 30_000;
/// Most pairs with the same text kept of each repository.
const SAME_TEXT: usize = 3;

/// Folders of code that comes from elsewhere.
const VENDORED: [&str; 16] = [
    "vendor",
    "vendored",
    "_vendor",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "3rd-party",
    "node_modules",
    "bower_components",
    "deps",
    "external",
    "extern",
    "bundled",
    "subprojects",
    "ruff_benchmark",
];

pub(crate) fn run(options: &Options) -> Result<()> {
    std::fs::create_dir_all(&options.out)?;
    let never = never(&options.never)?;
    let banned = banned(&options.ban)?;
    options.repositories.par_iter().try_for_each(|path| {
        let name = repository_name(path)?;
        let out = options.out.join(format!("{}.pairs", name.replace('/', "+")));
        if out.exists() {
            return Ok(());
        }
        ensure!(!never.contains(&name.to_lowercase()), "'{name}' must not be learnt from");
        match mine(path, &banned) {
            Ok(pairs) => {
                println!("{name}: {}", summary(&pairs));
                write(&out, &pairs)
            }
            Err(error) => {
                println!("{name}: left out: {error:#}");
                Ok(())
            }
        }
    })
}

/// The repositories that must not be learnt from, in lower case.
pub(super) fn never(list: &Path) -> Result<HashSet<String>> {
    let text = std::fs::read_to_string(list).with_context(|| format!("can't read '{}'", list.display()))?;
    Ok(text.lines().map(|line| line.trim().to_lowercase()).collect())
}

pub(super) fn repository_name(path: &Path) -> Result<String> {
    let named = path.components().rev().find_map(|part| {
        let part = part.as_os_str().to_str()?;
        part.contains('+').then(|| part.replacen('+', "/", 1))
    });
    named.with_context(|| format!("'{}' does not name its owner and repository", path.display()))
}

fn summary(pairs: &[Pair]) -> String {
    let count = |kind| pairs.iter().filter(|pair| pair.kind == kind).count();
    let kinds: Vec<String> = Kind::ALL.iter().map(|&kind| format!("{kind:?} {}", count(kind))).collect();
    format!("{} pairs ({})", pairs.len(), kinds.join(", "))
}

/// The hash of a text's words, whatever is between them.
pub(crate) fn words_hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (_, token) in tokens(text) {
        token.to_lowercase().hash(&mut hasher);
    }
    hasher.finish()
}

/// Hashes of all functions of the sets given, with their doc comments and without.
pub(super) fn banned(files: &[PathBuf]) -> Result<HashSet<u64>> {
    let python = Language::from_name("python").context("Python is known")?;
    let mut hashes = HashSet::new();
    for path in files {
        let bytes = std::fs::read(path).with_context(|| format!("can't read '{}'", path.display()))?;
        let set: Set = serde_json::from_slice(&bytes)?;
        for code in &set.docs {
            hashes.insert(words_hash(code));
            // In Python the doc comment is inside the function.
            let chunked = chunk(python, code, &ChunkOptions::default());
            hashes.extend(chunked.declarations.first().map(|d| words_hash(&declared::body(code, d))));
        }
    }
    Ok(hashes)
}

fn mine(path: &Path, banned: &HashSet<u64>) -> Result<Vec<Pair>> {
    let git = git_folder(path)?;
    let mut pairs = Vec::new();
    let mut tests = declared::Tests::default();
    let files = listed(&git)?;
    let step = files.len().div_ceil(FILES).max(1);
    let taken: Vec<&(String, String)> = files.iter().step_by(step).collect();
    blobs(&git, &taken, |file, bytes| {
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
    commits::mine(&git, &mut pairs)?;
    Ok(kept(pairs))
}

/// Drops copies, and what a repository has too much of; evenly, so that no part of it is lost.
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

/// The Git folder of a mirror.
pub(super) fn git_folder(path: &Path) -> Result<PathBuf> {
    let mut places = [path.join("repo"), path.to_owned()].into_iter();
    places.find(|p| p.join("objects").is_dir() || p.join(".git").exists()).context("no repository")
}

/// The files of `HEAD`: object id and path.
pub(super) fn listed(git: &Path) -> Result<Vec<(String, String)>> {
    let out = Command::new("git").arg("-C").arg(git).args(["ls-tree", "-r", "-z", "HEAD"]).output()?;
    ensure!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr).trim().to_owned());
    let text = String::from_utf8_lossy(&out.stdout);
    let entry = |line: &str| {
        let (head, path) = line.split_once('\t')?;
        let id = head.strip_prefix("100644 blob ").or_else(|| head.strip_prefix("100755 blob "))?;
        (!is_vendored(path) && wanted(path)).then(|| (id.to_owned(), path.to_owned()))
    };
    Ok(text.split('\0').filter_map(entry).collect())
}

/// Whether a path lies in a folder of code that comes from elsewhere.
pub(super) fn is_vendored(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|part| VENDORED.contains(&part.to_ascii_lowercase().as_str()))
}

/// Whether a file says at its head that its licence asks for the same licence.
fn is_copyleft(text: &str) -> bool {
    let head = super::pairs::clip(text, 2000);
    ["General Public License", "GPL-2.0", "GPL-3.0", "LGPL", "Mozilla Public License"]
        .iter()
        .any(|name| head.contains(name))
}

fn wanted(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let language = Language::detect(name.as_bytes(), b"");
    language.name() == "markdown" || name.ends_with(".rst") || declared::is_code(language)
}

/// Calls `each` with the path and bytes of every blob that is there.
pub(super) fn blobs(
    git: &Path,
    files: &[&(String, String)],
    mut each: impl FnMut(&str, &[u8]),
) -> Result<()> {
    let mut child = Command::new("git")
        .arg("-C")
        .arg(git)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (mut input, output) = child.stdin.take().zip(child.stdout.take()).context("no pipes")?;
    let ids: Vec<String> = files.iter().map(|(id, _)| format!("{id}\n")).collect();
    let feed = std::thread::spawn(move || ids.iter().try_for_each(|id| input.write_all(id.as_bytes())));
    let mut output = BufReader::new(output);
    let (mut head, mut bytes) = (String::new(), Vec::new());
    for (_, path) in files {
        head.clear();
        if output.read_line(&mut head)? == 0 {
            break;
        }
        let Some(size) = head.trim_end().rsplit(' ').next().and_then(|n| n.parse::<usize>().ok()) else {
            continue;
        };
        bytes.resize(size + 1, 0);
        output.read_exact(&mut bytes)?;
        bytes.pop();
        each(path, &bytes);
    }
    drop(output);
    let _ = feed.join();
    child.wait()?;
    Ok(())
}
