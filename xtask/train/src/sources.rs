//! The repositories that training reads, and the data in them that must not be learned.
//!
//! Access is by `git ls-tree` and `git cat-file`, so that bare mirrors without a work tree will do.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use flate2::Compression;
use flate2::write::GzEncoder;
use rayon::prelude::*;

use git_cora::index::chunk::{ChunkOptions, Language, chunk};
use git_cora::index::record::tokens;

use super::declared;
use xtask_lab::functions::Set;

/// Options of the steps that make a file from each repository.
#[derive(Debug, Args)]
pub(crate) struct Sources {
    /// Folder to write to: one file for each repository.
    #[arg(long)]
    out: PathBuf,
    /// File that lists repositories that must not be read, as `owner/name`, one per line.
    #[arg(long)]
    never: PathBuf,
    /// Sets of questions (`train sets`) whose functions must not be learnt, wherever they occur.
    #[arg(long)]
    ban: Vec<PathBuf>,
    /// Git folders, `…/owner+name` or `…/owner+name/repo`. A repository is skipped if its file
    /// exists already.
    #[arg(required = true)]
    repositories: Vec<PathBuf>,
}

/// Maximum size of a file in bytes; longer ones are data or generated.
pub(super) const FILE_BYTES: usize = 300_000;

/// Names of folders with third-party code.
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

impl Sources {
    /// Writes a file with this extension for each repository.
    ///
    /// `make` receives the Git folder and the hashes of banned functions, and returns the file's
    /// content and a line to print. A repository that fails is reported and left out.
    pub(super) fn each(
        &self,
        extension: &str,
        make: impl Fn(&Path, &HashSet<u64>) -> Result<(Vec<u8>, String)> + Sync,
    ) -> Result<()> {
        std::fs::create_dir_all(&self.out)?;
        let never = never(&self.never)?;
        let banned = banned(&self.ban)?;
        self.repositories.par_iter().try_for_each(|path| {
            let name = repository_name(path)?;
            let out = self.out.join(format!("{}.{extension}", name.replace('/', "+")));
            if out.exists() {
                return Ok(());
            }
            ensure!(!never.contains(&name.to_lowercase()), "'{name}' must not be learnt from");
            match git_folder(path).and_then(|git| make(&git, &banned)) {
                Ok((bytes, line)) => {
                    println!("{name}: {line}");
                    let part = out.with_extension("part");
                    std::fs::write(&part, compressed(&bytes)?)
                        .with_context(|| format!("can't write '{}'", part.display()))?;
                    Ok(std::fs::rename(&part, &out)?)
                }
                Err(error) => {
                    println!("{name}: left out: {error:#}");
                    Ok(())
                }
            }
        })
    }
}

/// Compresses the content of a file with gzip.
pub(super) fn compressed(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Returns the files of a folder with this extension, sorted by name.
pub(super) fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("can't read '{}'", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the repositories that must not be learned from, in lower case.
fn never(list: &Path) -> Result<HashSet<String>> {
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

/// Returns a hash of a text's words that ignores case and everything between the words.
pub(crate) fn words_hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (_, token) in tokens(text) {
        token.to_lowercase().hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns the hashes of all functions of the given sets, with and without their doc comments.
fn banned(files: &[PathBuf]) -> Result<HashSet<u64>> {
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

/// Returns the Git folder of a mirror.
pub(super) fn git_folder(path: &Path) -> Result<PathBuf> {
    let mut places = [path.join("repo"), path.to_owned()].into_iter();
    places.find(|p| p.join("objects").is_dir() || p.join(".git").exists()).context("no repository")
}

/// Returns the object id and path of each file of `HEAD` that training reads.
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

/// Returns whether a path is in a folder of third-party code.
pub(super) fn is_vendored(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders.split('/').any(|part| VENDORED.contains(&part.to_ascii_lowercase().as_str()))
}

fn wanted(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let language = Language::detect(name.as_bytes(), b"");
    language.name() == "markdown" || name.ends_with(".rst") || declared::is_code(language)
}

/// Calls `each` with the path and bytes of every blob that exists; a partial clone lacks some.
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
