//! The program that is packaged: builds it, or checks one that was built before.
//!
//! Whatever its origin, it must be for the platform, static where that is promised, and of the
//! version that the packages name.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::manifest::{Manifest, cargo, output};
use crate::target::Target;

/// Builds the program for a platform, and returns its path.
///
/// # Errors
/// A tool is missing, or the build fails.
pub(crate) fn build(root: &Path, target: &Target) -> Result<PathBuf> {
    check_tools(target)?;
    let mut command = cargo();
    command
        .args(["build", "--locked", "--profile", "dist", "--package", "git-cora", "--target", target.triple])
        .current_dir(root);
    // No path of this machine gets into the program, so that every machine builds the same bytes.
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let (mut rust, mut c) =
        (env::var("RUSTFLAGS").unwrap_or_default(), env::var("CFLAGS").unwrap_or_default());
    for (from, to) in [(Some(root.to_owned()), "/git-cora"), (cargo_home, "/cargo")] {
        let Some(from) = from else { continue };
        rust += &format!(" --remap-path-prefix={}={to}", from.display());
        c += &format!(" -ffile-prefix-map={}={to}", from.display());
    }
    command.env("RUSTFLAGS", rust.trim());
    if !target.triple.ends_with("-msvc") {
        command.env("CFLAGS", c.trim());
    }
    let status = command.status().context("can't run cargo")?;
    ensure!(status.success(), "cargo could not build for '{}' ({status})", target.triple);
    let base = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    Ok(base.join(target.triple).join("dist").join(target.program()))
}

fn check_tools(target: &Target) -> Result<()> {
    let libraries =
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", target.triple]))?;
    ensure!(
        Path::new(libraries.trim()).is_dir(),
        "Rust's standard library for '{0}' is not installed\nhint: rustup target add {0}",
        target.triple
    );
    // The variables by which the crate `cc` takes another compiler.
    let own = format!("CC_{}", target.triple.replace('-', "_"));
    let is_chosen = [own.as_str(), "TARGET_CC", "CC"].iter().any(|name| env::var_os(name).is_some());
    if let Some((compiler, package)) = target.compiler.filter(|_| !is_chosen) {
        ensure!(
            Command::new(compiler).arg("--version").output().is_ok(),
            "the C compiler '{compiler}' is not installed\n\
             hint: sudo apt-get install {package}, or name another compiler in '{own}'"
        );
    }
    Ok(())
}

/// Reads a program and checks that it may be packaged.
///
/// # Errors
/// It is for another platform, needs a C library that it must not need, or has another version.
pub(crate) fn read(path: &Path, target: &Target, manifest: &Manifest) -> Result<Vec<u8>> {
    let bytes = fs::read(path).with_context(|| format!("can't read '{}'", path.display()))?;
    check(&bytes, target).with_context(|| format!("'{}' can't be packaged", path.display()))?;
    if target.is_native() {
        let path = path.canonicalize()?;
        let version = output(Command::new(&path).arg("--version"))?;
        let expected = format!("{} {}", manifest.name, manifest.version);
        ensure!(
            version.trim() == expected,
            "'{}' is '{}', expected '{expected}'\nhint: build it again",
            path.display(),
            version.trim()
        );
    }
    Ok(bytes)
}

/// Checks the format of a program, its processor, and whether it is static.
fn check(bytes: &[u8], target: &Target) -> Result<()> {
    let is_arm = target.triple.starts_with("aarch64");
    if target.is_windows() {
        ensure!(bytes.starts_with(b"MZ"), "it is not a program for Windows");
        return Ok(());
    }
    if target.triple.contains("-apple-") {
        let processor: [u8; 4] = if is_arm { [0x0c, 0, 0, 1] } else { [7, 0, 0, 1] };
        let is_right =
            bytes.starts_with(&[0xcf, 0xfa, 0xed, 0xfe]) && bytes.get(4..8) == Some(&processor[..]);
        ensure!(is_right, "it is not a program for '{}'", target.triple);
        return Ok(());
    }
    let machine: u16 = if is_arm { 183 } else { 62 };
    let is_elf =
        bytes.starts_with(b"\x7fELF\x02\x01") && bytes.get(18..20) == Some(&machine.to_le_bytes()[..]);
    ensure!(is_elf, "it is not a program for '{}'", target.triple);
    ensure!(!target.is_static() || !needs_loader(bytes)?, "it is not static: it names a loader");
    Ok(())
}

/// Whether a 64-bit ELF file has a segment with the name of a dynamic loader (elf(5), `PT_INTERP`).
fn needs_loader(bytes: &[u8]) -> Result<bool> {
    const PT_INTERP: u64 = 3;
    let number = |at: usize, len: usize| -> Result<u64> {
        let field = at.checked_add(len).and_then(|end| bytes.get(at..end)).context("it is cut off")?;
        Ok(field.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    };
    let (offset, size, n_segments) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for ord in 0..n_segments {
        let at = offset.checked_add(ord * size).and_then(|at| usize::try_from(at).ok());
        let Some(at) = at else { bail!("it is cut off") };
        if number(at, 4)? == PT_INTERP {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::find;

    /// A 64-bit ELF file with one segment of this type.
    fn elf(machine: u8, segment: u8) -> Vec<u8> {
        let mut bytes = vec![0; 64 + 56];
        bytes[..6].copy_from_slice(b"\x7fELF\x02\x01");
        (bytes[18], bytes[32], bytes[54], bytes[56], bytes[64]) = (machine, 64, 56, 1, segment);
        bytes
    }

    #[test]
    fn a_program_for_another_platform_is_refused() {
        let [musl, gnu, arm] =
            ["x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-musl"]
                .map(|triple| find(triple).unwrap());
        let [windows, mac] =
            ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"].map(|triple| find(triple).unwrap());
        let mach = b"\xcf\xfa\xed\xfe\x0c\0\0\x01";
        for (bytes, target, is_right) in [
            (elf(62, 1), musl, true),
            (elf(62, 3), musl, false),
            (elf(62, 3), gnu, true),
            (elf(183, 1), arm, true),
            (elf(62, 1), arm, false),
            (elf(62, 1), windows, false),
            (b"MZ".to_vec(), windows, true),
            (mach.to_vec(), mac, true),
            (mach.to_vec(), find("x86_64-apple-darwin").unwrap(), false),
            (b"#!/bin/sh\n".to_vec(), musl, false),
            (elf(62, 1)[..70].to_vec(), musl, true),
            (elf(62, 1)[..60].to_vec(), musl, false),
        ] {
            assert_eq!(check(&bytes, target).is_ok(), is_right, "{} {:?}", target.triple, bytes.get(..4));
        }
        // Lengths that lead nowhere are an error, not a panic.
        let mut cut = elf(62, 1);
        cut[32..40].fill(0xff);
        assert!(check(&cut, musl).is_err());
    }
}
