//! The files of this repository, as Git lists them.
//!
//! Listing through Git keeps build outputs and editors' droppings out without a list of what to ignore.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// Directories whose files are input of tests, not code of ours: no convention holds for them.
const SAMPLES: &[&str] = &["fixtures", "samples", "formats", "corpus", "snapshots"];

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// A text file of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Path from the root, with `/` on every platform.
    pub(crate) path: String,
    /// Its content, as it lies in the work tree.
    pub(crate) text: String,
}

impl File {
    #[cfg(test)]
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether it is code of ours in Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs") && !self.is_sample()
    }

    /// Whether it is input of a test.
    pub(crate) fn is_sample(&self) -> bool {
        self.path.split('/').any(|part| SAMPLES.contains(&part))
    }
}

/// Every UTF-8 file that is tracked, or would be if all were added, in order of path.
pub(crate) fn files() -> Result<Vec<File>> {
    let root = root();
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root)
        .output()
        .context("cannot run git")?;
    ensure!(
        output.status.success(),
        "git ls-files failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let listing = String::from_utf8(output.stdout).context("a path is not UTF-8")?;
    let mut paths: Vec<_> = listing.split_terminator('\0').collect();
    paths.sort_unstable();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        // A tracked file may be deleted in the work tree; a link may lead anywhere.
        let on_disk = root.join(path);
        if !on_disk.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
            continue;
        }
        let bytes = std::fs::read(&on_disk).with_context(|| format!("cannot read '{path}'"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(File { path: path.to_owned(), text });
        }
    }
    Ok(files)
}

/// Whether a program can be started; its version is asked for and thrown away.
pub(crate) fn installed(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
}
