//! Building the index of a commit.
//!
//! What there is of it is found, a base to start from is chosen, the trees of records are made ([`super::tree`]), and the
//! ref is set last.

use bstr::BString;

use super::record::Manifest;
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{RefUpdate, Repository};

use super::layout::{self, local_ref_name, ref_name};
use super::open::{Opened, Snapshot, nearest, open};
use super::tree::{Builder, Copies, Recorded, Report};
use super::{Error, IndexOptions, Recorder, Result, Work};

/// What [`index_commit`] did.
#[derive(Debug, Clone)]
pub struct Built {
    /// The index that the commit has now.
    pub snapshot: Snapshot,
    /// The records of its first parent, which the index has beside its own, if they were made for it: what an index of that
    /// parent is built on without work.
    pub parent: Option<Snapshot>,
    /// Whether it was there before, and nothing was done.
    pub was_there: bool,
    /// The work that was done for it, its parent's differing records included.
    pub work: Work,
    /// Objects written.
    pub n_objects: u64,
    /// Source files whose records in the index that was built on were damaged, missing, or of another file, and were
    /// made anew.
    pub mended: Vec<BString>,
    /// Source files that could not be read and are recorded as unreadable. An index with such files is local.
    pub unreadable: Vec<BString>,
}

/// Makes sure that `commit` is indexed, and gives its index.
///
/// `hint` is an index to start from, if one is at hand; otherwise the nearest is looked for. With `force` an
/// index that is there is built anew, from scratch, and replaced where it differs.
///
/// # Errors
/// [`Error::Newer`] when the commit has an index of a newer version; [`Error::Cancelled`], after which the
/// repository is as it was; [`Error::Repo`].
pub fn index_commit(
    repo: &Repository,
    commit: ObjectId,
    options: &IndexOptions,
    hint: Option<Snapshot>,
    force: bool,
    task: Task<'_>,
) -> Result<Built> {
    let manifest = options.manifest();
    let mut found = find(repo, commit, &manifest, hint, force)?;
    let mut turn = None;
    if !force && matches!(&found, Found::Job { base: None, .. }) {
        // All files are to be read: whoever came first does it for all.
        turn = Some(repo.turn("index", "indexes this repository", task)?);
        found = find(repo, commit, &manifest, hint, force)?;
    }
    let (replaces, base) = match found {
        Found::There(snapshot) => {
            return Ok(Built {
                snapshot,
                parent: None,
                was_there: true,
                work: Work::default(),
                n_objects: 0,
                mended: Vec::new(),
                unreadable: Vec::new(),
            });
        }
        Found::Job { replaces, base } => (replaces, base),
    };

    let source = repo.commit(commit)?;
    let mut builder = Builder {
        repo,
        recorder: Recorder::new(options.clone()),
        task,
        report: Report::default(),
        copies: Copies::new(),
    };
    let mut writer = repo.writer()?;
    if force {
        writer.mend();
    }
    let manifest_id = writer.blob(&manifest.encode())?;
    let own = builder.record_tree(&mut writer, base, source.tree)?;
    let tree = builder.index_tree(&mut writer, manifest_id, own.files)?;
    let snapshot_commit = writer.commit(&layout::snapshot_commit(tree))?;
    let mut index_commit = snapshot_commit;
    let mut is_local = repo.is_shallow_boundary(commit)?;
    let mut beside = None;
    if let (Some(&parent), false) = (source.parents.first(), is_local) {
        let parent_snapshot = match open(repo, parent, &manifest) {
            // With `force` no index is believed: a damaged one of the parent would make this one another.
            Ok(Opened::Current(snapshot)) if !force && !snapshot.is_local => snapshot.snapshot_commit,
            _ => {
                let parent_tree = repo.commit(parent)?.tree;
                let recorded = builder.record_tree(&mut writer, Some(own), parent_tree)?;
                let tree = builder.index_tree(&mut writer, manifest_id, recorded.files)?;
                let snapshot_commit = writer.commit(&layout::snapshot_commit(tree))?;
                beside = Some(Snapshot {
                    commit: parent,
                    source_tree: parent_tree,
                    index_commit: snapshot_commit,
                    snapshot_commit,
                    tree,
                    files: recorded.files,
                    is_local: false,
                });
                snapshot_commit
            }
        };
        index_commit =
            writer.commit(&layout::index_commit(tree, commit, snapshot_commit, parent_snapshot))?;
    }
    if !builder.report.unreadable.is_empty() {
        // Another machine can read what this one can't, and would give the index another id.
        is_local = true;
        index_commit = snapshot_commit;
        beside = beside.map(|parent| Snapshot { is_local, ..parent });
    }
    let written = writer.finish(task.cancel)?;
    if task.is_cancelled() {
        return Err(Error::Cancelled);
    }
    let refname = if is_local { local_ref_name(commit) } else { ref_name(commit) };
    publish(repo, &refname, replaces, index_commit)?;
    drop(turn);
    Ok(Built {
        snapshot: Snapshot {
            commit,
            source_tree: source.tree,
            index_commit,
            snapshot_commit,
            tree,
            files: own.files,
            is_local,
        },
        parent: beside,
        was_there: false,
        work: builder.report.work,
        n_objects: written.objects as u64,
        mended: builder.report.mended,
        unreadable: builder.report.unreadable,
    })
}

/// What there is of a commit's index.
enum Found {
    /// The index itself.
    There(Snapshot),
    /// The ref that the index is to take the place of, and what it can be built on.
    Job { replaces: Option<(String, ObjectId)>, base: Option<Recorded> },
}

fn find(
    repo: &Repository,
    commit: ObjectId,
    manifest: &Manifest,
    hint: Option<Snapshot>,
    force: bool,
) -> Result<Found> {
    let found = open(repo, commit, manifest)?;
    // What was unreadable the last time may be there now: a local index is looked through once more.
    let previous = match &found {
        Opened::Current(snapshot) => Some(*snapshot),
        _ => None,
    };
    let replaces = match found {
        Opened::Current(snapshot)
            if !force && (!snapshot.is_local || repo.is_shallow_boundary(commit)?) =>
        {
            return Ok(Found::There(snapshot));
        }
        Opened::Current(snapshot) => Some((
            if snapshot.is_local { local_ref_name(commit) } else { ref_name(commit) },
            snapshot.index_commit,
        )),
        Opened::Absent => None,
        Opened::Outdated { refname, target, .. } | Opened::Damaged { refname, target, .. } => {
            Some((refname, target))
        }
    };
    let base = match (force, previous, hint) {
        (true, ..) => None,
        (false, Some(previous), _) => Some(previous),
        (false, None, Some(hint)) => Some(hint),
        (false, None, None) => nearest(repo, commit, manifest)?,
    };
    let base = base.map(|snapshot| Recorded {
        source_tree: snapshot.source_tree,
        files: snapshot.files,
        has_gaps: snapshot.is_local,
        is_stored: true,
    });
    Ok(Found::Job { replaces, base })
}

/// Points the ref at the new index, whose objects are all written. Another builder that came first made the
/// same index, or an outdated one that is replaced.
fn publish(
    repo: &Repository,
    refname: &str,
    replaces: Option<(String, ObjectId)>,
    index_commit: ObjectId,
) -> Result<()> {
    let (mut expected, elsewhere) = match replaces {
        Some((name, target)) if name == refname => (Some(target), None),
        Some(other) => (None, Some(other)),
        None => (None, None),
    };
    for _ in 0..3 {
        match repo.update_ref(refname, expected, index_commit)? {
            RefUpdate::Done | RefUpdate::AlreadyThere => break,
            RefUpdate::Conflict { actual } => expected = actual,
        }
    }
    if let Some(old) = elsewhere {
        // A local index that has become a proper one, or the reverse.
        repo.delete_refs(&[old])?;
    }
    Ok(())
}
