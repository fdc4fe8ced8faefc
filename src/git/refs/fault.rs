//! Refs below our prefixes that nobody can use.
//!
//! Owns [`RefFault`]. A crash may leave an empty file in place of a ref, or a ref whose objects
//! were never stored. Git then fails in `git fetch`, `git gc` and `git log --all`, which read all
//! refs. This module finds such refs, and removes them if they are still as they were found. An
//! index can be built again. It also finds usable refs of somebody else whose names are in the way
//! of ours.

use std::fs;
use std::path::Path;

use bstr::{BString, ByteSlice};

use super::delete::content;
use crate::base::id::ObjectId;
use crate::git::lock::claim::Claim;
use crate::git::own_ref::{OURS, check_ours, is_below_ours, is_stale, is_valid_refname, parse_loose};
use crate::git::{Error, Repository, Result, to_gix};

/// Most directories that are searched in the place of a ref.
const MAX_DIRECTORIES: usize = 100;

/// Deepest directory below one of our prefixes that is looked into.
const MAX_DEPTH: usize = 64;

/// What is wrong with a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// Its file is empty, or holds no object id.
    Unreadable,
    /// It is a symbolic ref, and we never write one.
    Symbolic,
    /// Its object is missing.
    Dangling(ObjectId),
    /// Its object is not a commit.
    NotACommit(ObjectId),
    /// An object that its commit reaches is missing; see [`Repository::incomplete_refs`].
    Incomplete(ObjectId),
    /// A file with a name that no ref can have. Git warns of it, and ignores it.
    Misnamed,
    /// A ref with an object, whose name begins with the name of one of our refs and a slash. Ours
    /// can't be written.
    Blocking(ObjectId),
    /// A lock that a killed process left.
    Lock,
    /// A file in the place of the directory of our refs; it may be a usable ref.
    InTheWay,
}

impl FaultKind {
    /// Describes the fault for the user.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Unreadable => "its file has no object id",
            Self::Symbolic => "it is a symbolic ref",
            Self::Dangling(_) => "its object is missing",
            Self::NotACommit(_) => "its object is not a commit",
            Self::Incomplete(_) => "objects of its index are missing",
            Self::Misnamed => "its name is not valid for a ref",
            Self::Blocking(_) => "its name is in the way of another ref of git-cora",
            Self::Lock => "it was left by a killed process",
            Self::InTheWay => "it is a file where a directory should be",
        }
    }

    /// Returns whether nobody can miss it. Somebody may have made a ref that is in the way, so only
    /// the user decides about that one.
    pub fn is_useless(self) -> bool {
        !matches!(self, Self::Blocking(_))
    }
}

/// A ref, or a lock, that nobody can use, or that is in the way of one of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefFault {
    /// Its full name.
    pub name: BString,
    /// What is wrong with it.
    pub kind: FaultKind,
}

impl Repository {
    /// Finds the refs below our prefixes that nobody can use, and those in the way of ours, sorted
    /// by name.
    ///
    /// # Errors
    /// [`Error::Git`] or [`Error::Command`] if the refs can't be listed.
    pub fn ref_faults(&self) -> Result<Vec<RefFault>> {
        let mut faults = Vec::new();
        if !self.reads_refs_by_git() {
            for prefix in OURS {
                let name = prefix.trim_end_matches('/');
                let path = self.common_dir().join(name);
                if fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_dir()) {
                    faults.push(RefFault { name: name.into(), kind: FaultKind::InTheWay });
                } else {
                    self.add_loose_faults(&path, name, MAX_DEPTH, &mut faults);
                }
            }
        }
        let known = faults.len();
        for prefix in OURS {
            for (name, id) in self.list_refs(prefix)? {
                let is_known = |fault: &RefFault| fault.name == name;
                let blocks = || is_below_ours(&name, self.object_hash_len());
                let blocking = || blocks().then_some(FaultKind::Blocking(id));
                if let Some(kind) = self.object_fault(id).or_else(blocking)
                    && !faults.iter().take(known).any(is_known)
                {
                    faults.push(RefFault { name, kind });
                }
            }
        }
        faults.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(faults)
    }

    fn add_loose_faults(&self, dir: &Path, name: &str, depth: usize, faults: &mut Vec<RefFault>) {
        let Ok(entries) = fs::read_dir(dir) else { return };
        for entry in entries.flatten() {
            let (path, Some(file)) = (entry.path(), entry.file_name().to_str().map(str::to_owned)) else {
                continue;
            };
            let name = format!("{name}/{file}");
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if depth > 0 {
                    self.add_loose_faults(&path, &name, depth - 1, faults);
                }
                continue;
            }
            let kind = if file.ends_with(".lock") {
                is_stale(&path).then_some(FaultKind::Lock)
            } else if !is_valid_refname(&name) {
                Some(FaultKind::Misnamed)
            } else {
                content(&path).and_then(|text| self.text_fault(&text))
            };
            faults.extend(kind.map(|kind| RefFault { name: name.into(), kind }));
        }
    }

    /// Returns what is wrong with the content of a loose ref.
    fn text_fault(&self, text: &[u8]) -> Option<FaultKind> {
        if text.starts_with(b"ref:") {
            return Some(FaultKind::Symbolic);
        }
        let is_id = parse_loose(text).is_some_and(|id| id.as_bytes().len() == self.object_hash_len());
        (!is_id).then_some(FaultKind::Unreadable)
    }

    /// Returns what is wrong with the object of a ref.
    fn object_fault(&self, id: ObjectId) -> Option<FaultKind> {
        if !self.contains(id) {
            // A partial clone may lack what its remote promised.
            return self.promisor().is_none().then_some(FaultKind::Dangling(id));
        }
        let header = self.handle().try_find_header(to_gix(id).ok()?).ok().flatten();
        header
            .is_some_and(|header| header.kind() != gix::objs::Kind::Commit)
            .then_some(FaultKind::NotACommit(id))
    }

    /// Returns whether the file of a loose ref is one that holds no object id, or a symbolic ref.
    pub fn is_unusable_ref(&self, name: &str) -> bool {
        !self.reads_refs_by_git()
            && check_ours(name).is_ok()
            && content(&self.common_dir().join(name)).is_some_and(|text| self.text_fault(&text).is_some())
    }

    /// Returns whether a ref can't be written, because others have names that begin with it and a
    /// slash, or because files stand in the directory of that name.
    pub fn is_blocked_ref(&self, name: &str) -> bool {
        if check_ours(name).is_err() {
            return false;
        }
        if self.list_refs(&format!("{name}/")).is_ok_and(|below| !below.is_empty()) {
            return true;
        }
        // Git removes empty directories in the place of a ref.
        let has_file = |path: &Path| {
            let mut pending = vec![path.to_owned()];
            for _ in 0..MAX_DIRECTORIES {
                let Some(next) = pending.pop() else { return false };
                for entry in fs::read_dir(next).into_iter().flatten().flatten() {
                    match entry.file_type() {
                        Ok(kind) if kind.is_dir() => pending.push(entry.path()),
                        _ => return true,
                    }
                }
            }
            true
        };
        !self.reads_refs_by_git() && has_file(&self.common_dir().join(name))
    }

    /// Removes a fault that [`Repository::ref_faults`] found, if it still is one; returns whether
    /// it is gone. A usable ref in the place of a directory stays.
    ///
    /// # Errors
    /// [`Error::Git`], [`Error::Io`] or [`Error::Command`] if it can't be removed.
    pub fn remove_ref_fault(&self, fault: &RefFault) -> Result<bool> {
        let Ok(name) = fault.name.to_str() else { return self.remove_by_git(fault) };
        match fault.kind {
            FaultKind::Dangling(id)
            | FaultKind::NotACommit(id)
            | FaultKind::Incomplete(id)
            | FaultKind::Blocking(id) => Ok(self.delete_refs(&[(name.to_owned(), id)])? > 0),
            FaultKind::Unreadable | FaultKind::Symbolic => {
                check_ours(name)?;
                self.remove_unusable_ref(name)
            }
            FaultKind::Misnamed => {
                let is_inside = OURS.iter().any(|prefix| name.starts_with(prefix))
                    && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
                if !is_inside || is_valid_refname(name) {
                    return Ok(false);
                }
                let path = self.common_dir().join(name);
                Ok(fs::symlink_metadata(&path).is_ok_and(|meta| !meta.is_dir())
                    && fs::remove_file(&path).is_ok())
            }
            FaultKind::Lock => {
                check_ours(name.strip_suffix(".lock").unwrap_or(name))?;
                let path = self.common_dir().join(name);
                Ok(is_stale(&path) && fs::remove_file(&path).is_ok())
            }
            FaultKind::InTheWay => {
                let path = self.common_dir().join(name);
                let is_useless = content(&path).is_some_and(|text| self.text_fault(&text).is_some());
                if !OURS.iter().any(|prefix| prefix.trim_end_matches('/') == name) || !is_useless {
                    return Ok(false);
                }
                fs::remove_file(&path).map_err(Error::io("delete", &path))?;
                Ok(true)
            }
        }
    }

    /// Removes a ref whose name is not UTF-8; returns whether it is gone.
    fn remove_by_git(&self, fault: &RefFault) -> Result<bool> {
        let (FaultKind::Dangling(id) | FaultKind::NotACommit(id) | FaultKind::Blocking(id)) = fault.kind
        else {
            return Ok(false);
        };
        if !OURS.iter().any(|prefix| fault.name.starts_with(prefix.as_bytes())) || fault.name.contains(&b'\n')
        {
            return Ok(false);
        }
        let id = id.to_string();
        self.update_by_git([b"delete ", fault.name.as_slice(), b" ", id.as_bytes(), b"\n"].concat())?;
        Ok(true)
    }

    /// Removes the file of a loose ref if it holds no object id or is a symbolic ref; returns
    /// whether there was one.
    ///
    /// # Errors
    /// [`Error::Internal`] for a name outside our namespaces, [`Error::Io`].
    pub fn remove_unusable_ref(&self, name: &str) -> Result<bool> {
        check_ours(name)?;
        if !self.is_unusable_ref(name) {
            return Ok(false);
        }
        let claim = Claim::new(self, Vec::new())?;
        self.delete_loose(&claim, name, |text| self.text_fault(text).is_some())?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;

    #[test]
    fn every_kind_of_fault_is_found_and_removed_and_nothing_else() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = repo.resolve("HEAD").unwrap();
        let (blob, tree) =
            (repo.resolve_any("HEAD:src/main.rs").unwrap(), repo.resolve_any("HEAD^{tree}").unwrap());
        let absent = ObjectId::from_bytes(&[7; 20]).unwrap();
        fixture.write(".git/refs/cora/good", &format!("{id}\n"));
        fixture.write(".git/refs/cora/good-with-space", &format!("{id} \n"));
        fixture.write(".git/refs/cora/fresh.lock", "");
        let bad: [(&str, String, FaultKind); 12] = [
            ("cora/blob", format!("{blob}\n"), FaultKind::NotACommit(blob)),
            ("cora/dangling", format!("{absent}\n"), FaultKind::Dangling(absent)),
            ("cora/empty", String::new(), FaultKind::Unreadable),
            ("cora/embeddings/m/empty", String::new(), FaultKind::Unreadable),
            ("cora/garbage", "not an id\n".into(), FaultKind::Unreadable),
            ("cora/long", format!("{id}{id}\n"), FaultKind::Unreadable),
            ("cora/short", "1212\n".into(), FaultKind::Unreadable),
            ("cora/symbolic", "ref: refs/heads/main\n".into(), FaultKind::Symbolic),
            ("cora/symbolic-dangling", "ref: refs/heads/none\n".into(), FaultKind::Symbolic),
            ("cora/tree", format!("{tree}\n"), FaultKind::NotACommit(tree)),
            ("cora/zeros", "\0".repeat(41), FaultKind::Unreadable),
            ("cora-local/empty", String::new(), FaultKind::Unreadable),
        ];
        for (name, text, _) in &bad {
            fixture.write(&format!(".git/refs/{name}"), text);
        }
        let faults = repo.ref_faults().unwrap();
        let mut expected: Vec<RefFault> = bad
            .iter()
            .map(|(name, _, kind)| RefFault { name: format!("refs/{name}").into(), kind: *kind })
            .collect();
        expected.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(faults, expected);
        for fault in &faults {
            assert!(repo.remove_ref_fault(fault).unwrap(), "{fault:?}");
            assert!(!repo.remove_ref_fault(fault).unwrap(), "{fault:?} is gone");
        }
        assert_eq!(repo.ref_faults().unwrap(), []);
        assert_eq!(repo.list_refs("refs/cora/").unwrap().len(), 2);
        assert_eq!(fixture.git_line(&["rev-parse", "main"]), id.to_string());
        assert!(fixture.path().join(".git/refs/cora/fresh.lock").exists());
        fixture.git(&["gc", "-q"]);
    }

    #[test]
    fn refs_below_ours_are_found_whatever_their_names_are() {
        for format in ["sha1", "sha256", "reftable"] {
            let fixture = Fixture::with_history_in(format);
            let repo = fixture.open();
            let [id, other] = [repo.resolve("HEAD").unwrap(), repo.resolve("HEAD~1").unwrap()];
            let name = format!("refs/cora/{id}/x");
            repo.update_ref(&format!("refs/cora/{other}"), None, id).unwrap();
            repo.update_ref("refs/cora/other/kind", None, id).unwrap();
            repo.update_ref(&name, None, id).unwrap();
            let fault = RefFault { name: name.as_str().into(), kind: FaultKind::Blocking(id) };
            assert_eq!(repo.ref_faults().unwrap(), std::slice::from_ref(&fault), "{format}");
            // One that was moved in the meantime stays.
            repo.update_ref(&name, Some(id), other).unwrap();
            assert!(!repo.remove_ref_fault(&fault).unwrap(), "{format}");
            let moved = RefFault { kind: FaultKind::Blocking(other), ..fault };
            assert!(repo.remove_ref_fault(&moved).unwrap(), "{format}");
            assert_eq!(repo.ref_faults().unwrap(), [], "{format}");
            assert_eq!(repo.list_refs("refs/cora/").unwrap().len(), 2, "{format}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_name_that_is_not_text_is_no_hindrance() {
        use std::os::unix::ffi::OsStrExt as _;
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = repo.resolve("HEAD").unwrap();
        let dir = fixture.path().join(format!(".git/refs/cora/{id}"));
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join(std::ffi::OsStr::from_bytes(b"caf\xe9")), format!("{id}\n")).unwrap();
        let faults = repo.ref_faults().unwrap();
        assert_eq!(faults.len(), 1);
        assert!(repo.remove_ref_fault(&faults[0]).unwrap());
        assert!(!repo.is_blocked_ref(&format!("refs/cora/{id}")));
    }

    #[test]
    fn what_is_in_the_way_goes_only_if_it_is_useless() {
        let fixture = Fixture::with_history();
        let repo = fixture.open();
        let id = repo.resolve("HEAD").unwrap();
        fixture.write(".git/refs/cora", &format!("{id}\n"));
        let faults = repo.ref_faults().unwrap();
        assert_eq!(faults, [RefFault { name: "refs/cora".into(), kind: FaultKind::InTheWay }]);
        assert!(!repo.remove_ref_fault(&faults[0]).unwrap());
        fixture.write(".git/refs/cora", "");
        assert!(repo.remove_ref_fault(&faults[0]).unwrap());
        repo.update_ref("refs/cora/a", None, id).unwrap();
        // Empty directories in the place of a ref are not in the way.
        std::fs::create_dir_all(fixture.path().join(".git/refs/cora/b/c")).unwrap();
        repo.update_ref("refs/cora/b", None, id).unwrap();
        assert_eq!(repo.read_ref("refs/cora/b").unwrap(), Some(id));
    }
}
