//! The product that is measured: where its source is, and a release build of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

/// Returns the root of this repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_path_buf).unwrap_or_default()
}

/// Builds `git-cora` for release and returns the path of the program.
///
/// The lab is selected too, and nothing of it is built again: with both, dependencies have the
/// features that they had when the lab was built, so the library is not compiled a second time.
///
/// # Errors
/// If cargo fails, or does not say where the program is.
pub fn build() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "--locked", "--package", "git-cora", "--package", "xtask-lab"])
        .args(["--bins", "--message-format", "json-render-diagnostics"])
        .current_dir(root())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("can't run cargo")?;
    ensure!(output.status.success(), "cargo build: {}", output.status);
    executable(&String::from_utf8_lossy(&output.stdout), "git-cora")
}

/// Returns the path of a program from cargo's messages, which are one JSON object per line.
fn executable(messages: &str, name: &str) -> Result<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .with_context(|| format!("cargo did not say where it put '{name}'"))
}

/// Returns whether a program can be started; `args` must make it exit immediately, with success.
pub fn is_installed(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_cargos_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","target":{"name":"git-cora"},"executable":null}"#,
            "\nno json\n",
            r#"{"reason":"compiler-artifact","target":{"name":"git-cora"},"executable":"a/git-cora"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executable(messages, "git-cora").unwrap(), PathBuf::from("a/git-cora"));
        assert!(executable(messages, "xtask").is_err());
    }

    #[test]
    fn the_root_is_the_workspace() {
        assert!(root().join("src/lib.rs").is_file());
    }
}
