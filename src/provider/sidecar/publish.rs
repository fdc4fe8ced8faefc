//! Publishing a sidecar: the blobs of files → a tree, two commits, and the ref, which is written
//! last.

use bstr::BString;

use super::layout::{self, FILES, MANIFEST};
use super::{Error, Sidecar};
use crate::base::id::ObjectId;
use crate::base::progress::Cancel;
use crate::git::{EntryMode, ObjectWriter, RefUpdate, Repository, TreeEntry};

/// Attempts to write the ref, if others move it meanwhile.
const ATTEMPTS: usize = 5;

/// Paths and their blobs, in the form for editing trees.
pub(super) type Edits = Vec<(BString, Option<ObjectId>)>;

/// The ref to write.
pub(super) struct Place<'p> {
    pub(super) repo: &'p Repository,
    pub(super) refname: &'p str,
    /// The source commit.
    pub(super) commit: ObjectId,
}

/// The content of one attempt.
pub(super) struct Draft {
    pub(super) files: Edits,
    pub(super) manifest: Vec<u8>,
    /// Commit S of the sidecar that this one was made from.
    pub(super) base: Option<ObjectId>,
    /// The tree of files that the ref has now.
    pub(super) present: Option<ObjectId>,
}

/// Points the ref at what `draft` returns; nothing is written if it returns `None`.
///
/// If somebody else moves the ref meanwhile, `draft` is called again, so that it takes over what
/// the ref has by then.
///
/// # Errors
/// [`Error::Moving`] if every attempt fails; those of `draft`; [`Error::Git`].
pub(super) fn publish<S: Sidecar>(
    place: &Place<'_>,
    cancel: &Cancel,
    mut draft: impl FnMut(&mut ObjectWriter) -> Result<Option<Draft>, Error<S>>,
) -> Result<(), Error<S>> {
    let Place { repo, refname, commit } = *place;
    for _ in 0..ATTEMPTS {
        // Read the ref before its content: if it changes in between, the update below fails and is
        // retried.
        let expected = repo.read_ref(refname)?;
        let mut writer = repo.writer()?;
        let Some(mut draft) = draft(&mut writer)? else { return Ok(()) };
        draft.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let files = repo.edit_tree(&mut writer, None, &draft.files)?;
        if draft.present == Some(files) {
            return Ok(());
        }
        let manifest = writer.blob(&draft.manifest)?;
        let tree = writer.tree(&[
            TreeEntry { path: MANIFEST.into(), mode: EntryMode::File, id: manifest },
            TreeEntry { path: FILES.into(), mode: EntryMode::Directory, id: files },
        ])?;
        let snapshot = writer.commit(&layout::snapshot_commit::<S>(tree))?;
        let id = writer.commit(&layout::commit::<S>(tree, commit, snapshot, draft.base))?;
        writer.finish(cancel)?;
        match repo.update_ref(refname, expected, id)? {
            RefUpdate::Done | RefUpdate::AlreadyThere => return Ok(()),
            RefUpdate::Conflict { .. } => {}
        }
    }
    Err(Error::Moving { commit })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::Fixture;
    use crate::provider::sidecar::vectors::VectorSidecar;

    /// Publishes to a ref that somebody else moves during the first attempts.
    fn publish_beside(n_moves: usize) -> (Result<(), Error<VectorSidecar>>, usize) {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        let commit = repo.resolve("HEAD").unwrap();
        let place = Place { repo: &repo, refname: "refs/cora/embeddings/m/x", commit };
        let mut n_drafts = 0;
        let published = publish::<VectorSidecar>(&place, &Cancel::default(), |writer| {
            n_drafts += 1;
            if n_drafts <= n_moves {
                let other = repo.resolve(["HEAD", "HEAD~1"][n_drafts % 2]).unwrap();
                let expected = repo.read_ref(place.refname).unwrap();
                repo.update_ref(place.refname, expected, other).unwrap();
            }
            let blob = writer.blob(b"vectors")?;
            let files = vec![("b".into(), Some(blob)), ("a".into(), Some(blob))];
            Ok(Some(Draft { files, manifest: b"format 1\n".to_vec(), base: None, present: None }))
        });
        if published.is_ok() {
            let top = repo.commit(repo.read_ref(place.refname).unwrap().unwrap()).unwrap();
            assert_eq!(repo.tree_files(top.tree).unwrap().len(), 3, "the manifest and two files");
        }
        (published, n_drafts)
    }

    #[test]
    fn a_ref_that_is_moved_is_drafted_again_and_never_given_up_silently() {
        assert!(matches!(publish_beside(0), (Ok(()), 1)));
        assert!(matches!(publish_beside(3), (Ok(()), 4)));
        assert!(matches!(publish_beside(ATTEMPTS), (Err(Error::Moving { .. }), ATTEMPTS)));
    }
}
