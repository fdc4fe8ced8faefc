//! Which tags are releases of the package that a file belongs to: the names of tags → the first
//! release.
//!
//! In a repository with several packages, a tag names its package: `parser-1.2.0`, `parser@1.2.0`,
//! and `lib/parser/v1.2.0` for a module of Go. A tag of another package says nothing about a file.

use bstr::{BStr, ByteSlice};

use crate::git::Tag;

/// Words before a number that name no package.
const NO_PACKAGES: [&str; 9] =
    ["main", "prod", "rel", "release", "releases", "stable", "tag", "v", "version"];

/// Returns the first of some tags that is of the package of a file; the first of all if none of
/// them names a package around the file.
pub(super) fn first_of_package<'t>(tags: &[&'t Tag], path: Option<&BStr>) -> Option<&'t Tag> {
    let path = path.map(|path| path.to_str_lossy()).unwrap_or_default();
    let folders: Vec<&str> = path.split('/').rev().skip(1).collect();
    // The innermost folder comes first.
    let depth = |tag: &Tag| {
        let of = package(&tag.name);
        folders.iter().position(|folder| of.is_in(folder, &path))
    };
    let innermost = tags.iter().filter_map(|tag| depth(tag)).min();
    // A module of Go is where its tag says.
    let is_elsewhere = |tag: &Tag| package(&tag.name).is_folder;
    match innermost {
        Some(_) => tags.iter().find(|tag| depth(tag) == innermost).copied(),
        None => tags.iter().find(|tag| path.is_empty() || !is_elsewhere(tag)).or(tags.first()).copied(),
    }
}

/// Returns whether two tags are of one package.
pub(super) fn is_one_package(one: &Tag, other: &Tag) -> bool {
    package(&one.name) == package(&other.name)
}

/// A package as a tag names it.
#[derive(Debug, PartialEq, Eq)]
struct Package<'t> {
    /// Its name; empty if the tag names none.
    name: &'t str,
    /// Whether the name is its folder, from the root.
    is_folder: bool,
}

impl Package<'_> {
    /// Whether it is in a folder around a file.
    fn is_in(&self, folder: &str, path: &str) -> bool {
        let last = self.name.rsplit('/').next().unwrap_or(self.name);
        let is_around = || path.strip_prefix(self.name).is_some_and(|rest| rest.starts_with('/'));
        // `@babel/core` is in `babel-core`, or in `core`.
        let joined = || self.name.trim_start_matches('@').replace('/', "-");
        match self.is_folder {
            true => last == folder && is_around(),
            false => !last.is_empty() && (last == folder || joined() == folder),
        }
    }
}

/// Reads the package that a tag names.
fn package(tag: &str) -> Package<'_> {
    let is_version = |text: &str| {
        let number = text.strip_prefix('v').unwrap_or(text);
        number.starts_with(|c: char| c.is_ascii_digit())
    };
    let cut = |separator: char| {
        let mut places = tag.match_indices(separator);
        let (at, _) = places.find(|(at, _)| tag.get(at + 1..).is_some_and(is_version))?;
        tag.get(..at)
    };
    let named = |separator: char| Some(Package { name: cut(separator)?, is_folder: separator == '/' });
    let found = named('@').or_else(|| named('/')).or_else(|| named('-'));
    let found = found.filter(|one| !NO_PACKAGES.contains(&one.name) && !is_version(one.name));
    found.unwrap_or(Package { name: "", is_folder: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::id::ObjectId;

    #[test]
    fn a_tag_names_its_package() {
        for (tag, expected) in [
            ("v1.2.3", ""),
            ("1.2.3-final", ""),
            ("release-1.2", ""),
            ("release/1.2", ""),
            ("tokio-util-0.7.0", "tokio-util"),
            ("clap_derive-v4.0.0", "clap_derive"),
            ("@babel/core@7.1.0", "@babel/core"),
            ("parser@1.0", "parser"),
            ("sdk/metric/v0.3.0", "sdk/metric"),
            ("nightly", ""),
        ] {
            assert_eq!(package(tag).name, expected, "{tag}");
        }
    }

    #[test]
    fn the_first_release_is_of_the_package_of_the_file() {
        let tags = |names: &[&str]| -> Vec<Tag> {
            let commit: ObjectId = "1".repeat(40).parse().unwrap();
            let of = |name: &&str| Tag { name: (*name).to_owned(), commit, time_s: 0, date: String::new() };
            names.iter().map(of).collect()
        };
        for (names, path, expected) in [
            (&["tokio-util-0.7.0", "tokio-1.17.0"][..], "tokio/src/task/join_set.rs", "tokio-1.17.0"),
            (&["tokio-1.17.0", "tokio-util-0.7.0"], "tokio-util/src/a.rs", "tokio-util-0.7.0"),
            (&["tokio-util-0.7.0", "tokio-1.17.0"], "ci/a.sh", "tokio-util-0.7.0"),
            (&["@babel/core@7.1.0", "@babel/cli@7.1.0"], "packages/babel-cli/src/a.js", "@babel/cli@7.1.0"),
            (&["sdk/v0.3.0", "v1.0.0"], "api/a.go", "v1.0.0"),
            (&["v1.0.0", "sdk/v0.3.0"], "sdk/trace/a.go", "sdk/v0.3.0"),
            (&["kafka-0.8", "3.0.0"], "core/src/a.scala", "kafka-0.8"),
        ] {
            let tags = tags(names);
            let all: Vec<&Tag> = tags.iter().collect();
            let found = first_of_package(&all, Some(path.into())).map(|tag| tag.name.as_str());
            assert_eq!(found, Some(expected), "{path}");
        }
    }
}
