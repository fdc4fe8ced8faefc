//! Building the index of a commit.
//!
//! Owns [`index_commit`]. Input: a source commit, options, and optionally an index to start from.
//! Output: the objects of the index and its ref. It chooses a base, builds the trees of records
//! ([`super::tree`]), writes the commits, and sets the ref last. An interrupted build therefore
//! leaves no ref.
//!
//! The same commit always gives the same ids, whatever the base. An index that depends on this
//! machine (shallow boundary, unreadable files) goes to a local ref. So does one whose place under
//! `refs/cora/` holds the index of a newer version.

use bstr::BString;

use super::record::Manifest;
use crate::base::id::ObjectId;
use crate::base::progress::Task;
use crate::git::{self, ObjectWriter, RefUpdate, Repository};

use super::layout::{self, local_ref_name, ref_name};
use super::made_here::note_made_here;
use super::open::{CommitIndex, Snapshot, is_newer, nearest, open};
use super::tree::{Builder, Copies, Report, TreePair};
use super::{Error, IndexOptions, Recorder, Result, Work};

/// The result of [`index_commit`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BuildReport {
    /// The current index of the commit.
    pub snapshot: Snapshot,
    /// The snapshot of the first parent that was built along with this index, if any. An index of
    /// that parent can be built on it without any work.
    pub parent: Option<Snapshot>,
    /// Whether the index existed before and nothing was done.
    pub was_there: bool,
    /// The work done, including the records that differ in the first parent.
    pub work: Work,
    /// Number of objects written.
    pub n_objects: u64,
    /// Source files whose records were rebuilt because the base's were damaged, missing, or of
    /// another file.
    pub repaired: Vec<BString>,
    /// Source files that could not be read and are recorded as unreadable. An index with such files
    /// is local.
    pub unreadable: Vec<BString>,
    /// Whether the commit also has an index of a newer version. That one was left as it is, and
    /// this one is local.
    pub is_beside_newer: bool,
}

/// Indexes `commit` unless it has an index, and returns its index.
///
/// `hint` is an index to start from, if the caller has one; otherwise the nearest one is searched.
/// With `force` an existing index is rebuilt from scratch, and replaced if it differs.
///
/// # Errors
/// [`Error::Newer`] if the commit has a local index of a newer version; [`Error::Cancelled`], after
/// which the repository is unchanged; [`Error::Git`].
pub fn index_commit(
    repo: &Repository,
    commit: ObjectId,
    options: &IndexOptions,
    hint: Option<Snapshot>,
    force: bool,
    task: Task<'_>,
) -> Result<BuildReport> {
    let manifest = options.manifest();
    let mut found = find(repo, commit, &manifest, hint, force)?;
    let mut turn = None;
    if !force && matches!(&found, PriorIndex::Job { base: None, .. }) {
        // All files are to be read: whoever came first does it for all.
        turn = Some(repo.turn("index", "indexing this repository", task)?);
        found = find(repo, commit, &manifest, hint, force)?;
    }
    let is_beside_newer = is_newer(repo, commit, &manifest)?;
    let (replaces, base, is_damaged) = match found {
        PriorIndex::There(snapshot) => {
            return Ok(BuildReport {
                snapshot,
                parent: None,
                was_there: true,
                work: Work::default(),
                n_objects: 0,
                repaired: Vec::new(),
                unreadable: Vec::new(),
                is_beside_newer,
            });
        }
        PriorIndex::Job { replaces, base, is_damaged } => (replaces, base, is_damaged),
    };
    let is_blocked = repo.is_blocked_ref(&ref_name(commit));
    let job = Job { repo, commit, options, manifest: &manifest, is_beside_newer, is_blocked, task };
    let built = match job.build(base, force || is_damaged) {
        // Objects of the base, or those that this index shares with another, are missing or
        // damaged. All of them are written again.
        Err(error) if !force && is_damage(&error) => job.build(None, true)?,
        built => built?,
    };
    let built = job.keep(built)?;
    let refname = if built.snapshot.is_local { local_ref_name(commit) } else { ref_name(commit) };
    publish(&job, &refname, replaces, built.snapshot.index_commit)?;
    // One that began just before the ref was written did not see it.
    let built = job.keep(built)?;
    let trees = [Some(built.snapshot.files), built.parent.map(|parent| parent.files)];
    let trees: Vec<ObjectId> = trees.into_iter().flatten().collect();
    note_made_here(repo, base.map(|base| base.files), &trees);
    drop(turn);
    Ok(built)
}

/// Whether an error says that an object is missing or damaged. A tree that is too large is, too: a
/// few hostile trees can list millions of records. If the source is too large, so is what is built
/// again, and the error returns.
fn is_damage(error: &Error) -> bool {
    use git::Error::{Corrupt, Limit, MissingObject};
    matches!(error, Error::Git(MissingObject { .. } | Corrupt { .. } | Limit { .. }))
}

/// The index to be built.
struct Job<'j> {
    repo: &'j Repository,
    commit: ObjectId,
    options: &'j IndexOptions,
    manifest: &'j Manifest,
    is_beside_newer: bool,
    /// Whether a ref is in the way of the one that could be shared.
    is_blocked: bool,
    task: Task<'j>,
}

/// How often an index is built while `git gc --prune=now` deletes its objects.
const ATTEMPTS: usize = 5;

impl Job<'_> {
    /// Builds the index again if `git gc --prune=now` has deleted what was written, and returns the
    /// one whose objects are there.
    fn keep(&self, mut built: BuildReport) -> Result<BuildReport> {
        for _ in 0..ATTEMPTS {
            let commit = built.snapshot.index_commit;
            let is_there = match self.repo.wait_for_gc(self.task) {
                true => self.repo.is_complete(commit)?,
                // One that has ended deleted all that no ref points to, this commit too.
                false => self.repo.contains(commit),
            };
            if is_there {
                break;
            }
            built = self.build(None, true)?;
        }
        Ok(built)
    }

    /// Writes the snapshot of the parent, starting from the records of this commit. Returns `None`
    /// if the parent is too large to be indexed.
    fn snapshot(
        &self,
        builder: &mut Builder<'_>,
        writer: &mut ObjectWriter,
        parent: ObjectId,
        manifest_id: ObjectId,
        own: TreePair,
    ) -> Result<Option<Snapshot>> {
        let source_tree = self.repo.commit(parent)?.tree;
        let recorded = match builder.record_tree(writer, Some(own), source_tree) {
            Err(Error::Git(git::Error::Limit { .. })) => return Ok(None),
            recorded => recorded?,
        };
        let tree = builder.index_tree(writer, manifest_id, recorded.files)?;
        let snapshot_commit = writer.commit(&layout::snapshot_commit(tree))?;
        Ok(Some(Snapshot {
            commit: parent,
            source_tree,
            index_commit: snapshot_commit,
            snapshot_commit,
            tree,
            files: recorded.files,
            is_local: false,
        }))
    }

    /// Writes the objects of the index. With `repairs`, no stored object is trusted: each that
    /// differs from its id is written again.
    fn build(&self, base: Option<TreePair>, repairs: bool) -> Result<BuildReport> {
        let Job { repo, commit, manifest, task, .. } = *self;
        let source = repo.commit(commit)?;
        let mut builder = Builder {
            repo,
            recorder: Recorder::new(self.options.clone()),
            task,
            report: Report::default(),
            copies: Copies::new(),
        };
        let mut writer = repo.writer()?;
        if repairs {
            writer.repair();
        }
        let manifest_id = writer.blob(&manifest.encode())?;
        let own = builder.record_tree(&mut writer, base, source.tree)?;
        let tree = builder.index_tree(&mut writer, manifest_id, own.files)?;
        let snapshot_commit = writer.commit(&layout::snapshot_commit(tree))?;
        let mut index_commit = snapshot_commit;
        let mut is_local = self.is_beside_newer || self.is_blocked || repo.is_shallow_boundary(commit)?;
        // The index commit gets the snapshot of the first parent as a parent of its own. So a push
        // sends only what differs from an index that the other side has; see `fill`.
        let mut parent_snapshot = None;
        if let (Some(&parent), false) = (source.parents.first(), is_local) {
            let parent_commit = match open(repo, parent, manifest) {
                // A rebuild trusts no index: a damaged snapshot of the parent would change the id
                // of this index.
                Ok(CommitIndex::Current(snapshot)) if !repairs && !snapshot.is_local => {
                    Some(snapshot.snapshot_commit)
                }
                _ => {
                    parent_snapshot = self.snapshot(&mut builder, &mut writer, parent, manifest_id, own)?;
                    parent_snapshot.map(|parent| parent.snapshot_commit)
                }
            };
            match parent_commit {
                Some(before) => {
                    let message = layout::index_commit(tree, commit, snapshot_commit, before);
                    index_commit = writer.commit(&message)?;
                }
                // Every index that is shared has the snapshot of the parent.
                None => is_local = true,
            }
        }
        if !builder.report.unreadable.is_empty() {
            // Another machine may be able to read these files, and would give the index another id.
            is_local = true;
            index_commit = snapshot_commit;
            parent_snapshot = parent_snapshot.map(|parent| Snapshot { is_local, ..parent });
        }
        let written = writer.finish(task.cancel)?;
        if task.is_cancelled() {
            return Err(Error::Cancelled);
        }
        Ok(BuildReport {
            snapshot: Snapshot {
                commit,
                source_tree: source.tree,
                index_commit,
                snapshot_commit,
                tree,
                files: own.files,
                is_local,
            },
            parent: parent_snapshot,
            was_there: false,
            work: builder.report.work,
            n_objects: written.objects as u64,
            repaired: builder.report.repaired,
            unreadable: builder.report.unreadable,
            is_beside_newer: self.is_beside_newer,
        })
    }
}

/// The state of a commit's index before the build.
enum PriorIndex {
    /// The current index.
    There(Snapshot),
    /// Work to do: the ref that the new index replaces, and the base to build on. Objects of a
    /// damaged index may be there and be unreadable.
    Job { replaces: Option<(String, Option<ObjectId>)>, base: Option<TreePair>, is_damaged: bool },
}

fn find(
    repo: &Repository,
    commit: ObjectId,
    manifest: &Manifest,
    hint: Option<Snapshot>,
    force: bool,
) -> Result<PriorIndex> {
    let found = open(repo, commit, manifest)?;
    let is_damaged = matches!(found, CommitIndex::Damaged { .. });
    // Files that were unreadable may be readable now, so a local index is built again.
    let previous = match &found {
        CommitIndex::Current(snapshot) => Some(*snapshot),
        _ => None,
    };
    let replaces = match found {
        CommitIndex::Current(snapshot)
            if !force
                && (!snapshot.is_local
                    || repo.is_shallow_boundary(commit)?
                    || repo.is_blocked_ref(&ref_name(commit))
                    || is_newer(repo, commit, manifest)?) =>
        {
            return Ok(PriorIndex::There(snapshot));
        }
        CommitIndex::Current(snapshot) => Some((
            if snapshot.is_local { local_ref_name(commit) } else { ref_name(commit) },
            Some(snapshot.index_commit),
        )),
        CommitIndex::Absent | CommitIndex::Newer => None,
        CommitIndex::Outdated { refname, target, .. } => Some((refname, Some(target))),
        CommitIndex::Damaged { refname, .. } => Some((refname, None)),
    };
    let base = match (force, previous, hint) {
        (true, ..) => None,
        (false, Some(previous), _) => Some(previous),
        (false, None, Some(hint)) => Some(hint),
        (false, None, None) => nearest(repo, commit, manifest)?,
    };
    let base = base.map(|snapshot| TreePair {
        source_tree: snapshot.source_tree,
        files: snapshot.files,
        has_gaps: snapshot.is_local,
        is_stored: true,
    });
    Ok(PriorIndex::Job { replaces, base, is_damaged })
}

/// Points the ref at the new index, whose objects are all written.
///
/// After a conflict it tries again: another builder has made the same index, or an outdated one
/// that is replaced. A damaged ref has no known value; one that holds no object id is removed
/// first.
fn publish(
    job: &Job<'_>,
    refname: &str,
    replaces: Option<(String, Option<ObjectId>)>,
    index_commit: ObjectId,
) -> Result<()> {
    let repo = job.repo;
    let (mut expected, mut elsewhere) = (None, None);
    if let Some((name, target)) = replaces {
        let target = match target {
            Some(target) => Some(target),
            None => {
                repo.remove_unusable_ref(&name)?;
                repo.read_ref(&name)?
            }
        };
        if name == refname {
            expected = target;
        } else {
            elsewhere = target.map(|target| (name, target));
        }
    }
    for _ in 0..3 {
        match repo.update_ref(refname, expected, index_commit)? {
            RefUpdate::Done | RefUpdate::AlreadyThere => break,
            RefUpdate::Conflict { .. }
                if refname == ref_name(job.commit) && is_newer(repo, job.commit, job.manifest)? =>
            {
                return Err(Error::Newer { commit: job.commit });
            }
            RefUpdate::Conflict { actual } => expected = actual,
        }
    }
    if let Some(old) = elsewhere {
        // A local index has become a shared one, or the reverse.
        repo.delete_refs(&[old])?;
    }
    Ok(())
}
