//! What every package says about the program: from `Cargo.toml`, so that it is said once.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// The description of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) description: String,
    pub(crate) repository: String,
    pub(crate) license: String,
    pub(crate) keywords: Vec<String>,
    /// The time of all packed files, in seconds since 1970: that of the packaged commit, or
    /// `SOURCE_DATE_EPOCH` (reproducible-builds.org/specs/source-date-epoch).
    pub(crate) seconds: u64,
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).map(Path::to_owned).unwrap_or_default()
}

impl Manifest {
    /// Reads `Cargo.toml`.
    ///
    /// # Errors
    /// Cargo or Git can't be run, or a field is missing.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let text =
            output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root))?;
        let metadata: Value =
            serde_json::from_str(&text).context("can't read the output of 'cargo metadata'")?;
        Self::parse(&metadata, seconds(root)?)
    }

    fn parse(metadata: &Value, seconds: u64) -> Result<Self> {
        let packages = metadata["packages"].as_array().context("cargo lists no packages")?;
        let package = packages.iter().find(|package| package["name"] == "git-cora");
        let package = package.context("the workspace has no package 'git-cora'")?;
        let field = |name: &str| {
            let value = package[name].as_str().with_context(|| format!("Cargo.toml has no '{name}'"))?;
            anyhow::Ok(value.to_owned())
        };
        let keywords = package["keywords"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(Self {
            name: field("name")?,
            version: field("version")?,
            description: field("description")?,
            repository: field("repository")?,
            license: field("license")?,
            keywords: keywords.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect(),
            seconds,
        })
    }
}

fn seconds(root: &Path) -> Result<u64> {
    let text = match env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root))?,
    };
    text.trim().parse().with_context(|| format!("'{}' is not a number of seconds", text.trim()))
}

/// Returns the cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Runs a program, and returns what it prints.
///
/// # Errors
/// It can't be started, or fails.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("can't run '{name}'"))?;
    let error = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "'{name}' failed ({}): {}", output.status, error.trim());
    String::from_utf8(output.stdout).with_context(|| format!("the output of '{name}' is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_that_is_missing_is_named() {
        let package = json!({
            "name": "git-cora", "version": "1.2.3", "description": "d", "repository": "r", "license": "MIT",
            "keywords": ["git"]
        });
        let manifest = Manifest::parse(&json!({ "packages": [package] }), 7).unwrap();
        assert_eq!((manifest.version.as_str(), manifest.seconds), ("1.2.3", 7));
        let error = Manifest::parse(&json!({ "packages": [{ "name": "git-cora" }] }), 7).unwrap_err();
        assert!(error.to_string().contains("'version'"), "{error}");
        assert!(Manifest::parse(&json!({ "packages": [] }), 7).is_err());
    }
}
