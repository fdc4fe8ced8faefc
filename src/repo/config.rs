//! Reading Git's configuration.

use bstr::ByteSlice;

use super::Repository;

impl Repository {
    /// The last value of a key (`cora.keep`, `remote.origin.url`), from all of Git's configuration files; `None`
    /// if it is not set.
    pub fn config_string(&self, key: &str) -> Option<String> {
        self.with(|repo| repo.config_snapshot().string(key).map(|value| value.to_str_lossy().into_owned()))
    }
}
