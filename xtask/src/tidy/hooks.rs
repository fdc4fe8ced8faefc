//! Checks shell scripts. They run on machines that we never see, so they must be plain POSIX.
//!
//! Line ends and the marked block are checked here; everything else is left to shellcheck, where it
//! is installed.

use std::process::Command;

use anyhow::{Context as _, Result};

use crate::tree::{self, File};

const BEGIN: &str = "# >>> git-cora >>>";
const END: &str = "# <<< git-cora <<<";

/// Complains about CRLF line ends, and about a hook that is not one marked block.
pub(crate) fn check(files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files.iter().filter(|file| is_script(file)) {
        if let Some(ord) = file.text.split('\n').position(|line| line.ends_with('\r')) {
            complaints.push(format!(
                "{}:{}: ends with CRLF: sh takes the CR for a part of the command",
                file.path,
                ord + 1
            ));
        }
        if !file.path.starts_with("hooks/") {
            continue;
        }
        if file.text.lines().next().map(str::trim_end) != Some("#!/bin/sh") {
            complaints.push(format!("{}:1: does not begin with '#!/bin/sh'", file.path));
        }
        let marks: Vec<_> =
            file.text.lines().map(str::trim_end).filter(|line| [BEGIN, END].contains(line)).collect();
        if marks != [BEGIN, END] {
            complaints.push(format!("{}:1: needs one block from '{BEGIN}' to '{END}'", file.path));
        }
    }
    complaints
}

/// Runs shellcheck over the scripts; prints a note if it is not installed.
pub(crate) fn shellcheck(files: &[File]) -> Result<Vec<String>> {
    let scripts: Vec<_> =
        files.iter().filter(|file| is_script(file)).map(|file| file.path.as_str()).collect();
    if scripts.is_empty() {
        return Ok(Vec::new());
    }
    if !tree::installed("shellcheck", &["--version"]) {
        println!("shellcheck is not installed: {} scripts are not checked", scripts.len());
        return Ok(Vec::new());
    }
    let output = Command::new("shellcheck")
        .args(["--format=gcc", "--"])
        .args(scripts)
        .current_dir(tree::root())
        .output()
        .context("cannot run shellcheck")?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn is_script(file: &File) -> bool {
    (file.path.starts_with("hooks/") && !file.path.starts_with("hooks/.")) || file.path == ".ci/run"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_is_a_marked_block_with_unix_line_ends() {
        let good = format!("#!/bin/sh\n{BEGIN}\ntrue\n{END}\n");
        assert!(check(&[File::new("hooks/post-commit", &good)]).is_empty());
        let crlf = good.replace('\n', "\r\n");
        assert_eq!(check(&[File::new("hooks/post-commit", &crlf)]).len(), 1);
        let unmarked = "#!/bin/sh\ntrue\n";
        assert_eq!(check(&[File::new("hooks/post-commit", unmarked)]).len(), 1);
        assert_eq!(check(&[File::new("hooks/post-commit", &good[10..])]).len(), 1);
        assert!(check(&[File::new(".ci/run", "#!/usr/bin/env bash\n")]).is_empty());
        assert!(check(&[File::new("src/a.rs", "//! A.\r\n")]).is_empty());
    }
}
