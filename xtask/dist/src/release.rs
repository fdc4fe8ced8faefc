//! What covers all platforms: the npm package that users install, a Homebrew formula, a Scoop
//! manifest, a Dockerfile, and the checksums.
//!
//! Made from the archives in the output folder, because their checksums are part of it.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use crate::manifest::Manifest;
use crate::payload;
use crate::target::{TARGETS, Target};
use crate::{Format, npm, template};

const FORMULA: &str = include_str!("../../../packaging/git-cora.rb");
const DOCKERFILE: &str = include_str!("../../../packaging/Dockerfile");
/// Name of the file with the checksums, in the format of `sha256sum`.
pub(crate) const SUMS: &str = "SHA256SUMS";

/// Writes the formats that cover all platforms, and returns their names.
///
/// # Errors
/// The folder lacks what a format is made from.
pub(crate) fn write(root: &Path, out: &Path, manifest: &Manifest, formats: &[Format]) -> Result<Vec<String>> {
    let mut written = Vec::new();
    let mut put = |name: &str, bytes: &[u8]| -> Result<()> {
        fs::write(out.join(name), bytes)
            .with_context(|| format!("can't write '{}'", out.join(name).display()))?;
        written.push(name.to_owned());
        Ok(())
    };
    let version = &manifest.version;
    if formats.contains(&Format::Npm) {
        let targets = unique(present(out, |target| target.npm_file(version)));
        ensure!(!targets.is_empty(), "no npm package of a platform in '{}'", out.display());
        put(&format!("{}-{version}.tgz", manifest.name), &npm::main(root, manifest, &targets)?)?;
    }
    if formats.contains(&Format::Homebrew)
        && let Some(formula) = formula(out, manifest)?
    {
        put("git-cora.rb", formula.as_bytes())?;
    }
    if formats.contains(&Format::Scoop)
        && let Some(scoop) = scoop(out, manifest)?
    {
        put("git-cora.json", scoop.as_bytes())?;
    }
    if formats.contains(&Format::Docker) {
        put("Dockerfile", template::render(DOCKERFILE, &[("version", version)])?.as_bytes())?;
    }
    Ok(written)
}

/// Returns the platforms whose file is in the folder.
fn present(out: &Path, name: impl Fn(&Target) -> String) -> Vec<&'static Target> {
    TARGETS.iter().filter(|target| out.join(name(target)).is_file()).collect()
}

/// Keeps one platform for each npm package.
fn unique(targets: Vec<&'static Target>) -> Vec<&'static Target> {
    let mut kept: Vec<&'static Target> = Vec::new();
    for target in targets {
        if kept.iter().all(|other| other.npm != target.npm) {
            kept.push(target);
        }
    }
    kept
}

fn url(manifest: &Manifest, target: &Target) -> String {
    let version = &manifest.version;
    format!("{}/releases/download/v{version}/{}", manifest.repository, target.archive(version))
}

/// Returns the formula for Homebrew (docs.brew.sh/Formula-Cookbook), if an archive is for it.
fn formula(out: &Path, manifest: &Manifest) -> Result<Option<String>> {
    let targets = present(out, |target| target.archive(&manifest.version));
    let mut places = String::new();
    for system in ["macos", "linux"] {
        let mut inner = String::new();
        for target in &targets {
            let Some((_, processor)) = target.homebrew.filter(|(name, _)| *name == system) else { continue };
            let hash = sha256(&payload::read(&out.join(target.archive(&manifest.version)))?);
            let url = url(manifest, target);
            inner +=
                &format!("    on_{processor} do\n      url \"{url}\"\n      sha256 \"{hash}\"\n    end\n");
        }
        if !inner.is_empty() {
            places += &format!("  on_{system} do\n{inner}  end\n");
        }
    }
    if places.is_empty() {
        return Ok(None);
    }
    let values = [
        ("description", manifest.description.as_str()),
        ("homepage", &manifest.repository),
        ("version", &manifest.version),
        ("places", places.trim_end()),
    ];
    template::render(FORMULA, &values).map(Some)
}

/// Returns the manifest for Scoop (github.com/ScoopInstaller/Scoop/wiki/App-Manifests), if an
/// archive is for Windows.
fn scoop(out: &Path, manifest: &Manifest) -> Result<Option<String>> {
    let targets = present(out, |target| target.archive(&manifest.version));
    let Some(target) = targets.into_iter().find(|target| target.is_windows()) else { return Ok(None) };
    let hash = sha256(&payload::read(&out.join(target.archive(&manifest.version)))?);
    let text = json!({
        "version": manifest.version,
        "description": manifest.description,
        "homepage": manifest.repository,
        "license": manifest.license,
        "depends": "git",
        "architecture": { "64bit": { "url": url(manifest, target), "hash": hash } },
        "extract_dir": target.archive_stem(&manifest.version),
        "bin": "bin\\git-cora.exe",
    });
    Ok(Some(serde_json::to_string_pretty(&text)? + "\n"))
}

/// Writes the checksums of everything in the folder.
///
/// # Errors
/// The folder has packages of another version: their checksums would be published with ours.
pub(crate) fn write_sums(out: &Path, manifest: &Manifest) -> Result<()> {
    let context = || format!("can't read '{}'", out.display());
    let mut names = Vec::new();
    for file in fs::read_dir(out).with_context(context)? {
        let file = file.with_context(context)?;
        if file.file_type().with_context(context)?.is_file() {
            names.push(file.file_name().to_string_lossy().into_owned());
        }
    }
    names.retain(|name| name != SUMS);
    names.sort_unstable();
    let mut sums = String::new();
    for name in &names {
        let is_versioned = [".gz", ".zip", ".tgz", ".whl", ".deb"].iter().any(|end| name.ends_with(end));
        ensure!(
            !is_versioned || name.contains(&manifest.version),
            "'{}' is of another version\nhint: remove it, or name another folder with '--out'",
            out.join(name).display()
        );
        sums += &format!("{}  {name}\n", sha256(&payload::read(&out.join(name))?));
    }
    fs::write(out.join(SUMS), sums).with_context(|| format!("can't write '{}'", out.join(SUMS).display()))
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
