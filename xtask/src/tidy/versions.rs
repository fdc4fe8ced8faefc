//! Checks that every place that names the program's version names that of `Cargo.toml`.
//!
//! Packages take it from there. These places can't, because they are read from the repository: the
//! manifest of the plugin, the action, and the names of packages in documents.
//!
//! Checks too that the newest notes in `CHANGELOG.md` name the present versions of the records.

use crate::tree::File;

/// The file that has the version, and what is before it there.
const SOURCE: (&str, &str) = ("Cargo.toml", "version = \"");
/// Files with the version, and what is before it there. Each has it once.
const COPIES: &[(&str, &str)] =
    &[("action.yml", "default: \""), ("plugin/.claude-plugin/plugin.json", "\"version\": \"")];
/// What is before the version in the name of a package.
const PACKAGES: &[&str] = &["git-cora-linux-x64-", "git_cora-", "git-cora_", "git-cora-"];

/// The file that has the versions of the records.
const RECORDS: &str = "src/index/record/mod.rs";
/// The file that names them for each release, the newest release first.
const CHANGES: &str = "CHANGELOG.md";
/// What is before a version of the records: in the code, and in the notes.
const RECORD_VERSIONS: &[(&str, &str)] =
    &[("FORMAT_VERSION: u8 = ", "record format "), ("CONTENT_VERSION: u16 = ", "content version ")];

/// Complains about each place that names another version, and about a file that names none.
pub(super) fn check(files: &[File]) -> Vec<String> {
    let find = |path: &str| files.iter().find(|file| file.path == path);
    let Some(version) = find(SOURCE.0).and_then(|file| first(&file.text, SOURCE.1)) else {
        return vec![format!("{}:1: has no version", SOURCE.0)];
    };
    let mut complaints = Vec::new();
    for (path, before) in COPIES {
        let Some(file) = find(path) else { continue };
        match first(&file.text, before) {
            Some(found) if found == version => {}
            Some(found) => complaints.push(format!("{path}:1: names version {found}, expected {version}")),
            None => complaints.push(format!("{path}:1: has no version after '{before}'")),
        }
    }
    let is_document = |file: &&File| file.path == "README.md" || file.path.starts_with("doc/guide/");
    for file in files.iter().filter(is_document) {
        for (ord, line) in file.text.lines().enumerate() {
            let named = PACKAGES.iter().flat_map(|before| {
                line.match_indices(before).filter_map(|(at, _)| leading(&line[at + before.len()..]))
            });
            complaints.extend(named.filter(|found| *found != version).map(|found| {
                format!("{}:{}: names version {found}, expected {version}", file.path, ord + 1)
            }));
        }
    }
    complaints.extend(record_versions(files));
    complaints
}

/// Complains about each version of the records that the newest notes do not name.
fn record_versions(files: &[File]) -> Vec<String> {
    let find = |path: &str| files.iter().find(|file| file.path == path);
    let Some((records, changes)) = find(RECORDS).zip(find(CHANGES)) else { return Vec::new() };
    let mut complaints = Vec::new();
    for (in_code, in_notes) in RECORD_VERSIONS {
        let Some((_, expected)) = number(&records.text, in_code) else {
            complaints.push(format!("{RECORDS}:1: has no number after '{in_code}'"));
            continue;
        };
        match number(&changes.text, in_notes) {
            Some((_, found)) if found == expected => {}
            Some((line, found)) => {
                complaints.push(format!(
                    "{CHANGES}:{line}: names {in_notes}{found}, expected {in_notes}{expected}"
                ));
            }
            None => complaints.push(format!("{CHANGES}:1: has no number after '{in_notes}'")),
        }
    }
    complaints
}

/// Returns the first number behind `before`, and its line.
fn number<'t>(text: &'t str, before: &str) -> Option<(usize, &'t str)> {
    text.match_indices(before).find_map(|(at, _)| {
        let rest = &text[at + before.len()..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        (end > 0).then(|| (text[..at].matches('\n').count() + 1, &rest[..end]))
    })
}

/// Returns the version behind the first place of a text that one follows.
fn first<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    text.match_indices(before).find_map(|(at, _)| leading(&text[at + before.len()..]))
}

/// Returns the version that a text begins with: three numbers with dots between them.
fn leading(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let version = text[..end].trim_end_matches('.');
    let is_version = version.split('.').count() == 3 && version.split('.').all(|part| !part.is_empty());
    is_version.then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_has_the_version_of_the_package() {
        let cargo = "[workspace]\nresolver = \"3\"\n[workspace.package]\nversion = \"1.2.3\"\n";
        let files = |plugin: &str, action: &str, guide: &str| {
            check(&[
                File::new("Cargo.toml", cargo),
                File::new("plugin/.claude-plugin/plugin.json", plugin),
                File::new("action.yml", action),
                File::new("doc/guide/install.md", guide),
            ])
        };
        let (plugin, action) = ("{\"version\": \"1.2.3\"}", "default: \"true\"\n  default: \"1.2.3\"\n");
        let guide =
            "npm install git-cora-1.2.3.tgz\npip install git_cora-1.2.3-py3.whl, git-cora_1.2.3_amd64.deb.";
        assert_eq!(files(plugin, action, guide), Vec::<String>::new());
        assert_eq!(files("{}", action, guide).len(), 1);
        assert_eq!(
            files(plugin, "default: \"1.2.4\"", guide),
            ["action.yml:1: names version 1.2.4, expected 1.2.3"]
        );
        assert_eq!(
            files(plugin, action, "a\ntar xf git-cora-1.2.2-x86_64.tar.gz"),
            ["doc/guide/install.md:2: names version 1.2.2, expected 1.2.3"]
        );
        assert_eq!(files(plugin, action, "git-cora-VERSION.tgz and git-cora-linux-x64-1.2.4.tgz").len(), 1);
        assert_eq!(check(&[]).len(), 1);
    }

    #[test]
    fn the_newest_notes_name_the_versions_of_the_records() {
        let complaints = |changes: &str| {
            let code = "pub const FORMAT_VERSION: u8 = 1;\npub const CONTENT_VERSION: u16 = 17;\n";
            record_versions(&[File::new(RECORDS, code), File::new(CHANGES, changes)])
        };
        let old = "\n## 0.1.0\nRecord format 1 and content version 3, record format 1.\n";
        let new = |number: &str| format!("# A\nrecord format 1 and content version {number}.\n{old}");
        assert_eq!(complaints(&new("17")), Vec::<String>::new());
        assert_eq!(
            complaints(&new("16")),
            ["CHANGELOG.md:2: names content version 16, expected content version 17"]
        );
        assert_eq!(complaints("record format 1").len(), 1);
        assert_eq!(record_versions(&[File::new(RECORDS, "")]), Vec::<String>::new());
    }
}
