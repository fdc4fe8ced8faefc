//! Commands of the crates that need the product: builds and runs one of them, optimised.
//!
//! Cargo runs in the caller's directory, so paths in the arguments mean what the caller meant.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::{Context as _, Result};

use crate::{ci, tree};

/// Runs a command of `package` and returns its exit status.
pub(crate) fn run(package: &str, command: Option<&str>, arguments: Vec<OsString>) -> Result<ExitCode> {
    let mut cargo = ci::cargo_command();
    cargo
        .args(["run", "--quiet", "--release", "--locked", "--package", package, "--manifest-path"])
        .arg(tree::root().join("Cargo.toml"))
        .arg("--")
        .args(command)
        .args(arguments);
    let status = cargo.status().context("can't run cargo")?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
