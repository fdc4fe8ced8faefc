//! Records of files of the work tree that differ from HEAD, kept so that a query need not parse them.
//!
//! They lie in `<common dir>/cora/edited/` (of a linked work tree `edited-<name>`), each named by a hash of everything
//! that it is a function of: the options, the file's own name, what attributes say of it, and its content. A query reads
//! what is there and writes nothing; whoever watches the work tree writes them and removes those that nobody edits any
//! more. A cache: a damaged file counts as missing.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use bstr::BStr;
use sha2::{Digest, Sha256};

use crate::git::{FileAttributes, Repository};
use crate::index::record::{Opened, RecordView};
use crate::index::{IndexOptions, file_name};

/// Files above this are not kept: more has to be read than a parse would cost.
const MAX_BYTES: usize = 8 << 20;

/// The records of edited files of one repository.
pub(crate) struct Edited {
    dir: PathBuf,
    made_with: Vec<u8>,
}

impl Edited {
    pub(crate) fn new(repo: &Repository, options: &IndexOptions) -> Self {
        // Each work tree has edits of its own.
        let name = match repo.git_dir().file_name() {
            Some(name) if repo.git_dir() != repo.common_dir() => format!("edited-{}", name.to_string_lossy()),
            _ => "edited".to_owned(),
        };
        Self { dir: repo.cora_dir().join(name), made_with: options.manifest().encode() }
    }

    /// Whether anything may be kept: without, there is no use in computing names.
    pub(crate) fn is_used(&self) -> bool {
        self.dir.exists()
    }

    /// The file's name in the cache.
    pub(crate) fn key(&self, path: &BStr, content: &[u8], attributes: &FileAttributes) -> String {
        let mut hash = Sha256::new();
        let name = file_name(path);
        let attributes = format!("{attributes:?}");
        for part in [self.made_with.as_slice(), name, attributes.as_bytes(), content] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        hash.finalize().iter().take(20).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The record under a key, if it is there and whole.
    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let path = self.dir.join(key);
        if fs::metadata(&path).ok()?.len() > MAX_BYTES as u64 {
            return None;
        }
        let stored = fs::read(path).ok()?;
        let (bytes, sum) = stored.split_last_chunk::<4>()?;
        if crc32fast::hash(bytes) != u32::from_le_bytes(*sum) {
            return None;
        }
        match RecordView::open(bytes) {
            Ok(Opened::Indexed(_) | Opened::Skipped(_)) => Some(bytes.to_vec()),
            Err(_) => None,
        }
    }

    /// Keeps a record; what can't be written is made again by the next query.
    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        if bytes.len() + 4 > MAX_BYTES || fs::create_dir_all(&self.dir).is_err() {
            return;
        }
        let n = COUNTER.fetch_add(1, Ordering::Relaxed);
        let temporary = self.dir.join(format!("tmp-{}-{n}", std::process::id()));
        let whole = [bytes, &crc32fast::hash(bytes).to_le_bytes()].concat();
        if fs::write(&temporary, whole).and_then(|()| fs::rename(&temporary, self.dir.join(key))).is_err() {
            let _ = fs::remove_file(temporary);
        }
    }

    /// Removes all but these.
    pub(crate) fn retain(&self, keys: &std::collections::HashSet<String>) {
        for entry in fs::read_dir(&self.dir).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_none_or(|name| !keys.contains(name)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}
