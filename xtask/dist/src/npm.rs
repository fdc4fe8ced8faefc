//! npm: one package for each platform, which carries the program, and `git-cora`, which starts it.
//!
//! npm installs those of the optional dependencies that are for the machine, and runs no script
//! (docs.npmjs.com/cli/v11/configuring-npm/package-json#optionaldependencies).

use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::archive::tar_gz;
use crate::manifest::Manifest;
use crate::payload::{self, Entry};
use crate::target::Target;

/// Starts the program of the platform.
const LAUNCHER: &str = include_str!("../../../packaging/npm/launcher.js");

/// Returns the package of a platform.
///
/// # Errors
/// A file of the repository can't be read.
pub(crate) fn platform(root: &Path, manifest: &Manifest, target: &Target, program: &[u8]) -> Result<Vec<u8>> {
    let (os, cpu) = target.npm;
    let mut package = head(manifest, &target.npm_package(), &format!("{} for {os} on {cpu}", manifest.name));
    package.insert("os".to_owned(), json!([os]));
    package.insert("cpu".to_owned(), json!([cpu]));
    package.insert("preferUnplugged".to_owned(), json!(true));
    let mut entries = common(root, package)?;
    entries.push(Entry::program(format!("bin/{}", target.program()), program));
    pack(entries, manifest)
}

/// Returns the package that users install. It depends on the packages of these platforms.
///
/// # Errors
/// A file of the repository can't be read.
pub(crate) fn main(root: &Path, manifest: &Manifest, targets: &[&Target]) -> Result<Vec<u8>> {
    let mut package = head(manifest, &manifest.name, &manifest.description);
    let platforms = targets.iter().map(|target| (target.npm_package(), json!(manifest.version)));
    package.insert("bin".to_owned(), json!({ "git-cora": "bin/git-cora.js" }));
    package.insert("optionalDependencies".to_owned(), Value::Object(platforms.collect()));
    package.insert("engines".to_owned(), json!({ "node": ">=18" }));
    let pages = payload::man_pages(root)?;
    let names = pages.iter().map(|page| page.path.replacen("share/man/man1", "man", 1));
    package.insert("man".to_owned(), names.clone().map(|name| json!(format!("./{name}"))).collect());
    let mut entries = common(root, package)?;
    entries.extend(names.zip(&pages).map(|(name, page)| Entry::new(name, page.bytes.clone())));
    entries.push(Entry::program("bin/git-cora.js", LAUNCHER));
    pack(entries, manifest)
}

fn head(manifest: &Manifest, name: &str, description: &str) -> Map<String, Value> {
    let repository = json!({ "type": "git", "url": format!("git+{}.git", manifest.repository) });
    let head = json!({
        "name": name,
        "version": manifest.version,
        "description": description,
        "license": manifest.license,
        "repository": repository,
        "keywords": manifest.keywords,
    });
    head.as_object().cloned().unwrap_or_default()
}

fn common(root: &Path, package: Map<String, Value>) -> Result<Vec<Entry>> {
    let mut entries = payload::documents(root)?;
    let text = serde_json::to_string_pretty(&Value::Object(package))? + "\n";
    entries.push(Entry::new("package.json", text));
    Ok(entries)
}

fn pack(mut entries: Vec<Entry>, manifest: &Manifest) -> Result<Vec<u8>> {
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    tar_gz(&entries, "package", manifest.seconds)
}
