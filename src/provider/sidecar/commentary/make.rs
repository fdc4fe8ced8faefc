//! Making commentary: the chunks that a commit lacks → requests (`send`) → a ref.
//!
//! 1. Plan (`plan`). By their keys, determine which of the requested chunks have no note of the
//!    model.
//! 2. Send. A user may take long to confirm the plan. So the list is checked again with the journal
//!    locked, and chunks that others have annotated meanwhile are not sent.
//! 3. Publish. All known notes about the commit's chunks become the ref's tree, together with those
//!    that the ref has by then.

use std::collections::{HashMap, HashSet};

use crate::base::id::ObjectId;
use crate::base::progress::{Cancel, Task};
use crate::git::{ObjectWriter, Repository};
use crate::provider::sidecar::publish::{self, Draft, Edits, Place};

use super::find::{FORMAT, ref_name};
use super::note::{ByKey, MAX_CHUNKS};
use super::plan::{GitNotes, Journal, PendingWork, Plan, Report, RunInputs, journal_path};
use super::send::send;
use super::{CommentarySidecar, Error, Key, Note, Result, encode};

/// Sends the missing chunks, and points the ref at all known notes.
///
/// A failure of the model is part of the report.
///
/// # Errors
/// [`Error::Busy`], [`Error::Io`], [`Error::Git`], [`Error::Cancelled`]; what was received before
/// is kept for the next run. A failure of the model is in the report.
pub fn make(repo: &Repository, plan: &Plan, wish: &RunInputs<'_>, task: Task<'_>) -> Result<Report> {
    let Some(commit) = plan.commit else { return Ok(Report::default()) };
    let mut journal = Journal::open(journal_path(repo), repo.sharing())?;
    let model = wish.model.id();
    // The lock is held: from here on nobody else adds notes. Notes added since planning are already
    // paid for.
    let reread = plan.reread(repo, commit, task.cancel)?;
    let there = &reread.as_ref().unwrap_or(&plan.given).notes;
    let lacks = |journal: &Journal, key: Key| {
        let by = (key, model.clone());
        !there.contains_key(&by) && !journal.entries.contains_key(&by)
    };
    let missing: Vec<PendingWork> =
        plan.missing.iter().filter(|one| lacks(&journal, one.key)).copied().collect();
    let mut report = Report::default();
    if !missing.is_empty() {
        journal = send(plan, &missing, wish, journal, &mut report, task)?;
    }
    report.n_left = missing.iter().filter(|one| lacks(&journal, one.key)).count();
    let is_all = publish(repo, plan, commit, &model, &journal.entries, &mut report, task.cancel)?;
    // A note that no file of this commit has may be one of another commit's.
    if is_all {
        journal.clear();
    }
    Ok(report)
}

/// Writes the files with notes, then the ref; returns whether all received notes are in it.
fn publish(
    repo: &Repository,
    plan: &Plan,
    commit: ObjectId,
    model: &str,
    received: &ByKey,
    report: &mut Report,
    cancel: &Cancel,
) -> Result<bool> {
    let refname = ref_name(commit);
    let place = Place { repo, refname: &refname, commit };
    let mut is_all = false;
    publish::publish::<CommentarySidecar>(&place, cancel, |writer| {
        let reread = plan.reread(repo, commit, cancel)?;
        let given = reread.as_ref().unwrap_or(&plan.given);
        let (edits, published) = files(plan, model, given, received, writer, cancel)?;
        is_all = received.keys().all(|(key, by)| by == model && published.contains(key));
        report.n_files = edits.len();
        if edits.is_empty() {
            return Ok(None);
        }
        report.refname = Some(refname.clone());
        let base = given.bases.first();
        Ok(Some(Draft {
            files: edits,
            manifest: FORMAT.as_bytes().to_vec(),
            base: base.map(|base| base.snapshot_commit),
            present: base.filter(|base| base.commit == commit).map(|base| base.files),
        }))
    })?;
    Ok(is_all)
}

/// Writes the blobs of all files with notes; returns them by path, and the keys of their notes.
fn files(
    plan: &Plan,
    model: &str,
    given: &GitNotes,
    received: &ByKey,
    writer: &mut ObjectWriter,
    cancel: &Cancel,
) -> Result<(Edits, HashSet<Key>)> {
    // Of notes by several models, prefer this model's, else the first by name.
    let mut by_key: HashMap<Key, &Note> = HashMap::new();
    for note in given.notes.values().chain(received.values()) {
        let known = by_key.entry(note.key).or_insert(note);
        let rank = |note: &Note| (note.model != model, note.model.clone());
        if rank(note) < rank(known) {
            *known = note;
        }
    }
    let (mut edits, mut published) = (Edits::new(), HashSet::new());
    for file in &plan.files {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let notes: Vec<Note> = (0..MAX_CHUNKS)
            .zip(&file.keys)
            .filter_map(|(chunk, key)| Some(Note { chunk, ..(*by_key.get(key)?).clone() }))
            .collect();
        let (bytes, n_notes) = encode(file.record, &notes);
        if n_notes > 0 {
            edits.push((file.path.clone(), Some(writer.blob(&bytes)?)));
            published.extend(notes.iter().take(n_notes).map(|note| note.key));
        }
    }
    Ok((edits, published))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use bstr::{BStr, BString};

    use crate::base::progress::NoProgress;
    use crate::git::testing::Fixture;
    use crate::provider::chat::{self, End, LanguageModel, Prompt, Reply, ReplyUpdate, RequestBody, Usage};
    use crate::provider::http;
    use crate::provider::sidecar::commentary::plan::{FileToAnnotate, Sources, plan};
    use crate::provider::sidecar::commentary::prompt::Passage;
    use crate::provider::sidecar::commentary::{decode, find as nearest};

    use super::*;

    /// A model that answers with a given function, and counts the chunks of each request.
    struct Writer<A>(A, Mutex<Vec<usize>>);

    impl<A: Fn(usize) -> chat::Result<String> + Send + Sync> Writer<A> {
        fn new(answer: A) -> Self {
            Self(answer, Mutex::default())
        }

        fn asked(&self) -> Vec<usize> {
            let mut asked = self.1.lock().unwrap().clone();
            asked.sort_unstable();
            asked
        }
    }

    impl<A: Fn(usize) -> chat::Result<String> + Send + Sync> LanguageModel for Writer<A> {
        fn id(&self) -> String {
            "test:writer".into()
        }

        fn outgoing(&self, _: &Prompt) -> RequestBody {
            RequestBody { url: String::new(), body: Vec::new() }
        }

        fn complete(
            &self,
            prompt: &Prompt,
            _: &mut dyn FnMut(ReplyUpdate<'_>),
            _: &Cancel,
        ) -> chat::Result<Reply> {
            let n = prompt.turns[0].text.matches(" begins, mark ").count();
            self.1.lock().unwrap().push(n);
            Ok(Reply { text: (self.0)(n)?, usage: Usage::default(), end: End::Whole })
        }
    }

    fn good(n: usize) -> chat::Result<String> {
        Ok(match n {
            1 => "It does.".into(),
            n => format!(
                "{{{}}}",
                (1..=n).map(|n| format!("\"{n}\": \"It does.\"")).collect::<Vec<_>>().join(",")
            ),
        })
    }

    fn refused() -> chat::Error {
        chat::Error::Remote(http::Error::Refused { host: "h".into(), status: 400, message: "no".into() })
    }

    /// Two files of ten chunks each.
    struct Files;

    impl Sources for Files {
        fn texts(&self, path: &BStr) -> Vec<String> {
            (0..10).map(|n| format!("{path} {n} is a chunk that is long enough")).collect()
        }

        fn passages(&self, path: &BStr, chunks: &[u32]) -> Vec<Passage> {
            let texts = self.texts(path);
            let passage = |&at: &u32| Passage { text: texts[at as usize].clone(), ..Passage::default() };
            chunks.iter().map(passage).collect()
        }
    }

    fn planned(repo: &Repository, wanted: &str) -> Plan {
        let files = ["a", "b"].map(|path| FileToAnnotate {
            path: path.into(),
            record: repo.empty_tree(),
            is_wanted: wanted.contains(path),
        });
        let commit = repo.resolve("HEAD").unwrap();
        plan(repo, "test:writer", commit, files.into(), &Files, Task::new(&NoProgress, &Cancel::default()))
            .unwrap()
    }

    fn made(repo: &Repository, plan: &Plan, model: &dyn LanguageModel) -> Report {
        make(repo, plan, &RunInputs { model, sources: &Files }, Task::new(&NoProgress, &Cancel::default()))
            .unwrap()
    }

    /// Returns the number of notes of each file.
    fn noted(repo: &Repository) -> Vec<(BString, usize)> {
        let Some(found) = nearest(repo, repo.resolve("HEAD").unwrap()).unwrap() else { return Vec::new() };
        let files = repo.tree_files(found.files).unwrap();
        let n_notes = |id| match repo.blob(id, 1 << 20).unwrap() {
            crate::git::Blob::Bytes(bytes) => decode(&bytes).unwrap().1.len(),
            _ => 0,
        };
        files.into_iter().map(|file| (file.path, n_notes(file.id))).collect()
    }

    #[test]
    fn plans_that_others_overtook_pay_nothing_twice_and_lose_nothing() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        let writer = Writer::new(good);
        let (a, b, both) = (planned(&repo, "a"), planned(&repo, "b"), planned(&repo, "ab"));
        assert_eq!((a.n_missing, b.n_missing, both.n_missing), (10, 10, 20));
        assert_eq!(made(&repo, &a, &writer).n_notes, 10);
        assert_eq!(made(&repo, &b, &writer).n_notes, 10);
        assert_eq!(noted(&repo), [("a".into(), 10), ("b".into(), 10)]);
        assert_eq!(writer.asked(), [4, 4, 6, 6]);
        let late = made(&repo, &both, &writer);
        assert_eq!((late.n_notes, late.n_left, late.n_files, writer.asked().len()), (0, 0, 2, 4));
        assert!(Journal::peek(&journal_path(&repo)).is_empty());
    }

    #[test]
    fn one_that_is_at_work_keeps_others_out() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        let writer = Writer::new(good);
        let plan = planned(&repo, "a");
        let held = Journal::open(journal_path(&repo), repo.sharing()).unwrap();
        let wish = RunInputs { model: &writer, sources: &Files };
        let outcome = make(&repo, &plan, &wish, Task::new(&NoProgress, &Cancel::default()));
        assert!(matches!(outcome, Err(Error::Busy)) && writer.asked().is_empty());
        drop(held);
        assert_eq!(made(&repo, &plan, &writer).n_notes, 10);
    }

    #[test]
    fn a_model_that_takes_few_chunks_gets_fewer() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        for refuses in [true, false] {
            let writer = Writer::new(move |n| match (n, refuses) {
                (0..=2, _) => good(n),
                (_, true) => Err(refused()),
                (_, false) => Ok("{\"one\": ".into()),
            });
            let plan = planned(&repo, if refuses { "a" } else { "b" });
            let report = made(&repo, &plan, &writer);
            assert_eq!((report.n_notes, report.n_left, report.failure.is_none()), (10, 0, true), "{refuses}");
        }
    }

    #[test]
    fn a_server_that_refuses_everything_is_not_asked_for_ever() {
        let (_fixture, repo) = Fixture::with_history().open_kept();
        let writer = Writer::new(|_| Err(refused()));
        let plan = planned(&repo, "ab");
        let report = made(&repo, &plan, &writer);
        assert!(report.failure.is_some() && report.n_left == 20 && report.refname.is_none(), "{report:?}");
        assert!(writer.asked().len() <= 12, "{:?}", writer.asked());
        // One refused chunk does not end the run.
        let first = Mutex::new(true);
        let writer = Writer::new(|n| match n {
            1 if std::mem::take(&mut *first.lock().unwrap()) => Err(refused()),
            1 => good(1),
            _ => Ok("no".into()),
        });
        let report = made(&repo, &plan, &writer);
        assert_eq!((report.n_notes, report.n_useless, report.n_left), (19, 1, 1), "{report:?}");
        assert!(report.failure.is_none());
    }
}
