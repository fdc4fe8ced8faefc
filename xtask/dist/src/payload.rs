//! What is installed: the program, man pages, completions, licences and the README.
//!
//! The layout is that of a Unix prefix such as `/usr/local`, so that unpacking installs.
//! `git cora man` and the shells find their files beside `bin`.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::target::Target;

/// A file to install.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Path, with `/`, relative to where the package is unpacked.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// Whether it is run.
    pub(crate) is_program: bool,
}

impl Entry {
    pub(crate) fn new(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into(), is_program: false }
    }

    pub(crate) fn program(path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { is_program: true, ..Self::new(path, bytes) }
    }

    /// The permissions on Unix.
    pub(crate) fn mode(&self) -> u32 {
        if self.is_program { 0o755 } else { 0o644 }
    }
}

/// Names of the documents that every package has.
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
/// Files of the shells, and where each shell looks for it.
const COMPLETIONS: [(&str, &str); 3] = [
    ("git-cora.bash", "share/bash-completion/completions/git-cora"),
    ("_git-cora", "share/zsh/site-functions/_git-cora"),
    ("git-cora.fish", "share/fish/vendor_completions.d/git-cora.fish"),
];

/// Returns everything that is installed, sorted by path.
///
/// # Errors
/// A file of the repository can't be read.
pub(crate) fn entries(root: &Path, target: &Target, program: &[u8]) -> Result<Vec<Entry>> {
    let mut entries = vec![Entry::program(format!("bin/{}", target.program()), program)];
    entries.extend(man_pages(root)?);
    for (name, place) in COMPLETIONS {
        entries.push(Entry::new(place, read(&root.join("completions").join(name))?));
    }
    for document in documents(root)? {
        entries.push(Entry { path: format!("share/doc/git-cora/{}", document.path), ..document });
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// Returns the man pages.
pub(crate) fn man_pages(root: &Path) -> Result<Vec<Entry>> {
    let dir = root.join("man");
    let context = || format!("can't read '{}'", dir.display());
    let mut pages = Vec::new();
    for file in fs::read_dir(&dir).with_context(context)? {
        let path = file.with_context(context)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".1") {
            pages.push(Entry::new(format!("share/man/man1/{name}"), read(&path)?));
        }
    }
    ensure!(!pages.is_empty(), "no man page in '{}'", dir.display());
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(pages)
}

/// Returns the documents, by their own names.
pub(crate) fn documents(root: &Path) -> Result<Vec<Entry>> {
    DOCUMENTS.iter().map(|name| Ok(Entry::new(*name, read(&root.join(name))?))).collect()
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("can't read '{}'", path.display()))
}
