//! `cargo xtask reproduce REPOSITORY…`: checks that differently optimised builds write the same
//! bytes.
//!
//! One build is portable, without overflow checks; the other is for this processor (`-C
//! target-cpu=native`), with them. Each build indexes fresh clones of the repositories from
//! nothing. Two things must be equal: the ids of all index refs, which cover every byte of every
//! record, and the bytes of the segments, including vectors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use xtask_lab::product;

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Repositories to index. They are cloned and not changed.
    #[arg(required = true, value_name = "REPOSITORY")]
    repositories: Vec<PathBuf>,
    /// Compare these builds instead; two or more. Without them two are made under target/reproduce,
    /// which takes as long as two builds do.
    #[arg(long, value_name = "PATH")]
    binary: Vec<PathBuf>,
}

/// The two builds: name and compiler flags.
const BUILDS: [(&str, &str); 2] =
    [("portable", ""), ("native", "-C target-cpu=native -C overflow-checks=on -C opt-level=2")];

/// The output of one build for one repository: ref or segment name -> object id or checksum.
type BuildOutput = BTreeMap<String, String>;

pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(options.binary.len() != 1, "one build can't differ from itself: name two");
    let binaries = if options.binary.is_empty() { build()? } else { options.binary.clone() };
    let mut n_different = 0;
    for repository in &options.repositories {
        let mut first: Option<BuildOutput> = None;
        for binary in &binaries {
            let made = make(repository, binary)
                .with_context(|| format!("'{}' on '{}'", binary.display(), repository.display()))?;
            ensure!(made.len() >= 2, "'{}' has made no index", binary.display());
            let Some(first) = &first else {
                println!("{}: {} refs and segments", repository.display(), made.len());
                first = Some(made);
                continue;
            };
            for (name, value) in first {
                if made.get(name) != Some(value) {
                    n_different += 1;
                    println!("  {name}: {value} and {}", made.get(name).map_or("nothing", String::as_str));
                }
            }
            n_different += made.keys().filter(|name| !first.contains_key(*name)).count();
        }
    }
    if n_different > 0 {
        bail!("{n_different} refs or segments differ");
    }
    println!("{} builds, the same bytes", binaries.len());
    Ok(())
}

fn build() -> Result<Vec<PathBuf>> {
    let mut binaries = Vec::new();
    for (name, flags) in BUILDS {
        let target = product::root().join("target").join("reproduce").join(name);
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--release", "--locked", "--package", "git-cora", "--target-dir"])
            .arg(&target)
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env("RUSTFLAGS", flags)
            .current_dir(product::root())
            .status()?;
        ensure!(status.success(), "cargo build: {status}");
        binaries.push(target.join("release").join(format!("git-cora{}", std::env::consts::EXE_SUFFIX)));
    }
    Ok(binaries)
}

fn make(repository: &Path, binary: &Path) -> Result<BuildOutput> {
    let dir = tempfile::Builder::new().prefix("git-cora-reproduce-").tempdir()?;
    let clone = dir.path().join("clone.git");
    let git = |args: &[&str]| -> Result<String> {
        let output = Command::new("git").args(args).output()?;
        ensure!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr).trim());
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let (from, to) = (repository.to_string_lossy(), clone.to_string_lossy());
    git(&["clone", "--quiet", "--bare", "--shared", &from, &to])?;
    let output = Command::new(binary.canonicalize()?).args(["index", "HEAD"]).current_dir(&clone).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    let mut made = BuildOutput::new();
    let refs = git(&[
        "-C",
        &to,
        "for-each-ref",
        "--format=%(refname) %(objectname)",
        "refs/cora",
        "refs/cora-local",
    ])?;
    made.extend(
        refs.lines().filter_map(|line| line.split_once(' ')).map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    for entry in std::fs::read_dir(clone.join("cora").join("segments"))? {
        let entry = entry?;
        let bytes = std::fs::read(entry.path())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        made.insert(name, format!("{:08x} of {} bytes", crc32fast::hash(&bytes), bytes.len()));
    }
    Ok(made)
}
