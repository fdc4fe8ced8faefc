//! The text files of this repository, as Git lists them.
//!
//! Asking Git excludes build outputs and editors' backup files without a list of paths to ignore.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

/// Names of directories whose files are test input, not our code: no convention applies to them.
const SAMPLES: &[&str] = &["fixtures", "samples", "formats", "corpora", "corpus", "snapshots"];

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// A text file of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Path relative to the root, with `/` on every platform.
    pub(crate) path: String,
    /// Content, as stored in the work tree.
    pub(crate) text: String,
}

impl File {
    #[cfg(test)]
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Returns whether the file is Rust code of ours.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs") && !self.is_sample()
    }

    /// Returns whether the file is test input.
    pub(crate) fn is_sample(&self) -> bool {
        self.path.split('/').any(|part| SAMPLES.contains(&part))
    }
}

/// Returns every UTF-8 file that is tracked, or untracked and not ignored, sorted by path.
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
        // A tracked file may be deleted in the work tree, and a symbolic link may point anywhere.
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

/// Returns whether a program can be started; `args` must make it exit immediately, with success.
pub(crate) fn installed(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
}
