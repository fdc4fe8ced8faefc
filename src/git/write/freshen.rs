//! Objects that the store has already, and that a `git prune` beside us must not delete.
//!
//! Owns [`Repository::freshen`]. `git gc` deletes objects that nothing points to once they are two
//! weeks old (`gc.pruneExpire`). A new index may need such an object: an older index held it, and
//! its ref is gone. If `git gc` ran between our look and our new ref, the index would lose it, and
//! from then on `git gc` would fail. So the object is made new, as Git does for every object that
//! it would write again (`freshen_packed_object` and `freshen_loose_object` in `object-file.c`).
//!
//! An object in a cruft pack is not made new, because the pack lists the age of each object. It is
//! written again. So is one whose file belongs to somebody else.

use std::collections::HashSet;
use std::fs::{File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::base::id::ObjectId;
use crate::git::{Repository, to_gix};

/// A pack of this repository's own store.
struct OwnPack {
    index: gix::odb::pack::index::File,
    path: PathBuf,
    /// Whether its objects are as old as a list says, and not as old as the pack.
    is_cruft: bool,
    /// Whether it could be made new; `None` before it was tried.
    is_fresh: Option<bool>,
}

impl Repository {
    /// Makes objects of the store new. Returns those that have to be written again instead.
    ///
    /// Objects of a store that this repository only borrows from stay as they are.
    pub(in crate::git) fn freshen(&self, ids: &HashSet<ObjectId>) -> Vec<ObjectId> {
        let mut packs = None;
        let mut again = Vec::new();
        for &id in ids {
            let Ok(gix_id) = to_gix(id) else { continue };
            let hex = gix_id.to_hex().to_string();
            let (dir, name) = hex.split_at(2);
            let loose = self.objects_dir().join(dir).join(name);
            if loose.exists() {
                if !touch(&loose) {
                    again.push(id);
                }
                continue;
            }
            let packs = packs.get_or_insert_with(|| self.own_packs());
            let mut is_packed = false;
            let is_fresh = packs.iter_mut().any(|pack| {
                if pack.index.lookup(gix_id).is_none() {
                    return false;
                }
                is_packed = true;
                !pack.is_cruft && *pack.is_fresh.get_or_insert_with(|| touch(&pack.path))
            });
            if is_packed && !is_fresh {
                again.push(id);
            }
        }
        again.sort_unstable();
        again
    }

    fn own_packs(&self) -> Vec<OwnPack> {
        let Ok(entries) = std::fs::read_dir(self.objects_dir().join("pack")) else { return Vec::new() };
        let open = |index: PathBuf| {
            let path = index.with_extension("pack");
            let is_cruft = index.with_extension("mtimes").exists();
            let index = gix::odb::pack::index::File::at(&index, self.hash()).ok()?;
            path.exists().then_some(OwnPack { index, path, is_cruft, is_fresh: None })
        };
        let is_index = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "idx");
        entries.flatten().map(|entry| entry.path()).filter(is_index).filter_map(open).collect()
    }
}

/// Gives a file the present time. Like Git's own objects it may be read-only, which its owner can
/// ignore.
fn touch(path: &Path) -> bool {
    let now = FileTimes::new().set_modified(SystemTime::now());
    open_times(path).and_then(|file| file.set_times(now)).is_ok()
}

#[cfg(not(windows))]
fn open_times(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// Opens a file to change its times. Windows asks for that right when it opens the file.
#[cfg(windows)]
fn open_times(path: &Path) -> std::io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt as _;
    const FILE_WRITE_ATTRIBUTES: u32 = 0x100;
    File::options().access_mode(FILE_WRITE_ATTRIBUTES).open(path)
}
