//! `cargo xtask store`: runs the tests against a real database.
//!
//! Runs `tests/store/run.py` with the program; reports its failure, and accepts that no server is
//! available. These tests are not part of `cargo test` because they install a server.

use std::process::Command;

use anyhow::{Context as _, ensure};

/// Exit status of the script if no server is available.
const SKIPPED: i32 = 77;

pub(crate) fn run(binary: Option<std::path::PathBuf>, bench: &[std::path::PathBuf]) -> anyhow::Result<()> {
    let root = xtask_lab::product::root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), std::path::PathBuf::from);
    let binary = match binary {
        Some(binary) => binary,
        None => {
            let built = Command::new("cargo").args(["build", "--locked"]).current_dir(&root).status();
            ensure!(built.context("can't run cargo")?.success(), "the program can't be built");
            target.join("debug/git-cora")
        }
    };
    let mut script = Command::new("python3");
    script.arg(root.join("tests/store/run.py")).arg(binary).arg(target.join("store"));
    if !bench.is_empty() {
        script.arg("--bench").args(bench);
    }
    let Ok(status) = script.status() else {
        println!("skipped: there is no python3");
        return Ok(());
    };
    ensure!(status.success() || status.code() == Some(SKIPPED), "the tests with a database failed");
    Ok(())
}
