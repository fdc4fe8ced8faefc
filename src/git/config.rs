//! Git configuration, read as Git reads it: system, global, local, work tree, environment.
//!
//! An invalid value is an error that names its key, never a silent default. All values are those at
//! the time of opening. `git -c key=value` reaches us as
//! `GIT_CONFIG_PARAMETERS`. The library doesn't know that variable, so it is parsed here.

use std::path::{Path, PathBuf};

use bstr::BString;
use gix::config::Source;
use gix::config::file::Metadata;

use super::{Error, Repository, Result, without_credentials};
use crate::base::config::{ConfigError, Key};
use crate::base::path::real_or_same;

impl Repository {
    /// Returns the last value of a key such as `cora.keep`; `None` if it is unset or not UTF-8.
    pub fn config_string(&self, key: &str) -> Option<String> {
        if !is_key(key) {
            return None;
        }
        let handle = self.handle();
        let value = handle.config_snapshot().plumbing().string_filter(key, self.counts())?;
        String::from_utf8(value.into()).ok()
    }

    /// The number under `key`, or the key's default.
    ///
    /// # Errors
    /// [`ConfigError`] for a value that is not such a number.
    pub fn setting(&self, key: &Key) -> std::result::Result<u64, ConfigError> {
        key.number(self.config_string(key.name).as_deref())
    }

    /// As [`Repository::config_string`], for what must not come with a repository's content, such
    /// as where data is sent. A value from a file inside a work tree, which an `include` may name,
    /// does not count. If the user's own configuration names a file of another repository, it does:
    /// many people keep their settings under version control.
    pub fn config_private(&self, key: &str) -> Option<String> {
        if !is_key(key) {
            return None;
        }
        let work_dir = self.work_dir().map(real_or_same);
        let private = [self.git_dir(), self.common_dir()].map(real_or_same);
        let counts = self.counts();
        let is_private = |metadata: &Metadata| {
            counts(metadata)
                && metadata.path.as_deref().is_none_or(|path| {
                    let path = real_or_same(path);
                    if private.iter().any(|dir| path.starts_with(dir)) {
                        return true;
                    }
                    let is_own = matches!(metadata.source, Source::Local | Source::Worktree);
                    let is_content = |common: PathBuf| is_own || private.contains(&common);
                    work_dir.as_ref().is_none_or(|dir| !path.starts_with(dir))
                        && !repositories_around(&path).any(is_content)
                })
        };
        let handle = self.handle();
        let value = handle.config_snapshot().plumbing().string_filter(key, is_private)?;
        String::from_utf8(value.into()).ok()
    }

    /// Returns the last value of a key as a boolean; `None` if it is unset.
    ///
    /// # Errors
    /// [`Error::Config`] if it is not one of Git's spellings.
    pub fn config_bool(&self, key: &str) -> Result<Option<bool>> {
        if !is_key(key) {
            return Ok(None);
        }
        let value = self.handle().config_snapshot().plumbing().boolean_filter(key, self.counts());
        value.map_err(|_| self.bad_value(key, "true or false"))
    }

    /// Returns the last value of a key as a number, which may end in `k`, `m` or `g`; `None` if it
    /// is unset.
    ///
    /// # Errors
    /// [`Error::Config`] if it is not a number or is too large.
    pub fn config_i64(&self, key: &str) -> Result<Option<i64>> {
        if !is_key(key) {
            return Ok(None);
        }
        let value = self.handle().config_snapshot().plumbing().integer_filter(key, self.counts());
        value.map_err(|_| self.bad_value(key, "a number"))
    }

    /// Returns all values of a key in the order of the files, without those that are not UTF-8.
    pub fn config_all(&self, key: &str) -> Vec<String> {
        if !is_key(key) {
            return Vec::new();
        }
        let handle = self.handle();
        let values =
            handle.config_snapshot().plumbing().strings_filter(key, self.counts()).unwrap_or_default();
        values.into_iter().filter_map(|value| String::from_utf8(value.into()).ok()).collect()
    }

    /// Returns the configured address of a remote; `url.<base>.insteadOf` is not applied.
    pub fn remote_url(&self, name: &str) -> Option<String> {
        self.config_string(&format!("remote.{name}.url"))
    }

    /// Returns the address of `origin` without credentials; empty if there is none.
    pub fn origin(&self) -> String {
        self.remote_url("origin").map(|url| without_credentials(&url)).unwrap_or_default()
    }

    /// Returns the filter for the files whose values count: all of them once Git has opened the
    /// repository.
    fn counts(&self) -> impl Fn(&Metadata) -> bool + use<> {
        let is_vetted = self.is_trusted();
        move |metadata| is_vetted || metadata.trust == gix::sec::Trust::Full
    }

    fn bad_value(&self, key: &str, expected: &'static str) -> Error {
        Error::Config { key: key.to_owned(), value: self.config_string(key).unwrap_or_default(), expected }
    }
}

/// Returns the common Git directories of the repositories in whose work trees a file is.
fn repositories_around(file: &Path) -> impl Iterator<Item = PathBuf> {
    file.ancestors().skip(1).filter_map(|dir| {
        let dot = dir.join(".git");
        let git_dir = if dot.is_file() { gix::discover::path::from_gitdir_file(&dot).ok()? } else { dot };
        if !git_dir.is_dir() {
            return None;
        }
        let common = match gix::discover::path::from_plain_file(&git_dir.join("commondir")) {
            Some(common) => git_dir.join(common.ok()?),
            None => git_dir,
        };
        Some(real_or_same(&common))
    })
}

/// Returns whether a key has a section and a name. The library insists on both.
fn is_key(key: &str) -> bool {
    key.split_once('.').is_some_and(|(section, rest)| !section.is_empty() && !rest.is_empty())
}

/// Returns the settings of `git -c`, each as `key=value` or just `key`.
pub(super) fn settings_of_command_line() -> Vec<BString> {
    let parameters = std::env::var_os("GIT_CONFIG_PARAMETERS").unwrap_or_default();
    parse_parameters(parameters.as_encoded_bytes())
        .into_iter()
        .filter(|setting| setting.contains(&b'.'))
        .collect()
}

/// Parses shell-quoted settings: `'key'='value' 'key'` (Git 2.31 and later) or `'key=value'`
/// (before).
pub fn parse_parameters(bytes: &[u8]) -> Vec<BString> {
    let mut settings = Vec::new();
    let mut setting = Vec::new();
    let mut quoted = false;
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        match (byte, quoted) {
            (b'\'', _) => quoted = !quoted,
            (b' ', false) => settings.push(std::mem::take(&mut setting)),
            (b'\\', false) => setting.extend(rest.next()),
            (byte, _) => setting.push(byte),
        }
    }
    settings.push(setting);
    settings.into_iter().filter(|setting| !setting.is_empty()).map(BString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn settings_of_the_command_line_are_unquoted() {
        let read = |text: &str| parse_parameters(text.as_bytes());
        assert_eq!(read("'cora.a'='b c' 'cora.d'='it'\\''s'"), ["cora.a=b c", "cora.d=it's"]);
        assert_eq!(read("'cora.a=b' 'cora.on'"), ["cora.a=b", "cora.on"]);
        assert_eq!(read("'cora.a'='x'\\!'y'"), ["cora.a=x!y"]);
        assert_eq!(read(""), Vec::<BString>::new());
    }

    #[test]
    fn values_are_read_as_git_reads_them() {
        let fixture = Fixture::new();
        fixture.git(&["config", "cora.size", "2k"]);
        fixture.git(&["config", "cora.on", "yes"]);
        fixture.git(&["config", "cora.bad", "perhaps"]);
        fixture.git(&["config", "--add", "cora.many", "a"]);
        fixture.git(&["config", "--add", "cora.many", "b c"]);
        fixture.git(&["remote", "add", "my.host", "https://example.com/x.git"]);
        let repo = fixture.open();
        assert_eq!(repo.config_i64("cora.size").unwrap(), Some(2048));
        assert_eq!(repo.config_bool("cora.on").unwrap(), Some(true));
        assert_eq!(repo.config_string("cora.many").as_deref(), Some("b c"));
        assert_eq!(repo.config_all("cora.many"), ["a", "b c"]);
        assert_eq!(repo.remote_url("my.host").as_deref(), Some("https://example.com/x.git"));
        for key in ["cora.none", "cora", "", ".", "cora."] {
            assert_eq!(repo.config_string(key), None, "{key}");
            assert_eq!(repo.config_bool(key).unwrap(), None, "{key}");
        }
        assert_eq!(repo.config_private("cora.many").as_deref(), Some("b c"));
        for error in [repo.config_bool("cora.bad").unwrap_err(), repo.config_i64("cora.bad").unwrap_err()] {
            assert!(error.to_string().starts_with("invalid value 'perhaps' for 'cora.bad'"), "{error}");
        }
    }

    #[test]
    fn what_comes_with_the_content_is_told_apart() {
        let fixture = Fixture::new();
        fixture.git(&["config", "cora.embedder", "ollama:mine"]);
        fixture.git(&["config", "--file", "tracked", "cora.embedder", "ollama:theirs"]);
        fixture.git(&["config", "include.path", "../tracked"]);
        let repo = fixture.open();
        assert_eq!(repo.config_string("cora.embedder").as_deref(), Some("ollama:theirs"));
        assert_eq!(repo.config_private("cora.embedder").as_deref(), Some("ollama:mine"));
        fixture.git(&["config", "--unset", "cora.embedder"]);
        assert_eq!(fixture.open().config_private("cora.embedder"), None);
    }

    #[test]
    fn the_content_of_no_work_tree_says_what_is_private() {
        let fixture = Fixture::new();
        fixture.commit_file("a", "1\n");
        fixture.git(&["config", "cora.embedder", "ollama:mine"]);
        fixture.git(&["config", "--file", "tracked", "cora.embedder", "ollama:theirs"]);
        fixture.git(&["config", "include.path", "../tracked"]);
        let linked = tempfile::tempdir().unwrap();
        let linked = linked.path().join("linked");
        fixture.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
        let repo = Repository::discover(&linked).unwrap();
        assert_eq!(repo.config_string("cora.embedder").as_deref(), Some("ollama:theirs"));
        assert_eq!(repo.config_private("cora.embedder").as_deref(), Some("ollama:mine"));
        // Another repository's content, which this repository's configuration names.
        let other = Fixture::new();
        other.git(&["config", "--file", "tracked", "cora.embedder", "ollama:others"]);
        let tracked = other.open().work_dir().unwrap().join("tracked");
        fixture.git(&["config", "include.path", tracked.to_str().unwrap()]);
        let repo = fixture.open();
        assert_eq!(repo.config_string("cora.embedder").as_deref(), Some("ollama:others"));
        assert_eq!(repo.config_private("cora.embedder").as_deref(), Some("ollama:mine"));
    }
}
