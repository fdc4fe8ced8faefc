//! PyPI: a wheel with the program among its scripts, so that `pip` puts it on the `PATH` without a
//! launcher (packaging.python.org/en/latest/specifications/binary-distribution-format).

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use sha2::{Digest as _, Sha256};

use crate::archive::zip;
use crate::manifest::Manifest;
use crate::payload::{self, Entry};
use crate::target::Target;

/// Returns the file name of the wheel.
pub(crate) fn file_name(manifest: &Manifest, target: &Target) -> String {
    format!("{}-py3-none-{}.whl", stem(manifest), target.wheel.join("."))
}

fn stem(manifest: &Manifest) -> String {
    format!("{}-{}", manifest.name.replace('-', "_"), manifest.version)
}

/// Returns the wheel of a platform.
///
/// # Errors
/// A file of the repository can't be read.
pub(crate) fn wheel(root: &Path, manifest: &Manifest, target: &Target, program: &[u8]) -> Result<Vec<u8>> {
    let (data, info) = (format!("{}.data", stem(manifest)), format!("{}.dist-info", stem(manifest)));
    let mut entries = vec![Entry::program(format!("{data}/scripts/{}", target.program()), program)];
    for entry in payload::entries(root, target, &[])?.into_iter().filter(|entry| !entry.is_program) {
        entries.push(Entry { path: format!("{data}/data/{}", entry.path), ..entry });
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        entries.push(Entry::new(format!("{info}/licenses/{name}"), payload::read(&root.join(name))?));
    }
    let readme = String::from_utf8(payload::read(&root.join("README.md"))?)?;
    entries.push(Entry::new(format!("{info}/METADATA"), metadata(manifest, &readme)));
    let mut tags = String::from("Wheel-Version: 1.0\nGenerator: xtask-dist\nRoot-Is-Purelib: false\n");
    for tag in target.wheel {
        writeln!(tags, "Tag: py3-none-{tag}")?;
    }
    entries.push(Entry::new(format!("{info}/WHEEL"), tags));
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    let mut record = String::new();
    for entry in &entries {
        let hash = base64_url(&Sha256::digest(&entry.bytes));
        writeln!(record, "{},sha256={hash},{}", entry.path, entry.bytes.len())?;
    }
    // The record is the last entry, as the specification asks, and has no hash of itself.
    let path = format!("{info}/RECORD");
    writeln!(record, "{path},,")?;
    entries.push(Entry::new(path, record));
    zip(&entries, None, manifest.seconds)
}

fn metadata(manifest: &Manifest, readme: &str) -> String {
    let Manifest { name, version, description, repository, license, keywords, .. } = manifest;
    let keywords = keywords.join(",");
    format!(
        "Metadata-Version: 2.4\nName: {name}\nVersion: {version}\nSummary: {description}\n\
         License-Expression: {license}\nLicense-File: LICENSE-APACHE\nLicense-File: LICENSE-MIT\n\
         Keywords: {keywords}\nProject-URL: Repository, {repository}\nRequires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\n{readme}"
    )
}

/// Encodes bytes in base64 with the letters of URLs, without padding.
fn base64_url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for ord in 0..=chunk.len() {
            let letter = (bits >> (18 - 6 * ord) & 63) as usize;
            out.push(char::from(LETTERS[letter]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_encoded_without_padding() {
        for (bytes, text) in
            [(&b""[..], ""), (b"f", "Zg"), (b"fo", "Zm8"), (b"foo", "Zm9v"), (b"\xfb\xff", "-_8")]
        {
            assert_eq!(base64_url(bytes), text);
        }
    }
}
