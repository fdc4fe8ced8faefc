//! `cargo xtask ci`: runs everything that continuous integration checks.
//!
//! The cheap checks come first. A failure does not stop the run, so one run reports every problem;
//! the last lines list the checks that failed. It installs nothing: a check whose tool is missing
//! is named and skipped, and the public workflow runs it instead.

use std::env;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, bail};

use crate::{codegen, tidy, tree};

/// Runs all checks; fails with the names of those that failed.
pub(crate) fn run() -> Result<()> {
    let mut failed = Vec::new();
    let mut check = |name: &'static str, run: &dyn Fn() -> Result<()>| {
        println!("== {name}");
        let start = Instant::now();
        match run() {
            Ok(()) => println!("== {name}: ok, {:.1} s", start.elapsed().as_secs_f64()),
            Err(error) => {
                println!("== {name}: failed: {error:#}");
                failed.push(name);
            }
        }
    };
    check("tidy", &tidy::run);
    check("codegen", &codegen::check);
    check("fmt", &|| cargo(&["fmt", "--all", "--check"], &[]));
    check("deny", &deny);
    check("clippy", &|| {
        cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"], &[])
    });
    check("fuzz", &fuzz);
    check("test", &|| cargo(&["test", "--locked", "--workspace"], &[]));
    check("doc", &|| {
        cargo(&["doc", "--locked", "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])
    });
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    println!("== all checks passed");
    Ok(())
}

/// Checks that the fuzz targets compile. They are a workspace of their own, and compile files of
/// the program by their paths. The fuzzer itself, which is C++, is left out.
fn fuzz() -> Result<()> {
    let target = env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let manifest = ["--manifest-path", "tests/fuzz/Cargo.toml", "--target-dir", &target];
    let check = ["check", "--locked", "--bins", "--no-default-features", "--features", "http"];
    cargo(&[&check[..], &manifest[..]].concat(), &[])
}

/// Checks licences, banned crates and sources. Advisories need the network, so only the public
/// workflow checks them.
fn deny() -> Result<()> {
    if !tree::installed("cargo-deny", &["--version"]) {
        println!("cargo-deny is not installed: licences, bans and sources are not checked here");
        return Ok(());
    }
    cargo(&["deny", "--locked", "check", "licenses", "bans", "sources"], &[])
}

/// Runs the same cargo that runs this program; its output goes where ours goes.
fn cargo(args: &[&str], envs: &[(&str, &str)]) -> Result<()> {
    let mut command = cargo_command();
    command.args(args).envs(envs.iter().copied()).current_dir(tree::root()).stdin(Stdio::null());
    let status = command.status()?;
    if !status.success() {
        bail!("cargo {}: {status}", args.join(" "));
    }
    Ok(())
}

/// Returns the same cargo that runs this program, without the variables that `cargo run` sets for
/// xtask. A program that reads them would see the wrong package.
pub(crate) fn cargo_command() -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
        command.env_remove(name);
    }
    command
}
