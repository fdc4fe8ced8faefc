//! `cargo xtask dist`: packages the program for every way to install it.
//!
//! Owns the archives, packages and manifests of a release. It builds the program with cargo, or
//! takes one that was built before, and publishes nothing. The same commit and program give the
//! same bytes. A crate of its own, because it needs libraries that `xtask` starts faster without.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![allow(clippy::disallowed_methods, reason = "a tool of the workshop, not of the product")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use clap::{Parser, ValueEnum};

mod archive;
mod deb;
mod manifest;
mod npm;
mod payload;
mod program;
mod release;
mod target;
mod template;
mod wheel;

use manifest::Manifest;
use target::{TARGETS, Target};

/// Package the program for every way to install it.
///
/// Builds the program for each target, and writes archives, packages and checksums. Publishes
/// nothing.
#[derive(Debug, Parser)]
#[command(name = "dist", bin_name = "cargo xtask dist")]
struct Args {
    /// A platform, by Rust's name; may be repeated. The default is static Linux on x86-64.
    #[arg(long = "target", value_name = "TRIPLE", value_delimiter = ',')]
    targets: Vec<String>,

    /// Write only these formats.
    #[arg(long = "format", value_name = "FORMAT", value_enum, value_delimiter = ',')]
    formats: Vec<Format>,

    /// Package the program at PATH, instead of building one.
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,

    /// Package no program: write the files for all platforms, from the packages in the folder.
    #[arg(long, conflicts_with_all = ["targets", "binary"])]
    assemble: bool,

    /// The folder to write to. The default is 'target/dist-packages' in the repository.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A way to install the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A `.tar.gz`, or a `.zip` for Windows; `cargo binstall` reads it too.
    Archive,
    /// A package for Debian and Ubuntu.
    Deb,
    /// Packages for npm: one for the platform, and one that depends on it.
    Npm,
    /// A wheel for pip.
    Pypi,
    /// A formula for Homebrew, from the archives.
    Homebrew,
    /// A manifest for Scoop, from the archive for Windows.
    Scoop,
    /// A Dockerfile that adds the archive for Linux.
    Docker,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let root = manifest::root();
    let manifest = Manifest::read(&root)?;
    let formats = if args.formats.is_empty() { Format::value_variants() } else { &args.formats };
    let targets: Vec<_> = match args.targets.as_slice() {
        _ if args.assemble => Vec::new(),
        [] => vec![&TARGETS[0]],
        names => names.iter().map(|name| target::find(name)).collect::<Result<_>>()?,
    };
    ensure!(
        args.binary.is_none() || targets.len() == 1,
        "'--binary' is a program for one target, and there are {}",
        targets.len()
    );
    let out = args.out.clone().unwrap_or_else(|| root.join("target/dist-packages"));
    fs::create_dir_all(&out).with_context(|| format!("can't make the folder '{}'", out.display()))?;
    for target in targets {
        let path = match &args.binary {
            Some(path) => path.clone(),
            None => program::build(&root, target)?,
        };
        let program = program::read(&path, target, &manifest)?;
        println!("{}: {:.1} MB", target.triple, megabytes(program.len()));
        for (name, write) in packages(&root, &manifest, target, formats) {
            let start = Instant::now();
            let bytes = write(&program).with_context(|| format!("can't make '{name}'"))?;
            fs::write(out.join(&name), &bytes)
                .with_context(|| format!("can't write '{}'", out.join(&name).display()))?;
            println!("{name}: {:.1} MB in {:.1} s", megabytes(bytes.len()), start.elapsed().as_secs_f64());
        }
    }
    for name in release::write(&root, &out, &manifest, formats)? {
        println!("{name}");
    }
    release::write_sums(&out, &manifest)?;
    println!("{}", out.join(release::SUMS).display());
    Ok(())
}

/// Makes a package from a program.
type Packager<'a> = Box<dyn Fn(&[u8]) -> Result<Vec<u8>> + 'a>;

/// Returns the packages of a platform by file name, each with what makes it.
fn packages<'a>(
    root: &'a Path,
    manifest: &'a Manifest,
    target: &'a Target,
    formats: &[Format],
) -> Vec<(String, Packager<'a>)> {
    let version = &manifest.version;
    let mut packages: Vec<(String, Packager<'a>)> = Vec::new();
    if formats.contains(&Format::Archive) {
        packages.push((
            target.archive(version),
            Box::new(move |program| {
                let entries = payload::entries(root, target, program)?;
                let top = target.archive_stem(version);
                if target.is_windows() {
                    archive::zip(&entries, Some(&top), manifest.seconds)
                } else {
                    archive::tar_gz(&entries, &top, manifest.seconds)
                }
            }),
        ));
    }
    if let Some(name) = deb::file_name(manifest, target).filter(|_| formats.contains(&Format::Deb)) {
        packages.push((name, Box::new(move |program| deb::deb(root, manifest, target, program))));
    }
    if formats.contains(&Format::Npm) {
        packages.push((
            target.npm_file(version),
            Box::new(move |program| npm::platform(root, manifest, target, program)),
        ));
    }
    if formats.contains(&Format::Pypi) {
        packages.push((
            wheel::file_name(manifest, target),
            Box::new(move |program| wheel::wheel(root, manifest, target, program)),
        ));
    }
    packages
}

#[allow(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(len: usize) -> f64 {
    len as f64 / 1e6
}
