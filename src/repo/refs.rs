//! Refs: reading, listing, and compare-and-swap. Only our own refs are ever written.

use bstr::BString;
use gix::refs::Target;
use gix::refs::transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog};

use crate::id::ObjectId;

use super::{Error, Repository, Result, from_gix, to_gix};

/// What became of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefUpdate {
    /// The ref has the new value.
    Done,
    /// It had it before.
    AlreadyThere,
    /// It has another value than expected.
    Conflict {
        /// The value that it has; `None` if it is gone.
        actual: Option<ObjectId>,
    },
}

/// Refuses to write any ref that is not ours.
fn check_ours(name: &str) -> Result<()> {
    if name.starts_with("refs/cora/") || name.starts_with("refs/cora-local/") {
        Ok(())
    } else {
        Err(Error::Internal(format!("'{name}' is no ref of git-cora")))
    }
}

impl Repository {
    /// The object that a ref points at, directly; `None` if there is no such ref.
    ///
    /// # Errors
    /// [`Error::Ref`] if the ref storage is damaged.
    pub fn read_ref(&self, name: &str) -> Result<Option<ObjectId>> {
        if self.is_reftable {
            let output = self.git(&["rev-parse", "--verify", "--quiet", name]).run()?;
            return Ok(String::from_utf8_lossy(&output.stdout).trim().parse().ok());
        }
        let fail = |message: String| Error::Ref { operation: "read", name: name.to_owned(), message };
        self.with(|repo| {
            let found = repo.try_find_reference(name).map_err(|error| fail(error.to_string()))?;
            Ok(found.and_then(|found| found.target().try_id().map(from_gix)))
        })
    }

    /// The refs under a prefix that ends in `/`, by name, with what they point at.
    ///
    /// # Errors
    /// [`Error::Ref`] if the ref storage is damaged.
    pub fn list_refs(&self, prefix: &str) -> Result<Vec<(BString, ObjectId)>> {
        let fail = |message: String| Error::Ref { operation: "list", name: prefix.to_owned(), message };
        if self.is_reftable {
            let format = "--format=%(objectname) %(refname)";
            let output = self.git(&["for-each-ref", format, prefix]).run()?.checked("for-each-ref")?;
            let text = String::from_utf8_lossy(&output.stdout);
            return Ok(text
                .lines()
                .filter_map(|line| line.split_once(' '))
                .filter_map(|(id, name)| Some((BString::from(name), id.parse().ok()?)))
                .collect());
        }
        self.with(|repo| {
            let platform = repo.references().map_err(|error| fail(error.to_string()))?;
            let found = platform.prefixed(prefix).map_err(|error| fail(error.to_string()))?;
            let mut out = Vec::new();
            // A broken ref among many is skipped, as Git does with a warning.
            for reference in found.flatten() {
                if let Some(id) = reference.target().try_id() {
                    out.push((reference.name().as_bstr().to_owned(), from_gix(id)));
                }
            }
            Ok(out)
        })
    }

    /// Points our ref `name` at `new` if it points at `expected` now (`None`: if it does not exist).
    ///
    /// # Errors
    /// [`Error::Ref`] if it can't be locked or written; [`Error::Internal`] for a ref that is not ours.
    pub fn update_ref(&self, name: &str, expected: Option<ObjectId>, new: ObjectId) -> Result<RefUpdate> {
        check_ours(name)?;
        let actual = self.read_ref(name)?;
        if actual == Some(new) {
            return Ok(RefUpdate::AlreadyThere);
        }
        if actual != expected {
            return Ok(RefUpdate::Conflict { actual });
        }
        let outcome = if self.is_reftable {
            let old = expected.map_or_else(|| "0".repeat(self.object_hash_len() * 2), |id| id.to_string());
            let output = self.git(&["update-ref", "--no-deref", name, &new.to_string(), &old]).run()?;
            if output.success { Ok(()) } else { Err(output.message()) }
        } else {
            let expected = match expected {
                Some(id) => PreviousValue::MustExistAndMatch(Target::Object(to_gix(id))),
                None => PreviousValue::MustNotExist,
            };
            let change = Change::Update {
                log: LogChange {
                    mode: RefLog::AndReference,
                    force_create_reflog: false,
                    message: "git-cora".into(),
                },
                expected,
                new: Target::Object(to_gix(new)),
            };
            self.edit(name, change)
        };
        match outcome {
            Ok(()) => Ok(RefUpdate::Done),
            Err(message) => match self.read_ref(name)? {
                Some(now) if now == new => Ok(RefUpdate::AlreadyThere),
                now if now != expected => Ok(RefUpdate::Conflict { actual: now }),
                _ => Err(Error::Ref { operation: "update", name: name.to_owned(), message }),
            },
        }
    }

    fn edit(&self, name: &str, change: Change) -> std::result::Result<(), String> {
        let full: gix::refs::FullName = name.try_into().map_err(|error| format!("{error}"))?;
        self.with(|repo| {
            repo.edit_reference(RefEdit { change, name: full, deref: false })
                .map(|_| ())
                .map_err(|error| error.to_string())
        })
    }

    /// Deletes our refs that still have the given values; gives how many were deleted.
    ///
    /// # Errors
    /// [`Error::Ref`] if one can't be locked; those before it stay deleted. [`Error::Internal`] for a ref that
    /// is not ours.
    pub fn delete_refs(&self, names: &[(String, ObjectId)]) -> Result<usize> {
        for (name, _) in names {
            check_ours(name)?;
        }
        // One transaction by git: gix rewrites packed-refs for each deletion.
        let mut input = Vec::new();
        let mut n = 0;
        for (name, id) in names {
            if self.read_ref(name)? == Some(*id) {
                input.extend_from_slice(format!("delete {name}\0{id}\0").as_bytes());
                n += 1;
            }
        }
        if n > 0 {
            let output = self.git(&["update-ref", "-z", "--stdin"]).input(input).run()?;
            if !output.success {
                let name = names.first().map(|(name, _)| name.clone()).unwrap_or_default();
                return Err(Error::Ref { operation: "delete", name, message: output.message() });
            }
        }
        Ok(n)
    }
}
