//! Debian: a package that needs Git and nothing else (deb(5), deb-control(5)).
//!
//! Written without `dpkg-deb`, so that every platform can, and with the same bytes each time.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::archive::{gzip, tar};
use crate::manifest::Manifest;
use crate::payload::{self, Entry};
use crate::target::Target;
use crate::template;

const CONTROL: &str = include_str!("../../../packaging/deb/control");
const COPYRIGHT: &str = include_str!("../../../packaging/deb/copyright");

/// Returns the file name of the package, if there is one for the platform.
pub(crate) fn file_name(manifest: &Manifest, target: &Target) -> Option<String> {
    Some(format!("{}_{}_{}.deb", manifest.name, manifest.version, target.deb?))
}

/// Returns the package.
///
/// # Errors
/// A file of the repository can't be read, or the platform has no such package.
pub(crate) fn deb(root: &Path, manifest: &Manifest, target: &Target, program: &[u8]) -> Result<Vec<u8>> {
    let arch = target.deb.with_context(|| format!("'{}' has no Debian package", target.triple))?;
    let entries = data(root, target, program)?;
    let size: usize = entries.iter().map(|entry| entry.bytes.len().div_ceil(1024)).sum();
    let control = template::render(
        CONTROL,
        &[
            ("version", &manifest.version),
            ("architecture", arch),
            ("installed_size", &size.to_string()),
            ("homepage", &manifest.repository),
        ],
    )?;
    let control = gzip(&tar(&[Entry::new("control", control)], ".", manifest.seconds, true)?)?;
    let data = gzip(&tar(&entries, ".", manifest.seconds, true)?)?;
    ar(&[("debian-binary", b"2.0\n"), ("control.tar.gz", &control), ("data.tar.gz", &data)], manifest.seconds)
}

/// Returns the files in Debian's places.
fn data(root: &Path, target: &Target, program: &[u8]) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in payload::entries(root, target, program)? {
        let path = format!("usr/{}", entry.path).replace("/zsh/site-functions/", "/zsh/vendor-completions/");
        // Debian wants man pages and change logs compressed, and the licences in one file.
        let entry = match path.rsplit_once('/').map_or("", |(_, name)| name) {
            name if path.contains("/man/man1/") || name == "CHANGELOG.md" => {
                let path = path.replace("CHANGELOG.md", "changelog");
                Entry::new(format!("{path}.gz"), gzip(&entry.bytes)?)
            }
            name if name.starts_with("LICENSE-") => continue,
            _ => Entry { path, ..entry },
        };
        entries.push(entry);
    }
    let mit = String::from_utf8(payload::read(&root.join("LICENSE-MIT"))?)?;
    let copyright = template::render(COPYRIGHT, &[("mit", &indented(&mit))])?;
    entries.push(Entry::new("usr/share/doc/git-cora/copyright", copyright));
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

/// Returns a text as a field of Debian's format: each line is indented, and an empty one is a dot.
fn indented(text: &str) -> String {
    let lines =
        text.trim().lines().map(|line| if line.is_empty() { " .".to_owned() } else { format!(" {line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns members in the common `ar` format: a header of 60 bytes each, and padding to even
/// lengths.
fn ar(members: &[(&str, &[u8])], seconds: u64) -> Result<Vec<u8>> {
    let mut out = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let header = format!("{name:<16}{seconds:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, "100644", bytes.len());
        ensure!(header.len() == 60, "'{name}' does not fit in the header of an archive");
        out.extend(header.as_bytes());
        out.extend(*bytes);
        if bytes.len() % 2 == 1 {
            out.push(b'\n');
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_begin_at_even_places() {
        let archive = ar(&[("a", b"odd"), ("b", b"even")], 7).unwrap();
        assert_eq!(archive.len(), 8 + 60 + 4 + 60 + 4);
        assert_eq!(&archive[8..26], b"a               7 ");
        assert_eq!(&archive[72..74], b"b ");
        assert!(ar(&[("a name that is too long", b"")], 0).is_err());
    }

    #[test]
    fn empty_lines_of_a_field_are_dots() {
        assert_eq!(indented("a\n\nb\n"), " a\n .\n b");
    }
}
